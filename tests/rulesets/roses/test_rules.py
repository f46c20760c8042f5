"""What must hold of the rules of E1 and E2 whatever happens: losses, routes, connection, auctions, and whole random campaigns."""

from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.core import plain
from adjudicator.core.dice import Dice, turn_key
from adjudicator.core.events import GM, PUBLIC, may_see
from adjudicator.core.turn import OrderRaised
from adjudicator.rulesets.roses import opening, sequence, sides
from adjudicator.rulesets.roses.rules import auctions, battles, forces, musters, routes
from adjudicator.rulesets.roses.rules.standing import prestige
from adjudicator.rulesets.roses.state import DEFAULT_POLICIES, Group
from adjudicator.rulesets.roses.tables import FACTIONS, TABLES
from adjudicator.rulesets.roses.view import view
from adjudicator.rulesets.roses.workspace import RosesTurn

from . import case_runner

POINTS = sorted(TABLES.points)
TYPES = list(TABLES.troops)
OPTIONS = case_runner.SMALL["given"]["options"]


def state_with(**options):
    return opening.setup({**OPTIONS, **options}, {house: house for house in TABLES.seats})[0]


# 6.0 lose

FORCES = st.dictionaries(st.tuples(st.sampled_from(("lancaster", "somerset", "buckingham")), st.sampled_from(("lord", "captain"))),
                         st.dictionaries(st.sampled_from(TYPES), st.integers(1, 3), min_size=1), min_size=1)
LOSSES = st.lists(st.sampled_from([*TYPES, *TABLES.troop_table.classes]), unique=True)


def force_of(armies):
    state = state_with()
    for (house, group), companies in armies.items():
        state.houses[house].groups[group] = Group("london", companies)
    return forces.companies_of(state, list(armies))


@given(FORCES, LOSSES, st.integers(0, 30))
def test_lose_takes_what_it_may_and_no_more(armies, losses, number):
    force = force_of(armies)
    lost = forces.lose(force, losses, number, lambda company: company.class_ != "mercenaries")
    eligible = [company for company in force if company.class_ != "mercenaries"]
    assert len(lost) == min(number, len(eligible))
    assert all(company.fallen == any(company is gone for gone in lost) for company in force)


@given(FORCES, LOSSES, st.integers(1, 5))
def test_lose_follows_the_list(armies, losses, number):
    """6.0 (1): nothing of a higher rank falls while something of a lower rank stands."""
    force = force_of(armies)
    lost = forces.lose(force, losses, number)
    rank = [min([place for place, entry in enumerate(losses) if entry in (company.type, company.class_)], default=len(losses)) for company in lost]
    assert rank == sorted(rank)


def test_lose_prefers_the_larger_house_then_canonical_order():
    """6.0 (2), (3): Somerset has two, Lancaster three; after one loss they are equal, and canonical order decides."""
    force = force_of({("lancaster", "lord"): {"bill": 3}, ("somerset", "lord"): {"bill": 2}})
    assert [company.house for company in forces.lose(force, ["bill"], 4)] == ["lancaster", "lancaster", "somerset", "lancaster"]


@given(FORCES)
def test_companies_stand_in_canonical_order(armies):
    """2.3: type order, seat order, the lord's before the captain's."""
    row = force_of(armies)
    assert row == sorted(row, key=lambda company: (TYPES.index(company.type), TABLES.seats.index(company.house), company.group != "lord"))


# 6.5.5

@pytest.mark.parametrize(("dice", "again"), [([2, 3, 3], [0, 1, 2]), ([2, 4, 3], []), ([1, 1, 1], [0, 1, 2]), ([6, 6, 6], [])])
def test_expectation_of_a_ward(dice, again):
    """Example 11.9: men-at-arms and two bills expect 11 sixths; one hit is below, two are not."""
    assert battles.rerolled(["men-at-arms", "bill", "bill"], dice, "all") == again


# 6.4.3

