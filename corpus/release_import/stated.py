"""What the manifest of a release says about how it was collected.

It is kept to be shown as such. Whoever made the file decides what is in it, so only known keys are kept, of the
expected types and of bounded size, and nothing is computed from them but what a card shows.
"""

import json
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from common.errors import Refused
from corpus.release.provenance import Origin, Work

MAX_LENGTH = 1_000_000
MAX_NAME = 100


class Absent:
    """The mark of a key that may be missing."""

    def __init__(self, shape: Any) -> None:
        self.shape = shape


SETTINGS = {
    "keep_percent": int,
    "consent": str,
    "editor_guidelines": str,
    "sentence_examples": str,
    "paragraph_examples": str,
    "rater_guidelines": str,
}
_BY_ORIGIN = {origin.value: int for origin in Origin}
# Releases from before numbers were filled in have no texts there: what was read is what their settings say.
_TEXT = Absent((str, None))
_READING = [{"versions": [int], "text": _TEXT, "is_read": bool, "people": int, "work": int}]
COLLECTION = {
    "work": [{"origin": str, "settings": (int, None), **{work.value: int for work in Work}}],
    "people": {"editors": _BY_ORIGIN, "raters": _BY_ORIGIN, "experts": _BY_ORIGIN},
    "guidelines": {"editors": _READING, "raters": _READING, "experts": _READING},
    "consent": [{"versions": [int], "text": _TEXT, "is_read": bool, "people": int}],
    "test": {"raters": int, "passed": int},
    "versions": [{"number": int, "created_at": str, "settings": SETTINGS}],
    "editors_per_source": [[int]],
    "ratings_per_text": [[int]],
    "ratings_per_comparison": [[int]],
    "longest_percent": (float, int, None),
    "given_splits": int,
}
QUALITY = {"rule": str, "parameters": {"share": (float, int), "min_items": int}}
STATEMENT = {
    "name": str,
    "task": Absent(str),
    "language": Absent((str, None)),
    "licence": Absent((str, None)),
    "quality": Absent((QUALITY, None)),
    "not_assessed": Absent({role: Absent(([int], None)) for role in ("editors", "raters")}),
    "collection": Absent(COLLECTION),
}


def stated_by(manifest: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the statement of a manifest, then those that it repeats of the releases it was itself imported from.

    Raise Refused if they are not of the form that this app writes.
    """
    own = {name: manifest[name] for name in STATEMENT if name in manifest}
    own["name"] = manifest.get("release", "")
    summary = manifest.get("summary")
    if isinstance(summary, dict) and "not_assessed" in summary:
        own["not_assessed"] = summary["not_assessed"]
    repeated = manifest.get("stated", [])
    try:
        if len(json.dumps([own, repeated])) > MAX_LENGTH:
            raise ValueError(f"longer than {MAX_LENGTH:,} characters")
        found: list[dict[str, Any]] = [kept(own, STATEMENT, ""), *kept(repeated, [STATEMENT], "stated")]
        for statement in found:
            _check_versions(statement.get("collection"))
            _check_not_assessed(statement.get("not_assessed", {}))
            _shorten(statement)
    except (ValueError, TypeError) as error:
        words = _("what it says about its collection is not kept (%(error)s)")
        raise Refused(words % {"error": error}) from error
    return found


def kept(value: Any, shape: Any, where: str) -> Any:
    """Return the part of a value that has a shape; raise ValueError, which says where, if it does not fit."""
    match shape:
        case dict():
            return _kept_keys(value, shape, where)
        case [each]:
            if isinstance(value, list):
                return [kept(item, each, f"{where}[]") for item in value]
        case tuple():
            return _kept_one_of(value, shape, where)
        case None:
            if value is None:
                return None
        case _ if type(value) is shape:
            return _storable(value, where)
    raise ValueError(f"{where.lstrip('.') or 'it'} is {type(value).__name__}")


def _kept_keys(value: Any, shape: Mapping[str, Any], where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{where.lstrip('.') or 'it'} is {type(value).__name__}")
    found = {}
    for name, inner in shape.items():
        if isinstance(inner, Absent):
            if name in value:
                found[name] = kept(value[name], inner.shape, f"{where}.{name}")
        elif name not in value:
            raise ValueError(f"{where}.{name} is missing".lstrip("."))
        else:
            found[name] = kept(value[name], inner, f"{where}.{name}")
    return found


def _kept_one_of(value: Any, shapes: tuple[Any, ...], where: str) -> Any:
    for shape in shapes:
        kind = type(shape) if isinstance(shape, dict | list) else type(None) if shape is None else shape
        if type(value) is kind:
            return kept(value, shape, where)
    raise ValueError(f"{where.lstrip('.')} is {type(value).__name__}")


def _storable(value: Any, where: str) -> Any:
    """Refuse what a database or a page cannot hold: NUL, halves of characters, huge and negative numbers, infinity."""
    if isinstance(value, str) and ("\x00" in value or not _is_unicode(value)):
        raise ValueError(f"{where.lstrip('.')} has a character that cannot be stored")
    if isinstance(value, int | float) and not 0 <= value < 2**53:
        raise ValueError(f"{where.lstrip('.')} is out of range")
    return value


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _check_versions(collection: Mapping[str, Any] | None) -> None:
    """Refuse a reference to a version that is not told, and an origin that there is not."""
    if collection is None:
        return
    told = {version["number"] for version in collection["versions"]}
    readings = [row for rows in collection["guidelines"].values() for row in rows]
    named = {number for row in (*readings, *collection["consent"]) for number in row["versions"]}
    named |= {row["settings"] for row in collection["work"]} - {None}
    if named - told:
        raise ValueError(f"version {min(named - told)} is not told")
    if unknown := {row["origin"] for row in collection["work"]} - {origin.value for origin in Origin}:
        raise ValueError(f"{min(unknown)[:20]!r} is no origin")
    pairs = ("editors_per_source", "ratings_per_text", "ratings_per_comparison")
    if any(len(pair) != 2 for name in pairs for pair in collection[name]):
        raise ValueError("a count is not a pair")


def _check_not_assessed(counts: Mapping[str, list[int] | None]) -> None:
    """Refuse more people who were never assessed than there are."""
    if any(count is not None and (len(count) != 2 or count[0] > count[1]) for count in counts.values()):
        raise ValueError("not_assessed is not some people of all")


def _shorten(statement: dict[str, Any]) -> None:
    """Make short what stands inside a line of a card."""
    statement["name"] = stated_name(statement["name"], "")
    for name in ("language", "licence"):
        if name in statement:
            statement[name] = stated_name(statement[name], "")
    if quality := statement.get("quality"):
        quality["rule"] = stated_name(quality["rule"].replace("`", ""), "without a name")
    for version in statement.get("collection", {}).get("versions", ()):
        version["created_at"] = stated_name(version["created_at"], "")


def stated_name(text: object, other: str) -> str:
    """Return a name that fits into a line, or another one."""
    name = "".join(letter for letter in str(text) if letter.isprintable()) if isinstance(text, str) else ""
    return (name.strip() or other)[:MAX_NAME]
