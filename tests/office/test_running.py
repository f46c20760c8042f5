"""Running a turn: who plays, what stops it, what must not stop it, and what a report may hold."""

import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest
import stones
from table import begin, order_file, play, send, snapshot

from adjudicator.core import plain
from adjudicator.core.dice import Dice, turn_key
from adjudicator.office import reporting, running
from adjudicator.office.campaign import opened
from adjudicator.store import turns
from adjudicator.store.folder import Folder
from adjudicator.store.trouble import Trouble


def edit(path, old, new):
    settings = path / "campaign.yaml"
    assert old in settings.read_text()
    settings.write_text(settings.read_text().replace(old, new))


def run(path, **how):
    with opened(path, "test") as campaign:
        return running.run(campaign, reports=False, **how)


def test_file_steward_and_nmr(tmp_path):
    begin(tmp_path)
    edit(tmp_path, "green: {player: 2}", "green: {player: 2, steward: true}")
    send(tmp_path, order_file(tmp_path, "red", "take: 3"))
    ran = run(tmp_path)
    assert ran.how == {"red": "file", "green": "steward", "blue": "nmr"}
    assert json.loads((tmp_path / "turns/0001/orders/green.steward.json").read_text()) == {"take": 2}
    hands = json.loads((tmp_path / "turns/0001/state.json").read_text())["hands"]
    luck = {line.name: line.results[0] == 6 for line in turns.read_dice(Folder(tmp_path), 1)}
    assert hands == {"red": 3 + luck["luck/red"], "green": 2 + luck["luck/green"], "blue": 1 + luck["luck/blue"]}


def test_a_file_goes_before_the_steward(tmp_path):
    begin(tmp_path)
    edit(tmp_path, "red: {player: 1}", "red: {player: 1, steward: true}")
    send(tmp_path, order_file(tmp_path, "red", "take: 7"))
    assert run(tmp_path, yes=True).how["red"] == "file"


@pytest.mark.parametrize("sent, limit, stops", [(0, "", True), (1, "", True), (2, "", False), (1, " 2", False), (0, " 2", True),
                                                (2, " 0", True), (3, " 0", False), (0, " 3", False)])
def test_too_many_missing_stops_the_turn_and_changes_nothing(tmp_path, sent, limit, stops):
    begin(tmp_path)
    edit(tmp_path, "mass_nmr:\n", f"mass_nmr:{limit}\n")
    for seat in ("red", "green", "blue")[:sent]:
        send(tmp_path, order_file(tmp_path, seat))
    before = snapshot(tmp_path)
    if stops:
        with pytest.raises(running.TooManyMissing) as missing:
            run(tmp_path)
        assert missing.value.missing == ["red", "green", "blue"][sent:]
        assert snapshot(tmp_path) == before
        run(tmp_path, yes=True)
    else:
        run(tmp_path)
    assert (tmp_path / "turns/0001/manifest.json").exists()


def test_seats_of_stewards_are_not_missing(tmp_path):
    begin(tmp_path, players=1)
    send(tmp_path, order_file(tmp_path, "red"))
    assert run(tmp_path).how == {"red": "file", "green": "steward", "blue": "steward"}
    begin(tmp_path / "stewards", players=0)
    assert run(tmp_path / "stewards").how == {"red": "steward", "green": "steward", "blue": "steward"}


def test_a_file_that_could_not_be_read_counts_as_nothing_sent(tmp_path):
    begin(tmp_path)
    for seat in ("red", "green", "blue"):
        send(tmp_path, order_file(tmp_path, seat, "take: many"))
    with pytest.raises(running.TooManyMissing):
        run(tmp_path)


def test_a_dry_run_leaves_nothing_and_has_the_same_result(tmp_path):
    begin(tmp_path)
    send(tmp_path, order_file(tmp_path, "red", "take: 3\ncurse: yes", messages="  - {to: all, text: hi}"))
    before = snapshot(tmp_path)
    dry = play(tmp_path, dry=True, reports=True)[0]
    assert snapshot(tmp_path) == before
    assert not list((tmp_path / "turns").glob(".*"))
    real = play(tmp_path, reports=True)[0]
    assert replace(dry, is_dry=False) == real
    assert real.after == json.loads((tmp_path / "turns/0001/manifest.json").read_text())["after"]


