"""Sources on this machine: every message once, whatever other programs do with it meanwhile, and none lost."""

import io
import mailbox
import os
import stat
import subprocess
import sys
import threading
import time

import pytest

from adjudicator.core.plain import digest
from adjudicator.mail import sources
from adjudicator.mail.sources import FIRST_BYTES, MOST_BYTES, EmlFolder, Maildir, Mbox, SourceTrouble, StandardInput
from adjudicator.store import disk

from .dying import fork_and_die


def text(name):
    return f"Subject: {name}\r\nFrom: york@example.test\r\n\r\nHello.\r\n".encode()


def names_in(arrived):
    return [each.data.split(b"\r\n")[0].decode().partition(": ")[2] for each in arrived]


class Taker:
    """What the program does with a source: keeps each message, then says so."""

    def __init__(self):
        self.known = {}

    def take(self, source, most=None, is_done=True):
        taken = []
        with source:
            for arrived in source.arrived(self.known.__contains__):
                taken.append(arrived)
                self.known[digest(arrived.data)] = arrived.data
                if is_done:
                    source.done(arrived)
                if len(taken) == most:
                    break
        return names_in(taken)


@pytest.fixture
def taker():
    return Taker()


@pytest.fixture
def maildir(tmp_path):
    for folder in ("new", "cur", "tmp"):
        (tmp_path / "mail" / folder).mkdir(parents=True)
    return tmp_path / "mail"


def put(maildir, place, name):
    path = maildir / place
    path.write_bytes(text(name))
    return path


def listing(maildir):
    return sorted(path.relative_to(maildir).as_posix() for folder in ("new", "cur") for path in (maildir / folder).iterdir())


# Maildir


def at(maildir):
    return Maildir(maildir, memory=maildir.parent / "memory" / "maildir.json")


def test_maildir_new_and_read_messages_come_once_oldest_first(maildir, taker):
    put(maildir, "new/1700000003.M1P1.host", "third")
    put(maildir, "cur/1700000002.M1P1.host:2,RS", "second, read by a person")
    put(maildir, "cur/1700000001.M1P1.host:2,", "first")
    put(maildir, "tmp/1700000000.M1P1.host", "being delivered")
    (maildir / "cur/.hidden").write_bytes(text("hidden"))
    (maildir / "new/1700000004.link").symlink_to(maildir / "tmp/1700000000.M1P1.host")
    assert taker.take(at(maildir)) == ["first", "second, read by a person", "third"]
    assert listing(maildir) == [
        "cur/.hidden",
        "cur/1700000001.M1P1.host:2,S",
        "cur/1700000002.M1P1.host:2,RS",
        "cur/1700000003.M1P1.host:2,S",
        "new/1700000004.link",
    ]
    assert taker.take(at(maildir)) == []
    put(maildir, "new/1699999999.M1P1.host", "late")
    assert taker.take(at(maildir)) == ["late"]
    assert [str(key) for key in mailbox.Maildir(maildir, create=False).keys() if "host" in key], "the standard library reads it as before"


def test_maildir_what_was_not_said_to_be_done_comes_again(maildir, taker):
    for number in range(3):
        put(maildir, f"new/170000000{number}.M1.host", str(number))
    nobody = Taker()
    assert nobody.take(at(maildir), is_done=False) == ["0", "1", "2"]
    assert listing(maildir)[0].startswith("new/")
    assert taker.take(at(maildir), most=1) == ["0"]
    assert taker.take(at(maildir)) == ["1", "2"]


def test_maildir_what_is_known_is_marked_and_not_given(maildir, taker):
    put(maildir, "new/1700000000.M1.host", "known")
    taker.known[digest(text("known"))] = b""
    assert taker.take(at(maildir)) == []
    assert listing(maildir) == ["cur/1700000000.M1.host:2,S"]


def test_maildir_old_messages_cost_no_reading(maildir, taker, monkeypatch):
    for number in range(50):
        put(maildir, f"cur/17000000{number:02}.M1.host:2,S", str(number))
    assert len(taker.take(at(maildir))) == 50
    read = []
    monkeypatch.setattr(sources, "_read_message", lambda path: read.append(path) or (text("x"), False))
    assert taker.take(at(maildir)) == []
    assert not read


