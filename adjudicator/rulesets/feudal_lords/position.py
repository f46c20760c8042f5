"""Chapter 12, points 4 to 8: the own position, the rivals, the standings, the discard pile."""

from ...core.report import Block, Bullets, Column, Desk, Facts, Figure, Heading, Paragraph, Section, Span, Spans, Table, say
from ...core.words import _, ngettext
from . import cardwords, domains, faces, tabletop, tellings
from .charts import glory_chart
from .order_checks import coming_income
from .sight import View
from .tables import TABLES, Counts


# 4 Your position

def own(view: View, new: Counts) -> Section:
    """new: the cards drawn in the round just played."""
    seat, lord = view.viewer, view.seats[view.viewer]
    blocks: list[Block] = [Facts(_facts(view)), Heading(_("Your hand"))]
    blocks += hand_figures(lord.hand or {}, new)
    if seat in view.order:
        blocks += [Heading(_("Your domain")), _domain_table(view)]
    return Section("position", _("Your position"), blocks)


def _facts(view: View) -> list[tuple[str, Spans]]:
    seat, lord = view.viewer, view.seats[view.viewer]
    target = view.options["glory-target"]
    lands = domains.lands(lord.domain)
    glory_next = domains.yield_of_glory(lord.domain) + (TABLES.confidence.glory if domains.has_confidence(view, seat) else 0)
    rank = domains.rank_of(lands)
    higher = next((each for each in TABLES.ranks.values() if each.lands > lands), None)
    income = _("none next round: your peasants are in revolt") if lord.revolt else _("{n} in the next gold phase").format(n=coming_income(view, seat))
    rows: list[tuple[str, Spans]] = [
        (_("Glory"), say(_("{glory}, {missing} to go; {coming} in the next glory phase"), glory=Span(str(lord.glory), "strong"), missing=max(0, target - lord.glory), coming=glory_next)),
        (_("Gold"), say(_("{gold}; {income}"), gold=Span(str(lord.gold), "strong"), income=income)),
        (_("Rank"), say(_("{rank} with {lands}{higher}"), rank=Span(cardwords.rank_name(rank.id if rank else None), "strong"), lands=ngettext("{n} Land", "{n} Lands", lands).format(n=lands),
                        higher=_("; {n} more for {rank}{bonus}").format(n=higher.lands - lands, rank=cardwords.rank_name(higher.id), bonus=_bonus(view, higher.id, higher.bonus)) if higher else "")),
        (_("Battle"), say(_("attack {attack}, defence {defence}, from the domain alone"), attack=Span(str(domains.battle_total(lord.domain, "attacker")), "strong"),
                          defence=Span(str(domains.battle_total(lord.domain, "defender")), "strong"))),
    ]
    marks = [_("the King’s Confidence") if domains.has_confidence(view, seat) else "", _("a Holy Day in force") if any(peace.seat == seat for peace in view.peace) else ""]
    if any(marks):
        rows.append((_("You hold"), [Span(", ".join(mark for mark in marks if mark))]))
    return rows


def _bonus(view: View, rank: str, bonus: int) -> str:
    if view.options["rank-bonus"] == "none" or view.options["rank-bonus"] == "once" and rank in view.seats[view.viewer].ranks_paid:
        return ""
    return _(" (+{n} glory)").format(n=bonus)


def hand_figures(hand: Counts, new: Counts) -> list[Block]:
    """The hand as drawn cards, two rows a drawing, so that a page may end between them."""
    ids = faces.hand_order(hand)
    if not ids:
        return [Paragraph([Span(_("No cards in hand."))], "quiet")]
    rows = faces.rows_of(ids)
    count = ngettext("{n} card in hand", "{n} cards in hand", sum(hand.values())).format(n=sum(hand.values()))
    return [Figure(faces.rows_of_cards(rows[start:start + 2], hand, new), count if start == 0 else _("the hand, continued"), [faces.card_words(id_, hand[id_]) for row in rows[start:start + 2] for id_ in row])
            for start in range(0, len(rows), 2)]


def _domain_table(view: View) -> Block:
    domain = view.seats[view.viewer].domain
    rows = []
    for type_ in ("land", "vassal", "company"):
        for id_ in domains.by_high_order(domains.of_types(domain, [type_], fief=True)):
            card, count = TABLES.pieces[id_], domain[id_]
            rows.append([[tellings.card(id_), *([Span(f" ×{count}", "strong")] if count > 1 else [])], [Span(_(cardwords.TYPE_NAMES[type_]))],
                         *[[Span(str(value * count) if value else "–", "" if value else "quiet")] for value in (card.gold, card.glory, card.battle)],
                         [Span(", ".join(part for part in (cardwords.side_words(card), _("knight") if domains.is_knight(id_, view.options) else "", _("Farm") if card.farm else "") if part))]])
    return Table([Column(_("card"), wide=True), Column(_("type")), Column(_("gold"), "right"), Column(_("glory"), "right"), Column(_("battle"), "right"), Column("")], rows)


