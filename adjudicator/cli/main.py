"""The program: finds the command, and turns whatever goes wrong into one sentence and an exit code."""

import errno
import importlib
import os
import sys

import click

from .. import __version__

COMMANDS = {
    "new": ("begin", "Begin a campaign."),
    "status": ("turns", "Tell where a campaign stands: who is asked, who has sent."),
    "submit": ("orders", "Take in order files."),
    "run": ("turns", "Run the turn."),
    "report": ("turns", "Make the reports of a turn again."),
    "log": ("finding", "Find out why something happened: events, rules, orders, dice."),
    "undo": ("turns", "Set the last turn aside."),
    "redo": ("mending", "Put an undone turn back."),
    "amend": ("mending", "Correct the state of the game, with a reason."),
    "seat": ("mending", "Hand a seat to another player, to the steward, for a while."),
    "kit": ("mending", "Write a seat's view, order file and schema, as they are now."),
    "extend": ("mending", "Put the deadline of the coming turn off."),
    "mail": ("post", "Play by mail: fetch orders, send reports and reminders."),
    "tick": ("post", "Do whatever is due: mail, reminders, the turn. The line for cron."),
    "verify": ("turns", "Prove a campaign by replaying it."),
    "archive": ("archives", "Put a campaign into one file."),
    "restore": ("archives", "Unpack an archive into a new folder."),
    "check": ("orders", "Check an order file; nothing is stored."),
    "preview": ("finding", "Try orders out: what is legal, what it costs, where pieces can go."),
    "explain": ("finding", "Explain the code of a problem."),
    "rules": ("finding", "Print the rulebook, with a campaign's options."),
    "template": ("orders", "Print the order file that a seat starts from."),
    "schema": ("orders", "Print the JSON Schema of a seat's order file."),
    "rulesets": ("begin", "List the games that are installed."),
    "completion": ("begin", "Print the script that completes commands in a shell."),
}
"""command -> (module beside this one, what it is for). A module is loaded when one of its commands is asked for."""


class Program(click.Group):
    """A group whose commands are loaded when they are needed, and that never ends in a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        return getattr(importlib.import_module(f".{COMMANDS[name][0]}", __package__), name)

    def resolve_command(self, ctx: click.Context, args: list[str]):
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            ctx.fail(f"there is no command {args[0]!r}." + (f" Did you mean {near[0]}?" if near else ""))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_module, about) in COMMANDS.items()])

    def invoke(self, ctx: click.Context):
        try:
            return super().invoke(ctx)
        except OSError as error:
            if error.errno == errno.EPIPE:  # click would end without a word
                raise _ClosedPipe from error
            raise

    def main(self, args=None, prog_name=None, complete_var=None, standalone_mode=True, **extra):
        for stream in ("stdout", "stderr"):  # closed by whoever started us
            if getattr(sys, stream) is None:
                setattr(sys, stream, open(os.devnull, "w"))  # noqa: SIM115 - it lives as long as the program
        try:
            code = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
            sys.stdout.flush()
        except click.Abort:
            code = _end("stopped; nothing is half done")
        except click.ClickException as error:
            error.show()
            code = error.exit_code
        except _ClosedPipe:
            code = _end("the reader of the output went away before all of it was written")
            _drop_output()
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            code = _end(f"{where}{_reason(error)}", _way_out(error))
            _drop_output()
        except Exception as error:
            code = _trouble(error) or _crash(error)
        sys.exit(code if isinstance(code, int) else 0)


class _ClosedPipe(Exception):
    """The program that reads the output has ended."""


def _end(sentence: str, advice: str = "") -> int:
    try:
        click.echo(f"adjudicator: {sentence}", err=True)
        if advice:
            click.echo(f"  {advice}", err=True)
    except OSError:  # nobody listens there either
        pass
    return 1


def _trouble(error: Exception) -> int:
    """Tell a problem of the campaign or the orders; 0 if the error is none."""
    from ..core.registry import UnknownRuleset
    from ..store.trouble import Trouble

    if isinstance(error, UnknownRuleset):
        return _end(str(error))
    if not isinstance(error, Trouble):
        return 0
    if error.problems:
        from ..orderfile.excerpts import tell

        for problem in error.problems:
            click.echo(tell(problem, error.text, error.name), err=True)
    return _end(error.message, error.advice)


def _crash(error: Exception) -> int:
    """A fault of the program: written down in a file, told in a sentence."""
    import traceback

    from .show import crash_file

    return _end(f"this is a fault of the program ({type(error).__name__}: {str(error)[:200]})",
                crash_file("".join(traceback.format_exception(error))))


def _reason(error: OSError) -> str:
    reasons = {errno.ENOSPC: "the disk is full", errno.EACCES: "this may not be read or written", errno.EPERM: "this may not be changed",
               errno.EROFS: "this is on a disk that cannot be written", errno.EDQUOT: "your share of the disk is used up"}
    return reasons.get(error.errno or 0, error.strerror or str(error))


def _way_out(error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "make room and give the command again; nothing is lost, and what is half done is cleared away then"
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return "look at who owns the folder and give the command again"
    return "mend that and give the command again"


def _drop_output() -> None:
    """Let the interpreter's last flush go nowhere, so that it does not complain again."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        pass


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}, epilog="""
Help for one command:  adjudicator run --help

\b
A campaign in four commands:
  adjudicator new roses war --players 4      the folder `war`, with tokens for the seats
  adjudicator submit -C war york.yaml        for every file that comes in
  adjudicator run war                        when the deadline has passed
  adjudicator status war                     at any time
""")
@click.version_option(__version__, prog_name="adjudicator", message="%(prog)s %(version)s")
def main() -> None:
    """Adjudicate games that are played by e-mail: order files in, a turn, a report for every seat."""
