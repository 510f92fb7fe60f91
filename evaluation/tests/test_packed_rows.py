"""Rows that are read by a key: stored compressed, and read whichever way they are stored."""

import json

import pytest
from django.db import IntegrityError, transaction

from evaluation.selectors import rows_by_pair
from evaluation.tests.releases import computed, scored_release, sources_with_systems
from reports.downloads import report_as
from reports.models import ReportRows

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_rows_are_packed_and_rows_of_earlier_versions_are_read_the_same() -> None:
    report = computed(scored_release(sources_with_systems(12)))
    kept = report.keyed_rows.get(key="fair")
    packed = list(rows_by_pair(report, "fair"))
    assert kept.rows is None
    assert len(kept.packed or b"") * 5 < len(json.dumps(packed))
    before = "".join(report_as("json", report))
    report.keyed_rows.filter(pk=kept.pk).update(rows=packed, packed=None)
    assert list(rows_by_pair(report, "fair")) == packed
    assert json.loads("".join(report_as("json", report))) == json.loads(before)


def test_rows_are_stored_in_one_form() -> None:
    report = computed(scored_release(sources_with_systems(12)))
    for wrong in ({"rows": None, "packed": None}, {"rows": [], "packed": b"x"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            ReportRows.objects.create(report=report, key="other", **wrong)
