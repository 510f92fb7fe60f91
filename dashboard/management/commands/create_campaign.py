"""Create a campaign from a file or a template."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from crowd.commands import account_named
from dashboard.campaign_files.reading import MAX_BYTES, CampaignFileRefused
from dashboard.campaign_files.services import campaign_file_create
from dashboard.campaign_files.templates import TEMPLATES


class Command(BaseCommand):
    help = (
        "Create a draft campaign from a YAML file such as export_campaign writes. If anything in it is wrong, no "
        "campaign is created."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        source = parser.add_mutually_exclusive_group(required=True)
        source.add_argument("file", nargs="?", type=Path, help="the file (this or --template)")
        source.add_argument("--template", choices=sorted(TEMPLATES), help="one of our templates (this or a file)")
        parser.add_argument("--owner", required=True, metavar="USERNAME", help="the account that owns the campaign")
        parser.add_argument("--slug", default="", help="its short name (default: the file's)")
        parser.add_argument("--name", default="", help="its name (default: the file's)")

    def handle(self, *_args: Any, **options: Any) -> None:
        owner = account_named(options["owner"])
        content = TEMPLATES[options["template"]].content if options["template"] else _content(options["file"])
        try:
            campaign = campaign_file_create(content=content, owner=owner, slug=options["slug"], name=options["name"])
        except CampaignFileRefused as refusal:
            more = f"\nand {refusal.more} more" if refusal.more else ""
            raise CommandError(f"Nothing was stored.\n{refusal}{more}") from refusal
        self.stdout.write(f"{campaign.slug} has been created as a draft.")


def _content(path: Path) -> bytes:
    """Read a file, and not more of it than shows that it is too large."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
