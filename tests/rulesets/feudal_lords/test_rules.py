"""What no case of a round shows: the setup, the tables, the end, the steward, the tellings, the deck as a data file."""

import ast
from pathlib import Path

import pytest

from adjudicator.core import plain, tables
from adjudicator.core.dice import Dice, turn_key
from adjudicator.core.registry import load
from adjudicator.core.report import Desk
from adjudicator.rulesets import feudal_lords
from adjudicator.rulesets.feudal_lords import cardwords, domains, emblems, sequence, tellings
from adjudicator.rulesets.feudal_lords.rules.effects import KINDS
from adjudicator.rulesets.feudal_lords.tables import DATA, FIEF, TABLES, CardTable, counted

from ..playing import begin, play, read
from . import case_runner

LORDS = load("feudal-lords")
SEATS3 = {"ashby": "1", "belvoir": "2", "corfe": "3"}
OPTIONS = {option.id: option.default for option in LORDS.options}


# 2 Components

def test_the_totals_of_the_printed_list():
    """2.1"""
    cards = TABLES.cards.values()
    totals = {type_: sum(card.copies for card in cards if card.type == type_) for type_ in ("land", "vassal", "company", "battle", "event")}
    assert totals == {"land": 35, "vassal": 21, "company": 28, "battle": 14, "event": 40}
    assert len(TABLES.cards) == 55 and sum(totals.values()) == 138 and sum(card.copies for card in cards if card.knight) == 15


def test_knights_are_those_who_have_it_in_their_name():
    assert all(card.knight == ("Knight" in card.name and card.type in ("vassal", "company")) for card in TABLES.cards.values())


def test_the_two_orders_of_cards():
    """2.3: the Fief sorts as a card of cost 0 and gold 2; Scutage costs 0 here."""
    assert domains.by_high_order(["grazing-lands", FIEF, "farm", "church", "concentric-castle", "cathedral"]) == ["concentric-castle", "cathedral", "church", "farm", FIEF, "grazing-lands"]
    assert domains.by_low_order(["mercenary-company", "relief-forces", "armored-infantry", "scutage"]) == ["scutage", "armored-infantry", "mercenary-company", "relief-forces"]


@pytest.mark.parametrize("lands, rank", [(0, None), (1, "vassal"), (3, "vassal"), (4, "baron"), (7, "baron"), (8, "count"), (15, "count"), (16, "duke"), (30, "duke")])
def test_ranks(lands, rank):
    """2.2"""
    found = domains.rank_of(lands)
    assert (found.id if found else None) == rank


def test_every_card_has_a_drawing_and_every_effect_words():
    for card in TABLES.pieces.values():
        assert card.emblem in emblems.EMBLEMS, card.id
        assert card.type != "event" or (card.effect is not None and card.effect.kind in KINDS and cardwords.effect_words(card)), card.id


def test_a_card_of_a_known_kind_needs_no_code(monkeypatch, tmp_path):
    """A line in cards.toml is enough: the card is dealt, read from order files, played, drawn and told of."""
    text = (DATA / "cards.toml").read_text()
    line = '    {id = "minstrels-contest", name = "Minstrels Contest", type = "event", copies = 3, cost = 1, effect = {kind = "gain-per", glory = 2, per = "land"}},\n'
    changed = tmp_path / "cards.toml"
    changed.write_text(text.rstrip().removesuffix("]") + line + "]\n")
    for name in [name for name in TABLES.__dict__ if name not in ("number_table", "numbers")]:
        monkeypatch.delitem(TABLES.__dict__, name)
    monkeypatch.setitem(TABLES.__dict__, "card_table", tables.load(changed, CardTable))
    try:
        state = begin(LORDS, 2)
        assert len(state.deck) + sum(sum(lord.hand.values()) for lord in state.seats.values()) == 141
        state.seats["ashby"].hand = {"minstrels-contest": 1}
        found = read(LORDS, LORDS.view(state, "ashby"), {"events": [{"play": "Minstrels Contest", "min": 2}]})
        assert not found.problems
        after, events = LORDS.adjudicate(state, {"ashby": found.orders, "belvoir": {}}, Dice(turn_key("cards", 1)))
        assert after.seats["ashby"].glory == 2 and after.seats["ashby"].gold == 1 and "minstrels-contest" in after.discard
        assert cardwords.effect_words(TABLES.cards["minstrels-contest"]) == "+2 glory for each Land of yours"
        report = report_of(state, events, "ashby")
        assert "Minstrels Contest" in repr(report)
    finally:
        for name in [name for name in TABLES.__dict__ if name not in ("number_table", "numbers", "card_table")]:
            del TABLES.__dict__[name]


