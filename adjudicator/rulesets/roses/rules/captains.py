"""6.4.1: captains rejoin their lords, and leave them with companies of their own (E12)."""

from collections.abc import Mapping

from .. import changes, sides
from ..tables import TABLES
from ..workspace import RosesTurn


def rejoin_and_detach(turn: RosesTurn) -> None:
    """6.4.1 Start: simultaneously for every active house, first `rejoin`, then `detach`."""
    for house in TABLES.seats:
        if not sides.is_active(turn.state, house):
            continue   # told with the march orders, 6.4.2
        with turn.carrying_out(house, "captain"):
            order = turn.order(house, "captain") or {}
            if order.get("rejoin"):
                _rejoin(turn, house)
            if order.get("detach"):
                _detach(turn, house, order["detach"])


def _rejoin(turn: RosesTurn, house: str) -> None:
    groups = turn.state.houses[house].groups
    if "captain" in groups and "lord" in groups and groups["captain"].point == groups["lord"].point:
        changes.rejoin_captain(turn, house)
    else:
        changes.skip_order(turn, "6.4.1", house, "captain.rejoin", "not-together")


def _detach(turn: RosesTurn, house: str, wished: Mapping[str, int]) -> None:
    record = turn.state.houses[house]
    lord = record.groups.get("lord")
    at_hand = record.captain == "with-lord" or (
        record.captain == "leads" and lord is not None and record.groups["captain"].point == lord.point)
    companies: dict[str, int] = {}
    if lord is not None and at_hand:
        spare = lord.size - 1   # the lord keeps at least one company
        for type_, number in wished.items():
            going = min(number, lord.companies.get(type_, 0), spare)
            if going > 0:
                companies[type_] = going
                spare -= going
    if companies:
        changes.detach_captain(turn, house, companies)
    else:
        changes.skip_order(turn, "6.4.1", house, "captain.detach", "nothing-to-detach")
