"""Parts of chapter 5 that the orders of all editions have: marches, gifts and trades."""

from typing import Any

from ...core.orders import Choice, Field, Fields, ListOf, Name, Whole
from ...core.words import _
from . import order_kinds as kinds
from . import sides
from .sight import View
from .tables import TABLES


def marching(view: View) -> dict[str, Field]:
    """5.3: the fields that every army's march has."""
    return {
        "to": Field(ListOf(kinds.Entry(), rule="5.3"),
                    help=_("preference list, the first entry that is legal at your moment is taken: a PLACE, {place: PLACE, when: clear}, {path: [P, Q]}, "
                           "{toward: PLACE}, {hunt: HOUSE}, {join: HOUSE}, hold; each mapping may add `when: clear` or `when: occupied`."), default="hold"),
        "with": Field(kinds.house("5.3"), help=_("march in this ally's host if you stand together when he marches."), default=_("alone")),
        "meet": Field(Choice(kinds.MEETINGS, rule="5.3"), help=_("what to do about enemies in the way: attack, attack-if-stronger, halt."), default=_("your policy `meet`")),
        "storm": Field(kinds.Storm(), help=_("castles to storm if you end there: a list, or any."), default=_("none")),
        "attempts": Field(Whole(1, view.options["storm_attempts"], rule="5.3"), help=_("how often to try, each time for one company."), default="1"),
        "keep": Field(Whole(rule="5.3"), help=_("do not storm unless so many companies remain after paying."), default="1"),
    }


def bargains(view: View, castle: Name) -> dict[str, Field]:
    """5.4: gifts and trades. castle: the castles that the seat may give away."""
    others = kinds.house("5.4")
    castles = Field(ListOf(castle, unique=True, rule="5.4"), help=_("castles of yours."))
    if sides.is_e3(view) and not sides.is_claimant(view.viewer):
        castles = Field(ListOf(castle), rule="5.4", closed=("NOT-CLAIMANT", _("only a claimant gives castles away")))
    gift = Fields(_("a gift"), {"to": Field(others, help=_("a house.")), "coins": Field(Whole(rule="5.4"), help=_("coins, all or nothing.")), "castles": castles},
                  required=("to",), rule="5.4")
    trade = Fields(_("a trade"), {
        "with": Field(others, help=_("a house, whose file must name the same exchange.")),
        "i_give": Field(kinds.side_of_trade(), help=_("coins, castles, or allegiance: true (you go over to his faction).")),
        "i_get": Field(kinds.side_of_trade(), help=_("the same, from him.")),
    }, required=("with",), rule="5.4")
    friend = _example_friend(view)
    return {
        "give": Field(ListOf(gift, each=True), _("Presents, one-sided."), "5.4", _("nothing"), example=[{"to": friend, "coins": 1}]),
        "trade": Field(ListOf(trade, each=True), _("Exchanges that happen only if both sides write the same."), "5.4", _("nothing"),
                       example=[{"with": friend, **_example_exchange(view, friend)}]),
    }


def _example_friend(view: View) -> str:
    mine = view.houses[view.viewer]
    friends = [house for house in TABLES.seats if house != view.viewer and view.houses[house].faction == mine.faction and view.houses[house].status != "dormant"]
    return (friends or [house for house in TABLES.seats if house != view.viewer and view.houses[house].status != "dormant"])[0]


def _example_exchange(view: View, friend: str) -> dict[str, Any]:
    """Coins for a castle, where the friend may give one away; else coins for coins."""
    may_not = sides.is_london_or_claimants_home if sides.is_e3(view) else sides.home_of(friend).__eq__
    castles = [castle for castle in sides.castles_of(view, friend) if not may_not(castle)]
    if castles and (sides.is_claimant(friend) or not sides.is_e3(view)):
        return {"i_give": {"coins": 2}, "i_get": {"castles": castles[:1]}}
    return {"i_give": {"coins": 2}, "i_get": {"coins": 1}}
