"""Ids and names: matching what a player typed, and finding the nearest name."""

import difflib
import unicodedata
from collections.abc import Iterable
from functools import lru_cache


@lru_cache(maxsize=20_000)
def fold(text: str) -> str:
    """The text without case, accents, spaces, hyphens, apostrophes and dots: two names are the same if their folds are."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if letter.isalnum() or letter in "*+")


class Names:
    """The names of one kind of thing: id -> what people read, and other spellings that are accepted."""

    def __init__(self, names: dict[str, str], aliases: dict[str, Iterable[str]] | None = None) -> None:
        self.names = dict(names)
        self._found: dict[str, str] = {}
        self._spellings: dict[str, str] = {}
        for id_, name in self.names.items():
            for spelling in (name, id_, *(aliases or {}).get(id_, ())):
                other = self._found.setdefault(fold(spelling), id_)
                if other != id_:
                    raise ValueError(f"{spelling!r} would name both {other!r} and {id_!r}")
                self._spellings.setdefault(fold(spelling), spelling)

    def __getitem__(self, id_: str) -> str:
        return self.names[id_]

    def __iter__(self):
        return iter(self.names)

    def find(self, text: str) -> str | None:
        """The id that the text names, or None."""
        return self._found.get(fold(text))

    def nearest(self, text: str, among: Iterable[str] | None = None) -> str | None:
        """The name nearest to what was typed, of the ids in `among` (all, if None); None if nothing is near."""
        allowed = self.names.keys() if among is None else set(among)
        near = difflib.get_close_matches(fold(text), [f for f, id_ in self._found.items() if id_ in allowed], n=1, cutoff=0.6)
        return self.names[self._found[near[0]]] if near else None


def nearest_word(text: str, words: Iterable[str]) -> str | None:
    """The word nearest to what was typed, or None if nothing is near."""
    by_fold = {fold(word): word for word in words}
    near = difflib.get_close_matches(fold(text), list(by_fold), n=1, cutoff=0.6)
    return by_fold[near[0]] if near else None
