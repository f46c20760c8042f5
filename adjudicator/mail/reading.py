"""Read the bytes of a message: what it is, who sent it, and which order files are in it."""

import hashlib
import re
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import Message as Parsed
from email.parser import BytesHeaderParser

from ..core.words import _
from . import opening
from .decoding import address, file_name, harmless, message_ids, text_of, unflowed
from .finding import MOST_CUT, blocks, is_order_file
from .kinds import Bounce, Headers, Ours, kind_of
from .markup import lines_of
from .opening import MOST_BYTES
from .quoted import FORWARDED, QUOTED, sections

__all__ = ["Bounce", "Found", "Message", "Ours", "read_message"]

MOST_MESSAGE_BYTES = 40 * 1024 * 1024
MOST_HEADERS = 64 * 1024
"""Bytes that are looked at in a message that is not taken apart."""
MOST_PARTS = 200
MOST_NESTED = 100
"""Parts with parts in them; a message with more is not taken apart."""
MOST_NESTED_LINES = 10_000_000
"""Lines times such parts: the e-mail package compares each line with the marks of all parts around it."""
MOST_PARAMETERS = 16 * 1024
"""Bytes of a header with parameters: the e-mail package takes quadratic time for them."""
MOST_FORWARDED = 3
MOST_FOUND = 10
MOST_UNREAD = 20
MOST_TEXT = 512 * 1024
"""Characters of a body that are looked at."""
MOST_SUBJECT = 200

_CONTENT_HEADER = re.compile(rb"^content-(?:type|disposition):(?P<nested>\s*(?:multipart|message)/)?(?:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*)",
                             re.IGNORECASE | re.MULTILINE)
_OWN_HEADER = re.compile(rb"(?:(?:resent-)?message-id|from|date|content-[a-z-]+|auto-submitted):", re.IGNORECASE)
_FORWARD_SUBJECT = re.compile(r"\s*(fwd?|wg|tr|i|rv|пересл|doorst)\s*:", re.IGNORECASE)
_OURS_BY_NAME = re.compile(r"\.(view|schema)\.json$", re.IGNORECASE)
_NO_TEXT = re.compile(r"(image|audio|video|font|model)/|application/(pdf|pgp-|pkcs7|x-pkcs7|ms-tnef|vnd\.ms-tnef|msword|rtf|zip|json)"
                      r"|text/(calendar|vcard|x-vcard|directory|css|rtf|rfc822-headers)")
_YAML = ("application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml", "text/vnd.yaml")
_PLACES = ("body", "attachment", "zip", QUOTED, FORWARDED)


@dataclass(frozen=True)
class Found:
    """One text in a message that may be an order file.

    data:  of an attachment: its bytes as they came (only the transfer encoding is undone); of a body: the lines of the order file alone, as UTF-8.
           At most 256 KiB and one byte, so that a larger one is refused as too large
    place: "body", "attachment", "zip", "quoted" (between the marks of a reply) or "forwarded" (in a message that was attached or set below)
    name:  for messages to people: what the attachment is called, made harmless, or "the body of your message"
    cut:   what stood directly behind the order file in a body and was not read: its first line, at most 60 characters; or ""
    """

    data: bytes
    place: str
    name: str
    cut: str = ""


@dataclass(frozen=True)
class Message:
    """A message, read.

    sha256:     names it: of what its sender wrote, so that a second delivery, which bears other lines of servers, is the same message
    message_id: with its angle brackets; "" if there is none or it is malformed
    sender:     bare address of From (Reply-To does not count), the domain in small ASCII letters; "" if it cannot be used
    subject:    decoded, one line, at most 200 characters
    references: Message-IDs of References and In-Reply-To, oldest first
    kind:       "mail", "auto-reply", "bounce", "list", "ours" or "unreadable"
    why:        why it is of that kind, one sentence without its full stop; "" for mail
    found:      order files, at most 10, by place: body, attachments, zip, quoted, forwarded; none in auto-replies, bounces and our own mail
    unread:     (name, reason) of attachments that may hold orders and cannot be read
    bounce:     what came back, if the kind is "bounce"
    """

    sha256: str
    message_id: str = ""
    sender: str = ""
    subject: str = ""
    references: list[str] = field(default_factory=list)
    kind: str = "mail"
    why: str = ""
    found: list[Found] = field(default_factory=list)
    unread: list[tuple[str, str]] = field(default_factory=list)
    bounce: Bounce | None = None


