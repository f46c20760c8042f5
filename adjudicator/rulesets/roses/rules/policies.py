"""6.1: new policies take effect first of all."""

from .. import changes
from ..state import DEFAULT_POLICIES
from ..tables import TABLES
from ..workspace import RosesTurn


def take_effect(turn: RosesTurn) -> None:
    """6.1 Order of a turn: new `policy` entries take effect first of all, simultaneously."""
    for house in TABLES.seats:
        if turn.state.houses[house].status == "dormant":
            continue
        with turn.carrying_out(house, "policy"):
            for key, value in (turn.order(house, "policy") or {}).items():
                if key in DEFAULT_POLICIES:
                    changes.set_policy(turn, house, key, value)
