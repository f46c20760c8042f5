"""The game master's own token: new campaigns have one, older ones get one when it is needed, and it can be replaced."""

import os

import pytest
from click.testing import CliRunner
from table import begin, play

from adjudicator.cli.main import main
from adjudicator.office.campaign import opened
from adjudicator.office.secret import read_secret
from adjudicator.office.verifying import verify


def token(path):
    with opened(path, "test") as campaign:
        return campaign.gm_token


def without(path):
    """The campaign as one of an older version is: no token for the game master."""
    secret = path / "secret.yaml"
    secret.write_text("".join(line for line in secret.read_text().splitlines(True) if not line.strip().startswith("gm:")))
    return path


def test_a_new_campaign_has_one(tmp_path):
    made = begin(tmp_path / "c")
    assert token(tmp_path / "c") == made.secret.tokens["gm"] and len(set(made.secret.tokens.values())) == 4


def test_an_older_campaign_gets_one_and_keeps_it(tmp_path):
    begin(tmp_path / "c")
    path = without(tmp_path / "c")
    before = read_secret((path / "secret.yaml").read_bytes(), ["red", "green", "blue"])
    assert "gm" not in before.tokens
    play(path)
    assert "gm" not in (path / "secret.yaml").read_text(), "nobody has asked for it yet"
    first = token(path)
    after = read_secret((path / "secret.yaml").read_bytes(), ["red", "green", "blue"])
    assert after.seed == before.seed and after.tokens == {**before.tokens, "gm": first} and token(path) == first
    if os.name == "posix":
        assert (path / "secret.yaml").stat().st_mode & 0o777 == 0o600
    play(path)
    with opened(path, "test") as campaign:
        assert verify(campaign).difference is None


def test_it_stays_when_a_seat_gets_a_new_one(tmp_path):
    begin(tmp_path / "c")
    before = token(tmp_path / "c")
    assert CliRunner().invoke(main, ["seat", "red", "-C", str(tmp_path / "c"), "--new-token"]).exit_code == 0
    assert token(tmp_path / "c") == before


def test_the_command_replaces_it(tmp_path):
    made = begin(tmp_path / "c")
    result = CliRunner().invoke(main, ["seat", "gm", "-C", str(tmp_path / "c"), "--new-token"])
    now = token(tmp_path / "c")
    assert result.exit_code == 0 and now in result.output and now != made.secret.tokens["gm"]
    with opened(tmp_path / "c", "test") as campaign:
        assert {seat: each for seat, each in campaign.secret.tokens.items() if seat != "gm"} == {seat: each for seat, each in made.secret.tokens.items() if seat != "gm"}


@pytest.mark.parametrize("arguments", [["--player", "Gil"], ["--away", "2"], ["--new-token", "--holder", "steward"]])
def test_the_game_master_holds_no_seat(tmp_path, arguments):
    begin(tmp_path / "c")
    before = (tmp_path / "c/secret.yaml").read_bytes()
    assert CliRunner().invoke(main, ["seat", "gm", "-C", str(tmp_path / "c"), *arguments]).exit_code == 2
    assert (tmp_path / "c/secret.yaml").read_bytes() == before


def test_it_stands_in_no_kit_template_status_or_report(tmp_path):
    begin(tmp_path / "c")
    path = tmp_path / "c"
    play(path, reports=True)
    gm = token(path)
    for seat in ("red", "green", "blue"):
        assert gm not in CliRunner().invoke(main, ["template", "--seat", seat, "-C", str(path)]).output
    assert gm not in CliRunner().invoke(main, ["status", str(path), "--json"]).output
    assert [file.name for file in path.rglob("*") if file.is_file() and gm.encode() in file.read_bytes()] == ["secret.yaml"]
