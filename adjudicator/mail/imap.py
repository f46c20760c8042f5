"""Mail from an IMAP server: every message once, whether or not somebody else reads the mailbox too."""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from ..core import plain
from ..core.words import _
from ..store import disk
from .servers import explain, must_be_safe, server_words, tls_context
from .sources import FIRST_BYTES, MOST_BYTES, Arrived, IsKnown, SourceTrouble

BATCH_MESSAGES, BATCH_BYTES = 50, 8 * 1024 * 1024
"""What is fetched with one command, so that a lost connection costs little and a batch fits into memory."""
KEYWORD = b"$Adjudicated"


@dataclass
class Memory:
    """What is done in a mailbox, kept on disk.

    mailbox:  user, server and folder, so that another mailbox begins anew
    next_uid: every message below this number is done
    done:     the ones from there on that are done
    unmarked: done, but the server has not been told yet
    """

    mailbox: str = ""
    uidvalidity: int = 0
    next_uid: int = 1
    done: list[int] = field(default_factory=list)
    unmarked: list[int] = field(default_factory=list)

    def is_done(self, uid: int) -> bool:
        return uid < self.next_uid or uid in self.done


class Imap:
    """An IMAP mailbox. What is done is marked \\Seen and $Adjudicated, or moved to the folder `move_to`.

    security: "tls", "starttls", or "none", which is for a server on this machine alone
    ca:       file of certificates to trust instead of the system's
    memory:   the file in which is kept what is done. If it is lost, or the server numbers its messages anew, every message is
              fetched once more, and `is_known` tells that it is known. Whether a message was read by somebody decides nothing.
    ValueError if the settings are unsafe.
    """

    def __init__(
        self,
        host: str,
        port: int,
        user: str,
        password: str,
        security: str = "tls",
        folder: str = "INBOX",
        move_to: str = "",
        ca: str = "",
        timeout: float = 30,
        *,
        memory: Path,
    ) -> None:
        must_be_safe(security, host)
        self.host, self.port, self.user, self.security, self.folder, self.move_to, self.ca, self.timeout = (
            host,
            port,
            user,
            security,
            folder,
            move_to,
            ca,
            timeout,
        )
        self._password, self._path = password, memory
        self.server = f"{host}:{port}"
        self._client = None
        self._memory = Memory()
        self._fresh: list[int] = []
        self._open: set[int] = set()
        self._top = 0
        self._may_mark = self._may_keyword = True
        self._laments: list[str] = []

    def __enter__(self) -> Self:
        """Connect, log in, open the folder."""
        logging.getLogger("imapclient").setLevel(logging.WARNING)  # below that it would write mail into logs
        try:
            self._connect()
        except BaseException:
            self._hang_up()
            raise
        return self

    def __exit__(self, *_exception: object) -> None:
        try:
            if self._client is not None:
                self._settle()
        except SourceTrouble:  # what is not marked is in the memory
            pass
        finally:
            self._hang_up()

    def arrived(self, is_known: IsKnown) -> Iterator[Arrived]:
        self._laments = []
        with self._talking():
            numbers = self._client.search(["UID", f"{self._memory.next_uid}:*"])
        new = sorted(uid for uid in numbers if not self._memory.is_done(uid))  # `n:*` finds the last message even if its number is lower
        self._open, self._top = set(new), max(numbers, default=0)
        for start in range(0, len(new), BATCH_MESSAGES):
            for group, is_large in self._sized(new[start : start + BATCH_MESSAGES]):
                for uid, data in self._bodies(group, is_large):
                    arrived = Arrived(data, uid, f"UID {uid}", is_large)
                    if is_known(plain.digest(data)):
                        self.done(arrived)
                    else:
                        yield arrived
        with self._talking():
            self._settle()
        if self._laments:
            raise SourceTrouble(
                self._laments[0]
                if len(self._laments) == 1
                else _("{message} (and {count} more)").format(message=self._laments[0], count=len(self._laments) - 1),
                _("the other messages have been taken"),
            )

    def done(self, arrived: Arrived) -> None:
        self._fresh.append(arrived.mark)
        if len(self._fresh) >= BATCH_MESSAGES:
            try:
                self._settle()
            except SourceTrouble:  # what is not marked is in the memory; whoever fetches the next one hears of it
                pass

    def _connect(self) -> None:
        from imapclient import IMAPClient
        from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, IMAPClientReadOnlyError, LoginError

        context = None
        if self.security != "none":
            try:
                context = tls_context(self.ca)
            except OSError as error:
                raise SourceTrouble(
                    _("{path} holds no certificates that can be read: {reason}").format(path=self.ca, reason=server_words(error.strerror or error)),
                    _("`ca` names a file of certificates in PEM form"),
                ) from None
        with self._talking(is_connecting=True):
            self._client = IMAPClient(self.host, self.port, ssl=self.security == "tls", ssl_context=context, timeout=self.timeout)
            if self.security == "starttls":
                if not self._client.has_capability("STARTTLS"):
                    raise SourceTrouble(
                        _("{server}: the server does not offer STARTTLS; no password was sent").format(server=self.server),
                        _("use `security: tls` with its port (usually 993), or ask the provider"),
                    )
                self._client.starttls(context)
            try:
                self._log_in()
            except LoginError as error:
                if isinstance(error.__context__, IMAPClientAbortError):
                    raise error.__context__ from None
                raise SourceTrouble(
                    _("{server}: the server refuses the login of {user}: {words}").format(
                        server=self.server, user=self.user, words=server_words(error, self._password)
                    ),
                    _("check user and password; many providers ask for an app password in place of the usual one"),
                ) from None
            try:
                try:
                    opened = self._client.select_folder(self.folder)
                except IMAPClientReadOnlyError:
                    opened = self._client.select_folder(self.folder, readonly=True)
                    self._may_mark = False
            except IMAPClientAbortError:
                raise
            except IMAPClientError as error:
                raise SourceTrouble(
                    _("{server}: the folder {folder} cannot be opened: {words}").format(
                        server=self.server, folder=self.folder, words=server_words(error, self._password)
                    ),
                    _("check the folder's name; INBOX is where new mail comes"),
                ) from None
        permanent = opened.get(b"PERMANENTFLAGS", ())
        self._may_keyword = b"\\*" in permanent or KEYWORD in permanent
        self._remember(int(opened.get(b"UIDVALIDITY", 0)))

    def _log_in(self) -> None:
        """By LOGIN where that can carry user and password; else by SASL PLAIN, which carries every character."""
        is_simple = re.fullmatch(r"[A-Za-z0-9._@+=-]+", self.user) and re.fullmatch(r"[ -~]+", self._password)
        if is_simple and not self._client.has_capability("LOGINDISABLED"):
            self._client.login(self.user, self._password)
        elif self._client.has_capability("AUTH=PLAIN"):
            self._client.plain_login(self.user, self._password)
        else:
            raise SourceTrouble(
                _("{server}: this server offers no login that can carry this user and password").format(server=self.server),
                _("choose a password of plain letters, digits and signs there"),
            )

    @contextmanager
    def _talking(self, is_connecting: bool = False) -> Iterator[None]:
        """Turn what may go wrong between two machines into a sentence."""
        from imapclient.exceptions import IMAPClientAbortError, IMAPClientError

        if self._client is None and not is_connecting:
            raise SourceTrouble(*explain(ConnectionError(), self.server, self.security))
        try:
            yield
        except (OSError, IMAPClientAbortError, EOFError) as error:
            self._hang_up()
            raise SourceTrouble(*explain(error, self.server, self.security, self._password)) from None
        except IMAPClientError as error:
            raise SourceTrouble(
                _("{server}: the server answered: {words}").format(server=self.server, words=server_words(error, self._password)),
                _("try again later; what has been taken stays taken"),
            ) from None

    def _hang_up(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            try:
                client.logout()
            except Exception:  # the connection may be in any state
                try:
                    client.shutdown()
                except Exception:
                    pass

    def _sized(self, uids: list[int]) -> Iterator[tuple[list[int], bool]]:
        """Groups of messages that are fetched with one command, in order, and whether only their start is."""
        with self._talking():
            sizes = {uid: answer.get(b"RFC822.SIZE", 0) for uid, answer in self._client.fetch(uids, ["RFC822.SIZE"]).items()}
        for uid in uids:
            if uid not in sizes:  # deleted since
                self._fresh.append(uid)
        group: list[int] = []
        for uid in sorted(sizes):
            if sizes[uid] > MOST_BYTES:
                if group:
                    yield group, False
                yield [uid], True
                group = []
            else:
                if group and sum(sizes[each] for each in group) + sizes[uid] > BATCH_BYTES:
                    yield group, False
                    group = []
                group.append(uid)
        if group:
            yield group, False

    def _bodies(self, uids: list[int], is_large: bool) -> Iterator[tuple[int, bytes]]:
        """The messages' bytes; one that the server does not give is lamented at the end, and asked for again the next time."""
        from imapclient.exceptions import IMAPClientAbortError, IMAPClientError

        item, key = (f"BODY.PEEK[]<0.{FIRST_BYTES}>", b"BODY[]<0>") if is_large else ("BODY.PEEK[]", b"BODY[]")
        with self._talking():
            try:
                answers = self._client.fetch(uids, [item])
            except IMAPClientAbortError:
                raise
            except IMAPClientError as error:
                if len(uids) == 1:
                    self._laments.append(
                        _("{server}: the server does not give message UID {uid}: {words}").format(
                            server=self.server, uid=uids[0], words=server_words(error, self._password)
                        )
                    )
                    return
                answers = None
        if answers is None:  # one that the server cannot give must not keep the others
            for uid in uids:
                yield from self._bodies([uid], is_large)
            return
        for uid in uids:
            data = answers.get(uid, {}).get(key)
            if isinstance(data, bytes):
                yield uid, data
            elif uid in answers:
                self._laments.append(_("{server}: the server does not give message UID {uid}").format(server=self.server, uid=uid))
            else:  # deleted since
                self._fresh.append(uid)

    def _settle(self) -> None:
        """Write down what is done, tell the server, and write down that it was told."""
        memory = self._memory
        if self._fresh:
            memory.unmarked = sorted({*memory.unmarked, *self._fresh}) if self._may_mark else []
            self._open -= {*self._fresh}
            memory.next_uid = min(self._open, default=max(self._top + 1, memory.next_uid))  # numbers only grow: none can come in between
            memory.done = sorted(uid for uid in {*memory.done, *self._fresh} if uid > memory.next_uid)
            self._fresh = []
            self._save()
        if memory.unmarked and self._client is not None:
            with self._talking():
                for start in range(0, len(memory.unmarked), BATCH_MESSAGES):
                    self._mark(memory.unmarked[start : start + BATCH_MESSAGES])
            memory.unmarked = []
            self._save()

    def _mark(self, uids: list[int]) -> None:
        """Mark messages on the server, as far as it permits."""
        from imapclient.exceptions import IMAPClientAbortError, IMAPClientError

        try:
            self._client.add_flags(uids, [b"\\Seen", KEYWORD] if self._may_keyword else [b"\\Seen"], silent=True)
            if self.move_to:
                self._move(uids)
        except IMAPClientAbortError:
            raise
        except IMAPClientError as error:
            if self._may_keyword and not self.move_to:
                self._may_keyword = False
                self._mark(uids)
            elif self.move_to:
                self._laments.append(
                    _("{server}: messages cannot be moved to the folder {folder}: {words}").format(
                        server=self.server, folder=self.move_to, words=server_words(error, self._password)
                    )
                )

    def _move(self, uids: list[int]) -> None:
        if not self._client.folder_exists(self.move_to):
            self._client.create_folder(self.move_to)
        if self._client.has_capability("MOVE"):
            self._client.move(uids, self.move_to)
            return
        self._client.copy(uids, self.move_to)
        self._client.delete_messages(uids, silent=True)
        if self._client.has_capability("UIDPLUS"):  # a plain EXPUNGE would also remove what others have marked
            self._client.uid_expunge(uids)

    def _remember(self, uidvalidity: int) -> None:
        mailbox = f"{self.user}@{self.server}/{self.folder}"
        try:
            self._memory = plain.from_json(self._path.read_bytes(), Memory)
        except (FileNotFoundError, plain.PlainError):  # `is_known` tells what was taken
            self._memory = Memory()
        except OSError as error:
            raise SourceTrouble(
                _("{path} cannot be read: {reason}").format(path=self._path, reason=error.strerror or error),
                _("give the user who runs this command the right to read it"),
            ) from None
        if (self._memory.mailbox, self._memory.uidvalidity) != (mailbox, uidvalidity):
            self._memory = Memory(mailbox, uidvalidity)

    def _save(self) -> None:
        disk.make_folder(self._path.parent)
        disk.put(self._path, plain.to_pretty_json(self._memory), 0o600)
