"""The game master's guide and the player's are true: what they show is run in order and compared, what they name exists."""

import email.policy
import importlib
import io
import re
import shlex
import subprocess
from contextlib import redirect_stderr, redirect_stdout
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from adjudicator.cli.main import COMMANDS, main
from adjudicator.core import registry
from adjudicator.core.orders import Choice, Fields
from adjudicator.office import settings as campaign_settings
from adjudicator.office.post import commands as by_mail
from adjudicator.office.post import settings as mail_settings
from adjudicator.office.post.settings import password_of, read_mail_settings
from adjudicator.orderfile.submission import KEYS
from adjudicator.store.trouble import Trouble

ROOT = Path(__file__).parent.parent
GUIDE = ROOT / "docs/gm-guide.md"
PLAYERS = ROOT / "docs/player-guide.md"
MENDING = ROOT / "docs/gm-guide/mending.md"
BLOCK = re.compile(r"(?:^<!-- (?P<mark>file|lines|mail): (?P<what>.*?) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$|^<!-- time: (?P<time>.*?) -->$", re.M | re.S)
TOKEN = re.compile(r"\b[2-9a-z]{4}-[2-9a-z]{4}\b")
SHELL = ("mkdir", "cp", "ls", "chmod", "mv", "cat")
"""Commands that are run as they stand; nothing else is."""
SEED = "20261228" * 4
HOME = "/home/gil"
"""What the guide calls the folder in which everything is done."""


class Story:
    """A guide's blocks, done in order in a folder of their own. Each console block leaves what it printed in `printed`.

    <!-- time: 2027-01-10 17:05 -->        it is now this moment, UTC
    <!-- file: PATH -->                    the next block is written there
    <!-- lines: PATH -->                   the next block's top-level keys take the place of those in the file
    <!-- mail: ADDRESS -->                 the next block comes as a mail from there; a token in it is made the right one
    ```console                             commands after `$ `, each with what it prints
    """

    def __init__(self, home: Path, monkeypatch) -> None:
        self.home, self.monkeypatch = home, monkeypatch
        self.number = 0
        monkeypatch.chdir(home)
        monkeypatch.setattr("adjudicator.report._processors", lambda: 1)
        monkeypatch.setattr("adjudicator.report.pdf.render", lambda _report: b"%PDF-1.7 that nobody looks at here")
        self.clock("2026-12-28 09:00")

    def clock(self, text: str) -> None:
        moment = datetime.strptime(text, "%Y-%m-%d %H:%M").replace(tzinfo=UTC)
        for name in sorted({module for module, _about in COMMANDS.values()}):
            module = importlib.import_module(f"adjudicator.cli.{name}")
            if hasattr(module, "now"):
                self.monkeypatch.setattr(module, "now", lambda: moment)

    def do(self, block: re.Match) -> list[tuple[str, str, str]]:
        """Do one block. Returns (command, what is shown, what it printed) for each command."""
        if block["time"]:
            self.clock(block["time"])
        elif block["mark"] == "file":
            path = self.home / block["what"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block["text"])
        elif block["mark"] == "lines":
            self._lines(self.home / block["what"], block["text"])
        elif block["mark"] == "mail":
            self._mail(block["what"], block["text"])
        elif block["language"] == "console":
            shown = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block["text"], re.M)
            return [(command, answer, self.run(command)) for command, answer in shown]
        return []

    def run(self, command: str) -> str:
        words = shlex.split(command, comments=True)
        if words[0] == "adjudicator":
            words += ["--seed", SEED] if words[1] == "new" else []
            out = io.StringIO()
            with redirect_stdout(out), redirect_stderr(out):
                try:
                    main(words[1:], prog_name="adjudicator")
                except SystemExit:
                    pass
            return out.getvalue().replace(str(self.home), HOME)
        assert words[0] in SHELL, command
        return subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd=self.home, check=True).stdout

    def _lines(self, path: Path, text: str) -> None:
        kept = path.read_text()
        for key, lines in re.findall(r"(?m)^(\w+):(.*\n(?:[ #].*\n)*)", text):
            kept, count = re.subn(rf"(?m)^{key}:.*\n(?: .*\n)*", lambda _found: f"{key}:{lines}", kept)  # noqa: B023
            assert count == 1, f"{path}: {key}"
        path.write_text(kept)

    def _mail(self, sender: str, text: str) -> None:
        campaign, seat = re.search(r"^campaign: (\S+)", text, re.M)[1], re.search(r"^seat: (\S+)", text, re.M)[1]
        secret = (self.home / "campaigns" / campaign / "secret.yaml").read_text()
        token = re.search(rf"^ *{seat}: \"?([2-9a-z-]+)", secret, re.M)[1]
        self.number += 1
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = sender, "war@example.org", "orders"
        message["Message-ID"] = f"<{self.number}@players.example>"
        message.set_content(re.sub(r"^token: \S+", f"token: {token}", text, flags=re.M))
        place = self.home / "campaigns/incoming"
        place.mkdir(exist_ok=True)
        (place / f"{self.number}.eml").write_bytes(message.as_bytes(policy=email.policy.SMTP))


