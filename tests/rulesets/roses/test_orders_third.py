"""Chapter 5 for edition `third`: what is refused, what is doubted, and what is taken, from the seat's view."""

import pytest

from adjudicator.core.orders import DOUBTFUL, REFUSED, read_orders
from adjudicator.core.registry import load
from adjudicator.core.values import from_plain
from adjudicator.rulesets.roses.state import Group

from .test_orders import SPRING, SUMMER, WINTER, captured, position, read as read_as_written

ROSES = load("roses")


def read(seat, text, turn=SPRING, change=None, **options):
    return read_as_written(seat, text, turn, change, edition="third", **options)


def with_block(seat, group, point, **companies):
    def change(state):
        state.houses[seat].groups[group] = Group(point, companies)
    return change


REFUSALS = [
    ("york", SPRING, "mercenaries: [gonne]", "WRONG-EDITION"),
    ("york", SUMMER, "captain: {to: hull}", "WRONG-EDITION"),
    ("york", WINTER, "confiscate: [hull]", "WRONG-EDITION"),
    ("warwick", WINTER, "offices: 1", "WRONG-EDITION"),
    ("york", SPRING, "policy: {militia: 2}", "WRONG-EDITION"),
    ("york", SPRING, "policy: {if_attacked: stand}", "WRONG-EDITION"),
    ("york", SPRING, "policy: {plan_attack: {rest: [van]}}", "WRONG-EDITION"),
    ("york", SUMMER, "march: {blocks: retinue, attempts: 1}", "WRONG-EDITION"),
    ("york", SUMMER, "hire: {at: york, companies: [pike]}", "WRONG-TURN"),
    ("york", SUMMER, "keep: {retinue: 1}", "WRONG-TURN"),
    ("warwick", SPRING, "buy_loyalty: [hull]", "WRONG-TURN"),
    ("york", SPRING, "muster: {supporters: {bill: 1}}", "UNKNOWN-KEY"),
    ("york", SPRING, "muster: {at: canterbury}", "NOT-A-CHOICE"),
    ("york", SPRING, "muster: {at: london}", "NOT-YOURS"),
    ("somerset", SPRING, "muster: {at: [home, london]}", "NOT-YOURS"),
    ("york", SPRING, "muster: {retinue: [bill]}", "WRONG-CLASS"),
    ("york", SPRING, "muster: {retinue: [MA, MA, MA]}", "TOO-MANY"),
    ("york", SPRING, "muster: {retinue: [MA*, MA*]}", "TOO-MANY"),
    ("york", SPRING, "muster: {vassals: {4: {bill: 1}}}", "TOO-MANY"),
    ("york", SPRING, "muster: {vassals: {0: {bill: 1}}}", "TOO-MANY"),
    ("york", SPRING, "muster: {vassals: {one: {bill: 1}}}", "NOT-A-NUMBER"),
    ("york", SPRING, "muster: {vassals: {1: {bill: 3, levy-archer: 2}}}", "TOO-MANY"),
    ("york", SPRING, "muster: {vassals: {1: {bill: 4}, 2: {bill: 4}, 3: {bill: 1}}}", "TOO-MANY"),
    ("york", SPRING, "muster: {vassals: {1: {pike: 1}}}", "WRONG-CLASS"),
    ("york", SPRING, "muster: {vassals: {1: {bill: x}}}", "NOT-A-NUMBER"),
    ("york", SPRING, "muster: {vassals: [bill]}", "NOT-A-MAPPING"),
    ("york", SPRING, "muster: {vassals: {1: bill}}", "NOT-A-MAPPING"),
    ("york", SPRING, "bids: {gonne: 5}", "UNKNOWN-TYPE"),
    ("york", SPRING, "bids: {any: 5}", "UNKNOWN-TYPE"),
    ("york", SPRING, "bids: {burgundians: many}", "NOT-A-NUMBER"),
    ("york", SPRING, "hire: [pike]", "NOT-A-MAPPING"),
    ("york", SPRING, "hire: {at: london, companies: [pike]}", "NOT-YOURS"),
    ("york", SPRING, "hire: {at: lewes, companies: [pike]}", "NOT-LARGE"),
    ("york", SPRING, "hire: {at: york, companies: [bill]}", "WRONG-CLASS"),
    ("york", SPRING, "hire: {at: york, companies: [pike, pike, pike, pike, pike]}", "TOO-MANY"),
    ("york", SPRING, "hire: {at: york, companies: [gonne, gonne]}", "TOO-MANY"),
    ("york", SPRING, "hire: {companies: [pike]}", "MISSING"),
    ("york", SUMMER, "march: {to: hold}", "MISSING"),
    ("york", SUMMER, "march: [hull]", "NOT-A-MAPPING"),
    ("york", SUMMER, "march: {blocks: lord}", "NOT-A-CHOICE"),
    ("york", SUMMER, "march: {blocks: vassals-4}", "NOT-A-CHOICE"),
    ("york", SUMMER, "march: {blocks: []}", "EMPTY"),
    ("york", SUMMER, "march: {blocks: mercenaries}", "NO-BLOCK"),
    ("york", SUMMER, "march: {blocks: [retinue, retinue]}", "DUPLICATE"),
    ("york", SUMMER, "march: {blocks: retinue, sally: perhaps}", "NOT-A-CHOICE"),
    ("york", SUMMER, "march: {blocks: retinue, to: {path: [hull, dover]}}", "NOT-ADJACENT"),
    ("york", SUMMER, "march: {blocks: retinue, to: {path: [skipton, lancaster, preston]}}", "TOO-FAR"),
    ("york", SUMMER, "march: {blocks: retinue, to: {hunt: warwick}}", "WRONG-SIDE"),
    ("york", SUMMER, "march: {blocks: retinue, with: york}", "WRONG-SIDE"),
    ("york", SUMMER, "march: {blocks: retinue, storm: [york, york]}", "DUPLICATE"),
    ("york", WINTER, "keep: {retinue: 5}", "TOO-MANY"),
    ("york", WINTER, "keep: {mercenaries: 1}", "TOO-MANY"),
    ("york", WINTER, "keep: 2", "NOT-A-MAPPING"),
    ("york", WINTER, "keep: {vassals-1: 2}", "UNKNOWN-KEY"),
    ("york", WINTER, "give: {to: warwick, castles: york}", "HOME"),
    ("lancaster", WINTER, "give: {to: somerset, castles: london}", "HOME"),
    ("york", WINTER, "give: {to: warwick, castles: hull}", "NOT-YOURS"),
    ("warwick", WINTER, "give: {to: york, castles: hull}", "NOT-CLAIMANT"),
    ("warwick", WINTER, "trade: {with: york, i_give: {castles: hull}, i_get: {coins: 1}}", "NOT-CLAIMANT"),
    ("lancaster", WINTER, "trade: {with: somerset, i_give: {castles: london}, i_get: {coins: 1}}", "HOME"),
    ("york", WINTER, "trade: {with: warwick, i_give: {coins: 1}, i_get: {castles: dover}}", "WRONG-SIDE"),
    ("york", WINTER, "allegiance: change", "CLAIMANT"),
    ("warwick", WINTER, "allegiance: change-if-confiscated", "NOT-A-CHOICE"),
    ("york", WINTER, "buy_loyalty: [hull]", "CLAIMANT"),
    ("warwick", WINTER, "buy_loyalty: [york]", "NOT-YOURS"),
    ("warwick", WINTER, "buy_loyalty: [warwick]", "HOME"),
    ("warwick", WINTER, "buy_loyalty: [hull, hull]", "DUPLICATE"),
    ("york", SPRING, "policy: {shelter: sometimes}", "NOT-A-CHOICE"),
    ("york", SPRING, "policy: {siege_keep: some}", "NOT-A-NUMBER"),
    ("york", SPRING, "policy: {storm_with: [bill, bill]}", "DUPLICATE"),
    ("york", SPRING, "policy: {storm_with: [retinue]}", "UNKNOWN-TYPE"),
    ("york", SPRING, "policy: {winter_first: vassals}", "NOT-A-CHOICE"),
    ("warwick", SPRING, "policy: {order_of_march: [york]}", "NOT-CLAIMANT"),
]


