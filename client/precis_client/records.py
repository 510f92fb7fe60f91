"""Answers of the server as light objects: a field is an attribute, or a key where its name is taken or odd."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar


class Record(Mapping[str, Any]):
    """What the server told of one thing.

    Examples
    --------
    >>> text = Record({"id": 7, "genre": "News"})
    >>> text.genre, text["id"]
    ('News', 7)
    >>> dict(text)
    {'id': 7, 'genre': 'News'}
    """

    __slots__ = ("_told",)
    _nested: ClassVar[Mapping[str, type["Record"]]] = {}

    def __init_subclass__(cls, **nested: type["Record"]) -> None:
        """Take the classes of the objects in fields, by the names of these."""
        super().__init_subclass__()
        cls._nested = {**cls._nested, **nested}

    def __init__(self, told: Mapping[str, Any]) -> None:
        self._told = dict(told)

    def __getitem__(self, name: str) -> Any:
        return self._told[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._told)

    def __len__(self) -> int:
        return len(self._told)

    def __getattr__(self, name: str) -> Any:
        # An object that is being copied or unpickled has nothing yet.
        told = {} if name.startswith("_") else self._told
        if name not in told:
            raise AttributeError(f"no field {name!r}; there are: {', '.join(told)}")
        return wrapped(told[name], self._nested.get(name, Record))

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._told})

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._told!r})"


def wrapped(told: Any, kind: type[Record]) -> Any:
    """Return nested objects as records, too."""
    if isinstance(told, dict):
        return kind(told)
    if isinstance(told, list):
        return [wrapped(each, kind) for each in told]
    return told
