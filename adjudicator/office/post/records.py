"""What became of each message, on disk: one record a message, in the folder of the campaign that it was for."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from ...core import plain
from ...core.words import N_, _
from ...store import disk

STATES = {
    "taken": N_("taken"), "partly": N_("taken in part"), "same": N_("the same as before"), "withdrawn": N_("withdrawn"), "noted": N_("noted"),
    "untouched": N_("the untouched order file: nothing changed"), "refused": N_("refused"), "unreadable": N_("unreadable"), "no-orders": N_("no orders found"),
    "past-turn": N_("for a past turn"), "future-turn": N_("for a future turn"), "other-campaign": N_("for another campaign"), "wrong-token": N_("wrong token"),
    "set-aside": N_("set aside: too many wrong tokens"), "unknown-seat": N_("an unknown seat"), "other-seat": N_("another seat"), "not-asked": N_("not asked for orders"),
    "game-over": N_("the campaign is finished"), "seat-gone": N_("the seat is in nobody's hands"), "command": N_("a command of the game master"),
    "bad-command": N_("a command that cannot be done"),
}
"""state -> words; the states of a message's parts"""


@dataclass
class Part:
    """One order file in a message, and what became of it. kept_as: its name in the turn's inbox; replaced: the file whose place it took."""

    place: str
    name: str
    campaign: str
    seat: str
    turn: int
    state: str
    kept_as: str = ""
    replaced: str = ""

    @property
    def words(self) -> str:
        said = _(STATES.get(self.state, self.state))
        return _("{state}, in place of {file}").format(state=said, file=self.replaced) if self.replaced else said


@dataclass
class Record:
    """What became of a message.

    kind, why: as the reader of messages found it
    answers:   keys of the messages that were queued because of it
    is_done:   nothing is left to do with it; else a pull was stopped in the middle of it, or another campaign is in it too
    """

    sha256: str
    message_id: str
    sender: str
    subject: str
    received: str
    kind: str
    why: str = ""
    parts: list[Part] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    is_done: bool = False
    format: int = 1

    @property
    def words(self) -> str:
        """In words: the states of its parts, or why it was left alone."""
        return "; ".join(part.words for part in self.parts) or self.why or _(STATES["no-orders"])


def record_path(folder: Path, sha256: str) -> Path:
    return folder / f"{sha256}.json"


def read_record(folder: Path, sha256: str) -> Record | None:
    """The record of a message in this folder; None if there is none. A damaged one counts as done: what it told of has happened."""
    try:
        return plain.from_json(record_path(folder, sha256).read_bytes(), Record)
    except FileNotFoundError:
        return None
    except plain.PlainError:
        return Record(sha256, "", "", "", "", "damaged", is_done=True)


def put_record(folder: Path, record: Record) -> None:
    disk.make_folder(folder)
    disk.put(record_path(folder, record.sha256), plain.to_pretty_json(record), 0o600)


def all_records(folder: Path) -> list[Record]:
    """Every record in a folder, oldest first; one that is damaged is told as such."""
    found = []
    for path in sorted(folder.glob("*.json")) if folder.is_dir() else []:
        try:
            found.append(plain.from_json(path.read_bytes(), Record))
        except plain.PlainError as error:
            found.append(Record(path.stem, "", "", "", "", "damaged", _("{path} is damaged: {error}").format(path=path, error=error)))
    return sorted(found, key=lambda record: (record.received, record.sha256))


def stamp(now: datetime) -> str:
    """A moment as records have it, such as 2026-12-06T17:00:00Z."""
    return now.strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass
class Tally:
    """Times at which something happened, under a name; only those of the last day are kept. format: of the file."""

    times: dict[str, list[str]] = field(default_factory=dict)
    format: int = 1

    def count(self, name: str, now: datetime) -> int:
        """How often in the last 24 hours."""
        since, until = stamp(now - timedelta(days=1)), stamp(now + timedelta(hours=1))   # a clock that was wrong must not count for ever
        return sum(since < time <= until for time in self.times.get(name, []))

    def add(self, name: str, now: datetime) -> None:
        since, until = stamp(now - timedelta(days=1)), stamp(now + timedelta(hours=1))
        self.times = {each: kept for each, times in self.times.items() if (kept := [time for time in times if since < time <= until][-200:])}
        self.times.setdefault(name, []).append(stamp(now))


def read_tally(path: Path) -> Tally:
    """The tally in a file; a damaged or missing one begins anew: it only limits, and decides nothing."""
    try:
        return plain.from_json(path.read_bytes(), Tally)
    except (OSError, plain.PlainError):
        return Tally()
