"""Cases as data (`cases/*.yaml`, in the form of chapter 11): build the state, play the rounds, compare what is expected.

Beyond chapter 11 a case has `rule`; `dice` may be keyed by round; `expect` may have `told`: events that must come in this order, each
{id: {part of its data}}, with `audience` for who hears of it, and `untold`: ids of events that must not come.
"""

from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from adjudicator.core import plain
from adjudicator.core.dice import Dice
from adjudicator.core.events import Event
from adjudicator.core.orders import REFUSED, read_orders
from adjudicator.core.values import Items, Mapping, Scalar, Value, from_plain
from adjudicator.rulesets.feudal_lords import domains, sequence
from adjudicator.rulesets.feudal_lords.options import OPTIONS
from adjudicator.rulesets.feudal_lords.order_checks import check
from adjudicator.rulesets.feudal_lords.orders import order_model
from adjudicator.rulesets.feudal_lords.state import Lord, Peace, Seen, State
from adjudicator.rulesets.feudal_lords.tables import FIEF, TABLES, counted, listed
from adjudicator.rulesets.feudal_lords.view import view

CASES = Path(__file__).parent / "cases"
DEFAULTS = {option.id: option.default for option in OPTIONS}


def load(path: Path) -> Any:
    """One file of cases; YAML 1.2, so that `no` stays a word."""
    yaml = YAML(typ="safe", pure=True)
    yaml.version = (1, 2)
    return yaml.load(path.read_text(encoding="utf-8"))


class ScriptedDice(Dice):
    """Dice by a script in which a reshuffle is the deck that it makes, top first."""

    def shuffle(self, name: str, items: list[str]) -> list[str]:
        wanted = cards(self._script[name]) if name in self._script else []
        assert wanted or name not in self._script, name
        if name in self._script:
            assert sorted(wanted) == items, f"{name} shuffles {items}"
            free = list(range(len(items)))
            places = []
            for card in wanted:
                place = next(place for place in free if items[place] == card)
                free.remove(place)
                places.append(place)
            self._script[name] = places
        return super().shuffle(name, items)


@dataclass
class Played:
    """What a case has come to."""

    state: State
    events: list[Event] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)


def card(name: str) -> str:
    """A card's id."""
    id_ = TABLES.card_names.find(name)
    assert id_ is not None, f"no card is called {name!r}"
    return id_


def cards(written: list[str] | str) -> list[str]:
    """["Farm x2", "Siege"] -> farm, farm, siege."""
    found = []
    for text in [written] if isinstance(written, str) else written:
        name, sign, count = text.rpartition(" x")
        many = sign and count.isdigit()
        found += [card(name if many else text)] * (int(count) if many else 1)
    return found


def build(case: dict[str, Any]) -> State:
    """The state before the first round of the case."""
    given = case.get("state", {})
    options = {**DEFAULTS, **case.get("options", {})}
    assert set(options) == set(DEFAULTS), "unknown option"
    assert set(given) <= {"seats", "deck", "discard", "confidence", "peace", "round"}, given
    each = options["kings-confidence"] == "each"
    state = State(given.get("round", 2), options, list(given["seats"]), {}, cards(given.get("deck", [])), counted(cards(given.get("discard", []))),
                  given.get("confidence", [] if each else None), [Peace(**peace) for peace in given.get("peace", [])])
    for seat, written in given["seats"].items():
        state.seats[seat] = lord(written)
    for seat, written in given["seats"].items():
        if "policies" in written:
            state.seats[seat].policies = read(state, seat, {"policies": written["policies"]})["policies"]
    return state


def lord(written: dict[str, Any]) -> Lord:
    assert set(written) <= {"gold", "glory", "hand", "domain", "fiefs", "ranks-paid", "revolt", "policies", "seen"}, written
    domain = counted(cards(written.get("domain", [])))
    if written.get("fiefs", 1):
        domain[FIEF] = written.get("fiefs", 1)
    reached = [rank.id for rank in TABLES.ranks.values() if rank.lands <= domains.lands(domain)]
    return Lord(written.get("gold", 0), written.get("glory", 0), counted(cards(written.get("hand", []))), domain, written.get("ranks-paid", reached),
                written.get("revolt", False),
                seen={rival: Seen(note["round"], counted(cards(note.get("cards", []))), counted(cards(note.get("gone", [])))) for rival, note in written.get("seen", {}).items()})


def read(state: State, seat: str, written: Any) -> dict[str, Any]:
    """Orders as in a file, through the reader that the campaign uses. A refusal fails the case."""
    seen = view(state, seat)
    found = read_orders(order_model(seen), bare(from_plain(written)), lambda orders, remarks: check(orders, seen, remarks))
    refused = [f"{problem.code}: {problem.message} ({problem.found})" for problem in found.problems if problem.kind == REFUSED]
    assert not refused, f"orders of {seat} are refused: {refused}"
    return found.orders


def bare(value: Value) -> Value:
    """The value as if its words had been typed without quotation marks."""
    if isinstance(value, Scalar):
        value.quoted = False
    elif isinstance(value, Items):
        value.items = [bare(item) for item in value.items]
    elif isinstance(value, Mapping):
        value.entries = [(key, bare(item)) for key, item in value.entries]
    return value