def all_ways(scout, goal, most):
    """Every way of at most `most` roads that passes through no barred point, with (cost, enemy castles, ids)."""
    ways = []

    def walk(path):
        if path[-1] == goal:
            ways.append((len(path) - 1, sum(scout.enemy_castle(point) for point in path[1:-1]), path))
            return
        if len(path) > most or (len(path) > 1 and scout.barred(path[-1])):
            return
        for near in TABLES.roads[path[-1]]:
            if near not in path:
                walk([*path, near])

    walk([scout.here])
    return ways


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(POINTS), st.sampled_from(POINTS), st.lists(st.sampled_from(POINTS), max_size=12), st.integers(1, 4))
def test_routes_are_the_best_of_all(here, goal, enemies, most):
    """6.4.3: lowest cost, then fewest enemy castles, then the smallest sequence of ids; checked against all ways there are."""
    state = state_with(fog="rules")
    for house, point in zip(("lancaster", "somerset", "shrewsbury", "northumberland", "buckingham"), enemies):
        state.houses[house].groups["lord"] = Group(point, {"bill": 1})
    for castle, house in zip(TABLES.castles, [house for _each in range(9) for house in TABLES.seats[::2]]):
        state.castles[castle] = house
    scout = routes.Scout(state, "york", here)
    ways = all_ways(scout, goal, most)
    found = scout.route(goal, most)
    assert found == (min(ways)[2][1:] if ways else None)
    if found is not None:
        assert scout.can_reach(goal) and scout.way_cost(found) == len(found)


@given(st.sampled_from(POINTS), st.sampled_from(POINTS))
def test_on_the_empty_map_routes_are_as_long_as_the_distance(here, goal):
    scout = routes.Scout(state_with(fog="scouting"), "york", here)
    assert len(scout.route(goal)) == TABLES.distances[here][goal]


# 6.2

@given(st.lists(st.sampled_from(TABLES.seats), min_size=45, max_size=45), st.sampled_from(TABLES.seats), st.sampled_from(TABLES.castles))
def test_connection_is_mutual_and_its_ways_are_open(holders, house, place):
    """6.2: what is connected to a place has the place connected to it; `adjacent` never reaches further than `path`."""
    state = state_with()
    state.castles = dict(zip(TABLES.castles, holders))
    reached = musters.connected(state, house, place)
    assert all(place in musters.connected(state, house, other) for other in reached)
    state.options["connection"] = "adjacent"
    assert set(musters.connected(state, house, place)) <= set(reached)


@given(st.lists(st.sampled_from(("men-at-arms", "retinue-archer", "retinue-bill")), max_size=6), st.integers(0, 4))
def test_retinue_is_cut_to_the_entitlement(wished, entitled):
    taken, cut = musters.raise_retinue(wished, entitled)
    assert len(taken) <= entitled and taken.count("men-at-arms") <= (entitled + 1) // 2
    assert sorted(taken + cut) == sorted(wished)


@given(st.dictionaries(st.sampled_from(("somerset", "york", "warwick", "norfolk")), st.integers(0, 6)))
def test_nobody_pays_more_than_his_limit(limits):
    """6.2.4: the winner has the highest limit, pays at least the start price, never more than one above the next."""
    limits = {house: limits[house] for house in TABLES.seats if house in limits}
    turn = RosesTurn(state_with(), {}, Dice(script={}))
    sale = auctions.sell(turn, limits, 1, "auction/1/tie")
    bidders = {house: limit for house, limit in limits.items() if limit >= 1}
    assert (sale.winner is None) == (not bidders)
    if sale.winner is not None:
        others = [limit for house, limit in bidders.items() if house != sale.winner]
        assert bidders[sale.winner] == max(bidders.values())
        assert sale.price == (min(max(others) + 1, bidders[sale.winner]) if others else 1)


# 3

