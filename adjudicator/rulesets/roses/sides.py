"""Who stands with whom: allies, enemies, whose castle a point holds, which faction is legitimate (1.1).

Every question can be asked of a state or of a view: both name factions, statuses and controllers in the same way.
"""

from typing import Any

from ...core.ruleset import NOBODY, STEWARD
from .tables import CLAIMANT, TABLES, Edition, NumbersE12, NumbersE3

Piece = tuple[str, str]
"""(house, group): one army or block on the map"""

GROUP_ORDER = ("lord", "captain", "retinue", "vassals-1", "vassals-2", "vassals-3", "vassals-4", "vassals-5", "mercenaries", "burgundians")
"""2.3: the order in which the armies or blocks of one house stand."""
GROUP_RANK = {group: rank for rank, group in enumerate(GROUP_ORDER)}
SEAT_RANK = {house: rank for rank, house in enumerate(TABLES.seats)}


def edition(position: Any) -> Edition:
    """2.4: the numbers that tell the edition of this campaign from the others."""
    return TABLES.numbers.editions[position.options["edition"]]


def is_e3(position: Any) -> bool:
    """True for edition `third`, the different system."""
    return position.options["edition"] == "third"


def system(position: Any) -> NumbersE12 | NumbersE3:
    """2.4: the numbers of the system that this edition belongs to."""
    return TABLES.numbers.e3 if is_e3(position) else TABLES.numbers.e12


def in_seat_order(houses: Any) -> list[str]:
    """The houses, each once, in seat order (2.2)."""
    named = list(houses)
    return [house for house in TABLES.seats if house in named]


def is_active(position: Any, house: str) -> bool:
    return position.houses[house].status == "active"


def counts_for_faction(position: Any, house: str) -> bool:
    """1.1: active and captive houses are somebody's allies and enemies, and their castles are their faction's."""
    return position.houses[house].status in ("active", "captive")


def are_allies(position: Any, house: str, other: str) -> bool:
    """1.1: two houses of one faction, each active or captive."""
    return (house != other and position.houses[house].faction == position.houses[other].faction
            and counts_for_faction(position, house) and counts_for_faction(position, other))


def are_enemies(position: Any, house: str, other: str) -> bool:
    """1.1: houses of different factions, each active or captive; a neutral or dormant house is nobody's enemy."""
    return (position.houses[house].faction != position.houses[other].faction
            and counts_for_faction(position, house) and counts_for_faction(position, other))


def stance(position: Any, house: str, point: str) -> str:
    """What the castle at the point is to the house: own, allied, enemy, neutral, dormant, nobody, or none (a waypoint)."""
    if point not in position.castles:
        return "none"
    controller = position.castles[point]
    if controller is None:
        return "nobody"
    if controller == house:
        return "own"
    if position.houses[controller].status in ("neutral", "dormant"):
        return position.houses[controller].status
    return "enemy" if are_enemies(position, house, controller) else "allied" if are_allies(position, house, controller) else "neutral"


def faction_controls(position: Any, faction: str, castle: str) -> bool:
    """1.1: the castle's controller is an active or captive house of the faction."""
    controller = position.castles[castle]
    return controller is not None and position.houses[controller].faction == faction and counts_for_faction(position, controller)


def castles_of(position: Any, house: str) -> list[str]:
    """The castles that the house controls, in id order."""
    return [castle for castle in TABLES.castles if position.castles[castle] == house]


def castles_of_faction(position: Any, faction: str) -> list[str]:
    """The castles that the faction controls, in id order."""
    return [castle for castle in TABLES.castles if faction_controls(position, faction, castle)]


def value_of(position: Any, house: str) -> int:
    """The value of all castles that the house controls."""
    return sum(TABLES.value(castle) for castle, controller in position.castles.items() if controller == house)


def legitimate(position: Any) -> str | None:
    """1.1: the faction that controls London; None while nobody's or a neutral house holds it."""
    controller = position.castles["london"]
    if controller is None or not counts_for_faction(position, controller):
        return None
    return position.houses[controller].faction


