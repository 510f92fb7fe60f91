"""A file that is written, made a campaign of, and written again is the same file."""

import json
from decimal import Decimal
from typing import Any

import pytest
import yaml
from django.contrib.auth.models import User
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from common.clock import database_now
from crowd.default_texts import default_texts
from crowd.models import Campaign
from crowd.models.campaign import RANGES, EditorStart, PayUnit
from crowd.scales import PREFERENCE_WORDS
from crowd.services.campaigns import campaign_create
from dashboard.campaign_files.fields import campaign_schema
from dashboard.campaign_files.services import campaign_clone, campaign_file_create
from dashboard.campaign_files.writing import campaign_file
from measures.quality_control.parameters import FilterParameters, Order, RaterQuality, Roles
from ratings.example_check import ExampleText
from ratings.services.gold import gold_create
from ratings.services.qualification import qualification_items_add
from ratings.services.quality import quality_rule_set
from tests.support.arms import ARMS, SCALES, armed_campaign
from tests.support.factories import make_staff, open_link

pytestmark = pytest.mark.django_db
SCHEMA = Draft202012Validator(campaign_schema())

ODD = [
    *(
        "no",
        "Yes",
        "null",
        "~",
        "0123",
        "1e3",
        "2016-01-01",
        "1:30",
        "- x",
        "# x",
        "a: b",
        "a #b",
        "'",
        '"',
        "\\n",
        "y",
    ),
    *(
        "a  ",
        "two  \nspaces",
        "a\n\n\nb",
        "  x\n y",
        "\r\nCRLF\r\nhere\r",
        "tab\there",
        "\tx\n\ty",
        "{percent}",
        "|",
        ">",
    ),
    *(
        "日本語\nテキスト",
        "שלום",
        "é😀",
        "a\u2028b\nc",
        "a\x85b",
        "\ufeffx",
        "---\nx",
        "...",
        "&a *a !a",
        "<<",
        "%YAML",
    ),
]
SMALLINT = 2**15 - 1  # the largest of these columns on PostgreSQL


def words(most: int) -> st.SearchStrategy[str]:
    """Texts as forms take them: something is left when the white space around it is gone."""
    characters = st.characters(exclude_categories=["Cs", "Cc", "Cn", "Co", "Mn", "Me", "Mc"], exclude_characters="{}[")
    free = st.text(characters | st.sampled_from("\n\n \t:#-'\""), min_size=1, max_size=min(most, 80))
    return (st.sampled_from([each for each in ODD if "{" not in each]) | free).filter(lambda text: bool(text.strip()))


def one_line(most: int) -> st.SearchStrategy[str]:
    return words(most).map(lambda text: " ".join(text.split())[:most].strip()).filter(bool)


MONEY = st.none() | st.decimals(0, Decimal("999999.99"), places=2)
SETTINGS = st.fixed_dictionaries(
    {name: st.integers(least, min(most, SMALLINT)) for name, (least, most) in RANGES.items()}
    | dict.fromkeys(("editor_pay", "rater_pay", "failed_pay", "minimum_hourly_pay"), MONEY)
    | {name: st.none() | st.integers(1, 1440) for name in ("editor_minutes", "rater_minutes")}
    | {name: st.sampled_from(PayUnit.values) for name in ("editor_pay_unit", "rater_pay_unit")}
    | {name: st.booleans() for name in ("extra_raters", "record_leaving", "texts_go_on_erasure")}
    | {name: words(200) for name in ("consent", "editor_guidelines", "rater_guidelines")}
    | {name: st.just("") | words(200) for name in ("sentence_examples", "paragraph_examples", "description")}
    | {
        "name": one_line(200),
        "editor_start": st.sampled_from(EditorStart.values),
        "currency": st.sampled_from(["GBP", "NOK"]),
        "licence": st.sampled_from(["", "cc-by-4.0", "0123", "no"]),
        "language": st.sampled_from(["en", "no", "pt-BR"]),
        "page_language": st.sampled_from(["en", "de", "ar"]),
        "homepage": st.sampled_from(["", "https://example.org/a#b"]),
    }
)


@st.composite
def scales(draw: st.DrawFn, *, is_pair: bool) -> list[dict[str, Any]]:
    def free(name: str) -> bool:
        return not name[0].isdigit() and ":" not in name and "\uff1a" not in name

    names = draw(st.lists(one_line(40).filter(free), min_size=1, max_size=3, unique=True))
    points = st.just(list(PREFERENCE_WORDS)) if is_pair else st.lists(one_line(100), min_size=2, max_size=7)
    return [
        {"key": f"scale_{number}", "name": name, "question": draw(one_line(200)), "points": draw(points)}
        for number, name in enumerate(names)
    ]


@st.composite
def examples(draw: st.DrawFn, of: list[dict[str, Any]], *, is_pair: bool) -> ExampleText:
    text = one_line(200).filter(lambda each: each.isprintable()) | st.sampled_from(["no", "0123", "a\n\nb: c"])
    answers = {
        scale["key"]: draw(st.lists(st.integers(1, len(scale["points"])), min_size=1, max_size=3)) for scale in of
    }
    other = draw(text) if is_pair else ""
    return ExampleText(draw(text), draw(text), answers, draw(text), other, draw(st.booleans()))


