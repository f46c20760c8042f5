"""Chapter 5: the orders of the coming round, declared once for reading, template, schema and rulebook."""

from dataclasses import replace
from typing import Any

from ...core.orders import Choice, Field, Fields, ListOf, Whole
from ...core.words import _
from . import domains
from . import order_kinds as kinds
from .rules.effects import KINDS
from .sight import View
from .tables import TABLES

CONFIDENCE = {"buy": "", "pass": ""}
MOST_EXTRA = 20
BLOCK = ("confidence", "land", "recruit", "draw", "events", "attack", "keep")
"""The keys that `plan` may hold"""


def order_model(view: View) -> Fields:
    """5: the orders that this seat may give for the view's round, with the names it can use."""
    turn = _table_turn(view, each=True)
    give = Field(ListOf(Fields(_("a gift"), {"to": Field(kinds.one_seat(view.viewer, view.order, "5.2"), _("another seat.")), "gold": Field(Whole(1, rule="5.2"), _("how much."))},
                               required=("to", "gold"), rule="5.2"), each=True, rule="5.2"),
                 _("Gold for others, in the gold phase; each gift whole or not at all."), "6.2.2", _("nothing"), example=[{"to": _some_rival(view), "gold": 2}],
                 closed=None if view.options["gifts"] == "gold" else ("NO-GIFTS", _("gold cannot be given away in this campaign (gifts: none)")))
    return Fields(_("`orders`"), {**turn, "give": give, "policies": Field(_policies(view), _("What happens in others’ table turns. They stand until you change them; a key given replaces that policy whole."), "5.2")},
                  each=True, rule="5")


def _table_turn(view: View, each: bool) -> dict[str, Field]:
    """5.2 The fields of one's own table turn. each: every entry is an order of its own; inside `plan` the plan is one."""
    land_hand, recruit_hand = (_names(domains.by_high_order(domains.of_types(_hand(view), types))) for types in (("land",), ("vassal", "company")))
    recruits = ("vassal", "company")
    return {
        "confidence": Field(Choice(CONFIDENCE, rule="5.2"), _("Buy the King’s Confidence for {cost} gold: {glory} glory a round while you hold it.").format(
            cost=TABLES.confidence.cost, glory=TABLES.confidence.glory), "6.2.3", "pass", example="buy"),
        "land": Field(kinds.cards(_("a Land"), kinds.wrong_type(("land",)), "5.2"),
                      _("One Land from your hand: the first that you hold and can pay. `any`: the dearest."), "6.4.1", _("none"), example=land_hand or ["any"]),
        "recruit": Field(kinds.cards(kinds.a_type(recruits), kinds.wrong_type(recruits), "5.2", suffix=True, each=each),
                         _("Vassals and Companies from your hand, from the top as far as the gold goes: NAME, NAME x2, NAME all, any."), "6.4.2", _("none"),
                         example=recruit_hand or ["any"]),
        "draw": Field(Fields(_("`draw`"), {"extra": Field(Whole(0, MOST_EXTRA, rule="5.2"), _("how many more than the {free} free ones, {cost} gold each.").format(
            free=TABLES.numbers.fate_draw, cost=TABLES.numbers.extra_card_cost), default="0"),
            "keep": Field(Whole(rule="5.2"), _("stop when less gold would be left."), default=_("`keep` of this file"))}, rule="5.2"),
            _("Extra cards."), "6.5.2", _("none"), example={"extra": 1, "keep": 3}),
        "events": Field(ListOf(kinds.EventEntry(view.viewer, view.order), each=each, rule="5.2"),
                        _("Events to play, walked once from the top, after you have drawn: name also cards that you may draw. An entry is a card’s name, or a mapping with the keys below."), "6.6", _("none"),
                        example=_event_examples(view)),
        "attack": Field(ListOf(_attack(view), rule="5.2"), _("Whom to attack: the first entry whose condition holds. The keys of an entry:"), "6.7", _("nobody"),
                        example=[{"whom": [_some_rival(view), "weakest"], "when": "with-cards", "cards": ["Siege", "any"], "loot": ["land", "gold"]}]),
        "keep": Field(Whole(rule="5.2"), _("Gold that nothing in your own table turn may eat into."), "5.1", "0", example=1),
    }


def _attack(view: View) -> Fields:
    return Fields(_("an entry of `attack`"), {
        "whom": Field(kinds.seats(view.viewer, view.order, "5.2", kinds.SEAT_TOKENS), _("seats in your order of choice, or leader, weakest, strongest, any. Must be there.")),
        "when": Field(kinds.when(), _("ahead (your domain leads), with-cards (it leads with the Battle cards you could play), always."), default="ahead"),
        "lead": Field(Whole(rule="5.2"), _("by how much."), default="1"),
        **_fighting(view, "attacker", _("none")),
        "keep": Field(Whole(rule="5.2"), _("gold that must be left."), default=_("`keep` of this file")),
        "loot": _loot(view),
    }, required=("whom",), rule="5.2")


