"""Upload a release to the Hugging Face Hub, or into a draft on Zenodo.

The token is asked for here and lives in this process alone. A job would have to keep it in its row, and a page would
have to hold a request for as long as the upload takes; so neither does it.
"""

import re
import sys
from argparse import ArgumentParser
from getpass import getpass
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.errors import FilesAway, Refused
from common.extras import HUB
from corpus.commands import release_named
from corpus.models import Release, ReleaseFile
from corpus.publishing.destination import Destination, receiver_named, uploads_of
from corpus.publishing.zenodo import not_known, zenodo_push
from corpus.services.release import release_uploaded

HUGGING_FACE, ZENODO = "huggingface", "zenodo"
HOSTS = {HUGGING_FACE: "huggingface.co", ZENODO: "zenodo.org"}
REPOSITORY = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}", re.ASCII)
LONGEST_TOKEN = 5_000


class Command(BaseCommand):
    help = "Upload a release to the Hugging Face Hub, or into a draft on Zenodo that you then publish there."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", help="the release, as CAMPAIGN-v1")
        parser.add_argument("service", choices=sorted(HOSTS), help="where to")
        parser.add_argument(
            "--to", metavar="OWNER/NAME", help="huggingface: the dataset, made if it is missing (no default)"
        )
        parser.add_argument("--public", action="store_true", help="huggingface: for all to see (default: private)")
        parser.add_argument("--host", help="another listed host (default: the public one of the service)")
        parser.add_argument(
            "--dry-run", action="store_true", help="list what would be sent (default: ask for a token, and send it)"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        release = release_named(options["release"])
        if release.state != Release.State.READY:
            raise CommandError(f"{release.name} is not ready.")
        service = options["service"]
        self._check(service, options["to"], options["public"])
        try:
            receiver = receiver_named(options["host"] or HOSTS[service])
            files = files_for(service, release)
            self._list(files, f"{receiver.origin}/datasets/{options['to']}" if options["to"] else receiver.origin)
            if options["dry_run"]:
                return
            if service == HUGGING_FACE and not HUB.is_installed:
                raise CommandError(f"This needs huggingface_hub: {HUB.command}")
            to = Destination(receiver, _token(receiver.host))
            self._push(service, release, files, to, options)
        except (Refused, FilesAway, FileNotFoundError) as refusal:
            raise CommandError(str(refusal)) from None

    def _check(self, service: str, to: str | None, is_public: bool) -> None:
        if service == ZENODO and (to or is_public):
            raise CommandError("--to and --public are for huggingface: a draft on Zenodo is yours alone.")
        if service == HUGGING_FACE and not REPOSITORY.fullmatch(to or ""):
            raise CommandError("--to names the dataset as OWNER/NAME.")

    def _list(self, files: list[ReleaseFile], place: str) -> None:
        for file in files:
            self.stdout.write(f"{file.size:>14,}  {file.sha256}  {file.name}")
        self.stdout.write(f"{sum(file.size for file in files):,} bytes in {len(files)} files, for {place}")

    def _push(
        self, service: str, release: Release, files: list[ReleaseFile], to: Destination, options: dict[str, Any]
    ) -> None:
        with uploads_of(release, files) as uploads:
            if service == ZENODO:
                draft = zenodo_push(release=release, uploads=uploads, to=to)
                address, doi = draft.address, f" Its DOI will be {draft.doi}." if draft.doi else ""
                missing = not_known(release)
                asked = f" Zenodo still asks for {' and '.join(missing)}." if missing else ""
                said = f"The draft is complete, and not published: {address}{doi}{asked}"
            else:
                from corpus.publishing.hub import hub_push

                private = not options["public"]
                said = address = hub_push(
                    release=release, uploads=uploads, repository=options["to"], private=private, to=to
                )
        release_uploaded(release=release, address=address)
        self.stdout.write(said)


def files_for(service: str, release: Release) -> list[ReleaseFile]:
    """Return what is sent: to the Hub all but the ZIP; to Zenodo, which takes 100 files, the ZIP and its heads."""
    files = list(release.files.order_by("name"))
    if service == HUGGING_FACE:
        return [file for file in files if not file.name.endswith(".zip")]
    return [file for file in files if "/" not in file.name and file.name.endswith((".zip", ".md", ".json"))]


def _token(host: str) -> str:
    """Ask for the token, or read it from the first line of what is piped in."""
    if sys.stdin.isatty():
        return getpass(f"Token for {host}: ").strip()
    return sys.stdin.readline(LONGEST_TOKEN).strip()
