"""A comparison of scales as staff ask for it: page, files, API; and what it knows of the draw and the time taken."""

from datetime import datetime

import pytest
from django.test import Client

from corpus.models import Release
from crowd.models import Campaign, Enrolment
from protocols.scale_against_scale.parameters import ScaleParameters
from protocols.scale_against_scale.report import KIND
from protocols.scale_against_scale.selectors import drawn_by_arm, hypothesis_of, minutes_by_arm
from protocols.scale_against_scale.tests.planted import planted_release
from ratings.models import Rating
from reports.models import Report
from reports.services import report_complete, report_get_or_create
from tests.support.api_client import Api
from tests.support.arms import armed_campaign, rate_rest
from tests.support.factories import RATE, enrol, freeze, judged_campaign, make_staff, readable, silent, staff_client
from tests.support.reports import every_tab, strict_json

pytestmark = pytest.mark.django_db
FEW = ScaleParameters(draws=100)


def rated() -> tuple[Campaign, Release]:
    """Two texts, each with two raters of each arm; six people were drawn."""
    campaign = armed_campaign(sources=2, texts=1, hypothesis="Three points are judged better.")
    for number in range(6):
        rate_rest(enrol(campaign, RATE, f"rater-{number}"))
    return campaign, freeze(campaign)


def address_of(release: Release) -> str:
    return f"/campaigns/{release.campaign.slug}/releases/{release.version}/scale-comparison"


def computed(release: Release) -> Report:
    report = report_get_or_create(kind=KIND, on=release, parameters=FEW)
    report_complete(report=report, progress=silent)
    return Report.objects.get(pk=report.pk)


def staff_of(release: Release) -> Client:
    return staff_client(release.campaign.staff.get())


def test_staff_ask_for_it_and_read_the_answer_first() -> None:
    release = planted_release(owner=make_staff())
    staff = staff_of(release)
    form = readable(staff.get(f"{address_of(release)}/"))
    assert '<option value="meaning meaning_5">Meaning (three) against Meaning (five)</option>' in form

    asked = staff.post(f"{address_of(release)}/reports/", {"scales": "meaning_5 meaning", "draws": "100"})
    computed_page = readable(every_tab(staff, asked.headers["Location"]))

    report = Report.objects.get()
    assert report.pinned["scales"] == ["meaning_5", "meaning"]
    report_complete(report=report, progress=silent)
    page = readable(every_tab(staff, asked.headers["Location"])) if "Computed" not in computed_page else computed_page
    assert page.index("It is not shown that people judge better") < page.index("Do people judge better?")
    assert "None of these says on which scale people judge better" in page
    assert "footnote 4. The paper gives no figure" in page
    assert "this is exploratory" in page


def test_files_and_api_have_the_same_rows() -> None:
    release = planted_release(owner=make_staff())
    report = computed(release)
    staff = staff_of(release)
    told = strict_json(staff.get(f"{address_of(release)}.json").content.decode())
    assert told["rows"] == report.rows
    assert told["scales"] == "meaning meaning_5"
    lines = staff.get(f"{address_of(release)}.csv").content.decode().splitlines()
    assert len(lines) == 1 + len(report.rows or [])
    assert lines[0].startswith("table,figure,scale,value,low,high,n,p,reason")
    latex = staff.get(f"{address_of(release)}.tex").content.decode()
    assert latex.count(r"\begin{table}") == 9
    answer = Api(release.campaign.staff.get()).call("get", f"{address_of(release).removeprefix('/')}/").json()
    assert (answer["rows"], answer["scales"]) == (report.rows, ["meaning", "meaning_5"])


def test_scales_that_make_no_pair_are_refused() -> None:
    release = planted_release(owner=make_staff())
    staff = staff_of(release)
    wrong = staff.post(f"{address_of(release)}/reports/", {"scales": "meaning grammar"})
    assert wrong.status_code == 422
    same = Api(release.campaign.staff.get()).call(
        "post", f"{address_of(release).removeprefix('/')}/reports/", {"scales": ["meaning", "meaning"]}
    )
    assert "two scales of different arms, of these: meaning, meaning_5" in same.json()["detail"]
    plain = freeze(judged_campaign())
    refused = staff_of(plain).post(f"{address_of(plain)}/reports/", {}, follow=True)
    assert "has no two scales of different arms" in readable(refused)


def test_it_knows_the_draw_and_the_hypothesis_and_who_is_lost() -> None:
    campaign, release = rated()
    Rating.objects.update(milliseconds=30_000)
    of_five = Enrolment.objects.filter(round=RATE, arm="five").values("worker")
    Rating.objects.filter(worker__in=of_five).update(milliseconds=60_000)

    assert drawn_by_arm(release) == {"three": 3, "five": 3}
    assert minutes_by_arm(release) == {"three": 0.5, "five": 1.0}
    found = hypothesis_of(release)
    assert found is not None
    assert (found["text"], found["ratings_before"]) == ("Three points are judged better.", 0)
    assert datetime.fromisoformat(found["saved_at"]) <= release.created_at
    report = computed(release)
    rows = {(row["figure"], row["scale"]): row for row in report.rows or [] if row["table"] == "arms"}
    assert rows["drawn", "first"]["value"] == 3
    assert rows["lost", "first"]["value"] == pytest.approx(1 / 3)
    assert rows["counts", ""]["p"] == 1
    page = readable(every_tab(staff_client(campaign.staff.get()), f"{address_of(release)}/"))
    assert "Three points are judged better." in page
    assert "after 0 ratings" in page
    assert "Whether people judge better on one of the scales is not known" in page


def test_the_release_links_to_it_where_there_are_arms() -> None:
    campaign, release = rated()
    page = staff_client(campaign.staff.get()).get(f"/campaigns/{campaign.slug}/releases/{release.version}/")
    assert f"{address_of(release)}/" in page.content.decode()
    plain = freeze(judged_campaign())
    assert (
        "scale-comparison/" not in staff_of(plain).get(f"/campaigns/{plain.campaign.slug}/releases/1/").content.decode()
    )
