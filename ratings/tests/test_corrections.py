"""Looking one's answers over: what can be changed until when, and that no version is lost."""

import re
from typing import Any

import pytest
from django.test import Client

from compressions.models import Target
from crowd.models import Assignment, Campaign, Enrolment, JoinLink, Outcome, Remark
from crowd.services.campaigns import campaign_update
from ratings.models import Rating, RatingVersion
from tests.support.clock import Clock
from tests.support.factories import (
    EDIT,
    RATE,
    enrol,
    link_of,
    make_campaign,
    rate_next,
    readable,
    submit_text,
    worker_client,
)
from tests.support.normalizing import normalization_guarded

pytestmark = pytest.mark.django_db

ANSWERS, FINISH, DONE = "/work/answers/", "/work/finish/", "/work/done/"
Points = tuple[int, int]


def edited(texts: int = 2, **settings: Any) -> Campaign:
    """A campaign with so many texts to judge, all different."""
    campaign = make_campaign(sources=texts, editors_per_source=1, gold_percent=0, **settings)
    author = enrol(campaign, EDIT, "author")
    for number in range(texts):
        submit_text(author, f"The committee agreed to repair bridge {number}.")
    return campaign


def address_of(task: int) -> str:
    return f"/work/rate/{task}/"


def task_at(address: str) -> int:
    match = re.fullmatch(r"/work/rate/(\d+)/", address)
    assert match, address
    return int(match[1])


def form_of(task: int, points: Points, *, version: int = 0, comment: str = "", **beside: str) -> dict[str, str]:
    """What the page of one task sends."""
    chosen = {f"meaning-{task}": str(points[0]), f"grammar-{task}": str(points[1])}
    return {"tasks": str(task), f"version-{task}": str(version), f"comment-{task}": comment, **chosen, **beside}


def send(client: Client, task: int, points: Points, **beside: Any) -> Any:
    return client.post(address_of(task), form_of(task, points, **beside))


def correct(client: Client, task: int, points: Points, *, version: int = 1, **beside: Any) -> Any:
    return send(client, task, points, version=version, then="answers", **beside)


def judged(campaign: Campaign, *points: Points, name: str = "ann") -> tuple[Client, list[int]]:
    """A rater who has given these points to so many texts, and the tasks of those."""
    client, tasks = worker_client(campaign, RATE, name), []
    for each in points:
        tasks.append(task_at(client.post("/work/next/")["Location"]))
        send(client, tasks[-1], each)
    return client, tasks


def points_of(task: int) -> Points:
    scores = dict(Rating.objects.get(assignment=task).scores.values_list("scale", "value"))
    return scores["meaning"], scores["grammar"]


def versions_of(task: int) -> list[Points]:
    versions = RatingVersion.objects.filter(rating__assignment=task).order_by("number")
    assert [each.number for each in versions] == list(range(1, len(versions) + 1))
    return [(each.scores["meaning"], each.scores["grammar"]) for each in versions]


# The page of all answers


def test_the_answers_page_lists_one_s_own_answers_and_nobody_else_s() -> None:
    campaign = edited(texts=3)
    client, tasks = judged(campaign, (3, 2), (1, 1))
    judged(campaign, (2, 3), (2, 3), (2, 3), name="ben")

    page = readable(client.get(ANSWERS))

    own = set(Target.objects.filter(ratings__assignment__in=tasks).values_list("text", flat=True))
    (other,) = set(Target.objects.values_list("text", flat=True)) - own
    assert all(text in page for text in own)
    assert other not in page
    assert re.findall(r"/work/rate/(\d+)/", page) == [str(task) for task in tasks]


def test_the_answers_stand_in_the_words_of_the_scales() -> None:
    client, _ = judged(edited(), (3, 1))

    page = readable(client.get(ANSWERS))

    assert "3 · Most important meaning" in page
    assert "1 · Disfluent or incomprehensible" in page
    assert "Flawless language" not in page


def test_before_the_first_answer_the_page_says_that_there_is_none() -> None:
    assert "You have not rated any texts yet." in readable(worker_client(edited(), RATE).get(ANSWERS))


@pytest.mark.parametrize("texts", [2, 3])
def test_the_answers_page_leads_on_while_there_is_work(texts: int) -> None:
    """Of two texts the last one is in hand already."""
    client, _ = judged(edited(texts), (3, 3))

    page = readable(client.get(ANSWERS))

    assert 'action="/work/next/"' in page
    assert FINISH not in page


# Changing an answer


