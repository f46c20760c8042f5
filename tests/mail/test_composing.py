"""A message is what the draft says, on every way and in every mail program."""

import email
import email.policy
from datetime import UTC, datetime
from email.header import decode_header, make_header

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.mail.composing import Draft, ascii_address, compose, message_id

NOW = datetime(2026, 12, 6, 17, tzinfo=UTC)
SENDER = ("The desk", "gm@example.test")


def draft(**changes):
    return Draft(
        **{
            "key": "report/5/york",
            "to": ("York", "york@example.test"),
            "subject": "Your report",
            "text": "Hello.\n",
            "campaign": "roses-1455",
            "title": "Wars of the Roses",
            "kind": "report",
            **changes,
        }
    )


def read(data):
    return email.message_from_bytes(data, policy=email.policy.default)


def text_of(part):
    """A text part as it was before it was written with the line ends of mail."""
    return part.get_payload(decode=True).decode().replace("\r\n", "\n")


def header(data, name):
    """A header as mail programs decode it, by the older of the library's two parsers: the newer one loses spaces between encoded words in names."""
    raw = email.message_from_bytes(data)[name]
    return str(make_header(decode_header(raw.replace("\r\n", "")))) if raw is not None else None


def test_headers():
    data = compose(
        draft(in_reply_to="<player.1@phone.test>", thread="<adj.root@example.test>", previous="<adj.last@example.test>", auto="auto-replied"),
        SENDER,
        NOW,
    )
    assert {
        name: header(data, name)
        for name in (
            "From",
            "To",
            "Subject",
            "Date",
            "In-Reply-To",
            "References",
            "List-Id",
            "Auto-Submitted",
            "X-Auto-Response-Suppress",
            "X-Adjudicator",
            "MIME-Version",
        )
    } == {
        "From": "The desk <gm@example.test>",
        "To": "York <york@example.test>",
        "Subject": "Your report",
        "Date": "Sun, 06 Dec 2026 17:00:00 +0000",
        "In-Reply-To": "<player.1@phone.test>",
        "References": "<adj.root@example.test> <adj.last@example.test> <player.1@phone.test>",
        "List-Id": "Wars of the Roses <roses-1455.example.test>",
        "Auto-Submitted": "auto-replied",
        "X-Auto-Response-Suppress": "All",
        "X-Adjudicator": "roses-1455/report",
        "MIME-Version": "1.0",
    }
    assert header(data, "Message-ID") == message_id("roses-1455", "report/5/york", "example.test")
    assert text_of(read(data)) == "Hello.\n"


def test_message_ids_are_made_from_campaign_and_key():
    assert message_id("c", "k", "example.test") == message_id("c", "k", "EXAMPLE.test.")
    ids = {message_id(campaign, key, "example.test") for campaign in ("c", "d", "c/k") for key in ("k", "l", "k/k")}
    assert len(ids) == 9
    assert message_id("Ränke & Co", "k", "münchen.example").startswith("<adj.R-nke-Co.")
    assert message_id("Ränke & Co", "k", "münchen.example").endswith("@xn--mnchen-3ya.example>")


def test_a_thread_without_an_earlier_message_does_not_name_itself():
    own = message_id("roses-1455", "report/5/york", "example.test")
    data = compose(draft(thread=own), SENDER, NOW)
    assert header(data, "References") is None
    assert header(data, "In-Reply-To") is None
    assert header(compose(draft(thread="<adj.root@example.test>"), SENDER, NOW), "In-Reply-To") == "<adj.root@example.test>"
    assert header(compose(draft(in_reply_to="<a b@x>\r\nBcc: all@example.test"), SENDER, NOW), "References") is None, (
        "what is no Message-ID is left out"
    )


PAGE = "<!doctype html><html><body><p>Grüße ☃</p></body></html>\n"


def test_text_page_and_attachments_come_back_byte_for_byte():
    attachments = [
        ("york.pdf", "application/pdf", bytes(range(256)) * 300),
        ("york.orders.yaml", "text/yaml; charset=utf-8", "orders:\r\n  - march: Ÿork\n".encode()),
        ("york.view.json", "application/json", b"{}"),
    ]
    data = compose(draft(html=PAGE, text="Grüße\n", attachments=attachments), SENDER, NOW)
    message = read(data)
    assert message.get_content_type() == "multipart/mixed"
    assert text_of(message.get_body(("plain",))) == "Grüße\n"
    assert text_of(message.get_body(("html",))) == PAGE
    assert [(part.get_filename(), part.get_content_type(), part.get_payload(decode=True)) for part in message.iter_attachments()] == [
        (name, mime.partition(";")[0], content) for name, mime, content in attachments
    ]
    assert [part.get_content_disposition() for part in message.iter_attachments()] == ["attachment"] * 3
    assert next(part for part in message.iter_attachments() if part.get_filename().endswith(".yaml")).get_content_charset() == "utf-8"
    assert not [defect for part in message.walk() for defect in part.defects]


