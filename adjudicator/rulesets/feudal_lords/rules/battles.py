"""6.8 Battle phase: sides, exchange, dice."""

from typing import Any

from .. import changes, domains
from ..cardlists import entries_of
from ..tables import TABLES, Counts, listed
from ..view import EVERYBODY
from ..workspace import FeudalTurn
from .exchange import SIDES, Participant, exchange
from .outcomes import settle_battle


def fight(turn: FeudalTurn, attacker: str, defender: str, entry: dict[str, Any]) -> None:
    """6.8 A battle, from its declaration to what the loser gives up."""
    turn.tell("battle-declared", "6.7", EVERYBODY, attacker=attacker, defender=defender)
    defend = turn.lord(defender).policies.get("defend", {})
    participants = [Participant.of(attacker, "attacker", entry, turn.keep(attacker)), Participant.of(defender, "defender", defend, 0, ["any"])]
    totals = {each.side: domains.battle_total(turn.lord(each.seat).domain, each.side) for each in participants}   # 6.8.1
    participants += join_allies(turn, attacker, defender, totals)                                                 # 6.8.2
    on_table = exchange(turn, participants, totals)                                                               # 6.8.3
    sums = roll_dice(turn, attacker, defender, totals)                                                            # 6.8.4
    side = winning_side(turn, sums, totals)                                                                       # 6.8.5
    seats = {"attacker": attacker, "defender": defender}
    turn.tell("battle-result", "6.8.5", EVERYBODY, attacker=attacker, defender=defender, winner=seats[side] if side else "draw")
    for card in on_table:                                                                                         # 6.8.6
        changes.to_discard(turn, card)
    if side is not None:
        winner, loser = (attacker, defender) if side == "attacker" else (defender, attacker)
        settle_battle(turn, winner, loser, (entry if side == "attacker" else defend).get("loot", []))


def join_allies(turn: FeudalTurn, attacker: str, defender: str, totals: dict[str, int]) -> list[Participant]:
    """6.8.2 Allies: every other seat, clockwise after the attacker, by the first entry of `wars` that matches. Raises the totals."""
    allies = []
    for seat in domains.clockwise(turn.state.order, attacker):
        if seat == defender:
            continue
        for entry in turn.lord(seat).policies.get("wars", []):
            side = side_of(entry, attacker, defender)
            if side is None:
                continue
            cards = lent(turn.lord(seat).domain, entry.get("send", "all"), side)
            value = sum(TABLES.pieces[card].battle_as(side) * count for card, count in cards.items())
            totals[side] += value
            turn.tell("battle-ally", "6.8.2", EVERYBODY, seat=seat, side=side, cards=listed(cards), value=value)
            allies.append(Participant.of(seat, side, entry, 0))
            break
    return allies


def side_of(entry: dict[str, Any], attacker: str, defender: str) -> str | None:
    """6.8.2 The side that an entry of `wars` helps in this battle, or None. If both readings fit, the attacker's."""
    def among(seat: str, named: list[str]) -> bool:
        return "any" in named or seat in named

    against = entry.get("against", ["any"])
    if among(attacker, entry["for"]) and among(defender, against):
        return "attacker"
    if among(defender, entry["for"]) and among(attacker, against):
        return "defender"
    return None


def lent(domain: Counts, send: str | list[str], side: str) -> Counts:
    """6.8.2 The Vassals and Companies that `send` names, as far as they have a battle value; each card is lent once. Lands never."""
    if send == "none":
        return {}
    there = {id_: domain[id_] for id_ in domains.of_types(domain, ["vassal", "company"]) if TABLES.pieces[id_].battle_as(side)}
    if send == "all":
        return there
    cards: Counts = {}
    for entry in entries_of(list(send)):
        for id_ in there if entry.is_any else [entry.card]:
            count = min(there.get(id_, 0), cards.get(id_, 0) + (there.get(id_, 0) if entry.most is None else entry.most))
            if count:
                cards[id_] = count
    return cards


def roll_dice(turn: FeudalTurn, attacker: str, defender: str, totals: dict[str, int]) -> dict[str, int]:
    """6.8.4 Dice: the side with the higher total rolls more of them. Returns side -> sum."""
    numbers = TABLES.numbers
    attack, defence = totals["attacker"], totals["defender"]
    equal = numbers.higher_dice if turn.option("equal-totals") == "both-3d6" else numbers.lower_dice
    counts = [equal if attack == defence else numbers.higher_dice if mine > theirs else numbers.lower_dice for mine, theirs in ((attack, defence), (defence, attack))]
    draws = [f"battle/{attacker}/{defender}/{name}" for name in ("attack", "defence")]
    dice = [list(turn.dice.roll(draw, count)) for draw, count in zip(draws, counts, strict=True)]
    sums = [sum(thrown) for thrown in dice]
    turn.tell("battle-dice", "6.8.4", EVERYBODY, draws, names=draws, dice=dice, sums=sums, totals=[attack, defence])
    return dict(zip(SIDES, sums, strict=True))


def winning_side(turn: FeudalTurn, sums: dict[str, int], totals: dict[str, int]) -> str | None:
    """6.8.5 Winner: the higher sum of dice; equal sums by the option `dice-tie`. None for a draw."""
    if sums["attacker"] != sums["defender"]:
        return "attacker" if sums["attacker"] > sums["defender"] else "defender"
    tie = turn.option("dice-tie")
    if tie == "draw":
        return None
    return "attacker" if tie == "stronger" and totals["attacker"] > totals["defender"] else "defender"
