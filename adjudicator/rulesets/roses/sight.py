"""The records of what one viewer knows: what `view.py` builds, and what checks, stewards and reports are made from."""

from dataclasses import dataclass, field
from typing import Any


@dataclass
class ArmyView:
    """An army or block as the viewer knows it.

    how:       "own", "faction" (exact size known), "seen" (stands there now), "remembered" (stood there once)
    size:      companies now, exact; None if not known
    band:      "small" (1-3), "middling" (4-7), "great" (8 or more), or "" where the size is exact or nothing is known
    companies: type -> number as they are now; None if not known
    seen_turn: the turn in which it stood at `point` (remembered), else the present one
    known_turn, known_size, known_companies: what was last learnt of its strength and when; 0, 0, {} if never
    """

    house: str
    group: str
    point: str
    how: str
    size: int | None = None
    band: str = ""
    companies: dict[str, int] | None = None
    inside: bool = False
    seen_turn: int = 0
    known_turn: int = 0
    known_size: int = 0
    known_companies: dict[str, int] = field(default_factory=dict)


@dataclass
class HouseView:
    """A house as the viewer knows it. coins, captain: None if not known. prestige: track and castles (E3: treasury points if known)."""

    faction: str
    status: str
    captor: str | None
    until: int | None
    holder: str
    track: int
    prestige: int
    inviolable: bool = False
    changed: int = 0
    coins: int | None = None
    captain: str | None = None


@dataclass
class SecretView:
    turn: int
    what: str
    seats: list[str]
    data: dict[str, Any]


@dataclass
class FallenView:
    house: str
    taker: str
    faction: str
    year: int


@dataclass
class View:
    """All that a viewer knows after turn `turn` (0: setup). The orders it is used for are those of turn + 1.

    viewer:   a house, "public" or "gm"
    houses:   in seat order
    castles:  castle -> controlling house, None for nobody's
    armies:   own first, then by house and group
    in_sight: points that the viewer sees, in id order
    policies: the viewer's own, all keys of 5.5 that its edition and role have; for "gm" and the final report see all_policies
    all_policies: house -> policies, where the viewer may know them
    sieges:   points where a block is shut in and the viewer may know it
    secrets:  what was hidden and is now open, or the viewer's own
    end_*:    how the game ended; end_how "" while it goes on
    """

    viewer: str
    turn: int
    options: dict[str, Any]
    houses: dict[str, HouseView]
    castles: dict[str, str | None]
    armies: list[ArmyView]
    in_sight: list[str]
    policies: dict[str, Any]
    opening: dict[str, int]
    fallen: list[FallenView] = field(default_factory=list)
    sieges: list[str] = field(default_factory=list)
    all_policies: dict[str, dict[str, Any]] = field(default_factory=dict)
    secrets: list[SecretView] = field(default_factory=list)
    end_claimant: str | None = None
    end_vassals: list[str] = field(default_factory=list)
    end_how: str = ""
