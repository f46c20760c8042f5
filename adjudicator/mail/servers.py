"""What the connections to both kinds of mail server share: TLS, who is asked without it, and what is said when they fail."""

import ipaddress
import re
import socket
import ssl

from ..core.words import _

WORDS_MOST = 200
SECURITIES = ("tls", "starttls", "none")
CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
CODES = re.compile(r"^[A-Z]+: ")


def is_loopback(host: str) -> bool:
    """True if the host is this machine by its very name; names that would have to be looked up are not."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.rstrip(".").lower() == "localhost"


def tls_context(ca: str = "") -> ssl.SSLContext:
    """TLS that checks the server's certificate and name. ca: file of certificates to trust instead of the system's; OSError if it is none."""
    return ssl.create_default_context(cafile=ca or None)


def must_be_safe(security: str, host: str) -> None:
    """ValueError if the way to connect is none of SECURITIES, or would send a password in the open."""
    if security not in SECURITIES:
        raise ValueError(f"security {security!r} is none of {', '.join(SECURITIES)}")
    if security == "none" and not is_loopback(host):
        raise ValueError(
            _(
                "{host}: without TLS only a server on this machine may be asked, since passwords and mail would be readable on the way: "
                "write tls or starttls"
            ).format(host=host)
        )


def server_words(error: BaseException | bytes | str, *secrets: str) -> str:
    """What a server said, as one line of at most WORDS_MOST characters without control characters and without the secrets."""
    text = error.decode("utf-8", "replace") if isinstance(error, bytes) else str(error)
    text = " ".join(CONTROLS.sub(" ", text).split())
    for secret in secrets:
        if secret:
            text = text.replace(secret, "…")
    return text if len(text) <= WORDS_MOST else text[: WORDS_MOST - 1] + "…"


def explain(error: BaseException, server: str, security: str, *secrets: str) -> tuple[str, str]:
    """(what failed, the way out) for a connection that could not be made or broke. server: "host:port"."""
    if not isinstance(error, TimeoutError) and getattr(error, "strerror", None) is None and isinstance(error.__context__, OSError):
        error = error.__context__  # the libraries hide what happened behind an error of their own
    if isinstance(error, ssl.SSLCertVerificationError):
        return (
            _("{server}: the server's certificate is not trusted: {reason}").format(
                server=server, reason=server_words(error.verify_message or error, *secrets)
            ),
            _("check the server's name; for a server with a certificate of its own name the file of its authority as `ca`"),
        )
    if isinstance(error, ssl.SSLEOFError | ssl.SSLZeroReturnError):
        return _("{server}: the connection was lost").format(server=server), _("nothing is lost: the next call goes on from there")
    if isinstance(error, ssl.SSLError):
        reason = (error.reason or str(error)).replace("_", " ").lower()
        return (
            _("{server}: TLS could not be agreed on: {reason}").format(server=server, reason=server_words(reason, *secrets)),
            _("check that the port belongs to `security: {security}`: tls is usual on 993 and 465, starttls on 143 and 587").format(
                security=security
            ),
        )
    if isinstance(error, socket.gaierror):
        return _("{server}: no server of this name was found").format(server=server), _(
            "check the name, and whether this machine is connected to the network"
        )
    if isinstance(error, TimeoutError):
        return (
            _("{server}: the server did not answer in time").format(server=server),
            _("try again later; if it never answers, check that the port belongs to `security: {security}`").format(security=security),
        )
    if isinstance(error, ConnectionRefusedError):
        return _("{server}: no server answers there").format(server=server), _("check host and port")
    if isinstance(error, OSError) and error.strerror and not isinstance(error, ConnectionError):
        return (
            _("{server}: no connection: {reason}").format(server=server, reason=server_words(error.strerror, *secrets)),
            _("check host and port, and whether this machine is connected to the network"),
        )
    return _("{server}: the connection was lost").format(server=server), _("nothing is lost: the next call goes on from there")
