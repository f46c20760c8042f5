"""6.3: the spring muster of blocks, hiring, and the auction of the Burgundians (E3)."""

from collections.abc import Mapping
from typing import Any

from .. import changes, changes_third, sides
from ..tables import TABLES
from ..workspace import RosesTurn
from . import auctions, musters

SPRING_ORDERS = ("muster", "hire", "bids")
PLACES = ("retinue", "home", "london")
"""5.1: where a house may muster, in the default order."""
Blocks = dict[str, dict[str, int]]
"""block -> companies by type"""


def muster(turn: RosesTurn) -> None:
    """6.3.1 Muster: each active house raises blocks and coins."""
    for house in TABLES.seats:
        if sides.is_active(turn.state, house):
            with turn.carrying_out(house, "muster"):
                _muster_house(turn, house, turn.order(house, "muster") or {})
        else:
            for key in SPRING_ORDERS:
                if key in turn.orders.get(house, {}):
                    changes.skip_order(turn, "6.3", house, key, "not-active")


def _muster_house(turn: RosesTurn, house: str, order: Mapping[str, Any]) -> None:
    place = muster_place(turn.state, house, order.get("at") or [])
    if place is None:
        if "muster" in turn.orders.get(house, {}):
            changes.skip_order(turn, "6.3.1", house, "muster", "no-place")
        return
    entitled, vassals_yield = retinue_entitlement(turn.state, house), vassals_yield_of(turn.state, house)
    wished = order.get("retinue")
    retinue, cut = raise_retinue(turn.state, house, place, musters.default_retinue(entitled) if wished is None else wished, entitled)
    cut = [] if wished is None else cut
    blocks: Blocks = {"retinue": retinue} if retinue else {}
    vassals = order.get("vassals")
    raised, vassals_cut = raise_vassals(default_vassals(turn.state, vassals_yield) if vassals is None else vassals, vassals_yield)
    blocks |= raised
    coins = entitled + vassals_yield - sum(number for companies in blocks.values() for number in companies.values())
    changes_third.muster_blocks(turn, house, place[1], blocks, coins, cut + vassals_cut)


def muster_place(position: Any, house: str, wished: list[str]) -> tuple[str, str] | None:
    """6.3.1.1 Place: the first legal of the words wished for, then of the default list: (word, point); None: there is none."""
    for word in [*wished, *PLACES]:
        point = place_of(position, house, word)
        if point is not None:
            return word, point
    return None


def place_of(position: Any, house: str, word: str) -> str | None:
    """6.3.1.1: the point that the word means, if the house may muster there now."""
    if word == "retinue":
        block = sides.group_of(position, house, "retinue")
        return block.point if block is not None else None
    if word == "london" and not sides.is_claimant(house):
        return None
    point = "london" if word == "london" else sides.home_of(house)
    return point if position.castles[point] == house and not sides.enemies_stand_at(position, house, point) else None


def yielding_castles(position: Any, house: str) -> list[str]:
    """6.3.1.2: the own castles that yield: no enemy block stands there, and a friendly way leads to the retinue block, the home castle or
    (claimant) London, the last two only while the house controls them. In id order."""
    block = sides.group_of(position, house, "retinue")
    goals = [block.point] if block is not None else []
    goals += [castle for castle in _seats(house) if position.castles[castle] == house]
    reached: dict[str, bool] = {}
    for goal in goals:
        reached |= musters.joined_by_friendly_ways(position, house, goal)
    return [castle for castle in sides.castles_of(position, house) if castle in reached and not sides.enemies_stand_at(position, house, castle)]


def _seats(house: str) -> list[str]:
    """The castles that raise retinue: the home castle, and London for a claimant."""
    return [sides.home_of(house), *(["london"] if sides.is_claimant(house) else [])]


def retinue_entitlement(position: Any, house: str) -> int:
    """6.3.1.3 R: the value of the home castle, and for a claimant of London, as far as they yield."""
    return sum(TABLES.value(castle) for castle in yielding_castles(position, house) if castle in _seats(house))


def vassals_yield_of(position: Any, house: str) -> int:
    """6.3.1.3 Y: the value of the other castles that yield."""
    return sum(TABLES.value(castle) for castle in yielding_castles(position, house) if castle not in _seats(house))


def raise_retinue(position: Any, house: str, place: tuple[str, str], wished: list[str], entitled: int) -> tuple[dict[str, int], list[str]]:
    """6.3.1.4 Retinue companies: they join the retinue block if it stands at the place, or form a new one at home or in London.

    Returns type -> companies, and the types passed over: too many for the entitlement, the block or the men-at-arms allowed.
    """
    word, point = place
    block = sides.group_of(position, house, "retinue")
    room = position.options["block_size"]
    if block is not None:
        room = room - block.size if block.point == point else 0
    elif word == "retinue":
        room = 0
    taken: dict[str, int] = {}
    cut: list[str] = []
    for type_ in wished:
        too_many_knights = type_ == "men-at-arms" and taken.get(type_, 0) >= musters.men_at_arms_limit(entitled)
        if too_many_knights or sum(taken.values()) >= min(entitled, room):
            cut.append(type_)
        else:
            taken[type_] = taken.get(type_, 0) + 1
    return taken, cut


