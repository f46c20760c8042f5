"""The year 1455 by mail, for tests: the ways in which people send orders, their mailboxes, and a tick that can be killed."""

import email
import email.policy
import io
import itertools
import json
import multiprocessing
import os
import random
import re
import shutil
import signal
import smtplib
import sys
import zipfile
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import formatdate, parseaddr
from pathlib import Path

from ..golden import CAMPAIGNS, HASHES
from .corpus.programs import HTML, OUTLOOK_PAGE, divs, flowed, mso
from .corpus.texts import message as single_part
from .corpus.texts import mixed, part, quote
from .servers import HOST, PASSWORD, Dovecot, Script, mail_user

NAME = "roses-1455"
SEATS = ("lancaster", "somerset", "shrewsbury", "northumberland", "buckingham", "york", "warwick", "norfolk")
SEASONS = ("1-spring", "2-summer", "3-autumn", "4-winter")
DOMAIN = "example.test"
WAR = f"war@{DOMAIN}"
GM = f"gm@{DOMAIN}"
STRANGER, SPAMMER = f"stranger@{DOMAIN}", f"win-a-horse@{DOMAIN}"
FIRST_DUE = datetime(2027, 1, 10, 17, 0, tzinfo=UTC)
"""Sunday, 18:00 in Rome."""
GRACE = timedelta(hours=2)
RHYTHM = '{zone: Europe/Rome, every: 7, first: 2027-01-10, at: "18:00", grace: 2 hours, next: "2027-01-10 18:00"}'


def address(seat):
    return f"{seat}@{DOMAIN}"


def due(season):
    """When the orders of a season are due; seasons count from 0."""
    return FIRST_DUE + timedelta(days=7 * season)


def last(season):
    """When the season is run: its deadline and the grace have passed."""
    return due(season) + GRACE


def recorded(season):
    """(seat, order file) of every recorded file, in the order in which they are taken; those sent a second time come last."""
    folder = CAMPAIGNS / NAME / "orders" / SEASONS[season]
    return [(path.stem, path.read_bytes()) for batch in (folder, folder / "second-try") for path in sorted(batch.glob("*.yaml"))]


def begin(folder):
    """The recorded campaign before its first season, with addresses and a rhythm of deadlines."""
    shutil.copytree(CAMPAIGNS / NAME, folder, ignore=shutil.ignore_patterns("orders", HASHES))
    (folder / "secret.yaml").chmod(0o600)
    settings = (folder / "campaign.yaml").read_text().replace("@example.org", f"@{DOMAIN}")
    settings = re.sub(r"^deadline:.*$", f"deadline: {RHYTHM}", settings, flags=re.MULTILINE)
    (folder / "campaign.yaml").write_text(settings + f"gm: {{name: The Herald, email: {GM}}}\nreminders: [1 day]\n")
    return folder


def play_by_files(folder, submissions):
    """The year by files, without reports. submissions: for each season, its files in order. Returns each turn's manifest.json."""
    from adjudicator.office.campaign import opened
    from adjudicator.office.running import run
    from adjudicator.office.submitting import submit

    begin(folder)
    for season, files in enumerate(submissions):
        with opened(folder, "test") as campaign:
            for data in files:
                submit(campaign, data)
            run(campaign, reports=False, now=last(season))
    return manifests(folder)


def manifests(folder):
    return [path.read_bytes() for path in sorted(folder.glob("turns/*/manifest.json"))]


def outcome(manifest):
    """What a turn came to, whatever its order files were called and however they were written."""
    read = json.loads(manifest)
    kept = {key: read[key] for key in ("turn", "turn_title", "before", "after", "events", "dice", "holders", "left_out")}
    return {**kept, "how": {seat: played["how"] for seat, played in read["seats"].items()}}


class Mailboxes(Dovecot):
    USERS = ("war", "gm", "stranger", "win-a-horse", *SEATS, *(f"{seat}.phone" for seat in SEATS))


_numbers = itertools.count(1)


def deliver(maildir, data):
    """Put a message into a Maildir, as a mail transport does."""
    for folder in (maildir, maildir / "tmp", maildir / "new", maildir / "cur"):
        if not folder.is_dir():
            folder.mkdir()
            os.chown(folder, *mail_user())
    name = f"{1_800_000_000 + next(_numbers)}.M0P1.mail.{DOMAIN}"
    path = maildir / "tmp" / name
    path.write_bytes(data.replace(b"\r\n", b"\n"))
    os.chown(path, *mail_user())
    path.rename(maildir / "new" / name)


