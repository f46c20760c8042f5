"""Commands of the game master: status, run, report, undo, verify."""

import sys
from pathlib import Path

import click

from . import show
from .common import at, campaign_at, complete_seat, folder_argument, jobs_option, json_option, now


@click.command(epilog="""
\b
Examples:
  adjudicator status war
  adjudicator status war --json
  adjudicator status --all campaigns
""")
@folder_argument
@click.option("--all", "all_", is_flag=True, help="FOLDER holds campaigns: one line for each.")
@json_option
def status(folder: Path, all_: bool, as_json: bool) -> None:
    """Tell where a campaign stands: the turn, who is asked, who has sent (not what), what the mail does, and what to do next."""
    from ..core import plain
    from ..office.post.waiting import mail_standing
    from ..office.standing import standing

    if all_:
        _status_of_all(folder, as_json)
        return
    with campaign_at(folder, changes=False) as campaign:
        stands, mail = standing(campaign, now()), mail_standing(campaign)
    if as_json:
        post = {"mail": {"counts": mail.counts, "unsent": mail.unsent}} if mail else {}
        show.json_result({**plain.to_plain(stands), **plain.to_plain(post)})
        return
    title = f"{stands.title} ({stands.campaign}): {stands.turn_title}, turn {stands.turn}{f' of {stands.last_turn}' if stands.last_turn else ''}"
    if stands.ended:
        show.result(title)
        show.result(stands.ended)
    else:
        rows = [[each.seat, each.name, each.held if each.player and each.plays == "steward" else each.player or each.plays, _sent(each)]
                for each in stands.seats]
        show.table(["seat", "name", "held by", "orders"], rows, title)
    if stands.deadline and not stands.ended:
        show.result(f"deadline: {stands.deadline}{f' ({stands.distance})' if stands.distance else ''}")
    missed = {"steward": "for a player who has sent nothing at the deadline the steward plays", "wait": "the turn waits for everybody's orders"}
    if stands.nmr in missed and not stands.ended:
        show.result(f"{missed[stands.nmr]} (nmr: {stands.nmr})")
    for each in stands.seats:
        if each.note:
            show.result(f"{each.seat}: {each.held}, {each.note}")
    if stands.corrections:
        show.result(f"{show.count(stands.corrections, 'correction')} by the game master since the last turn (turns/{stands.turn:04}/amendments.json)")
    if stands.unknown_files:
        show.result(f"files that nobody could be found for: {stands.unknown_files} (turns/{stands.turn:04}/inbox/unknown-*.txt)")
    if mail:
        _tell_mail(mail)
    if stands.redo:
        show.say(f"this turn was undone; to put it back as it was: adjudicator redo{at(folder)}")
    show.say(f"next: {stands.next.replace('adjudicator run', f'adjudicator run{at(folder)}')}")


def _status_of_all(folder: Path, as_json: bool) -> None:
    """One line a campaign; one that cannot be opened is told in its line, and does not stop the others."""
    from ..office.post.offices import campaigns_in
    from ..office.post.waiting import mail_standing
    from ..office.standing import standing
    from ..store.trouble import Trouble

    paths = campaigns_in(folder)
    if not paths:
        raise Trouble(f"there is no campaign in {folder}", "give a folder that holds campaign folders")
    rows, results, broken = [], [], 0
    for path in paths:
        try:
            with campaign_at(path, changes=False) as campaign:
                stands, mail = standing(campaign, now()), mail_standing(campaign)
        except Trouble as trouble:
            broken += 1
            rows.append([path.name, "cannot be opened", "", trouble.message, ""])
            results.append({"folder": str(path), "trouble": trouble.message})
            continue
        asked = [each for each in stands.seats if each.is_asked and each.plays == "player"]
        unsent = len(mail.unsent) if mail else 0
        rows.append([path.name, f"{stands.turn_title}, turn {stands.turn}", "over" if stands.ended else f"{sum(each.sent and each.final for each in asked)} of {len(asked)} sent",
                     stands.ended or (f"{stands.deadline} ({stands.distance})" if stands.distance else stands.deadline), f"{unsent} not sent" if unsent else ""])
        results.append({"folder": str(path), **_short(stands), "mail_not_sent": unsent})
    if as_json:
        show.json_result(results)
    else:
        show.table(["campaign", "turn", "orders", "deadline", "mail"], rows)
    if broken:
        sys.exit(1)


def _short(stands) -> dict:
    return {"campaign": stands.campaign, "title": stands.title, "turn": stands.turn, "turn_title": stands.turn_title, "deadline": stands.deadline, "due": stands.due,
            "waiting": [each.seat for each in stands.seats if each.is_asked and each.plays == "player" and not each.sent], "ended": stands.ended, "next": stands.next}


