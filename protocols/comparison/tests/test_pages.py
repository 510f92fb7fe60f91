"""The comparison of systems as staff, programs and files meet it."""

import csv
import io
import re
from dataclasses import replace

import pytest
from django.urls import reverse

from corpus.models import Release
from protocols.comparison.parameters import ComparisonParameters
from protocols.comparison.report import KIND, published_tables
from protocols.comparison.tests.planted import BASELINE, NEW, planted_sources
from protocols.comparison.tests.releases import compared_release
from reports.models import Report
from reports.published import published, published_values
from reports.services import report_compute, report_request
from tests.support.api_client import Api
from tests.support.factories import make_staff, silent, staff_client
from tests.support.reports import every_tab, printed, strict_json, tables_of

pytestmark = pytest.mark.django_db
QUICK = ("--draws=100", f"--baseline={BASELINE}")


def shown(release: Release, **parameters: object) -> str:
    owner = release.campaign.staff.get()
    given = ComparisonParameters.of({"draws": 100, "baseline": [BASELINE], **parameters})
    report = report_request(kind=KIND, on=release, parameters=given, user=owner)
    if report.rows is None:
        report_compute(report=report, progress=silent)
    address = reverse("protocols:comparison:report", args=[release.campaign.slug, release.version])
    page: str = every_tab(staff_client(owner), address).content.decode()
    return page


def test_the_answer_comes_first_then_the_plot_then_the_tables() -> None:
    page = shown(compared_release(owner=make_staff()))

    answer = page.index(f"Content: {NEW} is rated higher than {BASELINE}: better on ")
    assert answer < page.index('class="row-plot"') < page.index("Shares by category") < page.index("Wilcoxon")


def test_a_few_sources_are_only_counted() -> None:
    page = shown(compared_release(planted_sources(2, questions=4, scales=("content",)), owner=make_staff()))

    assert f"Content: of 4 sources, {NEW} is better than {BASELINE} on " in page
    assert "is rated higher" not in page


def test_without_a_difference_none_is_claimed() -> None:
    page = shown(compared_release(planted_sources(5, effects=(0.0,), scales=("content",)), owner=make_staff()))

    assert f"no difference of {NEW} and {BASELINE} is shown" in page


def test_a_worse_system_is_said_to_be_rated_lower() -> None:
    page = shown(compared_release(planted_sources(5, effects=(-0.9,), scales=("content",)), owner=make_staff()))

    assert f"{NEW} is rated lower than {BASELINE}" in page


def test_several_systems_are_ranked_and_their_pairs_counted() -> None:
    page = shown(compared_release(planted_sources(5, effects=(0.8, 0.0), scales=("content",)), owner=make_staff()))

    assert f"Content: {NEW} has the highest mean" in page
    assert "of 3 pairs of systems differ" in page
    assert "Nemenyi" in page


def test_shares_are_a_table_as_in_the_paper() -> None:
    page = shown(compared_release(owner=make_staff()))

    rows = tables_of(page)["Shares by category"]
    assert rows[0] == ["", BASELINE, NEW, "Difference"]
    assert [row[0] for row in rows[1:6]] == ["5 very good", "4 good", "3 barely acceptable", "2 poor", "1 very poor"]


def test_the_kappa_of_each_two_judges_is_a_list() -> None:
    release = compared_release(planted_sources(1, questions=20, scales=("content",)), owner=make_staff())

    rows = tables_of(shown(release))["Pairs of judges"]

    assert rows[0] == ["Judge", "Other judge", "Outputs in common", "Kappa"]
    assert [row[:3] for row in rows[1:]] == [
        [f"Judge {one}", f"Judge {other}", "40"] for one, other in ((1, 2), (1, 3), (2, 3))
    ]
    assert [row[3] for row in rows[1:] if not re.fullmatch(r"\S?[\d.]+ \S?[\d.]+ to [\d.]+", row[3])] == []
    lines = csv.DictReader(io.StringIO(printed("report", release.name, "comparison", *QUICK, "--format=csv")))
    kappas = [row for row in lines if (row["table"], row["figure"]) == ("judges", "kappa")]
    told = [[f"Judge {row['first']}", f"Judge {row['second']}", row["n"]] for row in kappas]
    assert told == [row[:3] for row in rows[1:]]
    assert all(row["low"] and row["high"] for row in kappas)


def test_one_judge_is_in_no_pair() -> None:
    page = shown(compared_release(planted_sources(1, questions=6, judges=1, scales=("content",)), owner=make_staff()))

    assert "There is no pair: fewer than two judges are known." in page
    assert "Pairs of judges" not in tables_of(page)


def test_judges_without_a_common_text_have_no_kappa() -> None:
    """Two judges, each of four questions of their own."""
    sources = planted_sources(1, questions=8, judges=2, scales=("content",))
    halves = [
        replace(
            source,
            outputs=[replace(each, ratings=(each.ratings[place % 2],)) for each in source.outputs],
        )
        for place, source in enumerate(sources)
    ]

    (_head, row) = tables_of(shown(compared_release(halves, owner=make_staff())))["Pairs of judges"]

    assert row == ["Judge 1", "Judge 2", "0", "undefined no text in common"]


