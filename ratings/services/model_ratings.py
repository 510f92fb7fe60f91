"""Add ratings by models, and delete all ratings of one."""

from collections.abc import Iterable, Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from compressions.models import Target
from crowd.models import Campaign
from crowd.services.audit import audit_record
from crowd.services.write_locks import campaign_write_lock
from ratings.models import ModelRater, ModelRating
from ratings.rating_files import AddedRatings, TextLine

BATCH = 2000


def model_ratings_add(*, campaign: Campaign, lines: Sequence[TextLine]) -> AddedRatings:
    """Store the ratings that are new; call inside the transaction of an import."""
    targets = {target for target, _ in lines}
    there = set(Target.objects.filter(pk__in=targets).values_list("pk", flat=True))
    raters = _raters(campaign, {line.rater for target, line in lines if target in there})
    given = ModelRating.objects.filter(rater__in=raters.values(), target__in=targets)
    known = {(rater, target): scores for rater, target, scores in given.values_list("rater_id", "target_id", "scores")}
    added, rows = AddedRatings(), list[ModelRating]()
    for target, line in lines:
        if target not in there:
            added.problems.append((line.line, _("the text has been deleted")))
            continue
        rater = raters[line.rater]
        if (rater.pk, target) in known:
            added.judge(line.line, is_same=known[rater.pk, target] == dict(line.scores), otherwise=_other(rater))
        else:
            rows.append(ModelRating(rater=rater, target_id=target, scores=dict(line.scores)))
    ModelRating.objects.bulk_create(rows, batch_size=BATCH)
    added.added = len(rows)
    added.accepted += len(rows)
    return added


@transaction.atomic
def model_ratings_delete(*, rater: ModelRater, user: User | None) -> int:
    """Delete a model with all of its ratings, and return how many there were.

    Reports that are computed keep what they say. A second request finds no model and does nothing.
    """
    campaign_write_lock(campaign_id=rater.campaign_id)
    if not ModelRater.objects.filter(pk=rater.pk).exists():
        return 0
    number, _by_table = ModelRating.objects.filter(rater=rater).delete()
    ModelRater.objects.filter(pk=rater.pk).delete()
    audit_record(
        campaign=rater.campaign,
        user=user,
        action="model ratings deleted",
        subject=rater.name,
        detail=f"{number} ratings",
    )
    return number


def _raters(campaign: Campaign, names: Iterable[str]) -> dict[str, ModelRater]:
    """Return the models by name, those that were not known created."""
    named = ModelRater.objects.filter(campaign=campaign, name__in=names)
    raters = {rater.name: rater for rater in named}
    new = [ModelRater(campaign=campaign, name=name) for name in sorted(set(names) - raters.keys())]
    return raters | {rater.name: rater for rater in ModelRater.objects.bulk_create(new)}


def _other(rater: ModelRater) -> str:
    words = _(
        "%(model)s has other numbers for this text. Import them under another name, or delete the ratings of "
        "%(model)s first."
    )
    return words % {"model": rater.name}
