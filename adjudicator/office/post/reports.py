"""Reports by mail: each turn's to each player, once; and word of a turn that was taken back."""

from dataclasses import dataclass, replace

from ...core.events import GM
from ...core.plain import digest
from ...core.report import Report
from ...core.ruleset import NOBODY
from ...core.words import _
from ...report import produce
from ...report.cover import Cover
from ...store import turns
from ...store.folder import MANIFEST, REPORTS
from ..campaign import Campaign
from ..checking import kit_now, schema_text, template_text
from ..desk import DeskFile
from ..reading import orders_view
from ..reporting import recorded_moment, report_again, report_of
from .letters import Desk, Letter

KINDS = {".pdf": "application/pdf", ".yaml": "text/yaml", ".json": "application/json"}


@dataclass(frozen=True)
class Known:
    """What the outbox knows of a report: its turn, the turn's mark (of its manifest), the seat; its state and key."""

    turn: int
    mark: str
    seat: str
    again: int
    state: str
    key: str


def queue_reports(campaign: Campaign, desk: Desk, jobs: int | None = None) -> int:
    """Queue what has not gone out: the reports of every turn since the first that went by mail, or of the last turn; and to a new address or holder again.

    Returns how many were queued.
    """
    known = _known(desk)
    since = min((each.turn for each in known), default=campaign.turn)
    there = {(each.turn, each.mark) for each in known}
    cancelled = {each.key for each in known if each.state == "cancelled"}
    queued = 0
    for turn in range(since, campaign.turn + 1):
        _make_missing(campaign, desk, turn, jobs)
        if turn == campaign.turn or (turn, mark_of(campaign, turn)) not in there:
            for seat in [*campaign.ruleset.seats, *([GM] if campaign.settings.gm_report else [])]:
                queued += _queue_one(campaign, desk, turn, seat, cancelled)
    return queued


def _make_missing(campaign: Campaign, desk: Desk, turn: int, jobs: int | None) -> None:
    """Make the reports of a turn that was run without them, all in one go."""
    manifest = turns.read_manifest(campaign.folder, turn)
    place = campaign.folder.turn(turn) / REPORTS
    wanted = [seat for seat in [*campaign.ruleset.seats, GM] if desk.address_of(seat)[1] and manifest.holders.get(seat) != NOBODY]
    missing = [seat for seat in wanted if not (place / f"{seat}.pdf").is_file()]
    if missing and campaign.ruleset.revision == manifest.revision:
        report_again(campaign.folder, turn, campaign.ruleset, missing, jobs)


def _queue_one(campaign: Campaign, desk: Desk, turn: int, seat: str, cancelled: set[str]) -> bool:
    """Queue one report, or take up again one that was cancelled because its turn was taken back, and that stands again."""
    _name, address = desk.address_of(seat)
    token = campaign.secret.tokens[seat] if seat != GM else ""
    key = f"report/{turn:04}-{mark_of(campaign, turn)}{_again(desk, campaign, turn, seat)}/{seat}/{digest(f'{token} {address}'.encode())[:8]}"
    if address and key in cancelled:
        return desk.outbox.retry(key)
    if not address or desk.has(key):
        return False
    letter = report_letter(campaign, desk, turn, seat, key)
    return letter is not None and desk.queue(letter)


def again(desk: Desk, seat: str, sha256: str) -> list[Letter]:
    """The last report once more, because its player has asked for it."""
    letter = report_letter(desk.campaign, desk, desk.campaign.turn, seat, f"report-again/{sha256[:24]}/{seat}")
    return [letter] if letter is not None else []


def report_letter(campaign: Campaign, desk: Desk, turn: int, seat: str, key: str) -> Letter | None:
    """A seat's report of a turn, with what is needed to answer it; None if the seat had no report in that turn."""
    reports = campaign.folder.turn(turn) / REPORTS
    record = turns.read_desk(campaign.folder, turn, DeskFile)
    text_file = reports / f"{seat}.txt"
    if not text_file.is_file() or not (reports / f"{seat}.pdf").is_file():
        if campaign.ruleset.revision != turns.read_manifest(campaign.folder, turn).revision:
            return None
        report_again(campaign.folder, turn, campaign.ruleset, [seat], jobs=1)
        if not text_file.is_file():
            return None
    title = campaign.title_of(turn)
    is_asked = seat != GM and turn == campaign.turn and not campaign.is_over and seat in campaign.heard()
    stale = is_asked and (record.tokens.get(seat) != campaign.secret.tokens[seat])
    model = _model(campaign, turn, seat, is_asked)
    text, pdf = text_file.read_text(encoding="utf-8"), (reports / f"{seat}.pdf").read_bytes()
    if is_asked and model is not None and (stale or record.deadline != campaign.deadline):
        made = next(iter(produce([model], 1)))   # with the token and the deadline that hold now
        text, pdf = made.text, made.pdf
    name = _("the game master") if seat == GM else campaign.seats[seat]
    attachments = [(f"{seat}.pdf", KINDS[".pdf"], pdf)]
    paragraphs, facts = [_("The report is attached as a PDF, and stands below.")], []
    if is_asked:
        files = _kit(campaign, seat)
        attachments += [(file, KINDS[file[file.rindex("."):]], data) for file, data in files.items()]
        paragraphs.append(_("For your next orders, fill in {file} and send it back as an attachment; or edit the order form at the end of this mail in your answer.").format(file=f"{seat}.orders.yaml"))
        if stale:
            paragraphs.append(_("The seat has a new token, which stands in the report and the order file. The old one is not taken any more."))
        if campaign.amendments:
            paragraphs.append(_("The game master has corrected the position since the turn: the attached order file and view are the right ones."))
        facts.append((_("Orders for"), _("{turn} (turn {number})").format(turn=campaign.title_of(campaign.coming), number=campaign.coming)))
        if campaign.deadline:
            facts.append((_("Deadline"), campaign.deadline))
    if record.final:
        paragraphs.append(_("The game is over. The seed of its dice stands in the report, so that everybody can check them."))
    cover = Cover(record.title, f"{title}: {name}", paragraphs, facts, [("", text)], report=model)
    return desk.letter(key, "report", seat, f"{title}: {name}", cover, attachments=attachments)