def _tell_mail(mail) -> None:
    """What the outbox holds, and each message in it that has not gone out."""
    from .post import state_of

    show.result("mail: " + ", ".join(f"{count} {state}" for state, count in sorted(mail.counts.items())) if mail.counts else "mail: nothing yet")
    for out in mail.unsent:
        show.result(f"  {out.subject} to {out.address}: {state_of(out)}")


def _sent(each) -> str:
    if not each.is_asked and not each.sent:
        return "not asked"
    if each.sent:
        return ("sent, more to come" if not each.final else "sent" if each.is_whole else "sent, not whole") + (f" ({show.count(each.files, 'file')})" if each.files > 1 else "")
    waiting = "the steward plays" if each.plays == "steward" else "-" if each.plays == "nobody" else "awaited"
    said = {"withdrawn": "took back what came", "noted": "no orders yet, but a message"}.get(each.last, "what came could not be taken")
    return f"{waiting} ({said})" if each.files else waiting


@click.command(epilog="""
\b
Examples:
  adjudicator run war                   the coming turn
  adjudicator run war --dry             what it would come to; leaves nothing behind
  adjudicator run demo --to-end --yes --no-reports
""")
@folder_argument
@click.option("--dry", is_flag=True, help="Do everything but the last step, and leave nothing behind.")
@click.option("--turns", "count", type=click.IntRange(1), default=None, metavar="N", help="Run so many turns.")
@click.option("--to-end", is_flag=True, help="Run turn after turn until the game is over.")
@click.option("--yes", is_flag=True, help="Go on even if many players have sent nothing, or the deadline has not passed.")
@click.option("--no-reports", is_flag=True, help="Make no reports; `adjudicator report` makes them later.")
@jobs_option
@json_option
def run(folder: Path, dry: bool, count: int | None, to_end: bool, yes: bool, no_reports: bool, jobs: int | None, as_json: bool) -> None:
    """Run the turn with the orders in force, and make the reports.

    A seat that has sent nothing plays its standing policies and the defaults, or its steward's orders where one is named. If
    unusually many players have sent nothing, the command stops and asks: the mail may be broken.
    """
    if count is not None and to_end:
        raise click.UsageError("give either --turns or --to-end")
    if dry and (to_end or count not in (None, 1)):
        raise click.UsageError("a dry run is of one turn: what follows it is not known yet")
    ran = []
    with show.progress(to_end or not no_reports) as progress:
        while not ran or (not ran[-1].ended and (to_end or len(ran) < (count or 1))):
            one, last_turn, yes = _run_one(folder, not to_end, dry, yes, not no_reports, jobs, as_json, progress)
            ran.append(one)
            if to_end or (count or 1) > 1:
                progress("turns", one.turn, last_turn or one.turn + (not one.ended))
            if not as_json:
                _tell_ran(one)
            show.tell_failed_reports(one.failed_reports)
    if as_json:
        show.json_result(ran)
        return
    if ran[-1].ended:
        show.result(ran[-1].ended)
    if dry:
        show.say("this was a dry run: nothing was changed")
    elif ran[-1].ended:
        show.say(f"prove it: adjudicator verify{at(folder)}")
    else:
        if ran[-1].reports:
            show.say(f"reports: {folder / 'turns' / f'{ran[-1].turn:04}' / 'reports'}")
        show.say(f"next: adjudicator status{at(folder)}; to take this turn back: adjudicator undo{at(folder)}")


def _run_one(folder: Path, steady: bool, dry: bool, yes: bool, reports: bool, jobs: int | None, as_json: bool, progress):
    """Run one turn: (what it did, the last turn there can be or None, whether to go on without asking)."""
    from ..office.running import TooEarly, TooManyMissing, run as run_turn

    try:
        with campaign_at(folder, steady=steady) as campaign:
            last_turn = campaign.ruleset.last_turn(campaign.options)
            return run_turn(campaign, dry=dry, yes=yes, reports=reports, jobs=jobs, progress=progress, now=now()), last_turn, yes
    except (TooEarly, TooManyMissing) as missing:
        if as_json or not show.may_ask():
            raise
        show.say(missing.message)
        question = "Shall the turn be run before its deadline?" if isinstance(missing, TooEarly) else "Is the mail in order, and shall the turn be run all the same?"
        if not click.confirm(question, default=False, err=True):
            raise click.Abort from None
    return _run_one(folder, steady, dry, True, reports, jobs, as_json, progress)