def houses_of(position: Any, faction: str) -> list[str]:
    """The houses of the faction whatever their status, but not dormant ones: its claimant first, then vassals in seat order."""
    claimant = CLAIMANT[faction]
    return [claimant] + [house for house in TABLES.seats if house != claimant and position.houses[house].faction == faction
                         and position.houses[house].status != "dormant"]


def is_claimant(house: str) -> bool:
    return TABLES.houses[house].role == "claimant"


def home_of(house: str) -> str:
    """The home castle of the house, whoever holds it."""
    return TABLES.houses[house].home


def holder_of(position: Any, house: str) -> str:
    """Who holds the seat: a player id, the steward or nobody."""
    holders = getattr(position, "holders", None)
    return holders[house] if holders is not None else position.houses[house].holder


def shares_player(position: Any, house: str) -> bool:
    """G45: the seat's player holds another seat. The steward is no player (3.2)."""
    holder = holder_of(position, house)
    return holder not in (STEWARD, NOBODY) and any(
        holder_of(position, other) == holder for other in TABLES.seats if other != house)


def pieces_of(state: Any, house: str) -> list[Piece]:
    """The armies or blocks of the house that are on the map, in their order (2.3)."""
    groups = state.houses[house].groups
    if len(groups) < 2:
        return [(house, group) for group in groups]
    return [(house, group) for group in sorted(groups, key=GROUP_RANK.__getitem__)]


def pieces_at(state: Any, point: str) -> list[Piece]:
    """All armies or blocks at the point, by seat order, then in the order of 2.3."""
    found: list[Piece] = []
    for house in TABLES.seats:
        groups = state.houses[house].groups
        if groups:
            here = [(house, group) for group, army in groups.items() if army.point == point]
            found += here if len(here) < 2 else sorted(here, key=lambda piece: GROUP_RANK[piece[1]])
    return found


def enemy_force(state: Any, house: str, point: str) -> list[Piece]:
    """6.0: the enemy's armies at the point (E3: his blocks outside the castle), by seat order."""
    if not any(army.point == point for record in state.houses.values() for army in record.groups.values()):
        return []
    return [piece for piece in pieces_at(state, point)
            if are_enemies(state, house, piece[0]) and not state.houses[piece[0]].groups[piece[1]].inside]


def size_of(state: Any, pieces: list[Piece]) -> int:
    """How many companies these armies or blocks have together."""
    return sum(state.houses[house].groups[group].size for house, group in pieces if group in state.houses[house].groups)


def group_of(position: Any, house: str, group: str) -> Any:
    """The army or block with its `point`, `size` and `inside`, where the state has it or the view shows it standing now; else None."""
    if hasattr(position, "armies"):
        return next((army for army in position.armies if (army.house, army.group) == (house, group) and army.how != "remembered"), None)
    return position.houses[house].groups.get(group)


def enemies_stand_at(position: Any, house: str, point: str) -> bool:
    """6.0: does an enemy army (E3: a block outside the castle) stand at the point? Of a view: as far as it shows."""
    if hasattr(position, "armies"):
        return any(army.point == point and army.how != "remembered" and not army.inside and are_enemies(position, house, army.house)
                   for army in position.armies)
    return bool(enemy_force(position, house, point))


def is_london_or_claimants_home(castle: str) -> bool:
    """6.6.3, 6.7.3: London, Lancaster and York."""
    return castle == "london" or any(row.home == castle and row.role == "claimant" for row in TABLES.houses.values())


def is_inviolable(position: Any, castle: str) -> bool:
    """6.7.3: a home castle that was given back can never again be stormed."""
    controller = position.castles.get(castle)
    return controller is not None and home_of(controller) == castle and position.houses[controller].inviolable


def has_used_its_change(position: Any, house: str) -> bool:
    """E3, option `side_changes: game`: a house that has changed sides before, forced or not, cannot do so by choice again (6.9.5)."""
    return is_e3(position) and position.options["side_changes"] == "game" and position.houses[house].changed > 0