@pytest.mark.parametrize("seat, turn, text, code", REFUSALS, ids=[f"{text} - {code}" for _seat, _turn, text, code in REFUSALS])
def test_refused(seat, turn, text, code):
    found = read(seat, text, turn)
    refused = [problem for problem in found.problems if problem.kind == REFUSED]
    assert [problem.code for problem in refused] == [code]
    assert all(problem.line == 2 and problem.column >= 3 and problem.message for problem in refused)
    assert found.orders in ({}, {"policy": {}}, {"give": []}, {"trade": []}, {"march": []}), "a refused order must not count"


def test_a_block_named_in_two_items_is_refused_in_the_second():
    found = read("york", "march:\n  - {blocks: [retinue], to: hull}\n  - {blocks: [vassals-1, retinue], to: hold}\n  - {blocks: vassals-2, to: hull}", SUMMER)
    assert [(problem.code, problem.line, problem.order) for problem in found.problems] == [("DUPLICATE", 4, ["march", 1])]
    assert [march["blocks"] for march in found.orders["march"]] == [["retinue"], ["vassals-2"]]


def test_blocks_at_different_places_are_no_group():
    apart = with_block("york", "vassals-1", "dover", bill=2)
    assert [problem.code for problem in read("york", "march: {blocks: [retinue, vassals-1], to: hold}", SUMMER, apart).problems] == ["NOT-TOGETHER"]
    assert not read("york", "march: {blocks: [retinue, vassals-2], to: hold}", SUMMER, apart).problems
    assert not read("york", "march: {blocks: [retinue, burgundians], to: hold}", SPRING).problems, "in Spring nobody knows yet"


def test_one_change_in_the_game():
    changed = captured("warwick", changed=1)
    for text in ("allegiance: change", "trade: {with: lancaster, i_give: {allegiance: true}, i_get: {coins: 1}}"):
        assert [problem.code for problem in read("warwick", text, WINTER, changed, side_changes="game").problems] == ["ALREADY"]
        assert not read("warwick", text, WINTER, changed, side_changes="winter").problems
        assert not read("warwick", text, WINTER, side_changes="game").problems


