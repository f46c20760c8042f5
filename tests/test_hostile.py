"""Order files that went wrong on the way, or were made to do harm: always an answer with a place, never a crash, bounded work.

A few hundred in the ordinary run; `make soak` reads them by the ten thousand (SOAK_FILES).
"""

import os
import random
from functools import lru_cache
from pathlib import Path

import pytest

from adjudicator.core import registry
from adjudicator.core.dice import Dice, turn_key
from adjudicator.core.names import Names
from adjudicator.core.orders import DOUBTFUL, REFUSED
from adjudicator.orderfile.excerpts import tell
from adjudicator.orderfile.loader import MOST_BYTES, load
from adjudicator.orderfile.submission import read_submission
from adjudicator.orderfile.writing import template

from .golden import CAMPAIGNS
from .rulesets.playing import begin, play

FILES = int(os.environ.get("SOAK_FILES", "600"))
BATCHES = 6
GAMES = list(registry.available())
PIECES = ["{", "}", "[", "]", ":", ": ", "- ", "#", "'", '"', "|", ">", "&a ", "*a", "!!binary ", "!x ", "%YAML 1.1\n", "---\n", "...\n", "\t", "\r", "\x00", "\x07", "\ufeff",
          "\u00a0", "\u2028", "\u202e", "\ud83d\ude00", "0x1F", "1_000", "1e3", ".nan", "-1", "999999999999", "012", "NO", "null", "~", "<<: {a: 1}", "? ", "yes", "2001-01-01",
          "\u201c", "\u201d", "a" * 300, "[" * 50, "{a: " * 45, "\n" * 40, "../../etc/passwd", "<script>", "{{ 7*7 }}", "%s%n", "$(reboot)", "'; drop table"]
STATES = {"taken", "partly", "refused", "unreadable", "no-orders", "other-campaign", "past-turn", "future-turn", "unknown-seat", "other-seat"}


@lru_cache
def positions(id_):
    """(turn, state after it) for the first turns of a game that stewards play."""
    game = registry.load(id_)
    return [(moment.turn, moment.after) for moment in play(game, begin(game, game.players[1]), turns=4)]


@lru_cache
def originals(id_):
    """Order files as people wrote them, and as the program prints them."""
    game = registry.load(id_)
    found = [path.read_text() for path in sorted(CAMPAIGNS.glob(f"{id_}*/orders/**/*.yaml"))]
    for turn, state in positions(id_):
        seat = game.listens_to(state)[0]
        found.append(template(game.order_model(game.view(state, seat)), campaign="c", turn=turn + 1, seat=seat, token="t", title="T"))
    return found


def spoiled(rng, texts):
    """One file with a few things wrong: pieces put in, taken out, doubled, moved, and now and then another encoding or broken bytes."""
    text = rng.choice(texts)
    lines = text.split("\n")
    for _change in range(rng.randint(0, 5)):
        how, place = rng.randrange(7), rng.randrange(len(lines))
        if how == 0:
            lines.insert(place, rng.choice(lines))
        elif how == 1:
            del lines[place]
            lines = lines or [""]
        elif how == 2:
            lines[place] = " " * rng.randint(0, 9) + lines[place].lstrip()
        else:
            line = lines[place]
            at = rng.randrange(len(line) + 1)
            lines[place] = line[:at] + (rng.choice(PIECES) if how < 6 else "") + line[at + rng.randint(0, 3):]
    data = "\n".join(lines).encode("utf-8", "surrogatepass")
    how = rng.randrange(30)
    if how == 0:
        return data.decode("utf-8", "replace").encode("utf-16")
    if how == 1:
        return data.decode("utf-8", "replace").encode("cp1251", "replace")
    if how == 2:
        at = rng.randrange(len(data) + 1)
        return data[:at] + bytes(rng.randrange(256) for _byte in range(rng.randint(1, 9))) + data[at:]
    if how == 3:
        return data[:rng.randrange(len(data) + 1)]
    return data


