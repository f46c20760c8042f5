"""Load the YAML of an order file: strict where guessing is dangerous, kind everywhere else, and never without a position."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (AliasEvent, DocumentStartEvent, Event, MappingEndEvent, MappingStartEvent, ScalarEvent,
                                SequenceEndEvent, SequenceStartEvent)

from ..core.names import fold
from ..core.orders import DOUBTFUL, REFUSED, Problem
from ..core.values import Broken, Items, Mapping, Scalar, Spot, Value, is_empty
from ..core.words import _

try:
    from _ruamel_yaml import CParser
except ImportError:  # no wheel for this machine: everything is read by the parser in Python
    CParser = None

MOST_BYTES = 256 * 1024
MOST_LEVELS = 40
MOST_REPAIRS = 25

_MARK = "\ue000"
"""Stands in the text for a part that could not be read; refused where a player typed it."""
_ODD_SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_INVISIBLE = re.compile("[\u200b\u200c\u200d\u2060\ufeff]")
_LINE_BREAKS = re.compile("\r\n|\r|\u0085|\u2028|\u2029")
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ue000\ufffe\uffff]")
_KEY = re.compile(r"^(\s*)([\w][\w .-]*?)\s*:(\s|$)")
_NO_SPACE = re.compile(r"(?:- +)?([A-Za-z_][\w-]*):(?=[^\s:/])")
_ODD_BLOCK = re.compile("[|>][-+0-9]*#")
_SMART_QUOTES = re.compile("[\u201c\u201d\u201e\u201f\u00ab\u00bb\u2018\u2019\u201a]")


_STARTS = (MappingStartEvent, SequenceStartEvent)
_ENDS = (MappingEndEvent, SequenceEndEvent)


class _TooDeep(MarkedYAMLError):
    """The parser stops here: going on costs more than time allows (each level makes every later one dearer)."""


@dataclass
class Loaded:
    """What was found in a file.

    value:    the mapping at its top; None if there is none
    problems: what concerns the file as a whole; problems inside an order hang in `value` as Broken
    text:     the file as text, lines ended by a line feed: positions of problems go by it
    hints:    line -> advice that fits what stands in that line
    empty:    nothing but space and comments, or only a sentence: no order file at all
    """

    value: Mapping | None = None
    problems: list[Problem] = field(default_factory=list)
    text: str = ""
    hints: dict[int, str] = field(default_factory=dict)
    empty: bool = False


def load(data: bytes) -> Loaded:
    """Read the bytes of an order file. Never raises for what stands in them."""
    loaded = Loaded()
    if len(data) > MOST_BYTES:
        loaded.problems.append(Problem(REFUSED, "TOO-LONG", _("this file has {size} KiB; an order file has at most {most} KiB").format(
            size=len(data) // 1024, most=MOST_BYTES // 1024), line=1, column=1))
        return loaded
    text = _decode(data, loaded.problems)
    loaded.text = text = _clean(_LINE_BREAKS.sub("\n", text), loaded)
    if _refuse_forbidden(text, loaded.problems):
        return loaded
    lines = text.split("\n")
    _find_hints(lines, loaded.hints)
    lines = _without_tabs_and_directives(lines, loaded)
    fatal = any(problem.kind == REFUSED for problem in loaded.problems)
    value = _parse_repairing(lines, loaded)
    if value is None and not any(problem.kind == REFUSED for problem in loaded.problems):
        loaded.empty = True
        loaded.problems.append(Problem(REFUSED, "NO-ORDERS", _("no orders were found in this file"), line=1, column=1,
                                       allowed=_("campaign, turn, seat, token and orders, each as `key: value`")))
    loaded.value = None if fatal else value
    return loaded


def _decode(data: bytes, problems: list[Problem]) -> str:
    """Bytes to text; what is not UTF-8 is recognised, and the player is told."""
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if data.startswith(mark):
            text = data[len(mark):].decode(encoding, errors="replace")
            if encoding != "utf-8":
                problems.append(Problem(DOUBTFUL, "ENCODING", _("this file is written in UTF-16; it was read all the same"), line=1, column=1,
                                        suggestion=_("save it as UTF-8 if letters look wrong in your receipt")))
            return text
    if len(data) > 3 and data[1::2].count(0) > len(data) // 4:
        problems.append(Problem(DOUBTFUL, "ENCODING", _("this file is written in UTF-16; it was read all the same"), line=1, column=1))
        return data.decode("utf-16-le", errors="replace")
    if len(data) > 3 and data[0::2].count(0) > len(data) // 4:
        problems.append(Problem(DOUBTFUL, "ENCODING", _("this file is written in UTF-16; it was read all the same"), line=1, column=1))
        return data.decode("utf-16-be", errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[:error.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1:].decode("utf-8", errors="replace")) + 1
        problems.append(Problem(DOUBTFUL, "ENCODING", _("this file is not UTF-8 (the first other letter stands here); it was read as Western European text"),
                                line=line, column=column, suggestion=_("save it as UTF-8 if letters look wrong in your receipt")))
        return data.decode("cp1252", errors="replace").replace("\x81", "\ufffd")


def _clean(text: str, loaded: Loaded) -> str:
    """Odd spaces become plain ones, invisible characters go; the player is told once where the first stood in front of words."""
    found = re.search("(?m)^[ \t]*[\u00a0\u2000-\u200a\u202f\u205f\u3000]", text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        loaded.problems.append(Problem(DOUBTFUL, "ODD-SPACE", _("this line is indented with non-breaking spaces; they were read as plain spaces"),
                                       line=line, column=1, length=max(1, found.end() - found.start())))
    return _INVISIBLE.sub("", _ODD_SPACES.sub(" ", text))


def _refuse_forbidden(text: str, problems: list[Problem]) -> bool:
    """Control characters make a file unreadable; each of the first few is shown."""
    found = list(_FORBIDDEN.finditer(text))
    for match in found[:5]:
        start = match.start()
        problems.append(Problem(REFUSED, "BAD-CHARACTER", _("an invisible control character (U+{code:04X}) stands here").format(code=ord(match.group())),
                                line=text.count("\n", 0, start) + 1, column=start - text.rfind("\n", 0, start),
                                suggestion=_("this is no plain text file, or it was damaged on the way; write it in a text editor")))
    return bool(found)


def _find_hints(lines: list[str], hints: dict[int, str]) -> None:
    for number, line in enumerate(lines, 1):
        missing = _NO_SPACE.match(line.lstrip())
        if missing:
            hints[number] = _("a space is missing after the colon: write `{key}: …`").format(key=missing.group(1))
        elif _SMART_QUOTES.search(line):
            hints[number] = _("quotation marks like “ ” or « » mean nothing here; use the straight \" or '")


def _without_tabs_and_directives(lines: list[str], loaded: Loaded) -> list[str]:
    """Tabs in front of words and `%` lines are refused; the rest of the file is still looked through."""
    clean = []
    for number, line in enumerate(lines, 1):
        indent = line[:len(line) - len(line.lstrip())]
        if "\t" in indent and line.strip() and not line.lstrip().startswith("#"):
            loaded.problems.append(Problem(REFUSED, "TAB", _("this line is indented with a tab"), line=number, column=indent.index("\t") + 1,
                                           allowed=_("spaces only, two for each level")))
            line = line.replace("\t", "  ")
        elif line.startswith("%"):
            loaded.problems.append(Problem(REFUSED, "DIRECTIVE", _("a line that begins with % may not stand in an order file"), found=line[:40], line=number, column=1,
                                           length=max(1, len(line.rstrip())), suggestion=_("delete this line")))
            line = "#" + line[1:]
        clean.append(line)
    return clean


def _parse_repairing(lines: list[str], loaded: Loaded) -> Mapping | None:
    """Parse; where the YAML is broken, take out the order that the break lies in, note it, and try the rest."""
    broken: list[Problem] = []
    for _attempt in range(MOST_REPAIRS):
        try:
            return _compose("\n".join(lines) + "\n", broken, loaded)
        except MarkedYAMLError as error:
            problem, line = _in_words(error, lines, loaded.hints)
        except (YAMLError, ValueError, RecursionError) as error:
            loaded.problems.append(Problem(REFUSED, "NO-YAML", _("this file cannot be read: {why}").format(why=str(error).split("\n")[0]), line=1, column=1))
            return None
        start, end, key, indent = _block_around(lines, line)
        if key is None or lines[start].lstrip().startswith(_MARK) or _MARK in lines[start]:
            loaded.problems.append(problem)
            if lines[start:end] == ["#" for _line in lines[start:end]]:
                return None
            lines = [*lines[:start], *["#"] * (end - start), *lines[end:]]
            continue
        broken.append(problem)
        lines = [*lines[:start], f"{indent}{key}: {_MARK}{len(broken) - 1}", *["#"] * (end - start - 1), *lines[end:]]
    loaded.problems.append(Problem(REFUSED, "NO-YAML", _("there are too many mistakes in this file to read it"), line=1, column=1,
                                   suggestion=_("begin again with the order file that came with your report")))
    return None


def _block_around(lines: list[str], line: int) -> tuple[int, int, str | None, str]:
    """The lines (from, to) of the order, or else the top-level key, around a line; its key (None: no key there) and indentation."""
    orders = next((number for number, text in enumerate(lines) if re.match(r"orders\s*:", text)), None)
    level = 0
    line = min(line, len(lines) - 1)
    if orders is not None and line > orders:
        top = next((number for number in range(orders + 1, len(lines)) if lines[number][:1] not in ("", " ", "#")), len(lines))
        inner = [len(text) - len(text.lstrip()) for text in lines[orders + 1:top] if text.strip() and not text.lstrip().startswith("#")]
        if line < top and inner:
            level = inner[0]
    start = line
    while start > 0 and (not lines[start].strip() or lines[start].lstrip().startswith("#") or len(lines[start]) - len(lines[start].lstrip()) > level):
        start -= 1
    indent = len(lines[start]) - len(lines[start].lstrip())
    end = start + 1
    while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > indent):
        end += 1
    match = _KEY.match(lines[start])
    return start, end, (match.group(2) if match else None), " " * indent


def _in_words(error: MarkedYAMLError, lines: list[str], hints: dict[int, str]) -> tuple[Problem, int]:
    """A parser's complaint as a problem, and the line (from 0) to take out."""
    text = str(error.problem or error.context or "")
    mark = error.problem_mark or error.context_mark
    began = error.context_mark or mark
    line, column = (mark.line, mark.column) if mark else (0, 0)
    at = began.line if began and began.line <= line else line
    if isinstance(error, _TooDeep):
        message = text
    elif "unexpected end of stream" in text or "while scanning a quoted scalar" in str(error.context):
        message, line, column = _("this quotation mark is never closed"), began.line, began.column
    elif "flow sequence" in str(error.context) or "expected ',' or ']'" in text:
        message, line, column = _("this bracket [ is not closed, or something in the list has no comma before it"), began.line, began.column
    elif "flow mapping" in str(error.context) or "expected ',' or '}'" in text:
        message, line, column = _("this brace {{ is not closed, or something in it has no comma before it").format(), began.line, began.column
    elif "mapping values are not allowed" in text:
        message, at = _("a colon with a space cannot stand here"), line
    elif "block end" in text or "block mapping" in str(error.context) or "block collection" in str(error.context):
        message, at = _("this line does not fit in: its indentation differs from the lines it belongs to, or it is no `key: value`"), line
    elif "could not find expected ':'" in text:
        message, line, column = _("this line is no `key: value` pair"), began.line, began.column
    elif "cannot start any token" in text:
        message, at = _("a word may not begin with this character; put it in quotation marks"), line
    elif "escape" in text:
        message = _("a backslash in double quotation marks begins a code; use single quotation marks")
    else:
        message = _("this is not YAML: {why}").format(why=text)
    advice = hints.get(line + 1) or hints.get(at + 1) or (_("text with a colon in it goes between quotation marks") if "colon" in message else "")
    line = min(line, len(lines) - 1)
    found = " ".join(lines[line][column:].split())[:40]
    return Problem(REFUSED, "NO-YAML", message, found=found, line=line + 1, column=column + 1, suggestion=advice,
                   length=max(1, min(len(found), 30)), allowed=""), at


