"""Releases, agreement and dashboard of campaigns with scales of their own, and of those that compare side by side."""

import csv
import io
import json
import re
from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from sklearn.metrics import cohen_kappa_score

from agreement.kind import agreement_report
from agreement.parameters import AgreementParameters
from agreement.sections.coefficients import LEVELS
from common.errors import Refused
from compressions.models import Pair, Target
from corpus.models import Release
from corpus.release.records import ReleasedRating, ReleasedSource, ReleasedText
from corpus.services.outputs import outputs_import
from crowd.models import Campaign
from crowd.scale_texts import scales_from_text
from crowd.scales import scales_dump
from crowd.services.claims import assignment_claim
from ratings.models import Rating
from ratings.services.exclusions import person_exclude
from tests.support.factories import (
    EDIT,
    RATE,
    edit_all,
    enrol,
    freeze,
    make_campaign,
    make_staff,
    rate,
    rate_all,
    readable,
    silent,
    staff_client,
    worker_client,
)
from tests.support.reports import every_tab
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db

MARK = b"\xef\xbb\xbf"
WRITTEN = """\
Content: How much of the content is kept?
5 everything
4 nearly ||| everything
3 the main points
2 a part; or less
1 nothing

Hangs together: Does it?
2 yes
1 no
"""
SCALES = scales_from_text(WRITTEN)
CONTENT, TOGETHER = "content", "hangs_together"
WORDS = {
    CONTENT: {5: "everything", 4: "nearly | | | everything", 3: "the main points", 2: "a part; or less", 1: "nothing"},
    TOGETHER: {2: "yes", 1: "no"},
}
COMPARISONS = ("worker versus worker", "expert versus expert", "expert versus worker")


@pytest.fixture
def owner() -> User:
    return make_staff()


def points_of(rater: int, target: Target) -> dict[str, int]:
    """What a rater says of a text: points of all kinds, on which raters differ now and then."""
    number = int(target.source.source_id) + rater * (int(target.source.source_id) % 3 == 0)
    return {CONTENT: 1 + number % 5, TOGETHER: 1 + number % 2}


def own_scales(owner: User | None = None, raters: int = 2) -> Campaign:
    campaign = make_campaign(
        owner=owner,
        sources=10,
        scales=scales_dump(SCALES),
        editors_per_source=1,
        raters_per_compression=raters,
        editor_tasks=99,
        rater_tasks=99,
    )
    edit_all(campaign, 1)
    for rater in range(raters):
        enrolment = enrol(campaign, RATE)
        while assignment := assignment_claim(enrolment=enrolment):
            rate(enrolment, assignment, **points_of(rater, assignment.item.target))
    return campaign


def given_points() -> Counter[tuple[int, int]]:
    given = Rating.objects.all()
    points = [dict(rating.scores.values_list("scale", "value")) for rating in given]
    return Counter((each[CONTENT], each[TOGETHER]) for each in points)


def rating_fields(release: Release) -> list[tuple[str, str]]:
    """The code and the words of each rating in all files of people's texts, read without the app."""
    found: list[tuple[str, str]] = []
    for name in ("train.tsv", "valid.tsv", "test.tsv"):
        data = (release_folder(release) / "RawData" / name).read_bytes()
        assert data.startswith(MARK)
        for line in data.removeprefix(MARK).decode().split("\r\n")[:-1]:
            for part in line.split(" ||| ")[1:]:
                _, _, count, *fields = part.split("\t")
                assert len(fields) == 2 * int(count)
                found += zip(fields[::2], fields[1::2], strict=True)
    return found


def corpus_of(release: Release) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (release_folder(release) / "corpus.jsonl").read_bytes().splitlines()]


def manifest_of(release: Release) -> dict[str, Any]:
    manifest: dict[str, Any] = json.loads((release_folder(release) / "manifest.json").read_bytes())
    return manifest


# Scales of one's own.