# 3 Setup

def test_setup():
    """3: seating and deck by named draws, seven cards each from the top in seating order, a Fief, no gold, rank Vassal paid."""
    dice = Dice(turn_key("setup", 0))
    state, events = LORDS.setup(OPTIONS, SEATS3, dice)
    assert [draw.name for draw in dice.log] == ["setup/seating", "setup/deck"]
    again = Dice(turn_key("setup", 0))
    assert state.order == again.shuffle("setup/seating", ["ashby", "belvoir", "corfe"])
    deck = again.shuffle("setup/deck", TABLES.whole_deck())
    for place, seat in enumerate(state.order):
        lord = state.seats[seat]
        assert lord.hand == counted(deck[7 * place:7 * place + 7]) and lord.domain == {FIEF: 1}
        assert (lord.gold, lord.glory, lord.ranks_paid, lord.revolt, lord.policies, lord.seen) == (0, 0, ["vassal"], False, {}, {})
    assert state.deck == deck[21:] and state.round == 1 and state.confidence is None and state.peace == [] and state.discard == {}
    assert [(event.kind, event.audience, event.draws) for event in events] == [("seated", ["public"], ["setup/seating"])]


def test_setup_with_options():
    """3.1 `seating: listed` draws nothing for it; 3.3, 3.4 gold and hand."""
    dice = Dice(turn_key("setup", 0))
    state, events = LORDS.setup({**OPTIONS, "seating": "listed", "starting-hand": 0, "starting-gold": 9, "kings-confidence": "each"}, {"corfe": "x", "belvoir": "y"}, dice)
    assert state.order == ["belvoir", "corfe"] and [draw.name for draw in dice.log] == ["setup/deck"] and not events
    assert len(state.deck) == 138 and state.confidence == [] and all(lord.gold == 9 and not lord.hand for lord in state.seats.values())


def test_two_seats_at_least():
    assert LORDS.seating_problems(OPTIONS, {"ashby": "1"}) and not LORDS.seating_problems(OPTIONS, {"ashby": "1", "belvoir": "steward"})


# 8 The end

def test_the_ranking():
    """8.3: glory, Lands, gold, then the play order of the round just played; before the first, the seating."""
    state = case_runner.build({"options": {"first-seat": "rotate"}, "state": {"seats": {
        "ashby": {"glory": 5}, "belvoir": {"glory": 5, "domain": ["Farm"]}, "corfe": {"glory": 5, "gold": 2}, "dunster": {"glory": 5}}}})
    assert domains.ranking(state, 1) == ["belvoir", "corfe", "ashby", "dunster"]
    assert domains.ranking(state, 4) == ["belvoir", "corfe", "dunster", "ashby"]
    assert domains.ranking(state, 0) == ["belvoir", "corfe", "ashby", "dunster"]
    state.winner = "dunster"
    assert domains.ranking(state, 1)[0] == "dunster"