def _tell_ran(one) -> None:
    """One line for a turn, and one for each order that had to be left out."""
    count = {how: [seat for seat, given in one.how.items() if given == how] for how in ("file", "steward", "nmr")}
    parts = [f"{len(count['file'])} by file"] if count["file"] else []
    parts += [f"{len(count['steward'])} by steward"] if count["steward"] else []
    parts += [f"{len(count['nmr'])} silent ({', '.join(count['nmr'])})"] if count["nmr"] else []
    show.result(f"turn {one.turn}, {one.turn_title}: {'; '.join(parts) or 'nobody was asked'}; {show.count(one.events, 'event')}, {show.count(one.draws, 'draw')}"
                + (f", {show.count(one.letters, 'letter')}" if one.letters else ""))
    for failure in one.left_out:
        which = "the whole file" if failure.order == "*" else f"the order {failure.order!r}"
        show.say(f"  {which} of {failure.seat} was left out: a fault of the program ({failure.error}); what reproduces it is in turns/{one.turn:04}/dumps/")


@click.command(epilog="""
\b
Examples:
  adjudicator report war                          the last turn, everybody
  adjudicator report war --turn 3 --seat york
""")
@folder_argument
@click.option("--turn", type=click.IntRange(0), metavar="N", help="The turn; without it, the last one.")
@click.option("--seat", "seats", multiple=True, metavar="SEAT", shell_complete=complete_seat,
              help="Only this seat's (or `gm`, `public`); may be repeated.")
@jobs_option
@json_option
def report(folder: Path, turn: int | None, seats: tuple[str, ...], jobs: int | None, as_json: bool) -> None:
    """Make the reports of a turn again, as they were then."""
    from ..office.reporting import report_again
    from ..store.trouble import Trouble

    with campaign_at(folder, playable=False) as campaign, show.progress() as progress:
        turn = campaign.turn if turn is None else turn
        if turn > campaign.turn:
            raise Trouble(f"turn {turn} has not been run; the last one is turn {campaign.turn}")
        only = [campaign.seats.find(seat) or seat for seat in seats] or None
        paths, failed = report_again(campaign.folder, turn, campaign.ruleset, only, jobs, progress)
    show.tell_failed_reports(failed)
    if as_json:
        show.json_result(paths)
    else:
        show.result("\n".join(str(folder / path) for path in paths))
    if failed:
        sys.exit(1)


@click.command(epilog="""
\b
Example:
  adjudicator undo war && adjudicator run war
""")
@folder_argument
@json_option
def undo(folder: Path, as_json: bool) -> None:
    """Set the last turn aside, in the folder `undone`; nothing is deleted. Its order files are in force again.

    Give it again to go back further.
    """
    from ..office.undoing import undo as take_back

    with campaign_at(folder, steady=True, playable=False) as campaign:
        undone = take_back(campaign)
    if as_json:
        show.json_result(undone)
        return
    show.result(f"turn {undone.turn}, {undone.turn_title}, is undone: it is now in {folder / undone.set_aside}")
    if undone.kept:
        show.say(f"{show.count(undone.kept, 'file')} that had come for it: in its inbox again")
    if undone.was_final:
        show.say("the game was over, and its reports told the seed: whoever has read them knows the dice of this turn")
    if undone.later:
        show.say(f"{show.count(undone.later, 'file')} for the turn after it, written after reports that no longer hold: set aside with it")
    if undone.corrections:
        show.say(f"{show.count(undone.corrections, 'correction')} of the game master, made after it: set aside with it")
    show.say(f"next: adjudicator run{at(folder)}; to put it back as it was: adjudicator redo{at(folder)}")


@click.command(epilog="""
\b
Example:
  adjudicator verify war
""")
@folder_argument
@json_option
def verify(folder: Path, as_json: bool) -> None:
    """Prove a campaign: replay everything from the setup and the order files, and compare it with what is stored.

    The first difference is named with its turn and file. Exits 1 if there is one.
    """
    from ..office.verifying import verify as prove

    with campaign_at(folder, changes=False, playable=False) as campaign, show.progress() as progress:
        found = prove(campaign, progress)
    if as_json:
        show.json_result(found)
    elif found.difference:
        show.result(f"turns/{found.difference.turn:04}/{found.difference.file}: {found.difference.what}")
        show.say("this is the first difference; the turns before it are proved" if found.turns else "this is the first difference")
    else:
        show.result(f"{show.count(found.turns, 'turn')} (the setup too), {show.count(found.events, 'event')}, {show.count(found.draws, 'draw')}: everything is as it was played")
    if found.not_replayed and not as_json:
        show.say(f"turns of another revision of the rules, of which only the hashes were compared: {', '.join(map(str, found.not_replayed))}")
    if found.difference:
        sys.exit(1)
