"""The files that reports are made with: style sheets, templates and fonts, read once."""

import base64
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent.parent
FACES = (
    ("Adjudicator Serif", 400, "normal", "serif-regular"),
    ("Adjudicator Serif", 400, "italic", "serif-italic"),
    ("Adjudicator Serif", 600, "normal", "serif-bold"),
    ("Adjudicator Mono", 400, "normal", "mono-regular"),
    ("Adjudicator Dice", 400, "normal", "dice-regular"),
    ("Adjudicator Dice", 700, "normal", "dice-bold"),
)
"""family, weight, style, file"""


@cache
def folder() -> Path:
    """Where the look that all games share lies: beside the package in a checkout, inside it when it is installed."""
    inside = PACKAGE / "_templates"
    return inside if inside.is_dir() else PACKAGE.parent / "templates"


@cache
def text_of(name: str) -> str:
    return (folder() / name).read_text(encoding="utf-8")


@cache
def font(name: str) -> bytes:
    """The bytes of one font file, such as "serif-regular.ttf"."""
    return (folder() / "fonts" / name).read_bytes()


def font_faces(address: "dict[str, str]") -> str:
    """@font-face rules. address: file stem -> URL."""
    return "".join(f'@font-face{{font-family:"{family}";font-weight:{weight};font-style:{style};src:url("{address[name]}")}}\n'
                   for family, weight, style, name in FACES)


@cache
def inlined_font_faces() -> str:
    """@font-face rules that carry their fonts with them."""
    return font_faces({name: "data:font/woff2;base64," + base64.b64encode(font(f"{name}.woff2")).decode() for _f, _w, _s, name in FACES})


@cache
def letters() -> frozenset[int]:
    """The code points that the bundled fonts can draw."""
    found: set[int] = set()
    for line in text_of("fonts/letters.txt").split():
        first, _dash, last = line.partition("-")
        found |= set(range(int(first, 16), int(last, 16) + 1))
    return frozenset(found | set(range(0x2680, 0x2686)))
