"""Judging: the scales, who may judge what, and what the page tells."""

import re
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from common.errors import NotYours, Refused, SlotTaken
from compressions.models import Source, Target
from compressions.services.outputs import Output, outputs_add
from crowd.models import Assignment, Campaign, Enrolment, Item, Worker
from crowd.services.claims import assignment_claim
from ratings.models import Rating, Score
from ratings.selectors.rating_tasks import rating_summary
from ratings.services.rating import OtherAnswerCounts
from tests.support.clock import Clock
from tests.support.factories import (
    EDIT,
    RATE,
    edit_next,
    enrol,
    judged_campaign,
    lease_run_out,
    make_campaign,
    rate,
    rate_next,
    readable,
    submit_text,
    worker_client,
)
from tests.support.page_tokens import without_tokens

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def edited_campaign(texts: int = 1, **settings: Any) -> Campaign:
    """A campaign with so many texts to judge, all by the editor `author`."""
    campaign = make_campaign(sources=texts, **settings)
    author = enrol(campaign, EDIT, "author")
    while edit_next(author):
        pass
    return campaign


def claimed(campaign: Campaign, name: str = "") -> tuple[Enrolment, Assignment]:
    """A rater and their task."""
    enrolment = enrol(campaign, RATE, name)
    assignment = assignment_claim(enrolment=enrolment)
    assert assignment is not None
    return enrolment, assignment


def points_of(rating: Rating) -> dict[str, int]:
    """The points in force, as they are stored."""
    return dict(rating.scores.values_list("scale", "value"))


@pytest.mark.parametrize("meaning", [1, 2, 3])
@pytest.mark.parametrize("grammar", [1, 2, 3])
def test_every_point_of_the_scales_can_be_given(meaning: int, grammar: int) -> None:
    rating = rate(*claimed(edited_campaign()), meaning=meaning, grammar=grammar)

    assert points_of(rating) == {"meaning": meaning, "grammar": grammar}


@pytest.mark.parametrize(("meaning", "grammar"), [(0, 3), (3, 0), (4, 3), (3, 4), (-1, 3)])
def test_points_off_the_scales_are_refused(meaning: int, grammar: int) -> None:
    enrolment, task = claimed(edited_campaign())

    with pytest.raises(Refused, match="Answer “"):
        rate(enrolment, task, meaning=meaning, grammar=grammar)

    assert Assignment.objects.get(pk=task.pk).state == Assignment.State.LEASED
    assert not Rating.objects.exists()


@pytest.mark.parametrize("scale", ["meaning", "grammar"])
@pytest.mark.parametrize("point", [0, 8])
def test_the_database_itself_takes_no_point_that_can_be_on_no_scale(scale: str, point: int) -> None:
    rating = rate(*claimed(edited_campaign()), meaning=3, grammar=3)

    with pytest.raises(IntegrityError, match="score_on_a_scale"), transaction.atomic():
        rating.scores.filter(scale=scale).update(value=point)


def test_the_database_itself_takes_one_point_on_each_scale() -> None:
    rating = rate(*claimed(edited_campaign()), meaning=3, grammar=3)

    with pytest.raises(IntegrityError), transaction.atomic():
        Score.objects.create(rating=rating, scale="meaning", value=2)


def test_the_database_itself_takes_one_rating_of_a_text_from_each_person() -> None:
    campaign = edited_campaign(texts=2)
    rating, other = (rate(*claimed(campaign, "ann"), meaning=3, grammar=3) for _ in range(2))

    with pytest.raises(IntegrityError), transaction.atomic():
        Rating.objects.filter(pk=other.pk).update(target=rating.target)


def test_a_rating_sent_twice_is_stored_once_and_answered_alike() -> None:
    campaign = edited_campaign()
    task = claimed(campaign)

    first, second = (rate(*task, meaning=3, grammar=2) for _ in range(2))

    assert first == second
    assert points_of(second) == {"meaning": 3, "grammar": 2}
    assert second.versions.count() == 1
    assert Item.objects.get(round=RATE).open_slots == campaign.raters_per_compression - 1


