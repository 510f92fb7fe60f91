"""What staff may ask a rule before it is applied, of which campaigns, and that just this is applied then."""

import re
from dataclasses import asdict
from typing import Any

import pytest
from django.test import Client

from common.models import Job
from compressions.services.outputs import Output, outputs_add
from crowd.models import Campaign
from crowd.scale_texts import scales_from_text
from crowd.scales import scales_dump
from crowd.services.claims import assignment_claim
from crowd.tasks import task_of
from measures.quality_control.parameters import FilterParameters, Order, RaterQuality, Roles
from ratings.models import QualityRun
from ratings.tests.quality.test_preview import (
    crowd,
    figures_of,
    means_in,
    preview_page,
    query_of,
    rows_by_share,
    rows_of,
    section_of,
    staff_of,
)
from tests.support.factories import (
    RATE,
    edit_all,
    enrol,
    freeze,
    judged_campaign,
    make_campaign,
    make_staff,
    rate,
    rate_all,
    readable,
    staff_client,
)

pytestmark = pytest.mark.django_db

WRONG = "Correct this first"
NO_SENSE = [
    {"share": "abc"},
    {"share": "-1"},
    {"share": "26"},
    {"share": "nan"},
    {"share": "inf"},
    {"min_items": "0"},
    {"min_items": "-5"},
    {"min_items": "2.5"},
    {"min_items": "99999999999999999999"},
    {"order": "nobody first"},
    {"rater_quality": "looks"},
    {"roles": "experts"},
    {"share": "\x00"},
    {"order": "\x00"},
]


@pytest.mark.parametrize("query", NO_SENSE)
def test_parameters_without_sense_are_refused_with_a_reason(query: dict[str, str]) -> None:
    page = preview_page(judged_campaign(sources=1), **query)

    assert WRONG in page
    assert "Apply this rule" not in page
    assert "Other shares" not in page


@pytest.mark.parametrize("query", NO_SENSE)
def test_parameters_without_sense_are_not_applied(query: dict[str, str]) -> None:
    campaign = judged_campaign(sources=1)

    page = staff_of(campaign).post(f"/campaigns/{campaign.slug}/quality/apply/", query)

    assert page.status_code == 422
    assert WRONG in readable(page)
    assert not Job.objects.exists()


@pytest.mark.parametrize("query", [{}, {"share": "", "min_items": "", "order": ""}, {"page": "2"}])
def test_what_is_not_said_is_as_usual(query: dict[str, str]) -> None:
    page = preview_page(judged_campaign(sources=1), **query)

    assert WRONG not in page
    assert posted_by(page) == {
        "share": "10.0",
        "min_items": "5",
        "order": "raters first",
        "rater_quality": "deviation from the others",
        "roles": "raters and editors",
    }


def posted_by(page: str) -> dict[str, str]:
    """What the button sends, but for Django's own token."""
    form = page.split("quality/apply/")[1].split("</form>", maxsplit=1)[0]
    fields = re.findall(r'<input type="hidden"\s+name="(\w+)"\s+value="(.*?)"', form)
    return {name: value for name, value in fields if name != "csrfmiddlewaretoken"}


@pytest.mark.parametrize(
    "parameters",
    [
        *(FilterParameters(share=share) for share in (0.0, 0.001, 0.07, 0.125, 0.14, 0.1234, 0.25)),
        FilterParameters(min_items=1),
        FilterParameters(min_items=10_000, order=Order.EDITORS_FIRST),
        FilterParameters(rater_quality=RaterQuality.GOLD, roles=Roles.RATERS),
        FilterParameters(rater_quality=RaterQuality.DAWID_SKENE, roles=Roles.EDITORS),
    ],
)
def test_the_button_applies_just_what_the_page_shows(parameters: FilterParameters) -> None:
    campaign = judged_campaign(sources=1)
    page = preview_page(campaign, **query_of(parameters))

    staff_of(campaign).post(f"/campaigns/{campaign.slug}/quality/apply/", posted_by(page))

    assert Job.objects.get(kind="apply_quality").parameters == asdict(parameters)


@pytest.mark.django_db(transaction=True)
def test_what_is_applied_has_the_figures_that_were_shown() -> None:
    campaign = crowd(8)
    page = preview_page(campaign, share=12.5)

    staff_of(campaign).post(f"/campaigns/{campaign.slug}/quality/apply/", posted_by(page))

    summary = QualityRun.objects.get().summary
    applied = [summary["editors"]["removed"], summary["raters"]["removed"], summary["texts_kept"]]
    assert [*applied, summary["ratings_kept"]] == [int(each) for each in figures_of(page)] == [1, 1, 35, 245]


