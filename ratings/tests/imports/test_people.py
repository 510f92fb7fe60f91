"""Ratings that people gave elsewhere become ordinary ratings of imported people."""

from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from common.errors import TakenByOther
from common.jobs import job_run
from common.models import Job
from compressions.models import SystemOutput, Target
from crowd.models import Assignment, Campaign, Item, Round, Stream, Worker
from crowd.models.people import IMPORTED
from crowd.services.claims import assignment_claim
from ratings.models import ExpertItem, ExpertSample, ImportPool, RaterPool, Rating, RatingImport, Score
from ratings.selectors.judgements import OUTPUTS_FROM, crowd_ratings
from ratings.selectors.rating_counts import rating_summary_now
from ratings.selectors.rating_tasks import rating_summary
from ratings.services import rating_imports
from ratings.services.rating_counts import rating_counts_advance
from ratings.services.rating_imports import rating_import_request
from ratings.tests.imports.files import add_outputs, as_jsonl, as_table, counts, imported, line, output, with_outputs
from tests.support.clock import Clock
from tests.support.factories import (
    RATE,
    enrol,
    judged_campaign,
    lease_run_out,
    make_campaign,
    make_staff,
    rate,
    rate_next,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

FOUR = [line(system, number, rater) for system in ("Alpha", "Beta") for number in (1, 2) for rater in ("ann", "bob")]


def stored(campaign: Campaign) -> set[tuple[Any, ...]]:
    rows = Score.objects.filter(rating__target__source__campaign=campaign)
    return set(
        rows.values_list(
            "rating__target__text", "rating__worker__imported_name", "rating__rater_pool", "scale", "value"
        )
    )


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", as_jsonl(FOUR)),
        ("a.csv", b"\xef\xbb\xbf" + as_table(FOUR)),
        ("a.tsv", as_table(FOUR, "\t").replace(b"\r\n", b"\n")),
    ],
)
def test_a_file_of_any_kind_becomes_ratings_with_their_raters(name: str, content: bytes) -> None:
    campaign = with_outputs()

    record = imported(campaign, content, name=name)

    assert counts(record) == (8, 0, 0)
    expected = {
        (output(each["system"], int(each["id"])), each["rater"], "crowd", scale, point)
        for each in FOUR
        for scale, point in (("meaning", 3), ("grammar", 2))
    }
    assert stored(campaign) == expected
    people = Worker.objects.filter(campaign=campaign)
    assert {(each.public_name, each.platform_key) for each in people} == {("ann", IMPORTED), ("bob", IMPORTED)}


def test_a_text_may_stand_for_the_system() -> None:
    campaign = with_outputs()
    by_text = {"id": 1, "text": f"  {output('Alpha', 1)} ", "rater": "ann", "meaning": "1", "grammar": 2.0}

    assert counts(imported(campaign, [by_text])) == (1, 0, 0)
    assert {row[0] for row in stored(campaign)} == {output("Alpha", 1)}
    assert counts(imported(campaign, [line(meaning=1)])) == (0, 1, 0)


def test_the_same_file_again_changes_nothing() -> None:
    campaign = with_outputs()
    rows = [*FOUR, line(rater=""), line(rater=""), line(rater="", meaning=1)]
    assert counts(imported(campaign, rows)) == (11, 0, 0)
    before = everything()

    assert counts(imported(campaign, rows)) == (0, 11, 0)
    assert everything() == before
    assert counts(imported(campaign, [line(rater="")] * 3)) == (1, 2, 0)


def everything() -> list[object]:
    tables = (Rating, Score, Assignment, Worker, Item, ExpertItem, ExpertSample)
    return [list(table._default_manager.order_by("pk").values()) for table in tables]


def test_other_points_of_the_same_person_are_refused_and_the_first_stay() -> None:
    campaign = with_outputs()
    imported(campaign, [line()])
    before = stored(campaign)

    record = imported(campaign, [line(meaning=1), line(rater="bob")])

    assert counts(record) == (1, 0, 1)
    assert record.problems == [[1, "the rater has given this text other points; they stay as they are"]]
    assert before < stored(campaign)


