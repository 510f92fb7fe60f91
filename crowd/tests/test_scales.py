"""Scales as staff write them: read exactly, refused with the line that is wrong, fixed once there is work."""

import json
import re
from dataclasses import replace

import pytest
from django.conf import settings as django_settings
from django.core.exceptions import ValidationError
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from crowd.default_texts import translated_scales
from crowd.models import Campaign
from crowd.scale_texts import scales_from_text, scales_to_text
from crowd.scales import DEFAULT_SCALES, PREFERENCE_WORDS, Point, Scale, scales_dump, scales_load
from tests.support.factories import (
    EDIT,
    RATE,
    edit_next,
    enrol,
    link_of,
    make_campaign,
    readable,
    staff_client,
    worker_client,
)
from tests.support.settings import settings_of, settings_page

FIVE_POINTS = """Fluency: How well does it read?
5 Like a newspaper
4 Well
3 With a stumble
2 Badly
1 Not at all

Facts: Is it true?
2 Yes
1 No"""

# A line holds no control characters and no line separators; it begins and ends with something to see.
_visible = st.characters(exclude_categories=["C", "Z"])
_inside = st.text(st.one_of(_visible, st.just(" ")), max_size=40)
lines = st.builds("{}{}{}".format, _visible, _inside, _visible)
names = st.from_regex(r"[A-Za-z]([A-Za-z0-9 é’-]{0,30}[a-z])?", fullmatch=True)


def key_of(name: str) -> str:
    return re.sub("[^a-z0-9]+", "_", name.lower()).strip("_")


@st.composite
def scale_lists(draw: st.DrawFn) -> tuple[Scale, ...]:
    """One to six scales with two to seven points each."""
    scales = []
    for name in draw(st.lists(names, min_size=1, max_size=6, unique_by=key_of)):
        words = draw(st.lists(lines, min_size=2, max_size=7))
        points = [Point(value, each) for value, each in enumerate(words, start=1)]
        nuggets = draw(st.booleans())
        scales.append(Scale(key_of(name), name, draw(lines), tuple(reversed(points)), shows_nuggets=nuggets))
    return tuple(scales)


# Reading and writing

POINTS = "\n2 Yes\n1 No"


@given(scales=scale_lists())
def test_scales_are_read_as_they_were_written(scales: tuple[Scale, ...]) -> None:
    assert scales_from_text(scales_to_text(scales)) == scales


@pytest.mark.parametrize("mark", ["[nuggets]", "[Nuggets]", " [ nuggets ] ", "\uff3bnuggets\uff3d"])
def test_a_mark_at_the_end_of_the_question_shows_nuggets(mark: str) -> None:
    (scale,) = scales_from_text(f"[three] Content: Is it there?{mark}{POINTS}")

    assert (scale.arm, scale.name, scale.question, scale.shows_nuggets) == ("three", "Content", "Is it there?", True)


def test_a_mark_alone_is_no_question() -> None:
    with pytest.raises(ValidationError, match="a scale begins with its name and question"):
        scales_from_text(f"Content: [nuggets]{POINTS}")


@given(scales=scale_lists())
def test_side_by_side_only_names_and_questions_are_written(scales: tuple[Scale, ...]) -> None:
    read = scales_from_text(scales_to_text(scales, side_by_side=True), side_by_side=True)

    def heads(found: tuple[Scale, ...]) -> list[tuple[object, ...]]:
        return [(scale.key, scale.name, scale.question, scale.shows_nuggets) for scale in found]

    assert heads(read) == heads(scales)
    assert {tuple(point.words for point in reversed(scale.points)) for scale in read} == {PREFERENCE_WORDS}


@given(scales=scale_lists())
def test_a_database_gives_back_the_scales_it_got(scales: tuple[Scale, ...]) -> None:
    assert scales_load(json.loads(json.dumps(scales_dump(scales)))) == scales


