"""Commands about order files: submit, check, template, schema."""

import sys
from pathlib import Path

import click

from . import show
from .common import campaign_at, campaign_option, complete_seat, json_option

MOST_READ = 1024 * 1024
"""Bytes of an order file that are read at the most: four times what an order file may have."""
file_type = click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=str)


def _read(name: str) -> bytes:
    if name == "-":
        if sys.stdin is None:
            raise click.UsageError("-: there is no standard input")
        data = sys.stdin.buffer.read(MOST_READ + 1)
    else:
        with Path(name).open("rb") as file:
            data = file.read(MOST_READ + 1)
    if len(data) > MOST_READ:
        raise click.UsageError(f"{name}: this is more than {MOST_READ // 1024} KiB, and no order file; nothing was taken")
    return data


def _called(name: str) -> str:
    return "orders" if name == "-" else Path(name).name


@click.command(epilog="""
\b
Examples:
  adjudicator submit york.yaml lancaster.yaml
  fetchmail-something | adjudicator submit -C war -
""")
@click.argument("files", nargs=-1, required=True, type=file_type, metavar="FILE...")
@campaign_option
@json_option
def submit(files: tuple[str, ...], folder: Path, as_json: bool) -> None:
    """Take in order files and print a receipt for each.

    Every file is kept as it came. The last one of a seat that can be read counts; one of which nothing can be read never takes
    the place of an earlier one. `-` reads standard input. Exits 1 if anything in a file was refused.
    """
    from datetime import datetime, timezone

    from ..core.orders import REFUSED
    from ..office.submitting import submit as take_in

    received = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    with campaign_at(folder, playable=False) as campaign:
        receipts = [take_in(campaign, _read(name), _called(name), received) for name in files]
    if as_json:
        show.json_result(receipts)
    else:
        show.result("\n".join(receipt.text for receipt in receipts).rstrip("\n"))
    if any(not (receipt.counts or receipt.state in ("withdrawn", "noted")) or any(problem.kind == REFUSED for problem in receipt.problems) for receipt in receipts):
        sys.exit(1)


@click.command(epilog="""
\b
Examples:
  adjudicator check york.orders.yaml --view york.view.json      as a player, with the file from the last mail
  adjudicator check york.yaml -C war                            as the game master
""")
@click.argument("file", type=file_type)
@click.option("--view", "kit", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="The view.json that came with the report.")
@campaign_option
@json_option
def check(file: str, kit: Path | None, folder: Path, as_json: bool) -> None:
    """Check an order file as it will be checked on arrival; nothing is stored, and no secret is needed.

    Exits 1 if anything in the file is refused.
    """
    from ..office import checking

    if kit is not None:
        checked = checking.check_with_kit(_read(file), _called(file), *checking.read_kit(kit))
    else:
        with campaign_at(folder, changes=False) as campaign:
            checked = checking.check_in_campaign(_read(file), _called(file), campaign)
    if as_json:
        show.json_result({"file": checked.name, "state": checked.state, "seat": checked.seat, "fine": checked.is_fine, "orders": checked.orders,
                          "problems": checked.problems})
    else:
        for text in checked.told:
            show.result(f"{text}\n")
        if checked.written:
            show.result("\n".join(["Orders as they are understood:", *(f"  {line}" for line in checked.written)]))
        elif checked.state in ("withdrawn", "noted"):
            show.result({"withdrawn": "This file takes back what was sent before.", "noted": "No orders in this file: what was sent before stays as it is."}[checked.state])
        elif checked.is_fine:
            show.result("No orders in this file: standing policies and the defaults hold.")
        show.say(f"{checked.name}: {'nothing is refused' if checked.is_fine else 'not everything can be taken'}")
        codes = list(dict.fromkeys(problem.code for problem in checked.problems))
        if codes:
            show.say(f"more about it: adjudicator explain {codes[0]}" + (f" (or {', '.join(codes[1:])})" if codes[1:] else ""))
    if not checked.is_fine:
        sys.exit(1)


def _kit(seat: str | None, kit: Path | None, folder: Path):
    """(kit, ruleset, view, token) for a seat: from view.json, or from the campaign."""
    from ..office import checking
    from ..office.reading import orders_view

    if kit is not None:
        return (*checking.read_kit(kit), "")
    if seat is None:
        raise click.UsageError("which seat? Give --seat SEAT, or --view with the view.json of a report")
    with campaign_at(folder, changes=False) as campaign:
        seat = checking.seat_named(campaign, seat)
        return checking.kit_now(campaign, seat), campaign.ruleset, orders_view(campaign.ruleset, campaign.state, seat), campaign.secret.tokens[seat]


seat_option = click.option("--seat", metavar="SEAT", shell_complete=complete_seat, help="The seat, by id or name.")
view_option = click.option("--view", "kit", type=click.Path(exists=True, dir_okay=False, path_type=Path),
                           help="The view.json that came with the report, instead of a campaign.")


@click.command(epilog="""
\b
Example:
  adjudicator template --seat york -C war > york.yaml
""")
@seat_option
@view_option
@campaign_option
def template(seat: str | None, kit: Path | None, folder: Path) -> None:
    """Print the order file that a seat starts from: envelope, every order explained, policies filled in."""
    from ..office.checking import template_text

    show.result(template_text(*_kit(seat, kit, folder)).rstrip("\n"))


@click.command(epilog="""
\b
Example:
  adjudicator schema --seat york -C war > york.schema.json
""")
@seat_option
@view_option
@campaign_option
def schema(seat: str | None, kit: Path | None, folder: Path) -> None:
    """Print the JSON Schema of a seat's order file, with which editors complete and check it."""
    from ..office.checking import schema_text

    kit_, ruleset, view, _token = _kit(seat, kit, folder)
    show.result(schema_text(kit_, ruleset, view).rstrip("\n"))
