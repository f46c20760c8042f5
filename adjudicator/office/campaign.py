"""A campaign that has been opened: its settings, its game, and where it stands."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from ..core import plain, registry
from ..core.dice import commitment
from ..core.events import GM
from ..core.names import Names
from ..core.ruleset import Outcome, Ruleset
from ..core.words import _, speaking
from ..store import amendments as corrections, inbox, turns
from ..store.amendments import Amendment
from ..store.folder import AMENDMENTS, INBOX, MANIFEST, SECRET, SETTINGS, Folder
from ..store.lock import locked
from ..store.manifest import Manifest
from ..store.trouble import Trouble
from . import deadlines
from .amending import amended
from .desk import DeskFile
from .extending import put_off
from .reading import orders_view, turns_ahead
from .seating import Reseating, read_seats, seated
from .secret import Secret, read_secret
from .settings import Settings, read_settings

Say = Callable[[str], None]


def silent(_sentence: str) -> None:
    """Say nothing."""


@dataclass
class Campaign:
    """turn: the last turn that was run; 0 is the setup. reseating: what `adjudicator seat` has changed; the settings know it already."""

    folder: Folder
    settings: Settings
    ruleset: Ruleset
    turn: int
    reseating: Reseating = field(default_factory=Reseating)
    seats: Names = field(init=False)

    def __post_init__(self) -> None:
        self.seats = Names(self.ruleset.seats)

    @cached_property
    def secret(self) -> Secret:
        try:
            data = self.folder.secret.read_bytes()
        except FileNotFoundError:
            raise Trouble(_("{path} is missing").format(path=self.folder.secret),
                          _("bring it back from a backup: without the seed the campaign cannot go on")) from None
        secret = read_secret(data, list(self.ruleset.seats))
        if commitment(secret.seed) != self.first.commitment:
            raise Trouble(_("the seed in {path} is not the one that the campaign began with").format(path=self.folder.secret),
                          _("bring the file back from a backup"))
        return secret

    @cached_property
    def first(self) -> Manifest:
        """The manifest of the setup."""
        return turns.read_manifest(self.folder, 0)

    @property
    def options(self) -> dict[str, Any]:
        """The options that the campaign began with."""
        return self.first.options or {}

    @cached_property
    def gm_token(self) -> str:
        """The token of the game master's own mail; made now if the campaign has none yet, which needs its lock."""
        from ..store import pending
        from .secret import new_token, write_secret

        if GM not in self.secret.tokens:
            self.secret.tokens[GM] = new_token()
            pending.commit(self.folder, pending.Pending(_("a token for the game master"), files={SECRET: write_secret(self.secret).decode()}))
        return self.secret.tokens[GM]

    @property
    def terms(self) -> dict[str, Any]:
        """What the campaign allows in an order file, as the reader of order files wants it."""
        return {"partial": self.settings.partial, "salted": self.salted, "press": self.settings.press, "anonymous": self.settings.anonymous,
                "turns": self.turns_ahead}

    @cached_property
    def turns_ahead(self) -> dict[int, str]:
        """The coming turn and those after it, as the reports call them."""
        return turns_ahead(self.ruleset, self.options, self.coming)

    def kept(self, seat: str) -> list[inbox.Kept]:
        """The submissions of a seat for the coming turn, oldest first. The folder is looked at once: its lock is held while they grow."""
        known = self.__dict__.setdefault("kept_known", {})
        if not known:
            known[""] = []
            for each in inbox.kept(self.folder.inbox(self.coming)):
                known.setdefault(each.seat, []).append(each)
        return known.setdefault(seat, [])

    def submitted(self, kept: inbox.Kept) -> bytes:
        """The bytes of a submission, read once."""
        known = self.__dict__.setdefault("submissions", {})
        if kept.path.name not in known:
            known[kept.path.name] = kept.path.read_bytes()
        return known[kept.path.name]

    def view_of(self, seat: str) -> Any:
        """The view by which the seat's orders are read; made once."""
        known = self.__dict__.setdefault("views", {})
        if seat not in known:
            known[seat] = orders_view(self.ruleset, self.state, seat)
        return known[seat]

    def understood(self, name: str, data: bytes, read: Callable[[], Any]) -> Any:
        """A file of the inbox as understood, read once while the campaign is open."""
        known = self.__dict__.setdefault("files_understood", {})
        key = (name, plain.digest(data))
        if key not in known:
            known[key] = read()
        return known[key]

    def files_read(self) -> dict[tuple[str, str], Any]:
        """(file name, hash) -> as understood, of the files that have been read while the campaign is open."""
        return self.__dict__.get("files_understood", {})

    @property
    def salted(self) -> bool:
        """Whether the players' salts are mixed into the dice."""
        return self.first.salted

    @cached_property
    def after(self) -> Any:
        """The state that the last turn ended with."""
        return turns.read_state(self.folder, self.turn, self.ruleset.state_type)

    @cached_property
    def amendments(self) -> list[Amendment]:
        """The game master's corrections since the last turn."""
        return corrections.read(self.folder, self.coming)

    @cached_property
    def holders_before(self) -> dict[str, str]:
        """Who held the seats in the last turn."""
        return turns.read_manifest(self.folder, self.turn).holders

    @property
    def is_reseated(self) -> bool:
        """Whether seats have changed hands since the last turn, in a game that has to know."""
        return self.ruleset.reseat is not None and self.settings.holders != self.holders_before

    @cached_property
    def state(self) -> Any:
        """The state that the coming turn begins with: the last turn's, with corrections and changes of hands."""
        state = amended(self.ruleset, self.after, self.amendments)
        if self.is_reseated:
            state = self.ruleset.reseat(state, dict(self.settings.holders))
            state = plain.from_json(plain.to_json(state), type(state))
        return state

    @cached_property
    def desk(self) -> DeskFile:
        return turns.read_desk(self.folder, self.turn, DeskFile)

    @cached_property
    def due(self) -> datetime | None:
        """The moment at which orders for the coming turn are due, where there is a rhythm."""
        if self.is_over or self.settings.rhythm is None:
            return None
        extended = put_off(self.folder, self.settings.rhythm, self.coming)
        if extended is not None:
            return extended
        before = self.desk.was_due or (turns.read_desk(self.folder, self.turn - 1, DeskFile).due if self.turn else "")
        return deadlines.now_due(self.settings.rhythm, self.desk.due, before) or deadlines.after_a_gap(self.settings.rhythm, before)

    @property
    def deadline(self) -> str:
        """When orders for the coming turn are due, as people read it."""
        if self.settings.rhythm is None:
            return self.settings.deadline
        return deadlines.shown(self.due, self.settings.rhythm.zone, self.settings.rhythm.grace) if self.due else ""

    @cached_property
    def outcome(self) -> Outcome | None:
        return self.ruleset.outcome(self.state)

    @property
    def is_over(self) -> bool:
        return self.outcome is not None or self.ruleset.is_last(self.options, self.turn)

    @property
    def coming(self) -> int:
        """The turn that orders are taken for."""
        return self.turn + 1

    def title_of(self, turn: int) -> str:
        return self.ruleset.turn_name(self.options, turn)

    def asked(self) -> list[str]:
        """The seats that are asked for orders for the coming turn."""
        return [] if self.is_over else self.ruleset.asked(self.state)

    def heard(self) -> list[str]:
        """The seats whose file is taken for the coming turn, those that are asked among them."""
        return [] if self.is_over else self.ruleset.listens_to(self.state)

    def how_it_ended(self) -> str:
        """One sentence that names the winner."""
        if self.outcome is None:
            return _("the game is over: its last turn has been played")
        names = [self.ruleset.seats[seat] for seat in self.outcome.winners]
        words = self.outcome.words.rstrip(".")
        if names and all(name in words for name in names):
            return _("the game is over: {words}").format(words=words)
        winners = _("won by: {winners}").format(winners=", ".join(names)) if names else _("nobody won")
        return _("the game is over: {words} ({winners})").format(words=words, winners=winners)


