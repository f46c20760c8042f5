"""One plain sentence for each kind of event (7.3), and the whole story of a battle."""

from collections.abc import Callable
from typing import Any

from ...core.events import Event
from ...core.report import Badge, Block, Column, DiceSpan, Inline, Paragraph, Span, Spans, Story, Table, listed, say
from ...core.words import N_, _, ngettext
from .tables import TABLES

Data = dict[str, Any]

TROOP_WORDS = {
    "gonne": (N_("gun"), N_("guns")), "crossbow": (N_("crossbow"), N_("crossbows")), "retinue-archer": (N_("retinue archer"), N_("retinue archers")),
    "levy-archer": (N_("levy archer"), N_("levy archers")), "men-at-arms": (N_("man-at-arms"), N_("men-at-arms")),
    "retinue-bill": (N_("retinue bill"), N_("retinue bills")), "pike": (N_("pike"), N_("pikes")), "bill": (N_("bill"), N_("bills")),
}
WARDS = {"van": N_("van"), "middle": N_("middle"), "rear": N_("rear")}
ROUNDS = {"artillery": N_("artillery"), "missile": N_("missiles"), "melee": N_("melee"), "archers": N_("archers"), "knights": N_("knights"), "foot": N_("foot")}
FACTIONS = {"lancastrian": N_("Lancastrian"), "yorkist": N_("Yorkist")}
FACTIONS_MANY = {"lancastrian": N_("Lancastrians"), "yorkist": N_("Yorkists")}
SKIPPED = {
    "not-active": N_("the house was captive or neutral"), "no-castle": N_("the castle was not there to be had"), "no-place": N_("there was no place for it"),
    "not-together": N_("the two armies did not stand together"), "nothing-to-detach": N_("there was nobody who could be detached"), "no-army": N_("there was no army to march"),
    "shut-in": N_("it is shut up in a castle"), "void": N_("the other army did not stand there, or its turn was over"),
    "other-host": N_("another host of the faction had stormed the castle this season"), "nobody-pays": N_("there was no retinue or supporters’ company to spend"),
    "keep": N_("too few companies would have remained"), "inviolable": N_("the castle cannot be stormed"), "none-can-be-taken": N_("none of these castles could be taken"),
    "no-coins": N_("the coins were missing"), "captive": N_("a captive cannot change sides"), "shared-player": N_("its player holds another seat"),
    "forced": N_("it was forced to change sides this winter"), "changed-before": N_("it has changed sides before"), "broken": N_("it failed by a fault of the program; the game master knows"),
}
PASSED = {
    "when": N_("its condition did not hold"), "not-seen": N_("the hunted lord was not in sight"), "no-army": N_("the friend had no army on the map"),
    "not-joined": N_("no road led there"), "no-route": N_("the way was barred"), "too-far": N_("it was too far"),
}
TRADE_LAPSED = {"no-match": N_("the other house named no such bargain"), "no-coins": N_("the coins were missing"), "no-castle": N_("a castle was not there to be given"),
                "no-allegiance": N_("the allegiance could not be given")}
ALLEGIANCE = {"free": N_("of its own will"), "wronged": N_("wronged by its lord"), "pledged": N_("as it had pledged"), "forced": N_("forced by defeat")}
GROUPS = {"lord": N_("the lord’s army"), "captain": N_("the captain’s army"), "retinue": N_("the retinue"), "mercenaries": N_("the mercenaries"), "burgundians": N_("the Burgundians"),
          **{f"vassals-{number}": N_("the vassals") for number in range(1, 6)}}


# Words

def house(id_: str) -> Badge:
    return Badge(id_, _(TABLES.houses[id_].name))


def place(id_: str) -> Span:
    return Span(_(TABLES.points[id_].name), "name")


def houses(ids: list[str]) -> Spans:
    return listed([house(id_) for id_ in ids])


def places(ids: list[str]) -> Spans:
    return listed([place(id_) for id_ in ids])


def troops(type_: str, number: int) -> str:
    """"3 bills\""""
    one, many = TROOP_WORDS[type_]
    return f"{number} {ngettext(one, many, number)}"


