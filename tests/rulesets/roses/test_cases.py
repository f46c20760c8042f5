"""Every case of `cases/*.yaml`, one test each: given, orders, dice; then the events, the state and the views that are expected."""

from typing import Any

import pytest

from adjudicator.core import plain

from . import case_runner

FILES = sorted(path for path in case_runner.CASES.glob("*.yaml") if path.name != "small.yaml")
ALL = [(path.stem, case) for path in FILES for case in case_runner.load(path)]
KEYS = {"case", "rule", "given", "orders", "dice", "expect"}
EXPECT = {"events", "absent", "state", "views"}


@pytest.mark.parametrize("case", [case for _file, case in ALL], ids=[f"{file}: {case['case']}" for file, case in ALL])
def test_case(case: dict[str, Any]) -> None:
    assert set(case) <= KEYS and set(case["expect"]) <= EXPECT, "a case has a key that nobody reads"
    outcome = case_runner.run(case)
    expect = case["expect"]
    problems = case_runner.missing_events(expect.get("events", []), outcome.events)
    problems += [f"an event {kind}, which should be absent" for kind in expect.get("absent", [])
                 if any(event.kind == kind for event in outcome.events)]
    problems += case_runner.differences(expect.get("state", {}), plain.to_plain(outcome.state))
    for viewer, paths in expect.get("views", {}).items():
        problems += [f"{viewer}'s view: {line}" for line in case_runner.differences(paths, case_runner.view_as_plain(outcome.state, viewer))]
    problems += [f"the draw {name} is scripted, and nobody made it" for name in outcome.unused]
    told = "\n".join(f"  {event.kind} {event.audience} {event.data}" for event in outcome.events)
    assert not problems, "\n".join([*problems, "what happened:", told])


def test_case_names_are_unique() -> None:
    names = [(file, case["case"]) for file, case in ALL]
    assert len(set(names)) == len(names)
