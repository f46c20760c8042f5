"""Undo the last turn: it is set aside, never deleted."""

from dataclasses import dataclass

from ..core.words import _
from ..store import inbox, turns
from ..store.folder import REPORTS
from ..store.trouble import Trouble
from .campaign import Campaign
from .desk import DeskFile


@dataclass
class Undone:
    """was_final: the game was over, and its reports told the seed. kept: submissions of the undone turn that are in its inbox again. later: those for the turn after it, set aside with it;
    corrections: of the game master after the turn, set aside with it.
    """

    turn: int
    turn_title: str
    set_aside: str
    kept: int
    later: int
    was_final: bool
    corrections: int = 0


def undo(campaign: Campaign) -> Undone:
    """Set the last turn aside; the campaign then waits for that turn's orders again, with its inbox as it was."""
    turn = campaign.turn
    if turn == 0:
        raise Trouble(_("no turn has been run yet: there is nothing to undo"), _("to begin anew, make a new campaign"))
    later = len(inbox.kept(campaign.folder.inbox(turn + 1)))
    was_final = turns.read_desk(campaign.folder, turn, DeskFile).final and (campaign.folder.turn(turn) / REPORTS).is_dir()
    corrections = len(campaign.amendments)
    target = turns.undo(campaign.folder, turn)
    return Undone(turn, campaign.title_of(turn), target.relative_to(campaign.folder.path).as_posix(),
                  len(inbox.kept(campaign.folder.inbox(turn))), later, was_final, corrections)
