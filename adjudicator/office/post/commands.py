"""The game master by mail: status, preview, a later deadline, run, undo; each with the game master's own token.

    campaign: roses-1455
    seat: gm
    token: 4kx7-m2qd
    turn: 5                the coming turn for `run`, the last one for `undo`
    do: run                or: status, preview, undo, extend 2 days, extend until 2027-01-12 18:00
"""

import re
import traceback
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from ...core import plain
from ...core.events import GM
from ...core.words import _
from ...mail.reading import Found, Message
from ...orderfile.loader import load
from ...orderfile.submission import peek
from ...report.cover import Cover
from ...store import disk
from ...store.trouble import Trouble
from .. import deadlines
from ..campaign import Campaign, Say, opened
from ..extending import extend
from ..running import Ran, foresee, run
from ..standing import Standing, standing
from ..undoing import undo
from .letters import Desk, Letter, same_address
from .offices import MAIL, PostOffice
from .records import Tally

ALLOWED = "status, preview, run, undo, extend 2 days, extend until 2027-01-12 18:00"

MOST_ANSWERS = 10
"""Answers in 24 hours to commands that cannot be done: a program that answers for the game master must not be answered for ever."""


@dataclass
class Command:
    """A command that waits to be done.

    turn:  that it is about, 0 if it does not matter
    until: the new deadline in UTC, as desk.json has it; by: so many minutes later than the one that holds when the command is done
    stranger: from where it came, if not from the game master's own address
    """

    do: str
    turn: int
    sha256: str
    message_id: str
    until: str = ""
    by: int = 0
    stranger: str = ""
    format: int = 1


def note(desk: Desk, tally: Tally, message: Message, found: Found) -> tuple[str, Command | None, list[Letter]]:
    """Read a command with the right token: (state, the command if it can be done, else the answer). It is done after the lock is given back."""
    envelope = peek(load(found.data))
    typed = " ".join((envelope.do or "").split())
    do, problem, until, by = typed.lower(), "", "", 0
    campaign = desk.campaign
    if match := re.fullmatch(r"extend (by )?(?P<span>" + deadlines.SPAN + r")", do):
        problem = "" if campaign.settings.rhythm else _("this campaign has no deadline that could be extended")
        do, by = "extend", deadlines.minutes(match["span"])
    elif match := re.fullmatch(r"extend (until|to) (?P<day>" + deadlines.DATE + r")( (?P<time>" + deadlines.TIME + r"))?", do):
        rhythm = campaign.settings.rhythm
        if rhythm is None or not deadlines.is_date(match["day"]):
            problem = _("this campaign has no deadline that could be extended") if rhythm is None else _("{day} is no date").format(day=match["day"])
        else:
            local = datetime.strptime(f"{match['day']} {match['time'] or rhythm.at}", "%Y-%m-%d %H:%M")
            if abs(local.year - desk.now.year) > 1:
                problem = _("{day} is too far away").format(day=match["day"])
            else:
                until = deadlines.to_text(deadlines.moment(local, rhythm.zone))
        do = "extend"
    elif do not in ("status", "preview", "run", "undo"):
        problem = _("`do: {typed}` is no command").format(typed=typed[:60]) if typed else _("the line `do: …` is missing")
    if not problem and do in ("run", "undo"):
        wanted = campaign.coming if do == "run" else campaign.turn
        if envelope.turn is None:
            problem = _("`do: {do}` needs the line `turn: {turn}`, so that it is never done twice").format(do=do, turn=wanted)
        elif envelope.turn != wanted:
            problem = _("`do: {do}` is for turn {given}, but that turn is not there to be done: it would be turn {turn}").format(do=do, given=envelope.turn, turn=wanted)
    if problem:
        if tally.count("bad-command", desk.now) >= MOST_ANSWERS:
            return "bad-command", None, []
        tally.add("bad-command", desk.now)
        return "bad-command", None, [_answer(desk, message.sha256, message.message_id, _("Not done"), [problem[:1].upper() + problem[1:] + ".", _("Commands are: {allowed}").format(allowed=ALLOWED)])]
    return "command", Command(do, envelope.turn or 0, message.sha256, message.message_id, until, by,
                              "" if same_address(message.sender, desk.address_of(GM)[1]) else message.sender or "?"), []


def waiting(path: Path) -> list[Path]:
    """The commands that wait to be done, in the order in which they came."""
    folder = path / MAIL / "commands"
    return sorted(folder.glob("*.json"), key=lambda each: (each.stat().st_mtime_ns, each.name)) if folder.is_dir() else []


def work(path: Path, office: PostOffice, now: datetime, say: Say, jobs: int | None = None) -> list[str]:
    """Do the commands that wait, each once, and queue the answers. Returns a sentence for each."""
    told = []
    for file in waiting(path):
        try:
            command = plain.from_json(file.read_bytes(), Command)
        except plain.PlainError:
            disk.rename(file, file.with_suffix(".damaged"))
            told.append(_("{file} is damaged: that command was not done; send it again").format(file=file))
            continue
        if command.by:  # written down before it is done: done again after a kill, it gives the same deadline
            with opened(path, "adjudicator tick", say, playable=False) as campaign:
                command.until, command.by = deadlines.to_text(max(campaign.due or now, now) + timedelta(minutes=command.by)), 0
            disk.put(file, plain.to_pretty_json(command), 0o600)
        try:
            title, paragraphs, pieces, attachments = _do(path, command, now, say, jobs)
        except OSError:
            raise
        except Exception:  # a fault of the program: the command is not tried for ever
            disk.put(file.parent.parent / f"{command.sha256[:16]}.fault.txt", traceback.format_exc().encode(), 0o600)
            title, paragraphs, pieces, attachments = _("Not done: {do}").format(do=command.do), [
                _("The program failed; what is needed to mend that is in the folder `mail`, in {file}.").format(file=f"{command.sha256[:16]}.fault.txt")], [], []
        if command.stranger:
            paragraphs = [*paragraphs, _("The command came from {sender}, with your token. If it was not yours: adjudicator seat gm --new-token").format(sender=command.stranger)]
        with opened(path, "adjudicator tick", say, playable=False) as campaign:
            desk = Desk(office, now, campaign)
            desk.queue(_answer(desk, command.sha256, command.message_id, title, paragraphs, pieces, attachments))
            disk.remove_file(file)
        told.append(_("by mail of the game master: {what}").format(what=title))
        if not desk.address_of(GM)[1]:
            told.append(_("the answer could not be sent: there is no address under `gm` in campaign.yaml"))
    return told


