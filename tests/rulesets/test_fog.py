"""Whatever is changed in the part hidden from a seat: its view, order model, check, template, map and report stay the same, to the byte."""

from functools import lru_cache
from importlib import import_module

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adjudicator.core import plain, registry
from adjudicator.core.events import seen_by
from adjudicator.core.names import Names
from adjudicator.core.report import Desk
from adjudicator.orderfile.schema import json_schema
from adjudicator.orderfile.writing import template
from adjudicator.report.html import render

from .playing import begin, play, read

GAMES = list(registry.available())
TURNS = 8


def hidden_of(game):
    """The game's own list of what is hidden: tests/rulesets/GAME/hidden.py must be there for every game.

    OPTIONS: campaigns to look at; CHECKED: orders with mistakes, whose answer must not change; change_hidden(state, seat, data)
    """
    return import_module(f"tests.rulesets.{game.replace('-', '_')}.hidden")


@lru_cache(maxsize=None)
def game_played(id_, number):
    ruleset = registry.load(id_)
    return list(play(ruleset, begin(ruleset, ruleset.players[1], **hidden_of(id_).OPTIONS[number]), turns=TURNS))


def everything_for(ruleset, state, events, seat, turn):
    """All that is made for one seat from a state: in the forms in which it leaves the program."""
    view = ruleset.view(state, seat)
    model = ruleset.order_model(view)
    made = {"view": plain.to_json(view)}
    visible = seen_by(events, seat)
    made["map"] = ruleset.draw_map(view, visible)
    text = template(model, campaign="c", turn=turn + 1, seat=seat, token="t", title="T")
    made["template"] = text
    made["schema"] = plain.to_json(json_schema(model, campaign="c", turn=turn + 1, seat=seat, seats=Names(ruleset.seats), title="T"))
    made["steward"] = plain.to_json(ruleset.steward(view))
    made["check"] = plain.to_json(read(ruleset, view, hidden_of(ruleset.id).CHECKED).problems)
    desk = Desk(campaign="c", title="T", viewer=seat, turn=turn, turns=99, turn_title=ruleset.turn_name(view.options, turn), next_title="next",
                seat_names=dict(ruleset.seats), player_names=dict.fromkeys(ruleset.seats, "P"), how="file", template=text, template_name="x.yaml",
                history=[(turn, "now", ruleset.statistics(state))])
    made["report"] = render(ruleset.report(view, visible, desk))
    return made


@pytest.mark.parametrize("id_", GAMES)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_hidden_things_do_not_show(id_, data):
    ruleset, hidden = registry.load(id_), hidden_of(id_)
    moments = game_played(id_, data.draw(st.integers(0, len(hidden.OPTIONS) - 1), "options"))
    moment = data.draw(st.sampled_from(moments))
    seat = data.draw(st.sampled_from(list(ruleset.seats)), "seat")
    other = hidden.change_hidden(moment.after, seat, data)
    truth = everything_for(ruleset, moment.after, moment.events, seat, moment.turn)
    false = everything_for(ruleset, other, moment.events, seat, moment.turn)
    for name, made in truth.items():
        assert made == false[name], f"the {name} of {seat} tells of something hidden"


@pytest.mark.parametrize("id_", GAMES)
def test_the_change_is_a_change(id_):
    """The property above would say nothing if `change_hidden` changed nothing: the game master's view must differ."""
    ruleset, hidden = registry.load(id_), hidden_of(id_)
    moment = game_played(id_, 0)[2]
    changed = []

    @settings(max_examples=30, deadline=None, database=None)
    @given(data=st.data())
    def look(data):
        other = hidden.change_hidden(moment.after, list(ruleset.seats)[0], data)
        changed.append(plain.to_json(ruleset.view(other, "gm")) != plain.to_json(ruleset.view(moment.after, "gm")))

    look()
    assert sum(changed) > len(changed) // 2


@pytest.mark.parametrize("id_", GAMES)
def test_the_public_view_is_what_every_seat_knows(id_):
    """Whatever the public view shows must be shown the same way, or more, in every seat's view: here, its events."""
    for moment in game_played(id_, 0):
        public = seen_by(moment.events, "public")
        for seat in registry.load(id_).seats:
            mine = seen_by(moment.events, seat)
            assert all(event in mine for event in public)
