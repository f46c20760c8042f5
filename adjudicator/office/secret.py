"""secret.yaml: the seed and the seats' tokens. It never leaves the machine."""

import hmac
import secrets
from dataclasses import dataclass

from ..core.events import GM
from ..core.names import fold
from ..core.orders import FAILED, Field, Fields, MapOf, Reading
from ..core.words import _
from ..orderfile.loader import load
from ..store.folder import SECRET
from ..store.trouble import Trouble
from .settings import Text

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
"""Letters and digits that are not taken for each other."""


@dataclass
class Secret:
    seed: str
    tokens: dict[str, str]


def new_secret(seats: list[str], seed: str = "") -> Secret:
    """A new seed of 256 bits, unless one is given, a token for each seat, and one for the game master."""
    return Secret(seed or secrets.token_hex(32), {seat: new_token() for seat in [*seats, GM]})


def new_token() -> str:
    """Eight letters and digits, such as 4kx7-m2qd."""
    letters = "".join(secrets.choice(ALPHABET) for _place in range(8))
    return f"{letters[:4]}-{letters[4:]}"


def is_token(typed: str, token: str) -> bool:
    """True if the player typed the token; case, spaces and the hyphen do not matter. Takes the same time whatever is wrong."""
    return hmac.compare_digest(fold(typed).encode(), fold(token).encode())


def write_secret(secret: Secret) -> bytes:
    lines = ["# The seed of all dice, and the seats' tokens. Keep this file to yourself; without it the campaign cannot go on.",
             f'seed: "{secret.seed}"', "tokens:", *(f'  {seat}: "{token}"' for seat, token in secret.tokens.items())]
    return ("\n".join(lines) + "\n").encode()


def read_secret(data: bytes, seats: list[str]) -> Secret:
    """Read secret.yaml. Trouble holds what is wrong with it; what stands in the file is not repeated."""
    loaded = load(data)
    reading = Reading()
    text = Text(_("a text"))
    model = Fields(SECRET, {"seed": Field(text), "tokens": Field(MapOf(text, text))}, required=("seed", "tokens"))
    read = model.read(loaded.value, reading) if loaded.value is not None else FAILED
    advice = _("bring it back from a backup: without the seed the campaign's dice cannot be thrown")
    if read is FAILED:
        lines = ", ".join(str(problem.line) for problem in [*loaded.problems, *reading.problems])
        raise Trouble(_("{name} cannot be read (see line {lines})").format(name=SECRET, lines=lines), advice)
    missing = [seat for seat in seats if seat not in read["tokens"]]
    if missing:
        raise Trouble(_("{name} has no token for: {seats}").format(name=SECRET, seats=", ".join(missing)), advice)
    return Secret(read["seed"], read["tokens"])
