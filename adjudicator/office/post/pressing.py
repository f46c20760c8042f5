"""Press at once: the letters in an order file go out when it comes, not with the report."""

from ...core.events import GM
from ...core.plain import digest
from ...core.words import _
from ...report.cover import Cover
from ..submitting import Receipt
from .letters import Desk, Letter
from .records import Tally


MOST_LETTERS = 60
"""Letters of one seat that go out at once in 24 hours; more go out with the report."""


def at_once(desk: Desk, tally: Tally, receipt: Receipt) -> list[Letter]:
    """The letters of a file that counts, to each that they are written to. A letter that has gone out in this turn does not go out again."""
    campaign = desk.campaign
    settings = campaign.settings
    if settings.press != "at-once" or not receipt.counts:
        return []
    letters = []
    for letter in receipt.letters:
        everybody = "all" in letter["to"]
        to = [seat for seat in campaign.ruleset.seats if seat != receipt.seat and (everybody or seat in letter["to"])]
        is_signed = not (settings.anonymous == "always" or settings.anonymous == "allowed" and letter.get("anonymous"))
        # the seed is in it: a Message-ID is made from its key, and nobody may find out who wrote an unsigned letter by trying
        name = digest(f"{campaign.secret.seed}/{receipt.turn}/{receipt.seat}/{sorted(letter['to'])}/{letter['text']}".encode())[:20]
        if tally.count(f"press/{receipt.seat}", desk.now) >= MOST_LETTERS:
            break
        tally.add(f"press/{receipt.seat}", desk.now)
        for seat in [*to, *([GM] if GM in letter["to"] else [])]:
            sender = campaign.seats[receipt.seat] if is_signed or seat == GM else ""
            # of an unsigned letter the list as it was written: if its writer were left out of it, that would tell who he is
            others = [other for other in campaign.ruleset.seats if other in letter["to"] and other != seat and (other != receipt.seat or not is_signed)]
            among = [campaign.seats[other] for other in others] + ([_("the game master")] if GM in letter["to"] and seat != GM else [])
            facts = [(_("From"), sender or _("an unknown hand"))]
            facts += [(_("To"), _("everybody") if everybody else ", ".join([_("you"), *among]))]
            subject = _("A letter from {seat}").format(seat=sender) if sender else _("A letter from an unknown hand")
            footer = [_("To answer, write a letter under `messages:` in your order file: the sender's address is not known to this letter, nor yours to the sender.")]
            letters.append(desk.letter(f"press/{receipt.turn:04}/{name}/{seat}", "press", seat, subject,
                                       Cover(subject, receipt.turn_title, facts=facts, pieces=[("", letter["text"])], footer=footer)))
    return letters