# 5 The table

def table(view: View) -> Section:
    words = [tabletop.domain_words(view, seat) for seat in view.order]
    caption = _("The table, in the order of seats: stars are glory, coins gold, swords battle value.")
    words.append(_("Deck: {deck} cards. Discard pile: {discard} cards.").format(deck=view.deck_size, discard=sum(view.discard.values())))
    words += [_("{name}: {marks}.").format(name=TABLES.seat_names[seat], marks=marks) for seat in view.order for marks in [_marks(view, seat)] if marks]
    track = [_("{name}: {glory}").format(name=cardwords.short_seat(seat), glory=view.seats[seat].glory) for seat in view.order]
    return Section("table", _("The table"), [Figure(tabletop.table_drawing(view), caption, words),
                                             Figure(tabletop.track_drawing(view), _("The way to {n} glory").format(n=view.options["glory-target"]), [", ".join(track)])])


def _marks(view: View, seat: str) -> str:
    marks = [_("holds the King’s Confidence") if domains.has_confidence(view, seat) else "", _("has a Holy Day in force") if any(peace.seat == seat for peace in view.peace) else "",
             _("its peasants are in revolt") if view.seats[seat].revolt else ""]
    return ", ".join(mark for mark in marks if mark)


# 6 Known rivals

def rivals(view: View, desk: Desk) -> Section:
    seats = [seat for seat in (domains.clockwise(view.order, view.viewer) if view.viewer in view.order else view.order)]
    purses = any(view.seats[seat].gold is not None for seat in seats)
    rows = []
    for seat in seats:
        lord = view.seats[seat]
        player = desk.player_names.get(seat, "")
        coming = domains.yield_of_glory(lord.domain) + (TABLES.confidence.glory if domains.has_confidence(view, seat) else 0)
        rows.append([[tellings.lord(seat), *([Span(f" ({player})", "small")] if player else [])], [Span(str(coming))], [Span("0" if lord.revolt else str(domains.income(lord.domain)))],
                     [Span(str(domains.battle_total(lord.domain, "attacker")))], [Span(str(domains.battle_total(lord.domain, "defender")))],
                     *([[Span(_known(lord.gold))], [Span(_known(lord.hand_size))]] if purses else []), _state_words(view, seat)])
    columns = [Column(_("lord"), wide=True), Column(_("glory a turn"), "right"), Column(_("gold a turn"), "right"), Column(_("attack"), "right"), Column(_("defence"), "right"),
               *([Column(_("gold"), "right"), Column(_("hand"), "right")] if purses else []), Column(_("marks"))]
    blocks: list[Block] = [Table(columns, rows)]
    if view.seen:
        blocks += [Heading(_("Hands you have looked into")), Bullets([_seen_words(view, rival) for rival in view.order if rival in view.seen])]
    return Section("rivals", _("Known rivals") if view.viewer in view.seats else _("The lords"), blocks)


def _known(number: int | None) -> str:
    return "?" if number is None else str(number)


def _state_words(view: View, seat: str) -> Spans:
    words = [_("King’s Confidence") if domains.has_confidence(view, seat) else "", _("Holy Day") if any(peace.seat == seat for peace in view.peace) else "", _("revolt") if view.seats[seat].revolt else ""]
    return [Span(", ".join(word for word in words if word))]


def _seen_words(view: View, rival: str) -> Spans:
    note = view.seen[rival]
    said = say(_("{lord} in round {n}: {cards}"), lord=tellings.lord(rival), n=note.round, cards=tellings.hand_list(note.cards) if note.cards else _("nothing that is still there"))
    return said + (say(_("; gone since: {cards}"), cards=[Span(", ".join(TABLES.cards[id_].name + (f" ×{count}" if count > 1 else "") for id_, count in note.gone.items()), "quiet")]) if note.gone else []) + [Span(".")]


# 7 Standings

