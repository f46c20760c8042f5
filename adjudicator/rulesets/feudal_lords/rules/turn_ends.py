"""6.10 End of the table turn: the hand limit, and the Holy Days that have been kept."""

from .. import changes, domains
from ..cardlists import choose
from ..workspace import FeudalTurn


def keep_hand_limit(turn: FeudalTurn, seat: str) -> None:
    """6.10 Hand limit: down to it by `loss.hand`, read anew for each card, then low order."""
    limit = turn.option("hand-limit")
    hand = dict(turn.lord(seat).hand)
    wanted = turn.lord(seat).policies.get("loss", {}).get("hand", [])
    gone: list[str] = []
    while limit and sum(hand.values()) > limit:
        held = [card for card in sorted(hand) if hand[card]]
        card = choose(wanted, held, domains.by_low_order(held))
        hand[card] -= 1
        gone.append(card)
    if gone:
        changes.discard_from_hand(turn, seat, gone)


def pass_holy_days(turn: FeudalTurn, seat: str) -> None:
    """6.10 Holy Days: the seat has kept those of others; under `holy-day: turn` its own are over."""
    changes.strike_from_peace(turn, seat)
    if turn.option("holy-day") == "turn":
        changes.end_peace(turn, [peace for peace in turn.state.peace if peace.seat == seat])
