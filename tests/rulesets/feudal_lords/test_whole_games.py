"""Whole games: every card is in exactly one place, gold and glory are accounted for, random orders do no harm, and `verify` proves it all."""

import json
import random
from collections import Counter

import pytest
from click.testing import CliRunner

from adjudicator.cli.main import main
from adjudicator.core import plain, registry
from adjudicator.core.dice import Dice, turn_key
from adjudicator.core.turn import adjudicate_guarded
from adjudicator.rulesets.feudal_lords.tables import FIEF, TABLES

from ..playing import begin, play, read

LORDS = registry.load("feudal-lords")
VARIANTS = [{}, {"fog": "scouting", "first-seat": "rotate", "kings-confidence": "each", "rank-bonus": "held", "holy-day": "turn", "fief": "prize", "land-taken-by": "loser"},
            {"hand-limit": 5, "events-per-turn": 2, "knights": "champions", "equal-totals": "both-3d6", "dice-tie": "stronger", "battle-loss": "hand", "victory": "end-of-round",
             "starting-hand": 12, "scutage-cap": 6, "rank-bonus": "none", "max-turns": 30}]


def where_cards_are(state):
    """card -> how many there are, over deck, discard pile, hands and domains."""
    total = Counter(state.deck)
    for counts in [state.discard, *(part for lord in state.seats.values() for part in (lord.hand, lord.domain))]:
        assert all(number > 0 for number in counts.values()), "no card is there nought times"
        total.update(counts)
    return total


def assert_whole(state, seats):
    """Every card is in exactly one place; every Fief has an owner; nothing is negative."""
    total = where_cards_are(state)
    assert total.pop(FIEF) == seats
    assert total == {id_: card.copies for id_, card in TABLES.cards.items()}
    assert all(lord.gold >= 0 and lord.glory >= 0 for lord in state.seats.values())
    assert len({peace.seat for peace in state.peace}) == len(state.peace), "one Holy Day for each seat at most"
    assert state.options["fief"] == "prize" or all(lord.domain[FIEF] == 1 for lord in state.seats.values())


def told(events):
    """(seat -> gold, seat -> glory) that came in, less what went, by the events of a round."""
    gold, glory = Counter(), Counter()
    for event in events:
        d = event.data
        if event.kind == "income":
            gold[d["seat"]] += d["amount"]
        elif event.kind in ("gold-taken", "gift"):
            gold[d["from"]] -= d["amount"]
            gold[d["to"]] += d["amount"]
        elif event.kind == "confidence-bought":
            gold[d["seat"]] -= TABLES.confidence.cost
        elif event.kind in ("land-placed", "recruited"):
            gold[d["seat"]] -= d["cost"]
        elif event.kind == "event-played" and "size" in d:
            gold[d["seat"]] -= d["cost"]
        elif event.kind == "cards-drawn":
            gold[d["seat"]] -= d["bought"] * TABLES.numbers.extra_card_cost
        elif event.kind == "battle-card":
            gold[d["seat"]] -= TABLES.cards[d["card"]].price
        elif event.kind == "glory-gained":
            glory[d["seat"]] += d["amount"]
        elif event.kind == "glory-lost":
            glory[d["seat"]] -= d["amount"]
        elif event.kind == "rank-reached":
            glory[d["seat"]] += d["bonus"]
    return gold, glory


@pytest.mark.parametrize("options", VARIANTS, ids=["defaults", "other", "third"])
@pytest.mark.parametrize("players", range(2, 9))
def test_everything_is_accounted_for(players, options):
    state = begin(LORDS, players, **options)
    assert_whole(state, players)
    for moment in play(LORDS, state, seed=f"whole {players}"):
        assert_whole(moment.after, players)
        gold, glory = told(moment.events)
        for seat, lord in moment.after.seats.items():
            before = moment.before.seats[seat]
            assert lord.gold == before.gold + gold[seat], (moment.turn, seat)
            assert lord.glory == before.glory + glory[seat], (moment.turn, seat)
    after = moment.after
    assert after.winner in after.order
    assert after.seats[after.winner].glory >= after.options["glory-target"] or moment.turn == after.options["max-turns"]
    assert moment.turn == after.round


def test_games_of_stewards_are_worth_reading():
    """The games above would prove little if nothing happened in them."""
    kinds = Counter(event.kind for players in (3, 8) for seed in range(4) for moment in play(LORDS, begin(LORDS, players), seed=str(seed)) for event in moment.events)
    for kind in ("battle-ally", "battle-card", "battle-loss", "land-taken", "gold-taken", "card-stolen", "vassal-lost", "card-lost", "confidence-bought", "rank-reached", "reshuffled",
                 "income-revolt", "peace-ended", "game-over"):
        assert kinds[kind] > 0, kind


