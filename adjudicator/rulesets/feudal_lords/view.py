"""Who may know what (chapter 7): the view of a viewer, built up from nothing, and the audiences of events."""

from collections.abc import Iterable

from ...core import plain
from ...core.events import GM, PUBLIC
from . import domains
from .sight import LordView, View
from .state import Peace, Seen, State
from .tables import BANK

EVERYBODY = [PUBLIC]


# Audiences

def told_to(seats: Iterable[str]) -> list[str]:
    """These seats and nobody else, in seat order."""
    return domains.in_seat_order(seats)


def purse_known(state: State, seats: Iterable[str]) -> list[str]:
    """7 Events, audiences in brackets: everybody under `fog: rules`; these seats, the bank left out, under `scouting`."""
    return EVERYBODY if state.options["fog"] == "rules" else told_to(seat for seat in seats if seat != BANK)


# 7 Who sees what

def view(state: State, viewer: str) -> View:
    """7 Visibility: everything that the viewer (a seat, "public" or "gm") may know. A new field stays hidden until it is shown here."""
    over = state.winner is not None
    purses = state.options["fog"] == "rules" or viewer == GM or over
    shown = View(viewer=viewer, round=state.round, options=dict(state.options), order=list(state.order), seats={}, deck_size=len(state.deck),
                 discard=dict(sorted(state.discard.items())), confidence=list(state.confidence) if isinstance(state.confidence, list) else state.confidence,
                 peace=[Peace(peace.seat, list(peace.left)) for peace in state.peace], winner=state.winner)
    for seat in sorted(state.seats):
        lord = state.seats[seat]
        seen = LordView(glory=lord.glory, domain=dict(sorted(lord.domain.items())), ranks_paid=list(lord.ranks_paid), revolt=lord.revolt)   # all
        if purses or seat == viewer:                    # gold, hand size: all; under `scouting` the owner, and all at the end
            seen.gold, seen.hand_size = lord.gold, sum(lord.hand.values())
        if seat == viewer or viewer == GM or over:      # hand: the owner, and all at the end
            seen.hand = dict(sorted(lord.hand.items()))
        shown.seats[seat] = seen
    if viewer in state.seats:                           # policies, memory of hands: the owner, never anybody else
        shown.policies = plain.from_json(plain.to_json(state.seats[viewer].policies), dict)
        shown.seen = {rival: Seen(note.round, dict(sorted(note.cards.items())), dict(sorted(note.gone.items())))
                      for rival, note in sorted(state.seats[viewer].seen.items())}
    if viewer == GM:                                    # policies: the GM too
        shown.all_policies = {seat: plain.from_json(plain.to_json(lord.policies), dict) for seat, lord in sorted(state.seats.items())}
    return shown