def test_a_player_with_two_seats_stays():
    assert [problem.code for problem in read("warwick", "allegiance: change", WINTER, shared=True).problems] == ["SHARED-PLAYER"]


DOUBTS = [
    ("york", SUMMER, "march: {blocks: retinue, to: lancaster}", None, "FAR"),          # two roads, but one of them a mountain road
    ("york", SUMMER, "march: {blocks: retinue, to: {path: [london, oxford]}}", None, "FAR"),
    ("york", SUMMER, "march: {blocks: retinue, to: hull}", captured("york", status="neutral"), "NOT-ACTIVE"),
    ("york", SPRING, "march: {blocks: burgundians, to: dover}", None, "FAR"),
    ("york", SPRING, "hire: {at: dover, companies: [pike]}", captured("york", status="neutral"), "NOT-ACTIVE"),
    ("york", WINTER, "trade: {with: warwick, i_give: {coins: 1}, i_get: {castles: hull}}", None, "NOT-CLAIMANT"),
    ("warwick", WINTER, "trade: {with: york, i_give: {coins: 1}, i_get: {castles: york}}", None, "NOT-CLAIMANT"),
]


@pytest.mark.parametrize("seat, turn, text, change, code", DOUBTS, ids=[f"{text} - {code}" for _s, _t, text, _c, code in DOUBTS])
def test_doubted(seat, turn, text, change, code):
    found = read(seat, text, turn, change)
    assert [(problem.kind, problem.code) for problem in found.problems] == [(DOUBTFUL, code)]
    assert found.orders, "what is doubted is kept"


TAKEN = [
    ("york", SPRING, "muster: {at: [retinue, home], retinue: [MA*, RA], vassals: {2: {BI: 3}, 1: {LA: 1}}}",
     {"muster": {"at": ["retinue", "home"], "retinue": ["men-at-arms", "retinue-archer"], "vassals": {"2": {"bill": 3}, "1": {"levy-archer": 1}}}}),
    ("lancaster", SPRING, "muster: {at: London, retinue: [MA*, MA*, MA, RA]}",
     {"muster": {"at": ["london"], "retinue": ["men-at-arms", "men-at-arms", "retinue-bill", "retinue-archer"]}}),
    ("york", SPRING, "hire: {at: [York, dover], companies: [pikes, GONNE]}\nbids: {Burgundians: 7}",
     {"hire": {"at": ["york", "dover"], "companies": ["pike", "gonne"]}, "bids": {"burgundians": 7}}),
    ("york", SUMMER, "march: {blocks: [retinue, vassals-1], to: [{place: hull, when: clear}, hold], meet: attack, storm: any, keep: 3, sally: yes}",
     {"march": [{"blocks": ["retinue", "vassals-1"], "to": [{"place": "hull", "when": "clear"}, {"hold": True}], "meet": "attack", "storm": "any", "keep": 3, "sally": True}]}),
    ("york", WINTER, "keep: {retinue: 2}\ngive: {to: warwick, castles: dover}", {"keep": {"retinue": 2}, "give": [{"to": "warwick", "castles": ["dover"]}]}),
    ("warwick", WINTER, "allegiance: change\nbuy_loyalty: Hull", {"allegiance": "change", "buy_loyalty": ["hull"]}),
    ("york", SPRING, "policy: {shelter: never, siege_keep: 2, storm_with: [BI, MA*], winter_first: mercenaries}",
     {"policy": {"shelter": "never", "siege_keep": 2, "storm_with": ["bill", "men-at-arms"], "winter_first": "mercenaries"}}),
    ("york", SPRING, "policy: {siege_keep: all, shelter: default, storm_with: 'default', favour: \"Default\"}",
     {"policy": {"siege_keep": "all", "shelter": "default", "storm_with": "default", "favour": "default"}}),
]


@pytest.mark.parametrize("seat, turn, text, orders", TAKEN, ids=[text[:50] for _s, _t, text, _o in TAKEN])
def test_taken(seat, turn, text, orders):
    found = read(seat, text, turn)
    assert found.orders == orders and not found.problems


def test_a_steward_may_write_default():
    """5.5: the word is known in quotation marks too, as plain data comes."""
    view = ROSES.view(position(0), "york")
    found = read_orders(ROSES.order_model(view), from_plain({"policy": {"retreat_to": "default", "losses": "default"}}), lambda orders, remarks: None)
    assert found.orders == {"policy": {"retreat_to": "default", "losses": "default"}} and not found.problems


@pytest.mark.parametrize("turn", [0, 1, 2, 3])
@pytest.mark.parametrize("seat", list(ROSES.seats))
def test_stewards_write_what_the_reader_takes(seat, turn):
    view = ROSES.view(position(turn, edition="third"), seat)
    written = ROSES.steward(view)
    found = read_orders(ROSES.order_model(view), from_plain(written), lambda orders, remarks: ROSES.check(orders, view, remarks))
    assert {problem.code for problem in found.problems} <= {"FAR"}
    assert set(found.orders) == set(written)
