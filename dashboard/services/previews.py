"""Previews: a staff member walks through a round in a sandbox, a campaign of its own that does not last.

A sandbox has the settings, questions and some of the texts of its campaign, is open whatever the state of that one, and
has no staff. It is deleted with all that happened in it when the preview ends, or some hours later.
"""

import random
import secrets
from collections.abc import Iterable
from contextlib import suppress
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, ProtectedError, Q, RestrictedError

from common.clock import database_now
from compressions.models import Compression, Source, Target
from compressions.services.targets import target_create
from crowd.models import Campaign, CampaignState, Item, JoinLink, Round, Stream
from crowd.models.settings_version import VERSIONED
from crowd.services.campaigns import campaign_create
from crowd.services.items import items_create
from dashboard.services.deletion import campaign_delete
from measures.text.length_rule import allowed_length
from measures.text.normalization import length
from protocols.services.material import material_copy
from ratings.models import ExpertItem, ExpertSample, GoldItem, QualificationItem

LIFETIME = timedelta(hours=6)
MOST_AT_ONCE = 20
SOURCES, TEXTS_OF_SOURCE = 3, 2
MADE_UP = "(made up for this preview)"
SAMPLES = (
    "The city library, which had been closed for repairs since the end of the winter, opened its doors again on "
    "Monday morning and welcomed more than two hundred visitors on the first day.",
    "After a long discussion that lasted well into the evening, the members of the garden club decided to plant apple "
    "trees along the path that leads from the school to the river.",
    "The new bus line, for which people in the northern villages had been waiting for many years, will begin to run in "
    "spring and stop at the market place every twenty minutes.",
)
COPIED = (*VERSIONED, "name", "description", "language", "licence", "homepage", "minimum_hourly_pay")


@transaction.atomic
def preview_create(*, campaign: Campaign, work_round: Round) -> JoinLink:
    """Make a sandbox of a campaign, and return the link by which to walk through a round."""
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    _make_room(campaign)
    name = f"{campaign.slug[:24]}-preview-{secrets.token_hex(8)}"
    settings = {field: getattr(campaign, field) for field in COPIED}
    sandbox = campaign_create(owner=None, slug=name, state=CampaignState.OPEN, sandbox_of=campaign, **settings)
    if work_round in campaign.task.rounds:
        material_copy(campaign=campaign, sandbox=sandbox, most=SOURCES)
        return sandbox.links.get(round=work_round)
    sources = _sources_copy(campaign, sandbox)
    if work_round != Round.EDIT:
        _questions_copy(campaign, sandbox)
        targets = {target.pk: target for old, new in sources for target in _targets_make(sandbox, old, new)}
        if work_round == Round.EXPERT:
            _sample_make(sandbox, list(targets.values()))
    return sandbox.links.get(round=work_round)


def preview_end(*, slug: str) -> None:
    """Delete a sandbox; campaigns of this name that are none stay."""
    sandbox = Campaign.objects.filter(slug=slug, sandbox_of__isnull=False, labelled_sessions_for=None).first()
    if sandbox is not None:
        sandbox_delete(sandbox)


def previews_forget_old() -> None:
    """Delete the sandboxes that nobody has ended, and what could not be deleted when they were.

    Those of labelled sessions stay until staff remove these.
    """
    sandboxes = Campaign.objects.filter(sandbox_of__isnull=False, labelled_sessions_for=None)
    old = Q(created_at__lt=database_now() - LIFETIME) | Q(state=CampaignState.ARCHIVED)
    for sandbox in sandboxes.filter(old).order_by("pk"):
        sandbox_delete(sandbox)


def sandbox_delete(sandbox: Campaign) -> None:
    """Archive a sandbox, so that it takes nothing more, and delete it; the timer does it if a page is in the way."""
    Campaign.objects.filter(pk=sandbox.pk).update(state=CampaignState.ARCHIVED)
    with suppress(ProtectedError, RestrictedError, IntegrityError):  # a page has stored something meanwhile
        campaign_delete(campaign=sandbox, user=None)


