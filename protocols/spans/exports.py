"""What people answered in the formats of other programs, and as tables of its own."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.errors import Refused
from common.spreadsheets import written_lines
from crowd.models import Campaign
from measures.spans import Preset
from measures.spans.formats import (
    Written,
    write_esa,
    write_mqm,
    write_mt_metrics_eval,
    write_template,
    write_thresh,
    write_wmt25,
    write_wmt25_jsonl,
)
from protocols.exports import CSV, Export, ExportForm, table_lines
from protocols.selectors import given_answers
from protocols.spans.task import TASK, preset_of
from protocols.spans.text_marks import MarkedText

MARK_COLUMNS = (
    *("person", "system", "segment", "mark", "side", "start", "end", "missing", "kind", "severity", "pairs", "parts"),
    *("answers", "note", "origin", "fate", "at_ms", "marked_text", "score", "premarked"),
)
ACTION_COLUMNS = ("person", "system", "segment", "at_ms", "action", "mark")


Write = Callable[[Iterable[MarkedText], Preset], Export]


def _written(write: Callable[..., Written]) -> Write:
    def written(texts: Iterable[MarkedText], _preset: Preset) -> Export:
        found = write(each.annotation for each in texts)
        return Export([found.text], found.lost)

    return written


def _defused(write: Callable[..., Written]) -> Write:
    """Return what writes a table of another program such that no cell runs as a formula in a spreadsheet."""

    def written(texts: Iterable[MarkedText], _preset: Preset) -> Export:
        found = write(each.annotation for each in texts)
        rows = csv.reader(io.StringIO(found.text, newline=""), strict=True)
        return Export(written_lines(rows, lineterminator="\n"), found.lost)

    return written


def _mt_metrics_eval(texts: Iterable[MarkedText], preset: Preset) -> Export:
    found = write_mt_metrics_eval((each.annotation for each in texts), preset.weights or None)
    return Export([found.text], found.lost)


def _template(_texts: Iterable[MarkedText], preset: Preset) -> Export:
    return Export([write_template(preset)])


def _marks(texts: Iterable[MarkedText], _preset: Preset) -> Export:
    return Export(table_lines(MARK_COLUMNS, _mark_rows(texts)))


def _mark_rows(texts: Iterable[MarkedText]) -> Iterator[Sequence[object]]:
    """Yield a line for each mark, deleted ones too, and one without a mark for each answer that has none."""
    for each in texts:
        annotation = each.annotation
        about = (annotation.person, annotation.system, annotation.segment)
        end = ("" if annotation.score is None else annotation.score, each.premarked)
        if not annotation.marks:
            yield (*about, *[""] * (len(MARK_COLUMNS) - len(about) - len(end)), *end)
        for mark in annotation.marks:
            row = mark.as_dict()
            text = {"source": annotation.source, "output": annotation.output}
            marked = " … ".join(text[place.side][place.start : place.end] for place in mark.places)
            cells = [row["id"], *(row[name] for name in ("side", "start", "end", "missing", "kind", "severity"))]
            cells += [
                json.dumps(row[name], ensure_ascii=False) if row[name] else "" for name in ("pairs", "parts", "answers")
            ]
            cells += [row[name] for name in ("note", "origin", "fate", "at_ms")]
            yield (*about, *("" if cell is None else cell for cell in cells), marked, *end)


def _actions(texts: Iterable[MarkedText], _preset: Preset) -> Export:
    rows = (
        (each.annotation.person, each.annotation.system, each.annotation.segment, *action)
        for each in texts
        for action in each.actions
    )
    return Export(table_lines(ACTION_COLUMNS, rows))


_TSV, _JSON = "text/tab-separated-values; charset=utf-8", "application/json"
_JSONL = "application/x-ndjson"

_FORMATS = (
    ExportForm("marks", gettext_lazy("All marks (CSV)"), "marks.csv", CSV, _marks),
    ExportForm("actions", gettext_lazy("What was done on the page (CSV)"), "actions.csv", CSV, _actions),
    ExportForm("mqm", gettext_lazy("MQM (TSV)"), "mqm.tsv", _TSV, _written(write_mqm)),
    ExportForm("esa", gettext_lazy("ESA, WMT 2024 (CSV)"), "esa.csv", CSV, _defused(write_esa)),
    ExportForm("wmt25", gettext_lazy("ESA, WMT 2025 (CSV)"), "wmt25.csv", CSV, _defused(write_wmt25)),
    ExportForm(
        "wmt25-jsonl", gettext_lazy("ESA, WMT 2025 (JSONL)"), "wmt25.jsonl", _JSONL, _written(write_wmt25_jsonl)
    ),
    ExportForm("thresh", gettext_lazy("thresh (JSON)"), "thresh.json", _JSON, _written(write_thresh)),
    ExportForm(
        "thresh-template", gettext_lazy("thresh, its template (YAML)"), "thresh.yml", "application/yaml", _template
    ),
    ExportForm("mt-metrics-eval", gettext_lazy("mt-metrics-eval"), "mt-metrics-eval.tsv", _TSV, _mt_metrics_eval),
)


def _of_campaign(form: ExportForm, campaign: Campaign) -> Export:
    preset = preset_of(TASK.settings_read(campaign.task_settings))
    return _export(form, map(MarkedText.of, given_answers(campaign)), preset)


FORMS = {form.key: replace(form, write=partial(_of_campaign, form)) for form in _FORMATS}


def export_losses(texts: Sequence[MarkedText], preset: Preset) -> list[dict[str, object]]:
    """Say of each format what it has no place for, or why the answers cannot be written in it."""
    found: list[dict[str, object]] = []
    for form in _FORMATS:
        try:
            found.append({"format": form.key, "lost": list(_export(form, texts, preset).lost), "refused": ""})
        except Refused as refusal:
            found.append({"format": form.key, "lost": [], "refused": str(refusal)})
    return found


def _export(form: ExportForm, texts: Iterable[MarkedText], preset: Preset) -> Export:
    try:
        return form.write(texts, preset)
    except ValueError as error:
        words = _("These answers cannot be written as %(format)s: %(why)s")
        raise Refused(words % {"format": form.label, "why": error}) from error
