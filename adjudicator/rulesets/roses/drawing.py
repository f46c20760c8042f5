"""The map of chapter 12, point 6, as vector graphics: what is known, what is remembered, and what nobody sees."""

from math import isqrt

from ...core.events import Event
from ...core.words import _
from . import badges, outlook, sides
from .placement import Box, Sheet, text_width
from .sight import ArmyView, View
from .tables import TABLES

WIDTH, HEIGHT = 1000, 1400
SEA, LAND, SEEN, SHADE, INK, ROAD = "#e4ecee", "#e9e2d3", "#fffdf6", "#b9b09d", "#1c1814", "#7d6f58"
LARGE, SMALL = 26, 18
FONT = "Adjudicator Serif"
SCOTLAND = ((489, 34), (489, -20), (150, -20), (140, 70), (176, 120), (170, 160), (205, 196), (232, 186), (258, 214), (300, 200), (345, 196), (385, 206))
BORDER = ((385, 206), (404, 179), (432, 138), (467, 118), (461, 70), (489, 34))
FERRY = ("canterbury", "ipswich")


def draw_map(view: View, events: list[Event]) -> str:
    """The whole map for one viewer, a full page upright. events: those of the turn just played that the viewer may see."""
    sheet = Sheet(Box(8, 8, WIDTH - 16, HEIGHT - 16))
    marches = [event for event in events if event.kind == "march"]
    for box in (Box(690, 10, 306, 392), Box(540, 1200, 450, 192)):
        sheet.block(box, 40)
    _reserve(sheet, marches)
    labels = _labels(sheet)
    battles = "".join(_battle(sheet, point) for point in dict.fromkeys(event.data["point"] for event in events if event.kind in ("battle", "assault")))
    armies = _armies(view, sheet)
    parts = [_ground(view), _roads(), _reach(view), _marches(marches), _castles(view), "".join(_siege(point) for point in view.sieges), labels, armies, battles,
             _legend_of_houses(view), _legend_of_signs(view)]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="{FONT}" fill="{INK}">{_definitions()}{"".join(parts)}'
            f'<rect x="2" y="2" width="{WIDTH - 4}" height="{HEIGHT - 4}" fill="none" stroke="{INK}" stroke-width="3"/></svg>')


def _definitions() -> str:
    coast = _smooth(_coastline())
    return (f'<defs><clipPath id="map-frame"><rect x="0" y="0" width="{WIDTH}" height="{HEIGHT}"/></clipPath><clipPath id="map-land"><path d="{coast}"/></clipPath>'
            f'<pattern id="map-shade" width="7" height="7" patternUnits="userSpaceOnUse"><path d="M-1 8L8 -1" stroke="{SHADE}" stroke-width="1"/></pattern></defs>')


# The ground

def _coastline() -> list[tuple[int, int]]:
    return [(x, y) for row in TABLES.map.coastline for x, y in row]


def _smooth(points: list[tuple[int, int]]) -> str:
    """A closed curve through the points; each bend looks a sixth of the way along its neighbours."""
    path = [f"M{points[0][0]} {points[0][1]}"]
    count = len(points)
    for place in range(count):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = (points[(place + step) % count] for step in (-1, 0, 1, 2))
        path.append(f"C{bx + (cx - ax) // 6} {by + (cy - ay) // 6} {cx - (dx - bx) // 6} {cy - (dy - by) // 6} {cx} {cy}")
    return "".join(path) + "Z"


