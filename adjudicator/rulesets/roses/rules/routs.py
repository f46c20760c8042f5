"""6.7.3: rout: what the loss of a retinue block, a home castle or London brings (E3)."""

from .. import changes, changes_third, sides
from ..state import year_of
from ..tables import CLAIMANT, TABLES
from ..workspace import RosesTurn
from .phases import Fight


def destroyed_in_fight(turn: RosesTurn, fight: Fight) -> None:
    """6.7.2: every retinue block that was in the fight and is gone was destroyed by the other side's commander, whoever won; in seat order."""
    lost = {house: fight.other(party).commander for party in fight.parties for house, group in party.pieces
            if group == "retinue" and group not in turn.state.houses[house].groups}
    for house in sides.in_seat_order(lost):
        lose_retinue(turn, house, lost[house], "retinue")


def lose_retinue(turn: RosesTurn, house: str, victor: str | None, cause: str) -> None:
    """6.7.3 Retinue block lost, to the victor (None: nobody's or a dormant house's castle): all other blocks go; a vassal is neutral."""
    if victor is not None and turn.state.houses[victor].status == "dormant":
        victor = None
    changes_third.rout(turn, house, cause, victor, TABLES.numbers.e3.prestige["retinue_block_destroyed"] if victor else 0)
    _take_the_field_no_more(turn, house)


def castle_falls(turn: RosesTurn, castle: str, taker: str) -> None:
    """6.7.3, 6.7.4: who controls a castle that was assaulted with success, and what it brings."""
    former = turn.state.castles[castle]
    prestige = TABLES.numbers.e3.prestige["home_castle_or_london"]
    is_home = former is not None and sides.home_of(former) == castle and turn.state.houses[former].status != "dormant"
    if sides.is_london_or_claimants_home(castle):
        claimant = CLAIMANT[turn.state.houses[taker].faction]
        if is_home and former is not None:
            changes_third.rout(turn, former, "home", taker, prestige)
            changes_third.send_home(turn, former, but=("retinue",))
        changes.take_castle(turn, castle, taker, claimant, 0 if is_home else prestige, rule="6.7.3")
    elif is_home and former is not None:
        changes_third.rout(turn, former, "home", taker, prestige)
        changes_third.become_inviolable(turn, former)   # it is given back at once
        _take_the_field_no_more(turn, former)
    else:
        changes.take_castle(turn, castle, taker, taker, 0, rule="6.7.4")


def _take_the_field_no_more(turn: RosesTurn, house: str) -> None:
    """6.7.3: all blocks leave the map; a vassal, unless he is so already, is neutral until the coming winter."""
    if sides.is_claimant(house):
        changes_third.send_home(turn, house)
    elif turn.state.houses[house].status != "neutral":
        changes.become_neutral(turn, house, year_of(turn.state.turn), sides.legitimate(turn.state), rule="6.7.3")
