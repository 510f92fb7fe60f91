"""Each sentence in which a report or a plan answers, in eleven small worlds: its claim is computed again from the data.

A sentence that no entry of CLAIMS knows fails: whoever writes a new one says here how it can be checked.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from html.parser import HTMLParser
from itertools import combinations, permutations
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pytest
import scipy.stats
from django.test import Client

from agreement.kind import KIND as AGREEMENT
from agreement.parameters import AgreementParameters
from corpus.models import Release
from corpus.release.records import ReleasedOutput, ReleasedSource, ReleasedText
from corpus.release_import.reading import ReadRelease, release_import
from crowd.models import Campaign, Worker
from crowd.models.people import IMPORTED
from edit_operations.kind import KIND as OPERATIONS
from edit_operations.parameters import OperationsParameters
from evaluation.kind import KIND as EVALUATION
from evaluation.tests.releases import FEW_DRAWS, METRICS, score_rows
from ratings.models import Rating
from reports.services import report_compute, report_get_or_create
from tests.support.factories import (
    RATE,
    SENTENCE,
    edit_all,
    enrol,
    import_texts,
    make_staff,
    rate_all,
    readable,
    silent,
    staff_client,
)
from tests.support.settings import settings_change
from tests.support.small_worlds import WORLDS, release_of

Table: TypeAlias = npt.NDArray[np.float64]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
JUDGEMENTS = {"Meaning": "meaning", "Grammar": "grammar", "Combined": "combined"}
SCALES = {"Meaning": "meaning", "Grammar": "grammar"}
REPORTS = {
    "agreement": (AGREEMENT, AgreementParameters(draws=50, replications=20)),
    "operations": (OPERATIONS, OperationsParameters(draws=50)),
    "evaluation": (EVALUATION, FEW_DRAWS),
}
NUMBER = r"(-?\d\.\d+)"


class World:
    """The sources of a release, and what a sentence may say of them.

    `judgement` is the one that a sentence is about, `best` the r that the first sentence of its answer gave, with the
    ends of its interval if it has one, and `divided` the percent of the variance that a sentence before gave.
    """

    def __init__(self, name: str) -> None:
        self.sources: Sequence[ReleasedSource] = WORLDS[name]()
        self.judgement, self.divided = "", 0
        self.best: tuple[float, float | None] = (0.0, None)

    @property
    def texts(self) -> list[tuple[ReleasedSource, ReleasedText]]:
        return [(source, text) for source in self.sources for text in source.texts]

    @cached_property
    def systems(self) -> list[str]:
        return sorted({output.system for source in self.sources for output in source.outputs})

    def quality(self, judgement: str) -> Table:
        """The mean rating of each output, by system and source."""
        scales = ["meaning", "grammar"] if judgement == "combined" else [judgement]
        return self._table(lambda _source, output: _mean_rating(output, scales))

    @cached_property
    def metrics(self) -> dict[str, Table]:
        """The scores that `release_of` gives the outputs."""
        rows = [row for name, noise in zip(METRICS, (0.1, 0.7, 5), strict=True) for row in self._rows(name, noise)]
        known = {(row["metric"], row["source"], row["system"]): row["score"] for row in rows}

        def of(metric: str) -> Table:
            return self._table(lambda source, output: known[metric, source.source_id, output.system])

        found = {name: of(name) for name in METRICS}
        return {**found, "constant": self._table(lambda _source, _output: 0.5)}

    def _rows(self, name: str, noise: float) -> list[dict[str, Any]]:
        return score_rows(self.sources, name, noise)

    def _table(self, of: Callable[[ReleasedSource, ReleasedOutput], float]) -> Table:
        table = np.full((len(self.systems), len(self.sources)), np.nan)
        for column, source in enumerate(self.sources):
            for output in source.outputs:
                table[self.systems.index(output.system), column] = of(source, output)
        return table

    def correlations(self, first: Table, second: Table) -> list[float]:
        """Pearson's r of the differences between two systems, of each two; NaN where there is none."""
        found = []
        for a, b in combinations(range(len(self.systems)), 2):
            x, y = np.round(first[a] - first[b], 12), np.round(second[a] - second[b], 9)
            known = ~np.isnan(x) & ~np.isnan(y)
            is_constant = known.sum() < 2 or np.ptp(x[known]) < 1e-9 or np.ptp(y[known]) < 1e-9
            found.append(np.nan if is_constant else float(np.corrcoef(x[known], y[known])[0, 1]))
        return found

    def r(self) -> dict[str, float]:
        """The mean of each metric's correlations with the judgement, of metrics that have any."""
        quality = self.quality(self.judgement)
        found = {name: self.correlations(table, quality) for name, table in self.metrics.items()}
        return {name: float(np.nanmean(each)) for name, each in found.items() if not np.isnan(each).all()}

    def dominated(self) -> set[str]:
        """The metrics than which another is better on at least four in five pairs of systems."""
        quality, found = self.quality(self.judgement), set()
        names = list(self.r())
        for one, other in permutations(names, 2):
            pairs = zip(
                self.correlations(self.metrics[one], quality),
                self.correlations(self.metrics[other], quality),
                self.correlations(self.metrics[one], self.metrics[other]),
                strict=True,
            )
            p = [williams(*each, len(self.sources)) for each in pairs]
            defined = [each for each in p if not np.isnan(each)]
            if defined and sum(each < 0.05 for each in defined) >= 0.8 * len(defined) - 1e-9:
                found.add(other)
        return found

    def rated_twice(self) -> list[tuple[ReleasedSource, ReleasedText]]:
        return [(source, text) for source, text in self.texts if len(text.ratings) > 1]

    def kappa(self, scale: str, weigh: Callable[[int, int], float]) -> float:
        """Kappa of one rater against the rounded mean of the others, over draws of that rater."""
        rng, drawn = np.random.default_rng(1), []
        for _ in range(200):
            pairs = []
            for _source, text in self.rated_twice():
                points = [rating.scores[scale] for rating in text.ratings]
                one = points.pop(int(rng.integers(len(points))))
                pairs.append((one, int(np.floor(np.mean(points) + 0.5))))
            drawn.append(_kappa(pairs, weigh))
        return float(np.mean(drawn))


