"""Write a release in the shape that another annotation tool takes in."""

import json
from argparse import ArgumentParser
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.errors import FilesAway
from corpus.commands import release_named
from corpus.formats.other_tools import argilla_records, argilla_settings, label_studio_config, label_studio_tasks
from corpus.models import Release
from corpus.selectors import release_stream


class Command(BaseCommand):
    help = (
        "Write the texts of a release, with the ratings that it has, as files that Label Studio or Argilla takes in. "
        "import_release --from is the way back."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", help="the release, as CAMPAIGN-v1")
        parser.add_argument("tool", choices=sorted(WRITERS), help="the tool that is to take it in")
        parser.add_argument("folder", type=Path, help="where to; made if it is missing")

    def handle(self, *_args: Any, **options: Any) -> None:
        release, folder = release_named(options["release"]), options["folder"]
        if release.state != Release.State.READY:
            raise CommandError(f"{release.name} is not ready.")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for path in WRITERS[options["tool"]](release, folder):
                self.stdout.write(str(path))
        except (FilesAway, FileNotFoundError) as fault:
            raise CommandError(str(fault)) from fault
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}") from error


def _label_studio(release: Release, folder: Path) -> list[Path]:
    tasks, config = folder / "tasks.json", folder / "config.xml"
    with tasks.open("w", encoding="utf-8") as file:
        file.write("[")
        for number, task in enumerate(label_studio_tasks(release_stream(release), release.rating_scales)):
            file.write(("," if number else "") + "\n" + json.dumps(task, ensure_ascii=False))
        file.write("\n]\n")
    config.write_text(label_studio_config(release.rating_scales), encoding="utf-8")
    return [tasks, config]


def _argilla(release: Release, folder: Path) -> list[Path]:
    records, settings = folder / "records.jsonl", folder / "settings.json"
    with records.open("w", encoding="utf-8") as file:
        for record in argilla_records(release_stream(release), release.rating_scales):
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
    settings.write_text(json.dumps(argilla_settings(release.rating_scales), indent=2) + "\n", encoding="utf-8")
    return [records, settings]


WRITERS: dict[str, Callable[[Release, Path], Iterable[Path]]] = {"argilla": _argilla, "label-studio": _label_studio}
