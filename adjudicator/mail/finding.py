"""Find order files in the lines of a text, whatever stands around them."""

import difflib
import re
from bisect import bisect_right
from dataclasses import dataclass

from .quoted import boundary

ENVELOPE = ("campaign", "turn", "seat", "token")
KEYS = (*ENVELOPE, "orders", "messages", "salt", "final", "absent", "request", "do")
MOST_BLOCKS = 200
MOST_CUT = 60
_MOST_WALKED = 4000
"""Lines of a short text that are gone through again and again, each time from another key."""
_MOST_CHARACTERS = 300_000
"""Of one order file: enough for it to be refused as too large."""
_MOST_BETWEEN = 40
"""Lines without a known key after which an order file does not go on."""
_WRAPPED_FROM = 60
"""A comment that would have been longer than this with the next word may have been wrapped on the way."""

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_ODD_SPACE = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_KEY = re.compile(r"([ \t]*)([*_\"']{0,2})(" + "|".join(KEYS) + r")([*_\"']{0,2})[ \t]?:", re.IGNORECASE)
_WORD = re.compile(r"([A-Za-z][\w-]{1,20})[ \t]?:(\s|$)")
_STRINGS = re.compile(r"""(?<![^\s\[{,:])(?:"(?:\\.|[^"\\])*"|'[^']*')""")
_STRING_BEGINS = re.compile(r"""(?<![^\s\[{,:])\"""")
_ALL_BOLD = re.compile(r"^(\s*(?:- )?)(\*{1,2})([^*\s](?:[^*]*[^*\s])?)\2\s*$")
_KEY_BOLD = re.compile(r"^(\s*(?:- )?)(\*{1,2})([^*\s:]+)\s?(:?)\2(:?)")
_KEYS_AT_LINE_START = re.compile(r"(?:^|[\r\n\u0085\u2028\u2029])[ \t\u00a0\ufeff\u200b]*[\"']?(" + "|".join(KEYS) + r")[\"']?[ \t\u00a0]*:",
                                 re.IGNORECASE)


@dataclass(frozen=True)
class Block:
    """An order file in a text.

    first: number of the line (from 0) with its first key
    end:   number of the line after its last
    lines: its lines, moved to the left margin
    cut:   what stands behind it and was not read: the first line, at most 60 characters; "" for signatures, quotes and the like
    """

    first: int
    end: int
    lines: list[str]
    cut: str


def is_order_file(text: str) -> bool:
    """True if the envelope stands in a file: two of its keys, or one that is a campaign or token with another known key, at the starts of lines."""
    return _is_enough({match.lower() for match in _KEYS_AT_LINE_START.findall(text)})


def _is_enough(keys) -> bool:
    return sum(key in keys for key in ENVELOPE) >= 2 or len(keys) >= 2 and ("campaign" in keys or "token" in keys)


def blocks(lines: list[str]) -> list[Block]:
    """The order files in a text, from top to bottom, at most 10."""
    lines = [_plain(line) for line in lines]
    starts = [(number, match) for number, match in ((number, _KEY.match(line)) for number, line in enumerate(lines)) if match]
    if len(starts) < 2:
        return []
    keys = _Keys(lines, starts)
    return _blocks(keys, ENVELOPE) or _blocks(keys, KEYS)


def _blocks(keys: "_Keys", first_keys: tuple[str, ...]) -> list[Block]:
    """The order files that begin with one of these keys: a heading such as `Orders:` is no beginning where there is a better one."""
    starts = [(number, keys.matches[number]) for number in keys.numbers if keys.matches[number].group(3).lower() in first_keys]
    found: list[Block] = []
    at, walked = 0, 0
    while at < len(starts) and len(found) < MOST_BLOCKS and walked < 4 * len(keys.lines) + _MOST_WALKED:
        number, match = starts[at]
        walk = _Walk(keys, number)
        block = walk.block()
        walked += max(walk.last - number, 0) + 50
        at += 1
        if block is not None:
            found.append(block)
            while at < len(starts) and starts[at][0] < block.end:
                at += 1
        elif not walk.began_with_heading:
            at = _next_start(keys, starts, at, number, match)
    return found


