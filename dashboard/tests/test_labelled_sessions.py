"""Labelled sessions: a campaign's own people write and copy in turn, nobody else meets it; what it shows is said."""

import re
from collections import Counter
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from common.errors import Refused
from common.extras import CALIBRATION
from common.jobs import job_run
from common.models import Job
from compressions.labelled import calibration_of, labelled_task, labelled_texts
from compressions.models import Compression, Decoy, LabelledSessions, LabelledText, Source, TextFeatures
from compressions.services.comparison import compressions_compare
from corpus.selectors import release_sources
from crowd.models import Assignment, AuditEntry, Campaign, Enrolment, Item, Outcome
from crowd.services.claims import assignment_claim
from crowd.services.entry import enrolment_withdraw
from dashboard.services.deletion import campaign_delete
from dashboard.services.labelled_sessions import (
    calibration_request,
    labelled_sessions_make,
    labelled_sessions_remove,
)
from dashboard.services.previews import LIFETIME, MOST_AT_ONCE, preview_create, preview_end, previews_forget_old
from ratings.selectors.participants import participants_of_round
from tests.support.factories import (
    EDIT,
    RATE,
    edit_all,
    enrol,
    fields_of,
    freeze,
    make_campaign,
    rate_next,
    readable,
    rewriting_log,
    shortened,
    staff_client,
    submission_of,
    worker_client,
)
from tests.support.labelled import campaign_to_label, label_texts, sessions_of
from tests.support.lacking import lacks

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def page_of(campaign: Campaign) -> str:
    client = staff_client(campaign.staff.get())
    return " ".join(readable(client.get(f"/campaigns/{campaign.slug}/labelled-sessions/")).split())


def dashboard_of(campaign: Campaign) -> str:
    page = readable(staff_client(campaign.staff.get()).get(f"/campaigns/{campaign.slug}/"))
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page)


def act(campaign: Campaign, name: str) -> str:
    client = staff_client(campaign.staff.get())
    response = client.post(f"/campaigns/{campaign.slug}/labelled-sessions/", {"act": name}, follow=True)
    assert response.status_code == 200
    return " ".join(readable(response).split())


def task_of(client: Client, sessions: LabelledSessions) -> Assignment:
    client.get("/work/", follow=True)
    return Assignment.objects.filter(worker__campaign=sessions.sandbox, state="leased").latest("pk")


def copied_fields(source: Source) -> dict[str, str]:
    text = source.decoys.get().text
    return {"text": text, "log": str(rewriting_log(source.text, text)).replace("'", '"'), "started_from": "source"}


def work(client: Client, sessions: LabelledSessions, texts: int) -> list[str]:
    """Do as the page asks; return what it asked for."""
    asked = []
    for _number in range(texts):
        task = task_of(client, sessions)
        source = task.item.source
        page = readable(client.get(f"/work/edit/{task.pk}/"))
        is_copy = "Copy this text" in page
        assert is_copy != ("Write it yourself" in page)
        assert (source.decoys.get().text in page) == is_copy
        asked.append("copy" if is_copy else "own")
        fields = copied_fields(source) if is_copy else fields_of(submission_of(source))
        assert client.post(f"/work/edit/{task.pk}/", fields).status_code == 302
    return asked


def test_people_write_and_copy_in_turn_and_every_second_one_the_other_way_round() -> None:
    sessions = sessions_of(campaign_to_label(sources=4))

    asked = [work(worker_client(sessions.sandbox, EDIT, name), sessions, 4) for name in ("ann", "ben")]

    assert {each.outcome for each in Enrolment.objects.all()} == {Outcome.DONE}
    assert sorted(asked) == [["copy", "own", "copy", "own"], ["own", "copy", "own", "copy"]]
    stored = LabelledText.objects.order_by("pk").values_list("compression__worker__external_id", "label")
    assert [label for name, label in stored if name == "ann"] == asked[0]
    for each in LabelledText.objects.select_related("compression__source"):
        decoy = each.compression.source.decoys.get().text
        assert (each.compression.text == decoy) == (each.label == "copy")
        assert each.compression.text_features.values["fresh"] == (1.0 if each.label == "copy" else 0.0)


def test_what_is_not_the_text_to_copy_is_not_taken_and_nothing_is_lost() -> None:
    sessions = sessions_of(campaign_to_label())
    client = worker_client(sessions.sandbox, EDIT, "ann")
    task = task_of(client, sessions)
    if labelled_task(_enrolment(task), task.item.source).label == "own":  # type: ignore[union-attr]
        work(client, sessions, 1)
        task = task_of(client, sessions)

    response = client.post(f"/work/edit/{task.pk}/", fields_of(submission_of(task.item.source)))

    assert response.status_code == 422
    page = readable(response)
    assert "Your version differs from the text to copy." in page
    assert shortened(task.item.source.text) in page
    assert not Compression.objects.filter(assignment=task).exists()


