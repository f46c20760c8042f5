"""A game's rulebook as a report model, so that it comes as text, HTML and PDF in the look of the reports; and its chapters, for look-ups."""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..core.report import Block, Bullets, Column, Heading, Paragraph, Report, Section, Source, Span, Spans, Story, Table
from ..core.ruleset import Ruleset
from ..core.words import _

TEXT, HTML, PDF, MARKDOWN = "text", "html", "pdf", "md"
_HEADING = re.compile(r"^(#{1,6}) +(.*?)\s*#*$")
_NUMBER = re.compile(r"^([0-9]+(?:\.[0-9]+)*)\.? +(.*)$")


@dataclass
class Chapter:
    """A part of the rulebook under its own heading. number: "6.5", or "" for one without."""

    number: str
    title: str
    text: str


def chapters(rulebook: Path) -> list[Chapter]:
    """The chapters of a rulebook, those inside others apart, in their order."""
    found = [Chapter("", "", "")]
    is_code = False
    for line in rulebook.read_text(encoding="utf-8").splitlines():
        is_code ^= line.startswith("```")
        heading = None if is_code else _HEADING.match(line)
        if heading:
            title = heading[2].replace("`", "")
            number = _NUMBER.match(title)
            found.append(Chapter(number[1] if number else "", number[2] if number else title, ""))
        else:
            found[-1].text += line + "\n"
    return [chapter for chapter in found if chapter.title or chapter.text.strip()]


def title_of(found: list[Chapter], rule: str) -> str:
    """The heading over a rule such as "6.5.1": its own, or the nearest around it; "" if there is none."""
    titles = {chapter.number: chapter.title for chapter in found if chapter.number}
    number = rule
    while number:
        if number in titles:
            return f"{number} {titles[number]}"
        number = number.rpartition(".")[0]
    return ""


def options_in_force(ruleset: Ruleset, options: dict[str, Any]) -> Table:
    """The options of a campaign; those that differ from their default stand out."""
    rows: list[list[Spans]] = []
    marked = []
    for option in ruleset.options:
        if option.applies is not None and not option.applies(options):
            continue
        value = options.get(option.id, option.default)
        if value != option.default:
            marked.append(len(rows))
        rows.append([[Span(option.id, "code")], [Span(_word(value), "strong")], [Span(_word(option.default))], [Span(_(option.help))], [Span(option.rule)]])
    return Table([Column(_("option")), Column(_("in force")), Column(_("default")), Column(_("meaning"), wide=True), Column(_("rule"))], rows, marked=marked)


