"""5.1 Card lists, as they are read: "farm", "farm x2", "farm all", "any"."""

from dataclasses import dataclass

ANY = "any"


@dataclass(frozen=True)
class Entry:
    """One entry of a card list. most: how many copies; None for as many as possible."""

    card: str
    most: int | None

    @property
    def is_any(self) -> bool:
        return self.card == ANY


def entry_of(written: str) -> Entry:
    """An entry as it was read: an id, perhaps with " xN" or " all"."""
    card, _space, suffix = written.partition(" ")
    if card == ANY or suffix == "all":
        return Entry(card, None)
    return Entry(card, int(suffix[1:]) if suffix else 1)


def entries_of(written: list[str]) -> list[Entry]:
    return [entry_of(text) for text in written]


def choose(wanted: list[str], candidates: list[str], otherwise: list[str]) -> str | None:
    """The first name of a list without suffixes that is a candidate; where none is, or at `any`, the first of `otherwise`.

    otherwise: the candidates in high or low order
    """
    for name in wanted:
        if name == ANY:
            break
        if name in candidates:
            return name
    return otherwise[0] if otherwise else None
