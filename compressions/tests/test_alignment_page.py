"""The page and the address of one alignment: drawn, corrected, refused with all that was sent, and looked back at."""

import re
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from compressions.alignment_words import MAX_WORDS
from compressions.models import AlignmentCorrection, Compression, Source, Target
from compressions.templatetags.drawn_words import direction_of_words, set_apart
from crowd.models import Campaign
from crowd.services.members import member_set
from tests.support.api_client import Api
from tests.support.factories import (
    EDIT,
    enrol,
    import_texts,
    make_campaign,
    make_staff,
    readable,
    staff_client,
    submit_text,
)

pytestmark = pytest.mark.django_db
SOURCE = "Today he bought a very old automobile in the town where his mother had lived for years."
PAIRS = "2-1 3-2 4-3 7-4 1-5"


@pytest.fixture
def target() -> Target:
    campaign = make_campaign(owner=make_staff("ann"), editors_per_source=1)
    import_texts(campaign, [SOURCE])
    submit_text(enrol(campaign, EDIT), "He bought a car today.")
    return Target.objects.get()


def ann(target: Target) -> Client:
    return staff_client(target.source.campaign.staff.get(username="ann"))


def address(target: Target) -> str:
    return f"/campaigns/{target.source.campaign.slug}/alignments/{target.pk}/"


def main_part(page: Any) -> str:
    return readable(page).partition("<main")[2].partition("</main>")[0]


def sent(target: Target, *, follow: bool = False, **changed: Any) -> Any:
    page = ann(target).get(address(target))
    form = {"pairs": PAIRS, "based_on_version": "0", "fingerprint": page.context["drawing"].fingerprint}
    return ann(target).post(address(target), form | changed, follow=follow)


def test_a_list_says_what_the_drawing_shows(target: Target) -> None:
    assert sent(target).status_code == 302
    page = re.sub("</?bdi[^>]*>", "", readable(ann(target).get(address(target))))
    assert "“car”: paraphrased from “automobile”, word 7" in page
    assert "deleted: “old”, word 6" in page
    assert "“today”: moved, word 1" in page
    assert "Corrected by hand, version 1." in page


@pytest.mark.parametrize("language", ["ar", "en"])
def test_words_of_a_script_from_right_to_left_run_that_way(language: str) -> None:
    campaign = make_campaign(owner=make_staff("ann"), editors_per_source=1, language=language)
    import_texts(campaign, ["اشترى الرجل سيارة BMW قديمة جدا في المدينة التي عاشت فيها أمه سنوات طويلة مع جده."])
    submit_text(enrol(campaign, EDIT), "اشترى سيارة قديمة.")
    target = Target.objects.get()
    page = readable(ann(target).get(address(target)))
    assert page.count(f'lang="{language}" dir="rtl">') == 2


def test_words_of_the_language_run_its_way_and_stand_apart_in_the_list(target: Target) -> None:
    page = readable(ann(target).get(address(target)))
    assert page.count('lang="en" dir="ltr">') == 2
    assert 'deleted: “<bdi lang="en">old</bdi>”' in page


def test_a_word_that_holds_markup_is_escaped_in_the_list() -> None:
    assert set_apart("<b>", Campaign(language="en")) == '<bdi lang="en">&lt;b&gt;</bdi>'


@pytest.mark.parametrize(
    ("words", "language", "expected"),
    [
        (["3", "%"], "ar", "rtl"),
        (["IBM", "قالت", "اليوم"], "ar", "rtl"),
        (["IBM", "said"], "ar", "ltr"),
        (["他", "来"], "zh", "ltr"),
        (["שלום"], "und", "rtl"),
        ([], "und", "auto"),
    ],
)
def test_the_direction_of_words_is_that_of_most_letters(words: list[str], language: str, expected: str) -> None:
    assert direction_of_words(words, language) == expected


def test_the_page_of_a_compression_and_of_a_text_lead_to_it(target: Target) -> None:
    slug = target.source.campaign.slug
    compression = Compression.objects.get()
    for path in (f"compressions/{compression.pk}/", f"sources/{target.source.source_id}/"):
        assert address(target) in ann(target).get(f"/campaigns/{slug}/{path}").content.decode()


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ("2:1", "“2:1” is not a pair"),
        ("2-99", "the compression has words 1 to 6"),
        ("99-1", "The source has no word 99"),
        ("2-1 3-1", "word 1 of the compression is already joined"),
        ("2-1 2-2", "is joined to more than one word"),
        ("²-1", "is not a pair"),
    ],
)
def test_pairs_that_cannot_be_are_shown_again_with_the_reason(target: Target, pairs: str, said: str) -> None:
    page = sent(target, pairs=pairs)
    assert page.status_code == 422
    assert said in readable(page)
    assert pairs in readable(page)
    assert not AlignmentCorrection.objects.exists()


