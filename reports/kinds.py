"""What a kind of report is. A room adds one by a module `kind` that names it KIND; all else is shared."""

from abc import ABC, abstractmethod
from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib import import_module
from itertools import chain
from types import ModuleType
from typing import Any, ClassVar

from django.apps import apps
from django.http import QueryDict
from django.urls import URLPattern
from django.utils.module_loading import module_has_submodule
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.console import Section
from common.jobs import Progress
from common.words import Words
from measures.core.discovery import find_in_modules
from reports.models import Report, ReportPart
from reports.parameters import NOTHING, Attachment, ReportForm, ReportParameters, changed

Row = dict[str, Any]


@dataclass(frozen=True)
class Found:
    """What a report says: its rows, what its plots are drawn from, rows by a key, and what was counted beside."""

    rows: list[Row]
    figures: Mapping[str, Any]
    by_key: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    counted: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Parts:
    """How a report is computed in parts of `size` sources by as many as `jobs` jobs.

    `prepare` returns what all parts need, `compute` the content of one; it regularly calls the function that it is
    given. `compute` of the kind then sums them up.
    """

    size: int
    jobs: int
    prepare: Callable[[Report], Any]
    compute: Callable[[Report, Any, ReportPart, Callable[[], None]], Any]


@dataclass(frozen=True)
class Tab:
    """A page of a finished report beside its answer: its name in the address, and what its template shows.

    Without `shown` that is what the answer shows.
    """

    key: str
    label: Words
    template: str
    shown: Callable[[Report, QueryDict], Mapping[str, Any]] | None = None


ANSWER = Tab("", gettext_lazy("Answer"), "")
METHOD = Tab("method", gettext_lazy("Method and settings"), "")