def _ground(view: View) -> str:
    """Sea with water lines, the land shaded where nobody of the viewer's looks, clear where he sees, and Scotland."""
    coast = _smooth(_coastline())
    scotland = "M" + "L".join(f"{x} {y}" for x, y in SCOTLAND) + "L" + "L".join(f"{x} {y}" for x, y in BORDER[1:]) + "Z"
    shores = f'<path d="{coast}"/><path d="{scotland}"/>'
    rings = "".join(f'<g fill="none" stroke="{colour}" stroke-width="{wide}" stroke-linejoin="round">{shores}</g>'
                    for wide, colour in ((44, "#b7c6cb"), (42, SEA), (28, "#a3b6bd"), (26, SEA), (14, "#8fa5ad"), (12, SEA)))
    everything = len(view.in_sight) == len(TABLES.points) or not view.in_sight   # the public sees no point: nothing to tell apart
    if everything:
        seen = f'<path d="{coast}" fill="{SEEN}"/>'
    else:
        sight = dict.fromkeys(view.in_sight, True)
        clear = "".join(f'<circle cx="{TABLES.points[point].x}" cy="{TABLES.points[point].y}" r="36"/>' for point in view.in_sight)
        lanes = "".join(f"M{_at(road.a)}L{_at(road.b)}" for road in TABLES.map.roads if road.a in sight and road.b in sight)
        seen = (f'<path d="{coast}" fill="{LAND}"/><path d="{coast}" fill="url(#map-shade)"/><g clip-path="url(#map-land)" fill="{SEEN}">{clear}'
                f'<path d="{lanes}" fill="none" stroke="{SEEN}" stroke-width="46" stroke-linecap="round"/></g>')
    border = "M" + "L".join(f"{x} {y}" for x, y in BORDER)
    names = "".join(f'<text x="{x}" y="{y}" font-size="{size}" font-style="italic" fill="#6d7f86" text-anchor="middle" letter-spacing="3">{_xml(name)}</text>'
                    for x, y, size, name in ((320, 100, 26, _("Scotland")), (150, 400, 25, _("Irish Sea")), (372, 1352, 25, _("English Channel")), (870, 560, 25, _("North Sea"))))
    return (f'<g clip-path="url(#map-frame)"><rect width="{WIDTH}" height="{HEIGHT}" fill="{SEA}"/>{rings}<path d="{scotland}" fill="#efe9dc" stroke="#8d8371" stroke-width="1.5"/>{seen}'
            f'<path d="{coast}" fill="none" stroke="#4b4336" stroke-width="2.4"/><path d="{border}" fill="none" stroke="#efe9dc" stroke-width="3.4"/>'
            f'<path d="{border}" fill="none" stroke="#4b4336" stroke-width="2.4" stroke-dasharray="12 5 3 5"/>{names}</g>')


def _roads() -> str:
    plain, mountain, ferry = [], [], []
    for road in TABLES.map.roads:
        where = ferry if (road.a, road.b) == FERRY or (road.b, road.a) == FERRY else mountain if road.kind == "mountain" else plain
        where.append(f"M{_at(road.a)}L{_at(road.b)}")
    return (f'<g fill="none" stroke-linecap="butt"><path d="{"".join(plain)}" stroke="{ROAD}" stroke-width="3.2"/><path d="{"".join(mountain)}" stroke="{ROAD}" stroke-width="3.2" stroke-dasharray="9 6"/>'
            f'<path d="{"".join(ferry)}" stroke="#44626e" stroke-width="3.2" stroke-dasharray="2 6"/></g>')


def _reach(view: View) -> str:
    """Next season's reach: a tinted ring of dots round each point."""
    return "".join(f'<circle cx="{TABLES.points[point].x}" cy="{TABLES.points[point].y}" r="23" fill="#f2dc8c" fill-opacity=".75" stroke="#8a6d1c" stroke-width="2.2" stroke-dasharray="1.5 4.5" '
                   'stroke-linecap="round"/>' for point in outlook.in_reach(view))


# Castles

def _castles(view: View) -> str:
    return "".join(_castle(view, point) for point in TABLES.points)


def _castle(view: View, id_: str) -> str:
    point = TABLES.points[id_]
    if point.castle == "none":
        return f'<circle cx="{point.x}" cy="{point.y}" r="6" fill="{SEEN}" stroke="{INK}" stroke-width="2.4"/>'
    size = LARGE if point.castle == "large" else SMALL
    drawn = _square(view, view.castles.get(id_), point.x, point.y, size)
    if id_ == "london":
        x, y = point.x, point.y - size // 2 - 5
        drawn += f'<path d="M{x - 14} {y}L{x - 17} {y - 17}L{x - 8} {y - 8}L{x} {y - 20}L{x + 8} {y - 8}L{x + 17} {y - 17}L{x + 14} {y}Z" fill="#e3b93c" stroke="{INK}" stroke-width="2"/>'
    return drawn


