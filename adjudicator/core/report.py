"""The report model: what a report says, before anybody decides how it looks.

A game builds a `Report` from a view and the events that its viewer may see. HTML, plain text and PDF are made from the
same model. Text is a list of spans; whoever writes a span passes plain text and never markup: escaping is the renderer's.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Union

from . import plain
from .events import Event
from .orders import Problem
from .words import _


@dataclass
class Span:
    """A piece of text. `style`: "" or one of STYLES."""

    text: str
    style: str = ""


STYLES = ("strong", "em", "code", "small", "good", "bad", "quiet", "name")


@dataclass
class DiceSpan:
    """Dice that were thrown, drawn as dice; those of `hit_on` or more are marked as successes (0: none are).

    `text` is what a reader without pictures gets, such as "5 3 6".
    """

    values: list[int]
    hit_on: int = 0
    sides: int = 6


@dataclass
class Badge:
    """The emblem of a side, followed by its name if `text` is given. `id` is a key of `Report.badges`."""

    id: str
    text: str = ""


Inline = Union[Span, DiceSpan, Badge]
Spans = list[Inline]


def say(template: str, **parts: "Inline | Spans | str | int") -> Spans:
    """Put parts into a translated sentence: say(_("{house} storms {castle}."), house=Badge("york", "York"), castle="Oxford").

    A part may be text, a number, a span or a list of spans; a brace that names no part stays as it is.
    """
    spans: Spans = []
    rest = template
    while rest:
        start = rest.find("{")
        end = rest.find("}", start)
        if start < 0 or end < 0:
            spans.append(Span(rest))
            break
        name = rest[start + 1:end]
        if name not in parts:
            spans.append(Span(rest[:end + 1]))
        else:
            if start:
                spans.append(Span(rest[:start]))
            part = parts[name]
            spans += part if isinstance(part, list) else [part if not isinstance(part, (str, int)) else Span(str(part))]
        rest = rest[end + 1:]
    return spans


def as_spans(text: "Spans | Inline | str") -> Spans:
    """Text, one span or many, as a list of spans."""
    return [Span(text)] if isinstance(text, str) else text if isinstance(text, list) else [text]


def listed(items: Sequence["Spans | Inline | str"], separator: str = ", ") -> Spans:
    """Items with a separator between them."""
    spans: Spans = []
    for place, item in enumerate(items):
        spans += ([Span(separator)] if place else []) + as_spans(item)
    return spans


@dataclass
class Heading:
    text: str


@dataclass
class Paragraph:
    """`tone`: "" | "quiet" | "warning" | "lead"."""

    spans: Spans
    tone: str = ""


@dataclass
class Bullets:
    items: list[Spans]
    tone: str = ""


@dataclass
class Facts:
    """Label and value, one under the other."""

    rows: list[tuple[str, Spans]]


@dataclass
class Column:
    """`align`: "left", "right" or "center"; `wide`: takes the room that is left."""

    title: str
    align: str = "left"
    wide: bool = False


@dataclass
class Table:
    """Rows of cells; a cell is a list of spans. `marked`: places of rows that stand out (the reader's own, the leader)."""

    columns: list[Column]
    rows: list[list[Spans]]
    caption: str = ""
    marked: list[int] = field(default_factory=list)
    note: str = ""


@dataclass
class Figure:
    """A drawing (SVG text made by the game, without anything that a player wrote), its caption, and the same in words."""

    svg: str
    caption: str
    words: list[str] = field(default_factory=list)
    full_page: bool = False


@dataclass
class Story:
    """One happening told whole (a battle, a storm, a letter): kept on one page where it fits. `tone`: "" | "battle" | "letter" | "good" | "bad"."""

    title: Spans
    blocks: "list[Block]"
    tone: str = ""


@dataclass
class OrderLine:
    """One of the reader's orders as understood, and what became of it. `state`: "done" | "partly" | "skipped" | "refused" | "noted"."""

    text: str
    state: str
    became: list[Spans]


@dataclass
class OrderList:
    lines: list[OrderLine]


@dataclass
class Source:
    """Text in fixed-width letters, such as an order file; long ones may break across pages."""

    text: str
    name: str = ""


@dataclass
class SideBySide:
    """Parts that stand beside each other where there is room, and under each other where not."""

    parts: "list[list[Block]]"


Block = Union[Heading, Paragraph, Bullets, Facts, Table, Figure, Story, OrderList, Source, SideBySide]


@dataclass
class Section:
    """`id` is the same in every language (for links and tests). `start`: "" (flows), "page" (begins a page), "landscape"."""

    id: str
    title: str
    blocks: list[Block]
    start: str = ""


@dataclass
class Attachment:
    name: str
    text: str
    about: str = ""


@dataclass
class Report:
    """Everything that one viewer is told of one turn.

    title:    "Autumn 1456"
    subtitle: "House of York"
    masthead: small facts at the top: campaign, edition, turn 7 of 68, deadline, token, seed commitment
    badge:    key of `badges` for the arms beside the title, or ""
    badges:   id -> SVG text of a small square drawing
    """

    title: str
    subtitle: str
    campaign: str
    viewer: str
    masthead: list[tuple[str, Spans]]
    sections: list[Section]
    badge: str = ""
    badges: dict[str, str] = field(default_factory=dict)
    attachments: list[Attachment] = field(default_factory=list)
    language: str = "en"
    paper: str = "A4"


@dataclass
class Desk:
    """What the core hands to a game's report beside the view and the events: all of it the viewer's own, or public.

    turn:       the turn that was just adjudicated (0: setup); its orders are the ones told of
    turns:      the last turn there can be; 0 if only the rules end the game
    seat_names, player_names: public; player_names is seat -> the player's name, "Steward", or ""
    orders:     this seat's orders of the turn as understood (order key -> plain data); {} for "gm" and "public"
    written:    the same orders as text, one entry an order: (order path, text)
    problems:   what was refused or doubted in this seat's file
    how:        "file", "steward", "nmr" or "" (nobody asked, "gm", "public")
    all_orders: only for "gm": seat -> (how, written)
    letters are events of the kind "letter": from ("" if the viewer may not know), to (list), text, unsigned. letters_section tells them.
    template:   the pre-filled order file for the coming turn, "" where none is asked
    template_name: its file name
    history:    public statistics, oldest turn first: (turn, turn's name, series -> value)
    amendments: corrections by the game master before this turn that the viewer is told of: events of the kind "amended": reason, changes
                (list of how, path, before, after). The core adds a section that tells them; so it does for salts
    salted, salts: whether players' salts are mixed into the dice; seat -> salt, of the turn told of
    sent:       public: seat -> whether orders had come in for the turn told of
    final:      True if the game is over
    """

    campaign: str
    title: str
    viewer: str
    turn: int
    turns: int
    turn_title: str
    next_title: str
    seat_names: dict[str, str]
    player_names: dict[str, str]
    orders: dict[str, Any] = field(default_factory=dict)
    written: list[tuple[list[str | int], str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    how: str = ""
    all_orders: dict[str, tuple[str, list[tuple[list[str | int], str]]]] = field(default_factory=dict)
    letters: list[Event] = field(default_factory=list)
    template: str = ""
    template_name: str = ""
    token: str = ""
    deadline: str = ""
    commitment: str = ""
    seed: str = ""
    history: list[tuple[int, str, dict[str, int]]] = field(default_factory=list)
    sent: dict[str, bool] = field(default_factory=dict)
    final: bool = False
    language: str = "en"
    paper: str = "A4"
    amendments: list[Event] = field(default_factory=list)
    salted: bool = False
    salts: dict[str, str] = field(default_factory=dict)


def with_desk_sections(report: Report, desk: Desk) -> Report:
    """The game's report with the sections that are the same in every game, where there is something to tell: corrections, salts.

    Corrections stand after the first section; salts before the last, or at the end. A game that has a section with the same id has told it itself.
    """
    there = {section.id for section in report.sections}
    sections = list(report.sections)
    if desk.amendments and "amendments" not in there:
        sections.insert(min(1, len(sections)), _amendments(desk))
    if desk.salted and desk.turn and "salts" not in there:
        sections.append(_salts(desk))
    return replace(report, sections=sections)


def letters_section(desk: Desk) -> Section | None:
    """The letters that the viewer has written or received; None if there are none. A game puts it where its rulebook says."""
    if not desk.letters:
        return None

    def name(seat: str) -> str:
        return desk.seat_names.get(seat, {"gm": _("the game master"), "public": _("all"), "all": _("all"), "": _("an unknown hand")}.get(seat, seat))

    stories: list[Block] = []
    for event in desk.letters:
        told = _("From {sender} to {receivers}, unsigned") if event.data.get("unsigned") else _("From {sender} to {receivers}")
        stories.append(Story(say(told, sender=Span(name(event.data["from"]), "strong"), receivers=", ".join(name(seat) for seat in event.data["to"])),
                             [Paragraph([Span(event.data["text"])])], "letter"))
    return Section("letters", _("Letters"), stories)


def _amendments(desk: Desk) -> Section:
    blocks: list[Block] = [Paragraph([Span(_("Before this turn the game master has corrected the state of the game."))])]
    for event in desk.amendments:
        rows = [[[Span(change["path"], "code")], [Span(_value(change["before"]))], [Span(_value(change["after"]))]] for change in event.data["changes"]]
        blocks.append(Story([Span(event.data["reason"])], [Table([Column(_("what"), wide=True), Column(_("before")), Column(_("now"))], rows)]))
    return Section("amendments", _("Corrections"), blocks)


def _value(value: Any) -> str:
    if value is None:
        return _("nothing")
    return value if isinstance(value, str) else plain.to_json(value).decode()


def _salts(desk: Desk) -> Section:
    rows = [[[Span(desk.seat_names.get(seat, seat))], [Span(salt, "code")]] for seat, salt in desk.salts.items()]
    told = Paragraph([Span(_("These words of the players were mixed into the dice of this turn, letter by letter as they stand here."))])
    return Section("salts", _("Salts of the dice"), [told, Table([Column(_("seat")), Column(_("salt"), wide=True)], rows)] if rows
                   else [Paragraph([Span(_("No player has put a salt into the dice of this turn."))], "quiet")])
