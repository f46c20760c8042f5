"""Chapter 10: plain, legal orders for a seat that nobody holds, from that seat's own view, drawing no dice (E12; E3: `steward_third`)."""

from typing import Any

from . import sides, steward_third
from .rules import musters
from .sight import ArmyView, View
from .state import season_of
from .steward_parts import FAR_AWAY, active_vassals, distance, guards, policies, size_seen, worth
from .tables import CLAIMANT, TABLES, other_faction

PREY_ROADS = 3
HELPER_ROADS = 3

def steward(view: View) -> dict[str, Any]:
    """10: the orders of a season, as a player would write them."""
    season = season_of(view.turn + 1)
    if sides.is_e3(view):
        return steward_third.steward(view, season)
    if season == "Winter":
        return winter(view)
    if view.houses[view.viewer].status != "active":
        return {}
    if season == "Spring":
        return spring(view)
    army = lord_of(view, view.viewer)
    if army is None:
        return {}
    return manoeuvres(view, army.point, army.size or 0, (army.companies or {}).get("gonne", 0))


def lord_of(view: View, house: str) -> ArmyView | None:
    """The house's lord's army where the view shows it standing now."""
    return next((army for army in view.armies if army.house == house and army.group == "lord" and army.how != "remembered"), None)


def targets(view: View, here: str, gonnes: int) -> list[str]:
    """10, what is worth a storm: enemy castles and dormant houses' castles, best first."""
    me = view.viewer
    found = [castle for castle in TABLES.castles if sides.stance(view, me, castle) in ("enemy", "dormant")]
    return sorted(found, key=lambda castle: (-(worth(view, castle) * faces_that_take(castle, gonnes) - distance(here, castle)), castle))


def faces_that_take(castle: str, gonnes: int) -> int:
    """6.6.2: how many faces of a die take the castle with so many gonnes."""
    numbers = TABLES.numbers.e12
    return sum(die + gonnes * numbers.storm_gonne_bonus >= numbers.storm_on[TABLES.points[castle].castle] for die in range(1, 7))


def prey(view: View, here: str, size: int) -> list[str]:
    """10, whom to hunt: houses whose lord's army is seen near, where fewer stand than come; nearest first."""
    me = view.viewer
    found = []
    for house in TABLES.seats:
        army = lord_of(view, house)
        if army is None or not sides.are_enemies(view, me, house) or distance(here, army.point) > PREY_ROADS:
            continue
        there = sum(size_seen(other) for other in view.armies
                    if other.point == army.point and other.how != "remembered" and sides.are_enemies(view, me, other.house))
        if there + 1 < size:
            found.append((distance(here, army.point), sides.SEAT_RANK[house], house))
    return [house for _distance, _rank, house in sorted(found)]


def helper(view: View, faction: str, posts: dict[str, str]) -> str | None:
    """10, who helps: of the claimant's active vassals without a post, the one whose army stands nearest to his."""
    claimant = CLAIMANT[faction]
    army = lord_of(view, claimant)
    if season_of(view.turn + 1) == "Spring" or view.houses[claimant].status != "active" or army is None:
        return None
    near = []
    for house in active_vassals(view, faction):
        own = lord_of(view, house)
        if house not in posts and own is not None and distance(own.point, army.point) <= HELPER_ROADS:
            near.append((distance(own.point, army.point), sides.SEAT_RANK[house], house))
    return min(near)[2] if near else None


def picks_free_companies(view: View) -> bool:
    """6.2.3: is this seat the claimant who is to pick two free mercenaries?"""
    me = view.viewer
    if not sides.is_claimant(me):
        return False
    legitimate = sides.legitimate(view)
    if legitimate is not None:
        return legitimate != view.houses[me].faction
    rival = CLAIMANT[other_faction(view.houses[me].faction)]
    return not (sides.is_active(view, rival) and sides.castles_of(view, rival))


