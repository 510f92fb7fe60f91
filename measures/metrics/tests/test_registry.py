"""A metric is one module: the registry finds it, and everything else follows."""

from pathlib import Path

import pytest

from measures.metrics import (
    Analysis,
    Options,
    Text,
    Tokenizer,
    compare,
    families,
    metrics_named,
    registry,
    score,
    signature,
)

MODULE = '''
from measures.core.arrays import FloatArray
from measures.metrics.base import Metric
from measures.metrics.counting.chunk_counts import ChunkCounts
from measures.metrics.counting.units import NGRAMS


class Shorter(Metric):
    """How many words an output has for each word of its longest reference."""

    high = 10.0
    is_extra = True

    @property
    def kinds(self):
        return NGRAMS[:1]

    def compute(self, counts: ChunkCounts) -> FloatArray:
        found = counts.overlap(NGRAMS[0])
        return found.output / counts.pairing.best(found.reference)


METRICS = [Shorter("WORDS", "Ratio", "MULT-MAX", "this test")]
'''
NAME = "WORDS+Ratio+MULT-MAX"


@pytest.fixture
def with_a_family_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shorter_words.py").write_text(MODULE)
    monkeypatch.setattr(families, "__path__", [*families.__path__, str(tmp_path)])
    monkeypatch.setattr(registry, "KNOWN_METRICS", {each.name: each for each in registry.find_metrics()})


@pytest.mark.usefixtures("with_a_family_more")
def test_a_new_module_is_a_metric_with_score_range_and_signature() -> None:
    (metric,) = registry.metrics_named([NAME])
    assert (metric.low, metric.high, metric.greater_is_better, metric.source) == (0, 10, True, "this test")
    outputs, references = [Text(("a", "b"))], [[Text(("a", "b", "c", "d")), Text(("a",))]]
    assert score(compare(outputs, references), [NAME]).tolist() == [[0.5]]
    assert signature(metric, Analysis(Tokenizer("whitespace")), Options()).startswith("norm:yes|tok:whitespace|")
    assert sum(not each.is_extra for each in registry.find_metrics()) == 80


def test_without_it_the_name_is_unknown() -> None:
    with pytest.raises(ValueError, match="there is no metric"):
        metrics_named([NAME])
