"""Writing the files of a release.

The database is read once, part by part, into scratch files, and of each source that is kept the id, family and stratum
are remembered. Then the splits are drawn, and a second pass over the scratch files writes every format at once. Only
Parquet collects some hundred rows before it writes them.
"""

import json
import secrets
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from django.db import transaction
from django.db.models import Q

from common.clock import database_now
from common.errors import Refused
from common.job_attempts import NO_JOB, Attempt, LostLease
from common.jobs import Progress
from common.scratch import scratch_folder
from common.stores import store
from common.stores.unnamed_paths import OwnPath, path_give_up, path_of_attempt
from compressions.selectors.sources import first_versions
from corpus.browse.site import site_write
from corpus.description.card import card, config_name
from corpus.description.croissant import croissant
from corpus.description.facts import ReleaseFacts
from corpus.models import ImportedFacts, Release, ReleaseFile, release_parent
from corpus.release.assembly import ReleaseFilter, ReleaseStream
from corpus.release.collection import Collection, collection_of
from corpus.release.folder import ReleaseFolder, WrittenFile
from corpus.release.provenance import Provenance
from corpus.release.rater_spreads import DEFINITION, RaterSpreads
from corpus.release.splits import SplitSlot, draw_splits
from corpus.release.table_readers import PinnedTables, statistics_refresh
from corpus.release.why_empty import why_empty
from corpus.selectors import output_limit
from corpus.services.processed import processed_write, release_parser
from corpus.services.release import options_of, removed_people
from corpus.services.writers import ReleaseWriters, ScratchFiles, archive_write
from corpus.statistics.counts import Summary
from crowd.models import Round, Worker
from crowd.selectors.arms import arms_of_raters
from ratings.models import QualityRun, RaterPool, Rating
from ratings.selectors.quality import parameters_of

MANIFEST = "manifest.json"
STEPS = 1000  # of the progress
SOURCES_PER_STEP = 100


def release_build(*, release: Release, progress: Progress, attempt: Attempt = NO_JOB) -> None:
    """Write the files of a release; if that fails the release says so, and can be built again."""
    if release.state == Release.State.READY:
        return
    try:
        _Building(release, progress, attempt).build()
    except LostLease:
        raise  # the release is another attempt's now
    except BaseException:
        with suppress(LostLease):
            _abandon(release, attempt)
        raise


@transaction.atomic
def _abandon(release: Release, attempt: Attempt) -> None:
    """Mark a release as failed."""
    attempt.fence()
    current = Release.objects.select_for_update(no_key=True).get(pk=release.pk)
    if current.state != Release.State.READY:
        Release.objects.filter(pk=release.pk).update(state=Release.State.FAILED)


