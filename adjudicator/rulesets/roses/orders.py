"""Chapter 5: the orders of the coming turn, declared once for reading, template, schema and rulebook (E12; E3's own in `orders_third`)."""

from dataclasses import replace
from ...core.orders import Choice, Field, Fields, Kind, ListOf, MapOf, Whole, YesNo
from ...core.words import N_, _
from . import order_kinds as kinds
from . import order_parts as parts
from . import orders_third, sides
from .rules import musters
from .sight import View
from .state import DEFAULT_POLICIES, season_of
from .tables import CLAIMANT, TABLES

MARCHING = ("Spring", "Summer", "Autumn")
SEASONS_OF = {
    "muster": ("Spring",), "mercenaries": ("Spring",), "hire": ("Spring",), "bids": ("Spring",), "march": MARCHING, "captain": MARCHING,
    "keep": ("Winter",), "give": ("Winter",), "trade": ("Winter",), "allegiance": ("Winter",), "confiscate": ("Winter",),
    "offices": ("Winter",), "buy_loyalty": ("Winter",), "policy": ("Spring", "Summer", "Autumn", "Winter"),
}
"""5.0: key -> the seasons it belongs to"""
ONLY_E12 = ("mercenaries", "captain", "confiscate", "offices")
ONLY_E3 = ("hire", "keep", "buy_loyalty")
POLICIES_E12 = ("if_attacked", "militia", "plan_attack", "plan_defence")
POLICIES_E3 = ("shelter", "siege_keep", "storm_with", "winter_first")
ONLY_CLAIMANT = {"mercenaries": N_("only a claimant picks free mercenaries"), "confiscate": N_("only a claimant confiscates"),
                 "order_of_march": N_("only a claimant sets the order of march"), "favour": N_("only a claimant judges ties")}
RULE_OF = {"muster": "5.1", "mercenaries": "5.2", "bids": "5.2", "hire": "5.2", "march": "5.3", "captain": "5.3", "policy": "5.5"}


def order_model(view: View) -> Fields:
    """5.0: the orders that this seat may give for the turn after the view's, with the names it can use."""
    declared = _declared(view)
    fields = {key: _closed_or(key, view, declared) for key in SEASONS_OF}
    return Fields(_("`orders`"), {key: field for key, field in fields.items() if not field.closed} | fields, each=True, rule="5.0")


def _closed_or(key: str, view: View, declared: dict[str, Field]) -> Field:
    """5.0: the declaration of a key, closed where it does not belong to the edition, the season or the seat."""
    season = season_of(view.turn + 1)
    e3 = sides.is_e3(view)
    if key in (ONLY_E12 if e3 else ONLY_E3):
        closed = ("WRONG-EDITION", _("{key} does not belong to this edition").format(key=key))
    elif season not in SEASONS_OF[key]:
        closed = ("WRONG-TURN", _("{key} belongs to {seasons}; this is {season}").format(key=key, seasons=", ".join(_(s) for s in SEASONS_OF[key]), season=_(season)))
    elif key in ONLY_CLAIMANT and not sides.is_claimant(view.viewer):
        closed = ("NOT-CLAIMANT", _(ONLY_CLAIMANT[key]))
    elif key in ("allegiance", "buy_loyalty") and sides.is_claimant(view.viewer):
        closed = ("CLAIMANT", _("a claimant heads his faction and cannot leave it"))
    else:
        return declared[key]
    return Field(Whole(), rule=RULE_OF.get(key, "5.4"), closed=closed)


def _declared(view: View) -> dict[str, Field]:
    """The declarations of the season's orders."""
    season = season_of(view.turn + 1)
    declared = {"policy": _policy(view)}
    if sides.is_e3(view):
        return declared | orders_third.declared(view)
    if season == "Spring":
        declared |= _spring(view)
    if season in MARCHING:
        declared |= {"march": _march(view), "captain": _captain(view)}
    if season == "Winter":
        declared |= _winter(view)
    return declared


