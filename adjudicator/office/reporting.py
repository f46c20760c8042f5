"""The reports of a turn: for each viewer its own view, the events that it may see, its own desk, and nothing else."""

import json
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ..core import plain
from ..core.events import GM, PUBLIC, Event, seen_by
from ..core.names import Names
from ..core.report import Desk, Report, with_desk_sections
from ..core.ruleset import NOBODY, Ruleset
from ..core.words import _, speaking
from ..orderfile.schema import json_schema
from ..orderfile.writing import template
from ..store import disk, turns
from ..store.folder import REPORTS, Folder
from ..store.manifest import Manifest
from ..store.trouble import Trouble
from . import deadlines
from .amending import AMENDED
from .desk import DeskFile
from .playing import LETTER, Play, as_stored, recorded_input, recorded_plays
from .reading import orders_view
from .settings import Settings

Progress = Callable[[str, int, int], None]


def no_progress(_what: str, _done: int, _all: int) -> None:
    """Show nothing."""


@dataclass
class Kit:
    """view.json: with it a player checks orders at home, and gets the same answers as on arrival."""

    campaign: str
    title: str
    ruleset: str
    revision: int
    turn: int
    turn_title: str
    seat: str
    partial: str
    language: str
    deadline: str
    view: Any
    format: int = 1
    dice: str = "plain"
    press: str = "report"
    anonymous: str = "no"


@dataclass
class Moment:
    """A turn that was run, with everything that its reports are made from. history: as in Desk."""

    ruleset: Ruleset
    options: dict[str, Any]
    manifest: Manifest
    state: Any
    events: list[Event]
    desk: DeskFile
    plays: dict[str, Play]
    history: list[tuple[int, dict[str, int]]] = field(default_factory=list)


def desk_file(settings: Settings, ruleset: Ruleset, options: dict[str, Any], state: Any, turn: int, plays: dict[str, Play],
              tokens: dict[str, str], seed: str, before: str = "", now: datetime | None = None, told: str = "") -> DeskFile:
    """The desk of a turn that was just run. The seed is written into it only if the game is over.

    before: the deadline of this turn, in UTC, where there was one; told: what its players were told of it; now: the moment at which it is run, if it is known
    """
    final = ruleset.outcome(state) is not None or ruleset.is_last(options, turn)
    rhythm = settings.rhythm
    due = deadlines.following(rhythm, deadlines.from_text(before), now) if rhythm and not final else None
    deadline = deadlines.shown(due, rhythm.zone, rhythm.grace) if due else settings.deadline
    return as_stored(DeskFile(
        settings.title, settings.language, settings.paper, deadline, {seat: settings.player_name(seat) for seat in ruleset.seats},
        {seat: tokens[seat] for seat in ruleset.seats}, ruleset.statistics(state), {seat: play.played.how == "file" for seat, play in plays.items()}, ruleset.last_turn(options) or 0,
        final, seed if final else "", deadlines.to_text(due), before if before != told else "", settings.press, settings.anonymous))


def recorded_moment(folder: Folder, turn: int, ruleset: Ruleset) -> Moment:
    """A past turn, read from its folder."""
    first, manifest = turns.read_manifest(folder, 0), turns.read_manifest(folder, turn)
    desk = turns.read_desk(folder, turn, DeskFile)
    before = recorded_input(folder, manifest, ruleset, turns.read_state(folder, turn - 1, ruleset.state_type)) if turn else None
    with speaking(desk.language):
        plays = recorded_plays(folder, manifest, ruleset, before) if turn else {}
    return Moment(ruleset, first.options or {}, manifest, turns.read_state(folder, turn, ruleset.state_type), turns.read_events(folder, turn), desk,
                  plays, history(folder, turn))


def history(folder: Folder, last: int) -> list[tuple[int, dict[str, int]]]:
    """(turn, public statistics) up to the turn `last`, oldest first."""
    return [(turn, turns.read_desk(folder, turn, DeskFile).statistics) for turn in range(last + 1)]


