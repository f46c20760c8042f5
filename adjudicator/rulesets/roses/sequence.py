"""The order of the steps (6.1), and what follows from the calendar."""

from collections.abc import Callable

from ...core.dice import Dice
from ...core.events import Event
from ...core.ruleset import Options, Outcome
from ...core.turn import Orders
from ...core.words import N_, _
from . import changes, sides
from .rules import (auctions, bargains, battles, block_manoeuvres, block_musters, block_winter, captains, manoeuvres, memory, musters, policies,
                    standing, storms, victory, winter, years_end)
from .state import State, season_of, year_of
from .tables import FACTIONS, TABLES
from .workspace import RosesTurn

Step = Callable[[RosesTurn], None]
SEASON_NAMES = {"Spring": N_("Spring"), "Summer": N_("Summer"), "Autumn": N_("Autumn"), "Winter": N_("Winter")}

ARMIES = manoeuvres.Manner(columns=manoeuvres.army_columns, at_hand=manoeuvres.army_at_hand, fight=battles.fight, after_march=storms.after_march)
"""How E12 manoeuvres: with a lord's army and a captain's."""


def manoeuvre_armies(turn: RosesTurn) -> None:
    """6.4 Manoeuvres, E12."""
    manoeuvres.manoeuvre(turn, ARMIES)


MANOEUVRES_E12: tuple[Step, ...] = (
    captains.rejoin_and_detach,       # 6.4.1
    manoeuvre_armies,                 # 6.4.2-6.4.5, with 6.5 and 6.6
)
SPRING_E12: tuple[Step, ...] = (
    musters.captives_income,          # 6.2.1
    musters.muster,                   # 6.2.2
    auctions.sell_mercenaries,        # 6.2.3-6.2.4
    *MANOEUVRES_E12,
)
WINTER_E12: tuple[Step, ...] = (
    winter.disband,                   # 6.8.1
    winter.confiscate,                # 6.8.2
    bargains.trade,                   # 6.8.3
    bargains.give,                    # 6.8.4
    winter.buy_offices,               # 6.8.5
    winter.change_allegiance,         # 6.8.6
)
SEASONS_E12 = {"Spring": SPRING_E12, "Summer": MANOEUVRES_E12, "Autumn": MANOEUVRES_E12, "Winter": WINTER_E12}

MANOEUVRES_E3: tuple[Step, ...] = (
    block_manoeuvres.manoeuvre_blocks,      # 6.4.2-6.4.5, with 6.7
)
SPRING_E3: tuple[Step, ...] = (
    block_musters.muster,                   # 6.3.1
    block_musters.hire,                     # 6.3.2
    block_musters.auction_burgundians,      # 6.3.3
    *MANOEUVRES_E3,
)
WINTER_E3: tuple[Step, ...] = (
    block_winter.disband,                   # 6.9.1
    block_winter.force_changes,             # 6.9.2
    block_winter.trade,                     # 6.9.3
    block_winter.give,                      # 6.9.4
    block_winter.change_allegiance,         # 6.9.5
    block_winter.sort_out,                  # 6.9.6
)
SEASONS_E3 = {"Spring": SPRING_E3, "Summer": MANOEUVRES_E3, "Autumn": MANOEUVRES_E3, "Winter": WINTER_E3}

SEASONS = {"first": SEASONS_E12, "second": SEASONS_E12, "third": SEASONS_E3}
"""6.1: edition -> season -> its steps"""
VICTORY: dict[str, Step] = {"first": victory.check_victory, "second": victory.check_victory, "third": victory.check_victory_e3}
"""6.10: edition -> its victory check"""


def adjudicate(state: State, orders: Orders, dice: Dice) -> tuple[State, list[Event]]:
    """6.1 Order of a turn: state and orders of one turn -> the state after it and what has happened. ValueError after the end."""
    if state.end is not None:
        raise ValueError("the game is over: no turn follows")
    turn = RosesTurn(state, orders, dice)
    edition = state.options["edition"]
    changes.begin_turn(turn)
    season = season_of(turn.state.turn)
    policies.take_effect(turn)                      # 6.1
    for step in SEASONS[edition][season]:
        step(turn)
    VICTORY[edition](turn)                          # 6.10
    if season == "Winter":
        years_end.end_year(turn)                    # 6.11
    memory.at_end_of_turn(turn)                     # 7.2
    return turn.state, turn.events


def asked(state: State) -> list[str]:
    """4.1: the houses that are asked for orders in the coming turn: active ones; in Winter all that are not dormant."""
    if state.end is not None:
        return []
    silent = ("dormant",) if season_of(state.turn + 1) == "Winter" else ("dormant", "captive", "neutral")
    return [house for house in TABLES.seats if state.houses[house].status not in silent]


def heard(state: State) -> list[str]:
    """5.0: every house that is not dormant may send a file in any season: a captive or neutral one changes its policies."""
    return [] if state.end is not None else [house for house in TABLES.seats if state.houses[house].status != "dormant"]


def turn_name(options: Options, turn: int) -> str:
    """3.5: "Spring 1455"; turn 0 is the setup."""
    if turn < 1:
        return _("Setup")
    return f"{_(SEASON_NAMES[season_of(turn)])} {year_of(turn)}"


def last_turn(options: Options) -> int:
    """The Winter of option `final_year`."""
    calendar = TABLES.numbers.calendar
    return (options["final_year"] - calendar.first_year + 1) * len(calendar.seasons)


def outcome(state: State) -> Outcome | None:
    """8.2-8.3: how the game ended, or None."""
    if state.end is None:
        return None
    if state.end.claimant is None:
        return Outcome([], state.end.how, _("Nobody has won: the war ends in a draw."))
    winners = [state.end.claimant, *state.end.vassals]
    names = ", ".join(TABLES.houses[house].name for house in winners)
    words = _("Victory: {names}.") if state.end.how == "victory" else _("Marginal victory: {names}.")
    return Outcome(winners, state.end.how, words.format(names=names))


def statistics(state: State) -> dict[str, int]:
    """Public numbers of this moment: castles and their value by faction, prestige by house (E3: without treasury points)."""
    numbers: dict[str, int] = {}
    for faction in FACTIONS:
        castles = sides.castles_of_faction(state, faction)
        numbers[f"castles/{faction}"] = len(castles)
        numbers[f"value/{faction}"] = sum(TABLES.value(castle) for castle in castles)
    for house in TABLES.seats:
        numbers[f"prestige/{house}"] = standing.prestige(state, house)
    return numbers
