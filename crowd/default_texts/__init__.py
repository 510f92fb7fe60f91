"""Default texts and scales of a new campaign in the languages of its pages, for staff to edit.

English stands in this folder, every other language in a folder of its own, named as in `settings.LANGUAGES`.
"""

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings

from crowd.scale_texts import scales_from_text
from crowd.scales import DEFAULT_SCALES, PLAIN_WORDS, Scale, scales_dump

FOLDER = Path(__file__).parent
NAMES = ("consent", "editor_guidelines", "sentence_examples", "paragraph_examples", "rater_guidelines")


def default_texts(language: str = "en") -> dict[str, str]:
    """Return the texts of a language; the English ones for a language without its own."""
    folder = FOLDER / language
    folder = folder if folder.is_dir() else FOLDER
    return {name: (folder / f"{name}.md").read_text(encoding="utf-8") for name in NAMES}


def translated_scales(language: str) -> tuple[Scale, ...]:
    """Return the default scales in the words of a language, under the same keys: exports and releases rely on them."""
    path = FOLDER / language / "scales.txt"
    if not path.exists():
        return DEFAULT_SCALES
    words = scales_from_text(path.read_text(encoding="utf-8"))
    return tuple(replace(each, key=scale.key) for each, scale in zip(words, DEFAULT_SCALES, strict=True))


def plain_words(scale: Scale, point: int) -> str:
    """Say plainly what a point of a default scale means; nothing of a scale in words of a campaign's own."""
    return str(PLAIN_WORDS[scale.key, point]) if _is_default(scale) else ""


@lru_cache(maxsize=1024)
def _is_default(scale: Scale) -> bool:
    """Whether a scale has the points of a default one, in any of the languages; one of an arm has only its own words.

    What the people of one arm would read more than those of another would be compared along with the scales.
    """
    if scale.arm:
        return False
    defaults = [each for language, _name in settings.LANGUAGES for each in translated_scales(language)]
    return any(scale.key == each.key and scale.points == each.points for each in defaults)


def default_settings(language: str) -> dict[str, Any]:
    """Return the settings of a new campaign that depend on the language of its pages."""
    return {**default_texts(language), "scales": scales_dump(translated_scales(language))}
