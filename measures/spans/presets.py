"""Presets: which kinds of marks there are, what they weigh, and what is asked of each, as data."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

PRESETS = ("mqm", "esa", "salsa", "salsa-compression")
"""The presets that come along."""

KIND_SIDES = ("source", "output", "either", "both", "whole", "missing")
PREMARKED = ("deletion", "insertion", "substitution", "reorder")
"""The kinds of marks that an alignment makes."""

Question: TypeAlias = Mapping[str, Any]

_CHOICES = {"score": ("none", "0-100"), "snap": ("word", "character"), "premark": ("none", "file", "alignment")}
_NEEDED = ("key", "name", "kinds", "severities", "weights", *_CHOICES)
_KNOWN = (*_NEEDED, "max_spans", "missing")
_KIND_FIELDS = ("key", "name", "side", "severities", "questions", "also", "note_wanted", "composite", "several")
_EFFICACIES = ("good", "trivial", "bad")
_SCALES = ("likert-3", "binary")
_DEEPEST = 8


@dataclass(frozen=True)
class Kind:
    """A kind of mark.

    Attributes
    ----------
    key, name : str
        What is stored, and what people read.
    side : {"source", "output", "either", "both", "whole", "missing"}
        Where its spans are. A mark of the whole text replaces all others; one of what is missing needs no span.
    severities : tuple of str or None
        Those that it can have; None for all of the preset.
    questions : tuple of mapping
        What is asked: `key`, `question`, and `options`: "likert-3", "binary" or a list of options with `key`, `name`,
        and either `efficacy` ("good", "trivial", "bad"), a further `question` with `options`, both, or neither.
    also : tuple of str
        Older names that files have for it.
    note_wanted, composite, several : bool
        Whether it needs a note, is made of other marks, and may have several spans of a side.
    """

    key: str
    name: str
    side: str
    severities: tuple[str, ...] | None = None
    questions: tuple[Question, ...] = ()
    also: tuple[str, ...] = ()
    note_wanted: bool = False
    composite: bool = False
    several: bool = False


@dataclass(frozen=True)
class Preset:
    """The kinds, severities, weights and settings of a task that marks spans.

    Attributes
    ----------
    key, name : str
        What is stored, and what people read.
    kinds : tuple of Kind
        The kinds in order; none where only severities are given.
    severities : tuple of str
        In the order of the page; none where kinds have questions instead.
    weights : mapping of str to float
        Points by "severity", "severity/kind" or "severity/kind/sub"; the longest that begins a mark's wins.
    score : {"none", "0-100"}
        Whether the whole text gets a score.
    snap : {"word", "character"}
        What the ends of marks snap to.
    max_spans : int or None
        Greatest number of marks of a text.
    premark : {"none", "file", "alignment"}
        Where marks come from that are there at the beginning.
    missing : bool
        Whether a mark without a kind may say that something is missing.
    """

    key: str
    name: str
    kinds: tuple[Kind, ...]
    severities: tuple[str, ...]
    weights: Mapping[str, float]
    score: str
    snap: str
    max_spans: int | None
    premark: str
    missing: bool
    data: Mapping[str, Any] = field(repr=False, compare=False)

    @property
    def checksum(self) -> str:
        """SHA-256 of its data, in hexadecimal digits: what each answer keeps."""
        written = json.dumps(self.data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(written.encode()).hexdigest()

    @property
    def gravest_last(self) -> tuple[str, ...]:
        """The severities by what they weigh by themselves, the lightest first."""
        weights = {key.casefold(): value for key, value in self.weights.items()}
        return tuple(sorted(self.severities, key=lambda each: weights.get(each.casefold(), 0)))

    def kind(self, name: str | None) -> Kind | None:
        """Return the kind of that key or older name, case folded, or None."""
        folded = (name or "").casefold()
        return next((each for each in self.kinds if folded in map(str.casefold, (each.key, *each.also))), None)

    def severity(self, name: str | None) -> str | None:
        """Return the severity of that name, case folded, or None."""
        return next((each for each in self.severities if each.casefold() == (name or "").casefold()), None)


@cache
def preset(key: str) -> Preset:
    """Return a preset that comes along.

    Sources: Freitag et al. 2021 and Google's program Anthea (`mqm`), Kocmi et al. 2024 (`esa`), Heineman et al. 2023
    (`salsa`; its questions are asked in other words). `salsa-compression` is this project's: sentences are merged
    there instead of split.

    Parameters
    ----------
    key : {"mqm", "esa", "salsa", "salsa-compression"}
        Its name.

    Returns
    -------
    Preset
        The preset. `preset_from` makes one of a copy of its `data`.

    Raises
    ------
    ValueError
        If there is no such preset.

    Examples
    --------
    >>> preset("mqm").kind("style/awkward").key, preset("esa").gravest_last
    ('Style/Unnatural or awkward', ('minor', 'major'))
    """
    if key not in PRESETS:
        raise ValueError(f"there is no preset {key!r}: {', '.join(PRESETS)}")
    return preset_from(json.loads((files("measures.spans") / "data" / f"{key}.json").read_text("utf-8")))


def preset_from(data: object) -> Preset:
    """Make a preset of its data, such as an edited copy of another's.

    Parameters
    ----------
    data : object
        What JSON has of a preset: the fields of `Preset`, with those of `Kind` and `questions` in `kinds`.

    Returns
    -------
    Preset
        The preset.

    Raises
    ------
    ValueError
        If the data is not that of a preset; it says all that is wrong, a line each.

    Examples
    --------
    >>> copy = {**preset("esa").data, "key": "mine", "severities": ["minor", "major", "critical"]}
    >>> preset_from(copy).checksum == preset("esa").checksum
    False
    >>> preset_from({**copy, "snap": "line"})
    Traceback (most recent call last):
    ...
    ValueError: snap must be word or character
    """
    if not isinstance(data, Mapping):
        raise ValueError("a preset must be an object")
    wrong = list(_faults(data))
    if wrong:
        raise ValueError("\n".join(wrong))
    return Preset(
        key=data["key"],
        name=data["name"],
        kinds=tuple(_kind(each) for each in data["kinds"]),
        severities=tuple(data["severities"]),
        weights=dict(data["weights"]),
        score=data["score"],
        snap=data["snap"],
        max_spans=data.get("max_spans"),
        premark=data["premark"],
        missing=bool(data.get("missing")),
        data=data,
    )


def _kind(data: Mapping[str, Any]) -> Kind:
    lists = {key: tuple(data[key]) for key in ("severities", "questions", "also") if data.get(key) is not None}
    return Kind(**{**data, **lists})


def _faults(data: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"{key} is missing" for key in _NEEDED if key not in data)
    yield from (f"there is no field {str(key)[:50]!r}" for key in data if key not in _KNOWN)
    if any(key not in data for key in _NEEDED):
        return
    yield from (f"{key} must be a text" for key in ("key", "name") if not _is_name(data[key]))
    for key, choices in _CHOICES.items():
        if data[key] not in choices:
            yield f"{key} must be {_one_of(choices)}"
    if not isinstance(data.get("missing", False), bool):
        yield "missing must be true or false"
    most = data.get("max_spans")
    if most is not None and (not isinstance(most, int) or isinstance(most, bool) or most < 1):
        yield "max_spans must be a whole number from 1, or null"
    yield from _faults_of_names(data["severities"], "severities")
    yield from _faults_of_weights(data["weights"])
    yield from _faults_of_kinds(data)


def _faults_of_names(names: object, field_name: str) -> Iterator[str]:
    if not isinstance(names, list) or not all(map(_is_name, names)):
        yield f"{field_name} must be a list of names"
    elif len({each.casefold() for each in names}) < len(names):
        yield f"{field_name} has a name twice"


def _faults_of_weights(weights: object) -> Iterator[str]:
    if not isinstance(weights, Mapping) or not all(map(_is_name, weights)):
        yield "weights must be an object of points by severity or severity/kind"
        return
    for key, value in weights.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1000:
            yield f"weight of {key}: points must be a number from 0 to 1000"
    if len({key.casefold() for key in weights}) < len(weights):
        yield "weights has a name twice"


def _faults_of_kinds(data: Mapping[str, Any]) -> Iterator[str]:
    kinds = data["kinds"]
    if not isinstance(kinds, list) or not all(
        isinstance(each, Mapping) and _is_name(each.get("key")) for each in kinds
    ):
        yield "kinds must be a list of objects with a key"
        return
    for each in kinds:
        yield from (f"kind {each['key']}: {fault}" for fault in _faults_of_kind(each, data["severities"]))
    names = [name.casefold() for each in kinds for name in (each["key"], *_listed(each.get("also"))) if _is_name(name)]
    if len(set(names)) < len(names):
        yield "kinds has a name twice"
    if data["premark"] == "alignment":
        yield from (f"premark needs the kind {each}" for each in PREMARKED if each not in names)


def _faults_of_kind(kind: Mapping[str, Any], severities: object) -> Iterator[str]:
    yield from (f"there is no field {str(key)[:50]!r}" for key in kind if key not in _KIND_FIELDS)
    if not _is_name(kind.get("name")):
        yield "name must be a text"
    if kind.get("side") not in KIND_SIDES:
        yield f"side must be {_one_of(KIND_SIDES)}"
    for key in ("note_wanted", "composite", "several"):
        if not isinstance(kind.get(key, False), bool):
            yield f"{key} must be true or false"
    yield from _faults_of_names(kind.get("also", []), "also")
    own = kind.get("severities")
    if own is not None and (not isinstance(own, list) or any(each not in _listed(severities) for each in own)):
        yield "severities must be a list of some of the preset's"
    yield from _faults_of_questions(kind.get("questions", []))


def _faults_of_questions(questions: object) -> Iterator[str]:
    if not isinstance(questions, list) or not all(isinstance(each, Mapping) for each in questions):
        yield "questions must be a list of objects"
        return
    for each in questions:
        if not _is_name(each.get("key")) or not _is_name(each.get("question")):
            yield "each question must have a key and a question"
        else:
            yield from (f"question {each['key']}: {fault}" for fault in _faults_of_options(each.get("options"), 1))


def _faults_of_options(options: object, depth: int) -> Iterator[str]:
    if options in _SCALES:
        return
    if depth > _DEEPEST:
        yield f"options must be at most {_DEEPEST} deep"
        return
    if not isinstance(options, list) or not options or not all(isinstance(each, Mapping) for each in options):
        yield "options must be likert-3, binary or a list of objects"
        return
    for each in options:
        if not _is_name(each.get("key")) or not _is_name(each.get("name")):
            yield "each option must have a key and a name"
        elif each.get("efficacy") not in (None, *_EFFICACIES):
            yield f"option {each['key']}: efficacy must be {_one_of(_EFFICACIES)}"
        elif "options" in each:
            yield from (f"option {each['key']}: {fault}" for fault in _faults_of_options(each["options"], depth + 1))


def _listed(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def _is_name(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 200


def _one_of(choices: Sequence[str]) -> str:
    return f"{', '.join(choices[:-1])} or {choices[-1]}"
