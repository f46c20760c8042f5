"""How a message leaves: to an SMTP server, or into a folder of .eml files."""

import base64
import re
import smtplib
from pathlib import Path
from typing import Protocol, Self

from ..core.plain import digest
from ..core.words import _
from ..store import disk
from ..store.trouble import Trouble
from .composing import ascii_address, ascii_domain
from .servers import explain, is_loopback, must_be_safe, server_words, tls_context

CLOSING = 421
TOO_LARGE = 552


class SenderTrouble(Trouble):
    """Nothing can be sent at present, whatever the message: no message is to blame."""


class Refused(Exception):  # noqa: N818 - the server's answer, not a fault
    """This message was not taken. permanent: it never will be; words: why, one line."""

    def __init__(self, permanent: bool, words: str) -> None:
        super().__init__(words)
        self.permanent, self.words = permanent, words


class Sender(Protocol):
    """A context manager. Leaving it closes the connection."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_exception: object) -> None: ...

    def open(self) -> None:
        """Be ready to send: connect if there is no connection. SenderTrouble if that is not possible."""
        ...

    def send(self, data: bytes, sender: str, to: str, key: str) -> None:
        """Send one message. Returning means that somebody else has it now. Refused, SenderTrouble.

        data:       the message, with CRLF
        sender, to: bare addresses; bounces go to the first
        """
        ...


def file_stem(key: str) -> str:
    """A harmless file name for a key, never the same for two keys, such as "receipt-3f9a-1c2d3e4f5a6b"."""
    slug = re.sub(r"[^a-z0-9]+", "-", key.lower())[:60].strip("-")
    return f"{slug or 'message'}-{digest(key.encode('utf-8', 'surrogatepass'))[:12]}"


class Folder:
    """Every message becomes a file in a folder, whole or not at all; sent twice, it is the same file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        pass

    def open(self) -> None:
        try:
            if not self.path.is_dir():
                disk.make_folder(self.path)
                self.path.chmod(0o700)
        except OSError as error:
            raise self._trouble(error) from None

    def send(self, data: bytes, sender: str, to: str, key: str) -> None:
        self.open()
        try:
            disk.put(self.path / f"{file_stem(key)}.eml", data, 0o600)
        except OSError as error:
            raise self._trouble(error) from None

    def _trouble(self, error: OSError) -> SenderTrouble:
        return SenderTrouble(
            _("{path}: mail cannot be written there: {reason}").format(path=self.path, reason=error.strerror or type(error).__name__),
            _("make the folder writable, or name another one"),
        )


