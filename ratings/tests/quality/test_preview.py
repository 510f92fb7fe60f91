"""What a rule would do: the page tells what applying it then does, and writes nothing."""

import re
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import Avg
from django.test import Client
from django.test.utils import CaptureQueriesContext

from compressions.models import Target
from crowd.models import Campaign, Worker
from measures.quality_control.parameters import FilterParameters, Order, RaterQuality, Roles
from ratings.models import QualityDecision, Score
from ratings.selectors import shown_preview
from ratings.services.exclusions import person_exclude
from ratings.services.quality import person_include, quality_apply
from tests.support.factories import (
    EDIT,
    RATE,
    edit_all,
    enrol,
    freeze,
    golden_campaign,
    judged_campaign,
    make_campaign,
    rate_each,
    readable,
    staff_client,
)
from tests.support.once import BuildOnce

pytestmark = pytest.mark.django_db

SHARES = (0.0, 0.05, 0.10, 0.15, 0.20, 0.25)
CASES = [
    FilterParameters(),
    FilterParameters(order=Order.EDITORS_FIRST),
    FilterParameters(roles=Roles.RATERS),
    FilterParameters(roles=Roles.EDITORS),
    FilterParameters(min_items=36),
    FilterParameters(rater_quality=RaterQuality.GOLD),
    FilterParameters(rater_quality=RaterQuality.DAWID_SKENE),
    FilterParameters(rater_quality=RaterQuality.DAWID_SKENE, order=Order.EDITORS_FIRST),
]


def crowd(size: int) -> Campaign:
    """So many editors, the later the poorer, and raters, the later the blinder to it; the last says 1 of all."""
    campaign = make_campaign(
        sources=5, editors_per_source=size, raters_per_compression=size, editor_tasks=99, rater_tasks=99
    )
    edit_all(campaign, size)
    for number in range(size):
        rate_each(enrol(campaign, RATE, f"rater-{number}"), partial(points_of, number, is_last=number == size - 1))
    return campaign


def points_of(rater: int, target: Target, *, is_last: bool) -> tuple[int, int]:
    version = int(target.text[-2])
    meaning, grammar = 3 - (version > 3) - (version > 6), 3 - (version > 5)
    return (1, 1) if is_last else (max(1, meaning - (rater > 4)), grammar)


@pytest.fixture(scope="module")
def built_of_eight(build_once: BuildOnce[Campaign]) -> Campaign:
    return build_once(lambda: crowd(8))


@pytest.fixture
def crowd_of_eight(built_of_eight: Campaign, db: None) -> Campaign:
    """The same crowd for each test, as it was made."""
    return Campaign.objects.get(pk=built_of_eight.pk)


def staff_of(campaign: Campaign) -> Client:
    return staff_client(campaign.staff.get())


def query_of(parameters: FilterParameters) -> dict[str, Any]:
    return {
        "share": 100 * parameters.share,
        "min_items": parameters.min_items,
        "order": parameters.order,
        "rater_quality": parameters.rater_quality,
        "roles": parameters.roles,
    }


def preview_page(campaign: Campaign, **query: Any) -> str:
    reply = staff_of(campaign).get(f"/campaigns/{campaign.slug}/quality/preview/", query)
    assert reply.status_code == 200
    return readable(reply)


def rows_of(page: str, label: str) -> list[list[str]]:
    """The words in each cell of a table's body."""
    body = page.split(f'aria-label="{label}"')[1].split("</table>", maxsplit=1)[0].split("<tbody>")[1]
    rows = (re.findall(r"<t[hd]\b.*?>(.*?)</t[hd]>", row, re.DOTALL) for row in body.split("<tr")[1:])
    return [[" ".join(re.sub("<.*?>", " ", cell).split()) for cell in row] for row in rows]


def rows_by_share(page: str) -> list[list[str]]:
    """Share, editors, raters, compressions kept, ratings kept, means."""
    before, *rows = rows_of(page, "Other shares")
    assert before[0] == "before"
    return rows


def section_of(page: str, work_round: str) -> str:
    return page.split(f'aria-labelledby="role-{work_round}"')[1].split("</section>", maxsplit=1)[0]


def figures_of(page: str) -> list[str]:
    """Editors and raters who would go, texts and ratings that would stay."""
    return [each.strip() for each in re.findall(r"<dd>(.*?)</dd>", page, re.DOTALL)]