def random_orders(rng, seats):
    """Orders of every shape, most of them foolish."""
    def card(*types):
        id_ = rng.choice(TABLES.of_types(types))
        return id_

    def count(id_):
        return id_ + rng.choice(["", "", " x2", " all"])

    def whom():
        return [rng.choice([*seats, "leader", "weakest", "strongest", "any"]) for _each in range(rng.randint(1, 3))]

    def fighting():
        return {"cards": [rng.choice(["any", count(card("battle"))]) for _each in range(2)], "use": rng.choice(["ahead", "all", "none"]), "max-cards": rng.randint(0, 3), "keep": rng.randint(0, 3)}

    def event():
        id_ = card("event")
        keys = rng.choice([{}, {"whom": whom()}, {"whom": whom(), "target": ["any"]}, {"min": rng.randint(1, 4)}, {"x": rng.choice(["max", 2, 5])}, {"whom": whom(), "take": ["any"]}])
        return rng.choice([count(id_), {"play": count(id_), **keys, "keep": rng.randint(0, 2)}])

    block = {
        "confidence": rng.choice(["buy", "pass"]), "land": [rng.choice(["any", card("land")]) for _each in range(3)],
        "recruit": [rng.choice(["any", count(card("vassal", "company"))]) for _each in range(4)], "draw": {"extra": rng.randint(0, 3), "keep": rng.randint(0, 4)},
        "events": [event() for _each in range(8)] + [{"play": "treachery", "whom": "any", "take": ["siege"]}, "inquisition", "holy-day", {"play": "crusade", "give": ["any"]}],
        "attack": [{"whom": whom(), "when": rng.choice(["ahead", "with-cards", "always"]), "lead": rng.randint(0, 3), **fighting(), "loot": [rng.choice(["land", "gold", "full-gold", "nothing", card("land")])]}],
        "keep": rng.randint(0, 2), "give": [{"to": rng.choice(seats), "gold": rng.randint(1, 3)}],
    }
    orders = {key: value for key, value in block.items() if rng.random() < 0.7}
    orders["policies"] = {"defend": {**fighting(), "loot": ["land"]}, "wars": [{"for": whom(), "send": rng.choice(["all", "none", ["archers all", "any"]]), **fighting()}],
                          "loss": {"battle": [card("company")], "vassal": [card("vassal"), "any"], "land": [card("land")], "hand": [card("event")]},
                          "plan": {key: block[key] for key in ("land", "recruit", "attack") if rng.random() < 0.5}}
    return orders


@pytest.mark.parametrize("seed", range(30))
def test_random_orders_do_no_harm(seed):
    """Whatever the reader takes the adjudication survives, with every card in its place; no order is left out by an error."""
    rng = random.Random(seed)
    players = rng.randint(2, 8)
    choices = {option.id: rng.choice(list(option.kind.words)) for option in LORDS.options if hasattr(option.kind, "words") and rng.random() < 0.5}
    state = begin(LORDS, players, **choices, **{"hand-limit": rng.choice([0, 0, 4]), "peace-turns": rng.choice([0, 2]), "events-per-turn": rng.choice([0, 3]), "starting-gold": rng.choice([0, 12])})
    for turn in range(1, 40):
        if LORDS.outcome(state) is not None:
            break
        orders = {seat: read(LORDS, LORDS.view(state, seat), random_orders(rng, list(state.order))).orders for seat in LORDS.asked(state) if rng.random() < 0.9}
        result = adjudicate_guarded(LORDS.adjudicate, state, orders, lambda turn=turn: Dice(turn_key(f"random {seed}", turn)))
        assert not result.failures
        state = result.state
        assert_whole(state, players)
        assert plain.from_json(plain.to_json(state), LORDS.state_type) == state


@pytest.mark.parametrize("players", range(2, 9))
def test_from_new_to_the_end_and_proved(players, tmp_path):
    """`new`, `run --to-end` and `verify`, with stewards in the players' place: a winner by the rules."""
    folder, runner = str(tmp_path / "lords"), CliRunner()
    made = runner.invoke(main, ["new", "feudal-lords", folder, "--players", str(players), "--stewards", "--no-reports"])
    assert made.exit_code == 0, made.output
    ran = runner.invoke(main, ["run", folder, "--to-end", "--no-reports"])
    assert ran.exit_code == 0, ran.output
    proof = runner.invoke(main, ["verify", folder])
    assert proof.exit_code == 0 and "everything is as it was played" in proof.stdout, proof.output
    status = json.loads(runner.invoke(main, ["status", folder, "--json"]).stdout)
    assert "wins with" in status["ended"] and status["last_turn"] is None


def test_a_seat_that_nobody_holds_any_more_leaves(tmp_path):
    """8.5: the game master writes `holder: nobody`; the seat's cards go to the discard pile, and the turns after it are proved too."""
    folder, runner = tmp_path / "lords", CliRunner()
    assert runner.invoke(main, ["new", "feudal-lords", str(folder), "--players", "3", "--stewards", "--no-reports"]).exit_code == 0
    assert runner.invoke(main, ["run", str(folder), "--turns", "2", "--no-reports"]).exit_code == 0
    settings = (folder / "campaign.yaml").read_text()
    (folder / "campaign.yaml").write_text(settings.replace("  belvoir: {player: 2, steward: true}", "  belvoir: {holder: nobody}"))
    ran = runner.invoke(main, ["run", str(folder), "--no-reports"])
    assert ran.exit_code == 0, ran.output
    events = [json.loads(line) for line in (folder / "turns" / "0003" / "events.jsonl").read_text().splitlines()]
    assert events[0]["kind"] == "seat-retired" and events[0]["data"] == {"seat": "belvoir"}
    state = plain.from_json((folder / "turns" / "0003" / "state.json").read_bytes(), LORDS.state_type)
    assert sorted(state.order) == ["ashby", "corfe"] and sorted(state.seats) == ["ashby", "corfe"]
    assert_whole(state, 2)
    settings = (folder / "campaign.yaml").read_text()
    (folder / "campaign.yaml").write_text(settings.replace("  corfe: {player: 3, steward: true}", "  corfe: {holder: nobody}"))
    ran = runner.invoke(main, ["run", str(folder), "--no-reports"])
    assert ran.exit_code == 0 and "nobody else is left" in ran.stdout, ran.output
    assert runner.invoke(main, ["verify", str(folder)]).exit_code == 0
