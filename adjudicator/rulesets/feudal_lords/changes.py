"""The verbs: every change of state, told by its event. Rule steps assign to no field of the state."""

from typing import Any

from ...core import plain
from . import domains
from .state import Peace, Seen
from .tables import BANK, FIEF, TABLES, Counts, listed
from .view import EVERYBODY, purse_known, told_to
from .workspace import FeudalTurn


# Counts of cards (silent)

def _put(counts: Counts, card: str, number: int = 1) -> None:
    counts[card] = counts.get(card, 0) + number


def _take(counts: Counts, card: str) -> None:
    counts[card] -= 1
    if not counts[card]:
        del counts[card]


def _leave_hand(turn: FeudalTurn, seat: str, card: str) -> None:
    """7 Memory of hands: a card leaves a hand before everybody's eyes; who remembers it strikes it."""
    _take(turn.lord(seat).hand, card)
    for other in turn.state.order:
        seen = turn.lord(other).seen.get(seat)
        if seen is not None and card in seen.cards:
            _take(seen.cards, card)
            _put(seen.gone, card)


def to_discard(turn: FeudalTurn, card: str) -> None:
    """A card that has left hand or domain goes to the discard pile."""
    _put(turn.state.discard, card)


# The round

def begin_round(turn: FeudalTurn) -> None:
    turn.tell("round-started", "6.1", EVERYBODY, round=turn.state.round, order=list(turn.play_order))


def next_round(turn: FeudalTurn) -> None:
    """6.1.3: the game goes on."""
    turn.state.round += 1


def set_policy(turn: FeudalTurn, seat: str, key: str, value: Any) -> None:
    """6.1.1: a key given replaces that key of the standing policies, whole. Policies show by their effect."""
    turn.lord(seat).policies[key] = plain.copy(value)


def skip(turn: FeudalTurn, rule: str, seat: str, entry: str, reason: str, done: int | None = None) -> None:
    """Tell a seat that an entry could not be carried out, why, and what was done instead."""
    turn.tell("order-skipped", rule, told_to([seat]), seat=seat, entry=entry, reason=reason, done=done)


def win(turn: FeudalTurn, seat: str, rule: str) -> None:
    """8: the game is over."""
    turn.state.winner = seat
    ranked = domains.ranking(turn.state, turn.state.round)
    standings = [{"seat": each, "glory": turn.lord(each).glory, "lands": domains.lands(turn.lord(each).domain), "gold": turn.lord(each).gold} for each in ranked]
    turn.tell("game-over", rule, EVERYBODY, winner=seat, standings=standings, hands={each: listed(turn.lord(each).hand) for each in ranked})


# Gold and glory

def collect(turn: FeudalTurn, seat: str, amount: int) -> None:
    """6.2.1 Income."""
    turn.lord(seat).gold += amount
    if amount:
        turn.tell("income", "6.2.1", EVERYBODY, seat=seat, amount=amount)


def end_revolt(turn: FeudalTurn, seat: str) -> None:
    turn.lord(seat).revolt = False
    turn.tell("income-revolt", "6.2.1", EVERYBODY, seat=seat)


def give_gold(turn: FeudalTurn, seat: str, to: str, amount: int) -> None:
    """6.2.2 Gifts."""
    turn.lord(seat).gold -= amount
    turn.lord(to).gold += amount
    turn.tell("gift", "6.2.2", purse_known(turn.state, [seat, to]), **{"from": seat, "to": to, "amount": amount})


def pay(turn: FeudalTurn, seat: str, amount: int) -> None:
    """To the bank; the event of what is bought tells it."""
    turn.lord(seat).gold -= amount


def move_gold(turn: FeudalTurn, rule: str, giver: str, taker: str, amount: int) -> None:
    """Gold that an Event or plunder moves between two seats, or a seat and the bank."""
    if giver != BANK:
        turn.lord(giver).gold -= amount
    if taker != BANK:
        turn.lord(taker).gold += amount
    if amount:
        turn.tell("gold-taken", rule, purse_known(turn.state, [giver, taker]), **{"from": giver, "to": taker, "amount": amount})


def gain_glory(turn: FeudalTurn, rule: str, seat: str, amount: int, source: str) -> None:
    turn.lord(seat).glory += amount
    if amount:
        turn.tell("glory-gained", rule, EVERYBODY, seat=seat, amount=amount, source=source)


