"""6.7 Battle phase: whether a seat attacks, and whom."""

from typing import Any

from .. import changes, domains
from ..workspace import FeudalTurn
from .battles import fight
from .exchange import Participant, could_play


def attack(turn: FeudalTurn, seat: str) -> None:
    """6.7 Declaring: the first seat of the first entry whose condition holds is attacked; one attack a table turn."""
    with turn.carrying_out(seat, "attack"):
        entries = turn.wish(seat, "attack", [])
        if not entries:
            return
        if turn.state.peace or turn.state.round <= turn.option("peace-turns"):
            changes.skip(turn, "6.7", seat, "attack", "peace")
            return
        for entry in entries:
            for defender in domains.named_seats(turn.state, seat, entry["whom"]):
                if holds(turn, seat, defender, entry):
                    fight(turn, seat, defender, entry)
                    return
        changes.skip(turn, "6.7", seat, "attack", "no-target")


def holds(turn: FeudalTurn, seat: str, defender: str, entry: dict[str, Any]) -> bool:
    """6.7 The condition: `ahead` compares the domains, `with-cards` adds what the attacker could play; allies are not counted."""
    when = entry.get("when", "ahead")
    if when == "always":
        return True
    lead = domains.battle_total(turn.lord(seat).domain, "attacker") - domains.battle_total(turn.lord(defender).domain, "defender")
    if when == "with-cards" and entry.get("use", "ahead") != "none":
        lead += could_play(turn, Participant.of(seat, "attacker", entry, turn.keep(seat)))
    return lead >= entry.get("lead", 1)
