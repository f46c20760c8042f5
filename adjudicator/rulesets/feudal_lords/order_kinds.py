"""The kinds of values that the orders of chapter 5 are made of: cards with counts, seats, loot, entries of `events` and `wars`."""

import re
from collections.abc import Callable
from typing import Any

from ...core.names import Names, fold
from ...core.orders import FAILED, Choice, Field, Fields, Kind, ListOf, Name, Reading, Whole
from ...core.values import Broken, Mapping, Scalar, Value, is_empty, typed
from ...core.words import N_, _
from .rules.effects import KINDS, kind_of
from .tables import FIEF, TABLES, Card

TYPE_WORDS = {"land": N_("a Land"), "vassal": N_("a Vassal"), "company": N_("a Company"), "battle": N_("a Battle card"), "event": N_("an Event")}
USE = {"ahead": "", "all": "", "none": ""}
WHEN = {"ahead": "", "with-cards": "", "always": ""}
LOOT_WORDS = ("land", "gold", "full-gold", "nothing")
SEAT_TOKENS = ("leader", "weakest", "strongest", "any")
MOST_COPIES = 999

_SUFFIX = re.compile(r"^(.*?)\s+(?:[x×]\s*([0-9]+)|(all))$", re.IGNORECASE | re.DOTALL)

Refusal = tuple[str, str] | None
"""(code, why) if a card may not stand somewhere"""


def a_type(types: tuple[str, ...]) -> str:
    """"a Vassal or a Company\""""
    return _(" or ").join(_(TYPE_WORDS[type_]) for type_ in types)


def wrong_type(types: tuple[str, ...]) -> Callable[[Card], Refusal]:
    """Refuses cards of other types."""
    def refusal(card: Card) -> Refusal:
        if card.type in types:
            return None
        return "WRONG-TYPE", _("{card} is {type}; {wanted} is wanted").format(card=card.name, type=_(TYPE_WORDS[card.type]), wanted=a_type(types))
    return refusal


def wrong_battle_card(side: str) -> Callable[[Card], Refusal]:
    """Refuses all but Battle cards that the side ("attacker", "defender", "" for either) may play."""
    is_battle = wrong_type(("battle",))

    def refusal(card: Card) -> Refusal:
        if card.type == "battle" and side and card.side not in ("any", side):
            return "WRONG-SIDE", _("{card} is for the {side} only").format(card=card.name, side=_("defender") if card.side == "defender" else _("attacker"))
        return is_battle(card)
    return refusal


def no_knight(card: Card) -> Refusal:
    return None if card.knight else ("NOT-A-KNIGHT", _("{card} is no knight").format(card=card.name))


def no_battle_value(card: Card) -> Refusal:
    return None if card.battle else ("NO-BATTLE-VALUE", _("{card} has no battle value").format(card=card.name))


