"""The report on what people and systems did to the texts of a release."""

from argparse import ArgumentParser
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from common.commands import file_content
from common.errors import Refused
from common.jobs import Progress
from compressions.selectors.alignments import correction_ids, last_correction
from compressions.text_aligner import TextAligner
from corpus.models import Release
from corpus.selectors import youngest_output_since
from crowd.scales import Scale
from edit_operations import sections
from edit_operations.aligned import AlignedSource
from edit_operations.aligning import aligned_sources, parser_signature, text_aligner
from edit_operations.forms import OperationsForm
from edit_operations.parameters import OperationsParameters
from edit_operations.published import published_operations
from edit_operations.report_page import TABS, answer_context, method_context
from edit_operations.sections.base import ReleaseTexts, ReportSection
from edit_operations.tables import FIRST, SECTIONS, operations_tables
from edit_operations.word_pairs import NO_PAIRS, PairList, pair_count, pair_list, read_pair_list
from measures.alignment import word_pairs
from measures.metrics import Analysis
from reports.kinds import Found, Parts, ReportKind, Row, sections_in
from reports.models import Report, ReportPart
from reports.parameters import Attachment, changed

# Raise it whenever a report would say something new, so that the same request gives a new report.
REPORT_VERSION = 3
COMPUTED: list[ReportSection] = sections_in(sections)


def operations_report(
    sources: Sequence[AlignedSource], scales: Sequence[Scale], parameters: OperationsParameters
) -> Found:
    """Compute all sections."""
    texts = ReleaseTexts(sources, scales, parameters)
    rows = [row for section in COMPUTED for row in section.rows(texts)]
    return Found(rows, {}, counted={"texts": sum(len(source.texts) for source in sources)})


SOURCES_PER_PART, MAX_PARALLEL_JOBS = 250, 4


