"""Chapter 12: what one viewer is told of a round, in ten parts."""

from ...core.events import GM, Event
from ...core.report import Attachment, Block, Bullets, Desk, Heading, Paragraph, Report, Section, Source, Span, Spans, letters_section, say
from ...core.words import _
from . import badges, became, cardwords, chronicle, domains, position, tellings
from .order_checks import coming_income
from .sight import View
from .tables import TABLES, counted


def report(view: View, events: list[Event], desk: Desk) -> Report:
    """12 Report: for a seat its own round; for the game master everything; for the public what everybody knows."""
    viewer = view.viewer
    is_seat = viewer in view.seats
    events = chronicle.without_doubles(events, viewer)
    before, turns = chronicle.table_turns(events)
    sections: list[Section | None] = [_brief(view, before, desk), _story(view, turns)]
    if is_seat:
        drawn = [card for event in events if event.kind == "cards-drawn-names" and event.data["seat"] == viewer for card in event.data["cards"]]
        sections += [_orders(view, turns, desk), _done_to(view, turns), position.own(view, counted(drawn))]
    elif viewer == GM:
        sections.append(_all_orders(view, desk))
    sections += [position.table(view), position.rivals(view, desk), position.standings(view, desk)]
    if viewer == GM or view.winner is not None:
        sections.append(position.all_hands(view))
    sections += [position.discards(view), letters_section(desk)]
    if is_seat and desk.template:
        sections += [_next(view, desk), Section("template", _("Order file for {turn}").format(turn=desk.next_title), [Source(desk.template, desk.template_name)])]
    return Report(
        title=desk.turn_title, subtitle=_subtitle(view), campaign=desk.title, viewer=viewer, masthead=_masthead(view, desk),
        sections=[section for section in sections if section is not None and section.blocks], badge=viewer if is_seat else "", badges=badges.all_badges(),
        attachments=[Attachment(desk.template_name, desk.template, _("the order file for {turn}, to be filled in and sent back").format(turn=desk.next_title))] if desk.template else [],
        language=desk.language, paper=desk.paper)


# 1 Header

def _subtitle(view: View) -> str:
    if view.viewer in view.seats:
        rank = domains.rank_of(domains.lands(view.seats[view.viewer].domain))
        name = TABLES.seat_names[view.viewer]
        return _("{name}, {rank}").format(name=name, rank=cardwords.rank_name(rank.id)) if rank else name
    return _("The game master’s report: everything") if view.viewer == GM else _("What everybody knows")


def _masthead(view: View, desk: Desk) -> list[tuple[str, Spans]]:
    rows: list[tuple[str, Spans]] = []
    player = desk.player_names.get(view.viewer, "")
    if player:
        rows.append((_("Player"), [Span(player)]))
    if desk.next_title and desk.token:
        rows.append((_("Orders for"), [Span(_("{turn} (turn {number})").format(turn=desk.next_title, number=desk.turn + 1))]))
    if desk.deadline and not desk.final:
        rows.append((_("Deadline"), [Span(desk.deadline, "strong")]))
    if desk.token:
        rows.append((_("Token"), [Span(desk.token, "code")]))
    rows.append((_("Fog"), [Span(_("purses and hand sizes are hidden") if view.options["fog"] == "scouting" else _("hands and the deck are hidden"))]))
    rows.append((_("Nearest to the target"), _nearest(view)))
    if desk.seed:
        rows.append((_("Seed of all dice"), [Span(desk.seed, "code")]))
    if desk.commitment:
        rows.append((_("Promise of the dice (hash of the seed)"), [Span(desk.commitment, "code")]))
    return rows


def _nearest(view: View) -> Spans:
    first = domains.ranking(view, view.round - 1 if view.winner is None else view.round)[0]
    missing = max(0, view.options["glory-target"] - view.seats[first].glory)
    return say(_("{name}, {n} to go"), name=cardwords.short_seat(first), n=missing)


# 2 What happened

