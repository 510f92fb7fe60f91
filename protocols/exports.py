"""What people answered as files. A task that has some has a module `exports` in its folder, with its FORMS."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from django.http import StreamingHttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from common.errors import Refused
from common.spreadsheets import BYTE_ORDER_MARK, written_lines
from common.words import Words
from crowd.models import Campaign
from protocols.task import study_task, study_tasks

CSV, JSONL = "text/csv; charset=utf-8", "application/x-ndjson"


@dataclass(frozen=True)
class Export:
    """A file in some format, and what it has no place for."""

    lines: Iterable[str]
    lost: tuple[str, ...] = ()


@dataclass(frozen=True)
class ExportForm:
    """A format: its name in addresses, the end of its file's name, its media type, and what writes it of a campaign."""

    key: str
    label: Words
    ending: str
    content_type: str
    write: Callable[..., Export]


def table_lines(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Yield a table as CSV for spreadsheets."""
    yield BYTE_ORDER_MARK
    yield from written_lines([columns])
    yield from written_lines(rows)


@cache
def _modules() -> Mapping[str, ModuleType]:
    """Return the modules of all tasks that have files, by the keys of the tasks."""
    folders = {key: Path(str(import_module(type(task).__module__).__file__)) for key, task in study_tasks().items()}
    with_files = {key: path.parent.name for key, path in folders.items() if path.with_name("exports.py").exists()}
    return {key: import_module(f"protocols.{folder}.exports") for key, folder in with_files.items()}


def export_keys(task: str = "") -> list[str]:
    """Return the names of the formats of a task, or of all tasks."""
    modules = [module for key, module in _modules().items() if task in ("", key)]
    return list(dict.fromkeys(key for module in modules for key in module.FORMS))


def export_links(campaign: Campaign) -> list[tuple[Words, str]]:
    """Return what the formats of a campaign's answers are called, and their addresses."""
    module = _modules().get(campaign.rating_task)
    forms: Iterable[ExportForm] = module.FORMS.values() if module else ()
    return [(form.label, reverse("protocols:answers-file", args=[campaign.slug, form.key])) for form in forms]


def answers_export(campaign: Campaign, key: str = "") -> tuple[ExportForm, Export]:
    """Return a campaign's answers in a format of its task, by default the first; raise Refused if there is none."""
    module = _modules().get(study_task(campaign.rating_task).key)
    if module is None:
        raise Refused(_("This judgement task has no files of answers; its report has the answers."))
    form = module.FORMS.get(key or next(iter(module.FORMS)))
    if form is None:
        words = _("The answers to this judgement task come in other formats: %(formats)s.")
        raise Refused(words % {"formats": ", ".join(module.FORMS)})
    return form, form.write(campaign)


def file_response(campaign: Campaign, form: ExportForm, found: Export) -> StreamingHttpResponse:
    response = StreamingHttpResponse(found.lines, content_type=form.content_type)
    response["Content-Disposition"] = f'attachment; filename="{campaign.slug}-{form.ending}"'
    return response
