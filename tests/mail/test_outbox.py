"""Each message goes out once, whoever is killed, and no dead address holds up the others."""

import json
import os
import signal
import stat
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from adjudicator.core.plain import digest
from adjudicator.mail.composing import Draft, compose, message_id
from adjudicator.mail.outbox import BACKOFF, KEPT_BYTES, Outbox, Outgoing
from adjudicator.mail.sending import Folder, SenderTrouble, Smtp, file_stem
from adjudicator.store import disk

from .dying import fork_and_die
from .servers import HOST, PASSWORD, Script, port_of, smtp_server

BEGIN = datetime(2026, 12, 6, 17, tzinfo=UTC)


def made(key, to="york@example.test", text="Hello.\n", queued="2026-12-06T17:00:00Z"):
    data = compose(Draft(key, ("York", to), "Your report", text, campaign="c", kind="report"), ("The desk", "gm@example.test"), BEGIN)
    return Outgoing(key, "report", "york", 5, "York", to, "Your report", message_id("c", key, "example.test"), digest(data), len(data), queued), data


@pytest.fixture
def outbox(tmp_path):
    return Outbox(tmp_path / "mail" / "out")


@pytest.fixture
def script():
    return Script()


class Clock:
    def __init__(self):
        self.now = BEGIN

    def __call__(self):
        return self.now

    def __add__(self, seconds):
        self.now += timedelta(seconds=seconds)
        return self


def states(outbox):
    return {outgoing.key: outgoing.state for outgoing in outbox.all()}


def push(outbox, port, clock=None):
    with Smtp(HOST, port, security="none") as sender:
        return outbox.push(sender, clock or Clock())


def test_queued_once_sent_once(outbox, script):
    assert outbox.queue(*made("b", text="second\n", queued="2026-12-06T17:00:01Z"))
    assert outbox.queue(*made("a", queued="2026-12-06T17:00:02Z"))
    assert outbox.queue(*made("z"))
    assert not outbox.queue(*made("b", text="other\n"))
    assert outbox.has("b")
    assert not outbox.has("c")
    told = []
    with smtp_server(script) as port, Smtp(HOST, port, security="none") as sender:
        pushed = outbox.push(sender, Clock(), on=lambda outgoing: told.append((outgoing.key, outgoing.state, states(outbox)[outgoing.key])))
        assert [outgoing.key for outgoing in pushed.sent] == ["z", "b", "a"], "in the order in which they were queued"
        assert pushed.sentence() == "sent: 3; refused: 0; to be tried again: 0; waiting: 0"
        assert not outbox.push(sender, Clock()).sent
    assert told == [("z", "sent", "sent"), ("b", "sent", "sent"), ("a", "sent", "sent")]
    assert [message for _sender, _to, message, _options in script.got] == [made("z")[1], made("b", text="second\n")[1], made("a")[1]]
    assert {sender for sender, *_rest in script.got} == {"gm@example.test"}
    assert outbox.all()[0].sent == "2026-12-06T17:00:00Z"
    assert not outbox.queue(*made("b")), "nor is it queued again after it was sent"


def test_files_are_private_and_named_harmlessly(outbox):
    outbox.queue(*made("report/../../x"))
    assert stat.S_IMODE(outbox.folder.stat().st_mode) == 0o700
    kept = [path for path in outbox.folder.iterdir() if path.suffix in (".eml", ".json")]
    assert len(kept) == 2
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept} == {0o600}
    outbox.folder.chmod(0o755)
    outbox.queue(*made("other"))
    assert stat.S_IMODE(outbox.folder.stat().st_mode) == 0o700


def test_files_for_a_journal_are_those_that_queueing_writes(outbox, tmp_path):
    outgoing, data = made("k")
    files = outbox.files(outgoing, data)
    assert [name.rpartition(".")[2] for name in files] == ["eml", "json"]
    outbox.queue(outgoing, data)
    assert files == {name: (outbox.folder / name).read_bytes() for name in files}
    other = Outbox(tmp_path / "other")
    other.folder.mkdir()
    for name, content in files.items():
        (other.folder / name).write_bytes(content)
    assert other.all() == outbox.all() == [outgoing]


def addressed(outbox, *addresses):
    for address in addresses:
        outgoing, data = made(address)
        outbox.queue(Outgoing(**{**vars(outgoing), "address": address}), data)


