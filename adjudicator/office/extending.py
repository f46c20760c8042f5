"""Put a deadline off: it is kept beside campaign.yaml, which stays the game master's own."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from ..core import plain
from ..core.words import _
from ..store import disk
from ..store.folder import Folder
from ..store.trouble import Trouble
from . import deadlines
from .deadlines import Rhythm

if TYPE_CHECKING:
    from .campaign import Campaign


MOST_DAYS = 366
"""A deadline is put off by so much at most."""


@dataclass
class PutOff:
    """deadline.json. turn: whose deadline; due: in UTC, as desk.json has it; instead_of: `next` in campaign.yaml then: an edit of it afterwards goes before this."""

    turn: int
    due: str
    instead_of: str
    format: int = 1


@dataclass
class Extended:
    """before, now: the deadline as people read it."""

    turn: int
    turn_title: str
    before: str
    now: str
    due: str


def put_off(folder: Folder, rhythm: Rhythm, turn: int) -> datetime | None:
    """The deadline that was set for this turn by `extend`; None if none was, or campaign.yaml was edited since."""
    if not folder.deadline.is_file():
        return None
    try:
        found = plain.from_json(folder.deadline.read_bytes(), PutOff)
    except plain.PlainError as error:
        raise Trouble(_("{path} is damaged: {error}").format(path=folder.deadline, error=error), _("remove it; the deadline is then the one of campaign.yaml")) from error
    return deadlines.from_text(found.due) if found.turn == turn and found.instead_of == rhythm.next else None


def extend(campaign: "Campaign", until: datetime | None, by_minutes: int | None, now: datetime) -> Extended:
    """Set the deadline of the coming turn: to a moment, or so many minutes after the present one, or after now if that has passed.

    Trouble if the campaign is over, has no rhythm, or the moment lies in the past.
    """
    if campaign.is_over:
        raise Trouble(campaign.how_it_ended(), _("there is no deadline any more"))
    rhythm, due = campaign.settings.rhythm, campaign.due
    if rhythm is None:
        raise Trouble(_("this campaign has no deadline that the program knows"), _("give it a rhythm in campaign.yaml: deadline: {{zone: Europe/Rome, every: 14, first: 2027-01-10}}").format())
    if until is None:
        until = max(due or now, now) + timedelta(minutes=by_minutes or 0)
    if until > max(due or now, now) + timedelta(days=MOST_DAYS):
        raise Trouble(_("that is more than a year later than now planned"), _("give a moment within a year"))
    if until <= now:
        raise Trouble(_("{moment} has passed").format(moment=f"{until:%Y-%m-%d %H:%M} UTC"), _("give a moment that lies ahead"))
    before = campaign.deadline
    disk.put(campaign.folder.deadline, plain.to_pretty_json(PutOff(campaign.coming, deadlines.to_text(until), rhythm.next)))
    campaign.__dict__.pop("due", None)
    return Extended(campaign.coming, campaign.title_of(campaign.coming), before, campaign.deadline, deadlines.to_text(campaign.due))