def _next_start(keys: "_Keys", starts: list[tuple[int, re.Match[str]]], at: int, number: int, match: re.Match[str]) -> int:
    """Where to look next after a key that began no order file: behind what ends a text, or at another indentation.

    A heading may stand above an indented file.
    """
    line = number + 1
    while at < len(starts):
        if len(starts[at][1].group(1)) != len(match.group(1)):
            break
        while line < starts[at][0] and not keys.boundary(line):
            line += 1
        if line < starts[at][0]:
            break
        at += 1
    return at


def _is_mistyped(word: str) -> bool:
    """True for a word that is nearly a known key and begins like it."""
    return bool(difflib.get_close_matches(word, [key for key in KEYS if key[0] == word[0]], 1, 0.78))


def _plain(line: str) -> str:
    """Without what is not seen, odd spaces made plain."""
    return line.rstrip() if line.isascii() else _ODD_SPACE.sub(" ", _INVISIBLE.sub("", line)).rstrip()


class _Keys:
    """The lines of a text, and which of them bear known keys."""

    def __init__(self, lines: list[str], starts: list[tuple[int, re.Match[str]]]) -> None:
        self.lines = lines
        self.numbers = [number for number, _match in starts]
        self.matches = dict(starts)
        self._boundaries: dict[int, str] = {}

    def boundary(self, number: int) -> str:
        if number not in self._boundaries:
            self._boundaries[number] = boundary(self.lines, number)
        return self._boundaries[number]

    def come_again(self, number: int, base: int, seen: dict[str, int]) -> bool:
        """True if a known key that was not seen yet stands at the base below this line, with nothing between that ends a text."""
        place = bisect_right(self.numbers, number)
        for other in self.numbers[place:place + _MOST_BETWEEN]:
            if other - number > _MOST_BETWEEN:
                return False
            match = self.matches[other]
            if len(match.group(1)) == base:
                return match.group(3).lower() not in seen and not any(self.boundary(line) for line in range(number + 1, other))
        return False


