"""Submissions: kept byte for byte, answered from the sender's view alone, and the last one that can be read counts."""

import hashlib
import json

import pytest
from table import begin, order_file, play, send, snapshot, token

from adjudicator.office.campaign import opened
from adjudicator.office.playing import in_force
from adjudicator.store.trouble import Trouble


@pytest.fixture
def path(tmp_path):
    begin(tmp_path / "c")
    return tmp_path / "c"


def force(path, seat="red"):
    with opened(path, "test") as campaign:
        found = in_force(campaign, seat)
        return (found[0].path.name, found[2].orders) if found else None


def inbox(path, turn=1):
    return sorted(each.name for each in (path / f"turns/{turn:04}/inbox").iterdir())


def test_a_good_file_is_in_force_and_its_receipt_says_so(path):
    data = order_file(path, "red", "take: 3\ngive: [green, blue]", messages="  - {to: [gm, green], text: Well met}")
    receipt = send(path, data, "my orders.yaml")
    assert (receipt.state, receipt.counts, receipt.seat, receipt.kept_as) == ("taken", True, "red", "red-001.yaml")
    assert inbox(path) == ["red-001.receipt.json", "red-001.receipt.txt", "red-001.yaml"]
    assert (path / "turns/0001/inbox/red-001.yaml").read_bytes() == data
    text = (path / "turns/0001/inbox/red-001.receipt.txt").read_text()
    assert text == receipt.text
    for part in ("take: 3", "give: green", "give: blue", "to gm, green: Well met", hashlib.sha256(data).hexdigest(), "2026-01-01 12:00 UTC",
                 "Red, Round 1"):
        assert part in text
    assert json.loads((path / "turns/0001/inbox/red-001.receipt.json").read_text())["orders"] == {"take": 3, "give": ["green", "blue"]}
    assert force(path) == ("red-001.yaml", {"take": 3, "give": ["green", "blue"]})


@pytest.mark.parametrize("mangle", [
    lambda data: b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"),
    lambda data: data.decode().encode("utf-16"),
    lambda data: data + b"# \xff\xfe end without line break",
])
def test_bytes_are_kept_as_they_came(path, mangle):
    data = mangle(order_file(path, "red"))
    receipt = send(path, data)
    assert receipt.counts
    assert (path / "turns/0001/inbox" / receipt.kept_as).read_bytes() == data


def test_the_last_good_file_counts(path):
    send(path, order_file(path, "red", "take: 1"))
    receipt = send(path, order_file(path, "red", "take: 2"))
    assert receipt.replaced == "red-001.yaml" and "takes the place of red-001.yaml" in receipt.text
    assert force(path) == ("red-002.yaml", {"take": 2})


@pytest.mark.parametrize("orders, state", [("take: many", "refused"), ("take: [", "refused"), ("tak: 3", "refused")])
def test_a_file_of_which_nothing_can_count_does_not_replace_a_good_one(path, orders, state):
    send(path, order_file(path, "red", "take: 1"))
    receipt = send(path, order_file(path, "red", orders))
    assert (receipt.state, receipt.counts, receipt.in_force) == (state, False, "red-001.yaml")
    assert "red-001.yaml) stays in force" in receipt.text
    assert force(path) == ("red-001.yaml", {"take": 1})
    assert play(path)[0].how["red"] == "file"
    assert b"take: 1" in (path / "turns/0001/orders/red.yaml").read_bytes()


def test_holding_on_purpose_is_an_order_file_and_replaces(path):
    send(path, order_file(path, "red", "take: 1"))
    receipt = send(path, order_file(path, "red", ""))
    assert receipt.counts and "standing policies" in receipt.text
    assert force(path) == ("red-002.yaml", {})
    assert play(path)[0].how["red"] == "file"


def test_partly_taken_and_the_option_partial(path):
    receipt = send(path, order_file(path, "red", "take: 3\ngive: [Gren, blue]"))
    assert (receipt.state, receipt.counts, receipt.orders) == ("partly", True, {"take": 3, "give": ["blue"]})
    assert "did you mean: Green" in receipt.text and ":7:10: " in receipt.text
    settings = path / "campaign.yaml"
    settings.write_text(settings.read_text().replace("partial: accept", "partial: refuse"))
    receipt = send(path, order_file(path, "red", "take: 3\ngive: [Gren, blue]"))
    assert (receipt.state, receipt.counts, receipt.orders) == ("refused", False, {})


