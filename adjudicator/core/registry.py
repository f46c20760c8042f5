"""Find games by entry point, also when they are somebody else's package."""

import sys
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points

from .names import nearest_word
from .ruleset import Ruleset

GROUP = "adjudicator.rulesets"


class UnknownRuleset(LookupError):
    """No ruleset of this name is installed."""


def available() -> dict[str, EntryPoint]:
    """ruleset id -> where it is, without loading it; by id."""
    return dict(_available(tuple(sys.path)))


@lru_cache(maxsize=4)
def _available(_path: tuple[str, ...]) -> dict[str, EntryPoint]:
    """Looked up once for each search path: a war of many turns asks again and again."""
    found = {point.name: point for point in entry_points(group=GROUP)}
    return dict(sorted(found.items()))


def load(id_: str) -> Ruleset:
    """The ruleset with this id. UnknownRuleset says which there are."""
    points = available()
    if id_ not in points:
        near = nearest_word(id_, points)
        hint = f" Did you mean {near}?" if near else ""
        raise UnknownRuleset(f"no ruleset {id_!r} is installed; there are: {', '.join(points) or 'none'}.{hint}")
    ruleset = points[id_].load()
    if ruleset.id != id_:
        raise UnknownRuleset(f"the entry point {id_!r} gives a ruleset that calls itself {ruleset.id!r}")
    return ruleset
