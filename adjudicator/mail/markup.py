"""Turn an HTML body into the lines that a plain one would have, quotes marked with `> `."""

import re

from lxml import etree

MOST_CHARACTERS = 1024 * 1024

_BLOCKS = {"address", "article", "aside", "blockquote", "body", "center", "dd", "div", "dl", "dt", "fieldset", "footer", "form",
           "h1", "h2", "h3", "h4", "h5", "h6", "header", "html", "li", "main", "nav", "ol", "p", "pre", "section", "table", "tbody", "tr", "ul"}
_UNSHOWN = {"head", "script", "style", "title", "template", "textarea", "select"}
_VERBATIM = re.compile(r"white-space\s*:\s*(pre|break-spaces)")
_SPACES = re.compile("[ \t\r\n\f]+")
MOST_QUOTES = 10


def lines_of(html: str) -> list[str]:
    """The lines of an HTML text; non-breaking spaces are plain ones, indentation is kept, a rule is a line of underscores.

    The parser hands out events and builds no tree: its time and memory grow with the length of the text alone.
    """
    writer = _Writer()
    parser = etree.HTMLParser(target=writer, encoding="utf-8", recover=True)
    try:
        parser.feed(html[:MOST_CHARACTERS].replace("\x00", "").encode("utf-8", errors="replace"))
        parser.close()
    except etree.LxmlError:  # an empty text, or one that the parser gives up: what came before it counts
        pass
    writer.end_line()
    return [line.replace("\u00a0", " ").rstrip() for line in writer.lines]


class _Writer:
    """Takes the parser's events and writes lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._line = ""
        self._open: list[tuple[str, bool]] = []  # (tag, whether spaces count inside it)
        self._quotes = self._lists = self._unshown = 0
        self._pre_begins = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        verbatim = bool(self._open and self._open[-1][1])
        style = attributes.get("style") or ""
        self._open.append((tag, verbatim or tag in ("pre", "listing", "xmp") or "white-space" in style and bool(_VERBATIM.search(style))))
        if tag == "br":
            self.end_line(even_empty=True)
        elif tag in _BLOCKS:
            self.end_line()
            self._pre_begins = tag == "pre"
            self._quotes += tag == "blockquote"
            self._lists += tag in ("ul", "ol")
            if tag == "li":
                self._line = "\u00a0\u00a0" * max(0, self._lists - 1) + "-\u00a0"
        elif tag == "hr":
            self.end_line()
            self._line = "_" * 32
            self.end_line()
        elif tag in ("td", "th") and self._line:
            self._line += " "
        self._unshown += tag in _UNSHOWN

    def end(self, tag: str) -> None:
        if self._open and self._open[-1][0] == tag:
            self._open.pop()
        self._unshown -= tag in _UNSHOWN
        if tag in _BLOCKS:
            self.end_line()
            self._quotes -= tag == "blockquote"
            self._lists -= tag in ("ul", "ol")

    def data(self, text: str) -> None:
        if self._unshown > 0:
            return
        if self._open and self._open[-1][1]:
            first, *others = text.split("\n")
            if self._pre_begins and not first and others:  # the break right behind <pre> is not shown
                first, *others = others
            self._line += first
            for line in others:
                self.end_line(even_empty=True)
                self._line = line
        else:
            text = _SPACES.sub(" ", text)
            self._line += text[1:] if text[:1] == " " and self._line[-1:] in ("", " ") else text
        self._pre_begins = False

    def end_line(self, even_empty: bool = False) -> None:
        """Finish the line that is being written, if there is anything in it."""
        if self._line.strip(" ") or even_empty:
            self.lines.append("> " * min(max(self._quotes, 0), MOST_QUOTES) + self._line)
        self._line = ""

    def comment(self, text: str) -> None:
        """Comments are not shown."""

    def close(self) -> None:
        """The parser asks for a result; the lines are it."""
