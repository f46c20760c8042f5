"""6.9 Battle phase: what the winner takes, and what the loser gives up. Allies neither gain nor lose."""

from .. import changes, domains
from ..cardlists import choose
from ..tables import FIEF, TABLES
from ..workspace import FeudalTurn
from .standing import settle

DEFAULT_LOOT = ["land", "gold"]


def settle_battle(turn: FeudalTurn, winner: str, loser: str, wanted: list[str]) -> None:
    """6.9 Outcome: loot, then the loser's discard; after each the standings are looked at."""
    take_loot(turn, winner, loser, wanted)
    settle(turn, winner, loser)
    if not turn.is_over:
        discard_as_loser(turn, loser)
        settle(turn, loser)


def take_loot(turn: FeudalTurn, winner: str, loser: str, wanted: list[str]) -> None:
    """6.9.1 Loot: the first legal entry of the winner's list, then of the default; if nothing is legal, nothing is taken."""
    for entry in [*wanted, *DEFAULT_LOOT]:
        gold = turn.lord(loser).gold
        if entry == "nothing":
            return
        if entry in ("gold", "full-gold"):
            if gold >= (TABLES.numbers.plunder if entry == "full-gold" else 1):
                changes.move_gold(turn, "6.9.1", loser, winner, min(TABLES.numbers.plunder, gold))
                return
        else:
            land = land_to_take(turn, loser, entry)
            if land is not None:
                changes.take_land(turn, loser, winner, land)
                return


def land_to_take(turn: FeudalTurn, loser: str, entry: str) -> str | None:
    """6.9.1 The Land that an entry means, `land` or a name; None if the loser has no such Land. The Fief only under `fief: prize`."""
    lands = domains.of_types(turn.lord(loser).domain, ["land"], fief=turn.option("fief") == "prize")
    if turn.option("land-taken-by") == "loser":
        wanted = turn.lord(loser).policies.get("loss", {}).get("land", [])
        return choose(wanted, lands, domains.by_low_order(lands))
    if entry == "land":
        return next(iter(domains.by_high_order(lands)), None)
    return entry if entry in lands else None


def discard_as_loser(turn: FeudalTurn, loser: str) -> None:
    """6.9.2 The loser's discard: one card with a battle value in the domain, or a Battle card in hand, by `loss.battle`, then low order."""
    lord, where = turn.lord(loser), turn.option("battle-loss")
    in_domain = [id_ for id_ in sorted(lord.domain) if id_ != FIEF and TABLES.pieces[id_].battle] if where in ("any", "domain") else []
    in_hand = domains.of_types(lord.hand, ["battle"]) if where in ("any", "hand") else []
    candidates = [*in_domain, *(id_ for id_ in in_hand if id_ not in in_domain)]
    card = choose(lord.policies.get("loss", {}).get("battle", []), candidates, domains.by_low_order(candidates))
    if card is not None:
        changes.lose_battle_card(turn, loser, card, "domain" if card in in_domain else "hand")
