"""JSON Schema of a seat's order file, so that editors complete and check it while it is written."""

from typing import Any

from ..core.names import Names
from ..core.orders import Fields
from .submission import letters_kind


def json_schema(model: Fields, *, campaign: str, turn: int, seat: str, seats: Names, title: str) -> dict[str, Any]:
    """JSON Schema (2020-12) of the order file of one seat for one turn, made from that seat's order model."""
    orders = model.schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "type": "object",
        "additionalProperties": False,
        "required": ["campaign", "turn", "seat", "token"],
        "properties": {
            "campaign": {"const": campaign},
            "turn": {"const": turn},
            "seat": {"enum": list(dict.fromkeys([seat, seats[seat]]))},
            "token": {"type": "string"},
            "orders": {"anyOf": [orders, {"type": "null"}]},
            "messages": {"anyOf": [letters_kind(seats).schema(), {"type": "null"}]},
        },
    }
