"""The page of a text: its compressions with who wrote and rated them, and what staff can do with the text."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from compressions.models import Source, Target
from compressions.services.outputs import Output, outputs_add
from compressions.services.retirement import source_retire
from crowd.models import Campaign, Worker
from ratings.models import Rating
from ratings.selectors.ratings import source_means
from ratings.services.exclusions import person_exclude
from ratings.services.imported import ratings_import
from tests.support.factories import (
    EDIT,
    RATE,
    SENTENCE,
    edit_all,
    editor_at_work,
    enrol,
    judged_campaign,
    make_campaign,
    rate_all,
    rate_next,
    readable,
    staff_client,
)

pytestmark = pytest.mark.django_db
DECISION = {"note": "A typing error.", "work": "leave"}


def staff_of(campaign: Campaign) -> Client:
    return staff_client(campaign.staff.get())


def address_of(source: Source) -> str:
    return f"/campaigns/{source.campaign.slug}/sources/{source.source_id}/"


def rater_named(name: str) -> Worker:
    return Worker.objects.get(external_id=name)


def test_each_compression_has_its_ratings_with_links_to_the_people() -> None:
    campaign = judged_campaign(sources=1, editors=2, scores=((3, 2), (1, 1)))
    source = Source.objects.get()

    response = staff_of(campaign).get(address_of(source))
    page = readable(response)

    assert [len(text.ratings) for text in response.context["texts"]] == [2, 2]
    for worker in Worker.objects.all():
        assert f'<a href="/campaigns/{campaign.slug}/people/{worker.number}/">{worker.public_name}</a>' in page
    for target in Target.objects.all():
        assert f'id="text-{target.pk}"' in page
    points = [rating.points for text in response.context["texts"] for rating in text.ratings]
    assert points == [{"meaning": 3, "grammar": 2}, {"meaning": 1, "grammar": 1}] * 2


def test_ratings_say_their_pool_and_who_is_left_out() -> None:
    campaign = judged_campaign(sources=1, scores=((3, 2), (1, 1)))
    added = outputs_add(campaign=campaign, system="half", outputs=[Output(1, "1", "What a system wrote.")])
    ratings_import(rated=[(added.outputs[1], [{"meaning": 2, "grammar": 2}])])
    person_exclude(worker=rater_named("rater-2"), work_round=RATE, note="A program.", user=None)

    response = staff_of(campaign).get(address_of(Source.objects.get()))

    written, given_out = response.context["texts"]
    assert [(rating.pool, rating.left_out) for rating in written.ratings] == [
        ("crowd", ""),
        ("crowd", "excluded by hand"),
    ]
    assert [(rating.pool, rating.number) for rating in given_out.ratings] == [("crowd · imported", None)]
    assert "Output of the system half" in readable(response)


def test_comparisons_are_shown_with_their_ratings() -> None:
    campaign = make_campaign(sources=1, rating_task="pair", editors_per_source=2)
    edit_all(campaign, 2)
    rate_next(enrol(campaign, RATE), 1, 3)

    response = staff_of(campaign).get(address_of(Source.objects.get()))

    (comparison,) = response.context["comparisons"]
    assert [len(comparison.ratings), comparison.first] == [1, Target.objects.earliest("pk").text]
    assert "Comparisons" in readable(response)


def test_the_page_needs_the_same_number_of_queries_for_any_amount_of_work() -> None:
    few = judged_campaign(sources=1, scores=((3, 3),))
    many = judged_campaign(sources=1, editors=3, scores=((3, 3), (2, 2), (1, 1)))

    def queries(campaign: Campaign) -> int:
        client, source = staff_of(campaign), Source.objects.get(campaign=campaign)
        with CaptureQueriesContext(connection) as captured:
            assert client.get(address_of(source)).status_code == 200
        return len(captured)

    assert queries(few) == queries(many)


def test_means_leave_out_excluded_raters_and_what_only_systems_wrote() -> None:
    campaign = judged_campaign(sources=1, scores=((3, 2), (1, 1)))
    source = Source.objects.get()
    assert source_means(campaign, ["meaning"]) == {source.pk: {"meaning": 2.0}}

    person_exclude(worker=rater_named("rater-2"), work_round=RATE, note="A program.", user=None)
    added = outputs_add(campaign=campaign, system="half", outputs=[Output(1, "1", "What a system wrote.")])
    ratings_import(rated=[(added.outputs[1], [{"meaning": 1, "grammar": 1}])])

    assert source_means(campaign, ["meaning", "grammar"]) == {source.pk: {"meaning": 3.0, "grammar": 2.0}}
    assert source_means(campaign, ["meaning"], [source.pk + 1]) == {}

    with CaptureQueriesContext(connection) as captured:
        source_means(campaign, ["meaning"], [source.pk])
    texts_of_people = captured[-1]["sql"].partition("compressions_compression")[2]
    assert f'"source_id" IN ({source.pk})' in texts_of_people  # and no others of the campaign


# Retire, bring back, correct


def test_staff_retire_a_text_and_bring_it_back() -> None:
    campaign = judged_campaign(sources=1)
    client, address = staff_of(campaign), address_of(Source.objects.get())

    answer = client.post(f"{address}retire/", DECISION, follow=True)

    source = Source.objects.get()
    assert source.is_left_out
    assert (source.retire_note, source.retired_by) == ("A typing error.", campaign.staff.get())
    assert "Releases exclude it, with the work done on it." in readable(answer)

    client.post(f"{address}reinstate/")
    assert not Source.objects.get().is_retired
    assert Rating.objects.count() == 2


def test_the_page_says_how_many_participants_will_be_told() -> None:
    campaign = make_campaign(sources=1)
    editor_at_work(campaign)

    answer = staff_of(campaign).post(f"{address_of(Source.objects.get())}retire/", DECISION, follow=True)

    assert "1 participant working on it will be told." in readable(answer)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"note": " "}, "Say why this text is retired."),
        ({"work": ""}, "Choose what happens to the work done on this text."),
        ({"note": "x" * 501}, "at most 500 characters"),
    ],
)
@pytest.mark.parametrize("action", ["retire", "correct"])
def test_what_is_missing_is_said_beside_the_field(action: str, given: dict[str, str], said: str) -> None:
    campaign = make_campaign(sources=1)
    source = Source.objects.get()

    answer = staff_of(campaign).post(
        f"{address_of(source)}{action}/", {**DECISION, "text": SENTENCE.format(number=5), **given}
    )

    assert answer.status_code == 422
    assert said in readable(answer)
    assert not Source.objects.get().is_retired


def test_staff_correct_a_text() -> None:
    campaign = make_campaign(sources=1)
    text = SENTENCE.format(number=5)

    answer = staff_of(campaign).post(
        f"{address_of(Source.objects.get())}correct/", {**DECISION, "text": text}, follow=True
    )

    assert answer.request["PATH_INFO"].endswith("/sources/1-corrected/")
    assert text in readable(answer)
    old = readable(staff_of(campaign).get(address_of(Source.objects.get(source_id="1"))))
    assert "Replaced by" in old
    assert "Restore this text" not in old


def test_a_corrected_text_that_no_file_could_bring_in_is_refused_and_stays_in_the_form() -> None:
    campaign = make_campaign(sources=1)

    answer = staff_of(campaign).post(
        f"{address_of(Source.objects.get())}correct/", {**DECISION, "text": "Much too short."}
    )

    assert answer.status_code == 422
    assert "Too short: 3 words, a sentence needs 15 (setting “minimum words per sentence”)." in readable(answer)
    assert "Much too short.</textarea>" in readable(answer)


def test_a_text_whose_correction_is_in_use_is_not_brought_back() -> None:
    campaign = make_campaign(sources=1)
    client, address = staff_of(campaign), address_of(Source.objects.get())
    client.post(f"{address}correct/", {**DECISION, "text": SENTENCE.format(number=5)})

    answer = client.post(f"{address}reinstate/", follow=True)

    assert "Text 1-corrected has replaced it. Retire that one first." in readable(answer)


def test_of_excluded_editors_and_retired_texts_the_page_still_shows_everything() -> None:
    campaign = judged_campaign(sources=1)
    source = Source.objects.get()
    person_exclude(worker=rater_named("editor-1"), work_round=EDIT, note="A program.", user=None)
    source_retire(source=source, note="Broken.", work_is_kept=True, user=None)
    rate_all(enrol(campaign, RATE))

    response = staff_of(campaign).get(address_of(source))

    assert [len(text.ratings) for text in response.context["texts"]] == [2]
    assert "Releases keep it, with the work done on it." in readable(response)
