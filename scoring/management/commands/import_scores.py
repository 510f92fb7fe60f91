"""Import scores that were computed elsewhere."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.errors import Refused
from corpus.commands import release_named
from scoring.services.imports import scores_import


class Command(BaseCommand):
    help = (
        "Import scores of outputs of a release from JSONL, TSV, CSV or Parquet with the columns that scores are "
        "downloaded with: source, system, metric, signature and score; for texts by people the system is empty or "
        "'people', and the column text says which. --metric and --signature stand for columns that are not there."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", help="the release's name, as in demo-v1")
        parser.add_argument("file", type=Path)
        parser.add_argument("--metric", default="", help="its name, as in BERTScore-F1")
        parser.add_argument("--signature", default="", help="with what it was computed, in one line")

    def handle(self, *_args: Any, **options: Any) -> None:
        release = release_named(options["release"])
        try:
            run = scores_import(
                release=release, metric=options["metric"], signature=options["signature"], path=options["file"]
            )
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}") from error
        run.refresh_from_db()
        self.stdout.write(f"{run.outputs} outputs of {release.name} have scores of {', '.join(run.signatures)}.")
