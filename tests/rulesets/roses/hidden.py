"""What a seat may not know of a state of `roses` (rule 7.2), and ways to change just that. Used by the fog tests."""

from hypothesis import strategies as st

from adjudicator.core import plain
from adjudicator.rulesets.roses.sides import are_allies
from adjudicator.rulesets.roses.state import Group, Note, Secret
from adjudicator.rulesets.roses.tables import TABLES

OPTIONS = [{}, {"edition": "second"}, {"sightings": "exact"}, {"sightings": "presence"}, {"fog": "rules"},
           {"edition": "third"}, {"edition": "third", "sightings": "exact"}, {"edition": "third", "sightings": "presence"}, {"edition": "third", "fog": "rules"}]
CHECKED = {"march": {"to": ["Lodnon", {"hunt": "york"}]}, "give": [{"to": "lancaster", "coins": 1}], "allegiance": "change"}
TYPES = list(TABLES.troops)


def seen_points(state, seat):
    """7.1, worked out here once more from the rule's words, so that an error in the game's own sight shows."""
    eyes = {castle for castle, house in state.castles.items() if house == seat} | {group.point for group in state.houses[seat].groups.values()}
    return eyes | {road.b for road in TABLES.map.roads if road.a in eyes} | {road.a for road in TABLES.map.roads if road.b in eyes}


def change_hidden(state, seat, data):
    """A copy of the state in which things hidden from the seat are other than they were."""
    state = plain.copy(state)
    scouting = state.options["fog"] == "scouting"
    e3 = state.options["edition"] == "third"
    lord, second = ("retinue", "mercenaries") if e3 else ("lord", "captain")
    sight = seen_points(state, seat)
    others = [house for house in TABLES.seats if house != seat]
    for house in data.draw(st.lists(st.sampled_from(others), min_size=1, max_size=4), "houses changed"):
        record = state.houses[house]
        if scouting:
            record.coins = data.draw(st.integers(0, 60), "coins")
        record.policies = data.draw(st.sampled_from([{}, {"militia": 1, "siege_keep": 1}, {"if_attacked": "stand", "shelter": "never", "retreat_to": ["hull"]},
                                                     {"meet": "attack", "winter_first": "mercenaries"}]), "policies")
        record.memory = data.draw(st.sampled_from([{}, {f"{seat}/{lord}": Note(1, "hull", 1, 3, {"bill": 3})}]), "memory")
        same_side = state.houses[seat].faction == record.faction
        for name, group in list(record.groups.items()):
            if not scouting:
                if e3:   # 7.2: blocks stand upright: where they are is open, what is in them is not
                    change_block(group, same_side or are_allies(state, seat, house), data)
                continue
            change_army(state, group, same_side or are_allies(state, seat, house), sight, data)
            if not same_side and group.point not in sight:
                group.inside = e3 and data.draw(st.booleans(), "shut in, out of sight")
                if name == second:
                    del record.groups[second]
                    if not e3:
                        record.captain = data.draw(st.sampled_from(["with-lord", "lost"]), "captain")
        if scouting and not same_side and record.status == "active" and lord not in record.groups and lord not in remembered(state, seat, house):
            far = sorted(set(TABLES.points) - sight)
            if far:
                record.groups[lord] = Group(data.draw(st.sampled_from(far), "new army"), {"bill": 4})
        if scouting and not e3 and record.captain in ("with-lord", "lost") and "captain" not in record.groups:
            record.captain = data.draw(st.sampled_from(["with-lord", "lost"]), "captain at home or lost")
    state.secrets = [secret for secret in state.secrets if seat in secret.seats] + [Secret(state.turn, "bids", [others[0]], {"any": data.draw(st.integers(0, 9), "limit")})]
    return state


def remembered(state, seat, house):
    return {key.split("/")[1] for key in state.houses[seat].memory if key.startswith(house + "/")}


def change_army(state, group, same_side, sight, data):
    """7.2: of friends the make-up is hidden, not the number; of strangers in sight the make-up and, within the band, the number;
    of strangers out of sight everything."""
    size = sum(group.companies.values())
    if not same_side and group.point not in sight:
        far = sorted(set(TABLES.points) - sight)
        group.point = data.draw(st.sampled_from(far), "place out of sight")
        size = data.draw(st.integers(1, 14), "size out of sight")
    elif not same_side:
        low, high = {"exact": (size, size), "presence": (1, 14), "band": (1, 3) if size <= 3 else (4, 7) if size <= 7 else (8, 14)}[state.options["sightings"]]
        size = data.draw(st.integers(low, high), "size within what is seen")
    fill(group, size, data)


def change_block(group, same_side, data):
    """7.2 (E3 under `fog: rules`): of friends the make-up is hidden, of all others the size too."""
    fill(group, sum(group.companies.values()) if same_side else data.draw(st.integers(1, 6), "size of a block"), data)


def fill(group, size, data):
    """So many companies of one or two types."""
    first, second = data.draw(st.sampled_from(TYPES), "type"), data.draw(st.sampled_from(TYPES), "type")
    group.companies = {first: size} if first == second or size == 1 else {first: size - 1, second: 1}