class _Building:
    def __init__(self, release: Release, progress: Progress, attempt: Attempt) -> None:
        self.release, self.progress, self.attempt = release, progress, attempt
        self.options, self.scales = options_of(release), release.rating_scales
        self.parser = release_parser(release.campaign.language)
        # Parsing takes most of the time, and without a parser the pages to read do.
        self.written_at, self.parsed_at = (STEPS // 4, STEPS // 4 * 3) if self.parser else (STEPS // 3, STEPS // 3)

    def build(self) -> None:
        with scratch_folder() as place, ReleaseFolder(place / "release") as folder:
            with ScratchFiles(place) as scratch:
                spreads = RaterSpreads([scale.key for scale in self.scales if scale.numbers is not None])
                places, stream = self._read(scratch, spreads)
                if not places:
                    raise Refused(
                        why_empty(stream.left_out, self.options, texts_without_editor=stream.texts_without_editor)
                    )
                splits = draw_splits(places, self.options)
                counted, not_written = self._write(folder, scratch, splits, spreads)
                summary = counted.as_json(stream.left_out)
                summary["before_cleaning"] = stream.before_cleaning.as_json()
                if self.release.quality_run:
                    summary["not_assessed"] = self._not_assessed(self.release.quality_run, stream.provenance)
                if self.options.exact_times:
                    summary["exact_times"] = True
                if not_written:
                    summary["files_not_written"] = not_written
            self._parse(folder, len(splits))
            facts = self._facts(summary, collection_of(self.release, stream.provenance))
            site_write(folder, facts, len(splits), self._part(self.parsed_at, STEPS))
            self._describe(folder, facts, splits)
            self._publish(folder, summary)
        self.progress(STEPS, STEPS)

    def _facts(self, summary: dict[str, Any], collection: Collection) -> ReleaseFacts:
        imported = ImportedFacts.objects.filter(campaign=self.release.campaign).first()
        return ReleaseFacts(self.release, summary, collection, imported, self._after_quality())

    def _after_quality(self) -> dict[str, int]:
        """Count the crowd's ratings that came after the quality rule was applied."""
        run = self.release.quality_run
        if run is None:
            return {}
        crowd = Rating.objects.filter(
            worker__campaign=self.release.campaign, worker__is_test=False, rater_pool=RaterPool.CROWD
        )
        pinned = crowd.filter(pk__lte=self.release.last_rows["ratings"])
        return {"ratings": pinned.filter(created_at__gt=run.created_at).count()}

    def _not_assessed(self, run: QualityRun, found: Provenance) -> dict[str, list[int] | None]:
        """Count those in the release whom the quality rule never assessed, and all; None for a role it does not judge.

        They came after it was applied, or had too few items when it was. Nobody is counted whom staff decided on.
        """
        parameters = parameters_of(run.parameters)
        judged = Q(is_by_hand=True) | Q(quality__isnull=False, items__gte=parameters.min_items)
        roles = {
            "editors": (Round.EDIT, found.editors, parameters.judges_editors),
            "raters": (Round.RATE, found.raters, parameters.judges_raters),
        }
        counts: dict[str, list[int] | None] = {}
        for role, (work_round, done, is_judged) in roles.items():
            people = {worker for worker, _ in done}
            assessed = set(run.decisions.filter(judged, round=work_round).values_list("worker", flat=True))
            counts[role] = [len(people - assessed), len(people)] if is_judged else None
        return counts

    def _read(self, scratch: ScratchFiles, spreads: RaterSpreads) -> tuple[list[SplitSlot], ReleaseStream]:
        people = {worker.pk: worker for worker in Worker.objects.filter(campaign=self.release.campaign)}
        scales, firsts = [scale.key for scale in self.scales], first_versions(self.release.campaign)
        arms = arms_of_raters(self.release.campaign)
        stream = ReleaseStream(self._release_filter(), people, scales, firsts, arms)
        statistics_refresh()
        parts = PinnedTables(self.release.campaign, self.release.last_rows).parts()
        places = []
        for number, part in enumerate(parts):
            self.progress(self.written_at // 2 * number // len(parts), STEPS)
            for source, written in stream.of(part):
                scratch.add(source, written)
                spreads.add(source)
                places.append(SplitSlot.of(source))
        return places, stream

    def _release_filter(self) -> ReleaseFilter:
        return ReleaseFilter(
            raters=removed_people(self.release, Round.RATE),
            editors=removed_people(self.release, Round.EDIT),
            experts=removed_people(self.release, Round.EXPERT),
            sources=frozenset(each["id"] for each in self.release.retired_sources if each["is_left_out"]),
            min_ratings=self.options.min_ratings,
            min_compressions=self.options.min_compressions,
            keep_percent=output_limit(self.release.campaign),
            exact_times=self.options.exact_times,
        )

    def _write(
        self, folder: ReleaseFolder, scratch: ScratchFiles, splits: dict[str, str], spreads: RaterSpreads
    ) -> tuple[Summary, list[str]]:
        """Write all formats; return the figures, and the files of formats that cannot be written here."""
        summary = Summary(self.scales)
        writers = ReleaseWriters(folder, self.scales)
        for number, (source, written) in enumerate(scratch.read()):
            source.split = splits[source.source_id]
            summary.add(source, len(written))
            writers.add(spreads.scored(source), written)
            if number % SOURCES_PER_STEP == 0:
                self.progress(self.written_at // 2 * (len(splits) + number) // len(splits), STEPS)
        writers.close()
        return summary, writers.not_written

    def _parse(self, folder: ReleaseFolder, total: int) -> None:
        if self.parser is not None:
            processed_write(folder, self.parser, total, self._part(self.written_at, self.parsed_at))

    def _part(self, begin: int, end: int) -> Progress:
        """Return the progress of a part of the work, from one of the steps to another."""
        return lambda done, of: self.progress(begin + (end - begin) * done // of, STEPS)

    def _describe(self, folder: ReleaseFolder, facts: ReleaseFacts, splits: dict[str, str]) -> None:
        """What the files are, for people and for programs; then one archive of all."""
        parser, config = self.parser.name if self.parser else "", config_name(self.release, folder.files)
        folder.write("README.md", card(facts, parser, config).encode())
        folder.write("croissant.json", croissant(facts, folder.files))
        folder.write(MANIFEST, self._manifest(facts, splits, folder.files))
        members = sorted(file.name for file in folder.files)
        archive_write(folder, f"{self.release.name}.zip", members)

    def _manifest(self, facts: ReleaseFacts, splits: dict[str, str], files: list[WrittenFile]) -> bytes:
        release, run = self.release, self.release.quality_run
        people = [{name: each[name] for name in ("worker", "round", "reason")} for each in release.left_out_people]
        manifest = {
            "release": release.name,
            "campaign": release.campaign.name,
            "created_at": release.created_at.isoformat(),
            "imported_from": facts.imported.name if facts.imported else None,
            "language": facts.language or None,
            "licence": release.campaign.licence or None,
            "task": release.campaign.rating_task,
            "scales": release.campaign.scales if release.scales is None else release.scales,
            **self._derived(),
            "options": asdict(self.options),
            "data_statement": release.data_statement,
            "quality": {"rule": run.rule, "parameters": run.parameters, "summary": run.summary} if run else None,
            "after_quality": facts.after_quality or None,
            "left_out_workers": people,
            **_retired_texts(release),
            "collection": facts.collection,
            "stated": facts.stated,
            "summary": facts.summary,
            "splits": splits,
            "parser": self.parser.name if self.parser else None,
            "files": [asdict(file) for file in files],
        }
        # Sorted, since a database may keep the keys of JSON in any order, and the same release has the same checksum.
        return json.dumps(manifest, indent=1, ensure_ascii=False, sort_keys=True).encode() + b"\n"

    def _derived(self) -> dict[str, Any]:
        """Return what the manifest says of z-scores: nothing where no scale came with a file."""
        keys = [scale.key for scale in self.scales if scale.numbers is not None]
        return {"derived": {"z_scores": {"scales": keys, "definition": DEFINITION}}} if keys else {}

    def _publish(self, folder: ReleaseFolder, summary: dict[str, Any]) -> None:
        """Store the files in a folder of this attempt's own, and then let the release name it."""
        path = f"{release_parent(self.release.campaign_id)}/v{self.release.version}-{secrets.token_hex(4)}"
        with path_of_attempt("releases", path, self.attempt) as own:
            folder.move_to(store("releases"), path, lambda: self.progress(STEPS - 1, STEPS))
            self._finish(own, folder.files, summary)

    @transaction.atomic
    def _finish(self, own: OwnPath, files: list[WrittenFile], summary: dict[str, Any]) -> None:
        """Make the release ready, unless another attempt is at work or has finished."""
        self.attempt.fence()
        release, before = self.release, Release.objects.select_for_update(no_key=True).get(pk=self.release.pk)
        if before.state == Release.State.READY:
            raise LostLease(f"{release.name} was finished by another attempt")
        own.name_it()
        if before.folder:
            path_give_up("releases", before.folder)
        release.files.all().delete()
        ReleaseFile.objects.bulk_create(
            ReleaseFile(release=release, name=file.name, size=file.size, sha256=file.sha256) for file in files
        )
        release.state = Release.State.READY
        release.folder = own.row.path
        release.summary = summary
        release.checksum = next(file.sha256 for file in files if file.name == MANIFEST)
        release.finished_at = database_now()
        release.save(update_fields=["state", "folder", "summary", "checksum", "finished_at"])


def _retired_texts(release: Release) -> dict[str, Any]:
    """Return what the manifest says of retired texts: nothing if there are none."""
    retired = release.retired_sources
    left_out = [each["source"] for each in retired if each["is_left_out"]]
    return {"retired_texts": {"retired": len(retired), "left_out": left_out}} if retired else {}
