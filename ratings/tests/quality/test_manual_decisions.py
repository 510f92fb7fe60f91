"""Whom staff keep in or leave out by hand: it wins over every rule, before and after, until it is withdrawn."""

from typing import NamedTuple

import pytest
from django.test import Client

from crowd.models import Campaign, Worker
from measures.quality_control.parameters import FilterParameters, Roles
from ratings.models import Inclusion, QualityRun
from ratings.selectors.quality import latest_quality_run, people_left_out
from ratings.services.quality import quality_apply
from tests.support.factories import EDIT, RATE, freeze, golden_campaign, readable, staff_client
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db

WHY = "they were ill that day"
STAYS = "Always kept, whatever a rule says."


class Case(NamedTuple):
    """A rule that leaves out just one person of the golden campaign, and nobody when this one stays."""

    round: str
    name: str
    parameters: FilterParameters
    reason: str


GRIM = Case(
    RATE,
    "grim",
    FilterParameters(share=0.4, roles=Roles.RATERS),
    "deviation 1.50 over 10 ratings is among the highest 1 of 3",
)
POOR = Case(
    EDIT,
    "editor-2",
    FilterParameters(share=0.5, roles=Roles.EDITORS),
    "quality 1.67 over 5 texts is among the lowest 1 of 2",
)
both_rounds = pytest.mark.parametrize("case", [GRIM, POOR], ids=["rater", "editor"])


def person_of(campaign: Campaign, case: Case) -> Worker:
    return Worker.objects.get(campaign=campaign, external_id=case.name)


def page_of(worker: Worker) -> str:
    return f"/campaigns/{worker.campaign.slug}/people/{worker.number}/"


def staff_of(worker: Worker) -> Client:
    return staff_client(worker.campaign.staff.get())


def send(worker: Worker, path: str, **fields: str) -> str:
    """What staff read after a form of a person's page."""
    return readable(staff_of(worker).post(f"{page_of(worker)}{path}/", fields, follow=True))


def keep_in(campaign: Campaign, case: Case, note: str = WHY) -> str:
    return send(person_of(campaign, case), f"include/{case.round}", note=note)


def keep_no_longer(campaign: Campaign, case: Case) -> str:
    return send(person_of(campaign, case), f"include/{case.round}", included="0")


def exclude(campaign: Campaign, case: Case, note: str = WHY) -> str:
    return send(person_of(campaign, case), f"exclude/{case.round}", note=note)


def readmit(campaign: Campaign, case: Case) -> str:
    return send(person_of(campaign, case), f"exclude/{case.round}", excluded="0")


def apply(campaign: Campaign, case: Case) -> QualityRun:
    return quality_apply(campaign=campaign, parameters=case.parameters)


def decision_on(run: QualityRun, case: Case) -> tuple[bool, bool, str]:
    decision = run.decisions.get(round=case.round, worker__external_id=case.name)
    return decision.removed, decision.is_by_hand, decision.reason


def left_out(campaign: Campaign) -> dict[str, str]:
    """Whom a release leaves out now and why, by the names that the platform gives them."""
    people = people_left_out(campaign, latest_quality_run(campaign))
    release = freeze(campaign)
    assert [(each["id"], each["round"], each["reason"]) for each in release.left_out_people] == [
        (each.worker.pk, each.round, each.reason) for each in people
    ]
    raters = sum(each.round == RATE for each in people)
    assert release.summary["left_out"]["removed_raters"] == raters
    assert release.summary["left_out"]["removed_editors"] == len(people) - raters
    assert release.summary["compressions"] == 10 - 5 * (len(people) - raters)
    assert release.summary["ratings"] == release.summary["compressions"] * (3 - raters)
    return {each.worker.external_id: each.reason for each in people}


# Before the rule is applied


@both_rounds
def test_the_rule_keeps_whom_staff_keep_in(case: Case) -> None:
    campaign = golden_campaign()
    assert STAYS in keep_in(campaign, case)

    run = apply(campaign, case)

    assert decision_on(run, case) == (False, True, "included by hand")
    assert left_out(campaign) == {}


