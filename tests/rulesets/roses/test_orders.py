"""Chapter 5: what is refused, what is doubted, and what is taken, from the seat's view."""

from functools import lru_cache

import pytest

from adjudicator.core.dice import Dice, turn_key
from adjudicator.core.orders import DOUBTFUL, REFUSED
from adjudicator.core.registry import load
from adjudicator.core.ruleset import STEWARD
from adjudicator.orderfile.loader import load as load_file
from adjudicator.core.orders import read_orders
from adjudicator.core.values import from_plain

ROSES = load("roses")


@lru_cache
def position(turn, **options):
    """The state after `turn` turns without orders, eight players, each with one house (York and Warwick share one in `shared`)."""
    options = dict(options)
    shared = options.pop("shared", False)
    chosen = {option.id: option.default for option in ROSES.options} | options
    holders = {seat: f"player-{number}" for number, seat in enumerate(ROSES.seats, 1)}
    if shared:
        holders["warwick"] = holders["york"]
    state, _events = ROSES.setup(chosen, holders)
    for number in range(1, turn + 1):
        state, _events = ROSES.adjudicate(state, {}, Dice(turn_key("orders", number)))
    return state


def read(seat, text, turn=0, change=None, **options):
    """Read orders as written for the turn after `turn`; `change` may alter the state first."""
    state = position(turn, **options)
    if change:
        from adjudicator.core import plain
        state = plain.copy(state)
        change(state)
    view = ROSES.view(state, seat)
    root = load_file(("orders:\n" + "\n".join("  " + line for line in text.strip("\n").split("\n")) + "\n").encode()).value
    return read_orders(ROSES.order_model(view), root.get("orders"), lambda orders, remarks: ROSES.check(orders, view, remarks))


def captured(seat, **fields):
    def change(state):
        for name, value in fields.items():
            setattr(state.houses[seat], name, value)
    return change


SPRING, SUMMER, WINTER = 0, 1, 3

