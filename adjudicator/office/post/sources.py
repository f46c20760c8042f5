"""Where a post office's mail comes from."""

from pathlib import Path

from ...mail.imap import Imap
from ...mail.sources import EmlFolder, Maildir, Mbox, Source
from .offices import PostOffice
from .settings import password_of


def source_of(office: PostOffice) -> Source | None:
    """The source that mail.yaml names; None if it names none. Trouble if its password is not known."""
    settings = office.settings
    if settings.source == "imap":
        server = settings.imap
        return Imap(server.host, server.port, server.user, password_of("imap", server, office.folder), security=server.security, folder=server.folder,
                    move_to=server.move_to, ca=server.ca, memory=office.mail / "imap.json")
    return named_source(office, settings.source, settings.source_path) if settings.source else None


def named_source(office: PostOffice, kind: str, path: Path) -> Source:
    """A source on this machine. kind: "maildir", "mbox" or "folder"."""
    if kind == "maildir":
        return Maildir(path, memory=office.mail / "maildir.json")
    return Mbox(path) if kind == "mbox" else EmlFolder(path)
