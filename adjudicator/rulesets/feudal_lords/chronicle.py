"""Chapter 12, points 2 and 3: the story of a round in order of table turns, its battles as tables, and what was done to one lord."""

from dataclasses import dataclass, field
from typing import Any

from ...core.events import GM, Event
from ...core.report import Badge, Block, Column, DiceSpan, Paragraph, Span, Spans, Story, Table, listed, say
from ...core.words import _
from . import tellings
from .tables import BANK
from .tellings import capital, card, cards, glory, gold, lord, tell

ACTOR = {"income": "seat", "income-revolt": "seat", "gift": "from", "confidence-bought": "seat", "glory-gained": "seat", "land-placed": "seat", "recruited": "seat",
         "cards-drawn": "seat", "cards-drawn-names": "seat", "event-played": "seat", "battle-declared": "attacker", "hand-discarded": "seat", "order-skipped": "seat"}
"""kind of event -> the key of its data that names the lord whose table turn it is"""
EFFECTS = ("glory-gained", "glory-lost", "gold-taken", "vassal-lost", "card-lost", "revolt", "hand-seen", "card-stolen")
BATTLE = ("battle-ally", "battle-card", "battle-dice", "battle-result", "land-taken", "gold-taken", "battle-loss", "rank-reached", "game-over")
BEFORE = ("seat-retired", "order-failed", "seated", "round-started")


@dataclass
class TableTurn:
    seat: str
    events: list[Event] = field(default_factory=list)


def without_doubles(events: list[Event], viewer: str) -> list[Event]:
    """The game master sees both tellings of a thing that is told in two ways: the fuller one is enough."""
    if viewer != GM:
        return events
    kept: list[Event] = []
    for event in events:
        last = next((other for other in reversed(kept) if other.kind == event.kind), None)
        poorer = last is not None and event.kind in ("event-played", "card-stolen") and set(event.data) < set(last.data) and all(last.data[key] == event.data[key] for key in event.data)
        if not poorer:
            kept.append(event)
    return kept


def table_turns(events: list[Event]) -> tuple[list[Event], list[TableTurn]]:
    """(what belongs to no table turn, the table turns in play order), from the events that a viewer may see."""
    order = next((event.data["order"] for event in events if event.kind == "round-started"), [])
    before: list[Event] = []
    turns: list[TableTurn] = []
    for event in events:
        if event.kind in BEFORE or not order:
            before.append(event)
            continue
        seat = event.data.get(ACTOR[event.kind]) if event.kind in ACTOR else None
        if seat is None and not turns:
            seat = order[0]
        if seat in order and (not turns or order.index(seat) > order.index(turns[-1].seat)):
            turns.append(TableTurn(seat))
        turns[-1].events.append(event)
    return before, turns


def story_of(turn: TableTurn, viewer: str, purses_open: bool) -> Story:
    """One table turn: its sentences as one paragraph, its battle as a table. purses_open: whether the viewer would hear of all plunder."""
    blocks: list[Block] = []
    sentences: list[Spans] = []
    events = turn.events
    place = 0
    while place < len(events):
        event = events[place]
        place += 1
        if event.kind == "order-skipped":
            continue   # told with the orders
        if event.kind == "recruited":
            more = [event]
            while place < len(events) and events[place].kind == "recruited":
                more.append(events[place])
                place += 1
            sentences.append([*capital(tellings.recruited(more)[1]), Span(".")])
        elif event.kind == "cards-drawn":
            names = next((other for other in events if other.kind == "cards-drawn-names"), None)
            sentences.append(_drawn(event, names))
        elif event.kind == "cards-drawn-names":
            if not any(other.kind == "cards-drawn" for other in events):
                sentences.append(tell(event, turn.seat))
        elif event.kind == "event-played":
            effects = []
            while place < len(events) and events[place].kind in EFFECTS:
                effects.append(events[place])
                place += 1
            sentences.append(_played(event, effects, turn.seat))
        elif event.kind == "battle-declared":
            fought = [event]
            while place < len(events) and events[place].kind in BATTLE:
                fought.append(events[place])
                place += 1
            blocks += ([Paragraph(_joined(sentences))] if sentences else []) + battle_blocks(fought, purses_open)
            sentences = []
        else:
            sentences.append(tell(event, turn.seat))
    if sentences:
        blocks.append(Paragraph(_joined(sentences)))
    tone = "good" if turn.seat == viewer else "battle" if any(event.kind == "battle-declared" for event in events) else ""
    return Story([Badge(turn.seat, tellings.TABLES.seat_names[turn.seat])], blocks or [Paragraph([Span(_("Nothing happened."))], "quiet")], tone)


def _joined(sentences: list[Spans]) -> Spans:
    return listed(sentences, " ")


def _drawn(event: Event, names: Event | None) -> Spans:
    words = capital(tellings.clause(event)[1])
    return [*words, *(say(": {cards}.", cards=cards(names.data["cards"])) if names else [Span(".")])]


