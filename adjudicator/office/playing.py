"""Who plays each seat in a turn, and with which orders: from the inbox when a turn is run, from its record when it is proved."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..core import plain
from ..core.dice import Dice, turn_key
from ..core.events import GM, Event
from ..core.ruleset import NOBODY, Ruleset
from ..core.turn import Failure, Result, adjudicate_guarded
from ..store import amendments as corrections, inbox, turns
from ..store.amendments import Amendment
from ..store.folder import Folder
from ..store.manifest import Manifest, Played
from .amending import amended, events_of
from .campaign import Campaign
from .reading import Understood, orders_view, read_file, read_steward, turns_ahead

LETTER = "letter"
WHOLE_FILE = "*"
"""Stands for the order in a Failure if the whole file could not be read because of an error in the program."""


@dataclass
class Play:
    """How one seat plays. `played` goes into the manifest; data: the file in `orders/`, as it is there. missed: a player was asked and has sent nothing."""

    seat: str
    played: Played
    understood: Understood = field(default_factory=Understood)
    data: bytes = b""
    missed: bool = False


def in_force(campaign: Campaign, seat: str, before: inbox.Kept | None = None) -> tuple[inbox.Kept, bytes, Understood] | None:
    """The last submission of a seat for the coming turn that counts, or None; of those that came before `before`, if given.

    What came before a file that withdraws does not count.

    If none counts, but one could not be read for an error in the program, that one, so that its seat and the game master are told.
    """
    view = campaign.view_of(seat)
    faulty = None
    for kept in reversed(campaign.kept(seat)):
        if before is not None and kept.number >= before.number:
            continue
        data = campaign.submitted(kept)
        understood = campaign.understood(kept.path.name, data, lambda data=data: read_file(
            campaign.ruleset, view, data, campaign=campaign.first.campaign, turn=campaign.coming, seat=seat, **campaign.terms))
        if understood.state == "withdrawn":
            return None
        if understood.counts:
            return kept, data, understood
        if understood.error and faulty is None:
            faulty = kept, data, understood
    return faulty


def plays_of(campaign: Campaign) -> dict[str, Play]:
    """seat -> how it plays the coming turn: the file in force, else the steward where one is named, else policies and defaults.

    A seat that is not asked, but may be heard, plays only if it has sent a file.
    """
    plays = {}
    asked = campaign.asked()
    for seat in campaign.heard():
        held = campaign.settings.seats[seat]
        force = in_force(campaign, seat)
        if force:
            kept, data, understood = force
            plays[seat] = Play(seat, Played("file", f"{seat}.yaml", plain.digest(data)), understood, data)
        elif seat not in asked:
            continue
        elif held.is_played_by_steward(campaign.coming):
            plays[seat] = _by_steward(campaign.ruleset, campaign.state, seat)
        elif held.player and campaign.settings.nmr == "steward":
            plays[seat] = _by_steward(campaign.ruleset, campaign.state, seat)
            plays[seat].missed = True
        else:
            plays[seat] = Play(seat, Played("nmr"), missed=bool(held.player))
    return plays


def recorded_plays(folder: Folder, manifest: Manifest, ruleset: Ruleset, before: Any) -> dict[str, Play]:
    """seat -> how it played a past turn, read again from the record and the state before the turn."""
    plays = {}
    ahead = turns_ahead(ruleset, turns.read_manifest(folder, 0).options or {}, manifest.turn)
    for seat in [seat for seat in ruleset.seats if seat in manifest.seats]:
        played = manifest.seats[seat]
        if played.how == "file":
            data = turns.read_orders(folder, manifest.turn, played.file)
            understood = read_file(ruleset, orders_view(ruleset, before, seat), data, campaign=manifest.campaign, turn=manifest.turn, seat=seat,
                                   partial=manifest.partial, salted=manifest.salted, press=manifest.press, anonymous=manifest.anonymous,
                                   turns=ahead)
            plays[seat] = Play(seat, Played("file", played.file, plain.digest(data)), understood, data)
        elif played.how == "steward":
            plays[seat] = _by_steward(ruleset, before, seat)
        else:
            plays[seat] = Play(seat, Played("nmr"))
    return plays


def _by_steward(ruleset: Ruleset, state: Any, seat: str) -> Play:
    understood = read_steward(ruleset, orders_view(ruleset, state, seat))
    data = plain.to_pretty_json(understood.orders)
    return Play(seat, Played("steward", f"{seat}.steward.json", plain.digest(data)), understood, data)


def recorded_input(folder: Folder, manifest: Manifest, ruleset: Ruleset, after: Any) -> Any:
    """The state that a past turn began with. after: the state that the turn before it ended with."""
    state = amended(ruleset, after, corrections.read(folder, manifest.turn))
    return as_stored(ruleset.reseat(state, dict(manifest.holders))) if manifest.reseated and ruleset.reseat else state


def salts_of(plays: dict[str, Play]) -> dict[str, str]:
    """seat -> its salt, of the files in force."""
    return {seat: play.understood.salt for seat, play in plays.items() if play.understood.salt}


def adjudicate(ruleset: Ruleset, before: Any, plays: dict[str, Play], seed: str, turn: int, holders: dict[str, str],
               amendments: Sequence[Amendment] = ()) -> Result:
    """Adjudicate a turn; letters become events, and files that could not be read for an error of ours are told.

    before: the state with the game master's corrections, which are told here
    """
    key = turn_key(seed, turn, salts_of(plays))
    orders = {seat: play.understood.orders for seat, play in plays.items()}
    before, retired = _retire(ruleset, before, holders)
    if ruleset.outcome(before) is None:
        result = adjudicate_guarded(ruleset.adjudicate, before, orders, lambda: Dice(key))
    else:
        result = Result(before, [], [])   # the last but one has left
    unread = [Failure(seat, WHOLE_FILE, play.understood.error) for seat, play in plays.items() if play.understood.error]
    told = [Event("order-failed", "", [failure.seat, GM], {"seat": failure.seat, "order": failure.order}) for failure in unread]
    result.failures = unread + result.failures
    result.events = events_of(amendments) + retired + told + result.events + letters(ruleset, plays, holders)
    result.state, result.events = as_stored(result.state), [as_stored(event) for event in result.events]
    return result


def _retire(ruleset: Ruleset, state: Any, holders: dict[str, str]) -> tuple[Any, list[Event]]:
    """Seats that nobody holds leave the game before the turn, where it has a rule for that."""
    events: list[Event] = []
    for seat in ruleset.seats:
        if ruleset.retire is not None and holders.get(seat) == NOBODY and ruleset.outcome(state) is None:
            state, told = ruleset.retire(state, seat)
            events += told
    return state, events


def as_stored(record: Any) -> Any:
    """The record as it will be read from its file: what is made of it now is the same as what is made of it later."""
    return plain.from_json(plain.to_json(record), type(record))


def letters(ruleset: Ruleset, plays: dict[str, Play], holders: dict[str, str]) -> list[Event]:
    """The letters in the files in force, in seat order, each an event for its sender and those it is written to.

    An unsigned letter is two events: its sender's, which the game master may see if it is written to him, and its readers', without a
    name. They come after all others, by the hash of their text, so that their place does not tell who wrote them.
    """
    events: list[Event] = []
    unsigned: list[tuple[str, Event]] = []
    for seat, play in plays.items():
        for letter in play.understood.letters:
            everybody = "all" in letter.to
            if letter.anonymous and letter.to != [GM]:
                readers = [other for other in ruleset.seats if other != seat and (everybody or other in letter.to)]
                place = plain.digest_of([sorted(letter.to), letter.text])
                unsigned.append((f"{place} 1", Event(LETTER, "", readers, {"from": "", "to": list(letter.to), "text": letter.text})))
                unsigned.append((f"{place} 2 {seat}", Event(LETTER, "", [seat, *([GM] if GM in letter.to else [])],
                                                            {"from": seat, "to": list(letter.to), "text": letter.text, "unsigned": True})))
                continue
            audience = [other for other in ruleset.seats if other == seat or everybody or other in letter.to]
            audience += [GM] if GM in letter.to else []
            events.append(Event(LETTER, "", audience, {"from": seat, "to": list(letter.to), "text": letter.text}))
    return events + [event for _place, event in sorted(unsigned, key=lambda each: each[0])]
