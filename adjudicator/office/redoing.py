"""Put an undone turn back, exactly as it was, if nothing else has changed since."""

from dataclasses import dataclass
from pathlib import Path

from ..core import plain
from ..core.words import _
from ..store import disk, manifest as manifests, turns
from ..store.folder import AMENDMENTS, INBOX, MANIFEST, SUMS
from ..store.trouble import Trouble
from .campaign import Campaign


@dataclass
class Redone:
    """later: whether what had come for the turn after it is there again."""

    turn: int
    turn_title: str
    came_from: str
    later: bool


def redo(campaign: Campaign) -> Redone:
    """Put the turn that was undone last back into its place. Trouble says why it cannot be done."""
    folder, turn = campaign.folder, campaign.coming
    place = turns.undone(folder, turn)
    if place is None:
        raise Trouble(_("turn {turn} was not undone: there is nothing to put back").format(turn=turn), _("to run it: adjudicator run"))
    name = place.relative_to(folder.path).as_posix()
    why = _why_not(campaign, place)
    if why:
        raise Trouble(_("turn {turn} cannot be put back: {why}").format(turn=turn, why=why),
                      _("run it anew: adjudicator run; the undone turn stays in {place}").format(place=name))
    later = (place / turns.NEXT).is_dir()
    turns.redo(folder, turn)
    return Redone(turn, campaign.title_of(turn), name, later)


def _why_not(campaign: Campaign, place: Path) -> str:
    folder, turn = campaign.folder, campaign.coming
    damaged = manifests.damage(place, but=turns.NEXT)
    if damaged:
        return _("its {file} {what}").format(file=damaged[0], what=damaged[1])
    manifest = manifests.read(place)
    if manifest.previous != plain.digest((folder.turn(turn - 1) / MANIFEST).read_bytes()):
        return _("it does not follow turn {before} as that is now").format(before=turn - 1)
    if _files(place / INBOX) != _files(folder.inbox(turn)):
        return _("its inbox has changed since: a file has come, or was put out of force")
    then = (place / AMENDMENTS).read_bytes() if (place / AMENDMENTS).is_file() else b""
    now = folder.amendments(turn).read_bytes() if folder.amendments(turn).is_file() else b""
    if then != now:
        return _("the game master's corrections before it are others now")
    if manifest.holders != campaign.settings.holders:
        other = next(seat for seat in campaign.ruleset.seats if manifest.holders.get(seat) != campaign.settings.holders[seat])
        return _("the seat {seat} is in other hands now").format(seat=other)
    if manifest.revision != campaign.ruleset.revision:
        return _("it was played by revision {old} of the rules, and installed is revision {new}").format(old=manifest.revision, new=campaign.ruleset.revision)
    return ""


def _files(box: Path) -> dict[str, str]:
    return {name: plain.digest((box / name).read_bytes()) for name in disk.files_in(box) if name != SUMS}
