"""Messages by programs: replies while somebody is away, receipts, bounces, our own mail; and messages that are damaged."""

from .texts import FILE, FILLED, OUR_ID, REPORT, attached, case, encoded_word, inner, message, mixed, part, quote

QUOTED = "I am away.\n\n" + quote(REPORT.replace("[hold]", "[oxford]"))
DAEMON = "Mail Delivery System <MAILER-DAEMON@mx.example.org>"
LOST = "lost@example.org"
RETURNED = (f"From: gm@play.example\nTo: {LOST}\nSubject: 1455\nMessage-ID: {OUR_ID}\nX-Adjudicator: roses-1455\nContent-Type: text/plain\n\n{REPORT}")


def automatic():
    kind = {"kind": "auto-reply"}
    yield case("Exchange: automatic reply", message(QUOTED, "Auto-Submitted: auto-generated", "X-Auto-Response-Suppress: All", subject="Automatic reply: 1455"), **kind)
    yield case("Exchange: automatic reply that lost its headers", message("I am away until Monday.\n", "X-Auto-Response-Suppress: DR, OOF, AutoReply", subject="Automatic reply: 1455"), **kind)
    yield case("Gmail: vacation", message(QUOTED, "Auto-Submitted: auto-replied", "Precedence: bulk", "X-Autoreply: yes", subject="On holiday Re: 1455"), **kind)
    yield case("Lotus Notes: out of the office", message("I will return on 12 January.\n", "X-MIMETrack: Itemize by SMTP Server", "Auto-Submitted: auto-replied", subject="AUTO: Player is out of the office"), **kind)
    yield case("cPanel: autoresponder", message("Got it.\n", "X-Autorespond: 1455", "Precedence: auto_reply", subject="Re: 1455"), **kind)
    yield case("vacation by subject alone, Italian", message("Sono in ferie.\n", subject=encoded_word("Risposta automatica: anno 1455", "iso-8859-1")), **kind)
    yield case("vacation by subject alone, Russian", message("Меня нет.\n", subject=encoded_word("Автоматический ответ: 1455", "koi8-r")), **kind)
    yield case("vacation by subject alone, German", message("Bin weg.\n", subject="Abwesenheitsnotiz: 1455"), **kind)
    yield case("vacation by subject alone, French", message("Absent.\n", subject=encoded_word("Réponse automatique : 1455", "utf-8")), **kind)
    yield case("vacation by subject with our template quoted", message(QUOTED, subject="Out of office: 1455"), **kind)
    yield case("orders by somebody who says that he is away", message(FILE, subject="Out of office next week, here are my orders"), "body")
    yield case("an empty Return-Path", message("We have received your request.\n", head="Return-Path: <>"), **kind)
    yield case("bulk mail", message("Buy this.\n", "Precedence: bulk"), **kind)
    yield case("Auto-Submitted: no is by a person", message(FILE, "Auto-Submitted: no"), "body")
    yield case("X-Auto-Response-Suppress alone is by a person", message(FILE, "X-Auto-Response-Suppress: OOF"), "body")
    yield case("read receipt", mixed(part("Your message was read.\n"), part(f"Reporting-UA: x\nFinal-Recipient: rfc822;player@example.org\nOriginal-Message-ID: {OUR_ID}\nDisposition: manual-action/MDN-sent-manually; displayed\n",
                                                                          "message/disposition-notification"), kind="report; report-type=disposition-notification", subject="Read: 1455"), **kind)
    yield case("answer of a calendar", mixed(part("Accepted\n"), part("BEGIN:VCALENDAR\nMETHOD:REPLY\nEND:VCALENDAR\n", "text/calendar; method=REPLY; charset=utf-8"), kind="alternative", subject="Accepted: game night"), **kind)
    yield case("our own mail come back", message(REPORT, "X-Adjudicator: roses-1455", "Auto-Submitted: auto-generated", sender="Game <GM@Play.example>"), kind="ours", sender="GM@play.example")
    yield case("our own mail, known by its Message-ID", message(REPORT).replace(b"<one.two@mail.example.org>", OUR_ID.encode()), kind="ours")
    yield case("our mark by a stranger", message(FILE, "X-Adjudicator: roses-1455"), "body")
    yield case("a list, with orders", message(FILE, "List-Id: Games <games.lists.example.org>", "Precedence: list"), "body", kind="list")
    yield case("a newsletter", message("News\n", "List-Unsubscribe: <https://example.org/u>", "Precedence: bulk"), kind="list")