def test_maildir_a_memory_that_is_lost_or_torn_loses_nothing_and_gives_nothing_twice(maildir, taker):
    memory = maildir.parent / "memory" / "maildir.json"
    for number in range(3):
        put(maildir, f"new/170000000{number}.M1.host", str(number))
    assert len(taker.take(at(maildir))) == 3
    assert stat.S_IMODE(memory.stat().st_mode) == 0o600
    memory.write_bytes(memory.read_bytes()[:-5])
    put(maildir, "new/1700000003.M1.host", "3")
    assert taker.take(at(maildir)) == ["3"]
    assert taker.take(at(maildir)) == []
    memory.unlink()
    assert taker.take(at(maildir)) == []
    memory.write_bytes(b"1700000009.M1.host")
    put(maildir, "new/1700000009.M1.host", "9")
    assert taker.take(at(maildir)) == ["9"], "a name that was not written whole counts for nothing"
    assert "1700000009.M1.host" in memory.read_text().splitlines()[1:]


def test_maildir_memory_forgets_messages_that_are_gone(maildir, taker):
    memory = maildir.parent / "memory" / "maildir.json"
    for number in range(200):
        put(maildir, f"new/1700000{number:03}.M1.host", str(number))
    taker.take(at(maildir))
    for path in list((maildir / "cur").iterdir())[:190]:
        path.unlink()
    assert taker.take(at(maildir)) == []
    assert len(memory.read_text().splitlines()) == 10


def test_maildir_other_programs_rename_meanwhile(maildir, taker):
    for number in range(3):
        put(maildir, f"new/170000000{number}.M1.host", str(number))
    with at(maildir) as source:
        for arrived in source.arrived(taker.known.__contains__):
            name = arrived.mark.name
            if name.startswith("1700000000"):
                os.rename(maildir / "new" / name, maildir / "cur" / f"{name}:2,F")
                (maildir / "new/1700000001.M1.host").unlink()
            source.done(arrived)
            assert name != "1700000001.M1.host"
    assert listing(maildir) == ["cur/1700000000.M1.host:2,FS", "cur/1700000002.M1.host:2,S"]


def test_maildir_a_message_is_never_put_over_another(maildir, taker):
    put(maildir, "new/1700000000.M1.host", "one")
    put(maildir, "cur/1700000000.M1.host:2,S", "other of the same name")
    taker.take(at(maildir))
    assert len(listing(maildir)) == 2


def test_maildir_large_messages_come_as_their_start(maildir, taker):
    put(maildir, "new/1700000001.M1.host", "small")
    with (maildir / "new/1700000000.M1.host").open("wb") as file:
        file.write(text("large"))
        file.truncate(MOST_BYTES + 1)
    with at(maildir) as source:
        found = list(source.arrived(lambda _sha256: False))
    assert [(len(each.data), each.truncated) for each in found] == [(FIRST_BYTES, True), (len(text("small")), False)]
    assert found[0].name == "new/1700000000.M1.host"


def test_maildir_killed_before_any_step_nothing_is_lost(tmp_path):
    for at_step in range(1, 50):
        maildir = tmp_path / str(at_step) / "mail"
        for folder in ("new", "cur", "tmp"):
            (maildir / folder).mkdir(parents=True)
        for number in range(3):
            put(maildir, f"new/170000000{number}.M1.host", str(number))
        kept = tmp_path / str(at_step) / "kept"
        kept.mkdir()

        def work(source=at(maildir), kept=kept):
            with source:
                for arrived in source.arrived(lambda sha256: (kept / sha256).exists()):
                    (kept / digest(arrived.data)).write_bytes(arrived.data)
                    source.done(arrived)

        ended = fork_and_die(work, at_step)
        work(at(maildir), kept)
        assert sorted(path.read_bytes() for path in kept.iterdir()) == sorted(text(str(number)) for number in range(3))
        assert [name.partition("/")[0] for name in listing(maildir)] == ["cur"] * 3
        if ended:
            break
    assert at_step > 3