def test_a_share_between_the_usual_ones_has_a_row_of_its_own() -> None:
    page = preview_page(crowd(8), share=12.5)

    shares = [row[0] for row in rows_by_share(page)]
    assert shares == ["0%", "5%", "10%", "12.5%", "15%", "20%", "25%"]
    (current,) = re.findall(r'<tr aria-current="true">(.*?)</tr>', page, re.DOTALL)
    assert "12.5%" in current


def test_the_fields_keep_what_was_asked() -> None:
    page = preview_page(judged_campaign(sources=1), share=12.5, min_items=7, rater_quality=RaterQuality.GOLD)

    assert re.search(r'name="share" value="12.5"', page)
    assert re.search(r'name="min_items" value="7"', page)
    assert '<option value="accuracy on gold items" selected>' in page


# Who may look


def test_only_staff_of_the_campaign_see_it() -> None:
    address = f"/campaigns/{judged_campaign(sources=1).slug}/quality/preview/"

    assert staff_client(make_staff()).get(address).status_code == 404
    assert Client().get(address)["Location"].startswith("/login/")


def test_the_page_takes_no_post() -> None:
    campaign = judged_campaign(sources=1)

    assert staff_of(campaign).post(f"/campaigns/{campaign.slug}/quality/preview/").status_code == 405


# Campaigns of other kinds


def test_a_campaign_without_work_has_nobody() -> None:
    page = preview_page(make_campaign())

    assert figures_of(page) == ["0", "0", "0", "0"]
    assert {tuple(row[1:]) for row in rows_by_share(page)} == {("0", "0", "0", "0", "–", "–", "–", "–")}
    assert page.count("Nobody yet.") == 2


def campaign_on(scales: str, **settings: Any) -> Campaign:
    side_by_side = task_of(settings.get("rating_task")).asks_preference
    kept = scales_dump(scales_from_text(scales, side_by_side=side_by_side))
    campaign = make_campaign(sources=5, scales=kept, editors_per_source=2, gold_percent=0, **settings)
    edit_all(campaign, 2)
    return campaign


SEVEN_AND_TWO = "Fluency: How well?\n" + "".join(f"{point} Grade {point}\n" for point in range(7, 0, -1))
SEVEN_AND_TWO += "\nFacts: Is it true?\n2 Yes\n1 No"


@pytest.mark.parametrize("quality", [RaterQuality.DEVIATION, RaterQuality.DAWID_SKENE])
def test_means_are_in_the_points_of_the_campaign_s_own_scales(quality: RaterQuality) -> None:
    campaign = campaign_on(SEVEN_AND_TWO)
    for name, fluency in (("ann", 7), ("ben", 6), ("cem", 2)):
        rater = enrol(campaign, RATE, name)
        while task := assignment_claim(enrolment=rater):
            rate(rater, task, fluency=fluency, facts=2)

    page = preview_page(campaign, rater_quality=quality)

    assert "Mean fluency" in page
    assert (
        rows_of(page, "Other shares")[0][5:]
        == rows_by_share(page)[0][5:]
        == means_in(freeze(campaign).summary)
        == 2 * ["5.000", "2.000"]
    )


@pytest.mark.parametrize("quality", list(RaterQuality))
def test_side_by_side_there_are_no_judgements_of_single_texts(quality: RaterQuality) -> None:
    campaign = campaign_on("Style: Which reads better?", rating_task="pair")
    rater = enrol(campaign, RATE, "ann")
    while task := assignment_claim(enrolment=rater):
        rate(rater, task, style=1)

    page = preview_page(campaign, rater_quality=quality)

    assert figures_of(page) == ["0", "0", "10", "0"]
    assert rows_by_share(page)[0] == ["0%", "0", "0", "10", "0", "–", "–"]
    assert "Nobody yet." in section_of(page, RATE)


def test_outputs_of_systems_and_their_ratings_are_not_counted() -> None:
    campaign = judged_campaign(sources=2, scores=((3, 3), (2, 3)))
    before = preview_page(campaign, min_items=1)
    outputs_add(campaign=campaign, system="lead", outputs=[Output(1, "1", "The committee agreed.")])
    assert rate_all(enrol(campaign, RATE, "rater-3"), 1, 1)

    after = preview_page(campaign, min_items=1)

    assert rows_of(after, "Other shares") == rows_of(before, "Other shares")
    assert figures_of(after) == figures_of(before)