def _compose(text: str, broken: list[Problem], loaded: Loaded) -> Mapping | None:
    """YAML events to values. Written without recursion, so that depth is bounded by MOST_LEVELS and not by the machine."""
    top: list[Value] = []
    stack: list[tuple[Value, list, dict]] = []  # (container, key waiting for its value, folded key -> place)
    documents = 0

    def add(value: Value) -> None:
        if not stack:
            top.append(value)
            return
        container, waiting, places = stack[-1]
        if isinstance(container, Items):
            container.items.append(value.broken if isinstance(value, _Discarded) else value)
        elif not waiting:
            waiting.append(value)
        else:
            _pair(container, places, waiting.pop(), value)

    for event in _events(text):
        kind = type(event)
        if kind is ScalarEvent:
            if event.anchor or _has_tag(event):
                add(_tag_or_anchor(event))
            elif event.value[:1] == _MARK:
                problem = broken[int(event.value[1:])]
                add(Broken(problem, Spot(problem.line, problem.column, problem.length)))
            else:
                add(Scalar(event.value, _spot(event), bool(event.style)))
        elif kind is MappingStartEvent or kind is SequenceStartEvent:
            if len(stack) == MOST_LEVELS:
                raise _TooDeep(problem=_("this is nested more than {most} levels deep").format(most=MOST_LEVELS), problem_mark=event.start_mark)
            if event.anchor or _has_tag(event):
                stack.append((_Discarded(_tag_or_anchor(event)), [], {}))
            else:
                stack.append(((Mapping if kind is MappingStartEvent else Items)(spot=_spot(event)), [], {}))
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            add(stack.pop()[0])
        elif kind is AliasEvent:
            add(_broken(event, "ALIAS", _("a word that begins with * stands for a copy of something else; that may not be used here"), _("write it out, or put it in quotation marks")))
        elif kind is DocumentStartEvent:
            documents += 1
            if documents == 2:
                loaded.problems.append(Problem(REFUSED, "TWO-DOCUMENTS", _("a second document begins here (after ---); an order file has one"),
                                               line=event.start_mark.line + 1, column=1, suggestion=_("send the second one as a file of its own")))
                break
    root = top[0] if top else None
    if isinstance(root, Mapping):
        return root
    if isinstance(root, _Discarded):
        root = root.broken
    if isinstance(root, Broken):
        loaded.problems.append(root.problem)
    elif isinstance(root, Items):
        loaded.problems.append(Problem(REFUSED, "NO-ORDERS", _("an order file is one mapping (key: value), and this is a list"), line=root.spot.line, column=root.spot.column))
    return None