def test_an_answer_opened_again_shows_what_was_said() -> None:
    client, (task,) = judged(edited(), (3, 1))

    page = readable(client.get(address_of(task)))

    assert "Change your rating" in page
    assert re.search(rf'name="version-{task}"\s+value="1"', page)
    assert re.findall(r'name="(\w+)-\d+"\s+value="(\d)" checked', page) == [("meaning", "3"), ("grammar", "1")]


def test_a_changed_answer_is_a_second_version_beside_the_first() -> None:
    client, (task,) = judged(edited(), (3, 3))

    reply = correct(client, task, (1, 2))

    assert (reply.status_code, reply["Location"]) == (302, ANSWERS)
    assert points_of(task) == (1, 2)
    assert versions_of(task) == [(3, 3), (1, 2)]
    assert "1 · Little or none" in readable(client.get(ANSWERS))


def test_an_answer_can_be_changed_again_and_back() -> None:
    client, (task,) = judged(edited(), (3, 3))

    correct(client, task, (1, 1), version=1)
    correct(client, task, (3, 3), version=2)

    assert points_of(task) == (3, 3)
    assert versions_of(task) == [(3, 3), (1, 1), (3, 3)]


def test_a_change_touches_that_answer_alone() -> None:
    client, (first, second) = judged(edited(texts=3), (3, 3), (2, 2))

    correct(client, first, (1, 1))

    assert versions_of(second) == [(2, 2)]
    assert Rating.objects.count() == 2


def test_of_a_page_of_two_either_answer_can_be_changed() -> None:
    client = worker_client(edited(ratings_per_page=2), RATE)
    first, second = (
        Assignment.objects.filter(state=Assignment.State.LEASED).order_by("page_position").values_list("pk", flat=True)
    )
    both = form_of(first, (3, 3)) | form_of(second, (2, 2)) | {"tasks": f"{first},{second}"}
    client.post(address_of(first), both)

    correct(client, second, (1, 1))

    assert (versions_of(first), versions_of(second)) == ([(3, 3)], [(2, 2), (1, 1)])


def test_the_same_answer_sent_twice_is_one_version() -> None:
    client, (task,) = judged(edited(), (3, 3))

    replies = [send(client, task, (3, 3)) for _ in range(2)]

    assert {reply.status_code for reply in replies} == {302}
    assert versions_of(task) == [(3, 3)]


def test_the_same_change_sent_twice_is_one_version() -> None:
    client, (task,) = judged(edited(), (3, 3))

    replies = [correct(client, task, (1, 1)) for _ in range(2)]

    assert [reply["Location"] for reply in replies] == [ANSWERS, ANSWERS]
    assert versions_of(task) == [(3, 3), (1, 1)]


@pytest.mark.parametrize("known", [0, 1, 3])
def test_a_page_that_is_older_than_the_answer_writes_nothing_over(known: int) -> None:
    client, (task,) = judged(edited(), (3, 3))
    correct(client, task, (2, 2), version=1)

    reply = client.post(address_of(task), form_of(task, (1, 1), version=known, then="answers"), follow=True)

    assert "You had already rated this text. Your earlier rating counts." in readable(reply)
    assert versions_of(task) == [(3, 3), (2, 2)]


def test_of_two_tabs_with_a_new_text_the_first_answer_counts() -> None:
    client, (task,) = judged(edited(), (3, 3))

    send(client, task, (1, 1), version=0)

    assert versions_of(task) == [(3, 3)]


@pytest.mark.parametrize("points", [(0, 3), (4, 3), (3, -1)])
def test_a_change_off_the_scales_is_asked_for_again(points: Points) -> None:
    client, (task,) = judged(edited(), (3, 3))

    assert correct(client, task, points).status_code == 422
    assert versions_of(task) == [(3, 3)]


def test_who_stopped_early_may_change_an_answer_when_they_come_back() -> None:
    client, (task,) = judged(edited(texts=3), (3, 3))
    client.post("/work/leave/")

    correct(client, task, (1, 1))

    assert versions_of(task) == [(3, 3), (1, 1)]


# Comments


def test_a_comment_is_kept_and_shown_with_the_answer() -> None:
    campaign = edited()
    client, (task,) = judged(campaign, (3, 3))
    correct(client, task, (3, 3), comment="The name is missing.")

    assert "The name is missing." in readable(client.get(address_of(task)))
    assert Remark.objects.get(assignment=task, kind=Remark.Kind.COMMENT).text == "The name is missing."


@pytest.mark.parametrize(("comment", "kept"), [("", []), ("Now I see.", ["Now I see."])])
def test_a_change_brings_the_comment_that_counts(comment: str, kept: list[str]) -> None:
    client, _ = judged(edited())
    task = task_at(client.post("/work/next/")["Location"])
    send(client, task, (3, 3), comment="Hm.")

    correct(client, task, (1, 1), comment=comment)

    assert list(Remark.objects.filter(assignment=task).values_list("text", flat=True)) == kept


