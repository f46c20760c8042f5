"""Commands by which the game master mends things: amend, seat, kit, redo."""

from pathlib import Path

import click

from . import show
from .common import at, campaign_at, campaign_option, complete_seat, folder_argument, json_option, now


@click.command(epilog="""
\b
Example:
  adjudicator undo war && adjudicator redo war
""")
@folder_argument
@json_option
def redo(folder: Path, as_json: bool) -> None:
    """Put the turn that was undone last back, exactly as it was, reports and all.

    That can be done while nothing else has changed: no file has come for it since, no correction was made, no seat has changed hands.
    """
    from ..office.redoing import redo as put_back

    with campaign_at(folder, steady=True, playable=False) as campaign:
        done = put_back(campaign)
    if as_json:
        show.json_result(done)
        return
    show.result(f"turn {done.turn}, {done.turn_title}, is in its place again, as it was")
    if done.later:
        show.say("what had come for the turn after it is in its inbox again")
    show.say(f"next: adjudicator status{at(folder)}")


class _Changes(click.Command):
    """Remembers the order in which --set, --add and --remove were given."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        wanted, place = [], 0
        while place < len(args):
            option, sign, value = args[place].partition("=")
            if option in ("--set", "--add", "--remove"):
                if not sign:
                    place += 1
                    value = args[place] if place < len(args) else ""
                wanted.append((option[2:], value))
            place += 1
        ctx.meta["wanted"] = wanted
        return super().parse_args(ctx, args)


@click.command(cls=_Changes, epilog="""
\b
Examples:
  adjudicator amend war --set houses.york.coins=5 --reason "The toll of turn 3 was counted twice." --tell york
  adjudicator amend war --set houses.york.coins=5 --reason "..." --dry      look first
  adjudicator amend war --remove fallen.0 --reason "..." --tell all
  adjudicator amend war --show houses.york                                  what stands there now

A path goes by keys and by places in lists (from 0), with dots between them. Values are text, whole numbers, true, false, null, or JSON.
""")
@folder_argument
@click.option("--set", "_set", multiple=True, metavar="PATH=VALUE", help="Put a value there; may be repeated, as the others.")
@click.option("--add", "_add", multiple=True, metavar="PATH=VALUE", help="Add an item at the end of a list.")
@click.option("--remove", "_remove", multiple=True, metavar="PATH", help="Take out an item of a list or a key of a mapping.")
@click.option("--show", "shown", metavar="PATH", help="Show what stands there, and change nothing; `.` is the whole state.")
@click.option("--reason", default="", help="Why: kept in the campaign, and read by those who are told.")
@click.option("--tell", "told", default="", metavar="SEATS", help="Seats that are told in their next report, with commas, or `all`; the game master always is.")
@click.option("--dry", is_flag=True, help="Show what would change, and change nothing.")
@json_option
@click.pass_context
def amend(ctx, folder: Path, _set, _add, _remove, shown: str | None, reason: str, told: str, dry: bool, as_json: bool) -> None:
    """Correct the state that the coming turn begins with.

    The correction is checked against the game's own records, kept with its reason in the campaign, told in the next report to those
    who may know, and made again by `verify`. An undone turn keeps the corrections before it.
    """
    from ..office import amending
    from ..store.trouble import Trouble

    wanted = []
    for how, text in ctx.meta["wanted"]:
        path, sign, value = text.partition("=")
        if how != "remove" and not sign:
            raise click.UsageError(f"--{how} {text!r}: write PATH=VALUE")
        wanted.append((how, path.strip() if how != "remove" else text.strip(), value))
    with campaign_at(folder, steady=not dry, changes=not (dry or shown)) as campaign:
        if shown:
            from ..core import plain

            inside = amending.whole(campaign.state) if shown == "." else amending._inside(amending.whole(campaign.state), amending.steps_of(shown), shown)
            show.result(plain.to_pretty_json(inside).decode().rstrip("\n"))
            return
        seats = []
        for word in filter(None, (part.strip() for part in told.split(","))):
            seat = "all" if word.lower() == "all" else campaign.seats.find(word)
            if seat is None:
                raise Trouble(f"--tell: no seat is called {word!r}", f"there are: {', '.join(campaign.ruleset.seats)}, or all")
            seats.append(seat)
        done = amending.amend(campaign, wanted, reason, seats, dry)
    if as_json:
        show.json_result(done)
        return
    show.table(["", "path", "before", "after"], [[each.how, each.path, _json(each.before), _json(each.after)] for each in done.changes])
    if dry:
        show.say("this was a dry run: nothing was changed")
        return
    everybody = "everybody" if done.told == ["public"] else ", ".join(done.told)
    show.say(f"kept as correction {done.number} before turn {done.turn}; told in the reports of that turn to: {everybody}")
    if done.views_changed:
        show.say(f"what these seats see has changed, so that orders are checked against it: {', '.join(done.views_changed)}; "
                 f"to send them the new kit: adjudicator kit{_at(folder)} --seat {done.views_changed[0]} --to FOLDER")


def _json(value) -> str:
    import json

    text = "-" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:59] + "…"


def _at(folder: Path) -> str:
    return "" if str(folder) == "." else f" -C {folder}"


@click.command(epilog="""
\b
Examples:
  adjudicator seat york -C war --player "Cy <cy@example.org>"     another player, with a new token
  adjudicator seat york -C war --player Cy --drop-orders          and what Anna had sent does not count
  adjudicator seat york -C war --holder steward                   the steward plays it from now on
  adjudicator seat york -C war --steward on                       the steward plays when no orders come
  adjudicator seat york -C war --away 3                           the same, for three turns
  adjudicator seat york -C war --new-token                        the token was lost, or is known to others

