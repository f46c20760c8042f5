"""Reminders to those who have not sent, and word of a deadline that was moved."""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from ...core import plain
from ...core.words import _
from ...report.cover import Cover
from ...store import disk
from .. import deadlines
from ..campaign import Campaign
from .waiting import awaited
from .letters import Desk, Letter
from .records import stamp
from .pulling import make_private
from .templates import template_of


def due_reminders(campaign: Campaign, desk: Desk) -> list[Letter]:
    """The reminders that are due now: of several that were missed, only the last; after the deadline, where the turn waits for everybody, one a day."""
    due, now = campaign.due, desk.now
    if campaign.is_over or due is None:
        return []
    if now < due:
        passed = [before for before in campaign.settings.reminders if now >= due - timedelta(minutes=before)]
        if not passed:
            return []
        name = f"{min(passed)}"
    elif campaign.settings.nmr == "wait" and now >= due + timedelta(days=1):
        name = f"late-{(now - due).days}"
    else:
        return []
    return [reminder(campaign, desk, seat, f"reminder/{campaign.coming:04}/{deadlines.to_text(due)}/{name}/{seat}") for seat in awaited(campaign)]


def reminder(campaign: Campaign, desk: Desk, seat: str, key: str) -> Letter:
    """A reminder with the order file attached, so that it can be answered at once."""
    turn = campaign.title_of(campaign.coming)
    due = campaign.due
    facts = [(_("Orders for"), _("{turn} (turn {number})").format(turn=turn, number=campaign.coming))]
    if campaign.deadline:
        facts.append((_("Deadline"), campaign.deadline + (f" ({deadlines.distance(due, desk.now)})" if due else "")))
    what = {"steward": _("If nothing comes, the steward plays for you."), "defaults": _("If nothing comes, your standing policies and the defaults hold."),
            "wait": _("The turn waits for you.")}[campaign.settings.nmr]
    cover = Cover(_("Your orders are awaited"), f"{campaign.settings.title}: {campaign.seats[seat]}", [
        _("Nothing that can be in force has come from you for {turn}.").format(turn=turn), what,
        _("The order file is attached once more. If you will be away, write `absent: 2` into it, for two turns: the steward stands in for you.")], facts)
    return desk.letter(key, "reminder", seat, _("Your orders are awaited: {turn}").format(turn=turn), cover,
                       attachments=[(f"{seat}.orders.yaml", "text/yaml", template_of(campaign, seat))])


@dataclass
class ToldDeadline:
    """told-deadline.json: the deadline that the players know. due: in UTC, as desk.json has it; changes: how often it was moved; since: when they were first told of it."""

    turn: int
    due: str
    changes: int = 0
    since: str = ""
    format: int = 1


TOLD = "told-deadline.json"


def _told(path: Path) -> ToldDeadline | None:
    try:
        return plain.from_json(path.read_bytes(), ToldDeadline)
    except (OSError, plain.PlainError):
        return None


def was_told_too_late(campaign: Campaign, desk: Desk) -> bool:
    """True if the deadline had passed already when the players could first hear of it: then no turn is run by it. What stood in the reports of the last turn was known."""
    told, due = _told(desk.folder / TOLD), deadlines.to_text(campaign.due)
    return told is not None and due not in ("", campaign.desk.due) and told.turn == campaign.coming and told.due == due and told.since[:16] > due[:16]


def tell_deadline(campaign: Campaign, desk: Desk, is_new: bool) -> int:
    """Tell every player if the deadline is no longer the one that he knows. is_new: reports have just told it. Returns how many are told."""
    due = deadlines.to_text(campaign.due)
    if campaign.is_over or not due:
        return 0
    path = desk.folder / TOLD
    told = _told(path)
    if told is None or told.turn != campaign.coming:
        told = ToldDeadline(campaign.coming, due if is_new or not campaign.desk.due else campaign.desk.due)
    count = 0
    if told.due != due:
        told.changes += 1
        for seat in campaign.heard():
            if campaign.settings.seats[seat].player:
                cover = Cover(_("The deadline was moved"), f"{campaign.settings.title}: {campaign.seats[seat]}", [
                    _("Orders for {turn} are due at another time than you were told before.").format(turn=campaign.title_of(campaign.coming))], [(_("Deadline"), campaign.deadline)])
                count += desk.queue(desk.letter(f"deadline/{campaign.coming:04}/{told.changes}/{due}/{seat}", "notice", seat, cover.title, cover))
    if told.due != due or not told.since:
        told.since = stamp(desk.now)
    told.due = due
    data = plain.to_pretty_json(told)
    if not path.is_file() or path.read_bytes() != data:
        make_private(path.parent)
        disk.put(path, data, 0o600)
    return count
