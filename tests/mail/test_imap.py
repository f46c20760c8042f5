"""IMAP against a real server: every message once, however the connection, the program or the numbering breaks."""

import logging
import shutil
import stat

import pytest

from adjudicator.core import plain
from adjudicator.core.plain import digest
from adjudicator.mail import imap
from adjudicator.mail.imap import KEYWORD, Imap, Memory
from adjudicator.mail.sources import FIRST_BYTES, SourceTrouble
from adjudicator.store import disk

from .dying import fork_and_die
from .servers import HOST, PASSWORD, Line, dovecot, port_of, running_dovecot  # noqa: F401 - fixtures
from .test_sending import no_secret

MARKED = {"\\Seen", KEYWORD.decode()}


def text(name, size=0):
    return f"Subject: {name}\r\nFrom: york@example.test\r\n\r\nHello.\r\n".encode() + b"x" * size


class Taker:
    """What the program does: it keeps each message on disk, and says so some time later."""

    def __init__(self, folder, server, batch=1, **options):
        self.kept, self.batch = folder / "kept", batch
        self.kept.mkdir(exist_ok=True)
        self.options = {
            "host": HOST,
            "port": server.tls,
            "user": "gm",
            "password": PASSWORD,
            "ca": str(server.certificates.ca),
            "timeout": 10,
            "memory": folder / "imap.json",
            **options,
        }
        self.given = []

    @property
    def memory(self):
        return plain.from_json(self.options["memory"].read_bytes(), Memory)

    def source(self, **options):
        return Imap(**{**self.options, **options})

    def take(self, most=None, **options):
        """The subjects of the messages that were given."""
        before, waiting = len(self.given), []
        with self.source(**options) as source:
            try:
                for arrived in source.arrived(lambda sha256: (self.kept / sha256).exists()):
                    self.given.append(arrived.data.split(b"\r\n")[0].decode().partition(": ")[2])
                    disk.put(self.kept / digest(arrived.data), arrived.data)
                    waiting.append(arrived)
                    if len(waiting) >= self.batch:
                        while waiting:
                            source.done(waiting.pop(0))
                    if len(self.given) - before == most:
                        break
            finally:
                for each in waiting:
                    source.done(each)
        return self.given[before:]


@pytest.fixture
def taker(tmp_path, dovecot):  # noqa: F811
    return Taker(tmp_path, dovecot)


@pytest.mark.parametrize("security", ["tls", "starttls", "none"])
def test_messages_come_once_and_are_marked(dovecot, taker, security):  # noqa: F811
    dovecot.append(text("one"), text("two"))
    options = {"port": dovecot.tls if security == "tls" else dovecot.plain, "security": security}
    assert taker.take(**options) == ["one", "two"]
    assert list(dovecot.flags().values()) == [MARKED, MARKED]
    assert taker.take(**options) == []
    dovecot.append(text("three"))
    assert taker.take(**options) == ["three"]
    assert {path.read_bytes() for path in taker.kept.iterdir()} == {text("one"), text("two"), text("three")}
    assert (taker.memory.next_uid, taker.memory.done, taker.memory.unmarked) == (4, [], [])
    assert stat.S_IMODE(taker.options["memory"].stat().st_mode) == 0o600


def test_a_message_that_somebody_has_read_comes_all_the_same(dovecot, taker):  # noqa: F811
    dovecot.append(text("one"), text("two"))
    with dovecot.connect() as client:
        client.add_flags(client.search(), ["\\Seen", "\\Flagged"])
    assert taker.take() == ["one", "two"]
    assert list(dovecot.flags().values()) == [MARKED | {"\\Flagged"}] * 2


def test_fetching_marks_nothing(dovecot, taker):  # noqa: F811
    dovecot.append(text("one"))
    with taker.source() as source:
        assert len(list(source.arrived(lambda _sha256: False))) == 1
    assert list(dovecot.flags().values()) == [set()]
    assert taker.take() == ["one"], "what was not said to be done comes again"


def test_what_was_not_done_comes_again_and_the_others_do_not(dovecot, taker):  # noqa: F811
    dovecot.append(*(text(str(number)) for number in range(6)))
    with taker.source() as source:
        for arrived in source.arrived(lambda _sha256: False):
            if arrived.mark not in (2, 4):
                source.done(arrived)
    assert (taker.memory.next_uid, taker.memory.done) == (2, [3, 5, 6])
    assert taker.take() == ["1", "3"]
    assert (taker.memory.next_uid, taker.memory.done) == (7, [])