def _brief(view: View, before: list[Event], desk: Desk) -> Section:
    blocks: list[Block] = []
    if view.winner is not None:
        blocks.append(Paragraph(say(_("The game is over: {lord} has won with {glory}."), lord=tellings.lord(view.winner), glory=Span(tellings.glory(view.seats[view.winner].glory), "strong")), "lead"))
    elif desk.final:
        blocks.append(Paragraph([Span(_("The last round has been played."))], "lead"))
    if desk.turn == 0:
        blocks += _welcome(view, desk)
    lines = [tellings.tell(event) for event in before if event.kind != "round-started" or desk.turn]
    if lines:
        blocks.append(Bullets(lines))
    if desk.turn and view.winner is None:
        blocks.append(Paragraph(_what_counts(view)))
    return Section("brief", _("In brief"), blocks)


def _what_counts(view: View) -> Spans:
    """Who leads, who holds the marker, whether there is peace."""
    ranked = domains.ranking(view, view.round - 1)
    said = say(_("{lord} leads with {glory}."), lord=tellings.lord(ranked[0]), glory=Span(tellings.glory(view.seats[ranked[0]].glory), "strong"))
    holders = [seat for seat in view.order if domains.has_confidence(view, seat)]
    for holder in holders:
        said += say(_(" {lord} holds the King’s Confidence."), lord=tellings.lord(holder))
    for peace in view.peace:
        if peace.left:
            said += say(_(" A Holy Day of {lord} is still to be kept by {left}."), lord=tellings.lord(peace.seat), left=_names(peace.left))
    return said


def _names(seats: list[str]) -> Spans:
    said: Spans = []
    for place, seat in enumerate(seats):
        said += [*([Span(", ")] if place else []), tellings.lord(seat)]
    return said


def _welcome(view: View, desk: Desk) -> list[Block]:
    """Turn 0: what the game is about, and how the first order file is written."""
    target = view.options["glory-target"]
    blocks: list[Block] = [Paragraph([Span(_("A handful of lords, a kingdom small enough to quarrel over, and one deck of cards. Whoever first has {n} glory wins.").format(n=target))], "lead")]
    if view.viewer not in view.seats:
        return blocks
    blocks.append(Paragraph(say(_("You are the {lord}. You own a Fief, {gold}, and the cards drawn below. In your table turn you collect the gold and then the glory of your domain, place one Land and as many Vassals "
                                  "and Companies as you can pay, draw two cards, play Events, and may attack one rival."), lord=Span(TABLES.seat_names[view.viewer], "strong"),
                                gold=tellings.gold(view.seats[view.viewer].gold or 0))))
    if desk.template:
        blocks += [Heading(_("How to send your first orders")),
                   Bullets([say(_("The order file is at the end of this report and attached to it as {name}. It is ready to be sent as it is: what you do not write happens by default."), name=Span(desk.template_name, "code")),
                            say(_("Open it in any editor for plain text. Take away the # before an example and change it. Name cards by their names; also such as you may only draw later.")),
                            say(_("The first line worth writing is {land}; the next {recruit}."), land=Span("land: [any]", "code"), recruit=Span("recruit: [any]", "code")),
                            say(_("Send it back before the deadline. You get an answer that says how every order was understood; the last file that is in order counts.")),
                            say(_("The token {token} proves that the file is yours. Keep it to yourself."), token=Span(desk.token, "code"))])]
    return blocks


def _story(view: View, turns: list[chronicle.TableTurn]) -> Section | None:
    if not turns:
        return None
    purses_open = view.options["fog"] == "rules" or view.viewer == GM
    return Section("story", _("What happened"), [chronicle.story_of(turn, view.viewer, purses_open) for turn in turns])


def _orders(view: View, turns: list[chronicle.TableTurn], desk: Desk) -> Section | None:
    if desk.turn == 0:
        return None
    mine = next((turn.events for turn in turns if turn.seat == view.viewer), None)
    lines, from_plan = became.order_lines(view.viewer, desk.written, desk.orders, desk.problems, mine or [], mine is not None or view.winner is None)
    return Section("orders", _("Your orders, and what became of them"), became.own_orders(view.viewer, desk.how, lines, from_plan))


