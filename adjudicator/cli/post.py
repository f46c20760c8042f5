"""Commands of play by mail: mail pull, push, remind, list; and tick, which does all of it."""

import sys
from pathlib import Path

import click

from . import show
from .common import at, campaign_at, complete_seat, folder_argument, jobs_option, json_option, now

EX_TEMPFAIL = 75
"""What a mail system understands as: not taken now, try again later."""


class _Mail(click.Group):
    """Named in the order in which they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


@click.group(cls=_Mail, epilog="""
\b
Examples:
  adjudicator mail pull war                       from where mail.yaml says
  adjudicator mail pull war --maildir ~/Maildir
  adjudicator mail pull war -                     one message on standard input, for procmail or sieve
  adjudicator mail push war                       send what is queued
  adjudicator tick war                            all of it, and the turn when it is due: the line for cron

docs/gm-guide.md tells how to set a mailbox up.
""")
def mail() -> None:
    """Play by mail: fetch orders and answer them, send reports and reminders."""


def _office(folder: Path):
    from ..office.post.offices import post_office_of

    return post_office_of(folder)


@mail.command(epilog="""
\b
Examples:
  adjudicator mail pull war
  adjudicator mail pull war --eml incoming
  procmail:  | adjudicator mail pull /home/gm/campaigns/war -
""")
@folder_argument
@click.argument("message", required=False, type=click.Choice(["-"]), metavar="[-]")
@click.option("--maildir", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Take it from this Maildir instead.")
@click.option("--mbox", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Take it from this mbox file instead; the file is not changed.")
@click.option("--eml", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Take it from this folder of .eml files instead.")
@json_option
def pull(folder: Path, message: str | None, maildir: Path | None, mbox: Path | None, eml: Path | None, as_json: bool) -> None:
    """Fetch mail, take in the orders that are in it, and queue the receipts.

    A message is taken exactly once, whatever happens in between; it is marked where it came from when it is on disk with its
    record. With `-`, one message is read from standard input; if it cannot be taken now, the exit code is 75: try again later.
    """
    from ..mail.sources import StandardInput
    from ..office.post import sources
    from ..office.post.pulling import pull as fetch

    if sum(given is not None for given in (message, maildir, mbox, eml)) > 1:
        raise click.UsageError("give only one place to take mail from")
    try:
        office = _office(folder)
        if message:
            if sys.stdin is None:
                raise click.UsageError("-: there is no standard input")
            source = StandardInput(sys.stdin.buffer)
        else:
            given = [(kind, path) for kind, path in (("maildir", maildir), ("mbox", mbox), ("folder", eml)) if path]
            source = sources.named_source(office, *given[0]) if given else sources.source_of(office)
        if source is None:
            raise click.UsageError(f"where from? Write it into {office.folder / 'mail.yaml'} (see docs/gm-guide.md), or give --maildir, --mbox, --eml or -")
        with show.progress(not message):
            pulled = fetch(office, source, now(), show.say, wait_seconds=60 if message else 0)
    except Exception as error:
        if message and not isinstance(error, click.UsageError):
            show.say(f"adjudicator: {getattr(error, 'message', None) or error}")
            sys.exit(EX_TEMPFAIL)
        raise
    if as_json:
        show.json_result(pulled.records)
    else:
        for record in pulled.records:
            show.result(f"{record.sender or '(no sender)'}: {record.words}")
        if not pulled.records:
            show.say("nothing new")
        elif any(record.answers for record in pulled.records):
            show.say(f"next: adjudicator mail push{at(folder)}")
    if pulled.waiting:
        show.say(f"{show.count(pulled.waiting, 'message')} kept for a campaign that cannot be opened now: taken in by the next pull")
    _tell([*pulled.troubles, *pulled.broken.values()])
    if pulled.troubles or pulled.broken:
        sys.exit(EX_TEMPFAIL if message and not pulled.records and not pulled.waiting else 1)


def _tell(troubles) -> None:
    for trouble in troubles:
        if trouble.problems:
            from ..orderfile.excerpts import tell

            for problem in trouble.problems:
                show.say(tell(problem, trouble.text, trouble.name))
        show.say(f"adjudicator: {trouble.message}")
        if trouble.advice:
            show.say(f"  {trouble.advice}")


@mail.command(epilog="""
\b
Example:
  adjudicator mail push war
  adjudicator mail push war --retry            what was refused, too: the fault lay with the server or the password
