"""What a player can do at home: check an order file, get the template and its schema, from view.json and nothing else."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..core import plain, registry
from ..core.orders import REFUSED, Problem
from ..core.ruleset import NOBODY, Ruleset
from ..core.words import _, speaking
from ..orderfile.excerpts import tell
from ..orderfile.loader import load
from ..orderfile.submission import peek
from ..store.trouble import Trouble
from .campaign import Campaign
from .reading import orders_view, read_file, read_nobody
from .reporting import Kit, schema_of, template_of


@dataclass
class Checked:
    """What a check found. is_fine: nothing was refused."""

    name: str
    state: str
    seat: str
    is_fine: bool
    written: list[str] = field(default_factory=list)
    orders: dict[str, Any] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    told: list[str] = field(default_factory=list)


def read_kit(path: Path) -> tuple[Kit, Ruleset, Any]:
    """Read view.json: (kit, its game, the view)."""
    try:
        kit = plain.from_json(path.read_bytes(), Kit)
        if kit.format != 1:
            raise plain.PlainError(_("its format is {format}").format(format=kit.format))
        ruleset = registry.load(kit.ruleset)
        view = plain.from_plain(kit.view, ruleset.view_type)
    except (plain.PlainError, UnicodeDecodeError) as error:
        raise Trouble(_("{path} is no view.json that this program can read: {error}").format(path=path, error=error),
                      _("save it again from the mail with your report")) from None
    except registry.UnknownRuleset as error:
        raise Trouble(str(error), _("install the package with this game")) from None
    if ruleset.revision != kit.revision:
        raise Trouble(_("{path} was made by revision {old} of {ruleset}; installed is revision {new}").format(path=path, old=kit.revision,
            new=ruleset.revision, ruleset=kit.ruleset),
                      _("install the version that the game master uses"))
    return kit, ruleset, view


def kit_now(campaign: Campaign, seat: str) -> Kit:
    """The kit of a seat for the coming turn, from the campaign itself."""
    view = campaign.ruleset.view(campaign.state, seat)
    return Kit(campaign.first.campaign, campaign.settings.title, campaign.ruleset.id, campaign.ruleset.revision, campaign.coming,
               campaign.title_of(campaign.coming),
               seat, campaign.settings.partial, campaign.settings.language, campaign.deadline, plain.to_plain(view),
               dice="salted" if campaign.salted else "plain", press=campaign.settings.press, anonymous=campaign.settings.anonymous)


def unknown_seat(campaign: Campaign, typed: str) -> Trouble:
    """What is said when no seat has the name that was typed."""
    near = campaign.seats.nearest(typed)
    return Trouble(_("no seat is called {typed}").format(typed=repr(typed)),
                   (_("did you mean {near}? ").format(near=near) if near else "") + _("there are: {seats}").format(seats=", ".join(campaign.ruleset.seats)))


def seat_named(campaign: Campaign, typed: str) -> str:
    """The seat that was typed, if its orders are taken. Trouble says which there are."""
    seat = campaign.seats.find(typed)
    if seat is None:
        raise unknown_seat(campaign, typed)
    if campaign.is_over:
        raise Trouble(campaign.how_it_ended())
    if seat not in campaign.heard() or campaign.settings.seats[seat].holder == NOBODY:
        raise Trouble(_("no orders are taken from {seat} this turn").format(seat=campaign.seats[seat]),
                      _("they are taken from: {seats}").format(seats=", ".join(campaign.heard())))
    return seat


def check_with_kit(data: bytes, name: str, kit: Kit, ruleset: Ruleset, view: Any) -> Checked:
    """Check a file as its seat would be answered on arrival; the token cannot be compared."""
    with speaking(kit.language):
        read = read_file(ruleset, view, data, campaign=kit.campaign, turn=kit.turn, seat=kit.seat, partial=kit.partial,
                         salted=kit.dice == "salted", press=kit.press, anonymous=kit.anonymous)
        return _checked(name, kit.seat, read.state, read.problems, read.text, read.orders, read.written)


def check_in_campaign(data: bytes, name: str, campaign: Campaign) -> Checked:
    """Check a file against the campaign, for the seat that it names; nothing is stored."""
    envelope = peek(load(data))
    seat = campaign.seats.find(envelope.seat) if envelope.seat else None
    if seat is None:
        read = read_nobody(campaign.ruleset, campaign.first.campaign, campaign.coming, data, next(iter(campaign.ruleset.seats)))
        return _checked(name, "", read.state, read.problems, read.text, {}, [])
    if campaign.is_over:
        raise Trouble(campaign.how_it_ended())
    view = orders_view(campaign.ruleset, campaign.state, seat_named(campaign, seat))
    understood = read_file(campaign.ruleset, view, data, campaign=campaign.first.campaign, turn=campaign.coming, seat=seat,
                           **campaign.terms)
    return _checked(name, seat, understood.state, understood.problems, understood.text, understood.orders, understood.written)


def _checked(name: str, seat: str, state: str, problems: list[Problem], text: str, orders: dict[str, Any], written: list) -> Checked:
    is_fine = state in ("taken", "withdrawn", "noted") and not any(problem.kind == REFUSED for problem in problems)
    return Checked(name, state, seat, is_fine, [line for _path, line in written], orders, problems,
                   [tell(problem, text, name) for problem in problems])


def template_text(kit: Kit, ruleset: Ruleset, view: Any, token: str = "") -> str:
    with speaking(kit.language):
        return template_of(ruleset, kit, view, token)


def schema_text(kit: Kit, ruleset: Ruleset, view: Any) -> str:
    with speaking(kit.language):
        return schema_of(ruleset, kit, view)


def preview_text(checked: Checked, kit: Kit, ruleset: Ruleset, view: Any) -> str:
    """What orders come to, as far as their seat can tell: what is to be said about them, how they are understood, and what the game adds.

    It is made from the view alone, so that it is the same at home and on the game master's machine.
    """
    from ..core.report import Block, Paragraph, Report, Section, Source, Span
    from ..report import text

    with speaking(kit.language):
        said: list[Block] = [Source(told) for told in checked.told] or [Paragraph([Span(_("Nothing is refused or doubted."))])]
        orders: list[Block] = [Source("\n".join(checked.written))] if checked.written else [
            Paragraph([Span(_("No orders: standing policies and the defaults hold."))])]
        sections = [Section("check", _("The check"), said), Section("orders", _("Orders as they are understood"), orders)]
        if ruleset.preview is not None:
            more = ruleset.preview(view, checked.orders)
            if more:
                sections.append(Section("preview", _("What they come to"), more))
        masthead = [(_("Deadline"), [Span(kit.deadline)])] if kit.deadline else []
        return text.render(Report(kit.turn_title, ruleset.seats[kit.seat], kit.title, kit.seat, masthead, sections, language=kit.language))
