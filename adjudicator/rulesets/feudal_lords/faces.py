"""Cards as they lie before their owner: drawn faces, in rows."""

from ...core.words import _
from . import cardwords, domains
from .badges import sign
from .emblems import GOLD, INK, PAPER, emblem
from .lettering import FONT, text_width, wrapped, xml
from .tables import TABLES, Card, Counts

WIDTH, HEIGHT = 188, 258
GAP = 15
SHEET = 1000
BANDS = {"land": "#dbe5c8", "vassal": "#d9dfeb", "company": "#ead9cd", "battle": "#3a3531", "event": "#f4e5b8"}
_PICTURE_TOP, _PICTURE = 58, 92


def face(card: Card, x: int, y: int, count: int = 1, new: int = 0) -> str:
    """One card with its corner at (x, y). count: how many of it there are; new: how many of them were drawn this round."""
    dark = card.type == "battle"
    under = "".join(_rim(x + 5 * step, y - 5 * step, PAPER) for step in range(min(count, 3) - 1, 0, -1))
    band = f'<path d="M{x} {y + 50}V{y + 10}a10 10 0 0 1 10 -10H{x + WIDTH - 10}a10 10 0 0 1 10 10V{y + 50}Z" fill="{BANDS[card.type]}"/><path d="M{x} {y + 50}H{x + WIDTH}" stroke="{INK}" stroke-width="2"/>'
    coin = (f'<circle cx="{x + 25}" cy="{y + 25}" r="17" fill="{GOLD}" stroke="{INK}" stroke-width="2"/>'
            f'<text x="{x + 25}" y="{y + 32}" font-size="21" font-weight="600" text-anchor="middle">{xml(cardwords.cost_words(card))}</text>')
    picture = f'<g transform="translate({x + (WIDTH - _PICTURE) // 2} {y + _PICTURE_TOP}) scale(.{_PICTURE})">{emblem(card.emblem, card.type)}</g>'
    return (f'{under}{_rim(x, y, PAPER)}{band}{_rim(x, y, "none")}{_inner_rim(card, x, y)}{coin}{_name(card, x, y, "#fff" if dark else INK)}{picture}{_values(card, x, y)}'
            f'<text x="{x + WIDTH // 2}" y="{y + HEIGHT - 15}" font-size="15" font-style="italic" text-anchor="middle">{xml(_(cardwords.TYPE_NAMES[card.type]))}</text>'
            f'{_tag(x, y, count)}{_new_mark(x, y, new)}')


def _rim(x: int, y: int, fill: str) -> str:
    return f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="10" fill="{fill}" stroke="{INK}" stroke-width="2.4"/>'


def _inner_rim(card: Card, x: int, y: int) -> str:
    """A line inside the rim that tells the types apart without colour: none, thin, double, dashed."""
    left, top, width, height = x + 6, y + 56, WIDTH - 12, HEIGHT - 62
    line = f'<rect x="{left}" y="{top}" width="{width}" height="{height}" rx="5" fill="none" stroke="{INK}"'
    return {"land": "", "vassal": f'{line} stroke-width="1"/>', "company": f'{line} stroke-width="3.2"/>', "battle": "",
            "event": f'{line} stroke-width="1.4" stroke-dasharray="2 4"/>'}[card.type]


def _name(card: Card, x: int, y: int, colour: str) -> str:
    room = WIDTH - 64
    for size in (20, 19, 18):
        if text_width(card.name, size) <= room:
            return f'<text x="{x + 49}" y="{y + 32}" font-size="{size}" font-weight="600" fill="{colour}">{xml(card.name)}</text>'
    lines = wrapped(card.name, room, 17)[:2]
    first = 21 if len(lines) > 1 else 31
    return "".join(f'<text x="{x + 49}" y="{y + first + 19 * place}" font-size="17" font-weight="600" fill="{colour}">{xml(line)}</text>' for place, line in enumerate(lines))


