"""What stands before people come: the checklist, the analysis fixed, and the rehearsal with test participants."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from common.console import Section
from common.errors import Refused
from common.jobs import Progress
from crowd.default_texts import default_texts
from crowd.models import Campaign
from protocols.campaign_report import CampaignReport
from protocols.parameters import CampaignParameters
from protocols.planned import analysis_of, plan_fix
from protocols.readiness import readiness_of
from protocols.tests.test_flow import GIVEN, TEXT, imported
from reports.downloads import report_as
from reports.kinds import Found, report_kinds
from reports.models import Report
from reports.parameters import names, number
from reports.services import report_complete, report_get_or_create
from tests.support.factories import RATE, make_campaign, make_staff, open_link, silent, staff_client
from tests.support.reports import with_addresses

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@dataclass(frozen=True)
class CountParameters(CampaignParameters):
    least: int = number(1, least=1, most=9, label="Least", api="Least.", option="least")
    chosen: tuple[str, ...] = names(most=3, label="Chosen", api="Chosen.", option="chosen")


class Counted(CampaignReport):
    key, namespace, job = "spans", "counted", "spans_report"
    job_label = "Counting"
    help = "How many answers there are."
    version = 1
    parameters = CountParameters
    template, button = "reports/report.html", "Count"
    first_columns = ("answers",)
    sections, first_sections = {"counted": lambda _report: Section("Counted", (), [], [])}, ("counted",)

    def compute(self, report: Report, progress: Progress) -> Found:
        del progress
        return Found([{"answers": len(self.answers(report))}], figures={})

    def latex_tables(self, report: Report) -> list[str]:
        return [f"{report.rows}"]


@pytest.fixture
def kind(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counted]:
    counted = Counted()
    monkeypatch.setitem(report_kinds(), "spans", counted)
    with with_addresses(counted):
        yield counted


def campaign_with_text() -> Campaign:
    campaign = make_campaign(rating_task="spans")
    imported(campaign, TEXT)
    return campaign


def answered(campaign: Campaign, *, is_test: bool) -> None:
    link = open_link(campaign=campaign, work_round=RATE, platform_key="direct", name=f"ours {is_test}", is_test=is_test)
    client = Client()
    client.post(link.get_absolute_url(), {"consent": "on", "action": "agree"})
    client.post("/work/guidelines/")
    address = client.post("/work/next/").headers["Location"]
    assert client.post(address, {"answer": json.dumps(GIVEN), "version": "0"}).status_code == 302


def computed(kind: Counted, campaign: Campaign, **chosen: Any) -> Report:
    report = report_get_or_create(kind=kind, on=campaign, parameters=CountParameters(**chosen))
    return report_complete(report=report, progress=silent)


def test_answers_of_tests_are_for_rehearsals_alone_and_every_file_says_so(kind: Counted) -> None:
    campaign = campaign_with_text()
    answered(campaign, is_test=True)

    with pytest.raises(Refused, match="Nobody has answered yet"):
        computed(kind, campaign)
    report = computed(kind, campaign, whose="test participants")

    assert report.rows == [{"answers": 1}]
    (words,) = kind.preface(report)
    assert words.startswith("A rehearsal")
    assert all("A rehearsal" in "".join(report_as(form, report)) for form in ("csv", "json", "latex"))


def test_answers_of_people_are_in_no_rehearsal(kind: Counted) -> None:
    campaign = campaign_with_text()
    answered(campaign, is_test=False)

    with pytest.raises(Refused, match="No test participant has answered yet"):
        computed(kind, campaign, whose="test participants")
    report = computed(kind, campaign)

    assert report.rows == [{"answers": 1}]
    assert kind.preface(report) == []
    assert not any("A rehearsal" in "".join(report_as(form, report)) for form in ("csv", "json", "latex"))


def test_what_was_fixed_after_a_rehearsal_is_the_plan_for_the_answers_of_people(kind: Counted) -> None:
    campaign = campaign_with_text()
    answered(campaign, is_test=True)
    rehearsed = computed(kind, campaign, whose="test participants", least=2, chosen=("a",))
    staff = staff_client(campaign.memberships.get().user)

    page = staff.get(f"/campaigns/{campaign.slug}/task/").content.decode()
    fixed = staff.post(f"/campaigns/{campaign.slug}/task/analysis/")
    answered(Campaign.objects.get(pk=campaign.pk), is_test=False)

    assert "analysis of the newest report" in page
    assert fixed.status_code == 302
    campaign = Campaign.objects.get(pk=campaign.pk)
    assert "before the first answer." in kind.plan_words(computed(kind, campaign, least=2, chosen=("a",)))
    assert "differs in: parameters" in kind.plan_words(computed(kind, campaign, least=3))
    assert "whose" not in campaign.planned_analysis["parameters"]
    assert rehearsed.pinned["plan"] is None


def test_an_analysis_fixed_after_an_answer_is_not_called_beforehand(kind: Counted) -> None:
    campaign = campaign_with_text()
    answered(campaign, is_test=False)

    plan_fix(campaign=campaign, analysis=analysis_of(campaign, kind, CountParameters()), user=None)

    campaign = Campaign.objects.get(pk=campaign.pk)
    assert "when there was 1 answer already" in kind.plan_words(computed(kind, campaign))
    assert [each.is_ready for each in readiness_of(campaign) if "analysis" in each.words] == [False]


def test_the_checklist_says_what_is_open_and_what_is_done(kind: Counted) -> None:
    campaign = make_campaign(rating_task="spans", rater_guidelines=default_texts()["rater_guidelines"])
    assert [each.is_ready for each in readiness_of(campaign)] == [False] * 5

    imported(campaign, TEXT, TEXT | {"id": "2", "expected": {"marks": [], "no_errors": True, "score": 90}})
    Campaign.objects.filter(pk=campaign.pk).update(rater_guidelines="Mark the errors.")
    campaign = Campaign.objects.get(pk=campaign.pk)
    plan_fix(campaign=campaign, analysis=analysis_of(campaign, kind, CountParameters()), user=None)
    campaign = Campaign.objects.get(pk=campaign.pk)

    assert [each.is_ready for each in readiness_of(campaign)] == [True, True, True, True, False]


def test_a_viewer_cannot_fix_the_analysis(kind: Counted) -> None:
    campaign = campaign_with_text()
    viewer = make_staff("looker")
    campaign.memberships.create(user=viewer, role="viewer")
    client = staff_client(viewer)

    assert "Fix the analysis" not in client.get(f"/campaigns/{campaign.slug}/task/").content.decode()
    assert client.post(f"/campaigns/{campaign.slug}/task/analysis/").status_code == 403
