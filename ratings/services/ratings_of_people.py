"""Add ratings that people gave elsewhere to texts of a campaign. They never join those of its own participants."""

import random
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from django.utils.translation import gettext as _

from common.clock import database_now
from compressions.models import SystemOutput
from crowd.models import Assignment, Campaign, Item, Round, Worker
from crowd.services.imported_people import imported_people_create
from crowd.services.items import close_open_slots, items_create
from crowd.services.leases import leases_expire
from ratings.models import ExpertItem, ExpertSample, RaterPool
from ratings.rating_files import AddedRatings, TextLine
from ratings.services.imported import ImportedRating, imported_ratings_create, imported_scales_of
from ratings.services.rated_elsewhere import RatedElsewhere

IMPORTED_SEED = 0
"""With no strata, the sign of a sample that nobody drew: the texts whose experts' ratings were imported."""


def people_ratings_add(*, campaign: Campaign, pool: RaterPool, lines: Sequence[TextLine]) -> AddedRatings:
    """Store the ratings that are new; call inside the transaction of an import, with all lines of a text at once."""
    leases_expire(campaign_id=campaign.pk, now=database_now())  # who comes back late finds the text taken
    known = RatedElsewhere.read(campaign, pool, lines)
    added, new = AddedRatings(), list[TextLine]()
    for target, line in lines:
        if reason := _refusal(known, target, line.rater):
            added.problems.append((line.line, reason))
        elif line.rater and (scores := known.points(target, line)) is not None:
            is_same = scores == dict(line.scores)
            added.judge(line.line, is_same=is_same, otherwise=_other_points(scores.keys() & line.scores.keys()))
        elif not line.rater and known.take_nameless(target, line):
            added.accepted += 1
        else:
            new.append((target, line))
    _store(campaign, pool, known, new)
    added.added = len(new)
    added.accepted += len(new)
    return added


def _refusal(known: RatedElsewhere, target: int, rater: str) -> str:
    """Return why a text cannot have a rating by a rater, or an empty string."""
    if target not in known.targets:
        return _("the text has been deleted")
    if target in known.rated_here:
        return _("participants of this campaign rate this text or have rated it; imported ratings never join theirs")
    if rater in known.names_of_participants:
        words = _("%(name)s is the number of a participant of this campaign; name the rater otherwise")
        return words % {"name": rater}
    if rater in known.people and known.may_not_rate(target, rater):
        return _("the rater wrote this text, or rated it in another pool")
    return ""


def _other_points(shared: Collection[str]) -> str:
    if not shared:
        return _("the rater has rated this text on another scale, and a rating has the scales of one file")
    return _("the rater has given this text other points; they stay as they are")


def _store(campaign: Campaign, pool: RaterPool, known: RatedElsewhere, new: Sequence[TextLine]) -> None:
    if not new:
        return
    people = _people(campaign, known.people, new)
    outputs = SystemOutput.objects.in_bulk([line.output for _, line in new if line.output])
    items = dict(known.items)
    if pool == RaterPool.EXPERTS:
        items |= _expert_items(campaign, [target for target, _ in new if target not in items], new)
    given = [
        ImportedRating(
            scores=line.scores,
            target=known.targets[target],
            item=items[target],
            worker=people[line.rater] if line.rater else None,
            output=outputs[line.output] if line.output else None,
        )
        for target, line in new
    ]
    created = imported_ratings_create(pool=pool, given=given, scales=imported_scales_of(campaign))
    slots_close({items[target].pk for target, _ in new}, created)


def _people(campaign: Campaign, known: Mapping[str, Worker], new: Iterable[TextLine]) -> Mapping[str, Worker]:
    """Return the people by name, those who were not known created."""
    names = list(dict.fromkeys(line.rater for _, line in new if line.rater and line.rater not in known))
    if not names:
        return known
    created = imported_people_create(campaign=campaign, names=names)
    return {**known, **dict(zip(names, created, strict=True))}


def slots_close(items: Iterable[int], had: Iterable[Assignment]) -> None:
    """Close the open slots of the items of texts; the people who are named have had one each."""
    people = Counter(dict.fromkeys(items, 0))
    people.update(assignment.item_id for assignment in had)
    by_number = defaultdict(list)
    for item, number in people.items():
        by_number[number].append(item)
    for number, item_ids in sorted(by_number.items()):
        close_open_slots(item_ids=item_ids, people=number)


def _expert_items(campaign: Campaign, targets: Iterable[int], new: Sequence[TextLine]) -> dict[int, Item]:
    """Create the experts' items of texts that no sample has, in the one sample for imported ratings."""
    wanted = list(dict.fromkeys(targets))
    if not wanted:
        return {}
    most = max(Counter(target for target, _ in new).values())
    samples = ExpertSample.objects.filter(campaign=campaign, seed=IMPORTED_SEED)
    sample = next((each for each in samples if not each.strata), None)
    sample = sample or ExpertSample(
        campaign=campaign, size=0, seed=IMPORTED_SEED, experts=most, strata=[], created_at=database_now()
    )
    sample.size, sample.experts = sample.size + len(wanted), max(sample.experts, most)
    sample.save()
    rng = random.Random(wanted[0])
    items = items_create(campaign=campaign, work_round=Round.EXPERT, count=len(wanted), rng=rng, people=0)
    rows = [ExpertItem(sample=sample, target_id=pk, item=item) for pk, item in zip(wanted, items, strict=True)]
    ExpertItem.objects.bulk_create(rows, batch_size=1000)
    return dict(zip(wanted, items, strict=True))