def test_a_dead_address_does_not_hold_up_the_others(outbox, script):
    script.refuse = {"dead@example.test": "550 5.1.1 no such user", "a.slow@example.test": "450 4.2.0 try later", "closed@example.test": "drop"}
    addressed(outbox, "dead@example.test", "a.slow@example.test", "closed@example.test", "york@example.test")
    outgoing, data = made("nobody")
    outbox.queue(Outgoing(**{**vars(outgoing), "address": "nobody"}), data)
    with smtp_server(script) as port:
        push(outbox, port)
    found = {outgoing.key: outgoing for outgoing in outbox.all()}
    assert {key: each.state for key, each in found.items()} == {
        "dead@example.test": "refused",
        "a.slow@example.test": "waiting",
        "closed@example.test": "waiting",
        "york@example.test": "sent",
        "nobody": "refused",
    }
    assert found["dead@example.test"].error == "550 5.1.1 no such user"
    assert (found["a.slow@example.test"].tries, found["a.slow@example.test"].next_try) == (1, "2026-12-06T17:05:00Z")
    assert "the connection was lost" in found["closed@example.test"].error
    assert "is no e-mail address" in found["nobody"].error


def test_backoff_and_giving_up(outbox, script):
    script.refuse = {"york@example.test": "450 4.2.0 try later"}
    outbox.queue(*made("k"))
    clock, tried = Clock(), []
    with smtp_server(script) as port:
        for _minute in range(0, 7 * 24 * 60, 5):
            before = outbox.all()[0].tries
            push(outbox, port, clock)
            if outbox.all()[0].tries > before:
                tried.append(clock.now)
            clock += 300
    pauses = [later - earlier for earlier, later in zip(tried, tried[1:], strict=False)]
    assert pauses == [*BACKOFF, *[BACKOFF[-1]] * (len(pauses) - len(BACKOFF))]
    assert timedelta(days=5) <= tried[-1] - tried[0] < timedelta(days=6)
    assert states(outbox) == {"k": "given-up"}
    assert outbox.all()[0].error == "450 4.2.0 try later"


def test_a_message_that_waited_for_a_machine_that_was_off_gets_its_tries(outbox, script):
    script.refuse = {"york@example.test": ["450 greylisted", "450 greylisted"]}
    outbox.queue(*made("k"))
    clock = Clock() + 40 * 86400
    with smtp_server(script) as port:
        push(outbox, port, clock)
        assert states(outbox) == {"k": "waiting"}
        push(outbox, port, clock + 40 * 86400)
        assert states(outbox) == {"k": "waiting"}
        push(outbox, port, clock + 900)
    assert states(outbox) == {"k": "sent"}


def test_a_server_that_cannot_be_used_stops_the_push_and_blames_no_message(outbox, script):
    addressed(outbox, "a@example.test", "b@example.test")
    before = {path.name: path.read_bytes() for path in outbox.folder.glob("*.json")}
    with pytest.raises(SenderTrouble, match="no server answers there"):
        push(outbox, port_of())
    script.at_mail = ["451 4.7.0 not now"]
    with smtp_server(script) as port:
        with pytest.raises(SenderTrouble, match="451 4.7.0 not now"):
            push(outbox, port)
        with pytest.raises(SenderTrouble, match="refuses the login|offers no login"), Smtp(HOST, port, "gm", PASSWORD, security="none") as sender:
            outbox.push(sender, Clock())
        assert {path.name: path.read_bytes() for path in outbox.folder.glob("*.json")} == before
        assert len(push(outbox, port).sent) == 2


def test_large_messages_are_not_kept(outbox, script):
    outbox.queue(*made("large", text="x\n" * KEPT_BYTES))
    outbox.queue(*made("small"))
    with smtp_server(script) as port:
        push(outbox, port)
        assert [path.stem for path in outbox.folder.glob("*.eml")] == [file_stem("small")]
        (outbox.folder / f"{file_stem('large')}.eml").write_bytes(b"left by a killed process")
        push(outbox, port)
    assert [path.stem for path in outbox.folder.glob("*.eml")] == [file_stem("small")]
    assert len(script.got) == 2


def test_cancelled_messages_stay_here(outbox, script):
    addressed(outbox, "a@example.test", "b@example.test")
    assert outbox.cancel("a@example.test")
    assert not outbox.cancel("a@example.test")
    assert not outbox.cancel("c@example.test")
    with smtp_server(script) as port:
        push(outbox, port)
        assert script.to() == ["b@example.test"]
        assert not outbox.cancel("b@example.test"), "it has gone"
        assert outbox.retry("a@example.test")
        push(outbox, port)
    assert script.to() == ["b@example.test", "a@example.test"]
    assert not outbox.retry("a@example.test"), "never twice"


def test_cancelled_while_the_push_is_at_the_one_before(outbox, script):
    addressed(outbox, "a@example.test", "b@example.test")
    with smtp_server(script) as port, Smtp(HOST, port, security="none") as sender:
        outbox.push(sender, Clock(), on=lambda _outgoing: outbox.cancel("b@example.test"))
    assert script.to() == ["a@example.test"]
    assert states(outbox) == {"a@example.test": "sent", "b@example.test": "cancelled"}