def _mean_rating(output: ReleasedOutput, scales: Sequence[str]) -> float:
    points = [np.mean([rating.scores[scale] for scale in scales]) for rating in output.ratings]
    return float(np.mean(points)) if points else np.nan


def williams(r12: float, r13: float, r23: float, n: int) -> float:
    """The one-sided p that the first metric correlates better (Williams 1959, as in Toutanova et al. 2016)."""
    if n < 4 or np.isnan([r12, r13, r23]).any():
        return np.nan
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    under = 2 * k * (n - 1) / (n - 3) + ((r12 + r13) / 2) ** 2 * (1 - r23) ** 3
    t = (r12 - r13) * np.sqrt((n - 1) * (1 + r23) / under)
    return float(scipy.stats.t.sf(t, n - 3))


def _kappa(pairs: Sequence[tuple[int, int]], weigh: Callable[[int, int], float]) -> float:
    observed = np.mean([weigh(*pair) for pair in pairs])
    first, second = (Counter(each) for each in zip(*pairs, strict=True))
    chance = sum(weigh(a, b) * first[a] * second[b] for a in first for b in second) / len(pairs) ** 2
    return float(1 - (1 - observed) / (1 - chance))


def quadratic(a: int, b: int) -> float:
    return 1 - (a - b) ** 2 / 4


def words_of(text: str) -> list[str]:
    return re.findall(r"\w+|[^\w\s]", text.casefold())


def kept(source: str, text: str) -> int:
    """The length of the longest common subsequence of words."""
    first, second = words_of(source), words_of(text)
    row = [0] * (len(second) + 1)
    for word in first:
        before = row[:]
        for place, other in enumerate(second, start=1):
            row[place] = before[place - 1] + 1 if word == other else max(before[place], row[place - 1])
    return row[-1]


