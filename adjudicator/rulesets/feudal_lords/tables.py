"""The printed tables of chapter 2 (`data/*.toml`) as records, and what follows from them alone."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

from ...core import tables
from ...core.names import Names

DATA = Path(__file__).parent / "data"

CardType = Literal["land", "vassal", "company", "battle", "event"]
TYPES: tuple[CardType, ...] = ("land", "vassal", "company", "battle", "event")
FIEF = "fief"
BANK = "bank"


@dataclass(frozen=True)
class Effect:
    """What an Event does (6.6). kind: a key of rules/effects.py; the other fields are that kind's numbers."""

    kind: str
    glory: int = 0
    gold: int = 0
    per: Literal["", "knight", "farm", "land"] = ""
    to: Literal["", "player", "bank"] = ""
    types: list[CardType] = field(default_factory=list)
    price: int = 0


@dataclass(frozen=True)
class Card:
    """2.1: one kind of card. cost "x": the player chooses it. side: the role in which `battle` counts."""

    id: str
    name: str
    type: CardType
    cost: int | Literal["x"]
    copies: int = 0
    gold: int = 0
    glory: int = 0
    battle: int = 0
    side: Literal["any", "attacker", "defender"] = "any"
    farm: bool = False
    knight: bool = False
    effect: Effect | None = None
    emblem: str = ""
    aliases: list[str] = field(default_factory=list)

    @property
    def price(self) -> int:
        """The cost as a number; x counts as 0."""
        return 0 if self.cost == "x" else self.cost

    @property
    def worth(self) -> int:
        """2.3: gold + glory + battle."""
        return self.gold + self.glory + self.battle

    def battle_as(self, side: str) -> int:
        """The battle value that counts for a side, "attacker" or "defender"."""
        return self.battle if self.side in ("any", side) else 0


@dataclass(frozen=True)
class CardTable:
    cards: list[Card]


@dataclass(frozen=True)
class Confidence:
    id: str
    name: str
    cost: int
    glory: int


@dataclass(frozen=True)
class Rank:
    id: str
    name: str
    lands: int
    bonus: int


@dataclass(frozen=True)
class SeatRow:
    id: str
    name: str


@dataclass(frozen=True)
class Numbers:
    glory_target: int
    starting_hand: int
    starting_gold: int
    starting_glory: int
    fate_draw: int
    extra_card_cost: int
    plunder: int
    higher_dice: int
    lower_dice: int


@dataclass(frozen=True)
class NumberTable:
    fief: Card
    confidence: Confidence
    ranks: list[Rank]
    seats: list[SeatRow]
    numbers: Numbers


class Tables:
    """All tables of the game, and what follows from them alone."""

    @cached_property
    def card_table(self) -> CardTable:
        return tables.load(DATA / "cards.toml", CardTable)

    @cached_property
    def number_table(self) -> NumberTable:
        return tables.load(DATA / "numbers.toml", NumberTable)

    @cached_property
    def numbers(self) -> Numbers:
        return self.number_table.numbers

    @cached_property
    def cards(self) -> dict[str, Card]:
        """card id -> card, in the order of the printed list; the Fief is none of them"""
        return {card.id: card for card in self.card_table.cards}

    @cached_property
    def pieces(self) -> dict[str, Card]:
        """What may lie in a domain or a hand: the cards, and the Fief."""
        return {**self.cards, FIEF: self.number_table.fief}

    @cached_property
    def card_names(self) -> Names:
        """Names, ids and aliases of the cards and of the Fief."""
        return Names({id_: card.name for id_, card in self.pieces.items()}, {id_: card.aliases for id_, card in self.pieces.items()})

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """Seat ids in the order in which they are offered."""
        return tuple(row.id for row in self.number_table.seats)

    @cached_property
    def seat_names(self) -> dict[str, str]:
        return {row.id: row.name for row in self.number_table.seats}

    @cached_property
    def confidence(self) -> Confidence:
        return self.number_table.confidence

    @cached_property
    def ranks(self) -> dict[str, Rank]:
        """rank id -> rank, lowest first"""
        return {rank.id: rank for rank in self.number_table.ranks}

    @cached_property
    def high_order(self) -> dict[str, int]:
        """2.3 High order (what one takes): card or Fief -> its place; cost, then worth, highest first, then id."""
        return _places(sorted(self.pieces.values(), key=lambda card: (-card.price, -card.worth, card.id)))

    @cached_property
    def low_order(self) -> dict[str, int]:
        """2.3 Low order (what one gives up): cost, then worth, lowest first, then id."""
        return _places(sorted(self.pieces.values(), key=lambda card: (card.price, card.worth, card.id)))

    def of_types(self, types: tuple[str, ...] | list[str]) -> list[str]:
        """Cards of these types, in the order of the list."""
        return [id_ for id_, card in self.cards.items() if card.type in types]

    def whole_deck(self) -> list[str]:
        """3.2: every card, sorted by id, copies next to each other."""
        return [id_ for id_ in sorted(self.cards) for _copy in range(self.cards[id_].copies)]


def _places(cards: list[Card]) -> dict[str, int]:
    return {card.id: place for place, card in enumerate(cards)}


Counts = dict[str, int]
"""card -> how many; a card of which there is none is left out"""


def listed(counts: Counts) -> list[str]:
    """The cards as a list sorted by id, copies next to each other."""
    return [id_ for id_ in sorted(counts) for _copy in range(counts[id_])]


def counted(cards: list[str]) -> Counts:
    """The list as counts, by id."""
    return {id_: cards.count(id_) for id_ in sorted(dict.fromkeys(cards))}


TABLES = Tables()
