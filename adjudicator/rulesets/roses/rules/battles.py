"""6.5: contact and battle (E12)."""

from dataclasses import dataclass, field
from typing import Any

from .. import changes, sides
from ..sides import Piece
from ..state import policy, year_of
from ..tables import TABLES
from ..workspace import Host, RosesTurn
from . import memory
from .forces import MILITIA, Company, canonical, companies_of, lose, militia, plain_force, standing
from .retreats import commander_of_defence, retreat_point

WARDS = TABLES.troop_table.wards
ROUNDS = TABLES.troop_table.rounds_e12
SIDES = ("attack", "defence")


@dataclass
class Side:
    """One side of a battle.

    captains: ward -> round that a captain there may re-roll;  carried: ward -> damage that has not yet destroyed a company
    """

    name: str
    commander: str
    pieces: list[Piece]
    force: list[Company]
    captains: dict[str, str] = field(default_factory=dict)
    carried: dict[str, int] = field(default_factory=lambda: dict.fromkeys(WARDS, 0))
    militia: dict[str, Any] = field(default_factory=dict)
    size: int = 0

    @property
    def houses(self) -> list[str]:
        return sides.in_seat_order(house for house, _group in self.pieces)

    def ward(self, ward: str) -> list[Company]:
        """All companies of the ward, fallen ones too."""
        return [company for company in self.force if company.ward == ward]


@dataclass
class Battle:
    """number: 6.0 contact number. origin: where the attackers stood. draws: names of all dice, for those who were there."""

    point: str
    number: int
    origin: str
    attack: Side
    defence: Side
    draws: list[str] = field(default_factory=list)

    @property
    def sides(self) -> tuple[Side, Side]:
        return self.attack, self.defence

    @property
    def name(self) -> str:
        return f"battle/{self.point}/{self.number}"

    def other(self, side: Side) -> Side:
        return self.defence if side is self.attack else self.attack


def fight(turn: RosesTurn, host: Host, point: str, number: int) -> None:
    """6.5 Contact and battle: the host attacks all enemy armies at the point."""
    defenders = sides.enemy_force(turn.state, host.leader.house, point)
    battle = Battle(point, number, host.at,
                    Side("attack", host.leader.house, host.pieces, companies_of(turn.state, host.pieces)),
                    Side("defence", commander_of_defence(turn.state, defenders), defenders, companies_of(turn.state, defenders)))
    evasion = evade(turn, battle)
    if evasion is True:
        changes.enter(turn, host, point)
        return
    call_militia(turn, battle.attack, battle)
    call_militia(turn, battle.defence, battle, tried_to_evade=evasion is False)
    for side in battle.sides:
        side.size = len(side.force)   # 6.5.3
        divide(turn, side)
    forces = {side.name: plain_force(side.force) for side in battle.sides}
    rounds = [fight_round(turn, battle, round_) for round_ in ROUNDS]
    losses = {side.name: len(side.force) - len(standing(side.force)) for side in battle.sides}
    field_, winner, left = decide(battle)
    loser = battle.other(winner)
    extra = lose(loser.force, policy(turn.state.houses[loser.commander], "losses"), 1, lambda company: company.class_ != MILITIA)   # 6.5.8
    conclude(turn, host, battle, winner, {
        "forces": forces, "rounds": rounds, "losses": losses, "field": field_, "left": left,
        "extra": {"side": loser.name, **extra[0].plain()} if extra else None})


def evade(turn: RosesTurn, battle: Battle) -> bool | None:
    """6.5.1 Evade: True if the defenders have slipped away, False if they tried in vain, None if they made no attempt."""
    commander = battle.defence.commander
    wish = policy(turn.state.houses[commander], "if_attacked")
    outnumbered = len(battle.attack.force) > len(battle.defence.force)
    if wish == "stand" or (wish == "evade-if-outnumbered" and not outnumbered):
        return None
    to = retreat_point(turn.state, commander, battle.point, battle.origin)
    if to is None:
        return None
    draw = f"{battle.name}/evade"
    die = turn.dice.die(draw)
    success = die >= TABLES.numbers.e12.evade_on
    changes.evade(turn, battle.point, commander, battle.defence.pieces, battle.attack.pieces, die, draw, success, to)
    return success