def viewers(moment: Moment) -> list[str]:
    """Who gets a report: every seat that is in somebody's hands, the game master, and the public."""
    held = [seat for seat in moment.ruleset.seats if moment.manifest.holders.get(seat) != NOBODY]
    return [*held, GM, PUBLIC]


def heard(moment: Moment) -> list[str]:
    """The seats whose orders are taken for the turn after this one."""
    return [] if moment.desk.final else [seat for seat in moment.ruleset.listens_to(moment.state) if moment.manifest.holders.get(seat) != NOBODY]


def report_of(moment: Moment, viewer: str) -> Report:
    """The report model for one viewer."""
    ruleset, manifest, desk = moment.ruleset, moment.manifest, moment.desk
    seen = seen_by(moment.events, viewer)
    view = ruleset.view(moment.state, viewer)
    play = moment.plays.get(viewer)
    is_heard = viewer in heard(moment)
    desk_of_viewer = Desk(
        campaign=manifest.campaign, title=desk.title, viewer=viewer, turn=manifest.turn, turns=desk.turns,
        turn_title=ruleset.turn_name(moment.options, manifest.turn),
        next_title="" if desk.final else ruleset.turn_name(moment.options, manifest.turn + 1),
        seat_names=dict(ruleset.seats), player_names={seat: desk.player_names[seat] for seat in ruleset.seats},
        orders=play.understood.orders if play else {}, written=play.understood.written if play else [],
        problems=play.understood.problems if play else [], how=play.played.how if play else "",
        all_orders={seat: (each.played.how, each.understood.written) for seat, each in moment.plays.items()} if viewer == GM else {},
        letters=[event for event in seen if event.kind == LETTER and (viewer != GM or event.data["from"])], amendments=[event for event in seen if event.kind == AMENDED],
        salted=manifest.salted, salts=dict(manifest.salts),
        template=template_of(ruleset, kit_of(moment, viewer), orders_view(ruleset, moment.state, viewer),
                             desk.tokens.get(viewer, "")) if is_heard else "",
        template_name=f"{viewer}.orders.yaml" if is_heard else "",
        token=desk.tokens.get(viewer, "") if is_heard else "", deadline=desk.deadline, commitment=manifest.commitment, seed=desk.seed,
        history=[(turn, ruleset.turn_name(moment.options, turn), values) for turn, values in moment.history],
        sent={seat: desk.sent[seat] for seat in ruleset.seats if seat in desk.sent}, final=desk.final, language=desk.language, paper=desk.paper)
    report = ruleset.report(view, [event for event in seen if event.kind not in (LETTER, AMENDED)], desk_of_viewer)
    return with_desk_sections(report, desk_of_viewer)


def kit_of(moment: Moment, seat: str) -> Kit:
    """The seat's view.json for the coming turn."""
    manifest, desk, turn = moment.manifest, moment.desk, moment.manifest.turn + 1
    view = moment.ruleset.view(moment.state, seat)
    return Kit(manifest.campaign, desk.title, manifest.ruleset, moment.ruleset.revision, turn, moment.ruleset.turn_name(moment.options, turn),
               seat, manifest.partial,
               desk.language, desk.deadline, plain.to_plain(view), dice="salted" if manifest.salted else "plain", press=desk.press, anonymous=desk.anonymous)


def template_of(ruleset: Ruleset, kit: Kit, view: Any, token: str) -> str:
    """The order file that the seat starts from."""
    seat = ruleset.seats[kit.seat]
    return template(ruleset.order_model(view), campaign=kit.campaign, turn=kit.turn, seat=kit.seat, token=token or "????-????",
                    title=_("{campaign}: orders of {seat} for {turn} (turn {number})").format(campaign=kit.title, seat=seat,
                        turn=kit.turn_title, number=kit.turn),
                    schema_name=f"{kit.seat}.schema.json", deadline=kit.deadline, salted=kit.dice == "salted", press=kit.press, anonymous=kit.anonymous)


