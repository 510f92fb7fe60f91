"""The summaries: how far those of each kind are those of each other kind, and whether they say how a quiz goes."""

from collections.abc import Iterator, Mapping, Sequence
from math import nan

import numpy as np

from measures.core.arrays import FloatArray
from measures.core.undefined import Undefined
from measures.experiments import (
    MetricScores,
    UtteranceSummary,
    against_models,
    metrics_against_quiz,
    utterance_agreement,
)
from measures.experiments.quiz_correlations import MetricAgainstQuiz
from measures.metrics import Analysis, Text, compare, score
from protocols.quiz.parameters import QuizParameters
from protocols.quiz.report_rows import About, Row
from protocols.quiz.scored import Scored
from protocols.quiz.study import Study, Summary

UTTERANCES, ROUGE, CORRELATIONS = "utterance F", "ROUGE", "metric against quiz"
METRICS = {
    "ROUGE-1": "ROUGE-1+Recall+JACKKNIFE",
    "ROUGE-2": "ROUGE-2+Recall+JACKKNIFE",
    "ROUGE-L": "ROUGE-L+Recall+MULT-MAX",
    "ROUGE-SU4": "ROUGE-SU4+Recall+JACKKNIFE",
}
UTTERANCE_F = "utterance F"
NO_PAIR = Undefined("no text has two different summaries, one of each kind")


def summary_rows(scored: Scored, parameters: QuizParameters) -> Iterator[Row]:
    """Yield the rows of all these tables: for each kind of models, each kind of peers."""
    study, drawn = scored.study, {"draws": parameters.draws, "seed": parameters.seed}
    summaries = [
        UtteranceSummary(each.text_id, each.kind, each.person, frozenset(each.utterances)) for each in study.summaries
    ]
    for each in utterance_agreement(summaries, **drawn):
        yield About(UTTERANCES, each.peers, each.models).row("F", each.value, each.interval, n=each.pairs)
    kinds = sorted({each.kind for each in study.summaries})
    texts = list(Analysis().texts([_words(study, each) for each in study.summaries]))
    rouge = {models: rouge_against(study.summaries, texts, models) for models in kinds}
    for models in kinds:
        for peers in kinds:
            yield from _rouge_rows(study.summaries, rouge[models], peers, models)
    metrics = {models: {**rouge[models], UTTERANCE_F: _utterance_f(summaries, models)} for models in kinds}
    compared = list(_metric_scores(scored, metrics))
    for (peers, models, metric), found in zip(
        [names for names, _scores in compared],
        metrics_against_quiz([scores for _names, scores in compared], **drawn),
        strict=True,
    ):
        yield from _correlation_rows(About(CORRELATIONS, peers, models, metric), found)


def rouge_against(summaries: Sequence[Summary], texts: Sequence[Text], models: str) -> dict[str, FloatArray]:
    """Return each ROUGE of each summary against the models of its text, itself left out; NaN without a model.

    A summary that is none of the models is scored without each of these in turn, so that all meet as many.
    """
    of_text: dict[str, list[int]] = {}
    for place, each in enumerate(summaries):
        if each.kind == models:
            of_text.setdefault(each.text_id, []).append(place)
    found = {name: np.full(len(summaries), nan) for name in METRICS}
    rows = [
        (place, references)
        for place, each in enumerate(summaries)
        if (references := [other for other in of_text.get(each.text_id, []) if other != place])
    ]
    if not rows:
        return found
    jackknifed = [summaries[place].kind != models and len(references) > 1 for place, references in rows]
    compared = compare(
        [texts[place] for place, _references in rows],
        [[texts[other] for other in references] for _place, references in rows],
        jackknifed,
    )
    values = score(compared, list(METRICS.values()))
    for column, name in enumerate(METRICS):
        found[name][[place for place, _references in rows]] = values[:, column]
    return found


def _words(study: Study, summary: Summary) -> str:
    utterances = study.texts[summary.text_id]
    return "\n".join(utterances[each] for each in summary.utterances)


def _utterance_f(summaries: Sequence[UtteranceSummary], models: str) -> FloatArray:
    found = against_models(summaries, models)
    return np.array([nan if isinstance(each, Undefined) else each for each in found])


def _rouge_rows(
    summaries: Sequence[Summary], rouge: Mapping[str, FloatArray], peers: str, models: str
) -> Iterator[Row]:
    """Yield the mean of each ROUGE over the peers of a text, then over texts."""
    for metric, values in rouge.items():
        of_text: dict[str, list[float]] = {}
        for each, value in zip(summaries, values.tolist(), strict=True):
            if each.kind == peers and not np.isnan(value):
                of_text.setdefault(each.text_id, []).append(value)
        means = [float(np.mean(each)) for each in of_text.values()]
        value = float(np.mean(means)) if means else NO_PAIR
        yield About(ROUGE, peers, models).row(metric, value, n=sum(map(len, of_text.values())))


def _metric_scores(
    scored: Scored, metrics: Mapping[str, Mapping[str, FloatArray]]
) -> Iterator[tuple[tuple[str, str, str], MetricScores]]:
    """Yield for each kind of peers that people took a quiz with, of models, and metric the two to be correlated."""
    quiz_of = {(quiz.sitting.person, quiz.sitting.text_id): quiz for quiz in scored.quizzes}
    of_kind: dict[str, list[tuple[int, float, str]]] = {}
    for place, each in enumerate(scored.study.summaries):
        quiz = quiz_of.get((each.person or "", each.text_id))
        if quiz is not None and quiz.sitting.condition == each.kind:
            of_kind.setdefault(each.kind, []).append((place, quiz.score, each.text_id))
    for models, by_metric in metrics.items():
        for peers, rows in sorted(of_kind.items()):
            places, scores, texts = (list(each) for each in zip(*rows, strict=True))
            for metric, values in by_metric.items():
                names = (peers, models, metric)
                yield names, MetricScores(" ".join(names), values[places], scores, texts)


def _correlation_rows(about: About, found: MetricAgainstQuiz) -> Iterator[Row]:
    for figure, test in (("rho, all", found.together), ("rho given text", found.given_text)):
        if isinstance(test, Undefined):
            yield about.row(figure, test, n=found.people)
        else:
            yield about.row(figure, test.rho, test.interval, n=found.people, p=test.p, p_adjusted=test.holm)
    for each in found.by_text:
        yield about.row(f"rho, {each.text}", each.rho, n=each.people)
    yield about.row("rho, mean of texts", found.mean, n=len(found.by_text))
    yield about.row("rho, mean of texts by z", found.z_mean, n=len(found.by_text))
