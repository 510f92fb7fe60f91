"""Each sentence in which a report answers, in ten small worlds: its claim is computed again from the ratings and texts.

A sentence that no entry of CLAIMS knows fails: whoever writes a new one says here how it can be checked.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from html.parser import HTMLParser

import numpy as np
import pytest
from django.test import Client

from agreement.kind import KIND as AGREEMENT
from agreement.parameters import AgreementParameters
from corpus.models import Release
from corpus.release.records import ReleasedSource, ReleasedText
from edit_operations.kind import KIND as OPERATIONS
from edit_operations.parameters import OperationsParameters
from reports.services import report_compute, report_get_or_create
from tests.support.factories import make_staff, silent, staff_client
from tests.support.small_worlds import WORLDS, release_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
SCALES = {"Meaning": "meaning", "Grammar": "grammar"}
REPORTS = {
    "agreement": (AGREEMENT, AgreementParameters(draws=50, replications=20)),
    "operations": (OPERATIONS, OperationsParameters(draws=50)),
}
NUMBER = r"(\d\.\d+)"


class World:
    """The sources of a release, and what a sentence may say of them."""

    def __init__(self, name: str) -> None:
        self.sources: Sequence[ReleasedSource] = WORLDS[name]()

    @property
    def texts(self) -> list[tuple[ReleasedSource, ReleasedText]]:
        return [(source, text) for source in self.sources for text in source.texts]

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


CLAIMS: dict[str, Callable[[World, re.Match[str]], None]] = {
    rf"(\w+): rater versus rater, quadratic-weighted κ {NUMBER}, 95% interval {NUMBER} to {NUMBER} · (\d+) texts · "
    r"(\d+) sources · (\d+) raters": kappa_to_cite,
    r"The interval covers other sources and other raters: it says where the value might lie if both were chosen "
    r"again\.": raters_are_known,
    r"A paragraph and its own sentences count as one source\.": one_source_for_a_family,
    r"No kappa to cite: a scale has at most (\d+) texts? with two ratings, and (\d+) are wanted\.": nothing_to_cite,
    r"People kept (\d+)% of the words, as they were or in another form\.": share_kept,
    r"People kept (\d+)% of the words, as they were or in another form \(95% interval (\d+)% to (\d+)%\)\.": share_kept,
    r"(\d+) compressions were aligned: (\d+) with changed words, (\d+) with words only deleted and reordered, (\d+) "
    r"with words only deleted\.": counts_of_kinds,
    r"That is too few to say more\.": too_few_texts,
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
        if self._depth and tag in {"p", "li"}:
            self.found.append("")

    def handle_endtag(self, tag: str) -> None:
        if self._depth and tag in NESTED:
            self._depth -= 1

    def handle_data(self, data: str) -> None:
        if self._depth and self.found:
            self.found[-1] += data


def answers(client: Client, release: Release, page: str) -> Iterator[str]:
    reply = client.get(f"/campaigns/{release.campaign.slug}/releases/{release.version}/{page}/")
    assert reply.status_code == 200
    reader = _Blocks()
    reader.feed(reply.content.decode())
    for block in reader.found:
        text = " ".join(block.split())
        yield from (each for each in re.split(r"(?<=\.) (?=[A-Z\d])", text) if each)


@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.parametrize("page", ["agreement", "operations"])
def test_each_sentence_of_an_answer_is_true(name: str, page: str) -> None:
    owner = make_staff()
    release, world = release_of(name, owner=owner), World(name)
    kind, parameters = REPORTS[page]
    report_compute(report=report_get_or_create(kind=kind, release=release, parameters=parameters), progress=silent)
    said = list(answers(staff_client(owner), release, page))
    assert said or page == "agreement"
    for sentence in said:
        known = [(claim, found) for words, claim in CLAIMS.items() if (found := re.fullmatch(words, sentence))]
        assert len(known) == 1, sentence
        claim, found = known[0]
        claim(world, found)
