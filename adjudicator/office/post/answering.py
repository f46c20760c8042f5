"""Who is answered, and what they may read: receipts to the registered address, notes without content to everybody else."""

from ...core.events import GM
from ...core.plain import digest
from ...core.words import _
from ...mail.reading import Found, Message
from ...report.cover import Cover
from ..submitting import Receipt
from .letters import Desk, Letter, same_address
from .records import Tally

MOST_NOTES = 3
"""Notes in 24 hours to an address that is registered nowhere, and about strangers to a registered one."""
MOST_STRANGERS = 50
"""Notes in 24 hours to all such addresses together."""
MOST_REFUSALS = 20
"""Answers in 24 hours to a player's address about files that could not be laid at his door: anybody can write that address into a From."""
MOST_RECEIPTS = 200
"""Receipts to one seat in 24 hours."""


def receipt(desk: Desk, tally: Tally, message: Message, receipt: Receipt, found: Found) -> list[Letter]:
    """A file with the right token: the receipt goes to the seat's registered address; another sender gets a note."""
    seat = receipt.seat
    name, address = desk.address_of(seat)
    from_home = same_address(message.sender, address)
    letters = []
    if address and tally.count(f"receipt/{seat}", desk.now) < MOST_RECEIPTS:
        tally.add(f"receipt/{seat}", desk.now)
        cover = _receipt_cover(desk, receipt, found)
        if not from_home and message.sender:
            cover.paragraphs.append(_("It came from {sender}, which is not your registered address. If you did not send it, tell the game master: somebody has your token.").format(
                sender=_shown(desk, message)))
        letters.append(desk.letter(f"receipt/{_short(message, found)}", "receipt", seat, _subject(receipt), cover, is_answer=True,
                                   in_reply_to=message.message_id if from_home else ""))
    elif not address:
        letters += _to_gm(desk, f"no-address/{receipt.turn:04}/{seat}", _("No address for {seat}").format(seat=desk.campaign.seats[seat]), [
            _("Orders for {seat} have come, with the right token, and no address is registered to which the receipt could go. Write one into campaign.yaml, under `players`.").format(
                seat=desk.campaign.seats[seat])])
    if not from_home:
        letters += note(desk, tally, message)
    return letters


def untouched(desk: Desk, tally: Tally, message: Message, seat: str, receipt: Receipt) -> list[Letter]:
    """The template came back as it was sent, while orders are in force: they stay."""
    if tally.count(f"receipt/{seat}", desk.now) >= MOST_RECEIPTS:
        return []
    tally.add(f"receipt/{seat}", desk.now)
    cover = _cover(desk, _("Nothing has changed"), [
        _("The order file in your mail is the one that was sent to you, and nothing in it was changed. So it does not take the place of what you sent before ({file}), which stays in force.").format(
            file=receipt.replaced), _("If you want to take back what you sent, write `orders: withdraw` into the file.")])
    return [desk.letter(f"receipt/{message.sha256[:24]}-untouched", "receipt", seat, _("Nothing has changed"), cover, is_answer=True, in_reply_to=message.message_id)]


