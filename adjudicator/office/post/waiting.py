"""Who is awaited, and what the mail has done: for reminders, `status` and `mail list`."""

from dataclasses import dataclass, field

from ...mail.outbox import Outbox, Outgoing
from ..campaign import Campaign
from ..standing import standing
from .offices import MAIL
from .records import Record, all_records


def awaited(campaign: Campaign) -> list[str]:
    """The players' seats that are asked and have sent nothing that can be in force."""
    return [each.seat for each in standing(campaign).seats if each.is_asked and each.plays == "player" and not each.sent]


@dataclass
class MailStanding:
    """counts: state -> how many messages; unsent: those that wait or failed, or came back; recent: all of the last turn's."""

    counts: dict[str, int] = field(default_factory=dict)
    unsent: list[Outgoing] = field(default_factory=list)
    all: list[Outgoing] = field(default_factory=list)
    taken: list[Record] = field(default_factory=list)


def mail_standing(campaign: Campaign) -> MailStanding | None:
    """What stands in the campaign's outbox, and what has come by mail; None where there has been no mail."""
    folder = campaign.folder.path / MAIL
    if not folder.is_dir():
        return None
    out = Outbox(folder / "out").all() if (folder / "out").is_dir() else []
    counts: dict[str, int] = {}
    for each in out:
        counts[each.state] = counts.get(each.state, 0) + 1
    return MailStanding(counts, [each for each in out if each.state not in ("sent", "cancelled")], out, all_records(folder / "in"))
