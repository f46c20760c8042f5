"""What must hold of edition `third` whatever happens: musters, phases, routes, skips, and whole campaigns, by stewards and at random."""

from collections import Counter

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.core import registry
from adjudicator.core.dice import Dice, turn_key
from adjudicator.core.events import PUBLIC
from adjudicator.core.names import Names
from adjudicator.orderfile.schema import json_schema
from adjudicator.orderfile.submission import read_submission
from adjudicator.orderfile.writing import template
from adjudicator.rulesets.roses import opening, sequence, sides
from adjudicator.rulesets.roses.rules import block_musters, phases, routes
from adjudicator.rulesets.roses.rules.forces import CLASS_OF, Company
from adjudicator.rulesets.roses.state import DEFAULT_POLICIES, Group
from adjudicator.rulesets.roses.tables import CLAIMANT, TABLES
from adjudicator.rulesets.roses.view import view
from adjudicator.rulesets.roses.workspace import RosesTurn

from ..playing import begin, play, read
from ..test_contract import from_schema
from ..test_traceability import chapters
from . import case_runner
from .test_rules import check_events, chooser

ROSES = registry.load("roses")
POINTS = sorted(TABLES.points)
TYPES = list(TABLES.troops)
OPTIONS = {**case_runner.SMALL["given"]["options"], "edition": "third"}
CLAIMANTS_CASTLES = ("london", "lancaster", "york")


def state_with(**options):
    return opening.setup({**OPTIONS, **options}, {house: house for house in TABLES.seats})[0]


# 6.3.1

@given(st.lists(st.sampled_from(("men-at-arms", "retinue-archer", "retinue-bill")), max_size=7), st.sampled_from((0, 2, 4)), st.integers(0, 4), st.booleans())
def test_retinue_is_cut_to_entitlement_and_room(wished, entitled, there, at_place):
    """6.3.1.4: not more than R, nor than the block holds, nor more men-at-arms than half of R; the rest is told."""
    state = state_with()
    if there:
        state.houses["york"].groups["retinue"] = Group("york" if at_place else "dover", {"retinue-bill": there})
    taken, cut = block_musters.raise_retinue(state, "york", ("home", "york"), wished, entitled)
    assert sum(taken.values()) <= min(entitled, 4 - there if at_place or not there else 0)
    assert taken.get("men-at-arms", 0) <= (entitled + 1) // 2
    assert sorted([*cut, *(type_ for type_, number in taken.items() for _each in range(number))]) == sorted(wished)


@given(st.dictionaries(st.integers(1, 5).map(str), st.dictionaries(st.sampled_from(("bill", "levy-archer")), st.integers(0, 4), max_size=2)), st.integers(0, 12))
def test_vassals_come_in_the_order_of_their_numbers(wished, most):
    """6.3.1.5: if Y is short, lower block numbers first."""
    blocks, cut = block_musters.raise_vassals(wished, most)
    got = {number: sum(blocks.get(f"vassals-{number}", {}).values()) for number in wished}
    asked = {number: sum(wished[number].values()) for number in wished}
    assert sum(got.values()) == min(most, sum(asked.values())) and len(cut) == sum(asked.values()) - sum(got.values())
    short = [number for number in sorted(wished, key=int) if got[number] < asked[number]]
    assert all(got[number] == 0 for number in short[1:]), "a later block gets nothing while an earlier one is short"


@given(st.integers(0, 30), st.integers(2, 6), st.integers(1, 5))
def test_default_vassals_fill_block_after_block(number, size, count):
    """5.1: into block 1 until full, then 2; per block half, rounded up, billmen."""
    state = state_with(block_size=size, vassal_blocks=count)
    blocks = block_musters.default_vassals(state, number)
    filled = [sum(companies.values()) for companies in blocks.values()]
    assert sum(filled) == min(number, size * count) and all(part == size for part in filled[:-1])
    assert all(companies["bill"] - companies["levy-archer"] in (0, 1) for companies in blocks.values())


