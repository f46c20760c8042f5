"""Tell mail by people from what programs send: replies while somebody is away, bounces, lists, our own mail come back (RFC 3834)."""

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message as Parsed

from ..core.words import _
from .decoding import address, bare_address, harmless, header, message_ids, text_of

MOST_SERVER_WORDS = 200
_MOST_FOR_DETECTORS = 1024 * 1024

_ASCII = bytes(range(128)) + b"?" * 128
_AWAY = re.compile(
    r"\s*\W{0,2}(automatic reply|auto(matic)?[- ]?(reply|response|responder)\b|autoreply|auto:"
    r"|out of (the )?office|away from (the|my) (office|mail)|on (vacation|holiday|leave)\b"
    r"|risposta automatica|fuori (sede|ufficio)|assen(te|za) (dall|fino|per)|in ferie"
    r"|автоматический ответ|автоответ|нет на месте|вне офиса|в отпуске|я в отпуске"
    r"|automatische antwort|abwesenheits|abwesend|nicht im (büro|haus)"
    r"|réponse automatique|absence du bureau|absent(e)? du bureau|message d['’]absence|en congés?\b)", re.IGNORECASE)
_BOUNCED = re.compile(
    r"undeliver|returned (mail|to sender)|delivery (status notification|failure|has failed|failed)"
    r"|mail delivery (failed|system|error|status|problem)|failure notice|delivery report"
    r"|message (delivery )?failure|could not be delivered"
    r"|non recapitabile|mancat[ao] (consegna|recapito)|impossibile recapitare|недоставлен|не доставлен|не удалось доставить"
    r"|unzustellbar|nicht zugestellt|échec de (la )?remise|non remis", re.IGNORECASE)
_DELAYED = re.compile(r"delay|warning|still being retried|will (be|keep) (re)?try", re.IGNORECASE)
_DAEMON = re.compile(r"(mailer-daemon|mail-daemon|postmaster|mdaemon|microsoftexchange[0-9a-f]+|mail\.delivery\.system)@", re.IGNORECASE)
_STATUS = re.compile(r"\b([245]\.\d{1,3}\.\d{1,3})\b")
_REPLY_CODE = re.compile(r"\b([45])\d\d[ -]")
_COPY = re.compile(r"^[ \t>]{0,4}Message-I[dD]:\s*(<[^<>\s]{1,248}>)", re.MULTILINE)


@dataclass(frozen=True)
class Ours:
    """Which mail is ours. addresses: our own bare addresses, lower case; domain: of our Message-IDs."""

    addresses: tuple[str, ...]
    domain: str


@dataclass(frozen=True)
class Bounce:
    """A message of ours that could not be delivered, or not yet.

    recipient:  bare address, "" if unknown
    message_id: of our message, with its angle brackets; "" if unknown
    status:     as "5.1.1"; "" if unknown
    permanent:  whether the server has given up for good: False for delays, and for what may work another day
    text:       the server's words, one line, at most 200 characters
    """

    recipient: str
    message_id: str
    status: str
    permanent: bool
    text: str


class Headers:
    """The headers of a message, read safely: no header raises, whatever stands in it."""

    def __init__(self, message: Parsed) -> None:
        self._raw: dict[str, list[str]] = {}
        for name, value in message.raw_items():
            self._raw.setdefault(name.lower(), []).append(str(value))

    def raw(self, name: str) -> str:
        """The first header of this name, as it stands; "" if there is none."""
        return self._raw.get(name, [""])[0]

    def text(self, name: str) -> str:
        """The first header of this name, decoded, on one line."""
        return header(self.raw(name)) if name in self._raw else ""

    def word(self, name: str) -> str:
        """The value without parameters and comments, in small letters."""
        return re.split(r"[;(\s]", self.raw(name).strip(), maxsplit=1)[0].lower()

    def has(self, name: str) -> bool:
        return name in self._raw

    @property
    def names(self) -> list[str]:
        return list(self._raw)


def kind_of(raw: bytes, message: Parsed, headers: Headers, ours: Ours, holds_orders: bool) -> tuple[str, str, Bounce | None]:
    """(kind, why, bounce): "mail" (by somebody), "ours", "bounce", "auto-reply" or "list".

    raw, message, headers: the message as it came, taken apart, and its headers
    holds_orders: whether the sender's own words hold an order file; then a subject such as "Out of office" does not count against it
    """
    sender = address(headers.raw("from"))
    if _is_ours(headers, sender, ours):
        return "ours", _("it is a message of ours that came back"), None
    report = _report_type(message)
    if report == "disposition-notification" or any(part.get_content_type() == "message/disposition-notification" for part in _parts(message)):
        return "auto-reply", _("it is a read receipt"), None
    bounce, why = _bounce(raw, message, headers, sender, ours, report)
    if bounce is not None:
        why = _("it says that a message could not be delivered") if bounce.permanent else _("it says that a message has not been delivered yet")
        return "bounce", why, bounce
    why = why or _why_automatic(message, headers, holds_orders)
    if why:
        return "auto-reply", why, None
    if _is_list(headers):
        return "list", _("it came through a mailing list"), None
    return "mail", "", None


