"""What one cron line does: fetch, answer, remind, run what is due, send. It may be called at any time, twice at once, and after any outage."""

import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from ...core import plain
from ...core.events import GM
from ...core.words import N_, _
from ...report.cover import Cover
from ...store import disk, turns
from ...store.folder import DESK
from ...store.trouble import Trouble
from ..campaign import Campaign, Say, opened
from ..deadlines import to_text
from ..desk import DeskFile
from ..running import Ran, TooManyMissing, WaitForAll, run
from ..standing import Standing, standing
from . import commands
from .letters import Desk, same_address
from .offices import PostOffice
from .pulling import Busy, Pulled, alone, make_private, pull
from .pushing import Posted, push
from .records import Tally, read_tally, stamp
from .reminding import due_reminders, tell_deadline, was_told_too_late
from .reports import queue_reports, queue_undone
from .sources import source_of

BY_DEADLINE, ALL_IN = N_("the deadline has passed"), N_("all orders are in")
QUIET_HOURS = 6
"""A trouble that lasts is told again after so many hours, not at every call."""


@dataclass
class Ticked:
    """What a tick did, in sentences; and what went wrong: (where, trouble). faults: where -> what a fault of the program left."""

    told: list[str] = field(default_factory=list)
    troubles: list[tuple[Path, Trouble]] = field(default_factory=list)
    faults: dict[str, str] = field(default_factory=dict)
    pulled: Pulled = field(default_factory=Pulled)
    posted: Posted = field(default_factory=Posted)
    is_busy: bool = False

    @property
    def is_fine(self) -> bool:
        return not self.troubles and not self.faults


def tick(office: PostOffice, now: Callable[[], datetime], say: Say, jobs: int | None = None) -> Ticked:
    """Do everything that is due in a post office. A campaign that is broken does not stop the others."""
    ticked = Ticked()
    try:
        with alone(office.mail / ".tick.lock", "tick"):
            _tick(office, now, say, jobs, ticked)
    except Busy:
        ticked.is_busy = True
    return ticked


def _tick(office: PostOffice, now: Callable[[], datetime], say: Say, jobs: int | None, ticked: Ticked) -> None:
    is_fetched = True
    try:
        ticked.pulled = pull(office, source_of(office), now(), say)
    except (Trouble, OSError) as error:
        ticked.pulled.troubles.append(error if isinstance(error, Trouble) else Trouble(f"{error.filename or office.mail}: {error.strerror or error}"))
    if ticked.pulled.troubles:
        ticked.troubles += [(office.folder, trouble) for trouble in ticked.pulled.troubles]
        is_fetched = False
    ticked.troubles += list(ticked.pulled.broken.items())
    ticked.told += [_("{sender}: {words}").format(sender=record.sender or record.kind, words=record.words) for record in ticked.pulled.records if record.parts or record.kind == "fault"]
    known = {trouble.message for _where, trouble in ticked.troubles}
    for path in office.campaigns:
        try:
            ticked.told += [f"{path.name}: {sentence}" for sentence in tick_campaign(path, office, now(), say, is_fetched and path not in ticked.pulled.broken, jobs)]
        except Trouble as trouble:
            if trouble.message not in known:
                ticked.troubles.append((path, trouble))
        except OSError as error:
            ticked.troubles.append((path, Trouble(f"{error.filename or path}: {error.strerror or error}")))
        except Exception:  # a fault of the program in one campaign must not stop the others
            ticked.faults[str(path)] = traceback.format_exc()
    try:
        ticked.posted = push(office, now, say)
    except OSError as error:
        ticked.troubles.append((office.folder, Trouble(f"{error.filename or office.mail}: {error.strerror or error}")))
    except Exception:
        ticked.faults[str(office.folder)] = traceback.format_exc()
    ticked.troubles += [(office.folder, trouble) for trouble in ticked.posted.troubles]
    if ticked.posted.sent:
        ticked.told.append(_("sent: {count}").format(count=len(ticked.posted.sent)))
    ticked.told += [_("not delivered: {subject} to {address}: {error}").format(subject=out.subject, address=out.address, error=out.error) for out in ticked.posted.failed]


