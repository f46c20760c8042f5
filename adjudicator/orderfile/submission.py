"""One order file, read: whose it is, what it orders, what is wrong with it."""

import re
from collections.abc import Mapping as Turns
from dataclasses import dataclass, field
from typing import Any

from ..core.names import Names, fold, nearest_word
from ..core.orders import DOUBTFUL, FAILED, REFUSED, Choice, Fields, Field, Kind, ListOf, Name, Problem, Reading, Sentence, YesNo, read_orders
from ..core.values import Broken, Items, Mapping, Scalar, Spot, Value, is_empty
from ..core.words import _
from .loader import Loaded, load

KEYS = ("campaign", "turn", "seat", "token", "salt", "orders", "messages", "final", "absent", "request")
MOST_LETTERS = 20
MOST_PROBLEMS = 60
"""Problems that are told one by one."""
MOST_SALT = 200
MOST_ABSENT = 99
"""Turns that a player can be absent for with one file."""
WITHDRAW = "withdraw"
"""What stands under `orders` to take back what was sent before."""
REQUESTS = ("report",)


@dataclass
class Envelope:
    """What a file says about itself, as typed; None where it says nothing that can be read."""

    campaign: str | None = None
    turn: int | None = None
    seat: str | None = None
    token: str | None = None
    do: str | None = None
    request: str | None = None


@dataclass
class Letter:
    """to: seats, "all" or "gm". anonymous: those that it is written to, the game master excepted, are not told by whom."""

    to: list[str]
    text: str
    anonymous: bool = False


@dataclass
class Submission:
    """An order file as understood.

    state: "taken" (all of it), "partly" (some orders refused), "refused" (nothing of it can count), "unreadable" (no YAML), "no-orders"
           (no order file at all), "withdrawn" (what was sent before is taken back), "noted" (no orders, but something else was asked for),
           "other-campaign", "past-turn", "future-turn", "unknown-seat", "other-seat"
    final:   False: more is to come; the orders count at the deadline
    absent:  the last turn in which the steward stands in for the player; 0: the player is back; None: nothing is said
    request: what is asked for, of REQUESTS
    """

    state: str
    envelope: Envelope
    orders: dict[str, Any] = field(default_factory=dict)
    letters: list[Letter] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    text: str = ""
    salt: str = ""
    final: bool = True
    absent: int | None = None
    request: list[str] = field(default_factory=list)

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
    return Envelope(word("campaign"), int(turn) if turn and turn.isascii() and turn.isdigit() and len(turn) < 10 else None, word("seat"), word("token"), word("do"), word("request"))


def letters_kind(seats: Names, anonymous: str = "no") -> Kind:
    """What may stand under `messages`. anonymous: as the campaign has it: "no", "allowed" or "always"."""
    named = Names({**seats.names, "all": "all", "gm": "gm"})
    return ListOf(Fields(_("a letter"), {
        "to": Field(ListOf(Name(named, _("a seat, all, or gm"), "UNKNOWN-SEAT"), empty=False)),
        "text": Field(Sentence()),
        **({"anonymous": Field(YesNo())} if anonymous != "no" else {}),
    }, required=("to", "text")), each=True, most=MOST_LETTERS)