def test_what_was_sent_beside_another_version_is_drawn_and_can_be_saved(target: Target) -> None:
    sent(target)
    page = sent(target, pairs="2-1")
    assert page.status_code == 409
    assert "Version 1 was saved while you were working" in readable(page)
    assert page.context["drawing"].pairs == "2-1"
    assert '<div id="summary" hidden>' in readable(page)
    assert sent(target, pairs="2-1", based_on_version="1").status_code == 302
    assert AlignmentCorrection.objects.latest("pk").version == 2


def test_saving_without_a_change_stores_nothing_and_says_so(target: Target) -> None:
    said = "Nothing was changed, so nothing was saved."
    untouched = ann(target).get(address(target)).context["drawing"].pairs
    page = readable(sent(target, pairs=untouched, follow=True))
    assert said in page
    assert "not corrected by hand" in page
    assert not AlignmentCorrection.objects.exists()

    assert "Saved as version 1." in readable(sent(target, follow=True))
    assert "Saved as version 1." in readable(sent(target, follow=True))
    assert said in readable(sent(target, based_on_version="1", follow=True))
    assert AlignmentCorrection.objects.count() == 1


@pytest.mark.parametrize("form", [{"pairs": "2-1"}, {"take_back": "1"}])
def test_a_form_that_is_based_on_no_version_is_refused_as_that(target: Target, form: dict[str, Any]) -> None:
    sent(target)
    page = sent(target, **form, based_on_version="5")
    assert page.status_code == 409
    assert "This alignment has no version 5." in readable(page)
    assert AlignmentCorrection.objects.count() == 1


def test_taking_back_where_the_aligners_alignment_counts_says_so(target: Target) -> None:
    answer = ann(target).post(address(target), {"take_back": "1", "based_on_version": "0"}, follow=True)
    assert "The aligner’s alignment is used already." in readable(answer)
    assert not AlignmentCorrection.objects.exists()


def test_versions_can_be_looked_at_and_taken_back(target: Target) -> None:
    sent(target)
    taken = ann(target).post(address(target), {"take_back": "1", "based_on_version": "1"})
    assert taken.status_code == 302
    assert AlignmentCorrection.objects.latest("pk").places is None
    first = ann(target).get(f"{address(target)}?version=1")
    assert first.context["drawing"].pairs == PAIRS
    for version in ("3", "x", "9" * 30):
        assert ann(target).get(f"{address(target)}?version={version}").status_code == 404


def test_a_text_that_is_too_long_is_told_to_be(target: Target) -> None:
    Source.objects.update(text="word " * (MAX_WORDS + 1))
    page = ann(target).get(address(target))
    assert page.status_code == 200
    assert f"more than {MAX_WORDS} words" in readable(page)
    assert ann(target).post(address(target), {"pairs": ""}).status_code == 409


def test_viewers_look_and_are_offered_no_form(target: Target) -> None:
    campaign: Campaign = target.source.campaign
    sent(target)
    viewer = make_staff()
    member_set(campaign=campaign, member=viewer, role="viewer", user=campaign.staff.get(username="ann"))
    page = staff_client(viewer).get(address(target))
    assert page.status_code == 200
    assert "<form" not in main_part(page)


def test_an_archived_campaign_is_read_and_offers_no_form(target: Target) -> None:
    sent(target)
    Campaign.objects.update(state="archived")
    page = ann(target).get(address(target))
    assert page.status_code == 200
    assert "Corrected by hand, version 1." in readable(page)
    assert "<form" not in main_part(page)
    assert sent(target, pairs="2-1", based_on_version="1").status_code == 409
    assert AlignmentCorrection.objects.count() == 1


def test_the_page_takes_the_same_queries_however_many_versions(
    target: Target, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = ann(target)
    sent(target)
    with django_assert_num_queries(6):
        client.get(address(target))
    for version in range(1, 5):
        sent(target, pairs=f"{version}-1", based_on_version=str(version))
    with django_assert_num_queries(6):
        client.get(address(target))


def test_programs_get_and_correct_it(target: Target) -> None:
    campaign = target.source.campaign
    api = Api(campaign.staff.get(username="ann"))
    path = f"campaigns/{campaign.slug}/alignments/{target.pk}/"
    before = api.get(path).json()
    assert (before["version"], before["corrected_version"]) == (0, None)
    unchanged = api.call("put", path, {"places": before["places"], "based_on_version": 0}).json()
    assert (unchanged["version"], unchanged["corrected_version"]) == (0, None)
    places = [1, 2, 3, 6, 0, None]
    after = api.call("put", path, {"places": places, "based_on_version": 0}).json()
    assert (after["places"], after["corrected_version"], after["classes"][3]) == (places, 1, "paraphrased")
    assert [each["made_by"] for each in after["versions"]] == ["ann"]
    assert api.call("put", path, {"places": [0] * 6, "based_on_version": 1}).status_code == 400
    assert api.call("put", path, {"places": [None] * 6, "based_on_version": 0}).status_code == 409
    assert api.call("put", path, {"places": None, "based_on_version": 1}).json()["corrected_version"] is None
