"""What the report on a quiz computes: golden values, planted differences, and what is left out or undefined."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from measures.experiments import small_samples
from protocols.quiz.parameters import QuizParameters
from protocols.quiz.report import quiz_report
from protocols.quiz.report_page import GROUPS, answer_of, context_of, left_out_words
from protocols.quiz.report_rows import Row
from protocols.quiz.report_tables import tables_of
from protocols.quiz.scored import scored_quizzes
from protocols.quiz.study import Question, ShortAnswer, Sitting, Study, Summary
from protocols.quiz.tests.planted import CONDITIONS, LECTURES, PLANTED, planted_study, study_of_scores
from reports.kinds import Found
from tests.support.factories import silent

GOLDEN: dict[str, Any] = json.loads(
    (Path(small_samples.__file__).parent / "tests" / "golden" / "protocols.json").read_text(encoding="utf-8")
)
FEW = QuizParameters(draws=100)


def computed(study: Study, parameters: QuizParameters = FEW) -> Found:
    return quiz_report(study, parameters, silent)


def one(rows: Sequence[Row], table: str, figure: str, *, first: str = "", second: str = "", group: str = "") -> Row:
    place = (table, figure, first, second, group)
    (found,) = [
        row for row in rows if (row["table"], row["figure"], row["first"], row["second"], row["group"]) == place
    ]
    return found


def golden_study() -> Study:
    """Twelve people with the golden scores; which text and place is not part of them."""
    scores = {
        (f"{person + 1:02}", LECTURES[(place + person) % 4], CONDITIONS[place], place + 1): value
        for person, row in enumerate(GOLDEN["quiz_anova"]["scores"])
        for place, value in enumerate(row)
    }
    return study_of_scores(scores)


def test_golden_scores_give_the_golden_tests() -> None:
    golden, rows = GOLDEN["quiz_anova"], computed(golden_study()).rows

    for name, p in (("Greenhouse-Geisser", "p_gg"), ("Huynh-Feldt", "p_hf"), ("uncorrected", "p")):
        test = one(rows, "tests", f"F, {name}")
        assert (test["value"], test["p"], test["n"]) == (pytest.approx(golden["F"]), pytest.approx(golden[p], 1e-5), 12)
    assert one(rows, "tests", "epsilon, Greenhouse-Geisser")["value"] == pytest.approx(golden["gg"])
    assert one(rows, "tests", "epsilon, Huynh-Feldt")["value"] == pytest.approx(golden["hf"])
    mauchly = one(rows, "tests", "Mauchly W")
    assert (mauchly["value"], mauchly["p"]) == (
        pytest.approx(golden["mauchly_W"]),
        pytest.approx(golden["pingouin_sphericity"][3]),
    )
    assert one(rows, "tests", "partial eta squared")["value"] == pytest.approx(golden["partial_eta2"])
    assert one(rows, "tests", "generalised eta squared")["value"] == pytest.approx(golden["generalised_eta2"])
    friedman = one(rows, "tests", "Friedman chi squared")
    assert (friedman["value"], friedman["p"]) == (
        pytest.approx(golden["friedman_chi2"]),
        pytest.approx(golden["friedman_p"]),
    )
    assert one(rows, "tests", "Kendall W")["value"] == pytest.approx(golden["kendall_W"])
    shapiro = one(rows, "tests", "Shapiro-Wilk W", group="residuals")
    assert [shapiro["value"], shapiro["p"]] == pytest.approx(golden["shapiro_residuals"])


def test_golden_pairs_are_those_of_the_golden_scores() -> None:
    rows = computed(golden_study()).rows
    name = dict(zip(GOLDEN["quiz_anova"]["conditions"], CONDITIONS, strict=True))

    for pair in GOLDEN["quiz_anova"]["pairs"]:
        of = {"first": name[pair["a"]], "second": name[pair["b"]]}
        difference, alone = one(rows, "pairs", "difference", **of), one(rows, "pairs", "difference, alone", **of)
        t, d_z = one(rows, "pairs", "t", **of), one(rows, "pairs", "d_z", **of)
        assert difference["value"] == pytest.approx(pair["diff"])
        assert [difference["low"], difference["high"]] == pytest.approx(pair["ci_bonferroni"])
        assert [alone["low"], alone["high"]] == pytest.approx(pair["ci"])
        assert [difference["p"], difference["p_adjusted"]] == pytest.approx([pair["p"], pair["p_holm"]], 1e-4)
        assert [t["value"], t["p_adjusted"]] == pytest.approx([pair["t"], pair["p_bonferroni"]], 1e-4)
        assert [d_z["value"], d_z["low"], d_z["high"]] == pytest.approx([pair["dz"], *pair["dz_ci"]], 1e-5)


def test_golden_quizzes_give_the_golden_mixed_model() -> None:
    golden = GOLDEN["quiz_mixed"]
    scores = {
        (f"{int(who):02}", LECTURES[int(text)], CONDITIONS[int(condition)], int(place) + 1): score
        for who, text, condition, place, score in golden["rows"]
    }
    rows = computed(study_of_scores(scores)).rows

    for number, condition in enumerate(CONDITIONS[1:], start=1):
        found = one(rows, "mixed model", "difference", first=condition, second="none")
        assert found["value"] == pytest.approx(golden["reml_fixed"][f"C(cond)[T.{number}]"], abs=golden["tolerance"])
    f = one(rows, "mixed model", "F of condition")
    assert (f["value"], f["p"]) == (
        pytest.approx(golden["fixed_participant_F_condition"], abs=golden["tolerance"]),
        pytest.approx(golden["fixed_participant_p"], 1e-3),
    )
    error = one(rows, "mixed model", "variance of the residual")["value"]
    without = one(rows, "mixed model", "variance of the residual without text and place")["value"]
    assert error == pytest.approx(golden["var_residual"], abs=golden["tolerance"])
    assert one(rows, "mixed model", "residual smaller by")["value"] == pytest.approx(1 - error / without)


def test_golden_selections_give_the_golden_utterance_f() -> None:
    golden = GOLDEN["utterance_f"]
    summaries = [
        Summary(None if kind == "mmr" else f"{kind} {number}", "t", kind, tuple(map(str, chosen)))
        for kind, selections in golden["selections"].items()
        for number, chosen in enumerate(selections)
    ]
    texts = {"t": {str(number): f"utterance {number}" for number in range(1, 10)}}
    rows = computed(replace(golden_study(), summaries=summaries, texts=texts)).rows

    for names, (value, pairs) in golden["mean_f"].items():
        peers, models = names.split("/")
        found = one(rows, "utterance F", "F", first=peers, second=models)
        if value is None:
            assert found["reason"].startswith("no text has two different summaries")
        else:
            assert (found["value"], found["n"]) == (pytest.approx(value), pairs)


# Marks


QUESTIONS = [
    Question("q1", "lec1", 1, "Which year?", "blank", ("1867", "eighteen sixty-seven")),
    Question("q2", "lec1", 3, "Why?", "short", ("because",)),
    Question("q3", "lec1", 4, "Which?", "choice", ("b",), options=("a", "b")),
]


def score_of(answers: dict[str, str], marks: tuple[tuple[str, float], ...] = ()) -> Any:
    marked = [ShortAnswer("q2", "x", ("1",), marks)]
    study = Study(("none",), {"lec1": {}}, QUESTIONS, [Sitting("1", "lec1", "none", 1, answers)], marked=marked)
    (found,) = scored_quizzes(study).quizzes
    return found


@pytest.mark.parametrize(
    ("answers", "marks", "score"),
    [
        ({}, (), 0),
        ({"q1": " 1867\u200b ", "q2": " ", "q3": "B"}, (), pytest.approx(400 / 6)),
        ({"q2": "x"}, (("m", 2), ("n", 1.5)), pytest.approx(175 / 6)),
        ({"q2": "x"}, (("m", 2), ("n", 1), ("o", 1.5)), 25),
        ({"q2": "x"}, (("m", 2), ("n", 2), ("o", 0)), pytest.approx(200 / 6)),
    ],
)
def test_answers_are_marked_by_their_key_or_by_two_and_a_third(
    answers: dict[str, str], marks: tuple[tuple[str, float], ...], score: object
) -> None:
    assert score_of(answers, marks).score == score


@pytest.mark.parametrize("marks", [(), (("m", 2.0),), (("m", 2.0), ("n", 0.5))])
def test_a_quiz_has_no_score_while_an_answer_wants_a_marker(marks: tuple[tuple[str, float], ...]) -> None:
    found = score_of({"q2": "x", "q3": "b"}, marks)

    assert found.score != found.score
    assert found.by_type[4] == 100
    assert found.by_type[3] != found.by_type[3]


def test_markers_agree_over_distinct_answers_as_far_as_their_first_two_marks_do() -> None:
    study = planted_study(3, people=12, careless=0.3)
    twice = replace(study, marked=[replace(each, people=(*each.people, "nobody")) for each in study.marked])

    rows, again = computed(study).rows, computed(twice).rows

    assert one(rows, "marking", "marks more than .5 apart")["value"] > 0
    assert one(rows, "marking", "answers with two marks")["value"] == len(study.marked)
    assert one(rows, "marking", "kappa") == one(again, "marking", "kappa")


# Who is left out, and what is not known


def test_who_knew_a_text_is_left_out_unless_kept_and_the_incomplete_are_in_the_model_alone() -> None:
    study = planted_study(4, people=24)
    sittings = [replace(each, heard=each.person == "1" and each.place == 4) for each in study.sittings]
    sittings = [each for each in sittings if not (each.person == "2" and each.place == 2)]
    some = replace(study, sittings=sittings)

    rows, kept = computed(some).rows, computed(some, replace(FEW, keep_heard=True)).rows

    assert one(rows, "tests", "F, Greenhouse-Geisser")["n"] == 22
    assert one(rows, "mixed model", "F of condition")["n"] == 22 * 4 + 3
    assert one(kept, "tests", "F, Greenhouse-Geisser")["n"] == 23
    assert left_out_words(rows) == (
        "Left out: people who knew a text before (1); people without a score under every condition (1)."
    )


def test_a_single_person_is_described_and_nothing_is_claimed() -> None:
    rows = computed(planted_study(5, people=1)).rows

    answer = answer_of(rows, FEW)
    assert answer[0].startswith("The mean score is highest under")
    assert answer[1] == (
        "Whether conditions differ is not known: fewer than 2 people have a score under every condition."
    )
    assert len(answer) == 2


def test_intervals_end_where_the_scale_does() -> None:
    scores = {
        (person, LECTURES[place], condition, place + 1): value
        for person, value in (("01", 100.0), ("02", 70.0), ("03", 0.0))
        for place, condition in enumerate(CONDITIONS)
    }
    rows = computed(study_of_scores(scores)).rows

    means = [row for row in rows if row["figure"] == "mean" and row["low"] is not None and row["table"] != "time"]
    assert {(row["low"], row["high"]) for row in means if row["n"] == 3} == {(0, 100)}
    assert all(0 <= row["low"] <= row["high"] <= 100 for row in means)


def test_scores_that_are_all_the_same_have_no_interval() -> None:
    scores = {
        (person, LECTURES[place], condition, place + 1): 100.0
        for person in ("01", "02", "03")
        for place, condition in enumerate(CONDITIONS)
    }
    rows = computed(study_of_scores(scores)).rows

    means = [row for row in rows if row["figure"] == "mean" and row["table"] == "means"]
    assert [(row["value"], row["low"], row["reason"]) for row in means] == [(100, None, "all scores are the same")] * 4


def test_nothing_at_all_is_said_as_such() -> None:
    empty = Study(CONDITIONS, {}, [], [])

    context = context_of(computed(empty).rows, [], FEW)

    assert context["answer"] == ["No quiz has a score yet."]
    assert context["drawn"] == []


@pytest.mark.parametrize(("control", "reason"), [(("primed",), ""), (("other",), "there is no such condition")])
def test_another_control_can_be_chosen(control: tuple[str, ...], reason: str) -> None:
    rows = computed(planted_study(6, people=12), replace(FEW, control=control)).rows

    of_control = [row for row in rows if row["table"] == "equivalence"]
    assert {row["reason"] for row in of_control} == {reason}
    assert {row["second"] or row["first"] for row in of_control} == set(control)


# Planted effects


def test_a_large_planted_difference_is_told_and_drawn() -> None:
    found = computed(planted_study(7, planted={**PLANTED, "automatic": -25.0}))

    context = context_of(found.rows, found.by_key.values(), FEW)

    assert "lowest under “automatic”" in context["answer"][0]
    assert "Conditions differ (F " in context["answer"][1]
    (figure,) = context["drawn"]
    assert [path.count("M") for _style, path in figure.plot.paths] == [48]
    assert "are drawn" not in figure.caption
    tables = tables_of(found.rows)
    assert [sum(each in tables for each in names) for _key, _name, names in GROUPS] == [3, 3, 5, 5, 1]


@pytest.mark.slow
def test_planted_effects_are_covered() -> None:
    held = {"pairs": 0, "automatic": 0, "primed": 0}
    for seed in range(50):
        rows = computed(replace(planted_study(seed), summaries=())).rows
        pairs = [row for row in rows if row["table"] == "pairs" and row["figure"] == "difference"]
        held["pairs"] += all(
            row["low"] <= PLANTED[row["first"]] - PLANTED[row["second"]] <= row["high"] for row in pairs
        )
        for condition in ("automatic", "primed"):
            row = one(rows, "mixed model", "difference", first=condition, second="none")
            held[condition] += row["low"] <= PLANTED[condition] <= row["high"]

    assert min(held.values()) >= 45, held