@pytest.mark.parametrize("envelope, state, words", [
    ({"campaign": "other-9"}, "other-campaign", "another campaign"),
    ({"turn": 9}, "future-turn", "has not come yet"),
    ({"turn": 0}, "past-turn", "has been played"),
    ({"seat": "purple"}, "unknown-seat", "does not exist"),
])
def test_wrong_envelopes_are_answered_kept_and_change_nothing(path, envelope, state, words):
    send(path, order_file(path, "red", "take: 1"))
    receipt = send(path, order_file(path, **{"seat": "red", "token": token(path, "red"), **envelope}))
    assert (receipt.state, receipt.counts) == (state, False)
    assert words in receipt.text
    assert force(path) == ("red-001.yaml", {"take": 1})
    assert receipt.kept_as in inbox(path)


def test_a_file_for_another_campaign_with_that_campaign_s_token_is_told_so(path):
    receipt = send(path, order_file(path, "red", campaign="roses-1455", token="zzzz-zzzz"))
    assert receipt.state == "other-campaign" and "'roses-1455'" in receipt.text


def test_a_seat_in_nobody_s_hands(path):
    settings = path / "campaign.yaml"
    settings.write_text(settings.read_text().replace("blue: {player: 3}", "blue: {holder: nobody}"))
    receipt = send(path, order_file(path, "blue"))
    assert (receipt.state, receipt.counts, receipt.kept_as) == ("not-asked", False, "unknown-001.txt")
    assert play(path)[0].how["blue"] == "nmr"


def test_a_file_for_a_coming_turn_does_not_count_when_that_turn_comes(path):
    send(path, order_file(path, "red", "take: 9", turn=2))
    play(path)
    assert force(path) is None


@pytest.mark.parametrize("data, problem", [
    (b"", "no orders were found"), (b"hello, when is the deadline?", "no orders"), (b"seat: red\norders: {}\n", "`token: …` is missing"),
    (b"token: 1234-5678\norders: {}\n", "`seat: …` is missing"), (b"\x00\x01\x02", "control character"), (b"- a\n- b\n", "list"),
    (b"a" * 300_000, "KiB"),
    (b"seat: [red]\ntoken: x\n", ""),
])
def test_what_nobody_can_be_found_for_is_kept_as_unknown(path, data, problem):
    receipt = send(path, data)
    assert receipt.seat == "" and not receipt.counts and receipt.kept_as == "unknown-001.txt"
    assert (path / "turns/0001/inbox/unknown-001.txt").read_bytes() == data
    assert problem in receipt.text


def test_a_wrong_token_is_told_nothing_about_the_seat(path):
    """The answers to a wrong token are the same whatever the seat has sent, holds, or wrote in the orders."""
    wrong = {"token": "2222-2222"}
    texts = set()
    data = order_file(path, "red", "take: 99\ngreed: medium", **wrong)
    texts.add(send(path, data).text.replace("unknown-001", "unknown-N"))
    send(path, order_file(path, "red", "take: 7"))
    texts.add(send(path, data).text.replace("unknown-002", "unknown-N"))
    assert len(texts) == 1
    text = texts.pop()
    assert "token is wrong" in text
    for secret in ("take: 7", token(path, "red"), "Red", "in force", "greed"):
        assert secret not in text
    assert force(path) == ("red-001.yaml", {"take": 7})
    assert send(path, order_file(path, "red", token=token(path, "green"))).state == "wrong-token"
    assert (path / "turns/0001/inbox/unknown-001.txt").read_bytes() == data


def test_tokens_are_compared_in_constant_time_and_kindly(path, monkeypatch):
    import hmac

    compared = []
    monkeypatch.setattr(hmac, "compare_digest", lambda one, other: compared.append((one, other)) or one == other)
    right = token(path, "red")
    for typed in (right.upper(), right.replace("-", ""), f'" {right} "'):
        assert send(path, order_file(path, "red", token=typed)).counts
    assert send(path, order_file(path, "red", token=right[:-1])).state == "wrong-token"
    assert len(compared) == 4