@given(st.data(), SETTINGS, st.booleans())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_campaign_of_a_file_has_the_same_file(data: st.DataObject, chosen: dict[str, Any], is_pair: bool) -> None:
    of = data.draw(scales(is_pair=is_pair))
    questions = data.draw(st.lists(examples(of, is_pair=is_pair), max_size=3))
    gold = data.draw(st.lists(examples(of, is_pair=is_pair), max_size=1))
    task = "pair" if is_pair else "single"
    with transaction.atomic():
        owner = make_staff()
        campaign = campaign_create(owner=owner, slug="no", rating_task=task, scales=of, **chosen)
        qualification_items_add(campaign=campaign, examples=questions)
        for example in gold:
            gold_create(campaign=campaign, example=example)
        first = campaign_file(Campaign.objects.get(pk=campaign.pk))
        Campaign.objects.filter(pk=campaign.pk).update(slug="former")

        made = campaign_file_create(content=first, owner=owner)

        assert campaign_file(Campaign.objects.get(pk=made.pk)) == first
        assert list(SCHEMA.iter_errors(yaml.safe_load(first))) == []
        transaction.set_rollback(True)


@pytest.mark.parametrize("text", [each for each in ODD if each.strip() and "{" not in each])
def test_odd_texts_come_back_as_the_pages_would_store_them(text: str) -> None:
    owner = make_staff()
    texts = default_texts() | {"consent": text}
    campaign = campaign_create(owner=owner, slug="odd", name="Odd", description=text, **texts)

    made = campaign_file_create(content=campaign_file(campaign), owner=owner, slug="made")

    plain = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    assert (made.consent, made.description) == (plain, plain)
    assert yaml.safe_load(campaign_file(campaign))["settings"]["description"].strip() == plain


@pytest.fixture
def full() -> tuple[User, Campaign]:
    owner = make_staff()
    texts = default_texts() | {"consent": "Do you agree?  \n\nIt pays {pay}."}
    campaign = campaign_create(
        owner=owner, slug="full", name="Full: no", editor_pay=Decimal("2.5"), rater_pay=Decimal(1), **texts
    )
    example = ExampleText("A source.", "A text.", {"meaning": [3, 2], "grammar": [3]}, "Why: so.", is_practice=True)
    qualification_items_add(campaign=campaign, examples=[example, ExampleText("B", "C", example.answers, "D")])
    gold_create(campaign=campaign, example=ExampleText("E", "F", example.answers))
    open_link(
        campaign=campaign,
        work_round="rate",
        platform_key="connect",
        name="Pilot",
        max_people=20,
        opens_at=database_now(),
        code_done="SECRET-1",
        completion_address="https://connect.cloudresearch.com/participant/project/SECRET-2/complete",
    )
    quality_rule_set(
        campaign=campaign,
        parameters=FilterParameters(0.07, 3, Order.EDITORS_FIRST, RaterQuality.GOLD, Roles.RATERS),
        user=owner,
    )
    return owner, Campaign.objects.get(pk=campaign.pk)


def test_everything_is_copied_but_what_is_secret(full: tuple[User, Campaign]) -> None:
    owner, campaign = full
    content = campaign_file(campaign)

    made = campaign_clone(campaign=campaign, owner=owner, slug="copy", name="Copy")

    again = campaign_file(Campaign.objects.get(pk=made.pk)).replace(b"\nname: Copy\nslug: copy\n", b"")
    assert again == content.replace(b'\nname: "Full: no"\nslug: full\n', b"")
    assert b"SECRET" not in content
    old, new = campaign.links.get(name="Pilot"), made.links.get(name="Pilot")
    assert old.token.encode() not in content
    assert {new.token, new.code_done} & {old.token, old.code_done} == set()
    assert new.code_done
    assert (new.completion_address, new.max_people, new.opens_at) == ("", 20, old.opens_at)
    assert made.state == "draft"


def test_a_file_takes_a_fixed_number_of_queries(full: tuple[User, Campaign], django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(4):
        campaign_file(full[1])


def test_the_file_is_as_people_would_write_it(full: tuple[User, Campaign]) -> None:
    text = campaign_file(full[1]).decode()

    assert text.startswith("# A Précis campaign as a file")
    assert "  consent: |\n    Do you agree?  \n\n    It pays {pay}.\n" in text
    assert "    answers:\n      grammar: [3]\n      meaning: [2, 3]\n" in text
    assert "  editor_pay: 2.50\n" in text
    assert list(SCHEMA.iter_errors(json.loads(json.dumps(yaml.safe_load(text))))) == []


def test_arms_and_the_scales_that_name_them_are_in_the_file() -> None:
    campaign = armed_campaign()

    made = campaign_clone(campaign=campaign, owner=make_staff(), slug="copy", name="Copy")

    copy = Campaign.objects.get(pk=made.pk)
    assert (copy.arms, copy.scales) == (ARMS, SCALES)
    text = campaign_file(copy).decode()
    assert "\narms:\n  - key: three\n    name: Three points\n  - key: five\n    name: Five points\n" in text
    assert list(SCHEMA.iter_errors(yaml.safe_load(text))) == []