@pytest.mark.parametrize("players", range(2, 9))
@pytest.mark.parametrize("turncoat", ["none", "northumberland", "norfolk", "somerset"])
@pytest.mark.parametrize("unheld", ["share", "steward", "neutral"])
def test_seatings_keep_their_own_rules(players, turncoat, unheld):
    """3.2: each player has a seat, no house has two players, and the seating is one that the rules allow."""
    options = {**OPTIONS, "unheld": unheld, "turncoat": turncoat}
    seating = opening.seating(options, players)
    held = [house for houses in seating for house in houses]
    assert len(seating) == players and all(seating) and len(set(held)) == len(held)
    assert unheld != "share" or len(held) == 8
    holders = opening.unheld(options) | {house: f"player-{number}" for number, houses in enumerate(seating) for house in houses}
    assert opening.seating_problems(options, holders) == []
    state, _events = opening.setup(options, holders)
    assert all(state.houses[claimant].status == "active" for claimant in ("lancaster", "york"))


def test_forbidden_seatings_are_told():
    """3.2."""
    assert len(opening.seating_problems(OPTIONS, {"lancaster": "ann", "york": "ann"})) == 1
    assert len(opening.seating_problems({**OPTIONS, "unheld": "neutral"}, {"lancaster": "nobody", "somerset": "nobody"})) == 1
    assert len(opening.seating_problems(OPTIONS, {"somerset": "nobody"})) == 1
    assert len(opening.seating_problems({**OPTIONS, "unheld": "steward"}, {"lancaster": "ann", "somerset": "ann"})) == 1


# 6.8.6: orders that a changed seating can leave behind

@pytest.mark.parametrize(("change", "reason"), [("captive", "captive"), ("shared", "shared-player")])
def test_who_cannot_change_sides_is_told_why(change, reason):
    state = case_runner.build({"season": "Winter 1455"})
    if change == "captive":
        state.houses["somerset"].status, state.houses["somerset"].captor, state.houses["somerset"].until = "captive", "york", 1456
    else:
        state.holders["somerset"] = state.holders["lancaster"]
    bargain = {"with": "york", "i_give": {"allegiance": True}, "i_get": {"coins": 0}}
    orders = {"somerset": {"allegiance": "change", "trade": [bargain]},
              "york": {"trade": [{"with": "somerset", "i_give": {}, "i_get": {"allegiance": True}}]}}
    after, events = sequence.adjudicate(state, orders, Dice(script={}))
    told = [event.data for event in events if event.kind == "order-skipped"]
    assert told == [{"house": "somerset", "order": "allegiance", "reason": reason}]
    assert [event.data["reason"] for event in events if event.kind == "trade-lapsed"] == ["no-allegiance"]
    assert after.houses["somerset"].faction == "lancastrian"


def test_two_houses_of_the_steward_are_not_one_players():
    state = case_runner.build({"season": "Winter 1455", "holders": {"somerset": "steward", "shrewsbury": "steward"}})
    after, _events = sequence.adjudicate(state, {"somerset": {"allegiance": "change"}}, Dice(script={}))
    assert after.houses["somerset"].faction == "yorkist"


# 4.1, 3.5

def test_who_is_asked_in_which_season():
    """4.1: active houses in the marching seasons; in Winter everybody but the dormant."""
    houses = {"somerset": {"status": "neutral", "until": 1456}, "warwick": {"status": "captive", "captor": "lancaster", "until": 1457}}
    given = {"houses": houses, "holders": {"norfolk": "nobody"}, "options": {"unheld": "neutral"}}
    for season in ("Spring 1456", "Summer 1456", "Autumn 1456"):
        asked = sequence.asked(case_runner.build({**given, "season": season}))
        assert asked == ["lancaster", "shrewsbury", "northumberland", "buckingham", "york"]
    assert sequence.asked(case_runner.build({**given, "season": "Winter 1456"})) == [house for house in TABLES.seats if house != "norfolk"]


@pytest.mark.parametrize(("turn", "name"), [(0, "Setup"), (1, "Spring 1455"), (4, "Winter 1455"), (68, "Winter 1471")])
def test_turns_have_names(turn, name):
    assert sequence.turn_name(OPTIONS, turn) == name
    assert sequence.last_turn(OPTIONS) == 68 and sequence.last_turn({**OPTIONS, "final_year": 1455}) == 4


