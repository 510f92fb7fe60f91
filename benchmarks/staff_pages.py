"""Benchmark the pages of staff on a campaign that has grown large: 100,000 sources and two million ratings.

Fills a database on SQLite, and one on PostgreSQL, applies the worker filter, imports another 1,000 texts, and opens
every page of the campaign twice in a fresh process. Pages of a release are left out: they show files, which `make
bench-release` measures. A page that is over the limit the second time is a failure; of a download, the time to its
first rows counts. Run it with `make bench-staff`, or with fewer sources:

    .venv/bin/python benchmarks/staff_pages.py --sources 10000 --database sqlite
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from benchmarks.fresh_databases import fresh_databases  # noqa: E402
from tests.support.product import environment  # noqa: E402

if TYPE_CHECKING:
    from django.test import Client

    from crowd.models import Campaign

SLUG, OWNER = "grown", "owner"
STAFF = 3  # the place of staff among the roles
MORE_TEXTS = 1_000
STEPS = ("fill", "work", "open")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sources", type=int, default=100_000)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], nargs="+", default=["sqlite", "postgresql"])
    parser.add_argument("--limit", type=float, default=1.0, help="the longest that a page may take, in seconds")
    parser.add_argument("--step", choices=STEPS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        run_step(options.step, options.sources)
        return
    slow = [page for kind in options.database for page in measure_database(kind, options.sources, options.limit)]
    sys.exit(bool(slow))


def measure_database(kind: str, sources: int, limit: float) -> list[str]:
    """Fill a database of a kind, print what its pages take, and return those that are over the limit."""
    with tempfile.TemporaryDirectory(prefix="precis-staff-") as name, fresh_databases(kind, Path(name)) as databases:
        env = environment(databases.create("staff"), Path(name))
        for step in ("fill", "work"):
            for row in steps_of(env, step, sources):
                print(f"{kind:12}{row['what']:36}{row['seconds']:9.1f} s", flush=True)
        pages = sorted(steps_of(env, "open", sources), key=lambda row: -cast(float, row["again"]))
    print(f"\n{kind:12}{'page':32}{'queries':>9}{'first ms':>10}{'again ms':>10}")
    for row in pages:
        print(f"{kind:12}{row['page']:32}{row['queries']:9}{row['first']:10.0f}{row['again']:10.0f}")
    slow = [str(row["page"]) for row in pages if cast(float, row["again"]) > 1000 * limit]
    print(f"{kind:12}over {limit:g} s: {', '.join(slow) or 'none'}\n", flush=True)
    return slow


def steps_of(env: dict[str, str], step: str, sources: int) -> Iterator[dict[str, object]]:
    command = [sys.executable, __file__, "--step", step, "--sources", str(sources)]
    process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    yield from map(json.loads, process.stdout)
    if process.wait():
        sys.exit(f"{step}: failed")


def run_step(step: str, sources: int) -> None:
    import django

    django.setup()
    if step == "fill":
        timed("fill", lambda: fill_database(sources))
    elif step == "work":
        work_on()
    else:
        open_pages()


def timed(what: str, action: Callable[[], object]) -> None:
    began = time.perf_counter()
    action()
    print(json.dumps({"what": what, "seconds": time.perf_counter() - began}), flush=True)


def fill_database(sources: int) -> None:
    from django.core.management import call_command

    from benchmarks.grown_campaign import fill
    from tests.support.factories import make_campaign, make_staff

    call_command("migrate", verbosity=0)
    campaign = make_campaign(
        slug=SLUG,
        owner=make_staff(OWNER),
        editors_per_source=5,
        raters_per_compression=4,
        editor_tasks=30_000,
        rater_tasks=30_000,
    )
    fill(campaign_id=campaign.pk, sources=sources)


def work_on() -> None:
    """Do what staff do with such a campaign, so that every page has something to show."""
    from agreement.planning.kept_plans import plan_compute, plan_request
    from agreement.planning.plans import DEFAULT_RATERS
    from common.job_attempts import NO_JOB
    from compressions.services.imports import source_import
    from crowd.models import Campaign
    from measures.quality_control.worker_filter import FilterParameters
    from ratings.services.gold import gold_create
    from ratings.services.qualification import qualification_items_replace
    from ratings.services.quality import preview_compute, preview_request, quality_apply
    from ratings.services.rating_counts import all_counts_advance
    from tests.support.factories import EXAMPLE, SENTENCE, silent

    campaign = Campaign.objects.get(slug=SLUG)
    rows = [
        {"id": f"more-{number}", "genre": "Letters", "text": SENTENCE.format(number=number)}
        for number in range(MORE_TEXTS)
    ]
    content = "\n".join(map(json.dumps, rows)).encode()
    timed(
        f"import of {MORE_TEXTS:,} texts",
        lambda: source_import(campaign=campaign, file_name="more.jsonl", content=content, strict=True, seed=1),
    )
    qualification_items_replace(campaign=campaign, examples=[EXAMPLE])
    gold_create(campaign=campaign, example=EXAMPLE)
    timed("counts of ratings, as the worker begins them", all_counts_advance)
    timed("worker filter", lambda: quality_apply(campaign=campaign, parameters=FilterParameters()))
    preview = preview_request(campaign=campaign, parameters=FilterParameters(), user=None)
    timed("preview of the worker filter", lambda: preview_compute(kept=preview, progress=silent, attempt=NO_JOB))
    plan = plan_request(campaign=campaign, raters=DEFAULT_RATERS, texts=[], user=None)
    timed("plan of ratings", lambda: plan_compute(kept=plan, progress=silent, attempt=NO_JOB))


def open_pages() -> None:
    from django.test import Client

    from crowd.models import Campaign

    campaign = Campaign.objects.get(slug=SLUG)
    client = Client(SERVER_NAME="localhost")
    client.force_login(campaign.staff.get())
    for name, address in pages_of(campaign):
        queries, first = opened(client, address)
        _, again = opened(client, address)
        print(json.dumps({"page": name, "queries": queries, "first": first, "again": again}), flush=True)


def pages_of(campaign: "Campaign") -> Iterator[tuple[str, str]]:
    """Yield the pages that staff may open by GET, with their addresses."""
    from tests.support.addresses import TABLE, address_of
    from tests.support.world import World

    world = cast(World, things_of(campaign))
    for name, row in TABLE.items():
        if row.access.name in {"SIGNED_IN", "CAMPAIGN_STAFF"} and row.get[STAFF] == 200:
            try:
                yield name, address_of(name, world)
            except AttributeError:  # of a release, a job or outputs, of which this campaign has none
                continue
    raters = campaign.workers.filter(enrolments__round="rate").order_by("number")
    yield from (
        (
            f"{name} of the busiest {who}",
            address_of(name, cast(World, SimpleNamespace(campaign=campaign, person=person))),
        )
        for who, person in (("editor", campaign.workers.order_by("number")[0]), ("rater", raters[0]))
        for name in ("ratings:person", "corpus:erase")
    )
    last = campaign.sources.count() // 50
    yield "compressions:sources, last page", f"{address_of('compressions:sources', world)}?page={last}"
    yield "compressions:remarks, last page", f"{address_of('compressions:remarks', world)}?page={last // 4}"
    yield "compressions:flagged, last page", f"{address_of('compressions:flagged', world)}?page={last // 20}"


def things_of(campaign: "Campaign") -> SimpleNamespace:
    """What the addresses name."""
    from compressions.models import Compression

    compression = Compression.objects.filter(source__campaign=campaign).select_related("source").earliest("pk")
    return SimpleNamespace(
        campaign=campaign,
        source=compression.source,
        compression=compression,
        person=campaign.workers.order_by("number")[campaign.workers.count() // 2],
        wanted=SimpleNamespace(pk=campaign.sourceimports.latest("pk").pk),
        practice=campaign.qualification_items.earliest("pk"),
    )


def opened(client: "Client", address: str) -> tuple[int, float]:
    """Open an address and return the number of queries, and the milliseconds until it was there."""
    from django.db import connection

    queries = 0

    def count(execute: Callable[..., object], *args: object) -> object:
        nonlocal queries
        queries += 1
        return execute(*args)

    began = time.perf_counter()
    with connection.execute_wrapper(count):
        response = client.get(address)
        assert response.status_code == 200, f"{address}: {response.status_code}"
        if response.streaming:
            next(iter(response), b"")
    elapsed = 1000 * (time.perf_counter() - began)
    response.close()
    return queries, elapsed


if __name__ == "__main__":
    main()
