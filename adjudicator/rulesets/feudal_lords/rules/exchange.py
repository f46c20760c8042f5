"""6.8.3 The exchange of Battle cards: back and forth, until a whole pass in which nobody plays."""

from dataclasses import dataclass, field
from typing import Any

from .. import changes, domains
from ..cardlists import Entry, entries_of
from ..tables import TABLES, Counts
from ..view import EVERYBODY
from ..workspace import FeudalTurn

SIDES = ("attacker", "defender")


def other_side(side: str) -> str:
    """The side against which this one fights."""
    return SIDES[1 - SIDES.index(side)]


@dataclass
class Participant:
    """A principal or an ally, and how it plays Battle cards. played: place of an entry of `cards` -> copies played in this battle."""

    seat: str
    side: str
    cards: list[Entry]
    use: str
    keep: int
    most: int | None
    played: dict[int, int] = field(default_factory=dict)

    @classmethod
    def of(cls, seat: str, side: str, wish: dict[str, Any], keep: int, cards: list[str] | None = None) -> "Participant":
        """From an entry of `attack` or of `wars`, or from `defend`. keep, cards: what holds where the entry says nothing."""
        return cls(seat, side, entries_of(wish.get("cards", cards or [])), wish.get("use", "ahead"), wish.get("keep", keep), wish.get("max-cards"))


def next_card(participant: Participant, hand: Counts, gold: int, played: dict[int, int]) -> tuple[str, int] | None:
    """6.8.3 The next card, and the place of the entry by which it was found; None if there is none."""
    if participant.most is not None and sum(played.values()) >= participant.most:
        return None
    for place, entry in enumerate(participant.cards):
        if entry.most is not None and played.get(place, 0) >= entry.most:
            continue
        cards = domains.by_low_order(domains.of_types(hand, ["battle"])) if entry.is_any else [entry.card]
        for id_ in cards:
            card = TABLES.cards[id_]
            if hand.get(id_, 0) and card.side in ("any", participant.side) and (card.price == 0 or gold - card.price >= participant.keep):
                return id_, place
    return None


def could_play(turn: FeudalTurn, participant: Participant) -> int:
    """6.8.3 The battle values of all cards that it could still play, one after another, with its own gold, hand, list and limit."""
    hand, gold, played = dict(turn.lord(participant.seat).hand), turn.lord(participant.seat).gold, dict(participant.played)
    total = 0
    while (found := next_card(participant, hand, gold, played)) is not None:
        card, place = found
        hand[card] -= 1
        gold -= TABLES.cards[card].price
        played[place] = played.get(place, 0) + 1
        total += TABLES.cards[card].battle
    return total


def exchange(turn: FeudalTurn, participants: list[Participant], totals: dict[str, int]) -> list[str]:
    """6.8.3 Exchange of Battle cards: each in turn plays one or passes. Raises the totals; returns the cards played, in order."""
    on_table: list[str] = []
    while True:
        passed = True
        for participant in participants:
            card = wanted_card(turn, participant, totals)
            if card is None:
                continue
            passed = False
            id_, place = card
            changes.play_battle_card(turn, participant.seat, id_)
            participant.played[place] = participant.played.get(place, 0) + 1
            totals[participant.side] += TABLES.cards[id_].battle
            on_table.append(id_)
            turn.tell("battle-card", "6.8.3", EVERYBODY, seat=participant.seat, side=participant.side, card=id_, totals=[totals[side] for side in SIDES])
        if passed:
            return on_table


def wanted_card(turn: FeudalTurn, participant: Participant, totals: dict[str, int]) -> tuple[str, int] | None:
    """6.8.3 `use`: `none` passes; `all` plays what it can; `ahead` plays only while it is not ahead and could get there."""
    if participant.use == "none":
        return None
    if participant.use == "ahead":
        mine, theirs = totals[participant.side], totals[other_side(participant.side)]
        if mine > theirs or mine + could_play(turn, participant) <= theirs:
            return None
    return next_card(participant, turn.lord(participant.seat).hand, turn.lord(participant.seat).gold, participant.played)
