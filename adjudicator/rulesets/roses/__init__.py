"""Wars of the Roses, 1455-1471: two claimants, six vassals, seventeen years."""

from pathlib import Path

from ...core.ruleset import Ruleset
from .drawing import draw_map
from .opening import reseat, seating, seating_problems, setup, unheld
from .options import OPTIONS
from .order_checks import check
from .orders import order_model
from .preview import preview
from .problem_codes import PROBLEM_CODES
from .report import report
from .sequence import adjudicate, asked, heard, last_turn, outcome, statistics, turn_name
from .sight import View
from .state import State
from .steward import steward
from .tables import TABLES
from .view import view

RULESET = Ruleset(
    id="roses", title="Wars of the Roses, 1455-1471", revision=1,
    summary="Lancaster and York, six vassal houses, castles, armies, bargains: 2 to 8 players, at most 68 seasons",
    seats={house: row.name for house, row in TABLES.houses.items()}, players=(2, 8), options=OPTIONS,
    state_type=State, view_type=View, turn_name=turn_name, last_turn=last_turn,
    seating=seating, unheld=unheld, seating_problems=seating_problems, setup=setup, asked=asked, heard=heard,
    order_model=order_model, check=check, adjudicate=adjudicate, view=view, outcome=outcome, statistics=statistics,
    report=report, draw_map=draw_map, steward=steward, reseat=reseat, rulebook=Path(__file__).parent / "RULES.md",
    preview=preview, problem_codes=PROBLEM_CODES,
)