class CardEntry(Kind):
    """5.1 One entry of a card list. Read as "farm", "farm x2", "farm all", "any".

    what:     "a Land": what is allowed here
    refusal:  why a card may not stand here
    suffix:   whether ` xN` and ` all` are taken; any: whether `any` is
    fief:     "no" (it is no card), "safe" (it could stand here under `fief: prize`), "prize" (it may)
    words:    other words that are taken here
    """

    def __init__(self, what: str, refusal: Callable[[Card], Refusal], rule: str, *, suffix: bool = False, any_: bool = True, fief: str = "no",
                 words: tuple[str, ...] = ()) -> None:
        self.what, self.refusal, self.rule = what, refusal, rule
        self.suffix, self.any_, self.fief, self.words = suffix, any_, fief, words

    def take(self, value: Value, reading: Reading) -> Any:
        if not isinstance(value, Scalar) or is_empty(value):
            what = _("nothing stands here") if isinstance(value, Scalar) else _("one card is expected here")
            return reading.refuse(value, "UNKNOWN-CARD", what, allowed=self.allowed(), rule=self.rule)
        text = value.text.strip()
        for word in self.words:
            if fold(text) == fold(word):
                return word
        match = _SUFFIX.match(text)
        name = match[1] if match and TABLES.card_names.find(text) is None else text
        copies, every = (match[2], match[3]) if name != text else (None, None)
        if fold(name) == "any":
            return self._take_any(value, reading, name != text)
        id_ = TABLES.card_names.find(name)
        if id_ is None:
            return reading.refuse(value, "UNKNOWN-CARD", _("no card is called {found}").format(found=repr(typed(value))), allowed=self.allowed(), rule=self.rule,
                                  suggestion=TABLES.card_names.nearest(name, TABLES.cards))
        refused = self._fief_refusal() if id_ == FIEF else self.refusal(TABLES.cards[id_])
        if refused is not None:
            return reading.refuse(value, refused[0], refused[1], allowed=self.allowed(), rule=self.rule)
        return self._with_count(value, reading, id_, copies, bool(every))

    def _take_any(self, value: Value, reading: Reading, has_suffix: bool) -> Any:
        if not self.any_:
            return reading.refuse(value, "NO-ANY", _("`any` may not stand here"), allowed=self.allowed(), rule=self.rule)
        if has_suffix:
            return reading.refuse(value, "NO-COUNT", _("`any` means as many as possible already and takes no count"), allowed=self.allowed(), rule=self.rule)
        return "any"

    def _fief_refusal(self) -> Refusal:
        if self.fief == "prize":
            return None
        if self.fief == "safe":
            return "FIEF-SAFE", _("no Fief can be taken in this campaign (fief: safe)")
        return "UNKNOWN-CARD", _("the Fief is no card and cannot be named here")

    def _with_count(self, value: Value, reading: Reading, id_: str, copies: str | None, every: bool) -> Any:
        if copies is None and not every:
            return id_
        if not self.suffix:
            return reading.refuse(value, "NO-COUNT", _("no count may stand here"), allowed=self.allowed(), rule=self.rule)
        if every:
            return f"{id_} all"
        number = int(copies) if len(copies) <= 9 else MOST_COPIES + 1
        if not 1 <= number <= MOST_COPIES:
            return reading.refuse(value, "NOT-A-NUMBER", _("x{number} is no count").format(number=copies[:12]), allowed=_("x1, x2 and so on, or all"), rule=self.rule)
        return f"{id_} x{number}" if number > 1 else id_

    def schema(self) -> dict[str, Any]:
        ids = [id_ for id_, card in TABLES.cards.items() if self.refusal(card) is None]
        names = [*(TABLES.card_names[id_] for id_ in ids), *ids]
        names += [f"{name} all" for name in names] if self.suffix else []
        names += ["any"] if self.any_ else []
        names += [TABLES.card_names[FIEF]] if self.fief == "prize" else []
        listed: dict[str, Any] = {"enum": list(dict.fromkeys([*self.words, *names]))}
        return {"anyOf": [listed, {"type": "string", "pattern": "^.+ x[1-9][0-9]{0,2}$"}]} if self.suffix else listed

    def allowed(self) -> str:
        parts = [self.what, *self.words, *(["any"] if self.any_ else [])]
        said = ", ".join(parts)
        return _("{cards}; with ` xN` or ` all` for several").format(cards=said) if self.suffix else said


def cards(what: str, refusal: Callable[[Card], Refusal], rule: str, **how: Any) -> ListOf:
    """A card list; a list of one may be written without brackets."""
    each = how.pop("each", False)
    return ListOf(CardEntry(what, refusal, rule, **how), each=each, rule=rule)


def battle_cards(side: str, rule: str) -> ListOf:
    what = {"attacker": _("a Battle card that an attacker may play"), "defender": _("a Battle card that a defender may play"), "": _("a Battle card")}[side]
    return cards(what, wrong_battle_card(side), rule, suffix=True)


def seats(viewer: str, order: list[str], rule: str, tokens: tuple[str, ...] = ("any",)) -> ListOf:
    """5.1 Seat list: other seats in the game, and tokens."""
    return ListOf(one_seat(viewer, order, rule, tokens), empty=False, rule=rule)


def one_seat(viewer: str, order: list[str], rule: str, tokens: tuple[str, ...] = ()) -> Name:
    names = Names({**TABLES.seat_names, **{token: token for token in tokens}}, {seat: [name.removeprefix("Lord of ")] for seat, name in TABLES.seat_names.items()})

    def refusal(seat: str) -> tuple[str, str]:
        if seat == viewer:
            return "OWN-SEAT", _("a seat cannot name itself here")
        return "SEAT-GONE", _("{seat} is not in the game").format(seat=TABLES.seat_names[seat])

    others = [seat for seat in TABLES.seats if seat in order and seat != viewer]
    return Name(names, _("another seat in the game") if not tokens else _("another seat in the game, or {tokens}").format(tokens=", ".join(tokens)), "UNKNOWN-SEAT",
                among=[*others, *tokens], code_of=refusal, rule=rule, nothing=_("no seat is called {found}"))


class NumberOrMax(Kind):
    """`x`: a whole number of at least `least`, or `max`."""

    def __init__(self, least: int, rule: str, too_small: str = "") -> None:
        self.number, self.least, self.rule, self.too_small = Whole(1, rule=rule), least, rule, too_small

    def take(self, value: Value, reading: Reading) -> Any:
        if isinstance(value, Scalar) and fold(value.text) == "max":
            return "max"
        number = self.number.read(value, reading)
        if number is not FAILED and number < self.least:
            return reading.refuse(value, "TOO-FEW", self.too_small, allowed=self.allowed(), rule=self.rule)
        return number

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"const": "max"}, {"type": "integer", "minimum": self.least}]}

    def allowed(self) -> str:
        return _("max, or a whole number, {least} or more").format(least=self.least)


