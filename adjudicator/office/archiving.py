"""A campaign as one file, always the same bytes for the same campaign, and back; and what players may have when a game is over."""

import gzip
import io
import re
import tarfile
import zipfile
import zlib
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from ..core.words import _
from ..store import disk, turns
from ..store.folder import PASSWORDS, INBOX, REPORTS, SECRET, SETTINGS
from ..store.pending import PRIVATE
from ..store.lock import HOLDER, LOCK
from ..store.trouble import Trouble
from .campaign import Campaign
from .desk import DeskFile
from .playing import LETTER
from .settings import Player, write_settings

ZIP_DATE = (2000, 1, 1, 0, 0, 0)
TAR_DATE = 946684800
MOST_BYTES = 4 << 30


@dataclass
class Archived:
    """secret: whether seed and tokens are in it."""

    file: str
    files: int
    size: int
    secret: bool
    for_players: bool


def files_of(campaign: Campaign) -> dict[str, bytes]:
    """Everything that a campaign is: path from its folder -> bytes. What a stopped command left, and the lock, are no part of it."""
    top = campaign.folder.path
    names = [name for name in disk.files_in(top) if name not in (LOCK, HOLDER, PASSWORDS) and not any(part.startswith(".0") for part in PurePosixPath(name).parts)]
    return {name: (top / name).read_bytes() for name in names if not (top / name).is_symlink()}


def files_for_players(campaign: Campaign, with_letters: bool) -> dict[str, bytes]:
    """What a player needs to prove a finished campaign: turns with the order files in force, the seed that the last report told; no addresses,
    nothing that was not in force. Trouble while the game goes on.
    """
    if not campaign.is_over or not turns.read_desk(campaign.folder, campaign.turn, DeskFile).seed:
        raise Trouble(_("the game is not over: seed, orders and hidden pieces are still secret"),
                      _("players have the promise of the seed in every report; when the game is over, this archive proves every die"))
    private = sum(event.kind == LETTER and bool(event.data["from"]) and ("all" not in event.data["to"] or event.data.get("unsigned", False)) for turn in range(campaign.turn + 1) for event in turns.read_events(campaign.folder, turn))
    if private and not with_letters:
        raise Trouble(_("{count} private letters stand in the order files, which the proof needs as they came").format(count=private),
                      _("ask the players whether everybody may read them, then: adjudicator archive --for-players --with-letters"))
    files = {}
    for name, data in files_of(campaign).items():
        parts = PurePosixPath(name).parts
        if parts[0] == "turns" and len(parts) > 2 and int(parts[1]) <= campaign.turn and parts[2] not in (INBOX, REPORTS):
            files[name] = data
    players = {id_: Player(player.name) for id_, player in campaign.settings.players.items()}
    files[SETTINGS] = write_settings(replace(campaign.settings, players=players), campaign.ruleset)
    return files


def archive(campaign: Campaign, target: Path, *, for_players: bool = False, with_letters: bool = False) -> Archived:
    """Write the archive; its form goes by the name: .zip or .tar.gz."""
    kind = _kind(target)
    if target.exists():
        raise Trouble(_("{path} is there already").format(path=target), _("give another name with -o, or remove it first"))
    files = files_for_players(campaign, with_letters) if for_players else files_of(campaign)
    data = (_zip if kind == "zip" else _tar)(campaign.first.campaign, files)
    disk.put(target.absolute(), data, 0o600 if SECRET in files else 0o644)
    return Archived(str(target), len(files), len(data), SECRET in files, for_players)


def _kind(path: Path) -> str:
    name = path.name.lower()
    if name.endswith(".zip"):
        return "zip"
    if name.endswith((".tar.gz", ".tgz")):
        return "tar"
    raise Trouble(_("{name} is neither a .zip nor a .tar.gz").format(name=path.name), _("the end of the name says which of them is meant"))


def _mode(name: str) -> int:
    return 0o600 if PurePosixPath(name).name == SECRET or f"/{PRIVATE}/" in f"/{name}" else 0o644