def test_another_judgement_from_a_page_that_was_sent_before_changes_nothing() -> None:
    task = claimed(edited_campaign())
    rating = rate(*task, meaning=3, grammar=2)

    with pytest.raises(OtherAnswerCounts):
        rate(*task, meaning=1, grammar=1)

    assert points_of(rating) == {"meaning": 3, "grammar": 2}
    assert rating.versions.count() == 1


def test_one_s_own_text_is_refused_even_with_a_task_for_it() -> None:
    campaign = edited_campaign()
    submit_text(enrol(campaign, EDIT, "late author"), "The committee agreed.")
    enrolment, task = claimed(campaign, "rater")
    Target.objects.get(item=task.item).compressions.update(worker=enrolment.worker)

    with pytest.raises(Refused, match="You wrote this text yourself"):
        rate(enrolment, task, meaning=3, grammar=3)

    assert not Rating.objects.exists()


def test_a_text_is_judged_by_as_many_people_as_the_campaign_wants() -> None:
    campaign = edited_campaign(raters_per_compression=2)

    ratings = [rate_next(enrol(campaign, RATE)) for _ in range(3)]

    assert [rating is not None for rating in ratings] == [True, True, False]


def test_a_late_judgement_is_refused_when_the_place_is_gone() -> None:
    campaign = edited_campaign(raters_per_compression=1)
    enrolment, task = claimed(campaign)
    lease_run_out(task)
    rate_next(enrol(campaign, RATE))

    with pytest.raises(SlotTaken):
        rate(enrolment, task, meaning=3, grammar=3)

    assert Rating.objects.count() == 1


def test_nobody_judges_by_the_task_of_another() -> None:
    campaign = edited_campaign()
    _, task = claimed(campaign, "ann")

    with pytest.raises(NotYours):
        rate(enrol(campaign, RATE, "ben"), task, meaning=3, grammar=3)

    assert not Rating.objects.exists()


def test_the_summary_counts_every_point() -> None:
    campaign = judged_campaign(sources=2, scores=((3, 3), (2, 3), (1, 1)))

    summary = rating_summary(campaign)

    meaning, grammar = summary.scales["meaning"], summary.scales["grammar"]
    assert (summary.count, meaning.over_texts) == (6, 2.0)
    assert (grammar.over_texts, grammar.over_ratings) == pytest.approx((7 / 3, 7 / 3))
    assert meaning.counts == {3: 2, 2: 2, 1: 2}
    assert grammar.counts == {3: 4, 1: 2}


def test_the_summary_of_no_ratings_has_no_mean() -> None:
    summary = rating_summary(make_campaign())

    assert summary.count == 0
    means = {key: (scale.over_texts, scale.over_ratings) for key, scale in summary.scales.items()}
    assert means == {"meaning": (None, None), "grammar": (None, None)}


def at_work(campaign: Campaign, name: str = "ann") -> tuple[Client, str]:
    client = worker_client(campaign, RATE, name)
    leases = Assignment.objects.filter(item__campaign=campaign, state=Assignment.State.LEASED)
    return client, f"/work/rate/{leases.get(worker__external_id=name).pk}/"


def form(address: str, **points: object) -> dict[str, str]:
    """What the page of a task sends."""
    task = address.split("/")[3]
    return {"tasks": task, f"version-{task}": "0"} | {f"{scale}-{task}": str(each) for scale, each in points.items()}


def test_the_page_shows_both_texts_and_nothing_about_who_wrote_or_judged_them() -> None:
    campaign = make_campaign(sources=1)
    for number, name in ((987_654_321, "known-author"), (987_654_322, "known-rater")):
        known = {"campaign": campaign, "platform_key": "direct", "external_id": name}
        Worker.objects.create(pk=number, number=number, **known)
    submit_text(enrol(campaign, EDIT, "known-author"), "The committee <agreed>.")
    rate_next(enrol(campaign, RATE, "known-rater"), 1, 2)

    client, address = at_work(campaign)
    page = client.get(address)

    assert page.status_code == 200
    assert campaign.sources.get().text in readable(page)
    assert "The committee &lt;agreed&gt;." in page.content.decode()
    for trace in ("known-author", "known-rater", "987654321", "987654322", "checked"):
        assert trace not in readable(page)


