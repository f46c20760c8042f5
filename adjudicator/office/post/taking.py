"""Deal with one message: what it is, which orders are in it, what becomes of them, and who is answered.

Everything that messages do to a campaign is written in one piece (see store.pending), with their records: a message whose
record is there is never dealt with again, and one without it has done nothing. `flush` writes it; until then it is in memory.
"""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from ...core import plain
from ...core.events import GM
from ...core.names import fold
from ...core.ruleset import NOBODY
from ...core.words import _, speaking
from ...mail.reading import Found, Message, read_message
from ...orderfile.loader import load
from ...orderfile.submission import Envelope, peek
from ...store import pending
from ...store.trouble import Trouble
from ..campaign import Campaign, must_be_playable, opened
from ..secret import is_token
from ..submitting import receive, settle
from . import answering, commands, pressing
from .letters import Desk, same_address
from .offices import MAIL, PostOffice
from .records import Part, Record, Tally, put_record, read_record, read_tally, stamp
from .templates import is_untouched

MOST_GUESSES = 10
"""Wrong tokens for one seat in 24 hours, after which only files from the registered address are looked at."""

MOST_AGAIN = 5
"""Reports that a seat gets once more in 24 hours because it asks for them."""


class Waits(Exception):
    """A message cannot be dealt with now: a campaign that it is for is broken or in other hands. It is tried again by the next pull."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble.message)
        self.trouble = trouble


@dataclass
class Sorter:
    """Deals with messages, and keeps the campaigns open that it needs. now: the moment; say: is told what had to be mended in a campaign."""

    office: PostOffice
    now: datetime
    say: Callable[[str], None]
    broken: dict[Path, Trouble] = field(default_factory=dict)

    def __enter__(self) -> "Sorter":
        self._stack = ExitStack()
        self._open: dict[Path, Campaign] = {}
        self._files: dict[Path, dict[str, bytes]] = {}
        self._tallies: dict[Path, Tally] = {}
        self._done: dict[str, Record] = {}
        return self

    def flush(self) -> None:
        """Write what the messages since the last flush have done, each campaign's in one piece, and the records of those that belong to none."""
        for path, files in self._files.items():
            tally = self._tallies[path]
            pending.commit(self._open[path].folder, pending.Pending(_("messages that came by mail"), data={**files, f"{MAIL}/tally.json": plain.to_pretty_json(tally)}))
        self._files.clear()
        for record in self._done.values():
            if self.known(record.sha256, on_disk=True) is None:
                put_record(self.office.records, record)
        self._done.clear()

    def __exit__(self, *failure) -> None:
        self._stack.__exit__(*failure)

    def campaign(self, path: Path) -> Campaign:
        """The campaign, locked until the sorter is closed. Waits if it cannot be opened."""
        if path in self.broken:
            raise Waits(self.broken[path])
        if path not in self._open:
            try:
                campaign = self._stack.enter_context(opened(path, "adjudicator mail", self.say, playable=False))
                must_be_playable(campaign)
                campaign.secret, campaign.state, campaign.desk  # noqa: B018 - read now, so that what is wrong with them is found before anything is taken
            except Trouble as trouble:
                self.broken[path] = trouble
                raise Waits(trouble) from None
            self._open[path] = campaign
        return self._open[path]

    def take(self, raw: bytes) -> Record:
        """Deal with a message. Afterwards its record is on disk. Waits if a campaign that it is for cannot be opened."""
        message = read_message(raw, self.office.ours)
        record = self.known(message.sha256)
        if record is not None:
            return record
        record = Record(message.sha256, message.message_id, message.sender, message.subject, stamp(self.now), message.kind, message.why)
        if message.kind == "bounce":
            self._bounced(message)
        elif message.kind in ("mail", "list"):
            self._orders(message, record)
        record.is_done = True
        self._done[message.sha256] = record
        return record

    def known(self, sha256: str, on_disk: bool = False) -> Record | None:
        """The record of a message that was dealt with to its end; None if it was not. on_disk: only if it has been written."""
        if not on_disk and sha256 in self._done:
            return self._done[sha256]
        for folder in [self.office.records, *(path / MAIL / "in" for path in self.office.campaigns)]:
            record = read_record(folder, sha256)
            if record is not None and record.is_done:
                return record
        return None

    def _orders(self, message: Message, record: Record) -> None:
        """Route what was found in a message to its campaigns."""
        finds = [(found, peek(load(found.data))) for found in message.found]
        by_campaign: dict[Path, list[tuple[Found, Envelope]]] = {}
        lost: list[tuple[Found, Envelope]] = []
        for found, envelope in finds:
            path = self._path(envelope)
            by_campaign.setdefault(path, []).append((found, envelope)) if path else lost.append((found, envelope))
        for path, theirs in by_campaign.items():
            campaign = self.campaign(path)
            with speaking(campaign.settings.language):
                self._in_campaign(campaign, message, record, theirs, is_last=len(by_campaign) == 1)
        if not by_campaign:
            self._lost(message, record, lost)

    def _path(self, envelope: Envelope) -> Path | None:
        """The campaign that an order file names. With a single campaign, a file that names none is looked at there."""
        if envelope.campaign is not None:
            paths = self.office.by_id.get(fold(envelope.campaign), [])
            if len(paths) > 1:
                trouble = Trouble(_("two campaigns have the id {id}: {paths}; their mail cannot be told apart").format(id=envelope.campaign[:40], paths=", ".join(map(str, paths))),
                                  _("move one of them to another folder, with a mail.yaml and an address of its own"))
                self.broken |= {path: trouble for path in paths}
                raise Waits(trouble)
            return paths[0] if paths else None
        return self.office.campaigns[0] if len(self.office.campaigns) == 1 else None

    def _in_campaign(self, campaign: Campaign, message: Message, record: Record, finds: list[tuple[Found, Envelope]], is_last: bool) -> None:
        """The parts of a message that are for one campaign, each taken in once, even if an earlier pull was killed between two of them.

        is_last: nothing else is in the message, so that the campaign's record is the whole of it; else the post office keeps that
        """
        desk = Desk(self.office, self.now, campaign)
        own = read_record(desk.folder / "in", message.sha256) or Record(**{**plain.to_plain(record), "parts": [], "answers": []})
        worth = _worth_reading(campaign, finds)
        for place, (found, envelope) in enumerate(worth):
            if place >= len(own.parts):
                if campaign.folder.path not in self._tallies:
                    self._tallies[campaign.folder.path] = read_tally(desk.folder / "tally.json")
                tally = self._tallies[campaign.folder.path]
                own.is_done = is_last and place == len(worth) - 1
                self._one(campaign, desk, tally, message, own, found, envelope)
        record.parts += own.parts
        record.answers += own.answers

    def _one(self, campaign: Campaign, desk: Desk, tally: Tally, message: Message, record: Record, found: Found, envelope: Envelope) -> None:
        """Take in one order file: everything that it does is noted together, with the record."""
        seat = GM if fold(envelope.seat or "") == GM else campaign.seats.find(envelope.seat) if envelope.seat else None
        part = Part(found.place, found.name, desk.id, "", campaign.coming, "")
        files: dict[str, bytes] = {}
        letters = []
        is_wrong, from_home = False, False
        if seat is not None and envelope.token is not None:
            right = campaign.gm_token if seat == GM else campaign.secret.tokens.get(seat, "")
            from_home = same_address(message.sender, desk.address_of(seat)[1])
            if not from_home and tally.count(f"guess/{seat}", self.now) >= MOST_GUESSES:
                part.seat, part.state = seat, "set-aside"
                letters = answering.set_aside(desk, tally, message, seat, found)
                return self._note(campaign, desk, record, part, files, letters)
            is_wrong = not right or not is_token(envelope.token, right)
        if is_wrong and found.place in ("quoted", "forwarded") and not from_home:
            part.seat, part.state = seat, "wrong-token"   # somebody else's words in a quote: no guess of the sender's, and nothing to answer
            return self._note(campaign, desk, record, part, files, letters)
        if is_wrong and not (from_home and found.place in ("quoted", "forwarded")):
            tally.add(f"guess/{seat}", self.now)
        if seat == GM:
            part.seat = GM
            if is_wrong or envelope.token is None:
                part.state = "wrong-token"
                letters = answering.wrong_token(desk, tally, message, GM, None, MOST_GUESSES)
            else:
                part.state, command, letters = commands.note(desk, tally, message, found)
                letters += [] if from_home else answering.note(desk, tally, message)
                if command is not None:
                    files[f"{MAIL}/commands/{message.sha256[:32]}.json"] = plain.to_pretty_json(command)
            return self._note(campaign, desk, record, part, files, letters)
        name = found.name if found.place in ("attachment", "zip") else _("your mail")
        taken = receive(campaign, found.data, name, self.now.strftime("%Y-%m-%d %H:%M UTC"), message.sha256)
        receipt = taken.receipt
        part.seat, part.state, part.kept_as, part.replaced = taken.seat, receipt.state, receipt.kept_as, receipt.replaced
        if taken.seat and found.place in ("attachment", "zip", "body") and receipt.counts and receipt.replaced and is_untouched(campaign, taken.seat, found.data):
            part.state, part.kept_as, part.replaced = "untouched", "", ""
            letters = answering.untouched(desk, tally, message, taken.seat, receipt)
            return self._note(campaign, desk, record, part, files, letters)
        if seat is not None and campaign.settings.seats[seat].holder == NOBODY and receipt.state == "not-asked":
            part.state = "seat-gone"
        files |= taken.files
        if taken.seat:
            settle(campaign, taken)
            letters = answering.receipt(desk, tally, message, receipt, found) + pressing.at_once(desk, tally, receipt)
            if "report" in receipt.request and tally.count(f"again/{taken.seat}", self.now) < MOST_AGAIN:
                from .reports import again

                tally.add(f"again/{taken.seat}", self.now)
                letters += again(desk, taken.seat, message.sha256)
        elif receipt.state == "wrong-token":
            settle(campaign, taken)
            own = [other for other in campaign.ruleset.seats if same_address(message.sender, desk.address_of(other)[1])]
            letters = answering.wrong_token(desk, tally, message, seat or "", receipt, MOST_GUESSES,
                                            any(is_token(envelope.token or "", campaign.secret.tokens[other]) for other in own))
        else:
            settle(campaign, taken)
            letters = answering.not_placed(desk, tally, message, receipt, found)
        return self._note(campaign, desk, record, part, files, letters)

    def _note(self, campaign: Campaign, desk: Desk, record: Record, part: Part, files: dict[str, bytes], letters: list) -> None:
        waiting = self._files.setdefault(campaign.folder.path, {})
        waiting.update(files)
        for letter in letters:
            queued = desk.files(letter) if letter.address else {}
            if queued and not any(name in waiting for name in queued):
                waiting.update(queued)
                record.answers.append(letter.key)
        record.parts.append(part)
        waiting[f"{MAIL}/in/{record.sha256}.json"] = plain.to_pretty_json(record)

    def _lost(self, message: Message, record: Record, lost: list[tuple[Found, Envelope]]) -> None:
        """A message without orders for any campaign here."""
        desk = Desk(self.office, self.now)
        tally = read_tally(desk.folder / "tally.json")
        letters = []
        for found, envelope in lost:
            record.parts.append(Part(found.place, found.name, (envelope.campaign or "")[:60], "", envelope.turn or 0, "other-campaign" if envelope.campaign else "unreadable"))
        known = self._player_at(message.sender)
        if lost and message.kind == "mail":
            letters = answering.lost(desk, tally, message, record, lost, known)
        elif message.unread and known is not None:
            letters = answering.unread(desk, tally, message)
        for letter in letters:
            if desk.queue(letter):
                record.answers.append(letter.key)
        if letters:
            from ...store import disk

            disk.put(desk.folder / "tally.json", plain.to_pretty_json(tally), 0o600)

    def _player_at(self, sender: str) -> Path | None:
        """The campaign in which this address is registered; None if in none. One that cannot be opened is passed over."""
        for path in self.office.campaigns:
            try:
                campaign = self.campaign(path)
            except Waits:
                continue
            addresses = [player.email for player in campaign.settings.players.values()] + ([campaign.settings.gm.email] if campaign.settings.gm else [])
            if any(same_address(sender, address) for address in addresses):
                return path
        return None

    def _bounced(self, message: Message) -> None:
        """Our own message came back: its state in the outbox says so."""
        from ...mail.outbox import Outbox

        bounce = message.bounce
        if bounce is None or not bounce.permanent:
            return
        for folder in [self.office.folder, *self.office.campaigns]:
            outbox = Outbox(folder / MAIL / "out")
            if outbox.mark_bounced(bounce.message_id, bounce.text):
                return


