"""Show a round of play by mail on this machine: a mailbox, a mail server, two players, and what each of them sees.

`python -m tests.mail.round`, or `make mail`. Everything stays on loopback; the campaign is left in build/mail-round to be looked at.
"""

import logging
import os
import shutil
import subprocess
import sys
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

from .corpus.texts import message as single_part
from .corpus.texts import quote
from .servers import HOST, PASSWORD, Dovecot, public_folder, smtp_server, which
from .year import DOMAIN, Letter, Mailbox, Transport, attachment, send

TOP = Path(__file__).parent.parent.parent
PLACE = TOP / "build" / "mail-round"
WAR, PLAYERS = "lords", {"ashby": "anna", "belvoir": "bo"}
INSTALL = "a mail round needs Dovecot 2.3, an IMAP server: on Debian or Ubuntu, sudo apt-get install dovecot-imapd"


class Mailboxes(Dovecot):
    USERS = ("war", "gm", "anna", "bo")


class Round:
    """One round, told as it goes."""

    def __init__(self, dovecot, submission, exchanger):
        self.exchanger = exchanger
        self.boxes = {user: Mailbox(dovecot, user) for user in ("anna", "bo", "gm")}
        self.mail_settings = (
            f"address: Lords by mail <war@{DOMAIN}>\n"
            f"in: {{imap: {{host: {HOST}, port: {dovecot.tls}, user: war, ca: {dovecot.certificates.ca}}}}}\n"
            f"out: {{smtp: {{host: {HOST}, port: {submission}, user: war, security: starttls, ca: {dovecot.certificates.ca}}}}}\n"
        )

    def command(self, *arguments, most=99, without=""):
        """Call adjudicator, and show what a person would type and see, but for lines with the word `without`."""
        print(f"$ adjudicator {' '.join(f'{argument!r}' if ' ' in argument else argument for argument in arguments)}")
        environment = {**os.environ, "PYTHONPATH": str(TOP)}
        call = [sys.executable, "-m", "adjudicator", *arguments]
        done = subprocess.run(call, cwd=PLACE, env=environment, capture_output=True, text=True, check=False)
        lines = [line.rstrip()[:150] for line in (done.stdout + done.stderr).splitlines() if not without or without not in line]
        print(*lines[:most], *([f"... and {len(lines) - most} more lines"] if len(lines) > most else []), sep="\n")
        if done.returncode:
            raise SystemExit(f"it ended with {done.returncode}")

    def look(self, *users):
        """What has come into the players' mailboxes."""
        for user in users:
            for mail in self.boxes[user].fetch():
                files = ", ".join(mail.attached)
                print(f"  {user}@{DOMAIN} has got: {mail.message['Subject']}" + (f"  ({files})" if files else ""))

    def show(self, user):
        mail = self.boxes[user].mails[-1]
        for name in ("From", "To", "Subject", "In-Reply-To", "Auto-Submitted"):
            print(f"  | {name}: {mail.message[name]}")
        print("  |", *(f"  | {line}".rstrip() for line in mail.text.strip().splitlines()), sep="\n")

    def orders(self, seat, changes):
        """The order file that came with the report, filled in by the player."""
        report = next(mail for mail in self.boxes[PLAYERS[seat]].mails if mail.kind == "report")
        text = report.attached[f"{seat}.orders.yaml"]
        envelope = "".join(line + "\n" for line in text.splitlines() if line.startswith(("campaign:", "turn:", "seat:", "token:")))
        return Letter(report, seat, f"{envelope}orders:\n{changes}".encode(), f"{PLAYERS[seat]}@{DOMAIN}")

    def play(self):
        begin = (datetime.now(UTC) + timedelta(days=7)).strftime("%Y-%m-%d")
        say("The game master begins a campaign, and writes down the mailbox that it has for itself.")
        players = [piece for name in ("Anna", "Bo") for piece in ("--player", f"{name} <{name.lower()}@{DOMAIN}>")]
        self.command("new", "feudal-lords", WAR, *players, "--zone", "Europe/Rome", "--every", "7", "--first", begin, "--no-reports", most=3)
        settings = PLACE / WAR / "campaign.yaml"
        lines = [line for line in settings.read_text().splitlines() if not line.startswith(("gm:", "run_when:"))]
        settings.write_text("\n".join([*lines, f"gm: {{name: Gil, email: gm@{DOMAIN}}}", "run_when: all-in"]) + "\n")
        (PLACE / WAR / "mail.yaml").write_text(self.mail_settings)
        secret = PLACE / WAR / "mail.secret"
        secret.touch(0o600)
        secret.write_text(f"imap: {PASSWORD}\nsmtp: {PASSWORD}\n")
        print(f"$ cat {WAR}/mail.yaml    # the passwords stand in mail.secret, for nobody else to read", self.mail_settings.rstrip(), sep="\n")

        say("From now on cron calls `tick`. The first one sends the first reports.")
        self.command("tick", WAR)
        self.look("anna", "bo", "gm")

        say("Anna fills her order file in, with a slip of the pen, and sends it as an attachment. Bo's server says that he is away.")
        send(self.exchanger, attachment(self.orders("ashby", "  recruit: [any, Archerz]\n  draw: {extra: 1}\n")), self.vacation())
        self.command("tick", WAR)
        say("Her receipt:")
        self.look("anna")
        self.show("anna")

        say("She sends a better one. Bo is back, answers his report, and writes his orders above it. Then all orders are in, and the turn is run.")
        send(self.exchanger, attachment(self.orders("ashby", "  recruit: [any, Archers]\n  draw: {extra: 1}\n")), self.answer())
        self.command("tick", WAR)
        self.look("anna", "bo", "gm")

        say("What the game master can look at:")
        self.command("status", WAR, without="nobody")
        print()
        self.command("mail", "list", WAR, "--every")
        print(f"\n$ ls {WAR}/mail/*")
        for folder in sorted(path for path in (PLACE / WAR / "mail").iterdir() if path.is_dir()):
            files = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
            print(f"{WAR}/mail/{folder.name + '/':<5} {len(files):>2} files" + (f", such as {files[0]}" if files else ""))

    def vacation(self):
        report = self.boxes["bo"].mails[0]
        letter = Letter(report, "belvoir", b"", f"bo@{DOMAIN}")
        body = f"I am away until tomorrow.\n\n{quote(report.text)}"
        return letter.with_heads(single_part(body, "Auto-Submitted: auto-replied", subject="Out of office", encoding="quoted-printable"))

    def answer(self):
        letter = self.orders("belvoir", "  land: [any]\n  recruit: [any]\n")
        body = f"Here they are!\n\n{letter.text}\n-- \nBo\n\nOn Monday, Lords by mail <war@{DOMAIN}> wrote:\n{quote(letter.report.text)}"
        return letter.with_heads(single_part(body, subject="Re: your report", encoding="quoted-printable"))


def say(sentence):
    print(f"\n== {sentence}")


def main():
    dovecot = which("dovecot")
    if dovecot is None or not subprocess.run([dovecot, "--version"], capture_output=True, text=True, check=False).stdout.startswith("2.3."):
        raise SystemExit(INSTALL)
    shutil.rmtree(PLACE, ignore_errors=True)
    PLACE.mkdir(parents=True)
    logging.getLogger("mail.log").setLevel(logging.ERROR)
    with ExitStack() as stack:  # the servers work as other users, who may not be let into this checkout
        dovecot = Mailboxes(stack.enter_context(public_folder("mail-round-"))).start()
        stack.callback(dovecot.stop)
        transport = Transport(dovecot.mail, dovecot.USERS)
        submission = stack.enter_context(smtp_server(transport, dovecot.certificates, "starttls", auth_required=True))
        exchanger = stack.enter_context(smtp_server(transport))
        Round(dovecot, submission, exchanger).play()
    print(f"\nThe campaign is in {os.path.relpath(PLACE / WAR, TOP)}; the servers have ended.")


if __name__ == "__main__":
    main()
