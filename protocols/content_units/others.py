"""How people ranked the same texts, or gave them points: the JSON files of those reports, sent with a request."""

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.commands import file_content
from common.errors import Refused
from protocols.content_units.figures import ABSOLUTE, RELATIVE, Others
from reports.parameters import Attachment, ReportForm

MOST_BYTES, MOST_SYSTEMS, LONGEST_NAME = 4_000_000, 200, 100
KINDS = {RELATIVE: ("ranks", "mean rank", "ranking"), ABSOLUTE: ("means", "mean", "absolute")}
"""The table and the figure of the rows that are read, and the task whose report it is."""


@dataclass(frozen=True)
class OtherReports(Attachment):
    """What the reports say of systems, as a report keeps it."""

    values: Others = field(default_factory=dict)

    @classmethod
    def of(cls, values: Others) -> "OtherReports":
        kept = {name: dict(each) for name, each in values.items() if each}
        return cls(json.dumps(kept, sort_keys=True) if kept else "", kept)


def kept_values(text: str) -> Others:
    found: Others = json.loads(text) if text else {}
    return found


def values_in(content: bytes, way: str) -> dict[str, float]:
    """Return the mean of each system in the JSON file of a report; raise Refused if it is none."""
    table, figure, task = KINDS[way]
    if len(content) > MOST_BYTES:
        raise Refused(_("The file has more than %(most)s bytes.") % {"most": f"{MOST_BYTES:,}"})
    try:
        rows = json.loads(content)["rows"]
        wanted = [row for row in rows if (row["table"], row["figure"]) == (table, figure)]
        # Of points, those after the reference come first; an arm without it is another question.
        found = {str(row["group"]): float(row["value"]) for row in reversed(wanted) if row["value"] is not None}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise Refused(_("This is not the JSON file of a report on %(task)s.") % {"task": task}) from error
    if not 0 < len(found) <= MOST_SYSTEMS or max(map(len, found)) > LONGEST_NAME:
        raise Refused(_("This is not the JSON file of a report on %(task)s.") % {"task": task})
    if not all(abs(each) <= 1e6 for each in found.values()):
        raise Refused(_("The file has values that are not numbers."))
    return found


class OthersForm(ReportForm):
    """The parameters of a report, and the files of two others."""

    relative_file = forms.FileField(
        label=gettext_lazy("Report on rankings of the same texts (JSON)"),
        required=False,
        help_text=gettext_lazy("To compare the orders of systems, which are known by their names."),
    )
    absolute_file = forms.FileField(
        label=gettext_lazy("Report on points from 1 to 5 of the same texts (JSON)"), required=False
    )

    @property
    def attached(self) -> OtherReports:
        return OtherReports.of({way: self.cleaned_data.get(f"{way}_file") or {} for way in KINDS})

    def clean_relative_file(self) -> dict[str, float]:
        return self._values(RELATIVE)

    def clean_absolute_file(self) -> dict[str, float]:
        return self._values(ABSOLUTE)

    def _values(self, way: str) -> dict[str, float]:
        upload: Any = self.cleaned_data[f"{way}_file"]
        try:
            return values_in(upload.read(MOST_BYTES + 1), way) if upload else {}
        except Refused as refusal:
            raise forms.ValidationError(str(refusal)) from refusal


def add_options(parser: ArgumentParser) -> None:
    for way, (_table, _figure, task) in KINDS.items():
        words = f"the JSON file of a report on {task} of the same texts (default: none)"
        parser.add_argument(f"--{way}-file", type=Path, metavar="FILE", help=words)


def others_in(given: Mapping[str, Any]) -> OtherReports:
    paths = {way: given.get(f"{way}_file") for way in KINDS}
    return OtherReports.of({way: values_in(file_content(path), way) for way, path in paths.items() if path})
