"""Tell the order file that was sent out from one that a player has worked on."""

from ...core.values import Broken, Items, Mapping, Scalar, Value
from ...orderfile.loader import load
from ..campaign import Campaign
from ..checking import kit_now, template_text
from ..reading import orders_view


def is_untouched(campaign: Campaign, seat: str, data: bytes) -> bool:
    """True if these orders are the template as it was sent out, however a mail program has broken its lines; comments do not matter where it can be read."""
    sent = template_of(campaign, seat)
    shapes = campaign.__dict__.setdefault("template_shapes", {})
    if seat not in shapes:
        ours = load(sent)
        shapes[seat] = _shape(ours.value) if ours.value is not None else None
    theirs = load(data)
    if theirs.value is not None and shapes[seat] is not None:
        if _shape(theirs.value) == shapes[seat]:
            return True
    return bool(data.strip()) and _written(data, sent) == _written(sent, sent)


def _written(data: bytes, sent: bytes) -> str:
    """What stands in an order file beside its comments, without spaces. The rest of a comment that a mail program has broken counts as comment:
    together with what stands before it, it is part of one line of the template.
    """
    comments = [_squeezed(line) for line in sent.decode("utf-8", "replace").splitlines() if line.lstrip().startswith("#")]
    kept, before = [], ""
    for line in data.decode("utf-8", "replace").splitlines():
        text = _squeezed(line)
        if line.lstrip().startswith("#"):
            before = text
        elif text and before and any(before + text in comment for comment in comments):
            before += text
        elif text:
            kept.append(text)
            before = ""
    return "".join(kept)


def _squeezed(line: str) -> str:
    return "".join(line.split())


def template_of(campaign: Campaign, seat: str) -> bytes:
    """The order file that the seat starts from now; made once while the campaign is open."""
    known = campaign.__dict__.setdefault("templates", {})
    if seat not in known:
        if seat not in campaign.heard():
            known[seat] = b""
        else:
            view = orders_view(campaign.ruleset, campaign.state, seat)
            known[seat] = template_text(kit_now(campaign, seat), campaign.ruleset, view, campaign.secret.tokens[seat]).encode()
    return known[seat]


def _shape(value: Value):
    """What a value says, without its positions."""
    if isinstance(value, Mapping):
        return {key.text: _shape(each) for key, each in value.entries}
    if isinstance(value, Items):
        return [_shape(each) for each in value.items]
    if isinstance(value, Scalar):
        return value.text
    return repr(value) if isinstance(value, Broken) else None
