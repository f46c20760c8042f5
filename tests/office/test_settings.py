"""campaign.yaml is read strictly, with the place of each mistake, and what `new` writes reads back as it was meant."""

import re
from dataclasses import replace

import pytest
from table import begin

from adjudicator.office.campaign import opened
from adjudicator.office.creating import Plan, create
from adjudicator.office.settings import EMAIL, Player, read_settings, write_settings
from adjudicator.store.trouble import Trouble


def text_of(tmp_path, **plan):
    return begin(tmp_path / "c", **plan).folder.settings.read_text()


def test_what_is_written_reads_back(tmp_path):
    made = begin(tmp_path / "c", players=2, title='A "quoted": title # 1', options={"heap": "40", "weather": "windy"}, deadline="Sunday, 18:00 UTC",
                 paper="Letter")
    settings, ruleset = read_settings(made.folder.settings.read_bytes())
    assert settings == made.settings
    assert settings.options == {"heap": 40, "turns": 12, "weather": "windy"}
    assert settings.holders == {"red": "1", "green": "2", "blue": "steward"}
    assert read_settings(write_settings(settings, ruleset))[0] == settings


@pytest.mark.parametrize("changes", [
    {"nmr": "steward", "run_when": "all-in", "press": "at-once", "anonymous": "allowed"}, {"nmr": "wait", "run_when": "by-hand", "press": "off", "anonymous": "always"},
    {"reminders": []}, {"reminders": [90, 120, 24 * 60, 3 * 24 * 60]}, {"gm": Player("Gil: \"the\" master", "gil@example.org")}, {"gm": Player("", "gil@example.org")},
    {"gm": Player("Gil")}, {"players": {"1": Player("Jürgen", "jürgen@bücher.example"), "2": Player("Bo"), "3": Player("Иван", "иван@пример.рф")}},
])
def test_what_is_set_by_hand_reads_back(tmp_path, changes):
    settings, ruleset = read_settings(text_of(tmp_path).encode())
    changed = replace(settings, **changes)
    assert read_settings(write_settings(changed, ruleset))[0] == changed


def test_an_older_campaign_yaml_has_the_defaults(tmp_path):
    """None of the keys that came with play by mail is there."""
    text = text_of(tmp_path)
    later = ("nmr:", "run_when:", "reminders:", "press:", "anonymous:", "gm:")
    assert all(f"\n{key}" in text for key in later)
    settings, _ruleset = read_settings("".join(line for line in text.splitlines(True) if not line.startswith(later)).encode())
    assert (settings.nmr, settings.run_when, settings.reminders, settings.press, settings.anonymous, settings.gm) == ("defaults", "deadline", [1440], "report", "no", None)
    assert settings == read_settings(text.encode())[0]


@pytest.mark.parametrize("text, found", [("[3 days, 1 day]", [1440, 4320]), ("2 hours", [120]), ("[]", []), ("", []), ("[1 day, 24 hours]", [1440])])
def test_reminders(tmp_path, text, found):
    settings, _ruleset = read_settings(text_of(tmp_path).replace("reminders: [1 day]", f"reminders: {text}").encode())
    assert settings.reminders == found


@pytest.mark.parametrize("address, is_good", [
    ("anna@example.org", True), ("ännä@bücher.example", True), ("a.b+c@sub.example.org", True), ("", True), ("anna", False), ("anna@host", False), ("a@b@c.org", False),
    ("anna@example.org\nBcc: all@example.org", False), ("anna\x00@example.org", False), ("anna\x1b@example.org", False), ("anna\x85@example.org", False),
    ("anna\x9b@example.org", False), ("Anna <anna@example.org>", False), ("anna@example.org, bo@example.org", False), ("anna@example.org\n", False),
])
def test_addresses(address, is_good):
    assert bool(re.fullmatch(EMAIL, address)) == is_good


@pytest.mark.parametrize("title", ["No", "12", "null", "[x]", "ä: 'ß' \\ \"", "日本", "- x", "~"])
def test_titles_and_names_that_yaml_would_take_for_something_else(tmp_path, title):
    made = create(Plan("stones", "c", title=title, players={"1": Player(title)}), tmp_path / "c", reports=False)
    settings, _ruleset = read_settings(made.folder.settings.read_bytes())
    assert settings.title == title and settings.players["1"].name == title


