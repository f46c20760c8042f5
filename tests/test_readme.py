"""The README's transcript is what the program says."""

import re
import shutil
from pathlib import Path

from click.testing import CliRunner

from adjudicator.cli.main import main

from .golden import CAMPAIGNS

README = (Path(__file__).parent.parent / "README.md").read_text()


def test_the_transcript_is_true(tmp_path):
    """The order file shown there, submitted to the recorded campaign, is answered as shown."""
    block = re.search(r"```console\n(.*?)```", README, re.DOTALL)[1]
    file, answer = re.fullmatch(r"\$ cat somerset.yaml\n(.*?)\n\$ adjudicator submit somerset.yaml\n(.*)", block, re.DOTALL).groups()
    folder = tmp_path / "war"
    shutil.copytree(CAMPAIGNS / "roses-1455", folder, ignore=shutil.ignore_patterns("orders"))
    (folder / "secret.yaml").chmod(0o600)
    (tmp_path / "somerset.yaml").write_text(file)
    result = CliRunner().invoke(main, ["submit", "-C", str(folder), str(tmp_path / "somerset.yaml")])
    assert result.stdout.startswith(answer.rstrip("\n")), result.stdout


def test_the_two_commands_are_there():
    for command in ("bash campaigns/play-1455", "bash tests/run"):
        assert command in README
        assert (Path(__file__).parent.parent / command.split()[1]).exists()
    assert (Path(__file__).parent.parent / ".ci" / "run").read_text().rstrip().endswith("bash tests/run")


def test_every_command_shown_exists():
    """Commands and options in the README are real ones."""
    for line in re.findall(r"(?m)^adjudicator .*", README):
        words = line.split("#")[0].split()
        shown = CliRunner().invoke(main, [words[1], "--help"])
        assert shown.exit_code == 0, line
        for option in (word for word in words if word.startswith("--")):
            assert option in shown.stdout, f"{line}: {option}"
