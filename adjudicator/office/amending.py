"""Corrections by the game master: a small language of paths into the state, checked against the game's own records."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from ..core import plain
from ..core.events import GM, PUBLIC, Event
from ..core.names import nearest_word
from ..core.ruleset import Ruleset
from ..core.words import _
from ..store import amendments as corrections
from ..store.amendments import Amendment, Change
from ..store.trouble import Trouble

AMENDED = "amended"
_STEP = re.compile(r'"((?:[^"\\]|\\.)*)"(?:\.|$)|([^."]+)(?:\.|$)')


@dataclass
class Amended:
    """What an amendment did, or would do. number: of the corrections before this turn."""

    turn: int
    turn_title: str
    number: int
    reason: str
    told: list[str]
    changes: list[Change]
    is_dry: bool = False
    views_changed: list[str] = field(default_factory=list)


def steps_of(path: str) -> list[str]:
    """`houses.york.coins` as its steps; a step with a dot in it stands in double quotes."""
    steps, place = [], 0
    while place < len(path):
        match = _STEP.match(path, place)
        if not match:
            break
        steps.append(re.sub(r"\\(.)", r"\1", match[1]) if match[1] is not None else match[2].strip())
        place = match.end()
    if place < len(path) or not steps or path.endswith(".") or not all(steps):
        raise Trouble(_("{path} is no path").format(path=repr(path)),
                      _("write keys and list places (from 0) with dots between them, such as houses.york.coins"))
    return steps


def value_of(text: str) -> Any:
    """What was typed after the equals sign: JSON (5, true, null, [1, 2], {"a": 1}, "5"), or else the words as they are."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text.strip()
    if _has_float(value):
        raise Trouble(_("{value} is no whole number").format(value=text.strip()), _("a state holds whole numbers only"))
    return value


def _has_float(value: Any) -> bool:
    if isinstance(value, dict):
        return any(_has_float(each) for each in value.values())
    return any(_has_float(each) for each in value) if isinstance(value, list) else isinstance(value, float)


def _inside(data: Any, steps: list[str], path: str) -> Any:
    """The part of the data that the steps lead to. Trouble names the first step that leads nowhere."""
    for place, step in enumerate(steps):
        here = ".".join(steps[:place]) or _("the state")
        if isinstance(data, dict):
            if step not in data:
                near = nearest_word(step, data)
                raise Trouble(_("{path}: there is no {step} in {here}").format(path=path, step=repr(step), here=here),
                              (_("did you mean {near}? ").format(near=near) if near else "") + _listed(list(data)))
            data = data[step]
        elif isinstance(data, list):
            data = data[_place(data, step, path, here)]
        else:
            raise Trouble(_("{path}: {here} is {value}: nothing is inside it").format(path=path, here=here, value=json.dumps(data)))
    return data


def _listed(keys: list[str]) -> str:
    more = _(" and {count} more").format(count=len(keys) - 30) if len(keys) > 30 else ""
    return _("there are: {keys}").format(keys=(", ".join(keys[:30]) or _("none")) + more)


def _place(items: list, step: str, path: str, here: str) -> int:
    if not (step.isascii() and step.isdigit() and int(step) < len(items)):
        raise Trouble(_("{path}: {here} is a list of {count}, and {step} is no place in it").format(path=path, here=here, count=len(items), step=repr(step)),
                      _("places count from 0"))
    return int(step)


def change(data: Any, how: str, path: str, value: Any = None) -> Change:
    """Make one change in plain data, in place."""
    steps = steps_of(path)
    if how == "add":
        items = _inside(data, steps, path)
        if not isinstance(items, list):
            raise Trouble(_("{path} is no list").format(path=path), _("to give a mapping a new key, use --set {path}.KEY=VALUE").format(path=path))
        items.append(value)
        return Change(how, path, None, value)
    around, last = _inside(data, steps[:-1], path), steps[-1]
    key: Any = last if isinstance(around, dict) else _place(around, last, path, ".".join(steps[:-1])) if isinstance(around, list) else None
    if key is None:
        raise Trouble(_("{path}: nothing is inside {here}").format(path=path, here=".".join(steps[:-1])))
    is_there = key in around if isinstance(around, dict) else True
    before = around[key] if is_there else None
    if how == "remove":
        if not is_there:
            _inside(data, steps, path)
        del around[key]
        return Change(how, path, before, None)
    around[key] = value
    return Change(how, path, before, value)


def whole(record: Any) -> Any:
    """A record as plain data, with every field that it has; one that was left out when it was stored among them."""
    if is_dataclass(record):
        return {each.name: whole(getattr(record, each.name)) for each in fields(record)}
    if isinstance(record, dict):
        return {key: whole(value) for key, value in record.items()}
    return [whole(each) for each in record] if isinstance(record, (list, tuple)) else record


