"""6.4: the manoeuvres of a season: who marches when, with whom, and what happens on the way.

What differs between the systems of E12 and E3 stands in a `Manner`; all else is shared.
"""

from collections.abc import Callable
from dataclasses import dataclass

from .. import changes, sides
from ..state import policy
from ..tables import CLAIMANT, FACTIONS, TABLES
from ..view import starred, told_to
from ..workspace import Column, Host, RosesTurn
from .routes import Way, choose_way

LORDS = ("lord", "retinue")
"""A lord's group is his army (E12), or what marches with his retinue block (E3)."""


@dataclass(frozen=True)
class Manner:
    """How a system manoeuvres.

    columns:     (turn, house) -> what its orders march, in their order; armies or blocks that do not exist included
    at_hand:     (turn, column) -> the part of it that can march at this moment, or None
    fight:       (turn, host, point, number): the host attacks the enemy force at the point; on winning it enters it
    after_march: (turn, host): storm, sickness (6.4.5)
    shut_in:     (turn, column) -> True if it cannot march because it is shut up in a castle; a sally is then carried out
    after_step:  (turn): after a host has entered a point
    ends_march:  (turn, host) -> True if the host must go no further than the point that it has entered
    end_of_part: (turn, faction): after the last house of a faction
    """

    columns: Callable[[RosesTurn, str], list[Column]]
    at_hand: Callable[[RosesTurn, Column], Column | None]
    fight: Callable[[RosesTurn, Host, str, int], None]
    after_march: Callable[[RosesTurn, Host], None]
    shut_in: Callable[[RosesTurn, Column], bool] = lambda turn, column: False
    after_step: Callable[[RosesTurn], None] = lambda turn: None
    ends_march: Callable[[RosesTurn, Host], bool] = lambda turn, host: False
    end_of_part: Callable[[RosesTurn, str], None] = lambda turn, faction: None


def manoeuvre(turn: RosesTurn, manner: Manner) -> None:
    """6.4.2 Sequence: the Yorkists, then the Lancastrians."""
    for faction in FACTIONS:
        houses = order_of_march(turn, faction)   # fixed when the faction's part begins
        for place, house in enumerate(houses):
            _march_house(turn, manner, house, houses[place + 1:])
        manner.end_of_part(turn, faction)


def order_of_march(turn: RosesTurn, faction: str) -> list[str]:
    """6.4.2.1: the claimant's `order_of_march` (only while he is active), then the others of the faction, claimant first."""
    claimant = CLAIMANT[faction]
    listed = policy(turn.state.houses[claimant], "order_of_march") if sides.is_active(turn.state, claimant) else None
    own = sides.houses_of(turn.state, faction)
    return list(dict.fromkeys([*(house for house in listed or [] if house in own), *own]))


def army_columns(turn: RosesTurn, house: str) -> list[Column]:
    """6.4.2.2 (E12): the lord's army, then the captain's; `after: false`: the captain's first."""
    order = turn.order(house, "captain") or {}
    lord = Column(house, ["lord"], turn.order(house, "march") or {}, "march")
    captain = Column(house, ["captain"], order, "captain")
    return [captain, lord] if order.get("after") is False else [lord, captain]


def army_at_hand(turn: RosesTurn, column: Column) -> Column | None:
    """6.4.2.4 (E12): the army, if it exists and has neither marched nor been beaten."""
    exists = any(group in turn.state.houses[column.house].groups for group in column.groups)
    return column if exists and not _is_spent(turn, column) else None


def _is_spent(turn: RosesTurn, column: Column) -> bool:
    return any(piece in turn.marched or piece in turn.beaten for piece in column.pieces)


def _march_house(turn: RosesTurn, manner: Manner, house: str, still_to_come: list[str]) -> None:
    """6.4.2.2: at its turn an active house marches its groups one after another."""
    told_inactive: list[str] = []
    for ordered in manner.columns(turn, house):
        with turn.carrying_out(house, ordered.key):
            column = manner.at_hand(turn, ordered)
            if column is not None and sides.is_active(turn.state, house):
                if not manner.shut_in(turn, column):
                    _march_column(turn, manner, column, still_to_come)
            elif _is_spent(turn, ordered):
                continue   # 6.4.2.4: it does nothing
            elif sides.is_active(turn.state, house):
                if _asks_to_march(turn, ordered):
                    changes.skip_order(turn, "6.4.2", house, ordered.key, "no-army")
            elif ordered.order and ordered.key not in told_inactive:
                told_inactive.append(ordered.key)
                changes.skip_order(turn, "6.4.2", house, ordered.key, "not-active")


def _asks_to_march(turn: RosesTurn, column: Column) -> bool:
    """A captain's order may be only to leave or rejoin his lord."""
    if column.key == "captain":
        return any(key in column.order for key in ("to", "with", "meet", "storm", "attempts", "keep"))
    return column.key in turn.orders.get(column.house, {})


