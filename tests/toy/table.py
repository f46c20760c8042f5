"""A campaign of the toy game for tests: begin one, write order files, run, look at the folder."""

import hashlib
from pathlib import Path

from adjudicator.core.report import Report
from adjudicator.office import running
from adjudicator.office.campaign import opened
from adjudicator.office.creating import Created, Plan, create
from adjudicator.office.settings import Player
from adjudicator.office.submitting import Receipt, submit

SEED = "5eed" * 16
PLAYERS = {"1": Player("Anna", "anna@example.org"), "2": Player("Bo", "bo@example.org"), "3": Player("Cy")}


def begin(path: Path, players: int = 3, **plan) -> Created:
    """A campaign `stones-1` in the folder, with so many players; 0: stewards play."""
    given = {"players": dict(list(PLAYERS.items())[:players]), "stewards": not players, "seed": SEED, **plan}
    reports = given.pop("reports", False)
    return create(Plan("stones", "stones-1", **given), path, reports=reports)


def token(path: Path, seat: str) -> str:
    with opened(path, "test", playable=False) as campaign:
        return campaign.secret.tokens[seat]


def order_file(path: Path, seat: str, orders: str = "take: 2", turn: int | None = None, messages: str = "", **envelope: str) -> bytes:
    """An order file for the coming turn; `orders` is what stands under `orders:`, one order a line."""
    with opened(path, "test", playable=False) as campaign:
        turn = campaign.coming if turn is None else turn
        lines = {"campaign": "stones-1", "turn": str(turn), "seat": seat, "token": campaign.secret.tokens.get(seat, ""), **envelope}
    body = "".join(f"  {line}\n" for line in orders.splitlines())
    return ("".join(f"{key}: {value}\n" for key, value in lines.items()) + f"orders:\n{body}" + (f"messages:\n{messages}\n" if messages else "")).encode()


def send(path: Path, data: bytes, name: str = "orders.yaml") -> Receipt:
    with opened(path, "test", playable=False) as campaign:
        return submit(campaign, data, name, "2026-01-01 12:00 UTC")


def play(path: Path, turns: int = 1, reports: bool = False, **how) -> list[running.Ran]:
    """Run so many turns, going on whoever is silent."""
    ran = []
    for _turn in range(turns):
        with opened(path, "test") as campaign:
            ran.append(running.run(campaign, **{"yes": True, "reports": reports, **how}))
    return ran


def snapshot(path: Path) -> dict[str, str]:
    """file -> hash, of everything in the folder but the lock."""
    return {file.relative_to(path).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
            for file in sorted(path.rglob("*")) if file.is_file() and not file.name.startswith(".lock")}


def text_of(report: Report) -> str:
    """All that a report model says, in one text."""
    return repr(report)