def _tar(top: str, files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", fileobj=packed, mode="wb", mtime=0, compresslevel=9) as zipped, tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name, data in sorted(files.items()):
            info = tarfile.TarInfo(f"{top}/{name}")
            info.size, info.mode, info.mtime = len(data), _mode(name), TAR_DATE
            tar.addfile(info, io.BytesIO(data))
    return packed.getvalue()


def _zip(top: str, files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as zipped:
        for name, data in sorted(files.items()):
            info = zipfile.ZipInfo(f"{top}/{name}", ZIP_DATE)
            info.compress_type, info.create_system, info.external_attr = zipfile.ZIP_DEFLATED, 3, _mode(name) << 16
            zipped.writestr(info, data)
    return packed.getvalue()


def restore(source: Path, target: Path | None) -> tuple[Path, int]:
    """Unpack an archive into a new folder (without one: named after the campaign, here). Returns (the folder, how many files).

    Nothing is taken over but plain files inside the folder; it appears whole or not at all.
    """
    try:
        files = _read_zip(source) if _kind(source) == "zip" else _read_tar(source)
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error, gzip.BadGzipFile, UnicodeError, NotImplementedError, RuntimeError) as error:
        raise Trouble(_("{path} is no archive, or a damaged one: {error}").format(path=source, error=error), _("fetch it again")) from error
    tops = {PurePosixPath(name).parts[0] for name in files}
    if len(tops) != 1 or f"{next(iter(tops))}/{SETTINGS}" not in files:
        raise Trouble(_("{path} holds no campaign: there is no {name} in it").format(path=source, name=SETTINGS), _("give an archive that `adjudicator archive` made"))
    top = tops.pop()
    place = (target or Path(top)).absolute()
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise Trouble(_("{path} is not empty").format(path=place), _("choose a new folder"))
    aside = place.with_name(f".{place.name}.restoring")
    disk.remove_folder(aside)
    for name, data in sorted(files.items()):
        inner = name.removeprefix(f"{top}/")
        (aside / inner).parent.mkdir(parents=True, exist_ok=True)
        disk.write(aside / inner, data, _mode(inner))
    if (aside / PRIVATE).is_dir():
        (aside / PRIVATE).chmod(0o700)
    for folder in sorted({aside, *(path for path in aside.rglob("*") if path.is_dir())}):
        disk.sync_folder(folder)
    if place.exists():
        place.rmdir()
    disk.rename(aside, place)
    disk.sync_folder(place.parent)
    return place, len(files)


def _is_safe(name: str) -> bool:
    """True for a plain path inside one folder."""
    parts = PurePosixPath(name).parts
    return bool(re.fullmatch(r"[^\x00-\x1f\\:]+", name)) and len(parts) > 1 and not name.startswith("/") and ".." not in parts


def _checked(source: Path, name: str, size: int, is_plain: bool, so_far: int) -> None:
    if not is_plain or not _is_safe(name):
        raise Trouble(_("{path} holds something that is no plain file inside its folder: {name}").format(path=source, name=repr(name[:80])),
                      _("it was not made by `adjudicator archive`; nothing was unpacked"))
    if so_far + size > MOST_BYTES:
        raise Trouble(_("{path} would unpack to more than {size} GiB").format(path=source, size=MOST_BYTES >> 30), _("nothing was unpacked"))


def _read_tar(source: Path) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    size = 0
    with tarfile.open(source, "r:gz") as tar:
        for info in tar:
            if info.isdir():
                continue
            _checked(source, info.name, info.size, info.isfile() and info.name not in files, size)
            size += info.size
            stream = tar.extractfile(info)
            files[info.name] = stream.read() if stream else b""
    return files


def _read_zip(source: Path) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    size = 0
    with zipfile.ZipFile(source) as zipped:
        for info in zipped.infolist():
            if info.is_dir():
                continue
            kind = info.external_attr >> 28
            _checked(source, info.filename, info.file_size, kind in (0, 8) and info.filename not in files, size)
            size += info.file_size
            files[info.filename] = zipped.read(info)
    return files
