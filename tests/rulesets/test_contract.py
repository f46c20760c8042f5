"""What every registered game must do (docs: the contracts of a ruleset)."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.core import plain, registry
from adjudicator.core.dice import Dice, turn_key
from adjudicator.core.events import GM, PUBLIC
from adjudicator.core.names import Names
from adjudicator.core.orders import REFUSED
from adjudicator.orderfile.schema import json_schema
from adjudicator.orderfile.submission import read_submission
from adjudicator.orderfile.writing import template

from .playing import begin, play, read

GAMES = list(registry.available())
TURNS = 9


@pytest.fixture(params=GAMES)
def game(request):
    return registry.load(request.param)


@pytest.fixture
def moments(game):
    """The first turns of a game with the most players, by stewards."""
    return list(play(game, begin(game, game.players[1]), turns=TURNS))


def test_adjudication_is_pure(game, moments):
    """Same inputs, same bytes; the inputs stay as they were."""
    for moment in moments:
        before, orders = plain.to_json(moment.before), plain.to_json(moment.orders)
        again, events = game.adjudicate(moment.before, moment.orders, Dice(turn_key("tests", moment.turn)))
        assert plain.to_json(again) == plain.to_json(moment.after)
        assert plain.to_json(events) == plain.to_json(moment.events)
        assert plain.to_json(moment.before) == before and plain.to_json(moment.orders) == orders


def test_the_order_of_arrival_does_not_matter(game, moments):
    """Seats in another order in the mapping: same result, same draws."""
    for moment in moments:
        seats = list(moment.orders)
        random.Random(moment.turn).shuffle(seats)
        dice = Dice(turn_key("tests", moment.turn))
        after, events = game.adjudicate(moment.before, {seat: moment.orders[seat] for seat in seats}, dice)
        assert plain.to_json(after) == plain.to_json(moment.after) and plain.to_json(events) == plain.to_json(moment.events)
        assert {draw.name: draw.results for draw in dice.log} == {draw.name: draw.results for draw in moment.draws}


def test_states_and_views_survive_json(game, moments):
    for moment in moments:
        text = plain.to_json(moment.after)
        assert plain.to_json(plain.from_json(text, game.state_type)) == text
        for viewer in [*game.asked(moment.after), PUBLIC, GM]:
            view = plain.to_json(game.view(moment.after, viewer))
            assert plain.to_json(plain.from_json(view, game.view_type)) == view


def test_turns_without_orders_run(game):
    played = list(play(game, begin(game, game.players[1]), turns=TURNS, stewards=False))
    assert len(played) == TURNS or game.outcome(played[-1].after) is not None


@pytest.mark.parametrize("end", [0, 1])
def test_stewards_end_the_game(game, end):
    """Fewest and most players, to the end by the rules, within the turns that there are."""
    state = begin(game, game.players[end])
    played = list(play(game, state))
    outcome = game.outcome(played[-1].after)
    options = {option.id: option.default for option in game.options}
    assert outcome is not None and not any(game.is_last(options, moment.turn) for moment in played[:-1])
    assert set(outcome.winners) <= set(game.seats)
    assert all(game.outcome(moment.before) is None for moment in played)
    assert game.asked(played[-1].after) == []


def test_events_name_real_seats_and_draws(game, moments):
    """An audience is public, gm, or seats of the game; a draw that an event names was made; no prose in the data."""
    for moment in moments:
        made = {draw.name for draw in moment.draws}
        for event in moment.events:
            assert event.audience and set(event.audience) <= {*game.seats, PUBLIC, GM}, event
            assert len(event.audience) == len(set(event.audience)), event
            assert set(event.draws) <= made, event
            assert no_floats(event.data), event


def no_floats(data):
    if isinstance(data, dict):
        return all(isinstance(key, str) and no_floats(value) for key, value in data.items())
    if isinstance(data, list):
        return all(map(no_floats, data))
    return data is None or isinstance(data, (str, int))


def test_every_draw_is_known_to_somebody(game, moments):
    """A die that no event tells of could never be explained. A shuffle that stays secret is told by its name alone, as `draw` in the data."""
    for moment in moments:
        told = {name for event in moment.events for name in [*event.draws, event.data.get("draw")]}
        assert {draw.name for draw in moment.draws} <= told


def test_the_template_passes_its_own_check(game, moments):
    seats = Names(game.seats)
    for moment in moments:
        for seat in game.listens_to(moment.after):
            view = game.view(moment.after, seat)
            model = game.order_model(view)
            text = template(model, campaign="c", turn=moment.turn + 1, seat=seat, token="t", title="T")
            found = read_submission(text.encode(), model, lambda orders, remarks: game.check(orders, view, remarks),
                                    campaign="c", turn=moment.turn + 1, seat=seat, seats=seats)
            assert found.state == "taken" and not found.problems, (seat, text, found.problems)


def test_what_the_schema_takes_the_reader_takes(game, moments):
    """Steward orders, as a player would write them, fit the JSON Schema of their seat."""
    import jsonschema
    seats = Names(game.seats)
    for moment in moments:
        for seat in game.asked(moment.before):
            view = game.view(moment.before, seat)
            schema = json_schema(game.order_model(view), campaign="c", turn=moment.turn, seat=seat, seats=seats, title="T")
            jsonschema.Draft7Validator.check_schema(schema)
            jsonschema.validate({"campaign": "c", "turn": moment.turn, "seat": seat, "token": "t", "orders": game.steward(view)}, schema)


def test_statistics_are_whole_numbers_of_the_same_series(game, moments):
    first = game.statistics(moments[0].before)
    for moment in moments:
        now = game.statistics(moment.after)
        assert set(now) == set(first) and all(isinstance(value, int) for value in now.values())


def test_stewards_draw_no_dice_and_repeat_themselves(game, moments):
    for moment in moments:
        for seat in game.asked(moment.before):
            assert plain.to_json(game.steward(game.view(moment.before, seat))) == plain.to_json(game.steward(game.view(moment.before, seat)))


def from_schema(schema):
    """Data that a JSON Schema allows, and now and then something that it does not."""
    wild = st.one_of(st.none(), st.booleans(), st.integers(-3, 10**9), st.text(max_size=6), st.lists(st.integers(0, 3), max_size=2),
                     st.dictionaries(st.text(max_size=4), st.integers(0, 3), max_size=2))
    if "const" in schema:
        made = st.just(schema["const"])
    elif "enum" in schema:
        made = st.sampled_from(schema["enum"]) if schema["enum"] else st.just("nothing")
    elif "anyOf" in schema:
        made = st.one_of([from_schema(part) for part in schema["anyOf"]])
    elif schema.get("type") == "integer":
        made = st.integers(schema.get("minimum", 0), min(schema.get("maximum", 12), 12))
    elif schema.get("type") == "boolean":
        made = st.booleans()
    elif schema.get("type") == "array":
        made = st.lists(from_schema(schema["items"]), max_size=3)
    elif schema.get("type") == "object" and "properties" in schema:
        made = st.fixed_dictionaries({}, optional={key: from_schema(part) for key, part in schema["properties"].items()})
    elif schema.get("type") == "object":
        keys = schema["propertyNames"]
        made = st.dictionaries(st.sampled_from(keys["enum"]) if keys.get("enum") else st.integers(0, 4).map(str), from_schema(schema["additionalProperties"]), max_size=3)
    else:
        made = st.text(max_size=8)
    return st.integers(0, 39).flatmap(lambda luck: wild if luck == 0 else made)


@pytest.mark.parametrize("id_", GAMES)
@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_whatever_check_accepts_run_survives(id_, data):
    """Orders from the schema, for every seat, some of them wild: reading never raises, and no order that was kept raises in the turn."""
    game = registry.load(id_)
    turn = data.draw(st.integers(0, TURNS - 1))
    state = states_of(id_)[turn]
    orders = {}
    for seat in game.asked(state):
        view = game.view(state, seat)
        model = game.order_model(view)
        written = data.draw(from_schema({**model.schema(), "required": []}))
        written = written if isinstance(written, dict) else {}
        found = read(game, view, written)
        orders[seat] = found.orders
        if not any(problem.kind == REFUSED for problem in found.problems):
            assert set(found.orders) == set(written)
    after, events = game.adjudicate(state, orders, Dice(turn_key("fuzz", turn)))
    assert plain.to_json(plain.from_json(plain.to_json(after), game.state_type)) == plain.to_json(after)
    assert all(no_floats(event.data) for event in events)


_states = {}


def states_of(id_):
    """The states before each of the first turns of one steward-played game."""
    if id_ not in _states:
        game = registry.load(id_)
        _states[id_] = [moment.before for moment in play(game, begin(game, game.players[1]), turns=TURNS)]
    return _states[id_]


def test_reading_twice_gives_the_same(game, moments):
    """Orders as understood, written out and read again, are the same orders."""
    for moment in moments:
        for seat, orders in moment.orders.items():
            view = game.view(moment.before, seat)
            assert read(game, view, orders).orders == orders
