"""All formats of a release, in the order in which they are written and described."""

from corpus import formats
from corpus.formats.base import ReleaseFormat
from measures.core.discovery import find_in_modules


def find_formats() -> list[ReleaseFormat]:
    return sorted(find_in_modules(formats, "FORMAT"), key=lambda each: (each.rank, each.name))


FORMATS = find_formats()
