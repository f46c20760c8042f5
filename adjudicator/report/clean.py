"""Text that people wrote, made safe to show: no control characters, nothing that turns the line around."""

import unicodedata

from . import bundle

UNKNOWN = "\N{REPLACEMENT CHARACTER}"
NO_GLYPH = "\N{WHITE VERTICAL RECTANGLE}"
_DROPPED = frozenset([0xAD, 0x61C, 0x180E, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), *range(0xFFF9, 0xFFFC),
                      *range(0xFE00, 0xFE10), *range(0xE0000, 0xE0200)]) - {0x2010}
_SPACES = frozenset([0x85, 0x2028, 0x2029])


def clean(text: str) -> str:
    """The text without characters that cannot be seen or that change how others are read.

    Control characters and halves of pairs become a visible mark; marks of direction and other invisible ones go.
    """
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(_cleaned(letter) for letter in text)


def _cleaned(letter: str) -> str:
    code = ord(letter)
    if code in _DROPPED:
        return ""
    if code in _SPACES:
        return "\n"
    if (code < 0x20 and letter not in "\n\t") or 0x7F <= code < 0xA0 or 0xD800 <= code < 0xE000 or code & 0xFFFE == 0xFFFE or 0xFDD0 <= code < 0xFDF0:
        return UNKNOWN
    return letter


def drawable(text: str) -> str:
    """The text with a box for every letter that the bundled fonts cannot draw, so that paper looks the same on every machine."""
    text = clean(text)
    if text.isascii():
        return text
    known = bundle.letters()
    text = unicodedata.normalize("NFC", text)
    return "".join(letter if ord(letter) in known or letter in "\n\t" else "" if unicodedata.combining(letter) else NO_GLYPH for letter in text)


def width(text: str) -> int:
    """Columns that the text takes in a terminal."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)
