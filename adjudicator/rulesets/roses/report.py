"""Chapter 12: what one viewer is told of a turn, in eleven parts."""

from ...core.events import GM, PUBLIC, Event
from ...core.report import Attachment, Block, Bullets, Column, Desk, Facts, Figure, Heading, Paragraph, Report, Section, Source, Span, Spans, Story, Table, letters_section, listed, say
from ...core.words import _
from . import badges, became, nextturn, outlook, position, sides, tellings
from .drawing import army_words, draw_map
from .sight import View
from .tables import CLAIMANT, TABLES

EDITION_TITLES = {"first": "The Camp", "second": "The Hosts", "third": "The Blocks"}
FIGHTS = ("battle-detail", "assault-detail")
AFTER_FIGHT = ("beaten-retreat", "captured", "captain-lost")
IMPORTANT = ("victory", "end", "captured", "home-fallen", "rout", "surrender", "castle-taken", "allegiance", "legitimacy", "assault", "battle", "confiscated")
NOT_NEWS = ("battle-detail", "assault-detail")


def report(view: View, events: list[Event], desk: Desk) -> Report:
    """12 The report: for a seat its own war; for the game master everything; for the public what everybody knows."""
    viewer = view.viewer
    is_seat = viewer in view.houses
    if viewer != GM:
        events = _told_once(events)
    sections = [_brief(view, events, desk)]
    if is_seat:
        mine, rest = _divide(view, events)
        sections += [_own(view, mine, desk), _elsewhere(rest) if desk.turn else None, position.own(view)]
    elif viewer == GM:
        sections += [_all_orders(view, events, desk), _everything(events)]
    else:
        sections.append(_elsewhere(events))
    sections += [_map(view, events, desk), position.rivals(view, desk), position.standings(view, desk), letters_section(desk)]
    if view.end_how:
        sections.append(position.opened(view))
    elif is_seat:
        sections += [nextturn.section(view, desk), _template(desk)]
    return Report(
        title=desk.turn_title, subtitle=_subtitle(view), campaign=desk.title, viewer=viewer, masthead=_masthead(view, desk),
        sections=[section for section in sections if section is not None and section.blocks], badge=viewer if is_seat else "", badges=badges.all_badges(),
        attachments=[Attachment(desk.template_name, desk.template, _("the order file for {turn}, to be filled in and sent back").format(turn=desk.next_title))] if desk.template else [],
        language=desk.language, paper=desk.paper)


def _told_once(events: list[Event]) -> list[Event]:
    """7.3: a pledged change is told to everybody as a change, and to its parties as a pledge; they need not hear the first."""
    pledged = [event.data["house"] for event in events if event.kind == "allegiance" and event.data["why"] == "pledged"]
    return [event for event in events if event.kind != "allegiance" or event.data["house"] not in pledged or event.data["why"] == "pledged"]


# 1 Header

def _subtitle(view: View) -> str:
    if view.viewer in view.houses:
        return _("House of {name}").format(name=_(TABLES.houses[view.viewer].name))
    return _("The game master’s report: everything") if view.viewer == GM else _("What everybody knows")


def _masthead(view: View, desk: Desk) -> list[tuple[str, Spans]]:
    rows: list[tuple[str, Spans]] = [(_("Edition"), [Span(_(EDITION_TITLES[view.options["edition"]]))]), (_("Turn"), [Span(_("{turn} of {turns}").format(turn=desk.turn, turns=desk.turns))])]
    player = desk.player_names.get(view.viewer, "")
    if player:
        rows.append((_("Player"), [Span(player)]))
    if desk.next_title and desk.token:
        rows.append((_("Orders for"), [Span(_("{turn} (turn {number})").format(turn=desk.next_title, number=desk.turn + 1))]))
    if desk.deadline and not desk.final:
        rows.append((_("Deadline"), [Span(desk.deadline, "strong")]))
    if desk.token:
        rows.append((_("Token"), [Span(desk.token, "code")]))
    if desk.seed:
        rows.append((_("Seed of all dice"), [Span(desk.seed, "code")]))
    if desk.commitment:
        rows.append((_("Promise of the dice (hash of the seed)"), [Span(desk.commitment, "code")]))
    return rows


