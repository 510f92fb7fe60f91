"""Where raters judged answers to questions, each metric stands beside people on the same pairs of answers."""

import numpy as np
import pytest

from crowd.models import Campaign
from evaluation.page_tables import TableSpec
from evaluation.table_specs import COMPARISONS
from evaluation.tests.releases import computed, judged, scored_release, sources_with_systems
from measures.core.intervals import Interval
from measures.experiments import MetricBesidePeople, metric_beside_people
from reports.models import Report
from tests.support.factories import make_staff, readable, staff_client
from tests.support.reports import every_tab

pytestmark = pytest.mark.django_db
HEADING = "Metrics beside people, answer by answer"


def spec() -> TableSpec:
    return next(each for each in COMPARISONS if str(each.heading) == HEADING)


def answered(task: str = "answer", systems: tuple[str, ...] = ("Alpha", "Beta")) -> Report:
    release = scored_release(sources_with_systems(12, systems=systems), owner=make_staff())
    Campaign.objects.filter(pk=release.campaign.pk).update(rating_task=task)
    release.campaign.refresh_from_db()
    return computed(release)


def test_each_metric_is_held_against_people_on_the_same_questions() -> None:
    report = answered()
    rows = {
        (row["judgement"], row["metric"], row["figure"]): row
        for row in report.rows or []
        if row["table"] == spec().table
    }
    outputs = judged(report.of_release).judged("meaning")
    found = outputs.differences(0, 1)
    direct = metric_beside_people(found.scores[0], found.quality, draws=50, seed=2016)
    assert isinstance(direct, MetricBesidePeople)
    assert isinstance(direct.interval, Interval)
    metric = outputs.metrics[0]
    rho = rows["meaning", metric, "rho"]
    assert (rho["value"], rho["low"], rho["n"]) == (direct.rho, direct.interval.low, 12)
    assert rows["meaning", metric, "same sign"]["value"] == direct.same_sign
    people = rows["meaning", "", "difference"]
    assert people["value"] == pytest.approx(np.mean(found.quality))
    shares = [rows["meaning", "", figure]["value"] for figure in ("better", "equal", "worse")]
    assert sum(shares) == pytest.approx(1)

    client = staff_client(report.of_campaign.staff.get())
    page = readable(every_tab(client, f"/campaigns/{report.of_campaign.slug}/releases/1/evaluation/"))
    assert HEADING in page


def test_other_tasks_have_no_such_table_and_many_systems_a_reason() -> None:
    assert spec().table not in {row["table"] for row in answered("single").rows or []}
    (row,) = [row for row in answered(systems=("A", "B", "C", "D")).rows or [] if row["table"] == spec().table]
    assert row["reason"] == "there are more than 3 systems"