def test_an_order_that_raises_is_left_out_told_and_can_be_reproduced(tmp_path):
    begin(tmp_path)
    send(tmp_path, order_file(tmp_path, "red", "take: 3\ncurse: yes"))
    send(tmp_path, order_file(tmp_path, "green", "take: 2"))
    ran = play(tmp_path)[0]
    assert [(failure.seat, failure.order, failure.error) for failure in ran.left_out] == [("red", "curse", "KeyError: 'a curse'")]
    told = [event for event in turns.read_events(Folder(tmp_path), 1) if event.kind == "order-failed"]
    assert [(event.audience, event.data) for event in told] == [(["red", "gm"], {"seat": "red", "order": "curse"})]
    state = json.loads((tmp_path / "turns/0001/state.json").read_text())
    assert state["hands"]["red"] >= 3, "the other orders of the seat are carried out"
    text = (tmp_path / "turns/0001/dumps/01-red.json").read_text()
    assert "5eed" not in text
    dump = json.loads(text)
    with pytest.raises(Exception, match="'curse' of red"):
        stones.adjudicate(plain.from_plain(dump["state"], stones.State), dump["orders"], Dice(bytes.fromhex(dump["dice_key"])))
    assert dump["dice_key"] == turn_key("5eed" * 16, 1).hex()


def test_letters_reach_the_sender_those_they_are_written_to_and_the_gm(tmp_path):
    begin(tmp_path, players=3)
    send(tmp_path, order_file(tmp_path, "red", messages="  - {to: Green, text: 'for green'}\n  - {to: all, text: 'for all'}\n  - {to: [gm], text: 'for the gm'}"))
    play(tmp_path)
    letters = [event for event in turns.read_events(Folder(tmp_path), 1) if event.kind == "letter"]
    assert [(event.audience, event.data) for event in letters] == [
        (["red", "green"], {"from": "red", "to": ["green"], "text": "for green"}),
        (["red", "green", "blue"], {"from": "red", "to": ["all"], "text": "for all"}),
        (["red", "gm"], {"from": "red", "to": ["gm"], "text": "for the gm"})]
    with opened(tmp_path, "test") as campaign:
        moment = reporting.recorded_moment(campaign.folder, 1, campaign.ruleset)
    texts = {viewer: repr(reporting.report_of(moment, viewer)) for viewer in ("red", "green", "blue", "gm", "public")}
    assert [viewer for viewer, text in texts.items() if "for green" in text] == ["red", "green", "gm"]
    assert [viewer for viewer, text in texts.items() if "for all" in text] == ["red", "green", "blue", "gm"]
    assert [viewer for viewer, text in texts.items() if "for the gm" in text] == ["red", "gm"]


def test_letters_of_a_replaced_file_are_not_delivered(tmp_path):
    begin(tmp_path)
    send(tmp_path, order_file(tmp_path, "red", messages="  - {to: all, text: 'first'}"))
    send(tmp_path, order_file(tmp_path, "red", messages="  - {to: all, text: 'second'}"))
    play(tmp_path)
    assert [event.data["text"] for event in turns.read_events(Folder(tmp_path), 1) if event.kind == "letter"] == ["second"]


def test_a_finished_game_is_not_run_on_and_names_the_winner(tmp_path):
    begin(tmp_path, options={"heap": "3"})
    send(tmp_path, order_file(tmp_path, "red", "take: 9"))
    ran = play(tmp_path)[0]
    assert "won by: Red" in ran.ended
    with pytest.raises(Trouble, match="won by: Red"):
        play(tmp_path)
    seed = json.loads((tmp_path / "turns/0001/desk.json").read_text())["seed"]
    assert seed == "5eed" * 16, "the seed is told at the end"


def test_options_that_were_changed_stop_the_run(tmp_path):
    begin(tmp_path)
    edit(tmp_path, "heap: 30", "heap: 31")
    with pytest.raises(Trouble, match="`heap` is now 31, but the campaign began with 30"):
        play(tmp_path)
    assert not (tmp_path / "turns/0001").exists()


@pytest.mark.parametrize("old, new, words", [("ruleset: stones", "ruleset: roses", None),
                                             ("campaign: stones-1", "campaign: stones-2", "`campaign` is now stones-2"),
                                             ("revision: 1", "revision: 2", "revision 2 of stones; installed is revision 1")])
def test_other_fixed_settings(tmp_path, old, new, words):
    begin(tmp_path)
    edit(tmp_path, old, new)
    with pytest.raises(Trouble, match=words):
        play(tmp_path)


def test_two_runs_at_once_run_one_turn(tmp_path):
    begin(tmp_path / "c", players=0)
    command = [sys.executable, "-m", "adjudicator.cli.main", "run", str(tmp_path / "c"), "--no-reports"]
    command[1:3] = ["-c", "from adjudicator.cli.main import main; main()"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    both = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _run in range(2)]
    ends = [(process.communicate(), process.returncode) for process in both]
    done = [turn for turn in (1, 2) if (tmp_path / f"c/turns/{turn:04}/manifest.json").exists()]
    codes = sorted(code for _out, code in ends)
    if codes == [0, 1]:
        assert done == [1]
        assert "meanwhile the last turn" in next(err for (_out, err), code in ends if code)
    else:  # the second began only when the first had ended
        assert codes == [0, 0] and done == [1, 2]