# 2 In brief

def _brief(view: View, events: list[Event], desk: Desk) -> Section:
    blocks: list[Block] = []
    if view.end_how:
        blocks.append(Paragraph(tellings.tell(Event("victory" if view.end_how == "victory" else "end", "", [], {"claimant": view.end_claimant, "vassals": view.end_vassals, "how": view.end_how})), "lead"))
    if desk.turn == 0:
        blocks += _welcome(view, desk)
    news = [event for kind in IMPORTANT for event in events if event.kind == kind and not (view.end_how and kind in ("victory", "end"))]
    lines = [tellings.tell(event) for event in news[:6]]
    if len(news) > 6:
        lines.append([Span(_("And more, told below."))])
    if not lines and desk.turn and not view.end_how:
        lines = [[Span(_("A quiet season: no battle, and no castle changed hands."))]]
    return Section("brief", _("In brief"), blocks + ([Bullets(lines)] if lines else []) + _victory_state(view))


def _victory_state(view: View) -> list[Block]:
    """How far either claimant is from victory (6.10)."""
    rows: list[tuple[str, Spans]] = []
    legitimate = sides.legitimate(view)
    for faction, claimant in CLAIMANT.items():
        home = sides.home_of(claimant)
        if sides.is_e3(view):
            retinue = next((army for army in view.armies if army.house == claimant and army.group == "retinue"), None)
            has = [_("London") if view.castles["london"] == claimant else "", TABLES.points[home].name if view.castles[home] == claimant else "",
                   _("the retinue block") if retinue is not None and retinue.how != "remembered" else ""]
            unknown = "" if retinue is not None and retinue.how != "remembered" else _(" (the retinue block is not in sight)")
            rows.append((_(tellings.FACTIONS[faction]), say(_("{claimant} still has: {has}{unknown}."), claimant=tellings.house(claimant), has=", ".join(part for part in has if part) or _("nothing"), unknown=unknown)))
            continue
        needed = view.options.get(f"castles_{faction}", TABLES.numbers.e12.victory_castles)
        count = len(sides.castles_of_faction(view, faction))
        rows.append((_(tellings.FACTIONS_MANY[faction]), say(_("{count} castles of the {needed} that victory asks for{crown}."), count=Span(str(count), "strong"), needed=needed,
                                                            crown=_("; legitimate") if legitimate == faction else "")))
    if not sides.is_e3(view):
        keys = [say(_("{castle}: {holder}{fallen}"), castle=tellings.place(castle), holder=tellings.house(view.castles[castle]) if view.castles[castle] else _("nobody"), fallen=_fallen_words(view, castle))
                for castle in ("london", "lancaster", "york")]
        rows.append((_("The three keys"), listed(keys, "; ")))
    return [Facts(rows)]


def _fallen_words(view: View, castle: str) -> Spans | str:
    fallen = next((one for one in view.fallen if sides.home_of(one.house) == castle), None)
    return say(_(" (taken this year by {house} and handed back)"), house=tellings.house(fallen.taker)) if fallen else ""


