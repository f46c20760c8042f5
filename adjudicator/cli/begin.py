"""Commands that begin things: new, rulesets, completion."""

import re
import sys
from pathlib import Path

import click

from . import show
from .common import at, complete_ruleset, jobs_option, json_option, now


@click.command(epilog="""
\b
Examples:
  adjudicator new                                           asks step by step
  adjudicator new roses war --players 4 --option edition=second
  adjudicator new roses war --player "Anna <anna@example.org>" --player "Bo <bo@example.org>" --seat york=1 --seat lancaster=2
  adjudicator new roses war --players 8 --zone Europe/Rome --every 14 --first 2027-01-10 --dice salted
  adjudicator new roses demo --stewards --no-reports        nobody plays: to look at the game
""")
@click.argument("ruleset", required=False, shell_complete=complete_ruleset)
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option("--title", default="", help="What the reports call the campaign.")
@click.option("--id", "campaign", default="", help="The campaign's id in order files; without it, made from the folder's name.")
@click.option("--players", "count", type=click.IntRange(1, 99), metavar="N",
              help="So many players; names and addresses can be written into campaign.yaml later.")
@click.option("--player", "given", multiple=True, metavar="'NAME <ADDRESS>'",
              help="A player; once for each, in the order in which seats are given out.")
@click.option("--seat", "seats", multiple=True, metavar="SEAT=NUMBER", help="Give a seat to a player by number, to `steward` or to `nobody`.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game; the others keep their defaults.")
@click.option("--seed", default="", help="The seed of all dice; without it, a new one of 256 bits.")
@click.option("--stewards", is_flag=True, help="Stewards play: for the players, or, without players, for everybody.")
@click.option("--language", default="en", show_default=True, help="The language of reports and receipts.")
@click.option("--paper", type=click.Choice(["A4", "Letter"], case_sensitive=False), default="A4", show_default=True)
@click.option("--deadline", default="", help="When the first orders are due, as the reports shall say it.")
@click.option("--zone", default="", metavar="ZONE", help="Reckon the deadlines, in this time zone, such as Europe/Rome; with --every or --weekly.")
@click.option("--every", type=click.IntRange(1, 366), metavar="DAYS", help="A deadline every so many days, from --first on.")
@click.option("--first", default="", metavar="DATE", help="The first deadline's date, such as 2027-01-10.")
@click.option("--weekly", default="", metavar="DAYS", help="Deadlines on these days of the week, such as wednesday,sunday.")
@click.option("--time", "clock", default="18:00", show_default=True, metavar="HH:MM", help="The time of day of the deadlines.")
@click.option("--dice", type=click.Choice(["plain", "salted"]), default="plain", show_default=True,
              help="`salted`: words of the players are mixed into the dice, so that nobody knows them before; see docs/fairness.md.")
@click.option("--no-reports", is_flag=True, help="Make no reports now; `adjudicator report` makes them later.")
@jobs_option
@json_option
def new(ruleset, folder, title, campaign, count, given, seats, options, seed, stewards, language, paper, deadline, zone, every, first,
        weekly, clock, dice, no_reports, jobs, as_json) -> None:
    """Begin a campaign: make its folder, set up the game, and give every seat its token.

    RULESET is a game (see `adjudicator rulesets`), FOLDER a folder that is empty or not there yet. What is not given is asked
    for on a terminal.
    """
    from ..core import registry
    from ..core.words import languages
    from ..office.creating import Plan, create

    asks = show.may_ask() and not as_json
    if ruleset is None:
        ruleset = _ask_ruleset() if asks else _missing("RULESET")
    game = registry.load(ruleset)
    if folder is None:
        folder = Path(click.prompt("Folder for the campaign", default=f"{ruleset}-1", err=True)) if asks else _missing("FOLDER")
    if language not in languages():
        raise click.UsageError(f"--language: there is no {language!r}; there are: {', '.join(languages())}")
    if seed and not re.fullmatch(r"[0-9A-Za-z-]+", seed):
        raise click.UsageError("--seed: letters, digits and hyphens only")
    if count is not None and given:
        raise click.UsageError("give either --players or --player, not both")
    chosen = dict(_pair(text, "--option") for text in options)
    if asks and not title and not (count or given or stewards):
        title = click.prompt("Title", default=game.title, err=True)
    players = _players(game, count, given, stewards, asks)
    if asks and not options and not (count or given or stewards) and game.options and not click.confirm("Play with the default options?",
        default=True, err=True):
        chosen = _ask_options(game)
    plan = Plan(ruleset, campaign or _slug(folder, ruleset), title, players, dict(_pair(text, "--seat") for text in seats), chosen, stewards,
                seed, language,
                paper, deadline, _rhythm(zone, every, first, weekly, clock), dice)
    with show.progress() as progress:
        made = create(plan, folder, reports=not no_reports, jobs=jobs, progress=progress, now=now())
    for warning in made.warnings:
        show.say(f"warning: {warning}")
    if seed and len(seed) < 32:
        show.say("warning: a seed as short as this can be guessed; use it to try things out, not to play")
    show.tell_failed_reports(made.failed_reports)
    _show_created(made, folder, as_json)


