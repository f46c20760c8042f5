"""The outbox: messages that are to go out, on disk, each sent exactly once as far as two machines can agree on that."""

import re
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.parser import BytesHeaderParser
from email.utils import parseaddr
from pathlib import Path

from ..core import plain
from ..core.words import _
from ..store import disk
from ..store.trouble import Trouble
from .sending import Refused, Sender, SenderTrouble, file_stem
from .servers import server_words

WAITING, SENDING, SENT, REFUSED, GIVEN_UP, CANCELLED, BOUNCED, DAMAGED = (
    "waiting",
    "sending",
    "sent",
    "refused",
    "given-up",
    "cancelled",
    "bounced",
    "damaged",
)
BACKOFF = [
    timedelta(minutes=5),
    timedelta(minutes=15),
    timedelta(hours=1),
    timedelta(hours=3),
    timedelta(hours=6),
    timedelta(hours=12),
    timedelta(days=1),
]
"""How long a message waits after each try that was refused for now; the last one over and over."""
GIVE_UP_AFTER, GIVE_UP_TRIES = timedelta(days=5), 5
"""From the first try, and at least so many tries: a machine that was off for a month gives a message more than one."""
KEPT_BYTES = 64 * 1024
"""A message that was sent is kept if it is no larger: reports stand in the turn's folder already."""
STAMP = "%Y-%m-%dT%H:%M:%SZ"


@dataclass
class Outgoing:
    """A message in the outbox.

    state:     "waiting", "sending", "sent", "refused" (for good), "given-up", "cancelled", "bounced"; "damaged": its record cannot
               be read (the key is then the record's file name)
    queued, next_try, sent, first_try: "2026-12-06T17:00:00Z"; all but the first may be ""
    sha256, size: of the message
    error:     what the server said last, one line
    """

    key: str
    kind: str
    seat: str
    turn: int
    name: str
    address: str
    subject: str
    message_id: str
    sha256: str
    size: int
    queued: str
    state: str = WAITING
    tries: int = 0
    next_try: str = ""
    sent: str = ""
    error: str = ""
    first_try: str = ""


@dataclass
class Pushed:
    """What a push did: messages by what became of them.

    is_busy: another push is at work, so this one did nothing
    left:    how many wait for a later one
    """

    sent: list[Outgoing] = field(default_factory=list)
    refused: list[Outgoing] = field(default_factory=list)
    later: list[Outgoing] = field(default_factory=list)
    damaged: list[Outgoing] = field(default_factory=list)
    left: int = 0
    is_busy: bool = False

    def sentence(self) -> str:
        """For people."""
        if self.is_busy:
            return _("another push is at work: nothing was sent by this one")
        return _("sent: {sent}; refused: {refused}; to be tried again: {later}; waiting: {left}").format(
            sent=len(self.sent), refused=len(self.refused), later=len(self.later), left=self.left
        )


