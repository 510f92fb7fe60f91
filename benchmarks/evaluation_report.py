"""Benchmark the whole report on metrics against ratings at the size of Toutanova et al. 2016; run it on one core.

The ratings and scores are drawn: metrics follow the quality of an output with more and more noise.
"""

import argparse
import json
import os
import resource
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")

import django

django.setup()

from common.json_values import packed_json  # noqa: E402
from corpus.release.records import ReleasedText  # noqa: E402
from evaluation.judged_release import JudgedRelease  # noqa: E402
from evaluation.kind import COMPUTED  # noqa: E402
from evaluation.parameters import EvaluationParameters  # noqa: E402
from evaluation.sections.base import Row  # noqa: E402
from evaluation.tests.made_releases import made_release, rated  # noqa: E402
from measures.core.arrays import FloatArray  # noqa: E402
from measures.metrics import METRICS  # noqa: E402

SYSTEMS, INPUTS, RATERS, EDITORS = 4, 785, 3, 5
GENRES = ("Letters", "News", "Journal", "Non-fiction")
MARK = 15.0
"""Seconds of CPU that the whole report may take."""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--inputs", type=int, default=INPUTS)
    arguments.add_argument("--systems", type=int, default=SYSTEMS)
    inputs, systems = (getattr(arguments.parse_args(), name) for name in ("inputs", "systems"))
    judged = drawn_release(systems, inputs)
    print(f"{systems} systems, {inputs} inputs, {len(judged.metrics)} metrics, {EDITORS} editors, {RATERS} raters")
    whole = time.process_time()
    by_metric: dict[str, list[Row]] = {}
    for section in COMPUTED:
        start = time.process_time()
        found = section.compute(judged)
        rows = found.rows
        for row in found.by_pair:
            by_metric.setdefault(row["metric"], []).append(row)
        name = section.compute.__name__.removesuffix("_rows").replace("_", " ")
        print(f"{name:24} {time.process_time() - start:6.2f} s CPU  {len(rows):6,} rows")
    seconds = time.process_time() - whole
    verdict = "within" if seconds <= MARK else "over"
    size = f"{SYSTEMS} systems and {INPUTS} inputs"
    print(f"{'whole report':24} {seconds:6.2f} s CPU, {verdict} the mark of {MARK:g} s for {size}")
    plain = sum(len(json.dumps(each)) for each in by_metric.values())
    packed = sum(len(packed_json(each)) for each in by_metric.values())
    number = sum(map(len, by_metric.values()))
    print(f"{number:,} rows about two systems: {plain / 1e6:.1f} MB of JSON, {packed / 1e6:.1f} MB as stored")
    print(f"{'most memory':24} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:6.0f} MB")


def drawn_release(systems: int, inputs: int) -> JudgedRelease:
    rng = np.random.default_rng(2016)
    quality = np.clip(rng.normal(np.linspace(1.6, 2.4, systems)[:, None], 0.5, (systems, inputs)), 1, 3)
    points = np.clip(np.rint(quality[..., None] + rng.normal(scale=0.4, size=(systems, inputs, RATERS))), 1, 3)
    noises = np.linspace(0.2, 3, len(METRICS))
    named = zip(METRICS, noises, strict=True)
    scores = {name: quality + rng.normal(scale=noise, size=quality.shape) for name, noise in named}
    texts = [[_text(place, editor, rng) for editor in range(EDITORS)] for place in range(inputs)]
    people: dict[tuple[int, str], FloatArray] = {
        (place, text.text): rng.normal(2.5, 1, len(METRICS)) for place, some in enumerate(texts) for text in some
    }
    return made_release(
        points.astype(int).tolist(),
        scores,
        EvaluationParameters(),
        systems=tuple(f"System {number + 1:03}" for number in range(systems)),
        jackknifed=np.array(list(scores.values())) - 0.1,
        people=people,
        texts=texts,
        genres=[GENRES[place % len(GENRES)] for place in range(inputs)],
    )


def _text(place: int, editor: int, rng: np.random.Generator) -> ReleasedText:
    points = [int(each) for each in rng.integers(2, 4, size=RATERS)]
    return ReleasedText(f"Text {place} of editor {editor}.", (str(editor),), rated(points))


if __name__ == "__main__":
    main()