def _enrolment(task: Assignment) -> Enrolment:
    return Enrolment.objects.select_related("worker", "link__campaign").get(worker=task.worker_id)


def test_a_label_is_own_or_copy_and_a_text_has_one() -> None:
    sessions = sessions_of(campaign_to_label())
    work(worker_client(sessions.sandbox, EDIT, "ann"), sessions, 1)
    known = LabelledText.objects.get()

    for label, compression in (("both", known.compression_id), ("", known.compression_id)):
        with pytest.raises(IntegrityError), transaction.atomic():
            LabelledText.objects.filter(compression=compression).update(label=label)
    with pytest.raises(IntegrityError), transaction.atomic():
        LabelledText.objects.create(compression=known.compression, label="own")


def test_sessions_are_held_elsewhere_and_a_result_says_of_what() -> None:
    campaign = campaign_to_label()
    sessions = LabelledSessions.objects.filter(pk=sessions_of(campaign).pk)

    changes: tuple[dict[str, Any], ...] = (
        {"sandbox": campaign},
        {"result": {}},
        {"fitted_on": "a"},
        {"fitted_at": timezone.now()},
    )
    for change in changes:
        with pytest.raises(IntegrityError), transaction.atomic():
            sessions.update(**change)


def test_labelled_work_reaches_no_rater_release_count_pay_or_comparison() -> None:
    campaign = campaign_to_label()
    edit_all(campaign, 2)
    items, texts = Item.objects.filter(campaign=campaign).count(), Compression.objects.filter(source__campaign=campaign)
    before = [(each.pk, each.open_slots) for each in campaign.items.order_by("pk")], texts.count()
    counted = dashboard_of(campaign)
    sessions = sessions_of(campaign)

    work(worker_client(sessions.sandbox, EDIT, "ann"), sessions, 4)
    compressions_compare()

    assert ([(each.pk, each.open_slots) for each in campaign.items.order_by("pk")], texts.count()) == before
    assert items == campaign.items.count()
    assert dashboard_of(campaign) == counted
    rater = enrol(campaign, RATE, "rater")
    while (rating := rate_next(rater)) is not None:
        assert rating.target is not None
        assert rating.target.source.campaign_id == campaign.pk
    assert len(participants_of_round(campaign, EDIT)) == 2
    frozen = [text for source in release_sources(freeze(campaign)) for text in source.texts]
    assert {text.text for text in frozen} == set(texts.values_list("text", flat=True))
    assert not sessions.sandbox.links.exclude(round=EDIT).exists()
    assert {worker.is_test for worker in sessions.sandbox.workers.all()} == {True}
    slug = sessions.sandbox.slug
    for address in ("", "releases/", "participants/edit/", "participants/edit/lists/", "pay/"):
        assert staff_client(campaign.staff.get()).get(f"/campaigns/{slug}/{address}").status_code == 404


def test_the_link_says_that_it_is_a_trial_and_nobody_can_end_it_from_there() -> None:
    campaign = campaign_to_label()
    sessions = sessions_of(campaign)
    client = worker_client(sessions.sandbox, EDIT, "ann")

    page = readable(client.get("/work/", follow=True))
    Client().post(f"/preview/{sessions.sandbox.slug}/end/")
    preview_end(slug=sessions.sandbox.slug)
    Campaign.objects.filter(pk=sessions.sandbox_id).update(created_at=timezone.now() - 2 * LIFETIME)
    for _number in range(MOST_AT_ONCE + 1):
        preview_create(campaign=campaign, work_round=EDIT)
    previews_forget_old()

    assert "Trial by the researchers: it is no part of the study" in page
    assert "End the preview" not in page
    assert LabelledSessions.objects.filter(campaign=campaign, sandbox=sessions.sandbox_id).exists()


