"""A whole year of war with eight players goes by mail alone, through real servers and much trouble, and ends as it does by files."""

import os
import re
import signal
import time
from collections import Counter
from contextlib import ExitStack
from datetime import timedelta

import pytest
from click.testing import CliRunner

from adjudicator.cli.main import main
from adjudicator.office.campaign import opened

from . import year
from .servers import HOST, PASSWORD, Line, Postfix, do_without, public_folder, smtp_server, which
from .year import NAME, SEATS, WAR, Letter, Mailbox, Mailboxes, Ticker, Transport, address, due, last, recorded

KILLED = -signal.SIGKILL
REAL_REPORTS = 2
"""The turn whose reports are real PDFs; those of the others are made of a few bytes, since PDFs take their time."""
AWAY, FULL, SLOW = "buckingham", "norfolk", ("warwick", "warwick", "york", "york")
"""Seats of the one whose server answers every report by itself, the one whose mailbox is full, and, by season, the one who needs a reminder."""


class Year:
    """Both sides of the year, and what is known of it."""

    def __init__(self, folder, dovecot, stack, postfix):
        self.dovecot, self.stack = dovecot, stack
        self.folder = year.begin(folder / "war")
        self.ticker = Ticker(self.folder, folder / "log")
        self.boxes = {user: Mailbox(dovecot, user) for user in Mailboxes.USERS if user != "war"}
        self.transport = Transport(dovecot.mail, dovecot.USERS)
        self.imap_line = stack.enter_context(Line(dovecot.tls))
        self.submission = stack.enter_context(smtp_server(self.transport, dovecot.certificates, "starttls", auth_required=True))
        self.smtp_line = stack.enter_context(Line(self.submission))
        self.exchanger = stack.enter_context(smtp_server(self.transport))
        self.postfix = postfix
        self.sent: dict[str, list[Letter]] = {seat: [] for seat in SEATS}
        self.automatic = []
        self.reminded = []
        self.lines_broken = 0
        with opened(self.folder, "test") as campaign:
            self.tokens = {**campaign.secret.tokens, "gm": campaign.gm_token}
            self.seed = campaign.secret.seed

    def use(self, with_postfix):
        """How this season's mail is sent: through aiosmtpd with STARTTLS and a login, or through Postfix."""
        user = "" if with_postfix else "war"
        self.smtp_line.target = self.postfix.port if with_postfix else self.submission
        self.players_port = self.postfix.port if with_postfix else self.exchanger
        ca = self.dovecot.certificates.ca
        (self.folder / "mail.yaml").write_text(
            f'address: "War of the Roses <{WAR}>"\nin: {{imap: {{host: {HOST}, port: {self.imap_line.port}, user: war, ca: "{ca}"}}}}\n'
            f'out: {{smtp: {{host: {HOST}, port: {self.smtp_line.port}, security: starttls, ca: "{ca}", user: "{user}"}}}}\n'
        )

    def turn(self):
        return max(int(path.parent.name) for path in self.folder.glob("turns/*/manifest.json"))

    def tick(self, moment, code=0, **how):
        was = len(self.ticker.said())
        assert self.ticker.tick(moment, **how) == code or code is None, self.ticker.said()[was:]
        return self.ticker.said()[was:]

    def post(self, *messages):
        """Send, and wait until all lies in the campaign's mailbox."""
        before = self.in_mailbox()
        year.send(self.players_port, *messages)
        self.wait(lambda: self.in_mailbox() >= before + len(messages))

    def in_mailbox(self):
        return sum(1 for name in ("new", "cur") for _path in (self.dovecot.mail / "war" / name).glob("*"))

    def all_messages(self):
        with self.dovecot.connect("war") as client:
            return [found[b"BODY[]"] for _uid, found in sorted(client.fetch(client.search(), ["BODY.PEEK[]"]).items())]

    def wait(self, is_so):
        until = time.monotonic() + 15
        while not is_so():
            assert time.monotonic() < until, "mail does not come"
            time.sleep(0.02)

    def delivered(self):
        """Postfix delivers some moments after it has taken a message."""
        if self.players_port == getattr(self.postfix, "port", 0):
            queues = [self.postfix.folder / "spool" / name for name in ("incoming", "active", "maildrop")]
            self.wait(lambda: not any(path.is_file() for queue in queues for path in queue.rglob("*")))

    def write(self, seat, season, data, number):
        """The player's robot: look into the mailbox, take turn and token from the report, and put the orders into it."""
        box = self.boxes[seat]
        box.fetch()
        report = box.of("report")[-1]
        told, meant = (year.envelope_of(text) for text in (report.attached[f"{seat}.orders.yaml"], data))
        assert told == {**meant, "seat": seat} and told["turn"] == str(season + 1)
        letter = Letter(report, seat, data)
        letter.way = year.WAYS[(number + 2 * season) % len(year.WAYS)]
        return letter

    def prepare(self, letter):
        self.sent[letter.seat].append(letter)
        return letter.way(letter)

    def play(self, season):
        chance, before, slow = year.dice_for(season), season, SLOW[season]
        self.use(with_postfix=season % 2 == 1 and self.postfix is not None)
        files = recorded(season)
        first, again = files[: len(SEATS)], files[len(SEATS) :]
        letters = {seat: self.write(seat, season, data, number) for number, (seat, data) in enumerate(first)}
        reports = {seat: letter.report for seat, letter in letters.items()}
        monday = due(season) - timedelta(days=6)

        # half of them send; programs answer; somebody guesses; the tick is killed where chance will have it, and called again
        early = {seat: self.prepare(letter) for seat, letter in letters.items() if seat in SEATS[:4]}
        self.automatic += [year.vacation(AWAY, reports[AWAY]), year.spam(), *([year.bounce(FULL, reports[FULL])] if season == 1 else [])]
        self.post(*early.values(), *self.automatic[-3:], year.guess("york", season))
        self.imap_line.cut_after, self.imap_line.times = chance.randrange(3000, 9000), self.imap_line.connections + 1
        assert "connection was lost" in self.tick(monday, 1)
        for _attempt in range(3):
            self.ticker.tick(monday, kill_at=chance.randrange(3, 140))
        self.ticker.tick(monday, kill_after=chance.uniform(0.05, 0.6))
        self.tick(monday)

        # the mailbox is copied, so that all comes twice, and thrice by another way; the others send; then the mailbox gets other numbers
        ways = (b"", b"Received: by a backup\r\n")
        self.dovecot.append(*(way + raw for raw in self.all_messages() for way in ways), user="war")
        late_seats = [seat for seat in SEATS[4:] if seat != slow]
        self.post(*(self.prepare(letters[seat]) for seat in late_seats))
        connections = self.smtp_line.connections
        self.smtp_line.cut_after, self.smtp_line.times = chance.randrange(1900, 2150), connections + 1
        self.tick(monday + timedelta(days=1), None)
        self.tick(monday + timedelta(days=1, minutes=5))
        assert self.smtp_line.connections >= connections + 2, "the line broke while mail was sent, and the rest went by another"
        self.lines_broken += 1
        self.dovecot.number_anew("war")
        assert self.taken(self.tick(monday + timedelta(days=1, minutes=10))) == 0
        for seat, data in again:
            letter = Letter(reports[seat], seat, data)
            self.sent[seat] += [letter, letter] if season == 1 else [letter]
            self.post(year.together(Letter(reports[seat], seat, letters[seat].data), data) if season == 1 else year.attachment(letter))

        # the day before the deadline one is reminded
        self.tick(due(season) - timedelta(hours=23))
        self.delivered()
        self.reminded += [seat for seat in SEATS for mail in self.boxes[seat].fetch() if mail.kind == "reminder"]
        assert self.reminded == list(SLOW[: season + 1])
        self.post(self.prepare(letters[slow]))

        # the deadline: not within the grace; not without the mailbox; then, however often it is killed
        self.tick(due(season) + timedelta(minutes=90))
        assert self.turn() == before
        self.dovecot.stop()
        assert "not run" in self.tick(last(season), 1)
        self.dovecot.start()
        self.imap_line.cut_after, self.imap_line.times = 700, self.imap_line.connections + 1
        assert "not run" in self.tick(last(season), 1)
        assert self.turn() == before
        for _attempt in range(3):
            assert self.ticker.tick(last(season), kill_at=chance.randrange(5, 100)) == KILLED
        assert self.turn() == before
        real = season + 1 == REAL_REPORTS
        if season % 2 == 0:
            self.kill_while_the_server_answers(last(season))
        if not real:
            self.ticker.tick(last(season), kill_at=chance.randrange(60, 200))
        self.tick(last(season), cheap=not real)
        assert self.turn() == before + 1
        assert "nothing to do" in self.tick(last(season))

        # late mail is for a past turn
        late = Letter(reports["york"], "york", letters["york"].data + b"# once more\n")
        late.way = year.attachment
        self.post(self.prepare(late))
        self.tick(last(season) + timedelta(minutes=5))
        self.delivered()

    def kill_while_the_server_answers(self, moment):
        """SIGKILL between a message's last byte and the answer of the server, which has it."""
        self.transport.hang = {address(seat) for seat in SEATS}
        self.transport.arrived.clear()
        self.transport.go_on.clear()
        process = self.ticker.start(moment)
        assert self.transport.arrived.wait(30)
        process.kill()
        process.join()
        self.ticker.killed += 1
        self.transport.hang = set()
        self.transport.go_on.set()

    @staticmethod
    def taken(said):
        return len(re.findall(r"^\S+@\S+: ", said, re.MULTILINE))


