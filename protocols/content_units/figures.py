"""The figures of a report on which units texts have, a row for each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from measures.agreement.krippendorff import krippendorff_alpha
from measures.content_units import (
    JudgedPeers,
    Overlap,
    added_facts,
    factoid_agreement,
    factoid_overlap,
    pyramid_means,
    subset_ranks,
)
from measures.core.arrays import FloatArray
from measures.core.drawn_sources import Ratio
from measures.core.item_means import ItemMean
from measures.core.undefined import Undefined
from measures.experiments import order_agreement, winners
from protocols.content_units.judged import (
    MOST_CELLS,
    JudgedSource,
    JudgedTexts,
    pairs_of_people,
    peer_of_models,
    peers_of_pyramid,
)
from protocols.content_units.material import REFERENCE
from protocols.content_units.parameters import FactoidsParameters, UnitsParameters
from protocols.report_rows import ALL, About, ReportRow

SYSTEMS, KAPPA, JUDGES, SUBSETS, PROTOCOLS, ORDERS, GRID, COUNTS = (
    *("systems", "kappa", "people", "subsets", "ways of judging", "orders", "grid", "counts"),
)
PRECISION, RECALL, F, MEAN_F = "precision", "recall", "F", "F, mean of sources"
ORIGINAL, MODIFIED, FURTHER, ADDS = "original", "modified", "further", "texts with further ones"
KAPPA_OF, MEAN_KAPPA, AC1, SAME, ALPHA = "kappa", "kappa, mean of sources", "AC1", "same answer", "Krippendorff's alpha"
FIRST_SHARE, SECOND_SHARE = "share of the first", "share of the second"
RANK_ORIGINAL, RANK_MODIFIED = "rank, original", "rank, modified"
TAU, P, BEST, VALUE = "tau-b", "p", "is best", "value"
LEFT_OUT, GRID_LEFT_OUT = "systems left out", "sources not in the grid"
RELATIVE, ABSOLUTE = "relative", "absolute"
SMALL_IS_BEST = (RELATIVE, ABSOLUTE)
MOST_PAIRS_OF_PEOPLE, MOST_SUBSET_ROWS = 45, 20_000
NO_GOLD = Undefined("there is no text to hold it against")
ITSELF = Undefined("the others are held against it")
NO_MODELS = Undefined("no source has another text that makes a pyramid")
NO_PAIRS = Undefined("no text was judged by two people")
OTHER_REFERENCES = Undefined("sources have different numbers of references, or too few or too many")
Others = Mapping[str, Mapping[str, float]]
"""By a way of judging, the value of each system by its name."""


def units_rows(found: JudgedTexts, parameters: UnitsParameters, others: Others) -> Iterator[ReportRow]:
    """Yield all rows."""
    rows = list(_systems(found, parameters))
    yield from rows
    yield from _kappas(found, parameters)
    yield from _people(found, parameters)
    if not isinstance(parameters, FactoidsParameters):
        yield from _subsets(found, parameters)
    yield from _orders(found, rows, others)
    yield from _grid(found)
    yield About(COUNTS, "", "").row(LEFT_OUT, found.left_out)


def gold_of(found: JudgedTexts, parameters: FactoidsParameters) -> str | None:
    """Return the system that others are held against."""
    if parameters.gold:
        return parameters.gold[0]
    return next((each for each in found.systems if found.kinds[each] == REFERENCE), None)


def models_of(found: JudgedTexts, parameters: FactoidsParameters) -> list[str]:
    """Return the systems whose facts make a pyramid."""
    return list(parameters.models) or [each for each in found.systems if found.kinds[each] == "human"]


def _systems(found: JudgedTexts, parameters: UnitsParameters) -> Iterator[ReportRow]:
    for pyramid in found.pyramids:
        sources = found.of_pyramid(pyramid)
        for system in found.systems:
            about = About(SYSTEMS, pyramid, system)
            if isinstance(parameters, FactoidsParameters):
                yield from _against_gold(about, found, sources, parameters)
                models = models_of(found, parameters)
                ties = parameters.where_people_differ
                of_models = [peer_of_models(each, system, models, ties) for each in sources]
                yield from _scores(about, [each for each in of_models if each])
            else:
                of_system = [peers_of_pyramid(each, [system], parameters.where_people_differ) for each in sources]
                yield from _scores(about, of_system)
            facts = added_facts([each.further_of(system) for each in sources])
            yield _mean(about, FURTHER, facts if isinstance(facts, Undefined) else facts.number)
            yield _mean(about, ADDS, facts if isinstance(facts, Undefined) else facts.share_with_any)


def _scores(about: About, peers: Sequence[JudgedPeers]) -> Iterator[ReportRow]:
    (means,) = pyramid_means(peers) if peers else (None,)
    yield _mean(about, ORIGINAL, means.original if means else NO_MODELS)
    yield _mean(about, MODIFIED, means.modified if means else NO_MODELS)


def _against_gold(
    about: About, found: JudgedTexts, sources: Sequence[JudgedSource], parameters: FactoidsParameters
) -> Iterator[ReportRow]:
    gold = gold_of(found, parameters)
    if gold is None or gold not in found.systems:
        yield about.row(F, NO_GOLD)
        return
    if about.group == gold:
        yield about.row(F, ITSELF)
        return
    mine, theirs, items = _vectors(sources, about.group, gold, parameters)
    overlap = factoid_overlap(mine, theirs, items, draws=parameters.draws, seed=parameters.seed)
    for each, figures in ((overlap.micro, (PRECISION, RECALL, F)), (overlap.macro, ("", "", MEAN_F))):
        yield from _overlap(about, each, figures)


def _overlap(about: About, overlap: Overlap, figures: Sequence[str]) -> Iterator[ReportRow]:
    for figure, value in zip(figures, (overlap.precision, overlap.recall, overlap.f), strict=True):
        if figure:
            yield _mean(about, figure, value)


def _mean(about: About, figure: str, value: Ratio | ItemMean | Undefined) -> ReportRow:
    if isinstance(value, Undefined):
        return about.row(figure, value)
    sources = value.items if isinstance(value, ItemMean) else value.sources
    row = about.row(figure, value.value, value.interval, sources=sources)
    # Of what has no greatest value the interval by t is not bounded, and none of these is negative.
    return replace(row, low=max(0.0, row.low)) if figure in (MODIFIED, FURTHER) and row.low is not None else row


def _vectors(
    sources: Sequence[JudgedSource], first: str, second: str, parameters: UnitsParameters
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return what two systems have of all units, and the source of each unit."""
    ties = parameters.where_people_differ
    one, other = (np.concatenate([each.vector(system, ties) for each in sources]) for system in (first, second))
    return one, other, np.repeat(np.arange(len(sources)), [len(each.unit_ids) for each in sources])