class Outbox:
    """A folder with two files for each message: <stem>.eml, the message, and <stem>.json, its record. The record makes it queued.

    Files are for their owner alone, since mail holds tokens and addresses.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def has(self, key: str) -> bool:
        """True if a message with this key was ever queued, whatever became of it."""
        return self._record(key).exists()

    def files(self, outgoing: Outgoing, data: bytes) -> dict[str, bytes]:
        """What must be written to queue a message, in this order: file name in the folder -> bytes."""
        outgoing = replace(outgoing, sha256=plain.digest(data), size=len(data))
        return {self._message(outgoing.key).name: data, self._record(outgoing.key).name: plain.to_pretty_json(outgoing)}

    def queue(self, outgoing: Outgoing, data: bytes) -> bool:
        """Queue a message; False, and nothing happens, if its key was queued before."""
        self._make_private()
        with self._changing():
            if self.has(outgoing.key):
                return False
            for name, content in self.files(outgoing, data).items():
                disk.put(self.folder / name, content, 0o600)
        return True

    def all(self) -> list[Outgoing]:
        """Every message, in the order in which they were queued. A record that cannot be read is one of state "damaged"."""
        paths = sorted(self.folder.glob("*.json")) if self.folder.is_dir() else []
        return [
            outgoing for _order, outgoing in sorted(((outgoing.queued, number), outgoing) for number, outgoing in enumerate(map(self._read, paths)))
        ]

    def cancel(self, key: str) -> bool:
        """Do not send it (again). False if there is none, or it was sent or may be under way."""
        return self._change(key, (WAITING, REFUSED, GIVEN_UP), lambda outgoing: replace(outgoing, state=CANCELLED, next_try=""))

    def retry(self, key: str) -> bool:
        """Send a message after all that was refused, given up or cancelled, or now one that waits. False if there is none such."""
        return self._change(
            key,
            (WAITING, REFUSED, GIVEN_UP, CANCELLED),
            lambda outgoing: replace(outgoing, state=WAITING, next_try="", tries=0, first_try="", error=""),
        )

    def mark_bounced(self, message_id: str, text: str) -> Outgoing | None:
        """A message of ours came back: note why. Returns the message; None if it is none that was sent."""
        if not message_id:
            return None
        found = next((each for each in self.all() if each.message_id == message_id and each.state in (SENT, SENDING)), None)
        if found is None or not self._change(found.key, (SENT, SENDING), lambda outgoing: replace(outgoing, state=BOUNCED, error=server_words(text))):
            return None
        return self._read(self._record(found.key))

    def push(self, sender: Sender, now: Callable[[], datetime], *, on: Callable[[Outgoing], None] = lambda _outgoing: None) -> Pushed:
        """Send what is due, each message in a transaction of its own.

        on: called with each message that was tried, after its record is on disk

        The state "sending" is on disk before a message is given away, "sent" right after the answer; SIGTERM and SIGINT wait
        for that. If the process is killed hard in between, nobody can know whether the message has left: it is sent again
        with the same Message-ID, which most mail programs show once, because a loss would be worse. Into a folder of files it
        goes exactly once, since the file is the same.

        A recipient who is refused for now is tried again after the times in BACKOFF; for good: never, and the others go on.
        SenderTrouble if the server cannot be used at all: the push stops, and no try is counted against any message.
        """
        from filelock import FileLock, Timeout

        pushed = Pushed()
        if not self.folder.is_dir():
            return pushed
        self._make_private()
        try:
            with FileLock(str(self.folder / ".push.lock"), timeout=0, mode=0o600):
                self._push(sender, now, on, pushed)
        except Timeout:
            pushed.is_busy = True
        pushed.left = sum(outgoing.state in (WAITING, SENDING) for outgoing in self.all())
        return pushed

    def _push(self, sender: Sender, now: Callable[[], datetime], on: Callable[[Outgoing], None], pushed: Pushed) -> None:
        for outgoing in self.all():
            if outgoing.state == DAMAGED:
                pushed.damaged.append(outgoing)
            elif outgoing.state == SENT:
                self._throw_away(outgoing)
            if not is_due(outgoing, now()):
                continue
            data = self._data(outgoing)
            if data is None:
                became = self._put_if(
                    outgoing,
                    replace(
                        outgoing, state=REFUSED, error=_("its file {name} is missing or was changed").format(name=self._message(outgoing.key).name)
                    ),
                )
            else:
                sender.open()
                with _signals_held():
                    became = self._send(sender, outgoing, data, now)
            if became is not None:
                {SENT: pushed.sent, REFUSED: pushed.refused, GIVEN_UP: pushed.refused}.get(became.state, pushed.later).append(became)
                on(became)

    def _send(self, sender: Sender, outgoing: Outgoing, data: bytes, now: Callable[[], datetime]) -> Outgoing | None:
        """Give one message to the sender and write down what became of it; None if somebody has cancelled it meanwhile."""
        going = self._put_if(outgoing, replace(outgoing, state=SENDING, first_try=outgoing.first_try or now().astimezone(UTC).strftime(STAMP)))
        if going is None:
            return None
        try:
            sender.send(data, _sender_of(data), outgoing.address, outgoing.key)
        except SenderTrouble:
            self._put_if(going, outgoing)
            raise
        except Refused as refused:
            return self._put_if(going, _after_refusal(going, refused, now().astimezone(UTC)))
        became = self._put_if(
            going, replace(going, state=SENT, tries=going.tries + 1, sent=now().astimezone(UTC).strftime(STAMP), next_try="", error="")
        )
        self._throw_away(going)
        return became

    def _put_if(self, before: Outgoing, after: Outgoing) -> Outgoing | None:
        """Write the record if it still is what it was; None if it is not."""
        return after if self._change(before.key, (before.state,), lambda _found: after) else None

    def _change(self, key: str, states: tuple[str, ...], change: Callable[[Outgoing], Outgoing]) -> bool:
        if not self.has(key):
            return False
        with self._changing():
            found = self._read(self._record(key))
            if found.state not in states:
                return False
            disk.put(self._record(key), plain.to_pretty_json(change(found)), 0o600)
        return True

    def _read(self, path: Path) -> Outgoing:
        try:
            outgoing = plain.from_json(path.read_bytes(), Outgoing)
            if self._record(outgoing.key).name == path.name:
                return outgoing
            reason = _("it belongs to another key")
        except (OSError, plain.PlainError) as error:
            reason = error.strerror or type(error).__name__ if isinstance(error, OSError) else str(error)
        return Outgoing(
            path.name,
            "",
            "",
            0,
            "",
            "",
            "",
            "",
            "",
            0,
            "",
            DAMAGED,
            error=_("the record {path} cannot be read ({reason}): bring it back from a backup, or remove it to have the message queued anew").format(
                path=path, reason=reason
            ),
        )

    def _data(self, outgoing: Outgoing) -> bytes | None:
        try:
            data = self._message(outgoing.key).read_bytes()
        except FileNotFoundError:
            return None
        return data if plain.digest(data) == outgoing.sha256 else None

    def _throw_away(self, outgoing: Outgoing) -> None:
        """Remove the bytes of a large message that was sent."""
        path = self._message(outgoing.key)
        if outgoing.size > KEPT_BYTES and path.exists():
            disk.remove_file(path)

    def _record(self, key: str) -> Path:
        return self.folder / f"{file_stem(key)}.json"

    def _message(self, key: str) -> Path:
        return self.folder / f"{file_stem(key)}.eml"

    def _make_private(self) -> None:
        if not self.folder.is_dir():
            disk.make_folder(self.folder)
        if self.folder.stat().st_mode & 0o077:
            self.folder.chmod(0o700)

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Held for the moment in which a record is read and written anew, so that a push and other commands do not undo each other's changes."""
        from filelock import FileLock, Timeout

        try:
            with FileLock(str(self.folder / ".change.lock"), timeout=10, mode=0o600):
                yield
        except Timeout:
            raise Trouble(_("{path}: another command is changing the outbox").format(path=self.folder), _("try again in a moment")) from None


