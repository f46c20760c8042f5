"""The parser in C and the one in Python read every order file alike, down to the positions."""

import random
from pathlib import Path

import pytest

from adjudicator.core import plain
from adjudicator.core.values import Broken, Items, Mapping, Scalar
from adjudicator.orderfile import loader

FILES = [path.read_text() for path in sorted((Path(__file__).parents[2] / "campaigns").glob("*/orders/**/*.yaml"))]
FILES += ["a: 'it''s'\nb: \"x\\ny\"\nc: |\n  text\n   more\n\n  end\nd: >-\n  folded\n  text\ne: [a, b, {c: d}]\n? k\n: v\n",
          "x:\n- 1\n-  2\n", "a: {b:1, c: http://x}\nd: multi\n  line plain\n", "orders:\nmessages:\n  - {to: all, text: \u201cOxford \u2014 \u00e9\u201d}\n"]
LETTERS = "abz 01:,[]{}-#'\"|>&*!@`?\n  ~\\\u00e9\u2014/.+=<"


def outline(value):
    """A value with all its positions and problems, as plain data."""
    spot = [value.spot.line, value.spot.column, value.spot.length]
    if isinstance(value, Broken):
        return ["broken", spot, plain.to_plain(value.problem)]
    if isinstance(value, Scalar):
        return [value.text, spot, value.quoted]
    if isinstance(value, Items):
        return [spot, [outline(item) for item in value.items]]
    return [spot, [[outline(key), outline(item)] for key, item in value.entries]]


def read(text):
    loaded = loader.load(text.encode())
    return [plain.to_plain(loaded.problems), loaded.empty, loaded.value and outline(loaded.value)]


def mutated(seed):
    rng = random.Random(seed)
    letters = list(rng.choice(FILES))
    for _change in range(rng.randint(0, 4)):
        place = rng.randrange(len(letters) + 1)
        how = rng.random()
        if how < 0.4:
            letters.insert(place, rng.choice(LETTERS))
        elif how < 0.7:
            del letters[place:place + rng.randint(1, 4)]
        else:
            letters[place:place + 1] = rng.choice(LETTERS)
    return "".join(letters)


@pytest.mark.parametrize("batch", range(8))
def test_both_parsers_read_alike(batch, monkeypatch):
    assert loader.CParser is not None, "the library in C belongs to the dependencies"
    texts = [mutated(batch * 1000 + number) for number in range(400)] + FILES
    fast = [read(text) for text in texts]
    monkeypatch.setattr(loader, "CParser", None)
    for text, result in zip(texts, fast):
        assert read(text) == result, text


def test_the_fast_one_is_used():
    """Most files that people send are read by it; else it would be of no use."""
    used = [isinstance(loader._events(text), list) for text in FILES]
    assert sum(used) > len(FILES) * 3 // 4
    assert isinstance(loader.load(FILES[0].encode()).value, Mapping)
