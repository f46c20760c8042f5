"""An order that raises is left out, told, and does not stop the turn."""

from dataclasses import dataclass, field

import pytest

from adjudicator.core.dice import Dice, turn_key
from adjudicator.core.events import GM, PUBLIC, Event, draw_audiences, seen_by
from adjudicator.core.turn import OrderRaised, Turn, adjudicate_guarded


@dataclass
class Board:
    done: list[str] = field(default_factory=list)


def adjudicate(state, orders, dice):
    turn = Turn(state, orders, dice)
    for seat in sorted(orders):
        for key, value in orders[seat].items():
            with turn.carrying_out(seat, key):
                turn.state.done.append(f"{seat}.{key}")
                dice.die(f"{seat}/{key}")
                if value == "bang":
                    raise KeyError("half done")
                if value == "always" or "bad" in turn.state.done:
                    raise ValueError
    return turn.state, turn.events


def run(orders):
    state = Board()
    result = adjudicate_guarded(adjudicate, state, orders, lambda: Dice(turn_key("s", 1)))
    assert state == Board(), "the state before must stay as it was"
    return result


def test_the_bad_order_alone_is_left_out():
    result = run({"a": {"one": 1, "two": "bang"}, "b": {"three": 3}})
    assert result.state.done == ["a.one", "b.three"]
    assert [(f.seat, f.order, f.error) for f in result.failures] == [("a", "two", "KeyError: 'half done'")]
    assert result.events == [Event("order-failed", "", ["a", GM], {"seat": "a", "order": "two"})]
    assert [draw.name for draw in result.draws] == ["a/one", "b/three"], "the draws of the failed attempt do not count"


def test_several_bad_orders():
    result = run({"a": {"one": "bang", "two": "bang"}, "b": {"three": "always"}})
    assert result.state.done == [] and len(result.failures) == 3


def test_an_error_that_no_order_explains_is_raised():
    def broken(state, orders, dice):
        turn = Turn(state, orders, dice)
        with turn.carrying_out("a", "nothing"):
            raise ZeroDivisionError
    with pytest.raises(OrderRaised, match="'nothing' of a"):
        adjudicate_guarded(broken, Board(), {"a": {}}, lambda: Dice(b""))


def test_audiences():
    events = [Event("x", "1", ["york"], {}, ["d1"]), Event("y", "1", [PUBLIC], {}, ["d2"]), Event("z", "1", [GM]), Event("w", "1", ["hull"], {}, ["d1"])]
    assert [e.kind for e in seen_by(events, "york")] == ["x", "y"]
    assert [e.kind for e in seen_by(events, PUBLIC)] == ["y"]
    assert [e.kind for e in seen_by(events, GM)] == ["x", "y", "z", "w"]
    assert draw_audiences(events) == {"d1": ["york", "hull"], "d2": [PUBLIC]}