def _do(path: Path, command: Command, now: datetime, say: Say, jobs: int | None):
    """Do one command: (title, paragraphs, pieces, attachments) of the answer. A command that was done before its process was killed finds that out by its turn."""
    try:
        if command.do == "status":
            with opened(path, "adjudicator tick", say, playable=False) as campaign:
                return _("Status"), [], [("", status_text(standing(campaign, now)))], []
        if command.do == "extend":
            with opened(path, "adjudicator tick", say) as campaign:
                due = deadlines.from_text(command.until)
                if campaign.due == due:
                    return _("The deadline is set"), [_("Orders are due: {deadline}.").format(deadline=campaign.deadline)], [], []
                extend(campaign, due, None, now)
            with opened(path, "adjudicator tick", say) as campaign:
                return _("The deadline is set"), [_("Orders are now due: {deadline}. The players are told.").format(deadline=campaign.deadline)], [], []
        with opened(path, "adjudicator tick", say) as campaign:
            if command.do == "undo":
                if campaign.turn != command.turn:
                    return _("Turn {turn} is undone").format(turn=command.turn), [_("The coming turn is now turn {turn}.").format(turn=campaign.coming)], [], []
                undone = undo(campaign)
                return _("Turn {turn} is undone").format(turn=undone.turn), [
                    _("It was set aside in {place}; {count} files are in its inbox again. The players are told.").format(place=undone.set_aside, count=undone.kept),
                    _("To put it back as it was: adjudicator redo, on the machine.")], [], []
            if command.do == "run" and campaign.coming != command.turn:
                return _("Turn {turn} has been run").format(turn=command.turn), [_("The coming turn is now turn {turn}.").format(turn=campaign.coming)], [], []
            if command.do == "preview":
                ran, files = foresee(campaign, now)
                shown, attached = [("", ran_text(ran))], []
                if campaign.settings.gm_report and "gm.pdf" in files:
                    shown.append((_("Your report of it"), files["gm.txt"].decode()))
                    attached.append(("gm.pdf", "application/pdf", files["gm.pdf"]))
                return _("What turn {turn} would come to").format(turn=ran.turn), [_("Nothing was changed: this was a dry run.")], shown, attached
            ran = run(campaign, yes=True, now=now, jobs=jobs)
            return _("Turn {turn} has been run").format(turn=ran.turn), [_("The reports go out now.")], [("", ran_text(ran))], []
    except Trouble as trouble:
        return _("Not done: {do}").format(do=command.do), [trouble.message + ".", *([trouble.advice + "."] if trouble.advice else [])], [], []


def _answer(desk: Desk, sha256: str, message_id: str, title: str, paragraphs: list[str], pieces=(), attachments=()) -> Letter:
    return desk.letter(f"command/{sha256[:32]}", "command", GM, title, Cover(title, desk.title, list(paragraphs), [], list(pieces)), attachments=list(attachments),
                       in_reply_to=message_id, is_answer=True)


def status_text(stands: Standing) -> str:
    """Where a campaign stands, as lines of text."""
    lines = [f"{stands.turn_title}, {_('turn {turn}').format(turn=stands.turn)}", ""]
    if stands.ended:
        return "\n".join([*lines, stands.ended])
    wide = max(len(each.name) for each in stands.seats)
    for each in stands.seats:
        how = _("not asked") if not each.is_asked and not each.sent else _("sent, more to come") if each.sent and not each.final else _("sent, not whole") if each.sent and not each.is_whole else _("sent") if each.sent else \
            _("the steward plays") if each.plays == "steward" else _("awaited") if each.plays == "player" else "-"
        lines.append(f"{each.name:<{wide}}  {how}" + (f"  ({each.player})" if each.player else ""))
    if stands.deadline:
        lines += ["", _("Deadline: {deadline}").format(deadline=stands.deadline) + (f" ({stands.distance})" if stands.distance else "")]
    if stands.unknown_files:
        lines.append(_("Files that nobody could be found for: {count}").format(count=stands.unknown_files))
    return "\n".join([*lines, "", stands.next])


def ran_text(ran: Ran) -> str:
    """What a run did, or would do, as lines of text."""
    lines = [f"{ran.turn_title}, {_('turn {turn}').format(turn=ran.turn)}", ""]
    lines += [f"{seat:<14}  {how}" for seat, how in ran.how.items()]
    lines += ["", _("{events} events, {draws} draws").format(events=ran.events, draws=ran.draws)]
    lines += [f"  {kind:<28} {count}" for kind, count in sorted(ran.kinds.items())]
    for failure in ran.left_out:
        lines.append(_("Left out, for a fault of the program: {order} of {seat} ({error})").format(order=failure.order, seat=failure.seat, error=failure.error))
    return "\n".join(lines + ([ran.ended] if ran.ended else []))
