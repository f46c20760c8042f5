"""What follows from a domain, a hand or the seating, asked of a state and of a view alike (2.2, 2.3, 5.1)."""

from collections.abc import Iterable, Mapping
from typing import Any

from .tables import FIEF, TABLES, Counts, Rank


# Domains

def lands(domain: Counts) -> int:
    """How many Lands, Fiefs included."""
    return sum(count for id_, count in domain.items() if TABLES.pieces[id_].type == "land")


def income(domain: Counts) -> int:
    """6.2.1: gold of a gold phase, the Fief included."""
    return sum(TABLES.pieces[id_].gold * count for id_, count in domain.items())


def yield_of_glory(domain: Counts) -> int:
    """6.3: glory of a glory phase, the King's Confidence left out."""
    return sum(TABLES.pieces[id_].glory * count for id_, count in domain.items())


def battle_total(domain: Counts, side: str) -> int:
    """6.8.1: the battle values that count for a principal, "attacker" or "defender"."""
    return sum(TABLES.pieces[id_].battle_as(side) * count for id_, count in domain.items())


def is_knight(id_: str, options: Mapping[str, Any]) -> bool:
    """A card that Crusade and Tournament count; under `knights: champions` the Vassals among them only."""
    card = TABLES.pieces[id_]
    return card.knight and (options["knights"] == "by-name" or card.type == "vassal")


def count_of(domain: Counts, what: str, options: Mapping[str, Any]) -> int:
    """How many "knight", "farm" or "land" there are."""
    if what == "land":
        return lands(domain)
    return sum(count for id_, count in domain.items() if (TABLES.pieces[id_].farm if what == "farm" else is_knight(id_, options)))


def rank_of(number: int) -> Rank | None:
    """2.2: the last rank whose `lands` is not above the number of Lands; None below the first."""
    reached = [rank for rank in TABLES.ranks.values() if rank.lands <= number]
    return reached[-1] if reached else None


def of_types(counts: Counts, types: Iterable[str], fief: bool = False) -> list[str]:
    """The kinds of card among these that are of the types, by id; the Fief only if `fief` says so."""
    wanted = tuple(types)
    return [id_ for id_ in sorted(counts) if TABLES.pieces[id_].type in wanted and (fief or id_ != FIEF)]


def by_high_order(ids: Iterable[str]) -> list[str]:
    """2.3: what one takes, first first."""
    return sorted(ids, key=lambda id_: TABLES.high_order[id_])


def by_low_order(ids: Iterable[str]) -> list[str]:
    """2.3: what one gives up, first first."""
    return sorted(ids, key=lambda id_: TABLES.low_order[id_])


# Seats

def clockwise(order: list[str], seat: str) -> list[str]:
    """5.1: all other seats in the game in seating order, beginning after the seat."""
    if seat not in order:
        return list(order)
    place = order.index(seat)
    return order[place + 1:] + order[:place]


def play_order(order: list[str], options: Mapping[str, Any], round_: int) -> list[str]:
    """4: the order in which the table turns of a round are played."""
    start = (round_ - 1) % len(order) if options["first-seat"] == "rotate" and order else 0
    return order[start:] + order[:start]


def in_seat_order(seats: Iterable[str]) -> list[str]:
    """These seats as audiences list them, each once."""
    wanted = list(seats)
    return [seat for seat in TABLES.seats if seat in wanted]


def named_seats(state: Any, acting: str, whom: list[str]) -> list[str]:
    """5.1: the seats that a seat list names at this moment, in its order. Seats that have left, and the acting one, are passed over.

    state: a state or a view, with `order` and `seats` (each with `glory` and `domain`)
    """
    others = clockwise(state.order, acting)
    named: list[str] = []
    for entry in whom:
        if entry == "any":
            named += others
        elif entry in ("leader", "weakest", "strongest"):
            named += _extreme(state, others, entry)
        elif entry in others:
            named.append(entry)
    return named


def _extreme(state: Any, others: list[str], token: str) -> list[str]:
    """The one seat that the token names; ties go to the first in clockwise order."""
    if not others:
        return []
    if token == "leader":
        return [max(others, key=lambda seat: state.seats[seat].glory)]   # max and min take the first of equals
    totals = {seat: battle_total(state.seats[seat].domain, "defender") for seat in others}
    return [max(others, key=lambda seat: totals[seat]) if token == "strongest" else min(others, key=lambda seat: totals[seat])]


# Confidence

def has_confidence(state: Any, seat: str) -> bool:
    """Does the seat hold a King's Confidence?"""
    holder = state.confidence
    return seat in holder if isinstance(holder, list) else seat == holder


def ranking(state: Any, after_round: int) -> list[str]:
    """8.3: seats by glory, Lands, gold (0 where it is not known), then the play order of the round `after_round` (0: the seating); a winner first."""
    order = play_order(state.order, state.options, after_round) if after_round else list(state.order)
    ranked = sorted(order, key=lambda seat: (-state.seats[seat].glory, -lands(state.seats[seat].domain), -(state.seats[seat].gold or 0)))
    return sorted(ranked, key=lambda seat: seat != state.winner)

