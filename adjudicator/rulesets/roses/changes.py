"""The verbs: every change of state, told by its event. Rule steps assign to no field of the state."""

from collections.abc import Iterable
from typing import Any

from ...core import plain
from . import sides
from .rules.forces import Company, in_type_order
from .sides import Piece
from .state import DEFAULT_POLICIES, End, Fallen, Group, House, Note, Secret
from .view import EVERYBODY, houses_at, starred, told_to, witnesses
from .workspace import Host, RosesTurn


# Orders

def set_policy(turn: RosesTurn, house: str, key: str, value: Any) -> None:
    """Policies show by their effect: nothing is told. A house keeps only those that differ from the default (5.5)."""
    policies = turn.state.houses[house].policies
    policies.pop(key, None)
    if value != "default" and value != DEFAULT_POLICIES[key]:
        policies[key] = plain.copy(value)


def skip_order(turn: RosesTurn, rule: str, house: str, order: str, reason: str) -> None:
    """Tell a house that its order could not be carried out, and why (7.3)."""
    turn.tell("order-skipped", rule, told_to(turn.state, [house]), house=house, order=order, reason=reason)


def keep_secret(turn: RosesTurn, what: str, houses: Iterable[str], **data: Any) -> None:
    """Note what stays hidden from others until the end of the game (chapter 12)."""
    turn.state.secrets.append(Secret(turn.state.turn, what, sides.in_seat_order(houses), plain.copy(data)))


# Groups of companies (silent; the verbs below tell)

def add_companies(turn: RosesTurn, house: str, group: str, point: str, companies: dict[str, int]) -> None:
    """Companies join the army or block; if there is none, they make it, at the point."""
    groups = turn.state.houses[house].groups
    if any(number > 0 for number in companies.values()):
        army = groups.setdefault(group, Group(point, {}))
        total = {type_: army.companies.get(type_, 0) + companies.get(type_, 0) for type_ in [*army.companies, *companies]}
        army.companies = in_type_order(total)


def remove_companies(turn: RosesTurn, piece: Piece, companies: dict[str, int]) -> None:
    """2.7 Captain: when his army ceases to exist he is with his lord again (if in battle, `lose_captain` follows)."""
    house, group = turn.state.houses[piece[0]], piece[1]
    army = house.groups[group]
    army.companies = in_type_order({type_: number - companies.get(type_, 0) for type_, number in army.companies.items()})
    if not army.companies:
        disband_group(house, group)


def disband_group(house: House, group: str) -> None:
    """An army or block leaves the map."""
    del house.groups[group]
    if group == "captain" and house.captain == "leads":
        house.captain = "with-lord"


def leave_map(house: House) -> None:
    """All armies or blocks of the house leave the map."""
    for group in list(house.groups):
        disband_group(house, group)


def fall(turn: RosesTurn, companies: Iterable[Company]) -> None:
    """These companies have fallen in a fight."""
    for company in companies:
        if company.group in turn.state.houses[company.house].groups:   # militia has no group
            remove_companies(turn, company.piece, {company.type: 1})


# Spring

def pay_captor(turn: RosesTurn, house: str, captor: str, coins: int) -> None:
    """6.2.1: the captor has the coins that the captive house would have raised."""
    turn.state.houses[captor].coins += coins
    turn.tell("captive-income", "6.2.1", starred(turn.state, [house, captor]), house=house, captor=captor, coins=coins)


def muster(turn: RosesTurn, house: str, place: str, companies: dict[str, int], coins: int, cut: list[str]) -> None:
    """6.2.2: the lord's army stands at the place, the rest is in the treasury. cut: types ordered and not got."""
    turn.state.houses[house].coins += coins
    add_companies(turn, house, "lord", place, companies)
    turn.tell("muster", "6.2.2", starred(turn.state, [house]),
              house=house, place=place, companies=in_type_order(companies), coins=coins, cut=cut)


def take_free_mercenaries(turn: RosesTurn, house: str, place: str, types: list[str]) -> None:
    """6.2.3: the picked companies join the army at the muster place, or make it."""
    for type_ in types:
        add_companies(turn, house, "lord", place, {type_: 1})
    turn.tell("mercenaries-free", "6.2.3", EVERYBODY, house=house, types=types)


def sell_lot(turn: RosesTurn, lot: int, type_: str, winner: str | None, place: str | None, price: int | None,
             tied: list[str], die: int | None, draws: list[str]) -> None:
    """6.2.4: the lot joins the winner's army at his muster place, or makes it; without a winner it is gone for the year."""
    if winner is not None and place is not None and price is not None:
        turn.state.houses[winner].coins -= price
        add_companies(turn, winner, "lord", place, {type_: 1})
    turn.tell("auction-lot", "6.2.4", EVERYBODY, draws, lot=lot, type=type_, winner=winner, price=price, tied=tied, die=die)


