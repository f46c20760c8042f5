"""6.11: the year's end."""

from .. import changes
from ..state import year_of
from ..tables import TABLES
from ..workspace import RosesTurn


def end_year(turn: RosesTurn) -> None:
    """6.11 Year's end: neutralities end, captives become neutral, what fell and was handed back is forgotten, captains return."""
    if turn.state.end is not None:
        return   # the game is over: nothing follows
    year = year_of(turn.state.turn)
    for house in TABLES.seats:
        record = turn.state.houses[house]
        if record.status == "neutral" and record.until is not None and record.until <= year:
            changes.become_active(turn, house)
        elif record.status == "captive":
            changes.turn_captive_neutral(turn, house)
    changes.forget_fallen(turn)
    for house in TABLES.seats:
        changes.restore_captain(turn, house)
