"""The body of a mail: as plain text, and as an HTML page that every mail program shows."""

import textwrap
from dataclasses import dataclass, field
from functools import cache

import jinja2
from markupsafe import Markup

from ..core.report import DiceSpan, Inline, Report
from ..core.words import _
from . import bundle
from .clean import clean
from .html import states

WIDTH = 76


@dataclass
class Cover:
    """What a mail says.

    paragraphs: running text
    facts:      (label, value), such as the deadline
    pieces:     (heading, text that is shown as it is, line by line)
    report:     what the HTML shows instead of the pieces, if it is given: the same as a report model
    footer:     who sends it, how to answer
    """

    title: str
    subtitle: str = ""
    paragraphs: list[str] = field(default_factory=list)
    facts: list[tuple[str, str]] = field(default_factory=list)
    pieces: list[tuple[str, str]] = field(default_factory=list)
    footer: list[str] = field(default_factory=list)
    report: Report | None = None


def as_text(cover: Cover) -> str:
    """The mail's plain text; running text is broken at 76 characters, pieces keep their lines."""
    head = f"{cover.title}\n{'=' * min(len(cover.title), WIDTH)}"
    parts = [f"{head}\n{cover.subtitle}" if cover.subtitle else head, *(_broken(paragraph) for paragraph in cover.paragraphs)]
    if cover.facts:
        wide = max(len(label) for label, _value in cover.facts)
        parts.append("\n".join(textwrap.fill(value, WIDTH, initial_indent=f"{label + ':':<{wide + 1}} ", subsequent_indent=" " * (wide + 2),
                                             break_long_words=False, break_on_hyphens=False) for label, value in cover.facts))
    for heading, piece in cover.pieces:
        parts.append(f"{heading}\n{'-' * min(len(heading), WIDTH)}\n{piece.rstrip()}" if heading else piece.rstrip())
    if cover.footer:
        parts.append("-- \n" + "\n".join(_broken(line) for line in cover.footer))
    return clean("\n\n".join(parts)) + "\n"


def as_html(cover: Cover) -> str:
    """The same as an HTML page without anything to fetch; every text in it is escaped."""
    return _template().render(cover=cover, _=_, kind_of=lambda item: type(item).__name__, states=states(), spans_text=_plain)


def _plain(span: Inline) -> str:
    return " ".join(map(str, span.values)) if isinstance(span, DiceSpan) else span.text


def _broken(paragraph: str) -> str:
    return textwrap.fill(" ".join(paragraph.split()), WIDTH, break_long_words=False, break_on_hyphens=False)


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(bundle.folder()), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True,
                                     lstrip_blocks=True, finalize=lambda value: clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value)
    return environment.get_template("mail.html.j2")
