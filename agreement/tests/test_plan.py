"""How precision grows with cost: the page and the command `plan_ratings`."""

import re
from typing import Any

import pytest
from django.core.management import CommandError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from compressions.models import Target
from crowd.models import Campaign, Worker
from crowd.services.claims import assignment_claim
from measures.quality_control.parameters import FilterParameters
from ratings.models import QualityDecision
from ratings.services.exclusions import person_exclude
from ratings.services.quality import quality_apply
from tests.flows.test_own_scales_release import compared, own_scales, side_by_side
from tests.support.factories import (
    EDIT,
    RATE,
    edit_all,
    enrol,
    freeze,
    judged_campaign,
    make_campaign,
    make_staff,
    rate,
    rate_each,
    readable,
    staff_client,
)
from tests.support.figures import figures_on
from tests.support.reports import printed, scales_named, strict_json, tables_of

pytestmark = pytest.mark.django_db


def points(target: Target, rater: int) -> tuple[int, int]:
    number = int(target.source.source_id)
    return 1 + number % 3, 1 + (number + rater * (number % 2)) % 3


@pytest.fixture
def campaign() -> Campaign:
    """Six texts by three raters, who differ on some."""
    campaign = make_campaign(sources=6, editors_per_source=1, raters_per_compression=3, editor_tasks=9, rater_tasks=9)
    edit_all(campaign, 1)
    for rater in range(3):

        def said(target: Target, rater: int = rater) -> tuple[int, int]:
            return points(target, rater)

        rate_each(enrol(campaign, RATE, f"rater-{rater}"), said)
    return campaign


def page_of(campaign: Campaign, **asked: str) -> Any:
    return staff_client(campaign.staff.get()).get(f"/campaigns/{campaign.slug}/plan/", asked)


def command_of(campaign: Campaign, **asked: str) -> str:
    options = (f"--{name.replace('_', '-')}={value}" for name, value in asked.items())
    return printed("plan_ratings", campaign.slug, *options)


Plans = dict[str, list[tuple[str, ...]]]


def plans_on_page(campaign: Campaign, **asked: str) -> Plans:
    """The rows of each table without the commas in large numbers, by scale."""
    page = page_of(campaign, **asked)
    assert page.status_code == 200
    return {
        label.removeprefix("Plans for "): [tuple(map(_plain, row)) for row in rows[1:]]
        for label, rows in tables_of(page.content.decode()).items()
    }


def _plain(cell: str) -> str:
    return re.sub(r"(?<=\d),(?=\d)|(?<=undefined) .*", "", cell).strip()


def plans_of_command(campaign: Campaign, **asked: str) -> Plans:
    plans: Plans = {}
    for line in command_of(campaign, **asked).splitlines():
        if head := re.fullmatch(r"(\S.*): \d+ texts with two ratings or more, \d+ ratings", line):
            rows = plans.setdefault(head[1].lower(), [])
        elif re.match(r" +\d", line):
            rows.append(tuple(re.split(r"\s{2,}", line.replace(",", "").strip())))
    return plans


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"raters": "2,4"},
        {"texts": "50,7"},
        {"raters": "20", "texts": "1"},
        {"raters": " 3, 5", "texts": "9"},
        {"price_per_rating": "0.12", "price_per_compression": "1.5"},
    ],
)
def test_page_and_command_say_the_same(campaign: Campaign, asked: dict[str, str]) -> None:
    found = plans_on_page(campaign, **asked)

    assert list(found) == ["meaning", "grammar"]
    assert found == plans_of_command(campaign, **asked)


def test_every_number_of_ratings_is_planned_with_every_number_of_texts(campaign: Campaign) -> None:
    asked = [row[:3] for row in plans_on_page(campaign, raters="2,4", texts="50,7")["meaning"]]
    by_itself = [row[:3] for row in plans_on_page(campaign)["meaning"]]

    assert asked == [("2", "50", "100"), ("2", "7", "14"), ("4", "50", "200"), ("4", "7", "28")]
    assert by_itself == [
        (str(raters), str(texts), str(raters * texts)) for raters in (3, 4, 5, 7, 10) for texts in (6, 12, 24)
    ]


