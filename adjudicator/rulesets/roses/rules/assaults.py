"""6.7.4: assault (E3)."""

from .. import changes, changes_third, sides
from ..sides import Piece
from ..state import policy
from ..tables import TABLES
from ..workspace import Host, RosesTurn
from . import memory, routs, shelters
from .forces import TYPE_RANK, Company, companies_of
from .phases import Fight, Party, fight_phases
from .retreats import retreat_point


def after_march(turn: RosesTurn, host: Host) -> None:
    """6.4.5 After the march: assault, if the order asks for it and the leader's group is still there (6.7.3); else the host beshelters."""
    castle = host.at
    wished = host.leader.order.get("storm") or []
    if not sides.size_of(turn.state, host.leader.pieces) or (wished != "any" and castle not in wished):
        return
    if not is_hostile(turn, host.leader.house, castle):
        return
    reason = why_no_assault(turn, host, castle)
    if reason is None:
        assault(turn, host, castle)
    else:
        changes.skip_order(turn, "6.7.4", host.leader.house, "storm", reason)


def is_hostile(turn: RosesTurn, house: str, castle: str) -> bool:
    """6.7.4: an enemy castle, nobody's or a dormant house's, with no enemy block outside; castles of neutral houses cannot be stormed."""
    return (sides.stance(turn.state, house, castle) in ("enemy", "nobody", "dormant")
            and not sides.enemy_force(turn.state, house, castle))


def why_no_assault(turn: RosesTurn, host: Host, castle: str) -> str | None:
    """6.7.4: the reason why not, or None."""
    if sides.is_inviolable(turn.state, castle):
        return "inviolable"
    return "keep" if sides.size_of(turn.state, host.pieces) < host.leader.order.get("keep", 1) else None


def assault(turn: RosesTurn, host: Host, castle: str) -> None:
    """6.7.4 Assault: half of the host against the block inside and the garrison; retinues, then the castle, then who must go."""
    leader, controller = host.leader.house, turn.state.castles[castle]
    number = turn.count(turn.storms, castle)
    inside = shut_up_in(turn, leader, castle)
    assaulters = choose_assaulters(turn, host)
    fight = Fight(f"storm/{castle}/{number}", castle, number,
                  Party("attack", leader, list(dict.fromkeys(company.piece for company in assaulters)), assaulters),
                  Party("defence", inside[0][0] if inside else controller, inside, companies_of(turn.state, inside),
                        garrison=TABLES.numbers.e3.garrison[TABLES.points[castle].castle]))
    forces = {**{party.name: [company.plain() for company in party.force] for party in fight.parties}, "garrison": fight.defence.garrison}
    success = fight_phases(turn, fight) is fight.attack
    taken = success and not fight.defence.left
    to = None if success or sides.size_of(turn.state, host.pieces) == fight.attack.lost else retreat_of(turn, host)
    there = [*host.houses, *fight.defence.houses, *([controller] if controller else [])]
    changes_third.conclude_assault(
        turn, [company for party in fight.parties for company in party.force if company.fallen], there, fight.draws,
        {"point": castle, "number": number, "house": leader, "success": success, "taken": taken},
        {"point": castle, "number": number, "attack": leader, "defence": fight.defence.commander, "winner": "attack" if success else "defence",
         "forces": forces, "phases": fight.phases, "losses": fight.losses, "retreat": to})
    if not success:
        fall_back(turn, host, there, to)
    remember(turn, fight, host, controller)
    routs.destroyed_in_fight(turn, fight)
    if taken:
        routs.castle_falls(turn, castle, leader)
    shelters.lift(turn)


def shut_up_in(turn: RosesTurn, house: str, castle: str) -> list[Piece]:
    """6.7.4.2: the enemy block inside, if any."""
    return [piece for piece in sides.pieces_at(turn.state, castle)
            if turn.state.houses[piece[0]].groups[piece[1]].inside and sides.are_enemies(turn.state, house, piece[0])]


def choose_assaulters(turn: RosesTurn, host: Host) -> list[Company]:
    """6.7.4.1: half of the host's companies, rounded up, by the leader's `storm_with`; then type order, within a type canonical order."""
    row = companies_of(turn.state, host.pieces)
    first = policy(turn.state.houses[host.leader.house], "storm_with")
    wish = {type_: first.index(type_) if type_ in first else len(first) for type_ in TYPE_RANK}
    chosen = sorted(range(len(row)), key=lambda place: (wish[row[place].type], place))[:(len(row) + 1) // 2]
    return [row[place] for place in sorted(chosen)]   # in canonical order, as the dice are numbered


def standing_in(turn: RosesTurn, host: Host) -> list[Piece]:
    """The blocks of the host that exist."""
    return [piece for piece in host.pieces if piece[1] in turn.state.houses[piece[0]].groups]


def retreat_of(turn: RosesTurn, host: Host) -> str | None:
    """6.7.4.4: the point from which the host came this season; else as defenders do (6.5.9); None: it stays."""
    house = host.leader.house
    if host.route and not sides.enemy_force(turn.state, house, host.origin):
        return host.origin
    return retreat_point(turn.state, house, host.at, None)


def fall_back(turn: RosesTurn, host: Host, there: list[str], to: str | None) -> None:
    """6.7.4.4 Assault lost: the whole host retreats, or stays if it cannot; its groups are beaten."""
    left = standing_in(turn, host)
    if left and to is not None:
        changes.retreat(turn, left, there, host.at, to, rule="6.7.4")
        host.at = to
    else:
        changes_third.beat(turn, left)


def remember(turn: RosesTurn, fight: Fight, host: Host, controller: str | None) -> None:
    """7.2 Memory, after an assault: the castle's controller learns of the assaulters too; the whole host learns of the block inside."""
    watchers = (controller,) if controller is not None and turn.state.houses[controller].status != "dormant" else ()
    memory.after_fight(turn, fight.attack.pieces, fight.defence.pieces, watchers, tuple(host.houses))