def companies(by_type: dict[str, int]) -> str:
    """"2 men-at-arms, 3 bills", in type order."""
    return ", ".join(troops(type_, by_type[type_]) for type_ in TABLES.troops if by_type.get(type_)) or _("no companies")


def count_types(types: list[str]) -> str:
    """The same from a list with one entry a company."""
    return companies({type_: types.count(type_) for type_ in types})


def coins(number: int) -> str:
    return ngettext("{n} coin", "{n} coins", number).format(n=number)


def companies_count(number: int) -> str:
    return ngettext("{n} company", "{n} companies", number).format(n=number)


def prestige(number: int) -> str:
    return ngettext("{n} prestige", "{n} prestige", number).format(n=f"+{number}" if number > 0 else f"−{-number}" if number else "0")


def group(id_: str) -> str:
    """"the captain’s army", "the vassals 2\""""
    words = _(GROUPS.get(id_, id_))
    return f"{words} {id_[-1]}" if id_.startswith("vassals-") else words


def die(value: int | None, hit_on: int = 0) -> Inline:
    return DiceSpan([value], hit_on) if value is not None else Span("")


def goods(part: Data) -> Spans:
    """What one side of a bargain gives."""
    things: list[Spans | Inline | str] = []
    if part.get("coins"):
        things.append(coins(part["coins"]))
    if part.get("castles"):
        things.append(places(part["castles"]))
    if part.get("allegiance"):
        things.append(_("allegiance"))
    return listed(things) if things else [Span(_("nothing"))]


# Sentences

TELLINGS: dict[str, Callable[[Data], Spans]] = {}


def telling(kind: str) -> Callable[[Callable[[Data], Spans]], Callable[[Data], Spans]]:
    """Enter a function in the book of tellings."""
    def enter(function: Callable[[Data], Spans]) -> Callable[[Data], Spans]:
        TELLINGS[kind] = function
        return function
    return enter


def tell(event: Event) -> Spans:
    """The event in one or two sentences."""
    telling_ = TELLINGS.get(event.kind)
    return telling_(event.data) if telling_ else [Span(f"{event.kind}: {event.data}")]


@telling("captive-income")
def _captive_income(d: Data) -> Spans:
    return say(_("{house} is captive: {coins} of its income go to {captor}."), house=house(d["house"]), captor=house(d["captor"]), coins=coins(d["coins"]))


@telling("muster")
def _muster(d: Data) -> Spans:
    if "companies" not in d:
        return say(_("{house} musters at {place}."), house=house(d["house"]), place=place(d["place"]))
    said = say(_("{house} musters at {place}: {companies}."), house=house(d["house"]), place=place(d["place"]), companies=companies(d["companies"]))
    if d.get("coins"):
        said += say(_(" {coins} come in."), coins=coins(d["coins"]))
    if d.get("cut"):
        said += say(_(" Not to be had: {types}."), types=count_types(d["cut"]))
    return said


@telling("mercenaries-free")
def _mercenaries_free(d: Data) -> Spans:
    return say(_("{house} takes free mercenaries: {types}."), house=house(d["house"]), types=count_types(d["types"]))


@telling("auction-lot")
def _auction_lot(d: Data) -> Spans:
    lot = _("The Burgundians") if d["lot"] == "burgundians" else say(_("Lot {n}, {type}"), n=d["lot"], type=_(TROOP_WORDS[d["type"]][0]))
    if d["winner"] is None:
        return say(_("{lot}: nobody bid."), lot=lot)
    said = say(_("{lot}: {house} pays {coins}."), lot=lot, house=house(d["winner"]), coins=coins(d["price"]))
    if d.get("tied"):
        by = say(_("the die {die}"), die=DiceSpan([d["die"]], 0, len(d["tied"]))) if d.get("die") is not None else _("the favour of the claimant")
        said += say(_(" {houses} had bid the same; {by} decided."), houses=houses(d["tied"]), by=by)
    return said


