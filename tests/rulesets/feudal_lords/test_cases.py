"""Every case of `cases/*.yaml`, one test each."""

from typing import Any

import pytest

from . import case_runner

FILES = sorted(case_runner.CASES.glob("*.yaml"))
ALL = [(path.stem, case) for path in FILES for case in case_runner.load(path)]
KEYS = {"case", "title", "rule", "options", "state", "orders", "rounds", "dice", "expect", "why"}


@pytest.mark.parametrize("case", [case for _file, case in ALL], ids=[f"{file}: {case['case']} {case['title']}" for file, case in ALL])
def test_case(case: dict[str, Any]) -> None:
    assert set(case) <= KEYS, "a case has a key that nobody reads"
    played = case_runner.run(case)
    problems = case_runner.differences(case["expect"], played)
    problems += [f"the draw {name} is scripted, and nobody made it" for name in played.unused]
    told = "\n".join(f"  {event.kind} {event.audience} {event.data}" for event in played.events)
    assert not problems, "\n".join([*problems, "what happened:", told])


def test_case_ids_are_unique() -> None:
    ids = [case["case"] for _file, case in ALL]
    assert len(set(ids)) == len(ids)


def test_all_worked_examples_are_here() -> None:
    assert {f"W{number}" for number in range(1, 33)} <= {case["case"] for _file, case in ALL}
