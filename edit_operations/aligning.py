"""Align the texts of a part's sources, and tell which operations each contains."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from common.stored_models import configured_model
from compressions.models import AlignmentCorrection, Compression
from compressions.selectors.alignments import corrections_until
from compressions.services.submission import beginning
from compressions.text_aligner import SplitText, TextAligner, TextPair
from corpus.models import Release
from corpus.release.records import Ratings, ReleasedOutput, ReleasedSource, ReleasedText
from corpus.selectors import add_outputs_since, release_slice
from edit_operations.aligned import AlignedSource, AlignedText, LogOrder, Places
from measures.alignment import (
    AlignmentResources,
    Grammar,
    TextOperations,
    WordPairs,
    bracketed_constituents,
    pipeline_vectors,
)
from measures.core.undefined import Undefined
from measures.keystrokes.edit_log import EditLogError, parse_log
from measures.keystrokes.edit_order import AlignedWords, EditOrder, edit_order, word_spans
from measures.metrics import Analysis
from measures.text.normalization import length
from measures.text.spacy_models import BATCH_SIZE, load_model
from reports.models import Report

DIGITS = 4


@dataclass(frozen=True)
class Log:
    """An editor's log, and the text that it leads to before tidying."""

    editor: str
    source: str
    text: str
    started_from: str
    edit_log: list[Any]


@dataclass(frozen=True)
class WordsDone:
    """The words of a source and of a text, their alignment, and what was done to them."""

    source: Sequence[str]
    text: Sequence[str]
    places: Places
    operations: TextOperations


@dataclass(frozen=True)
class LoggedEdits:
    """Logs by the source's id and the text."""

    logs: Mapping[tuple[str, str], Sequence[Log]]

    def orders(self, source_id: str, text: str, editors: Sequence[str], done: WordsDone) -> tuple[LogOrder, ...]:
        """Return when each word got its final state, for each of a text's editors whose log shows it."""
        logs = [log for log in self.logs.get((source_id, text), ()) if log.editor in editors]
        found = [_order(log, done) for log in logs]
        return tuple(
            tuple(
                (each.operation, each.word, round(each.by_edits, DIGITS), _rounded(each.by_time))
                for each in order.words
            )
            for order in found
            if isinstance(order, EditOrder)
        )


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, DIGITS)


def _order(log: Log, done: WordsDone) -> EditOrder | Undefined:
    """Return the order in a log; undefined if tidying changed the words that the log leads to."""
    replaced = {number for number, name in enumerate(done.operations.target_classes) if name == "paraphrased"}
    try:
        spans = word_spans(log.source, done.source), word_spans(log.text, done.text)
        words = AlignedWords(*spans, done.places, replaced, done.operations.moved)
        return edit_order(log.source, beginning(log.source, log.started_from), parse_log(log.edit_log), words)
    except (EditLogError, ValueError) as error:
        return Undefined(str(error))


def logged_edits(release: Release, sources: Sequence[ReleasedSource]) -> LoggedEdits:
    """Read the logs of the compressions that the release was frozen from; imported ones have none."""
    pinned = Compression.objects.filter(
        source__campaign=release.campaign_id,
        source__source_id__in=[source.source_id for source in sources],
        pk__lte=release.last_rows.get("compressions", 0),
        is_imported=False,
    )
    logs: dict[tuple[str, str], list[Log]] = defaultdict(list)
    for each in pinned.exclude(edit_log=[]).select_related("source", "target", "worker").order_by("pk"):
        log = Log(each.worker.public_name, each.source.text, each.text, each.started_from, each.edit_log)
        logs[each.source.source_id, each.target.text].append(log)
    return LoggedEdits(logs)


SOURCES_PER_HEARTBEAT = 25
Corrections = Mapping[tuple[str, str], AlignmentCorrection]


def text_aligner(language: str, *, pairs: WordPairs, vectors: bool = False) -> TextAligner:
    """Return the aligner for a language; raise ValueError or ModuleNotFoundError if there is none."""
    return TextAligner.of(language, _resources(language, pairs, vectors))


def _resources(language: str, pairs: WordPairs, vectors: bool) -> AlignmentResources:
    if not vectors:
        return AlignmentResources(pairs=pairs)
    model = configured_model(language.partition("-")[0].lower())
    found = pipeline_vectors(load_model(model)) if model else None
    if found is None:
        words = _("There are no word vectors for this language. Name a spaCy pipeline that has some in %(setting)s.")
        raise ValueError(words % {"setting": "PRECIS_SPACY_MODEL"})
    return AlignmentResources(pairs=pairs, vectors=found)


