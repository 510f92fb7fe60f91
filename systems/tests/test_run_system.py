"""Systems are run on a campaign's texts, and their outputs come in as any others."""

import pytest
from django.core.management import CommandError, call_command

from compressions.models import Source, SystemOutput
from corpus.models import OutputImport
from crowd.models import AuditEntry, Campaign
from measures.text.length_rule import check_compression
from systems.programs.registry import SYSTEMS
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


@pytest.mark.parametrize("name", SYSTEMS)
def test_outputs_are_short_enough_and_of_their_system(campaign: Campaign, name: str) -> None:
    call_command("run_system", name)
    assert {each.system.name for each in SystemOutput.objects.select_related("system")} == {name}
    assert set(outputs()) >= {"1", "2"}
    for source in Source.objects.filter(source_id__in=outputs()):
        assert check_compression(source.text, outputs()[source.source_id], campaign.keep_percent).accepted
    assert AuditEntry.objects.filter(campaign=campaign, action="outputs imported", subject=f"{name}.jsonl").exists()


def test_a_system_of_sentences_leaves_out_what_it_cannot_shorten(campaign: Campaign, capsys: Said) -> None:
    call_command("run_system", "lsa", name="LSA", campaign=campaign.slug)
    said = capsys.readouterr()
    assert "2 outputs added" in said.out
    assert said.err == (
        "1 texts have no output: nothing that lsa would keep is short enough for the campaign's limit of 85%.\n"
    )
    assert sorted(outputs()) == ["1", "2"]


def test_run_again_nothing_changes(campaign: Campaign, capsys: Said) -> None:
    call_command("run_system", "first")
    before = outputs()
    capsys.readouterr()
    call_command("run_system", "first")
    assert "0 outputs added, 3 known before" in capsys.readouterr().out
    assert outputs() == before


def test_retired_texts_and_texts_that_nothing_fits_get_none(campaign: Campaign, capsys: Said) -> None:
    Campaign.objects.update(keep_percent=2)
    call_command("run_system", "lead")
    assert "3 texts have no output" in capsys.readouterr().err
    assert not OutputImport.objects.exists()


def test_an_unknown_system_or_a_bad_name_is_refused(campaign: Campaign) -> None:
    with pytest.raises(CommandError, match="invalid choice"):
        call_command("run_system", "magic")
    with pytest.raises(CommandError):
        call_command("run_system", "first", name="a/b\n")
    assert not SystemOutput.objects.exists()