REFUSALS = [
    # seat, turn, orders, code, place in the text (line, column from the first order)
    ("york", SUMMER, "muster: {at: york}", "WRONG-TURN"),
    ("york", SUMMER, "offices: 1", "WRONG-TURN"),
    ("york", SPRING, "hire: {at: york}", "WRONG-EDITION"),
    ("york", WINTER, "keep: {retinue: 1}", "WRONG-EDITION"),
    ("york", WINTER, "buy_loyalty: [hull]", "WRONG-EDITION"),
    ("york", SPRING, "policy: {shelter: always}", "WRONG-EDITION"),
    ("york", SPRING, "marhc: {to: london}", "UNKNOWN-KEY"),
    ("york", SPRING, "muster: {att: york}", "UNKNOWN-KEY"),
    ("york", SPRING, "muster: [york]", "NOT-A-MAPPING"),
    ("york", SPRING, "bids: 3", "NOT-A-MAPPING"),
    ("york", SPRING, "march: london", "NOT-A-MAPPING"),
    ("york", SPRING, "policy: stand", "NOT-A-MAPPING"),
    ("york", SPRING, "muster: {at: Oxfrod}", "UNKNOWN-PLACE"),
    ("york", SPRING, "muster: {at: london}", "NOT-YOURS"),
    ("york", SPRING, "muster: {retinue: [bill]}", "WRONG-CLASS"),
    ("york", SPRING, "muster: {retinue: [knights]}", "UNKNOWN-TYPE"),
    ("york", SPRING, "muster: {retinue: [MA, MA, MA]}", "TOO-MANY"),
    ("york", SPRING, "muster: {retinue: [MA*, MA*]}", "TOO-MANY"),
    ("york", SPRING, "muster: {supporters: {bill: 9}}", "TOO-MANY"),
    ("york", SPRING, "muster: {supporters: {bill: -1}}", "NOT-A-NUMBER"),
    ("york", SPRING, "muster: {supporters: {bill: 1.5}}", "NOT-A-NUMBER"),
    ("york", SPRING, "muster: {supporters: {pike: 1}}", "WRONG-CLASS"),
    ("york", SPRING, "muster: {supporters: {bill: 1, bills: 2}}", "DUPLICATE"),
    ("york", SPRING, "muster: {retinue: }", "NOT-A-LIST"),
    ("warwick", SPRING, "mercenaries: [gonne]", "NOT-CLAIMANT"),
    ("york", SPRING, "mercenaries: [bill]", "WRONG-CLASS"),
    ("york", SPRING, "bids: {bill: 2}", "UNKNOWN-TYPE"),
    ("york", SPRING, "bids: {any: many}", "NOT-A-NUMBER"),
    ("york", SUMMER, "march: {to: [{path: [hull, dover]}]}", "NOT-ADJACENT"),
    ("york", SUMMER, "march: {to: [{path: [hull, york, skipton, wakefield, doncaster]}]}", "TOO-FAR"),
    ("york", SUMMER, "march: {to: [{hunt: warwick}]}", "WRONG-SIDE"),
    ("york", SUMMER, "march: {to: [{join: lancaster}]}", "WRONG-SIDE"),
    ("york", SUMMER, "march: {to: [{join: york}]}", "WRONG-SIDE"),
    ("york", SUMMER, "march: {with: somerset}", "WRONG-SIDE"),
    ("york", SUMMER, "march: {with: york}", "WRONG-SIDE"),
    ("york", SUMMER, "march: {with: Percy}", "UNKNOWN-HOUSE"),
    ("york", SUMMER, "march: {to: [{when: clear}]}", "NOT-A-CHOICE"),
    ("york", SUMMER, "march: {to: [{place: hull, hunt: somerset}]}", "NOT-A-CHOICE"),
    ("york", SUMMER, "march: {to: [{place: hull, when: foggy}]}", "NOT-A-CHOICE"),
    ("york", SUMMER, "march: {meet: flee}", "NOT-A-CHOICE"),
    ("york", SUMMER, "march: {storm: leicester}", "UNKNOWN-PLACE"),
    ("york", SUMMER, "march: {attempts: 2}", "TOO-MANY"),
    ("york", SUMMER, "captain: {to: hull}", "NO-ARMY"),
    ("york", SUMMER, "captain: {detach: {bill: 99}}", "TOO-MANY"),
    ("warwick", SUMMER, "captain: {detach: {men-at-arms: 1, retinue-archer: 1, bill: 3, levy-archer: 3}}", "TOO-MANY"),
    ("york", WINTER, "give: {to: york, coins: 1}", "WRONG-HOUSE"),
    ("york", WINTER, "give: {to: warwick, castles: london}", "NOT-YOURS"),
    ("york", WINTER, "give: {to: warwick, castles: york}", "HOME"),
    ("york", WINTER, "give: {to: warwick}", "EMPTY"),
    ("york", WINTER, "give: {coins: 3}", "MISSING"),
    ("york", WINTER, "trade: {with: york, i_get: {coins: 1}}", "WRONG-HOUSE"),
    ("york", WINTER, "trade: {with: warwick}", "EMPTY"),
    ("york", WINTER, "trade: {with: warwick, i_give: {castles: hull}, i_get: {coins: 1}}", "NOT-YOURS"),
    ("york", WINTER, "trade: {with: warwick, i_give: {castles: york}, i_get: {coins: 1}}", "HOME"),
    ("york", WINTER, "trade: {with: warwick, i_give: {coins: 1}, i_get: {castles: dover}}", "WRONG-SIDE"),
    ("york", WINTER, "trade: {with: lancaster, i_give: {coins: 1}, i_get: {allegiance: true}}", "WRONG-SIDE"),
    ("york", WINTER, "trade: {with: warwick, i_give: {coins: 1}, i_get: {allegiance: true}}", "WRONG-SIDE"),
    ("york", WINTER, "trade: {with: somerset, i_give: {allegiance: true}}", "CLAIMANT"),
    ("warwick", WINTER, "trade: {with: york, i_give: {allegiance: true}}", "WRONG-SIDE"),
    ("warwick", WINTER, "trade: {with: somerset, i_give: {allegiance: true}, i_get: {allegiance: true}}", "WRONG-SIDE"),
    ("warwick", WINTER, "confiscate: hull", "NOT-CLAIMANT"),
    ("york", WINTER, "confiscate: warwick", "HOME"),
    ("york", WINTER, "confiscate: oxford", "NOT-YOURS"),
    ("york", WINTER, "confiscate: dover", "NOT-YOURS"),
    ("york", WINTER, "allegiance: stay", "CLAIMANT"),
    ("warwick", WINTER, "allegiance: perhaps", "NOT-A-CHOICE"),
    ("york", WINTER, "offices: two", "NOT-A-NUMBER"),
    ("york", SPRING, "policy: {militia: 5}", "TOO-MANY"),
    ("york", SPRING, "policy: {losses: [bill, bill]}", "DUPLICATE"),
    ("york", SPRING, "policy: {losses: [knights]}", "UNKNOWN-TYPE"),
    ("york", SPRING, "policy: {order_of_march: [york, york]}", "DUPLICATE"),
    ("warwick", SPRING, "policy: {order_of_march: [york]}", "NOT-CLAIMANT"),
    ("warwick", SPRING, "policy: {favour: [york]}", "NOT-CLAIMANT"),
    ("york", SPRING, "policy: {plan_attack: {front: {take: [bill]}}}", "UNKNOWN-KEY"),
    ("york", SPRING, "policy: {plan_attack: {van: {take: [knight all]}}}", "UNKNOWN-TYPE"),
    ("york", SPRING, "policy: {plan_attack: {van: {captain: archery}}}", "NOT-A-CHOICE"),
    ("york", SPRING, "policy: {plan_attack: {rest: []}}", "EMPTY"),
    ("york", SPRING, "policy: {plan_attack: {rest: [front]}}", "UNKNOWN-KEY"),
]


