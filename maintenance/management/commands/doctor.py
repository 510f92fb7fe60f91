"""Say what is wrong with this installation, and the way out."""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from common.console import CSV, JSON, TABLE, TEXT, Section, add_format, csv_text, form_of, print_sections
from maintenance.checks.registry import SUBJECTS, Check, Finding, Look, Verdict, checks, run

SIGNS = {Verdict.FINE: "ok", Verdict.WRONG: "WRONG", Verdict.UNSEEN: "could not look:"}


class Command(BaseCommand):
    help = "Say what is wrong with this installation. Writes and sends nothing; the exit code is 1 if something is."
    requires_system_checks = ()  # the checks say themselves what is wrong

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_format(parser, TEXT)
        parser.add_argument(
            "--only",
            action="append",
            default=[],
            choices=SUBJECTS,
            metavar="SUBJECT",
            help=f"only {', '.join(SUBJECTS)}; may be repeated (default: all)",
        )
        parser.add_argument("--files", action="store_true", help="check the SHA-256 of all files of all releases")
        parser.add_argument(
            "--web-processes", type=int, default=2, help="gunicorn's --workers, on all computers (default: 2)"
        )
        parser.add_argument(
            "--worker-processes", type=int, default=2, help="celery's --concurrency, on all computers (default: 2)"
        )
        parser.add_argument("--url", default="", help="the public address (default: the first of ALLOWED_HOSTS)")

    def handle(self, *_args: Any, **options: Any) -> None:
        look = Look(options["files"], options["web_processes"], options["worker_processes"], options["url"])
        chosen = [each for each in checks() if not options["only"] or each.subject in options["only"]]
        found = [(each, run(each, look)) for each in chosen]
        rows, form = [as_json(*each) for each in found], form_of(self, options, TEXT)
        if form == JSON:
            self.stdout.write(json.dumps(rows, indent=2))
        elif form == CSV:
            self.stdout.write(csv_text(["subject", "check", "verdict", "message"], rows), ending="")
        elif form == TABLE:
            cells = [(each.subject, SIGNS[finding.verdict].rstrip(":"), finding.words) for each, finding in found]
            table = Section("This installation", ("Subject", "Verdict", "What was seen"), cells)
            print_sections(self, [table], options, " ".join(_counts(found)))
        else:
            self._say(found)
        if any(finding.verdict is Verdict.WRONG for _check, finding in found):
            sys.exit(1)

    def _say(self, found: list[tuple[Check, Finding]]) -> None:
        for each, finding in found:
            self.stdout.write(f"{each.subject:14} {SIGNS[finding.verdict]} {finding.words}")
        for line in ("", *_counts(found)):
            self.stdout.write(line)


def _counts(found: list[tuple[Check, Finding]]) -> list[str]:
    count = {verdict: sum(finding.verdict is verdict for _check, finding in found) for verdict in Verdict}
    wrong, unseen = count[Verdict.WRONG], count[Verdict.UNSEEN]
    said = (
        f"Wrong: {wrong} of {len(found)} checks." if wrong else f"Nothing wrong found by {len(found) - unseen} checks."
    )
    return [said, f"Could not look: {unseen} checks."] if unseen else [said]


def as_json(each: Check, finding: Finding) -> dict[str, str]:
    return {"subject": each.subject, "check": each.name, "verdict": finding.verdict.value, "message": finding.words}
