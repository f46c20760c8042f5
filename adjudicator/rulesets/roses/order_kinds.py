"""The kinds of values that the orders of chapter 5 are made of: places, houses, troop types, march entries, plans."""

from collections.abc import Callable, Collection
from typing import Any

from ...core.names import Names, fold
from ...core.orders import FAILED, Choice, Field, Fields, Kind, ListOf, Name, Reading, Whole, YesNo
from ...core.values import Mapping, Scalar, Value, is_empty, typed
from ...core.words import _
from .tables import TABLES

MEETINGS = {"attack": "", "attack-if-stronger": "", "halt": ""}
WHEN = {"clear": "", "occupied": ""}
RETINUE = [id_ for id_, troop in TABLES.troops.items() if troop.class_ == "retinue"]
SUPPORTERS = [id_ for id_, troop in TABLES.troops.items() if troop.class_ == "supporters"]
MERCENARIES = [id_ for id_, troop in TABLES.troops.items() if troop.class_ == "mercenaries"]

_PLACES_AND_HOLD = Names({**TABLES.place_names.names, "hold": "hold"}, {point.id: point.aliases for point in TABLES.map.points})
_CLASSES_AND_TYPES = Names({**{class_: class_ for class_ in TABLES.troop_table.classes}, **TABLES.troop_names.names},
                           {troop.id: [troop.code, *troop.aliases] for troop in TABLES.troops.values()})
_BID_KEYS = Names({**{id_: id_ for id_ in MERCENARIES}, "any": "any"},
                  {id_: [TABLES.troops[id_].code, *TABLES.troops[id_].aliases] for id_ in MERCENARIES})


def place(rule: str = "") -> Name:
    """Any point of the map."""
    return Name(TABLES.place_names, _("a place on the map"), "UNKNOWN-PLACE", rule=rule, nothing=_("no place on the map is called {found}"))


def castle(what: str, among: Collection[str] | None = None, code_of: Callable[[str], tuple[str, str]] | None = None, rule: str = "") -> Name:
    """A castle; with `among`, one of those, and `code_of` says why another one is refused."""
    def refusal(id_: str) -> tuple[str, str]:
        if TABLES.points[id_].castle == "none":
            return "UNKNOWN-PLACE", _("there is no castle at {place}").format(place=TABLES.place_names[id_])
        return code_of(id_) if code_of else ("UNKNOWN-PLACE", _("{place} may not stand here").format(place=TABLES.place_names[id_]))
    return Name(TABLES.place_names, what, "UNKNOWN-PLACE", among=TABLES.castles if among is None else among, code_of=refusal, rule=rule,
                nothing=_("no place on the map is called {found}"))


def house(rule: str = "") -> Name:
    """Any of the eight houses."""
    return Name(TABLES.house_names, _("a house"), "UNKNOWN-HOUSE", rule=rule, nothing=_("no house is called {found}"))


def troop(among: Collection[str] | None, what: str, rule: str = "") -> Name:
    """A troop type by id, code or plural; with `among`, one of those."""
    return Name(TABLES.troop_names, what, "UNKNOWN-TYPE", among=among, rule=rule, nothing=_("no troop type is called {found}"),
                code_of=lambda id_: ("WRONG-CLASS", _("{type} cannot be raised here").format(type=id_)))


def bid_key(rule: str) -> Name:
    """A mercenary type, or `any`."""
    return Name(_BID_KEYS, _("a mercenary type, or any"), "UNKNOWN-TYPE", rule=rule)


def burgundians(rule: str) -> Name:
    """E3: the one lot of its auction."""
    return Name(Names({"burgundians": "burgundians"}), _("burgundians"), "UNKNOWN-TYPE", rule=rule)


def class_or_type(rule: str) -> Name:
    """A class of troops, or a type."""
    return Name(_CLASSES_AND_TYPES, _("a class of troops or a type"), "UNKNOWN-TYPE", rule=rule)


class Entry(Kind):
    """5.3: one entry of a march's preference list. Read as {"place": id}, {"path": [ids]}, {"toward": id}, {"hunt": house},
    {"join": house} or {"hold": True}, each with "when" if it is written."""

    _ways = ("place", "path", "toward", "hunt", "join", "hold")

    def __init__(self) -> None:
        self._word = Name(_PLACES_AND_HOLD, _("a place on the map, or hold"), "UNKNOWN-PLACE", rule="5.3",
                          nothing=_("no place on the map is called {found}"))
        self._mapping = Fields(_("an entry of `to`"), {
            "place": Field(place("5.3")), "path": Field(ListOf(place("5.3"), empty=False)), "toward": Field(place("5.3")),
            "hunt": Field(house("5.3")), "join": Field(house("5.3")), "hold": Field(YesNo(rule="5.3")), "when": Field(Choice(WHEN, rule="5.3")),
        }, rule="5.3")

    def take(self, value: Value, reading: Reading) -> Any:
        if isinstance(value, Scalar):
            id_ = self._word.read(value, reading)
            return FAILED if id_ is FAILED else {"hold": True} if id_ == "hold" else {"place": id_}
        if not isinstance(value, Mapping):
            return reading.refuse(value, "NOT-A-CHOICE", _("a list cannot stand inside this list"), allowed=self.allowed(), rule="5.3")
        entry = self._mapping.read(value, reading)
        if entry is FAILED:
            return FAILED
        named = [way for way in self._ways if entry.get(way)]
        if len(named) != 1:
            message = _("this entry says neither where nor whom") if not named else _("this entry says two things: {ways}").format(ways=", ".join(named))
            return reading.refuse(value, "NOT-A-CHOICE", message, allowed=self.allowed(), rule="5.3")
        return {key: entry[key] for key in (*named, "when") if key in entry}

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [self._word.schema(), self._mapping.schema()]}

    def allowed(self) -> str:
        return _("a place, hold, or one of place, path, toward, hunt, join (with when: clear or occupied)")