def lose_glory(turn: FeudalTurn, rule: str, seat: str, amount: int, source: str) -> None:
    """8.4: glory stops at 0; the caller has seen to that."""
    turn.lord(seat).glory -= amount
    if amount:
        turn.tell("glory-lost", rule, EVERYBODY, seat=seat, amount=amount, source=source)


def reach_rank(turn: FeudalTurn, seat: str, rank: str | None, bonus: int) -> None:
    """6.11.1: a rank and what it brings; negative where a higher one was lost (`held`)."""
    turn.lord(seat).glory += bonus
    if turn.option("rank-bonus") == "once" and rank is not None:
        turn.lord(seat).ranks_paid.append(rank)
    turn.tell("rank-reached", "6.11.1", EVERYBODY, seat=seat, rank=rank, bonus=bonus)


def take_confidence(turn: FeudalTurn, seat: str) -> None:
    """6.2.3: paid to the bank, taken from there or from whoever holds it."""
    state = turn.state
    pay(turn, seat, TABLES.confidence.cost)
    if isinstance(state.confidence, list):
        giver = BANK
        state.confidence = sorted([*state.confidence, seat])
    else:
        giver = state.confidence or BANK
        state.confidence = seat
    turn.tell("confidence-bought", "6.2.3", EVERYBODY, **{"seat": seat, "from": giver})


def declare_revolt(turn: FeudalTurn, seat: str) -> None:
    turn.lord(seat).revolt = True
    turn.tell("revolt", "6.6", EVERYBODY, seat=seat)


# Cards

def place(turn: FeudalTurn, rule: str, seat: str, card: str) -> None:
    """6.4: paid, and moved from the hand to the domain."""
    cost = TABLES.cards[card].price
    pay(turn, seat, cost)
    _leave_hand(turn, seat, card)
    _put(turn.lord(seat).domain, card)
    turn.tell("land-placed" if TABLES.cards[card].type == "land" else "recruited", rule, EVERYBODY, seat=seat, card=card, cost=cost)


def reshuffle(turn: FeudalTurn) -> None:
    """6.5: the discard pile, sorted by id, becomes the new deck. Its order is never told: the draw is known by its name only."""
    turn.reshuffles += 1
    draw = f"reshuffle/{turn.reshuffles}"
    pile = listed(turn.state.discard)
    turn.state.deck = turn.dice.shuffle(draw, pile)
    turn.state.discard = {}
    turn.tell("reshuffled", "6.5", EVERYBODY, draw=draw, size=len(pile))


def draw_top(turn: FeudalTurn, seat: str) -> str:
    """6.5: the top card goes to the hand; told for the whole phase by `tell_drawn`."""
    card = turn.state.deck.pop(0)
    _put(turn.lord(seat).hand, card)
    return card


def tell_drawn(turn: FeudalTurn, seat: str, cards: list[str], bought: int) -> None:
    if cards:
        turn.tell("cards-drawn", "6.5", purse_known(turn.state, [seat]), seat=seat, number=len(cards), bought=bought)
        turn.tell("cards-drawn-names", "6.5", told_to([seat]), seat=seat, cards=list(cards))


def tell_deck_empty(turn: FeudalTurn) -> None:
    turn.tell("deck-empty", "6.5", EVERYBODY)


def play_event(turn: FeudalTurn, seat: str, card: str, cost: int, victim: str | None, target: str | None, size: int | None, hidden_size: bool) -> None:
    """6.6.5: the card leaves the hand, its cost is paid. hidden_size: under `scouting` only the two seats learn the size."""
    _leave_hand(turn, seat, card)
    pay(turn, seat, cost)
    data = {"seat": seat, "card": card, "cost": cost, "victim": victim, "target": target}
    two = told_to([seat, victim or seat])
    others = told_to(other for other in turn.state.order if other not in two)
    if hidden_size and turn.option("fog") == "scouting":
        turn.tell("event-played", "6.6", two, **data, size=size)
        if others:
            turn.tell("event-played", "6.6", others, **data)
    else:
        turn.tell("event-played", "6.6", EVERYBODY, **data, size=size)


