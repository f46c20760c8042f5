"""Salted dice, and the archive by which a player proves a game without the secret file."""

import gzip
import io
import json
import shutil
import tarfile
import zipfile

import pytest
from table import SEED, begin, order_file, play, send, snapshot, text_of

from adjudicator.core.dice import Dice, commitment, turn_key
from adjudicator.office import archiving, checking, reporting
from adjudicator.office.campaign import opened
from adjudicator.office.verifying import verify
from adjudicator.store import turns
from adjudicator.store.folder import Folder
from adjudicator.store.trouble import Trouble


def salted(path, seat, salt, orders="take: 2", **how):
    return send(path, order_file(path, seat, orders, salt=salt, **how))


def rolled(path, turn=1):
    return {line.name: line.results for line in turns.read_dice(Folder(path), turn)}


def proof(path):
    with opened(path, "test", playable=False) as campaign:
        return verify(campaign).difference


def report(path, viewer, turn=1):
    with opened(path, "test") as campaign:
        return text_of(reporting.report_of(reporting.recorded_moment(campaign.folder, turn, campaign.ruleset), viewer))


def test_the_dice_come_from_the_seed_and_the_salts_of_the_files_in_force(tmp_path):
    begin(tmp_path, dice="salted")
    salted(tmp_path, "red", "old words")
    salted(tmp_path, "red", '"  the  quick: fox "')
    salted(tmp_path, "green", "17")
    play(tmp_path)
    salts = {"red": "the quick: fox", "green": "17"}
    assert json.loads((tmp_path / "turns/0001/manifest.json").read_text())["salts"] == salts
    assert rolled(tmp_path)["wind"] == list(Dice(turn_key(SEED, 1, salts)).roll("wind", 1, 2))
    assert rolled(tmp_path)["unseen"] == list(Dice(turn_key(SEED, 1, salts)).roll("unseen", 1, 20))
    assert proof(tmp_path) is None
    for viewer in ("red", "blue", "public", "gm"):
        assert "the quick: fox" in report(tmp_path, viewer) and "old words" not in report(tmp_path, viewer)


def test_a_salt_that_was_exchanged_is_found(tmp_path):
    begin(tmp_path, dice="salted")
    salted(tmp_path, "red", "words")
    play(tmp_path)
    file = tmp_path / "turns/0001/manifest.json"
    file.write_text(file.read_text().replace('"words"', '"sword"'))
    assert proof(tmp_path).file == "manifest.json"


def test_without_the_option_a_salt_has_no_effect_and_is_told(tmp_path):
    begin(tmp_path / "a")
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    receipt = salted(tmp_path / "a", "red", "words")
    assert receipt.counts and [(problem.kind, problem.code) for problem in receipt.problems] == [("doubtful", "SALT")]
    salted(tmp_path / "b", "red", "other words")
    for name in "ab":
        play(tmp_path / name)
    assert rolled(tmp_path / "a") == rolled(tmp_path / "b")
    assert "Salts" not in report(tmp_path / "a", "red")


@pytest.mark.parametrize("salt, kept", [("[a, b]", None), ("{a: b}", None), ("x" * 201, "x" * 200), ('""', None), ("no", "no")])
def test_a_salt_never_keeps_orders_from_counting(tmp_path, salt, kept):
    begin(tmp_path, dice="salted")
    assert salted(tmp_path, "red", salt).counts
    assert play(tmp_path)[0].how["red"] == "file"
    assert json.loads((tmp_path / "turns/0001/manifest.json").read_text())["salts"] == ({"red": kept} if kept else {})
    assert proof(tmp_path) is None


def test_a_refused_file_salts_nothing(tmp_path):
    begin(tmp_path, dice="salted")
    salted(tmp_path, "red", "words", "take: many")
    play(tmp_path)
    assert json.loads((tmp_path / "turns/0001/manifest.json").read_text())["salts"] == {}


