"""Recorded campaigns: play them from their order files, and keep the hashes of their manifests.

`python -m tests.golden` writes the hashes anew. Read the diff before you commit it: every change means that a campaign
that is under way would go on differently, and asks for a new revision of its ruleset.
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path

from click.testing import CliRunner

from adjudicator.cli.main import main
from adjudicator.core import plain

CAMPAIGNS = Path(__file__).parent.parent / "campaigns"
HASHES = "manifests.json"


def recorded() -> list[str]:
    """The recorded campaigns, by folder name."""
    return sorted(path.parent.name for path in CAMPAIGNS.glob("*/campaign.yaml"))


def play(name: str, folder: Path) -> dict[str, str]:
    """Play a recorded campaign in `folder` (made anew), without reports. Returns turn -> SHA-256 of its manifest."""
    source = CAMPAIGNS / name
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("orders", HASHES))
    (folder / "secret.yaml").chmod(0o600)
    runner = CliRunner()
    for season in sorted(path for path in (source / "orders").iterdir() if path.is_dir()):
        for batch in (season, season / "second-try"):
            if batch.is_dir():
                runner.invoke(main, ["submit", "-C", str(folder), *(str(path) for path in sorted(batch.glob("*.yaml")))])
        result = runner.invoke(main, ["run", str(folder), "--no-reports"])
        if result.exit_code:
            raise RuntimeError(f"{name}, {season.name}: {result.output}")
    return {path.parent.name: plain.digest(path.read_bytes()) for path in sorted(folder.glob("turns/*/manifest.json"))}


def main_program() -> None:
    for name in recorded():
        with tempfile.TemporaryDirectory() as parent:
            hashes = play(name, Path(parent) / name)
        (CAMPAIGNS / name / HASHES).write_text(json.dumps(hashes, indent=1) + "\n")
        print(f"{name}: {len(hashes)} turns", file=sys.stderr)


if __name__ == "__main__":
    main_program()
