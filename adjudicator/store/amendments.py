"""The game master's corrections between two turns, as they are kept in the folder of the turn that begins with them."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..core import plain
from . import disk
from .folder import Folder
from .trouble import Trouble
from ..core.words import _


@dataclass
class Change:
    """One value of the state. how: "set", "add" (to a list) or "remove". `before` and `after` are None where there is no value."""

    how: str
    path: str
    before: Any = None
    after: Any = None


@dataclass
class Amendment:
    """Changes made together, why, and who is told beside the game master (as in Event.audience)."""

    reason: str
    audience: list[str]
    changes: list[Change] = field(default_factory=list)


def read(folder: Folder, turn: int) -> list[Amendment]:
    """The corrections before a turn, oldest first; none if there is no such file."""
    path: Path = folder.amendments(turn)
    if not path.is_file():
        return []
    try:
        return plain.from_json(path.read_bytes(), list[Amendment])
    except plain.PlainError as error:
        raise Trouble(_("{path} is damaged: {error}").format(path=path, error=error), _("bring it back from a backup")) from error


def add(folder: Folder, turn: int, amendment: Amendment) -> int:
    """Keep one more correction before a turn that has not been run. Returns how many there are now."""
    all_ = [*read(folder, turn), amendment]
    disk.make_folder(folder.turn(turn))
    disk.put(folder.amendments(turn), plain.to_pretty_json(all_))
    return len(all_)


def digest_of(amendments: list[Amendment]) -> str:
    """What the manifest says of them."""
    return plain.digest_of(amendments) if amendments else ""
