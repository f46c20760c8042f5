"""tick: what is done when, once, in any order, after any outage."""

from datetime import timedelta

import pytest
from postbox import ADDRESS, GM_ADDRESS, MAIL, NOON, by_mail, later, letter, orders, post, push, sent, text_of, tick, to
from table import PLAYERS, SEED, begin, order_file, play, token

from adjudicator.office.campaign import opened
from adjudicator.office.creating import Plan, create
from adjudicator.office.extending import extend
from adjudicator.office.post.offices import post_office_of, post_offices_in
from adjudicator.office.post.pulling import alone
from adjudicator.office.post.ticking import tick as do_tick
from adjudicator.office.undoing import undo
from adjudicator.store import turns
from adjudicator.store.folder import Folder

WEEKLY = '{zone: UTC, every: 7, first: 2027-01-10, at: "18:00", grace: 2 hours}'
DUE = later(days=6, hours=6)
"""Sunday 10 January 2027, 18:00 UTC."""
LAST = later(days=6, hours=8)
"""With the grace."""


@pytest.fixture
def path(tmp_path):
    return by_mail(tmp_path / "c", deadline=WEEKLY)


def turn(path):
    with opened(path, "test", playable=False) as campaign:
        return campaign.turn


def kinds(path, address, kind):
    return [message for message in to(path, address) if message["X-Adjudicator"] == f"stones-1/{kind}"]


def all_send(path, seats=("red", "green", "blue")):
    for seat in seats:
        post(path, orders(path, seat))


def test_the_first_tick_sends_the_first_reports_and_the_next_one_does_nothing(path):
    first = tick(path)
    assert first.is_fine and len(first.posted.sent) == 4
    report, = kinds(path, ADDRESS["red"], "report")
    assert sorted(part.get_filename() for part in report.iter_attachments()) == ["red.orders.yaml", "red.pdf", "red.schema.json", "red.view.json"]
    assert token(path, "red") in text_of(report) and report.get_body(("html",)) is not None
    second = tick(path, later(minutes=5))
    assert second.told == [] and second.is_fine and second.posted.sent == []


def test_the_turn_is_run_when_the_grace_has_passed_and_not_before(path):
    all_send(path)
    tick(path)
    assert turn(path) == 0
    for moment in (DUE, later(days=6, hours=7, minutes=59)):
        tick(path, moment)
        assert turn(path) == 0
    tick(path, LAST)
    assert turn(path) == 1
    tick(path, later(days=6, hours=8, minutes=5))
    assert turn(path) == 1
    assert len(kinds(path, ADDRESS["red"], "report")) == 2


def test_orders_that_lie_in_the_mailbox_at_the_deadline_count(path):
    tick(path)
    all_send(path)
    tick(path, LAST)
    assert turn(path) == 1
    assert len(list((path / "turns/0001/orders").iterdir())) == 3


def test_late_mail_is_for_a_past_turn(path):
    late = orders(path, "red", "take: 5")
    all_send(path, ("red", "green", "blue"))
    tick(path, LAST)
    post(path, late + b"\r\n")
    ticked = tick(path, later(days=7))
    assert [part.state for record in ticked.pulled.records for part in record.parts] == ["past-turn"]
    assert "orders are now taken for turn 2" in " ".join(text_of(kinds(path, ADDRESS["red"], "receipt")[-1]).split()) or any(
        "turn 2" in text_of(each) for each in kinds(path, ADDRESS["red"], "receipt"))


def test_after_a_month_s_outage_one_turn_is_run_and_the_next_deadline_lies_ahead(path):
    all_send(path)
    tick(path, later(days=40))
    assert turn(path) == 1
    with opened(path, "test") as campaign:
        assert campaign.due > later(days=41)
    tick(path, later(days=40, minutes=5))
    assert turn(path) == 1