def read_message(raw: bytes, ours: Ours) -> Message:
    """Read one message. Never raises, whatever the bytes: what cannot be read is of the kind "unreadable"."""
    sha256 = _fingerprint(raw)
    try:
        return _read(raw, ours, sha256)
    except Exception as error:  # noqa: BLE001 - one strange message must not hold up the others; the e-mail package raises errors of many kinds
        return Message(sha256, kind="unreadable", why=_("it could not be taken apart ({error})").format(error=type(error).__name__))


def _fingerprint(raw: bytes) -> str:
    """SHA-256 of the headers that no server changes, and of the body; without a Message-ID, of all bytes."""
    head, blank, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    own = [line for line in re.findall(rb"^\S[^\n]*(?:\n[ \t][^\n]*)*", head, re.MULTILINE) if _OWN_HEADER.match(line)]
    if not any(line[:11].lower() == b"message-id:" for line in own):
        return hashlib.sha256(raw).hexdigest()
    return hashlib.sha256(b"\n".join(own) + blank + body.rstrip(b"\n")).hexdigest()


def _read(raw: bytes, ours: Ours, sha256: str) -> Message:
    refusal = _why_too_much(raw)
    parsed = BytesHeaderParser().parsebytes(raw[:MOST_HEADERS]) if refusal else message_from_bytes(raw)
    headers = Headers(parsed)
    subject = harmless(headers.text("subject"), MOST_SUBJECT)
    collected = _Collected()
    if not refusal:
        _Taker(collected).take(parsed, bool(_FORWARD_SUBJECT.match(subject)), 0)
    own_words = any(found.place in ("body", "attachment", "zip") for found in collected.found)
    kind, why, bounce = kind_of(raw, parsed, headers, ours, own_words)
    if kind in ("mail", "list") and (refusal or not headers.names):
        kind, why = "unreadable", refusal or _("it has no headers")
    references = message_ids(headers.raw("references"))
    references += [name for name in message_ids(headers.raw("in-reply-to"))[:1] if name not in references]
    empty = kind in ("auto-reply", "bounce", "ours")
    return Message(sha256, next(iter(message_ids(headers.raw("message-id"))), ""), address(headers.raw("from")), subject, references, kind, why,
                   [] if empty else collected.in_order(), [] if empty else collected.unread[:MOST_UNREAD], bounce)


def _why_too_much(raw: bytes) -> str:
    """Why a message is not taken apart, because that would take too long; "" if it is."""
    if len(raw) > MOST_MESSAGE_BYTES:
        return _("it has {size} MiB; at most {most} MiB are read").format(size=len(raw) >> 20, most=MOST_MESSAGE_BYTES >> 20)
    nested = 0
    for match in _CONTENT_HEADER.finditer(raw):
        nested += match["nested"] is not None
        if match.end() - match.start() > MOST_PARAMETERS:
            return _("a header in it is far too long")
    if nested > MOST_NESTED or nested > 10 and nested * raw.count(b"\n") > MOST_NESTED_LINES:
        return _("too many parts lie within other parts in it")
    return ""