@given(scales=scale_lists(), data=st.data())
def test_the_order_of_the_points_and_empty_lines_do_not_matter(scales: tuple[Scale, ...], data: st.DataObject) -> None:
    shuffled = [replace(scale, points=tuple(data.draw(st.permutations(scale.points)))) for scale in scales]

    written = scales_to_text(shuffled).replace("\n", data.draw(st.sampled_from(["\n", "\r\n", "\n\n", "\n  \n"])))

    assert scales_from_text(written) == scales


@pytest.mark.parametrize("line", ["3 Good", "3. Good", "3) Good", "3: Good", "  3   Good  "])
def test_a_point_may_be_written_in_several_ways(line: str) -> None:
    (scale,) = scales_from_text(f"Style: How good is it?\n{line}\n2 So so\n1 Bad")

    assert scale.points[0] == Point(3, "Good")


def test_a_question_may_have_a_colon_of_its_own() -> None:
    (scale,) = scales_from_text("Style: Say it: how good is it?\n2 Good\n1 Bad")

    assert (scale.key, scale.question) == ("style", "Say it: how good is it?")


def test_scales_keep_the_keys_that_their_names_are_known_by() -> None:
    read = scales_from_text(f"Bedeutung: Was?{POINTS}\n\nGrammatik: Wie?{POINTS}", keys={("", "Bedeutung"): "meaning"})

    assert [(scale.key, scale.name) for scale in read] == [("meaning", "Bedeutung"), ("grammatik", "Grammatik")]


@pytest.mark.parametrize("head", ["文体：写得好吗？", "文体: 写得好吗？"])
def test_a_name_without_latin_letters_has_the_key_of_its_place(head: str) -> None:
    first, second = scales_from_text(f"Facts: True?\n2 Yes\n1 No\n\n{head}\n2 好\n1 不好")

    assert (first.key, second.key) == ("facts", "scale_2")
    assert (second.name, second.question) == ("文体", "写得好吗？")


# What cannot be read


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("3 Good\n2 So so", "Line 1: a scale begins with its name"),
        ("Style" + POINTS, "Line 1: a scale begins with its name"),
        ("Style:" + POINTS, "Line 1: a scale begins with its name"),
        (": How good is it?" + POINTS, "Line 1: a scale begins with its name"),
        ("\n\nStyle: How good is it?\n1 Bad", "Line 3: “Style” has 1 points"),
        ("Style: How?\n" + "\n".join(f"{value} Point" for value in range(1, 9)), "Line 1: “Style” has 8 points"),
        ("Style: How?\n3 Good\n1 Bad", "Line 1: the points of “Style” must be 1 to 2"),
        ("Style: How?\n1 Good\n0 Bad", "Line 1: the points of “Style” must be 1 to 2"),
        ("Style: How?\n2 Good\n2 Bad", "Line 3: “Style” has the point 2 twice"),
        ("Style: How?\n2 Good\n1", "Line 3: a point is a digit"),
        ("Style: How?\n10 Good\n1 Bad", "Line 2: a point is a digit"),
        ("Style: How?\n² Good\n1 Bad", "Line 2: a point is a digit"),
        (f"Style: How?\n2 {'x' * 101}\n1 Bad", "Line 2: a point is a digit and up to 100 characters"),
        (f"{'x' * 41}: How?{POINTS}", "Line 1: a name has at most 40 characters"),
        (f"{'é' * 41} x: How?{POINTS}", "Line 1: a name has at most 40 characters"),
        (f"Style: {'x' * 201}{POINTS}", "Line 1: a name has at most 40 characters, a question 200"),
        (f"Style: How?{POINTS}\nFacts: True?\n2 Yes\n1", "Line 6: a point is a digit"),
        (f"Style: How?{POINTS}\nstyle!: Again?{POINTS}", "Line 4: "),
        (f"文体: 写得好吗?{POINTS}\n文体: 再问?{POINTS}", "Line 4: two scales are called “文体”"),
        (f"???: How?{POINTS}", "Line 1: a scale begins with its name"),
        ("\n".join(f"Scale {letter}: How?{POINTS}" for letter in "abcdefg"), "Line 19: "),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, reason: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        scales_from_text(text)

    assert refusal.value.message.startswith(reason)