def _kappas(found: JudgedTexts, parameters: UnitsParameters) -> Iterator[ReportRow]:
    for first, second in combinations(found.systems, 2):
        yield from _agreement(
            About(KAPPA, first, second), *_vectors(found.sources, first, second, parameters), parameters
        )


def _agreement(
    about: About, first: FloatArray, second: FloatArray, items: FloatArray, parameters: UnitsParameters
) -> Iterator[ReportRow]:
    agreement = factoid_agreement(first, second, items, draws=parameters.draws, seed=parameters.seed)
    if isinstance(agreement, Undefined):
        yield about.row(KAPPA_OF, agreement)
        return
    n, sources = agreement.factoids, agreement.items
    yield about.row(KAPPA_OF, agreement.kappa, agreement.kappa_interval, n=n, sources=sources)
    yield _mean(about, MEAN_KAPPA, agreement.item_kappa)
    yield about.row(AC1, agreement.ac1, agreement.ac1_interval, n=n, sources=sources)
    yield about.row(SAME, agreement.agreement, n=n, sources=sources)
    yield about.row(FIRST_SHARE, agreement.first_share, n=n, sources=sources)
    yield about.row(SECOND_SHARE, agreement.second_share, n=n, sources=sources)


def _people(found: JudgedTexts, parameters: UnitsParameters) -> Iterator[ReportRow]:
    """Yield how far people agree: alpha over all of them, kappa and AC1 of each two."""
    rows = [
        [*each, *[np.nan] * (most - len(each))]
        for most in [max((len(said) for source in found.sources for said in source.said.values()), default=0)]
        for source in found.sources
        for said in source.said.values()
        for each in np.array(list(said.values())).T.tolist()
    ]
    about = About(JUDGES, ALL, ALL)
    alpha = NO_PAIRS if not rows or len(rows[0]) < 2 else krippendorff_alpha(rows, level="nominal", categories=(0, 1))
    if isinstance(alpha, Undefined):
        yield about.row(ALPHA, alpha)
    else:
        yield about.row(ALPHA, alpha.alpha, n=alpha.items, sources=len(found.sources))
    pairs = sorted(pairs_of_people(found), key=lambda each: (-len(each[2]), each[:2]))[:MOST_PAIRS_OF_PEOPLE]
    for first, second, texts in pairs:
        one, other = (np.concatenate([each[place] for each in texts]) for place in (1, 2))
        items = np.concatenate([np.full(len(each[1]), each[0]) for each in texts])
        yield from _agreement(About(JUDGES, first, second), one, other, items, parameters)


