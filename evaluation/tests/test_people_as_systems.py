"""People as systems: which editors count, what they are scored with, and what is said without any."""

from dataclasses import replace

import numpy as np
import pytest

from corpus.release.records import ReleasedText
from evaluation.judged_release import JudgedRelease
from evaluation.parameters import EvaluationParameters
from evaluation.people_as_systems import MAX_PEOPLE
from evaluation.sections.base import Row, SectionResult
from evaluation.sections.people_and_systems import people_rows
from evaluation.sections.significance import significance_rows
from evaluation.sections.trusted_difference import trusted_rows
from evaluation.tests.made_releases import made_release, rated
from measures.core.arrays import FloatArray

INPUTS = 20
SYSTEMS = ("Alpha", "Beta", "Gamma")


def with_editors(
    editors: dict[str, range], *, points: dict[str, int] | None = None, min_inputs: int = 10
) -> JudgedRelease:
    """Three systems and editors who wrote for some inputs each, scored by one metric that follows the ratings."""
    given = points or {}
    rng = np.random.default_rng(1)
    texts, people = [], dict[tuple[int, str], FloatArray]()
    for place in range(INPUTS):
        mine = [editor for editor, places in editors.items() if place in places]
        texts.append([ReleasedText(f"{editor}: {place}", (editor,), rated([given.get(editor, 3)])) for editor in mine])
        for editor in mine:
            people[place, f"{editor}: {place}"] = np.array([given.get(editor, 3) + rng.normal(scale=0.1)])
    # The systems get 1 and 2, on average 1.25, 1.5 and 1.75.
    rating = [[[1 + (place % 4 <= row)] for place in range(INPUTS)] for row in range(len(SYSTEMS))]
    scores = np.array(rating)[..., 0] + rng.normal(scale=0.1, size=(len(SYSTEMS), INPUTS))
    return made_release(
        rating,
        {"good": scores},
        EvaluationParameters(draws=50, min_inputs=min_inputs),
        systems=SYSTEMS,
        jackknifed=scores[None] - 1,
        people=people,
        texts=texts,
    )


def cells(found: SectionResult, **wanted: object) -> dict[tuple[str, str], Row]:
    """The rows for meaning by the kind of pairs and figure."""
    rows = [row for row in found.rows if row["judgement"] == "meaning"]
    kept = [row for row in rows if all(row[name] == value for name, value in wanted.items())]
    return {(row["other"], row["figure"]): row for row in kept}


def test_editors_with_enough_inputs_are_systems_with_jackknifed_scores() -> None:
    judged = with_editors({"7": range(20), "8": range(12), "9": range(9)})
    found = judged.people_and_systems["meaning"]
    assert found.outputs.systems == (*SYSTEMS, "person 7", "person 8")
    assert found.is_person.tolist() == [False, False, False, True, True]
    assert found.too_few == 1
    assert found.outputs.scores[0, :3].tolist() == judged.scored.jackknifed[0].tolist()
    assert (~np.isnan(found.outputs.scores[0, 4])).sum() == 12
    assert found.outputs.quality[3].tolist() == [3] * INPUTS


def test_a_person_is_compared_with_systems_and_with_people() -> None:
    found = cells(significance_rows(with_editors({"7": range(20), "8": range(20)}, points={"8": 1})))
    pairs = {kind: found[kind, "all"]["n"] for kind in ("auto-auto", "human-auto", "human-human")}
    assert pairs == {"auto-auto": 3, "human-auto": 6, "human-human": 1}
    # Person 7 is better, and person 8 worse, than every system; but systems lose 1 by jackknifing.
    assert found["human-human", "diff"]["value"] == 1
    assert 0 < found["human-auto", "all"]["value"] < 1
    assert found["human-auto", "all"]["people"] == 2


def test_pairs_that_share_few_inputs_do_not_count() -> None:
    found = cells(significance_rows(with_editors({"7": range(10), "8": range(10, 20)})))
    assert found["human-auto", "all"]["n"] == 6
    assert (found["human-human", "all"]["n"], found["human-human", "all"]["value"]) == (0, None)
    assert found["human-human", "all"]["reason"] == "there is no pair of systems with enough inputs"


def test_without_people_the_reason_is_given() -> None:
    judged = with_editors({"7": range(5)})
    found = cells(significance_rows(judged))
    assert found["auto-auto", "all"]["value"] == 1
    for kind in ("human-auto", "human-human"):
        assert "no editor wrote enough texts" in found[kind, "sig"]["reason"]
    (row,) = cells(people_rows(judged)).values()
    assert (row["people"], row["people_left_out"]) == (0, 1)
    assert "no editor wrote enough texts" in row["reason"]


def test_many_people_are_correlated_but_only_some_are_tested() -> None:
    editors = {f"{number:02}": range(20) for number in range(MAX_PEOPLE + 3)}
    judged = with_editors(editors, points={name: 1 + number % 3 for number, name in enumerate(editors)})
    assert judged.people_and_systems["meaning"].is_person.sum() == MAX_PEOPLE
    found = cells(people_rows(judged))
    assert {who: row["n"] for (who, figure), row in found.items() if figure == "pearson"} == {
        "systems only": 3,
        "people and systems": 14,
        "people only": 11,
    }
    assert found["people only", "pearson"]["value"] > 0.99
    assert found["people only", "pearson"]["p"] < 0.001
    assert found["systems only", "pearson"]["p"] is None


def test_several_texts_of_an_editor_for_an_input_are_averaged() -> None:
    judged = with_editors({"7": range(20)})
    source = judged.inputs[0]
    source.texts.append(ReleasedText("another", ("7", ""), rated([1, 1])))
    people = {**judged.scored.people, (0, "another"): np.array([5.0])}
    found = replace(judged, scored=replace(judged.scored, people=people)).people_and_systems["meaning"]
    first = float(judged.scored.people[0, source.texts[0].text][0])
    assert found.outputs.quality[3, 0] == 2
    assert found.outputs.scores[0, 3, 0] == pytest.approx((first + 5) / 2)


def test_the_smallest_difference_that_can_be_trusted_counts_people() -> None:
    found = trusted_rows(with_editors({"7": range(20), "8": range(20)}, points={"8": 1}))
    row = cells(found)["", "95%"]
    assert (row["n"], row["people"], row["pairs_above"]) == (10, 2, 0)
    assert row["reason"] == "10 pairs of systems, 20 wanted"
    plot = found.figures["difference histogram"]["meaning"]["good"]
    assert sum(plot["all"]) == 10
    assert plot["curve"][-1][1] == 1
    assert [share for _size, share in plot["curve"]] == sorted(share for _size, share in plot["curve"])


def test_a_system_may_be_called_like_a_person() -> None:
    judged = with_editors({"7": range(20)})
    renamed = replace(judged, systems=("Alpha", "Beta", "person 7"))
    assert renamed.people_and_systems["meaning"].outputs.systems == ("Alpha", "Beta", "person 7", "person 7'")
