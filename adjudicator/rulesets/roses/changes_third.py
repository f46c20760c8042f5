"""The verbs of edition `third`: changes of state that only blocks, sieges and loyalty make, each told by its event."""

from collections.abc import Iterable
from typing import Any

from . import sides
from .changes import add_companies, disband_group, fall
from .rules.forces import Company, in_type_order
from .sides import Piece
from .tables import TABLES
from .view import EVERYBODY, starred, told_to, witnesses
from .workspace import RosesTurn


# Spring

def muster_blocks(turn: RosesTurn, house: str, place: str, blocks: dict[str, dict[str, int]], coins: int, cut: list[str]) -> None:
    """6.3.1: blocks are raised, the rest is in the treasury. blocks: block -> companies; cut: types ordered and not got."""
    companies: dict[str, int] = {}
    for block, raised in blocks.items():
        add_companies(turn, house, block, place, raised)
        for type_, number in raised.items():
            companies[type_] = companies.get(type_, 0) + number
    turn.state.houses[house].coins += coins
    turn.tell("muster", "6.3.1", told_to(turn.state, [house]), house=house, place=place, companies=in_type_order(companies), coins=coins, cut=cut)
    if turn.state.options["fog"] == "rules":
        turn.tell("muster", "6.3.1", EVERYBODY, house=house, place=place)


def hire(turn: RosesTurn, house: str, place: str, types: list[str], coins: int) -> None:
    """6.3.2: companies join the mercenary block, for `coins` in all."""
    turn.state.houses[house].coins -= coins
    for type_ in types:
        add_companies(turn, house, "mercenaries", place, {type_: 1})
    turn.tell("hired", "6.3.2", told_to(turn.state, [house]), house=house, place=place, types=types, coins=coins)


def sell_burgundians(turn: RosesTurn, winner: str | None, place: str | None, price: int | None, tied: list[str], die: int | None,
                     draws: list[str]) -> None:
    """6.3.3: the block of Burgundians stands at the winner's place; without a winner they stay at home this year."""
    if winner is not None and place is not None and price is not None:
        turn.state.houses[winner].coins -= price
        for type_ in TABLES.numbers.e3.burgundians:
            add_companies(turn, winner, "burgundians", place, {type_: 1})
    turn.tell("auction-lot", "6.3.3", EVERYBODY, draws, lot="burgundians", type=None, winner=winner, price=price, tied=tied, die=die)


# Shelter, siege, sally

def shelter(turn: RosesTurn, piece: Piece) -> None:
    """6.7.1: the block goes into the castle where it stands."""
    house, group = piece
    block = turn.state.houses[house].groups[group]
    block.inside = True
    turn.tell("sheltered", "6.7.1", witnesses(turn.state, [block.point], [house]), point=block.point, house=house, block=group)


def lift_siege(turn: RosesTurn, piece: Piece, rule: str = "6.7.5") -> None:
    """6.7.5: nobody besieges the block any more, and it is outside again."""
    house, group = piece
    block = turn.state.houses[house].groups[group]
    block.inside = False
    turn.tell("siege-lifted", rule, witnesses(turn.state, [block.point], [house]), point=block.point, house=house, block=group)


def come_out(turn: RosesTurn, pieces: Iterable[Piece]) -> None:
    """6.7.5: a sally that has won is outside. Told by its `battle`."""
    for house, group in pieces:
        if group in turn.state.houses[house].groups:
            turn.state.houses[house].groups[group].inside = False


def beat(turn: RosesTurn, pieces: Iterable[Piece]) -> None:
    """6.7: beaten blocks that stay where they are, or go back inside, march no more this season. Told by their fight."""
    turn.beaten += [piece for piece in pieces if piece not in turn.beaten]


def tell_sally(turn: RosesTurn, point: str, house: str) -> None:
    """6.7.5: all who see the castle see its gate open."""
    turn.tell("sally", "6.7.5", witnesses(turn.state, [point], [house]), point=point, house=house)


