"""Cards in words: what kind they are, what they yield, what an Event does, in a line short enough for a card."""

from ...core.words import N_, _
from .tables import TABLES, Card

TYPE_NAMES = {"land": N_("Land"), "vassal": N_("Vassal"), "company": N_("Company"), "battle": N_("Battle card"), "event": N_("Event")}
GROUP_NAMES = {"land": N_("Lands"), "vassal": N_("Vassals"), "company": N_("Companies"), "battle": N_("Battle cards"), "event": N_("Events")}
_PER = {"knight": N_("knight of yours"), "farm": N_("Farm of yours"), "land": N_("Land of yours")}
_OF = {"land": N_("Land"), "vassal": N_("Vassal"), "company": N_("Company")}
RANK_NAMES = {"vassal": N_("Vassal"), "baron": N_("Baron"), "count": N_("Count"), "duke": N_("Duke")}


def rank_name(rank: str | None) -> str:
    """"Baron"; a lord without Lands has no rank."""
    return _(RANK_NAMES.get(rank, TABLES.ranks[rank].name)) if rank else _("no rank")


def effect_words(card: Card) -> str:   # noqa: PLR0911 - one line for each kind of effect
    """What an Event does, in one line; "" for other cards."""
    effect = card.effect
    if effect is None:
        return ""
    if effect.kind in ("gain", "gain-per"):
        parts = [_("+{n} glory").format(n=effect.glory)] if effect.glory else []
        parts += [_("+{n} gold").format(n=effect.gold)] if effect.gold else []
        said = ", ".join(parts)
        return _("{gain} for each {what}").format(gain=said, what=_(_PER[effect.per])) if effect.per else said
    types = _(" or ").join(_(_OF[type_]) for type_ in effect.types if type_ in _OF)
    return {
        "peace": _("No battles until all others have played a turn"),
        "crusade": _("Send knights away: +{n} glory for each").format(n=effect.glory),
        "scutage": _("Pay X gold: +1 glory for every {n}").format(n=effect.price),
        "discard-all": _("Every lord discards a {type}").format(type=types),
        "revolt": _("A rival collects no gold next turn"),
        "lose-glory": _("A rival loses {n} glory").format(n=effect.glory),
        "lose-gold": _("Take {n} gold from a rival").format(n=effect.gold) if effect.to == "player" else _("A rival loses {n} gold").format(n=effect.gold),
        "discard": _("A rival’s {type} is discarded").format(type=types),
        "steal": _("See a rival’s hand, steal a card"),
    }.get(effect.kind, "")


def side_words(card: Card) -> str:
    """For whom a battle value counts; "" if for both sides."""
    if not card.battle or card.side == "any":
        return ""
    return _("attack only") if card.side == "attacker" else _("defence only")


def value_words(card: Card) -> str:
    """"2 gold, 1 glory, battle 6 (defence only)": what a card in play yields, or what it does."""
    parts = [_("{n} gold").format(n=card.gold)] if card.gold else []
    parts += [_("{n} glory").format(n=card.glory)] if card.glory else []
    if card.battle:
        side = side_words(card)
        parts.append(_("battle {n} ({side})").format(n=card.battle, side=side) if side else _("battle {n}").format(n=card.battle))
    return ", ".join(parts) or effect_words(card)


def cost_words(card: Card) -> str:
    return "X" if card.cost == "x" else str(card.cost)


def short_seat(seat: str) -> str:
    """"Ashby": the lord's name without his title, where room is short."""
    return TABLES.seat_names[seat].removeprefix("Lord of ")
