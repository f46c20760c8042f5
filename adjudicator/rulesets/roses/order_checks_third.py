"""Chapter 5: the refusals and warnings of edition `third` that no single value shows."""

from collections.abc import Callable
from typing import Any

from ...core.orders import Remarks
from ...core.words import _
from . import sides
from .rules import block_musters, musters
from .sight import View
from .state import season_of

CheckMarch = Callable[[tuple, dict[str, Any], list[str], View, Remarks], None]


def check(orders: dict[str, Any], view: View, remarks: Remarks, check_march: CheckMarch) -> None:
    """What has a form of its own in E3. check_march: what all editions ask of a march."""
    if "muster" in orders:
        check_muster(orders["muster"], view, remarks)
    if "hire" in orders and orders["hire"]["companies"].count("gonne") > 1:
        remarks.refuse(("hire", "companies"), "TOO-MANY", _("more than one gonne cannot be hired"), allowed=_("one gonne in a block"), rule="5.2")
    check_blocks(orders.get("march", []), view, remarks)
    for place, march in enumerate(orders.get("march", [])):
        check_march(("march", place), march, starts_of(orders, march["blocks"], view), view, remarks)
    for group, number in orders.get("keep", {}).items():
        block = sides.group_of(view, view.viewer, group)
        if number > (block.size if block is not None else 0):
            remarks.refuse(("keep", group), "TOO-MANY", _("{number} companies are more than the block has").format(number=number),
                           allowed=_("up to {most}").format(most=block.size if block is not None else 0), rule="5.4")


def check_muster(muster: dict[str, Any], view: View, remarks: Remarks) -> None:
    """5.1: not more retinue, men-at-arms or vassal companies than the house is entitled to, nor than a block holds."""
    me, size = view.viewer, view.options["block_size"]
    entitled = block_musters.retinue_entitlement(view, me)
    knights = musters.men_at_arms_limit(entitled)
    retinue = muster.get("retinue", [])
    if len(retinue) > entitled:
        remarks.refuse(("muster", "retinue"), "TOO-MANY", _("{count} retinue companies are more than your {most}").format(count=len(retinue), most=entitled),
                       allowed=_("up to {most} companies: 2 for your home castle, 2 for a claimant's London").format(most=entitled), rule="5.1")
    elif retinue.count("men-at-arms") > knights:
        remarks.refuse(("muster", "retinue"), "TOO-MANY", _("{count} companies of men-at-arms are more than half of your {all}").format(
            count=retinue.count("men-at-arms"), all=entitled), allowed=_("up to {most} men-at-arms").format(most=knights), rule="5.1")
    vassals = muster.get("vassals", {})
    for number, companies in vassals.items():
        if sum(companies.values()) > size:
            remarks.refuse(("muster", "vassals", number), "TOO-MANY", _("{count} companies are more than a block holds").format(count=sum(companies.values())),
                           allowed=_("up to {most} in a block").format(most=size), rule="5.1")
            return
    wanted, most = sum(sum(companies.values()) for companies in vassals.values()), block_musters.vassals_yield_of(view, me)
    if wanted > most:
        remarks.refuse(("muster", "vassals"), "TOO-MANY", _("{count} vassal companies are more than the {most} that can come").format(count=wanted, most=most),
                       allowed=_("up to {most}").format(most=most), rule="5.1")


def check_blocks(marches: list[dict[str, Any]], view: View, remarks: Remarks) -> None:
    """5.3: no block twice; in Summer and Autumn none that is not there, and in a group only such as stand together."""
    named: list[str] = []
    for place, march in enumerate(marches):
        for number, group in enumerate(march["blocks"]):
            if group in named:
                remarks.refuse(("march", place, "blocks", number), "DUPLICATE", _("the block {block} is named twice").format(block=group), rule="5.3")
            named.append(group)
        if season_of(view.turn + 1) != "Spring" and view.houses[view.viewer].status == "active":
            _check_standing(("march", place), march["blocks"], view, remarks)


def _check_standing(path: tuple, groups: list[str], view: View, remarks: Remarks) -> None:
    blocks = {group: sides.group_of(view, view.viewer, group) for group in groups}
    missing = [number for number, group in enumerate(groups) if blocks[group] is None]
    if missing:
        remarks.refuse((*path, "blocks", missing[0]), "NO-BLOCK", _("you have no block {block}").format(block=groups[missing[0]]),
                       allowed=_("your blocks on the map"), rule="5.3")
    elif len({block.point: True for block in blocks.values()}) > 1:
        remarks.refuse((*path, "blocks"), "NOT-TOGETHER", _("these blocks stand at different places"), allowed=_("one item for the blocks of each place"), rule="5.3")


def starts_of(orders: dict[str, Any], groups: list[str], view: View) -> list[str]:
    """Where the blocks may stand when they march: where they are now; in Spring also where they may be raised."""
    me = view.viewer
    starts = [block.point for group in groups if (block := sides.group_of(view, me, group)) is not None]
    if season_of(view.turn + 1) == "Spring":
        wished = orders.get("muster", {}).get("at", [])
        mustered = [point for word in wished if (point := block_musters.place_of(view, me, word)) is not None]
        if not mustered and (place := block_musters.muster_place(view, me, [])) is not None:
            mustered = [place[1]]
        court = block_musters.bidding_place(view, me)
        raised = {"burgundians": [court] if court else [], "mercenaries": orders.get("hire", {}).get("at", [])}
        starts += [point for group in groups for point in raised.get(group, mustered)]
    return list(dict.fromkeys(starts))
