"""Texts that are retired, reinstated and corrected: who is given them, who is told, and what is left as it was."""

import json
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from agreement.planning.plans import releasable_ratings
from common.errors import Refused, SlotTaken
from compressions.models import Compression, Source, Target
from compressions.selectors.sources import first_versions
from compressions.services.imports import source_import
from compressions.services.outputs import Output, outputs_add
from compressions.services.paragraphs import paragraphs_divide
from compressions.services.retirement import source_correct, source_reinstate, source_retire
from crowd.models import Assignment, Campaign, Enrolment, Item
from crowd.services.claims import assignment_claim
from crowd.services.leases import assignment_renew
from ratings.selectors.qualification import texts_to_sample
from ratings.services.exclusions import person_exclude
from ratings.services.experts import expert_sample_draw
from tests.support.factories import (
    EDIT,
    RATE,
    SENTENCE,
    edit_all,
    edit_next,
    editor_at_work,
    enrol,
    fields_of,
    import_paragraphs,
    judged_campaign,
    make_campaign,
    rate,
    readable,
    submission_of,
    submit_edit,
    worker_client,
)

pytestmark = pytest.mark.django_db
State = Assignment.State
NEW_TEXT = SENTENCE.format(number=77)
TOLD = "We have removed this text from the study"


def retire(source: Source, *, kept: bool = True) -> int:
    return source_retire(source=source, note="It has a typing error.", work_is_kept=kept, user=None)


def correct(source: Source, text: str = NEW_TEXT) -> Source:
    return source_correct(source=source, text=text, note="A typing error.", work_is_kept=False, user=None)


def first_of(campaign: Campaign) -> Source:
    return Source.objects.filter(campaign=campaign).earliest("pk")


def closed_items(campaign: Campaign) -> set[int]:
    return set(Item.objects.filter(campaign=campaign, is_closed=True).values_list("pk", flat=True))


def claimed(enrolment: Enrolment) -> Assignment:
    assignment = assignment_claim(enrolment=enrolment)
    assert assignment is not None
    return assignment


def test_nobody_is_given_a_retired_text_until_it_is_reinstated() -> None:
    campaign = make_campaign(sources=1)
    source = first_of(campaign)

    retire(source)
    assert edit_next(enrol(campaign, EDIT)) is None

    source_reinstate(source=source)
    assert edit_next(enrol(campaign, EDIT)) is not None


def test_retiring_closes_what_is_rated_alone_in_pairs_and_by_experts_and_nothing_of_other_texts() -> None:
    single = judged_campaign(sources=2, editors=2)
    expert_sample_draw(campaign=single, size=2, seed=1, experts=1)
    pairs = make_campaign(sources=2, rating_task="pair", editors_per_source=2)
    edit_all(pairs, 2)
    for campaign in (single, pairs):
        one, other = Source.objects.filter(campaign=campaign).order_by("pk")
        retire(one)
        about_other = {other.item_id, *Target.objects.filter(source=other).values_list("item_id", flat=True)}
        found = closed_items(campaign)
        assert one.item_id in found
        assert set(Target.objects.filter(source=one).values_list("item_id", flat=True)) <= found
        assert not about_other & found
    assert Item.objects.filter(pair__first__source__campaign=pairs, is_closed=True).count() == 1
    assert (
        Item.objects.filter(campaign=single, round="expert", is_closed=True).count()
        == Item.objects.filter(expert_item__target__source=first_of(single)).count()
    )


def test_reinstating_opens_only_what_retiring_has_closed() -> None:
    campaign = make_campaign(sources=2, editors_per_source=2)
    edit_all(campaign, 2)
    author = Compression.objects.filter(source__campaign=campaign).earliest("pk").worker
    person_exclude(worker=author, work_round=EDIT, note="A program.", user=None)
    before = closed_items(campaign)
    assert before

    for source in Source.objects.filter(campaign=campaign):
        retire(source)
    assert closed_items(campaign) > before
    for source in Source.objects.filter(campaign=campaign):
        source_reinstate(source=source)

    assert closed_items(campaign) == before


def test_an_exclusion_does_not_reopen_what_was_retired() -> None:
    campaign = make_campaign(sources=1, editors_per_source=2)
    edit_all(campaign, 2)
    source = first_of(campaign)
    retire(source)
    closed = closed_items(campaign)

    author = Compression.objects.filter(source=source).earliest("pk").worker
    person_exclude(worker=author, work_round=EDIT, note="A program.", user=None)

    assert closed_items(campaign) == closed