# Manoeuvres

def rejoin_captain(turn: RosesTurn, house: str) -> None:
    """6.4.1: the captain's army and the lord's, on one point, are made one."""
    record = turn.state.houses[house]
    army = record.groups["captain"]
    companies = dict(army.companies)
    disband_group(record, "captain")
    add_companies(turn, house, "lord", army.point, companies)
    turn.tell("rejoined", "6.4.1", starred(turn.state, [house]), house=house, point=army.point, companies=companies)


def detach_captain(turn: RosesTurn, house: str, companies: dict[str, int]) -> None:
    """`companies`: at least one, and not all that the lord has."""
    record = turn.state.houses[house]
    point = record.groups["lord"].point
    remove_companies(turn, (house, "lord"), companies)
    add_companies(turn, house, "captain", point, companies)
    record.captain = "leads"
    turn.tell("detached", "6.4.1", starred(turn.state, [house]), house=house, point=point, companies=in_type_order(companies))


def move(turn: RosesTurn, pieces: Iterable[Piece], point: str) -> None:
    """Put armies on a point. Told by what moves them: `march`, `evade`, `beaten-retreat`."""
    for house, group in pieces:
        if group in turn.state.houses[house].groups:
            turn.state.houses[house].groups[group].point = point


def enter(turn: RosesTurn, host: Host, point: str) -> None:
    """One road further. Told by `march`, when the march is over."""
    move(turn, host.pieces, point)
    host.at = point
    host.route.append(point)


def meet(turn: RosesTurn, point: str, attackers: list[Piece], defenders: list[Piece], attacked: bool) -> None:
    """6.4.4: at a contact both sides learn houses and exact sizes, and remember them (7.2)."""
    lists = [[[house, group, turn.state.houses[house].groups[group].size] for house, group in side] for side in (attackers, defenders)]
    for side, other in ((attackers, defenders), (defenders, attackers)):
        for seat in sides.in_seat_order(house for house, _group in side):
            for piece in other:
                _note(turn, seat, piece, strength=True)
    turn.tell("contact", "6.4.4", told_to(turn.state, [house for house, _group in attackers + defenders]),
              point=point, attackers=lists[0], defenders=lists[1], attacked=attacked)


# Fights

def evade(turn: RosesTurn, point: str, defender: str, pieces: list[Piece], foes: list[Piece], die: int, draw: str,
          success: bool, to: str | None) -> None:
    """6.5.1: the attempt, and the defenders' way to the retreat point if it succeeds."""
    audience = starred(turn.state, [house for house, _group in pieces + foes])
    if success and to is not None:
        move(turn, pieces, to)
    turn.tell("evade", "6.5.1", audience, [draw], point=point, defender=defender, die=die, success=success, to=to if success else None)


def conclude_battle(turn: RosesTurn, fallen: Iterable[Company], prestige: int, summary: dict[str, Any], detail: dict[str, Any],
                    draws: list[str], rule: str = "6.5") -> None:
    """6.5, 6.7.2: companies have fallen, the winning commander has his prestige. `summary` and `detail`: data of the two events."""
    winner = summary[summary["winner"]]
    audience = starred(turn.state, summary["attackers"] + summary["defenders"])
    turn.state.houses[winner].track += prestige
    fall(turn, fallen)
    turn.tell("battle", rule, EVERYBODY, prestige=prestige, **summary)
    turn.tell("battle-detail", rule, audience, draws, **detail)


def retreat(turn: RosesTurn, pieces: list[Piece], foes: Iterable[str], from_: str, to: str, rule: str = "6.5.9") -> None:
    """6.5.9, 6.7: the beaten leave the field. They march no more this season."""
    houses = sides.in_seat_order(house for house, _group in pieces)
    before = witnesses(turn.state, [from_, to], [*houses, *foes])
    move(turn, pieces, to)
    turn.beaten += [piece for piece in pieces if piece not in turn.beaten]
    audience = before if before == EVERYBODY else witnesses(turn.state, [from_, to], before)
    turn.tell("beaten-retreat", rule, audience, **{"houses": houses, "from": from_, "to": to})


def capture(turn: RosesTurn, house: str, captor: str, until: int) -> None:
    """6.5.10: the lord is taken; what else he has goes home."""
    record = turn.state.houses[house]
    leave_map(record)
    record.status, record.captor, record.until = "captive", captor, until
    turn.tell("captured", "6.5.10", EVERYBODY, house=house, captor=captor)


def lose_captain(turn: RosesTurn, house: str, there: Iterable[str]) -> None:
    """6.5.10: he is lost until spring. `there`: the houses that were in the battle."""
    turn.state.houses[house].captain = "lost"
    turn.tell("captain-lost", "6.5.10", starred(turn.state, there), house=house)


# Storm and sickness

