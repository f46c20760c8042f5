"""6.6: storm and dysentery (E12)."""

from .. import changes, sides
from ..state import policy, year_of
from ..tables import TABLES
from ..view import EVERYBODY
from ..workspace import Host, RosesTurn
from .forces import companies_of, lose

PAYERS = ("retinue", "supporters")


def after_march(turn: RosesTurn, host: Host) -> None:
    """6.4.5 After the march: storm, if the order asks for it; then dysentery, if the host has marched."""
    storm(turn, host)
    if host.route and sides.size_of(turn.state, host.pieces):
        dysentery(turn, host)


def storm(turn: RosesTurn, host: Host) -> None:
    """6.6 Storm: attempt after attempt, while the order asks for one and 6.6.1 allows it."""
    castle, leader = host.at, host.leader
    wished = leader.order.get("storm") or []
    if wished != "any" and castle not in wished:
        return
    attempts = min(leader.order.get("attempts") or 1, turn.state.options["storm_attempts"])
    for attempt in range(attempts):
        if not is_hostile(turn, leader.house, castle):
            return
        reason = why_no_storm(turn, host, castle, first=attempt == 0)
        if reason is not None:
            changes.skip_order(turn, "6.6.1", leader.house, "storm", reason)
            return
        if make_attempt(turn, host, castle):
            return


def is_hostile(turn: RosesTurn, house: str, castle: str) -> bool:
    """6.6.1: a castle of an enemy house or of a dormant one, with no enemy force at it; castles of neutral houses cannot be stormed."""
    return sides.stance(turn.state, house, castle) in ("enemy", "dormant") and not sides.enemy_force(turn.state, house, castle)


def why_no_storm(turn: RosesTurn, host: Host, castle: str, first: bool) -> str | None:
    """6.6.1 May storm: the reason why not, or None."""
    leader = host.leader
    if first and turn.state.options["storm_hosts"] == "one" and (turn.state.houses[leader.house].faction, castle) in turn.stormed:
        return "other-host"
    army = companies_of(turn.state, leader.pieces)
    if not any(company.class_ in PAYERS for company in army):
        return "nobody-pays"
    if len(army) - 1 < leader.order.get("keep", 1):
        return "keep"
    return None


def make_attempt(turn: RosesTurn, host: Host, castle: str) -> bool:
    """6.6.2 Attempt: one company of the leader pays with its life; then a die, + 1 for each gonne in the host. True if the castle is taken."""
    numbers, house = TABLES.numbers.e12, host.leader.house
    turn.stormed.append((turn.state.houses[house].faction, castle))
    army = companies_of(turn.state, host.leader.pieces)
    payer = lose(army, policy(turn.state.houses[house], "losses"), 1, lambda company: company.class_ in PAYERS)[0]
    changes.pay_for_storm(turn, castle, payer)
    draw = f"storm/{castle}/{turn.count(turn.storms, castle)}"
    die = turn.dice.die(draw)
    gonnes = sum(company.type == "gonne" for company in companies_of(turn.state, host.pieces))
    needed = numbers.storm_on[TABLES.points[castle].castle]
    success = die + gonnes * numbers.storm_gonne_bonus >= needed
    turn.tell("storm", "6.6.2", EVERYBODY, [draw], point=castle, house=house, die=die, gonnes=gonnes, needed=needed, success=success)
    if success:
        castle_falls(turn, castle, house)
    return success


def castle_falls(turn: RosesTurn, castle: str, taker: str) -> None:
    """6.6.3 Success: who controls the castle now, and what it brings."""
    prestige = TABLES.numbers.e12.prestige
    former = turn.state.castles[castle]
    bonus = prestige["claimant_home_or_london"] if sides.is_london_or_claimants_home(castle) else 0
    if former is not None and castle == sides.home_of(former) and turn.state.houses[former].status != "dormant":
        changes.take_home(turn, former, taker, prestige["home_castle_transfer"], bonus, sides.edition(turn.state).home_returned,
                          year_of(turn.state.turn))
    else:
        changes.take_castle(turn, castle, taker, taker, bonus)


def dysentery(turn: RosesTurn, host: Host) -> None:
    """6.6.4 Dysentery: E1 in a camp of more than 10 companies of the faction, E2 where two of its armies stand; the host that came loses."""
    numbers, leader = TABLES.numbers.e12, host.leader.house
    camp = [piece for piece in sides.pieces_at(turn.state, host.at)
            if turn.state.houses[piece[0]].faction == turn.state.houses[leader].faction]
    if sides.edition(turn.state).dysentery == "camp":
        crowded = sides.size_of(turn.state, camp) > numbers.camp_limit
    else:
        crowded = len(camp) >= 2
    if not crowded:
        return
    draw = f"dysentery/{host.at}/{turn.count(turn.camps, host.at)}"
    die = turn.dice.die(draw)
    victims = []
    if die in numbers.dysentery_on:
        victims = lose(companies_of(turn.state, host.pieces), policy(turn.state.houses[leader], "losses"), 1)
    changes.suffer_dysentery(turn, host.at, die, draw, victims[0] if victims else None)