def test_an_editor_at_work_is_told_and_keeps_what_they_wrote() -> None:
    campaign = make_campaign(sources=1)
    client, assignment = editor_at_work(campaign)
    source = assignment.item.source
    wanted = source.item.wanted

    assert retire(source) == 1

    assignment.refresh_from_db()
    source.item.refresh_from_db()
    assert (assignment.state, source.item.open_slots) == (State.EXPIRED, wanted)
    address = f"/work/edit/{assignment.pk}/"
    sent = client.post(address, fields_of(submission_of(source)))
    assert sent.status_code == 409
    assert TOLD in readable(sent)
    assert submission_of(source).text in readable(sent)
    assert not Compression.objects.exists()
    assert client.post(f"/work/{assignment.pk}/renew/").status_code in {404, 409}
    seen = client.get(address, follow=True)
    assert TOLD in readable(seen)
    assert seen.request["PATH_INFO"] != address


def test_a_lease_on_a_retired_text_cannot_be_renewed() -> None:
    campaign = make_campaign(sources=1)
    enrolment = enrol(campaign, EDIT)
    assignment = claimed(enrolment)
    retire(first_of(campaign))

    with pytest.raises(SlotTaken, match=TOLD):
        assignment_renew(assignment_id=assignment.pk, enrolment=enrolment)


def test_a_rater_at_work_is_told() -> None:
    campaign = make_campaign(sources=1)
    edit_next(enrol(campaign, EDIT))
    client = worker_client(campaign, RATE, "bea")
    assignment = Assignment.objects.get(worker__external_id="bea", round=RATE, state=State.LEASED)
    retire(first_of(campaign))

    answers = {f"meaning-{assignment.pk}": "3", f"grammar-{assignment.pk}": "3", "tasks": str(assignment.pk)}
    sent = client.post(f"/work/rate/{assignment.pk}/", answers)
    assert sent.status_code == 409
    assert TOLD in readable(sent)
    assert TOLD in readable(client.get(f"/work/rate/{assignment.pk}/", follow=True))


def test_whoever_was_at_work_gets_the_text_back_when_it_is_reinstated() -> None:
    campaign = make_campaign(sources=1)
    enrolment = enrol(campaign, EDIT)
    assignment = claimed(enrolment)
    retire(first_of(campaign))
    source_reinstate(source=first_of(campaign))

    assert claimed(enrolment).pk == assignment.pk
    assert submit_edit(enrolment, assignment)


def test_answers_can_be_corrected_after_their_text_was_retired() -> None:
    campaign = make_campaign(sources=1)
    edit_next(enrol(campaign, EDIT))
    rater = enrol(campaign, RATE)
    assignment = claimed(rater)
    rate(rater, assignment, meaning=3, grammar=3)
    retire(first_of(campaign))

    assert rate(rater, assignment, meaning=2, grammar=3, known_version=1).version == 2


def test_outputs_of_systems_for_a_retired_text_are_stored_and_given_to_nobody() -> None:
    campaign = make_campaign(sources=1)
    retire(first_of(campaign))

    outputs_add(campaign=campaign, system="half", outputs=[Output(1, "1", "What a system wrote.")])

    assert Target.objects.get().item.is_closed
    assert assignment_claim(enrolment=enrol(campaign, RATE)) is None


def test_experts_and_divided_paragraphs_leave_retired_texts_out() -> None:
    judged = judged_campaign(sources=2)
    retire(first_of(judged))
    assert {text.source_id for text in texts_to_sample(judged)} == {"2"}

    paragraphs = make_campaign()
    import_paragraphs(paragraphs, ["a_b", "c_d"])
    retire(first_of(paragraphs))
    assert paragraphs_divide(campaign=paragraphs, count=5, seed=1).suitable == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"retired_at": timezone.now()},
        {"retire_note": "why"},
        {"work_is_kept": False},
        {"retired_at": timezone.now(), "retire_note": ""},
    ],
)
def test_the_database_wants_a_reason_for_every_retired_text_and_for_no_other(fields: dict[str, Any]) -> None:
    source = first_of(make_campaign(sources=1))

    with pytest.raises(IntegrityError), transaction.atomic():
        Source.objects.filter(pk=source.pk).update(**fields)


def test_a_text_cannot_correct_itself() -> None:
    source = first_of(make_campaign(sources=1))

    with pytest.raises(IntegrityError), transaction.atomic():
        Source.objects.filter(pk=source.pk).update(corrects=source)


def test_retiring_wants_a_reason_and_happens_once() -> None:
    source = first_of(make_campaign(sources=1))
    with pytest.raises(Refused, match="why"):
        source_retire(source=source, note=" ", work_is_kept=True, user=None)
    retire(source, kept=False)

    retire(source, kept=True)

    source.refresh_from_db()
    assert source.is_left_out


