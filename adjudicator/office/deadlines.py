"""Deadlines: a rhythm in the game master's time zone, and the moments that it gives. Nothing here asks the clock."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta, timezone
from functools import lru_cache
from zoneinfo import ZoneInfo

from ..core.words import N_, _, ngettext

WEEKDAYS = (N_("Monday"), N_("Tuesday"), N_("Wednesday"), N_("Thursday"), N_("Friday"), N_("Saturday"), N_("Sunday"))
MONTHS = (N_("January"), N_("February"), N_("March"), N_("April"), N_("May"), N_("June"), N_("July"), N_("August"), N_("September"),
          N_("October"), N_("November"), N_("December"))
DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
TIME = r"([01]?[0-9]|2[0-3]):[0-5][0-9]"
SPAN = r"[0-9]{1,4} ?(minute|hour|day|week)s?"
_MINUTES = {"minute": 1, "hour": 60, "day": 24 * 60, "week": 7 * 24 * 60}


@dataclass
class Rhythm:
    """When orders are due.

    zone:   IANA name, such as Europe/Rome
    every:  days from one deadline to the next, counted from `first`; or `weekly`: names of weekdays; or `dates`: "2026-12-06 18:00"
    first:  the first deadline's date; before it there is none
    at:     time of day in the zone
    grace:  minutes after the deadline before the turn is run
    least:  days that the players have at least; a deadline that is nearer is passed over
    next:   a deadline set by hand, "2027-01-03 18:00": holds for the coming turn while it lies ahead of the last one
    """

    zone: str
    every: int = 0
    weekly: list[str] = field(default_factory=list)
    dates: list[str] = field(default_factory=list)
    first: str = ""
    at: str = "18:00"
    grace: int = 0
    least: int = 1
    next: str = ""


def is_zone(name: str) -> bool:
    """True if the machine knows the time zone."""
    try:
        _zone(name)
    except (KeyError, ValueError, OSError):   # ZoneInfoNotFoundError is a KeyError
        return False
    return True


@lru_cache(maxsize=8)
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def is_date(text: str) -> bool:
    """True for a day that exists: 2026-02-30 does not."""
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def minutes(span: str) -> int:
    """"2 hours" in minutes."""
    number, unit = re.fullmatch(r"([0-9]+) ?([a-z]+?)s?", span).groups()
    return int(number) * _MINUTES[unit]


def span_text(minutes: int) -> str:
    """Minutes as campaign.yaml has them: "2 hours"."""
    for size, unit in ((24 * 60, "day"), (60, "hour"), (1, "minute")):
        if minutes % size == 0 and (minutes or size == 1):
            count = minutes // size
            return f"{count} {unit}{'' if count == 1 else 's'}"
    raise ValueError(minutes)


def span(minutes: int) -> str:
    """Minutes in words: "2 hours"."""
    for unit, words in ((24 * 60, lambda n: ngettext("{n} day", "{n} days", n)), (60, lambda n: ngettext("{n} hour", "{n} hours", n))):
        if minutes and minutes % unit == 0:
            return words(minutes // unit).format(n=minutes // unit)
    return ngettext("{n} minute", "{n} minutes", minutes).format(n=minutes)


def moment(local: datetime, zone: str) -> datetime:
    """The moment, in UTC, at which clocks in the zone show the local time.

    An hour that comes twice is meant the second time, so that nobody is late who trusted his clock. An hour that is left out is
    counted on from the hour before: 02:30 becomes 03:30.
    """
    place = _zone(zone)
    return max(local.replace(tzinfo=place, fold=fold).astimezone(timezone.utc) for fold in (0, 1))


def _clock(text: str) -> time:
    hour, minute = text.split(":")
    return time(int(hour), int(minute))


def _local(text: str, at: str = "18:00") -> datetime:
    """"2026-12-06 18:00", or a date alone, which is meant at the usual time."""
    day, _space, clock = text.partition(" ")
    return datetime.combine(date.fromisoformat(day), _clock(clock or at))


def _slots(rhythm: Rhythm, after: datetime) -> Iterator[datetime]:
    """The deadlines of the rhythm after a moment, in UTC, soonest first."""
    if rhythm.dates:
        yield from (each for each in sorted(moment(_local(text, rhythm.at), rhythm.zone) for text in rhythm.dates) if each > after)
        return
    day = after.astimezone(_zone(rhythm.zone)).date() - timedelta(days=1)
    if rhythm.first:
        day = max(day, date.fromisoformat(rhythm.first))
    weekdays = [WEEKDAYS.index(name) for name in rhythm.weekly]
    if rhythm.every:
        first = date.fromisoformat(rhythm.first)
        day += timedelta(days=(first - day).days % rhythm.every)
    while day.year < 9000:
        due = moment(datetime.combine(day, _clock(rhythm.at)), rhythm.zone)
        if due > after and (rhythm.every or day.weekday() in weekdays):
            yield due
        day += timedelta(days=rhythm.every or 1)


def following(rhythm: Rhythm, previous: datetime | None, now: datetime | None) -> datetime | None:
    """The deadline of the turn that is now asked for; None if the list of dates is used up.

    previous: the deadline of the turn before it, if there was one; now: the moment at which the turn before it is run, if it is known
    """
    known = [each for each in (previous, now) if each is not None]
    after = max(known) if known else datetime.min.replace(tzinfo=timezone.utc) + timedelta(days=2)
    by_hand = _by_hand(rhythm, after)
    if by_hand is not None:
        return by_hand
    if not known and not (rhythm.first or rhythm.dates):
        return None
    soonest = now + timedelta(days=rhythm.least) if now is not None else after
    return next((due for due in _slots(rhythm, after) if due >= soonest), None)


def after_a_gap(rhythm: Rhythm, before: str) -> datetime | None:
    """The deadline of a turn whose reports told none: the first of a new rhythm, or of a list that was used up the next that was written since; else None.

    before: the deadline of the turn before, if there was one
    """
    previous = from_text(before)
    if previous is None:
        return following(rhythm, None, None)
    return following(rhythm, previous, previous)


def _by_hand(rhythm: Rhythm, after: datetime) -> datetime | None:
    due = moment(_local(rhythm.next, rhythm.at), rhythm.zone) if rhythm.next else None
    return due if due is not None and due > after else None


def now_due(rhythm: Rhythm | None, told: str, before: str) -> datetime | None:
    """The deadline of the coming turn: as the reports told it (`told`), unless campaign.yaml has set another by hand since.

    before: the deadline of the turn before, if there was one
    """
    if rhythm is not None and rhythm.next:
        by_hand = _by_hand(rhythm, from_text(before) or datetime.min.replace(tzinfo=timezone.utc))
        if by_hand is not None:
            return by_hand
    return from_text(told)


def to_text(due: datetime | None) -> str:
    """As it stands in desk.json: "2026-12-06T17:00Z"; "" for none."""
    return due.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%MZ") if due else ""


def from_text(text: str) -> datetime | None:
    return datetime.strptime(text, "%Y-%m-%dT%H:%MZ").replace(tzinfo=timezone.utc) if text else None


def shown(due: datetime, zone: str, grace: int = 0) -> str:
    """The deadline as people read it, in local time and in UTC."""
    local, utc = due.astimezone(_zone(zone)), due.astimezone(timezone.utc)
    words = _("{day}, {time} {zone}").format(day=_day(local.date()), time=local.strftime("%H:%M"), zone=zone)
    if _comes_twice(local):
        words += " " + _("(the second time that the clocks show it)") if local.fold else " " + _("(the first time that the clocks show it)")
    in_utc = f"{utc:%H:%M} UTC" if utc.date() == local.date() else _("{day}, {time} UTC").format(day=_day(utc.date()), time=utc.strftime("%H:%M"))
    if zone != "UTC":
        words += f" = {in_utc}"
    return words + ("; " + _("grace: {span}").format(span=span(grace)) if grace else "")


def _comes_twice(local: datetime) -> bool:
    return local.replace(fold=0).utcoffset() > local.replace(fold=1).utcoffset()


def _day(day: date) -> str:
    return _("{weekday} {day} {month} {year}").format(weekday=_(WEEKDAYS[day.weekday()]), day=day.day, month=_(MONTHS[day.month - 1]), year=day.year)


def distance(due: datetime, now: datetime) -> str:
    """How far off a moment is, in words: "in 3 days", "2 hours ago"."""
    whole = abs(int((due - now).total_seconds())) // 60
    rough = whole // 1440 * 1440 if whole >= 2880 else whole // 60 * 60 if whole >= 120 else whole
    if not whole:
        return _("now")
    return _("in {span}").format(span=span(rough)) if due > now else _("{span} ago").format(span=span(rough))
