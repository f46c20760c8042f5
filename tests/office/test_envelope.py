"""What an order file says beside its orders: withdraw, more to come, absent, report again; and a file that says the same as before."""

import json

import pytest
from table import begin, order_file, play, send, snapshot, token

from adjudicator.office.campaign import opened
from adjudicator.office.playing import in_force
from adjudicator.office.standing import standing
from adjudicator.office.submitting import receive
from adjudicator.office.verifying import verify


@pytest.fixture
def path(tmp_path):
    begin(tmp_path / "c")
    return tmp_path / "c"


def file(path, seat="red", *lines, orders=None, messages="", **envelope):
    """An order file with further lines at its top; without `orders`, it has no such key."""
    data = order_file(path, seat, orders or "", messages=messages, **envelope).decode()
    if orders is None:
        data = data.replace("orders:\n", "")
    return (data + "".join(f"{line}\n" for line in lines)).encode()


def force(path, seat="red"):
    with opened(path, "test") as campaign:
        found = in_force(campaign, seat)
        return (found[0].path.name, found[2].orders) if found else None


def seats(path, now=None):
    with opened(path, "test") as campaign:
        return {each.seat: each for each in standing(campaign, now).seats}


def away(path, seat="red"):
    with opened(path, "test") as campaign:
        return campaign.settings.seats[seat].away_until


def stored(path, receipt):
    return json.loads((path / f"turns/0001/inbox/{receipt.kept_as.partition('.')[0]}.receipt.json").read_text())


# orders: withdraw

def test_withdrawn_orders_are_not_in_force_and_later_ones_are(path):
    send(path, order_file(path, "red", "take: 1"))
    send(path, order_file(path, "red", "take: 2"))
    receipt = send(path, file(path, "red", "orders: Withdraw"))
    assert (receipt.state, receipt.counts, receipt.in_force, receipt.replaced) == ("withdrawn", False, "", "red-002.yaml")
    assert "red-002.yaml is no longer in force" in receipt.text and "taken back" in receipt.text
    assert force(path) is None, "the file before the one taken back does not come back"
    assert not seats(path)["red"].sent
    assert send(path, order_file(path, "red", "take: 3")).replaced == ""
    assert force(path) == ("red-004.yaml", {"take": 3})


def test_a_seat_that_has_withdrawn_has_sent_nothing(path):
    send(path, order_file(path, "red", "take: 1"))
    send(path, file(path, "red", "orders: withdraw"))
    assert play(path)[0].how["red"] == "nmr"
    assert not (path / "turns/0001/orders/red.yaml").exists()


def test_withdrawing_nothing(path):
    receipt = send(path, file(path, "red", "orders: withdraw"))
    assert (receipt.state, receipt.replaced) == ("withdrawn", "") and "Nothing of yours was in force" in receipt.text


def test_letters_in_a_file_that_withdraws_are_refused(path):
    send(path, order_file(path, "red", "take: 1"))
    receipt = send(path, file(path, "red", "orders: withdraw", messages="  - {to: green, text: Farewell}"))
    assert receipt.state == "withdrawn" and not receipt.letters
    assert [problem.code for problem in receipt.problems] == ["WITHDRAWN"] and "carries no letters" in receipt.text
    assert play(path)[0].letters == 0


@pytest.mark.parametrize("envelope", [{"turn": 7}, {"turn": 0}, {"campaign": "other"}, {"token": "2222-2222"}])
def test_a_withdrawal_for_another_turn_campaign_or_by_a_stranger_takes_nothing_back(path, envelope):
    send(path, order_file(path, "red", "take: 1"))
    receipt = send(path, file(path, "red", "orders: withdraw", **envelope))
    assert receipt.state != "withdrawn"
    assert force(path) == ("red-001.yaml", {"take": 1})


# final: no

