"""Glory by round as a line chart: up to eight lines, told apart by dashes and by the names at their ends."""

from .badges import COLOURS, DASHES
from .cardwords import short_seat
from .emblems import INK
from .lettering import FONT, xml

WIDTH, HEIGHT = 900, 300
LEFT, RIGHT, TOP, BOTTOM = 44, 730, 14, 264


def glory_chart(series: dict[str, list[int]], labels: list[str], target: int, target_words: str) -> str:
    """series: seat -> its glory at each moment. labels: what people read for the moments."""
    high = max([target, *(value for numbers in series.values() for value in numbers)])
    step = 10 if high <= 100 else 50 if high <= 300 else 100
    count = len(labels)

    def x(place: int) -> int:
        return LEFT + (RIGHT - LEFT) * place // max(1, count - 1)

    def y(value: int) -> int:
        return BOTTOM - (BOTTOM - TOP) * value // max(1, high)

    drawn = [f'<path d="M{LEFT} {y(level)}H{RIGHT}" stroke="#c9c1b3" stroke-width="1"/><text x="{LEFT - 8}" y="{y(level) + 5}" text-anchor="end" font-size="16">{level}</text>' for level in range(0, high + 1, step)]
    every = max(1, (count + 11) // 12)
    drawn += [f'<text x="{x(place)}" y="{BOTTOM + 22}" text-anchor="middle" font-size="16">{xml(label)}</text>' for place, label in enumerate(labels) if place % every == 0]
    drawn.append(f'<path d="M{LEFT} {y(target)}H{RIGHT}" stroke="{INK}" stroke-width="1.6" stroke-dasharray="2 4"/>'
                 f'<text x="{LEFT + 8}" y="{y(target) + 18}" font-size="16" font-style="italic">{xml(target_words)}</text>')
    for seat, numbers in series.items():
        points = "L".join(f"{x(place)} {y(value)}" for place, value in enumerate(numbers))
        drawn.append(f'<path d="M{points}" fill="none" stroke="{COLOURS[seat]}" stroke-width="3"{_dash(seat)}/>')
    for seat, at in _ends({seat: y(numbers[-1]) for seat, numbers in series.items()}).items():
        drawn.append(f'<path d="M{RIGHT + 8} {at - 5}h34" stroke="{COLOURS[seat]}" stroke-width="3"{_dash(seat)}/>'
                     f'<text x="{RIGHT + 48}" y="{at}" font-size="17" font-weight="600">{xml(short_seat(seat))} {series[seat][-1]}</text>')
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="{FONT}" fill="{INK}">{"".join(drawn)}</svg>'


def _dash(seat: str) -> str:
    return f' stroke-dasharray="{DASHES[seat]}"' if DASHES[seat] else ""


def _ends(wanted: dict[str, int]) -> dict[str, int]:
    """Where the names stand: beside the ends of the lines, from the top down, without covering each other."""
    placed: dict[str, int] = {}
    last = TOP - 8
    for seat in sorted(wanted, key=lambda seat: (wanted[seat], seat)):
        last = placed[seat] = max(wanted[seat] + 5, last + 20)
    over = max(0, last - (HEIGHT - 8))
    return {seat: at - over for seat, at in placed.items()}