@telling("hired")
def _hired(d: Data) -> Spans:
    return say(_("{house} hires at {place}: {types}, for {coins}."), house=house(d["house"]), place=place(d["place"]), types=count_types(d["types"]), coins=coins(d["coins"]))


@telling("rejoined")
def _rejoined(d: Data) -> Spans:
    return say(_("{house}’s captain rejoins his lord at {place} with {companies}."), house=house(d["house"]), place=place(d["point"]), companies=companies(d["companies"]))


@telling("detached")
def _detached(d: Data) -> Spans:
    return say(_("{house}’s captain leaves his lord at {place} with {companies}."), house=house(d["house"]), place=place(d["point"]), companies=companies(d["companies"]))


@telling("waited")
def _waited(d: Data) -> Spans:
    return say(_("{house} waits for {leader}."), house=house(d["house"]), leader=house(d["leader"]))


@telling("followed")
def _followed(d: Data) -> Spans:
    return say(_("{house} marches with {leader}."), house=house(d["house"]), leader=house(d["leader"]))


@telling("march-skipped")
def _march_skipped(d: Data) -> Spans:
    army = d["group"] if isinstance(d["group"], str) else ", ".join(group(id_) for id_ in d["group"])
    army = group(army) if army in GROUPS else army
    reasons = "; ".join(_("entry {n}: {reason}").format(n=number, reason=_(PASSED.get(reason, reason))) for number, reason in d["passed"])
    end = _("Entry {n} was taken.").format(n=d["taken"]) if d["taken"] is not None else _("None could be taken: it held.")
    return say(_("Of the march order of {army} was passed over: {reasons}. {end}"), army=army, reasons=reasons, end=end)


def _side(pieces: list[list[Any]]) -> Spans:
    return listed([say(_("{house} ({n})"), house=house(id_), n=number) for id_, _group, number in pieces])


@telling("contact")
def _contact(d: Data) -> Spans:
    what = _("{attackers} met {defenders} at {place} and attacked.") if d["attacked"] else _("{attackers} met {defenders} at {place} and halted.")
    return say(what, attackers=_side(d["attackers"]), defenders=_side(d["defenders"]), place=place(d["point"]))


@telling("march")
def _march(d: Data) -> Spans:
    followers = [id_ for id_ in d["houses"] if id_ != d["leader"]]
    host = say(_("{leader} with {followers}"), leader=house(d["leader"]), followers=houses(followers)) if followers else [house(d["leader"])]
    if not d["route"]:
        return say(_("{host} did not come away from {place}."), host=host, place=place(d.get("start", d["end"])))
    if d.get("start"):
        said = say(_("{host} marched from {start} by {route}."), host=host, start=place(d["start"]), route=places(d["route"]))
    else:
        said = say(_("{host} marched by {route}."), host=host, route=places(d["route"]))
    return said if d["end"] == d["route"][-1] else said + say(_(" It ended at {end}."), end=place(d["end"]))


@telling("evade")
def _evade(d: Data) -> Spans:
    needed = TABLES.numbers.e12.evade_on
    if d["success"]:
        return say(_("At {place} {defender} slipped away to {to}: {die}."), place=place(d["point"]), defender=house(d["defender"]), to=place(d["to"]), die=die(d["die"], needed))
    return say(_("At {place} {defender} tried to slip away in vain: {die}, {n} was needed."), place=place(d["point"]), defender=house(d["defender"]), die=die(d["die"], needed), n=needed)


@telling("battle")
def _battle(d: Data) -> Spans:
    winners, losers = (d["attackers"], d["defenders"]) if d["winner"] == "attack" else (d["defenders"], d["attackers"])
    what = _("{winners} beat {losers} at {place}") if d["winner"] == "attack" else _("{winners} beat off {losers} at {place}")
    said = say(what, winners=houses(winners), losers=houses(losers), place=place(d["point"]))
    if d["major"]:
        said += say(_(" in a {major} battle"), major=Span(_("major"), "strong"))
    commander = d["attack"] if d["winner"] == "attack" else d["defence"]
    return said + (say(_(": {prestige} for {house}."), prestige=prestige(d["prestige"]), house=house(commander)) if d["prestige"] else [Span(".")])


