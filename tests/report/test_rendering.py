"""Report models as HTML, text and PDF: same bytes, nothing fetched, nothing that a player wrote taken for markup."""

import base64
import gettext
import hashlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pypdf
import pytest

from adjudicator import report as reports
from adjudicator.core.report import (Attachment, Bullets, Column, DiceSpan, Facts, OrderLine, OrderList, Paragraph, Report, Section, Source, Span, Story, Table)
from adjudicator.core.words import speaking
from adjudicator.report import html, pdf, text
from adjudicator.report.clean import clean, drawable, width

import report_sample as sample

ROOT = Path(__file__).parents[2]
NASTY = "<script>alert(1)</script><link rel=attachment href=\"file:///etc/passwd\"><img src=http://example.org/x.png>\0\x07\x1b[31m\u202eevil\u202c \U0001f3f0 \ud800 " \
        "</style>{{ 7 * 7 }}{% raw %} <style>@import url(http://example.org/x.css)</style> &amp; \"'"


def nasty() -> Report:
    """What a player may write, wherever a player's words may stand."""
    n = [Span(NASTY)]
    return Report(NASTY, NASTY, NASTY, "york", [(NASTY, n)],
                  [Section("all", NASTY, [Paragraph(n), Bullets([n]), Facts([(NASTY, n)]), Table([Column(NASTY)], [[n]], NASTY, note=NASTY), Story(n, [Paragraph(n)], "letter"),
                                          OrderList([OrderLine(NASTY, "done", [n])]), Source(NASTY, NASTY)])], attachments=[Attachment("../../x<y>.yaml", NASTY.replace("\ud800", ""), NASTY)])


@pytest.fixture(scope="module")
def rich() -> bytes:
    return pdf.render(sample.report())


def test_same_report_same_bytes_in_any_process(tmp_path, rich):
    code = """
import hashlib, sys
sys.path[:0] = [sys.argv[1], sys.argv[1] + "/tests/report"]
import report_sample as sample
from adjudicator.report import html, pdf, text
report = sample.report()
print(*(hashlib.sha256(form).hexdigest() for form in (pdf.render(report), html.render(report).encode(), text.render(report).encode())))
"""
    found = set()
    for seed, zone, lang in (("1", "Asia/Tokyo", "C"), ("77", "America/New_York", "ru_RU.UTF-8")):
        where = tmp_path / seed
        where.mkdir()
        done = subprocess.run([sys.executable, "-c", code, str(ROOT)], cwd=where, capture_output=True, text=True, check=True,
                              env={**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "LANG": lang, "LC_ALL": lang, "HOME": str(where)})
        found.add(done.stdout)
    assert len(found) == 1 and found.pop().split()[0] == hashlib.sha256(rich).hexdigest()


def test_attachments_are_inside_the_pdf_unchanged(rich):
    attached = pypdf.PdfReader(io.BytesIO(rich)).attachments
    assert {name: [bytes(body) for body in bodies] for name, bodies in attached.items()} == {"york-8.yaml": [sample.ORDERS.encode()]}


@pytest.mark.parametrize("paper, size", [("A4", (595, 842)), ("Letter", (612, 792))])
def test_paper(paper, size):
    reader = pypdf.PdfReader(io.BytesIO(pdf.render(sample.report(paper))))
    assert {(round(float(page.mediabox.width)), round(float(page.mediabox.height))) for page in reader.pages} == {size}


def test_pages_are_neither_empty_nor_anonymous(rich):
    reader = pypdf.PdfReader(io.BytesIO(rich))
    pages = [page.extract_text() for page in reader.pages]
    for place, page in enumerate(pages):
        assert f"page {place + 1} of {len(pages)}" in page
        assert len(page.split()) > 60 or "England in Autumn 1456" in page, page
    assert reader.metadata.title == "The Wars of the Roses: Autumn 1456 (House of York)"
    assert reader.metadata.creation_date is None
    assert reader.trailer["/Root"]["/Lang"] == "en"
    assert [part.title for part in reader.outline if not isinstance(part, list)][:2] == ["In brief", "What happened to you"]


def test_only_bundled_fonts(rich):
    fonts = {str(font) for page in pypdf.PdfReader(io.BytesIO(rich)).pages for font in (f.get_object()["/BaseFont"] for f in page["/Resources"]["/Font"].values())}
    assert fonts and all("Adjudicator" in font for font in fonts)