def test_texts_that_came_since_are_added_behind_and_the_rest_stays() -> None:
    campaign = campaign_to_label(sources=3)
    act(campaign, "make")
    sessions = LabelledSessions.objects.get(campaign=campaign)
    assert "There are no more texts with a decoy or an output of a system" in act(campaign, "make")
    extra = make_campaign(sources=5)
    Source.objects.filter(campaign=extra, source_id__in=["4", "5"]).update(campaign=campaign)
    Item.objects.filter(source__campaign=campaign).update(campaign=campaign)
    added = Source.objects.get(campaign=campaign, source_id="5")
    Decoy.objects.create(source=added, system="m", text="Short.")

    assert "1 text can now be written and copied." in act(campaign, "make")

    copies = Source.objects.filter(campaign=sessions.sandbox_id).select_related("item").order_by("item__position")
    assert [each.item.position for each in copies] == [0, 1, 2, 3]
    assert copies[3].source_id == "5"
    sandbox = LabelledSessions.objects.select_related("sandbox").get(campaign=campaign).sandbox
    assert (sandbox.pk, sandbox.editor_tasks) == (sessions.sandbox_id, 4)


def test_without_anything_to_copy_staff_are_told_what_to_import() -> None:
    campaign = make_campaign(sources=2)
    source = Source.objects.filter(campaign=campaign).first()
    Decoy.objects.create(source=source, system="m", text=source.text)  # type: ignore[union-attr, misc]

    with pytest.raises(Refused, match="short enough to be copied"):
        labelled_sessions_make(campaign=campaign, user=campaign.staff.get())

    assert not Campaign.objects.filter(sandbox_of=campaign).exists()


def test_who_withdraws_or_has_no_name_is_not_learnt_from() -> None:
    sessions = sessions_of(campaign_to_label(sources=6))
    for name in ("ann", "ben"):
        work(worker_client(sessions.sandbox, EDIT, name), sessions, 6)
    nameless = Client()
    nameless.get(sessions.sandbox.links.get().get_absolute_url())
    nameless.post(sessions.sandbox.links.get().get_absolute_url())
    nameless.post("/work/guidelines/")
    work(nameless, sessions, 6)
    assert Counter(each.is_copy for each in labelled_texts(sessions).texts) == {True: 6, False: 6}

    enrolled = Enrolment.objects.select_related("worker", "link__campaign").get(worker__external_id="ann")
    enrolment_withdraw(enrolment=enrolled)

    assert len({each.person for each in labelled_texts(sessions).texts}) == 1


def test_a_session_is_of_one_person_and_label_without_a_break_and_has_three_texts() -> None:
    sessions = sessions_of(campaign_to_label(sources=12))
    label_texts(sessions, people=2, visits=2)

    found = labelled_texts(sessions)

    by_session = Counter(each.session for each in found.texts)
    assert sorted(by_session.values()) == [3] * 8
    assert len({(each.session, each.person, each.is_copy) for each in found.texts}) == 8
    assert found.left_out == 0
    LabelledText.objects.filter(compression=Compression.objects.earliest("pk")).delete()
    shorter = labelled_texts(sessions)
    assert (len(shorter.texts), shorter.left_out) == (21, 2)
    assert shorter.digest != found.digest


def test_the_page_counts_what_there_is_and_says_what_is_needed() -> None:
    campaign = campaign_to_label(sources=6)
    assert "Make a link for labelled sessions" in page_of(campaign)
    sessions = sessions_of(campaign)
    label_texts(sessions, people=4, visits=1)

    page = page_of(campaign)

    assert "How well copies are told from own writing here is not known yet." in page
    assert f"/join/{sessions.sandbox.links.get().token}/?participant=NAME" in page
    assert "Not enough: it takes 20 people and 40 sessions of each label before anything can be said." in page
    assert "To offer a false rate of 1%: 295 sessions of own writing more (299 in all)." in page
    assert "4 sessions of own writing can show a false rate of 52.7% at best." in page
    assert "Learn from these sessions" not in page
    assert "Times can be forged" in page
    assert "The sample is your own people" in page


@pytest.mark.parametrize(
    ("people", "visits", "rates", "best"),
    [(29, 2, [], "5.0"), (59, 1, [5], "5.0"), (37, 4, [5], "2.0"), (149, 1, [2, 5], "2.0"), (299, 1, [1, 2, 5], "1.0")],
)
def test_the_page_says_which_rates_so_many_sessions_can_show(
    people: int, visits: int, rates: list[int], best: str
) -> None:
    campaign = campaign_to_label(sources=24)
    sessions = sessions_of(campaign)
    label_texts(sessions, people=people, visits=visits)

    page = page_of(campaign)

    for rate in (1, 2, 5):
        assert (f"Enough to offer a false rate of {rate}%." in page) == (rate in rates)
    assert f"{people * visits} sessions of own writing can show a false rate of {best}% at best." in page


def learn(campaign: Campaign) -> None:
    calibration_request(campaign=campaign, user=campaign.staff.get())
    job_run(job_id=Job.objects.filter(kind="calibration").latest("pk").pk)


