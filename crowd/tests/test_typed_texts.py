"""Texts in the forms of staff: each has a greatest length and no stacked marks."""

from collections.abc import Iterator
from typing import Any

import pytest
from django import forms
from django.apps import apps
from django.test import Client

from common.typed_text import MAX_FIELD_LENGTH, TypedTexts
from crowd import settings_difference
from crowd.models import Campaign
from tests.support.factories import make_campaign, readable, staff_client
from tests.support.normalizing import STACK, normalization_guarded
from tests.support.settings import settings_send

pytestmark = pytest.mark.django_db
STACKED = "Letters" + "\u0301" * 31
WORDS = "Character 7 has more than 30 accents or marks on it. Remove some."


@pytest.fixture(autouse=True)
def guarded() -> Iterator[None]:
    with normalization_guarded():
        yield


def at_settings() -> tuple[Client, Campaign]:
    campaign = make_campaign()
    return staff_client(campaign.staff.get()), campaign


@pytest.mark.parametrize("field", ["name", "description", "editor_guidelines", "sentence_examples", "consent"])
def test_stacked_marks_are_refused_beside_the_field(field: str) -> None:
    client, campaign = at_settings()

    page = settings_send(client, campaign, **{field: STACKED})

    assert page.status_code == 422
    assert WORDS in readable(page)
    assert STACKED in page.content.decode()
    assert settings_send(client, campaign, **{field: STACK}).status_code == 422


def test_a_text_without_a_length_of_its_own_has_one_too() -> None:
    client, campaign = at_settings()

    page = settings_send(client, campaign, description="x" * (MAX_FIELD_LENGTH + 1))

    assert page.status_code == 422
    assert f"at most {MAX_FIELD_LENGTH} characters" in readable(page)


def test_texts_of_very_many_lines_are_shown_and_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = ("\n".join(f"{step * number % 150}" for number in range(2_000)) for step in (1, 7))
    compared: list[int] = []

    def compare(old: list[str], _new: list[str], **_: object) -> list[str]:
        compared.append(len(old))
        return []

    monkeypatch.setattr(settings_difference, "unified_diff", compare)

    def lines_of(old: str, new: str) -> list[str]:
        (change,) = settings_difference.settings_difference({"consent": old}, {"consent": new})
        return [f"{line.kind} {line.text}" for line in change.lines]

    removed = [f"removed {line}" for line in before.split("\n")]
    added = [f"added {line}" for line in after.split("\n")]
    assert lines_of(before, after) == removed + added
    assert compared == []
    lines_of("Do you agree?", "Do you?")
    assert compared == [1]


def forms_of(parent: type[Any]) -> Iterator[type[Any]]:
    for child in parent.__subclasses__():
        yield child
        yield from forms_of(child)


def test_every_form_in_which_people_type_is_bounded() -> None:
    rooms = tuple(config.name for config in apps.get_app_configs() if not config.name.startswith("django"))
    ours = [form for form in forms_of(forms.BaseForm) if form.__module__.startswith(rooms)]
    typed = [
        form
        for form in ours
        if any(isinstance(field, forms.CharField) for field in getattr(form, "base_fields", {}).values())
    ]
    assert len(typed) >= 6
    assert [form.__name__ for form in typed if not issubclass(form, TypedTexts)] == []
