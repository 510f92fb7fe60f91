"""Quality control: who is left out and why, and that nothing is deleted."""

from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from common.jobs import job_run
from common.models import Job
from compressions.models import Compression, Target
from crowd.models import Campaign, Worker
from measures.quality_control.worker_filter import FILTER_VERSION, FilterParameters, Order
from ratings.models import QualityDecision, QualityRun, Rating, Score
from ratings.selectors.judgements import judgements_of_campaign
from ratings.selectors.quality import decisions_of_run, latest_quality_run, people_left_out
from ratings.services.quality import quality_apply
from tests.support.factories import (
    EDIT,
    RATE,
    enrol,
    golden_campaign,
    judged_campaign,
    make_campaign,
    make_staff,
    readable,
    staff_client,
)

pytestmark = pytest.mark.django_db

HALF = FilterParameters(share=0.5)
STORED = (Compression, Target, Rating, Score, Worker)


def decided(run: QualityRun, work_round: str) -> dict[str, tuple[float | None, int, bool, str]]:
    decisions = run.decisions.filter(round=work_round).select_related("worker")
    return {each.worker.external_id: (each.quality, each.items, each.removed, each.reason) for each in decisions}


def role_summary(**told: Any) -> dict[str, Any]:
    """What a run tells of a role; nothing and nobody where not given."""
    nobody = {"workers": 0, "eligible": 0, "removed": 0, "unassessed": 0, "unassessed_work": 0}
    return nobody | {"threshold": None, "cut": None, "tie": False, "convergence": []} | told


def test_raters_first_then_editors_on_what_remains() -> None:
    run = quality_apply(campaign=golden_campaign(), parameters=HALF)

    # Fair: |3 - 2| on good texts and |2 - 1.5| on poor ones; grim: 2 and 1. Then 3 and 2 are left of the texts.
    assert decided(run, RATE) == {
        "fair": (0.75, 10, False, "kept"),
        "fair too": (0.75, 10, False, "kept"),
        "grim": (1.5, 10, True, "deviation 1.50 over 10 ratings is among the highest 1 of 3"),
    }
    assert decided(run, EDIT) == {
        "editor-1": (3.0, 5, False, "kept"),
        "editor-2": (2.0, 5, True, "quality 2.00 over 5 texts is among the lowest 1 of 2"),
    }
    assert run.rule == FILTER_VERSION
    assert run.parameters == {
        "share": 0.5,
        "min_items": 5,
        "order": "raters first",
        "rater_quality": "deviation from the others",
        "roles": "raters and editors",
    }
    assert run.summary == {
        "raters": role_summary(workers=3, eligible=3, removed=1, threshold=1.5, cut=1.125),
        "editors": role_summary(workers=2, eligible=2, removed=1, threshold=2.0, cut=2.5),
        "ratings": 30,
        "ratings_kept": 10,
        "texts": 10,
        "texts_kept": 5,
    }


def test_editors_first_then_raters_on_what_remains() -> None:
    run = quality_apply(campaign=golden_campaign(), parameters=FilterParameters(0.5, 5, Order.EDITORS_FIRST))

    editors, raters = decided(run, EDIT), decided(run, RATE)
    assert editors["editor-1"][0] == pytest.approx(7 / 3)
    assert editors["editor-2"][3] == "quality 1.67 over 5 texts is among the lowest 1 of 2"
    assert raters["fair"] == (1.0, 5, False, "kept")
    assert raters["grim"] == (2.0, 5, True, "deviation 2.00 over 5 ratings is among the highest 1 of 3")


def test_nothing_is_deleted() -> None:
    campaign = golden_campaign()
    before = [list(model.objects.order_by("pk").values()) for model in STORED]

    quality_apply(campaign=campaign, parameters=FilterParameters(share=1.0, min_items=1))

    after = [list(model.objects.order_by("pk").values()) for model in STORED]
    assert before == after


def test_who_has_too_few_items_is_never_left_out() -> None:
    run = quality_apply(campaign=judged_campaign(sources=2), parameters=FilterParameters(share=1.0))

    assert not run.decisions.filter(removed=True).exists()
    assert decided(run, EDIT)["editor-1"] == (2.75, 2, False, "not eligible: 2 items, 5 wanted")


