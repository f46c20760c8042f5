"""SMTP as servers really behave, and the folder of files."""

import email
import os
import socket
import stat
import threading
import time
from datetime import UTC, datetime

import pytest

from adjudicator.mail.composing import Draft, compose
from adjudicator.mail.sending import Folder, Refused, SenderTrouble, Smtp, file_stem

from .servers import HOST, PASSWORD, Certificates, Line, Script, port_of, smtp_server

NOW = datetime(2026, 12, 6, 17, tzinfo=UTC)
GM, YORK = "gm@example.test", "york@example.test"


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    return Certificates.make(tmp_path_factory.mktemp("certificates"))


@pytest.fixture
def script():
    return Script()


def message(to=YORK, key="k", **changes):
    return compose(
        Draft(key, ("York", to), "Your report", changes.pop("text", "Hello.\n"), campaign="c", kind="report", **changes), ("The desk", GM), NOW
    )


def plain(port, **options):
    return Smtp(HOST, port, security="none", **options)


def test_a_message_arrives_as_it_is_with_its_envelope(script):
    data = message(text=".\n..\n.dots\n", attachments=[("a.pdf", "application/pdf", bytes(range(256)))])
    with smtp_server(script) as port, plain(port) as sender:
        sender.send(data, GM, YORK, "k")
        sender.send(message("y@München.example"), GM, "y@München.example", "l")
    assert script.got[0][:3] == (GM, YORK, data)
    assert script.to() == [YORK, "y@xn--mnchen-3ya.example"]
    assert script.connections == 1, "one connection carries many messages"


@pytest.mark.filterwarnings("ignore:Requiring AUTH")
@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_with_tls_and_a_login(script, certificates, security):
    with (
        smtp_server(script, certificates, security, auth_required=True, auth_require_tls=security == "starttls") as port,
        Smtp(HOST, port, "gm", PASSWORD, security, ca=str(certificates.ca)) as sender,
    ):
        sender.send(message(), GM, YORK, "k")
    assert script.to() == [YORK]
    assert script.logins


def test_a_password_outside_ascii(script, certificates):
    with smtp_server(script, certificates, "starttls", auth_required=True) as port:
        with Smtp(HOST, port, "gm", "pässwörd ☃", ca=str(certificates.ca)) as sender:
            sender.send(message(), GM, YORK, "k")
        with (
            Smtp(HOST, port, "gm", "pässwörd", ca=str(certificates.ca)) as sender,
            pytest.raises(SenderTrouble, match="refuses the login of gm") as trouble,
        ):
            sender.open()
    assert script.to() == [YORK]
    no_secret(trouble, "pässwörd")


def no_secret(caught, *more):
    """The password stands in no message, no advice, no chained error that a traceback would print."""
    error, texts = caught.value, []
    while error is not None:
        texts += [str(error), getattr(error, "advice", "")]
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    for secret in (PASSWORD, "wrong-secret", *more):
        assert not any(secret in text for text in texts), texts


def test_troubles_are_sentences_that_name_the_server_and_the_way_out(script, certificates, tmp_path):
    ca = str(certificates.ca)
    silent = socket.create_server((HOST, 0))
    with (
        smtp_server(script, certificates, "starttls", auth_required=True) as starttls,
        smtp_server(script, certificates, "tls") as tls,
        smtp_server(script) as bare,
    ):
        (tmp_path / "no.pem").write_text("no certificate\n")
        cases = [
            (Smtp(HOST, starttls, "gm", "wrong-secret", ca=ca), "refuses the login of gm: 535", "app password"),
            (Smtp(HOST, bare, "gm", PASSWORD, ca=ca), "does not offer STARTTLS; no password and no mail was sent", "`security: tls`"),
            (Smtp(HOST, starttls, ca=str(certificates.other_ca)), "certificate is not trusted", "`ca`"),
            (Smtp(HOST, starttls), "certificate is not trusted", "`ca`"),
            (Smtp(HOST, tls, security="tls", ca=str(certificates.other_ca)), "certificate is not trusted", "`ca`"),
            (Smtp(HOST, bare, security="tls", ca=ca), "TLS could not be agreed on: wrong version number", "465"),
            (Smtp(HOST, port_of(), ca=ca), "no server answers there", "host and port"),
            (Smtp(HOST, silent.getsockname()[1], ca=ca, timeout=0.2), "did not answer in time", "try again later"),
            (Smtp("nowhere.invalid", 25, ca=ca), "nowhere.invalid:25: no", "check"),
            (Smtp(HOST, bare, ca=str(tmp_path / "no.pem")), "no.pem holds no certificates", "PEM"),
            (Smtp(HOST, bare, ca=str(tmp_path / "missing.pem")), "missing.pem holds no certificates that can be read: No such file", "PEM"),
        ]
        for sender, says, advises in cases:
            with sender, pytest.raises(SenderTrouble) as trouble:
                sender.open()
            assert says in trouble.value.message, trouble.value.message
            assert advises in trouble.value.advice
            assert "\n" not in trouble.value.message
            no_secret(trouble)
    silent.close()
    assert not script.got