def wrong_token(desk: Desk, tally: Tally, message: Message, seat: str, receipt: Receipt | None, most: int, has_own_token: bool = False) -> list[Letter]:
    """A wrong token: the seat's own address gets the reason, everybody else a note that does not tell right from wrong; the seat and the game master are told.

    has_own_token: the sender is a player who has written the token of his own seat under another one's name: he is told, too
    """
    letters = []
    _name, address = desk.address_of(seat) if seat else ("", "")
    if address and same_address(message.sender, address) or has_own_token:
        letters += _refusal(desk, tally, message, receipt, seat)
    else:
        letters += note(desk, tally, message)
        if address and seat != GM and tally.count(f"told/{seat}", desk.now) < MOST_NOTES:
            tally.add(f"told/{seat}", desk.now)
            cover = _cover(desk, _("Somebody tried to send orders for you"), [
                _("A file for {seat} came from {sender}. Its token is wrong, so it was not taken, and nothing has changed.").format(
                    seat=desk.campaign.seats[seat], sender=_shown(desk, message)), _("If it was you, from another address: the token stands in your last report.")])
            letters.append(desk.letter(f"stranger/{message.sha256[:24]}/{seat}", "notice", seat, _("Somebody tried to send orders for you"), cover))
    guesses = tally.count(f"guess/{seat}", desk.now)
    if guesses in (3, most):
        letters += _to_gm(desk, f"guesses/{desk.now:%Y-%m-%d}/{seat}/{guesses}", _("Wrong tokens for {seat}").format(seat=seat), [
            _("{count} files with a wrong token for {seat} have come in the last 24 hours; the last one from {sender}.").format(count=guesses, seat=seat, sender=message.sender or "?"),
            _("After {most}, files for this seat are only looked at if they come from its registered address; the others are set aside until a day has passed. A new token: adjudicator seat {seat} --new-token").format(
                most=most, seat=seat)])
    return letters


def set_aside(desk: Desk, tally: Tally, message: Message, seat: str, found: Found) -> list[Letter]:
    """After too many wrong tokens: not looked at, whatever the token is. The seat is told, so that it can send from its own address."""
    letters = note(desk, tally, message)
    if seat != GM and tally.count(f"told/{seat}", desk.now) < MOST_NOTES:
        tally.add(f"told/{seat}", desk.now)
        cover = _cover(desk, _("A file for you was set aside"), [
            _("A file for {seat} came from {sender}. Too many files with a wrong token have come for this seat today, so those that do not come from your registered address are not looked at.").format(
                seat=desk.campaign.seats[seat], sender=_shown(desk, message)), _("If it was yours, send it again from this address.")])
        letters.append(desk.letter(f"stranger/{message.sha256[:24]}/{seat}", "notice", seat, _("A file for you was set aside"), cover))
    return letters


def not_placed(desk: Desk, tally: Tally, message: Message, receipt: Receipt, found: Found) -> list[Letter]:
    """A file that could not be laid at a seat's door: a player is told what is wrong with it, a stranger is not."""
    return _refusal(desk, tally, message, receipt, "", found) if _is_player(desk, message.sender) else note(desk, tally, message)


def lost(desk: Desk, tally: Tally, message: Message, record, finds, player_of) -> list[Letter]:
    """Order files for campaigns that are not here, or that cannot be read."""
    names = ", ".join(dict.fromkeys(repr(envelope.campaign[:40]) for _found, envelope in finds if envelope.campaign))
    if player_of is None or not message.sender:
        return note(desk, tally, message)
    if names:
        paragraphs = [_("Your file is for the campaign {names}. No campaign of that name is played here, and nothing was changed.").format(names=names),
                      _("The first lines of the order file that came with your report give campaign, turn, seat and token.")]
    else:
        paragraphs = [_("A file in your mail looks like orders, but it could not be found out for which campaign. Nothing was changed."),
                      _("An order file needs the lines campaign, turn, seat and token, as they stand in the order file that came with your report.")]
    return _limited(desk, tally, message, _("Your orders were not taken"), paragraphs)


def unread(desk: Desk, tally: Tally, message: Message) -> list[Letter]:
    """A player's attachments in which orders may hide, and that no program but the player's own can read."""
    listed = "; ".join(f"{name}: {why}" for name, why in message.unread[:5])
    return _limited(desk, tally, message, _("No orders could be read"), [
        _("No order file was found in your mail, and something in it could not be read: {what}.").format(what=listed),
        _("If your orders are in there, send them as plain text: write them into the mail itself, or attach the order file that came with your report.")])


def _limited(desk: Desk, tally: Tally, message: Message, subject: str, paragraphs: list[str]) -> list[Letter]:
    name = f"player/{message.sender.casefold()}"
    if tally.count(name, desk.now) >= 10:
        return []
    tally.add(name, desk.now)
    return [Letter(f"note/{message.sha256[:24]}", "receipt", "", "", message.sender, subject, _cover(desk, subject, paragraphs), in_reply_to=message.message_id, is_answer=True)]


