"""Chapter 12, points 5, 7 and 8: the viewer's own position, the rivals, the standings; and what the final report opens."""

from typing import Any

from ...core.report import Block, Bullets, Column, Desk, Facts, Figure, Heading, Paragraph, Section, Span, Spans, Table, listed, say
from ...core.ruleset import NOBODY, STEWARD
from ...core.words import N_, _
from . import outlook, sides, tellings
from .charts import line_chart
from .drawing import army_words
from .rules import musters, standing
from .sight import ArmyView, View
from .state import DEFAULT_POLICIES
from .tables import CLAIMANT, TABLES

STATUS = {"active": N_("active"), "captive": N_("captive"), "neutral": N_("neutral"), "dormant": N_("out of the war")}
STANCES = {"own": N_("own"), "allied": N_("allied"), "enemy": N_("enemy"), "neutral": N_("neutral"), "dormant": N_("out of the war"), "nobody": N_("nobody’s"), "none": ""}


def turn_name(turn: int) -> str:
    """"Autumn 1456\""""
    return f"{_(outlook.season_name(turn))} {outlook.year_of(turn)}"


def status_words(view: View, house: str) -> Spans:
    record = view.houses[house]
    said: Spans = [Span(_(STATUS[record.status]))]
    if record.captor is not None:
        said += say(_(" of {captor}"), captor=tellings.house(record.captor))
    if record.until is not None:
        said += say(_(" to the end of {year}"), year=record.until)
    return said


# 5 Your position

