"""Import an existing release as a new campaign."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.utils.text import slugify

from common.commands import file_content, progress_bar
from common.errors import Refused
from compressions.commands import ImportCommand, say_left_out
from compressions.other_tools import pairs, tool_table
from corpus.release_import.reading import ReadRelease, release_import, release_read
from corpus.release_import.tools import USUAL_SCALES, ToolMapping, tool_release_read
from crowd.commands import account_named
from ratings.services.imported_scales import scales_named


class Command(BaseCommand):
    help = (
        "Import the texts, people and ratings of a release: one of this app, or RawData/*.tsv of the public format. "
        "With --from, import what people wrote and judged with another annotation tool."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="folder of the release, or the file that another tool exported")
        ImportCommand.add_column_arguments(parser)
        parser.add_argument(
            "--scale",
            action="append",
            default=[],
            metavar="'COLUMN LOWEST..HIGHEST STEP'",
            help="of a file that another tool exported: a question of which the answers are ratings, with its ends and "
            "step, such as 'fluency 1..5 step 1' (default: meaning and grammar, 1 to 3, as far as the file has them)",
        )
        parser.add_argument("--campaign", help="short name of the new campaign (default: the folder's name)")
        parser.add_argument("--name", help="name of the new campaign (default: its short name)")
        parser.add_argument(
            "--language", default="", help="language of the texts, such as en (default: what the files say)"
        )
        parser.add_argument(
            "--owner",
            "--staff",
            metavar="USERNAME",
            help="account that owns the campaign (default: the only account; needed if there are more)",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        folder: Path = options["folder"].resolve()
        name = folder.stem if options["tool"] else folder.name
        slug, owner = options["campaign"] or slugify(name), _owner(options["owner"])
        try:
            content = self._exported(folder, options) if options["tool"] else release_read(folder)
            with progress_bar("tables") as progress:
                campaign = release_import(
                    content=content,
                    slug=slug,
                    name=options["name"] or slug,
                    owner=owner,
                    language=options["language"],
                    progress=progress,
                )
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}") from error
        for problem in content.problems:
            self.stderr.write(str(problem))
        texts = sum(len(source.texts) for source in content.sources)
        outputs = sum(len(source.outputs) for source in content.sources)
        self.stdout.write(
            f"Campaign {campaign.slug}. Sources: {len(content.sources)}; compressions: {texts}; outputs of systems: "
            f"{outputs}; lines refused: {len(content.problems)}."
        )
        unrated = sum(not text.ratings for source in content.sources for text in source.texts)
        if unrated and not any(source.comparisons for source in content.sources):
            self.stdout.write(
                f"Compressions without a rating: {unrated}. As references they are in releases that are frozen with "
                "--min-ratings 0."
            )

    def _exported(self, file: Path, options: dict[str, Any]) -> ReadRelease:
        content = file_content(file)
        table = tool_table(options["tool"], file.name, content)
        say_left_out(self, table)
        scales = scales_named(options["scale"]) or USUAL_SCALES
        mapping = ToolMapping(pairs(options["column"]), pairs(options["fill"]), scales)
        return tool_release_read(table, file.name, content, mapping)


def _owner(name: str | None) -> User:
    """Return the account of this name, or else the only one: a campaign that nobody may open would be lost."""
    if name is not None:
        return account_named(name)
    found = list(User.objects.filter(is_active=True).order_by("pk")[:2])
    if len(found) == 1:
        return found[0]
    have = "more than one account" if found else "no account yet: make one with manage.py createsuperuser"
    raise CommandError(f"There is {have}. Name the owner of the campaign with --owner.")
