"""6.9: winter (E3): disbanding, forced changes, bargains, allegiance and loyalty, sorting out."""

from .. import changes, changes_third, sides
from ..sides import Piece
from ..state import State, policy
from ..tables import TABLES, other_faction
from ..workspace import RosesTurn
from . import bargains, shelters
from .forces import Company, companies_of, lose


def disband(turn: RosesTurn) -> None:
    """6.9.1 Disbanding, all houses at once: vassals and Burgundians go; of retinue and mercenaries stays what is kept and paid for."""
    for house in TABLES.seats:
        if turn.state.houses[house].groups:
            with turn.carrying_out(house, "keep"):
                _disband_house(turn, house)
    for piece in shelters.blocks_inside(turn):   # 6.9.1.4: sieges are over
        changes_third.lift_siege(turn, piece, rule="6.9.1")


def _disband_house(turn: RosesTurn, house: str) -> None:
    record = turn.state.houses[house]
    staying = [group for group in ("retinue", "mercenaries") if group in record.groups and may_winter(turn.state, house, group)]
    wish = turn.order(house, "keep") or {}
    left, gone = record.coins, []
    for group in staying:   # retinue is paid for first
        size = record.groups[group].size
        free = min(size, free_companies(turn.state, house, group))
        kept = min(wish.get(group, free), size)
        paid = min(max(0, kept - free), left // TABLES.numbers.e3.winter_price)
        left -= paid * TABLES.numbers.e3.winter_price
        gone += _send_away(turn.state, (house, group), size - (min(kept, free) + paid))
    what = [group for _house, group in sides.pieces_of(turn.state, house) if group not in staying]
    changes_third.winter_blocks(turn, house, what, gone, record.coins - left)


def _send_away(state: State, piece: Piece, number: int) -> list[Company]:
    return lose(companies_of(state, [piece]), policy(state.houses[piece[0]], "losses"), number)


def may_winter(state: State, house: str, group: str) -> bool:
    """6.9.1.1-6.9.1.2: not at an enemy castle; and of two blocks at a point that is no large castle, only the `winter_first` one."""
    groups = state.houses[house].groups
    point = groups[group].point
    if sides.stance(state, house, point) == "enemy":
        return False
    other = "mercenaries" if group == "retinue" else "retinue"
    crowded = other in groups and groups[other].point == point and TABLES.points[point].castle != "large"
    return not crowded or policy(state.houses[house], "winter_first") == group


def free_companies(position: object, house: str, group: str) -> int:
    """6.9.1.3: how many companies of the block winter without cost: of the retinue at an own or allied castle 2 (large) or 1 (small)."""
    block = sides.group_of(position, house, group)
    if group != "retinue" or block is None or sides.stance(position, house, block.point) not in ("own", "allied"):
        return 0
    return TABLES.numbers.e3.free_winter_retinue[TABLES.points[block.point].castle]


def force_changes(turn: RosesTurn) -> None:
    """6.9.2 Forced change of allegiance: each neutral house, in seat order, tests its castles, then takes up arms on the other side."""
    for house in TABLES.seats:
        record = turn.state.houses[house]
        if record.status != "neutral":
            continue
        for castle in sides.castles_of(turn.state, house):
            if castle != sides.home_of(house):
                test_loyalty(turn, house, castle, "6.9.2")
        turn.forced.append(house)
        if turn.state.options["forced_change"] == "cross" and not sides.shares_player(turn.state, house):
            changes.change_allegiance(turn, house, other_faction(record.faction), 0, "forced", None, rule="6.9.2")
        changes.become_active(turn, house, rule="6.9.2")


def test_loyalty(turn: RosesTurn, house: str, castle: str, rule: str) -> None:
    """6.9.2: a large castle fails on 1 to 3, a small one on 1 and 2; then it is nobody's."""
    draw = f"loyalty/{house}/{castle}"
    die = turn.dice.die(draw)
    kept = die not in TABLES.numbers.e3.loyalty_fails_on[TABLES.points[castle].castle]
    changes_third.test_loyalty(turn, house, castle, die, draw, kept, rule)


def may_give(turn: RosesTurn, giver: str, castle: str) -> bool:
    """6.9.3, 6.9.4: only a claimant gives castles away, those that he controls now, and never London, Lancaster or York."""
    return sides.is_claimant(giver) and turn.state.castles.get(castle) == giver and not sides.is_london_or_claimants_home(castle)


def trade(turn: RosesTurn) -> None:
    """6.9.3 Trades, as 6.8.3."""
    bargains.trade(turn, may_give)


def give(turn: RosesTurn) -> None:
    """6.9.4 Gifts, as 6.8.4."""
    bargains.give(turn, may_give)


def change_allegiance(turn: RosesTurn) -> None:
    """6.9.5 Allegiance, all at once: who is pledged or wishes to changes sides; every castle whose loyalty is not bought is tested."""
    changing = {}
    for house in TABLES.seats:
        with turn.carrying_out(house, "allegiance"):
            if house in turn.pledged:
                changing[house] = turn.pledged[house]
            elif changes_by_choice(turn, house):
                changing[house] = (other_faction(turn.state.houses[house].faction), None)
    for house, (to, buyer) in changing.items():
        with turn.carrying_out(house, "buy_loyalty"):
            safe = buy_loyalty(turn, house)
        for castle in sides.castles_of(turn.state, house):
            if castle != sides.home_of(house) and castle not in safe:
                test_loyalty(turn, house, castle, "6.9.5")
        changes.change_allegiance(turn, house, to, 0, "free", buyer, rule="6.9.5")


def changes_by_choice(turn: RosesTurn, house: str) -> bool:
    """6.9.5: the order is `change`, and the house may change at all."""
    if (turn.order(house, "allegiance") or "stay") == "stay":
        return False
    reason = bargains.may_change_by_choice(turn, house)
    if reason is not None:
        changes.skip_order(turn, "6.9.5", house, "allegiance", reason)
    return reason is None


def buy_loyalty(turn: RosesTurn, house: str) -> list[str]:
    """6.9.5: the castles of `buy_loyalty`, in order, as far as the house controls them and has the coins. Returns those that are safe."""
    safe: list[str] = []
    for castle in turn.order(house, "buy_loyalty") or []:
        price = TABLES.numbers.e3.loyalty_price.get(TABLES.points[castle].castle, 0)
        if turn.state.castles.get(castle) != house or castle == sides.home_of(house) or castle in safe:
            changes.skip_order(turn, "6.9.5", house, "buy_loyalty", "no-castle")
        elif turn.state.houses[house].coins < price:
            changes.skip_order(turn, "6.9.5", house, "buy_loyalty", "no-coins")
        else:
            changes_third.buy_loyalty(turn, house, castle, price)
            safe.append(castle)
    return safe


def sort_out(turn: RosesTurn) -> None:
    """6.9.6 Sorting out, judged for all blocks at once: who stands at an enemy castle or among enemies goes home."""
    leaving = [piece for house in TABLES.seats for piece in sides.pieces_of(turn.state, house) if must_go(turn.state, piece)]
    for house, group in leaving:
        changes_third.sort_out(turn, (house, group), refuge(turn.state, house))


def must_go(state: State, piece: Piece) -> bool:
    """6.9.6: it stands at an enemy castle, or with an enemy block, unless it is at an own or allied castle."""
    house, group = piece
    point = state.houses[house].groups[group].point
    stance = sides.stance(state, house, point)
    return stance == "enemy" or (stance not in ("own", "allied") and sides.enemies_stand_at(state, house, point))


def refuge(state: State, house: str) -> str | None:
    """6.9.6: the home castle; if its house does not control that, London for a claimant who controls it; else None."""
    if state.castles[sides.home_of(house)] == house:
        return sides.home_of(house)
    return "london" if sides.is_claimant(house) and state.castles["london"] == house else None
