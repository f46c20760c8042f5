"""Who is answered, and what he may read."""

import pytest
import table
from postbox import ADDRESS, GM_ADDRESS, by_mail, later, letter, orders, post, pull, push, sent, states, text_of, tick, to
from table import order_file, token

STRANGER = "mallory@else.example"


@pytest.fixture
def path(tmp_path):
    return by_mail(tmp_path / "c")


def answers(path, address):
    push(path)
    return [message for message in to(path, address) if "/report" not in message["X-Adjudicator"]]


def test_the_receipt_goes_to_the_registered_address_and_the_sender_gets_a_note_without_content(path):
    post(path, letter(STRANGER, attached=order_file(path, "red", "take: 7")))
    assert states(pull(path)) == ["taken"]
    receipt, = answers(path, ADDRESS["red"])
    assert "take: 7" in text_of(receipt) and STRANGER in text_of(receipt), "the player learns from where it came"
    note, = answers(path, STRANGER)
    for word in ("take", "7", "Red", token(path, "red"), "stones-1", ADDRESS["red"], "taken"):
        assert word not in text_of(note), word
    assert list(note.iter_attachments()) == []


def test_right_and_wrong_tokens_get_the_same_note(path):
    right, wrong = order_file(path, "red"), order_file(path, "red", token="aaaa-bbbb")
    post(path, letter("one@else.example", attached=right), letter("two@else.example", attached=wrong))
    pull(path)
    one, two = answers(path, "one@else.example")[0], answers(path, "two@else.example")[0]
    assert text_of(one) == text_of(two) and one["Subject"] == two["Subject"]


def test_a_token_of_another_seat_changes_nothing_and_both_are_told_what_they_may_know(path):
    post(path, letter(ADDRESS["green"], attached=order_file(path, "red", "take: 9", token=token(path, "green"))))
    assert states(pull(path)) == ["wrong-token"]
    refusal, = answers(path, ADDRESS["green"])
    assert "the token does not belong to the seat" in text_of(refusal) and "take: 9" not in text_of(refusal).split("the token does not")[0]
    assert not list((path / "turns/0001/inbox").glob("red-*"))
    for message in sent(path):
        assert token(path, "red") not in text_of(message) or ADDRESS["red"] in message["To"]


class TestGuessing:
    def guess(self, path, count, sender=STRANGER, now=None):
        for number in range(count):
            post(path, letter(sender, f"guess {number}", attached=order_file(path, "red", token=f"aaaa-bb{number:02}")))
        return pull(path, *([now] if now else []))

    def test_notes_are_few_and_the_seat_and_the_game_master_are_told(self, path):
        self.guess(path, 12)
        assert len(answers(path, STRANGER)) == 3
        assert len(answers(path, ADDRESS["red"])) == 3
        told = answers(path, GM_ADDRESS)
        assert ["Wrong tokens" in message["Subject"] for message in told] == [True, True]
        assert STRANGER in text_of(told[0])

    def test_after_ten_only_the_registered_address_is_looked_at_for_a_day(self, path):
        assert states(self.guess(path, 10)) == ["wrong-token"] * 10
        good = order_file(path, "red", "take: 4")
        post(path, letter(STRANGER, "now the right one", attached=good))
        assert states(pull(path)) == ["set-aside"]
        assert not list((path / "turns/0001/inbox").glob("red-*"))
        post(path, letter(ADDRESS["red"], attached=good))
        assert states(pull(path)) == ["taken"], "the player himself is not locked out"
        post(path, letter(STRANGER, "a day later", attached=good))
        assert states(pull(path, later(days=1, minutes=1))) == ["same"]

    def test_other_seats_are_not_touched_by_it(self, path):
        self.guess(path, 12)
        post(path, orders(path, "green", sender=STRANGER))
        assert states(pull(path)) == ["taken"]

    def test_the_game_master_s_token_is_guarded_the_same_way(self, path):
        for number in range(11):
            post(path, letter(STRANGER, f"campaign: stones-1\nseat: gm\ntoken: aaaa-cc{number:02}\nturn: 1\ndo: run\n"))
        assert states(pull(path)) == ["wrong-token"] * 10 + ["set-aside"]
        tick(path)
        assert not (path / "turns/0001/manifest.json").exists()


def test_a_flood_of_strangers_gets_no_flood_of_notes(path):
    for number in range(60):
        post(path, letter(f"s{number}@else.example", attached=order_file(path, "red", token="aaaa-bbbb") + b"# %d\n" % number))
    pull(path)
    push(path)
    assert len([message for message in sent(path) if "else.example" in message["To"]]) == 50


