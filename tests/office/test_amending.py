"""A correction by the game master: checked, kept with its reason, told to those who may know, proved, and still there after an undo."""

import json

import pytest
import stones
from table import begin, order_file, play, send, snapshot, text_of

from adjudicator.office import amending, reporting, undoing
from adjudicator.office.campaign import opened
from adjudicator.office.verifying import verify
from adjudicator.store import turns
from adjudicator.store.folder import Folder
from adjudicator.store.trouble import Trouble


def amend(path, *wanted, reason="A stone was lost.", told=(), **how):
    with opened(path, "test") as campaign:
        return amending.amend(campaign, wanted, reason, told, **how)


def hands(path, turn):
    return json.loads((path / f"turns/{turn:04}/state.json").read_text())["hands"]


def proof(path):
    with opened(path, "test", playable=False) as campaign:
        return verify(campaign).difference


def test_the_next_turn_begins_with_it_and_verify_makes_it_again(tmp_path):
    begin(tmp_path)
    play(tmp_path)
    before = hands(tmp_path, 1)["red"]
    done = amend(tmp_path, ("set", "hands.red", "20"), ("set", "heap", "100"))
    assert [(each.path, each.before, each.after) for each in done.changes] == [("hands.red", before, 20), ("heap", done.changes[1].before, 100)]
    assert done.views_changed == ["red", "green", "blue"], "all of them see the heap"
    assert hands(tmp_path, 1)["red"] == before, "what has been played stays as it was"
    play(tmp_path)
    assert hands(tmp_path, 2)["red"] >= 21
    assert proof(tmp_path) is None
    manifest = json.loads((tmp_path / "turns/0002/manifest.json").read_text())
    assert manifest["format"] == 2 and manifest["amendments"]
    play(tmp_path)
    assert json.loads((tmp_path / "turns/0003/manifest.json").read_text())["format"] == 1, "only the turn that needs it has the newer format"
    assert proof(tmp_path) is None


@pytest.mark.parametrize("old, new", [('"after": 20', '"after": 21'), ("was lost", "was sold"), ('"before": 0', '"before": 1')])
def test_a_correction_that_was_changed_afterwards_is_found(tmp_path, old, new):
    begin(tmp_path)
    amend(tmp_path, ("set", "hands.red", "20"))
    play(tmp_path)
    file = tmp_path / "turns/0001/amendments.json"
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))
    assert proof(tmp_path).file == "amendments.json"


@pytest.mark.parametrize("told, who", [((), []), (("red",), ["red"]), (("all",), ["red", "green", "blue", "public"])])
def test_it_is_told_in_the_reports_of_those_who_may_know(tmp_path, told, who):
    begin(tmp_path)
    amend(tmp_path, ("set", "hands.red", "20"), reason="The GM  miscounted.", told=told)
    play(tmp_path)
    with opened(tmp_path, "test") as campaign:
        moment = reporting.recorded_moment(campaign.folder, 1, campaign.ruleset)
    for viewer in ("red", "green", "blue", "public", "gm"):
        text = text_of(reporting.report_of(moment, viewer))
        assert ("The GM miscounted." in text and "hands.red" in text) == (viewer in who or viewer == "gm"), viewer


def test_it_survives_an_undo_and_a_dry_one_changes_nothing(tmp_path):
    begin(tmp_path)
    amend(tmp_path, ("set", "hands.red", "20"))
    send(tmp_path, order_file(tmp_path, "red", "take: 3"))
    play(tmp_path)
    first = snapshot(tmp_path / "turns/0001")
    with opened(tmp_path, "test") as campaign:
        undoing.undo(campaign)
    assert (tmp_path / "turns/0001/amendments.json").exists()
    before = snapshot(tmp_path)
    assert amend(tmp_path, ("set", "heap", "9"), dry=True).is_dry
    assert snapshot(tmp_path) == before
    play(tmp_path)
    assert snapshot(tmp_path / "turns/0001") == first


