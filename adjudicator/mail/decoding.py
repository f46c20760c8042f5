"""Turn the bytes of a message into text: charsets that lie, headers, addresses, names, wrapped paragraphs."""

import codecs
import re
from email.errors import HeaderParseError
from email.header import decode_header
from email.utils import getaddresses

import idna

MOST_HEADER = 4000
"""Characters of one header that are looked at."""

_SAYS_NOTHING = {"", "ascii", "us-ascii", "iso8859-1", "cp1252", "unknown", "unknown-8bit", "x-unknown", "default", "x-user-defined"}
"""Charsets that programs write when they do not know, or mean another."""
_NO_CHARSETS = {"punycode", "idna", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem", "palmos"}
_OTHER_NAMES = {"cp-1251": "cp1251", "win-1251": "cp1251", "win1251": "cp1251", "x-cp1251": "cp1251", "ansi-1251": "cp1251",
                "koi8": "koi8-r", "x-koi8-r": "koi8-r",
                "win-1252": "cp1252", "ansi": "cp1252",
                "utf": "utf-8", "unicode-1-1-utf-7": "utf-7", "unicode-1-1-utf-8": "utf-8", "utf8mb4": "utf-8",
                "x-mac-cyrillic": "mac_cyrillic", "macintosh": "mac_roman", "x-mac-roman": "mac_roman", "x-sjis": "shift_jis", "x-gbk": "gbk"}
_MANY_BYTES = re.compile("gb|big5|shift_jis|euc|iso2022|hz|johab|cp9[345]|utf")
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_CYRILLIC = ("cp1251", "koi8-r", "cp866")
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]")
"""Control characters, and those that turn text around or are not seen."""
_ID = re.compile(r"<[^<>\s\x00-\x1f\x7f-\x9f]{1,248}>")