def test_no_participant_is_given_a_text_whose_ratings_were_imported() -> None:
    campaign = with_outputs(raters_per_compression=3)

    imported(campaign, [line("Alpha", 1, "ann"), line("Alpha", 1, "bob"), line("Beta", 2, "")])

    item = Item.objects.get(target__text=output("Alpha", 1))
    assert (item.wanted, item.open_slots) == (2, 0)
    given = set()
    rater = enrol(campaign, RATE)
    while rating := rate_next(rater):
        assert rating.target
        given.add(rating.target.text)
    assert given == {output("Alpha", 2), output("Beta", 1)}


def test_imported_ratings_never_join_those_of_participants() -> None:
    campaign = with_outputs(raters_per_compression=3)
    rating = rate_next(enrol(campaign, RATE))
    assert rating
    assert rating.target
    claimed = assignment_claim(enrolment=enrol(campaign, RATE))
    assert claimed
    taken = {rating.target.text, claimed.item.target.text}

    record = imported(campaign, [line(system, number) for system in ("Alpha", "Beta") for number in (1, 2)])

    assert counts(record) == (4 - len(taken), 0, len(taken))
    assert "imported ratings never join theirs" in record.problems[0][1]
    rated = set(Rating.objects.filter(worker__platform_key=IMPORTED).values_list("target__text", flat=True))
    assert not rated & taken


def test_who_held_a_text_too_long_finds_it_taken() -> None:
    campaign = with_outputs(sources=1, systems=["Alpha"], raters_per_compression=3)
    late = enrol(campaign, RATE)
    assignment = assignment_claim(enrolment=late)
    assert assignment
    lease_run_out(assignment)

    assert counts(imported(campaign, [line()])) == (1, 0, 0)

    assignment.refresh_from_db()
    with pytest.raises(TakenByOther):
        rate(late, assignment, meaning=1, grammar=1)
    item = Item.objects.get(target__text=output("Alpha", 1))
    assert (item.wanted, item.open_slots, Rating.objects.count()) == (1, 0, 1)


def test_a_name_is_a_free_number_and_never_that_of_a_participant() -> None:
    campaign = with_outputs()
    participant = enrol(campaign, RATE).worker

    record = imported(campaign, [line(rater=str(participant.number)), line(rater="77"), line(rater="007")])

    assert counts(record) == (2, 0, 1)
    assert f"{participant.number} is the number of a participant" in record.problems[0][1]
    people = Worker.objects.filter(platform_key=IMPORTED).order_by("pk")
    assert [(each.public_name, each.imported_name) for each in people] == [("77", ""), ("007", "007")]
    assert enrol(campaign, RATE).worker.number > 77


def test_a_huge_number_as_a_name_leaves_numbers_for_participants() -> None:
    campaign = with_outputs()

    imported(campaign, [line(rater="2147483647")])

    assert enrol(campaign, RATE).worker.number < 100


def test_the_same_name_in_the_other_pool_is_someone_else() -> None:
    campaign = with_outputs()
    imported(campaign, [line(rater="1")], "crowd")

    record = imported(campaign, [line(rater="1", meaning=1)], "experts")

    assert counts(record) == (1, 0, 0)
    assert Worker.objects.filter(platform_key=IMPORTED).count() == 2
    assert {each.public_name for each in Worker.objects.all()} == {"1"}
    assert set(Rating.objects.values_list("rater_pool", flat=True)) == {RaterPool.CROWD, RaterPool.EXPERTS}
    assert counts(imported(campaign, [line(rater="1", meaning=1)], "experts")) == (0, 1, 0)


