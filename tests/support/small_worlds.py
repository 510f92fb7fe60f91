"""Releases at the edges of what reports can say: tiny, tied, constant, by one rater or by raters who differ."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from django.contrib.auth.models import User

from corpus.models import Release
from corpus.release.records import ReleasedRating, ReleasedSource
from evaluation.tests.releases import import_rows, released_with, score_rows, scored_release, sources_with_systems


def _with_ratings(
    sources: Sequence[ReleasedSource], of: Callable[[tuple[ReleasedRating, ...]], tuple[ReleasedRating, ...]]
) -> list[ReleasedSource]:
    """Return the sources with the ratings of each text and output changed."""
    return [
        replace(
            source,
            texts=[replace(text, ratings=of(text.ratings)) for text in source.texts],
            outputs=[replace(output, ratings=of(output.ratings)) for output in source.outputs],
        )
        for source in sources
    ]


def _all_two(ratings: tuple[ReleasedRating, ...]) -> tuple[ReleasedRating, ...]:
    return tuple(replace(rating, scores=dict.fromkeys(rating.scores, 2)) for rating in ratings)


def _quarrelling() -> list[ReleasedSource]:
    """Sources whose raters give a text a point more or less than they would, or not."""
    rng = np.random.default_rng(2016)

    def of(ratings: tuple[ReleasedRating, ...]) -> tuple[ReleasedRating, ...]:
        return tuple(
            replace(
                rating,
                scores={key: int(np.clip(point + rng.integers(-1, 2), 1, 3)) for key, point in rating.scores.items()},
            )
            for rating in ratings
        )

    return _with_ratings(sources_with_systems(), of)


def _equal_outputs() -> list[ReleasedSource]:
    return [
        replace(source, outputs=[replace(source.outputs[0], system=each.system) for each in source.outputs])
        for source in sources_with_systems()
    ]


WORLDS: dict[str, Callable[[], list[ReleasedSource]]] = {
    "tiny": lambda: sources_with_systems(3),
    "small": lambda: sources_with_systems(12),
    "tied": lambda: _with_ratings(sources_with_systems(), _all_two),
    "one system": lambda: sources_with_systems(systems=["lead"]),
    "two systems": lambda: sources_with_systems(systems=["lead", "tail"]),
    "one rater": lambda: _with_ratings(sources_with_systems(), lambda ratings: ratings[:1]),
    "raters differ": _quarrelling,
    "no outputs": lambda: sources_with_systems(systems=[]),
    "equal outputs": _equal_outputs,
    "24 systems": lambda: sources_with_systems(systems=[f"S{number:02}" for number in range(24)]),
    "plain": sources_with_systems,
}


def release_of(world: str, *, owner: User | None = None) -> Release:
    """A release of a world, with scores that follow meaning well, fairly and hardly, and one that is constant."""
    sources = WORLDS[world]()
    if not any(source.outputs for source in sources):  # there is nothing to score
        return released_with(sources, owner=owner)
    release = scored_release(sources, owner=owner)
    import_rows(release, [{**row, "metric": "constant", "score": 0.5} for row in score_rows(sources, "good", 0)])
    return release