def test_rawdata_has_the_points_in_the_order_of_the_scales_as_code_and_names_them_in_words() -> None:
    fields = rating_fields(freeze(own_scales()))

    codes = Counter(tuple(map(int, code.split("/"))) for code, _ in fields)
    assert codes == given_points()
    assert len(codes) > 5
    for code, words in fields:
        content, together = map(int, code.split("/"))
        assert words == f"Content: {WORDS[CONTENT][content]}; Hangs together: {WORDS[TOGETHER][together]}"


def test_one_scale_alone_has_a_bare_number_as_code() -> None:
    campaign = make_campaign(sources=1, scales=scales_dump(SCALES[1:]), raters_per_compression=1)
    edit_all(campaign, 1)
    rater = enrol(campaign, RATE)
    assignment = assignment_claim(enrolment=rater)
    assert assignment is not None
    rate(rater, assignment, **{TOGETHER: 2})

    assert rating_fields(freeze(campaign)) == [("2", "Hangs together: yes")]


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("Grammar: Well?\n3 c\n2 b\n1 a\nMeaning: Much?\n3 f\n2 e\n1 d", "9"),
        ("Meaning: Much?\n4 d\n3 c\n2 b\n1 a\nGrammar: Well?\n3 c\n2 b\n1 a", "3/1"),
        ("Grammar: Well?\n3 c\n2 b\n1 a\nMeaning: Much?\n4 d\n3 c\n2 b\n1 a", "1/3"),
        ("Meaning: Much?\n3 c\n2 b\n1 a\nGrammar: Well?\n3 c\n2 b\n1 a\nStyle: Fine?\n2 b\n1 a", "3/1/2"),
    ],
)
def test_meaning_and_grammar_have_their_public_codes_only_where_they_are_the_public_scales(
    written: str, code: str
) -> None:
    campaign = make_campaign(sources=1, scales=scales_dump(scales_from_text(written)), raters_per_compression=1)
    edit_all(campaign, 1)
    rater = enrol(campaign, RATE)
    assignment = assignment_claim(enrolment=rater)
    assert assignment is not None
    points = {"meaning": 3, "grammar": 1, "style": 2}
    rate(rater, assignment, **{scale.key: points[scale.key] for scale in campaign.rating_scales})

    assert [found for found, _ in rating_fields(freeze(campaign))] == [code]


def test_the_manifest_names_the_scales_and_their_points() -> None:
    manifest = manifest_of(freeze(own_scales()))

    assert manifest["task"] == "single"
    assert [(scale["key"], scale["name"], scale["question"]) for scale in manifest["scales"]] == [
        (CONTENT, "Content", "How much of the content is kept?"),
        (TOGETHER, "Hangs together", "Does it?"),
    ]
    assert manifest["scales"][0]["points"] == [
        "nothing",
        "a part; or less",
        "the main points",
        "nearly ||| everything",
        "everything",
    ]
    points = given_points()
    means = {
        CONTENT: sum(content * n for (content, _), n in points.items()) / points.total(),
        TOGETHER: sum(together * n for (_, together), n in points.items()) / points.total(),
    }
    assert manifest["summary"]["mean_over_ratings"] == pytest.approx(means)


def test_the_complete_file_has_the_points_by_scale() -> None:
    release = freeze(own_scales())

    scores = [
        rating["scores"]
        for source in corpus_of(release)
        for text in source["compressions"]
        for rating in text["ratings"]
    ]
    assert all(list(each) == [CONTENT, TOGETHER] for each in scores)
    assert Counter((each[CONTENT], each[TOGETHER]) for each in scores) == given_points()


def agreement_of(owner: User, release: Release) -> tuple[str, dict[tuple[str, str, str], dict[str, str]]]:
    """The page of a report and its rows, computed as staff do."""
    client = staff_client(owner)
    address = f"/campaigns/{release.campaign.slug}/releases/{release.version}/agreement"
    client.post(f"{address}/reports/")
    page = readable(every_tab(client, f"{address}/"))
    rows = csv.DictReader(io.StringIO(client.get(f"{address}.csv").content.decode()))
    return page, {(row["scale"], row["comparison"], row["measure"]): row for row in rows}


