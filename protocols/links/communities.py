"""The rows on communities: of people among each other, and of algorithms against people."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import nan
from typing import Any

import numpy as np

from measures.clustering import algorithm_tests, omega_among, overlap, together_alpha, together_scores
from measures.core.undefined import Undefined
from protocols.links.divided import ALGORITHMS, BESIDE, CURVE, Divided, Tie, mean_of
from protocols.links.documents import LinkedDocument
from protocols.links.rows import (
    ALL,
    DOCUMENTS,
    EVERYONE,
    NUMBERS,
    OMEGA,
    OWN,
    PEOPLE,
    PREDICTED,
    SIZES,
    TESTS,
    THEMSELVES,
    TIES,
    Row,
    Value,
    mean_row,
    row,
)

PLACES = ((PREDICTED, EVERYONE), (ALL, EVERYONE), (OWN, EVERYONE), (OWN, THEMSELVES))
"""Which graphs are held against whom."""
ONE_ANNOTATOR = Undefined("no document has two annotators")


def people_rows(documents: Sequence[LinkedDocument]) -> Iterator[Row]:
    """Yield how far people agree, and what their communities are like."""
    several = [each for each in documents if len(each.covers) > 1]
    omegas = [omega_among(each.covers, each.nodes) for each in several]
    yield mean_row(PEOPLE, "omega", omegas or [ONE_ANNOTATOR])
    for document, omega in zip(several, omegas, strict=True):
        yield row(DOCUMENTS, "omega", omega, n=len(document.annotators), one="people", document=document.name)
    yield mean_row(PEOPLE, "F of pairs", [_pair_f(each) for each in several] or [ONE_ANNOTATOR])
    alpha = together_alpha([each.covers for each in documents], [each.nodes for each in documents])
    if isinstance(alpha, Undefined):
        yield row(PEOPLE, "alpha", alpha, n=len(several))
    else:
        interval = alpha.interval
        ends = interval if isinstance(interval, Undefined) else (interval.low, interval.high)
        yield row(PEOPLE, "alpha", alpha.alpha, ends, n=len(several))
    shapes: Mapping[str, Callable[[LinkedDocument], Value]] = {
        "communities": lambda each: mean_of(float(sum(map(bool, one.sets))) for one in each.annotators),
        "largest": lambda each: mean_of(float(max(map(len, cover))) for cover in each.covers),
        "communities per sentence": lambda each: mean_of(overlap(cover, each.nodes) for cover in each.covers),
    }
    for figure, shape in shapes.items():
        yield mean_row(SIZES, figure, [shape(each) for each in documents], one="people")


def _pair_f(document: LinkedDocument) -> Value:
    covers = document.covers
    return mean_of(
        together_scores(one, other, document.nodes).f for place, one in enumerate(covers) for other in covers[:place]
    )


Found = Mapping[tuple[str, str, str], Mapping[str, Sequence[Divided]]]
"""What was divided, by graph, against whom, algorithm, and document; a graph of one person for each of them."""


def by_place(divided: Sequence[Divided]) -> Found:
    found: dict[tuple[str, str, str], dict[str, list[Divided]]] = {}
    for each in divided:
        for against in each.omega:
            place = found.setdefault((each.graph.name, against, each.algorithm), {})
            place.setdefault(each.graph.document.name, []).append(each)
    return found


def omega_rows(divided: Sequence[Divided], draws_seed: int) -> Iterator[Row]:
    """Yield the Omega index of algorithms against people, their ranges by ties, tests, curves and sizes."""
    found = by_place(divided)
    for graph, against in PLACES:
        of_graph = {name: found[graph, against, name] for name in ALGORITHMS if (graph, against, name) in found}
        medians: dict[str, list[Value]] = {}
        for name, documents in of_graph.items():
            about: dict[str, Any] = {"graph": graph, "against": against, "one": name}
            ties = {each: _over_people(its, against) for each, its in documents.items()}
            medians[name] = [_part(each, 0) for each in ties.values()]
            yield mean_row(OMEGA, "omega", medians[name], **about)
            yield row(TIES, "omega", *_means(list(ties.values())), n=len(ties), **about)
            if against == EVERYONE:
                yield row(OMEGA, "chance", *_band(documents), n=len(ties), **about)
            for document, tie in ties.items():
                value, ends = (tie, None) if isinstance(tie, Undefined) else (tie[0], tie[1:])
                yield row(DOCUMENTS, "omega", value, ends, document=document, **about)
            if graph != OWN:
                yield from _of_one_graph(documents, about)
        yield from _test_rows(medians, {"graph": graph, "against": against}, draws_seed)


Three = tuple[float, float, float] | Undefined
"""A median with its smallest and its largest value."""


def _over_people(divided: Sequence[Divided], against: str) -> Three:
    """Return the mean over the graphs of a document of median, lowest and highest value."""
    ties = [each.omega[against] for each in divided]
    parts = [mean_of(_of_tie(each, name) for each in ties) for name in ("median", "low", "high")]
    median, low, high = parts
    if isinstance(median, Undefined) or isinstance(low, Undefined) or isinstance(high, Undefined):
        return next(each for each in parts if isinstance(each, Undefined))
    return median, low, high


def _of_tie(tie: Tie, name: str) -> Value:
    return tie if isinstance(tie, Undefined) else float(getattr(tie, name))


def _part(three: Three, place: int) -> Value:
    return three if isinstance(three, Undefined) else three[place]


def _means(threes: Sequence[Three]) -> tuple[Value, tuple[float, float] | None]:
    """Return the means over documents of the medians, and of the ends of their ranges."""
    median, low, high = (mean_of(_part(each, place) for each in threes) for place in range(3))
    if isinstance(low, Undefined) or isinstance(high, Undefined):
        return median, None
    return median, (low, high)


def _band(documents: Mapping[str, Sequence[Divided]]) -> tuple[Value, tuple[float, float] | None]:
    """Return the upper end of the band of chance, as the mean over documents, with both ends."""
    bands = [each.band for its in documents.values() for each in its]
    low, high = (mean_of(each if isinstance(each, Undefined) else each[end] for each in bands) for end in (0, 1))
    if isinstance(low, Undefined) or isinstance(high, Undefined):
        return high, None
    return high, (low, high)


def _of_one_graph(documents: Mapping[str, Sequence[Divided]], about: Mapping[str, str]) -> Iterator[Row]:
    """Yield the curve over numbers of communities, and what the communities are like."""
    divided = [its[0] for its in documents.values()]
    for number in CURVE:
        value = mean_of(each.curve[number] for each in divided)
        yield row(NUMBERS, str(number), value, n=len(divided), **about)
    for figure in BESIDE:
        yield mean_row(SIZES, figure, [_of_tie(each.beside[figure], "median") for each in divided], **about)


def _test_rows(medians: Mapping[str, Sequence[Value]], about: Mapping[str, str], seed: int) -> Iterator[Row]:
    """Yield the tests of algorithms two by two, on the medians of documents."""
    if len(medians) < 2:
        return
    values = {name: [nan if isinstance(each, Undefined) else each for each in its] for name, its in medians.items()}
    for pair in algorithm_tests({name: np.array(its) for name, its in values.items()}, seed=seed):
        who = {**about, "one": pair.one, "other": pair.other}
        tests, n = pair.tests, pair.documents
        if isinstance(tests, Undefined):
            yield row(TESTS, "difference", tests, n=n, **who)
            continue
        t, effect = tests.t, tests.effect
        ends = t if isinstance(t, Undefined) else (t.low, t.high)
        yield row(TESTS, "difference", tests.mean, ends, n=n, **who)
        d_z = effect if isinstance(effect, Undefined) else effect.d_z
        yield row(TESTS, "d_z", d_z, None if isinstance(effect, Undefined) else (effect.low, effect.high), n=n, **who)
        p_t: Value = t if isinstance(t, Undefined) else t.p
        for figure, statistic, p, by_holm in (
            ("paired t", t if isinstance(t, Undefined) else t.t, p_t, pair.t_holm),
            ("signed ranks", tests.signed_rank.w_plus, tests.signed_rank.p, pair.signed_rank_holm),
            ("permutation", tests.mean, tests.permutation_p, pair.permutation_holm),
        ):
            yield row(TESTS, figure, statistic, n=n, **who, **_p(p, by_holm))


def _p(p: Value, by_holm: Value) -> dict[str, float]:
    values = {"p": p, "p_holm": by_holm}
    return {name: each for name, each in values.items() if not isinstance(each, Undefined)}
