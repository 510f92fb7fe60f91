"""Train a system on the train split of a release."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.commands import file_content, progress_bar
from common.errors import Refused
from corpus.commands import release_named
from systems.programs.registry import SYSTEMS
from systems.services.resources import Given
from systems.services.training import PRESETS, TrainRequest, learning_systems, system_train
from systems.services.training_data import PairsFile


class Command(BaseCommand):
    help = "Train a system on the train split of a release; its parameters are chosen on the split valid. " + "; ".join(
        f"{name}: {title}" for name, title in learning_systems().items()
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("system", choices=list(learning_systems()), help="the system")
        parser.add_argument("--release", required=True, help="the release's name, as in demo-v1")
        parser.add_argument("--name", help="what its outputs are called (default: the system's name)")
        parser.add_argument("--seed", type=int, default=2016, help="seed of what is drawn (default: 2016)")
        parser.add_argument(
            "--pairs",
            type=Path,
            metavar="FILE",
            help="JSONL, CSV or TSV with source and target: learn from them, too (default: none)",
        )
        parser.add_argument(
            "--alignments",
            type=Path,
            metavar="FILE",
            help="t3: which words of the pairs of --pairs belong together, a line as 0-0 1-2 for each pair; an empty "
            "one leaves it to the aligner (default: none)",
        )
        parser.add_argument(
            "--well-rated",
            action="store_true",
            help="learn only from compressions with a mean of at least 2.5 of 3 on all scales",
        )
        parser.add_argument("--preset", choices=PRESETS, default="", help="neural systems: how large (default: cpu)")
        parser.add_argument("--device", default="", help="neural systems: where to compute, as in cuda (default: cpu)")
        parser.add_argument(
            "--vectors",
            default="",
            metavar="FILE",
            help="neural systems: begin with these vectors of words, in a file of word2vec or GloVe (default: drawn)",
        )
        parser.add_argument(
            "--parser",
            default="",
            help=f"{', '.join(name for name in learning_systems() if SYSTEMS[name].is_parsing)}: a spaCy pipeline with "
            "Universal Dependencies (default: that of PRECIS_SPACY_MODEL)",
        )
        model = parser.add_mutually_exclusive_group()
        model.add_argument(
            "--language-model",
            default="",
            metavar="FILE",
            help="trigrams, as ARPA (default: trained on the train split)",
        )
        model.add_argument(
            "--text",
            action="append",
            default=[],
            metavar="FILE",
            help="train the language model on the lines of this file, too; may be repeated (default: none)",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        request = TrainRequest(
            release=release_named(options["release"]),
            kind=options["system"],
            name=options["name"] or options["system"],
            seed=options["seed"],
            preset=options["preset"],
            device=options["device"],
            vectors=options["vectors"],
            well_rated=options["well_rated"],
            given=Given(options["parser"], options["language_model"], options["text"]),
            pairs=PairsFile(*_file(options["pairs"]), *_file(options["alignments"])),
        )
        try:
            with progress_bar("steps") as progress:
                model = system_train(request=request, progress=progress)
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(
            f"{model.name} learnt from {model.pairs_learnt:,} pairs. "
            f"Run it: manage.py run_system {model.kind} --model {model.pk} --release {options['release']}"
        )


def _file(path: Path | None) -> tuple[str, bytes]:
    return (path.name, file_content(path)) if path else ("", b"")