class TestReminders:
    def test_only_those_who_have_not_sent_and_each_once(self, tmp_path):
        path = by_mail(tmp_path / "c", deadline=WEEKLY, settings="reminders: [3 days, 1 day]")
        all_send(path, ("red",))
        for hours in range(0, 144, 12):
            tick(path, later(hours=hours))
        assert [len(kinds(path, ADDRESS[seat], "reminder")) for seat in ADDRESS] == [0, 2, 2]
        reminder = kinds(path, ADDRESS["green"], "reminder")[0]
        assert [part.get_filename() for part in reminder.iter_attachments()] == ["green.orders.yaml"] and "Deadline" in text_of(reminder)

    def test_of_those_missed_in_an_outage_only_the_last(self, tmp_path):
        path = by_mail(tmp_path / "c", deadline=WEEKLY, settings="reminders: [3 days, 1 day, 6 hours]")
        tick(path, later(days=6))
        assert len(kinds(path, ADDRESS["green"], "reminder")) == 1

    def test_none_where_none_are_wanted(self, tmp_path):
        path = by_mail(tmp_path / "c", deadline=WEEKLY, settings="reminders: []")
        tick(path, later(days=6))
        assert kinds(path, ADDRESS["green"], "reminder") == []


class TestAllIn:
    def test_it_is_run_as_soon_as_everybody_has_sent(self, tmp_path):
        path = by_mail(tmp_path / "c", deadline=WEEKLY, settings="run_when: all-in")
        all_send(path, ("red", "green"))
        tick(path)
        assert turn(path) == 0
        all_send(path, ("blue",))
        tick(path, later(minutes=5))
        assert turn(path) == 1

    def test_who_has_more_to_come_is_waited_for_until_the_deadline(self, tmp_path):
        path = by_mail(tmp_path / "c", deadline=WEEKLY, settings="run_when: all-in")
        all_send(path, ("red", "green"))
        post(path, letter(ADDRESS["blue"], attached=order_file(path, "blue") + b"final: no\n"))
        tick(path)
        assert turn(path) == 0
        tick(path, LAST)
        assert turn(path) == 1

    def test_by_hand_it_never_runs(self, tmp_path):
        path = by_mail(tmp_path / "c", deadline=WEEKLY, settings="run_when: by-hand")
        all_send(path)
        tick(path, later(days=30))
        assert turn(path) == 0


class TestTheSilent:
    @pytest.mark.parametrize("nmr, how", [("defaults", "nmr"), ("steward", "steward"), ("wait", None)])
    def test_one_silent_player(self, tmp_path, nmr, how):
        path = by_mail(tmp_path / "c", deadline=WEEKLY, settings=f"nmr: {nmr}")
        all_send(path, ("red", "green"))
        tick(path, LAST)
        if how is None:
            assert turn(path) == 0
            note, = (each for each in kinds(path, GM_ADDRESS, "notice") if "waits" in each["Subject"])
            assert "blue" in text_of(note)
            tick(path, later(days=8))
            assert len(kinds(path, ADDRESS["blue"], "reminder")) >= 1
            all_send(path, ("blue",))
            tick(path, later(days=8, minutes=5))
            assert turn(path) == 1
        else:
            assert turns.read_manifest(Folder(path), 1).seats["blue"].how == how

    @pytest.mark.parametrize("nmr", ["defaults", "steward"])
    def test_too_many_silent_stop_the_turn_and_the_game_master_is_told_once(self, tmp_path, nmr):
        path = by_mail(tmp_path / "c", deadline=WEEKLY, settings=f"nmr: {nmr}")
        all_send(path, ("red",))
        for minutes in (0, 5, 10):
            tick(path, LAST.replace(minute=minutes))
        assert turn(path) == 0
        note, = (each for each in kinds(path, GM_ADDRESS, "notice") if "too many" in each["Subject"])
        assert "green, blue" in text_of(note) and "do: run" in text_of(note) and token(path, "gm") in text_of(note)

    def test_the_absent_are_played_by_the_steward_and_not_reminded(self, path):
        post(path, letter(ADDRESS["blue"], attached=order_file(path, "blue").split(b"orders:")[0] + b"absent: 1\n"))
        all_send(path, ("red", "green"))
        tick(path, later(days=6))
        assert kinds(path, ADDRESS["blue"], "reminder") == []
        tick(path, LAST)
        assert turns.read_manifest(Folder(path), 1).seats["blue"].how == "steward"


def test_without_mail_no_turn_is_run(path):
    all_send(path)
    (path / "coming").rename(path / "elsewhere")
    ticked = tick(path, LAST)
    assert turn(path) == 0 and not ticked.is_fine
    assert any("could not be fetched" in sentence for sentence in ticked.told)
    (path / "elsewhere").rename(path / "coming")
    tick(path, LAST.replace(minute=5))
    assert turn(path) == 1