def test_gaps_between_the_numbers_and_messages_that_vanish(dovecot, taker, monkeypatch):  # noqa: F811
    dovecot.append(*(text(str(number)) for number in range(8)))
    with dovecot.connect() as client:
        client.delete_messages([1, 3, 8])
        client.expunge()
    monkeypatch.setattr(imap, "BATCH_BYTES", 1)
    with taker.source() as source:
        for arrived in source.arrived(lambda _sha256: False):
            if arrived.mark == 2:
                with dovecot.connect() as client:
                    client.delete_messages([5])
                    client.expunge()
            taker.given.append(arrived.mark)
            source.done(arrived)
    assert taker.given == [2, 4, 6, 7]
    assert (taker.memory.next_uid, taker.memory.done, taker.memory.unmarked) == (8, [], [])


def test_moved_to_a_folder_that_is_made(dovecot, taker):  # noqa: F811
    dovecot.append(text("one"), text("two"))
    assert taker.take(move_to="Ходы & Züge") == ["one", "two"]
    dovecot.append(text("three"))
    assert taker.take(move_to="Ходы & Züge") == ["three"]
    assert dovecot.flags() == {}
    assert list(dovecot.flags(folder="Ходы & Züge").values()) == [MARKED] * 3


def test_moved_where_the_server_cannot_move(dovecot, taker, monkeypatch):  # noqa: F811
    from imapclient import IMAPClient

    real = IMAPClient.has_capability
    dovecot.append(text("one"), text("two"))
    with dovecot.connect() as client:
        client.delete_messages([2])
    monkeypatch.setattr(IMAPClient, "has_capability", lambda self, name: name != "MOVE" and real(self, name))
    assert taker.take(move_to="Done", most=1) == ["one"]
    assert list(dovecot.flags()) == [2], "what somebody else has marked as deleted is not touched"
    assert list(dovecot.flags(folder="Done").values()) == [MARKED]


def test_a_folder_that_cannot_be_made_is_told_after_the_messages(dovecot, taker):  # noqa: F811
    dovecot.append(text("one"))
    with pytest.raises(SourceTrouble, match="messages cannot be moved to the folder a//b"):
        taker.take(move_to="a//b")
    assert taker.given == ["one"]
    assert taker.take() == []


def test_another_folder_than_inbox(dovecot, taker):  # noqa: F811
    with dovecot.connect() as client:
        client.create_folder("Игра")
    dovecot.append(text("one"), folder="Игра")
    dovecot.append(text("private"))
    assert taker.take(folder="Игра") == ["one"]
    assert list(dovecot.flags().values()) == [set()]
    assert taker.take() == ["private"], "the memory of another folder is not used"


def test_numbers_that_begin_anew_give_nothing_twice(dovecot, taker):  # noqa: F811
    dovecot.append(*(text(str(number)) for number in range(3)))
    assert taker.take(most=2) == ["0", "1"]
    before = taker.memory.uidvalidity
    dovecot.number_anew()
    dovecot.append(text("3"))
    assert taker.take() == ["2", "3"]
    assert taker.memory.uidvalidity != before
    assert list(dovecot.flags().values()) == [MARKED] * 4


@pytest.mark.parametrize("damage", [b"", b"{", b'{"next_uid": "x"}', None])
def test_a_memory_that_is_lost_gives_nothing_twice(dovecot, taker, damage):  # noqa: F811
    dovecot.append(text("one"), text("two"))
    assert taker.take(most=1) == ["one"]
    taker.options["memory"].unlink() if damage is None else taker.options["memory"].write_bytes(damage)
    assert taker.take() == ["two"]


def test_a_large_message_comes_as_its_start(dovecot, taker, monkeypatch):  # noqa: F811
    monkeypatch.setattr(imap, "MOST_BYTES", 400_000)
    dovecot.append(text("small"), text("large", 400_000), text("last"))
    with taker.source() as source:
        found = list(source.arrived(lambda _sha256: False))
    assert [(each.name, len(each.data), each.truncated) for each in found] == [
        ("UID 1", len(text("small")), False),
        ("UID 2", FIRST_BYTES, True),
        ("UID 3", len(text("last")), False),
    ]
    assert found[1].data == text("large", 400_000)[:FIRST_BYTES]
    assert taker.take() == ["small", "large", "last"]
    assert taker.take() == []


