"""Points and scores, against worked values of the programs of WMT."""

import pytest

from measures.core.intervals import Interval
from measures.core.undefined import Undefined
from measures.spans.annotation import Annotation
from measures.spans.edit_counts import EditCount, edit_counts, edit_shares
from measures.spans.esa_scores import ALL_THE_SAME, FEW_TEXTS, score_means, tau, z_means
from measures.spans.mark import Mark
from measures.spans.presets import preset
from measures.spans.scores import (
    NO_ANNOTATION,
    annotation_points,
    check_weighted,
    mark_points,
    segment_scores,
    system_scores,
)
from measures.spans.tests.golden_annotations import ANNOTATIONS, SPANS


@pytest.mark.parametrize(("kind", "severity", "points"), SPANS["mqm_penalties"])
def test_golden_points(kind: str, severity: str, points: float) -> None:
    assert mark_points(kind, severity, SPANS["mqm_weights"]) == points
    assert mark_points(kind, severity, preset("mqm").weights) == points


@pytest.mark.parametrize(
    ("kind", "severity", "points"),
    [
        ("Source issue", "Major", 0),
        ("Accuracy/Creative Reinterpretation", "Minor", 0),
        ("Fluency/Punctuation/Comma", "Minor", 0.1),
        ("Fluency/Punctuational", "Minor", 1),
        (None, "Major", 5),
        ("Style", None, 0),
    ],
)
def test_the_longest_key_that_begins_a_mark_decides(kind: str | None, severity: str | None, points: float) -> None:
    assert mark_points(kind, severity, preset("mqm").weights) == points


def mqm_annotations() -> list[Annotation]:
    found: dict[tuple[str, str, str], list[Mark]] = {}
    for system, _, segment, rater, kind, severity in SPANS["mqm_rows"]:
        marks = found.setdefault((rater, system, str(segment)), [])
        if kind != "No-error":
            marks.append(Mark(str(len(marks)), kind=kind, severity=severity))
    return [Annotation(*key, marks=tuple(marks)) for key, marks in found.items()]


def test_golden_scores_of_segments_and_system() -> None:
    segments = segment_scores(mqm_annotations(), preset("mqm").weights)
    assert {segment: -score for (segment, _), score in segments.items()} == pytest.approx(SPANS["mqm_segment_scores"])
    (system,) = system_scores(segments, seed=1)
    assert system.wmt == pytest.approx(SPANS["mqm_system_score"])


def test_golden_span_points_of_esa() -> None:
    found: dict[str, dict[str, float]] = {}
    for each in ANNOTATIONS:
        found.setdefault(each.system, {})[each.person] = annotation_points(each, preset("esa").weights)
    assert found == SPANS["span_points"]


def test_points_are_added_exactly_and_per_100_words() -> None:
    marks = tuple(Mark(str(n), kind="Fluency/Punctuation", severity="minor") for n in range(3))
    one = Annotation("A", "s", "1", "It rained all day - long.", marks=marks)
    assert annotation_points(one, preset("mqm").weights) == 0.3
    assert annotation_points(one, preset("mqm").weights, per_100_words=True) == 100 * 0.3 / 5
    with pytest.raises(ValueError, match="segment 2: its source has no word"):
        annotation_points(Annotation("A", "s", "2"), {}, per_100_words=True)


def test_critical_marks_without_a_weight_are_refused_and_deleted_ones_do_not_count() -> None:
    one = Annotation("A", "s", "1", marks=(Mark("m", kind="Accuracy/Addition", severity="Critical"),))
    with pytest.raises(ValueError, match='segment 1 of s, A, mark m: "critical" has no weight'):
        check_weighted([one], preset("mqm").weights)
    check_weighted([one], {"CRITICAL/accuracy": 25})
    gone = Mark("m", severity="critical", fate="deleted")
    check_weighted([Annotation("A", "s", "1", marks=(gone,))], {})


