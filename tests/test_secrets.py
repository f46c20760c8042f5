"""A secret word in every hidden place: no artefact of another seat holds it, in whatever form it is written."""

import io
import json
import zlib
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner
from pypdf import PdfReader

from adjudicator.cli.main import main
from adjudicator.core import registry

ORDERS = {"roses": "march: {to: [hold]}", "feudal-lords": "recruit: [any]"}
"""game -> an order that any seat may give in the first two turns"""
GAMES = {id_: list(registry.load(id_).seats) for id_ in ORDERS if id_ in registry.available()}
"""game -> its seats"""
VIEWERS = [(game, seat) for game, seats in GAMES.items() for seat in seats]


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def campaigns(tmp_path_factory):
    """game -> the folder of a campaign of it, played when it is asked for."""
    played = {}

    def campaign(game):
        if game not in played:
            played[game] = play(game, tmp_path_factory.mktemp("secrets") / "war")
        return played[game]

    return campaign


def play(game, folder):
    """Two turns in which every seat hides words: in a letter to one other seat, in a letter to the GM, and in notes beside its orders."""
    seats = GAMES[game]
    players = [argument for seat in seats for argument in ("--player", f"Keeper of {seat} <{seat}word@secret-address.example>")]
    given = [argument for number, seat in enumerate(seats, 1) for argument in ("--seat", f"{seat}={number}")]
    result = run("new", game, folder, *players, *given, "--seed", "seedword1234567890seedword1234567890", "--no-reports")
    assert result.exit_code == 0, result.output
    tokens = tokens_of(folder)
    for turn in (1, 2):
        for number, seat in enumerate(seats):
            friend = seats[(number + 1) % len(seats)]
            file = folder.parent / f"{seat}.yaml"
            file.write_text(f"# noteword{seat}\ncampaign: war\nturn: {turn}\nseat: {seat}\ntoken: {tokens[seat]}\norders:\n  {ORDERS[game]}   # orderword{seat}\n"
                            f"messages:\n  - {{to: {friend}, text: letterword{seat}}}\n  - {{to: gm, text: 'gmword{seat} <b>&'}}\n  - {{to: all, text: openword{seat}}}\n")
            assert run("submit", "-C", folder, file).exit_code == 0
        result = run("run", folder, *(["--no-reports"] if turn == 1 else []))
        assert result.exit_code == 0, result.output
    return folder


def tokens_of(folder):
    lines = (Path(folder) / "secret.yaml").read_text().split("tokens:")[1].strip().splitlines()
    return {line.split(":")[0].strip(): line.split(":")[1].strip().strip('"') for line in lines}


def pdf_words(data):
    """Everything in a PDF in which a word could stand: pages, metadata, outline, attachments, and every stream unpacked."""
    reader = PdfReader(io.BytesIO(data))
    parts = [page.extract_text() for page in reader.pages]
    parts += [str(reader.metadata), str(reader.outline), str(reader.xmp_metadata)]
    parts += [content.decode("utf-8", "replace") for contents in reader.attachments.values() for content in contents]
    for number in range(1, len(reader.xref_objStm) + max(reader.xref.get(0, {0: 0})) + 1):
        found = reader.get_object(number)
        parts.append(str(found))
        if hasattr(found, "get_data"):
            try:
                parts.append(found.get_data().decode("latin-1"))
            except (NotImplementedError, ValueError, zlib.error):
                parts.append("")
    return "\n".join(parts)


@cache
def artefacts(folder, viewer):
    """name -> text of everything that is made for a viewer: reports in all forms, kit, receipts."""
    made = {}
    for turn in ("0001", "0002"):
        for file in sorted((folder / "turns" / turn / "reports").glob(f"{viewer}.*")):
            made[f"{turn}/{file.name}"] = pdf_words(file.read_bytes()) if file.suffix == ".pdf" else file.read_text()
        for file in sorted((folder / "turns" / turn / "inbox").glob(f"{viewer}-*")):
            if "receipt" in file.name:
                made[f"{turn}/{file.name}"] = file.read_text()
    return made


def forbidden_words(folder, seats, viewer):
    """Words that this viewer may not learn."""
    words = {"seedword1234567890": "the seed", "secret-address": "somebody's address", tokens_of(folder)["gm"]: "the token of the game master"}
    for number, seat in enumerate(seats):
        friend = seats[(number + 1) % len(seats)]
        words[f"{seat}word"] = f"the address of {seat}"
        if seat != viewer:
            words |= {f"gmword{seat}": f"a letter of {seat} to the GM", f"noteword{seat}": f"a note of {seat}", f"orderword{seat}": f"a note of {seat}"}
            words[tokens_of(folder)[seat]] = f"the token of {seat}"
            if friend != viewer:
                words[f"letterword{seat}"] = f"a letter of {seat} to {friend}"
    return words


@pytest.mark.parametrize("game, viewer", [*VIEWERS, *((game, "public") for game in GAMES)])
def test_no_artefact_tells_a_secret(campaigns, game, viewer):
    folder, seats = campaigns(game), GAMES[game]
    made = artefacts(folder, viewer)
    assert len(made) >= (9 if viewer in seats else 3), sorted(made)
    for name, text in made.items():
        for word, what in forbidden_words(folder, seats, viewer).items():
            assert word not in text, f"{name} tells {viewer} {what}"


@pytest.mark.parametrize("game, viewer", VIEWERS)
def test_the_words_that_may_be_known_are_there(campaigns, game, viewer):
    """The search above would find nothing if it could not read: what a seat may know must be found in each form of its report."""
    folder, seats = campaigns(game), GAMES[game]
    friend_of = seats[seats.index(viewer) - 1]
    made = artefacts(folder, viewer)
    for form in ("pdf", "html", "txt"):
        text = made[f"0002/{viewer}.{form}"]
        for word in (f"letterword{friend_of}", f"letterword{viewer}", f"openword{seats[-1]}", tokens_of(folder)[viewer]):
            assert word in text, f"{form}: {word}"
    assert tokens_of(folder)[viewer] in made[f"0002/{viewer}.orders.yaml"]


def test_a_wrong_token_learns_nothing(campaigns):
    """A stranger who guesses: the answer is the same whether the seat has sent or not, and holds no order, no view, no name."""
    campaign = campaigns("roses")
    file = campaign.parent / "guess.yaml"
    file.write_text("campaign: war\nturn: 3\nseat: york\ntoken: aaaa-bbbb\norders:\n  march: {to: [Lodnon]}\n")
    result = run("submit", "--json", "-C", campaign, file)
    assert result.exit_code == 1
    answer = json.dumps(json.loads(result.stdout))
    for word in ("London", "hold", tokens_of(campaign)["york"], tokens_of(campaign)["gm"], "secret-address", "march"):
        assert word not in answer


@pytest.mark.parametrize("game", GAMES)
def test_the_public_files_of_the_campaign_hold_no_secret(campaigns, game):
    """`status` is what may be told to everybody: who has sent, not what."""
    campaign = campaigns(game)
    result = run("status", campaign, "--json")
    for word in ("seedword", "secret-address", *tokens_of(campaign).values()):
        assert word not in result.stdout


@pytest.mark.parametrize("game", GAMES)
def test_the_game_master_s_token_stands_in_secret_yaml_alone(campaigns, game):
    """Not even in the game master's own report, which is often shown around after the game."""
    folder = campaigns(game)
    token = tokens_of(folder)["gm"].encode()
    assert [file.name for file in sorted(folder.rglob("*")) if file.is_file() and token in file.read_bytes()] == ["secret.yaml"]
