"""What is remembered only until the turn is over: who has marched, who is beaten, how many fights a point has seen."""

from dataclasses import dataclass, field
from typing import Any

from ...core.dice import Dice
from ...core.turn import Orders, Turn
from .sides import Piece
from .state import State


@dataclass
class Column:
    """6.4.2: what marches as one: an army (E12), or blocks that one march entry names (E3). `key`: the order that moves it."""

    house: str
    groups: list[str]
    order: dict[str, Any]
    key: str = "march"

    @property
    def pieces(self) -> list[Piece]:
        return [(self.house, group) for group in self.groups]


@dataclass
class Host:
    """6.4.2: a leader's column and those that march with it, leader first, then by seat and army.

    start: where it stood before the march; at: where it stands now; route: points entered this season, in order
    """

    columns: list[Column]
    start: str
    at: str
    route: list[str] = field(default_factory=list)

    @property
    def leader(self) -> Column:
        return self.columns[0]

    @property
    def pieces(self) -> list[Piece]:
        return [piece for column in self.columns for piece in column.pieces]

    @property
    def origin(self) -> str:
        """Where it stood before the last point that it entered."""
        return [self.start, *self.route][-2] if self.route else self.start

    @property
    def houses(self) -> list[str]:
        """The houses of the host, leader first, each once."""
        return list(dict.fromkeys(column.house for column in self.columns))


class RosesTurn(Turn[State]):
    """The workspace that the rule steps of one turn share. A dormant house has no orders (chapter 3).

    muster_places: house -> castle at which it has mustered this spring (6.2.2)
    marched, beaten: armies or blocks that have (6.4.2)
    contacts, storms, camps: point -> how many so far this turn (6.0)
    stormed:  (faction, point) of every storm begun in this season (6.6.1)
    wronged:  vassals from whom a castle was confiscated this winter (6.8.2)
    pledged:  house -> (faction to which it is pledged, the house that bought the pledge) (6.8.3)
    sallied:  blocks that have come out of a castle to fight in this part of the season (6.7.6)
    forced:   houses that went through the forced change of allegiance this winter (6.9.2)
    """

    def __init__(self, state: State, orders: Orders, dice: Dice) -> None:
        super().__init__(state, {seat: given for seat, given in orders.items() if state.houses[seat].status != "dormant"}, dice)
        self.muster_places: dict[str, str] = {}
        self.marched: list[Piece] = []
        self.beaten: list[Piece] = []
        self.contacts: dict[str, int] = {}
        self.storms: dict[str, int] = {}
        self.camps: dict[str, int] = {}
        self.stormed: list[tuple[str, str]] = []
        self.wronged: list[str] = []
        self.pledged: dict[str, tuple[str, str]] = {}
        self.sallied: list[Piece] = []
        self.forced: list[str] = []

    def count(self, counter: dict[str, int], point: str) -> int:
        """The next number of its kind at this point: 1, 2, ..."""
        counter[point] = counter.get(point, 0) + 1
        return counter[point]
