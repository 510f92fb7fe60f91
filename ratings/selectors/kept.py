"""Results that are kept: which there are, what they were computed from, and what has come since."""

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from datetime import datetime
from typing import Any, Self

from django.db.models import Model, Q, QuerySet
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.action_notices import ActionNotice
from common.clock import database_now
from common.json_values import json_digest
from common.models import Job
from compressions.models import Compression, Source
from crowd.models import Campaign, Exclusion
from ratings.models import Inclusion, KeptResult, QualityRun, RaterPool, Rating, RatingVersion

MANY_CHANGES = 10_000
"""More newer ratings than these are not counted."""


@dataclass(frozen=True)
class Basis:
    """How far the data went at some moment: the last rows of whatever campaign, and the time."""

    rating: int
    version: int
    compression: int
    time: str

    @classmethod
    def now(cls) -> Self:
        """Return where the data end. Take it before reading them: what is then read as well counts as newer."""
        return cls(_last(Rating), _last(RatingVersion), _last(Compression), database_now().isoformat())


@dataclass(frozen=True)
class Changes:
    """What has come since a result was computed; numbers of ratings and compressions stop at MANY_CHANGES."""

    ratings: int
    corrections: int
    compressions: int
    decisions: int
    retired: int = 0
    expert_ratings: int = 0
    outputs: int = 0

    def __bool__(self) -> bool:
        return any(astuple(self))

    def __str__(self) -> str:
        counted = [
            _counted(self.ratings, ngettext("%(n)s newer rating", "%(n)s newer ratings", self.ratings)),
            _counted(self.corrections, ngettext("%(n)s newer correction", "%(n)s newer corrections", self.corrections)),
            _counted(
                self.compressions, ngettext("%(n)s newer compression", "%(n)s newer compressions", self.compressions)
            ),
            _counted(
                self.decisions,
                ngettext(
                    "%(n)s newer decision about participants",
                    "%(n)s newer decisions about participants",
                    self.decisions,
                ),
            ),
            _counted(self.retired, ngettext("%(n)s retired text", "%(n)s retired texts", self.retired)),
            _counted(
                self.expert_ratings,
                ngettext("%(n)s newer rating by an expert", "%(n)s newer ratings by experts", self.expert_ratings),
            ),
            _counted(
                self.outputs,
                ngettext("%(n)s newer output of a system", "%(n)s newer outputs of systems", self.outputs),
            ),
        ]
        return get_text_list([each for each in counted if each], _("and"))


def _counted(number: int, words: str) -> str:
    """Return the words with their number; nothing for 0."""
    if number > MANY_CHANGES:
        return words % {"n": _("more than %(n)s") % {"n": f"{MANY_CHANGES:,}"}}
    return words % {"n": f"{number:,}"} if number else ""


def kept_result(campaign: Campaign, kind: str, parameters: dict[str, Any]) -> KeptResult | None:
    """Return the row of a question, whether it is answered or not."""
    asked = KeptResult.objects.filter(campaign=campaign, kind=kind, digest=json_digest(parameters))
    return asked.select_related("job").first()


def kept_notice(
    kept: KeptResult | None, since: Changes | None, *, address: str, sent: Mapping[str, Any]
) -> ActionNotice | None:
    """Return why a result is to be computed, and the button for it; None if it is current or being computed."""
    if kept is None or kept.computed_at is None:
        words = _(
            "With so many ratings, this takes longer than a page should. It is computed in the background and kept."
        )
        notice = ActionNotice(words, _("Compute"), address, sent)
    elif since:
        computed = {"time": f"{kept.computed_at:%Y-%m-%d %H:%M}", "since": since}
        notice = ActionNotice(
            _("Computed %(time)s (UTC), before %(since)s.") % computed, _("Compute again"), address, sent
        )
    elif kept.job is not None and kept.job.state == Job.State.FAILED:
        notice = ActionNotice("", _("Compute again"), address, sent)
    else:
        return None
    return None if kept is not None and kept.is_under_way else notice


def changes_since(campaign: Campaign, known: Basis) -> Changes:
    """Count what is newer than the data that a result was computed from; test participants are in no result."""
    time = datetime.fromisoformat(known.time)
    ratings = Rating.objects.filter(of_campaign(campaign), rater_pool=RaterPool.CROWD).exclude(worker__is_test=True)
    # Joined from the few newer versions: a subquery of ratings would be read as a whole.
    corrections = RatingVersion.objects.filter(
        of_campaign(campaign, "rating__"), pk__gt=known.version, number__gt=1, rating__rater_pool=RaterPool.CROWD
    ).exclude(rating__worker__is_test=True)
    compressions = Compression.objects.filter(pk__gt=known.compression, source__campaign=campaign)
    compressions = compressions.exclude(worker__is_test=True)
    return Changes(
        ratings=newer_number(ratings.filter(pk__gt=known.rating)),
        corrections=newer_number(corrections),
        compressions=newer_number(compressions),
        decisions=sum(newer_number(each) for each in _decisions_since(campaign, time)),
        retired=newer_number(Source.objects.filter(campaign=campaign, retired_at__gt=time)),
    )


def has_at_most(campaign: Campaign, ratings: int) -> bool:
    """Whether a campaign has at most so many ratings of texts or pairs; counts no more than one above."""
    return Rating.objects.filter(**{f"{campaign.task.source}__campaign": campaign})[: ratings + 1].count() <= ratings


def newer_number(rows: QuerySet[Any]) -> int:
    """Count rows, no more than one above what is told."""
    return rows.order_by()[: MANY_CHANGES + 1].count()


def of_campaign(campaign: Campaign, rating: str = "") -> Q:
    """Match ratings of a campaign's texts, pairs and gold questions; `rating` is the way to a rating."""
    subjects = ("target__source", "pair__first__source", "gold__item")
    of_text, of_pair, of_gold = (Q(**{f"{rating}{subject}__campaign": campaign}) for subject in subjects)
    return of_text | of_pair | of_gold


def _decisions_since(campaign: Campaign, time: datetime) -> list[QuerySet[Any]]:
    since = Q(created_at__gt=time) | Q(withdrawn_at__gt=time)
    return [
        Exclusion.objects.filter(since, worker__campaign=campaign, worker__is_test=False),
        Inclusion.objects.filter(since, worker__campaign=campaign, worker__is_test=False),
        QualityRun.objects.filter(since, campaign=campaign),
    ]


def _last(model: type[Model]) -> int:
    return model._default_manager.order_by("-pk").values_list("pk", flat=True).first() or 0
