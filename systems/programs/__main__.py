"""Train and run systems on files: ``python -m systems.programs train NAME PAIRS FOLDER``."""

from __future__ import annotations

import argparse
import inspect
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from io import TextIOWrapper
from pathlib import Path

from tqdm import tqdm

from measures.core.text_files import text_lines
from measures.text.length_rule import KEEP_PERCENT
from measures.text.spacy_models import load_model, model_is_for
from systems.programs.documents import wholes
from systems.programs.files import cut_pairs, dev_sources, read_pairs, read_texts
from systems.programs.lm.arpa import read_arpa
from systems.programs.lm.trigrams import TrigramModel, trained
from systems.programs.models import Checkpoint, Model, Number, read_model, write_model
from systems.programs.pairs import TrainingData
from systems.programs.parses import Parse, parser_checksum, spacy_parse
from systems.programs.registry import SYSTEMS, System
from systems.programs.resources import Resources
from systems.programs.texts import NO_OUTPUT, Range, Source, described
from systems.programs.tokens import words_of_lines

EXAMPLES = """examples:
  python -m systems.programs run first sources.jsonl outputs.jsonl
  python -m systems.programs train seq2seq pairs.jsonl model --valid more.jsonl
  python -m systems.programs run seq2seq sources.jsonl outputs.jsonl --model model

A line of PAIRS is {"source": "...", "target": "..."}. A line of SOURCES is {"id": "7", "text": "..."}; it may have
"sentences", a "document", a "question" or "references". A line of OUTPUT has id, text, status, note and seconds."""

LANGUAGE, SEED = "en", 2016
PRESETS = ("cpu", "paper")
PARSER_CHECKSUM = "parser_sha256"


