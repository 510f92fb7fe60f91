"""Runs can be withdrawn, and every decision stays as a row that says why."""

import csv
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from common.clock import database_now
from compressions.models import Compression
from crowd.models import Campaign, CampaignState, Exclusion, Worker
from measures.quality_control.parameters import FILTER_VERSION, FilterParameters, RaterQuality
from ratings.models import Inclusion, QualityDecision, QualityRun, Rating, Score
from ratings.selectors.quality import latest_quality_run
from ratings.services.quality import quality_apply
from ratings.tests.quality.test_manual_decisions import (
    GRIM,
    POOR,
    WHY,
    apply,
    exclude,
    keep_in,
    keep_no_longer,
    person_of,
    readmit,
)
from tests.support.factories import (
    EDIT,
    RATE,
    freeze,
    golden_campaign,
    judged_campaign,
    make_staff,
    readable,
    staff_client,
)

pytestmark = pytest.mark.django_db

NOBODY = FilterParameters(share=0.0)
STORED = (Worker, Compression, Rating, Score, QualityRun, QualityDecision, Inclusion, Exclusion)


def staff_of(campaign: Campaign) -> Client:
    return staff_client(campaign.staff.get())


def withdraw(run: QualityRun) -> Any:
    return staff_of(run.campaign).post(f"/campaigns/{run.campaign.slug}/quality/{run.pk}/withdraw/", follow=True)


def read(campaign: Campaign, path: str = "quality/") -> str:
    return " ".join(readable(staff_of(campaign).get(f"/campaigns/{campaign.slug}/{path}")).split())


def left_out(campaign: Campaign) -> list[str]:
    return [each["reason"] for each in freeze(campaign).left_out_people]


def editors_left_out_on_the_dashboard(campaign: Campaign) -> str:
    """And of how many, once the campaign is closed."""
    Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.CLOSED)
    return read(campaign, "").split("<dt>Editors excluded</dt> <dd>")[1].split("</dd>")[0].strip()


# Withdrawing a run


def test_a_withdrawn_run_gives_way_to_the_one_before_it() -> None:
    campaign = golden_campaign()
    before, after = apply(campaign, POOR), quality_apply(campaign=campaign, parameters=NOBODY)
    assert left_out(campaign) == []
    assert editors_left_out_on_the_dashboard(campaign) == "0 of 2"

    assert "The decisions of that run no longer count." in readable(withdraw(after))

    assert latest_quality_run(campaign) == before
    assert left_out(campaign) == [POOR.reason]
    assert editors_left_out_on_the_dashboard(campaign) == "1 of 2"
    assert POOR.reason in read(campaign)
    assert freeze(campaign).quality_run == before


def test_without_any_run_nobody_is_left_out() -> None:
    campaign = golden_campaign()
    withdraw(apply(campaign, POOR))

    assert left_out(campaign) == []
    assert freeze(campaign).quality_run is None
    assert "No rule is active." in read(campaign)
    assert f"{FILTER_VERSION} · withdrawn" in read(campaign)
    assert "Editors excluded</dt>" not in read(campaign, "")


def test_withdrawing_an_earlier_run_leaves_the_latest_in_force() -> None:
    campaign = golden_campaign()
    before, after = apply(campaign, POOR), quality_apply(campaign=campaign, parameters=NOBODY)

    withdraw(before)
    assert latest_quality_run(campaign) == after

    withdraw(after)
    assert latest_quality_run(campaign) is None


def test_withdrawing_twice_changes_nothing_more() -> None:
    campaign = golden_campaign()
    run = apply(campaign, POOR)
    withdraw(run)
    first = QualityRun.objects.values().get()
    campaign.staff.add(other := make_staff())

    staff_client(other).post(f"/campaigns/{campaign.slug}/quality/{run.pk}/withdraw/")

    assert first["withdrawn_at"] is not None
    assert first["withdrawn_by_id"] != other.pk
    assert QualityRun.objects.values().get() == first


def test_a_release_keeps_the_run_it_was_frozen_with() -> None:
    campaign = golden_campaign()
    run = apply(campaign, POOR)
    release = freeze(campaign)

    withdraw(run)

    release.refresh_from_db()
    assert release.quality_run == run
    assert [each["reason"] for each in release.left_out_people] == [POOR.reason]


def test_only_staff_of_the_run_s_campaign_withdraw_it() -> None:
    campaign, other = golden_campaign(), judged_campaign(sources=1)
    run = apply(campaign, POOR)
    address = f"quality/{run.pk}/withdraw/"

    assert staff_of(other).post(f"/campaigns/{other.slug}/{address}").status_code == 404
    assert staff_of(other).post(f"/campaigns/{campaign.slug}/{address}").status_code == 404
    assert staff_of(campaign).post(f"/campaigns/{campaign.slug}/quality/{run.pk + 1}/withdraw/").status_code == 404
    assert staff_of(campaign).post(f"/campaigns/{campaign.slug}/quality/{2**70}/withdraw/").status_code == 404
    assert staff_of(campaign).get(f"/campaigns/{campaign.slug}/{address}").status_code == 405
    assert Client().post(f"/campaigns/{campaign.slug}/{address}")["Location"].startswith("/login/")
    assert latest_quality_run(campaign) == run


# Rows stay


