"""Systems are run on a campaign's texts, and their outputs come in as any others."""

import re
from pathlib import Path
from typing import Any

import pytest
import spacy
from django.core.management import CommandError, call_command
from django.test import override_settings
from django.utils import timezone

from compressions.models import Source, SystemOutput
from corpus.models import OutputImport
from crowd.models import AuditEntry, Campaign
from measures.text.length_rule import check_compression
from systems.files import folder_of
from systems.models import SystemRun
from systems.programs.lm.arpa import arpa_lines, read_arpa
from systems.programs.lm.trigrams import trained
from systems.programs.registry import SYSTEMS
from systems.services.runs import OUTPUTS_FILE, fallbacks, outputs_in
from tests.support.factories import SENTENCE, edit_all, import_texts, make_campaign

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


PARSING = [name for name, system in SYSTEMS.items() if system.is_parsing and not system.is_learnt]
LEARNING = [name for name, system in SYSTEMS.items() if system.is_learnt]
ALONE = [
    name
    for name, system in SYSTEMS.items()
    if not (system.is_parsing or system.is_learnt or system.has_seen_references)
]


@pytest.mark.parametrize("name", PARSING)
def test_systems_that_parse_take_a_pipeline_and_a_language_model(
    campaign: Campaign, parser: str, name: str, tmp_path: Path
) -> None:
    more = tmp_path / "more.txt"
    more.write_text("The old bridge fell last night.\nNobody saw the river.\n", encoding="utf-8")
    call_command("run_system", name, parser=parser, text=[str(more)])
    made = outputs()
    for source in Source.objects.filter(source_id__in=made):
        assert check_compression(source.text, made[source.source_id], campaign.keep_percent).accepted
    assert len(made) == 3
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


@pytest.fixture
def about(tmp_path: Path) -> str:
    file = tmp_path / "about.tsv"
    file.write_text("id\tdocument\tquestion\n1\tone\tWho was hurt?\n2\tone\tWho repairs it?\n3\t\tWhat?\n")
    return str(file)


@pytest.mark.parametrize("name", ALONE)
def test_outputs_are_short_enough_and_of_their_system(campaign: Campaign, name: str, about: str) -> None:
    call_command("run_system", name, about=about)
    assert {each.system.name for each in SystemOutput.objects.select_related("system")} == {name}
    assert set(outputs()) >= {"1", "2"}
    for source in Source.objects.filter(source_id__in=outputs()):
        assert check_compression(source.text, outputs()[source.source_id], campaign.keep_percent).accepted
    assert AuditEntry.objects.filter(campaign=campaign, action="outputs imported", subject=f"{name}.jsonl").exists()


def test_what_is_only_the_first_words_is_told_from_what_a_system_made(campaign: Campaign, capsys: Said) -> None:
    call_command("run_system", "lsa", name="LSA", campaign=campaign.slug)
    said = capsys.readouterr()
    assert "3 outputs added" in said.out
    assert "1 are only the first words, since the system found none of its own." in said.out
    assert sorted(outputs()) == ["1", "2", "3"]
    run = SystemRun.objects.get()
    assert (run.name, run.kind, run.texts, fallbacks(run)) == ("LSA", "lsa", 3, 1)
    assert sum(run.statuses.values()) == 3
    with folder_of(run) as folder:
        kept = {line["id"]: line for line in outputs_in(folder / OUTPUTS_FILE)}
    assert {each: line["text"] for each, line in kept.items()} == outputs()
    assert (kept["3"]["status"], kept["3"]["note"]) == ("fallback", "no whole sentence is short enough")


def test_run_again_nothing_changes(campaign: Campaign, capsys: Said) -> None:
    call_command("run_system", "first")
    before = outputs()
    capsys.readouterr()
    call_command("run_system", "first")
    assert "0 outputs added, 3 known before" in capsys.readouterr().out
    assert outputs() == before


def test_retired_texts_and_texts_that_nothing_fits_get_none(campaign: Campaign, capsys: Said) -> None:
    Campaign.objects.update(keep_percent=1)
    Source.objects.filter(source_id="3").update(retired_at=timezone.now(), retire_note="Not needed.")
    call_command("run_system", "lead")
    assert "2 texts have no output: not even their first word is within 1%." in capsys.readouterr().err
    assert not OutputImport.objects.exists()
    assert SystemRun.objects.get().statuses == {"none": 2}


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


@pytest.mark.parametrize("name", LEARNING)
def test_what_has_to_learn_says_how(campaign: Campaign, name: str) -> None:
    with pytest.raises(CommandError, match=r"has to learn first: train it with train_system\."):
        call_command("run_system", name)
    assert not SystemRun.objects.exists()


def test_questions_are_answered_and_a_text_without_one_has_no_output(
    campaign: Campaign, tmp_path: Path, capsys: Said
) -> None:
    with pytest.raises(CommandError, match="name one with --about"):
        call_command("run_system", "question")
    file = tmp_path / "about.csv"
    file.write_text("id,question\n1,Was somebody hurt?\n")
    call_command("run_system", "question", about=str(file))
    assert outputs() == {"1": "Nobody was hurt there."}
    assert SystemRun.objects.get().statuses["none"] == 2
    file.write_text('id,question\n1,"Was"x\n')
    with pytest.raises(CommandError, match=r"about.csv, line 2: "):
        call_command("run_system", "question", about=str(file), seed=5)
    with pytest.raises(CommandError, match="No such file"):
        call_command("run_system", "question", about=str(tmp_path / "no.csv"), seed=6)


def test_sentences_may_come_from_all_texts_of_a_document(campaign: Campaign, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="leave out --documents"):
        call_command("run_system", "first", documents=True)
    with pytest.raises(CommandError, match="name one with --about"):
        call_command("run_system", "lead", documents=True)
    file = tmp_path / "about.csv"
    file.write_text("id,question\n1,Was somebody hurt?\n")
    with pytest.raises(CommandError, match="has no document of a text"):
        call_command("run_system", "lead", about=str(file), documents=True)
    file.write_text("id,document\n1,one\n2,one\n")
    call_command("run_system", "lead", about=str(file), name="own")
    assert outputs()["2"] == "It rained for days."
    call_command("run_system", "lead", about=str(file), documents=True, name="document")
    assert SystemRun.objects.get(name="document").parameters["documents"] is True
    made = SystemOutput.objects.filter(system__name="document", source__source_id="2")
    assert (
        made.get().target.text
        == "The old bridge over the river fell last night after a week of heavy rain in the hills."
    )


def test_the_topline_stays_with_its_run(campaign: Campaign) -> None:
    with pytest.raises(CommandError, match="has seen what people wrote"):
        call_command("run_system", "topline")
    edit_all(campaign, 1)
    call_command("run_system", "topline", no_import=True)
    assert not SystemOutput.objects.exists()
    assert "none" not in SystemRun.objects.get().statuses


def test_a_parser_gives_the_clauses_of_a_single_sentence(campaign: Campaign, parser: str) -> None:
    call_command("run_system", "lead", parser=parser)
    assert SystemRun.objects.get().parameters["parser"] == parser