def test_page_and_command_say_what_there_is_so_far(campaign: Campaign) -> None:
    shown = " ".join(readable(page_of(campaign)).split())

    said = command_of(campaign)

    assert shown.count("So far 6 texts have two or more ratings (18 ratings in total).") == 2
    assert said.count(": 6 texts with two ratings or more, 18 ratings\n") == 2
    kappas = re.findall(r"so far: kappa (\S+), (\S+) to (\S+)", said)
    assert kappas == re.findall(r"kappa is (\S+) \((\S+) to (\S+)\)", shown)
    assert len(kappas) == 1
    # Nobody ever disagreed about meaning, so nothing shows how far it could be off.
    assert "so far: kappa 1.000\n" in said
    assert "kappa is 1.000." in shown


def test_more_texts_narrow_both_intervals(campaign: Campaign) -> None:
    few, many = plans_on_page(campaign, raters="3", texts="50,5000")["grammar"]

    for column in (4, 5):
        reaches = [float(row[column].split(" ± ")[1]) for row in (few, many)]
        assert 0 < reaches[1] < reaches[0] / 5


def test_more_of_anything_never_gives_a_wider_interval_on_the_page(campaign: Campaign) -> None:
    rows = plans_on_page(campaign, raters="2,3,4,5,6,7", texts="20,40,80")["grammar"]

    reaches = {(int(row[0]), int(row[1])): [float(cell.split(" ± ")[1]) for cell in row[4:6]] for row in rows}
    for (raters, texts), found in reaches.items():
        for (more_raters, more_texts), narrower in reaches.items():
            if more_raters >= raters and more_texts >= texts:
                assert all(after <= before for before, after in zip(found, narrower, strict=True))


def test_cost_is_that_of_the_ratings_and_of_the_compressions(campaign: Campaign) -> None:
    prices = {"price_per_rating": "0.12", "price_per_compression": "1.5"}

    (row,) = plans_on_page(campaign, raters="3", texts="100", **prices)["grammar"]

    assert row[4] == f"{0.12 * 300 + 1.5 * 100:.2f}"
    page = readable(page_of(campaign, **prices))
    assert "Grammar: width of the interval of kappa against cost" in page
    assert "Grammar: width of the interval of kappa against the number of ratings" in readable(page_of(campaign))


def test_what_the_ratings_cannot_tell_is_said(campaign: Campaign) -> None:
    page, said = " ".join(readable(page_of(campaign)).split()), command_of(campaign)

    assert (
        "The share common to texts of one source is unknown (each source has one text; the plan assumes none)" in page
    )
    assert "raters’ severity is unknown (fewer than 10 raters rated texts of two sources" in page
    assert said.count("differences of sources unknown, assumed none: each source has one text") == 2
    assert said.count("differences of raters unknown, assumed none: fewer than 10 raters") == 2


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("raters", "1"),
        ("raters", "0"),
        ("raters", "-3"),
        ("raters", "three"),
        ("raters", "3.5"),
        ("raters", "21"),
        ("raters", "200"),
        ("raters", "2,3,4,5,6,7,8,9,10"),
        ("raters", "3,1"),
        ("texts", "0"),
        ("texts", "-1"),
        ("texts", "many"),
        ("texts", "10000001"),
        ("texts", "9" * 30),
        ("texts", "1,2,3,4,5,6,7,8,9"),
        ("price_per_rating", "-1"),
        ("price_per_rating", "much"),
        ("price_per_compression", "NaN"),
        ("price_per_compression", "10001"),
    ],
)
def test_numbers_without_sense_are_refused_by_page_and_command(campaign: Campaign, field: str, wrong: str) -> None:
    page = page_of(campaign, **{field: wrong})

    assert re.search(rf'role="alert">.*<a href="#id_{field}">.*</a>: \w', readable(page), re.DOTALL)
    assert tables_of(page.content.decode()) == {}
    with pytest.raises(CommandError) as error:
        command_of(campaign, **{field: wrong})
    assert str(error.value)


