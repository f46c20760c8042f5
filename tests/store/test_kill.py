"""A command is killed at every step: the next one finds a whole folder, nothing is lost, and the result is the same."""

from pathlib import Path

import pytest
from table import begin, order_file, play, send, snapshot

from adjudicator.office import undoing
from adjudicator.office.campaign import opened
from adjudicator.office.creating import Plan, create
from adjudicator.office.verifying import verify
from adjudicator.store import disk


class Killed(BaseException):
    """Stands for a process that ends at once: no handler of ours may catch it."""


class Killer:
    """Counts steps; at the step `at` it leaves what a torn write leaves, and kills."""

    def __init__(self, at: int | None = None, torn: bool = False) -> None:
        self.at, self.torn, self.steps = at, torn, []

    def __call__(self, name: str, path: Path) -> None:
        self.steps.append((name, path))
        if len(self.steps) - 1 == self.at:
            if self.torn and name == "write":
                path.write_bytes(b"{")
            raise Killed(name)


def steps_of(monkeypatch, work) -> int:
    killer = Killer()
    with monkeypatch.context() as patch:
        patch.setattr(disk, "step", killer)
        work()
    return len(killer.steps)


def kill(monkeypatch, work, at: int, torn: bool) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(disk, "step", Killer(at, torn))
        with pytest.raises(Killed):
            work()


def prepared(path: Path) -> None:
    begin(path)
    send(path, order_file(path, "red", "take: 3"))
    send(path, b"rubbish")
    play(path)
    send(path, order_file(path, "red", "take: 4"))
    send(path, order_file(path, "green", "take: 1"))
    send(path, b"\x00rubbish")


def is_sent(name: str) -> bool:
    return "inbox" in name and not name.endswith("SHA256SUMS")


def recovered(path: Path) -> list[str]:
    said: list[str] = []
    with opened(path, "test", said.append):
        pass
    return said


def prove(path: Path) -> None:
    with opened(path, "test") as campaign:
        assert verify(campaign).difference is None


@pytest.mark.parametrize("torn", [False, True])
def test_run_killed_at_every_step(tmp_path, monkeypatch, torn):
    whole = tmp_path / "whole"
    prepared(whole)
    inbox = {name: sha for name, sha in snapshot(whole).items() if is_sent(name)}
    count = steps_of(monkeypatch, lambda: play(whole))
    expected = snapshot(whole)
    assert count > 20
    forward = back = 0
    for at in range(count):
        path = tmp_path / f"at-{at}"
        prepared_copy(tmp_path, path)
        kill(monkeypatch, lambda: play(path), at, torn)
        leftovers = bool(list((path / "turns").glob(".*")))
        assert bool(recovered(path)) == leftovers, f"step {at}: what was mended must be said, and nothing else"
        found = snapshot(path)
        assert not [name for name in found if ".building" in name or ".old" in name]
        assert {name: sha for name, sha in found.items() if is_sent(name)} == inbox, f"step {at}: a submission is lost or changed"
        if "turns/0002/manifest.json" in found:
            forward += 1
        else:
            back += 1
            play(path)
        assert snapshot(path) == expected, f"step {at}"
        prove(path)
    assert forward and back


def prepared_copy(tmp_path: Path, path: Path) -> None:
    """A campaign prepared once and copied: tokens are random, and must be the same in all."""
    import shutil

    model = tmp_path / "model"
    if not model.exists():
        shutil.copytree(tmp_path / "whole", model)
        with opened(model, "test") as campaign:
            undoing.undo(campaign)
        shutil.rmtree(model / "undone")
    shutil.copytree(model, path)


@pytest.mark.parametrize("torn", [False, True])
def test_recovery_itself_killed_at_every_step(tmp_path, monkeypatch, torn):
    """A run is killed just before its turn is put in place; then its recovery is killed, too."""
    whole = tmp_path / "whole"
    prepared(whole)
    count = steps_of(monkeypatch, lambda: play(whole))
    expected = snapshot(whole)
    for at in (count - 4, count - 3, count - 2, count - 1, count - 12):
        for again in range(6):
            path = tmp_path / f"at-{at}-{again}"
            prepared_copy(tmp_path, path)
            kill(monkeypatch, lambda: play(path), at, torn)
            with monkeypatch.context() as patch:
                patch.setattr(disk, "step", Killer(again, torn))
                try:
                    recovered(path)
                except Killed:
                    pass
            recovered(path)
            if not (path / "turns/0002/manifest.json").exists():
                play(path)
            assert snapshot(path) == expected, f"step {at}, then {again}"


