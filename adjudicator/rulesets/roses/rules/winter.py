"""6.8: winter (E12)."""

from .. import changes, sides
from ..tables import CLAIMANT, FACTIONS, TABLES, other_faction
from ..workspace import RosesTurn
from .bargains import may_change_by_choice


def disband(turn: RosesTurn) -> None:
    """6.8.1 Disbanding: all armies leave the map, all at once; captains go home."""
    for house in TABLES.seats:
        if turn.state.houses[house].groups:
            changes.disband(turn, house)


def confiscate(turn: RosesTurn) -> None:
    """6.8.2 Confiscation: each active claimant takes one castle of one active vassal of his, never the vassal's home castle."""
    for faction in FACTIONS:
        claimant = CLAIMANT[faction]
        with turn.carrying_out(claimant, "confiscate"):
            wished = turn.order(claimant, "confiscate") or []
            if not wished:
                continue
            if not sides.is_active(turn.state, claimant):
                changes.skip_order(turn, "6.8.2", claimant, "confiscate", "not-active")
                continue
            castle = next((castle for castle in wished if may_confiscate(turn, claimant, castle)), None)
            if castle is None:
                changes.skip_order(turn, "6.8.2", claimant, "confiscate", "none-can-be-taken")
                continue
            turn.wronged.append(str(turn.state.castles[castle]))
            changes.confiscate(turn, castle, claimant)


def may_confiscate(turn: RosesTurn, claimant: str, castle: str) -> bool:
    """6.8.2: it is controlled now by an active vassal of his faction, and is not that vassal's home castle."""
    vassal = turn.state.castles.get(castle)
    return (vassal is not None and not sides.is_claimant(vassal) and sides.is_active(turn.state, vassal)
            and turn.state.houses[vassal].faction == turn.state.houses[claimant].faction and castle != sides.home_of(vassal))


def buy_offices(turn: RosesTurn) -> None:
    """6.8.5 Offices: seat order; at most as many as ordered, while the coins last."""
    price = sides.edition(turn.state).office_price or 0
    for house in TABLES.seats:
        with turn.carrying_out(house, "offices"):
            wished = turn.order(house, "offices") or 0
            bought = min(wished, turn.state.houses[house].coins // price)
            if bought > 0:
                changes.buy_offices(turn, house, bought, bought * price, bought * TABLES.numbers.e12.prestige["office"])
            elif wished > 0:
                changes.skip_order(turn, "6.8.5", house, "offices", "no-coins")


def change_allegiance(turn: RosesTurn) -> None:
    """6.8.6 Allegiance: secret, all at once; a pledge overrides `stay`; it costs 2 PP unless the vassal was wronged."""
    price = TABLES.numbers.e12.prestige["change_of_allegiance"]
    for house in TABLES.seats:
        with turn.carrying_out(house, "allegiance"):
            pledge = turn.pledged.get(house)
            if pledge is None and not changes_by_choice(turn, house):
                continue
            wronged = house in turn.wronged
            to = pledge[0] if pledge else other_faction(turn.state.houses[house].faction)
            changes.change_allegiance(turn, house, to, 0 if wronged else price, "wronged" if wronged else "free", pledge[1] if pledge else None)


def changes_by_choice(turn: RosesTurn, house: str) -> bool:
    """6.8.6: the order is `change`, or `change-if-confiscated` and the vassal is wronged; and it may change at all."""
    order = turn.order(house, "allegiance") or "stay"
    if order == "stay" or (order == "change-if-confiscated" and house not in turn.wronged):
        return False
    reason = may_change_by_choice(turn, house)
    if reason is not None:
        changes.skip_order(turn, "6.8.6", house, "allegiance", reason)
    return reason is None
