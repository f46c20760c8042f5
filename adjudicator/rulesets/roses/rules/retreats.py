"""6.5.9 (and 6.7): who commands a force, and where it goes when it must leave the field."""

from .. import sides
from ..sides import Piece
from ..state import State, policy
from ..tables import CLAIMANT, TABLES


def commander_of_defence(state: State, pieces: list[Piece]) -> str:
    """6.5: their claimant if he has a company there; else the house with most companies there; ties by seat order."""
    houses = sides.in_seat_order(house for house, _group in pieces)
    claimant = CLAIMANT[state.houses[houses[0]].faction]
    if claimant in houses:
        return claimant
    return max(houses, key=lambda house: sides.size_of(state, [piece for piece in pieces if piece[0] == house]))


def retreat_point(state: State, commander: str, field: str, origin: str | None) -> str | None:
    """6.5.9 Retreat: where a force under this commander goes from the field; None if it can go nowhere.

    origin: the point from which the attackers came, where nobody retreats to; None if there is none
    """
    candidates = [point for point in TABLES.roads[field] if point != origin and not sides.enemy_force(state, commander, point)]
    for wished in policy(state.houses[commander], "retreat_to"):
        if wished in candidates:
            return wished
    home = TABLES.distances[sides.home_of(commander)]
    return min(candidates, key=lambda point: (_comfort(state, commander, point), home[point], point), default=None)


def _comfort(state: State, commander: str, point: str) -> int:
    """An own castle of the commander, then an allied castle, then a point that is no enemy castle, then an enemy castle."""
    return {"own": 0, "allied": 1, "enemy": 3}.get(sides.stance(state, commander, point), 2)
