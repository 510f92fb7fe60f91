"""Summaries of files projected, and what that says of each system."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isnan, nan
from statistics import mean
from typing import get_args

import numpy as np

from measures.core.item_means import item_mean
from measures.core.undefined import Undefined
from measures.meta_evaluation.correlation_intervals import corpus_level_interval
from measures.meta_evaluation.system_correlations import Correlation, system_correlation
from measures.projection.files import Documents, FilesRefused, SummaryLine, words_and_signs
from measures.projection.projected import Group, Projection, SharedTargets, project, shared_targets

NO_OWN = Undefined("there is no summary of the system in that language")
FEW_SYSTEMS = Undefined("fewer than 3 systems have both")
ALL = "all systems"
LEAST_SYSTEMS = 3
LANGUAGES = ("source", "target")


@dataclass(frozen=True)
class ProjectedSummary:
    """A summary of a file, and what it became.

    Attributes
    ----------
    summary : SummaryLine
        The summary.
    projection : Projection
        Its sentences by ids, each a document, a tab and the id there.
    sentences : tuple of str
        The translated sentences.
    length_ratio : float or Undefined
        Its length divided by that of the summary, in characters.
    shared : SharedTargets or Undefined
        Beside the system's own summary in that language; undefined without one.
    own_not_matched : int
        Sentences of the latter that share no trigram with the translation.
    """

    summary: SummaryLine
    projection: Projection
    sentences: tuple[str, ...]
    length_ratio: float | Undefined
    shared: SharedTargets | Undefined
    own_not_matched: int


@dataclass(frozen=True)
class SystemFigure:
    """A figure of a system.

    Attributes
    ----------
    system, figure : str
        Of what, and which.
    value : float or Undefined
        The value.
    interval : tuple of float or Undefined
        95%, by Student's t over summaries.
    summaries : int
        Number of summaries with a value; of all systems, the number of systems.
    """

    system: str
    figure: str
    value: float | Undefined
    interval: tuple[float, float] | Undefined
    summaries: int


def project_all(
    summaries: Sequence[SummaryLine],
    source: Documents,
    target: Documents,
    alignment: Mapping[str, Sequence[Group]],
    own: Sequence[SummaryLine] = (),
) -> list[ProjectedSummary]:
    """Project the summaries of a file, and look for the sentences of the systems' own summaries in the translation.

    Parameters
    ----------
    summaries : sequence of SummaryLine
        The summaries.
    source, target : Documents
        The texts and their translations.
    alignment : mapping of str to sequence of Group
        The groups of each document.
    own : sequence of SummaryLine
        Summaries in the language of the translation by the same systems.

    Returns
    -------
    list of ProjectedSummary
        One for each summary.

    Raises
    ------
    FilesRefused
        If an own summary has no counterpart.
    """
    by_key = {(each.documents, each.system): each for each in own}
    if extra := by_key.keys() - {(each.documents, each.system) for each in summaries}:
        lines = sorted(by_key[each].line for each in extra)
        raise FilesRefused(
            [f"line {line} of the own summaries: no summary of its documents and system" for line in lines]
        )
    words = [{document: _words(texts) for document, texts in side.items()} for side in (source, target)]
    return [
        _projected(each, by_key.get((each.documents, each.system)), words[0], words[1], target, alignment)
        for each in summaries
    ]


def _words(texts: Mapping[str, str]) -> dict[str, list[str]]:
    return {sentence: words_and_signs(text) for sentence, text in texts.items()}


_Words = Mapping[str, Mapping[str, list[str]]]


def _projected(
    summary: SummaryLine,
    own: SummaryLine | None,
    source: _Words,
    target: _Words,
    texts: Documents,
    alignment: Mapping[str, Sequence[Group]],
) -> ProjectedSummary:
    of = summary.documents
    groups = [
        (tuple(_key(each, name) for name in one), tuple(_key(each, name) for name in other))
        for each in of
        for one, other in _in_order(alignment[each], list(texts[each]))
    ]
    found = project([words_and_signs(each) for each in summary.sentences], _together(of, source), groups)
    translated = {_key(each, name): text for each in of for name, text in texts[each].items()}
    shared: SharedTargets | Undefined = NO_OWN
    not_matched = 0
    if own is not None:
        themselves = [((each,), (each,)) for each in translated]
        chosen = project([words_and_signs(each) for each in own.sentences], _together(of, target), themselves)
        shared, not_matched = shared_targets(found.target, chosen.target), chosen.not_matched
    return ProjectedSummary(
        summary,
        found,
        tuple(translated[each] for each in found.target),
        found.length_ratio(
            [len(each) for each in summary.sentences], {name: len(text) for name, text in translated.items()}
        ),
        shared,
        not_matched,
    )


def _in_order(groups: Iterable[Group], target: Sequence[str]) -> tuple[Group, ...]:
    places = {sentence: place for place, sentence in enumerate(target)}
    return tuple(
        (one, tuple(sorted(other, key=places.__getitem__)))
        for one, other in sorted(
            groups, key=lambda group: min((places[each] for each in group[1]), default=len(places))
        )
    )


def _key(document: str, sentence: str) -> str:
    return f"{document}\t{sentence}"


def _together(of: Sequence[str], words: _Words) -> dict[str, list[str]]:
    return {_key(each, name): own for each in of for name, own in words[each].items()}


def system_figures(projected: Sequence[ProjectedSummary]) -> list[SystemFigure]:
    """Return the figures of each system, and of more than one the means over systems.

    Parameters
    ----------
    projected : sequence of ProjectedSummary
        Projected summaries.

    Returns
    -------
    list of SystemFigure
        Shares of sentences are of all sentences of a system; other figures are means over its summaries.
    """
    by_system: dict[str, list[ProjectedSummary]] = {}
    for each in projected:
        by_system.setdefault(each.summary.system, []).append(each)
    found = [figure for system, own in by_system.items() for figure in _figures(system, own)]
    if len(by_system) > 1:
        for name in dict.fromkeys(each.figure for each in found):
            values = [each.value for each in found if each.figure == name and not isinstance(each.value, Undefined)]
            whole = mean(values) if values else Undefined("no system has a value")
            found.append(SystemFigure(ALL, name, whole, Undefined("no interval over systems"), len(values)))
    return found


def _figures(system: str, own: Sequence[ProjectedSummary]) -> Iterator[SystemFigure]:
    sentences = sum(len(each.summary.sentences) for each in own)
    for figure, count in (
        ("sentences not matched", sum(each.projection.not_matched for each in own)),
        ("sentences without a translation", sum(each.projection.without_translation for each in own)),
    ):
        share = count / sentences if sentences else Undefined("no summary has a sentence")
        yield SystemFigure(system, figure, share, Undefined("no interval of a share of sentences"), len(own))
    yield _mean(system, "length ratio", [each.length_ratio for each in own], (-inf, inf))
    for figure, name in (
        ("overlap", "dice"),
        ("overlap of the projected", "of_projected"),
        ("overlap of the own", "of_own"),
    ):
        values = [each.shared if isinstance(each.shared, Undefined) else getattr(each.shared, name) for each in own]
        yield _mean(system, figure, values, (0, 1))


def _mean(system: str, figure: str, values: Sequence[float | Undefined], bounds: tuple[float, float]) -> SystemFigure:
    reason = next((each.reason for each in values if isinstance(each, Undefined)), "")
    found = item_mean([nan if isinstance(each, Undefined) else each for each in values], bounds=bounds, nothing=reason)
    if isinstance(found, Undefined):
        return SystemFigure(system, figure, found, found, 0)
    interval = found.interval
    ends = interval if isinstance(interval, Undefined) else (interval.low, interval.high)
    return SystemFigure(system, figure, found.value, ends, found.items)


def grade_correlations(
    figures: Sequence[SystemFigure], grades: Mapping[str, tuple[float, float]]
) -> Iterator[SystemFigure]:
    """Correlate each figure, over systems, with people's grades in either language: Pearson, Spearman, Kendall's tau-b.

    Parameters
    ----------
    figures : sequence of SystemFigure
        As of `system_figures`.
    grades : mapping of str to tuple of float
        Of each system in the language of the source and in that of the translation; NaN where there is none.

    Yields
    ------
    SystemFigure
        With the systems that have both; undefined for fewer than three, or if all have the same value.
    """
    for name in dict.fromkeys(each.figure for each in figures):
        values = {
            each.system: each.value
            for each in figures
            if each.figure == name and each.system in grades and not isinstance(each.value, Undefined)
        }
        for place, language in enumerate(LANGUAGES):
            known = [system for system in values if not isnan(grades[system][place])]
            x, y = np.array([(values[system], grades[system][place]) for system in known]).reshape(-1, 2).T
            for method in get_args(Correlation):
                found = system_correlation(x, y, method)
                few = len(known) < LEAST_SYSTEMS
                yield SystemFigure(
                    ALL,
                    f"{name}, {method} with {language} grades",
                    FEW_SYSTEMS if few else found.r,
                    FEW_SYSTEMS if few else corpus_level_interval(found, method),
                    len(known),
                )
