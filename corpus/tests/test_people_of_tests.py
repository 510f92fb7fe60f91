"""Test participants: what they do is offered to tests only, counts nowhere, is never released, and can be removed."""

from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User

from common.errors import Refused
from compressions.models import Compression, Pair, Target
from compressions.services.outputs import Output, outputs_add
from corpus.services.people_of_tests import Removal, people_of_tests_remove, work_of_tests_count
from crowd.models import Assignment, AuditEntry, Campaign, Enrolment, Item, JoinLink, Stream, Worker
from crowd.selectors.progress import round_progress
from crowd.selectors.settings_versions import settings_history
from crowd.services.claims import assignment_claim
from measures.quality_control.worker_filter import FilterParameters
from ratings.models import QualityDecision, Rating
from ratings.selectors.judgements import crowd_ratings
from ratings.selectors.quality import people_left_out
from ratings.selectors.rating_counts import rating_summary_now
from ratings.services.quality import quality_apply
from ratings.services.rating_counts import rating_counts_advance
from tests.support.factories import (
    EDIT,
    RATE,
    edit_next,
    enrol,
    freeze,
    judged_campaign,
    make_campaign,
    make_staff,
    rate_all,
    readable,
    staff_client,
    submit_text,
    version_of,
)
from tests.support.stored import release_folder

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def marked(enrolment: Enrolment) -> Enrolment:
    Worker.objects.filter(pk=enrolment.worker_id).update(is_test=True)
    return Enrolment.objects.select_related("worker", "link__campaign").get(pk=enrolment.pk)


def enrol_as_test(campaign: Campaign, work_round: str, name: str) -> Enrolment:
    return marked(enrol(campaign, work_round, name))


def writes(enrolment: Enrolment, number: int) -> Compression:
    source = enrolment.campaign.sources.get()
    return submit_text(enrolment, version_of(source, number))


def small(**settings: Any) -> Campaign:
    return make_campaign(**{"sources": 1, "editors_per_source": 5, "raters_per_compression": 3, **settings})


def offered(rater: Enrolment) -> list[str]:
    texts = []
    while assignment := assignment_claim(enrolment=rater):
        texts.append(assignment.item.target.text)
        Assignment.objects.filter(pk=assignment.pk).update(state="submitted", submitted_at=assignment.leased_at)
    return texts


def test_only_test_raters_are_offered_what_a_test_editor_wrote_and_first() -> None:
    campaign = small(system_percent=0)
    real = writes(enrol(campaign, EDIT), 1)
    test = writes(enrol_as_test(campaign, EDIT, "t"), 2)
    assert Item.objects.get(target=test.target_id).stream == Stream.TEST

    assert offered(enrol(campaign, RATE)) == [real.text]
    assert offered(enrol_as_test(campaign, RATE, "r")) == [test.text, real.text]


def test_a_text_that_a_real_editor_writes_as_well_is_work_for_all() -> None:
    campaign = small()
    test = writes(enrol_as_test(campaign, EDIT, "t"), 1)
    writes(enrol(campaign, EDIT), 1)

    assert Item.objects.get(target=test.target_id).stream == Stream.WORK
    assert offered(enrol(campaign, RATE)) == [test.text]


def test_an_output_of_a_system_like_the_text_of_a_test_is_an_output() -> None:
    campaign = small()
    test = writes(enrol_as_test(campaign, EDIT, "t"), 1)
    outputs_add(campaign=campaign, system="A", outputs=[Output(1, "1", test.text)])

    assert Item.objects.get(target=test.target_id).stream == Stream.SYSTEM


def test_side_by_side_no_real_text_stands_beside_one_of_a_test_for_a_real_rater() -> None:
    campaign = small(rating_task="pair", pairs_per_compression=5)
    writes(enrol_as_test(campaign, EDIT, "t"), 1)
    writes(enrol(campaign, EDIT), 2)
    writes(enrol(campaign, EDIT), 3)
    writes(enrol_as_test(campaign, EDIT, "u"), 4)

    of_work = Pair.objects.filter(item__stream=Stream.WORK)
    assert [{pair.first.text[-2:], pair.second.text[-2:]} for pair in of_work] == [{"2.", "3."}]

    writes(enrol(campaign, EDIT), 4)
    of_work = Pair.objects.filter(item__stream=Stream.WORK)
    found = [{pair.first.text[-2:], pair.second.text[-2:]} for pair in of_work.order_by("pk")]
    assert found == [{"2.", "3."}, {"2.", "4."}, {"3.", "4."}]


def campaign_with_tests(owner: User | None = None) -> Campaign:
    """All done by real people, with slots left; a test editor and a test rater, who rates everything 1."""
    campaign = judged_campaign(owner=owner, sources=3, editors_per_source=2, raters_per_compression=4)
    editor = enrol_as_test(campaign, EDIT, "test editor")
    while edit_next(editor):
        pass
    rate_all(enrol_as_test(campaign, RATE, "test rater"), 1, 1)
    return campaign


