"""Translation: the texts that people read, in the language of the moment."""

import gettext
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_LOCALE = Path(__file__).parent.parent / "locale"
_current: ContextVar[gettext.NullTranslations] = ContextVar("translations", default=gettext.NullTranslations())


def _(text: str) -> str:
    """The text in the language of the moment."""
    return _current.get().gettext(text)


def ngettext(one: str, many: str, count: int) -> str:
    """The form that fits the number, in the language of the moment."""
    return _current.get().ngettext(one, many, count)


def N_(text: str) -> str:  # noqa: N802 - the name that extraction tools look for
    """Mark a text for translation where it stands in a table; `_` translates it where it is used."""
    return text


def languages() -> list[str]:
    """The languages that have a catalogue, English first."""
    return ["en", *sorted(path.parent.parent.name for path in _LOCALE.glob("*/LC_MESSAGES/adjudicator.mo"))]


@contextmanager
def speaking(language: str | gettext.NullTranslations) -> Iterator[None]:
    """Speak this language inside the block. `language` is one of `languages()`, or a catalogue."""
    catalogue = language
    if isinstance(language, str):
        catalogue = gettext.translation("adjudicator", _LOCALE, languages=[language], fallback=True)
    token = _current.set(catalogue)
    try:
        yield
    finally:
        _current.reset(token)
