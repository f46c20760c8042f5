"""Chapter 12, point 10: what may be ordered for the coming turn, with its numbers."""

from ...core.report import Block, Bullets, Column, Desk, Facts, Heading, Paragraph, Section, Span, Spans, Table, listed, say
from ...core.words import _, ngettext
from . import outlook, sides, tellings
from .rules import musters
from .sight import View
from .tables import CLAIMANT, TABLES, other_faction


def section(view: View, desk: Desk) -> Section | None:
    """None where the seat is asked for nothing."""
    if not desk.next_title:
        return None
    house, record = view.viewer, view.houses[view.viewer]
    season = outlook.next_season(view)
    blocks: list[Block] = [Paragraph(say(_("{turn}: orders until {deadline}."), turn=Span(desk.next_title, "strong"), deadline=desk.deadline or _("the deadline")))]
    if record.status in ("captive", "neutral") and season != "Winter":
        blocks.append(Paragraph([Span(_("Your house is out of the war for now: it neither musters nor marches. Policies may still be set, and letters written."))], "warning"))
    elif season == "Spring":
        blocks += _spring_e3(view) if sides.is_e3(view) else _spring(view)
    elif season == "Winter":
        blocks += _winter_e3(view) if sides.is_e3(view) else _winter(view)
    if season != "Winter" and record.status == "active":
        blocks += _manoeuvres(view, house)
    return Section("next", _("Next turn"), blocks)


def _spring(view: View) -> list[Block]:
    """R and Y for each place of muster, the men-at-arms, the lots."""
    house = view.viewer
    entitled = musters.retinue_entitlement(view, house)
    places = musters.default_places(view, house)
    if not places:
        return [Paragraph([Span(_("You hold no castle: you cannot muster this spring, nor bid for mercenaries."))], "warning")]
    by_yield: dict[int, list[str]] = {}
    for castle in places:
        by_yield.setdefault(musters.supporters_yield_at(view, house, castle), []).append(castle)
    rows = [[[Span(str(entitled))], [Span(str(number))], [Span(str(entitled + number), "strong")], tellings.places(castles)] for number, castles in sorted(by_yield.items(), reverse=True)]
    numbers = TABLES.numbers.e12
    legitimate = sides.legitimate(view)
    if legitimate is not None:
        picker = CLAIMANT[other_faction(legitimate)]
        free = say(_("{house} picks {n} of them free"), house=tellings.house(picker), n=numbers.mercenaries_free)
    else:
        free = say(_("the claimants pick one each free"))
    pool = tellings.count_types(numbers.mercenary_pool)
    coins = view.houses[house].coins
    return [Heading(_("Muster")),
            Table([Column(_("retinue"), "right"), Column(_("supporters"), "right"), Column(_("together"), "right"), Column(_("at"), wide=True)], rows,
                  note=_("Of the retinue at most {n} may be men-at-arms. What is not raised comes in as coins.").format(n=musters.men_at_arms_limit(entitled))),
            Heading(_("Mercenaries")),
            Paragraph(say(_("This spring there are {pool}: {free}, the rest is sold lot by lot from {start}. You have {coins}, and what the muster brings."), pool=pool, free=free,
                          start=tellings.coins(numbers.auction_start), coins=tellings.coins(coins or 0)))]


def _spring_e3(view: View) -> list[Block]:
    """E3: what the castles would yield, hiring, the Burgundians."""
    house, numbers = view.viewer, TABLES.numbers.e3
    large = [castle for castle in sides.castles_of(view, house) if TABLES.value(castle) == 2]
    return [Heading(_("Muster and mercenaries")), Bullets([
        say(_("Your castles are worth {value}; those that are joined to your retinue or your home yield companies or coins."), value=sides.value_of(view, house)),
        say(_("Mercenaries cost {price} a company, at {castles}."), price=tellings.coins(numbers.mercenary_price), castles=tellings.places(large) if large else _("no castle of yours: only large ones hire")),
        say(_("The Burgundians ({types}) are sold from {price}; you have {coins}."), types=tellings.count_types(numbers.burgundians), price=tellings.coins(numbers.auction_start), coins=tellings.coins(view.houses[house].coins or 0))])]


def _manoeuvres(view: View, house: str) -> list[Block]:
    """Points in reach of each army, by distance, with their holders and who stands there."""
    blocks: list[Block] = []
    armies = outlook.own_armies(view)
    together: dict[str, list[str]] = {}
    for army in armies:
        if not army.inside:
            together.setdefault(army.point, []).append(tellings.group(army.group))
    starts: list[tuple[str, str]] = [(", ".join(names), point) for point, names in together.items()]
    if not starts and outlook.next_season(view) == "Spring" and not sides.is_e3(view):
        starts = [(_("after the default muster"), place) for place in musters.default_places(view, house)[:1]]
    if starts:
        blocks.append(Heading(_("Points in reach")))
    for name, start in starts:
        reach = outlook.reach(view, house, start)
        rows = []
        for cost in sorted({*reach.values()} - {0}):
            points = sorted((point for point in reach if reach[point] == cost), key=lambda point: TABLES.points[point].name)
            rows.append([[Span(str(cost))], listed([_point(view, point) for point in points])])
        blocks.append(Table([Column(_("roads") if not sides.is_e3(view) else _("cost"), "right"), Column(_("from {place}, {army}").format(place=TABLES.points[start].name, army=name), wide=True)], rows))
    if starts:
        blocks.append(Paragraph([Span(_("The shield is the castle’s holder. Strength in brackets: armies that you see there now."))], "quiet"))
    return blocks