@given(scales=scale_lists(), data=st.data())
def test_a_point_without_words_is_found_wherever_it_stands(scales: tuple[Scale, ...], data: st.DataObject) -> None:
    written = scales_to_text(scales).split("\n")
    heads = {f"{scale.name}: {scale.question}" for scale in scales}
    place = data.draw(st.sampled_from([at for at, line in enumerate(written) if line and line not in heads]))
    written[place] = written[place][:1]

    with pytest.raises(ValidationError) as refusal:
        scales_from_text("\n".join(written))

    assert refusal.value.message.startswith(f"Line {place + 1}: ")


@pytest.mark.parametrize("text", ["", "  \n "])
def test_no_scales_are_refused(text: str) -> None:
    with pytest.raises(ValidationError, match="There is no scale"):
        scales_from_text(text)


def test_side_by_side_points_of_one_s_own_are_refused() -> None:
    with pytest.raises(ValidationError) as refusal:
        scales_from_text("Style: Which is better?\n\n2 The first", side_by_side=True)

    assert refusal.value.message.startswith("Line 3: side by side, all questions have the same answers")


@given(text=st.text(alphabet=st.sampled_from("Ab12: ?\n²é"), max_size=60))
def test_whatever_is_written_is_read_or_refused(text: str) -> None:
    try:
        scales = scales_from_text(text)
    except ValidationError:
        return
    assert scales_from_text(scales_to_text(scales)) == scales


# The settings of a campaign


def address_of(campaign: Campaign) -> str:
    return settings_page(campaign, "scales_text")


def staff_of(campaign: Campaign) -> Client:
    return staff_client(campaign.staff.get())


def kept(campaign: Campaign) -> tuple[Scale, ...]:
    return Campaign.objects.get(pk=campaign.pk).rating_scales


@pytest.mark.django_db
def test_the_settings_show_the_scales_as_they_are_written() -> None:
    page = readable(staff_of(campaign := make_campaign()).get(address_of(campaign)))

    assert scales_to_text(DEFAULT_SCALES) in page


@pytest.mark.django_db
def test_staff_write_scales_of_their_own() -> None:
    campaign = make_campaign()

    reply = staff_of(campaign).post(address_of(campaign), settings_of(campaign, scales_text=FIVE_POINTS))

    assert reply.status_code == 302
    assert [(scale.key, scale.values) for scale in kept(campaign)] == [("fluency", (1, 2, 3, 4, 5)), ("facts", (1, 2))]
    assert FIVE_POINTS in readable(staff_of(campaign).get(address_of(campaign)))


@pytest.mark.django_db
@pytest.mark.parametrize("language", sorted(set(dict(django_settings.LANGUAGES)) - {"en"}))
def test_translated_scales_keep_their_keys_when_the_settings_are_saved(language: str) -> None:
    scales = translated_scales(language)
    campaign = make_campaign(page_language=language, scales=scales_dump(scales))
    reworded = scales_to_text(scales).replace(scales[0].question, "…?")

    reply = staff_of(campaign).post(address_of(campaign), settings_of(campaign, rater_tasks=9))
    assert (reply.status_code, kept(campaign)) == (302, scales)

    staff_of(campaign).post(address_of(campaign), settings_of(campaign, scales_text=reworded))
    assert kept(campaign) == (replace(scales[0], question="…?"), scales[1])


@pytest.mark.django_db
def test_raters_read_translated_scales_and_answer_under_the_same_keys() -> None:
    scales = translated_scales("zh-hans")
    campaign = make_campaign(sources=1, scales=scales_dump(scales), page_language="zh-hans", gold_percent=0)
    edit_next(enrol(campaign, EDIT))

    page = readable(worker_client(campaign, RATE).get("/work/", follow=True))

    assert all(words in page for scale in scales for words in (scale.question, *(each.words for each in scale.points)))
    assert 'name="meaning-' in page
    assert "Most important meaning" not in page


