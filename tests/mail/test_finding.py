"""Order files in texts: where they begin and end, and what becomes of lines that programs broke."""

import pytest

from adjudicator.mail.decoding import address, file_name, harmless, header, text_of, unflowed
from adjudicator.mail.finding import blocks, is_order_file
from adjudicator.mail.markup import lines_of

HEAD = ["campaign: c", "turn: 2", "seat: york", "token: t"]


def found(*lines: str) -> list[list[str]]:
    return [block.lines for block in blocks(list(lines))]


def test_it_begins_with_its_comments_and_ends_before_prose():
    block = blocks(["Hi", "# mine", "", *HEAD, "orders:", "  hold", "", "Thanks for the game", "Bob"])[0]
    assert block.lines == ["# mine", "", *HEAD, "orders:", "  hold"]
    assert (block.first, block.end, block.cut) == (3, 9, "Thanks for the game")


def test_indentation_is_that_of_the_first_key():
    assert found("Orders", *(f"   {line}" for line in HEAD), "   orders:", "     hold", "bye") == [[*HEAD, "orders:", "  hold"]]


@pytest.mark.parametrize("line", ["-- ", "--", "___________", "-----Original Message-----", "On 5 May 2026 Bob wrote:", "```", "---", "Begin forwarded message:", "05.01.2026, 10:00, Bob <b@c.example>:"])
def test_marks_end_it_and_are_not_told_as_cut_off(line):
    block = blocks([*HEAD, "orders:", "  hold", line, "orders: no"])[0]
    assert block.lines == [*HEAD, "orders:", "  hold"] and block.cut == ""


def test_a_header_block_ends_it_but_an_order_that_has_such_keys_does_not():
    assert found(*HEAD, "orders:", "  march:", "    from: a", "    to: b", "    date: c", "From: GM <gm@x.example>", "To: Bob", "Subject: x") == [
        [*HEAD, "orders:", "  march:", "    from: a", "    to: b", "    date: c"]]


def test_a_stray_line_between_the_keys_stays_for_the_reader_to_complain_of():
    assert found(*HEAD, "Hello there", "orders:", "  hold") == [[*HEAD, "Hello there", "orders:", "  hold"]]


def test_the_rest_of_a_comment_is_a_comment_again():
    long = "  # march (rule 5.3): where your army goes; what it does when it meets others"
    assert found(*HEAD, "orders:", long, "on the way.", "  hold") == [[*HEAD, "orders:", long, "  # on the way.", "  hold"]]
    assert found(*HEAD, "orders:", "  a: 1    # " + "x" * 60, "and turned back.", "  b: 2")[0][-2:] == ["  # and turned back.", "  b: 2"]
    assert found(*HEAD, long, "turn: the number of the turn", "orders:", "  hold")[0][5] == "  # turn: the number of the turn"
    assert found(*HEAD, "orders:", long, "taken: a place", "  hold")[0][6] == "  # taken: a place"


def test_a_list_or_text_that_was_broken_goes_on():
    assert found(*HEAD, "orders:", "  to: [oxford,", "london]", 'messages: ["one', 'two"]', "bye")[0][4:] == ["orders:", "  to: [oxford,", "london]", 'messages: ["one', 'two"]']


def test_what_is_left_open_does_not_swallow_the_rest():
    assert found(*HEAD, 'salt: "abc', "", "Thanks", "Bob")[0] == [*HEAD, 'salt: "abc']
    assert found(*HEAD, "salt: it's 5\" long", "Thanks")[0] == [*HEAD, "salt: it's 5\" long"]


def test_lists_at_the_margin_belong_to_their_key_and_signing_off_with_a_dash_does_not():
    assert found(*HEAD, "messages:", "- to: gm", "  text: x", "- to: all", "  text: y") == [[*HEAD, "messages:", "- to: gm", "  text: x", "- to: all", "  text: y"]]
    assert found(*HEAD, "messages: []", "", "- Bob") == [[*HEAD, "messages: []"]]


def test_keys_that_are_mistyped_or_written_without_indentation_stay():
    assert found(*HEAD, "order:", "  hold", "mesages: []") == [[*HEAD, "order:", "  hold", "mesages: []"]]
    assert found(*HEAD, "orders:", "march: x", "", "Best") == [[*HEAD, "orders:", "march: x"]]
    assert found(*HEAD, "orders:", "  hold", "Sent: Monday", "Note: x") == [[*HEAD, "orders:", "  hold"]]


