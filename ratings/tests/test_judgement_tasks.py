"""What the rooms may rely on of every judgement task."""

import pytest
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Model

from compressions.models import Source
from crowd.models import Campaign
from crowd.tasks import SINGLE, TASKS, JudgementTask, task_of
from ratings.models import Rating

EACH = pytest.mark.parametrize("task", TASKS, ids=lambda task: task.key)


def test_keys_are_unique_and_fit_the_setting() -> None:
    keys = [task.key for task in TASKS]

    assert len(set(keys)) == len(keys)
    assert all(0 < len(key) <= 8 for key in keys)
    assert dict(Campaign._meta.get_field("rating_task").flatchoices) == {task.key: task.name for task in TASKS}


@EACH
def test_a_campaign_finds_its_task(task: JudgementTask) -> None:
    assert Campaign(rating_task=task.key).task is task_of(task.key) is task


@pytest.mark.parametrize("key", [None, "", "guessing", ["pair"]])
def test_a_setting_that_names_no_task_reads_as_the_default(key: object) -> None:
    assert task_of(key) is SINGLE
    assert Campaign().task is SINGLE


@EACH
def test_the_subject_is_a_relation_of_ratings_that_leads_to_the_source(task: JudgementTask) -> None:
    assert task.source.split("__")[0] == task.subject
    assert _reached(Rating, task.source) is Source


def _reached(model: type[Model], path: str) -> type[Model]:
    for name in path.split("__"):
        related = model._meta.get_field(name).related_model
        if not isinstance(related, type):
            raise FieldDoesNotExist(f"{model.__name__}.{name} leads nowhere")
        model = related
    return model


@EACH
def test_its_scales_and_texts_fit_together(task: JudgementTask) -> None:
    assert task.has_material == (task.texts == 0)
    assert not (task.asks_preference and task.judges_single_texts)
    assert not (task.asks_preference and task.fits_default_scales)


@EACH
@pytest.mark.parametrize("tasks", [1, 2])
def test_it_has_words_for_everyone(task: JudgementTask, tasks: int) -> None:
    words = task.words

    assert all(map(str, (task.name, task.things, task.in_cards)))
    assert all(map(str, (words.heading_of_one, words.heading, words.offer_of_experts)))
    assert "20" in words.offer(tasks) % {"n": "20"}