@pytest.mark.parametrize("torn", [False, True])
def test_undo_killed_at_every_step(tmp_path, monkeypatch, torn):
    whole = tmp_path / "whole"
    prepared(whole)
    play(whole)
    send(whole, order_file(whole, "blue", "take: 5"))  # for turn 3, the turn after the one that is undone
    import shutil

    model = tmp_path / "model"
    shutil.copytree(whole, model)
    before = snapshot(model)

    def undo(path: Path) -> None:
        with opened(path, "test") as campaign:
            undoing.undo(campaign)

    count = steps_of(monkeypatch, lambda: undo(whole))
    expected = snapshot(whole)
    assert set(before.values()) <= set(expected.values())
    done = 0
    for at in range(count):
        path = tmp_path / f"at-{at}"
        shutil.copytree(model, path)
        kill(monkeypatch, lambda: undo(path), at, torn)
        recovered(path)
        found = snapshot(path)
        assert set(before.values()) <= set(found.values()), f"step {at}: a file is lost"
        if found == before:
            undo(path)
        else:
            done += 1
        assert snapshot(path) == expected, f"step {at}"
    assert done


@pytest.mark.parametrize("torn", [False, True])
def test_submit_killed_at_every_step(tmp_path, monkeypatch, torn):
    import shutil

    model = tmp_path / "model"
    begin(model)
    send(model, order_file(model, "red", "take: 3"))
    data = order_file(model, "red", "take: 4")
    whole = tmp_path / "whole"
    shutil.copytree(model, whole)
    count = steps_of(monkeypatch, lambda: send(whole, data))
    kept = 0
    for at in range(count):
        path = tmp_path / f"at-{at}"
        shutil.copytree(model, path)
        kill(monkeypatch, lambda: send(path, data), at, torn)
        said = recovered(path)
        inbox = path / "turns/0001/inbox"
        assert (inbox / "red-001.yaml").exists()
        assert not [each for each in inbox.iterdir() if each.name.endswith(".part")]
        if (inbox / "red-002.yaml").exists():
            kept += 1
            assert (inbox / "red-002.yaml").read_bytes() == data
            assert "Your orders are taken" in (inbox / "red-002.receipt.txt").read_text()
            play(path)
            assert (path / "turns/0001/orders/red.yaml").read_bytes() == data
        else:
            assert not said
    assert 0 < kept < count


@pytest.mark.parametrize("torn", [False, True])
def test_new_killed_at_every_step(tmp_path, monkeypatch, torn):
    plan = Plan("stones", "stones-1", stewards=True, seed="5eed")
    count = steps_of(monkeypatch, lambda: create(plan, tmp_path / "whole", reports=False))
    whole = 0
    for at in range(count):
        path = tmp_path / f"at-{at}"
        kill(monkeypatch, lambda: create(plan, path, reports=False), at, torn)
        if path.exists():
            whole += 1
        else:
            create(plan, path, reports=False)
        prove(path)
        assert sorted(each.name for each in path.iterdir() if not each.name.startswith(".lock")) == [".gitattributes", ".gitignore",
            "campaign.yaml", "secret.yaml", "turns"]
        assert not (tmp_path / f".at-{at}.building").exists()
    assert whole < count


def test_new_in_the_current_folder_killed_at_every_step(tmp_path, monkeypatch):
    plan = Plan("stones", "stones-1", stewards=True, seed="5eed")

    def here(path: Path) -> None:
        path.mkdir(exist_ok=True)
        monkeypatch.chdir(path)
        create(plan, path, reports=False)

    count = steps_of(monkeypatch, lambda: here(tmp_path / "whole"))
    for at in range(count):
        path = tmp_path / f"at-{at}"
        kill(monkeypatch, lambda: here(path), at, False)
        if not (path / "campaign.yaml").exists():
            here(path)
        prove(path)
        assert (path / "secret.yaml").stat().st_mode & 0o777 == 0o600


def test_a_dry_run_that_was_killed_is_never_rolled_forward(tmp_path, monkeypatch):
    whole = tmp_path / "whole"
    prepared(whole)
    before = snapshot(whole)
    count = steps_of(monkeypatch, lambda: play(whole, dry=True))
    assert snapshot(whole) == before
    for at in range(count):
        kill(monkeypatch, lambda: play(whole, dry=True), at, False)
        recovered(whole)
        assert snapshot(whole) == before, f"step {at}"


