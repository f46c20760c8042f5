"""The printed tables of `data/`, as records that never change."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

from ...core import tables
from ...core.names import Names

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Point:
    id: str
    name: str
    castle: Literal["large", "small", "none"]
    x: int
    y: int
    aliases: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Road:
    a: str
    b: str
    kind: Literal["ordinary", "mountain"]


@dataclass(frozen=True)
class Canvas:
    width: int
    height: int


@dataclass(frozen=True)
class MapTable:
    points: list[Point]
    roads: list[Road]
    coastline: list[list[tuple[int, int]]]
    canvas: Canvas


@dataclass(frozen=True)
class HouseRow:
    id: str
    name: str
    seat_order: int
    role: Literal["claimant", "vassal"]
    faction: Literal["lancastrian", "yorkist"]
    home: str
    seed_total: int
    castles: list[str]
    aliases: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Colours:
    nobody: str
    factions: dict[str, str]
    houses: dict[str, str]


@dataclass(frozen=True)
class HouseTable:
    houses: list[HouseRow]
    holding_order: list[str]
    sharing: dict[str, list[list[str]]]
    colours: Colours


@dataclass(frozen=True)
class Troop:
    """2.3: hits on `hit` or more with each of `dice` dice a company; `toughness` damage destroys it."""

    id: str
    code: str
    name: str
    class_: str
    hit: int
    dice: int
    toughness: int
    e12_round: str
    e3_phase: str
    aliases: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class TroopTable:
    troops: list[dict]
    classes: list[str]
    militia_by_die: list[str]
    rounds_e12: list[str]
    phases_e3: list[str]
    wards: list[str]


@dataclass(frozen=True)
class Calendar:
    first_year: int
    last_year: int
    seasons: list[str]


@dataclass(frozen=True)
class Common:
    castle_value: dict[str, int]


@dataclass(frozen=True)
class Edition:
    home_returned: bool
    march_points: int
    office_price: int | None = None
    dysentery: Literal["camp", "merging"] | None = None


@dataclass(frozen=True)
class NumbersE12:
    retinue_home: int
    retinue_london: int
    mercenary_pool: list[str]
    mercenaries_free: int
    auction_start: int
    road_cost: dict[str, int]
    evade_on: int
    militia_max: int
    militia_on: int
    militia_mods: dict[str, int]
    major_battle: int
    storm_on: dict[str, int]
    storm_gonne_bonus: int
    dysentery_on: list[int]
    camp_limit: int
    victory_castles: int
    prestige: dict[str, int]


@dataclass(frozen=True)
class NumbersE3:
    road_cost: dict[str, int]
    mercenary_price: int
    burgundians: list[str]
    auction_start: int
    garrison: dict[str, int]
    garrison_hit: int
    free_winter_retinue: dict[str, int]
    winter_price: int
    siege_price: int
    loyalty_fails_on: dict[str, list[int]]
    loyalty_price: dict[str, int]
    prestige: dict[str, int]


@dataclass(frozen=True)
class Numbers:
    calendar: Calendar
    common: Common
    editions: dict[str, Edition]
    e12: NumbersE12
    e3: NumbersE3


FACTIONS = ("yorkist", "lancastrian")
"""6.0 Faction order: the Yorkists march first."""
CLAIMANT = {"lancastrian": "lancaster", "yorkist": "york"}
"""faction -> the house at its head, whatever happens to it"""


def other_faction(faction: str) -> str:
    """The faction against which this one fights."""
    return "yorkist" if faction == "lancastrian" else "lancastrian"


class Tables:
    """All tables of the game, and what follows from them alone."""

    @cached_property
    def map(self) -> MapTable:
        return tables.load(DATA / "map.toml", MapTable)

    @cached_property
    def house_table(self) -> HouseTable:
        return tables.load(DATA / "houses.toml", HouseTable)

    @cached_property
    def numbers(self) -> Numbers:
        return tables.load(DATA / "numbers.toml", Numbers)

    @cached_property
    def troop_table(self) -> TroopTable:
        return tables.load(DATA / "troops.toml", TroopTable)

    @cached_property
    def points(self) -> dict[str, Point]:
        """point id -> point"""
        return {point.id: point for point in self.map.points}

    @cached_property
    def castles(self) -> tuple[str, ...]:
        """Points that hold a castle, in id order."""
        return tuple(sorted(point.id for point in self.map.points if point.castle != "none"))

    @cached_property
    def houses(self) -> dict[str, HouseRow]:
        """house id -> row, in seat order"""
        return {house.id: house for house in sorted(self.house_table.houses, key=lambda house: house.seat_order)}

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """House ids in seat order."""
        return tuple(self.houses)

    @cached_property
    def troops(self) -> dict[str, Troop]:
        """troop id -> troop, in type order"""
        return {row["id"]: Troop(**{("class_" if key == "class" else key): value for key, value in row.items()})
                for row in self.troop_table.troops}

    @cached_property
    def roads(self) -> dict[str, dict[str, str]]:
        """point id -> neighbour id -> kind of road, neighbours in id order"""
        joined: dict[str, dict[str, str]] = {point: {} for point in self.points}
        for road in self.map.roads:
            joined[road.a][road.b] = joined[road.b][road.a] = road.kind
        return {point: dict(sorted(near.items())) for point, near in joined.items()}

    @cached_property
    def around(self) -> dict[str, tuple[str, ...]]:
        """point id -> the point and its neighbours: what is seen from there, and whence it is seen (7.1)"""
        return {point: (point, *near) for point, near in self.roads.items()}

    @cached_property
    def distances(self) -> dict[str, dict[str, int]]:
        """point id -> point id -> fewest roads between them on the empty map"""
        found = {}
        for start in self.points:
            distance = {start: 0}
            queue = [start]
            for point in queue:
                for near in self.roads[point]:
                    if near not in distance:
                        distance[near] = distance[point] + 1
                        queue.append(near)
            found[start] = distance
        return found

    def value(self, castle: str) -> int:
        """Castle value: 2 for a large one, 1 for a small one, 0 for a waypoint."""
        return self.numbers.common.castle_value.get(self.points[castle].castle, 0)

    @cached_property
    def place_names(self) -> Names:
        return Names({point.id: point.name for point in self.map.points}, {point.id: point.aliases for point in self.map.points})

    @cached_property
    def house_names(self) -> Names:
        return Names({house.id: house.name for house in self.houses.values()}, {house.id: house.aliases for house in self.houses.values()})

    @cached_property
    def troop_names(self) -> Names:
        """Troop types by id, code and plural; what people read is the id."""
        return Names({id_: id_ for id_ in self.troops}, {troop.id: [troop.code, *troop.aliases] for troop in self.troops.values()})


TABLES = Tables()