def test_twice_at_once(path):
    with alone(post_office_of(path).mail / ".tick.lock", "tick"):
        assert tick(path).is_busy
    assert not tick(path).is_busy


def test_a_turn_that_is_taken_back_is_told_and_its_reports_go_out_anew(path):
    all_send(path)
    tick(path, LAST)
    with opened(path, "test") as campaign:
        undo(campaign)
    post(path, letter(ADDRESS["red"], "changed", attached=order_file(path, "red", "take: 9")))
    now = LAST.replace(minute=5)
    with opened(path, "test") as campaign:
        extend(campaign, later(days=9), None, now)
    tick(path, now)
    assert turn(path) == 0
    assert len([each for each in kinds(path, ADDRESS["red"], "notice") if "taken back" in each["Subject"]]) == 1
    assert "13 January 2027" in text_of(kinds(path, ADDRESS["red"], "notice")[0]), "with the deadline that holds now"
    tick(path, later(days=9, hours=2))
    assert turn(path) == 1
    assert len(kinds(path, ADDRESS["red"], "report")) == 3
    tick(path, later(days=9, hours=2, minutes=5))
    assert len(kinds(path, ADDRESS["red"], "report")) == 3


def test_run_again_with_the_same_result_the_report_goes_out_again_too(path):
    all_send(path)
    tick(path, LAST)
    with opened(path, "test") as campaign:
        undo(campaign)
    tick(path, LAST.replace(minute=5))
    assert turn(path) == 0, "it was taken back on purpose: the old deadline does not run it again"
    held, = (each for each in kinds(path, GM_ADDRESS, "notice") if "waits for you" in each["Subject"])
    assert "do: run" in text_of(held)
    play(path, reports=True)
    tick(path, LAST.replace(minute=10))
    assert len(kinds(path, ADDRESS["red"], "notice")) == 1 and len(kinds(path, ADDRESS["red"], "report")) == 3
    with opened(path, "test") as campaign:
        undo(campaign)
    tick(path, LAST.replace(minute=15))
    assert len(kinds(path, ADDRESS["red"], "notice")) == 2, "the second time is told, too"
    play(path)
    tick(path, LAST.replace(minute=20))
    assert len(kinds(path, ADDRESS["red"], "report")) == 4


def test_a_new_holder_gets_the_last_report_with_the_new_token(path):
    from adjudicator.office.seating import reseat
    from adjudicator.office.settings import Player

    tick(path)
    old = token(path, "blue")
    with opened(path, "test") as campaign:
        from dataclasses import replace

        reseat(campaign, "blue", lambda held: replace(held, player="9"), new_player=("9", Player("Dee", "dee@example.org")))
    tick(path, later(minutes=5))
    report, = kinds(path, "dee@example.org", "report")
    attached = {part.get_filename(): part.get_content() for part in report.iter_attachments()}
    assert token(path, "blue") in attached["blue.orders.yaml"] and old not in attached["blue.orders.yaml"]
    assert "new token" in text_of(report)


