"""Fetch mail and deal with it: every message is on disk before anything else is done, and marked where it came from only when its record is there too."""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from ...core.plain import digest
from ...core.words import _
from ...mail.sources import Arrived, Source
from ...store import disk, lock
from ...store.trouble import Trouble
from ..campaign import Say
from .offices import MAIL, PostOffice
from .records import Record, put_record, stamp
from .taking import Sorter, Waits

BATCH = 100
"""Messages that are dealt with while the campaigns are locked once."""


@dataclass
class Pulled:
    """What a pull did.

    records:  of the messages that were dealt with
    waiting:  messages that are on disk, for a campaign that cannot be opened
    troubles: why mail could not be fetched
    broken:   campaign folder -> why it could not be opened
    """

    records: list[Record] = field(default_factory=list)
    waiting: int = 0
    troubles: list[Trouble] = field(default_factory=list)
    broken: dict[Path, Trouble] = field(default_factory=dict)


class Busy(Trouble):
    """Another process is at the same work."""


@contextmanager
def alone(path: Path, what: str, wait_seconds: float = 0) -> Iterator[None]:
    """Hold a lock of the post office inside the block. Busy if another process has it and does not give it back in time; a killed process blocks nobody."""
    make_private(path.parent)
    with lock.alone(path, wait_seconds) as is_alone:
        if not is_alone:
            raise Busy(_("another {what} is at work in {path}").format(what=what, path=path.parent.parent), _("nothing needs to be done: it will do what is to be done"))
        yield


def make_private(path: Path) -> None:
    """Make a folder of the mail: for the game master alone, and outside of git."""
    if not path.is_dir():
        disk.make_folder(path)
    if path.stat().st_mode & 0o077:
        path.chmod(0o700)
    if path.name == MAIL and not (path / ".gitignore").is_file():
        disk.put(path / ".gitignore", b"*\n")


def pull(office: PostOffice, source: Source | None, now: datetime, say: Say, wait_seconds: float = 0) -> Pulled:
    """Fetch what has come and deal with it; first with what an earlier pull left. source: None: only that. Busy if another pull is at work for so long."""
    pulled = Pulled()
    with alone(office.mail / ".pull.lock", "pull", wait_seconds):
        for folder in (office.new, office.old, office.records):
            make_private(folder)
        left = sorted(office.new.glob("*.eml"), key=lambda path: (path.stat().st_mtime_ns, path.name))
        for start in range(0, len(left), BATCH):
            _deal(office, [(path, None) for path in left[start:start + BATCH]], None, now, say, pulled)
        if source is not None:
            _fetch(office, source, now, say, pulled)
    pulled.waiting = len(list(office.new.glob("*.eml")))
    return pulled


def _fetch(office: PostOffice, source: Source, now: datetime, say: Say, pulled: Pulled) -> None:
    batch: list[tuple[Path, Arrived | None]] = []
    try:
        with source:
            try:
                for arrived in source.arrived(lambda sha256: (office.old / f"{sha256}.eml").is_file()):
                    path = office.new / f"{digest(arrived.data)}.eml"
                    if arrived.truncated:
                        say(_("{name} is so large that only its beginning was fetched").format(name=arrived.name))
                    if not path.is_file():
                        _keep(path, arrived.data)
                    batch.append((path, arrived))
                    if len(batch) >= BATCH:
                        batch = _deal(office, batch, source, now, say, pulled)
            finally:
                _deal(office, batch, source, now, say, pulled)
    except Trouble as trouble:
        pulled.troubles.append(trouble)


def _keep(path: Path, data: bytes) -> None:
    """Put a message on disk; its folder is synced with the batch."""
    beside = path.with_name(f".{path.name}{disk.PART}")
    beside.unlink(missing_ok=True)
    disk.write(beside, data, 0o600)
    disk.rename(beside, path)


def _deal(office: PostOffice, batch: list[tuple[Path, Arrived | None]], source: Source | None, now: datetime, say: Say, pulled: Pulled) -> list:
    """Deal with a batch; what must wait stays in `new`. Returns an empty batch."""
    if not batch:
        return []
    disk.sync_folder(office.new)
    dealt: list[tuple[Path, Arrived | None]] = []
    records = []
    with Sorter(office, now, say) as sorter:
        for path, arrived in batch:
            try:
                records.append(sorter.take(path.read_bytes()))
            except Waits:
                continue
            except (OSError, Trouble):
                raise
            except Exception:  # a fault of the program with one message must not keep the others
                records.append(_failed(office, path, now))
            dealt.append((path, arrived))
        sorter.flush()
    pulled.records += {record.sha256: record for record in records}.values()
    for path, arrived in dealt:  # from here on everything is on disk
        if path.is_file():
            disk.rename(path, office.old / path.name)
        if source is not None and arrived is not None:
            source.done(arrived)
    pulled.broken |= sorter.broken
    return []


def _failed(office: PostOffice, path: Path, now: datetime) -> Record:
    """A message that the program stumbled over: it is kept, with what is needed to mend that, and never tried again by itself."""
    disk.put(office.mail / f"{path.stem[:16]}.fault.txt", traceback.format_exc().encode(), 0o600)
    why = _("a fault of the program: what is needed to mend it is in {file}, the message in {message}").format(
        file=office.mail / f"{path.stem[:16]}.fault.txt", message=office.old / path.name)
    record = Record(path.stem, "", "", "", stamp(now), "fault", why, is_done=True)
    put_record(office.records, record)
    return record
