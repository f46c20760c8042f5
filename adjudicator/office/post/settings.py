"""mail.yaml: where mail comes from and how it is sent; and the passwords, which stand elsewhere."""

import os
from collections.abc import Mapping as Environment
from dataclasses import dataclass
from email.utils import parseaddr
from pathlib import Path

from ...core.orders import FAILED, REFUSED, Choice, Field, Fields, Problem, Reading, Whole
from ...core.values import Mapping
from ...core.words import _
from ...mail.passwords import from_keyring
from ...mail.servers import is_loopback
from ...orderfile.loader import load
from ...store.folder import PASSWORDS
from ...store.trouble import Trouble
from ..settings import EMAIL, Text

MAIL_SETTINGS = "mail.yaml"
SECURITY = ("tls", "starttls", "none")
SERVICE = "adjudicator"
"""What passwords are filed under in a keyring."""


@dataclass(frozen=True)
class Server:
    """A mail server. security: "tls" (from the first byte), "starttls" or "none" (on this machine only). ca: a file with the authorities to trust, "" for the system's."""

    host: str
    port: int
    user: str
    security: str
    ca: str = ""
    folder: str = ""
    move_to: str = ""


@dataclass(frozen=True)
class MailSettings:
    """How a post office gets and sends mail.

    name, address: what stands in From; the address is ours, and mail from it is our own
    source:        "imap", "maildir", "mbox", "folder", or "" if mail comes only by hand
    sink:          "smtp" or "folder"
    """

    name: str = "adjudicator"
    address: str = "adjudicator@localhost.invalid"
    source: str = ""
    source_path: Path | None = None
    imap: Server | None = None
    sink: str = "folder"
    sink_path: Path | None = None
    smtp: Server | None = None

    @property
    def domain(self) -> str:
        """The right side of our Message-IDs, in ASCII."""
        domain = self.address.rpartition("@")[2].lower()
        try:
            return domain.encode("idna").decode()
        except UnicodeError:
            return "localhost.invalid"


def _server(what: str, ports: dict[str, int], more: dict[str, Field]) -> Fields:
    return Fields(what, {
        "host": Field(Text(_("the name of the server, such as mail.example.org; the port goes under `port`"), r"[^\s/@:]+|\[?[0-9a-fA-F:.]+\]?")), "port": Field(Whole(1, 65535)),
        "user": Field(Text(_("the name that you log in with"), empty=True)), "security": Field(Choice({each: "" for each in ports})),
        "ca": Field(Text(_("a file with the certificate to trust"))), **more}, required=("host",))


_IMAP_PORTS = {"tls": 993, "starttls": 143, "none": 143}
_SMTP_PORTS = {"starttls": 587, "tls": 465, "none": 25}


def _model() -> Fields:
    path = Field(Text(_("a path, from the folder of this file")))
    folder = Text(_("a folder of the mailbox, such as INBOX"))
    return Fields(MAIL_SETTINGS, {
        "address": Field(Text(_("the campaign's own address, such as \"War of the Roses <war@example.org>\""))),
        "in": Field(Fields(_("where mail comes from"), {"imap": Field(_server("imap", _IMAP_PORTS, {"folder": Field(folder), "move_to": Field(folder)})),
                                                        "maildir": path, "mbox": path, "folder": path})),
        "out": Field(Fields(_("how mail is sent"), {"smtp": Field(_server("smtp", _SMTP_PORTS, {})), "folder": path})),
    }, required=("address",))