def _welcome(view: View, desk: Desk) -> list[Block]:
    """Turn 0: who you are, and how the first order file is written."""
    intro = Paragraph([Span(_("Spring 1455. The king is weak, and two houses of his blood gather their friends: Lancaster, who holds London, and York, who thinks the crown is his."))], "lead")
    if view.viewer not in view.houses:
        return [intro]
    house, record = TABLES.houses[view.viewer], view.houses[view.viewer]
    if house.role == "claimant":
        who = say(_("You are {house}, claimant to the crown and head of the {faction}. You win the war; but you need your vassals for it, and they can be bought."), house=tellings.house(house.id), faction=_(tellings.FACTIONS_MANY[record.faction]))
    else:
        who = say(_("You are {house}, a vassal of {claimant} among the {faction}. If your claimant wins, only his most successful vassals win with him; and a vassal may change sides."),
                  house=tellings.house(house.id), claimant=tellings.house(CLAIMANT[record.faction]), faction=_(tellings.FACTIONS_MANY[record.faction]))
    home = say(_("Your home castle is {home}; you hold {n} castles worth {value}."), home=tellings.place(house.home), n=len(sides.castles_of(view, house.id)), value=sides.value_of(view, house.id))
    blocks: list[Block] = [intro, Paragraph(who + [Span(" ")] + home)]
    if desk.template:
        blocks += [Heading(_("How to send your first orders")),
                   Bullets([say(_("The order file is at the end of this report and attached to it as {name}. It is ready to be sent as it is: what you do not write happens by default."), name=Span(desk.template_name, "code")),
                            say(_("Open it in any editor for plain text. Take away the # before an example and change it. The part “Next turn” says what you may order.")),
                            say(_("Send it back before the deadline. You get an answer that says how every order was understood; the last file that is in order counts.")),
                            say(_("The token {token} proves that the file is yours. Keep it to yourself."), token=Span(desk.token, "code"))])]
    return blocks


# 3 What happened to you, 4 what happened elsewhere

def _concerns(event: Event, house: str) -> bool:
    """Is the house named in the event?"""
    for value in event.data.values():
        if value == house or (isinstance(value, list) and any(item == house or (isinstance(item, list) and item and item[0] == house) for item in value)):
            return True
    return False


def _divide(view: View, events: list[Event]) -> tuple[list[Event], list[Event]]:
    """The viewer's own events, and the others. The bare news that a battle was fought goes with its story."""
    fought = {(event.data["point"], event.data.get("number")) for event in events if event.kind in FIGHTS and _fought(event, view.viewer)}
    mine, rest = [], []
    for event in events:
        own = (event.data["point"], event.data.get("number")) in fought if event.kind in (*FIGHTS, "battle", "assault") else _concerns(event, view.viewer)
        (mine if own else rest).append(event)
    return mine, rest


def _fought(event: Event, house: str) -> bool:
    forces = event.data.get("forces") or {}
    return house in (event.data.get("attack"), event.data.get("defence")) or any(isinstance(unit, dict) and unit.get("house") == house for side in forces.values() if isinstance(side, list) for unit in side)


def _stories(events: list[Event]) -> tuple[list[Story], list[int]]:
    """The fights among these events told whole, and the places of all events that they tell."""
    stories, told = [], []
    for place, event in enumerate(events):
        if event.kind not in FIGHTS:
            continue
        point = event.data["point"]
        kinds = ("contact", "evade", "battle") if event.kind == "battle-detail" else ("assault",)
        before = [other for other in range(place) if other not in told and events[other].kind in kinds and events[other].data["point"] == point]
        begins = max((other for other in before if events[other].kind == "contact" and events[other].data["attacked"]), default=place - 2)
        around = [other for other in before if other >= begins]   # earlier meetings there were other hosts'
        after = []
        for other in range(place + 1, len(events)):
            if events[other].kind not in AFTER_FIGHT:
                break
            after.append(other)
        told += [*around, place, *after]
        first = {"contact": 0, "evade": 1}
        stories.append(tellings.fight_story(event, sorted((events[other] for other in [*around, *after]), key=lambda other: first.get(other.kind, 2))))
    return stories, told


def _own(view: View, events: list[Event], desk: Desk) -> Section | None:
    if desk.turn == 0:
        return None
    blocks: list[Block] = []
    how = became.how_words(desk.how)
    if how is not None:
        blocks.append(how)
    lines, told = became.order_lines(view.viewer, desk.written, desk.orders, desk.problems, events)
    if lines:
        blocks.append(Heading(_("Your orders, and what became of them")))
        blocks += became.order_list(lines)
    stories, in_stories = _stories(events)
    rest = [event for place, event in enumerate(events) if place not in told and place not in in_stories]
    if rest:
        blocks.append(Heading(_("Besides")) if lines else Heading(_("News of your house")))
        blocks.append(Bullets([tellings.tell(event) for event in rest]))
    if stories:
        blocks.append(Heading(_("Your fights")))
        blocks += stories
    if not blocks:
        blocks = [Paragraph([Span(_("Nothing happened to you this season."))])]
    return Section("own", _("What happened to you"), blocks)


