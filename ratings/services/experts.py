"""Draw the texts that experts rate, and keep those that they may not rate from them."""

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from common.clock import database_now
from common.errors import Refused
from common.sql import Statement
from crowd.models import Campaign, JoinLink, Round
from crowd.platforms import ACCOUNT
from crowd.services.audit import audit_record
from crowd.services.claim_statements import OTHERS_OF_BROWSERS
from crowd.services.items import conflicts_create, items_create
from crowd.services.leases import items_block_for_workers_of
from crowd.services.links import join_link_create
from crowd.services.write_locks import campaign_write_lock
from measures.sampling.stratified import score_bands, stratified_sample
from ratings.models import ExpertItem, ExpertSample
from ratings.selectors.qualification import RatedText, texts_to_sample

BLOCK_TEXTS_OF = Statement("""
    INSERT INTO crowd_assignment (item_id, worker_id, round, state, page_position)
    SELECT DISTINCT x.item_id, %(reader)s, 'expert', 'blocked', 0
    FROM compressions_compression c JOIN ratings_expertitem x ON x.target_id = c.target_id
    WHERE c.worker_id = %(author)s
    ORDER BY x.item_id
    ON CONFLICT DO NOTHING
""")
BLOCK_SAMPLE = Statement("""
    INSERT INTO crowd_assignment (item_id, worker_id, round, state, page_position)
    SELECT DISTINCT x.item_id, o.worker_id, 'expert', 'blocked', 0
    FROM ratings_expertitem x
    JOIN compressions_compression c ON c.target_id = x.target_id
    JOIN crowd_workerbrowser m ON m.worker_id = c.worker_id
    JOIN crowd_workerbrowser o ON o.browser_hash = m.browser_hash AND o.worker_id <> m.worker_id
    WHERE x.sample_id = %(sample)s
    ORDER BY x.item_id, o.worker_id
    ON CONFLICT DO NOTHING
""")
# Of a text that was in a sample already when this worker wrote it, too; their own worker may be an expert as well.
BLOCK_TEXT_AGAIN = Statement(f"""
    INSERT INTO crowd_assignment (item_id, worker_id, round, state, page_position)
    SELECT x.item_id, w.id, 'expert', 'blocked', 0
    FROM ratings_expertitem x, (SELECT id FROM crowd_worker WHERE id = %(worker)s UNION {OTHERS_OF_BROWSERS}) w
    WHERE x.target_id = %(target)s
    ORDER BY w.id
    ON CONFLICT DO NOTHING
""")  # noqa: S608 - of constants


def expert_texts_block(author: int, reader: int) -> None:
    """Block the texts in the experts' samples that one person wrote for another."""
    BLOCK_TEXTS_OF.run(author=author, reader=reader)


def expert_text_again_block(target: int, author: int) -> None:
    """Block a text of the experts' samples that somebody has now written, too, for them and those of their browsers."""
    BLOCK_TEXT_AGAIN.run(target=target, worker=author)


def expert_sample_block(*, sample_id: int) -> None:
    """Block the texts of a new sample for all who share a browser with their authors."""
    BLOCK_SAMPLE.run(sample=sample_id)


BANDS = 3
BAND_NAMES = ("low", "middle", "high")


def expert_sample_draw(
    *, campaign: Campaign, size: int, seed: int, experts: int, user: User | None = None
) -> ExpertSample:
    """Draw texts rated by the crowd, stratified by genre and crowd score, and create the experts' items.

    The draw is reproducible: the same texts, scores and seed give the same sample on any machine. Texts of earlier
    samples are not drawn again.
    """
    if size < 1 or experts < 1:
        raise Refused(_("A sample has at least one text and one expert."))
    if not campaign.task.judges_single_texts:
        raise Refused(_("Experts rate single texts; this campaign compares two side by side."))
    draw = _draw(campaign, size, seed)  # reads every rating, so before the transaction
    with transaction.atomic():
        campaign_write_lock(campaign_id=campaign.pk)
        if ExpertItem.objects.filter(target__in=[text.pk for text in draw.texts]).exists():  # by another draw
            draw = _draw(campaign, size, seed)
        return _sample_create(campaign, draw, seed, experts, user)


@dataclass(frozen=True)
class _Draw:
    """The texts of a draw, and the table of the strata that they come from."""

    texts: list[RatedText]
    strata: list[list[str | int]]


def _draw(campaign: Campaign, size: int, seed: int) -> _Draw:
    texts = texts_to_sample(campaign)
    if not texts and not ExpertItem.objects.filter(target__source__campaign=campaign).exists():
        raise Refused(_("There is nothing to draw from: no compression has a rating that counts yet."))
    if not texts:
        raise Refused(_("There is nothing to draw from: experts already have every text with ratings."))
    strata = _strata(texts)
    drawn = set(stratified_sample(list(strata), list(strata.values()), size=size, seed=seed))
    return _Draw([text for text in texts if text.name in drawn], _strata_table(strata, drawn))


def _sample_create(campaign: Campaign, draw: _Draw, seed: int, experts: int, user: User | None) -> ExpertSample:
    sample = ExpertSample.objects.create(
        campaign=campaign,
        size=len(draw.texts),
        seed=seed,
        experts=experts,
        strata=draw.strata,
        created_at=database_now(),
        requested_by=user,
    )
    _create_items(sample, draw.texts)
    handed_out = JoinLink.objects.filter(campaign=campaign, round=Round.EXPERT).exclude(platform_key=ACCOUNT)
    if not handed_out.exists():
        join_link_create(campaign=campaign, work_round=Round.EXPERT, platform_key="direct", user=user)
    detail = f"{sample.size} texts for {sample.experts} experts each"
    audit_record(campaign=campaign, user=user, action="expert sample drawn", detail=detail)
    return sample


def _strata(texts: list[RatedText]) -> dict[str, str]:
    """Return the stratum of each text by its name: its genre, and its third of the texts by the crowd's mean score."""
    bands = score_bands(np.array([text.score for text in texts]), bands=BANDS)
    return {text.name: f"{text.genre}|{BAND_NAMES[band]}" for text, band in zip(texts, bands, strict=True)}


def _strata_table(strata: Mapping[str, str], drawn: Iterable[str]) -> list[list[str | int]]:
    """Return a row per stratum: genre, band, number of texts, and number drawn."""
    available, chosen = Counter(strata.values()), Counter(strata[name] for name in drawn)
    return [[*stratum.rsplit("|", 1), available[stratum], chosen[stratum]] for stratum in sorted(available)]


def _create_items(sample: ExpertSample, texts: list[RatedText]) -> None:
    """Create the experts' items, blocked for workers who wrote for the source or rated the text in the crowd."""
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
    expert_sample_block(sample_id=sample.pk)
