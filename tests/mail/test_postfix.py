"""The whole way through real servers: composed, queued, sent by Postfix, delivered to Dovecot, fetched by IMAP."""

import email
import email.policy
import time
from datetime import UTC, datetime

import pytest

from adjudicator.core.plain import digest
from adjudicator.mail.composing import Draft, compose, message_id
from adjudicator.mail.imap import Imap
from adjudicator.mail.outbox import Outbox, Outgoing
from adjudicator.mail.sending import Smtp

from .servers import HOST, PASSWORD, dovecot, postfix, running_dovecot  # noqa: F401 - fixtures

NOW = datetime(2026, 12, 6, 17, tzinfo=UTC)
TEXT = "Grüße, Ирина ☃\n.\nFrom here on: " + "x" * 3000 + "\n\n  orders:\n    - march: York   \n"
ATTACHMENTS = [("york.pdf", "application/pdf", bytes(range(256)) * 400), ("приказы.yaml", "text/yaml; charset=utf-8", "orders:\r\n  - Ы\n".encode())]


def queue(outbox, key, address):
    data = compose(
        Draft(
            key,
            ("Ирина, York", address),
            "Ход 5: отчёт 👑",
            TEXT,
            "<html><body>Grüße</body></html>\n",
            ATTACHMENTS,
            "roses",
            "Wars of the Roses",
            "report",
        ),
        ("The desk", "gm@example.test"),
        NOW,
    )
    outbox.queue(
        Outgoing(
            key,
            "report",
            "york",
            5,
            "York",
            address,
            "Report",
            message_id("roses", key, "example.test"),
            digest(data),
            len(data),
            "2026-12-06T17:00:00Z",
        ),
        data,
    )
    return data


def fetch(server, user, memory, count):
    """Wait for so many messages; they are delivered some moments after Postfix has taken them."""
    found = []
    for _try in range(200):
        with Imap(HOST, server.tls, user, PASSWORD, ca=str(server.certificates.ca), memory=memory) as source:
            for arrived in source.arrived(lambda _sha256: False):
                found.append(arrived.data)
                source.done(arrived)
        if len(found) >= count:
            return found
        time.sleep(0.05)
    raise AssertionError(f"{len(found)} of {count} messages came")


@pytest.mark.parametrize("security", ["starttls", "none"])
def test_from_draft_to_mailbox_and_back(tmp_path, dovecot, postfix, security):  # noqa: F811
    outbox = Outbox(tmp_path / "out")
    sent = {queue(outbox, key, address) for key, address in [("a", "york@example.test"), ("b", "York@Example.Test")]}
    queue(outbox, "c", "nobody@example.test")
    queue(outbox, "d", "иван@example.test")
    queue(outbox, "e", "someone@elsewhere.test")
    told = []
    with Smtp(HOST, postfix.port, security=security, ca=str(dovecot.certificates.ca)) as sender:
        pushed = outbox.push(sender, lambda: NOW, on=lambda outgoing: told.append(outgoing.key))
    states = {outgoing.key: (outgoing.state, outgoing.error) for outgoing in outbox.all()}
    assert (states["a"], states["b"]) == (("sent", ""), ("sent", ""))
    assert states["c"][0] == states["d"][0] == "refused"
    assert "550 5.1.1" in states["c"][1]
    assert "User unknown" in states["d"][1], "Postfix understood an address outside ASCII"
    assert sorted(told) == ["a", "b", "c", "d", "e"]
    assert len(pushed.sent) + len(pushed.refused) == 5
    got = fetch(dovecot, "york", tmp_path / "york.json", 2)
    assert {data[data.index(b"From: The desk") :] for data in got} == sent, "below the lines that servers put on top, not a byte was changed"
    for data in got:
        message = email.message_from_bytes(data, policy=email.policy.default)
        assert message.get_body(("plain",)).get_payload(decode=True).decode().replace("\r\n", "\n") == TEXT
        assert [(part.get_filename(), part.get_payload(decode=True)) for part in message.iter_attachments()] == [
            (name, content) for name, _mime, content in ATTACHMENTS
        ]
        assert message["Return-Path"] == "<gm@example.test>"
    assert security == "none" or "starttls=1" in postfix.log()
