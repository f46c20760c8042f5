"""A seat changes hands: token, orders already sent, steward, absence; what campaign.yaml says; what the game learns; and the proof."""

import json
from dataclasses import dataclass, field, replace

import pytest
import stones
from table import begin, order_file, play, send, snapshot

from adjudicator.office import redoing, running, undoing
from adjudicator.office.campaign import opened
from adjudicator.office.seating import player_named, reseat
from adjudicator.office.settings import Seat
from adjudicator.office.standing import standing
from adjudicator.office.verifying import verify
from adjudicator.store.trouble import Trouble


def hand_over(path, seat, name, **how):
    with opened(path, "test") as campaign:
        id_, new = player_named(campaign.settings, name)
        return reseat(campaign, seat, lambda held: replace(held, player=id_, holder="", steward=False), new_player=(id_, new) if new else None, **how)


def change(path, seat, make, **how):
    with opened(path, "test") as campaign:
        return reseat(campaign, seat, make, **how)


def stands(path, seat):
    with opened(path, "test") as campaign:
        return next(each for each in standing(campaign).seats if each.seat == seat)


def test_another_player_gets_a_new_token_and_the_old_one_is_not_taken(tmp_path):
    begin(tmp_path)
    old = order_file(tmp_path, "red", "take: 3")
    yaml = (tmp_path / "campaign.yaml").read_bytes()
    done = hand_over(tmp_path, "red", "Dora")
    assert (done.before, done.now, done.player, done.kept) == ("Anna", "Dora", "4", 0) and done.token
    assert send(tmp_path, old).state == "wrong-token"
    assert send(tmp_path, order_file(tmp_path, "red", "take: 4")).counts
    assert (tmp_path / "campaign.yaml").read_bytes() == yaml
    assert (tmp_path / "secret.yaml").stat().st_mode & 0o777 == 0o600
    assert stands(tmp_path, "red").player == "Dora" and "campaign.yaml has {player: 1}" in stands(tmp_path, "red").note
    play(tmp_path)
    desk = json.loads((tmp_path / "turns/0001/desk.json").read_text())
    assert desk["tokens"]["red"] == done.token and desk["player_names"]["red"] == "Dora"
    assert json.loads((tmp_path / "turns/0001/manifest.json").read_text())["holders"]["red"] == "4"


@pytest.mark.parametrize("drop", [False, True])
def test_orders_already_sent_are_kept_or_dropped_but_never_lost(tmp_path, drop):
    begin(tmp_path)
    data = order_file(tmp_path, "red", "take: 7")
    send(tmp_path, data)
    files = set(snapshot(tmp_path / "turns/0001").values())
    done = hand_over(tmp_path, "red", "Dora", drop=drop)
    assert (done.dropped, done.kept) == ((1, 0) if drop else (0, 1))
    assert set(snapshot(tmp_path / "turns/0001").values()) == files
    assert stands(tmp_path, "red").sent is not drop
    if drop:
        assert send(tmp_path, order_file(tmp_path, "red", "take: 1")).kept_as == "red-002.yaml", "no name is given twice"
    how = play(tmp_path)[0].how["red"]
    assert how == "file" and ((tmp_path / "turns/0001/orders/red.yaml").read_bytes() == data) is not drop
    with opened(tmp_path, "test") as campaign:
        assert verify(campaign).difference is None


def test_orders_can_be_dropped_by_themselves_twice(tmp_path):
    begin(tmp_path)
    for amount in (1, 2):
        send(tmp_path, order_file(tmp_path, "red", f"take: {amount}"))
        assert change(tmp_path, "red", lambda held: held, drop=True).dropped == 1
    assert sorted(each.name for each in (tmp_path / "turns/0001/inbox/dropped").glob("*.yaml")) == ["red-001.yaml", "red-002.yaml"]
    assert not (tmp_path / "seats.json").exists()


def test_absence_ends_by_itself(tmp_path):
    begin(tmp_path)
    change(tmp_path, "red", lambda held: replace(held, away_until=2))
    assert "away to turn 2" in stands(tmp_path, "red").held
    assert [ran.how["red"] for ran in play(tmp_path, 3)] == ["steward", "steward", "nmr"]
    assert stands(tmp_path, "red").held == "Anna"


def test_an_absent_player_is_not_missing(tmp_path):
    begin(tmp_path)
    for seat in ("red", "green"):
        change(tmp_path, seat, lambda held: replace(held, away_until=1))
    send(tmp_path, order_file(tmp_path, "blue"))
    with opened(tmp_path, "test") as campaign:
        running.run(campaign, reports=False)
    with pytest.raises(running.TooManyMissing), opened(tmp_path, "test") as campaign:
        running.run(campaign, reports=False)


def test_an_edit_of_campaign_yaml_afterwards_counts(tmp_path):
    begin(tmp_path)
    hand_over(tmp_path, "red", "Dora")
    settings = tmp_path / "campaign.yaml"
    settings.write_text(settings.read_text().replace("red: {player: 1}", "red: {player: 2}"))
    assert stands(tmp_path, "red").player == "Bo" and "edited after" in stands(tmp_path, "red").note
    hand_over(tmp_path, "red", "Eve")
    assert stands(tmp_path, "red").player == "Eve" and "{player: 2}" in stands(tmp_path, "red").note


