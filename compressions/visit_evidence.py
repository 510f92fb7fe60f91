"""What an editor's texts of a campaign show together of how they came to be, in words for staff.

It is looked up for one person at a time: their texts, and what others wrote for the same sources. Rates and words that
others keep are those of these others.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from common.words import Words
from compressions.feature_places import FeaturePlace, median_features, places_of
from compressions.flag_kinds import ONE_CUT, SAME_TEXT
from compressions.models import Compression, Decoy, Source, Start, TextFeatures, VisitRules
from crowd.models import Campaign, Worker
from crowd.page_records import PageFact, PageRecord, n_of, page_facts
from measures.keystrokes.edit_log import Kind, Operation, parse_log
from measures.quality_control.provenance.cuts import one_cut, small_word_share
from measures.quality_control.provenance.features import text_features
from measures.quality_control.provenance.matching import SourceWords, TextWords, kept_words
from measures.quality_control.provenance.text_evidence import TextEvidence, text_evidence
from measures.quality_control.provenance.visits import Met, Rule, VisitText, rules_met

MOST_TEXTS, MOST_OTHERS = 60, 1_000


FEWEST_TYPED, FEW_KEYS = 40, 0.1
"""From how many characters on a text counts as typed, and with keys for what part of them, as without keys."""

TYPED = {Kind.TYPING, Kind.COMPOSITION}
Log = tuple[Operation, ...]


@dataclass(frozen=True)
class VisitEvidence:
    """What stands out over so many texts; what their pages counted; and where they lie among those of others."""

    texts: int
    sentences: list[str]
    facts: list[PageFact]
    places: list[FeaturePlace]


def visit_evidence(worker: Worker) -> VisitEvidence | None:
    """Return what the newest texts of an editor show; None if no log of theirs is kept."""
    found = _looked_up(worker)
    if found is None:
        return None
    records = [each.page_record for each in found.own]
    return VisitEvidence(
        len(found.own),
        [_said(each) for each in found.met],
        _facts(found.logs, [text.evidence for text in found.texts], records),
        places_of(worker, median_features([_features(text) for text in found.texts])),
    )


def visit_rules_store(*, worker: Worker) -> None:
    """Store what the texts of an editor meet together, but for flags, which stand beside the texts; and features."""
    found = _looked_up(worker)
    met = [[each.rule, each.count, each.texts] for each in (found.met if found else ()) if each.rule != Rule.FLAGGED]
    features = (
        [TextFeatures(compression_id=text.number, values=_features(text)) for text in found.texts] if found else []
    )
    with transaction.atomic():
        is_there = Worker.objects.select_for_update(no_key=True).filter(pk=worker.pk, erased_at=None).exists()
        if met and is_there:
            VisitRules.objects.update_or_create(worker=worker, defaults={"met": met})
        else:
            VisitRules.objects.filter(worker=worker).delete()
        if is_there:
            TextFeatures.objects.bulk_create([each for each in features if each.values], ignore_conflicts=True)


def features_of(source: Source, text: str, started_from: str, log: Log, language: str) -> dict[str, float]:
    """Return the features of a text by itself."""
    evidence = _evidence(source.text, started_from, log)
    if evidence is None:
        return {}
    cut, small_words = one_cut(source.text, text), small_word_share(source.text, text, language)
    return text_features(evidence, is_cut=cut is not None, small_words=small_words)


def features_of_compression(compression: Compression, language: str) -> dict[str, float]:
    """Return the features of a stored text by itself."""
    log = parse_log(compression.edit_log)
    return features_of(compression.source, compression.text, compression.started_from, log, language)


def _features(text: VisitText) -> dict[str, float]:
    if text.evidence is None:
        return {}
    return text_features(text.evidence, is_cut=text.cut is not None, small_words=text.small_words)


@dataclass(frozen=True)
class RulesMet:
    """What an editor met when their texts were last compared, in few words, and of how many groups that is.

    One group are the rules of how texts were put in, the other those of what they say.
    """

    words: tuple[str, ...] = ()
    groups: int = 0


def rules_of_editors(campaign: Campaign) -> dict[int, RulesMet]:
    """Return what editors met when their texts were last compared; not those who met nothing."""
    rows = VisitRules.objects.filter(worker__campaign=campaign).values_list("worker", "met")
    words = _("%(rule)s: %(n)s of %(all)s texts")
    return {
        pk: RulesMet(
            tuple(words % {"rule": NAMES[Rule(rule)], "n": f"{n:,}", "all": f"{texts:,}"} for rule, n, texts in met),
            len({Rule(rule) in OF_WORDS for rule, _n, _texts in met}),
        )
        for pk, met in rows
    }


@dataclass(frozen=True)
class _Looked:
    """The newest texts of an editor as stored and as the rules see them, their logs, and what they meet together."""

    own: list[Compression]
    logs: list[Log]
    texts: list[VisitText]
    met: list[Met]


def _looked_up(worker: Worker) -> _Looked | None:
    own = list(Compression.objects.filter(worker=worker).select_related("source").order_by("-pk")[:MOST_TEXTS])
    if not any(each.edit_log for each in own):
        return None
    sources = {each.source_id: each.source for each in own}
    words = {pk: SourceWords.of(source.text) for pk, source in sources.items()}
    others = Compression.objects.filter(source__in=sources, worker__is_test=worker.is_test).exclude(worker=worker)
    rows = others.defer("edit_log").order_by("pk")[:MOST_OTHERS]
    language = worker.campaign.language
    logs: list[Log] = [parse_log(each.edit_log) for each in own]
    evidence = [_evidence(each.source.text, each.started_from, log) for each, log in zip(own, logs, strict=True)]
    texts = [
        _text(each, sources[each.source_id].text, words[each.source_id], language, found)
        for each, found in (*zip(own, evidence, strict=True), *((each, None) for each in rows))
    ]
    decoys: dict[int, list[TextWords]] = {}
    for decoy in Decoy.objects.filter(source__in=sources).order_by("pk")[:MOST_OTHERS]:
        decoys.setdefault(decoy.source_id, []).append(TextWords.of(decoy.text, words[decoy.source_id]))
    return _Looked(own, logs, texts[: len(own)], rules_met(texts, decoys, SAME_TEXT).get(worker.pk, []))


def _facts(
    logs: Iterable[Log], evidence: Iterable[TextEvidence | None], records: Sequence[PageRecord | None]
) -> list[PageFact]:
    """Return what the pages of texts counted; absences are those of the log, which has no more than it may hold."""
    pages = [
        {
            **(record or {}),
            "away_n": max(found.leaves if found else 0, (record or {}).get("away_n", 0)),
            "away_ms": max(found.away_ms if found else 0, (record or {}).get("away_ms", 0)),
        }
        for found, record in zip(evidence, records, strict=True)
    ]
    told = [(log, record) for log, record in zip(logs, records, strict=True) if record is not None]
    without_keys = sum(_is_without_keys(log, record) for log, record in told)
    label = _("Texts that came almost without keys, as by dictation or a program")
    return page_facts(pages) + ([PageFact(label, n_of(without_keys, len(told)))] if without_keys else [])


def _is_without_keys(log: Log, record: PageRecord) -> bool:
    typed = sum(len(edit.inserted) for edit in log if edit.kind in TYPED)
    keys = record.get("keys", typed) + record.get("soft", 0)
    return typed >= FEWEST_TYPED and keys < FEW_KEYS * typed


def _text(
    compression: Compression,
    source: str,
    words: SourceWords,
    language: str,
    evidence: TextEvidence | None,
) -> VisitText:
    of_text = TextWords.of(compression.text, words)
    return VisitText(
        person=compression.worker_id,
        source=compression.source_id,
        number=compression.pk,
        evidence=evidence,
        words=of_text,
        kept=kept_words(of_text, words),
        cut=one_cut(source, compression.text),
        small_words=small_word_share(source, compression.text, language),
        flags=frozenset(str(name) for name, *_rest in compression.flags if name != ONE_CUT),  # a rule of its own
    )


def _evidence(source: str, started_from: str, log: Log) -> TextEvidence | None:
    if not log:
        return None
    is_empty = started_from == Start.EMPTY
    found = text_evidence(source, "" if is_empty else source, log)
    # Whoever begins with an empty box writes everything anew, as they are asked to.
    return replace(found, cleared=False) if is_empty else found


def _said(met: Met) -> str:
    figures = dict(met.figures)
    pauses = int(figures.get("pauses", 0))
    counted = ngettext("%(n)s pause", "%(n)s pauses", pauses) % {"n": f"{pauses:,}"}
    characters = f"{int(figures.get('put_in', 0)):,}"
    numbers = {"n": f"{met.count:,}", "all": f"{met.texts:,}", "pauses": counted, "characters": characters}
    return str(SENTENCES[met.rule]) % numbers


NAMES: dict[Rule, Words] = {
    Rule.IN_ONE_GO: gettext_lazy("In one go"),
    Rule.METRONOME: gettext_lazy("Metronome"),
    Rule.NO_WORDS_IN_RHYTHM: gettext_lazy("Rhythm without words"),
    Rule.AFTER_RETURN: gettext_lazy("After returning"),
    Rule.BY_PROGRAM: gettext_lazy("By a program"),
    Rule.ONE_CUT: gettext_lazy("One cut"),
    Rule.TELEGRAPH: gettext_lazy("Telegraph"),
    Rule.OTHER_WORDS: gettext_lazy("Other words kept"),
    Rule.SAME_AS_OTHERS: gettext_lazy("Same as others"),
}
OF_WORDS = {Rule.ONE_CUT, Rule.TELEGRAPH, Rule.OTHER_WORDS, Rule.SAME_AS_OTHERS}
"""The rules of what texts say. The others are of how they were put in."""

SENTENCES: dict[Rule, Words] = {
    Rule.IN_ONE_GO: gettext_lazy(
        "In %(n)s of %(all)s texts the box was emptied and the text typed from left to right without going back, with "
        "%(pauses)s in %(characters)s characters. Who copies a text writes so, and some who think first."
    ),
    Rule.METRONOME: gettext_lazy("In %(n)s of %(all)s texts the time from key to key hardly varies. Programs type so."),
    Rule.NO_WORDS_IN_RHYTHM: gettext_lazy(
        "In %(n)s of %(all)s texts, typed as a whole, pauses are not longer where words begin. People who think of "
        "words pause there; programs, and some who copy, do not."
    ),
    Rule.AFTER_RETURN: gettext_lazy(
        "In %(n)s of %(all)s texts most was written within 30 seconds after coming back to the page. What was looked "
        "up elsewhere is not known."
    ),
    Rule.BY_PROGRAM: gettext_lazy(
        "In %(n)s of %(all)s texts at least half was put in by a program or an extension of the browser. Programs that "
        "correct grammar do so, too."
    ),
    Rule.ONE_CUT: gettext_lazy(
        "%(n)s of %(all)s texts are their original with one piece cut out. Some originals are best shortened so; this "
        "many are unlikely by chance, beside what others wrote for these originals."
    ),
    Rule.TELEGRAPH: gettext_lazy("%(n)s of %(all)s texts leave out most small words, as telegrams did."),
    Rule.OTHER_WORDS: gettext_lazy(
        "Over %(n)s of %(all)s texts, the words that were kept are hardly those that others keep of the same "
        "originals. Who deletes at random does so, and who reads the originals in another way."
    ),
    Rule.SAME_AS_OTHERS: gettext_lazy(
        "%(n)s of %(all)s texts are nearly the same as earlier ones by others, or as decoys, in words that are not in "
        "the original. One may have copied the other, or both may have used one tool."
    ),
    Rule.FLAGGED: gettext_lazy("Texts with flags: %(n)s of %(all)s."),
}
