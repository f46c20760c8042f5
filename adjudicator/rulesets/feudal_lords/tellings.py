"""One plain sentence for each kind of event (7). What the lord does whose table turn it is, is a clause without its subject."""

from collections.abc import Callable
from typing import Any

from ...core.events import Event
from ...core.report import Badge, DiceSpan, Inline, Span, Spans, listed, say
from ...core.words import N_, _, ngettext
from .cardwords import rank_name, short_seat
from .tables import BANK, TABLES

Data = dict[str, Any]
Clause = tuple[str | None, Spans]
"""(the seat that does it, or None if the words name their subject themselves; the words, without the full stop)"""

REASONS = {
    "not-in-hand": N_("the card was not in hand"), "cannot-pay": N_("there was not enough gold"), "no-target": N_("there was nobody, or nothing, that it could be done to"),
    "too-small": N_("it would have brought too little"), "already-held": N_("you hold it already"), "limit-reached": N_("no more Events may be played in one turn"),
    "peace": N_("no battles are fought now"), "nothing-to-draw": N_("deck and discard pile are empty"),
}
SIDES = {"attacker": N_("attack"), "defender": N_("defence")}
FIELDS = {"give": N_("the gift"), "confidence": N_("buying the King’s Confidence"), "land": N_("placing a Land"), "draw": N_("buying cards"), "attack": N_("the attack")}


# Words

def lord(seat: str) -> Badge:
    return Badge(seat, short_seat(seat))


def card(id_: str) -> Span:
    return Span(TABLES.pieces[id_].name, "name")


def cards(ids: list[str]) -> Spans:
    """"Farm, Foot Soldiers ×2", as they come."""
    counts = {id_: ids.count(id_) for id_ in dict.fromkeys(ids)}
    return listed([[card(id_), *([Span(f" ×{count}")] if count > 1 else [])] for id_, count in counts.items()]) if ids else [Span(_("no cards"))]


def gold(number: int) -> str:
    return ngettext("{n} gold", "{n} gold", number).format(n=number)


def glory(number: int) -> str:
    return ngettext("{n} glory", "{n} glory", number).format(n=number)


def purse(holder: str) -> Inline:
    return Span(_("the bank")) if holder == BANK else lord(holder)


def source(id_: str) -> Inline:
    return Span(_("domain and favour")) if id_ == "glory-phase" else card(id_)


# Clauses

TELLINGS: dict[str, Callable[[Data], Clause]] = {}


def telling(kind: str) -> Callable[[Callable[[Data], Clause]], Callable[[Data], Clause]]:
    """Enter a function in the book of tellings."""
    def enter(function: Callable[[Data], Clause]) -> Callable[[Data], Clause]:
        TELLINGS[kind] = function
        return function
    return enter


def clause(event: Event) -> Clause:
    known = TELLINGS.get(event.kind)
    return known(event.data) if known else (None, [Span(f"{event.kind}: {event.data}")])


def tell(event: Event, turn_of: str | None = None) -> Spans:
    """The event as a sentence; in the table turn of its own subject without it: "Collects 5 gold."."""
    who, words = clause(event)
    if who is None:
        return [*words, Span(".")]
    if who == turn_of:
        return [*capital(words), Span(".")]
    return [lord(who), Span(" "), *words, Span(".")]


def capital(words: Spans) -> Spans:
    """The words with a capital at their beginning."""
    first = words[0]
    if isinstance(first, Span) and first.text:
        return [Span(first.text[0].upper() + first.text[1:], first.style), *words[1:]]
    return words


@telling("seated")
def _seated(d: Data) -> Clause:
    return None, say(_("The seats around the table were drawn by lot: {order}. {first} begins (draw {draw})"), order=listed([lord(seat) for seat in d["order"]]),
                     first=lord(d["order"][0]), draw=Span(d["draw"], "code"))


@telling("round-started")
def _round_started(d: Data) -> Clause:
    return None, say(_("Round {n} is played in this order: {order}"), n=d["round"], order=listed([lord(seat) for seat in d["order"]]))


@telling("peace-ended")
def _peace_ended(d: Data) -> Clause:
    return None, say(_("The Holy Day of {lord} is over"), lord=lord(d["seat"]))


@telling("income")
def _income(d: Data) -> Clause:
    return d["seat"], say(_("collects {gold}"), gold=gold(d["amount"]))


@telling("income-revolt")
def _income_revolt(d: Data) -> Clause:
    return d["seat"], say(_("collects nothing: the peasants were in revolt, and now go home"))


