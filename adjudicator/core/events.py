"""What happens in a turn: events, each with the audience that may know it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

PUBLIC = "public"
GM = "gm"


@dataclass
class Event:
    """One happening.

    kind:     the id that the game's specification gives
    rule:     the rule it comes from, such as "6.5.1"
    audience: ["public"], ["gm"], or the ids of the seats that learn of it, in seat order; the GM learns everything
    data:     ids, whole numbers, yes/no, lists and mappings of them; never prose
    draws:    names of the draws that the audience may know through it
    """

    kind: str
    rule: str
    audience: list[str]
    data: dict[str, Any] = field(default_factory=dict)
    draws: list[str] = field(default_factory=list)


def may_see(event: Event, viewer: str) -> bool:
    """True if the viewer (a seat, "public" or "gm") may learn of the event."""
    return viewer == GM or PUBLIC in event.audience or viewer in event.audience


def seen_by(events: Iterable[Event], viewer: str) -> list[Event]:
    """The events that the viewer may learn of, in their order."""
    return [event for event in events if may_see(event, viewer)]


def draw_audiences(events: Iterable[Event]) -> dict[str, list[str]]:
    """draw name -> who may know it: everybody who sees an event that names it."""
    audiences: dict[str, list[str]] = {}
    for event in events:
        for name in event.draws:
            known = audiences.setdefault(name, [])
            known += [viewer for viewer in event.audience if viewer not in known]
    return audiences