def _is_ours(headers: Headers, sender: str, ours: Ours) -> bool:
    if headers.has("x-adjudicator") and sender.lower() in ours.addresses:
        return True
    return any(_is_our_id(name, ours) for name in message_ids(headers.raw("message-id"))[:1])


def _is_our_id(name: str, ours: Ours) -> bool:
    return bool(ours.domain) and name.lower().startswith("<adj.") and name.lower().endswith(f"@{ours.domain.lower()}>")


def _is_list(headers: Headers) -> bool:
    names = ("list-id", "list-post", "list-unsubscribe", "mailing-list", "x-mailing-list")
    return any(headers.has(name) for name in names) or headers.word("precedence") == "list"


def _why_automatic(message: Parsed, headers: Headers, holds_orders: bool) -> str:
    submitted = headers.word("auto-submitted")
    if submitted and submitted != "no":
        return _("its header Auto-Submitted says that a program sent it")
    for name in ("x-autoreply", "x-autorespond", "x-autoresponder", "x-auto-reply", "x-autoreply-from", "x-mail-autoreply", "x-vacation"):
        if headers.has(name) and headers.word(name) != "no":
            return _("its header {name} says that a program sent it").format(name=name.title())
    precedence = headers.word("precedence")
    if precedence in ("auto_reply", "auto-reply") or precedence in ("bulk", "junk") and not _is_list(headers):
        return _("its header Precedence says that a program sent it")
    if headers.has("return-path") and not headers.raw("return-path").strip().strip("<>").strip():
        return _("it has no sender that an answer could go to (an empty Return-Path)")
    is_away = bool(_AWAY.match(_bare_subject(headers.text("subject"))))
    if is_away and (headers.has("x-auto-response-suppress") or not holds_orders):
        return _("its subject is that of an automatic reply")
    if not holds_orders and any(part.get_content_type() == "text/calendar" and (_method(part) or part is message) for part in _parts(message)):
        return _("it is an answer or invitation of a calendar")
    return ""


def _bare_subject(subject: str) -> str:
    """Without the marks that servers set in front."""
    return re.sub(r"^(\s*(\[[^\]]{0,40}\]|\*{2,}[^*]{0,40}\*{2,}))+\s*", "", subject)


def _method(part: Parsed) -> str:
    return _parameter(part, "method")


def _parameter(part: Parsed, name: str) -> str:
    try:
        found = part.get_param(name, "")
    except Exception:  # noqa: BLE001 - the package raises several kinds of errors for broken parameters
        return ""
    return (found[2] if isinstance(found, tuple) else str(found)).strip().lower()


def _report_type(message: Parsed) -> str:
    return _parameter(message, "report-type") if message.get_content_type() == "multipart/report" else ""


def _parts(message: Parsed) -> Iterator[Parsed]:
    """The parts of a message, not those of messages inside it; at most 50."""
    waiting, count = [message], 0
    while waiting and count < 50:
        part = waiting.pop()
        count += 1
        yield part
        if part.is_multipart() and part.get_content_maintype() == "multipart":
            waiting += reversed(part.get_payload())


def _bounce(raw: bytes, message: Parsed, headers: Headers, sender: str, ours: Ours, report: str) -> tuple[Bounce | None, str]:
    """The bounce that a message is, if it is one; or why it is none though a mail server sent it."""
    blocks = [block for part in _parts(message) if part.get_content_type() == "message/delivery-status" and part.is_multipart()
              for block in part.get_payload() if isinstance(block, Parsed)]
    if blocks:
        fields = [Headers(block) for block in blocks[:50]]
        told = [field for field in fields if field.has("action") or field.has("final-recipient") or field.has("original-recipient")]
        failed = next((field for field in told if field.word("action") in ("failed", "error", "")), None)
        first = failed or next((field for field in told if field.word("action") == "delayed"), None)
        if first is None and told:
            return None, _("it says that a message was delivered")
        if first is not None:
            return _from_fields(first, message, headers, ours), ""
    subject = headers.text("subject")
    is_daemon = bool(_DAEMON.match(sender)) or headers.has("return-path") and not headers.raw("return-path").strip().strip("<>").strip()
    if report == "delivery-status" or headers.has("x-failed-recipients") or is_daemon and _BOUNCED.search(subject):
        return _from_words(raw, message, headers, ours), ""
    if _DAEMON.match(sender):
        bounce = _from_words(raw, message, headers, ours)
        if bounce.recipient:
            return bounce, ""
    return None, ""


