"""Import the qualification test of a campaign's raters."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.commands import file_content
from common.errors import Refused
from compressions.readers import json_fault
from compressions.text_faults import text_fault
from crowd.commands import campaign_named
from ratings.services.qualification import ExampleText, qualification_items_replace

REQUIRED_FIELDS = {"source": str, "compression": str, "answers": dict, "why": str}
OPTIONAL_FIELDS = {"other": str, "is_practice": bool}
TYPE_NAMES = {str: "text", dict: "a list of points for each scale", bool: "true or false"}


class Command(BaseCommand):
    help = "Replace a campaign's qualification test with the examples of a JSONL file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name")
        parser.add_argument("file", type=Path, help="JSONL file, one example per line")

    def handle(self, *_args: Any, **options: Any) -> None:
        campaign, file = campaign_named(options["campaign"]), options["file"]
        try:
            lines = file_content(file).decode("utf-8-sig").splitlines()
        except UnicodeDecodeError as error:
            raise CommandError(f"{file}: {error}") from error
        examples = [_example(f"{file.name}, line {n}", line) for n, line in enumerate(lines, start=1) if line.strip()]
        try:
            qualification_items_replace(campaign=campaign, examples=examples)
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"The test of {campaign.name} has {len(examples)} examples.")


def _example(where: str, line: str) -> ExampleText:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{where}: not JSON ({json_fault(error)})") from error
    if not isinstance(value, dict):
        raise CommandError(f"{where}: not a JSON object")
    for name, kind in (REQUIRED_FIELDS | OPTIONAL_FIELDS).items():
        if not isinstance(value.get(name, None if name in REQUIRED_FIELDS else kind()), kind):
            raise CommandError(f"{where}: {name!r} must be {TYPE_NAMES[kind]}")
    for name in REQUIRED_FIELDS | OPTIONAL_FIELDS:
        if isinstance(value.get(name), str) and (reason := text_fault(value[name])):
            raise CommandError(f"{where}: {name!r}: {reason}")
    if not all(isinstance(points, list) for points in value["answers"].values()):
        raise CommandError(f"{where}: 'answers' must be {TYPE_NAMES[dict]}")
    return ExampleText(**{name: value[name] for name in REQUIRED_FIELDS | OPTIONAL_FIELDS if name in value})
