"""A campaign of the toy game that is played by mail, through folders: write to it, let it pull and tick, read what it sends."""

import email
import email.policy
from datetime import datetime, timedelta, timezone
from email.message import EmailMessage
from pathlib import Path

from ruamel.yaml import YAML
from table import begin, order_file

from adjudicator.office.deadlines import Rhythm, minutes
from adjudicator.office.post.offices import post_office_of
from adjudicator.office.post.pulling import pull as fetch
from adjudicator.office.post.pushing import push as send_all
from adjudicator.office.post.sources import source_of
from adjudicator.office.post.ticking import tick as do_tick

NOON = datetime(2027, 1, 4, 12, 0, tzinfo=timezone.utc)
ADDRESS = {"red": "anna@example.org", "green": "bo@example.org", "blue": "cy@example.org"}
GM_ADDRESS = "gm@example.org"
MAIL = 'address: "Stones <stones@example.org>"\nin: {folder: coming}\n'


def by_mail(path: Path, deadline: str = "", settings: str = "", mail: str = MAIL, seats=ADDRESS) -> Path:
    """A campaign `stones-1` with three players and a game master, who all have addresses."""
    begin(path, rhythm=rhythm_of(deadline) if deadline else None)
    text = (path / "campaign.yaml").read_text()
    text = text.replace('email: ""', f'email: "{seats["blue"]}"')
    for line in [f"gm: {{name: Gil, email: {GM_ADDRESS}}}", *settings.splitlines()]:
        key = line.split(":")[0]
        text = line + "\n" + "\n".join(old for old in text.split("\n") if not old.startswith(f"{key}:"))
    (path / "campaign.yaml").write_text(text)
    if mail:
        (path / "mail.yaml").write_text(mail)
        (path / "coming").mkdir(exist_ok=True)
    return path


def rhythm_of(text: str) -> Rhythm:
    """A deadline as campaign.yaml has it."""
    read = YAML(typ="safe").load(text)
    return Rhythm(**{**read, "grace": minutes(read["grace"]) if "grace" in read else 0, **({"first": str(read["first"])} if "first" in read else {})})


def letter(sender: str, text: str = "", attached: bytes | None = None, name: str = "orders.yaml", **headers: str) -> bytes:
    """A plain message; headers are written with _ for -."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, "stones@example.org", headers.pop("subject", "orders")
    message["Message-ID"] = headers.pop("message_id", f"<{abs(hash((sender, text, attached)))}@players.example>")
    for key, value in headers.items():
        message[key.replace("_", "-")] = value
    message.set_content(text or "Here they are.")
    if attached is not None:
        message.add_attachment(attached, maintype="application", subtype="octet-stream", filename=name)
    return message.as_bytes(policy=email.policy.SMTP)


def post(path: Path, *messages: bytes, folder: str = "coming") -> None:
    """Put messages where they are fetched from, in this order."""
    place = path / folder
    number = len(list(place.rglob("*.eml")))
    for message in messages:
        number += 1
        (place / f"{number:04}.eml").write_bytes(message)


def orders(path: Path, seat: str, text: str = "take: 2", sender: str = "", **more) -> bytes:
    """A message with an order file for the coming turn, from the seat's own address."""
    return letter(sender or ADDRESS[seat], attached=order_file(path, seat, text, **more))


def pull(path: Path, now: datetime = NOON):
    office = post_office_of(path)
    return fetch(office, source_of(office), now, said.append)


said: list[str] = []


def push(path: Path, now: datetime = NOON):
    return send_all(post_office_of(path), lambda: now, said.append)


def tick(path: Path, now: datetime = NOON):
    return do_tick(post_office_of(path), lambda: now, said.append, jobs=1)


def later(**span) -> datetime:
    return NOON + timedelta(**span)


def states(pulled) -> list[str]:
    """The states of all parts of all messages, or the kind of a message without parts."""
    return [part.state for record in pulled.records for part in record.parts] or [record.kind for record in pulled.records]


def sent(path: Path) -> list[EmailMessage]:
    """Everything that has been put into the folder of sent mail, by file name."""
    return [email.message_from_bytes(file.read_bytes(), policy=email.policy.default) for file in sorted((path / "mail/eml").glob("*.eml"))]


def to(path: Path, address: str) -> list[EmailMessage]:
    return [message for message in sent(path) if address in message["To"]]


def text_of(message: EmailMessage) -> str:
    return message.get_body(("plain",)).get_content()
