"""Releases of sources for which systems have rated outputs and no person wrote a text."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command

from common.errors import Refused
from compressions.services.outputs import Output, outputs_add
from corpus.models import Release
from corpus.page_words import left_out_words
from corpus.release_import.reading import release_import, release_read
from corpus.selectors import release_sources
from corpus.services.outputs import outputs_import
from corpus.statistics.counts import left_out_reasons
from corpus.tests.formats.test_every_format_from_people import content_of
from corpus.tests.support.expected_files import assert_all_come_back
from crowd.models import Campaign, Round
from crowd.scale_texts import scales_from_text
from crowd.scales import scales_dump
from crowd.services.claims import assignment_claim
from ratings.services.experts import expert_sample_draw
from tests.support.factories import (
    EDIT,
    RATE,
    enrol,
    freeze,
    make_campaign,
    rate,
    rate_all,
    rate_next,
    readable,
    silent,
    staff_client,
    submit_text,
)
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db

EVEN = {"train": 1, "valid": 1, "test": 1}
SCALES = "Overall: Which is better?"


def with_outputs(sources: int = 6, **settings: Any) -> Campaign:
    """Two systems with an output for each source; one output is the same of both."""
    people: dict[str, Any] = {
        "raters_per_compression": 2,
        "rater_tasks": 99,
        "gold_percent": 0,
        "editors_per_source": 1,
    }
    campaign = make_campaign(sources=sources, **people, **settings)
    outputs = [
        Output(number, str(number), f"Bridge {number} by {name if number > 1 else 'both'}.", name)
        for number in range(1, sources + 1)
        for name in ("lead", "tail")
    ]
    outputs_add(campaign=campaign, outputs=outputs)
    return campaign


def rated_by_the_crowd() -> Campaign:
    campaign = with_outputs()
    for points in ((3, 2), (1, 3)):
        assert rate_all(enrol(campaign, RATE), *points) == 11
    return campaign


def with_ratings_of_unknown_people() -> Campaign:
    campaign = make_campaign(sources=3)
    content = "\n".join(f"{n}\tL\tText. ||| It met {n}.\tt3\t2\t6\twords\t24\twords" for n in (1, 2, 3)).encode()
    outputs_import(campaign=campaign, system="t3", file_name="a.tsv", content=content)
    return campaign


def with_one_text() -> Campaign:
    campaign = with_outputs()
    submit_text(enrol(campaign, EDIT), "Someone wrote this.")
    assert rate_all(enrol(campaign, RATE)) == 12
    return campaign


def with_pairs() -> Campaign:
    scales = scales_dump(scales_from_text(SCALES, side_by_side=True))
    campaign = with_outputs(3, rating_task="pair", scales=scales)
    rater = enrol(campaign, RATE)
    while assignment := assignment_claim(enrolment=rater):
        rate(rater, assignment, overall=1)
    return campaign


CAMPAIGNS: list[Callable[[], Campaign]] = [
    rated_by_the_crowd,
    with_ratings_of_unknown_people,
    with_one_text,
    with_pairs,
]


def outputs_only(campaign: Campaign, **options: Any) -> Release:
    return freeze(campaign, min_compressions=0, shares=EVEN, **options)


def read(release: Release, name: str) -> str:
    return (release_folder(release) / name).read_text(encoding="utf-8-sig")


def test_by_default_they_stay_out() -> None:
    with pytest.raises(Refused, match="With a minimum of 0 compressions per source, sources with rated outputs are"):
        freeze(rated_by_the_crowd())


def test_the_command_keeps_them_if_no_text_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    campaign = rated_by_the_crowd()

    call_command("freeze_release", campaign.slug, "--min-compressions=0")

    release = Release.objects.get()
    assert [source.source_id for source in release_sources(release)] == list("123456")
    assert release.options["min_compressions"] == 0


def test_the_form_explains_0_and_takes_it(django_capture_on_commit_callbacks: Any) -> None:
    campaign = rated_by_the_crowd()
    client = staff_client(campaign.staff.get())
    address = f"/campaigns/{campaign.slug}/releases/freeze/"
    assert "sources without a compression by an editor are kept, too" in readable(client.get(address))

    fields = {**EVEN, "seed": 1, "min_ratings": 1, "min_compressions": 0}
    with django_capture_on_commit_callbacks(execute=True):
        reply = client.post(address, fields)

    page = readable(client.get(reply["Location"]))
    assert "sources with rated outputs only, without a reference" in page
    assert Release.objects.get().summary["sources"] == 6


@pytest.mark.parametrize("made", CAMPAIGNS)
def test_every_format_has_them_as_the_database_does(made: Callable[[], Campaign]) -> None:
    campaign = made()

    release = outputs_only(campaign)

    corpus = [(source, written) for source, written in content_of(campaign, release) if source.split]
    assert len(corpus) == len(release_sources(release)) > 1
    if made is not with_ratings_of_unknown_people:  # the helper leaves out ratings of nobody
        assert_all_come_back(release_folder(release), corpus, campaign.rating_scales)


@pytest.mark.parametrize("made", CAMPAIGNS)
def test_an_import_gives_the_same_bytes_again(made: Callable[[], Campaign]) -> None:
    release = outputs_only(made())
    content = release_read(release_folder(release))
    assert content.problems == []

    again = outputs_only(
        release_import(content=content, slug="again", name="Again", owner=None, progress=silent), seed=99
    )

    names = {"corpus.jsonl", *(file.name for file in release.files.all() if file.name.startswith("RawData/"))}
    assert {name for name in names if name.endswith("_output.lead.tsv")} or made is not rated_by_the_crowd
    for name in names:
        assert (release_folder(again) / name).read_bytes() == (release_folder(release) / name).read_bytes()
    unknown = {"left_out": None, "before_cleaning": None, "edit_logs": 0}
    assert again.summary | unknown == release.summary | unknown


def test_figures_and_card_count_them_apart() -> None:
    release = outputs_only(rated_by_the_crowd())

    summary, card = release.summary, read(release, "README.md")

    assert (summary["sources"], summary["compressions"], summary["ratings"]) == (6, 0, 0)
    assert summary["compressions_per_source"] == 0
    assert set(summary["mean_over_ratings"].values()) == {None}
    assert summary["rated_outputs"] == {"lead": 6, "tail": 6}
    assert summary["outputs_only"] == {"sources": 6, "outputs": 12, "ratings": 22}
    assert "Outputs of automatic systems for sentences and short paragraphs, with ratings." in card
    assert "6 sources have no compression by a person, only 12 outputs of automatic systems with 22 ratings" in card
    assert "are empty: there are no texts by editors." in card
    assert "editor per source" not in card
    assert "nothing is known of how" not in card
    croissant = json.loads(read(release, "croissant.json"))
    assert croissant["description"].endswith(
        "Outputs of automatic systems for sentences and short paragraphs, with ratings."
    )


def test_a_release_with_texts_everywhere_says_nothing_of_them() -> None:
    campaign = with_outputs(1)
    submit_text(enrol(campaign, EDIT), "Someone wrote this.")
    rate_all(enrol(campaign, RATE))

    release = outputs_only(campaign)

    assert "outputs_only" not in release.summary
    assert "no compression by a person" not in read(release, "README.md")


def test_a_source_without_a_rated_output_stays_out_and_is_counted() -> None:
    campaign = with_outputs(3)
    rate_next(enrol(campaign, RATE))

    release = outputs_only(campaign)

    assert len(release_sources(release)) == 1
    reason = "sources without a compression that stays, whose outputs of systems have too few ratings"
    assert (2, reason) in left_out_reasons(release, release.summary)
    assert (2, reason) in left_out_words(release)


def test_rated_outputs_want_the_minimum_of_ratings() -> None:
    campaign = with_outputs(2)
    rate_all(enrol(campaign, RATE))
    rate_next(enrol(campaign, RATE))

    release = outputs_only(campaign, min_ratings=2)

    assert len(release_sources(release)) == 1
    with pytest.raises(Refused, match=r"compressions \(0\) and of ratings per compression \(3\)|no source has a rated"):
        outputs_only(campaign, min_ratings=3)


def test_ratings_by_experts_alone_are_enough() -> None:
    campaign = with_outputs(2)
    rate_all(enrol(campaign, RATE))
    expert_sample_draw(campaign=campaign, size=3, seed=1, experts=1)
    rate_all(enrol(campaign, Round.EXPERT))

    release = outputs_only(campaign, min_ratings=3)

    assert release.summary["expert_ratings"] > 0
    assert release.summary["outputs_only"]["sources"] == len(release_sources(release)) > 0


def test_nothing_rated_is_refused() -> None:
    with pytest.raises(Refused, match="nothing to release yet"):
        outputs_only(with_outputs())