class Smtp:
    """An SMTP server: usually the provider's, which passes the mail on.

    user:     "" for a server that asks for no login
    security: "starttls", "tls", or "none", which is for a server on this machine alone
    ca:       file of certificates to trust instead of the system's
    timeout:  seconds that the server may be silent
    ValueError if the settings are unsafe.
    """

    def __init__(
        self, host: str, port: int, user: str = "", password: str = "", security: str = "starttls", ca: str = "", timeout: float = 30
    ) -> None:
        must_be_safe(security, host)
        self.host, self.port, self.user, self.security, self.ca, self.timeout = host, port, user, security, ca, timeout
        self._password = password
        self.server = f"{host}:{port}"
        self._client: smtplib.SMTP | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        client, self._client = self._client, None
        if client is not None:
            try:
                client.quit()
            except (OSError, smtplib.SMTPException):
                client.close()

    def open(self) -> None:
        if self._client is None:
            self._connect()

    def send(self, data: bytes, sender: str, to: str, key: str) -> None:
        """One transaction. A connection that was lost before the message was given is made anew once; lost after that, the
        message counts as refused for now: it may have arrived, and is sent again later with the same Message-ID.
        """
        try:
            envelope = ascii_address(to)
        except ValueError as error:
            raise Refused(True, str(error)) from None
        try:
            back = ascii_address(sender)
        except ValueError as error:
            raise SenderTrouble(
                _("the sender's address cannot be used: {reason}").format(reason=error), _("correct the address that mail is sent from")
            ) from None
        for is_again in (False, True):
            self.open()
            try:
                self._envelope(back, envelope, data)
                break
            except (OSError, smtplib.SMTPServerDisconnected) as error:
                self._drop()
                if is_again:
                    raise Refused(False, self._words(explain(error, self.server, self.security, self._password)[0])) from None
        self._give(data)

    def _envelope(self, sender: str, to: str, data: bytes) -> None:
        """MAIL FROM and RCPT TO. What is said against the sender concerns every message, what is said against the recipient this one."""
        client = self._client
        options = [f"size={len(data)}"] if client.has_extn("size") else []
        if not (sender + to).isascii() or not data.isascii():
            if not client.has_extn("smtputf8"):
                raise Refused(
                    True,
                    _("{server} cannot send to or from an address with letters outside ASCII before the @ ({address})").format(
                        server=self.server, address=sender if to.isascii() else to
                    ),
                )
            options += ["SMTPUTF8", "BODY=8BITMIME"] if client.has_extn("8bitmime") else ["SMTPUTF8"]
        code, answer = client.mail(sender, options)
        if code == TOO_LARGE:
            self._reset(code)
            raise Refused(True, self._answer(code, answer))
        if code != 250:
            self._reset(code)
            raise SenderTrouble(
                _("{server}: the server takes no mail from {sender} now: {words}").format(
                    server=self.server, sender=sender, words=self._answer(code, answer)
                ),
                _("try again later; if that stays so, check the sender's address and the login"),
            )
        code, answer = client.rcpt(to)
        if code not in (250, 251):
            self._reset(code)
            raise Refused(code >= 500, self._answer(code, answer))

    def _give(self, data: bytes) -> None:
        try:
            code, answer = self._client.data(data)
        except smtplib.SMTPDataError as error:
            code, answer = error.smtp_code, error.smtp_error
        except (OSError, smtplib.SMTPServerDisconnected) as error:
            self._drop()
            raise Refused(
                False,
                self._words(_("{reason}; the message may have arrived").format(reason=explain(error, self.server, self.security, self._password)[0])),
            ) from None
        if code != 250:
            self._reset(code)
            raise Refused(code >= 500, self._answer(code, answer))

    def _connect(self) -> None:
        context = None
        if self.security != "none":
            try:
                context = tls_context(self.ca)
            except OSError as error:
                raise SenderTrouble(
                    _("{path} holds no certificates that can be read: {reason}").format(path=self.ca, reason=server_words(error.strerror or error)),
                    _("`ca` names a file of certificates in PEM form"),
                ) from None
        try:
            if self.security == "tls":
                self._client = smtplib.SMTP_SSL(self.host, self.port, local_hostname=self._hello(), timeout=self.timeout, context=context)
            else:
                self._client = smtplib.SMTP(self.host, self.port, local_hostname=self._hello(), timeout=self.timeout)
            self._client.ehlo_or_helo_if_needed()
            if self.security == "starttls":
                if not self._client.has_extn("starttls"):
                    raise SenderTrouble(
                        _("{server}: the server does not offer STARTTLS; no password and no mail was sent").format(server=self.server),
                        _("use `security: tls` with its port (usually 465), or ask the provider"),
                    )
                code, answer = self._client.starttls(context=context)
                if code != 220:
                    raise smtplib.SMTPResponseException(code, answer)
                self._client.ehlo_or_helo_if_needed()
            if self.user:
                self._log_in()
        except SenderTrouble:
            self._drop()
            raise
        except smtplib.SMTPAuthenticationError as error:
            self._drop()
            raise SenderTrouble(
                _("{server}: the server refuses the login of {user}: {words}").format(
                    server=self.server, user=self.user, words=self._answer(error.smtp_code, error.smtp_error)
                ),
                _("check user and password; many providers ask for an app password in place of the usual one"),
            ) from None
        except smtplib.SMTPResponseException as error:
            self._drop()
            raise SenderTrouble(
                _("{server}: the server answered: {words}").format(server=self.server, words=self._answer(error.smtp_code, error.smtp_error)),
                _("try again later"),
            ) from None
        except smtplib.SMTPServerDisconnected as error:
            self._drop()
            raise SenderTrouble(*explain(error, self.server, self.security, self._password)) from None
        except smtplib.SMTPException as error:
            self._drop()
            raise SenderTrouble(
                _("{server}: no login: {reason}").format(server=self.server, reason=self._words(str(error))), _("ask the provider how to log in")
            ) from None
        except OSError as error:
            self._drop()
            raise SenderTrouble(*explain(error, self.server, self.security, self._password)) from None

    def _hello(self) -> str:
        """The name that we give: the user's domain, since this machine's own name may be none and is nobody's business."""
        domain = self.user.rpartition("@")[2] if "@" in self.user and not is_loopback(self.host) else "localhost"
        try:
            return ascii_domain(domain)
        except ValueError:
            return "localhost"

    def _log_in(self) -> None:
        if not self._client.has_extn("auth"):
            raise SenderTrouble(_("{server}: the server offers no login").format(server=self.server), _("leave the user out if it asks for none"))
        if (self.user + self._password).isascii():
            self._client.login(self.user, self._password)
            return
        code, answer = self._client.docmd("AUTH", "PLAIN " + base64.b64encode(f"\0{self.user}\0{self._password}".encode()).decode())
        if code != 235:
            raise smtplib.SMTPAuthenticationError(code, answer)

    def _answer(self, code: int, answer: bytes) -> str:
        return f"{code} {self._words(answer)}"

    def _words(self, said: bytes | str) -> str:
        return (
            server_words(
                said,
                self._password,
                base64.b64encode(self._password.encode()).decode(),
                base64.b64encode(f"\0{self.user}\0{self._password}".encode()).decode(),
            )
            if self._password
            else server_words(said)
        )

    def _reset(self, code: int) -> None:
        """Be ready for another transaction."""
        if code == CLOSING:
            self._drop()
            return
        try:
            self._client.rset()
        except (OSError, smtplib.SMTPException):
            self._drop()

    def _drop(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.close()