def _subsets(found: JudgedTexts, parameters: UnitsParameters) -> Iterator[ReportRow]:
    """Yield the rank of each system by each subset of the references of the first pyramid."""
    sources = found.of_pyramid(found.pyramids[0]) if found.pyramids else []
    sizes = {len(each.body["references"]) for each in sources}
    systems = [name for name in found.systems if not any(name in each.body["references"] for each in sources)]
    about = About(SUBSETS, "", "")
    if not systems or len(sizes) != 1 or not 2 <= (size := sizes.pop()) <= 10:
        yield about.row(RANK_ORIGINAL, OTHER_REFERENCES)
        return
    if (2**size - 2) * len(systems) > MOST_SUBSET_ROWS / 2:
        yield about.row(RANK_ORIGINAL, Undefined(f"more than {MOST_SUBSET_ROWS:,} ranks"))
        return
    ranks = subset_ranks([peers_of_pyramid(each, systems, parameters.where_people_differ) for each in sources])
    for subset, original, modified in zip(ranks.subsets, ranks.original, ranks.modified, strict=True):
        named = " ".join(str(place + 1) for place in subset)
        for place, system in enumerate(systems):
            about = About(SUBSETS, named, system)
            for figure, rank in ((RANK_ORIGINAL, original[place]), (RANK_MODIFIED, modified[place])):
                if not np.isnan(rank):
                    yield about.row(figure, float(rank), n=len(subset), sources=len(sources))


def _orders(found: JudgedTexts, rows: Sequence[ReportRow], others: Others) -> Iterator[ReportRow]:
    """Yield what each way of judging gives the systems, how far they put these in the same order, and who is best."""
    values: dict[str, FloatArray] = {}
    for pyramid in found.pyramids:
        for figure in (F, ORIGINAL, MODIFIED):
            of_system = {each.group: each.value for each in rows if (each.part, each.figure) == (pyramid, figure)}
            if any(each is not None for each in of_system.values()):
                name = f"{figure} {pyramid}".strip()
                values[name] = _column(found.systems, of_system)
    values |= {
        name: column for name, each in others.items() if not np.isnan(column := _column(found.systems, each)).all()
    }
    small = [each for each in values if each in SMALL_IS_BEST]
    for name, places in winners(values, small_is_best=small).items():
        for place, system in enumerate(found.systems):
            if not np.isnan(values[name][place]):
                yield About(PROTOCOLS, name, system).row(VALUE, float(values[name][place]))
        for place in places:
            yield About(PROTOCOLS, name, found.systems[place]).row(BEST, 1)
    for each in order_agreement(values, small_is_best=small):
        about = About(ORDERS, each.first, each.second)
        yield about.row(TAU, each.tau_b, n=each.systems)
        yield about.row(P, each.p, n=each.systems)


def _column(systems: Sequence[str], of_system: Mapping[str, float | None]) -> FloatArray:
    found = [of_system.get(each) for each in systems]
    return np.array([np.nan if each is None else each for each in found])


def _grid(found: JudgedTexts) -> Iterator[ReportRow]:
    """Yield of each unit and text the share of people who say that it has it."""
    cells = left_out = 0
    for source in found.sources:
        texts = [each for each in found.systems if each in source.said]
        cells += len(texts) * len(source.unit_ids)
        if cells > MOST_CELLS:
            left_out += 1
            continue
        for system in texts:
            shares, people = source.share(system), len(source.said[system])
            for unit, share in zip(source.unit_ids, shares, strict=True):
                yield About(GRID, f"{source.pyramid}/{source.name}".removeprefix("/"), system).row(
                    unit, float(share), n=people
                )
    yield About(COUNTS, "", "").row(GRID_LEFT_OUT, left_out)
