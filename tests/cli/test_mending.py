"""seat, amend, redo, kit, log, explain, preview, rules, archive as people use them."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from table import begin, order_file, play, send, snapshot, token

from adjudicator.cli.main import COMMANDS, main


def cli(*args, code=0, **how):
    result = CliRunner().invoke(main, [str(arg) for arg in args], prog_name="adjudicator", **how)
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result


@pytest.fixture
def path(tmp_path):
    begin(tmp_path / "c")
    return tmp_path / "c"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command):
    shown = cli(command, "--help").stdout
    assert re.search(r"^ *Examples?:\n +\S", shown, re.M)


def test_a_seat_from_hand_to_hand(path, tmp_path):
    send(path, order_file(path, "red", "take: 3"))
    done = cli("seat", "Red", "-C", path, "--player", "Dora <dora@example.org>")
    new = re.search(r"^token: (\S+)$", done.stdout, re.M)[1]
    assert done.stdout.startswith("Red: Dora (before: Anna)\n") and token(path, "red") == new
    assert "in force as before" in done.stderr and "--drop-orders" in done.stderr and "adjudicator kit" in done.stderr
    kit = cli("kit", "-C", path, "--seat", "red", "--to", tmp_path / "for-dora").stdout.split()
    assert [Path(each).name for each in kit] == ["red.view.json", "red.orders.yaml", "red.schema.json"]
    assert new in (tmp_path / "for-dora/red.orders.yaml").read_text()
    assert "1 file sent" in cli("seat", "red", "-C", path, "--drop-orders").stderr
    assert "Anna" in cli("seat", "red", "-C", path, "--player", "1").stdout
    now = json.loads(cli("status", path, "--json").stdout)["seats"][0]
    assert (now["player"], now["sent"]) == ("Anna", False)
    assert "the steward standing in" in cli("seat", "red", "-C", path, "--steward", "on").stdout
    assert "away to turn 3" in cli("seat", "red", "-C", path, "--away", "3", "--steward", "off").stdout
    assert re.search(r"^red +Red +Anna, away to turn 3, the steward standing in +the steward plays$", cli("status", path).stdout, re.M)
    assert cli("seat", "red", "-C", path, "--away", "0").stdout == "Red: Anna (before: Anna, away to turn 3, the steward standing in)\n"
    assert token(path, "red") != (cli("seat", "red", "-C", path, "--new-token"), token(path, "red"))[1]
    answer = json.loads(cli("seat", "red", "-C", path, "--holder", "steward", "--json").stdout)
    assert (answer["now"], answer["token"]) == ("the steward", "")


@pytest.mark.parametrize("args, code, words", [
    (["seat"], 2, "SEAT"), (["seat", "red"], 2, "what shall be changed?"), (["seat", "red", "--player", "A", "--holder", "steward"], 2, "either"),
    (["seat", "Redd", "--new-token"], 1, "did you mean Red?"), (["seat", "red", "--player", "A <a@b>"], 1, "is no e-mail address"),
    (["seat", "red", "--holder", "nobody"], 1, "no rule for a seat"), (["seat", "red", "--steward", "off"], 1, "changes nothing"),
    (["amend"], 1, "nothing is to be changed"), (["amend", "--set", "heap"], 2, "write PATH=VALUE"), (["amend", "--set", "heap=5"], 1, "needs a reason"),
    (["amend", "--set", "heap=5", "--reason", "x", "--tell", "purple"], 1, "no seat is called 'purple'"),
    (["redo"], 1, "was not undone"), (["kit", "--seat", "red"], 2, "--to"), (["log", "--turn", "7"], 1, "has not been run"),
    (["log", "--seat", "purple"], 1, "no seat is called"), (["explain"], 2, "which code?"), (["explain", "XYZZY"], 1, "--all"),
    (["preview"], 2, "which seat?"), (["rules", "--format", "pdf"], 2, "-o rules.pdf"), (["rules", "--chapter", "99"], 1, "no chapter 99"),
    (["archive", "-o", "x.rar"], 1, "neither a .zip nor a .tar.gz"), (["archive", "--with-letters"], 2, "goes with"), (["restore"], 2, "FILE"),
    (["restore", "campaign.yaml"], 1, "neither"),
])
def test_wrong_use_and_trouble(path, monkeypatch, args, code, words):
    monkeypatch.chdir(path)
    before = snapshot(path)
    assert words in cli(*args, code=code).stderr
    assert snapshot(path) == before


def test_amend_look_first_then_do_then_undo_and_redo(path):
    play(path)
    dry = cli("amend", path, "--set", "hands.red=20", "--reason", "lost", "--dry")
    assert re.search(r"^set +hands.red +\d +20$", dry.stdout, re.M) and "nothing was changed" in dry.stderr
    done = cli("amend", path, "--set", "hands.red=20", "--set=heap=77", "--reason", "lost", "--tell", "red,Green")
    assert "told in the reports of that turn to: red, green, gm" in done.stderr and "adjudicator kit" in done.stderr
    assert cli("amend", path, "--show", "hands.red").stdout == "20\n"
    assert json.loads(cli("amend", path, "--show", ".").stdout)["heap"] == 77
    assert "1 correction by the game master" in cli("status", path).stdout
    play(path)
    before = snapshot(path)
    cli("undo", path)
    assert "adjudicator redo" in cli("status", path).stderr
    assert "turn 2, Round 2, is in its place again" in cli("redo", path).stdout
    assert snapshot(path) == before
    cli("verify", path)


def test_log_goes_back_to_rule_order_and_die(path):
    send(path, order_file(path, "red", "take: 3\ngive: [green]"))
    send(path, order_file(path, "green", "take: 7"))
    play(path)
    everything = cli("log", path).stdout
    assert re.search(r"^ +\d+  take  \(to red\)\n +seat: red, stones: \d\n +rule +1.*\n +order red: take: 3\n +dice  luck/red: \d \(d6\)$", everything, re.M)
    assert re.search(r"dice that no event tells of:\n +unseen: \d+ \(d20\)", everything)
    assert re.findall(r"^ +\d+  (\w+)", cli("log", path, "--rule", "2").stdout, re.M) == ["wind"]
    assert re.findall(r"^ +\d+  (\w+)", cli("log", path, "--draw", "luck/*").stdout, re.M) == ["take"] * 3
    assert re.findall(r"^ +\d+  (\w+)", cli("log", path, "--place", "Green", "--kind", "g*").stdout, re.M) == ["give"]
    assert "nothing that fits" in cli("log", path, "--kind", "war").stdout
    own = cli("log", path, "--seat", "green").stdout
    assert "take: 7" in own and "luck/green" in own and "giver: red" in own
    for hidden in ("take: 3", "luck/red", "unseen", "(to "):
        assert hidden not in own
    public = cli("log", path, "--seat", "public", "--json").stdout
    assert [each["kind"] for each in json.loads(public)["entries"]] == ["wind"] and json.loads(public)["draws"] == []


def test_letters_in_the_log_are_for_those_they_reach(path):
    send(path, order_file(path, "red", messages="  - {to: green, text: hush}"))
    play(path)
    assert "hush" in cli("log", path, "--seat", "green").stdout and "hush" not in cli("log", path, "--seat", "blue").stdout


def test_every_code_of_the_core_is_explained():
    from adjudicator.office.explaining import CORE

    top = Path(__file__).parents[2] / "adjudicator"
    used = set()
    for part in ("core", "orderfile", "office"):
        for file in (top / part).glob("*.py"):
            text = file.read_text()
            used |= set(re.findall(r'(?:Problem\((?:REFUSED|DOUBTFUL), |refuse\([\w.\[\]"]+, |doubt\([\w.\[\]"]+, |_broken\(\w+, )"([A-Z][A-Z-]+)"', text))
    assert len(used) > 20 and used <= set(CORE), used - set(CORE)


def test_explain(path):
    shown = cli("explain", "not_a_number").stdout
    assert shown.startswith("NOT-A-NUMBER\n") and "take: 1e3" in shown and "what to do" in shown
    assert "UNKNOWN-SEAT" in cli("explain", "--all").stdout
    assert "WRONG-TOKEN" in cli("explain", "token", code=1).stderr
    (path.parent / "x.yaml").write_bytes(order_file(path, "red", "take: many"))
    assert "adjudicator explain NOT-A-NUMBER" in cli("check", path.parent / "x.yaml", "-C", path, code=1).stderr


def test_explain_looks_into_the_games(monkeypatch):
    from dataclasses import replace

    import stones

    monkeypatch.setattr(stones, "RULESET", replace(stones.RULESET, problem_codes={"HEAP-TOO-SMALL": "There are not so many stones."}))
    assert "There are not so many stones." in cli("explain", "heap-too-small").stdout
    assert "chapter" not in cli("explain", "heap-too-small", "--ruleset", "stones").stderr


def test_preview_at_home_and_at_the_game_masters(tmp_path, monkeypatch):
    from dataclasses import replace

    import stones

    from adjudicator.core.report import Facts, Span

    begin(tmp_path / "c", reports=True)
    view = tmp_path / "c/turns/0000/reports/red.view.json"
    (tmp_path / "x.yaml").write_bytes(order_file(tmp_path / "c", "red", "take: 3\ngive: [gren]"))
    home = cli("preview", tmp_path / "x.yaml", "--view", view, code=1)
    assert home.stdout == cli("preview", tmp_path / "x.yaml", "-C", tmp_path / "c", code=1).stdout
    assert "did you mean: Green" in home.stdout and "take: 3" in home.stdout and "What they come to" not in home.stdout
    monkeypatch.setattr(stones, "RULESET", replace(stones.RULESET, preview=lambda view, orders: [Facts([("left", [Span(str(view.heap - orders.get("take", 1)))])])]))
    assert re.search(r"(?s)What they come to\n-+\nleft +29\n", cli("preview", "--view", view).stdout)
    assert re.search(r"left +27\n", cli("preview", tmp_path / "x.yaml", "--view", view, code=1).stdout)
    assert json.loads(cli("preview", tmp_path / "x.yaml", "--view", view, "--json", code=1).stdout)["orders"] == {"take": 3, "give": []}


def test_the_rulebook_in_all_its_forms(path, tmp_path):
    text = cli("rules", "stones").stdout
    assert "COUNTING STONES" in text and "Options in force" not in text
    own = cli("rules", "-C", path).stdout
    assert re.search(r"^heap +30 +30 +Stones in the heap at the start\.", own, re.M) and "weather" in own
    for end, start in (("html", b"<!"), ("pdf", b"%PDF"), ("md", b"Options"), ("txt", b"Counting")):
        cli("rules", "-C", path, "-o", tmp_path / f"rules.{end}")
        data = (tmp_path / f"rules.{end}").read_bytes()
        assert data.lstrip().startswith(start) and (end == "pdf" or b"Take" in data or b"takes" in data)
        cli("rules", "-C", path, "-o", tmp_path / f"again.{end}")
        assert (tmp_path / f"again.{end}").read_bytes() == data, "the same bytes"


def test_markdown_becomes_blocks(tmp_path):
    from dataclasses import replace

    import stones

    from adjudicator.office.rulebook import as_report, chapters, title_of
    from adjudicator.report import html, text

    book = tmp_path / "RULES.md"
    book.write_text("# Book\n\nStart & <b>go</b>.\n\n## 1. First `part`\n\n- one\n  - *inner*\n- **two**\n\n1. a\n2. b\n\n### 1.2 Deep\n\n| a | b |\n| --- | ---: |\n| x | 1 |\n\n```\n# no heading\n```\n\n> quoted\n")
    report = as_report(replace(stones.RULESET, rulebook=book))
    plain = text.render(report)
    for words in ("Start & <b>go</b>.", "1. First part", "- one", "- – inner", "- two", "1. a", "2. b", "1.2 DEEP", "# no heading", "| quoted"):
        assert words in plain
    assert "<b>go</b>" not in html.render(report)
    found = chapters(book)
    assert [(each.number, each.title) for each in found[1:]] == [("1", "First part"), ("1.2", "Deep")]
    assert title_of(found, "1.2.7") == "1.2 Deep" and title_of(found, "9") == ""


def test_archive_and_back(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    play(path)
    done = cli("archive", path)
    assert done.stdout.startswith("stones-1.tar.gz: ") and "keep it to yourself" in done.stderr
    assert "adjudicator verify again" in cli("restore", "stones-1.tar.gz", "again").stderr
    cli("verify", "again")
    assert "the game is not over" in cli("archive", path, "--for-players", code=1).stderr
    cli("run", path, "--to-end", "--yes", "--no-reports")
    assert "adjudicator restore" in cli("archive", path, "--for-players").stderr
    cli("restore", "stones-1-proof.tar.gz", "proof")
    assert "everything is as it was played" in cli("verify", "proof").stdout


def test_new_with_a_rhythm_and_salted_dice(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cli("new", "stones", "w", "--players", 2, "--no-reports", "--zone", "Europe/Rome", "--weekly", "sunday", "--first", "2099-01-01", "--dice", "salted")
    text = Path("w/campaign.yaml").read_text()
    assert "\n  zone: Europe/Rome\n  weekly: [Sunday]\n  first: 2099-01-01\n" in text and "\ndice: salted\n" in text
    assert re.search(r"^deadline: Sunday 4 January 2099, 18:00 Europe/Rome = 17:00 UTC \(in \d+ days\)$", cli("status", "w").stdout, re.M)
    stopped = cli("run", "w", "--no-reports", code=1)
    assert "orders are due in" in stopped.stderr and "--yes" in stopped.stderr
    assert "did you mean Europe/Rome?" in cli("new", "stones", "v", "--players", 2, "--zone", "Europe/Roma", "--weekly", "sunday", code=2).stderr
    assert not Path("v").exists()


def test_extend_puts_the_deadline_off(tmp_path):
    folder = tmp_path / "war"
    begun = CliRunner().invoke(main, ["new", "roses", str(folder), "--players", "8", "--no-reports", "--zone", "Europe/Rome", "--every", "14", "--first", "2099-01-10"])
    assert begun.exit_code == 0, begun.output
    done = CliRunner().invoke(main, ["extend", str(folder), "--by", "2 days"])
    assert done.exit_code == 0 and "Monday 12 January 2099, 18:00 Europe/Rome = 17:00 UTC" in done.stdout
    done = CliRunner().invoke(main, ["extend", str(folder), "--until", "2099-02-01 20:30"])
    assert done.exit_code == 0 and "Sunday 1 February 2099, 20:30" in done.stdout
    assert "Sunday 1 February 2099, 20:30" in CliRunner().invoke(main, ["status", str(folder)]).stdout
    for wrong, words in ((["--by", "soon"], "2 days"), (["--until", "2099-02-30"], "no date"), ([], "either"), (["--until", "2001-01-01"], "has passed")):
        done = CliRunner().invoke(main, ["extend", str(folder), *wrong])
        assert done.exit_code and words in done.output
