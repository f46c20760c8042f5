"""What several commands share: the campaign folder, how it is opened, completion of names."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from .show import say

folder_argument = click.argument("folder", default=".", type=click.Path(path_type=Path))
campaign_option = click.option("-C", "--campaign", "folder", default=".", show_default="the current folder", metavar="FOLDER",
                               type=click.Path(path_type=Path),
                               help="The campaign's folder.")
json_option = click.option("--json", "as_json", is_flag=True, help="Answer in JSON, for programs.")
jobs_option = click.option("--jobs", type=click.IntRange(1, 64), metavar="N",
                           help="Make so many reports at a time; without it, as many as there are processors.")


@contextmanager
def campaign_at(folder: Path, **how: bool) -> Iterator:
    """Open the campaign for this command; what had to be mended is said first. how: as in office.campaign.opened."""
    from ..office.campaign import opened

    with opened(folder, " ".join([os.path.basename(sys.argv[0]) or "adjudicator", *sys.argv[1:]])[:200], say, **how) as campaign:
        if os.name == "posix" and campaign.folder.secret.exists() and campaign.folder.secret.stat().st_mode & 0o077:
            say(f"others on this machine may read {campaign.folder.secret}: chmod 600 {campaign.folder.secret}")
        yield campaign


def now():
    """The time; nobody but a command asks for it."""
    from datetime import datetime, timezone

    return datetime.now(timezone.utc)


def at(folder: Path) -> str:
    """The folder as it is added to a command that is recommended: nothing for the current one."""
    return "" if str(folder) == "." else f" {folder}"


def complete_seat(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """The seats of the campaign that the command line names."""
    try:
        from ..office.campaign import find, read_campaign

        campaign = read_campaign(find(Path(ctx.params.get("folder") or ".")))
        return [seat for seat in campaign.ruleset.seats if seat.startswith(incomplete.lower())]
    except Exception:  # completion never complains
        return []


def complete_ruleset(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    from ..core import registry

    return [id_ for id_ in registry.available() if id_.startswith(incomplete)]