def _point(view: View, point: str) -> Spans:
    holder = view.castles.get(point)
    there = [army for army in view.armies if army.point == point and army.how in ("seen", "faction")]
    said: Spans = [tellings.house(holder)] if holder else []
    if said:
        said[0].text = ""
    said.append(Span(_(TABLES.points[point].name) + ("" if holder or point not in view.castles else _(" (nobody’s)"))))
    if there:
        from .drawing import army_words
        said += [Span(" (")] + listed([say("{house} {n}", house=tellings.house(army.house), n=Span(army_words(army), "strong")) for army in there]) + [Span(")")]
    return said


def _winter(view: View) -> list[Block]:
    """Bargains open, offices and their price, castles that may be confiscated."""
    house, record = view.viewer, view.houses[view.viewer]
    price = sides.edition(view).office_price or 0
    coins = record.coins or 0
    facts: list[tuple[str, Spans]] = [(_("Disbanding"), [Span(_("all armies go home"))]),
                                      (_("Offices"), say(ngettext("{price} each for +1 prestige; with {coins} you can pay for {n}", "{price} each for +1 prestige; with {coins} you can pay for {n}", coins // price if price else 0),
                                                         price=tellings.coins(price), coins=tellings.coins(coins), n=coins // price if price else 0))]
    facts += _bargains(view)
    if sides.is_claimant(house):
        castles = [castle for castle in TABLES.castles if view.castles[castle] not in (None, house) and sides.faction_controls(view, record.faction, castle)
                   and view.houses[view.castles[castle] or house].status == "active" and castle != sides.home_of(view.castles[castle] or house)]
        facts.append((_("You may confiscate one of"), listed([_point(view, castle) for castle in castles]) if castles else [Span(_("nothing"))]))
    else:
        facts.append((_("Allegiance"), _allegiance(view)))
    return [Facts(facts)]


def _bargains(view: View) -> list[tuple[str, Spans]]:
    house = view.viewer
    give = [castle for castle in sides.castles_of(view, house) if castle != sides.home_of(house)]
    others = [other for other in TABLES.seats if view.houses[other].faction != view.houses[house].faction and not sides.is_claimant(other) and view.houses[other].status in ("active", "neutral")
              and view.houses[other].captor is None and not sides.shares_player(view, other)]
    return [(_("You may give or trade"), [Span(_("coins; "))] + (tellings.places(give) if give else [Span(_("no castle"))])),
            (_("Allegiance may be bought of"), tellings.houses(others) if others else [Span(_("nobody"))])]


def _allegiance(view: View) -> Spans:
    house, record = view.viewer, view.houses[view.viewer]
    if record.captor is not None or record.status == "captive":
        return [Span(_("a captive cannot change sides"))]
    if sides.shares_player(view, house):
        return [Span(_("your player holds several houses: none of them changes sides by choice"))]
    cost = TABLES.numbers.e12.prestige["change_of_allegiance"]
    faction = _(tellings.FACTIONS_MANY[other_faction(record.faction)])
    if sides.is_e3(view):
        return [Span(_("stay, or go over to the {faction} after loyalty tests").format(faction=faction))]
    return [Span(_("stay, or go over to the {faction} ({prestige}, unless your lord has confiscated a castle of yours)").format(faction=faction, prestige=tellings.prestige(cost)))]


def _winter_e3(view: View) -> list[Block]:
    """E3: the cost of keeping companies, the odds and the price of loyalty."""
    numbers, house = TABLES.numbers.e3, view.viewer
    rows = []
    for army in outlook.own_armies(view):
        size = army.size or 0
        if army.group not in ("retinue", "mercenaries"):
            rows.append([[Span(tellings.group(army.group))], [Span(str(size))], [Span(_("goes home"))]])
            continue
        if sides.stance(view, house, army.point) == "enemy":
            rows.append([[Span(tellings.group(army.group))], [Span(str(size))], [Span(_("disbanded: it stands at an enemy castle"))]])
            continue
        friendly = sides.stance(view, house, army.point) in ("own", "allied")
        free = min(size, numbers.free_winter_retinue.get(TABLES.points[army.point].castle, 0)) if army.group == "retinue" and friendly else 0
        rows.append([[Span(tellings.group(army.group))], [Span(str(size))], [Span(_("{free} free, each further company {price}").format(free=free, price=tellings.coins(numbers.winter_price)))]])
    blocks: list[Block] = [Table([Column(_("block")), Column(_("companies"), "right"), Column(_("in winter"), wide=True)], rows)] if rows else []
    facts = _bargains(view) if sides.is_claimant(house) else [(_("Allegiance"), _allegiance(view))]
    tests = [say(_("{castle} (fails on {odds} in 6; {price})"), castle=tellings.place(castle), odds=len(numbers.loyalty_fails_on[TABLES.points[castle].castle]), price=tellings.coins(numbers.loyalty_price[TABLES.points[castle].castle]))
             for castle in sides.castles_of(view, house) if castle != sides.home_of(house)]
    if tests and not sides.is_claimant(house):
        facts.append((_("Loyalty, should you change sides"), listed(tests)))
    return [*blocks, Facts(facts)]