def test_of_many_pairs_the_page_shows_some(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocols.comparison.page.MOST_SHOWN", 2)
    page = shown(compared_release(planted_sources(1, questions=6, scales=("content",)), owner=make_staff()))

    assert len(tables_of(page)["Pairs of judges"]) == 3
    assert "The CSV file has 1 more pair." in page


def test_what_cannot_be_compared_is_said_by_the_job() -> None:
    release = compared_release(owner=make_staff())

    with pytest.raises(Exception, match="There are no such ratings of the outputs of MEAD"):
        printed("report", release.name, "comparison", "--draws=100", "--baseline=MEAD")


def test_the_files_have_the_differences_of_all_sources() -> None:
    release = compared_release(owner=make_staff())

    lines = list(csv.DictReader(io.StringIO(printed("report", release.name, "comparison", *QUICK, "--format=csv"))))

    found = [row for row in lines if row["table"] == "differences"]
    assert len(found) == 40
    assert {row["scale"] for row in found} == {"content", "coherence"}
    told = strict_json(printed("report", release.name, "comparison", *QUICK, "--format=json"))
    assert {row["table"] for row in told["published"]} >= {"Table 5", "Table 12"}


def test_latex_has_the_tables_of_the_paper() -> None:
    release = compared_release(owner=make_staff())

    text = printed("report", release.name, "comparison", *QUICK, "--format=latex")

    assert r"\caption{Content: shares of outputs by category, in percent.}" in text
    assert r"\caption{Coherence: Better, equal, worse.}" in text
    assert text.count(r"\begin{table}") == text.count(r"\end{table}")


def test_the_command_shows_all_sections() -> None:
    text = printed("report", compared_release(owner=make_staff()).name, "comparison", *QUICK, "--format=table", "--all")

    assert "Shares by category" in text
    assert "Judge by judge" in text


def test_programs_ask_for_a_comparison_and_get_its_rows() -> None:
    release = compared_release(owner=make_staff())
    api = Api(release.campaign.staff.get())
    place = f"campaigns/{release.campaign.slug}/releases/{release.version}/comparison/"

    asked = api.call("post", f"{place}reports/", {"baseline": [BASELINE], "draws": 100})
    assert asked.status_code == 202
    report = Report.objects.get()
    if report.rows is None:
        report_compute(report=report, progress=silent)

    told = api.call("get", place).json()
    assert told["state"] == "ready"
    assert {row["table"] for row in told["rows"]} >= {"shares", "direction", "tests", "effects", "agreement", "models"}
    assert api.call("post", f"{place}reports/", {"judges": "nobody"}).status_code == 400


# What the paper prints. Each row adds up: 29, 15 and 6 of 50 texts; 20, 9 and 1 of 30; 26, 15, 9; 17, 6, 7.

PUBLISHED = {
    ("Table 5", "content, TAC 2008"): ("58%", "30%", "12%"),
    ("Table 7", "content, reviews"): ("67%", "30%", "3%"),
    ("Table 9", "coherence, TAC 2008"): ("52%", "30%", "18%"),
    ("Table 11", "coherence, reviews"): ("57%", "20%", "23%"),
}
COPY = {
    "content, TAC 2008": ("6 16 38 26 14", "14 38 26 18 4", "0.00281", "0.58"),
    "content, reviews": ("10 37 10 23 20", "44 33 13 0 10", "0.00236", "0.77"),
    "coherence, TAC 2008": ("8 22 36 22 12", "24 30 24 8 14", "0.0223", "0.76"),
    "coherence, reviews": ("13 27 27 10 23", "23 43 17 10 7", "0.0371", "0.74"),
}
CATEGORIES = ("very good", "good", "barely acceptable", "poor", "very poor")


@pytest.mark.parametrize(("place", "printed_shares"), PUBLISHED.items())
def test_the_published_shares_of_better_equal_and_worse(
    place: tuple[str, str], printed_shares: tuple[str, ...]
) -> None:
    columns = ("BlogSum better", "equal", "BlogSum worse")
    found = [published("B12", *place, column) for column in columns]

    assert tuple(each.printed for each in found) == printed_shares
    assert sum(each.value or 0 for each in found) == pytest.approx(1)


@pytest.mark.parametrize("study", COPY)
def test_the_published_categories_tests_and_kappas(study: str) -> None:
    baseline, new, p, kappa = COPY[study]
    (table,) = {each.table for each in published_values() if each.row == f"{study}, very good"}

    for column, shares in (("OList", baseline), ("BlogSum", new)):
        cells = [published("B12", table, f"{study}, {category}", column).printed for category in CATEGORIES]
        assert cells == [f"{share}%" for share in shares.split()]
    assert published("B12", "text", f"{study}, t", "p").printed == p
    assert published("B12", "text", study, "mean kappa of pairs").printed == kappa


def test_the_page_shows_all_tables_of_the_paper_with_their_places() -> None:
    page = shown(compared_release(owner=make_staff()))

    assert len(published_tables()) == 13
    sections = {1: "2", 2: "2", 3: "4"}
    for number in range(1, 13):
        assert f"Published: Mithun et al. 2012, Table {number} (§{sections.get(number, '4.')}" in page
