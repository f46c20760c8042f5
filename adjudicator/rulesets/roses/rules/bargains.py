"""6.8.3-6.8.4: trades and gifts (E3 has them with limits of its own, 6.9.3-6.9.4)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .. import changes, sides
from ..tables import TABLES
from ..view import told_to
from ..workspace import RosesTurn

MayGive = Callable[[RosesTurn, str, str], bool]
"""(turn, giver, castle): may the giver hand over this castle now?"""


def may_give_e12(turn: RosesTurn, giver: str, castle: str) -> bool:
    """6.8.3, 6.8.4: everybody gives away what castles he controls now, but not his own home castle."""
    return turn.state.castles.get(castle) == giver and castle != sides.home_of(giver)


@dataclass
class Offer:
    """One trade as one side has written it. Each part: {coins, castles (in id order), allegiance}."""

    house: str
    partner: str
    gives: dict[str, Any]
    gets: dict[str, Any]
    paired: bool = False

    def matches(self, other: "Offer") -> bool:
        return (self.house, self.partner, self.gives, self.gets) == (other.partner, other.house, other.gets, other.gives)


def may_change_by_choice(turn: RosesTurn, house: str) -> str | None:
    """6.8.6, 6.9.3, 6.9.5: why a house can neither change sides by choice nor pledge to; None if it can."""
    record = turn.state.houses[house]
    if sides.is_claimant(house) or record.status in ("captive", "dormant") or record.captor is not None:
        return "captive"
    if sides.shares_player(turn.state, house):
        return "shared-player"
    if house in turn.forced:
        return "forced"
    return "changed-before" if sides.has_used_its_change(turn.state, house) else None


def trade(turn: RosesTurn, may_give: MayGive = may_give_e12) -> None:
    """6.8.3 Trades: those that both sides have written alike are carried out, each wholly or not at all."""
    offers = {house: _offers(turn, house) for house in TABLES.seats}
    for house in TABLES.seats:
        for offer in offers[house]:
            if offer.paired:
                continue
            match = next((other for other in offers[offer.partner] if not other.paired and other is not offer and offer.matches(other)), None)
            if match is not None:
                offer.paired = match.paired = True
                with turn.carrying_out(house, "trade"):
                    _carry_out(turn, offer, may_give)
    for house in TABLES.seats:
        for offer in offers[house]:
            if not offer.paired:
                turn.tell("trade-lapsed", "6.8.3", told_to(turn.state, [house]), a=house, b=offer.partner,
                          a_gives=offer.gives, b_gives=offer.gets, reason="no-match")


def _offers(turn: RosesTurn, house: str) -> list[Offer]:
    if turn.state.houses[house].status == "dormant":
        return []
    with turn.carrying_out(house, "trade"):
        return [Offer(house, item["with"], part(item.get("i_give")), part(item.get("i_get"))) for item in turn.order(house, "trade") or []]


def part(written: dict[str, Any] | None) -> dict[str, Any]:
    """One half of a trade, with all its keys: {coins, castles (a set, in id order), allegiance}."""
    given = written or {}
    return {"coins": given.get("coins") or 0, "castles": sorted(dict.fromkeys(given.get("castles") or [])),
            "allegiance": bool(given.get("allegiance"))}


def _carry_out(turn: RosesTurn, offer: Offer, may_give: MayGive) -> None:
    halves = ((offer.house, offer.partner, offer.gives), (offer.partner, offer.house, offer.gets))
    reason = None
    if any(half["coins"] > turn.state.houses[giver].coins for giver, _taker, half in halves):
        reason = "no-coins"
    elif not all(may_give(turn, giver, castle) for giver, _taker, half in halves for castle in half["castles"]):
        reason = "no-castle"
    elif not all(may_pledge(turn, giver, taker) for giver, taker, half in halves if half["allegiance"]):
        reason = "no-allegiance"
    if reason is None:
        changes.trade(turn, offer.house, offer.partner, offer.gives, offer.gets)
    else:
        turn.tell("trade-lapsed", "6.8.3", told_to(turn.state, [offer.house, offer.partner]), a=offer.house, b=offer.partner,
                  a_gives=offer.gives, b_gives=offer.gets, reason=reason)


def may_pledge(turn: RosesTurn, giver: str, taker: str) -> bool:
    """6.8.3: a vassal that may change by choice, is not pledged yet, and is of the other faction than the taker."""
    return (may_change_by_choice(turn, giver) is None and giver not in turn.pledged
            and turn.state.houses[giver].faction != turn.state.houses[taker].faction)


def give(turn: RosesTurn, may_give: MayGive = may_give_e12) -> None:
    """6.8.4 Gifts: houses in seat order, each in file order; coins whole or not at all, castles one by one."""
    for house in TABLES.seats:
        if turn.state.houses[house].status == "dormant":
            continue
        with turn.carrying_out(house, "give"):
            for gift in turn.order(house, "give") or []:
                _give(turn, house, gift, may_give)


def _give(turn: RosesTurn, house: str, gift: dict[str, Any], may_give: MayGive) -> None:
    to, coins = gift["to"], gift.get("coins") or 0
    if coins > turn.state.houses[house].coins:
        _skip(turn, house, to, {"coins": coins}, "no-coins")
    elif coins:
        changes.give_coins(turn, house, to, coins)
    for castle in gift.get("castles") or []:
        if may_give(turn, house, castle):
            changes.give_castle(turn, castle, to, "6.8.4")
        else:
            _skip(turn, house, to, {"castle": castle}, "no-castle")


def _skip(turn: RosesTurn, house: str, to: str, what: dict[str, Any], reason: str) -> None:
    turn.tell("gift-skipped", "6.8.4", told_to(turn.state, [house]), house=house, to=to, what=what, reason=reason)