def test_many_messages_of_all_bytes(dovecot, taker):  # noqa: F811
    messages = [text(f"{number:03}") + bytes(range(1, 256)) * (number % 7) + b"\r\n)\r\n* 1 FETCH\r\n" for number in range(120)]
    messages = [message.replace(b"\r", b"").replace(b"\n", b"\r\n") for message in messages]
    with dovecot.connect() as client:
        client.multiappend("INBOX", messages)
    taker.batch = 33
    assert taker.take() == [f"{number:03}" for number in range(120)]
    assert {path.read_bytes() for path in taker.kept.iterdir()} == set(messages)
    assert set(map(frozenset, dovecot.flags().values())) == {frozenset(MARKED)}


@pytest.mark.parametrize(("batch", "step"), [(1, 133), (4, 251)])
def test_a_line_that_breaks_at_any_byte_loses_nothing_and_gives_nothing_twice(dovecot, tmp_path, monkeypatch, batch, step):  # noqa: F811
    dovecot.append(*(text(str(number), 300) for number in range(6)))
    monkeypatch.setattr(imap, "BATCH_MESSAGES", 2)
    broken = parts = 0
    for cut in range(150, 5000, step):
        folder = tmp_path / str(cut)
        folder.mkdir()
        with Line(dovecot.plain, cut) as line:
            taker = Taker(folder, dovecot, batch, port=line.port, security="none")
            try:
                taker.take()
            except SourceTrouble as trouble:
                assert f"{HOST}:{line.port}" in trouble.message
                assert "lost" in trouble.message
                broken += 1
            parts += 0 < len(taker.given) < 6
            assert not (line.connections > 1)
            taker.take()
        assert sorted(taker.given) == list("012345")
        assert (taker.memory.next_uid, taker.memory.done, taker.memory.unmarked) == (7, [], [])
        with dovecot.connect() as client:
            assert {flag for flags in dovecot.flags().values() for flag in flags} == MARKED, f"all are marked in the end, cut after {cut}"
            client.remove_flags(client.search(), [*MARKED])
    assert broken > 5
    assert parts > 2


def test_killed_before_any_step_nothing_is_lost(dovecot, tmp_path, monkeypatch):  # noqa: F811
    dovecot.append(*(text(str(number)) for number in range(4)))
    monkeypatch.setattr(imap, "BATCH_MESSAGES", 2)
    for at in range(1, 100):
        folder = tmp_path / str(at)
        folder.mkdir()
        taker = Taker(folder, dovecot, port=dovecot.plain, security="none")
        ended = fork_and_die(taker.take, at)
        taker.take()
        assert {path.read_bytes() for path in taker.kept.iterdir() if not path.name.startswith(".")} == {text(str(number)) for number in range(4)}
        assert list(dovecot.flags().values()) == [MARKED] * 4
        assert taker.take() == []
        with dovecot.connect() as client:
            client.remove_flags(client.search(), [*MARKED])
        if ended:
            break
    assert at > 15


def test_a_server_that_dies_and_comes_back(dovecot, taker, monkeypatch):  # noqa: F811
    dovecot.append(*(text(str(number)) for number in range(6)))
    monkeypatch.setattr(imap, "BATCH_MESSAGES", 2)
    with pytest.raises(SourceTrouble, match="lost|no server answers"), taker.source() as source:
        for arrived in source.arrived(lambda _sha256: False):
            taker.given.append(arrived.mark)
            disk.put(taker.kept / digest(arrived.data), arrived.data)
            source.done(arrived)
            if arrived.mark == 3:
                dovecot.kill()
    assert taker.given in ([1, 2, 3], [1, 2, 3, 4])
    with pytest.raises(SourceTrouble, match="no server answers there"):
        taker.take()
    dovecot.start()
    assert len(taker.take()) in (2, 3)
    assert len(list(taker.kept.iterdir())) == 6
    assert list(dovecot.flags().values()) == [MARKED] * 6


def test_a_mailbox_that_may_only_be_read(dovecot, taker):  # noqa: F811
    from imapclient import IMAPClient
    from imapclient.exceptions import IMAPClientReadOnlyError

    dovecot.append(text("one"))
    real = IMAPClient.select_folder

    def select(self, folder, readonly=False):
        if not readonly:
            raise IMAPClientReadOnlyError("INBOX is not writable")
        return real(self, folder, readonly)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(IMAPClient, "select_folder", select)
        assert taker.take() == ["one"]
        assert taker.take() == []
    assert list(dovecot.flags().values()) == [set()]
    assert taker.memory.unmarked == []


