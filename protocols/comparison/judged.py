"""The ratings of systems' outputs in a release, scale by scale, as the comparison takes them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from common.errors import Refused
from corpus.release.records import Ratings, ReleasedSource
from crowd.scales import Scale
from measures.experiments import Judgements, judgements
from protocols.comparison.parameters import MOST_SYSTEMS, ComparisonParameters

UNKNOWN = "unknown, of"
"""The names of judges begin with this where a release does not say who they are: each is a person of one rating."""


@dataclass(frozen=True, eq=False)
class JudgedScale:
    """The ratings on one scale; `systems` are those with any on it, the baseline first."""

    scale: Scale
    systems: tuple[str, ...]
    ratings: Judgements


@dataclass(frozen=True)
class _Given:
    system: str
    source: str
    judge: str
    point: int


def judged_scales(
    sources: Sequence[ReleasedSource], scales: Sequence[Scale], parameters: ComparisonParameters
) -> list[JudgedScale]:
    """Return each scale on which two or more of the systems were rated; raise Refused if there is none.

    Scales of many points, of preferences, and those on which less is better are left out.
    """
    fit = [each for each in scales if _fits(each)]
    given = {scale.key: list(_given(sources, scale, parameters)) for scale in fit}
    rated = sorted({each.system for rows in given.values() for each in rows})
    chosen = _chosen(rated, parameters)
    found = []
    for scale in fit:
        rows = [each for each in given[scale.key] if each.system in chosen]
        here = {each.system for each in rows}
        systems = tuple(each for each in chosen if each in here)
        if len(systems) > 1:
            found.append(JudgedScale(scale, systems, _together(rows, scale)))
    if not found:
        raise Refused(_("No two of these systems were rated on one scale, so there is nothing to compare."))
    return found


def _fits(scale: Scale) -> bool:
    is_reversed = scale.numbers is not None and scale.numbers.less_is_better
    return scale.has_few_points and not scale.is_preference and not is_reversed


def _chosen(rated: Sequence[str], parameters: ComparisonParameters) -> tuple[str, ...]:
    """Return the systems to compare, the baseline first."""
    if len(rated) < 2:
        words = _("Outputs of two systems or more must have ratings on a scale of up to ten points, more being better.")
        raise Refused(words)
    wanted = dict.fromkeys([*parameters.baseline, *parameters.systems])
    if unknown := [each for each in wanted if each not in rated]:
        words = _("There are no such ratings of the outputs of %(unknown)s. There are of %(known)s.")
        raise Refused(words % {"unknown": ", ".join(unknown), "known": ", ".join(rated)})
    systems = sorted(parameters.systems or rated)
    baseline = parameters.baseline[0] if parameters.baseline else systems[0]
    chosen = (baseline, *(each for each in systems if each != baseline))
    if not 1 < len(chosen) <= MOST_SYSTEMS:
        words = _("Choose 2 to %(most)s systems: %(n)s are chosen of %(known)s.")
        raise Refused(words % {"most": MOST_SYSTEMS, "n": len(chosen), "known": ", ".join(rated)})
    return chosen


def _given(sources: Sequence[ReleasedSource], scale: Scale, parameters: ComparisonParameters) -> Iterator[_Given]:
    for source in sources:
        for output in source.outputs:
            ratings = output.ratings if parameters.pool == "crowd" else output.expert_ratings
            for judge, points in _by_judge(ratings, scale, f"{source.source_id} {output.system}"):
                yield _Given(output.system, source.source_id, judge, points)


def _by_judge(ratings: Ratings, scale: Scale, place: str) -> Iterator[tuple[str, int]]:
    """Yield each rating with a name of its judge: an unknown one, or a name that comes again, is another person."""
    times = Counter[str]()
    for rating in ratings:
        if scale.key in rating.scores:
            name = rating.rater or f"{UNKNOWN} {place}"
            times[name] += 1
            yield (name if times[name] == 1 else f"{name} ({times[name]})"), rating.scores[scale.key]


def _together(rows: Sequence[_Given], scale: Scale) -> Judgements:
    try:
        return judgements(
            [each.point for each in rows],
            [each.system for each in rows],
            [each.source for each in rows],
            [each.judge for each in rows],
            categories=list(scale.values),
        )
    except ValueError as error:
        raise Refused(str(error)) from error