def _make_room(campaign: Campaign) -> None:
    """Delete the oldest sandboxes of a campaign that has many."""
    for sandbox in Campaign.objects.filter(sandbox_of=campaign, labelled_sessions_for=None).order_by("-pk")[
        MOST_AT_ONCE - 1 :
    ]:
        sandbox_delete(sandbox)


def _sources_copy(campaign: Campaign, sandbox: Campaign) -> list[tuple[Source | None, Source]]:
    """Copy the first sources that people are given, or make some; return each with the one that it comes from."""
    items = campaign.items.filter(round=Round.EDIT, is_closed=False)
    olds = Source.objects.filter(item__in=items).order_by("item__position", "pk")[:SOURCES]
    copies: list[tuple[Source | None, Source]] = [(old, _source_copy(sandbox, old)) for old in olds]
    return copies or [(None, _source_make(sandbox, number, text)) for number, text in enumerate(SAMPLES, start=1)]


def _source_make(sandbox: Campaign, number: int, text: str) -> Source:
    (item,) = items_create(campaign=sandbox, work_round=Round.EDIT, count=1, rng=random.Random(number))
    return Source.objects.create(
        campaign=sandbox, source_id=f"sample-{number}", genre="sample", text=text, sentences=1, item=item
    )


def _source_copy(sandbox: Campaign, old: Source) -> Source:
    (item,) = items_create(campaign=sandbox, work_round=Round.EDIT, count=1, rng=random.Random(old.pk))
    return source_copy(sandbox, old, item)


def source_copy(sandbox: Campaign, old: Source, item: Item) -> Source:
    """Store a text of a campaign in a sandbox of it, as what an item is about."""
    same = {name: getattr(old, name) for name in ("source_id", "genre", "text", "nuggets", "sentences")}
    return Source.objects.create(campaign=sandbox, item=item, **same)


def _targets_make(sandbox: Campaign, old: Source | None, new: Source) -> list[Target]:
    """Copy compressions that participants wrote of a source, or make up two that are marked so."""
    texts = _written_texts(old) or _made_up_texts(new, sandbox.keep_percent)
    return [target_create(campaign=sandbox, source=new, text=text) for text in texts]


def _written_texts(old: Source | None) -> list[str]:
    written = Compression.objects.filter(target=OuterRef("pk"), worker__is_test=False)
    targets = (
        Target.objects.filter(Exists(written), source=old, item__is_closed=False) if old else Target.objects.none()
    )
    return list(targets.order_by("pk").values_list("text", flat=True)[:TEXTS_OF_SOURCE])


def _made_up_texts(source: Source, keep_percent: int) -> Iterable[str]:
    for percent in {keep_percent, max(1, keep_percent // 2)}:
        words, allowed = source.text.split(), allowed_length(source.text, percent)
        while len(words) > 1 and length(" ".join(words)) > allowed:
            words.pop()
        yield f"{' '.join(words)} {MADE_UP}"


def _questions_copy(campaign: Campaign, sandbox: Campaign) -> None:
    """Copy practice, test and gold questions."""
    for question in QualificationItem.objects.filter(campaign=campaign).order_by("position"):
        question.pk, question.campaign = None, sandbox
        question._state.adding = True
        question.save()
    golds = (
        GoldItem.objects.filter(item__campaign=campaign, item__is_closed=False).select_related("item").order_by("pk")
    )
    for gold in golds:
        item = gold.item
        copied = Item(
            campaign=sandbox,
            round=Round.RATE,
            stream=Stream.GOLD,
            position=item.position,
            wanted=item.wanted,
            open_slots=item.wanted,
        )
        copied.save()
        gold.pk, gold.item = None, copied
        gold._state.adding = True
        gold.save()


def _sample_make(sandbox: Campaign, targets: list[Target]) -> None:
    """Draw all texts for an expert."""
    sample = ExpertSample.objects.create(
        campaign=sandbox, size=len(targets), seed=0, experts=1, strata=[], created_at=database_now()
    )
    rng = random.Random(0)
    items = items_create(campaign=sandbox, work_round=Round.EXPERT, count=len(targets), rng=rng, people=1)
    ExpertItem.objects.bulk_create(
        ExpertItem(sample=sample, target=target, item=item) for target, item in zip(targets, items, strict=True)
    )
