"""desk.json: what the reports of a turn need beside state and events."""

from dataclasses import dataclass
from typing import Any

from ..core import plain


@dataclass
class DeskFile:
    """What the reports of a turn need, as it was then, so that they can be made again.

    deadline: for the coming turn, as people read it. due: the same moment in UTC, "2026-12-06T17:00Z"; "" if it is only words.
    was_due:  when orders for the turn itself were due in the end; "" where that is what its players were told.
    statistics: the public numbers after this turn. seed: "" until the game is over.
    """

    title: str
    language: str
    paper: str
    deadline: str
    player_names: dict[str, str]
    tokens: dict[str, str]
    statistics: dict[str, int]
    sent: dict[str, bool]
    turns: int
    final: bool
    seed: str = ""
    due: str = ""
    was_due: str = ""
    press: str = "report"
    anonymous: str = "no"


def record(desk: DeskFile) -> dict[str, Any]:
    """The desk as it is stored; what came later is left out where it says nothing, so that older turns keep their bytes."""
    plain_desk = plain.to_plain(desk)
    for key, nothing in (("due", ""), ("was_due", ""), ("press", "report"), ("anonymous", "no")):
        if plain_desk[key] == nothing:
            del plain_desk[key]
    return plain_desk
