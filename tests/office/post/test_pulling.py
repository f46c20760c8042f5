"""What comes in: what becomes of it, that it is taken exactly once, and that nothing is lost whenever a pull is killed."""

import json
import os
import shutil
import sys

import pytest
from postbox import ADDRESS, NOON, by_mail, later, letter, orders, post, pull, push, sent, states, text_of, tick, to
from table import order_file, play, token

from adjudicator.office.campaign import opened
from adjudicator.office.post.offices import post_office_of
from adjudicator.office.post.pulling import Busy, alone
from adjudicator.store import disk
from adjudicator.store.trouble import Trouble

WITHOUT_ORDERS = "campaign: stones-1\nturn: 1\nseat: red\ntoken: {token}\n"


@pytest.fixture
def path(tmp_path):
    return by_mail(tmp_path / "c")


def in_force(path, seat):
    with opened(path, "test") as campaign:
        from adjudicator.office.playing import in_force as look

        found = look(campaign, seat)
        return found[2].orders if found else None


def is_over(path):
    with opened(path, "test") as campaign:
        return campaign.is_over


@pytest.mark.parametrize("where, message", [
    ("attachment", lambda file: letter(ADDRESS["red"], attached=file)),
    ("body", lambda file: letter(ADDRESS["red"], f"Dear Gil,\n\n{file.decode()}\nYours, Anna\n")),
    ("signature", lambda file: letter(ADDRESS["red"], f"{file.decode()}-- \nAnna\ntake: 9\n")),
    ("quoted", lambda file: letter(ADDRESS["red"], "\n".join(["On Monday Stones wrote:", *(f"> {line}" for line in file.decode().splitlines())]))),
])
def test_orders_are_found_wherever_they_stand(path, where, message):
    post(path, message(order_file(path, "red", "take: 4")))
    assert states(pull(path)) == ["taken"], where
    assert in_force(path, "red") == {"take": 4}
    push(path)
    receipt, = [each for each in to(path, "anna@example.org") if "orders" in each["Subject"]]
    assert "take: 4" in text_of(receipt) and receipt["In-Reply-To"] and receipt["Auto-Submitted"] == "auto-replied"


@pytest.mark.parametrize("state, change", [
    ("taken", {}),
    ("partly", {"text": "take: 2\ngive: [Gren, green]"}),
    ("refused", {"text": "take: lots"}),
    ("past-turn", {"turn": 0}),
    ("future-turn", {"turn": 2}),
    ("unknown-seat", {"seat": "yellow"}),
    ("other-campaign", {"campaign": "stones-9"}),
    ("wrong-token", {"token": "aaaa-bbbb"}),
])
def test_every_state_is_told_with_its_reason_and_changes_nothing_else(path, state, change):
    text = change.pop("text", "take: 2")
    file = order_file(path, "red", text, **{key: value for key, value in change.items() if key != "seat"})
    post(path, letter(ADDRESS["red"], attached=file.replace(b"seat: red", f"seat: {change.get('seat', 'red')}".encode())))
    pulled = pull(path)
    assert states(pulled) == [state]
    push(path)
    answers = [text_of(each) for each in to(path, "anna@example.org") if "report" not in each["X-Adjudicator"]]
    assert len(answers) == 1
    expected = {"taken": "taken: all of them", "partly": "'Gren'", "refused": "'lots'", "past-turn": "orders are taken for turn 1", "future-turn": "orders are taken for turn 1",
                "unknown-seat": "yellow", "other-campaign": "'stones-9'", "wrong-token": "token"}[state]
    assert expected in " ".join(answers[0].split())
    assert (in_force(path, "red") is not None) == (state in ("taken", "partly"))
    assert not (path / "mail/eml").exists() or all("green" not in (each["To"] or "") for each in sent(path))