@pytest.mark.parametrize("seat, turn, text, code", REFUSALS, ids=[f"{text} - {code}" for _seat, _turn, text, code in REFUSALS])
def test_refused(seat, turn, text, code):
    found = read(seat, text, turn)
    refused = [problem for problem in found.problems if problem.kind == REFUSED]
    assert [problem.code for problem in refused] == [code]
    assert all(problem.line == 2 and problem.column >= 3 and problem.message for problem in refused)
    assert found.orders in ({}, {"policy": {}}, {"give": []}, {"trade": []}), "a refused order must not count"


DOUBTS = [
    ("york", SUMMER, "march: {to: [london]}", None, "FAR"),
    ("york", SUMMER, "march: {to: [{path: [london, oxford]}]}", None, "FAR"),
    ("york", SPRING, "muster: {at: canterbury}\nmarch: {to: hull}", None, "FAR"),
    ("york", SUMMER, "march: {to: [hull]}", captured("york", status="captive"), "NOT-ACTIVE"),
    ("york", SPRING, "bids: {any: 3}", captured("york", status="neutral"), "NOT-ACTIVE"),
    ("york", SUMMER, "march: {to: [hull]}", captured("york", groups={}), "NO-ARMY"),
]


@pytest.mark.parametrize("seat, turn, text, change, code", DOUBTS, ids=[f"{d[2]} - {d[4]}" for d in DOUBTS])
def test_doubted_and_kept(seat, turn, text, change, code):
    found = read(seat, text, turn, change)
    assert [(problem.kind, problem.code) for problem in found.problems] == [(DOUBTFUL, code)]
    assert len(found.orders) == text.count("\n") + 1


TAKEN = [
    ("york", SPRING, "muster: {at: [Canterbury, dover], retinue: [MA*, RA], supporters: {BI: 5, levy archers: 3}}",
     {"muster": {"at": ["canterbury", "dover"], "retinue": ["men-at-arms", "retinue-archer"], "supporters": {"bill": 5, "levy-archer": 3}}}),
    ("york", SPRING, "muster: {at: Guilford, retinue: [], supporters: {}}", {"muster": {"at": ["guildford"], "retinue": [], "supporters": {}}}),
    ("york", SPRING, "bids: {guns: 5, CB: 3, any: 2}", {"bids": {"gonne": 5, "crossbow": 3, "any": 2}}),
    ("york", SPRING, "mercenaries: GONNE", {"mercenaries": ["gonne"]}),
    ("york", SUMMER, "march: {to: [hull, {place: St. Albans, when: clear}, {hunt: Sommerset}, {path: [hull, lincoln]}, {toward: LONDON}, {join: warwick}, hold], storm: any}",
     {"march": {"to": [{"place": "hull"}, {"place": "st-albans", "when": "clear"}, {"hunt": "somerset"}, {"path": ["hull", "lincoln"]},
                       {"toward": "london"}, {"join": "warwick"}, {"hold": True}], "storm": "any"}}),
    ("york", SUMMER, "captain: {detach: {bill: 2}, to: hull, after: no}", {"captain": {"detach": {"bill": 2}, "to": [{"place": "hull"}], "after": False}}),
    ("somerset", WINTER, "trade: {with: york, i_give: {allegiance: true}, i_get: {coins: 6, castles: salisbury}}\ngive: [{to: norfolk, coins: 1}]\noffices: 1\nallegiance: change-if-confiscated",
     {"trade": [{"with": "york", "i_give": {"allegiance": True}, "i_get": {"coins": 6, "castles": ["salisbury"]}}], "give": [{"to": "norfolk", "coins": 1}],
      "offices": 1, "allegiance": "change-if-confiscated"}),
    ("york", WINTER, "confiscate: [hull, nottingham]", {"confiscate": ["hull", "nottingham"]}),
    ("york", SPRING, "policy: {if_attacked: stand, plan_attack: {van: {take: [MA*, BI, retinue all], captain: melee}, rest: rear}, plan_defence: default, losses: militia}",
     {"policy": {"if_attacked": "stand", "plan_attack": {"van": {"take": ["men-at-arms", "bill", "retinue all"], "captain": "melee"}, "rest": ["rear"]},
                 "plan_defence": "default", "losses": ["militia"]}}),
]


