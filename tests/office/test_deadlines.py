"""Deadlines: the rhythm, the hour that comes twice, the hour that is left out, and what reports and status say."""

from datetime import datetime, timezone

import pytest
from table import begin, order_file, play, send

from adjudicator.office import running
from adjudicator.office.campaign import opened
from adjudicator.office.deadlines import Rhythm, distance, following, minutes, moment, now_due, shown, span, to_text
from adjudicator.office.reporting import recorded_moment, report_of
from adjudicator.office.standing import standing
from adjudicator.store.trouble import Trouble

ROME = "Europe/Rome"


def utc(*parts):
    return datetime(*parts, tzinfo=timezone.utc)


@pytest.mark.parametrize("local, expected, words", [
    (datetime(2027, 1, 10, 18), utc(2027, 1, 10, 17), "Sunday 10 January 2027, 18:00 Europe/Rome = 17:00 UTC"),
    (datetime(2027, 7, 11, 18), utc(2027, 7, 11, 16), "Sunday 11 July 2027, 18:00 Europe/Rome = 16:00 UTC"),
    (datetime(2027, 10, 31, 2, 30), utc(2027, 10, 31, 1, 30), "Sunday 31 October 2027, 02:30 Europe/Rome (the second time that the clocks show it) = 01:30 UTC"),
    (datetime(2027, 3, 28, 2, 30), utc(2027, 3, 28, 1, 30), "Sunday 28 March 2027, 03:30 Europe/Rome = 01:30 UTC"),
    (datetime(2027, 1, 10, 0, 30), utc(2027, 1, 9, 23, 30), "Sunday 10 January 2027, 00:30 Europe/Rome = Saturday 9 January 2027, 23:30 UTC"),
])
def test_local_time_and_utc(local, expected, words):
    assert moment(local, ROME) == expected
    assert shown(expected, ROME) == words


def test_utc_is_not_said_twice_and_grace_is():
    assert shown(utc(2027, 1, 10, 18), "UTC", 120) == "Sunday 10 January 2027, 18:00 UTC; grace: 2 hours"


def series(rhythm, count, previous=None):
    found = []
    for _turn in range(count):
        previous = following(rhythm, previous, None)
        found.append(to_text(previous))
    return found


def test_every_so_many_days_stays_at_the_same_hour_on_the_clock():
    assert series(Rhythm(ROME, every=14, first="2027-03-14"), 3) == ["2027-03-14T17:00Z", "2027-03-28T16:00Z", "2027-04-11T16:00Z"]


def test_days_of_the_week():
    weekly = Rhythm(ROME, weekly=["Wednesday", "Sunday"], at="20:00")
    assert series(weekly, 3, utc(2027, 1, 10, 19)) == ["2027-01-13T19:00Z", "2027-01-17T19:00Z", "2027-01-20T19:00Z"]


def test_a_list_of_dates_comes_to_its_end():
    dates = Rhythm(ROME, dates=["2027-02-01", "2027-01-10 12:00"])
    assert series(dates, 2) == ["2027-01-10T11:00Z", "2027-02-01T17:00Z"]
    assert following(dates, utc(2027, 2, 1, 17), None) is None


@pytest.mark.parametrize("now, least, expected", [
    (utc(2027, 1, 10, 17, 1), 1, "2027-01-24T17:00Z"), (utc(2027, 1, 5), 1, "2027-01-24T17:00Z"), (utc(2027, 1, 23, 12), 1, "2027-01-24T17:00Z"),
    (utc(2027, 1, 23, 18), 1, "2027-02-07T17:00Z"), (utc(2027, 1, 20), 7, "2027-02-07T17:00Z"), (utc(2027, 3, 1), 0, "2027-03-07T17:00Z"),
])
def test_a_turn_run_early_or_late(now, least, expected):
    """Early: the rhythm goes on; late: what has passed, or is too near to be kept, is passed over."""
    assert to_text(following(Rhythm(ROME, every=14, first="2027-01-10", least=least), utc(2027, 1, 10, 17), now)) == expected


def test_a_deadline_set_by_hand_holds_for_one_turn():
    rhythm = Rhythm(ROME, every=14, first="2027-01-10", next="2027-01-12 12:00")
    assert to_text(now_due(rhythm, "2027-01-10T17:00Z", "")) == "2027-01-12T11:00Z"
    assert to_text(now_due(rhythm, "2027-01-24T17:00Z", "2027-01-12T11:00Z")) == "2027-01-24T17:00Z"
    assert to_text(following(rhythm, utc(2027, 1, 12, 11), None)) == "2027-01-24T17:00Z"


