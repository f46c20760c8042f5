"""What an order file says, before anybody asks what it means: text, lists and mappings with their positions."""

from dataclasses import dataclass, field
from typing import Any

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Spot:
    """A place in a file: line and column count from 1; length in characters, 1 or more. Line 0: no file behind it."""

    line: int = 0
    column: int = 0
    length: int = 1


NOWHERE = Spot()


@dataclass
class Scalar:
    """A word, number or sentence, as typed. `quoted` if it stood in quotation marks or in a block of text."""

    text: str
    spot: Spot = NOWHERE
    quoted: bool = False


@dataclass
class Items:
    """A list."""

    items: list["Value"] = field(default_factory=list)
    spot: Spot = NOWHERE


@dataclass
class Mapping:
    """`key: value` pairs, in the order of the file; the loader refuses a key that comes twice."""

    entries: list[tuple[Scalar, "Value"]] = field(default_factory=list)
    spot: Spot = NOWHERE

    def get(self, key: str) -> "Value | None":
        """The value of the key, compared exactly; None if it is not there."""
        for name, value in self.entries:
            if name.text == key:
                return value
        return None


@dataclass
class Broken:
    """Something that could not be read, or not without guessing (a key that comes twice, an alias, an unclosed bracket).

    `problem` is a core.orders.Problem, already in words; whoever asks for this value hands it on.
    """

    problem: Any
    spot: Spot = NOWHERE


Value = Scalar | Items | Mapping | Broken


def is_empty(value: Value) -> bool:
    """True for a key without a value (`orders:`), and for a bare `null` or `~`."""
    return isinstance(value, Scalar) and not value.quoted and value.text in ("", "~", "null", "Null", "NULL")


def typed(value: Value) -> str:
    """The value as a person typed it, shortened: what a message quotes."""
    if isinstance(value, Scalar):
        text = " ".join(value.text.split())
        return text if len(text) <= 40 else text[:39] + "…"
    return "[…]" if isinstance(value, Items) else "{…}" if isinstance(value, Mapping) else ""


def from_plain(data: Any) -> Value:
    """Lists, mappings, text, whole numbers and yes/no as a value without positions: what stewards write."""
    if isinstance(data, dict):
        return Mapping([(Scalar(str(key)), from_plain(item)) for key, item in data.items()])
    if isinstance(data, (list, tuple)):
        return Items([from_plain(item) for item in data])
    if isinstance(data, bool):
        return Scalar("true" if data else "false")
    if data is None:
        return Scalar("")
    if isinstance(data, int):
        return Scalar(str(data))
    return Scalar(str(data), quoted=True)


def to_plain(value: Value) -> Any:
    """The value as lists, mappings and text, positions left out."""
    if isinstance(value, Mapping):
        return {key.text: to_plain(item) for key, item in value.entries}
    if isinstance(value, Items):
        return [to_plain(item) for item in value.items]
    return None if isinstance(value, Broken) else value.text


def spot_of(value: Value | None, path: Path) -> Spot:
    """Where the part that the path names stands; the nearest part around it if it is not there itself.

    A path goes by keys and by list places (from 0); a single item written without brackets is place 0.
    """
    spot = value.spot if value is not None else NOWHERE
    for step in path:
        inner: Value | None = None
        if isinstance(value, Mapping):
            for key, item in value.entries:
                if key.text == step or (isinstance(step, str) and key.text.casefold() == step.casefold()):
                    spot, inner = key.spot, item
                    break
        elif isinstance(value, Items):
            if isinstance(step, int) and 0 <= step < len(value.items):
                inner = value.items[step]
        elif step == 0:
            inner = value
        if inner is None:
            if isinstance(value, Mapping) and step == 0:  # one mapping without the brackets of a list
                continue
            return spot
        value = inner
        if value.spot.line:
            spot = value.spot
    return spot
