"""Send what is queued, for all campaigns of a post office; what cannot be delivered is told to the game master."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from ...core.events import GM
from ...core.plain import digest
from ...core.words import _
from ...mail.outbox import Outbox, Outgoing, is_due
from ...mail.sending import Folder, Sender, Smtp
from ...report.cover import Cover
from ...store.trouble import Trouble
from ..campaign import Say, opened
from .letters import Desk
from .offices import MAIL, PostOffice
from .settings import password_of

EML = "eml"
"""Where mail is put, in a post office's mail folder, if mail.yaml says nothing else."""


@dataclass
class Posted:
    """What a push did. sent, failed: messages; later: how many are tried again; troubles: what the game master should know."""

    sent: list[Outgoing] = field(default_factory=list)
    failed: list[Outgoing] = field(default_factory=list)
    later: int = 0
    troubles: list[Trouble] = field(default_factory=list)


def sender_of(office: PostOffice) -> Sender:
    """How this post office sends: SMTP, or a folder of .eml files."""
    settings = office.settings
    if settings.sink == "smtp":
        server = settings.smtp
        return Smtp(server.host, server.port, server.user, password_of("smtp", server, office.folder), security=server.security, ca=server.ca)
    return Folder(settings.sink_path or office.mail / EML)


def push(office: PostOffice, now: Callable[[], datetime], say: Say) -> Posted:
    """Send what is due. One message that fails does not hold up the others."""
    posted = Posted()
    _tell(office, now(), say, posted)
    outboxes = [Outbox(folder / MAIL / "out") for folder in dict.fromkeys([office.folder, *office.campaigns]) if (folder / MAIL / "out").is_dir()]
    if not any(is_due(out, now()) for outbox in outboxes for out in outbox.all()):
        posted.later = sum(out.state in ("waiting", "sending") for outbox in outboxes for out in outbox.all())
        return posted
    try:
        with sender_of(office) as sender:
            for outbox in outboxes:
                outbox.push(sender, now, on=lambda out: (posted.sent if out.state == "sent" else posted.failed if out.state in ("refused", "given-up") else []).append(out))
            if _tell(office, now(), say, posted):
                for outbox in outboxes:
                    outbox.push(sender, now, on=lambda out: posted.sent.append(out) if out.state == "sent" else None)
    except Trouble as trouble:
        posted.troubles.append(trouble)
    posted.later = sum(out.state in ("waiting", "sending") for outbox in outboxes for out in outbox.all())
    return posted


def _tell(office: PostOffice, now: datetime, say: Say, posted: Posted) -> int:
    """Queue word to the game master of every message that could not be delivered, or came back; each is told once."""
    told = 0
    for path in office.campaigns:
        outbox = Outbox(path / MAIL / "out")
        bad = [out for out in outbox.all() if out.state in ("refused", "given-up", "bounced") and out.seat != GM and not outbox.has(_key(out))]
        if not bad:
            continue
        try:
            with opened(path, "adjudicator mail push", say, playable=False) as campaign:
                desk = Desk(office, now, campaign)
                for out in bad:
                    cover = Cover(_("A message could not be delivered"), campaign.settings.title, [
                        _("The message to {name} <{address}> ({subject}) could not be delivered: {error}").format(name=out.name, address=out.address, subject=out.subject, error=out.error),
                        _("Correct the address in campaign.yaml: the last report then goes out again by itself.")])
                    told += desk.queue(desk.letter(_key(out), "notice", GM, cover.title, cover))
        except Trouble as trouble:
            posted.troubles.append(trouble)
    return told


def _key(out: Outgoing) -> str:
    return f"undelivered/{digest(out.key.encode())[:16]}"
