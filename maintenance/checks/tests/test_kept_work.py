"""What is kept of people's work is held against their work."""

import pytest

from common.clock import database_now
from maintenance.checks.tests.looking import FINE, WRONG, look_at
from ratings.models import KeptWork
from ratings.services import visit_work
from ratings.services.visit_work import work_advance
from tests.support.factories import EDIT, edit_all, make_campaign

pytestmark = pytest.mark.django_db


def test_what_is_kept_wrongly_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visit_work, "MANY_ITEMS", 0)
    campaign = make_campaign(sources=1)
    edit_all(campaign, 1)
    work_advance(campaign=campaign, until=database_now())
    assert look_at("kept_work").verdict == FINE
    kept = KeptWork.objects.get(round=EDIT)
    ((by_link,),) = kept.work.values()
    by_link[1] += 1  # what was submitted
    kept.save()
    found = look_at("kept_work")
    assert found.verdict == WRONG
    assert campaign.slug in found.words