def schema_of(ruleset: Ruleset, kit: Kit, view: Any) -> str:
    """The JSON Schema of the seat's order file."""
    title = _("Orders of {seat} for {turn}").format(seat=ruleset.seats[kit.seat], turn=kit.turn_title)
    schema = json_schema(ruleset.order_model(view), campaign=kit.campaign, turn=kit.turn, seat=kit.seat, seats=Names(ruleset.seats), title=title,
                         salted=kit.dice == "salted", anonymous=kit.anonymous)
    return json.dumps(schema, ensure_ascii=False, indent=1) + "\n"


@dataclass
class Made:
    """Reports: file name -> bytes. failed: viewer -> the fault of the game's own report that kept it from being made."""

    files: dict[str, bytes] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)


def make_reports(moment: Moment, only: Iterable[str] | None = None, jobs: int | None = None, progress: Progress = no_progress) -> Made:
    """The reports of a turn; of all viewers, or of those in `only`. A report that fails does not take the others with it."""
    from ..report import ReportError, produce

    made = Made()
    with speaking(moment.desk.language):
        names = [viewer for viewer in viewers(moment) if only is None or viewer in set(only)]
        reports = []
        for viewer in names:
            try:
                files = kit_files(moment, viewer) if viewer in heard(moment) else {}
                reports.append(report_of(moment, viewer))
            except Exception:  # a fault of the game's report must not keep the turn from everybody
                made.failed[viewer] = traceback.format_exc()
            else:
                made.files |= files
        try:
            for done, one in enumerate(produce(reports, jobs), 1):
                progress(_("reports"), done, len(reports))
                made.files |= {f"{one.viewer}.html": one.html.encode(), f"{one.viewer}.txt": one.text.encode(), f"{one.viewer}.pdf": one.pdf}
        except ReportError as error:
            raise Trouble(str(error), _("or leave the reports for later: adjudicator run --no-reports, then adjudicator report")) from error
    return made


def kit_files(moment: Moment, seat: str) -> dict[str, bytes]:
    """What a seat whose orders are taken gets beside its report: view, order file, schema."""
    kit, view = kit_of(moment, seat), orders_view(moment.ruleset, moment.state, seat)
    return {f"{seat}.view.json": plain.to_pretty_json(kit),
            f"{seat}.orders.yaml": template_of(moment.ruleset, kit, view, moment.desk.tokens.get(seat, "")).encode(),
            f"{seat}.schema.json": schema_of(moment.ruleset, kit, view).encode()}


def report_again(folder: Folder, turn: int, ruleset: Ruleset, only: Iterable[str] | None = None, jobs: int | None = None,
                 progress: Progress = no_progress) -> tuple[list[str], dict[str, str]]:
    """Make reports of a past turn again, in their place: (their paths from the campaign folder, those that failed as in Made)."""
    moment = recorded_moment(folder, turn, ruleset)
    if moment.manifest.revision != ruleset.revision:
        raise Trouble(_("turn {turn} was played by revision {old} of {ruleset}; installed is revision {new}").format(turn=turn,
            old=moment.manifest.revision, new=ruleset.revision, ruleset=ruleset.id),
                      _("install the version with revision {old} to make its reports again").format(old=moment.manifest.revision))
    unknown = [seat for seat in only or [] if seat not in viewers(moment)]
    if unknown:
        raise Trouble(_("nobody holds the seat {seat}: it has no report").format(seat=unknown[0]),
                      _("there are: {seats}").format(seats=", ".join(viewers(moment))))
    made = make_reports(moment, only, jobs, progress)
    place = folder.turn(turn) / REPORTS
    disk.make_folder(place)
    for name, data in sorted(made.files.items()):
        disk.put(place / name, data)
    turns.sum_reports(place)
    return sorted(f"{place.relative_to(folder.path).as_posix()}/{name}" for name in made.files), made.failed
