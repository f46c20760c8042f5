"""Two commands never change one campaign at the same time, and a killed one blocks nobody."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from table import begin, play

from adjudicator.office.campaign import opened
from adjudicator.store.lock import HOLDER, LOCK, locked
from adjudicator.store.trouble import Trouble

HOLD = "import sys, time\nfrom pathlib import Path\nfrom adjudicator.store.lock import locked\nwith locked(Path(sys.argv[1]), 'adjudicator run war'):\n    print('held', flush=True)\n    time.sleep(60)\n"


def holding(path: Path) -> subprocess.Popen:
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "held\n"
    return process


def test_the_message_names_the_holder_and_a_killed_holder_blocks_nobody(tmp_path):
    begin(tmp_path / "c")
    process = holding(tmp_path / "c")
    try:
        with pytest.raises(Trouble) as trouble, opened(tmp_path / "c", "test", wait_seconds=0.2):
            pass
        assert f"process {process.pid} (adjudicator run war)" in trouble.value.message
        assert (tmp_path / "c" / HOLDER).read_text() == f"{process.pid} adjudicator run war\n", "the one who waits must not wipe out who holds it"
        assert not (tmp_path / "c/turns/0001").exists()
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert (tmp_path / "c" / LOCK).exists()
    play(tmp_path / "c")
    assert (tmp_path / "c/turns/0001/manifest.json").exists()
    assert not (tmp_path / "c" / HOLDER).exists()


def test_a_waiting_command_goes_on_when_the_lock_is_given_back(tmp_path):
    begin(tmp_path / "c")
    process = holding(tmp_path / "c")
    subprocess.Popen([sys.executable, "-c", f"import os, time; time.sleep(0.4); os.kill({process.pid}, 9)"])
    started = time.monotonic()
    with opened(tmp_path / "c", "test", wait_seconds=20):
        assert time.monotonic() - started > 0.2
    process.wait()


def test_an_error_inside_gives_the_lock_back(tmp_path):
    with pytest.raises(ValueError), locked(tmp_path, "first"):
        raise ValueError
    with locked(tmp_path, "second", wait_seconds=0):
        assert "second" in (tmp_path / HOLDER).read_text()


def test_who_only_looks_needs_no_lock_in_a_folder_that_cannot_be_written(tmp_path, monkeypatch):
    import filelock

    def refuse(*_args, **_kwargs):
        raise PermissionError(13, "Permission denied", str(tmp_path / LOCK))
    begin(tmp_path / "c")
    monkeypatch.setattr(filelock.FileLock, "acquire", refuse)
    with opened(tmp_path / "c", "status", changes=False) as campaign:
        assert campaign.coming == 1
    with pytest.raises(PermissionError), opened(tmp_path / "c", "run"):
        pass
