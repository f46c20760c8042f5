"""Recorded campaigns come out as they were recorded, whatever the machine's mood."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from adjudicator.core import plain

from .golden import CAMPAIGNS, HASHES, play, recorded

TOP = Path(__file__).parent.parent


@pytest.mark.parametrize("name", recorded())
def test_a_recorded_campaign_comes_out_the_same(name, tmp_path):
    """The committed hashes cover states, events, draws, orders in force and the chain of the turns."""
    expected = json.loads((CAMPAIGNS / name / HASHES).read_text())
    assert play(name, tmp_path / name) == expected
    proof = subprocess.run([sys.executable, "-m", "adjudicator", "verify", str(tmp_path / name)], capture_output=True, text=True)
    assert proof.returncode == 0, proof.stdout + proof.stderr


@pytest.mark.parametrize("hash_seed, zone, locale", [("0", "UTC", "C"), ("424242", "Asia/Kathmandu", "C.UTF-8"), ("7", "America/St_Johns", "POSIX")])
def test_another_process_another_mood(hash_seed, zone, locale, tmp_path):
    """Other hash seed, working directory, time zone and locale: the same bytes in every file that a turn is made of."""
    name = recorded()[0]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "TZ": zone, "LC_ALL": locale, "PYTHONPATH": str(TOP)}
    code = f"from pathlib import Path; from tests.golden import play; play({name!r}, Path({str(tmp_path / name)!r}))"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    hashes = {path.parent.name: plain.digest(path.read_bytes()) for path in sorted((tmp_path / name).glob("turns/*/manifest.json"))}
    assert hashes == json.loads((CAMPAIGNS / name / HASHES).read_text())


def test_files_in_any_order(tmp_path):
    """The order in which files arrive changes nothing but which of one seat's files is the last."""
    import shutil

    from click.testing import CliRunner

    from adjudicator.cli.main import main

    name = recorded()[0]
    states = []
    for attempt in (0, 1):
        folder = tmp_path / str(attempt)
        shutil.copytree(CAMPAIGNS / name, folder, ignore=shutil.ignore_patterns("orders", HASHES))
        (folder / "secret.yaml").chmod(0o600)
        first = sorted(sorted((CAMPAIGNS / name / "orders").iterdir())[0].glob("*.yaml"), reverse=bool(attempt))
        CliRunner().invoke(main, ["submit", "-C", str(folder), *map(str, first)])
        assert CliRunner().invoke(main, ["run", str(folder), "--no-reports"]).exit_code == 0
        states.append({file: (folder / "turns" / "0001" / file).read_bytes() for file in ("state.json", "events.jsonl", "dice.jsonl", "manifest.json")})
    assert states[0] == states[1]


@pytest.mark.parametrize("edition", ["first", "second"])
@pytest.mark.parametrize("players", [2, 5, 8])
def test_from_new_to_the_last_season(players, edition, tmp_path):
    """`new`, `run --to-end` and `verify`, with stewards in the players' place: a winner by the rules, proved."""
    from click.testing import CliRunner

    from adjudicator.cli.main import main

    folder = str(tmp_path / "war")
    runner = CliRunner()
    made = runner.invoke(main, ["new", "roses", folder, "--players", str(players), "--stewards", "--option", f"edition={edition}", "--no-reports"])
    assert made.exit_code == 0, made.output
    assert runner.invoke(main, ["run", folder, "--to-end", "--no-reports"]).exit_code == 0
    proof = runner.invoke(main, ["verify", folder])
    assert proof.exit_code == 0 and "everything is as it was played" in proof.stdout
    status = json.loads(runner.invoke(main, ["status", folder, "--json"]).stdout)
    state = json.loads(max((tmp_path / "war" / "turns").iterdir()).joinpath("state.json").read_text())
    assert status["ended"] and state["end"]["how"] in ("victory", "marginal", "draw")
    assert state["turn"] == 68 or state["end"]["how"] == "victory"


def test_a_captive_is_heard(tmp_path):
    """5.0 of `roses`: Somerset, a captive in autumn, is not asked for orders; the policies that he sends count all the same."""
    play("roses-1455", tmp_path / "war")
    manifest = json.loads((tmp_path / "war" / "turns" / "0003" / "manifest.json").read_text())
    state = json.loads((tmp_path / "war" / "turns" / "0003" / "state.json").read_text())
    assert state["houses"]["somerset"]["status"] == "captive"
    assert manifest["seats"]["somerset"]["how"] == "file"
    assert state["houses"]["somerset"]["policies"]["militia"] == 2
