"""6.1 The order of the steps, and what follows from the rounds."""

from collections.abc import Callable

from ...core.dice import Dice
from ...core.events import Event
from ...core.ruleset import Options, Outcome
from ...core.turn import Orders
from ...core.words import _
from . import changes, domains
from .rules import declaring, events, fate, gold, placing, standing, turn_ends
from .state import State
from .tables import TABLES
from .workspace import FeudalTurn

Step = Callable[[FeudalTurn, str], None]

TABLE_TURN: tuple[Step, ...] = (
    gold.take_income,             # 6.2.1
    gold.give_gifts,              # 6.2.2
    gold.buy_confidence,          # 6.2.3
    gold.take_glory,              # 6.3
    placing.place_land,           # 6.4.1
    placing.recruit,              # 6.4.2
    fate.draw_cards,              # 6.5
    events.play_events,           # 6.6
    declaring.attack,             # 6.7-6.9
    turn_ends.keep_hand_limit,    # 6.10
    turn_ends.pass_holy_days,     # 6.10
)
"""The seven phases of a table turn, and its end"""


def adjudicate(state: State, orders: Orders, dice: Dice) -> tuple[State, list[Event]]:
    """6.1 The round: policies, the table turns in play order, the round's end. ValueError after the end of the game."""
    if state.winner is not None:
        raise ValueError("the game is over: no round follows")
    turn = FeudalTurn(state, orders, dice)
    changes.begin_round(turn)
    take_policies(turn)                          # 6.1.1
    for seat in turn.play_order:                 # 6.1.2
        for step in TABLE_TURN:
            if turn.is_over:
                return turn.state, turn.events
            step(turn, seat)
    if not turn.is_over:
        standing.end_round(turn)                 # 6.1.3
    return turn.state, turn.events


def take_policies(turn: FeudalTurn) -> None:
    """6.1.1 Policies: those sent this round are in force for every table turn of it."""
    for seat in turn.play_order:
        with turn.carrying_out(seat, "policies"):
            for key, value in turn.order(seat, "policies", {}).items():
                changes.set_policy(turn, seat, key, value)


def retire(state: State, seat: str) -> tuple[State, list[Event]]:
    """8.5 Dropped seats: between two rounds a seat leaves the game."""
    turn = FeudalTurn(state, {}, Dice(script={}))
    if seat in turn.state.order:
        standing.retire_seat(turn, seat)
    return turn.state, turn.events


def asked(state: State) -> list[str]:
    """4: every seat in the game is asked, every round."""
    return [] if state.winner is not None else domains.in_seat_order(state.order)


def turn_name(options: Options, turn: int) -> str:
    """1: "Round 3"; turn 0 is the setup."""
    return _("Setup") if turn < 1 else _("Round {number}").format(number=turn)


def last_turn(options: Options) -> int | None:
    """8.2 Turn limit, if there is one."""
    return options["max-turns"] or None


def outcome(state: State) -> Outcome | None:
    """8.1-8.5: who has won, and how, or None."""
    if state.winner is None:
        return None
    name = TABLES.seat_names[state.winner]
    if state.seats[state.winner].glory >= state.options["glory-target"]:
        return Outcome([state.winner], "glory", _("{name} wins with {glory} glory.").format(name=name, glory=state.seats[state.winner].glory))
    if len(state.order) == 1:
        return Outcome([state.winner], "alone", _("{name} wins: nobody else is left at the table.").format(name=name))
    return Outcome([state.winner], "turn-limit", _("{name} leads after the last round and wins.").format(name=name))


def statistics(state: State) -> dict[str, int]:
    """Public numbers of this moment: glory and Lands of every seat that there can be (0 for those not in the game), and the deck."""
    numbers: dict[str, int] = {"deck": len(state.deck)}
    for seat in TABLES.seats:
        lord = state.seats.get(seat)
        numbers[f"glory/{seat}"] = lord.glory if lord else 0
        numbers[f"lands/{seat}"] = domains.lands(lord.domain) if lord else 0
    return numbers
