"""Turn a draft into the bytes of a message that every mail program shows alike and no relay needs to change."""

import re
from dataclasses import dataclass, field
from datetime import datetime
from email import policy
from email.charset import Charset
from email.header import Header
from email.message import EmailMessage
from email.utils import format_datetime

from ..core.plain import digest
from ..core.words import _
from .servers import CONTROLS

POLICY = policy.SMTP.clone(max_line_length=76)  # quoted-printable lines may be no longer
WIDTH = 76
LINE_MOST = 900
"""A relay may break or refuse lines of more than 998 bytes."""
WORD_MOST = 60
"""A longer word of a header is encoded, since only encoded text can be folded anywhere."""
FIELD_MOST, NAME_MOST, FILE_NAME_MOST = 300, 200, 120
UTF8 = Charset("utf-8")
ID = re.compile(r"<[!-;=?-~]{1,248}>")
PLAIN = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]*")
"""A name of these characters needs no quotes."""


@dataclass
class Draft:
    """A message to be.

    key:         names the message for ever, such as "receipt/<sha>" or "report/0005-1a2b3c4d/york"
    to:          (name, address)
    html:        "" or a whole HTML page that says the same as text
    attachments: (file name, mime type such as "text/yaml; charset=utf-8", bytes); the bytes come back as they are
    campaign, title: for List-Id
    auto:        "auto-generated" or "auto-replied"
    in_reply_to: the Message-ID of a player's message, or ""
    thread:      the Message-ID that stands at the root of the seat's messages, or ""
    previous:    the Message-ID of the last message to the seat, or ""
    """

    key: str
    to: tuple[str, str]
    subject: str
    text: str
    html: str = ""
    attachments: list[tuple[str, str, bytes]] = field(default_factory=list)
    campaign: str = ""
    title: str = ""
    kind: str = ""
    auto: str = "auto-generated"
    in_reply_to: str = ""
    thread: str = ""
    previous: str = ""


def message_id(campaign: str, key: str, domain: str) -> str:
    """The Message-ID of the message with this key: always the same, and of no other campaign's message."""
    return f"<adj.{_token(campaign)}.{digest(f'{campaign}/{key}'.encode('utf-8', 'surrogatepass'))[:24]}@{ascii_domain(domain)}>"


def ascii_domain(domain: str) -> str:
    """A domain as it is written in mail, such as "xn--mnchen-3ya.example". ValueError, in words, if it is none."""
    import idna

    domain = domain.strip().rstrip(".")
    if re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?", domain) and ".." not in domain:
        return domain.lower()
    try:
        return idna.encode(domain, uts46=True).decode()
    except (idna.IDNAError, UnicodeError):
        raise ValueError(_("{domain!r} is no domain").format(domain=one_line(domain))) from None


def ascii_address(address: str) -> str:
    """A bare address with its domain in ASCII; what stands before the @ stays. ValueError, in words, if it is no address."""
    local, at, domain = address.strip().rpartition("@")
    if not at or not local or len(address) > 254 or any(letter.isspace() or letter in '<>()[],;:\\"' for letter in local) or CONTROLS.search(address):
        raise ValueError(_("{address!r} is no e-mail address").format(address=one_line(address)))
    return f"{local}@{ascii_domain(domain)}"


def needs_smtputf8(address: str) -> bool:
    """True if only servers with SMTPUTF8 can carry the address: what stands before its @ is not ASCII."""
    return not address.rpartition("@")[0].isascii()


def one_line(text: str, most: int = FIELD_MOST) -> str:
    """Text for a header: line breaks and other controls are spaces, spaces are single, halves of characters are question marks."""
    text = " ".join(CONTROLS.sub(" ", text).split()).encode("utf-8", "replace").decode()
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def compose(draft: Draft, sender: tuple[str, str], now: datetime) -> bytes:
    """The message, with CRLF. The same draft, sender and moment give the same bytes.

    sender: (name, address). All is ASCII, except an address that needs SMTPUTF8.
    ValueError, in words, if an address is none.
    """
    own_id = message_id(draft.campaign, draft.key, sender[1].rpartition("@")[2])
    before = [each for each in dict.fromkeys((draft.thread, draft.previous, draft.in_reply_to)) if ID.fullmatch(each) and each != own_id]
    answered = (
        draft.in_reply_to
        if draft.in_reply_to in before
        else draft.previous
        if draft.previous in before
        else draft.thread
        if draft.thread in before
        else ""
    )
    headers = [
        ("From", _address(*sender)),
        ("To", _address(*draft.to)),
        ("Subject", _words(one_line(draft.subject), "Subject")),
        ("Date", format_datetime(now)),
        ("Message-ID", own_id),
        ("In-Reply-To", answered),
        ("References", "\r\n ".join(before)),
        ("List-Id", _list_id(draft, sender[1].rpartition("@")[2])),
        ("Auto-Submitted", _token(draft.auto)),
        ("X-Auto-Response-Suppress", "All"),
        ("X-Adjudicator", f"{_token(draft.campaign)}/{_token(draft.kind)}"),
    ]
    return b"".join(f"{name}: {value}\r\n".encode() for name, value in headers if value) + _body(draft)


