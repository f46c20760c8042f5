"""The map: well-formed, the same every time, legible, and silent about what its viewer does not know."""

import re
from functools import lru_cache
from xml.etree import ElementTree

import pytest

from adjudicator.core import registry
from adjudicator.core.events import Event, seen_by
from adjudicator.rulesets.roses import badges, drawing, outlook
from adjudicator.rulesets.roses.charts import line_chart
from adjudicator.rulesets.roses.placement import Box, Sheet, text_width
from adjudicator.rulesets.roses.sight import ArmyView
from adjudicator.rulesets.roses.tables import TABLES

from ..playing import begin, play

ROSES = registry.load("roses")


@lru_cache
def moments(edition):
    return list(play(ROSES, begin(ROSES, 8, edition=edition), turns=8))


def drawn(moment, viewer):
    return drawing.draw_map(ROSES.view(moment.after, viewer), seen_by(moment.events, viewer))


@pytest.mark.parametrize("edition", ["first", "third"])
@pytest.mark.parametrize("viewer", ["york", "lancaster", "gm", "public"])
def test_every_map_is_well_formed_and_whole(edition, viewer):
    for moment in moments(edition):
        svg = drawn(moment, viewer)
        assert svg == drawn(moment, viewer)
        names = {"".join(text.itertext()) for text in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")}
        assert {point.name for point in TABLES.map.points} <= names
        numbers = re.sub(r"[a-z-]+opacity=\"\.\d+\"|stroke-width=\"[\d.]+\"|stroke-dasharray=\"[\d. ]+\"", "", svg)
        assert not re.search(r"\d\.\d", numbers), "whole numbers alone, so that the bytes are the same everywhere"


@pytest.mark.parametrize("edition", ["first", "third"])
def test_no_label_or_counter_covers_a_castle_or_another(edition, monkeypatch):
    for moment in moments(edition):
        placed = []
        place = Sheet.place
        monkeypatch.setattr(Sheet, "place", lambda self, *a, place=place, placed=placed, **more: placed.append(place(self, *a, **more)) or placed[-1])
        drawn(moment, "york")
        monkeypatch.setattr(Sheet, "place", place)
        castles = [Box(point.x - 9, point.y - 9, 18, 18) for point in TABLES.map.points if point.castle != "none"]
        for number, box in enumerate(placed):
            assert box.x >= 0 and box.y >= 0 and box.x + box.width <= drawing.WIDTH and box.y + box.height <= drawing.HEIGHT
            covered = sum(box.covers(other) for other in placed[:number]) + sum(box.covers(castle) for castle in castles)
            assert covered * 6 <= box.width * box.height, (moment.turn, box)


def test_an_army_out_of_sight_is_not_drawn():
    moment = moments("first")[5]
    view = ROSES.view(moment.after, "york")
    before = drawing.draw_map(view, [])
    unknown = next(point for point in TABLES.points if point not in view.in_sight)
    moment.after.houses["shrewsbury"].groups["captain"] = type(moment.after.houses["york"].groups["lord"])(unknown, {"bill": 7})
    try:
        assert drawing.draw_map(ROSES.view(moment.after, "york"), []) == before
    finally:
        del moment.after.houses["shrewsbury"].groups["captain"]


def test_counters_say_what_is_known():
    own = [ArmyView("york", "lord", "york", "own", size=5), ArmyView("york", "captain", "york", "own", size=2)]
    assert drawing.counter_words(own) == "7"
    assert drawing.counter_words(own[1:]) == "2c"
    assert drawing.counter_words([ArmyView("norfolk", "retinue", "york", "seen", band="small"), ArmyView("norfolk", "vassals-1", "york", "seen", band="great")]) == "1–3 + 8+"
    assert drawing.counter_words([ArmyView("norfolk", "lord", "york", "remembered", seen_turn=7)]) == "Aut 56"


def test_marches_battles_and_reach_are_drawn():
    view = ROSES.view(moments("first")[5].after, "york")
    march = Event("march", "6.4", ["york"], {"houses": ["york"], "leader": "york", "start": "york", "route": ["doncaster", "lincoln"], "end": "lincoln", "groups": [["york", "lord"]]})
    plain, with_march = drawing.draw_map(view, []), drawing.draw_map(view, [march])
    assert with_march.count("<path") == plain.count("<path") + 4
    battle = drawing.draw_map(view, [Event("battle", "6.5", ["public"], {"point": "lincoln"})])
    assert battle.count('stroke="#8a1c14"') == plain.count('stroke="#8a1c14"') + 1
    assert plain.count('fill="#f2dc8c"') == len(outlook.in_reach(view)) + 1   # and one in the legend


def test_badges_and_divisions_differ():
    found = badges.all_badges()
    assert len(found) == 10 == len(set(found.values()))
    for svg in found.values():
        ElementTree.fromstring(svg)
    assert len({badges.division(house, 0, 0, 18, "#000") for house in TABLES.seats}) == 8, "told apart even in black and white"


def test_chart_of_one_moment_and_of_many():
    for count in (1, 2, 68):
        drawn = ElementTree.fromstring(line_chart([("a <b>", "#000", [20] * count), ("c", "#111", [20] * count)], ["x"] * count, 25, "goal"))
        said = "".join(drawn.itertext())
        assert "a <b>" in said and "goal" in said, "both series and the goal are named, whatever is in their names"


def test_boxes():
    assert Box(0, 0, 10, 10).covers(Box(5, 5, 10, 10)) == 25 and Box(0, 0, 10, 10).covers(Box(10, 0, 5, 5)) == 0
    assert text_width("mm", 10) > text_width("ii", 10)
