"""Turn a report model into PDF: always the same bytes for the same report."""

import atexit
import os
import shutil
import warnings
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from multiprocessing.util import Finalize
from typing import Any

from ..core.report import Report
from . import bundle, html
from .clean import drawable

EPOCH = datetime(2000, 1, 1)
"""What every attachment says of its age: a report knows no clock."""
SYSTEM_PACKAGES = "libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"


class MissingLibraries(OSError):
    """WeasyPrint cannot find the system's libraries for text."""


def render(report: Report) -> bytes:
    """The report as PDF. MissingLibraries if WeasyPrint cannot work here."""
    weasyprint = _weasyprint()
    text, drawings = html.render_for_print(report)
    fonts, sheet = _fonts_and_sheet()
    fetcher = _fetcher_class()(drawings)
    attachments = [weasyprint.Attachment(string=attachment.text.encode("utf-8", "replace"), name=_file_name(attachment.name), description=drawable(attachment.about), created=EPOCH, modified=EPOCH,
                                         url_fetcher=fetcher, relationship="Source") for attachment in report.attachments]
    source = weasyprint.HTML(string=text, url_fetcher=fetcher, base_url=None)
    options = {"attachments": attachments, "pdf_tags": TAGGED}

    def laid_out(closeness: int) -> Any:
        pages = weasyprint.CSS(string=_page(report, closeness), font_config=fonts, url_fetcher=fetcher)
        return source.render(stylesheets=[sheet, pages], font_config=fonts, **options)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        document = laid_out(0)
        for closeness, saved_below in enumerate(NEARLY_EMPTY, 1):
            if min((_filled(page) for page in document.pages[1:]), default=100) < saved_below:
                closer = laid_out(closeness)
                if len(closer.pages) < len(document.pages):
                    document = closer
                    break
        return document.write_pdf(**options)


NEARLY_EMPTY = (30, 24)
"""A page (not the first) of which less than so many hundredths are filled is saved by setting the report a little closer, or closer still, where that is enough."""
_CLOSER = ("", "html { font-size: 10.6pt; line-height: 1.25 } pre { font-size: 7.2pt; line-height: 1.2 } table { font-size: 9.5pt } section { margin-top: 11pt }",
           "html { font-size: 10.3pt; line-height: 1.22 } pre { font-size: 6.8pt; line-height: 1.14 } table { font-size: 9.3pt } section { margin-top: 9pt }")
"""closeness -> style"""


def _filled(page: Any) -> int:
    """How far down the page its text goes, in hundredths of its height."""
    box = page._page_box.children[0]   # the text, without what stands in the margins
    lowest = max((child.position_y + child.height for child in box.descendants() if type(child).__name__ == "LineBox"), default=0)
    return int(100 * lowest / page.height)


TAGGED = True
"""Tags for screen readers: a tenth more time, half as much again of bytes."""
_SIZES = {"A4": ("A4", 237, 130), "Letter": ("Letter", 219, 136)}
"""paper -> its CSS name, and how many millimetres high a drawing may be that has a page to itself, upright and across"""


def _page(report: Report, closeness: int) -> str:
    """The paper's own rules: its size, what stands at the foot, how tall a drawing may be. closeness: 0, 1 or 2."""
    size, tall, flat = _SIZES.get(report.paper, _SIZES["A4"])
    left, (before, between, after) = html.running(report)
    foot = 'font: 9pt "Adjudicator Serif"; color: #5d564c; border-top: .4pt solid #a99f8f; padding-top: 2mm; vertical-align: top;'
    numbering = f"{_quoted(before)} counter(page) {_quoted(between)} counter(pages) {_quoted(after)}"
    margin = "12mm 17mm 16mm" if closeness else "16mm 19mm 19mm"
    return (f"{_CLOSER[closeness]} @page {{ size: {size}; margin: {margin};"
            f" @bottom-left {{ content: {_quoted(left)}; {foot} font-style: italic; width: 78%; overflow-wrap: anywhere }}"
            f" @bottom-right {{ content: {numbering}; {foot} text-align: right; width: 22%; font-variant-numeric: lining-nums }} }}"
            f"@page landscape {{ size: {size} landscape }} figure.full {{ margin: 0 }}"
            "figure img.figure { display: block; margin: 0 auto; width: 100% }"
            f"figure.full img.figure {{ height: {tall}mm; width: auto }} section.landscape figure.full img.figure {{ height: {flat}mm }}")


def _quoted(text: str) -> str:
    """A CSS string that says exactly this, whatever it is."""
    return '"' + "".join(f"\\{ord(letter):x} " for letter in text) + '"'


def _file_name(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_. " else "_" for letter in name) or "attachment.txt"


def _weasyprint() -> Any:
    """WeasyPrint, imported when it is needed; it costs more than half a second."""
    try:
        with _bundled_fonts_only(), warnings.catch_warnings():
            warnings.simplefilter("ignore")   # it says that the machine has no fonts: that is what we want
            import weasyprint
    except OSError as problem:
        raise MissingLibraries(str(problem)) from problem
    _quieten()
    return weasyprint


@cache
def _quieten() -> None:
    import logging
    for name in ("weasyprint", "fontTools"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


@contextmanager
def _bundled_fonts_only():
    """Let fontconfig see none of the machine's fonts while a configuration is made."""
    before = os.environ.get("FONTCONFIG_FILE")
    os.environ["FONTCONFIG_FILE"] = str(bundle.folder() / "fonts" / "fonts.conf")
    try:
        yield
    finally:
        if before is None:
            del os.environ["FONTCONFIG_FILE"]
        else:
            os.environ["FONTCONFIG_FILE"] = before


@cache
def _fonts_and_sheet() -> tuple[Any, Any]:
    """The fonts and the style sheet, read once in a process."""
    import weasyprint
    from weasyprint.text.fonts import FontConfiguration
    with _bundled_fonts_only(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fonts = FontConfiguration()
    # its folder of fonts goes before the interpreter does; a worker process ends without atexit, but runs its own finalizers
    atexit.register(_clear, fonts)
    Finalize(None, _clear, (fonts,), exitpriority=10)
    faces = bundle.font_faces({name: f"bundle://font/{name}.ttf" for _family, _weight, _style, name in bundle.FACES})
    return fonts, weasyprint.CSS(string=faces + bundle.text_of("report.css"), font_config=fonts, url_fetcher=_fetcher_class()({}))


def _clear(fonts: Any) -> None:
    shutil.rmtree(fonts._folder or "", ignore_errors=True)
    fonts._folder = None


@cache
def _fetcher_class() -> type:
    from weasyprint.urls import URLFetcher, URLFetcherResponse

    class BundleFetcher(URLFetcher):
        """Gives the bundle's fonts and this report's drawings, and nothing else in the world."""

        def __init__(self, drawings: dict[str, str]) -> None:
            super().__init__(allowed_protocols=())
            self.drawings = drawings
            self.given: list[str] = []
            self.refused: list[str] = []

        def fetch(self, url: str, headers: Any = None) -> Any:
            faces = {f"bundle://font/{name}.ttf": f"{name}.ttf" for _family, _weight, _style, name in bundle.FACES}
            if url in faces:
                body, kind = bundle.font(faces[url]), "font/ttf"
            elif url in self.drawings:
                body, kind = self.drawings[url].encode("utf-8"), "image/svg+xml"
            else:
                self.refused.append(url)
                raise ValueError(f"a report fetches nothing from outside: {url}")
            self.given.append(url)
            return URLFetcherResponse(url, body, {"Content-Type": kind})

    return BundleFetcher
