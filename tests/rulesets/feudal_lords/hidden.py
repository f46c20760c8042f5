"""What a seat may not know of a state of `feudal-lords` (rule 7), and ways to change just that. Used by the fog tests."""

from hypothesis import strategies as st

from adjudicator.core import plain
from adjudicator.rulesets.feudal_lords.state import Seen
from adjudicator.rulesets.feudal_lords.tables import counted, listed

OPTIONS = [{"fog": "scouting"}, {}, {"kings-confidence": "each", "fief": "prize", "gifts": "gold"}]
CHECKED = {"land": ["Cathedrall", "Cathedral"], "recruit": ["Champion Knight all"], "events": [{"play": "Treachery", "whom": "leader", "take": ["Siege"]}, "Kings Feest"],
           "attack": {"whom": ["weakest", "strongest"], "when": "always"}, "give": [{"to": "belvoir", "gold": 1}], "policies": {"wars": [{"for": "any"}, {"for": "any", "send": "none"}]}}
"""Orders, mistakes among them, whose check must not change"""


def change_hidden(state, seat, data):
    """A copy of the state in which things hidden from the seat are other than they were."""
    state = plain.copy(state)
    if state.winner is not None:   # hands and purses are open then: only the deck, policies and memories are not
        state.deck = data.draw(st.permutations(state.deck), "order of the deck")
        return state
    scouting = state.options["fog"] == "scouting"
    others = sorted(other for other in state.seats if other != seat)
    # the cards of the others' hands and of the deck, dealt anew; hand sizes are hidden under scouting only
    pool = list(state.deck) + [card for other in others for card in listed(state.seats[other].hand)]
    pool = data.draw(st.permutations(pool), "cards dealt anew")
    for other in others:
        lord = state.seats[other]
        size = sum(lord.hand.values())
        if scouting:
            lord.gold = data.draw(st.integers(0, 40), "gold")
        lord.hand, pool = counted(pool[:size]), pool[size:]
        lord.policies = data.draw(st.sampled_from([{}, {"wars": [{"for": ["any"]}]}, {"defend": {"use": "none"}}, {"plan": {"land": ["any"]}}]), "policies")
        lord.seen = data.draw(st.sampled_from([{}, {seat: Seen(1, {"farm": 1}, {})}]), "memory")
    if scouting and len(others) > 1:   # one card more in one hand, one less in another: no size is known
        giver, taker = state.seats[others[0]], state.seats[others[1]]
        for card in listed(giver.hand)[:data.draw(st.integers(0, 2), "cards moved")]:
            giver.hand = counted([*listed(giver.hand)[:listed(giver.hand).index(card)], *listed(giver.hand)[listed(giver.hand).index(card) + 1:]])
            taker.hand = counted([*listed(taker.hand), card])
    state.deck = pool
    return state
