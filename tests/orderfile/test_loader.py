"""Order files as people and mail programs make them: what is understood, what is refused, and where the message points."""

import pytest

from adjudicator.core.values import Broken, Items, Mapping, to_plain
from adjudicator.orderfile.loader import MOST_BYTES, load

GOOD = "campaign: roses\nturn: 1\norders:\n  muster: {at: No, x: 012, d: 1461-03-29, f: 1e3}\n  march: [yes, ~]\n"
PLAIN = {"campaign": "roses", "turn": "1", "orders": {"muster": {"at": "No", "x": "012", "d": "1461-03-29", "f": "1e3"}, "march": ["yes", "~"]}}


def broken_parts(value):
    """The problems that hang in a loaded value: (code, line, column)."""
    if isinstance(value, Broken):
        return [(value.problem.code, value.problem.line, value.problem.column)]
    inner = [item for _key, item in value.entries] if isinstance(value, Mapping) else value.items if isinstance(value, Items) else []
    return [part for item in inner for part in broken_parts(item)]


def all_problems(text):
    loaded = load(text if isinstance(text, bytes) else text.encode())
    return [(p.code, p.line, p.column) for p in loaded.problems] + (broken_parts(loaded.value) if loaded.value else [])


@pytest.mark.parametrize("data", [
    GOOD.encode(), GOOD.encode("utf-8-sig"), GOOD.replace("\n", "\r\n").encode(), GOOD.replace("\n", "\r").encode(),
    GOOD.encode("utf-16"), GOOD.encode("utf-16-le"), GOOD.encode("utf-16-be"), ("---\n" + GOOD + "...\n").encode(), GOOD.replace("  muster", "\u00a0\u00a0muster").replace("  march", "\u00a0\u00a0march").encode(),
], ids=["utf8", "bom", "crlf", "cr", "utf16", "utf16le", "utf16be", "markers", "nbsp"])
def test_what_a_person_meant_is_read(data):
    """Nothing is guessed into numbers, dates or yes/no: text stays as typed."""
    assert to_plain(load(data).value) == PLAIN


@pytest.mark.parametrize("name, text, expected", [
    ("a tab", "orders:\n\tmarch: x\n", ("TAB", 2, 1)),
    ("a directive", "%YAML 1.1\n---\nturn: 1\n", ("DIRECTIVE", 1, 1)),
    ("a key twice", "a: 1\nb: 2\na: 3\n", ("DUPLICATE", 3, 1)),
    ("a key twice but for case", "orders:\n  York: 1\n  york: 2\n", ("DUPLICATE", 3, 3)),
    ("an anchor", "orders:\n  a: &x 1\n", ("ANCHOR", 2, 6)),
    ("an alias", "orders:\n  a: *x\n", ("ALIAS", 2, 6)),
    ("a tag", "orders:\n  a: !!binary eA==\n", ("TAG", 2, 6)),
    ("a tagged list", "orders:\n  a: !x [1, 2]\n", ("TAG", 2, 6)),
    ("a second document", "a: 1\n---\nb: 2\n", ("TWO-DOCUMENTS", 2, 1)),
    ("a list at the top", "- a\n", ("NO-ORDERS", 1, 1)),
    ("a list as key", "orders:\n  ? [a]\n  : b\n", ("BAD-KEY", 2, 5)),
    ("an open bracket", "orders:\n  a: [1, 2\n  b: 3\n", ("NO-YAML", 2, 6)),
    ("an open brace", "orders:\n  a: {x: 1\n  b: 3\n", ("NO-YAML", 2, 6)),
    ("an open quotation", "orders:\n  a: 'don\n  b: 3\n", ("NO-YAML", 2, 6)),
    ("a colon in a sentence", "orders:\n  a: note: this\n", ("NO-YAML", 2, 10)),
    ("a wrong indentation", "orders:\n  a:\n     b: 1\n    c: 2\n", ("NO-YAML", 4, 5)),
    ("a control character", "a: x\x07y\n", ("BAD-CHARACTER", 1, 5)),
    ("nothing", "", ("NO-ORDERS", 1, 1)),
    ("only a comment", "# hold\n", ("NO-ORDERS", 1, 1)),
    ("only a sentence", "Dear GM, hold please.\n", ("NO-ORDERS", 1, 1)),
    ("latin letters", "a: caf\xe9\n".encode("latin-1"), ("ENCODING", 1, 7)),
    ("odd spaces in front", "orders:\n\u00a0 a: 1\n", ("ODD-SPACE", 2, 1)),
    ("too deep", "orders:\n  a: " + "[" * 60 + "]" * 60 + "\n", ("NO-YAML", 2, 44)),
    ("too long", "#" * (MOST_BYTES + 1), ("TOO-LONG", 1, 1)),
])
def test_what_is_wrong_is_said_with_its_place(name, text, expected):
    assert expected in all_problems(text)


def test_one_broken_order_does_not_hide_the_others():
    loaded = load(b"turn: 1\norders:\n  muster: [a, b\n  march: {to: x}\n  policy:\n    militia: 3: 4\nmessages: []\n")
    assert [part[:2] for part in broken_parts(loaded.value)] == [("NO-YAML", 3), ("NO-YAML", 6)]
    assert to_plain(loaded.value)["orders"]["march"] == {"to": "x"}
    assert loaded.value.get("messages") is not None and not loaded.problems


def test_advice_fits_the_line():
    loaded = load("orders:\n  march:\n    to:oxford\n  muster: “Oxford”\n".encode())
    assert "space is missing after the colon" in loaded.hints[3] and "straight" in loaded.hints[4]


@pytest.mark.parametrize("text", ["[" * 200_000, "{" * 200_000, "- " * 100_000, "? " * 100_000, "a: " * 60_000, " " * 250_000, "\t" * 250_000, "'" * 250_000,
                                  "x: [\n" * 40_000, "k: 'x\n" * 30_000, "&a " * 50_000, "a: b: c\n" * 20_000, "\n" * 250_000, "a" * 250_000, "\u00a0" * 100_000])
def test_hostile_files_end_soon_and_never_raise(text):
    """Bounded work, not measured by the clock: the parser is asked for a bounded number of events and repairs."""
    loaded = load(text.encode())
    assert loaded.problems or loaded.value is not None
    assert len(loaded.problems) <= 40
