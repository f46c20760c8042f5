"""The drawings on the cards, all made for this game: line work that reads in grey, each in a square of 100.

`emblem` in data/cards.toml names one of them; a card whose emblem is not here gets the mark of its type.
"""

INK, PAPER = "#1c1814", "#fffdf8"
GOLD, GREEN, RED, BLUE, STONE, WOOD = "#e8c65a", "#a9bf86", "#c9584a", "#8fa9c4", "#d5cdbd", "#b98f5e"


def _p(path: str, fill: str = "none", width: int = 4) -> str:
    return f'<path d="{path}" fill="{fill}" stroke="{INK}" stroke-width="{width}" stroke-linejoin="round" stroke-linecap="round"/>'


def _c(x: int, y: int, r: int, fill: str = "none", width: int = 4) -> str:
    return f'<circle cx="{x}" cy="{y}" r="{r}" fill="{fill}" stroke="{INK}" stroke-width="{width}"/>'


def _shield(fill: str, charge: str) -> str:
    return _p("M50 94C26 82 16 66 16 44V12H84V44C84 66 74 82 50 94Z", fill) + charge


def _house(x: int, y: int, size: int, wall: str = PAPER, roof: str = RED) -> str:
    half = size * 5 // 10
    return _p(f"M{x - half} {y}V{y - half}H{x + half}V{y}Z", wall) + _p(f"M{x - half - 5} {y - half}L{x} {y - size}L{x + half + 5} {y - half}Z", roof)


def _sword(tilt: int) -> str:
    return (f'<g transform="rotate({tilt} 50 50)">' + _p("M47 8L50 2L53 8V66H47Z", PAPER, 3) + _p("M34 66H66", width=6) + _p("M50 68V86", width=6) + _c(50, 91, 5, GOLD, 3) + "</g>")


def _coin(x: int, y: int, r: int = 15) -> str:
    return _c(x, y, r, GOLD) + _c(x, y, r - 6, "none", 2)


_EAR = "".join(_p(f"M{x} {y}c-10-2-13-10-11-17c9 2 12 9 11 17c-1-8 2-15 11-17c2 7-1 15-11 17", GOLD, 3) for x, y in ((50, 38), (50, 54), (50, 70)))
_BOW = _p("M34 8C74 24 74 76 34 92", width=6) + _p("M34 8V92", width=2)
_CROSS_PATTY = "M42 42L34 12H66L58 42L88 34V66L58 58L66 88H34L42 58L12 66V34Z"

