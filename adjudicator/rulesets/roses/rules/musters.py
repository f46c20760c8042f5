"""6.2.1-6.2.2: captives' income and the spring muster (E12)."""

from collections.abc import Mapping
from typing import Any

from .. import changes, sides
from ..tables import TABLES
from ..workspace import RosesTurn

SPRING_ORDERS = ("muster", "mercenaries", "bids")


def captives_income(turn: RosesTurn) -> None:
    """6.2.1 Captives' income: a neutral house's captor gets the value of all its castles in coins, connected or not."""
    for house in TABLES.seats:
        record = turn.state.houses[house]
        if record.status == "neutral" and record.captor is not None:
            changes.pay_captor(turn, house, record.captor, sides.value_of(turn.state, house))


def muster(turn: RosesTurn) -> None:
    """6.2.2 Muster: each active house raises companies and coins at one of its castles."""
    for house in TABLES.seats:
        if not sides.is_active(turn.state, house):
            for key in SPRING_ORDERS:
                if key in turn.orders.get(house, {}):
                    changes.skip_order(turn, "6.2", house, key, "not-active")
            continue
        with turn.carrying_out(house, "muster"):
            _muster_house(turn, house, turn.order(house, "muster") or {})


def _muster_house(turn: RosesTurn, house: str, order: Mapping[str, Any]) -> None:
    place = muster_place(turn.state, house, order.get("at") or [])
    if place is None:
        if "muster" in turn.orders.get(house, {}):
            changes.skip_order(turn, "6.2.2", house, "muster", "no-castle")
        return
    turn.muster_places[house] = place
    entitled, supporters_yield = retinue_entitlement(turn.state, house), supporters_yield_at(turn.state, house, place)
    retinue = order.get("retinue")
    retinue, cut = raise_retinue(default_retinue(entitled) if retinue is None else retinue, entitled)
    supporters = order.get("supporters")
    supporters, supporters_cut = raise_supporters(default_supporters(supporters_yield) if supporters is None else supporters, supporters_yield)
    companies = dict(supporters)
    for type_ in retinue:
        companies[type_] = companies.get(type_, 0) + 1
    coins = entitled + supporters_yield - sum(companies.values())
    changes.muster(turn, house, place, companies, coins, cut + supporters_cut)


def muster_place(position: Any, house: str, wished: list[str]) -> str | None:
    """6.2.2.1 Place: the first castle wished for that the house controls, else the first of the default order (5.1); None: it has none."""
    for castle in [*wished, *default_places(position, house)]:
        if position.castles.get(castle) == house:
            return castle
    return None


def default_places(position: Any, house: str) -> list[str]:
    """5.1: the home castle if controlled, then the other own castles by value, higher first, then id."""
    home = sides.home_of(house)
    return sorted(sides.castles_of(position, house), key=lambda castle: (castle != home, -TABLES.value(castle), castle))


def retinue_entitlement(position: Any, house: str) -> int:
    """6.2.2.2 Retinue entitlement R: 2 for the own home castle, 2 for London (option `london_retinue: either`: 2 in all)."""
    numbers = TABLES.numbers.e12
    home = numbers.retinue_home if position.castles[sides.home_of(house)] == house else 0
    london = numbers.retinue_london if position.castles["london"] == house else 0
    return max(home, london) if position.options["london_retinue"] == "either" else home + london


def men_at_arms_limit(entitled: int) -> int:
    """2.3: at most half of the entitlement, rounded up, may be men-at-arms."""
    return (entitled + 1) // 2


def supporters_yield_at(position: Any, house: str, place: str) -> int:
    """6.2.2.3 Supporters' yield Y: the value of the other own castles, home castle and London left out, that are connected to the place."""
    home = sides.home_of(house)
    near = connected(position, house, place)
    return sum(TABLES.value(castle) for castle, controller in position.castles.items()
               if controller == house and castle not in (home, "london") and castle in near)


def connected(position: Any, house: str, place: str) -> dict[str, bool]:
    """6.2 Connected: the points connected to the place, as keys.

    By a route whose points in between are waypoints, castles of own or of the own faction, or of neutral or dormant
    houses. Option `connection: adjacent`: the place itself, and what is joined to it by one road.
    """
    if position.options["connection"] == "adjacent":
        return {place: True} | dict.fromkeys(TABLES.roads[place], True)
    return joined_by_friendly_ways(position, house, place)


def joined_by_friendly_ways(position: Any, house: str, place: str) -> dict[str, bool]:
    """6.2, 6.3.1.2: the points, as keys, that a route joins to the place whose points in between are waypoints, castles of nobody,
    of own or of the own faction, or of neutral or dormant houses."""
    reached = {place: True}
    queue = [place]
    for point in queue:
        if point != place and not _lets_through(position, house, point):
            continue
        for near in TABLES.roads[point]:
            if near not in reached:
                reached[near] = True
                queue.append(near)
    return reached


def _lets_through(position: Any, house: str, point: str) -> bool:
    controller = position.castles.get(point)
    if point not in position.castles or controller is None or controller == house:
        return True
    return position.houses[controller].status in ("neutral", "dormant") or position.houses[controller].faction == position.houses[house].faction


def default_retinue(entitled: int) -> list[str]:
    """5.1: men-at-arms and retinue archers in turn."""
    return [("men-at-arms", "retinue-archer")[place % 2] for place in range(entitled)]


def raise_retinue(wished: list[str], entitled: int) -> tuple[list[str], list[str]]:
    """6.2.2.4: the companies taken, and those that were wished for and not got, in order."""
    taken: list[str] = []
    cut: list[str] = []
    for type_ in wished:
        too_many_knights = type_ == "men-at-arms" and taken.count(type_) >= men_at_arms_limit(entitled)
        (cut if len(taken) >= entitled or too_many_knights else taken).append(type_)
    return taken, cut


def default_supporters(supporters_yield: int) -> dict[str, int]:
    """5.1: all, half of them (rounded up) billmen, the rest archers."""
    return {"bill": (supporters_yield + 1) // 2, "levy-archer": supporters_yield // 2}


def raise_supporters(wished: Mapping[str, int], supporters_yield: int) -> tuple[dict[str, int], list[str]]:
    """6.2.2.4: type -> companies taken, in the written order while there are any; and the types not got, one entry a company."""
    taken: dict[str, int] = {}
    cut: list[str] = []
    left = supporters_yield
    for type_, number in wished.items():
        taken[type_] = min(number, left)
        cut += [type_] * (number - taken[type_])
        left -= taken[type_]
    return taken, cut
