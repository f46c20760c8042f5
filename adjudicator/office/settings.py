"""campaign.yaml: what the game master edits. Written once, with comments; read strictly, and never written again."""

import json
import re
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from ..core import registry
from ..core.names import Names, fold, nearest_word
from ..core.orders import (FAILED, REFUSED, Choice, Field, Fields, Kind, ListOf, MapOf, Name, Problem, Reading, Whole, YesNo)
from ..core.ruleset import NOBODY, STEWARD, Ruleset
from ..core.values import Mapping, Scalar, Value, is_empty, typed
from ..core.words import _, languages
from ..mail.composing import ascii_address
from ..orderfile.loader import load
from ..orderfile.writing import flow
from ..store.folder import SETTINGS
from ..store.trouble import Trouble
from .deadlines import DATE, SPAN, TIME, WEEKDAYS, Rhythm, is_date, is_zone, minutes, span_text

PAPERS = ("A4", "Letter")


@dataclass
class Player:
    name: str
    email: str = ""


@dataclass
class Seat:
    """Who holds a seat. player: an id of `players`, or "" if holder is STEWARD or NOBODY. steward: stands in for the player; until the turn `away_until`, too."""

    player: str = ""
    holder: str = ""
    steward: bool = False
    away_until: int = 0

    def is_played_by_steward(self, turn: int) -> bool:
        """True if the steward plays when nothing comes for this turn."""
        return self.holder == STEWARD or bool(self.player) and (self.steward or self.away_until >= turn)

    @property
    def held_by(self) -> str:
        return self.player or self.holder


@dataclass
class Settings:
    """mass_nmr: None means half of the human seats that are asked, rounded down. deadline: in words; "" if there is a rhythm.

    nmr:       what is done at the deadline for a player's seat that has sent nothing: "defaults", "steward" or "wait"
    run_when:  when `tick` runs the turn: "deadline", "all-in" or "by-hand"
    reminders: minutes before the deadline
    press:     when letters go out: with the "report", "at-once", or "off": only to the game master; anonymous: "no", "allowed" or "always"
    gm:        the game master, if he has an address; gm_report: whether the full report is mailed to him
    written_seats: as campaign.yaml has them, of the seats that `adjudicator seat` has changed.
    """

    campaign: str
    title: str
    ruleset: str
    revision: int
    options: dict[str, Any]
    players: dict[str, Player] = field(default_factory=dict)
    seats: dict[str, Seat] = field(default_factory=dict)
    partial: str = "accept"
    mass_nmr: int | None = None
    language: str = "en"
    paper: str = "A4"
    deadline: str = ""
    rhythm: Rhythm | None = None
    dice: str = "plain"
    nmr: str = "defaults"
    run_when: str = "deadline"
    reminders: list[int] = field(default_factory=lambda: [24 * 60])
    press: str = "report"
    anonymous: str = "no"
    gm: Player | None = None
    gm_report: bool = True
    written_seats: dict[str, Seat] = field(default_factory=dict)

    @property
    def holders(self) -> dict[str, str]:
        return {seat: held.held_by for seat, held in self.seats.items()}

    def player_name(self, seat: str) -> str:
        """What people read as the holder of the seat: the player's name, "Steward", or nothing."""
        held = self.seats[seat]
        if held.player:
            return self.players[held.player].name
        return _("Steward") if held.holder == STEWARD else ""


@dataclass
class Text(Kind):
    """One line of text; `pattern`, if given, must fit, and `what` says what is allowed. Nothing may stand there if `empty`."""

    what: str
    pattern: str = ""
    empty: bool = False

    def take(self, value: Value, reading: Reading) -> Any:
        if not isinstance(value, Scalar) or (is_empty(value) and not self.empty):
            return reading.refuse(value, "NOT-A-TEXT", _("a text is expected here"), allowed=self.what)
        text = "" if is_empty(value) else value.text.strip()
        if self.pattern and not re.fullmatch(self.pattern, text):
            return reading.refuse(value, "NOT-A-TEXT", _("{found} may not stand here").format(found=repr(typed(value))), allowed=self.what)
        if "\n" in text or len(text) > 500:
            return reading.refuse(value, "NOT-A-TEXT", _("this text must be one line of at most 500 characters"), allowed=self.what)
        return text

    def allowed(self) -> str:
        return self.what