def pay_for_storm(turn: RosesTurn, point: str, company: Company) -> None:
    """6.6.2: the company that is lost for an attempt."""
    fall(turn, [company])
    turn.tell("storm-paid", "6.6.2", starred(turn.state, [company.house]), point=point, house=company.house, type=company.type)


def take_castle(turn: RosesTurn, castle: str, by: str, to: str, prestige: int, rule: str = "6.6.3") -> None:
    """A castle falls to the house `by`, and `to` controls it from now."""
    before = sides.legitimate(turn.state)
    former = turn.state.castles[castle]
    turn.state.castles[castle] = to
    turn.state.houses[by].track += prestige
    turn.tell("castle-taken", rule, EVERYBODY, **{"castle": castle, "from": former, "to": to, "by": by, "prestige": prestige})
    tell_legitimacy(turn, before)


def take_home(turn: RosesTurn, house: str, by: str, moved: int, bonus: int, returned: bool, year: int) -> None:
    """6.6.3: a home castle falls. E1: it is handed back, and that it fell is kept; E2: its taker holds it."""
    before = sides.legitimate(turn.state)
    home = sides.home_of(house)
    loser, taker = turn.state.houses[house], turn.state.houses[by]
    loser.track -= moved
    taker.track += moved + bonus
    if returned:
        turn.state.fallen.append(Fallen(house, by, taker.faction, year))
    else:
        turn.state.castles[home] = by
    turn.tell("home-fallen", "6.6.3", EVERYBODY, house=house, by=by, prestige=moved, bonus=bonus, holder=turn.state.castles[home])
    become_neutral(turn, house, loser.until if loser.status == "captive" else year, before)


def become_neutral(turn: RosesTurn, house: str, until: int | None, legitimate_before: str | None, rule: str = "6.6.3") -> None:
    """The house is out of the war for a time: its armies leave the map. A captive keeps his captor."""
    record = turn.state.houses[house]
    leave_map(record)
    record.status, record.until = "neutral", until
    turn.tell("neutral", rule, EVERYBODY, house=house, until=until)
    tell_legitimacy(turn, legitimate_before)


def suffer_dysentery(turn: RosesTurn, point: str, die: int, draw: str, company: Company | None) -> None:
    """6.6.4: a test in a camp, and the company that dies of it, or none."""
    audience = starred(turn.state, houses_at(turn.state, [point]))
    if company is not None:
        fall(turn, [company])
    turn.tell("dysentery", "6.6.4", audience, [draw], point=point, die=die,
              house=company.house if company else None, type=company.type if company else None)


# Winter

def disband(turn: RosesTurn, house: str) -> None:
    """6.8.1: all armies of the house leave the map, its captain goes home."""
    record = turn.state.houses[house]
    what = [group for _house, group in sides.pieces_of(turn.state, house)]
    leave_map(record)
    turn.tell("disbanded", "6.8.1", told_to(turn.state, [house]), house=house, what=what, kept={}, coins=0)


def confiscate(turn: RosesTurn, castle: str, to: str) -> None:
    """6.8.2: a vassal's castle passes to his claimant."""
    _hand_over(turn, "confiscated", "6.8.2", castle, to)


def give_castle(turn: RosesTurn, castle: str, to: str, rule: str) -> None:
    """6.8.3, 6.8.4: a castle changes hands by trade or gift."""
    _hand_over(turn, "castle-given", rule, castle, to)


def _hand_over(turn: RosesTurn, kind: str, rule: str, castle: str, to: str) -> None:
    before = sides.legitimate(turn.state)
    former = turn.state.castles[castle]
    turn.state.castles[castle] = to
    turn.tell(kind, rule, EVERYBODY, **{"castle": castle, "from": former, "to": to})
    tell_legitimacy(turn, before)


def give_coins(turn: RosesTurn, from_: str, to: str, coins: int) -> None:
    """6.8.4: known to giver and receiver alone, until the end."""
    turn.state.houses[from_].coins -= coins
    turn.state.houses[to].coins += coins
    keep_secret(turn, "gift", [from_, to], **{"from": from_, "to": to, "coins": coins})
    turn.tell("coins-given", "6.8.4", told_to(turn.state, [from_, to]), **{"from": from_, "to": to, "coins": coins})


