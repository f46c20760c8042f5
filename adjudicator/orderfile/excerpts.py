"""A problem as a person reads it: where, what, what may stand there, and the line itself."""

from ..core.orders import REFUSED, Problem
from ..core.words import _


def tell(problem: Problem, text: str, name: str) -> str:
    """Several lines: position and message, the line of the file with a mark under it, what is allowed, and advice.

    text: the file as loaded (`Loaded.text`); name: what the player calls the file.
    """
    kind = "" if problem.kind == REFUSED else _("warning: ")
    if not problem.line:
        head = f"{name}: {kind}{problem.message}"
        excerpt = []
    else:
        head = f"{name}:{problem.line}:{problem.column}: {kind}{problem.message}"
        excerpt = _excerpt(problem, text)
    rule = _(" (rule {rule})").format(rule=problem.rule) if problem.rule else ""
    tail = [f"  {_('allowed')}: {problem.allowed}{rule}"] if problem.allowed else [f"  {_('see rule {rule}').format(rule=problem.rule)}"] if rule else []
    if problem.suggestion:
        looks_like_name = len(problem.suggestion.split()) <= 3
        tail.append(f"  {_('did you mean')}: {problem.suggestion}" if looks_like_name else f"  {_('advice')}: {problem.suggestion}")
    return "\n".join([head, *excerpt, *tail])


def _excerpt(problem: Problem, text: str) -> list[str]:
    lines = text.split("\n")
    if problem.line > len(lines):
        return []
    line = lines[problem.line - 1].expandtabs(1)
    start, width = 0, 100
    if problem.column > width - 20:  # a long line: show the part around the place
        start = problem.column - 40
    shown = "".join(letter if letter.isprintable() else "\u00b7" for letter in line[start:start + width])
    marks = max(1, min(problem.length, len(shown) - (problem.column - 1 - start)))
    gutter = f"{problem.line:>4} | "
    return [f"{gutter}{shown}", f"{' ' * (len(gutter) - 2)}| {' ' * (problem.column - 1 - start)}{'^' * marks}"]