@dataclass
class Address(Text):
    """An e-mail address that a mail server could take, or nothing."""

    def take(self, value: Value, reading: Reading) -> Any:
        text = super().take(value, reading)
        if text is FAILED or not text:
            return text
        try:
            ascii_address(text)
        except ValueError:
            return reading.refuse(value, "NOT-A-TEXT", _("{found} is no e-mail address").format(found=repr(text)), allowed=self.what)
        return text


@dataclass
class Perhaps(Kind):
    """Another kind, or nothing: then the value is `nothing`."""

    kind: Kind
    nothing: Any

    def take(self, value: Value, reading: Reading) -> Any:
        return self.nothing if is_empty(value) else self.kind.read(value, reading)

    def allowed(self) -> str:
        return self.kind.allowed()


@dataclass
class Day(Kind):
    """A date that exists, such as 2027-01-10; with_time: a time may follow it."""

    with_time: bool = False

    def take(self, value: Value, reading: Reading) -> Any:
        text = value.text.strip() if isinstance(value, Scalar) else ""
        if not re.fullmatch(rf"{DATE}( {TIME})?" if self.with_time else DATE, text) or not is_date(text[:10]):
            return reading.refuse(value, "NOT-A-DATE", _("{found} is no date").format(found=repr(typed(value))), allowed=self.allowed())
        return text

    def allowed(self) -> str:
        return _("year-month-day and perhaps a time, such as 2027-01-10 18:00") if self.with_time else _("year-month-day, such as 2027-01-10")


@dataclass
class Zone(Kind):
    """The IANA name of a time zone."""

    def take(self, value: Value, reading: Reading) -> Any:
        name = value.text.strip() if isinstance(value, Scalar) else ""
        if is_zone(name):
            return name
        return reading.refuse(value, "NOT-A-ZONE", _("no time zone is called {found}").format(found=repr(typed(value))), allowed=self.allowed(),
                              suggestion=nearest_word(name, _zones()) or _("on a system without a list of time zones: pip install tzdata"))

    def allowed(self) -> str:
        return _("an IANA name, such as Europe/Rome, or UTC")


def _zones() -> list[str]:
    from zoneinfo import available_timezones

    return sorted(available_timezones())


class Deadline(Kind):
    """Words, or a rhythm."""

    def take(self, value: Value, reading: Reading) -> Any:
        if not isinstance(value, Mapping):
            return Text(self.allowed(), empty=True).take(value, reading)
        read = Fields(_("a deadline"), {
            "zone": Field(Zone()), "every": Field(Whole(1, 366)),
            "weekly": Field(ListOf(Choice({day: "" for day in WEEKDAYS}), unique=True, empty=False)),
            "dates": Field(ListOf(Day(with_time=True), unique=True, empty=False)), "first": Field(Day()),
            "at": Field(Text(_("a time of day, such as 18:00"), TIME)), "grace": Field(Text(_("a span of time, such as 2 hours"), SPAN)),
            "least": Field(Whole(0, 60)), "next": Field(Day(with_time=True)),
        }, required=("zone",)).read(value, reading)
        if read is FAILED:
            return FAILED
        if sum(key in read for key in ("every", "weekly", "dates")) != 1 or ("every" in read) > ("first" in read):
            return reading.refuse(value, "NOT-A-RHYTHM", _("it is not clear when orders are due"),
                                  allowed=_("one of: `every` (days) with `first` (a date); `weekly` (days of the week); `dates` (a list)"))
        return Rhythm(**{**read, "grace": minutes(read["grace"]) if "grace" in read else 0})

    def allowed(self) -> str:
        return _("when orders are due, as the reports shall say it; or a rhythm: zone, every, weekly, dates, first, at, grace")


CAMPAIGN_ID = r"[a-z0-9]+(-[a-z0-9]+)*"
PLAYER_ID = r"(?!(steward|nobody)$)[A-Za-z0-9][A-Za-z0-9_-]*"
_IN_EMAIL = r"[^@\s<>,;\x00-\x1f\x7f-\x9f]+"
EMAIL = rf"({_IN_EMAIL}@{_IN_EMAIL}\.{_IN_EMAIL})?"
NMR = ("defaults", "steward", "wait")
RUN_WHEN = ("deadline", "all-in", "by-hand")
PRESS = ("report", "at-once", "off")
ANONYMOUS = ("no", "allowed", "always")


