"""Benchmark filtering and publishing a corpus of the size of Toutanova et al. 2016, or of multiples of it.

Each step runs in its own process, to measure its own peak memory. The database is SQLite in a temporary folder, or the
one in DATABASE_URL, which must be empty.
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corpus.release.records import ReleasedSource

ROOT = Path(__file__).resolve().parent.parent
SOURCES, COMPRESSIONS, RATINGS = 6_169, 26_423, 110_000
EDITORS, RATERS = 200, 300
WORDS = "the of and to in a is that for it as was with be by on not he his at this are or from had an they which"
STEPS = ("import", "logs", "quality", "freeze", "formats")
SLUG = "paper-size"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=float, nargs="+", default=[1.0], help="sizes, as multiples of the paper's")
    parser.add_argument("--step", choices=STEPS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        run_step(options.step, options.times[0])
        return
    print(f"{SOURCES:,} sources, {COMPRESSIONS:,} compressions, {RATINGS:,} ratings, times the factor")
    print(f"{'factor':>6}  {'step':28} {'seconds':>8} {'queries':>8} {'peak MB':>8}")
    for factor in options.times:
        with tempfile.TemporaryDirectory(prefix="precis-release-") as folder:
            for step in STEPS:
                for line in measure_step(step, factor, folder):
                    print(f"{factor:6g}  {line}", flush=True)


def measure_step(step: str, factor: float, folder: str) -> Iterator[str]:
    env = os.environ | {
        "PRECIS_DATA_DIR": folder,
        "DJANGO_SETTINGS_MODULE": "annotation.settings",
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, __file__, "--step", step, "--times", str(factor)]
    done = subprocess.run(command, env=env, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    for row in map(json.loads, done.stdout.splitlines()):
        yield f"{row['step']:28} {row['seconds']:8.2f} {row['queries']:8} {row['peak_mb']:8.0f}"


def run_step(step: str, factor: float) -> None:
    import django

    django.setup()
    steps = {
        "import": import_corpus,
        "logs": add_logs,
        "quality": apply_filter,
        "freeze": freeze,
        "formats": write_formats,
    }
    steps[step](factor)


def measure(step: str, action: Callable[[], object]) -> None:
    """Run an action and print its time, queries and peak memory as JSON."""
    from django.db import connection

    queries = 0

    def count(execute: Callable[..., object], *args: object) -> object:
        nonlocal queries
        queries += 1
        return execute(*args)

    start = time.perf_counter()
    with connection.execute_wrapper(count):
        action()
    row = {
        "step": step,
        "seconds": time.perf_counter() - start,
        "queries": queries,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    print(json.dumps(row), flush=True)


def no_progress(_done: int, _total: int) -> None:
    """Ignore progress."""


def import_corpus(factor: float) -> None:
    from django.core.management import call_command

    from corpus.release_import.reading import ReadRelease, release_import

    call_command("migrate", verbosity=0)
    content = ReadRelease(list(corpus(factor)))
    measure(
        "import",
        lambda: release_import(content=content, slug=SLUG, name=SLUG, owner=None, progress=no_progress),
    )


def corpus(factor: float) -> "Iterator[ReleasedSource]":
    """Yield sources of 25 words with texts by 200 editors, each with four or five mostly good ratings by 300 raters."""
    from corpus.release.records import ReleasedRating, ReleasedSource, ReleasedText

    rng = random.Random(2016)
    sources = round(SOURCES * factor)
    for number in range(sources):
        words = rng.choices(WORDS.split(), k=25)
        source = ReleasedSource(str(number), f"genre {number % 4}", " ".join(words), 1, "", str(number))
        editors = rng.sample(range(1, EDITORS + 1), 5 if number % 7 < 2 else 4)
        for editor in editors:
            raters = rng.sample(range(EDITORS + 1, EDITORS + RATERS + 1), 5 if rng.random() < 0.163 else 4)
            ratings = tuple(
                ReleasedRating(str(rater), {"meaning": point(rng), "grammar": point(rng)}) for rater in raters
            )
            text = " ".join(words[:14]) + f" {editor}"
            source.texts.append(ReleasedText(text, (str(editor),), ratings))
        yield source


def point(rng: random.Random) -> int:
    return rng.choices((3, 2, 1), weights=(80, 15, 5))[0]


def add_logs(_factor: float) -> None:
    """Give every text an edit log of about ten operations, as if it had been written here."""
    from compressions.models import Compression

    def update_all() -> None:
        rows = []
        own = Compression.objects.filter(source__campaign__slug=SLUG)  # other texts need not begin like their sources
        for row in own.select_related("source").order_by("pk").iterator(chunk_size=2000):
            row.edit_log, row.is_imported = make_log(row.source.text, row.text), False
            rows.append(row)
            if len(rows) == 2000:
                Compression.objects.bulk_update(rows, ["edit_log", "is_imported"], batch_size=500)
                rows = []
        Compression.objects.bulk_update(rows, ["edit_log", "is_imported"], batch_size=500)

    measure("(adding edit logs)", update_all)


def make_log(source: str, text: str) -> list[list[object]]:
    """Return a log that deletes the end of the source word by word and types the last word."""
    kept, _, last = text.rpartition(" ")
    operations: list[list[object]] = []
    while source != kept:
        shorter = source.rpartition(" ")[0]
        operations.append([len(shorter), source[len(shorter) :], "", "deletion", 400 * (len(operations) + 1)])
        source = shorter
    for offset, letter in enumerate(f" {last}"):
        operations.append([len(kept) + offset, "", letter, "typing", 400 * (len(operations) + 1)])
    return operations


def apply_filter(_factor: float) -> None:
    from crowd.models import Campaign
    from measures.quality_control.worker_filter import FilterParameters
    from ratings.services.quality import quality_apply

    campaign = Campaign.objects.get(slug=SLUG)
    measure("quality", lambda: quality_apply(campaign=campaign, parameters=FilterParameters()))


def freeze(_factor: float) -> None:
    from corpus.services.building import release_build
    from corpus.services.release import release_create
    from crowd.models import Campaign

    campaign = Campaign.objects.get(slug=SLUG)
    measure("freeze, all files", lambda: release_build(release=release_create(campaign=campaign), progress=no_progress))


def write_formats(_factor: float) -> None:
    """Write each format separately, from the release's own file."""
    from corpus.formats.jsonl import jsonl_line
    from corpus.formats.parquet import ParquetFile, nested_row, schema_of
    from corpus.formats.rawdata import line_bytes, source_line
    from corpus.models import Release
    from corpus.selectors import release_stream

    release = Release.objects.select_related("campaign").latest("pk")
    scales = release.campaign.rating_scales
    measure("  reading corpus.jsonl", lambda: [None for _ in release_stream(release)])
    measure("  the same and JSONL", lambda: [len(jsonl_line(source)) for source in release_stream(release)])
    measure(
        "  the same and RawData",
        lambda: [len(line_bytes(source_line(each, scales))) for each in release_stream(release)],
    )

    def parquet() -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = ParquetFile(Path(folder) / "all.parquet", schema_of(scales))
            for source in release_stream(release):
                file.add(nested_row(source))
            file.close()

    measure("  the same and Parquet", parquet)


if __name__ == "__main__":
    main()