def _events(text: str) -> Iterable[Event]:
    """The parser's events: from the library in C for a file in which all is plain, else from the one in Python.

    Both give the same events for such files (a test compares them); wherever they might differ (a mistake, an anchor, a
    tag, a value left out, a comment right behind `|`), Python's is asked, whose messages we know.
    """
    if CParser is not None and not _ODD_BLOCK.search(text):
        try:
            parser, events, depth = CParser(text), [], 0
            while parser.check_event():
                event = parser.get_event()
                events.append(event)
                depth += (type(event) in _STARTS) - (type(event) in _ENDS)
                if depth > MOST_LEVELS or not _is_plain(event):  # what lies deeper costs it more with every level
                    break
            else:
                return events
        except YAMLError:
            pass  # the parser in Python finds it too, and says where
    return YAML(typ="safe", pure=True).parse(text)


def _is_plain(event: Event) -> bool:
    """True if both parsers are sure to give this event alike."""
    if isinstance(event, AliasEvent):
        return False
    if isinstance(event, (MappingStartEvent, SequenceStartEvent, ScalarEvent)) and (event.anchor or event.tag):
        return False
    return not isinstance(event, ScalarEvent) or bool(event.value or event.style)


class _Discarded(Items):
    """A container that is refused whole: what stands in it is dropped, and it ends as its Broken."""

    def __init__(self, broken: Broken) -> None:
        super().__init__(spot=broken.spot)
        self.broken = broken


