"""Named draws: same name, same result; unbiased; never twice."""

from collections import Counter

import pytest

from adjudicator.core.dice import Dice, DiceError, commitment, turn_key

KEY = turn_key("a seed", 3)


def test_golden_draws():
    """These results must never change: recorded campaigns are replayed for years."""
    dice = Dice(KEY)
    assert dice.roll("battle/oxford/archers/york-2", 8) == GOLDEN_ROLL
    assert dice.roll("weather/spring", 4, sides=20) == GOLDEN_TWENTY
    assert dice.shuffle("deck/events", list("abcdefgh")) == GOLDEN_SHUFFLE


def test_result_depends_on_the_name_alone():
    one, other = Dice(KEY), Dice(KEY)
    first = {name: one.roll(name, 5) for name in ("a", "b", "c")}
    second = {name: other.roll(name, 5) for name in ("c", "a", "b")}
    assert first == second
    assert first["a"] != first["b"]


def test_turn_seed_and_salts_change_everything():
    keys = {turn_key("a seed", 3), turn_key("a seed", 4), turn_key("b seed", 3), turn_key("a seed", 3, {"york": "x"}), turn_key("a seed", 3, {"york": "y"})}
    assert len(keys) == 5
    assert turn_key("a seed", 3, {"york": "x", "hull": "y"}) == turn_key("a seed", 3, {"hull": "y", "york": "x"})


def test_a_name_is_used_once():
    dice = Dice(KEY)
    dice.die("evade")
    with pytest.raises(DiceError, match="evade"):
        dice.die("evade")
    with pytest.raises(DiceError, match="evade"):
        dice.shuffle("evade", [1, 2])


@pytest.mark.parametrize("sides", [2, 3, 6, 7, 20])
def test_every_side_is_equally_likely(sides):
    """Chi-square over 20,000 draws, against the value that one fair die in ten thousand passes; the key is fixed, so it cannot flicker."""
    count = 20_000
    rolled = Counter(Dice(KEY).roll("many", count, sides))
    assert set(rolled) == set(range(1, sides + 1))
    chi = sum((number - count / sides) ** 2 / (count / sides) for number in rolled.values())
    assert chi < {2: 15.2, 3: 18.5, 6: 25.8, 7: 27.9, 20: 50.8}[sides]


def test_shuffles_are_fair():
    orders = Counter("".join(Dice(turn_key("s", turn)).shuffle("deck", list("abc"))) for turn in range(6000))
    assert len(orders) == 6 and all(850 < number < 1150 for number in orders.values())


def test_scripted_dice():
    dice = Dice(script={"a": [3], "b": [1, 6], "never": [2]})
    assert dice.die("a") == 3 and dice.roll("b", 2) == (1, 6)
    assert dice.unused() == ["never"]
    with pytest.raises(DiceError, match="'c' is not in the script"):
        dice.die("c")
    with pytest.raises(DiceError, match="needs 1 results of 1 to 6"):
        Dice(script={"a": [7]}).die("a")


def test_the_log_tells_every_draw():
    dice = Dice(KEY)
    dice.die("one")
    dice.shuffle("two", "xyz")
    assert [(draw.name, draw.sides, len(draw.results)) for draw in dice.log] == [("one", 6, 1), ("two", 0, 3)]


def test_the_commitment_hides_and_fixes_the_seed():
    assert commitment("a") != commitment("b") and len(commitment("a")) == 64


GOLDEN_ROLL = (3, 4, 5, 1, 3, 4, 5, 4)
GOLDEN_TWENTY = (6, 19, 4, 14)
GOLDEN_SHUFFLE = ['f', 'c', 'a', 'g', 'e', 'd', 'h', 'b']
