"""6.7.2: one round in three phases, in which battles and assaults of E3 are fought."""

from dataclasses import dataclass, field
from typing import Any

from .. import sides
from ..sides import Piece
from ..state import DEFAULT_POLICIES, policy
from ..tables import TABLES
from ..workspace import RosesTurn
from .forces import Company, lose, standing

PHASES = TABLES.troop_table.phases_e3
GARRISON_PHASE = PHASES[0]
"""6.7.4.3: a garrison throws with the archers only."""


@dataclass
class Party:
    """One side of a fight.

    commander: None where nobody leads (the garrison of nobody's castle)
    pieces:    its blocks, in the order of 2.3, also such as have lost their last company
    garrison:  garrison companies at the start;  garrison_lost: how many of them have fallen
    """

    name: str
    commander: str | None
    pieces: list[Piece]
    force: list[Company]
    garrison: int = 0
    garrison_lost: int = 0

    @property
    def houses(self) -> list[str]:
        return sides.in_seat_order(house for house, _group in self.pieces)

    @property
    def left(self) -> int:
        """Companies left, the garrison's too."""
        return len(standing(self.force)) + self.garrison - self.garrison_lost

    @property
    def lost(self) -> int:
        return len(self.force) - len(standing(self.force)) + self.garrison_lost


@dataclass
class Fight:
    """name: what its draws begin with. draws: names of all its dice. phases: what `battle-detail` and `assault-detail` tell of them."""

    name: str
    point: str
    number: int
    attack: Party
    defence: Party
    draws: list[str] = field(default_factory=list)
    phases: list[dict[str, Any]] = field(default_factory=list)

    @property
    def parties(self) -> tuple[Party, Party]:
        return self.attack, self.defence

    def other(self, party: Party) -> Party:
        return self.defence if party is self.attack else self.attack

    @property
    def losses(self) -> dict[str, int]:
        return {party.name: party.lost for party in self.parties}


def fight_phases(turn: RosesTurn, fight: Fight) -> Party:
    """6.7.2 Battle: one round, in which archers, knights and foot throw one after another, both sides at once. Returns the winner."""
    for phase in PHASES:
        fight_phase(turn, fight, phase)
    return decide(fight)


def fight_phase(turn: RosesTurn, fight: Fight, phase: str) -> None:
    """6.7.2: every company alive at the start of the phase throws; then each hit destroys one company of the other side."""
    told: dict[str, Any] = {"phase": phase}
    for party in fight.parties:
        types = [company.type for company in standing(party.force) if TABLES.troops[company.type].e3_phase == phase]
        thrown = [type_ for type_ in types for _die in range(TABLES.troops[type_].dice)]
        dice = _throw(turn, fight, f"{fight.name}/{phase}/{party.name}", len(thrown))
        told[party.name] = {"dice": [list(pair) for pair in zip(thrown, dice)],
                            "hits": sum(die >= TABLES.troops[type_].hit for type_, die in zip(thrown, dice))}
    if fight.defence.garrison:
        count = fight.defence.garrison if phase == GARRISON_PHASE else 0
        dice = _throw(turn, fight, f"{fight.name}/garrison", count)
        told["garrison"] = {"dice": dice, "hits": sum(die >= TABLES.numbers.e3.garrison_hit for die in dice)}
    on_defence = told["attack"]["hits"]
    on_attack = told["defence"]["hits"] + (told["garrison"]["hits"] if "garrison" in told else 0)
    for party, hits in ((fight.attack, on_attack), (fight.defence, on_defence)):
        fallen = lose(party.force, _losses(turn, party), hits)
        told[party.name]["lost"] = [company.plain() for company in fallen]
        if party.garrison:   # 6.7.4.3: the block first, then the garrison
            of_garrison = min(hits - len(fallen), party.garrison - party.garrison_lost)
            party.garrison_lost += of_garrison
            told["garrison"]["lost"] = of_garrison
    fight.phases.append(told)


def _throw(turn: RosesTurn, fight: Fight, name: str, count: int) -> list[int]:
    draws = [f"{name}/{number}" for number in range(1, count + 1)]
    fight.draws += draws
    return [turn.dice.die(draw) for draw in draws]


def _losses(turn: RosesTurn, party: Party) -> list[str]:
    """5.5: the list of the force's commander."""
    return policy(turn.state.houses[party.commander], "losses") if party.commander else DEFAULT_POLICIES["losses"]


def decide(fight: Fight) -> Party:
    """6.7.2: who has companies left has won if the other has not; nobody: the defence; else who has lost fewer; equal: the defence."""
    attack, defence = fight.parties
    if bool(attack.left) != bool(defence.left):
        return attack if attack.left else defence
    return attack if attack.left and attack.lost < defence.lost else defence
