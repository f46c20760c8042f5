"""Write orders as text: as they were understood, and the order file that a player starts from."""

import json
import re
import textwrap
from typing import Any

from ..core.orders import Field, Fields, ListOf
from ..core.words import _

_PLAIN = re.compile(r"^[A-Za-z][\w*'-]*( [\w*'-]+)*$")
_NOT_PLAIN = {"true", "false", "yes", "no", "on", "off", "null"}


def flow(data: Any) -> str:
    """Plain data as YAML on one line."""
    if isinstance(data, dict):
        return "{" + ", ".join(f"{flow(str(key)) if not str(key).isdigit() else key}: {flow(value)}" for key, value in data.items()) + "}"
    if isinstance(data, (list, tuple)):
        return "[" + ", ".join(flow(item) for item in data) + "]"
    if isinstance(data, bool):
        return "true" if data else "false"
    if data is None:
        return "~"
    if isinstance(data, int):
        return str(data)
    if _PLAIN.match(data) and data.casefold() not in _NOT_PLAIN:
        return data
    return json.dumps(data, ensure_ascii=False)


def written(orders: dict[str, Any], model: Fields) -> list[tuple[list[str | int], str]]:
    """Orders as understood: (path of the order, its text on one line) for each, in the order in which they were written."""
    lines: list[tuple[list[str | int], str]] = []
    for key, order in orders.items():
        apart = key in model.fields and getattr(model.fields[key].kind, "each", False)
        if apart and isinstance(order, list):
            lines += [([key, place], f"{key}: {flow(item)}") for place, item in enumerate(order)]
        elif apart and isinstance(order, dict):
            lines += [([key, name], f"{key}: {name}: {flow(item)}") for name, item in order.items()]
        else:
            lines.append(([key], f"{key}: {flow(order)}"))
    return lines


def template(model: Fields, *, campaign: str, turn: int, seat: str, token: str, title: str, schema_name: str = "",
             deadline: str = "", salted: bool = False, press: str = "report", anonymous: str = "no") -> str:
    """The order file that a player starts from: envelope, every order explained, standing policies filled in.

    It passes its own check as it stands.
    """
    lines = [f"# yaml-language-server: $schema={schema_name}"] if schema_name else []
    lines += _comment(title, "")
    if deadline:
        lines += _comment(_("Deadline: {deadline}").format(deadline=deadline), "")
    lines += _comment(_("Lines that begin with # are notes. Take away the # in front of an example and change it; what you do not write happens by default."), "")
    lines += ["", f"campaign: {flow(campaign)}", f"turn: {turn}", f"seat: {flow(seat)}", f"token: {flow(token)}"]
    if salted:
        lines += ["", *_comment(_("salt: some words of yours, whatever they are; they are mixed into the dice of this turn, so that nobody can know the dice before. Everybody reads them afterwards."), ""),
                  "salt: \"\""]
    lines += ["", "orders:"]
    lines += _fields(model, "  ")
    about = {"off": _("Letters go to gm alone in this campaign."), "at-once": _("Letters go out at once: to a seat, several, all, or gm.")}.get(
        press, _("Letters go out with the next report: to a seat, several, all, or gm."))
    unsigned = {"allowed": " " + _("With `anonymous: true` the reader is not told by whom."), "always": " " + _("The reader is not told by whom.")}.get(anonymous, "")
    lines += ["", *_comment(about + unsigned, ""), "messages: []", "#  - {to: [gm], text: \"...\"}"]
    lines += ["", *_comment(_("Beside orders, where you need it:"), ""),
              *_comment(_("final: false - more is to come; what stands above counts at the deadline."), "", "#   "),
              *_comment(_("absent: 2 - for two turns the steward plays when nothing comes from you; or: absent: until {turn}.").format(turn=turn + 2), "", "#   "),
              *_comment(_("request: report - the last report is sent to you again."), "", "#   "),
              *_comment(_("orders: withdraw - takes back what you sent before."), "", "#   ")]
    return "\n".join(lines) + "\n"


def _fields(model: Fields, indent: str) -> list[str]:
    lines: list[str] = []
    for key, declared in model.fields.items():
        if declared.closed:
            continue
        lines += _comment(_about(key, declared), indent)
        lines += _inside(declared, indent)
        inner = declared.kind
        if isinstance(inner, Fields) and inner.each:
            if any(field.fill is not None for field in inner.fields.values()):
                lines.append(f"{indent}{key}:")
                lines += _fields(inner, indent + "  ")
            else:
                lines += [f"{indent}# {key}:", *(re.sub(rf"^{indent}(# )?", f"{indent}# ", line) for line in _fields(inner, indent + "  "))]
        elif declared.fill is not None:
            lines += _pair(key, declared.fill, indent)
        elif declared.example is not None:
            lines += [f"{indent}# {line[len(indent):]}" for line in _pair(key, declared.example, indent)]
    return lines


def _inside(declared: Field, indent: str) -> list[str]:
    """A line of comment for every key inside an order that is written whole."""
    inner = declared.kind.item if isinstance(declared.kind, ListOf) else declared.kind
    if not isinstance(inner, Fields) or inner.each:
        return []
    return [line for key, field in inner.fields.items() if field.help
            for line in _comment(_about(key, field), indent + "  ", f"{indent}#   ")]


def _about(key: str, declared: Field) -> str:
    rule = _(" (rule {rule})").format(rule=declared.rule) if declared.rule else ""
    default = " " + _("Default: {default}.").format(default=declared.default) if declared.default else ""
    return f"{key}{rule}: {declared.help}{default}"


def _pair(key: str, data: Any, indent: str) -> list[str]:
    """One `key: value`, on one line where it is short, else in blocks."""
    short = f"{indent}{key}: {flow(data)}"
    if len(short) <= 100 or not isinstance(data, (dict, list)) or not data:
        return [short]
    if isinstance(data, dict):
        return [f"{indent}{key}:", *(line for name, item in data.items() for line in _pair(str(name), item, indent + "  "))]
    return [f"{indent}{key}:", *(f"{indent}  - {flow(item)}" for item in data)]


def _comment(text: str, indent: str, mark: str = "") -> list[str]:
    mark = mark or f"{indent}# "
    lines = textwrap.wrap(text, 98 - len(mark), break_on_hyphens=False)
    return [f"{mark}{'' if number == 0 or not mark.endswith('   ') else '  '}{line}" for number, line in enumerate(lines)]