def _from_fields(fields: Headers, message: Parsed, headers: Headers, ours: Ours) -> Bounce:
    """The machine's part of a delivery status notification (RFC 3464)."""
    recipient = ""
    for name in ("original-recipient", "final-recipient"):
        value = header(fields.raw(name))
        recipient = recipient or bare_address(value.rpartition(";")[2])
    words = header(fields.raw("diagnostic-code"))
    words = re.sub(r"^\s*[\w-]+\s*;\s*", "", words)
    stated = _STATUS.search(header(fields.raw("status")))
    found = _STATUS.search(words)
    status = stated.group(1) if stated else found.group(1) if found else ""
    if status.endswith(".0.0") and found and found.group(1)[0] == status[0]:
        status = found.group(1)  # the server's own is more exact
    is_failed = fields.word("action") in ("failed", "error", "")
    words = words or _server_words(_words(message), recipient)
    return Bounce(recipient, _returned_id(message, headers, ours), status, is_failed and status[:1] in ("5", ""), harmless(words, MOST_SERVER_WORDS))


def _from_words(raw: bytes, message: Parsed, headers: Headers, ours: Ours) -> Bounce:
    """A bounce in prose (qmail, Exim, old Exchange): the library knows how servers write them."""
    words = _words(message)
    temporary, permanent = _detected(raw)
    recipient = bare_address(headers.text("x-failed-recipients").split(",")[0]) or next(iter([*permanent, *temporary]), "")
    said = _server_words(words, recipient)
    status = _STATUS.search(said) or _STATUS.search(words)
    code = _REPLY_CODE.search(said)
    is_delay = bool(temporary and not permanent or _DELAYED.search(f"{headers.text('subject')} {words[:1000]}"))
    number = status.group(1) if status else ""
    is_permanent = number[0] == "5" if number else code.group(1) == "5" if code else not is_delay
    return Bounce(recipient, _returned_id(message, headers, ours), number, is_permanent, harmless(said, MOST_SERVER_WORDS))


def _detected(raw: bytes) -> tuple[list[str], list[str]]:
    """The addresses that the library's detectors find: (may work another day, given up)."""
    from flufl.bounce import all_failures  # imported here: few messages need it

    logging.getLogger("flufl.bounce").disabled = True  # it would write a traceback for every detector that stumbles
    if len(raw) > _MOST_FOR_DETECTORS:
        return [], []
    plain = message_from_bytes(raw.translate(_ASCII))  # the detectors expect headers of ASCII alone
    try:
        groups = all_failures(plain)
    except Exception:  # noqa: BLE001 - seventeen detectors that look into mail by strangers
        return [], []
    temporary, permanent = ([found for found in sorted(bare_address(text_of(one)) for one in group) if found] for group in groups)
    return temporary, permanent


def _words(message: Parsed) -> str:
    """The first text of a message, at most 20,000 characters."""
    for part in _parts(message):
        if part.get_content_maintype() == "text" and not part.is_multipart():
            data = part.get_payload(decode=True) or b""
            return text_of(data[:20_000], _parameter(part, "charset"))
    return ""


def _server_words(words: str, recipient: str) -> str:
    """The line in which a server says what is wrong: one with a code, else the one behind the address."""
    lines = [line.strip() for line in words.splitlines()[:200]]
    above = next((number for number, line in enumerate(lines) if line.startswith(("---", "___")) and "copy" in line.lower()), len(lines))
    lines = lines[:above]
    for pattern in (_STATUS, re.compile(r"\b[45]\d\d[ -]")):
        for line in lines:
            if pattern.search(line):
                return line
    for number, line in enumerate(lines):
        if recipient and recipient in line.lower():
            return next((other for other in lines[number + 1:number + 4] if other), line)
    return next((line for line in lines if line), "")


def _returned_id(message: Parsed, headers: Headers, ours: Ours) -> str:
    """The Message-ID of the message that came back, one of ours if there is any choice."""
    found: list[str] = []
    for part in _parts(message):
        kind = part.get_content_type()
        if kind == "message/rfc822" and part.is_multipart():
            found += message_ids(Headers(part.get_payload()[0]).raw("message-id"))
        elif kind == "message/delivery-status" and part.is_multipart():
            for block in part.get_payload()[:50]:
                if isinstance(block, Parsed):
                    found += message_ids(Headers(block).raw("x-original-message-id")) + message_ids(Headers(block).raw("original-message-id"))
        elif kind.startswith(("text/", "message/")) and not part.is_multipart():
            data = part.get_payload(decode=True) or b""
            found += _COPY.findall(text_of(data[:200_000], _parameter(part, "charset")))
    found += message_ids(headers.raw("in-reply-to")) + message_ids(headers.raw("references"))[::-1]
    return next((name for name in found if _is_our_id(name, ours)), found[0] if found else "")