def test_a_player_id_is_never_given_to_two(tmp_path):
    begin(tmp_path)
    hand_over(tmp_path, "red", "Dora")
    assert hand_over(tmp_path, "green", "Eve").player == "5"
    assert hand_over(tmp_path, "blue", "Dora").player == "4"
    settings = tmp_path / "campaign.yaml"
    settings.write_text(settings.read_text().replace("  3: {", '  4: {name: "Fay", email: ""}\n  3: {'))
    with pytest.raises(Trouble, match="the player 4 is Dora, and in campaign.yaml Fay"):
        stands(tmp_path, "red")


def test_nothing_to_do_and_nobody_are_refused(tmp_path):
    begin(tmp_path)
    with pytest.raises(Trouble, match="this changes nothing"):
        change(tmp_path, "red", lambda held: held)
    with pytest.raises(Trouble, match="no rule for a seat that falls out"):
        change(tmp_path, "green", lambda held: Seat(holder="nobody"))


def test_seats_json_of_another_format_is_refused(tmp_path):
    begin(tmp_path)
    (tmp_path / "seats.json").write_text('{"format": 7}')
    with pytest.raises(Trouble, match="format 7; this program reads format 1"):
        stands(tmp_path, "red")


@dataclass
class Held(stones.State):
    holders: dict[str, str] = field(default_factory=dict)


@pytest.fixture
def knowing(monkeypatch):
    """The toy as a game whose state knows who holds the seats."""
    def setup(options, holders, dice):
        state, events = stones.setup(options, holders, dice)
        return Held(**vars(state), holders=dict(holders)), events
    game = replace(stones.RULESET, setup=setup, state_type=Held, reseat=lambda state, holders: replace(state, holders=dict(holders)))
    monkeypatch.setattr(stones, "RULESET", game)


def held(path, turn):
    return json.loads((path / f"turns/{turn:04}/state.json").read_text())["holders"]["red"]


def manifest(path, turn):
    return json.loads((path / f"turns/{turn:04}/manifest.json").read_text())


def test_the_game_learns_of_it_and_verify_tells_it_again(tmp_path, knowing):
    begin(tmp_path)
    play(tmp_path)
    hand_over(tmp_path, "red", "Dora")
    with opened(tmp_path, "test") as campaign:
        assert campaign.state.holders["red"] == "4", "orders are checked against it already"
    play(tmp_path, 2)
    assert [held(tmp_path, turn) for turn in range(4)] == ["1", "1", "4", "4"]
    assert manifest(tmp_path, 2)["reseated"] is True and "reseated" not in manifest(tmp_path, 3)
    with opened(tmp_path, "test") as campaign:
        assert verify(campaign).difference is None
    with opened(tmp_path, "test") as campaign:
        undoing.undo(campaign)
    with opened(tmp_path, "test") as campaign:
        undoing.undo(campaign)
    play(tmp_path)
    assert held(tmp_path, 2) == "4", "who plays now plays the undone turn, too"


def test_a_turn_that_was_run_before_games_were_told_is_proved_as_it_was(tmp_path, knowing, monkeypatch):
    begin(tmp_path)
    told = stones.RULESET
    monkeypatch.setattr(stones, "RULESET", replace(told, reseat=None))
    hand_over(tmp_path, "red", "Dora")
    play(tmp_path)
    monkeypatch.setattr(stones, "RULESET", told)
    with opened(tmp_path, "test") as campaign:
        assert verify(campaign).difference is None
    assert held(tmp_path, 1) == "1" and manifest(tmp_path, 1)["format"] == 1


def test_redo_puts_back_exactly_or_says_why_not(tmp_path):
    def undo():
        with opened(tmp_path, "test") as campaign:
            undoing.undo(campaign)

    def redo():
        with opened(tmp_path, "test") as campaign:
            return redoing.redo(campaign)

    begin(tmp_path)
    with pytest.raises(Trouble, match="was not undone"):
        redo()
    send(tmp_path, order_file(tmp_path, "red", "take: 3"))
    play(tmp_path, reports=True)
    send(tmp_path, order_file(tmp_path, "red", "take: 1"))
    play(tmp_path)
    send(tmp_path, order_file(tmp_path, "green", "take: 1"))
    before = snapshot(tmp_path)
    undo()
    assert redo().later
    assert snapshot(tmp_path) == before
    undo()
    undo()
    redo()
    redo()
    assert snapshot(tmp_path) == before
    undo()
    send(tmp_path, order_file(tmp_path, "blue", "take: 1"))
    with pytest.raises(Trouble, match="its inbox has changed since"):
        redo()
    change(tmp_path, "blue", lambda held: held, drop=True)
    with pytest.raises(Trouble, match="its inbox has changed since"):
        redo()
    play(tmp_path)
    undo()
    hand_over(tmp_path, "green", "Dora")
    with pytest.raises(Trouble, match="the seat green is in other hands now"):
        redo()
    hand_over(tmp_path, "green", "Bo", new_token=False)
    file = tmp_path / "undone/0002-2/events.jsonl"
    data = file.read_bytes()
    file.write_bytes(data + b"{}\n")
    with pytest.raises(Trouble, match="events.jsonl was changed"):
        redo()
    file.write_bytes(data)
    assert redo().turn == 2
