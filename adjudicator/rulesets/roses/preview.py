"""What orders would come to, as far as their seat can know: the muster, where each entry of a march could lead, the winter's purse."""

from typing import Any

from ...core.report import Block, Bullets, Column, Heading, Span, Spans, Table, listed, say
from ...core.words import _
from . import outlook, sides, tellings
from .order_checks import starts_of
from .rules import musters
from .sight import View
from .tables import TABLES


def preview(view: View, orders: dict[str, Any]) -> list[Block]:
    """Blocks for `adjudicator preview`: of what the view shows and the orders say, and of nothing else."""
    if view.viewer not in view.houses:
        return []
    season = outlook.next_season(view)
    blocks: list[Block] = []
    if season == "Winter":
        return winter(view, orders)
    if view.houses[view.viewer].status != "active":
        return [Bullets([[Span(_("Your house is out of the war for now: only policies and letters count."))]])]
    if season == "Spring" and not sides.is_e3(view):
        blocks += muster(view, orders.get("muster", {}))
    for name, march, starts in _marches(view, orders):
        blocks += marching(view, name, march, starts)
    return blocks


def muster(view: View, order: dict[str, Any]) -> list[Block]:
    """5.1, 6.2.2: what the muster would bring at the place that it would be held at."""
    place = musters.muster_place(view, view.viewer, order.get("at") or [])
    if place is None:
        return [Heading(_("Muster")), Bullets([[Span(_("You hold no castle to muster at."))]])]
    entitled, most = musters.retinue_entitlement(view, view.viewer), musters.supporters_yield_at(view, view.viewer, place)
    wished = order.get("retinue")
    retinue, cut = musters.raise_retinue(musters.default_retinue(entitled) if wished is None else wished, entitled)
    wished_supporters = order.get("supporters")
    supporters, more_cut = musters.raise_supporters(musters.default_supporters(most) if wished_supporters is None else wished_supporters, most)
    companies = {type_: number for type_, number in supporters.items() if number}
    for type_ in retinue:
        companies[type_] = companies.get(type_, 0) + 1
    lines: list[Spans] = [say(_("At {place}: {companies}; {coins} come in."), place=tellings.place(place), companies=tellings.companies(companies) if companies else _("no company"),
                              coins=tellings.coins(entitled + most - sum(companies.values())))]
    if cut or more_cut:
        lines.append(say(_("Not to be had there: {types}."), types=tellings.count_types(cut + more_cut)))
    return [Heading(_("Muster")), Bullets(lines)]


def _marches(view: View, orders: dict[str, Any]) -> list[tuple[str, dict[str, Any], list[str]]]:
    """(what marches, its order, where it may start) for every march that is written."""
    if sides.is_e3(view):
        where = {army.group: army.point for army in outlook.own_armies(view)}
        return [(", ".join(tellings.group(block) for block in march.get("blocks", [])), march, [where[block] for block in march.get("blocks", []) if block in where][:1])
                for march in orders.get("march", [])]
    found = [(tellings.group("lord"), orders["march"], starts_of(orders, view, "lord"))] if "march" in orders else []
    return found + ([(tellings.group("captain"), orders["captain"], starts_of(orders, view, "captain"))] if "captain" in orders else [])


def marching(view: View, name: str, march: dict[str, Any], starts: list[str]) -> list[Block]:
    """5.3, 6.4.3: for each entry, whether it could be carried out if nothing changed before its moment."""
    if not march.get("to"):
        return []
    heading = Heading(_("March: {name}").format(name=name))
    if not starts:
        return [heading, Bullets([[Span(_("Where it will start cannot be said yet."))]])]
    reach = outlook.reach(view, view.viewer, starts[0])
    rows = [[[Span(str(number))], _goal_words(entry), _prospect(view, entry, starts[0], reach)] for number, entry in enumerate(march["to"], 1)]
    return [heading, Table([Column(_("entry"), "right"), Column(_("goal")), Column(_("from {place}, as you see it now").format(place=_(TABLES.points[starts[0]].name)), wide=True)], rows)]


