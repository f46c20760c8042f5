"""The toy game is installed for the tests here, as somebody else's package would be."""

import sys
from pathlib import Path

TOY = Path(__file__).parent.parent / "toy"
if str(TOY) not in sys.path:
    sys.path.insert(0, str(TOY))