def kind_of(source: str, text: str) -> str:
    first, second = ([word for word in words_of(each) if word.isalnum()] for each in (source, text))
    if Counter(second) - Counter(first):
        return "changed"
    return "deleted" if kept(" ".join(first), " ".join(second)) == len(second) else "reordered"


# What sentences claim


def kappa_to_cite(world: World, found: re.Match[str]) -> None:
    scale, value, low, high, texts, sources, raters = found.groups()
    twice = world.rated_twice()
    assert int(texts) == len(twice) >= 20
    assert int(sources) == len({source.family for source, _text in twice}) >= 2
    assert int(raters) == len({rating.rater for _source, text in twice for rating in text.ratings}) >= 2
    assert float(low) <= float(value) <= float(high)
    assert float(value) == pytest.approx(world.kappa(SCALES[scale], quadratic), abs=0.03)


def raters_are_known(world: World, _found: re.Match[str]) -> None:
    assert all(rating.rater for _source, text in world.texts for rating in text.ratings)


def nothing_to_cite(world: World, found: re.Match[str]) -> None:
    assert int(found[1]) == len(world.rated_twice()) < int(found[2]) == 20


def every_source_agrees(world: World, _found: re.Match[str]) -> None:
    assert all(world.kappa(scale, quadratic) == 1 for scale in SCALES.values())


def nobody_rated_twice(world: World, _found: re.Match[str]) -> None:
    assert not world.rated_twice()


def one_category(world: World, _found: re.Match[str]) -> None:
    given = {point for _source, text in world.texts for rating in text.ratings for point in rating.scores.values()}
    assert len(given) == 1


def share_kept(world: World, found: re.Match[str]) -> None:
    pairs = [(len(words_of(source.text)), kept(source.text, text.text)) for source, text in world.texts]
    share = sum(both for _all, both in pairs) / sum(whole for whole, _both in pairs)
    # A word that moved is kept, and no subsequence has it.
    assert share - 0.01 <= int(found[1]) / 100 <= share + 0.06
    if found.lastindex and found.lastindex > 1:
        assert len(world.sources) >= 10
        assert int(found[2]) <= int(found[1]) <= int(found[3])


def counts_of_kinds(world: World, found: re.Match[str]) -> None:
    kinds = Counter(kind_of(source.text, text.text) for source, text in world.texts)
    said = [int(each) for each in found.groups()]
    assert said == [kinds.total(), kinds["changed"], kinds["reordered"], kinds["deleted"]]


def too_few_texts(world: World, _found: re.Match[str]) -> None:
    assert len(world.texts) < 50


def shares_of_kinds(world: World, found: re.Match[str]) -> None:
    kinds = Counter(kind_of(source.text, text.text) for source, text in world.texts)
    changed, number, reordered, deleted = (int(each) for each in found.groups())
    assert number == kinds.total() >= 50
    shares = [100 * kinds[name] / number for name in ("changed", "reordered", "deleted")]
    assert [changed, reordered, deleted] == [round(share) for share in shares]


def one_source_for_a_family(world: World, _found: re.Match[str]) -> None:
    assert len({source.family for source in world.sources}) == len(world.sources)


def highest(world: World, found: re.Match[str]) -> None:
    """The metric named, its r, and how many can be held against the ratings."""
    known = world.r()
    name, value = found["name"], float(found["r"].replace("−", "-"))
    assert name == max(known, key=lambda each: known[each])
    assert value == pytest.approx(known[name], abs=0.006)
    low = found["low"]
    world.best = (value, None if low is None else float(low.replace("−", "-")))
    if low is not None:
        assert world.best[1] is not None
        assert world.best[1] <= value <= float(found["high"].replace("−", "-"))
        assert len(world.sources) >= 10
    if "n" in found.re.groupindex:
        assert int(found["n"]) == len(known)


def some_unbeaten(world: World, found: re.Match[str]) -> None:
    highest(world, found)
    assert int(found["top"]) == len(world.r().keys() - world.dominated())


def none_beaten(world: World, found: re.Match[str]) -> None:
    highest(world, found)
    assert not world.dominated()
    assert len(world.sources) >= 4


