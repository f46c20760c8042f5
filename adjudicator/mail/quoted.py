"""Tell what the sender wrote from what the sender quoted, forwarded or left standing below."""

import re
from dataclasses import dataclass

QUOTED, FORWARDED = "quoted", "forwarded"
MOST_DEPTH = 8

_FORWARD = re.compile(
    r"Begin forwarded message:|Inizio messaggio inoltrato:|Начало переадресованного сообщения:"
    r"|Anfang der weitergeleiteten (Nachricht|E-Mail):|Début du message (transféré|réexpédié)\s*:"
    r"|[-=]{2,} ?(Forwarded (message|by)|Messaggio inoltrato"
    r"|Пересылаемое сообщение|Перенаправленное сообщение|Пересланное сообщение|Weitergeleitete Nachricht"
    r"|Message transféré|Mensaje reenviado|Mensagem encaminhada)", re.IGNORECASE)
_ORIGINAL = re.compile(
    r"-{2,} ?(Original Message|Original Appointment|Messaggio originale|Исходное сообщение"
    r"|Original-Nachricht|Ursprüngliche Nachricht|Message d['’]origine|Mensaje original|Reply message) ?-{2,}",
    re.IGNORECASE)
_FROM = re.compile(r"[*_]{0,2}(From|Da|От|От кого|Von|De|Van)\s?:[*_]{0,2}\s", re.IGNORECASE)
_OTHER_HEADER = re.compile(
    r"[*_]{0,2}(Sent|Date|To|Cc|Subject|Inviato|Data|A|Oggetto|Отправлено|Дата|Кому|Тема"
    r"|Gesendet|Datum|An|Betreff|Envoyé|À|Objet|Enviado|Para|Asunto|Assunto|Reply-To)\s?:[*_]{0,2}(\s|$)",
    re.IGNORECASE)
_WROTE = re.compile(r"\b(wrote|writes|ha scritto|scrive|пишет|пишут|писал|писала|написал|написала|schrieb|schreibt|a écrit|escribió|escreveu|schreef"
                    r"|napisał|skrev)\b", re.IGNORECASE)
_WROTE_START = re.compile(r"[*_]?(On|Il|In data|Le|Am|El|Em|Op|Den|W dniu|Dnia|At|Von)\b|.{0,60}\d|.{0,80}@"
                          r"|.{1,60}(wrote|writes|ha scritto|schrieb|a écrit|пишет)", re.IGNORECASE)
_ADDRESS_ENDS = re.compile(r".*\d.*<[^<>\s]+@[^<>\s]+>\s?\)?:\s*$")
_LINE = re.compile(r"[_=*]{10,}\s*$|-{20,}\s*$|-----(BEGIN|END) |```|~~~|(--|---|\.\.\.)\s*$")
"""Rules, signature marks, fences and armour: they end an order file, but what follows need not be quoted."""
_MARKS = re.compile("(?:> ?(?=>))*>")


def boundary(lines: list[str], number: int) -> str:
    """What ends the sender's own text at this line.

    "quoted" or "forwarded" (so is all that follows), "attribution" (somebody wrote: …), "line" (a rule or signature mark), or "".
    """
    line = lines[number].strip()
    if not line or line[0] == "#" or lines[number][:2].isspace() or _KEY.match(line):
        return ""  # an order may have `from:` and `to:` too; those are indented
    first = line[0]
    if first in "-_=*~`." and _LINE.match(line):
        if first == "_" and any(_is_header_block(lines, at) for at in range(number + 1, min(number + 3, len(lines)))):
            return QUOTED
        return "line"
    if first in "-=BIНAD" and _FORWARD.match(line):
        return FORWARDED
    if first == "-" and _ORIGINAL.match(line):
        return QUOTED
    if _is_header_block(lines, number):
        return QUOTED
    return "attribution" if attribution_length(lines, number) else ""


def _is_header_block(lines: list[str], number: int) -> bool:
    """True for `From:` with two more headers right below it, as programs set them above what is answered."""
    if not _FROM.match(lines[number].strip()):
        return False
    return sum(bool(_OTHER_HEADER.match(line.strip())) for line in lines[number + 1:number + 8]) >= 2


def attribution_length(lines: list[str], number: int) -> int:
    """How many lines from this one are an attribution (programs wrap them): 0 if it is none."""
    text = ""
    if lines[number][:1].isspace() or not _WROTE_START.match(lines[number]):
        return 0
    for length in range(1, 4):
        if number + length > len(lines):
            break
        line = lines[number + length - 1].strip()
        if not line or line.startswith(">") or len(text) > 300:
            break
        text = f"{text} {line}".strip()
        if text.endswith(":") and len(text) > 8 and (_WROTE.search(text) or _ADDRESS_ENDS.match(text)):
            return length
    return 0


