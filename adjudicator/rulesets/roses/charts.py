"""A small line chart as vector graphics: one line for each faction, told apart without colour."""

from .drawing import FONT, INK

WIDTH, HEIGHT = 700, 190
LEFT, RIGHT, TOP, BOTTOM = 44, 560, 14, 160


def line_chart(series: list[tuple[str, str, list[int]]], labels: list[str], goal: int = 0, goal_words: str = "") -> str:
    """series: (name, colour, a value for each moment); the first is drawn solid with full marks, the second dashed with hollow ones.

    labels: what people read for the moments; goal: a level to be marked, 0 for none
    """
    values = [value for _name, _colour, numbers in series for value in numbers] + ([goal] if goal else [])
    low, high = min(values) // 5 * 5, (max(values) + 5) // 5 * 5
    count = len(labels)

    def x(place: int) -> int:
        return LEFT + (RIGHT - LEFT) * place // max(1, count - 1)

    def y(value: int) -> int:
        return BOTTOM - (BOTTOM - TOP) * (value - low) // max(1, high - low)

    drawn = [f'<path d="M{LEFT} {y(level)}H{RIGHT}" stroke="#c9c1b3" stroke-width="1"/><text x="{LEFT - 8}" y="{y(level) + 5}" text-anchor="end" font-size="14">{level}</text>' for level in range(low, high + 1, 5)]
    step = max(1, (count + 7) // 8)
    drawn += [f'<text x="{x(place)}" y="{BOTTOM + 20}" text-anchor="{"start" if place == 0 and count > 1 else "middle"}" font-size="13">{_xml(label)}</text>'
              for place, label in enumerate(labels) if place % step == 0]
    if goal:
        drawn.append(f'<path d="M{LEFT} {y(goal)}H{RIGHT}" stroke="{INK}" stroke-width="1.4" stroke-dasharray="2 4"/><text x="{RIGHT - 4}" y="{y(goal) - 4}" text-anchor="end" font-size="13" font-style="italic">{_xml(goal_words)}</text>')
    ends: list[int] = []
    for place, (name, colour, numbers) in enumerate(series):
        points = [(x(moment), y(value)) for moment, value in enumerate(numbers)]
        dash = ' stroke-dasharray="9 5"' if place else ""
        if len(points) > 1:
            drawn.append(f'<path d="M{"L".join(f"{px} {py}" for px, py in points)}" fill="none" stroke="{colour}" stroke-width="3"{dash}/>')
        drawn += [f'<circle cx="{px}" cy="{py}" r="4.5" fill="{"#fff" if place else colour}" stroke="{colour}" stroke-width="2"/>' for px, py in (points if count <= 24 else points[-1:])]
        at = points[-1][1] + 5
        at = at if all(abs(at - other) > 15 for other in ends) else max(ends) + 16
        ends.append(at)
        drawn.append(f'<text x="{points[-1][0] + 12}" y="{at}" font-size="15" font-weight="600" fill="{colour}">{_xml(name)} {numbers[-1]}</text>')
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="{FONT}" fill="{INK}">{"".join(drawn)}</svg>'


def _xml(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
