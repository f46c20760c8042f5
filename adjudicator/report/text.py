"""Turn a report model into plain text: 80 columns, for mail programs, screen readers and search."""

from ..core.report import Badge, Block, DiceSpan, Report, Section, Spans, Table
from ..core.words import _
from .clean import clean, width
from .html import states

WIDTH = 80
_MARKS = {"done": "+", "partly": "~", "skipped": "-", "refused": "!", "noted": "*"}


def render(report: Report) -> str:
    """The report as lines of at most 80 columns (long words and sources excepted)."""
    lines = [*_wrap(report.campaign), "", *_wrap(report.title.upper() + (f" - {report.subtitle}" if report.subtitle else "")), "=" * WIDTH]
    if report.masthead:
        lines += _pairs([(label, _plain(value)) for label, value in report.masthead], WIDTH)
    for section in report.sections:
        lines += ["", *_section(section)]
    if report.attachments:
        lines += ["", "-" * WIDTH, *_wrap(_("Attached to this report:"))]
        lines += [line for attachment in report.attachments for line in _wrap(f"{attachment.name}: {attachment.about}" if attachment.about else attachment.name, hang="  ", first="- ")]
    return clean("\n".join(line.rstrip() for line in _without_doubles(lines))) + "\n"


def _section(section: Section) -> list[str]:
    title = _wrap(section.title)
    return [*title, "-" * max((width(line) for line in title), default=0), *_blocks(section.blocks, WIDTH)]


def _blocks(blocks: list[Block], columns: int) -> list[str]:
    lines: list[str] = []
    for block in blocks:
        part = _block(block, columns)
        if part:
            lines += ([""] if lines else []) + part
    return lines


def _block(block: Block, columns: int) -> list[str]:  # noqa: PLR0911 - one line for each kind
    kind = type(block).__name__
    if kind == "Heading":
        return _wrap(block.text.upper(), columns)
    if kind == "Paragraph":
        return _wrap(_plain(block.spans), columns, first="! " if block.tone == "warning" else "", hang="  " if block.tone == "warning" else "")
    if kind == "Bullets":
        return [line for item in block.items for line in _wrap(_plain(item), columns, first="- ", hang="  ")]
    if kind == "Facts":
        return _pairs([(label, _plain(value)) for label, value in block.rows], columns)
    if kind == "Table":
        return _table(block, columns)
    if kind == "Figure":
        return [*(_wrap(f"[{block.caption}]", columns) if block.caption else []), *(line for words in block.words for line in _wrap(words, columns, first="  ", hang="    "))]
    if kind == "Story":
        inner = [*_wrap(_plain(block.title), columns - 2), *_blocks(block.blocks, columns - 2)]
        return [("| " + line).rstrip() for line in inner]
    if kind == "OrderList":
        return [line for order in block.lines for line in _order(order, columns)]
    if kind == "Source":
        return [*([f"--- {block.name}"] if block.name else []), *clean(block.text).rstrip("\n").split("\n")]
    return [line for place, part in enumerate(block.parts) for line in [*([""] if place else []), *_blocks(part, columns)]]


def _order(order, columns: int) -> list[str]:
    lines = [f"{_MARKS[order.state]} [{states()[order.state]}]"]
    lines += ["    " + line for line in clean(order.text).rstrip("\n").split("\n")]
    return lines + [line for became in order.became for line in _wrap(_plain(became), columns, first="  > ", hang="    ")]


def _plain(spans: Spans) -> str:
    return clean("".join(_piece(span) for span in spans))


def _piece(span) -> str:
    if isinstance(span, DiceSpan):
        return " ".join(f"[{value}]" if span.hit_on and value >= span.hit_on else str(value) for value in span.values)
    return span.text if not isinstance(span, Badge) else span.text


def _pairs(rows: list[tuple[str, str]], columns: int) -> list[str]:
    gap = min(max((width(clean(label)) for label, _value in rows), default=0), 24) + 2
    lines = []
    for label, value in rows:
        label = clean(label)
        if width(label) >= gap:
            lines += _wrap(label, columns)
            label = ""
        lines += _wrap(value, columns, first=label + " " * (gap - width(label)), hang=" " * gap) or [label]
    return lines


def _table(table: Table, columns: int) -> list[str]:
    """Columns aligned; the widest cells are folded until the table fits."""
    rows = [[_plain(cell) for cell in row] for row in table.rows]
    titles = [clean(column.title) for column in table.columns]
    heads = [titles] if any(titles) else []
    count = len(table.columns)
    sizes = [max([1, *(width(line) for row in [*heads, *rows] if place < len(row) for line in row[place].split("\n"))]) for place in range(count)]
    room = columns - 2 * (count - 1)
    if room < 6 * count:
        return _records(titles, rows, table, columns)
    while sum(sizes) > room:
        sizes[sizes.index(max(sizes))] -= 1
    lines = [*_wrap(table.caption, columns)] if table.caption else []
    rule = "  ".join("-" * size for size in sizes)
    for row in heads:
        lines += [*_row(row, sizes, table), rule]
    for place, row in enumerate(rows):
        lines += [line + (" *" if place in table.marked and number == 0 else "") for number, line in enumerate(_row(row, sizes, table))]
    return lines + (_wrap(table.note, columns) if table.note else [])


def _records(titles: list[str], rows: list[list[str]], table: Table, columns: int) -> list[str]:
    """A table with too many columns: each row told by itself."""
    lines = [*_wrap(table.caption, columns)] if table.caption else []
    for row in rows:
        lines += ["", *_pairs([(title, cell) for title, cell in zip(titles, row, strict=False) if cell], columns)]
    return [*lines, *(_wrap(table.note, columns) if table.note else [])]


def _row(row: list[str], sizes: list[int], table: Table) -> list[str]:
    cells = [_wrap(cell, size) or [""] for cell, size in zip(row, sizes, strict=False)]
    lines = []
    for number in range(max((len(cell) for cell in cells), default=0)):
        parts = []
        for place, cell in enumerate(cells):
            text = cell[number] if number < len(cell) else ""
            space = max(0, sizes[place] - width(text))
            align = table.columns[place].align
            parts.append(" " * space + text if align == "right" else " " * (space // 2) + text + " " * (space - space // 2) if align == "center" else text + " " * space)
        lines.append("  ".join(parts).rstrip())
    return lines


def _wrap(text: str, columns: int = WIDTH, first: str = "", hang: str = "") -> list[str]:
    """Lines of at most so many columns; a word that is longer is cut. Line breaks in the text are kept."""
    lines: list[str] = []
    start = first
    for paragraph in clean(text).split("\n"):
        words = paragraph.split()
        line, filled = start, False
        for word in words:
            while word:
                gap = " " if filled else ""
                if width(line) + len(gap) + width(word) <= columns:
                    line, word, filled = line + gap + word, "", True
                elif filled:
                    lines.append(line)
                    line, filled = hang, False
                else:
                    piece = _fitting(word, max(1, columns - width(line)))
                    lines.append(line + piece)
                    line, word = hang, word[len(piece):]
        if filled or not words:
            lines.append(line)
        start = hang
    return lines if "\n" in text else [line for line in lines if line.strip()]


def _fitting(word: str, room: int) -> str:
    """The longest beginning of a word that fits, one letter at least."""
    taken = ""
    for letter in word:
        if taken and width(taken + letter) > room:
            break
        taken += letter
    return taken


def _without_doubles(lines: list[str]) -> list[str]:
    """No two empty lines after each other."""
    return [line for place, line in enumerate(lines) if line.strip() or place == 0 or lines[place - 1].strip()]
