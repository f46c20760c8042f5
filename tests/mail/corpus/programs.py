"""Messages as the mail programs of people build them: bodies, quotes, signatures, charsets, attachments."""

import html

from .texts import (FILE, FILLED, ITALIAN, REPORT, RUSSIAN, TEMPLATE, attached, case, encoded_word, inner, message, mixed, part, quote)

WROTE = "On Mon, Jan 5, 2026 at 10:00 AM The Game Master <gm@play.example> wrote:"
NO_MAIL = "Your orders please.\n"


def nbsp(text: str) -> str:
    """A line as editors of HTML write it: spaces in front as non-breaking ones."""
    bare = text.lstrip(" ")
    return "&nbsp;" * (len(text) - len(bare)) + html.escape(bare, quote=False)


def gmail_spaces(text: str) -> str:
    """As Gmail does: every other space is a non-breaking one."""
    bare = text.lstrip(" ")
    count = len(text) - len(bare)
    return ("&nbsp; " * (count // 2) + "&nbsp;" * (count % 2)) + html.escape(bare, quote=False)


def mso(text: str) -> str:
    return "\r\n".join(f"<p class=MsoNormal><span lang=EN-GB>{nbsp(line) or '&nbsp;'}<o:p></o:p></span></p>" for line in text.splitlines())


def divs(text: str) -> str:
    return "".join(f"<div>{gmail_spaces(line) or '<br>'}</div>" for line in text.splitlines())


def breaks(text: str) -> str:
    return "<br>\n".join(nbsp(line) for line in text.splitlines())


def wrapped(text: str, width: int = 72) -> str:
    """As old programs wrap what they send: at the last space before the width, the rest at the left margin."""
    lines = []
    for line in text.splitlines():
        while len(line) > width and " " in line[:width].lstrip():
            at = line.rindex(" ", 0, width)
            lines.append(line[:at])
            line = line[at + 1:]
        lines.append(line)
    return "\n".join(lines) + "\n"


def flowed(text: str, width: int = 72, delsp: bool = False, mark: str = "") -> str:
    """As format=flowed does: space-stuffed, soft breaks by a space at the end."""
    lines = []
    for line in text.splitlines():
        line = (" " if line[:1] in (" ", ">") and not mark else "") + line
        while len(line) > width and " " in line[:width].lstrip():
            at = line.rindex(" ", 0, width)
            lines.append(mark + line[:at] + (" " if not delsp else "  "))
            line = line[at + 1:]
        lines.append(mark + line)
    return "\n".join(lines) + "\n"


OUTLOOK_PAGE = ('<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin:0cm;} '
                '@page WordSection1 {size:612.0pt 792.0pt;} --></style><!--[if gte mso 9]><xml><o:shapedefaults/></xml><![endif]--></head>'
                '<body lang=EN-GB link="#0563C1"><div class=WordSection1>%s</div></body></html>')
OUTLOOK_HEAD = ("<div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p class=MsoNormal><b>From:</b> The Game Master &lt;gm@play.example&gt; <br>"
                "<b>Sent:</b> 05 January 2026 10:00<br><b>To:</b> Player &lt;player@example.org&gt;<br><b>Subject:</b> The Year 1455: Summer<o:p></o:p></p></div>")
HTML = "text/html; charset=utf-8"


def alternative(plain: str, page: str, **rest) -> bytes:
    return mixed(part(plain, encoding="quoted-printable"), part(page, HTML, encoding="quoted-printable"), kind="alternative", **rest)


def outlook():
    top = OUTLOOK_PAGE % (mso("Dear GM,\n\n" + FILE + "\nKind regards"))
    yield case("Outlook: HTML only, one paragraph a line", message(top, kind=HTML, encoding="quoted-printable"), "body", cut="Kind regards")
    yield case("Outlook: HTML only, windows-1251", message(OUTLOOK_PAGE % mso(RUSSIAN), kind="text/html; charset=windows-1251", encoding="base64", charset="cp1251"), "body", says="Жди меня")
    yield case("Outlook: HTML only, orders above the report", message(OUTLOOK_PAGE % (mso(FILE + "\n") + OUTLOOK_HEAD + mso(REPORT)), kind=HTML, encoding="quoted-printable"),
               "body quoted", "oxford hold")
    yield case("Outlook: HTML only, template edited in the report below", message(OUTLOOK_PAGE % (mso("See below.\n") + OUTLOOK_HEAD + mso(REPORT.replace("[hold]", "[oxford]"))),
                                                                                  kind=HTML, encoding="quoted-printable"), "quoted")
    yield case("Outlook: forwarded as FW, the same header block", message(OUTLOOK_PAGE % (mso("my orders\n") + OUTLOOK_HEAD + mso(REPORT.replace("[hold]", "[oxford]"))),
                                                                         kind=HTML, encoding="quoted-printable", subject="FW: The Year 1455: Summer"), "forwarded")
    yield case("Outlook: plain, header block with Original Message", message(
        f"{FILE}\n-----Original Message-----\nFrom: The Game Master [mailto:gm@play.example]\nSent: Monday, January 5, 2026 10:00 AM\nTo: Player\nSubject: The Year 1455\n\n{REPORT}"),
        "body quoted", "oxford hold")
    yield case("Outlook: plain, rule and header block, Italian", message(
        f"{FILE}\n________________________________\nDa: Arbitro <gm@play.example>\nInviato: lunedì 5 gennaio 2026 10:00\nA: Player <player@example.org>\nOggetto: Anno 1455\n\n{REPORT}"),
        "body quoted", "oxford hold")
    yield case("Outlook: plain, header block in Russian", message(
        f"{FILE}\nОт: GM <gm@play.example>\nОтправлено: 5 января 2026 г. 10:00\nКому: Player\nТема: 1455\n\n{REPORT}"), "body quoted", "oxford hold")
    yield case("Outlook: plain, header block in German", message(
        f"{FILE}\n-----Ursprüngliche Nachricht-----\nVon: GM <gm@play.example>\nGesendet: Montag, 5. Januar 2026 10:00\nAn: Player\nBetreff: 1455\n\n{REPORT}"), "body quoted", "oxford hold")
    yield case("Outlook: text from a paste that keeps spaces by mso-spacerun", message(
        OUTLOOK_PAGE % "".join(f"<p class=MsoPlainText><span style='mso-spacerun:yes'>{'&nbsp;' * (len(line) - len(line.lstrip()))}</span>{line.lstrip()}</p>" for line in FILE.splitlines()),
        kind=HTML), "body")
    yield case("Outlook on the web: both parts, the plain one without indentation is the one that counts", alternative(FILE, f"<div>{divs(FILE)}</div>"), "body")
    yield case("Outlook on the web: appendonsend and rule", alternative(
        NO_MAIL, f'<div style="font-family:Calibri">{divs(FILE)}</div><div id="appendonsend"></div><hr tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><b>From:</b> GM &lt;gm@play.example&gt;<br>'
        f"<b>Sent:</b> Monday<br><b>To:</b> Player<br><b>Subject:</b> x<br><div>&nbsp;</div></div><div>{divs(REPORT)}</div>"), "body quoted", "oxford hold")
    yield case("Outlook: list made of the dashes by itself", message(OUTLOOK_PAGE % (mso(FILE.split("messages:")[0]) + "<p class=MsoNormal>messages:</p><ul><li>{to: [warwick], text: Hello}</li></ul>"),
                                                                    kind=HTML), "body", says="Hello")


def gmail():
    yield case("Gmail: new message, both parts", alternative(FILE, f'<div dir="ltr">{divs(FILE)}</div>'), "body")
    yield case("Gmail: HTML part alone holds the orders", alternative("Please view this in HTML.\n", f'<div dir="ltr">{divs(FILE)}</div>'), "body")
    yield case("Gmail: reply above the quote", alternative(f"{FILE}\n{WROTE}\n\n{quote(REPORT)}", "<p>x</p>"), "body quoted", "oxford hold")
    wrapped_wrote = WROTE.replace("Master <", "Master <\n")
    yield case("Gmail: attribution on two lines", alternative(f"{FILE}\n{wrapped_wrote}\n\n{quote(REPORT)}", "<p>x</p>"), "body quoted", "oxford hold")
    yield case("Gmail: template edited within the quote", alternative(f"done\n\n{WROTE}\n\n{quote(REPORT.replace('[hold]', '[oxford]'))}", "<p>x</p>"), "quoted")
    yield case("Gmail: reply as HTML only, gmail_quote", message(
        f'<div dir="ltr">{divs(FILE)}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">{html.escape(WROTE)}<br></div><blockquote class="gmail_quote" '
        f'style="margin:0 0 0 .8ex;border-left:1px #ccc solid;padding-left:1ex"><pre>{html.escape(REPORT)}</pre></blockquote></div>', kind=HTML), "body quoted", "oxford hold")
    yield case("Gmail: forwarded", alternative(
        f"my orders\n\n---------- Forwarded message ---------\nFrom: The Game Master <gm@play.example>\nDate: Mon, Jan 5, 2026\nSubject: 1455\nTo: <player@example.org>\n\n\n"
        f"{REPORT.replace('[hold]', '[oxford]')}", "<p>x</p>", subject="Fwd: 1455"), "forwarded")
    yield case("Gmail on a phone: signature at the end", message(f"{FILE}\nSent from my iPhone\n", encoding="quoted-printable"), "body", cut="Sent from my iPhone")
    yield case("Gmail: bold made into asterisks", message(FILE.replace("campaign:", "*campaign:*").replace("turn: 2", "*turn: 2*").replace("orders:", "*orders:*")), "body")
    yield case("Gmail: non-breaking spaces in the plain part", message(FILE.replace("  ", "\u00a0 ")), "body")
    yield case("Gmail: confidential look, zero-width characters", message("\u200b" + FILE.replace("turn:", "\ufeffturn:").replace("seat:", "seat\u200b:")), "body")
    yield case("Gmail: code fence around the orders", message(f"Here:\n```yaml\n{FILE}```\nThanks!\n"), "body", cut="")
    yield case("Gmail: long thread, orders in each reply", alternative(
        f"{FILE}\n{WROTE}\n\n> {WROTE}\n>\n{quote(quote(FILE.replace('oxford', 'london')))}", "<p>x</p>"), "body quoted", "oxford london")


def apple():
    inline = part(FILE, 'text/plain; name="orders.txt"; x-unix-mode=0644', 'Content-Disposition: inline; filename="orders.txt"')
    yield case("Apple Mail: inline text attachment between two texts", mixed(part("Hello,\n\nhere they are:\n\n"), inline, part("\n\nBest\n")), "attachment")
    pages = part("<html><body>Hello<br><div></div></body></html>", "text/html; charset=us-ascii")
    yield case("Apple Mail: alternative with a mixed part in it", mixed(part("Hello\n"), inner(pages, attached(FILE, "york.orders.yaml", "application/x-yaml"), pages, kind="mixed"), kind="alternative"),
               "attachment")
    yield case("Apple Mail: reply with blockquote type=cite, HTML only", message(
        f'<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body style="overflow-wrap: break-word; -webkit-nbsp-mode: space;">{divs(FILE)}'
        f'<div><br><blockquote type="cite"><div>On 5 Jan 2026, at 10:00, GM &lt;gm@play.example&gt; wrote:</div><br><div>{divs(REPORT)}</div></blockquote></div></body></html>', kind=HTML),
        "body quoted", "oxford hold")
    yield case("Apple Mail: forwarded", message(
        f"\n\nBegin forwarded message:\n\n> From: The Game Master <gm@play.example>\n> Subject: 1455\n> Date: 5 January 2026 at 10:00\n> To: player@example.org\n>\n"
        f"{quote(REPORT.replace('[hold]', '[oxford]'))}", subject="Fwd: 1455"), "forwarded")
    yield case("Apple Mail: flowed with DelSp", message(flowed(FILLED, 60, delsp=True), kind="text/plain; charset=utf-8; format=flowed; delsp=yes"), "body")
    yield case("Apple Mail: smart quotes in a letter", message(FILE.replace("Wait for me", "Wait for “me”")), "body", says="“me”")
    yield case("iPhone: top-posted, quote marked", message(f"{FILE}\nSent from my iPhone\n\n> On 5 Jan 2026, at 10:00, The Game Master <gm@play.example> wrote:\n> \n{quote(REPORT)}"),
               "body quoted", "oxford hold", cut="Sent from my iPhone")
    yield case("iPad: orders typed between quoted lines", message(
        "\n> " + "\n> ".join(TEMPLATE.split("  march: {to: [hold]")[0].rstrip().splitlines()) + "\n  march: {to: [oxford]}\n" + quote("  policy:" + TEMPLATE.split("  policy:")[1])), "quoted")


def thunderbird():
    reply = f"On 05/01/2026 10:00, The Game Master wrote:\n{quote(REPORT)}"
    yield case("Thunderbird: flowed, signature", message(flowed(FILLED) + "-- \nA player\n", kind="text/plain; charset=UTF-8; format=flowed"), "body", cut="")
    yield case("Thunderbird: flowed quote, edited in place", message(
        "On 05/01/2026 10:00, The Game Master wrote:\n" + flowed(REPORT.replace("[hold]", "[oxford]"), mark="> "), kind="text/plain; charset=UTF-8; format=flowed"), "quoted")
    yield case("Thunderbird: orders below the quote", message(f"{reply}\n\n{FILE}-- \nA player\n", kind="text/plain; charset=UTF-8"), "body quoted", "oxford hold")
    yield case("Thunderbird: orders between the quotes", message(
        f"On 05/01/2026 10:00, The Game Master wrote:\n{quote('You are York. Turn: 2.')}\n\nsure:\n\n{FILE}\n{quote(REPORT)}"), "body quoted", "oxford hold")
    typed = quote(REPORT).replace(">     march: {to: [hold], meet: halt}\n", "      march: {to: [oxford], meet: halt}\n")
    yield case("Thunderbird: line typed in the quote, aligned by eye", message("On 05/01/2026 10:00, The Game Master wrote:\n" + typed), "quoted")
    typed = quote(REPORT).replace(">     march: {to: [hold], meet: halt}\n", "    march: {to: [oxford], meet: halt}\n")
    yield case("Thunderbird: line typed in the quote, aligned with the file", message("On 05/01/2026 10:00, The Game Master wrote:\n" + typed), "quoted")
    yield case("Thunderbird: HTML only, moz-cite-prefix", message(
        f'<html><body>{breaks(FILE)}<br><div class="moz-cite-prefix">On 05/01/2026 10:00, GM wrote:<br></div><blockquote type="cite" cite="mid:x@y"><pre class="moz-quote-pre" wrap="">'
        f"{html.escape(REPORT)}</pre></blockquote></body></html>", kind=HTML), "body quoted", "oxford hold")
    yield case("Thunderbird: forwarded inline", message(
        f"\n\n-------- Forwarded Message --------\nSubject: 1455\nDate: Mon, 5 Jan 2026\nFrom: GM <gm@play.example>\nTo: player@example.org\n\n{REPORT.replace('[hold]', '[oxford]')}"), "forwarded")
    yield case("a program that says flowed and leaves spaces at the ends", message(FILE.replace(":\n", ": \n").replace("militia: 4", "militia: 4 "),
                                                                               kind="text/plain; charset=utf-8; format=flowed"), "body")


def others():
    yield case("K-9: plain reply, quote with marks", message(f"{FILE}\nAm 5. Januar 2026 10:00:00 MEZ schrieb GM <gm@play.example>:\n{quote(REPORT, '>')}\n-- \nDiese Nachricht wurde von meinem Telefon gesendet.\n"),
               "body quoted", "oxford hold")
    yield case("Yahoo: HTML only, yahoo_quoted without blockquote", message(
        f'<html><body><div class="ydp1">{divs(FILE)}</div><div id="yahoo_quoted_1" class="yahoo_quoted"><div>On Monday, January 5, 2026 at 10:00:00 AM GMT, GM &lt;gm@play.example&gt; wrote:</div>'
        f"<div><br></div><div>{divs(REPORT)}</div></div></body></html>", kind=HTML), "body quoted", "oxford hold")
    yield case("mail.ru: koi8-r, base64", message(f"{RUSSIAN}\n--\nС уважением\n", kind="text/plain; charset=koi8-r", encoding="base64", charset="koi8-r",
                                                 subject=encoded_word("Приказы", "koi8-r")), "body", says="Жди меня")
    yield case("mail.ru: attribution in Russian", message(
        f"{RUSSIAN}\nПонедельник, 5 января 2026, 10:00 +03:00 от GM <gm@play.example>:\n{quote(REPORT)}", kind="text/plain; charset=windows-1251", charset="cp1251", encoding="quoted-printable"),
        "body quoted", "oxford hold", says="ёлки")
    yield case("Yandex: attribution is date and address", message(f"{RUSSIAN}\n05.01.2026, 10:00, \"GM\" <gm@play.example>:\n{quote(REPORT)}"), "body quoted", "oxford hold")
    yield case("Yandex: HTML only, пишет", message(f"<div>{divs(RUSSIAN)}</div><div>05.01.2026, 10:00, GM пишет:</div><blockquote>{divs(REPORT)}</blockquote>", kind=HTML), "body quoted", "oxford hold")
    yield case("Libero: iso-8859-15, quoted-printable", message(ITALIAN, kind="text/plain; charset=iso-8859-15", charset="iso-8859-15", encoding="quoted-printable"), "body", says="più in là")
    yield case("Aruba: attribution in Italian", message(f"{ITALIAN}\nIl giorno lun 5 gen 2026 alle ore 10:00 GM <gm@play.example> ha scritto:\n\n{quote(REPORT)}",
                                                        kind="text/plain; charset=iso-8859-1", charset="iso-8859-1"), "body quoted", "oxford hold", says="città")
    yield case("French program", message(f"{FILE}\nLe lun. 5 janv. 2026 à 10:00, GM <gm@play.example> a écrit :\n\n{quote(REPORT)}"), "body quoted", "oxford hold")
    yield case("mutt: quote, then orders, signature", message(f"On Mon, Jan 05, 2026 at 10:00:00AM +0000, GM wrote:\n{quote(REPORT)}\n{FILE}\n-- \nplayer\n"), "body quoted", "oxford hold")
    yield case("a program that wraps comments at 72, the rest at the margin", message(wrapped(FILLED)), "body")
    yield case("a program that wraps quoted comments, the rest without a mark", message(f"{WROTE}\n{wrapped(quote(REPORT.replace('[hold]', '[oxford]')), 76)}"), "quoted")
    yield case("a program that wraps first and quotes then", message(f"{WROTE}\n{quote(wrapped(REPORT.replace('[hold]', '[oxford]'), 66))}"), "quoted")
    begun, _hold, rest = quote(TEMPLATE).partition(">   march: {to: [hold]")
    yield case("the quote deleted from the orders on, these typed below", message(f"{WROTE}\n{begun}  march: {{to: [oxford]}}\n  policy:\n    militia: 3\n\nCheers\n"), "quoted", cut="Cheers")
    yield case("a blank line typed around a line in the quote", message(f"{WROTE}\n{begun}\n  march: {{to: [oxford]}}\n\n{rest.partition(chr(10))[2]}"), "quoted")
    yield case("Pine: quote at two depths, edited at the second", message(f"On Mon, 5 Jan 2026, ally wrote:\n> On Sun, GM wrote:\n{quote(quote(REPORT.replace('[hold]', '[oxford]')))}> ok?\nfine\n"), "quoted")
    yield case("signature mark inside a letter is no signature", message(FILE.replace('text: "Wait for me"}', 'text: "x"}\n  - to: [gm]\n    text: |\n      Hello\n      -- \n      York') + "-- \nA player\n"),
               "body", cut="")
    yield case("a mistyped key stays in", message(FILE.replace("messages:", "mesages:")), "body")
    yield case("keys in capitals, file indented", message("Hi\n\n" + "".join(f"    {line}" for line in FILE.replace("campaign", "Campaign").replace("seat", "SEAT").splitlines(keepends=True))), "body")
    yield case("two files in one body", message(f"{FILE}\nand the other:\n\n{FILE.replace('oxford', 'dover').replace('1455', '1471')}\n"), "body body", "oxford dover", cut="and the other:")
    yield case("a heading Orders above the file", message(f"Orders:\n\n{FILE}"), "body")
    yield case("prose that speaks of a turn and seats", message("About turn: 2 was fine.\nThe seat: york it was.\nSee you\n"))
    yield case("only thanks", message("Thanks, got it.\n"))
    yield case("an untouched quote", message(f"Thanks!\n\n{WROTE}\n\n{quote(REPORT)}"), "quoted", "hold")
    yield case("disclaimer of a company below", message(f"{FILE}\nThis e-mail and any attachments are confidential. If you are not the addressee: delete it.\n"), "body",
               cut="This e-mail and any attachments are confidential. If you ar…")
    yield case("antivirus footer", message(f"{FILE}\n\n---\nThis email has been checked for viruses by Avast antivirus software.\nhttps://www.example.com/antivirus\n"), "body", cut="")
    yield case("a list's footer in a part of its own", mixed(part(FILE), part("_______________________________________________\nGames mailing list\ngames@lists.example.org\n"),
                                                            more=("List-Id: <games.lists.example.org>",)), "body", kind="list")


def all_cases():
    for group in (outlook, gmail, apple, thunderbird, others):
        yield from group()
