"""The ratings that a release frozen now would contain: of people's texts, without those of excluded people."""

import numpy as np

from compressions.models import Compression, Pair, SystemOutput
from crowd.models import Campaign, Round
from ratings.selectors.judgements import RatingTable, crowd_comparisons, crowd_ratings
from ratings.selectors.quality import latest_quality_run, people_left_out


def releasable_ratings(campaign: Campaign) -> RatingTable:
    """Return ratings of single texts or of pairs side by side, in the order in which they were given."""
    left_out = people_left_out(campaign, latest_quality_run(campaign))
    raters = frozenset(each.worker.pk for each in left_out if each.round == Round.RATE)
    editors = [each.worker.pk for each in left_out if each.round == Round.EDIT]
    written = Compression.objects.filter(source__campaign=campaign).exclude(worker__in=editors)
    texts = set(written.values_list("target_id", flat=True))
    if not campaign.is_side_by_side:
        return _select_targets(crowd_ratings(campaign, but_of=raters), texts)
    texts |= set(SystemOutput.objects.filter(source__campaign=campaign).values_list("target_id", flat=True))
    pairs = Pair.objects.filter(first__source__campaign=campaign).values_list("pk", "first_id", "second_id")
    kept = {pk for pk, first, second in pairs if first in texts and second in texts}
    return _select_targets(crowd_comparisons(campaign, but_of=raters), kept)


def _select_targets(table: RatingTable, targets: set[int]) -> RatingTable:
    chosen = np.isin(table.target, list(targets))
    return RatingTable(table.rating[chosen], table.target[chosen], table.rater[chosen], table.scores[chosen])
