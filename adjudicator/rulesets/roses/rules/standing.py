"""8.1-8.2: prestige, and who is the more successful."""

from typing import Any

from .. import sides
from ..tables import TABLES


def prestige(position: Any, house: str, coins: int | None = None) -> int:
    """8.1 Prestige: the track, and the value of the castles controlled now; E3: and a point for every 10 coins, if they are known."""
    points = position.houses[house].track + sides.value_of(position, house)
    if sides.is_e3(position) and coins is not None:
        points += coins // TABLES.numbers.e3.prestige["coins_per_point"]
    return points


def success(state: Any, house: str) -> tuple[int, int, int]:
    """8.2 Victory and who shares it: the more successful house has more prestige, then more castle value, then more on the track."""
    record = state.houses[house]
    return prestige(state, house, record.coins), sides.value_of(state, house), record.track


def ranking(state: Any, houses: list[str]) -> list[str]:
    """8.2: the houses, most successful first; equal ones in seat order."""
    return sorted(sides.in_seat_order(houses), key=lambda house: success(state, house), reverse=True)


def sharers(state: Any, faction: str) -> list[str]:
    """8.2: the vassals of the faction who share its claimant's victory: the most successful one (E3: two), and those equal to the last."""
    vassals = ranking(state, [house for house in sides.houses_of(state, faction)
                              if not sides.is_claimant(house) and sides.counts_for_faction(state, house)])
    places = 2 if sides.is_e3(state) else 1
    if len(vassals) <= places:
        return vassals
    last = success(state, vassals[places - 1])
    return [house for house in vassals if success(state, house) >= last]