def test_a_bounce_is_noted_at_its_message(outbox, script):
    addressed(outbox, "a@example.test", "b@example.test")
    ours = outbox.all()[0].message_id
    assert outbox.mark_bounced(ours, "5.1.1 no such user") is None, "it was not sent yet"
    with smtp_server(script) as port:
        push(outbox, port)
        assert outbox.mark_bounced("<other@example.test>", "no") is None
        assert outbox.mark_bounced("", "no") is None
        bounced = outbox.mark_bounced(ours, "5.1.1\r\nno such user\x1b[0m")
        assert (bounced.key, bounced.state, bounced.error) == ("a@example.test", "bounced", "5.1.1 no such user [0m")
        assert outbox.mark_bounced(ours, "again") is None
        push(outbox, port)
    assert len(script.got) == 2


def test_damaged_records_and_messages_are_told_and_harm_no_other(outbox, script):
    addressed(outbox, "a@example.test", "b@example.test", "c@example.test", "d@example.test", "e@example.test")

    def at(key, suffix):
        return outbox.folder / f"{file_stem(f'{key}@example.test')}.{suffix}"

    at("a", "json").write_bytes(at("a", "json").read_bytes()[:50])
    at("b", "eml").unlink()
    at("c", "eml").write_bytes(b"something else")
    at("d", "json").write_bytes(at("e", "json").read_bytes())
    with smtp_server(script) as port:
        pushed = push(outbox, port)
    assert script.to() == ["e@example.test"]
    assert sorted(each.key for each in pushed.damaged) == sorted([at("a", "json").name, at("d", "json").name])
    assert all("bring it back from a backup, or remove it" in each.error for each in pushed.damaged)
    assert {each.key: each.error for each in pushed.refused} == {
        f"{key}@example.test": f"its file {at(key, 'eml').name} is missing or was changed" for key in "bc"
    }
    assert not outbox.queue(*made("a@example.test")), "a damaged record is no reason to send twice"
    assert not outbox.cancel("a@example.test")


def test_two_pushes_at_once_send_each_message_once(outbox, script):
    addressed(outbox, "a.slow@example.test", "b@example.test")
    script.hang = {"a.slow@example.test"}
    with smtp_server(script) as port:
        first = threading.Thread(target=push, args=(outbox, port))
        first.start()
        assert script.arrived.wait(10)
        second = push(outbox, port)
        assert second.is_busy
        assert second.sentence() == "another push is at work: nothing was sent by this one"
        assert not second.sent
        assert states(outbox)["a.slow@example.test"] == "sending"
        script.go_on.set()
        first.join(10)
    assert script.to() == ["a.slow@example.test", "b@example.test"]
    assert set(states(outbox).values()) == {"sent"}


def test_a_lost_answer_is_sent_again_with_the_same_id(outbox, script):
    outbox.queue(*made("k"))
    script.drop = {"york@example.test"}
    clock = Clock()
    with smtp_server(script) as port:
        push(outbox, port, clock)
        assert states(outbox) == {"k": "waiting"}
        assert "may have arrived" in outbox.all()[0].error
        push(outbox, port, clock + 300)
    assert len(script.got) == 2
    assert script.got[0] == script.got[1], "so that it is shown once"


PUSH = """
import os, signal, sys
from datetime import UTC, datetime
from pathlib import Path
from adjudicator.mail.outbox import Outbox
from adjudicator.mail.sending import Folder, Smtp
from adjudicator.store import disk

outbox, to, die_at = Outbox(Path(sys.argv[1])), sys.argv[2], int(sys.argv[3])
count = 0
def step(name, path):
    global count
    count += 1
    if count == die_at:
        os.kill(os.getpid(), signal.SIGKILL)
disk.step = step
sender = Smtp("127.0.0.1", int(to), security="none") if to.isdigit() else Folder(Path(to))
print("ready", flush=True)
with sender:
    outbox.push(sender, lambda: datetime(2026, 12, 6, 17, tzinfo=UTC))
print("pushed", count, flush=True)
"""


def pushing(outbox, to, die_at=0):
    return subprocess.Popen(
        [sys.executable, "-c", PUSH, str(outbox.folder), str(to), str(die_at)], stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]
    )


def test_killed_before_any_step_of_a_push_into_a_folder_each_message_is_there_once(tmp_path):
    for at in range(1, 100):
        outbox, target = Outbox(tmp_path / str(at) / "out"), tmp_path / str(at) / "eml"
        addressed(outbox, "a@example.test", "b@example.test")
        ended = fork_and_die(lambda outbox=outbox, target=target: outbox.push(Folder(target), Clock()), at)
        assert set(states(outbox).values()) <= {"waiting", "sending", "sent"}
        outbox.push(Folder(target), Clock())
        assert set(states(outbox).values()) == {"sent"}
        assert {path.name: path.read_bytes() for path in target.glob("*.eml")} == {
            f"{file_stem(each.key)}.eml": made(each.key)[1] for each in outbox.all()
        }
        if ended:
            break
    assert at > 15, "there were steps to die at"


