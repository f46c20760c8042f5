"""Seats that have sent nothing, by the campaign's option; and what is said while more is awaited."""

import json
from datetime import datetime, timezone

import pytest
from click.testing import CliRunner
from table import begin, order_file, play, send, token

from adjudicator.cli.main import main
from adjudicator.office import running
from adjudicator.office.campaign import opened
from adjudicator.office.deadlines import Rhythm
from adjudicator.office.standing import standing
from adjudicator.office.verifying import verify


def utc(*parts):
    return datetime(*parts, tzinfo=timezone.utc)


def begun(path, **options):
    begin(path, rhythm=Rhythm("UTC", every=14, first="2027-01-10"))
    settings = path / "campaign.yaml"
    text = settings.read_text()
    for key, value in options.items():
        line = next(line for line in text.splitlines() if line.startswith(f"{key}:"))
        text = text.replace(line, f"{key}: {value}")
    settings.write_text(text)
    return path


def run(path, now, **how):
    with opened(path, "test") as campaign:
        return running.run(campaign, reports=False, now=now, **how)


@pytest.mark.parametrize("nmr, how", [("defaults", "nmr"), ("steward", "steward"), ("wait", None)])
def test_a_player_who_has_sent_nothing_at_the_deadline(tmp_path, nmr, how):
    path = begun(tmp_path / "c", nmr=nmr)
    for seat in ("red", "green"):
        send(path, order_file(path, seat))
    if how is None:
        with pytest.raises(running.WaitForAll, match="blue") as stopped:
            run(path, utc(2027, 1, 11))
        assert stopped.value.missing == ["blue"] and "--yes" in stopped.value.advice
        with opened(path, "test") as campaign:
            assert "waits for blue" in standing(campaign, utc(2027, 1, 11)).next
        assert run(path, utc(2027, 1, 11), yes=True).how["blue"] == "nmr"
    else:
        assert run(path, utc(2027, 1, 11)).how == {"red": "file", "green": "file", "blue": how}
    with opened(path, "test") as campaign:
        assert verify(campaign).difference is None


@pytest.mark.parametrize("nmr", ["defaults", "steward", "wait"])
def test_too_many_missing_stops_in_every_case(tmp_path, nmr):
    path = begun(tmp_path / "c", nmr=nmr)
    send(path, order_file(path, "red"))
    with pytest.raises(running.TooManyMissing) as stopped:
        run(path, utc(2027, 1, 11))
    assert stopped.value.missing == ["green", "blue"]


def test_a_seat_whose_steward_was_named_is_not_missed(tmp_path):
    path = begun(tmp_path / "c", nmr="wait")
    settings = path / "campaign.yaml"
    settings.write_text(settings.read_text().replace("blue: {player: 3}", "blue: {player: 3, steward: true}"))
    send(path, order_file(path, "red"))
    send(path, b"campaign: stones-1\nturn: 1\nseat: green\ntoken: " + token(path, "green").encode() + b"\nabsent: 2\n")
    assert run(path, utc(2027, 1, 11)).how == {"red": "file", "green": "steward", "blue": "steward"}


def test_the_steward_of_the_option_plays_as_a_named_one_does(tmp_path):
    begin(tmp_path / "named", stewards=True)
    results = []
    for path in (begun(tmp_path / "option", nmr="steward"), tmp_path / "named"):
        assert set(play(path)[0].how.values()) == {"steward"}
        results.append((path / "turns/0001/state.json").read_bytes())
    assert results[0] == results[1]


def test_who_announced_more_is_waited_for_before_the_deadline_and_not_after(tmp_path):
    path = begun(tmp_path / "c")
    for seat in ("red", "green", "blue"):
        data = order_file(path, seat)
        send(path, data + b"final: no\n" if seat == "green" else data)
    with pytest.raises(running.TooEarly, match="green") as stopped:
        run(path, utc(2027, 1, 9))
    assert stopped.value.missing == ["green"]
    with opened(path, "test") as campaign:
        early, late = standing(campaign, utc(2027, 1, 9)), standing(campaign, utc(2027, 1, 11))
    assert "green" in early.next and "announced more" in early.next and "deadline has passed" in late.next
    assert run(path, utc(2027, 1, 11)).how["green"] == "file"


def test_status_tells_it(tmp_path):
    path = begun(tmp_path / "c", nmr="wait", run_when="all-in")
    send(path, order_file(path, "green") + b"final: no\n")
    send(path, order_file(path, "red"))
    found = json.loads(CliRunner().invoke(main, ["status", str(path), "--json"]).stdout)
    assert {each["seat"]: (each["sent"], each["final"]) for each in found["seats"]} == {"red": (True, True), "green": (True, False), "blue": (False, True)}
    assert (found["nmr"], found["run_when"]) == ("wait", "all-in")
    shown = CliRunner().invoke(main, ["status", str(path)]).output
    assert shown.count("more to come") == 1 and "waits for everybody's orders (nmr: wait)" in shown


@pytest.mark.parametrize("line, code", [("orders: withdraw", 0), ("absent: 2", 0), ("request: report", 0), ("absent: soon", 1), ("orders:\n  take: many", 1)])
def test_the_exit_code_of_submit_and_check(tmp_path, line, code):
    path = begun(tmp_path / "c")
    file = tmp_path / "red.yaml"
    file.write_text(f"campaign: stones-1\nturn: 1\nseat: red\ntoken: {token(path, 'red')}\n{line}\n")
    for command in ("check", "submit"):
        result = CliRunner().invoke(main, [command, "-C", str(path), str(file)])
        assert result.exit_code == code, result.output


def test_standing_tells_what_the_last_file_was(tmp_path):
    from adjudicator.office.standing import standing

    path = tmp_path / "c"
    begin(path)
    bare = order_file(path, "red").split(b"orders:")[0]
    for text, last, sent in ((b"orders: {take: 2}\n", "", True), (b"orders: withdraw\n", "withdrawn", False), (b"absent: 1\n", "noted", False), (b"orders: {take: [\n", "", False)):
        send(path, bare + text)
        with opened(path, "test") as campaign:
            red = standing(campaign).seats[0]
        assert (red.last, red.sent) == (last, sent)
