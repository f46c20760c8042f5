"""Ruleset: the one record that a game provides."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .dice import Dice
from .events import Event
from .orders import Fields, Kind, Remarks

if TYPE_CHECKING:
    from .report import Block, Desk, Report

STEWARD = "steward"
"""The holder of a seat that the steward plays."""
NOBODY = "nobody"
"""The holder of a seat that nobody plays and that is asked for nothing."""


@dataclass(frozen=True)
class Option:
    """One choice that is made when a campaign begins and holds to its end.

    kind:    what may be chosen (Choice, Whole or YesNo)
    applies: None, or a function of all options: False where this one has no effect (then it is ignored, with a warning)
    """

    id: str
    kind: Kind
    default: str | int | bool
    help: str
    rule: str = ""
    applies: Callable[[Mapping[str, Any]], bool] | None = None


@dataclass(frozen=True)
class Outcome:
    """How a game ended. `winners`: seats, the chief one first. `how`: a word of the game's own."""

    winners: list[str]
    how: str
    words: str


@dataclass(frozen=True)
class Statistics:
    """Numbers over time for one turn: series id -> value. `labels` gives what people read for each series."""

    turn: int
    values: dict[str, int]


Options = dict[str, Any]
Holders = dict[str, str]
"""seat -> player id, STEWARD or NOBODY"""


@dataclass(frozen=True)
class Ruleset:
    """A game. `State` and `View` stand for the game's own record types (dataclasses of plain data).

    A viewer is a seat, "public" (what everybody knows) or "gm" (everything).

    seats:        seat id -> what people read, in seat order
    players:      fewest and most players
    turn_name:    (options, turn) -> "Spring 1455"; turn 0 is the setup
    last_turn:    options -> the last turn there can be; None where only the rules end the game
    seating:      (options, number of players) -> for each player the seats that he holds; the others: see `unheld`
    unheld:       options -> seat -> STEWARD or NOBODY: who has the seats that no player holds
    seating_problems: (options, holders) -> sentences about a seating that the rules forbid
    setup:        (options, holders, dice) -> (state, events); the draws are those of turn 0
    asked:        state -> the seats that are asked for orders in the coming turn, in seat order
    heard:        state -> the seats whose file is taken for the coming turn, asked or not; None: those that are asked
    order_model:  view -> the orders of the coming turn
    check:        (orders as read, view, remarks): a look at how orders fit together and into the view
    adjudicate:   (state, orders, dice) -> (state, events)
    view:         (state, viewer) -> view
    outcome:      state -> Outcome, or None while the game goes on
    statistics:   state -> public numbers of this moment
    report:       (view, events, desk) -> report model; the events are those that the viewer may see
    draw_map:     (view, events) -> SVG text, or None for a game without a map
    steward:      view -> orders as a player would write them (plain data), drawing no dice
    rulebook:     file with the rulebook, Markdown
    retire:       (state, seat) -> (state, events): the seat, which nobody holds any more, leaves the game between two turns; a seat that has
                  left, or was never in it, changes nothing. None: the game has no rule for that
    reseat:       (state, holders) -> state: seats have changed hands between two turns; None: the game's state does not know who holds a seat
    preview:      (view, orders as read) -> blocks of the report model: what the orders cost, where pieces can go; None: nothing beside the check
    problem_codes: problem code -> what it means, an example and what to do, in a sentence or more; see `adjudicator explain`
    """

    id: str
    title: str
    revision: int
    summary: str
    seats: dict[str, str]
    players: tuple[int, int]
    options: tuple[Option, ...]
    state_type: type
    view_type: type
    turn_name: Callable[[Options, int], str]
    last_turn: Callable[[Options], int | None]
    seating: Callable[[Options, int], list[list[str]]]
    unheld: Callable[[Options], dict[str, str]]
    seating_problems: Callable[[Options, Holders], list[str]]
    setup: Callable[[Options, Holders, Dice], tuple[Any, list[Event]]]
    asked: Callable[[Any], list[str]]
    order_model: Callable[[Any], Fields]
    check: Callable[[dict[str, Any], Any, Remarks], None]
    adjudicate: Callable[[Any, dict[str, dict[str, Any]], Dice], tuple[Any, list[Event]]]
    view: Callable[[Any, str], Any]
    outcome: Callable[[Any], Outcome | None]
    statistics: Callable[[Any], dict[str, int]]
    report: "Callable[[Any, list[Event], Desk], Report]"
    draw_map: Callable[[Any, list[Event]], str | None]
    steward: Callable[[Any], dict[str, Any]]
    rulebook: Path
    heard: Callable[[Any], list[str]] | None = None
    retire: Callable[[Any, str], tuple[Any, list[Event]]] | None = None
    reseat: Callable[[Any, Holders], Any] | None = None
    preview: "Callable[[Any, dict[str, Any]], list[Block]] | None" = None
    problem_codes: Mapping[str, str] | None = None

    def listens_to(self, state: Any) -> list[str]:
        """The seats whose file is taken for the coming turn: those asked, and others that may have something to say."""
        seats = [*self.asked(state), *(self.heard(state) if self.heard else ())]
        return [seat for seat in self.seats if seat in seats]

    def is_last(self, options: Options, turn: int) -> bool:
        """True if no turn can follow this one, whatever happens in it."""
        last = self.last_turn(options)
        return last is not None and turn >= last
