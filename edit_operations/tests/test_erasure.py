"""What becomes of corrected alignments and of reports when a person's data are erased."""

from typing import Any

import pytest

from compressions.alignment_words import words_of
from compressions.models import AlignmentCorrection, Target
from compressions.selectors.alignments import targets_of_campaign
from compressions.selectors.writing import texts_only_by
from compressions.services.alignments import alignment_correct
from corpus.services.erasure import worker_erase
from crowd.models import Campaign, Worker
from edit_operations.found_texts import TextFilter, texts_found
from edit_operations.parameters import OperationsParameters
from edit_operations.tests.releases import cells, computed, reread
from reports.models import Report
from tests.support.factories import freeze, judged_campaign

pytestmark = pytest.mark.django_db(transaction=True)


def corrected_campaign(*, texts_go: bool) -> tuple[Campaign, Worker, Target]:
    """A campaign of two editors, one of them, and a text that only this person wrote, with a corrected alignment."""
    campaign = judged_campaign(sources=2, editors=2, texts_go_on_erasure=texts_go)
    for target in targets_of_campaign(campaign):
        places: list[int | None] = [None] * len(words_of(target).text.words)
        alignment_correct(target=target, places=places, based_on_version=0, user=None)
    text = Target.objects.filter(compressions__isnull=False).order_by("pk").first()
    assert text
    worker = text.compressions.get().worker
    assert set(texts_only_by(worker)) >= {text}
    return campaign, worker, text


def kept(report: Report) -> dict[str, Any]:
    known = reread(report)
    parts = list(known.parts.order_by("number").values("number", "content", "attempts"))
    return {"rows": known.rows, "figures": known.figures, "parts": parts}


def test_an_erased_text_takes_its_corrections_with_it() -> None:
    _campaign, worker, text = corrected_campaign(texts_go=True)
    erased = set(texts_only_by(worker).values_list("pk", flat=True))
    others = set(AlignmentCorrection.objects.exclude(target__in=erased).values_list("pk", flat=True))

    worker_erase(worker=worker)

    assert text.pk in erased
    assert set(AlignmentCorrection.objects.values_list("pk", flat=True)) == others != set()


def test_a_text_that_is_kept_keeps_its_corrections() -> None:
    _campaign, worker, _text = corrected_campaign(texts_go=False)
    before = list(AlignmentCorrection.objects.order_by("pk").values())

    worker_erase(worker=worker)

    assert list(AlignmentCorrection.objects.order_by("pk").values()) == before != []


def test_a_report_stays_as_the_release_does_and_leads_to_no_page_of_an_erased_text() -> None:
    campaign, worker, text = corrected_campaign(texts_go=True)
    report = computed(freeze(campaign))
    before = kept(report)
    assert text.pk in {each.target_id for each in texts_found(report).texts}

    worker_erase(worker=worker)

    assert kept(report) == before
    after = [each.target_id for each in texts_found(report).texts]
    assert text.pk not in after
    assert None in after
    assert {each for each in after if each} == set(Target.objects.values_list("pk", flat=True))


def test_a_report_asked_for_later_knows_neither_corrections_nor_logs_of_an_erased_text() -> None:
    campaign, worker, _text = corrected_campaign(texts_go=True)
    release = freeze(campaign)
    before = computed(release)

    worker_erase(worker=worker)
    after = computed(release, OperationsParameters(draws=51))

    number = AlignmentCorrection.objects.count()
    assert len(texts_found(before, TextFilter(corrected=True)).texts) > number
    assert len(texts_found(after, TextFilter(corrected=True)).texts) == number
    logged = [cells(report, "order")["deleted", "place in the log"]["n"] for report in (before, after)]
    assert logged[0] > logged[1]
