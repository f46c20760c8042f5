"""The order file and the report that the awkward messages carry, and what most builders share."""

import base64
import quopri
from dataclasses import dataclass
from email.header import Header

OURS_ADDRESS, OURS_DOMAIN = "gm@play.example", "play.example"
OUR_ID = "<adj.roses-1455.2.york@play.example>"
TOKEN = "nan6-mg7u"

FILE = f"""\
campaign: roses-1455
turn: 2
seat: york
token: {TOKEN}

orders:
  march: {{to: [oxford, hold], meet: halt}}
  policy:
    militia: 4

messages:
  - {{to: [warwick], text: "Wait for me"}}
"""
"""An order file that somebody filled in."""

TEMPLATE = f"""\
# yaml-language-server: $schema=york.schema.json
# The Year 1455: orders of York for Summer 1455 (turn 2)
# Lines that begin with # are notes. Take away the # in front of an example and change it; what
# you do not write happens by default.

campaign: roses-1455
turn: 2
seat: york
token: {TOKEN}

orders:
  # march (rule 5.3): Where your lord's army goes. Default: it holds its ground.
  #   to: preference list, the first entry that is legal at your moment is taken: a PLACE, {{place:
  #     PLACE, when: clear}}, {{path: [P, Q]}}, {{toward: PLACE}}, {{hunt: HOUSE}}, {{join: HOUSE}}, hold;
  march: {{to: [hold], meet: halt}}
  # captain (rule 5.3): A second army, led by your captain: to, with, meet, storm, attempts, keep
  # as in `march`, and: Default: no second army; one that exists holds.
  policy:
    # if_attacked (rule 5.5): stand, evade, or evade-if-outnumbered; who tries to evade calls no
    # militia.
    if_attacked: evade-if-outnumbered

# Letters go out with the next report: to a house, several, all, or gm.
messages: []
#  - {{to: [gm], text: "..."}}
"""
"""The order file as a report brings it."""

REPORT = f"""\
The Year 1455: Summer 1455
==========================

You are York. Turn: 2. Your army stands in London.

Your order file, to be filled in and sent back:

{"".join(f"  {line}" if line.strip() else line for line in TEMPLATE.splitlines(keepends=True))}
Deadline: Sunday, 18:00 UTC
"""
"""A report as plain text, with the order file in it, indented by two spaces."""

FILLED = TEMPLATE.replace("to: [hold]", "to: [oxford]")
"""The template, filled in."""

RUSSIAN = FILE.replace("Wait for me", "Жди меня у Оксфорда, ёлки")
ITALIAN = FILE.replace("Wait for me", "Aspettami, così arriverò più in là: è città mia")


@dataclass(frozen=True)
class Case:
    """One message and what is to be read in it.

    places:  of the order files found, in their order
    marches: where each of them goes first; "-" for one that says nothing of it or cannot be read
    unread:  names of attachments that could not be read
    says:    words that the letter in the first file must hold
    """

    name: str
    raw: bytes
    kind: str = "mail"
    places: tuple[str, ...] = ()
    marches: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    says: str = ""
    cut: str | None = None
    bounce: tuple[str, str, str, bool] | None = None
    sender: str = "player@example.org"


def case(name: str, raw: bytes, places: str = "", marches: str = "", **rest) -> Case:
    """A Case; places and marches as words. Every file goes to Oxford where nothing else is said."""
    where = tuple(places.split())
    return Case(name, raw, places=where, marches=tuple(marches.split()) or ("oxford",) * len(where), **rest)


def message(body: str | bytes, *more: str, kind: str = "text/plain; charset=utf-8", encoding: str = "8bit", subject: str = "Orders",
            sender: str = "Player <player@example.org>", charset: str = "utf-8", head: str = "", version: str = "MIME-Version: 1.0") -> bytes:
    """A message of one part; more: further headers; encoding: how the body travels."""
    data = body if isinstance(body, bytes) else body.encode(charset)
    lines = [head, f"From: {sender}", f"To: {OURS_ADDRESS}", f"Subject: {subject}", "Date: Mon, 05 Jan 2026 10:00:00 +0000",
             "Message-ID: <one.two@mail.example.org>", version, f"Content-Type: {kind}", f"Content-Transfer-Encoding: {encoding}", *more]
    top = "\r\n".join(line for line in lines if line).encode("utf-8") + b"\r\n\r\n"
    return top + carried(data, encoding)


def carried(data: bytes, encoding: str) -> bytes:
    """Bytes as they travel, lines ended by CR LF."""
    if encoding == "base64":
        return base64.encodebytes(data.replace(b"\n", b"\r\n") if b"\x00" not in data else data).replace(b"\n", b"\r\n")
    data = data.replace(b"\r\n", b"\n")
    if encoding == "quoted-printable":
        data = quopri.encodestring(data)
    return data.replace(b"\n", b"\r\n")


def part(body: str | bytes, kind: str = "text/plain; charset=utf-8", *more: str, encoding: str = "8bit", charset: str = "utf-8") -> bytes:
    """One part of a multipart, its headers with it."""
    data = body if isinstance(body, bytes) else body.encode(charset)
    head = "\r\n".join([f"Content-Type: {kind}", f"Content-Transfer-Encoding: {encoding}", *more])
    return head.encode("utf-8", errors="surrogateescape") + b"\r\n\r\n" + carried(data, encoding)


def attached(body: str | bytes, name: str, kind: str = "application/octet-stream", encoding: str = "base64", how: str = "attachment", charset: str = "utf-8") -> bytes:
    """An attached file."""
    return part(body, kind, f'Content-Disposition: {how}; filename="{name}"', encoding=encoding, charset=charset)


def multipart(*parts: bytes, kind: str = "mixed", mark: str = "=_mark_1") -> tuple[bytes, str]:
    """(body, content type) of parts put together."""
    body = b"".join(b"--" + mark.encode() + b"\r\n" + piece + (b"" if piece.endswith(b"\r\n") else b"\r\n") for piece in parts)
    return body + b"--" + mark.encode() + b"--\r\n", f'multipart/{kind}; boundary="{mark}"'


def inner(*parts: bytes, kind: str = "alternative", mark: str = "=_mark_2") -> bytes:
    """A multipart as a part of another."""
    body, content_type = multipart(*parts, kind=kind, mark=mark)
    return f"Content-Type: {content_type}".encode() + b"\r\n\r\n" + body


def mixed(*parts: bytes, kind: str = "mixed", more: tuple[str, ...] = (), mark: str = "=_mark_1", **rest) -> bytes:
    """A message of several parts."""
    body, content_type = multipart(*parts, kind=kind, mark=mark)
    return message(body, *more, kind=content_type, encoding="7bit", **rest)


def quote(text: str, mark: str = "> ") -> str:
    """As programs quote: blank lines keep the mark without its space."""
    return "".join(f"{mark if line.strip() else mark.rstrip()}{line}" for line in text.splitlines(keepends=True))


def encoded_word(text: str, charset: str) -> str:
    """A header's text as RFC 2047 writes it."""
    return Header(text, charset).encode()