def _model(ruleset: Ruleset, players: list[str]) -> Fields:
    held = Fields(_("a seat"), {
        "player": Field(Name(Names({id_: id_ for id_ in players}), _("a key of `players`"), "UNKNOWN-PLAYER", among=players)),
        "steward": Field(YesNo()),
        "holder": Field(Choice({STEWARD: "", NOBODY: ""})),
    })
    return Fields(SETTINGS, {
        "campaign": Field(Text(_("lower-case letters, digits and hyphens, such as roses-1455"), CAMPAIGN_ID)),
        "title": Field(Text(_("what the reports call the campaign"))),
        "ruleset": Field(Choice({id_: "" for id_ in registry.available()})),
        "revision": Field(Whole(1)),
        "options": Field(Perhaps(Fields(_("this ruleset"), {option.id: Field(option.kind) for option in ruleset.options}), {})),
        "players": Field(Perhaps(MapOf(Text(_("a short id for a player, such as 1 or anna"), PLAYER_ID), Fields(_("a player"), {
            "name": Field(Text(_("the player's name, as everybody may read it"))),
            "email": Field(Address(_("an e-mail address"), EMAIL, empty=True)),
        }, required=("name",))), {})),
        "seats": Field(Fields(SETTINGS, {seat: Field(held) for seat in ruleset.seats}, required=tuple(ruleset.seats))),
        "partial": Field(Choice({"accept": "", "refuse": ""})),
        "mass_nmr": Field(Perhaps(Whole(0), None)),
        "language": Field(Choice({language: "" for language in languages()})),
        "paper": Field(Choice({paper: "" for paper in PAPERS})),
        "deadline": Field(Deadline()),
        "dice": Field(Choice({"plain": "", "salted": ""})),
        "nmr": Field(Choice({each: "" for each in NMR})),
        "run_when": Field(Choice({each: "" for each in RUN_WHEN})),
        "reminders": Field(Perhaps(ListOf(Text(_("a span of time, such as 2 days"), SPAN), unique=True, most=9), [])),
        "press": Field(Choice({each: "" for each in PRESS})),
        "anonymous": Field(Choice({each: "" for each in ANONYMOUS})),
        "gm": Field(Perhaps(Fields(_("the game master"), {"name": Field(Text(_("a name, as everybody may read it"))), "email": Field(Address(_("an e-mail address"), EMAIL, empty=True)), "report": Field(YesNo())}), None)),
    }, required=("campaign", "title", "ruleset", "revision", "seats"))


def read_settings(data: bytes, name: str = SETTINGS) -> tuple[Settings, Ruleset]:
    """Read campaign.yaml. Trouble holds every problem of the file, each with its line."""
    settings, _ruleset_then = _read(data, name, tuple(registry.available()))
    return deepcopy(settings), registry.load(settings.ruleset)


