"""What stands on older data than there are says so in one sentence, with the button that renews it."""

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks

from agreement.planning import kept_plans
from compressions.services.retirement import source_retire
from corpus.models import Release
from corpus.services.outputs import outputs_import
from crowd.models import Campaign, Membership, Role, Round
from measures.quality_control.parameters import FilterParameters
from ratings.models import QualityRun
from ratings.selectors import preview
from ratings.services.exclusions import person_exclude
from ratings.services.experts import expert_sample_draw
from ratings.services.quality import quality_apply
from reports.models import Report
from tests.support.factories import (
    RATE,
    enrol,
    freeze,
    judged_campaign,
    make_staff,
    rate_next,
    readable,
    staff_client,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]
NOTICE = re.compile(r'<(form|div) [^>]*class="note".*?</\1>', re.DOTALL)


@pytest.fixture
def campaign() -> Campaign:
    return judged_campaign(sources=2, editors=2, raters_per_compression=5)


@pytest.fixture
def client(campaign: Campaign) -> Client:
    return staff_client(campaign.staff.get())


def judge(campaign: Campaign, name: str, ratings: int = 2) -> None:
    rater = enrol(campaign, RATE, name)
    for _ in range(ratings):
        assert rate_next(rater) is not None


def notice_of(page: str) -> str:
    """The notices of a page that offer a remedy, with their tags."""
    return "".join(found[0] for found in NOTICE.finditer(page))


def words_of(notice: str) -> str:
    return " ".join(re.sub("<[^>]+>", " ", notice).split())


def press(client: Client, page: str) -> Any:
    """Press the only button that the notices of a page have, and come to where that leads."""
    notice = notice_of(page)
    assert notice.count("<button") + notice.count('class="button"') == 1
    if link := re.search(r'href="([^"]+)"', notice):
        return client.get(link[1])
    action = re.search(r'action="([^"]+)"', notice)
    assert action is not None
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)" />', notice))
    return client.post(action[1], fields, follow=True)


