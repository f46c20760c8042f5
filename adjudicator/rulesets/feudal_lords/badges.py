"""The arms of the eight lords, and the small signs of gold, glory, battle and the like. All drawn for this game.

Every shield has its own division and its own charge, so that grey paper tells them apart.
"""

from .emblems import INK, PAPER
from .tables import TABLES

GOLD = "#e3b93c"
_SHIELD = "M50 97C22 84 8 66 8 40V6H92V40C92 66 78 84 50 97Z"
_STAR = "M0 -17L4 -5L16 -5L6 3L10 15L0 8L-10 15L-6 3L-16 -5L-4 -5Z"


def _stroke(path: str, fill: str, width: int = 3) -> str:
    return f'<path d="{path}" fill="{fill}" stroke="{INK}" stroke-width="{width}" stroke-linejoin="round"/>'


def _star(x: int, y: int, fill: str) -> str:
    return f'<g transform="translate({x} {y})">{_stroke(_STAR, fill)}</g>'


def _disc(x: int, y: int, r: int, fill: str) -> str:
    return f'<circle cx="{x}" cy="{y}" r="{r}" fill="{fill}" stroke="{INK}" stroke-width="3"/>'


_ARMS = {   # seat -> the field, what lies on it
    "ashby": ("#3f7d4e", _stroke("M46 84V58H54V84Z", GOLD) + "".join(_disc(x, y, 15, GOLD) for x, y in ((34, 48), (66, 48), (50, 30)))),
    "belvoir": ("#fffdf8", '<path d="M8 6H50V97C22 84 8 66 8 40Z" fill="#2f4f86"/>' + "".join(
        f'<path d="M47 22L50 8L53 22Z" fill="{GOLD}" stroke="{INK}" stroke-width="2" transform="rotate({turn} 50 46)"/>' for turn in range(0, 360, 45)) + _disc(50, 46, 19, GOLD)),
    "corfe": ("#c0392f", _stroke("M28 82V36H22V18H34V26H43V18H57V26H66V18H78V36H72V82Z", PAPER) + _stroke("M43 82V62C43 54 57 54 57 62V82Z", INK)),
    "dunster": ("#f2d27a", '<path d="M8 34L92 34V52L8 52Z" fill="#1c1814"/>' + _star(30, 22, "#b5322a") + _star(70, 22, "#b5322a") + _star(50, 72, "#b5322a")),
    "eardisley": ("#6d4a86", _stroke("M8 62L50 26L92 62V82L50 46L8 82Z", PAPER) + _disc(50, 76, 9, GOLD)),
    "farnham": ("#fffdf8", '<path d="M8 6H36L92 66C88 76 82 82 74 87L8 18Z" fill="#2f7f86"/>' + _disc(30, 74, 11, "#2f7f86") + _disc(72, 26, 11, "#2f7f86")),
    "goodrich": ("#23211f", _disc(30, 32, 14, GOLD) + _disc(70, 32, 14, GOLD) + _disc(50, 66, 14, GOLD)),
    "harlech": ("#e58a3c", '<path d="M8 62C22 52 36 52 50 62C64 72 78 72 90 60L84 74C72 82 62 80 50 74C38 66 26 66 14 72Z" fill="#fffdf8"/>'
                + _stroke("M24 50V20L37 34L50 14L63 34L76 20V50Z", GOLD)),
}
COLOURS = {"ashby": "#3f7d4e", "belvoir": "#2f4f86", "corfe": "#c0392f", "dunster": "#a67c00", "eardisley": "#6d4a86", "farnham": "#2f7f86", "goodrich": "#23211f", "harlech": "#c4661a"}
DASHES = {"ashby": "", "belvoir": "9 5", "corfe": "2 4", "dunster": "12 4 2 4", "eardisley": "5 3", "farnham": "14 6", "goodrich": "1 3", "harlech": "8 3 2 3 2 3"}
"""How the lines of the glory chart are told apart on grey paper"""


def arms(seat: str) -> str:
    """The arms of a lord inside a square of 100, without the SVG around them."""
    field, charge = _ARMS[seat]
    return (f'<path d="{_SHIELD}" fill="{field}"/>{charge}'
            f'<path d="{_SHIELD}" fill="none" stroke="{INK}" stroke-width="5" stroke-linejoin="round"/>')


def all_badges() -> dict[str, str]:
    """seat -> SVG text."""
    return {seat: f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">{arms(seat)}</svg>' for seat in TABLES.seats}


def at(drawing: str, x: int, y: int, size: int) -> str:
    """A drawing of 100 by 100 with its corner at (x, y), `size` wide."""
    return f'<g transform="translate({x} {y}) scale({size // 100}.{size % 100:02})">{drawing}</g>'


# Signs, each in a square of 20 around (0, 0)

def sign(kind: str, x: int, y: int, size: int = 20) -> str:
    """"gold", "glory", "battle", "hand", "confidence", "peace", "revolt": a small sign with its middle at (x, y)."""
    return f'<g transform="translate({x} {y}) scale({size * 5 // 100}.{size * 5 % 100:02})">{_SIGNS[kind]}</g>'


_SIGNS = {
    "gold": f'<circle r="9" fill="{GOLD}" stroke="{INK}" stroke-width="1.8"/><circle r="5.5" fill="none" stroke="{INK}" stroke-width="1"/>',
    "glory": f'<path d="M0 -10L2.8 -3.2L10 -3L4.3 1.6L6.4 8.8L0 4.6L-6.4 8.8L-4.3 1.6L-10 -3L-2.8 -3.2Z" fill="{PAPER}" stroke="{INK}" stroke-width="1.8" stroke-linejoin="round"/>',
    "battle": f'<path d="M-8 8L6 -6L9 -9L8 -4L-6 10ZM-7 2L-1 8" fill="{PAPER}" stroke="{INK}" stroke-width="1.8" stroke-linejoin="round"/>',
    "hand": f'<path d="M-8 -6L0 -9L5 6L-3 9Z" fill="{PAPER}" stroke="{INK}" stroke-width="1.6"/><path d="M-1 -9H8V8H-1Z" fill="{PAPER}" stroke="{INK}" stroke-width="1.6"/>',
    "confidence": f'<path d="M-9 8V-5L-4 1L0 -9L4 1L9 -5V8Z" fill="{GOLD}" stroke="{INK}" stroke-width="1.8" stroke-linejoin="round"/>',
    "peace": f'<circle r="9.5" fill="{PAPER}" stroke="{INK}" stroke-width="1.6"/><path d="M0 -7V7M-5 -2H5" stroke="{INK}" stroke-width="2.6"/>',
    "revolt": f'<path d="M0 9V0M-6 -9V-4C-6 0 6 0 6 -4V-9M0 -9V0" fill="none" stroke="{INK}" stroke-width="2.4"/>',
}