def find(path: Path) -> Folder:
    """The campaign folder at this path. Trouble if there is none."""
    folder = Folder(path.absolute())
    if not folder.settings.is_file():
        what = _("{path} is no campaign folder: there is no {name} in it") if path.is_dir() else _("there is no folder {path}")
        raise Trouble(what.format(path=path, name=SETTINGS), _("give the folder of a campaign, or make one: adjudicator new RULESET FOLDER"))
    return folder


@contextmanager
def opened(path: Path, command: str, say: Say = silent, wait_seconds: float = 10.0, *, changes: bool = True, steady: bool = False,
           playable: bool = True) -> Iterator[Campaign]:
    """Open the campaign, hold its lock inside the block, and mend first what a killed command left.

    say:     is given one sentence for each thing that was mended
    changes:  False for a command that only looks, which may do so in a folder that cannot be written
    steady:   Trouble if the last turn is another one than before the lock was there: somebody else ran or undid it, or a killed
              command's work was finished just now; so one turn is never run, or undone, in place of another
    playable: Trouble if the rules or the fixed settings are not those that the campaign began with
    """
    folder = find(path)
    known = folder.done()
    with locked(folder.path, command, wait_seconds, must=changes) as is_held:
        if is_held:
            for sentence in turns.recover(folder):
                say(sentence)
        campaign = read_campaign(folder)
        if playable:
            must_be_playable(campaign)
        if steady and folder.done() != known:
            raise Trouble(_("meanwhile the last turn of the campaign has become turn {turn}; nothing else was done").format(turn=campaign.turn),
                          _("look at it with `adjudicator status`, and give the command again if it is still wanted"))
        with speaking(campaign.settings.language):
            if is_held and playable and inbox.unanswered(folder.inbox(campaign.coming)):
                from .submitting import answer_unanswered

                for sentence in answer_unanswered(campaign):
                    say(sentence)
            yield campaign


