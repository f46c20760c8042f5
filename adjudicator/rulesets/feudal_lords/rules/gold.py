"""6.2 Gold phase and 6.3 glory phase."""

from .. import changes, domains
from ..tables import TABLES
from ..workspace import FeudalTurn
from .standing import settle


def take_income(turn: FeudalTurn, seat: str) -> None:
    """6.2.1 Income: the gold of the domain; in revolt none, and the revolt is over."""
    if turn.lord(seat).revolt:
        changes.end_revolt(turn, seat)
    else:
        changes.collect(turn, seat, domains.income(turn.lord(seat).domain))


def give_gifts(turn: FeudalTurn, seat: str) -> None:
    """6.2.2 Gifts, with `gifts: gold` only: each in order, whole or not at all; `keep` does not hold for them."""
    if turn.option("gifts") != "gold":
        return
    with turn.carrying_out(seat, "give"):
        for gift in turn.order(seat, "give", []):
            if gift["to"] not in turn.state.order:
                changes.skip(turn, "6.2.2", seat, "give", "no-target")
            elif turn.lord(seat).gold < gift["gold"]:
                changes.skip(turn, "6.2.2", seat, "give", "cannot-pay")
            else:
                changes.give_gold(turn, seat, gift["to"], gift["gold"])


def buy_confidence(turn: FeudalTurn, seat: str) -> None:
    """6.2.3 King's Confidence: bought from the bank, or taken from whoever holds it."""
    with turn.carrying_out(seat, "confidence"):
        if turn.wish(seat, "confidence", "pass") != "buy":
            return
        if domains.has_confidence(turn.state, seat):
            changes.skip(turn, "6.2.3", seat, "confidence", "already-held")
        elif not turn.may_pay(seat, TABLES.confidence.cost, turn.keep(seat)):
            changes.skip(turn, "6.2.3", seat, "confidence", "cannot-pay")
        else:
            changes.take_confidence(turn, seat)


def take_glory(turn: FeudalTurn, seat: str) -> None:
    """6.3 Glory phase: the glory of the domain and of the King's Confidence, as one gain."""
    amount = domains.yield_of_glory(turn.lord(seat).domain)
    if domains.has_confidence(turn.state, seat):
        amount += TABLES.confidence.glory
    changes.gain_glory(turn, "6.3", seat, amount, "glory-phase")
    settle(turn, seat)
