"""Reading what a release is made of, and releases."""

from collections import defaultdict
from dataclasses import dataclass, field

from django.db.models import QuerySet

from compressions.models import Compression, Pair, Source, SystemOutput, Target
from corpus.content import (
    Content,
    LeftOut,
    Ratings,
    ReleasedComparison,
    ReleasedOutput,
    ReleasedRating,
    ReleasedSource,
    ReleasedText,
)
from corpus.formats.jsonl import jsonl_read
from corpus.models import Release
from crowd.models import Campaign, Round, Worker
from crowd.selectors.exclusions import excluded_workers
from ratings.models import Judges, QualityRun, Score
from ratings.selectors.quality import removed_workers

CORPUS_FILE = "corpus.jsonl"
CHUNK = 5000


def releases_of_campaign(campaign: Campaign) -> QuerySet[Release]:
    return Release.objects.filter(campaign=campaign).select_related("campaign", "job").order_by("-version")


@dataclass
class _Judged:
    """Ratings by what they are about: the crowd's, the experts', and how many of removed raters were left out."""

    crowd: dict[int, Ratings] = field(default_factory=dict)
    experts: dict[int, Ratings] = field(default_factory=dict)
    dropped: int = 0


def release_content(campaign: Campaign, quality_run: QualityRun | None) -> Content:
    """What the campaign's next release holds, in a fixed number of queries.

    Rows are only ever added, and a rating is younger than its text: reading from the youngest to the oldest table
    gives a consistent picture while people go on working.
    """
    removed_raters = removed_workers(quality_run, Round.RATE) | excluded_workers(campaign, Round.RATE)
    removed_editors = removed_workers(quality_run, Round.EDIT) | excluded_workers(campaign, Round.EDIT)
    removed_experts = excluded_workers(campaign, Round.EXPERT)
    names = {worker.pk: worker.public_name for worker in Worker.objects.filter(campaign=campaign)}
    of_texts = _judged("target", campaign, names, removed_raters, removed_experts)
    of_pairs = _judged("pair", campaign, names, removed_raters, removed_experts)
    editors, orphans = _editors_by_target(campaign, removed_editors, names)
    outputs = _outputs_by_source(campaign, of_texts)
    comparisons = _comparisons_by_source(campaign, of_pairs, editors)
    texts, unrated = _texts_by_source(campaign, of_texts, editors)
    sources = [
        source
        for source in _sources(campaign, texts, outputs, comparisons)
        if source.texts or source.outputs or source.comparisons
    ]
    left_out = LeftOut(
        removed_raters=len(removed_raters),
        removed_editors=len(removed_editors),
        ratings_of_removed_raters=of_texts.dropped + of_pairs.dropped,
        texts_of_removed_editors=orphans,
        texts_without_rating=unrated,
        sources_without_text=Source.objects.filter(campaign=campaign).count() - len(sources),
    )
    return Content(sources, left_out)


def _judged(
    subject: str,
    campaign: Campaign,
    names: dict[int, str],
    removed_raters: frozenset[int],
    removed_experts: frozenset[int],
) -> _Judged:
    """Ratings of single texts or of pairs, in the order in which they were given."""
    path = "target__source" if subject == "target" else "pair__first__source"
    rows = Score.objects.filter(**{f"rating__{path}__campaign": campaign}).order_by("rating", "pk")
    columns = ("rating_id", f"rating__{subject}_id", "rating__worker_id", "rating__judges", "scale", "value")
    scores: dict[int, dict[str, int]] = {}
    about: dict[int, tuple[int, str, str]] = {}
    dropped: set[int] = set()  # of the crowd alone: experts are apart
    for rating_id, subject_id, worker_id, judges, scale, value in rows.values_list(*columns).iterator(chunk_size=CHUNK):
        if judges == Judges.EXPERTS and worker_id in removed_experts:
            continue
        if judges == Judges.CROWD and worker_id in removed_raters:
            dropped.add(rating_id)
            continue
        scores.setdefault(rating_id, {})[scale] = value
        about[rating_id] = (subject_id, judges, names.get(worker_id, ""))
    return _by_subject(campaign, scores, about, len(dropped))


def _by_subject(
    campaign: Campaign, scores: dict[int, dict[str, int]], about: dict[int, tuple[int, str, str]], dropped: int
) -> _Judged:
    keys = [scale.key for scale in campaign.rating_scales]
    found: dict[str, dict[int, list[ReleasedRating]]] = {each: defaultdict(list) for each in Judges.values}
    for rating_id, given in scores.items():
        subject_id, judges, name = about[rating_id]
        ordered = {key: given[key] for key in keys if key in given}
        found[judges][subject_id].append(ReleasedRating(name, ordered))
    frozen = {judges: {pk: tuple(ratings) for pk, ratings in by.items()} for judges, by in found.items()}
    return _Judged(frozen[Judges.CROWD], frozen[Judges.EXPERTS], dropped)


