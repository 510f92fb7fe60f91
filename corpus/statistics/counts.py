"""The summary figures of a release, counted while it is written."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from corpus.models import Release
from corpus.release.options import splits_in_order
from corpus.release.records import LeftOut, ReleasedOutput, ReleasedSource, ReleasedText
from corpus.statistics.means import OVER_COMPRESSIONS, OVER_RATINGS
from corpus.statistics.overview import UNRATED, WHOLE, Overview
from crowd.scales import Scale

HEADLINES = ("sources", "compressions", "compressions_per_source", OVER_COMPRESSIONS, OVER_RATINGS)

OUTPUTS_ONLY = "outputs_only"
"""What a summary says of sources that no person's text is left for: how many, and their outputs and ratings."""

OVER_LENGTH = "over_length"
"""What a summary says of outputs that are longer than editors could write: how many each system has."""


class Summary:
    """Figures of the crowd's ratings of people's texts; experts and systems are counted separately."""

    def __init__(self, scales: Sequence[Scale]) -> None:
        self._overview = Overview(scales)
        self._systems: Counter[str] = Counter()
        self._rated_outputs: Counter[str] = Counter()
        self._splits: Counter[str] = Counter()
        self._comparisons = self._comparison_ratings = self._expert_ratings = self._edit_logs = 0
        self._corrected_alignments = self._with_nuggets = 0
        self._over_length: Counter[str] = Counter()
        self._outputs_only: Counter[str] = Counter()

    def add(self, source: ReleasedSource, edit_logs: int = 0) -> None:
        """Count a source, and how many of its compressions have an edit log."""
        self._overview.add(source)
        self._edit_logs += edit_logs
        self._splits[source.split] += 1
        self._systems.update(output.system for output in source.outputs)
        self._rated_outputs.update(output.system for output in source.outputs if output.ratings)
        self._over_length.update(output.system for output in source.outputs if output.is_over_length)
        self._with_nuggets += bool(source.nuggets)
        self._comparisons += len(source.comparisons)
        self._comparison_ratings += sum(len(pair.ratings) for pair in source.comparisons)
        self._expert_ratings += sum(len(each.expert_ratings) for each in source.subjects)
        subjects: list[ReleasedText | ReleasedOutput] = [*source.texts, *source.outputs]
        aligned = {each.text for each in subjects if each.alignment}
        self._corrected_alignments += len(aligned)
        if not source.texts:
            self._outputs_only.update(_counts_of_outputs(source))

    def as_json(self, left_out: LeftOut) -> dict[str, Any]:
        overview = self._overview.as_json()
        whole = overview[WHOLE]
        everything = whole["kinds"][0]
        return {
            **{name: everything[name] for name in (*HEADLINES, UNRATED) if name in everything},
            "ratings": everything["ratings"] + self._comparison_ratings,
            "comparisons": self._comparisons,
            "expert_ratings": self._expert_ratings,
            "edit_logs": self._edit_logs,
            "systems": dict(sorted(self._systems.items())),
            "rated_outputs": dict(sorted(self._rated_outputs.items())),
            "splits": {name: self._splits[name] for name in splits_in_order(self._splits)},
            "genres": {row["genre"]: row["all"] for row in whole["genres"]},
            # Left out where there are none, so that releases from before there were any stay as they are.
            **({"corrected_alignments": self._corrected_alignments} if self._corrected_alignments else {}),
            **({"with_nuggets": self._with_nuggets} if self._with_nuggets else {}),
            **({OVER_LENGTH: dict(sorted(self._over_length.items()))} if self._over_length else {}),
            **({OUTPUTS_ONLY: dict(sorted(self._outputs_only.items()))} if self._outputs_only else {}),
            "left_out": asdict(left_out),
            "overview": overview,
        }


def _counts_of_outputs(source: ReleasedSource) -> dict[str, int]:
    """Count the outputs of a source, and the crowd's ratings of its distinct texts."""
    ratings = {output.text: len(output.ratings) for output in source.outputs}
    return {"sources": 1, "outputs": len(source.outputs), "ratings": sum(ratings.values())}


def left_out_reasons(release: Release, summary: dict[str, Any]) -> list[tuple[int, str]]:
    """Return the nonzero counts of what a release leaves out, with their reasons."""
    numbers = summary["left_out"]
    ratings, texts = release.options.get("min_ratings", 1), release.options.get("min_compressions", 1)
    reasons = {
        "removed_editors": "editors left out by the quality rule or by hand",
        "texts_of_removed_editors": "compressions that only they wrote",
        "removed_raters": "raters left out by the quality rule or by hand",
        "ratings_of_removed_raters": "ratings that they gave",
        "texts_without_rating": "compressions without a rating that counts",
        "texts_with_too_few_ratings": f"compressions with fewer than {ratings} ratings",
        "comparisons_with_too_few_ratings": f"comparisons with fewer than {ratings} ratings",
        "sources_without_text": "sources without a compression that stays",
        "sources_with_outputs_only": _outputs_only(texts),
        "sources_with_too_few_compressions": f"sources with fewer than {texts} compressions",
        "outputs_of_left_out_sources": "outputs of systems for these sources",
    }
    return [(numbers[name], reason) for name, reason in reasons.items() if numbers.get(name)]


def _outputs_only(least: int) -> str:
    if least == 0:
        return "sources without a compression that stays, whose outputs of systems have too few ratings"
    return "sources without a compression that stays, though systems have outputs for them"