def normal(text: str) -> str:
    """What a block prints, but for tokens, marks of a turn's result, and spaces at the ends of lines."""
    text = TOKEN.sub("xxxx-xxxx", text)
    return "\n".join(line.rstrip() for line in re.sub(r"\b[0-9a-f]{8,}\b", "xxxxxxxx", text).strip("\n").split("\n"))


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """The guide's story, done once: (its folder, (command, what is shown, what it printed) for each command)."""
    home = tmp_path_factory.mktemp("gil")
    with pytest.MonkeyPatch.context() as monkeypatch:
        story = Story(home, monkeypatch)
        return home, [done for block in BLOCK.finditer(GUIDE.read_text()) for done in story.do(block)]


def test_what_the_guide_shows_is_what_the_program_prints(told):
    _home, done = told
    assert len(done) > 20
    assert "\n".join(f"$ {command}\n{normal(shown)}" for command, shown, _printed in done) == "\n".join(f"$ {command}\n{normal(printed)}" for command, _shown, printed in done)


LORDS = """<!-- file: campaigns/mail.yaml -->
```yaml
address: war@example.org
in: {folder: incoming}
```
```console
$ mkdir campaigns/incoming
$ adjudicator new feudal-lords campaigns/lords --player "Anna <anna@example.org>" --player "Bo <bo@example.org>" --zone Europe/Rome --every 14 --first 2027-01-10
```
<!-- lines: campaigns/lords/campaign.yaml -->
```yaml
gm: {email: "gil@example.org"}
reminders: [3 days, 1 day]
```
```console
$ adjudicator seat gm -C campaigns/lords --new-token
$ adjudicator tick campaigns/lords
```
"""


@pytest.fixture
def lords(tmp_path, monkeypatch):
    """A small campaign by mail, after its first tick."""
    story = Story(tmp_path, monkeypatch)
    for block in BLOCK.finditer(LORDS):
        story.do(block)
    assert "sent 2026-12-28T09:00:00Z" in story.run("adjudicator mail list campaigns/lords")
    return story


def order(seat: str, more: str, turn: int = 1) -> str:
    return f"campaign: lords\nturn: {turn}\nseat: {seat}\ntoken: right\n{more}\n"


def test_a_report_goes_out_again_to_a_new_address_and_with_a_new_token(lords):
    path = lords.home / "campaigns/lords/campaign.yaml"
    path.write_text(path.read_text().replace("anna@", "anna.new@"))
    assert "reports queued: 1" in lords.run("adjudicator tick campaigns/lords") and "anna.new@example.org" in lords.run("adjudicator mail list campaigns/lords")
    lords._mail("bo@example.org", order("belvoir", "orders: {}"))
    lords.run("adjudicator seat belvoir -C campaigns/lords --new-token")
    assert set(lords.run("adjudicator tick campaigns/lords").splitlines()) >= {"bo@example.org: wrong token", "lords: reports queued: 1"}
    lords._mail("bo@example.org", order("belvoir", "orders: {}"))
    assert "bo@example.org: taken\n" in lords.run("adjudicator tick campaigns/lords")
    assert "no longer in force" in lords.run("adjudicator seat belvoir -C campaigns/lords --drop-orders")


def test_a_machine_that_was_off_for_a_month(lords):
    """All the mail is taken in first, one turn is run, and the next deadline lies ahead."""
    for seat, sender in (("ashby", "anna@example.org"), ("belvoir", "bo@example.org")):
        lords._mail(sender, order(seat, "orders: {}"))
    lords.clock("2027-02-15 12:00")
    said = lords.run("adjudicator tick campaigns/lords")
    assert said.count("taken") == 2 and said.count("was run") == 1 and "reminders" not in said, said
    assert "Sunday 21 February 2027" in lords.run("adjudicator status campaigns/lords")
    assert lords.run("adjudicator tick campaigns/lords") == ""


