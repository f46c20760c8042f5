"""Who holds the seats now: what `adjudicator seat` has changed is kept beside campaign.yaml, which stays the game master's own."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ..core import plain
from ..core.ruleset import NOBODY, STEWARD
from ..core.words import _
from ..store import inbox, pending
from ..store.folder import SEATS, SECRET, Folder
from ..store.trouble import Trouble
from .settings import Player, Seat, Settings, seat_text

if TYPE_CHECKING:
    from .campaign import Campaign


@dataclass
class Reseat:
    """How a seat is held. instead_of: what campaign.yaml said of it then: an edit of that line afterwards goes before this. since: the coming turn then."""

    instead_of: str
    seat: Seat
    since: int


@dataclass
class Reseating:
    """seats.json. players: those that campaign.yaml does not know. overruled: seats whose line in campaign.yaml was edited afterwards."""

    format: int = 1
    players: dict[str, Player] = field(default_factory=dict)
    seats: dict[str, Reseat] = field(default_factory=dict)
    overruled: list[str] = field(default_factory=list)


@dataclass
class Reseated:
    """What a command did to a seat. token: a new one, or "". dropped: submissions that no longer count. warnings: rules that the new seating bends."""

    seat: str
    name: str
    before: str
    now: str
    player: str
    token: str
    dropped: int
    kept: int
    away_until: int
    warnings: list[str]


def read_seats(folder: Folder) -> Reseating:
    """seats.json; empty if there is none."""
    if not folder.seats.is_file():
        return Reseating()
    try:
        read = plain.from_json(folder.seats.read_bytes(), Reseating)
    except plain.PlainError as error:
        raise Trouble(_("{path} is damaged: {error}").format(path=folder.seats, error=error),
                      _("bring it back from a backup; or remove it and write who holds the seats into campaign.yaml")) from error
    if read.format != 1:
        raise Trouble(_("{path} has format {format}; this program reads format 1").format(path=folder.seats, format=read.format),
                      _("open the campaign with the version of adjudicator that made it, or a newer one"))
    return read


def seated(settings: Settings, changed: Reseating, name: str) -> Reseating:
    """Put what was changed into the settings."""
    for id_, player in changed.players.items():
        known = settings.players.get(id_)
        if known is not None and known.name != player.name:
            raise Trouble(_("{name}: the player {id} is {one}, and in campaign.yaml {other}").format(name=name, id=id_, one=player.name, other=known.name),
                          _("give the player in campaign.yaml another id"))
        settings.players.setdefault(id_, player)
    changed.overruled = []
    for seat, held in changed.seats.items():
        if seat not in settings.seats:
            continue
        if seat_text(settings.seats[seat]) != held.instead_of:
            changed.overruled.append(seat)
        elif held.seat.player and held.seat.player not in settings.players:
            raise Trouble(_("{name}: {seat} is held by the player {id}, whom campaign.yaml no longer knows").format(name=name, seat=seat, id=held.seat.player),
                          _("write the player into campaign.yaml again, or give the seat to another: adjudicator seat {seat} --player NAME").format(seat=seat))
        else:
            settings.written_seats.setdefault(seat, settings.seats[seat])
            settings.seats[seat] = held.seat
    return changed


def player_named(settings: Settings, typed: str, email: str = "") -> tuple[str, Player | None]:
    """(id, None) of a player that there is, by id or name; else (a new id, the new player)."""
    for id_, player in settings.players.items():
        if typed in (id_, player.name) and email in ("", player.email):
            return id_, None
    number = 1
    while str(number) in settings.players:
        number += 1
    return str(number), Player(typed, email)


def reseat(campaign: "Campaign", seat: str, change: Callable[[Seat], Seat], *, new_player: tuple[str, Player] | None = None,
           new_token: bool | None = None, drop: bool = False) -> Reseated:
    """Change how a seat is held.

    change:    the seat as it is held -> as it shall be
    new_player: (id, player) that campaign.yaml does not know
    new_token: None: a new one if the seat goes to another player
    drop:      what was sent for the coming turn no longer counts; it is kept in the inbox, in a folder of its own
    """
    from .secret import Secret, new_token as make_token, write_secret

    settings, folder = campaign.settings, campaign.folder
    before = settings.seats[seat]
    now = change(replace(before))
    players = {**settings.players, **dict([new_player] if new_player else [])}
    if now.held_by == NOBODY and before.held_by != NOBODY and campaign.ruleset.retire is None:
        raise Trouble(_("this game has no rule for a seat that falls out of everybody's hands"), _("give it to the steward: --holder steward"))
    holders = {**settings.holders, seat: now.held_by}
    old = campaign.ruleset.seating_problems(campaign.options, settings.holders)
    warnings = [problem for problem in campaign.ruleset.seating_problems(campaign.options, holders) if problem not in old]
    is_other = now.player != before.player
    token = make_token() if (is_other and bool(now.player) if new_token is None else new_token) else ""
    files: dict[str, str] = {}
    if token:
        secret = Secret(campaign.secret.seed, {**campaign.secret.tokens, seat: token})
        files[SECRET] = write_secret(secret).decode()
    sent = inbox.kept_of(folder.inbox(campaign.coming), seat)
    moves = inbox.moves_to_drop(folder.path, folder.inbox(campaign.coming), seat) if drop else []
    record = Reseating(1, {**campaign.reseating.players, **dict([new_player] if new_player else [])},
                       {**campaign.reseating.seats, seat: Reseat(seat_text(settings.written_seats.get(seat, before)), now, campaign.coming)})
    if now != before or new_player:
        files[SEATS] = plain.to_pretty_json(record).decode()
    if not files and not moves:
        raise Trouble(_("this changes nothing: {seat} is held so already").format(seat=campaign.ruleset.seats[seat]))
    pending.commit(folder, pending.Pending(_("the seat {seat}").format(seat=seat), moves, files))
    settings.seats[seat], settings.players = now, players
    return Reseated(seat, campaign.ruleset.seats[seat], held_in_words(before, settings.players, campaign.coming), held_in_words(now, players, campaign.coming),
                    now.player, token, len(sent) if drop else 0, 0 if drop else len(sent), now.away_until, warnings)


@dataclass
class Away:
    """A player who says that he is away, or back: the seat as it is held then, and what has to be written."""

    seat: Seat
    record: Reseating
    files: dict[str, bytes]


def away_until(campaign: "Campaign", seat: str, turn: int) -> Away | None:
    """The steward stands in for the seat's player up to this turn; 0: no longer. None if that is so already, or no player holds the seat."""
    held = campaign.settings.seats[seat]
    if not held.player or held.away_until == turn:
        return None
    now = replace(held, away_until=turn)
    written = seat_text(campaign.settings.written_seats.get(seat, held))
    record = replace(campaign.reseating, seats={**campaign.reseating.seats, seat: Reseat(written, now, campaign.coming)})
    return Away(now, record, {SEATS: plain.to_pretty_json(Reseating(1, record.players, record.seats))})


def held_in_words(held: Seat, players: dict[str, Player], turn: int) -> str:
    """Who holds a seat, and who plays it if nothing comes."""
    if not held.player:
        return _("the steward") if held.holder == STEWARD else _("nobody")
    name = players[held.player].name
    if held.steward:
        return _("{name}, the steward standing in").format(name=name)
    if held.away_until >= turn:
        return _("{name}, away to turn {turn}, the steward standing in").format(name=name, turn=held.away_until)
    return name
