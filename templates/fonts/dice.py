"""Draw the dice: two small fonts with the six faces at U+2680..2685, outlined and filled: python templates/fonts/dice.py.

The drawings are ours. The filled weight is for dice that hit, so that grey paper and the colour-blind can tell them apart.
"""

from pathlib import Path

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

HERE = Path(__file__).parent
LOW, HIGH, BASE, CORNER, LINE, PIP = 40, 860, -150, 150, 62, 88
SPOTS = {1: [(1, 1)], 2: [(0, 2), (2, 0)], 3: [(0, 2), (1, 1), (2, 0)], 4: [(0, 0), (0, 2), (2, 0), (2, 2)],
         5: [(0, 0), (0, 2), (1, 1), (2, 0), (2, 2)], 6: [(0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)]}


def square(pen: TTGlyphPen, low: int, high: int, corner: int, clockwise: bool) -> None:
    """A square with round corners, its lower left at (low, low)."""
    points = [((low, low + corner), None), ((low, high - corner), (low, high)), ((low + corner, high), None), ((high - corner, high), (high, high)),
              ((high, high - corner), None), ((high, low + corner), (high, low)), ((high - corner, low), None), ((low + corner, low), (low, low))]
    moves = [point for point, _bend in points]
    bends = [bend for _point, bend in points]
    pen.moveTo(_up(moves[0]))
    if clockwise:
        for place in range(1, 8):
            _step(pen, bends[place - 1], moves[place])
        pen.qCurveTo(_up(bends[7]), _up(moves[0]))
    else:
        for place in range(7, 0, -1):
            _step(pen, bends[place], moves[place])
        _step(pen, bends[0], moves[0])
    pen.closePath()


def _step(pen, bend, point):
    if bend:
        pen.qCurveTo(_up(bend), _up(point))
    else:
        pen.lineTo(_up(point))


def _up(point):
    return point[0], point[1] + BASE


def pip(pen: TTGlyphPen, x: int, y: int, radius: int, clockwise: bool) -> None:
    """A round spot."""
    bend = radius * 414 // 1000
    ring = [(-radius, bend), (-bend, radius), (bend, radius), (radius, bend), (radius, -bend), (bend, -radius), (-bend, -radius), (-radius, -bend)]
    ring = ring if clockwise else ring[::-1]
    pen.qCurveTo(*[_up((x + dx, y + dy)) for dx, dy in ring], None)
    pen.closePath()


def face(value: int, filled: bool) -> TTGlyphPen:
    pen = TTGlyphPen(None)
    square(pen, LOW, HIGH, CORNER, True)
    if not filled:
        square(pen, LOW + LINE, HIGH - LINE, CORNER - LINE // 2, False)
    for column, row in SPOTS[value]:
        pip(pen, LOW + 205 * (column + 1), LOW + 205 * (row + 1), PIP, not filled)
    return pen


def font(filled: bool) -> None:
    style = "Bold" if filled else "Regular"
    names = [".notdef", "space", *(f"die{value}" for value in range(1, 7))]
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({0x20: "space", **{0x267F + value: f"die{value}" for value in range(1, 7)}})
    empty = TTGlyphPen(None).glyph()
    builder.setupGlyf({".notdef": empty, "space": empty, **{f"die{value}": face(value, filled).glyph() for value in range(1, 7)}})
    builder.setupHorizontalMetrics({name: (900 if name.startswith("die") else 250, 0) for name in names})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Adjudicator Dice", "styleName": style})
    builder.setupOS2(sTypoAscender=800, sTypoDescender=-200, usWinAscent=800, usWinDescent=200, usWeightClass=700 if filled else 400)
    builder.setupPost()
    builder.font["head"].created = builder.font["head"].modified = 3_600_000_000
    builder.font.recalcTimestamp = False
    name = "dice-bold" if filled else "dice-regular"
    builder.save(HERE / f"{name}.ttf")
    builder.font.flavor = "woff2"
    builder.font.save(HERE / f"{name}.woff2")


if __name__ == "__main__":
    font(False)
    font(True)