def test_the_worker_filter_is_older_than_ratings(
    campaign: Campaign, client: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    quality_apply(campaign=campaign, parameters=FilterParameters(share=0.25, min_items=1))
    addresses = [f"/campaigns/{campaign.slug}/{place}/" for place in ("quality", "releases/freeze")]
    assert [notice_of(readable(client.get(each))) for each in addresses] == ["", ""]

    judge(campaign, "late")
    said = {words_of(notice_of(readable(client.get(each)))) for each in addresses}
    assert said == {
        "2 ratings were given after the worker filter was last applied. 1 rater was not part of that run. "
        "Apply it again now"
    }
    with django_capture_on_commit_callbacks(execute=True):
        press(client, readable(client.get(addresses[0])))

    assert [run.parameters["share"] for run in QualityRun.objects.all()] == [0.25, 0.25]
    assert [notice_of(readable(client.get(each))) for each in addresses] == ["", ""]


@pytest.mark.parametrize("page", ["quality/preview/?share=20", "plan/?raters=2,4"])
def test_a_preview_and_a_plan_are_older_than_ratings(
    page: str,
    campaign: Campaign,
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    monkeypatch.setattr(preview, "QUICK_RATINGS", 0)
    monkeypatch.setattr(kept_plans, "QUICK_RATINGS", 0)
    address = f"/campaigns/{campaign.slug}/{page}"
    assert words_of(notice_of(readable(client.get(address)))) == (
        "With so many ratings, this takes longer than a page should. It is computed in the background and kept. Compute"
    )
    with django_capture_on_commit_callbacks(execute=True):
        press(client, readable(client.get(address)))
    assert notice_of(readable(client.get(address))) == ""

    judge(campaign, "late", 1)
    said = words_of(notice_of(readable(client.get(address))))
    assert re.fullmatch(r"Computed [-\d]+ [:\d]+ \(UTC\), before 1 newer rating\. Compute again", said)
    with django_capture_on_commit_callbacks(execute=True):
        press(client, readable(client.get(address)))
    assert notice_of(readable(client.get(address))) == ""


PLACES = ("", "agreement/", "operations/", "scores/")


@pytest.mark.parametrize("place", PLACES)
def test_a_release_and_all_that_stands_on_it_are_older_than_ratings_or_another_release(
    place: str, campaign: Campaign, client: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    freeze(campaign)
    address = f"/campaigns/{campaign.slug}/releases/1/{place}"
    if place:
        with django_capture_on_commit_callbacks(execute=True):
            reply = client.post(f"{address}{'runs' if place == 'scores/' else 'reports'}/", {"draws": 100}, follow=True)
        assert "Correct" not in readable(reply)
    assert notice_of(readable(client.get(address))) == ""

    judge(campaign, "late", 1)
    page = readable(client.get(address))
    assert words_of(notice_of(page)) == "This release was frozen before 1 newer rating. Freeze a release"
    assert "A release fixes the texts" in readable(press(client, page))

    freeze(campaign)
    page = readable(client.get(address))
    name = f"{campaign.slug}-v2"
    assert words_of(notice_of(page)) == f"A newer release has been frozen: {name}. Go to {name}"
    assert press(client, page).request["PATH_INFO"] == address.replace("/1/", "/2/")


def test_a_report_is_asked_for_again_with_all_that_it_was_asked_for_with(
    campaign: Campaign, client: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    release = freeze(campaign)
    address = f"/campaigns/{campaign.slug}/releases/1/operations/"
    asked = {"draws": 123, "word_pairs": SimpleUploadedFile("pairs.tsv", b"old\tancient\n")}
    with django_capture_on_commit_callbacks(execute=True):
        client.post(f"{address}reports/", asked)
    assert notice_of(readable(client.get(address))) == ""

    with_outputs(release)
    page = readable(client.get(address))
    assert words_of(notice_of(page)) == (
        "System outputs have been imported since this report was computed. Find operations"
    )
    with django_capture_on_commit_callbacks(execute=True):
        press(client, page)

    first, second = Report.objects.order_by("pk")
    assert first.parameters == second.parameters
    assert first.attached == second.attached != ""
    assert second.finished_at is not None
    assert "imported since this report" not in readable(client.get(address))
    assert client.post(f"{address}reports/", {"again": "0" * 16}).status_code == 404


def with_outputs(release: Release) -> None:
    source = release.campaign.sources.earliest("pk")
    lines = f"id,text\n{source.source_id},Rain.\n".encode()
    assert not outputs_import(campaign=release.campaign, system="T3", file_name="t.csv", content=lines).problems


def test_who_may_not_change_anything_is_only_told(campaign: Campaign) -> None:
    quality_apply(campaign=campaign, parameters=FilterParameters(share=0.25, min_items=1))
    judge(campaign, "late")
    viewer = make_staff("viewer")
    Membership.objects.create(campaign=campaign, user=viewer, role=Role.VIEWER)

    page = readable(staff_client(viewer).get(f"/campaigns/{campaign.slug}/quality/"))

    assert "2 ratings were given after the worker filter was last applied." in page
    assert "Apply it again now" not in page


@pytest.mark.parametrize("role", [Role.VIEWER, Role.MANAGER])
def test_who_may_not_freeze_is_not_led_to_it(role: Role, campaign: Campaign) -> None:
    freeze(campaign)
    judge(campaign, "late", 1)
    member = make_staff("member")
    Membership.objects.create(campaign=campaign, user=member, role=role)
    client = staff_client(member)

    for place in ("", "1/"):
        page = readable(client.get(f"/campaigns/{campaign.slug}/releases/{place}")).partition("<main")[2]
        assert ("Freeze a release" in page) == (role == Role.MANAGER)


def test_retired_texts_outputs_and_ratings_by_experts_are_newer_than_a_release(
    campaign: Campaign, client: Client
) -> None:
    release = freeze(campaign)
    with_outputs(release)
    source_retire(source=campaign.sources.earliest("pk"), note="Broken.", work_is_kept=False, user=None)
    expert_sample_draw(campaign=campaign, size=1, seed=1, experts=1)
    assert rate_next(enrol(campaign, Round.EXPERT, "expert")) is not None

    page = readable(client.get(f"/campaigns/{campaign.slug}/releases/1/"))
    assert words_of(notice_of(page)).startswith(
        "This release was frozen before 1 retired text, 1 newer rating by an expert and 1 newer output of a system."
    )


def test_what_test_participants_do_is_not_newer(campaign: Campaign, client: Client) -> None:
    freeze(campaign)
    rater = enrol(campaign, RATE, "rehearsing")
    rater.worker.is_test = True
    rater.worker.save()
    assert rate_next(rater) is not None
    person_exclude(worker=rater.worker, work_round=RATE, note="Done.", user=None)

    assert notice_of(readable(client.get(f"/campaigns/{campaign.slug}/releases/1/"))) == ""


def test_a_release_says_how_many_the_worker_filter_never_assessed(campaign: Campaign, client: Client) -> None:
    quality_apply(campaign=campaign, parameters=FilterParameters(share=0, min_items=1))
    judge(campaign, "late", 1)
    release = freeze(campaign)

    page = " ".join(readable(client.get(f"/campaigns/{campaign.slug}/releases/1/")).split())
    assert release.summary["not_assessed"] == {"editors": [0, 2], "raters": [1, 3]}
    assert "It never assessed 1 of the 3 raters in this release." in page
    assert "editors in this release" not in page