def test_what_was_learnt_is_shown_with_its_interval_and_thresholds_until_it_is_removed() -> None:
    campaign = campaign_to_label(sources=18)
    sessions = sessions_of(campaign)
    label_texts(sessions, people=20, visits=3)

    learn(campaign)

    sessions.refresh_from_db()
    assert sessions.fitted_on == labelled_texts(sessions).digest
    found = calibration_of(sessions)
    assert found is not None
    assert found.tells_apart
    page = page_of(campaign)
    area = found.by_session
    assert f"with a chance of {area.auc:.2f} (95% interval {area.low:.2f} to {area.high:.2f})" in page
    (only,) = found.thresholds
    assert f"{only.false} / 60" in page
    assert f"{100 * only.bound:.1f}%" in page
    assert "The labelled texts have changed since" not in page
    LabelledText.objects.filter(compression=Compression.objects.earliest("pk")).delete()
    assert "The labelled texts have changed since: learn again." in page_of(campaign)

    assert "There are no labelled sessions any more." in act(campaign, "remove")

    assert not LabelledSessions.objects.exists()
    assert not Campaign.objects.filter(sandbox_of=campaign).exists()
    assert not LabelledText.objects.exists()
    assert not TextFeatures.objects.exists()
    assert AuditEntry.objects.filter(campaign=campaign, action="labelled sessions removed").count() == 1
    labelled_sessions_remove(campaign=campaign, user=campaign.staff.get())  # nothing to do


def test_too_few_sessions_are_refused_by_the_job_and_nothing_is_stored() -> None:
    campaign = campaign_to_label(sources=6)
    label_texts(sessions_of(campaign), people=3, visits=1)

    learn(campaign)

    job = Job.objects.get(kind="calibration")
    assert job.state == Job.State.FAILED
    assert "not enough labelled sessions" in job.message
    assert LabelledSessions.objects.get().result is None
    assert "not enough labelled sessions" in page_of(campaign)


def test_without_the_extra_the_page_names_it_and_asks_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = campaign_to_label(sources=12)
    label_texts(sessions_of(campaign), people=20, visits=2)
    assert "Learn from these sessions" in page_of(campaign)
    lacks(monkeypatch, CALIBRATION)

    page = page_of(campaign)

    assert "needs the extra “calibration”. Install it on the server: pip install '.[calibration]'" in page
    assert "Learn from these sessions" not in page
    assert "needs the extra" in act(campaign, "learn")
    assert not Job.objects.filter(kind="calibration").exists()


def test_asked_twice_it_is_one_job() -> None:
    campaign = campaign_to_label(sources=12)
    label_texts(sessions_of(campaign), people=20, visits=2)

    for _number in range(2):
        calibration_request(campaign=campaign, user=campaign.staff.get())

    assert Job.objects.filter(kind="calibration").count() == 1


def test_a_result_of_sessions_that_were_removed_meanwhile_is_not_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = campaign_to_label(sources=12)
    label_texts(sessions_of(campaign), people=20, visits=2)
    original: Any = labelled_texts

    def removed_meanwhile(sessions: LabelledSessions) -> Any:
        found = original(sessions)
        labelled_sessions_remove(campaign=campaign, user=campaign.staff.get())
        sessions_of(campaign)
        return found

    monkeypatch.setattr("dashboard.services.labelled_sessions.labelled_texts", removed_meanwhile)
    learn(campaign)

    assert LabelledSessions.objects.get().result is None


def test_two_who_claim_alike_are_asked_for_opposites() -> None:
    """What is asked for follows from the text and the person, whatever was skipped or claimed before."""
    sessions = sessions_of(campaign_to_label())
    source = Source.objects.filter(campaign=sessions.sandbox).select_related("item").first()
    assert source is not None
    ann, ben = (enrol(sessions.sandbox, EDIT, name) for name in ("ann", "ben"))
    assignment_claim(enrolment=ann)

    labels = [labelled_task(each, source) for each in (ann, ben, ann)]

    assert labels[0] == labels[2] != labels[1]
    assert {each.label for each in labels if each} == {"own", "copy"}
    assert labelled_task(enrol(make_campaign(sources=1), EDIT, "cy"), source) is None


def test_labelled_sessions_go_with_their_campaign() -> None:
    campaign = campaign_to_label()
    sessions = sessions_of(campaign)
    work(worker_client(sessions.sandbox, EDIT, "ann"), sessions, 2)

    campaign_delete(campaign=campaign, user=None)

    assert not Campaign.objects.exists()
    assert not LabelledSessions.objects.exists()
    assert not LabelledText.objects.exists()
