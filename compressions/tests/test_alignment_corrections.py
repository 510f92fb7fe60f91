"""Corrections of alignments: what is kept of them, what is refused, and what databases hold of it by themselves."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import DatabaseError, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from common.clock import database_now
from common.errors import Refused
from compressions.alignment_words import MAX_WORDS, TooLongToDraw, words_of
from compressions.models import AlignmentCorrection, Source, Target
from compressions.selectors.alignments import (
    alignment_of,
    corrections_until,
    last_correction,
    targets_of_campaign,
)
from compressions.services.alignments import (
    CorrectedMeanwhile,
    NothingChanged,
    alignment_correct,
    alignment_take_back,
    places_check,
)
from compressions.text_aligner import word_rules
from crowd.models import AuditEntry, Campaign
from tests.support.factories import EDIT, edit_all, enrol, import_texts, make_campaign, make_staff, submit_text

pytestmark = pytest.mark.django_db
SOURCE = "Today he bought a very old automobile in the town where his mother had lived for years."
TEXT = "He bought a car today."


@pytest.fixture
def target() -> Target:
    return text_of(make_campaign(owner=make_staff("ann"), editors_per_source=3))


def text_of(campaign: Campaign, source: str = SOURCE, text: str = TEXT) -> Target:
    import_texts(campaign, [source])
    submit_text(enrol(campaign, EDIT), text)
    return targets_of_campaign(campaign).latest("pk")


def by_hand(target: Target) -> list[int | None]:
    """He, bought, a, car, today, and the full stop."""
    return [1, 2, 3, 6, 0, len(words_of(target).source.words) - 1]


def corrected(target: Target, places: list[int | None] | None = None, *, version: int = 0) -> AlignmentCorrection:
    wanted = by_hand(target) if places is None else places
    user = target.source.campaign.staff.get()
    return alignment_correct(target=target, places=wanted, based_on_version=version, user=user)


# What counts


def test_words_are_cut_by_the_rules_of_the_language_with_their_case(target: Target) -> None:
    words = words_of(target)
    assert words.text.words == ("He", "bought", "a", "car", "today", ".")
    assert words.source.words[-1] == "."
    assert words.source.sentence_count == 1


def test_a_text_without_rules_for_its_language_is_cut_at_spaces() -> None:
    assert word_rules("tlh").method == "whitespace"
    assert word_rules("de-AT").language == "de"


def test_each_word_knows_its_sentence(target: Target) -> None:
    Source.objects.update(text="He came. He saw it.")
    words = words_of(targets_of_campaign(target.source.campaign).get())
    assert words.source.sentences == (0, 0, 0, 1, 1, 1, 1)


def test_the_aligners_places_count_until_a_correction_does(target: Target) -> None:
    before = alignment_of(target)
    assert (before.version, before.corrected) == (0, None)

    made = corrected(target)

    after = alignment_of(target)
    assert (after.version, after.corrected, list(after.places)) == (1, made, by_hand(target))
    assert after.operations.target_classes[3] == "paraphrased"
    assert after.operations.moved == (4,)


def test_taking_it_back_is_a_version_too(target: Target) -> None:
    aligned = alignment_of(target).places
    corrected(target)
    user = make_staff()

    taken = alignment_take_back(target=target, based_on_version=1, user=user)

    assert taken is not None
    assert (taken.version, taken.places, taken.made_by) == (2, None, user)
    shown = alignment_of(target)
    assert (shown.places, shown.corrected, shown.version) == (aligned, None, 2)
    assert alignment_take_back(target=target, based_on_version=2, user=user) is None
    assert AlignmentCorrection.objects.count() == 2


def test_an_earlier_version_can_be_looked_at(target: Target) -> None:
    first = corrected(target)
    corrected(target, [None] * 6, version=1)
    assert list(alignment_of(target, first).places) == by_hand(target)
    assert alignment_of(target).places == (None,) * 6


def test_a_correction_of_words_that_are_cut_otherwise_today_does_not_count(target: Target) -> None:
    made = corrected(target)
    AlignmentCorrection.objects.filter(pk=made.pk).update(words=["He", "bought", "a", "car", "today", "…"])
    shown = alignment_of(target)
    assert (shown.corrected, shown.is_outdated, shown.version) == (None, True, 1)


def test_the_audit_log_says_who_corrected_what(target: Target) -> None:
    corrected(target)
    alignment_take_back(target=target, based_on_version=1, user=None)
    logged = AuditEntry.objects.filter(action__startswith="alignment").order_by("pk")
    name = f"text {target.source.source_id}"
    assert list(logged.values_list("username", "action", "subject", "detail")) == [
        ("ann", "alignment corrected", name, f"compression {target.pk}, version 1"),
        ("", "alignment taken back", name, f"compression {target.pk}, version 2"),
    ]


# What is refused


@pytest.mark.parametrize(
    ("places", "said"),
    [
        ([0] * 5, "There are 5 places for the 6 words"),
        ([0, None, None, None, None, 99], "no word 100"),
        ([-1, None, None, None, None, None], "no word 0"),
        ([0, 0, None, None, None, None], "“Today”, word 1 of the source"),
    ],
)
def test_places_that_cannot_be_are_refused_in_words(target: Target, places: list[int | None], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        corrected(target, places)
    assert not AlignmentCorrection.objects.exists()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(st.lists(st.one_of(st.none(), st.integers(-2, 20)), min_size=5, max_size=7))
def test_places_are_accepted_exactly_if_they_are_one_to_one(target: Target, places: list[int | None]) -> None:
    words = words_of(target)
    joined = [place for place in places if place is not None]
    in_range = all(0 <= place < len(words.source.words) for place in joined)
    is_good = len(places) == len(words.text.words) and in_range and len(set(joined)) == len(joined)
    try:
        places_check(words, places)
    except ValidationError:
        assert not is_good
    else:
        assert is_good


def test_a_version_in_between_is_not_overwritten(target: Target) -> None:
    corrected(target)
    with pytest.raises(CorrectedMeanwhile, match="Version 1"):
        corrected(target, [None] * 6)
    with pytest.raises(CorrectedMeanwhile):
        alignment_take_back(target=target, based_on_version=0, user=None)
    assert AlignmentCorrection.objects.count() == 1


def test_the_same_correction_sent_twice_is_one(target: Target) -> None:
    assert corrected(target) == corrected(target)
    with pytest.raises(NothingChanged):
        corrected(target, version=1)


def test_the_aligners_places_are_no_correction_where_they_count(target: Target) -> None:
    aligned = list(alignment_of(target).places)
    with pytest.raises(NothingChanged):
        corrected(target, aligned)
    corrected(target)
    alignment_take_back(target=target, based_on_version=1, user=None)
    with pytest.raises(NothingChanged):
        corrected(target, aligned, version=2)
    assert AlignmentCorrection.objects.count() == 2


def test_words_that_no_longer_fit_are_refused(target: Target) -> None:
    with pytest.raises(Refused, match="now split into other words"):
        alignment_correct(
            target=target, places=by_hand(target), based_on_version=0, user=None, fingerprint="of other words"
        )


def test_a_text_of_too_many_words_is_not_drawn(target: Target) -> None:
    for text in ("word " * (MAX_WORDS + 1), "x" * 1_000_000):
        Source.objects.update(text=text)
        with pytest.raises(TooLongToDraw, match=f"more than {MAX_WORDS} words"):
            alignment_of(targets_of_campaign(target.source.campaign).get())


@pytest.mark.parametrize(
    "wrong",
    [
        {"version": 0},
        {"version": 1},
        {"places": {"0": 1}},
        {"places": [None]},
        {"words": "He bought", "places": None},
        {"source_words": 3},
    ],
)
def test_the_database_refuses_what_no_correction_is(target: Target, wrong: dict[str, Any]) -> None:
    corrected(target)
    row = {"version": 2, "source_words": [], "words": [], "places": []} | wrong
    with pytest.raises(DatabaseError), transaction.atomic():
        AlignmentCorrection.objects.create(target=target, created_at=database_now(), **row)


# For reports and releases


def test_corrections_until_a_row_are_the_latest_up_to_there(target: Target) -> None:
    campaign, key = target.source.campaign, (target.source.source_id, target.text)
    assert (last_correction(campaign), corrections_until(campaign, 0)) == (0, {})
    first = corrected(target)
    second = corrected(target, [None] * 6, version=1)
    assert corrections_until(campaign, first.pk) == {key: first}
    assert corrections_until(campaign, last_correction(campaign)) == {key: second}
    alignment_take_back(target=target, based_on_version=2, user=None)
    assert corrections_until(campaign, last_correction(campaign)) == {}
    assert corrections_until(make_campaign(), last_correction(campaign)) == {}


def test_corrections_of_a_campaign_take_one_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    campaign = make_campaign(sources=4, owner=make_staff(), editor_tasks=9)
    edit_all(campaign, 1)
    for each in targets_of_campaign(campaign):
        corrected(each, [None] * len(words_of(each).text.words))
    last = last_correction(campaign)
    with django_assert_num_queries(1):
        assert len(corrections_until(campaign, last)) == 4
