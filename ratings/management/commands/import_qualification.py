"""Set the test that raters of a campaign must pass."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from crowd.commands import campaign_named
from crowd.errors import Refused
from ratings.services.qualification import Example, qualification_items_replace

FIELDS = {"source": str, "compression": str, "meaning": list, "grammar": list, "why": str}


class Command(BaseCommand):
    help = "Replace the raters' test of a campaign by the examples of a JSONL file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name")
        parser.add_argument("file", type=Path)

    def handle(self, *_args: Any, **options: Any) -> None:
        campaign, file = campaign_named(options["campaign"]), options["file"]
        try:
            lines = file.read_text(encoding="utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{file}: {error}") from error
        examples = [_example(f"{file.name}, line {n}", line) for n, line in enumerate(lines, start=1) if line.strip()]
        try:
            qualification_items_replace(campaign=campaign, examples=examples)
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"The test of {campaign.name} has {len(examples)} examples.")


def _example(where: str, line: str) -> Example:
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        raise CommandError(f"{where}: not JSON ({error.msg})") from error
    for name, kind in FIELDS.items():
        if not isinstance(value, dict) or not isinstance(value.get(name), kind):
            raise CommandError(f"{where}: {name!r} must be {'text' if kind is str else 'a list of points'}")
    return Example(**{name: value[name] for name in FIELDS})