def check_the_turns_are_the_same_as_by_files(war, tmp_path):
    """By the recorded files, each turn comes to the same; by the files that the mail has brought, every manifest is the same, byte for byte."""
    by_mail = year.manifests(war.folder)
    by_files = year.play_by_files(tmp_path / "files", [[data for _seat, data in recorded(season)] for season in range(4)])
    assert len(by_mail) == 5 and [year.outcome(manifest) for manifest in by_mail] == [year.outcome(manifest) for manifest in by_files]
    inboxes = [sorted((war.folder / f"turns/{turn:04}/inbox").glob("*.yaml")) for turn in range(1, 5)]
    again = year.play_by_files(tmp_path / "again", [[path.read_bytes() for path in inbox] for inbox in inboxes])
    assert by_mail == again


def check_every_player_got_each_report_once(war):
    for user in ("gm", *SEATS):
        ids = {mail.id for mail in war.boxes[user].of("report")}
        assert len(ids) == 5, f"{user}: {[mail.message['Subject'] for mail in war.boxes[user].of('report')]}"


def check_a_season_had_real_reports(war):
    for seat in SEATS:
        sizes = [len(mail.attached[f"{seat}.pdf"]) for mail in war.boxes[seat].of("report")]
        assert sum(size > 20_000 for size in sizes) == 1, sizes


