"""Create a campaign: settings, secret, setup and the first reports; the folder appears whole or not at all."""

import os
import re
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from ..core import registry
from ..core.dice import Dice, turn_key
from ..core.names import nearest_word
from ..core.orders import FAILED, Reading
from ..core.ruleset import NOBODY, STEWARD, Option, Ruleset
from ..core.values import Scalar
from ..core.words import _, speaking
from ..store import disk, turns
from ..store.folder import PASSWORDS, SECRET, SETTINGS, Folder
from ..store.trouble import Trouble
from .playing import as_stored
from . import deadlines, desk as desks
from .reporting import Moment, Progress, desk_file, make_reports, no_progress
from .running import setup_manifest
from .secret import Secret, new_secret, write_secret
from .settings import CAMPAIGN_ID, EMAIL, Player, Seat, Settings, read_settings, write_settings

GIT_FILES = {".gitignore": f"{SECRET}\n{PASSWORDS}\nmail/\n.pending.json\n.lock\n.lock.holder\nturns/.*\n", ".gitattributes": "* -text\n"}
"""For a game master who keeps the campaign in git: what must stay out of it, and that no byte may be changed on the way."""


@dataclass
class Plan:
    """What a campaign shall be.

    seats:    seat -> player id, for seats that the game master gives out by hand
    stewards: stewards play the players' seats; without players, all seats are the steward's
    """

    ruleset: str
    campaign: str
    title: str = ""
    players: dict[str, Player] = field(default_factory=dict)
    seats: dict[str, str] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)
    stewards: bool = False
    seed: str = ""
    language: str = "en"
    paper: str = "A4"
    deadline: str = ""
    rhythm: deadlines.Rhythm | None = None
    dice: str = "plain"


@dataclass
class Created:
    """warnings: options without effect. failed_reports: as in Made."""

    folder: Folder
    settings: Settings
    secret: Secret
    ruleset: Ruleset
    turn_title: str
    warnings: list[str]
    reports: int = 0
    failed_reports: dict[str, str] = field(default_factory=dict)


def option_value(option: Option, text: str) -> Any:
    """Read what was typed for an option. Trouble says what is allowed."""
    reading = Reading()
    value = option.kind.read(Scalar(text), reading)
    if value is FAILED:
        problem = reading.problems[0]
        raise Trouble(_("option {option}: {message}").format(option=option.id, message=problem.message),
                      _("allowed: {allowed}").format(allowed=option.kind.allowed()))
    return value


def options_of(ruleset: Ruleset, given: dict[str, str]) -> tuple[dict[str, Any], list[str]]:
    """All options, those not given at their defaults, and warnings about those that have no effect."""
    known = {option.id: option for option in ruleset.options}
    for id_ in given:
        if id_ not in known:
            near = nearest_word(id_, known)
            raise Trouble(_("{ruleset} has no option {option}").format(ruleset=ruleset.id, option=repr(id_)),
                          (_("did you mean {near}? ").format(near=near) if near else "") + _("there are: {options}").format(options=", ".join(known) or _("none")))
    options = {id_: option_value(option, given[id_]) if id_ in given else option.default for id_, option in known.items()}
    warnings = [_("the option {option} has no effect together with the others").format(option=id_) for id_ in given
                if known[id_].applies is not None and not known[id_].applies(options)]
    return options, warnings


def settings_of(plan: Plan, ruleset: Ruleset) -> tuple[Settings, list[str]]:
    """The settings that the plan makes. Trouble if the rules forbid them."""
    if not re.fullmatch(CAMPAIGN_ID, plan.campaign):
        raise Trouble(_("{name} cannot be a campaign's id").format(name=repr(plan.campaign)),
                      _("lower-case letters, digits and hyphens, such as roses-1455"))
    for player in plan.players.values():
        if not re.fullmatch(EMAIL, player.email):
            raise Trouble(_("{email} is no e-mail address").format(email=repr(player.email)), _("write: --player \"Anna <anna@example.org>\""))
    options, warnings = options_of(ruleset, plan.options)
    seats = _seats(plan, ruleset, options)
    holders = {seat: held.held_by for seat, held in seats.items()}
    problems = ruleset.seating_problems(options, holders)
    if problems:
        raise Trouble(problems[0], _("give the seats out in another way: --seat SEAT=PLAYER"))
    return Settings(plan.campaign, plan.title or ruleset.title, ruleset.id, ruleset.revision, options, plan.players, seats,
                    language=plan.language, paper=plan.paper, deadline=plan.deadline, rhythm=plan.rhythm, dice=plan.dice), warnings