@contextmanager
def fate_of(case: dict[str, Any]):
    """Where a case gives neither deck nor discard pile the two free cards are left out of it."""
    numbers = TABLES.numbers
    given = case.get("state", {})
    if "deck" not in given and "discard" not in given:
        TABLES.__dict__["numbers"] = replace(numbers, fate_draw=0)
    try:
        yield
    finally:
        TABLES.__dict__["numbers"] = numbers


def run(case: dict[str, Any]) -> Played:
    """Play the rounds of the case."""
    with fate_of(case):
        played = Played(build(case))
        rounds, dice = case.get("rounds", 1), case.get("dice", {})
        by_round = all(isinstance(key, int) for key in dice) and bool(dice)
        common = ScriptedDice(script={} if by_round else dice)
        for number in range(1, rounds + 1):
            if played.state.winner is not None:
                break
            written = case.get("orders", {}) if rounds == 1 else case.get("orders", {}).get(number, {})
            before = plain.to_json(played.state)
            orders = {seat: read(played.state, seat, given) for seat, given in written.items()}
            thrown = ScriptedDice(script=dice.get(number, {})) if by_round else common
            state, events = sequence.adjudicate(played.state, orders, thrown)
            assert plain.to_json(played.state) == before, "the state that went in was changed"
            assert plain.from_json(plain.to_json(state), State) == state
            played.state, played.events = state, played.events + events
            if by_round:
                played.unused += thrown.unused()
        if not by_round:
            played.unused = common.unused()
    return played


def found_in(played: Played, key: str) -> Any:
    """What a key of `expect` is compared with."""
    state, events = played.state, played.events
    data = [(event.kind, event.data) for event in events]
    by_key = {
        "confidence": lambda: state.confidence, "deck": lambda: state.deck, "discard": lambda: listed(state.discard), "winner": lambda: state.winner,
        "order": lambda: state.order, "round": lambda: state.round, "peace": lambda: [peace.seat for peace in state.peace],
        "totals": lambda: [d["totals"] for kind, d in data if kind == "battle-dice"],
        "played": lambda: [[d["seat"], d["card"]] for kind, d in data if kind == "battle-card"],
        "battle-winner": lambda: [d["winner"] for kind, d in data if kind == "battle-result" and d["winner"] != "draw"],
        "battles": lambda: sum(kind == "battle-result" for kind, _d in data),
        "stolen": lambda: [d["card"] for kind, d in data if kind == "card-stolen" and "card" in d],
        "skipped": lambda: [[d["seat"], d["entry"], d["reason"]] for kind, d in data if kind == "order-skipped"],
        "events": lambda: [event.kind if event.audience == ["public"] else [event.kind, event.audience] for event in events],
    }
    return by_key[key]()


def as_ids(key: str, expected: Any) -> Any:
    """What a case expects, with ids for the names of cards."""
    if key in ("deck", "stolen"):
        return cards(expected)
    if key == "discard":
        return sorted(cards(expected))
    if key == "played":
        return [[seat, card(name)] for seat, name in expected]
    if key == "skipped":
        return [[seat, TABLES.card_names.find(entry) or entry, reason] for seat, entry, reason in expected]
    return expected


def lord_found(lord_: Lord, key: str) -> Any:
    if key in ("hand", "domain"):
        return [id_ for id_ in listed(getattr(lord_, key)) if id_ != FIEF]
    if key == "fiefs":
        return lord_.domain.get(FIEF, 0)
    if key == "seen":
        return {rival: {"round": note.round, "cards": listed(note.cards), "gone": listed(note.gone)} for rival, note in lord_.seen.items()}
    return getattr(lord_, key.replace("-", "_"))


def lord_expected(key: str, value: Any) -> Any:
    if key in ("hand", "domain"):
        return sorted(cards(value))
    if key == "seen":
        return {rival: {"round": note["round"], "cards": sorted(cards(note.get("cards", []))), "gone": sorted(cards(note.get("gone", [])))} for rival, note in value.items()}
    return value


def differences(expect: dict[str, Any], played: Played) -> list[str]:
    """Everything that is not as the case expects."""
    problems = []
    for key, value in {"winner": None, **expect}.items():
        if key in ("seats", "told", "untold"):
            continue
        found, wanted = found_in(played, key), as_ids(key, value)
        if found != wanted:
            problems.append(f"{key} is {found!r}, expected {wanted!r}")
    for seat, keys in expect.get("seats", {}).items():
        for key, value in keys.items():
            found, wanted = lord_found(played.state.seats[seat], key), lord_expected(key, value)
            if found != wanted:
                problems.append(f"{seat}: {key} is {found!r}, expected {wanted!r}")
    problems += missing_events(expect.get("told", []), played.events)
    problems += [f"an event {kind}, which should be absent" for kind in expect.get("untold", []) if any(event.kind == kind for event in played.events)]
    return problems


def missing_events(expected: list[Any], events: list[Event]) -> list[str]:
    """Expected events that do not come, in their order."""
    problems, place = [], 0
    for item in expected:
        kind, data = next(iter(item.items())) if isinstance(item, dict) else (item, {})
        data = dict(data or {})
        audience = data.pop("audience", None)
        for later in range(place, len(events)):
            event = events[later]
            if event.kind == kind and all(key in event.data and event.data[key] == value for key, value in data.items()) and audience in (None, event.audience):
                place = later + 1
                break
        else:
            problems.append(f"no event {item}")
    return problems