def read_campaign(folder: Folder) -> Campaign:
    """Read the settings and find out where the campaign stands. Nothing on disk is changed."""
    settings, ruleset = read_settings(folder.settings.read_bytes(), _shown(folder.settings))
    done = folder.done()
    if not done or done != list(range(len(done))):
        missing = next((turn for turn in range(len(done)) if turn not in done), 0)
        raise Trouble(_("turn {turn} is missing in {path}").format(turn=missing, path=folder.turns), _("bring it back from a backup"))
    after = folder.turn(done[-1] + 1)
    if after.is_dir() and [path.name for path in after.iterdir() if path.name not in (INBOX, AMENDMENTS)]:
        raise Trouble(_("{path} holds a turn without its {manifest}").format(path=after, manifest=MANIFEST), _("bring it back from a backup"))
    reseating = seated(settings, read_seats(folder), _shown(folder.seats))
    return Campaign(folder, settings, ruleset, done[-1], reseating)


def must_be_playable(campaign: Campaign) -> None:
    """Trouble if the rules or the fixed settings are not those that the campaign was begun with."""
    settings, ruleset, first = campaign.settings, campaign.ruleset, campaign.first
    name = _shown(campaign.folder.settings)
    if ruleset.revision != settings.revision:
        raise Trouble(_("the campaign is played by revision {old} of {ruleset}; installed is revision {new}").format(old=settings.revision,
            new=ruleset.revision, ruleset=ruleset.id),
                      _("install the version with revision {old}; or write `revision: {new}` into {name} to go on under the newer rules").format(old=settings.revision, new=ruleset.revision, name=name))
    for key, now, then in (("campaign", settings.campaign, first.campaign), ("ruleset", settings.ruleset, first.ruleset),
                           ("dice", settings.dice, "salted" if first.salted else "plain")):
        if now != then:
            raise Trouble(_("{name}: `{key}` is now {now}, but the campaign began with {then}").format(name=name, key=key, now=now, then=then),
                          _("change it back"))
    for option, then in campaign.options.items():
        now = settings.options.get(option)
        if now != then:
            raise Trouble(_("{name}: the option `{key}` is now {now}, but the campaign began with {then}; options are fixed").format(name=name,
                key=option, now=_value(now), then=_value(then)),
                          _("write `{key}: {then}` again").format(key=option, then=_value(then)))


def ruleset_of(manifest: Manifest) -> Ruleset:
    """The game that a turn was played by."""
    return registry.load(manifest.ruleset)


def _value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _shown(path: Path) -> str:
    """The path as the game master knows it: from the current folder, where it lies below it."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