def figures_of_run(campaign: Campaign, parameters: FilterParameters) -> list[str]:
    found = quality_apply(campaign=campaign, parameters=parameters).summary
    figures = (found["editors"]["removed"], found["raters"]["removed"], found["texts_kept"], found["ratings_kept"])
    return [str(each) for each in figures]


def assert_tells_what_is_done(campaign: Campaign, parameters: FilterParameters) -> None:
    page = preview_page(campaign, **query_of(parameters))

    rows = rows_by_share(page)
    assert [row[0] for row in rows] == [f"{100 * share:g}%" for share in SHARES]
    done = [figures_of_run(campaign, replace(parameters, share=share)) for share in SHARES]
    assert [row[1:5] for row in rows] == done
    assert figures_of(page) == done[SHARES.index(parameters.share)]


def decide_by_hand(campaign: Campaign) -> None:
    """The best rater and editor go, the worst stay."""
    people = {worker.external_id: worker for worker in Worker.objects.filter(campaign=campaign)}
    for work_round, best, worst in ((RATE, "rater-0", "rater-7"), (EDIT, "editor-1", "editor-8")):
        person_exclude(worker=people[best], work_round=work_round, note="a friend of ours", user=None)
        person_include(worker=people[worst], work_round=work_round, note="a hard lot", user=None)


def test_each_share_is_shown_with_what_applying_it_then_does(crowd_of_eight: Campaign) -> None:
    campaign = crowd_of_eight

    for parameters in CASES:
        assert_tells_what_is_done(campaign, parameters)
    assert figures_of_run(campaign, FilterParameters(share=0.25)) == ["2", "2", "30", "180"]

    decide_by_hand(campaign)
    for parameters in CASES:
        assert_tells_what_is_done(campaign, parameters)


@pytest.mark.parametrize("share", [0.0, 0.05, 0.25])
@pytest.mark.parametrize("order", list(Order))
def test_in_a_small_campaign_no_share_of_a_quarter_takes_anybody(share: float, order: Order) -> None:
    assert_tells_what_is_done(golden_campaign(), FilterParameters(share=share, order=order))


def test_the_means_are_those_of_all_ratings_and_of_a_release_after_the_rule(
    crowd_of_eight: Campaign,
) -> None:
    campaign = crowd_of_eight
    page = preview_page(campaign)

    shown = [row[5:] for row in rows_by_share(page)]
    assert len({tuple(row) for row in shown}) > 2
    for share, means in zip(SHARES, shown, strict=True):
        quality_apply(campaign=campaign, parameters=FilterParameters(share=share))
        assert means == means_in(freeze(campaign).summary)
    assert rows_of(page, "Other shares")[0] == ["before", "–", "–", "40", "320", *2 * means_given(campaign)]


def means_in(summary: dict[str, Any]) -> list[str]:
    """The means over compressions, then over ratings, as the table has them."""
    names = ("mean_over_compressions", "mean_over_ratings")
    return [f"{mean:.3f}" for name in names for mean in summary[name].values()]


def means_given(campaign: Campaign) -> list[str]:
    given = Score.objects.filter(rating__worker__campaign=campaign)
    averages = dict(given.order_by().values_list("scale").annotate(Avg("value")))
    return [f"{averages[scale]:.3f}" for scale in ("meaning", "grammar")]


def test_before_any_rule_those_count_too_whom_somebody_excluded() -> None:
    campaign = judged_campaign(scores=((3, 3), (1, 2)))
    clicker = Worker.objects.get(campaign=campaign, external_id="rater-2")
    person_exclude(worker=clicker, work_round=RATE, note="clicks through", user=None)

    page = preview_page(campaign, share=0)

    before, nothing, *_ = rows_of(page, "Other shares")
    assert before == ["before", "–", "–", "2", "4", *2 * ["2.000", "2.500"]]
    assert nothing == ["0%", "0", "1", "2", "2", *4 * ["3.000"]]


def test_everybody_is_listed_with_the_reason_that_the_run_then_gives(
    crowd_of_eight: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shown_preview, "PEOPLE_PER_PAGE", 50)
    campaign = crowd_of_eight
    decide_by_hand(campaign)
    parameters = FilterParameters(share=0.25)

    page = preview_page(campaign, **query_of(parameters))

    run = quality_apply(campaign=campaign, parameters=parameters)
    for work_round, title in ((RATE, "Raters"), (EDIT, "Editors")):
        listed = rows_of(page, f"{title}, worst first")
        decided = run.decisions.filter(round=work_round).select_related("worker")
        assert sorted(listed) == sorted(cells_of(each) for each in decided)
        known = [float(row[1]) for row in listed if row[1] != "–"]
        assert known == sorted(known, reverse=work_round == RATE)
        assert [row[1] for row in listed].index("–") == len(known) == 7