def check_every_file_got_one_receipt(war):
    for seat in SEATS:
        ids = {mail.id for mail in war.boxes[seat].of("receipt")}
        assert len(ids) == len(war.sent[seat]), f"{seat}: {[mail.message['Subject'] for mail in war.boxes[seat].of('receipt')]}"


def check_a_message_came_twice_only_when_its_tick_was_killed(war):
    copies = Counter(mail.id for box in war.boxes.values() for mail in box.mails)
    assert 1 <= sum(count - 1 for count in copies.values()) <= war.ticker.killed + war.lines_broken


def check_nobody_read_what_is_for_others(war):
    for user, box in war.boxes.items():
        for mail in box.mails:
            text = mail.everything()
            for seat, token in war.tokens.items():
                assert seat == user or token not in text, f"{user} read the token of {seat} in {mail.message['Subject']}"
                is_shown = re.search(rf"(?<![\w.]){seat}@", text)
                assert seat == user or user == "gm" or not is_shown, f"{user} read the address of {seat} in {mail.message['Subject']}"
            assert war.seed not in text and PASSWORD not in text


def check_no_program_was_answered(war):
    assert war.boxes["win-a-horse"].mails == []
    answered = {mail.message["In-Reply-To"] for box in war.boxes.values() for mail in box.mails}
    assert not answered & {re.search(rb"Message-ID: (<[^>]+>)", raw)[1].decode() for raw in war.automatic}
    assert {mail.kind for mail in war.boxes["stranger"].mails} == {"note"}


def check_strangers_learn_nothing(war):
    for seat in SEATS:
        for user in ("stranger", f"{seat}.phone"):
            for mail in war.boxes[user].mails:
                assert mail.kind == "note" and "march" not in mail.everything()


def check_the_herald_was_told(war):
    subjects = [mail.message["Subject"] for mail in war.boxes["gm"].of("notice")]
    assert sum("could not be delivered" in subject for subject in subjects) == 1, subjects


def check_nothing_secret_was_printed(war):
    said = war.ticker.said()
    assert "killed before" in said and "was run" in said
    for secret in (PASSWORD, war.seed, *war.tokens.values()):
        assert secret not in said
    assert "Traceback" not in said and "fault" not in said


def check_nothing_is_left_undone(war):
    assert not list((war.folder / "mail/new").glob("*.eml")) and not list(war.folder.glob("mail/*.fault.txt"))
    assert "everything is as it was played" in CliRunner().invoke(main, ["verify", str(war.folder)]).stdout
    assert not (war.folder / "mail/out").stat().st_mode & 0o077


def test_a_year_by_mail(tmp_path):
    if which("dovecot") is None:
        do_without("Dovecot is not installed (. .ci/setup test installs it for root)")
    with ExitStack() as stack:
        dovecot = Mailboxes(stack.enter_context(public_folder("dovecot-year-"))).start()
        stack.callback(dovecot.stop)
        postfix = None
        if os.getuid() == 0 and which("postfix"):
            postfix = Postfix(stack.enter_context(public_folder("postfix-year-")), dovecot.mail, Mailboxes.USERS, dovecot.certificates).start()
            stack.callback(postfix.stop)
        war = Year(tmp_path, dovecot, stack, postfix)
        war.use(with_postfix=False)
        war.tick(due(0) - timedelta(days=6, hours=5))
        for season in range(4):
            war.play(season)
        for box in war.boxes.values():
            box.fetch()
    failures = []
    for check, given in CHECKS.items():
        try:
            check(war, *([tmp_path] if given else []))
        except AssertionError as failure:
            failures.append(failure)
    if failures:
        raise ExceptionGroup("the year by mail", failures)


CHECKS = {
    check_the_turns_are_the_same_as_by_files: True,
    check_every_player_got_each_report_once: False,
    check_a_season_had_real_reports: False,
    check_every_file_got_one_receipt: False,
    check_a_message_came_twice_only_when_its_tick_was_killed: False,
    check_nobody_read_what_is_for_others: False,
    check_no_program_was_answered: False,
    check_strangers_learn_nothing: False,
    check_the_herald_was_told: False,
    check_nothing_secret_was_printed: False,
    check_nothing_is_left_undone: False,
}
