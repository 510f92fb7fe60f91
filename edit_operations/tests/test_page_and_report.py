"""The page of an alignment and the report tell the same of the same text, in any language."""

import pytest

from compressions.models import Source
from compressions.selectors.alignments import alignment_of, targets_of_campaign
from compressions.selectors.sources import source_of_assignment
from compressions.services.alignments import alignment_correct
from crowd.models import Campaign
from crowd.services.claims import assignment_claim
from edit_operations.aligned import AlignedSource, AlignedText
from edit_operations.tests.releases import computed
from tests.support.factories import EDIT, RATE, enrol, freeze, make_campaign, rate_all, submit_text

pytestmark = pytest.mark.django_db(transaction=True)

ENGLISH = {
    "The old men sold their houses. The dog was in the garden.": "The old men sold a house and the was in the.",
    "He bought a very old automobile in the town today.": "Today he bought an old car.",
    "It rained, “he” said... (again)!": "He said it rained again.",
}
GERMAN = {
    "Die alten Männer verkauften die Häuser. Der Hund war in dem Garten.": "Die Männer verkauften und der war in dem.",
    "Er kaufte gestern einen sehr alten Wagen in der Stadt.": "Gestern kaufte er einen alten Wagen.",
    "Die Kinder spielten lange vor dem Haus.": "Das Kind spielte vor den Häusern.",
}


def made(language: str, texts: dict[str, str]) -> Campaign:
    campaign = make_campaign(
        sources=len(texts), language=language, editors_per_source=1, raters_per_compression=1, keep_percent=95
    )
    for source, text in zip(Source.objects.filter(campaign=campaign).order_by("pk"), texts, strict=True):
        Source.objects.filter(pk=source.pk).update(text=text)
    editor = enrol(campaign, EDIT)
    for _source in texts:
        assignment = assignment_claim(enrolment=editor)
        assert assignment is not None
        submit_text(editor, texts[source_of_assignment(assignment).text])
    rate_all(enrol(campaign, RATE), 3, 3)
    return campaign


def reported(campaign: Campaign) -> dict[str, AlignedText]:
    parts = computed(freeze(campaign)).parts.values_list("content", flat=True)
    sources = [AlignedSource.of(each) for part in parts for each in part or []]
    return {text.text: text for source in sources for text in source.texts}


@pytest.mark.parametrize(("language", "texts"), [("en", ENGLISH), ("de-AT", GERMAN), ("tlh", ENGLISH)])
def test_a_text_has_the_same_classes_on_its_page_and_in_the_report(language: str, texts: dict[str, str]) -> None:
    campaign = made(language, texts)

    report = reported(campaign)

    assert len(report) == len(texts)
    for target in targets_of_campaign(campaign):
        shown, told = alignment_of(target), report[target.text]
        done = shown.operations
        assert (shown.target_words, shown.places) == (told.words, told.places)
        assert (done.target_classes, done.moved, done.counts) == (told.classes, told.moved, told.counts)
        assert (done.compression, done.sentences or "") == (told.compression, told.sentences)
        if language != "tlh" and target.text == next(iter(texts.values())):  # words of both sentences, all functional
            kept = {shown.words.source.sentences[place] for place in shown.places if place is not None}
            assert (kept, told.sentences) == ({0, 1}, "sentence deleted")


def test_a_corrected_text_has_the_same_classes_too() -> None:
    campaign = made("de", GERMAN)
    target = targets_of_campaign(campaign).order_by("pk")[0]
    words = alignment_of(target).target_words
    alignment_correct(target=target, places=[1, 0, *[None] * (len(words) - 2)], based_on_version=0, user=None)
    told = reported(campaign)[target.text]
    assert told.correction == 1
    assert alignment_of(target).operations.target_classes == told.classes
