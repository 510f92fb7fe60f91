"""What people answered, as files. Each task has forms of its own, in the module `exports` of its folder."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

from django.http import StreamingHttpResponse
from django.utils.translation import gettext as _

from common.errors import Refused
from common.words import Words
from crowd.models import Campaign
from protocols.task import StudyTask, study_task, study_tasks


@dataclass(frozen=True)
class Export:
    """A file in some form, and what it has no place for."""

    lines: Iterable[str]
    lost: tuple[str, ...] = ()


class Form(Protocol):
    """A form of the answers: its name in addresses, the end of its file's name, and its media type."""

    @property
    def key(self) -> str: ...
    @property
    def label(self) -> Words: ...
    @property
    def ending(self) -> str: ...
    @property
    def content_type(self) -> str: ...


def _module_of(task: StudyTask) -> Any:
    return import_module(f"{type(task).__module__.rpartition('.')[0]}.exports")


def forms_of(campaign: Campaign) -> Mapping[str, Form]:
    """Return the forms of the answers to a campaign's task by their keys; raise NotYours if it has no such task."""
    forms: Mapping[str, Form] = _module_of(study_task(campaign.rating_task)).FORMS
    return forms


def all_forms() -> list[str]:
    """Return the keys of the forms of all tasks."""
    return list(dict.fromkeys(key for task in study_tasks().values() for key in _module_of(task).FORMS))


def answers_export(campaign: Campaign, key: str) -> Export:
    """Return the answers in a form; raise Refused with the reason if it is none of the task, or they do not fit it."""
    module = _module_of(study_task(campaign.rating_task))
    if key not in module.FORMS:
        words = _("The answers to this judgement task are written as %(forms)s, not as %(form)s.")
        raise Refused(words % {"forms": ", ".join(module.FORMS), "form": key})
    export: Export = module.answers_export(campaign, key)
    return export


def file_response(campaign: Campaign, key: str) -> StreamingHttpResponse:
    """Return the answers in a form as a download; raise as `answers_export` does."""
    export = answers_export(campaign, key)
    form = forms_of(campaign)[key]
    response = StreamingHttpResponse(export.lines, content_type=form.content_type)
    response["Content-Disposition"] = f'attachment; filename="{campaign.slug}-{form.ending}"'
    return response
