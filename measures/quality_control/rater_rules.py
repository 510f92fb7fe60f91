"""What stands out in the work of one rater, a rule for each: hints for staff, never verdicts.

Each rule takes the answers of a rater in the order of work and returns its evidence in words, or None if it is not met.
On few texts, gold questions tell most: without them, 20 texts of which 80% deserve the top points tell honest answers
hardly from random ones. The thresholds are this project's choice, set on simulated raters (`benchmarks/raters.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from measures.core.arrays import BoolArray, FloatArray, IntArray
from measures.core.rating_scale import DECIMALS
from measures.quality_control.answer_sequence import RaterWork
from measures.quality_control.permutation_test import permutation_z

TWO_OFF = 1.5
"""What counts as two points off, in points of a scale with 3."""

FEWEST_GOLD = 4
DISTRUST_GOLD_Z = 3.0
"""Who agrees with the others as well as this is not flagged for gold questions: a mild rater misses them, too."""

SEPARATED = 0.97
"""Share of the pairs of texts that a length must put in order. Our choice."""

FEWEST_OTHERWISE, OTHERWISE = 3, 0.3
"""Texts of a run that the others must judge otherwise where gold tells nothing, and their share. Our choice."""

SHUFFLES = 199
BEYOND_SHUFFLES, UNLIKELY = 0.005, 0.05
WELL_BEFORE_Z, BADLY_AFTER_Z, LITTLE_LEFT = 1.5, 0.5, 0.25


def answer_times(page: FloatArray, server: FloatArray, words: IntArray, sent: IntArray) -> FloatArray:
    """Return how long each text took at most, by the clocks of the page and of the server.

    The page's time can be forged or missing. The server's is that of a whole page, so texts that stood on one page
    share it by their words; it includes the ways to the browser and back, and breaks.

    Parameters
    ----------
    page : FloatArray of shape (n,)
        What the page measured for each text, in milliseconds; NaN where it sent nothing.
    server : FloatArray of shape (n,)
        Milliseconds from handing out a text to receiving its answer; NaN where unknown.
    words : IntArray of shape (n,)
        Number of words shown of each text.
    sent : IntArray of shape (n,)
        Number of the page that each text stood on.

    Returns
    -------
    FloatArray of shape (n,)
        The smaller of the two, or the one that is known, in milliseconds; NaN where neither is.

    Examples
    --------
    >>> page, server = np.array([9_000.0, np.nan, np.nan]), np.array([8_000.0, 40.0, 40.0])
    >>> answer_times(page, server, words=np.array([50, 60, 20]), sent=np.array([1, 2, 2]))
    array([8000.,   30.,   10.])
    """
    _, pages = np.unique(sent, return_inverse=True)
    shown = np.maximum(words, 1)
    return np.fmin(page, server * shown / np.bincount(pages, weights=shown)[pages])


def gold_wrong(work: RaterWork) -> str | None:
    """Find raters who answer most gold questions wrong.

    Of at least 4 questions three quarters are answered wrong, on one scale or more. Either all of them are, or one
    answer is two points off and all answers together agree with what is known with a z below 3 (`relation_z`).

    Parameters
    ----------
    work : RaterWork
        The answers of one rater.

    Returns
    -------
    str or None
        The evidence.

    Examples
    --------
    >>> right = {row: ([points], [3]) for row, points in enumerate((3, 1, 1, 2))}
    >>> gold_wrong(RaterWork.of([[3, 3]] * 4, gold=right))
    '3 of 4 gold questions answered wrong, 2 of them two points off'
    """
    off = work.off[work.is_gold]
    wrong, far = int((off > 0).any(axis=1).sum()), int((off >= TWO_OFF).any(axis=1).sum())
    if len(off) < FEWEST_GOLD or wrong < 0.75 * len(off) or not (wrong == len(off) or far):
        return None
    if wrong < len(off) and (relation_z(work) or 0) >= DISTRUST_GOLD_Z:
        return None
    return f"{wrong} of {len(off)} gold questions answered wrong, {far} of them two points off"


def constant(work: RaterWork) -> str | None:
    """Find raters who give one answer to all texts, or all but one, two gold questions being wrong with it.

    Parameters
    ----------
    work : RaterWork
        The answers of one rater.

    Returns
    -------
    str or None
        The evidence.

    Examples
    --------
    >>> right = {1: ([1], [3]), 5: ([2], [2])}
    >>> constant(RaterWork.of([[3, 3]] * 8, gold=right))
    'the same answer (3, 3) to 8 of 8 texts; 2 gold questions are wrong with it'
    """
    answers, given, counts = np.unique(work.scores, axis=0, return_inverse=True, return_counts=True)
    most = int(counts.max(initial=0))
    wrong = int(_wrong(work)[given.ravel() == counts.argmax()].sum()) if most else 0
    if most < len(work.scores) - 1 or wrong < 2:
        return None
    answer = _in_words(answers[counts.argmax()])
    return f"the same answer ({answer}) to {most} of {len(work.scores)} texts; {wrong} gold questions are wrong with it"


def run_of_answers(work: RaterWork, *, least: int, least_alone: int) -> str | None:
    """Find many equal answers in a row that gold questions, or the others, contradict.

    Where most texts deserve the highest points, careful raters have long runs, too. So a run counts only if two gold
    questions of it are wrong. Where it has fewer than two, it has to be longer, and the others' mean, rounded half up,
    has to differ on 30% of the texts that they rated.

    Parameters
    ----------
    work : RaterWork
        The answers of one rater.
    least : int
        Least number of texts of a run with gold questions, at least 2.
    least_alone : int
        Least number of texts of a run with fewer than two.

    Returns
    -------
    str or None
        The evidence of the longest such run. Texts are numbered from 1 in the order of work.

    Examples
    --------
    >>> right = {2: ([1], [3]), 7: ([3], [1])}
    >>> run_of_answers(RaterWork.of([[3, 3]] * 9 + [[1, 2]] * 9, gold=right), least=8, least_alone=20)
    'the same answer (3, 3) to 9 texts in a row, 1 to 9; 2 gold questions among them are wrong'
    """
    found = [(run, words) for run in _runs(work.scores) if (words := _contradicted(work, run, least, least_alone))]
    if not found:
        return None
    run, words = max(found, key=lambda each: len(each[0]))
    answer = _in_words(work.scores[run.start])
    return f"the same answer ({answer}) to {len(run)} texts in a row, {run.start + 1} to {run.stop}; {words}"


def _contradicted(work: RaterWork, run: range, least: int, least_alone: int) -> str:
    """Say by what a run is contradicted; nothing if it is too short or by nothing."""
    gold, wrong = int(work.is_gold[run].sum()), int(_wrong(work)[run].sum())
    if wrong >= 2:
        return f"{wrong} gold questions among them are wrong" if len(run) >= least else ""
    shared, otherwise = int(work.shared[run].sum()), int(work.disagreed[run].sum())
    if gold >= 2 or len(run) < least_alone or otherwise < max(FEWEST_OTHERWISE, OTHERWISE * shared):
        return ""
    return f"others rated {shared} of these and judged {otherwise} otherwise"


def _runs(scores: FloatArray) -> Iterator[range]:
    """Split the rows into runs of equal rows."""
    borders = np.flatnonzero((scores[1:] != scores[:-1]).any(axis=1)) + 1
    return (range(start, stop) for start, stop in zip([0, *borders], [*borders, len(scores)], strict=True))


def relation_z(work: RaterWork, rows: slice = slice(None)) -> float | None:
    """Return by how many standard deviations answers agree with what is known, beyond shuffled ones.

    Known are the others' means and, of gold questions, the right points (`permutation_z`).

    Parameters
    ----------
    work : RaterWork
        The answers of one rater.
    rows : slice, optional
        The texts to look at; all by default.

    Returns
    -------
    float or None
        None with fewer than two texts, or where shuffling changes nothing.

    Examples
    --------
    >>> z = relation_z(RaterWork.of([[3], [2], [1]], [[3.0], [2.0], None], gold={2: ([1],)}))
    >>> round(z, 6)
    1.414214
    """
    own, known = (each[rows] for each in work.beside_known())
    is_known = ~np.isnan(known[:, 0])
    return permutation_z(own[is_known], known[is_known]).z if is_known.sum() >= 2 else None


def no_relation(work: RaterWork, *, least: int, below: float, least_alone: int, below_alone: float) -> str | None:
    """Find answers that agree with others and with gold questions hardly better than shuffled ones.

    On few texts, or where nearly all answers are equal, a careful rater may not differ from chance either; so with
    fewer than 3 gold questions, many more texts are asked for. Not tested if the answers or what is known never vary.

    Parameters
    ----------
    work : RaterWork
        The answers of one rater.
    least : int
        Least number of texts that others rated, with 3 gold questions.
    below : float
        Standard deviations beyond shuffled answers (`relation_z`), with 3 gold questions.
    least_alone, below_alone : int, float
        The same with fewer.

    Returns
    -------
    str or None
        The evidence.

    Examples
    --------
    >>> work = RaterWork.of([[3], [2], [1], [3]], [[1.0], [2.0], [2.5], [3.0]])
    >>> no_relation(work, least=12, below=2.0, least_alone=4, below_alone=1.0)
    'over 4 texts the mean squared difference from the others is 1.56; with the same answers shuffled it would be \
1.25, give or take 0.71'
    """
    gold, shared = int(work.is_gold.sum()), int(work.shared.sum())
    if shared < (least if gold >= 3 else least_alone):
        return None
    own, known = work.beside_known()
    is_known = ~np.isnan(known[:, 0])
    found = permutation_z(own[is_known], known[is_known])
    if found.z is None or found.z >= (below if gold >= 3 else below_alone):
        return None
    beside = f" and {gold} gold questions" if gold else ""
    return (
        f"over {shared} texts{beside} the mean squared difference from the others is {found.observed:.2f}; with the "
        f"same answers shuffled it would be {found.expected:.2f}, give or take {found.deviation:.2f}"
    )


def by_length(work: RaterWork) -> str | None:
    """Find top points that go to the longest compressions, whatever they say.

    On some scale at least 3 texts have the top point and 3 do not, a length in proportion to the source tells them
    apart (area under the ROC curve of at least .97), and a gold question is wrong.

    Parameters
    ----------
    work : RaterWork
        The answers of one rater.

    Returns
    -------
    str or None
        The evidence.

    Examples
    --------
    >>> lengths = [0.7, 0.4, 0.6, 0.5, 0.7, 0.3]
    >>> by_length(RaterWork.of([[3], [1], [3], [1], [3], [1]], gold={0: ([1],)}, length_ratio=lengths))
    'on one scale the top point goes to the longer compressions, whatever they say: length tells 100% of pairs apart'
    """
    if not _wrong(work).any():
        return None
    for top in (work.scores == work.points).T:
        if min(top.sum(), (~top).sum()) >= 3 and (share := _in_order(work.length_ratio, top)) >= SEPARATED:
            return (
                "on one scale the top point goes to the longer compressions, whatever they say: length tells "
                f"{share:.0%} of pairs apart"
            )
    return None


def _in_order(values: FloatArray, high: BoolArray) -> float:
    """Return the area under the ROC curve: the share of pairs that the values put in order, ties as half."""
    difference = values[high][:, None] - values[~high]
    return float((difference > 0).mean() + (difference == 0).mean() / 2)


def by_full_stop(work: RaterWork) -> str | None:
    """Find top points that go to the texts that end with a full stop, and to no other.

    So it is on some scale in every text; at least 2 texts end with one and 2 do not, and a gold question is wrong.

    Parameters
    ----------
    work : RaterWork
        The answers of one rater.

    Returns
    -------
    str or None
        The evidence.

    Examples
    --------
    >>> by_full_stop(RaterWork.of([[3], [1], [3], [2]], gold={0: ([1],)}, full_stop=[True, False, True, False]))
    'on one scale the top point goes to the 2 texts that end with a full stop, and to none of the other 2'
    """
    stops = int(work.full_stop.sum())
    is_told = min(stops, len(work.full_stop) - stops) >= 2 and _wrong(work).any()
    if not (is_told and ((work.scores == work.points) == work.full_stop[:, None]).all(axis=0).any()):
        return None
    return (
        f"on one scale the top point goes to the {stops} texts that end with a full stop, and to none of the other "
        f"{len(work.full_stop) - stops}"
    )


def change_point(work: RaterWork, *, edge: int, seed: int) -> str | None:
    """Find work that is further from the others from some text on.

    The distance from the others, summed over the scales, rises most at some text; the largest standardized rise is
    compared with those of 199 shuffles. Flagged if no shuffle reaches it and a gold question of the second half is
    wrong, or if it is unlikely (.05), all of at least two gold questions of the second half are wrong, and all of at
    least two of the first are right. Gold questions are left out of the distance, so that both tell on their own.

    Parameters
    ----------
    work : RaterWork
        The answers of one rater.
    edge : int
        Least number of texts that others rated before and after the change.
    seed : int
        Seed of the shuffles, such as the rater's number.

    Returns
    -------
    str or None
        The evidence.

    Examples
    --------
    >>> work = RaterWork.of([[3], [2]] * 5 + [[1]] * 9, [[3.0], [2.0]] * 5 + [[3.0]] * 8 + [None], gold={18: ([3],)})
    >>> change_point(work, edge=6, seed=1)
    'from text 11 on 2.00 points from the others on average, before that 0.00; 1 of 1 later gold questions wrong'
    """
    early, late = _gold_by_half(work)
    shared = np.flatnonzero(work.shared)
    if len(shared) < 2 * edge or not late.any():
        return None
    own, others = work.on_common_scale()
    distance = np.abs(own - others).sum(axis=1)
    rises = _rises(distance, edge)
    shuffled = np.random.default_rng(seed).permuted(np.tile(distance, (SHUFFLES, 1)), axis=1)
    reached = np.round(_rises(shuffled, edge).max(axis=1), DECIMALS) >= round(float(rises.max()), DECIMALS)
    chance = (1 + int(reached.sum())) / (SHUFFLES + 1)
    turned = len(early) >= 2 and not early.any() and len(late) >= 2 and bool(late.all())
    if chance > (UNLIKELY if turned else BEYOND_SHUFFLES):
        return None
    after = edge + int(rises.argmax())
    return (
        f"from text {shared[after] + 1} on {distance[after:].mean():.2f} points from the others on average, before "
        f"that {distance[:after].mean():.2f}; {late.sum()} of {len(late)} later gold questions wrong"
    )


def _rises(distance: FloatArray, edge: int) -> FloatArray:
    """Return the standardized rise of the mean after each number of texts from `edge` on, along the last axis."""
    n = distance.shape[-1]
    before = np.arange(edge, n - edge + 1)
    sums = distance.cumsum(axis=-1)
    early = sums[..., before - 1]
    rise = (sums[..., -1:] - early) / (n - before) - early / before
    return np.asarray(rise * np.sqrt(before * (n - before) / n))


def late_wrong(work: RaterWork) -> str | None:
    """Find work that agrees with what is known in its first half, and not in its second.

    All of at least two gold questions of the second half are wrong; `relation_z` is at least 1.5 in the first half, and
    in the second undefined, or below .5 or a quarter of that in the first.

    Parameters
    ----------
    work : RaterWork
        The answers of one rater.

    Returns
    -------
    str or None
        The evidence.

    Examples
    --------
    >>> known = [[3.0], [2.0], [1.0], [3.0], [1.0], [2.0], None, None]
    >>> late_wrong(RaterWork.of([[3], [2], [1], [3]] + [[3]] * 4, known, gold={6: ([1],), 7: ([2],)}))
    '2 of 2 gold questions of the second half wrong; agrees with the others in the first half only'
    """
    _, late = _gold_by_half(work)
    half = (len(work.scores) + 1) // 2
    before, after = (relation_z(work, part) or 0.0 for part in (slice(half), slice(half, None)))
    if len(late) < 2 or not late.all() or before < WELL_BEFORE_Z:
        return None
    if after >= max(BADLY_AFTER_Z, LITTLE_LEFT * before):
        return None
    return (
        f"{len(late)} of {len(late)} gold questions of the second half wrong; agrees with the others in the first half "
        "only"
    )


def _gold_by_half(work: RaterWork) -> tuple[BoolArray, BoolArray]:
    """Return whether each gold question is wrong, of the first half and of the second."""
    half = (len(work.scores) + 1) // 2
    return tuple(_wrong(work)[part][work.is_gold[part]] for part in (slice(half), slice(half, None)))  # type: ignore[return-value]


def too_fast(work: RaterWork, *, words_per_second: float, texts: int, share: float) -> str | None:
    """Find answers that came faster than one can read.

    Parameters
    ----------
    work : RaterWork
        The answers of one rater; `milliseconds` from `answer_times`.
    words_per_second : float
        Reading speed above which an answer is too fast.
    texts : int
        Least number of texts answered too fast, at least 1.
    share : float
        Their least share among the texts with a known time.

    Returns
    -------
    str or None
        The evidence.

    Examples
    --------
    >>> too_fast(RaterWork.of([[3]] * 5, milliseconds=1_500), words_per_second=12, texts=5, share=0.2)
    '5 of 5 texts with a known time answered at more than 12 words a second; the quickest, text 1, at 20.0 words a \
second'
    """
    known = int((~np.isnan(work.milliseconds)).sum())
    # Comparisons with NaN, an unknown time, are false.
    fast = np.flatnonzero(work.words * 1000 > words_per_second * work.milliseconds)
    if len(fast) < texts or len(fast) / known < share:
        return None
    with np.errstate(divide="ignore"):
        speeds = work.words[fast] * 1000 / work.milliseconds[fast]
    pace = f"at {speeds.max():.1f} words a second" if np.isfinite(speeds).all() else "in no time at all"
    return (
        f"{len(fast)} of {known} texts with a known time answered at more than {words_per_second:g} words a second; "
        f"the quickest, text {fast[speeds.argmax()] + 1}, {pace}"
    )


def _wrong(work: RaterWork) -> BoolArray:
    """Return which texts are gold questions that were answered wrong on some scale."""
    return np.asarray((work.off > 0).any(axis=1))


def _in_words(answer: FloatArray) -> str:
    return ", ".join(f"{score:g}" for score in answer)
