"""A quiz study that is rehearsed: simulated people make both visits, and leave nothing when they are removed."""

from collections import Counter

import pytest

from corpus.services.people_of_tests import people_of_tests_remove
from crowd.models import Round
from dashboard.services.previews import preview_create
from dashboard.simulation.crowd import crowd_simulate
from protocols.models import DesignRow
from protocols.quiz.study import study_of
from protocols.quiz.tests.studies import TEXTS, next_address, quiz_study
from tests.support.factories import EDIT, RATE, silent, worker_client

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_simulated_people_make_both_visits_and_leave_when_they_are_removed() -> None:
    campaign = quiz_study({"conditions": "none: none\nown: generic\nmachine: primed"})

    report = crowd_simulate(campaign=campaign, editors=0, raters=6, seed=7, progress=silent, as_tests=True)

    study = study_of(campaign, "test participants")
    assert (report.ratings, len(study.sittings)) == (36, 18)
    assert Counter((each.text_id, each.condition) for each in study.sittings) == {
        (text, condition): 2 for text in TEXTS for condition in study.conditions
    }
    assert all(each.seconds for each in study.sittings)
    assert study_of(campaign).sittings == []
    people_of_tests_remove(campaign=campaign, user=None)
    assert not DesignRow.objects.filter(enrolment__isnull=False).exists()
    assert set(campaign.items.values_list("open_slots", flat=True)) == {2}


@pytest.mark.parametrize("work_round", [EDIT, RATE])
def test_a_preview_shows_each_visit_by_itself(work_round: Round) -> None:
    link = preview_create(campaign=quiz_study({"warm_up": ""}), work_round=work_round)
    client = worker_client(link.campaign, work_round, "somebody")

    page = client.get(next_address(client))

    assert page.status_code == 200
    assert page.context["utterances"]
