"""Cases as data (`cases/*.yaml`): build the state that a case is about, run its turn, compare what it expects."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from adjudicator.core import plain
from adjudicator.core.dice import Dice
from adjudicator.core.events import Event
from adjudicator.core.orders import read_orders
from adjudicator.core.values import Items, Mapping, Scalar, Value, from_plain
from adjudicator.rulesets.roses import opening, sequence
from adjudicator.rulesets.roses.order_checks import check
from adjudicator.rulesets.roses.orders import order_model
from adjudicator.rulesets.roses.sides import GROUP_ORDER
from adjudicator.rulesets.roses.state import DEFAULT_POLICIES, Fallen, Group, House, Note, State
from adjudicator.rulesets.roses.tables import TABLES
from adjudicator.rulesets.roses.view import view

CASES = Path(__file__).parent / "cases"
SEASONS = TABLES.numbers.calendar.seasons


def load(path: Path) -> Any:
    """One file of cases; YAML 1.2, so that `no` stays a word."""
    yaml = YAML(typ="safe", pure=True)
    yaml.version = (1, 2)
    return yaml.load(path.read_text(encoding="utf-8"))


SMALL = load(CASES / "small.yaml")


@dataclass
class Outcome:
    """What a case has come to."""

    before: State
    state: State
    events: list[Event]
    unused: list[str]


def turn_of(season: str) -> int:
    """"Summer 1455" -> 2; "Setup" -> 0."""
    if season == "Setup":
        return 0
    name, year = season.split()
    return (int(year) - TABLES.numbers.calendar.first_year) * 4 + SEASONS.index(name) + 1


def companies(written: dict[str, int]) -> dict[str, int]:
    """{BI: 3, MA*: 1} -> type: number, in type order."""
    found = {TABLES.troop_names.find(type_): number for type_, number in written.items()}
    assert None not in found, f"no such troops: {written}"
    return {type_: found[type_] for type_ in TABLES.troops if type_ in found}


def build(given: dict[str, Any]) -> State:
    """The state before the turn of the case: the smallest state, changed by what the case gives."""
    houses = given.get("houses", {})
    given = {**SMALL["given"], **given}
    options = {**SMALL["given"]["options"], **given.get("options", {})}
    assert set(options) == set(SMALL["given"]["options"]), f"unknown option in {given['options']}"
    holders = {seat: seat for seat in TABLES.seats}
    if "players" in given:
        holders = opening.unheld(options)
        for player, held in enumerate(opening.seating(options, given["players"]), start=1):
            holders |= {house: f"player-{player}" for house in held}
    holders |= given.get("holders", {})
    state, _events = opening.setup(options, holders)
    if given["season"] == "Setup":
        return state
    state.turn = turn_of(given["season"]) - 1
    state.castles |= given.get("castles", {})
    for seat in TABLES.seats:
        fill(state.houses[seat], {**SMALL["given"]["houses"], **houses.get(seat, {})})
    unknown = [seat for seat in houses if seat not in TABLES.seats]
    assert not unknown, f"no such house: {unknown}"
    state.fallen = [Fallen(**fallen) for fallen in given.get("fallen", [])]
    if "opening" in given:
        state.opening = given["opening"]
    return state


def fill(house: House, written: dict[str, Any]) -> None:
    """Write into a house what a case says of it: fields of 2.7; armies or blocks: {at: point, BI: 3}, or {in: castle, BI: 3} if shut in; `policy`."""
    for key, value in written.items():
        if key == "policy":
            policies = {**SMALL["given"]["houses"]["policy"], **value}
            assert set(policies) <= set(DEFAULT_POLICIES), f"unknown policy in {policies}"
            house.policies = {name: setting for name, setting in policies.items() if setting != "default"}
        elif key in GROUP_ORDER and isinstance(value, dict):
            army = dict(value)
            inside = "in" in army
            house.groups[key] = Group(army.pop("in" if inside else "at"), companies(army), inside)
            if key == "captain":
                house.captain = "leads"
        elif key == "memory":
            house.memory = {name: Note(**note) for name, note in value.items()}
        else:
            assert hasattr(house, key), f"a house has no {key!r}"
            setattr(house, key, value)


def read(state: State, written: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The orders of a case, written as in order files, through the reader that the campaign uses. A refusal fails the case."""
    orders = {}
    for seat, typed in written.items():
        seen = view(state, seat)
        found = read_orders(order_model(seen), bare(from_plain(typed)), lambda given, remarks: check(given, seen, remarks))
        refused = [f"{problem.code}: {problem.message} ({problem.found})" for problem in found.problems if problem.kind == "refused"]
        assert not refused, f"orders of {seat} are refused: {refused}"
        orders[seat] = found.orders
    return orders


