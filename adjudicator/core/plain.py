"""Turn records into canonical JSON and back, and hash it."""

import hashlib
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


class PlainError(ValueError):
    """The data does not have the shape of the record: the message says where and what."""


def to_json(record: Any) -> bytes:
    """Canonical JSON of a record (dataclasses, lists, mappings, text, whole numbers, yes/no, none): keys sorted, no spaces."""
    return msgspec.json.encode(record, order="sorted")


def to_pretty_json(record: Any) -> bytes:
    """The same JSON laid out for people and for line-by-line version control, with a newline at the end."""
    return msgspec.json.format(to_json(record), indent=1) + b"\n"


def from_json(data: bytes, shape: type[T]) -> T:
    """Read JSON into a record of the type `shape`. PlainError if it is no JSON or has another shape."""
    try:
        return msgspec.json.decode(data, type=shape)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:  # ValidationError is a DecodeError
        raise PlainError(str(error)) from error


def from_plain(data: Any, shape: type[T]) -> T:
    """Turn lists and mappings into a record of the type `shape`. PlainError if they have another shape."""
    try:
        return msgspec.convert(data, type=shape)
    except msgspec.ValidationError as error:
        raise PlainError(str(error)) from error


def to_plain(record: Any) -> Any:
    """Turn a record into lists, mappings, text, whole numbers, yes/no and none."""
    return msgspec.to_builtins(record)


def copy(record: T) -> T:
    """A copy that shares nothing with the record."""
    return msgspec.json.decode(msgspec.json.encode(record), type=type(record))


def digest(data: bytes) -> str:
    """SHA-256 of the bytes, in hexadecimal, so that `sha256sum` gives the same."""
    return hashlib.sha256(data).hexdigest()


def digest_of(record: Any) -> str:
    """SHA-256 of the record's canonical JSON, in hexadecimal."""
    return digest(to_json(record))
