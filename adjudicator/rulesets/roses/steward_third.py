"""Chapter 10, E3: plain, legal orders for a seat that nobody holds, with blocks."""

from typing import Any

from . import sides
from .rules import block_musters, block_winter, musters
from .sight import ArmyView, View
from .steward_parts import distance, guards, policies, size_seen, worth
from .tables import TABLES

PREY_ROADS = 2
SMALLEST_HOST = 4
KEEP = 3
COINS_KEPT = 2


def steward(view: View, season: str) -> dict[str, Any]:
    """10: the orders of a season, as a player would write them."""
    if season == "Winter":
        return winter(view)
    if view.houses[view.viewer].status != "active":
        return {}
    return spring(view) if season == "Spring" else summer(view)


def spring(view: View) -> dict[str, Any]:
    """10, Spring: muster at the default place, three quarters of the vassals as troops, a bid for the Burgundians, and the first march."""
    me = view.viewer
    place = block_musters.muster_place(view, me, [])
    if place is None:
        return {}
    most = block_musters.vassals_yield_of(view, me)
    vassals = block_musters.default_vassals(view, (3 * most + 3) // 4)
    written = {number: {type_: count for type_, count in companies.items() if count} for number, companies in vassals.items()}
    orders: dict[str, Any] = {"muster": {"vassals": written}}
    blocks = ["retinue", *(f"vassals-{number}" for number in vassals)]
    others: list[list[str]] = [["mercenaries"]] if sides.group_of(view, me, "mercenaries") is not None else []
    limit = (view.houses[me].coins or 0) - COINS_KEPT
    if limit >= TABLES.numbers.e3.auction_start:
        orders["bids"] = {"burgundians": limit}
        if block_musters.bidding_place(view, me) == place[1]:
            blocks.append("burgundians")
        else:
            others.append(["burgundians"])
    return orders | manoeuvres(view, blocks, others, place[1], size_of_muster(view, place) + sum(map(_count, vassals.values())), False)


def _count(companies: dict[str, int]) -> int:
    return sum(companies.values())


def size_of_muster(view: View, place: tuple[str, str]) -> int:
    """10: what the retinue block will have after the default muster."""
    entitled = block_musters.retinue_entitlement(view, view.viewer)
    raised, _cut = block_musters.raise_retinue(view, view.viewer, place, musters.default_retinue(entitled), entitled)
    block = sides.group_of(view, view.viewer, "retinue")
    return (block.size if block is not None else 0) + _count(raised)


def summer(view: View) -> dict[str, Any]:
    """10, Summer and Autumn: the main group is all blocks at the point of the first one, inside or outside like it."""
    mine = [army for army in view.armies if army.house == view.viewer and army.how == "own"]
    if not mine:
        return {}
    first = mine[0]
    main = [army for army in mine if army.point == first.point and army.inside == first.inside]
    others = [[army.group] for army in mine if army not in main]
    return manoeuvres(view, [army.group for army in main], others, first.point, sum(army.size or 0 for army in main), first.inside)


def manoeuvres(view: View, blocks: list[str], others: list[list[str]], here: str, size: int, inside: bool) -> dict[str, Any]:
    """10, every manoeuvre season: where the main group goes; each other block goes to it; and the policies for the way."""
    me = view.viewer
    home = sides.home_of(me)
    post = guards(view, view.houses[me].faction).get(me)
    if post:
        to: list[Any] = [post, {"toward": post}]
    elif size < SMALLEST_HOST:
        to = [home, {"toward": home}]
    else:
        best = targets(view, here, size)
        to = [{"hunt": house} for house in prey(view, here, size)]
        if best:
            to += [{"place": castle, "when": "clear"} for castle in best[:3]]
            to.append({"toward": best[0]})
        to = to or ["hold"]
    main: dict[str, Any] = {"blocks": blocks, "to": to, "meet": "attack-if-stronger", "storm": "any", "keep": KEEP}
    if inside:
        main["sally"] = size > enemies_seen_at(view, here)
    rest = [{"blocks": group, "to": [here, {"toward": here}]} for group in others]
    return {"march": [main, *rest], "policy": policies(view, {"retreat_to": [home]})}


def targets(view: View, here: str, size: int) -> list[str]:
    """10, what is worth a storm: castles of enemies, of dormant houses and of nobody that are not inviolable and whose garrison is
    smaller than half the host; best first."""
    found = [castle for castle in TABLES.castles
             if sides.stance(view, view.viewer, castle) in ("enemy", "dormant", "nobody") and not sides.is_inviolable(view, castle)
             and (size + 1) // 2 > TABLES.numbers.e3.garrison[TABLES.points[castle].castle]]
    return sorted(found, key=lambda castle: (distance(here, castle) - worth(view, castle), castle))


def enemies_seen_at(view: View, point: str) -> int:
    """10: the enemy companies seen outside at the point."""
    return sum(size_seen(army) for army in view.armies if army.point == point and _is_enemy_outside(view, army))


def _is_enemy_outside(view: View, army: ArmyView) -> bool:
    return army.how != "remembered" and not army.inside and sides.are_enemies(view, view.viewer, army.house)


def prey(view: View, here: str, size: int) -> list[str]:
    """10, whom to hunt: houses whose retinue block is seen near and outside, where fewer stand than come; nearest first."""
    found = []
    for house in TABLES.seats:
        block = sides.group_of(view, house, "retinue")
        if block is not None and _is_enemy_outside(view, block) and distance(here, block.point) <= PREY_ROADS \
                and enemies_seen_at(view, block.point) + 1 < size:
            found.append((distance(here, block.point), sides.SEAT_RANK[house], house))
    return [house for _distance, _rank, house in sorted(found)]


def winter(view: View) -> dict[str, Any]:
    """10, Winter: keep the retinue that is free, and more while coins are left over two; nobody changes sides."""
    me = view.viewer
    orders: dict[str, Any] = {} if sides.is_claimant(me) else {"allegiance": "stay"}
    block = sides.group_of(view, me, "retinue")
    if block is not None:
        free = block_winter.free_companies(view, me, "retinue")
        kept = free + max(0, (view.houses[me].coins or 0) - COINS_KEPT)
        orders["keep"] = {"retinue": min(kept, block.size)}
    return orders
