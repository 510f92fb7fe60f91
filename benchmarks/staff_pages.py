"""Benchmark what staff open of a campaign that has grown large: 100,000 sources and two million ratings.

Fills a database on SQLite, and one on PostgreSQL, applies the worker filter, imports another 1,000 texts, freezes a
release with reports, and opens every page of the campaign and every address of the API twice in a fresh process. What
takes more CPU the second time, or more memory either time, than the limits is a failure; of a download, what its first
rows take counts. The CPU is that of the process and, on PostgreSQL, of the connection's backend, without its parallel
workers. Memory is the peak beyond what the process had before, as Linux tells it. Run it with `make bench-staff`, or
with fewer sources:

    .venv/bin/python benchmarks/staff_pages.py --sources 10000 --database sqlite
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from http import HTTPStatus
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from benchmarks.fresh_databases import fresh_databases  # noqa: E402
from tests.support.product import environment  # noqa: E402

if TYPE_CHECKING:
    from corpus.models import Release
    from crowd.models import Campaign
    from tests.support.world import World

SLUG, OWNER = "grown", "owner"
STAFF = 3  # the place of staff among the roles
MORE_TEXTS = 1_000
STEPS = ("fill", "work", "open")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sources", type=int, default=100_000)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], nargs="+", default=["sqlite", "postgresql"])
    parser.add_argument("--cpu", type=float, default=1.0, help="how much CPU a page may take, in seconds")
    parser.add_argument("--memory", type=float, default=300.0, help="how much memory a page may take, in MB")
    parser.add_argument("--step", choices=STEPS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        run_step(options.step, options.sources)
        return
    limits = Limits(options.cpu, options.memory)
    over = [page for kind in options.database for page in measure_database(kind, options.sources, limits)]
    sys.exit(bool(over))


class Limits(NamedTuple):
    cpu: float
    memory: float

    def has(self, row: dict[str, Any]) -> bool:
        return bool(row["cpu"] <= 1000 * self.cpu and row["memory"] <= self.memory)


def measure_database(kind: str, sources: int, limits: Limits) -> list[str]:
    """Fill a database of a kind, print what its pages take, and return those that are over a limit."""
    with tempfile.TemporaryDirectory(prefix="precis-staff-") as name, fresh_databases(kind, Path(name)) as databases:
        env = environment(databases.create("staff"), Path(name))
        for step in ("fill", "work"):
            for row in steps_of(env, step, sources):
                print(f"{kind:12}{row['what']:36}{row['seconds']:9.1f} s", flush=True)
        pages = sorted(steps_of(env, "open", sources), key=lambda row: -cast(float, row["cpu"]))
    print(f"\n{kind:12}{'page':44}{'queries':>9}{'first ms':>10}{'again ms':>10}{'CPU ms':>10}{'MB':>8}")
    for row in pages:
        print(
            f"{kind:12}{row['page']:44}{row['queries']:9}{row['first']:10.0f}{row['again']:10.0f}{row['cpu']:10.0f}"
            f"{row['memory']:8.0f}"
        )
    over = [str(row["page"]) for row in pages if not limits.has(row)]
    print(f"{kind:12}over {limits.cpu:g} s or {limits.memory:g} MB: {', '.join(over) or 'none'}\n", flush=True)
    return over


def steps_of(env: dict[str, str], step: str, sources: int) -> Iterator[dict[str, Any]]:
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
    from agreement.kind import KIND as AGREEMENT
    from agreement.planning.kept_plans import plan_compute, plan_request
    from agreement.planning.plans import DEFAULT_RATERS
    from common.job_attempts import NO_JOB
    from compressions.services.imports import source_import
    from corpus.services.outputs import outputs_import
    from crowd.models import Campaign
    from measures.quality_control.worker_filter import FilterParameters
    from ratings.services.gold import gold_create
    from ratings.services.qualification import qualification_items_replace
    from ratings.services.quality import preview_compute, preview_request, quality_apply
    from ratings.services.rating_counts import all_counts_advance
    from reports.services import report_complete, report_get_or_create
    from scoring.services.runs import score_run_get_or_create, scores_compute
    from tests.support.factories import EXAMPLE, SENTENCE, freeze, silent
    from tests.support.world import FEW_METRICS, QUICK

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
    known = campaign.sources.order_by("pk").values_list("source_id", flat=True)[:MORE_TEXTS]
    content = "\n".join(json.dumps({"id": each, "text": "Short."}) for each in known).encode()
    import_outputs = partial(outputs_import, campaign=campaign, system="Echo", file_name="echo.jsonl", content=content)
    timed(f"{MORE_TEXTS:,} outputs of a system", import_outputs)
    timed("counts of ratings, as the worker begins them", all_counts_advance)
    timed("worker filter", lambda: quality_apply(campaign=campaign, parameters=FilterParameters()))
    preview = preview_request(campaign=campaign, parameters=FilterParameters(), user=None)
    timed("preview of the worker filter", lambda: preview_compute(kept=preview, progress=silent, attempt=NO_JOB))
    plan = plan_request(campaign=campaign, raters=DEFAULT_RATERS, texts=[], user=None)
    timed("plan of ratings", lambda: plan_compute(kept=plan, progress=silent, attempt=NO_JOB))
    timed("release", lambda: freeze(campaign))
    release = campaign.releases.get()
    scores = score_run_get_or_create(release=release, settings=FEW_METRICS)
    timed("scores", lambda: scores_compute(run=scores, progress=silent))
    agreement = report_get_or_create(kind=AGREEMENT, on=release, parameters=QUICK)
    timed("report on agreement", partial(report_complete, report=agreement, progress=silent))
    timed("report on operations, of one part", lambda: operations_report_fill(release))


def operations_report_fill(release: "Release") -> None:
    """Make a report whose parts are all the first one again: aligning half a million texts would take hours."""
    from common.clock import database_now
    from edit_operations.aligned import AlignedSource
    from edit_operations.kind import KIND, operations_report
    from edit_operations.parameters import OperationsParameters
    from reports.models import Report
    from reports.services import report_get_or_create

    parameters = OperationsParameters(draws=5)
    report = report_get_or_create(kind=KIND, on=release, parameters=parameters)
    content = KIND.align(report, KIND.prepare(report), report.parts.earliest("number"), lambda: None)
    parts = report.parts.update(content=content)
    found = operations_report(list(map(AlignedSource.of, content)), release.campaign.rating_scales, parameters)
    texts = found.counted["texts"]
    counted = {"texts": texts * parts, "texts_of_parts": [texts] * parts}
    known = {"rows": found.rows, "finished_at": database_now(), "pinned": report.pinned | counted}
    Report.objects.filter(pk=report.pk).update(**known)


def open_pages() -> None:
    from django.test import Client

    from common.api.pages import MOST
    from crowd.models import Campaign
    from tests.support.api_client import api_token

    campaign = Campaign.objects.get(slug=SLUG)
    owner = campaign.staff.get()
    client, program = Client(SERVER_NAME="localhost"), Client(SERVER_NAME="localhost")
    client.force_login(owner)
    headers = {"Authorization": f"Bearer {api_token(owner)}"}
    for name, address in pages_of(campaign):
        measure(name, partial(client.get, address))
    for name, address in addresses_of_api(campaign):
        get = partial(program.get, address, headers=headers)
        is_list = getattr(get(), "content", b"").startswith(b'{"cursor"')
        measure(name, partial(get, query_params={"limit": MOST}) if is_list and "?" not in address else get)


def measure(name: str, get: Callable[[], Any]) -> None:
    """Ask for an address twice, and print what that takes; of what the campaign has none of, nothing."""
    if (first := opened(name, get)) is None or (again := opened(name, get)) is None:
        return
    row = {"page": name, "queries": again.queries, "first": first.ms, "again": again.ms, "cpu": again.cpu_ms}
    print(json.dumps(row | {"memory": max(first.memory, again.memory)}), flush=True)


def pages_of(campaign: "Campaign") -> Iterator[tuple[str, str]]:
    """Yield the pages that staff may open by GET, with their addresses."""
    from tests.support.addresses import TABLE, address_of

    world = cast("World", things_of(campaign))
    for name, row in TABLE.items():
        if row.access.name in {"SIGNED_IN", "CAMPAIGN_STAFF"} and row.get[STAFF] == 200:
            try:
                yield name, address_of(name, world)
            except AttributeError:  # of what this campaign has none of
                continue
    raters = campaign.workers.filter(enrolments__round="rate").order_by("number")
    yield from (
        (
            f"{name} of the busiest {who}",
            address_of(name, cast("World", SimpleNamespace(campaign=campaign, person=person))),
        )
        for who, person in (("editor", campaign.workers.order_by("number")[0]), ("rater", raters[0]))
        for name in ("ratings:person", "corpus:erase")
    )
    last = campaign.sources.count() // 50
    yield "compressions:sources, last page", f"{address_of('compressions:sources', world)}?page={last}"
    yield "compressions:sources, by mean", f"{address_of('compressions:sources', world)}?sort=-mean-meaning"
    yield "compressions:remarks, last page", f"{address_of('compressions:remarks', world)}?page={last // 4}"
    yield "compressions:flagged, last page", f"{address_of('compressions:flagged', world)}?page={last // 20}"


def addresses_of_api(campaign: "Campaign") -> Iterator[tuple[str, str]]:
    """Yield what programs of staff may get."""
    from tests.support.api_addresses import API_TABLE, api_address
    from tests.support.world import STAFF as OWNER_OF_IT

    world = cast("World", things_of(campaign))
    for name, row in API_TABLE.items():
        if "get" in row.calls and row.status("get", OWNER_OF_IT) == HTTPStatus.OK:
            try:
                address = api_address(name, world)
            except AttributeError:
                continue
            yield name, address
    texts = api_address("edit_operations-api:texts", world)
    yield "edit_operations-api:texts, none found", f"{texts}?corrected=true"
    yield "edit_operations-api:texts, the last", f"{texts}?cursor={campaign.sources.count() * 5 - 100}"


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
        run=campaign.quality_runs.latest("pk"),
        release=campaign.releases.get(),
    )


class Opened(NamedTuple):
    queries: int
    ms: float
    cpu_ms: float
    memory: float


def opened(name: str, get: Callable[[], Any]) -> Opened | None:
    """Ask for an address, up to the first rows of a download, and return what that took."""
    from django.db import connection

    queries = 0

    def count(execute: Callable[..., object], *args: object) -> object:
        nonlocal queries
        queries += 1
        return execute(*args)

    before = memory_begin()
    began, cpu_began = time.perf_counter(), cpu_seconds()
    with connection.execute_wrapper(count):
        response = get()
        if response.status_code == HTTPStatus.NOT_FOUND:
            return None
        assert response.status_code == HTTPStatus.OK, f"{name}: {response.status_code}"
        if response.streaming:
            next(islice(response, 2, None), b"")  # after the mark and the head of a table
    taken, cpu = time.perf_counter() - began, cpu_seconds() - cpu_began
    response.close()
    return Opened(queries, 1000 * taken, 1000 * cpu, memory_peak() - before)


def cpu_seconds() -> float:
    """Return the CPU that this process has had and, on PostgreSQL, the backend of its connection."""
    from django.db import connection

    if connection.vendor == "sqlite":
        return time.process_time()
    connection.ensure_connection()
    of_backend = Path(f"/proc/{connection.connection.info.backend_pid}/stat").read_text().rpartition(")")[2].split()
    return time.process_time() + sum(map(int, of_backend[11:13])) / os.sysconf("SC_CLK_TCK")


def memory_begin() -> float:
    """Forget the peak so far, and return the memory in use in MB."""
    Path("/proc/self/clear_refs").write_text("5")
    return _memory("VmRSS")


def memory_peak() -> float:
    return _memory("VmHWM")


def _memory(name: str) -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name)) / 1024


if __name__ == "__main__":
    main()
