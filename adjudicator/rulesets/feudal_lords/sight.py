"""The records of what one viewer knows: what `view.py` builds, and what checks, stewards and reports are made from."""

from dataclasses import dataclass, field
from typing import Any

from .state import Peace, Seen
from .tables import Counts


@dataclass
class LordView:
    """A lord as the viewer knows him. gold, hand, hand_size: None where they are hidden."""

    glory: int
    domain: Counts
    ranks_paid: list[str]
    revolt: bool
    gold: int | None = None
    hand: Counts | None = None
    hand_size: int | None = None


@dataclass
class View:
    """All that a viewer knows; the orders it is used for are those of the round `round`, unless there is a winner.

    viewer:   a seat, "public" or "gm"
    order:    the seating of the seats in the game, clockwise
    seats:    by id
    policies: the viewer's own, as written; for "gm" all of them are in all_policies
    seen:     what the viewer remembers of others' hands
    """

    viewer: str
    round: int
    options: dict[str, Any]
    order: list[str]
    seats: dict[str, LordView]
    deck_size: int
    discard: Counts
    confidence: str | list[str] | None
    peace: list[Peace]
    winner: str | None = None
    policies: dict[str, Any] = field(default_factory=dict)
    seen: dict[str, Seen] = field(default_factory=dict)
    all_policies: dict[str, dict[str, Any]] = field(default_factory=dict)
