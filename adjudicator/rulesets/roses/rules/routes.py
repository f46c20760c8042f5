"""6.4.3: which entry of a march order is taken, and by which way."""

from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any

from .. import sides
from ..state import State
from ..tables import TABLES
from ..view import sees, visible_enemy_force


@dataclass
class Way:
    """The entry that is carried out. number: its place in the order, from 1 (None: none was legal, the host holds).

    points: the points to enter, one after another. quarry: the point at which a hunted army is attacked whatever `meet` says.
    passed: [number, reason] of every entry passed over.
    """

    number: int | None = None
    points: list[str] = field(default_factory=list)
    quarry: str | None = None
    passed: list[list[Any]] = field(default_factory=list)


class Scout:
    """The map as the host's leader sees it at this moment: which points bar the way, what the roads cost."""

    def __init__(self, state: State, house: str, here: str) -> None:
        self.state, self.house, self.here = state, house, here
        self.points_to_spend = sides.edition(state).march_points
        self.cost = sides.system(state).road_cost
        self._barred: dict[str, bool] = {}

    def enemies_seen(self, point: str) -> bool:
        return bool(visible_enemy_force(self.state, self.house, point))

    def barred(self, point: str) -> bool:
        """6.4.3: no route passes through a visible enemy force, nor (E3) through an enemy castle."""
        if point not in self._barred:
            self._barred[point] = self.enemies_seen(point) or (sides.is_e3(self.state) and self.enemy_castle(point))
        return self._barred[point]

    def enemy_castle(self, point: str) -> bool:
        return sides.stance(self.state, self.house, point) == "enemy"

    def way_cost(self, points: list[str]) -> int | None:
        """The cost of entering these points one by one from here; None if two are not joined by a road."""
        cost, at = 0, self.here
        for point in points:
            kind = TABLES.roads[at].get(point)
            if kind is None:
                return None
            cost += self.cost[kind]
            at = point
        return cost

    def route(self, goal: str, most: int | None = None) -> list[str] | None:
        """6.4.3: the allowed route of lowest cost; then fewest enemy castles passed through; then smallest sequence of ids.

        most: the highest cost allowed, or None for any. Returns the points to enter; None if there is no such route.
        """
        if most is not None and TABLES.distances[self.here][goal] > most:   # no road costs less than 1
            return None
        heap: list[tuple[int, int, tuple[str, ...]]] = [(0, 0, (self.here,))]
        done: dict[str, bool] = {}
        while heap:
            cost, castles, path = heappop(heap)
            point = path[-1]
            if point == goal:
                return list(path[1:])
            if point in done:
                continue
            done[point] = True
            if len(path) > 1:
                if self.barred(point):
                    continue
                castles += self.enemy_castle(point)
            for near, kind in TABLES.roads[point].items():
                further = cost + self.cost[kind]
                if near not in done and (most is None or further <= most):
                    heappush(heap, (further, castles, (*path, near)))
        return None

    def can_reach(self, goal: str) -> bool:
        """Is there an allowed route of any cost?"""
        reached = {self.here: True}
        queue = [self.here]
        for point in queue:
            if point == goal:
                return True
            if point == self.here or not self.barred(point):
                for near in TABLES.roads[point]:
                    if near not in reached:
                        reached[near] = True
                        queue.append(near)
        return False


def choose_way(state: State, house: str, here: str, entries: list[dict[str, Any]]) -> Way:
    """6.4.3 Choosing the entry and the route: the first entry that is legal at this moment is taken; if none is, the host holds."""
    scout = Scout(state, house, here)
    way = Way()
    for number, entry in enumerate(entries, start=1):
        points, goal, reason = _judge(scout, entry)
        if reason is None:
            way.number, way.points = number, points
            way.quarry = goal if "hunt" in entry else None
            return way
        way.passed.append([number, reason])
    return way


def _judge(scout: Scout, entry: dict[str, Any]) -> tuple[list[str], str, str | None]:
    """(points to enter, the entry's last point, None) if the entry is legal, else ([], last point, why not)."""
    goal, reason = _goal(scout, entry)
    if reason is None and not _when_holds(scout, entry, goal):
        reason = "when"
    if reason is not None:
        return [], goal, reason
    if "path" in entry:
        points = list(entry["path"])
        cost = scout.way_cost(points)
        if cost is None:
            return [], goal, "not-joined"
        return (points, goal, None) if cost <= scout.points_to_spend else ([], goal, "too-far")
    if goal == scout.here:
        return [], goal, None
    if "toward" in entry:
        points = scout.route(goal) or []
        affordable = _affordable(scout, points)
        reason = None if affordable else "too-far" if points else "no-route"
        return affordable, goal, reason
    points = scout.route(goal, scout.points_to_spend) or []
    if points:
        return points, goal, None
    return [], goal, "too-far" if scout.can_reach(goal) else "no-route"


def _goal(scout: Scout, entry: dict[str, Any]) -> tuple[str, str | None]:
    """The last point of the entry, and why there is none: `not-seen` (hunt), `no-army` (join)."""
    if "place" in entry:
        return entry["place"], None
    if "toward" in entry:
        return entry["toward"], None
    if "path" in entry:
        return (entry["path"][-1] if entry["path"] else scout.here), None
    if "hunt" in entry:
        return _lord_of(scout, entry["hunt"], hunted=True)
    if "join" in entry:
        return _lord_of(scout, entry["join"], hunted=False)
    return scout.here, None


def _lord_of(scout: Scout, house: str, hunted: bool) -> tuple[str, str | None]:
    """Where the lord stands: his army, E3 his retinue block (a friend's only outside a castle)."""
    army = scout.state.houses[house].groups.get("retinue" if sides.is_e3(scout.state) else "lord")
    if hunted:
        found = (army is not None and sides.are_enemies(scout.state, scout.house, house) and sides.is_active(scout.state, house)
                 and sees(scout.state, scout.house, army.point))
    else:
        found = army is not None and not army.inside and sides.are_allies(scout.state, scout.house, house)
    if army is None or not found:
        return scout.here, "not-seen" if hunted else "no-army"
    return army.point, None


def _when_holds(scout: Scout, entry: dict[str, Any], goal: str) -> bool:
    when = entry.get("when")
    return when is None or scout.enemies_seen(goal) == (when == "occupied")


def _affordable(scout: Scout, points: list[str]) -> list[str]:
    """The first part of the route, as far as the march points go."""
    for length in range(len(points), 0, -1):
        cost = scout.way_cost(points[:length])
        if cost is not None and cost <= scout.points_to_spend:
            return points[:length]
    return []
