"""Run a turn: who plays, the adjudication, the reports, and the finished turn into its place."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from ..core import plain
from ..core.dice import commitment, turn_key
from ..core.events import GM
from ..core.turn import Failure
from ..core.words import _, ngettext
from ..store import disk, inbox, turns
from ..store.folder import MANIFEST
from ..store.amendments import digest_of
from ..store.manifest import Manifest
from ..store.trouble import Trouble
from .campaign import Campaign
from . import deadlines, desk as desks
from .playing import LETTER, Play, adjudicate, plays_of, salts_of
from .reporting import Made, Moment, Progress, desk_file, history, make_reports, no_progress


class TooManyMissing(Trouble):
    """Many more seats than usual have sent nothing: the game master is asked before the turn is run."""

    def __init__(self, missing: list[str], asked: int, unknown: int) -> None:
        message = _("{count} of {asked} players' seats have sent nothing that can be in force: {seats}").format(count=len(missing), asked=asked,
            seats=", ".join(missing))
        if unknown:
            message += "; " + ngettext("{count} file came that nobody could be found for", "{count} files came that nobody could be found for",
                                       unknown).format(count=unknown)
        super().__init__(message, _("look at the mail and at the turn's inbox; if they are really silent, go on with: adjudicator run --yes"))
        self.missing = missing


class TooEarly(Trouble):
    """The deadline has not passed, and not everybody has sent all: the game master is asked before the turn is run."""

    def __init__(self, missing: list[str], deadline: str, distance: str) -> None:
        super().__init__(_("orders are due {distance} ({deadline}), and these seats have not sent, or have announced more: {seats}").format(
            distance=distance, deadline=deadline, seats=", ".join(missing)), _("wait, or run the turn all the same: adjudicator run --yes"))
        self.missing = missing


class WaitForAll(Trouble):
    """The campaign's option says that no turn is run without everybody's orders."""

    def __init__(self, missing: list[str]) -> None:
        super().__init__(_("the turn waits for everybody (nmr: wait), and these seats have not sent: {seats}").format(seats=", ".join(missing)),
                         _("remind them, or run the turn all the same: adjudicator run --yes"))
        self.missing = missing


@dataclass
class Ran:
    """What a run did. how: seat -> "file", "steward" or "nmr". ended: how the game ended, or ""."""

    turn: int
    turn_title: str
    how: dict[str, str]
    events: int
    draws: int
    left_out: list[Failure]
    letters: int
    reports: int
    ended: str = ""
    is_dry: bool = False
    after: str = ""
    kinds: dict[str, int] = field(default_factory=dict)
    failed_reports: dict[str, str] = field(default_factory=dict)


def missing_players(campaign: Campaign, plays: dict[str, Play]) -> tuple[list[str], list[str]]:
    """(seats of players that have sent nothing, all seats of players that are asked); those that are away count if they have sent."""
    human = [seat for seat in campaign.asked() if seat in plays and campaign.settings.seats[seat].player
             and (plays[seat].played.how == "file" or not campaign.settings.seats[seat].is_played_by_steward(campaign.coming))]
    return [seat for seat in human if plays[seat].missed], human


def stop_if_too_many_miss(campaign: Campaign, plays: dict[str, Play]) -> None:
    """TooManyMissing if more seats than `mass_nmr` have sent nothing."""
    missing, human = missing_players(campaign, plays)
    most = campaign.settings.mass_nmr
    if len(missing) > (len(human) // 2 if most is None else most):
        raise TooManyMissing(missing, len(human), len(inbox.kept_of(campaign.folder.inbox(campaign.coming), inbox.UNKNOWN)))


def stop_if_waiting(campaign: Campaign, plays: dict[str, Play]) -> None:
    """WaitForAll if somebody has sent nothing, and the campaign waits for everybody."""
    missing, _human = missing_players(campaign, plays)
    if missing and campaign.settings.nmr == "wait":
        raise WaitForAll(missing)


def stop_if_too_early(campaign: Campaign, plays: dict[str, Play], now: datetime | None) -> None:
    """TooEarly if the deadline and its grace lie ahead, and a player's seat has sent nothing, or has announced more."""
    missing, _human = missing_players(campaign, plays)
    missing += [seat for seat, play in plays.items() if not play.understood.final]
    due, rhythm = campaign.due, campaign.settings.rhythm
    if now is None or due is None or rhythm is None or not missing:
        return
    last = due + timedelta(minutes=rhythm.grace)
    if now < last:
        raise TooEarly(missing, campaign.deadline, deadlines.distance(last, now))


def run(campaign: Campaign, *, dry: bool = False, yes: bool = False, reports: bool = True, jobs: int | None = None,
        progress: Progress = no_progress, now: datetime | None = None) -> Ran:
    """Run the coming turn. A dry run does everything but the last step, and leaves nothing behind. now: the moment, for the deadlines."""
    if campaign.is_over:
        raise Trouble(campaign.how_it_ended(), _("nothing is left to run; `adjudicator report` makes its reports again, `adjudicator undo` takes the last turn back"))
    plays = plays_of(campaign)
    if not yes:
        stop_if_too_early(campaign, plays, now)
        stop_if_too_many_miss(campaign, plays)
        stop_if_waiting(campaign, plays)
    new, moment, failures = _make(campaign, plays, now)
    made = make_reports(moment, jobs=jobs, progress=progress) if reports else Made()
    new.reports = made.files
    folder, turn = campaign.folder, campaign.coming
    if dry:
        turns.build(folder, new, folder.dry(turn))
        disk.remove_folder(folder.dry(turn))
    else:
        turns.build(folder, new, folder.building(turn))
        turns.put(folder, turn)
    return _ran(campaign, plays, new, failures, made.failed, dry)


