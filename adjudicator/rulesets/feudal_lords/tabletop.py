"""Chapter 12, point 5: the table, drawn in place of a map: all domains side by side, the deck in the middle, the glory track."""

from ...core.events import Event
from ...core.words import _
from . import cardwords, domains
from .badges import arms, at, sign
from .emblems import GOLD, INK, PAPER
from .faces import BANDS
from .lettering import FONT, fitted, text_width, wrapped, xml
from .sight import View
from .tables import FIEF, TABLES, Card

WIDTH = 1000
GAP = 8
STRIP, HEAD = 96, 112
CHIP = 23


def table_drawing(view: View, width: int = WIDTH) -> str:
    """Every lord a column, in seating order: arms, rank, glory, gold and hand where they are known, and the domain as small cards."""
    seats = view.order
    each = min(260, (width - GAP * (len(seats) - 1)) // len(seats))
    left = (width - each * len(seats) - GAP * (len(seats) - 1)) // 2
    columns = [_column(view, seat, left + (each + GAP) * place, STRIP, each) for place, seat in enumerate(seats)]
    height = max((bottom for _drawn, bottom in columns), default=STRIP) + 6
    frames = "".join(_frame(view, seat, left + (each + GAP) * place, each, height) for place, seat in enumerate(seats))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="{FONT}" fill="{INK}">{_strip(view, width)}'
            f'{frames}{"".join(drawn for drawn, _bottom in columns)}</svg>')


def _strip(view: View, width: int) -> str:
    """Deck and discard pile in the middle, and the arrow of play."""
    middle = width // 2
    piles = "".join(_pile(x, 8, number, words) for x, number, words in ((middle - 150, view.deck_size, _("deck")), (middle + 20, sum(view.discard.values()), _("discard pile"))))
    first = domains.play_order(view.order, view.options, view.round)[0] if view.order else ""
    begins = _("{name} begins").format(name=cardwords.short_seat(first)) if first and view.winner is None else ""
    arrow = (f'<path d="M12 62H{middle - 190}M{middle + 190} 62H{width - 22}" stroke="{INK}" stroke-width="2.4" stroke-dasharray="8 5"/>'
             f'<path d="M{width - 26} 54L{width - 8} 62L{width - 26} 70Z" fill="{INK}"/>'
             f'<text x="14" y="52" font-size="17" font-style="italic">{xml(begins)}</text>'
             f'<text x="{width - 10}" y="46" font-size="17" font-style="italic" text-anchor="end">{xml(_("play goes this way"))}</text>')
    return piles + arrow


def _pile(x: int, y: int, number: int, words: str) -> str:
    back = "".join(f'<rect x="{x + 3 * step}" y="{y - 2 * step + 6}" width="50" height="66" rx="6" fill="{PAPER}" stroke="{INK}" stroke-width="1.6"/>' for step in range(3 if number > 1 else 1))
    top = 2 if number > 1 else 0
    cross = f'<path d="M{x + 3 * top + 25} {y - 2 * top + 14}l14 25l-14 25l-14 -25Z" fill="none" stroke="{INK}" stroke-width="1.4"/>' if number else ""
    return (f'{back}{cross}<text x="{x + 68}" y="{y + 38}" font-size="28" font-weight="600">{number}</text>'
            f'<text x="{x + 68}" y="{y + 60}" font-size="17" font-style="italic">{xml(words)}</text>')


def _frame(view: View, seat: str, x: int, width: int, height: int) -> str:
    own = seat == view.viewer
    return f'<rect x="{x}" y="{STRIP}" width="{width}" height="{height - STRIP - 3}" rx="8" fill="{"#fbf6e8" if own else PAPER}" stroke="{INK}" stroke-width="{3 if own else 1}"/>'


