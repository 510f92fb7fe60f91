"""Say what is wrong with this installation, and the way out."""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from annotation.doctor.registry import SUBJECTS, Check, Finding, Look, Verdict, checks, run

SIGNS = {Verdict.FINE: "ok", Verdict.WRONG: "WRONG", Verdict.UNSEEN: "could not look:"}


class Command(BaseCommand):
    help = "Say what is wrong with this installation. Writes and sends nothing; the exit code is 1 if something is."
    requires_system_checks = ()  # the checks say themselves what is wrong

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--format", choices=["text", "json"], default="text")
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
        if options["format"] == "json":
            self.stdout.write(json.dumps([as_json(*each) for each in found], indent=2))
        else:
            self._say(found)
        if any(finding.verdict is Verdict.WRONG for _check, finding in found):
            sys.exit(1)

    def _say(self, found: list[tuple[Check, Finding]]) -> None:
        for each, finding in found:
            self.stdout.write(f"{each.subject:14} {SIGNS[finding.verdict]} {finding.words}")
        count = {verdict: sum(finding.verdict is verdict for _check, finding in found) for verdict in Verdict}
        self.stdout.write("")
        if count[Verdict.WRONG]:
            self.stdout.write(f"Wrong: {count[Verdict.WRONG]} of {len(found)} checks.")
        else:
            self.stdout.write(f"Nothing wrong found by {len(found) - count[Verdict.UNSEEN]} checks.")
        if count[Verdict.UNSEEN]:
            self.stdout.write(f"Could not look: {count[Verdict.UNSEEN]} checks.")


def as_json(each: Check, finding: Finding) -> dict[str, str]:
    return {"subject": each.subject, "check": each.name, "verdict": finding.verdict.value, "message": finding.words}