def test_a_server_without_keywords(dovecot, taker):  # noqa: F811
    dovecot.append(text("one"))
    with taker.source() as source:
        source._may_keyword = False
        for arrived in source.arrived(lambda _sha256: False):
            source.done(arrived)
    assert list(dovecot.flags().values()) == [{"\\Seen"}]


def test_one_message_that_the_server_cannot_give_does_not_keep_the_others(dovecot, taker):  # noqa: F811
    from imapclient import IMAPClient
    from imapclient.exceptions import IMAPClientError

    dovecot.append(*(text(str(number)) for number in range(4)))
    real = IMAPClient.fetch

    def fetch(self, messages, data, modifiers=None):
        if data == ["BODY.PEEK[]"] and 2 in messages:
            raise IMAPClientError("fetch failed: [UNAVAILABLE] broken")
        return real(self, messages, data, modifiers)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(IMAPClient, "fetch", fetch)
        with pytest.raises(SourceTrouble, match="does not give message UID 2: .*broken"):
            taker.take()
    assert taker.given == ["0", "2", "3"]
    assert taker.take() == ["1"], "it is asked for again"


def test_passwords_and_names_outside_ascii(dovecot, taker, running_dovecot):  # noqa: F811
    assert taker.take(user="ünal", password="pässwörd ☃") == []
    assert taker.take(user="ирина") == []
    shutil.rmtree(running_dovecot.mail / "ünal", ignore_errors=True)


def test_troubles_are_sentences_that_name_the_server_and_the_way_out(dovecot, taker, tmp_path):  # noqa: F811
    other = str(dovecot.certificates.other_ca)
    (tmp_path / "no.pem").write_text("no certificate\n")
    cases = [
        ({"password": "wrong-secret"}, f"{HOST}:{dovecot.tls}: the server refuses the login of gm: ", "app password"),
        ({"user": "nobody"}, "refuses the login of nobody", "check user and password"),
        ({"folder": "Ходы"}, "the folder Ходы cannot be opened", "INBOX"),
        ({"ca": other}, "certificate is not trusted", "`ca`"),
        ({"ca": ""}, "certificate is not trusted", "`ca`"),
        ({"ca": other, "port": dovecot.plain, "security": "starttls"}, "certificate is not trusted", "`ca`"),
        ({"port": dovecot.plain}, "TLS could not be agreed on", "993"),
        ({"port": dovecot.tls, "security": "starttls", "timeout": 0.3}, "did not answer in time", "try again later"),
        ({"port": port_of()}, "no server answers there", "host and port"),
        ({"ca": str(tmp_path / "no.pem")}, "no.pem holds no certificates", "PEM"),
        ({"ca": str(tmp_path / "missing.pem")}, "missing.pem holds no certificates", "PEM"),
        ({"host": "nowhere.invalid"}, "nowhere.invalid", "check"),
    ]
    for options, says, advises in cases:
        with pytest.raises(SourceTrouble) as trouble:
            taker.take(**options)
        assert says in trouble.value.message, (options, trouble.value.message)
        assert advises in trouble.value.advice
        assert "\n" not in trouble.value.message
        no_secret(trouble)


def test_starttls_that_is_hidden_on_the_way_sends_no_password(dovecot, taker):  # noqa: F811
    from imapclient import IMAPClient

    said = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(IMAPClient, "has_capability", lambda self, name: False)
        patch.setattr(IMAPClient, "login", lambda self, *what: said.append(what))
        patch.setattr(IMAPClient, "plain_login", lambda self, *what: said.append(what))
        with pytest.raises(SourceTrouble, match="does not offer STARTTLS; no password was sent"):
            taker.take(port=dovecot.plain, security="starttls")
    assert not said


def test_without_tls_only_this_machine_is_asked(tmp_path):
    with pytest.raises(ValueError, match="without TLS only a server on this machine"):
        Imap("imap.example.test", 143, "gm", PASSWORD, "none", memory=tmp_path / "m")


def test_nothing_of_the_mail_or_the_password_is_logged(dovecot, taker, caplog):  # noqa: F811
    caplog.set_level(logging.DEBUG)
    dovecot.append(text("one"))
    assert taker.take() == ["one"]
    assert PASSWORD not in caplog.text
    assert "Hello." not in caplog.text