def default_vassals(position: Any, number: int) -> dict[str, dict[str, int]]:
    """5.1, 10: so many vassal companies into block 1 until it is full, then 2, ...; in each half, rounded up, billmen, the rest archers."""
    size, blocks = position.options["block_size"], {}
    for block in range(1, position.options["vassal_blocks"] + 1):
        here = min(size, number)
        number -= here
        if here:
            blocks[str(block)] = musters.default_supporters(here)
    return blocks


def raise_vassals(wished: Mapping[str, Mapping[str, int]], vassals_yield: int) -> tuple[Blocks, list[str]]:
    """6.3.1.5 Vassal companies: block by block in the order of their numbers, within a block in the written order, while the yield lasts.

    wished: block number -> companies. Returns block -> companies, and the types not got.
    """
    blocks: Blocks = {}
    cut: list[str] = []
    for number in sorted(wished, key=int):
        taken, missing = musters.raise_supporters(wished[number], vassals_yield - sum(sum(companies.values()) for companies in blocks.values()))
        cut += missing
        taken = {type_: count for type_, count in taken.items() if count}
        if taken:
            blocks[f"vassals-{number}"] = taken
    return blocks, cut


def hire(turn: RosesTurn) -> None:
    """6.3.2 Hire: each active house in seat order, at one of its large castles, while the coins last."""
    for house in TABLES.seats:
        with turn.carrying_out(house, "hire"):
            order = turn.order(house, "hire")
            if order is None or not sides.is_active(turn.state, house):
                continue
            place = next((castle for castle in order.get("at") or [] if may_hire_at(turn.state, house, castle)), None)
            if place is None:
                changes.skip_order(turn, "6.3.2", house, "hire", "no-place")
                continue
            types = affordable(turn.state, house, order.get("companies") or [])
            changes_third.hire(turn, house, place, types, len(types) * TABLES.numbers.e3.mercenary_price)


def may_hire_at(position: Any, house: str, castle: str) -> bool:
    """6.3.2: a large castle that it controls, where no enemy block stands, and where its mercenary block stands if it has one."""
    block = sides.group_of(position, house, "mercenaries")
    return (position.castles.get(castle) == house and TABLES.points[castle].castle == "large" and (block is None or block.point == castle)
            and not sides.enemies_stand_at(position, house, castle))


def affordable(position: Any, house: str, wished: list[str]) -> list[str]:
    """6.3.2: of the companies in the written order those that the coins, the size of the block and the one gonne in it allow."""
    block = sides.group_of(position, house, "mercenaries")
    size, gonnes = (block.size, block.companies.get("gonne", 0)) if block is not None else (0, 0)
    coins, hired = position.houses[house].coins, []
    for type_ in wished:
        second_gonne = type_ == "gonne" and gonnes + hired.count("gonne") >= 1
        if coins >= TABLES.numbers.e3.mercenary_price and size + len(hired) < position.options["block_size"] and not second_gonne:
            coins -= TABLES.numbers.e3.mercenary_price
            hired.append(type_)
    return hired


def auction_burgundians(turn: RosesTurn) -> None:
    """6.3.3 Burgundians: one block, sold by the auction of 6.2.4; it appears at the winner's home (or in London)."""
    places: dict[str, str] = {}
    limits: dict[str, int] = {}
    for house in TABLES.seats:
        with turn.carrying_out(house, "bids"):
            bids = turn.order(house, "bids") or {}
            place = bidding_place(turn.state, house)
            if place is None or not sides.is_active(turn.state, house):
                continue
            if bids:
                changes.keep_secret(turn, "bids", [house], house=house, bids=bids)
            places[house] = place
            limits[house] = min(bids.get("burgundians", 0), turn.state.houses[house].coins)
    sale = auctions.sell(turn, limits, TABLES.numbers.e3.auction_start, "auction/burgundians/tie")
    changes_third.sell_burgundians(turn, sale.winner, places[sale.winner] if sale.winner else None, sale.price, sale.tied, sale.die, sale.draws)


def bidding_place(position: Any, house: str) -> str | None:
    """6.3.3: the home castle, or London for a claimant who has lost it; None: the house may not bid."""
    for castle in _seats(house):
        if position.castles[castle] == house:
            return None if sides.enemies_stand_at(position, house, castle) else castle
    return None