def _model(campaign: Campaign, turn: int, seat: str, is_now: bool) -> Report | None:
    """The report's model, from which the HTML of the mail is made; None if the game cannot make it now: then the HTML shows the text.

    is_now: with token, holder and deadline as they are now, not as they were when the turn was run
    """
    known = campaign.__dict__.setdefault("moments", {})
    try:
        if turn not in known:
            known[turn] = recorded_moment(campaign.folder, turn, campaign.ruleset)
        moment = known[turn]
        if is_now:
            desk = moment.desk
            moment = replace(moment, desk=replace(desk, tokens={**desk.tokens, seat: campaign.secret.tokens[seat]}, deadline=campaign.deadline,
                                                  player_names={each: campaign.settings.player_name(each) for each in campaign.ruleset.seats}))
        return report_of(moment, seat)
    except Exception:  # a fault of the game's report must not keep the mail back: its files are there
        return None


def _kit(campaign: Campaign, seat: str) -> dict[str, bytes]:
    from ...core import plain

    kit, view = kit_now(campaign, seat), orders_view(campaign.ruleset, campaign.state, seat)
    return {f"{seat}.orders.yaml": template_text(kit, campaign.ruleset, view, campaign.secret.tokens[seat]).encode(),
            f"{seat}.view.json": plain.to_pretty_json(kit), f"{seat}.schema.json": schema_text(kit, campaign.ruleset, view).encode()}


def queue_undone(campaign: Campaign, desk: Desk) -> int:
    """Tell those whose report has gone out, or may have, that its turn was taken back; a report that still waits does not go out. Returns how many are told."""
    told = 0
    for each in _known(desk):
        if each.turn <= campaign.turn and mark_of(campaign, each.turn) == each.mark:
            continue
        if each.state in ("waiting", "given-up"):
            desk.outbox.cancel(each.key)
        if each.state in ("sent", "sending"):
            title = campaign.title_of(each.turn)
            cover = Cover(_("{turn} is taken back").format(turn=title), campaign.settings.title, [
                _("The game master has taken the turn {turn} back. The report that you have of it holds no more. Orders for it that you sent before are in force again; orders for the turn after it are set aside.").format(turn=title),
                _("You will get a new report when the turn has been run again.")], [(_("Deadline"), campaign.deadline)] if campaign.deadline else [])
            told += desk.queue(desk.letter(f"undone/{each.turn:04}-{each.mark}+{each.again}/{each.seat}", "notice", each.seat, cover.title, cover))
    return told


def _known(desk: Desk) -> list[Known]:
    found = []
    for out in desk.outbox.all():
        if out.kind == "report" and (parsed := _parsed(out.key)):
            found.append(Known(*parsed, out.state, out.key))
    return found


def _parsed(key: str) -> tuple[int, str, str, int] | None:
    """(turn, mark, seat, how often the turn had been taken back before) of a report's key."""
    pieces = key.split("/")
    if len(pieces) < 4 or pieces[0] != "report":
        return None
    turn, _hyphen, mark = pieces[1].partition("-")
    mark, _plus, again = mark.partition("+")
    return int(turn), mark, pieces[2], int(again or 0)


def _again(desk: Desk, campaign: Campaign, turn: int, seat: str) -> str:
    """What is added to the key of a turn that was taken back and stands again."""
    count = 0
    while desk.has(f"undone/{turn:04}-{mark_of(campaign, turn)}+{count}/{seat}"):
        count += 1
    return f"+{count}" if count else ""


def mark_of(campaign: Campaign, turn: int) -> str:
    """Eight letters that tell one run of a turn from another with another result."""
    known = campaign.__dict__.setdefault("marks", {})
    if turn not in known:
        known[turn] = digest((campaign.folder.turn(turn) / MANIFEST).read_bytes())[:8]
    return known[turn]
