"""Chapter 3: who sits where, and the state before the first round."""

from ...core.dice import Dice
from ...core.events import PUBLIC, Event
from ...core.ruleset import NOBODY, Holders, Options
from ...core.words import _
from .state import Lord, State
from .tables import FIEF, TABLES, counted


def setup(options: Options, holders: Holders, dice: Dice) -> tuple[State, list[Event]]:
    """3 Setup: seating, deck, Fiefs, deal; the seats that somebody holds are in the game."""
    listed = [seat for seat in TABLES.seats if holders.get(seat, NOBODY) != NOBODY]
    order, events = seat_lords(options, listed, dice)
    deck = dice.shuffle("setup/deck", TABLES.whole_deck())
    state = State(round=1, options=dict(options), order=order, seats={}, deck=deck, confidence=[] if options["kings-confidence"] == "each" else None)
    for seat in sorted(order):
        state.seats[seat] = Lord(gold=options["starting-gold"], glory=TABLES.numbers.starting_glory, domain={FIEF: 1},
                                 ranks_paid=[next(iter(TABLES.ranks))])
    deal(state)
    return state, events


def seat_lords(options: Options, listed: list[str], dice: Dice) -> tuple[list[str], list[Event]]:
    """3.1 Seating: by lot, or as the seats are listed. The lot is told, so that everybody may know its result."""
    if options["seating"] == "listed":
        return list(listed), []
    order = dice.shuffle("setup/seating", sorted(listed))
    return order, [Event("seated", "3.1", [PUBLIC], {"order": list(order), "draw": "setup/seating"}, ["setup/seating"])]


def deal(state: State) -> None:
    """3.4 Deal: in seating order each seat takes its cards from the top, all at once."""
    number = state.options["starting-hand"]
    for seat in state.order:
        state.seats[seat].hand = counted(state.deck[:number])
        state.deck = state.deck[number:]


def seating(options: Options, players: int) -> list[list[str]]:
    """For each player one seat, in the order in which they are offered."""
    return [[seat] for seat in TABLES.seats[:players]]


def unheld(options: Options) -> dict[str, str]:
    """A seat that no player holds is not in the game."""
    return dict.fromkeys(TABLES.seats, NOBODY)


def seating_problems(options: Options, holders: Holders) -> list[str]:
    """1: two seats at least must be in the game."""
    held = [seat for seat in TABLES.seats if holders.get(seat, NOBODY) != NOBODY]
    return [] if len(held) >= 2 else [_("two lords at least are needed (rule 1)")]