def _pair(mapping: Mapping, places: dict[str, int], key: Value, value: Value) -> None:
    """Add one `key: value`. A key that comes twice spoils both."""
    if isinstance(value, _Discarded):
        value = value.broken
    if isinstance(key, _Discarded):
        key = key.broken
    if not isinstance(key, Scalar):
        problem = key.problem if isinstance(key, Broken) else Problem(REFUSED, "BAD-KEY", _("what stands before a colon must be a word, not a list or mapping"),
                                                                      line=key.spot.line, column=key.spot.column)
        mapping.entries.append((Scalar("?", key.spot), Broken(problem, key.spot)))
        return
    if isinstance(value, Scalar) and is_empty(value) and not value.text:
        value.spot = key.spot   # nothing stands there: what is to be said of it is said of the key
    name = fold(key.text) or key.text
    if name in places:
        place = places[name]
        other = mapping.entries[place][0]
        problem = Problem(REFUSED, "DUPLICATE", _("the key {key!r} stands here a second time (first in line {line})").format(key=key.text, line=other.spot.line),
                          found=key.text, line=key.spot.line, column=key.spot.column, length=key.spot.length, suggestion=_("keep one of the two"))
        mapping.entries[place] = (other, Broken(problem, key.spot))
        return
    places[name] = len(mapping.entries)
    mapping.entries.append((key, value))


def _spot(event) -> Spot:
    start, end = event.start_mark, event.end_mark
    length = end.column - start.column if end.line == start.line else 1
    return Spot(start.line + 1, start.column + 1, max(1, length))


def _has_tag(event) -> bool:
    tag = getattr(event, "ctag", None) if hasattr(event, "ctag") else getattr(event, "tag", None)
    return tag is not None and str(tag) not in ("None", "")


def _broken(event, code: str, message: str, suggestion: str = "") -> Broken:
    spot = _spot(event)
    return Broken(Problem(REFUSED, code, message, line=spot.line, column=spot.column, length=spot.length, suggestion=suggestion), spot)


def _tag_or_anchor(event) -> Broken:
    if event.anchor:
        return _broken(event, "ANCHOR", _("a word that begins with & names a place to copy from; that may not be used here"), _("delete it, or put the text in quotation marks"))
    return _broken(event, "TAG", _("a word that begins with ! is a type tag; that may not be used here"), _("delete it, or put the text in quotation marks"))
