"""Systems are run on a campaign's texts, and their outputs come in as any others."""

import re
from pathlib import Path
from typing import Any

import pytest
import spacy
from django.core.management import CommandError, call_command
from django.test import override_settings

from compressions.models import Source, SystemOutput
from corpus.models import OutputImport
from crowd.models import AuditEntry, Campaign
from measures.text.length_rule import check_compression
from systems.programs.lm.arpa import arpa_lines, read_arpa
from systems.programs.lm.trigrams import trained
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


@pytest.fixture(scope="module")
def parser(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A pipeline whose parser knows the labels of Universal Dependencies and has learned nothing."""
    pipeline = spacy.blank("en")
    component: Any = pipeline.add_pipe("parser", config={"learn_tokens": False})
    for label in ("nsubj", "obj", "obl", "case", "det", "punct", "root"):
        component.add_label(label)
    pipeline.initialize()
    folder = tmp_path_factory.mktemp("parser")
    pipeline.to_disk(folder)
    return str(folder)


@pytest.mark.parametrize("name", [name for name, system in SYSTEMS.items() if system.is_parsing])
def test_systems_that_parse_take_a_pipeline_and_a_language_model(
    campaign: Campaign, parser: str, name: str, tmp_path: Path, capsys: Said
) -> None:
    more = tmp_path / "more.txt"
    more.write_text("The old bridge fell last night.\nNobody saw the river.\n", encoding="utf-8")
    call_command("run_system", name, parser=parser, text=[str(more)])
    made = outputs()
    for source in Source.objects.filter(source_id__in=made):
        assert check_compression(source.text, made[source.source_id], campaign.keep_percent).accepted
    assert len(made) == 3 or "no output" in capsys.readouterr().err
    model = tmp_path / "model.arpa"
    model.write_text("\n".join(arpa_lines(trained([["the", "old", "bridge"]], least=1))) + "\n", encoding="utf-8")
    call_command("run_system", name, name="other", parser=parser, language_model=str(model))


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({}, "Name one with --parser"),
        ({"parser": "nowhere"}, "nowhere: "),
        ({"language_model": "no.arpa"}, "no.arpa: "),
        ({"text": ["no.txt"]}, "no.txt: "),
    ],
)
def test_what_is_missing_or_cannot_be_read_is_named(
    campaign: Campaign, parser: str, given: dict[str, Any], reason: str
) -> None:
    options = given if given.get("parser") or not given else {"parser": parser, **given}
    with (
        override_settings(SPACY_MODEL=""),
        pytest.raises(CommandError, match=re.escape(reason)),
    ):
        call_command("run_system", "ilp", **options)
    assert not SystemOutput.objects.exists()


@pytest.mark.parametrize(
    "name", [name for name, system in SYSTEMS.items() if not system.is_parsing and name not in ("question", "topline")]
)
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


def test_a_language_model_is_written_and_measured(campaign: Campaign, tmp_path: Path, capsys: Said) -> None:
    held_out, file = tmp_path / "held-out.txt", tmp_path / "model.arpa"
    held_out.write_text("The old bridge fell.\n", encoding="utf-8")
    call_command("train_language_model", file, measure=str(held_out))
    said = capsys.readouterr().out
    assert "the usual discounts stand in" in said
    assert re.search(r"Perplexity \d+\.\d, \d+\.\d% of the words unknown\.", said)
    with file.open(encoding="utf-8") as stream:
        assert f"{len(read_arpa(stream).vocabulary):,} words" in said
    with pytest.raises(CommandError, match="nowhere"):
        call_command("train_language_model", tmp_path / "nowhere" / "model.arpa")
    with pytest.raises(CommandError, match=r"no\.txt"):
        call_command("train_language_model", file, text=["no.txt"])