def _elsewhere(events: list[Event]) -> Section:
    stories, told = _stories(events)
    rest = [tellings.tell(event) for place, event in enumerate(events) if place not in told and event.kind not in NOT_NEWS]
    blocks: list[Block] = [Bullets(rest)] if rest else []
    return Section("elsewhere", _("What happened elsewhere"), blocks + list(stories) or [Paragraph([Span(_("Nothing that you have heard of."))], "quiet")])


def _all_orders(view: View, events: list[Event], desk: Desk) -> Section | None:
    """GM: the orders of every seat, with what became of them."""
    blocks: list[Block] = []
    for seat, (how, written) in desk.all_orders.items():
        lines, _told = became.order_lines(seat, written, {}, [], [event for event in events if event.kind not in NOT_NEWS])
        said = {"file": _("by file"), "steward": _("by the steward"), "nmr": _("no orders")}.get(how, how)
        blocks.append(Heading(f"{_(TABLES.houses[seat].name)}: {said}"))
        blocks += became.order_list(lines)
    return Section("orders", _("All orders, and what became of them"), blocks) if blocks else None


def _everything(events: list[Event]) -> Section:
    stories, told = _stories(events)
    rows = [[[Span(event.rule, "code")], tellings.tell(event), [Span(", ".join(_(TABLES.houses[seat].name) if seat in TABLES.houses else _("all") if seat == PUBLIC else _("nobody") for seat in event.audience), "small")]]
            for place, event in enumerate(events) if place not in told]
    blocks: list[Block] = [Table([Column(_("rule")), Column(_("what happened"), wide=True), Column(_("who knows"))], rows)] if rows else []
    return Section("elsewhere", _("Everything that happened"), [*blocks, *stories])


# 6 Map, 9 letters, 11 order template

def _map(view: View, events: list[Event], desk: Desk) -> Section:
    who = _("as {house} knows it").format(house=_(TABLES.houses[view.viewer].name)) if view.viewer in view.houses else _("everything") if view.viewer == GM else _("as everybody knows it")
    return Section("map", _("The map"), [Figure(draw_map(view, events), _("England, {turn}, {who}").format(turn=desk.turn_title, who=who), _map_words(view), full_page=True)], "page")


def _map_words(view: View) -> list[str]:
    """The map for those who cannot see it: castles by house, then armies."""
    words = []
    for house in TABLES.seats:
        names = [TABLES.points[castle].name + (_(" (large)") if TABLES.value(castle) == 2 else "") for castle in sides.castles_of(view, house)]
        words.append(_("{house} holds {castles}.").format(house=_(TABLES.houses[house].name), castles=", ".join(names) or _("no castle")))
    free = [TABLES.points[castle].name for castle in TABLES.castles if view.castles[castle] is None]
    if free:
        words.append(_("Nobody holds {castles}.").format(castles=", ".join(free)))
    for army in view.armies:
        words.append(_("{house}, {group}, at {place}: {size}.").format(house=_(TABLES.houses[army.house].name), group=tellings.group(army.group), place=TABLES.points[army.point].name,
                                                                      size=_("last seen {when}").format(when=army_words(army)) if army.how == "remembered" else _("companies: {n}").format(n=army_words(army))))
    reach = outlook.in_reach(view)
    if reach:
        words.append(_("In reach next season: {places}.").format(places=", ".join(TABLES.points[point].name for point in reach)))
    return words


def _template(desk: Desk) -> Section | None:
    return Section("template", _("Order file for {turn}").format(turn=desk.next_title), [Source(desk.template, desk.template_name)]) if desk.template else None