def call_militia(turn: RosesTurn, side: Side, battle: Battle, tried_to_evade: bool = False) -> None:
    """6.5.2 Militia: a die for each company called; each success brings the company of its number (2.3)."""
    numbers = TABLES.numbers.e12
    needed = numbers.militia_on - militia_modifier(turn, side, battle.point)
    called = 0 if tried_to_evade else min(policy(turn.state.houses[side.commander], "militia"), numbers.militia_max)
    dice: list[int] = []
    for number in range(1, called + 1):
        draw = f"{battle.name}/militia/{side.name}/{number}"
        dice.append(turn.dice.die(draw))
        battle.draws.append(draw)
    brought = [type_ for type_, die in zip(TABLES.troop_table.militia_by_die, dice) if die >= needed]
    side.militia = {"called": called > 0, "needed": needed, "dice": dice, "brought": brought}
    side.force += militia(side.commander, brought)
    side.force.sort(key=canonical)


def militia_modifier(turn: RosesTurn, side: Side, point: str) -> int:
    """6.5.2: own castle +2, or allied castle +1; legitimate faction +1; mercenaries or led by a captain -1, once."""
    mods = TABLES.numbers.e12.militia_mods
    faction = turn.state.houses[side.commander].faction
    modifier = 0
    if point in turn.state.castles:
        if turn.state.castles[point] in side.houses:
            modifier += mods["own_castle"]
        elif sides.faction_controls(turn.state, faction, point):
            modifier += mods["allied_castle"]
    if sides.legitimate(turn.state) == faction:
        modifier += mods["legitimate"]
    captain_led = (side.commander, "lord") not in side.pieces
    if captain_led or any(company.class_ == "mercenaries" for company in side.force):
        modifier += mods["mercenaries_or_captain"]
    return modifier


def divide(turn: RosesTurn, side: Side) -> None:
    """6.5.4 Division: companies in canonical order go to the wards by the commander's plan; what is left is dealt out to `rest`."""
    plan = policy(turn.state.houses[side.commander], f"plan_{'attack' if side.name == 'attack' else 'defence'}")
    for ward in WARDS:
        for entry in (plan.get(ward) or {}).get("take") or []:
            name, _space, all_ = entry.partition(" ")
            matching = [company for company in side.force if not company.ward and company.matches(name)]
            for company in matching if all_ else matching[:1]:
                company.ward = ward
    rest = plan.get("rest") or WARDS
    for place, company in enumerate([company for company in side.force if not company.ward]):
        company.ward = rest[place % len(rest)]
    captains = sum(turn.state.houses[house].captain == "with-lord" and (house, "lord") in side.pieces for house in side.houses)
    wishing = [ward for ward in WARDS if (plan.get(ward) or {}).get("captain")]
    side.captains = {ward: plan[ward]["captain"] for ward in wishing[:captains] if side.ward(ward)}


def fight_round(turn: RosesTurn, battle: Battle, round_: str) -> dict[str, Any]:
    """6.5.5 Three rounds: one of them. All wards throw at once; then damage is dealt, pair by pair."""
    told: dict[str, dict[str, Any]] = {}
    for ward in WARDS:
        pair = [standing(side.ward(ward)) for side in battle.sides]
        if not all(pair):
            continue   # nobody to fight with
        for side, companies in zip(battle.sides, pair):
            shooters = [company for company in companies if TABLES.troops[company.type].e12_round == round_]
            told.setdefault(ward, {})[side.name] = throw(turn, battle, side, round_, ward, shooters)
    for ward, throws in told.items():
        for side in battle.sides:
            lost = deal_damage(turn, side, ward, throws[battle.other(side).name]["hits"])
            throws[side.name] |= {"carried": side.carried[ward], "lost": [company.plain() for company in lost]}
    return {"round": round_, "wards": [{"ward": ward, **throws} for ward, throws in told.items()
                                       if any(throws[side]["dice"] for side in SIDES)]}