def read_submission(data: bytes | Loaded, model: Fields, check, *, campaign: str, turn: int, seat: str, seats: Names,
                    partial: bool = True, salted: bool = False, press: str = "report", anonymous: str = "no",
                    turns: Turns[int, str] | None = None) -> Submission:
    """Read an order file for one seat.

    model, check: the seat's order model, and the game's own check `(orders, remarks)`, both made from the seat's view
    campaign, turn, seat: what the file must say; the token is the caller's to compare
    partial: whether the rest of a file counts when one order of it is refused
    salted:  whether the file's `salt` is mixed into the dice
    press, anonymous: whether letters are carried ("off": only to the game master), and whether they may be, or always are, unsigned
    turns:   the coming turn and those after it, as the reports call them; without them (at a player's home) any name of a turn is taken
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
    letters = _letters(values.get("messages"), seats, problems, loaded, press, anonymous)
    salt = _salt(values.get("salt"), salted, problems)
    final, absent, request = _wishes(values, turn, turns, problems)
    orders_value = values.get("orders")
    if isinstance(orders_value, Scalar) and fold(orders_value.text) == WITHDRAW:
        if letters:
            problems.append(Problem(REFUSED, "WITHDRAWN", _("a file that withdraws orders carries no letters: they were not sent"), ["messages"],
                                    line=values["messages"].spot.line, column=values["messages"].spot.column, suggestion=_("send them in a file of their own, with your orders")))
        return Submission("withdrawn", envelope, problems=_hinted(problems, loaded), text=loaded.text, absent=absent, request=request)
    if not letters and (absent is not None or request) and (orders_value is None or isinstance(orders_value, Scalar) and is_empty(orders_value)):
        return Submission("noted", envelope, problems=_hinted(problems, loaded), text=loaded.text, absent=absent, request=request)
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
                      salt if state != "refused" else "", final, absent, request)


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
        elif isinstance(value, Broken) and name not in ("orders", "salt", "final", "absent", "request"):
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


def _wishes(values: dict[str, Value], turn: int, turns: Turns[int, str] | None, problems: list[Problem]) -> tuple[bool, int | None, list[str]]:
    """What stands under `final`, `absent` and `request`; a mistake there keeps no order from counting."""
    reading = Reading()
    reading.order = ("final",)
    final = YesNo().read(values["final"], reading) if _stands(values, "final") else True
    reading.order = ("absent",)
    absent = _absent(values["absent"], turn, turns, reading) if _stands(values, "absent") else None
    reading.order = ("request",)
    request = ListOf(Choice({each: "" for each in REQUESTS}), unique=True).read(values["request"], reading) if _stands(values, "request") else []
    problems += reading.problems
    return final is not False, None if absent is FAILED else absent, [] if request is FAILED else request


def _stands(values: dict[str, Value], key: str) -> bool:
    return key in values and not (isinstance(values[key], Scalar) and is_empty(values[key]))


def turn_called(words: str, turns: Turns[int, str]) -> int | None:
    """The turn that has this number, or all these words in its name, in any order; of several, such as those of a year, the last. None if there is none."""
    if words.isascii() and words.isdigit() and len(words) < 10 and int(words) in turns:
        return int(words)
    wanted = _words(words)
    return max((turn for turn, name in turns.items() if wanted and wanted <= _words(name)), default=None)


def _words(text: str) -> set[str]:
    return {fold(word) for word in re.split(r"[^\w]+", text) if word}


def _absent(value: Value, turn: int, turns: Turns[int, str] | None, reading: Reading) -> Any:
    """`2` (turns), `until 1461-spring`, or `no`: the last turn in which the steward stands in; 0 for none."""
    if isinstance(value, Broken):
        return reading.hand_on(value)
    names = list((turns or {}).values())[1:4]
    allowed = _("a number of turns, such as 2; until and a turn ({names}); or no: I am back").format(names=", ".join(names) or turn + 2)
    text = " ".join(value.text.split()) if isinstance(value, Scalar) else ""
    word = text.casefold()
    last = max(turns) if turns else turn + MOST_ABSENT
    if word in ("no", "false", "off", "0"):
        return 0
    if word.isascii() and word.isdigit() and len(word) <= 2:
        return min(turn + int(word) - 1, last)
    until, _space, name = text.partition(" ")
    if until.casefold() in ("until", "till", "to") and name:
        found = turn_called(name, turns) if turns else turn
        if found is not None:
            return found
        return reading.refuse(value, "UNKNOWN-TURN", _("no turn that is still to come is called {name}").format(name=repr(name[:40])), allowed=allowed)
    return reading.refuse(value, "NOT-A-NUMBER", _("{found} does not say how long").format(found=repr(text[:40])) if text else _("it does not say how long"), allowed=allowed)


def _letters(value: Value | None, seats: Names, problems: list[Problem], loaded: Loaded, press: str, anonymous: str) -> list[Letter]:
    """The letters under `messages`; a broken one does not take the others with it."""
    if value is None or isinstance(value, Scalar) and is_empty(value):
        return []
    reading = Reading()
    read = letters_kind(seats, anonymous).read(value, reading)
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
    if read is FAILED:
        return []
    letters = [Letter(letter["to"], letter["text"], anonymous == "always" or letter.get("anonymous", False)) for letter in read if letter["text"].strip()]
    carried = [letter for letter in letters if press != "off" or letter.to == ["gm"]]
    if len(carried) < len(letters):
        problems.append(Problem(REFUSED, "NO-PRESS", _("this campaign carries no letters between players: {count} were not sent").format(count=len(letters) - len(carried)), ["messages"],
                                line=value.spot.line, column=value.spot.column, allowed=_("letters to gm")))
    return carried


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
