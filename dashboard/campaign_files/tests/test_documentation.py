"""The example of the documentation makes a campaign."""

import re
from pathlib import Path

import pytest
import yaml
from django.conf import settings
from jsonschema import Draft202012Validator

from dashboard.campaign_files.fields import campaign_schema
from dashboard.campaign_files.services import campaign_file_create
from ratings.selectors.quality import kept_rule
from tests.support.factories import make_staff

PAGE = Path(settings.BASE_DIR) / "docs" / "campaign-file.md"


@pytest.fixture
def example() -> str:
    match = re.search(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert match
    return match[1]


@pytest.mark.django_db
def test_the_example_makes_a_campaign(example: str) -> None:
    campaign = campaign_file_create(content=example.encode(), owner=make_staff())

    assert (campaign.slug, str(campaign.editor_pay), campaign.links.get(name="Pilot").max_people) == (
        "bridges",
        "2.50",
        20,
    )
    assert campaign.qualification_items.count() == 2
    assert kept_rule(campaign) is not None


def test_the_example_is_valid_by_the_schema_and_shows_every_section(example: str) -> None:
    values = yaml.safe_load(example)

    assert list(Draft202012Validator(campaign_schema()).iter_errors(values)) == []
    assert set(values) == set(campaign_schema()["properties"]) - {"task_settings"}  # of another kind of campaign