def test_starttls_stripped_on_the_way_sends_nothing(script, certificates):
    """Somebody between us and the server hides that it has STARTTLS."""
    with smtp_server(script, auth_require_tls=False) as port, Smtp(HOST, port, "gm", PASSWORD, ca=str(certificates.ca)) as sender:
        with pytest.raises(SenderTrouble, match="STARTTLS"):
            sender.send(message(), GM, YORK, "k")
    assert not script.got
    assert not script.logins


@pytest.mark.parametrize("host", ["mail.example.test", "192.0.2.1", "localhost.example.test", "127.0.0.1.example.test"])
def test_without_tls_only_this_machine_is_asked(host):
    with pytest.raises(ValueError, match="without TLS only a server on this machine"):
        Smtp(host, 25, security="none")
    with pytest.raises(ValueError, match="none of tls"):
        Smtp(host, 25, security="TLS")
    for local in ("localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]"):
        assert Smtp(local, 25, security="none")


def test_a_refused_recipient_does_not_harm_the_next(script):
    script.refuse = {"a@example.test": "550 5.1.1 no such user", "b@example.test": "450 4.2.0 greylisted", "c@example.test": "421 4.7.0 too much"}
    script.at_data = {"d@example.test": "554 5.7.1 spam", "e@example.test": "451 4.3.0 later"}
    expected = {
        "a@example.test": (True, "550 5.1.1 no such user"),
        "b@example.test": (False, "450 4.2.0 greylisted"),
        "c@example.test": (False, "421 4.7.0 too much"),
        "d@example.test": (True, "554 5.7.1 spam"),
        "e@example.test": (False, "451 4.3.0 later"),
    }
    with smtp_server(script) as port, plain(port) as sender:
        for address, (permanent, words) in expected.items():
            with pytest.raises(Refused) as refused:
                sender.send(message(address), GM, address, address)
            assert (refused.value.permanent, refused.value.words) == (permanent, words)
            sender.send(message(), GM, YORK, address)
    assert script.to() == [YORK] * 5


def test_what_is_said_against_the_sender_blames_no_message(script):
    script.at_mail = ["550 5.7.1 sender not allowed", "451 4.7.0 too many messages", "552 5.3.4 too large"]
    with smtp_server(script) as port, plain(port) as sender:
        for words in ("550 5.7.1 sender not allowed", "451 4.7.0 too many messages"):
            with pytest.raises(SenderTrouble, match=words):
                sender.send(message(), GM, YORK, "k")
        with pytest.raises(Refused) as refused:
            sender.send(message(), GM, YORK, "k")
        assert refused.value.permanent, "its size is the message's own matter"
        sender.send(message(), GM, YORK, "k")
        with pytest.raises(SenderTrouble, match="sender's address"):
            sender.send(message(), "", YORK, "k")
    assert script.to() == [YORK]


def test_a_message_larger_than_the_server_takes_is_refused_at_once(script):
    with smtp_server(script, data_size_limit=1000) as port, plain(port) as sender:
        with pytest.raises(Refused) as refused:
            sender.send(message(text="x\n" * 1000), GM, YORK, "k")
        assert refused.value.permanent
        sender.send(message(), GM, YORK, "k")
    assert len(script.got) == 1


def test_a_connection_that_the_server_closed_is_made_anew(script):
    script.refuse = {YORK: ["drop"]}
    with smtp_server(script) as port, plain(port) as sender:
        sender.send(message(), GM, YORK, "k")
    assert script.to() == [YORK]
    assert script.connections == 2


def test_a_server_that_always_breaks_off_refuses_for_now(script):
    script.refuse = {YORK: ["drop", "drop", "drop"]}
    with smtp_server(script) as port, plain(port) as sender:
        with pytest.raises(Refused, match="the connection was lost") as refused:
            sender.send(message(), GM, YORK, "k")
        assert not refused.value.permanent
        sender.send(message("b@example.test"), GM, "b@example.test", "l")


