"""All marks over a text, and the answers in the formats of other programs."""

import csv
import io
import json
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from crowd.models import Campaign
from measures.spans import Annotation, Mark, preset
from measures.spans.formats import read_esa, read_mqm, read_thresh, read_wmt25_jsonl
from protocols.models import Material
from protocols.spans.exports import FORMS
from protocols.spans.tests.answered import answer_all, esa_campaign, mark, of_marks, spans_campaign
from protocols.spans.text_marks import MarkedText, Wanted, text_marks
from tests.support.api_client import Api
from tests.support.factories import readable, staff_client

OUTPUT = "It rained in Bonn."


def marked(person: str, *marks: Mark, output: str = OUTPUT) -> MarkedText:
    return MarkedText(Annotation(person, "s", "1", "It rained all day in Bonn.", output, marks, 80), premarked=False)


def test_marks_that_lie_on_each_other_are_cut_where_they_begin_and_end() -> None:
    outer, inner = Mark("a", start=0, end=9, severity="major"), Mark("b", start=3, end=12, severity="minor")

    (row,) = text_marks([marked("1", outer, inner)], preset("esa"), Wanted(), "en").rows

    ((_side, pieces),) = row.sides
    assert [(each.text, each.depth, each.rank, [one.number for one in each.begun]) for each in pieces] == [
        ("It ", 1, 2, [1]),
        ("rained", 2, 2, [2]),
        (" in", 1, 1, []),
        (" Bonn.", 0, 0, []),
    ]


def test_shares_count_people_once_and_filters_narrow_them() -> None:
    texts = [
        marked("1", Mark("a", start=0, end=9, severity="major"), Mark("b", start=3, end=9, severity="minor")),
        marked("2", Mark("a", start=3, end=9, severity="minor")),
        marked("3", Mark("a", missing=True, severity="major"), Mark("b", start=0, end=2, fate="deleted")),
    ]

    found = text_marks(texts, preset("esa"), Wanted(), "en")

    ((_side, pieces),) = found.shares
    assert [(each.text, each.people, each.shade) for each in pieces] == [
        ("It ", 1, 2),
        ("rained", 2, 4),
        (" in Bonn.", 0, 0),
    ]
    assert [each.words for each in found.rows[2].missing] == ["major"]
    assert found.deleted == 1
    major = text_marks(texts, preset("esa"), Wanted(severity="major"), "en")
    assert [len(row.marks) for row in major.rows] == [1, 0, 1]
    assert [row.person for row in text_marks(texts, preset("esa"), Wanted(person="2"), "en").rows] == ["2"]


@given(st.lists(st.tuples(st.integers(0, 17), st.integers(1, 18)).filter(lambda ends: ends[0] < ends[1]), max_size=6))
def test_pieces_are_the_text_and_each_mark_begins_once(ends: list[tuple[int, int]]) -> None:
    marks = [Mark(str(number), start=start, end=end) for number, (start, end) in enumerate(ends)]

    found = text_marks([marked("1", *marks)], preset("esa"), Wanted(), "en")

    ((_side, pieces),) = found.rows[0].sides
    assert "".join(each.text for each in pieces) == OUTPUT
    assert sorted(one.number for each in pieces for one in each.begun) == list(range(1, len(marks) + 1))
    assert "".join(each.text for _side, shares in found.shares for each in shares) == OUTPUT


def owner(campaign: Campaign) -> Client:
    return staff_client(campaign.memberships.get().user)