def test_retiring():
    """8.5: cards to the discard pile, Fief gone, marker to the bank, its Holy Day and all memory of it ended, struck from others' Holy Days."""
    state = case_runner.build({"state": {"confidence": "belvoir", "peace": [{"seat": "belvoir", "left": ["corfe"]}, {"seat": "corfe", "left": ["belvoir"]}], "seats": {
        "ashby": {"seen": {"belvoir": {"round": 1, "cards": ["Farm"]}}, "policies": {"wars": [{"for": "belvoir"}]}},
        "belvoir": {"gold": 5, "hand": ["Farm"], "domain": ["Archers x2"]}, "corfe": {"policies": {"plan": {"attack": {"whom": "belvoir"}}}}}}})
    before = plain.to_json(state)
    after, events = LORDS.retire(state, "belvoir")
    assert plain.to_json(state) == before
    assert after.order == ["ashby", "corfe"] and after.discard == {"farm": 1, "archers": 2} and after.confidence is None and after.peace == [] and after.seats["ashby"].seen == {}
    assert [event.kind for event in events] == ["seat-retired", "peace-ended", "peace-ended"]
    played, events = LORDS.adjudicate(after, {"corfe": {"attack": [{"whom": ["belvoir", "ashby"], "when": "always"}]}}, Dice(turn_key("retired", 2)))
    assert any(event.kind == "battle-declared" and event.data["defender"] == "ashby" for event in events)
    assert LORDS.retire(after, "belvoir")[1] == []
    last, events = LORDS.retire(after, "corfe")
    assert last.winner == "ashby" and events[-1].kind == "game-over" and last.round == after.round and LORDS.outcome(last).how == "alone"


def test_no_round_follows_the_end():
    state = case_runner.build({"state": {"seats": {"ashby": {}, "belvoir": {}}}})
    state.winner = "ashby"
    with pytest.raises(ValueError):
        LORDS.adjudicate(state, {}, Dice(b""))
    assert LORDS.asked(state) == []


# 10 The steward

def test_the_steward_buys_and_saves():
    """10: marker with 9 gold coming, an extra card with 14; land by gold while poor, by glory later, castles last."""
    def orders(**lord):
        state = case_runner.build({"state": {"seats": {"ashby": {"hand": ["Church", "Village", "Farm", "Concentric Castle"], **lord}, "belvoir": {}}}})
        return LORDS.steward(LORDS.view(state, "ashby"))
    assert orders(gold=6)["confidence"] == "pass" and orders(gold=7)["confidence"] == "buy" and orders(gold=7, glory=42)["confidence"] == "pass"
    assert orders(gold=7, revolt=True)["confidence"] == "pass"
    assert orders(gold=11)["draw"] == {"extra": 0, "keep": 6} and orders(gold=12)["draw"]["extra"] == 1
    assert orders()["land"] == ["Village", "Farm", "Church", "Concentric Castle", "any"]
    assert orders(domain=["Village x2"])["land"] == ["Church", "Farm", "Village", "Concentric Castle", "any"]


def test_the_steward_recruits_and_fights():
    state = case_runner.build({"state": {"seats": {
        "ashby": {"hand": ["Champion Knight", "Archers", "Foot Soldiers", "Yeomen", "Herald", "Advisor", "Tax Collector"], "domain": ["Champion Knight"]},
        "belvoir": {"glory": 9, "domain": ["Archers"]}, "corfe": {"glory": 9, "domain": ["Foot Soldiers"]}}}})
    orders = LORDS.steward(LORDS.view(state, "ashby"))
    assert orders["recruit"] == ["Advisor all", "Herald all", "Tax Collector all", "Champion Knight all", "Foot Soldiers all", "Yeomen all", "Archers all"]
    assert [entry["whom"] for entry in orders["attack"]] == ["belvoir", "corfe"]
    assert orders["policies"]["wars"] == [{"for": ["corfe"], "against": "belvoir", "send": "all"}]
    assert "Inquisition" not in orders["events"] and "Holy Day" not in orders["events"]
    state.seats["ashby"].domain["champion-knight"] = 2
    assert orders_of(state)["recruit"] == ["Advisor all", "Herald all", "Tax Collector all"]   # 14 is 6 above every attack
    state.seats["ashby"].glory = 46
    assert {"play": "Crusade", "x": "max", "min": 4} in orders_of(state)["events"]
    state.seats["ashby"].domain = {FIEF: 1}
    assert "Inquisition" in orders_of(state)["events"] and "Holy Day" in orders_of(state)["events"]


def orders_of(state):
    return LORDS.steward(LORDS.view(state, "ashby"))