def _editors_by_target(
    campaign: Campaign, removed: frozenset[int], names: dict[int, str]
) -> tuple[dict[int, list[str]], int]:
    rows = Compression.objects.filter(source__campaign=campaign).order_by("pk")
    kept: dict[int, list[str]] = defaultdict(list)
    written: set[int] = set()
    for target_id, editor in rows.values_list("target_id", "worker_id").iterator(chunk_size=CHUNK):
        written.add(target_id)
        if editor not in removed:
            kept[target_id].append(names[editor])
    return kept, len(written) - len(kept)


def _texts_by_source(
    campaign: Campaign, judged: _Judged, editors: dict[int, list[str]]
) -> tuple[dict[int, list[ReleasedText]], int]:
    """A text without a rating stays out, but where texts are judged side by side only."""
    rows = Target.objects.filter(source__campaign=campaign).order_by("pk")
    texts: dict[int, list[ReleasedText]] = defaultdict(list)
    unrated = 0
    for pk, source_id, text in rows.values_list("pk", "source_id", "text").iterator(chunk_size=CHUNK):
        if pk not in editors:
            continue
        if pk not in judged.crowd and not campaign.is_side_by_side:
            unrated += 1
            continue
        ratings, by_experts = judged.crowd.get(pk, ()), judged.experts.get(pk, ())
        texts[source_id].append(ReleasedText(text, tuple(editors[pk]), ratings, by_experts))
    return texts, unrated


def _outputs_by_source(campaign: Campaign, judged: _Judged) -> dict[int, list[ReleasedOutput]]:
    """What systems made, rated or not yet."""
    rows = SystemOutput.objects.filter(system__campaign=campaign).order_by("system__name", "pk")
    outputs: dict[int, list[ReleasedOutput]] = defaultdict(list)
    for source_id, system, target_id, text in rows.values_list(
        "source_id", "system__name", "target_id", "target__text"
    ).iterator(chunk_size=CHUNK):
        ratings, by_experts = judged.crowd.get(target_id, ()), judged.experts.get(target_id, ())
        outputs[source_id].append(ReleasedOutput(system, text, ratings, by_experts))
    return outputs


def _comparisons_by_source(
    campaign: Campaign, judged: _Judged, editors: dict[int, list[str]]
) -> dict[int, list[ReleasedComparison]]:
    """Rated pairs whose texts both have an author that is kept, or are outputs of systems."""
    by_system = set(SystemOutput.objects.filter(system__campaign=campaign).values_list("target_id", flat=True))
    kept = by_system | editors.keys()
    rows = Pair.objects.filter(first__source__campaign=campaign).order_by("pk")
    columns = ("pk", "first__source_id", "first_id", "second_id", "first__text", "second__text")
    comparisons: dict[int, list[ReleasedComparison]] = defaultdict(list)
    for pk, source_id, first, second, *texts in rows.values_list(*columns).iterator(chunk_size=CHUNK):
        if pk in judged.crowd and {first, second} <= kept:
            rated = ReleasedComparison(texts[0], texts[1], judged.crowd[pk], judged.experts.get(pk, ()))
            comparisons[source_id].append(rated)
    return comparisons


def _sources(
    campaign: Campaign,
    texts: dict[int, list[ReleasedText]],
    outputs: dict[int, list[ReleasedOutput]],
    comparisons: dict[int, list[ReleasedComparison]],
) -> list[ReleasedSource]:
    rows = Source.objects.filter(campaign=campaign).order_by("pk").select_related("paragraph")
    return [
        ReleasedSource(
            source_id=source.source_id,
            genre=source.genre,
            text=source.text,
            sentences=source.sentences,
            paragraph_id=source.paragraph_id_anywhere,
            family=source.family,
            split=source.split,
            texts=_rated_or_compared(texts.get(source.pk, []), comparisons.get(source.pk, [])),
            outputs=outputs.get(source.pk, []),
            comparisons=comparisons.get(source.pk, []),
        )
        for source in rows.iterator(chunk_size=CHUNK)
    ]


def _rated_or_compared(texts: list[ReleasedText], comparisons: list[ReleasedComparison]) -> list[ReleasedText]:
    compared = {text for pair in comparisons for text in (pair.first, pair.second)}
    return [text for text in texts if text.ratings or text.text in compared]


def release_sources(release: Release) -> list[ReleasedSource]:
    """The content of a finished release, from its own file: later work does not change it."""
    with (release.folder / CORPUS_FILE).open("rb") as stream:
        return list(jsonl_read(stream))