def test_spans_and_distances():
    assert [minutes(text) for text in ("90 minutes", "2 hours", "1day")] == [90, 120, 1440]
    assert [span(number) for number in (1, 60, 90, 2880)] == ["1 minute", "1 hour", "90 minutes", "2 days"]
    assert distance(utc(2027, 1, 10), utc(2027, 1, 7, 12)) == "in 2 days" and distance(utc(2027, 1, 10), utc(2027, 1, 10, 3, 20)) == "3 hours ago"


def edit(path, new):
    settings = path / "campaign.yaml"
    settings.write_text(settings.read_text().replace("deadline:\n", f"deadline: {new}\n"))


@pytest.mark.parametrize("text, words", [
    ("{zone: Europe/Roma, every: 7, first: 2027-01-10}", "did you mean: Europe/Rome"), ("{every: 7, first: 2027-01-10}", "zone"),
    ("{zone: UTC}", "it is not clear when orders are due"), ("{zone: UTC, every: 7}", "it is not clear"),
    ("{zone: UTC, every: 7, first: 2027-02-30}", "'2027-02-30' is no date"), ("{zone: UTC, weekly: [Sunnday]}", "did you mean: Sunday"),
    ("{zone: UTC, weekly: [sunday], at: \"25:00\"}", "a time of day"), ("{zone: UTC, weekly: sunday, every: 2, first: 2027-01-01}", "it is not clear"),
    ("{zone: UTC, weekly: sunday, grace: soon}", "such as 2 hours"), ("{zone: ../../etc/passwd, weekly: sunday}", "no time zone is called"),
])
def test_mistakes_are_told_with_their_place(tmp_path, text, words):
    from adjudicator.orderfile.excerpts import tell

    begin(tmp_path)
    edit(tmp_path, text)
    with pytest.raises(Trouble) as trouble, opened(tmp_path, "test"):
        pass
    told = "\n".join(tell(problem, trouble.value.text, "campaign.yaml") for problem in trouble.value.problems)
    assert words in told and "campaign.yaml:" in told


def test_words_still_do(tmp_path):
    begin(tmp_path, deadline="Sunday evening")
    with opened(tmp_path, "test") as campaign:
        assert campaign.deadline == "Sunday evening" and campaign.due is None
        assert standing(campaign, utc(2027, 1, 1)).distance == ""


def test_the_deadline_stays_with_the_turn(tmp_path):
    """Reports made again say what was said then, whatever campaign.yaml says now."""
    begin(tmp_path, rhythm=Rhythm(ROME, every=14, first="2027-01-10", grace=120))
    with opened(tmp_path, "test") as campaign:
        assert campaign.deadline == "Sunday 10 January 2027, 18:00 Europe/Rome = 17:00 UTC; grace: 2 hours"
        early = standing(campaign, utc(2027, 1, 8))
        assert (early.due, early.distance, early.late) == ("2027-01-10T17:00Z", "in 2 days", False) and early.next.startswith("wait for")
        assert not standing(campaign, utc(2027, 1, 10, 18)).late and standing(campaign, utc(2027, 1, 10, 19)).late
    play(tmp_path, now=utc(2027, 1, 10, 20))
    settings = tmp_path / "campaign.yaml"
    settings.write_text(settings.read_text().replace("\n  every: 14", "\n  every: 7"))
    with opened(tmp_path, "test") as campaign:
        text = repr(report_of(recorded_moment(campaign.folder, 1, campaign.ruleset), "red"))
        assert "Sunday 24 January 2027, 18:00 Europe/Rome = 17:00 UTC" in text and text.count("Deadline: Sunday 24 January") == 1
        assert to_text(campaign.due) == "2027-01-24T17:00Z"
    settings.write_text(settings.read_text().replace("\n  every: 7", "\n  every: 7\n  next: \"2027-01-26 12:00\""))
    with opened(tmp_path, "test") as campaign:
        assert to_text(campaign.due) == "2027-01-26T11:00Z" and "26 January" in campaign.deadline


def test_before_the_deadline_a_turn_waits_for_those_who_have_not_sent(tmp_path):
    begin(tmp_path, rhythm=Rhythm("UTC", every=14, first="2027-01-10", grace=60))
    for seat in ("red", "green"):
        send(tmp_path, order_file(tmp_path, seat))

    def run(now, **how):
        with opened(tmp_path, "test") as campaign:
            return running.run(campaign, reports=False, now=now, **how)

    with pytest.raises(running.TooEarly, match="blue"):
        run(utc(2027, 1, 10, 18, 30))
    assert run(utc(2027, 1, 10, 19)).turn == 1
    for seat in ("red", "green", "blue"):
        send(tmp_path, order_file(tmp_path, seat))
    assert run(utc(2027, 1, 11)).turn == 2, "everybody has sent: nobody is waited for"
    assert run(utc(2027, 1, 11), yes=True).turn == 3