@telling("battle-detail")
def _battle_detail(d: Data) -> Spans:
    return say(_("The battle of {place} is told in full."), place=place(d["point"]))


@telling("beaten-retreat")
def _beaten_retreat(d: Data) -> Spans:
    return say(_("{houses} fell back from {start} to {to}."), houses=houses(d["houses"]), start=place(d["from"]), to=place(d["to"]))


@telling("captured")
def _captured(d: Data) -> Spans:
    return say(_("The lord of {house} is taken: {strong} of {captor}."), house=house(d["house"]), strong=Span(_("captive"), "strong"), captor=house(d["captor"]))


@telling("captain-lost")
def _captain_lost(d: Data) -> Spans:
    return say(_("{house}’s captain is lost until spring."), house=house(d["house"]))


@telling("storm")
def _storm(d: Data) -> Spans:
    guns = ngettext(" with {n} gun", " with {n} guns", d["gonnes"]).format(n=d["gonnes"]) if d["gonnes"] else ""
    what = _("{house} stormed {place}{guns}: {die}, {needed} or more was needed: {taken}.") if d["success"] else _("{house} stormed {place}{guns} in vain: {die}, {needed} or more was needed.")
    needed = max(1, d["needed"] - d["gonnes"] * TABLES.numbers.e12.storm_gonne_bonus)   # each gun gives one
    return say(what, house=house(d["house"]), place=place(d["point"]), guns=guns, die=die(d["die"], needed), needed=needed, taken=Span(_("taken"), "strong"))


@telling("storm-paid")
def _storm_paid(d: Data) -> Spans:
    return say(_("{house} spent {company} on the walls of {place}."), house=house(d["house"]), company=troops(d["type"], 1), place=place(d["point"]))


@telling("castle-taken")
def _castle_taken(d: Data) -> Spans:
    if d["from"] is None:
        said = say(_("{by} takes {castle}, which nobody held"), by=house(d["by"]), castle=place(d["castle"]))
    else:
        said = say(_("{by} takes {castle} from {former}"), by=house(d["by"]), castle=place(d["castle"]), former=house(d["from"]))
    if d["to"] != d["by"]:
        said += say(_("; it goes to {to}"), to=house(d["to"]))
    return said + (say(_(": {prestige}."), prestige=prestige(d["prestige"])) if d["prestige"] else [Span(".")])


@telling("home-fallen")
def _home_fallen(d: Data) -> Spans:
    home = TABLES.houses[d["house"]].home
    said = say(_("{strong}: {by} stormed {home}, home of {house}. {moved} for {by2}, {lost} for {house2}."), strong=Span(_("A home castle has fallen"), "strong"), by=house(d["by"]), home=place(home),
               house=house(d["house"]), moved=prestige(d["prestige"] + d["bonus"]), by2=house(d["by"]), lost=prestige(-d["prestige"]), house2=house(d["house"]))
    holder = _(" {house} gets it back.") if d["holder"] == d["house"] else _(" {house} keeps it.")
    return said + say(holder, house=house(d["holder"]))


@telling("neutral")
def _neutral(d: Data) -> Spans:
    if d["until"] is None:
        return say(_("{house} is neutral: out of the war for now."), house=house(d["house"]))
    return say(_("{house} is neutral to the end of {year}."), house=house(d["house"]), year=d["until"])


@telling("active")
def _active(d: Data) -> Spans:
    return say(_("{house} takes up arms again."), house=house(d["house"]))


@telling("dysentery")
def _dysentery(d: Data) -> Spans:
    if d["house"] is None:
        return say(_("The crowded camp at {place} is tested for sickness and spared: {die}."), place=place(d["point"]), die=die(d["die"]))
    return say(_("Sickness in the crowded camp at {place}: {die}. {house} loses {company}."), place=place(d["point"]), die=die(d["die"]), house=house(d["house"]), company=troops(d["type"], 1))


