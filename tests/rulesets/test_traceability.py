"""Code, rulebook and cases hang together: rules cited exist, every event that happens has a telling."""

import ast
import re
from pathlib import Path

import pytest

from adjudicator.core import registry

from .playing import begin, play

GAMES = list(registry.available())
NUMBER = re.compile(r"\b(\d{1,2}(?:\.\d+)+)\b")


def chapters(text):
    """Numbers of all headings, numbered paragraphs, list items and table rows of a rulebook, as far as they can be cited."""
    found, heading = set(), ""
    for line in text.splitlines():
        title = re.match(r"#{2,4} (\d+(?:\.\d+)*)\b", line) or re.match(r"\*\*(\d+(?:\.\d+)+)", line)
        if title:
            heading = title[1].rstrip(".")
            found.add(heading)
            step = ""
        item = re.match(r"(\s*)(\d+)\. ", line)
        if item and heading:
            step = f"{step.split('.')[0]}.{item[2]}" if item[1] and step else item[2]
            found.add(f"{heading}.{step}")
    return found


def package_of(ruleset):
    return Path(ruleset.rulebook).parent


@pytest.mark.parametrize("id_", GAMES)
def test_rules_that_the_code_cites_are_in_the_rulebook(id_):
    """Docstrings that begin with a rule's number name a chapter or a numbered step that is there."""
    ruleset = registry.load(id_)
    known = chapters(ruleset.rulebook.read_text())
    cited = 0
    for path in package_of(ruleset).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and (text := ast.get_docstring(node)):
                number = re.match(r"(\d{1,2}(?:\.\d+)*)\b[ .:,-]", text)
                if number:
                    cited += 1
                    rule = number[1]
                    assert rule in known or rule.rsplit(".", 1)[0] in known or "." not in rule, f"{path.name}: {node.name} cites {rule}"
    assert cited > 40, "a ruleset whose code cites no rules cannot be checked against its rulebook"


@pytest.mark.parametrize("id_", GAMES)
def test_every_rule_step_has_a_docstring(id_):
    for path in sorted((package_of(registry.load(id_)) / "rules").glob("*.py")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                assert ast.get_docstring(node), f"{path.name}: {node.name} says nothing"


@pytest.mark.parametrize("id_", GAMES)
def test_events_cite_rules_that_are_there(id_):
    ruleset = registry.load(id_)
    known = chapters(ruleset.rulebook.read_text())
    for moment in play(ruleset, begin(ruleset, ruleset.players[1]), turns=24):
        for event in moment.events:
            assert event.rule in known or event.rule.rsplit(".", 1)[0] in known, f"{event.kind} cites {event.rule}"
