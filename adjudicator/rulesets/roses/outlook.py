"""What may be ordered next, worked out from a view: points in reach, muster places and what they yield, prices."""

from ...core.ruleset import NOBODY
from . import sides
from .sight import ArmyView, View
from .tables import TABLES


def hostile_points(view: View, house: str) -> dict[str, bool]:
    """Points where the viewer sees an enemy force now, as keys; through them no march passes (6.4.3)."""
    return {army.point: True for army in view.armies if army.how in ("seen", "faction") and army.house != house and not army.inside
            and sides.are_enemies(view, house, army.house)}


def reach(view: View, house: str, start: str) -> dict[str, int]:
    """6.4.3: point -> cost, for every point that an army of the house could go to from `start` in one season, as far as the viewer can tell."""
    points_to_spend, cost = sides.edition(view).march_points, sides.system(view).road_cost
    barred = hostile_points(view, house)
    reached, queue = {start: 0}, [start]
    while queue:
        queue.sort(key=lambda point: (reached[point], point))
        point = queue.pop(0)
        if point != start and (point in barred or (sides.is_e3(view) and sides.stance(view, house, point) == "enemy")):
            continue
        for near, kind in TABLES.roads[point].items():
            further = reached[point] + cost[kind]
            if further <= points_to_spend and further < reached.get(near, points_to_spend + 1):
                reached[near] = further
                queue.append(near)
    return reached


def own_armies(view: View) -> list[ArmyView]:
    return [army for army in view.armies if army.how == "own"]


def in_reach(view: View) -> dict[str, bool]:
    """Points that some own army could reach next season, as keys, in id order. Nothing after Autumn: in Winter nobody marches."""
    if next_season(view) == "Winter" or view.viewer not in view.houses or view.houses[view.viewer].status != "active":
        return {}
    found: dict[str, int] = {}
    for army in own_armies(view):
        if not army.inside:
            found |= reach(view, view.viewer, army.point)
    return dict.fromkeys(sorted(found), True)


def next_season(view: View) -> str:
    """The season of the turn that is asked for."""
    return TABLES.numbers.calendar.seasons[view.turn % 4]


def season_name(turn: int) -> str:
    """"Autumn 1456" in English ids: the season and the year of a turn."""
    seasons = TABLES.numbers.calendar.seasons
    return seasons[(turn - 1) % 4]


def year_of(turn: int) -> int:
    return TABLES.numbers.calendar.first_year + (turn - 1) // 4


def last_year(view: View) -> int:
    return view.options["final_year"]


def is_asked(view: View, house: str) -> bool:
    """Will the house be asked for orders in the coming turn?"""
    return not view.end_how and view.houses[house].status != "dormant" and view.houses[house].holder != NOBODY