def test_a_connection_lost_after_the_message_is_told_as_such(script):
    script.drop = {YORK}
    with smtp_server(script) as port, plain(port) as sender:
        with pytest.raises(Refused, match="the message may have arrived") as refused:
            sender.send(message(), GM, YORK, "k")
        assert not refused.value.permanent
        sender.send(message(), GM, YORK, "k")
    assert script.to() == [YORK, YORK]


def test_a_connection_cut_at_any_byte_ends_in_words(script, certificates):
    """Wherever the line breaks, the message is sent, or refused for now, or the server is at fault; and never anything else."""
    seen = set()
    with smtp_server(script) as port:
        for cut in range(0, 220, 7):
            with Line(port, cut) as line, plain(line.port, timeout=5) as sender:
                try:
                    sender.send(message(), GM, YORK, "k")
                    seen.add("sent")
                except Refused as refused:
                    assert not refused.permanent
                    seen.add("refused")
                except SenderTrouble as trouble:
                    assert "lost" in trouble.message
                    seen.add("trouble")
    assert seen == {"sent", "refused", "trouble"}


def test_an_address_outside_ascii_needs_a_server_that_can(script):
    data = message("иван@example.test")
    with smtp_server(script) as port, plain(port) as sender:
        sender.send(data, GM, "иван@example.test", "k")
    assert script.got[0][1:3] == ("иван@example.test", data)
    assert "SMTPUTF8" in script.got[0][3]
    old = Script()
    with smtp_server(old, enable_SMTPUTF8=False) as port, plain(port) as sender:
        with pytest.raises(Refused, match="letters outside ASCII before the @ .иван@example.test") as refused:
            sender.send(data, GM, "иван@example.test", "k")
        assert refused.value.permanent
        sender.send(message(), GM, YORK, "l")
    assert old.to() == [YORK]


def test_a_broken_address_is_refused_before_anything_is_said(script):
    with smtp_server(script) as port, plain(port) as sender:
        for address in ("york@example.test>\r\nRCPT TO:<all@example.test", "york", ""):
            with pytest.raises(Refused, match="is no") as refused:
                sender.send(message(), GM, address, "k")
            assert refused.value.permanent
    assert script.connections == 0


def test_the_name_given_to_the_server_is_not_this_machines(script, certificates):
    names = []

    class Listening(Script):
        async def handle_EHLO(self, server, session, envelope, hostname, responses):
            session.host_name = hostname
            names.append(hostname)
            return responses

    with smtp_server(Listening()) as port, plain(port) as sender:
        sender.open()
    assert names == ["localhost"]
    assert Smtp("mail.example.test", 587, "gm@München.example")._hello() == "xn--mnchen-3ya.example"


def test_a_slow_server_is_waited_for(script):
    script.hang = {YORK}
    threading.Timer(0.3, script.go_on.set).start()
    began = time.monotonic()
    with smtp_server(script) as port, plain(port, timeout=10) as sender:
        sender.send(message(), GM, YORK, "k")
    assert time.monotonic() - began >= 0.25


def test_the_folder_keeps_every_message_once_and_private(tmp_path):
    with Folder(tmp_path / "out" / "eml") as sender:
        for key in ("report/5/york", "report/5/york", "report-5-york", "Report/5/York", "../../x", "", "ы" * 200):
            sender.send(message(key=key), GM, YORK, key)
    names = sorted(path.name for path in (tmp_path / "out/eml").iterdir())
    assert len(names) == 6
    assert all(name.isascii() and "/" not in name and not name.startswith(".") and len(name) < 90 for name in names)
    assert (tmp_path / "out/eml" / f"{file_stem('report/5/york')}.eml").read_bytes() == message(key="report/5/york")
    assert {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "out/eml").iterdir()} == {0o600}
    assert stat.S_IMODE((tmp_path / "out/eml").stat().st_mode) == 0o700
    assert email.message_from_bytes((tmp_path / "out/eml" / names[0]).read_bytes())["From"]


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with Folder(tmp_path / "file" / "out") as sender, pytest.raises(SenderTrouble, match="mail cannot be written there") as trouble:
        sender.send(message(), GM, YORK, "k")
    assert str(tmp_path) in trouble.value.message
    assert os.listdir(tmp_path) == ["file"]