def text_of(data: bytes, declared: str = "") -> str:
    """Bytes as text. What is valid UTF-8 is UTF-8; else the declared charset counts, unless it says nothing or does not exist: then it is guessed."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark):].decode(encoding, errors="replace")
    charset = _charset(declared)
    if _MANY_BYTES.match(charset) and charset != "utf-8":
        return data.decode(charset, errors="replace")
    sample = data[:4000]
    for start, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        if len(sample) > 3 and sample[start::2].count(0) > len(sample) // 4:
            return data.decode(encoding, errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data" and len(data) > 1000:  # a long text that was cut in the middle of a letter
            return data.decode("utf-8", errors="replace")
    if charset and charset != "utf-8":
        return data.decode(charset, errors="replace")
    return data.decode(_guess(data), errors="replace")


def _charset(declared: str) -> str:
    """The name of the codec for a declared charset; "" if it says nothing or does not exist."""
    found = re.search(r"[\w.:-]{2,40}", declared.strip().partition("*")[0].lower(), re.ASCII)
    if found is None:
        return ""
    try:
        name = codecs.lookup(_OTHER_NAMES.get(found.group(), found.group())).name
        b"x".decode(name)
    except (LookupError, ValueError):  # LookupError too for codecs that are no charsets (zlib, base64)
        return ""
    return "" if name in _SAYS_NOTHING or name in _NO_CHARSETS else name


def _guess(data: bytes) -> str:
    """Western European or one of the Cyrillic charsets.

    Cyrillic words have nearly no ASCII letters, Western ones are mostly ASCII. Statistics over whole texts (the library
    charset-normalizer) err on texts of a few words, which is what names in an order file are.
    """
    words = re.findall(rb"[A-Za-z\x80-\xff]+", data[:20_000])
    high = [(len(word), sum(byte > 127 for byte in word)) for word in words]
    foreign = sum(count for length, count in high if length > 1 and count * 4 > length * 3)
    western = sum(count for length, count in high if count * 4 <= length * 3)
    if foreign <= western:
        return "cp1252"
    return max(_CYRILLIC, key=lambda charset: _likeness(data[:20_000].decode(charset, errors="replace")))


def _likeness(text: str) -> int:
    """How much a text looks like Russian: small letters count for it, capitals within words and odd signs against it."""
    small = len(re.findall("[а-яё]", text))
    inner = len(re.findall("(?<=[а-яё])[А-ЯЁ]", text))
    odd = len(re.findall("[\u0080-\u00a0\u2500-\u25a1\u0402-\u040f\u0452-\u045f\ufffd]", text))
    return small - 2 * inner - 2 * odd


def header(raw: str) -> str:
    """A header as text on one line, encoded words decoded. `raw` may hold undecodable bytes as surrogates, as the e-mail package gives them."""
    text = " ".join(_bytes_decoded(raw[:MOST_HEADER]).split())
    if "=?" in text:
        try:
            pieces = decode_header(text)
        except (HeaderParseError, ValueError):
            pieces = [(text, None)]
        return "".join(_piece(piece, charset) for piece, charset in pieces)
    return text


def _piece(piece: str | bytes, charset: str | None) -> str:
    """One piece as the package gives it: text, bytes of an encoded word, or what stands between such words."""
    if isinstance(piece, str):
        return piece
    return piece.decode("raw_unicode_escape", errors="replace") if charset is None else text_of(piece, charset)


def _bytes_decoded(raw: str) -> str:
    if raw.isascii():
        return raw
    try:
        return text_of(raw.encode("utf-8", errors="surrogateescape"))
    except UnicodeEncodeError:  # surrogates that stand for no byte
        return _UNSEEN.sub("\ufffd", raw)


def harmless(text: str, most: int) -> str:
    """Text for a message to people: one line, no control characters, nothing that turns the direction of writing, at most `most` characters."""
    text = " ".join(_UNSEEN.sub(" ", text).split())
    return text if len(text) <= most else text[:most - 1] + "…"


def file_name(raw: str, most: int = 80) -> str:
    """What a sender calls a file, made harmless: no path, and short enough with its ending kept. "" if nothing is left."""
    name = harmless(re.split(r"[/\\]", header(raw).replace("\x00", ""))[-1], MOST_HEADER).strip(". ")
    if len(name) <= most:
        return name
    stem, dot, ending = name.rpartition(".")
    return f"{name[:most - 2 - len(ending)]}….{ending}" if dot and len(ending) <= 10 and stem else name[:most - 1] + "…"


def address(raw: str) -> str:
    """The bare address of a From header: domain in small ASCII letters (IDNA). "" if there is none that can be used."""
    for text in (_bytes_decoded(raw[:MOST_HEADER]), header(raw)):  # the second for programs that encode the address too
        try:
            pairs = getaddresses([" ".join(text.split())])
        except (ValueError, IndexError, TypeError):
            pairs = []
        for _name, found in pairs:
            bare = bare_address(found)
            if bare:
                return bare
    return ""


def bare_address(text: str) -> str:
    """`local@Domain` with the domain in small ASCII letters; "" if it is no address."""
    local, at, domain = text.strip().strip("<>").rpartition("@")
    domain = domain.rstrip(".").lower()
    if not at or not local or not domain or len(text) > 320 or re.search(r"[\s<>(),;:\\]", local.strip('"') + domain) or _UNSEEN.search(text):
        return ""
    if not domain.isascii():
        try:
            domain = idna.encode(domain, uts46=True).decode("ascii")
        except UnicodeError:  # idna.IDNAError is one
            return ""
    return f"{local}@{domain}"


def message_ids(raw: str) -> list[str]:
    """The Message-IDs in a header, each with its angle brackets and at most 250 characters of printable ASCII; the last 50 of them."""
    return [name for name in _ID.findall(raw) if name.isascii() and name.isprintable()][-50:]


def unflowed(text: str, delete_space: bool) -> list[str]:
    """The lines of a text with format=flowed (RFC 3676), soft breaks undone; quotes keep their `>` and one space.

    Some programs say "flowed" and send lines with spaces at their ends that are meant to end there: what begins like a line of
    an order file (indented, a comment, a list item, a known key) is never joined to the line before.
    """
    lines: list[str] = []
    open_depth = -1  # the depth of quotes of the last line if it goes on, else -1
    for line in text.split("\n"):
        rest = line.lstrip(">")
        depth = len(line) - len(rest)
        rest = rest[1:] if rest[:1] == " " else rest
        goes_on = rest.endswith(" ") and rest != "-- "
        if goes_on and delete_space:
            rest = rest[:-1]
        if depth == open_depth and rest.strip() and rest != "-- " and not _BEGINS_A_LINE.match(rest):
            lines[-1] += rest
        else:
            lines.append(">" * depth + (" " if depth else "") + rest)
        open_depth = depth if goes_on and rest.strip() else -1
    return lines


_BEGINS_A_LINE = re.compile(r"[\s\u00a0#]|- |(?:campaign|turn|seat|token|orders|messages|salt|final|absent|request|do)\s*:", re.IGNORECASE)
