"""Scores of translated texts beside ratings of their originals."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from compressions.selectors.translations import TranslationRow
from corpus.release.records import ReleasedText
from evaluation.judged_release import JudgedRelease, Translations
from evaluation.parameters import EvaluationParameters
from evaluation.sections.base import Row
from evaluation.sections.translations import MAX_VARIANTS, translation_rows
from evaluation.tests.made_releases import made_release, rated

INPUTS = 12
SYSTEMS = ("Copy", "Half", "Other")
POINTS = {"Copy": 3, "Half": 2, "Other": 1}


def released(*rows: TranslationRow, min_inputs: int = 10) -> JudgedRelease:
    """Two editors write much the same; one system writes it too, one half of it, and one something else."""
    texts = [
        [
            ReleasedText(f"the river {place} has risen", ("7",), rated([3])),
            ReleasedText(f"the river {place} rose", ("8",), rated([2])),
        ]
        for place in range(INPUTS)
    ]
    points = [[[max(1, POINTS[system] - (place % 3 == 0))] for place in range(INPUTS)] for system in SYSTEMS]
    made = made_release(
        points,
        {"any": np.zeros((len(SYSTEMS), INPUTS))},
        EvaluationParameters(min_inputs=min_inputs),
        systems=SYSTEMS,
        texts=texts,
    )
    for place, source in enumerate(made.inputs):
        written = {"Copy": f"the river {place} has risen", "Half": "the river fell", "Other": "snow on hills"}
        source.outputs[:] = [replace(each, text=written[each.system]) for each in source.outputs]
    return replace(made, translations=Translations("en", 75, rows))


def back(kind: str, made_by: str = "X") -> list[TranslationRow]:
    """Every text of a kind, translated away and back into words of its own."""
    made = released()
    subjects: dict[str, Any] = {
        "output": [(source.source_id, each.text) for source in made.inputs for each in source.outputs],
        "reference": [(source.source_id, each.text) for source in made.inputs for each in source.texts],
    }
    texts = [(name, text, text.replace("river", "stream")) for name, text in subjects[kind]]
    return [TranslationRow(name, kind, text, "en", made_by, translated) for name, text, translated in texts]


def cells(judged: JudgedRelease, **wanted: object) -> dict[tuple[str, str], Row]:
    rows = [row for row in translation_rows(judged).rows if row["judgement"] == "meaning"]
    return {(row["other"], row["figure"]): row for row in rows if all(row[key] == each for key, each in wanted.items())}


def test_without_translations_there_is_nothing_to_say() -> None:
    assert translation_rows(released()).rows == []


def test_translated_outputs_lose_against_original_references() -> None:
    found = cells(released(*back("output")), metric="ROUGE-1")
    original, outputs = "original, en", "translated outputs (X), en"
    assert {variant for variant, _figure in found} == {original, outputs}
    assert found[original, "mean of people"]["n"] == 2
    assert found[original, "mean of people"]["value"] > found[original, "mean of systems"]["value"]
    assert found[outputs, "mean of systems"]["value"] < found[original, "mean of systems"]["value"]
    assert found[outputs, "mean of people"]["reason"] == "there is no such text by a person"


def test_means_of_systems_go_with_the_ratings_of_originals() -> None:
    found = cells(released(*back("output")), metric="ROUGE-1")
    # Against either editor's words: 5 of 5 and 3 of 4 for Copy, 2 of 5 and 2 of 4 for Half, none for Other; means of
    # ratings are 8/3, 5/3 and 1.
    assert found["original, en", "mean of systems"]["value"] == pytest.approx((0.875 + 0.45) / 3)
    row = found["original, en", "pearson, systems only"]
    assert (row["n"], row["value"]) == (3, pytest.approx(np.corrcoef([0.875, 0.45, 0], [8 / 3, 5 / 3, 1])[0, 1]))
    assert found["original, en", "pearson, people only"]["n"] == 2


def test_discriminative_power_counts_pairs_of_systems() -> None:
    found = cells(released(*back("reference")), metric="ROUGE-1")
    power = found["original, en", "pairs of systems that it tells apart"]
    assert (power["n"], power["value"]) == (3, 1)
    again = found["original, en", "differences in ratings that it finds"]
    assert (again["n"], again["value"]) == (3, 1)
    few = cells(released(*back("reference"), min_inputs=INPUTS + 1), metric="ROUGE-1")
    row = few["original, en", "pairs of systems that it tells apart"]
    assert (row["value"], row["reason"]) == (None, "no two systems share enough inputs with a score and a rating")


def test_variants_beyond_the_bound_are_named_and_not_scored() -> None:
    many = [row for number in range(MAX_VARIANTS + 1) for row in back("output", f"X {number}")]
    rows = [row for row in translation_rows(released(*many)).rows if row["judgement"] == "meaning"]
    left = [row["other"] for row in rows if row["reason"] == f"only the first {MAX_VARIANTS} variants are scored"]
    assert left == [f"translated outputs (X {number}), en" for number in (23, 24)]
    assert len({row["other"] for row in rows if row["metric"] == "ROUGE-1"}) == MAX_VARIANTS
