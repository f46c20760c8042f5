"""Chapter 5: what is refused, what is doubted, and what is taken, from the seat's view; the table of 11.1."""

import pytest

from adjudicator.core.orders import DOUBTFUL, REFUSED, read_orders
from adjudicator.core.registry import load
from adjudicator.orderfile.loader import load as load_file

from . import case_runner

LORDS = load("feudal-lords")
HAND = ["Farm", "Courtiers", "Archers", "Siege", "Kings Feast"]


def read(text, options=None, **changes):
    """Read orders of Ashby, at a table with Belvoir and Corfe."""
    state = case_runner.build({"options": options or {}, "state": {"seats": {"ashby": {"gold": 1, "hand": HAND, **changes.pop("ashby", {})}, "belvoir": {}, "corfe": {}}, **changes}})
    view = LORDS.view(state, "ashby")
    root = load_file(("orders:\n" + "\n".join("  " + line for line in text.strip("\n").split("\n")) + "\n").encode()).value
    return read_orders(LORDS.order_model(view), root.get("orders"), lambda orders, remarks: LORDS.check(orders, view, remarks))


REFUSALS = [
    # chapter 11.1
    ("land: [Courtiers]", "WRONG-TYPE", "Courtiers is a Vassal; a Land is wanted"),
    ("land: [Farm x2]", "NO-COUNT", "no count"),
    ("recruit: [Foot Soldiers all, Champion Knigt]", "UNKNOWN-CARD", "Champion Knigt"),
    ("events: [{play: Scandal, whom: ashby}]", "OWN-SEAT", "itself"),
    ("events: [{play: Royal Hunt, min: 3}]", "WRONG-KEY", "Royal Hunt has no `min`"),
    ("events: [{play: Scutage, x: 1}]", "TOO-FEW", "1 gold buys nothing"),
    ("events: [{play: Crusade, give: [Sergeantry]}]", "NOT-A-KNIGHT", "Sergeantry is no knight"),
    ("events: [{play: Murder, whom: any, target: [Yeomen]}]", "WRONG-TYPE", "Yeomen is a Company; a Vassal is wanted"),
    ("attack: {when: always}", "MISSING", "whom"),
    ("attack: {whom: belvoir, cards: [Relief Forces]}", "WRONG-SIDE", "defender only"),
    ("policies: {defend: {loot: [fief]}}", "FIEF-SAFE", "fief: safe"),
    ("give: [{to: corfe, gold: 2}]", "NO-GIFTS", "gifts: none"),
    # 5.3, one for each thing that it names
    ("lnd: [Farm]", "UNKNOWN-KEY", "no key 'lnd'"),
    ("land: {a: b}", "UNKNOWN-CARD", "one card"),
    ("land: [[Farm]]", "UNKNOWN-CARD", "one card"),
    ("land: ~", "NOT-A-LIST", "nothing stands here"),
    ("land: [fief]", "UNKNOWN-CARD", "the Fief is no card"),
    ("land: [Farm all]", "NO-COUNT", "no count"),
    ("keep: -1", "NOT-A-NUMBER", "-1"),
    ("keep: lots", "NOT-A-NUMBER", "lots"),
    ("keep: 1.5", "NOT-A-NUMBER", "1.5"),
    ("confidence: sell", "NOT-A-CHOICE", "sell"),
    ("recruit: [Scandal]", "WRONG-TYPE", "Scandal is an Event"),
    ("recruit: [Archers x0]", "NOT-A-NUMBER", "x0"),
    ("recruit: [Archers x99999999999999999999]", "NOT-A-NUMBER", "is no count"),
    ("recruit: [any all]", "NO-COUNT", "takes no count"),
    ("recruit: [any x2]", "NO-COUNT", "takes no count"),
    ("draw: {extra: 21}", "TOO-MANY", "21"),
    ("draw: 1", "NOT-A-MAPPING", "'1'"),
    ("draw: {more: 1}", "UNKNOWN-KEY", "more"),
    ("events: [any]", "NO-ANY", "may not stand here"),
    ("events: [Farm]", "WRONG-TYPE", "Farm is a Land; an Event is wanted"),
    ("events: [{whom: belvoir}]", "MISSING", "play"),
    ("events: [{play: Kings Feast, whom: belvoir}]", "WRONG-KEY", "no `whom`"),
    ("events: [{play: Scandal, target: any}]", "WRONG-KEY", "no `target`"),
    ("events: [{play: Murder, min: 1}]", "WRONG-KEY", "no `min`"),
    ("events: [{play: Murder, take: any}]", "WRONG-KEY", "no `take`"),
    ("events: [{play: Tournament, x: 1}]", "WRONG-KEY", "no `x`"),
    ("events: [{play: Scutage, x: 0}]", "NOT-A-NUMBER", "0"),
    ("events: [{play: Crusade, x: 0}]", "NOT-A-NUMBER", "0"),
    ("events: [{play: Scandal, min: 0}]", "NOT-A-NUMBER", "0"),
    ("events: [{play: Scandal, whom: nobody}]", "UNKNOWN-SEAT", "nobody"),
    ("events: [{play: Scandal, whom: [harlech]}]", "SEAT-GONE", "not in the game"),
    ("events: [{play: Scandal, whom: []}]", "EMPTY", "empty"),
    ("events: [{play: Plague, target: [Courtiers]}]", "WRONG-TYPE", "Courtiers is a Vassal"),
    ("events: [{play: Plague, target: [fief]}]", "UNKNOWN-CARD", "the Fief is no card"),
    ("events: [{play: Plague, target: [Farm x2]}]", "NO-COUNT", "no count"),
    ("events: [{play: Treachery, take: [Farm all]}]", "NO-COUNT", "no count"),
    ("events: [{play: Nonesuch, min: 1}]", "UNKNOWN-CARD", "Nonesuch"),
    ("attack: {whom: ashby}", "OWN-SEAT", "itself"),
    ("attack: {whom: belvoir, when: never}", "NOT-A-CHOICE", "never"),
    ("attack: {whom: belvoir, use: some}", "NOT-A-CHOICE", "some"),
    ("attack: {whom: belvoir, cards: [Farm]}", "WRONG-TYPE", "Farm is a Land"),
    ("attack: {whom: belvoir, loot: [any]}", "NO-ANY", "may not stand here"),
    ("attack: {whom: belvoir, loot: [Archers]}", "WRONG-TYPE", "Archers is a Company"),
    ("attack: {whom: belvoir, loot: [Farm x2]}", "NO-COUNT", "no count"),
    ("policies: {defend: {cards: [Siege]}}", "WRONG-SIDE", "attacker only"),
    ("policies: {defense: {use: all}}", "UNKNOWN-KEY", "defense"),
    ("policies: {wars: [{against: any}]}", "MISSING", "for"),
    ("policies: {wars: [{for: belvoir, against: belvoir}]}", "SAME-SEAT", "Belvoir"),
    ("policies: {wars: [{for: ashby}]}", "OWN-SEAT", "itself"),
    ("policies: {wars: [{for: leader}]}", "UNKNOWN-SEAT", "leader"),
    ("policies: {wars: [{for: belvoir, send: [Farm]}]}", "WRONG-TYPE", "Farm is a Land"),
    ("policies: {loss: {battle: [Poet]}}", "NO-BATTLE-VALUE", "Poet has no battle value"),
    ("policies: {loss: {vassal: [Archers]}}", "WRONG-TYPE", "Archers is a Company"),
    ("policies: {loss: {land: [fief]}}", "FIEF-SAFE", "fief: safe"),
    ("policies: {loss: {hand: [Farm x2]}}", "NO-COUNT", "no count"),
    ("policies: {plan: {land: [Courtiers]}}", "WRONG-TYPE", "Courtiers is a Vassal"),
    ("policies: {plan: {give: []}}", "UNKNOWN-KEY", "give"),
    ("policies: {plan: {policies: {}}}", "UNKNOWN-KEY", "policies"),
]


