"""A check that is slow, that fails or that would write says nothing of what it looks at, and harms nothing."""

import json
import time
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import OperationalError, transaction
from django.db.migrations.recorder import MigrationRecorder

from common.clock import database_now
from common.models import Job
from crowd.models import Campaign
from maintenance.checks import computer, registry
from maintenance.checks.registry import Check, Finding, Look, Verdict, fine, run, wrong
from tests.support.factories import judged_campaign, make_campaign

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def check_of(function: registry.CheckFunction, *, seconds: float = 0.2, asks_database: bool = False) -> Check:
    return Check("disk", function.__name__, function, seconds, asks_database)


def test_a_check_that_takes_too_long_could_not_look() -> None:
    def sleeps(_look: Look) -> Finding:
        time.sleep(2)
        return fine("Too late.")

    began = time.monotonic()
    assert run(check_of(sleeps), Look()) == Finding(Verdict.UNSEEN, "no answer within 0 seconds.")
    assert time.monotonic() - began < 1.5


def test_a_check_that_fails_could_not_look_and_says_why() -> None:
    def breaks(_look: Look) -> Finding:
        raise RuntimeError("a defect")

    assert run(check_of(breaks), Look()) == Finding(Verdict.UNSEEN, "the check itself failed (RuntimeError: a defect).")


def test_where_the_database_does_not_answer_a_check_could_not_look() -> None:
    def asks(_look: Look) -> Finding:
        raise OperationalError("gone")

    finding = run(check_of(asks, asks_database=True), Look())
    assert finding == Finding(Verdict.UNSEEN, "the database does not answer this question (OperationalError).")


def test_the_database_refuses_what_a_check_writes() -> None:
    campaign = make_campaign()

    def writes(_look: Look) -> Finding:
        with transaction.atomic():
            Campaign.objects.filter(pk=campaign.pk).update(name="written")
        return fine("It wrote.")

    finding = run(check_of(writes, asks_database=True), Look())
    assert finding.verdict is Verdict.UNSEEN
    campaign.refresh_from_db()
    assert campaign.name != "written"


# The command


def told(*arguments: str) -> tuple[str, int]:
    """What the command says, and its exit code."""
    output = StringIO()
    try:
        call_command("doctor", *arguments, stdout=output)
    except SystemExit as end:
        return output.getvalue(), int(str(end.code))
    return output.getvalue(), 0


HEALTHY = ("versions", "migrations", "clock", "jobs", "parser", "releases", "public")


def test_a_healthy_installation_is_told_so() -> None:
    judged_campaign()
    # Periodic work is late once it was not done for minutes since the last upgrade, which is when tests began.
    MigrationRecorder.Migration.objects.update(applied=database_now())
    said, code = told(*(f"--only={each}" for each in HEALTHY))
    assert code == 0, said
    assert "WRONG" not in said
    assert "Nothing wrong found by" in said


def test_all_checks_run_and_every_one_says_something() -> None:
    said, _code = told("--format=json")
    found = json.loads(said)
    assert {each["subject"] for each in found} == set(registry.SUBJECTS)
    assert all(each["message"].endswith((".", ".)")) for each in found), found
    assert len(found) == len(registry.checks()) > 25
    assert not [each for each in found if "check itself failed" in each["message"]]


def test_the_exit_code_says_that_something_is_wrong_and_json_what(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computer, "free_bytes", lambda _path: 1000)
    said, code = told("--only=disk", "--format=json")
    assert code == 1
    (space, _files) = json.loads(said)
    assert (space["subject"], space["check"], space["verdict"]) == ("disk", "free_space", "wrong")
    assert "has 0.0 GB left" in space["message"]
    text, code = told("--only=disk")
    assert code == 1
    assert "Wrong: 1 of 2 checks." in text


def test_it_writes_nothing() -> None:
    campaign = judged_campaign()
    before = Job.objects.count(), Campaign.objects.filter(pk=campaign.pk).values().get()
    told()
    assert (Job.objects.count(), Campaign.objects.filter(pk=campaign.pk).values().get()) == before


def test_wrong_and_fine_are_told_apart() -> None:
    assert (fine("a").verdict, wrong("b").verdict) == (Verdict.FINE, Verdict.WRONG)
