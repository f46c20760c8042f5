"""The commands as people and programs use them: what is printed where, how they end, and that they never end in a traceback."""

import errno
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from table import SEED, begin, order_file, play, send, snapshot, token

from adjudicator.cli import show
from adjudicator.cli.main import COMMANDS, main


def environment(**more) -> dict[str, str]:
    """For a process of its own: it finds what is found here."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "LC_ALL": "C", **more}


def cli(*args, code=0, **how):
    result = CliRunner().invoke(main, [str(arg) for arg in args], prog_name="adjudicator", **how)
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result


def process(*args, **how):
    command = [sys.executable, "-c", "from adjudicator.cli.main import main; main()", *map(str, args)]
    return subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=120, **how)


@pytest.fixture
def path(tmp_path):
    begin(tmp_path / "c")
    return tmp_path / "c"


def test_a_campaign_from_new_to_verify(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = cli("new", "stones", "war", "--player", "Anna <anna@x.org>", "--player", "Bo", "--seat", "blue=1", "--seat", "red=2", "--option",
               "heap=60",
               "--title", "The Stone War", "--no-reports", "--deadline", "Sunday")
    assert re.search(r"^blue +Blue +Anna +[2-9a-z]{4}-[2-9a-z]{4}$", made.stdout, re.M) and "The Stone War (war)" in made.stdout
    assert re.search(r"^green +Green +Steward$", made.stdout, re.M)
    assert "adjudicator status war" in made.stderr
    tokens = dict(re.findall(r"^(\w+) .* ([2-9a-z]{4}-[2-9a-z]{4})$", made.stdout, re.M))
    Path("anna.yaml").write_text(f"campaign: war\nturn: 1\nseat: blue\ntoken: {tokens['blue']}\norders:\n  take: 3\n")
    Path("bo.yaml").write_text(f"campaign: war\nturn: 1\nseat: red\ntoken: {tokens['red']}\norders:\n  take: 4\n  tkae: 3\n")
    assert cli("submit", "-C", "war", "anna.yaml").stdout.startswith("The Stone War: Blue, Round 1\n")
    both = cli("submit", "-C", "war", "anna.yaml", "bo.yaml", code=1)
    assert "bo.yaml:7:3: " in both.stdout and "did you mean: take" in both.stdout and both.stdout.count("SHA-256") == 2
    now = cli("status", "war")
    assert re.search(r"^blue +Blue +Anna +sent \(2 files\)$", now.stdout, re.M) and "deadline: Sunday" in now.stdout and "take" not in now.stdout
    assert "adjudicator run war" in now.stderr
    dry = cli("run", "war", "--dry", "--no-reports")
    ran = cli("run", "war", "--no-reports")
    assert dry.stdout == ran.stdout and "turn 1, Round 1: 2 by file; 1 by steward;" in ran.stdout
    assert "dry run" in dry.stderr and "dry run" not in ran.stderr
    cli("run", "war", "--turns", "2", "--yes", "--no-reports")
    assert "Round 4, turn 4 of 12" in cli("status", "war").stdout
    assert "turn 3, Round 3, is undone" in cli("undo", "war").stdout
    end = cli("run", "war", "--to-end", "--yes", "--no-reports")
    assert "the game is over" in end.stdout.splitlines()[-1] and "won by" in end.stdout
    assert "everything is as it was played" in cli("verify", "war").stdout
    assert "won by" in cli("run", "war", code=1).stderr
    assert "won by" in cli("status", "war").stdout
    assert "won by" in cli("submit", "-C", "war", "anna.yaml", code=1).stdout


def test_the_current_folder_is_the_campaign(path, monkeypatch):
    monkeypatch.chdir(path)
    assert "turn 1 of 12" in cli("status").stdout
    monkeypatch.chdir(path.parent)
    wrong = cli("status", code=1)
    assert "is no campaign folder" in wrong.stderr and "adjudicator new" in wrong.stderr and wrong.stdout == ""
    assert "there is no folder nowhere" in cli("status", "nowhere", code=1).stderr


def test_json_for_programs(path):
    send(path, order_file(path, "red", "take: 3"))
    now = json.loads(cli("status", path, "--json").stdout)
    assert [(each["seat"], each["sent"]) for each in now["seats"]] == [("red", True), ("green", False), ("blue", False)]
    assert "take" not in json.dumps(now)
    ran = json.loads(cli("run", path, "--yes", "--json", "--no-reports").stdout)
    assert ran[0]["turn"] == 1 and ran[0]["how"] == {"red": "file", "green": "nmr", "blue": "nmr"}
    (path / "x.yaml").write_bytes(order_file(path, "red", "take: 4"))
    assert json.loads(cli("submit", path / "x.yaml", "-C", path, "--json").stdout)[0]["orders"] == {"take": 4}
    assert json.loads(cli("check", path / "x.yaml", "-C", path, "--json").stdout)["fine"] is True
    assert json.loads(cli("undo", path, "--json").stdout)["turn"] == 1
    assert json.loads(cli("verify", path, "--json").stdout)["difference"] is None
    assert {"id": "stones", "title": "Counting Stones", "revision": 1, "players": [1, 3], "seats": ["red", "green", "blue"],
            "summary": "Take stones from a heap; the fullest hand wins."} in json.loads(CliRunner().invoke(main, ["rulesets", "--json"]).stdout)
    made = json.loads(cli("new", "stones", path.parent / "d", "--players", 1, "--json", "--no-reports").stdout)
    assert made["seats"]["red"]["token"] and made["seats"]["blue"] == {"holder": "steward", "player": "Steward", "token": ""}
    assert "seed" not in made


def test_standard_input_can_be_submitted_and_checked(path):
    data = order_file(path, "red", "take: 3")
    assert cli("check", "-", "-C", path, input=data).stdout.endswith("take: 3\n")
    assert not (path / "turns/0001").exists()
    cli("submit", "-", "-C", path, input=data)
    assert (path / "turns/0001/inbox/red-001.yaml").read_bytes() == data


def test_check_with_the_view_of_a_report_needs_no_campaign(tmp_path):
    begin(tmp_path / "c", reports=True)
    reports = tmp_path / "c/turns/0000/reports"
    good = cli("check", reports / "red.orders.yaml", "--view", reports / "red.view.json")
    assert "greed: low" in good.stdout and "nothing is refused" in good.stderr
    (tmp_path / "bad.yaml").write_bytes(order_file(tmp_path / "c", "red", "take: many"))
    bad = cli("check", tmp_path / "bad.yaml", "--view", reports / "red.view.json", code=1)
    assert "bad.yaml:6:9: 'many' is not a whole number\n   6 |   take: many\n" in bad.stdout
    at_home = cli("template", "--view", reports / "red.view.json").stdout
    assert at_home.replace("????-????", token(tmp_path / "c", "red")).replace('"', "") == (reports / "red.orders.yaml").read_text().replace('"', "")
    assert cli("schema", "--view", reports / "red.view.json").stdout == (reports / "red.schema.json").read_text()
    assert cli("template", "--seat", "Red", "-C", tmp_path / "c").stdout == (reports / "red.orders.yaml").read_text()
    assert "did you mean Red" in cli("template", "--seat", "Redd", "-C", tmp_path / "c", code=1).stderr
    cli("template", "-C", tmp_path / "c", code=2)
    (tmp_path / "v.json").write_text("{}")
    assert "save it again from the mail" in cli("check", tmp_path / "bad.yaml", "--view", tmp_path / "v.json", code=1).stderr


def test_report_again(path):
    play(path, 2)
    out = cli("report", path, "--turn", 1, "--seat", "red", "--seat", "gm").stdout
    assert [Path(line).name for line in out.splitlines()] == ["gm.html", "gm.pdf", "gm.txt", "red.html", "red.orders.yaml", "red.pdf",
                                                              "red.schema.json", "red.txt", "red.view.json"]
    assert all(Path(line).exists() and "0001" in line for line in out.splitlines())
    assert "has not been run" in cli("report", path, "--turn", 3, code=1).stderr
    assert "nobody holds the seat purple" in cli("report", path, "--seat", "purple", code=1).stderr


def test_too_many_missing_asks_on_a_terminal_and_stops_elsewhere(path, monkeypatch):
    send(path, b"rubbish")
    stopped = cli("run", path, "--no-reports", code=1)
    assert "3 of 3 players' seats have sent nothing that can be in force: red, green, blue; 1 file came" in stopped.stderr and "--yes" in stopped.stderr
    monkeypatch.setattr(show, "may_ask", lambda: True)
    assert "nothing is half done" in cli("run", path, "--no-reports", input="n\n", code=1).stderr
    assert [each.name for each in (path / "turns/0001").iterdir()] == ["inbox"]
    cli("run", path, "--no-reports", input="y\n")
    assert (path / "turns/0001/manifest.json").exists()


def test_new_asks_step_by_step_on_a_terminal(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(show, "may_ask", lambda: True)
    answers = ["stones", "war", "The Stone War", "2", "Anna", "anna@x.org", "Bo", "", "n", "none", "40", "12", "windy"]
    made = cli("new", "--no-reports", input="\n".join(answers) + "\n")
    assert "Stones in the heap at the start. (a whole number from 1 to 1000)" in made.stderr
    assert "'none' is not a whole number" in made.stderr
    text = Path("war/campaign.yaml").read_text()
    for part in ('title: "The Stone War"', '1: {name: "Anna", email: "anna@x.org"}', '2: {name: "Bo", email: ""}', "heap: 40", "weather: windy",
                 "blue: {holder: steward}"):
        assert part in text
    assert "Anna" in made.stdout and "Name of player" not in made.stdout


@pytest.mark.parametrize("args, words", [
    (["new"], "RULESET is missing"), (["new", "stones"], "FOLDER is missing"), (["new", "stones", "x"], "who plays?"),
    (["new", "stones", "x", "--players", "2", "--player", "A"], "not both"),
    (["new", "stones", "x", "--players", "2", "--option", "heap"], "write NAME=VALUE"),
    (["new", "stones", "x", "--players", "1", "--language", "xx"], "there is no 'xx'"), (["stauts"], "Did you mean status?"),
    (["run", "--dry", "--to-end"], "dry run"),
    (["run", "--turns", "2", "--to-end"], "either"), (["submit"], "FILE"), (["check", "nothing.yaml"], "nothing.yaml"),
    (["run", "--whatever"], "--whatever"),
])
def test_wrong_use_ends_with_2(args, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert words in cli(*args, code=2).stderr
    assert list(tmp_path.iterdir()) == []


def test_problems_of_campaign_yaml_are_shown_with_their_lines(path):
    settings = path / "campaign.yaml"
    settings.write_text(settings.read_text().replace("heap: 30", "heap: lots"))
    wrong = cli("status", path, code=1)
    line = next(n for n, text in enumerate(settings.read_text().splitlines(), 1) if "heap: lots" in text)
    assert f"campaign.yaml:{line}:9: 'lots' is not a whole number" in wrong.stderr and "^^^^" in wrong.stderr
    assert "campaign.yaml has mistakes" in wrong.stderr


def test_what_was_mended_is_said(path):

    play(path)
    (path / "turns/0001").rename(path / "turns/.0001.building")
    said = cli("status", path)
    assert "turn 1 was finished, but not yet in its place" in said.stderr
    (path / "turns/.0002.building").mkdir()
    said = cli("run", path, "--yes", "--no-reports")
    assert "what was half done is removed" in said.stderr and "turn 2, Round 2" in said.stdout
    (path / "turns/0002").rename(path / "turns/.0002.building")
    said = cli("run", path, "--yes", "--no-reports", code=1)
    assert "has become turn 2" in said.stderr and not (path / "turns/0003").exists(), "the turn that was asked for has been run; it is not run on"


def test_tampering_is_named(path):
    play(path, 2)
    file = path / "turns/0001/events.jsonl"
    file.write_bytes(file.read_bytes().replace(b"wind", b"wynd", 1))
    wrong = cli("verify", path, code=1)
    assert wrong.stdout == "turns/0001/events.jsonl: was changed after the turn was run\n"


def test_a_fault_of_the_program_is_a_sentence_and_a_file(path, monkeypatch, tmp_path):
    from adjudicator.office import standing

    def fail(*_arguments):
        raise ZeroDivisionError("by nought")
    monkeypatch.setattr(standing, "standing", fail)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    wrong = cli("status", path, code=1)
    assert "fault of the program (ZeroDivisionError: by nought)" in wrong.stderr
    file = Path(re.search(r"in (\S+adjudicator-crash-\S+\.txt)", wrong.stderr)[1])
    assert "ZeroDivisionError: by nought" in file.read_text() and "Traceback" in file.read_text()


@pytest.mark.parametrize("number, words", [(errno.ENOSPC, "the disk is full"), (errno.EROFS, "cannot be written"),
                                           (errno.EACCES, "may not be read or written")])
def test_a_full_or_closed_disk_is_a_sentence_and_leaves_nothing_half_done(path, monkeypatch, number, words):
    from adjudicator.store import disk

    before = snapshot(path)
    with monkeypatch.context() as patch:
        def fail(name, place):
            if place.name == "dice.jsonl":
                raise OSError(number, os.strerror(number), str(place))
        patch.setattr(disk, "step", fail)
        wrong = cli("run", path, "--yes", "--no-reports", code=1)
        assert words in wrong.stderr and "dice.jsonl" in wrong.stderr
    cli("status", path)
    assert snapshot(path) == before


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_output_that_cannot_be_written(path):
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-c", "from adjudicator.cli.main import main; main()", "status", str(path)]
        ended = subprocess.run(command, env=environment(), stdout=full, stderr=subprocess.PIPE, text=True)
    assert ended.returncode == 1 and "the disk is full" in ended.stderr and "Traceback" not in ended.stderr and "Exception" not in ended.stderr


def test_a_closed_pipe(path):
    command = [sys.executable, "-c", "from adjudicator.cli.main import main; main()", "rulesets", "--json"]
    reader, writer = os.pipe()
    os.close(reader)
    ended = subprocess.run(command, env=environment(), stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    assert ended.returncode == 1 and "Traceback" not in ended.stderr and "Exception" not in ended.stderr
    assert "the reader of the output went away" in ended.stderr


def test_a_pipe_gets_plain_text_and_a_terminal_a_table(path, monkeypatch):
    assert not re.search("[\x1b│┃─]", cli("status", path).output)
    monkeypatch.setattr(show, "is_terminal", lambda stream: True)
    assert "┃" in cli("status", path).stdout


def test_a_poor_locale_does_not_matter(tmp_path):
    ended = process("new", "stones", tmp_path / "c", "--player", "Jürgen Ωmega <j@x.org>", "--title", "Kámen", "--no-reports")
    assert ended.returncode == 0, ended.stderr
    ended = subprocess.run([sys.executable, "-c", "from adjudicator.cli.main import main; main()", "status", str(tmp_path / "c")],
                           env=environment(PYTHONIOENCODING="ascii", PYTHONUTF8="0"), capture_output=True, text=True)
    assert ended.returncode == 0 and "Traceback" not in ended.stderr, ended.stderr


def test_secret_yaml_that_others_may_read_is_told(path):
    assert "chmod" not in cli("status", path).stderr
    (path / "secret.yaml").chmod(0o644)
    assert "chmod 600" in cli("status", path).stderr


def test_every_command_has_help_with_an_example():
    for name in COMMANDS:
        text = cli(name, "--help").stdout
        assert "Example" in text and f"adjudicator {name}" in text, name
        for command in re.findall(r"^\s+adjudicator (\S+)", text, re.M):
            assert command in COMMANDS, command
        assert len(COMMANDS[name][1]) < 80
    for name in COMMANDS:
        assert name in cli("--help").stdout
    assert re.fullmatch(r"adjudicator \d\S+\n", cli("--version").stdout)


def test_help_comes_at_once():
    """--help loads neither games nor heavy libraries, and takes at most 0.15 s longer than Python itself."""
    code = "import sys; sys.argv = ['adjudicator', '--help']\nfrom adjudicator.cli.main import main\ntry: main()\nexcept SystemExit: pass\nprint(*sorted(sys.modules), file=sys.stderr)"
    ended = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True)
    loaded = set(ended.stderr.split())
    assert ended.returncode == 0 and "click" in loaded
    assert not loaded & {"rich", "ruamel", "ruamel.yaml", "weasyprint", "jinja2", "msgspec", "filelock", "stones", "adjudicator.rulesets",
                         "importlib.metadata"}

    def seconds(code):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True)
        return time.perf_counter() - started
    slow = min(seconds(code) for _try in range(5))
    fast = min(seconds("pass") for _try in range(5))
    assert slow - fast < 0.15


def test_completion(path):
    assert "_ADJUDICATOR_COMPLETE=bash_complete" in cli("completion", "bash").stdout
    def complete(words):
        return subprocess.run([sys.executable, "-c", "from adjudicator.cli.main import main; main(prog_name='adjudicator')"],
                              capture_output=True, text=True,
                              env=environment(_ADJUDICATOR_COMPLETE="bash_complete", COMP_WORDS=f"adjudicator {words}", COMP_CWORD=str(len(words.split(" "))))).stdout.split()
    assert "plain,status" in complete("sta")
    assert "plain,stones" in complete("new sto")
    assert complete(f"template -C {path} --seat re") == ["plain,red"]


def test_the_lock_of_another_command_is_told(path, monkeypatch):
    from adjudicator.office import campaign
    from adjudicator.store import lock

    real = campaign.locked
    monkeypatch.setattr(campaign, "locked", lambda folder, command, wait, must: real(folder, command, 0.1, must))
    with lock.locked(path, "adjudicator run war"):
        wrong = cli("status", path, code=1)
    assert f"process {os.getpid()} (adjudicator run war)" in wrong.stderr and "wait until it has ended" in wrong.stderr


def test_a_short_seed_is_warned_of(tmp_path):
    assert "can be guessed" in cli("new", "stones", tmp_path / "a", "--stewards", "--seed", "7", "--no-reports").stderr
    assert "can be guessed" not in cli("new", "stones", tmp_path / "b", "--stewards", "--seed", SEED, "--no-reports").stderr
    assert "adjudicator run" in cli("new", "stones", tmp_path / "d", "--stewards", "--no-reports").stderr
    same = [snapshot(tmp_path / name) for name in "ab"]
    assert same[0]["turns/0000/state.json"] == same[1]["turns/0000/state.json"]
