"""After every turn of campaigns that stewards play, for all player counts: what the events tell accounts for every company and coin."""

from collections import Counter

import pytest

from adjudicator.core import registry
from adjudicator.rulesets.roses.tables import TABLES

from ..playing import begin, play

ROSES = registry.load("roses")
EDITIONS = ["first", "second"]


def coins_told(events):
    """house -> coins that came in, less those that went, by the events."""
    coins = Counter()
    for event in events:
        data = event.data
        if event.kind == "captive-income":
            coins[data["captor"]] += data["coins"]
        elif event.kind == "muster":
            coins[data["house"]] += data["coins"]
        elif event.kind == "auction-lot" and data["winner"]:
            coins[data["winner"]] -= data["price"]
        elif event.kind == "coins-given":
            coins[data["from"]] -= data["coins"]
            coins[data["to"]] += data["coins"]
        elif event.kind == "trade-done":
            change = data["a_gives"]["coins"] - data["b_gives"]["coins"]
            coins[data["a"]] -= change
            coins[data["b"]] += change
        elif event.kind == "office":
            coins[data["house"]] -= data["coins"]
    return coins


def companies_told(events):
    """(house -> type -> companies raised less companies lost, houses whose armies have left the map whole)."""
    companies = {house: Counter() for house in TABLES.seats}
    gone = {}
    for event in events:
        data = event.data
        if event.kind == "muster":
            companies[data["house"]].update(data["companies"])
        elif event.kind == "mercenaries-free":
            companies[data["house"]].update(data["types"])
        elif event.kind == "auction-lot" and data["winner"]:
            companies[data["winner"]][data["type"]] += 1
        elif event.kind == "storm-paid" or event.kind == "dysentery" and data["house"]:
            companies[data["house"]][data["type"]] -= 1
        elif event.kind == "battle-detail":
            lost = [unit for part in data["rounds"] for ward in part["wards"] for side in ("attack", "defence") for unit in ward[side]["lost"]]
            lost += [data["extra"]] if data["extra"] else []
            for unit in lost:
                if unit["class"] != "militia":
                    companies[unit["house"]][unit["type"]] -= 1
            beaten = "defence" if data["winner"] == "attack" else "attack"
            if data["retreat"] is None:
                gone |= dict.fromkeys((unit["house"] for unit in data["forces"][beaten]), True)
        elif event.kind in ("neutral", "captured", "disbanded"):
            gone[data["house"]] = True
    return companies, gone


def army(state, house):
    total = Counter()
    for group in state.houses[house].groups.values():
        total.update(group.companies)
    return total


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", range(2, 9))
def test_every_company_coin_and_castle_is_accounted_for(players, edition):
    turns = 0
    state = begin(ROSES, players, edition=edition, starting_coins=4)
    for moment in play(ROSES, state, seed=f"{edition} {players}"):
        turns += 1
        before, after = moment.before, moment.after
        assert sorted(after.castles) == sorted(TABLES.castles), "45 castles, as ever"
        assert all(holder in TABLES.seats for holder in after.castles.values()), "every castle has one owner"
        told = coins_told(moment.events)
        companies, gone = companies_told(moment.events)
        for house in TABLES.seats:
            assert after.houses[house].coins >= 0
            assert after.houses[house].coins == before.houses[house].coins + told[house], (moment.turn, house)
            now = army(after, house)
            assert all(number > 0 for number in now.values())
            if house not in gone:
                expected = army(before, house)
                expected.update(companies[house])
                assert +now == +expected, (moment.turn, house)
                assert not -expected, "nobody loses what he does not have"
        moved = {event.data["castle"]: event.data["to"] for event in moment.events if event.kind in ("castle-taken", "castle-given", "confiscated")}
        moved |= {TABLES.houses[event.data["house"]].home: event.data["holder"] for event in moment.events if event.kind == "home-fallen"}
        for castle, holder in after.castles.items():
            assert holder == moved.get(castle, before.castles[castle]), (moment.turn, castle)
    assert turns == ROSES.last_turn(state.options) or ROSES.outcome(after).how == "victory"


def test_campaigns_of_stewards_are_worth_reading():
    """The campaigns above would prove little if nothing happened in them."""
    kinds = Counter(event.kind for moment in play(ROSES, begin(ROSES, 8)) for event in moment.events)
    for kind in ("battle", "storm", "castle-taken", "home-fallen", "captured", "captive-income", "evade", "dysentery", "auction-lot", "legitimacy", "office"):
        assert kinds[kind] > 0, kind