def trade(turn: RosesTurn, a: str, b: str, a_gives: dict[str, Any], b_gives: dict[str, Any]) -> None:
    """6.8.3: an exchange, each part {coins, castles, allegiance}; the castles are told to everybody."""
    turn.state.houses[a].coins += b_gives["coins"] - a_gives["coins"]
    turn.state.houses[b].coins += a_gives["coins"] - b_gives["coins"]
    keep_secret(turn, "trade", [a, b], a=a, b=b, a_gives=a_gives, b_gives=b_gives)
    turn.tell("trade-done", "6.8.3", told_to(turn.state, [a, b]), a=a, b=b, a_gives=a_gives, b_gives=b_gives)
    for giver, taker, part in ((a, b, a_gives), (b, a, b_gives)):
        if part["allegiance"]:
            turn.pledged[giver] = (turn.state.houses[taker].faction, taker)
            keep_secret(turn, "pledge", [a, b], house=giver, to=taker, faction=turn.state.houses[taker].faction)
    for taker, part in ((b, a_gives), (a, b_gives)):
        for castle in part["castles"]:
            give_castle(turn, castle, taker, "6.8.3")


def buy_offices(turn: RosesTurn, house: str, number: int, coins: int, prestige: int) -> None:
    """6.8.5: `coins` and `prestige` for all of them together."""
    turn.state.houses[house].coins -= coins
    turn.state.houses[house].track += prestige
    turn.tell("office", "6.8.5", EVERYBODY, house=house, number=number, coins=coins)


def change_allegiance(turn: RosesTurn, house: str, to: str, prestige: int, why: str, buyer: str | None, rule: str = "6.8.6") -> None:
    """The house is of the other faction from now; its castles go with it. That it was paid for, only buyer and seller learn.

    prestige: 0 or less. buyer: the house to which it was pledged. why: what everybody is told (free, wronged, forced).
    """
    before = sides.legitimate(turn.state)
    record = turn.state.houses[house]
    data = {"house": house, "from": record.faction, "to": to, "prestige": prestige}
    record.faction = to
    record.track += prestige
    if sides.is_e3(turn.state):
        record.changed += 1
    if buyer is not None:
        turn.tell("allegiance", rule, told_to(turn.state, [house, buyer]), **data, why="pledged")
    turn.tell("allegiance", rule, EVERYBODY, **data, why=why)
    tell_legitimacy(turn, before)


# Year's end and the end

def become_active(turn: RosesTurn, house: str, rule: str = "6.11") -> None:
    """6.11, 6.9.2: its neutrality is over."""
    before = sides.legitimate(turn.state)
    record = turn.state.houses[house]
    record.status, record.captor, record.until = "active", None, None
    turn.tell("active", rule, EVERYBODY, house=house)
    tell_legitimacy(turn, before)


def turn_captive_neutral(turn: RosesTurn, house: str) -> None:
    """6.11: a captive is neutral the whole of the next year; he keeps captor and `until`."""
    before = sides.legitimate(turn.state)
    record = turn.state.houses[house]
    record.status = "neutral"
    turn.tell("neutral", "6.11", EVERYBODY, house=house, until=record.until)
    tell_legitimacy(turn, before)


def forget_fallen(turn: RosesTurn) -> None:
    """6.11: what fell and was handed back counts for this year only."""
    turn.state.fallen = []


def restore_captain(turn: RosesTurn, house: str) -> None:
    """6.11: all captains are with their lords."""
    turn.state.houses[house].captain = "with-lord"


def end_game(turn: RosesTurn, claimant: str | None, vassals: list[str], how: str) -> None:
    """8.2, 8.3: who has won, with whom, and how: victory, marginal, draw."""
    turn.state.end = End(claimant, list(vassals), how)
    turn.tell("victory" if how == "victory" else "end", "6.10", EVERYBODY, claimant=claimant, vassals=vassals, how=how)


def tell_legitimacy(turn: RosesTurn, before: str | None) -> None:
    """7.3: told after every change of the faction that controls London."""
    now = sides.legitimate(turn.state)
    if now != before:
        turn.tell("legitimacy", "6.0", EVERYBODY, faction=now)


# Memory (7.2): told by nothing; it is what a seat knows already

def note_seen(turn: RosesTurn, seat: str, piece: Piece) -> None:
    """The seat has seen the army where it stands now."""
    _note(turn, seat, piece)


def note_known(turn: RosesTurn, seat: str, piece: Piece) -> None:
    """The seat has fought the army: it knows where it stands and what it holds."""
    _note(turn, seat, piece, strength=True, types=True)


def _note(turn: RosesTurn, seat: str, piece: Piece, strength: bool = False, types: bool = False) -> None:
    army = turn.state.houses[piece[0]].groups[piece[1]]
    note = turn.state.houses[seat].memory.setdefault("/".join(piece), Note())
    note.seen_turn, note.point = turn.state.turn, army.point
    if strength:
        note.known_turn, note.number = turn.state.turn, army.size
        note.companies = dict(army.companies) if types else {}


def forget(turn: RosesTurn, seat: str, key: str) -> None:
    """The seat drops both notes on the army `key` ("house/group")."""
    del turn.state.houses[seat].memory[key]


def begin_turn(turn: RosesTurn) -> None:
    """The state is from now that of the turn that is adjudicated."""
    turn.state.turn += 1