def _worth_reading(campaign: Campaign, finds: list[tuple[Found, Envelope]]) -> list[tuple[Found, Envelope]]:
    """Leave out what nobody meant to send: the untouched template in a quote or a forwarded report, and beside orders that were written; the same text twice."""
    kept: list[tuple[Found, Envelope]] = []
    texts = set()
    for found, envelope in finds:
        squeezed = b"".join(found.data.split())
        if squeezed in texts:
            continue
        texts.add(squeezed)
        if fold(envelope.seat or "") == GM and found.place in ("quoted", "forwarded"):
            continue   # what the game master answers to, a command that was suggested to him, is none that he gives
        seat = campaign.seats.find(envelope.seat) if envelope.seat else None
        others = [other for other, theirs in finds if other is not found and fold(theirs.seat or "") == fold(envelope.seat or "")]
        if seat and (found.place in ("quoted", "forwarded") or others) and is_untouched(campaign, seat, found.data):
            continue
        kept.append((found, envelope))
    proved = {fold(envelope.seat or "") for _found, envelope in kept if _is_proved(campaign, envelope)}
    kept = [(found, envelope) for found, envelope in kept if found.place not in ("quoted", "forwarded") or fold(envelope.seat or "") not in proved
            or _is_proved(campaign, envelope)]   # a letter in the report may hold what looks like orders
    best = {}
    for found, envelope in kept:  # what was written anew goes before what stands in a quote
        best.setdefault(fold(envelope.seat or ""), found.place)
    return [(found, envelope) for found, envelope in kept if found.place not in ("quoted", "forwarded") or best[fold(envelope.seat or "")] in ("quoted", "forwarded")]


def _is_proved(campaign: Campaign, envelope: Envelope) -> bool:
    seat = campaign.seats.find(envelope.seat) if envelope.seat else None
    return seat is not None and envelope.token is not None and is_token(envelope.token, campaign.secret.tokens[seat])
