"""Run the systems whose outputs the demonstration shows, and write these with how they came about.

The texts of the demonstration were written for it, and nobody has shortened them but simulated editors. So systems that
learn are trained on sentences of the texts that are given, as simulated editors shorten them, and on made-up sentences
with planted rewrites; they are tuned on further sentences of these texts.
"""

import argparse
import hashlib
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from dashboard.simulation.writing import shortenings
from measures.core.undefined import Undefined
from measures.text.length_rule import KEEP_PERCENT, check_compression
from measures.text.normalization import length
from measures.text.segmentation import sentences
from measures.text.spacy_models import load_model
from systems.programs.lm.trigrams import trained
from systems.programs.made_pairs import made_pairs
from systems.programs.models import Checkpoint
from systems.programs.pairs import DevSource, Pair, TrainingData
from systems.programs.parses import spacy_parse
from systems.programs.registry import SYSTEMS
from systems.programs.resources import Resources
from systems.programs.texts import Range, Source
from systems.programs.tokens import words_of_lines

FOLDER = Path(__file__).resolve().parent.parent / "dashboard/simulation/demo_files"
SEED, SKILL = 2016, 1.0
LANGUAGE, SHORTEST, LONGEST = "en", 60, 240
DEV, EDITORS = 60, 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("text", nargs="+", type=Path, help="real texts, one sentence or more a line")
    parser.add_argument("--parser", required=True, help="spaCy pipeline with Universal Dependencies")
    parser.add_argument("--pairs", type=int, default=3000, help="sentences that are shortened (default: 3000)")
    parser.add_argument("--made", type=int, default=3000, help="made-up pairs (default: 3000)")
    parser.add_argument("--systems", nargs="+", default=["first", "mmr", "ilp", "seq2seq"], choices=list(SYSTEMS))
    parser.add_argument("--sources", type=Path, default=FOLDER / "sources.jsonl", help="JSON Lines with id and text")
    parser.add_argument("--output", type=Path, default=FOLDER / "outputs", help="folder to write to")
    given = parser.parse_args()
    lines = [sentence for path in given.text for text in _lines(path) for sentence in sentences(text)]
    known = _known(lines, given.parser, given.sources)
    data = _training_data(lines, given.pairs, given.made)
    given.output.mkdir(parents=True, exist_ok=True)
    described = {name: _run(name, known, data, given.output) for name in given.systems}
    about = {
        "texts": {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in given.text},
        "parser": _named(given.parser),
        "pairs": f"{given.pairs} sentences of these texts as simulated editors shorten them, {given.made} made-up ones",
        "seed": SEED,
        "systems": described,
    }
    (given.output / "provenance.json").write_text(
        json.dumps(about, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
    )


def _lines(path: Path) -> Iterator[str]:
    return (line.strip() for line in path.read_text(encoding="utf-8").splitlines() if line.strip())


def _named(name: str) -> str:
    meta = load_model(name).meta
    return f"{meta['lang']}_{meta['name']} {meta['version']}"


def _known(lines: Sequence[str], parser: str, path: Path) -> Resources:
    rows = [json.loads(line) for line in _lines(path)]
    sources = [Source(row["id"], LANGUAGE, sentences(row["text"]) or (row["text"],)) for row in rows]
    return Resources(sources, spacy_parse(load_model(parser)), trained(words_of_lines(lines, LANGUAGE)))


def _training_data(lines: Sequence[str], pairs_wanted: int, made: int) -> TrainingData:
    rng = random.Random(SEED)
    usable = sorted({line for line in lines if SHORTEST <= length(line) <= LONGEST})
    chosen = rng.sample(usable, min(len(usable), pairs_wanted + DEV))
    dev, train = chosen[:DEV], chosen[DEV:]
    pairs = [Pair(line, text) for line in train for text in _shortened(line, 1, rng)]
    pairs += [Pair(each.source_text, each.target_text) for each in made_pairs(made, seed=SEED)]
    rng.shuffle(pairs)
    tuned = [
        DevSource(Source(str(place), LANGUAGE, (line,)), tuple(references))
        for place, line in enumerate(dev)
        if (references := _shortened(line, EDITORS, rng))
    ]
    return TrainingData(LANGUAGE, tuple(pairs), tuple(tuned))


def _shortened(line: str, editors: int, rng: random.Random) -> list[str]:
    found = [list(shortenings(line, KEEP_PERCENT, SKILL, rng))[-1:] for _ in range(editors)]
    return [text for texts in found for text in texts if check_compression(line, text).accepted]


def _run(name: str, known: Resources, data: TrainingData, folder: Path) -> dict[str, object]:
    system, begun = SYSTEMS[name], time.process_time()
    described: dict[str, object] = {"title": system.title}
    if system.train is not None:
        model = system.train(data, known, seed=SEED, checkpoint=Checkpoint(), progress=_told(name))
        known = replace(known, trained=model)
        described |= {"parameters": dict(model.parameters), "training_seconds": round(time.process_time() - begun, 1)}
    compress, begun, statuses = system.prepare(known), time.process_time(), Counter[str]()
    with (folder / f"{name}.jsonl").open("w", encoding="utf-8", newline="\n") as stream:
        for source in known.sources:
            output = compress(source, Range(), SEED)
            if isinstance(output, Undefined):
                raise SystemExit(f"{name}: source {source.id}: {output}")
            statuses[output.status] += 1
            row = {"id": source.id, "text": output.text, "status": output.status}
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
    seconds = (time.process_time() - begun) / len(known.sources)
    print(name, dict(statuses), f"{seconds:.2f} s a text", flush=True)
    return {**described, "statuses": dict(statuses), "seconds_per_text": round(seconds, 3)}


def _told(name: str) -> Callable[[int, int], None]:
    return lambda done, of: print(f"{name}: {done} of {of}", end="\r", flush=True)


if __name__ == "__main__":
    main()
