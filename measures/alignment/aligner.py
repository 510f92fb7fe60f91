"""The aligner of the words of a compression with the words of its source: pairs one by one, best first."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from measures.alignment.context import Context
from measures.alignment.norms import word_rules
from measures.alignment.options import AlignmentOptions
from measures.alignment.resources import NO_RESOURCES, AlignmentResources
from measures.alignment.runs import Alignment, align_rare_runs, align_runs
from measures.alignment.similarity import SAME_STEM, Word, words_of

Candidate = tuple[int, int, float]


def align_best_first(
    candidates: Iterable[Candidate], context: Context, alignment: Alignment, *, window: int, least_context: float
) -> None:
    """Align candidates, best first, while their context is large enough.

    The score of a pair is its similarity, its context, half of its potential context, less half its distance from the
    diagonal. After each pair, those near it are scored again: context only grows, so a score only rises. Among equal
    scores, the smaller target place comes first, then the smaller source place.

    Parameters
    ----------
    candidates : iterable of (int, int, float)
        Places of the source and target words, which are free, and their similarity.
    context : Context
        The surroundings.
    alignment : Alignment
        Where the pairs are added.
    window : int
        How many words away a pair still counts as context.
    least_context : float
        The least context of a pair.
    """
    n, m = len(alignment.used), len(alignment.places)
    fixed: dict[int, dict[int, float]] = defaultdict(dict)
    for i, j, likeness in candidates:
        fixed[j][i] = likeness + context.potential(i, j) / 2 - abs(i / n - j / m) / 2
    queue: list[tuple[float, int, int]] = []

    def score(pairs: Iterable[tuple[int, int]]) -> None:
        for i, j in pairs:
            around = context.aligned(i, j)
            if around >= least_context:
                heapq.heappush(queue, (-round(fixed[j][i] + around, 9), j, i))

    score((i, j) for j, row in fixed.items() for i in row)
    while queue:
        _, j, i = heapq.heappop(queue)
        if alignment.is_free(i, j):
            alignment.add(i, j)
            near = ((place, other) for other in range(j - window, j + window + 1) for place in fixed.get(other, ()))
            score(pair for pair in near if abs(pair[0] - i) <= window and alignment.is_free(*pair))


Places: TypeAlias = tuple[int | None, ...]
Aligner: TypeAlias = Callable[[Sequence[str], Sequence[str]], Places]
"""Any function from source words and target words to the place in the source of each target word, or None."""

DEFAULT_OPTIONS = AlignmentOptions()


def align_words(
    source: Sequence[str],
    target: Sequence[str],
    options: AlignmentOptions = DEFAULT_OPTIONS,
    *,
    resources: AlignmentResources = NO_RESOURCES,
    source_lemmas: Sequence[str] | None = None,
    target_lemmas: Sequence[str] | None = None,
) -> Places:
    """Align each word of a compression to at most one word of its source.

    There is no training and no randomness: the same words, options and resources always give the same alignment.
    Runs of equal words come first, then content words by similarity and context, then function words and marks near
    aligned words, then the marks that end the texts, and last one or two words that stand in the place of as many
    others.

    Parameters
    ----------
    source : sequence of str, of length n
        The words of the source.
    target : sequence of str, of length m
        The words of the compression.
    options : AlignmentOptions
        The language, and what counts as similar and near.
    resources : AlignmentResources
        Pairs of words and vectors, if there are any.
    source_lemmas, target_lemmas : sequence of str, optional
        A lemma for each word, empty where there is none.

    Returns
    -------
    tuple of int or None, of length m
        Positions in the source from 0, each at most once; None for an inserted word.

    Raises
    ------
    ValueError
        If there is not one lemma for each word.
    ModuleNotFoundError
        If the stemmer of the language is not installed.

    Notes
    -----
    Takes O(n m) time and memory, as long as n m is at most `AlignmentOptions.max_cells`; above, words are aligned only
    around those that occur once in each text and at both ends of the texts, in O(n + m).

    In languages other than English, function words have no classes: they are spaCy's stop words, if it has any.
    Words are stemmed if Snowball has the language.

    Source: the steps are this project's own. Context and its order of steps follow Sultan, Bethard and Sumner 2014,
    "Back to Basics for Monolingual Alignment", without its parser and its paraphrase database.

    Examples
    --------
    >>> align_words("The old bridge finally fell".split(), "the bridge at last fell".split())
    (0, 2, None, None, 4)
    >>> align_words("He bought an automobile today .".split(), "Today he bought a car .".split())
    (4, 0, 1, 2, 3, 5)
    >>> align_words("Prices are rising".split(), "prices rise".split())
    (0, 2)
    """
    rules = word_rules(options.language_code)
    sources, targets = words_of(source, source_lemmas, rules), words_of(target, target_lemmas, rules)
    alignment = Alignment.of(len(sources), len(targets))
    if [word.form.norm for word in sources] == [word.form.norm for word in targets]:
        return tuple(range(len(sources)))  # also where there is no content word that a run could have
    if len(sources) * len(targets) > options.max_cells:
        align_rare_runs(sources, targets, alignment)
    else:
        _align_step_by_step(sources, targets, alignment, options, resources)
    return tuple(alignment.places)


def _align_step_by_step(
    source: Sequence[Word],
    target: Sequence[Word],
    alignment: Alignment,
    options: AlignmentOptions,
    resources: AlignmentResources,
) -> None:
    align_runs(source, target, alignment)
    context = Context(source, target, alignment, options, resources)

    def align(candidates: Iterator[Candidate], least_context: float) -> None:
        align_best_first(candidates, context, alignment, window=options.window, least_context=least_context)

    align(_similar_words(target, alignment, context, ("content",), 0.0), 0.0)
    align(_similar_words(target, alignment, context, ("function", "mark"), SAME_STEM), options.least_context)
    align(_words_of_a_class(source, target, alignment), options.least_class_context)
    _align_last_marks(source, target, alignment)
    _align_replaced(source, target, alignment, options.fill)


def _similar_words(
    target: Sequence[Word], alignment: Alignment, context: Context, kinds: Collection[str], least: float
) -> Iterator[Candidate]:
    for j, place in enumerate(alignment.places):
        if place is None and target[j].form.kind in kinds:
            similar = context.similar(j)
            yield from ((i, j, likeness) for i, likeness in similar if likeness >= least and not alignment.used[i])


def _words_of_a_class(source: Sequence[Word], target: Sequence[Word], alignment: Alignment) -> Iterator[Candidate]:
    groups = defaultdict(list)
    for i, word in enumerate(source):
        if word.form.group and not alignment.used[i]:
            groups[word.form.group].append(i)
    for j, place in enumerate(alignment.places):
        if place is None:
            yield from ((i, j, 0.0) for i in groups.get(target[j].form.group, ()))


def _align_last_marks(source: Sequence[Word], target: Sequence[Word], alignment: Alignment) -> None:
    """Align the marks that end the texts, even if they differ."""
    i, j = _last_mark(source), _last_mark(target)
    if i is not None and j is not None and alignment.is_free(i, j):
        alignment.add(i, j)


def _last_mark(words: Sequence[Word]) -> int | None:
    """The place of the mark that ends a text, with nothing after it but closing quotes and brackets."""
    for place in range(len(words) - 1, -1, -1):
        form = words[place].form
        if form.kind != "mark":
            return None
        if form.norm not in _CLOSING:
            return place
    return None


_CLOSING = frozenset("\"')]}")


def _align_replaced(source: Sequence[Word], target: Sequence[Word], alignment: Alignment, fill: int) -> None:
    """Between two aligned neighbours align as many free words with as many, in order, where their kinds agree."""
    ends = [j for j, place in enumerate(alignment.places) if place is not None]
    for left, right in pairwise(ends):
        free = range(left + 1, right)
        before, after = alignment.places[left], alignment.places[right]
        if not 1 <= len(free) <= fill or before is None or after is None:
            continue
        places = [i for i in range(before + 1, after) if not alignment.used[i]]
        if len(places) != len(free):
            continue
        for i, j in zip(places, free, strict=True):
            if source[i].form.kind == target[j].form.kind:
                alignment.add(i, j)
