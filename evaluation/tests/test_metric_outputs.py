"""Where a metric and people disagree, whatever the scale of the scores."""

from collections.abc import Sequence

import numpy as np
import pytest

from evaluation.metric_outputs import MAX_DRAWN, disagreements, rated_outputs, sampled, typical_output
from evaluation.tests.releases import judged, scored_release

pytestmark = pytest.mark.django_db


def names(outputs: Sequence[object]) -> list[object]:
    return [(output.source.source_id, output.system) for output in outputs]  # type: ignore[attr-defined]


def test_the_furthest_ranks_come_first_and_scaling_a_metric_changes_nothing() -> None:
    found = judged(scored_release())
    outputs = rated_outputs(found, "meaning")
    listed = disagreements(outputs)
    assert [each.ahead for each in listed.above] == sorted((each.ahead for each in outputs), reverse=True)[:5]
    assert [each.ahead for each in listed.below] == sorted(each.ahead for each in outputs)[:5]
    assert all(-1 <= each.ahead <= 1 for each in outputs)

    before = names(listed.above)
    found.scored.scores[0] = np.exp(found.scored.scores[0])
    assert names(disagreements(rated_outputs(found, "meaning")).above) == before


def test_a_metric_that_is_the_rating_disagrees_nowhere() -> None:
    found = judged(scored_release())
    found.scored.scores[0] = found.quality("meaning")
    listed = disagreements(rated_outputs(found, "meaning"))
    assert (listed.above, listed.below) == ([], [])


def test_outputs_without_a_score_are_left_out() -> None:
    found = judged(scored_release())
    found.scored.scores[0, 0, :] = np.nan
    outputs = rated_outputs(found, "meaning")
    assert len(outputs) == 72
    assert found.systems[0] not in {each.system for each in outputs}
    assert typical_output([]) is None


def test_a_plot_is_bounded_and_drawn_the_same_again() -> None:
    outputs = rated_outputs(judged(scored_release()), "meaning") * 30
    assert len(outputs) > MAX_DRAWN
    drawn = sampled(outputs, 7)
    assert len(drawn) == MAX_DRAWN
    assert names(drawn) == names(sampled(outputs, 7)) != names(sampled(outputs, 8))