@telling("gift")
def _gift(d: Data) -> Clause:
    return d["from"], say(_("gives {gold} to {to}"), gold=gold(d["amount"]), to=lord(d["to"]))


@telling("confidence-bought")
def _confidence_bought(d: Data) -> Clause:
    where = _("buys the King’s Confidence") if d["from"] == BANK else say(_("buys the King’s Confidence away from {former}"), former=lord(d["from"]))
    return d["seat"], where if isinstance(where, list) else [Span(where)]


@telling("glory-gained")
def _glory_gained(d: Data) -> Clause:
    if d["source"] == "glory-phase":
        return d["seat"], say(_("gains {glory}"), glory=Span(glory(d["amount"]), "strong"))
    return d["seat"], say(_("gains {glory} by {source}"), glory=Span(glory(d["amount"]), "strong"), source=source(d["source"]))


@telling("glory-lost")
def _glory_lost(d: Data) -> Clause:
    return None, say(_("{lord} loses {glory} by {source}"), lord=lord(d["seat"]), glory=Span(glory(d["amount"]), "bad"), source=source(d["source"]))


@telling("land-placed")
def _land_placed(d: Data) -> Clause:
    return d["seat"], _placed(_("places {card}"), _("places {card} for {gold}"), card(d["card"]), d["cost"])


@telling("recruited")
def _recruited(d: Data) -> Clause:
    return d["seat"], _placed(_("recruits {card}"), _("recruits {card} for {gold}"), card(d["card"]), d["cost"])


def recruited(events: list[Event]) -> Clause:
    """Several at once."""
    names = cards([event.data["card"] for event in events])
    return events[0].data["seat"], _placed(_("recruits {card}"), _("recruits {card} for {gold}"), names, sum(event.data["cost"] for event in events))


def _placed(free: str, paid: str, what: Inline | Spans, cost: int) -> Spans:
    return say(paid, card=what, gold=gold(cost)) if cost else say(free, card=what)


@telling("cards-drawn")
def _cards_drawn(d: Data) -> Clause:
    said = say(ngettext("draws {n} card", "draws {n} cards", d["number"]), n=d["number"])
    return d["seat"], said + (say(_(", {n} of them bought"), n=d["bought"]) if d["bought"] else [])


@telling("cards-drawn-names")
def _cards_drawn_names(d: Data) -> Clause:
    return d["seat"], say(_("draws {cards}"), cards=cards(d["cards"]))


@telling("reshuffled")
def _reshuffled(d: Data) -> Clause:
    return None, say(_("The deck is empty: the discard pile, {n} cards, is shuffled and becomes the new one (draw {draw})"), n=d["size"], draw=Span(d["draw"], "code"))


@telling("deck-empty")
def _deck_empty(d: Data) -> Clause:
    return None, [Span(_("Deck and discard pile are empty: there is nothing to draw"))]


@telling("event-played")
def _event_played(d: Data) -> Clause:
    said = say(_("plays {card}"), card=Span(TABLES.cards[d["card"]].name, "strong"))
    if d["victim"]:
        said += say(_(" against {victim}"), victim=lord(d["victim"]))
    return d["seat"], said + (say(_(" for {gold}"), gold=gold(d["cost"])) if d["cost"] else [])


@telling("gold-taken")
def _gold_taken(d: Data) -> Clause:
    if d["to"] == BANK:
        return None, say(_("{lord} loses {gold}"), lord=lord(d["from"]), gold=gold(d["amount"]))
    return None, say(_("{gold} from {giver} to {taker}"), gold=gold(d["amount"]), giver=purse(d["from"]), taker=purse(d["to"]))


@telling("vassal-lost")
def _vassal_lost(d: Data) -> Clause:
    return None, say(_("{lord} loses a Vassal, {card}, by {cause}"), lord=lord(d["seat"]), card=card(d["card"]), cause=card(d["cause"]))


@telling("card-lost")
def _card_lost(d: Data) -> Clause:
    return None, say(_("{lord} loses {card} by {cause}"), lord=lord(d["seat"]), card=card(d["card"]), cause=card(d["cause"]))


@telling("revolt")
def _revolt(d: Data) -> Clause:
    return None, say(_("{lord} will collect no gold in the next gold phase"), lord=lord(d["seat"]))


@telling("hand-seen")
def _hand_seen(d: Data) -> Clause:
    return d["thief"], say(_("sees the hand of {victim}: {cards}"), victim=lord(d["victim"]), cards=cards(d["cards"]))