@pytest.mark.parametrize("text, code, words", REFUSALS, ids=[text for text, _code, _words in REFUSALS])
def test_refused(text, code, words):
    found = read(text)
    refused = [problem for problem in found.problems if problem.kind == REFUSED]
    assert [problem.code for problem in refused] == [code]
    assert words in refused[0].message and refused[0].line == 2 and refused[0].column > 2
    assert refused[0].allowed or refused[0].rule


def test_a_gift_to_oneself_is_refused():
    assert [problem.code for problem in read("give: [{to: ashby, gold: 1}, {to: belvoir, gold: 0}]", {"gifts": "gold"}).problems] == ["OWN-SEAT", "NOT-A-NUMBER"]


def test_near_names_are_suggested():
    assert read("recruit: [Champion Knigt]").problems[0].suggestion == "Champion Knight"
    assert read("recruit: [Foot Soldier x2]").problems[0].suggestion == "Foot Soldiers"
    assert read("evnts: [Royal Hunt]").problems[0].suggestion == "events"
    assert read("attack: {whom: belvor}").problems[0].suggestion == "Lord of Belvoir"


WARNINGS = [
    ("land: [Cathedral]", {}, {}, ["CANNOT-PAY", "NOT-IN-HAND"]),
    ("land: [Farm]", {}, {}, []),
    ("land: [Farm, any]", {}, {}, []),
    ("land: [any]", {}, {}, []),
    ("recruit: [Poet, Courtiers all, any]", {}, {}, ["NOT-IN-HAND"]),
    ("events: [kings feast, Royal Hunt, {play: Treachery}]", {}, {}, []),
    ("attack: {whom: belvoir}", {"peace-turns": 3}, {}, ["PEACE"]),
    ("attack: {whom: belvoir}", {"peace-turns": 1}, {}, []),
    ("attack: []", {"peace-turns": 3}, {}, []),
    ("confidence: buy", {}, {"confidence": "ashby"}, ["ALREADY-HELD"]),
    ("confidence: buy", {"kings-confidence": "each"}, {"confidence": ["ashby", "corfe"]}, ["ALREADY-HELD"]),
    ("confidence: buy", {}, {"confidence": "belvoir"}, []),
    ("policies: {wars: [{for: any}, {for: belvoir}]}", {}, {}, ["HIDDEN"]),
    ("policies: {wars: [{for: belvoir, against: corfe}, {for: belvoir}]}", {}, {}, ["HIDDEN"]),
    ("policies: {wars: [{for: belvoir}, {for: corfe}]}", {}, {}, ["HIDDEN"]),
    ("policies: {plan: {land: [Cathedral], recruit: [Poet], confidence: buy}}", {}, {"confidence": "ashby"}, []),
]


