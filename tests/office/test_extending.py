"""A deadline that was put off: for one turn, without touching campaign.yaml, and without changing what a replay gives."""

import json
from datetime import datetime, timedelta, timezone

import pytest
from click.testing import CliRunner
from table import begin, order_file, play, send, snapshot

from adjudicator.cli.main import main
from adjudicator.office import redoing, undoing
from adjudicator.office.campaign import opened
from adjudicator.office.deadlines import Rhythm, to_text
from adjudicator.office.extending import extend
from adjudicator.office.verifying import verify
from adjudicator.store.trouble import Trouble

ROME = "Europe/Rome"
NOW = datetime(2027, 1, 9, tzinfo=timezone.utc)


@pytest.fixture
def path(tmp_path):
    begin(tmp_path / "c", rhythm=Rhythm(ROME, every=14, first="2027-01-10", grace=60))
    return tmp_path / "c"


def due(path):
    with opened(path, "test") as campaign:
        return to_text(campaign.due)


def put_off(path, until=None, by=None, now=NOW):
    with opened(path, "test") as campaign:
        return extend(campaign, until, by, now)


def test_a_deadline_is_put_off_for_one_turn_and_the_rhythm_goes_on(path):
    before = snapshot(path)
    done = put_off(path, by=2 * 24 * 60)
    assert (done.turn, done.due, done.before.startswith("Sunday 10 January 2027, 18:00"), done.now.startswith("Tuesday 12 January 2027, 18:00")) == (1, "2027-01-12T17:00Z", True, True)
    assert due(path) == "2027-01-12T17:00Z"
    assert {name: sha for name, sha in snapshot(path).items() if name != "deadline.json"} == before
    play(path, now=datetime(2027, 1, 12, 19, tzinfo=timezone.utc))
    assert due(path) == "2027-01-24T17:00Z"
    assert json.loads((path / "turns/0001/desk.json").read_text())["due"] == "2027-01-24T17:00Z"


def test_a_deadline_put_off_beyond_the_next_one_passes_that_over(path):
    put_off(path, until=datetime(2027, 1, 25, 17, tzinfo=timezone.utc))
    play(path, now=datetime(2027, 1, 25, 18, tzinfo=timezone.utc))
    assert due(path) == "2027-02-07T17:00Z"


@pytest.mark.parametrize("now, expected", [
    (NOW, "2027-01-10T19:00Z"),
    (datetime(2027, 1, 10, 20, tzinfo=timezone.utc), "2027-01-10T22:00Z"),
], ids=["before the deadline: from the deadline", "after it: from now"])
def test_from_where_a_span_counts(path, now, expected):
    assert put_off(path, by=120, now=now).due == expected


def test_put_off_twice_and_brought_forward(path):
    put_off(path, by=60)
    assert put_off(path, by=60).due == "2027-01-10T19:00Z"
    assert put_off(path, until=NOW + timedelta(hours=5)).due == "2027-01-09T05:00Z"


@pytest.mark.parametrize("until", [NOW, NOW - timedelta(days=1)])
def test_a_moment_that_has_passed_is_refused(path, until):
    with pytest.raises(Trouble, match="has passed"):
        put_off(path, until=until)
    assert not (path / "deadline.json").exists() and due(path) == "2027-01-10T17:00Z"


def test_an_edit_of_campaign_yaml_afterwards_counts(path):
    put_off(path, by=60)
    settings = path / "campaign.yaml"
    settings.write_text(settings.read_text().replace("\n  every: 14", "\n  every: 14\n  next: \"2027-01-13 12:00\""))
    assert due(path) == "2027-01-13T11:00Z"
    assert put_off(path, by=60).due == "2027-01-13T12:00Z", "and can be put off again"


def test_one_set_by_hand_and_then_run_does_not_come_again(path):
    """`next` was written into campaign.yaml after the players were told another deadline; it holds for that turn alone."""
    settings = path / "campaign.yaml"
    settings.write_text(settings.read_text().replace("\n  every: 14", "\n  every: 14\n  next: \"2027-01-12 12:00\""))
    assert due(path) == "2027-01-12T11:00Z"
    play(path, now=datetime(2027, 1, 12, 13, tzinfo=timezone.utc))
    assert due(path) == "2027-01-24T17:00Z"
    play(path, now=datetime(2027, 1, 24, 19, tzinfo=timezone.utc))
    assert due(path) == "2027-02-07T17:00Z"


def test_without_a_rhythm_or_after_the_end(tmp_path):
    begin(tmp_path / "words", deadline="Sunday evening")
    with pytest.raises(Trouble, match="no deadline that the program knows") as trouble:
        put_off(tmp_path / "words", by=60)
    assert "campaign.yaml" in trouble.value.advice and "{zone" in trouble.value.advice
    begin(tmp_path / "short", options={"turns": "1"}, rhythm=Rhythm("UTC", every=7, first="2027-01-10"))
    play(tmp_path / "short")
    with pytest.raises(Trouble, match="game is over"):
        put_off(tmp_path / "short", by=60)


def test_a_damaged_file_is_told(path):
    (path / "deadline.json").write_text("{")
    with pytest.raises(Trouble, match="deadline.json is damaged"):
        due(path)


def test_a_replay_gives_the_same_and_undo_and_redo_keep_it(path):
    put_off(path, by=2 * 24 * 60)
    send(path, order_file(path, "red", "take: 3"))
    play(path, now=datetime(2027, 1, 12, 19, tzinfo=timezone.utc))
    with opened(path, "test") as campaign:
        assert verify(campaign).difference is None
        undoing.undo(campaign)
    assert due(path) == "2027-01-12T17:00Z"
    with opened(path, "test") as campaign:
        redoing.redo(campaign)
    assert due(path) == "2027-01-24T17:00Z"
    with opened(path, "test") as campaign:
        assert verify(campaign).difference is None


def test_a_deadline_is_no_part_of_what_is_proved(tmp_path):
    """The same game with and without a deadline put off: the same state, events, dice."""
    hashes = []
    for name in "ab":
        begin(tmp_path / name, rhythm=Rhythm("UTC", every=7, first="2027-01-10"))
        if name == "b":
            put_off(tmp_path / name, by=60)
        play(tmp_path / name, 2)
        manifest = json.loads((tmp_path / name / "turns/0002/manifest.json").read_text())
        hashes.append({key: manifest[key] for key in ("before", "after", "events", "dice", "format")})
    assert hashes[0] == hashes[1]


@pytest.mark.parametrize("arguments, code, words", [
    (["--by", "2 days"], 0, "12 January"), (["--until", "2027-01-12 12:30"], 0, "12:30 Europe/Rome = 11:30 UTC"), (["--until", "2027-01-12"], 0, "18:00 Europe/Rome"),
    ([], 2, "give either"), (["--by", "1 day", "--until", "2027-01-12"], 2, "give either"), (["--by", "soon"], 2, "'soon' is no span"),
    (["--until", "2027-02-30"], 2, "is no date"), (["--until", "2020-01-01"], 1, "has passed"),
])
def test_the_command(path, monkeypatch, arguments, code, words):
    from adjudicator.cli import mending

    monkeypatch.setattr(mending, "now", lambda: NOW, raising=False)
    result = CliRunner().invoke(main, ["extend", str(path), *arguments])
    assert result.exit_code == code and words in result.output, result.output
    assert (path / "deadline.json").exists() == (code == 0)
