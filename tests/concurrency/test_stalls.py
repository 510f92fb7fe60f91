"""While a service that writes much has its transaction open, newcomers join and participants submit."""

import importlib
from collections.abc import Callable
from functools import partial
from threading import Event, Timer
from typing import Any

import pytest
from django.db import connection

from common.errors import Refused
from common.jobs import job_enqueue
from compressions.models import Compression
from compressions.services.imports import IMPORT_JOB, source_import
from compressions.services.paragraphs import paragraphs_divide
from compressions.services.retirement import source_correct, source_retire
from corpus.services.erasure import worker_erase
from corpus.services.outputs import outputs_import
from corpus.services.release import release_create
from crowd.models import Campaign, Enrolment, Worker
from crowd.services.campaigns import campaign_update
from crowd.services.claims import assignment_claim
from measures.quality_control.worker_filter import FilterParameters
from ratings.models import Rating
from ratings.services.exclusions import person_exclude
from ratings.services.experts import expert_sample_draw
from ratings.services.gold import gold_add
from ratings.services.quality import quality_apply
from tests.support.factories import (
    EDIT,
    EXAMPLE,
    RATE,
    edit_all,
    edit_next,
    editor_at_work,
    enrol,
    fields_of,
    freeze,
    import_paragraphs,
    make_campaign,
    rate,
    rate_next,
    submission_of,
    worker_client,
)
from tests.support.together import together

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL runs transactions side by side"),
]
STALLED_SECONDS = 10
MORE = b"id,genre,text\n" + b"".join(
    b"n%d,News,The ministers of both countries met in the old town hall on Tuesday and agreed to a plan.\n" % number
    for number in range(3)
)
OUTPUTS = b'{"id": "1", "text": "The committee agreed to repair the bridge."}\n'


def _leaving(campaign: Campaign) -> Worker:
    return Worker.objects.get(campaign=campaign, external_id="leaving")


def _correct(campaign: Campaign) -> None:
    source = campaign.sources.latest("pk")
    source_correct(source=source, text=f"{source.text[:-1]}, they say.", note="A slip.", work_is_kept=True, user=None)


def _exclude(campaign: Campaign) -> None:
    person_exclude(worker=_leaving(campaign), work_round=EDIT, note="Copied.", user=None)


# Each with a function that it calls when it has done most of its work and holds its locks. Excluding an editor closes
# texts with its last statement, which locks them for a moment.
ACTS: dict[str, tuple[str, Callable[[Campaign], Any]]] = {
    "a slice of an import": (
        "compressions.services.imports.import_count_added",
        lambda campaign: source_import(campaign=campaign, file_name="a.csv", content=MORE),
    ),
    "the end of an import": (
        "compressions.services.file_imports.audit_record",
        lambda campaign: source_import(campaign=campaign, file_name="a.csv", content=MORE),
    ),
    "outputs": (
        "corpus.services.outputs.import_count_added",
        lambda campaign: outputs_import(campaign=campaign, system="t3", file_name="a.jsonl", content=OUTPUTS),
    ),
    "paragraphs": (
        "compressions.services.paragraphs.audit_record",
        lambda campaign: paragraphs_divide(campaign=campaign, count=2, seed=1),
    ),
    "a correction": ("compressions.services.retirement.audit_record", _correct),
    "a retirement": (
        "compressions.services.retirement.items_withdraw",
        lambda campaign: source_retire(
            source=campaign.sources.latest("pk"), note="Wrong.", work_is_kept=True, user=None
        ),
    ),
    "a release": ("corpus.services.release.audit_record", lambda campaign: release_create(campaign=campaign)),
    "the files of a release": ("corpus.services.building.database_now", freeze),
    "a sample for experts": (
        "ratings.services.experts.audit_record",
        lambda campaign: expert_sample_draw(campaign=campaign, size=1, seed=1, experts=1),
    ),
    "the worker filter": (
        "ratings.services.quality.audit_record",
        lambda campaign: quality_apply(campaign=campaign, parameters=FilterParameters()),
    ),
    "an exclusion": ("ratings.services.exclusions.inclusion_withdraw", _exclude),
    "an erasure": (
        "corpus.services.erasure.audit_record",
        lambda campaign: worker_erase(worker=_leaving(campaign)),
    ),
    "gold questions": (
        "ratings.services.gold.audit_record",
        lambda campaign: gold_add(campaign=campaign, examples=[EXAMPLE]),
    ),
}