def test_the_seat_s_view_alone_makes_the_receipt(path, monkeypatch):
    """Whatever other hands hold, the receipt is the same."""
    import stones

    data = order_file(path, "red", "take: 9\ngive: [green]")
    first = send(path, data).text
    real = stones.view
    seen = []

    def view(state, viewer):
        seen.append(viewer)
        return real(state, viewer)
    from dataclasses import replace

    monkeypatch.setattr(stones, "RULESET", replace(stones.RULESET, view=view))
    again = send(path, data).text.replace("The same orders as before (red-001.yaml): nothing has changed.", "Your orders are taken: all of them.")
    assert again.replace("red-002", "red-001").split("Received")[0] == first.replace("red-002", "red-001").split("Received")[0]
    assert set(seen) == {"red"}


def test_a_check_that_fails_is_told_and_does_not_stop_the_turn(path):
    send(path, order_file(path, "green", "take: 2"))
    receipt = send(path, order_file(path, "red", "spoil: yes\ntake: 3"))
    assert not receipt.counts and "error in the program" in receipt.text
    ran = play(path)[0]
    assert ran.how == {"red": "file", "green": "file", "blue": "nmr"}
    assert [(failure.seat, failure.order) for failure in ran.left_out] == [("red", "*")]
    assert "ZeroDivisionError" in (path / "turns/0001/dumps/01-red.json").read_text()
    assert (path / "turns/0001/orders/red.yaml").read_bytes().endswith(b"take: 3\n")


def test_a_file_after_the_end_is_kept_and_told_who_won(path):
    while True:
        try:
            play(path)
        except Trouble:
            break
    receipt = send(path, order_file(path, "red"))
    assert receipt.state == "game-over" and not receipt.counts
    assert "the game is over" in receipt.text and "won by" in receipt.text


def test_a_file_that_comes_while_the_rules_do_not_fit_waits_for_its_answer(path, monkeypatch):
    from dataclasses import replace

    import stones

    data = order_file(path, "red")
    with monkeypatch.context() as patch:
        patch.setattr(stones, "RULESET", replace(stones.RULESET, revision=2))
        with pytest.raises(Trouble, match="revision 1 of stones; installed is revision 2"):
            send(path, data)
        assert inbox(path) == ["red-001.yaml"]
    said = []
    with opened(path, "test", said.append):
        pass
    assert len(said) == 1 and "receipt is written now" in said[0]
    assert inbox(path) == ["red-001.receipt.json", "red-001.receipt.txt", "red-001.yaml"]
    assert force(path)[0] == "red-001.yaml"


def test_more_than_999_files(path):
    box = path / "turns/0001/inbox"
    box.mkdir(parents=True)
    (box / "red-999.yaml").write_bytes(order_file(path, "red", "take: 1"))
    assert send(path, order_file(path, "red", "take: 2")).kept_as == "red-1000.yaml"
    assert force(path) == ("red-1000.yaml", {"take": 2})


def test_submitting_changes_nothing_but_the_inbox(path):
    before = snapshot(path)
    send(path, order_file(path, "red"))
    assert {name: sha for name, sha in snapshot(path).items() if "inbox" not in name} == before


def test_each_order_that_was_not_taken_is_told_with_what_happens_instead(path):
    receipt = send(path, order_file(path, "red", "take: many\ngive: [Gren, blue]\ngreed: medium\ncurse: perhaps"))
    told = receipt.text[receipt.text.index("What was refused, and what happens instead:"):receipt.text.index("Your orders as they were understood:")]
    assert [line.strip() for line in told.splitlines()[2:-1]] == [
        "take: not taken; what happens instead: 1, or 3 if you are greedy", "give: taken without what was refused in it", "greed: not taken; what was set before stays",
        "curse: not taken; nothing happens instead"]
    assert "not taken" not in send(path, order_file(path, "red", "take: 3")).text
