"""Alpha of marked tokens, boundaries and what is missing, against worked values and another library."""

import krippendorff
import numpy as np
import pytest

from measures.agreement.krippendorff import Level, coincidences
from measures.core.drawn_sources import source_draws
from measures.core.intervals import Interval
from measures.core.undefined import NO_PAIRS, ONE_CATEGORY
from measures.spans.annotation import Annotation, only
from measures.spans.mark import Mark
from measures.spans.tests.golden_annotations import ANNOTATIONS, SPANS
from measures.spans.token_agreement import Unit, alpha_of_sources, span_alpha

SEVERITIES = ("minor", "major")
SOURCE_OF = {row["source_id"]: row["source_id"] for row in SPANS["texts"].values()}


@pytest.mark.parametrize(
    ("unit", "golden"),
    [
        ("marked", "token_marked_nominal"),
        ("severity", "token_severity_ordinal"),
        ("boundary", "boundary_nominal"),
        ("missing", "missing_nominal"),
    ],
)
def test_golden_alphas(unit: Unit, golden: str) -> None:
    found = span_alpha(ANNOTATIONS, unit, severities=SEVERITIES, seed=1)
    assert found.alpha == pytest.approx(SPANS["alpha"][golden], abs=1e-9)
    assert (found.texts, found.sources) == (4, 3)


def test_characters_count_in_languages_without_spaces() -> None:
    found = span_alpha(ANNOTATIONS, "marked", language="zh", seed=1)
    visible = sum(len("".join(row["output"].split())) for row in SPANS["texts"].values())
    assert found.units == visible


def test_share_is_that_of_the_golden_tokens() -> None:
    values = [value for person in "ABC" for value in SPANS["token_severity"][person]]
    found = span_alpha(ANNOTATIONS, "marked", seed=1)
    assert found.share == np.count_nonzero(values) / len(values)


def test_only_chosen_marks_count_and_deleted_ones_never() -> None:
    major = span_alpha(only(ANNOTATIONS, lambda mark: mark.severity == "major"), "marked", seed=1)
    table = np.array([SPANS["token_severity"][person] for person in "ABC"]) == 2
    assert major.alpha == pytest.approx(krippendorff.alpha(table.astype(int), level_of_measurement="nominal"))
    gone = Annotation("A", "s", "1", "", "Rain.", (Mark("1", "output", 0, 4, fate="deleted"),))
    assert span_alpha([gone, Annotation("B", "s", "1", "", "Rain.")], "marked", seed=1).alpha == ONE_CATEGORY


@pytest.mark.parametrize(("level", "k"), [("nominal", 2), ("ordinal", 3)])
def test_every_draw_is_what_the_library_makes_of_the_drawn_sources(level: Level, k: int) -> None:
    rng = np.random.default_rng(3)
    base = rng.integers(0, k, (12, 6, 1))
    values = np.where(rng.random((12, 6, 4)) < 0.6, base, rng.integers(0, k, (12, 6, 4)))
    counts = (values[:, :, :, None] == np.arange(k)).sum(axis=2)
    sums = coincidences(counts.reshape(-1, k)).reshape(12, 6, -1).sum(axis=1)
    alpha, interval = alpha_of_sources(sums, level, draws=40, seed=5)

    def library(times: list[int]) -> float:
        chosen = values[np.repeat(np.arange(12), times)].reshape(-1, 4).T
        return float(krippendorff.alpha(chosen, level_of_measurement=level, value_domain=list(range(k))))

    drawn = [library(list(times.astype(int))) for block in source_draws(12, 40, 5) for times in block]
    assert alpha == pytest.approx(library([1] * 12))
    assert isinstance(interval, Interval)
    assert (interval.low, interval.high) == pytest.approx(tuple(np.percentile(drawn, [2.5, 97.5])))


def test_texts_of_one_source_are_drawn_together() -> None:
    texts = [
        Annotation(person, f"s{n % 2}", str(n // 2), "", "Rain fell.", (Mark("1", "output", 0, 4),) * (n % 3 < 2))
        for n in range(24)
        for person in "AB"
    ]
    assert span_alpha(texts, "marked", seed=1).sources == 12
    assert span_alpha(texts, "marked", source_of=dict.fromkeys(map(str, range(12)), "one"), seed=1).sources == 1


def test_undefined_with_reasons() -> None:
    alone = [each for each in ANNOTATIONS if each.person == "A"]
    found = span_alpha(alone, "marked", seed=1)
    assert (found.alpha, found.interval, found.share, found.units) == (NO_PAIRS, NO_PAIRS, NO_PAIRS, 0)


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (Annotation("B", "s", "1", "", "Snow."), "segment 1 of s: A and B marked different texts"),
        (Annotation("A", "s", "1", "", "Rain."), "segment 1 of s: A has two annotations"),
        (
            Annotation("B", "s", "1", "", "Rain.", (Mark("m1", "output", 0, 4, severity="grave"),)),
            "mark m1: severity 'grave' is not one of minor, major",
        ),
    ],
)
def test_what_cannot_be_compared_is_refused(second: Annotation, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        span_alpha([Annotation("A", "s", "1", "", "Rain."), second], "severity", severities=SEVERITIES, seed=1)
