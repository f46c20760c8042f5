"""6.6, the table of Events: for each kind of effect when it is legal, its size, and what it does.

A card of the list names its kind and that kind's numbers (`effect` in data/cards.toml); a new card of a known kind needs no code.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .. import changes, domains
from ..cardlists import choose, entries_of
from ..state import Lord
from ..tables import BANK, Card, Effect
from ..workspace import FeudalTurn


@dataclass
class Playing:
    """One execution of an entry of `events`: who plays what, the entry's keys, and what was found for it.

    size: None for an Event that has none; x: gold paid (Scutage) or knights sent (Crusade)
    """

    seat: str
    card: Card
    entry: dict[str, Any]
    keep: int
    victim: str | None = None
    target: str | None = None
    size: int | None = None
    x: int = 0
    cost: int = 0

    @property
    def effect(self) -> Effect:
        assert self.card.effect is not None
        return self.card.effect


@dataclass(frozen=True)
class EffectKind:
    """How Events of one kind work.

    has_victim: `whom` says against which other seat; keys: what else an entry may have beside `keep`
    find:    fill in target, size, x, cost; False if it is not legal (with a victim: against this one)
    carry_out: the effect
    """

    find: Callable[[FeudalTurn, Playing], bool]
    carry_out: Callable[[FeudalTurn, Playing], None]
    has_victim: bool = False
    keys: tuple[str, ...] = ()
    hidden_size: bool = False


# Events without a victim

def _find_gain(turn: FeudalTurn, playing: Playing) -> bool:
    return True


def _gain(turn: FeudalTurn, playing: Playing) -> None:
    """Kings Feast, Court Intrigue, Royal Hunt, Pageantry: a fixed amount of glory, of gold, or both."""
    _bring(turn, playing, playing.effect.glory, playing.effect.gold)


def _find_gain_per(turn: FeudalTurn, playing: Playing) -> bool:
    count = domains.count_of(turn.lord(playing.seat).domain, playing.effect.per, turn.state.options)
    playing.size = count * (playing.effect.glory + playing.effect.gold)
    return True


def _gain_per(turn: FeudalTurn, playing: Playing) -> None:
    """Tournament, Harvest, Market Day: an amount for each knight, Farm or Land in the own domain."""
    count = domains.count_of(turn.lord(playing.seat).domain, playing.effect.per, turn.state.options)
    _bring(turn, playing, count * playing.effect.glory, count * playing.effect.gold)


def _bring(turn: FeudalTurn, playing: Playing, glory: int, gold: int) -> None:
    changes.gain_glory(turn, "6.6", playing.seat, glory, playing.card.id)
    changes.move_gold(turn, "6.6", BANK, playing.seat, gold)


def _find_peace(turn: FeudalTurn, playing: Playing) -> bool:
    return all(peace.seat != playing.seat for peace in turn.state.peace)


def _peace(turn: FeudalTurn, playing: Playing) -> None:
    """Holy Day: no battle may be declared by anyone while it is in force."""
    changes.keep_holy_day(turn, playing.seat)


def _knights(turn: FeudalTurn, lord: Lord) -> dict[str, int]:
    return {id_: lord.domain[id_] for id_ in sorted(lord.domain) if domains.is_knight(id_, turn.state.options)}


def _find_crusade(turn: FeudalTurn, playing: Playing) -> bool:
    knights = sum(_knights(turn, turn.lord(playing.seat)).values())
    wanted = playing.entry.get("x", "max")
    playing.x = knights if wanted == "max" else min(wanted, knights)
    playing.size = playing.effect.glory * playing.x
    return knights > 0


def _crusade(turn: FeudalTurn, playing: Playing) -> None:
    """Crusade: X knights are discarded, by `give`, then low order; glory for each."""
    left = _knights(turn, turn.lord(playing.seat))
    going: list[str] = []
    for entry in entries_of(playing.entry.get("give", [])):
        cards = domains.by_high_order(left) if entry.is_any else [entry.card]
        for card in cards:
            count = min(left.get(card, 0), playing.x - len(going), playing.x if entry.most is None else entry.most)
            going += [card] * count
            left[card] = left.get(card, 0) - count
    for card in domains.by_low_order(left):
        going += [card] * min(left[card], playing.x - len(going))
    for card in going:
        changes.lose_card(turn, "card-lost", playing.seat, card, playing.card.id)
    changes.gain_glory(turn, "6.6", playing.seat, playing.effect.glory * len(going), playing.card.id)


def _find_scutage(turn: FeudalTurn, playing: Playing) -> bool:
    """X is the largest multiple of the price that `x`, the gold above `keep` and `scutage-cap` allow; at least 0."""
    most = max(0, turn.lord(playing.seat).gold - playing.keep)
    wanted = playing.entry.get("x", "max")
    if wanted != "max":
        most = min(most, wanted)
    if turn.option("scutage-cap"):
        most = min(most, turn.option("scutage-cap"))
    playing.size = most // playing.effect.price
    playing.x = playing.cost = playing.size * playing.effect.price
    return True


def _scutage(turn: FeudalTurn, playing: Playing) -> None:
    """Scutage: X gold, paid as its cost, for X/2 glory."""
    changes.gain_glory(turn, "6.6", playing.seat, playing.size or 0, playing.card.id)


def _find_discard_all(turn: FeudalTurn, playing: Playing) -> bool:
    return any(domains.of_types(turn.lord(seat).domain, playing.effect.types) for seat in turn.state.order)


def _discard_all(turn: FeudalTurn, playing: Playing) -> None:
    """Inquisition: every seat, beginning with the player's, then clockwise, discards one by `loss.vassal`, then low order."""
    for seat in [playing.seat, *domains.clockwise(turn.state.order, playing.seat)]:
        candidates = domains.of_types(turn.lord(seat).domain, playing.effect.types)
        wanted = turn.lord(seat).policies.get("loss", {}).get("vassal", [])
        card = choose(wanted, candidates, domains.by_low_order(candidates))
        if card is not None:
            _lose(turn, playing, seat, card)


