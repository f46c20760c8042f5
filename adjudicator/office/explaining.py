"""What the codes of problems mean: those of the core, those that a game explains, and those that its rulebook mentions."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from ..core.names import fold
from ..core.ruleset import Ruleset
from ..core.words import N_, _
from .rulebook import chapters

CORE: dict[str, tuple[str, str, str]] = {
    "ALIAS": (N_("A name with a star repeats another part of the file, which order files may not do."), "to: *there", N_("Write the thing itself; a name that begins with a star goes between quotation marks.")),
    "ANCHOR": (N_("A name with an ampersand marks a part of the file to be repeated, which order files may not do."), "to: &there Oxford", N_("Take the mark out; a text that begins with & goes between quotation marks.")),
    "BAD-CHARACTER": (N_("An invisible control character stands in the file."), "", N_("Delete the line and type it anew.")),
    "BAD-KEY": (N_("Before a colon stands a list or a mapping instead of a word."), "[York]: hold", N_("Write one word before the colon.")),
    "CUT-OFF": (N_("In a text that is not quoted, everything after ` #` is a note to yourself and is left out."), "text: gold #5", N_("Put the text between quotation marks: text: \"gold #5\".")),
    "DIRECTIVE": (N_("A line that begins with % would tell the reader to read the file in another way."), "%YAML 1.1", N_("Take the line out.")),
    "DUPLICATE": (N_("The same thing stands there twice, and which one counts would be a guess."), "march: ...\nmarch: ...", N_("Leave one of the two.")),
    "EMPTY": (N_("A list is empty that must hold something."), "to: []", N_("Name something, or leave the line out.")),
    "ENCODING": (N_("The file is not written in UTF-8; it was read all the same."), "", N_("Look whether letters with accents are right; save the file as UTF-8.")),
    "FUTURE-TURN": (N_("The file is for a turn that has not come yet."), "turn: 9", N_("Write the number of the turn for which orders are taken: it stands in your last report.")),
    "GAME-OVER": (N_("The game is over; no orders are taken."), "", ""),
    "MORE": (N_("There are so many mistakes that only the first are told."), "", N_("Mend those and check again; or begin anew from the order file that came with your report.")),
    "MISSING": (N_("A line that must be there is missing."), "", N_("Copy campaign, turn, seat and token from the order file that came with your report; or add the key that is named.")),
    "NO-ORDERS": (N_("No orders were found: the file is empty, or is a letter and no order file."), "", N_("Start from the order file that came with your report.")),
    "NO-YAML": (N_("The file cannot be taken apart at this place: a bracket is not closed, a line is indented wrongly, a colon lacks its space."), "to:[Oxford]",
                N_("Mend the line that is shown, or the one above it: a space after each colon, the same indentation for lines that belong together.")),
    "NOT-A-CHOICE": (N_("Only certain words may stand here, and this is none of them."), "loot: sometimes", N_("Take one of the words that the message lists.")),
    "NOT-A-DATE": (N_("This is no date, or a day that does not exist."), "first: 2027-02-30", N_("Write year-month-day.")),
    "NOT-A-HOLDER": (N_("In campaign.yaml it is not clear who holds a seat."), "york: {player: 1, holder: steward}", N_("Write one of player and holder.")),
    "NOT-A-LIST": (N_("A list is expected and nothing stands there."), "to:", N_("Write one thing, or several in square brackets; [] is the empty list.")),
    "NOT-A-MAPPING": (N_("Pairs `key: value` are expected."), "muster: Bristol", N_("Write the pairs in braces, or one a line, set in by two spaces.")),
    "NOT-A-NUMBER": (N_("A whole number is expected, in plain digits."), "take: 1e3", N_("Write digits only: 1000.")),
    "NOT-A-RHYTHM": (N_("In campaign.yaml it is not clear when orders are due."), "deadline: {zone: UTC}", N_("Give one of every (with first), weekly and dates.")),
    "NOT-A-TEXT": (N_("A word or a sentence is expected, on one line."), "", N_("Write it between quotation marks if it has colons or brackets in it.")),
    "NOT-A-ZONE": (N_("No time zone has this name."), "zone: CET+1", N_("Write an IANA name such as Europe/Rome, or UTC.")),
    "NOT-ASKED": (N_("No orders are taken from this seat this turn."), "", N_("Look at your report: it says when your seat is asked again.")),
    "ODD-SPACE": (N_("The line is set in with non-breaking spaces, which some programs put there; they were read as plain ones."), "", N_("Nothing needs to be done.")),
    "OTHER-CAMPAIGN": (N_("The file is for another campaign."), "campaign: roses-1461", N_("Send it to the campaign that it names, or use the order file of this one.")),
    "OTHER-SEAT": (N_("The file is for another seat than the one that it was checked for."), "", N_("Use the view and the order file of the same seat.")),
    "PAST-TURN": (N_("The file is for a turn that has been played."), "turn: 1", N_("Use the order file that came with your last report.")),
    "PROGRAM-ERROR": (N_("The program failed while it read these orders. That is no fault of yours."), "", N_("The game master has been told; if nothing is heard, send the orders in simpler words.")),
    "SALT": (N_("Something is to be said about the salt; the orders are not touched by it."), "", N_("In a campaign with salted dice write some words after `salt:`; in another, leave the line out.")),
    "TAB": (N_("The line is set in with a tab, which YAML does not allow."), "", N_("Use spaces.")),
    "TAG": (N_("A word with an exclamation mark says how to read what follows, which order files may not do."), "take: !!int 3", N_("Take it out; a text that begins with ! goes between quotation marks.")),
    "FOR-MAIL": (N_("The file holds a command of the game master, and such commands are taken by mail only."), "seat: gm", N_("Send it to the address of the campaign; on the machine, give the command itself.")),
    "NO-PRESS": (N_("This campaign carries no letters between players, only to the game master."), "messages: [{to: [gm], text: \"...\"}]", N_("Write to gm, or to the player directly.")),
    "UNKNOWN-TURN": (N_("After `absent: until` a turn is expected that is still to come."), "absent: until 1461-spring", N_("Name it as the reports do, give its number, or a number of turns: absent: 2.")),
    "WITHDRAWN": (N_("The file takes orders back, so letters in it are not sent."), "orders: withdraw", N_("Send the letters in another file, with your orders.")),
    "TOO-LONG": (N_("A text, or the whole file, is longer than may be."), "", N_("Shorten it; long letters can be sent in two.")),
    "TOO-MANY": (N_("The number is larger, or the list longer, than may be."), "", N_("Look at what the message allows.")),
    "TWO-DOCUMENTS": (N_("A second order file begins after a line `---`."), "---", N_("Send one file with one set of orders.")),
    "UNKNOWN-KEY": (N_("There is no order, or no part of one, with this name."), "tkae: 3", N_("Take the name that is suggested, or one of those that are listed.")),
    "UNKNOWN-PLAYER": (N_("In campaign.yaml a seat is held by a player who is not in `players`."), "york: {player: 9}", N_("Add the player, or name another.")),
    "UNKNOWN-RULESET": (N_("The game that campaign.yaml names is not installed."), "", N_("Install its package; `adjudicator rulesets` lists what is there.")),
    "UNKNOWN-SEAT": (N_("No seat has this name."), "to: [Yrok]", N_("Take the name that is suggested, or one of those that are listed.")),
    "WRONG-TOKEN": (N_("The token is not the one of the seat that the file names."), "token: aaaa-bbbb", N_("Copy it from your last report; if it was replaced, ask the game master.")),
}
"""code -> what it means, an example, what to do"""


@dataclass
class Explanation:
    """source: "core", or the id of a game. chapters: those of its rulebook that mention the code: (number and title, a line of it)."""

    code: str
    source: str
    meaning: str = ""
    example: str = ""
    remedy: str = ""
    chapters: list[tuple[str, str]] = field(default_factory=list)


def explain(code: str, rulesets: Iterable[Ruleset]) -> list[Explanation]:
    """What a code means, in the core and in each of the games; nothing for a code that nobody knows."""
    code = code.strip().upper().replace("_", "-").replace(" ", "-")
    found = [Explanation(code, "core", *(_(text) if text else "" for text in CORE[code]))] if code in CORE else []
    for ruleset in rulesets:
        own = (ruleset.problem_codes or {}).get(code, "")
        mentions = [(f"{chapter.number} {chapter.title}".strip(), line) for chapter in chapters(ruleset.rulebook) for line in [_mention(chapter.text, code)] if line]
        if own or mentions:
            found.append(Explanation(code, ruleset.id, _(own) if own else "", chapters=mentions[:5]))
    return found


def _mention(text: str, code: str) -> str:
    """The line of a chapter that mentions the code, as plain words."""
    for line in text.splitlines():
        if re.search(rf"(?<![\w-]){re.escape(code)}(?![\w-])", line):
            return re.sub(r"[`*|]+", " ", line).strip()
    return ""


def codes(rulesets: Iterable[Ruleset]) -> list[tuple[str, str]]:
    """All codes that are explained: (code, source), those of the core first."""
    return [*((code, "core") for code in CORE), *((code, ruleset.id) for ruleset in rulesets for code in sorted(ruleset.problem_codes or {}))]


def like(words: str) -> list[str]:
    """Codes of the core whose name or meaning holds the words."""
    return [code for code, texts in CORE.items() if fold(words) in fold(code) or fold(words) in fold(_(texts[0]))]