def foresee(campaign: Campaign, now: datetime | None = None) -> tuple[Ran, dict[str, bytes]]:
    """What the coming turn would come to, and the game master's report of it: file name -> bytes. Nothing is written."""
    if campaign.is_over:
        raise Trouble(campaign.how_it_ended(), _("nothing is left to run"))
    plays = plays_of(campaign)
    new, moment, failures = _make(campaign, plays, now)
    made = make_reports(moment, only=[GM], jobs=1)
    return _ran(campaign, plays, new, failures, made.failed, True), made.files


def _ran(campaign: Campaign, plays: dict[str, Play], new: turns.NewTurn, failures: list[Failure], failed_reports: dict[str, str], dry: bool) -> Ran:
    """What is told of a turn that was made."""
    folder, turn = campaign.folder, new.manifest.turn
    kinds: dict[str, int] = {}
    for event in new.events:
        kinds[event.kind] = kinds.get(event.kind, 0) + 1
    outcome = campaign.ruleset.outcome(new.state)
    ended = Campaign(folder, campaign.settings, campaign.ruleset, turn)
    ended.__dict__["state"], ended.__dict__["first"], ended.__dict__["outcome"] = new.state, campaign.first, outcome
    return Ran(turn, campaign.title_of(turn), {seat: play.played.how for seat, play in plays.items()}, len(new.events), len(new.draws), failures,
               sum(event.kind == LETTER and bool(event.data["from"]) for event in new.events), len(new.reports), ended.how_it_ended() if ended.is_over else "", dry, new.manifest.after, kinds, failed_reports)


def _make(campaign: Campaign, plays: dict[str, Play], now: datetime | None) -> tuple[turns.NewTurn, Moment, list[Failure]]:
    """The turn as it will stand on disk, and what its reports are made from."""
    settings, ruleset, turn, seed = campaign.settings, campaign.ruleset, campaign.coming, campaign.secret.seed
    holders = settings.holders
    before, before_hash = campaign.state, plain.digest_of(campaign.state)
    result = adjudicate(ruleset, before, plays, seed, turn, holders, campaign.amendments)
    desk = desk_file(settings, ruleset, campaign.options, result.state, turn, plays, campaign.secret.tokens, seed,
                     deadlines.to_text(campaign.due), now, campaign.desk.due)
    previous = plain.digest((campaign.folder.turn(turn - 1) / MANIFEST).read_bytes())
    manifest = turn_manifest(campaign.first.campaign, ruleset, campaign.options, turn, seed, previous, before_hash, result, plays, holders,
                             settings.partial, amendments=digest_of(campaign.amendments), reseated=campaign.is_reseated, salted=campaign.salted,
                             press=settings.press, anonymous=settings.anonymous)
    orders = {play.played.file: play.data for play in plays.values() if play.played.file}
    new = turns.NewTurn(manifest, result.state, result.events, result.draws, desks.record(desk), orders, dumps(manifest, seed, before, plays, result.failures))
    moment = Moment(ruleset, campaign.options, manifest, result.state, result.events, desk, plays,
                    [*history(campaign.folder, turn - 1), (turn, desk.statistics)])
    return new, moment, result.failures


def setup_manifest(campaign: str, ruleset, options, holders: dict[str, str], partial: str, seed: str, state, events, draws,
                   salted: bool = False) -> Manifest:
    """The manifest of turn 0, but for its list of files."""
    return Manifest(1, campaign, ruleset.id, ruleset.revision, 0, ruleset.turn_name(options, 0), commitment(seed), previous="", before="",
                    after=plain.digest_of(state), events=plain.digest_of(events), dice=plain.digest_of(turns.dice_lines(draws, events)), holders=dict(holders), partial=partial,
                    options=dict(options), salted=salted)


def turn_manifest(campaign: str, ruleset, options, turn: int, seed: str, previous: str, before: str, result, plays: dict[str, Play],
                  holders: dict[str, str], partial: str, *, amendments: str = "", reseated: bool = False, salted: bool = False,
                  press: str = "report", anonymous: str = "no") -> Manifest:
    """The manifest of a turn, but for its list of files: made the same way when a turn is run and when it is proved."""
    return Manifest(1, campaign, ruleset.id, ruleset.revision, turn, ruleset.turn_name(options, turn), commitment(seed), previous, before,
                    plain.digest_of(result.state), plain.digest_of(result.events), plain.digest_of(turns.dice_lines(result.draws, result.events)),
                    dict(holders), partial, {seat: play.played for seat, play in plays.items()}, result.failures,
                    amendments=amendments, reseated=reseated, salted=salted, salts=salts_of(plays),
                    press="off" if press == "off" else "report", anonymous=anonymous)


def dumps(manifest: Manifest, seed: str, before, plays: dict[str, Play], failures: list[Failure]) -> dict[str, bytes]:
    """file name -> what reproduces an order that raised: state, orders, the key of the turn's dice (not the seed), and the error."""
    return {f"{number:02}-{failure.seat}.json": plain.to_pretty_json({
        "campaign": manifest.campaign, "ruleset": manifest.ruleset, "revision": manifest.revision, "turn": manifest.turn,
        "seat": failure.seat, "order": failure.order, "error": failure.error, "dice_key": turn_key(seed, manifest.turn, manifest.salts).hex(),
        "orders": {seat: play.understood.orders for seat, play in plays.items()}, "state": before,
    }) for number, failure in enumerate(failures, 1)}


