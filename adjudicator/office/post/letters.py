"""Messages that go out for a campaign: to whom, under which key, and the files that queue them."""

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from ...core.events import GM
from ...core.plain import digest
from ...core.words import _
from ...mail.composing import Draft, ascii_address, compose, message_id
from ...mail.outbox import Outbox, Outgoing
from ...report.cover import Cover, as_html, as_text
from ..campaign import Campaign
from .offices import MAIL, PostOffice
from .records import stamp

OUT = "out"


@dataclass
class Letter:
    """A message to be. key: names it for ever, so that it is never queued twice; seat: whose it is, "gm", or "" for a stranger's."""

    key: str
    kind: str
    seat: str
    name: str
    address: str
    subject: str
    cover: Cover
    attachments: list[tuple[str, str, bytes]] = field(default_factory=list)
    in_reply_to: str = ""
    is_answer: bool = False
    turn: int = 0


@dataclass
class Desk:
    """Where a campaign's letters are made; without a campaign, those of the post office."""

    office: PostOffice
    now: datetime
    campaign: Campaign | None = None

    @property
    def folder(self) -> Path:
        return (self.campaign.folder.path if self.campaign else self.office.folder) / MAIL

    @property
    def outbox(self) -> Outbox:
        return Outbox(self.folder / OUT)

    @property
    def id(self) -> str:
        return self.campaign.first.campaign if self.campaign else "adjudicator"

    @property
    def title(self) -> str:
        return self.campaign.settings.title if self.campaign else self.office.settings.name

    def address_of(self, seat: str) -> tuple[str, str]:
        """(name, address) registered for a seat or for the game master; address "" if there is none."""
        settings = self.campaign.settings
        if seat == GM:
            return (settings.gm.name or _("Game master"), settings.gm.email) if settings.gm else ("", "")
        held = settings.seats[seat]
        player = settings.players.get(held.player)
        return (player.name, player.email) if player else ("", "")

    def has(self, key: str) -> bool:
        return self.outbox.has(key)

    def files(self, letter: Letter) -> dict[str, bytes]:
        """What must be written to queue a letter, by path from the campaign's folder; nothing if it was queued before."""
        if self.has(letter.key) or not can_be_written_to(letter.address):
            return {}
        outgoing, data = self._composed(letter)
        return {f"{MAIL}/{OUT}/{name}": content for name, content in self.outbox.files(outgoing, data).items()}

    def queue(self, letter: Letter) -> bool:
        """Queue a letter; False if it was queued before, or nobody has an address for it."""
        if not can_be_written_to(letter.address) or self.has(letter.key):
            return False
        return self.outbox.queue(*self._composed(letter))

    def letter(self, key: str, kind: str, seat: str, subject: str, cover: Cover, **more) -> Letter:
        """A letter to a seat's registered address, or to the game master's."""
        name, address = self.address_of(seat)
        return Letter(key, kind, seat, name, address, subject, cover, turn=self.campaign.coming, **more)

    def _composed(self, letter: Letter) -> tuple[Outgoing, bytes]:
        settings, cover = self.office.settings, letter.cover
        if not cover.footer:
            cover.footer = self._footer(letter)
        subject = f"[{self.id}] {letter.subject}"
        draft = Draft(key=self._sealed(letter.key), to=(letter.name, letter.address), subject=subject, text=as_text(cover), html=as_html(cover), attachments=letter.attachments,
                      campaign=self.id, title=self.title, kind=letter.kind, auto="auto-replied" if letter.is_answer else "auto-generated",
                      in_reply_to=letter.in_reply_to, thread=message_id(self.id, self._sealed(f"thread/{letter.seat or letter.address}"), settings.domain), previous="")
        data = compose(draft, (settings.name, settings.address), self.now)
        return Outgoing(key=letter.key, kind=letter.kind, seat=letter.seat, turn=letter.turn, name=letter.name, address=letter.address, subject=subject,
                        message_id=message_id(self.id, self._sealed(letter.key), settings.domain), sha256=digest(data), size=len(data), queued=stamp(self.now)), data

    def _sealed(self, key: str) -> str:
        """What a Message-ID is made from: nobody without the seed can work it out, to find a writer by trying, or to forge that it came back."""
        return digest(f"{self.campaign.secret.seed}/{key}".encode()) if self.campaign else key

    def _footer(self, letter: Letter) -> list[str]:
        if self.campaign is None:
            return [_("This is an automatic answer.")]
        return [_("{title} ({campaign}), by adjudicator. To send orders, answer with your order file attached or in the text.").format(title=self.title, campaign=self.id)
                if letter.seat and letter.seat != GM else _("{title} ({campaign}), by adjudicator.").format(title=self.title, campaign=self.id)]


def can_be_written_to(address: str) -> bool:
    """True for an address that a mail server could take."""
    try:
        return bool(address) and bool(ascii_address(address))
    except ValueError:
        return False


def same_address(one: str, other: str) -> bool:
    """True if two addresses are the same mailbox as far as can be told: case does not matter, nor how a domain's letters are written."""
    return bool(one and other) and _folded(one) == _folded(other)


def _folded(address: str) -> str:
    local, _at, domain = address.strip().rpartition("@")
    try:
        domain = domain.encode("idna").decode()
    except UnicodeError:
        pass
    return f"{local}@{domain}".casefold()
