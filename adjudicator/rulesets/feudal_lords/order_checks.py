"""5.3: warnings about orders that could be read, from the seat's own view. `plan` is not looked at."""

from typing import Any

from ...core.orders import Remarks
from ...core.words import _
from . import domains
from .cardlists import ANY, entry_of
from .rules.battles import side_of
from .sight import View
from .tables import TABLES


def check(orders: dict[str, Any], view: View, remarks: Remarks) -> None:
    """5.3: what looks impossible or idle from this seat's view is doubted, and kept."""
    lord = view.seats.get(view.viewer)
    if lord is None:
        return
    hand = lord.hand or {}
    for key in ("land", "recruit"):
        for place, written in enumerate(orders.get(key, [])):
            card = entry_of(written).card
            if card != ANY and card not in hand:
                remarks.doubt((key, place), "NOT-IN-HAND", _("you do not hold {card} now, and cards are drawn only after this phase").format(card=TABLES.cards[card].name), rule="5.3")
    check_price(orders.get("land", []), view, remarks)
    if orders.get("attack") and view.round <= view.options["peace-turns"]:
        remarks.doubt(("attack",), "PEACE", _("no battles are fought before round {round}").format(round=view.options["peace-turns"] + 1), rule="5.3")
    if orders.get("confidence") == "buy" and domains.has_confidence(view, view.viewer):
        remarks.doubt(("confidence",), "ALREADY-HELD", _("you hold the King’s Confidence already"), rule="5.3")
    check_wars(orders.get("policies", {}).get("wars", []), view, remarks)


def check_price(land: list[str], view: View, remarks: Remarks) -> None:
    """5.3: a list of Lands none of which can be paid from the gold now held and the coming income."""
    gold = (view.seats[view.viewer].gold or 0) + coming_income(view, view.viewer)
    if land and ANY not in land and all(TABLES.cards[card].price > gold for card in land):
        remarks.doubt(("land",), "CANNOT-PAY", _("you will have {gold} gold, too little for any of these").format(gold=gold), rule="5.3")


def coming_income(view: View, seat: str) -> int:
    """10: the gold of the next gold phase; 0 in revolt."""
    lord = view.seats[seat]
    return 0 if lord.revolt else domains.income(lord.domain)


def check_wars(wars: list[dict[str, Any]], view: View, remarks: Remarks) -> None:
    """5.3: an entry that an earlier one always hides."""
    others = domains.clockwise(view.order, view.viewer)
    matched: list[list[tuple[str, str]]] = []
    for place, entry in enumerate(wars):
        pairs = [(attacker, defender) for attacker in others for defender in others if attacker != defender and side_of(entry, attacker, defender)]
        if pairs and any(all(pair in earlier for pair in pairs) for earlier in matched):
            remarks.doubt(("policies", "wars", place), "HIDDEN", _("an earlier entry fits every battle that this one fits: it will never be used"), rule="5.3")
        matched.append(pairs)