def test_the_command_names_the_campaigns_that_there_are(campaign: Campaign) -> None:
    with pytest.raises(CommandError, match=rf"There is no campaign 'none'. Campaigns: {campaign.slug}"):
        printed("plan_ratings", "none")


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        ((), "no item has two ratings"),
        (((3, 3),), "no item has two ratings"),
        (((2, 2), (2, 2)), "all ratings are in one category"),
    ],
)
def test_where_there_is_nothing_to_plan_from_page_and_command_say_why(
    scores: tuple[tuple[int, int], ...], reason: str
) -> None:
    campaign = judged_campaign(scores=scores, raters_per_compression=2)

    page, said = page_of(campaign), command_of(campaign)

    assert readable(page).count(f"There is no plan: {reason}.") == 2
    assert tables_of(page.content.decode()) == {}
    assert said.count(f"  no plan: {reason}\n") == 2


def test_a_campaign_with_no_text_at_all_has_no_plan() -> None:
    assert "There is no plan: no item has two ratings." in readable(page_of(make_campaign()))


def test_a_campaign_with_scales_of_its_own_has_a_plan_for_each_in_their_points() -> None:
    campaign = own_scales(raters=3)

    found = plans_on_page(campaign, raters="3", texts="1000")

    assert found == plans_of_command(campaign, raters="3", texts="1000")
    assert list(found) == ["content", "hangs together"]
    means = [float(rows[0][4].split(" ± ")[0]) for rows in found.values()]
    assert 2 < means[0] < 3.7
    assert 1 < means[1] < 1.8


def test_the_name_of_a_scale_stands_on_the_page_as_it_is() -> None:
    campaign = make_campaign(
        sources=3, editors_per_source=1, raters_per_compression=2, rater_tasks=9, scales=scales_named('A & B <i>"c"')
    )
    edit_all(campaign, 1)
    for rater in range(2):
        enrolment = enrol(campaign, RATE)
        while assignment := assignment_claim(enrolment=enrolment):
            rate(enrolment, assignment, a_b_i_c=1 + (rater + int(assignment.item.target.source.source_id)) % 3)

    page = page_of(campaign).content.decode()

    assert "<summary>A &amp; B &lt;i&gt;&quot;c&quot;</summary>" in page
    assert list(tables_of(page)) == ['Plans for a & b <i>"c"']


def test_of_a_campaign_side_by_side_page_and_command_plan_from_its_comparisons() -> None:
    campaign = compared(side_by_side())

    found = plans_on_page(campaign)

    assert found == plans_of_command(campaign)
    assert list(found) == ["content", "style"]


def test_what_an_excluded_rater_said_is_left_out(campaign: Campaign) -> None:
    worker = Worker.objects.get(external_id="rater-1", campaign=campaign)

    person_exclude(worker=worker, work_round=RATE, note="A bot.", user=None)

    assert command_of(campaign).count(": 6 texts with two ratings or more, 12 ratings\n") == 2


def test_what_a_rule_leaves_out_of_a_release_is_left_out_of_plans(campaign: Campaign) -> None:
    quality_apply(campaign=campaign, parameters=FilterParameters(share=0.34, min_items=2))
    assert QualityDecision.objects.filter(removed=True, round=RATE).count() == 1

    assert command_of(campaign).count(": 6 texts with two ratings or more, 12 ratings\n") == 2


def test_texts_of_an_excluded_editor_are_left_out(campaign: Campaign) -> None:
    worker = Worker.objects.get(external_id="editor-1", campaign=campaign)

    person_exclude(worker=worker, work_round=EDIT, note="A bot.", user=None)

    assert command_of(campaign).count(": 0 texts with two ratings or more, 0 ratings\n") == 2