def test_tests_count_in_no_figure() -> None:
    plain, tested = judged_campaign(sources=3, editors_per_source=2, raters_per_compression=4), campaign_with_tests()
    rating_counts_advance(campaign=tested)

    def figures(campaign: Campaign) -> list[object]:
        table, summary = crowd_ratings(campaign), rating_summary_now(campaign)
        run = quality_apply(campaign=campaign, parameters=FilterParameters())
        progress = [round_progress(campaign, each).done for each in (EDIT, RATE)]
        decided = QualityDecision.objects.filter(run=run).count()
        return [table.scores.tolist(), summary, run.summary, progress, decided]

    assert figures(plain) == figures(tested)
    left_out = people_left_out(tested, None)
    assert {each.reason for each in left_out} == {"test participant"}
    assert {each.worker.external_id for each in left_out} == {"test editor", "test rater"}


def test_a_release_holds_nothing_of_tests_even_without_a_quality_run() -> None:
    plain, tested = judged_campaign(sources=3, editors_per_source=2, raters_per_compression=4), campaign_with_tests()
    one, other = freeze(plain), freeze(tested)

    assert {**one.summary} == {**other.summary}
    content = (release_folder(other) / "corpus.jsonl").read_text()
    for worker in Worker.objects.filter(is_test=True):
        assert f'"{worker.public_name}"' not in content


def test_there_is_nothing_to_release_of_tests_alone() -> None:
    campaign = small()
    writes(enrol_as_test(campaign, EDIT, "t"), 1)
    rate_all(enrol_as_test(campaign, RATE, "r"))
    assert Rating.objects.exists()

    with pytest.raises(Refused, match="nothing to release"):
        freeze(campaign)


def everything() -> dict[str, list[tuple[object, ...]]]:
    kept = {"AuditEntry", "User", "Permission", "ContentType"}
    return {
        model._meta.label: list(model._default_manager.order_by("pk").values_list())
        for model in apps.get_models()
        if model.__name__ not in kept
    }


def test_a_removal_leaves_everything_as_it_would_be_without_tests() -> None:
    campaign = judged_campaign(sources=3, editors_per_source=2, raters_per_compression=4)
    before = everything()
    editor = enrol_as_test(campaign, EDIT, "test editor")
    while edit_next(editor):
        pass
    rate_all(enrol_as_test(campaign, RATE, "test rater"), 1, 1)
    assert assignment_claim(enrolment=enrol(campaign, RATE, "real")) is not None
    user = make_staff()

    removal = people_of_tests_remove(campaign=campaign, user=user)

    Assignment.objects.filter(worker__external_id="real").delete()
    Worker.objects.filter(external_id="real").delete()
    Item.objects.filter(round=RATE, open_slots=1).update(open_slots=2)
    assert removal.people == 2
    assert everything() == before
    entry = AuditEntry.objects.get(action="test people removed")
    assert (entry.username, entry.detail) == (user.username, removal.words)


def test_texts_that_real_people_wrote_too_stay_when_tests_are_removed() -> None:
    campaign = small()
    first = writes(enrol_as_test(campaign, EDIT, "t"), 1)
    writes(enrol(campaign, EDIT), 1)
    writes(enrol_as_test(campaign, EDIT, "u"), 2)

    assert work_of_tests_count(campaign) == Removal(2, 2, 0, 2)
    assert people_of_tests_remove(campaign=campaign, user=None) == Removal(2, 2, 0, 2)
    assert list(Target.objects.values_list("pk", flat=True)) == [first.target_id]
    assert campaign.items.get(round=EDIT).open_slots == 4
    assert people_of_tests_remove(campaign=campaign, user=None) == Removal(0, 0, 0, 0)


def test_one_is_no_plural() -> None:
    assert Removal(1, 1, 1, 1).words == "1 person, 1 compression, 1 rating, 1 slot"
    assert Removal(2, 0, 3, 0).words == "2 people, 0 compressions, 3 ratings, 0 slots"


def test_the_button_asks_first_with_the_numbers_and_removes() -> None:
    owner = make_staff()
    campaign, client = campaign_with_tests(owner), staff_client(owner)

    page = readable(client.get(f"/campaigns/{campaign.slug}/test-people/"))
    dashboard = readable(client.get(f"/campaigns/{campaign.slug}/"))
    done = readable(client.post(f"/campaigns/{campaign.slug}/test-people/", follow=True))

    assert "Remove 2 test participants" in " ".join(page.split())
    assert "2 test participants, counted nowhere else" in " ".join(dashboard.split())
    assert "Removed: 2 people" in done
    assert not Worker.objects.filter(is_test=True).exists()


def test_a_test_link_gives_work_in_a_draft_and_other_links_do_not() -> None:
    campaign = small()
    real, test = enrol(campaign, EDIT), enrol_as_test(campaign, EDIT, "t")
    JoinLink.objects.filter(pk=test.link_id).update(is_test=True)
    Campaign.objects.filter(pk=campaign.pk).update(state="draft")
    again = [Enrolment.objects.select_related("worker", "link__campaign").get(pk=each.pk) for each in (real, test)]

    assert [assignment_claim(enrolment=each) is not None for each in again] == [False, True]


def test_the_settings_history_counts_no_tests() -> None:
    plain, tested = judged_campaign(sources=3, editors_per_source=2, raters_per_compression=4), campaign_with_tests()

    def counted(campaign: Campaign) -> object:
        history = settings_history(campaign)
        return [row.counts for row in history.rows], history.unrecorded

    assert counted(plain) == counted(tested)