def _point_of(turn: RosesTurn, column: Column) -> str:
    groups = turn.state.houses[column.house].groups
    return next(groups[group].point for group in column.groups if group in groups)


def _march_column(turn: RosesTurn, manner: Manner, column: Column, still_to_come: list[str]) -> None:
    leader = column.order.get("with")
    if leader is not None:
        if _waits(turn, manner, column, leader, still_to_come):
            turn.tell("waited", "6.4.2", told_to(turn.state, [column.house, leader]), house=column.house, leader=leader)
            return
        changes.skip_order(turn, "6.4.2", column.house, "with", "void")
    host = gather_host(turn, manner, column)
    turn.marched += host.pieces
    for follower in host.columns[1:]:
        turn.tell("followed", "6.4.2", told_to(turn.state, [follower.house, column.house]), house=follower.house, leader=column.house)
    way = choose_way(turn.state, column.house, host.at, column.order.get("to") or [])
    if way.passed:
        turn.tell("march-skipped", "6.4.3", told_to(turn.state, [column.house]), house=column.house,
                  group=column.groups[0] if len(column.groups) == 1 else column.groups, passed=way.passed, taken=way.number)
    march(turn, manner, host, way)
    if not _is_over(turn, host):
        manner.after_march(turn, host)


def _waits(turn: RosesTurn, manner: Manner, column: Column, leader: str, still_to_come: list[str]) -> bool:
    """6.4.2.5 `with`: the leader is an ally whose turn is still to come, whose lord stands here and has neither marched nor been beaten."""
    if leader not in still_to_come or not sides.are_allies(turn.state, column.house, leader) or not sides.is_active(turn.state, leader):
        return False
    lords = [other for other in _free_columns(turn, manner, leader) if _is_lords(other)]
    return bool(lords) and _point_of(turn, lords[0]) == _point_of(turn, column)


def _is_lords(column: Column) -> bool:
    return any(group in LORDS for group in column.groups)


def _free_columns(turn: RosesTurn, manner: Manner, house: str) -> list[Column]:
    """What the house could march now (E3: of blocks outside a castle)."""
    found = [manner.at_hand(turn, column) for column in manner.columns(turn, house)]
    groups = turn.state.houses[house].groups
    return [column for column in found if column is not None and not any(group in groups and groups[group].inside for group in column.groups)]


def gather_host(turn: RosesTurn, manner: Manner, leader: Column) -> Host:
    """6.4.2.6: a lord's group and all that follow it, or follow a house that does; another group leads only itself."""
    point = _point_of(turn, leader)
    followers: list[Column] = []
    if _is_lords(leader):
        faction = turn.state.houses[leader.house].faction
        waiting = [column for house in TABLES.seats
                   if turn.state.houses[house].faction == faction and sides.is_active(turn.state, house)
                   for column in _free_columns(turn, manner, house)
                   if column.order.get("with") is not None and _point_of(turn, column) == point and column.pieces != leader.pieces]
        led = [leader.house]
        for house in led:
            joining = [column for column in waiting if column.order["with"] == house and column not in followers]
            followers += joining
            led += [column.house for column in joining if _is_lords(column) and column.house not in led]
    followers.sort(key=lambda column: (sides.SEAT_RANK[column.house], sides.GROUP_RANK[column.groups[0]]))
    return Host([leader, *followers], point, point)


def march(turn: RosesTurn, manner: Manner, host: Host, way: Way) -> None:
    """6.4.4 Marching: point by point, until the way is done or an enemy force is met."""
    groups = [list(piece) for piece in host.pieces]
    for point in way.points:
        defenders = sides.enemy_force(turn.state, host.leader.house, point)
        if not defenders:
            changes.enter(turn, host, point)
            manner.after_step(turn)
            if manner.ends_march(turn, host):
                break
            continue
        attacked = _attacks(turn, host, way, point, sides.size_of(turn.state, defenders))
        changes.meet(turn, point, host.pieces, defenders, attacked)
        if attacked:
            manner.fight(turn, host, point, turn.count(turn.contacts, point))
        break
    if host.route:
        turn.tell("march", "6.4.4", starred(turn.state, host.houses), houses=host.houses, leader=host.leader.house,
                  start=host.start, route=list(host.route), end=host.at, groups=groups)


def _attacks(turn: RosesTurn, host: Host, way: Way, point: str, enemies: int) -> bool:
    """6.4.4.1: the quarry of a hunt is attacked; else the leader's `meet` decides."""
    if point == way.quarry:
        return True
    meet = host.leader.order.get("meet") or policy(turn.state.houses[host.leader.house], "meet")
    return meet == "attack" or (meet == "attack-if-stronger" and sides.size_of(turn.state, host.pieces) > enemies)


def _is_over(turn: RosesTurn, host: Host) -> bool:
    """6.4.5: nothing follows the march of a host that was beaten or has no company left."""
    return any(piece in turn.beaten for piece in host.pieces) or not sides.size_of(turn.state, host.pieces)