def test_a_rater_without_company_has_no_quality() -> None:
    run = quality_apply(campaign=judged_campaign(scores=((3, 3),)), parameters=FilterParameters(1.0, 1))

    assert decided(run, RATE) == {"rater-1": (None, 0, False, "not eligible: 0 items, 1 wanted")}


def test_a_campaign_without_work_has_a_run_without_decisions() -> None:
    run = quality_apply(campaign=make_campaign(), parameters=FilterParameters())

    assert not run.decisions.exists()
    assert run.summary["editors"] == role_summary()


def test_the_latest_run_counts() -> None:
    campaign = golden_campaign()
    strict = quality_apply(campaign=campaign, parameters=HALF)
    lenient = quality_apply(campaign=campaign, parameters=FilterParameters(share=0.0))

    assert len(people_left_out(campaign, strict)) == 2
    assert latest_quality_run(campaign) == lenient
    assert people_left_out(campaign, lenient) == []
    assert QualityRun.objects.count() == 2


def test_runs_know_their_own_campaign_only() -> None:
    one, other = golden_campaign(), judged_campaign(sources=1)

    run = quality_apply(campaign=other, parameters=HALF)

    assert latest_quality_run(one) is None
    assert {decision.worker.campaign for decision in run.decisions.all()} == {other}
    assert run.summary["ratings"] == 2


def test_a_text_of_two_editors_counts_for_both() -> None:
    campaign = judged_campaign(sources=1, scores=((3, 1), (2, 2)))
    text = Compression.objects.get()
    twin = enrol(make_campaign(), EDIT).worker
    Compression.objects.bulk_create(
        [Compression(**{**_fields(text), "worker_id": twin.pk, "assignment_id": _other_assignment(text, twin)})]
    )

    run = quality_apply(campaign=campaign, parameters=FilterParameters())

    assert {decision.quality for decision in run.decisions.filter(round=EDIT)} == {2.0}
    assert run.decisions.filter(round=EDIT).count() == 2


def _fields(text: Compression) -> dict[str, object]:
    names = ("source_id", "target_id", "text", "edit_log", "length", "allowed")
    return {name: getattr(text, name) for name in names}


def _other_assignment(text: Compression, worker: Worker) -> int:
    assignment = text.assignment
    assignment.pk, assignment.worker = None, worker
    assignment.save()
    assert assignment.pk
    return int(assignment.pk)


def test_the_worst_stand_first_and_the_unknown_last() -> None:
    run = quality_apply(campaign=golden_campaign(), parameters=HALF)
    alone = enrol(make_campaign(), RATE).worker
    QualityDecision.objects.create(
        run=run, worker=alone, round=RATE, quality=None, items=0, removed=False, reason="kept"
    )

    assert [each.quality for each in decisions_of_run(run, RATE)] == [1.5, 0.75, 0.75, None]
    assert [each.quality for each in decisions_of_run(run, EDIT)] == [2.0, 3.0]


def test_the_judgements_are_read_in_seven_queries_whatever_their_number() -> None:
    for campaign in (make_campaign(), judged_campaign(sources=1), golden_campaign()):
        with CaptureQueriesContext(connection) as captured:
            judgements_of_campaign(campaign)
        assert len(captured) == 7


def test_the_judgements_are_those_of_the_tables() -> None:
    judgements = judgements_of_campaign(golden_campaign())

    ratings = judgements.ratings
    rows = zip(
        judgements.target_ids[ratings.text],
        judgements.rater_ids[ratings.rater],
        *ratings.scores.T,
        strict=True,
    )
    stored = Rating.objects.prefetch_related("scores")
    assert sorted(rows) == sorted((each.target_id, each.worker_id, *points_of(each)) for each in stored)
    authors = zip(
        judgements.target_ids[judgements.authorship.text],
        judgements.editor_ids[judgements.authorship.editor],
        strict=True,
    )
    assert sorted(authors) == sorted(Compression.objects.values_list("target_id", "worker_id"))


