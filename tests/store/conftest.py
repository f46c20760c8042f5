"""The toy game is installed for the tests here, as somebody else's package would be, and for no others."""

import sys
from pathlib import Path

import pytest

TOY = Path(__file__).parent.parent / "toy"
if str(TOY) not in sys.path:
    sys.path.insert(0, str(TOY))


@pytest.fixture(scope="module", autouse=True)
def toy_is_installed():
    """With this folder on the path, the entry point of the game is found."""
    sys.path.insert(0, str(TOY / "installed"))
    yield
    sys.path.remove(str(TOY / "installed"))
