"""Where a campaign stands: who is asked, who has sent (not what), and what to do next."""

from dataclasses import dataclass

from ..core.ruleset import NOBODY, STEWARD
from ..core.words import _
from ..store import inbox
from ..store.inbox import UNKNOWN
from .campaign import Campaign
from .playing import in_force


@dataclass
class SeatStanding:
    """sent: whether orders in force have come. plays: "player", "steward" or "nobody", if nothing else comes."""

    seat: str
    name: str
    player: str
    plays: str
    is_asked: bool
    sent: bool
    files: int


@dataclass
class Standing:
    campaign: str
    title: str
    ruleset: str
    revision: int
    turn: int
    turn_title: str
    last_turn: int | None
    deadline: str
    seats: list[SeatStanding]
    unknown_files: int
    ended: str
    next: str


def standing(campaign: Campaign) -> Standing:
    """Where the campaign stands now; everything in it may be public."""
    settings, asked, heard = campaign.settings, campaign.asked(), campaign.heard()
    box = campaign.folder.inbox(campaign.coming)
    seats = []
    for seat, name in campaign.ruleset.seats.items():
        held = settings.seats[seat]
        plays = NOBODY if held.holder == NOBODY else STEWARD if held.holder == STEWARD or held.steward else "player"
        force = in_force(campaign, seat) if seat in heard else None
        seats.append(SeatStanding(seat, name, settings.player_name(seat), plays, seat in asked, bool(force and force[2].counts),
                                  len(inbox.kept_of(box, seat))))
    ended = campaign.how_it_ended() if campaign.is_over else ""
    waiting = [each.seat for each in seats if each.is_asked and each.plays == "player" and not each.sent]
    if ended:
        next_ = _("nothing: the game is over")
    elif waiting:
        whom = ", ".join(waiting) if len(waiting) <= 4 else _("the {count} seats that have not sent").format(count=len(waiting))
        next_ = _("wait for {seats}, or run the turn when the deadline has passed: adjudicator run").format(seats=whom)
    else:
        next_ = _("everybody who plays has sent orders: adjudicator run")
    return Standing(settings.campaign, settings.title, settings.ruleset, settings.revision, campaign.turn if ended else campaign.coming,
                    campaign.title_of(campaign.turn if ended else campaign.coming), campaign.ruleset.last_turn(campaign.options),
                    settings.deadline, seats,
                    len(inbox.kept_of(box, UNKNOWN)), ended, next_)
