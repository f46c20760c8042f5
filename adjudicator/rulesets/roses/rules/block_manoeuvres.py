"""6.4, E3: how blocks manoeuvre: which of them march together, which are shut in, where a march must end."""

from typing import Any

from .. import changes, sides
from ..workspace import Column, Host, RosesTurn
from . import assaults, block_battles, manoeuvres, shelters, sieges


def manoeuvre_blocks(turn: RosesTurn) -> None:
    """6.4 Manoeuvres, E3."""
    manoeuvres.manoeuvre(turn, BLOCKS)


def block_columns(turn: RosesTurn, house: str) -> list[Column]:
    """6.4.2.2 (E3): the groups of blocks in the order in which the march entries are written; blocks named in no entry hold."""
    return [Column(house, list(entry["blocks"]), entry) for entry in turn.order(house, "march") or []]


def blocks_at_hand(turn: RosesTurn, column: Column) -> Column | None:
    """6.4.2.3: of the blocks named, those that exist, have neither marched nor been beaten, and stand with the first such one, in or out."""
    groups = turn.state.houses[column.house].groups
    free = [group for group in column.groups
            if group in groups and (column.house, group) not in turn.marched and (column.house, group) not in turn.beaten]
    if not free:
        return None
    first = groups[free[0]]
    together = [group for group in free if groups[group].point == first.point and groups[group].inside == first.inside]
    return Column(column.house, sorted(together, key=sides.GROUP_RANK.__getitem__), column.order, column.key)


def shut_in(turn: RosesTurn, column: Column) -> bool:
    """6.4.2.3: a group whose block is inside sallies, with `sally: true`, else it stays shut in."""
    if not turn.state.houses[column.house].groups[column.groups[0]].inside:
        return False
    if column.order.get("sally"):
        sieges.sally(turn, column)
    elif _asks_to_leave(column.order):
        changes.skip_order(turn, "6.4.2", column.house, column.key, "shut-in")
    return True


def _asks_to_leave(order: dict[str, Any]) -> bool:
    return "with" in order or any("hold" not in entry for entry in order.get("to") or [])


def ends_march(turn: RosesTurn, host: Host) -> bool:
    """6.4.4.2 (E3): at an enemy castle the march is over."""
    return sides.stance(turn.state, host.leader.house, host.at) == "enemy"


BLOCKS = manoeuvres.Manner(
    columns=block_columns, at_hand=blocks_at_hand, fight=block_battles.fight, after_march=assaults.after_march, shut_in=shut_in,
    after_step=shelters.lift, ends_march=ends_march, end_of_part=sieges.end_of_part)
"""How E3 manoeuvres: with blocks."""