def bare(value: Value) -> Value:
    """The value as if its words had been typed without quotation marks."""
    if isinstance(value, Scalar):
        value.quoted = False
    elif isinstance(value, Items):
        value.items = [bare(item) for item in value.items]
    elif isinstance(value, Mapping):
        value.entries = [(key, bare(item)) for key, item in value.entries]
    return value


def run(case: dict[str, Any]) -> Outcome:
    """Run the turn of the case; a case of the setup runs none."""
    state = build(case.get("given", {}))
    if case.get("given", {}).get("season") == "Setup":
        return Outcome(state, state, [], [])
    before = plain.to_json(state)
    orders = read(state, case.get("orders", {}))
    dice = Dice(script={name: results if isinstance(results, list) else [results] for name, results in spread(case.get("dice", {})).items()})
    after, events = sequence.adjudicate(state, orders, dice)
    assert plain.to_json(state) == before, "the state that went in was changed"
    assert plain.from_json(plain.to_json(after), State) == after
    return Outcome(state, after, events, dice.unused())


def spread(dice: dict[str, Any]) -> dict[str, Any]:
    """`battle/oxford/1/missile/van/attack/1-3: [4, 5, 1]` -> three draws."""
    draws: dict[str, Any] = {}
    for name, results in dice.items():
        stem, _slash, last = name.rpartition("/")
        first, dash, end = last.partition("-")
        if dash and first.isdigit() and end.isdigit():
            numbers = range(int(first), int(end) + 1)
            assert len(numbers) == len(results), f"{name} needs {len(numbers)} results"
            draws |= {f"{stem}/{number}": [result] for number, result in zip(numbers, results)}
        else:
            draws[name] = results
    return draws


def follow(data: Any, path: str) -> Any:
    """The part of plain data that a dotted path names; None where it is not there."""
    for step in path.split("."):
        if isinstance(data, list):
            data = data[int(step)] if step.isdigit() and int(step) < len(data) else None
        elif isinstance(data, dict):
            data = data.get(step)
        else:
            return None
    return data


def differences(expected: dict[str, Any], data: Any) -> list[str]:
    """Where plain data is not what a case expects: path -> value."""
    return [f"{path} is {follow(data, path)!r}, expected {value!r}" for path, value in expected.items() if follow(data, path) != value]


def fits(expected: Any, found: Any) -> bool:
    """Is what is expected a part of what was found? Mappings may hold more keys; lists must be as long."""
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(key in found and fits(value, found[key]) for key, value in expected.items())
    if isinstance(expected, list):
        return isinstance(found, list) and len(found) == len(expected) and all(map(fits, expected, found))
    return expected == found


def missing_events(expected: list[Any], events: list[Event]) -> list[str]:
    """Expected events that do not come, in their order. `{kind: {data...}}`; `audience` and `draws` are compared with the event's own."""
    problems = []
    place = 0
    for item in expected:
        kind, data = next(iter(item.items())) if isinstance(item, dict) else (item, {})
        data = dict(data or {})
        audience, draws = data.pop("audience", None), data.pop("draws", None)
        for later in range(place, len(events)):
            event = events[later]
            if (event.kind == kind and fits(data, event.data) and (audience is None or event.audience == audience)
                    and (draws is None or event.draws == draws)):
                place = later + 1
                break
        else:
            problems.append(f"no event {item}")
    return problems


def view_as_plain(state: State, viewer: str) -> dict[str, Any]:
    """A view as plain data, its armies by "house/group"."""
    seen = plain.to_plain(view(state, viewer))
    seen["armies"] = {f"{army['house']}/{army['group']}": army for army in seen["armies"]}
    return seen