@telling("disbanded")
def _disbanded(d: Data) -> Spans:
    said = say(_("{house} disbands: {what}."), house=house(d["house"]), what=", ".join(group(id_) for id_ in d["what"])) if d["what"] else []
    if d.get("kept"):
        kept = "; ".join(f"{group(id_)}: {companies(kept) if isinstance(kept, dict) else companies_count(kept)}" for id_, kept in d["kept"].items())
        said += say(_(" Kept through the winter: {kept}, for {coins}."), kept=kept, coins=coins(d["coins"]))
    return said or say(_("{house} has nothing to disband."), house=house(d["house"]))


@telling("confiscated")
def _confiscated(d: Data) -> Spans:
    return say(_("{to} confiscates {castle} from {former}."), to=house(d["to"]), castle=place(d["castle"]), former=house(d["from"]))


@telling("castle-given")
def _castle_given(d: Data) -> Spans:
    return say(_("{former} hands {castle} over to {to}."), former=house(d["from"]), castle=place(d["castle"]), to=house(d["to"]))


@telling("trade-done")
def _trade_done(d: Data) -> Spans:
    return say(_("Bargain struck: {a} gives {x}; {b} gives {y}."), a=house(d["a"]), x=goods(d["a_gives"]), b=house(d["b"]), y=goods(d["b_gives"]))


@telling("trade-lapsed")
def _trade_lapsed(d: Data) -> Spans:
    return say(_("Bargain lapsed: {a} would have given {x}, {b} {y}: {reason}."), a=house(d["a"]), x=goods(d["a_gives"]), b=house(d["b"]), y=goods(d["b_gives"]), reason=_(TRADE_LAPSED.get(d["reason"], d["reason"])))


@telling("coins-given")
def _coins_given(d: Data) -> Spans:
    return say(_("{giver} gives {coins} to {to}."), giver=house(d["from"]), coins=coins(d["coins"]), to=house(d["to"]))


@telling("gift-skipped")
def _gift_skipped(d: Data) -> Spans:
    what = coins(d["what"]["coins"]) if "coins" in d["what"] else place(d["what"]["castle"])
    return say(_("{house} could not give {what} to {to}: {reason}."), house=house(d["house"]), what=what, to=house(d["to"]), reason=_(SKIPPED.get(d["reason"], d["reason"])))


@telling("office")
def _office(d: Data) -> Spans:
    return say(ngettext("{house} buys {n} office for {coins}.", "{house} buys {n} offices for {coins}.", d["number"]), house=house(d["house"]), n=d["number"], coins=coins(d["coins"]))


@telling("allegiance")
def _allegiance(d: Data) -> Spans:
    said = say(_("{house} goes over to the {faction}, {why}"), house=house(d["house"]), faction=Span(_(FACTIONS_MANY[d["to"]]), "strong"), why=_(ALLEGIANCE[d["why"]]))
    return said + (say(_(": {prestige}."), prestige=prestige(d["prestige"])) if d["prestige"] else [Span(".")])


@telling("order-skipped")
def _order_skipped(d: Data) -> Spans:
    return say(_("{house}’s order {order} was skipped: {reason}."), house=house(d["house"]), order=Span(d["order"], "code"), reason=_(SKIPPED.get(d["reason"], d["reason"])))


@telling("order-failed")
def _order_failed(d: Data) -> Spans:
    return say(_("An order of {house} could not be carried out by a fault of the program ({order}). The game master knows."), house=house(d["seat"]), order=Span(str(d["order"]), "code"))


@telling("legitimacy")
def _legitimacy(d: Data) -> Spans:
    if d["faction"] is None:
        return say(_("Nobody is legitimate now: no faction controls {london}."), london=place("london"))
    return say(_("The {faction} control {london} and are legitimate."), faction=_(FACTIONS_MANY[d["faction"]]), london=place("london"))


@telling("victory")
def _victory(d: Data) -> Spans:
    return _winners(d, _("{claimant} has won the crown of England"))


@telling("end")
def _end(d: Data) -> Spans:
    if d["claimant"] is None:
        return say(_("The war ends without a winner."))
    return _winners(d, _("The war ends: a marginal victory for {claimant}"))