@pytest.mark.parametrize("text, options, changes, codes", WARNINGS, ids=[text for text, *_rest in WARNINGS])
def test_doubted(text, options, changes, codes):
    """Warned of, and kept."""
    found = read(text, options, **changes)
    assert [problem.code for problem in found.problems] == codes
    assert all(problem.kind == DOUBTFUL for problem in found.problems)
    assert set(found.orders) == {text.split(":")[0]}


def test_wars_are_hidden_pair_by_pair():
    """5.3: with three other seats an entry for one of them against one hides only that battle."""
    state = case_runner.build({"state": {"seats": {seat: {} for seat in ("ashby", "belvoir", "corfe", "dunster")}}})
    view = LORDS.view(state, "ashby")
    orders = {"policies": {"wars": [{"for": ["belvoir"], "against": ["corfe"]}, {"for": ["belvoir"]}, {"for": ["belvoir"], "against": ["dunster"]}]}}
    found = read_orders(LORDS.order_model(view), case_runner.from_plain(orders), lambda given, remarks: LORDS.check(given, view, remarks))
    assert [(problem.code, problem.order) for problem in found.problems] == [("HIDDEN", ["policies", "wars"])]


TAKEN = [
    ("recruit: [foot-soldiers X2, FOOTSOLDIERS all, Foot Soldiers x1]", {"recruit": ["foot-soldiers x2", "foot-soldiers all", "foot-soldiers"]}),
    ("recruit: any", {"recruit": ["any"]}),
    ("events: [King's Feast, kings feast, Kings-Feast, Murder, Murder and Foul Deeds, thieves]",
     {"events": ["kings-feast"] * 3 + ["murder-foul-deeds"] * 2 + ["thieves-banditry"]}),
    ("events: {play: Templars, keep: 1}", None),
    ("attack: {whom: Lord of Belvoir, when: With-Cards, loot: [Full Gold, castle, nothing]}",
     {"attack": [{"whom": ["belvoir"], "when": "with-cards", "loot": ["full-gold", "concentric-castle", "nothing"]}]}),
    ("events: {play: Scutage, x: MAX}", {"events": [{"play": "scutage", "x": "max"}]}),
    ("land: []", {"land": []}),
    ("policies: {wars: {for: Belvoir, send: Archers}}", {"policies": {"wars": [{"for": ["belvoir"], "send": ["archers"]}]}}),
    ("policies: {loss: {battle: any}}", {"policies": {"loss": {"battle": ["any"]}}}),
]


