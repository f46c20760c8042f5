"""The lock that keeps two commands from changing one campaign at the same time."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..core.words import _
from .trouble import Trouble

LOCK = ".lock"
HOLDER = ".lock.holder"
"""Beside the lock, not inside it: some versions of the lock library empty the lock file while they wait for it."""


@contextmanager
def locked(folder: Path, command: str, wait_seconds: float = 10.0, must: bool = True) -> Iterator[bool]:
    """Hold the campaign's lock inside the block. Trouble, naming the holder, if it does not become free in time.

    The operating system gives the lock back when its process ends, however it ends: a killed process blocks nobody.
    must: False: go on without the lock where the folder cannot be written, since nothing can change there. Yields whether it is held.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(str(folder / LOCK))
    try:
        lock.acquire(timeout=wait_seconds)
    except Timeout:
        raise Trouble(_("another command is working on this campaign: {holder}").format(holder=holder(folder)),
                      _("wait until it has ended, then try again")) from None
    except OSError as error:
        if must or error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise
        yield False
        return
    try:
        (folder / HOLDER).write_text(f"{os.getpid()} {command}\n", encoding="utf-8")
        yield True
    finally:
        (folder / HOLDER).unlink(missing_ok=True)
        lock.release()


@contextmanager
def alone(path: Path, wait_seconds: float = 0) -> Iterator[bool]:
    """Inside the block, whether this process is the only one that has the lock file `path`, if need be after waiting. A killed process blocks nobody."""
    from filelock import FileLock, Timeout

    lock = FileLock(str(path))
    try:
        lock.acquire(timeout=wait_seconds)
    except Timeout:
        yield False
        return
    try:
        yield True
    finally:
        lock.release()


def holder(folder: Path) -> str:
    """Who holds the lock, in words."""
    try:
        pid, _space, command = (folder / HOLDER).read_text(encoding="utf-8").strip().partition(" ")
    except (OSError, UnicodeDecodeError):
        return _("process unknown")
    return _("process {pid} ({command})").format(pid=pid, command=command)