class _Collected:
    """Gathers what is found."""

    def __init__(self) -> None:
        self.found: list[Found] = []
        self.unread: list[tuple[str, str]] = []

    def add(self, data: bytes, place: str, name: str, cut: str = "") -> None:
        self.found.append(Found(data[:MOST_BYTES + 1], place, name, cut))

    def refuse(self, name: str, reason: str) -> None:
        if (name, reason) not in self.unread:
            self.unread.append((name, reason))

    def in_order(self) -> list[Found]:
        """By place; the same text twice counts once. Of too many the first and the last are kept: the order form stands at the end of a report."""
        found: dict[bytes, Found] = {}
        for one in sorted(self.found, key=lambda one: _PLACES.index(one.place)):
            found.setdefault(one.data.replace(b"\r\n", b"\n").strip(), one)
        every = list(found.values())
        return every if len(every) <= MOST_FOUND else every[:MOST_FOUND // 2] + every[-(MOST_FOUND // 2):]


class _Taker:
    """Takes messages apart; counts the parts over all of them."""

    def __init__(self, collected: _Collected) -> None:
        self.collected = collected
        self.parts = 0

    def take(self, message: Parsed, is_forward: bool, depth: int) -> None:
        """Find what is in one message; depth: how many messages it lies in."""
        plain: list[list[str]] = []
        html: list[Parsed] = []
        reports = _report_names(message)
        waiting = [message]
        while waiting and self.parts < MOST_PARTS:
            part = waiting.pop()
            self.parts += 1
            kind = part.get_content_type()
            if part.is_multipart():
                if part.get_content_maintype() == "multipart":
                    waiting += reversed(part.get_payload()[:MOST_PARTS])
                elif kind in ("message/rfc822", "message/global") and depth < MOST_FORWARDED:
                    self.take(part.get_payload()[0], False, depth + 1)
                self._refuse_by_kind(kind)
                continue
            name = _name(part)
            is_attached = bool(name) or _disposition(part) == "attachment"
            if kind == "text/html" and not is_attached:
                html.append(part)
            elif kind.startswith(("text/", "multipart/")) and not _NO_TEXT.match(kind) and not is_attached:
                plain.append(_lines(part))
            else:
                self._attachment(part, kind, name, depth, reports)
        before = len(self.collected.found)
        for lines in plain:
            self._body(lines, is_forward, depth)
        if len(self.collected.found) == before or not plain:
            for part in html:
                self._body(lines_of(text_of(_data(part), _charset(part))), is_forward, depth)

    def _body(self, lines: list[str], is_forward: bool, depth: int) -> None:
        if any(line.startswith("-----BEGIN PGP MESSAGE-----") for line in lines):
            self.collected.refuse(_("the body of your message"), _("the message is encrypted; send the order file unencrypted"))
        for section in sections(opening.unarmoured(lines), is_forward, lambda run: bool(blocks(run))):
            for block in blocks(section.lines):
                if section.own[block.first]:
                    place = FORWARDED if depth else section.place
                    data = "\n".join([*block.lines, ""]).encode("utf-8", errors="replace")
                    self.collected.add(data, place, _("the body of your message"), harmless(block.cut, MOST_CUT))

    def _attachment(self, part: Parsed, kind: str, name: str, depth: int, reports: set[str]) -> None:
        data = _data(part)
        if kind in ("application/ms-tnef", "application/vnd.ms-tnef") or name.lower() == "winmail.dat":
            opened = opening.open_tnef(data)
            for inner, content in opened.files:
                self._file(content, file_name(inner), "", FORWARDED if depth else "attachment", reports)
            if opened.reason:
                self.collected.refuse(name or "winmail.dat", opened.reason)
        elif kind in ("application/pkcs7-mime", "application/x-pkcs7-mime") or name.lower().endswith(".p7m"):
            inside = opening.open_signed(data) if depth < MOST_FORWARDED else None
            if inside is None or _why_too_much(inside):
                self.collected.refuse(name or "smime.p7m",
                                      _("the message is encrypted, or signed in a way that hides its text; send the order file unencrypted"))
            else:
                self.take(message_from_bytes(inside), False, depth)
        elif kind in ("application/pgp-encrypted", "application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"):
            return
        else:
            self._file(data, name, kind, FORWARDED if depth else "attachment", reports, _charset(part))

    def _file(self, data: bytes, name: str, kind: str, place: str, reports: set[str], charset: str = "") -> None:
        """One attached file, by its name (harmless already), its declared kind and what is in it."""
        shown = name or _("an attachment without a name")
        if _OURS_BY_NAME.search(name):
            return
        if opening.is_zip(name, kind, data):
            opened = opening.open_zip(data)
            if opened.reason:
                self.collected.refuse(shown, opened.reason)
            for inner, content in opened.files:
                self._file(content, file_name(inner), "", place if place == FORWARDED else "zip", reports)
            return
        is_yaml = name.lower().endswith((".yaml", ".yml")) or kind in _YAML
        if is_yaml or _is_text(data, kind) and is_order_file(text_of(data[:MOST_BYTES], charset)):
            if data.strip():
                self.collected.add(data, place, shown)
            return
        reason = opening.why_unread(name, kind, data)
        if reason and name.lower() not in reports:
            self.collected.refuse(shown, reason)

    def _refuse_by_kind(self, kind: str) -> None:
        """Tell of a part whose kind says that its text cannot be had."""
        if kind == "multipart/encrypted":
            self.collected.refuse(_("the body of your message"), _("the message is encrypted; send the order file unencrypted"))
        elif kind in ("message/partial", "message/external-body"):
            self.collected.refuse(_("the body of your message"), _("only a part of the message came; send it whole"))


def _is_text(data: bytes, kind: str) -> bool:
    """True for what may be text in some charset; UTF-16 has many NULs at every second place."""
    sample = data[:4096]
    if _NO_TEXT.match(kind) or data.startswith((b"%PDF-", b"PK\x03\x04", b"{\\rtf", b"\xd0\xcf\x11\xe0", b"Rar!", b"\x1f\x8b")):
        return False
    return (sample.count(0) <= len(sample) // 50 + 1 or sample.startswith((b"\xff\xfe", b"\xfe\xff"))
            or max(sample[::2].count(0), sample[1::2].count(0)) > len(sample) // 4)


def _report_names(message: Parsed) -> set[str]:
    """Names of the PDFs that came with a report of ours: beside `york.pdf` lies `york.view.json` or `york.orders.yaml`."""
    names = {_name(part).lower() for part in _few(message)}
    return {f"{name.rsplit('.', 2)[0]}.pdf" for name in names if name.endswith((".view.json", ".orders.yaml"))}


def _few(message: Parsed) -> list[Parsed]:
    parts, place = [message], 0
    while place < len(parts) < MOST_PARTS:
        part = parts[place]
        if part.is_multipart() and part.get_content_maintype() == "multipart":
            parts += part.get_payload()[:MOST_PARTS]
        place += 1
    return parts


def _name(part: Parsed) -> str:
    """What an attachment is called, made harmless; "" if it has no name."""
    try:
        raw = part.get_filename("") or ""
    except Exception:  # noqa: BLE001 - the package raises several kinds of errors for broken parameters
        raw = "attachment"
    return file_name(str(raw))


def _disposition(part: Parsed) -> str:
    return re.split(r"[;\s]", str(part.get("content-disposition", "")).strip(), maxsplit=1)[0].lower()


def _charset(part: Parsed) -> str:
    try:
        found = part.get_param("charset", "")
    except Exception:  # noqa: BLE001 - as above
        return ""
    return found[2] if isinstance(found, tuple) else str(found)


def _data(part: Parsed) -> bytes:
    """The bytes of a part, its transfer encoding undone; a header that says `base64;` or `Base64 (comment)` is understood too."""
    stated = str(part.get("content-transfer-encoding", ""))
    encoding = re.match(r"\s*([\w-]*)", stated)
    if encoding and encoding.group(1) != stated:
        del part["content-transfer-encoding"]
        part["content-transfer-encoding"] = encoding.group(1)
    try:
        data = part.get_payload(decode=True)
    except Exception:  # noqa: BLE001 - as above
        data = None
    return data if isinstance(data, bytes) else b""


def _lines(part: Parsed) -> list[str]:
    """The lines of a plain body."""
    text = text_of(_data(part)[:4 * MOST_TEXT], _charset(part))[:MOST_TEXT]
    text = re.sub("\r\n|\r|\u2028|\u2029|\x0c|\x85", "\n", text)
    try:
        flow, delete = (str(part.get_param(name, "")).lower() for name in ("format", "delsp"))
    except Exception:  # noqa: BLE001 - as above
        flow = delete = ""
    return unflowed(text, delete == "yes") if flow == "flowed" else text.split("\n")