@pytest.mark.parametrize("id_", GAMES)
@pytest.mark.parametrize("batch", range(BATCHES))
def test_spoiled_files_are_answered(id_, batch):
    """Whatever comes: a state, located problems that can be told, orders that the turn survives."""
    game, rng = registry.load(id_), random.Random(batch)
    seats, states = Names(game.seats), positions(id_)
    accepted = {}
    for number in range(FILES // BATCHES):
        turn, state = rng.choice(states)
        seat = rng.choice(game.listens_to(state) or list(game.seats))
        view = game.view(state, seat)
        data = spoiled(rng, originals(id_))
        loaded = load(data)
        lines = loaded.text.count("\n") + 1
        envelope = rng.random() < 0.7  # as if it were addressed rightly, so that its orders are reached
        if envelope and loaded.value is not None:
            data = retold(loaded, turn + 1, seat)
            loaded = load(data)
            lines = loaded.text.count("\n") + 1
        read = read_submission(data, game.order_model(view), lambda orders, remarks: game.check(orders, view, remarks),  # noqa: B023 - used at once
                               campaign="c", turn=turn + 1, seat=seat, seats=seats)
        assert read.state in STATES
        for problem in read.problems:
            assert problem.kind in (REFUSED, DOUBTFUL) and problem.code and problem.message
            assert 1 <= problem.line <= lines and problem.column >= 1, (number, problem)
            assert "Traceback" not in tell(problem, read.text, "orders.yaml")
        assert read.state == "taken" or read.problems, "what is not taken is explained"
        if read.counts:
            accepted.setdefault(id(state), (state, {}))[1][seat] = read.orders
    for state, orders in accepted.values():
        game.adjudicate(state, orders, Dice(turn_key("hostile", batch)))
    assert accepted, "some of them must come through, or nothing was tried"


def retold(loaded, turn, seat):
    """The file with the envelope that it needs, its other lines as they are."""
    lines = [line for line in loaded.text.split("\n") if line.split(":")[0].strip() not in ("campaign", "turn", "seat", "token")]
    return "\n".join([f"campaign: c\nturn: {turn}\nseat: {seat}\ntoken: t", *lines]).encode("utf-8", "replace")


@pytest.mark.parametrize("size", [MOST_BYTES, MOST_BYTES + 1])
def test_the_largest_file_is_read_and_a_larger_one_refused(size):
    head = b"campaign: c\n"
    loaded = load(head + b"#" * (size - len(head)))
    assert (loaded.value is not None) == (size == MOST_BYTES)


@pytest.mark.parametrize("body, code", [("  march:\n    to:\n" + "      - Nowhere\n" * 5000, "TOO-MANY"), ("  march: {to: [" + "oxford, " * 30000 + "oxford]}\n", "TOO-MANY"),
                                        ("".join(f"  k{number}: 1\n" for number in range(20000)), "TOO-MANY"), ("  bids: {" + ", ".join(f"k{n}: 1" for n in range(9000)) + "}\n", "TOO-MANY"),
                                        ("  march:\n    to:\n" + ("      - {" + ", ".join(f"k{n}: 1" for n in range(40)) + "}\n") * 50, "MORE")])
def test_masses_are_told_without_drowning(body, code):
    """Lists and mappings have limits, and so has an answer: a file of a quarter of a megabyte is answered in a few lines."""
    game = registry.load("roses")
    state = next(state for turn, state in positions("roses") if turn == 4)
    view = game.view(state, "york")
    text = "campaign: c\nturn: 5\nseat: york\ntoken: t\norders:\n" + body
    read = read_submission(text.encode(), game.order_model(view), lambda orders, remarks: game.check(orders, view, remarks), campaign="c", turn=5, seat="york", seats=Names(game.seats))
    assert code in [problem.code for problem in read.problems] and len(read.problems) <= 61
    assert sum(len(tell(problem, read.text, "york.yaml")) for problem in read.problems) < 60_000
    assert read.orders == {}


def test_the_corpus_is_there():
    assert all(originals(id_) for id_ in GAMES)
    assert Path(CAMPAIGNS).is_dir()
