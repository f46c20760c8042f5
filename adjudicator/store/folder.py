"""Where everything is in a campaign folder."""

import re
from dataclasses import dataclass
from pathlib import Path

SETTINGS = "campaign.yaml"
SECRET = "secret.yaml"
MANIFEST = "manifest.json"
STATE = "state.json"
EVENTS = "events.jsonl"
DICE = "dice.jsonl"
DESK = "desk.json"
INBOX = "inbox"
ORDERS = "orders"
REPORTS = "reports"
DUMPS = "dumps"
AMENDMENTS = "amendments.json"
SEATS = "seats.json"
DEADLINE = "deadline.json"
PASSWORDS = "mail.secret"
"""The passwords of the mail servers: never in an archive."""
PENDING = ".pending.json"
SUMS = "SHA256SUMS"

_TURN = re.compile(r"[0-9]{4,}")


@dataclass(frozen=True)
class Folder:
    """The paths of one campaign."""

    path: Path

    @property
    def settings(self) -> Path:
        return self.path / SETTINGS

    @property
    def secret(self) -> Path:
        return self.path / SECRET

    @property
    def turns(self) -> Path:
        return self.path / "turns"

    @property
    def undone(self) -> Path:
        return self.path / "undone"

    def turn(self, turn: int) -> Path:
        return self.turns / f"{turn:04}"

    def building(self, turn: int) -> Path:
        """Where a turn is built; if it is whole, a killed command's turn is put in its place from here."""
        return self.turns / f".{turn:04}.building"

    def dry(self, turn: int) -> Path:
        """Where a dry run builds its turn; what is left there by a killed command is thrown away."""
        return self.turns / f".{turn:04}.dry"

    def aside(self, turn: int) -> Path:
        """Where the inbox of a turn stands while the finished turn takes its place."""
        return self.turns / f".{turn:04}.old"

    def undoing(self, turn: int) -> Path:
        """Where the inbox of a turn that is being undone waits to become the inbox of the coming turn."""
        return self.turns / f".{turn:04}.undoing"

    def redoing(self, turn: int) -> Path:
        """Where an undone turn stands while it is put back into its place."""
        return self.turns / f".{turn:04}.redoing"

    def amendments(self, turn: int) -> Path:
        """The game master's corrections of the state that this turn begins with."""
        return self.turn(turn) / AMENDMENTS

    @property
    def seats(self) -> Path:
        """What `adjudicator seat` has changed; see office.seating."""
        return self.path / SEATS

    @property
    def deadline(self) -> Path:
        """A deadline that was put off; see office.extending."""
        return self.path / DEADLINE

    @property
    def pending(self) -> Path:
        """The journal of a change of several files that has been decided and is being made; see pending."""
        return self.path / PENDING

    def inbox(self, turn: int) -> Path:
        return self.turn(turn) / INBOX

    def is_done(self, turn: int) -> bool:
        return (self.turn(turn) / MANIFEST).is_file()

    def done(self) -> list[int]:
        """The turns that have been run, in order; 0 is the setup."""
        if not self.turns.is_dir():
            return []
        return sorted(int(path.name) for path in self.turns.iterdir() if _TURN.fullmatch(path.name) and (path / MANIFEST).is_file())

    def leftovers(self) -> list[tuple[int, str]]:
        """(turn, what) of the folders that a killed command left: what is `building`, `dry`, `old`, `redoing` or `undoing`."""
        if not self.turns.is_dir():
            return []
        found = [re.fullmatch(r"\.([0-9]{4,})\.(building|dry|old|redoing|undoing)", path.name) for path in self.turns.iterdir()]
        return sorted((int(match[1]), match[2]) for match in found if match)
