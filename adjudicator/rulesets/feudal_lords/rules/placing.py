"""6.4 Land phase and vassal phase: cards from the hand into the domain."""

from .. import changes, domains
from ..cardlists import ANY, Entry, entries_of
from ..tables import TABLES
from ..workspace import FeudalTurn
from .standing import settle


def place_land(turn: FeudalTurn, seat: str) -> None:
    """6.4.1 Land: the first entry that is in hand and can be paid is placed; one Land a turn."""
    with turn.carrying_out(seat, "land"):
        wanted = turn.wish(seat, "land", [])
        if not wanted:
            return
        named: list[str] = []
        for name in wanted:
            named += domains.by_high_order(domains.of_types(turn.lord(seat).hand, ["land"])) if name == ANY else [name]
        held = [card for card in named if card in turn.lord(seat).hand]
        for card in held:
            if turn.may_pay(seat, TABLES.cards[card].price, turn.keep(seat)):
                changes.place(turn, "6.4.1", seat, card)
                settle(turn, seat)
                return
        changes.skip(turn, "6.4.1", seat, "land", "cannot-pay" if held else "not-in-hand")


def recruit(turn: FeudalTurn, seat: str) -> None:
    """6.4.2 Vassals and Companies: the entries are walked once from the top."""
    with turn.carrying_out(seat, "recruit"):
        for entry in entries_of(turn.wish(seat, "recruit", [])):
            if entry.is_any:
                for card in domains.by_high_order(domains.of_types(turn.lord(seat).hand, ["vassal", "company"])):
                    _place_copies(turn, seat, Entry(card, None))
            else:
                was_held = entry.card in turn.lord(seat).hand
                if not _place_copies(turn, seat, entry):
                    changes.skip(turn, "6.4.2", seat, entry.card, "cannot-pay" if was_held else "not-in-hand")


def _place_copies(turn: FeudalTurn, seat: str, entry: Entry) -> int:
    """Place copies while the count is not reached, one is in hand and can be paid. Returns how many were placed."""
    placed = 0
    while ((entry.most is None or placed < entry.most) and entry.card in turn.lord(seat).hand
           and turn.may_pay(seat, TABLES.cards[entry.card].price, turn.keep(seat))):
        changes.place(turn, "6.4.2", seat, entry.card)
        placed += 1
    return placed
