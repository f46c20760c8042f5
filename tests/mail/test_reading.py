"""The corpus of awkward messages: what each is, and which order files are in it."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adjudicator.core.values import Items, Mapping
from adjudicator.mail.reading import Message, Ours, read_message
from adjudicator.orderfile.loader import load
from adjudicator.orderfile.submission import peek

from .corpus import CASES
from .corpus.texts import FILE, OURS_ADDRESS, OURS_DOMAIN, TOKEN, message

OURS = Ours((OURS_ADDRESS,), OURS_DOMAIN)
KINDS = {"mail", "auto-reply", "bounce", "list", "ours", "unreadable"}


def march(data: bytes) -> str:
    """Where an order file marches first; "-" if it cannot be read."""
    value = load(data).value
    for key in ("orders", "march", "to"):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value.items[0].text if isinstance(value, Items) else "-"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_corpus(case):
    read = read_message(case.raw, OURS)
    assert read.kind == case.kind, read.why
    assert bool(read.why) == (read.kind != "mail")
    assert [(found.place, march(found.data)) for found in read.found] == list(zip(case.places, case.marches, strict=True)), [found.data.decode("utf-8", "replace") for found in read.found]
    for found, place in zip(read.found, case.marches, strict=True):
        envelope = peek(load(found.data))
        assert place == "-" or (envelope.turn, envelope.seat, envelope.token) == (2, "york", TOKEN)
        assert place == "-" or envelope.campaign in ("roses-1455", "roses-1471")
        assert place == "-" or not [problem for problem in load(found.data).problems if problem.kind == "refused"]
        assert found.name.isprintable() and found.name and "/" not in found.name and "\\" not in found.name and len(found.name) <= 80
    assert tuple(name for name, _reason in read.unread) == case.unread
    assert all(reason for _name, reason in read.unread)
    assert read.sender == case.sender
    if case.says:
        assert case.says in load(read.found[0].data).text
    if case.cut is not None:
        assert read.found[0].cut == case.cut
    if case.bounce:
        bounce = read.bounce
        assert (bounce.recipient, bounce.message_id, bounce.status, bounce.permanent) == case.bounce
        assert bounce.text and bounce.text.isprintable() and len(bounce.text) <= 200
    else:
        assert read.bounce is None


def test_the_corpus_is_large_and_its_names_differ():
    assert len(CASES) >= 110
    assert len({case.name for case in CASES}) == len(CASES)


def test_lines_of_servers_make_no_other_message():
    raw = message(FILE)
    assert read_message(b"Received: by here\r\n\tfor you\r\n" + raw, OURS).sha256 == read_message(raw.replace(b"\r\n", b"\n"), OURS).sha256
    assert len({read_message(each, OURS).sha256 for each in (raw, raw + b"#", raw.replace(b"one.two", b"two"), b"Resent-Message-ID: <r@x>\r\n" + raw)}) == 4


def test_the_limits_of_a_message():
    read = read_message(message(FILE, "References: " + " ".join(f"<{n}@x>" for n in range(80)), "In-Reply-To: <79@x>", subject="x" * 500 + "\x07\x1b[31m"), OURS)
    assert len(read.references) == 50 and read.references[-1] == "<79@x>"
    assert len(read.subject) == 200 and read.subject.isprintable()
    assert read.message_id == "<one.two@mail.example.org>" and len(read.sha256) == 64


@pytest.mark.parametrize("header", ["Message-ID: one", "Message-ID: <a b@c>", f"Message-ID: <{'x' * 300}@y>", "Message-ID: <>", "X: y"])
def test_a_message_id_that_is_malformed_is_none(header):
    assert read_message(f"{header}\r\nFrom: a@b.example\r\n\r\n{FILE}".encode(), OURS).message_id == ""


def test_a_file_that_is_too_large_says_so_and_is_not_kept_whole():
    raw = message(FILE + "  # x\n" * 100_000)
    data = read_message(raw, OURS).found[0].data
    assert len(data) == 256 * 1024 + 1
    assert [problem.code for problem in load(data).problems] == ["TOO-LONG"]


def test_what_is_looked_into_is_not_what_is_shown():
    """Names, subjects and reasons end up in mail and logs: no token and no text of a message stands in them."""
    for case in CASES:
        read = read_message(case.raw, OURS)
        shown = [read.subject, read.why, *(found.name for found in read.found), *(text for pair in read.unread for text in pair)]
        assert not any(TOKEN in text for text in shown), case.name


SMALL = [case.raw for case in CASES if 10 < len(case.raw) < 20_000]
SPLICES = [b"\r\n", b"\n", b"--", b"=_mark_1", b'"', b"=?utf-8?B?", b"\x00", b"\xff", b"> ", b"campaign:", b"Content-Type: multipart/mixed; boundary=x\r\n", b"filename*0*=", b"\r\n\r\n"]


def is_sound(read: Message) -> bool:
    return (read.kind in KINDS and "could not be taken apart" not in read.why and len(read.found) <= 10 and all(len(found.data) <= 256 * 1024 + 1 for found in read.found)
            and (read.kind == "bounce") == (read.bounce is not None) and (read.kind not in ("auto-reply", "bounce", "ours") or not read.found)
            and all(text.isprintable() for text in (read.subject, read.message_id, read.sender, *(found.name + found.cut for found in read.found))))


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=600) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_read(raw):
    assert is_sound(read_message(raw, OURS))
    assert is_sound(read_message(b"From: a@b.example\nContent-Type: multipart/mixed; boundary=x\n\n--x\n" + raw, OURS))


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.sampled_from(SMALL), st.lists(st.tuples(st.floats(0, 1), st.integers(0, 60), st.sampled_from(SPLICES) | st.binary(max_size=8)), min_size=1, max_size=8))
def test_a_damaged_message_is_read(raw, damages):
    for where, count, put in damages:
        at = int(where * len(raw))
        raw = raw[:at] + put + raw[at + count:]
    assert is_sound(read_message(raw, OURS))


PROSE = st.lists(st.text(alphabet=st.characters(whitelist_categories=("Lu", "Ll", "Nd", "Zs", "Po"), blacklist_characters=":#\u2028\u2029\x85*`"), max_size=60).map(lambda line: line.strip()), max_size=8)


@settings(max_examples=150, deadline=None)
@given(PROSE, PROSE, st.sampled_from(["8bit", "base64", "quoted-printable"]), st.booleans())
def test_text_around_an_order_file_changes_nothing(above, below, encoding, is_quoted):
    body = "\n".join([*above, "", FILE, *below]) + "\n"
    if is_quoted:
        body = "> " + body.replace("\n", "\n> ")
    found = read_message(message(body, encoding=encoding), OURS).found
    assert [(one.place, one.data.decode()) for one in found] == [("quoted" if is_quoted else "body", FILE)]
