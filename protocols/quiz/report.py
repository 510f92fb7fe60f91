"""The report on a quiz: under which condition people answer more, and what their summaries say of it."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.console import Section
from common.errors import Refused
from common.jobs import Progress
from common.json_values import json_digest
from corpus.latex import latex_escaped, latex_table
from crowd.models import Campaign
from protocols.campaign_report import CampaignReport
from protocols.exports import export_links
from protocols.models import Material
from protocols.quiz.comparison_rows import comparison_rows
from protocols.quiz.material import ANNOTATED
from protocols.quiz.parameters import QuizParameters
from protocols.quiz.report_page import PAPER, TABS, answer_of, context_of, left_out_words, mean_lines, published_tables
from protocols.quiz.report_rows import COLUMNS
from protocols.quiz.report_tables import GRIDS, LISTS, Cell, tables_of
from protocols.quiz.score_rows import person_rows, score_rows
from protocols.quiz.scored import scored_quizzes
from protocols.quiz.settings import conditions_of
from protocols.quiz.study import Study, short_answers, study_of
from protocols.quiz.summary_rows import summary_rows
from protocols.quiz.task import TASK
from reports.kinds import Found, Row
from reports.models import Report
from reports.parameters import Attachment
from reports.published import published_rows
from reports.selectors import rows_by_key

MEANS = ("Condition", "Mean", "SD", "People")


def quiz_report(study: Study, parameters: QuizParameters, progress: Progress) -> Found:
    """Compute all tables; the rows of single people are kept by person."""
    scored = scored_quizzes(study, keep_heard=parameters.keep_heard)
    parts: tuple[Iterator[Row], ...] = (
        score_rows(scored),
        comparison_rows(scored, parameters),
        summary_rows(scored, parameters),
    )
    rows: list[Row] = []
    for done, part in enumerate(parts, start=1):
        rows += part
        progress(done, len(parts))
    return Found(rows, figures={}, by_key=dict(person_rows(scored)))


def _means(report: Report) -> Section:
    rows = report.rows or []
    notes = [*answer_of(rows, QuizParameters.of(report.parameters)), left_out_words(rows)]
    return Section("Mean scores, in points of 100", MEANS, mean_cells(report), notes, frozenset(MEANS[1:]))


def mean_cells(report: Report) -> list[tuple[str, ...]]:
    return [
        (line.condition, Cell(line.mean, 1).text, Cell(line.sd, 1).text if line.sd else "", str(line.mean["n"] or 0))
        for line in mean_lines(report.rows or [])
    ]


def _section(name: str) -> Callable[[Report], Section]:
    def section(report: Report) -> Section:
        table = tables_of(report.rows or []).get(name)
        if table is None:
            return Section(name)
        head, lines = table.plain
        return Section(str(table.heading.title), head, lines, [str(table.heading.words)], frozenset(head[1:]))

    return section


class QuizReport(CampaignReport):
    key, job = "quiz", "quiz_report"
    job_label = gettext_lazy("Computing what a quiz shows")
    help = "Under which condition people answer more questions of a quiz, and what their summaries say of it."
    version = 1
    parameters = QuizParameters
    tabs = TABS
    title = gettext_lazy("The quiz in %(name)s")
    template, button = "protocols/quiz/report.html", gettext_lazy("Compute the report")
    first_columns, has_fixed_columns = COLUMNS, True
    sections = {
        "means": _means,
        **{each.table.replace(" ", "-"): _section(each.table.replace(" ", "-")) for each in LISTS},
        **{name: _section(name) for name in GRIDS},
    }
    first_sections = ("means", "pairs", "tests")

    def pins(self, on: Campaign, parameters: Any, attached: Attachment) -> dict[str, Any]:
        """Summaries by annotators come when they come: with others it is another report."""
        pinned = super().pins(on, parameters, attached)
        known = [each.key for each in conditions_of(TASK.settings_read(on.task_settings))]
        if unknown := [each for each in parameters.control if each not in known]:
            words = _("There is no condition %(unknown)s. There are: %(known)s.")
            raise Refused(words % {"unknown": ", ".join(unknown), "known": ", ".join(known)})
        annotated = Material.objects.filter(campaign=on, task=ANNOTATED)
        digests = sorted(annotated.values_list("digest", flat=True))
        return pinned | ({"annotators": json_digest(digests)} if digests else {})

    def study(self, report: Report) -> Study:
        """Return the study that a report is on; raise Refused if the answers are others now."""
        self.answers(report)
        campaign, whose = report.of_campaign, self.whose(report)
        return study_of(campaign, whose, short_answers(campaign, whose))

    def compute(self, report: Report, progress: Progress) -> Found:
        return quiz_report(self.study(report), QuizParameters.of(report.parameters), progress)

    def page(self, report: Report, query: QueryDict) -> dict[str, Any]:
        context = context_of(report.rows or [], rows_by_key(report), QuizParameters.of(report.parameters))
        return super().page(report, query) | context

    def more_files(self, report: Report) -> list[tuple[str, str]]:
        return [(str(label), address) for label, address in export_links(report.of_campaign)]

    def method(self, report: Report) -> dict[str, Any]:
        del report
        return {"published": published_tables()}

    def json_content(self, report: Report, rows: Sequence[Row]) -> dict[str, Any]:
        return {**super().json_content(report, rows), "published": published_rows(lambda each: each.paper == PAPER)}

    def csv_about(self, report: Report) -> dict[str, Any]:
        about = super().csv_about(report)
        return {name: "; ".join(each) if isinstance(each, list) else each for name, each in about.items()}

    def latex_tables(self, report: Report) -> list[str]:
        first = latex_table(MEANS, mean_cells(report), "Mean scores in points of 100, with 95\\% intervals.")
        tables = tables_of(report.rows or []).values()
        return [first, *(latex_table(*each.plain, latex_escaped(str(each.heading.title))) for each in tables)]


KIND = QuizReport()
