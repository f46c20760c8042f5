"""Prove a campaign: replay everything from the setup and the raw order files, and compare."""

import json
from dataclasses import dataclass, field
from typing import Any

from ..core import plain
from ..core.dice import Dice, commitment, turn_key
from ..core.ruleset import Ruleset
from ..core.words import _, speaking
from ..store import amendments as corrections, manifest as manifests, turns
from ..store.folder import AMENDMENTS, DESK, DICE, EVENTS, INBOX, MANIFEST, REPORTS, STATE, Folder
from ..store.manifest import Manifest
from ..store.trouble import Trouble
from .campaign import Campaign, ruleset_of
from .playing import adjudicate, as_stored, recorded_input, recorded_plays
from .desk import DeskFile
from .reporting import Progress, no_progress
from .running import setup_manifest, turn_manifest


@dataclass
class Difference:
    """The first thing that is not as it must be."""

    turn: int
    file: str
    what: str


@dataclass
class Verified:
    """turns: how many were looked at. not_replayed: turns of another revision; only their hashes were compared."""

    turns: int
    events: int = 0
    draws: int = 0
    difference: Difference | None = None
    not_replayed: list[int] = field(default_factory=list)


def verify(campaign: Campaign, progress: Progress = no_progress) -> Verified:
    """Look at every turn in order and stop at the first difference."""
    folder = campaign.folder
    seed = ""
    found = Verified(0)
    previous, state = "", None
    for turn in range(campaign.turn + 1):
        place = folder.turn(turn)
        damaged = manifests.damage(place) or _damaged_lists(folder, turn)
        if damaged:
            found.difference = Difference(turn, *damaged)
            return found
        seed = seed or _seed(campaign)  # it is compared with the first manifest, which is known to be whole now
        manifest = turns.read_manifest(folder, turn)
        what = _chain(campaign, manifest, turn, previous, seed)
        if what:
            found.difference = Difference(turn, MANIFEST, what)
            return found
        ruleset = ruleset_of(manifest)
        if ruleset.revision != manifest.revision:
            found.not_replayed.append(turn)
            is_needed = turn < campaign.turn and _revision(folder, turn + 1) == ruleset.revision  # the next turn can be replayed from here
            state = turns.read_state(folder, turn, ruleset.state_type) if is_needed else None
        else:
            difference, state, events, draws = _replay(campaign, ruleset, manifest, turn, previous, state, seed)
            if difference:
                found.difference = difference
                return found
            found.events += events
            found.draws += draws
        previous = plain.digest((place / MANIFEST).read_bytes())
        found.turns += 1
        progress(_("turns"), turn + 1, campaign.turn + 1)
    return found


def _seed(campaign: Campaign) -> str:
    """The seed: from secret.yaml, or, where that is not there, the one that was told when the game ended."""
    if not campaign.folder.secret.exists() and campaign.turn:
        try:
            told = turns.read_desk(campaign.folder, campaign.turn, DeskFile).seed
        except Trouble:
            told = ""
        if told:
            return told
    return campaign.secret.seed


def _revision(folder: Folder, turn: int) -> int:
    try:
        return turns.read_manifest(folder, turn).revision
    except Trouble:
        return 0


def _damaged_lists(folder: Folder, turn: int) -> tuple[str, str] | None:
    """Inbox and reports are no part of the proof, but a changed file there is told: (file, what is wrong)."""
    damaged = manifests.damage_in_list(folder.inbox(turn))
    if damaged:
        return f"{INBOX}/{damaged[0]}", damaged[1]
    damaged = manifests.damage_in_list(folder.turn(turn) / REPORTS)
    if damaged:
        return f"{REPORTS}/{damaged[0]}", damaged[1] + _("; `adjudicator report --turn {turn}` makes it again").format(turn=turn)
    return None


def _chain(campaign: Campaign, manifest: Manifest, turn: int, previous: str, seed: str) -> str:
    """What is wrong with the manifest's place in the chain; "" if nothing is."""
    if manifest.turn != turn:
        return _("is the manifest of turn {other}").format(other=manifest.turn)
    if manifest.previous != previous:
        return _("does not follow the manifest of turn {before}: one of the two was exchanged").format(before=turn - 1)
    if manifest.commitment != commitment(seed):
        return _("was made with another seed than the campaign's")
    if manifest.campaign != campaign.first.campaign or manifest.ruleset != campaign.first.ruleset:
        return _("belongs to another campaign")
    return ""


def _replay(campaign: Campaign, ruleset: Ruleset, manifest: Manifest, turn: int, previous: str, before: Any,
            seed: str) -> tuple[Difference | None, Any, int, int]:
    """Play the turn again and compare: (difference, state after it, events, draws)."""
    folder = campaign.folder
    if turn == 0:
        dice = Dice(turn_key(seed, 0))
        state, events = ruleset.setup(dict(manifest.options or {}), {seat: manifest.holders[seat] for seat in ruleset.seats}, dice)
        state, events = as_stored(state), [as_stored(event) for event in events]
        draws = dice.log
        again = setup_manifest(manifest.campaign, ruleset, manifest.options or {}, manifest.holders, manifest.partial, seed, state, events, draws,
                               manifest.salted)
    else:
        desk = turns.read_desk(folder, turn, DeskFile)
        with speaking(desk.language):
            amendments = corrections.read(folder, turn)
            try:
                before = recorded_input(folder, manifest, ruleset, before)
            except Trouble as trouble:
                return Difference(turn, AMENDMENTS, trouble.message), None, 0, 0
            plays = recorded_plays(folder, manifest, ruleset, before)
            result = adjudicate(ruleset, before, plays, seed, turn, manifest.holders, amendments)
        state, events, draws = result.state, result.events, result.draws
        again = turn_manifest(manifest.campaign, ruleset, campaign.options, turn, seed, previous, plain.digest_of(before), result, plays,
                              manifest.holders, manifest.partial, amendments=corrections.digest_of(amendments), reseated=manifest.reseated,
                              salted=campaign.salted, press=manifest.press, anonymous=manifest.anonymous)
    place = folder.turn(turn)
    comparisons = ((STATE, plain.to_pretty_json(state)), (EVENTS, turns.json_lines(events)),
                   (DICE, turns.json_lines(turns.dice_lines(draws, events))))
    for name, data in comparisons:
        stored = (place / name).read_bytes()
        if stored != data:
            return Difference(turn, name, _first_difference(stored, data)), state, 0, 0
    again.files = manifest.files
    manifests.encode(again)
    for key, value in manifests.record(again).items():
        stored_value = manifests.record(manifest).get(key)
        if stored_value != value:
            return Difference(turn, MANIFEST, _("`{key}` is {stored}; replayed it is {replayed}").format(key=key, stored=_short(stored_value),
                replayed=_short(value))), state, 0, 0
    if turns.read_desk(folder, turn, DeskFile).statistics != ruleset.statistics(state):
        return Difference(turn, DESK, _("its statistics are not those of the state")), state, 0, 0
    return None, state, len(events), len(draws)


def _first_difference(stored: bytes, replayed: bytes) -> str:
    """Where two texts part, in words."""
    ours, theirs = stored.decode(errors="replace").splitlines(), replayed.decode(errors="replace").splitlines()
    for line in range(max(len(ours), len(theirs))):
        one = ours[line] if line < len(ours) else _("nothing")
        other = theirs[line] if line < len(theirs) else _("nothing")
        if one != other:
            return _("line {line} is {stored}; replayed it is {replayed}").format(line=line + 1, stored=_short(one.strip()),
                                                                                  replayed=_short(other.strip()))
    return _("differs from the replay in its line ends")


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:79] + "…"
