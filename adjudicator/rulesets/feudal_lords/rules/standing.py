"""6.11 Rank, glory and victory after every change, and the end of the game (8.1-8.3)."""

from .. import changes, domains
from ..tables import TABLES
from ..workspace import FeudalTurn


def settle(turn: FeudalTurn, *seats: str) -> None:
    """6.11 Rank, glory and victory after every change: for seats whose Lands or glory a completed effect has changed, in this order."""
    for seat in seats:
        if turn.is_over:
            return
        lord = turn.lord(seat)
        before = turn.settled[seat]
        if before == (domains.lands(lord.domain), lord.glory):
            continue
        pay_rank(turn, seat, before[0])
        turn.settled[seat] = (domains.lands(lord.domain), lord.glory)
        look_for_victory(turn, seat)


def pay_rank(turn: FeudalTurn, seat: str, lands_before: int) -> None:
    """6.11.1 Rank: what the number of Lands brings, by the option `rank-bonus`."""
    lord, now = turn.lord(seat), domains.lands(turn.lord(seat).domain)
    how = turn.option("rank-bonus")
    if how == "once":
        for rank in TABLES.ranks.values():   # lowest first
            if rank.lands <= now and rank.id not in lord.ranks_paid:
                changes.reach_rank(turn, seat, rank.id, rank.bonus)
    elif how == "held":
        old, new = domains.rank_of(lands_before), domains.rank_of(now)
        if old != new:
            change = (new.bonus if new else 0) - (old.bonus if old else 0)
            changes.reach_rank(turn, seat, new.id if new else None, max(change, -lord.glory))   # gap 47: glory stops at 0


def look_for_victory(turn: FeudalTurn, seat: str) -> None:
    """6.11.2 Victory: with `victory: immediate` a seat at the target has won at once."""
    if turn.option("victory") == "immediate" and turn.lord(seat).glory >= turn.option("glory-target"):
        changes.win(turn, seat, "6.11.2")


def end_round(turn: FeudalTurn) -> None:
    """6.1.3 Round end: the target under `victory: end-of-round`, then `max-turns`; else the next round."""
    first = domains.ranking(turn.state, turn.state.round)[0]
    most = turn.option("max-turns")
    if turn.option("victory") == "end-of-round" and turn.lord(first).glory >= turn.option("glory-target"):
        changes.win(turn, first, "8.1")      # the ranking begins with glory: its first is at the target if anybody is
    elif most and turn.state.round >= most:
        changes.win(turn, first, "8.2")
    else:
        changes.next_round(turn)


def retire_seat(turn: FeudalTurn, seat: str) -> None:
    """8.5 Dropped seats: a retired seat leaves the game; if only one remains it wins at once."""
    changes.leave(turn, seat)
    if len(turn.state.order) == 1:
        changes.win(turn, turn.state.order[0], "8.5")