def all_beaten(world: World, found: re.Match[str]) -> None:
    highest(world, found)
    assert world.dominated() == world.r().keys()


def untested(world: World, found: re.Match[str]) -> None:
    highest(world, found)
    assert len(world.sources) < 4


def no_metric_defined(world: World, found: re.Match[str]) -> None:
    assert not world.r()
    if found[1] == "there are fewer than 2 systems":
        assert len(world.systems) < 2
    else:
        assert found[1] == "the difference in quality is the same for every input"
        assert np.nanmax(np.ptp(world.quality(world.judgement), axis=0)) == 0


def undefined_metrics(world: World, found: re.Match[str]) -> None:
    assert int(found[1]) == len(world.metrics.keys() - world.r().keys())


def luck(world: World, found: re.Match[str]) -> None:
    assert int(found[1]) == len(world.r())
    assert float(found[3].replace("−", "-")) == pytest.approx(world.best[0] - float(found[2]), abs=0.011)


def number_of_metrics(world: World, found: re.Match[str]) -> None:
    assert int(found[1]) == len(world.r())


def within_error(world: World, found: re.Match[str]) -> None:
    known = world.r()
    best = max(known, key=lambda each: known[each])
    assert set(found[1].split(", ")) <= known.keys() - {best}


def nothing_rises(world: World, _found: re.Match[str]) -> None:
    assert max(world.r().values()) <= 0


def no_interval(world: World, _found: re.Match[str]) -> None:
    assert world.best[1] is None


def includes_zero(world: World, _found: re.Match[str]) -> None:
    assert world.best[1] is not None
    assert world.best[1] <= 0 < world.best[0]


def one_rating(world: World, _found: re.Match[str]) -> None:
    assert sum(len(output.ratings) > 1 for source in world.sources for output in source.outputs) < 2


def sentinel_above(world: World, found: re.Match[str]) -> None:
    assert float(found[1].replace("−", "-")) >= world.best[0]


def sentinel_within(world: World, found: re.Match[str]) -> None:
    low = world.best[1]
    assert (-1 if low is None else low) <= float(found[1].replace("−", "-")) <= world.best[0]


def coarse(world: World, found: re.Match[str]) -> None:
    assert int(found[1]) == len(world.systems) < 10
    assert int(found[2]) == len(list(combinations(world.systems, 2)))