def dsn(fields: str, words: str = "This is the mail system.\n", sender: str = DAEMON, subject: str = "Undelivered Mail Returned to Sender", whole: bool = True) -> bytes:
    """A delivery status notification (RFC 3464)."""
    copy = part(RETURNED, "message/rfc822") if whole else part(RETURNED.partition("\n\n")[0] + "\n", "text/rfc822-headers")
    return mixed(part(words), part(f"Reporting-MTA: dns; mx.example.org\nArrival-Date: Mon, 5 Jan 2026 10:00:00 +0000\n\n{fields}\n", "message/delivery-status"), copy,
                 kind="report; report-type=delivery-status", sender=sender, subject=subject)


def bounced(name: str, raw: bytes, status: str, permanent: bool, message_id: str = OUR_ID, recipient: str = LOST, sender: str = "MAILER-DAEMON@mx.example.org"):
    return case(name, raw, kind="bounce", bounce=(recipient, message_id, status, permanent), sender=sender)


def bounces():
    final = f"Final-Recipient: rfc822; {LOST}\n"
    yield bounced("Postfix: unknown user", dsn(f"{final}Original-Recipient: rfc822;{LOST}\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 User unknown"), "5.1.1", True)
    yield bounced("Postfix: delayed", dsn(f"{final}Action: delayed\nStatus: 4.4.1\nDiagnostic-Code: X-Postfix; connect to mx: timed out\nWill-Retry-Until: Fri", subject="Delayed Mail (still being retried)"), "4.4.1", False)
    yield bounced("Postfix: headers alone come back", dsn(f"{final}Action: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 552 5.2.2 Mailbox full", whole=False), "5.2.2", True)
    yield bounced("given up after days", dsn(f"{final}Action: failed\nStatus: 4.4.7"), "4.4.7", False)
    yield bounced("Exim, with a report", dsn(f"Action: failed\n{final}Status: 5.0.0\nRemote-MTA: dns; x\nDiagnostic-Code: smtp; 550 no such address", subject="Mail delivery failed: returning message to sender"), "5.0.0", True)
    yield bounced("Exim, in words", message(
        f"This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. "
        f"The following address(es) failed:\n\n  {LOST}\n    550 5.1.1 Unrouteable address\n\n------ This is a copy of the message, including all the headers. ------\n\n{RETURNED}",
        f"X-Failed-Recipients: {LOST}", "Auto-Submitted: auto-replied", sender=DAEMON, subject="Mail delivery failed: returning message to sender"), "5.1.1", True)
    yield bounced("qmail, in words", message(
        f"Hi. This is the qmail-send program at mx.example.org.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n"
        f"<{LOST}>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n\nReturn-Path: <gm@play.example>\n{RETURNED}",
        sender="MAILER-DAEMON@mx.example.org", subject="failure notice", head="Return-Path: <>"), "5.1.1", True)
    exchange = "MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@example.org"
    yield bounced("Exchange: undeliverable", mixed(
        inner(part(f"Delivery has failed to these recipients or groups:\n\n{LOST}\nThe email address you entered couldn't be found.\n"), part("<p>Delivery has failed</p>", "text/html"), kind="alternative"),
        part(f"Reporting-MTA: dns;x.prod.outlook.example\n\nFinal-recipient: RFC822;{LOST}\nAction: failed\nStatus: 5.1.10\nDiagnostic-code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; not found\n", "message/delivery-status"),
        part(RETURNED, "message/rfc822"), kind="report; report-type=delivery-status", sender=exchange, subject="Undeliverable: 1455", more=(f"In-Reply-To: {OUR_ID}",)), "5.1.10", True, sender=exchange)
    yield bounced("Gmail: address not found", dsn(f"{final}Action: failed\nStatus: 5.1.1\nRemote-MTA: dns; gmail-smtp-in.example\nDiagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist.",
                                                  sender="Mail Delivery Subsystem <mailer-daemon@googlemail.example>", subject="Delivery Status Notification (Failure)"), "5.1.1", True, sender="mailer-daemon@googlemail.example")
    yield bounced("a bounce in words that nobody knows", message(f"Sorry.\nYour mail could not be delivered.\n550 5.7.1 refused\n\nMessage-ID: {OUR_ID}\n", sender=DAEMON, subject="Undeliverable: 1455"), "5.7.1", True, recipient="")
    yield case("a report of success", dsn(f"{final}Action: delivered\nStatus: 2.0.0", subject="Successful Mail Delivery Report"), kind="auto-reply", sender="MAILER-DAEMON@mx.example.org")
    yield bounced("a bounce that carries our template filled in", dsn(f"{final}Action: failed\nStatus: 5.1.1").replace(REPORT.replace("\n", "\r\n").encode(), FILLED.encode()), "5.1.1", True)