def _goal_words(entry: dict[str, Any]) -> Spans:
    if "hold" in entry:
        return [Span(_("hold"))]
    way = next(way for way in ("place", "path", "toward", "hunt", "join") if way in entry)
    goal = listed([tellings.place(point) for point in entry["path"]]) if way == "path" else [tellings.house(entry[way])] if way in ("hunt", "join") else [tellings.place(entry[way])]
    return [*([] if way == "place" else [Span(f"{way} ", "code")]), *goal, *([Span(f" ({entry['when']})", "small")] if "when" in entry else [])]


def _prospect(view: View, entry: dict[str, Any], start: str, reach: dict[str, int]) -> Spans:
    if "hold" in entry:
        return [Span(_("always possible"))]
    goal = _goal(view, entry)
    if goal is None:
        return [Span(_("his army is nowhere that you see"))]
    if "when" in entry and (goal in outlook.hostile_points(view, view.viewer)) != (entry["when"] == "occupied"):
        return [Span(_("no: {place} is {state}").format(place=_(TABLES.points[goal].name), state=_("clear") if entry["when"] == "occupied" else _("occupied")))]
    if "path" in entry:
        steps = [start, *entry["path"]]
        joined = all(after in TABLES.roads[before] for before, after in zip(steps, steps[1:]))
        cost = sum(sides.system(view).road_cost[TABLES.roads[before][after]] for before, after in zip(steps, steps[1:])) if joined else 0
        return [Span(_("possible") if joined and cost <= sides.edition(view).march_points else _("not from here"))]
    if goal == start:
        return [Span(_("you stand there"))]
    if "toward" in entry:
        return [Span(_("on the way, {roads} roads in all").format(roads=TABLES.distances[start][goal]))]
    there = [army for army in view.armies if army.point == goal and army.how == "seen"]
    said = [Span(_("in reach, cost {cost}").format(cost=reach[goal]) if goal in reach else _("out of reach: {roads} roads, or the way is barred").format(roads=TABLES.distances[start][goal]))]
    return [*said, Span("; "), *listed([tellings.house(army.house) for army in there]), Span(_(" stands there"))] if there else said


def _goal(view: View, entry: dict[str, Any]) -> str | None:
    if "hunt" in entry or "join" in entry:
        house, group = entry.get("hunt") or entry.get("join"), "retinue" if sides.is_e3(view) else "lord"
        return next((army.point for army in view.armies if army.house == house and army.group == group and army.how != "remembered"), None)
    return entry["path"][-1] if "path" in entry else entry.get("place") or entry.get("toward")


def winter(view: View, orders: dict[str, Any]) -> list[Block]:
    """5.4, 6.8: the coins that the orders would use, against those in hand; what others give comes on top."""
    coins = view.houses[view.viewer].coins or 0
    lines: list[Spans] = [say(_("You have {coins}."), coins=tellings.coins(coins))]
    asked = 0
    for trade in orders.get("trade", []):
        if trade.get("i_give", {}).get("coins"):
            asked += trade["i_give"]["coins"]
            lines.append(say(_("The trade with {house} takes {coins}, if his file names it too."), house=tellings.house(trade["with"]), coins=tellings.coins(trade["i_give"]["coins"])))
    for gift in orders.get("give", []):
        if gift.get("coins"):
            asked += gift["coins"]
            lines.append(say(_("The gift to {house} takes {coins}."), house=tellings.house(gift["to"]), coins=tellings.coins(gift["coins"])))
    price = sides.edition(view).office_price
    if price and orders.get("offices"):
        asked += price * orders["offices"]
        lines.append(say(_("{number} offices cost {coins}."), number=orders["offices"], coins=tellings.coins(price * orders["offices"])))
    for castle in orders.get("buy_loyalty", []):
        cost = TABLES.numbers.e3.loyalty_price[TABLES.points[castle].castle]
        asked += cost
        lines.append(say(_("The loyalty of {castle} costs {coins}, if you change sides."), castle=tellings.place(castle), coins=tellings.coins(cost)))
    lines.append([Span(_("That is more than you have: trades come first, then gifts, then the rest, while the coins last.") if asked > coins else _("Together {coins}: enough is there.").format(coins=asked), "strong")])
    return [Heading(_("Coins")), Bullets(lines)]
