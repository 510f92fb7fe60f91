"""The simulated crowd: people of flesh and blood could have done the same."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models import Count, F

from common.errors import Refused
from common.jobs import job_run
from common.models import Job
from compressions.fusions import pair_of
from compressions.models import Compression
from compressions.tests.test_fusions import FUSES, A, B
from crowd.models import Assignment, Campaign, Enrolment, Item, Worker
from dashboard.simulation.crowd import SimulationReport, crowd_simulate, simulation_request
from dashboard.simulation.people import editor_model, latent_quality, rater_model
from measures.keystrokes.edit_log import NO_CHANGES, Kind, parse_log, replay
from measures.text.fusion_rule import check_fusion
from measures.text.length_rule import check_compression
from ratings.models import Rating, Score
from tests.support.factories import (
    EDIT,
    add_qualification,
    enrol,
    import_texts,
    make_campaign,
    make_staff,
    readable,
    silent,
    staff_client,
)

pytestmark = pytest.mark.django_db


def simulate(campaign: Campaign, *, editors: int = 8, raters: int = 6, seed: int = 7) -> SimulationReport:
    return crowd_simulate(campaign=campaign, editors=editors, raters=raters, seed=seed, progress=silent)


def small_campaign(**settings: Any) -> Campaign:
    people = {"editors_per_source": 3, "raters_per_compression": 2, "editor_tasks": 4, "rater_tasks": 20}
    campaign = make_campaign(**{"sources": 8, **people, **settings})
    add_qualification(campaign, 4)
    return campaign


def work_of(campaign: Campaign) -> Iterator[list[tuple[object, ...]]]:
    """Who wrote what how, and who judged it how: in the names of the simulation."""
    texts = Compression.objects.filter(source__campaign=campaign).order_by("source__source_id", "worker__external_id")
    yield list(texts.values_list("source__source_id", "worker__external_id", "text"))
    yield [(row,) for row in texts.values_list("edit_log", flat=True)]
    scores = Score.objects.filter(rating__target__source__campaign=campaign)
    about = ("rating__target__source__source_id", "rating__target__text", "rating__worker__external_id")
    yield sorted(scores.values_list(*about, "scale", "value"))
    yield sorted(Enrolment.objects.filter(worker__campaign=campaign).values_list("worker__external_id", "outcome"))


def test_the_same_seed_is_the_same_crowd() -> None:
    one, same, other = small_campaign(), small_campaign(), small_campaign()

    reports = [simulate(one), simulate(same), simulate(other, seed=8)]

    assert reports[0] == reports[1]
    assert list(work_of(one)) == list(work_of(same))
    assert next(work_of(one)) != next(work_of(other))


def test_every_compression_obeys_the_rule_and_can_be_replayed() -> None:
    simulate(small_campaign())

    texts = list(Compression.objects.select_related("source"))
    assert len(texts) == 24
    for text in texts:
        assert check_compression(text.source.text, text.text).accepted
        assert replay(text.source.text, parse_log(text.edit_log)) == text.text


def test_editors_of_fusions_write_one_sentence_from_nothing() -> None:
    campaign = make_campaign(**FUSES)
    import_texts(campaign, [f"{A} {B}", "It snowed all of Monday night. The schools were closed on Tuesday."])

    simulate(campaign, editors=3, raters=0)

    written = list(Compression.objects.select_related("source"))
    assert len(written) == 6
    for each in written:
        assert check_fusion(pair_of(each.source.text), each.text).accepted
        assert (each.started_from, replay("", parse_log(each.edit_log))) == ("empty", each.text)


def test_some_editors_leave_the_page_and_come_back_where_that_is_recorded() -> None:
    for is_on in (True, False):
        simulate(small_campaign(sources=12, record_leaving=is_on), raters=0)
    kinds = {
        is_on: [
            [edit.kind for edit in parse_log(text.edit_log) if edit.kind in NO_CHANGES]
            for text in Compression.objects.filter(source__campaign__record_leaving=is_on)
        ]
        for is_on in (True, False)
    }
    assert 0 < kinds[True].count([Kind.LEAVE, Kind.RETURN]) == sum(map(bool, kinds[True])) < len(kinds[True]) / 2
    assert set(map(len, kinds[False])) == {0}


def test_editors_are_of_the_kinds_that_were_asked_for_in_turn() -> None:
    campaign = small_campaign()
    asked = ["--editors=4", "--raters=0", "--writer=set by a script", "--writer=cut in a word", "--writer=dictates"]
    call_command("simulate_crowd", campaign.slug, *asked)
    logs: dict[int, list[set[Kind]]] = {}
    for each in Compression.objects.filter(source__campaign=campaign).select_related("worker"):
        number = int(each.worker.external_id.rpartition("-")[2])
        logs.setdefault(number, []).append({edit.kind for edit in parse_log(each.edit_log)})
    assert set(logs) == {1, 2, 3, 4}
    assert all(kinds & {Kind.SCRIPTED, Kind.OTHER} for number in (1, 4) for kinds in logs[number])
    assert not any(kinds & {Kind.SCRIPTED, Kind.OTHER} for kinds in logs[3])


def test_the_report_counts_what_is_there() -> None:
    report = simulate(small_campaign())

    failed = Enrolment.objects.filter(outcome=Enrolment.Outcome.FAILED).count()
    assert report == SimulationReport(Compression.objects.count(), Rating.objects.count(), failed)
    assert report.ratings > 0


def test_nobody_judges_a_text_that_they_wrote() -> None:
    campaign = small_campaign()
    # The same names in both rounds: each editor comes back as a rater.
    simulate(campaign, raters=0)
    for enrolment in Enrolment.objects.select_related("worker"):
        enrolment.worker.external_id = enrolment.worker.external_id.replace("edit", "rate")
        enrolment.worker.save()

    simulate(campaign, editors=0)

    assert Rating.objects.filter(worker__compressions__isnull=False).exists()
    assert not Rating.objects.filter(target__compressions__worker=F("worker")).exists()


def test_no_item_has_more_people_than_it_wants_and_nobody_two_places() -> None:
    simulate(small_campaign(), editors=20, raters=20)

    submitted = Assignment.objects.filter(state=Assignment.State.SUBMITTED)
    people = submitted.values("item").annotate(people=Count("worker", distinct=True), places=Count("pk"))
    assert all(row["people"] == row["places"] for row in people)
    for item in Item.objects.all():
        assert submitted.filter(item=item).count() == item.wanted - item.open_slots <= item.wanted


def test_about_four_of_five_judgements_are_the_best() -> None:
    simulate(small_campaign(sources=12, raters_per_compression=3), editors=12, raters=12)

    points = Counter(Score.objects.values_list("value", flat=True))
    assert points.total() > 100
    assert 0.6 < points[3] / points.total() < 0.95
    assert set(points) == {1, 2, 3}


def test_a_second_run_with_the_same_seed_goes_on_and_doubles_nothing() -> None:
    campaign = small_campaign()
    simulate(campaign, editors=3, raters=2)
    before = Compression.objects.count()

    again = simulate(campaign, editors=8, raters=6)

    assert again.compressions == Compression.objects.count() - before
    workers = list(campaign.workers.values_list("external_id", flat=True))
    assert len(workers) == len(set(workers)) == 8 + 6
    assert simulate(campaign) == SimulationReport(0, 0, again.failed_qualification)


def test_raters_who_fail_the_test_judge_nothing() -> None:
    report = simulate(small_campaign(qualification_tries=1, qualification_pass_percent=100), raters=20)

    failed = Enrolment.objects.filter(outcome=Enrolment.Outcome.FAILED)
    assert report.failed_qualification == failed.count() > 0
    assert not Rating.objects.filter(worker__in=failed.values("worker")).exists()


def test_a_model_depends_on_its_seed_and_number_alone() -> None:
    assert editor_model(7, 1) == editor_model(7, 1) != editor_model(7, 2)
    assert rater_model(7, 1) == rater_model(7, 1) != rater_model(8, 1)
    assert latent_quality(7, "a", 0.5) == latent_quality(7, "a", 0.5) != latent_quality(7, "b", 0.5)


def test_most_editors_are_good_and_a_few_are_not() -> None:
    skills = [editor_model(1, number).skill for number in range(1000)]

    assert all(0 <= skill <= 1 for skill in skills)
    assert 0.6 < sum(skills) / len(skills) < 0.8
    assert 0.02 < sum(skill < 0.4 for skill in skills) / len(skills) < 0.2


def test_the_command_says_what_the_crowd_did(capsys: pytest.CaptureFixture[str]) -> None:
    campaign = small_campaign()

    call_command("simulate_crowd", campaign.slug, "--editors", "4", "--raters", "3", "--seed", "1")

    failed = Enrolment.objects.filter(outcome=Enrolment.Outcome.FAILED).count()
    assert capsys.readouterr().out == (
        f"{Compression.objects.count()} compressions and {Rating.objects.count()} ratings; "
        f"{failed} raters failed the qualification.\n"
    )
    assert Compression.objects.exists()


@pytest.mark.parametrize("name", ["editors", "raters", "seed"])
def test_the_command_refuses_numbers_below_nothing(name: str) -> None:
    with pytest.raises(CommandError, match=f"--{name} must not be negative"):
        call_command("simulate_crowd", make_campaign().slug, f"--{name}=-1")


def test_the_command_says_when_nobody_can_come_in() -> None:
    campaign = small_campaign()
    campaign.links.update(is_active=False)

    with pytest.raises(CommandError, match="has no open direct link for this round: Editor round"):
        call_command("simulate_crowd", campaign.slug, "--for-release")


def test_the_command_says_when_the_campaign_is_closed() -> None:
    with pytest.raises(CommandError, match=r"could not go on\. They were told: .*is not open to new participants"):
        call_command("simulate_crowd", small_campaign(state="closed").slug)


def test_a_crowd_is_not_mixed_with_real_people() -> None:
    campaign = small_campaign()
    enrol(campaign, EDIT, "somebody real")
    with pytest.raises(Refused, match="Real participants have joined"):
        simulate(campaign)


def test_simulated_tests_come_by_a_test_link_and_work_beside_real_tests_only() -> None:
    campaign = small_campaign()
    visitor = enrol(campaign, EDIT, "a colleague")
    Worker.objects.filter(pk=visitor.worker_id).update(is_test=True)

    call_command("simulate_crowd", campaign.slug, "--editors", "2", "--raters", "2")

    workers = Worker.objects.exclude(pk=visitor.worker_id)
    assert workers.count() == 4
    assert all(worker.is_test and worker.is_simulated for worker in workers)
    assert all(enrolment.link.is_test for enrolment in Enrolment.objects.filter(worker__in=workers))
    assert set(Item.objects.filter(round="rate", target__isnull=False).values_list("stream", flat=True)) == {"test"}
    assert Rating.objects.filter(gold=None).exists()


def test_the_button_simulates_a_crowd_and_another_removes_it(django_capture_on_commit_callbacks: Any) -> None:
    owner = make_staff()
    campaign, client = small_campaign(owner=owner, state="draft"), staff_client(owner)

    with django_capture_on_commit_callbacks(execute=True):
        response = client.post(f"/campaigns/{campaign.slug}/simulate/", {"editors": 2, "raters": 2}, follow=True)
    assert "by simulated test participants" in readable(client.get(response.redirect_chain[-1][0]))
    assert Compression.objects.filter(worker__is_test=True).count() == Compression.objects.count() > 0

    client.post(f"/campaigns/{campaign.slug}/test-people/")
    assert not Compression.objects.exists()
    assert not Worker.objects.exists()


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        ({"editors": 101, "raters": 1}, "less than or equal to 100"),
        ({"editors": 0, "raters": 0}, "Choose up to 100"),
        ({"editors": "many", "raters": 1}, "whole number"),
    ],
)
def test_the_button_refuses_other_numbers(form: dict[str, object], reason: str) -> None:
    owner = make_staff()
    campaign = small_campaign(owner=owner)
    page = staff_client(owner).post(f"/campaigns/{campaign.slug}/simulate/", form)
    assert page.status_code == 422
    assert reason in readable(page)


def test_the_button_refuses_once_real_people_have_come() -> None:
    owner = make_staff()
    campaign = small_campaign(owner=owner)
    enrol(campaign, EDIT, "somebody real")
    client = staff_client(owner)
    assert client.post(f"/campaigns/{campaign.slug}/simulate/", {"editors": 1, "raters": 1}).status_code == 422
    assert "you can’t simulate a crowd in it" in readable(client.get(f"/campaigns/{campaign.slug}/test-people/"))


def test_a_crowd_that_comes_again_goes_on_where_it_stopped() -> None:
    campaign = small_campaign()
    first = simulate(campaign)

    again = simulate(campaign)

    assert (again.compressions, again.ratings) == (0, 0)
    assert again.failed_qualification == first.failed_qualification


def test_a_second_rehearsal_brings_other_people() -> None:
    campaign, user = small_campaign(), make_staff()
    for _time in range(2):
        job = simulation_request(campaign=campaign, editors=1, raters=1, user=user)
        job_run(job_id=job.pk)
        job.refresh_from_db()
        assert job.state == Job.State.DONE

    people = campaign.workers.filter(is_simulated=True, is_test=True)
    assert people.count() == 4
    assert Compression.objects.filter(worker__in=people).values("worker").distinct().count() == 2