def main(arguments: list[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments : list of str, optional
        Words of the command line.

    Returns
    -------
    int
        0, or 2 if something could not be read, learnt or written.
    """
    given = _parser().parse_args(arguments)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    try:
        given.act(given)
        sys.stdout.flush()
    except (ValueError, ModuleNotFoundError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except BrokenPipeError:  # the reader has closed the pipe; Python would complain again when it ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        sys.stderr.write(f"{error.filename}: {error.strerror}\n")
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m systems.programs",
        description="Train and run systems that compress texts.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    acts = parser.add_subparsers(required=True)
    listing = acts.add_parser("list", help="print the systems, what each does, and what it needs")
    listing.set_defaults(act=_list)

    learning = [name for name, system in SYSTEMS.items() if system.train is not None]
    train = acts.add_parser("train", help="learn from pairs, and write a model")
    train.set_defaults(act=_train)
    train.add_argument("name", metavar="NAME", choices=learning, help=", ".join(learning))
    train.add_argument("pairs", metavar="PAIRS", help="JSON Lines with source and target: to learn from")
    train.add_argument("folder", metavar="FOLDER", type=Path, help="a new folder for the model")
    train.add_argument("--valid", metavar="FILE", help="more pairs: to choose parameters on (default: none)")
    train.add_argument("--preset", choices=PRESETS, help="networks: how large (default: cpu)")
    train.add_argument("--device", help="networks: where to compute, as in cuda (default: cpu)")
    train.add_argument("--vectors", metavar="FILE", help="networks: vectors of words to begin with (default: drawn)")

    run = acts.add_parser("run", help="compress texts, and write the outputs")
    run.set_defaults(act=_run)
    run.add_argument("name", metavar="NAME", choices=list(SYSTEMS), help=", ".join(SYSTEMS))
    run.add_argument("sources", metavar="SOURCES", help="JSON Lines with id and text")
    run.add_argument("output", metavar="OUTPUT", type=Path, help="where to write the outputs")
    run.add_argument("--model", metavar="FOLDER", type=Path, help="what train has written (default: as it comes)")
    able = ", ".join(name for name, system in SYSTEMS.items() if system.takes_documents)
    run.add_argument(
        "--documents",
        action="store_true",
        help=f"{able}: choose among the sentences of all texts of a document (default: of each text)",
    )

    for each in (train, run):
        each.add_argument("--language", help=f"tag of the language of the texts (default: {LANGUAGE})")
        each.add_argument("--seed", type=int, default=SEED, help=f"of what is drawn (default: {SEED})")
        each.add_argument(
            "--most",
            type=int,
            default=KEEP_PERCENT,
            help=f"how long an output may be, in percent of the characters of its text (default: {KEEP_PERCENT})",
        )
        each.add_argument("--parser", default="", help="a spaCy pipeline with Universal Dependencies (default: none)")
        words = each.add_mutually_exclusive_group()
        words.add_argument("--language-model", metavar="FILE", help="trigrams, as ARPA (default: trained on the texts)")
        words.add_argument(
            "--text",
            action="append",
            default=[],
            metavar="FILE",
            help="train the language model on the lines of this file, too; may be repeated (default: none)",
        )
    return parser


def _list(_given: argparse.Namespace) -> None:
    for name, system in SYSTEMS.items():
        needs = {
            "learns": system.train is not None,
            "must be trained": system.is_learnt,
            "needs a parser": system.is_parsing,
            "needs documents or questions": system.wants_about,
            "can take documents": system.takes_documents,
            "looks at references": system.has_seen_references,
        }
        sys.stdout.write(f"{name}\t{system.title}\t{', '.join(words for words, is_so in needs.items() if is_so)}\n")


def _train(given: argparse.Namespace) -> None:
    system, language = SYSTEMS[given.name], given.language or LANGUAGE
    if given.folder.exists():
        raise ValueError(f"{given.folder} is there already: name a new folder")
    train: Callable[..., Model] | None = system.train
    options = {name: value for name in ("preset", "device", "vectors") if (value := getattr(given, name))}
    if train is None or (unknown := sorted(options.keys() - inspect.signature(train).parameters.keys())):
        raise ValueError(f"the training of {given.name} has no option {unknown[0]}")
    cuts = cut_pairs(read_pairs(given.pairs), language)
    pairs = tuple(pair for cut in cuts for pair in cut.pairs)
    dev = dev_sources(read_pairs(given.valid) if given.valid else (), language)
    parse = _parse(given, system, language)
    made_from: dict[str, Number] = {
        **_file("pairs", given.pairs),
        **(_file("valid", given.valid) if given.valid else {}),
        "parser": given.parser if system.is_parsing else "",
        PARSER_CHECKSUM: parser_checksum(given.parser) if system.is_parsing else "",
        "merged_sentences": sum(cut.merged for cut in cuts),
        "sentences_without_a_pair": sum(cut.unmatched for cut in cuts),
    }
    sources = [Source(text, language, (text,)) for text in dict.fromkeys(pair.source for pair in pairs)]
    known = Resources(sources, parse, _language_model(given, system, sources, language))
    data = TrainingData(language, pairs, dev, Range.below(given.most))
    with _bar("steps") as progress:
        model = train(data, known, seed=given.seed, checkpoint=Checkpoint(), progress=progress, **options)
    write_model(replace(model, made_from=made_from | dict(model.made_from)), given.folder)
    sys.stdout.write(f"{given.name} learnt from {len(pairs):,} pairs of sentences: {given.folder}\n")


def _file(name: str, path: str) -> dict[str, Number]:
    return {f"{name}_file": Path(path).name, f"{name}_sha256": sha256(Path(path).read_bytes()).hexdigest()}


def _run(given: argparse.Namespace) -> None:
    system, model = SYSTEMS[given.name], _model(given)
    language = model.language if model else given.language or LANGUAGE
    texts = read_texts(given.sources, language)
    if not texts.sources:
        raise ValueError(f"{given.sources}: there is no text")
    if system.wants_about and not texts.documents and not texts.questions:
        raise ValueError(f"{given.sources}: {given.name} needs a document or a question in the lines of texts")
    if given.documents and not system.takes_documents:
        raise ValueError(f"{given.name} does not choose among the sentences of documents: leave out --documents")
    if given.documents and not texts.documents:
        raise ValueError(f"{given.sources}: --documents needs a document in the lines of texts")
    learnt = model.trigrams if model else None
    known = Resources(
        texts.sources,
        _parse(given, system, language),
        learnt or _language_model(given, system, texts.sources, language),
        texts.documents,
        texts.questions,
        wholes(texts.sources, texts.documents) if given.documents else {},
        texts.references if system.has_seen_references else {},
        model,
    )
    compress, allowed = system.prepare(known), Range.below(given.most)
    statuses, begun = Counter[str](), time.perf_counter()
    with given.output.open("w", encoding="utf-8", newline="\n") as stream, _bar("texts") as progress:
        for number, source in enumerate(texts.sources, start=1):
            since = time.perf_counter()
            output = compress(source, allowed, given.seed)
            row = described(source, output, time.perf_counter() - since)
            statuses[row["status"]] += 1
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
            progress(number, len(texts.sources))
    each = (time.perf_counter() - begun) / len(texts.sources)
    counts = ", ".join(f"{number} {status}" for status, number in statuses.items() if status != NO_OUTPUT)
    made = len(texts.sources) - statuses[NO_OUTPUT]
    sys.stdout.write(f"{made} outputs ({counts or 'none'}), {each:.3f} seconds a text.\n")


def _model(given: argparse.Namespace) -> Model | None:
    """Return the model that is named, if it is one of the system, of the language and of the parser."""
    system = SYSTEMS[given.name]
    if given.model is None:
        if system.is_learnt:
            raise ValueError(f"{given.name} must be trained before it is run: name its model with --model")
        return None
    try:
        model = read_model(given.model)
    except ValueError as fault:
        raise ValueError(f"{given.model}: {fault}") from fault
    if model.kind != given.name:
        raise ValueError(f"{given.model} is a model of {model.kind}, not of {given.name}")
    if given.language and given.language != model.language:
        raise ValueError(f"{given.model} is for texts in {model.language}, not in {given.language}")
    if system.is_parsing and given.parser and parser_checksum(given.parser) != model.made_from.get(PARSER_CHECKSUM):
        raise ValueError(f"{given.model} was trained with another parser: {model.made_from.get('parser')}")
    return model


def _parse(given: argparse.Namespace, system: System, language: str) -> Parse | None:
    if not given.parser:
        if system.is_parsing:
            raise ValueError(f"{given.name} needs a spaCy pipeline with Universal Dependencies: name one with --parser")
        return None
    if not model_is_for(given.parser, language):
        raise ValueError(f"{given.parser} is for another language than the texts ({language})")
    try:
        return spacy_parse(load_model(given.parser))
    except ValueError as fault:
        raise ValueError(f"{given.parser}: {fault}") from fault


def _language_model(
    given: argparse.Namespace, system: System, sources: Iterable[Source], language: str
) -> TrigramModel | None:
    """Return the model of a file, or train one on sentences and the lines of files; none where it is not needed."""
    if not system.is_parsing:
        return None
    if given.language_model:
        try:
            with Path(given.language_model).open(encoding="utf-8") as stream:
                return read_arpa(stream)
        except ValueError as fault:
            raise ValueError(f"{given.language_model}: {fault}") from fault
    lines = [sentence for source in sources for sentence in source.sentences]
    return trained(words_of_lines([*lines, *(line for name in given.text for line in text_lines(name))], language))


@contextmanager
def _bar(unit: str) -> Iterator[Callable[[int, int], None]]:
    """How far it has come, where somebody watches."""
    with tqdm(unit=f" {unit}", disable=None) as bar:

        def progress(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield progress


if __name__ == "__main__":
    sys.exit(main())
