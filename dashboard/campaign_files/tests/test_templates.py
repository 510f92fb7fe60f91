"""The templates load, leave nothing open but what a lab must set, and whole ones are as an export writes them."""

import pytest
import yaml
from jsonschema import Draft202012Validator

from crowd.models import Campaign
from dashboard.campaign_files.fields import campaign_schema
from dashboard.campaign_files.services import campaign_file_create
from dashboard.campaign_files.templates import FOLDER, TEMPLATES
from dashboard.campaign_files.writing import campaign_file
from measures.spans import preset
from measures.text.length_rule import allowed_length
from measures.text.normalization import length
from protocols.quiz.settings import conditions_of
from protocols.quiz.task import TASK
from ratings.selectors.setup_warnings import setup_warnings
from tests.support.factories import make_staff

every_template = pytest.mark.parametrize("key", TEMPLATES)


def test_every_file_is_listed() -> None:
    assert {path.stem for path in FOLDER.glob("*.yaml")} == set(TEMPLATES)
    assert sorted(each.number for each in TEMPLATES.values()) == list(range(1, len(TEMPLATES) + 1))


@every_template
@pytest.mark.django_db
def test_a_template_makes_a_campaign_that_lacks_only_questions_of_its_own(key: str) -> None:
    made = campaign_file_create(content=TEMPLATES[key].content, owner=make_staff())

    campaign = Campaign.objects.get(pk=made.pk)
    known = ("raters are given much the same ones", "which anyone can read with their answers")
    assert [each.text for each in setup_warnings(campaign) if not any(words in each.text for words in known)] == []
    given, written = yaml.safe_load(TEMPLATES[key].content), yaml.safe_load(campaign_file(campaign))
    assert set(given["settings"].items()) <= set(written["settings"].items())
    assert len(given["links"]) == len(written["links"])
    if given["settings"].keys() == written["settings"].keys():
        assert campaign_file(campaign) == TEMPLATES[key].content
    assert campaign.state == "draft"


@every_template
def test_a_template_is_valid_by_the_schema(key: str) -> None:
    assert list(Draft202012Validator(campaign_schema()).iter_errors(yaml.safe_load(TEMPLATES[key].content))) == []


WITHOUT_SCALES = {"error-spans", "quiz-study", "rank-outputs", "sentence-communities", "factoids", "content-units"}
WITHOUT_SCALES |= {"peer-units", "sentence-fusion", "points-after-reference", "chosen-summaries"}
with_scales = pytest.mark.parametrize("key", [key for key in TEMPLATES if key not in WITHOUT_SCALES])


@with_scales
def test_a_template_has_questions_of_every_kind_with_every_answer(key: str) -> None:
    values = yaml.safe_load(TEMPLATES[key].content)
    asked = [question for kind in ("practice", "test", "gold") for question in values[kind]]

    assert all(len(values[kind]) >= least for kind, least in (("practice", 2), ("test", 8), ("gold", 5)))
    for scale in values["scales"]:
        answers = {point for question in asked for point in question["answers"][scale["key"]]}
        assert answers == set(range(1, 1 + len(scale.get("points", "ABC")))), scale["key"]


@with_scales
def test_a_template_asks_what_its_guidelines_explain(key: str) -> None:
    values = yaml.safe_load(TEMPLATES[key].content)

    assert all(scale["name"] in values["settings"]["rater_guidelines"] for scale in values["scales"])
    if values["settings"]["rating_task"] != "answer":  # whose texts nobody shortens
        assert "{percent}" in values["settings"]["editor_guidelines"] or "{keep_percent}" in str(values["settings"])


@pytest.mark.parametrize("key", [each for each in TEMPLATES if each not in {*WITHOUT_SCALES, "question-answering"}])
def test_the_texts_that_raters_see_are_as_short_as_the_rule_asks(key: str) -> None:
    values = yaml.safe_load(TEMPLATES[key].content)
    keep = values["settings"]["keep_percent"]
    is_starter_test = key in {"study-2016", "three-against-five"}
    kinds = ["gold"] if is_starter_test else ["practice", "test", "gold"]

    for question in (question for kind in kinds for question in values[kind]):
        for name in {"compression", "other"} & question.keys():
            assert length(question[name]) <= allowed_length(question["source"], keep), question[name]


def test_the_template_of_marking_errors_explains_what_people_choose_from() -> None:
    values = yaml.safe_load(TEMPLATES["error-spans"].content)
    guidelines = values["settings"]["rater_guidelines"].lower()

    assert values["task_settings"] == {"own_preset": "", "premark": "none", "preset": "esa"}
    assert values["settings"]["raters_per_compression"] == 3
    assert all(f"**{severity}:**" in guidelines for severity in preset("esa").severities)
    assert preset("esa").missing
    assert "missing content" in guidelines
    assert "score from 0 to 100" in guidelines


def test_the_template_of_quizzes_fits_its_own_checks() -> None:
    values = yaml.safe_load(TEMPLATES["quiz-study"].content)
    chosen, settings = TASK.settings_read(values["task_settings"]), values["settings"]

    assert TASK.settings_read({}) == chosen | {"conditions": TASK.settings_read({})["conditions"], "warm_up": ""}
    assert {settings["editor_tasks"], settings["rater_tasks"]} == {len(conditions_of(chosen))}
    assert settings["ratings_per_page"] == 1
    assert settings["lease_minutes"] > chosen["minutes"]
    assert not settings["record_leaving"]