def test_killed_before_any_step_of_a_push_to_a_server_nothing_is_lost_and_at_most_the_one_under_way_comes_twice(tmp_path):
    twice = 0
    for at in range(1, 100):
        script, outbox = Script(), Outbox(tmp_path / str(at))
        addressed(outbox, "a@example.test", "b@example.test")
        with smtp_server(script) as port:
            ended = fork_and_die(lambda outbox=outbox, port=port: push(outbox, port), at)
            push(outbox, port)
        assert set(script.to()) == {"a@example.test", "b@example.test"}
        assert len(script.to()) <= 3
        assert len({message for _sender, _to, message, _options in script.got}) == 2
        twice += len(script.to()) == 3
        if ended:
            break
    assert at > 10
    assert 0 < twice < at / 2, "only between the server's answer and the record"


def test_killed_before_any_step_of_queueing_it_is_queued_or_not(tmp_path):
    for at in range(1, 100):
        outbox = Outbox(tmp_path / str(at))
        ended = fork_and_die(lambda outbox=outbox: outbox.queue(*made("k")), at)
        had = outbox.has("k")
        assert outbox.queue(*made("k")) is not had
        assert outbox.all() == [made("k")[0]]
        assert (outbox.folder / f"{file_stem('k')}.eml").read_bytes() == made("k")[1]
        if ended:
            break
    assert at > 5


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_polite_signal_waits_for_the_record(outbox, script, number):
    addressed(outbox, "a.slow@example.test", "b@example.test")
    script.hang = {"a.slow@example.test"}
    with smtp_server(script) as port:
        process = pushing(outbox, port)
        try:
            assert script.arrived.wait(20)
            process.send_signal(number)
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(0.2)
            script.go_on.set()
            assert process.wait(20) != 0
        finally:
            process.kill()
            process.communicate()
        assert states(outbox) == {"a.slow@example.test": "sent", "b@example.test": "waiting"}
        push(outbox, port)
    assert script.to() == ["a.slow@example.test", "b@example.test"]


def test_killed_hard_between_message_and_answer_it_is_sent_again(outbox, script):
    addressed(outbox, "a.slow@example.test")
    script.hang = {"a.slow@example.test"}
    with smtp_server(script) as port:
        process = pushing(outbox, port)
        assert script.arrived.wait(20)
        process.kill()
        process.communicate()
        assert states(outbox) == {"a.slow@example.test": "sending"}, "it can be seen that this one is uncertain"
        script.go_on.set()
        push(outbox, port)
    assert states(outbox) == {"a.slow@example.test": "sent"}
    assert [message for _sender, _to, message, _options in script.got] == [made("a.slow@example.test")[1]] * 2


def test_handlers_of_signals_are_as_before_and_other_threads_need_none(outbox, script):
    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)
    addressed(outbox, "a@example.test", "b@example.test")
    script.refuse = {"a@example.test": "550 no"}
    with smtp_server(script) as port:
        push(outbox, port)
        assert (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)) == before
        addressed(outbox, "c@example.test")
        thread = threading.Thread(target=push, args=(outbox, port))
        thread.start()
        thread.join(10)
    assert script.to() == ["b@example.test", "c@example.test"]


@pytest.mark.parametrize(("name", "address"), [("Стол", "стол@example.test"), ('The "desk", <x@example.test>', "gm@example.test"), ("", "gm@example.test")])
def test_bounces_go_to_the_address_in_from(outbox, script, name, address):
    outgoing, _data = made("k")
    outbox.queue(outgoing, compose(Draft("k", ("York", "york@example.test"), "s", "t", campaign="c"), (name, address), BEGIN))
    with smtp_server(script) as port:
        push(outbox, port)
    assert [sender for sender, *_rest in script.got] == [address]


def test_no_password_comes_into_a_record(outbox):
    class Telling(Script):
        async def handle_RCPT(self, server, session, envelope, address, options):
            return f"550 you logged in with {PASSWORD}"

    outbox.queue(*made("k"))
    with smtp_server(Telling(), auth_require_tls=False) as port, Smtp(HOST, port, "gm", PASSWORD, security="none") as sender:
        outbox.push(sender, Clock())
    text = json.dumps([vars(each) for each in outbox.all()])
    assert "550 you logged in with" in text
    assert PASSWORD not in text


def test_an_outbox_that_is_not_there_is_empty(outbox):
    assert outbox.all() == []
    assert not outbox.has("k")
    assert outbox.push(Folder(outbox.folder.parent / "eml"), Clock()).left == 0
    assert not outbox.folder.exists()