def test_what_is_no_source_is_told_with_its_path(tmp_path, taker):
    (tmp_path / "empty").mkdir()
    (tmp_path / "text").write_text("Hello.\n")
    for source, says in [
        (at(tmp_path / "empty"), "is no Maildir"),
        (at(tmp_path / "none"), "is no Maildir"),
        (Mbox(tmp_path / "none"), "is no mbox file"),
        (Mbox(tmp_path / "empty"), "is no mbox file"),
        (Mbox(tmp_path / "text"), "is no mbox file (no line begins with `From `)"),
        (EmlFolder(tmp_path / "none"), "is no folder"),
    ]:
        with pytest.raises(SourceTrouble) as trouble:
            taker.take(source)
        assert says in trouble.value.message
        assert str(tmp_path) in trouble.value.message
        assert trouble.value.advice


@pytest.mark.parametrize("kind", ["maildir", "folder"])
def test_a_message_that_cannot_be_read_does_not_keep_the_others(maildir, taker, monkeypatch, kind):
    folder = maildir / "new"
    for number in range(4):
        put(maildir, f"new/170000000{number}.M1.eml", str(number))
    real = sources._read_message

    def reading(path):
        if "00001" in path.name or "00002" in path.name:
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(sources, "_read_message", reading)
    with pytest.raises(SourceTrouble, match="1700000001.M1.eml cannot be read: Permission denied .and 1 more"):
        taker.take(at(maildir) if kind == "maildir" else EmlFolder(folder))
    assert names_in_bytes(taker.known.values()) == ["0", "3"]


def names_in_bytes(messages):
    return [data.split(b"\r\n")[0].decode().partition(": ")[2] for data in messages]


# mbox


def as_mbox(*names):
    return b"".join(b"From york@example.test Sun Dec  6 17:00:00 2026\n" + text(name).replace(b"\r\n", b"\n") + b"\n" for name in names)


def subjects(taken):
    return [data.split(b"\n")[0].decode().partition(": ")[2] for data in taken]


def take_mbox(taker, path):
    before = len(taker.known)
    taker.take(Mbox(path))
    return subjects(list(taker.known.values())[before:])


def test_mbox_every_message_once_and_the_file_stays_as_it_is(tmp_path, taker):
    path = tmp_path / "mbox"
    path.write_bytes(as_mbox("one", "two"))
    before = path.stat()
    assert take_mbox(taker, path) == ["one", "two"]
    assert taker.known[digest(text("one").replace(b"\r\n", b"\n"))]
    assert (path.read_bytes(), path.stat().st_mtime_ns) == (as_mbox("one", "two"), before.st_mtime_ns)
    assert take_mbox(taker, path) == []
    with path.open("ab") as file:
        file.write(as_mbox("three"))
    assert take_mbox(taker, path) == ["three"]
    assert os.listdir(tmp_path) == ["mbox"], "no lock file is left"
    path.write_bytes(b"")
    assert take_mbox(taker, path) == []


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
def test_mbox_a_last_message_that_is_being_written_waits(tmp_path, taker, line_end):
    path = tmp_path / "mbox"
    whole = (
        as_mbox("one")
        + as_mbox("two")
        .replace(b"Hello.\n", b'Content-Type: multipart/mixed; boundary="=_b"\n\n--=_b\n\nHello.\n--=_b--\n')
        .replace(b"test\n\nContent", b"test\nContent")
    ).replace(b"\n", line_end)
    second = whole.index(b"From ", 10)
    for cut in range(second + len(b"From "), len(whole)):
        path.write_bytes(whole[:cut])
        given = [name.strip() for name in take_mbox(Taker(), path)]
        assert given == (["one", "two"] if whole[:cut].endswith(b"--=_b--" + line_end) else ["one"]), cut
    path.write_bytes(whole)
    assert [name.strip() for name in take_mbox(taker, path)] == ["one", "two"]


def test_mbox_without_an_empty_line_at_its_end_gives_its_last_message(tmp_path, taker):
    path = tmp_path / "mbox"
    path.write_bytes(as_mbox("one")[:-1])
    assert take_mbox(taker, path) == ["one"]