def test_a_change_that_comes_too_late_leaves_the_comment_as_it_was() -> None:
    client, _ = judged(edited())
    task = task_at(client.post("/work/next/")["Location"])
    send(client, task, (3, 3), comment="Hm.")
    correct(client, task, (2, 2), version=1, comment="Hm.")

    correct(client, task, (1, 1), version=1, comment="From an old tab.")

    assert Remark.objects.get(assignment=task).text == "Hm."


# The end of the visit


def finished(*points: Points) -> tuple[Client, list[int], Campaign]:
    """A rater who has judged all there is."""
    campaign = edited(texts=len(points))
    client, tasks = judged(campaign, *points)
    return client, tasks, campaign


def enrolment() -> Enrolment:
    return Enrolment.objects.get(round=RATE)


def test_the_last_text_ends_the_visit_with_its_code_and_leads_to_the_answers() -> None:
    campaign = edited(texts=1)
    client = worker_client(campaign, RATE)
    task = task_at(client.post("/work/next/")["Location"])

    reply = send(client, task, (3, 3))

    assert reply["Location"] == DONE
    assert enrolment().outcome == Outcome.DONE
    page = readable(client.get(DONE))
    assert link_of(campaign, RATE).code_done in page
    assert "You can still change your answers, for 30 more minutes." in page
    assert f'href="{ANSWERS}"' in page
    assert f'href="{DONE}"' in readable(client.get(ANSWERS))


def test_a_page_of_the_last_texts_ends_the_visit() -> None:
    client = worker_client(edited(ratings_per_page=2), RATE)
    leased = Assignment.objects.filter(state=Assignment.State.LEASED).order_by("page_position")
    first, second = leased.values_list("pk", flat=True)
    both = form_of(first, (3, 3)) | form_of(second, (2, 2)) | {"tasks": f"{first},{second}"}

    assert client.post(address_of(first), both)["Location"] == DONE
    assert enrolment().outcome == Outcome.DONE


def test_for_thirty_minutes_an_answer_changes_and_nothing_else_does(clock: Clock) -> None:
    client, (task, _), campaign = finished((3, 3), (2, 2))
    before = Enrolment.objects.values().get(round=RATE)
    submitted = list(Assignment.objects.values("pk", "state", "submitted_at"))
    clock.advance(minutes=29)

    reply = correct(client, task, (1, 1))

    assert reply["Location"] == ANSWERS
    assert versions_of(task) == [(3, 3), (1, 1)]
    assert "for 1 more minute." in readable(client.get(ANSWERS))
    assert Enrolment.objects.values().get(round=RATE) == before
    assert list(Assignment.objects.values("pk", "state", "submitted_at")) == submitted
    assert link_of(campaign, RATE).code_done in readable(client.get(DONE))


def test_after_thirty_minutes_no_answer_and_no_comment_changes(clock: Clock) -> None:
    client, (task, other), campaign = finished((3, 3), (2, 2))
    clock.advance(minutes=30)

    late = client.post(address_of(task), form_of(task, (1, 1), version=1, then="answers"), follow=True)
    correct(client, other, (2, 2), comment="One more thing.")

    assert "Your answers can’t be changed any more." in readable(late)
    assert (versions_of(task), points_of(task)) == ([(3, 3)], (3, 3))
    assert not Remark.objects.exists()
    page = readable(client.get(ANSWERS))
    assert "These answers can’t be changed any more." in page
    assert "3 · Flawless language" in page
    assert address_of(task) not in page
    assert client.get(address_of(task))["Location"] == "/work/"
    done = readable(client.get(DONE))
    assert link_of(campaign, RATE).code_done in done
    assert ANSWERS not in done


def test_asking_for_more_gives_no_more_time(clock: Clock) -> None:
    client, (task,), _ = finished((3, 3))
    clock.advance(minutes=20)
    for address in ("/work/next/", FINISH):
        assert client.post(address)["Location"] == DONE
    clock.advance(minutes=10)

    correct(client, task, (1, 1))

    assert versions_of(task) == [(3, 3)]


def test_who_comes_by_another_link_has_no_time_left_from_the_first() -> None:
    client, _, campaign = finished((3, 3))
    link = JoinLink.objects.create(campaign=campaign, round=RATE, platform_key="direct", name="second")
    client.get(f"/join/{link.token}/?participant=ann")
    Campaign.objects.filter(pk=campaign.pk).update(raters_per_compression=9)
    client.post(f"/join/{link.token}/")

    assert enrolment().link == link
    assert enrolment().finished_at is None


