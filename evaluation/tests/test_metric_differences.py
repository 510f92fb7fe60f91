"""Differences between metrics, where there is nothing to compare them on."""

import pytest

from evaluation.sections.metric_differences import difference_rows
from evaluation.tests.releases import judged, scored_release, sources_with_systems

pytestmark = pytest.mark.django_db


def test_a_single_system_leaves_no_metrics_to_compare() -> None:
    found = difference_rows(judged(scored_release(sources_with_systems(4, systems=["lead"]))))

    assert found.rows
    assert {(row["value"], row["reason"]) for row in found.rows} == {(None, "no metric has a correlation")}