def test_experts_ratings_have_one_sample_however_many_files() -> None:
    campaign = with_outputs()
    imported(campaign, [line(), line(rater="bob"), line(rater="")], "experts")
    imported(campaign, [line("Beta"), line(rater="cy")], "experts")

    sample = ExpertSample.objects.get()
    assert (sample.size, sample.experts, sample.strata) == (2, 3, [])
    first = ExpertItem.objects.get(target__text=output("Alpha", 1)).item
    assert (first.wanted, first.open_slots, first.round) == (3, 0, Round.EXPERT)
    assert Assignment.objects.filter(item=first, round=Round.EXPERT).count() == 3


def sharing() -> Campaign:
    """A campaign whose two systems have the same output for its source."""
    campaign = make_campaign(sources=1)
    for system in ("Alpha", "Beta"):
        add_outputs(campaign, system, ["Both say this."])
    assert SystemOutput.objects.values("target").distinct().count() == 1
    return campaign


BOTH = [line("Alpha"), line("Beta"), line("Alpha", rater="bob"), line("Beta", 1, "bob", 1), line("Beta", rater="")]


@pytest.mark.parametrize("pool", ["crowd", "experts"])
def test_equal_outputs_have_ratings_of_their_own(pool: str) -> None:
    campaign = sharing()

    record = imported(campaign, BOTH, pool)

    assert (counts(record), record.problems) == ((5, 0, 0), [])
    rows = Score.objects.filter(scale="meaning").order_by("pk")
    assert list(rows.values_list("rating__output__system__name", "rating__worker__imported_name", "value")) == [
        ("Alpha", "ann", 3),
        ("Beta", "ann", 3),
        ("Alpha", "bob", 3),
        ("Beta", "bob", 1),
        ("Beta", None, 3),
    ]
    text = Target.objects.get()
    item = text.item if pool == "crowd" else text.expert_item.item
    people = Assignment.objects.filter(item=item).values_list("worker__imported_name", flat=True)
    assert (sorted(people), item.wanted, item.open_slots) == (["ann", "bob"], 2, 0)


@pytest.mark.parametrize("pool", ["crowd", "experts"])
def test_an_import_says_which_outputs_its_ratings_leave_without_any(pool: str) -> None:
    campaign = make_campaign(sources=3)
    for system in ("Alpha", "Beta", "Gamma"):
        add_outputs(campaign, system, ["All of them wrote this.", output(system, 2), "All of them wrote that."])

    first = imported(campaign, [line("Alpha", 1), line("Alpha", 2), line("Beta", 3), line("Alpha", 3)], pool)

    several = (
        "3 outputs have the text of one that the file rates, but no rating (the first: Beta, 1), and this pool is not "
        "given these texts any more"
    )
    one = (
        "1 output has the text of one that the file rates, but no rating (Beta, 1), and this pool is not given that "
        "text any more"
    )
    assert first.warnings == [[1, several]]
    texts = Target.objects.filter(text__startswith="All")
    items = {text.item if pool == "crowd" else text.expert_item.item for text in texts}
    assert {item.open_slots for item in items} == {0}
    assert imported(campaign, [line("Gamma", 3), line("Gamma", 1)], pool).warnings == [[2, one]]
    assert imported(campaign, [line("Beta", 1)], pool).warnings == []
    text = {"id": "2", "text": output("Beta", 2), "rater": "zoe", "meaning": 1, "grammar": 1}
    assert imported(campaign, [text], pool).warnings == []


def test_ratings_of_equal_outputs_are_known_the_second_time() -> None:
    campaign = sharing()
    imported(campaign, BOTH)
    before = stored(campaign)

    assert counts(imported(campaign, BOTH)) == (0, 5, 0)
    later = imported(campaign, [line("Alpha", rater="cy"), line("Beta", rater="cy"), line("Beta", 1, "bob", 2)])

    assert counts(later) == (2, 0, 1)
    assert later.problems == [[3, "the rater has given this text other points; they stay as they are"]]
    assert before < stored(campaign)


