"""Declare orders once: how they are read, checked, described, and what may stand in them."""

from collections.abc import Callable, Collection, Mapping as Dict
from dataclasses import dataclass, field
from typing import Any

from .names import Names, fold, nearest_word
from .values import Broken, Items, Mapping, Path, Scalar, Spot, Value, is_empty, spot_of, typed
from .words import _

REFUSED = "refused"
DOUBTFUL = "doubtful"

MOST_ITEMS = 50
"""Items of a list, or keys of a mapping, that declares no limit of its own: more than anybody means, few enough to be read and told."""
FAILED: Any = object()
"""What a reader returns for a value that it has refused."""


@dataclass
class Problem:
    """One thing wrong with an order file, in words that a player understands.

    kind is REFUSED (does not count) or DOUBTFUL (kept, with a warning). `order` is the path of the order it belongs
    to, such as ("march",) or ("give", 1); () means the whole file. `message` stands alone; `found` is what was typed.
    """

    kind: str
    code: str
    message: str
    order: list[str | int] = field(default_factory=list)
    found: str = ""
    allowed: str = ""
    rule: str = ""
    suggestion: str = ""
    line: int = 0
    column: int = 0
    length: int = 1


class Reading:
    """One reading of one file's orders: collects the problems and knows which order it is in."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.order: Path = ()

    def refuse(self, at: Value | Spot, code: str, message: str, *, allowed: str = "", rule: str = "",
               suggestion: str = "", found: str | None = None) -> Any:
        """Note a refused value and return FAILED, so that a reader can say `return reading.refuse(...)`."""
        self._note(REFUSED, at, code, message, allowed, rule, suggestion, found)
        return FAILED

    def doubt(self, at: Value | Spot, code: str, message: str, *, allowed: str = "", rule: str = "",
              suggestion: str = "", found: str | None = None) -> None:
        """Note something that looks impossible but is kept."""
        self._note(DOUBTFUL, at, code, message, allowed, rule, suggestion, found)

    def _note(self, kind, at, code, message, allowed, rule, suggestion, found):
        spot = at if isinstance(at, Spot) else at.spot
        if found is None:
            found = "" if isinstance(at, Spot) else typed(at)
        self.problems.append(Problem(kind, code, message, list(self.order), found, allowed, rule, suggestion or "",
                                     spot.line, spot.column, spot.length))

    def hand_on(self, broken: Broken) -> Any:
        """Note the problem of a value that could not be loaded, once, under the present order; return FAILED."""
        if broken.problem not in self.problems:
            broken.problem.order = list(self.order)
            self.problems.append(broken.problem)
        return FAILED

    @property
    def refused(self) -> int:
        """How many values have been refused so far."""
        return sum(problem.kind == REFUSED for problem in self.problems)


class Kind:
    """What may stand somewhere. A subclass says how it is taken, its JSON Schema, and what is allowed, in words."""

    def read(self, value: Value, reading: Reading) -> Any:
        """The value as plain data with ids for names; FAILED, with the problems noted in `reading`, if it is refused."""
        if isinstance(value, Broken):
            return reading.hand_on(value)
        return self.take(value, reading)

    def take(self, value: Value, reading: Reading) -> Any:
        """As `read`, for a value that is not broken: what a subclass provides."""
        raise NotImplementedError(type(self).__name__)

    def schema(self) -> dict[str, Any]:
        """JSON Schema (draft-07) of what may be typed."""
        raise NotImplementedError(type(self).__name__)

    def allowed(self) -> str:
        """What may stand here, in a few words."""
        raise NotImplementedError(type(self).__name__)


def _scalar(value: Value, reading: Reading, kind: Kind, code: str) -> str:
    if isinstance(value, Scalar) and not (is_empty(value)):
        return value.text.strip()
    what = _("nothing stands here") if isinstance(value, Scalar) else (
        _("a list stands here") if isinstance(value, Items) else _("a mapping (key: value) stands here"))
    return reading.refuse(value, code, what, allowed=kind.allowed())


_DIGITS = frozenset("0123456789")


@dataclass
class Whole(Kind):
    """A whole number from `least` to `most` (None: no upper limit)."""

    least: int = 0
    most: int | None = None
    too_many: str = "TOO-MANY"
    rule: str = ""

    def take(self, value: Value, reading: Reading) -> Any:
        text = _scalar(value, reading, self, "NOT-A-NUMBER")
        if text is FAILED:
            return FAILED
        if not text or len(text) > 9 or not set(text) <= _DIGITS or (len(text) > 1 and text[0] == "0"):
            return reading.refuse(value, "NOT-A-NUMBER", _("{found} is not a whole number").format(found=repr(typed(value))),
                                  allowed=self.allowed(), rule=self.rule)
        number = int(text)
        if number < self.least:
            return reading.refuse(value, "NOT-A-NUMBER", _("{number} is too small").format(number=number),
                                  allowed=self.allowed(), rule=self.rule)
        if self.most is not None and number > self.most:
            return reading.refuse(value, self.too_many, _("{number} is too many").format(number=number),
                                  allowed=self.allowed(), rule=self.rule)
        return number

    def schema(self) -> dict[str, Any]:
        limits = {"type": "integer", "minimum": self.least}
        return limits if self.most is None else {**limits, "maximum": self.most}

    def allowed(self) -> str:
        if self.most is None:
            return _("a whole number, {least} or more").format(least=self.least)
        if self.most <= self.least:
            return _("only {most}").format(most=self.most)
        return _("a whole number from {least} to {most}").format(least=self.least, most=self.most)


@dataclass
class YesNo(Kind):
    """`true` or `false` (`yes`, `no`, `on`, `off` are understood too)."""

    rule: str = ""

    def take(self, value: Value, reading: Reading) -> Any:
        text = _scalar(value, reading, self, "NOT-A-CHOICE")
        if text is FAILED:
            return FAILED
        word = text.casefold()
        if word in ("true", "yes", "on"):
            return True
        if word in ("false", "no", "off"):
            return False
        return reading.refuse(value, "NOT-A-CHOICE", _("{found} is neither true nor false").format(found=repr(typed(value))),
                              allowed=self.allowed(), rule=self.rule)

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}

    def allowed(self) -> str:
        return _("true or false")


@dataclass
class Choice(Kind):
    """One of a few words. `words`: word -> what it means (may be empty)."""

    words: Dict[str, str]
    rule: str = ""
    code: str = "NOT-A-CHOICE"

    def take(self, value: Value, reading: Reading) -> Any:
        text = _scalar(value, reading, self, self.code)
        if text is FAILED:
            return FAILED
        for word in self.words:
            if fold(word) == fold(text):
                return word
        return reading.refuse(value, self.code, _("{found} is not one of the choices").format(found=repr(typed(value))),
                              allowed=self.allowed(), rule=self.rule, suggestion=nearest_word(text, self.words))

    def schema(self) -> dict[str, Any]:
        return {"enum": list(self.words)}

    def allowed(self) -> str:
        return ", ".join(self.words)


@dataclass
class Name(Kind):
    """One of the things that have names: a place, a house, a card.

    names:   all that the seat knows of; a text that names none of them is refused with `unknown`
    among:   the ids allowed here (None: all); another one is refused with `code_of(id)`, which gives (code, why)
    what:    "a castle of yours": what the message says is allowed
    nothing: what is said of an unknown name, with {found}
    """

    names: Names
    what: str
    unknown: str
    among: Collection[str] | None = None
    code_of: Callable[[str], tuple[str, str]] | None = None
    rule: str = ""
    nothing: str = ""

    def take(self, value: Value, reading: Reading) -> Any:
        text = _scalar(value, reading, self, self.unknown)
        if text is FAILED:
            return FAILED
        id_ = self.names.find(text)
        if id_ is None:
            return reading.refuse(value, self.unknown, (self.nothing or _("nothing is called {found} here")).format(found=repr(typed(value))),
                                  allowed=self.allowed(), rule=self.rule,
                                  suggestion=self.names.nearest(text, self.among) or self.names.nearest(text))
        if self.among is not None and id_ not in self.among:
            code, why = self.code_of(id_) if self.code_of else (self.unknown, _("{name} may not stand here").format(name=self.names[id_]))
            return reading.refuse(value, code, why, allowed=self.allowed(), rule=self.rule)
        return id_

    def schema(self) -> dict[str, Any]:
        ids = [id_ for id_ in self.names if self.among is None or id_ in self.among]
        # what a person may type: the id or the name; other spellings that the reader takes are not offered
        return {"enum": list(dict.fromkeys([*(self.names[id_] for id_ in ids), *ids]))}

    def allowed(self) -> str:
        if self.among is not None and 0 < len(self.among) <= 12:
            return f"{self.what}: " + ", ".join(self.names[id_] for id_ in self.names if id_ in self.among)
        return self.what


@dataclass
class Sentence(Kind):
    """Any text of at most `most` characters."""

    most: int = 4000

    def take(self, value: Value, reading: Reading) -> Any:
        if isinstance(value, Scalar) and len(value.text) > self.most:
            return reading.refuse(value, "TOO-LONG", _("this text has {count} characters").format(count=len(value.text)), allowed=self.allowed())
        if isinstance(value, Scalar):
            return value.text
        return _scalar(value, reading, self, "NOT-A-TEXT")

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "maxLength": self.most}

    def allowed(self) -> str:
        return _("a text of at most {most} characters").format(most=self.most)


@dataclass
class ListOf(Kind):
    """A list; a single item may be written without brackets.

    unique: the same item twice is refused with DUPLICATE
    each:   every item is an order of its own: a refused one does not take the others with it
    empty:  False: an empty list is refused with EMPTY
    """

    item: Kind
    unique: bool = False
    most: int | None = None
    each: bool = False
    empty: bool = True
    rule: str = ""
    too_many: str = "TOO-MANY"

    def take(self, value: Value, reading: Reading) -> Any:
        single = not isinstance(value, Items)
        if isinstance(value, Scalar) and is_empty(value):
            return reading.refuse(value, "NOT-A-LIST", _("nothing stands here"), allowed=_("a list; [] is the empty one"), rule=self.rule)
        values = [value] if single else value.items
        if len(values) > MOST_ITEMS and self.most is None:
            return reading.refuse(value, self.too_many, _("this list has {count} items").format(count=len(values)),
                                  allowed=_("a list of at most {most} items").format(most=MOST_ITEMS), rule=self.rule)
        if not values and not self.empty:
            return reading.refuse(value, "EMPTY", _("this list is empty"), allowed=self.allowed(), rule=self.rule)
        results, failed = [], False
        outer = reading.order
        for place, item in enumerate(values):
            if self.each:
                reading.order = (*outer, place)
            result = self.item.read(item, reading)
            if result is not FAILED and self.unique and result in [r for r in results if r is not FAILED]:
                result = reading.refuse(item, "DUPLICATE", _("{found} stands here twice").format(found=repr(typed(item))), allowed=self.allowed(), rule=self.rule)
            failed = failed or result is FAILED
            results.append(result)
        reading.order = outer
        if self.most is not None and len(values) > self.most:
            return reading.refuse(value, self.too_many, _("this list has {count} items").format(count=len(values)), allowed=self.allowed(), rule=self.rule)
        if self.each:
            return [result for result in results if result is not FAILED]
        return FAILED if failed else results

    def schema(self) -> dict[str, Any]:
        item = self.item.schema()
        many = {"type": "array", "items": item}
        if self.most is not None:
            many["maxItems"] = self.most
        if not self.empty:
            many["minItems"] = 1
        return {"anyOf": [item, many]}

    def allowed(self) -> str:
        limit = "" if self.most is None else _(" (at most {most})").format(most=self.most)
        return _("a list of: {item}{limit}").format(item=self.item.allowed(), limit=limit)


def _no_mapping(value: Value) -> str:
    if isinstance(value, Scalar) and is_empty(value):
        return _("nothing stands after this key; {{}} says that nothing is wanted").format()
    return _("{found} is no mapping").format(found=repr(typed(value)))


@dataclass
class MapOf(Kind):
    """A mapping whose keys are names or words of one kind: `{bill: 5, levy-archer: 3}`. The order of writing is kept."""

    key: Kind
    value: Kind
    rule: str = ""

    def take(self, value: Value, reading: Reading) -> Any:
        if not isinstance(value, Mapping):
            return reading.refuse(value, "NOT-A-MAPPING", _no_mapping(value), allowed=self.allowed(), rule=self.rule)
        if len(value.entries) > MOST_ITEMS:
            return reading.refuse(value, "TOO-MANY", _("this mapping has {count} keys").format(count=len(value.entries)), allowed=self.allowed(), rule=self.rule)
        result: dict[str, Any] = {}
        failed = False
        for key, item in value.entries:
            id_ = self.key.read(key, reading)
            inner = self.value.read(item, reading)
            if id_ is FAILED or inner is FAILED:
                failed = True
            elif str(id_) in result:
                failed = True
                reading.refuse(key, "DUPLICATE", _("{found} stands here twice").format(found=repr(typed(key))), allowed=self.allowed(), rule=self.rule)
            else:
                result[str(id_)] = inner
        return FAILED if failed else result

    def schema(self) -> dict[str, Any]:
        return {"type": "object", "propertyNames": _as_text(self.key.schema()), "additionalProperties": self.value.schema()}

    def allowed(self) -> str:
        return _("pairs of {key}: {value}").format(key=self.key.allowed(), value=self.value.allowed())


def _as_text(schema: dict[str, Any]) -> dict[str, Any]:
    """A key is always text in JSON: a schema of whole numbers becomes one of digits."""
    return {"pattern": "^[0-9]+$"} if schema.get("type") == "integer" else schema


@dataclass
class Field:
    """One key of a mapping.

    help:    one sentence for the template, the rulebook and the JSON Schema
    default: what happens when nothing is written, in words
    example: plain data that shows how it is written (in a comment of the template)
    fill:    plain data that the template fills in, ready to be sent; None: nothing
    closed:  (code, why) if the key is known but cannot be used now: it is refused with that
    """

    kind: Kind
    help: str = ""
    rule: str = ""
    default: str = ""
    example: Any = None
    fill: Any = None
    closed: tuple[str, str] | None = None


@dataclass
class Fields(Kind):
    """A mapping with known keys.

    each:     every key is an order of its own: a refused one does not take the others with it
    required: keys that must be there
    """

    what: str
    fields: Dict[str, Field]
    each: bool = False
    required: tuple[str, ...] = ()
    rule: str = ""

    def take(self, value: Value, reading: Reading) -> Any:
        if not isinstance(value, Mapping):
            return reading.refuse(value, "NOT-A-MAPPING", _no_mapping(value), allowed=self.allowed(), rule=self.rule)
        if len(value.entries) > MOST_ITEMS:
            return reading.refuse(value, "TOO-MANY", _("this mapping has {count} keys").format(count=len(value.entries)), allowed=self.allowed(), rule=self.rule)
        result: dict[str, Any] = {}
        failed = False
        outer = reading.order
        by_fold = {fold(key): key for key in self.fields}
        for key, item in value.entries:
            name = by_fold.get(fold(key.text))
            if self.each:
                reading.order = (*outer, name or key.text)
            declared = self.fields.get(name) if name else None
            if isinstance(item, Broken):
                read = reading.hand_on(item)
            elif declared is None:
                read = reading.refuse(key, "UNKNOWN-KEY", _("{what} has no key {found}").format(what=self.what, found=repr(typed(key))),
                                      allowed=self.allowed(), rule=self.rule, suggestion=nearest_word(key.text, self._open()))
            elif declared.closed:
                code, why = declared.closed
                read = reading.refuse(key, code, why, allowed=self.allowed(), rule=declared.rule)
            elif name in result:
                read = reading.refuse(key, "DUPLICATE", _("{found} stands here twice").format(found=repr(typed(key))), rule=declared.rule)
            else:
                read = declared.kind.read(item, reading)
            if read is FAILED:
                failed = True
            else:
                result[name] = read
        reading.order = outer
        for name in self.required:
            if name not in result and not any(fold(key.text) == fold(name) for key, _item in value.entries):
                reading.refuse(value, "MISSING", _("{what} needs {key}").format(what=self.what, key=repr(name)), allowed=self.allowed(), rule=self.rule)
                failed = True
        return FAILED if failed and not self.each else result

    def schema(self) -> dict[str, Any]:
        properties = {}
        for key, declared in self.fields.items():
            if not declared.closed:
                about = " ".join(part for part in (declared.help, declared.default and _("Default: {default}.").format(default=declared.default)) if part)
                properties[key] = {**declared.kind.schema(), **({"description": about} if about else {})}
        schema = {"type": "object", "properties": properties, "additionalProperties": False}
        return {**schema, "required": list(self.required)} if self.required else schema

    def allowed(self) -> str:
        return _("{what}, with the keys {keys}").format(what=self.what, keys=", ".join(self._open()))

    def _open(self) -> list[str]:
        return [key for key, declared in self.fields.items() if not declared.closed]


@dataclass
class Either(Kind):
    """One kind for a word, another for a list, another for a mapping: what stands there decides. None: not allowed."""

    what: str
    word: Kind | None = None
    items: Kind | None = None
    mapping: Kind | None = None
    code: str = "NOT-A-CHOICE"
    rule: str = ""

    def take(self, value: Value, reading: Reading) -> Any:
        kind = self.word if isinstance(value, Scalar) else self.items if isinstance(value, Items) else self.mapping
        if kind is None:
            return reading.refuse(value, self.code, _("{found} may not stand here").format(found=repr(typed(value))), allowed=self.allowed(), rule=self.rule)
        return kind.read(value, reading)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [kind.schema() for kind in (self.word, self.items, self.mapping) if kind is not None]}

    def allowed(self) -> str:
        return self.what


class Remarks:
    """What a game's own check has to say about orders that were read well: remarks by path, such as ("march", "to", 0).

    The order that a remark belongs to is its first step, or the first two where `each` of the model says so.
    """

    def __init__(self, model: Fields, value: Value | None, reading: Reading, places: Dict[Path, Path]) -> None:
        self._model, self._value, self._reading, self._places = model, value, reading, places

    def refuse(self, path: Path, code: str, message: str, *, allowed: str = "", rule: str = "", suggestion: str = "") -> None:
        """This order cannot count."""
        self._note(self._reading.refuse, path, code, message, allowed, rule, suggestion)

    def doubt(self, path: Path, code: str, message: str, *, allowed: str = "", rule: str = "", suggestion: str = "") -> None:
        """This order looks impossible; it is kept."""
        self._note(self._reading.doubt, path, code, message, allowed, rule, suggestion)

    def _note(self, note, path, code, message, allowed, rule, suggestion):
        order = order_of(self._model, path)
        typed_order = self._places.get(order, order)
        typed_path = (*typed_order, *path[len(order):])
        self._reading.order = typed_order
        note(spot_of(self._value, typed_path), code, message, allowed=allowed, rule=rule, suggestion=suggestion)
        self._reading.order = ()


def order_of(model: Fields, path: Path) -> Path:
    """The path of the order that a path lies in: one step, or two where every item or key is an order of its own."""
    declared = model.fields.get(path[0]) if path else None
    if declared is not None and len(path) > 1 and getattr(declared.kind, "each", False):
        return tuple(path[:2])
    return tuple(path[:1])


@dataclass
class Read:
    """The orders of one file, as understood.

    orders:   order key -> plain data, refused orders left out
    problems: everything that is wrong, in the order of the file
    places:   for orders that are items of a list: (key, place in `orders`) -> (key, place in the file)
    """

    orders: dict[str, Any]
    problems: list[Problem]


def read_orders(model: Fields, value: Value | None, check: Callable[[dict[str, Any], Remarks], None], partial: bool = True) -> Read:
    """Read what stands under `orders:`.

    check:   the game's own look at orders that could be read, against the seat's view
    partial: False: one refused order refuses all of them
    """
    reading = Reading()
    orders: dict[str, Any] = {}
    if value is not None and not is_empty(value):
        read = model.read(value, reading)
        orders = {} if read is FAILED else read
    places = _places(model, orders, value, reading)
    before = len(reading.problems)
    check(orders, Remarks(model, value, reading, places))
    back = {typed_path: path for path, typed_path in places.items()}
    gone = {back.get(tuple(p.order), tuple(p.order)) for p in reading.problems[before:] if p.kind == REFUSED}
    orders = _without(orders, gone)
    if not partial and any(problem.kind == REFUSED for problem in reading.problems):
        orders = {}
    reading.problems.sort(key=lambda problem: (problem.line, problem.column))
    return Read(orders, reading.problems)


def _places(model: Fields, orders: dict[str, Any], value: Value | None, reading: Reading) -> dict[Path, Path]:
    """Where refused items left gaps in a list: (key, place now) -> (key, place as typed)."""
    places: dict[Path, Path] = {}
    for key, result in orders.items():
        if isinstance(result, list) and getattr(model.fields[key].kind, "each", False):
            bad = {p.order[1] for p in reading.problems if p.kind == REFUSED and len(p.order) == 2 and p.order[0] == key}
            good = [place for place in range(len(result) + len(bad)) if place not in bad]
            places |= {(key, now): (key, then) for now, then in enumerate(good)}
    return places


def _without(orders: dict[str, Any], gone: Collection[Path]) -> dict[str, Any]:
    """The orders without those at the given paths."""
    kept: dict[str, Any] = {}
    for key, result in orders.items():
        if (key,) in gone:
            continue
        if isinstance(result, list):
            result = [item for place, item in enumerate(result) if (key, place) not in gone]
        elif isinstance(result, dict):
            result = {name: item for name, item in result.items() if (key, name) not in gone}
        kept[key] = result
    return kept