def test_a_player_s_word_file_is_answered_with_what_to_do(path):
    post(path, letter(ADDRESS["red"], "My orders are attached.", attached=b"PK\x03\x04" + b"\x00" * 50, name="orders.docx"))
    pulled = pull(path)
    assert pulled.records[0].parts == []
    answer, = answers(path, ADDRESS["red"])
    assert "orders.docx" in text_of(answer) and "plain text" in text_of(answer)
    post(path, letter(STRANGER, "My orders are attached.", attached=b"PK\x03\x04" + b"\x00" * 50, name="orders.docx"))
    assert answers(path, STRANGER) == []


def test_what_was_cut_off_is_told(path):
    post(path, letter(ADDRESS["red"], f"{order_file(path, 'red', 'take: 3').decode()}Yours, Anna\nPS: I will be late.\n"))
    pull(path)
    assert "Yours, Anna" in text_of(answers(path, ADDRESS["red"])[0])


def test_the_deadline_is_told_in_utc_and_local_time(tmp_path):
    path = by_mail(tmp_path / "c", deadline='{zone: Europe/Rome, every: 7, first: 2027-01-10, at: "18:00"}')
    (path / "deadline.json").unlink(missing_ok=True)
    post(path, orders(path, "red"))
    pull(path)
    text = " ".join(text_of(answers(path, ADDRESS["red"])[0]).split())
    assert "Sunday 10 January 2027, 18:00 Europe/Rome = 17:00 UTC" in text
    assert "SHA-256 " in text


def test_a_seat_without_an_address_is_told_to_the_game_master(tmp_path):
    path = by_mail(tmp_path / "c", seats={**ADDRESS, "blue": ""})
    post(path, orders(path, "blue", sender="cy@elsewhere.example"))
    assert states(pull(path)) == ["taken"]
    assert ["No address" in message["Subject"] for message in answers(path, GM_ADDRESS)] == [True]
    assert len(answers(path, "cy@elsewhere.example")) == 1


class TestPress:
    MESSAGES = "  - {to: green, text: hello green}\n  - {to: [all], text: hello all}\n  - {to: [gm], text: hello gm}"

    def test_at_once_it_goes_to_each_reader_without_addresses_and_only_once(self, tmp_path):
        path = by_mail(tmp_path / "c", settings="press: at-once")
        post(path, orders(path, "red", messages=self.MESSAGES))
        pull(path)
        push(path)
        green, blue, gm = ([text_of(m) for m in to(path, address) if "/press" in m["X-Adjudicator"]] for address in (ADDRESS["green"], ADDRESS["blue"], GM_ADDRESS))
        assert len(green) == 2 and len(blue) == 1 and len(gm) == 1
        assert "hello green" in "".join(green) and "hello green" not in "".join(blue + gm)
        for text in green + blue + gm:
            assert "@" not in text.replace("stones@example.org", "") and "Red" in text
        post(path, orders(path, "red", "take: 3", messages=self.MESSAGES))
        pull(path)
        push(path)
        assert len([m for m in to(path, ADDRESS["green"]) if "/press" in m["X-Adjudicator"]]) == 2

    def test_unsigned_it_does_not_tell_by_whom(self, tmp_path):
        path = by_mail(tmp_path / "c", settings="press: at-once\nanonymous: allowed")
        post(path, orders(path, "red", messages="  - {to: [green, gm], text: beware, anonymous: yes}"))
        pull(path)
        push(path)
        message, = (m for m in to(path, ADDRESS["green"]) if "/press" in m["X-Adjudicator"])
        assert "Red" not in message.as_string() and "red" not in text_of(message) and "anna" not in message.as_string()
        gm, = (m for m in to(path, GM_ADDRESS) if "/press" in m["X-Adjudicator"])
        assert "Red" in text_of(gm)

    def test_nobody_finds_the_writer_by_trying_which_key_gives_the_message_id(self, tmp_path, monkeypatch):
        """Two campaigns that differ in their seed alone: the same unsigned letter has another Message-ID."""
        found = []
        for seed in ("5eed" * 16, "dead" * 16):
            monkeypatch.setattr(table, "SEED", seed)
            path = by_mail(tmp_path / seed[:4], settings="press: at-once\nanonymous: always")
            post(path, orders(path, "red", messages="  - {to: green, text: beware}"))
            pull(path)
            push(path)
            message, = (m for m in to(path, ADDRESS["green"]) if "/press" in m["X-Adjudicator"])
            found.append(message["Message-ID"])
        assert found[0] != found[1]

    @pytest.mark.parametrize("press", ["report", "off"])
    def test_otherwise_nothing_goes_out_at_once(self, tmp_path, press):
        path = by_mail(tmp_path / "c", settings=f"press: {press}")
        post(path, orders(path, "red", messages=self.MESSAGES))
        pull(path)
        push(path)
        assert not [m for m in sent(path) if "/press" in m["X-Adjudicator"]]
        receipt = text_of(answers(path, ADDRESS["red"])[0])
        assert ("carries no letters" in receipt) == (press == "off")


