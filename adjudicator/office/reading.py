"""Read the orders of a seat, from its view and nothing else: the same way for a check, a receipt, a turn and its proof."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..core import plain
from ..core.names import Names
from ..core.orders import REFUSED, Fields, Problem, read_orders
from ..core.ruleset import Ruleset
from ..core.values import from_plain
from ..core.words import _
from ..orderfile.loader import Loaded
from ..orderfile.submission import Envelope, Letter, Submission, read_submission
from ..orderfile.writing import written


@dataclass
class Understood:
    """Orders as understood. `written`: one text an order, with its path. `error`: what failed in the program, or ""."""

    orders: dict[str, Any] = field(default_factory=dict)
    written: list[tuple[list[str | int], str]] = field(default_factory=list)
    letters: list[Letter] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    state: str = "taken"
    text: str = ""
    error: str = ""
    salt: str = ""
    final: bool = True
    absent: int | None = None
    request: list[str] = field(default_factory=list)

    @property
    def counts(self) -> bool:
        """True if the file can be in force."""
        return self.state in ("taken", "partly")


def orders_view(ruleset: Ruleset, state: Any, seat: str) -> Any:
    """The view by which a seat's orders are read: as it stands in view.json, so that the answer at home and on arrival is the same to the letter."""
    view = ruleset.view(state, seat)
    return plain.from_json(plain.to_json(view), type(view))


def turns_ahead(ruleset: Ruleset, options: dict[str, Any], turn: int) -> dict[int, str]:
    """The turn and those after it, up to the last there can be, or a hundred: number -> what the reports call it."""
    last = ruleset.last_turn(options)
    return {ahead: ruleset.turn_name(options, ahead) for ahead in range(turn, turn + 100) if last is None or ahead <= last}


def read_file(ruleset: Ruleset, view: Any, data: bytes | Loaded, *, campaign: str, turn: int, seat: str, partial: str,
              salted: bool = False, press: str = "report", anonymous: str = "no", turns: Mapping[int, str] | None = None) -> Understood:
    """Read an order file of a seat. An error in the game's own reader is told, and does not stop whoever asked."""
    seats = Names(ruleset.seats)

    def read() -> Understood:
        model = ruleset.order_model(view)
        read = read_submission(data, model, _check(ruleset, view), campaign=campaign, turn=turn, seat=seat, seats=seats, partial=partial == "accept",
                               salted=salted, press=press, anonymous=anonymous, turns=turns)
        return Understood(read.orders, written(read.orders, model), read.letters, read.problems, read.state, read.text, salt=read.salt,
                          final=read.final, absent=read.absent, request=read.request)
    return _guarded(read)


def read_steward(ruleset: Ruleset, view: Any) -> Understood:
    """The orders that the steward writes for a seat, read as a player's would be."""
    def read() -> Understood:
        model = ruleset.order_model(view)
        read = read_orders(model, from_plain(ruleset.steward(view)), _check(ruleset, view))
        return Understood(read.orders, written(read.orders, model), problems=read.problems)
    return _guarded(read)


def read_nobody(ruleset: Ruleset, campaign: str, turn: int, data: bytes | Loaded, seat: str) -> Submission:
    """What is wrong with the envelope of a file whose sender is not known: no view is looked at, so nothing of a seat can show."""
    nothing = Fields(_("this file"), {})
    read = read_submission(data, nothing, lambda _orders, _remarks: None, campaign=campaign, turn=turn, seat=seat, seats=Names(ruleset.seats))
    return Submission(read.state, Envelope(), problems=[problem for problem in read.problems if not problem.order], text=read.text)


def _check(ruleset: Ruleset, view: Any) -> Callable:
    return lambda orders, remarks: ruleset.check(orders, view, remarks)


def _guarded(read: Callable[[], Understood]) -> Understood:
    try:
        return read()
    except Exception as error:  # a fault of the game's reader: one seat's file must not stop all the others
        problem = Problem(REFUSED, "PROGRAM-ERROR", _("these orders could not be read because of an error in the program; the game master has been told"))
        return Understood(problems=[problem], state="refused", error=f"{type(error).__name__}: {error}")