def test_a_second_file_replaces_the_first_and_the_same_again_changes_nothing(path):
    post(path, orders(path, "red", "take: 2"))
    assert states(pull(path)) == ["taken"]
    post(path, orders(path, "red", "take: 5"))
    second = pull(path)
    assert [part.words for part in second.records[0].parts] == ["taken, in place of red-001.yaml"]
    post(path, letter(ADDRESS["red"], "Once more.", attached=order_file(path, "red", "take: 5")))
    assert states(pull(path)) == ["same"]
    assert in_force(path, "red") == {"take": 5}


def test_withdrawn_noted_and_a_finished_campaign(path):
    post(path, orders(path, "red", "take: 5"))
    pull(path)
    withdrawal = order_file(path, "red", "take: 1").split(b"orders:")[0]
    post(path, letter(ADDRESS["red"], attached=withdrawal + b"orders: withdraw\n"))
    assert states(pull(path)) == ["withdrawn"]
    assert in_force(path, "red") is None
    post(path, letter(ADDRESS["red"], attached=withdrawal + b"absent: 2\n"))
    assert states(pull(path)) == ["noted"]
    with opened(path, "test") as campaign:
        assert campaign.settings.seats["red"].away_until == 2
    while not is_over(path):
        play(path)
    post(path, letter(ADDRESS["red"], attached=order_file(path, "red", "take: 1")))
    assert states(pull(path)) == ["game-over"]
    tick(path)
    before = len(to(path, "anna@example.org"))
    post(path, letter(ADDRESS["red"], "once more, please", attached=withdrawal + b"request: report\n"))
    tick(path)
    assert len(to(path, "anna@example.org")) == before + 2, "the receipt, and the last report"


def test_a_report_is_sent_again_to_the_registered_address_whoever_asks(path):
    tick(path)
    before = len(to(path, "anna@example.org"))
    file = order_file(path, "red").split(b"orders:")[0] + b"request: report\n"
    post(path, letter("somewhere@else.example", attached=file))
    tick(path, later(minutes=5))
    mine = to(path, "anna@example.org")
    assert len(mine) == before + 2, "the report, and the receipt"
    assert sum("red.pdf" in [part.get_filename() for part in each.iter_attachments()] for each in mine) == 2
    assert not any(list(each.iter_attachments()) for each in to(path, "somewhere@else.example"))


def test_who_has_only_an_older_file_can_ask_for_the_report_with_it(path):
    file = order_file(path, "red").split(b"orders:")[0] + b"request: report\n"
    play(path)
    tick(path)
    before = len(to(path, "anna@example.org"))
    post(path, letter(ADDRESS["red"], attached=file))
    tick(path)
    assert len(to(path, "anna@example.org")) == before + 2


@pytest.mark.parametrize("message", [
    letter(ADDRESS["red"], "Thanks, I will write tomorrow!"),
    letter(ADDRESS["red"], "I am away until Monday.", subject="Automatic reply: Your report", auto_submitted="auto-replied"),
    letter("MAILER-DAEMON@example.org", "Your message could not be delivered.", subject="Undelivered Mail Returned to Sender", auto_submitted="auto-replied"),
    letter("list@lists.example", "Digest of today", list_id="<list.lists.example>", precedence="list"),
    letter("stones@example.org", "Your report", x_adjudicator="stones-1/report", auto_submitted="auto-generated"),
    letter("spam@example.net", "seat: on a plane for you! Buy now."),
], ids=["thanks", "vacation", "bounce", "list", "ours", "spam"])
def test_what_is_no_order_file_is_never_answered(path, message):
    post(path, message)
    pulled = pull(path)
    assert not pulled.records[0].parts and not pulled.records[0].answers
    push(path)
    assert [each for each in sent(path) if "report" not in each["X-Adjudicator"]] == []


def test_an_automatic_answer_that_quotes_the_order_file_gives_no_orders(path):
    quoted = "".join(f"> {line}\n" for line in order_file(path, "red", "take: 9").decode().splitlines())
    post(path, letter(ADDRESS["red"], f"I am on holiday.\n\n{quoted}", auto_submitted="auto-replied"))
    pull(path)
    assert in_force(path, "red") is None


