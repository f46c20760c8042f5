"""6.7.1-6.7.2: contact and battle (E3)."""

from .. import changes, changes_third, sides
from ..sides import Piece
from ..workspace import Host, RosesTurn
from . import memory, routs, shelters
from .forces import companies_of, standing
from .phases import Fight, Party, fight_phases
from .retreats import commander_of_defence, retreat_point


def fight(turn: RosesTurn, host: Host, point: str, number: int) -> None:
    """6.7.1 Contact: the host attacks all enemy blocks outside at the point; a lone block may take shelter in the castle instead."""
    defenders = sides.enemy_force(turn.state, host.leader.house, point)
    if shelters.takes_shelter(turn, host.pieces, defenders, point):
        changes_third.shelter(turn, defenders[0])
        changes.enter(turn, host, point)
        shelters.lift(turn)
        return
    battle(turn, point, number, host.leader.house, host.pieces, defenders, host)


def battle(turn: RosesTurn, point: str, number: int, leader: str, attackers: list[Piece], defenders: list[Piece], host: Host | None) -> None:
    """6.7.2 Battle. host: None for a sally, which has no origin and falls back into the castle."""
    fought = Fight(f"battle/{point}/{number}", point, number,
                   Party("attack", leader, attackers, companies_of(turn.state, attackers)),
                   Party("defence", commander_of_defence(turn.state, defenders), defenders, companies_of(turn.state, defenders)))
    forces = {party.name: [company.plain() for company in party.force] for party in fought.parties}
    winner = fight_phases(turn, fought)
    loser = fought.other(winner)
    to = retreat_of(turn, fought, loser, host)
    alive = standing(loser.force)
    fallen = [company for party in fought.parties for company in party.force if company.fallen]
    if to is None:
        fallen += alive   # without a retreat point all its blocks are destroyed
    data = {"point": point, "number": number, "attack": leader, "defence": fought.defence.commander, "winner": winner.name}
    changes.conclude_battle(
        turn, fallen, 0, {**data, "attackers": fought.attack.houses, "defenders": fought.defence.houses, "major": False},
        {**data, "forces": forces, "phases": fought.phases, "losses": fought.losses, "retreat": to if alive else None}, fought.draws, rule="6.7.2")
    leave_field(turn, fought, winner, loser, to, host)
    memory.after_fight(turn, attackers, defenders)
    routs.destroyed_in_fight(turn, fought)
    shelters.lift(turn)


def retreat_of(turn: RosesTurn, fought: Fight, loser: Party, host: Host | None) -> str | None:
    """6.7.2: attackers go back to their origin, a sally back inside, defenders as in 6.5.9; None: they have no retreat."""
    if loser is fought.attack:
        if host is None:
            return fought.point
        if not sides.enemy_force(turn.state, host.leader.house, host.at):
            return host.at
    assert loser.commander is not None
    return retreat_point(turn.state, loser.commander, fought.point, host.at if host else None)


def leave_field(turn: RosesTurn, fought: Fight, winner: Party, loser: Party, to: str | None, host: Host | None) -> None:
    """6.7.2: the losers retreat and are beaten; attackers who have won stand at the point, a sally that has won is outside."""
    leaving = [piece for piece in loser.pieces if piece[1] in turn.state.houses[piece[0]].groups]
    if host is None and loser is fought.attack:
        changes_third.beat(turn, leaving)   # back inside
    elif leaving and to is not None:
        changes.retreat(turn, leaving, winner.houses, fought.point, to, rule="6.7.2")
        if loser is fought.attack and host is not None:
            host.at = to
    if winner is fought.attack:
        if host is None:
            changes_third.come_out(turn, winner.pieces)
        else:
            changes.enter(turn, host, fought.point)