class Transport(Script):
    """An SMTP server that delivers what comes for example.test."""

    def __init__(self, mail, users):
        super().__init__()
        self.mail, self.users = mail, users

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.rpartition("@")[0] not in self.users:
            return "550 5.1.1 no such user"
        return await super().handle_RCPT(server, session, envelope, address, options)

    async def handle_DATA(self, server, session, envelope):
        for to in envelope.rcpt_tos:
            deliver(self.mail / to.rpartition("@")[0], b"Received: from somewhere\r\n" + envelope.content)
        return await super().handle_DATA(server, session, envelope)


class Mail:
    """A message in somebody's mailbox."""

    def __init__(self, raw):
        self.raw = raw
        self.message = email.message_from_bytes(raw, policy=email.policy.default)
        self.id = self.message["Message-ID"]
        self.kind = (self.message["X-Adjudicator"] or "").rpartition("/")[2]

    @property
    def text(self):
        return self.message.get_body(("plain",)).get_content()

    @property
    def attached(self):
        return {part.get_filename(): part.get_content() for part in self.message.iter_attachments()}

    def everything(self):
        """All that can be read in it, decoded: headers, bodies, attachments; but for pictures and PDFs."""
        pieces = [f"{name}: {value}" for name, value in self.message.items()]
        for each in self.message.walk():
            if not each.is_multipart() and each.get_content_type() != "application/pdf":
                pieces.append(each.get_payload(decode=True).decode("utf-8", "replace"))
        return "\n".join(pieces)


class Mailbox:
    """Somebody's mailbox, read by IMAP."""

    def __init__(self, dovecot, user):
        self.dovecot, self.user, self.next_uid, self.mails = dovecot, user, 1, []

    def fetch(self):
        """What has come since the last time."""
        with self.dovecot.connect(self.user) as client:
            found = client.fetch([uid for uid in client.search(["UID", f"{self.next_uid}:*"]) if uid >= self.next_uid], ["BODY.PEEK[]"])
        new = [Mail(found[uid][b"BODY[]"]) for uid in sorted(found)]
        self.next_uid = max(found, default=self.next_uid - 1) + 1
        self.mails += new
        return new

    def of(self, kind):
        return [mail for mail in self.mails if mail.kind == kind]


# The ways in which people send an order file. Each: (letter: Letter) -> message.


class Letter:
    """What somebody wants to send. report: the mail that is answered; data: the order file; sender: whose address it comes from."""

    def __init__(self, report, seat, data, sender=""):
        self.report, self.seat, self.data, self.sender = report, seat, data, sender or address(seat)
        self.text = data.decode()
        self.id = f"<{next(_numbers)}@players.{DOMAIN}>"

    @property
    def heads(self):
        heads = [f"To: {WAR}", f"Date: {formatdate(1_800_000_000)}", f"Message-ID: {self.id}"]
        return [*heads, f"In-Reply-To: {self.report.id}", f"References: {self.report.id}"] if self.report else heads

    def message(self, body, name="orders"):
        made = EmailMessage()
        made["From"], made["Subject"] = self.sender, name
        for line in self.heads:
            made[line.partition(": ")[0]] = line.partition(": ")[2]
        made.set_content(body)
        return made

    def with_heads(self, raw):
        """A message of the corpus of awkward ones, from this sender and with our headers."""
        head, blank, body = raw.partition(b"\r\n\r\n")
        lines = [line for line in head.split(b"\r\n") if not re.match(rb"(From|To|Date|Message-ID):", line, re.IGNORECASE)]
        return b"\r\n".join([f"From: {self.sender}".encode(), *(line.encode() for line in self.heads), *lines]) + blank + body


def attachment(letter, filename="orders.yaml"):
    made = letter.message("Here are my orders.\n\n-- \nFor the Rose!\n")
    made.add_attachment(letter.data, maintype="application", subtype="octet-stream", filename=filename)
    return made.as_bytes(policy=email.policy.SMTP)