class TestTheUntouchedOrderFile:
    """A report that is answered or forwarded carries the order file that was sent: nobody meant to send it."""

    def template(self, path):
        from adjudicator.office.post.templates import template_of

        with opened(path, "test") as campaign:
            return template_of(campaign, "red")

    def test_quoted_it_is_no_order_file_at_all(self, path):
        quoted = "".join(f"> {line}\n" for line in self.template(path).decode().splitlines())
        post(path, letter(ADDRESS["red"], f"Thanks!\n\nOn Monday Stones wrote:\n{quoted}"))
        pulled = pull(path)
        assert not pulled.records[0].parts and not pulled.records[0].answers

    def test_broken_by_a_mail_program_it_is_known_too(self, path):
        broken = []
        for line in self.template(path).decode().splitlines():
            broken += [f"> {line[:60]}", *([line[60:]] if line[60:] else [])]
        post(path, letter(ADDRESS["red"], "Thanks!\n\nOn Monday Stones wrote:\n" + "\n".join(broken) + "\n"))
        assert not pull(path).records[0].answers

    def test_worked_on_in_the_quote_it_counts(self, path):
        quoted = "".join(f"> {line}\n" for line in self.template(path).decode().replace("  # take: 2", "  take: 7").splitlines())
        post(path, letter(ADDRESS["red"], f"Like this:\n\nOn Monday Stones wrote:\n{quoted}"))
        assert states(pull(path)) == ["taken"]
        assert in_force(path, "red")["take"] == 7

    def test_sent_by_itself_it_holds_on_purpose_but_replaces_nothing(self, path):
        post(path, letter(ADDRESS["red"], attached=self.template(path)))
        assert states(pull(path)) == ["taken"]
        post(path, letter(ADDRESS["red"], attached=order_file(path, "red", "take: 6")))
        pull(path)
        post(path, letter(ADDRESS["red"], "Thanks for the report", attached=self.template(path)))
        assert states(pull(path)) == ["untouched"]
        assert in_force(path, "red") == {"take": 6}


class TestExactlyOnce:
    def test_the_same_message_twice_in_the_mailbox(self, path):
        message = orders(path, "red")
        post(path, message, message)
        pulled = pull(path)
        assert len(pulled.records) == 1
        post(path, message)
        assert pull(path).records == []
        assert [file.name for file in sorted((path / "turns/0001/inbox").glob("*.yaml"))] == ["red-001.yaml"]
        push(path)
        assert len([each for each in sent(path) if "receipt" in each["X-Adjudicator"]]) == 1

    def test_two_pulls_at_once(self, path):
        with alone(post_office_of(path).mail / ".pull.lock", "pull"), pytest.raises(Busy):
            pull(path)

    def test_killed_at_every_step_nothing_is_lost_and_nothing_done_twice(self, path, tmp_path, monkeypatch):
        """The pull is stopped before each of its writes in turn; the next one ends where an undisturbed one ends."""
        file = order_file(path, "red", "take: 3", messages="  - {to: green, text: hello}")
        post(path, letter(ADDRESS["red"], attached=file), letter("stranger@else.example", attached=order_file(path, "green")), letter(ADDRESS["red"], "Thanks"))

        class Killed(BaseException):
            pass

        real = disk.step
        steps = 0
        ends = []
        for stop in range(400):
            copy = tmp_path / f"k{stop}"
            shutil.copytree(path, copy)
            steps = 0

            def step(name, place):
                nonlocal steps
                steps += 1
                if steps == stop + 1:
                    raise Killed

            monkeypatch.setattr(disk, "step", step)
            try:
                pull(copy)
                is_whole = True
            except Killed:
                is_whole = False
            monkeypatch.setattr(disk, "step", real)
            pull(copy)
            ends.append(what_is_there(copy))
            shutil.rmtree(copy)
            if is_whole:
                break
        assert len(ends) > 20
        for stop, end in enumerate(ends):
            assert end.keys() == ends[-1].keys(), f"killed at step {stop}"
            assert [name for name in end if end[name] != ends[-1][name]] == [], f"killed at step {stop}"
        assert ends[-1]["turns/0001/inbox/red-001.yaml"] == file
        assert sum(name.startswith("mail/old/") for name in ends[-1]) == 3


