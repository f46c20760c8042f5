"""2.3 and 6.0: companies in a row, and which of them are lost."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ..sides import GROUP_RANK, SEAT_RANK, Piece
from ..state import State
from ..tables import TABLES

MILITIA = "militia"
TYPE_RANK = {type_: rank for rank, type_ in enumerate(TABLES.troops)}
CLASS_OF = {type_: troop.class_ for type_, troop in TABLES.troops.items()}


@dataclass(slots=True)
class Company:
    """One company in a fight. Militia has class and group `militia` and the house of its commander. ward: E12, once divided."""

    type: str
    class_: str
    house: str
    group: str
    ward: str = ""
    fallen: bool = False

    @property
    def piece(self) -> Piece:
        return self.house, self.group

    def plain(self) -> dict[str, str]:
        """The company as events tell it."""
        return {"type": self.type, "class": self.class_, "house": self.house, "group": self.group}

    def matches(self, entry: str) -> bool:
        """Does an entry of `losses` or of a plan name this company, by its type or its class?"""
        return entry in (self.type, self.class_)


def canonical(company: Company) -> tuple[int, bool, int, int]:
    """2.3 Canonical order: type; militia after all others; seat order; the lord's army before the captain's (E3: blocks in their order)."""
    return (TYPE_RANK[company.type], company.class_ == MILITIA, SEAT_RANK[company.house], GROUP_RANK.get(company.group, len(GROUP_RANK)))


def companies_of(state: State, pieces: Iterable[Piece]) -> list[Company]:
    """The companies of these armies or blocks, in canonical order."""
    row = [Company(type_, CLASS_OF[type_], house, group)
           for house, group in pieces if group in state.houses[house].groups
           for type_, number in state.houses[house].groups[group].companies.items()
           for _each in range(number)]
    row.sort(key=canonical)
    return row


def militia(house: str, types: Iterable[str]) -> list[Company]:
    """Militia that rises for one battle under this commander."""
    return [Company(type_, MILITIA, house, MILITIA) for type_ in types]


def standing(force: Iterable[Company]) -> list[Company]:
    """The companies of the force that have not fallen."""
    return [company for company in force if not company.fallen]


def lose(force: list[Company], losses: list[str], number: int,
         eligible: Callable[[Company], bool] = lambda company: True) -> list[Company]:
    """6.0 Choosing companies to lose: mark as fallen, one after another, up to `number` of the eligible companies.

    force:  the whole force, whose other companies count for its houses' strength
    losses: the list of the force's commander, first lost first
    Returns the fallen in the order in which they fell.
    """
    fallen: list[Company] = []
    for _each in range(number):
        candidates = [company for company in force if not company.fallen and eligible(company)]
        if not candidates:
            break
        strength: dict[str, int] = {}
        for company in force:
            if not company.fallen:
                strength[company.house] = strength.get(company.house, 0) + 1
        victim = min(candidates, key=lambda company: (_rank(company, losses), -strength[company.house], canonical(company)))
        victim.fallen = True
        fallen.append(victim)
    return fallen


def _rank(company: Company, losses: list[str]) -> int:
    for rank, entry in enumerate(losses):
        if company.matches(entry):
            return rank
    return len(losses)


def in_type_order(companies: dict[str, int]) -> dict[str, int]:
    """The counts in type order, without zeros: how a group keeps its companies."""
    return {type_: companies[type_] for type_ in TABLES.troops if companies.get(type_, 0) > 0}


def plain_force(force: Iterable[Company]) -> list[dict[str, Any]]:
    """A force as `battle-detail` tells it, wards included."""
    return [{**company.plain(), "ward": company.ward} for company in force]
