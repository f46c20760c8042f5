"""Where labels and counters may stand on the map without covering each other: whole numbers, best place first."""

from dataclasses import dataclass, field

NARROW, WIDE = "fijlrtI.,:;'!-() ", "mwMWQODGHNUCA+"


def text_width(text: str, size: int) -> int:
    """How wide a text of this letter size is, a little generously."""
    hundredths = sum(30 if letter in NARROW else 76 if letter in WIDE else 48 for letter in text)
    return hundredths * size // 100


@dataclass(frozen=True)
class Box:
    x: int
    y: int
    width: int
    height: int

    def covers(self, other: "Box") -> int:
        """Area in which both lie."""
        across = min(self.x + self.width, other.x + other.width) - max(self.x, other.x)
        down = min(self.y + self.height, other.y + other.height) - max(self.y, other.y)
        return across * down if across > 0 and down > 0 else 0

    def has(self, x: int, y: int) -> bool:
        return self.x <= x <= self.x + self.width and self.y <= y <= self.y + self.height


@dataclass
class Sheet:
    """What stands on the map already. boxes: with the price of covering one unit of each; dots: places along roads and arrows, with their price."""

    frame: Box
    boxes: list[tuple[Box, int]] = field(default_factory=list)
    dots: list[tuple[int, int, int]] = field(default_factory=list)

    def block(self, box: Box, price: int = 6) -> None:
        self.boxes.append((box, price))

    def line(self, ax: int, ay: int, bx: int, by: int, price: int) -> None:
        """A line that had better stay free."""
        steps = max(abs(bx - ax), abs(by - ay)) // 7 + 1
        self.dots += [(ax + (bx - ax) * step // steps, ay + (by - ay) * step // steps, price) for step in range(steps + 1)]

    def near(self, area: Box) -> "Sheet":
        """Only what stands in this area."""
        return Sheet(self.frame, [(box, price) for box, price in self.boxes if box.covers(area)], [dot for dot in self.dots if area.has(dot[0], dot[1])])

    def price(self, box: Box) -> int:
        """What it costs to put something there."""
        outside = box.width * box.height - box.covers(self.frame)
        return (outside * 50 + sum(box.covers(other) * price for other, price in self.boxes)
                + sum(price for x, y, price in self.dots if box.has(x, y)))

    def place(self, width: int, height: int, x: int, y: int, gap: int, price: int = 6, far: bool = False) -> Box:
        """The cheapest place for a box beside the point (x, y), and block it. gap: room for what stands at the point. far: look further off too."""
        best, best_price = None, 0
        reach = width + height + gap + 40
        here = self.near(Box(x - reach, y - reach, 2 * reach, 2 * reach))
        for ring, distance in enumerate((gap, gap + 9, gap + 22, gap + 40) if far else (gap, gap + 7)):
            for rank, (left, top) in enumerate(_around(width, height, x, y, distance)):
                box = Box(left, top, width, height)
                cost = here.price(box) + rank * 9 + ring * (110 if far else 160)
                if best is None or cost < best_price:
                    best, best_price = box, cost
        self.block(best, price)
        return best


def _around(width: int, height: int, x: int, y: int, gap: int) -> list[tuple[int, int]]:
    """Left and top of a box at each of the places round a point: right, left, above, below, the corners, and those between."""
    diagonal = gap * 3 // 4
    return [(x + gap, y - height // 2), (x - gap - width, y - height // 2), (x - width // 2, y - gap - height), (x - width // 2, y + gap),
            (x + diagonal, y - diagonal - height), (x + diagonal, y + diagonal), (x - diagonal - width, y - diagonal - height), (x - diagonal - width, y + diagonal),
            (x - gap // 2, y - gap - height), (x - gap // 2, y + gap), (x - width + gap // 2, y - gap - height), (x - width + gap // 2, y + gap),
            (x + gap, y - height + 2), (x + gap, y - 2), (x - gap - width, y - height + 2), (x - gap - width, y - 2)]