def _fighting(view: View, side: str, default: str) -> dict[str, Field]:
    short = side != "attacker"   # explained under `attack`
    return {
        "cards": Field(kinds.battle_cards(side, "5.2"), "" if short else _("Battle cards that may be played, in this order; any: the cheapest first."), default=default),
        "use": Field(kinds.use(), "" if short else _("ahead (only while it can bring you ahead), all, none."), default="ahead"),
        "max-cards": Field(Whole(rule="5.2"), "" if short else _("most Battle cards in one battle."), default=_("no limit")),
    }


def _loot(view: View, short: bool = False) -> Field:
    words = _("what to take if you win: a Land’s name, land (the best), gold, full-gold ({gold}), nothing.").format(gold=TABLES.numbers.plunder)
    return Field(kinds.loot(view.options["fief"] == "prize"), "" if short else words, default="land, gold")


def _policies(view: View) -> Fields:
    """5.2 Policies; those in force are filled in."""
    now: dict[str, Any] = view.policies
    plan = {key: replace(field, help="") for key, field in _table_turn(view, each=False).items()}   # explained above
    return Fields(_("`policies`"), {
        "defend": Field(_defend(view), _("How you play when you are attacked: cards, use, max-cards, keep and loot, as in `attack`."), "6.8", _("any Battle card, as long as it can bring you ahead"),
                        example={"cards": ["Relief Forces", "Mercenary Company all"], "keep": 1}, fill=now.get("defend")),
        "wars": Field(ListOf(_war(view), rule="5.2"), _("Battles of others: the first entry that fits makes you an ally; your cards are lent, not lost. cards, use, max-cards and keep as in `attack`."), "6.8.2", _("you stay out"),
                      example=[{"for": [_some_rival(view)], "against": ["any"], "send": "all"}], fill=now.get("wars")),
        "loss": Field(_loss(view), _("What you give up first when you must discard."), "6.9", _("the cheapest"),
                      example={"battle": ["Archers", "Foot Soldiers"], "vassal": ["Tax Collector"]}, fill=now.get("loss")),
        "plan": Field(Fields(_("`plan`"), plan, rule="5.2"), _("What you do every round without saying it again: a mapping with any of {keys}, used for each of these keys that the round’s file does not have.").format(keys=", ".join(BLOCK)), "4", _("nothing"),
                      example=now.get("plan") or {"land": ["any"], "recruit": ["any"]}),
    }, each=True, rule="5.2")


def _defend(view: View) -> Fields:
    return Fields(_("`defend`"), {**_fighting(view, "defender", "any"), "keep": Field(Whole(rule="5.2"), default="0"), "loot": _loot(view, short=True)}, rule="5.2")


def _war(view: View) -> Fields:
    return kinds.WarEntry(_("an entry of `wars`"), {
        "for": Field(kinds.seats(view.viewer, view.order, "5.2"), _("whom you help: seats, or any. Must be there.")),
        "against": Field(kinds.seats(view.viewer, view.order, "5.2"), _("against whom: seats, or any."), default="any"),
        "send": Field(kinds.Send(), _("all, none, or a list of Vassals and Companies."), default="all"),
        **_fighting(view, "", _("none")),
        "keep": Field(Whole(rule="5.2"), default="0"),
    }, required=("for",), rule="5.2")


def _loss(view: View) -> Fields:
    prize = "prize" if view.options["fief"] == "prize" else "safe"
    return Fields(_("`loss`"), {
        "battle": Field(kinds.cards(_("a card with a battle value"), kinds.no_battle_value, "5.2"), _("as the loser of a battle.")),
        "vassal": Field(kinds.cards(_("a Vassal"), kinds.wrong_type(("vassal",)), "5.2"), _("to an Inquisition.")),
        "land": Field(kinds.cards(_("a Land"), kinds.wrong_type(("land",)), "5.2", fief=prize), _("if the loser of a battle chooses the Land (land-taken-by: loser).")),
        "hand": Field(kinds.cards(_("a card"), lambda _card: None, "5.2"), _("down to the hand limit, if there is one.")),
    }, rule="5.2")


# Examples for the template

def _hand(view: View) -> dict[str, int]:
    lord = view.seats.get(view.viewer)
    return (lord.hand or {}) if lord else {}


def _names(ids: list[str]) -> list[str]:
    return [TABLES.cards[id_].name for id_ in ids]


def _some_rival(view: View) -> str:
    return next((seat for seat in domains.clockwise(view.order, view.viewer) if seat != view.viewer), "leader")


def _event_examples(view: View) -> list[Any]:
    """The Events in hand as they could be played; if there are none, two that may be drawn."""
    examples: list[Any] = []
    for id_ in domains.by_high_order(domains.of_types(_hand(view), ["event"])):
        card = TABLES.cards[id_]
        keys = KINDS[card.effect.kind].keys
        if "whom" in keys:
            examples.append({"play": card.name, "whom": ["leader", "any"], **({"min": 2} if "min" in keys else {}), **({"target": ["any"]} if "target" in keys else {})})
        else:
            examples.append({"play": card.name, "min": 2} if "min" in keys else card.name)
    return examples or ["Royal Hunt", {"play": "Scandal", "whom": ["leader", "any"], "min": 4}]
