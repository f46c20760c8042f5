"""Letters by the campaign's option: carried or not, signed or not; and nothing that is told or kept for a reader says who wrote an unsigned one."""

import json
from dataclasses import replace

import pytest
from table import begin, order_file, play, send, text_of

from adjudicator.core.events import GM, PUBLIC
from adjudicator.core.report import Desk, letters_section
from adjudicator.office.campaign import opened
from adjudicator.office.checking import check_with_kit, kit_now, schema_text, template_text
from adjudicator.office.reading import orders_view
from adjudicator.office.reporting import recorded_moment, report_of
from adjudicator.office.verifying import verify

SEATS = ("red", "green", "blue")


def campaign_with(path, **options):
    begin(path)
    settings = path / "campaign.yaml"
    text = settings.read_text()
    for key, value in options.items():
        line = next(line for line in text.splitlines() if line.startswith(f"{key}:"))
        text = text.replace(line, f"{key}: {value}")
    settings.write_text(text)
    return path


def letter(to, text, more=""):
    return f"  - {{to: {to}, text: {text}{more}}}"


def told(path, viewer, turn=1):
    """The report for a viewer, as one text."""
    with opened(path, "test") as campaign:
        return text_of(report_of(recorded_moment(campaign.folder, turn, campaign.ruleset), viewer))


def seen(path, viewer, turn=1):
    """The letters as events, as far as the viewer may see them."""
    with opened(path, "test") as campaign:
        return [event.data for event in recorded_moment(campaign.folder, turn, campaign.ruleset).events
                if event.kind == "letter" and viewer in event.audience]


def manifest(path, turn=1):
    return json.loads((path / f"turns/{turn:04}/manifest.json").read_text())


def prove(path):
    with opened(path, "test") as campaign:
        assert verify(campaign).difference is None


# off

@pytest.mark.parametrize("to, sent", [("gm", 1), ("green", 0), ("all", 0), ("[green, gm]", 0)])
def test_without_press_only_letters_to_the_game_master_alone_are_carried(tmp_path, to, sent):
    path = campaign_with(tmp_path / "c", press="off")
    receipt = send(path, order_file(path, "red", "take: 2", messages=letter(to, "secretword")))
    assert len(receipt.letters) == sent and receipt.counts and receipt.orders == {"take": 2}
    assert [problem.code for problem in receipt.problems] == ([] if sent else ["NO-PRESS"])
    assert play(path)[0].letters == sent
    assert "secretword" not in told(path, "green") and ("secretword" in told(path, GM)) == bool(sent)
    prove(path)


def test_what_was_carried_then_is_replayed_whatever_campaign_yaml_says_now(tmp_path):
    path = campaign_with(tmp_path / "c", press="off")
    send(path, order_file(path, "red", "take: 2", messages=letter("green", "Hi")))
    play(path)
    settings = path / "campaign.yaml"
    settings.write_text(settings.read_text().replace("press: off", "press: report").replace("anonymous: no", "anonymous: always"))
    prove(path)
    send(path, order_file(path, "red", "take: 2", messages=letter("green", "Hi")))
    assert play(path)[0].letters == 1, "an unsigned letter is two events, and one letter"
    prove(path)


@pytest.mark.parametrize("options, form", [({}, 1), ({"press": "at-once"}, 1), ({"press": "off"}, 3), ({"anonymous": "allowed"}, 3), ({"anonymous": "always"}, 3)])
def test_a_manifest_says_it_only_where_it_is_used(tmp_path, options, form):
    path = campaign_with(tmp_path / "c", **options)
    play(path)
    found = manifest(path)
    assert found["format"] == form
    assert ("press" in found, "anonymous" in found) == (form == 3, form == 3)
    prove(path)


# unsigned letters

@pytest.mark.parametrize("anonymous, more, is_signed", [("no", "", True), ("allowed", "", True), ("allowed", ", anonymous: yes", False), ("allowed", ", anonymous: no", True),
                                                        ("always", "", False), ("always", ", anonymous: no", False)])
def test_who_wrote_it(tmp_path, anonymous, more, is_signed):
    path = campaign_with(tmp_path / "c", anonymous=anonymous)
    receipt = send(path, order_file(path, "red", "take: 2", messages=letter("[green, gm]", "Beware", more)))
    assert receipt.state == "taken" and receipt.letters[0].get("anonymous", False) is not is_signed
    play(path)
    assert seen(path, "green") == [{"from": "red" if is_signed else "", "to": ["green", "gm"], "text": "Beware"}]
    assert seen(path, "blue") == []
    assert [data["from"] for data in seen(path, "red")] == ["red"] and [data["from"] for data in seen(path, GM)] == ["red"]
    prove(path)


def test_signing_cannot_be_left_out_where_the_campaign_does_not_allow_it(tmp_path):
    path = campaign_with(tmp_path / "c")
    receipt = send(path, order_file(path, "red", "take: 2", messages=letter("green", "Beware", ", anonymous: yes")))
    assert not receipt.letters and receipt.state == "partly" and "anonymous" in receipt.text


@pytest.mark.parametrize("to", ["green", "all", "[green, blue]", "[green, gm]", "[red, green]"])
def test_the_reader_s_report_is_the_same_whoever_wrote(tmp_path, monkeypatch, to):
    """One letter, sent by red and, in a copy of the campaign, by blue: what green is told and may see does not differ in a letter."""
    from adjudicator.office import secret

    found = []
    for writer in ("red", "blue"):
        tokens = iter(f"aaaa-{number:04}" for number in range(9))
        monkeypatch.setattr(secret, "new_token", lambda tokens=tokens: next(tokens))
        path = campaign_with(tmp_path / writer, anonymous="allowed")
        for seat in SEATS:
            words = letter(to, "The king is ill", ", anonymous: yes") if seat == writer else letter("gm", "nothing")
            send(path, order_file(path, seat, "take: 2", messages=words))
        play(path)
        found.append((told(path, "green"), seen(path, "green"), told(path, PUBLIC)))
    assert found[0] == found[1] and "The king is ill" in found[0][0] and "The king is ill" not in found[0][2]


