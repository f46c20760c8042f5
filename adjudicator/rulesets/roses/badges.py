"""The badges of the eight houses and the two factions, and the eight divisions of the shield that mark them on the map.

All drawn for this game. Every badge has its own outline and every division its own pattern, so that grey paper tells them apart.
"""

from .tables import TABLES

INK = "#1c1814"
PAPER = "#fffdf8"
GOLD = "#e3b93c"

_SHIELD = "M50 97C22 84 8 66 8 40V6H92V40C92 66 78 84 50 97Z"


def _petals(fill: str, petal: str, heart: str) -> str:
    """A heraldic rose: five petals, five small ones inside, five barbs and a heart."""
    # outer petals and barbs at a fifth of a turn from each other, as whole numbers
    centres = ((50, 25), (73, 41), (64, 68), (36, 68), (27, 41))
    barbs = ("M50 47 L62 18 L70 22Z", "M50 47 L82 56 L79 64Z", "M50 47 L54 80 L46 80Z", "M50 47 L21 64 L18 56Z", "M50 47 L30 22 L38 18Z")
    inner = ((50, 38), (60, 45), (56, 56), (44, 56), (40, 45))
    return ("".join(f'<path d="{barb}" fill="#2f6b3a" stroke="{INK}" stroke-width="1"/>' for barb in barbs)
            + "".join(f'<circle cx="{x}" cy="{y}" r="15" fill="{petal}" stroke="{INK}" stroke-width="2.5"/>' for x, y in centres)
            + "".join(f'<circle cx="{x}" cy="{y}" r="7" fill="{fill}" stroke="{INK}" stroke-width="1.5"/>' for x, y in inner)
            + f'<circle cx="50" cy="48" r="7" fill="{heart}" stroke="{INK}" stroke-width="2"/>')


_PORTCULLIS = ("".join(f'<path d="M{x} 20V68L{x + 4} 78L{x + 8} 68V20Z" fill="{{charge}}"/>' for x in (22, 38, 54, 70))
               + "".join(f'<rect x="18" y="{y}" width="64" height="7" fill="{{charge}}"/>' for y in (22, 38, 54)))
_CRESCENT = '<path d="M22 28C14 62 32 84 50 84 68 84 86 62 78 28 74 50 64 58 50 58 36 58 26 50 22 28Z" fill="{charge}" stroke="{edge}" stroke-width="2"/>'
_KNOT = ('<path d="M24 84C20 58 44 46 56 36 70 24 60 12 50 12 40 12 30 24 44 36 56 46 80 58 76 84" fill="none" stroke="{edge}" stroke-width="16" stroke-linecap="round"/>'
         '<path d="M24 84C20 58 44 46 56 36 70 24 60 12 50 12 40 12 30 24 44 36 56 46 80 58 76 84" fill="none" stroke="{charge}" stroke-width="10" stroke-linecap="round"/>')
_STAFF = ('<path d="M45 12H57L55 30 68 20 73 28 55 42 55 52 68 44 72 52 55 64 56 88H44L45 72 31 78 28 69 45 61 45 50 31 56 28 47 45 38Z" fill="{charge}" '
          'stroke="{edge}" stroke-width="3" stroke-linejoin="round"/>')
_HOUND = ('<path d="M14 32 24 22 33 22 37 15 41 24 45 34C54 37 64 37 72 36 78 33 82 25 84 16 89 24 88 34 82 42 83 50 85 57 83 63L88 82H78L74 66 66 58C58 60 52 60 47 58L43 68 45 82H35L33 62 '
          '28 50 26 41 16 39Z" fill="{charge}" stroke="{edge}" stroke-width="2.5" stroke-linejoin="round"/><circle cx="29" cy="29" r="2.2" fill="{edge}"/>')
_LION = ('<path d="M30 20 35 11 42 15 49 11 54 19 60 24 59 33 66 41C72 47 73 54 71 60 78 58 80 50 77 42 73 33 76 22 86 21 80 27 82 33 84 39 88 51 84 65 73 68L76 76 84 86H70L62 74 56 70 53 80 58 90H43'
         'L45 76 47 62 40 60 30 67 25 60 38 50 39 45 28 46 19 42 22 35 32 38 38 36 35 32 27 31 26 24Z" fill="{charge}" stroke="{edge}" stroke-width="2.5" stroke-linejoin="round"/>'
         '<circle cx="38" cy="23" r="2.2" fill="{edge}"/>')