def _seats(plan: Plan, ruleset: Ruleset, options: dict[str, Any]) -> dict[str, Seat]:
    if plan.stewards and not plan.players:
        return {seat: Seat(holder=STEWARD) for seat in ruleset.seats}
    fewest, most = ruleset.players
    if not fewest <= len(plan.players) <= most:
        raise Trouble(_("{ruleset} is played by {fewest} to {most} players, and here are {count}").format(ruleset=ruleset.id, fewest=fewest,
            most=most, count=len(plan.players)),
                      _("give --players N or --player for each; or --stewards to let stewards play all seats"))
    seats = {seat: Seat(holder=holder) for seat, holder in ruleset.unheld(options).items() if seat in ruleset.seats}
    if plan.seats:
        for seat, player in plan.seats.items():
            if seat not in ruleset.seats:
                near = nearest_word(seat, ruleset.seats)
                raise Trouble(_("{ruleset} has no seat {seat}").format(ruleset=ruleset.id, seat=repr(seat)),
                              (_("did you mean {near}? ").format(near=near) if near else "") + _("there are: {seats}").format(seats=", ".join(ruleset.seats)))
            if player in (STEWARD, NOBODY):
                seats[seat] = Seat(holder=player)
            elif player not in plan.players:
                raise Trouble(_("there is no player {player} for the seat {seat}").format(player=repr(player), seat=seat),
                              _("there are: {players}").format(players=", ".join([*plan.players, STEWARD, NOBODY])))
            else:
                seats[seat] = Seat(player=player)
        idle = [player for player in plan.players if not any(held.player == player for held in seats.values())]
        if idle:
            raise Trouble(_("player {player} has no seat").format(player=idle[0]), _("with --seat every player must be given one"))
    else:
        for player, given in zip(plan.players, ruleset.seating(options, len(plan.players)), strict=True):
            seats |= {seat: Seat(player=player) for seat in given}
    if plan.stewards:
        seats = {seat: replace(held, steward=bool(held.player)) for seat, held in seats.items()}
    return {seat: seats.get(seat) or Seat(holder=STEWARD) for seat in ruleset.seats}


def create(plan: Plan, path: Path, *, reports: bool = True, jobs: int | None = None, progress: Progress = no_progress,
           now: datetime | None = None) -> Created:
    """Make the campaign in the folder `path`, which must be empty or not there yet. now: the moment, for the first deadline."""
    path = path.absolute()
    aside = path.with_name(f".{path.name}.building")
    _finish_or_clear(path, aside)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise Trouble(_("{path} is not empty").format(path=path), _("choose a new folder for the campaign"))
    try:
        ruleset = registry.load(plan.ruleset)
    except registry.UnknownRuleset as error:
        raise Trouble(str(error), _("`adjudicator rulesets` lists them")) from None
    settings, warnings = settings_of(plan, ruleset)
    read_settings(write_settings(settings, ruleset))   # what cannot be read again is not written
    secret = new_secret(list(ruleset.seats), plan.seed)
    holders = settings.holders
    dice = Dice(turn_key(secret.seed, 0))
    state, events = ruleset.setup(dict(settings.options), dict(holders), dice)
    state, events = as_stored(state), [as_stored(event) for event in events]
    folder = Folder(aside)
    disk.make_folder(folder.turns)
    aside.chmod(0o700)   # state and order files hold secrets and tokens
    disk.write(folder.secret, write_secret(secret), 0o600)
    for name, text in GIT_FILES.items():
        disk.write(aside / name, text.encode())
    with speaking(settings.language):
        desk = desk_file(settings, ruleset, settings.options, state, 0, {}, secret.tokens, secret.seed, now=now)
    manifest = setup_manifest(settings.campaign, ruleset, settings.options, holders, settings.partial, secret.seed, state, events, dice.log,
                              salted=settings.dice == "salted")
    new = turns.NewTurn(manifest, state, events, dice.log, desks.record(desk))
    failed: dict[str, str] = {}
    if reports:
        moment = Moment(ruleset, settings.options, manifest, state, events, desk, {}, [(0, desk.statistics)])
        made = make_reports(moment, jobs=jobs, progress=progress)
        new.reports, failed = made.files, made.failed
    turns.build(folder, new, folder.turn(0))
    disk.sync_folder(folder.turns)
    disk.write(folder.settings, write_settings(settings, ruleset))
    disk.sync_folder(aside)
    _put(aside, path)
    return Created(Folder(path), settings, secret, ruleset, ruleset.turn_name(settings.options, 1), warnings, len(new.reports), failed)


def _put(aside: Path, path: Path) -> None:
    """Put the finished folder into its place. A folder that the user stands in must stay the same one: it gets the pieces, the settings last."""
    if path.exists() and path == Path(os.getcwd()):
        for name in sorted((each.name for each in aside.iterdir()), key=lambda name: (name == SETTINGS, name)):
            disk.rename(aside / name, path / name)
        disk.sync_folder(path)
        disk.remove_folder(aside)
    else:
        if path.exists():
            path.rmdir()
        disk.make_folder(path.parent)
        disk.rename(aside, path)
    disk.sync_folder(path.parent)


def _finish_or_clear(path: Path, aside: Path) -> None:
    """Clear away what a killed `new` left: its own half-made folder beside, and pieces of it that were already moved in."""
    if not aside.exists():
        return
    ours = {"turns", SECRET, *GIT_FILES}
    if path.is_dir() and not (path / SETTINGS).exists() and {each.name for each in path.iterdir()} <= ours:
        for each in list(path.iterdir()):
            if not (aside / each.name).exists():
                disk.rename(each, aside / each.name)
    disk.remove_folder(aside)
