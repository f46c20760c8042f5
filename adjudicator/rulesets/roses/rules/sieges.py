"""6.7.5-6.7.6: siege and sally, and what a siege costs at the end of a faction's part (E3)."""

from .. import changes, changes_third, sides
from ..sides import Piece
from ..state import policy
from ..tables import TABLES
from ..workspace import Column, RosesTurn
from . import block_battles, routs, shelters
from .forces import companies_of, lose


def sally(turn: RosesTurn, column: Column) -> None:
    """6.7.5 Sally: the blocks inside attack all besiegers; won, they are outside; lost, they go back in."""
    point = turn.state.houses[column.house].groups[column.groups[0]].point
    besiegers = sides.enemy_force(turn.state, column.house, point)
    turn.marched += column.pieces
    turn.sallied += column.pieces
    changes_third.tell_sally(turn, point, column.house)
    changes.meet(turn, point, column.pieces, besiegers, True)
    block_battles.battle(turn, point, turn.count(turn.contacts, point), column.house, column.pieces, besiegers, None)


def end_of_part(turn: RosesTurn, faction: str) -> None:
    """6.7.6 Sieges at the end of a faction's part: each block of it that is inside and did not sally in this part pays or starves."""
    for house, group in shelters.blocks_inside(turn):
        if turn.state.houses[house].faction == faction and (house, group) not in turn.sallied \
                and group in turn.state.houses[house].groups:   # an earlier surrender may have sent it home
            endure(turn, (house, group))


def endure(turn: RosesTurn, piece: Piece) -> None:
    """6.7.6: the block keeps what its size, `siege_keep` and the coins allow, for 1 coin each; a retinue block that is gone has surrendered."""
    house, group = piece
    record = turn.state.houses[house]
    price = TABLES.numbers.e3.siege_price
    size, point = record.groups[group].size, record.groups[group].point
    wish = policy(record, "siege_keep")
    kept = min(size, size if wish == "all" else wish, record.coins // price)
    gone = lose(companies_of(turn.state, [piece]), policy(record, "losses"), size - kept)
    besiegers = sides.enemy_force(turn.state, house, point)
    changes_third.pay_siege(turn, piece, kept, kept * price, gone, sides.in_seat_order(seat for seat, _group in besiegers))
    if not kept and group == "retinue" and turn.state.options["siege_surrender"]:
        surrender(turn, house, point, besiegers)


def surrender(turn: RosesTurn, house: str, point: str, besiegers: list[Piece]) -> None:
    """6.7.6: a starved retinue block surrenders to the besieging house with most companies there, ties by seat order."""
    houses = sides.in_seat_order(seat for seat, _group in besiegers)
    victor = max(houses, key=lambda seat: sides.size_of(turn.state, [piece for piece in besiegers if piece[0] == seat]))
    changes_third.tell_surrender(turn, point, house, victor)
    routs.lose_retinue(turn, house, victor, "surrender")
    shelters.lift(turn)   # it may have been besieging others