@pytest.mark.parametrize("line, final", [("final: no", False), ("final: false", False), ("final: yes", True), ("final:", True), ("# final: no", True)])
def test_more_to_come_is_said_in_receipt_and_status(path, line, final):
    receipt = send(path, file(path, "red", line, orders="take: 2"))
    assert (receipt.state, receipt.final, receipt.counts) == ("taken", final, True)
    assert ("More is to come" in receipt.text) is not final
    stands = seats(path)["red"]
    assert (stands.sent, stands.final) == (True, final)
    assert stored(path, receipt).get("final", True) is final
    assert play(path)[0].how["red"] == "file", "it counts at the deadline"


def test_a_wrong_final_does_not_keep_the_orders_from_counting(path):
    receipt = send(path, file(path, "red", "final: perhaps", orders="take: 2"))
    assert receipt.counts and receipt.final and [problem.order for problem in receipt.problems] == [["final"]]
    assert force(path) == ("red-001.yaml", {"take": 2})


def test_more_to_come_and_then_the_rest(path):
    send(path, file(path, "red", "final: no", orders="take: 2"))
    receipt = send(path, file(path, "red", orders="take: 2"))
    assert receipt.state == "taken", "the orders are the same, but now they are final: that is no repetition"
    assert seats(path)["red"].final


# absent

@pytest.mark.parametrize("text, last", [
    ("1", 1), ("3", 3), ("until 3", 3), ("until round 3", 3), ("until Round-3", 3), ("until 3 round", 3), ("until 12", 12), ("0", 0), ("no", 0),
])
def test_absent(path, text, last):
    with opened(path, "test") as campaign:
        assert campaign.title_of(3) == "Round 3"
    receipt = send(path, file(path, "red", f"absent: {text}"))
    assert (receipt.state, receipt.absent, receipt.counts) == ("noted", last, False)
    assert away(path) == last
    assert seats(path)["red"].plays == ("steward" if last else "player")
    assert ("the steward plays when nothing comes" in receipt.text) == bool(last)


@pytest.mark.parametrize("text", ["until 99", "until 0", "until spring", "soon", "until", "-3", "100", "[2]", "until Round", "2.5"])
def test_absent_that_says_nothing_is_refused_with_what_is_allowed(path, text):
    receipt = send(path, file(path, "red", f"absent: {text}", orders="take: 2"))
    if text == "until Round":
        assert receipt.absent == 12, "every turn has that word: the last of them"
        return
    assert receipt.counts and receipt.absent is None and away(path) == 0
    assert [problem.order for problem in receipt.problems] == [["absent"]] and "a number of turns" in receipt.text


def test_absent_through_its_last_turn_inclusive(path):
    send(path, file(path, "red", "absent: 2"))
    ran = play(path, 3)
    assert [each.how["red"] for each in ran] == ["steward", "steward", "nmr"]
    with opened(path, "test") as campaign:
        assert verify(campaign).difference is None


def test_absent_leaves_orders_alone_and_is_undone_by_no(path):
    send(path, order_file(path, "red", "take: 1"))
    receipt = send(path, file(path, "red", "absent: 2"))
    assert (receipt.state, receipt.in_force) == ("noted", "red-001.yaml") and "stays as it is" in receipt.text
    assert force(path) == ("red-001.yaml", {"take": 1})
    assert send(path, file(path, "red", "absent: no")).text.count("You are back") == 1
    assert away(path) == 0
    assert play(path, 2)[1].how["red"] == "nmr"


def test_absent_with_orders_does_both(path):
    receipt = send(path, file(path, "red", "absent: until 2", orders="take: 3"))
    assert (receipt.state, receipt.absent, receipt.counts) == ("taken", 2, True)
    assert away(path) == 2
    assert [each.how["red"] for each in play(path, 2)] == ["file", "steward"]


def test_absent_twice_changes_nothing_the_second_time(path):
    send(path, file(path, "red", "absent: 2"))
    before = (path / "seats.json").read_bytes()
    send(path, file(path, "red", "absent: 2"))
    assert (path / "seats.json").read_bytes() == before