@pytest.mark.django_db
@pytest.mark.both_databases
def test_the_pages_of_texts_show_everybodys_marks(django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    campaign = esa_campaign()
    client = owner(campaign)
    material = Material.objects.get(campaign=campaign, name="3", system="=two")
    with django_assert_max_num_queries(11):
        listed = readable(client.get(f"/campaigns/{campaign.slug}/task/texts/"))
    address = f"/campaigns/{campaign.slug}/task/texts/{material.pk}/"
    with django_assert_max_num_queries(10):
        page = readable(client.get(address))

    assert address in listed
    assert listed.count("/task/texts/") == 24
    assert page.count("Participant ") == 3
    assert 'class="people-5"' in page
    assert "=1+1" in page
    assert readable(client.get(address, {"person": "1"})).count("Participant ") == 1
    assert "No marks." in readable(client.get(address, {"kind": "none has it"}))
    assert client.get(f"/campaigns/{campaign.slug}/task/texts/{material.pk + 999}/").status_code == 404


@pytest.mark.django_db
def test_a_text_of_another_language_has_its_direction() -> None:
    arabic = {"id": "1", "source": "هطل المطر طوال اليوم.", "output": "هطل المطر.", "language": "ar"}
    campaign = spans_campaign([arabic])
    answer_all(campaign, "ann", lambda _subject: of_marks([mark(4, 9)], 80))
    material = Material.objects.get(campaign=campaign)

    page = readable(owner(campaign).get(f"/campaigns/{campaign.slug}/task/texts/{material.pk}/"))

    assert " ".join(page.split()).count('class="marked-text" lang="ar" dir="rtl"') == 3


def downloaded(campaign: Campaign, form: str) -> str:
    response: Any = owner(campaign).get(f"/campaigns/{campaign.slug}/task/answers.{form}")
    assert response.headers["Content-Disposition"].startswith("attachment; filename=")
    return b"".join(response).decode()


@pytest.mark.django_db
@pytest.mark.both_databases
def test_what_is_downloaded_is_read_again() -> None:
    campaign = esa_campaign()
    texts = {(each.name, each.system): (each.body["source"], each.body["output"]) for each in Material.objects.all()}

    esa = read_esa(downloaded(campaign, "esa").splitlines(keepends=True), texts=texts)
    published = read_wmt25_jsonl(downloaded(campaign, "wmt25-jsonl").splitlines(keepends=True))
    thresh = read_thresh(downloaded(campaign, "thresh").splitlines(keepends=True))

    assert len(thresh.annotations) == 72
    assert len(published.annotations) == 24
    ours = [each for each in esa.annotations if each.system == "one"]
    assert (len(ours), len(esa.refusals)) == (36, 36), "of the system whose name begins with a sign of a formula"
    assert {(one.start, one.end, one.severity) for each in ours for one in each.marks} == {(3, 9, "minor")}


@pytest.mark.django_db
def test_tables_run_no_formula_and_have_every_mark() -> None:
    campaign = esa_campaign()

    rows = list(csv.DictReader(io.StringIO(downloaded(campaign, "marks").removeprefix("\ufeff"))))

    assert {row["system"] for row in rows} == {"one", "'=two"}
    assert {row["note"] for row in rows} == {"", "'=1+1"}
    assert {row["marked_text"] for row in rows} == {"", "rained", "snowed", "It snowed"}
    assert sum(row["mark"] == "" for row in rows) == 22
    assert "'=two,1" in downloaded(campaign, "esa")


@pytest.mark.django_db
def test_a_format_that_the_answers_do_not_fit_says_why() -> None:
    campaign = esa_campaign()
    client = owner(campaign)

    answer = client.get(f"/campaigns/{campaign.slug}/task/answers.mqm", follow=True)

    assert "cannot be written as MQM (TSV)" in readable(answer)
    assert client.get(f"/campaigns/{campaign.slug}/task/answers.word").status_code == 404


@pytest.mark.django_db
def test_answers_of_kinds_are_read_again_from_mqm() -> None:
    campaign = spans_campaign([{"id": "1", "system": "s", "source": "It rained.", "output": OUTPUT}], {"preset": "mqm"})
    given_mark = mark(3, 9, "major", kind="Accuracy/Mistranslation")
    answer_all(campaign, "ann", lambda _subject: of_marks([given_mark]))

    (annotation,) = read_mqm(downloaded(campaign, "mqm").splitlines(keepends=True)).annotations

    assert (annotation.marks[0].start, annotation.marks[0].end, annotation.marks[0].kind) == (
        *(3, 9),
        "Accuracy/Mistranslation",
    )
    assert json.loads(downloaded(campaign, "thresh-template"))["template_name"] == "mqm"


@pytest.mark.django_db
@pytest.mark.parametrize("form", sorted(set(FORMS) - {"mqm"}))
def test_the_command_writes_what_the_page_does(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    campaign = esa_campaign()

    call_command("export_answers", campaign.slug, "--format", form)

    assert capsys.readouterr().out == downloaded(campaign, form)


@pytest.mark.django_db
def test_the_command_says_why_answers_do_not_fit() -> None:
    with pytest.raises(CommandError, match="cannot be written as MQM"):
        call_command("export_answers", esa_campaign().slug, "--format", "mqm")


@pytest.mark.django_db
def test_the_api_gives_the_same_files() -> None:
    campaign = esa_campaign()
    client = Api(campaign.memberships.get().user)
    address = f"campaigns/{campaign.slug}/task/answers/"

    answer: Any = client.get(address, format="esa")
    refused = client.get(address, format="mqm")

    assert b"".join(answer).decode() == downloaded(campaign, "esa")
    assert answer.headers["Content-Disposition"].endswith('-esa.csv"')
    assert refused.status_code == 409
    assert "MQM" in refused.json()["detail"]
    assert client.get(address, format="word").status_code == 400