def _winners(d: Data, sentence: str) -> Spans:
    said = say(sentence, claimant=house(d["claimant"]))
    return said + (say(_(", shared with {vassals}."), vassals=houses(d["vassals"])) if d["vassals"] else [Span(".")])


# Third edition

@telling("assault")
def _assault(d: Data) -> Spans:
    what = (_("{house} assaulted {place}: {taken}.") if d["taken"] else _("{house} assaulted {place} and won, but the castle holds.") if d["success"] else _("{house} assaulted {place} in vain."))
    return say(what, house=house(d["house"]), place=place(d["point"]), taken=Span(_("taken"), "strong"))


@telling("assault-detail")
def _assault_detail(d: Data) -> Spans:
    return say(_("The assault on {place} is told in full."), place=place(d["point"]))


@telling("rout")
def _rout(d: Data) -> Spans:
    cause = {"retinue": _("has lost its retinue"), "home": _("has lost its home castle"), "london": _("has lost London"), "surrender": _("has surrendered")}.get(d["cause"], d["cause"])
    said = say(_("{house} {cause}"), house=house(d["house"]), cause=Span(cause, "strong"))
    return said + (say(_(" to {victor}: {prestige}."), victor=house(d["victor"]), prestige=prestige(d["prestige"])) if d["victor"] else [Span(".")])


@telling("sheltered")
def _sheltered(d: Data) -> Spans:
    return say(_("{house} takes shelter in {place}: {block}."), house=house(d["house"]), place=place(d["point"]), block=group(d["block"]))


@telling("siege-lifted")
def _siege_lifted(d: Data) -> Spans:
    return say(_("The siege of {place} is lifted; {house} comes out: {block}."), house=house(d["house"]), place=place(d["point"]), block=group(d["block"]))


@telling("sally")
def _sally(d: Data) -> Spans:
    return say(_("{house} sallies from {place}."), house=house(d["house"]), place=place(d["point"]))


@telling("siege-paid")
def _siege_paid(d: Data) -> Spans:
    if "kept" not in d:
        return say(_("Hunger in {place}: {house} loses {n}."), place=place(d["point"]), house=house(d["house"]), n=companies_count(d["disbanded"]))
    said = say(_("Besieged in {place}, {house} keeps {n} for {coins}."), place=place(d["point"]), house=house(d["house"]), n=companies_count(d["kept"]), coins=coins(d["coins"]))
    return said + (say(_(" Gone: {types}."), types=count_types(d["disbanded"])) if d["disbanded"] else [])


@telling("surrender")
def _surrender(d: Data) -> Spans:
    return say(_("{house} surrenders in {place} to {to}."), house=house(d["house"]), place=place(d["point"]), to=house(d["to"]))


@telling("loyalty-test")
def _loyalty_test(d: Data) -> Spans:
    if d["bought"]:
        return say(_("{house} buys the loyalty of {castle}."), house=house(d["house"]), castle=place(d["castle"]))
    what = _("{castle} stays loyal to {house}: {die}.") if d["kept"] else _("{castle} falls away from {house}: {die}. Nobody holds it.")
    return say(what, house=house(d["house"]), castle=place(d["castle"]), die=die(d["die"]))


@telling("sorted-out")
def _sorted_out(d: Data) -> Spans:
    if d["to"] is None:
        return say(_("{house} disbands {block} at {start}: it has nowhere to go."), house=house(d["house"]), block=group(d["block"]), start=place(d["from"]))
    return say(_("{house} moves {block} from {start} to {to}."), house=house(d["house"]), block=group(d["block"]), start=place(d["from"]), to=place(d["to"]))


# A fight in full