def what_is_there(path):
    """All that a pull leaves, but for what says when something came."""
    files = {}
    for file in sorted(path.rglob("*")):
        name = file.relative_to(path).as_posix()
        if file.is_file() and ".lock" not in file.name and name.split("/")[0] in ("mail", "turns", "coming") and not name.endswith((".gitignore", ".part")):
            files[name] = file.read_bytes()
    return files


def test_a_fault_with_one_message_does_not_keep_the_others(path, monkeypatch):
    from adjudicator.office.post import taking

    post(path, orders(path, "red"), letter("x@else.example", "poison"), orders(path, "green"))
    real = taking.read_message

    def read(raw, ours):
        if b"poison" in raw:
            raise ZeroDivisionError("poison")
        return real(raw, ours)
    monkeypatch.setattr(taking, "read_message", read)
    pulled = pull(path)
    assert sorted(record.kind for record in pulled.records) == ["fault", "mail", "mail"]
    assert in_force(path, "red") and in_force(path, "green")
    faults = list((path / "mail").glob("*.fault.txt"))
    assert len(faults) == 1 and "ZeroDivisionError" in faults[0].read_text()
    monkeypatch.setattr(taking, "read_message", real)
    assert pull(path).records == []


def test_names_of_attachments_reach_no_path(path):
    for number, name in enumerate(["../../../../evil.yaml", "/etc/evil.yaml", "x" * 300 + ".yaml", "$(touch evil).yaml", "{{7*7}}.yaml"]):
        post(path, letter(ADDRESS["red"], attached=order_file(path, "red", f"take: {number}"), name=name))
    pull(path)
    push(path)
    assert not [file for file in path.parent.rglob("*evil*")]
    for file in (path / "turns/0001/inbox").iterdir():
        assert file.name.startswith("red-00")
    texts = [each.get_body(("html",)).get_content() for each in to(path, "anna@example.org")]
    assert any("{{7*7}}" in text for text in texts) and not any("49.yaml" in text for text in texts)


def test_header_text_is_escaped_and_stays_in_its_line(path):
    evil = '<script>alert(1)</script>'
    post(path, letter(f'"{evil}" <anna@example.org>', attached=order_file(path, "red", f"take: '{evil}'"), subject="=?utf-8?q?x=0ABcc=3A_x=40y.example?="))
    pull(path)
    push(path)
    for message in sent(path):
        assert message["Bcc"] is None
        assert "<script>" not in message.get_body(("html",)).get_content()


def test_files_of_the_mail_are_for_the_game_master_alone(path):
    post(path, orders(path, "red"), letter("x@else.example", attached=b"campaign: stones-1\nseat: red\ntoken: x\n"))
    tick(path)
    for file in (path / "mail").rglob("*"):
        if file.suffix in (".json", ".eml", ".txt") and file.is_file() and "eml/" not in file.as_posix():
            assert file.stat().st_mode & 0o077 == 0, file
    assert (path / "mail").stat().st_mode & 0o077 == 0
    assert (path / "mail/.gitignore").read_text() == "*\n"


def test_no_campaign_is_touched_by_an_unreadable_or_foreign_file(path):
    post(path, letter("x@else.example", attached=b"campaign: elsewhere\nturn: 1\nseat: red\ntoken: aaaa-bbbb\n"))
    pulled = pull(path)
    assert states(pulled) == ["other-campaign"]
    assert not (path / "turns/0001").exists()


