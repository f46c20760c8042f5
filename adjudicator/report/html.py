"""Turn a report model into HTML: one file that carries everything with it, or the form that is printed."""

import base64
import re
from functools import cache
from typing import Any

import jinja2
from markupsafe import Markup, escape

from ..core.report import Attachment, DiceSpan, Report, Spans, Story, say
from ..core.words import _
from . import bundle
from .clean import clean, drawable

FACES = "\u2680\u2681\u2682\u2683\u2684\u2685"
_VIEW_BOX = re.compile(r'viewBox="([-0-9. ]+)"')
_SHELL = re.compile(r"^\s*(<\?xml[^>]*>)?\s*<svg[^>]*>(.*)</svg>\s*$", re.DOTALL)


def render(report: Report) -> str:
    """The report as one HTML file that fetches nothing."""
    css = bundle.inlined_font_faces() + bundle.text_of("report.css") + bundle.text_of("screen.css")
    symbols = [_symbol(place, svg) for place, svg in enumerate(report.badges.values())]
    return _template(False).render(report=report, print=False, css=Markup(css), symbols=symbols, drawing=lambda svg, _caption: Markup(svg),  # noqa: S704 - made by the game
                                   badge=lambda id_: _used_badge(report, id_), data_link=_data_link, **_words(report))


def render_for_print(report: Report) -> tuple[str, dict[str, str]]:
    """The report as HTML for paper, and the drawings it names: address -> SVG text."""
    drawings = {f"bundle://badge/{place}": svg for place, svg in enumerate(report.badges.values())}
    badges = {id_: address for id_, address in zip(report.badges, list(drawings), strict=True)}

    def drawing(svg: str, caption: str) -> Markup:
        address = f"bundle://figure/{len(drawings)}"
        drawings[address] = svg
        return Markup('<img class="figure" src="{}" alt="{}">').format(address, drawable(caption))

    def badge(id_: str) -> Markup:
        return Markup('<img class="badge" src="{}" alt="">').format(badges[id_]) if id_ in badges else Markup()

    html = _template(True).render(report=report, print=True, css="", symbols=[], drawing=drawing, badge=badge, data_link=None, **_words(report))
    return html, drawings


def running(report: Report) -> tuple[str, tuple[str, str, str]]:
    """What stands at the foot of every page: campaign, viewer, turn; and the words before, between and after "1" and "9" in "page 1 of 9"."""
    left = " · ".join(dict.fromkeys(part for part in (report.campaign, report.subtitle or report.viewer, report.title) if part))
    words = "".join(span.text for span in say(_("page {page} of {pages}"), page="\0", pages="\0")).split("\0")
    return drawable(left), (*(words + ["", ""])[:3],)


def states() -> dict[str, str]:
    """state of an order -> the word that marks it"""
    return {"done": _("done"), "partly": _("in part"), "skipped": _("skipped"), "refused": _("refused"), "noted": _("note")}


def dice_faces(dice: DiceSpan) -> list[tuple[str, bool, bool]]:
    """For each die: what shows, whether it hit, whether it is drawn as a face of pips."""
    drawn = dice.sides == 6
    return [(FACES[value - 1] if drawn and 1 <= value <= 6 else str(value), bool(dice.hit_on) and value >= dice.hit_on, drawn and 1 <= value <= 6) for value in dice.values]


def length_of(spans: Spans) -> int:
    """Letters in a line of spans, more or less."""
    return sum(len(getattr(span, "text", "")) for span in spans)


_LONG_WORD = re.compile(r"\S{25,}")


def breakable(text: str) -> Markup:
    """Escaped text in which a word too long for a table's column may be broken. Elsewhere every word may be."""
    def broken(match: re.Match) -> str:
        return "\0".join(match[0][place:place + 12] for place in range(0, len(match[0]), 12))
    return Markup(str(escape(_LONG_WORD.sub(broken, text))).replace("\0", "<wbr>"))  # noqa: S704 - escaped before


def is_long(story: Story) -> bool:
    """True if a story would fill most of a page, so that keeping it together would leave the page before it empty."""
    return _lines(story) > 46


def _lines(item: Any) -> int:
    """Lines that a block will take on paper, more or less."""
    kind = type(item).__name__
    if kind in ("Story",):
        return 2 + sum(_lines(block) for block in item.blocks)
    if kind == "Paragraph":
        return sum(getattr(span, "text", "").count("\n") for span in item.spans) + 1 + length_of(item.spans) // 95
    if kind == "Bullets":
        return sum(1 + length_of(line) // 95 for line in item.items)
    if kind == "Table":
        return 2 + sum(1 + max((length_of(cell) * max(1, len(item.columns)) // 110 for cell in row), default=0) for row in item.rows)
    if kind == "Figure":
        return 20
    if kind == "SideBySide":
        return max((sum(_lines(block) for block in part) for part in item.parts), default=0)
    if kind == "Source":
        return item.text.count("\n") + 1
    if kind == "OrderList":
        return sum(2 + line.text.count("\n") for line in item.lines)
    return len(getattr(item, "rows", [0]))


def _words(report: Report) -> dict[str, Any]:
    """What the template says besides the model."""
    return {"_": _, "states": states(), "kind_of": lambda item: type(item).__name__, "dice": dice_faces, "length_of": length_of, "is_long": is_long}


@cache
def _template(print_: bool) -> jinja2.Template:
    shown = drawable if print_ else clean

    def finalize(value: Any) -> Any:
        return shown(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(bundle.folder()), autoescape=True, undefined=jinja2.StrictUndefined,
                                     trim_blocks=True, finalize=finalize, keep_trailing_newline=True)
    environment.filters["breakable"] = lambda text: breakable(shown(text))
    return environment.get_template("report.html.j2")


def _symbol(place: int, svg: str) -> Markup:
    """A badge as a symbol that can be used many times."""
    box = _VIEW_BOX.search(svg)
    shell = _SHELL.match(svg)
    return Markup('<symbol id="badge-{}" viewBox="{}">{}</symbol>').format(place, box[1] if box else "0 0 100 100", Markup(shell[2] if shell else ""))  # noqa: S704


def _used_badge(report: Report, id_: str) -> Markup:
    if id_ not in report.badges:
        return Markup()
    return Markup('<svg class="badge" aria-hidden="true"><use href="#badge-{}"/></svg>').format(list(report.badges).index(id_))


def _data_link(attachment: Attachment) -> Markup:
    return escape("data:application/octet-stream;base64," + base64.b64encode(attachment.text.encode("utf-8", "replace")).decode())
