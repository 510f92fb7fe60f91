"""Success rate against a plain program, and what it wants."""

from itertools import combinations

import numpy as np
import pytest

from measures.metrics import METRICS, SOURCE_METRICS, Options, Text, compare, score
from measures.metrics.counting.batching import chunks
from measures.metrics.families import success_rate

NAMES = [f"SUCCESS+Agreement+{references}" for references in ("SINGLE-REF", "MULT-MAX", "MULT-MEAN")]


def text(words: str) -> Text:
    return Text(tuple(words.split()))


def kept_plainly(source: tuple[str, ...], words: tuple[str, ...]) -> list[bool]:
    """Of the longest common sequences the one whose places are the earliest, the last place first."""
    for length in range(min(len(source), len(words)), -1, -1):
        fit = [
            places
            for places in combinations(range(len(source)), length)
            if is_within([source[place] for place in places], words)
        ]
        if fit:
            best = min(fit, key=lambda places: places[::-1])
            return [place in best for place in range(len(source))]
    raise AssertionError


def is_within(some: list[str], words: tuple[str, ...]) -> bool:
    rest = iter(words)
    return all(word in rest for word in some)


def test_words_are_kept_as_a_plain_program_keeps_them(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    sources = [Text(tuple(map(str, rng.integers(0, 4, rng.integers(1, 9))))) for _ in range(60)]
    texts = [Text(tuple(map(str, rng.integers(0, 5, rng.integers(0, 7))))) for _ in range(60)]
    compared = compare(texts, [[text("9")] for _ in texts], sources=sources)
    for cells in (success_rate._CELLS, 100):
        monkeypatch.setattr(success_rate, "_CELLS", cells)
        found = []
        for chunk in chunks(compared, 1):
            assert chunk.originals is not None
            found += success_rate.kept_words(chunk, chunk.originals, chunk.outputs)
        wanted = [kept_plainly(one.words, other.words) for one, other in zip(sources, texts, strict=True)]
        assert [each.tolist() for each in found] == wanted


def test_it_is_the_share_of_decisions_that_are_alike() -> None:
    source = text("the two old men went home late")
    output, near, far = text("old men went home"), text("men went home"), text("the two went late")
    found = score(compare([output, output], [[near], [near, far]], sources=[source, source]), NAMES)
    assert found[0].round(6).tolist() == [round(6 / 7, 6)] * 3
    assert found[1, 1:].round(6).tolist() == [round(6 / 7, 6), round((6 / 7 + 1 / 7) / 2, 6)]
    mean = score(compare([output], [[near, far]], sources=[source]), NAMES[:1], Options(single="mean"))
    assert mean[0, 0] == pytest.approx(0.5)


def test_a_text_is_perfect_beside_itself_and_nothing_scores_nothing() -> None:
    source, words, empty = text("a b c d e"), text("b d"), Text(())
    perfect = score(compare([words], [[words, text("b d")]], sources=[source]), NAMES)
    assert perfect.tolist() == [[1, 1, 1]]
    for output, reference, original in ((empty, words, source), (words, empty, source), (words, words, empty)):
        assert score(compare([output], [[reference]], sources=[original]), NAMES).tolist() == [[0, 0, 0]]


def test_jackknifed_it_is_the_mean_over_the_references_left_out() -> None:
    source, output, references = text("a b c d"), text("a b"), [text("a b"), text("a"), text("c d")]
    found = score(compare([output], [references], [True], [source]), NAMES[1:])
    assert found[0].tolist() == pytest.approx([(1 + 1 + 0.75) / 3, (1 + 0.75 + 0) / 3])


def test_other_metrics_do_not_see_the_source() -> None:
    source, output = Text(("a", "b", "c")), Text(("a",), ())
    references = [Text(("a", "b"), ())]
    names = ["LR-1+Recall+MULT-ALL", "PARSE-2+Recall+MULT-ALL", "ROUGE-L+Recall+MULT-MAX"]
    plain, with_source = compare([output], [references]), compare([output], [references], sources=[source])
    assert np.array_equal(score(plain, names), score(with_source, names))


def test_without_sources_it_is_refused() -> None:
    assert list(SOURCE_METRICS) == NAMES
    with pytest.raises(ValueError, match="wants the texts that were compressed"):
        score(compare([text("a")], [[text("a")]]), NAMES[:1])
    with pytest.raises(ValueError, match="1 outputs and 0 sources"):
        compare([text("a")], [[text("a")]], sources=[])


def test_a_source_that_is_an_output_too_keeps_its_dependencies() -> None:
    source = Text(("old", "men", "went"), ("nsubj went men", "amod men old"))
    output = Text(("men", "went"), ("nsubj went men",))
    parsed = next(name for name, metric in METRICS.items() if metric.wants_parser)
    outputs, references = [output, source], [[output], [output]]
    with_sources = compare(outputs, references, sources=[source, source])
    assert score(with_sources, [parsed]).tolist() == score(compare(outputs, references), [parsed]).tolist()