def _values(card: Card, x: int, y: int) -> str:
    """What the card yields, as signs with numbers; an Event's effect in words."""
    numbers = [(kind, number) for kind, number in (("gold", card.gold), ("glory", card.glory), ("battle", card.battle)) if number]
    words = cardwords.effect_words(card) if card.effect else cardwords.side_words(card)
    drawn, top = "", y + 180
    if numbers:
        start = x + WIDTH // 2 - 29 * len(numbers) + 6
        drawn = "".join(f'{sign(kind, start + 58 * place + 8, top, 28)}<text x="{start + 58 * place + 26}" y="{top + 9}" font-size="26" font-weight="600">{number}</text>'
                        for place, (kind, number) in enumerate(numbers))
        top += 30
    size = 16 if numbers else 18
    lines = wrapped(words, WIDTH - 28, size)
    top -= 9 * (len(lines) - 3) if not numbers else 0
    return drawn + "".join(f'<text x="{x + WIDTH // 2}" y="{top + 19 * place}" font-size="{size}" text-anchor="middle">{xml(line)}</text>' for place, line in enumerate(lines))


def _tag(x: int, y: int, count: int) -> str:
    if count < 2:
        return ""
    return (f'<rect x="{x + WIDTH - 44}" y="{y + 56}" width="40" height="28" rx="6" fill="{INK}"/>'
            f'<text x="{x + WIDTH - 24}" y="{y + 77}" font-size="20" font-weight="600" fill="#fff" text-anchor="middle">×{count}</text>')


def _new_mark(x: int, y: int, new: int) -> str:
    if not new:
        return ""
    words = _("new") if new == 1 else _("{n} new").format(n=new)
    return (f'<rect x="{x + 6}" y="{y + 58}" width="{text_width(words, 16) + 14}" height="22" rx="4" fill="#fff" stroke="{INK}" stroke-width="1.4"/>'
            f'<text x="{x + 13}" y="{y + 74}" font-size="16" font-style="italic">{xml(words)}</text>')


def hand_order(hand: Counts) -> list[str]:
    """Lands, Vassals, Companies, Battle cards, Events, each in high order."""
    return [id_ for type_ in cardwords.TYPE_NAMES for id_ in domains.by_high_order(domains.of_types(hand, [type_]))]


def rows_of(ids: list[str]) -> list[list[str]]:
    """Rows of at most five, or six where there are many, as even as can be."""
    most = 5 if len(ids) <= 15 else 6
    rows = (len(ids) + most - 1) // most
    if not rows:
        return []
    each, longer = len(ids) // rows, len(ids) % rows
    found, start = [], 0
    for row in range(rows):
        size = each + (1 if row < longer else 0)
        found.append(ids[start:start + size])
        start += size
    return found


def rows_of_cards(rows: list[list[str]], hand: Counts, new: Counts) -> str:
    """Rows of cards, in the middle of the sheet."""
    step, down = WIDTH + GAP, HEIGHT + 22
    width = max(SHEET, *(step * len(row) - GAP + 10 for row in rows))
    faces = "".join(face(TABLES.cards[id_], (width - step * len(row) + GAP) // 2 + step * place, 14 + down * line, hand[id_], new.get(id_, 0))
                    for line, row in enumerate(rows) for place, id_ in enumerate(row))
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {down * len(rows)}" font-family="{FONT}" fill="{INK}">{faces}</svg>'


def card_words(id_: str, count: int = 1) -> str:
    """A card for those who cannot see it: "2 Farms" as "Farm x2: Land, cost 1, 1 gold"."""
    card = TABLES.cards[id_]
    name = f"{card.name} x{count}" if count > 1 else card.name
    return _("{name}: {type}, cost {cost}, {what}").format(name=name, type=_(cardwords.TYPE_NAMES[card.type]), cost=cardwords.cost_words(card), what=cardwords.value_words(card) or "–")
