"""Import answers to a campaign's judgement task that people gave elsewhere."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from common.jobs import Progress
from compressions.commands import ImportCommand
from crowd.models import Campaign
from protocols.models import FILE_FORMS, MaterialImport
from protocols.services.material import material_import

QUOTED = "-quoted"


class Command(ImportCommand):
    help = (
        "Import answers to the campaign's judgement task that people gave elsewhere, from a file of another program. "
        "These people and the texts come in with them."
    )
    file_help = "file of answers"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        known = [each for each in FILE_FORMS if not each.endswith(QUOTED)]
        parser.add_argument("--format", choices=known, required=True, help="the format of the file")
        parser.add_argument(
            "--quoting",
            choices=["none", "minimal"],
            default="none",
            help="of mqm: minimal, if quotation marks stand around cells and are doubled within (default: none)",
        )

    @staticmethod
    def add_column_arguments(parser: ArgumentParser) -> None:
        """Add none: the formats say which columns there are."""

    def file_import(
        self, campaign: Campaign, file_name: str, content: bytes, progress: Progress, options: dict[str, Any]
    ) -> MaterialImport:
        answers = options["format"] + (QUOTED if options["quoting"] == "minimal" else "")
        if answers not in FILE_FORMS:
            raise CommandError("Only mqm has --quoting.")
        return material_import(
            campaign=campaign, file_name=file_name, content=content, answers=answers, progress=progress
        )
