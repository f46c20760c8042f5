"""A change of several files that is made whole or not at all: written down first, then made, then struck out.

If the process ends in between, `finish` makes the rest, however often it is begun.
"""

from dataclasses import dataclass, field
from pathlib import Path

from ..core import plain
from ..core.words import _
from . import disk
from .folder import SECRET, Folder
from .trouble import Trouble


PRIVATE = "mail"
"""The folder of the mail: it holds addresses and tokens."""


@dataclass
class Pending:
    """about: what is being done, in words. moves: (from, to). files: path -> text; data: path -> bytes. All paths from the campaign folder.

    What lies under `mail/` is for the game master alone, as secret.yaml is.
    """

    about: str
    moves: list[tuple[str, str]] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    data: dict[str, bytes] = field(default_factory=dict)


def commit(folder: Folder, change: Pending) -> None:
    """Make the change. From the moment its journal is in place, it will be made."""
    disk.put(folder.pending, plain.to_pretty_json(change), 0o600)
    finish(folder)


def finish(folder: Folder) -> list[str]:
    """Make what was written down and not made to its end. Returns one sentence if there was something. The lock must be held."""
    if not folder.pending.is_file():
        beside = folder.pending.with_name(f".{folder.pending.name}{disk.PART}")
        if beside.exists():
            disk.remove_file(beside)
        return []
    try:
        change = plain.from_json(folder.pending.read_bytes(), Pending)
    except plain.PlainError as error:
        raise Trouble(_("{path} is damaged: {error}").format(path=folder.pending, error=error), _("bring it back from a backup")) from error
    for old, new in change.moves:
        if (folder.path / old).exists():
            disk.make_folder((folder.path / new).parent)
            disk.rename(folder.path / old, folder.path / new)
            disk.sync_folder((folder.path / new).parent)
    _put_all(folder, {**{name: text.encode() for name, text in change.files.items()}, **change.data})
    disk.remove_file(folder.pending)
    disk.sync_folder(folder.path)
    return [_("a command was stopped before its end: what it had begun ({what}) is now done").format(what=change.about)]


def _put_all(folder: Folder, files: dict[str, bytes]) -> None:
    """Write files beside their places and rename them, and sync each of their folders once."""
    places: dict[Path, None] = {}
    for name, data in files.items():
        path = folder.path / name
        is_private = name == SECRET or name.startswith(f"{PRIVATE}/")
        if path.parent not in places and not path.parent.is_dir():
            made = [new for new in (path.parent, *path.parent.parents) if not new.exists()]
            disk.make_folder(path.parent)
            for new in made:
                places[new.parent] = None
                if is_private:
                    new.chmod(0o700)
        places[path.parent] = None
        beside = path.with_name(f".{path.name}{disk.PART}")
        beside.unlink(missing_ok=True)
        disk.write(beside, data, 0o600 if is_private else 0o644)
        disk.rename(beside, path)
    for place in places:
        disk.sync_folder(place)
