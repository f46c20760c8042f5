"""6.5 Fate phase: two cards from the deck, and more for gold."""

from .. import changes
from ..tables import TABLES
from ..workspace import FeudalTurn


def draw_cards(turn: FeudalTurn, seat: str) -> None:
    """6.5 Fate phase: the free cards, then up to `draw.extra` for gold, as long as there are cards and gold."""
    drawn: list[str] = []
    missed = False
    for _number in range(TABLES.numbers.fate_draw):
        card = draw_card(turn, seat)
        if card is None:
            missed = True
            break
        drawn.append(card)
    with turn.carrying_out(seat, "draw"):
        bought, reason = buy_cards(turn, seat, drawn)
        changes.tell_drawn(turn, seat, drawn, bought)
        if missed or reason == "nothing-to-draw":
            changes.tell_deck_empty(turn)
        if reason is not None:
            changes.skip(turn, "6.5.2", seat, "draw", reason, bought)


def buy_cards(turn: FeudalTurn, seat: str, drawn: list[str]) -> tuple[int, str | None]:
    """6.5.2 Extra cards, added to `drawn`: (how many were bought, why not more, or None)."""
    wish = turn.wish(seat, "draw", {})
    keep = wish.get("keep", turn.keep(seat))
    cost = TABLES.numbers.extra_card_cost
    for bought in range(wish.get("extra", 0)):
        if not turn.state.deck and not turn.state.discard:
            return bought, "nothing-to-draw"
        if not turn.may_pay(seat, cost, keep):
            return bought, "cannot-pay"
        changes.pay(turn, seat, cost)
        card = draw_card(turn, seat)
        if card is not None:
            drawn.append(card)
    return wish.get("extra", 0), None


def draw_card(turn: FeudalTurn, seat: str) -> str | None:
    """6.5 To draw a card: an empty deck is made anew from the discard pile; None if that is empty too."""
    if not turn.state.deck and turn.state.discard:
        changes.reshuffle(turn)
    return changes.draw_top(turn, seat) if turn.state.deck else None