def cells_of(decision: QualityDecision) -> list[str]:
    return [
        decision.worker.public_name,
        "–" if decision.quality is None else f"{decision.quality:.3f}",
        shown(decision.standard_error, ""),
        " ".join(filter(None, [shown(decision.gap, "+"), in_errors(decision)])),
        str(decision.items),
        "excluded" if decision.removed else "kept",
        "" if decision.reason == "kept" else decision.reason,
    ]


def shown(value: float | None, sign: str) -> str:
    return "–" if value is None else f"{value:{sign}.3f}".replace("-", "\N{MINUS SIGN}").replace("+0.000", "0.000")


def in_errors(decision: QualityDecision) -> str:
    if decision.gap is None or not decision.standard_error:
        return ""
    quotient = decision.gap / decision.standard_error
    return f"({quotient:+.1f} SE)".replace("-", "\N{MINUS SIGN}").replace("+0.0 ", "0.0 ")


# The histogram


def bars_of(page: str, work_round: str) -> list[tuple[int, str]]:
    """How many workers are in each part of a bar, and what would become of them; from low to high."""
    parts = re.findall(r"<title>.*?: (\d+) (kept|would be excluded)</title>", section_of(page, work_round))
    return [(int(count), fate) for count, fate in parts if count != "0"]


def number_in(bars: list[tuple[int, str]]) -> int:
    return sum(count for count, _ in bars)


@pytest.mark.parametrize("quality", [RaterQuality.DEVIATION, RaterQuality.DAWID_SKENE])
def test_the_bars_hold_all_who_are_judged(quality: RaterQuality) -> None:
    page = preview_page(golden_campaign(), share=25, rater_quality=quality)

    assert number_in(bars_of(page, RATE)) == 3
    assert number_in(bars_of(page, EDIT)) == 2
    assert "of 3 raters; 3 with enough ratings." in section_of(page, RATE)


def test_who_has_no_quality_is_in_no_bar() -> None:
    page = preview_page(golden_campaign(), rater_quality=RaterQuality.GOLD)

    assert bars_of(page, RATE) == []
    assert "of 3 raters; 0 with enough ratings." in section_of(page, RATE)


@pytest.mark.parametrize(("work_round", "place"), [(RATE, -1), (EDIT, 0)])
def test_who_would_go_is_marked_at_the_worst_end(work_round: str, place: int) -> None:
    page = preview_page(crowd(4), share=25)

    bars = bars_of(page, work_round)

    assert bars.pop(place) == (1, "would be excluded")
    assert {fate for _, fate in bars} == {"kept"}
    assert number_in(bars) == 3
    assert section_of(page, work_round).count('class="beyond"') == 1
    assert "The last one to be excluded has" in section_of(page, work_round)


def test_one_bar_may_hold_both_who_would_go_and_who_would_stay(crowd_of_eight: Campaign) -> None:
    """Two raters are equally far off, and the cut goes between them."""
    bars = bars_of(preview_page(crowd_of_eight, share=25), RATE)

    assert bars[-3:] == [(1, "kept"), (1, "would be excluded"), (1, "would be excluded")]
    assert number_in(bars) == 8


def test_without_a_cut_nobody_is_marked() -> None:
    page = preview_page(golden_campaign(), share=0)

    assert 'class="beyond"' not in page
    assert "The last one to be excluded has" not in page


# Nothing is written


def test_looking_writes_nothing() -> None:
    campaign, models = golden_campaign(), apps.get_models()
    client = staff_of(campaign)
    before = [list(model._default_manager.order_by("pk").values()) for model in models]

    for parameters in CASES:
        client.get(f"/campaigns/{campaign.slug}/quality/preview/", query_of(parameters))

    assert [list(model._default_manager.order_by("pk").values()) for model in models] == before


def test_the_queries_are_as_many_whatever_the_number_of_people_and_texts() -> None:
    def queries(campaign: Campaign) -> int:
        client = staff_of(campaign)
        with CaptureQueriesContext(connection) as captured:
            assert client.get(f"/campaigns/{campaign.slug}/quality/preview/").status_code == 200
        return len(captured)

    assert queries(judged_campaign(sources=1)) == queries(judged_campaign(sources=4, editors=3, scores=[(3, 3)] * 5))