def _spring(view: View) -> dict[str, Field]:
    """5.1, 5.2."""
    me = view.viewer
    own = sides.castles_of(view, me)
    entitled = musters.retinue_entitlement(view, me)
    default_place = next(iter(musters.default_places(view, me)), None)
    most = musters.supporters_yield_at(view, me, default_place) if default_place else 0
    fill = {"at": [default_place], "retinue": musters.default_retinue(entitled),
            "supporters": {type_: number for type_, number in musters.default_supporters(most).items() if number}}
    muster = Fields(_("`muster`"), {
        "at": Field(ListOf(kinds.castle(_("a castle of yours"), own, lambda id_: ("NOT-YOURS", _("{place} is not yours").format(place=TABLES.place_names[id_])), "5.1")),
                    help=_("where the army gathers, best choice first.")),
        "retinue": Field(ListOf(kinds.troop(kinds.RETINUE, _("a retinue type"), "5.1")),
                         help=_("up to {count} companies ({knights} men-at-arms at most); what is not taken comes in coins.").format(
                             count=entitled, knights=musters.men_at_arms_limit(entitled))),
        "supporters": Field(MapOf(kinds.troop(kinds.SUPPORTERS, _("bill or levy-archer"), "5.1"), Whole(rule="5.1"), rule="5.1"),
                            help=_("companies by type, up to the yield of the place; what is not taken comes in coins.")),
    }, rule="5.1")
    troops = kinds.troop(kinds.MERCENARIES, _("gonne, crossbow or pike"), "5.2")
    return {
        "muster": Field(muster, _("Raise your army for the year."), "5.1", _("everything as troops, at your home castle if you hold it"),
                        fill=fill if default_place and sides.is_active(view, me) else None, example=fill if default_place else None),
        "mercenaries": Field(ListOf(troops), _("Which free companies you pick, best first, if the other faction holds London."), "5.2",
                             "gonne, gonne, crossbow, pike", example=["gonne", "gonne", "pike"]),
        "bids": Field(MapOf(kinds.bid_key("5.2"), Whole(rule="5.2"), rule="5.2"),
                      _("Your sealed limit in coins for one company of a type; `any` is every other type. It is cut to the coins in your hand."), "5.2", _("no bids"),
                      example={"gonne": 3, "any": 1}),
    }


def _march(view: View) -> Field:
    return Field(Fields(_("`march`"), parts.marching(view), rule="5.3"), _("Where your lord's army goes."), "5.3", _("it holds its ground"),
                 fill={"to": ["hold"], "meet": "halt"} if sides.is_active(view, view.viewer) else None, example={"to": ["hold"], "meet": "halt"})


def _captain(view: View) -> Field:
    fields = {
        "detach": Field(MapOf(kinds.troop(None, _("a troop type"), "5.3"), Whole(rule="5.3"), rule="5.3"),
                        help=_("companies that leave the lord's army and follow the captain.")),
        "rejoin": Field(YesNo(rule="5.3"), help=_("true: the captain's army joins the lord's, if they stand together.")),
        "after": Field(YesNo(rule="5.3"), help=_("true: march after the lord's army; false: before it."), default="true"),
    }
    as_in_march = {key: replace(field, help="", default="") for key, field in parts.marching(view).items()}
    return Field(Fields(_("`captain`"), fields | as_in_march, rule="5.3"), _("A second army, led by your captain: to, with, meet, storm, attempts, keep as in `march`, and:"), "5.3",
                 _("no second army; one that exists holds"), example={"detach": {"bill": 2}, "to": ["hold"]})


def _winter(view: View) -> dict[str, Field]:
    """5.4."""
    me = view.viewer
    castle = kinds.castle(_("a castle of yours that is not your home"), [c for c in sides.castles_of(view, me) if c != sides.home_of(me)],
                          lambda id_: ("HOME", _("{place} is your home castle").format(place=TABLES.place_names[id_])) if id_ == sides.home_of(me) and view.castles[id_] == me
                          else ("NOT-YOURS", _("{place} is not yours").format(place=TABLES.place_names[id_])), "5.4")
    return {
        **parts.bargains(view, castle),
        "confiscate": Field(ListOf(kinds.castle(_("a castle of a vassal of yours, not his home"), _confiscable(view), lambda id_: _why_not_confiscable(view, id_), "5.4")),
                            _("Take one castle from a vassal of yours: the first of the list that can be taken. He may then leave you without penalty."), "5.4", _("nothing"),
                            example=_confiscable(view)[:1] or None),
        "allegiance": Field(Choice({"stay": "", "change": "", "change-if-confiscated": ""}, rule="5.4"),
                            _("stay, change (2 prestige), or change-if-confiscated (free, if your claimant takes a castle from you)."), "5.4", "stay", fill="stay"),
        "offices": Field(Whole(rule="5.4"), _("Buy at most so many offices: {price} coins each, 1 prestige each.").format(price=sides.edition(view).office_price), "5.4", "0", fill=0),
    }