@dataclass
class Section:
    """Lines that belong together.

    place:  "body", "quoted" or "forwarded"
    lines:  without their quote marks; a line that interrupts them is `--`
    own:    for each line, whether it stands at the depth that this section is about: an order file begins only there
    """

    place: str
    lines: list[str]
    own: list[bool]


@dataclass
class _Line:
    depth: int
    text: str


def sections(lines: list[str], is_forward: bool, holds_block) -> list[Section]:
    """Take a body apart: the sender's own runs of lines first, then the quotes, outermost first, then what stands below a header of another message.

    is_forward:  whether the subject says that the message is forwarded
    holds_block: (lines) -> True if an order file stands in them; such a run between quotes is no part of the quotes
    """
    return _sections(lines, "body", is_forward, holds_block, 3)


def _sections(lines: list[str], place: str, is_forward: bool, holds_block, levels: int) -> list[Section]:
    cut, tail_place = _tail(lines, place, is_forward)
    head = [_split(line) for line in lines[:cut]]
    own: list[Section] = []
    quotes: list[Section] = []
    number = 0
    region: list[_Line | None] = []
    while number < len(head):
        end = number
        if head[number].depth:
            while end < len(head) and head[end].depth:
                end += 1
            region += head[number:end]
        else:
            while end < len(head) and not head[end].depth:
                end += 1
            run = [line.text for line in head[number:end]]
            own.append(Section(place, run, [True] * len(run)))
            if region:
                region += [None] if holds_block(run) else head[number:end]
        number = end
    if region:
        deepest = min(max(line.depth for line in region if line), MOST_DEPTH)
        quotes = [_at_depth(region, depth, QUOTED if place == "body" else place) for depth in range(1, deepest + 1)]
    tail = lines[cut + 1:]
    if tail and levels:
        quotes += _sections(tail, tail_place, is_forward, holds_block, levels - 1)
    return own + quotes


def _tail(lines: list[str], place: str, is_forward: bool) -> tuple[int, str]:
    """Where the text of another message begins that is not marked line by line (len(lines) if nowhere), and what it is."""
    for number, line in enumerate(lines):
        if not line or line[0] == ">":
            continue
        found = boundary(lines, number)
        if found in (QUOTED, FORWARDED):
            return number, FORWARDED if place == FORWARDED or found == FORWARDED or is_forward and place == "body" else QUOTED
        if found == "attribution":
            after = number + attribution_length(lines, number)
            while after < len(lines) and not lines[after].strip():
                after += 1
            if after < len(lines) and not lines[after].startswith(">"):
                return number, QUOTED if place == "body" else place
    return len(lines), QUOTED


def _split(line: str) -> _Line:
    """Quote marks off: `> > text` is text at depth 2."""
    marks = _MARKS.match(line)
    if marks is None:
        return _Line(0, line)
    rest = line[marks.end():]
    return _Line(marks.group().count(">"), rest[1:] if rest[:1] in (" ", "\u00a0") else rest)


def _at_depth(region: list[_Line | None], depth: int, place: str) -> Section:
    """The quote at one depth; what was typed between its lines is moved to the indentation that fits."""
    texts: list[str] = []
    own: list[bool] = []
    indents = {_indent(line.text) for line in region if line and line.depth == depth and _is_content(line.text)}
    base = next((_indent(line.text) for line in region if line and line.depth == depth and _KEY.match(line.text)), 0)
    before, shift = "", None
    for number, line in enumerate(region):
        if line is None or line.depth > depth:
            texts.append("--")
            own.append(False)
            shift = None
        elif line.depth == depth:
            texts.append(line.text)
            own.append(True)
            shift = None
            before = line.text if _is_content(line.text) else before
        elif not line.text.strip():
            texts.append("")
            own.append(False)
        else:
            if shift is None:
                below = (other.text for other in region[number + 1:number + 40] if other and other.depth == depth and _is_content(other.text))
                after = _indent(next(below, ""))
                shift = _shift(line.text, before, after, base, indents)
            texts.append(" " * max(0, _indent(line.text) + shift) + line.text.lstrip())
            own.append(False)
    return Section(place, texts, own)


_KEY = re.compile(r"\s*(campaign|turn|seat|token|orders|messages|salt|final|absent|request|do)\s*:", re.IGNORECASE)


def _shift(text: str, before: str, after: int, base: int, indents: set[int]) -> int:
    """By how much a typed line is moved: people align what they type with the quote as they see it, mark included, or with the file as it was.

    before, after: the line of content above it in the quote, and the indentation of the one below
    """
    indent, above = _indent(text), _indent(before)
    is_open = before.rstrip().endswith((":", "|", ">"))
    for shift in (0, -2, base):
        to = indent + shift
        if _KEY.match(text):
            fits = to == base
        elif is_open:
            fits = to == after if after > above else to > above and to in indents
        else:
            fits = base < to <= above and to in indents
        if fits:
            return shift
    return 0


def _is_content(text: str) -> bool:
    return bool(text.strip()) and not text.lstrip().startswith("#")


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())