""")
@folder_argument
@click.option("--retry", is_flag=True, help="Try again now what was refused or given up, or waits for its next try.")
@json_option
def push(folder: Path, retry: bool, as_json: bool) -> None:
    """Send what is queued: reports of the last turn, receipts, reminders, letters.

    Each message is sent once, and tried again if its server cannot take it now. Without `out` in mail.yaml they are put into the
    folder mail/eml, one file each, to be sent by hand.
    """
    from ..office.post.letters import Desk
    from ..office.post.pushing import push as send
    from ..office.post.reports import queue_reports, queue_undone

    office = _office(folder)
    with campaign_at(folder) as campaign:
        desk = Desk(office, now(), campaign)
        queue_undone(campaign, desk)
        queue_reports(campaign, desk)
        for out in desk.outbox.all() if retry else []:
            if out.state in ("refused", "given-up") or out.state == "waiting" and out.next_try:
                desk.outbox.retry(out.key)
    posted = send(office, now, show.say)
    if as_json:
        show.json_result({"sent": posted.sent, "failed": posted.failed, "later": posted.later})
    else:
        _tell_posted(posted)
    _tell(posted.troubles)
    if posted.troubles or posted.failed:
        sys.exit(1)


def _tell_posted(posted) -> None:
    for out in posted.sent:
        show.result(f"sent: {out.subject} to {out.address}")
    for out in posted.failed:
        show.result(f"not delivered: {out.subject} to {out.address}: {out.error}")
    if not posted.sent and not posted.failed:
        show.say("nothing to send" + (f"; {show.count(posted.later, 'message')} will be tried later" if posted.later else ""))
    elif posted.later:
        show.say(f"{show.count(posted.later, 'message')} will be tried later")


@mail.command(epilog="""
\b
Examples:
  adjudicator mail remind war                  everybody who is awaited
  adjudicator mail remind war --seat york
""")
@folder_argument
@click.option("--seat", "seats", multiple=True, metavar="SEAT", shell_complete=complete_seat, help="Only this seat's player; may be repeated.")
def remind(folder: Path, seats: tuple[str, ...]) -> None:
    """Remind those who have not sent, now; `tick` does it by itself at the times that campaign.yaml gives."""
    from ..office.checking import unknown_seat
    from ..office.post.letters import Desk
    from ..office.post.pushing import push as send
    from ..office.post.reminding import reminder
    from ..office.post.waiting import awaited
    from ..store.trouble import Trouble

    office = _office(folder)
    with campaign_at(folder) as campaign:
        moment = now()
        desk = Desk(office, moment, campaign)
        whom = awaited(campaign)
        if seats:
            wanted = []
            for typed in seats:
                seat = campaign.seats.find(typed)
                if seat is None:
                    raise unknown_seat(campaign, typed)
                if seat not in whom:
                    raise Trouble(f"{campaign.seats[seat]} is not awaited: its orders are in, or nobody is asked for them", "see who is: adjudicator status")
                wanted.append(seat)
            whom = wanted
        without = [seat for seat in whom if not desk.address_of(seat)[1]]
        reminded = [seat for seat in whom if seat not in without and desk.queue(reminder(campaign, desk, seat, f"reminder/{campaign.coming:04}/by-hand-{moment:%Y%m%dT%H%M%S}/{seat}"))]
    for seat in reminded:
        show.result(f"reminded: {seat}")
    if without:
        show.say(f"no address is known for: {', '.join(without)}")
    if not whom:
        show.say("nobody is awaited")
    posted = send(office, now, show.say)
    _tell(posted.troubles)
    if posted.troubles:
        sys.exit(1)


@mail.command("list", epilog="""
\b
Examples:
  adjudicator mail list war            what came in this turn, what went out, what did not
  adjudicator mail list war --every