@pytest.mark.parametrize("seat, turn, text, orders", TAKEN, ids=[t[2][:50] for t in TAKEN])
def test_taken(seat, turn, text, orders):
    found = read(seat, text, turn)
    assert found.orders == orders
    assert not [problem for problem in found.problems if problem.kind == REFUSED]


def test_a_bad_order_leaves_its_neighbours():
    found = read("warwick", "give:\n  - {to: york, coins: 2}\n  - {to: warwick, coins: 1}\n  - {to: norfolk, castles: london}\n  - {to: norfolk, coins: x}\n  - {to: norfolk, coins: 4}\npolicy: {militia: 9, if_attacked: stand}", WINTER)
    assert found.orders == {"give": [{"to": "york", "coins": 2}, {"to": "norfolk", "coins": 4}], "policy": {"if_attacked": "stand"}}
    assert [(problem.code, problem.line, problem.order) for problem in found.problems] == [
        ("WRONG-HOUSE", 4, ["give", 1]), ("NOT-YOURS", 5, ["give", 2]), ("NOT-A-NUMBER", 6, ["give", 3]), ("TOO-MANY", 8, ["policy", "militia"])]


def test_a_player_with_two_seats_stays():
    assert [p.code for p in read("warwick", "allegiance: change", WINTER, shared=True).problems] == ["SHARED-PLAYER"]
    assert not read("warwick", "allegiance: change", WINTER).problems


def test_a_captive_stays():
    assert [p.code for p in read("warwick", "allegiance: change", WINTER, captured("warwick", status="neutral", captor="somerset")).problems] == ["CAPTIVE"]
    assert not read("warwick", "allegiance: change", WINTER, captured("warwick", status="neutral", until=1455)).problems


def test_a_lost_captain_is_not_there():
    assert [p.code for p in read("york", "captain: {detach: {bill: 1}}", SUMMER, captured("york", captain="lost")).problems] == ["NO-CAPTAIN"]


def test_the_nearest_name_is_offered_from_what_may_stand_there():
    problem, = read("york", "muster: {at: Salsbury}", SPRING).problems
    assert problem.suggestion == "Salisbury" and problem.found == "Salsbury"
    problem, = read("york", "marhc: {to: hold}", SPRING).problems
    assert problem.suggestion == "march"


@pytest.mark.parametrize("turn", [0, 1, 2, 3])
@pytest.mark.parametrize("seat", list(ROSES.seats))
def test_stewards_write_what_the_reader_takes(seat, turn):
    view = ROSES.view(position(turn), seat)
    found = read_orders(ROSES.order_model(view), from_plain(ROSES.steward(view)), lambda orders, remarks: ROSES.check(orders, view, remarks))
    assert {problem.code for problem in found.problems} <= {"FAR"}, "chapter 10 itself names goals that may be too far this season"
    assert set(found.orders) == set(ROSES.steward(view))


def test_a_house_of_the_steward_shares_no_player():
    chosen = {option.id: option.default for option in ROSES.options} | {"unheld": "steward"}
    holders = {seat: STEWARD for seat in ROSES.seats} | {"lancaster": "anna", "york": "ben"}
    state, _events = ROSES.setup(chosen, holders)
    for number in (1, 2, 3):
        state, _events = ROSES.adjudicate(state, {}, Dice(turn_key("x", number)))
    view = ROSES.view(state, "warwick")
    found = read_orders(ROSES.order_model(view), from_plain({"allegiance": "change"}), lambda orders, remarks: ROSES.check(orders, view, remarks))
    assert not found.problems