@pytest.mark.django_db(transaction=True)
def test_agreement_is_computed_for_each_scale_and_shown_under_its_name(owner: User) -> None:
    release = freeze(own_scales(owner))

    page, rows = agreement_of(owner, release)

    measures = [(name, measure) for name in COMPARISONS for measure in ("agreement", "kappa")]
    measures += [("all raters", f"Krippendorff's alpha ({level})") for level in LEVELS]
    assert set(rows) >= {(scale, *measure) for scale in (CONTENT, TOGETHER) for measure in measures}
    texts = [text["ratings"] for source in corpus_of(release) for text in source["compressions"]]
    for scale in (CONTENT, TOGETHER):
        row = rows[scale, "worker versus worker", "agreement"]
        # Of two raters it does not matter who is drawn: they agree, or they do not.
        alike = sum(one["scores"][scale] == other["scores"][scale] for one, other in texts)
        assert 0 < alike < len(texts)
        assert float(row["value"]) == pytest.approx(alike / len(texts))
        assert row["items"] == str(len(texts))
        for each in rows.values():
            assert not each["value"] or f"{float(each['value']):.3f}" in page
    heads = re.findall(r'<th scope="colgroup" colspan="2">(.*?)</th>', page)
    assert set(heads) == {"Content", "Hangs together"}
    assert "Grammar" not in page


def test_kappa_counts_all_points_of_a_scale_even_those_that_nobody_gave() -> None:
    crowd, experts = (1, 1, 2, 4, 4), (1, 2, 2, 4, 1)
    sources = [
        ReleasedSource(str(n), "News", "A b.", 1, "", str(n), "train", [text_of(*points)])
        for n, points in enumerate(zip(crowd, experts, strict=True))
    ]

    rows = agreement_report(sources, SCALES, AgreementParameters(draws=9, replications=99), silent).rows

    (kappa,) = [
        row["value"]
        for row in rows
        if (row["scale"], row["comparison"], row["measure"]) == (CONTENT, "expert versus worker", "kappa")
    ]
    wanted = cohen_kappa_score(experts, crowd, labels=[1, 2, 3, 4, 5], weights="quadratic")
    assert kappa == pytest.approx(wanted)


def text_of(crowd: int, expert: int) -> ReleasedText:
    said = [(ReleasedRating("1", {CONTENT: point, TOGETHER: 1}),) for point in (crowd, expert)]
    return ReleasedText("A.", ("1",), said[0], said[1])


def distributions(owner: User, campaign: Campaign) -> dict[str, tuple[str, list[tuple[str, int]]]]:
    """What the dashboard says of each scale: its mean, and how often each point was given."""
    page = readable(staff_client(owner).get(f"/campaigns/{campaign.slug}/"))
    found = {}
    for block in re.findall(r'<div class="distribution">(.*?)</table>', page, re.DOTALL):
        heading = r"<h3>\s*(.*?)\s*<span[^>]*>\s*mean over (?:texts|pairs) .*?, over ratings (.*?)\s*</span>"
        name, mean = re.findall(heading, block, re.DOTALL)[0]
        rows = re.findall(r'<b>(\d)</b>.*?<td class="num muted">(\d+)</td>', block, re.DOTALL)
        found[name] = (mean, [(point, int(count)) for point, count in rows])
    return found


def test_the_dashboard_shows_how_often_each_point_of_each_scale_was_given(owner: User) -> None:
    campaign = own_scales(owner)

    shown = distributions(owner, campaign)

    points = given_points()
    content, together = Counter[int](), Counter[int]()
    for (one, other), count in points.items():
        content[one] += count
        together[other] += count
    assert shown["Content"][1] == [(str(point), content[point]) for point in (5, 4, 3, 2, 1)]
    assert shown["Hangs together"][1] == [(str(point), together[point]) for point in (2, 1)]
    assert shown["Content"][0] == f"{sum(point * count for point, count in content.items()) / points.total():.2f}"
    assert set(shown) == {"Content", "Hangs together"}