def spring(view: View) -> dict[str, Any]:
    """10, Spring: muster, mercenaries and bids, and the first march."""
    me = view.viewer
    own = sides.castles_of(view, me)
    if not own:
        return {}
    home = sides.home_of(me)
    free = 2 if picks_free_companies(view) else 0
    post = guards(view, view.houses[me].faction).get(me)
    goal = post or next(iter(targets(view, home, free)), home)
    at = min(own, key=lambda castle: (-musters.supporters_yield_at(view, me, castle), distance(castle, goal), castle))
    most = musters.supporters_yield_at(view, me, at)
    archers = most // 3
    supporters = {type_: number for type_, number in (("levy-archer", archers), ("bill", most - archers)) if number}
    orders: dict[str, Any] = {"muster": {"at": [at], "supporters": supporters}}
    if sides.is_claimant(me):
        orders["mercenaries"] = ["gonne", "gonne", "pike", "crossbow"]
    coins = view.houses[me].coins or 0
    if coins >= 2:
        orders["bids"] = {"any": coins // 2}
    size = musters.retinue_entitlement(view, me) + most + free
    return orders | manoeuvres(view, at, size, free)


def manoeuvres(view: View, here: str, size: int, gonnes: int) -> dict[str, Any]:
    """10, every manoeuvre season: where the lord's army goes, and the policies for the way."""
    me = view.viewer
    home = sides.home_of(me)
    faction = view.houses[me].faction
    claimant = CLAIMANT[faction]
    posts = guards(view, faction)
    post = posts.get(me)
    helps = helper(view, faction, posts)
    march: dict[str, Any] = {}
    if post:
        march["to"] = [post, {"toward": post}]
    elif helps == me:
        lords = lord_of(view, claimant)
        march = {"with": claimant, "to": [{"join": claimant}, {"toward": lords.point if lords else home}]}
    elif size < 4:
        march["to"] = [home, {"toward": home}]
    else:
        if me == claimant and helps:
            friend = lord_of(view, helps)
            size += size_seen(friend) if friend and friend.point == here else 0
        best = targets(view, here, gonnes)
        to: list[Any] = [{"hunt": house} for house in prey(view, here, size)]
        if best:
            to += [best[0]] if me == claimant else []
            to += [{"place": castle, "when": "clear"} for castle in best[:3]]
            to.append({"toward": best[0]})
        march["to"] = to or ["hold"]
    march |= {"meet": "attack-if-stronger" if size >= 5 else "halt", "storm": "any", "keep": 2}
    stands = post is not None and here == post
    return {"march": march, "policy": policies(view, {"retreat_to": [home], "if_attacked": "stand" if stands else "evade-if-outnumbered"})}


def winter(view: View) -> dict[str, Any]:
    """10, Winter: offices, confiscations, allegiance."""
    me = view.viewer
    price = sides.edition(view).office_price or FAR_AWAY
    offices = max(0, ((view.houses[me].coins or 0) - 2) // price)
    orders: dict[str, Any] = {"offices": offices} if offices else {}
    if sides.is_claimant(me):
        vassals = active_vassals(view, view.houses[me].faction)
        wanted = [castle for castle in ("london", "lancaster", "york") if view.castles[castle] in vassals]
        return orders | ({"confiscate": wanted} if wanted else {})
    changes_sides = view.options["stewards"] == "ambitious" and is_better_off_there(view)
    return orders | {"allegiance": "change" if changes_sides else "stay"}


def is_better_off_there(view: View) -> bool:
    """10, option `stewards: ambitious`: is this vassal the least of the larger faction, and would it rank higher in the other?"""
    me = view.viewer
    mine = view.houses[me]
    if mine.status not in ("active", "neutral") or mine.captor is not None or sides.shares_player(view, me):
        return False
    own = _vassals(view, mine.faction)
    others = _vassals(view, other_faction(mine.faction))
    least = min(own, key=lambda house: (view.houses[house].prestige, -sides.SEAT_RANK[house]))
    if least != me or len(own) < len(others) + 2:
        return False
    there = 1 + sum(view.houses[house].prestige >= mine.prestige - 2 for house in others)
    here = 1 + sum(view.houses[house].prestige > mine.prestige for house in own)
    return there < here


def _vassals(view: View, faction: str) -> list[str]:
    """The vassals of the faction, all but dormant ones."""
    return [house for house in sides.houses_of(view, faction) if not sides.is_claimant(house)]
