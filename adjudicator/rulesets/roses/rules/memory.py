"""7.2 Memory: what each seat remembers of foreign armies."""

from .. import changes, sides
from ..sides import Piece
from ..state import season_of
from ..tables import TABLES
from ..view import sees
from ..workspace import RosesTurn


def after_fight(turn: RosesTurn, attackers: list[Piece], defenders: list[Piece], watchers: tuple[str, ...] = (),
                comrades: tuple[str, ...] = ()) -> None:
    """7.2 Memory, after a fight: every house that was in it knows the other side's groups that still exist.

    watchers: houses that learn of the attackers without companies in the fight (E3: the castle's controller)
    comrades: houses that learn of the defenders without companies in the fight (E3: the rest of an assaulting host)
    """
    for own, foreign, others in ((attackers, defenders, comrades), (defenders, attackers, watchers)):
        for seat in sides.in_seat_order([house for house, _group in own] + list(others)):
            for house, group in foreign:
                if group in turn.state.houses[house].groups:
                    changes.note_known(turn, seat, (house, group))


def at_end_of_turn(turn: RosesTurn) -> None:
    """7.2 Memory, at the end of the turn: armies known to be gone are dropped; armies of the other faction in sight are noted."""
    for seat in TABLES.seats:
        if turn.state.houses[seat].status == "dormant":
            continue
        for key in list(turn.state.houses[seat].memory):
            if is_known_gone(turn, seat, key):
                changes.forget(turn, seat, key)
        for house in TABLES.seats:
            if turn.state.houses[house].faction != turn.state.houses[seat].faction:
                for piece in sides.pieces_of(turn.state, house):
                    if sees(turn.state, seat, turn.state.houses[house].groups[piece[1]].point):
                        changes.note_seen(turn, seat, piece)


def is_known_gone(turn: RosesTurn, seat: str, key: str) -> bool:
    """7.2: its house is a friend now, captive or neutral; or it is Winter (E3: vassal and Burgundian blocks); or it is not where it was noted."""
    house, group = key.split("/")
    record = turn.state.houses[house]
    if record.faction == turn.state.houses[seat].faction or record.status in ("captive", "neutral"):
        return True
    if season_of(turn.state.turn) == "Winter" and (not sides.is_e3(turn.state) or group.startswith("vassals") or group == "burgundians"):
        return True
    point = turn.state.houses[seat].memory[key].point
    there = group in record.groups and record.groups[group].point == point
    return not there and sees(turn.state, seat, point)
