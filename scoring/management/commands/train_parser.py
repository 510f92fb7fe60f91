"""Train a small parser from a treebank, for languages that have no pipeline."""

import json
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

DEV_SHARE = 10


class Command(BaseCommand):
    help = (
        "Make a small spaCy pipeline with a parser from a treebank of Universal Dependencies, by spaCy's own convert "
        "and train. PRECIS_SPACY_MODEL may then name its folder."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("treebank", type=Path, help="a file in CoNLL-U")
        parser.add_argument(
            "--dev", type=Path, help="another to choose the best model by; else a tenth of the treebank"
        )
        parser.add_argument("--language", default="en", help="code of the language")
        parser.add_argument("--output", type=Path, required=True, help="the folder for the pipeline; must not exist")
        parser.add_argument("--steps", type=int, default=5000, help="at most so many steps of training")

    def handle(self, *_args: Any, **options: Any) -> None:
        output: Path = options["output"]
        if output.exists():
            raise CommandError(f"{output} is there already.")
        if options["steps"] < 1:
            raise CommandError("steps must be at least 1")
        with tempfile.TemporaryDirectory(prefix="precis-parser-") as name:
            folder = Path(name)
            self._sentences(folder, options["treebank"], options["dev"])
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
                raise CommandError("spaCy has left no pipeline; what it says stands above.")
            _name(best, output.name)
            output.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(best, output)
        self.stdout.write(f"The parser is in {output}. Set PRECIS_SPACY_MODEL={output.resolve()} to use it.")

    def _sentences(self, folder: Path, treebank: Path, dev: Path | None) -> None:
        train = _read(treebank)
        held_out = _read(dev) if dev else train[::DEV_SHARE]
        kept = train if dev else [each for place, each in enumerate(train) if place % DEV_SHARE]
        for name, sentences, file in (("train", kept, treebank), ("dev", held_out, dev or treebank)):
            if not sentences:
                raise CommandError(f"{file}: too few sentences to train and to judge by.")
            (folder / f"{name}.conllu").write_text("\n\n".join(sentences) + "\n\n", encoding="utf-8")

    def _spacy(self, *words: object) -> None:
        command = [sys.executable, "-m", "spacy", *map(str, words)]
        done = subprocess.run(command, check=False)  # noqa: S603  (no shell, and the words are ours)
        if done.returncode:
            raise CommandError(f"spaCy could not {words[0]}; what it says stands above.")


def _name(pipeline: Path, name: str) -> None:
    """Give a pipeline the name that stands in the signatures of scores."""
    file = pipeline / "meta.json"
    meta = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps(meta | {"name": name}, indent=2), encoding="utf-8")


def _read(path: Path) -> list[str]:
    """The sentences of a treebank."""
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