def test_mbox_is_read_when_its_writer_has_ended(tmp_path, taker, monkeypatch):
    """A mail program that holds the lock is waited for; what it writes meanwhile comes whole."""
    path = tmp_path / "mbox"
    path.write_bytes(as_mbox("one"))
    writer = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import fcntl, sys\nfile = open(sys.argv[1], 'ab')\nfcntl.lockf(file, fcntl.LOCK_EX)\nprint('locked', flush=True)\n"
            "sys.stdin.readline()\nfile.write(sys.argv[2].encode())\nfile.flush()\nfcntl.lockf(file, fcntl.LOCK_UN)\nprint('written', flush=True)",
            str(path),
            as_mbox("two").decode(),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert writer.stdout.readline() == "locked\n"
        threading.Timer(0.2, lambda: (writer.stdin.write("\n"), writer.stdin.flush())).start()
        assert take_mbox(taker, path) == ["one", "two"]
    finally:
        writer.kill()
        writer.communicate()
    (tmp_path / "mbox.lock").write_text("")
    monkeypatch.setattr(sources, "LOCK_TRIES", 3)
    monkeypatch.setattr(sources, "LOCK_PAUSE_SECONDS", 0.01)
    with pytest.raises(SourceTrouble, match="another program has locked the mail file"):
        take_mbox(taker, path)
    assert (tmp_path / "mbox.lock").exists(), "it is not ours"


def test_mbox_that_others_own_can_be_read(tmp_path, taker, monkeypatch):
    path = tmp_path / "mbox"
    path.write_bytes(as_mbox("one"))
    path.chmod(0o400)
    real = os.open
    monkeypatch.setattr(
        sources.os,
        "open",
        lambda target, *more, **named: (
            (_ for _ in ()).throw(PermissionError(13, "no")) if str(target).endswith(".lock") else real(target, *more, **named)
        ),
    )
    assert take_mbox(taker, path) == ["one"]


# folder of .eml files


def test_folder_files_go_to_done_under_names_that_do_not_collide(tmp_path, taker):
    (tmp_path / "a.eml").write_bytes(text("a"))
    (tmp_path / "B.EML").write_bytes(text("b"))
    (tmp_path / "c.txt").write_bytes(text("c"))
    (tmp_path / ".d.eml").write_bytes(text("d"))
    (tmp_path / "e.eml").mkdir()
    assert sorted(taker.take(EmlFolder(tmp_path))) == ["a", "b"]
    (tmp_path / "a.eml").write_bytes(text("other a"))
    assert taker.take(EmlFolder(tmp_path)) == ["other a"]
    assert {path.name: path.read_bytes() for path in (tmp_path / "done").iterdir()} == {
        "a.eml": text("a"),
        "B.EML": text("b"),
        "a-2.eml": text("other a"),
    }
    (tmp_path / "again.eml").write_bytes(text("a"))
    assert taker.take(EmlFolder(tmp_path)) == [], "the same bytes were taken before"
    assert not (tmp_path / "again.eml").exists(), "but it is seen to that it is marked"


def test_folder_that_may_not_be_changed_is_left_as_it_is(tmp_path, taker, monkeypatch):
    (tmp_path / "a.eml").write_bytes(text("a"))
    monkeypatch.setattr(disk, "step", lambda name, path: (_ for _ in ()).throw(PermissionError(13, "no")))
    assert taker.take(EmlFolder(tmp_path)) == ["a"]
    assert taker.take(EmlFolder(tmp_path)) == []
    assert os.listdir(tmp_path) == ["a.eml"]


# standard input


def test_standard_input_gives_one_message(taker):
    assert taker.take(StandardInput(io.BytesIO(text("one")))) == ["one"]
    assert taker.take(StandardInput(io.BytesIO(text("one")))) == []
    with pytest.raises(SourceTrouble, match="no message came"):
        taker.take(StandardInput(io.BytesIO(b"\n")))


def test_standard_input_takes_a_huge_message_to_its_end_and_gives_its_start():
    class Endless(io.RawIOBase):
        left = MOST_BYTES + 3 * 1024 * 1024

        def readable(self):
            return True

        def readinto(self, buffer):
            size = min(len(buffer), self.left)
            self.left -= size
            buffer[:size] = b"x" * size
            return size

    stream = Endless()
    began = time.monotonic()
    [arrived] = StandardInput(io.BufferedReader(stream)).arrived(lambda _sha256: False)
    assert (len(arrived.data), arrived.truncated, stream.left) == (FIRST_BYTES, True, 0)
    assert time.monotonic() - began < 10