SIGNED = r"−?\d\.\d+"
INTERVAL = rf"(?:\[(?P<low>{SIGNED}), (?P<high>{SIGNED})\]|\(no interval\))"
BEST = rf"the highest is (?P<name>\S+), r = (?P<r>{SIGNED}) {INTERVAL}\."
SENTINEL = rf"[^:]+, r = ({SIGNED}) (?:\[.*\]|\(no interval\))\."
OF_METRICS: dict[str, Callable[[World, re.Match[str]], None]] = {
    rf"On this corpus (?P<top>\d+) of (?P<n>\d+) metrics (?:is|are) not shown to be worse than any other; {BEST}": (
        some_unbeaten
    ),
    rf"On this corpus none of (?P<n>\d+) metrics is shown to be worse than another; {BEST}": none_beaten,
    rf"On this corpus each of (?P<n>\d+) metrics is shown to be worse than some other; {BEST}": all_beaten,
    rf"On this corpus no two of (?P<n>\d+) metrics can be tested against each other; {BEST}": untested,
    r"No metric can be held against these ratings: (.*)\.": no_metric_defined,
    r"(\d+) more metrics? (?:has|have) no correlation that is defined\.": undefined_metrics,
    rf"The best of (\d+) on these texts owes about ({NUMBER[1:-1]}) of its r to luck, so expect about ({SIGNED}) on "
    r"others\.": luck,
    r"As the best of (\d+) on these texts, it owes hardly any of its r to luck\.": number_of_metrics,
    r"Within its error, and perhaps better: (.*)\.": within_error,
    r"On these texts no metric rises with the ratings\.": nothing_rises,
    r"It has no interval, so this says nothing beyond these texts\.": no_interval,
    r"Its interval includes 0, so it may not follow these ratings at all\.": includes_zero,
    r"Hardly an output has two ratings, so it is unknown whether other raters would say the same\.": one_rating,
    rf"A number that no metric should lose to has a higher r: {SENTINEL}": sentinel_above,
    rf"It is not shown to be above what no metric should lose to: {SENTINEL}": sentinel_within,
    rf"Its interval reaches down to what no metric should lose to: {SENTINEL}": sentinel_within,
    r"This is coarse: (\d+) systems make only (\d+) pairs?\.": coarse,
}
CLAIMS: dict[str, Callable[[World, re.Match[str]], None]] = {
    rf"(\w+): rater versus rater, quadratic-weighted κ {NUMBER}, 95% interval {NUMBER} to {NUMBER} · (\d+) texts · "
    r"(\d+) sources · (\d+) raters": kappa_to_cite,
    r"The interval covers other sources and other raters: it says where the value might lie if both were chosen "
    r"again\.": raters_are_known,
    r"A paragraph and its own sentences count as one source\.": one_source_for_a_family,
    r"No kappa to cite: a scale has at most (\d+) texts? with two ratings, and (\d+) are wanted\.": nothing_to_cite,
    r"No kappa to cite: every source gives the same value, so nothing shows how far it could be off\.": (
        every_source_agrees
    ),
    r"No kappa to cite: no item has two ratings\.": nobody_rated_twice,
    r"No kappa to cite: all ratings are in one category in every draw\.": one_category,
    r"People kept (\d+)% of the words, as they were or in another form\.": share_kept,
    r"People kept (\d+)% of the words, as they were or in another form \(95% interval (\d+)% to (\d+)%\)\.": share_kept,
    r"(\d+) compressions were aligned: (\d+) with changed words, (\d+) with words only deleted and reordered, (\d+) "
    r"with words only deleted\.": counts_of_kinds,
    r"That is too few to say more\.": too_few_texts,
    **OF_METRICS,
    r"(\d+)% of (\d+) compressions change words, (\d+)% only delete and reorder words, and (\d+)% only delete "
    r"words\.": shares_of_kinds,
}


NESTED = {"p", "section", "dl", "dt", "dd", "div", "ul", "li", "h2"}


