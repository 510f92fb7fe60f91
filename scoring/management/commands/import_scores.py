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
        "Import scores of a release's outputs from JSONL, TSV, CSV or Parquet. The columns are those of downloaded "
        "scores: source, system, metric, signature and score. For texts by people, system is empty or 'people' and "
        "the column text contains the text. --metric and --signature replace missing columns."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", help="the release's name, as in demo-v1")
        parser.add_argument("file", type=Path, help="JSONL, TSV, CSV or Parquet file of scores")
        parser.add_argument(
            "--metric", default="", help="the metric's name, as in BERTScore-F1 (default: the column metric)"
        )
        parser.add_argument(
            "--signature", default="", help="how the metric was computed, in one line (default: the column signature)"
        )

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