def test_a_turn_is_not_run_when_most_are_silent_and_a_mail_of_the_game_master_runs_it(lords):
    lords.clock("2027-01-10 17:05")
    assert "was run" not in lords.run("adjudicator tick campaigns/lords")
    assert "too many have sent nothing" in lords.run("adjudicator mail list campaigns/lords")
    lords._mail("elsewhere@example.org", order("gm", "do: run"))
    assert "Turn 1 has been run" in lords.run("adjudicator tick campaigns/lords")
    assert "Round 2, turn 2" in lords.run("adjudicator status campaigns/lords")


def test_a_filter_hands_a_message_over_or_is_told_to_try_again(lords):
    message = b"From: bo@example.org\r\nTo: war@example.org\r\nSubject: hello\r\n\r\nNo orders.\r\n"
    codes = [CliRunner().invoke(main, ["mail", "pull", path, "-"], input=message).exit_code for path in ("campaigns/lords", "campaigns/nothing")]
    assert codes == [0, 75]


def test_the_places_that_the_guide_names_are_there(told):
    home, _done = told
    rows = table("Where everything lies")
    assert len(rows) > 10
    for (place, *_rest) in rows:
        if place != f"campaigns/{mail_settings.PASSWORDS}":
            assert (home / place).exists(), place
    assert (home / "campaigns/mail").stat().st_mode & 0o077 == 0 and (home / "campaigns").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("document", [GUIDE, PLAYERS, MENDING], ids=lambda path: path.stem)
def test_every_command_and_option_that_is_named_exists(document):
    found = named_commands(document.read_text())
    assert len(found) >= 2
    for line, words in found:
        check_command(line, words)


def test_a_command_that_does_not_exist_would_be_seen():
    for text in ("`adjudicator tik war`", "`adjudicator mail pul war`", "`adjudicator tick war --everything`", "```sh\n*/5 * * * * adjudicator tick --al /home\n```"):
        with pytest.raises(AssertionError):
            [check_command(line, words) for line, words in named_commands(text)]


def test_all_keys_of_mail_yaml_are_explained():
    model = mail_settings._model()
    rows = {row[0] for row in table("4. The mailbox")}
    assert rows == keys_of(model) - {"imap", "smtp", "maildir", "mbox"}
    words = GUIDE.read_text().partition("## 4. The mailbox")[2].partition("## 5")[0]
    assert all(f"`{key}`" in words for key in ("imap", "smtp", "maildir", "mbox"))
    assert set(re.findall(r"`(\w+)`: ", next(row for row in raw_table("4. The mailbox") if row.startswith("| `security`")))) == set(mail_settings.SECURITY)


def test_the_mail_yaml_with_servers_is_one(tmp_path):
    """It is read, and with the passwords in the places that the guide names, in its order."""
    text = next(block["text"] for block in BLOCK.finditer(GUIDE.read_text()) if block["mark"] == "file" and "imap:" in block["text"])
    (tmp_path / "mail.yaml").write_text(text)
    settings = read_mail_settings(tmp_path / "mail.yaml")
    assert (settings.source, settings.sink, settings.imap.port, settings.smtp.port, settings.imap.move_to) == ("imap", "smtp", 993, 587, "Adjudicated")
    assert (settings.imap.security, settings.smtp.security, settings.imap.folder) == ("tls", "starttls", "INBOX")
    (tmp_path / "mail.yaml").write_text(text.replace("host: imap", "password: abcd\n    host: imap"))
    with pytest.raises(Trouble):
        read_mail_settings(tmp_path / "mail.yaml")
    secret = tmp_path / "mail.secret"
    secret.write_text("imap: one\nsmtp: two\n")
    secret.chmod(0o644)
    with pytest.raises(Trouble, match="may be read by others"):
        password_of("imap", settings.imap, tmp_path, {})
    secret.chmod(0o600)
    assert [password_of(what, settings.imap, tmp_path, {}) for what in ("imap", "smtp")] == ["one", "two"]
    secret.write_text("password: abcd efgh ijkl mnop\n")
    assert password_of("smtp", settings.smtp, tmp_path, {}) == "abcd efgh ijkl mnop"
    variables = re.findall(r"`(ADJUDICATOR_\w+)`", GUIDE.read_text())
    assert variables == ["ADJUDICATOR_IMAP_PASSWORD", "ADJUDICATOR_SMTP_PASSWORD", "ADJUDICATOR_MAIL_PASSWORD"]
    assert [password_of(what, settings.imap, tmp_path, {name: "x"}) for what, name in (("imap", variables[0]), ("smtp", variables[1]), ("imap", variables[2]))] == ["x"] * 3