def test_a_process_that_is_really_killed(tmp_path):
    """Not an exception, but the end of the process, in the middle of the renames; the lock is free at once."""
    import os
    import subprocess
    import sys

    begin(tmp_path / "c", players=0)
    code = ("import os, sys\nfrom adjudicator.store import disk\nfrom adjudicator.cli.main import main\n"
            "def step(name, path):\n    if name == 'rename' and path.name == '0001': os.kill(os.getpid(), 9)\n"
            "disk.step = step\nmain(['run', sys.argv[1], '--no-reports'])")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    ended = subprocess.run([sys.executable, "-c", code, str(tmp_path / "c")], env=environment, capture_output=True)
    assert ended.returncode == -9
    assert (tmp_path / "c/turns/.0001.building/manifest.json").exists() and not (tmp_path / "c/turns/0001").exists()
    assert recovered(tmp_path / "c") == ["turn 1 was finished, but not yet in its place, when a command was stopped: it is now in its place"]
    prove(tmp_path / "c")


def seat_handed_over(path: Path) -> None:
    from dataclasses import replace

    from adjudicator.office.seating import player_named, reseat

    with opened(path, "test") as campaign:
        id_, new = player_named(campaign.settings, "Dora")
        reseat(campaign, "red", lambda held: replace(held, player=id_), new_player=(id_, new) if new else None, drop=True)


def amended(path: Path) -> None:
    from adjudicator.office import amending

    with opened(path, "test") as campaign:
        amending.amend(campaign, [("set", "heap", "99")], "lost")


def redone(path: Path) -> None:
    from adjudicator.office import redoing

    with opened(path, "test") as campaign:
        redoing.redo(campaign)


def undone(path: Path) -> None:
    with opened(path, "test") as campaign:
        undoing.undo(campaign)


def with_an_undone_turn(path: Path) -> None:
    prepared(path)
    amended(path)
    play(path)
    send(path, order_file(path, "blue", "take: 5"))
    undone(path)


@pytest.mark.parametrize("torn", [False, True])
@pytest.mark.parametrize("prepare, work", [(prepared, seat_handed_over), (prepared, amended), (with_an_undone_turn, redone)])
def test_seat_amend_and_redo_killed_at_every_step(tmp_path, monkeypatch, prepare, work, torn):
    """After the next command it is done whole, or not at all; then it can be given again, with the same result."""
    import shutil

    from adjudicator.office import secret

    monkeypatch.setattr(secret, "new_token", lambda: "aaaa-bbbb")
    model, whole = tmp_path / "model", tmp_path / "whole"
    prepare(model)
    before = snapshot(model)
    shutil.copytree(model, whole)
    count = steps_of(monkeypatch, lambda: work(whole))
    expected = snapshot(whole)
    assert count >= 3 and set(before.values()) - set(expected.values()) <= {before["secret.yaml"]}
    done = 0
    for at in range(count):
        path = tmp_path / f"at-{at}"
        shutil.copytree(model, path)
        kill(monkeypatch, lambda: work(path), at, torn)
        recovered(path)
        found = snapshot(path)
        assert found in (before, expected), f"step {at}: half done"
        done += found == expected
        if found == before:
            work(path)
        assert snapshot(path) == expected, f"step {at}"
        assert not list(path.rglob("*.part")) and not list(path.glob(".pending*"))
    assert done, "from some step on it is done"
    if work is not seat_handed_over:
        prove(whole)


@pytest.mark.parametrize("torn", [False, True])
def test_run_and_undo_of_a_turn_with_a_correction_killed_at_every_step(tmp_path, monkeypatch, torn):
    import shutil

    model, ran = tmp_path / "model", tmp_path / "ran"
    prepared(model)
    amended(model)
    before = snapshot(model)
    shutil.copytree(model, ran)
    count = steps_of(monkeypatch, lambda: play(ran))
    expected = snapshot(ran)
    assert before["turns/0002/amendments.json"] == expected["turns/0002/amendments.json"]
    for at in range(count):
        path = tmp_path / f"run-{at}"
        shutil.copytree(model, path)
        kill(monkeypatch, lambda: play(path), at, torn)
        recovered(path)
        if snapshot(path) != expected:
            assert snapshot(path) == before, f"step {at}"
            play(path)
        assert snapshot(path) == expected
    back = tmp_path / "back"
    shutil.copytree(ran, back)
    for at in range(steps_of(monkeypatch, lambda: undone(back))):
        path = tmp_path / f"undo-{at}"
        shutil.copytree(ran, path)
        kill(monkeypatch, lambda: undone(path), at, torn)
        recovered(path)
        if snapshot(path) == expected:
            undone(path)
        assert snapshot(path) == snapshot(back), f"step {at}"
        assert (path / "turns/0002/amendments.json").exists()