@pytest.mark.django_db
def test_scales_that_cannot_be_read_come_back_with_the_line_that_is_wrong() -> None:
    campaign = make_campaign()
    wrong = FIVE_POINTS.replace("3 With a stumble", "3")

    page = staff_of(campaign).post(address_of(campaign), settings_of(campaign, scales_text=wrong))

    assert page.status_code == 422
    assert "Line 4: a point is a digit" in readable(page)
    assert wrong in readable(page)
    assert kept(campaign) == DEFAULT_SCALES


@pytest.mark.django_db
def test_without_words_about_them_the_scales_stay() -> None:
    campaign = make_campaign(scales=scales_dump(scales_from_text(FIVE_POINTS)))

    staff_of(campaign).post(address_of(campaign), settings_of(campaign, scales_text="", rater_tasks=9))

    assert Campaign.objects.get(pk=campaign.pk).rater_tasks == 9
    assert kept(campaign) == scales_from_text(FIVE_POINTS)


@pytest.mark.django_db
def test_staff_have_two_versions_compared() -> None:
    campaign = make_campaign()
    changes = {"rating_task": "pair", "scales_text": "Style: Which reads better?"}

    staff_of(campaign).post(address_of(campaign), settings_of(campaign, **changes))

    campaign.refresh_from_db()
    assert campaign.rating_task == "pair"
    assert [point.words for point in campaign.shown_scales[0].points] == [
        "A is better",
        "About the same",
        "B is better",
    ]


@pytest.mark.django_db
def test_two_versions_are_not_compared_on_points_of_one_s_own() -> None:
    campaign = make_campaign()
    changes = {"rating_task": "pair", "scales_text": FIVE_POINTS}

    page = staff_of(campaign).post(address_of(campaign), settings_of(campaign, **changes))

    assert page.status_code == 422
    assert "Line 2: side by side" in readable(page)
    assert Campaign.objects.get(pk=campaign.pk).rating_task == "single"


def with_work_for_raters() -> Campaign:
    campaign = make_campaign(sources=1)
    edit_next(enrol(campaign, EDIT))
    return campaign


@pytest.mark.django_db
@pytest.mark.parametrize(
    "changes",
    [
        {"scales_text": FIVE_POINTS},
        {"scales_text": scales_to_text(DEFAULT_SCALES).replace("Flawless", "Perfect")},
        {"rating_task": "pair", "scales_text": "Style: Which reads better?"},
    ],
)
def test_once_there_are_texts_to_judge_the_scales_stay(changes: dict[str, object]) -> None:
    campaign = with_work_for_raters()

    page = staff_of(campaign).post(address_of(campaign), settings_of(campaign, rater_tasks=9, **changes))

    assert page.status_code == 422
    assert "what raters see and the scales can no longer be changed" in readable(page)
    unchanged = Campaign.objects.get(pk=campaign.pk)
    assert (unchanged.rating_scales, unchanged.rating_task) == (DEFAULT_SCALES, "single")
    assert unchanged.rater_tasks == campaign.rater_tasks


@pytest.mark.django_db
def test_other_settings_can_be_changed_while_people_judge() -> None:
    campaign = with_work_for_raters()
    same = scales_to_text(DEFAULT_SCALES).replace("\n", "\r\n")

    reply = staff_of(campaign).post(address_of(campaign), settings_of(campaign, rater_tasks=9, scales_text=same))

    assert reply.status_code == 302
    assert Campaign.objects.get(pk=campaign.pk).rater_tasks == 9


@pytest.mark.django_db
def test_raters_read_the_words_of_the_campaign_s_scales() -> None:
    campaign = make_campaign(sources=1, scales=scales_dump(scales_from_text(FIVE_POINTS)), gold_percent=0)
    edit_next(enrol(campaign, EDIT))
    rater = worker_client(campaign, RATE)

    page = readable(rater.get("/work/", follow=True))

    assert all(words in page for words in ("How well does it read?", "Like a newspaper", "Not at all", "Is it true?"))
    assert "Most important meaning" not in page
    assert link_of(campaign, RATE).code_done not in page
