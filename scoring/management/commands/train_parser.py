"""Train a small parser from a treebank, for languages without a spaCy pipeline."""

import json
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.errors import FilesAway
from common.stored_models import PREFIX, model_name_checked, model_store

DEV_INTERVAL = 10


class Command(BaseCommand):
    help = (
        "Train a small spaCy pipeline with a parser from a Universal Dependencies treebank, using spaCy's own convert "
        "and train. To use it, set PRECIS_SPACY_MODEL to its folder, or to stored: and its name."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("treebank", type=Path, help="a file in CoNLL-U")
        parser.add_argument(
            "--dev", type=Path, help="a file in CoNLL-U for choosing the best model (default: a tenth of the treebank)"
        )
        parser.add_argument("--language", default="en", help="language code (default: en)")
        place = parser.add_mutually_exclusive_group(required=True)
        place.add_argument("--output", type=Path, help="folder for the pipeline; must not exist (this or --store)")
        place.add_argument(
            "--store",
            metavar="NAME",
            type=model_name_checked,
            help="put it under this name where all machines find it (this or --output)",
        )
        parser.add_argument("--steps", type=int, default=5000, help="maximum number of training steps (default: 5000)")

    def handle(self, *_args: Any, **options: Any) -> None:
        output: Path | None = options["output"]
        if output is not None and output.exists():
            raise CommandError(f"{output} is there already.")
        if options["steps"] < 1:
            raise CommandError("steps must be at least 1")
        with tempfile.TemporaryDirectory(prefix="precis-parser-") as name:
            folder = Path(name)
            self._write_sentences(folder, options["treebank"], options["dev"])
            self._spacy("convert", folder / "train.conllu", folder, "--n-sents", 10)
            self._spacy("convert", folder / "dev.conllu", folder, "--n-sents", 10)
            self._spacy(
                "init", "config", folder / "config.cfg", "--lang", options["language"], "--pipeline", "tagger,parser"
            )
            self._spacy(
                "train",
                folder / "config.cfg",
                "--output",
                folder / "trained",
                "--paths.train",
                folder / "train.spacy",
                "--paths.dev",
                folder / "dev.spacy",
                "--training.max_steps",
                options["steps"],
            )
            best = folder / "trained" / "model-best"
            if not best.exists():
                raise CommandError("spaCy has left no pipeline; see its messages above.")
            said = self._keep(best, output) if output is not None else self._store(best, options["store"])
        self.stdout.write(said)

    @staticmethod
    def _keep(pipeline: Path, output: Path) -> str:
        _rename_pipeline(pipeline, output.name)
        output.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(pipeline, output)
        return f"The parser is in {output}. Set PRECIS_SPACY_MODEL={output.resolve()} to use it."

    @staticmethod
    def _store(pipeline: Path, name: str) -> str:
        _rename_pipeline(pipeline, name)
        try:
            digest = model_store(pipeline, name)
        except FilesAway as error:
            raise CommandError(str(error)) from error
        return f"The parser is stored (SHA-256 {digest}). Set PRECIS_SPACY_MODEL={PREFIX}{name} to use it."

    def _write_sentences(self, folder: Path, treebank: Path, dev: Path | None) -> None:
        """Write train.conllu and dev.conllu; without a dev file, hold out every tenth sentence of the treebank."""
        train = _read_sentences(treebank)
        held_out = _read_sentences(dev) if dev else train[::DEV_INTERVAL]
        kept = train if dev else [each for index, each in enumerate(train) if index % DEV_INTERVAL]
        for name, sentences, file in (("train", kept, treebank), ("dev", held_out, dev or treebank)):
            if not sentences:
                raise CommandError(f"{file}: too few sentences to train and to judge by.")
            (folder / f"{name}.conllu").write_text("\n\n".join(sentences) + "\n\n", encoding="utf-8")

    def _spacy(self, *arguments: object) -> None:
        command = [sys.executable, "-m", "spacy", *map(str, arguments)]
        done = subprocess.run(command, check=False)  # noqa: S603  (no shell, fixed subcommands)
        if done.returncode:
            raise CommandError(f"spaCy could not {arguments[0]}; see its messages above.")


def _rename_pipeline(pipeline: Path, name: str) -> None:
    """Set the pipeline's name, which appears in the signatures of scores."""
    file = pipeline / "meta.json"
    meta = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps(meta | {"name": name}, indent=2), encoding="utf-8")


def _read_sentences(path: Path) -> list[str]:
    """Return the sentences of a treebank, each as CoNLL-U lines."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{path}: byte {error.start} is not UTF-8") from error
    sentences = [each.strip("\n") for each in text.replace("\r\n", "\n").split("\n\n") if each.strip()]
    for number, sentence in enumerate(sentences, start=1):
        if not any(line.count("\t") == 9 for line in sentence.splitlines()):
            raise CommandError(f"{path}, sentence {number}: no line of ten fields, so it is not CoNLL-U.")
    return sentences
