"""What people made of two sentences in one campaign is judged in another, and not by those who wrote it."""

from typing import Any

import pytest
from django.core.management import CommandError, call_command

from compressions.selectors.sources import source_of_assignment
from compressions.services.outputs import Output, outputs_add
from compressions.services.submission import Submission, compression_submit
from compressions.tests.test_fusions import FUSES, A, B
from corpus.services.erasure import worker_erase
from crowd.models import Assignment, AuditEntry, Campaign, Enrolment, Worker
from crowd.services.claims import assignment_claim
from crowd.services.exclusions import worker_exclude
from protocols.models import Material
from tests.support.factories import EDIT, RATE, enrol, import_texts, make_campaign, make_staff, readable, staff_client

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
C, D = "It snowed in the north on Monday night .", "All of the schools there were closed on Tuesday ."
TEXTS = {
    "1": {"pat": "The plant will close in May .", "kim": "The plant shuts .", "sam": "A plant ."},
    "2": {"pat": "Snow closed the schools there ."},
}
REFERENCE = "The plant will close in May ."
OUTPUTS = [("1", "longer", A), ("1", "reference", REFERENCE), ("2", "longer", D), ("2", "net", C)]


def written_campaign(**settings: Any) -> Campaign:
    """Fusions of two pairs: one person wrote both, another the first one, and a third is left out."""
    campaign = make_campaign(**(FUSES | {"editor_tasks": 2} | settings))
    import_texts(campaign, [f"{A} {B}", f"{C} {D}"])
    for name in ("pat", "kim", "sam"):
        enrolment = enrol(campaign, EDIT, name)
        while (assignment := assignment_claim(enrolment=enrolment)) is not None:
            source = source_of_assignment(assignment)
            text = TEXTS[source.source_id].get(name)
            if text is None:
                Assignment.objects.filter(pk=assignment.pk).update(state=Assignment.State.SKIPPED)
                continue
            submission = Submission(text, [[0, "", text, "typing", 900]], "empty", confirmed=True)
            compression_submit(enrolment=enrolment, assignment_id=assignment.pk, source=source, submission=submission)
    worker_exclude(worker=Worker.objects.get(external_id="sam"), work_round=EDIT, note="Copied.", user=None)
    outputs_add(
        campaign=campaign,
        outputs=[Output(line, source, text, system) for line, (source, system, text) in enumerate(OUTPUTS)],
    )
    Campaign.objects.filter(pk=campaign.pk).update(state="closed")
    campaign.refresh_from_db()
    return campaign


def judging_campaign(written: Campaign, task: str = "ranking", **settings: Any) -> Campaign:
    return make_campaign(
        owner=written.staff.get(), rating_task=task, task_settings={"fusions": written.slug}, rater_tasks=9, **settings
    )


def given(campaign: Campaign, name: str, enrolment: Enrolment | None = None) -> list[str]:
    """The names of the material that somebody is given, one after the other."""
    person, names = enrolment or enrol(campaign, RATE, name), []
    while (assignment := assignment_claim(enrolment=person)) is not None:
        names.append(assignment.item.task_item.material.name)
        Assignment.objects.filter(pk=assignment.pk).update(state=Assignment.State.SKIPPED)
    return sorted(names)


