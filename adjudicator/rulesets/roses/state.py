"""The records of a campaign's state (2.7). Pieces name each other by id; nothing is kept that follows from the rest."""

from dataclasses import dataclass, field
from typing import Any, Literal

from .tables import TABLES

Status = Literal["active", "captive", "neutral", "dormant"]
Captain = Literal["with-lord", "leads", "lost"]

DEFAULT_POLICIES: dict[str, Any] = {
    "if_attacked": "evade-if-outnumbered",
    "retreat_to": [],
    "militia": 4,
    "losses": ["militia", "levy-archer", "bill", "mercenaries", "retinue"],
    "plan_attack": {"middle": {"captain": "melee"}, "rest": ["van", "middle", "rear"]},
    "plan_defence": {"middle": {"captain": "melee"}, "rest": ["van", "middle", "rear"]},
    "meet": "halt",
    "order_of_march": None,   # claimant: himself, then vassals in seat order
    "favour": None,           # claimant: own house, own faction, the others, each in seat order
    "shelter": "if-outnumbered",
    "siege_keep": "all",
    "storm_with": ["men-at-arms", "retinue-bill", "bill", "pike", "retinue-archer", "crossbow", "gonne", "levy-archer"],
    "winter_first": "retinue",
}
"""5.5: policy -> default. A house keeps only those that it has changed."""


@dataclass
class Group:
    """An army (E12: `lord`, `captain`) or a block (E3). companies: type -> number, 1 or more; no group is empty."""

    point: str
    companies: dict[str, int]
    inside: bool = False

    @property
    def size(self) -> int:
        return sum(self.companies.values())


@dataclass
class Note:
    """7.2 What a seat remembers of one foreign army or block: where it was last seen, and how strong it was last known to be.

    Turns are numbers; 0 in `seen_turn` or `known_turn` means that there is no such note. `companies` empty: the types are not known.
    """

    seen_turn: int = 0
    point: str = ""
    known_turn: int = 0
    number: int = 0
    companies: dict[str, int] = field(default_factory=dict)


@dataclass
class House:
    """One house. track: prestige earned and lost, may be negative. until: year, while captive or neutral.

    policies: 5.5, only what differs from the default. memory: "house/group" -> note.
    """

    faction: str
    status: Status
    coins: int = 0
    track: int = 0
    captor: str | None = None
    until: int | None = None
    captain: Captain = "with-lord"
    groups: dict[str, Group] = field(default_factory=dict)
    inviolable: bool = False
    changed: int = 0
    policies: dict[str, Any] = field(default_factory=dict)
    memory: dict[str, Note] = field(default_factory=dict)


@dataclass
class Fallen:
    """E1: a home castle that was taken this year and handed back. faction: the taker's at that moment."""

    house: str
    taker: str
    faction: str
    year: int


@dataclass
class End:
    """How the game ended. claimant: None for a draw. how: victory, marginal, draw."""

    claimant: str | None
    vassals: list[str]
    how: str


@dataclass
class Secret:
    """Something that stays hidden until the game is over: a limit, a trade, a gift. what: "bids", "trade", "gift", "pledge"."""

    turn: int
    what: str
    seats: list[str]
    data: dict[str, Any]


@dataclass
class State:
    """turn: the turn last adjudicated; 0 after setup. options: chapter 9. holders: seat -> player id, steward or nobody.

    castles: castle -> controlling house, None in E3 for nobody's. opening: faction -> castles controlled at the start.
    """

    turn: int
    options: dict[str, Any]
    holders: dict[str, str]
    houses: dict[str, House]
    castles: dict[str, str | None]
    opening: dict[str, int]
    fallen: list[Fallen] = field(default_factory=list)
    secrets: list[Secret] = field(default_factory=list)
    end: End | None = None


def year_of(turn: int) -> int:
    """The year of a turn, 1 being Spring 1455."""
    return TABLES.numbers.calendar.first_year + (turn - 1) // 4


def season_of(turn: int) -> str:
    """"Spring", "Summer", "Autumn" or "Winter"."""
    return TABLES.numbers.calendar.seasons[(turn - 1) % 4]


def policy(house: House, key: str) -> Any:
    """The policy in force: what the house has set, else the default of 5.5."""
    return house.policies.get(key, DEFAULT_POLICIES[key])