def test_a_rating_of_a_text_is_known_where_its_one_system_is_named() -> None:
    campaign = with_outputs(sources=1, systems=["Alpha"])
    by_text = {**line(), "system": "", "text": output("Alpha", 1)}
    assert counts(imported(campaign, [by_text])) == (1, 0, 0)

    assert counts(imported(campaign, [line()])) == (0, 1, 0)


def test_one_person_rates_an_output_once() -> None:
    campaign = sharing()
    imported(campaign, BOTH)
    given = Rating.objects.filter(worker__isnull=False).first()
    assert given

    with pytest.raises(IntegrityError, match=r"rating_of_output_once_per_worker|output_id"), transaction.atomic():
        Rating.objects.create(target=given.target, output=given.output, worker=given.worker, rater_pool=RaterPool.CROWD)


def test_raters_of_an_output_are_compared_with_its_other_raters_only() -> None:
    campaign = sharing()
    imported(campaign, BOTH)

    table = crowd_ratings(campaign)

    outputs = {output.system.name: OUTPUTS_FROM + output.pk for output in SystemOutput.objects.all()}
    assert table.target.tolist() == [outputs[each["system"]] for each in BOTH]


def test_the_counts_stay_true(clock: Clock) -> None:
    campaign = judged_campaign(sources=3, raters_per_compression=2)
    clock.advance(minutes=30)
    rating_counts_advance(campaign=campaign)
    add_outputs(campaign, "Echo", [output("Echo", 1)])
    imported(campaign, [line("Echo", 1), line("Echo", 1, "bob", 1, 1), line("Echo", 1, "")])

    assert rating_summary_now(campaign) == rating_summary(campaign)
    assert rating_summary_now(campaign).count == 9


def test_texts_of_test_participants_are_no_texts_of_the_campaign() -> None:
    campaign = with_outputs()
    Item.objects.filter(target__text=output("Alpha", 1)).update(stream=Stream.TEST)

    record = imported(campaign, [{"id": "1", "text": output("Alpha", 1), "rater": "a", "meaning": 1, "grammar": 1}])

    assert record.problems == [[1, "the source has no such text"]]


def test_queries_do_not_grow_with_the_lines() -> None:
    def queries(people: int, sources: int) -> int:
        campaign = with_outputs(sources=sources)
        rows = [
            line(system, number, f"rater {rater}")
            for system in ("Alpha", "Beta")
            for number in range(1, sources + 1)
            for rater in range(people)
        ]
        with CaptureQueriesContext(connection) as captured:
            assert imported(campaign, rows).added == len(rows)
        return len(captured)

    assert queries(2, 2) == queries(3, 4)


class Stopped(BaseException):
    """A worker that is killed: no handler of errors sees it."""


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("pool", ImportPool.values)
def test_an_import_that_was_stopped_is_finished_by_the_next_attempt(pool: str, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = with_outputs(sources=5)
    rows = [line("Alpha", n, r) for r in ("ann", "", "bob") for n in range(1, 6) if r or pool != "model"]
    monkeypatch.setattr(rating_imports, "SLICE", 2)
    monkeypatch.setattr("common.jobs._announce", lambda _: None)
    rating_import_request(
        campaign=campaign, pool=ImportPool(pool), file_name="a.jsonl", content=as_jsonl(rows), user=make_staff()
    )
    job, write, slices = Job.objects.get(), rating_imports._slice_write, []

    def stopping(*args: Any, **kwargs: Any) -> Any:
        slices.append(1)
        if len(slices) == 2:
            raise Stopped
        return write(*args, **kwargs)

    monkeypatch.setattr(rating_imports, "_slice_write", stopping)
    with pytest.raises(Stopped):
        job_run(job_id=job.pk)
    assert RatingImport.objects.get().finished_at is None
    Job.objects.update(state=Job.State.QUEUED)

    job_run(job_id=job.pk)

    record = RatingImport.objects.get()
    assert counts(record) == (len(rows), 0, 0)
    assert bytes(record.content) == b""
    assert record.job is not None
    assert record.job.message == f"{len(rows)} ratings added, 0 known before, 0 refused."
