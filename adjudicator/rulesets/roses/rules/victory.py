"""6.10 and 8.2-8.3: who has won, and with whom."""

from .. import changes, sides
from ..state import State, season_of, year_of
from ..tables import CLAIMANT, FACTIONS, TABLES, other_faction
from ..workspace import RosesTurn
from .standing import prestige, sharers


def check_victory(turn: RosesTurn) -> None:
    """6.10 Victory check (E12): at the end of Winter (option `victory_check: turn`: of every turn); after the last year, 8.3."""
    if season_of(turn.state.turn) == "Winter" or turn.state.options["victory_check"] == "turn":
        for faction in FACTIONS:
            if wins(turn.state, faction):
                changes.end_game(turn, CLAIMANT[faction], sharers(turn.state, faction), "victory")
                return
    check_last_turn(turn)


def check_victory_e3(turn: RosesTurn) -> None:
    """6.10 Victory check (E3): at the end of every turn; a claimant wins when the other is beaten; after the last year, 8.3."""
    for faction in FACTIONS:
        if is_beaten(turn.state, CLAIMANT[other_faction(faction)]):
            changes.end_game(turn, CLAIMANT[faction], sharers(turn.state, faction), "victory")
            return
    check_last_turn(turn)


def is_beaten(state: State, claimant: str) -> bool:
    """6.10 (E3): he controls neither London nor his home castle and has no retinue block on the map."""
    return claimant not in (state.castles["london"], state.castles[sides.home_of(claimant)]) and "retinue" not in state.houses[claimant].groups


def check_last_turn(turn: RosesTurn) -> None:
    """6.10 Last turn: after Winter of option `final_year`, nobody having won."""
    if season_of(turn.state.turn) == "Winter" and year_of(turn.state.turn) >= turn.state.options["final_year"]:
        end_without_victory(turn)


def wins(state: State, faction: str) -> bool:
    """6.10: the claimant is active, his faction has its castles, and he holds London, Lancaster and York."""
    needed = state.options[f"castles_{faction}"]
    return (sides.is_active(state, CLAIMANT[faction]) and len(sides.castles_of_faction(state, faction)) >= needed
            and all(holds(state, faction, castle) for castle in ("london", "lancaster", "york")))


def holds(state: State, faction: str, castle: str) -> bool:
    """6.10: the claimant controls it, or (E1) it is the enemy claimant's home castle and he took it this year.

    Option `victory_holder: faction`: his faction controls it, or its taker was then of his faction.
    """
    enemy = CLAIMANT[other_faction(faction)]
    falls = [fallen for fallen in state.fallen if fallen.house == enemy and sides.home_of(enemy) == castle]
    if state.options["victory_holder"] == "faction":
        return sides.faction_controls(state, faction, castle) or any(fallen.faction == faction for fallen in falls)
    return state.castles[castle] == CLAIMANT[faction] or any(fallen.taker == CLAIMANT[faction] for fallen in falls)


def end_without_victory(turn: RosesTurn) -> None:
    """8.3 End without victory, by option `timeout`: a marginal victory of one faction, or a draw."""
    faction = None if turn.state.options["timeout"] == "draw" else leading_faction(turn.state)
    if faction is None:
        changes.end_game(turn, None, [], "draw")
    else:
        changes.end_game(turn, CLAIMANT[faction], sharers(turn.state, faction), "marginal")


def leading_faction(state: State) -> str | None:
    """8.3: by castles gained since the start (`castles`: by castles); tied: the legitimate one; neither: by prestige; None: a draw."""
    base = state.opening if state.options["timeout"] == "marginal" else {}
    castles = [len(sides.castles_of_faction(state, faction)) - base.get(faction, 0) for faction in FACTIONS]
    if castles[0] != castles[1]:
        return FACTIONS[castles[1] > castles[0]]
    if sides.legitimate(state) is not None:
        return sides.legitimate(state)
    renown = [sum(prestige(state, house, state.houses[house].coins) for house in TABLES.seats
                  if state.houses[house].faction == faction and sides.counts_for_faction(state, house)) for faction in FACTIONS]
    return None if renown[0] == renown[1] else FACTIONS[renown[1] > renown[0]]
