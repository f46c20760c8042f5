"""campaign.yaml: what the game master edits. Written once, with comments; read strictly, and never written again."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from ..core import registry
from ..core.names import Names, fold, nearest_word
from ..core.orders import (FAILED, REFUSED, Choice, Field, Fields, Kind, MapOf, Name, Problem, Reading, Whole, YesNo)
from ..core.ruleset import NOBODY, STEWARD, Ruleset
from ..core.values import Mapping, Scalar, Value, is_empty, typed
from ..core.words import _, languages
from ..orderfile.loader import load
from ..orderfile.writing import flow
from ..store.folder import SETTINGS
from ..store.trouble import Trouble

PAPERS = ("A4", "Letter")


@dataclass
class Player:
    name: str
    email: str = ""


@dataclass
class Seat:
    """Who holds a seat. player: an id of `players`, or "" if holder is STEWARD or NOBODY. steward: stands in for the player."""

    player: str = ""
    holder: str = ""
    steward: bool = False

    @property
    def held_by(self) -> str:
        return self.player or self.holder


@dataclass
class Settings:
    """mass_nmr: None means half of the human seats that are asked, rounded down."""

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
class Perhaps(Kind):
    """Another kind, or nothing: then the value is `nothing`."""

    kind: Kind
    nothing: Any

    def take(self, value: Value, reading: Reading) -> Any:
        return self.nothing if is_empty(value) else self.kind.read(value, reading)

    def allowed(self) -> str:
        return self.kind.allowed()


CAMPAIGN_ID = r"[a-z0-9]+(-[a-z0-9]+)*"
PLAYER_ID = r"(?!(steward|nobody)$)[A-Za-z0-9][A-Za-z0-9_-]*"
EMAIL = r"([^@\s<>,;]+@[^@\s<>,;]+\.[^@\s<>,;]+)?"


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
            "email": Field(Text(_("an e-mail address"), EMAIL, empty=True)),
        }, required=("name",))), {})),
        "seats": Field(Fields(SETTINGS, {seat: Field(held) for seat in ruleset.seats}, required=tuple(ruleset.seats))),
        "partial": Field(Choice({"accept": "", "refuse": ""})),
        "mass_nmr": Field(Perhaps(Whole(0), None)),
        "language": Field(Choice({language: "" for language in languages()})),
        "paper": Field(Choice({paper: "" for paper in PAPERS})),
        "deadline": Field(Text(_("when orders are due, as the reports shall say it"), empty=True)),
    }, required=("campaign", "title", "ruleset", "revision", "seats"))


def read_settings(data: bytes, name: str = SETTINGS) -> tuple[Settings, Ruleset]:
    """Read campaign.yaml. Trouble holds every problem of the file, each with its line."""
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
    options = {option.id: read.get("options", {}).get(option.id, option.default) for option in ruleset.options}
    return Settings(
        campaign=read["campaign"], title=read["title"], ruleset=read["ruleset"], revision=read["revision"], options=options,
        players={id_: Player(player["name"], player.get("email", "")) for id_, player in read.get("players", {}).items()},
        seats={seat: Seat(read["seats"][seat].get("player", ""), read["seats"][seat].get("holder", ""),
                          read["seats"][seat].get("steward", False)) for seat in ruleset.seats},
        partial=read.get("partial", "accept"), mass_nmr=read.get("mass_nmr"), language=read.get("language", "en"),
        paper=read.get("paper", "A4"), deadline=read.get("deadline", "")), ruleset


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
        *(f"  {seat}: {_seat(held)}" for seat, held in settings.seats.items()),
        "",
        "# A file with a mistake in one order: `accept` lets its other orders count, `refuse` none of them.",
        f"partial: {settings.partial}",
        "# `run` stops and asks when more than so many players' seats have sent nothing. Without a number: more than half of them.",
        f"mass_nmr:{'' if settings.mass_nmr is None else f' {settings.mass_nmr}'}",
        "",
        f"# The language and the paper of the reports: {', '.join(languages())}; {', '.join(PAPERS)}.",
        f"language: {settings.language}",
        f"paper: {settings.paper}",
        "# When the next orders are due, as the reports shall say it.",
        f"deadline:{f' {_quoted(settings.deadline)}' if settings.deadline else ''}",
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


def _seat(held: Seat) -> str:
    if held.player:
        return f"{{player: {held.player}{', steward: true' if held.steward else ''}}}"
    return f"{{holder: {held.holder}}}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
