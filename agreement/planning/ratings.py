"""The ratings that a release frozen now would contain: of people's texts, without those of excluded people."""

from dataclasses import dataclass

import numpy as np

from compressions.models import Compression, Pair, SystemOutput, Target
from compressions.selectors.retired import first_versions, left_out_sources
from crowd.models import Campaign, Round
from measures.core.arrays import IntArray
from ratings.selectors.judgements import RatingTable, crowd_comparisons, crowd_ratings
from ratings.selectors.quality import latest_quality_run, people_left_out


@dataclass(frozen=True)
class PlanningRatings:
    """Ratings of single texts or of pairs side by side, in the order in which they were given.

    `texts` are the distinct targets or pairs of the table, and `families` the paragraph or source that each belongs to.
    """

    table: RatingTable
    texts: IntArray
    families: list[int]


def releasable_ratings(campaign: Campaign) -> PlanningRatings:
    """Return the ratings, each text with its source: a paragraph and its own sentences count as one."""
    left_out = people_left_out(campaign, latest_quality_run(campaign))
    raters = frozenset(each.worker.pk for each in left_out if each.round == Round.RATE)
    editors = [each.worker.pk for each in left_out if each.round == Round.EDIT]
    gone = left_out_sources(campaign)
    written = Compression.objects.filter(source__campaign=campaign).exclude(worker__in=editors)
    written = written.exclude(source__in=gone)
    texts = set(written.values_list("target_id", flat=True))
    family_of = _families(campaign)
    if campaign.task.judges_single_texts:
        return _of_targets(crowd_ratings(campaign, but_of=raters), {text: family_of[text] for text in texts})
    texts |= set(
        SystemOutput.objects.filter(source__campaign=campaign)
        .exclude(source__in=gone)
        .values_list("target_id", flat=True)
    )
    pairs = Pair.objects.filter(first__source__campaign=campaign).values_list("pk", "first_id", "second_id")
    kept = {pk: family_of[first] for pk, first, second in pairs if first in texts and second in texts}
    return _of_targets(crowd_comparisons(campaign, but_of=raters), kept)


def _families(campaign: Campaign) -> dict[int, int]:
    """Return the paragraph, or else the source, that each text belongs to; a correction goes back to the first."""
    firsts = {pk: each.paragraph_id or each.pk for pk, each in first_versions(campaign).items()}
    rows = Target.objects.filter(source__campaign=campaign).values_list("pk", "source_id", "source__paragraph_id")
    return {text: firsts.get(source, paragraph or source) for text, source, paragraph in rows}


def _of_targets(table: RatingTable, family_of: dict[int, int]) -> PlanningRatings:
    chosen = np.isin(table.target, list(family_of))
    kept = RatingTable(table.rating[chosen], table.target[chosen], table.rater[chosen], table.scores[chosen])
    texts = np.unique(kept.target)
    return PlanningRatings(kept, texts, [family_of[int(text)] for text in texts])
