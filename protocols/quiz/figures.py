"""All rows of the report on a quiz, from a study alone."""

from collections.abc import Iterator

from common.jobs import Progress
from protocols.quiz.comparison_rows import comparison_rows
from protocols.quiz.parameters import QuizParameters
from protocols.quiz.report_rows import Row
from protocols.quiz.score_rows import person_rows, score_rows
from protocols.quiz.scored import scored_quizzes
from protocols.quiz.study import Study
from protocols.quiz.summary_rows import summary_rows
from reports.kinds import Found


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