EMBLEMS: dict[str, str] = {
    # lands
    "manor": _p("M12 88V48H88V88Z", PAPER) + _p("M6 50L50 16L94 50Z", RED) + _p("M42 88V64H58V88Z", WOOD) + _p("M22 60H32V72H22ZM68 60H78V72H68Z", BLUE, 3) + _p("M72 30V14H80V37", STONE),
    "scales": _p("M50 12V84M30 88H70M18 26H82", width=5) + _p("M18 26L6 58H30ZM82 26L70 58H94Z", "none", 3) + _p("M4 58C6 70 30 70 32 58Z", GOLD) + _p("M68 58C70 70 94 70 96 58Z", GOLD) + _c(50, 12, 5, GOLD),
    "grapes": _p("M52 24C60 10 80 8 90 18C84 34 66 36 52 24Z", GREEN) + _p("M50 26C46 16 40 10 34 8", width=5) + "".join(_c(x, y, 11, "#8a6a93", 3) for x, y in ((30, 40), (50, 38), (70, 42), (40, 58), (60, 58), (50, 76))),
    "wheat": _p("M50 94V30", width=5) + _EAR + _p("M50 22c-7-4-6-12 0-18c6 6 7 14 0 18Z", GOLD, 3),
    "sheep": _p("M24 66V88M38 68V88M60 68V88M72 66V88", width=5) + _p("M20 64c-14-6-10-26 4-26c2-16 24-18 30-8c12-8 30 2 26 14c12 8 4 26-10 24c-10 8-22 6-26 0c-8 6-20 4-24-4Z", PAPER) + _p("M74 36c8-8 20-4 18 6c0 12-14 18-20 8Z", STONE),
    "houses": _house(30, 86, 46) + _house(72, 90, 38, PAPER, WOOD) + _p("M26 86V72H36V86", WOOD, 3) + _p("M8 92H94", width=4),
    "horse": _p("M30 92C28 70 32 60 44 52L26 58C18 60 14 52 20 46L46 22L44 8L58 18C78 24 86 46 82 92Z", WOOD) + _p("M58 18C66 36 66 52 62 60M66 26C76 40 76 56 72 70", width=3) + _c(46, 34, 3, INK, 2),
    "gate": _p("M18 92V14M14 92H24", width=7) + _p("M10 92H90", width=4) + _p("M20 38L94 52V62L20 48Z", PAPER) + _p("M36 41V51M54 44V55M72 48V58", RED, 5) + _p("M30 92C44 76 60 72 92 70", width=3),
    "pick": _p("M50 22V94", width=8) + _p("M8 44C24 12 76 12 92 44C74 30 62 28 50 28C38 28 26 30 8 44Z", STONE) + _p("M14 92L26 74L38 92Z", GOLD, 3) + _p("M66 92L76 78L88 92Z", GOLD, 3),
    "bird": _p("M30 22C42 10 60 16 62 32L74 86L52 74C30 66 24 46 30 22Z", WOOD) + _p("M30 22C22 22 18 28 20 36L32 30Z", GOLD, 3) + _p("M44 38C54 50 60 62 62 76M36 52C44 60 50 66 56 74", width=3) + _p("M18 88H84M48 76V88M58 80V88", width=5) + _c(38, 24, 3, INK, 2),
    "church": _p("M36 92V44L62 30L88 44V92Z", PAPER) + _p("M14 92V40L26 16L38 40V92Z", STONE) + _p("M26 16V2M20 8H32", width=4) + _p("M56 92V74C56 66 68 66 68 74V92Z", WOOD) + _p("M22 56H30V68H22Z", BLUE, 3),
    "cloister": _p("M8 92V38H92V92Z", PAPER) + _p("M4 38L20 18H80L96 38Z", RED) + _p("M16 92V66C16 54 34 54 34 66V92M42 92V66C42 54 58 54 58 66V92M66 92V66C66 54 84 54 84 66V92", STONE) + _p("M50 18V4M44 10H56", width=4),
    "abbey": _p("M14 92V32H36V92M64 92V32H86V92", STONE) + _p("M36 92V50L50 36L64 50V92Z", PAPER) + _p("M14 32L25 12L36 32ZM64 32L75 12L86 32Z", RED) + _c(50, 62, 8, BLUE, 3) + _p("M44 92V80H56V92", WOOD, 3),
    "cathedral": _p("M12 92V36L22 10L32 36V92M68 92V36L78 10L88 36V92", STONE) + _p("M32 92V44L50 24L68 44V92Z", PAPER) + _c(50, 54, 11, BLUE, 3) + _p("M50 43V65M39 54H61", width=2) + _p("M42 92V80C42 72 58 72 58 80V92Z", WOOD) + _p("M50 24V8M44 14H56", width=4),
    "castle": _p("M6 92V44H14V50H22V44H30V92Z", STONE) + _p("M70 92V44H78V50H86V44H94V92Z", STONE) + _p("M28 92V22H36V30H46V22H54V30H64V22H72V92Z", PAPER) + _p("M42 92V72C42 60 58 60 58 72V92Z", WOOD) + _p("M50 22V4L68 9L50 14", RED, 3) + _p("M38 46V54M62 46V54", width=4),
    # vassals
    "chest": _p("M12 50V86H88V50Z", WOOD) + _p("M12 50C12 26 88 26 88 50Z", WOOD) + _p("M42 46H58V62H42Z", GOLD) + _p("M26 34V86M74 34V86", width=3) + _coin(24, 18, 10) + _coin(46, 14, 10),
    "trumpet": _p("M10 36H62C74 36 78 28 86 22V62C78 56 74 50 62 50H10Z", GOLD) + _p("M26 50V90L38 80L50 90V50Z", RED) + _p("M4 36V50", width=6),
    "hammer": _p("M20 24H66L80 34V46H20Z", STONE) + _p("M38 46H52V94H38Z", WOOD) + _p("M66 24V46", width=3),
    "quill": _p("M20 90C34 46 54 18 88 8C84 44 62 62 36 68", PAPER) + _p("M12 96L60 40", width=4) + _p("M48 88H90V96H48ZM56 88V74H82V88", BLUE, 3),
    "lute": _p("M28 56C44 40 62 58 48 76C36 94 8 92 10 72C12 62 22 60 28 56Z", WOOD) + _p("M44 56L84 14M78 8L92 20", width=7) + _c(30, 72, 8, INK, 3) + _p("M26 82L84 20", width=2),
    "fan": _p("M50 90L10 40C26 14 74 14 90 40Z", "#d9b8c4") + _p("M50 90L24 26M50 90L42 18M50 90L60 18M50 90L77 27", width=3) + _c(50, 88, 6, GOLD),
    "scroll": _p("M24 14H80V76H24Z", PAPER) + _p("M24 14C10 14 10 30 24 30M80 76C94 76 94 92 80 92H26C12 92 12 76 26 76H80", PAPER) + _p("M34 32H70M34 44H70M34 56H60", width=3),
    "ring": _p("M50 40C72 40 82 56 82 68C82 84 68 94 50 94C32 94 18 84 18 68C18 56 28 40 50 40ZM50 52C38 52 30 60 30 68C30 76 38 84 50 84C62 84 70 76 70 68C70 60 62 52 50 52Z", GOLD) + _p("M34 22L42 8H58L66 22L50 42Z", BLUE) + _p("M34 22H66", width=3),
    "helm": _p("M22 90V46C22 18 36 8 50 8C64 8 78 18 78 46V90L50 96Z", STONE) + _p("M22 46H46V54H22ZM54 46H78V54H54Z", INK, 3) + _p("M50 8V96", width=5) + _p("M32 66H40M32 76H40M60 66H68M60 76H68", width=4),
    # companies
    "maltese": _shield("#3d3a38", _p("M50 46L38 22L50 28L62 22ZM50 54L38 78L50 72L62 78ZM46 50L24 38L30 50L24 62ZM54 50L76 38L70 50L76 62Z", PAPER, 2)),
    "patty": _shield(PAPER, '<g transform="translate(22 20) scale(.56)">' + _p(_CROSS_PATTY, RED, 6) + "</g>"),
    "lance": _p("M16 94L80 14L90 6L86 20L24 98Z", WOOD) + _p("M62 34L88 44L70 60L80 70L50 52Z", RED) + _p("M30 64L44 78", width=7),
    "mace": _p("M20 92L58 46", width=8) + _c(68, 32, 19, STONE) + _p("M68 6V16M68 48V58M42 32H52M84 32H94M50 14L56 20M80 44L86 50M86 14L80 20M50 50L56 44", width=5),
    "halberd": _p("M38 96V24", width=6) + _p("M38 24L44 2L50 24Z", STONE) + _p("M42 26C66 18 80 28 84 44C72 48 60 56 42 52Z", STONE) + _p("M36 32L18 38L36 46Z", STONE),
    "spear": _p("M30 96V30M54 96V22M78 96V30", width=5) + "".join(_p(f"M{x} {y}L{x + 8} {y + 26}H{x - 8}Z", STONE, 3) for x, y in ((30, 6), (54, 0), (78, 6))) + _p("M14 58H94V66H14Z", WOOD, 3),
    "bow": _BOW + _p("M8 50H84M84 50L70 42M84 50L70 58", width=4) + _p("M8 50L16 42M8 50L16 58", width=3),
    "crossbow": _p("M50 16V92M44 70H56", width=8) + _p("M10 44C24 16 76 16 90 44", width=6) + _p("M10 44L50 56L90 44", width=2) + _p("M50 4L58 20H42Z", STONE, 3),
    "longbow": _p("M30 4C66 26 66 74 30 96", width=6) + _p("M30 4V96", width=2) + _p("M66 92L78 34M78 92L84 34M90 92L90 34", width=3) + _p("M60 60L96 60V96H64Z", WOOD),
    # battle cards
    "swords": _sword(40) + _sword(-40),
    "ram": _p("M6 92V58L50 34L94 58V92", width=5) + _p("M50 34V60M24 48V62M76 48V62", width=3) + _p("M12 60H76V74H12Z", WOOD) + _p("M76 58L94 62V72L76 76Z", STONE) + _c(24, 90, 8, STONE) + _c(76, 90, 8, STONE),
    "trebuchet": _p("M12 92H88M26 92L50 40L74 92M38 68H62", width=5) + _p("M14 60L90 14", width=6) + _p("M10 60H30V78H10Z", STONE) + _p("M90 14C94 26 90 32 84 38", width=2) + _c(82, 42, 7, STONE),
    "banner": _p("M22 96V4", width=6) + _p("M24 8H90L74 30L90 52H24Z", BLUE) + _p("M48 18V42M36 30H60", PAPER, 6) + _c(22, 5, 5, GOLD),
    # events
    "dove": _p("M10 58C24 64 34 58 40 48C40 26 56 12 80 10C70 24 74 30 78 38C92 40 90 52 78 52C70 76 44 84 22 78L34 70C24 70 14 66 10 58Z", PAPER) + _c(78, 44, 2, INK, 3) + _p("M88 46L96 44", width=4) + _p("M46 46C54 50 62 48 68 40", width=3),
    "cross": _shield(PAPER, _p("M43 20H57V40H76V54H57V84H43V54H24V40H43Z", RED, 3)),
    "fork": _p("M50 96V48", width=6) + _p("M28 6V34C28 46 36 48 50 48C64 48 72 46 72 34V6M50 6V48", width=6) + _p("M76 94C60 88 70 74 74 64C82 74 92 86 76 94Z", RED, 3) + _p("M24 94C14 90 20 80 24 74C30 80 34 90 24 94Z", RED, 3),
    "joust": _p("M4 88L92 40M96 88L8 40", WOOD, 7) + _p("M30 12H70V36C70 54 60 62 50 66C40 62 30 54 30 36Z", PAPER) + _p("M50 12V65M30 32H70", RED, 4),
    "cup": _p("M22 12H78C78 44 66 56 54 58V80H70V92H30V80H46V58C34 56 22 44 22 12Z", GOLD) + _p("M22 20C6 18 8 42 28 42M78 20C94 18 92 42 72 42", width=5) + _p("M32 24H68", width=3),
    "mask": _p("M8 34C28 24 40 36 50 36C60 36 72 24 92 34C92 62 78 70 64 66C56 64 54 54 50 54C46 54 44 64 36 66C22 70 8 62 8 34Z", "#8a6a93") + _p("M22 46C28 40 36 42 40 48C34 54 26 52 22 46ZM78 46C72 40 64 42 60 48C66 54 74 52 78 46Z", PAPER, 3) + _p("M92 40L96 92", width=5),
    "coins": _coin(34, 74, 18) + _coin(66, 74, 18) + _coin(50, 50, 18) + _p("M50 8V26M42 18L50 28L58 18", width=4),
    "lips": _p("M10 50C22 26 40 28 50 38C60 28 78 26 90 50C76 76 24 76 10 50Z", RED) + _p("M10 50C30 56 70 56 90 50", width=4) + _p("M66 8V22M82 12L76 24M50 4V16", width=4),
    "stag": _p("M36 92L40 56C30 50 30 40 38 36L62 36C70 40 70 50 60 56L64 92Z", WOOD) + _p("M38 36C30 30 20 26 22 8M30 28C22 28 14 26 12 18M26 18L34 10M62 36C70 30 80 26 78 8M70 28C78 28 86 26 88 18M74 18L66 10", width=5) + _c(44, 48, 2, INK, 3) + _c(56, 48, 2, INK, 3) + _p("M46 62H54L50 68Z", INK, 2),
    "pavilion": _p("M16 92V52H84V92Z", PAPER) + _p("M30 52V92M44 52V92M58 52V92M72 52V92", RED, 5) + _p("M6 54L50 14L94 54L80 60L65 54L50 60L35 54L20 60Z", GOLD) + _p("M50 14V2L64 6L50 10", RED, 3),
    "chain": "".join(_p(path, "none", 6) for path in ("M12 30C12 16 38 16 38 30V42C38 56 12 56 12 42Z", "M40 58C40 44 62 44 62 58V68C62 82 40 82 40 68Z", "M66 36C66 22 90 22 90 36V48C90 62 66 62 66 48Z")) + _p("M34 48L44 54M60 58L70 52", width=6) + _coin(18, 82, 11) + _coin(84, 84, 11),
    "sickle": _p("M28 70C4 26 50 -6 84 18C54 14 34 32 42 62Z", STONE) + _p("M30 64L44 60L56 94L42 98Z", WOOD) + '<g transform="translate(48 34) scale(.56)">' + _p("M50 94V30", width=5) + _EAR + "</g>",
    "stall": _p("M12 38V92M88 38V92M12 66H88V76H12Z", WOOD) + _p("M6 38L18 12H82L94 38Z", PAPER) + _p("M6 38C10 48 22 48 28 38C34 48 44 48 50 38C56 48 66 48 72 38C78 48 90 48 94 38", RED) + _c(30, 58, 7, RED, 3) + _c(46, 58, 7, GREEN, 3) + _c(62, 58, 7, GOLD, 3),
    "bell": _p("M50 12C74 12 74 40 76 58L88 76H12L24 58C26 40 26 12 50 12Z", GOLD) + _c(50, 84, 8, STONE) + _p("M10 10L90 92", width=7),
    "dagger": _p("M44 40H56L52 92L50 98L48 92Z", STONE) + _p("M28 38H72", width=7) + _p("M50 36V14", WOOD, 8) + _c(50, 9, 6, GOLD) + _p("M76 92C66 86 72 76 76 68C82 76 88 86 76 92Z", RED, 3),
    "eye": _p("M6 50C26 18 74 18 94 50C74 82 26 82 6 50Z", PAPER) + _c(50, 50, 17, BLUE) + _c(50, 50, 6, INK) + _p("M20 20L28 30M50 8V20M80 20L72 30", width=4),
    "hood": _p("M50 6C78 8 86 40 84 92H16C14 40 22 8 50 6Z", "#55504a") + _p("M50 26C66 28 70 48 66 66C58 78 42 78 34 66C30 48 34 28 50 26Z", PAPER) + _p("M30 58H70V74C60 82 40 82 30 74Z", RED, 3) + _c(42, 48, 3, INK, 2) + _c(58, 48, 3, INK, 2),
    "rat": _p("M12 70C14 48 36 40 56 46C66 34 84 40 82 52L96 62C90 72 78 72 70 72C60 80 24 82 12 70Z", "#55504a") + _p("M12 70C2 78 6 92 22 90C40 88 54 90 62 94", width=4) + _c(80, 57, 2, PAPER, 2) + _c(70, 42, 8, "#8f877c", 3) + _p("M30 76V84M50 78V86", width=4),
    "flame": _p("M14 92L86 72M86 92L14 72", WOOD, 8) + _p("M50 80C20 74 26 46 40 32C42 42 46 44 48 40C44 22 54 10 62 4C60 20 76 30 76 52C76 68 66 78 50 80Z", RED) + _p("M52 78C38 74 42 60 50 52C58 58 64 70 52 78Z", GOLD, 3),
}

TYPE_MARKS: dict[str, str] = {
    "land": _p("M6 78C26 54 40 60 52 66C64 46 80 46 96 62V88H6Z", GREEN) + _c(72, 26, 11, GOLD),
    "vassal": _c(50, 30, 17, PAPER) + _p("M16 92C16 62 34 52 50 52C66 52 84 62 84 92Z", BLUE),
    "company": _shield(STONE, _p("M50 12V92M16 44H84", width=4)),
    "battle": _sword(40) + _sword(-40),
    "event": _p("M50 6L60 38L94 38L67 58L77 92L50 72L23 92L33 58L6 38L40 38Z", GOLD),
}


def emblem(name: str, type_: str) -> str:
    """The drawing, as SVG without its frame; the mark of the card's type where there is none."""
    return EMBLEMS.get(name) or TYPE_MARKS[type_]