""")
@folder_argument
@click.option("--every", is_flag=True, help="Every message since the campaign began.")
@json_option
def list_(folder: Path, every: bool, as_json: bool) -> None:
    """List the messages that came, what became of each, and the state of each that goes out."""
    from ..office.post.records import all_records
    from ..office.post.waiting import mail_standing

    office = _office(folder)
    with campaign_at(folder, changes=False, playable=False) as campaign:
        stands = mail_standing(campaign)
        first = campaign.turn
    came = stands.taken if stands else []
    if office.folder != folder.absolute() or not came:
        came = [*came, *all_records(office.records)]
    came = list({record.sha256: record for record in came}.values())
    out = [each for each in (stands.all if stands else []) if every or each.turn >= first or each.state in ("waiting", "sending", "refused", "given-up", "bounced")]
    came = came if every else [record for record in came if not record.parts or any(part.turn >= first for part in record.parts)][-200:]
    if as_json:
        show.json_result({"came": came, "out": out})
        return
    if came:
        show.table(["came", "from", "seat", "what became of it"], [[record.received, record.sender or "-", ", ".join(part.seat for part in record.parts if part.seat) or "-", record.words] for record in came])
    if out:
        show.table(["queued", "to", "what", "state"], [[each.queued, each.address, each.subject, state_of(each)] for each in out])
    if not came and not out:
        show.say("no mail yet")


def state_of(out) -> str:
    """The state of a message that goes out, in words."""
    if out.state == "sent":
        return f"sent {out.sent}"
    if out.state == "waiting" and out.error:
        return f"tried {show.count(out.tries, 'time')}: {out.error}" + (f"; next {out.next_try}" if out.next_try else "")
    return out.state + (f": {out.error}" if out.error else "")


@click.command(epilog="""
\b
Examples:
  adjudicator tick war
  adjudicator tick --all campaigns
  cron:  */5 * * * *  adjudicator tick --all /home/gm/campaigns
""")
@folder_argument
@click.option("--all", "all_", is_flag=True, help="FOLDER holds campaigns: tick each of them.")
@click.option("-v", "--verbose", is_flag=True, help="Say it too when there was nothing to do.")
@jobs_option
@json_option
def tick(folder: Path, all_: bool, verbose: bool, jobs: int | None, as_json: bool) -> None:
    """Do whatever is due: fetch and answer mail, remind, run the turn, send the reports.

    It can be called every five minutes, twice at once, and after any outage. It says nothing when nothing was done, and a trouble
    that lasts is told again only every six hours, so that cron writes no needless mail. Exits 1 if something is wrong.
    """
    from ..office.post.offices import PostOffice, post_office_of, post_offices_in
    from ..office.post.settings import MailSettings
    from ..office.post.ticking import is_worth_telling, tick as do

    is_fine, results = True, []
    broken: list = []
    offices = post_offices_in(folder, lambda _path, trouble: broken.append(trouble)) if all_ else [post_office_of(folder)]
    if broken:
        is_fine = False
        whole = PostOffice(folder.absolute(), MailSettings())
        _tell([trouble for trouble in broken if verbose or show.is_terminal(sys.stderr) or is_worth_telling(whole, trouble.message, now())])
    for office in offices:
        ticked = do(office, now, show.say, jobs)
        results.append(ticked)
        is_fine = is_fine and ticked.is_fine
        if as_json:
            continue
        for sentence in ticked.told:
            show.result(sentence)
        if ticked.is_busy and verbose:
            show.say(f"another tick is at work in {office.folder}")
        elif not ticked.told and ticked.is_fine and verbose:
            show.say(f"{office.folder}: nothing to do")
        _tell([trouble for _where, trouble in ticked.troubles if verbose or show.is_terminal(sys.stderr) or is_worth_telling(office, trouble.message, now())])
        for where, text in ticked.faults.items():
            if verbose or is_worth_telling(office, text[-300:], now()):
                show.say(f"{where}: a fault of the program; {show.crash_file(text)}")
    if as_json:
        show.json_result([{"told": each.told, "troubles": [trouble.message for _where, trouble in each.troubles], "busy": each.is_busy} for each in results])
    if not is_fine:
        sys.exit(1)
