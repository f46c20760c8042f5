"""What became of each order: the lines of "your orders" (chapter 12, point 3)."""

from typing import Any

from ...core.events import Event
from ...core.orders import DOUBTFUL, REFUSED, Problem
from ...core.report import Block, OrderLine, OrderList, Paragraph, Span, Spans, say
from ...core.words import _
from . import tellings

Path = list[str | int]
Written = list[tuple[Path, str]]

HELD = ("march", "captain")


def order_lines(house: str, written: Written, orders: dict[str, Any], problems: list[Problem], events: list[Event]) -> tuple[list[OrderLine], list[int]]:
    """The orders of a house as lines, and the places in `events` of what they tell. orders: as plain data, {} if not known."""
    lines, told = [], []
    for path, text in written:
        places = [place for place, event in enumerate(events) if place not in told and _belongs(house, path, _order_at(orders, path), event)]
        told += places
        became = [tellings.tell(events[place]) for place in places]
        state = _state(house, path, _order_at(orders, path), [events[place] for place in places])
        if not became:
            became = [_nothing(path, _order_at(orders, path))]
        became += [say(_("It looked doubtful: {message}"), message=problem.message) for problem in problems if problem.kind == DOUBTFUL and _same(problem.order, path)]
        lines.append(OrderLine(text, state, became))
    for problem in problems:
        if problem.kind == REFUSED:
            what = " ".join(str(step + 1) if isinstance(step, int) else str(step) for step in problem.order) or _("the file")
            found = f": {problem.found}" if problem.found else ""
            lines.append(OrderLine(f"{what}{found}", "refused", [say(_("{message} (line {line})"), message=problem.message, line=problem.line)]))
    return lines, told


def _same(one: list[str | int], other: Path) -> bool:
    return list(one) == list(other)


def _order_at(orders: dict[str, Any], path: Path) -> Any:
    at: Any = orders
    for step in path:
        try:
            at = at[step]
        except (KeyError, IndexError, TypeError):
            return None
    return at


def _belongs(house: str, path: Path, order: Any, event: Event) -> bool:
    """Does the event tell what became of this order?"""
    key, kind, d = path[0], event.kind, event.data
    if kind == "order-skipped":
        return d["house"] == house and (str(d["order"]).split(".")[0].split("[")[0] == key or (key == "march" and d["order"] in ("with", "storm", "sally")))
    if kind == "order-failed":
        return d["seat"] == house and str(d["order"]).split(".")[0] == key
    if d.get("house") == house and kind in _OWN.get(str(key), ()):
        return key not in ("march", "captain") or kind not in ("march-skipped",) or (key == "captain") == (d["group"] == "captain")
    if key == "march":
        return (kind == "march" and house in d["houses"]) or (kind in ("storm", "assault") and d["house"] == house) or (kind == "battle" and d["attack"] == house) or (kind == "contact" and not d["attacked"] and any(piece[0] == house for piece in d["attackers"]))
    if key == "bids":
        return kind == "auction-lot" and d["winner"] == house
    if key == "give":
        if kind in ("coins-given", "castle-given"):
            return d["from"] == house and (order is None or (order.get("to") == d["to"] and (kind == "coins-given" or d["castle"] in (order.get("castles") or []))))
        return kind == "gift-skipped" and d["house"] == house and (order is None or order.get("to") == d["to"])
    if key == "trade" and kind in ("trade-done", "trade-lapsed"):
        partner = d["b"] if d["a"] == house else d["a"]
        gives = d["a_gives"] if d["a"] == house else d["b_gives"]
        return house in (d["a"], d["b"]) and (order is None or (order.get("with") == partner and (order.get("i_give") or {}).get("coins", 0) == (gives.get("coins") or 0)))
    return kind == "confiscated" and key == "confiscate" and d["to"] == house


_OWN = {
    "muster": ("muster",), "mercenaries": ("mercenaries-free",), "hire": ("hired",), "captain": ("detached", "rejoined", "march-skipped"),
    "march": ("march-skipped", "waited", "followed"), "offices": ("office",), "allegiance": ("allegiance",), "keep": ("disbanded",),
}
_GOOD = ("muster", "mercenaries-free", "hired", "detached", "rejoined", "march", "followed", "office", "allegiance", "disbanded", "coins-given", "castle-given", "trade-done", "confiscated", "auction-lot")


def _state(house: str, path: Path, order: Any, events: list[Event]) -> str:
    """"done", "partly", "skipped" or "noted"."""
    key = path[0]
    if key == "policy":
        return "noted"
    good = [event for event in events if event.kind in _GOOD or (event.kind in ("storm", "assault") and event.data["success"]) or (event.kind == "battle" and event.data["winner"] == "attack")]
    bad = [event for event in events if event.kind in ("order-skipped", "order-failed", "gift-skipped", "trade-lapsed") or (event.kind in ("storm", "assault") and not event.data["success"])
           or (event.kind == "march-skipped" and event.data["taken"] is None)]
    if not events:
        return "done" if key in HELD or (key == "allegiance" and order in (None, "stay")) else "noted"
    if key == "muster" and any(event.data.get("cut") for event in good):
        return "partly"
    if key == "offices" and isinstance(order, int) and any(event.data.get("number", 0) < order for event in good):
        return "partly"
    tried = any(event.kind in ("storm", "assault") for event in bad)   # it failed, but it was carried out
    return "partly" if bad and (good or tried) else "skipped" if bad else "done"


def _nothing(path: Path, order: Any) -> Spans:
    """What is said where no event tells anything."""
    key = path[0]
    words = {
        "policy": _("In force."), "march": _("The army held its ground."), "captain": _("Nothing came of it."), "bids": _("No lot came to you."),
        "allegiance": _("You stayed.") if order in (None, "stay") else _("Nothing came of it."), "offices": _("None was bought."),
    }
    return [Span(words.get(str(key), _("Nothing came of it.")))]


def how_words(how: str) -> Block | None:
    """Where the orders of the turn came from."""
    words = {"nmr": _("No orders came in from you. Your policies and the defaults were used; the army held its ground."), "steward": _("The steward gave the orders of this house.")}
    return Paragraph([Span(words[how])], "warning" if how == "nmr" else "quiet") if how in words else None


def order_list(lines: list[OrderLine]) -> list[Block]:
    return [OrderList(lines)] if lines else []