def fight_story(event: Event, around: list[Event]) -> Story:
    """6.5, 6.7: both forces, militia, wards, every round with its dice, who holds the field, and why.

    around: the events that belong to the same fight (evasion, retreat, captives), told inside
    """
    d = event.data
    assault = event.kind == "assault-detail"
    title = say(_("The assault on {place}") if assault else _("The battle of {place}"), place=place(d["point"]))
    blocks: list[Block] = [Paragraph(tell(other)) for other in around if other.kind in ("contact", "evade")]
    if "militia" in d:
        blocks += [Paragraph(spans) for spans in (_militia(d, "attack"), _militia(d, "defence")) if spans]
    blocks.append(_wards(d) if "field" in d else _hosts(d))
    rounds = _rounds(d) if "rounds" in d else _phases(d)
    if rounds.rows:
        blocks.append(rounds)
    blocks += [Paragraph(spans) for spans in _result(d)]
    blocks += [Paragraph(tell(other)) for other in around if other.kind not in ("contact", "evade")]
    return Story(title, blocks, "battle")


def _militia(d: Data, side: str) -> Spans:
    militia = d["militia"][side]
    if not militia.get("dice"):
        return []
    brought = say(_(" Up come {types}."), types=count_types(militia["brought"])) if militia["brought"] else [Span(_(" Nobody comes."))]
    return say(_("{house} calls out the militia and needs {needed}: {dice}."), house=house(d[side]), needed=militia["needed"], dice=DiceSpan(militia["dice"], max(1, militia["needed"]))) + brought


def _units(units: list[Data]) -> Spans:
    """Companies of a force or ward: by house where there are several."""
    by_house: dict[str, list[Data]] = {}
    for unit in units:
        by_house.setdefault(unit["house"], []).append(unit)
    parts: list[Spans | Inline | str] = []
    for id_, of_house in by_house.items():
        own, militia = [[unit["type"] for unit in of_house if (unit["class"] == "militia") == called] for called in (False, True)]
        words = "; ".join(part for part in (count_types(own) if own else "", _("militia: {types}").format(types=count_types(militia)) if militia else "") if part)
        parts.append(say(_("{house}: {companies}"), house=house(id_), companies=words) if len(by_house) > 1 else words)
    return listed(parts, "; ") if parts else [Span(_("nobody"), "quiet")]


def _wards(d: Data) -> Table:
    """The three wards side by side: what stood in each, for both."""
    rows = []
    for side, title in (("attack", _("attack")), ("defence", _("defence"))):
        cells = []
        for ward in WARDS:
            cell = _units([unit for unit in d["forces"][side] if unit["ward"] == ward])
            if ward in d["captains"][side]:
                cell = cell + [Span(_("; the captain"), "em")]
            cells.append(cell)
        rows.append([say(_("{house}, {side}"), house=house(d[side]), side=title) + say(" ({n})", n=len(d["forces"][side])), *cells])
    return Table([Column(""), *(Column(_(ward), wide=True) for ward in WARDS.values())], rows, _("The wards"))


def _hosts(d: Data) -> Table:
    names = {"attack": _("attack"), "defence": _("defence"), "garrison": _("garrison")}
    rows = []
    for side, units in d["forces"].items():
        who = [house(d[side])] if d.get(side) else []
        rows.append([who + say(" {side}", side=names.get(side, side)), _units(units) if isinstance(units, list) else [Span(companies_count(units))]])
    return Table([Column(""), Column(_("forces"), wide=True)], rows)


def _throw(throw: Data) -> Spans:
    """Dice by type, those that hit filled: "2 bills (4+) ...", and the first throw of a captain's re-roll."""
    said = _dice_by_type(throw["dice"])
    if throw.get("rerolled"):
        said += say(_(" (re-rolled by the captain, first {dice})"), dice=_dice_by_type(throw["rerolled"]))
    return said


def _dice_by_type(dice: list[list[Any]]) -> Spans:
    by_type: dict[str, list[int]] = {}
    for type_, value in dice:
        by_type.setdefault(type_, []).append(value)
    parts: list[Spans | Inline | str] = []
    for type_, values in by_type.items():
        needed = TABLES.troops[type_].hit if type_ in TABLES.troops else TABLES.numbers.e3.garrison_hit
        name = _(TROOP_WORDS[type_][1]) if type_ in TROOP_WORDS else _("garrison")
        parts.append([Span(f"{name} "), DiceSpan(values, needed)])
    return listed(parts, "; ")