def test_the_choice_of_dice_is_fixed(tmp_path):
    begin(tmp_path, dice="salted")
    settings = tmp_path / "campaign.yaml"
    settings.write_text(settings.read_text().replace("dice: salted", "dice: plain"))
    with pytest.raises(Trouble, match="`dice` is now plain, but the campaign began with salted"):
        play(tmp_path)


def test_the_kit_knows_of_salts(tmp_path):
    begin(tmp_path, dice="salted", reports=True)
    reports = tmp_path / "turns/0000/reports"
    assert 'salt: ""' in (reports / "red.orders.yaml").read_text()
    assert "salt" in json.loads((reports / "red.schema.json").read_text())["properties"]
    data = order_file(tmp_path, "red", "take: 2", salt="words")
    assert checking.check_with_kit(data, "x", *checking.read_kit(reports / "red.view.json")).problems == []


def test_the_promise_of_the_seed_stands_in_every_report_from_the_first(tmp_path):
    begin(tmp_path)
    play(tmp_path)
    with opened(tmp_path, "test") as campaign:
        for turn in (0, 1):
            moment = reporting.recorded_moment(campaign.folder, turn, campaign.ruleset)
            assert moment.manifest.commitment == commitment(SEED)


# The archive

def pack(path, target, **how):
    with opened(path, "test", playable=False) as campaign:
        return archiving.archive(campaign, target, **how)


def finished(path, messages=""):
    begin(path, dice="salted", options={"heap": "9"})
    send(path, order_file(path, "red", "take: 1", salt="words", messages=messages))
    play(path, reports=True)
    send(path, order_file(path, "red", "take: 9", turn=2))
    play(path, 1)
    if not (path / "turns/0002/desk.json").read_text().count(SEED):
        play(path, 8)


@pytest.mark.parametrize("end", [".tar.gz", ".zip"])
def test_there_and_back_the_same_bytes(tmp_path, end):
    begin(tmp_path / "c")
    send(tmp_path / "c", order_file(tmp_path / "c", "red"))
    play(tmp_path / "c", 2)
    send(tmp_path / "c", b"waiting")
    pack(tmp_path / "c", tmp_path / f"one{end}")
    (tmp_path / "c/campaign.yaml").touch()
    pack(tmp_path / "c", tmp_path / f"two{end}")
    assert (tmp_path / f"one{end}").read_bytes() == (tmp_path / f"two{end}").read_bytes()
    place, count = archiving.restore(tmp_path / f"one{end}", tmp_path / "back")
    assert snapshot(place) == snapshot(tmp_path / "c") and count == len(snapshot(place))
    assert (place / "secret.yaml").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / f"one{end}").stat().st_mode & 0o777 == 0o600, "the secrets are in it"
    assert proof(place) is None
    with pytest.raises(Trouble, match="is not empty"):
        archiving.restore(tmp_path / f"one{end}", tmp_path / "back")
    with pytest.raises(Trouble, match="is there already"):
        pack(tmp_path / "c", tmp_path / f"one{end}")


def test_a_player_proves_a_finished_game_without_the_secret_file(tmp_path):
    finished(tmp_path / "c")
    done = pack(tmp_path / "c", tmp_path / "proof.zip", for_players=True)
    assert not done.secret
    place, _count = archiving.restore(tmp_path / "proof.zip", tmp_path / "proof")
    names = set(snapshot(place))
    assert not [name for name in names if "inbox" in name or "reports" in name or "secret" in name or "seats.json" in name]
    assert b"anna@example.org" not in b"".join(path.read_bytes() for path in place.rglob("*") if path.is_file())
    assert proof(place) is None
    dice = place / "turns/0001/dice.jsonl"
    assert dice.read_bytes()
    order = place / "turns/0001/orders/red.yaml"
    order.write_bytes(order.read_bytes().replace(b"words", b"sword"))
    assert proof(place).file == "orders/red.yaml"