def _confiscable(view: View) -> list[str]:
    """5.4: castles of the claimant's vassals that are not their home castles, in id order."""
    return [castle for castle in TABLES.castles if _why_not_confiscable(view, castle) is None]


def _why_not_confiscable(view: View, castle: str) -> tuple[str, str] | None:
    controller = view.castles[castle]
    name = TABLES.place_names[castle]
    if controller in (None, view.viewer) or sides.is_claimant(controller) or view.houses[controller].faction != view.houses[view.viewer].faction \
            or view.houses[controller].status == "dormant":
        return "NOT-YOURS", _("{place} belongs to no vassal of yours").format(place=name)
    if sides.home_of(controller) == castle:
        return "HOME", _("{place} is the home castle of {house}").format(place=name, house=TABLES.house_names[controller])
    return None


def _policy(view: View) -> Field:
    """5.5."""
    e3 = sides.is_e3(view)
    list_of_houses = ListOf(kinds.house("5.5"), unique=True, rule="5.5")
    all_kinds = {
        "if_attacked": (Choice({"stand": "", "evade": "", "evade-if-outnumbered": ""}, rule="5.5"), _("stand, evade, or evade-if-outnumbered; who tries to evade calls no militia.")),
        "retreat_to": (ListOf(kinds.place("5.5"), rule="5.5"), _("places to retreat to, best first.")),
        "militia": (Whole(0, TABLES.numbers.e12.militia_max, rule="5.5"), _("how many militia dice you throw before a battle.")),
        "losses": (ListOf(kinds.class_or_type("5.5"), unique=True, rule="5.5"), _("which companies you lose first.")),
        "plan_attack": (kinds.plan(), _("how your force is divided into van, middle and rear when you attack.")),
        "plan_defence": (kinds.plan(), _("the same when you defend.")),
        "meet": (Choice(kinds.MEETINGS, rule="5.5"), _("what to do about enemies in the way, where `march` does not say.")),
        "order_of_march": (list_of_houses, _("the order in which the houses of your faction march.")),
        "favour": (list_of_houses, _("who wins tied bids while your faction holds London.")),
    }
    if e3:
        all_kinds = {key: all_kinds[key] for key in all_kinds if key not in POLICIES_E12} | orders_third.policies()
    fields = {key: _policy_field(view, key, kind, about) for key, (kind, about) in all_kinds.items()}
    for key in POLICIES_E12 if e3 else POLICIES_E3:
        fields[key] = Field(Whole(), rule="5.5", closed=("WRONG-EDITION", _("{key} does not belong to this edition").format(key=key)))
    return Field(Fields(_("`policy`"), fields, each=True, rule="5.5"), _("Standing answers; each stays as it is until you change it, `default` resets it."), "5.5",
                 _("as they stand below"))


def _policy_field(view: View, key: str, kind: Kind, about: str) -> Field:
    """One policy, filled in as it is now; closed to vassals where only a claimant has it."""
    closed = ("NOT-CLAIMANT", _(ONLY_CLAIMANT[key])) if key in ONLY_CLAIMANT and not sides.is_claimant(view.viewer) else None
    claimant = [CLAIMANT[view.houses[view.viewer].faction]] if view.viewer in view.houses else []
    return Field(kinds.OrDefault(kind), about, "5.5", fill=None if closed else view.policies.get(key), closed=closed,
                 example=claimant if key in ONLY_CLAIMANT and claimant else DEFAULT_POLICIES[key])