def test_same_draft_same_bytes_and_no_boundary_in_a_text():
    one = compose(draft(html=PAGE, attachments=[("a", "text/plain", b"x")]), SENDER, NOW)
    assert one == compose(draft(html=PAGE, attachments=[("a", "text/plain", b"x")]), SENDER, NOW)
    boundaries = [part.get_boundary() for part in read(one).walk() if part.is_multipart()]
    assert len(set(boundaries)) == 2
    guessed = compose(draft(html=PAGE, text="".join(f"--{boundary}--\n" for boundary in boundaries)), SENDER, NOW)
    assert text_of(read(guessed).get_body(("plain",))) == "".join(f"--{boundary}--\n" for boundary in boundaries)


NAMES = {
    "plain": "Anna Rossi",
    "comma": "Rossi, Anna",
    "quotes": 'Anna "the fox" \\ Rossi',
    "cyrillic": "Иванов, Иван",
    "200 cyrillic letters": "Ъ" * 200,
    "200 letters in words": "Волконский, Сергей; " * 10,
    "emoji": "👑 König <rex>",
    "looks encoded": "=?utf-8?q?no?=",
    "long word": "x" * 150,
    "address": "anna@example.test",
    "combining": "Z̈ürich" * 20,
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_names_come_back_whole_and_lines_stay_short(name):
    data = compose(draft(to=(name, "york@example.test"), title=name, subject=name), (name, "gm@example.test"), NOW)
    for field in ("To", "From", "List-Id"):
        raw = email.message_from_bytes(data)[field].replace("\r\n", "")
        phrase, address = raw.rsplit("<", 1)
        decoded = str(make_header(decode_header(phrase.strip())))
        if decoded.startswith('"') and "=?utf-8" not in phrase:
            decoded = decoded[1:-1].replace('\\"', '"').replace("\\\\", "\\")
        assert decoded == name.strip(), field
        assert address in ("york@example.test>", "gm@example.test>", "roses-1455.example.test>")
    assert len(email.message_from_bytes(data, policy=email.policy.default)["To"].addresses) == 1, "a comma in a name makes no second address"
    assert header(data, "Subject") == name.strip()
    assert max(map(len, data.split(b"\r\n"))) <= 78
    assert data.isascii()


@pytest.mark.parametrize("subject", ["👑" * 290, "word " * 60, "x" * 300, "Ход: " + "приказ " * 40, "a\tb", "trailing  ", "=?utf-8?b?x?="])
def test_subjects_come_back_whole_and_lines_stay_short(subject):
    data = compose(draft(subject=subject), SENDER, NOW)
    assert header(data, "Subject") == " ".join(subject.split())
    assert max(map(len, data.split(b"\r\n"))) <= 78


@pytest.mark.parametrize(
    "evil",
    [
        "x\r\nBcc: all@example.test",
        "x\nBcc: all@example.test",
        "x\rBcc: all@example.test",
        "x\u2028Bcc: all@example.test",
        "x\x85Bcc: y",
        "x\r\n\r\nbody",
        "x\x00y",
        "\ud800lone",
    ],
)
def test_a_line_break_in_a_field_makes_no_header(evil):
    plain = read(compose(draft(attachments=[("a", "text/plain", b"x")]), SENDER, NOW))
    data = compose(
        draft(
            subject=evil,
            to=(evil, "york@example.test"),
            title=evil,
            campaign=evil,
            kind=evil,
            in_reply_to=evil,
            thread=f"<{evil}@x>",
            previous=evil,
            attachments=[(evil, "text/plain", b"x")],
        ),
        (evil, "gm@example.test"),
        NOW,
    )
    message = read(data)
    assert not set(data) & ({*range(32), 127} - {*b"\r\n\t"})
    assert message.keys() == plain.keys()
    assert [part.keys() for part in message.walk()] == [part.keys() for part in plain.walk()]
    assert message["Bcc"] is None
    assert not [defect for part in message.walk() for defect in part.defects]


@pytest.mark.parametrize(
    "address",
    [
        "york",
        "@example.test",
        "york@",
        "york@exa mple.test",
        "york@example.test>, <b@example.test",
        "yo rk@example.test",
        "york@example.test\r\nBcc: b",
        "a@b,c@d",
        "york@-example.test-",
        "y" * 250 + "@example.test",
        "york@" + "ü" * 64 + ".test",
        "\x00@example.test",
        '"a b"@example.test',
    ],
)
def test_what_is_no_address_is_refused_in_words(address):
    with pytest.raises(ValueError, match="is no "):
        compose(draft(to=("York", address)), SENDER, NOW)


def test_a_domain_outside_ascii_is_written_in_ascii():
    assert ascii_address("york@München.example") == "york@xn--mnchen-3ya.example"
    assert ascii_address("york@straße.example") == "york@xn--strae-oqa.example"
    data = compose(draft(to=("", "york@почта.рф")), ("", "gm@München.example"), NOW)
    assert (header(data, "To"), header(data, "From")) == ("york@xn--80a1acny.xn--p1ai", "gm@xn--mnchen-3ya.example")
    assert data.isascii()


def test_a_local_part_outside_ascii_stays_as_it_is():
    data = compose(draft(to=("Иван", "иван@example.test")), SENDER, NOW)
    assert "\r\nTo: =?utf-8?b?0JjQstCw0L0=?= <иван@example.test>\r\n".encode() in data
    assert data.replace("иван".encode(), b"").isascii(), "nothing else is"


FILE_NAMES = {
    "york.pdf": "york.pdf",
    "приказы " * 10 + ".yaml": "приказы " * 10 + ".yaml",
    "../../etc/passwd": "..-..-etc-passwd",
    "a\\b": "a-b",
    "": "attachment",
    "👑.pdf": "👑.pdf",
    'qu"ote;.txt': 'qu"ote;.txt',
    "x" * 119: "x" * 119,
}


@pytest.mark.parametrize("name", FILE_NAMES)
def test_names_of_attachments_come_back_and_are_only_names(name):
    data = compose(draft(attachments=[(name, "application/octet-stream", b"x")]), SENDER, NOW)
    [part] = read(data).iter_attachments()
    assert part.get_filename() == FILE_NAMES[name]
    assert max(map(len, data.split(b"\r\n"))) <= 140, "the library folds no name without a space; no relay minds"


TEXTS = {
    "plain": "One.\nTwo.\n",
    "no end": "One.",
    "long line": "x" * 5000 + "\n",
    "long line outside ascii": "ъ" * 5000 + "\n",
    "trailing spaces": "one  \ntwo\t\n",
    "dots": ".\n..\n.x\n",
    "from": "From here\n>From there\n",
    "signature": "-- \nthe desk\n",
    "nbsp": "a\u00a0b\n",
    "controls": "a\x00b\x0cc\x1b[0m\n",
    "emoji": "👑" * 400 + "\n",
    "equals": "a=b=3D\n" * 40,
    "empty": "",
    "indented": "  orders:\n    - march: York  # comment\n\n\n",
    "separators": "a\u2028b\u2029c\x85d\x0be\x1cf\n",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_texts_come_back_and_lines_stay_within_the_limit(text):
    data = compose(draft(text=text, html=text), SENDER, NOW)
    assert data.isascii()
    assert max(map(len, data.split(b"\r\n"))) <= 998
    assert b"\n" not in data.replace(b"\r\n", b"")
    assert b"\r" not in data.replace(b"\r\n", b"")
    assert not any(line.startswith(b"From ") or line != line.rstrip() for line in data.split(b"\r\n\r\n", 1)[1].split(b"\r\n")), (
        "mailboxes and relays change such lines"
    )
    for kind in ("plain", "html") if text else ("plain",):
        assert text_of(read(data).get_body((kind,))) == (text if text.endswith("\n") else text + "\n")


@given(st.text(), st.text(), st.text())
def test_any_text_comes_back(text, subject, name):
    data = compose(draft(text=text, subject=subject, to=(name, "york@example.test")), SENDER, NOW)
    assert data.isascii()
    assert max(map(len, data.split(b"\r\n"))) <= 998
    message = read(data)
    expected = text.replace("\r\n", "\n").replace("\r", "\n")
    assert text_of(message) == (expected if expected.endswith("\n") else expected + "\n")
    assert len(message["To"].addresses) == 1
    assert message["To"].addresses[0].addr_spec == "york@example.test"
