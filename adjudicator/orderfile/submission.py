"""One order file, read: whose it is, what it orders, what is wrong with it."""

from dataclasses import dataclass, field
from typing import Any

from ..core.names import Names, fold, nearest_word
from ..core.orders import DOUBTFUL, FAILED, REFUSED, Fields, Field, Kind, ListOf, Name, Problem, Reading, Sentence, read_orders
from ..core.values import Broken, Items, Mapping, Scalar, Spot, Value, is_empty
from ..core.words import _
from .loader import Loaded, load

KEYS = ("campaign", "turn", "seat", "token", "salt", "orders", "messages")
MOST_LETTERS = 20
MOST_PROBLEMS = 60
"""Problems that are told one by one."""
MOST_SALT = 200


@dataclass
class Envelope:
    """What a file says about itself, as typed; None where it says nothing that can be read."""

    campaign: str | None = None
    turn: int | None = None
    seat: str | None = None
    token: str | None = None


@dataclass
class Letter:
    """to: seats, "all" or "gm"."""

    to: list[str]
    text: str


@dataclass
class Submission:
    """An order file as understood.

    state: "taken" (all of it), "partly" (some orders refused), "refused" (nothing of it can count), "unreadable" (no YAML), "no-orders"
           (no order file at all), "other-campaign", "past-turn", "future-turn", "unknown-seat", "other-seat"
    """

    state: str
    envelope: Envelope
    orders: dict[str, Any] = field(default_factory=dict)
    letters: list[Letter] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    text: str = ""
    salt: str = ""

    @property
    def counts(self) -> bool:
        """True if the file can be in force."""
        return self.state in ("taken", "partly")


def peek(loaded: Loaded) -> Envelope:
    """The envelope of a loaded file, without a word about what is wrong."""
    if loaded.value is None:
        return Envelope()
    found = {fold(key.text): value for key, value in loaded.value.entries}

    def word(key: str) -> str | None:
        value = found.get(key)
        return value.text.strip() if isinstance(value, Scalar) and not is_empty(value) else None

    turn = word("turn")
    return Envelope(word("campaign"), int(turn) if turn and turn.isascii() and turn.isdigit() and len(turn) < 10 else None, word("seat"), word("token"))


def letters_kind(seats: Names) -> Kind:
    """What may stand under `messages`."""
    named = Names({**seats.names, "all": "all", "gm": "gm"})
    return ListOf(Fields(_("a letter"), {
        "to": Field(ListOf(Name(named, _("a seat, all, or gm"), "UNKNOWN-SEAT"), empty=False)),
        "text": Field(Sentence()),
    }, required=("to", "text")), each=True, most=MOST_LETTERS)


def read_submission(data: bytes | Loaded, model: Fields, check, *, campaign: str, turn: int, seat: str, seats: Names,
                    partial: bool = True, salted: bool = False) -> Submission:
    """Read an order file for one seat.

    model, check: the seat's order model, and the game's own check `(orders, remarks)`, both made from the seat's view
    campaign, turn, seat: what the file must say; the token is the caller's to compare
    partial: whether the rest of a file counts when one order of it is refused
    salted:  whether the file's `salt` is mixed into the dice
    """
    loaded = data if isinstance(data, Loaded) else load(data)
    envelope = peek(loaded)
    if loaded.value is None:
        state = "no-orders" if loaded.empty else "unreadable"
        return Submission(state, envelope, problems=_hinted(loaded.problems, loaded), text=loaded.text)
    reading = Reading()
    values = _envelope_values(loaded.value, reading)
    state = _envelope_state(values, reading, loaded.value.spot, campaign, turn, seat, seats)
    problems = [*loaded.problems, *reading.problems]
    if state:
        return Submission(state, envelope, problems=_hinted(problems, loaded), text=loaded.text)
    letters = _letters(values.get("messages"), seats, problems, loaded)
    salt = _salt(values.get("salt"), salted, problems)
    orders_value = values.get("orders")
    if isinstance(orders_value, Broken):
        problems.append(orders_value.problem)
        orders_value = None
    read = read_orders(model, orders_value, check, partial)
    problems += read.problems
    refused = any(problem.kind == REFUSED for problem in problems)
    nothing = not read.orders and not letters
    state = "taken" if not refused else "refused" if nothing or not partial else "partly"
    orders = read.orders if state != "refused" else {}
    return Submission(state, envelope, orders, letters if state != "refused" else [], _hinted(problems, loaded), loaded.text,
                      salt if state != "refused" else "")


def _envelope_values(root: Mapping, reading: Reading) -> dict[str, Value]:
    """The keys at the top of the file; an unknown one is refused by itself, with the nearest known one."""
    values: dict[str, Value] = {}
    for key, value in root.entries:
        name = next((known for known in KEYS if fold(known) == fold(key.text)), None)
        if name is None:
            if isinstance(value, Broken):
                reading.hand_on(value)
            reading.refuse(key, "UNKNOWN-KEY", _("an order file has no key {found}").format(found=repr(key.text[:40])), allowed=", ".join(KEYS),
                           suggestion=nearest_word(key.text, KEYS))
        elif isinstance(value, Broken) and name not in ("orders", "salt"):
            reading.order = (name,)
            reading.hand_on(value)
            reading.order = ()
        else:
            values[name] = value
    return values


