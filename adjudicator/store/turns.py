"""Turns on disk: read one, build one beside its place and put it there, mend what a killed command left, undo."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from ..core import plain
from ..core.dice import Draw
from ..core.events import GM, Event, draw_audiences
from ..core.words import _
from . import amendments, disk, manifest as manifests, pending
from .folder import AMENDMENTS, DESK, DICE, DUMPS, EVENTS, INBOX, MANIFEST, ORDERS, REPORTS, STATE, SUMS, Folder
from .manifest import Manifest
from .trouble import Trouble

T = TypeVar("T")


@dataclass
class DiceLine:
    """One line of dice.jsonl: a draw, and who may know of it."""

    name: str
    sides: int
    results: list[int]
    audience: list[str]


@dataclass
class NewTurn:
    """What a finished turn consists of. orders, dumps: file name -> bytes. desk: what its reports need beside state and events."""

    manifest: Manifest
    state: Any
    events: list[Event]
    draws: list[Draw]
    desk: Any
    orders: dict[str, bytes] = field(default_factory=dict)
    dumps: dict[str, bytes] = field(default_factory=dict)
    reports: dict[str, bytes] = field(default_factory=dict)


def dice_lines(draws: list[Draw], events: list[Event]) -> list[DiceLine]:
    """The dice log: every draw with its audience; only the game master knows of a draw that no event names."""
    known = draw_audiences(events)
    return [DiceLine(draw.name, draw.sides, draw.results, known.get(draw.name, [GM])) for draw in draws]


def json_lines(records: list[Any]) -> bytes:
    """One canonical JSON text a line."""
    return b"".join(plain.to_json(record) + b"\n" for record in records)


def build(folder: Folder, new: NewTurn, place: Path) -> None:
    """Write the whole turn into the folder `place`, the manifest last: where it stands, the turn is whole."""
    disk.remove_folder(place)
    disk.make_folder(place)
    inbox = folder.inbox(new.manifest.turn)
    if inbox.is_dir():
        disk.copy_folder(inbox, place / INBOX, but=SUMS)
        disk.write(place / INBOX / SUMS, manifests.sums_in(place / INBOX))
        disk.sync_folder(place / INBOX)
    pieces = {STATE: plain.to_pretty_json(new.state), EVENTS: json_lines(new.events), DESK: plain.to_pretty_json(new.desk),
              DICE: json_lines(dice_lines(new.draws, new.events))}
    if amendments.read(folder, new.manifest.turn):
        pieces[AMENDMENTS] = folder.amendments(new.manifest.turn).read_bytes()
    for name, data in pieces.items():
        disk.write(place / name, data)
    for name, files in ((ORDERS, new.orders), (DUMPS, new.dumps)):
        if files:
            _write_all(place / name, files)
    write_reports(place / REPORTS, new.reports)
    new.manifest.files = {name: plain.digest((place / name).read_bytes())
                          for name in disk.files_in(place) if not manifests.has_own_list(name)}
    disk.write(place / MANIFEST, manifests.encode(new.manifest))
    disk.sync_folder(place)


def write_reports(place: Path, reports: dict[str, bytes]) -> None:
    """Write reports with the list of their hashes, if there are any."""
    if reports:
        _write_all(place, {**reports, SUMS: manifests.sums_of({name: plain.digest(data) for name, data in reports.items()})})


def sum_reports(place: Path) -> None:
    """Write the list of hashes anew, after reports were made again."""
    disk.put(place / SUMS, manifests.sums_in(place))


def _write_all(place: Path, files: dict[str, bytes]) -> None:
    disk.make_folder(place)
    for name, data in sorted(files.items()):
        disk.write(place / name, data)
    disk.sync_folder(place)


def put(folder: Folder, turn: int) -> None:
    """Put the turn that was built into its place; its inbox, which was copied into it, makes room."""
    place, aside = folder.turn(turn), folder.aside(turn)
    if place.exists():
        disk.rename(place, aside)
    disk.rename(folder.building(turn), place)
    disk.sync_folder(folder.turns)
    disk.remove_folder(aside)


def recover(folder: Folder) -> list[str]:
    """Mend what a killed command left, and say so, one sentence for each thing mended. The lock must be held.

    building  whole: the turn is put into its place; not whole: it is removed, and the run can be repeated
    dry       removed
    old       an inbox that made room: put back if nothing took its place, else removed (the turn holds a copy)
    redoing   the putting back is finished
    undoing   the turn is still in its place: removed, nothing was undone; else the undoing is finished

    A change of several files that was decided (see `pending`) is made to its end.
    """
    told = pending.finish(folder)
    for turn, what in folder.leftovers():
        place = folder.turn(turn)
        if what == "building":
            if manifests.damage(folder.building(turn)) is None and not folder.is_done(turn):
                put(folder, turn)
                told.append(_("turn {turn} was finished, but not yet in its place, when a command was stopped: it is now in its place").format(turn=turn))
            else:
                if folder.aside(turn).exists() and not place.exists():
                    disk.rename(folder.aside(turn), place)
                disk.remove_folder(folder.building(turn))
                told.append(_("a command was stopped while it made turn {turn}: what was half done is removed, and nothing is lost").format(turn=turn))
        elif what == "dry":
            disk.remove_folder(folder.dry(turn))
            told.append(_("a dry run of turn {turn} was stopped: what it left is removed").format(turn=turn))
        elif what == "old" and folder.aside(turn).exists():
            if not place.exists():
                disk.rename(folder.aside(turn), place)
                told.append(_("a command was stopped while it made turn {turn}: nothing is lost").format(turn=turn))
            else:
                disk.remove_folder(folder.aside(turn))
                told.append(_("a command was stopped when turn {turn} was already in its place: what it left is cleared away").format(turn=turn))
        elif what == "redoing":
            _finish_redo(folder, turn)
            told.append(_("a command was stopped while it put turn {turn} back: it is now in its place").format(turn=turn))
        elif what == "undoing":
            if folder.is_done(turn):
                disk.remove_folder(folder.undoing(turn))
                told.append(_("a command was stopped before it undid turn {turn}: the turn still stands").format(turn=turn))
            else:
                _finish_undo(folder, turn)
                told.append(_("a command was stopped while it undid turn {turn}: the turn is now undone").format(turn=turn))
    if folder.turns.is_dir():
        for part in sorted(folder.turns.glob(f"*/{INBOX}/.*{disk.PART}")):
            disk.remove_file(part)
        for part in sorted(folder.turns.glob(f"*/.{AMENDMENTS}{disk.PART}")):
            disk.remove_file(part)
    return told


def undo(folder: Folder, turn: int) -> Path:
    """Set the last turn aside in `undone/`; its inbox becomes the inbox of the coming turn, and the corrections before it stand. Returns where it went.

    Submissions for the turn after it, written after reports that no longer hold, go with it.
    """
    target = _undone_places(folder, turn)[-1]
    disk.make_folder(folder.undone)
    disk.remove_folder(folder.undoing(turn))
    if folder.inbox(turn).is_dir():
        disk.copy_folder(folder.inbox(turn), folder.undoing(turn) / INBOX, but=SUMS)
    else:
        disk.make_folder(folder.undoing(turn))
    if folder.amendments(turn).is_file():
        disk.write(folder.undoing(turn) / AMENDMENTS, folder.amendments(turn).read_bytes())
        disk.sync_folder(folder.undoing(turn))
    disk.sync_folder(folder.turns)
    disk.rename(folder.turn(turn), target)  # from here on the turn is undone
    _finish_undo(folder, turn)
    return target


def _finish_undo(folder: Folder, turn: int) -> None:
    places = _undone_places(folder, turn)
    later = folder.turn(turn + 1)
    if later.exists():
        disk.rename(later, places[-2] / NEXT)
    disk.rename(folder.undoing(turn), folder.turn(turn))
    disk.sync_folder(folder.turns)
    disk.sync_folder(folder.undone)


def undone(folder: Folder, turn: int) -> Path | None:
    """Where this turn was set aside last; None if it was not."""
    places = _undone_places(folder, turn)
    return places[-2] if len(places) > 1 else None


def redo(folder: Folder, turn: int) -> None:
    """Put the turn that was undone last back into its place, with what had come for the turn after it.

    What stands there now, the inbox of the coming turn, makes room: the caller has seen that it is the same.
    """
    place = undone(folder, turn)
    if place is None:
        raise ValueError(f"turn {turn} was not undone")
    disk.rename(place, folder.redoing(turn))
    disk.sync_folder(folder.turns)
    _finish_redo(folder, turn)


def _finish_redo(folder: Folder, turn: int) -> None:
    source, place, aside = folder.redoing(turn), folder.turn(turn), folder.aside(turn)
    if (source / NEXT).exists():
        disk.rename(source / NEXT, folder.turn(turn + 1))
    if place.exists():
        disk.rename(place, aside)
    disk.rename(source, place)
    disk.sync_folder(folder.turns)
    disk.remove_folder(aside)


NEXT = "next"
"""In an undone turn: the folder of the turn after it."""


def _undone_places(folder: Folder, turn: int) -> list[Path]:
    """Where this turn was set aside before, and the next free place."""
    places = [folder.undone / f"{turn:04}-1"]
    while places[-1].exists():
        places.append(folder.undone / f"{turn:04}-{len(places) + 1}")
    return places


def read_state(folder: Folder, turn: int, shape: type[T]) -> T:
    """The state that a turn ended with."""
    return _read(folder.turn(turn) / STATE, shape)


def read_events(folder: Folder, turn: int) -> list[Event]:
    path = folder.turn(turn) / EVENTS
    return [_parse(path, line, Event) for line in _bytes(path).splitlines()]


def read_dice(folder: Folder, turn: int) -> list[DiceLine]:
    path = folder.turn(turn) / DICE
    return [_parse(path, line, DiceLine) for line in _bytes(path).splitlines()]


def read_desk(folder: Folder, turn: int, shape: type[T]) -> T:
    return _read(folder.turn(turn) / DESK, shape)


def read_manifest(folder: Folder, turn: int) -> Manifest:
    path = folder.turn(turn) / MANIFEST
    try:
        return manifests.read(folder.turn(turn))
    except manifests.OtherFormat as error:
        raise Trouble(_("{path}: {error}").format(path=path, error=error),
                      _("open the campaign with the version of adjudicator that made it, or a newer one")) from error
    except plain.PlainError as error:
        raise _damaged(path, error) from error


def read_orders(folder: Folder, turn: int, file: str) -> bytes:
    return _bytes(folder.turn(turn) / ORDERS / file)


def _read(path: Path, shape: type[T]) -> T:
    return _parse(path, _bytes(path), shape)


def _parse(path: Path, data: bytes, shape: type[T]) -> T:
    try:
        return plain.from_json(data, shape)
    except plain.PlainError as error:
        raise _damaged(path, error) from error


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise Trouble(_("{path} is missing").format(path=path),
                      _("bring it back from a backup; `adjudicator verify` tells what else is wrong")) from error


def _damaged(path: Path, error: Exception) -> Trouble:
    return Trouble(_("{path} is damaged: {error}").format(path=path, error=error),
                   _("bring it back from a backup; `adjudicator verify` tells what else is wrong"))