def test_statistics_of_the_opening():
    """Example 11.1."""
    numbers = sequence.statistics(state_with())
    assert (numbers["value/lancastrian"], numbers["castles/lancastrian"], numbers["value/yorkist"], numbers["castles/yorkist"]) == (36, 25, 26, 20)
    assert [numbers[f"prestige/{house}"] for house in TABLES.seats] == [8, 7, 7, 7, 7, 10, 8, 8]


# Whole campaigns

def random_orders(draw, season, state):
    """What a reader could have accepted, good sense aside."""
    def house():
        return draw(TABLES.seats)

    def point():
        return draw(POINTS)

    def several(make, most):
        return [make() for _each in range(draw(range(most + 1)))]

    def entry():
        made = draw([{"place": point()}, {"toward": point()}, {"hunt": house()}, {"join": house()}, {"hold": True}, {"path": several(point, 3) or [point()]}])
        return made | draw([{}, {}, {"when": "clear"}, {"when": "occupied"}])

    def marching():
        return draw([{}, {"with": house()}]) | {"to": several(entry, 4) + [{"toward": draw(("london", "york", "lancaster", "warwick"))}], "meet": draw(("attack", "attack-if-stronger", "halt")),
                "storm": draw(["any", several(point, 3)]), "attempts": draw((1, 2, 3)), "keep": draw((0, 1, 2))}

    def plan():
        take = [f"{entry}{draw(('', ' all'))}" for entry in several(lambda: draw([*TYPES, *TABLES.troop_table.classes]), 3)]
        return {"van": {"take": take, "captain": draw(("artillery", "missile", "melee"))}, "rear": {"captain": "missile"},
                "rest": several(lambda: draw(("van", "middle", "rear")), 3) or ["middle"]}

    def castles():
        return several(lambda: draw(TABLES.castles), 2)

    def part():
        return {"coins": draw((0, 1, 3)), "castles": castles(), "allegiance": draw((False, False, True))}

    orders = {}
    for seat in TABLES.seats:
        policy = {"if_attacked": draw(("stand", "evade", "evade-if-outnumbered", "default")), "militia": draw((0, 2, 4)), "plan_attack": plan(),
                  "plan_defence": plan(), "losses": [draw(TYPES), "retinue"], "retreat_to": several(point, 2), "order_of_march": several(house, 3)}
        mine = {"policy": policy}
        if season == "Spring":
            mine |= {"muster": {"at": castles(), "retinue": several(lambda: draw(("men-at-arms", "retinue-bill")), 4)}, "bids": {draw(("any", "gonne")): draw((1, 2, 5))},
                     "mercenaries": several(lambda: draw(("gonne", "pike")), 4)}
        if season == "Winter":
            other = house()
            mine |= {"give": [{"to": other, "coins": draw((0, 2, 9)), "castles": castles()}] if other != seat else [],
                     "trade": [{"with": other, "i_give": part(), "i_get": part()}] if other != seat else [], "confiscate": castles(),
                     "allegiance": draw(("stay", "change", "change-if-confiscated")), "offices": draw((0, 1, 2))}
        else:
            mine |= {"march": marching(), "captain": marching() | {"detach": {draw(TYPES): draw((0, 1, 2)), "bill": draw((0, 2, 5))}, "rejoin": draw((True, False)), "after": draw((True, False))}}
        orders[seat] = {key: value for key, value in mine.items() if draw((True, True, True, False))}
    # now and then a bargain that both sides have written
    if season == "Winter":
        a, b = draw((("somerset", "york"), ("warwick", "lancaster"), ("norfolk", "buckingham")))
        gives, gets = part() | {"castles": []}, {"coins": 1, "castles": [], "allegiance": False}
        orders[a]["trade"] = [{"with": b, "i_give": gives, "i_get": gets}]
        orders[b]["trade"] = [{"with": a, "i_give": gets, "i_get": gives}]
    return orders


def chooser(seed):
    """Choices from the project's own named draws: the same seed gives the same campaign for ever."""
    dice, numbers = Dice(turn_key(f"orders {seed}", 0)), count()
    return lambda choices: choices[dice.die(str(next(numbers)), sides=len(choices)) - 1]