def body_with_signature(letter):
    return letter.with_heads(single_part(f"Good evening,\n\n{letter.text}\n-- \nA noble lord\nhis castle, his county\n", encoding="quoted-printable"))


def html_of_outlook(letter):
    return letter.with_heads(single_part(OUTLOOK_PAGE % mso(f"Dear herald,\n\n{letter.text}\nKind regards"), kind=HTML, encoding="quoted-printable"))


def html_of_gmail(letter):
    page = part(f'<div dir="ltr">{divs(letter.text)}</div>', HTML, encoding="quoted-printable")
    return letter.with_heads(mixed(part("This is an HTML mail.\n"), page, kind="alternative"))


def zipped(letter):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("my orders/приказы.txt", letter.data)
    made = letter.message("Zipped.\n")
    made.add_attachment(packed.getvalue(), maintype="application", subtype="zip", filename="orders.zip")
    return made.as_bytes(policy=email.policy.SMTP)


def windows_1251(letter):
    text = f"Здравствуйте, герольд! Вот мои приказы.\n\n{letter.text}\n-- \nС уважением, граф Уорик\n"
    return letter.with_heads(single_part(text, kind="text/plain; charset=windows-1251", encoding="base64", charset="cp1251"))


def flowing(letter):
    return letter.with_heads(single_part(flowed(letter.text) + "-- \nA player\n", kind="text/plain; charset=UTF-8; format=flowed"))


def edited_in_the_quote(letter):
    """The report is answered, and in the quoted order form the orders are replaced; what is quoted before and after it stays."""
    lines = letter.report.text.replace("\r\n", "\n").split("\n")
    first = next(number for number, line in enumerate(lines) if re.fullmatch(r"\s*orders:.*", line))
    indent = lines[first][: len(lines[first]) - len(lines[first].lstrip())]
    end = next((number for number in range(first, len(lines)) if lines[number].startswith("---")), len(lines))
    wanted = letter.text[re.search(r"^orders:", letter.text, re.MULTILINE).start() :].rstrip("\n").split("\n")
    edited = [*lines[:first], *(indent + line if line else "" for line in wanted), "", *lines[end:]]
    quoted = quote("\n".join(edited) + "\n")
    body = f"My orders are below.\n\nOn Mon, 4 Jan 2027 at 10:00, adjudicator <{WAR}> wrote:\n{quoted}"
    return letter.with_heads(single_part(body, encoding="quoted-printable", subject="Re: [roses-1455]"))


def from_the_phone(letter):
    letter.sender = f"{letter.seat}.phone@{DOMAIN}"
    return attachment(letter, "IMG_0001.txt")


def together(letter, *others):
    """Several order files in one message."""
    made = letter.message("Two files.\n")
    for number, data in enumerate((letter.data, *others), 1):
        made.add_attachment(data, maintype="text", subtype="x-yaml", filename=f"try-{number}.yml")
    return made.as_bytes(policy=email.policy.SMTP)


WAYS = (attachment, edited_in_the_quote, body_with_signature, html_of_outlook, zipped, windows_1251, from_the_phone, flowing, html_of_gmail)


# Mail that nobody may answer.


def vacation(seat, mail):
    """What a mail server answers while somebody is away; it quotes what it answers, with the order form."""
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = address(seat), WAR, f"Out of office: {mail.message['Subject']}"
    made["Message-ID"], made["In-Reply-To"], made["Auto-Submitted"] = f"<{next(_numbers)}@players.{DOMAIN}>", mail.id, "auto-replied"
    made.set_content("I am away until Michaelmas.\n\n" + quote(mail.text))
    return made.as_bytes(policy=email.policy.SMTP)


def bounce(seat, mail):
    """What a server says that could not deliver a report."""
    return f"""From: MAILER-DAEMON@{DOMAIN}
To: {WAR}
Subject: Undelivered Mail Returned to Sender
Message-ID: <{next(_numbers)}@mail.{DOMAIN}>
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

I'm sorry to have to inform you that your message could not be delivered.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.{DOMAIN}

Final-Recipient: rfc822; {address(seat)}
Action: failed
Status: 5.2.2
Diagnostic-Code: smtp; 552 5.2.2 mailbox full

--b
Content-Type: text/rfc822-headers

Message-ID: {mail.id}

--b--
""".encode()