class TestTheGameMaster:
    def command(self, path, do, turn=None, sender=GM_ADDRESS, **more):
        line = f"turn: {turn}\n" if turn is not None else ""
        post(path, letter(sender, f"campaign: stones-1\nseat: gm\ntoken: {more.get('token') or gm_token(path)}\n{line}do: {do}\n"))

    def answer(self, path):
        return text_of(kinds(path, GM_ADDRESS, "command")[-1])

    def test_status(self, path):
        all_send(path, ("red",))
        self.command(path, "status")
        tick(path)
        assert "Red    sent" in self.answer(path) and "Green  awaited" in self.answer(path)

    def test_a_preview_changes_nothing(self, path):
        self.command(path, "preview")
        tick(path)
        assert "would come to" in self.answer(path) and turn(path) == 0
        assert [part.get_filename() for part in kinds(path, GM_ADDRESS, "command")[-1].iter_attachments()] == ["gm.pdf"]
        assert not list((path / "turns").glob(".*")) and not (path / "turns/0001").exists()

    def test_run_is_done_once_however_often_it_is_sent(self, path):
        self.command(path, "run", turn=1, sender="on-the-road@example.net")
        tick(path)
        assert turn(path) == 1
        self.command(path, "run", turn=1)
        tick(path, later(minutes=5))
        assert turn(path) == 1 and "Not done" in self.answer(path) or turn(path) == 1

    def test_run_without_its_turn_is_refused(self, path):
        self.command(path, "run")
        tick(path)
        assert turn(path) == 0 and "turn: 1" in self.answer(path)

    def test_undo_and_more_time_with_one_tick(self, path):
        all_send(path)
        tick(path, LAST)
        self.command(path, "undo", turn=1)
        tick(path, LAST.replace(minute=5))
        assert turn(path) == 0
        tick(path, LAST.replace(minute=10))
        assert turn(path) == 0
        self.command(path, "extend 2 days")
        tick(path, LAST.replace(minute=15))
        with opened(path, "test") as campaign:
            assert campaign.due == LAST.replace(minute=15) + timedelta(days=2), "from now, since the old one has passed"
        tick(path, LAST + timedelta(days=2, hours=3))
        assert turn(path) == 1

    def test_a_command_in_a_quote_is_none(self, path):
        """The game master answers to the mail that suggests a command, and does not give it."""
        quote = "".join(f"> {line}\n" for line in f"campaign: stones-1\nseat: gm\ntoken: {gm_token(path)}\nturn: 1\ndo: run\n".splitlines())
        post(path, letter(GM_ADDRESS, f"Let me look first.\n\nOn Monday Stones wrote:\n{quote}"))
        tick(path)
        assert turn(path) == 0

    def test_a_new_token_of_his_sends_no_report_again(self, path):
        tick(path)
        with opened(path, "test") as campaign:
            campaign.secret.tokens.pop("gm")
            assert campaign.gm_token
        assert tick(path, later(minutes=5)).posted.sent == []

    def test_who_plays_himself_need_not_get_the_full_report(self, tmp_path):
        path = by_mail(tmp_path / "c", deadline=WEEKLY)
        (path / "campaign.yaml").write_text((path / "campaign.yaml").read_text().replace(f"email: {GM_ADDRESS}}}", f"email: {GM_ADDRESS}, report: no}}"))
        tick(path)
        assert kinds(path, GM_ADDRESS, "report") == [] and len(kinds(path, ADDRESS["red"], "report")) == 1

    @pytest.mark.parametrize("do, due", [("extend 2 days", later(days=8, hours=6)), ("extend until 2027-01-20", later(days=16, hours=6)), ("extend until 2027-01-20 20:30", later(days=16, hours=8, minutes=30))])
    def test_extend(self, path, do, due):
        tick(path)
        self.command(path, do)
        tick(path, later(minutes=5))
        with opened(path, "test") as campaign:
            assert campaign.due == due
        assert len([each for each in kinds(path, ADDRESS["red"], "notice") if "deadline" in each["Subject"]]) == 1

    @pytest.mark.parametrize("do", ["dance", "extend forever", "run; undo", "$(reboot)"])
    def test_what_is_no_command_is_answered_with_those_that_are(self, path, do):
        self.command(path, f'"{do}"')
        tick(path)
        assert "extend 2 days" in self.answer(path) and turn(path) == 0

    @pytest.mark.parametrize("sender", [GM_ADDRESS, "mallory@else.example"])
    def test_with_another_token_nothing_is_done(self, path, sender):
        self.command(path, "run", turn=1, sender=sender, token=token(path, "red"))
        tick(path)
        assert turn(path) == 0 and kinds(path, GM_ADDRESS, "command") == []


def gm_token(path):
    with opened(path, "test") as campaign:
        return campaign.gm_token