def test_a_campaign_that_cannot_be_opened_keeps_its_mail_for_later(path):
    settings = (path / "campaign.yaml").read_text()
    post(path, orders(path, "red"))
    (path / "campaign.yaml").write_text(settings + "nonsense: 1\n")
    pulled = pull(path)
    assert pulled.waiting == 1 and not pulled.records and isinstance(pulled.broken[path], Trouble)
    (path / "campaign.yaml").write_text(settings)
    assert states(pull(path)) == ["taken"]


def test_records_say_what_became_of_every_message(path):
    post(path, orders(path, "red"), letter(ADDRESS["green"], "Thanks"))
    pull(path)
    records = [json.loads(file.read_text()) for file in sorted((path / "mail/in").glob("*.json"))]
    assert sorted((record["sender"], [part["state"] for part in record["parts"]]) for record in records) == [("anna@example.org", ["taken"]), ("bo@example.org", [])]
    assert all(token(path, "red") not in json.dumps(record) for record in records)
    assert NOON.strftime("%Y-%m-%dT%H:%M") in records[0]["received"]


def test_a_seat_that_nobody_holds_any_more(path):
    text = (path / "campaign.yaml").read_text()
    file = order_file(path, "blue")
    (path / "campaign.yaml").write_text(text.replace("blue: {player: 3}", "blue: {holder: nobody}"))
    post(path, letter(ADDRESS["blue"], attached=file))
    assert states(pull(path)) == ["seat-gone"]
    push(path)
    assert "in nobody's hands" in text_of(to(path, ADDRESS["blue"])[-1])


@pytest.mark.parametrize("again", [b"Received: by elsewhere; 3\r\n", b"Return-Path: <anna@example.org>\r\nX-Spam-Score: 0\r\n"])
def test_a_message_that_servers_deliver_again_is_the_same_one(path, again):
    """Else an old mail that comes a second time would take the place of newer orders."""
    old, new = (letter(ADDRESS["red"], attached=order_file(path, "red", take), message_id=f"<{take[-1]}@players.example>") for take in ("take: 3", "take: 5"))
    for data in (b"Received: by here; 1\r\n" + old, b"Received: by here; 2\r\n" + new, again + old):
        post(path, data)
        pull(path)
    assert in_force(path, "red") == {"take": 5}
    push(path)
    assert len(to(path, ADDRESS["red"])) == 2


def test_the_same_words_in_another_message_count_again(path):
    for number in (3, 5, 3):
        post(path, letter(ADDRESS["red"], attached=order_file(path, "red", f"take: {number}"), message_id=f"<{number}.{len(list((path / 'coming').iterdir()))}@players.example>"))
        pull(path)
    assert in_force(path, "red") == {"take": 3}


class TestOnStandardInput:
    """For procmail, sieve and the like: exit code 0 when the message is on disk with its record, 75 when it should be tried again."""

    def run(self, path, data):
        import subprocess

        return subprocess.run([sys.executable, "-m", "adjudicator", "mail", "pull", str(path), "-"], input=data, capture_output=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})

    def test_it_is_taken(self, path):
        done = self.run(path, orders(path, "red"))
        assert done.returncode == 0, done.stderr
        assert b"taken" in done.stdout and in_force(path, "red")

    def test_what_cannot_be_taken_now_is_to_be_tried_again(self, path):
        (path / "mail").mkdir(exist_ok=True)
        (path / "mail/new").write_text("a file where a folder should be")
        done = self.run(path, orders(path, "red"))
        assert done.returncode == 75 and b"Traceback" not in done.stderr and done.stderr

    def test_with_a_broken_campaign_it_is_kept_and_taken_in_later(self, path):
        message, settings = orders(path, "red"), (path / "campaign.yaml").read_text()
        (path / "campaign.yaml").write_text("campaign: [")
        done = self.run(path, message)
        assert done.returncode in (0, 1) and len(list((path / "mail/new").glob("*.eml"))) == 1
        (path / "campaign.yaml").write_text(settings)
        assert states(pull(path)) == ["taken"]