class _Walk:
    """Goes down from the first key of an order file to its end."""

    def __init__(self, keys: _Keys, first: int) -> None:
        self.keys, self.first = keys, first
        self.base = len(keys.matches[first].group(1))
        self.bold = "*" in keys.matches[first].group(2)
        self.seen: dict[str, int] = {}
        self.taken: dict[int, str] = {}  # line -> its text, where that is not as it stands
        self.last = first                # the last line that belongs to the file
        self.last_content = ""           # the last line that is no comment
        self.content_at = first          # and its number
        self.comment_at = -1             # the last line of content with a comment at its end
        self.began_with_heading = False  # the first key was none of the file's
        self.under = ""                  # what has come under the last key at the base: "" (nothing), "value", "flow", "item" or "deeper"
        self.open = 0                    # brackets that are open
        self.quote = False               # whether a double quotation mark is open

    def block(self) -> Block | None:
        """The order file; None if it is none."""
        number, cut, size = self.first, "", 0
        lines = self.keys.lines
        while number < len(lines) and size < _MOST_CHARACTERS:
            size += len(lines[number]) + 1
            if lines[number].strip():
                verdict = self._take(number)
                if verdict is not None:
                    cut = verdict
                    break
                self.last = number
            number += 1
        if not _is_enough(self.seen):
            return None
        start = self._comments_above()
        texts = [self.taken.get(number, lines[number]) for number in range(start, self.last + 1)]
        if self.bold:
            texts = [_KEY_BOLD.sub(r"\1\3\4\5", _ALL_BOLD.sub(r"\1\3", text)) for text in texts]
        return Block(self.first, self.last + 1, [self._dedented(text) for text in texts], cut)

    def _dedented(self, text: str) -> str:
        return text[min(self.base, len(text) - len(text.lstrip())):]

    def _comments_above(self) -> int:
        """The first line of the comments right above the first key; a blank line may stand between."""
        start, number, blank = self.first, self.first - 1, 0
        while number >= 0 and blank < 2:
            line = self.keys.lines[number].strip()
            blank = 0 if line else blank + 1
            if line.startswith("#"):
                start = number
            elif line:
                break
            number -= 1
        return start

    def _take(self, number: int) -> str | None:
        """None if the line belongs to the file; else what of it is to be told as cut off."""
        line = self.keys.lines[number]
        indent = len(line) - len(line.lstrip())
        if number - self.content_at > 1:  # what is left open goes on in the next line or is a mistake
            self.open, self.quote = 0, False
        if line.lstrip().startswith("#"):
            return None
        match = self.keys.matches.get(number)
        if indent > self.base:
            if match and match.group(3).lower() in ENVELOPE and self.under == "value" and not self.open and not self.quote:
                return ""  # nothing can stand under `key: value`: this is a file of its own
            self._content(number, self.under if self.under == "item" else "deeper")
            return None
        if match:
            self.open, self.quote = 0, False
            return self._take_key(number, match)
        if self.keys.boundary(number):
            return ""
        return self._take_other(number, line)

    def _take_key(self, number: int, match: re.Match[str]) -> str | None:
        key = match.group(3).lower()
        if key in self.seen:
            if self._is_wrapped(number):
                return self._take_as_comment(number)
            if self.seen[key] == self.first and not self.keys.lines[self.first + 1].strip():
                self.began_with_heading, self.seen = True, {}
                return ""
            if key == "campaign" or key in ENVELOPE and _is_enough(self.seen) and "orders" in self.seen:
                return ""  # the next file begins
        self.seen.setdefault(key, number)
        line = self.keys.lines[number]
        value = line[match.end():].strip(" *")
        self.under = ""
        self._content(number, "" if not value or value[0] == "#" else "flow" if value[0] in "[{\"'" else "deeper" if value[0] in "|>&!" else "value")
        return None

    def _take_other(self, number: int, line: str) -> str | None:
        """A line at the base, or left of it, without a known key."""
        text = line.strip()
        if self.open or self.quote:
            self._content(number, "")
            return None
        if text.startswith("- ") and self.under in ("", "item"):
            self._content(number, "item")
            return None
        comes_again = self.keys.come_again(number, self.base, self.seen)
        if self._is_wrapped(number) and (comes_again or self._goes_on(number)):
            return self._take_as_comment(number)
        word = _WORD.match(text)
        if word and (self.under == "" and self.last_content.strip(" *").endswith(":") or _is_mistyped(word.group(1).lower())):
            self._content(number, "")
            return None
        if self._is_after_comment(number) and comes_again:
            return self._take_as_comment(number)
        if comes_again:
            self._content(number, "")
            return None
        return text if len(text) <= MOST_CUT else text[:MOST_CUT - 1] + "…"

    def _content(self, number: int, under: str) -> None:
        """Note what a line of content leaves open: brackets, and a string in double quotation marks."""
        line = self.keys.lines[number]
        self.last_content, self.content_at = line, number
        self.under = under or self.under
        if self.quote:
            _before, mark, line = line.partition('"')
            self.quote = not mark
            if self.quote:
                return
        bare, *comment = re.split(r"(?:^|\s)#", _STRINGS.sub(" ", line), maxsplit=1)
        self.comment_at = number if comment else self.comment_at
        begun = _STRING_BEGINS.search(bare)
        self.quote = begun is not None
        bare = bare[:begun.start()] if begun else bare
        self.open = max(0, self.open + sum(bare.count(mark) for mark in "[{") - sum(bare.count(mark) for mark in "]}"))

    def _take_as_comment(self, number: int) -> None:
        before = self.taken.get(number - 1, self.keys.lines[number - 1])
        indent = len(before) - len(before.lstrip())
        self.taken[number] = " " * indent + "# " + self.keys.lines[number].strip()

    def _is_after_comment(self, number: int) -> bool:
        before = self.taken.get(number - 1, self.keys.lines[number - 1])
        return self.last == number - 1 and (self.comment_at == number - 1 or before.lstrip().startswith("#"))

    def _is_wrapped(self, number: int) -> bool:
        """True if the line may be the rest of a comment that was too long for a program on the way."""
        if not self._is_after_comment(number):
            return False
        before, line = self.keys.lines[number - 1], self.keys.lines[number]
        return len(before) + 1 + len(line.split()[0]) > _WRAPPED_FROM

    def _goes_on(self, number: int) -> bool:
        """True if the next line that is not blank is a comment, or deeper than the base."""
        for line in self.keys.lines[number + 1:number + 4]:
            if line.strip():
                return line.lstrip().startswith("#") or len(line) - len(line.lstrip()) > self.base
        return False