def _column(view: View, seat: str, x: int, top: int, width: int) -> tuple[str, int]:
    """One lord's column without its frame: (drawing, where it ends)."""
    lord = view.seats[seat]
    rank = domains.rank_of(domains.lands(lord.domain))
    name = cardwords.short_seat(seat)
    room = (width - 56) * 92 // 100   # bold letters are wider
    drawn = [at(arms(seat), x + 7, top + 8, 38), _fitted_text(name, x + 50, top + 26, room, 21, 13, ' font-weight="600"'),
             _fitted_text(cardwords.rank_name(rank.id if rank else None), x + 50, top + 44, room, 16, 12, ' font-style="italic"')]
    facts = [("glory", str(lord.glory))] + [(kind, str(number)) for kind, number in (("gold", lord.gold), ("hand", lord.hand_size)) if number is not None]
    narrow = width < 170
    step = min(62, (width - 8) // (2 if narrow else 3))
    for place, (kind, number) in enumerate(facts):   # in a narrow column gold and hand stand under the glory
        across, down = (place - 1, 27) if narrow and place else (place, 0)
        drawn.append(f'{sign(kind, x + 18 + step * across, top + 66 + down, 20)}<text x="{x + 30 + step * across}" y="{top + 73 + down}" font-size="19" font-weight="600">{number}</text>')
    top += 27 if narrow and len(facts) > 1 else 0
    marks = [kind for kind, has in (("confidence", domains.has_confidence(view, seat)), ("peace", any(peace.seat == seat for peace in view.peace)), ("revolt", lord.revolt)) if has]
    drawn += [sign(kind, x + 18 + 28 * place, top + 93, 22) for place, kind in enumerate(marks)]
    y = top + HEAD - (0 if marks else 22)
    for type_ in ("land", "vassal", "company"):
        ids = domains.by_high_order(domains.of_types(lord.domain, [type_], fief=True))
        if not ids:
            continue
        drawn.append(f'<text x="{x + 8}" y="{y + 13}" font-size="15" font-style="italic">{xml(_(cardwords.GROUP_NAMES[type_]))}</text>')
        y += 19
        for id_ in ids:
            chip, high = _chip(TABLES.pieces[id_], lord.domain[id_], x + 5, y, width - 10)
            drawn.append(chip)
            y += high + 3
        y += 4
    return "".join(drawn), y


def _fitted_text(text: str, x: int, y: int, room: int, largest: int, smallest: int, style: str = "") -> str:
    return f'<text x="{x}" y="{y}" font-size="{fitted(text, room, largest, smallest)}"{style}>{xml(text)}</text>'


def _chip(card: Card, count: int, x: int, y: int, width: int) -> tuple[str, int]:
    """A small card: name, how many, and what one of them yields. Returns it and its height."""
    values = [(kind, number) for kind, number in (("gold", card.gold), ("glory", card.glory), ("battle", card.battle)) if number]
    room = width - 12 - 33 * len(values)
    name = f"{card.name} ×{count}" if count > 1 else card.name
    room = room * 92 // 100 if count > 1 else room   # bold letters are wider
    size = fitted(name, room, 16, 14)
    lines = [name] if text_width(name, size) <= room else wrapped(name, room, 14)
    size = size if len(lines) == 1 else min(14, min(fitted(line, room, 14, 12) for line in lines))
    high = CHIP if len(lines) == 1 else 8 + 15 * len(lines)
    middle = y + high // 2
    bold = ' font-weight="600"' if count > 1 else ""
    rim = f'<rect x="{x}" y="{y}" width="{width}" height="{high}" rx="4" fill="{BANDS[card.type]}" stroke="{INK}" stroke-width="{2 if card.type == "company" else 1}"/>'
    dashed = f'<rect x="{x}" y="{y}" width="{width}" height="{high}" rx="4" fill="#fff" stroke="{INK}" stroke-width="1"/>' if card.id == FIEF else rim
    said = "".join(f'<text x="{x + 6}" y="{middle + 5 + 15 * place - 15 * (len(lines) - 1) // 2}" font-size="{size}"{bold}>{xml(line)}</text>' for place, line in enumerate(lines))
    signs = "".join(f'{sign(kind, x + width - 33 * (len(values) - place) + 10, middle, 15)}<text x="{x + width - 33 * (len(values) - place) + 19}" y="{middle + 6}" font-size="16">{number}</text>'
                    for place, (kind, number) in enumerate(values))
    return dashed + said + signs, high


def draw_map(_view: View, _events: list[Event]) -> str | None:
    """A card table has no map: what a report draws is the table of domains."""
    return None


# The glory track

def track_drawing(view: View) -> str:
    """0 to the target, with the arms of every lord at his glory."""
    target = max(view.options["glory-target"], 1)
    left, right = 30, WIDTH - 44
    step = 5 if target <= 60 else 10 if target <= 150 else 50

    def at_glory(glory: int) -> int:
        return left + (right - left) * min(glory, target) // target

    piles: dict[int, int] = {}
    pawns = []
    for seat in sorted(view.order, key=lambda seat: (view.seats[seat].glory, view.order.index(seat))):
        x = at_glory(view.seats[seat].glory)
        level = 0
        while any(abs(x - other) < 34 and taken > level for other, taken in piles.items()):
            level += 1
        piles[x] = max(piles.get(x, 0), level + 1)
        pawns.append((seat, x, level))
    high = max((level for _seat, _x, level in pawns), default=0)
    line = 46 + 38 * high + 6
    ticks = "".join(f'<path d="M{at_glory(level)} {line}v{9 if level % (2 * step) == 0 else 5}" stroke="{INK}" stroke-width="1.6"/>'
                    + (f'<text x="{at_glory(level)}" y="{line + 26}" font-size="16" text-anchor="middle">{level}</text>' if level % (2 * step) == 0 or level == target else "")
                    for level in range(0, target + 1, step))
    drawn = "".join(f'<path d="M{x} {line - 38 * level - 5}V{line}" stroke="{INK}" stroke-width="1"/>' + at(arms(seat), x - 17, line - 40 - 38 * level, 34) for seat, x, level in pawns)
    goal = f'<path d="M{right} {line - 40}V{line + 10}" stroke="{INK}" stroke-width="3"/><path d="M{right + 1} {line - 40}h26l-7 8l7 8h-26Z" fill="{GOLD}" stroke="{INK}" stroke-width="1.6"/>'
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {line + 34}" font-family="{FONT}" fill="{INK}">'
            f'<path d="M{left} {line}H{right}" stroke="{INK}" stroke-width="3"/>{ticks}{goal}{drawn}</svg>')


def domain_words(view: View, seat: str) -> str:
    """A column for those who cannot see it."""
    lord = view.seats[seat]
    cards = ", ".join(f"{TABLES.pieces[id_].name} x{count}" if count > 1 else TABLES.pieces[id_].name
                      for type_ in ("land", "vassal", "company") for id_ in domains.by_high_order(domains.of_types(lord.domain, [type_], fief=True)) for count in [lord.domain[id_]])
    return _("{name}, {glory} glory: {cards}.").format(name=TABLES.seat_names[seat], glory=lord.glory, cards=cards or _("nothing in play"))
