"""Text in drawings: how wide it is, where it breaks, and what must be escaped."""

FONT = "Adjudicator Serif"
_NARROW, _WIDE = "fijlrtI.,:;'!-()1 ’", "mwMWQODGHNUCA&"


def text_width(text: str, size: int) -> int:
    """How wide a text of this letter size is, a little generously."""
    hundredths = sum(30 if letter in _NARROW else 76 if letter in _WIDE else 50 for letter in text)
    return hundredths * size // 100


def wrapped(text: str, room: int, size: int) -> list[str]:
    """The words of a text in lines that are no wider than `room`, as far as single words allow."""
    lines: list[str] = []
    for word in text.split():
        if lines and text_width(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def fitted(text: str, room: int, largest: int, smallest: int) -> int:
    """The largest letter size, from `largest` down to `smallest`, in which the text fits."""
    size = largest
    while size > smallest and text_width(text, size) > room:
        size -= 1
    return size


def xml(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
