"""Chapter 5: how a seat's orders fit together and into its view: the refusals and warnings that no single value shows (E12; E3's own in `order_checks_third`)."""

from typing import Any

from ...core.orders import Remarks
from ...core.words import _
from . import order_checks_third, orders_third, sides
from .rules import musters
from .sight import ArmyView, View
from .state import season_of
from .tables import TABLES

WAR_ORDERS = ("march", "captain", "muster", "bids", "mercenaries", "hire")
MARCHING_FIELDS = ("to", "with", "meet", "storm", "attempts", "keep", "after")


def check(orders: dict[str, Any], view: View, remarks: Remarks) -> None:
    """Every refusal and warning of chapter 5 that needs more than the value itself; order by order."""
    if view.houses[view.viewer].status != "active":
        for key in WAR_ORDERS:
            if key in orders:
                remarks.doubt((key,), "NOT-ACTIVE", _("your house is {status} and takes no part in the war: this order will have no effect").format(
                    status=_(view.houses[view.viewer].status)), rule="5.0")
    if sides.is_e3(view):
        order_checks_third.check(orders, view, remarks, check_march)
    else:
        check_e12(orders, view, remarks)
    for place, gift in enumerate(orders.get("give", [])):
        check_gift(("give", place), gift, view, remarks)
    for place, trade in enumerate(orders.get("trade", [])):
        check_trade(("trade", place), trade, view, remarks)
    if orders.get("allegiance") in ("change", "change-if-confiscated"):
        check_allegiance(("allegiance",), view, remarks)


def check_e12(orders: dict[str, Any], view: View, remarks: Remarks) -> None:
    """5.1, 5.3: what E1 and E2 have in a form of their own."""
    if "muster" in orders:
        check_muster(orders["muster"], view, remarks)
    if "march" in orders:
        check_march(("march",), orders["march"], starts_of(orders, view, "lord"), view, remarks)
        if season_of(view.turn + 1) != "Spring" and _army(view, "lord") is None and view.houses[view.viewer].status == "active":
            remarks.doubt(("march",), "NO-ARMY", _("you have no army on the map: this order will have no effect"), rule="5.3")
    if "captain" in orders:
        check_captain(orders["captain"], orders, view, remarks)


def check_muster(muster: dict[str, Any], view: View, remarks: Remarks) -> None:
    """5.1: not more retinue, men-at-arms or supporters than the house is entitled to."""
    me = view.viewer
    entitled = musters.retinue_entitlement(view, me)
    knights = musters.men_at_arms_limit(entitled)
    retinue = muster.get("retinue", [])
    if len(retinue) > entitled:
        remarks.refuse(("muster", "retinue"), "TOO-MANY", _("{count} retinue companies are more than your {most}").format(count=len(retinue), most=entitled),
                       allowed=_("up to {most} companies: 2 for your home castle, 2 for London").format(most=entitled), rule="5.1")
    elif retinue.count("men-at-arms") > knights:
        remarks.refuse(("muster", "retinue"), "TOO-MANY", _("{count} companies of men-at-arms are more than half of your {all}").format(
            count=retinue.count("men-at-arms"), all=entitled), allowed=_("up to {most} men-at-arms").format(most=knights), rule="5.1")
    if "supporters" in muster:
        places = muster.get("at") or musters.default_places(view, me)[:1]
        most = max((musters.supporters_yield_at(view, me, place) for place in places), default=0)
        wanted = sum(muster["supporters"].values())
        if wanted > most:
            remarks.refuse(("muster", "supporters"), "TOO-MANY", _("{count} companies of supporters are more than the {most} that can come").format(count=wanted, most=most),
                           allowed=_("up to {most} at {places}").format(most=most, places=", ".join(TABLES.place_names[place] for place in places) or "-"), rule="5.1")


def starts_of(orders: dict[str, Any], view: View, group: str) -> list[str]:
    """Where the army may stand when it marches: where it is now; in Spring, where it may be mustered."""
    if season_of(view.turn + 1) == "Spring":
        return orders.get("muster", {}).get("at") or musters.default_places(view, view.viewer)[:1]
    army = _army(view, group) or (_army(view, "lord") if group == "captain" else None)
    return [army.point] if army else []


def _army(view: View, group: str) -> ArmyView | None:
    return next((army for army in view.armies if army.house == view.viewer and army.group == group), None)


