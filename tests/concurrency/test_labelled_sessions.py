"""Labelled sessions at the same moment: one sandbox, one job, and each text has one label."""

from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection

from common.errors import Refused
from common.models import Job
from compressions.models import Compression, LabelledSessions, LabelledText
from compressions.selectors.sources import source_of_assignment
from compressions.services.submission import Submission, compression_submit
from crowd.models import Assignment, Campaign
from crowd.services.claims import assignment_claim
from dashboard.services.labelled_sessions import (
    calibration_request,
    labelled_sessions_make,
    labelled_sessions_remove,
)
from tests.support.factories import EDIT, enrol, rewriting_log
from tests.support.labelled import campaign_to_label, sessions_of
from tests.support.together import together

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL runs transactions side by side"),
]


def made(campaign: Campaign) -> int:
    try:
        return labelled_sessions_make(campaign=campaign, user=campaign.staff.get())
    except Refused:
        return 0


@pytest.mark.parametrize("time", range(3))
def test_made_four_times_at_once_they_have_each_text_once(time: int) -> None:
    campaign = campaign_to_label(sources=3)

    replies = together([partial(made, campaign)] * 4)

    assert sorted(replies) == [0, 0, 0, 3]
    sandbox = LabelledSessions.objects.get().sandbox
    assert list(Campaign.objects.exclude(pk=campaign.pk)) == [sandbox]
    assert sorted(sandbox.sources.values_list("item__position", flat=True)) == [0, 1, 2]


@pytest.mark.parametrize("time", range(3))
def test_asked_for_four_times_at_once_there_is_one_job(time: int, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = campaign_to_label(sources=2)
    sessions_of(campaign)
    # A job that has ended may be asked for again: here none begins before all have asked.
    monkeypatch.setattr("common.jobs._announce", lambda _: None)

    together([partial(calibration_request, campaign=campaign, user=campaign.staff.get())] * 4)

    assert Job.objects.count() == 1


@pytest.mark.parametrize("time", range(3))
def test_a_text_sent_four_times_at_once_has_one_label(time: int) -> None:
    sessions = sessions_of(campaign_to_label(sources=2))
    editor = enrol(sessions.sandbox, EDIT, "ann")
    task = assignment_claim(enrolment=editor)
    assert task is not None
    source = source_of_assignment(task)
    text = source.decoys.get().text
    submission = Submission(text, rewriting_log(source.text, text))

    send = partial(compression_submit, enrolment=editor, assignment_id=task.pk, source=source, submission=submission)
    together([send] * 4)

    assert Compression.objects.get().labelled == LabelledText.objects.get()
    assert Assignment.objects.get(pk=task.pk).state == Assignment.State.SUBMITTED


@pytest.mark.parametrize("time", range(3))
def test_removed_while_made_again_there_is_one_sandbox_or_none(time: int) -> None:
    campaign = campaign_to_label(sources=2)
    sessions_of(campaign)
    remove = partial(labelled_sessions_remove, campaign=campaign, user=campaign.staff.get())

    acts: list[Callable[[], object]] = [remove, partial(made, campaign), remove, partial(made, campaign)]
    together(acts)

    held = set(LabelledSessions.objects.values_list("sandbox", flat=True))
    assert set(Campaign.objects.exclude(pk=campaign.pk).values_list("pk", flat=True)) == held
    assert len(held) <= 1
