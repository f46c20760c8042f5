"""The inbox of a turn: every submission as it came, under names of our own, with its receipt beside it."""

import re
from dataclasses import dataclass
from pathlib import Path

from . import disk

UNKNOWN = "unknown"
RECEIPT = ".receipt.txt"
RECEIPT_DATA = ".receipt.json"
DROPPED = "dropped"
"""In an inbox: submissions that the game master has put out of force, with their receipts."""


@dataclass(frozen=True)
class Kept:
    """One submission. seat: whose it is; UNKNOWN if that could not be told."""

    seat: str
    number: int
    path: Path

    @property
    def stem(self) -> str:
        return f"{self.seat}-{self.number:03}"


def kept(inbox: Path) -> list[Kept]:
    """All submissions in an inbox, by seat, oldest first."""
    if not inbox.is_dir():
        return []
    found = []
    for path in inbox.iterdir():
        match = re.fullmatch(r"(.+)-([0-9]{3,})\.(?:yaml|txt)", path.name)
        if match:
            found.append(Kept(match[1], int(match[2]), path))
    return sorted(found, key=lambda each: (each.seat, each.number))


def kept_of(inbox: Path, seat: str) -> list[Kept]:
    """The submissions of one seat, oldest first."""
    return [each for each in kept(inbox) if each.seat == seat]


def coming(inbox: Path, seat: str, before: list[Kept]) -> Kept:
    """The name under which the next submission of a seat will be kept. before: those that are kept already."""
    number = max((each.number for each in [*before, *kept_of(inbox / DROPPED, seat)]), default=0) + 1
    return Kept(seat, number, inbox / f"{seat}-{number:03}{'.txt' if seat == UNKNOWN else '.yaml'}")


def keep(inbox: Path, seat: str, data: bytes) -> Kept:
    """Keep a submission byte for byte under the next number."""
    disk.make_folder(inbox)
    new = coming(inbox, seat, kept_of(inbox, seat))
    disk.put(new.path, data)
    return new


def answers(kept: Kept, data: bytes, text: str) -> dict[str, bytes]:
    """The receipt beside the submission, for programs and for people: file name -> bytes."""
    return {f"{kept.stem}{RECEIPT_DATA}": data, f"{kept.stem}{RECEIPT}": text.encode()}


def answer(inbox: Path, kept: Kept, data: bytes, text: str) -> None:
    """Put the receipt beside a submission that is kept already."""
    for name, content in answers(kept, data, text).items():
        disk.put(inbox / name, content)


def unanswered(inbox: Path) -> list[Kept]:
    """Submissions whose receipt is missing: a command was stopped between the two."""
    return [each for each in kept(inbox) if not (inbox / f"{each.stem}{RECEIPT}").is_file()]


def moves_to_drop(top: Path, inbox: Path, seat: str) -> list[tuple[str, str]]:
    """(from, to), as paths from `top`, of every submission of a seat and its receipts, so that none of them is in force."""
    names = [f"{each.stem}{end}" for each in kept_of(inbox, seat) for end in (each.path.suffix, RECEIPT, RECEIPT_DATA)]
    return [((inbox / name).relative_to(top).as_posix(), (inbox / DROPPED / name).relative_to(top).as_posix()) for name in names if (inbox / name).is_file()]