campaign.yaml is not touched: what this command changes stands in seats.json. If the seat's line in campaign.yaml is edited later, that line counts again.
""")
@click.argument("seat", metavar="SEAT", shell_complete=complete_seat)
@campaign_option
@click.option("--player", "player", default="", metavar="'NAME <ADDRESS>'", help="The player who holds it from now on: one of the campaign's, by id or name, or a new one.")
@click.option("--holder", type=click.Choice(["steward", "nobody"]), help="Let the steward hold it; or nobody, where the game has a rule for that.")
@click.option("--steward", type=click.Choice(["on", "off"]), help="Whether the steward plays when the player sends nothing.")
@click.option("--away", type=click.IntRange(0, 99), metavar="TURNS", help="The player is away for so many turns: the steward stands in. 0: is back.")
@click.option("--new-token", is_flag=True, help="Give the seat a new token; the old one is not taken any more.")
@click.option("--drop-orders/--keep-orders", "drop", default=None, help="Whether orders already sent for the coming turn stay in force (they do, unless told).")
@json_option
def seat(seat: str, folder: Path, player: str, holder: str | None, steward: str | None, away: int | None, new_token: bool, drop: bool | None, as_json: bool) -> None:
    """Hand a seat to another player or to the steward, for good or for a while."""
    from dataclasses import replace
    from email.utils import parseaddr
    import re

    from ..office.checking import unknown_seat
    from ..office.seating import player_named, reseat
    from ..office.settings import EMAIL
    from ..store.trouble import Trouble

    if player and holder:
        raise click.UsageError("give either --player or --holder")
    if not (player or holder or steward or away is not None or new_token or drop):
        raise click.UsageError("what shall be changed? See adjudicator seat --help")
    if seat.casefold() == "gm":
        _gm_token(folder, new_token and not (player or holder or steward or away is not None or drop), as_json)
        return
    with campaign_at(folder) as campaign:
        id_ = campaign.seats.find(seat)
        if id_ is None:
            raise unknown_seat(campaign, seat)
        held, new = campaign.settings.seats[id_], None
        if player:
            name, address = parseaddr(player)
            if "@" not in address:
                name, address = player.strip(), ""
            name = name or address.split("@")[0]
            if not re.fullmatch(EMAIL, address):
                raise Trouble(f"{address!r} is no e-mail address", "write: --player \"Anna <anna@example.org>\"")
            player_id, record = player_named(campaign.settings, name, address)
            new = (player_id, record) if record else None
            held = replace(held, player=player_id, holder="", steward=False, away_until=0) if player_id != held.player else held
        elif holder:
            held = type(held)(holder=holder)
        if (steward or away) and not held.player:
            raise Trouble(f"{campaign.ruleset.seats[id_]} is held by no player, for whom a steward could stand in", "give it to one: --player 'NAME <ADDRESS>'")
        if steward:
            held = replace(held, steward=steward == "on")
        if away is not None:
            held = replace(held, away_until=campaign.turn + away if away else 0)
        done = reseat(campaign, id_, lambda _before: held, new_player=new, new_token=True if new_token else None, drop=bool(drop))
    if as_json:
        show.json_result(done)
        return
    show.result(f"{done.name}: {done.now}" + (f" (before: {done.before})" if done.before != done.now else ""))
    if done.token:
        show.result(f"token: {done.token}")
    for warning in done.warnings:
        show.say(f"warning: {warning}")
    if done.dropped:
        show.say(f"{show.count(done.dropped, 'file')} sent for the coming turn: no longer in force (kept in its inbox, in `dropped`)")
    elif done.kept and (done.token or holder):
        show.say(f"{show.count(done.kept, 'file')} sent for the coming turn: in force as before; to put them out of force: adjudicator seat {done.seat}{_at(folder)} --drop-orders")
    if done.token:
        show.say(f"the new order file, with the token: adjudicator kit{_at(folder)} --seat {done.seat} --to FOLDER")


def _gm_token(folder: Path, is_right: bool, as_json: bool) -> None:
    """A new token for the game master's own mail."""
    if not is_right:
        raise click.UsageError("the game master has a token and nothing else: adjudicator seat gm --new-token")
    with campaign_at(folder) as campaign:
        campaign.secret.tokens.pop("gm", None)
        token = campaign.gm_token
    if as_json:
        show.json_result({"seat": "gm", "token": token})
    else:
        show.result(f"token: {token}")
        show.say("with it you can give commands by mail; see docs/gm-guide.md")


