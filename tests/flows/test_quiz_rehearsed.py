"""A quiz study that is rehearsed: simulated people make both visits, and leave nothing when they are removed."""

from collections import Counter
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from corpus.services.people_of_tests import people_of_tests_remove
from crowd.models import Round
from dashboard.services.deletion import campaign_delete
from dashboard.services.previews import preview_create
from dashboard.simulation.crowd import crowd_simulate
from protocols.models import DesignRow, Material, Response, Sound
from protocols.quiz.study import study_of
from protocols.quiz.tests.sounds import heard_study
from protocols.quiz.tests.studies import LINES, TEXTS, imported, next_address, quiz_campaign, quiz_study
from tests.support.api_client import Api
from tests.support.factories import EDIT, RATE, make_staff, readable, silent, staff_client, worker_client
from tests.support.stored import stored_paths

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_simulated_people_make_both_visits_and_leave_when_they_are_removed() -> None:
    campaign = quiz_study({"conditions": "none: none\nown: generic\nmachine: primed"})

    report = crowd_simulate(campaign=campaign, editors=0, raters=6, seed=7, progress=silent, as_tests=True)

    study = study_of(campaign, "test participants")
    marks = Response.objects.filter(assignment__round=Round.EXPERT, assignment__worker__is_test=True).count()
    assert marks >= 2 * campaign.items.filter(round=Round.EXPERT, wanted=2).count() > 0
    assert (report.ratings, len(study.sittings)) == (36 + marks, 18)
    assert Counter((each.text_id, each.condition) for each in study.sittings) == {
        (text, condition): 2 for text in TEXTS for condition in study.conditions
    }
    assert all(each.seconds for each in study.sittings)
    assert study_of(campaign).sittings == []
    people_of_tests_remove(campaign=campaign, user=None)
    assert not DesignRow.objects.filter(enrolment__isnull=False).exists()
    assert set(campaign.items.exclude(round=Round.EXPERT).values_list("open_slots", flat=True)) == {2}


@pytest.mark.parametrize("work_round", [EDIT, RATE])
def test_a_preview_shows_each_visit_by_itself(work_round: Round) -> None:
    link = preview_create(campaign=quiz_study({"warm_up": ""}), work_round=work_round)
    client = worker_client(link.campaign, work_round, "somebody")

    page = client.get(next_address(client))

    assert page.status_code == 200
    assert page.context["utterances"]


def test_pieces_of_work_are_made_by_page_api_and_command_or_the_reasons_told() -> None:
    owner = make_staff()
    campaign = quiz_campaign(owner=owner)
    page, api = staff_client(owner), Api(owner)
    address = f"/campaigns/{campaign.slug}/task/pieces/"

    refused = page.post(address)
    assert (refused.status_code, "There are 0 texts" in readable(refused)) == (409, True)
    assert api.post(f"campaigns/{campaign.slug}/task/pieces/", {}).status_code == 409
    with pytest.raises(CommandError, match="There are 0 texts"):
        call_command("make_pieces", campaign.slug)

    imported(campaign, LINES)
    printed = StringIO()
    call_command("make_pieces", campaign.slug, "--fill-in", stdout=printed)
    assert "18 pieces of work and 6 rows" in printed.getvalue()
    call_command("simulate_crowd", campaign.slug, "--raters=2", stdout=printed)  # and the default of 40 editors
    assert Response.objects.filter(assignment__round=Round.RATE).count() == 2 * 3
    made = campaign.items.count()
    assert page.post(address).status_code == 302  # they are made once, and there is nothing to mark yet
    assert campaign.items.count() == made
    assert "Make the pieces of work" not in readable(page.get(f"/campaigns/{campaign.slug}/task/"))


@pytest.mark.django_db(transaction=True)
def test_no_file_outlives_its_name_and_nothing_its_campaign() -> None:
    campaign = heard_study()
    before = Sound.objects.get()
    assert {path.name for path in stored_paths()} == {Path(before.file).name}
    sandbox = preview_create(campaign=campaign, work_round=EDIT).campaign
    assert Material.objects.filter(campaign=sandbox, body__audio__file=before.file).exists()

    campaign_delete(campaign=campaign, user=None)

    assert not Sound.objects.exists()
    assert stored_paths() == []
