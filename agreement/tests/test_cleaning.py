"""Agreement before and after people were left out, side by side."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.sections.cleaning import CLEANING, HEADING, patterns_of
from crowd.scales import DEFAULT_SCALES
from measures.agreement.rating_patterns import count_patterns
from measures.quality_control.parameters import FilterParameters, Roles
from ratings.services.quality import quality_apply
from tests.support.factories import freeze, golden_campaign, staff_client
from tests.support.reports import address, every_tab, released, report_of, section, source_of, tables_of, text_of

UNKNOWN = "unknown: some ratings were imported, or an earlier version made this release"
MEANING = DEFAULT_SCALES[0]


@pytest.mark.django_db
def test_before_and_after_stand_side_by_side_with_the_ratings_per_text() -> None:
    """Grim says 1 of all ten texts; the rule leaves two fair raters, who agree."""
    campaign = golden_campaign()
    quality_apply(campaign=campaign, parameters=FilterParameters(share=0.5, roles=Roles.RATERS))
    release = freeze(campaign)

    rows = [row for row in report_of(release)["rows"] if row["comparison"] == CLEANING and row["scale"] == "meaning"]

    found = {(row["group"], row["measure"]): row for row in rows}
    before, after = "before: 3.000 ratings per text", "after: 2.000 ratings per text"
    assert [*found] == [
        *((before, measure) for measure in ("agreement", "kappa", "ratings per text")),
        *((after, measure) for measure in ("agreement", "kappa", "ratings per text")),
    ]
    # Whom to draw: grim against the mean of two equal points never agrees. A fair rater agrees with the mean of a fair
    # one and grim where it rounds to the same: 1.5 to 2, but 2 not to 3.
    assert found[before, "agreement"]["value"] == pytest.approx(1 / 3, abs=0.03)
    assert [found[after, measure]["value"] for measure in ("agreement", "kappa")] == [1, 1]
    assert [found[group, "ratings per text"]["value"] for group in (before, after)] == [3, 2]
    assert [found[group, "agreement"]["items"] for group in (before, after)] == [10, 10]


@pytest.mark.django_db
def test_where_nobody_is_left_out_both_are_the_same_as_the_first_line_of_the_report() -> None:
    release = freeze(golden_campaign())

    report = report_of(release)["rows"]

    wanted = [row["value"] for row in report if row["comparison"] == "worker versus worker"]
    rows = [row for row in report if row["comparison"] == CLEANING and row["measure"] != "ratings per text"]
    for name in ("before", "after"):
        assert [row["value"] for row in rows if row["group"].startswith(name)] == wanted
        assert {row["low"] for row in rows} == {None}


@pytest.mark.django_db
def test_a_release_that_does_not_tell_is_unknown_before() -> None:
    release = released([source_of(number, text_of((3, 2, 3))) for number in range(3)])

    rows = section(release, CLEANING)

    assert {measure: rows["before", measure]["undefined"] for measure in ("agreement", "kappa")} == {
        "agreement": UNKNOWN,
        "kappa": UNKNOWN,
    }
    assert rows["after: 3.000 ratings per text", "agreement"]["items"] == 3


@pytest.mark.django_db
def test_the_page_shows_it() -> None:
    campaign = golden_campaign()
    quality_apply(campaign=campaign, parameters=FilterParameters(share=0.5, roles=Roles.RATERS))
    release = freeze(campaign)
    report_of(release)

    page = every_tab(staff_client(campaign.staff.get()), f"{address(release)}/").content.decode()

    lines = tables_of(page)[str(HEADING)][2:]
    assert [line[:2] for line in lines] == [
        ["Before: 3.000 ratings per text", "10"],
        ["After: 2.000 ratings per text", "10"],
    ]


@given(st.lists(st.lists(st.integers(1, 3), min_size=1, max_size=5), max_size=12))
def test_patterns_of_the_summary_are_those_of_the_ratings(texts: list[list[int]]) -> None:
    stored = [
        {"points": list(points), "texts": [sorted(each) for each in texts].count(list(points))}
        for points in sorted({tuple(sorted(each)) for each in texts})
    ]

    found = patterns_of(stored, MEANING)

    matrix = [[*each, *[float("nan")] * (5 - len(each))] for each in texts]
    wanted = count_patterns(matrix or [[float("nan")]], 3, min_ratings=1)
    assert (found.counts.tolist(), found.items.tolist()) == (wanted.counts.tolist(), wanted.items.tolist())
