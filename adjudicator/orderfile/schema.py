"""JSON Schema of a seat's order file, so that editors complete and check it while it is written."""

from typing import Any

from ..core.names import Names
from ..core.orders import Fields
from .submission import MOST_ABSENT, MOST_SALT, REQUESTS, WITHDRAW, letters_kind


def json_schema(model: Fields, *, campaign: str, turn: int, seat: str, seats: Names, title: str,
                salted: bool = False, anonymous: str = "no") -> dict[str, Any]:
    """JSON Schema (draft-07, which every editor reads) of the order file of one seat for one turn, made from that seat's order model."""
    orders = model.schema()
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": title,
        "type": "object",
        "additionalProperties": False,
        "required": ["campaign", "turn", "seat", "token"],
        "properties": {
            "campaign": {"const": campaign},
            "turn": {"const": turn},
            "seat": {"enum": list(dict.fromkeys([seat, seats[seat]]))},
            "token": {"type": "string"},
            **({"salt": {"type": ["string", "integer", "null"], "maxLength": MOST_SALT}} if salted else {}),
            "orders": {"anyOf": [orders, {"type": "null"}, {"const": WITHDRAW}]},
            "messages": {"anyOf": [letters_kind(seats, anonymous).schema(), {"type": "null"}]},
            "final": {"type": ["boolean", "null"]},
            "absent": {"anyOf": [{"type": "integer", "minimum": 0, "maximum": MOST_ABSENT}, {"type": "string", "pattern": "^(until|till|to) "}, {"enum": [False, "no", None]}]},
            "request": {"anyOf": [{"enum": [*REQUESTS, None]}, {"type": "array", "items": {"enum": list(REQUESTS)}, "uniqueItems": True}]},
        },
    }
