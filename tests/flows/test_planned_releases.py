"""Reports on releases follow what was fixed before the first rating, or say that they do not; a copy rehearses."""

from pathlib import Path

import pytest
from django.core.management import call_command

from corpus.models import Release
from crowd.models import Campaign
from crowd.services.campaigns import campaign_state_set
from dashboard.simulation.crowd import crowd_simulate
from protocols.campaign_report import PlannedReport
from ratings.models import Rating
from reports.kinds import report_kinds
from reports.models import Report
from tests.support.arms import armed_campaign
from tests.support.factories import freeze, make_campaign, make_staff, readable, silent, staff_client
from tests.support.reports import printed

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

ANSWERS = Path(__file__).resolve().parents[2] / "docs" / "examples" / "answers"
QUICK = ("--draws=100", "--baseline=baseline")


def with_material(slug: str) -> Campaign:
    call_command("import_sources", slug, str(ANSWERS / "questions.csv"))
    call_command("import_outputs", str(ANSWERS / "outputs.csv"), f"--campaign={slug}", "--as-is")
    return Campaign.objects.get(slug=slug)


@pytest.fixture
def campaign() -> Campaign:
    make_staff("owner")
    call_command("create_campaign", "--template=question-answering", "--slug=answers", "--owner=owner")
    return with_material("answers")


def fixed(campaign: Campaign, **settings: str) -> str:
    client = staff_client(campaign.staff.get())
    sent = {"report": "comparison", "baseline": "baseline", "draws": "100", **settings}
    return readable(client.post(f"/campaigns/{campaign.slug}/planned-analysis/", sent, follow=True))


def reported(release: Release, *options: str) -> dict[str, str]:
    printed("report", release.name, "comparison", *options, "--format=json")
    report = Report.objects.latest("pk")
    kind = report_kinds()[report.kind]
    assert isinstance(kind, PlannedReport)
    return {"plan": kind.plan_words(report), "rehearsal": kind.rehearsal_words(report)}


def opened(campaign: Campaign) -> Campaign:
    campaign_state_set(campaign=campaign, state="open", user=None)
    return Campaign.objects.get(pk=campaign.pk)


def simulated(campaign: Campaign, seed: int, raters: int, *, as_tests: bool) -> None:
    crowd_simulate(campaign=campaign, editors=0, raters=raters, seed=seed, progress=silent, as_tests=as_tests)


def test_a_report_on_a_release_says_whether_it_follows_what_was_fixed(campaign: Campaign) -> None:
    simulated(campaign, 1, 1, as_tests=True)  # whose ratings do not count
    page = fixed(campaign)
    assert "before the first answer." in page
    assert "<dt>Baselinesystem</dt><dd>baseline</dd>" in "".join(page.split())
    campaign = opened(Campaign.objects.get(pk=campaign.pk))
    simulated(campaign, 2, 3, as_tests=False)
    release = freeze(campaign, min_compressions=0)

    follows = reported(release, *QUICK)
    differs = reported(release, *QUICK, "--judges=all")
    assert "This analysis was fixed on" in follows["plan"]
    assert follows["plan"].endswith("before the first answer.")
    assert differs["plan"].endswith("This one differs in: parameters.")
    assert "simulated people gave ratings" in follows["rehearsal"]
    assert printed("report", release.name, "comparison", *QUICK, "--format=csv").count("plan_sha256") == 1

    fixed(campaign, judges="all")
    assert "answers already: that is not beforehand." in reported(release, *QUICK, "--judges=all")["plan"]
    page = readable(
        staff_client(campaign.staff.get()).get(f"/campaigns/answers/releases/{release.version}/comparison/")
    )
    assert "that is not beforehand" in page


def test_of_imported_ratings_nobody_knows_what_was_first(campaign: Campaign) -> None:
    fixed(campaign)
    call_command("import_ratings", str(ANSWERS / "ratings.csv"), "--campaign=answers", "--pool=crowd")
    release = freeze(Campaign.objects.get(pk=campaign.pk), min_compressions=0)

    assert "Whether that was before the first answer is not known" in reported(release, *QUICK)["plan"]
    page = staff_client(campaign.staff.get()).get("/campaigns/answers/planned-analysis/")
    assert "Whether that was before the first answer is not known" in readable(page)


def test_a_copy_with_simulated_people_rehearses_and_leaves_the_study_untouched(
    campaign: Campaign, tmp_path: Path
) -> None:
    fixed(campaign)
    copied = tmp_path / "answers.yaml"
    call_command("export_campaign", "answers", f"--output={copied}")
    call_command("create_campaign", str(copied), "--slug=rehearsal", "--owner=owner")
    opened(with_material("rehearsal"))
    call_command("simulate_crowd", "rehearsal", "--editors=0", "--raters=3", "--for-release")
    release = freeze(Campaign.objects.get(slug="rehearsal"), min_compressions=0)

    told = reported(release, *QUICK)
    assert told["rehearsal"].startswith("A rehearsal")
    assert told["plan"].startswith("No analysis was fixed beforehand")
    assert not Rating.objects.filter(target__source__campaign=campaign).exists()
    assert "before the first answer." in fixed(Campaign.objects.get(pk=campaign.pk))


def test_what_cannot_be_fixed_is_refused_and_kept_as_typed(campaign: Campaign) -> None:
    client = staff_client(campaign.staff.get())
    address = "/campaigns/answers/planned-analysis/"
    wrong = client.post(address, {"report": "comparison", "baseline": "baseline", "draws": "7"})
    assert wrong.status_code == 422
    assert 'value="7"' in wrong.content.decode()
    assert client.post(address, {"report": "scale-comparison"}).status_code == 404  # there are no arms
    assert Campaign.objects.get(pk=campaign.pk).planned_analysis == {}
    study = make_campaign(rating_task="spans", owner=campaign.staff.get())
    assert client.get(f"/campaigns/{study.slug}/planned-analysis/").status_code == 404


def test_the_default_scales_are_those_that_were_fixed() -> None:
    campaign = armed_campaign(sources=1, texts=1)
    client = staff_client(campaign.staff.get())
    sent = {"report": "scale-comparison", "scales": "", "draws": "100"}
    assert client.post(f"/campaigns/{campaign.slug}/planned-analysis/", sent).status_code == 302
    chosen = Campaign.objects.get(pk=campaign.pk).planned_analysis["parameters"]["scales"]
    assert len(chosen) == 2