def check_march(path: tuple, march: dict[str, Any], starts: list[str], view: View, remarks: Remarks) -> None:
    """5.3: friends are joined and enemies hunted, paths hang together; a far goal is doubted."""
    me = view.viewer
    mine = view.houses[me].faction
    if "with" in march and (march["with"] == me or view.houses[march["with"]].faction != mine):
        remarks.refuse((*path, "with"), "WRONG-SIDE", _("you cannot march with {house}").format(house=TABLES.house_names[march["with"]]),
                       allowed=_("another house of your faction"), rule="5.3")
    points = sides.edition(view).march_points
    for number, entry in enumerate(march.get("to", [])):
        here = (*path, "to", number)
        if "hunt" in entry and view.houses[entry["hunt"]].faction == mine:
            remarks.refuse((*here, "hunt"), "WRONG-SIDE", _("{house} is of your own faction").format(house=TABLES.house_names[entry["hunt"]]), allowed=_("a house of the other faction"), rule="5.3")
        if "join" in entry and (entry["join"] == me or view.houses[entry["join"]].faction != mine):
            remarks.refuse((*here, "join"), "WRONG-SIDE", _("{house} cannot be joined").format(house=TABLES.house_names[entry["join"]]), allowed=_("another house of your faction"), rule="5.3")
        if "path" in entry:
            _check_path(here, entry["path"], starts, points, view, remarks)
        if "place" in entry and starts and all(not _within(view, start, entry["place"], points) for start in starts):
            remarks.doubt((*here, "place"), "FAR", _("{place} is more than {points} roads from {start}").format(
                place=TABLES.place_names[entry["place"]], points=points, start=TABLES.place_names[starts[0]]), rule="5.3",
                suggestion=_("{{toward: {place}}} goes as far as you can").format(place=entry["place"]))


def _within(view: View, start: str, goal: str, points: int) -> bool:
    """5.3: could the goal be reached over an empty map?"""
    cost = sides.system(view).road_cost
    reached = {start: 0}
    queue = [start]
    for point in queue:
        for near, kind in TABLES.roads[point].items():
            spent = reached[point] + cost[kind]
            if spent <= points and spent < reached.get(near, points + 1):
                reached[near] = spent
                queue.append(near)
    return goal in reached


def _check_path(here: tuple, path: list[str], starts: list[str], points: int, view: View, remarks: Remarks) -> None:
    cost = sides.system(view).road_cost
    spent = 0
    for number, (before, after) in enumerate(zip(path, path[1:])):
        kind = TABLES.roads[before].get(after)
        if kind is None:
            remarks.refuse((*here, "path", number + 1), "NOT-ADJACENT", _("no road joins {a} and {b}").format(a=TABLES.place_names[before], b=TABLES.place_names[after]),
                           allowed=_("from {a}: {near}").format(a=TABLES.place_names[before], near=", ".join(TABLES.place_names[near] for near in TABLES.roads[before])), rule="5.3")
            return
        spent += cost[kind]
    if spent > points:
        remarks.refuse((*here, "path"), "TOO-FAR", _("this path is longer than {points} roads").format(points=points), rule="5.3")
    elif starts and all(path[0] not in TABLES.roads[start] for start in starts):
        remarks.doubt((*here, "path", 0), "FAR", _("{place} is not next to {start}").format(place=TABLES.place_names[path[0]], start=TABLES.place_names[starts[0]]), rule="5.3")
    elif starts and all(spent + cost[TABLES.roads[start][path[0]]] > points for start in starts if path[0] in TABLES.roads[start]):
        remarks.doubt((*here, "path"), "FAR", _("this path takes more than {points} roads").format(points=points), rule="5.3")


def check_captain(captain: dict[str, Any], orders: dict[str, Any], view: View, remarks: Remarks) -> None:
    """5.3: the captain must be there, and have an army or get one."""
    if view.houses[view.viewer].captain == "lost":
        remarks.refuse(("captain",), "NO-CAPTAIN", _("your captain is lost until spring"), rule="5.3")
        return
    spring = season_of(view.turn + 1) == "Spring"
    army, lords = _army(view, "captain"), _army(view, "lord")
    detach = {type_: number for type_, number in captain.get("detach", {}).items() if number}
    if any(field in captain for field in MARCHING_FIELDS) and not detach and army is None:
        remarks.refuse(("captain",), "NO-ARMY", _("your captain leads no army, and this order gives him none"), allowed=_("`detach` with companies of the lord's army"), rule="5.3")
    if detach and not spring:
        companies = lords.companies or {} if lords else {}
        for type_, number in detach.items():
            if number > companies.get(type_, 0):
                remarks.refuse(("captain", "detach", type_), "TOO-MANY", _("your lord's army has {have} of {type}, not {number}").format(have=companies.get(type_, 0), type=type_, number=number), rule="5.3")
                return
        if sum(detach.values()) >= sum(companies.values()):
            remarks.refuse(("captain", "detach"), "TOO-MANY", _("one company at least stays with the lord"), rule="5.3")
    check_march(("captain",), captain, starts_of(orders, view, "captain"), view, remarks)