def test_the_place_among_the_letters_does_not_tell_the_writer(tmp_path):
    """Signed and unsigned letters of everybody, in every order of writers: the unsigned stand last, in the order of their texts' hashes."""
    import itertools

    orders = set()
    for number, writers in enumerate(itertools.permutations(SEATS)):
        path = campaign_with(tmp_path / str(number), anonymous="allowed")
        for seat, text in zip(writers, ("one", "two", "three"), strict=True):
            send(path, order_file(path, seat, "take: 2", messages=f"{letter('all', f'signed by {seat}')}\n{letter('all', text, ', anonymous: yes')}"))
        play(path)
        with opened(path, "test") as campaign:
            events = [event for event in recorded_moment(campaign.folder, 1, campaign.ruleset).events if event.kind == "letter"]
        assert [bool(event.data["from"]) and not event.data.get("unsigned") for event in events[:3]] == [True] * 3
        orders.add(tuple(event.data["text"] for event in events[3:] if not event.data["from"]))
    assert len(orders) == 1


def test_two_write_the_same_words(tmp_path):
    path = campaign_with(tmp_path / "c", anonymous="always")
    for seat in ("red", "blue"):
        send(path, order_file(path, seat, "take: 2", messages=letter("green", "Same")))
    play(path)
    assert [data["from"] for data in seen(path, "green")] == ["", ""]
    prove(path)


def test_a_letter_to_the_game_master_alone_is_signed(tmp_path):
    path = campaign_with(tmp_path / "c", anonymous="always")
    send(path, order_file(path, "red", "take: 2", messages=letter("gm", "Help")))
    assert play(path)[0].letters == 1
    assert [data["from"] for data in seen(path, GM)] == ["red"]


def test_the_game_master_reads_an_unsigned_letter_once_and_knows_the_hand(tmp_path):
    path = campaign_with(tmp_path / "c", anonymous="always")
    send(path, order_file(path, "red", "take: 2", messages=letter("green", "Onceword")))
    play(path)
    assert told(path, GM).count("Onceword") == 1
    with opened(path, "test") as campaign:
        moment = recorded_moment(campaign.folder, 1, campaign.ruleset)
    desks = []
    report_of(replace(moment, ruleset=replace(moment.ruleset, report=lambda view, events, desk: desks.append(desk) or moment.ruleset.report(view, events, desk))), GM)
    assert [event.data["from"] for event in desks[0].letters] == ["red"]


def test_the_section_names_an_unknown_hand():
    from adjudicator.core.events import Event

    events = [Event("letter", "", ["green"], {"from": "", "to": ["green", "gm", "all"], "text": "Beware"}),
              Event("letter", "", ["red"], {"from": "red", "to": ["green"], "text": "Mine", "unsigned": True})]
    desk = Desk("c", "C", "green", 1, 0, "One", "Two", {"red": "Red", "green": "Green"}, {}, letters=events)
    text = text_of(letters_section(desk))
    for words in ("an unknown hand", "Green, the game master, all", "Beware", "Red", "unsigned"):
        assert words in text
    desk.letters = []
    assert letters_section(desk) is None


# what the player is given

@pytest.mark.parametrize("options, words, forbidden", [
    ({}, "with the next report", "anonymous"), ({"press": "at-once"}, "go out at once", "anonymous"), ({"press": "off"}, "gm alone", "next report"),
    ({"anonymous": "allowed"}, "`anonymous: true`", ""), ({"anonymous": "always"}, "not told by whom", "anonymous: true"),
])
def test_template_and_schema(tmp_path, options, words, forbidden):
    path = campaign_with(tmp_path / "c", **options)
    with opened(path, "test") as campaign:
        kit, view = kit_now(campaign, "red"), orders_view(campaign.ruleset, campaign.state, "red")
        text = template_text(kit, campaign.ruleset, view, campaign.secret.tokens["red"])
        assert words in " ".join(text.replace("#", " ").split()) and (not forbidden or forbidden not in text.partition("messages")[0].rpartition("orders:")[2])
        checked = check_with_kit(text.encode(), "red.yaml", kit, campaign.ruleset, view)
        assert checked.is_fine and not checked.problems, "the template passes its own check"
        letters = json.loads(schema_text(kit, campaign.ruleset, view))["properties"]["messages"]
        assert ("anonymous" in json.dumps(letters)) == (kit.anonymous != "no")


@pytest.mark.parametrize("line", ["final: no", "absent: 2", "request: report", "orders: withdraw", "absent: until 3"])
def test_the_examples_at_the_end_of_the_template_work_as_they_stand(tmp_path, line):
    path = campaign_with(tmp_path / "c")
    with opened(path, "test") as campaign:
        kit, view = kit_now(campaign, "red"), orders_view(campaign.ruleset, campaign.state, "red")
        text = template_text(kit, campaign.ruleset, view, campaign.secret.tokens["red"])
        end = text[text.rindex("messages"):]
        assert line.replace(": no", ": false") in " ".join(end.replace("#", " ").split()) or line in end
        filled = text.replace("\norders:", "\nnot-orders:") if "orders" in line else text
        if "orders" in line:
            filled = filled[:filled.index("\nnot-orders:")] + "\n"
        assert check_with_kit((filled + line + "\n").encode(), "red.yaml", kit, campaign.ruleset, view).is_fine
        assert max(map(len, text.splitlines())) <= 100