@pytest.mark.parametrize("old, new, line_of, words", [
    ("partial: accept", "partail: accept", "partail", ["no key 'partail'", "did you mean: partial"]),
    ("partial: accept", "partial: maybe", "partial:", ["'maybe'", "accept, refuse"]),
    ("heap: 30", "heap: lots", "heap: lots", ["'lots' is not a whole number"]),
    ("heap: 30", "heep: 30", "heep", ["did you mean: heap"]),
    ("red: {player: 1}", "red: {player: 9}", "red: {player: 9}", ["'9'", "a key of `players`"]),
    ("red: {player: 1}", "red: {player: 1, holder: steward}", "red: {", ["not clear who holds Red"]),
    ("red: {player: 1}", "red: {holder: steward, steward: true}", "red: {", ["not clear who holds Red"]),
    ("red: {player: 1}", "red: {}", "red: {", ["not clear who holds Red"]),
    ("  red: {player: 1}\n", "", "green:", ["needs 'red'"]),
    ("red: {player: 1}", "purple: {player: 1}", "purple", ["no key 'purple'"]),
    ("paper: A4", "paper: A5", "paper: A5", ["A4, Letter"]),
    ("revision: 1", "revision: one", "revision: one", ["'one' is not a whole number"]),
    ('email: "anna@example.org"', 'email: "anna"', "1: {name", ["e-mail address"]),
    ("  1: {name", "  steward: {name", "steward: {name", ["a short id for a player"]),
    ("ruleset: stones", "ruleset: stons", "ruleset: stons", ["no ruleset 'stons'", "did you mean: stones"]),
    ("partial: accept", "partial: accept\npartial: refuse", "partial: refuse", ["a second time"]),
    ("mass_nmr:", "mass_nmr: -1", "mass_nmr", ["not a whole number"]),
    ("nmr: defaults", "nmr: stewart", "nmr: stewart", ["did you mean: steward", "defaults, steward, wait"]),
    ("run_when: deadline", "run_when: never", "run_when", ["deadline, all-in, by-hand"]),
    ("reminders: [1 day]", "reminders: [soon]", "reminders", ["such as 2 days"]),
    ("press: report", "press: on", "press: on", ["report, at-once, off"]),
    ("anonymous: no", "anonymous: maybe", "anonymous", ["no, allowed, always"]),
    ("gm:", "gm: {name: Gil, email: gil}", "gm:", ["e-mail address"]),
    ("gm:", "gm: Gil", "gm:", ["email"]),
])
def test_mistakes_are_told_with_their_line(tmp_path, old, new, line_of, words):
    text = text_of(tmp_path)
    assert old in text
    text = text.replace(old, new, 1)
    line = next(number for number, each in enumerate(text.splitlines(), 1) if line_of in each and not each.startswith("#"))
    from adjudicator.orderfile.excerpts import tell

    with pytest.raises(Trouble) as trouble:
        read_settings(text.encode(), "campaign.yaml")
    told = "\n".join(tell(problem, trouble.value.text, trouble.value.name) for problem in trouble.value.problems)
    assert f"campaign.yaml:{line}:" in told or line_of == "green:"
    for word in words:
        assert word in told


def test_all_mistakes_are_told_at_once(tmp_path):
    text = text_of(tmp_path).replace("heap: 30", "heap: x").replace("paper: A4", "paper: A5").replace("{player: 2}", "{player: 8}")
    with pytest.raises(Trouble) as trouble:
        read_settings(text.encode())
    assert len(trouble.value.problems) == 3


def test_the_file_is_never_written_again(tmp_path):
    from table import play

    begin(tmp_path)
    text = tmp_path.joinpath("campaign.yaml").read_text() + "# my note\n"
    tmp_path.joinpath("campaign.yaml").write_text(text)
    play(tmp_path, 2)
    assert tmp_path.joinpath("campaign.yaml").read_text() == text


@pytest.mark.parametrize("plan, words", [
    ({"players": {}}, "1 to 3 players, and here are 0"),
    ({"players": {str(n): Player("x") for n in range(4)}}, "here are 4"),
    ({"options": {"haep": "3"}}, "no option 'haep'"),
    ({"options": {"heap": "0"}}, "option heap: 0 is too small"),
    ({"seats": {"purple": "1"}}, "no seat 'purple'"),
    ({"seats": {"red": "7"}}, "no player '7'"),
    ({"seats": {"red": "1"}}, "player 2 has no seat"),
    ({"seats": {"red": "nobody", "green": "1", "blue": "2"}}, "red must be played"),
    ({"players": {"1": Player("Anna", "no address")}}, "no e-mail address"),
    ({"campaign": "No Good"}, "cannot be a campaign's id"),
    ({"ruleset": "stoness"}, "no ruleset 'stoness'"),
])
def test_plans_that_cannot_be(tmp_path, plan, words):
    given = {"ruleset": "stones", "campaign": "c", "players": {"1": Player("Anna"), "2": Player("Bo")}, **plan}
    with pytest.raises(Trouble, match=words):
        create(Plan(**given), tmp_path / "c", reports=False)
    assert list(tmp_path.iterdir()) == []


def test_seats_can_be_given_out_by_hand(tmp_path):
    made = begin(tmp_path / "c", players=2, seats={"blue": "1", "red": "2"})
    assert made.settings.holders == {"red": "2", "green": "steward", "blue": "1"}


def test_an_option_without_effect_is_warned_of_and_kept(tmp_path):
    from table import play

    made = begin(tmp_path / "c", options={"turns": "2", "weather": "windy"})
    assert made.warnings == ["the option weather has no effect together with the others"]
    play(tmp_path / "c")


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path):
    (tmp_path / "c").mkdir()
    (tmp_path / "c/letter.txt").write_text("dear me")
    with pytest.raises(Trouble, match="is not empty"):
        begin(tmp_path / "c")
    assert [each.name for each in (tmp_path / "c").iterdir()] == ["letter.txt"]
    with pytest.raises(Trouble, match="is not empty"):
        begin(tmp_path / "c/letter.txt")


def test_seeds_and_tokens(tmp_path):
    one, other = (create(Plan("stones", "c", stewards=True), tmp_path / name, reports=False) for name in "ab")
    assert len(one.secret.seed) == 64 and one.secret.seed != other.secret.seed
    for token in one.secret.tokens.values():
        assert len(token) == 9 and token[4] == "-" and not set(token) & set("01loiLOI")
    with opened(tmp_path / "a", "test") as campaign:
        assert campaign.secret == one.secret