class _Blocks(HTMLParser):
    """The words of the parts of a page that answer its question."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if self._depth:
            self._depth += tag in NESTED
        elif named.get("class") in {"lead", "answers"} or named.get("aria-labelledby") == "to-cite":
            self._depth = 1
        if self._depth and tag in {"p", "li", "dt"}:
            self.found.append("")

    def handle_endtag(self, tag: str) -> None:
        if self._depth and tag in NESTED:
            self._depth -= 1

    def handle_data(self, data: str) -> None:
        if self._depth and self.found:
            self.found[-1] += data


def address_of(release: Release, page: str) -> str:
    return f"/campaigns/{release.campaign.slug}/releases/{release.version}/{page}/"


def answers(client: Client, release: Release, page: str) -> Iterator[str]:
    reply = client.get(address_of(release, page))
    assert reply.status_code == 200
    reader = _Blocks()
    reader.feed(reply.content.decode())
    yield from re.findall(r"This is coarse: [^.]*\.", " ".join(reply.content.decode().split()))
    for block in reader.found:
        text = " ".join(block.split())
        yield from (each for each in re.split(r"(?<=\.) (?=[A-Z\d])", text) if each)


@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.parametrize("page", ["agreement", "operations", "evaluation"])
def test_each_sentence_of_an_answer_is_true(name: str, page: str) -> None:
    owner = make_staff()
    release, world = release_of(name, owner=owner), World(name)
    if page == "evaluation" and not world.systems:
        return  # there is nothing to score, so the report is refused
    kind, parameters = REPORTS[page]
    report_compute(report=report_get_or_create(kind=kind, on=release, parameters=parameters), progress=silent)
    said = list(answers(staff_client(owner), release, page))
    assert said
    for sentence in said:
        if sentence in JUDGEMENTS:
            world.judgement = JUDGEMENTS[sentence]
            continue
        known = [(claim, found) for words, claim in CLAIMS.items() if (found := re.fullmatch(words, sentence))]
        assert len(known) == 1, sentence
        claim, found = known[0]
        claim(world, found)


def rated_so_far(world: World, found: re.Match[str]) -> None:
    twice = world.rated_twice()
    assert int(found[1]) == len(twice)
    assert int(found[2]) == sum(len(text.ratings) for _source, text in twice)


def kappa_so_far(world: World, found: re.Match[str]) -> None:
    assert float(found[1]) == pytest.approx(world.kappa(world.judgement, quadratic), abs=0.03)
    if found.lastindex == 3:
        assert float(found[2]) <= float(found[1]) <= float(found[3])


def share_of_sources(world: World, found: re.Match[str]) -> None:
    assert max(Counter(source.family for source, _text in world.rated_twice()).values()) > 1
    world.divided = int(found[1])


def share_of_texts(world: World, found: re.Match[str]) -> None:
    assert 0 <= world.divided + int(found[1]) <= 101  # both are rounded


def few_sources(world: World, found: re.Match[str]) -> None:
    rated = Counter(source.family for source, text in world.texts if text.ratings)
    assert sum(texts > 1 for texts in rated.values()) < int(found[1]) == 10


def few_raters(world: World, found: re.Match[str]) -> None:
    raters = {rating.rater for _source, text in world.texts for rating in text.ratings}
    assert len(raters) < int(found[1]) == 10


OF_RATING_PLANS: dict[str, Callable[[World, re.Match[str]], None]] = {
    r"So far (\d+) texts have two or more ratings \((\d+) ratings in total\)\.": rated_so_far,
    rf"Rater versus rater, kappa is {NUMBER} \({NUMBER} to {NUMBER}\)\.": kappa_so_far,
    rf"Rater versus rater, kappa is {NUMBER}\.": kappa_so_far,
    r"There is no plan: no item has two ratings\.": nobody_rated_twice,
    r"There is no plan: all ratings are in one category\.": one_category,
    r"What raters perceive varies, and the plan divides the variance: (\d+)% is common to texts of one source\.": (
        share_of_sources
    ),
    r"What raters perceive varies, and the plan divides the variance: The share common to texts of one source is "
    r"unknown \(fewer than (\d+) sources have two texts that different people rated; the plan assumes none\)\.": (
        few_sources
    ),
    r"(\d+)% is due to the text\.": share_of_texts,
    r"The share due to raters’ severity is unknown \(fewer than (\d+) raters rated texts of two sources; the plan "
    r"assumes none, so real intervals may be wider\)\.": few_raters,
}


@pytest.mark.parametrize("name", WORLDS)
def test_each_sentence_of_a_plan_for_more_ratings_is_true(name: str) -> None:
    owner, world = make_staff(), World(name)
    content = ReadRelease(list(world.sources))
    campaign = release_import(content=content, slug="planned", name="Planned", owner=owner, progress=silent)
    page = " ".join(readable(staff_client(owner).get(f"/campaigns/{campaign.slug}/plan/")).split())
    _before, *of_scales = re.split(r"<summary>(Meaning|Grammar)</summary>", page.split("How to read the numbers")[0])
    assert of_scales[::2] == list(SCALES)
    for scale, part in zip(of_scales[::2], of_scales[1::2], strict=True):
        world.judgement = SCALES[scale]
        said = " ".join(re.findall(r'<p(?: class="hint")?>(.*?)</p>', part)).strip()
        for sentence in re.split(r"(?<=\.) +(?=[A-Z\d])", said):
            known = [
                (claim, found) for words, claim in OF_RATING_PLANS.items() if (found := re.fullmatch(words, sentence))
            ]
            assert len(known) == 1, sentence
            claim, found = known[0]
            claim(world, found)


class Planned:
    """What a campaign and a report know of a metric that was named in the settings."""

    def __init__(self, release: Release) -> None:
        self.ratings = Rating.objects.filter(target__source__campaign=release.campaign)
        versions = release.campaign.settings_versions.order_by("number")
        metric, hypothesis = release.campaign.primary_metric, release.campaign.hypothesis
        self.named = next(
            each
            for each in versions
            if (each.settings["primary_metric"], each.settings["hypothesis"]) == (metric, hypothesis)
        )
        sent = json.dumps({"hypothesis": hypothesis, "primary_metric": metric})
        self.checksum = hashlib.sha256(sent.encode()).hexdigest()
        self.is_scored = metric in METRICS

    def number_and_day(self, found: re.Match[str]) -> None:
        assert (int(found[1]), found[2]) == (self.named.number, f"{self.named.created_at:%Y-%m-%d}")


def unknown_before(planned: Planned, found: re.Match[str]) -> None:
    planned.number_and_day(found)
    assert planned.ratings.filter(worker__platform_key=IMPORTED).exists()


def named_first(planned: Planned, found: re.Match[str]) -> None:
    planned.number_and_day(found)
    assert not planned.ratings.filter(created_at__lt=planned.named.created_at).exists()


def named_after(planned: Planned, found: re.Match[str]) -> None:
    planned.number_and_day(found)
    assert int(found[3]) == planned.ratings.filter(created_at__lt=planned.named.created_at).count() > 0


def no_scores(planned: Planned, _found: re.Match[str]) -> None:
    assert not planned.is_scored


def checksum_of(planned: Planned, found: re.Match[str]) -> None:
    assert found[1] == planned.checksum


NAMED = r"The settings have named it since version (\d+) \((\S+)\)"
OF_PLANS: dict[str, Callable[[Planned, re.Match[str]], None]] = {
    rf"{NAMED}\. Whether that was before the first rating is unknown\.": unknown_before,
    rf"{NAMED}, before the first rating\. All else in this report is exploratory\.": named_first,
    rf"{NAMED}, when (\d+) ratings? (?:was|were) in: this is exploratory, too\.": named_after,
    r"This report has no scores by that metric\.": no_scores,
    r"SHA-256 of metric and hypothesis: (\w+)": checksum_of,
}
PLANS: dict[str, tuple[str, int, str]] = {
    "before all ratings": ("good", 0, "prolific"),
    "after one rating": ("good", 1, "prolific"),
    "after some ratings": ("fair", 3, "prolific"),
    "beside ratings of a file": ("good", 2, IMPORTED),
    "a metric without scores": ("splendid", 0, "prolific"),
}
"""The metric, how many ratings there are before it is named, and the platform of those who gave them."""


def rated(campaign: Campaign, platform: str, *names: str) -> None:
    for name in names:
        rate_all(enrol(campaign, RATE, name))
    Worker.objects.filter(ratings__isnull=False).update(platform_key=platform)


@pytest.mark.parametrize("name", PLANS)
def test_each_sentence_on_what_was_named_beforehand_is_true(name: str) -> None:
    metric, before, platform = PLANS[name]
    owner = make_staff()
    release = release_of("small", owner=owner)
    campaign = release.campaign
    import_texts(campaign, [SENTENCE.format(number=900)])
    edit_all(campaign, 1)
    rated(campaign, platform, *map(str, range(before)))
    settings_change(campaign, primary_metric=metric, hypothesis="It follows meaning.")
    rated(campaign, platform, "late")
    release = Release.objects.select_related("campaign").get(pk=release.pk)
    report_compute(report=report_get_or_create(kind=EVALUATION, on=release, parameters=FEW_DRAWS), progress=silent)
    page = " ".join(readable(staff_client(owner).get(address_of(release, "evaluation"))).split())
    section = re.search(r'<h2 id="planned"> Named beforehand: (\S+) </h2>(.*?)</section>', page)
    assert section
    assert section[1] == metric
    said = re.sub(r"<blockquote>.*</blockquote>|<dl.*</dl>|<[^>]+>", " ", section[2])
    planned, known = Planned(release), 0
    for words, claim in OF_PLANS.items():
        for match in re.finditer(words, said):
            claim(planned, match)
            said, known = said.replace(match[0], ""), known + 1
    assert not said.strip()
    assert known == 2 + (not planned.is_scored)
