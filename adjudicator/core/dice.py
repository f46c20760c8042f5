"""Named draws: the result of a draw depends on the turn's key and the draw's name alone."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")

_WORD = 1 << 64


class DiceError(RuntimeError):
    """A draw that must not happen: a name used twice, or not in the script."""


@dataclass
class Draw:
    """One line of the dice log. `sides` 0 means a shuffle: `results` are then the old places in the new order."""

    name: str
    sides: int
    results: list[int]


def turn_key(seed: str, turn: int, salts: Mapping[str, str] | None = None) -> bytes:
    """The 32-byte key of a turn's draws, from the campaign seed, the turn number and the players' salts (seat -> salt)."""
    parts = ["adjudicator dice 1", seed, str(turn)]
    parts += [f"{seat}={salt}" for seat, salt in sorted((salts or {}).items())]
    framed = b"".join(len(part.encode()).to_bytes(4, "big") + part.encode() for part in parts)
    return hashlib.blake2b(framed, digest_size=32).digest()


def commitment(seed: str) -> str:
    """What the game master publishes from the first turn: a hash that fixes the seed without telling it."""
    return hashlib.sha256(b"adjudicator seed 1\n" + seed.encode()).hexdigest()


class Dice:
    """All draws of one turn.

    `key` is `turn_key(...)`. With `script` (name -> results) nothing is drawn: a name that the script does not hold
    raises DiceError, and `unused()` tells which scripted draws nobody made.
    """

    def __init__(self, key: bytes = b"", script: Mapping[str, Sequence[int]] | None = None) -> None:
        self._key = key
        self._script = None if script is None else dict(script)
        self._used: dict[str, Draw] = {}

    @property
    def log(self) -> list[Draw]:
        """Every draw so far, in the order in which they were made."""
        return list(self._used.values())

    def roll(self, name: str, count: int = 1, sides: int = 6) -> tuple[int, ...]:
        """Throw `count` dice of `sides` sides; each result is 1 to `sides`, all equally likely."""
        if count < 0 or sides < 1:
            raise DiceError(f"{name}: {count} dice of {sides} sides cannot be thrown")
        results = self._scripted(name, count, sides)
        if results is None:
            results = [self._below(name, sides, index) + 1 for index in range(count)]
        return tuple(self._keep(name, sides, results))

    def die(self, name: str, sides: int = 6) -> int:
        """Throw one die."""
        return self.roll(name, 1, sides)[0]

    def shuffle(self, name: str, items: Sequence[T]) -> list[T]:
        """A new list of the items in random order (Fisher-Yates, every order equally likely)."""
        places = self._scripted(name, len(items), 0)
        if places is None:
            places = list(range(len(items)))
            for index in range(len(items) - 1, 0, -1):
                other = self._below(name, index + 1, index)
                places[index], places[other] = places[other], places[index]
        elif sorted(places) != list(range(len(items))):
            raise DiceError(f"{name}: the script {places} is no order of {len(items)} items")
        return [items[place] for place in self._keep(name, 0, places)]

    def unused(self) -> list[str]:
        """Names that the script holds and nobody drew."""
        return sorted(name for name in self._script or {} if name not in self._used)

    def _keep(self, name: str, sides: int, results: list[int]) -> list[int]:
        if name in self._used:
            raise DiceError(f"the draw {name!r} was made twice in one turn")
        self._used[name] = Draw(name, sides, results)
        return results

    def _scripted(self, name: str, count: int, sides: int) -> list[int] | None:
        if self._script is None:
            return None
        if name not in self._script:
            raise DiceError(f"the draw {name!r} is not in the script")
        results = list(self._script[name])
        if len(results) != count or (sides and not all(1 <= result <= sides for result in results)):
            raise DiceError(f"the draw {name!r} needs {count} results of 1 to {sides}, the script has {results}")
        return results

    def _below(self, name: str, bound: int, index: int) -> int:
        """A number from 0 to `bound` - 1: 64-bit words of BLAKE2b in counter mode; words past the last whole multiple of `bound` are rejected."""
        limit = _WORD - _WORD % bound
        attempt = 0
        while True:
            message = f"{index}.{attempt}:{name}".encode()
            word = int.from_bytes(hashlib.blake2b(message, key=self._key, digest_size=8).digest(), "big")
            if word < limit:
                return word % bound
            attempt += 1
