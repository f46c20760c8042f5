"""What is remembered only until the round is over: what every seat's standing was when it was last looked at, and how much has happened."""

from typing import Any

from ...core.dice import Dice
from ...core.turn import Orders, Turn
from . import domains
from .state import Lord, State


class FeudalTurn(Turn[State]):
    """The workspace that the rule steps of one round share.

    settled:    seat -> (Lands, glory) after the last completed effect (6.11)
    play_order: the seats, as their table turns are played in this round (4)
    reshuffles: how many so far in this round (6.5)
    """

    def __init__(self, state: State, orders: Orders, dice: Dice) -> None:
        super().__init__(state, {seat: given for seat, given in orders.items() if seat in state.order}, dice)
        self.settled = {seat: (domains.lands(lord.domain), lord.glory) for seat, lord in self.state.seats.items()}
        self.play_order = domains.play_order(self.state.order, self.state.options, self.state.round)
        self.reshuffles = 0

    @property
    def is_over(self) -> bool:
        """Has a seat won? Then nothing more of the round is executed."""
        return self.state.winner is not None

    def lord(self, seat: str) -> Lord:
        return self.state.seats[seat]

    def option(self, id_: str) -> Any:
        return self.state.options[id_]

    def wish(self, seat: str, key: str, default: Any) -> Any:
        """6.1: what the seat wants: this turn's file, else `policies.plan`, else the default."""
        given = self.orders.get(seat, {})
        if key in given:
            return given[key]
        return self.lord(seat).policies.get("plan", {}).get(key, default)

    def keep(self, seat: str) -> int:
        """5.1: the gold that nothing in the seat's own turn may eat into."""
        return self.wish(seat, "keep", 0)

    def may_pay(self, seat: str, cost: int, keep: int) -> bool:
        """5.1 keep: a payment of 0 is always allowed; another one must leave at least `keep`."""
        return cost == 0 or self.lord(seat).gold - cost >= keep
