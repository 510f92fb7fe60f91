"""Show workers, queues, jobs and leases."""

import json
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand

from common.console import CSV, JSON, TABLE, TEXT, Section, add_format, csv_text, form_of, print_sections
from maintenance.work import BrokerState, JobLine, Work, broker_state, work_now

Row = Sequence[object]
JOB_HEAD = ("Job", "Kind", "Campaign", "State", "Age", "Attempts", "Done", "Lease left", "Holds parts")
LEASE_HEAD = ("Campaign", "Round", "Texts held", "Next lease ends in", "Leases run out")
NUMBERS = frozenset({"Messages waiting", "Texts held", "Leases run out"})
COLUMNS = (
    *("what", "name", "id", "kind", "campaign", "round", "state", "age", "attempts", "done", "total", "lease_left"),
    *("parts", "live", "next_end", "run_out", "waiting"),
)


class Command(BaseCommand):
    help = "Show which workers answer, which jobs wait or run, which leases are held, and what waits in the broker."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_format(parser, TEXT)

    def handle(self, *_args: Any, **options: Any) -> None:
        work, broker = work_now(), broker_state()
        form = form_of(self, options, TEXT)
        if form == JSON:
            self.stdout.write(json.dumps({"broker": asdict(broker), **asdict(work)}, indent=1))
            return
        if form == CSV:
            self.stdout.write(csv_text(COLUMNS, _csv_rows(broker, work)), ending="")
            return
        if form == TABLE:
            print_sections(self, _sections(broker, work), options, "For programs: --format csv or --format json.")
            return
        for lines in (_broker(broker), _jobs(work), _leases(work)):
            self.stdout.write("\n".join(lines) + "\n")


def _csv_rows(broker: BrokerState, work: Work) -> list[dict[str, object]]:
    """Return a row for each worker, queue, job and kind of lease; `what` says which of these it is."""
    rows: list[dict[str, object]] = []
    rows += ({"what": "worker", "name": each.name, "parts": _joined(each.jobs)} for each in broker.workers)
    rows += ({"what": "queue", "name": name, "waiting": number} for name, number in broker.messages.items())
    rows += ({"what": "job", **asdict(job), "parts": _joined(job.parts)} for job in work.jobs)
    rows += ({"what": "lease", **asdict(lease)} for lease in work.leases)
    return rows


def _sections(broker: BrokerState, work: Work) -> list[Section]:
    workers = [(each.name, ", ".join(each.queues), _joined(each.jobs)) for each in broker.workers]
    no_workers = [] if workers else _broker(broker)[:1]
    jobs = [tuple(map(str, _job(job))) for job in work.jobs]
    leases = [(e.campaign, e.round, e.live, _time(e.next_end), e.run_out) for e in work.leases]
    return [
        Section("Workers", ("Worker", "Queues", "Runs job"), workers, no_workers),
        Section("Queues", ("Queue", "Messages waiting"), list(broker.messages.items()), (), NUMBERS),
        Section("Jobs", JOB_HEAD, jobs, [*([] if jobs else _jobs(work)), *_lost(work)]),
        Section("Texts that participants hold", LEASE_HEAD, leases, [] if leases else _leases(work), NUMBERS),
    ]


def _lost(work: Work) -> list[str]:
    return [f"Job {job.id} was lost by its worker. Any worker will take it over." for job in work.lost_jobs]


def _broker(broker: BrokerState) -> list[str]:
    if broker.error:
        return [f"The broker does not answer ({broker.error}). Workers still look for jobs in the table."]
    if not broker.workers:
        return ["No worker answers.", *_queues(broker)]
    rows = [(each.name, ", ".join(each.queues), _joined(each.jobs)) for each in broker.workers]
    return [*_table(("Worker", "Queues", "Runs job"), rows), *_queues(broker)]


def _queues(broker: BrokerState) -> list[str]:
    return ["", *_table(("Queue", "Messages waiting"), list(broker.messages.items()))]


def _jobs(work: Work) -> list[str]:
    if not work.jobs:
        return ["No job is waiting or running."]
    return [*_table(JOB_HEAD, [_job(job) for job in work.jobs]), *_lost(work)]


def _job(job: JobLine) -> Row:
    done = f"{job.done} of {job.total}" if job.total else "-"
    parts = _joined(job.parts)
    return job.id, job.kind, job.campaign, job.state, _time(job.age), job.attempts, done, _time(job.lease_left), parts


def _leases(work: Work) -> list[str]:
    if not work.leases:
        return ["No participant holds a text."]
    return _table(LEASE_HEAD, [(e.campaign, e.round, e.live, _time(e.next_end), e.run_out) for e in work.leases])


def _joined(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers)) or "-"


def _time(seconds: int | None) -> str:
    """Write seconds as people read them.

    >>> [_time(each) for each in (None, 7, 65, 7260, -61)]
    ['-', '7 s', '1 min 5 s', '2 h 1 min', 'ran out 1 min 1 s ago']
    """
    if seconds is None:
        return "-"
    if seconds < 0:
        return f"ran out {_time(-seconds)} ago"
    minutes, rest = divmod(seconds, 60)
    if minutes >= 60:
        return f"{minutes // 60} h {minutes % 60} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def _table(head: Sequence[str], rows: Sequence[Row]) -> list[str]:
    cells = [list(map(str, row)) for row in (head, *rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]