def _square(view: View, house: str | None, x: int, y: int, size: int) -> str:
    """A castle: towers if it is large, the colour and pattern of its house, the rim of the faction (one thick line: Lancastrian; two thin ones: Yorkist;
    dashes: a house that is out of the war)."""
    half = size // 2
    left, top = x - half, y - half
    towers = ""
    if size == LARGE:
        tower = 9
        towers = "".join(f'<rect x="{cx - tower // 2}" y="{cy - tower // 2}" width="{tower}" height="{tower}" fill="{INK}"/>'
                         for cx in (left - 1, left + size + 1) for cy in (top - 1, top + size + 1))
    if house is None:
        return towers + f'<rect x="{left}" y="{top}" width="{size}" height="{size}" fill="#fff" stroke="{INK}" stroke-width="1.6"/>'
    filled = badges.division(house, left, top, size, TABLES.house_table.colours.houses[house])
    return towers + _rim(view, house, left, top, size) + filled + f'<rect x="{left}" y="{top}" width="{size}" height="{size}" fill="none" stroke="{INK}" stroke-width="1.6"/>'


def _rim(view: View, house: str, left: int, top: int, size: int) -> str:
    status, faction = view.houses[house].status, view.houses[house].faction

    def ring(out: int, wide: str, more: str = "") -> str:
        return f'<rect x="{left - out}" y="{top - out}" width="{size + 2 * out}" height="{size + 2 * out}" fill="#fff" stroke="{INK}" stroke-width="{wide}"{more}/>'
    if status in ("neutral", "dormant"):
        return ring(4, "1.6", ' stroke-dasharray="3 3"')
    return ring(2, "4.4") if faction == "lancastrian" else ring(4, "1.6")


def _siege(point: str) -> str:
    spot = TABLES.points[point]
    return f'<circle cx="{spot.x}" cy="{spot.y}" r="25" fill="none" stroke="{INK}" stroke-width="5" stroke-dasharray="7 4"/>'


# Marches and battles

def _march_lines(marches: list[Event]) -> list[tuple[str, list[tuple[int, int]]]]:
    """(leader, corners of the arrow) of each march; marches along one road stand beside each other."""
    lines, used = [], {}
    for event in marches:
        stops = [event.data["start"], *event.data["route"]]
        if len(stops) < 2:
            continue
        nth = max((used.get(tuple(sorted(pair)), 0) for pair in zip(stops, stops[1:], strict=False)), default=0)
        for pair in zip(stops, stops[1:], strict=False):
            used[tuple(sorted(pair))] = nth + 1
        shift = (5, -7, 13, -15)[nth % 4]
        corners = [(TABLES.points[stop].x, TABLES.points[stop].y) for stop in stops]
        lines.append((event.data["leader"], _beside(corners, shift)))
    return lines