def throw(turn: RosesTurn, battle: Battle, side: Side, round_: str, ward: str, shooters: list[Company]) -> dict[str, Any]:
    """6.5.5: the dice of one ward in one round, numbered through its shooting companies; and the captain's re-roll."""
    types = [company.type for company in shooters for _each in range(TABLES.troops[company.type].dice)]
    name = f"{battle.name}/{round_}/{ward}/{side.name}"
    dice = [_die(turn, battle, f"{name}/{number}") for number in range(1, len(types) + 1)]
    first: list[int] = []
    if side.captains.get(ward) == round_:
        again = rerolled(types, dice, turn.state.options["captain_reroll"])
        if again:
            first = dice
            dice = [_die(turn, battle, f"{name}/reroll/{place + 1}") if place in again else die for place, die in enumerate(dice)]
    return {"dice": [list(pair) for pair in zip(types, dice)], "rerolled": [list(pair) for pair in zip(types, first)] if first else [],
            "hits": count_hits(types, dice)}


def rerolled(types: list[str], dice: list[int], option: str) -> list[int]:
    """6.5.5 Re-roll: the places of the dice that a captain throws again.

    Option `captain_reroll: all`: all of them, if 6 x hits is below the sum of (7 - hit number); `misses`: every miss, always.
    """
    if option == "misses":
        return [place for place, (type_, die) in enumerate(zip(types, dice)) if die < TABLES.troops[type_].hit]
    expected = sum(7 - TABLES.troops[type_].hit for type_ in types)
    return list(range(len(dice))) if 6 * count_hits(types, dice) < expected else []


def count_hits(types: list[str], dice: list[int]) -> int:
    """6.5.5: dice that reach the hit number of the company that throws them."""
    return sum(die >= TABLES.troops[type_].hit for type_, die in zip(types, dice))


def _die(turn: RosesTurn, battle: Battle, draw: str) -> int:
    battle.draws.append(draw)
    return turn.dice.die(draw)


def deal_damage(turn: RosesTurn, side: Side, ward: str, hits: int) -> list[Company]:
    """6.5.5 Damage: added to what the ward carried; while it can destroy a company of the ward, one is lost and its toughness deducted."""
    losses = policy(turn.state.houses[side.commander], "losses")
    side.carried[ward] += hits
    fallen: list[Company] = []
    while True:
        damage = side.carried[ward]
        lost = lose(side.force, losses, 1, lambda company: company.ward == ward and toughness(turn, company) <= damage)
        if not lost:
            return fallen
        side.carried[ward] -= toughness(turn, lost[0])
        fallen += lost


def toughness(turn: RosesTurn, company: Company) -> int:
    """2.3: damage needed to destroy one company; option `toughness: one`: 1 for all."""
    return 1 if turn.state.options["toughness"] == "one" else TABLES.troops[company.type].toughness


def decide(battle: Battle) -> tuple[dict[str, list[str]], Side, dict[str, int]]:
    """6.5.6 Wards and 6.5.7 Result: (side -> wards that hold the field, the winner, side -> companies in these wards)."""
    field_: dict[str, list[str]] = {name: [] for name in SIDES}
    for ward in WARDS:
        holder = _holder_of_field(battle.attack.ward(ward), battle.defence.ward(ward))
        if holder is not None:
            field_[holder].append(ward)
    left = {side.name: sum(len(standing(side.ward(ward))) for ward in field_[side.name]) for side in battle.sides}
    alive = [bool(standing(side.force)) for side in battle.sides]
    if alive[0] != alive[1]:   # nobody left at all loses
        attack_wins = alive[0]
    else:
        attack_wins = alive[0] and left["attack"] > left["defence"]
    return field_, battle.attack if attack_wins else battle.defence, left


