"""Commands that carry a campaign from one place to another: archive, restore."""

from pathlib import Path

import click

from . import show
from .common import campaign_at, folder_argument, json_option


@click.command(epilog="""
\b
Examples:
  adjudicator archive war                                       war's id with .tar.gz, in the current folder
  adjudicator archive war -o /backup/war-turn-12.zip
  adjudicator archive war --for-players -o proof.zip            when the game is over
""")
@folder_argument
@click.option("-o", "--output", "output", type=click.Path(dir_okay=False, path_type=Path), help="The file; its name ends in .tar.gz or .zip.")
@click.option("--for-players", is_flag=True, help="What players need to prove a finished game: no secret file, no addresses, nothing that was not in force.")
@click.option("--with-letters", is_flag=True, help="With --for-players: although private letters stand in the order files.")
@json_option
def archive(folder: Path, output: Path | None, for_players: bool, with_letters: bool, as_json: bool) -> None:
    """Put a campaign into one file. The same campaign always gives the same bytes.

    Without --for-players everything is in it, the secret file too: keep it to yourself.
    """
    from ..office.archiving import archive as pack

    if with_letters and not for_players:
        raise click.UsageError("--with-letters goes with --for-players; without it everything is in the archive")
    with campaign_at(folder, changes=False, playable=False) as campaign:
        target = output or Path(f"{campaign.first.campaign}{'-proof' if for_players else ''}.tar.gz")
        done = pack(campaign, target, for_players=for_players, with_letters=with_letters)
    if as_json:
        show.json_result(done)
        return
    show.result(f"{done.file}: {show.count(done.files, 'file')}, {done.size} bytes")
    if done.secret:
        show.say("the seed and the seats' tokens are in it: keep it to yourself")
    else:
        show.say(f"a player proves the game with it: adjudicator restore {done.file} proof && adjudicator verify proof")


@click.command(epilog="""
\b
Example:
  adjudicator restore war.tar.gz war-again && adjudicator verify war-again
""")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
@json_option
def restore(file: Path, folder: Path | None, as_json: bool) -> None:
    """Unpack an archive into a new folder; without FOLDER, one named after the campaign."""
    from ..office.archiving import restore as unpack

    place, count = unpack(file, folder)
    if as_json:
        show.json_result({"folder": str(place), "files": count})
        return
    show.result(f"{show.count(count, 'file')} in {folder or place}")
    show.say(f"prove it: adjudicator verify {folder or place}")
