"""The body of a mail: text within its width, HTML without anything to fetch, and nothing in it unescaped."""

import re

from adjudicator.core.report import (Badge, Bullets, Column, DiceSpan, Facts, Figure, Heading, OrderLine, OrderList, Paragraph, Report, Section, SideBySide, Source, Span,
                                     Story, Table)
from adjudicator.report.cover import WIDTH, Cover, as_html, as_text

EVIL = '<script>alert("x")</script><link rel=attachment href="file:///etc/passwd">'


def everything(word: str) -> Report:
    """A report with this word wherever text may stand."""
    span = [Span(word, style) for style in ("", "strong", "em", "code", "small", "good", "bad", "quiet", "name")]
    blocks = [Heading(word), Paragraph(span, "warning"), Bullets([span]), Facts([(word, span)]), Table([Column(word), Column(word, "right")], [[span, span]], word, [0], word),
              Figure("<svg/>", word, [word]), Story(span, [Paragraph(span)]), OrderList([OrderLine(word, "done", [span])]), Source(word, word),
              SideBySide([[Paragraph(span)], [Paragraph([Badge("b", word), DiceSpan([1, 6])])]])]
    return Report(word, word, word, "york", [(word, span)], [Section("s", word, blocks)])


def test_every_kind_of_block_is_shown_and_escaped():
    html = as_html(Cover(EVIL, EVIL, [EVIL], [(EVIL, EVIL)], [(EVIL, EVIL)], [EVIL], everything(EVIL)))
    assert "<script" not in html and "<link" not in html and "file:///etc/passwd" in html
    plain = as_html(Cover("T", report=everything("needle")))
    assert plain.count("needle") > 60 and "[1 6]" in plain
    assert not re.search(r"(src|href)\s*=", plain.replace("file:", "")), "nothing is fetched"


def test_without_a_report_the_html_has_the_pieces():
    html = as_html(Cover("T", pieces=[("Heading", f"line one\nline two {EVIL}")]))
    assert "line one\nline two" in html and "<script" not in html


def test_the_text_keeps_to_its_width_and_the_pieces_their_lines():
    long = "word " * 60
    text = as_text(Cover("Title", "sub", [long], [("Deadline", long)], [("Piece", "x" * 200)], ["footer " * 30]))
    lines = text.splitlines()
    assert max(len(line) for line in lines if "xxx" not in line) <= WIDTH
    assert "x" * 200 in lines and "-- " in lines, "what is shown as it is stays so; the footer is a signature"
