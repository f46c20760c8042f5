"""The corpus of awkward messages: what each is, and which order files are in it."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adjudicator.core.values import Items, Mapping
from adjudicator.mail.reading import Message, Ours, read_message
from adjudicator.orderfile.loader import load
from adjudicator.orderfile.submission import peek

from .corpus import CASES
from .corpus.texts import FILE, OURS_ADDRESS, OURS_DOMAIN, TOKEN, message

OURS = Ours((OURS_ADDRESS,), OURS_DOMAIN)
KINDS = {"mail", "auto-reply", "bounce", "list", "ours", "unreadable"}


def march(data: bytes) -> str:
    """Where an order file marches first; "-" if it cannot be read."""
    value = load(data).value
    for key in ("orders", "march", "to"):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value.items[0].text if isinstance(value, Items) else "-"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_corpus(case):
    read = read_message(case.raw, OURS)
    assert read.kind == case.kind, read.why
    assert bool(read.why) == (read.kind != "mail")
    assert [(found.place, march(found.data)) for found in read.found] == list(zip(case.places, case.marches, strict=True)), [found.data.decode("utf-8", "replace") for found in read.found]
    for found, place in zip(read.found, case.marches, strict=True):
        envelope = peek(load(found.data))
        assert place == "-" or (envelope.turn, envelope.seat, envelope.token) == (2, "york", TOKEN)
        assert place == "-" or envelope.campaign in ("roses-1455", "roses-1471")
        assert place == "-" or not [problem for problem in load(found.data).problems if problem.kind == "refused"]
        assert found.name.isprintable() and found.name and "/" not in found.name and "\\" not in found.name and len(found.name) <= 80
    assert tuple(name for name, _reason in read.unread) == case.unread
    assert all(reason for _name, reason in read.unread)
    assert read.sender == case.sender
    if case.says:
        assert case.says in load(read.found[0].data).text
    if case.cut is not None:
        assert read.found[0].cut == case.cut
    if case.bounce:
        bounce = read.bounce
        assert (bounce.recipient, bounce.message_id, bounce.status, bounce.permanent) == case.bounce
        assert bounce.text and bounce.text.isprintable() and len(bounce.text) <= 200
    else:
        assert read.bounce is None


def test_the_corpus_is_large_and_its_names_differ():
    assert len(CASES) >= 110
    assert len({case.name for case in CASES}) == len(CASES)
