"""What orders would come to, as far as their owner can know before the cards are drawn: the purse step by step, and the attack."""

from typing import Any

from ...core.report import Block, Bullets, Span, Spans, say
from ...core.words import _
from . import domains, tellings
from .cardlists import ANY, Entry, entries_of
from .order_checks import coming_income
from .rules.exchange import Participant, next_card
from .sight import View
from .tables import TABLES, Counts


def preview(view: View, orders: dict[str, Any]) -> list[Block]:
    """The table turn that these orders, and the plan for what they leave out, would make if nobody else came between."""
    lord = view.seats.get(view.viewer)
    if lord is None:
        return []
    wish = {**view.policies.get("plan", {}), **orders.get("policies", {}).get("plan", {}), **orders}
    keep = wish.get("keep", 0)
    hand, gold = dict(lord.hand or {}), (lord.gold or 0) + coming_income(view, view.viewer)
    lines: list[Spans] = [say(_("After your income you have {gold}."), gold=Span(tellings.gold(gold), "strong"))]
    domain = dict(lord.domain)
    gold = _give(wish, gold, lines)
    if wish.get("confidence") == "buy" and not domains.has_confidence(view, view.viewer):
        gold, bought = _spend(gold, TABLES.confidence.cost, keep)
        lines.append([Span(_("You buy the King’s Confidence: {gold} left.").format(gold=gold) if bought else _("The King’s Confidence is too dear."))])
    for card in _lands(wish.get("land", []), hand):
        gold, placed = _spend(gold, TABLES.cards[card].price, keep)
        if placed:
            _move(card, hand, domain)
            lines.append(say(_("You place {card}: {gold} left."), card=tellings.card(card), gold=gold))
            break
    recruits: list[str] = []
    for entry in _recruits(wish.get("recruit", []), hand):
        count = 0
        while hand.get(entry.card) and (entry.most is None or count < entry.most):
            gold, placed = _spend(gold, TABLES.cards[entry.card].price, keep)
            if not placed:
                break
            _move(entry.card, hand, domain)
            recruits.append(entry.card)
            count += 1
    if recruits:
        lines.append(say(_("You recruit {cards}: {gold} left."), cards=tellings.cards(recruits), gold=gold))
    held = [card for written in wish.get("events", []) for card in [entries_of([written if isinstance(written, str) else written["play"]])[0].card] if card in hand]
    if held:
        lines.append(say(_("Events that you hold and would try, in this order: {cards}."), cards=tellings.cards(list(dict.fromkeys(held)))))
    lines += _attacks(view, wish, domain, hand, gold, keep)
    lines.append(say(_("Then your domain yields {gold} and {glory} a round."), gold=tellings.gold(domains.income(domain)), glory=tellings.glory(domains.yield_of_glory(domain))))
    return [Bullets(lines)]


def _spend(gold: int, cost: int, keep: int) -> tuple[int, bool]:
    return (gold - cost, True) if cost == 0 or gold - cost >= keep else (gold, False)


def _move(card: str, hand: Counts, domain: Counts) -> None:
    hand[card] -= 1
    domain[card] = domain.get(card, 0) + 1


def _give(wish: dict[str, Any], gold: int, lines: list[Spans]) -> int:
    for gift in wish.get("give", []):
        if gift["gold"] <= gold:
            gold -= gift["gold"]
            lines.append(say(_("You give {n} to {to}: {gold} left."), n=tellings.gold(gift["gold"]), to=tellings.lord(gift["to"]), gold=gold))
    return gold


def _lands(wanted: list[str], hand: Counts) -> list[str]:
    named: list[str] = []
    for name in wanted:
        named += domains.by_high_order(domains.of_types(hand, ["land"])) if name == ANY else [name]
    return [card for card in named if hand.get(card)]


def _recruits(wanted: list[str], hand: Counts) -> list[Entry]:
    found: list[Entry] = []
    for entry in entries_of(wanted):
        found += [Entry(card, None) for card in domains.by_high_order(domains.of_types(hand, ["vassal", "company"]))] if entry.is_any else [entry]
    return found


def _attacks(view: View, wish: dict[str, Any], domain: Counts, hand: Counts, gold: int, keep: int) -> list[Spans]:
    """For each entry of `attack`: whom it looks at, the totals as they are now, and what your Battle cards would add."""
    lines: list[Spans] = []
    mine = domains.battle_total(domain, "attacker")
    for entry in wish.get("attack", []):
        participant = Participant.of(view.viewer, "attacker", entry, keep)
        added = 0 if participant.use == "none" else _playable(participant, hand, gold)
        for rival in dict.fromkeys(domains.named_seats(view, view.viewer, entry["whom"])):
            theirs = domains.battle_total(view.seats[rival].domain, "defender")
            lead = mine - theirs + (added if entry.get("when", "ahead") == "with-cards" else 0)
            holds = entry.get("when", "ahead") == "always" or lead >= entry.get("lead", 1)
            lines.append(say(_("Attack on {lord}: {mine} to {theirs}, up to {added} more by your Battle cards; as things stand the condition {holds}."), lord=tellings.lord(rival), mine=mine,
                             theirs=theirs, added=added, holds=Span(_("holds"), "strong") if holds else _("does not hold")))
    return lines


def _playable(participant: Participant, hand: Counts, gold: int) -> int:
    """The battle values of the cards that could be played one after another."""
    left, played, total = dict(hand), dict(participant.played), 0
    while (found := next_card(participant, left, gold, played)) is not None:
        card, place = found
        left[card] -= 1
        gold -= TABLES.cards[card].price
        played[place] = played.get(place, 0) + 1
        total += TABLES.cards[card].battle
    return total
