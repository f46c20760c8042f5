"""File-system steps: every change of a campaign folder goes through these, one named step at a time.

A process may be killed before or within any step. What the folder then is, and how the next command mends it, is said in
`turns.recover`; the tests stop the program at every step by replacing `step`.
"""

import os
import shutil
from pathlib import Path

PART = ".part"
"""Ends the name of a file that is being written beside its place."""


def step(name: str, path: Path) -> None:
    """Called before every step with its name and the path that it changes."""


def make_folder(path: Path) -> None:
    """Make the folder; the ones above it too."""
    step("make folder", path)
    path.mkdir(parents=True, exist_ok=True)


def write(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Write a new file and sync it. FileExistsError if it is there already."""
    step("write", path)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def put(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Write a file beside its place and rename it: it appears whole or not at all, over an older one if there is one."""
    beside = path.with_name(f".{path.name}{PART}")
    beside.unlink(missing_ok=True)
    write(beside, data, mode)
    rename(beside, path)
    sync_folder(path.parent)


def rename(old: Path, new: Path) -> None:
    step("rename", new)
    os.rename(old, new)


def sync_folder(path: Path) -> None:
    """Make sure that the names in this folder survive a power cut."""
    step("sync folder", path)
    if os.name == "nt":  # folders cannot be opened there
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def remove_folder(path: Path) -> None:
    """Remove a folder and what is in it; nothing happens if it is not there."""
    step("remove folder", path)
    if path.exists():
        shutil.rmtree(path)


def remove_file(path: Path) -> None:
    step("remove file", path)
    path.unlink(missing_ok=True)


def copy_folder(source: Path, target: Path, but: str = "") -> None:
    """Copy files and folders byte for byte and sync them; half-written files of a killed process, and files called `but`, stay behind."""
    make_folder(target)
    for path in sorted(source.iterdir()):
        if path.is_dir():
            copy_folder(path, target / path.name, but)
        elif not path.name.endswith(PART) and path.name != but:
            write(target / path.name, path.read_bytes())
    sync_folder(target)


def files_in(folder: Path) -> list[str]:
    """Every file in the folder and below it, as paths from it with `/`, sorted; half-written ones left out."""
    if not folder.is_dir():
        return []
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file() and not path.name.endswith(PART))
