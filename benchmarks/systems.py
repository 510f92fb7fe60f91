"""Benchmark the systems on one core: the language model, integer linear programming by length of the sentence, and T3.

Texts, sources, pairs and the parser are the user's own: the product ships none.
"""

import argparse
import json
import lzma
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before NumPy starts its threads
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from benchmarks.kept_words import kept_by, kept_places
from measures.core.undefined import Undefined
from measures.text.normalization import length
from measures.text.segmentation import sentences
from measures.text.spacy_models import default_model, load_model
from systems.programs.baselines import Compress, first, random_words
from systems.programs.ilp.compress import ilp
from systems.programs.lm.trigrams import TrigramModel, perplexity, trained
from systems.programs.pairs import Pair
from systems.programs.parses import Parse, spacy_parse
from systems.programs.t3.alignments import alignments
from systems.programs.t3.decode import Decoder
from systems.programs.t3.extract import Counts
from systems.programs.t3.forced import derives
from systems.programs.t3.grammar import WORDS, Grammar
from systems.programs.t3.trees import tree_of
from systems.programs.texts import Range, Source
from systems.programs.tokens import tokens_of, words_of_lines

LOOK_UPS = 1_000_000
TOKENS_MARK, LOOK_UPS_MARK, BYTES_MARK = 814_000, 1_250_000, 42
"""Tokens and look-ups a second, and bytes for a trigram, of a prototype on 1.8 million tokens."""
ILP_MARK = "mean 0.31 s, median 0.08, 95% 1.10, longest 14.6, on 300 sentences of MASC"
WEIGHT, LEAST, F1_MARK = 3.0, 65, 0.752
"""Of the words kept of 40 sentences of Clarke's written corpus, with this weight and least percent of characters."""
T3_MARK = 1.7
"""Milliseconds that making trees, aligning and taking rules may take for a pair."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("text", nargs="+", type=Path, help="text for the language model, also as .xz; # begins a note")
    parser.add_argument("--sources", type=Path, help="JSON Lines with id and text: to compress, and more text")
    parser.add_argument(
        "--pairs", type=Path, help="JSON Lines with source and target, one sentence each: for the words kept, and T3"
    )
    parser.add_argument(
        "--number",
        type=int,
        default=300,
        help="of the sources, and of the pairs, drawn by chance (default: 300)",
    )
    parser.add_argument("--parser", default=default_model(), help="spaCy pipeline with Universal Dependencies")
    given = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    rows = [json.loads(line) for line in lines_of(given.sources)] if given.sources else []
    texts = [line for name in given.text for line in lines_of(name)] + [row["text"] for row in rows]
    print(f"Texts: {', '.join(map(str, [*given.text, given.sources, given.pairs]))}; CPU seconds of one core")
    model = time_language_model([sentence for text in texts for sentence in sentences(text)])
    if rows and given.parser:
        chosen = Random(1).sample(rows, min(given.number, len(rows)))
        time_ilp([source_of(row) for row in chosen], spacy_parse(load_model(given.parser)), model)
    if given.pairs and given.parser:
        pairs = [Pair(row["source"], row["target"]) for row in map(json.loads, lines_of(given.pairs))]
        parse = spacy_parse(load_model(given.parser))
        score_ilp(pairs, given.number, parse, model)
        time_t3(pairs, given.number, parse, model)


def lines_of(path: Path) -> Iterable[str]:
    with lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else path.open(encoding="utf-8") as stream:
        for line in stream:
            if line.strip() and not line.startswith("#"):
                yield line.strip()


def source_of(row: dict[str, str]) -> Source:
    return Source(row["id"], "en", sentences(row["text"]) or (row["text"],))


def time_language_model(lines: Sequence[str]) -> TrigramModel:
    words = words_of_lines(lines, "en")
    held_out, known = words[::10], [line for place, line in enumerate(words) if place % 10]
    found = perplexity(trained(known), held_out)
    print(f"  every tenth sentence held out: perplexity {found.value:.0f}, {found.unknown:.1%} unknown")
    begun = time.process_time()
    model = trained(words)
    seconds = time.process_time() - begun
    number = sum(map(len, words))
    print(
        f"  {number:,} tokens: {seconds:.2f} s, {number / seconds:,.0f} tokens/s, the mark is {TOKENS_MARK:,}; "
        f"{len(model.vocabulary):,} words, {len(model.trigrams.keys):,} trigrams, {size(model) / 1e6:.0f} MB, "
        f"the mark is {BYTES_MARK * len(model.trigrams.keys) / 1e6:.0f}"
    )
    asked = np.random.default_rng(1).integers(3, len(model.vocabulary), (3, LOOK_UPS))
    begun = time.process_time()
    model.log_probabilities(*asked)
    each_second = LOOK_UPS / (time.process_time() - begun)
    print(f"  {each_second:,.0f} look-ups/s of three words by chance, the mark is {LOOK_UPS_MARK:,}")
    return model


def size(model: TrigramModel) -> int:
    return sum(array.nbytes for grams in (model.unigrams, model.bigrams, model.trigrams) for array in grams)


def time_ilp(sources: Sequence[Source], parse: Parse, model: TrigramModel) -> None:
    system, statuses, times, shares = ilp(parse, model), Counter[str](), list[float](), list[float]()
    by_length: dict[int, list[float]] = {}
    for source in sources:
        begun = time.process_time()
        output = system(source, Range(), 1)
        times.append(time.process_time() - begun)
        longest = max(len(tokens_of(sentence, "en")) for sentence in source.sentences)
        by_length.setdefault(longest // 10 * 10, []).append(times[-1])
        if isinstance(output, Undefined):
            statuses["undefined"] += 1
        else:
            statuses[output.status] += 1
            shares.append(length(output.text) / length(source.text))
    print(f"  ILP, {len(times)} sources: " + ", ".join(f"{number} {name}" for name, number in statuses.most_common()))
    print(
        f"    kept {np.mean(shares):.2f}; mean {np.mean(times):.2f} s, median {np.median(times):.2f}, "
        f"95% {np.quantile(times, 0.95):.2f}, longest {max(times):.1f}"
    )
    print(f"    the mark is {ILP_MARK}")
    for tokens, seconds in sorted(by_length.items()):
        print(f"    longest sentence of {tokens} to {tokens + 9} tokens: {len(seconds)}, mean {np.mean(seconds):.2f} s")


def score_ilp(pairs: Sequence[Pair], number: int, parse: Parse, model: TrigramModel) -> None:
    usable = [pair for pair in pairs if kept_places(pair, pair.target)]
    if not usable:
        print("  ILP: no pair only drops words")
        return
    test = Random(1).sample(usable, min(number, len(usable)))
    tuned = ilp(parse, model, weight=WEIGHT)
    systems: dict[str, Compress] = {
        "ilp": lambda source, range_, seed: tuned(source, Range(LEAST, range_.most), seed),
        "first": first,
        "random": random_words,
    }
    print(f"  Words kept in {len(test)} of {len(usable)} pairs that only drop words; the mark of ilp is F1 {F1_MARK}")
    for name, compress in systems.items():
        print(f"    {name}: {kept_by(compress, test)}")


def time_t3(pairs: Sequence[Pair], number: int, parse: Parse, model: TrigramModel) -> None:
    begun = time.process_time()
    parsed = [(parse(pair.source), parse(pair.target)) for pair in pairs]
    parsing = time.process_time() - begun
    begun = time.process_time()
    trees = [(tree_of(source), tree_of(target)) for source, target in parsed]
    of_trees = time.process_time() - begun
    begun = time.process_time()
    links = alignments([(source.words, target.words) for source, target in trees], "en")
    of_links = time.process_time() - begun
    begun, counts = time.process_time(), Counts()
    for (source, target), places in zip(trees, links, strict=True):
        counts.add(source, target, places)
    of_rules = time.process_time() - begun
    steps = {"trees": of_trees, "alignment": of_links, "rules": of_rules}
    print(f"  T3, {len(pairs)} pairs: {1000 * sum(steps.values()) / len(pairs):.2f} ms a pair, the mark is {T3_MARK}: ")
    print("    " + ", ".join(f"{name} {1000 * each / len(pairs):.2f}" for name, each in steps.items()), end="")
    print(f"; parsing {1000 * parsing / len(pairs):.1f}")
    found = counts.smallest
    print(
        f"    {found.total() / len(pairs):.1f} smallest rules a pair, {len(found):,} different, "
        f"{sum(each > 1 for each in found.values()):,} seen twice"
    )
    for least in (1, 2):
        grammar = Grammar.of(counts, least=least)
        derived = sum(derives(grammar, source, target) for source, target in trees)
        print(f"    new words seen at least {least} times: {len(grammar.counts):,} rules, ", end="")
        print(f"{derived / len(trees):.1%} of targets derived")
    weights = np.zeros(len(grammar.names))
    weights[: WORDS + 1] = 1
    decoder, times = Decoder(grammar, weights, model), list[float]()
    for sentence, _target in Random(1).sample(parsed, min(number, len(parsed))):
        begun = time.process_time()
        decoder.best(sentence)
        times.append(time.process_time() - begun)
    print(f"    decoding {len(times)}: mean {np.mean(times):.2f} s, 95% {np.quantile(times, 0.95):.2f}, ", end="")
    print(f"longest {max(times):.1f}")


if __name__ == "__main__":
    main()