def pay_siege(turn: RosesTurn, piece: Piece, kept: int, coins: int, gone: list[Company], besiegers: list[str]) -> None:
    """6.7.6: the block keeps so many companies for so many coins; the besiegers see how many have gone, if any have."""
    house, group = piece
    point = turn.state.houses[house].groups[group].point
    turn.state.houses[house].coins -= coins
    fall(turn, gone)
    turn.tell("siege-paid", "6.7.6", told_to(turn.state, [house]), point=point, house=house, block=group, kept=kept, coins=coins,
              disbanded=[company.type for company in gone])
    if gone:
        turn.tell("siege-paid", "6.7.6", told_to(turn.state, besiegers), point=point, house=house, block=group, disbanded=len(gone))


def tell_surrender(turn: RosesTurn, point: str, house: str, to: str) -> None:
    """6.7.6: the starved retinue block lays down its arms. What follows is told by `rout`."""
    turn.tell("surrender", "6.7.6", EVERYBODY, point=point, house=house, to=to)


# Assault and rout

def conclude_assault(turn: RosesTurn, fallen: Iterable[Company], there: Iterable[str], draws: list[str], summary: dict[str, Any],
                     detail: dict[str, Any]) -> None:
    """6.7.4: companies have fallen. `summary` and `detail`: data of the two events; `there`: the houses that know the detail."""
    audience = starred(turn.state, there)
    fall(turn, fallen)
    turn.tell("assault", "6.7.4", EVERYBODY, **summary)
    turn.tell("assault-detail", "6.7.4", audience, draws, **detail)


def rout(turn: RosesTurn, house: str, cause: str, victor: str | None, prestige: int) -> None:
    """6.7.3: the victor has his reward. What becomes of the house is told by `neutral` and `castle-taken`."""
    if victor is not None:
        turn.state.houses[victor].track += prestige
    turn.tell("rout", "6.7.3", EVERYBODY, house=house, cause=cause, victor=victor, prestige=prestige)


def send_home(turn: RosesTurn, house: str, but: tuple[str, ...] = ()) -> None:
    """6.7.3: a routed claimant's blocks leave the map, but for those named. Told by his `rout`."""
    record = turn.state.houses[house]
    for group in [group for group in record.groups if group not in but]:
        disband_group(record, group)


def become_inviolable(turn: RosesTurn, house: str) -> None:
    """6.7.3: the home castle of the house was given back and can never again be stormed. Told by its `rout`."""
    turn.state.houses[house].inviolable = True


# Winter

def winter_blocks(turn: RosesTurn, house: str, what: list[str], gone: list[Company], coins: int) -> None:
    """6.9.1: the blocks `what` leave the map, the companies `gone` leave theirs, and what stays is paid for."""
    record = turn.state.houses[house]
    for group in what:
        disband_group(record, group)
    fall(turn, gone)
    record.coins -= coins
    emptied = [group for group in dict.fromkeys(company.group for company in gone) if group not in record.groups]
    turn.tell("disbanded", "6.9.1", told_to(turn.state, [house]), house=house,
              what=sorted([*what, *emptied], key=sides.GROUP_RANK.__getitem__),
              kept={group: dict(record.groups[group].companies) for _house, group in sides.pieces_of(turn.state, house)}, coins=coins)


def test_loyalty(turn: RosesTurn, house: str, castle: str, die: int, draw: str, kept: bool, rule: str) -> None:
    """6.9.2: the castle stays, or is nobody's from now."""
    if not kept:
        turn.state.castles[castle] = None
    turn.tell("loyalty-test", rule, EVERYBODY, [draw], house=house, castle=castle, die=die, kept=kept, bought=False)


def buy_loyalty(turn: RosesTurn, house: str, castle: str, coins: int) -> None:
    """6.9.5: the castle is safe, for so many coins."""
    turn.state.houses[house].coins -= coins
    turn.tell("loyalty-test", "6.9.5", EVERYBODY, house=house, castle=castle, die=None, kept=True, bought=True)


def sort_out(turn: RosesTurn, piece: Piece, to: str | None) -> None:
    """6.9.6: the block goes home, or is disbanded if it has no home (None)."""
    house, group = piece
    record = turn.state.houses[house]
    from_ = record.groups[group].point
    if to is None:
        disband_group(record, group)
    else:
        record.groups[group].point = to
    turn.tell("sorted-out", "6.9.6", told_to(turn.state, [house]), **{"house": house, "block": group, "from": from_, "to": to})
