"""The manifest of a turn: the hashes by which a campaign can be proved."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from ..core import plain
from ..core.turn import Failure
from .disk import files_in
from .folder import INBOX, MANIFEST, REPORTS, SUMS

FORMATS = (1, 2, 3)
"""A newer format is written only for a turn that uses what the older one does not know; a turn without it has the manifest that it always had."""

How = Literal["file", "steward", "nmr"]


@dataclass
class Played:
    """How a seat that was asked came to its orders. file: in `orders/`, with its hash; "" where there was none."""

    how: How
    file: str = ""
    sha256: str = ""


@dataclass
class Manifest:
    """Everything that a turn was made from and that it made. All hashes are SHA-256 in hexadecimal.

    previous:      of the previous turn's manifest.json as it is on disk; "" for turn 0
    before, after: of the canonical JSON of the state that the turn began with ("" for turn 0) and ended with
    events, dice:  of the canonical JSON of the list
    holders:       seat -> player, "steward" or "nobody", at this turn; of turn 0: those that the game was set up with
    options:       in turn 0 only: they hold for the whole campaign
    left_out:      orders that raised and were left out
    amendments:    hash of the canonical JSON of the game master's corrections before the turn; "" if there were none
    reseated:      whether the ruleset was told of a change of holders before the turn
    salted:        whether the players' salts are mixed into the dice
    salts:         seat -> salt, of the files in force
    press:         "off" if letters between players were not carried, else "report"
    anonymous:     whether letters could be, or always were, unsigned: "no", "allowed" or "always"
    files:         path in the turn's folder -> hash of the file. Inbox and reports have lists of their own (SHA256SUMS): when a
                   file came, and how a report looks, must not change the manifest of a turn with the same result
    seal:          of this manifest's canonical JSON with an empty seal
    """

    format: int
    campaign: str
    ruleset: str
    revision: int
    turn: int
    turn_title: str
    commitment: str
    previous: str
    before: str
    after: str
    events: str
    dice: str
    holders: dict[str, str]
    partial: str
    seats: dict[str, Played] = field(default_factory=dict)
    left_out: list[Failure] = field(default_factory=list)
    options: dict[str, Any] | None = None
    amendments: str = ""
    reseated: bool = False
    salted: bool = False
    salts: dict[str, str] = field(default_factory=dict)
    press: str = "report"
    anonymous: str = "no"
    files: dict[str, str] = field(default_factory=dict)
    seal: str = ""


SINCE_FORMAT_2: dict[str, Any] = {"amendments": "", "reseated": False, "salted": False, "salts": {}}
SINCE_FORMAT_3: dict[str, Any] = {"press": "report", "anonymous": "no"}


class OtherFormat(plain.PlainError):
    """The manifest is of a format that this program does not know."""


def record(manifest: Manifest) -> dict[str, Any]:
    """The manifest as plain data; in an older format without the fields that came later."""
    all_ = {**SINCE_FORMAT_2, **SINCE_FORMAT_3, **plain.to_plain(manifest)}   # a field that was not in the file is not in the record either
    later = {**(SINCE_FORMAT_2 if manifest.format < 2 else {}), **(SINCE_FORMAT_3 if manifest.format < 3 else {})}
    return {key: value for key, value in all_.items() if key not in later}


def has_own_list(name: str) -> bool:
    """True for a file of the inbox or of the reports."""
    return name.startswith((f"{INBOX}/", f"{REPORTS}/"))


def damage_in_list(folder: Path) -> tuple[str, str] | None:
    """The first file in an inbox or in reports that is not as the list there says: (file, what is wrong); None if all are."""
    if not folder.is_dir():
        return None
    try:
        listed = (folder / SUMS).read_bytes()
        lines = listed.decode("ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        return SUMS, "cannot be read"
    sums = dict(reversed(line.split("  ", 1)) for line in lines if "  " in line)
    for name in sorted({*sums, *files_in(folder)} - {SUMS}):
        if not (folder / name).is_file():
            return name, "is missing"
        if name not in sums:
            return name, "does not belong there: it was added afterwards"
        if plain.digest((folder / name).read_bytes()) != sums[name]:
            return name, "was changed afterwards"
    return None if listed == sums_of(sums) else (SUMS, "was changed afterwards")


def sums_of(hashes: dict[str, str]) -> bytes:
    """File name -> hash, in the form that `sha256sum --check` reads."""
    return "".join(f"{sha256}  {name}\n" for name, sha256 in sorted(hashes.items())).encode()


def sums_in(folder: Path) -> bytes:
    """The list of all files in an inbox or in reports."""
    return sums_of({name: plain.digest((folder / name).read_bytes()) for name in files_in(folder) if name != SUMS})


def seal_of(manifest: Manifest) -> str:
    """The seal that belongs to the manifest."""
    return plain.digest_of({**record(manifest), "seal": ""})


def encode(manifest: Manifest) -> bytes:
    """The manifest as it stands on disk: in the oldest format that can say it, sealed."""
    def uses(fields: dict[str, Any]) -> bool:
        return any(getattr(manifest, key) != nothing for key, nothing in fields.items())

    manifest.format = 3 if uses(SINCE_FORMAT_3) else 2 if uses(SINCE_FORMAT_2) else 1
    manifest.seal = seal_of(manifest)
    return plain.to_pretty_json(record(manifest))


def read(folder: Path) -> Manifest:
    """The manifest of the turn in this folder. PlainError or OSError if it cannot be read; OtherFormat if it is of another format."""
    data = (folder / MANIFEST).read_bytes()
    found = plain.from_json(data, _Format).format
    if found not in FORMATS:
        raise OtherFormat(f"this manifest has format {found}; this program reads the formats {', '.join(map(str, FORMATS))}")
    return plain.from_json(data, Manifest)


@dataclass
class _Format:
    """The one thing that every manifest of every format says."""

    format: int


def damage(folder: Path, but: str = "") -> tuple[str, str] | None:
    """The first file of the turn in this folder that is not as its manifest says: (file, what is wrong); None if all are.

    but: a folder in it that is not looked at
    """
    try:
        manifest = read(folder)
        data = (folder / MANIFEST).read_bytes()
    except (plain.PlainError, OSError) as error:
        return MANIFEST, f"cannot be read: {error}"
    if seal_of(manifest) != manifest.seal or plain.to_pretty_json(record(manifest)) != data:
        return MANIFEST, "was changed after it was sealed"
    for name, sha256 in sorted(manifest.files.items()):
        path = folder / name
        if not path.is_file():
            return name, "is missing"
        if plain.digest(path.read_bytes()) != sha256:
            return name, "was changed after the turn was run"
    for name in files_in(folder):
        if name != MANIFEST and name not in manifest.files and not has_own_list(name) and not (but and name.startswith(f"{but}/")):
            return name, "does not belong to this turn: it was added after the turn was run"
    return None
