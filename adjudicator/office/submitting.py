"""Take in a submission: keep it as it came, find out what of it is in force, and answer the sender."""

from dataclasses import dataclass, field
from typing import Any

from ..core import plain
from ..core.names import fold
from ..core.orders import REFUSED, Problem
from ..core.ruleset import NOBODY
from ..core.words import _
from ..orderfile.excerpts import tell
from ..orderfile.loader import load
from ..orderfile.submission import peek
from ..store import inbox
from .campaign import Campaign, must_be_playable
from .playing import in_force
from .reading import orders_view, read_file, read_nobody
from .secret import is_token


@dataclass
class Receipt:
    """The answer to one submission. It is made from the sender's view alone and may go to nobody else.

    state:    as Submission.state, or "wrong-token", "not-asked", "game-over"
    seat:     "" if the sender is not known for certain
    counts:   whether this file is now in force
    in_force: the file that is in force for the seat now: this one, an earlier one, or ""
    replaced: the file that was in force before, if this one took its place
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


def submit(campaign: Campaign, data: bytes, name: str = "orders.yaml", received: str = "") -> Receipt:
    """Take in one file. Whatever stands in it, it is kept; the receipt says what became of it.

    name:     what the sender calls the file, for the messages
    received: when it came, in words, if the caller wants that in the receipt
    """
    seat, refusal = _sender(campaign, data)
    kept = inbox.keep(campaign.folder.inbox(campaign.coming), seat or inbox.UNKNOWN, data)
    must_be_playable(campaign)  # else the file waits, and is answered by the first command after that is mended
    return _answer(campaign, data, seat, refusal, kept, name, received)


def _answer(campaign: Campaign, data: bytes, seat: str, refusal: str, kept: inbox.Kept, name: str, received: str) -> Receipt:
    receipt = _read(campaign, data, seat, refusal, kept, received)
    if seat:
        earlier = in_force(campaign, seat, before=kept)
        earlier_name = earlier[0].path.name if earlier and earlier[2].counts else ""
        receipt.counts = receipt.state in ("taken", "partly")
        receipt.in_force = kept.path.name if receipt.counts else earlier_name
        receipt.replaced = earlier_name if receipt.counts else ""
    receipt.text = receipt_text(campaign, receipt, load(data).text, name)
    inbox.answer(campaign.folder.inbox(campaign.coming), kept, plain.to_pretty_json(receipt), receipt.text)
    return receipt


def answer_unanswered(campaign: Campaign) -> list[str]:
    """Write the receipts that a killed command did not come to write; returns a sentence for each."""
    box = campaign.folder.inbox(campaign.coming)
    told = []
    for kept in inbox.unanswered(box):
        data = kept.path.read_bytes()
        seat, refusal = _sender(campaign, data)
        _answer(campaign, data, seat, refusal, kept, kept.path.name, "")
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
    guess = campaign.seats.find(peek(load(data)).seat or "")
    if refusal == "not-asked":
        receipt.state = refusal
        receipt.problems = [Problem(REFUSED, "NOT-ASKED", _("{seat} is in nobody's hands: no orders are taken for it").format(seat=campaign.seats[guess]))]
        return receipt
    if not seat:
        read = read_nobody(campaign.ruleset, manifest.campaign, campaign.coming, data, guess or next(iter(campaign.ruleset.seats)))
        receipt.state, receipt.problems = read.state, read.problems
        return receipt
    understood = read_file(campaign.ruleset, orders_view(campaign.ruleset, campaign.state, seat), data, campaign=manifest.campaign,
                           turn=campaign.coming, seat=seat,
                           partial=campaign.settings.partial, salted=campaign.salted)
    receipt.state, receipt.problems = understood.state, understood.problems
    if campaign.is_over and receipt.state != "other-campaign":
        receipt.state, receipt.problems = "game-over", [Problem(REFUSED, "GAME-OVER", campaign.how_it_ended())]
    elif understood.counts and seat not in campaign.heard():
        receipt.state = "not-asked"
        receipt.problems = [Problem(REFUSED, "NOT-ASKED", _("no orders are taken from {seat} this turn").format(seat=campaign.seats[seat]))]
    elif understood.counts:
        receipt.orders, receipt.written = understood.orders, [text for _path, text in understood.written]
        receipt.letters = [{"to": letter.to, "text": letter.text} for letter in understood.letters]
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
        lines += [_("Your orders as they were understood:"), ""]
        lines += [f"  {line}" for line in receipt.written] or [_("  no orders: your standing policies and the defaults hold")]
        lines.append("")
        if receipt.letters:
            lines += [_("Letters that go out with the next report:"),
                      *(f"  {_('to')} {', '.join(letter['to'])}: {_start(letter['text'])}" for letter in receipt.letters), ""]
    if receipt.replaced:
        lines += [_("It takes the place of {file}, which you sent before.").format(file=receipt.replaced), ""]
    elif receipt.seat and receipt.in_force and not receipt.counts:
        lines += [_("What you sent before ({file}) stays in force.").format(file=receipt.in_force), ""]
    lines += [_("Received {when} as {file}.").format(when=receipt.received,
                                                     file=receipt.kept_as) if receipt.received else _("Kept as {file}.").format(file=receipt.kept_as),
              f"SHA-256 {receipt.sha256}"]
    return "\n".join(lines) + "\n"


def _verdict(receipt: Receipt) -> str:
    sentences = {
        "taken": _("Your orders are taken: all of them."),
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