def test_people_without_access_do_not_learn_that_there_is_a_plan(campaign: Campaign) -> None:
    address = f"/campaigns/{campaign.slug}/plan/"

    assert staff_client(make_staff()).get(address).status_code == 404
    assert staff_client(make_staff()).get("/campaigns/none/plan/").status_code == 404
    assert Client().get(address).status_code == 302


def test_the_plan_can_be_read_and_nothing_sent_to_it(campaign: Campaign) -> None:
    client = staff_client(campaign.staff.get())

    assert client.post(f"/campaigns/{campaign.slug}/plan/").status_code == 405


def test_the_dashboard_leads_to_the_plans(campaign: Campaign) -> None:
    page = staff_client(campaign.staff.get()).get(f"/campaigns/{campaign.slug}/")

    assert f'href="/campaigns/{campaign.slug}/plan/"' in page.content.decode()


def test_the_page_takes_as_many_queries_for_many_texts_as_for_few() -> None:
    counts = []
    for sources in (2, 9):
        owner = make_staff()
        campaign = judged_campaign(sources=sources, editors=2, owner=owner)
        client = staff_client(owner)
        with CaptureQueriesContext(connection) as captured:
            assert client.get(f"/campaigns/{campaign.slug}/plan/").status_code == 200
        counts.append(len(captured))

    assert counts[0] == counts[1] <= 16


def test_the_interval_so_far_is_that_of_a_report_where_some_texts_have_one_rating() -> None:
    campaign = make_campaign(sources=9, editors_per_source=1, raters_per_compression=3, editor_tasks=9, rater_tasks=9)
    edit_all(campaign, 1)
    for rater, texts in enumerate((9, 6, 5)):
        enrolment = enrol(campaign, RATE, f"rater-{rater}")
        for number in range(texts):
            assignment = assignment_claim(enrolment=enrolment)
            assert assignment
            rate(enrolment, assignment, meaning=1 + (number + rater) % 3, grammar=1 + (number + rater // 2) % 3)

    said = command_of(campaign)

    report = strict_json(printed("report", freeze(campaign).name, "agreement", "--format=json"))
    rows = {(row["scale"], row["comparison"], row["measure"]): row for row in report["rows"] if not row["group"]}
    for scale, (low, high) in zip(
        ("meaning", "grammar"), re.findall(r"so far: kappa \S+, (\S+) to (\S+)", said), strict=True
    ):
        row = rows[scale, "worker versus worker", "kappa"]
        assert (low, high) == (f"{row['low']:.3f}", f"{row['high']:.3f}")
        of_pairs = rows[scale, "all raters", "share of pairs that agree"]
        assert row["items"] < 9
        assert of_pairs["items"] == of_pairs["sources"] == row["items"] == row["sources"]


def test_the_plot_of_each_scale_has_files(campaign: Campaign) -> None:
    client, place = staff_client(campaign.staff.get()), f"/campaigns/{campaign.slug}/plan/"
    asked = "raters=3,5&texts=6,12&price_per_rating=0.5"

    found = figures_on(client, f"{place}?{asked}")

    assert found == {f"{place}figures/plan-grammar"}  # all agree on meaning
    lines = client.get(f"{place}figures/plan-grammar.csv?{asked}").content.decode().splitlines()
    assert lines[0] == "name,x,y"
    assert {line.split(",")[0] for line in lines[1:]} == {"3 ratings per text", "5 ratings per text"}
    assert "3 ratings per text,9.0," in "".join(lines)  # six texts
    drawn = client.get(f"{place}figures/plan-grammar.json?{asked}").json()
    assert drawn["encoding"]["x"]["scale"] == {"type": "log"}
    assert [client.get(f"{place}figures/plan-grammar.{end}").status_code for end in ("svg?raters=0", "exe")] == [
        404
    ] * 2