def _holder_of_field(attack: list[Company], defence: list[Company]) -> str | None:
    """6.5.6: which of two opposite wards holds the field."""
    if not attack or not defence:
        return "attack" if attack else "defence" if defence else None
    survivors = [len(standing(ward)) for ward in (attack, defence)]
    if not all(survivors):
        return "attack" if survivors[0] else "defence" if survivors[1] else None
    return "defence" if len(attack) - survivors[0] >= len(defence) - survivors[1] else "attack"   # equal: the attackers retreat


def conclude(turn: RosesTurn, host: Host, battle: Battle, winner: Side, detail: dict[str, Any]) -> None:
    """6.5.8-6.5.12: militia goes home, losses are taken, the losers retreat, lords are taken, the winner has his prestige."""
    loser = battle.other(winner)
    to = _retreat_of(turn, battle, loser)
    fallen = [company for side in battle.sides for company in side.force if company.fallen and company.class_ != MILITIA]
    alive = [company for company in standing(loser.force) if company.class_ != MILITIA]
    if to is None:
        fallen += alive   # 6.5.9: without a retreat point all is lost
    data = {"point": battle.point, "number": battle.number, "attack": battle.attack.commander, "defence": battle.defence.commander,
            "winner": winner.name}
    major = is_major(turn, battle, loser)
    led = [piece for side in battle.sides for piece in side.pieces if piece[1] == "captain"]   # 6.5.10: while they still exist
    changes.conclude_battle(
        turn, fallen, TABLES.numbers.e12.prestige["major_battle"] if major else 0,
        {**data, "attackers": battle.attack.houses, "defenders": battle.defence.houses, "major": major},
        {**data, **detail, "militia": {side.name: side.militia for side in battle.sides},
         "captains": {side.name: list(side.captains) for side in battle.sides}, "retreat": to if alive else None},
        battle.draws)
    leaving = [piece for piece in loser.pieces if piece[1] in turn.state.houses[piece[0]].groups]
    if leaving and to is not None:
        changes.retreat(turn, leaving, winner.houses, battle.point, to)
        if loser is battle.attack:
            host.at = to
    if winner is battle.attack:
        changes.enter(turn, host, battle.point)
    memory.after_fight(turn, battle.attack.pieces, battle.defence.pieces)
    take_captives(turn, battle, winner, loser, led)


def _retreat_of(turn: RosesTurn, battle: Battle, loser: Side) -> str | None:
    """6.5.9 Retreat: attackers go back to their origin (as defenders do, should an enemy stand there); defenders by `retreat_point`."""
    if loser is battle.attack and not sides.enemy_force(turn.state, loser.commander, battle.origin):
        return battle.origin
    return retreat_point(turn.state, loser.commander, battle.point, battle.origin)


def is_major(turn: RosesTurn, battle: Battle, loser: Side) -> bool:
    """6.5.3: 10 companies or more on both sides together (option `major_battle: loser`: on the losing side), militia included."""
    counted = [loser] if turn.state.options["major_battle"] == "loser" else battle.sides
    return sum(side.size for side in counted) >= TABLES.numbers.e12.major_battle


def take_captives(turn: RosesTurn, battle: Battle, winner: Side, loser: Side, led: list[Piece]) -> None:
    """6.5.10 Captives: losing lords without a company are taken; captains whose army was destroyed, or whose lord was taken, are lost."""
    there = battle.attack.houses + battle.defence.houses
    for house in sides.in_seat_order(there):
        record = turn.state.houses[house]
        taken = (house, "lord") in loser.pieces and "lord" not in record.groups
        captain_fell = (house, "captain") in led and "captain" not in record.groups
        if taken:
            changes.capture(turn, house, winner.commander, year_of(turn.state.turn) + 1)
        if (taken or captain_fell) and record.captain != "lost":
            changes.lose_captain(turn, house, there)