@pytest.mark.parametrize("edition", ["first", "second"])
@pytest.mark.parametrize("seed", range(6))
def test_random_campaigns_keep_what_must_hold(edition, seed):
    draw = chooser(f"{edition} {seed}")
    options = {"edition": edition, "fog": draw(("rules", "scouting")), "final_year": 1462, "storm_attempts": draw((1, 3)), "storm_hosts": draw(("one", "all")),
               "captain_reroll": draw(("all", "misses")), "toughness": draw(("one", "by-type")), "victory_check": draw(("year", "turn")),
               "sightings": draw(("band", "exact", "presence")), "unheld": draw(("share", "neutral")), "starting_coins": draw((0, 9))}
    holders = {house: house for house in TABLES.seats}
    if options["unheld"] == "neutral":
        holders["shrewsbury"] = "nobody"
    state, _events = opening.setup({**OPTIONS, **options}, holders)
    while state.end is None:
        season = TABLES.numbers.calendar.seasons[state.turn % 4]
        dice = Dice(turn_key(str(seed), state.turn + 1))
        coins = sum(house.coins for house in state.houses.values())
        after, events = sequence.adjudicate(state, random_orders(draw, season, state), dice)
        check_state(after, season)
        check_events(after, events, dice)
        if season == "Winter":   # coins leave the game by offices alone, and come in by nothing
            spent = sum(event.data["coins"] for event in events if event.kind == "office")
            assert sum(house.coins for house in after.houses.values()) == coins - spent
        state = after
    assert sequence.asked(state) == [] and sequence.outcome(state) is not None
    with pytest.raises(ValueError):
        sequence.adjudicate(state, {}, Dice())


def check_state(state, season):
    assert plain.from_json(plain.to_json(state), type(state)) == state
    assert sorted(state.castles) == list(TABLES.castles) and all(holder in TABLES.seats for holder in state.castles.values())
    for seat, house in state.houses.items():
        assert house.coins >= 0
        assert (house.captain == "leads") == ("captain" in house.groups)
        assert house.status == "active" or not house.groups
        assert (house.until is not None) == (house.status in ("captive", "neutral"))
        assert house.captor is None or house.status in ("captive", "neutral")
        assert season != "Winter" or (not house.groups and not house.memory)
        assert all(key in DEFAULT_POLICIES and value != DEFAULT_POLICIES[key] for key, value in house.policies.items())
        for group in house.groups.values():
            assert group.point in TABLES.points and all(number > 0 for number in group.companies.values())
            assert list(group.companies) == [type_ for type_ in TYPES if type_ in group.companies]
    for seat in TABLES.seats:   # enemies never share a point
        for house, group in sides.pieces_of(state, seat):
            assert not sides.enemy_force(state, house, state.houses[house].groups[group].point)
    numbers = sequence.statistics(state)
    assert sum(numbers[f"castles/{faction}"] for faction in FACTIONS) <= 45
    for viewer in [*TABLES.seats, PUBLIC, GM]:
        seen = view(state, viewer)
        assert plain.from_json(plain.to_json(seen), type(seen)) == seen
        assert all(seen.houses[seat].prestige == prestige(state, seat) for seat in TABLES.seats)


def check_events(state, events, dice):
    made = [draw.name for draw in dice.log]
    told = [name for event in events for name in event.draws]
    assert sorted(told) == sorted(made), "every die is told once"
    for event in events:
        assert event.audience and event.rule
        assert event.audience in ([PUBLIC], [seat for seat in TABLES.seats if seat in event.audience]), event
        assert not any(state.houses[seat].status == "dormant" for seat in event.audience if seat != PUBLIC), event
        assert plain.to_json(event.data)
        assert may_see(event, GM)


def test_a_fault_is_laid_at_the_door_of_its_order():
    """core.turn: an order that makes a rule fail names its seat and key."""
    state = case_runner.build({"houses": {"york": {"lord": {"at": "dover", "BI": 2}}}})
    with pytest.raises(OrderRaised) as raised:
        sequence.adjudicate(state, {"york": {"march": {"to": [{"place": "atlantis"}]}}}, Dice())
    assert (raised.value.seat, raised.value.order) == ("york", "march")
