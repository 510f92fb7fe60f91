"""The texts of a release to score: system outputs against people's texts, and each of these against the others."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from django.utils.translation import gettext as _

from corpus.release.records import ReleasedSource
from measures.metrics.options import Ground
from scoring.settings import ScoreSettings

PEOPLE = ""
JACKKNIFED: Ground = "jackknifed"
ALL: Ground = "all"
UNKNOWN: Literal[""] = ""


@dataclass(frozen=True)
class ScoredText:
    """A text to score and its references.

    `source_index` is the index of the source in the release; `system` is empty for a text that people wrote. `weight`
    is how often the text counts in means: once, or once for each of its editors. `ground` says which references it
    has: all, or all but one, either its own or each in turn; it is unknown for scores that were computed elsewhere.
    """

    source_index: int
    source: ReleasedSource
    system: str
    text: str
    references: tuple[str, ...]
    ground: Ground | Literal[""] = UNKNOWN
    weight: int = 1


def written_texts(source: ReleasedSource) -> list[str]:
    """Return what people wrote for a source, a text of several editors once for each of them."""
    return [text.text for text in source.texts for _ in range(max(1, len(text.editors)))]


def scored_texts(sources: Iterable[ReleasedSource], first_index: int, settings: ScoreSettings) -> Iterator[ScoredText]:
    """Yield system outputs with all of people's texts as references, and people's texts with the source's others.

    Where there are two references or more, outputs are yielded twice: to be scored against all, and jackknifed.
    Weighed by editor, a text of two editors is beside itself: each of them is scored by what the other wrote.
    """
    for index, source in enumerate(sources, start=first_index):
        written = tuple(settings.options.references(written_texts(source)))
        grounds = [ALL] * (len(written) > 0) + [JACKKNIFED] * (settings.jackknifed and len(written) > 1)
        for output in source.outputs:
            for ground in grounds:
                yield ScoredText(index, source, output.system, output.text, written, ground)
        if len(written) > 1:
            for text in dict.fromkeys(written):
                number = written.index(text)
                others = written[:number] + written[number + 1 :]
                yield ScoredText(index, source, PEOPLE, text, others, JACKKNIFED, written.count(text))


def system_name(system: str) -> str:
    """Return the name in files, which keeps people apart from a system named "people"."""
    return {PEOPLE: "people", "people": "people (a system)"}.get(system, system)


def system_label(system: str) -> str:
    """Return what pages call a system, or people."""
    return {PEOPLE: _("people"), "people": _("people (a system)")}.get(system, system)