@telling("card-stolen")
def _card_stolen(d: Data) -> Clause:
    what: Inline = card(d["card"]) if "card" in d else Span(_("a card"))
    return d["thief"], say(_("steals {card} from the hand of {victim}"), card=what, victim=lord(d["victim"]))


@telling("battle-declared")
def _battle_declared(d: Data) -> Clause:
    return d["attacker"], say(_("attacks {defender}"), defender=lord(d["defender"]))


@telling("battle-ally")
def _battle_ally(d: Data) -> Clause:
    what = say(_("{lord} joins the {side}"), lord=lord(d["seat"]), side=_(SIDES[d["side"]]))
    return None, what + (say(_(" with {cards}, battle {n}"), cards=cards(d["cards"]), n=d["value"]) if d["value"] else say(_(" without sending anybody")))


@telling("battle-card")
def _battle_card(d: Data) -> Clause:
    return None, say(_("{lord} plays {card} for the {side}: {a} to {b}"), lord=lord(d["seat"]), card=card(d["card"]), side=_(SIDES[d["side"]]), a=d["totals"][0], b=d["totals"][1])


@telling("battle-dice")
def _battle_dice(d: Data) -> Clause:
    return None, say(_("Attack {a}: {dice_a}, {sum_a}. Defence {b}: {dice_b}, {sum_b}"), a=d["totals"][0], b=d["totals"][1], dice_a=DiceSpan(d["dice"][0]), dice_b=DiceSpan(d["dice"][1]),
                     sum_a=d["sums"][0], sum_b=d["sums"][1])


@telling("battle-result")
def _battle_result(d: Data) -> Clause:
    if d["winner"] == "draw":
        return None, say(_("Nobody wins the battle of {attacker} against {defender}"), attacker=lord(d["attacker"]), defender=lord(d["defender"]))
    loser = d["defender"] if d["winner"] == d["attacker"] else d["attacker"]
    return None, say(_("{winner} beats {loser}") if d["winner"] == d["attacker"] else _("{winner} beats off {loser}"), winner=lord(d["winner"]), loser=lord(loser))


@telling("land-taken")
def _land_taken(d: Data) -> Clause:
    return None, say(_("{winner} takes {card} from {loser}"), winner=lord(d["to"]), card=card(d["card"]), loser=lord(d["from"]))


@telling("battle-loss")
def _battle_loss(d: Data) -> Clause:
    where = _("{lord}, beaten, discards {card} from the hand") if d["from"] == "hand" else _("{lord}, beaten, discards {card}")
    return None, say(where, lord=lord(d["seat"]), card=card(d["card"]))


@telling("rank-reached")
def _rank_reached(d: Data) -> Clause:
    if d["bonus"] < 0 or d["rank"] is None:
        return None, say(_("{lord} falls to {rank} and loses {glory}"), lord=lord(d["seat"]), rank=Span(rank_name(d["rank"]), "strong"), glory=glory(-d["bonus"]))
    said = say(_("{lord} is now {rank}"), lord=lord(d["seat"]), rank=Span(rank_name(d["rank"]), "strong"))
    return None, said + (say(_(" and gains {glory}"), glory=Span(glory(d["bonus"]), "strong")) if d["bonus"] else [])


@telling("hand-discarded")
def _hand_discarded(d: Data) -> Clause:
    return d["seat"], say(_("discards {cards}, down to the hand limit"), cards=cards(d["cards"]))


@telling("order-skipped")
def _order_skipped(d: Data) -> Clause:
    what: Inline = card(d["entry"]) if d["entry"] in TABLES.cards else Span(_(FIELDS.get(d["entry"], d["entry"])))
    said = say(_("Not done: {what}; {reason}"), what=what, reason=_(REASONS.get(d["reason"], d["reason"])))
    return None, said + (say(_(". Bought were {n}"), n=d["done"]) if d.get("done") is not None else [])


@telling("order-failed")
def _order_failed(d: Data) -> Clause:
    return None, say(_("An order ({order}) was left out because of an error in the program; the game master knows"), order=Span(str(d["order"]), "code"))


@telling("seat-retired")
def _seat_retired(d: Data) -> Clause:
    return None, say(_("{lord} leaves the game; hand and domain go to the discard pile"), lord=lord(d["seat"]))


@telling("game-over")
def _game_over(d: Data) -> Clause:
    first = d["standings"][0]
    return None, say(_("The game is over: {lord} wins with {glory}"), lord=lord(d["winner"]), glory=Span(glory(first["glory"]), "strong"))


def hand_list(hand: dict[str, int]) -> Spans:
    return cards([id_ for id_, count in sorted(hand.items()) for _copy in range(count)])