class Storm(Kind):
    """5.3: the castles to storm: `any`, or a list of castles."""

    def __init__(self) -> None:
        self._list = ListOf(castle(_("a castle"), rule="5.3"), unique=True)

    def take(self, value: Value, reading: Reading) -> Any:
        if isinstance(value, Scalar) and fold(value.text) == "any":
            return "any"
        return self._list.read(value, reading)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"const": "any"}, self._list.schema()]}

    def allowed(self) -> str:
        return _("any, or a list of castles")


class Take(Kind):
    """5.5: what a ward of a plan takes: "bill", "retinue" (one company), "bill all", "retinue all" (every one)."""

    def take(self, value: Value, reading: Reading) -> Any:
        if not isinstance(value, Scalar) or is_empty(value):
            return reading.refuse(value, "UNKNOWN-TYPE", _("a type or class is expected here"), allowed=self.allowed(), rule="5.5")
        words = value.text.split()
        every = len(words) > 1 and words[-1].casefold() == "all"
        id_ = _CLASSES_AND_TYPES.find(" ".join(words[:-1] if every else words))
        if id_ is None:
            return reading.refuse(value, "UNKNOWN-TYPE", _("{found} is no class or type of troops").format(found=repr(typed(value))), allowed=self.allowed(),
                                  rule="5.5", suggestion=_CLASSES_AND_TYPES.nearest(value.text.removesuffix(" all")))
        return f"{id_} all" if every else id_

    def schema(self) -> dict[str, Any]:
        return {"enum": [name + suffix for name in _CLASSES_AND_TYPES for suffix in ("", " all")]}

    def allowed(self) -> str:
        return _("a class or a type of troops, with `all` for every company of it")


def plan() -> Fields:
    """5.5: a plan for the secret division into three wards."""
    ward = Fields(_("a ward"), {
        "take": Field(ListOf(Take(), rule="5.5"), help=_("what this ward takes, one company for each entry, or TYPE all")),
        "captain": Field(Choice(dict.fromkeys(TABLES.troop_table.rounds_e12, ""), rule="5.5"), help=_("the round that a captain here may throw again")),
    }, rule="5.5")
    wards = {name: Field(ward) for name in TABLES.troop_table.wards}
    rest = ListOf(Choice(dict.fromkeys(TABLES.troop_table.wards, ""), rule="5.5", code="UNKNOWN-KEY"), empty=False, rule="5.5")
    return Fields(_("a plan"), {**wards, "rest": Field(rest, help=_("the wards that all other companies go to in turn"))}, rule="5.5")


class OrDefault(Kind):
    """5.5: a policy's value, or the word `default`, which resets it, in quotation marks or without."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind

    def take(self, value: Value, reading: Reading) -> Any:
        if isinstance(value, Scalar) and fold(value.text) == "default":
            return "default"
        return self.kind.read(value, reading)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"const": "default"}, self.kind.schema()]}

    def allowed(self) -> str:
        return _("{kind}; or default").format(kind=self.kind.allowed())


class MusterPlace(Kind):
    """5.1 (E3): where blocks gather: `retinue`, `home`, or `london` for a claimant who controls it."""

    def __init__(self, has_london: bool) -> None:
        self._words = Choice({"retinue": "", "home": "", **({"london": ""} if has_london else {})}, rule="5.1")

    def take(self, value: Value, reading: Reading) -> Any:
        if isinstance(value, Scalar) and fold(value.text) == "london" and "london" not in self._words.words:
            return reading.refuse(value, "NOT-YOURS", _("only a claimant who holds London musters there"), allowed=self.allowed(), rule="5.1")
        return self._words.read(value, reading)

    def schema(self) -> dict[str, Any]:
        return self._words.schema()

    def allowed(self) -> str:
        return self._words.allowed()


class BlockNumber(Whole):
    """5.1 (E3): the number of a vassal block; 0 is outside the range, as is one too high."""

    def take(self, value: Value, reading: Reading) -> Any:
        if isinstance(value, Scalar) and value.text.strip() == "0":
            return reading.refuse(value, "TOO-MANY", _("there is no block 0"), allowed=self.allowed(), rule=self.rule)
        return super().take(value, reading)


class AllOr(Kind):
    """5.5: the word `all`, or a number."""

    def __init__(self, number: Whole) -> None:
        self.number = number

    def take(self, value: Value, reading: Reading) -> Any:
        if isinstance(value, Scalar) and fold(value.text) == "all":
            return "all"
        return self.number.read(value, reading)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"const": "all"}, self.number.schema()]}

    def allowed(self) -> str:
        return _("all, or {number}").format(number=self.number.allowed())


def side_of_trade() -> Fields:
    """5.4: what one side of a trade gives."""
    return Fields(_("one side of a trade"), {
        "coins": Field(Whole(rule="5.4")), "castles": Field(ListOf(castle(_("a castle"), rule="5.4"), unique=True, rule="5.4")), "allegiance": Field(YesNo(rule="5.4")),
    }, rule="5.4")

