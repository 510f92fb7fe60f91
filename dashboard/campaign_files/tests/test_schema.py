"""The JSON Schema says what is read."""

from pathlib import Path

import pytest
from django.conf import settings
from jsonschema import Draft202012Validator

from crowd.models import Campaign, JoinLink
from crowd.models.campaign import RANGES
from dashboard.campaign_files.fields import (
    LINK_NOT_IN_FILE,
    LINK_SETTINGS,
    NOT_IN_FILE,
    SETTINGS,
    campaign_schema,
    schema_text,
)

FILE = Path(settings.BASE_DIR) / "docs" / "campaign.schema.json"
SCHEMA = campaign_schema()


def test_the_file_in_the_documentation_is_the_schema() -> None:
    assert FILE.read_text(encoding="utf-8") == schema_text(), "run manage.py campaign_schema --output " + str(FILE)


def test_it_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_every_field_of_a_campaign_is_in_the_file_or_left_out_for_a_reason() -> None:
    fields = {field.name for field in Campaign._meta.concrete_fields}
    assert {*SETTINGS, "name", "slug", "scales", "arms", "task_settings"} | set(NOT_IN_FILE) == fields
    assert not set(SETTINGS) & set(NOT_IN_FILE)


def test_every_field_of_a_link_is_in_the_file_or_left_out_for_a_reason() -> None:
    fields = {field.name for field in JoinLink._meta.concrete_fields}
    assert {*LINK_SETTINGS, "round", "platform_key"} | set(LINK_NOT_IN_FILE) == fields


@pytest.mark.parametrize("name", RANGES)
def test_ranges_are_those_of_the_models(name: str) -> None:
    described = SCHEMA["properties"]["settings"]["properties"][name]
    assert (described["minimum"], described["maximum"]) == RANGES[name]


@pytest.mark.parametrize(
    "wrong",
    [
        {"settings": {"keep_percent": 0}},
        {"settings": {"editor_start": "middle"}},
        {"settings": {"licence": "a b"}},
        {"settings": {"editor_pay": -1}},
        {"scales": []},
        {"colour": "red"},
        {"links": [{"round": "edit"}]},
        {"test": [{"source": "S", "compression": "C", "answers": {"meaning": []}, "why": "W"}]},
    ],
)
def test_the_schema_refuses_what_is_refused(wrong: dict[str, object]) -> None:
    validator = Draft202012Validator(SCHEMA)
    right = {"precis_campaign": 1, "name": "A", "settings": {"licence": "", "editor_pay": None}}
    assert validator.is_valid(right)
    assert not validator.is_valid(right | wrong)
