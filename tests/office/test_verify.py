"""A campaign can be proved: a flipped byte in any stored file is found and named, and so is a change that was made with care."""

import json
import shutil

import pytest
from table import begin, order_file, play, send

from adjudicator.core import plain
from adjudicator.office.campaign import opened
from adjudicator.office.reporting import report_again
from adjudicator.office.verifying import Verified, verify
from adjudicator.store import manifest as manifests, turns
from adjudicator.store.folder import Folder
from adjudicator.store.manifest import Manifest


def proof(path) -> Verified:
    with opened(path, "test", playable=False) as campaign:
        return verify(campaign)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    path = tmp_path_factory.mktemp("played") / "c"
    begin(path, reports=True)
    for turn in range(3):
        send(path, order_file(path, "red", f"take: {turn + 1}\ngive: [green]", messages="  - {to: green, text: hello}"))
        send(path, order_file(path, "blue", "give: [red]", messages="  - {to: all, text: from blue}"))
        send(path, b"who am I?")
        play(path, reports=turn == 1)
    with opened(path, "test") as campaign:
        campaign.folder.settings.write_bytes(campaign.folder.settings.read_bytes().replace(b"blue: {player: 3}", b"blue: {holder: steward}"))
    play(path)
    send(path, order_file(path, "red", "curse: yes"))
    play(path)
    return path


def test_an_honest_campaign_is_proved(played):
    found = proof(played)
    assert found.difference is None and found.turns == 6 and found.draws == 25


def stored(path):
    return sorted(file.relative_to(path).as_posix() for file in (path / "turns").rglob("*") if file.is_file())


def test_a_flipped_byte_in_any_file_is_named(played, tmp_path):
    path = tmp_path / "c"
    shutil.copytree(played, path)
    names = stored(path)
    assert len(names) > 80
    assert {"manifest.json", "state.json", "events.jsonl", "dice.jsonl", "desk.json", "red.yaml", "blue.steward.json", "red-001.yaml", "01-red.json",
            "SHA256SUMS", "red.pdf", "unknown-001.receipt.txt"} <= {name.rsplit("/", 1)[1] for name in names}
    for name in names:
        file = path / name
        data = file.read_bytes()
        if not data:
            continue
        for place in {0, len(data) // 2, len(data) - 1}:
            file.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1:])
            difference = proof(path).difference
            assert difference, f"{name}: byte {place} was flipped, and nobody saw it"
            told = f"turns/{difference.turn:04}/{difference.file}"
            if not name.endswith("SHA256SUMS"):
                assert told == name
            else:
                assert difference.turn == int(name.split("/")[1]) and ("reports/" in told or "inbox/" in told)
        file.write_bytes(data)
    assert proof(path).difference is None


def test_a_missing_file_is_named(played, tmp_path):
    path = tmp_path / "c"
    shutil.copytree(played, path)
    for name in stored(path):
        if name.endswith(("manifest.json", "SHA256SUMS")):
            continue
        data = (path / name).read_bytes()
        (path / name).unlink()
        difference = proof(path).difference
        assert difference and f"turns/{difference.turn:04}/{difference.file}" == name and "missing" in difference.what
        (path / name).write_bytes(data)


def forge(path, turn, name, old, new):
    """Change a file of the last turn, and mend every hash in its manifest, as a careful cheat would."""
    place = path / f"turns/{turn:04}"
    data = (place / name).read_bytes()
    assert old in data
    (place / name).write_bytes(data.replace(old, new))
    manifest = plain.from_json((place / "manifest.json").read_bytes(), Manifest)
    manifest.files[name] = plain.digest((place / name).read_bytes())
    if name == "state.json":
        manifest.after = plain.digest_of(json.loads((place / name).read_bytes()))
    if name == "events.jsonl":
        manifest.events = plain.digest_of(turns.read_events(Folder(path), turn))
    if name == "dice.jsonl":
        manifest.dice = plain.digest_of(turns.read_dice(Folder(path), turn))
    if name.startswith("orders/"):
        manifest.seats["red"].sha256 = manifest.files[name]
    (place / "manifest.json").write_bytes(manifests.encode(manifest))