def test_systems_may_be_compared_on_shared_segments() -> None:
    segments = {("1", "a"): 2.0, ("2", "a"): 4.0, ("2", "b"): 1.0}
    assert [each.wmt for each in system_scores(segments, seed=1)] == [-3, -1]
    assert [each.wmt for each in system_scores(segments, shared_only=True, seed=1)] == [-4, -1]
    apart = system_scores({("1", "a"): 1.0, ("2", "b"): 2.0}, shared_only=True, seed=1)
    assert [each.score for each in apart] == [NO_ANNOTATION] * 2
    assert apart[0].wmt == NO_ANNOTATION
    assert system_scores({}, seed=1, shared_only=True) == ()


def test_intervals_draw_sources() -> None:
    segments = {(str(n), "a"): float(n % 7) for n in range(40)}
    (each,) = system_scores(segments, seed=1)
    assert not isinstance(each.score, Undefined)
    assert isinstance(each.score.interval, Interval)
    assert each.score.interval.low < each.score.value < each.score.interval.high
    (halved,) = system_scores(segments, source_of={str(n): str(n // 8) for n in range(40)}, seed=1)
    assert not isinstance(halved.score, Undefined)
    assert halved.score.sources == 5


def scored(*rows: tuple[str, str, float | None]) -> list[Annotation]:
    return [Annotation(person, "s", segment, score=score) for person, segment, score in rows]


def test_scores_as_given_and_by_person() -> None:
    rows = scored(("A", "1", 50), ("A", "2", 70), ("B", "1", 90), ("B", "2", None), ("C", "2", 60), ("C", "1", 60))
    assert score_means(rows) == {("1", "s"): 200 / 3, ("2", "s"): 65}
    assert z_means(rows) == pytest.approx({("1", "s"): -(0.5**0.5), ("2", "s"): 0.5**0.5})


def test_tau_of_scores_and_points() -> None:
    assert tau([90, 80, 70, 70], [0, 1, 5, 5]) == pytest.approx(1)
    assert tau([90, 80], [5, 1]) == pytest.approx(-1)
    assert (tau([90], [1]), tau([5, 5], [1, 2]), tau([5, 6], [1, 1])) == (FEW_TEXTS, ALL_THE_SAME, ALL_THE_SAME)
    with pytest.raises(ValueError, match="2 scores and 1 points"):
        tau([1, 2], [1])


def test_edits_are_counted_by_kind_efficacy_and_degree() -> None:
    salsa = preset("salsa")
    yes = {"val": "trivial_insertion", "trivial_insertion": {"val": "yes", "yes": 2}}
    marks = (
        Mark("1", "output", 0, 4, kind="insertion", answers={"insertion_type": yes}),
        Mark(
            "2",
            "output",
            5,
            9,
            kind="insertion",
            answers={"insertion_type": {"val": "facutal_error", "facutal_error": 3}},
        ),
        Mark("3", "both", parts=("1",), kind="structure", answers={"impact": {"val": "trivial"}}),
        Mark("4", "source", 0, 4, kind="deletion"),
        Mark("5", "source", 0, 4, kind="other"),
        Mark("6", "source", 0, 4, kind="deletion", fate="deleted"),
    )
    assert edit_counts([Annotation("A", "s", "1", marks=marks)], salsa) == (
        EditCount("s", "deletion", None, None, 1),
        EditCount("s", "insertion", "good", 2, 1),
        EditCount("s", "insertion", "bad", 3, 1),
        EditCount("s", "structure", "trivial", None, 1),
    )


def test_words_that_two_edits_of_a_kind_touch_count_once() -> None:
    marks = (Mark("1", "source", 0, 9, kind="deletion"), Mark("2", "source", 3, 6, kind="deletion"))
    shares = edit_shares([Annotation("A", "s", "1", "It rained all day", "rain", marks)], preset("salsa"))
    assert {each.kind: (each.source, each.output) for each in shares}["deletion"] == (0.5, 0)