def _show_created(made, folder: Path, as_json: bool) -> None:
    settings = made.settings
    holders = {seat: settings.player_name(seat) or held.holder for seat, held in settings.seats.items()}
    held = [seat for seat, each in settings.seats.items() if each.player]
    if as_json:
        from ..core.dice import commitment

        show.json_result({"campaign": settings.campaign, "folder": str(made.folder.path), "ruleset": settings.ruleset, "options": settings.options,
                          "commitment": commitment(made.secret.seed), "turn": 1, "turn_title": made.turn_title,
                          "seats": {seat: {"holder": settings.seats[seat].held_by, "player": holders[seat],
                                           "token": made.secret.tokens[seat] if seat in held else ""}
                                    for seat in settings.seats}})
        return
    show.table(["seat", "name", "held by", "token"],
               [[seat, made.ruleset.seats[seat], holders[seat], made.secret.tokens[seat] if seat in held else ""] for seat in settings.seats],
               f"{settings.title} ({settings.campaign})")
    if made.reports:
        show.say(f"reports and order files: {folder / 'turns' / '0000' / 'reports'}")
    elif held:
        show.say(f"no reports and order files were made yet: adjudicator report{at(folder)}")
    if held:
        show.say(f"orders are now awaited for {made.turn_title}; who has sent them: adjudicator status{at(folder)}")
    else:
        show.say(f"stewards play all seats; play it to the end: adjudicator run{at(folder)} --to-end")


def _missing(name: str):
    raise click.UsageError(f"{name} is missing. Example: adjudicator new roses war --players 4")


