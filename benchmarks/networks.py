"""Benchmark the networks on one core: steps of training, and the deletion network on pairs.

The pairs are the user's own: the product ships none.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before NumPy starts its threads
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
import torch

from benchmarks.kept_words import LANGUAGE, kept_by, kept_places
from systems.programs.baselines import first, random_words
from systems.programs.models import Checkpoint
from systems.programs.neural.deletion import system as deletion
from systems.programs.neural.deletion.examples import Example
from systems.programs.neural.deletion.network import Batch as DeletionBatch
from systems.programs.neural.namas import system as namas
from systems.programs.neural.namas.network import Batch as AttentionBatch
from systems.programs.neural.vocabulary import FIRST_WORD
from systems.programs.pairs import DevSource, Pair, TrainingData
from systems.programs.resources import Resources
from systems.programs.texts import Source

MARKS = {"seq2seq cpu": 12_800, "seq2seq paper": 720, "abs cpu": 3_700, "abs paper": 400}
"""Tokens a second at which a prototype in NumPy, with its gradients by hand, was trained."""
F1_MARK, EXACT_MARK = 0.714, 0.103


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--pairs", type=Path, help="JSON Lines with source and target: to train the deletion network on"
    )
    given = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    time_networks()
    if given.pairs:
        rows = map(json.loads, given.pairs.read_text(encoding="utf-8").splitlines())
        score_deletion([Pair(row["source"], row["target"]) for row in rows])


def time_networks() -> None:
    """Time steps of training on 64 sentences of 26 words, and on their texts of 16."""
    torch.set_num_threads(1)
    rng = np.random.default_rng(1)
    for preset in ("cpu", "paper"):
        kind = deletion.PRESETS[preset]
        words = rng.integers(FIRST_WORD, kind.vocabulary, (64, 26))
        examples = [Example(row, np.arange(26), rng.integers(0, 2, 26)) for row in words]
        network = deletion.network_of(kind, kind.vocabulary)
        batch = DeletionBatch.of(examples, "cpu")
        time_steps(f"seq2seq {preset}", network, torch.optim.Adam(network.parameters(), fused=True), batch, 64 * 26)
        plan, known = namas.PRESETS[preset], {"cpu": 5_000, "paper": 20_000}[preset]
        pairs = [(rng.integers(FIRST_WORD, known, 26), rng.integers(FIRST_WORD, known, 15)) for _ in range(64)]
        writer = namas.network_of(plan, known)
        texts = AttentionBatch.of(pairs, plan.context, "cpu")
        time_steps(f"abs {preset}", writer, torch.optim.SGD(writer.parameters(), 0.05), texts, 64 * 16)


def time_steps(name: str, network: Any, optimizer: Any, batch: Any, tokens: int) -> None:
    network.train()
    steps, begun = 0, 0.0
    while steps < 4 or time.process_time() - begun < 8:
        if steps == 1:  # the first one also makes room
            begun = time.process_time()
        optimizer.zero_grad()
        network.loss(batch).backward()
        optimizer.step()
        steps += 1
    seconds = time.process_time() - begun
    print(f"  {name}: {(steps - 1) * tokens / seconds:,.0f} tokens/s of training, the mark is {MARKS[name]:,}")


def score_deletion(pairs: Sequence[Pair]) -> None:
    """Train on 8,000 pairs that drop words; the first 1,000 of them are the test, and 500 more are dev."""
    torch.set_num_threads(1)
    usable = [pair for pair in pairs[:12_000] if kept_places(pair, pair.target)]
    test, dev, learnt = usable[:1000], usable[1000:1500], usable[1500:9500]
    judged = tuple(DevSource(Source("", LANGUAGE, (pair.source,)), (pair.target,)) for pair in dev)
    begun = time.process_time()
    data = TrainingData(LANGUAGE, tuple(learnt), judged)
    model = deletion.train(data, Resources([]), seed=1, checkpoint=Checkpoint(), progress=lambda _done, _all: None)
    print(
        f"  seq2seq: {len(learnt):,} pairs, {len(model.curve)} epochs, {time.process_time() - begun:.0f} s of training"
    )
    systems = {"seq2seq": deletion.compressor(Resources([], trained=model)), "first": first, "random": random_words}
    for name, compress in systems.items():
        print(f"    {name}: {kept_by(compress, test)}")
    print(f"    the mark, on 8,000 pairs of news: F1 {F1_MARK}, exact {EXACT_MARK}")


if __name__ == "__main__":
    main()
