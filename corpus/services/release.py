"""Freeze a release by pinning what it is made from; `building` writes its files."""

from dataclasses import asdict
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max, Model
from django.utils.translation import gettext as _

from common.errors import Refused
from common.jobs import job_enqueue
from compressions.models import AlignmentCorrection, Compression, Source, SystemOutput
from compressions.selectors.sources import left_out_sources, retired_sources
from corpus.models import Release
from corpus.release.conduct import work_counts
from corpus.release.data_statement import Statement, statement_checked
from corpus.release.options import ReleaseOptions, splits_in_order, too_few_sources
from corpus.selectors import statement_of_last
from crowd.models import Campaign, ImportedScale, Round
from crowd.scales import scales_dump, scales_load
from crowd.selectors.members import workers_of_tests
from crowd.services.audit import audit_record
from crowd.services.write_locks import campaign_write_lock
from ratings.models import RaterPool, Rating, RatingVersion, Score
from ratings.selectors.quality import latest_quality_run, people_left_out

RELEASE_JOB = "freeze_release"


@transaction.atomic
def release_create(
    *,
    campaign: Campaign,
    options: ReleaseOptions | None = None,
    statement: Statement | None = None,
    user: User | None = None,
) -> Release:
    """Create the next release: pin its rows, quality decisions and options.

    `statement` is what the researchers say of the corpus; by default it is that of the last release.
    """
    said = statement_of_last(campaign) if statement is None else statement_checked(statement)
    chosen = options or ReleaseOptions()
    if not _is_rated(campaign, chosen):
        if Rating.objects.filter(worker__in=workers_of_tests(campaign)).exists():
            words = _("There is nothing to release yet: only test participants have rated, and they do not count.")
            raise Refused(words)
        raise Refused(_("There is nothing to release yet: no compression has been rated."))
    _check_sizes(campaign, chosen)
    campaign_write_lock(campaign_id=campaign.pk)  # one version number after the other
    last = Release.objects.filter(campaign=campaign).aggregate(last=Max("version"))["last"]
    run = latest_quality_run(campaign)
    release = Release.objects.create(
        campaign=campaign,
        version=(last or 0) + 1,
        options=asdict(chosen),
        scales=_scales_beside_own(campaign),
        data_statement=said,
        quality_run=run,
        left_out_people=[
            {"id": each.worker.pk, "worker": each.worker.public_name, "round": each.round, "reason": each.reason}
            for each in people_left_out(campaign, run)
            if not each.worker.is_test  # their work is never read (`corpus/release/table_readers.py`)
        ],
        retired_sources=[
            {"id": each.pk, "source": each.source_id, "is_left_out": each.is_left_out}
            for each in retired_sources(campaign)
        ],
        conduct=work_counts(campaign),
        last_rows=_last_rows(),
    )
    audit_record(campaign=campaign, user=user, action="release frozen", subject=release.name)
    return release


@transaction.atomic
def release_uploaded(*, release: Release, address: str) -> None:
    """Record where a command has uploaded a release to."""
    audit_record(campaign=release.campaign, user=None, action="release uploaded", subject=release.name, detail=address)


def _check_sizes(campaign: Campaign, options: ReleaseOptions) -> None:
    wanted = sum((options.sizes or {}).values())
    available = campaign.sources.count() - len(left_out_sources(campaign))
    if wanted > available:
        raise too_few_sources(wanted, available)


def _is_rated(campaign: Campaign, options: ReleaseOptions) -> bool:
    """Whether a release may have content. Texts want ratings of the crowd; for outputs alone, experts' will do."""
    counted = Rating.objects.exclude(worker__in=workers_of_tests(campaign))
    single = counted.filter(target__source__campaign=campaign)
    if options.min_compressions > 0:
        single = single.filter(rater_pool=RaterPool.CROWD)
    side_by_side = counted.filter(pair__first__source__campaign=campaign)
    return single.exists() or side_by_side.exists()


def _scales_beside_own(campaign: Campaign) -> list[dict[str, Any]] | None:
    """Return the scales of a release where some came with files: the campaign's own only if anything is on them."""
    imported = ImportedScale.objects.filter(campaign=campaign, scores__isnull=False).distinct().order_by("pk")
    scales = [each.scale for each in imported]
    if not scales:
        return None
    own = Score.objects.filter(rating__target__source__campaign=campaign).exists()
    return scales_dump([*(scales_load(campaign.scales) if own else ()), *scales])


def _last_rows() -> dict[str, int]:
    """Return the last row of each table that a release may hold, whenever its files are written."""
    tables: dict[str, type[Model]] = {
        "sources": Source,
        "ratings": Rating,
        "rating_versions": RatingVersion,
        "compressions": Compression,
        "outputs": SystemOutput,
        "corrections": AlignmentCorrection,
    }
    return {name: table._default_manager.aggregate(last=Max("pk"))["last"] or 0 for name, table in tables.items()}


@transaction.atomic
def release_request(
    *, campaign: Campaign, user: User, options: ReleaseOptions | None = None, statement: Statement | None = None
) -> Release:
    """Create a release and enqueue the job that writes its files."""
    release = release_create(campaign=campaign, options=options, statement=statement, user=user)
    release.job = job_enqueue(campaign_id=campaign.pk, kind=RELEASE_JOB, parameters={"release": release.pk}, user=user)
    release.save(update_fields=["job"])
    return release


def options_of(release: Release) -> ReleaseOptions:
    """Return the options of a release. Splits are re-sorted: the draw depends on their order, and JSON may lose it."""
    stored = dict(release.options)
    for name in ("shares", "sizes"):
        if stored[name] is not None:
            stored[name] = {split: stored[name][split] for split in splits_in_order(stored[name])}
    return ReleaseOptions(**stored)


def removed_people(release: Release, work_round: Round) -> frozenset[int]:
    return frozenset(each["id"] for each in release.left_out_people if each["round"] == work_round)
