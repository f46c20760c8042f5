"""Who may know what (chapter 7): the view of a viewer, built up from nothing, and the audiences of events."""

from collections.abc import Iterable
from typing import Any

from ...core.events import GM, PUBLIC
from . import sides
from .rules.standing import prestige
from .sides import Piece
from .sight import ArmyView, FallenView, HouseView, SecretView, View
from .state import DEFAULT_POLICIES, Group, State, policy
from .tables import TABLES

EVERYBODY = [PUBLIC]

E12_POLICIES = ("if_attacked", "retreat_to", "militia", "losses", "plan_attack", "plan_defence", "meet")
E3_POLICIES = ("retreat_to", "losses", "meet", "shelter", "siege_keep", "storm_with", "winter_first")
CLAIMANT_POLICIES = ("order_of_march", "favour")


# 7.1 Sight

def sees(state: State, seat: str, point: str) -> bool:
    """7.1 Sight: does the seat see the point at this instant? Seats see around their castles and companies; GM and `rules`: everything."""
    if state.options["fog"] == "rules" or seat == GM:
        return True
    house = state.houses.get(seat)
    if house is None or house.status == "dormant":
        return False
    around = TABLES.around[point]
    for each in around:
        if state.castles.get(each) == seat:
            return True
    for group in house.groups.values():
        if group.point in around:
            return True
    return False


def points_in_sight(state: State, viewer: str) -> list[str]:
    """All points that the viewer sees, in id order."""
    return [point for point in sorted(TABLES.points) if sees(state, viewer, point)]


def visible_enemy_force(state: State, seat: str, point: str) -> list[Piece]:
    """6.0: the enemy force at the point, as far as the seat can see it: all of it, or nothing."""
    force = sides.enemy_force(state, seat, point)
    return force if force and sees(state, seat, point) else []


# 7.3 Audiences

def told_to(state: State, houses: Iterable[str]) -> list[str]:
    """These houses and nobody else, in seat order. Dormant houses learn nothing."""
    return [house for house in sides.in_seat_order(houses) if state.houses[house].status != "dormant"]


def starred(state: State, houses: Iterable[str]) -> list[str]:
    """7.3, audiences marked *: these houses; everybody under `fog: rules`."""
    return EVERYBODY if state.options["fog"] == "rules" else told_to(state, houses)


def houses_at(state: State, points: Iterable[str]) -> list[str]:
    """Houses with companies at one of the points."""
    return sides.in_seat_order(house for point in points for house, _group in sides.pieces_at(state, point))


def witnesses(state: State, points: Iterable[str], houses: Iterable[str] = ()) -> list[str]:
    """These houses, and whoever sees one of the points; everybody under `fog: rules`."""
    where = list(points)
    return starred(state, [*houses, *(seat for seat in TABLES.seats if any(sees(state, seat, point) for point in where))])


# 7.2 Who sees what

def view(state: State, viewer: str) -> View:
    """7.2 Who sees what: everything that the viewer (a seat, "public" or "gm") may know. A new field stays hidden until it is shown here."""
    all_open = viewer == GM or state.end is not None   # 7.2, treasuries; chapter 12: the final report opens what was hidden
    rules = state.options["fog"] == "rules"
    in_sight = points_in_sight(state, viewer)
    shown = View(viewer=viewer, turn=state.turn, options=dict(state.options), houses={}, castles=dict(state.castles), armies=[],
                 in_sight=in_sight, policies={}, opening=dict(state.opening))
    # faction, status, captor, legitimacy; prestige; holders of seats: all
    for seat in TABLES.seats:
        house = state.houses[seat]
        coins = house.coins if all_open or rules or seat == viewer else None   # treasuries
        shown.houses[seat] = HouseView(
            faction=house.faction, status=house.status, captor=house.captor, until=house.until, holder=state.holders[seat],
            track=house.track, prestige=prestige(state, seat, coins), inviolable=house.inviolable, changed=house.changed,
            coins=coins, captain=_captain(state, seat, viewer, all_open or rules, in_sight))
    # armies: own, of the faction, of others in sight, of others remembered
    shown.armies = _armies(state, viewer, rules, in_sight)
    # E1: home castles that fell and were handed back this year: public by their events
    shown.fallen = [FallenView(fallen.house, fallen.taker, fallen.faction, fallen.year) for fallen in state.fallen]
    # sieges: castles with a block inside and besiegers, in sight
    shown.sieges = _sieges(state, in_sight)
    # policies: own only, until the end
    if viewer in state.houses:
        shown.policies = _policies(state, viewer)
    if all_open:
        shown.all_policies = {seat: _policies(state, seat) for seat in TABLES.seats if state.houses[seat].status != "dormant"}
    # own record of limits, gifts, trades, pledges; everybody's at the end
    shown.secrets = [SecretView(secret.turn, secret.what, list(secret.seats), dict(secret.data))
                     for secret in state.secrets if all_open or viewer in secret.seats]
    if state.end is not None:
        shown.end_claimant, shown.end_vassals, shown.end_how = state.end.claimant, list(state.end.vassals), state.end.how
    return shown


