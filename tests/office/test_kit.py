"""The player's kit: with view.json alone the answers are those of the game master's machine, to the letter; and editors find the schema."""

import json
import random
import re

import pytest
from click.testing import CliRunner
from table import begin, order_file, send

from adjudicator.cli.main import main
from adjudicator.office import checking
from adjudicator.office.campaign import opened
from adjudicator.office.reading import orders_view
from adjudicator.orderfile.loader import load
from adjudicator.orderfile.submission import peek

MODELINE = re.compile(r"^#\s+yaml-language-server\s*:")
"""As the server looks for it: a comment of its own line; after it, words with an equals sign."""


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    path = tmp_path_factory.mktemp("kit") / "toy"
    begin(path, reports=True, dice="salted")
    return path, "red", path / "turns/0000/reports/red.view.json"


@pytest.fixture(scope="module")
def roses(tmp_path_factory):
    """A turn of a real game, with the kit as `kit` writes it."""
    top = tmp_path_factory.mktemp("kit")
    runner = CliRunner()
    for args in (["new", "roses", top / "roses", "--players", "8", "--seed", "5eed" * 16, "--no-reports"], ["run", top / "roses", "--yes", "--no-reports"],
                 ["kit", "-C", top / "roses", "--seat", "york", "--to", top / "kit"]):
        assert runner.invoke(main, [str(arg) for arg in args]).exit_code == 0
    return top / "roses", "york", top / "kit/york.view.json"


def mutations(text, seed, count):
    """Order files as people spoil them: letters lost, lines doubled, moved, cut, comments opened, strange letters."""
    chance = random.Random(seed)
    for _number in range(count):
        lines = text.splitlines()
        for _change in range(chance.randint(1, 6)):
            place = chance.randrange(len(lines))
            line = lines[place]
            how = chance.randrange(8)
            if how == 0:
                lines[place] = re.sub(r"^( *)# ", r"\1", line)
            elif how == 1 and line:
                cut = chance.randrange(len(line))
                lines[place] = line[:cut] + line[cut + 1:]
            elif how == 2:
                lines.insert(place, line)
            elif how == 3:
                lines[place] = chance.choice(["  ", "\t", "\u00a0 ", "- "]) + line
            elif how == 4 and len(lines) > 2:
                del lines[place]
            elif how == 5:
                lines[place] = line + chance.choice([" #5", ":", " [", "}", ' "', " *x", " \u201cYork\u201d", " 1e3"])
            elif how == 6:
                lines[place] = line.replace(":", "", 1)
            else:
                lines[place] = line.swapcase()
        yield "\n".join(lines).encode("utf-16" if chance.random() < .05 else "utf-8")


@pytest.mark.parametrize("game", ["toy", "roses"])
def test_the_same_answers_at_home_as_on_arrival(game, request):
    path, seat, view = request.getfixturevalue(game)
    kit = checking.read_kit(view)
    with opened(path, "test") as campaign:
        own = checking.kit_now(campaign, seat)
        here = own, campaign.ruleset, orders_view(campaign.ruleset, campaign.state, seat)
        text = checking.template_text(*here, campaign.secret.tokens[seat])
        seen = set()
        for data in [text.encode(), *mutations(text, f"{game} 1", 250)]:
            home = checking.check_with_kit(data, "x.yaml", *kit)
            seen.add(home.state)
            assert checking.check_with_kit(data, "x.yaml", *here) == home
            assert checking.preview_text(home, *kit) == checking.preview_text(home, *here)
            if campaign.seats.find(peek(load(data)).seat or "") == seat:   # else nobody but its sender knows whose it is
                assert checking.check_in_campaign(data, "x.yaml", campaign) == home
    assert {"taken", "partly", "refused"} <= seen


def test_a_receipt_says_what_the_check_said(toy):
    path, seat, view = toy
    kit = checking.read_kit(view)
    for orders in ("take: 3", "take: many\ngive: [gren]", "tkae: 3", "give: [green, green]\ntake: 3"):
        data = order_file(path, seat, orders)
        home, receipt = checking.check_with_kit(data, "x.yaml", *kit), send(path, data)
        assert (receipt.problems, receipt.orders, receipt.written, receipt.state) == (home.problems, home.orders if receipt.counts else {},
                                                                                     home.written if receipt.counts else [], home.state)


@pytest.mark.parametrize("game", ["toy", "roses"])
def test_editors_find_the_schema_and_can_read_it(game, request):
    """What a YAML language server does: finds its comment, takes what follows `$schema=` as a path beside the file, and reads draft-07."""
    import jsonschema
    from ruamel.yaml import YAML

    path, seat, view = request.getfixturevalue(game)
    kit = checking.read_kit(view)
    text = checking.template_text(*kit, "aaaa-bbbb")
    first = text.splitlines()[0]
    assert MODELINE.match(first)
    found = re.findall(r"\$schema=(\S+)", first)
    assert found == [f"{seat}.schema.json"] and (view.parent / found[0]).is_file()
    schema = json.loads((view.parent / found[0]).read_text())
    assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
    jsonschema.Draft7Validator.check_schema(schema)
    known = {"$schema", "title", "type", "additionalProperties", "required", "properties", "const", "enum", "anyOf", "items", "minItems", "maxItems",
             "minimum", "maximum", "maxLength", "description", "pattern", "propertyNames", "uniqueItems"}
    assert keywords(schema) <= known, "no keyword that draft-07 does not have, or has with another meaning"
    jsonschema.Draft7Validator(schema).validate(YAML(typ="safe", pure=True).load(text))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft7Validator(schema).validate(YAML(typ="safe", pure=True).load(text.replace(f"seat: {seat}", "seat: nobody-at-all")))


def keywords(schema):
    """The schema's keywords, those inside it too; names of properties are none."""
    if not isinstance(schema, dict):
        return {word for item in schema for word in keywords(item)} if isinstance(schema, list) else set()
    found = set(schema)
    for key, value in schema.items():
        if key == "properties":
            found |= {word for inner in value.values() for word in keywords(inner)}
        elif key not in ("enum", "const", "required"):
            found |= keywords(value)
    return found
