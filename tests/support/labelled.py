"""Labelled sessions, made at once."""

from datetime import timedelta

import numpy as np

from common.clock import database_now
from compressions.models import Compression, Decoy, LabelledSessions, LabelledText, Source, TextFeatures
from compressions.services.targets import target_create
from crowd.models import Assignment, Campaign, Stream, Worker
from dashboard.services.labelled_sessions import labelled_sessions_make
from tests.support.factories import make_campaign, shortened

COPIED = "{start} – and that is what a machine would say."


def campaign_to_label(sources: int = 4) -> Campaign:
    """A campaign whose texts have decoys that begin as the text does."""
    campaign = make_campaign(sources=sources)
    Decoy.objects.bulk_create(
        Decoy(source=source, system="m", text=COPIED.format(start=shortened(source.text, 30)))
        for source in Source.objects.filter(campaign=campaign)
    )
    return campaign


def sessions_of(campaign: Campaign) -> LabelledSessions:
    labelled_sessions_make(campaign=campaign, user=campaign.staff.get())
    return LabelledSessions.objects.select_related("sandbox").get(campaign=campaign)


def label_texts(sessions: LabelledSessions, *, people: int, visits: int, distance: float = 3.0) -> None:
    """Have people write three texts and copy three in each of some visits, a day apart; copies have fewer pauses."""
    rng, now, sandbox = np.random.default_rng(1), database_now(), sessions.sandbox
    sources = list(Source.objects.filter(campaign=sandbox).select_related("item").order_by("item__position"))
    targets = [target_create(campaign=sandbox, source=each, text="A text.", stream=Stream.TEST) for each in sources]
    workers = Worker.objects.bulk_create(
        Worker(campaign=sandbox, platform_key="direct", external_id=f"p{number}", number=number + 1, is_test=True)
        for number in range(people)
    )
    done = [(worker, place) for worker in workers for place in range(6 * visits)]
    times = {"leased_at": now - timedelta(days=90), "lease_ends_at": now, "state": Assignment.State.SUBMITTED}
    held = Assignment.objects.bulk_create(
        Assignment(
            item=sources[place].item,
            worker=worker,
            round="edit",
            submitted_at=now - timedelta(days=60) + timedelta(days=place // 6, minutes=place),
            **times,
        )
        for worker, place in done
    )
    written = Compression.objects.bulk_create(
        Compression(
            source=sources[place].item.source,
            target=targets[place],
            worker=worker,
            assignment=assignment,
            text="A text.",
            edit_log=[],
            length=7,
            allowed=9,
        )
        for (worker, place), assignment in zip(done, held, strict=True)
    )
    labels = ["copy" if place % 2 else "own" for _worker, place in done]
    LabelledText.objects.bulk_create(
        LabelledText(compression=each, label=label) for each, label in zip(written, labels, strict=True)
    )
    TextFeatures.objects.bulk_create(
        TextFeatures(compression=each, values={"pauses100": float(rng.normal(-distance * (label == "copy")))})
        for each, label in zip(written, labels, strict=True)
    )