def test_the_page_of_a_release_names_the_mean_of_each_scale(owner: User) -> None:
    release = freeze(own_scales(owner))

    page = readable(staff_client(owner).get(f"/campaigns/{release.campaign.slug}/releases/1/"))

    shown = dict(re.findall(r"<dt>mean (.*?)</dt>\s*<dd>\s*(.*?)\s*</dd>", page))
    means, over_ratings = release.summary["mean_over_compressions"], release.summary["mean_over_ratings"]
    assert shown == {
        "content": f"{means[CONTENT]:.2f}",
        "hangs together": f"{means[TOGETHER]:.2f}",
        "content over ratings": f"{over_ratings[CONTENT]:.2f}",
        "hangs together over ratings": f"{over_ratings[TOGETHER]:.2f}",
    }


# Side by side.

QUESTIONS = "Content: Which keeps more?\nStyle: Which reads better?"


def side_by_side(owner: User | None = None, *, editors: int = 3, **people: int) -> Campaign:
    """Texts to be compared on two questions."""
    settings = {"raters_per_compression": 2, "pairs_per_compression": 2, "editor_tasks": 99, "rater_tasks": 99}
    campaign = make_campaign(
        owner=owner,
        sources=3,
        rating_task="pair",
        scales=scales_dump(scales_from_text(QUESTIONS, side_by_side=True)),
        editors_per_source=editors,
        **{**settings, **people},
    )
    edit_all(campaign, editors)
    return campaign


def better(text: str, other: str) -> bool:
    """Whether a text is better: the second editor writes best, and systems worst."""
    order = "2130"
    return order.index(text[-2]) < order.index(other[-2])


def preferences(rater: int, pair: Pair) -> dict[str, int]:
    first_is_better = better(pair.first.text, pair.second.text)
    content = 1 if first_is_better else 3
    differs = rater and int(pair.first.source.source_id) == 3
    return {"content": 2 if differs else content, "style": 4 - content}


def compared(campaign: Campaign, raters: int = 2) -> Campaign:
    for rater in range(raters):
        enrolment = enrol(campaign, RATE)
        while assignment := assignment_claim(enrolment=enrolment):
            rate(enrolment, assignment, **preferences(rater, assignment.item.pair))
    return campaign


def test_what_was_compared_stands_in_the_complete_file_and_rawdata_is_empty() -> None:
    release = freeze(compared(side_by_side()))

    files = {path.name: path.read_bytes() for path in (release_folder(release) / "RawData").iterdir()}
    assert files == dict.fromkeys(("train.tsv", "valid.tsv", "test.tsv"), MARK)
    sources = corpus_of(release)
    assert [source["id"] for source in sources] == ["1", "2", "3"]
    texts = {
        number: set(Target.objects.filter(source__source_id=number).values_list("text", flat=True)) for number in "123"
    }
    for source in sources:
        assert {each["text"] for each in source["compressions"]} == texts[source["id"]]
        assert all(each["ratings"] == [] for each in source["compressions"])
        assert {frozenset((each["first"], each["second"])) for each in source["comparisons"]} == {
            frozenset(pair) for pair in combinations(texts[source["id"]], 2)
        }
        for each in source["comparisons"]:
            content = 1 if better(each["first"], each["second"]) else 3
            scores = [rating["scores"] for rating in each["ratings"]]
            assert scores[0] == {"content": content, "style": 4 - content}
            assert scores[1] == {"content": 2 if source["id"] == "3" else content, "style": 4 - content}


def test_the_manifest_of_comparisons_says_what_was_asked_and_what_the_points_mean() -> None:
    release = freeze(compared(side_by_side()))

    manifest = manifest_of(release)
    assert manifest["task"] == "pair"
    assert [scale["name"] for scale in manifest["scales"]] == ["Content", "Style"]
    for scale in manifest["scales"]:
        assert scale["points"] == ["the first is better", "the same", "the second is better"]
    summary = manifest["summary"]
    assert (summary["comparisons"], summary["ratings"], summary["compressions"]) == (9, 18, 9)


