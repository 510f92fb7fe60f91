"""Whatever a release has or lacks, each section gives values or reasons."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.release.records import ReleasedText
from evaluation.judged_release import JudgedRelease
from evaluation.parameters import EvaluationParameters
from evaluation.sections.base import ReportSection, SectionResult
from evaluation.sections.beside_people import beside_rows
from evaluation.sections.heterogeneity import SECTIONS as HETEROGENEITY
from evaluation.sections.significance import SECTIONS as PEOPLE
from evaluation.sections.significance import SECTIONS as SIGNIFICANCE
from evaluation.sections.summary_level import SECTIONS as SUMMARIES
from evaluation.sections.system_order import SECTIONS as ORDER
from evaluation.sections.ties import SECTIONS as TIES
from evaluation.sections.trusted_difference import SECTIONS as TRUSTED
from evaluation.tests.made_releases import made_release, rated
from measures.core.arrays import FloatArray


def beside_answers(judged: JudgedRelease) -> SectionResult:
    return beside_rows(replace(judged, compares_answers=True))


SECTIONS = [
    ReportSection(25, beside_answers),
    *SIGNIFICANCE,
    *TRUSTED,
    *HETEROGENEITY,
    *ORDER,
    *TIES,
    *SUMMARIES,
    *PEOPLE,
]
MISSING = ("by pair", "complete")


@st.composite
def releases(draw: st.DrawFn) -> JudgedRelease:
    """Few systems, inputs, metrics and editors: some outputs without ratings or scores, some metrics constant."""
    systems = draw(st.integers(0, 4))
    # Without an output there is no input.
    inputs = draw(st.integers(0, 8)) if systems else 0
    metrics = draw(st.integers(0, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    often = draw(st.sampled_from([0.0, 0.2, 0.9, 1.0]))
    rating = [
        [rng.integers(1, 4, size=rng.integers(0, 4)).tolist() for _input in range(inputs)] for _row in range(systems)
    ]
    texts, people = list[list[ReleasedText]](), dict[tuple[int, str], FloatArray]()
    for place in range(inputs):
        texts.append([])
        for editor in range(draw(st.integers(0, 3))):
            text = ReleasedText(f"{editor} wrote {place}", (str(editor),), rated(rng.integers(1, 4, 2).tolist()))
            texts[-1].append(text)
            if rng.random() > often:
                people[place, text.text] = _scores(rng, (metrics,), often)
    made = {f"m{number}": _scores(rng, (systems, inputs), often) for number in range(metrics)}
    return made_release(
        rating,
        made,
        EvaluationParameters(draws=20, min_inputs=3, missing=draw(st.sampled_from(MISSING))),
        systems=[f"S{row}" for row in range(systems)],
        jackknifed=_scores(rng, (metrics, systems, inputs), often),
        people=people,
        texts=texts,
        genres=[("News", "Letters")[place % 2] for place in range(inputs)],
    )


def _scores(rng: np.random.Generator, shape: tuple[int, ...], often: float) -> FloatArray:
    """Return scores with ties, or one that is always the same, of which some are missing."""
    scores = rng.integers(0, rng.choice([1, 3]), size=shape, endpoint=True) / 4
    return np.where(rng.random(shape) < often, np.nan, scores)


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.compute.__name__)
@settings(max_examples=40, deadline=None)
@given(judged=releases())
def test_each_number_is_there_or_has_its_reason(section: ReportSection, judged: JudgedRelease) -> None:
    found = section.compute(judged)
    rows = [*found.rows, *found.by_pair]
    json.dumps([rows, found.figures], allow_nan=False)
    for row in rows:
        assert (row["value"] is None) == bool(row["reason"]), row
        if row["low"] is not None:
            assert row["low"] <= row["high"]
    names = [tuple(row[name] for name in ("judgement", "metric", "other", "figure")) for row in rows]
    # A sentinel may be called like a metric.
    assert len(set(names)) == len(names)


@settings(max_examples=20, deadline=None)
@given(judged=releases())
def test_shares_are_shares(judged: JudgedRelease) -> None:
    for section in (*SIGNIFICANCE, *HETEROGENEITY, *ORDER, *TIES):
        for row in section.compute(judged).rows:
            if row["value"] is not None and row["figure"] != "HBR minus this":
                assert -1e-9 <= row["value"] <= 1 + 1e-9
