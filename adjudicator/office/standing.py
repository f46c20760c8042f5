"""Where a campaign stands: who is asked, who has sent (not what), and what to do next."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from ..core.ruleset import NOBODY, STEWARD
from ..core.words import _
from ..store import inbox, turns
from ..store.inbox import UNKNOWN
from .campaign import Campaign
from . import deadlines
from .playing import in_force
from .reading import Understood
from .seating import held_in_words
from .settings import seat_text


@dataclass
class SeatStanding:
    """sent: whether orders in force have come; final: whether no more are announced; is_whole: nothing in the file was refused, and it has more than letters. last: "withdrawn" or "noted", if the last file that came was that. plays: "player", "steward" or "nobody", if nothing else comes."""

    seat: str
    name: str
    player: str
    plays: str
    is_asked: bool
    sent: bool
    files: int
    held: str = ""
    note: str = ""
    final: bool = True
    is_whole: bool = True
    last: str = ""


@dataclass
class Standing:
    """deadline: in words. due: the moment, in UTC; "" where there is no rhythm. distance: how far off it is; late: it has passed, and its grace.

    corrections: the game master's, since the last turn: how many. redo: whether the coming turn was undone.
    """

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
    due: str = ""
    distance: str = ""
    late: bool = False
    corrections: int = 0
    redo: bool = False
    nmr: str = "defaults"
    run_when: str = "deadline"


def standing(campaign: Campaign, now: datetime | None = None) -> Standing:
    """Where the campaign stands now; everything in it may be public. now: the moment, for the deadline."""
    settings, asked, heard = campaign.settings, campaign.asked(), campaign.heard()
    box = campaign.folder.inbox(campaign.coming)
    seats = []
    for seat, name in campaign.ruleset.seats.items():
        held = settings.seats[seat]
        plays = NOBODY if held.holder == NOBODY else STEWARD if held.is_played_by_steward(campaign.coming) else "player"
        force = in_force(campaign, seat) if seat in heard else None
        seats.append(SeatStanding(seat, name, settings.player_name(seat), plays, seat in asked, bool(force and force[2].counts),
                                  len(inbox.kept_of(box, seat)), held_in_words(held, settings.players, campaign.coming), _note(campaign, seat),
                                  force[2].final if force else True, _is_whole(force[2]) if force else True, _last(campaign, seat)))
    ended = campaign.how_it_ended() if campaign.is_over else ""
    waiting = [each.seat for each in seats if each.is_asked and each.plays == "player" and not each.sent]
    unfinished = [each.seat for each in seats if each.sent and not each.final]
    if ended:
        next_ = _("nothing: the game is over")
    elif waiting:
        whom = ", ".join(waiting) if len(waiting) <= 4 else _("the {count} seats that have not sent").format(count=len(waiting))
        next_ = _("wait for {seats}, or run the turn when the deadline has passed: adjudicator run").format(seats=whom)
    elif unfinished:
        next_ = _("everybody has sent orders; wait for {seats}, who have announced more, or run the turn: adjudicator run").format(seats=", ".join(unfinished))
    else:
        next_ = _("everybody who plays has sent orders: adjudicator run")
    due, rhythm = campaign.due, settings.rhythm
    late = bool(now and due and rhythm and now >= due + timedelta(minutes=rhythm.grace))
    if waiting and due and now and not late:
        next_ = _("wait for {seats}").format(seats=", ".join(waiting) if len(waiting) <= 4 else _("the {count} seats that have not sent").format(count=len(waiting)))
    elif waiting and late and settings.nmr == "wait":
        next_ = _("the deadline has passed, and the turn waits for {seats}; to run it all the same: adjudicator run --yes").format(seats=", ".join(waiting))
    elif (waiting or unfinished) and late:
        next_ = _("the deadline has passed: adjudicator run")
    return Standing(settings.campaign, settings.title, settings.ruleset, settings.revision, campaign.turn if ended else campaign.coming,
                    campaign.title_of(campaign.turn if ended else campaign.coming), campaign.ruleset.last_turn(campaign.options),
                    campaign.deadline, seats,
                    len(inbox.kept_of(box, UNKNOWN)), ended, next_, deadlines.to_text(due), deadlines.distance(due, now) if due and now else "", late,
                    len(campaign.amendments), turns.undone(campaign.folder, campaign.coming) is not None,
                    settings.nmr, settings.run_when)


def _last(campaign: Campaign, seat: str) -> str:
    """The state of the last file of a seat, if it holds no orders on purpose: "withdrawn" or "noted". It was read when its orders in force were looked for."""
    kept = campaign.kept(seat)
    state = next((understood.state for (name, _digest), understood in campaign.files_read().items() if name == kept[-1].path.name), "") if kept else ""
    return state if state in ("withdrawn", "noted") else ""


def _is_whole(understood: Understood) -> bool:
    return understood.state == "taken" and bool(understood.orders or not understood.letters)


def _note(campaign: Campaign, seat: str) -> str:
    """Where what campaign.yaml says of a seat is not how it is held, or was edited after `adjudicator seat`."""
    if seat in campaign.reseating.overruled:
        return _("campaign.yaml was edited after `adjudicator seat`: its line counts")
    written = campaign.settings.written_seats.get(seat)
    if written is None:
        return ""
    return _("by `adjudicator seat`; campaign.yaml has {text}").format(text=seat_text(written))