def _captain(state: State, seat: str, viewer: str, open_to_all: bool, in_sight: list[str]) -> str | None:
    """7.2 Captains: own; others as seen, that is, while the captain's army is known."""
    house = state.houses[seat]
    if sides.is_e3(state):
        return None
    if open_to_all or seat == viewer:
        return house.captain
    army = house.groups.get("captain")
    if army is not None and (_is_comrade(state, viewer, seat) or army.point in in_sight):
        return "leads"
    return None


def _is_comrade(state: State, viewer: str, seat: str) -> bool:
    return (viewer in state.houses and state.houses[viewer].status != "dormant"
            and state.houses[viewer].faction == state.houses[seat].faction)


def _armies(state: State, viewer: str, rules: bool, in_sight: list[str]) -> list[ArmyView]:
    """7.2: own first, then by house and group; then those that are only remembered."""
    own, others = [], []
    for seat in TABLES.seats:
        for _house, group_id in sides.pieces_of(state, seat):
            army = _army(state, viewer, seat, group_id, state.houses[seat].groups[group_id], rules, in_sight)
            if army is not None:
                (own if seat == viewer else others).append(army)
    known = {(army.house, army.group) for army in others}
    memory = state.houses[viewer].memory if viewer in state.houses else {}
    for seat in TABLES.seats:
        for group_id in sides.GROUP_ORDER:
            note = memory.get(f"{seat}/{group_id}")
            if note is None:
                continue
            if (seat, group_id) in known:
                army = next(army for army in others if (army.house, army.group) == (seat, group_id))
            elif note.seen_turn:
                army = ArmyView(seat, group_id, note.point, "remembered", seen_turn=note.seen_turn)
                others.append(army)
            else:
                continue
            army.known_turn, army.known_size, army.known_companies = note.known_turn, note.number, dict(note.companies)
    return own + others


def _army(state: State, viewer: str, seat: str, group_id: str, group: Group, rules: bool, in_sight: list[str]) -> ArmyView | None:
    """One army that stands on the map, as the viewer knows it; None if he does not."""
    e12_open = rules and not sides.is_e3(state)   # under `rules` the armies of E12 are open, the blocks of E3 closed
    army = ArmyView(seat, group_id, group.point, "seen", inside=group.inside, seen_turn=state.turn)
    if seat == viewer or viewer == GM:
        army.how = "own" if seat == viewer else "faction"
        army.size, army.companies = group.size, dict(group.companies)
        return army
    comrade = _is_comrade(state, viewer, seat)
    if not (comrade or rules or group.point in in_sight):
        return None
    if comrade:
        army.how, army.size = "faction", group.size
    elif not rules:
        sightings = state.options["sightings"]
        if sightings == "exact":
            army.size = group.size
        elif sightings == "band":
            army.band = band(group.size)
    if e12_open:
        army.size, army.companies = group.size, dict(group.companies)
    return army


def band(companies: int) -> str:
    """7.2: small 1-3, middling 4-7, great 8 or more."""
    return "small" if companies <= 3 else "middling" if companies <= 7 else "great"


def _sieges(state: State, in_sight: list[str]) -> list[str]:
    points = []
    for seat in TABLES.seats:
        for group in state.houses[seat].groups.values():
            if group.inside and group.point in in_sight and group.point not in points and sides.enemy_force(state, seat, group.point):
                points.append(group.point)
    return sorted(points)


def _policies(state: State, seat: str) -> dict[str, Any]:
    """5.5: the policies in force of the keys that the house's edition and role have. None: the default list, which follows the factions."""
    keys = E3_POLICIES if sides.is_e3(state) else E12_POLICIES
    if sides.is_claimant(seat):
        keys += CLAIMANT_POLICIES
    return {key: policy(state.houses[seat], key) for key in DEFAULT_POLICIES if key in keys}