# 6.4.3

def all_ways(scout, goal, most):
    """Every way of at most `most` points that passes through no barred point, with (cost, enemy castles, ids)."""
    ways = []

    def walk(path, cost):
        if path[-1] == goal:
            ways.append((cost, 0, path))
            return
        if len(path) > 1 and scout.barred(path[-1]):
            return
        for near, kind in TABLES.roads[path[-1]].items():
            if near not in path and cost + scout.cost[kind] <= most:
                walk([*path, near], cost + scout.cost[kind])

    walk([scout.here], 0)
    return ways


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(POINTS), st.sampled_from(POINTS), st.lists(st.sampled_from(POINTS), max_size=8), st.integers(1, 5))
def test_routes_with_mountains_are_the_best_of_all(here, goal, enemies, most):
    state = state_with(fog="rules")
    for number, point in enumerate(enemies):
        state.houses[TABLES.seats[number % 5]].groups[sides.GROUP_ORDER[2 + number // 5]] = Group(point, {"bill": 1})
    scout = routes.Scout(state, "york", here)
    ways = all_ways(scout, goal, most)
    assert scout.route(goal, most) == (min(ways)[2][1:] if ways else None)


# 6.7.2

FORCE = st.lists(st.sampled_from(TYPES), min_size=1, max_size=7)


@settings(max_examples=80, deadline=None)
@given(FORCE, FORCE, st.integers(0, 2), st.integers(0, 10_000))
def test_a_fight_has_one_winner_and_counts_its_dead(attack, defence, garrison, seed):
    """6.7.2, 6.7.4: hits beyond the last company are void; the block falls before the garrison; who is left alone has won."""
    def party(name, house, types, garrison=0):
        return phases.Party(name, house, [(house, "retinue")], [Company(type_, CLASS_OF[type_], house, "retinue") for type_ in sorted(types, key=TYPES.index)], garrison)

    turn = RosesTurn(state_with(), {}, Dice(turn_key(str(seed), 1)))
    fight = phases.Fight("storm/oxford/1", "oxford", 1, party("attack", "york", attack), party("defence", "somerset", defence, garrison))
    winner = phases.fight_phases(turn, fight)
    assert fight.attack.left + fight.attack.lost == len(attack) and fight.defence.left + fight.defence.lost == len(defence) + garrison
    assert not fight.defence.garrison_lost or all(company.fallen for company in fight.defence.force)
    if bool(fight.attack.left) != bool(fight.defence.left):
        assert winner.left
    else:
        assert (winner is fight.attack) == (fight.attack.left > 0 and fight.attack.lost < fight.defence.lost)
    hits = sum(phase["attack"]["hits"] for phase in fight.phases)
    assert fight.defence.lost == min(hits, len(defence) + garrison)
    assert sorted(fight.draws) == sorted(draw.name for draw in turn.dice.log)


# 6.9: orders that a changed position can leave behind

@pytest.mark.parametrize(("option", "reason"), [({"side_changes": "game"}, "changed-before"), ({}, "shared-player")])
def test_who_cannot_change_sides_is_told_why(option, reason):
    state = case_runner.build({"season": "Winter 1456", "options": {"edition": "third", **option}, "houses": {"somerset": {"changed": 1}}})
    if reason == "shared-player":
        state.holders["somerset"] = state.holders["lancaster"]
    bargain = {"with": "york", "i_give": {"allegiance": True}, "i_get": {"coins": 0}}
    orders = {"somerset": {"allegiance": "change", "trade": [bargain]}, "york": {"trade": [{"with": "somerset", "i_give": {}, "i_get": {"allegiance": True}}]}}
    after, events = sequence.adjudicate(state, orders, Dice(script={}))
    assert [event.data for event in events if event.kind == "order-skipped"] == [{"house": "somerset", "order": "allegiance", "reason": reason}]
    assert [event.data["reason"] for event in events if event.kind == "trade-lapsed"] == ["no-allegiance"]
    assert after.houses["somerset"].faction == "lancastrian"


def test_loyalty_is_bought_only_of_castles_that_are_still_there():
    """6.9.5: a castle that is gone, the home castle, or one named twice."""
    state = case_runner.build({"season": "Winter 1456", "options": {"edition": "third"}, "houses": {"shrewsbury": {"coins": 20}}, "castles": {"hereford": "york", "aberystwyth": "york", "bridgnorth": "york"}})
    orders = {"shrewsbury": {"allegiance": "change", "buy_loyalty": ["hereford", "shrewsbury", "worcester", "worcester"]}}
    after, events = sequence.adjudicate(state, orders, Dice(script={}))
    assert [event.data["reason"] for event in events if event.kind == "order-skipped"] == ["no-castle"] * 3
    assert after.houses["shrewsbury"].coins == 18


def test_a_gift_that_a_vassal_could_not_write_is_skipped():
    """6.9.4: a castle of a vassal's, or London, does not pass."""
    state = case_runner.build({"season": "Winter 1456", "options": {"edition": "third"}})
    orders = {"somerset": {"give": [{"to": "york", "castles": ["lyme"]}]}, "lancaster": {"give": [{"to": "york", "castles": ["london"]}]}}
    after, events = sequence.adjudicate(state, orders, Dice(script={}))
    assert [event.data["what"] for event in events if event.kind == "gift-skipped"] == [{"castle": "london"}, {"castle": "lyme"}]
    assert after.castles["lyme"] == "somerset" and after.castles["london"] == "lancaster"


# Whole campaigns

def coins_told(events):
    """house -> coins that came in, less those that went, by the events."""
    coins = Counter()
    for event in events:
        data = event.data
        if event.kind == "muster" and "coins" in data:
            coins[data["house"]] += data["coins"]
        elif event.kind in ("hired", "disbanded") or event.kind == "siege-paid" and "coins" in data:
            coins[data["house"]] -= data["coins"]
        elif event.kind == "auction-lot" and data["winner"]:
            coins[data["winner"]] -= data["price"]
        elif event.kind == "loyalty-test" and data["bought"]:
            coins[data["house"]] -= {2: 4, 1: 2}[TABLES.value(data["castle"])]
        elif event.kind == "coins-given":
            coins[data["from"]] -= data["coins"]
            coins[data["to"]] += data["coins"]
        elif event.kind == "trade-done":
            change = data["a_gives"]["coins"] - data["b_gives"]["coins"]
            coins[data["a"]] -= change
            coins[data["b"]] += change
    return coins


def companies_told(events, before):
    """house -> type -> companies that the events leave it with; None for a house whose blocks have partly left the map."""
    companies = {house: Counter() for house in TABLES.seats}
    for house, record in before.houses.items():
        for group in record.groups.values():
            companies[house].update(group.companies)
    unsure = {}
    for event in events:
        data = event.data
        if event.kind == "muster" and "companies" in data:
            companies[data["house"]].update(data["companies"])
        elif event.kind == "hired":
            companies[data["house"]].update(data["types"])
        elif event.kind == "auction-lot" and data["winner"]:
            companies[data["winner"]].update(TABLES.numbers.e3.burgundians)
        elif event.kind in ("battle-detail", "assault-detail"):
            for phase in data["phases"]:
                for side in ("attack", "defence"):
                    for unit in phase[side]["lost"]:
                        companies[unit["house"]][unit["type"]] -= 1
            beaten = "defence" if data["winner"] == "attack" else "attack"
            if event.kind == "battle-detail" and data["retreat"] is None:
                unsure |= dict.fromkeys([unit["house"] for unit in data["forces"][beaten]], True)
        elif event.kind == "siege-paid" and "kept" in data:
            companies[data["house"]].subtract(data["disbanded"])
        elif event.kind == "neutral":
            companies[data["house"]] = Counter()
        elif event.kind == "rout":
            unsure[data["house"]] = True
        elif event.kind == "disbanded":
            companies[data["house"]] = Counter()
            for kept in data["kept"].values():
                companies[data["house"]].update(kept)
        elif event.kind == "sorted-out" and data["to"] is None:
            unsure[data["house"]] = True
    return {house: None if house in unsure else +counted for house, counted in companies.items()}


def check_turn(before, after, events, season):
    """Companies, coins and castles are accounted for, and what the rules forbid is not there."""
    coins, companies = coins_told(events), companies_told(events, before)
    moved = {event.data["castle"]: event.data["to"] for event in events if event.kind in ("castle-taken", "castle-given")}
    moved |= {event.data["castle"]: None for event in events if event.kind == "loyalty-test" and not event.data["kept"]}
    assert sorted(after.castles) == list(TABLES.castles)
    for castle, holder in after.castles.items():
        assert holder == moved.get(castle, before.castles[castle]), castle
        assert holder in (*TABLES.seats, None)
    assert all(after.castles[castle] in CLAIMANT.values() for castle in CLAIMANTS_CASTLES)
    for seat, house in after.houses.items():
        assert house.coins >= 0 and house.coins == before.houses[seat].coins + coins[seat], seat
        assert house.status == "dormant" or house.status == "active" or (house.status == "neutral" and season != "Winter")
        assert (house.until is not None) == (house.status == "neutral") and house.captor is None
        assert house.status == "active" or not house.groups
        assert house.changed >= before.houses[seat].changed
        now = Counter()
        for name, group in house.groups.items():
            assert name in sides.GROUP_ORDER[2:] and group.point in TABLES.points
            assert 0 < group.size <= after.options["block_size"] or name == "burgundians"
            assert season != "Winter" or (name in ("retinue", "mercenaries") and not group.inside)
            assert not sides.enemy_force(after, seat, group.point) or group.inside, "enemies share no point, but for the besieged"
            assert group.inside <= bool(sides.enemy_force(after, seat, group.point)), "nobody is shut in without besiegers"
            assert season != "Winter" or sides.stance(after, seat, group.point) != "enemy"
            now.update(group.companies)
        assert companies[seat] is None or now == companies[seat], seat
    beaten = [house for house in CLAIMANT.values() if house not in (after.castles["london"], after.castles[sides.home_of(house)]) and "retinue" not in after.houses[house].groups]
    won = [event.data for event in events if event.kind == "victory"]
    assert len(beaten) == len(won) <= 1 and all(data["claimant"] not in beaten for data in won)
    for data in won:
        vassals = [house for house in sides.houses_of(after, after.houses[data["claimant"]].faction)[1:] if after.houses[house].status == "active"]
        assert len(data["vassals"]) >= min(2, len(vassals)) and set(data["vassals"]) <= set(vassals)


@pytest.mark.parametrize("players", range(2, 9))
def test_stewards_campaigns_account_for_everything(players):
    state = begin(ROSES, players, edition="third", starting_coins=7)
    for moment in play(ROSES, state, seed=f"third {players}"):
        check_turn(moment.before, moment.after, moment.events, TABLES.numbers.calendar.seasons[(moment.turn - 1) % 4])
    assert ROSES.outcome(moment.after) is not None


def test_events_cite_rules_that_are_there():
    known = chapters(ROSES.rulebook.read_text())
    for moment in play(ROSES, begin(ROSES, 8, edition="third", starting_coins=7), seed="cite"):
        for event in moment.events:
            assert event.rule in known or event.rule.rsplit(".", 1)[0] in known, f"{event.kind} cites {event.rule}"


def test_campaigns_of_stewards_are_worth_reading():
    """The campaigns above would prove little if nothing happened in them."""
    kinds = Counter(event.kind for seed in range(5) for moment in play(ROSES, begin(ROSES, 8, edition="third", starting_coins=7), seed=f"read {seed}") for event in moment.events)
    for kind in ("battle", "assault", "castle-taken", "rout", "neutral", "loyalty-test", "sheltered", "siege-paid", "siege-lifted", "auction-lot", "legitimacy", "disbanded", "victory"):
        assert kinds[kind] > 0, kind


def random_orders(draw, season, state):
    """What a reader could have accepted, good sense aside."""
    def house():
        return draw(TABLES.seats)

    def point():
        return draw(POINTS)

    def several(make, most):
        return [make() for _each in range(draw(range(most + 1)))]

    def entry():
        made = draw([{"place": point()}, {"toward": point()}, {"toward": draw(("london", "york", "lancaster"))}, {"hunt": house()}, {"join": house()}, {"hold": True}, {"path": several(point, 3) or [point()]}])
        return made | draw([{}, {}, {}, {"when": "clear"}, {"when": "occupied"}])

    def marches(seat):
        blocks = list(state.houses[seat].groups) or ["retinue", "vassals-1", "vassals-2", "burgundians", "mercenaries"]
        cut = draw(range(len(blocks) + 1))
        return [draw([{}, {"with": house()}]) | {"blocks": part, "to": several(entry, 2) + [{"hunt": house()}, {"place": draw(near(seat)), "when": draw(("occupied", "clear"))}, {"toward": draw(("london", "york", "lancaster", "warwick"))}],
                "meet": draw(("attack", "attack", "attack-if-stronger", "halt")), "storm": draw(["any", "any", several(point, 3)]), "keep": draw((0, 1, 3)), "sally": draw((True, False))}
                for part in (blocks[:cut], blocks[cut:]) if part]

    def near(seat):
        """Points with enemies or enemy castles next to a block of the seat; else anywhere."""
        here = [group.point for group in state.houses[seat].groups.values()]
        return [other for other in POINTS if any(TABLES.distances[other][start] <= 2 for start in here)
                and (sides.enemy_force(state, seat, other) or sides.stance(state, seat, other) == "enemy")] or POINTS

    def castles(seat=None):
        return several(lambda: draw(seat and sides.castles_of(state, seat) or TABLES.castles), 3)

    def part():
        return {"coins": draw((0, 1, 3)), "castles": castles(), "allegiance": draw((False, False, True))}

    orders = {}
    for seat in TABLES.seats:
        mine = {"policy": {"shelter": draw(("always", "never", "if-outnumbered", "default")), "siege_keep": draw(("all", 0, 1, 2)), "storm_with": draw([[], [draw(TYPES)]]),
                           "winter_first": draw(("retinue", "mercenaries")), "losses": [draw(TYPES), "supporters"], "retreat_to": several(point, 3), "order_of_march": several(house, 3)}}
        if season == "Spring":
            mine |= {"muster": {"at": several(lambda: draw(("retinue", "home", "london")), 3), "retinue": several(lambda: draw(("men-at-arms", "retinue-bill")), 4),
                                "vassals": {str(draw(range(1, state.options["vassal_blocks"] + 1))): {"bill": draw((0, 1, state.options["block_size"] - 1)), "levy-archer": draw((0, 1))}}},
                     "hire": {"at": castles(seat), "companies": several(lambda: draw(("gonne", "pike", "crossbow")), 4)}, "bids": {"burgundians": draw((3, 4, 6))}}
        if season == "Winter":
            other = house()
            mine |= {"give": [{"to": other, "coins": draw((0, 2, 9)), "castles": castles(seat)}] if other != seat else [], "trade": [{"with": other, "i_give": part(), "i_get": part()}] if other != seat else [],
                     "allegiance": draw(("stay", "stay", "change")), "buy_loyalty": castles(seat), "keep": {"retinue": draw((0, 1, 4)), "mercenaries": draw((0, 2, 4))}}
        else:
            mine |= {"march": marches(seat)}
        orders[seat] = {key: value for key, value in mine.items() if draw((True, True, True, False))}
    if season == "Winter":   # now and then a bargain that both sides have written
        a, b = draw((("somerset", "york"), ("warwick", "lancaster"), ("norfolk", "buckingham")))
        gives, gets = part() | {"castles": []}, {"coins": 1, "castles": castles() if b in CLAIMANT.values() else [], "allegiance": False}
        orders[a]["trade"] = [{"with": b, "i_give": gives, "i_get": gets}]
        orders[b]["trade"] = [{"with": a, "i_give": gets, "i_get": gives}]
    return orders


@pytest.mark.parametrize("seed", range(10))
def test_random_campaigns_keep_what_must_hold(seed):
    draw = chooser(f"third {seed}")
    options = {"fog": draw(("rules", "scouting")), "final_year": 1462, "sightings": draw(("band", "exact", "presence")), "unheld": draw(("share", "neutral")), "starting_coins": draw((0, 9)),
               "block_size": draw((2, 4, 6)), "vassal_blocks": draw((1, 3, 5)), "siege_surrender": draw((True, False)), "side_changes": draw(("winter", "game")), "forced_change": draw(("cross", "return"))}
    holders = {house: house for house in TABLES.seats}
    if options["unheld"] == "neutral":
        holders["shrewsbury"] = "nobody"
    state, _events = opening.setup({**OPTIONS, **options}, holders)
    while state.end is None:
        season = TABLES.numbers.calendar.seasons[state.turn % 4]
        dice = Dice(turn_key(str(seed), state.turn + 1))
        after, events = sequence.adjudicate(state, random_orders(draw, season, state), dice)
        check_turn(state, after, events, season)
        check_events(after, events, dice)
        assert all(key in DEFAULT_POLICIES for house in after.houses.values() for key in house.policies)
        for viewer in [*TABLES.seats, PUBLIC]:
            seen = view(after, viewer)
            own = [army for army in seen.armies if army.house == viewer]
            assert all(army.companies is None for army in seen.armies if army not in own)
        state = after
    assert sequence.asked(state) == [] and sequence.outcome(state) is not None


# The contract of a ruleset (tests/rulesets/test_contract.py), for this edition

TURNS = 12


def moments_of(options):
    if options not in _played:
        _played[options] = list(play(ROSES, begin(ROSES, 8, edition="third", starting_coins=7, **dict(options)), seed="contract", turns=TURNS))
    return _played[options]


_played = {}


def test_templates_pass_their_own_check_and_schemas_take_what_stewards_write():
    seats = Names(ROSES.seats)
    for moment in moments_of(()):
        for seat in ROSES.asked(moment.after):
            seen = ROSES.view(moment.after, seat)
            model = ROSES.order_model(seen)
            text = template(model, campaign="c", turn=moment.turn + 1, seat=seat, token="t", title="T")
            found = read_submission(text.encode(), model, lambda orders, remarks: ROSES.check(orders, seen, remarks), campaign="c", turn=moment.turn + 1, seat=seat, seats=seats)
            assert found.state == "taken" and not found.problems, (seat, text, found.problems)
            schema = json_schema(model, campaign="c", turn=moment.turn + 1, seat=seat, seats=seats, title="T")
            jsonschema.validate({"campaign": "c", "turn": moment.turn + 1, "seat": seat, "token": "t", "orders": ROSES.steward(seen)}, schema)


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_whatever_check_accepts_run_survives(data):
    """Orders from the schema, for every seat, some of them wild."""
    state = data.draw(st.sampled_from(moments_of(data.draw(st.sampled_from([(), (("fog", "rules"),)])))), "moment").before
    orders = {}
    for seat in ROSES.asked(state):
        seen = ROSES.view(state, seat)
        written = data.draw(from_schema({**ROSES.order_model(seen).schema(), "required": []}))
        orders[seat] = read(ROSES, seen, written if isinstance(written, dict) else {}).orders
        assert read(ROSES, seen, orders[seat]).orders == orders[seat], "read again, they are the same orders"
    after, events = sequence.adjudicate(state, orders, Dice(turn_key("fuzz", state.turn)))
    check_turn(state, after, events, TABLES.numbers.calendar.seasons[state.turn % 4])