def test_a_corrected_text_takes_the_place_of_the_old_one() -> None:
    campaign = make_campaign(sources=1, editors_per_source=2)
    first = enrol(campaign, EDIT)
    edit_next(first)
    source = first_of(campaign)

    new = correct(source)

    source.refresh_from_db()
    assert (new.source_id, new.text, new.genre, new.corrects) == ("1-corrected", NEW_TEXT, source.genre, source)
    assert (new.item.wanted, new.item.open_slots) == (2, 2)
    assert source.is_left_out
    assert edit_next(first) is None  # they have compressed nearly the same text
    second = edit_next(enrol(campaign, EDIT))
    assert second is not None
    assert second.source == new


def test_raters_of_the_old_text_do_not_write_for_the_new_one() -> None:
    campaign = make_campaign(sources=1)
    edit_next(enrol(campaign, EDIT))
    rater = enrol(campaign, RATE, "both")
    rate(rater, claimed(rater), meaning=3, grammar=3)

    correct(first_of(campaign))

    assert edit_next(enrol(campaign, EDIT, "both")) is None


def test_a_correction_can_be_corrected_again_and_one_is_in_use_at_a_time() -> None:
    campaign = make_campaign(sources=1)
    source = first_of(campaign)
    second = correct(source)
    third = correct(second, SENTENCE.format(number=78))
    assert [second.source_id, third.source_id] == ["1-corrected", "1-corrected-2"]
    assert {pk: each.source_id for pk, each in first_versions(campaign).items()} == {second.pk: "1", third.pk: "1"}

    for each in (source, second):
        with pytest.raises(Refused, match=r"Text 1-corrected-2 has replaced it\."):
            source_reinstate(source=each)
    with pytest.raises(Refused, match="Correct that one instead"):
        correct(source, SENTENCE.format(number=79))

    retire(third)
    source_reinstate(source=source)
    with pytest.raises(Refused, match=r"Text 1 has replaced it\.|Text 1 is in use"):
        source_reinstate(source=third)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Too short.", "Too short: 2 words, a sentence needs 15"),
        ("word " * 1001, "at most 5000 allowed"),
        (SENTENCE.format(number=1), "You haven’t changed the text"),
        (f"{NEW_TEXT}\x1b", "U\\+001B control character"),
    ],
)
def test_a_correction_goes_through_the_checks_of_a_file(text: str, reason: str) -> None:
    source = first_of(make_campaign(sources=1))

    with pytest.raises(Refused, match=reason):
        correct(source, text)

    source.refresh_from_db()
    assert not source.is_retired
    assert Source.objects.count() == 1


def test_a_corrected_paragraph_and_its_sentences_stay_with_different_editors() -> None:
    campaign = make_campaign(editors_per_source=1)
    import_paragraphs(campaign, ["a_b"])
    paragraphs_divide(campaign=campaign, count=1, seed=1)
    paragraph = Source.objects.get(source_id="a_b")

    new = correct(paragraph, f"{SENTENCE.format(number=8)} {SENTENCE.format(number=9)}")

    assert (new.source_id, new.sentences) == ("a_b-corrected", 2)
    editor = enrol(campaign, EDIT)
    given = set()
    while compression := edit_next(editor):
        given.add(compression.source.source_id)
    assert given in ({"a_b-corrected"}, {"a", "b"})


def test_a_corrected_sentence_still_belongs_to_its_paragraph() -> None:
    campaign = make_campaign()
    import_paragraphs(campaign, ["a_b"])
    paragraphs_divide(campaign=campaign, count=1, seed=1)

    new = correct(Source.objects.get(source_id="a"))

    assert new.paragraph is not None
    assert new.paragraph.source_id == "a_b"


def test_a_file_that_is_imported_again_leaves_a_retired_text_retired() -> None:
    campaign = make_campaign(sources=1)
    source = first_of(campaign)
    retire(source)
    row = json.dumps({"id": "1", "genre": "Letters", "text": source.text}).encode()

    source_import(campaign=campaign, file_name="a.jsonl", content=row, strict=True)

    source.refresh_from_db()
    assert source.is_retired


def test_plans_count_what_a_release_would_hold() -> None:
    campaign = judged_campaign(sources=3)
    before = len(releasable_ratings(campaign).texts)
    one, other, _ = Source.objects.filter(campaign=campaign).order_by("pk")
    retire(one, kept=True)
    retire(other, kept=False)

    assert (before, len(releasable_ratings(campaign).texts)) == (3, 2)
