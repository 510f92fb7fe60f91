"""Drawing what experts judge."""

import random
from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np
from django.contrib.auth.models import User
from django.db import transaction

from common.clock import database_now
from common.errors import Refused
from crowd.models import Campaign, JoinLink, Round
from crowd.services.campaigns import join_link_create
from crowd.services.item_slots import items_block_for_workers_of
from crowd.services.items import conflicts_create, items_create
from measures.sampling.stratified import score_bands, stratified_sample
from ratings.models import ExpertItem, ExpertSample
from ratings.selectors.experts import JudgedText, texts_to_sample

BANDS = 3
BAND_NAMES = ("low", "middle", "high")


@transaction.atomic
def expert_sample_draw(
    *, campaign: Campaign, size: int, seed: int, experts: int, user: User | None = None
) -> ExpertSample:
    """Draw texts that the crowd has judged, stratified by genre and crowd score, and hand them to experts.

    The same texts, scores and seed give the same sample on any machine. What experts have already is not drawn again.
    """
    if size < 1 or experts < 1:
        raise Refused("A sample has at least one text and one expert.")
    if campaign.is_side_by_side:
        raise Refused("Experts judge single texts; this campaign compares two side by side.")
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)  # one draw at a time
    texts = texts_to_sample(campaign)
    if not texts:
        raise Refused("There is nothing to draw from: no text with ratings is left that experts do not have.")
    strata = _strata(texts)
    drawn = set(stratified_sample(list(strata), list(strata.values()), size=size, seed=seed))
    sample = ExpertSample.objects.create(
        campaign=campaign,
        size=len(drawn),
        seed=seed,
        experts=experts,
        strata=_table(strata, drawn),
        created_at=database_now(),
        requested_by=user,
    )
    _hand_out(sample, [text for text in texts if text.name in drawn])
    if not JoinLink.objects.filter(campaign=campaign, round=Round.EXPERT).exists():
        join_link_create(campaign=campaign, work_round=Round.EXPERT, platform_key="direct")
    return sample


def _strata(texts: list[JudgedText]) -> dict[str, str]:
    """By the text's name: its genre and the band of the crowd's mean score, each a third of all texts."""
    bands = score_bands(np.array([text.score for text in texts]), bands=BANDS)
    return {text.name: f"{text.genre}|{BAND_NAMES[band]}" for text, band in zip(texts, bands, strict=True)}


def _table(strata: Mapping[str, str], drawn: Iterable[str]) -> list[list[str | int]]:
    """How many texts each stratum has, and how many of them were drawn."""
    there, chosen = Counter(strata.values()), Counter(strata[name] for name in drawn)
    return [[*stratum.rsplit("|", 1), there[stratum], chosen[stratum]] for stratum in sorted(there)]


def _hand_out(sample: ExpertSample, texts: list[JudgedText]) -> None:
    """Make the experts' items. Who wrote for a source, or judged the text in the crowd, is no expert on it."""
    items = items_create(
        campaign=sample.campaign,
        work_round=Round.EXPERT,
        count=len(texts),
        rng=random.Random(sample.seed),
        people=sample.experts,
    )
    ExpertItem.objects.bulk_create(
        [ExpertItem(sample=sample, target_id=text.pk, item=item) for text, item in zip(texts, items, strict=True)],
        batch_size=1000,
    )
    pairs = [
        (item.pk, other) for text, item in zip(texts, items, strict=True) for other in (text.item, text.source_item)
    ]
    conflicts_create(pairs=[*pairs, *((other, item) for item, other in pairs)])
    items_block_for_workers_of(pairs=pairs, work_round=Round.EXPERT, only_had=True)
