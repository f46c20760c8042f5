"""Cut the report's fonts down to the letters it needs: python templates/fonts/subset.py FOLDER.

FOLDER holds the originals that README.md names. Needs fontTools and brotli; run it only when a font or the list of letters changes.
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

HERE = Path(__file__).parent
FONTS = {
    "EBGaramond_400Regular.ttf": "serif-regular",
    "EBGaramond_400Regular_Italic.ttf": "serif-italic",
    "EBGaramond_600SemiBold.ttf": "serif-bold",
    "DejaVuSansMono.ttf": "mono-regular",
}
LETTERS = [
    (0x20, 0x7E), (0xA0, 0x17F), (0x192, 0x192), (0x1CD, 0x1DC), (0x1FA, 0x21B), (0x2BC, 0x2BC), (0x2C6, 0x2DD), (0x300, 0x304), (0x306, 0x30C), (0x323, 0x328),
    (0x370, 0x3FF), (0x400, 0x52F), (0x1E80, 0x1E85), (0x1E9E, 0x1E9E), (0x1EF2, 0x1EF9), (0x2000, 0x203A), (0x2044, 0x2044), (0x2070, 0x209C),
    (0x20A0, 0x20BF), (0x2116, 0x2122), (0x2150, 0x215E), (0x2190, 0x2199), (0x2212, 0x2212), (0x221E, 0x221E), (0x2248, 0x2248), (0x2260, 0x2265),
    (0x2500, 0x257F), (0x2588, 0x2588), (0x25A0, 0x25A1), (0x25AF, 0x25AF), (0x25B2, 0x25B3), (0x25CB, 0x25CF), (0x2605, 0x2606), (0x2660, 0x2667), (0x2694, 0x2694),
    (0x2713, 0x2717), (0x2767, 0x2767), (0x27E6, 0x27E7), (0xFB00, 0xFB04), (0xFFFD, 0xFFFD),
]
FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl", "liga", "smcp", "lnum", "onum", "tnum", "pnum", "frac", "case", "sups"]


def main(folder: Path) -> None:
    wanted = [letter for first, last in LETTERS for letter in range(first, last + 1)]
    covered = {}
    for original, name in FONTS.items():
        font = TTFont(folder / original, recalcTimestamp=False)
        options = subset.Options(layout_features=FEATURES, hinting=False, notdef_outline=True, recalc_timestamp=False, desubroutinize=True,
                                 drop_tables=["DSIG", "FFTM", "GDEF" if "mono" in name else "DSIG"])
        tool = subset.Subsetter(options)
        tool.populate(unicodes=wanted)
        tool.subset(font)
        font.save(HERE / f"{name}.ttf")
        font.flavor = "woff2"
        font.save(HERE / f"{name}.woff2")
        covered[name] = set(font.getBestCmap())
        print(name, len(covered[name]), (HERE / f"{name}.ttf").stat().st_size, (HERE / f"{name}.woff2").stat().st_size)
    letters = sorted(set.union(*covered.values()))
    ranges, start = [], None
    for place, letter in enumerate(letters):
        start = letter if start is None else start
        if place + 1 == len(letters) or letters[place + 1] != letter + 1:
            ranges.append(f"{start:X}-{letter:X}")
            start = None
    (HERE / "letters.txt").write_text("\n".join(ranges) + "\n", encoding="ascii")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