class TestSeveralCampaigns:
    def two(self, tmp_path, second="stones-2"):
        by_mail(tmp_path / "a", deadline=WEEKLY, mail="")
        create(Plan("stones", second, players=dict(PLAYERS), seed=SEED[::-1]), tmp_path / "b", reports=False)
        (tmp_path / "mail.yaml").write_text(MAIL)
        (tmp_path / "coming").mkdir()
        return tmp_path

    def test_one_mailbox_serves_them_all(self, tmp_path):
        top = self.two(tmp_path)
        office, = post_offices_in(top)
        post(top, letter("anna@example.org", attached=order_file(top / "a", "red", "take: 3")),
             letter("anna@example.org", attached=order_file(top / "b", "red", "take: 4", campaign="stones-2")))
        ticked = do_tick(office, lambda: NOON, lambda _said: None, jobs=1)
        assert sorted((part.campaign, part.state) for record in ticked.pulled.records for part in record.parts) == [("stones-1", "taken"), ("stones-2", "taken")]
        for name in ("a", "b"):
            assert len(list((top / name / "turns/0001/inbox").glob("red-*.yaml"))) == 1

    def test_a_broken_one_does_not_stop_the_others(self, tmp_path):
        top = self.two(tmp_path)
        (top / "b/campaign.yaml").write_text("campaign: [")
        office, = post_offices_in(top)
        for seat in ADDRESS:
            post(top, letter(ADDRESS[seat], attached=order_file(top / "a", seat)))
        ticked = do_tick(office, lambda: LAST, lambda _said: None, jobs=1)
        assert turn(top / "a") == 1
        assert [where.name for where, _trouble in ticked.troubles] == ["b"]


    def test_two_of_one_id_cannot_be_told_apart_and_nothing_is_lost(self, tmp_path):
        top = self.two(tmp_path, second="stones-1")
        office, = post_offices_in(top)
        post(top, letter("anna@example.org", attached=order_file(top / "a", "red", "take: 3")))
        ticked = do_tick(office, lambda: LAST, lambda _said: None, jobs=1)
        assert ticked.pulled.waiting == 1 and {where.name for where, _trouble in ticked.troubles} == {"a", "b"}
        assert turn(top / "a") == 0, "orders may lie there"


def test_a_dead_address_is_told_to_the_game_master_and_mended_by_a_new_one(path, monkeypatch):
    from adjudicator.mail.sending import Folder, Refused

    real = Folder.send

    def send(self, data, sender, to, key):
        if to == ADDRESS["green"]:
            raise Refused(True, "550 5.1.1 no such user")
        return real(self, data, sender, to, key)

    monkeypatch.setattr(Folder, "send", send)
    tick(path)
    assert len(kinds(path, ADDRESS["red"], "report")) == 1 and to(path, ADDRESS["green"]) == []
    note, = (each for each in kinds(path, GM_ADDRESS, "notice") if "could not be delivered" in each["Subject"])
    assert "550 5.1.1 no such user" in " ".join(text_of(note).split())
    (path / "campaign.yaml").write_text((path / "campaign.yaml").read_text().replace(ADDRESS["green"], "bo@elsewhere.example"))
    tick(path, later(minutes=5))
    assert len(kinds(path, "bo@elsewhere.example", "report")) == 1


def test_a_bounce_marks_the_message_and_is_told(path):
    tick(path)
    report, = kinds(path, ADDRESS["green"], "report")
    dsn = f"""From: MAILER-DAEMON@example.org
To: stones@example.org
Subject: Undelivered Mail Returned to Sender
Message-ID: <dsn1@example.org>
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

I'm sorry.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example.org

Final-Recipient: rfc822; {ADDRESS['green']}
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 mailbox unknown

--b
Content-Type: text/rfc822-headers

Message-ID: {report['Message-ID']}

--b--
"""
    post(path, dsn.encode())
    tick(path, later(minutes=5))
    assert [each for each in kinds(path, GM_ADDRESS, "notice") if "could not be delivered" in each["Subject"]]
    push(path, later(minutes=10))
    assert len([each for each in sent(path) if "MAILER" in (each["To"] or "")]) == 0


def test_turns_that_were_run_by_hand_are_sent_too(path):
    tick(path)
    play(path, 2)
    tick(path, later(minutes=5))
    assert len(kinds(path, ADDRESS["red"], "report")) == 3


def test_mail_begun_in_the_middle_sends_the_last_report_alone(tmp_path):
    begin(tmp_path / "c")
    play(tmp_path / "c", 2)
    path = tmp_path / "c"
    (path / "mail.yaml").write_text(MAIL)
    (path / "coming").mkdir()
    tick(path)
    assert len(kinds(path, ADDRESS["red"], "report")) == 1


def test_an_archive_holds_the_mail_for_its_owner_alone_and_no_password(path):
    import tarfile

    from adjudicator.office.archiving import archive, restore

    tick(path)
    (path / "mail.secret").write_text("imap: hunter2\n")
    with opened(path, "test") as campaign:
        archive(campaign, path.parent / "a.tar.gz")
    with tarfile.open(path.parent / "a.tar.gz") as packed:
        modes = {member.name.removeprefix("stones-1/"): member.mode for member in packed.getmembers()}
        assert all(b"hunter2" not in packed.extractfile(member).read() for member in packed.getmembers())
    mail = [name for name in modes if name.startswith("mail/")]
    assert len(mail) > 4 and all(modes[name] == 0o600 for name in mail) and modes["secret.yaml"] == 0o600
    restored, _count = restore(path.parent / "a.tar.gz", path.parent / "again")
    before = len(sent(path))
    assert tick(restored, later(minutes=5)).posted.sent == [], "what was sent is not sent again"
    assert len(sent(restored)) == before


