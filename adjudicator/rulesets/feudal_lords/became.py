"""What became of each order: the lines of "Your orders" (chapter 12, point 2)."""

from typing import Any

from ...core.events import Event
from ...core.orders import DOUBTFUL, REFUSED, Problem
from ...core.report import Block, Bullets, Heading, OrderLine, OrderList, Paragraph, Span, Spans, listed, say
from ...core.words import _
from . import chronicle, tellings
from .cardlists import ANY, entry_of

Written = list[tuple[list[str | int], str]]
DID = {"confidence": ("confidence-bought",), "land": ("land-placed",), "recruit": ("recruited",), "draw": ("cards-drawn",), "events": ("event-played",),
       "attack": ("battle-result",), "give": ("gift",)}
"""key of `orders` -> the events that tell that it was done"""


def order_lines(seat: str, written: Written, orders: dict[str, Any], problems: list[Problem], events: list[Event], was_played: bool) -> tuple[list[OrderLine], list[Event]]:
    """(the orders of a seat as lines, skipped entries that belong to none of them: those of its plan). events: of its own table turn."""
    left = [event for event in events if event.kind in (*(kind for kinds in DID.values() for kind in kinds), "order-skipped", "order-failed")]
    found: list[tuple[OrderLine, str]] = []
    for path, text in written:
        key, entry = str(path[0]), _entry(orders, path)
        mine = _take(left, seat, key, entry)
        line = OrderLine(text, *_state(key, entry, mine, was_played))
        line.became += [say(_("It looked doubtful: {message}"), message=problem.message) for problem in problems if problem.kind == DOUBTFUL and list(problem.order) == list(path)]
        missed = key == "events" and len(mine) == 1 and mine[0].kind == "order-skipped" and mine[0].data["reason"] == "not-in-hand"
        found.append((line, _named(key, entry)[0] if missed else ""))
    lines = _without_idle(found)
    for problem in problems:
        if problem.kind == REFUSED:
            what = ": ".join(str(step) for step in problem.order) or _("the file")
            lines.append(OrderLine(what + (f": {problem.found}" if problem.found else ""), "refused", [say(_("{message} (line {line})"), message=problem.message, line=problem.line)]))
    return lines, [event for event in left if event.kind == "order-skipped"]


def _without_idle(lines: list[tuple[OrderLine, str]]) -> list[OrderLine]:
    """One line for all Events that were named in vain because nobody held them: a file may name many that may only be drawn."""
    idle = [line for line, card in lines if card]
    kept = [line for line, card in lines if not card]
    if len(idle) < 3:
        return [line for line, _card in lines]
    names = listed([tellings.card(card) for _line, card in lines if card])
    place = next(number for number, (_line, card) in enumerate(lines) if card)
    kept.insert(place, OrderLine("\n".join(line.text for line in idle), "skipped", [say(_("Not in hand when its moment came: {cards}."), cards=names)]))
    return kept


def _entry(orders: dict[str, Any], path: list[str | int]) -> Any:
    at: Any = orders
    for step in path:
        try:
            at = at[step]
        except (KeyError, IndexError, TypeError):
            return None
    return at


def _named(key: str, entry: Any) -> tuple[str, int | None]:
    """The card that an entry of `recruit` or `events` names, and how many of it; ("", None) for another order."""
    if key not in ("recruit", "events") or entry is None:
        return "", None
    found = entry_of(entry if isinstance(entry, str) else entry["play"])
    return found.card, found.most


def _take(left: list[Event], seat: str, key: str, entry: Any) -> list[Event]:
    """The events that tell what became of the order, taken out of what is left."""
    card, most = _named(key, entry)
    mine: list[Event] = []
    for event in list(left):
        d = event.data
        if event.kind == "order-failed":
            fits = d["order"] == key
        elif event.kind == "order-skipped":
            fits = d["entry"] == (card or key) and not mine
        elif event.kind not in DID.get(key, ()):
            fits = False
        elif key == "give":
            fits = not mine and entry is not None and d["to"] == entry["to"] and d["amount"] == entry["gold"]
        elif key == "draw":
            fits = d["bought"] > 0
        elif card == ANY:
            fits = True
        else:
            fits = not card or d["card"] == card and (most is None or sum(one.kind == event.kind for one in mine) < most) and not any(one.kind == "order-skipped" for one in mine)
        if fits:
            mine.append(event)
            left.remove(event)
    return mine


def _state(key: str, entry: Any, events: list[Event], was_played: bool) -> tuple[str, list[Spans]]:
    if key in ("policies", "keep"):
        return "noted", [[Span(_("In force."))]]
    if not was_played:
        return "skipped", [[Span(_("The game was over before it came to your table turn."))]]
    good = [event for event in events if event.kind not in ("order-skipped", "order-failed")]
    bad = [event for event in events if event.kind in ("order-skipped", "order-failed")]
    if key == "recruit" and good:
        said = [[*tellings.capital(tellings.recruited(good)[1]), Span(".")]]
    else:
        said = [tellings.tell(event, str(event.data.get(chronicle.ACTOR.get(event.kind, ""), ""))) for event in good]
    said += [tellings.tell(event) for event in bad]
    if not events:
        idle = key == "confidence" and entry == "pass" or entry in ([], {}) or key == "draw"
        return "noted", [[Span(_("As you wished.") if idle else _("Nothing came of it."))]]
    return ("partly" if good and bad else "skipped" if bad else "done"), said


def own_orders(seat: str, how: str, lines: list[OrderLine], from_plan: list[Event]) -> list[Block]:
    """The part of the report."""
    blocks: list[Block] = []
    if how == "nmr":
        blocks.append(Paragraph([Span(_("No orders came in from you. Your plan and your policies were used, and the defaults for the rest."))], "warning"))
    elif how == "steward":
        blocks.append(Paragraph([Span(_("The steward gave the orders of this seat. What it names without holding it costs nothing."))], "quiet"))
    if lines:
        blocks.append(OrderList(lines))
    if from_plan:
        blocks += [Heading(_("From your plan")), Bullets([tellings.tell(event) for event in from_plan])]
    return blocks