@lru_cache(maxsize=8)
def _read(data: bytes, name: str, _installed: tuple[str, ...]) -> tuple[Settings, Ruleset]:
    """The same bytes, read once: a war of many turns looks at them before each."""
    loaded = load(data)
    if loaded.value is None:
        raise Trouble(_("{name} cannot be read").format(name=name), "", loaded.problems, loaded.text, name)
    ruleset = _ruleset(loaded.value, loaded.text, name)
    players = loaded.value.get("players")
    ids = [key.text for key, _value in players.entries if re.fullmatch(PLAYER_ID, key.text)] if isinstance(players, Mapping) else []
    reading = Reading()
    read = _model(ruleset, ids).read(loaded.value, reading)
    problems = [*loaded.problems, *reading.problems]
    if read is not FAILED:
        for seat, held in read["seats"].items():
            if ("player" in held) == ("holder" in held) or ("holder" in held and "steward" in held):
                at = next(key for key, _value in loaded.value.get("seats").entries if fold(key.text) == fold(seat))
                problems.append(Problem(REFUSED, "NOT-A-HOLDER", _("it is not clear who holds {seat}").format(seat=ruleset.seats[seat]),
                                        line=at.spot.line,
                                        column=at.spot.column, length=at.spot.length,
                                        allowed=_("{{player: ID}}, {{player: ID, steward: true}}, {{holder: steward}} or {{holder: nobody}}").format()))
    if any(problem.kind == REFUSED for problem in problems):
        raise Trouble(_("{name} has mistakes").format(name=name), _("mend them; nothing was changed"),
                      sorted(problems, key=lambda p: (p.line, p.column)), loaded.text, name)
    deadline = read.get("deadline", "")
    options = {option.id: read.get("options", {}).get(option.id, option.default) for option in ruleset.options}
    return Settings(
        campaign=read["campaign"], title=read["title"], ruleset=read["ruleset"], revision=read["revision"], options=options,
        players={id_: Player(player["name"], player.get("email", "")) for id_, player in read.get("players", {}).items()},
        seats={seat: Seat(read["seats"][seat].get("player", ""), read["seats"][seat].get("holder", ""),
                          read["seats"][seat].get("steward", False)) for seat in ruleset.seats},
        partial=read.get("partial", "accept"), mass_nmr=read.get("mass_nmr"), language=read.get("language", "en"),
        paper=read.get("paper", "A4"), deadline=deadline if isinstance(deadline, str) else "",
        rhythm=deadline if isinstance(deadline, Rhythm) else None, dice=read.get("dice", "plain"), nmr=read.get("nmr", "defaults"),
        run_when=read.get("run_when", "deadline"), reminders=sorted({minutes(each) for each in read["reminders"]}) if "reminders" in read else [24 * 60],
        press=read.get("press", "report"), anonymous=read.get("anonymous", "no"),
        gm=Player(read["gm"].get("name", ""), read["gm"].get("email", "")) if read.get("gm") else None,
        gm_report=(read.get("gm") or {}).get("report", True)), ruleset


def _ruleset(root: Mapping, text: str, name: str) -> Ruleset:
    """The ruleset that the file names, found before the rest can be read."""
    value = root.get("ruleset")
    id_ = value.text.strip() if isinstance(value, Scalar) else ""
    if id_ in registry.available():
        return registry.load(id_)
    spot = value.spot if value is not None else root.spot
    problem = Problem(REFUSED, "UNKNOWN-RULESET", _("no ruleset {found} is installed").format(found=repr(id_)) if id_ else _("the line `ruleset: …` is missing"),
                      found=id_, line=spot.line, column=spot.column, length=spot.length,
                      allowed=", ".join(registry.available()), suggestion=nearest_word(id_, registry.available()) or "")
    raise Trouble(_("{name} has mistakes").format(name=name), _("mend them, or install the package with the ruleset"), [problem], text, name)


