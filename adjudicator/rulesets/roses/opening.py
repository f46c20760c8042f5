"""Chapter 3: who holds which seat, and the state before the first turn."""

from dataclasses import replace
from typing import Any

from ...core.dice import Dice
from ...core.events import Event
from ...core.ruleset import NOBODY, STEWARD, Holders, Options
from ...core.words import _
from . import sides
from .state import House, State
from .tables import CLAIMANT, FACTIONS, TABLES, other_faction


def setup(options: Options, holders: Holders, _dice: Dice | None = None) -> tuple[State, list[Event]]:
    """3 Setup: the state before Spring 1455. Nothing is drawn, and nothing has happened yet."""
    held = {house: holders.get(house, unheld(options)[house]) for house in TABLES.seats}
    factions = opening_factions(options)
    houses = {house: House(faction=factions[house], status="dormant" if held[house] == NOBODY else "active", coins=options["starting_coins"])
              for house in TABLES.seats}
    owners = {castle: row.id for row in TABLES.houses.values() for castle in row.castles}
    castles: dict[str, str | None] = {castle: owners[castle] for castle in TABLES.castles}
    state = State(turn=0, options=dict(options), holders=held, houses=houses, castles=castles, opening={})
    state.opening = {faction: len(sides.castles_of_faction(state, faction)) for faction in FACTIONS}
    return state, []


def reseat(state: State, holders: Holders) -> State:
    """8.4 Players who leave: the house's state, policies and memory stay; who holds it decides which seats may not change sides (6.8.6)."""
    return replace(state, holders={house: holders.get(house, state.holders[house]) for house in TABLES.seats})


def opening_factions(options: Options) -> dict[str, str]:
    """3.2 `turncoat`: house -> the faction in which it begins."""
    return {row.id: other_faction(row.faction) if row.id == options["turncoat"] else row.faction for row in TABLES.houses.values()}


def seating(options: Options, players: int) -> list[list[str]]:
    """3.2 Seats (gap G7): for each player, in the order in which they are listed, the houses that he holds, his chief seat first."""
    if options["unheld"] != "share":
        return [[house] for house in TABLES.house_table.holding_order[:players]]
    shares = [list(houses) for houses in TABLES.house_table.sharing[str(players)]]
    turncoat = options["turncoat"]
    for houses in shares:
        if turncoat in houses and len(houses) > 1:
            houses.remove(turncoat)
            claimant = CLAIMANT[opening_factions(options)[turncoat]]
            next(other for other in shares if claimant in other).append(turncoat)
            break
    return shares


def unheld(options: Options) -> dict[str, str]:
    """3.2: who has a seat that no player holds: the steward, or nobody (dormant); a claimant is never dormant."""
    return {house: NOBODY if options["unheld"] == "neutral" and not sides.is_claimant(house) else STEWARD for house in TABLES.seats}


def seating_problems(options: Options, holders: Holders) -> list[str]:
    """3.2: sentences about a seating that the rules forbid."""
    problems = []
    factions = opening_factions(options)
    by_player: dict[str, list[str]] = {}
    for house in TABLES.seats:
        holder: Any = holders.get(house)
        if holder == NOBODY:
            problems += _dormancy_problems(options, house)
        elif holder not in (None, STEWARD):
            by_player.setdefault(holder, []).append(house)
    for player, houses in by_player.items():
        names = ", ".join(TABLES.houses[house].name for house in houses)
        if len({factions[house]: True for house in houses}) > 1:
            problems.append(_("{player} holds houses of both factions: {names} (rule 3.2)").format(player=player, names=names))
        if options["unheld"] != "share" and len(houses) > 1:
            problems.append(_("with unheld: {choice} each player holds one house, but {player} holds {names} (rule 3.2)").format(
                choice=options["unheld"], player=player, names=names))
    return problems


def _dormancy_problems(options: Options, house: str) -> list[str]:
    name = TABLES.houses[house].name
    if sides.is_claimant(house):
        return [_("{name} is a claimant and cannot be dormant: a player or the steward must hold it (rule 3.2)").format(name=name)]
    if options["unheld"] != "neutral":
        return [_("{name} is held by nobody, which only unheld: neutral allows (rule 3.2)").format(name=name)]
    return []
