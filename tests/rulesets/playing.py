"""Play games in memory, for the tests: stewards or nobody, a few turns or to the end."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from adjudicator.core.dice import Dice, Draw, turn_key
from adjudicator.core.events import Event
from adjudicator.core.orders import Read, read_orders
from adjudicator.core.ruleset import Ruleset
from adjudicator.core.values import from_plain


@dataclass
class Moment:
    """One turn: the state before it, the orders as read, and what came of them."""

    turn: int
    before: Any
    orders: dict[str, dict[str, Any]]
    after: Any
    events: list[Event]
    draws: list[Draw]


def begin(ruleset: Ruleset, players: int, **options: Any) -> Any:
    """The state after setup, with the game's own seating."""
    chosen = {option.id: option.default for option in ruleset.options} | options
    holders = dict(ruleset.unheld(chosen))
    for number, seats in enumerate(ruleset.seating(chosen, players), 1):
        holders |= dict.fromkeys(seats, f"player-{number}")
    state, _events = ruleset.setup(chosen, holders, Dice(turn_key("tests", 0)))
    return state


def read(ruleset: Ruleset, view: Any, orders: dict[str, Any]) -> Read:
    """Orders in plain form, read and checked like a file's."""
    return read_orders(ruleset.order_model(view), from_plain(orders), lambda read, remarks: ruleset.check(read, view, remarks))


def play(ruleset: Ruleset, state: Any, seed: str = "tests", turns: int = 10_000, stewards: bool = True) -> Iterator[Moment]:
    """Turn after turn, by stewards or without any orders, until the game is over."""
    for turn in range(1, turns + 1):
        if ruleset.outcome(state) is not None:
            return
        orders = {}
        for seat in ruleset.asked(state):
            view = ruleset.view(state, seat)
            orders[seat] = read(ruleset, view, ruleset.steward(view)).orders if stewards else {}
        dice = Dice(turn_key(seed, turn))
        after, events = ruleset.adjudicate(state, orders, dice)
        yield Moment(turn, state, orders, after, events, dice.log)
        state = after
