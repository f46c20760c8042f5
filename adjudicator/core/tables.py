"""Read a game's own data files (TOML, shaped like the printed tables) into records."""

import tomllib
from pathlib import Path
from typing import TypeVar

from .plain import PlainError, from_plain

T = TypeVar("T")


def load(path: Path, shape: type[T]) -> T:
    """Read one TOML file into a record of the type `shape`. ValueError names the file and the place."""
    try:
        with path.open("rb") as file:
            return from_plain(tomllib.load(file), shape)
    except (tomllib.TOMLDecodeError, PlainError) as error:
        raise ValueError(f"{path.name}: {error}") from error