def aligned_sources(
    report: Report, begin: int, stop: int, aligner: TextAligner, heartbeat: Callable[[], None]
) -> list[AlignedSource]:
    """Align all texts of a slice of the release's sources, as the report pins them."""
    sources = release_slice(report.of_release, begin, stop)
    if report.pinned["last_output"] is not None:
        add_outputs_since(report.of_release, sources, report.pinned["last_output"])
    corrections = corrections_until(report.of_release.campaign, report.pinned["last_correction"] or 0)
    logs = logged_edits(report.of_release, sources)
    split = [aligner.split(source.text) for source in sources]
    grammars = source_grammars([words.words for words in split], report.pinned.get("parser", ""))
    aligned = []
    for place, (source, words, grammar) in enumerate(zip(sources, split, grammars, strict=True), start=begin):
        found = _aligned(source, words, place, aligner, corrections, logs)
        aligned.append(found if grammar is None else replace(found, **vars(grammar)))
        if len(aligned) % SOURCES_PER_HEARTBEAT == 0:
            heartbeat()
    return aligned


def parser_signature(language: str) -> tuple[str, str]:
    """Return the pipeline of the installation for a language, and what it is; two empty texts if there is none."""
    model = configured_model(language.partition("-")[0].lower())
    return (model, Analysis(parser=model).parser_signature) if model else ("", "")


def source_grammars(sources: Sequence[Sequence[str]], parser: str) -> Iterator[Grammar | None]:
    """Yield what a pipeline finds of the words of each source, cut as the aligner cuts them; None without one."""
    if not parser:
        yield from (None for _ in sources)
        return
    model = load_model(parser)
    documents = (_document(model, words) for words in sources)
    for found in model.pipe(documents, batch_size=BATCH_SIZE):
        heads = tuple(token.head.i for token in found)
        relations = tuple(token.dep_.lower() or "dep" for token in found)
        yield Grammar(relations, heads, tuple(_constituents(found)))


def _document(model: Any, words: Sequence[str]) -> Any:
    from spacy.tokens import Doc

    return Doc(model.vocab, words=list(words))


def _constituents(document: Any) -> Iterator[tuple[str, int, int]]:
    for sentence in document.sents:
        if sentence.has_extension("parse_string"):
            yield from bracketed_constituents(sentence._.parse_string, sentence.start)[0]


def _aligned(
    source: ReleasedSource,
    words: SplitText,
    place: int,
    aligner: TextAligner,
    corrections: Corrections,
    logs: LoggedEdits,
) -> AlignedSource:
    subjects: Sequence[ReleasedText | ReleasedOutput] = [*source.texts, *source.outputs]
    return AlignedSource(
        place,
        source.source_id,
        source.family,
        source.paragraph_id,
        source.genre,
        source.split,
        source.text,
        words.words,
        words.sentence_count,
        tuple(_aligned_text(each, source, words, aligner, corrections, logs) for each in subjects),
    )


def _aligned_text(
    subject: ReleasedText | ReleasedOutput,
    source: ReleasedSource,
    source_words: SplitText,
    aligner: TextAligner,
    corrections: Corrections,
    logs: LoggedEdits,
) -> AlignedText:
    words = TextPair(source_words, aligner.split(subject.text))
    by_aligner = aligner.places(words)
    correction = corrections.get((source.source_id, subject.text))
    if correction is not None and not words.fits(correction):
        correction = None
    places = by_aligner if correction is None else tuple(correction.places or ())
    found = aligner.operations(words, places)
    editors = subject.editors if isinstance(subject, ReleasedText) else ()
    return AlignedText(
        text=subject.text,
        words=words.text.words,
        places=places,
        classes=found.target_classes,
        counts=found.counts,
        moved=found.moved,
        compression=found.compression,
        sentences=found.sentences or "",
        rate=length(subject.text) / max(1, length(source.text)),
        system=subject.system if isinstance(subject, ReleasedOutput) else "",
        editors=editors,
        quality=_quality(subject.ratings),
        ratings=len(subject.ratings),
        correction=None if correction is None else correction.version,
        aligner_places=None if correction is None else by_aligner,
        order=logs.orders(
            source.source_id, subject.text, editors, WordsDone(source_words.words, words.text.words, places, found)
        ),
        given=_given(subject.ratings),
    )


def _given(ratings: Ratings) -> dict[str, list[tuple[str, int]]] | None:
    """Return the ratings by scale, with who gave them, as far as it is known who."""
    found: dict[str, list[tuple[str, int]]] = {}
    for rating in ratings:
        for scale, point in rating.scores.items():
            if rating.rater:
                found.setdefault(scale, []).append((rating.rater, point))
    return found or None


def _quality(ratings: Ratings) -> dict[str, float] | None:
    """Return the mean of the ratings by scale."""
    points: dict[str, list[int]] = {}
    for rating in ratings:
        for scale, point in rating.scores.items():
            points.setdefault(scale, []).append(point)
    return {scale: sum(given) / len(given) for scale, given in points.items()} or None