def _slug(folder: Path, ruleset: str) -> str:
    """A campaign's id from the name of its folder."""
    import unicodedata

    name = unicodedata.normalize("NFKD", folder.absolute().name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", name).strip("-") or ruleset


def _rhythm(zone: str, every: int | None, first: str, weekly: str, clock: str):
    """The deadlines' rhythm that the options name, or None. Read as campaign.yaml will be, with the same words about mistakes."""
    if not (zone or every or weekly or first):
        return None
    from ..core.orders import FAILED, Reading
    from ..core.values import from_plain
    from ..office.settings import Deadline

    reading = Reading()
    given = {"zone": zone or "UTC", "every": every, "first": first, "weekly": [day.strip() for day in weekly.split(",")] if weekly else None, "at": clock}
    read = Deadline().read(from_plain({key: value for key, value in given.items() if value}), reading)
    if read is FAILED:
        problem = reading.problems[0]
        raise click.UsageError(f"deadline: {problem.message}; allowed: {problem.allowed}" + (f"; did you mean {problem.suggestion}?" if problem.suggestion else ""))
    return read


def _pair(text: str, option: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not (name.strip() and sign and value.strip()):
        raise click.UsageError(f"{option} {text!r}: write NAME=VALUE")
    return name.strip(), value.strip()


def _player(text: str):
    from email.utils import parseaddr

    from ..office.settings import Player

    name, address = parseaddr(text)
    if "@" not in address:
        name, address = text.strip(), ""
    return Player(name or address.split("@")[0], address)


def _players(game, count: int | None, given: tuple[str, ...], stewards: bool, asks: bool) -> dict:
    from ..office.settings import Player

    if stewards and not (count or given):
        return {}
    if given:
        return {str(number): _player(text) for number, text in enumerate(given, 1)}
    if count is None and not asks:
        raise click.UsageError("who plays? Give --players N, --player 'NAME <ADDRESS>' for each, or --stewards")
    if count is not None:
        return {str(number): Player(f"Player {number}") for number in range(1, count + 1)}
    fewest, most = game.players
    count = click.prompt(f"Number of players ({fewest} to {most})", type=click.IntRange(fewest, most), default=most, err=True)
    players = {}
    for number in range(1, count + 1):
        name = click.prompt(f"Name of player {number}", default=f"Player {number}", err=True)
        players[str(number)] = Player(name, click.prompt(f"E-mail address of {name} (may be left empty)", default="", show_default=False,
                                                         err=True).strip())
    return players


def _ask_ruleset() -> str:
    from ..core import registry

    ids = list(registry.available())
    for id_ in ids:
        show.say(f"  {id_:16} {registry.load(id_).title}")
    return click.prompt("Game", type=click.Choice(ids), default=ids[0] if len(ids) == 1 else None, err=True)


def _ask_options(game) -> dict[str, str]:
    """Ask for each option in turn; a wrong answer is asked for again."""
    from ..office.creating import option_value
    from ..store.trouble import Trouble

    chosen: dict[str, str] = {}
    values: dict = {option.id: option.default for option in game.options}
    for option in game.options:
        if option.applies is not None and not option.applies(values):
            continue
        default = str(option.default).lower() if isinstance(option.default, bool) else str(option.default)
        show.say(f"\n{option.id}: {option.help} ({option.kind.allowed()})")
        while True:
            text = click.prompt(option.id, default=default, err=True)
            try:
                values[option.id] = option_value(option, text)
            except Trouble as trouble:
                show.say(f"{trouble.message}; {trouble.advice}")
                continue
            if text != default:
                chosen[option.id] = text
            break
    return chosen


@click.command(epilog="""
\b
Example:
  adjudicator rulesets --options roses
""")
@click.option("--options", "of", metavar="RULESET", shell_complete=complete_ruleset, help="List the options of this game instead.")
@json_option
def rulesets(of: str | None, as_json: bool) -> None:
    """List the games that are installed, or the options of one."""
    from ..core import registry

    if of:
        game = registry.load(of)
        options = [{"id": option.id, "default": option.default, "allowed": option.kind.allowed(), "help": option.help} for option in game.options]
        if as_json:
            show.json_result(options)
        else:
            show.table(["option", "default", "allowed", "meaning"],
                       [[each["id"], str(each["default"]), each["allowed"], each["help"]] for each in options], game.title)
        return
    games, failed = [], False
    for id_ in registry.available():
        try:
            game = registry.load(id_)
            games.append({"id": id_, "title": game.title, "revision": game.revision, "players": list(game.players), "seats": list(game.seats),
                          "summary": game.summary})
        except Exception as error:  # one broken package must not hide the others
            failed = True
            show.say(f"{id_} is installed, but cannot be loaded: {type(error).__name__}: {error}")
    if as_json:
        show.json_result(games)
    else:
        show.table(["ruleset", "title", "players", "revision"],
                   [[each["id"], each["title"], "-".join(str(n) for n in dict.fromkeys(each["players"])), str(each["revision"])] for each in games])
    if failed:
        sys.exit(1)


@click.command(epilog="""
\b
Examples:
  adjudicator completion bash >> ~/.bash_completion
  adjudicator completion fish > ~/.config/fish/completions/adjudicator.fish
""")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the script that lets a shell complete commands, games and seats."""
    from click.shell_completion import get_completion_class

    from .main import main

    kind = get_completion_class(shell)
    template = kind(main, {}, "adjudicator", "_ADJUDICATOR_COMPLETE")
    show.result(template.source_template % template.source_vars())
