"""Write the OpenAPI document of the API to a file, for programs that are made from it."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from annotation.api_document import openapi


class Command(BaseCommand):
    help = "Write the description of the API to a file, as the site has it at /api/v1/openapi.json."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="such as docs/openapi.json")

    def handle(self, **options: Any) -> None:
        file: Path = options["file"]
        file.write_text(json.dumps(openapi(), indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")
        self.stdout.write(f"{file}: {len(openapi()['paths'])} addresses.")