def lose_card(turn: FeudalTurn, kind: str, seat: str, card: str, cause: str) -> None:
    """6.6: a card of the domain is discarded. kind: `vassal-lost` or `card-lost`."""
    _take(turn.lord(seat).domain, card)
    to_discard(turn, card)
    turn.tell(kind, "6.6", EVERYBODY, seat=seat, card=card, cause=cause)


def steal(turn: FeudalTurn, thief: str, victim: str, card: str) -> None:
    """6.6 Treachery: the thief sees the hand, takes a card of it, and remembers the rest (7)."""
    hand = turn.lord(victim).hand
    turn.tell("hand-seen", "6.6", told_to([thief]), thief=thief, victim=victim, cards=listed(hand))
    _take(hand, card)
    _put(turn.lord(thief).hand, card)
    two = told_to([thief, victim])
    turn.tell("card-stolen", "6.6", two, thief=thief, victim=victim, card=card)
    others = told_to(other for other in turn.state.order if other not in two)
    if others:
        turn.tell("card-stolen", "6.6", others, thief=thief, victim=victim)
    turn.lord(thief).seen[victim] = Seen(turn.state.round, dict(hand))


def discard_from_hand(turn: FeudalTurn, seat: str, cards: list[str]) -> None:
    """6.10: down to the hand limit."""
    for card in cards:
        _leave_hand(turn, seat, card)
        to_discard(turn, card)
    turn.tell("hand-discarded", "6.10", EVERYBODY, seat=seat, cards=list(cards))


# Peace

def keep_holy_day(turn: FeudalTurn, seat: str) -> None:
    """6.6 Holy Day: in force until all other seats have kept it once."""
    turn.state.peace.append(Peace(seat, domains.clockwise(turn.state.order, seat)))


def strike_from_peace(turn: FeudalTurn, seat: str) -> None:
    """6.10: the seat's table turn was kept peaceful; a Holy Day that all have kept is over."""
    for peace in turn.state.peace:
        if peace.seat != seat and seat in peace.left:
            peace.left.remove(seat)
    end_peace(turn, [peace for peace in turn.state.peace if not peace.left])


def end_peace(turn: FeudalTurn, over: list[Peace]) -> None:
    for peace in over:
        turn.state.peace.remove(peace)
        turn.tell("peace-ended", "6.10", EVERYBODY, seat=peace.seat)


# Battles

def play_battle_card(turn: FeudalTurn, seat: str, card: str) -> None:
    """6.8.3: paid by its player; until the dice have fallen it lies on the table."""
    pay(turn, seat, TABLES.cards[card].price)
    _leave_hand(turn, seat, card)


def take_land(turn: FeudalTurn, loser: str, winner: str, card: str) -> None:
    """6.9.1: a Land changes hands, without cost."""
    _take(turn.lord(loser).domain, card)
    _put(turn.lord(winner).domain, card)
    turn.tell("land-taken", "6.9.1", EVERYBODY, **{"from": loser, "to": winner, "card": card})


def lose_battle_card(turn: FeudalTurn, seat: str, card: str, place_: str) -> None:
    """6.9.2: the loser discards a card, from "domain" or "hand"."""
    if place_ == "hand":
        _leave_hand(turn, seat, card)
    else:
        _take(turn.lord(seat).domain, card)
    to_discard(turn, card)
    turn.tell("battle-loss", "6.9.2", EVERYBODY, **{"seat": seat, "card": card, "from": place_})


# Leaving the game

def leave(turn: FeudalTurn, seat: str) -> None:
    """8.5: hand and domain to the discard pile, Fief removed, gold and marker to the bank, its Holy Day over, forgotten by all."""
    state, lord = turn.state, turn.lord(seat)
    for card in listed(lord.hand) + [id_ for id_ in listed(lord.domain) if id_ != FIEF]:
        to_discard(turn, card)
    if isinstance(state.confidence, list):
        state.confidence = [holder for holder in state.confidence if holder != seat]
    elif state.confidence == seat:
        state.confidence = None
    state.order.remove(seat)
    del state.seats[seat]
    for other in state.seats.values():
        other.seen.pop(seat, None)
    turn.tell("seat-retired", "8.5", EVERYBODY, seat=seat)
    end_peace(turn, [peace for peace in state.peace if peace.seat == seat])
    strike_from_peace(turn, seat)

