"""The files of a report have its numbers, each with what it was computed with."""

import csv
import io
import json

import pytest
from django.core.management import CommandError, call_command

from evaluation.selectors import every_row, rows_by_pair
from evaluation.tests.releases import METRICS, SYSTEMS, computed, scored_release
from reports.downloads import report_as
from reports.models import Report
from tests.support.reports import printed, strict_json

pytestmark = pytest.mark.django_db


def whole(form: str, report: Report) -> str:
    return "".join(report_as(form, report))


@pytest.fixture
def report() -> Report:
    return computed(scored_release())


def test_csv_has_every_row_and_no_heading_twice(report: Report) -> None:
    head, *lines = list(csv.reader(io.StringIO(whole("csv", report))))
    assert len(set(head)) == len(head)
    assert len(lines) == len(list(every_row(report))) > len(report.rows or [])
    about = dict(zip(head, lines[0], strict=True))
    assert (about["report_pool"], about["report_seed"]) == ("crowd", "2016")
    assert about["report_release"] == report.of_release.name


def test_json_is_the_whole_report(report: Report) -> None:
    content = strict_json(whole("json", report))
    assert content["rows"] == list(every_row(report))
    assert content["figures"] == report.figures
    assert content["release_sha256"] == report.checksum


def test_rows_of_two_systems_are_kept_by_metric(report: Report) -> None:
    by_pair = list(rows_by_pair(report))
    assert {row["metric"] for row in by_pair} == set(METRICS)
    assert {row["table"] for row in by_pair} == {"systems", "input level by pair"}
    assert [row for row in by_pair if row["metric"] == METRICS[1]] == list(rows_by_pair(report, METRICS[1]))
    assert not {row["table"] for row in report.rows or []} & {"input level by pair"}


def test_latex_names_systems_and_metrics(report: Report) -> None:
    tables = whole("latex", report)
    assert tables.count(r"\begin{table}") >= 3
    assert all(name in tables for name in (*SYSTEMS, *METRICS))


def test_the_command_prints_what_the_files_have(report: Report) -> None:
    arguments = (report.of_release.name, "evaluation", "--draws", "50")
    assert printed("report", *arguments, "--format", "csv") == whole("csv", report)
    assert json.loads(printed("report", *arguments, "--format", "json"))["rows"] == list(every_row(report))
    shown = printed("report", *arguments, "--format", "table", "--all")
    assert all(name in shown for name in (*SYSTEMS, *METRICS))
    assert Report.objects.count() == 1


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (["--alpha", "0"], "alpha must be more than 0"),
        (["--draws", "0"], "draws must be from 1"),
        (["--share", "0.2"], "share must be more than 0.5"),
        (["--epsilon", "2"], "epsilon must be from 0 to 1"),
        (["--smaller-is-better", "nothing"], "no metric called “nothing”"),
    ],
)
def test_what_cannot_be_is_refused(option: list[str], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("report", scored_release().name, "evaluation", *option)