def test_a_button_takes_in_sets_which_their_writers_are_not_given() -> None:
    written = written_campaign()
    campaign = judging_campaign(written)
    early = enrol(campaign, RATE, "kim")
    client, address = staff_client(campaign.staff.get()), f"/campaigns/{campaign.slug}/task/pieces/"
    said = readable(client.post(address, follow=True))
    assert "2 lines of material are made of the fusions. Their checksum is " in said
    first, second = Material.objects.order_by("name")
    assert first.body == {
        "sentences": [A, B],
        "hypotheses": [
            {"text": "The plant will close in May .", "names": ["HUMAN 1", "reference"]},
            {"text": "The plant shuts .", "names": ["slot 1"]},
            {"text": A, "names": ["longer"]},
        ],
        "kinds": {"HUMAN 1": "human", "slot 1": "human", "longer": "baseline", "reference": "reference"},
    }
    assert second.body["kinds"] == {"HUMAN 1": "human", "longer": "baseline", "net": "system"}
    assert "2 lines of material" in readable(client.post(address, follow=True))
    assert Material.objects.count() == 2
    entry = AuditEntry.objects.get(action="fusions taken in")
    assert entry.detail.removeprefix("2 lines, ") in said
    assert given(campaign, "kim", early) == ["2"]
    assert given(campaign, "pat") == []
    assert given(campaign, "sam") == ["2"]
    assert given(campaign, "lee") == ["1", "2"]
    assert "kim" not in str(list(Material.objects.values()))


def test_points_after_a_reference_have_a_line_for_each_name(capsys: pytest.CaptureFixture[str]) -> None:
    campaign = judging_campaign(written_campaign(), "absolute")
    call_command("make_pieces", campaign.slug)
    assert "1 pair is left out. 2: no system called reference has a text of it." in capsys.readouterr().out
    lines = Material.objects.order_by("system").values_list("name", "system", "body__output", "body__reference")
    assert list(lines) == [
        ("1", "HUMAN 1", REFERENCE, REFERENCE),
        ("1", "longer", A, REFERENCE),
        ("1", "slot 1", "The plant shuts .", REFERENCE),
    ]


def test_what_cannot_be_taken_in_is_refused() -> None:
    written = written_campaign()
    campaign = judging_campaign(written)
    address = f"/campaigns/{campaign.slug}/task/pieces/"
    Campaign.objects.filter(pk=written.pk).update(state="open")
    with pytest.raises(CommandError, match="has to be closed first"):
        call_command("make_pieces", campaign.slug)
    Campaign.objects.filter(pk=written.pk).update(state="closed")
    of_others = judging_campaign(written_campaign_of_nobody())
    other = make_campaign(rating_task="ranking", task_settings={"fusions": written.slug}, owner=make_staff())
    for each, words in (
        (other, "There is no campaign"),
        (of_others, "No pair of sentences can be taken in. 1: "),
        (make_campaign(rating_task="ranking"), "Name the campaign of the fusions"),
    ):
        answer = staff_client(each.staff.get()).post(f"/campaigns/{each.slug}/task/pieces/")
        assert (answer.status_code, words in readable(answer)) == (409, True)
    assert staff_client(campaign.staff.get()).post(address).status_code == 302
    worker_exclude(worker=Worker.objects.get(external_id="kim"), work_round=EDIT, note="Copied.", user=None)
    answer = staff_client(campaign.staff.get()).post(address)
    assert (answer.status_code, "There is other material of these pairs already." in readable(answer)) == (409, True)


def written_campaign_of_nobody() -> Campaign:
    campaign = make_campaign(**FUSES)
    import_texts(campaign, [f"{A} {B}"])
    Campaign.objects.filter(pk=campaign.pk).update(state="closed")
    campaign.refresh_from_db()
    return campaign


@pytest.mark.parametrize("texts_go", [True, False])
def test_who_is_erased_takes_their_texts_along_where_the_campaign_says_so(texts_go: bool) -> None:
    written = written_campaign(texts_go_on_erasure=texts_go)
    campaign = judging_campaign(written)
    call_command("make_pieces", campaign.slug)
    worker_erase(worker=Worker.objects.get(campaign=written, external_id="pat"))
    first, second = Material.objects.order_by("name")
    # The system called reference has the same text for the first pair.
    assert first.body["hypotheses"][0]["text"] == "The plant will close in May ."
    assert (second.body["hypotheses"][0]["text"], second.task_item.item.is_closed) == (
        ("…", True) if texts_go else ("Snow closed the schools there .", False)
    )