def test_the_options_of_the_campaign_are_explained():
    """Each key and each value in the table is one; and no value of an option of the mail is left out."""
    model = campaign_settings._model(registry.load("roses"), ["1"])
    rows = {row[0]: line for row, line in zip(table("3. The campaign's options"), raw_table("3. The campaign's options"), strict=True)}
    assert set(rows) <= set(model.fields)
    assert {"gm", "run_when", "nmr", "mass_nmr", "reminders", "press", "anonymous", "deadline", "players"} <= set(rows)
    for key, line in rows.items():
        kind = model.fields[key].kind
        if isinstance(kind, Choice):
            assert set(re.findall(r"`([a-z-]+)`", line.split("|")[3])) == set(kind.words), key


def test_the_commands_by_mail_are_those_that_there_are():
    shown = {row[0].split()[0] for row in table("8. Commands by mail")}
    assert shown == {each.split()[0] for each in by_mail.ALLOWED.split(", ")}


def test_what_players_may_write_is_read(told, tmp_path, capsys):
    """Each order file in the player's guide is taken without a doubt, and the keys in its table are keys."""
    home, _done = told
    view = home / "campaigns/war/turns/0000/reports/york.view.json"
    files = re.findall(r"```yaml\n(.*?)```", PLAYERS.read_text(), re.S)
    assert len(files) == 3
    files += [f"{files[0]}{row[0]}\n" for row in table("What else you may write", PLAYERS) if not row[0].startswith(("orders", "salt"))]
    files += [files[0].partition("orders:")[0] + "orders: withdraw\n", f"{files[0]}absent: until Winter 1455\n", f"{files[0]}absent: no\n"]
    for number, text in enumerate(files):
        path = tmp_path / f"{number}.yaml"
        path.write_text(text)
        with pytest.raises(SystemExit) as ended:
            main(["check", str(path), "--view", str(view)], prog_name="adjudicator")
        printed = capsys.readouterr().out
        assert ended.value.code in (0, None), f"{text}\n{printed}"
        assert f"{path.name}:" not in printed, printed
    assert {row[0].split(":")[0] for row in table("What else you may write", PLAYERS)} <= set(KEYS)


@pytest.mark.parametrize("document", [GUIDE, PLAYERS, MENDING, ROOT / "README.md"], ids=lambda path: path.stem)
def test_links_lead_somewhere(document):
    for link in re.findall(r"\]\(([^)\s]+)\)", document.read_text()):
        path, _hash, anchor = link.partition("#")
        target = document.parent / path if path else document
        assert target.exists(), link
        if anchor:
            headings = re.findall(r"^#+ (.*)$", target.read_text(), re.M)
            assert anchor in {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}, link


def raw_table(heading: str, document: Path = GUIDE) -> list[str]:
    """The rows of the first table under a heading, without its head."""
    under = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^##? )", document.read_text() + "\n## \n", re.M | re.S)[1]
    return re.search(r"(?m)^\| --- .*\n((?:\|.*\n)+)", under)[1].splitlines()


def table(heading: str, document: Path = GUIDE) -> list[list[str]]:
    """What is written as code in the first column of each row."""
    return [re.findall(r"`([^`]+)`", row.split("|")[1]) for row in raw_table(heading, document)]


def keys_of(fields: Fields) -> set[str]:
    """Every key of a model, those further in too."""
    return {key for name, field in fields.fields.items() for key in [name, *(keys_of(field.kind) if isinstance(field.kind, Fields) else [])]}


def named_commands(text: str) -> list[tuple[str, list[str]]]:
    """Every call of the program in code, whether in a block or in a line: (as written, its words)."""
    code = [line for block in re.findall(r"(?ms)^```\w*\n(.*?)^```", text) for line in block.splitlines()]
    code += re.findall(r"`([^`\n]+)`", re.sub(r"(?ms)^```.*?^```", "", text))
    found = []
    for line in code:
        call = re.search(r"(?<!-u )(?<![^ /|(=])adjudicator (.*)", line)
        if call and call[1].strip():
            found.append((line, shlex.split(re.split(r" (?:>>?|&&|\|) ", call[1])[0], comments=True)))
    return found


def check_command(line: str, words: list[str]) -> None:
    """The command is one of the program's, and its options are its own."""
    command: click.Command = main
    context = click.Context(command)
    while isinstance(command, click.Group):
        assert words and command.get_command(context, words[0]), line
        command, words = command.get_command(context, words[0]), words[1:]
    known = {option for parameter in command.params for option in [*parameter.opts, *parameter.secondary_opts]} | {"--help"}
    for word in words:
        if word.startswith("-") and word != "-":
            assert word.partition("=")[0] in known, f"{line}: {word}"