@pytest.mark.parametrize("envelope", [{"token": "2222-2222"}, {"turn": 5}, {"campaign": "other"}])
def test_a_file_that_is_not_taken_sends_nobody_away(path, envelope):
    send(path, file(path, "red", "absent: 5", **envelope))
    assert away(path) == 0 and not (path / "seats.json").exists()


def test_two_seats_go_away_in_one_opening(path):
    from adjudicator.office.submitting import submit

    with opened(path, "test") as campaign:
        files = [(seat, count) for seat, count in (("red", 2), ("green", 3), ("red", 4))]
        token_of = campaign.secret.tokens
        for seat, count in files:
            submit(campaign, f"campaign: stones-1\nturn: 1\nseat: {seat}\ntoken: {token_of[seat]}\nabsent: {count}\n".encode())
        assert campaign.settings.seats["red"].away_until == 4
    assert (away(path, "red"), away(path, "green"), away(path, "blue")) == (4, 3, 0)


# request: report

@pytest.mark.parametrize("orders, state", [(None, "noted"), ("take: 2", "taken")])
def test_a_report_is_asked_for(path, orders, state):
    send(path, order_file(path, "red", "take: 1"))
    receipt = send(path, file(path, "red", "request: report", orders=orders))
    assert (receipt.state, receipt.request) == (state, ["report"]) and "last report is sent" in receipt.text
    assert force(path)[1] == {"take": 1 if orders is None else 2}
    assert stored(path, receipt)["request"] == ["report"]


def test_an_unknown_request_is_refused(path):
    receipt = send(path, file(path, "red", "request: money", orders="take: 2"))
    assert receipt.counts and receipt.request == [] and "allowed: report" in receipt.text


# the same again

@pytest.mark.parametrize("first, second, state", [
    (("take: 2", "", ""), ("take:   2   # sent again", "", ""), "same"),
    (("take: 2", "", ""), ("take: 3", "", ""), "taken"),
    (("take: 2", "  - {to: green, text: Hi}", ""), ("take: 2", "  - {to: [green], text: Hi}", ""), "same"),
    (("take: 2", "  - {to: green, text: Hi}", ""), ("take: 2", "", ""), "taken"),
    (("take: 2", "", ""), ("take: 2", "", "final: no"), "taken"),
    (("", "", ""), ("", "", ""), "same"),
    (("take: 2\ngreed: x", "", ""), ("take: 2\ngreed: x", "", ""), "same"),
])
def test_a_file_that_says_the_same(path, first, second, state):
    for orders, messages, line in (first, second):
        receipt = send(path, file(path, "red", line, orders=orders or " ", messages=messages))
    assert (receipt.state, receipt.counts, receipt.in_force) == (state, True, "red-002.yaml")
    if state == "same":
        assert "The same orders as before" in receipt.text and "red-001.yaml" in receipt.text and "takes the place" not in receipt.text
    assert seats(path)["red"].sent and play(path)[0].how["red"] == "file"


def test_what_was_withdrawn_and_sent_again_is_not_the_same(path):
    send(path, order_file(path, "red", "take: 2"))
    send(path, file(path, "red", "orders: withdraw"))
    assert send(path, order_file(path, "red", "take: 2")).state == "taken"


# old receipts, the game master, and the two steps

def test_a_plain_receipt_holds_none_of_the_new_keys(path):
    receipt = send(path, order_file(path, "red", "take: 2"))
    assert not {"source", "final", "absent", "request", "salt"} & set(stored(path, receipt))


def test_a_file_of_the_game_master_is_for_the_mail(path):
    with opened(path, "test") as campaign:
        gm = campaign.gm_token
    before = snapshot(path)
    receipt = send(path, f"campaign: stones-1\nturn: 1\nseat: gm\ntoken: {gm}\ndo: run\n".encode())
    assert not receipt.counts and receipt.seat == "" and "by mail" in receipt.text and gm not in receipt.text
    assert {name: sha for name, sha in snapshot(path).items() if "inbox" not in name} == before


