"""What it costs to judge and to publish a corpus of the size of Toutanova et al. 2016, and of ten times that.

Each step runs in a process of its own, so that its peak of memory is its own. The database is SQLite in a temporary
folder, or the one that DATABASE_URL names (it must be empty).
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
                for line in measured(step, factor, folder):
                    print(f"{factor:6g}  {line}", flush=True)


def measured(step: str, factor: float, folder: str) -> Iterator[str]:
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
    {"import": import_corpus, "logs": add_logs, "quality": judge, "freeze": freeze, "formats": formats}[step](factor)


def timed(step: str, act: Callable[[], object]) -> None:
    from django.db import connection

    queries = 0

    def count(execute: Callable[..., object], *args: object) -> object:
        nonlocal queries
        queries += 1
        return execute(*args)

    begun = time.perf_counter()
    with connection.execute_wrapper(count):
        act()
    row = {
        "step": step,
        "seconds": time.perf_counter() - begun,
        "queries": queries,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    print(json.dumps(row), flush=True)


def silent(_done: int, _total: int) -> None:
    """Nobody watches."""


def import_corpus(factor: float) -> None:
    from django.core.management import call_command

    from corpus.release_import.reading import ReadRelease, release_import

    call_command("migrate", verbosity=0)
    content = ReadRelease(list(corpus(factor)))
    timed(
        "import",
        lambda: release_import(content=content, slug=SLUG, name=SLUG, owner=None, progress=silent),
    )


def corpus(factor: float) -> "Iterator[ReleasedSource]":
    """Sources of 25 words; texts by 200 editors, each judged by four or five of 300 raters, mostly well."""
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
    """Give every text a log of edits of some ten operations, as if it had been written here."""
    from compressions.models import Compression

    def act() -> None:
        rows = []
        for row in Compression.objects.select_related("source").order_by("pk").iterator(chunk_size=2000):
            row.edit_log, row.is_imported = log(row.source.text, row.text), False
            rows.append(row)
            if len(rows) == 2000:
                Compression.objects.bulk_update(rows, ["edit_log", "is_imported"], batch_size=500)
                rows = []
        Compression.objects.bulk_update(rows, ["edit_log", "is_imported"], batch_size=500)

    timed("(giving the texts logs)", act)


def log(source: str, text: str) -> list[list[object]]:
    """The end of the source goes word by word, and the last word is typed."""
    kept, _, last = text.rpartition(" ")
    operations: list[list[object]] = []
    while source != kept:
        shorter = source.rpartition(" ")[0]
        operations.append([len(shorter), source[len(shorter) :], "", "deletion", 400 * (len(operations) + 1)])
        source = shorter
    for offset, letter in enumerate(f" {last}"):
        operations.append([len(kept) + offset, "", letter, "typing", 400 * (len(operations) + 1)])
    return operations


def judge(_factor: float) -> None:
    from crowd.models import Campaign
    from measures.quality_control.worker_filter import FilterParameters
    from ratings.services.quality import quality_apply

    campaign = Campaign.objects.get(slug=SLUG)
    timed("quality", lambda: quality_apply(campaign=campaign, parameters=FilterParameters()))


def freeze(_factor: float) -> None:
    from corpus.services.building import release_build
    from corpus.services.release import release_create
    from crowd.models import Campaign

    campaign = Campaign.objects.get(slug=SLUG)
    timed("freeze, all files", lambda: release_build(release=release_create(campaign=campaign), progress=silent))


def formats(_factor: float) -> None:
    """Each format alone, from the release's own file."""
    from corpus.formats.jsonl import jsonl_line
    from corpus.formats.parquet import ParquetFile
    from corpus.formats.rawdata import line_bytes, source_line
    from corpus.models import Release
    from corpus.selectors import release_stream

    release = Release.objects.select_related("campaign").latest("pk")
    scales = release.campaign.rating_scales
    timed("  reading corpus.jsonl", lambda: [None for _ in release_stream(release)])
    timed("  the same and JSONL", lambda: [len(jsonl_line(source)) for source in release_stream(release)])
    timed(
        "  the same and RawData",
        lambda: [len(line_bytes(source_line(each, scales))) for each in release_stream(release)],
    )

    def parquet() -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = ParquetFile(Path(folder) / "all.parquet", scales)
            for source in release_stream(release):
                file.add(source)
            file.close()

    timed("  the same and Parquet", parquet)


if __name__ == "__main__":
    main()