def test_the_next_file_begins_where_the_campaign_comes_again():
    assert found(*HEAD, "orders:", "  a", *HEAD, "orders:", "  b") == [[*HEAD, "orders:", "  a"], [*HEAD, "orders:", "  b"]]


def test_headings_above_a_file_are_no_part_of_it():
    assert found("Turn: 2", "", *HEAD, "orders:", "  a") == [[*HEAD, "orders:", "  a"]]
    assert found("Campaign: The Year 1455", "Seat: York", "", *(f"  {line}" for line in HEAD), "", "  orders:", "    a") == [["Campaign: The Year 1455", "Seat: York"], [*HEAD, "", "orders:", "  a"]]


def test_a_text_with_one_key_is_no_order_file():
    assert found("turn: I did it", "seat taken") == []
    assert not is_order_file("turn: 2\norders:\n") and not is_order_file("the campaign: x, token: y")
    assert is_order_file("\ufeffCampaign: x\r  TOKEN : y") and is_order_file("token: x\ndo: status")


def test_bold_and_unseen_characters_are_taken_away():
    assert found("*campaign:* c", "**turn**: 2", "*seat: york*", "\u200btoken:\u00a0t", "orders:", "\u00a0 *hold:* x")[0] == ["campaign: c", "turn: 2", "seat: york", "token: t", "orders:", "  hold: x"]


def test_flowed_text_is_joined_and_lines_of_orders_are_not():
    assert unflowed("a b \nc\n> x \n> y\n>> z \n> w\n", False) == ["a b c", "> x y", ">> z ", "> w", ""]
    assert unflowed("a \nb", True) == ["ab"]
    assert unflowed("orders: \n  hold: \n   deep\n-- \nx \n \n# y \nturn: 2", False) == ["orders: ", " hold: ", "  deep", "-- ", "x ", "", "# y ", "turn: 2"]


def test_html_keeps_lines_indentation_and_quotes():
    page = "<style>x</style><p>a&nbsp; b\n c</p><div>&nbsp; d<br><br>e</div><pre>\n f\n  g\n</pre><blockquote>h<blockquote><p>i</blockquote>j</blockquote>k<script>l</script><hr><ul><li>m"
    assert lines_of(page) == ["a  b c", "  d", "", "e", " f", "  g", "> h", "> > i", "> j", "k", "_" * 32, "- m"]


@pytest.mark.parametrize("raw, bare", [
    ("A <a.b@X.Example>", "a.b@x.example"), ("a@b.example (A)", "a@b.example"), ('"x@y.example" <a@b.example>', "a@b.example"), ("a@BÜCHER.example", "a@xn--bcher-kva.example"),
    ("=?utf-8?q?A_=3Ca=40b=2Eexample=3E?=", "a@b.example"), ("A, B <a@b.example>", "a@b.example"), ("<>", ""), ("A", ""), ("a@", ""), ("@b", ""), ("a b@c.example\x00", ""), ("", "")])
def test_addresses(raw, bare):
    assert address(raw) == bare


def test_names_are_harmless():
    assert file_name("../../x.yaml") == "x.yaml" and file_name("C:\\a\\b.txt") == "b.txt" and file_name("..") == ""
    assert file_name("x" * 300 + ".yaml") == "x" * 74 + "….yaml" and len(file_name("x" * 300 + "." + "y" * 100)) == 80
    assert harmless("a\x1b[31m\u202eb\r\nc\ud800", 80) == "a [31m b c"


def test_headers_are_decoded_whatever_their_charset():
    assert header("=?koi8-r?B?8NLJy8Ha?=\r\n =?martian?Q?=F1?= end") == "Приказñ end"
    assert header("caf\udce9") == "café"


@pytest.mark.parametrize("text, charset, declared", [
    ("Йорк", "cp1251", "iso-8859-1"), ("Жди меня", "koi8-r", ""), ("seat: Йорк, герцог", "koi8-r", "us-ascii"), ("Aspettami là, è città", "latin-1", "us-ascii"), ("Grüße aus Köln", "cp1252", "no-such"),
    ("Malmö", "latin-1", "utf-8"), ("naïve café", "utf-8", "koi8-r"), ("€ 5", "cp1252", "iso-8859-1"), ("€ 5", "iso-8859-15", "iso-8859-15"), ("прив", "cp866", "unknown-8bit")])
def test_charsets_that_lie(text, charset, declared):
    assert text_of(text.encode(charset), declared) == text