# 3 What was done to you

def _done_to(view: View, turns: list[chronicle.TableTurn]) -> Section | None:
    lines = chronicle.done_to(view.viewer, turns)
    if not turns:
        return None
    return Section("done-to-you", _("What was done to you"), [Bullets(lines)] if lines else [Paragraph([Span(_("Nobody touched you this round."))], "quiet")])


def _all_orders(view: View, desk: Desk) -> Section | None:
    if not desk.all_orders:
        return None
    how = {"file": _("by file"), "steward": _("by steward"), "nmr": _("nothing sent")}
    blocks: list[Block] = []
    for seat, (came, written) in desk.all_orders.items():
        blocks.append(Heading(f"{TABLES.seat_names[seat]}: {how.get(came, came)}"))
        if written:
            blocks.append(Source("\n".join(text for _path, text in written)))
        policies = view.all_policies.get(seat, {})
        if policies:
            blocks.append(Paragraph([Span(_("Policies in force: ")), *_joined(position.policy_lines(policies))], "quiet"))
    return Section("all-orders", _("All orders"), blocks)


def _joined(lines: list[Spans]) -> Spans:
    said: Spans = []
    for place, line in enumerate(lines):
        said += [*([Span("; ")] if place else []), *line]
    return said


# 9 Messages, 10 What you may order


def _next(view: View, desk: Desk) -> Section:
    """What the seat may order for the coming round, with its numbers."""
    seat, lord = view.viewer, view.seats[view.viewer]
    purse = (lord.gold or 0) + coming_income(view, seat)
    hand = lord.hand or {}
    lands, recruits = domains.of_types(hand, ["land"]), domains.of_types(hand, ["vassal", "company"])
    order = domains.play_order(view.order, view.options, view.round)
    place = order.index(seat) + 1
    lines: list[Spans] = [
        say(_("You play as number {place} of {all}, with {gold} after your income."), place=place, all=len(order), gold=Span(tellings.gold(purse), "strong")),
        say(_("{key}: {words}"), key=Span("land", "code"), words=_priced(lands, purse) if lands else _("no Land in hand")),
        say(_("{key}: {words}"), key=Span("recruit", "code"), words=_priced(recruits, purse) if recruits else _("no Vassal or Company in hand")),
        say(_("{key}: a file may name Events and Battle cards that you do not hold yet; two cards come before the Events are played."), key=Span("events", "code")),
        _attack_line(view),
        say(_("{key} say what you do in others’ turns; those in force are written out in the order file."), key=Span("policies", "code")),
    ]
    return Section("next", _("What you may order"), [Paragraph(say(_("{turn}: orders until {deadline}."), turn=Span(desk.next_title, "strong"), deadline=desk.deadline or _("the deadline"))), Bullets(lines)])


def _priced(ids: list[str], purse: int) -> Spans:
    """Cards with their cost; those that are too dear are said to be."""
    said: Spans = []
    for place, id_ in enumerate(domains.by_high_order(ids)):
        cost = TABLES.cards[id_].price
        said += [*([Span(", ")] if place else []), tellings.card(id_), Span(_(" ({n}, too dear now)").format(n=cost) if cost > purse else f" ({cost})")]
    return said


def _attack_line(view: View) -> Spans:
    mine = domains.battle_total(view.seats[view.viewer].domain, "attacker")
    rivals = domains.clockwise(view.order, view.viewer)
    said = say(_("{key}: your {n} in attack against "), key=Span("attack", "code"), n=Span(str(mine), "strong"))
    for place, rival in enumerate(rivals):
        said += [*([Span(", ")] if place else []), tellings.lord(rival), Span(f" {domains.battle_total(view.seats[rival].domain, 'defender')}")]
    if view.peace:
        return said + [Span(_(". A Holy Day is in force now."))]
    if view.round <= view.options["peace-turns"]:
        return said + say(_(". No battles before round {n}."), n=view.options["peace-turns"] + 1)
    return said + [Span(".")]