def _beside(corners: list[tuple[int, int]], shift: int) -> list[tuple[int, int]]:
    """The line moved a little to its right, shortened at both ends so that the castles stay free."""
    moved = []
    for place, (x, y) in enumerate(corners):
        (ax, ay), (bx, by) = corners[max(0, place - 1)], corners[min(len(corners) - 1, place + 1)]
        dx, dy = bx - ax, by - ay
        far = isqrt(dx * dx + dy * dy) or 1
        moved.append((x - dy * shift // far, y + dx * shift // far))
    moved[0] = _towards(moved[0], moved[1], 14)
    moved[-1] = _towards(moved[-1], moved[-2], 20)
    return moved


def _towards(start: tuple[int, int], goal: tuple[int, int], steps: int) -> tuple[int, int]:
    dx, dy = goal[0] - start[0], goal[1] - start[1]
    far = isqrt(dx * dx + dy * dy) or 1
    return start[0] + dx * steps // far, start[1] + dy * steps // far


def _marches(marches: list[Event]) -> str:
    drawn = ""
    for leader, corners in _march_lines(marches):
        (px, py), (x, y) = corners[-2], corners[-1]
        far = isqrt((x - px) * (x - px) + (y - py) * (y - py)) or 1
        ux, uy = (x - px) * 100 // far, (y - py) * 100 // far
        back = (x - ux * 16 // 100, y - uy * 16 // 100)
        line = "M" + "L".join(f"{cx} {cy}" for cx, cy in [*corners[:-1], back])
        head = f"M{x} {y}L{x - (ux * 19 + uy * 10) // 100} {y - (uy * 19 - ux * 10) // 100}L{x - (ux * 19 - uy * 10) // 100} {y - (uy * 19 + ux * 10) // 100}Z"
        colour = TABLES.house_table.colours.houses[leader]
        drawn += (f'<path d="{line}" fill="none" stroke="{INK}" stroke-width="9" stroke-linejoin="round"/><path d="{head}" fill="{INK}" stroke="{INK}" stroke-width="4" stroke-linejoin="round"/>'
                  f'<path d="{line}" fill="none" stroke="{colour}" stroke-width="5" stroke-linejoin="round"/><path d="{head}" fill="{colour}"/>')
    return drawn


def _battle(sheet: Sheet, point: str) -> str:
    spot = TABLES.points[point]
    box = sheet.place(32, 32, spot.x, spot.y, 15, price=12)
    return _swords(box.x + 16, box.y + 16)


def _swords(x: int, y: int) -> str:
    blades = (f'M{x - 12} {y + 12}L{x + 12} {y - 12}M{x + 12} {y + 12}L{x - 12} {y - 12}M{x - 13} {y + 5}L{x - 5} {y + 13}M{x + 13} {y + 5}L{x + 5} {y + 13}')
    return (f'<path d="{blades}" fill="none" stroke="#fff" stroke-width="9" stroke-linecap="round"/><path d="{blades}" fill="none" stroke="#8a1c14" stroke-width="4" stroke-linecap="round"/>')


# Labels and counters

def _reserve(sheet: Sheet, marches: list[Event]) -> None:
    """What labels must keep away from: castles first of all, then roads, then arrows."""
    for point in TABLES.points.values():
        half = {"large": 20, "small": 15, "none": 9}[point.castle]
        sheet.block(Box(point.x - half, point.y - half - (18 if point.id == "london" else 0), 2 * half, 2 * half + (18 if point.id == "london" else 0)), 30)
    for road in TABLES.map.roads:
        a, b = TABLES.points[road.a], TABLES.points[road.b]
        sheet.line(a.x, a.y, b.x, b.y, 45)
    for _leader, corners in _march_lines(marches):
        for (ax, ay), (bx, by) in zip(corners, corners[1:], strict=False):
            sheet.line(ax, ay, bx, by, 60)


def _labels(sheet: Sheet) -> str:
    """Names of points, large castles first."""
    order = sorted(TABLES.points.values(), key=lambda point: (("large", "small", "none").index(point.castle), point.id))
    drawn = ""
    for point in order:
        size = {"large": 22, "small": 19, "none": 17}[point.castle]
        style = {"large": ' font-weight="600"', "small": "", "none": ' font-style="italic"'}[point.castle]
        gap = {"large": 23, "small": 18, "none": 11}[point.castle]
        name = _(point.name)
        box = sheet.place(text_width(name, size) + (4 if point.castle == "large" else 0), size * 3 // 4, point.x, point.y, gap)
        drawn += _label(name, box.x + box.width // 2, box.y + box.height - 1, size, style)
    return drawn


def _label(text: str, x: int, y: int, size: int, style: str) -> str:
    said = f'x="{x}" y="{y}" font-size="{size}" text-anchor="middle"{style}'
    return f'<text {said} stroke="{SEEN}" stroke-width="4.5" stroke-linejoin="round" fill="{SEEN}">{_xml(text)}</text><text {said}>{_xml(text)}</text>'


def _armies(view: View, sheet: Sheet) -> str:
    """A counter for each house at a point: own ones first, so that they stand nearest to it."""
    order = {"own": 0, "faction": 1, "seen": 2, "remembered": 3}
    together: dict[tuple[int, str, str], list[ArmyView]] = {}
    for army in sorted(view.armies, key=lambda army: (order[army.how], army.point)):
        together.setdefault((order[army.how], army.point, army.house), []).append(army)
    drawn = ""
    for (_rank, point, _house), armies in together.items():
        spot = TABLES.points[point]
        words = counter_words(armies)
        box = sheet.place(38 + text_width(words, 17), 24, spot.x, spot.y, 22 if spot.castle != "none" else 14, price=10, far=True)
        drawn += _counter(view, armies[0], box, spot.x, spot.y, words)
    return drawn


def counter_words(armies: list[ArmyView]) -> str:
    """What one counter says of all armies or blocks of a house at a point: their companies together where all are known; "c": the captain alone."""
    sizes = [army.size for army in armies if army.size is not None]
    if armies[0].how == "remembered":
        return _season_short(max(army.seen_turn for army in armies))
    if len(sizes) == len(armies):
        return f"{sum(sizes)}{'c' if armies[0].group == 'captain' else ''}"
    return " + ".join(army_words(army) for army in armies)


def army_words(army: ArmyView) -> str:
    """How many companies, or when it was seen."""
    if army.how == "remembered":
        return _season_short(army.seen_turn)
    if army.size is not None:
        return str(army.size)
    return {"small": "1–3", "middling": "4–7", "great": "8+"}.get(army.band, "?")


def _season_short(turn: int) -> str:
    seasons = {"Spring": _("Spr"), "Summer": _("Sum"), "Autumn": _("Aut"), "Winter": _("Win")}
    return f"{seasons[outlook.season_name(turn)]} {outlook.year_of(turn) % 100:02d}"


def _counter(view: View, army: ArmyView, box: Box, x: int, y: int, words: str) -> str:
    """Own: thick rim; friends: thin rim; others: a pointed end; remembered: hollow with dashes. """
    colour = TABLES.house_table.colours.houses[army.house]
    left, top, right, bottom = box.x, box.y, box.x + box.width, box.y + box.height
    friend = army.how == "own" or (view.viewer in view.houses and view.houses[army.house].faction == view.houses[view.viewer].faction) or view.viewer not in view.houses
    shape = (f"M{left} {top}H{right}V{bottom}H{left}Z" if friend else f"M{left} {top}H{right - 7}L{right} {top + box.height // 2}L{right - 7} {bottom}H{left}Z")
    faded = army.how == "remembered"
    rim = "4" if army.how == "own" else "1.8"
    dash = ' stroke-dasharray="5 3"' if faded else ""
    cx, cy = min(max(x, left), right), min(max(y, top), bottom)
    tie = f'<path d="M{cx} {cy}L{x} {y}" stroke="{INK}" stroke-width="1.6"{" stroke-dasharray=" + chr(34) + "3 3" + chr(34) if faded else ""}/>' if abs(cx - x) + abs(cy - y) > 26 else ""
    emblem = badges.division(army.house, left + 4, top + 4, 16, colour) + f'<rect x="{left + 4}" y="{top + 4}" width="16" height="16" fill="none" stroke="{INK}" stroke-width="1"/>'
    return (f'{tie}<path d="{shape}" fill="#fff" stroke="{INK}" stroke-width="{rim}"{dash}/>{emblem}'
            f'<text x="{left + 25}" y="{bottom - 6}" font-size="17"{"" if faded else " font-weight=" + chr(34) + "600" + chr(34)}>{_xml(words)}</text>')


# Legends

def _legend_of_houses(view: View) -> str:
    x, y = 706, 34
    rows = [f'<text x="{x}" y="{y}" font-size="21" font-weight="600">{_xml(_("Houses"))}</text>']
    for house in TABLES.seats:
        y += 34
        record = view.houses[house]
        faction = {"lancastrian": _("Lancastrian"), "yorkist": _("Yorkist")}[record.faction]
        status = {"captive": _("captive"), "neutral": _("neutral"), "dormant": _("out of the war")}.get(record.status, "")
        about = f"{faction}, {status}" if status else faction
        rows.append(_square(view, house, x + 14, y - 6, SMALL) + f'<text x="{x + 36}" y="{y - 1}" font-size="19">{_xml(TABLES.houses[house].name)}'
                    f'<tspan font-size="15" font-style="italic" dx="6">{_xml(about)}</tspan></text>')
    if any(controller is None for controller in view.castles.values()):
        y += 34
        rows.append(_square(view, None, x + 14, y - 6, SMALL) + f'<text x="{x + 36}" y="{y - 1}" font-size="19">{_xml(_("nobody"))}</text>')
    y += 30
    rows.append(f'<text x="{x}" y="{y}" font-size="15" font-style="italic">{_xml(_("one thick rim: Lancastrian"))}</text><text x="{x}" y="{y + 20}" font-size="15" font-style="italic">'
                f'{_xml(_("two thin rims: Yorkist; dashes: neutral"))}</text>')
    return f'<rect x="696" y="10" width="294" height="{y + 32 - 10}" fill="{SEEN}" fill-opacity=".92" stroke="{INK}" stroke-width="1.2"/>{"".join(rows)}'


def _legend_of_signs(view: View) -> str:
    def counter(x: int, y: int, how: str, words: str, friend: bool) -> str:
        width = 22 + text_width(words, 15)
        point = f"H{x + width - 6}L{x + width} {y + 10}L{x + width - 6} {y + 20}" if not friend else f"H{x + width}V{y + 20}"
        dash = ' stroke-dasharray="5 3"' if how == "remembered" else ""
        return (f'<path d="M{x} {y}{point}H{x}Z" fill="#fff" stroke="{INK}" stroke-width="{4 if how == "own" else 2}"{dash}/>'
                f'<text x="{x + 11}" y="{y + 15}" font-size="15" font-weight="600">{_xml(words)}</text>')
    left, top = 546, 1206
    spots = _("your army, 6 companies"), _("an ally’s army"), _("a foreign army, 4 to 7"), _("last seen in Autumn 1456")
    rows = [counter(left + 14, top + 14, "own", "6", True), counter(left + 14, top + 48, "faction", "6", True), counter(left + 10, top + 82, "seen", "4–7", False),
            counter(left + 10, top + 116, "remembered", "Aut 56", False)]
    said = "".join(f'<text x="{left + (84 if place == 3 else 62)}" y="{top + 31 + 34 * place}" font-size="16">{_xml(text)}</text>' for place, text in enumerate(spots))
    x = left + 264
    signs = [f'<path d="M{x} {top + 25}h34" stroke="{ROAD}" stroke-width="3.2"/><path d="M{x} {top + 31}h34" stroke="{ROAD}" stroke-width="3.2" stroke-dasharray="9 6"/>',
             f'<path d="M{x} {top + 59}h34" stroke="#44626e" stroke-width="3.2" stroke-dasharray="2 6"/>',
             f'<path d="M{x} {top + 93}h22" stroke="{INK}" stroke-width="8"/><path d="M{x + 34} {top + 93}l-14 -9v18z" fill="{INK}"/>',
             _swords(x + 17, top + 127)]
    words = (_("road; mountain road"), _("ferry"), _("march of this season"), _("battle"))
    said += "".join(f'<text x="{x + 42}" y="{top + 31 + 34 * place}" font-size="16">{_xml(text)}</text>' for place, text in enumerate(words))
    signs.append(f'<rect x="{left + 12}" y="{top + 150}" width="30" height="20" fill="{LAND}" stroke="{INK}" stroke-width="1"/><rect x="{left + 12}" y="{top + 150}" width="30" height="20" fill="url(#map-shade)"/>'
                 f'<circle cx="{x + 17}" cy="{top + 161}" r="12" fill="#f2dc8c" fill-opacity=".75" stroke="#8a6d1c" stroke-width="2.2" stroke-dasharray="1.5 4.5" stroke-linecap="round"/>')
    said += (f'<text x="{left + 62}" y="{top + 167}" font-size="16">{_xml(_("out of sight"))}</text><text x="{x + 42}" y="{top + 167}" font-size="16">{_xml(_("in reach next season"))}</text>')
    return f'<rect x="{left}" y="{top}" width="444" height="184" fill="{SEEN}" fill-opacity=".92" stroke="{INK}" stroke-width="1.2"/>{"".join(rows)}{"".join(signs)}{said}'


def _at(point: str) -> str:
    spot = TABLES.points[point]
    return f"{spot.x} {spot.y}"


def _xml(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