# 12 Reports

def report_of(state, events, viewer, **desk):
    view = LORDS.view(state, viewer)
    given = {"campaign": "c", "title": "T", "viewer": viewer, "turn": 3, "turns": 0, "turn_title": "Round 3", "next_title": "Round 4", "seat_names": dict(LORDS.seats),
             "player_names": dict.fromkeys(LORDS.seats, "P"), "how": "file", "template": "t", "template_name": "x.yaml", "history": [(2, "Round 2", LORDS.statistics(state)), (3, "Round 3", LORDS.statistics(state))]}
    return LORDS.report(view, [event for event in events if viewer == "gm" or "public" in event.audience or viewer in event.audience], Desk(**{**given, **desk}))


def test_every_event_kind_that_the_rules_can_tell_has_a_telling():
    """Every kind that stands in the code has a telling of its own."""
    told = set()
    for path in [*Path(feudal_lords.__file__).parent.glob("*.py"), *(Path(feudal_lords.__file__).parent / "rules").glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in ("tell", "Event") and node.args:
                kinds = [node.args[0].body, node.args[0].orelse] if isinstance(node.args[0], ast.IfExp) else [node.args[0]]
                told |= {kind.value for kind in kinds if isinstance(kind, ast.Constant) and isinstance(kind.value, str)}
    assert len(told) > 25
    assert told | {"vassal-lost", "card-lost", "order-failed"} == set(tellings.TELLINGS)


@pytest.mark.parametrize("players, fog", [(2, "rules"), (4, "scouting"), (8, "rules"), (8, "scouting")])
def test_reports_of_whole_games(players, fog):
    """Every round of a game, for a seat, the game master and the public: no fault, no event without its sentence, all dice shown."""
    for moment in play(LORDS, begin(LORDS, players, fog=fog), seed="reports"):
        for viewer in ("ashby", "gm", "public"):
            report = report_of(moment.after, moment.events, viewer)
            ids = [section.id for section in report.sections]
            assert len(set(ids)) == len(ids) and "story" in ids and "table" in ids and "standings" in ids
            assert ("position" in ids) == (viewer == "ashby") and ("hands" in ids) == (viewer == "gm" or moment.after.winner is not None)
            battles = sum(event.kind == "battle-dice" for event in moment.events)
            assert repr(report).count("DiceSpan") == 2 * battles, viewer
        for event in moment.events:
            assert not any(span.text.startswith(f"{event.kind}:") for span in tellings.tell(event) if hasattr(span, "text"))


def test_each_table_turn_is_told_under_its_lord():
    """Also where a lord has no income and his first event comes late (fief: prize)."""
    case = {"options": {"fief": "prize"}, "state": {"seats": {"ashby": {"fiefs": 0}, "belvoir": {"fiefs": 0, "hand": ["Royal Hunt"]}, "corfe": {"hand": ["Grazing Lands"]}}},
            "orders": {"belvoir": {"events": ["Royal Hunt"]}, "corfe": {"land": ["any"]}}}
    played = case_runner.run(case)
    story = next(section for section in report_of(played.state, played.events, "gm").sections if section.id == "story")
    assert [block.title[0].id for block in story.blocks] == ["belvoir", "corfe"]


def test_what_was_done_to_a_seat_is_collected():
    case = next(case for case in case_runner.load(case_runner.CASES / "6.9-outcomes.yaml") if case["case"] == "W15")
    played = case_runner.run(case)
    section = next(section for section in report_of(played.state, played.events, "belvoir").sections if section.id == "done-to-you")
    text = "".join(getattr(span, "text", "") for line in section.blocks[0].items for span in line)
    assert "Village" in text and "beats off" in text


def test_statistics_name_every_seat():
    state = begin(LORDS, 3)
    assert set(LORDS.statistics(state)) == {"deck", *(f"{what}/{seat}" for what in ("glory", "lands") for seat in LORDS.seats)}
    assert sequence.last_turn(state.options) is None and sequence.last_turn({**state.options, "max-turns": 7}) == 7
