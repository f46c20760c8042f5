"""Open what order files come wrapped in: zip files, Outlook's winmail.dat, signed mail; say why where it cannot be done."""

import re
import zipfile
from dataclasses import dataclass, field
from io import BytesIO

from ..core.words import _
from .decoding import text_of

MOST_BYTES = 256 * 1024
"""Of one order file."""
MOST_MEMBERS = 20
MOST_WRAPPED_BYTES = 16 * 1024 * 1024

_OFFICE_FILES = (b"mimetype", b"[Content_Types].xml", b"word/", b"META-INF/")
_DOCUMENTS = re.compile(r"\.(docx?|dotx?|rtf|odt|ott|pages|wpd|wps|xlsx?|ods|numbers|gdoc)$", re.IGNORECASE)
_ARCHIVES = re.compile(r"\.(rar|7z|tar|tgz|gz|bz2|xz|zst|cab|arj|lzh|sit)$", re.IGNORECASE)
_TNEF_MARK = 0x223E9F78
_TNEF_TITLE, _TNEF_DATA, _TNEF_BEGINS = 0x8010, 0x800F, 0x9002


@dataclass
class Opened:
    """What a wrapper holds: (name as it is called there, bytes) of each file, and why something in it cannot be read."""

    files: list[tuple[str, bytes]] = field(default_factory=list)
    reason: str = ""


def is_zip(name: str, kind: str, data: bytes) -> bool:
    """True for a zip file that is no word processor's document."""
    if not data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return name.lower().endswith(".zip") or kind in ("application/zip", "application/x-zip-compressed")
    return not _DOCUMENTS.search(name) and data[30:50].startswith(_OFFICE_FILES) is False


def open_zip(data: bytes) -> Opened:
    """The first 20 files of a zip file, at most 256 KiB and one byte of each: what its headers promise costs nothing."""
    opened = Opened()
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            members = [member for member in archive.infolist() if not member.is_dir() and not member.filename.startswith("__MACOSX/")]
            if len(members) > MOST_MEMBERS:
                opened.reason = _("this zip file holds {count} files, and only the first {most} were looked at").format(
                    count=len(members), most=MOST_MEMBERS)
            for member in members[:MOST_MEMBERS]:
                if member.flag_bits & 0x1:
                    opened.reason = _("this zip file is locked with a password; send the order file as it is")
                    continue
                if member.filename.lower().endswith(".zip"):
                    opened.reason = _("this zip file holds another zip file, which is not opened; send the order file as it is")
                    continue
                with archive.open(member) as file:
                    opened.files.append((member.filename, file.read(MOST_BYTES + 1)))
    except Exception:  # noqa: BLE001 - damaged archives raise a dozen kinds of errors, those of the packed data among them
        opened.reason = _("this zip file is damaged or of a kind that cannot be opened; send the order file as it is")
    return opened


def open_tnef(data: bytes) -> Opened:
    """The attachments in Outlook's winmail.dat (MS-OXTNEF): a list of attributes, each with its length.

    The one library for it (tnefparse, last released in 2021) loops for hours over forty bytes that promise four thousand
    million properties, so the two attributes that matter are read here.
    """
    broken = Opened(reason=_("this winmail.dat cannot be read; have Outlook send plain text or HTML, not rich text"))
    if len(data) < 6 or int.from_bytes(data[:4], "little") != _TNEF_MARK or len(data) > MOST_WRAPPED_BYTES:
        return broken
    opened, at, name = Opened(), 6, ""
    while at + 11 <= len(data):
        attribute = int.from_bytes(data[at + 1:at + 3], "little")
        length = int.from_bytes(data[at + 5:at + 9], "little")
        value = data[at + 9:at + 9 + length]
        if len(value) < length:
            return Opened(opened.files, broken.reason)
        if attribute == _TNEF_BEGINS:
            name = ""
        elif attribute == _TNEF_TITLE:
            name = text_of(value.rstrip(b"\x00"))
            if opened.files and not opened.files[-1][0]:  # the title may come behind the data
                opened.files[-1] = (name, opened.files[-1][1])
        elif attribute == _TNEF_DATA and len(opened.files) < MOST_MEMBERS:
            opened.files.append((name, value[:MOST_BYTES + 1]))
        at += 9 + length + 2
    return opened


def open_signed(data: bytes) -> bytes | None:
    """The message inside an opaque S/MIME signature (RFC 8551), not verified; None if it is encrypted or cannot be read."""
    from pyasn1.codec.ber.decoder import decode  # imported here: it takes long, and such mail is rare
    from pyasn1.error import PyAsn1Error
    from pyasn1_modules import rfc5652

    if len(data) > MOST_WRAPPED_BYTES or data.count(b"\x30\x80") > 1000:
        return None
    try:
        info, _rest = decode(data, asn1Spec=rfc5652.ContentInfo())
        if info["contentType"] != rfc5652.id_signedData:
            return None
        signed, _rest = decode(info["content"], asn1Spec=rfc5652.SignedData())
        content = signed["encapContentInfo"]["eContent"]
        return bytes(content) if content.isValue else None
    except (PyAsn1Error, ValueError, TypeError, KeyError, IndexError, RecursionError, AttributeError, OverflowError):
        return None


def unarmoured(lines: list[str]) -> list[str]:
    """The lines of a text with the armour of inline PGP signatures taken off (RFC 9580, 7).

    Its marks, headers and signature go, and `- ` in front of dashes.
    """
    if "-----BEGIN PGP SIGNED MESSAGE-----" not in (line.rstrip() for line in lines):
        return lines
    clear: list[str] = []
    where = "outside"
    for line in lines:
        mark = line.rstrip()
        if mark == "-----BEGIN PGP SIGNED MESSAGE-----":
            where = "head"
        elif where == "head":
            where = "text" if not mark else where
        elif where == "text" and mark == "-----BEGIN PGP SIGNATURE-----":
            where = "signature"
        elif where == "signature":
            where = "outside" if mark == "-----END PGP SIGNATURE-----" else where
        else:
            clear.append(line[2:] if where == "text" and line.startswith("- ") else line)
    return clear


def why_unread(name: str, kind: str, data: bytes) -> str:
    """Why orders that may stand in an attachment cannot be read: the reason for word processors' files, PDFs and archives; else ""."""
    low = name.lower()
    if low.endswith(".pdf") or kind == "application/pdf" or data[:1024].lstrip().startswith(b"%PDF-"):
        return _("orders are not read out of a PDF; send the order file itself, or write the orders into the message")
    if (_DOCUMENTS.search(low) or kind in ("application/msword", "application/rtf", "text/rtf") or "officedocument" in kind or "opendocument" in kind
            or data.startswith((b"{\\rtf", b"\xd0\xcf\x11\xe0")) or data.startswith(b"PK\x03\x04") and data[30:50].startswith(_OFFICE_FILES)):
        return _("orders are not read out of a word processor's document; save it as plain text, or write the orders into the message")
    if _ARCHIVES.search(low) or data.startswith((b"Rar!", b"7z\xbc\xaf\x27\x1c", b"\x1f\x8b")):
        return _("this kind of archive is not opened; send the order file as it is")
    return ""
