"""Releases whose raters are planted: one latent judging of every text, cut into the points of each arm's scale."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from django.contrib.auth.models import User

from corpus.models import Release
from corpus.release.records import ReleasedRating, ReleasedSource, ReleasedText
from crowd.scales import Scale, scale_of, scales_dump
from measures.core.arrays import FloatArray
from tests.support.reports import released

THREE = scale_of("meaning", "Meaning (three)", "How much?", ("1", "2", "3"), "three")
FIVE = scale_of("meaning_5", "Meaning (five)", "How much?", ("1", "2", "3", "4", "5"), "five")
CUTS = {3: (-1.0, 0.5), 5: (-1.4, -0.7, 0.0, 0.9)}


def planted_sources(
    seed: int,
    *,
    sources: int = 30,
    texts: int = 2,
    people: int = 12,
    raters: int = 5,
    rho: tuple[float, float] = (0.5, 0.5),
    scales: Sequence[Scale] = (THREE, FIVE),
) -> list[ReleasedSource]:
    """Return sources with texts by so many editors, each rated by so many people of each arm.

    The latent judgements of two people of an arm about a text correlate as its part of `rho` says.
    """
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(sources, texts))
    ratings: dict[tuple[int, int], list[ReleasedRating]] = {}
    for scale, correlation in zip(scales, rho, strict=True):
        for place, latent in np.ndenumerate(quality):
            judged = np.sqrt(correlation) * latent + np.sqrt(1 - correlation) * rng.normal(size=raters)
            who = rng.choice(people, size=raters, replace=False)
            ratings.setdefault((place[0], place[1]), []).extend(
                ReleasedRating(f"{scale.arm}{person}", {scale.key: point}, arm=scale.arm)
                for person, point in zip(who.tolist(), points_of(judged, len(scale.points)), strict=True)
            )
    return [
        ReleasedSource(
            f"s{source}",
            "News",
            f"The source {source}.",
            1,
            "",
            f"s{source}",
            "train",
            [
                ReleasedText(f"Text {text} of {source}.", (f"e{text}",), tuple(ratings[source, text]))
                for text in range(texts)
            ],
        )
        for source in range(sources)
    ]


def points_of(latent: FloatArray, points: int) -> list[int]:
    found: list[int] = (1 + np.searchsorted(CUTS[points], latent)).tolist()
    return found


def planted_release(seed: int = 1, *, owner: User | None = None, **planted: Any) -> Release:
    """A release of planted ratings, whose campaign drew nobody."""
    release = released(planted_sources(seed, **planted), owner=owner)
    release.scales = scales_dump([THREE, FIVE])
    release.save(update_fields=["scales"])
    return release