@pytest.mark.parametrize("act", ACTS)
def test_people_join_and_submit_meanwhile(act: str, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign, submit = _at_work()
    monkeypatch.setattr("common.jobs._announce", lambda _: None)
    is_open, are_done = Event(), Event()
    held, run = ACTS[act]
    _hold_at(held, is_open, are_done, monkeypatch)
    before = (Enrolment.objects.count(), Compression.objects.count(), Rating.objects.count())

    def meanwhile() -> None:
        assert is_open.wait(STALLED_SECONDS)
        worker_client(campaign, EDIT, "newcomer")
        submit()
        campaign_update(campaign=Campaign.objects.get(pk=campaign.pk), name="As it is called now")
        job_enqueue(campaign_id=campaign.pk, kind=IMPORT_JOB, parameters={"import": 0}, user=None)
        are_done.set()

    acts: list[Callable[[], Any]] = [partial(run, campaign), meanwhile]
    together(acts)

    after = (Enrolment.objects.count(), Compression.objects.count(), Rating.objects.count())
    assert [now - then for now, then in zip(after, before, strict=True)] == [1, 1, 1]


def test_the_task_of_raters_is_fixed_while_gold_questions_come_in(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = make_campaign(sources=1)
    is_open, are_done = Event(), Event()
    _hold_at("ratings.services.gold.audit_record", is_open, are_done, monkeypatch)

    def change() -> None:
        assert is_open.wait(STALLED_SECONDS)
        Timer(0.5, are_done.set).start()  # while the change waits for its turn
        with pytest.raises(Refused, match="already compressions to rate"):
            campaign_update(campaign=Campaign.objects.get(pk=campaign.pk), rating_task="pair")

    acts: list[Callable[[], Any]] = [partial(gold_add, campaign=campaign, examples=[EXAMPLE]), change]
    together(acts)

    assert Campaign.objects.get(pk=campaign.pk).rating_task == "single"


def _at_work() -> tuple[Campaign, Callable[[], None]]:
    """A campaign of texts and paragraphs with ratings, and what an editor and a rater are about to submit."""
    campaign = make_campaign(sources=4, editors_per_source=3, raters_per_compression=2, texts_go_on_erasure=False)
    import_paragraphs(campaign, ["p", "q"])
    edit_all(campaign, 1)
    edit_next(enrol(campaign, EDIT, "leaving"))
    rate_next(enrol(campaign, RATE, "known rater"))
    editor, task = editor_at_work(campaign)
    rater = enrol(campaign, RATE, "rater")
    rated = assignment_claim(enrolment=rater)
    assert rated is not None

    def submit() -> None:
        fields = fields_of(submission_of(task.item.source))
        assert editor.post(f"/work/edit/{task.pk}/", fields).status_code == 302
        rate(rater, rated, meaning=3, grammar=2)

    return campaign, submit


def _hold_at(path: str, is_open: Event, are_done: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the transaction open after a call of a function, until the others are done."""
    module, _, name = path.rpartition(".")
    called = getattr(importlib.import_module(module), name)

    def slowly(*args: Any, **arguments: Any) -> Any:
        result = called(*args, **arguments)
        if connection.in_atomic_block and not is_open.is_set():
            is_open.set()
            assert are_done.wait(STALLED_SECONDS), "others wait for this transaction"
        return result

    monkeypatch.setattr(path, slowly)