def tick_campaign(path: Path, office: PostOffice, now: datetime, say: Say, is_fetched: bool, jobs: int | None = None) -> list[str]:
    """Everything that is due in one campaign but for sending. is_fetched: False: the mail could not be fetched, so no turn is run. Returns sentences."""
    told = commands.work(path, office, now, say, jobs)
    ran: Ran | None = None
    with opened(path, "adjudicator tick", say) as campaign:
        desk = Desk(office, now, campaign)
        make_private(desk.folder)
        campaign.secret  # noqa: B018 - without the seed nothing can be done
        told += _queued(campaign, desk, jobs)
        told += _tell_held(campaign, desk)
        stands = standing(campaign, now)
        why = why_run(campaign, stands, now)
        if why == BY_DEADLINE and was_told_too_late(campaign, desk):
            told += _stopped(desk, "late-word", _("The turn was not run: its deadline came too late to be known"), Trouble(
                _("the deadline, {deadline}, had passed before the players could hear of it").format(deadline=campaign.deadline)))
            why = ""
        if why and not is_fetched:
            told.append(_("turn {turn} is due ({why}), but the mail could not be fetched: it is not run before that is mended").format(turn=campaign.coming, why=_(why)))
        elif why:
            try:
                ran = run(campaign, now=now, jobs=jobs)
                told.append(_("turn {turn}, {title}, was run: {why}").format(turn=ran.turn, title=ran.turn_title, why=_(why)))
            except TooManyMissing as trouble:
                told += _stopped(desk, "mass-nmr", _("The turn was not run: too many have sent nothing"), trouble)
            except WaitForAll as trouble:
                told += _stopped(desk, "waits", _("The turn waits for everybody"), trouble)
    if ran is not None:
        with opened(path, "adjudicator tick", say) as campaign:
            desk = Desk(office, now, campaign)
            told += _faults(desk, ran)
            told += _queued(campaign, desk, jobs)
    return told


def why_run(campaign: Campaign, stands: Standing, now: datetime) -> str:
    """Why the turn is run now, BY_DEADLINE or ALL_IN; "" if it is not. By the option `run_when`."""
    settings = campaign.settings
    if campaign.is_over or settings.run_when == "by-hand":
        return ""
    due, rhythm = campaign.due, settings.rhythm
    if is_held(campaign):
        return ""
    if due is not None and rhythm is not None and now >= due + timedelta(minutes=rhythm.grace):
        return BY_DEADLINE
    players = [each for each in stands.seats if each.is_asked and each.plays == "player"]
    if settings.run_when == "all-in" and players and all(each.sent and each.final and each.is_whole for each in players):
        return ALL_IN
    return ""


def _drop_former(desk: Desk) -> None:
    """What waits for somebody who no longer holds the seat, or has another address, does not go to him. The new one gets the last report, with its letters."""
    for out in desk.outbox.all():
        if out.state == "waiting" and out.kind in ("report", "press", "reminder", "notice") and out.seat and not same_address(out.address, desk.address_of(out.seat)[1]):
            desk.outbox.cancel(out.key)


def is_held(campaign: Campaign) -> bool:
    """True if the coming turn was taken back and still has the deadline that it was run by: it is not run before the game master says so, by a new one or by `run`."""
    place = turns.undone(campaign.folder, campaign.coming)
    if place is None:
        return False
    return to_text(campaign.due) == (plain.from_json((place / DESK).read_bytes(), DeskFile).was_due or campaign.desk.due)


