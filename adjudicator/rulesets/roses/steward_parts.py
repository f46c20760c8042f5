"""Chapter 10: what the stewards of all editions share: distances, sizes, guards, the worth of a castle, policies."""

from typing import Any

from . import sides
from .sight import ArmyView, View
from .state import DEFAULT_POLICIES
from .tables import CLAIMANT, TABLES, other_faction

GUARD_ROADS = 3
SIZE_OF_BAND = {"small": 2, "middling": 5, "great": 9, "": 4}
FAR_AWAY = 99


def distance(a: str, b: str) -> int:
    """10: `dist`, fewest roads on the empty map."""
    return TABLES.distances[a][b]


def size_seen(army: ArmyView) -> int:
    """10: exact where it is known, else what the band counts as."""
    return army.size if army.size is not None else SIZE_OF_BAND[army.band]


def enemy_castles(view: View, house: str) -> list[str]:
    return [castle for castle in TABLES.castles if sides.stance(view, house, castle) == "enemy"]


def active_vassals(view: View, faction: str) -> list[str]:
    """In seat order."""
    return [house for house, row in TABLES.houses.items()
            if row.role == "vassal" and view.houses[house].faction == faction and view.houses[house].status == "active"]


def guards(view: View, faction: str) -> dict[str, str]:
    """10, who guards what: house -> vital castle. Every steward of a faction finds the same."""
    posts: dict[str, str] = {}
    vassals = active_vassals(view, faction)
    for vital in dict.fromkeys((sides.home_of(CLAIMANT[faction]), "london")):
        if not sides.faction_controls(view, faction, vital) or len(posts) >= len(vassals) // 2:
            continue
        able = [house for house in vassals if house not in posts and _nearest_own(view, house, vital) <= GUARD_ROADS]
        if able:
            chosen = min(able, key=lambda house: (-_from_enemies(view, house), _nearest_own(view, house, vital), sides.SEAT_RANK[house]))
            posts[chosen] = vital
    return posts


def _nearest_own(view: View, house: str, point: str) -> int:
    return min((distance(castle, point) for castle in sides.castles_of(view, house)), default=FAR_AWAY)


def _from_enemies(view: View, house: str) -> int:
    return min((distance(sides.home_of(house), castle) for castle in enemy_castles(view, house)), default=FAR_AWAY)


def worth(view: View, castle: str) -> int:
    """10, what is worth a storm: the castle's value, and what its fall brings besides."""
    me = view.viewer
    value = TABLES.value(castle)
    enemy_claimant = CLAIMANT[other_faction(view.houses[me].faction)]
    if castle == "london" and view.options["edition"] == "first" and sides.is_claimant(me):
        return value + 6
    if castle in ("london", sides.home_of(enemy_claimant)) or (sides.is_e3(view) and sides.is_london_or_claimants_home(castle)):
        return value + 3
    controller = view.castles[castle]
    return value + 2 if controller is not None and sides.home_of(controller) == castle else value


def policies(view: View, wanted: dict[str, Any]) -> dict[str, Any]:
    """10: the wanted policies, and all others back to their defaults, as far as they differ from what is in force."""
    changes = {}
    for key, now in view.policies.items():
        should = wanted.get(key, DEFAULT_POLICIES[key])
        if now != should:
            changes[key] = wanted.get(key, "default")
    return changes
