"""Compressions by the API: how they were written, what was flagged, what people said."""

from typing import Any

import pytest

from compressions.models import Compression
from compressions.services.flags import flags_mark
from crowd.models import Campaign, Remark
from crowd.services.claims import assignment_claim
from crowd.services.remarks import problem_report, remark_answer
from tests.support.api_client import Api
from tests.support.factories import (
    EDIT,
    edit_next,
    enrol,
    import_paragraphs,
    judged_campaign,
    make_campaign,
    staff_client,
    submit_text,
    version_of,
)

pytestmark = pytest.mark.django_db


def api_of(campaign: Campaign) -> Api:
    return Api(campaign.staff.get())


def listed(campaign: Campaign, address: str, **asked: Any) -> list[dict[str, Any]]:
    answer = api_of(campaign).get(f"campaigns/{campaign.slug}/{address}/", **asked)
    assert answer.status_code == 200, answer.content
    return list(answer.json()["results"])


def flagged_campaign() -> Campaign:
    """An editor who deletes the end of a text, and one who pastes another over it."""
    campaign = make_campaign(sources=1, editors_per_source=2)
    edit_next(enrol(campaign, EDIT, "ann"))
    submit_text(enrol(campaign, EDIT, "ben"), version_of(campaign.sources.get(), 7))
    Compression.objects.filter(worker__external_id="ann").update(
        flags=[], is_flagged=False, flag_kinds="", flags_seen_at=None
    )
    return campaign


def test_a_compression_tells_what_its_page_tells() -> None:
    campaign = flagged_campaign()
    stored = Compression.objects.get(worker__external_id="ben")
    found = api_of(campaign).get(f"campaigns/{campaign.slug}/compressions/{stored.pk}/").json()
    page = staff_client(campaign.staff.get()).get(f"/campaigns/{campaign.slug}/compressions/{stored.pk}/")
    effort = page.context["replay"].effort
    assert (found["text"], found["original"], found["text_id"]) == (stored.text, stored.source.text, "1")
    assert (found["editor"], found["version"]) == (stored.worker.number, stored.target_id)
    writing = found["writing"]
    (edit,) = writing["log"]
    assert (edit["position"], edit["inserted"], edit["kind"]) == (0, stored.text, "paste")
    assert writing["start"] == stored.source.text
    assert writing["effort"]["active_ms"] == effort.active_ms == stored.active_ms
    assert writing["effort"]["pastes"][0]["characters"] == effort.pastes[0].characters
    assert "writing" not in listed(campaign, "compressions")[0]


def test_compressions_are_narrowed() -> None:
    campaign = judged_campaign(sources=2, editors=2)
    editor = campaign.workers.get(external_id="editor-1")
    assert len(listed(campaign, "compressions")) == 4
    assert {each["editor"] for each in listed(campaign, "compressions", editor=editor.number)} == {editor.number}
    assert {each["text_id"] for each in listed(campaign, "compressions", text_id="2")} == {"2"}
    assert listed(campaign, "compressions", text_id="3") == []
    refused = api_of(campaign).get(f"campaigns/{campaign.slug}/compressions/", kind="nasty")
    assert [each["field"] for each in refused.json()["errors"]] == ["kind"]


def test_flagged_compressions_are_listed_by_kind_and_by_whether_staff_looked_at_them() -> None:
    campaign = flagged_campaign()
    (found,) = listed(campaign, "compressions", flagged="true")
    kinds = [flag["kind"] for flag in found["flags"]]
    assert "pasted" in kinds or "seconds" in kinds
    assert [each["id"] for each in listed(campaign, "compressions", kind=kinds[0])] == [found["id"]]
    assert listed(campaign, "compressions", seen="true") == []
    assert [each["id"] for each in listed(campaign, "compressions", seen="false")] == [found["id"]]
    own = Compression.objects.filter(pk=found["id"])
    assert flags_mark(compressions=own, seen=True, user=campaign.staff.get()) == 1
    (seen,) = listed(campaign, "compressions", seen="true")
    assert (seen["id"], seen["flags_seen_by"]) == (found["id"], campaign.staff.get().username)
    assert listed(campaign, "compressions", seen="false") == []


def test_flags_are_marked_as_looked_at_and_that_is_taken_back() -> None:
    campaign, other = flagged_campaign(), flagged_campaign()
    (found,), (elsewhere,) = (listed(each, "compressions", flagged="true") for each in (campaign, other))
    address, every = f"campaigns/{campaign.slug}/compressions/", [found["id"], elsewhere["id"], 10**18]

    for is_seen, changed in ((True, 1), (True, 0), (False, 1)):
        told = api_of(campaign).patch(address, {"compressions": every, "flags_seen": is_seen})
        assert (told.status_code, told.json()) == (200, {"changed": changed})
        assert len(listed(campaign, "compressions", seen=str(is_seen).lower())) == 1
        assert len(listed(other, "compressions", seen="false")) == 1
    refused: list[dict[str, object]] = [{}, {"compressions": []}, {"compressions": ["x"]}]
    for wrong in [*refused, {"compressions": [1] * 1001, "flags_seen": True}]:
        assert api_of(campaign).patch(address, wrong).status_code == 400


def test_remarks_are_listed_with_their_answers() -> None:
    campaign = make_campaign(sources=1)
    ann = enrol(campaign, EDIT)
    held = assignment_claim(enrolment=ann)
    assert held is not None
    problem_report(enrolment=ann, assignment_id=held.pk, reason="broken", text="The end is missing.")
    (found,) = listed(campaign, "remarks")
    assert (found["kind"], found["reason"], found["text"]) == ("problem", "broken", "The end is missing.")
    assert (found["text_id"], found["participant"]) == ("1", ann.worker.number)
    remark_answer(remark=Remark.objects.get(), note="Retired.", user=campaign.staff.get())
    assert listed(campaign, "remarks", answered="false") == []
    (answered,) = listed(campaign, "remarks", answered="true", q="retired", kind="problem")
    assert (answered["answer_note"], answered["answered_by"]) == ("Retired.", campaign.staff.get().username)
    assert listed(campaign, "remarks", q="nothing like it") == []


def test_paragraphs_are_divided() -> None:
    campaign = make_campaign()
    import_paragraphs(campaign, ["p1", "p2"])
    api, address = api_of(campaign), f"campaigns/{campaign.slug}/paragraphs/"
    assert api.post(address, {"count": 1}).json() == {"divided": 1, "suitable": 2}
    assert api.post(address, {"count": 9}).json() == {"divided": 1, "suitable": 1}
    assert api.post(address, {"count": 0}).json()["errors"][0]["field"] == "count"
