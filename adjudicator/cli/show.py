"""Show things: tables for a terminal or a pipe, sentences on the side, JSON for programs."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click


def is_terminal(stream) -> bool:
    try:
        return stream.isatty()
    except (AttributeError, ValueError):
        return False


def may_ask() -> bool:
    """True if somebody sits at the other end who can be asked."""
    return is_terminal(sys.stdin) and is_terminal(sys.stderr)


def say(sentence: str) -> None:
    """Talk: to stderr, so that results can be piped."""
    _clear_bars()
    click.echo(sentence, err=True)


def result(text: str) -> None:
    """A result: to stdout."""
    _clear_bars()
    click.echo(text)


def count(number: int, thing: str) -> str:
    """"1 file", "3 files"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def json_result(record: Any) -> None:
    """A result for a program: JSON to stdout."""
    from ..core import plain

    _clear_bars()
    click.echo(plain.to_pretty_json(record).decode(), nl=False)


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], title: str = "") -> None:
    """A table as a result: drawn on a terminal, columns of plain text in a pipe."""
    if is_terminal(sys.stdout):
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        if title:
            click.secho(title, bold=True)
        drawn = Table()
        for column in columns:
            drawn.add_column(column)
        for row in rows:
            drawn.add_row(*(Text(cell) for cell in row))
        Console().print(drawn)
        return
    if title:
        click.echo(title)
    widths = [max(len(row[place]) for row in [columns, *rows]) for place in range(len(columns))]
    for row in [columns, *rows]:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


class _Bars:
    """Progress bars on stderr, taken away whenever something is printed."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        # rich would send what goes to stdout to stderr while a bar is shown, even into a pipe
        self._bars = Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
                              console=Console(stderr=True), transient=True,
                              redirect_stdout=False, redirect_stderr=False)
        self._tasks: dict[str, Any] = {}

    def move(self, what: str, done: int, all_: int) -> None:
        if what not in self._tasks:
            self._tasks[what] = self._bars.add_task(what, total=all_)
        self._bars.update(self._tasks[what], completed=done, total=all_)
        if not self._bars.live.is_started:
            self._bars.start()

    def clear(self) -> None:
        if self._bars.live.is_started:
            self._bars.stop()


_shown: list[_Bars] = []


def _clear_bars() -> None:
    for bars in _shown:
        bars.clear()


@contextmanager
def progress(is_shown: bool = True) -> Iterator[Callable[[str, int, int], None]]:
    """Inside the block: a function (what, done, all) that moves a progress bar, if stderr is a terminal."""
    if not is_shown or not is_terminal(sys.stderr):
        yield lambda _what, _done, _all: None
        return
    bars = _Bars()
    _shown.append(bars)
    try:
        yield bars.move
    finally:
        bars.clear()
        _shown.remove(bars)


def crash_file(text: str) -> str:
    """Write down what went wrong in the program; returns a sentence that names the file."""
    import platform
    import tempfile

    from .. import __version__
    try:
        with tempfile.NamedTemporaryFile("w", prefix="adjudicator-crash-", suffix=".txt", delete=False, encoding="utf-8") as file:
            file.write(f"adjudicator {__version__}, Python {platform.python_version()}, {platform.system()}\n{' '.join(sys.argv)}\n\n{text}")
    except OSError:
        return "it could not even be written down"
    return f"what is needed to mend it is in {file.name}: send that to the maintainers"


def tell_failed_reports(failed: dict[str, str]) -> None:
    """Tell of reports that a fault of the program kept from being made."""
    for viewer, text in failed.items():
        say(f"the report for {viewer} could not be made: a fault of the program; {crash_file(text)}")