def _lose(turn: FeudalTurn, playing: Playing, seat: str, card: str) -> None:
    """`vassal-lost` where the Event strikes Vassals only, else `card-lost`."""
    changes.lose_card(turn, "vassal-lost" if playing.effect.types == ["vassal"] else "card-lost", seat, card, playing.card.id)


# Events with a victim

def _find_revolt(turn: FeudalTurn, playing: Playing) -> bool:
    return not turn.lord(playing.victim).revolt


def _revolt(turn: FeudalTurn, playing: Playing) -> None:
    """Peasant Revolt: the victim collects nothing in its next gold phase."""
    changes.declare_revolt(turn, playing.victim)


def _find_lose_glory(turn: FeudalTurn, playing: Playing) -> bool:
    playing.size = min(playing.effect.glory, turn.lord(playing.victim).glory)
    return playing.size >= 1


def _lose_glory(turn: FeudalTurn, playing: Playing) -> None:
    """Scandal: the victim loses glory."""
    changes.lose_glory(turn, "6.6", playing.victim, playing.size or 0, playing.card.id)


def _find_lose_gold(turn: FeudalTurn, playing: Playing) -> bool:
    playing.size = min(playing.effect.gold, turn.lord(playing.victim).gold)
    return playing.size >= 1


def _lose_gold(turn: FeudalTurn, playing: Playing) -> None:
    """Ransom Knights: gold goes from the victim to the player; Thieves & Banditry: to the bank."""
    changes.move_gold(turn, "6.6", playing.victim, playing.seat if playing.effect.to == "player" else BANK, playing.size or 0)


def _find_discard(turn: FeudalTurn, playing: Playing) -> bool:
    """The first of the target list that the victim has; `any`: in high order. The Fief is no card."""
    candidates = domains.of_types(turn.lord(playing.victim).domain, playing.effect.types)
    playing.target = next((card for name in playing.entry.get("target", ["any"]) for card in
                           (domains.by_high_order(candidates) if name == "any" else [name]) if card in candidates), None)
    return playing.target is not None


def _discard(turn: FeudalTurn, playing: Playing) -> None:
    """Excommunicated, Murder & Foul Deeds, Black Plague: the target is discarded."""
    _lose(turn, playing, playing.victim, playing.target)


def _find_steal(turn: FeudalTurn, playing: Playing) -> bool:
    return bool(turn.lord(playing.victim).hand)


def _steal(turn: FeudalTurn, playing: Playing) -> None:
    """Treachery: the first name of `take` that is in the victim's hand; if none is, by high order."""
    held = sorted(turn.lord(playing.victim).hand)
    changes.steal(turn, playing.seat, playing.victim, choose(playing.entry.get("take", []), held, domains.by_high_order(held)))


KINDS: dict[str, EffectKind] = {
    "peace": EffectKind(_find_peace, _peace),
    "gain": EffectKind(_find_gain, _gain),
    "gain-per": EffectKind(_find_gain_per, _gain_per, keys=("min",)),
    "crusade": EffectKind(_find_crusade, _crusade, keys=("x", "give", "min")),
    "scutage": EffectKind(_find_scutage, _scutage, keys=("x", "min")),
    "discard-all": EffectKind(_find_discard_all, _discard_all),
    "revolt": EffectKind(_find_revolt, _revolt, True, ("whom",)),
    "lose-glory": EffectKind(_find_lose_glory, _lose_glory, True, ("whom", "min")),
    "lose-gold": EffectKind(_find_lose_gold, _lose_gold, True, ("whom", "min"), hidden_size=True),
    "discard": EffectKind(_find_discard, _discard, True, ("whom", "target")),
    "steal": EffectKind(_find_steal, _steal, True, ("whom", "take")),
}
"""kind of effect -> how it works; a card's `effect` names one of these"""


def kind_of(card: Card) -> EffectKind:
    """How the Event works, by the kind of its effect."""
    assert card.effect is not None, card.id
    return KINDS[card.effect.kind]