def test_a_run_that_only_waited_for_another_one_does_not_run_the_next_turn(tmp_path, monkeypatch):
    from adjudicator.office import campaign as door

    begin(tmp_path)
    real = door.locked
    def slow(folder, *args, **kwargs):
        monkeypatch.setattr(door, "locked", real)
        play(tmp_path)  # somebody else was quicker
        return real(folder, *args, **kwargs)
    monkeypatch.setattr(door, "locked", slow)
    with pytest.raises(Trouble, match="has become turn 1"), opened(tmp_path, "run", steady=True):
        pass
    assert not (tmp_path / "turns/0002").exists()


def test_reports_hold_what_the_viewer_may_know_and_nothing_else(tmp_path):
    """Secrets are planted in every other seat; they are looked for in everything that goes to one."""
    begin(tmp_path, options={"heap": "500"})
    words = {"red": "vermilion", "green": "viridian", "blue": "ultramarine"}
    numbers = {"red": 7, "green": 5, "blue": 3}
    for seat in words:
        send(tmp_path, order_file(tmp_path, seat, f"take: {numbers[seat]}\ngreed: high", messages=f"  - {{to: gm, text: {words[seat]}}}"))
    play(tmp_path, reports=True)
    tokens = {seat: json.loads((tmp_path / "turns/0001/desk.json").read_text())["tokens"][seat] for seat in words}
    from pypdf import PdfReader

    for seat in (*words, "public"):
        files = [file for file in (tmp_path / "turns/0001/reports").iterdir() if file.name.startswith(f"{seat}.")]
        assert len(files) == (3 if seat == "public" else 6)
        texts = {file.name: file.read_bytes().decode(errors="replace") for file in files if file.suffix != ".pdf"}
        reader = PdfReader(tmp_path / f"turns/0001/reports/{seat}.pdf")
        texts["pdf"] = "\n".join(page.extract_text() for page in reader.pages) + repr(reader.metadata) + repr(dict(reader.attachments))
        for name, text in texts.items():
            for other in words:
                if other != seat:
                    assert words[other] not in text and tokens[other] not in text and f"take: {numbers[other]}" not in text, f"{name} tells of {other}"
        if seat != "public":
            assert words[seat] in texts[f"{seat}.html"] and tokens[seat] in texts[f"{seat}.orders.yaml"]
    everything = (tmp_path / "turns/0001/reports/gm.html").read_text()
    assert all(word in everything for word in words.values())


def test_a_report_that_fails_does_not_keep_the_turn_from_the_others(tmp_path, monkeypatch):
    def report(view, events, desk):
        if desk.viewer == "green":
            raise KeyError("no such telling")
        return stones.report(view, events, desk)
    begin(tmp_path)
    monkeypatch.setattr(stones, "RULESET", replace(stones.RULESET, report=report))
    ran = play(tmp_path, reports=True)[0]
    assert list(ran.failed_reports) == ["green"] and "no such telling" in ran.failed_reports["green"]
    names = {file.name for file in (tmp_path / "turns/0001/reports").iterdir()}
    assert "red.pdf" in names and "green.pdf" not in names


def test_the_template_and_the_view_of_a_report_pass_their_own_check(tmp_path):
    from adjudicator.office import checking

    begin(tmp_path, reports=True)
    reports = tmp_path / "turns/0000/reports"
    kit = checking.read_kit(reports / "red.view.json")
    checked = checking.check_with_kit((reports / "red.orders.yaml").read_bytes(), "red.orders.yaml", *kit)
    assert checked.is_fine and checked.orders == {"greed": "low"}
    data = order_file(tmp_path, "red", "take: 3\ngive: [Gren, blue]")
    receipt = send(tmp_path, data)
    assert checking.check_with_kit(data, "orders.yaml", *kit).problems == receipt.problems, "at home as on arrival"
    assert "5eed" not in (reports / "red.view.json").read_text() and receipt.seat == "red"


def test_when_a_file_came_and_how_often_does_not_change_the_manifest(tmp_path):
    import shutil

    begin(tmp_path / "a")
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    data = order_file(tmp_path / "a", "red", "take: 3")
    send(tmp_path / "a", data)
    with opened(tmp_path / "b", "test") as campaign:
        from adjudicator.office.submitting import submit

        submit(campaign, data.replace(b"3", b"4"), "other.yaml", "in the year 2030")
        submit(campaign, b"who is this?", "unknown.yaml", "in the year 2030")
        submit(campaign, data, "another.yaml", "in the year 2031")
    for folder in ("a", "b"):
        play(tmp_path / folder)
    one, other = ((tmp_path / folder / "turns/0001/manifest.json").read_bytes() for folder in ("a", "b"))
    assert one == other