def _lost(units: list[Data] | list[str]) -> Spans:
    if not units:
        return [Span("–", "quiet")]
    return _units(units) if isinstance(units[0], dict) else [Span(count_types(units))]


def _rounds(d: Data) -> Table:
    """Every round and ward in which a die was thrown."""
    rows, marked_round = [], ""
    for each in d["rounds"]:
        for ward in each["wards"]:
            throws = [ward["attack"], ward["defence"]]
            name = _(ROUNDS[each["round"]]) if each["round"] != marked_round else ""
            marked_round = each["round"]
            rows.append([[Span(name, "strong")], [Span(_(WARDS[ward["ward"]]))],
                         *(cell for throw in throws for cell in (_throw(throw) if throw["dice"] else [Span("–", "quiet")], _lost_and_carried(throw)))])
    return Table([Column(_("round")), Column(_("ward")), Column(_("attack"), wide=True), Column(_("its losses")), Column(_("defence"), wide=True), Column(_("its losses"))], rows,
                 _("The rounds: filled dice hit"))


def _lost_and_carried(throw: Data) -> Spans:
    said = _lost(throw["lost"])
    return said + say(_(" ({n} damage carried)"), n=throw["carried"]) if throw.get("carried") else said


def _phases(d: Data) -> Table:
    """E3: the three phases of a battle or an assault."""
    rows = []
    for each in d.get("phases", []):
        rows.append([[Span(_(ROUNDS.get(each.get("phase", ""), str(each.get("phase", "")))), "strong")],
                     *(cell for side in ("attack", "defence") for cell in _phase_cells(each, side))])
    return Table([Column(_("phase")), Column(_("attack"), wide=True), Column(_("its losses")), Column(_("defence"), wide=True), Column(_("its losses"))], rows, _("The phases: filled dice hit"))


def _phase_cells(each: Data, side: str) -> list[Spans]:
    """The dice and the losses of one side in one phase; the garrison throws and falls with the defence."""
    throw, garrison = each.get(side) or {}, (each.get("garrison") or {}) if side == "defence" else {}
    dice = [*throw.get("dice", []), *(["garrison", value] for value in garrison.get("dice", []))]
    parts: list[Spans | Inline | str] = [_lost(throw["lost"])] if throw.get("lost") else []
    if garrison.get("lost"):
        parts.append(_("garrison: {n}").format(n=garrison["lost"]))
    return [_dice_by_type(dice) if dice else [Span("–", "quiet")], listed(parts, "; ") if parts else _lost([])]


def _result(d: Data) -> list[Spans]:
    """Who holds which ward, who won and why, what the loser lost besides."""
    said = []
    losses = d.get("losses") or {}
    if "field" in d:
        held = [say(_("{house} holds the field in {wards} with {n}"), house=house(d[side]), wards=", ".join(_(WARDS[ward]) for ward in d["field"][side]), n=companies_count(d["left"][side]))
                for side in ("attack", "defence") if d["field"][side]]
        said.append(listed(held, "; ") + [Span(".")] if held else [Span(_("Nobody holds the field."))])
        left, winner = d["left"], d["winner"]
        if left["attack"] == left["defence"]:
            why = _("Equal, so the defenders win: {winner}.")
        elif left[winner] > left["defence" if winner == "attack" else "attack"]:
            why = _("{winner} has won: more companies hold the field.")
        else:
            why = _("{winner} has won: the other side has nobody left.")
    else:
        why = _("{winner} has won.")
    if isinstance(losses.get("attack"), int):
        why = why + " " + _("Lost: the attack {a}, the defence {b}.").replace("{a}", str(losses["attack"])).replace("{b}", str(losses["defence"]))
    winner_house = d.get(d["winner"]) if d["winner"] in ("attack", "defence") else None
    said.append(say(why, winner=house(winner_house) if winner_house else _("the garrison")))
    if d.get("extra"):
        said.append(say(_("The loser loses one more: {company} of {house}."), company=troops(d["extra"]["type"], 1), house=house(d["extra"]["house"])))
    return said
