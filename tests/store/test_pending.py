"""A change of several files: whole or not at all, private where it must be, and each folder synced once."""

import os

import pytest
from table import begin, order_file, snapshot

from adjudicator.office.campaign import opened
from adjudicator.store import disk, pending
from adjudicator.store.folder import Folder
from adjudicator.store.pending import Pending

DATA = {"mail/in/one.json": b"\x00\xff\r\n", "mail/in/two.json": b"{}", "mail/out/new/three.eml": b"Subject: x\n", "turns/0001/inbox/red-001.yaml": b"orders:\n"}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "turns").mkdir()
    return Folder(tmp_path)


def test_bytes_are_written_as_they_are_with_the_folders_they_need(folder):
    pending.commit(folder, Pending("a test", files={"secret.yaml": "seed\n"}, data=DATA))
    for name, data in DATA.items():
        assert (folder.path / name).read_bytes() == data
    assert not folder.pending.exists() and not list(folder.path.rglob("*.part"))


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_what_is_the_game_master_s_own_can_be_read_by_nobody_else(folder):
    old = os.umask(0o022)
    try:
        pending.commit(folder, Pending("a test", files={"secret.yaml": "seed\n"}, data=DATA))
    finally:
        os.umask(old)
    modes = {name: (folder.path / name).stat().st_mode & 0o777 for name in [*DATA, "secret.yaml"]}
    assert modes == {name: 0o600 if name.startswith(("mail/", "secret")) else 0o644 for name in modes}
    assert {(folder.path / name).stat().st_mode & 0o777 for name in ("mail", "mail/in", "mail/out", "mail/out/new")} == {0o700}


def test_a_file_takes_the_place_of_an_older_one(folder):
    for data in (b"one", b"two"):
        pending.commit(folder, Pending("a test", data={"mail/tally.json": data}))
    assert (folder.path / "mail/tally.json").read_bytes() == b"two"


def test_each_folder_is_synced_once_and_new_ones_in_their_parents(folder, monkeypatch):
    synced = []
    real = disk.sync_folder
    monkeypatch.setattr(disk, "sync_folder", lambda path: synced.append(path.relative_to(folder.path).as_posix()) or real(path))
    pending.commit(folder, Pending("a test", data=DATA))
    assert sorted(synced[1:-1]) == sorted(set(synced[1:-1]))
    assert {".", "mail", "mail/in", "mail/out", "mail/out/new", "turns", "turns/0001", "turns/0001/inbox"} <= set(synced)


def test_a_journal_of_an_older_version_is_finished(folder):
    folder.pending.write_text('{"about": "the seat red", "moves": [], "files": {"seats.json": "{}"}}')
    assert len(pending.finish(folder)) == 1
    assert (folder.path / "seats.json").read_text() == "{}"


class Killed(BaseException):
    """Stands for a process that ends at once."""


@pytest.mark.parametrize("torn", [False, True])
def test_a_file_that_sends_a_player_away_killed_at_every_step(tmp_path, monkeypatch, torn):
    """Orders, receipt and absence: all of it or nothing."""
    import shutil

    from adjudicator.office.submitting import submit

    model, whole = tmp_path / "model", tmp_path / "whole"
    begin(model)
    data = order_file(model, "red", "take: 3") + b"absent: 2\n"
    shutil.copytree(model, whole)
    steps = []

    def work(path):
        with opened(path, "test") as campaign:
            submit(campaign, data, "orders.yaml", "2026-01-01 12:00 UTC")

    with monkeypatch.context() as patch:
        patch.setattr(disk, "step", lambda name, path: steps.append(name))
        work(whole)
    before, expected = snapshot(model), snapshot(whole)
    assert set(expected) - set(before) == {"seats.json", *(f"turns/0001/inbox/red-001{end}" for end in (".yaml", ".receipt.txt", ".receipt.json"))}
    done = 0
    for at in range(len(steps)):
        path = tmp_path / f"at-{at}"
        shutil.copytree(model, path)
        count = iter(range(len(steps)))

        def step(name, place, count=count, at=at):
            if next(count) == at:
                if torn and name == "write":
                    place.write_bytes(b"{")
                raise Killed

        with monkeypatch.context() as patch:
            patch.setattr(disk, "step", step)
            with pytest.raises(Killed):
                work(path)
        is_decided = (path / ".pending.json").exists()
        said = []
        with opened(path, "test", said.append) as campaign:
            assert len(said) == is_decided
            is_done = campaign.settings.seats["red"].away_until == 2
        assert snapshot(path) == (expected if is_done else before), f"step {at}"
        assert is_done or not is_decided
        done += is_done
    assert 0 < done < len(steps)