def write_settings(settings: Settings, ruleset: Ruleset) -> bytes:
    """campaign.yaml with its comments, as the game master gets it to edit."""
    lines = [
        "# This campaign, as it was set up. The file is yours to edit: the program reads it and never writes it again.",
        "",
        f"campaign: {flow(settings.campaign)}",
        f"title: {_quoted(settings.title)}",
        f"ruleset: {flow(settings.ruleset)}",
        "# The revision of the rules that the campaign is played by. Raise it by hand when you want to go on under newer ones.",
        f"revision: {settings.revision}",
        "",
        "# Fixed when the campaign began: `run` refuses to go on if they are changed.",
        *_options(settings, ruleset),
        "",
        "# id: {name: ..., email: ...}",
        "players:" if settings.players else "players: {}",
        *(f"  {id_}: {{name: {_quoted(player.name)}, email: {_quoted(player.email)}}}" for id_, player in settings.players.items()),
        "",
        "# Who holds each seat:  {player: ID}                 a player",
        "#                       {player: ID, steward: true}  a player who is away: the steward plays when no orders come",
        "#                       {holder: steward}            the steward plays it",
        "#                       {holder: nobody}             it is in nobody's hands, where the game has a rule for that",
        "seats:",
        *(f"  {seat}: {seat_text(held)}" for seat, held in settings.seats.items()),
        "",
        "# A file with a mistake in one order: `accept` lets its other orders count, `refuse` none of them.",
        f"partial: {settings.partial}",
        "# `run` stops and asks when more than so many players' seats have sent nothing. Without a number: more than half of them.",
        f"mass_nmr:{'' if settings.mass_nmr is None else f' {settings.mass_nmr}'}",
        "",
        f"# The language and the paper of the reports: {', '.join(languages())}; {', '.join(PAPERS)}.",
        f"language: {settings.language}",
        f"paper: {settings.paper}",
        "# The dice: `plain`, or `salted` with words of the players; fixed when the campaign began.",
        f"dice: {settings.dice}",
        "# Letters between players: with the `report`, `at-once` (by mail), or `off`; unsigned letters: `no`, `allowed` or `always`.",
        f"press: {settings.press}",
        f"anonymous: {settings.anonymous}",
        "# A player who has sent nothing at the deadline: `defaults` (standing policies), the `steward` plays, or `wait`: the turn is not run.",
        f"nmr: {settings.nmr}",
        "# For `adjudicator tick`: run the turn at the `deadline`, when `all-in`, or `by-hand`; reminders so long before the deadline.",
        f"run_when: {settings.run_when}",
        f"reminders: [{', '.join(span_text(each) for each in settings.reminders)}]",
        "# Where mail to the game master goes: {name: ..., email: ...}; with `report: no` it is never the full report, for one who plays too.",
        f"gm:{_gm(settings.gm, settings.gm_report)}",
        "",
        "# When orders are due: any words, as the reports shall say it; or a rhythm, from which the program reckons:",
        "#   deadline: {zone: Europe/Rome, every: 14, first: 2027-01-10, at: \"18:00\", grace: 2 hours}       every so many days",
        "#   deadline: {zone: Europe/Rome, weekly: [Wednesday, Sunday], at: \"18:00\"}                       on days of the week",
        "#   deadline: {zone: Europe/Rome, dates: [\"2027-01-10 18:00\", \"2027-01-31 18:00\"]}                a list",
        "# and, for a single turn, `next: \"2027-01-12 18:00\"`. Players have at least one day, or `least` days.",
        *_deadline(settings),
    ]
    return ("\n".join(lines) + "\n").encode()


def _options(settings: Settings, ruleset: Ruleset) -> list[str]:
    if not ruleset.options:
        return ["options: {}"]
    lines = ["options:"]
    for option in ruleset.options:
        if option.applies is None or option.applies(settings.options) or settings.options[option.id] != option.default:
            lines += [f"  # {option.help} ({option.kind.allowed()})", f"  {option.id}: {flow(settings.options[option.id])}"]
    return lines if len(lines) > 1 else ["options: {}"]


def _deadline(settings: Settings) -> list[str]:
    if settings.rhythm is None:
        return [f"deadline:{f' {_quoted(settings.deadline)}' if settings.deadline else ''}"]
    rhythm = settings.rhythm
    pairs = [f"zone: {rhythm.zone}"]
    pairs += [f"every: {rhythm.every}"] if rhythm.every else []
    pairs += [f"weekly: [{', '.join(rhythm.weekly)}]"] if rhythm.weekly else []
    pairs += [f"dates: [{', '.join(map(_quoted, rhythm.dates))}]"] if rhythm.dates else []
    pairs += [f"first: {rhythm.first}"] if rhythm.first else []
    pairs += [f"at: {_quoted(rhythm.at)}"]
    pairs += [f"grace: {rhythm.grace} minutes"] if rhythm.grace else []
    pairs += [f"least: {rhythm.least}"] if rhythm.least != 1 else []
    pairs += [f"next: {_quoted(rhythm.next)}"] if rhythm.next else []
    return ["deadline:", *(f"  {pair}" for pair in pairs)]


def _gm(gm: Player | None, report: bool) -> str:
    pairs = [f"{key}: {_quoted(text)}" for key, text in (("name", gm.name), ("email", gm.email)) if text] if gm else []
    pairs += ["report: no"] if pairs and not report else []
    return f" {{{', '.join(pairs)}}}" if pairs else ""


def seat_text(held: Seat) -> str:
    """A seat as campaign.yaml says it."""
    if held.player:
        return f"{{player: {held.player}{', steward: true' if held.steward else ''}}}"
    return f"{{holder: {held.holder}}}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
