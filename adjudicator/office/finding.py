"""Why did this happen: the events of a turn with their rules, orders and dice, for the game master or for one seat."""

import fnmatch
import json
import re
from dataclasses import dataclass, field
from typing import Any

from ..core.events import GM, PUBLIC, may_see
from ..core.names import fold
from ..core.words import _
from ..store import turns
from ..store.trouble import Trouble
from .campaign import Campaign
from .playing import LETTER
from .reporting import Moment, recorded_moment
from .rulebook import chapters, title_of


@dataclass
class Thrown:
    """A draw with its results; sides 0: a shuffle."""

    name: str
    sides: int
    results: list[int]


@dataclass
class Entry:
    """One event. orders: those in force that it may go back to, as text, by seat. audience: [] unless the game master asks."""

    number: int
    kind: str
    rule: str
    rule_title: str
    data: dict[str, Any]
    draws: list[Thrown]
    orders: dict[str, list[str]]
    audience: list[str] = field(default_factory=list)


@dataclass
class Log:
    """draws: those that fit and that no event shown names (the game master's only)."""

    turn: int
    turn_title: str
    viewer: str
    entries: list[Entry]
    draws: list[Thrown] = field(default_factory=list)


@dataclass
class Wanted:
    """What is looked for; empty: everything. rule: also the rules inside it. place: a text somewhere in the event. draw: a pattern, such as battle/*"""

    kind: str = ""
    rule: str = ""
    place: str = ""
    draw: str = ""


def log_of(campaign: Campaign, turn: int, viewer: str, wanted: Wanted) -> Log:
    """The events of a turn that the viewer may see and that fit. Numbers count the viewer's own events, so that no gap tells of others."""
    if turn > campaign.turn:
        raise Trouble(_("turn {turn} has not been run; the last one is turn {last}").format(turn=turn, last=campaign.turn))
    moment = recorded_moment(campaign.folder, turn, campaign.ruleset)
    thrown = {line.name: line for line in turns.read_dice(campaign.folder, turn) if viewer == GM or PUBLIC in line.audience or viewer in line.audience}
    book = chapters(campaign.ruleset.rulebook)
    entries = []
    seen = [event for event in moment.events if may_see(event, viewer)]
    for number, event in enumerate(seen, 1):
        if not _fits(event, wanted, campaign.ruleset.seats):
            continue
        draws = [Thrown(name, thrown[name].sides, thrown[name].results) for name in event.draws if name in thrown]
        entries.append(Entry(number, event.kind, event.rule, title_of(book, event.rule), event.data, draws, _orders(moment, event, viewer),
                             list(event.audience) if viewer == GM else []))
    told = {name for event in seen for name in event.draws}
    loose = [Thrown(line.name, line.sides, line.results) for line in thrown.values() if viewer == GM and line.name not in told
             and fnmatch.fnmatchcase(line.name, wanted.draw or "*")] if not (wanted.kind or wanted.rule or wanted.place) else []
    return Log(turn, campaign.title_of(turn), viewer, entries, loose)


def _fits(event: Any, wanted: Wanted, names: dict[str, str]) -> bool:
    if wanted.kind and not fnmatch.fnmatchcase(event.kind, wanted.kind):
        return False
    if wanted.rule and event.rule != wanted.rule and not event.rule.startswith(f"{wanted.rule}."):
        return False
    if wanted.draw and not any(fnmatch.fnmatchcase(name, wanted.draw) for name in event.draws):
        return False
    if not wanted.place:
        return True
    text = fold(wanted.place)
    words = [*strings_in(event.data), *event.draws]
    return any(text in fold(word) or text in fold(names.get(word, "")) for word in words)


def strings_in(data: Any) -> list[str]:
    """All words in plain data, keys too."""
    if isinstance(data, dict):
        return [word for key, value in data.items() for word in [str(key), *strings_in(value)]]
    if isinstance(data, list):
        return [word for value in data for word in strings_in(value)]
    return [data] if isinstance(data, str) else []


def _orders(moment: Moment, event: Any, viewer: str) -> dict[str, list[str]]:
    """The orders of the seats in the event that name something in it, or are named by its kind; of another seat nothing is told to a seat."""
    if event.kind == LETTER:
        return {}
    words = _values_in(event.data) | {event.kind, *re.split(r"[-.]", event.kind)}
    found: dict[str, list[str]] = {}
    for seat in moment.ruleset.seats:
        play = moment.plays.get(seat)
        if play is None or seat not in words or viewer not in (GM, seat):
            continue
        if PUBLIC not in event.audience and seat not in event.audience and any(other in event.audience for other in moment.ruleset.seats):
            continue   # the seats that took part are told of it: this one is only a word in it, such as a place of the same name
        others = words - {*moment.ruleset.seats}
        for path, text in play.understood.written:
            order = play.understood.orders.get(path[0])
            if len(path) > 1 and isinstance(order, (list, dict)):
                try:
                    order = order[path[1]]
                except (LookupError, TypeError):
                    pass
            if event.data.get("order") == path[0] or others & {str(path[0]), *_values_in(order)}:
                found.setdefault(seat, []).append(text)
    return found


def _values_in(data: Any) -> set[str]:
    return set(strings_in(data))


def in_words(data: dict[str, Any]) -> str:
    """An event's data on one line."""
    return ", ".join(f"{key}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}" for key, value in data.items())


def dice_in_words(draw: Thrown) -> str:
    """"battle/oxford/york: 5 3 6 (d6)"."""
    results = " ".join(map(str, draw.results)) or "-"
    return f"{draw.name}: {results} " + (_("(shuffled)") if draw.sides == 0 else f"(d{draw.sides})")
