"""Turns on disk: what a folder holds, what is told of a damaged one, and what undo keeps."""

import json
import shutil

import pytest
from table import begin, order_file, play, send, snapshot

from adjudicator.core import plain
from adjudicator.office import undoing
from adjudicator.office.campaign import opened
from adjudicator.store import manifest as manifests, turns
from adjudicator.store.folder import Folder
from adjudicator.store.trouble import Trouble


def test_the_dice_log_tells_who_may_know_each_draw(tmp_path):
    begin(tmp_path)
    play(tmp_path)
    known = {line.name: line.audience for line in turns.read_dice(Folder(tmp_path), 1)}
    assert known["wind"] == ["public"]
    assert known["luck/red"] == ["red"]
    assert known["unseen"] == ["gm"]


def test_manifest_holds_hashes_that_sha256sum_gives(tmp_path):
    begin(tmp_path)
    data = order_file(tmp_path, "red", "take: 3")
    send(tmp_path, data)
    play(tmp_path)
    manifest = json.loads((tmp_path / "turns/0001/manifest.json").read_text())
    assert manifest["seats"]["red"] == {"how": "file", "file": "red.yaml", "sha256": plain.digest(data)}
    assert manifest["seats"]["green"]["how"] == "nmr"
    assert manifest["files"]["orders/red.yaml"] == plain.digest(data)
    assert f"{plain.digest(data)}  red-001.yaml" in (tmp_path / "turns/0001/inbox/SHA256SUMS").read_text()
    assert manifest["previous"] == plain.digest((tmp_path / "turns/0000/manifest.json").read_bytes())
    state = json.loads((tmp_path / "turns/0001/state.json").read_text())
    assert manifest["after"] == plain.digest_of(state)
    assert manifest["holders"] == {"red": "1", "green": "2", "blue": "3"}
    first = json.loads((tmp_path / "turns/0000/manifest.json").read_text())
    assert first["options"] == {"heap": 30, "turns": 12, "weather": "calm"}
    assert manifest["before"] == first["after"]
    assert "5eed5eed" not in (tmp_path / "turns/0001/manifest.json").read_text()


def test_nothing_but_secret_yaml_holds_the_seed_while_the_game_goes_on(tmp_path):
    begin(tmp_path, reports=True)
    play(tmp_path, 2, reports=True)
    with_seed = [path for path in tmp_path.rglob("*") if path.is_file() and b"5eed5eed" in path.read_bytes()]
    assert with_seed == [tmp_path / "secret.yaml"]


@pytest.mark.parametrize("what", ["missing", "torn", "empty", "other-format"])
def test_a_damaged_manifest_is_never_read_as_something_else(tmp_path, what):
    begin(tmp_path)
    play(tmp_path)
    path = tmp_path / "turns/0001/manifest.json"
    data = path.read_bytes()
    if what == "missing":
        path.unlink()
    else:
        path.write_bytes({"torn": data[:len(data) // 2], "empty": b"", "other-format": data.replace(b'"format": 1', b'"format": 9')}[what])
    with pytest.raises(Trouble) as trouble, opened(tmp_path, "test") as campaign:
        turns.read_manifest(campaign.folder, 1)
    assert "0001" in trouble.value.message
    assert trouble.value.advice


def test_a_turn_that_is_missing_in_the_middle_is_told(tmp_path):
    begin(tmp_path)
    play(tmp_path, 3)
    shutil.rmtree(tmp_path / "turns/0002")
    with pytest.raises(Trouble, match="turn 2 is missing"), opened(tmp_path, "test"):
        pass


def test_a_state_that_is_torn_is_told_with_its_file(tmp_path):
    begin(tmp_path)
    play(tmp_path)
    path = tmp_path / "turns/0001/state.json"
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(Trouble, match="state.json is damaged"), opened(tmp_path, "test") as campaign:
        campaign.asked()


def test_undo_sets_aside_and_the_inbox_is_in_force_again(tmp_path):
    begin(tmp_path)
    play(tmp_path)
    send(tmp_path, order_file(tmp_path, "red", "take: 5"))
    before = snapshot(tmp_path / "turns/0001")
    first = play(tmp_path)[0]
    turn = snapshot(tmp_path / "turns/0002")
    later = order_file(tmp_path, "red", "take: 9")
    send(tmp_path, later)
    with opened(tmp_path, "test") as campaign:
        undone = undoing.undo(campaign)
    assert (undone.turn, undone.kept, undone.later, undone.set_aside) == (2, 1, 1, "undone/0002-1")
    assert {name: sha for name, sha in snapshot(tmp_path / "undone/0002-1").items() if not name.startswith("next/")} == turn
    assert (tmp_path / "undone/0002-1/next/inbox/red-001.yaml").read_bytes() == later
    assert snapshot(tmp_path / "turns/0001") == before
    assert not (tmp_path / "turns/0003").exists()
    again = play(tmp_path)[0]
    assert again == first
    assert snapshot(tmp_path / "turns/0002") == turn, "the same orders and the same dice give the same bytes"
    with opened(tmp_path, "test") as campaign:
        assert undoing.undo(campaign).set_aside == "undone/0002-2"
    with opened(tmp_path, "test") as campaign:
        assert undoing.undo(campaign).turn == 1
    with pytest.raises(Trouble, match="nothing to undo"), opened(tmp_path, "test") as campaign:
        undoing.undo(campaign)


def test_damage_tells_of_a_file_that_was_added(tmp_path):
    begin(tmp_path)
    play(tmp_path)
    assert manifests.damage(tmp_path / "turns/0001") is None
    (tmp_path / "turns/0001/orders").mkdir(exist_ok=True)
    (tmp_path / "turns/0001/orders/red.yaml").write_text("take: 9")
    assert manifests.damage(tmp_path / "turns/0001")[0] == "orders/red.yaml"


def test_secret_is_for_the_owner_alone(tmp_path):
    begin(tmp_path / "c")
    assert (tmp_path / "c/secret.yaml").stat().st_mode & 0o777 == 0o600


def test_another_format_is_refused_with_both_versions_named(tmp_path):
    begin(tmp_path)
    for turn, words in ((0, "0000"), (1, "0001")):
        path = tmp_path / f"turns/{turn:04}/manifest.json"
        if not path.exists():
            play(tmp_path)
        data = path.read_bytes()
        path.write_bytes(b'{"format": 4, "shape": ["quite", "another"]}')
        with pytest.raises(Trouble) as trouble, opened(tmp_path, "test") as campaign:
            turns.read_manifest(campaign.folder, turn)
        assert "format 4" in trouble.value.message and "formats 1, 2, 3" in trouble.value.message and words in trouble.value.message
        assert "newer" in trouble.value.advice
        path.write_bytes(data)


def test_a_folder_of_format_1_opens_runs_and_is_proved(tmp_path):
    """A folder as the first version of the program left it: no field of format 2 is in it."""
    from adjudicator.office.verifying import verify

    begin(tmp_path)
    play(tmp_path, 2)
    for turn in (0, 1, 2):
        stored = json.loads((tmp_path / f"turns/{turn:04}/manifest.json").read_text())
        assert stored["format"] == 1 and not set(stored) & set(manifests.SINCE_FORMAT_2)
        assert "due" not in json.loads((tmp_path / f"turns/{turn:04}/desk.json").read_text())
    settings = tmp_path / "campaign.yaml"
    lines = settings.read_text().splitlines()
    settings.write_text("\n".join(line for line in lines if not line.startswith("dice:")) + "\n")
    play(tmp_path)
    with opened(tmp_path, "test") as campaign:
        assert verify(campaign).difference is None