def _shaped(ruleset: Ruleset, data: Any, changed: Change) -> Any:
    """The data as the game's state. Trouble if its records do not allow the change, or do not know the key."""
    try:
        state = plain.from_plain(data, ruleset.state_type)
    except plain.PlainError as error:
        if changed.how == "remove":
            raise Trouble(_("the state cannot be without {path}").format(path=changed.path), _("give it another value: --set {path}=VALUE").format(path=changed.path)) from None
        raise Trouble(_("{path} = {value} does not fit into the state: {error}").format(path=changed.path, value=json.dumps(changed.after, ensure_ascii=False),
                                                                                     error=error),
                      _("text in double quotes is always text: --set 'name=\"5\"'; mappings and lists are written as JSON")) from None
    if whole(state) != data:
        steps = steps_of(changed.path)
        if len(steps) > 1 or changed.how == "remove":
            siblings = _inside(whole(state), steps[:-1], changed.path)
        else:
            siblings = whole(state)
        keys = list(siblings) if isinstance(siblings, dict) else []
        near = nearest_word(steps[-1], keys)
        raise Trouble(_("{path}: the state has no such field, or cannot be without it").format(path=changed.path),
                      (_("did you mean {near}? ").format(near=near) if near and near != steps[-1] else "") + _listed(keys))
    return state


def make(ruleset: Ruleset, state: Any, wanted: Sequence[tuple[str, str, str]]) -> tuple[Any, list[Change]]:
    """Make the wanted changes, (how, path, text) each, one after the other: (the new state, what was changed)."""
    changes = []
    for how, path, text in wanted:
        data = whole(state)
        value = value_of(text) if how != "remove" else None
        made = change(data, how, path, value)
        try:
            state = _shaped(ruleset, data, made)
        except Trouble:
            if isinstance(value, (int, bool)) and text.strip()[:1] != '"':   # a name that looks like a number
                data = whole(state)
                made = change(data, how, path, text.strip())
                try:
                    state = _shaped(ruleset, data, made)
                except Trouble:
                    pass
                else:
                    changes.append(made)
                    continue
            raise
        changes.append(made)
    return state, changes


def amended(ruleset: Ruleset, state: Any, amendments: Sequence[Amendment]) -> Any:
    """The state with the corrections made again. Trouble if they do not fit it any more."""
    for amendment in amendments:
        for wanted in amendment.changes:
            data = whole(state)
            if change(data, wanted.how, wanted.path, wanted.after).before != wanted.before:
                raise Trouble(_("the correction of {path} was made when something else stood there").format(path=wanted.path),
                              _("the turn or its {file} was changed afterwards: bring them back from a backup").format(file=corrections.AMENDMENTS))
            state = _shaped(ruleset, data, wanted)
    return state


def events_of(amendments: Sequence[Amendment]) -> list[Event]:
    """The corrections as events of the turn that begins with them."""
    return [Event(AMENDED, "", list(amendment.audience), {"reason": amendment.reason, "changes": [plain.to_plain(each) for each in amendment.changes]})
            for amendment in amendments]


def audience_of(ruleset: Ruleset, told: Sequence[str]) -> list[str]:
    """Who learns of a correction: seats in their order and the game master; everybody, if `all` is among them."""
    if "all" in told:
        return [PUBLIC]
    return [*(seat for seat in ruleset.seats if seat in told), GM]


def must_work(ruleset: Ruleset, state: Any) -> None:
    """Trouble if the game cannot show the state to somebody, or ask for orders in it: a name that does not exist, a number out of range."""
    try:
        ruleset.outcome(state)
        ruleset.statistics(state)
        for viewer in [*ruleset.seats, GM, PUBLIC]:
            ruleset.view(state, viewer)
        for seat in ruleset.listens_to(state):
            view = ruleset.view(state, seat)
            ruleset.order_model(view).schema()
            ruleset.steward(view)
    except Exception as error:  # whatever it is, the turn must not meet it
        raise Trouble(_("the rules cannot work with this state ({error})").format(error=f"{type(error).__name__}: {error}"[:200]),
                      _("nothing was changed; look at names and numbers in the correction, or make several changes in one command")) from error


def amend(campaign, wanted: Sequence[tuple[str, str, str]], reason: str, told: Sequence[str] = (), dry: bool = False) -> Amended:
    """Correct the state that the coming turn begins with. A dry one changes nothing on disk."""
    ruleset = campaign.ruleset
    if not wanted:
        raise Trouble(_("nothing is to be changed"), _("give --set PATH=VALUE, --add PATH=VALUE or --remove PATH"))
    if not reason.strip():
        raise Trouble(_("a correction needs a reason"), _("give --reason \"...\"; those who are told of the correction read it"))
    before = amended(ruleset, campaign.after, campaign.amendments)
    state, changes = make(ruleset, before, wanted)
    if all(each.how == "set" and each.before == each.after for each in changes):
        raise Trouble(_("this changes nothing: {path} is {value} already").format(path=changes[0].path, value=json.dumps(changes[0].before, ensure_ascii=False)))
    must_work(ruleset, state)
    if ruleset.outcome(state) is not None and ruleset.outcome(before) is None:
        raise Trouble(_("with this correction the game would be over at once"), _("correct the state so that the coming turn ends it by the rules"))
    audience = audience_of(ruleset, told)
    number = len(campaign.amendments) + 1
    if not dry:
        number = corrections.add(campaign.folder, campaign.coming, Amendment(" ".join(reason.split()), audience, changes))
    changed = [seat for seat in ruleset.listens_to(state) if _view(ruleset, before, seat) != _view(ruleset, state, seat)]
    return Amended(campaign.coming, campaign.title_of(campaign.coming), number, " ".join(reason.split()), audience, changes, dry, changed)


def _view(ruleset: Ruleset, state: Any, seat: str) -> bytes:
    return plain.to_json(ruleset.view(state, seat))
