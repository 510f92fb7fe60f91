"""Write the texts of a campaign or a release for programs that run elsewhere."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpus.commands import release_named
from corpus.models import Release
from crowd.commands import campaign_named, only_campaign
from systems.outside_options import chat_of
from systems.programs.chat import Chat
from systems.programs.texts import Range
from systems.services.inputs import BATCH, FORMATS, JSONL, TXT, input_lines
from systems.services.resources import campaign_sources, released_sources


class Command(BaseCommand):
    help = (
        "Write the texts of a campaign or a release to a file, with how long their compressions may be, for programs "
        "that run elsewhere. import_outputs takes what they answer."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="where to write them; it is not overwritten")
        parser.add_argument("--campaign", help="the campaign's short name (default: the only campaign)")
        parser.add_argument("--release", help="the texts of this release, as in demo-v1 (default: the campaign's)")
        parser.add_argument("--split", default="test", help="of the release, or all (default: test)")
        parser.add_argument(
            "--format",
            choices=FORMATS,
            default=JSONL,
            help="jsonl: with id, sentences, minimum and allowed characters; txt: a text a line; batch: requests for "
            "the batch interfaces of language models (default: jsonl)",
        )
        parser.add_argument("--model", metavar="NAME", help="batch: the model (default: none; batch needs one)")
        parser.add_argument(
            "--prompt", type=Path, metavar="FILE", help="batch: what the model is told (default: none; batch needs one)"
        )
        parser.add_argument("--temperature", type=float, help="batch: sent with each request (default: not sent)")

    def handle(self, *_args: Any, **options: Any) -> None:
        release = release_named(options["release"]) if options["release"] else None
        if release is not None:
            if release.state != Release.State.READY:
                raise CommandError(f"{release.name} is not ready.")
            campaign = release.campaign
            split = "" if options["split"] == "all" else options["split"]
            sources = [source for source, _released in released_sources(release, split)]
        else:
            campaign = campaign_named(options["campaign"]) if options["campaign"] else only_campaign()
            sources = list(campaign_sources(campaign))
        if not sources:
            raise CommandError("There are no texts to write.")
        chat = chat_of(options, tries=1) if options["format"] == BATCH else None
        lines = input_lines(sources, Range.below(campaign.keep_percent), options["format"], chat)
        try:
            with options["file"].open("x", encoding="utf-8") as stream:
                stream.writelines(f"{line}\n" for line in lines)
        except OSError as fault:
            raise CommandError(f"{options['file']}: {fault.strerror}") from fault
        self.stdout.write(f"{len(sources)} texts written to {options['file']}.")
        if chat is not None:
            self.stdout.write(_how_to_import(chat))
        elif options["format"] == TXT:
            self.stdout.write(
                "The file has no ids: import_outputs needs them beside the outputs, as --format jsonl has them."
            )


def _how_to_import(chat: Chat) -> str:
    """Return the command that takes the answers, with what is to be known of them."""
    notes = [f"model={chat.model}", f"prompt_sha256={chat.prompt.checksum}"]
    if chat.temperature is not None:
        notes.append(f"temperature={chat.temperature:g}")
    said = " ".join(f"--note {note}" for note in notes)
    name = chat.model.replace("/", "-")
    return f"Take the answers with: manage.py import_outputs {name} ANSWERS.jsonl {said} --note date=…"
