"""Translations: what a file may bring, what becomes of a line that does not fit, and what goes with the originals."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, IntegrityError, transaction
from pytest_django import DjangoAssertNumQueries

from common.errors import Refused
from compressions.models import Source, SystemOutput, Target, TranslatedText, TranslationImport
from compressions.selectors.translations import TranslationRow, last_translation, translations_until
from compressions.services.outputs import Output, outputs_add
from compressions.services.translations import translations_import
from crowd.models import Campaign
from tests.support.factories import EDIT, SENTENCE, enrol, make_campaign, make_staff, submit_text

pytestmark = pytest.mark.django_db
TEXT, OUTPUT = "The committee agreed to repair the bridge.", "The bridge falls."
LINE = {"id": "1", "kind": "reference", "text": TEXT, "language": "fr", "made_by": "X 2.1", "translated": "Un pont."}


@pytest.fixture
def campaign() -> Campaign:
    """A source with a text by an editor and an output of a system."""
    campaign = make_campaign(sources=1, owner=make_staff("ann"))
    submit_text(enrol(campaign, EDIT, "Bob"), TEXT)
    outputs_add(campaign=campaign, system="LSA", outputs=[Output(1, "1", OUTPUT)])
    return campaign


def imported(campaign: Campaign, *lines: dict[str, Any], name: str = "a.jsonl") -> TranslationImport:
    content = "\n".join(map(json.dumps, lines)).encode()
    return translations_import(campaign=campaign, file_name=name, content=content)


def rows(campaign: Campaign) -> list[TranslationRow]:
    return list(translations_until(campaign, last_translation(campaign)))


def test_sources_compressions_and_outputs_have_translations(campaign: Campaign) -> None:
    of_source = {"id": "1", "kind": "source", "language": "fr", "made_by": "Ann", "translated": "Le comité."}
    of_output = {**LINE, "kind": "output", "text": "", "system": "LSA", "translated": "Le pont  tombe."}
    report = imported(campaign, LINE, of_source, of_output)
    assert report.outcome == "3 translations added, 0 known before, 0 refused."
    assert rows(campaign) == [
        TranslationRow("1", "reference", TEXT, "fr", "X 2.1", "Un pont."),
        TranslationRow("1", "source", SENTENCE.format(number=1), "fr", "Ann", "Le comité."),
        TranslationRow("1", "output", OUTPUT, "fr", "X 2.1", "Le pont tombe."),
    ]
    assert bytes(TranslationImport.objects.get().content) == b""


@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_tables_are_read_too(campaign: Campaign, suffix: str) -> None:
    mark = "," if suffix == "csv" else "\t"
    table = "\n".join(mark.join(each) for each in (LINE.keys(), LINE.values()))
    assert translations_import(campaign=campaign, file_name=f"a.{suffix}", content=table.encode()).added == 1


def test_the_same_file_again_changes_nothing(campaign: Campaign) -> None:
    imported(campaign, LINE)
    report = imported(campaign, LINE, LINE)
    assert (report.added, report.unchanged, report.refused) == (0, 2, 0)
    assert TranslatedText.objects.count() == 1


def test_the_same_translator_has_one_translation_into_a_language(campaign: Campaign) -> None:
    others = [{**LINE, **change} for change in ({"translated": "Autre."}, {"made_by": "Y"}, {"language": "cs"})]
    report = imported(campaign, LINE, *others)
    assert (report.added, report.refused) == (3, 1)
    assert [tuple(each) for each in report.problems] == [
        (2, "there is another translation of this text into fr by 'X 2.1'")
    ]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"id": "2"}, "the campaign has no source '2'"),
        ({"id": "?"}, "id '?' is not the id of a source"),
        ({"kind": "target"}, "kind is 'target', not source, reference or output"),
        ({"text": OUTPUT}, "no editor has written this text for source '1'"),
        ({"kind": "output"}, "no system has this output for source '1'"),
        ({"kind": "output", "system": "T3"}, "the system 'T3' has no output for source '1'"),
        ({"kind": "output", "system": "LSA"}, "the system has another output for source '1'"),
        ({"kind": "output", "text": ""}, "neither the text that was translated nor its system is given"),
        ({"kind": "source"}, "the source has another text"),
        ({"system": "LSA"}, "a system is only given for an output"),
        ({"text": ""}, "the text that was translated is missing"),
        ({"language": "French"}, "language is 'French', not a language tag such as fr or pt-BR"),
        ({"language": "mul"}, "language is 'mul', not a language tag such as fr or pt-BR"),
        ({"made_by": " "}, "made_by takes 1 to 100 characters, none of them a control character"),
        ({"made_by": "x" * 101}, "made_by takes 1 to 100 characters, none of them a control character"),
        ({"translated": " \n"}, "the translation is empty"),
        ({"translated": "x" * 10_001}, "translated has 10,001 characters, at most 10,000 allowed"),
        ({"translated": ["a"]}, "'translated' is not a string"),
    ],
)
def test_lines_that_do_not_fit_are_refused_by_number(campaign: Campaign, change: dict[str, Any], said: str) -> None:
    report = imported(campaign, LINE, LINE | change)
    assert [tuple(each) for each in report.problems] == [(2, said)]
    assert report.added == 1


def test_texts_of_another_campaign_are_not_found(campaign: Campaign) -> None:
    other = make_campaign(sources=1)
    assert imported(other, LINE).refused == 1
    assert last_translation(other) is None
    assert rows(other) == []


def test_later_translations_do_not_count_for_an_earlier_mark(campaign: Campaign) -> None:
    imported(campaign, LINE)
    mark = last_translation(campaign)
    imported(campaign, {**LINE, "language": "cs"})
    assert [row.language for row in translations_until(campaign, mark)] == ["fr"]


def test_a_file_without_a_column_is_refused(campaign: Campaign) -> None:
    with pytest.raises(Refused, match="no column named"):
        translations_import(campaign=campaign, file_name="a.csv", content=b"id,kind,text\n1,source,a\n")
    assert TranslationImport.objects.get().finished_at is not None


def test_queries_grow_with_slices_and_not_with_lines(
    campaign: Campaign, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    lines = [{**LINE, "made_by": f"translator {number}"} for number in range(100)]
    with django_assert_max_num_queries(20):
        imported(campaign, *lines)
    with django_assert_max_num_queries(2):
        assert len(rows(campaign)) == 100


def test_the_command_says_what_became_of_the_lines(
    campaign: Campaign, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps(LINE) + "\n" + json.dumps(LINE | {"id": "2"}) + "\n")
    call_command("import_translations", file)
    out, err = capsys.readouterr()
    assert out == "1 translation added, 0 known before, 1 refused.\n"
    assert "a.jsonl, line 2: refused: the campaign has no source '2'" in err
    with pytest.raises(CommandError):
        call_command("import_translations", tmp_path / "a.jsonl", campaign="nowhere")


# What a database holds


@pytest.mark.parametrize(
    "values",
    [
        {"kind": "target"},
        {"kind": "source"},
        {"target": None},
        {"text": ""},
        {"language": ""},
        {"made_by": ""},
    ],
)
def test_the_database_refuses_rows_that_cannot_be(campaign: Campaign, values: dict[str, Any]) -> None:
    source, target = Source.objects.get(), Target.objects.get(text=TEXT)
    fits = {"kind": "reference", "target": target, "language": "fr", "made_by": "X", "text": "Un pont."}
    with pytest.raises(DatabaseError), transaction.atomic():
        TranslatedText.objects.create(**{"campaign": campaign, "source": source, **fits, **values})


@pytest.mark.parametrize("kind", ["source", "output"])
def test_the_database_keeps_translations_apart(campaign: Campaign, kind: str) -> None:
    target = None if kind == "source" else SystemOutput.objects.get().target
    row: dict[str, Any] = {"kind": kind, "target": target, "language": "fr", "made_by": "X", "text": "Un pont."}
    row |= {"campaign": campaign, "source": Source.objects.get()}
    TranslatedText.objects.create(**row)
    with pytest.raises(IntegrityError), transaction.atomic():
        TranslatedText.objects.create(**row | {"text": "Autre."})