def standings(view: View, desk: Desk) -> Section:
    """The ranking of 8.3, as far as the viewer knows it, with the change since the last round, and glory by round."""
    last = desk.history[-2][2] if len(desk.history) > 1 else {}
    after = view.round if view.winner is not None else view.round - 1
    rows, marked = [], []
    for place, seat in enumerate(domains.ranking(view, after)):
        lord = view.seats[seat]
        rank = domains.rank_of(domains.lands(lord.domain))
        change = lord.glory - last.get(f"glory/{seat}", 0) if last else 0
        if seat == view.viewer:
            marked.append(place)
        rows.append([[Span(str(place + 1))], [tellings.lord(seat)], [Span(cardwords.rank_name(rank.id if rank else None))], [Span(str(lord.glory), "strong")], [Span(_signed(change))],
                     [Span(str(max(0, view.options["glory-target"] - lord.glory)))], [Span(str(domains.lands(lord.domain)))], [Span(_known(lord.gold))]])
    blocks: list[Block] = [Table([Column("", "right"), Column(_("lord"), wide=True), Column(_("rank")), Column(_("glory"), "right"), Column(_("change"), "right"), Column(_("to go"), "right"),
                                  Column(_("Lands"), "right"), Column(_("gold"), "right")], rows, marked=marked)]
    if len(desk.history) > 1:
        series = {seat: [values.get(f"glory/{seat}", 0) for _turn, _name, values in desk.history] for seat in view.order}
        labels = [str(turn) for turn, _name, _values in desk.history]
        words = [_("{name}: {numbers}").format(name=cardwords.short_seat(seat), numbers=", ".join(str(number) for number in numbers)) for seat, numbers in series.items()]
        blocks.append(Figure(glory_chart(series, labels, view.options["glory-target"], _("{n} wins").format(n=view.options["glory-target"])), _("Glory by round"), words))
    return Section("standings", _("Standings"), blocks)


def _signed(number: int) -> str:
    return f"+{number}" if number > 0 else f"−{-number}" if number else "0"


# 8 The discard pile

def discards(view: View) -> Section:
    """What lies in the discard pile, and which Events and Battle cards may still be in the deck or in a hand that is not known."""
    blocks: list[Block] = []
    rows = [[[Span(_(cardwords.GROUP_NAMES[type_]))], [Span(str(sum(view.discard[id_] for id_ in ids)))], tellings.hand_list({id_: view.discard[id_] for id_ in ids})]
            for type_ in cardwords.TYPE_NAMES for ids in [domains.of_types(view.discard, [type_])] if ids]
    blocks.append(Table([Column(""), Column("", "right"), Column("", wide=True)], rows, _("Discarded")) if rows else Paragraph([Span(_("The discard pile is empty."))], "quiet"))
    hidden = unseen(view)
    if hidden:
        rows = [[[Span(_(cardwords.GROUP_NAMES[type_]))], [Span(str(sum(hidden[id_] for id_ in ids)))], tellings.hand_list({id_: hidden[id_] for id_ in ids})]
                for type_ in ("event", "battle") for ids in [domains.of_types(hidden, [type_])] if ids]
        blocks.append(Table([Column(""), Column("", "right"), Column("", wide=True)], rows, _("Not seen yet"), note=_("These Events and Battle cards are in the deck, or in hands that you do not know.")))
    return Section("discards", _("Discard pile"), blocks)


def unseen(view: View) -> Counts:
    """Copies of Events and Battle cards that are neither discarded, nor in a hand that the viewer knows, nor in a remembered one."""
    known: list[Counts] = [view.discard, *(lord.hand for lord in view.seats.values() if lord.hand is not None)]
    known += [note.cards for rival, note in view.seen.items() if rival in view.seats and view.seats[rival].hand is None]
    counts = {}
    for id_ in TABLES.of_types(["event", "battle"]):
        left = TABLES.cards[id_].copies - sum(counts_.get(id_, 0) for counts_ in known)
        if left > 0:
            counts[id_] = left
    return counts


def all_hands(view: View) -> Section:
    """The hands that the viewer may know: the game master's report, and everybody's at the end."""
    rows = [[[tellings.lord(seat), Span(": "), *tellings.hand_list(view.seats[seat].hand or {})], [Span(str(sum((view.seats[seat].hand or {}).values())))]] for seat in view.order]
    return Section("hands", _("The hands"), [Table([Column(_("hand"), wide=True), Column(_("cards"), "right")], rows)])


def policy_lines(policies: dict) -> list[Spans]:
    """Policies as they would be written."""
    return [[Span(f"{key}: {flow(value)}", "code")] for key, value in policies.items()]


def flow(value: object) -> str:
    """Plain data on one line, as in an order file."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    return str(value)