def test_a_die_that_was_turned_is_found_by_a_player(tmp_path):
    """A game master who changes a result and every hash after it cannot change what the seed gives."""
    from adjudicator.store import manifest as manifests

    finished(tmp_path / "c")
    pack(tmp_path / "c", tmp_path / "proof.tar.gz", for_players=True)
    place, _count = archiving.restore(tmp_path / "proof.tar.gz", tmp_path / "proof")
    folder = place / "turns/0001"
    text = (folder / "dice.jsonl").read_text()
    first = json.loads(text.splitlines()[0])
    turned = text.replace(json.dumps(first["results"]).replace(" ", ""), str([first["results"][0] % 2 + 1]).replace(" ", ""), 1)
    (folder / "dice.jsonl").write_text(turned)
    manifest = manifests.read(folder)
    manifest.files["dice.jsonl"] = __import__("hashlib").sha256(turned.encode()).hexdigest()
    (folder / "manifest.json").write_bytes(manifests.encode(manifest))
    assert proof(place).file == "dice.jsonl"


def test_while_the_game_goes_on_players_get_nothing(tmp_path):
    begin(tmp_path / "c")
    play(tmp_path / "c")
    with pytest.raises(Trouble, match="the game is not over"):
        pack(tmp_path / "c", tmp_path / "proof.zip", for_players=True)
    assert not (tmp_path / "proof.zip").exists()


def test_private_letters_are_given_away_on_purpose_only(tmp_path):
    finished(tmp_path / "c", messages="  - {to: green, text: secret-word}")
    with pytest.raises(Trouble, match="1 private letter"):
        pack(tmp_path / "c", tmp_path / "proof.zip", for_players=True)
    pack(tmp_path / "c", tmp_path / "proof.zip", for_players=True, with_letters=True)
    place, _count = archiving.restore(tmp_path / "proof.zip", tmp_path / "proof")
    assert proof(place) is None


def tar_of(path, *members):
    with tarfile.open(path, "w:gz") as tar:
        for name, kind, data in members:
            info = tarfile.TarInfo(name)
            info.type, info.size, info.linkname = kind, len(data), "/etc/passwd" if kind != tarfile.REGTYPE else ""
            tar.addfile(info, io.BytesIO(data))


@pytest.mark.parametrize("name, kind", [("../evil", tarfile.REGTYPE), ("c/../../evil", tarfile.REGTYPE), ("/evil", tarfile.REGTYPE),
                                        ("c/link", tarfile.SYMTYPE), ("c/link", tarfile.LNKTYPE), ("c/pipe", tarfile.FIFOTYPE), ("c/a\nb", tarfile.REGTYPE)])
def test_a_hostile_archive_writes_nothing(tmp_path, name, kind):
    tar_of(tmp_path / "x.tar.gz", ("c/campaign.yaml", tarfile.REGTYPE, b"x"), (name, kind, b""))
    with pytest.raises(Trouble, match="no plain file inside its folder"):
        archiving.restore(tmp_path / "x.tar.gz", tmp_path / "out")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["x.tar.gz"]


def test_a_hostile_zip_and_damaged_archives(tmp_path):
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as zipped:
        zipped.writestr("c/campaign.yaml", "x")
        zipped.writestr("c/../../evil", "x")
    (tmp_path / "torn.tar.gz").write_bytes(gzip.compress(b"x" * 600)[:20])
    (tmp_path / "no.tar.gz").write_bytes(b"no archive")
    (tmp_path / "no.zip").write_bytes(b"no archive")
    tar_of(tmp_path / "other.tar.gz", ("c/readme", tarfile.REGTYPE, b"x"))
    for name, words in (("x.zip", "no plain file"), ("torn.tar.gz", "damaged"), ("no.tar.gz", "no archive"), ("no.zip", "no archive"), ("other.tar.gz", "holds no campaign")):
        with pytest.raises(Trouble, match=words):
            archiving.restore(tmp_path / name, tmp_path / "out")
    assert not (tmp_path / "out").exists()