@pytest.mark.parametrize("name, old, new", [
    ("state.json", b'"red": 9', b'"red": 8'),
    ("state.json", b'"heap": ', b'"heap": 1'),
    ("events.jsonl", b'"stones":', b'"stones":1'),
    ("dice.jsonl", b'"results":[', b'"results":[1,'),
    ("orders/red.yaml", b"take: 3", b"take: 4"),
    ("desk.json", b'"heap": ', b'"heap": 1'),
])
def test_a_careful_forgery_is_found_by_the_replay(played, tmp_path, name, old, new):
    path = tmp_path / "c"
    shutil.copytree(played, path)
    for turn in (4, 5):
        shutil.rmtree(path / f"turns/{turn:04}")
    if old == b'"red": 9':
        old = b'"red": ' + str(json.loads((path / "turns/0003/state.json").read_text())["hands"]["red"]).encode()
    forge(path, 3, name, old, new)
    difference = proof(path).difference
    assert difference and difference.turn == 3
    assert difference.file == ("state.json" if name == "orders/red.yaml" else name)
    assert "replayed it is" in difference.what or name == "desk.json"


def test_an_exchanged_turn_breaks_the_chain(played, tmp_path):
    path = tmp_path / "c"
    shutil.copytree(played, path)
    manifest = plain.from_json((path / "turns/0002/manifest.json").read_bytes(), Manifest)
    manifest.seats["red"].sha256 = "0" * 64
    (path / "turns/0002/manifest.json").write_bytes(manifests.encode(manifest))
    difference = proof(path).difference
    assert (difference.turn, difference.file) == (2, "manifest.json") and "`seats`" in difference.what
    manifest = plain.from_json((played / "turns/0002/manifest.json").read_bytes(), Manifest)
    shutil.copy(played / "turns/0002/manifest.json", path / "turns/0002/manifest.json")
    manifest = plain.from_json((path / "turns/0003/manifest.json").read_bytes(), Manifest)
    manifest.previous = "0" * 64
    (path / "turns/0003/manifest.json").write_bytes(manifests.encode(manifest))
    difference = proof(path).difference
    assert difference.turn == 3 and "does not follow" in difference.what


def test_another_seed_is_found(played, tmp_path):
    from adjudicator.store.trouble import Trouble

    path = tmp_path / "c"
    shutil.copytree(played, path)
    (path / "secret.yaml").write_bytes((path / "secret.yaml").read_bytes().replace(b"5eed", b"feed"))
    with pytest.raises(Trouble, match="seed"):
        proof(path)


def test_when_the_game_is_over_anybody_can_prove_it_without_the_secret_file(played, tmp_path):
    from adjudicator.store.trouble import Trouble

    path = tmp_path / "c"
    shutil.copytree(played, path)
    (path / "secret.yaml").unlink()
    with pytest.raises(Trouble, match="secret.yaml is missing"):
        proof(path)
    shutil.copy(played / "secret.yaml", path)
    while json.loads((path / f"turns/{proof(path).turns - 1:04}/desk.json").read_text())["final"] is False:
        play(path)
    (path / "secret.yaml").unlink()
    found = proof(path)
    assert found.difference is None and found.turns > 6


def test_turns_of_another_revision_are_told_and_not_replayed(played, tmp_path, monkeypatch):
    from dataclasses import replace

    import stones

    path = tmp_path / "c"
    shutil.copytree(played, path)
    monkeypatch.setattr(stones, "RULESET", replace(stones.RULESET, revision=2))
    found = proof(path)
    assert found.difference is None and found.not_replayed == [0, 1, 2, 3, 4, 5]


def test_a_changed_rule_is_found(played, tmp_path, monkeypatch):
    from dataclasses import replace

    import stones

    def otherwise(state, orders, dice):
        after, events = stones.adjudicate(state, orders, dice)
        if after.turn == 2:
            after.heap += 1
        return after, events
    monkeypatch.setattr(stones, "RULESET", replace(stones.RULESET, adjudicate=otherwise))
    difference = proof(played).difference
    assert (difference.turn, difference.file) == (2, "state.json") and "heap" in difference.what


def test_reports_made_again_have_the_same_bytes_also_when_settings_have_changed_since(played, tmp_path):
    path = tmp_path / "c"
    shutil.copytree(played, path)
    reports = {file.name: file.read_bytes() for file in (path / "turns/0002/reports").iterdir()}
    settings = (path / "campaign.yaml").read_bytes()
    for old, new in ((b"paper: A4", b"paper: Letter"), (b"deadline:", b'deadline: "on Sunday"'),
                     (b'title: "Counting Stones"', b'title: "Other"'), (b'"Anna"', b'"Olga"'),
                     (b"partial: accept", b"partial: refuse")):
        assert old in settings
        settings = settings.replace(old, new)
    (path / "campaign.yaml").write_bytes(settings)
    shutil.rmtree(path / "turns/0002/reports")
    with opened(path, "test") as campaign:
        report_again(campaign.folder, 2, campaign.ruleset)
    assert {file.name: file.read_bytes() for file in (path / "turns/0002/reports").iterdir()} == reports
    assert proof(path).difference is None