def _envelope_state(values: dict[str, Value], reading: Reading, top: Spot, campaign: str, turn: int, seat: str, seats: Names) -> str:
    """Check campaign, turn, seat and token; "" if they are as they must be."""
    words: dict[str, tuple[str, Value]] = {}
    for key in ("campaign", "turn", "seat", "token"):
        value = values.get(key)
        if value is None or isinstance(value, Scalar) and is_empty(value):
            reading.refuse(value or top, "MISSING", _("the line `{key}: …` is missing").format(key=key), found="",
                           suggestion=_("your report and the order file that came with it give campaign, turn, seat and token"))
        elif not isinstance(value, Scalar):
            reading.refuse(value, "NOT-A-TEXT", _("after `{key}:` one word is expected").format(key=key))
        else:
            words[key] = (value.text.strip(), value)
    if "campaign" in words and fold(words["campaign"][0]) != fold(campaign):
        reading.refuse(words["campaign"][1], "OTHER-CAMPAIGN", _("this file is for the campaign {found}; this one is {campaign}").format(found=repr(words["campaign"][0][:40]), campaign=campaign))
        return "other-campaign"
    if "seat" in words:
        found = seats.find(words["seat"][0])
        if found is None:
            reading.refuse(words["seat"][1], "UNKNOWN-SEAT", _("no seat is called {found}").format(found=repr(words["seat"][0][:40])),
                           allowed=", ".join(seats.names), suggestion=seats.nearest(words["seat"][0]))
            return "unknown-seat"
        if found != seat:
            reading.refuse(words["seat"][1], "OTHER-SEAT", _("this file is for {found}, not for {seat}").format(found=seats[found], seat=seats[seat]))
            return "other-seat"
    if "turn" in words:
        text, value = words["turn"]
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
        if number is None:
            reading.refuse(value, "NOT-A-NUMBER", _("{found} is no turn number").format(found=repr(text[:40])), allowed=str(turn))
        elif number != turn:
            reading.refuse(value, "PAST-TURN" if number < turn else "FUTURE-TURN",
                           _("this file is for turn {number}; orders are taken for turn {turn}").format(number=number, turn=turn))
            return "past-turn" if number < turn else "future-turn"
    return "refused" if reading.refused and len(words) < 4 or any(p.code == "NOT-A-NUMBER" for p in reading.problems) else ""


def _salt(value: Value | None, salted: bool, problems: list[Problem]) -> str:
    """The words under `salt`, spaces made single; they never keep the orders from counting."""
    if value is None or isinstance(value, Scalar) and is_empty(value):
        return ""
    if isinstance(value, Broken):
        problems.append(value.problem)
        return ""
    spot = value.spot
    salt = " ".join(value.text.split()) if isinstance(value, Scalar) else ""
    message = ""
    if not isinstance(value, Scalar):
        message = _("after `salt:` some words are expected; without them this file has no salt")
    elif len(salt) > MOST_SALT:
        message = _("this salt has more than {most} characters: the rest of it does not count").format(most=MOST_SALT)
    elif not salted:
        message = _("the dice of this campaign take no salt: it has no effect")
    if message:
        problems.append(Problem(DOUBTFUL, "SALT", message, ["salt"], line=spot.line, column=spot.column, length=spot.length))
    return salt[:MOST_SALT] if salted else ""


def _letters(value: Value | None, seats: Names, problems: list[Problem], loaded: Loaded) -> list[Letter]:
    """The letters under `messages`; a broken one does not take the others with it."""
    if value is None or isinstance(value, Scalar) and is_empty(value):
        return []
    reading = Reading()
    read = letters_kind(seats).read(value, reading)
    for problem in reading.problems:
        problem.order = ["messages"]
    problems += reading.problems
    lines = loaded.text.split("\n")
    for item in value.items if isinstance(value, Items) else [value]:
        text = item.get("text") if isinstance(item, Mapping) else None
        if isinstance(text, Scalar) and not text.quoted and text.spot.line and "\n" not in text.text:
            rest = lines[text.spot.line - 1][text.spot.column - 1 + text.spot.length:]
            if rest.lstrip().startswith("#") and rest[:1] == " ":
                problems.append(Problem(DOUBTFUL, "CUT-OFF", _("what follows the # is a note to yourself and was not sent: {rest}").format(rest=repr(rest.strip()[:40])),
                                        ["messages"], line=text.spot.line, column=text.spot.column + text.spot.length + 1,
                                        suggestion=_("put a text with a # in it between quotation marks")))
    return [] if read is FAILED else [Letter(letter["to"], letter["text"]) for letter in read if letter["text"].strip()]


def _hinted(problems: list[Problem], loaded: Loaded) -> list[Problem]:
    """The problems in the order of the file, each with the advice that fits its line if it has none yet."""
    for problem in problems:
        if not problem.suggestion and problem.kind == REFUSED and problem.line in loaded.hints:
            problem.suggestion = loaded.hints[problem.line]
    problems = sorted(problems, key=lambda problem: (problem.line, problem.column))
    if len(problems) > MOST_PROBLEMS:
        last = problems[MOST_PROBLEMS - 1]
        more = Problem(REFUSED, "MORE", _("{count} more problems follow; mend these first").format(count=len(problems) - MOST_PROBLEMS), line=last.line, column=last.column)
        problems = [*problems[:MOST_PROBLEMS], more]
    return problems