class Operations(ReportKind):
    key, namespace, job = "operations", "edit-operations", "operations_report"
    job_label = gettext_lazy("Finding editing operations")
    job_done = gettext_lazy("The editing operations in %(release)s are known.")
    help = "What was done to the texts of a release, by aligning them with their sources."
    version = REPORT_VERSION
    parameters = OperationsParameters
    title = gettext_lazy("Operations in %(name)s")
    template = "edit_operations/report.html"
    tabs = TABS
    button = gettext_lazy("Find operations")
    own_fields = "edit_operations/partials/own_fields.html"
    accepts_file = True
    sections, first_sections = SECTIONS, FIRST
    first_columns = ("table", "part", "group", "figure", "value", "low", "high", "n", "p", "p_holm", "reason")

    def pins(self, release: Release, parameters: Any, attached: Attachment) -> dict[str, Any]:
        """Return the aligner's signature, and the last correction and output that count. This may load a pipeline."""
        if release.state != Release.State.READY:
            words = _("%(release)s is not ready, so its editing operations are not known yet.")
            raise Refused(words % {"release": release.name})
        pairs = attached.pairs if isinstance(attached, PairList) else NO_PAIRS.pairs
        try:
            aligner = text_aligner(release.campaign.language, pairs=pairs, vectors=parameters.vectors)
            parser, parser_signed = parser_signature(release.campaign.language)
        except (ValueError, ModuleNotFoundError) as error:
            raise Refused(str(error)) from error
        return {
            "parser": parser,
            "parser_signature": parser_signed,
            "signature": aligner.signature,
            "last_correction": last_correction(release.campaign) or None,
            "last_output": youngest_output_since(release),
        }

    def stored(self, release: Release, parameters: Any) -> dict[str, Any]:
        return {**super().stored(release, parameters), "language": release.campaign.language}

    def prepare(self, report: Report) -> TextAligner:
        """Return the aligner that a report was requested with."""
        parameters = OperationsParameters.of(report.parameters)
        try:
            pairs = word_pairs(report.attached.splitlines())
            aligner = text_aligner(report.parameters["language"], pairs=pairs, vectors=parameters.vectors)
            parser = report.pinned.get("parser", "")
            parser_signed = Analysis(parser=parser).parser_signature if parser else ""
        except (ValueError, ModuleNotFoundError) as error:
            raise Refused(str(error)) from error
        pinned = report.pinned["signature"], report.pinned.get("parser_signature", "")
        if (aligner.signature, parser_signed) != pinned:
            raise Refused(_("Précis has been updated since this report was requested. Request it again."))
        return aligner

    def align(self, report: Report, aligner: TextAligner, part: ReportPart, heartbeat: Callable[[], None]) -> Any:
        """Return the aligned texts of a part's sources."""
        return [each.stored() for each in aligned_sources(report, part.begin, part.stop, aligner, heartbeat)]

    @property
    def parts(self) -> Parts:
        return Parts(SOURCES_PER_PART, MAX_PARALLEL_JOBS, self.prepare, self.align)

    def compute(self, report: Report, progress: Progress) -> Found:
        parts = report.parts.order_by("number").values_list("content", flat=True).iterator(chunk_size=1)
        sources, texts_of_parts = [], []
        for part in parts:
            of_part = [AlignedSource.of(each) for each in part or []]
            sources += of_part
            texts_of_parts.append(sum(len(each.texts) for each in of_part))
        scales = report.of_release.rating_scales
        found = operations_report(sources, scales, OperationsParameters.of(report.parameters))
        return replace(found, counted={**found.counted, "texts_of_parts": texts_of_parts})

    def form_for(self, on: Release, *sent: Any, **options: Any) -> OperationsForm:
        return OperationsForm(*sent, known=self.parameters, language=on.campaign.language, **options)

    def page(self, report: Report, query: QueryDict) -> dict[str, Any]:
        return answer_context(report)

    def method(self, report: Report) -> dict[str, Any]:
        return method_context(report)

    def more_files(self, report: Report) -> list[tuple[str, str]]:
        release = report.of_release
        address = reverse("edit-operations:alignments", args=[release.campaign.slug, release.version])
        return [(_("Alignments (JSONL)"), f"{address}?report={report.digest[:16]}")]

    def attached_of(self, report: Report) -> Attachment:
        return self.attached_in({"word_pairs": report.attached})

    def news(self, report: Report) -> list[str]:
        news = super().news(report)
        if (report.pinned["last_correction"] or 0) != last_correction(report.of_release.campaign):
            news.append(_("Alignments have been corrected since this report was computed."))
        if report.pinned["last_output"] != youngest_output_since(report.of_release):
            news.append(_("System outputs have been imported since this report was computed."))
        return news

    def names_of(self, reports: Sequence[Report]) -> list[str]:
        corrections = correction_ids(reports[0].of_release.campaign) if reports else []
        return ["; ".join(self._differences(each, corrections)) or _("default settings") for each in reports]

    def _differences(self, report: Report, corrections: Sequence[int]) -> list[str]:
        """Say how a report differs from the default; `corrections` are the ids of the campaign's, in order."""
        found = changed(OperationsParameters, report.parameters)
        if pairs := pair_count(report):
            found.append(ngettext("%(n)s word pair", "%(n)s word pairs", pairs) % {"n": f"{pairs:,}"})
        if corrected := bisect_right(corrections, report.pinned["last_correction"] or 0):
            words = ngettext("%(n)s correction of an alignment", "%(n)s corrections of alignments", corrected)
            found.append(words % {"n": f"{corrected:,}"})
        if report.pinned["last_output"] is not None:
            found.append(_("system outputs imported after the release"))
        return found

    def about(self, report: Report) -> dict[str, Any]:
        pinned = {name: report.pinned[name] for name in ("signature", "last_correction", "last_output")}
        return {**super().about(report), **pinned, "parser": report.pinned.get("parser_signature", "")}

    def csv_about(self, report: Report) -> dict[str, Any]:
        """Return the same for the columns; a column of values is called "apart" as the parameter is."""
        return {
            "sentences_apart" if name == "apart" else name: each for name, each in super().csv_about(report).items()
        }

    def json_content(self, report: Report, rows: Sequence[Row]) -> dict[str, Any]:
        return {**super().json_content(report, rows), "published": published_operations()}

    def latex_tables(self, report: Report) -> list[str]:
        return operations_tables(report)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--word-pairs",
            type=Path,
            metavar="FILE",
            help="pairs of words that may replace each other: word, tab, word (default: none)",
        )

    def attached_in(self, given: Mapping[str, Any]) -> Attachment:
        """Return the list of a command's file, or of a program's text."""
        pairs = given.get("word_pairs")
        if isinstance(pairs, Path):
            return read_pair_list(file_content(pairs), pairs.name)
        return pair_list(pairs, _("The list of word pairs")) if pairs else NO_PAIRS


KIND = Operations()
