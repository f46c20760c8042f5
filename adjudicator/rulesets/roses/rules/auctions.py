"""6.2.3-6.2.4: free mercenaries, and the auction of what is left (E12); the auction itself serves E3 too."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .. import changes, sides
from ..state import policy
from ..tables import CLAIMANT, FACTIONS, TABLES, other_faction
from ..workspace import RosesTurn


def sell_mercenaries(turn: RosesTurn) -> None:
    """6.2.3-6.2.4: this spring's pool: first the free picks, then lot by lot."""
    pool = list(TABLES.numbers.e12.mercenary_pool)
    free_mercenaries(turn, pool)
    auction(turn, pool)


def free_mercenaries(turn: RosesTurn, pool: list[str]) -> None:
    """6.2.3 Free mercenaries: the claimant whose faction does not hold London picks 2; if neither does, they pick 1 each, York first.

    Picked companies are taken out of `pool`.
    """
    numbers = TABLES.numbers.e12
    legitimate = sides.legitimate(turn.state)
    rivals = [CLAIMANT[other_faction(legitimate)]] if legitimate else [CLAIMANT[faction] for faction in FACTIONS]
    pickers = [house for house in rivals if sides.is_active(turn.state, house) and house in turn.muster_places]
    for house in pickers:
        with turn.carrying_out(house, "mercenaries"):
            wishes = list(turn.order(house, "mercenaries") or [])
            types = [_pick(pool, wishes) for _each in range(numbers.mercenaries_free // len(pickers))]
            changes.take_free_mercenaries(turn, house, turn.muster_places[house], types)


def _pick(pool: list[str], wishes: list[str]) -> str:
    """The first wish that is still in the pool, else the first type of the pool's default order; it leaves both."""
    for type_ in wishes:
        if type_ in pool:
            wishes.remove(type_)
            pool.remove(type_)
            return type_
    return pool.pop(0)


def auction(turn: RosesTurn, pool: list[str]) -> None:
    """6.2.4 Auction of what is left, one company at a time, in type order."""
    bidders = [house for house in TABLES.seats if house in turn.muster_places]
    for house in bidders:
        if turn.order(house, "bids"):
            changes.keep_secret(turn, "bids", [house], house=house, bids=turn.order(house, "bids"))
    for lot, type_ in enumerate([type_ for type_ in TABLES.troops for _each in range(pool.count(type_))], start=1):
        limits: dict[str, int] = {}
        for house in bidders:
            with turn.carrying_out(house, "bids"):
                limits[house] = limit(turn.order(house, "bids") or {}, type_, turn.state.houses[house].coins)
        sale = sell(turn, limits, TABLES.numbers.e12.auction_start, f"auction/{lot}/tie")
        place = turn.muster_places[sale.winner] if sale.winner else None
        changes.sell_lot(turn, lot, type_, sale.winner, place, sale.price, sale.tied, sale.die, sale.draws)


def limit(bids: Mapping[str, Any], type_: str, coins: int) -> int:
    """6.2.4.1: the sealed limit for this lot, cut to the coins in hand; 0 is no bid."""
    return min(bids.get(type_, bids.get("any", 0)), coins)


@dataclass
class Sale:
    """How an auction ended. tied: the houses with the same highest limit, if there was a tie; die: if it decided the tie."""

    winner: str | None = None
    price: int | None = None
    tied: list[str] = field(default_factory=list)
    die: int | None = None
    draws: list[str] = field(default_factory=list)


def sell(turn: RosesTurn, limits: Mapping[str, int], start: int, draw: str) -> Sale:
    """6.2.4.2: an upward auction run from sealed limits (house -> limit, in seat order).

    One bidder pays the start price, a single highest the second-highest limit + 1; of several highest the favour rule picks one, who
    pays that limit.
    """
    valid = {house: limit_ for house, limit_ in limits.items() if limit_ >= start}
    if not valid:
        return Sale()
    top = max(valid.values())
    highest = [house for house, limit_ in valid.items() if limit_ == top]
    if len(highest) == 1:
        others = [limit_ for house, limit_ in valid.items() if house != highest[0]]
        return Sale(highest[0], max(others) + 1 if others else start)
    winner, die = favoured(turn, highest, draw)
    return Sale(winner, top, highest, die, [draw] if die is not None else [])


def favoured(turn: RosesTurn, tied: list[str], draw: str) -> tuple[str, int | None]:
    """6.2.4.3 Favour: the active claimant of the legitimate faction decides by his policy; without one, a die. (winner, die or None)"""
    faction = sides.legitimate(turn.state)
    if faction is not None and sides.is_active(turn.state, CLAIMANT[faction]):
        order = favour_order(turn, CLAIMANT[faction])
        return min(tied, key=order.index), None
    die = turn.dice.die(draw, sides=len(tied))
    return tied[die - 1], die


def favour_order(turn: RosesTurn, claimant: str) -> list[str]:
    """5.5 `favour`: the houses listed, then the others in seat order; by default his own, his faction's, the others."""
    listed = policy(turn.state.houses[claimant], "favour")
    if listed is None:
        faction = turn.state.houses[claimant].faction
        listed = [claimant, *(house for house in TABLES.seats if turn.state.houses[house].faction == faction)]
    return list(dict.fromkeys([*listed, *TABLES.seats]))