@click.command(epilog="""
\b
Examples:
  adjudicator extend war --by "2 days"
  adjudicator extend war --until "2027-01-12 18:00"       in the campaign's time zone
""")
@folder_argument
@click.option("--by", "by", metavar="SPAN", help="So much later than now planned: \"2 days\", \"12 hours\".")
@click.option("--until", "until", metavar="'DATE TIME'", help="A date and a time, in the campaign's time zone.")
@json_option
def extend(folder: Path, by: str | None, until: str | None, as_json: bool) -> None:
    """Put the deadline of the coming turn off; the turns after it keep their rhythm.

    campaign.yaml is not touched: the new deadline stands in deadline.json. If `next` in campaign.yaml is edited later, that counts
    again. Where the campaign is played by mail, `tick` tells the players.
    """
    import re
    from datetime import datetime

    from ..office import deadlines
    from ..office.extending import extend as put_off
    from ..store.trouble import Trouble

    if (by is None) == (until is None):
        raise click.UsageError("give either --by SPAN or --until 'DATE TIME'")
    if by is not None and not re.fullmatch(deadlines.SPAN, by.strip()):
        raise click.UsageError(f"--by: {by!r} is no span of time; write for example \"2 days\" or \"12 hours\"")
    if until is not None and not (re.fullmatch(rf"{deadlines.DATE}( {deadlines.TIME})?", until.strip()) and deadlines.is_date(until.strip()[:10])):
        raise click.UsageError(f"--until: {until!r} is no date; write for example \"2027-01-12 18:00\"")
    with campaign_at(folder) as campaign:
        rhythm, moment = campaign.settings.rhythm, None
        if until is not None:
            if rhythm is None:
                raise Trouble("this campaign has no deadline that the program knows", "give it a rhythm in campaign.yaml, under `deadline`")
            day, _space, clock = until.strip().partition(" ")
            moment = deadlines.moment(datetime.strptime(f"{day} {clock or rhythm.at}", "%Y-%m-%d %H:%M"), rhythm.zone)
        done = put_off(campaign, moment, deadlines.minutes(by.strip()) if by else None, now())
    if as_json:
        show.json_result(done)
        return
    show.result(f"turn {done.turn}, {done.turn_title}: orders are due {done.now}")
    if done.before:
        show.say(f"before: {done.before}")


@click.command(epilog="""
\b
Example:
  adjudicator kit -C war --seat york --to for-cy
""")
@campaign_option
@click.option("--seat", "seats", multiple=True, required=True, metavar="SEAT", shell_complete=complete_seat, help="The seat, by id or name; may be repeated.")
@click.option("--to", "target", required=True, type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER", help="Where to write the files.")
@json_option
def kit(folder: Path, seats: tuple[str, ...], target: Path, as_json: bool) -> None:
    """Write a seat's view, order file and schema for the coming turn, as they are now.

    After `amend` or `seat` they differ from those that came with the last report.
    """
    from ..core import plain
    from ..office import checking
    from ..office.reading import orders_view

    files: dict[str, bytes] = {}
    with campaign_at(folder, changes=False) as campaign:
        for typed in seats:
            seat = checking.seat_named(campaign, typed)
            own, view = checking.kit_now(campaign, seat), orders_view(campaign.ruleset, campaign.state, seat)
            files[f"{seat}.view.json"] = plain.to_pretty_json(own)
            files[f"{seat}.orders.yaml"] = checking.template_text(own, campaign.ruleset, view, campaign.secret.tokens[seat]).encode()
            files[f"{seat}.schema.json"] = checking.schema_text(own, campaign.ruleset, view).encode()
    target.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (target / name).write_bytes(data)
    if as_json:
        show.json_result([str(target / name) for name in files])
    else:
        show.result("\n".join(str(target / name) for name in files))
