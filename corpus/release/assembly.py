"""Assemble the content of a release, source by source, from the rows that its filter keeps."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC
from typing import Any

from compressions.models import Source
from corpus.release.before_cleaning import IMPORTED, RatingsBeforeCleaning
from corpus.release.provenance import Done, Provenance, Work
from corpus.release.records import (
    LeftOut,
    ReleasedAlignment,
    ReleasedComparison,
    ReleasedOutput,
    ReleasedRating,
    ReleasedSource,
    ReleasedText,
    WrittenText,
    is_over_length,
)
from corpus.release.table_readers import BySource, Part
from crowd.models import Worker
from crowd.scales import plain_number
from ratings.models import RaterPool


@dataclass(frozen=True)
class ReleaseFilter:
    """What a release leaves out: workers, sources, what has too few ratings or compressions.

    Outputs longer than `keep_percent` of their source are kept, and marked.
    """

    raters: frozenset[int] = frozenset()
    editors: frozenset[int] = frozenset()
    experts: frozenset[int] = frozenset()
    sources: frozenset[int] = frozenset()
    min_ratings: int = 1
    min_compressions: int = 1
    keep_percent: int | None = None
    exact_times: bool = False


class ReleaseStream:
    """Yield the sources of a release part by part, and count what is left out."""

    def __init__(
        self,
        release_filter: ReleaseFilter,
        people: dict[int, Worker],
        scales: list[str],
        first_versions: Mapping[int, Source] | None = None,
        arms: Mapping[int, str] | None = None,
    ) -> None:
        self.filter = release_filter
        self.left_out = LeftOut(removed_raters=len(release_filter.raters), removed_editors=len(release_filter.editors))
        self.texts_without_editor = 0
        self.provenance = Provenance(people)
        self._names = {pk: worker.public_name for pk, worker in people.items()}
        self._keys = scales
        self._first_versions = first_versions or {}
        self._arms = arms or {}
        self._imported = frozenset(pk for pk, worker in people.items() if worker.platform_key == IMPORTED)
        self.before_cleaning = RatingsBeforeCleaning(scales, self._imported)

    def of(self, part: Part) -> Iterator[tuple[ReleasedSource, list[WrittenText]]]:
        """Yield the released sources of a part, each with the edit logs of its texts."""
        corrections = BySource(part.corrections())
        text_scores, pair_scores = BySource(part.scores_of_texts()), BySource(part.scores_of_pairs())
        pairs, outputs = BySource(part.pairs()), BySource(part.outputs())
        written, texts = BySource(part.written()), BySource(part.texts())
        for source in part.sources():
            if source.pk in self.filter.sources:
                continue
            of_texts, of_pairs = text_scores.of(source.pk), pair_scores.of(source.pk)
            text_ratings, pair_ratings = self._ratings_by_subject(of_texts), self._ratings_by_subject(of_pairs)
            editions = written.of(source.pk)
            editors = self._editors(editions)
            released = self._source(source)
            output_rows = outputs.of(source.pk)
            alignments = _alignments(corrections.of(source.pk))
            self._lend(text_ratings, editions, output_rows)
            released.outputs = self._kept_outputs(source.text, output_rows, text_ratings, editors, alignments)
            pair_rows = pairs.of(source.pk)
            released.comparisons = self._kept_pairs(pair_rows, pair_ratings, editors, released)
            rows = texts.of(source.pk)
            self._count_without_editor(rows, editions, output_rows)
            released.texts = self._kept_texts(rows, editors, text_ratings, _compared_texts(released), alignments)
            if self._is_kept(released):
                self.before_cleaning.add(of_texts, of_pairs, {target for _, target, *_ in editions})
                self._note(released, editions, rows, output_rows, text_ratings)
                self._note_comparisons(released, pair_rows, pair_ratings)
                yield released, self._written_texts(editions, {target: text for _, target, text in rows}, released)

    def _source(self, source: Source) -> ReleasedSource:
        return ReleasedSource(
            source_id=source.source_id,
            genre=source.genre,
            text=source.text,
            sentences=source.sentences,
            paragraph_id=source.paragraph_id_anywhere,
            family=self._first_versions.get(source.pk, source).family,
            split=source.split,
            nuggets=tuple(source.nugget_list),
        )

    def _ratings_by_subject(self, rows: list[tuple[Any, ...]]) -> "_RatingsBySubject":
        """Group ratings by subject, without those of removed raters and experts."""
        scores: dict[int, dict[str, float]] = {}
        details: dict[int, tuple[int, Done]] = {}
        dropped: set[int] = set()
        found = _RatingsBySubject()
        for _, text, rating, worker, pool, given_at, scale, value, settings, guidelines, output in rows:
            subject = text if output is None else _of_output(output)
            found.rated.add((subject, pool))
            if pool == RaterPool.EXPERTS and worker in self.filter.experts:
                continue
            if pool == RaterPool.CROWD and worker in self.filter.raters:
                dropped.add(rating)
                continue
            scores.setdefault(rating, {})[scale] = plain_number(value)
            details[rating] = (subject, Done(worker, settings, guidelines, given_at, pool))
        self.left_out.ratings_of_removed_raters += len(dropped)
        for rating, given in scores.items():
            subject, done = details[rating]
            ordered = {key: given[key] for key in self._keys if key in given}
            by_subject = found.crowd if done.pool == RaterPool.CROWD else found.experts
            day = done.at.astimezone(UTC).date() if done.at else None
            worker = done.worker or 0
            arm = self._arms.get(worker, "") if done.pool == RaterPool.CROWD else ""
            by_subject[subject].append(ReleasedRating(self._names.get(worker, ""), ordered, day, arm=arm))
            found.done[subject].append(done)
        return found

    def _lend(
        self, ratings: "_RatingsBySubject", editions: list[tuple[Any, ...]], outputs: list[tuple[Any, ...]]
    ) -> None:
        """Give the crowd's ratings of outputs to those who wrote the same here: nobody was asked to rate it again."""
        written = {target for _, target, worker, *_ in editions if worker not in self._imported}
        for _, _, target, _, output in outputs:
            if target in written and (target, RaterPool.CROWD) not in ratings.rated:
                ratings.crowd[target] += ratings.crowd.get(_of_output(output), ())

    def _editors(self, rows: list[tuple[Any, ...]]) -> dict[int, list[str]]:
        """Return the editors of each text that has one who is not removed."""
        kept: dict[int, list[str]] = {}
        written: set[int] = set()
        for _, target, worker, *_ in rows:
            written.add(target)
            if worker not in self.filter.editors:
                kept.setdefault(target, []).append(self._names[worker])
        self.left_out.texts_of_removed_editors += len(written) - len(kept)
        return kept

    def _count_without_editor(
        self, texts: list[tuple[Any, ...]], editions: list[tuple[Any, ...]], outputs: list[tuple[Any, ...]]
    ) -> None:
        """Count texts that neither an editor nor a system is known to have written, as in some imports."""
        written = {target for _, target, *_ in editions} | {target for _, _, target, *_ in outputs}
        self.texts_without_editor += sum(target not in written for _, target, _ in texts)

    def _kept_texts(
        self,
        rows: list[tuple[Any, ...]],
        editors: dict[int, list[str]],
        ratings: "_RatingsBySubject",
        compared: set[str],
        alignments: Mapping[int, ReleasedAlignment],
    ) -> list[ReleasedText]:
        """Keep texts with enough ratings, and texts of comparisons that are kept."""
        kept: list[ReleasedText] = []
        for _, target, text in rows:
            if target not in editors:
                continue
            of_text = ratings.crowd.get(target, [])
            if len(of_text) >= self.filter.min_ratings or text in compared:
                experts = tuple(ratings.experts.get(target, ()))
                made = alignments.get(target)
                kept.append(ReleasedText(text, tuple(editors[target]), tuple(of_text), experts, made))
            elif of_text:
                self.left_out.texts_with_too_few_ratings += 1
            else:
                self.left_out.texts_without_rating += 1
        return kept

    def _kept_outputs(
        self,
        source: str,
        rows: list[tuple[Any, ...]],
        ratings: "_RatingsBySubject",
        editors: Collection[int],
        alignments: Mapping[int, ReleasedAlignment],
    ) -> list[ReleasedOutput]:
        """Keep all system outputs, rated or not."""
        sharers = Counter(target for _, _, target, *_ in rows) + Counter(dict.fromkeys(editors, 1))
        kept = []
        for _, system, target, text, output in rows:
            own = {pool: (_of_output(output), pool) in ratings.rated for pool in RaterPool}
            crowd, experts = (_of_output(output) if own[pool] else target for pool in RaterPool)
            apart = tuple(pool.value for pool in RaterPool if own[pool] and sharers[target] > 1)
            kept.append(
                ReleasedOutput(
                    system,
                    text,
                    tuple(ratings.crowd.get(crowd, ())),
                    tuple(ratings.experts.get(experts, ())),
                    alignments.get(target),
                    apart,
                    is_over_length(source, text, self.filter.keep_percent),
                )
            )
        return kept

    def _kept_pairs(
        self,
        rows: list[tuple[Any, ...]],
        ratings: "_RatingsBySubject",
        editors: dict[int, list[str]],
        released: ReleasedSource,
    ) -> list[ReleasedComparison]:
        """Keep rated pairs whose texts each have an editor that is kept, or are system outputs."""
        output_texts = {output.text for output in released.outputs}
        kept: list[ReleasedComparison] = []
        for _, pair, first, second, *texts in rows:
            has_authors = all(
                target in editors or text in output_texts for target, text in zip((first, second), texts, strict=True)
            )
            of_pair = ratings.crowd.get(pair, [])
            if not has_authors or not of_pair:
                continue
            if len(of_pair) < self.filter.min_ratings:
                self.left_out.comparisons_with_too_few_ratings += 1
                continue
            experts = tuple(ratings.experts.get(pair, ()))
            kept.append(ReleasedComparison(texts[0], texts[1], tuple(of_pair), experts))
        return kept

    def _written_texts(
        self, editions: list[tuple[Any, ...]], texts: dict[int, str], released: ReleasedSource
    ) -> list[WrittenText]:
        """Return the edit logs of kept texts; imported and erased work has none."""
        kept, exact = {text.text for text in released.texts}, self.filter.exact_times
        return [
            WrittenText(self._names[worker], texts[target], started_from, log, has_exact_times=exact)
            for _, target, worker, started_from, log, *_ in editions
            if log and worker not in self.filter.editors and texts[target] in kept
        ]

    def _note(
        self,
        released: ReleasedSource,
        editions: list[tuple[Any, ...]],
        texts: list[tuple[Any, ...]],
        outputs: list[tuple[Any, ...]],
        ratings: "_RatingsBySubject",
    ) -> None:
        """Count under which settings the texts of a kept source were written, and they and its outputs rated."""
        self.provenance.add(released)
        kept_texts = {text.text for text in released.texts}
        kept = {target for _, target, text in texts if text in kept_texts}
        self.provenance.add_compressions(
            Done(worker, settings, guidelines, written_at)
            for _, target, worker, _, _, settings, guidelines, written_at in editions
            if target in kept and worker not in self.filter.editors
        )
        for target in sorted(kept):
            self.provenance.add_ratings(ratings.done[target], Work.RATINGS)
        for target in sorted({target for _, _, target, *_ in outputs} - kept):
            self.provenance.add_ratings(ratings.done[target], Work.OUTPUT_RATINGS)
        for *_, output in outputs:
            self.provenance.add_ratings(ratings.done[_of_output(output)], Work.OUTPUT_RATINGS)

    def _note_comparisons(
        self, released: ReleasedSource, pairs: list[tuple[Any, ...]], ratings: "_RatingsBySubject"
    ) -> None:
        kept = {(pair.first, pair.second) for pair in released.comparisons}
        for _, pair, _, _, first, second in pairs:
            if (first, second) in kept:
                self.provenance.add_ratings(ratings.done[pair], Work.RATINGS)

    def _has_rated_output(self, source: ReleasedSource) -> bool:
        """Whether an output, or a pair of outputs, has enough ratings of the crowd, or any of experts."""
        enough = max(1, self.filter.min_ratings)
        return bool(source.comparisons) or any(
            len(output.ratings) >= enough or output.expert_ratings for output in source.outputs
        )

    def _is_kept(self, source: ReleasedSource) -> bool:
        """Whether people's texts of a source are enough. Rated outputs alone are only if no text is asked for."""
        least = self.filter.min_compressions
        if len(source.texts) >= max(1, least) or (least == 0 and self._has_rated_output(source)):
            return True
        self.left_out.outputs_of_left_out_sources += len(source.outputs)
        if source.texts:
            self.left_out.sources_with_too_few_compressions += 1
        elif source.outputs:
            self.left_out.sources_with_outputs_only += 1
        else:
            self.left_out.sources_without_text += 1
        return False


@dataclass
class _RatingsBySubject:
    """Ratings by the id of their text or pair, or by what `_of_output` makes of the id of an output.

    `rated` has each subject with the pools that rated it, those included of whom all are left out.
    """

    crowd: dict[int, list[ReleasedRating]] = field(default_factory=lambda: defaultdict(list))
    experts: dict[int, list[ReleasedRating]] = field(default_factory=lambda: defaultdict(list))
    done: dict[int, list[Done]] = field(default_factory=lambda: defaultdict(list))
    rated: set[tuple[int, str]] = field(default_factory=set)


def _of_output(output: int) -> int:
    """Return the key of an output that was rated apart, which no text has."""
    return -output


def _alignments(rows: list[tuple[Any, ...]]) -> dict[int, ReleasedAlignment]:
    """Return the latest correction of each text, unless it was taken back."""
    latest = {target: made for _, target, *made in rows}
    return {
        target: ReleasedAlignment(tuple(source_words), tuple(words), tuple(places), version)
        for target, (source_words, words, places, version) in latest.items()
        if places is not None
    }


def _compared_texts(source: ReleasedSource) -> set[str]:
    return {text for pair in source.comparisons for text in (pair.first, pair.second)}
