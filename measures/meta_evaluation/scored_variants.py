"""Scores of the texts of a variant: systems and people, jackknifed by person."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from measures.core.arrays import FloatArray, IntArray
from measures.meta_evaluation.translated_texts import TextKey, Texts, Variant
from measures.metrics import Analysis, Options, Text, Tokenizer, analyse_distinct, compare, score
from measures.metrics.registry import metrics_named
from measures.metrics.signatures import signature
from measures.metrics.words.tokens import snowball_stem

VARIANT_METRICS: Mapping[str, str] = {
    "ROUGE-1": "LR-1+Recall+MULT-PROB",
    "ROUGE-2": "LR-2+Recall+MULT-PROB",
    "ROUGE-S4": "SKIP-2+Recall+MULT-PROB",
}
"""Recall of all references together, which jackknifed by person is ROUGE as it was computed in the evaluations of TAC.

ROUGE-S4 has the skip bigrams of ROUGE-SU4, at most 4 words apart, without its single words.
"""


@dataclass(frozen=True, eq=False)
class VariantScores:
    """Scores of the outputs (s systems) and of the texts by people (h) for inputs (n), by metrics (m).

    Attributes
    ----------
    variant : Variant
        What was scored.
    metrics, signatures : tuple of str
        Names of the metrics, and how each was computed: tokenizer and stemmer with their language among it.
    inputs, systems, people : tuple of str
        In the order of their names.
    system_scores : FloatArray of shape (m, s, n)
        Mean over persons of the score against the references of all others; NaN where there is no output, or not two
        persons with references.
    person_scores : FloatArray of shape (m, h, n)
        Score against the references of all others; NaN likewise. A person without a reference of that input is scored
        as a system is.
    """

    variant: Variant
    metrics: tuple[str, ...]
    signatures: tuple[str, ...]
    inputs: tuple[str, ...]
    systems: tuple[str, ...]
    people: tuple[str, ...]
    system_scores: FloatArray
    person_scores: FloatArray


def variant_analysis(language: str, *, stemmed: bool = True) -> Analysis:
    """Return how texts of a language become words: spaCy's rules and Snowball's stemmer, as far as they have it.

    Parameters
    ----------
    language : str
        Tag of the language; its first part counts.
    stemmed : bool
        Whether words are cut to their stems.

    Returns
    -------
    Analysis
        Words between spaces where spaCy has no rules, whole words where Snowball has no stemmer.

    Examples
    --------
    >>> variant_analysis("cs").tokenizer.stemmer, variant_analysis("ga", stemmed=False).tokenizer.stemmer
    ('snowball', 'none')
    """
    code = language.partition("-")[0].lower()
    has_stemmer = stemmed and snowball_stem(code) is not None
    rules = Tokenizer(language=code, stemmer="snowball" if has_stemmer else "none")
    try:
        list(rules.words(["."]))
    except (ValueError, ModuleNotFoundError):
        return Analysis(Tokenizer("whitespace", code, stemmer=rules.stemmer))
    return Analysis(rules)


def variant_scores(
    variant: Variant,
    metrics: Mapping[str, str] = VARIANT_METRICS,
    *,
    analysis: Analysis | None = None,
    options: Options | None = None,
    heartbeat: Callable[[], None] = lambda: None,
) -> VariantScores:
    """Score outputs and texts by people against references, jackknifed by person.

    A system's output is scored once without each person's references, and averaged; a person's text is scored against
    the references of the others. With several references of a person, which are translations of one text, all of them
    are left out together. References that are equal count once.

    Source: Lin 2004, "ROUGE: a package for automatic evaluation of summaries"; Steinberger and Turchi 2012, §3.2.

    Parameters
    ----------
    variant : Variant
        The texts.
    metrics : mapping of str to str
        What a metric is called here, and its name in `measures.metrics`. None that is jackknifed itself.
    analysis : Analysis, optional
        How texts become words; `variant_analysis` of the variant's language by default.
    options : Options, optional
        What the metrics leave open.
    heartbeat : callable, optional
        Called now and then while texts are analysed.

    Returns
    -------
    VariantScores
        The scores.

    Raises
    ------
    ValueError
        If a metric is unknown, or wants dependencies.

    Examples
    --------
    >>> references = {("1", "Ann"): ("a b",), ("1", "Ben"): ("a c",)}
    >>> variant = Variant("original", "en", {("1", "A"): "a b"}, {("1", "Ann"): "a b"}, references)
    >>> words = Analysis(Tokenizer("whitespace"))
    >>> found = variant_scores(variant, {"ROUGE-1": "LR-1+Recall+MULT-PROB"}, analysis=words)
    >>> found.system_scores.tolist(), found.person_scores.tolist()
    ([[[0.75]]], [[[0.5]]])
    """
    chosen, how = options or Options(), analysis or variant_analysis(variant.language)
    keys = (*variant.outputs, *variant.people)
    rows = _rows(variant, keys, analyse_distinct(how, _all_texts(variant), heartbeat))
    compared = compare([row.text for row in rows], [row.references for row in rows])
    values = score(compared, list(metrics.values()), chosen)
    means = _means(values, np.array([row.number for row in rows], dtype=np.int64), len(keys))
    inputs = tuple(sorted({name for name, _ in (*keys, *variant.references)}))
    systems, people, split = _authors(variant.outputs), _authors(variant.people), len(variant.outputs)
    return VariantScores(
        variant,
        tuple(metrics),
        tuple(signature(each, how, chosen) for each in metrics_named(list(metrics.values()))),
        inputs,
        systems,
        people,
        _arranged(means[:split], keys[:split], systems, inputs),
        _arranged(means[split:], keys[split:], people, inputs),
    )


@dataclass(frozen=True)
class _Row:
    """A text, by its number among all, with the references of all persons but one."""

    number: int
    text: Text
    references: list[Text]


def _rows(variant: Variant, keys: Sequence[TextKey], texts: Mapping[str, Text]) -> list[_Row]:
    """Return what is compared, input by input, so that the texts of an input are looked at together."""
    written = (*variant.outputs.values(), *variant.people.values())
    given: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for (name, person), references in variant.references.items():
        given[name][person] = references
    numbers: dict[str, list[int]] = defaultdict(list)
    for number, (name, _) in enumerate(keys):
        numbers[name].append(number)
    rows: list[_Row] = []
    for name, some in numbers.items():
        without = _without_each(given[name], texts)
        for number in some:
            author = keys[number][1]
            is_own = number >= len(variant.outputs) and author in without
            grounds = [without[author]] if is_own else list(without.values())
            rows += [_Row(number, texts[written[number]], references) for references in grounds]
    return rows


def _without_each(given: Mapping[str, Sequence[str]], texts: Mapping[str, Text]) -> dict[str, list[Text]]:
    """Return, for each person, the references of all others; nothing where there is one person only."""
    if len(given) < 2:
        return {}
    return {
        person: [texts[each] for each in dict.fromkeys(t for other in given if other != person for t in given[other])]
        for person in given
    }


def _all_texts(variant: Variant) -> list[str]:
    references = (text for each in variant.references.values() for text in each)
    return [*variant.outputs.values(), *variant.people.values(), *references]


def _authors(texts: Texts) -> tuple[str, ...]:
    return tuple(sorted({author for _, author in texts}))


def _means(values: FloatArray, numbers: IntArray, count: int) -> FloatArray:
    """Average the rows of each text; NaN where it has none."""
    sums, rows = np.zeros((count, values.shape[1])), np.bincount(numbers, minlength=count)
    np.add.at(sums, numbers, values)
    return np.where(rows[:, None] > 0, sums / np.maximum(rows, 1)[:, None], np.nan)


def _arranged(means: FloatArray, keys: Sequence[TextKey], authors: Sequence[str], names: Sequence[str]) -> FloatArray:
    rows, columns = ({each: place for place, each in enumerate(some)} for some in (authors, names))
    found = np.full((means.shape[1], len(authors), len(names)), np.nan)
    for (name, author), values in zip(keys, means, strict=True):
        found[:, rows[author], columns[name]] = values
    return found