def check_gift(path: tuple, gift: dict[str, Any], view: View, remarks: Remarks) -> None:
    """5.4: a gift goes to another house that is in play, and is something."""
    _check_partner((*path, "to"), gift["to"], view, remarks)
    if not gift.get("coins") and not gift.get("castles"):
        remarks.refuse(path, "EMPTY", _("this gift gives nothing"), allowed=_("coins, castles, or both"), rule="5.4")


def _check_partner(path: tuple, house: str, view: View, remarks: Remarks) -> None:
    if house == view.viewer or view.houses[house].status == "dormant":
        remarks.refuse(path, "WRONG-HOUSE", _("that is your own house") if house == view.viewer else _("{house} is not in play").format(house=TABLES.house_names[house]),
                       allowed=_("another house that is in play"), rule="5.4")


def check_trade(path: tuple, trade: dict[str, Any], view: View, remarks: Remarks) -> None:
    """5.4: who may trade what with whom."""
    me, other = view.viewer, trade["with"]
    give, get = trade.get("i_give", {}), trade.get("i_get", {})
    _check_partner((*path, "with"), other, view, remarks)
    for number, castle in enumerate(give.get("castles", [])):
        why = orders_third.why_not_given(view, castle) if sides.is_e3(view) else _why_not_given(view, castle)
        if why is not None:
            remarks.refuse((*path, "i_give", "castles", number), why[0], why[1], rule="5.4")
    for number, castle in enumerate(get.get("castles", [])):
        if view.castles[castle] == me:
            remarks.refuse((*path, "i_get", "castles", number), "WRONG-SIDE", _("{place} is yours already").format(place=TABLES.place_names[castle]), rule="5.4")
        elif sides.is_e3(view) and (not sides.is_claimant(other) or sides.is_london_or_claimants_home(castle)):
            remarks.doubt((*path, "i_get", "castles", number), "NOT-CLAIMANT", _("only a claimant gives castles away, and never London, Lancaster or York"), rule="5.4")
    same = view.houses[other].faction == view.houses[me].faction
    if give.get("allegiance") and get.get("allegiance"):
        remarks.refuse((*path, "i_get", "allegiance"), "WRONG-SIDE", _("allegiance cannot stand on both sides"), rule="5.4")
    elif get.get("allegiance") and (sides.is_claimant(other) or same):
        remarks.refuse((*path, "i_get", "allegiance"), "WRONG-SIDE", _("{house} cannot come over to you").format(house=TABLES.house_names[other]),
                       allowed=_("allegiance of a vassal of the other faction"), rule="5.4")
    elif give.get("allegiance") and same:
        remarks.refuse((*path, "i_give", "allegiance"), "WRONG-SIDE", _("{house} is of your own faction").format(house=TABLES.house_names[other]), rule="5.4")
    elif give.get("allegiance"):
        if sides.is_claimant(me):
            remarks.refuse((*path, "i_give", "allegiance"), "CLAIMANT", _("a claimant heads his faction and cannot leave it"), rule="5.4")
        else:
            check_allegiance((*path, "i_give", "allegiance"), view, remarks)
    if not any(side.get(key) for side in (give, get) for key in ("coins", "castles", "allegiance")):
        remarks.refuse(path, "EMPTY", _("nothing is exchanged here"), allowed=_("coins, castles or allegiance on one side or both"), rule="5.4")


def _why_not_given(view: View, castle: str) -> tuple[str, str] | None:
    """5.4 (E12): a house gives away what is its own, but not its home castle."""
    if view.castles[castle] != view.viewer:
        return "NOT-YOURS", _("{place} is not yours").format(place=TABLES.place_names[castle])
    if castle == sides.home_of(view.viewer):
        return "HOME", _("{place} is your home castle").format(place=TABLES.place_names[castle])
    return None


def check_allegiance(path: tuple, view: View, remarks: Remarks) -> None:
    """5.4: who may change sides."""
    me = view.houses[view.viewer]
    if sides.shares_player(view, view.viewer):
        remarks.refuse(path, "SHARED-PLAYER", _("you hold another seat, and would play against yourself"), rule="5.4")
    elif me.status == "captive" or me.captor is not None:
        remarks.refuse(path, "CAPTIVE", _("a captive, or a house whose lord is held, cannot change sides"), rule="5.4")
    elif sides.has_used_its_change(view, view.viewer):
        remarks.refuse(path, "ALREADY", _("your house has changed sides once, and may do so only once in the game"), rule="5.4")
