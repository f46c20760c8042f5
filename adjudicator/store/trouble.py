"""Trouble: what a command says when the campaign or the orders have a problem."""

from ..core.orders import Problem


class Trouble(Exception):
    """Something that the game master or the player has to mend; never a programming error.

    message: what failed, on which file; stands alone
    advice:  the way out, one sentence or none
    problems, text, name: located problems of a hand-written file, its text and its name
    """

    def __init__(self, message: str, advice: str = "", problems: list[Problem] | None = None, text: str = "", name: str = "") -> None:
        super().__init__(message)
        self.message, self.advice = message, advice
        self.problems, self.text, self.name = problems or [], text, name
