"""Compressions by the API: how they were written, what was flagged, what people said."""

from typing import Any

import pytest

from compressions.models import Compression
from crowd.models import Campaign
from crowd.services.claims import assignment_claim
from crowd.services.remarks import problem_report
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


def test_flags_are_looked_at_and_looked_at_again() -> None:
    campaign = flagged_campaign()
    (found,) = listed(campaign, "flags")
    kinds = [flag["kind"] for flag in found["flags"]]
    assert "pasted" in kinds or "seconds" in kinds
    assert [each["id"] for each in listed(campaign, "flags", kind=kinds[0])] == [found["id"]]
    assert [each["id"] for each in listed(campaign, "compressions", kind=kinds[0])] == [found["id"]]
    assert listed(campaign, "flags", seen="true") == []
    api, address = api_of(campaign), f"campaigns/{campaign.slug}/compressions/{found['id']}/seen/"
    seen = api.post(address, {"seen": True}).json()
    assert seen["flags_seen_by"] == campaign.staff.get().username
    assert [each["id"] for each in listed(campaign, "flags", seen="true")] == [found["id"]]
    assert listed(campaign, "flags", seen="false") == []
    assert api.post(address, {"seen": False}).json()["flags_seen_at"] is None
    plain = Compression.objects.get(worker__external_id="ann")
    assert api.post(f"campaigns/{campaign.slug}/compressions/{plain.pk}/seen/", {"seen": True}).status_code == 409


def test_remarks_are_listed_and_answered() -> None:
    campaign = make_campaign(sources=1)
    ann = enrol(campaign, EDIT)
    held = assignment_claim(enrolment=ann)
    assert held is not None
    problem_report(enrolment=ann, assignment_id=held.pk, reason="broken", text="The end is missing.")
    (found,) = listed(campaign, "remarks")
    assert (found["kind"], found["reason"], found["text"]) == ("problem", "broken", "The end is missing.")
    assert (found["text_id"], found["participant"]) == ("1", ann.worker.number)
    api, address = api_of(campaign), f"campaigns/{campaign.slug}/remarks/{found['id']}/answer/"
    answered = api.post(address, {"answered": True, "note": "Retired."}).json()
    assert (answered["answer_note"], answered["answered_by"]) == ("Retired.", campaign.staff.get().username)
    assert listed(campaign, "remarks", answered="false") == []
    assert len(listed(campaign, "remarks", answered="true", q="retired", kind="problem")) == 1
    assert listed(campaign, "remarks", q="nothing like it") == []
    assert api.post(address, {"answered": False}).json()["answered_at"] is None
    assert api.post(address, {"answered": True, "note": "x" * 501}).status_code == 400


def test_paragraphs_are_counted_and_divided() -> None:
    campaign = make_campaign()
    import_paragraphs(campaign, ["p1", "p2"])
    api, address = api_of(campaign), f"campaigns/{campaign.slug}/paragraphs/"
    assert api.get(address).json() == {"divided": 0, "undivided": 2}
    assert api.post(address, {"count": 1}).json() == {"divided": 1, "suitable": 2}
    assert api.get(address).json() == {"divided": 1, "undivided": 1}
    assert api.post(address, {"count": 0}).json()["errors"][0]["field"] == "count"
