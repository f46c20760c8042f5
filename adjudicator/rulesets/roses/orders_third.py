"""Chapter 5: the orders that only edition `third` has, or has in another form."""

from ...core.orders import Choice, Field, Fields, Kind, ListOf, MapOf, Whole, YesNo
from ...core.words import _
from . import order_kinds as kinds
from . import order_parts as parts
from . import sides
from .rules import block_musters, block_winter, musters
from .sight import View
from .state import season_of
from .tables import TABLES


def declared(view: View) -> dict[str, Field]:
    """The declarations of the season's orders, `policy` left out."""
    season = season_of(view.turn + 1)
    if season == "Winter":
        return _winter(view)
    return ({**_spring(view)} if season == "Spring" else {}) | {"march": _march(view)}


def block_names(view: View) -> list[str]:
    """2.7: the blocks that a house may have, in the order of 2.3."""
    return ["retinue", *(f"vassals-{number}" for number in range(1, view.options["vassal_blocks"] + 1)), "mercenaries", "burgundians"]


def _spring(view: View) -> dict[str, Field]:
    """5.1, 5.2."""
    me, numbers, size = view.viewer, TABLES.numbers.e3, view.options["block_size"]
    entitled, most = block_musters.retinue_entitlement(view, me), block_musters.vassals_yield_of(view, me)
    place = block_musters.muster_place(view, me, [])
    fill = {"at": [place[0]], "retinue": musters.default_retinue(entitled), "vassals": _without_zeros(block_musters.default_vassals(view, most))} if place else None
    muster = Fields(_("`muster`"), {
        "at": Field(ListOf(kinds.MusterPlace(view.castles["london"] == me and sides.is_claimant(me))),
                    help=_("where your blocks gather, best choice first: retinue (where your retinue block stands), home, london (a claimant who holds it).")),
        "retinue": Field(ListOf(kinds.troop(kinds.RETINUE, _("a retinue type"), "5.1")),
                         help=_("up to {count} companies ({knights} men-at-arms at most) for the retinue block; what is not taken comes in coins.").format(
                             count=entitled, knights=musters.men_at_arms_limit(entitled))),
        "vassals": Field(MapOf(kinds.BlockNumber(1, view.options["vassal_blocks"], rule="5.1"),
                               MapOf(kinds.troop(kinds.SUPPORTERS, _("bill or levy-archer"), "5.1"), Whole(rule="5.1"), rule="5.1"), rule="5.1"),
                         help=_("companies for each vassal block, by its number; up to {most} in all, {size} in a block; what is not taken comes in coins.").format(
                             most=most, size=size)),
    }, rule="5.1")
    large = [castle for castle in sides.castles_of(view, me) if TABLES.points[castle].castle == "large"]
    hire = Fields(_("`hire`"), {
        "at": Field(ListOf(kinds.castle(_("a large castle of yours"), large, lambda id_: _why_no_hire(view, id_), "5.2")), help=_("large castles of yours, best choice first.")),
        "companies": Field(ListOf(kinds.troop(kinds.MERCENARIES, _("gonne, crossbow or pike"), "5.2"), most=size, rule="5.2"), help=_("one gonne at most.")),
    }, required=("at", "companies"), rule="5.2")
    return {
        "muster": Field(muster, _("Raise your blocks for the year."), "5.1", _("everything as troops, at your retinue block, your home castle or London"), fill=fill),
        "hire": Field(hire, _("Mercenaries for {price} coins each, in the order written, while your coins last.").format(price=numbers.mercenary_price), "5.2",
                      _("nobody is hired"), example={"at": large[:1] or ["london"], "companies": ["pike", "crossbow"]}),
        "bids": Field(MapOf(kinds.burgundians("5.2"), Whole(rule="5.2"), rule="5.2"),
                      _("Your sealed limit in coins for the block of Burgundians, {least} at least. It is cut to the coins in your hand.").format(least=numbers.auction_start),
                      "5.2", _("no bid"), example={"burgundians": numbers.auction_start}),
    }


def _without_zeros(blocks: dict[str, dict[str, int]]) -> dict[str, dict[str, int]]:
    return {number: {type_: count for type_, count in companies.items() if count} for number, companies in blocks.items()}


def _why_no_hire(view: View, castle: str) -> tuple[str, str]:
    name = TABLES.place_names[castle]
    if view.castles[castle] != view.viewer:
        return "NOT-YOURS", _("{place} is not yours").format(place=name)
    return "NOT-LARGE", _("{place} is a small castle").format(place=name)


