"""Benchmark the systems on one core: the language model, and integer linear programming by length of the sentence.

Texts, sources and the parser are the user's own: the product ships none.
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

from measures.core.undefined import Undefined
from measures.text.normalization import length
from measures.text.segmentation import sentences
from measures.text.spacy_models import default_model, load_model
from systems.programs.ilp.compress import ilp
from systems.programs.lm.trigrams import TrigramModel, perplexity, trained
from systems.programs.parses import Parse, spacy_parse
from systems.programs.texts import Range, Source
from systems.programs.tokens import tokens_of

LOOK_UPS = 1_000_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("text", nargs="+", type=Path, help="text for the language model, also as .xz; # begins a note")
    parser.add_argument("--sources", type=Path, help="JSON Lines with id and text: to compress, and more text")
    parser.add_argument("--number", type=int, default=300, help="of the sources, drawn by chance (default: 300)")
    parser.add_argument("--parser", default=default_model(), help="spaCy pipeline with Universal Dependencies")
    given = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    rows = [json.loads(line) for line in lines_of(given.sources)] if given.sources else []
    texts = [line for name in given.text for line in lines_of(name)] + [row["text"] for row in rows]
    print(f"Texts: {', '.join(map(str, [*given.text, given.sources]))}; CPU seconds of one core")
    model = time_language_model([sentence for text in texts for sentence in sentences(text)])
    if rows and given.parser:
        chosen = Random(1).sample(rows, min(given.number, len(rows)))
        time_ilp([source_of(row) for row in chosen], spacy_parse(load_model(given.parser)), model)


def lines_of(path: Path) -> Iterable[str]:
    with lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else path.open(encoding="utf-8") as stream:
        for line in stream:
            if line.strip() and not line.startswith("#"):
                yield line.strip()


def source_of(row: dict[str, str]) -> Source:
    return Source(row["id"], "en", sentences(row["text"]) or (row["text"],))


def time_language_model(lines: Sequence[str]) -> TrigramModel:
    words = [[token.text.lower() for token in tokens_of(line, "en")] for line in lines]
    held_out, known = words[::10], [line for place, line in enumerate(words) if place % 10]
    found = perplexity(trained(known), held_out)
    print(f"  every tenth sentence held out: perplexity {found.value:.0f}, {found.unknown:.1%} unknown")
    begun = time.process_time()
    model = trained(words)
    seconds = time.process_time() - begun
    number = sum(map(len, words))
    print(
        f"  {number:,} tokens: {seconds:.2f} s, {number / seconds:,.0f} tokens/s; {len(model.vocabulary):,} words, "
        f"{len(model.trigrams.keys):,} trigrams, {size(model) / 1e6:.0f} MB"
    )
    asked = np.random.default_rng(1).integers(3, len(model.vocabulary), (3, LOOK_UPS))
    begun = time.process_time()
    model.log_probabilities(*asked)
    print(f"  {LOOK_UPS / (time.process_time() - begun):,.0f} look-ups/s of three words by chance")
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
    for tokens, seconds in sorted(by_length.items()):
        print(f"    longest sentence of {tokens} to {tokens + 9} tokens: {len(seconds)}, mean {np.mean(seconds):.2f} s")


if __name__ == "__main__":
    main()
