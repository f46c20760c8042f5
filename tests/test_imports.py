"""Who may import whom, and what a ruleset may never touch."""

import ast
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent / "adjudicator"
FILES = sorted(TOP.rglob("*.py"))
NOT_DETERMINISTIC = {"random", "time", "datetime", "uuid", "secrets", "os", "locale", "socket", "threading"}
LIBRARIES = {
    "core": {"msgspec"}, "rulesets": set(), "orderfile": {"ruamel", "_ruamel_yaml"}, "store": {"filelock"}, "report": {"jinja2", "markupsafe", "weasyprint"},
    "mail": {"filelock", "imapclient", "keyring", "idna", "lxml", "flufl", "pyasn1", "pyasn1_modules"}, "office": {"msgspec", "markdown_it"}, "cli": {"click", "rich"},
}
"""part -> the outside libraries that it may import"""
MAY_USE = {
    "core": set(), "rulesets": {"core"}, "orderfile": {"core"}, "store": {"core"}, "report": {"core"},
    "mail": {"core", "store"}, "office": {"core", "orderfile", "store", "report", "mail"}, "cli": {"core", "orderfile", "store", "report", "mail", "office"},
}
"""part -> the parts that it may import beside itself"""


def part_of(path):
    return path.relative_to(TOP).parts[0] if path.parent != TOP else "cli"


def imports(path):
    """Every module that a file imports, anywhere in it, as (dotted name, line); relative ones made absolute."""
    package = ("adjudicator", *path.relative_to(TOP).parts[:-1])
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            base = list(package[:len(package) - node.level + 1]) if node.level else []
            module = ".".join(base + ([node.module] if node.module else []))
            for alias in node.names:
                yield f"{module}.{alias.name}" if node.level and not node.module else module, node.lineno


def standard(name):
    import sys
    return name.split(".")[0] in sys.stdlib_module_names


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(TOP)))
def test_imports_keep_to_the_table(path):
    part = part_of(path)
    for name, line in imports(path):
        where = f"{path.relative_to(TOP)}:{line} imports {name}"
        if name.startswith("adjudicator."):
            other = name.split(".")[1]
            assert other == part or other in MAY_USE[part] or name == "adjudicator.__version__", where
            if part == "rulesets" and other == "rulesets":
                assert name.split(".")[2] == path.relative_to(TOP).parts[1], f"{where}: a game never imports another"
        elif not standard(name) and name != "adjudicator":
            assert name.split(".")[0] in LIBRARIES[part], where
        if part in ("core", "rulesets"):
            assert name.split(".")[0] not in NOT_DETERMINISTIC, where


def test_only_plain_and_tables_use_a_library_in_the_core():
    for path in (TOP / "core").glob("*.py"):
        outside = {name for name, _line in imports(path) if not name.startswith("adjudicator") and not standard(name)}
        assert not outside or path.name in ("plain.py", "tables.py"), path.name


DRAWINGS = {"drawing.py", "badges.py", "charts.py", "placement.py", "cards.py", "marks.py"}
"""Files that draw; nothing that they work out finds its way back into a state."""


@pytest.mark.parametrize("path", [path for path in FILES if part_of(path) == "rulesets"], ids=lambda path: str(path.relative_to(TOP)))
def test_a_game_adjudicates_in_whole_numbers_and_in_a_stated_order(path):
    """No floats, no `/`, no sets that are gone through, no hash and no id of an object."""
    if path.name in DRAWINGS:
        return
    for node in ast.walk(ast.parse(path.read_text())):
        where = f"{path.relative_to(TOP)}:{getattr(node, 'lineno', 0)}"
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), f"{where}: a float"
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            assert "Path" in path.read_text() and ast.unparse(node.left).split(".")[0] in ("DATA", "Path(__file__)", "HERE"), f"{where}: a division with /"
        if isinstance(node, (ast.For, ast.comprehension)):
            assert not isinstance(node.iter, (ast.Set, ast.SetComp)), f"{where}: a loop over a set"
            if isinstance(node.iter, ast.Call) and isinstance(node.iter.func, ast.Name):
                assert node.iter.func.id not in ("set", "frozenset"), f"{where}: a loop over a set"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in ("hash", "id", "open", "float", "input", "print"), f"{where}: {node.func.id}()"


def test_the_core_names_no_game():
    games = [path.name for path in (TOP / "rulesets").iterdir() if path.is_dir() and path.name != "__pycache__"]
    assert "roses" in games
    for path in FILES:
        if part_of(path) not in ("rulesets",) and path.suffix == ".py":
            text = path.read_text()
            for game in games:
                words = (f'"{game}"', f"'{game}'", f"rulesets.{game}", f"rulesets import {game}")
                assert not any(word in text for word in words), f"{path.relative_to(TOP)} knows {game}"
