"""Messages whose orders lie in attachments, archives, signatures and messages within messages; strange names, strange charsets."""

import struct
import zipfile
from io import BytesIO

from .texts import FILE, FILLED, ITALIAN, REPORT, RUSSIAN, attached, case, inner, message, mixed, part

HELLO = part("Here they are.\n")
LONDON = FILE.replace("oxford", "london")


def zipped(**files: str | bytes) -> bytes:
    """A zip file; names with `__` for a dot."""
    return zip_of({name.replace("__", "."): data for name, data in files.items()})


def zip_of(files: dict[str, str | bytes]) -> bytes:
    store = BytesIO()
    with zipfile.ZipFile(store, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return store.getvalue()


def locked(data: bytes) -> bytes:
    """A zip file that says it is encrypted, in both of its headers."""
    changed = bytearray(data)
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = changed.find(mark)
        changed[at + offset] |= 1
    return bytes(changed)


def tnef(*files: tuple[str, bytes], body: bytes = b"") -> bytes:
    """winmail.dat as Outlook writes it: a mark, a key, and attributes with level, id, length, data and a sum of the bytes."""
    def attribute(level: int, number: int, data: bytes) -> bytes:
        return struct.pack("<BII", level, number, len(data)) + data + struct.pack("<H", sum(data) & 0xffff)

    out = struct.pack("<IH", 0x223E9F78, 1) + attribute(1, 0x00089006, struct.pack("<I", 0x10000))
    out += attribute(1, 0x00069007, struct.pack("<II", 1252, 0)) + attribute(1, 0x00078008, b"IPM.Microsoft Mail.Note\x00")
    if body:
        out += attribute(1, 0x0002800C, body)
    for name, data in files:
        out += attribute(2, 0x00069002, b"\x01\x00" + b"\xff" * 4 + b"\x00" * 8) + attribute(2, 0x00018010, name.encode("cp1252") + b"\x00") + attribute(2, 0x0006800F, data)
    return out


def der(tag: int, *contents: bytes) -> bytes:
    """One element of DER."""
    data = b"".join(contents)
    size = len(data)
    length = bytes([size]) if size < 128 else bytes([0x80 + (size.bit_length() + 7) // 8]) + size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag]) + length + data


DATA_OID, SIGNED_OID, ENVELOPED_OID = (der(6, bytes.fromhex(f"2a864886f70d0107{number:02x}")) for number in (1, 2, 3))


def opaque(data: bytes, oid: bytes = SIGNED_OID) -> bytes:
    """What S/MIME carries: a signed-data with its content and no signers."""
    content = der(0x30, DATA_OID, der(0xA0, der(4, data)))
    signed = der(0x30, der(2, b"\x01"), der(0x31), content, der(0x31))
    return der(0x30, oid, der(0xA0, signed))


def attachments():
    yield case("attachment .yaml", mixed(HELLO, attached(FILE, "york.orders.yaml", "application/x-yaml")), "attachment")
    yield case("attachment .txt as octet-stream", mixed(HELLO, attached(FILE, "orders.txt")), "attachment")
    yield case("attachment without an ending", mixed(HELLO, attached(FILE, "orders")), "attachment")
    yield case("attachment without a name", mixed(HELLO, part(FILE, "application/octet-stream", "Content-Disposition: attachment", encoding="base64")), "attachment")
    yield case("attachment .yml that is no order file is shown all the same", mixed(HELLO, attached("hello\n", "x.yml")), "attachment", "-")
    yield case("attachment .txt that is a letter", mixed(HELLO, attached("Dear all,\nturn 2 was fun.\n", "letter.txt", "text/plain")))
    yield case("the whole message is an attachment", message(FILE, 'Content-Disposition: attachment; filename="o.yaml"', kind='application/octet-stream; name="o.yaml"', encoding="base64"), "attachment")
    yield case("attachment in UTF-16 with its mark", mixed(HELLO, attached(FILE.encode("utf-16"), "o.txt")), "attachment")
    yield case("attachment in UTF-16 without a mark, by Notepad", mixed(HELLO, attached(FILE.encode("utf-16-le"), "o.txt", "text/plain")), "attachment")
    yield case("attachment with a UTF-8 mark", mixed(HELLO, attached(FILE.encode("utf-8-sig"), "o.txt", "text/plain; charset=utf-8")), "attachment")
    yield case("attachment in Latin-1", mixed(HELLO, attached(ITALIAN.encode("latin-1"), "o.txt", "text/plain; charset=iso-8859-1")), "attachment", says="città")
    yield case("attachment with CR alone at the ends of lines", mixed(HELLO, attached(FILE.replace("\n", "\r").encode(), "o.txt", "text/plain")), "attachment")
    yield case("attachment quoted-printable", mixed(HELLO, attached(ITALIAN, "o.yaml", "text/plain; charset=utf-8", "quoted-printable")), "attachment", says="così")
    yield case("orders in the body and attached, other ones", mixed(part(FILE), attached(LONDON, "o.yaml")), "body attachment", "oxford london")
    yield case("the same orders in the body and attached", mixed(part(FILE), attached(FILE, "o.yaml", "text/plain", "8bit")), "body")
    yield case("two files attached", mixed(HELLO, attached(FILE, "a.yaml"), attached(LONDON, "b.yaml")), "attachment attachment", "oxford london")
    yield case("twelve files: ten are looked at", mixed(HELLO, *(attached(FILE.replace("militia: 4", f"militia: {n}"), f"{n}.yaml") for n in range(12))), " ".join(["attachment"] * 10))
    yield case("a Word document", mixed(HELLO, attached(b"PK\x03\x04" + b"\x14\x00\x06\x00\x08\x00" + b"\x00" * 20 + b"[Content_Types].xml" + b"\x00" * 40, "orders.docx")), unread=("orders.docx",))
    yield case("an old Word document", mixed(HELLO, attached(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 600, "orders.doc", "application/msword")), unread=("orders.doc",))
    yield case("RTF", mixed(HELLO, attached(r"{\rtf1\ansi campaign: roses-1455\par turn: 2\par}", "orders.rtf", "text/rtf")), unread=("orders.rtf",))
    yield case("a PDF by the player", mixed(HELLO, attached(b"%PDF-1.4 campaign", "orders.pdf", "application/pdf")), unread=("orders.pdf",))
    yield case("our report sent back with all it brought", mixed(HELLO, attached(b"%PDF-1.7 x", "york.pdf", "application/pdf"), attached(FILLED, "york.orders.yaml", "application/yaml"),
                                                                attached('{"campaign": "roses-1455",\n"seat": "york"}', "york.view.json", "application/json")), "attachment")
    yield case("pictures and a card", mixed(part(FILE), attached(b"\xff\xd8\xff\xe0" + b"\x00" * 90, "image001.jpg", "image/jpeg", how="inline"), attached("BEGIN:VCARD\nN:x\nEND:VCARD\n", "me.vcf", "text/vcard")), "body")
    yield case("voicemail", mixed(part("You have a new message.\n"), attached(b"RIFF" + b"\x00" * 200, "msg.wav", "audio/wav")))
    yield case("a rar archive", mixed(HELLO, attached(b"Rar!\x1a\x07\x00" + b"\x00" * 60, "orders.rar")), unread=("orders.rar",))
    yield case("a file that is far too large", mixed(HELLO, attached(FILE + "# x\n" * 100_000, "o.yaml")), "attachment", "-")


def named(header: str) -> bytes:
    return mixed(HELLO, part(FILE, "application/octet-stream", header, encoding="base64"))


def names():
    yield case("name in pieces (RFC 2231)", named("Content-Disposition: attachment;\r\n filename*0*=UTF-8''%D0%BF%D1%80%D0%B8;\r\n filename*1*=%D0%BA%D0%B0%D0%B7;\r\n filename*2=.yaml"), "attachment")
    yield case("name as an encoded word in a parameter", named('Content-Disposition: attachment; filename="=?koi8-r?B?0NLJy8Ha?= =?utf-8?Q?.yaml?="'), "attachment")
    yield case("name that climbs", named('Content-Disposition: attachment; filename="../../../etc/cron.d/x.yaml"'), "attachment")
    yield case("name of Windows that climbs", named(r'Content-Disposition: attachment; filename="..\\..\\x.yaml"'), "attachment")
    yield case("name with a picture", named('Content-Disposition: attachment; filename="\U0001f451 orders.yaml"'), "attachment")
    yield case("empty name", named('Content-Disposition: attachment; filename=""'), "attachment")
    yield case("name of 300 letters", named(f'Content-Disposition: attachment; filename="{"x" * 300}.yaml"'), "attachment")
    yield case("name with a line break", named('Content-Disposition: attachment; filename="a\r\n b.yaml"'), "attachment")
    yield case("name with codes that turn the writing", named("Content-Disposition: attachment; filename*=utf-8''a%E2%80%AElmay.exe%00%1B%5B31m"), "attachment")
    yield case("name in a charset that does not exist", named("Content-Disposition: attachment; filename*=martian''%ff%fe.yaml"), "attachment")
    yield case("broken parameters", named('Content-Disposition: attachment; filename*0*x=1; filename*=; ==;"'), "attachment")
    yield case("name in raw bytes", named('Content-Disposition: attachment; filename="\udcef\udcf0.yaml"'), "attachment")


def archives():
    yield case("zip", mixed(HELLO, attached(zipped(york__yaml=FILE), "orders.zip", "application/zip")), "zip")
    yield case("zip with a path that climbs", mixed(HELLO, attached(zip_of({"../../x.yaml": FILE, "__MACOSX/._x.yaml": b"\x00\x05"}), "orders.zip")), "zip")
    yield case("zip with a letter and orders", mixed(part(FILE), attached(zip_of({"readme.txt": "hello", "o.txt": LONDON}), "a.zip")), "body zip", "oxford london")
    yield case("zip with a password", mixed(HELLO, attached(locked(zipped(york__yaml=FILE)), "orders.zip")), unread=("orders.zip",))
    yield case("zip in a zip", mixed(HELLO, attached(zipped(inner__zip=zipped(york__yaml=FILE)), "orders.zip")), unread=("orders.zip",))
    yield case("zip that would unpack to 64 MiB", mixed(HELLO, attached(zipped(york__yaml=b"# " + b" " * (64 << 20)), "bomb.zip")), "zip", "-")
    yield case("zip that is cut off", mixed(HELLO, attached(zipped(york__yaml=FILE)[:-30], "orders.zip")), unread=("orders.zip",))
    yield case("zip with thirty files", mixed(HELLO, attached(zip_of({f"{n}.txt": "x" for n in range(29)} | {"o.yaml": FILE}), "many.zip")), unread=("many.zip",))
    yield case("winmail.dat with a file", mixed(HELLO, attached(tnef(("orders.yaml", FILE.encode())), "winmail.dat", "application/ms-tnef")), "attachment")
    yield case("winmail.dat with a Word document", mixed(HELLO, attached(tnef(("orders.doc", b"\xd0\xcf\x11\xe0" + b"\x00" * 99)), "winmail.dat", "application/ms-tnef")), unread=("orders.doc",))
    yield case("winmail.dat beside a body that counts", mixed(part(FILE), attached(tnef(body=b"x"), "winmail.dat", "application/ms-tnef")), "body")
    yield case("winmail.dat that is cut off", mixed(HELLO, attached(tnef(("orders.yaml", FILE.encode()))[:-60], "winmail.dat", "application/ms-tnef")), unread=("winmail.dat",))
    yield case("winmail.dat that promises thousands of millions", mixed(HELLO, attached(struct.pack("<IHBII", 0x223E9F78, 1, 1, 0x00069003, 4) + b"\xff" * 9, "winmail.dat")))


def signed():
    signature = attached(b"\x30\x80", "smime.p7s", "application/pkcs7-signature")
    yield case("signed by S/MIME", mixed(part(FILE), signature, kind='signed; protocol="application/pkcs7-signature"; micalg=sha-256'), "body")
    yield case("signed by PGP, attachment inside", mixed(inner(HELLO, attached(FILE, "o.yaml"), kind="mixed"), part("-----BEGIN PGP SIGNATURE-----\nxx\n-----END PGP SIGNATURE-----\n", "application/pgp-signature"),
                                                        kind='signed; protocol="application/pgp-signature"'), "attachment")
    clear = "".join(f"- {line}" if line.startswith("-") else line for line in f"Hello\n\n{FILE}-- \nme\n".splitlines(keepends=True))
    yield case("signed by PGP in the text", message(f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{clear}-----BEGIN PGP SIGNATURE-----\n\niQEz\n=abcd\n-----END PGP SIGNATURE-----\n"), "body", cut="")
    yield case("signed by S/MIME, opaque", message(opaque(part(FILE)), 'Content-Disposition: attachment; filename="smime.p7m"',
                                                  kind='application/pkcs7-mime; smime-type=signed-data; name="smime.p7m"', encoding="base64"), "body")
    yield case("encrypted by S/MIME", message(opaque(b"x", ENVELOPED_OID), kind='application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"', encoding="base64"), unread=("smime.p7m",))
    yield case("encrypted by PGP", mixed(part("Version: 1\n", "application/pgp-encrypted"), part("-----BEGIN PGP MESSAGE-----\nxx\n-----END PGP MESSAGE-----\n", "application/octet-stream"),
                                         kind='encrypted; protocol="application/pgp-encrypted"'), unread=("the body of your message",))
    yield case("encrypted by PGP in the text", message("-----BEGIN PGP MESSAGE-----\n\nhQEM\n-----END PGP MESSAGE-----\n"), unread=("the body of your message",))


def forwarded():
    report = message(REPORT, sender="GM <gm@play.example>")
    yield case("a report attached as a message", mixed(HELLO, part(report, "message/rfc822", "Content-Disposition: attachment")), "forwarded", "hold")
    yield case("orders of a friend, attached as a message", mixed(HELLO, part(message(FILE), "message/rfc822")), "forwarded")
    yield case("orders on top, the report attached as a message", mixed(part(FILE), part(report, "message/rfc822")), "body forwarded", "oxford hold")
    deep = message(FILE)
    for level in range(3):
        deep = mixed(HELLO, part(deep, "message/rfc822"), mark=f"=_level_{level}")
    yield case("a message in a message in a message", deep, "forwarded")
    yield case("one level more is not looked at", mixed(HELLO, part(deep, "message/rfc822")))
    yield case("only a part of a message", message("x", kind='message/partial; id="a"; number=1; total=2'), unread=("the body of your message",))


def charsets():
    for name, declared, real, text, says in (
            ("windows-1251 called iso-8859-1", "iso-8859-1", "cp1251", RUSSIAN, "Жди меня"), ("windows-1251 called us-ascii", "us-ascii", "cp1251", RUSSIAN, "Жди меня"),
            ("koi8-r called us-ascii", "us-ascii", "koi8-r", RUSSIAN, "Жди меня"), ("UTF-8 called us-ascii", "us-ascii", "utf-8", RUSSIAN, "Жди меня"),
            ("UTF-8 called iso-8859-1", "iso-8859-1", "utf-8", ITALIAN, "così"), ("a charset that does not exist", "x-martian", "cp1251", RUSSIAN, "Жди меня"),
            ("a charset with garbage", '"utf-8;;\\"', "utf-8", RUSSIAN, "Жди меня"), ("Latin-1 called utf-8", "utf-8", "latin-1", ITALIAN, "città"), ("UTF-7", "utf-7", "utf-7", RUSSIAN, "Жди меня"),
            ("a codec that is no charset", "zlib", "utf-8", RUSSIAN, "Жди меня"), ("windows-1252", "windows-1252", "cp1252", ITALIAN, "più"), ("UTF-16", "utf-16", "utf-16", RUSSIAN, "Жди меня"),
            ("GB 2312", "gb2312", "gb2312", FILE.replace("Wait for me", "你好"), "你好"), ("Shift-JIS", "shift_jis", "shift_jis", FILE.replace("Wait for me", "こんにちは"), "こんにちは")):
        yield case(f"charset: {name}", message(text, kind=f"text/plain; charset={declared}", charset=real, encoding="base64" if "16" in real else "8bit"), "body", says=says)
    yield case("charset: none at all, windows-1251", message(RUSSIAN.encode("cp1251"), kind="text/plain"), "body", says="Жди меня")


def all_cases():
    for group in (attachments, names, archives, signed, forwarded, charsets):
        yield from group()
