"""`preview` and `explain` of roses: what orders would come to, from the view alone."""

import re
from pathlib import Path

import pytest

from adjudicator.core import registry
from adjudicator.core.report import Report, Section
from adjudicator.report import text

from ..playing import begin, play, read

ROSES = registry.load("roses")


def said(view, orders):
    """What preview says of orders, as plain text without line breaks."""
    blocks = ROSES.preview(view, read(ROSES, view, orders).orders)
    return " ".join(text.render(Report("t", "", "c", view.viewer, [], [Section("preview", "Preview", blocks)])).split())


def views(turns, **options):
    state = begin(ROSES, 8, **options)
    for moment in play(ROSES, state, turns=turns, stewards=False):
        state = moment.after
    return {seat: ROSES.view(state, seat) for seat in ROSES.seats}


def test_the_muster_is_reckoned():
    """11.2: Lancaster at Chester takes five companies and three coins."""
    shown = said(views(0)["lancaster"], {"muster": {"at": "chester", "retinue": ["MA*", "RA"], "supporters": {"bill": 3}}})
    assert "At Chester" in shown and "3 bills" in shown and "3 coins come in" in shown


def test_entries_are_judged_from_the_view():
    shown = said(views(0)["york"], {"muster": {"at": "canterbury"}, "march": {"to": [{"place": "london", "when": "clear"}, {"place": "london", "when": "occupied"}, "york", {"hunt": "lancaster"},
                                                                                      {"path": ["dover", "lewes"]}, {"path": ["york"]}, {"toward": "york"}, "canterbury", "hold"]}})
    for words in ("in reach, cost 1", "no: London is clear", "out of reach", "nowhere that you see", "possible", "not from here", "on the way", "you stand there", "always possible"):
        assert words in shown, words


def test_the_winter_purse_is_added_up():
    view = views(3, starting_coins=12)["york"]
    shown = said(view, {"give": [{"to": "warwick", "coins": 4}], "trade": [{"with": "somerset", "i_give": {"coins": 3}, "i_get": {"allegiance": True}}], "offices": 1})
    assert "takes 4 coins" in shown and "takes 3 coins" in shown and "cost 10 coins" in shown and "more than you have" in shown
    assert "enough is there" in said(view, {"give": [{"to": "warwick", "coins": 4}]})


@pytest.mark.parametrize("edition", ["first", "second", "third"])
def test_preview_survives_what_stewards_write(edition):
    for moment in play(ROSES, begin(ROSES, 8, edition=edition), turns=12):
        for seat, orders in moment.orders.items():
            assert isinstance(ROSES.preview(ROSES.view(moment.before, seat), orders), list)


def test_every_code_of_the_game_is_explained():
    """Codes that the ruleset's own source uses, and the core does not explain."""
    from adjudicator.office import explaining
    core = Path(explaining.__file__).read_text()
    package = Path(ROSES.rulebook).parent
    used = {code for path in [*package.glob("order*.py")] for code in re.findall(r'"([A-Z]+(?:-[A-Z]+)*)"', path.read_text()) if len(code) > 2}
    used -= {"MA", "RA", "LA", "BI", "CB", "PK", "GONNE", "UNKNOWN", "WAR"}
    missing = {code for code in used if f'"{code}"' not in core} - set(ROSES.problem_codes)
    assert not missing
    assert {"FAR", "HOME", "WRONG-SIDE"} <= set(ROSES.problem_codes)