@pytest.mark.parametrize("text, orders", TAKEN, ids=[text for text, _orders in TAKEN])
def test_taken(text, orders):
    """5.1: a list of one without brackets, names in any spelling, words in any case."""
    found = read(text)
    if orders is None:
        assert [problem.code for problem in found.problems] == ["WRONG-TYPE"]
    else:
        assert found.orders == orders and all(problem.kind == DOUBTFUL for problem in found.problems)


def test_the_fief_can_be_named_where_it_is_a_prize():
    found = read("attack: {whom: belvoir, loot: [fief]}\npolicies: {loss: {land: [Fief]}}", {"fief": "prize"})
    assert not found.problems and found.orders["attack"][0]["loot"] == ["fief"]


def test_a_refused_entry_leaves_the_others():
    """Entries of `recruit` and `events`, and policies, are orders of their own; a preference list is one order."""
    found = read("recruit: [Archers, Courtierz]\nevents: [Kings Feast, {play: Royal Hunt, min: 1}]\npolicies: {wars: [{for: ashby}], loss: {hand: [Farm]}}\nland: [Farm, Nowhere]")
    assert found.orders == {"recruit": ["archers"], "events": ["kings-feast"], "policies": {"loss": {"hand": ["farm"]}}}


def test_the_example_file_of_the_rules_is_taken():
    """5.4"""
    rules = LORDS.rulebook.read_text(encoding="utf-8")
    text = rules[rules.index("### 5.4"):]
    text = text[text.index("orders:\n") + len("orders:\n"):text.index("messages:")]
    state = case_runner.build({"state": {"seats": {seat: {} for seat in ("ashby", "belvoir", "corfe", "dunster")}}})
    view = LORDS.view(state, "ashby")
    root = load_file(("orders:\n" + text).encode()).value
    found = read_orders(LORDS.order_model(view), root.get("orders"), lambda given, remarks: LORDS.check(given, view, remarks))
    assert not [problem for problem in found.problems if problem.kind == REFUSED]
    assert set(found.orders) == {"confidence", "land", "recruit", "events", "attack", "policies"}


def test_every_code_of_this_game_is_explained():
    """`adjudicator explain` knows what the refusals and warnings above are called, the core's own aside."""
    from adjudicator.office.explaining import CORE
    codes = {code for _text, code, _words in REFUSALS} | {code for *_rest, found in WARNINGS for code in found}
    assert codes <= set(CORE) | set(LORDS.problem_codes)
    assert set(LORDS.problem_codes) <= codes


def test_preview_counts_the_purse_step_by_step():
    """What a player can know beforehand: income, marker, Land, recruits, the condition of the attack."""
    state = case_runner.build({"state": {"seats": {"ashby": {"gold": 9, "hand": ["Farm", "Mine", "Archers x3", "Breach", "Royal Hunt"]}, "belvoir": {"domain": ["Yeomen"]}}}})
    view = LORDS.view(state, "ashby")
    orders = case_runner.read(state, "ashby", {"confidence": "buy", "land": ["Mine", "Farm"], "recruit": ["Archers x2"], "events": ["Royal Hunt", "Kings Feast"], "keep": 0,
                                               "attack": [{"whom": "belvoir", "when": "with-cards", "cards": "any"}]})
    said = ["".join(getattr(span, "text", "") for span in line) for line in LORDS.preview(view, orders)[0].items]
    assert said[:4] == ["After your income you have 11 gold.", "You buy the King’s Confidence: 6 left.", "You place Mine: 2 left.", "You recruit Archers ×2: 0 left."]
    assert "Royal Hunt" in said[4] and "Kings Feast" not in said[4]
    assert "2 to 4, up to 0 more" in said[5] and "does not hold" in said[5]
    assert LORDS.preview(view, {})[0].items
