"""Import files of translations of sources, compressions and outputs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from common.errors import Refused
from common.jobs import Progress
from common.sql import slices
from compressions.models import (
    Compression,
    Source,
    SystemOutput,
    Target,
    TranslatedText,
    TranslationImport,
    text_digest,
)
from compressions.readers import BadLine
from compressions.services.file_imports import (
    MAX_ROWS,
    import_count_added,
    import_finish,
    import_request,
    import_transaction,
)
from compressions.translation_rows import Translation, read_translations
from crowd.models import Campaign

TRANSLATIONS_JOB = "import_translations"
SLICE = 100

Original = tuple[int, int | None]
"""The ids of a source and of the text of it that was translated; none for the source itself."""
Key = tuple[Original, str, str, str]


@dataclass
class _Outcome:
    """How many lines have been accepted, and why the others are refused."""

    accepted: int = 0
    problems: list[tuple[int, str]] = field(default_factory=list)


def _silent(_done: int, _total: int) -> None:
    """Report no progress."""


def translation_import_request(*, campaign: Campaign, file_name: str, content: bytes, user: User) -> TranslationImport:
    """Store an uploaded file and enqueue its import."""
    record = TranslationImport(campaign=campaign, file_name=file_name[:255], content=content)
    return import_request(record=record, kind=TRANSLATIONS_JOB, user=user)


def translations_import(
    *, campaign: Campaign, file_name: str, content: bytes, progress: Progress = _silent
) -> TranslationImport:
    """Import a file immediately. Invalid lines are reported by number; the others are imported."""
    record = TranslationImport.objects.create(campaign=campaign, file_name=file_name[:255], content=content)
    translation_import_run(record=record, progress=progress)
    return record


def translation_import_run(*, record: TranslationImport, progress: Progress = _silent) -> None:
    """Read the file outside any transaction, then write in slices, each in a short transaction.

    Run again after it was stopped, it finds what it has written and writes the rest.
    """
    try:
        lines = list(islice(read_translations(record.file_name, bytes(record.content)), MAX_ROWS + 1))
        if len(lines) > MAX_ROWS:
            words = _("%(file)s: more than %(n)s rows. Split the file.")
            raise Refused(words % {"file": record.file_name, "n": f"{MAX_ROWS:,}"})
    except Refused as refusal:
        import_finish(record=record, usable=0, problems=[(0, str(refusal))])
        raise
    usable = [line for line in lines if isinstance(line, Translation)]
    outcome = _Outcome(problems=[(line.line, line.reason) for line in lines if isinstance(line, BadLine)])
    done = 0
    for each in slices(usable, SLICE):
        _slice_write(record, each, outcome)
        done += len(each)
        progress(done, len(usable))
    import_finish(record=record, usable=outcome.accepted, problems=outcome.problems)


def _slice_write(record: TranslationImport, lines: Sequence[Translation], outcome: _Outcome) -> None:
    with import_transaction(record=record):
        originals = _Originals(record.campaign, lines)
        known = _known_translations(originals.sources.values(), lines)
        new: list[TranslatedText] = []
        for line in lines:
            original = originals.of(line)
            if isinstance(original, str):
                outcome.problems.append((line.line, original))
                continue
            key = (original, line.kind, line.language, line.made_by)
            if known.setdefault(key, "") not in {"", line.translated}:
                words = "there is another translation of this text into {} by {!r}"
                outcome.problems.append((line.line, words.format(line.language, line.made_by)))
                continue
            if not known[key]:
                known[key] = line.translated
                new.append(_row(record.campaign, original, line))
            outcome.accepted += 1
        TranslatedText.objects.bulk_create(new)
        import_count_added(record=record, added=len(new))


def _row(campaign: Campaign, original: Original, line: Translation) -> TranslatedText:
    source_id, target_id = original
    return TranslatedText(
        campaign=campaign,
        kind=line.kind,
        source_id=source_id,
        target_id=target_id,
        language=line.language,
        made_by=line.made_by,
        text=line.translated,
    )


class _Originals:
    """The texts that some lines name, found with three queries."""

    def __init__(self, campaign: Campaign, lines: Sequence[Translation]) -> None:
        named = {line.source_id for line in lines}
        rows = Source.objects.filter(campaign=campaign, source_id__in=named).only("source_id", "text")
        self.sources = {source.source_id: source for source in rows}
        digests = {text_digest(line.text) for line in lines if line.text}
        targets = Target.objects.filter(source__in=self.sources.values(), digest__in=digests).annotate(
            is_written=Exists(Compression.objects.filter(target=OuterRef("pk"))),
            is_output=Exists(SystemOutput.objects.filter(target=OuterRef("pk"))),
        )
        self._targets = {(each.source_id, each.text): each for each in targets}
        outputs = SystemOutput.objects.filter(
            source__in=self.sources.values(), system__name__in={line.system for line in lines if line.system}
        )
        self._outputs = {
            (source, system): (target, text)
            for source, system, target, text in outputs.values_list(
                "source__pk", "system__name", "target__pk", "target__text"
            )
        }

    def of(self, line: Translation) -> Original | str:
        """Return the text that a line is a translation of, or why there is none."""
        source = self.sources.get(line.source_id)
        if source is None:
            return f"the campaign has no source {line.source_id[:40]!r}"
        if line.kind == TranslatedText.Kind.SOURCE:
            return "the source has another text" if line.text not in {"", source.text} else (source.pk, None)
        if line.system:
            return self._of_system(source, line)
        target = self._targets.get((source.pk, line.text))
        if line.kind == TranslatedText.Kind.REFERENCE:
            is_there, words = (
                target is not None and target.is_written,
                "no editor has written this text for source {!r}",
            )
        else:
            is_there, words = target is not None and target.is_output, "no system has this output for source {!r}"
        return (source.pk, target.pk) if target is not None and is_there else words.format(line.source_id)

    def _of_system(self, source: Source, line: Translation) -> Original | str:
        output = self._outputs.get((source.pk, line.system))
        if output is None:
            return f"the system {line.system[:60]!r} has no output for source {line.source_id!r}"
        target, text = output
        if line.text and line.text != text:
            return f"the system has another output for source {line.source_id!r}"
        return source.pk, target


def _known_translations(sources: Iterable[Source], lines: Sequence[Translation]) -> dict[Key, str]:
    makers, languages = {line.made_by for line in lines}, {line.language for line in lines}
    rows = TranslatedText.objects.filter(Q(source__in=sources), made_by__in=makers, language__in=languages)
    fields = rows.values_list("source__pk", "target__pk", "kind", "language", "made_by", "text")
    return {((source, target), kind, language, maker): text for source, target, kind, language, maker, text in fields}
