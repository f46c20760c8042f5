"""Reminders to those who have not sent, and word of a deadline that was moved."""

from datetime import timedelta

from ...core.words import _
from ...report.cover import Cover
from .. import deadlines
from ..campaign import Campaign
from .waiting import awaited
from .letters import Desk, Letter
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


def moved_deadline(campaign: Campaign, desk: Desk) -> list[Letter]:
    """Word to every player that the deadline is another one than the report told."""
    due = campaign.due
    if campaign.is_over or due is None or deadlines.to_text(due) == campaign.desk.due:
        return []
    letters = []
    for seat in campaign.heard():
        if campaign.settings.seats[seat].player:
            cover = Cover(_("The deadline was moved"), f"{campaign.settings.title}: {campaign.seats[seat]}", [
                _("Orders for {turn} are due at another time than your report says.").format(turn=campaign.title_of(campaign.coming))], [(_("Deadline"), campaign.deadline)])
            letters.append(desk.letter(f"deadline/{campaign.coming:04}/{deadlines.to_text(due)}/{seat}", "notice", seat, cover.title, cover))
    return letters