def test_the_page_of_a_text_that_others_have_judged_is_that_of_a_fresh_one() -> None:
    fresh, judged = edited_campaign(), edited_campaign()
    rate_next(enrol(judged, RATE), 1, 1)

    def skeleton(campaign: Campaign) -> str:
        client, _ = at_work(campaign)
        task = Assignment.objects.filter(item__campaign=campaign, state=Assignment.State.LEASED)
        number = 987_654_000 + task.get().pk  # which is nothing else on the page
        task.update(id=number)
        page = client.get(f"/work/rate/{number}/")
        return without_tokens(readable(page).replace(str(number), "n"))

    assert skeleton(fresh) == skeleton(judged)


def test_a_sent_judgement_is_stored_and_leads_to_the_next_text() -> None:
    client, address = at_work(edited_campaign(texts=2))

    reply = client.post(address, form(address, meaning=3, grammar=1))

    assert reply.status_code == 302
    assert reply["Location"].startswith("/work/rate/")
    assert reply["Location"] != address
    assert points_of(Rating.objects.get()) == {"meaning": 3, "grammar": 1}


def test_a_form_sent_twice_gets_the_same_reply() -> None:
    client, address = at_work(edited_campaign(texts=2))

    first, second = (client.post(address, form(address, meaning=3, grammar=1)) for _ in range(2))

    assert first["Location"] == second["Location"]
    assert Rating.objects.count() == 1


@pytest.mark.parametrize("points", [{}, {"meaning": 3}, {"meaning": 3, "grammar": 4}, {"meaning": 3, "grammar": "x"}])
def test_a_missing_point_is_asked_for_and_the_other_is_kept(points: dict[str, object]) -> None:
    client, address = at_work(edited_campaign())

    page = client.post(address, form(address, **points))

    assert page.status_code == 422
    missing = {"Meaning": "meaning" not in points, "Grammar": True}
    for name, is_missing in missing.items():
        assert readable(page).count(f"Answer “{name}”.") == 2 * is_missing  # beside the button and at the question
    assert readable(page).count("checked") == ("meaning" in points)
    assert not Rating.objects.exists()


def test_a_page_whose_place_is_taken_says_so() -> None:
    campaign = edited_campaign(raters_per_compression=1)
    client, address = at_work(campaign)
    lease_run_out(Assignment.objects.get(worker__external_id="ann", state=Assignment.State.LEASED))
    rate_next(enrol(campaign, RATE))

    page = client.post(address, form(address, meaning=3, grammar=3))

    assert page.status_code == 409
    assert "Someone else has this text now" in readable(page)


def test_a_finished_task_leads_back_to_the_work_once_its_answer_is_final(clock: Clock) -> None:
    client, address = at_work(edited_campaign())
    assert client.post(address, form(address, meaning=3, grammar=3))["Location"] == "/work/done/"
    assert client.get(address).status_code == 200

    clock.advance(minutes=30)

    assert client.get(address)["Location"] == "/work/"


@pytest.mark.parametrize("method", ["get", "post"])
def test_the_task_of_another_does_not_exist(method: str) -> None:
    campaign = edited_campaign()
    _, address = at_work(campaign, "ann")
    other, _ = at_work(campaign, "ben")

    assert getattr(other, method)(address, form(address, meaning=3, grammar=3)).status_code == 404
    assert not Rating.objects.exists()


def test_the_page_of_an_answer_says_question_and_answer() -> None:
    campaign = make_campaign(sources=1, rating_task="answer", rater_tasks=2)
    source = Source.objects.get(campaign=campaign)
    outputs_add(campaign=campaign, system="new", outputs=[Output(1, source.source_id, "It answers the question.")])
    client = worker_client(campaign, RATE)

    page = client.get(client.post("/work/next/")["Location"]).content.decode()

    headings = re.findall(r"<h[123][^>]*>\s*([^<]*?)\s*</h", page)
    assert {"Rate the answer", "Question", "Answer"} <= set(headings)
    assert "shortened" not in page.lower()
    assert "Show differences" not in page
