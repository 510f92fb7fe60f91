"""Run systems on the texts of a campaign."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

from common.errors import Refused
from common.jobs import Progress
from compressions.models import Source as CampaignSource
from corpus.models import OutputImport
from corpus.services.outputs import outputs_import
from crowd.models import Campaign
from measures.core.undefined import Undefined
from measures.text.segmentation import sentences
from measures.text.spacy_models import load_model, model_is_for
from systems.programs.lm.arpa import read_arpa
from systems.programs.lm.trigrams import TrigramModel, trained
from systems.programs.parses import Parse, spacy_parse
from systems.programs.registry import SYSTEMS
from systems.programs.resources import Resources
from systems.programs.texts import Range, Source, Status
from systems.programs.tokens import tokens_of

MOST_BYTES = 1_000_000_000
"""Of a file with a language model or with text to train one on."""


@dataclass(frozen=True)
class Given:
    """What is given beside the texts: a pipeline of spaCy, a language model as ARPA, or text to train one on."""

    parser: str = ""
    language_model: str = ""
    texts: Sequence[str] = ()


@dataclass(frozen=True)
class SystemRun:
    """What a system made: how its outputs came about, how many texts are left without one, and the import."""

    statuses: Counter[Status]
    without: int
    report: OutputImport | None


def system_run(
    *, campaign: Campaign, name: str, system_name: str, seed: int, given: Given, progress: Progress
) -> SystemRun:
    """Compress all texts of a campaign that are not retired, and import what the system itself made.

    What it could not make by its own rule, and so would only be the first words, is no output of it and is left out.
    Run again, outputs that are there stay as they are.
    """
    sources, lines, statuses, without = list(_sources(campaign)), [], Counter[Status](), 0
    system = SYSTEMS[name]
    resources = Resources(sources)
    if system.is_parsing:
        resources = Resources(sources, _parser(campaign, given.parser), _language_model(campaign, sources, given))
    compress, allowed = system.prepare(resources), Range.below(campaign.keep_percent)
    for number, source in enumerate(sources, start=1):
        output = compress(source, allowed, seed)
        if isinstance(output, Undefined) or output.status == Status.FALLBACK:
            without += 1
        else:
            statuses[output.status] += 1
            lines.append(json.dumps({"id": source.id, "text": output.text}))
        progress(number, 2 * len(sources))
    if not lines:
        return SystemRun(statuses, without, None)
    report = outputs_import(
        campaign=campaign,
        system=system_name,
        file_name=f"{name}.jsonl",
        content="\n".join(lines).encode(),
        progress=lambda done, total: progress(total + done, 2 * total),
    )
    return SystemRun(statuses, without, report)


def _sources(campaign: Campaign) -> Iterator[Source]:
    rows = CampaignSource.objects.filter(campaign=campaign, retired_at=None).order_by("pk")
    for source_id, text, number in rows.values_list("source_id", "text", "sentences"):
        parts = sentences(text)
        # Who imported a text may know better how many sentences it has.
        yield Source(source_id, campaign.language, parts if len(parts) == number else (text,))


def _parser(campaign: Campaign, named: str) -> Parse:
    name = named or settings.SPACY_MODEL
    if not name:
        raise Refused(
            _("This system needs a spaCy pipeline with a parser. Name one with --parser, or in PRECIS_SPACY_MODEL.")
        )
    try:
        if not model_is_for(name, campaign.language):
            words = _("%(name)s is for another language than the texts (%(language)s).")
            raise Refused(words % {"name": name, "language": campaign.language})
        return spacy_parse(load_model(name))
    except (ValueError, ModuleNotFoundError) as fault:
        raise Refused(f"{name}: {fault}") from fault


def _language_model(campaign: Campaign, sources: Sequence[Source], given: Given) -> TrigramModel:
    """Return the model of a file, or train one on the texts of the campaign and those of files."""
    if not given.language_model:
        return language_model_train(campaign=campaign, sources=sources, texts=given.texts)
    try:
        with _bounded(given.language_model).open(encoding="utf-8") as stream:
            return read_arpa(stream)
    except (OSError, ValueError) as fault:
        raise Refused(f"{given.language_model}: {fault}") from fault


def language_model_train(
    *, campaign: Campaign, texts: Sequence[str], sources: Sequence[Source] | None = None
) -> TrigramModel:
    """Train a language model on the texts of a campaign and those of files, one sentence a line."""
    found = list(_sources(campaign)) if sources is None else sources
    words = words_of_lines((sentence for source in found for sentence in source.sentences), campaign.language)
    for name in texts:
        words += words_of_file(name, campaign.language)
    try:
        return trained(words)
    except ValueError as fault:
        raise Refused(_("There is no text to train a language model on.")) from fault


def words_of_lines(lines: Iterable[str], language: str) -> list[list[str]]:
    """Return the words of sentences as a language model knows them."""
    return [[token.text.lower() for token in tokens_of(line, language)] for line in lines]


def words_of_file(name: str, language: str) -> list[list[str]]:
    try:
        return words_of_lines(_bounded(name).read_text(encoding="utf-8").splitlines(), language)
    except (OSError, ValueError) as fault:
        raise Refused(f"{name}: {fault}") from fault


def _bounded(name: str) -> Path:
    path = Path(name)
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"larger than {MOST_BYTES:,} bytes")
    return path