def points_of(rating: Rating) -> tuple[int, int]:
    points = {score.scale: score.value for score in rating.scores.all()}
    return points["meaning"], points["grammar"]


def test_the_command_says_what_it_decided(capsys: pytest.CaptureFixture[str]) -> None:
    campaign = golden_campaign()

    call_command("apply_quality", campaign.slug, "--share", "0.5", "--first", "editors", "--min-items", "4")

    assert capsys.readouterr().out == (
        "1 of 3 raters and 1 of 2 editors excluded; 10 of 30 ratings and 5 of 10 texts kept.\n"
    )
    assert QualityRun.objects.get().parameters == {
        "share": 0.5,
        "min_items": 4,
        "order": "editors first",
        "rater_quality": "deviation from the others",
        "roles": "raters and editors",
    }


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--share", "2"], r"share must be between 0 and 1, not 2\.0"),
        (["--share", "-0.1"], "share must be between"),
        (["--share", "nan"], "share must be between"),
        (["--min-items", "0"], "min_items must be at least 1"),
    ],
)
def test_the_command_refuses_parameters_without_sense(arguments: list[str], reason: str) -> None:
    with pytest.raises(CommandError, match=reason):
        call_command("apply_quality", make_campaign().slug, *arguments)

    assert not QualityRun.objects.exists()


def test_the_command_knows_no_other_campaign() -> None:
    with pytest.raises(CommandError, match="There is no campaign 'other'"):
        call_command("apply_quality", "other")


@pytest.mark.django_db(transaction=True)
def test_staff_apply_the_rule_and_read_who_is_left_out_and_why() -> None:
    campaign = golden_campaign()
    owner = make_staff()
    campaign.staff.add(owner)
    client = staff_client(owner)
    address = f"/campaigns/{campaign.slug}/quality/"
    assert "No rule is active" in readable(client.get(address))

    page = client.post(f"{address}apply/", follow=True)

    job = Job.objects.get(kind="apply_quality")
    assert page.redirect_chain[-1][0] == f"/campaigns/{campaign.slug}/jobs/{job.pk}/"
    assert job.message == "0 of 3 raters and 0 of 2 editors excluded; 30 of 30 ratings and 10 of 10 texts kept."
    assert job.message in readable(page)
    assert QualityRun.objects.get().requested_by == owner
    quality_apply(campaign=campaign, parameters=HALF)
    text = readable(client.get(address))
    assert "deviation 1.50 over 10 ratings is among the highest 1 of 3" in text
    assert "quality 2.00 over 5 texts is among the lowest 1 of 2" in text
    assert text.count("excluded</strong>") == 2


@pytest.mark.django_db(transaction=True)
def test_a_job_that_is_run_again_makes_no_second_run() -> None:
    campaign = golden_campaign()
    owner = make_staff()
    campaign.staff.add(owner)
    staff_client(owner).post(f"/campaigns/{campaign.slug}/quality/apply/")
    job = Job.objects.get(kind="apply_quality")
    Job.objects.update(state=Job.State.QUEUED)

    job_run(job_id=job.pk)

    assert QualityRun.objects.count() == 1
    assert Job.objects.get(pk=job.pk).message == job.message


def test_the_page_takes_a_constant_number_of_queries() -> None:
    owner = make_staff()
    client = staff_client(owner)

    def queries(campaign: Campaign) -> int:
        campaign.staff.add(owner)
        quality_apply(campaign=campaign, parameters=FilterParameters())
        with CaptureQueriesContext(connection) as captured:
            assert client.get(f"/campaigns/{campaign.slug}/quality/").status_code == 200
        return len(captured)

    assert queries(judged_campaign(sources=1)) == queries(golden_campaign())


def test_looking_at_the_page_writes_nothing() -> None:
    owner = make_staff()
    campaign = make_campaign(owner=owner)

    staff_client(owner).get(f"/campaigns/{campaign.slug}/quality/")
    reply = staff_client(owner).get(f"/campaigns/{campaign.slug}/quality/apply/")

    assert reply.status_code == 405
    assert not QualityRun.objects.exists()
