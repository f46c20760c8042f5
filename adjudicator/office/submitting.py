"""Take in a submission: keep it as it came, find out what of it is in force, and answer the sender."""

from dataclasses import dataclass, field
from typing import Any

from ..core import plain
from ..core.events import GM
from ..core.names import fold
from ..core.orders import REFUSED, Problem
from ..core.ruleset import NOBODY
from ..core.words import _
from ..orderfile.excerpts import tell
from ..orderfile.loader import load
from ..orderfile.submission import REQUESTS, peek
from ..store import disk, inbox, pending
from .campaign import Campaign, must_be_playable
from .playing import in_force
from .reading import Understood, read_file, read_nobody
from .seating import Away, away_until
from .secret import is_token


@dataclass
class Receipt:
    """The answer to one submission. It is made from the sender's view alone and may go to nobody else.

    state:    as Submission.state, or "same" (as the file that was in force), "wrong-token", "not-asked", "game-over",
              "for-mail" (a command of the game master)
    seat:     "" if the sender is not known for certain
    counts:   whether this file is now in force
    in_force: the file that is in force for the seat now: this one, an earlier one, or ""
    replaced: the file that was in force before, if this one took its place, or took it back
    source:   the hash of the mail that it came in, or ""
    final, absent, request: as in Submission
    """

    campaign: str
    turn: int
    turn_title: str
    seat: str
    state: str
    counts: bool
    kept_as: str
    sha256: str
    received: str
    in_force: str = ""
    replaced: str = ""
    orders: dict[str, Any] = field(default_factory=dict)
    written: list[str] = field(default_factory=list)
    letters: list[dict[str, Any]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    text: str = ""
    source: str = ""
    final: bool = True
    absent: int | None = None
    request: list[str] = field(default_factory=list)
    salt: str = ""


@dataclass
class Taken:
    """A file as it was understood, and what has to be written so that it is taken in: path from the campaign's folder -> bytes."""

    seat: str
    receipt: Receipt
    files: dict[str, bytes]
    kept: inbox.Kept
    away: "Away | None" = None


def submit(campaign: Campaign, data: bytes, name: str = "orders.yaml", received: str = "") -> Receipt:
    """Take in one file. Whatever stands in it, it is kept; the receipt says what became of it.

    name:     what the sender calls the file, for the messages
    received: when it came, in words, if the caller wants that in the receipt
    """
    try:
        must_be_playable(campaign)
        taken = receive(campaign, data, name, received)
    except Exception:  # the file is kept all the same, and answered by the first command after that is mended
        kept = inbox.keep(campaign.folder.inbox(campaign.coming), _sender(campaign, data)[0] or inbox.UNKNOWN, data)
        campaign.kept(kept.seat)[:] = inbox.kept_of(kept.path.parent, kept.seat)
        raise
    pending.commit(campaign.folder, pending.Pending(_("the file {file}").format(file=taken.receipt.kept_as), data=taken.files))
    settle(campaign, taken)
    return taken.receipt


def receive(campaign: Campaign, data: bytes, name: str, received: str, source: str = "") -> Taken:
    """Understand one file, and say what has to be written to take it in; nothing is changed before that is done, and `settle` called.

    source: the hash of the mail that it came in
    """
    seat, refusal = _sender(campaign, data)
    box = campaign.folder.inbox(campaign.coming)
    kept = inbox.coming(box, seat or inbox.UNKNOWN, campaign.kept(seat or inbox.UNKNOWN))
    receipt, away = _receipt(campaign, data, seat, refusal, kept, name, received, source)
    place = box.relative_to(campaign.folder.path).as_posix()
    files = {f"{place}/{file}": content for file, content in {kept.path.name: data, **inbox.answers(kept, encoded(receipt), receipt.text)}.items()}
    return Taken(seat, receipt, {**files, **(away.files if away else {})}, kept, away)


def settle(campaign: Campaign, taken: Taken) -> None:
    """What was to be written for a file is written, or will be before the campaign is closed: it knows of it from now on."""
    campaign.kept(taken.kept.seat).append(taken.kept)
    place = taken.kept.path.relative_to(campaign.folder.path).as_posix()
    campaign.__dict__.setdefault("submissions", {})[taken.kept.path.name] = taken.files[place]
    if taken.away is not None:
        _goes_away(campaign, taken.seat, taken.away)


def _goes_away(campaign: Campaign, seat: str, away: Away) -> None:
    campaign.settings.seats[seat], campaign.reseating = away.seat, away.record


def encoded(receipt: Receipt) -> bytes:
    """The receipt as it is kept; what came later is left out where it says nothing."""
    plain_receipt = plain.to_plain(receipt)
    for key, nothing in (("source", ""), ("final", True), ("absent", None), ("request", []), ("salt", "")):
        if plain_receipt[key] == nothing:
            del plain_receipt[key]
    return plain.to_pretty_json(plain_receipt)


def _receipt(campaign: Campaign, data: bytes, seat: str, refusal: str, kept: inbox.Kept, name: str, received: str, source: str = "") -> "tuple[Receipt, Away | None]":
    receipt = _read(campaign, data, seat, refusal, kept, received)
    receipt.source = source
    if seat and not receipt.request and fold(peek(load(data)).request or "") in REQUESTS:
        receipt.request = [fold(peek(load(data)).request or "")]   # whoever has lost his last report has only an older file to ask with
    away = None
    if seat:
        earlier = in_force(campaign, seat, before=kept)
        earlier_name = earlier[0].path.name if earlier and earlier[2].counts else ""
        receipt.counts = receipt.state in COUNTING
        if receipt.counts and earlier_name and _is_same(receipt, earlier[2]):
            receipt.state = "same"
        receipt.in_force = kept.path.name if receipt.counts else "" if receipt.state == "withdrawn" else earlier_name
        receipt.replaced = earlier_name if receipt.counts or receipt.state == "withdrawn" else ""
        if receipt.absent is not None and receipt.state in (*COUNTING, "withdrawn", "noted"):
            away = away_until(campaign, seat, receipt.absent)
    receipt.text = receipt_text(campaign, receipt, load(data).text, name)
    return receipt, away


COUNTING = ("taken", "partly", "same")
"""States of a receipt whose file is in force."""


def _is_same(receipt: Receipt, earlier: Understood) -> bool:
    """True if a file says the same as the one that was in force."""
    letters = [(letter.to, letter.text, letter.anonymous) for letter in earlier.letters]
    return (receipt.state == earlier.state and receipt.orders == earlier.orders and receipt.final == earlier.final and receipt.salt == earlier.salt
            and [(letter["to"], letter["text"], letter.get("anonymous", False)) for letter in receipt.letters] == letters)


def answer_unanswered(campaign: Campaign) -> list[str]:
    """Write the receipts that a killed command did not come to write; returns a sentence for each."""
    box = campaign.folder.inbox(campaign.coming)
    told = []
    for kept in inbox.unanswered(box):
        data = kept.path.read_bytes()
        seat, refusal = _sender(campaign, data)
        receipt, away = _receipt(campaign, data, seat, refusal, kept, kept.path.name, "")
        if away is not None:
            for file, content in away.files.items():
                disk.put(campaign.folder.path / file, content)
            _goes_away(campaign, seat, away)
        inbox.answer(box, kept, encoded(receipt), receipt.text)
        told.append(_("a command was stopped while it took in {file}: the file is kept, and its receipt is written now").format(file=kept.path.name))
    return told


def _sender(campaign: Campaign, data: bytes) -> tuple[str, str]:
    """(seat, ""), or ("", why) if the file cannot be laid at anybody's door: "envelope", "not-asked" or "wrong-token"."""
    envelope = peek(load(data))
    seat = campaign.seats.find(envelope.seat) if envelope.seat else None
    is_other = envelope.campaign is not None and fold(envelope.campaign) != fold(campaign.first.campaign)  # then the token is that campaign's
    if is_other or seat is None or envelope.token is None:
        return "", "envelope"
    if campaign.settings.seats[seat].holder == NOBODY:
        return "", "not-asked"
    if not is_token(envelope.token, campaign.secret.tokens[seat]):
        return "", "wrong-token"
    return seat, ""


def _read(campaign: Campaign, data: bytes, seat: str, refusal: str, kept: inbox.Kept, received: str) -> Receipt:
    manifest = campaign.first
    receipt = Receipt(manifest.campaign, campaign.coming, "" if campaign.is_over else campaign.title_of(campaign.coming), seat, "", False,
                      kept.path.name, plain.digest(data), received)
    if refusal == "wrong-token":
        receipt.state = "wrong-token"
        token = _line_of(data, "token")
        receipt.problems = [Problem(REFUSED, "WRONG-TOKEN", _("the token does not belong to the seat that this file names"), line=token[0],
                                    column=token[1], length=token[2],
                                    suggestion=_("the token stands in your last report, and in the order file that came with it"))]
        return receipt
    envelope = peek(load(data))
    guess = campaign.seats.find(envelope.seat or "")
    if guess is None and fold(envelope.seat or "") == GM and fold(envelope.campaign or "") == fold(manifest.campaign):
        receipt.state = "for-mail"
        line, column, length = _line_of(data, "seat")
        receipt.problems = [Problem(REFUSED, "FOR-MAIL", _("a file of the game master (`seat: gm`) is taken by mail only"), line=line, column=column, length=length,
                                    suggestion=_("send it to the address of the campaign; on this machine, give the command itself"))]
        return receipt
    if refusal == "not-asked":
        receipt.state = refusal
        receipt.problems = [Problem(REFUSED, "NOT-ASKED", _("{seat} is in nobody's hands: no orders are taken for it").format(seat=campaign.seats[guess]))]
        return receipt
    if not seat:
        read = read_nobody(campaign.ruleset, manifest.campaign, campaign.coming, data, guess or next(iter(campaign.ruleset.seats)))
        receipt.state, receipt.problems = read.state, read.problems
        return receipt
    understood = campaign.understood(kept.path.name, data, lambda: read_file(
        campaign.ruleset, campaign.view_of(seat), data, campaign=manifest.campaign, turn=campaign.coming, seat=seat, **campaign.terms))
    receipt.state, receipt.problems = understood.state, understood.problems
    if campaign.is_over and receipt.state != "other-campaign":
        receipt.state, receipt.problems = "game-over", [Problem(REFUSED, "GAME-OVER", campaign.how_it_ended())]
    elif (understood.counts or understood.state in ("withdrawn", "noted")) and seat not in campaign.heard() and not (understood.request and understood.state == "noted"):
        receipt.state = "not-asked"
        receipt.problems = [Problem(REFUSED, "NOT-ASKED", _("no orders are taken from {seat} this turn").format(seat=campaign.seats[seat]))]
    elif understood.state in ("withdrawn", "noted"):
        receipt.absent, receipt.request = understood.absent, understood.request
    elif understood.counts:
        receipt.final, receipt.absent, receipt.request, receipt.salt = understood.final, understood.absent, understood.request, understood.salt
        receipt.orders, receipt.written = understood.orders, [text for _path, text in understood.written]
        receipt.letters = [{"to": letter.to, "text": letter.text, **({"anonymous": True} if letter.anonymous else {})} for letter in understood.letters]
    return receipt


def _line_of(data: bytes, key: str) -> tuple[int, int, int]:
    root = load(data).value
    value = next((value for name, value in root.entries if fold(name.text) == key), None) if root is not None else None
    return (value.spot.line, value.spot.column, value.spot.length) if value is not None else (0, 0, 1)


def receipt_text(campaign: Campaign, receipt: Receipt, text: str, name: str) -> str:
    """The receipt as its sender reads it."""
    seat = campaign.seats[receipt.seat] if receipt.seat else ""
    about = f"{campaign.settings.title}: {seat}, {receipt.turn_title}" if seat and receipt.turn_title else campaign.settings.title
    lines = [about, "=" * len(about), "", _verdict(receipt), ""]
    if receipt.problems:
        lines += [_("What is to be said about it:"), ""]
        for problem in receipt.problems:
            lines += [tell(problem, text, name), ""]
    if receipt.counts:
        lines += _instead(campaign, receipt)
        lines += [_("Your orders as they were understood:"), ""]
        lines += [f"  {line}" for line in receipt.written] or [_("  no orders: your standing policies and the defaults hold")]
        lines.append("")
        if receipt.letters:
            lines += [_("Letters that go out at once, by mail:") if campaign.settings.press == "at-once" else _("Letters that go out with the next report:"),
                      *(f"  {_('to')} {', '.join(letter['to'])}: {_start(letter['text'])}" for letter in receipt.letters), ""]
    if receipt.state == "withdrawn":
        lines += [_("{file} is no longer in force. Until you send again, you count as having sent nothing.").format(file=receipt.replaced) if receipt.replaced
                  else _("Nothing of yours was in force."), ""]
    elif receipt.replaced and receipt.letters and not receipt.orders:
        lines += [_("MIND: there are letters in this file and no orders. It takes the place of {file}, whose orders are no longer in force.").format(file=receipt.replaced),
                  _("To have both, send one file with your orders and your letters."), ""]
    elif receipt.replaced and receipt.state != "same":
        lines += [_("It takes the place of {file}, which you sent before.").format(file=receipt.replaced), ""]
    elif receipt.seat and receipt.in_force and not receipt.counts and receipt.state != "noted":
        lines += [_("What you sent before ({file}) stays in force.").format(file=receipt.in_force), ""]
    lines += _wishes(campaign, receipt)
    lines += [_("Received {when} as {file}.").format(when=receipt.received,
                                                     file=receipt.kept_as) if receipt.received else _("Kept as {file}.").format(file=receipt.kept_as),
              f"SHA-256 {receipt.sha256}"]
    return "\n".join(lines) + "\n"


def _instead(campaign: Campaign, receipt: Receipt) -> list[str]:
    """What happens instead of each order that was not taken."""
    refused = list(dict.fromkeys(problem.order[0] for problem in receipt.problems if problem.kind == REFUSED and problem.order))
    fields = campaign.ruleset.order_model(campaign.view_of(receipt.seat)).fields if refused else {}
    lines = []
    for key in refused:
        if key in fields and fields[key].closed:
            continue
        if key in fields and key in receipt.orders:
            lines.append(_("  {order}: taken without what was refused in it").format(order=key))
        elif key in fields and fields[key].default:
            lines.append(_("  {order}: not taken; what happens instead: {default}").format(order=key, default=fields[key].default))
        elif key in fields and fields[key].fill is not None:
            lines.append(_("  {order}: not taken; what was set before stays").format(order=key))
        elif key in fields:
            lines.append(_("  {order}: not taken; nothing happens instead").format(order=key))
    return [_("What was refused, and what happens instead:"), "", *lines, ""] if lines else []


def _wishes(campaign: Campaign, receipt: Receipt) -> list[str]:
    """What was asked for beside orders, in sentences."""
    lines = []
    if not receipt.final and receipt.counts:
        lines += [_("More is to come, you say: this counts at the deadline, but the turn is not run before that because of it."), ""]
    if receipt.absent is not None:
        lines += [_("You are away: up to turn {turn}, {title}, the steward plays when nothing comes from you.").format(turn=receipt.absent, title=campaign.title_of(receipt.absent))
                  if receipt.absent else _("You are back: the steward stands in no longer."), ""]
    if "report" in receipt.request:
        lines += [_("The last report is sent to your registered address again."), ""]
    return lines


def _verdict(receipt: Receipt) -> str:
    sentences = {
        "taken": _("Your orders are taken: all of them."),
        "same": _("The same orders as before ({file}): nothing has changed.").format(file=receipt.replaced),
        "withdrawn": _("Your orders are taken back."),
        "noted": _("Noted. There are no orders in this file; what you sent before stays as it is."),
        "partly": _("Your orders are taken, but not all of them: see below what was refused."),
        "refused": _("Nothing in this file is in force: it was refused."),
        "unreadable": _("Nothing in this file is in force: it could not be read."),
        "no-orders": _("No orders were found in this file."),
        "other-campaign": _("This file is for another campaign. Nothing was changed."),
        "past-turn": _("This file is for a turn that has been played. Nothing was changed; orders are now taken for turn {turn}.").format(turn=receipt.turn),
        "future-turn": _("This file is for a turn that has not come yet. Nothing was changed; orders are now taken for turn {turn}.").format(turn=receipt.turn),
        "unknown-seat": _("This file names a seat that does not exist. Nothing was changed."),
        "wrong-token": _("This file was not taken: its token is wrong. Nothing was changed."),
        "not-asked": _("This file was not taken. Nothing was changed."),
        "game-over": _("This file was not taken. Nothing was changed."),
    }
    return sentences.get(receipt.state, _("This file was not taken. Nothing was changed."))


def _start(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 70 else line[:69] + "…"
