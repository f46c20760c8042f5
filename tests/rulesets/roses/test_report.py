"""The report of `roses`: every happening has a telling, every text can be translated, nothing is told twice."""

import gettext
import re
from functools import lru_cache
from pathlib import Path

import pytest

from adjudicator.core import registry
from adjudicator.core.events import Event, seen_by
from adjudicator.core.report import Desk
from adjudicator.core.words import speaking
from adjudicator.report import text
from adjudicator.rulesets.roses import tellings
from adjudicator.rulesets.roses.tables import TABLES

from ..playing import begin, play

ROSES = registry.load("roses")
DOCS = Path(__file__).parents[3] / "docs" / "rules" / "roses-events.md"


@lru_cache
def moments():
    return list(play(ROSES, begin(ROSES, 8), turns=9))


def desk_for(moment, viewer, **more):
    return Desk(campaign="c", title="T", viewer=viewer, turn=moment.turn, turns=68, turn_title=ROSES.turn_name({}, moment.turn), next_title=ROSES.turn_name({}, moment.turn + 1),
                seat_names=dict(ROSES.seats), player_names=dict.fromkeys(ROSES.seats, "Pia"), how="file",
                history=[(moment.turn, ROSES.turn_name({}, moment.turn), ROSES.statistics(moment.after))], **more)


def report(moment, viewer, events=None, **more):
    visible = seen_by(moment.events if events is None else events, viewer)
    return ROSES.report(ROSES.view(moment.after, viewer), visible, desk_for(moment, viewer, **more))


def test_every_event_kind_has_a_telling():
    kinds = {kind for line in DOCS.read_text().splitlines() if line.startswith("| `") for kind in re.findall(r"`([a-z-]+)`", line.split("|")[1])}
    assert len(kinds) > 30
    assert kinds - set(tellings.TELLINGS) <= {"battle-detail", "assault-detail"}, "these two are told as stories"


@pytest.mark.parametrize("viewer", ["york", "gm", "public"])
def test_no_event_is_told_as_data(viewer):
    for moment in moments():
        assert "{'" not in text.render(report(moment, viewer))


def test_a_pledged_change_is_told_once():
    moment = moments()[3]
    told = [Event("allegiance", "6.8.6", ["public"], {"house": "somerset", "from": "lancastrian", "to": "yorkist", "prestige": -2, "why": "free"}),
            Event("allegiance", "6.8.6", ["somerset", "york"], {"house": "somerset", "from": "lancastrian", "to": "yorkist", "prestige": -2, "why": "pledged"})]
    for viewer, why in (("york", "pledged"), ("somerset", "pledged"), ("warwick", "of its own will"), ("public", "of its own will")):
        said = text.render(report(moment, viewer, told))
        brief, rest = said.split("In brief")[1].split("The three keys")
        for part in (brief, rest.split("Your position")[0].split("The map")[0]):
            found = re.findall(r"Somerset goes\s+over to the Yorkists,\s([^:]*):", part)
            assert len(found) == 1 and why in " ".join(found[0].split()), (viewer, found)


class Shouting(gettext.NullTranslations):
    """A language in which every sentence is its English one in capitals, its named parts untouched."""

    def gettext(self, message):
        return re.sub(r"\{[^}]*\}|[^{]+", lambda part: part[0] if part[0].startswith("{") else part[0].upper(), message)

    def ngettext(self, one, many, number):
        return self.gettext(one if number == 1 else many)


@pytest.mark.parametrize("viewer", ["york", "gm", "public"])
def test_every_text_can_be_translated(viewer):
    """In a language that shouts, no lower-case word is left but names and what was written as an order."""
    names = {word.lower() for name in [*TABLES.place_names.names.values(), *TABLES.house_names.names.values(), "Pia"] for word in re.findall(r"[A-Za-z]+", name)}
    left = set()
    for moment in moments():
        with speaking(Shouting()):
            said = text.render(report(moment, viewer, written=[([key], key) for key in ("march",)]))
        said = re.sub(r"(?m)^ {4}\S.*$|^.*`.*$", "", said)
        left |= {word for word in re.findall(r"\b[A-Z]?[a-z]{3,}\b", said) if word.lower() not in names}
    assert left <= POLICY_WORDS, sorted(left - POLICY_WORDS)


POLICY_WORDS = {"archer", "attack", "bill", "captain", "default", "evade", "favour", "halt", "levy", "losses", "march", "meet", "melee", "mercenaries", "middle", "militia",
                "order", "outnumbered", "plan", "defence", "rear", "rest", "retinue", "retreat", "stand", "storm", "van", "with", "york"}
"""Words of order files, which are the same in every language."""
