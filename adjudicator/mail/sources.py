"""Where mail comes from, on this machine: a Maildir, an mbox, a folder of .eml files, standard input."""

import errno
import mailbox
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import Any, BinaryIO, Protocol, Self

from ..core.plain import digest
from ..core.words import _
from ..store import disk
from ..store.trouble import Trouble

MOST_BYTES = 25 * 1024 * 1024
"""A larger message is not fetched whole: no order file needs it, and no mail server of a player sends it."""
FIRST_BYTES = 256 * 1024
"""What is fetched of a larger one: enough for its headers and the text of its body."""
MAY_NOT = (errno.EACCES, errno.EPERM, errno.EROFS)
LOCK_TRIES, LOCK_PAUSE_SECONDS = 100, 0.1

IsKnown = Callable[[str], bool]


class SourceTrouble(Trouble):
    """A source cannot be read, or not to its end. What was given before stays given; the next call goes on from there."""


@dataclass(frozen=True)
class Arrived:
    """A message as the source gave it.

    mark:      what the source needs to mark it
    name:      for messages to people, such as "new/1700000.M1" or "UID 17"
    truncated: data is only the first FIRST_BYTES, because the message is larger than MOST_BYTES
    """

    data: bytes
    mark: Any
    name: str
    truncated: bool = False


class Source(Protocol):
    """A context manager: entered, asked once for what has arrived, told of each message that is safe, left."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_exception: object) -> None: ...

    def arrived(self, is_known: IsKnown) -> Iterator[Arrived]:
        """Every message that `done` was not called for, here or in an earlier process; oldest first where the source knows.

        is_known: is asked with the SHA-256 of a message's bytes; one that is known is marked and not given
        SourceTrouble at the end if some could not be read: the others have been given by then.
        """
        ...

    def done(self, arrived: Arrived) -> None:
        """The message's file and record are on disk: it need not be given again. If it cannot be marked, nothing is lost."""
        ...