def _word(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def as_markdown(ruleset: Ruleset, options: dict[str, Any] | None, title: str) -> str:
    """The rulebook as it is, after a table of the options in force."""
    text = ruleset.rulebook.read_text(encoding="utf-8")
    if options is None:
        return text
    table = options_in_force(ruleset, options)
    lines = [_("Options of {campaign}").format(campaign=title), "", "| " + " | ".join(column.title for column in table.columns) + " |", "| --- " * len(table.columns) + "|"]
    lines += ["| " + " | ".join("".join(span.text for span in cell).replace("|", "\\|") for cell in row) + " |" for row in table.rows]
    return "\n".join(lines) + "\n\n" + text


def as_report(ruleset: Ruleset, options: dict[str, Any] | None = None, title: str = "", language: str = "en", paper: str = "A4") -> Report:
    """The rulebook as a report. options: of a campaign, whose name is `title`; None: no campaign."""
    heading, sections = _sections(ruleset.rulebook.read_text(encoding="utf-8"))
    if options is not None and ruleset.options:
        sections.insert(0, Section("options", _("Options in force"), [Paragraph([Span(_("What this campaign plays. Marked lines are not the usual choice."))]), options_in_force(ruleset, options)]))
    masthead = [(_("Game"), [Span(ruleset.title)]), (_("Revision"), [Span(str(ruleset.revision))])]
    return Report(heading or ruleset.title, "", title or ruleset.title, "rules", masthead, sections, language=language, paper=paper)


def _sections(text: str) -> tuple[str, list[Section]]:
    """(title of the book, its chapters)."""
    book, sections = "", [Section("start", "", [])]
    tokens = _parser().parse(text)
    place = 0
    while place < len(tokens):
        token = tokens[place]
        if token.type == "heading_open":
            words = _spans(tokens[place + 1])
            title = "".join(span.text for span in words)
            if token.tag == "h1" and not book:
                book = title
            elif token.tag in ("h1", "h2"):
                sections.append(Section(f"chapter-{len(sections)}", title, []))
            else:
                sections[-1].blocks.append(Heading(title))
            place += 3
            continue
        blocks, place = _blocks(tokens, place)
        sections[-1].blocks += blocks
    if sections[0].blocks:
        sections[0].title = _("About this book")
    return book, [section for section in sections if section.blocks or section.title]


@lru_cache(maxsize=1)
def _parser() -> Any:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table")


def _end(tokens: list, place: int) -> int:
    """The place of the token that closes the one here."""
    depth = 0
    for at in range(place, len(tokens)):
        depth += tokens[at].nesting
        if depth == 0:
            return at
    return len(tokens) - 1


def _blocks(tokens: list, place: int) -> tuple[list[Block], int]:
    """The block that begins here, as blocks of a report, and the place after it."""
    token, end = tokens[place], _end(tokens, place)
    if token.type == "paragraph_open":
        return [Paragraph(_spans(tokens[place + 1]))], end + 1
    if token.type in ("fence", "code_block"):
        return [Source(token.content.rstrip("\n"))], place + 1
    if token.type in ("bullet_list_open", "ordered_list_open"):
        return _list(tokens, place, end, 0), end + 1
    if token.type == "blockquote_open":
        return [Story([], _inner(tokens, place + 1, end))], end + 1
    if token.type == "table_open":
        return [_table(tokens[place:end + 1])], end + 1
    if token.type == "heading_open":
        return [Heading("".join(span.text for span in _spans(tokens[place + 1])))], end + 1
    if token.type == "inline":
        return [Paragraph(_spans(token))], place + 1
    return [], end + 1


def _inner(tokens: list, place: int, end: int) -> list[Block]:
    blocks: list[Block] = []
    while place < end:
        more, place = _blocks(tokens, place)
        blocks += more
    return blocks


def _list(tokens: list, place: int, end: int, depth: int) -> list[Block]:
    """A list: unnumbered ones as bullets, numbered ones as paragraphs with their numbers; lists inside are set in by a dash."""
    is_numbered = tokens[place].type == "ordered_list_open"
    number = int(tokens[place].attrGet("start") or 1) if is_numbered else 0
    blocks: list[Block] = []
    bullets: list[Spans] = []

    def flush() -> None:
        if bullets:
            blocks.append(Bullets(list(bullets)))
            bullets.clear()

    at = place + 1
    while at < end:
        item_end = _end(tokens, at)
        inside, first = at + 1, True
        while inside < item_end:
            token = tokens[inside]
            if token.type == "paragraph_open":
                mark = f"{number}. " if is_numbered and first else "– " * depth
                words = ([Span(mark)] if mark else []) + _spans(tokens[inside + 1])
                if is_numbered and not depth:
                    flush()
                    blocks.append(Paragraph(words))
                else:
                    bullets.append(words)
                inside, first = _end(tokens, inside) + 1, False
            elif token.type in ("bullet_list_open", "ordered_list_open"):
                inner_end = _end(tokens, inside)
                for block in _list(tokens, inside, inner_end, depth + 1):
                    if isinstance(block, Bullets):
                        bullets += block.items
                    else:
                        flush()
                        blocks.append(block)
                inside = inner_end + 1
            else:
                flush()
                more, inside = _blocks(tokens, inside)
                blocks += more
        number += 1
        at = item_end + 1
    flush()
    return blocks


def _table(tokens: list) -> Table:
    rows: list[list[Spans]] = []
    aligns: list[str] = []
    for place, token in enumerate(tokens):
        if token.type == "tr_open":
            rows.append([])
        elif token.type in ("th_open", "td_open"):
            if token.type == "th_open":
                aligns.append((token.attrGet("style") or "").removeprefix("text-align:") or "left")
            rows[-1].append(_spans(tokens[place + 1]))
    head, body = rows[0], rows[1:]
    longest = [max((sum(len(span.text) for span in row[at]) for row in body if at < len(row)), default=0) for at in range(len(head))]
    columns = [Column("".join(span.text for span in cell), aligns[at], wide=longest[at] == max(longest) and longest[at] > 30) for at, cell in enumerate(head)]
    return Table(columns, [row + [[]] * (len(head) - len(row)) for row in body])


def _spans(inline: Any) -> Spans:
    """The words of a line; of a link its words alone."""
    spans: Spans = []
    style = ""
    for token in inline.children or []:
        if token.type in ("strong_open", "em_open"):
            style = {"strong_open": "strong", "em_open": "em"}[token.type]
        elif token.type in ("strong_close", "em_close"):
            style = ""
        elif token.type == "code_inline":
            spans.append(Span(token.content, "code"))
        elif token.type == "softbreak":
            spans.append(Span(" ", style))
        elif token.type == "hardbreak":
            spans.append(Span("\n", style))
        elif token.content:
            spans.append(Span(token.content, style))
    return spans