def _tell_held(campaign: Campaign, desk: Desk) -> list[str]:
    """Tell the game master, once, how a turn that was taken back goes on."""
    if not is_held(campaign) or campaign.settings.run_when == "by-hand":
        return []
    place = turns.undone(campaign.folder, campaign.coming).name
    title = _("Turn {turn} is taken back and waits for you").format(turn=campaign.coming)
    cover = Cover(title, desk.title, [
        _("It is not run again by its old deadline. Correct what is to be corrected. Then copy these lines to the top of your answer, or send them from any address, with `do: extend 2 days` or `do: run` as their last:")],
        pieces=[("", f"campaign: {desk.id}\nseat: gm\ntoken: {campaign.gm_token}\nturn: {campaign.coming}\ndo:")])
    is_new = desk.queue(desk.letter(f"held/{place}", "notice", GM, title, cover))
    return [title] if is_new else []


def _queued(campaign: Campaign, desk: Desk, jobs: int | None) -> list[str]:
    """Queue reports, word of turns taken back, moved deadlines, reminders: whatever is due and has not been queued."""
    told = []
    _drop_former(desk)
    undone = queue_undone(campaign, desk)
    reports = queue_reports(campaign, desk, jobs)
    letters = tell_deadline(campaign, desk, bool(reports))
    reminders = sum(desk.queue(letter) for letter in due_reminders(campaign, desk))
    for count, words in ((undone, _("word of a turn taken back: {count}")), (reports, _("reports queued: {count}")), (letters, _("word of a moved deadline: {count}")),
                         (reminders, _("reminders: {count}"))):
        told += [words.format(count=count)] if count else []
    return told


def _stopped(desk: Desk, kind: str, title: str, trouble: Trouble) -> list[str]:
    """Tell the game master by mail, once a turn and deadline, why the turn was not run, and what he can do."""
    campaign = desk.campaign
    cover = Cover(title, campaign.settings.title, [
        trouble.message + ".", _("Look whether the mail is in order: adjudicator mail list. To run the turn all the same, copy these lines to the top of your answer, or send them from any address, with `do: run` as their last; to give them more time, with `do: extend 2 days`:")],
        pieces=[("", f"campaign: {desk.id}\nseat: gm\ntoken: {campaign.gm_token}\nturn: {campaign.coming}\ndo:")])
    is_new = desk.queue(desk.letter(f"{kind}/{campaign.coming:04}/{to_text(campaign.due)}", "notice", GM, title, cover))
    return [_("turn {turn} was not run: {why}").format(turn=campaign.coming, why=trouble.message)] if is_new else []


def _faults(desk: Desk, ran: Ran) -> list[str]:
    """Tell the game master of orders that were left out and reports that could not be made."""
    if not ran.left_out and not ran.failed_reports:
        return []
    lines = [_("{order} of {seat} was left out: {error}").format(order=failure.order, seat=failure.seat, error=failure.error) for failure in ran.left_out]
    lines += [_("the report for {seat} could not be made").format(seat=viewer) for viewer in ran.failed_reports]
    for viewer, text in ran.failed_reports.items():
        disk.put(desk.folder / f"report-{ran.turn:04}-{viewer}.fault.txt", text.encode(), 0o600)
    cover = Cover(_("Faults of the program in turn {turn}").format(turn=ran.turn), desk.title, lines + [_("What reproduces them is in the folders turns/{turn:04}/dumps and mail.").format(turn=ran.turn)])
    desk.queue(desk.letter(f"faults/{ran.turn:04}-{ran.after[:8]}", "notice", GM, cover.title, cover))
    return lines


def is_worth_telling(office: PostOffice, message: str, now: datetime) -> bool:
    """True if this trouble was not told in the last hours; it is noted as told. So a night without network is no hundred mails from cron."""
    path = office.mail / "told.json"
    tally: Tally = read_tally(path)
    name = plain.digest(message.encode())[:16]
    since, until = stamp(now - timedelta(hours=QUIET_HOURS)), stamp(now + timedelta(hours=1))
    if any(since < time <= until for time in tally.times.get(name, [])):
        return False
    tally.add(name, now)
    make_private(office.mail)
    disk.put(path, plain.to_pretty_json(tally), 0o600)
    return True