def test_receive_writes_nothing_and_says_what_to_write(path):
    before = snapshot(path)
    data = file(path, "red", "absent: 2", orders="take: 2")
    with opened(path, "test") as campaign:
        taken = receive(campaign, data, "my.yaml", "2026-01-01 12:00 UTC", "abc123")
        assert campaign.settings.seats["red"].away_until == 0
    assert snapshot(path) == before
    assert taken.seat == "red" and taken.receipt.source == "abc123"
    assert set(taken.files) == {"turns/0001/inbox/red-001.yaml", "turns/0001/inbox/red-001.receipt.json", "turns/0001/inbox/red-001.receipt.txt", "seats.json"}
    assert taken.files["turns/0001/inbox/red-001.yaml"] == data
    assert json.loads(taken.files["turns/0001/inbox/red-001.receipt.json"])["source"] == "abc123"


def test_many_files_in_one_opening_do_not_list_the_inbox_each_time(path, monkeypatch):
    from adjudicator.office.submitting import submit
    from adjudicator.store import inbox

    listed = []
    real = inbox.kept
    monkeypatch.setattr(inbox, "kept", lambda box: listed.append(box) or real(box))
    with opened(path, "test") as campaign:
        listed.clear()
        data = [f"campaign: stones-1\nturn: 1\nseat: red\ntoken: {campaign.secret.tokens['red']}\norders:\n  take: {number % 3 + 1}\n".encode() for number in range(30)]
        names = [submit(campaign, each).kept_as for each in data]
    assert names == [f"red-{number:03}.yaml" for number in range(1, 31)]
    assert len([box for box in listed if box.name == "inbox"]) <= 3
    assert force(path)[0] == "red-030.yaml"


def test_a_file_whose_reading_fails_is_kept_and_the_next_one_does_not_take_its_place(path, monkeypatch):
    from adjudicator.office import submitting

    one, other = order_file(path, "red", "take: 1"), order_file(path, "red", "take: 2")
    with opened(path, "test") as campaign:
        submitting.submit(campaign, order_file(path, "red", "take: 3") if False else one.replace(b"take: 1", b"take: 3"))
        with monkeypatch.context() as patch:
            patch.setattr(submitting, "_receipt", lambda *_args, **_more: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                submitting.submit(campaign, one)
        assert submitting.submit(campaign, other).kept_as == "red-003.yaml"
    assert (path / "turns/0001/inbox/red-002.yaml").read_bytes() == one


def test_the_token_is_needed_for_everything(path):
    send(path, order_file(path, "red", "take: 1"))
    for line in ("orders: withdraw", "absent: 3", "request: report", "final: no"):
        receipt = send(path, file(path, "red", line, token=token(path, "green")))
        assert receipt.state == "wrong-token" and receipt.request == [] and receipt.absent is None
    assert force(path) == ("red-001.yaml", {"take": 1}) and away(path) == 0


@pytest.mark.parametrize("part, is_good", [
    ({"final": False}, True), ({"final": None}, True), ({"final": "perhaps"}, False), ({"absent": 2}, True), ({"absent": 100}, False), ({"absent": "until 1461-spring"}, True),
    ({"absent": "no"}, True), ({"absent": "soon"}, False), ({"request": "report"}, True), ({"request": ["report"]}, True), ({"request": "money"}, False),
    ({"orders": "withdraw"}, True), ({"orders": "withdrawn"}, False), ({"orders": None}, True), ({"do": "run"}, False),
])
def test_editors_know_the_new_keys(path, part, is_good):
    import jsonschema

    from adjudicator.office.checking import kit_now, schema_text

    with opened(path, "test") as campaign:
        schema = json.loads(schema_text(kit_now(campaign, "red"), campaign.ruleset, campaign.view_of("red")))
    jsonschema.Draft7Validator.check_schema(schema)
    file_ = {"campaign": "stones-1", "turn": 1, "seat": "red", "token": "t", **part}
    assert jsonschema.Draft7Validator(schema).is_valid(file_) == is_good
