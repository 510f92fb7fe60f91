"""Show workers, queues, jobs and leases."""

import json
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand

from annotation.broker import BrokerState, broker_state
from annotation.selectors.work import JobLine, Work, work_now

Row = Sequence[object]


class Command(BaseCommand):
    help = "Show which workers answer, which jobs wait or run, which leases are held, and what waits in the broker."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--format", choices=["table", "json"], default="table")

    def handle(self, *_args: Any, **options: Any) -> None:
        work, broker = work_now(), broker_state()
        if options["format"] == "json":
            self.stdout.write(json.dumps({"broker": asdict(broker), **asdict(work)}, indent=1))
            return
        for lines in (_broker(broker), _jobs(work), _leases(work)):
            self.stdout.write("\n".join(lines) + "\n")


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
    head = ("Job", "Kind", "Campaign", "State", "Age", "Attempts", "Done", "Lease left", "Holds parts")
    lost = [f"Job {job.id} was lost by its worker. Any worker will take it over." for job in work.lost_jobs]
    return [*_table(head, [_job(job) for job in work.jobs]), *lost]


def _job(job: JobLine) -> Row:
    done = f"{job.done} of {job.total}" if job.total else "-"
    parts = _joined(job.parts)
    return job.id, job.kind, job.campaign, job.state, _time(job.age), job.attempts, done, _time(job.lease_left), parts


def _leases(work: Work) -> list[str]:
    if not work.leases:
        return ["No participant holds a text."]
    head = ("Campaign", "Round", "Texts held", "Next lease ends in", "Leases run out")
    return _table(head, [(e.campaign, e.round, e.live, _time(e.next_end), e.run_out) for e in work.leases])


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