def test_who_prefers_a_text_on_the_page_prefers_it_in_the_release_whichever_side_it_stood_on() -> None:
    campaign = side_by_side()
    client = worker_client(campaign, RATE, "ann")

    sides = Counter[str]()
    while (address := client.get("/work/").headers.get("Location", "")).startswith("/work/rate/"):
        sides[preferred(client, address)] += 1

    assert sides.total() == 9
    assert set(sides) == {"A", "B"}
    for source in corpus_of(freeze(campaign)):
        for each in source["comparisons"]:
            wanted = 1 if better(each["first"], each["second"]) else 3
            assert each["ratings"][0]["scores"] == {"content": wanted, "style": 2}


def preferred(client: Client, address: str) -> str:
    """Say on a page which version is better, and that both read alike; on which side it stood."""
    page, pk = readable(client.get(address)), address.split("/")[-2]
    a, b = re.findall(r'<p class="reading version"[^>]*>(.*?)</p>', page)
    side = "A" if better(a, b) else "B"
    client.post(address, {"tasks": pk, f"content-{pk}": {"A": "1", "B": "3"}[side], f"style-{pk}": "2"})
    return side


@pytest.mark.django_db(transaction=True)
def test_agreement_of_comparisons_is_computed_over_pairs(owner: User) -> None:
    release = freeze(compared(side_by_side(owner)))

    page, rows = agreement_of(owner, release)

    content, style = (rows[scale, "worker versus worker", "agreement"] for scale in ("content", "style"))
    assert (content["items"], style["items"]) == ("9", "9")
    assert float(content["value"]) == pytest.approx(6 / 9)
    assert float(style["value"]) == 1
    assert float(rows["style", "worker versus worker", "kappa"]["value"]) == 1
    assert set(re.findall(r'<th scope="colgroup" colspan="2">(.*?)</th>', page)) == {"Content", "Style"}


def test_the_dashboard_shows_how_often_each_side_was_preferred(owner: User) -> None:
    campaign = compared(side_by_side(owner), raters=1)

    shown = distributions(owner, campaign)

    scores = Counter(Rating.objects.filter(scores__scale="content").values_list("scores__value", flat=True))
    assert scores.total() == 9
    assert shown["Content"][1] == [(str(point), scores[point]) for point in (3, 2, 1)]


def test_outputs_of_systems_are_compared_with_people_s_texts_and_released() -> None:
    campaign = side_by_side(editors=1)
    content = "\n".join(json.dumps({"id": number, "text": f"A system says so, version {number}0."}) for number in "12")
    outputs_import(campaign=campaign, system="t3", file_name="a.jsonl", content=content.encode())

    release = freeze(compared(campaign))

    sources = corpus_of(release)
    assert [(source["id"], len(source["comparisons"]), len(source["outputs"])) for source in sources] == [
        ("1", 1, 1),
        ("2", 1, 1),
    ]
    for source in sources:
        (pair,), (output,) = source["comparisons"], source["outputs"]
        assert pair["second"] == output["text"]
        assert output["ratings"] == []
        assert len(pair["ratings"]) == 2


def test_a_pair_is_left_out_with_an_editor_who_is_left_out_and_with_no_other() -> None:
    campaign = compared(side_by_side())
    worker = campaign.workers.get(external_id="editor-2")
    person_exclude(worker=worker, work_round=EDIT, note="A bot.", user=None)

    for source in corpus_of(freeze(campaign)):
        (pair,) = source["comparisons"]
        assert {pair["first"][-2:], pair["second"][-2:]} == {"1.", "3."}


def test_texts_that_stand_beside_no_other_are_nothing_to_compare_or_release() -> None:
    campaign = side_by_side(editors=1)

    assert rate_all(enrol(campaign, RATE)) == 0
    with pytest.raises(Refused, match="There is nothing to release yet"):
        freeze(campaign)
