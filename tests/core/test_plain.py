"""Canonical JSON: the same bytes for the same content, and nothing but the declared shape back."""

from dataclasses import dataclass, field

import pytest

from adjudicator.core import plain


@dataclass
class Piece:
    place: str
    strength: int
    cards: dict[str, int] = field(default_factory=dict)
    owner: str | None = None


def test_key_order_does_not_matter():
    assert plain.to_json(Piece("oxford", 3, {"b": 1, "a": 2})) == plain.to_json(Piece("oxford", 3, {"a": 2, "b": 1}))
    assert plain.to_json(Piece("oxford", 3, {"b": 1, "a": 2})) == b'{"cards":{"a":2,"b":1},"owner":null,"place":"oxford","strength":3}'


def test_round_trip_and_copy():
    piece = Piece("Oxford \u2014 \u041e\u043a\u0441\u0444\u043e\u0440\u0434", 2, {"x": 1})
    again = plain.from_json(plain.to_pretty_json(piece), Piece)
    twin = plain.copy(piece)
    twin.cards["x"] = 9
    assert again == piece and piece.cards == {"x": 1}


@pytest.mark.parametrize("data", [b'{"place":"x"}', b'{"place":"x","strength":"3"}', b'{"place":"x","strength":1.5}', b"{", b"\xff", b"[]"])
def test_another_shape_is_refused(data):
    with pytest.raises(plain.PlainError):
        plain.from_json(data, Piece)
