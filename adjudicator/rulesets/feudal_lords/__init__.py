"""Feudal Lords: two to eight nobles share one deck of cards, build a fief, and fight petty wars for land and gold."""

from pathlib import Path

from ...core.ruleset import Ruleset
from .opening import seating, seating_problems, setup, unheld
from .options import OPTIONS
from .order_checks import check
from .orders import order_model
from .preview import preview
from .problem_codes import PROBLEM_CODES
from .report import report
from .sequence import adjudicate, asked, last_turn, outcome, retire, statistics, turn_name
from .sight import View
from .state import State
from .steward import steward
from .tables import TABLES
from .tabletop import draw_map
from .view import view

RULESET = Ruleset(
    id="feudal-lords", title="Feudal Lords", revision=1,
    summary="A card game of glory, lands, vassals and petty wars: 2 to 8 players, about 12 rounds",
    seats=dict(TABLES.seat_names), players=(2, 8), options=OPTIONS,
    state_type=State, view_type=View, turn_name=turn_name, last_turn=last_turn,
    seating=seating, unheld=unheld, seating_problems=seating_problems, setup=setup, asked=asked,
    order_model=order_model, check=check, adjudicate=adjudicate, view=view, outcome=outcome, statistics=statistics,
    report=report, draw_map=draw_map, steward=steward, rulebook=Path(__file__).parent / "RULES.md", retire=retire,
    preview=preview, problem_codes=PROBLEM_CODES,
)