def test_finishing_while_work_is_left_goes_on_with_it_and_shows_no_code() -> None:
    campaign = edited(texts=2)
    client, (task,) = judged(campaign, (3, 3))

    page = client.post(FINISH, follow=True)

    assert task_at(page.redirect_chain[-1][0]) != task
    assert link_of(campaign, RATE).code_done not in readable(page)
    assert client.get(DONE)["Location"] == "/work/"
    correct(client, task, (1, 1))
    assert versions_of(task) == [(3, 3), (1, 1)]


def test_finishing_twice_gives_the_same_code() -> None:
    client, _, campaign = finished((3, 3))

    page = client.post(FINISH, follow=True)

    assert link_of(campaign, RATE).code_done in readable(page)
    assert enrolment().outcome == Outcome.DONE


def test_when_the_campaign_closes_the_answers_are_final() -> None:
    campaign = edited(texts=3)
    client, (task,) = judged(campaign, (3, 3))
    campaign_update(campaign=campaign, state="closed")

    correct(client, task, (1, 1))

    assert versions_of(task) == [(3, 3)]
    assert client.get(address_of(task)).status_code == 302
    assert "These answers can’t be changed any more." in readable(client.get(ANSWERS))


def test_when_the_campaign_closes_there_is_nothing_to_look_over_before_the_code() -> None:
    campaign = edited(texts=3)
    client, _ = judged(campaign, (3, 3), (2, 2))
    send(client, task_at(client.post("/work/next/")["Location"]), (1, 1))
    campaign_update(campaign=campaign, state="closed")

    assert link_of(campaign, RATE).code_done in readable(client.post("/work/next/", follow=True))


# Other people's answers


def test_the_answer_of_another_rater_does_not_exist() -> None:
    campaign = edited()
    _, (task,) = judged(campaign, (3, 3))
    stranger, _ = judged(campaign, (2, 2), name="ben")

    assert stranger.get(address_of(task)).status_code == 404
    assert correct(stranger, task, (1, 1)).status_code == 404
    assert versions_of(task) == [(3, 3)]


def test_the_answer_of_another_cannot_be_sent_along_with_one_s_own() -> None:
    campaign = edited()
    _, (other,) = judged(campaign, (3, 3))
    client, (own,) = judged(campaign, (2, 2), name="ben")
    both = form_of(own, (1, 1), version=1) | form_of(other, (1, 1), version=1) | {"tasks": f"{own},{other}"}

    assert client.post(address_of(own), both).status_code == 404
    assert (versions_of(own), versions_of(other)) == ([(2, 2)], [(3, 3)])


def test_who_did_not_consent_sees_no_answers() -> None:
    assert rate_next(enrol(edited(), RATE, "ann")) is not None

    assert Client().get(ANSWERS).status_code == 403


@pytest.mark.parametrize("headers", [{}, {"accept": "application/json"}])
def test_marks_stacked_in_a_comment_are_refused_and_the_answer_stays_on_the_page(headers: dict[str, str]) -> None:
    client = worker_client(edited(), RATE, "ann")
    task = task_at(client.post("/work/next/")["Location"])
    comment = "Well" + "\u0301" * 31

    with normalization_guarded():
        page = client.post(address_of(task), form_of(task, (3, 2), comment=comment), headers=headers)

    words = "In your comment, character 4 has more than 30 accents or marks on it. Remove some."
    assert page.status_code == 422
    assert words in (page.json()["error"] if headers else readable(page))
    assert headers or comment in page.content.decode()
    assert not Rating.objects.exists()


def test_each_version_has_what_its_page_counted() -> None:
    client = worker_client(edited(), RATE)
    task = task_at(client.get("/work/").headers["Location"])
    for version, sent in enumerate(['{"v":1,"copies":2}', '{"v":1,"copies":-1}', '{"v":1,"copies":0}']):
        send(client, task, (3, 3 - version), version=version, page_record=sent)
    records = RatingVersion.objects.order_by("number").values_list("page_record", flat=True)
    assert list(records) == [{"v": 1, "copies": 2}, None, {"v": 1, "copies": 0}]


def test_a_page_opened_before_leaving_was_no_longer_recorded_leaves_no_record() -> None:
    client = worker_client(edited(), RATE)
    task = task_at(client.get("/work/").headers["Location"])
    Campaign.objects.update(record_leaving=False)
    send(client, task, (3, 3), page_record='{"v":1,"away_n":2,"away_ms":9000,"copies":2}')
    assert RatingVersion.objects.get().page_record is None
