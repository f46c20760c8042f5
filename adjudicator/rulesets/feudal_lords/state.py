"""The records of a campaign's state (2.4). Two copies of a card never differ: cards are kept as counts."""

from dataclasses import dataclass, field
from typing import Any

from .tables import Counts


@dataclass
class Seen:
    """7 Memory of hands: a rival's hand as it was left by a theft in `round`; cards that were since seen to leave it are in `gone`."""

    round: int
    cards: Counts = field(default_factory=dict)
    gone: Counts = field(default_factory=dict)


@dataclass
class Lord:
    """One seat. domain: cards in play, and under "fief" how many Fiefs. policies: as written. seen: rival -> what is remembered of his hand.

    ranks_paid: rank ids in the order in which their bonus was paid; it changes only under `rank-bonus: once`
    """

    gold: int = 0
    glory: int = 0
    hand: Counts = field(default_factory=dict)
    domain: Counts = field(default_factory=dict)
    ranks_paid: list[str] = field(default_factory=list)
    revolt: bool = False
    policies: dict[str, Any] = field(default_factory=dict)
    seen: dict[str, Seen] = field(default_factory=dict)


@dataclass
class Peace:
    """A Holy Day in force. left: the seats, clockwise after its player, whose table turn is still to be kept peaceful."""

    seat: str
    left: list[str]


@dataclass
class State:
    """round: the one played next; after the end the last one. order: the seating, clockwise, of the seats still in the game.

    deck: top first. confidence: the holder of the marker, or None; under `kings-confidence: each` the list of holders, a to z.
    """

    round: int
    options: dict[str, Any]
    order: list[str]
    seats: dict[str, Lord]
    deck: list[str]
    discard: Counts = field(default_factory=dict)
    confidence: str | list[str] | None = None
    peace: list[Peace] = field(default_factory=list)
    winner: str | None = None