class Send(Kind):
    """`send` of an entry of `wars`: `all`, `none`, or a card list of Vassals and Companies."""

    def __init__(self) -> None:
        types = ("vassal", "company")
        self.list = cards(a_type(types), wrong_type(types), "5.2", suffix=True)

    def take(self, value: Value, reading: Reading) -> Any:
        if isinstance(value, Scalar) and fold(value.text) in ("all", "none"):
            return fold(value.text)
        return self.list.read(value, reading)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"enum": ["all", "none"]}, self.list.schema()]}

    def allowed(self) -> str:
        return _("all, none, or {cards}").format(cards=self.list.allowed())


def loot(prize: bool) -> ListOf:
    """5.2 `loot`: Land names, `land`, `gold`, `full-gold`, `nothing`."""
    return cards(_("a Land"), wrong_type(("land",)), "5.2", any_=False, fief="prize" if prize else "safe", words=LOOT_WORDS)


class WarEntry(Fields):
    """5.2 An entry of `wars`. `for` and `against` must not come to one and the same seat."""

    def take(self, value: Value, reading: Reading) -> Any:
        entry = super().take(value, reading)
        if entry is FAILED:
            return FAILED
        friends, foes = list(dict.fromkeys(entry["for"])), list(dict.fromkeys(entry.get("against", ["any"])))
        if len(friends) == 1 and friends == foes and friends != ["any"]:
            return reading.refuse(value, "SAME-SEAT", _("`for` and `against` name only {seat}, who cannot fight against himself").format(seat=TABLES.seat_names[friends[0]]),
                                  allowed=_("different seats, or any"), rule="5.3")
        return entry


class EventEntry(Fields):
    """5.2 An entry of `events`: a card name, or a mapping whose keys belong to the Event that it plays.

    `fields` has every key, for the template; what an Event does not take is refused with its name.
    """

    def __init__(self, viewer: str, order: list[str]) -> None:
        self._play = CardEntry(_("an Event"), wrong_type(("event",)), "5.2", suffix=True, any_=False)
        self._whom = seats(viewer, order, "5.2", SEAT_TOKENS)
        self._by_card: dict[str, Fields] = {}
        super().__init__(_("an entry of `events`"), {
            "play": Field(self._play, _("the Event, perhaps with ` xN` or ` all`.")),
            "whom": Field(self._whom, _("victims, best first: seats, or leader, weakest, strongest, any."), default="leader"),
            "target": Field(cards(_("a card in play"), wrong_type(("land", "vassal", "company")), "5.2"), _("which card is to go, best first (Excommunicated, Murder & Foul Deeds, Black Plague)."), default=_("the dearest")),
            "take": Field(cards(_("a card"), lambda _card: None, "5.2"), _("which card to steal, best first (Treachery)."), default=_("the dearest")),
            "x": Field(NumberOrMax(1, "5.2"), _("gold paid (Scutage), or most knights sent (Crusade)."), default="max"),
            "give": Field(cards(_("a knight"), no_knight, "5.2", suffix=True), _("which knights go first (Crusade).")),
            "min": Field(Whole(1, rule="5.2"), _("play only if it would do at least so much (gold, glory, cards)."), default="1"),
            "keep": Field(Whole(rule="5.2"), _("gold that must be left."), default=_("`keep` of this file")),
        }, required=("play",), rule="5.2")

    def take(self, value: Value, reading: Reading) -> Any:
        if not isinstance(value, Mapping):
            return self._play.read(value, reading)
        played = next((item for key, item in value.entries if fold(key.text) == "play"), None)
        card = None if played is None or isinstance(played, Broken) else self._play.take(played, Reading())
        if card is None or card is FAILED:
            return super().take(value, reading)
        return self._keys_of(card.split(" ")[0]).take(value, reading)

    def _keys_of(self, id_: str) -> Fields:
        """The keys that belong to the Event, the others closed."""
        if id_ not in self._by_card:
            card = TABLES.cards[id_]
            kind, effect = kind_of(card), card.effect
            fields = {}
            for key, declared in self.fields.items():
                if key in ("play", "keep") or key in kind.keys:
                    fields[key] = declared
                else:
                    fields[key] = Field(declared.kind, rule="5.3", closed=("WRONG-KEY", _("{card} has no `{key}`").format(card=card.name, key=key)))
            if "target" in kind.keys:
                fields["target"] = Field(cards(a_type(tuple(effect.types)), wrong_type(tuple(effect.types)), "5.2"))
            if effect.price:
                fields["x"] = Field(NumberOrMax(effect.price, "5.2", _("{gold} gold buys nothing").format(gold=effect.price - 1)))
            self._by_card[id_] = Fields(_("an entry for {card}").format(card=card.name), fields, required=("play",), rule="5.2")
        return self._by_card[id_]

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [self._play.schema(), super().schema()]}

    def allowed(self) -> str:
        return _("an Event, or a mapping with `play` and the keys of that Event")


def use() -> Choice:
    return Choice(USE, rule="5.2")


def when() -> Choice:
    return Choice(WHEN, rule="5.2")


assert all(card.effect is None or card.effect.kind in KINDS for card in TABLES.cards.values()), "data/cards.toml names an unknown kind of effect"
