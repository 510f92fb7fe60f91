"""What systems stand on beside their own rules: texts, a parser, a language model."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

from common.errors import Refused
from compressions.models import Compression
from compressions.models import Source as CampaignSource
from compressions.readers import BadLine, read_rows
from corpus.models import Release
from corpus.release.records import ReleasedSource
from corpus.selectors import release_stream
from crowd.models import Campaign
from measures.text.segmentation import sentences
from measures.text.spacy_models import load_model, model_is_for
from systems.programs.lm.arpa import read_arpa
from systems.programs.lm.trigrams import TrigramModel, trained
from systems.programs.parses import Parse, spacy_parse
from systems.programs.texts import Source
from systems.programs.tokens import words_of_lines

MOST_BYTES = 1_000_000_000
"""Of a file with a language model or with text to train one on."""


@dataclass(frozen=True)
class Given:
    """What is given beside the texts: a pipeline of spaCy, a language model as ARPA or text to train one on, and a file
    with the documents of texts or questions on them."""

    parser: str = ""
    language_model: str = ""
    texts: Sequence[str] = ()
    about: str = ""


NOTHING = Given()


def campaign_sources(campaign: Campaign) -> Iterator[Source]:
    """Yield the texts of a campaign that are not retired."""
    rows = CampaignSource.objects.filter(campaign=campaign, retired_at=None).order_by("pk")
    for source_id, text, number in rows.values_list("source_id", "text", "sentences"):
        yield source_of(source_id, text, number, campaign.language)


def released_sources(release: Release, split: str = "") -> Iterator[tuple[Source, ReleasedSource]]:
    """Yield the texts of a release or one of its splits, each with all that the release has of it."""
    for each in release_stream(release):
        if split in {"", each.split}:
            yield source_of(each.source_id, each.text, each.sentences, release.campaign.language), each


def source_of(source_id: str, text: str, number: int, language: str) -> Source:
    """Return a text for a system; who imported it may know better how many sentences it has than our rules."""
    parts = sentences(text)
    return Source(source_id, language, parts if len(parts) == number else (text,))


def about_read(name: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return the document and the question of each text, by its id, that a file has; raise Refused for a bad line."""
    documents, questions = dict[str, str](), dict[str, str]()
    try:
        content = _bounded(Path(name)).read_bytes()
    except (OSError, ValueError) as fault:
        raise Refused(f"{name}: {fault}") from fault
    for row in read_rows(Path(name).name, content, ("id",), ("document", "question")):
        if isinstance(row, BadLine):
            words = _("%(file)s, line %(line)s: %(fault)s")
            raise Refused(words % {"file": name, "line": row.line, "fault": row.reason})
        for found, field in ((documents, "document"), (questions, "question")):
            if value := row.fields.get(field, "").strip():
                found[row.fields["id"].strip()] = value
    return documents, questions


def references_of(campaign: Campaign, release: Release | None) -> dict[str, list[str]]:
    """Return what people made of each text, by its id."""
    found: dict[str, list[str]] = {}
    if release is not None:
        return {source.id: [text.text for text in each.texts] for source, each in released_sources(release)}
    written = Compression.objects.filter(source__campaign=campaign).order_by("pk")
    for source_id, text in written.values_list("source__source_id", "target__text"):
        found.setdefault(source_id, []).append(text)
    return found


def parser_found(campaign: Campaign, named: str) -> tuple[str, Parse]:
    """Return the pipeline that is named here or else in the settings, and its parser; raise Refused if it is no use."""
    name: str = named or settings.SPACY_MODEL
    if not name:
        raise Refused(
            _("This system needs a spaCy pipeline with a parser. Name one with --parser, or in PRECIS_SPACY_MODEL.")
        )
    try:
        if not model_is_for(name, campaign.language):
            words = _("%(name)s is for another language than the texts (%(language)s).")
            raise Refused(words % {"name": name, "language": campaign.language})
        return name, spacy_parse(load_model(name))
    except (ValueError, ModuleNotFoundError) as fault:
        raise Refused(f"{name}: {fault}") from fault


def language_model_of(campaign: Campaign, sources: Iterable[Source], given: Given) -> TrigramModel:
    """Return the model of a file, or train one on texts and those of files."""
    if given.language_model:
        return language_model_read(Path(given.language_model))
    return language_model_train(campaign=campaign, sources=sources, texts=given.texts)


def language_model_read(path: Path) -> TrigramModel:
    try:
        with _bounded(path).open(encoding="utf-8") as stream:
            return read_arpa(stream)
    except (OSError, ValueError) as fault:
        raise Refused(f"{path}: {fault}") from fault


def language_model_train(
    *, campaign: Campaign, texts: Sequence[str], sources: Iterable[Source] | None = None
) -> TrigramModel:
    """Train a language model on texts, those of the campaign if none are given, and on files, one sentence a line."""
    found = campaign_sources(campaign) if sources is None else sources
    words = words_of_lines((sentence for source in found for sentence in source.sentences), campaign.language)
    for name in texts:
        words += words_of_file(name, campaign.language)
    try:
        return trained(words)
    except ValueError as fault:
        raise Refused(_("There is no text to train a language model on.")) from fault


def words_of_file(name: str, language: str) -> list[list[str]]:
    try:
        return words_of_lines(_bounded(Path(name)).read_text(encoding="utf-8").splitlines(), language)
    except (OSError, ValueError) as fault:
        raise Refused(f"{name}: {fault}") from fault


def _bounded(path: Path) -> Path:
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"larger than {MOST_BYTES:,} bytes")
    return path