class _Local:
    """What the sources on this machine share: nothing to open, nothing to close."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        pass


def _no_such(path: Path, what: str) -> SourceTrouble:
    return SourceTrouble(_("{path} is no {what}").format(path=path, what=what), _("check the path where the mail's source is set"))


def _not_read(path: Path, error: OSError, count: int = 0) -> SourceTrouble:
    message = _("{path} cannot be read: {reason}").format(path=path, reason=error.strerror or type(error).__name__)
    if count > 1:
        message = _("{message} (and {count} more)").format(message=message, count=count - 1)
    return SourceTrouble(message, _("give the user who runs this command the right to read it"))


def _first(file: BinaryIO) -> tuple[bytes, bool]:
    """(bytes, whether they are only the start) of a message in a file."""
    data = file.read(MOST_BYTES + 1)
    return (data[:FIRST_BYTES], True) if len(data) > MOST_BYTES else (data, False)


def _read_message(path: Path) -> tuple[bytes, bool]:
    with path.open("rb") as file:
        return _first(file)


class Maildir(_Local):
    """A Maildir: new/ and cur/. What is done goes to cur/ with the flag S.

    Flags decide nothing, since people read mail too; the memory file names what is done, one unique name a line, so that old
    messages cost no reading. A memory that is lost costs one reading of them: `is_known` tells that they are known.
    """

    def __init__(self, path: Path, memory: Path) -> None:
        super().__init__(path)
        self.memory = memory
        self._done: set[str] = set()

    def arrived(self, is_known: IsKnown) -> Iterator[Arrived]:
        if not ((self.path / "new").is_dir() and (self.path / "cur").is_dir()):
            raise _no_such(self.path, _("Maildir (it has no folders new and cur)"))
        files = self._files()
        self._done = self._remembered({self._unique(path) for _order, path in files})
        unread: list[tuple[Path, OSError]] = []
        for _order, path in files:
            if self._unique(path) in self._done:
                continue
            try:
                data, truncated = _read_message(path)
            except FileNotFoundError:  # another program has renamed it since; the next call sees it under its new name
                continue
            except OSError as error:
                unread.append((path, error))
                continue
            arrived = Arrived(data, path, f"{path.parent.name}/{path.name}", truncated)
            if is_known(digest(data)):
                self.done(arrived)
            else:
                yield arrived
        if unread:
            raise _not_read(*unread[0], len(unread))

    def done(self, arrived: Arrived) -> None:
        """Move it to cur/ with the flag S, and remember it. It is never in neither folder: the move is one rename."""
        unique = self._unique(arrived.mark)
        try:
            self._flag(arrived.mark)
        except OSError:  # not our folder to change: remembering is enough
            pass
        if unique not in self._done:
            self._done.add(unique)
            disk.make_folder(self.memory.parent)
            with open(self.memory, "ab", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
                file.write(os.fsencode(unique) + b"\n")

    def _files(self) -> list[tuple[tuple[int, int, str], Path]]:
        """Every message with its order: the second in its name, or else of its last change; then the change itself."""
        files = []
        try:
            for folder in ("new", "cur"):
                for entry in os.scandir(self.path / folder):
                    if not entry.name.startswith(".") and entry.is_file(follow_symlinks=False):
                        try:
                            changed = entry.stat(follow_symlinks=False).st_mtime_ns
                        except FileNotFoundError:
                            continue
                        second = entry.name.partition(".")[0]
                        files.append(
                            ((int(second) if second.isascii() and second.isdigit() else changed // 10**9, changed, entry.name), Path(entry.path))
                        )
        except OSError as error:
            raise _not_read(self.path, error) from None
        return sorted(files)

    @staticmethod
    def _unique(path: Path) -> str:
        return path.name.partition(":")[0]

    def _flag(self, path: Path) -> None:
        if not path.exists():  # another program has renamed it since
            path = next(
                (
                    Path(entry.path)
                    for folder in ("new", "cur")
                    for entry in os.scandir(self.path / folder)
                    if self._unique(Path(entry.name)) == self._unique(path)
                ),
                path,
            )
        info = path.name.partition(":")[2]
        flags = set(info[2:]) if info.startswith("2,") else set()
        target = self.path / "cur" / f"{self._unique(path)}:2,{''.join(sorted(flags | {'S'}))}"
        if path != target and not target.exists():  # a rename onto another message would lose that one
            disk.rename(path, target)

    def _remembered(self, present: set[str]) -> set[str]:
        """The unique names that are done; names of messages that are gone are struck out of the memory when they are the most."""
        try:
            lines = self.memory.read_bytes().split(b"\n")[:-1]  # a last line without its end was not written whole
        except FileNotFoundError:
            return set()
        except OSError as error:
            raise _not_read(self.memory, error) from None
        names = {os.fsdecode(line) for line in lines}
        kept = names & present
        if len(lines) > 2 * len(kept) + 100:
            disk.put(self.memory, b"".join(os.fsencode(name) + b"\n" for name in sorted(kept)), 0o600)
        elif lines or self.memory.stat().st_size:
            self._mend_last_line()
        return kept

    def _mend_last_line(self) -> None:
        with self.memory.open("rb+") as file:
            size = file.seek(0, os.SEEK_END)
            if size and (file.seek(size - 1), file.read(1))[1] != b"\n":
                file.write(b"\n")  # else the next name would be joined to the torn one


class Mbox(_Local):
    """An mbox file. It is never changed, since other programs write to it; it is locked while it is copied.

    Everything is read every time, and `is_known` tells what is new. A last message that is still being written is left for the next time.
    """

    def arrived(self, is_known: IsKnown) -> Iterator[Arrived]:
        if not self.path.is_file():
            raise _no_such(self.path, _("mbox file"))
        with tempfile.TemporaryDirectory(prefix="mbox-") as folder:
            copy = Path(folder) / "mbox"
            try:
                with self.path.open("rb") as file, _locked(self.path, file), copy.open("wb") as target:
                    shutil.copyfileobj(file, target)
            except OSError as error:
                raise _not_read(self.path, error) from None
            box = mailbox.mbox(copy, create=False)
            try:
                keys = box.keys()
                if not keys and copy.stat().st_size:
                    raise _no_such(self.path, _("mbox file (no line begins with `From `)"))
                for key in keys:
                    with box.get_file(key) as part:
                        data, truncated = _first(part)
                    if key == keys[-1] and not truncated and _is_torn(copy, data):
                        return
                    if not is_known(digest(data)):
                        yield Arrived(data, None, _("message {number} of {path}").format(number=key + 1, path=self.path), truncated)
            finally:
                box.close()

    def done(self, arrived: Arrived) -> None:
        """Nothing is marked: `is_known` is the memory."""


@contextmanager
def _locked(path: Path, file: BinaryIO) -> Iterator[None]:
    """Keep other programs from writing to an mbox: the lock of the operating system, and the file `.lock` where one may be made."""
    beside = path.with_name(f"{path.name}.lock")
    made = _patiently(lambda: _make_lock_file(beside), beside)
    try:
        _patiently(lambda: _lock_file(file), path)
        yield
    finally:
        if made:
            beside.unlink(missing_ok=True)


def _patiently(attempt: Callable[[], bool | None], path: Path) -> bool:
    """Try for about ten seconds until the answer is not None."""
    for _try in range(LOCK_TRIES):
        answer = attempt()
        if answer is not None:
            return answer
        time.sleep(LOCK_PAUSE_SECONDS)
    raise SourceTrouble(
        _("{path}: another program has locked the mail file for too long").format(path=path),
        _("try again later; if no other program is at work on it, remove the lock file"),
    )


def _make_lock_file(beside: Path) -> bool | None:
    """True if it was made, False if it may not be, None if another program has it."""
    try:
        os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return None
    except OSError as error:
        if error.errno in MAY_NOT:
            return False
        raise
    return True


def _lock_file(file: BinaryIO) -> bool | None:
    try:
        import fcntl
    except ImportError:  # not on this system
        return False
    try:
        fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EACCES):
            return None
        return False  # a file system without locks
    return True


def _is_torn(box: Path, last: bytes) -> bool:
    """True if the last message was not written to its end, as far as can be told.

    That is: its last line, its headers, its outermost multipart are not ended, or it has no body yet. A program that locks the
    file while it writes is never met halfway; this is for the others.
    """
    with box.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        is_open = file.read() != b"\n"
    head, gap, body = last.replace(b"\r\n", b"\n").partition(b"\n\n")
    if is_open or not gap or not body.strip():
        return True
    boundary = BytesHeaderParser().parsebytes(head + b"\n\n").get_boundary()
    return boundary is not None and f"--{boundary}--".encode("utf-8", "surrogateescape") not in last


class EmlFolder(_Local):
    """A folder of .eml files. What is done goes to its folder `done`; where that may not be, it stays, and `is_known` is the memory."""

    def arrived(self, is_known: IsKnown) -> Iterator[Arrived]:
        if not self.path.is_dir():
            raise _no_such(self.path, _("folder"))
        try:
            paths = sorted(path for path in self.path.iterdir() if path.suffix.lower() == ".eml" and not path.name.startswith(".") and path.is_file())
        except OSError as error:
            raise _not_read(self.path, error) from None
        unread: list[tuple[Path, OSError]] = []
        for path in paths:
            try:
                data, truncated = _read_message(path)
            except FileNotFoundError:
                continue
            except OSError as error:
                unread.append((path, error))
                continue
            arrived = Arrived(data, path, path.name, truncated)
            if is_known(digest(data)):
                self.done(arrived)
            else:
                yield arrived
        if unread:
            raise _not_read(*unread[0], len(unread))

    def done(self, arrived: Arrived) -> None:
        """Move it to `done`, under another name if its own is taken there."""
        path: Path = arrived.mark
        try:
            folder = self.path / "done"
            if not folder.is_dir():
                disk.make_folder(folder)
            target, number = folder / path.name, 1
            while target.exists():
                number += 1
                target = folder / f"{path.stem}-{number}{path.suffix}"
            disk.rename(path, target)
        except OSError:  # not our folder to change
            pass


class StandardInput(_Local):
    """One message that another program gives us, such as a mail filter.

    Nothing can be marked: where it must not be lost, the exit code tells the filter.
    """

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__(Path("-"))
        self.stream = stream

    def arrived(self, is_known: IsKnown) -> Iterator[Arrived]:
        data, truncated = _first(self.stream)
        while truncated and self.stream.read(1024 * 1024):  # else the filter that writes would fail
            pass
        if not data.strip():
            raise SourceTrouble(_("standard input: no message came"), _("give one message there, headers and all"))
        if not is_known(digest(data)):
            yield Arrived(data, None, _("the message on standard input"), truncated)

    def done(self, arrived: Arrived) -> None:
        """Nothing can be marked."""