def _token(text: str) -> str:
    """Text reduced to what stands in ids and keywords unquoted."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", text)[:60].strip("-") or "none"


def _words(text: str, header: str, extra: int = 0) -> str:
    """Unstructured text, folded; encoded where it is not plain ASCII or could not be folded."""
    is_plain = text.isascii() and "=?" not in text and all(len(word) <= WORD_MOST for word in text.split(" "))
    return Header(text, "us-ascii" if is_plain else UTF8, maxlinelen=WIDTH - extra, header_name=header).encode(linesep="\r\n")


def _phrase(name: str, header: str) -> str:
    """A display name: bare, in quotes, or encoded."""
    name = one_line(name, NAME_MOST)
    is_plain = name.isascii() and "=?" not in name and all(len(word) <= WORD_MOST for word in name.split(" "))
    if is_plain and not PLAIN.fullmatch(name):
        name = '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return Header(name, "us-ascii" if is_plain else UTF8, maxlinelen=WIDTH, header_name=header).encode(linesep="\r\n")


def _address(name: str, address: str) -> str:
    return _named(_phrase(name, "From"), f"<{ascii_address(address)}>") if name.strip() else ascii_address(address)


def _named(phrase: str, bracketed: str) -> str:
    last = phrase.rpartition("\r\n")[2]
    return phrase + (" " if len(last) + len(bracketed) + 8 <= WIDTH else "\r\n ") + bracketed


def _list_id(draft: Draft, domain: str) -> str:
    address = f"<{_token(draft.campaign)}.{ascii_domain(domain)}>"
    return _named(_phrase(draft.title, "List-Id"), address) if draft.title.strip() else address


def _body(draft: Draft) -> bytes:
    message = EmailMessage(policy=POLICY)
    _set_text(message, draft.text, "plain")
    if draft.html:
        message.make_alternative()
        page = EmailMessage(policy=POLICY)
        _set_text(page, draft.html, "html")
        del page["MIME-Version"]
        message.attach(page)
    if draft.attachments:
        message.make_mixed()
    for name, mime, data in draft.attachments:
        kind, _semicolon, parameter = mime.partition(";")
        maintype, _slash, subtype = kind.strip().partition("/")
        key, _equals, value = parameter.strip().partition("=")
        message.add_attachment(
            data, maintype, subtype or "octet-stream", cte="base64", filename=_file_name(name), params={key: value} if key else None
        )
    # what the boundary is made of contains every text, so that none of them can contain it
    mark = digest("\n".join([draft.key, draft.text, draft.html]).encode("utf-8", "replace"))[:32]
    for number, part in enumerate(each for each in message.walk() if each.is_multipart()):
        part.set_boundary(f"=_{mark}_{number}")
    return message.as_bytes()


def _set_text(part: EmailMessage, text: str, subtype: str) -> None:
    """Text as it stands where that is safe on every way; else in the encoding that is shorter."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").encode("utf-8", "replace").decode()
    text += "" if text.endswith("\n") else "\n"
    lines = text.split("\n")
    data = text.encode()
    odd = sum(byte > 126 or byte < 32 and byte != 10 or byte == 61 for byte in data)
    if any(line.startswith("From ") for line in lines):  # mailboxes change such a line, even in quoted-printable
        encoding = "base64"
    elif (
        text.isascii()
        and not CONTROLS.search(text.replace("\n", "").replace("\t", ""))
        and all(len(line) <= LINE_MOST and line == line.rstrip(" \t") for line in lines)
    ):
        encoding = "7bit"
    else:
        encoding = "quoted-printable" if odd * 6 < len(data) else "base64"
    part.set_content(text, subtype=subtype, charset="utf-8", cte=encoding)


def _file_name(name: str) -> str:
    """A file name that is only a name."""
    name = one_line(name.replace("/", "-").replace("\\", "-"), FILE_NAME_MOST)
    return name or "attachment"
