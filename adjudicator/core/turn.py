"""The workspace that the rule steps of one turn share, and the guard around the orders of each seat."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from . import plain
from .dice import Dice, Draw
from .events import GM, Event

S = TypeVar("S")
Orders = dict[str, dict[str, Any]]
"""seat -> order key -> plain data, as read; a seat without orders has an empty mapping."""


class OrderRaised(RuntimeError):
    """A rule failed while it carried out an order: a programming error, with the seat and the order's key."""

    def __init__(self, seat: str, order: str) -> None:
        super().__init__(f"the order {order!r} of {seat} could not be carried out")
        self.seat, self.order = seat, order


class Turn(Generic[S]):
    """State, orders, dice and events of the turn that is being adjudicated. The state is a copy: steps may change it."""

    def __init__(self, state: S, orders: Orders, dice: Dice) -> None:
        self.state: S = plain.copy(state)
        self.orders = orders
        self.dice = dice
        self.events: list[Event] = []

    def order(self, seat: str, key: str, default: Any = None) -> Any:
        """The seat's order with this key, or the default."""
        return self.orders.get(seat, {}).get(key, default)

    def tell(self, kind: str, rule: str, audience: Iterable[str], draws: Iterable[str] = (), **data: Any) -> None:
        """Add an event; see `Event` for the arguments."""
        self.events.append(Event(kind, rule, list(audience), data, list(draws)))

    @contextmanager
    def carrying_out(self, seat: str, order: str) -> Iterator[None]:
        """Inside the block the seat's order is carried out: what fails there is laid at its door (OrderRaised)."""
        try:
            yield
        except OrderRaised:
            raise
        except Exception as error:
            raise OrderRaised(seat, order) from error


@dataclass
class Failure:
    """An order that raised and was left out: for the GM, with what reproduces it."""

    seat: str
    order: str
    error: str


@dataclass
class Result(Generic[S]):
    """What a turn made of a state. `failures`: the orders that had to be left out, in the order in which they failed."""

    state: S
    events: list[Event]
    draws: list[Draw]
    failures: list[Failure] = field(default_factory=list)


def adjudicate_guarded(adjudicate: Callable[[S, Orders, Dice], tuple[S, list[Event]]], state: S, orders: Orders,
                       make_dice: Callable[[], Dice]) -> Result[S]:
    """Adjudicate; leave out every order that raises, and begin the turn anew without it.

    Since adjudication is pure, beginning anew is the safe way back: no half-made change survives. If the order has been left out
    already, all orders of its seat are; if that does not help either, the error goes on to the caller. Each order left
    out is told in an event `order-failed`, to its seat and to the GM.
    """
    orders = {seat: dict(given) for seat, given in orders.items()}
    failures: list[Failure] = []
    while True:
        dice = make_dice()
        try:
            after, events = adjudicate(state, orders, dice)
        except OrderRaised as raised:
            cause = raised.__cause__
            if not orders.get(raised.seat):
                raise
            failures.append(Failure(raised.seat, raised.order, f"{type(cause).__name__}: {cause}"))
            if raised.order in orders[raised.seat]:
                del orders[raised.seat][raised.order]
            else:
                orders[raised.seat] = {}
            continue
        told = [Event("order-failed", "", [failure.seat, GM], {"seat": failure.seat, "order": failure.order}) for failure in failures]
        return Result(after, told + events, dice.log, failures)