def test_a_damaged_campaign_does_not_stop_the_mail_of_its_neighbour(tmp_path):
    by_mail(tmp_path / "a", mail="")
    create(Plan("stones", "stones-2", players=dict(PLAYERS), seed=SEED[::-1]), tmp_path / "b", reports=False)
    (tmp_path / "mail.yaml").write_text(MAIL)
    (tmp_path / "coming").mkdir()
    post(tmp_path, letter("anna@example.org", attached=order_file(tmp_path / "b", "red", campaign="stones-2")), letter("anna@example.org", attached=order_file(tmp_path / "a", "red")))
    (tmp_path / "b/turns/0000/state.json").write_text("{")
    office, = post_offices_in(tmp_path)
    ticked = do_tick(office, lambda: NOON, lambda _said: None, jobs=1)
    assert [part.campaign for record in ticked.pulled.records for part in record.parts] == ["stones-1"]
    assert ticked.pulled.waiting == 1 and [where.name for where, _trouble in ticked.troubles] == ["b"]


def test_a_report_that_waited_when_its_turn_was_taken_back_goes_out_when_it_stands_again(path, monkeypatch):
    from adjudicator.mail.sending import Folder as Sink, SenderTrouble
    from adjudicator.office.redoing import redo

    def down(self):
        raise SenderTrouble("the server is down")
    all_send(path)
    tick(path)
    monkeypatch.setattr(Sink, "send", lambda self, data, sender, to, key: down(self))
    tick(path, LAST)
    with opened(path, "test") as campaign:
        undo(campaign)
    tick(path, LAST.replace(minute=5))
    with opened(path, "test") as campaign:
        redo(campaign)
    monkeypatch.undo()
    tick(path, LAST.replace(minute=10))
    assert len(kinds(path, ADDRESS["red"], "report")) == 2


def test_what_waits_for_a_former_holder_does_not_go_to_him(path, monkeypatch):
    from dataclasses import replace

    from adjudicator.mail.sending import Folder as Sink, SenderTrouble
    from adjudicator.office.seating import reseat
    from adjudicator.office.settings import Player

    def down(*_all):
        raise SenderTrouble("the server is down")
    monkeypatch.setattr(Sink, "send", down)
    tick(path)
    with opened(path, "test") as campaign:
        reseat(campaign, "blue", lambda held: replace(held, player="9"), new_player=("9", Player("Dee", "dee@example.org")))
    monkeypatch.undo()
    tick(path, later(minutes=5))
    assert to(path, ADDRESS["blue"]) == [] and len(kinds(path, "dee@example.org", "report")) == 1


def test_a_clock_that_was_ahead_once_does_no_lasting_harm(path, monkeypatch):
    from adjudicator.mail.sending import Folder as Sink, Refused

    def not_now(self, data, sender, to, key):
        raise Refused(False, "450 later")
    with monkeypatch.context() as patch:
        patch.setattr(Sink, "send", not_now)
        push(path, later(days=20000))
        with opened(path, "test") as campaign:
            from adjudicator.office.post.letters import Desk
            from adjudicator.office.post.reports import queue_reports

            queue_reports(campaign, Desk(post_office_of(path), NOON, campaign), 1)
        push(path, later(days=20000))
    push(path, later(hours=1))
    assert len(kinds(path, ADDRESS["red"], "report")) == 1


def test_jobs_hold_for_reports_that_are_made_later(path, monkeypatch):
    from adjudicator import report

    seen, real = [], report.produce
    monkeypatch.setattr(report, "produce", lambda reports, jobs=None: (seen.append(jobs), real(reports, 1))[1])
    tick(path)
    assert seen == [1]