def _march(view: View) -> Field:
    """5.3."""
    as_in_e12 = parts.marching(view)
    as_in_e12["attempts"] = Field(Whole(), rule="5.3", closed=("WRONG-EDITION", _("{key} does not belong to this edition").format(key="attempts")))
    as_in_e12["keep"] = Field(Whole(rule="5.3"), help=_("do not assault unless the host has so many companies."), default="1")
    group = Fields(_("an item of `march`"), {
        "blocks": Field(ListOf(Choice(dict.fromkeys(block_names(view), ""), rule="5.3"), empty=False, rule="5.3"), help=_("the blocks that march together.")),
        **as_in_e12,
        "sally": Field(YesNo(rule="5.3"), help=_("true: if they are shut up in a castle, come out and fight; if not, march by `to`."), default=_("stay inside")),
    }, required=("blocks",), rule="5.3")
    entries = [{"blocks": blocks, "to": ["hold"], "meet": "halt"} for blocks in _standing_together(view)]
    return Field(ListOf(group, each=True, rule="5.3"), _("Where your blocks go: one item for each group that marches together, in their order."), "5.3",
                 _("all blocks hold their ground"), fill=entries if entries and sides.is_active(view, view.viewer) else None,
                 example=entries or [{"blocks": ["retinue", "vassals-1"], "to": ["hold"], "meet": "halt"}])


def _standing_together(view: View) -> list[list[str]]:
    """The seat's blocks, by where they stand; in Spring those that the default muster makes."""
    me = view.viewer
    if season_of(view.turn + 1) == "Spring":
        place = block_musters.muster_place(view, me, [])
        raised = [f"vassals-{number}" for number in block_musters.default_vassals(view, block_musters.vassals_yield_of(view, me))]
        return [["retinue", *raised]] if place else []
    groups: dict[tuple[str, bool], list[str]] = {}
    for army in view.armies:
        if army.house == me and army.how != "remembered":
            groups.setdefault((army.point, army.inside), []).append(army.group)
    return list(groups.values())


def _winter(view: View) -> dict[str, Field]:
    """5.4."""
    me, numbers = view.viewer, TABLES.numbers.e3
    to_give = [castle for castle in sides.castles_of(view, me) if not sides.is_london_or_claimants_home(castle)]
    castle = kinds.castle(_("a castle of yours, not London, Lancaster or York"), to_give, lambda id_: why_not_given(view, id_) or ("NOT-YOURS", ""), "5.4")
    to_buy = [castle for castle in sides.castles_of(view, me) if castle != sides.home_of(me)]
    loyal = kinds.castle(_("a castle of yours that is not your home"), to_buy, lambda id_: _why_not_bought(view, id_), "5.4")
    blocks = {group: sides.group_of(view, me, group) for group in ("retinue", "mercenaries")}
    keep = {group: min(block.size, block_winter.free_companies(view, me, group)) for group, block in blocks.items() if block is not None}
    return {
        "keep": Field(Fields(_("`keep`"), {
            "retinue": Field(Whole(rule="5.4"), help=_("companies of the retinue block.")), "mercenaries": Field(Whole(rule="5.4"), help=_("companies of the mercenary block.")),
        }, rule="5.4"), _("How many companies stay under arms; each costs {price} coin, but {small} of the retinue at a small castle of yours or an ally, {large} at a large one.").format(
            price=numbers.winter_price, small=numbers.free_winter_retinue["small"], large=numbers.free_winter_retinue["large"]),
            "5.4", _("what costs nothing"), fill=keep or None, example={"retinue": 2}),
        **parts.bargains(view, castle),
        "allegiance": Field(Choice({"stay": "", "change": ""}, rule="5.4"), _("stay or change; who changes sides tests the loyalty of every castle but his home."), "5.4", "stay", fill="stay"),
        "buy_loyalty": Field(ListOf(loyal, unique=True, rule="5.4"),
                             _("If you change sides: castles whose loyalty you buy, best first; a large one for {large} coins, a small one for {small}.").format(
                                 large=numbers.loyalty_price["large"], small=numbers.loyalty_price["small"]), "5.4", _("none"), example=to_buy[:1] or None),
    }


def why_not_given(view: View, castle: str) -> tuple[str, str] | None:
    """5.4 (E3): why the seat cannot give the castle away: (code, words); None if it can."""
    name = TABLES.place_names[castle]
    if view.castles[castle] != view.viewer:
        return "NOT-YOURS", _("{place} is not yours").format(place=name)
    if not sides.is_claimant(view.viewer):
        return "NOT-CLAIMANT", _("only a claimant gives castles away")
    if sides.is_london_or_claimants_home(castle):
        return "HOME", _("{place} is never given away").format(place=name)
    return None


def _why_not_bought(view: View, castle: str) -> tuple[str, str]:
    name = TABLES.place_names[castle]
    if view.castles[castle] == view.viewer:
        return "HOME", _("{place} is your home castle, which stays loyal").format(place=name)
    return "NOT-YOURS", _("{place} is not yours").format(place=name)


def policies() -> dict[str, tuple[Kind, str]]:
    """5.5: policy -> what may stand there, and what it means."""
    return {
        "shelter": (Choice({"always": "", "never": "", "if-outnumbered": ""}, rule="5.5"), _("whether a lone block that is attacked at a castle of yours or an ally goes inside.")),
        "siege_keep": (kinds.AllOr(Whole(rule="5.5")), _("how many companies of a besieged block you feed, for a coin each.")),
        "storm_with": (ListOf(kinds.troop(None, _("a troop type"), "5.5"), unique=True, rule="5.5"), _("which types assault a castle first.")),
        "winter_first": (Choice({"retinue": "", "mercenaries": ""}, rule="5.5"), _("which block stays when both cannot winter at one place.")),
    }