def test_players_write_no_markup():
    shown = html.render(nasty())
    for tag in ("<script", "<link", "<img", "@import url", "\0", "\x1b", "\u202e"):
        assert tag not in shown.replace(html.escape(tag), "") or tag == "@import url", tag
    assert "{{ 7 * 7 }}" in shown and "49" not in re.sub(r"base64,[^\"')]*", "", shown.split("</style>")[-1])
    assert shown.count("<style>") == 1
    assert "\U0001f3f0" in shown
    said = text.render(nasty())
    assert "\0" not in said and "\x1b" not in said and "\u202e" not in said
    said.encode("utf-8")
    shown.encode("utf-8")


def test_nothing_is_fetched(monkeypatch):
    fetchers = []
    made = pdf._fetcher_class()
    monkeypatch.setattr(made, "__init__", (lambda before: lambda self, drawings: (before(self, drawings), fetchers.append(self), None)[-1])(made.__init__))
    data = pdf.render(nasty())
    assert [url for fetcher in fetchers for url in fetcher.refused] == []
    assert b"root:" not in data
    attached = pypdf.PdfReader(io.BytesIO(data)).attachments
    assert list(attached) == [".._.._x_y_.yaml"]
    with pytest.raises(ValueError):
        made({}).fetch("file:///etc/passwd")
    with pytest.raises(ValueError):
        made({}).fetch("data:text/plain,x")


def test_html_carries_everything():
    shown = html.render(sample.report())
    assert len(shown) < 1_000_000
    outside = [url for url in re.findall(r"(?:src|href)=\"([^\"]*)\"", shown) if not url.startswith(("#", "data:"))]
    assert outside == [] and "url(\"data:font/woff2" in shown and "http-equiv" in shown
    link = re.search(r'download="york-8.yaml" href="data:application/octet-stream;base64,([^"]*)"', shown)
    assert base64.b64decode(link[1]).decode() == sample.ORDERS


def test_text_keeps_to_its_columns():
    lines = text.render(sample.report()).split("\n")
    assert [line for line in lines if width(line) > 80 and "whatever" not in line] == []
    assert "[5] 2 [4]" in "\n".join(lines) and "+ [done]" in lines and "  London: York, 6 companies." in lines


def test_text_tables_align_wide_letters():
    table = Table([Column("a"), Column("b", "right")], [[[Span("中文")], [Span("1")]], [[Span("x")], [Span("22")]]])
    assert text._table(table, 80) == ["a      b", "----  --", "中文   1", "x     22"]


class Marked(gettext.NullTranslations):
    def gettext(self, message):
        return f"⟦{message}⟧"

    def ngettext(self, one, many, count):
        return f"⟦{one if count == 1 else many}⟧"


def test_every_word_of_the_templates_is_translated():
    digits = Report("1", "2", "3", "4", [("5", [Span("6")])], [Section("7", "8", [
        OrderList([OrderLine("1", state, [[Span("2")]]) for state in ("done", "partly", "skipped", "refused", "noted")]), Story([Span("9")], [Paragraph([DiceSpan([4, 5], 5)])])]), Section("8", "9", [])],
        attachments=[Attachment("1", "2", "3")], language="5")
    with speaking(Marked()):
        shown, printed, said = html.render(digits), html.render_for_print(digits)[0], text.render(digits)
        running = html.running(digits)
    for page in (shown, printed):
        words = re.sub(r"⟦[^⟧]*⟧", "", re.sub(r"<[^>]*>", " ", re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)))
        assert not [letter for letter in html.Markup(words).unescape() if letter.isalpha()], words
    assert not [letter for letter in re.sub(r"⟦[^⟧]*⟧", "", said) if letter.isalpha()]
    assert running == ("3 · 2 · 1", ("⟦page ", " of ", "⟧"))


def test_clean():
    assert clean("a\x00b\tc\nd\u202ee\u200bf\x85g\ud800") == "a\ufffdb\tc\nde" + "f\ng\ufffd"
    assert drawable("Žižka 中 e\u0301 🙂") == "Žižka ▯ é ▯"


def test_produce_in_processes_gives_the_same(rich):
    made = list(reports.produce([sample.report(letters=n) for n in (2, 0)], jobs=2))
    assert [one.viewer for one in made] == ["york", "york"]
    assert made[0].pdf == rich and made[0].html == html.render(sample.report())


def test_missing_libraries_are_named(monkeypatch):
    def missing():
        raise pdf.MissingLibraries("cannot load library 'libpango-1.0-0'")
    monkeypatch.setattr(pdf, "_weasyprint", missing)
    with pytest.raises(reports.ReportError, match="apt install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"):
        list(reports.produce([sample.report()], jobs=1))
