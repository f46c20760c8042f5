"""The tutorial's game is a package of its own, found by its entry point, and plays through every command."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent
PACKAGE = TOP / "tests" / "tutorial" / "tolls"
CODE = (PACKAGE / "tolls" / "__init__.py").read_text()
TUTORIAL = (TOP / "docs" / "new-ruleset.md").read_text()


def test_the_code_shown_is_the_code_that_runs():
    blocks = re.findall(r"<!-- code: \w+ -->\n```python\n(.*?)```", TUTORIAL, re.DOTALL)
    assert len(blocks) == 5
    for block in blocks:
        assert block in CODE, block


def test_it_is_about_a_hundred_lines_and_uses_the_core_alone():
    lines = [line for line in CODE.splitlines() if line.strip()]
    assert len(lines) <= 130
    for node in ast.walk(ast.parse(CODE)):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("adjudicator"):
            assert node.module.startswith("adjudicator.core."), node.module


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Install the package as pip would, from its pyproject.toml, into a folder of its own."""
    target = tmp_path_factory.mktemp("site")
    done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check", "--target", str(target), str(PACKAGE)],
                          capture_output=True, text=True)
    if done.returncode:  # no hatchling in this environment: write what it would have written
        (target / "tolls").symlink_to(PACKAGE / "tolls")
        info = target / "tolls-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tolls\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[adjudicator.rulesets]\ntolls = tolls:RULESET\n")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(target), str(TOP)])}


def command(installed, *arguments, code=0):
    done = subprocess.run([sys.executable, "-m", "adjudicator", *map(str, arguments)], env=installed, capture_output=True, text=True)
    assert done.returncode == code, (arguments, done.stdout, done.stderr)
    return done.stdout


def test_it_plays_through_every_command(installed, tmp_path):
    folder = tmp_path / "bridges"
    assert "tolls" in command(installed, "rulesets")
    command(installed, "new", "tolls", folder, "--players", 3)
    reports = folder / "turns" / "0000" / "reports"
    for name in ("ash.pdf", "ash.html", "ash.txt", "ash.view.json", "ash.orders.yaml", "ash.schema.json", "gm.pdf", "public.html"):
        assert (reports / name).stat().st_size > 100, name
    orders = reports / "ash.orders.yaml"
    assert "usual: 1" in orders.read_text()
    command(installed, "check", orders, "--view", reports / "ash.view.json")
    bad = tmp_path / "bad.yaml"
    bad.write_text(orders.read_text().replace("  usual: 1", "  pay: 13\n  usaul: 2"))
    answer = command(installed, "check", bad, "--view", reports / "ash.view.json", code=1)
    assert "13 is too many" in answer and "a whole number from 0 to 12" in answer and "did you mean: usual" in answer
    command(installed, "submit", "-C", folder, orders)
    assert "sent" in command(installed, "status", folder)
    command(installed, "template", "--seat", "wal", "-C", folder)
    command(installed, "schema", "--seat", "wal", "-C", folder)
    dry = command(installed, "run", folder, "--dry", "--yes", "--no-reports")
    command(installed, "run", folder, "--yes")
    assert "Year 1" in dry and "gets the bridge of the year" in (folder / "turns" / "0001" / "reports" / "public.txt").read_text().replace("\n", " ")
    command(installed, "report", folder, "--turn", 1, "--seat", "ash")
    command(installed, "undo", folder)
    command(installed, "run", folder, "--to-end", "--yes", "--no-reports")
    assert "the game is over" in command(installed, "status", folder)
    assert "everything is as it was played" in command(installed, "verify", folder)


def test_the_secrets_of_the_game_are_kept(installed, tmp_path):
    """4 of the tutorial's rules: what one has paid is nobody else's business."""
    folder = tmp_path / "bridges"
    command(installed, "new", "tolls", folder, "--players", 2, "--no-reports")
    command(installed, "run", folder, "--yes")
    for viewer in ("ash", "wal", "public"):
        said = (folder / "turns" / "0001" / "reports" / f"{viewer}.txt").read_text()
        assert said.count(" paid ") == (0 if viewer == "public" else 1)