def test_a_campaign_put_back_from_a_backup_takes_in_what_is_moved_back_to_new(tmp_path):
    import shutil

    by_mail(tmp_path / "a", deadline=WEEKLY, mail="")
    (tmp_path / "mail.yaml").write_text(MAIL)
    (tmp_path / "coming").mkdir()

    def tick_all(moment):
        return do_tick(post_offices_in(tmp_path)[0], lambda: moment, lambda _said: None, jobs=1)
    tick_all(NOON)
    shutil.copytree(tmp_path / "a", tmp_path.parent / "backup")
    post(tmp_path, letter(ADDRESS["red"], attached=order_file(tmp_path / "a", "red")))
    tick_all(later(minutes=5))
    shutil.rmtree(tmp_path / "a")
    shutil.copytree(tmp_path.parent / "backup", tmp_path / "a")
    assert not list((tmp_path / "a/turns").glob("0001/inbox/red-*"))
    for message in (tmp_path / "mail/old").glob("*.eml"):
        message.rename(tmp_path / "mail/new" / message.name)
    tick_all(later(minutes=10))
    assert list((tmp_path / "a/turns").glob("0001/inbox/red-*"))


def test_a_list_of_dates_that_is_used_up_runs_no_turn(tmp_path):
    """Dates too near to one another are passed over; when none is left, nothing is run by itself."""
    path = by_mail(tmp_path / "c", deadline='{zone: UTC, dates: ["2027-01-10 18:00", "2027-01-10 18:30", "2027-01-10 19:00"]}', settings="mass_nmr: 9")
    tick(path)
    for minutes in (0, 31, 61, 120, 60 * 24 * 30):
        tick(path, DUE + timedelta(minutes=minutes))
    assert turn(path) == 1
    (path / "campaign.yaml").write_text((path / "campaign.yaml").read_text().replace('"2027-01-10 19:00"', '"2027-01-10 19:00", "2027-03-01 18:00"'))
    tick(path, DUE + timedelta(days=31))
    with opened(path, "test") as campaign:
        assert f"{campaign.due:%Y-%m-%d}" == "2027-03-01", "a date that was added counts"


def test_no_turn_is_run_by_a_deadline_that_nobody_could_know(tmp_path):
    path = by_mail(tmp_path / "c", settings="mass_nmr: 9")
    tick(path)
    text = (path / "campaign.yaml").read_text()
    assert "\ndeadline:\n" in text
    (path / "campaign.yaml").write_text(text.replace("\ndeadline:\n", '\ndeadline: {zone: UTC, dates: ["2027-01-03 18:00"]}\n'))
    tick(path, later(minutes=5))
    assert turn(path) == 0
    note, = (each for each in kinds(path, GM_ADDRESS, "notice") if "too late" in each["Subject"])
    assert "do:" in text_of(note)


@pytest.mark.parametrize("orders_text, messages", [("take: 2\ngive: [Gren]", ""), ("", "  - {to: [green], text: hello}")])
def test_all_in_does_not_run_over_a_file_that_is_not_whole(tmp_path, orders_text, messages):
    path = by_mail(tmp_path / "c", deadline=WEEKLY, settings="run_when: all-in")
    all_send(path, ("green", "blue"))
    post(path, letter(ADDRESS["red"], attached=order_file(path, "red", orders_text, messages=messages)))
    tick(path)
    assert turn(path) == 0
    post(path, orders(path, "red", "take: 3"))
    tick(path, later(minutes=5))
    assert turn(path) == 1


def test_letters_without_orders_that_replace_orders_are_warned_of(path):
    post(path, orders(path, "red"))
    tick(path)
    post(path, letter(ADDRESS["red"], attached=order_file(path, "red", "", messages="  - {to: [green], text: hello}")))
    tick(path, later(minutes=5))
    assert "letters in this file and no orders" in " ".join(text_of(kinds(path, ADDRESS["red"], "receipt")[-1]).split()) or any(
        "letters in this file and no orders" in " ".join(text_of(each).split()) for each in kinds(path, ADDRESS["red"], "receipt"))


def test_the_report_for_a_new_holder_has_the_new_token_everywhere(path):
    from dataclasses import replace

    from adjudicator.office.seating import reseat
    from adjudicator.office.settings import Player

    tick(path)
    old = token(path, "blue")
    with opened(path, "test") as campaign:
        reseat(campaign, "blue", lambda held: replace(held, player="9"), new_player=("9", Player("Dee", "dee@example.org")))
    tick(path, later(minutes=5))
    report, = kinds(path, "dee@example.org", "report")
    html = report.get_body(("html",)).get_content()
    for text in (text_of(report), html):
        assert token(path, "blue") in text and old not in text
