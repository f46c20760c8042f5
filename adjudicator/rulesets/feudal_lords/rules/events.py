"""6.6 Event phase: the entries of `events`, walked once from the top."""

from typing import Any

from .. import changes, domains
from ..cardlists import entry_of
from ..tables import TABLES
from ..workspace import FeudalTurn
from .effects import Playing, kind_of
from .standing import settle


def play_events(turn: FeudalTurn, seat: str) -> None:
    """6.6 Event phase: each entry is executed until its count is reached or it fails."""
    succeeded = 0
    with turn.carrying_out(seat, "events"):
        for written in turn.wish(seat, "events", []):
            keys = {"play": written} if isinstance(written, str) else written
            entry = entry_of(keys["play"])
            done = 0
            while entry.most is None or done < entry.most:
                reason = play_event(turn, seat, entry.card, keys, succeeded)
                if turn.is_over:
                    return
                if reason is not None:
                    if not done:   # a failure after a success of the same entry is not reported
                        changes.skip(turn, "6.6", seat, entry.card, reason)
                    break
                done += 1
                succeeded += 1


def play_event(turn: FeudalTurn, seat: str, id_: str, keys: dict[str, Any], succeeded: int) -> str | None:
    """6.6.1-6.6.5 One execution: the reason why it failed, or None. succeeded: executions so far in this table turn."""
    card = TABLES.cards[id_]
    most = turn.option("events-per-turn")
    if most and succeeded >= most:                                   # 6.6.1
        return "limit-reached"
    if id_ not in turn.lord(seat).hand:                              # 6.6.2
        return "not-in-hand"
    playing = Playing(seat, card, keys, keys.get("keep", turn.keep(seat)), cost=card.price)
    reason = find(turn, playing)                                     # 6.6.3
    if reason is not None:
        return reason
    if not turn.may_pay(seat, playing.cost, playing.keep):           # 6.6.4
        return "cannot-pay"
    kind = kind_of(card)
    changes.play_event(turn, seat, id_, playing.cost, playing.victim, playing.target, playing.size, kind.hidden_size)   # 6.6.5
    kind.carry_out(turn, playing)
    changes.to_discard(turn, id_)
    settle(turn, seat, *domains.clockwise(turn.state.order, seat))
    return None


def find(turn: FeudalTurn, playing: Playing) -> str | None:
    """6.6.3 Victim, target and size: the first seat of `whom` that is legal and large enough; "no-target" or "too-small" if there is none."""
    kind = kind_of(playing.card)
    least = playing.entry.get("min", 1)
    if not kind.has_victim:
        if not kind.find(turn, playing):
            return "no-target"
        return "too-small" if playing.size is not None and playing.size < least else None
    for victim in domains.named_seats(turn.state, playing.seat, playing.entry.get("whom", ["leader"])):
        playing.victim, playing.target, playing.size = victim, None, None
        if kind.find(turn, playing) and (playing.size is None or playing.size >= least):
            return None
    return "no-target"