def is_due(outgoing: Outgoing, now: datetime) -> bool:
    """True if a message is to be sent now. A next try farther off than any wait was noted by a clock that was wrong."""
    moment = now.astimezone(UTC)
    far = (moment + BACKOFF[-1] + timedelta(hours=1)).strftime(STAMP)
    return outgoing.state == SENDING or outgoing.state == WAITING and not moment.strftime(STAMP) < outgoing.next_try <= far


def _after_refusal(going: Outgoing, refused: Refused, now: datetime) -> Outgoing:
    tries = going.tries + 1
    began = datetime.strptime(going.first_try, STAMP).replace(tzinfo=UTC)
    is_over = now - began >= GIVE_UP_AFTER and tries >= GIVE_UP_TRIES
    state = REFUSED if refused.permanent else GIVEN_UP if is_over else WAITING
    wait = BACKOFF[min(tries, len(BACKOFF)) - 1]
    return replace(
        going, state=state, tries=tries, error=server_words(refused.words), next_try=(now + wait).strftime(STAMP) if state == WAITING else ""
    )


def _sender_of(data: bytes) -> str:
    """The bare address in a message's From: where bounces go."""
    head = re.split(rb"\r?\n\r?\n", data, maxsplit=1)[0]
    value = dict(BytesHeaderParser().parsebytes(head).raw_items()).get("From", "")  # raw: an address outside ASCII comes whole
    return parseaddr(value)[1].encode("ascii", "surrogateescape").decode("utf-8", "replace")


@contextmanager
def _signals_held() -> Iterator[None]:
    """SIGTERM and SIGINT wait until the block has ended. Only the main thread can see to that."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    held = [number for number, handler in before.items() if handler is not None]  # None: set by something else than Python
    try:
        for number in held:
            signal.signal(number, lambda got, _frame: came.append(got))
        yield
    finally:
        for number in held:
            signal.signal(number, before[number])
        for number in dict.fromkeys(came):
            signal.raise_signal(number)