class ReportKind(ABC):
    """A kind of report on a release, or with `is_on_campaign` on the answers of a campaign to its judgement task.

    `key` is its name in addresses, files and the database, `namespace` that of its pages, `job` that of its jobs.
    `button` is what the page's form is sent by, `own_fields` a template for what that form has beside the parameters.
    `version` is raised whenever a report says something new: then the same request gives a new report.
    `answer_version` is raised when the API says something else of a finished report. `asked_by` is the parameter of the
    address that names a report, `refused_to` the name of the page that tells of a refusal, if it is not the report's.
    Reports requested under an earlier version are not computed any more unless `computes_earlier`. `place` is its name
    in addresses where another page has that of its key.
    `title` is the heading of its pages, with the `name` of what it is on. `template` fills blocks of
    `reports/report.html`: the answer in `findings`, and for the last tab `reading` and `facts`. All else stands in the
    `tabs` between these two. Links from tab to tab keep the parameters of the address that `kept` names.
    """

    key: ClassVar[str]
    namespace: ClassVar[str]
    job: ClassVar[str]
    job_label: ClassVar[Words]
    job_done: ClassVar[Words]
    help: ClassVar[str]
    version: ClassVar[int]
    answer_version: ClassVar[int] = 1
    parameters: ClassVar[type[ReportParameters]]
    title: ClassVar[Words] = ""
    template: ClassVar[str]
    tabs: ClassVar[Sequence[Tab]] = ()
    kept: ClassVar[Sequence[str]] = ()
    button: ClassVar[Words]
    own_fields: ClassVar[str] = ""
    accepts_file: ClassVar[bool] = False
    asked_by: ClassVar[str] = "report"
    refused_to: ClassVar[str] = ""
    place: ClassVar[str] = ""
    shows_latest_behind_errors: ClassVar[bool] = True
    computes_earlier: ClassVar[bool] = False
    is_on_campaign: ClassVar[bool] = False
    pages: ClassVar[Sequence[URLPattern]] = ()
    """Addresses that it has beside those of the report, in the same namespace."""

    @property
    def parts(self) -> Parts | None:
        """How it is computed in parts; None if it is computed as a whole."""
        return None

    # What is asked, and what is found

    def is_for(self, on: Any) -> bool:
        """Whether there can be such a report at all, so that there is a page for it."""
        del on
        return True

    @abstractmethod
    def pins(self, on: Any, parameters: Any, attached: Attachment) -> dict[str, Any]:
        """Return what a new report stands on beside what it is on; raise Refused if there can be none."""

    def checksum(self, on: Any, pinned: Mapping[str, Any]) -> str:
        """Return the SHA-256 of what it is on: of a release, that of its manifest."""
        del pinned
        return str(on.checksum)

    def stored(self, on: Any, parameters: Any) -> dict[str, Any]:
        """Return the parameters as they are kept."""
        del on
        return asdict(parameters)

    def identity(self, on: Any, stored: Mapping[str, Any], pinned: Mapping[str, Any]) -> Any:
        """Return what the digest covers: a report is known by it, and links hold it."""
        del on
        return {"report": self.version, **stored, **pinned}

    @abstractmethod
    def compute(self, report: Report, progress: Progress) -> Found:
        """Compute a report, from its parts if it has any."""

    # What pages, files and terminals show

    def form_for(self, on: Any, *sent: Any, **options: Any) -> ReportForm:
        del on
        return ReportForm(*sent, known=self.parameters, **options)

    @abstractmethod
    def page(self, report: Report, query: QueryDict) -> dict[str, Any]:
        """Return what the template shows as the answer of a finished report."""

    def method(self, report: Report) -> dict[str, Any]:
        """Return what the template's blocks `reading` and `facts` show beside the report."""
        del report
        return {}

    def more_files(self, report: Report) -> list[tuple[str, str]]:
        """Return files that this kind has beside those of all, by their names."""
        del report
        return []

    def news(self, report: Report) -> list[str]:
        """Return a sentence for each kind of thing that has come since a report was requested."""
        is_earlier = report.report_version < self.version
        return [_("An earlier version of Précis computed this report.")] if is_earlier else []

    def preface(self, report: Report) -> list[str]:
        """Return what is to be read before any number: on the page, in a terminal, and in each caption of LaTeX."""
        del report
        return []

    def attached_of(self, report: Report) -> Attachment:
        """Return what a report was requested with beside its parameters."""
        return Attachment(report.attached)

    def changes(self, report: Report) -> list[str]:
        """Say how a report differs from the default."""
        return changed(self.parameters, report.parameters)

    def names_of(self, reports: Sequence[Report]) -> list[str]:
        """Return what tells each report of a release apart."""
        return ["; ".join(self.changes(each)) or _("default settings") for each in reports]

    # The files

    first_columns: ClassVar[Sequence[str]]
    """The columns of the rows that the CSV file begins with; others that rows have come after them, unless fixed."""
    has_fixed_columns: ClassVar[bool] = False
    renamed_columns: ClassVar[Mapping[str, str]] = {}
    """What columns of rows are called in the CSV file."""

    def about(self, report: Report) -> dict[str, Any]:
        """Return the parameters of a report and what it is on, for its files."""
        return {
            **report.parameters,
            "report_version": report.report_version,
            **({"release": report.basis_name} if report.release else {"campaign": report.basis_name}),
            f"{'release' if report.release else 'answers'}_sha256": report.checksum,
        }

    def csv_about(self, report: Report) -> dict[str, Any]:
        """Return the same as the last columns of the CSV file."""
        return dict(sorted(self.about(report).items()))

    def latex_about(self, report: Report) -> dict[str, Any]:
        return self.about(report)

    def json_content(self, report: Report, rows: Sequence[Row]) -> dict[str, Any]:
        return {**self.about(report), "rows": rows, "figures": report.figures}

    @abstractmethod
    def latex_tables(self, report: Report) -> list[str]:
        """Return the tables of the LaTeX file."""

    # The command

    sections: ClassVar[Mapping[str, Callable[[Report], Section]]]
    """The tables that a terminal shows, by the names of the command's options."""
    first_sections: ClassVar[Sequence[str]]
    """Those that it shows unless it is told otherwise."""

    def add_options(self, parser: ArgumentParser) -> None:
        """Add what the command takes beside the parameters."""
        del parser

    def attached_in(self, given: Mapping[str, Any]) -> Attachment:
        """Return what a command or a program gave beside the parameters."""
        del given
        return NOTHING


def sections_in(package: ModuleType) -> list[Any]:
    """Return all SECTIONS of the modules of a package, in the order of their ranks."""
    return sorted(chain.from_iterable(find_in_modules(package, "SECTIONS")), key=lambda section: section.rank)


@cache
def report_kinds() -> dict[str, ReportKind]:
    """Return all kinds by their keys; the first call imports them."""
    rooms = [each for each in apps.get_app_configs() if each.module and module_has_submodule(each.module, "kind")]
    modules = [import_module(f"{room.name}.kind") for room in rooms]
    kinds: list[ReportKind] = [
        kind for module in modules for kind in (module.KINDS if hasattr(module, "KINDS") else [module.KIND])
    ]
    return {kind.key: kind for kind in kinds}


def kind_of(report: Report) -> ReportKind:
    return report_kinds()[report.kind]