def spam():
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = SPAMMER, WAR, "orders: a horse for nothing!!!"
    made["Message-ID"] = f"<{next(_numbers)}@horses.{DOMAIN}>"
    made.set_content("You have won. Send your seat: and your token: to us.\n")
    made.add_attachment(b"MZ\x90\x00" + bytes(200), maintype="application", subtype="octet-stream", filename="orders.yaml.exe")
    return made.as_bytes(policy=email.policy.SMTP)


def guess(seat, season):
    """Somebody guesses at a token."""
    data = f"campaign: {NAME}\nturn: {season + 1}\nseat: {seat}\ntoken: aaaa-bbb{season + 2}\norders:\n  march: {{to: [hold]}}\n"
    return attachment(Letter(None, seat, data.encode(), STRANGER))


# The game master's side: a tick in a process of its own.


def tick_child(folder, moment, log, kill_at, cheap):
    """`adjudicator tick -v` in this process, at a moment, its talk in `log`; killed before the step `kill_at` on disk. cheap: PDFs of a few bytes."""
    with Path(log).open("ab", buffering=0) as talk:
        os.dup2(talk.fileno(), 1)
        os.dup2(talk.fileno(), 2)
    sys.stdout, sys.stderr = (os.fdopen(number, "w", buffering=1, closefd=False) for number in (1, 2))
    os.environ["ADJUDICATOR_MAIL_PASSWORD"] = PASSWORD
    from adjudicator import report
    from adjudicator.cli import post
    from adjudicator.cli.main import main
    from adjudicator.report import pdf
    from adjudicator.store import disk

    steps = itertools.count(1)

    def step(name, path):
        if next(steps) == kill_at:
            print(f"(killed before: {name} {path.name})", flush=True)
            os.kill(os.getpid(), signal.SIGKILL)

    disk.step = step
    post.now = lambda: moment
    if cheap:
        pdf.render = lambda _report: b"%PDF-1.7\n%cheap\n"
        report.produce = lambda reports, _jobs=None: map(report._one, reports)  # in this process
    try:
        main(["tick", str(folder), "-v"])
    finally:
        print(f"({next(steps) - 1} steps on disk)", flush=True)


PRELOADED = [
    "tests.mail.year",
    *(f"adjudicator.{name}" for name in ("cli.main", "cli.post", "office.post.ticking", "rulesets.roses", "report.pdf", "report.html", "mail.imap")),
    "imapclient",
    "filelock",
]


class Ticker:
    """Calls tick as cron does. killed: how often it was killed."""

    def __init__(self, folder, log):
        self.folder, self.log, self.killed = folder, log, 0
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(PRELOADED)

    def start(self, moment, kill_at=0, cheap=True):
        process = self._context.Process(target=tick_child, args=(str(self.folder), moment, str(self.log), kill_at, cheap))
        process.start()
        return process

    def tick(self, moment, kill_at=0, kill_after=None, cheap=True):
        """The exit code; -9 if it was killed. kill_after: seconds."""
        process = self.start(moment, kill_at, cheap)
        if kill_after is not None:
            process.join(kill_after)
            if process.exitcode is None:
                process.kill()
        process.join(60)
        if process.exitcode is None:
            process.kill()
            raise AssertionError(f"tick hangs; it has said:\n{self.said()[-2000:]}")
        self.killed += process.exitcode == -signal.SIGKILL
        return process.exitcode

    def said(self):
        return self.log.read_text(errors="replace") if self.log.exists() else ""


def send(port, *messages):
    """Send as a player's mail program does."""
    with smtplib.SMTP(HOST, port) as client:
        for raw in messages:
            sender = parseaddr(email.message_from_bytes(raw, policy=email.policy.compat32)["From"])[1]
            client.sendmail(sender if not sender.startswith("MAILER-DAEMON") else "", [WAR], raw)


def envelope_of(data):
    """key -> value of the first lines of an order file, as a person reads them."""
    text = data.decode() if isinstance(data, bytes) else data
    return dict(re.findall(r"^(campaign|turn|seat|token):[ \t]*\"?([^\"#\n]*?)\"?[ \t]*(?:#.*)?$", text, re.MULTILINE))


def dice_for(season):
    """Chance that is the same at every run."""
    return random.Random(f"1455-{season}")