_CHARGES = {   # house -> drawing, its colour, its edge, the field
    "lancaster": (_petals("#d8434c", "#b3202a", GOLD), "", "", PAPER),
    "somerset": (_PORTCULLIS, INK, INK, "#e99a58"),
    "shrewsbury": (_HOUND, PAPER, INK, "#7a3f7d"),
    "northumberland": (_CRESCENT, INK, INK, "#d9b53a"),
    "buckingham": (_KNOT, GOLD, INK, "#7a2e1f"),
    "york": (_petals("#ffffff", "#ffffff", GOLD), "", "", "#2b5fa8"),
    "warwick": (_STAFF, PAPER, INK, "#3f8f5a"),
    "norfolk": (_LION, INK, INK, "#8fd0da"),
}


def badge(house: str) -> str:
    """The badge of a house: its charge on a shield, as SVG text."""
    drawing, charge, edge, field = _CHARGES[house]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><path d="{_SHIELD}" fill="{field}" stroke="{INK}" stroke-width="5" stroke-linejoin="round"/>'
            f'{drawing.replace("{charge}", charge).replace("{edge}", edge)}</svg>')


def faction_mark(faction: str) -> str:
    """The mark of a faction: the red rose full, the white rose hollow."""
    dark = faction == "lancastrian"
    rose = _petals("#d8434c" if dark else "#ffffff", "#b3202a" if dark else "#ffffff", GOLD if dark else "#ffffff")
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="8 6 84 84">{rose}</svg>'


def all_badges() -> dict[str, str]:
    """badge id -> SVG text: the houses, and the factions."""
    return {**{house: badge(house) for house in TABLES.seats}, **{faction: faction_mark(faction) for faction in ("lancastrian", "yorkist")}}


# The divisions: what fills a castle on the map. Each is drawn in a square from (x, y) with side `size`, over a ground of the house's colour.

DIVISIONS = {"lancaster": "plain", "somerset": "pale", "shrewsbury": "quarterly", "northumberland": "fess",
             "buckingham": "bend", "york": "saltire", "warwick": "cross", "norfolk": "roundel"}


def division(house: str, x: int, y: int, size: int, colour: str) -> str:
    """A square in the colour and the pattern of the house, without a rim."""
    kind = DIVISIONS[house]
    right, bottom, middle, third = x + size, y + size, size // 2, size * 36 // 100
    low = (size - third) // 2
    shapes = {
        "plain": "",
        "pale": f"M{x + low} {y}h{third}v{size}h-{third}z",
        "fess": f"M{x} {y + low}h{size}v{third}h-{size}z",
        "cross": f"M{x + low} {y}h{third}v{low}h{low}v{third}h-{low}v{size - low - third}h-{third}v-{size - low - third}h-{low}v-{third}h{low}z",
        "quarterly": f"M{x + middle} {y}H{right}V{y + middle}H{x + middle}zM{x} {y + middle}H{x + middle}V{bottom}H{x}z",
        "bend": f"M{x} {y}h{third}L{right} {bottom - third}v{third}h-{third}L{x} {y + third}z",
        "saltire": f"M{x} {y}h{third // 2}L{x + middle} {y + middle - third // 2}L{right - third // 2} {y}h{third // 2}v{third // 2}L{x + middle + third // 2} {y + middle}"
                   f"L{right} {bottom - third // 2}v{third // 2}h-{third // 2}L{x + middle} {y + middle + third // 2}L{x + third // 2} {bottom}h-{third // 2}v-{third // 2}"
                   f"L{x + middle - third // 2} {y + middle}L{x} {y + third // 2}z",
        "roundel": f"M{x + middle - size * 30 // 100} {y + middle}a{size * 30 // 100} {size * 30 // 100} 0 1 0 {2 * (size * 30 // 100)} 0a{size * 30 // 100} {size * 30 // 100} 0 1 0 -{2 * (size * 30 // 100)} 0z",
    }
    mark = f'<path d="{shapes[kind]}" fill="#fff"/>' if shapes[kind] else ""
    return f'<rect x="{x}" y="{y}" width="{size}" height="{size}" fill="{colour}"/>{mark}'
