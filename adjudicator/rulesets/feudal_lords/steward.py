"""Chapter 10: plain, legal orders for a seat that nobody holds, from that seat's own view, drawing no dice."""

from typing import Any

from . import domains
from .order_checks import coming_income
from .sight import View
from .tables import TABLES, Card

KNIGHTLY = ("Champion Knight",)
STORMING = ["Breach", "Siege", "Mercenary Company"]


def steward(view: View) -> dict[str, Any]:
    """10: a full file, as a player would write it: every field of 5.2 but `give`, and the policies `defend`, `wars`, `loss`."""
    me = view.seats[view.viewer]
    rivals = domains.clockwise(view.order, view.viewer)
    purse = (me.gold or 0) + coming_income(view, view.viewer)
    target = view.options["glory-target"]
    buys = not domains.has_confidence(view, view.viewer) and purse >= 9 and me.glory < target - 8
    return {
        "confidence": "buy" if buys else "pass",
        "land": land(view),
        "recruit": recruit(view, rivals),
        "draw": {"extra": 1 if purse >= 14 else 0, "keep": 6},
        "events": events(view, rivals),
        "attack": attack(view, rivals),
        "keep": 0,
        "policies": policies(view, rivals),
    }


def _held(view: View, *types: str) -> list[Card]:
    """Each kind of card of these types in my hand, once."""
    return [TABLES.cards[id_] for id_ in domains.of_types(view.seats[view.viewer].hand or {}, types)]


def land(view: View) -> list[str]:
    """10 land: by gold while my income is low, else by glory; castles last."""
    poor = domains.income(view.seats[view.viewer].domain) < 6
    cards = sorted(_held(view, "land"), key=lambda card: (card.id == "concentric-castle", -(card.gold if poor else card.glory), card.price, card.id))
    return [*(card.name for card in cards), "any"]


def recruit(view: View, rivals: list[str]) -> list[str]:
    """10 recruit: Vassals that yield, then fighting men by what they cost, unless my defence is safe."""
    vassals = sorted((card for card in _held(view, "vassal") if card.gold or card.glory), key=lambda card: (-(card.glory + card.gold), card.price, card.id))
    fighters = sorted((card for card in _held(view, "vassal", "company") if card.type == "company" or card.name in KNIGHTLY),
                      key=lambda card: (-(card.battle * 12 // (card.price + 1)), card.id))
    defence = domains.battle_total(view.seats[view.viewer].domain, "defender")
    if all(defence >= domains.battle_total(view.seats[rival].domain, "attacker") + 6 for rival in rivals):
        fighters = []
    return [f"{card.name} all" for card in [*vassals, *fighters]]


def events(view: View, rivals: list[str]) -> list[Any]:
    """10 events: every one named, in this order; unheld ones cost nothing."""
    me = view.seats[view.viewer]
    target = view.options["glory-target"]
    knights = domains.count_of(me.domain, "knight", view.options)
    whom = ["leader", "any"]
    needed = max(1, target - me.glory)
    murder = {"whom": whom, "target": ["Champion Knight", "Advisor", "any"]}
    listed: list[Any] = [
        "Royal Hunt", "Market Day", "Harvest", "Kings Feast", "Court Intrigue all", "Pageantry all",
        {"play": "Tournament", "min": 2}, {"play": "Ransom Knights all", "whom": whom, "min": 2}, {"play": "Scandal all", "whom": whom, "min": 4, "keep": 0},
        {"play": "Peasant Revolt all", "whom": whom}, {"play": "Thieves & Banditry all", "whom": whom, "min": 2},
        {"play": "Murder & Foul Deeds all", **murder}, {"play": "Excommunicated", **murder, "keep": 4},
        {"play": "Black Plague all", "whom": whom}, {"play": "Treachery", "whom": whom, "take": ["Court Intrigue", "Kings Feast", "Champion Knight"]},
    ]
    if not domains.of_types(me.domain, ["vassal"]):
        listed.append("Inquisition")
    if needed <= 2 * knights:
        listed.append({"play": "Crusade", "x": "max", "min": needed})
    listed.append({"play": "Scutage", "x": "max", "keep": 0 if me.glory + (me.gold or 0) // 2 >= target else 6})
    if wants_peace(view, rivals):
        listed.append("Holy Day")
    return listed


def wants_peace(view: View, rivals: list[str]) -> bool:
    """10 Holy Day: some rival could beat me, and I could beat none with what I hold."""
    me = view.seats[view.viewer]
    hand = me.hand or {}
    names = {card.name: card for card in _held(view, "battle")}
    strength = domains.battle_total(me.domain, "attacker") + sum(card.battle * hand[card.id] for name, card in names.items() if name in STORMING)
    threatened = any(domains.battle_total(view.seats[rival].domain, "attacker") > domains.battle_total(me.domain, "defender") for rival in rivals)
    return threatened and not any(domains.battle_total(view.seats[rival].domain, "defender") < strength for rival in rivals)


def attack(view: View, rivals: list[str]) -> list[dict[str, Any]]:
    """10 attack: the rivals in order of glory."""
    ordered = sorted(rivals, key=lambda rival: -view.seats[rival].glory)
    return [{"whom": rival, "when": "with-cards", "lead": 1, "cards": ["Breach", "Siege", "Mercenary Company all"], "use": "ahead",
             "loot": ["Cathedral", "land", "full-gold", "gold"]} for rival in ordered]


def policies(view: View, rivals: list[str]) -> dict[str, Any]:
    """10 policies: with three or more seats, all against the leader of the others."""
    wars: list[dict[str, Any]] = []
    if len(view.order) >= 3:
        leader = max(rivals, key=lambda rival: view.seats[rival].glory)   # ties: the first clockwise
        wars = [{"for": [rival for rival in rivals if rival != leader], "against": leader, "send": "all"}]
    return {
        "defend": {"cards": ["Relief Forces all", "Mercenary Company all"], "use": "ahead", "loot": ["Cathedral", "land", "gold"]},
        "wars": wars,
        "loss": {"battle": ["Archers", "Foot Soldiers", "Armored Infantry"]},
    }