def damaged():
    yield case("line feeds alone", message(FILE).replace(b"\r\n", b"\n"), "body")
    yield case("CR alone in the body", message(FILE.replace("\n", "\r").encode()), "body")
    yield case("no MIME headers at all", f"From: player@example.org\nSubject: x\n\n{FILE}".encode(), "body")
    yield case("no From", f"Subject: x\nDate: today\n\n{FILE}".encode(), "body", sender="")
    yield case("two of each header", message(FILE, "Subject: second", "Content-Type: text/html", "From: other@example.org"), "body")
    yield case("bytes of 8 bits in headers", message(FILE, subject="\u00e9t\u00e9").replace("\u00e9".encode(), b"\xe9"), "body")
    yield case("subject with a broken encoded word", message(FILE, subject="=?utf-8?B?abc?= =?x?Q?=ZZ?= =?"), "body")
    yield case("NULs in the body", message(FILE.replace("Wait", "Wa\x00it").encode()), "body", "-")
    yield case("empty body", message(""))
    yield case("no blank line behind the headers", b"From: player@example.org\r\nSubject: x")
    yield case("nothing at all", b"", kind="unreadable", sender="")
    yield case("a body of 5 MB without orders", message("lorem ipsum dolor sit amet, consectetur\n" * 130_000))
    yield case("a body of 5 MB behind the orders", message(FILE + "\nthe rest\n" + "lorem ipsum dolor sit amet, consectetur\n" * 130_000), "body", cut="the rest")
    yield case("base64 with junk in it", message(b"!!%%\r\n" + message(FILE, encoding="base64").partition(b"\r\n\r\n")[2].replace(b"\r\n", b"\r\n*\r\n"), encoding="x").replace(
        b"Encoding: x", b"Encoding: base64"), "body")
    yield case("base64 named with a comment", message(message(FILE, encoding="base64").partition(b"\r\n\r\n")[2], encoding="BASE64; (by hand)"), "body")
    yield case("quoted-printable that is broken", message(FILE.replace("Wait", "W=ZZ=").encode(), encoding="quoted-printable"), "body")
    yield case("a multipart without its mark", message(FILE, kind="multipart/mixed"), "body")
    yield case("a multipart whose end is missing", mixed(part("x\n"), attached(FILE, "o.yaml")).rpartition(b"--=_mark_1--")[0], "attachment")
    yield case("no charset, no type", message(FILE, kind="text"), "body")
    yield case("four thousand multiparts, one in the other",
               message(b"".join(b"--%d\r\nContent-Type: multipart/mixed; boundary=%d\r\n\r\n" % (n, n + 1) for n in range(4000)), kind="multipart/mixed; boundary=0"), kind="unreadable")
    yield case("a header of a megabyte", message(FILE, kind="text/plain; " + "a=b; " * 200_000), kind="unreadable")
    yield case("three thousand small parts", mixed(*[part("x\n")] * 3000))
    yield case("HTML that is deep", message("<div>" * 50_000 + "x", kind="text/html"))
    yield case("HTML that is broken", message("<p>campaign: roses-1455<br>turn: 2<br>seat: york<br>token: nan6-mg7u<br>orders:<br>&nbsp; march: {to: [oxford]}<p <b></i> &bogus; <!-- ", kind="text/html"), "body")
    yield case("an address that cannot be one", message(FILE, sender='"a\\b@c" <>'), "body", sender="")
    yield case("an address with a domain outside ASCII", message(FILE, sender="Player <player@Bücher.example>"), "body", sender="player@xn--bcher-kva.example")
    yield case("a name with a comma and another address in it", message(FILE, sender='"x@y.example, Player" <player@example.org>'), "body")


def all_cases():
    for group in (automatic, bounces, damaged):
        yield from group()
