"""6.7.1, 6.7.5: who goes into a castle, and when he comes out again (E3)."""

from .. import changes_third, sides
from ..sides import Piece
from ..state import policy
from ..tables import TABLES
from ..workspace import RosesTurn


def takes_shelter(turn: RosesTurn, attackers: list[Piece], defenders: list[Piece], point: str) -> bool:
    """6.7.1: a single block, at an own or allied castle in which nobody is, goes inside as its house's policy `shelter` says."""
    if len(defenders) != 1 or any(turn.state.houses[house].groups[group].inside for house, group in sides.pieces_at(turn.state, point)):
        return False
    house = defenders[0][0]
    if sides.stance(turn.state, house, point) not in ("own", "allied"):
        return False
    wish = policy(turn.state.houses[house], "shelter")
    outnumbered = sides.size_of(turn.state, attackers) > sides.size_of(turn.state, defenders)
    return wish == "always" or (wish == "if-outnumbered" and outnumbered)


def blocks_inside(turn: RosesTurn) -> list[Piece]:
    """All blocks that are shut up in castles, in seat order."""
    return [piece for house in TABLES.seats if any(block.inside for block in turn.state.houses[house].groups.values())
            for piece in sides.pieces_of(turn.state, house) if turn.state.houses[house].groups[piece[1]].inside]


def lift(turn: RosesTurn) -> None:
    """6.7.5: the moment no enemy block stands at the point, a block inside is outside again."""
    for house, group in blocks_inside(turn):
        if not sides.enemy_force(turn.state, house, turn.state.houses[house].groups[group].point):
            changes_third.lift_siege(turn, (house, group))