def test_orders_are_checked_against_the_corrected_state(tmp_path):
    begin(tmp_path)
    amend(tmp_path, ("set", "heap", "2"))
    receipt = send(tmp_path, order_file(tmp_path, "red", "take: 5"))
    assert [problem.code for problem in receipt.problems] == ["HEAP-TOO-SMALL"]


@pytest.mark.parametrize("wanted, words, advice", [
    (("set", "hands.rde", "5"), None, None),
    (("set", "haep", "5"), "the state has no such field", "did you mean heap?"),
    (("set", "heap", "many"), 'heap = "many" does not fit into the state', "always text"),
    (("set", "heap", "2.5"), "no whole number", "whole numbers only"),
    (("set", "hands.red.left", "5"), "nothing is inside", ""),
    (("set", "heap.x", "5"), "nothing is inside", ""),
    (("set", "nothing.at.all", "5"), "there is no 'nothing'", "there are: turn, heap"),
    (("set", "hands..red", "5"), "is no path", "houses.york.coins"),
    (("add", "heap", "5"), "is no list", ""),
    (("remove", "heap", ""), "cannot be without heap", "--set heap=VALUE"),
    (("remove", "hands.purple", ""), "there is no 'purple'", "there are: blue, green, red"),
    (("set", "heap", "30"), "changes nothing", ""),
    (("set", "turn", "99"), "would be over", None),
])
def test_what_does_not_fit_is_told_and_changes_nothing(tmp_path, wanted, words, advice, monkeypatch):
    begin(tmp_path)
    before = snapshot(tmp_path)
    if words is None:   # a new key of a mapping is allowed, as far as the game can live with it
        assert amend(tmp_path, wanted).changes[0].before is None
        return
    with pytest.raises(Trouble) as trouble:
        amend(tmp_path, wanted)
    assert words in trouble.value.message and (advice or "") in trouble.value.advice
    assert snapshot(tmp_path) == before


def test_a_state_that_the_rules_cannot_show_is_refused(tmp_path):
    begin(tmp_path)
    with pytest.raises(Trouble, match="the rules cannot work with this state"):
        amend(tmp_path, ("set", "hands", "{}"), ("set", "heap", "0"))


def test_a_reason_is_needed(tmp_path):
    begin(tmp_path)
    with pytest.raises(Trouble, match="needs a reason"):
        amend(tmp_path, ("set", "heap", "5"), reason=" ")


def test_quoted_steps_and_words_that_look_like_numbers():
    assert amending.steps_of('houses."a.b".coins') == ["houses", "a.b", "coins"]
    assert amending.steps_of(r'"say \"hi\"".x') == ['say "hi"', "x"]
    assert amending.value_of("null") is None and amending.value_of('"5"') == "5" and amending.value_of(" York ") == "York"


def test_a_text_field_takes_a_text_that_looks_like_a_number(tmp_path):
    begin(tmp_path)
    assert amend(tmp_path, ("set", "greed.red", "5"), dry=True).changes[0].after == "5"


def test_an_open_campaign_shows_it(tmp_path):
    from adjudicator.office.standing import standing

    begin(tmp_path)
    amend(tmp_path, ("set", "heap", "5"))
    with opened(tmp_path, "test") as campaign:
        assert standing(campaign).corrections == 1
    assert turns.read_state(Folder(tmp_path), 0, stones.State).heap == 30


def test_undo_tells_of_corrections_that_are_set_aside_with_the_turn(tmp_path):
    """Those made after it, for the turn that would have followed; those before it stand."""
    begin(tmp_path)
    for count in range(2):
        with opened(tmp_path, "test") as campaign:
            amending.amend(campaign, [("set", "heap", str(50 + count))], "lost")
    play(tmp_path)
    with opened(tmp_path, "test") as campaign:
        amending.amend(campaign, [("set", "heap", "99")], "found")
    with opened(tmp_path, "test") as campaign:
        assert undoing.undo(campaign).corrections == 1
    with opened(tmp_path, "test") as campaign:
        assert len(campaign.amendments) == 2
