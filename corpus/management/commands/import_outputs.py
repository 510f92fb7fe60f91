"""Import the outputs of automatic systems for a campaign's sources."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandParser

from common.jobs import Progress
from compressions.commands import ImportCommand
from corpus.models import OutputImport
from corpus.services.outputs import Taken, outputs_import
from crowd.models import Campaign


class Command(ImportCommand):
    help = (
        "Import outputs of systems, one per source and system, from JSONL, CSV or TSV with id and text, from "
        "RawData, or from the answers of a batch interface (custom_id)."
        " Without a system, the file has a column system and may have the outputs of several."
    )
    file_help = "file of outputs"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("system", nargs="?", help="name of the system (default: the column system of the file)")
        parser.add_argument(
            "--decoys",
            action="store_true",
            help="only compare them with what editors write; never rate or publish them",
        )
        parser.add_argument(
            "--as-is",
            action="store_true",
            help="take outputs that are longer than the campaign allows; releases mark them",
        )
        parser.add_argument(
            "--note",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="what is known of how the outputs were made, such as date=2026-03-01; may be repeated (default: none)",
        )
        super().add_arguments(parser)

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        # Otherwise a system before an option takes the place of the file, and the file after it is refused.
        parser.parse_args = parser.parse_intermixed_args  # type: ignore[method-assign]
        return parser

    def file_import(
        self, campaign: Campaign, file_name: str, content: bytes, progress: Progress, options: dict[str, Any]
    ) -> OutputImport:
        given = (note.partition("=") for note in options["note"])
        notes = {name.strip(): value.strip() for name, _, value in given}
        taken = Taken(as_decoys=options["decoys"], as_is=options["as_is"], notes=notes)
        return outputs_import(
            campaign=campaign,
            system=options["system"],
            file_name=file_name,
            content=content,
            taken=taken,
            progress=progress,
        )
