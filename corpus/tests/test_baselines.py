"""The baseline by latent semantic analysis, as a system of a campaign."""

import pytest
from django.core.management import CommandError, call_command

from compressions.models import Source, SystemOutput
from corpus.models import OutputImport
from crowd.models import AuditEntry, Campaign
from measures.text.length_rule import check_compression
from tests.support.factories import SENTENCE, import_texts, make_campaign

pytestmark = pytest.mark.django_db
PARAGRAPHS = [
    "The old bridge over the river fell last night after a week of heavy rain in the hills. Nobody was hurt there.",
    "It rained for days. The committee agreed to repair the old wooden bridge before the first snow of the winter.",
]
Said = pytest.CaptureFixture[str]


@pytest.fixture
def campaign() -> Campaign:
    campaign = make_campaign(keep_percent=85, paragraph_min_words=5)
    import_texts(campaign, [*PARAGRAPHS, SENTENCE.format(number=1)])
    return campaign


def outputs() -> dict[str, str]:
    return dict(SystemOutput.objects.values_list("source__source_id", "target__text"))


def test_paragraphs_get_outputs_that_are_short_enough(campaign: Campaign, capsys: Said) -> None:
    call_command("make_baseline", "lsa")
    assert capsys.readouterr() == ("2 outputs added, 0 known before, 0 refused.\n", "")
    assert {each.system.name for each in SystemOutput.objects.select_related("system")} == {"LSA"}
    assert sorted(outputs()) == ["1", "2"]
    for source in Source.objects.filter(sentences=2):
        assert check_compression(source.text, outputs()[source.source_id], campaign.keep_percent).accepted
        assert outputs()[source.source_id] in source.text
    assert AuditEntry.objects.filter(campaign=campaign, action="outputs imported", subject="lsa.jsonl").exists()


def test_made_again_nothing_changes(campaign: Campaign, capsys: Said) -> None:
    call_command("make_baseline", "lsa", campaign=campaign.slug)
    before = outputs()
    capsys.readouterr()
    call_command("make_baseline", "lsa", campaign=campaign.slug)
    assert capsys.readouterr().out == "0 outputs added, 2 known before, 0 refused.\n"
    assert outputs() == before


def test_paragraphs_without_a_short_sentence_are_counted(campaign: Campaign, capsys: Said) -> None:
    Campaign.objects.update(keep_percent=10)
    call_command("make_baseline", "lsa")
    assert capsys.readouterr().err == (
        "2 of 2 paragraphs have no sentence that is short enough for the campaign's limit of 10%.\n"
    )
    assert not OutputImport.objects.exists()


def test_a_campaign_of_sentences_says_so(capsys: Said) -> None:
    make_campaign(sources=1)
    call_command("make_baseline", "lsa")
    assert "no texts of two sentences" in capsys.readouterr().err


def test_there_is_no_other_baseline(campaign: Campaign) -> None:
    with pytest.raises(CommandError):
        call_command("make_baseline", "lead")