@both_rounds
def test_the_rule_follows_whom_staff_exclude(case: Case) -> None:
    campaign = golden_campaign()
    exclude(campaign, case)

    run = apply(campaign, case)

    assert decision_on(run, case) == (True, True, "excluded by hand")
    assert left_out(campaign) == {case.name: "excluded by hand"}


@both_rounds
def test_the_next_run_decides_when_nobody_is_kept_in_any_longer(case: Case) -> None:
    campaign = golden_campaign()
    keep_in(campaign, case)
    apply(campaign, case)

    assert STAYS not in keep_no_longer(campaign, case)
    run = apply(campaign, case)

    assert decision_on(run, case) == (True, False, case.reason)
    assert left_out(campaign) == {case.name: case.reason}


@both_rounds
def test_an_exclusion_that_a_run_followed_ends_with_its_withdrawal(case: Case) -> None:
    campaign = golden_campaign()
    exclude(campaign, case)
    run = apply(campaign, case)

    readmit(campaign, case)

    assert latest_quality_run(campaign) == run
    assert left_out(campaign) == {}


# After the rule was applied


@both_rounds
def test_who_is_kept_in_after_the_run_is_not_left_out_until_it_is_withdrawn(case: Case) -> None:
    campaign = golden_campaign()
    run = apply(campaign, case)
    assert left_out(campaign) == {case.name: case.reason}

    keep_in(campaign, case)
    assert left_out(campaign) == {}
    assert decision_on(run, case) == (True, False, case.reason)

    keep_no_longer(campaign, case)
    assert left_out(campaign) == {case.name: case.reason}


@both_rounds
def test_who_is_excluded_after_the_run_is_left_out_until_readmitted(case: Case) -> None:
    campaign = golden_campaign()
    quality_apply(campaign=campaign, parameters=FilterParameters(share=0.0))

    exclude(campaign, case)
    assert left_out(campaign) == {case.name: "excluded by hand"}

    readmit(campaign, case)
    assert left_out(campaign) == {}


@both_rounds
def test_the_rule_s_decision_is_back_when_an_exclusion_beside_it_ends(case: Case) -> None:
    campaign = golden_campaign()
    apply(campaign, case)

    exclude(campaign, case)
    assert left_out(campaign) == {case.name: "excluded by hand"}

    readmit(campaign, case)
    assert left_out(campaign) == {case.name: case.reason}


@both_rounds
def test_a_release_stays_as_it_was_when_somebody_is_kept_in_later(case: Case) -> None:
    campaign = golden_campaign()
    apply(campaign, case)
    release = freeze(campaign)
    before = (release_folder(release) / "manifest.json").read_bytes()

    keep_in(campaign, case)

    release.refresh_from_db()
    assert [each["reason"] for each in release.left_out_people] == [case.reason]
    assert (release_folder(release) / "manifest.json").read_bytes() == before


# Both at once


@both_rounds
def test_who_is_excluded_is_not_kept_in(case: Case) -> None:
    campaign = golden_campaign()
    exclude(campaign, case)

    assert "This participant is excluded. Let them work again first." in keep_in(campaign, case)

    assert not Inclusion.objects.exists()
    assert left_out(campaign) == {case.name: "excluded by hand"}


@both_rounds
def test_exclusion_wins_over_having_been_kept_in(case: Case) -> None:
    campaign = golden_campaign()
    keep_in(campaign, case)

    exclude(campaign, case)

    assert left_out(campaign) == {case.name: "excluded by hand"}
    assert decision_on(apply(campaign, case), case) == (True, True, "excluded by hand")
    assert left_out(campaign) == {case.name: "excluded by hand"}


@both_rounds
def test_no_page_says_that_an_excluded_person_stays_in(case: Case) -> None:
    campaign = golden_campaign()
    keep_in(campaign, case)

    assert STAYS not in exclude(campaign, case)

    worker = person_of(campaign, case)
    assert "Let this participant work again" in readable(staff_of(worker).get(page_of(worker)))
    assert "<td>kept</td>" not in readable(staff_of(worker).get(f"/campaigns/{campaign.slug}/quality/"))