def _refusal(desk: Desk, tally: Tally, message: Message, receipt: Receipt | None, seat: str, found: Found | None = None) -> list[Letter]:
    """Why a player's file was not taken, to the address that it came from, which is registered in this campaign. Made without any view."""
    name = f"player/{message.sender.casefold()}"
    if not message.sender or tally.count(name, desk.now) >= MOST_REFUSALS:
        return []
    tally.add(name, desk.now)
    pieces = [("", _body(receipt))] if receipt is not None else []
    paragraphs = [] if receipt is not None else [_("The token in this file is wrong: nothing was done.")]
    cover = _cover(desk, _("Your orders were not taken"), paragraphs, pieces)
    return [Letter(f"receipt/{message.sha256[:24]}-{digest(found.data)[:6] if found else seat or 'x'}", "receipt", seat, "", message.sender, _("Your orders were not taken"), cover,
                   in_reply_to=message.message_id, is_answer=True, turn=desk.campaign.coming)]


def note(desk: Desk, tally: Tally, message: Message) -> list[Letter]:
    """To an address that is not the seat's: the same words whether the token was right or not, and nothing of what the file said."""
    name = f"stranger/{message.sender.casefold()}"
    if not message.sender or message.kind != "mail" or tally.count(name, desk.now) >= MOST_NOTES or tally.count("strangers", desk.now) >= MOST_STRANGERS:
        return []
    tally.add(name, desk.now)
    tally.add("strangers", desk.now)
    cover = Cover(_("A file has arrived"), "", [
        _("A file that looks like orders has come from this address. The answer, whatever it is, goes to the address that is registered for the seat."),
        _("If you have a new address, ask the game master to write it down.")], footer=[_("This is an automatic answer.")])
    return [Letter(f"note/{message.sha256[:24]}", "note", "", "", message.sender, _("A file has arrived"), cover, in_reply_to=message.message_id, is_answer=True)]


def _to_gm(desk: Desk, key: str, subject: str, paragraphs: list[str]) -> list[Letter]:
    return [desk.letter(key, "notice", GM, subject, _cover(desk, subject, paragraphs))]


def _receipt_cover(desk: Desk, receipt: Receipt, found: Found) -> Cover:
    cover = _cover(desk, _subject(receipt), [], [("", _body(receipt))])
    if desk.campaign.deadline:
        cover.facts.append((_("Deadline"), desk.campaign.deadline))
    cover.facts.append((_("Read from"), found.name))
    if found.cut:
        cover.facts.append((_("Not read"), _("what stands after your orders, from “{line}” on").format(line=found.cut)))
    return cover


def _body(receipt: Receipt) -> str:
    """The receipt's text without its title, which the mail has already."""
    lines = receipt.text.splitlines()
    return "\n".join(lines[3:] if len(lines) > 3 and set(lines[1]) == {"="} else lines).strip("\n")


def _subject(receipt: Receipt) -> str:
    words = {"taken": _("Your orders are taken"), "partly": _("Your orders are taken in part"), "same": _("Your orders are the same as before"),
             "withdrawn": _("Your orders are withdrawn"), "noted": _("Noted")}.get(receipt.state, _("Your orders were not taken"))
    return f"{words}: {receipt.turn_title}" if receipt.turn_title else words


def _cover(desk: Desk, subject: str, paragraphs: list[str], pieces: list[tuple[str, str]] | None = None) -> Cover:
    return Cover(subject, desk.title, list(paragraphs), [], list(pieces or []))


def _shown(desk: Desk, message: Message) -> str:
    """From where a message came, for another player: players' addresses are never shown."""
    return _("the address of another player") if _is_player(desk, message.sender) else message.sender or _("an unknown address")


def _is_player(desk: Desk, sender: str) -> bool:
    return any(same_address(sender, player.email) for player in desk.campaign.settings.players.values())


def _short(message: Message, found: Found) -> str:
    return f"{message.sha256[:24]}-{digest(found.data)[:6]}"
