"""All scores the slow way, in fractions, straight from their definitions: what the library has to agree with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import exp, log
from typing import TypeAlias

import numpy as np

from measures.core.arrays import FloatArray
from measures.metrics import Options, Text
from measures.metrics.counting.comparing import compare
from measures.metrics.counting.reference_choice import single_references
from measures.metrics.families import bleu, jackknifed_rouge, rouge_l, shared_units

Unit: TypeAlias = tuple[str, ...]
Vector: TypeAlias = dict[tuple[Unit, int], Fraction]
FAMILIES = (shared_units, bleu, rouge_l, jackknifed_rouge)
ALL_NAMES = [metric.name for family in FAMILIES for metric in family.METRICS]


def runs(words: Sequence[str], n: int) -> list[Unit]:
    return [tuple(words[at : at + n]) for at in range(len(words) - n + 1)]


def pairs_in_order(words: Sequence[str], window: int) -> list[Unit]:
    places = range(len(words))
    return [(words[i], words[j]) for i in places for j in places if i < j and j - i - 1 <= window]


def units_of(kind: str, text: Text, window: int) -> list[Unit]:
    if kind == "PARSE-2":
        assert text.triples is not None
        return [(triple,) for triple in text.triples]
    return pairs_in_order(text.words, window) if kind == "SKIP-2" else runs(text.words, int(kind[-1]))


def vector(units: Sequence[Unit]) -> Vector:
    """The second occurrence of a unit is not the first one again."""
    return {(unit, nth): Fraction(1) for unit, count in Counter(units).items() for nth in range(1, count + 1)}


def in_any(vectors: Sequence[Vector]) -> Vector:
    return {unit: Fraction(1) for each in vectors for unit in each}


def share_that_has_it(vectors: Sequence[Vector]) -> Vector:
    return {unit: Fraction(sum(unit in each for each in vectors), len(vectors)) for unit in in_any(vectors)}


def measured(output: Vector, reference: Vector) -> dict[str, Fraction]:
    match = sum((weight * reference.get(unit, Fraction(0)) for unit, weight in output.items()), Fraction(0))
    precision = match / sum(output.values()) if output else Fraction(0)
    recall = match / sum(reference.values()) if reference else Fraction(0)
    both = precision + recall
    return {"Precision": precision, "Recall": recall, "F-1": 2 * precision * recall / both if both else both}


def common_words(one: Sequence[str], other: Sequence[str]) -> int:
    """The length of the longest common subsequence."""
    row = [0] * (len(other) + 1)
    for word in one:
        above, row = row, [0]
        for place, theirs in enumerate(other):
            row.append(above[place] + 1 if word == theirs else max(above[place + 1], row[place]))
    return row[-1]


def plain_bleu(output: Sequence[str], references: Sequence[Sequence[str]], order: int, smoothing: str) -> float:
    if not set(output) & {word for reference in references for word in reference}:
        return 0.0
    logs, without_match = [], 0
    for n in range(1, order + 1):
        mine, theirs = Counter(runs(output, n)), Counter[Unit]()
        for reference in references:
            theirs |= Counter(runs(reference, n))
        added = 1 if smoothing == "add-k" and n > 1 else 0
        match, total = (mine & theirs).total() + added, mine.total() + added
        if total == 0:
            break
        without_match += match == 0
        instead = {"exp": 0.5**without_match, "floor": 0.1}.get(smoothing, 0.0)
        if not match and not instead:
            return 0.0
        logs.append(log((match or instead) / total))
    nearest = min((abs(len(each) - len(output)), len(each)) for each in references)[1]
    return exp(min(0.0, 1 - nearest / len(output))) * exp(sum(logs) / len(logs))


def mean(values: Sequence[Fraction] | Sequence[float]) -> float:
    return float(sum(values)) / len(values)


def jackknifed(kinds: Sequence[str], output: Text, references: Sequence[Text], window: int) -> float:
    matches, sizes = [0] * len(references), [0] * len(references)
    for kind in kinds:
        mine = Counter(units_of(kind, output, window))
        for number, reference in enumerate(references):
            theirs = Counter(units_of(kind, reference, window))
            matches[number] += (mine & theirs).total()
            sizes[number] += theirs.total()
    recalls = []
    for left_out in range(len(references)):
        kept = [number for number in range(len(references)) if number != left_out] or [left_out]
        size = sum(sizes[number] for number in kept)
        recalls.append(Fraction(sum(matches[number] for number in kept), size) if size else Fraction(0))
    return mean(recalls)


def plain_scores(
    output: Text, references: Sequence[Text], singles: Sequence[int], window: int = 4, smoothing: str = "exp"
) -> dict[str, float]:
    """Every score by its name; SINGLE-REF is the mean over `singles`, and PARSE-2 is there where texts are parsed."""
    scores: dict[str, float] = {}
    parsed = all(text.triples is not None for text in (output, *references))
    for kind in ("LR-1", "LR-2", "LR-3", "LR-4", "SKIP-2", *["PARSE-2"] * parsed):
        mine, theirs = vector(units_of(kind, output, window)), [vector(units_of(kind, r, window)) for r in references]
        one_by_one = [measured(mine, each) for each in theirs]
        together, shares = measured(mine, in_any(theirs)), measured(mine, share_that_has_it(theirs))
        for measure in ("Precision", "Recall", "F-1"):
            scores[f"{kind}+{measure}+SINGLE-REF"] = mean([one_by_one[number][measure] for number in singles])
            scores[f"{kind}+{measure}+MULT-MAX"] = float(max(each[measure] for each in one_by_one))
            scores[f"{kind}+{measure}+MULT-ALL"] = float(together[measure])
            scores[f"{kind}+{measure}+MULT-PROB"] = float(shares[measure])
    words = [reference.words for reference in references]
    for n in (2, 3, 4):
        one_reference = [plain_bleu(output.words, [words[number]], n, smoothing) for number in singles]
        scores[f"BLEU-{n}+PrecBrev+SINGLE-REF"] = mean(one_reference)
        scores[f"BLEU-{n}+PrecBrev+MULT-ALL"] = plain_bleu(output.words, words, n, smoothing)
    recalls = [Fraction(common_words(output.words, each), len(each)) if each else Fraction(0) for each in words]
    scores["ROUGE-L+Recall+SINGLE-REF"] = mean([recalls[number] for number in singles])
    scores["ROUGE-L+Recall+MULT-MAX"] = float(max(recalls))
    for name, kinds in {"ROUGE-1": ["LR-1"], "ROUGE-2": ["LR-2"], "ROUGE-SU4": ["LR-1", "SKIP-2"]}.items():
        scores[f"{name}+Recall+JACKKNIFE"] = jackknifed(kinds, output, references, 4)
    return scores


def plain_table(
    outputs: Sequence[Text], references: Sequence[Sequence[Text]], names: Sequence[str], options: Options
) -> FloatArray:
    """A row for each output, a column for each name; what is drawn for one output is drawn for it alone."""
    rows = []
    for output, given in zip(outputs, references, strict=True):
        draw = int(single_references(compare([output], [given]), options)[0])
        singles = {"drawn": [draw], "first": [0], "mean": range(len(given))}[options.single]
        scores = plain_scores(output, given, singles, options.window, options.smoothing)
        rows.append([scores[name] for name in names])
    return np.array(rows).reshape(len(rows), len(names))