def test_tokens_stand_only_in_what_goes_to_their_seat(path):
    post(path, orders(path, "red"), letter(STRANGER, attached=order_file(path, "green")), letter(ADDRESS["blue"], attached=order_file(path, "red", token="aaaa-bbbb")))
    tick(path)
    tokens = {seat: token(path, seat) for seat in (*ADDRESS, "gm")}
    found = set()
    for message in sent(path):
        whole = "".join(part.get_content() if part.get_content_maintype() == "text" else "" for part in message.walk() if not part.is_multipart())
        for seat, word in tokens.items():
            if word in whole:
                found.add(seat)
                assert message["To"].endswith((f"<{ADDRESS.get(seat, GM_ADDRESS)}>", ADDRESS.get(seat, GM_ADDRESS))), f"the token of {seat} went to {message['To']}"
    assert found >= {"red", "green", "blue"}, "each has it in his own report"


class TestWhatALetterInTheReportMayHold:
    """Press is another player's text: whatever stands in it, the answer of its reader is read as if it were not there."""

    def test_look_alikes_do_not_hide_the_orders_in_the_quote(self, tmp_path):
        path = by_mail(tmp_path / "c", deadline='{zone: UTC, every: 7, first: 2027-01-10, at: "18:00"}')
        fakes = "".join(f"      campaign: stones-1\n      turn: 2\n      seat: green\n      token: aaaa-bb{number:02}\n      orders: {{take: 1}}\n\n      Blah.\n\n" for number in range(12))
        post(path, orders(path, "red", messages=f"  - to: green\n    text: |\n{fakes}"), orders(path, "green"), orders(path, "blue"))
        tick(path, later(days=6, hours=7))
        report = text_of([m for m in to(path, ADDRESS["green"]) if "/report" in m["X-Adjudicator"]][-1])
        assert "token: aaaa-bb11" in report
        edited = report.replace("  # take: 2", "  take: 7")
        assert edited != report
        post(path, letter(ADDRESS["green"], "See below.\n\nOn Sunday Stones wrote:\n" + "".join(f"> {line}\n" for line in edited.splitlines())))
        assert states(pull(path, later(days=7))) == ["taken"]
        post(path, orders(path, "green", sender="bo@elsewhere.example"))
        assert states(pull(path, later(days=7))) != ["set-aside"], "what others wrote is no guess of his"


def test_no_player_reads_another_s_address(path):
    post(path, letter(ADDRESS["red"], attached=order_file(path, "blue", "take: 3")), letter(ADDRESS["red"], attached=order_file(path, "green", token="aaaa-bbbb")))
    pull(path)
    push(path)
    for seat in ("blue", "green"):
        told = [text_of(m) for m in to(path, ADDRESS[seat]) if "/report" not in m["X-Adjudicator"]]
        assert told and all(ADDRESS["red"] not in text for text in told)


@pytest.mark.parametrize("address", ["a@-x.org", "a:b@x.org", "a@b..c", "a@[1.2.3.4]"])
def test_an_address_that_no_server_takes_is_refused_in_campaign_yaml(path, address):
    from adjudicator.office.settings import read_settings
    from adjudicator.store.trouble import Trouble

    text = (path / "campaign.yaml").read_text().replace(ADDRESS["green"], address)
    with pytest.raises(Trouble) as trouble:
        read_settings(text.encode())
    assert any(problem.line and "green" not in problem.message for problem in trouble.value.problems)


@pytest.mark.parametrize("sender", ["a@-x.org", "a@b..c", "a@[127.0.0.1]", f"{'a' * 300}@x.org"])
def test_an_odd_sender_keeps_no_orders_from_counting(path, sender):
    post(path, b"From: " + sender.encode() + b"\n" + letter("x@y.example", attached=order_file(path, "red")).split(b"\n", 1)[1])
    pulled = pull(path)
    assert states(pulled) == ["taken"]
    assert len(answers(path, ADDRESS["red"])) == 1


def test_one_player_cannot_flood_the_others(tmp_path):
    path = by_mail(tmp_path / "c", settings="press: at-once")
    for number in range(8):
        messages = "\n".join(f"  - {{to: all, text: letter {number} {place}}}" for place in range(20))
        post(path, orders(path, "red", f"take: {number}", messages=messages))
    for number in range(20):
        post(path, letter(ADDRESS["red"], f"again {number}", attached=order_file(path, "red").split(b"orders:")[0] + b"request: report\n"))
    pull(path)
    push(path)
    assert len([m for m in to(path, ADDRESS["green"]) if "/press" in m["X-Adjudicator"]]) == 60
    assert len([m for m in to(path, ADDRESS["red"]) if list(m.iter_attachments())]) <= 5