def test_nothing_that_staff_do_deletes_a_row() -> None:
    campaign = golden_campaign()
    written = [0] * len(STORED)
    for act in (
        lambda: apply(campaign, GRIM),
        lambda: keep_in(campaign, GRIM),
        lambda: exclude(campaign, GRIM),
        lambda: apply(campaign, POOR),
        lambda: readmit(campaign, GRIM),
        lambda: keep_no_longer(campaign, GRIM),
        lambda: withdraw(QualityRun.objects.latest("pk")),
        lambda: exclude(campaign, POOR),
        lambda: readmit(campaign, POOR),
    ):
        act()
        counted = [model._default_manager.count() for model in STORED]
        assert all(now >= before for now, before in zip(counted, written, strict=True))
        written = counted

    assert written == [5, 10, 30, 60, 2, 10, 1, 2]


@pytest.mark.parametrize("quality", list(RaterQuality))
def test_every_decision_says_why_and_whether_it_is_by_hand(quality: RaterQuality) -> None:
    campaign = golden_campaign()
    keep_in(campaign, GRIM)
    exclude(campaign, POOR)

    run = quality_apply(campaign=campaign, parameters=FilterParameters(share=0.5, rater_quality=quality))

    assert run.decisions.count() == 5
    assert not run.decisions.filter(reason="").exists()
    manual = run.decisions.filter(is_by_hand=True).values_list("worker__external_id", "removed", "reason")
    assert set(manual) == {("grim", False, "included by hand"), ("editor-2", True, "excluded by hand")}


def test_the_table_of_decisions_holds_all_runs() -> None:
    campaign, other = golden_campaign(), judged_campaign(sources=1)
    runs = [apply(campaign, GRIM), apply(campaign, POOR)]
    quality_apply(campaign=other, parameters=NOBODY)
    withdraw(runs[1])

    reply: Any = staff_of(campaign).get(f"/campaigns/{campaign.slug}/quality/decisions.csv")
    rows = list(csv.DictReader(b"".join(reply.streaming_content).decode("utf-8-sig").splitlines()))

    assert [row["run"] for row in rows] == [str(run.pk) for run in runs for _ in range(5)]
    assert [bool(row["withdrawn_at"]) for row in rows] == [False] * 5 + [True] * 5
    assert {(row["worker"], row["round"], row["reason"]) for row in rows if row["left_out"] == "1"} == {
        (person_of(campaign, case).public_name, case.round, case.reason) for case in (GRIM, POOR)
    }
    assert {row["reason"] for row in rows if row["left_out"] == "0"} == {"kept", "not judged by this rule"}
    columns = ("quality", "standard_error", "gap_to_cut", "gap_in_standard_errors")
    grim = next([row[name] for name in columns] for row in rows if row["left_out"] == "1")
    # Five times 2 and five times 1 from the others, who are 0.75 off on average.
    assert [float(each) for each in grim] == pytest.approx([1.5, 1 / 6, -0.375, -2.25])
    assert {row["standard_error"] for row in rows if row["reason"] == "not judged by this rule"} == {""}


# What is read of one person


def test_the_page_of_a_person_tells_all_that_was_decided() -> None:
    campaign = golden_campaign()
    worker = person_of(campaign, POOR)
    withdraw(apply(campaign, POOR))
    keep_in(campaign, POOR)
    apply(campaign, POOR)
    keep_no_longer(campaign, POOR)
    exclude(campaign, POOR, "copies")

    page = read(campaign, f"people/{worker.number}/")

    decided = page.split('aria-label="What rules decided"')[1].split("</table>")[0]
    assert decided.index("included by hand") < decided.index(POOR.reason)
    assert decided.count("· withdrawn") == 1
    assert WHY in page.split('aria-label="Always kept so far"')[1].split("</table>")[0]
    assert "copies" in page.split('aria-label="Exclusions so far"')[1].split("</table>")[0]
    for compression in Compression.objects.filter(worker=worker):
        link = f"/campaigns/{campaign.slug}/compressions/{compression.pk}/"
        assert f'href="{link}"' in page
        assert staff_of(campaign).get(link).status_code == 200
    assert page.count("How it was written") == 5


# What the database itself holds


def inclusion(worker: Worker, **fields: Any) -> Inclusion:
    values = {"worker": worker, "round": RATE, "note": WHY, "created_at": database_now()}
    return Inclusion.objects.create(**(values | fields))


def test_the_database_itself_wants_a_reason_to_keep_somebody_in() -> None:
    with pytest.raises(IntegrityError, match="inclusion_says_why"), transaction.atomic():
        inclusion(person_of(golden_campaign(), GRIM), note="")


def test_the_database_itself_keeps_nobody_in_twice_at_once() -> None:
    worker = person_of(golden_campaign(), GRIM)
    inclusion(worker)
    inclusion(worker, withdrawn_at=database_now())
    inclusion(worker, round=EDIT)

    with pytest.raises(IntegrityError), transaction.atomic():
        inclusion(worker)

    assert Inclusion.objects.count() == 3


def test_the_database_itself_wants_one_decision_on_a_person_in_a_run() -> None:
    run = apply(golden_campaign(), GRIM)
    decision = run.decisions.get(worker__external_id="grim")
    decision.pk = None

    with pytest.raises(IntegrityError), transaction.atomic():
        decision.save()