def _played(event: Event, effects: list[Event], seat: str) -> Spans:
    """"Plays Scandal against Belvoir for 4 gold: Belvoir loses 7 glory."."""
    words = capital(tellings.clause(event)[1])
    said = [_effect(effect, seat) for effect in effects]
    if event.data["card"] == "holy-day" or not said:
        return [*words, Span(".")]
    lost = [effect.data["card"] for effect in effects if effect.kind in ("card-lost", "vassal-lost") and effect.data["seat"] == seat]
    if len(lost) > 1:   # a Crusade
        said = [say(_("{cards} leave"), cards=cards(lost))] + [_effect(effect, seat) for effect in effects if effect.data.get("card") not in lost]
    return [*words, Span(": "), *listed(said, "; "), Span(".")]


def _effect(event: Event, seat: str) -> Spans:
    """What an Event did, as short as can be."""
    d: dict[str, Any] = event.data
    if event.kind == "glory-gained":
        return [Span(_("+{n} glory").format(n=d["amount"]), "strong")]
    if event.kind == "glory-lost":
        return say(_("{lord} loses {glory}"), lord=lord(d["seat"]), glory=Span(glory(d["amount"]), "bad"))
    if event.kind == "gold-taken" and d["from"] == BANK:
        return [Span(_("+{n} gold").format(n=d["amount"]))]
    if event.kind == "gold-taken":
        words = _("{lord} loses {gold} to the bank") if d["to"] == BANK else _("{lord} pays {gold}")
        return say(words, lord=lord(d["from"]), gold=gold(d["amount"]))
    if event.kind in ("vassal-lost", "card-lost"):
        return say(_("{lord} discards {card}"), lord=lord(d["seat"]), card=card(d["card"]))
    who, words = tellings.clause(event)
    return words if who in (None, seat) else [lord(who), Span(" "), *words]


def battle_blocks(events: list[Event], purses_open: bool) -> list[Block]:
    """A battle: who stood on which side and with what, the cards in the order played, the dice, and what came of it."""
    declared, dice = events[0].data, next(event for event in events if event.kind == "battle-dice").data
    sides = ("attacker", "defender")
    rows = []
    for place, side in enumerate(sides):
        allies = [event.data for event in events if event.kind == "battle-ally" and event.data["side"] == side]
        played = [event.data for event in events if event.kind == "battle-card" and event.data["side"] == side]
        lent = sum(ally["value"] for ally in allies)
        own = dice["totals"][place] - lent - sum(tellings.TABLES.cards[each["card"]].battle for each in played)
        principal = declared[side]
        parts = [say(_("domain {n}"), n=own)]
        parts += [say(_("{lord} {n} ({cards})"), lord=lord(ally["seat"]), n=ally["value"], cards=cards(ally["cards"])) for ally in allies]
        parts += [say(_("{number}. {card} {n}{by}"), number=_turn_of(events, each), card=card(each["card"]), n=tellings.TABLES.cards[each["card"]].battle,
                      by=say(_(" by {lord}"), lord=lord(each["seat"])) if each["seat"] != principal else "") for each in played]
        rows.append([[Span(_(tellings.SIDES[side]))], [lord(principal), Span(": "), *listed(parts, "; ")], [Span(str(dice["totals"][place]), "strong")]])
    table = Table([Column(_("side")), Column(_("domain, allies, Battle cards in the order played"), wide=True), Column(_("total"), "right")], rows, note=_("Draws: {names}").format(names=", ".join(dice["names"])))
    thrown = say(_("Dice of the attack {attack} make {a}, of the defence {defence} {b}."), attack=DiceSpan(dice["dice"][0]), defence=DiceSpan(dice["dice"][1]),
                 a=Span(str(dice["sums"][0]), "strong"), b=Span(str(dice["sums"][1]), "strong"))
    after = [thrown] + [tell(event) for event in events if event.kind in ("battle-result", "land-taken", "gold-taken", "battle-loss", "rank-reached", "game-over")]
    taken = any(event.kind in ("land-taken", "gold-taken") for event in events)
    won = next(event for event in events if event.kind == "battle-result").data["winner"] != "draw"
    if won and not taken:
        after.insert(2, [Span(_("Nothing is taken.") if purses_open else _("Nothing is known to be taken."))])
    return [Paragraph([*capital(tellings.clause(events[0])[1]), Span(":")]), table, Paragraph(_joined(after))]


def _turn_of(events: list[Event], played: dict[str, Any]) -> int:
    """The number of a Battle card in the order of play of both sides."""
    return [event.data for event in events if event.kind == "battle-card"].index(played) + 1


def done_to(seat: str, turns: list[TableTurn]) -> list[Spans]:
    """12.3: what befell the seat in the table turns of others."""
    said: list[Spans] = []
    for turn in turns:
        if turn.seat == seat:
            continue
        for event in turn.events:
            if _befell(event, seat):
                said.append([*say(_("{lord}’s turn: "), lord=lord(turn.seat)), *tell(event)])
    return said


def _befell(event: Event, seat: str) -> bool:
    d = event.data
    if event.kind in ("glory-lost", "vassal-lost", "card-lost", "revolt", "battle-loss", "rank-reached"):
        return d["seat"] == seat
    if event.kind in ("gold-taken", "land-taken", "gift"):
        return seat in (d["from"], d["to"])
    if event.kind == "card-stolen":
        return d["victim"] == seat
    if event.kind == "confidence-bought":
        return d["from"] == seat
    return event.kind == "battle-result" and d["defender"] == seat