def own(view: View) -> Section:
    house, record = view.viewer, view.houses[view.viewer]
    value = sides.value_of(view, house)
    parts = [_("castles {n}").format(n=value), _("track {n}").format(n=record.track)]
    if sides.is_e3(view) and record.coins is not None:
        parts.append(_("treasury {n}").format(n=record.coins // TABLES.numbers.e3.prestige["coins_per_point"]))
    facts: list[tuple[str, Spans]] = [
        (_("Faction"), say(_("{faction}, under {claimant}"), faction=_(tellings.FACTIONS_MANY[record.faction]), claimant=tellings.house(CLAIMANT[record.faction]))
         if CLAIMANT[record.faction] != house else say(_("{faction}, whose claimant you are"), faction=_(tellings.FACTIONS_MANY[record.faction]))),
        (_("State"), status_words(view, house)), (_("Coins"), [Span(str(record.coins))]), (_("Prestige"), say(_("{sum} ({parts})"), sum=Span(str(record.prestige), "strong"), parts=", ".join(parts)))]
    if record.captain is not None:
        facts.append((_("Captain"), [Span({"with-lord": _("with his lord"), "leads": _("leads an army of his own"), "lost": _("lost until spring")}[record.captain])]))
    blocks: list[Block] = [Facts(facts), Heading(_("Armies")), _own_armies(view), Heading(_("Castles")), _own_castles(view), *([Heading(_("Policies in force")), *policies(view.policies)] if view.turn else [])]
    return Section("position", _("Your position"), blocks)


def _own_armies(view: View) -> Block:
    armies = outlook.own_armies(view)
    if not armies:
        return Paragraph([Span(_("No army on the map: armies are raised in Spring and go home in Winter."))], "quiet")
    rows = [[[Span(tellings.group(army.group))], [tellings.place(army.point)] + ([Span(_(" (shut in)"))] if army.inside else []), [Span(str(army.size))], [Span(tellings.companies(army.companies or {}))]] for army in armies]
    return Table([Column(_("army")), Column(_("stands at")), Column(_("companies"), "right"), Column(_("by type"), wide=True)], rows)


def _own_castles(view: View) -> Block:
    house = view.viewer
    castles = sorted(sides.castles_of(view, house), key=lambda castle: (castle != sides.home_of(house), -TABLES.value(castle), castle))
    if not castles:
        return Paragraph([Span(_("None."))], "quiet")
    home = sides.home_of(house)
    near = musters.connected(view, house, home) if not sides.is_e3(view) and view.castles[home] == house else {}
    rows = []
    for castle in castles:
        marks = [_("home")] if castle == home else []
        marks += [_("connected with {home}").format(home=TABLES.points[home].name)] if castle in near and castle != home else [_("cut off from {home}").format(home=TABLES.points[home].name)] if near and castle != home else []
        enemies = [army for army in view.armies if army.point == castle and army.how == "seen"]
        rows.append([[tellings.place(castle)], [Span(_("large") if TABLES.value(castle) == 2 else _("small"))], [Span(str(TABLES.value(castle)))], [Span(", ".join(marks))],
                     listed([say("{house} ({n})", house=tellings.house(army.house), n=army_words(army)) for army in enemies])])
    return Table([Column(_("castle"), wide=True), Column(_("size")), Column(_("value"), "right"), Column(_("state")), Column(_("before its walls"))], rows)


def policies(in_force: dict[str, Any]) -> list[Block]:
    """Policies as they would be written; those that differ from the default stand out."""
    rows, marked = [], []
    for key, value in in_force.items():
        changed = value is not None and value != DEFAULT_POLICIES.get(key)
        if changed:
            marked.append(len(rows))
        rows.append([[Span(key, "code")], [Span(_yaml(value), "code")], [Span(_("yours") if changed else _("default"), "" if changed else "quiet")]])
    if not marked:
        return [Paragraph([Span(_("All at their defaults."))] + ([Span(" "), Span(", ".join(in_force), "code")] if in_force else []), "quiet")]
    return [Table([Column(_("policy")), Column(_("value"), wide=True), Column(_("set"))], rows, marked=marked)]


def _yaml(value: Any) -> str:
    if value is None:
        return "default"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_yaml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_yaml(item) for item in value) + "]"
    return str(value)


# 7 Known rivals

def rivals(view: View, desk: Desk) -> Section:
    rows = []
    coins_known = any(record.coins is not None for house, record in view.houses.items() if house != view.viewer)
    for house in TABLES.seats:
        if house == view.viewer:
            continue
        record = view.houses[house]
        player = desk.player_names.get(house) or ({STEWARD: _("steward"), NOBODY: ""}.get(record.holder, record.holder))
        name: Spans = [tellings.house(house), *([Span(f" ({player})", "small")] if player else [])]
        castles = sides.castles_of(view, house)
        known = [_army_words(view, army) for army in view.armies if army.house == house]
        rows.append([name, [Span(_(tellings.FACTIONS[record.faction]))], status_words(view, house), [Span(_("{n} ({value})").format(n=len(castles), value=sides.value_of(view, house)))], [Span(str(record.prestige))],
                     *([[Span(str(record.coins) if record.coins is not None else "?")]] if coins_known else []),
                     *([listed(known, "; ") or [Span("–", "quiet")]] if view.armies else [])])
    columns = [Column(_("house")), Column(_("faction")), Column(_("state")), Column(_("castles (value)"), "right"), Column(_("prestige"), "right"),
               *([Column(_("coins"), "right")] if coins_known else []), *([Column(_("last known army"), wide=True)] if view.armies else [])]
    return Section("rivals", _("The houses of England") if view.viewer not in view.houses else _("Known rivals"), [Table(columns, rows)])


def _army_words(view: View, army: ArmyView) -> Spans:
    """"the lord’s army at Oxford, 4–7 companies", with what was known once."""
    at = say(_("{group} at {place}"), group=tellings.group(army.group), place=tellings.place(army.point))
    if army.how == "remembered":
        at += say(_(", seen in {when}"), when=turn_name(army.seen_turn))
    elif army.companies:
        at += say(": {companies}", companies=tellings.companies(army.companies))
    elif army.size is not None or army.band:
        at += say(", {n}", n=army_words(army))
    if army.known_turn and army.size is None:
        known = tellings.companies(army.known_companies) if army.known_companies else tellings.companies_count(army.known_size)
        at += say(_(" ({known} in {when})"), known=known, when=turn_name(army.known_turn))
    return at


# 8 Standings

def standings(view: View, desk: Desk) -> Section:
    blocks: list[Block] = []
    for faction in ("lancastrian", "yorkist"):
        houses = [house for house in TABLES.seats if view.houses[house].faction == faction and view.houses[house].status != "dormant"]
        sharing = [] if not houses else standing.sharers(_Known(view), faction)
        ranked = sorted(houses, key=lambda house: (house != CLAIMANT[faction], *(-number for number in _success(view, house)), TABLES.houses[house].seat_order))
        rows = [[[tellings.house(house)], [Span(str(view.houses[house].prestige))], [Span(str(sides.value_of(view, house)))], [Span(str(view.houses[house].track))],
                 [Span(_("claimant") if house == CLAIMANT[faction] else _("would share victory") if house in sharing else "")]] for house in ranked]
        marked = [place for place, house in enumerate(ranked) if house == view.viewer]
        blocks.append(Table([Column(_(tellings.FACTIONS_MANY[faction]), wide=True), Column(_("prestige"), "right"), Column(_("castles"), "right"), Column(_("track"), "right"), Column("")], rows, marked=marked))
    series = [(_(tellings.FACTIONS_MANY[faction]), TABLES.house_table.colours.factions[faction], [values.get(f"castles/{faction}", 0) for _turn, _name, values in desk.history]) for faction in ("lancastrian", "yorkist")]
    if len(desk.history) > 1:
        labels = [name for _turn, name, _values in desk.history]
        goal = 0 if sides.is_e3(view) else view.options.get("castles_yorkist", TABLES.numbers.e12.victory_castles)
        worth = [values for _turn, _name, values in desk.history][-1]
        values = "; ".join(_("{faction}: castles worth {value}").format(faction=_(tellings.FACTIONS_MANY[faction]), value=worth.get(f"value/{faction}", 0)) for faction in ("lancastrian", "yorkist"))
        words = [_("{name}: {numbers}").format(name=name, numbers=", ".join(str(number) for number in numbers)) for name, _colour, numbers in series]
        blocks.append(Figure(line_chart(series, labels, goal, _("{n} for victory").format(n=goal)), _("Castles of the two factions over time. {values}").format(values=values), words))
    return Section("standings", _("Standings"), blocks)


class _Known:
    """The view as `standing` asks for it: a treasury that is not known counts nothing."""

    def __init__(self, view: View) -> None:
        self.houses, self.castles, self.options = view.houses, view.castles, view.options


def _success(view: View, house: str) -> tuple[int, int, int]:
    return standing.success(_Known(view), house)


# The final report

def opened(view: View) -> Section:
    """All that was hidden: treasuries, limits, policies, trades."""
    blocks: list[Block] = [Heading(_("Treasuries")), Table([Column(_("house"), wide=True), Column(_("coins"), "right")], [[[tellings.house(house)], [Span(str(record.coins))]] for house, record in view.houses.items() if record.coins is not None])]
    if view.secrets:
        blocks += [Heading(_("Limits, bargains and gifts")), Bullets([_secret(secret) for secret in view.secrets])]
    changed = [(house, key, value) for house, in_force in view.all_policies.items() for key, value in in_force.items() if value is not None and value != DEFAULT_POLICIES.get(key)]
    blocks.append(Heading(_("Policies that differed from the default")))
    blocks.append(Table([Column(_("house")), Column(_("policy")), Column(_("value"), wide=True)],
                        [[[tellings.house(house)], [Span(key, "code")], [Span(_yaml(value), "code")]] for house, key, value in changed]) if changed else Paragraph([Span(_("None."))], "quiet"))
    return Section("opened", _("What was hidden"), blocks)


def _secret(secret: Any) -> Spans:
    when, d = turn_name(secret.turn), secret.data
    if secret.what == "trade":
        said = say(_("{a} gave {x}, {b} gave {y}"), a=tellings.house(d["a"]), x=tellings.goods(d["a_gives"]), b=tellings.house(d["b"]), y=tellings.goods(d["b_gives"]))
    elif secret.what == "gift":
        said = say(_("{giver} gave {to} {coins}"), giver=tellings.house(d["from"]), to=tellings.house(d["to"]), coins=tellings.coins(d["coins"]))
    elif secret.what == "pledge":
        said = say(_("{house} pledged its allegiance to {to}"), house=tellings.house(d["house"]), to=tellings.house(d["to"]))
    elif secret.what == "bids":
        limits = d.get("limits", d.get("bids", d))
        said = say(_("{houses} bid {limits}"), houses=tellings.houses(secret.seats), limits=", ".join(f"{key} {value}" for key, value in limits.items()) if isinstance(limits, dict) else str(limits))
    else:
        said = [Span(f"{secret.what}: {d}")]
    return say("{when}: ", when=when) + said + [Span(".")]
