"""Import ratings by models, or by people who rated elsewhere."""

from argparse import ArgumentParser
from typing import Any

from common.jobs import Progress
from compressions.commands import ImportCommand
from crowd.models import Campaign
from ratings.models import ImportPool, RatingImport
from ratings.rating_files import wide_lines
from ratings.services.rating_imports import file_ratings_import


class Command(ImportCommand):
    help = (
        "Import ratings from JSONL, CSV or TSV: id of the source, text or system, rater, and a column for each scale. "
        "Ratings by models never count among people's."
    )
    file_help = "file of ratings"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--pool",
            choices=ImportPool.values,
            default=ImportPool.MODEL.value,
            help="who gave the ratings: models, or people of the crowd, or experts (default: model)",
        )
        parser.add_argument(
            "--scale",
            action="append",
            default=[],
            metavar="'COLUMN LOWEST..HIGHEST STEP'",
            help="a scale of the file with its column, ends and step, such as 'score 0..100 real' or 'adequacy 1..5 "
            "step 1', and ', less is better' behind it where that is so; other columns are then left aside (default: "
            "the scales of the campaign)",
        )
        parser.add_argument(
            "--long",
            metavar="COLUMN=COLUMN",
            help="of a CSV or TSV file with a line for each rating and scale: the column that names the scale and that "
            "of the number, such as aspect=rating (default: a line has all scales of a rating)",
        )

    def table(
        self, file_name: str, content: bytes, columns: dict[str, str], values: dict[str, str], options: dict[str, Any]
    ) -> bytes:
        """Return a file with a line for each rating, and with the columns that are wanted."""
        if options["long"]:
            content = wide_lines(file_name, content, options["long"], columns, values)
        return super().table(file_name, content, columns, values, options)

    def file_import(
        self, campaign: Campaign, file_name: str, content: bytes, progress: Progress, options: dict[str, Any]
    ) -> RatingImport:
        pool = ImportPool(options["pool"])
        chosen = {"pool": pool, "scales": options["scale"], "is_export": bool(options["tool"])}
        return file_ratings_import(campaign=campaign, file_name=file_name, content=content, progress=progress, **chosen)