def read_mail_settings(path: Path) -> MailSettings:
    """Read mail.yaml. Trouble holds every problem of the file, each with its line."""
    loaded = load(path.read_bytes())
    name = path.name
    if loaded.empty:
        raise Trouble(_("{name} is empty").format(name=path), _("it needs at least the campaign's own address, such as: address: \"War <war@example.org>\""))
    if loaded.value is None:
        raise Trouble(_("{name} cannot be read").format(name=path), "", loaded.problems, loaded.text, name)
    reading = Reading()
    _refuse_passwords(loaded.value, reading)
    read = _model().read(loaded.value, reading)
    if read is not FAILED:
        for key, kind in (("in", "imap"), ("out", "smtp")):
            server = read.get(key, {}).get(kind, {})
            if server.get("security") == "none" and not is_loopback(server["host"]):
                reading.refuse(loaded.value.get(key), "UNSAFE", _("without encryption the password would be sent in the open: {host} is not this machine").format(host=server["host"]), allowed="tls, starttls")
        shown, address = parseaddr(read["address"])
        at = loaded.value.get("address")
        if not address or not _is_address(address):
            reading.refuse(at, "NOT-AN-ADDRESS", _("this is no e-mail address"), allowed=_("an address, or a name and an address: War <war@example.org>"))
        for key, most in (("in", 1), ("out", 1)):
            if len(read.get(key, {})) > most:
                reading.refuse(loaded.value.get(key), "TOO-MANY", _("under `{key}` only one may be given").format(key=key), allowed=", ".join(_model().fields[key].kind.fields))
    problems = [*loaded.problems, *reading.problems]
    if read is FAILED or any(problem.kind == REFUSED for problem in problems):
        raise Trouble(_("{name} has mistakes").format(name=path), _("mend them; nothing was fetched and nothing sent"), sorted(problems, key=lambda p: (p.line, p.column)), loaded.text, name)
    come, go = read.get("in", {}), read.get("out", {})
    source, sink = next(iter(come), ""), next(iter(go), "folder")
    return MailSettings(
        shown or "adjudicator", address, source, _path(path, come.get(source)) if source and source != "imap" else None,
        _as_server(come["imap"], _IMAP_PORTS, "tls") if "imap" in come else None, sink, _path(path, go["folder"]) if "folder" in go else None,
        _as_server(go["smtp"], _SMTP_PORTS, "starttls") if "smtp" in go else None)


def _is_address(address: str) -> bool:
    import re

    return bool(re.fullmatch(EMAIL, address))


def _refuse_passwords(root: Mapping, reading: Reading) -> None:
    """A password in a file that is shown around is refused, whatever else stands there."""
    for key, value in root.entries:
        if isinstance(value, Mapping):
            _refuse_passwords(value, reading)
        if key.text.strip().lower() in ("password", "pass", "secret"):
            reading.problems.append(Problem(REFUSED, "PASSWORD", _("a password may not stand in this file"), line=key.spot.line, column=key.spot.column, length=key.spot.length,
                                            allowed=_("the environment (ADJUDICATOR_IMAP_PASSWORD, ADJUDICATOR_SMTP_PASSWORD), a keyring, or the file {file}, readable by you alone").format(file=PASSWORDS)))


def _path(settings: Path, text: str) -> Path:
    return (settings.parent / Path(text).expanduser()).absolute()


def _as_server(read: dict, ports: dict[str, int], usual: str) -> Server:
    security = read.get("security", usual)
    return Server(read["host"], read.get("port", ports[security]), read.get("user", ""), security, read.get("ca", ""), read.get("folder", "INBOX"), read.get("move_to", ""))


def password_of(what: str, server: Server, place: Path, environment: Environment[str, str] = os.environ) -> str:
    """The password of a server: from the environment, else from mail.secret, else from the keyring. Trouble says where it was looked for.

    what: "imap" or "smtp"; place: the folder of mail.yaml
    """
    if not server.user:
        return ""
    for name in (f"ADJUDICATOR_{what.upper()}_PASSWORD", "ADJUDICATOR_MAIL_PASSWORD"):
        if environment.get(name):
            return environment[name]
    found = _from_file(what, place / PASSWORDS) or from_keyring(SERVICE, f"{server.user}@{server.host}")
    if found:
        return found
    raise Trouble(_("no password is known for {user} at {host}").format(user=server.user, host=server.host),
                  _("set ADJUDICATOR_{what}_PASSWORD; or write `{lower}: PASSWORD` into {path} and give it mode 600; or: keyring set {service} {user}@{host}").format(
                      what=what.upper(), lower=what, path=place / PASSWORDS, service=SERVICE, user=server.user, host=server.host))


def _from_file(what: str, path: Path) -> str:
    """From mail.secret beside mail.yaml, mode 0600: a line `imap: …` and a line `smtp: …`, or `password: …` for both."""
    if not path.is_file():
        return ""
    if os.name == "posix" and path.stat().st_mode & 0o077:
        raise Trouble(_("{path} may be read by others on this machine; it is not used").format(path=path), _("chmod 600 {path}").format(path=path))
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        key, colon, value = line.partition(":")
        if colon and key.strip().lower() in (what, "password"):
            value = value.strip()
            return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value
    return ""
