"""What the database would refuse is told before: by one query while all holds, and by name where something does not."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.db.models import CheckConstraint, Model
from django.test.utils import CaptureQueriesContext

from crowd.models import Campaign, JoinLink
from tests.support.factories import make_campaign

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture
def stored(request: pytest.FixtureRequest) -> Any:
    campaign = make_campaign()
    return campaign if request.param is Campaign else campaign.links.first()


@pytest.mark.parametrize("stored", [Campaign, JoinLink], indirect=True)
def test_all_checks_are_one_query_as_long_as_they_hold(stored: Any) -> None:
    others = [each for each in stored._meta.constraints if not isinstance(each, CheckConstraint)]

    with CaptureQueriesContext(connection) as asked:
        stored.validate_constraints()

    assert len([each for each in asked if each["sql"].startswith("SELECT")]) <= 1 + len(others)


@pytest.mark.parametrize(
    ("stored", "changed"),
    [
        (Campaign, {"state": "lost"}),
        (Campaign, {"editor_minutes": 0, "platform_fee_percent": -1}),
        (Campaign, {"editor_pay": None, "editor_minutes": 0}),
        (JoinLink, {"round": "lost"}),
        (JoinLink, {"round": "lost", "platform_key": ""}),
    ],
    indirect=["stored"],
)
def test_whatever_does_not_hold_is_told_as_django_tells_it(stored: Any, changed: dict[str, Any]) -> None:
    for name, value in changed.items():
        setattr(stored, name, value)

    with pytest.raises(ValidationError) as told:
        stored.validate_constraints()
    with pytest.raises(ValidationError) as by_django:
        Model.validate_constraints(stored)

    assert told.value.message_dict == by_django.value.message_dict
