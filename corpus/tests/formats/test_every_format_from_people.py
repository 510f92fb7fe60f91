"""What people import, write and judge comes back from every file of a release as the database has it."""

import json
from typing import Any

import pytest

from compressions.models import Compression, Pair, Source, Start, Target
from compressions.selectors.sources import source_of_assignment
from compressions.services.imports import source_import
from compressions.services.submission import Submission, compression_submit
from corpus.models import Release
from corpus.release.records import (
    Ratings,
    ReleasedComparison,
    ReleasedOutput,
    ReleasedRating,
    ReleasedSource,
    ReleasedText,
    WrittenText,
)
from corpus.services.outputs import Taken, outputs_import
from corpus.tests.support.expected_files import Corpus, assert_all_come_back
from corpus.tests.support.independent_readers import SPLITS, points_of_code, read_rawdata
from crowd.models import Campaign, Round
from crowd.scale_texts import scales_from_text
from crowd.scales import scales_dump
from crowd.services.claims import assignment_claim
from ratings.models import RaterPool, Rating
from ratings.services.experts import expert_sample_draw
from tests.support.factories import EDIT, RATE, SENTENCE, enrol, freeze, make_campaign, rate, rate_all, rate_each
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db

EVEN = {"train": 1, "valid": 1, "test": 1}
SYSTEM = 'my "best" =system'
NASTY = (
    "a\tb\r\nc\vd",
    "bars ||| and ||||",
    '" and = + - @',
    "\ufeffmarked\ufeff",
    "👩\u200d👩\u200d👧 👍🏽 🇩🇪",
    "שלום \u202eهذا\u202c \u2067مرحبا\u2069",
    "Cafe\u0301 \u0301",
    "\u2028lines\u2029 \u2028",
    "=SUM(A1)  two  spaces",
    "\\n \\t {} [] nan null",
)


def imported(campaign: Campaign) -> None:
    rows = [
        {"id": f"s.{number}", "genre": f"{text} {number}", "text": f"{text} {SENTENCE.format(number=number)} {text}"}
        for number, text in enumerate(NASTY)
    ]
    content = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()
    report = source_import(campaign=campaign, file_name="texts.jsonl", content=content, strict=True, seed=1)
    assert report.added == len(NASTY)


def typable(text: str) -> str:
    """What a box in a browser can hold and the rule does not refuse."""
    return text.replace("\v", " ")


def edited(campaign: Campaign) -> None:
    """The first editor begins every text with something nasty, the second ends it so; of one they make the same."""
    for name in ("ann", "ben"):
        editor = enrol(campaign, EDIT, name)
        while assignment := assignment_claim(enrolment=editor):
            source = source_of_assignment(assignment)
            nasty = typable(NASTY[int(source.source_id.removeprefix("s."))])
            text = f"{nasty} agreed." if name == "ann" or source.source_id == "s.4" else f"They agreed: {nasty}"
            log = [[0, "", "Something else", "typing", 700], [0, "Something else", text, "paste", 9000]]
            submission = Submission(text, log, Start.EMPTY)
            compression_submit(enrolment=editor, assignment_id=assignment.pk, source=source, submission=submission)


def judged(campaign: Campaign) -> None:
    rate_each(enrol(campaign, RATE, "cleo"), lambda target: (1 + len(target.text) % 3, 1 + len(target.text) // 3 % 3))
    rate_each(enrol(campaign, RATE, "dan"), lambda target: (3 - len(target.text) % 2, 1))


AS_IS = Taken(as_is=True)


def outputs_given(campaign: Campaign) -> None:
    rows = [{"id": f"s.{number}", "text": f"Output: {typable(text)}"} for number, text in enumerate(NASTY)]
    content = "\n".join(map(json.dumps, rows)).encode()
    report = outputs_import(campaign=campaign, system=SYSTEM, file_name="outputs.jsonl", content=content, taken=AS_IS)
    assert report.problems == []


def content_of(campaign: Campaign, release: Release) -> Corpus:
    """The whole corpus as its tables have it, asked for source by source."""
    splits = json.loads((release_folder(release) / "manifest.json").read_text(encoding="utf-8"))["splits"]
    return [
        (
            released_source(source, splits.get(source.source_id, "")),
            [written_text(each) for each in written_for(source)],
        )
        for source in Source.objects.filter(campaign=campaign).order_by("pk")
    ]


def written_for(source: Source) -> list[Compression]:
    return list(source.compressions.select_related("worker", "target").order_by("pk"))


def written_text(each: Compression) -> WrittenText:
    return WrittenText(str(each.worker.number), each.target.text, each.started_from, each.edit_log)


def released_source(source: Source, split: str) -> ReleasedSource:
    by_people = source.targets.filter(compressions__isnull=False).distinct().order_by("pk")
    outputs = source.outputs.select_related("system", "target").order_by("system__name")
    pairs = Pair.objects.filter(first__source=source).select_related("first", "second").order_by("pk")
    return ReleasedSource(
        source_id=source.source_id,
        genre=source.genre,
        text=source.text,
        sentences=source.sentences,
        paragraph_id="",
        family=source.source_id,
        split=split,
        texts=[ReleasedText(each.text, editors_of(each), *both_ratings(target=each)) for each in by_people],
        outputs=[
            ReleasedOutput(each.system.name, each.target.text, *both_ratings(target=each.target)) for each in outputs
        ],
        comparisons=[ReleasedComparison(each.first.text, each.second.text, *both_ratings(pair=each)) for each in pairs],
    )


def editors_of(target: Target) -> tuple[str, ...]:
    return tuple(str(each.worker.number) for each in target.compressions.order_by("pk"))


def both_ratings(**subject: Any) -> tuple[Ratings, Ratings]:
    def of(judges: str) -> Ratings:
        ratings = Rating.objects.filter(rater_pool=judges, **subject).order_by("pk")
        return tuple(
            ReleasedRating(
                str(each.worker.number), dict(each.scores.values_list("scale", "value")), each.created_at.date()
            )
            for each in ratings
            if each.worker and each.created_at
        )

    return of(RaterPool.CROWD), of(RaterPool.EXPERTS)


PEOPLE: dict[str, Any] = {"editors_per_source": 2, "raters_per_compression": 2, "editor_tasks": 99, "rater_tasks": 99}


def test_nasty_texts_come_back_from_every_file_as_the_database_has_them() -> None:
    campaign = make_campaign(**PEOPLE, gold_percent=0)
    imported(campaign)
    edited(campaign)
    outputs_given(campaign)
    judged(campaign)
    expert_sample_draw(campaign=campaign, size=9, seed=1, experts=1)
    rate_all(enrol(campaign, Round.EXPERT, "eve"), 2, 1)

    release = freeze(campaign, shares=EVEN)

    corpus = content_of(campaign, release)
    assert_all_come_back(release_folder(release), corpus, campaign.rating_scales)
    assert {source.split for source, _ in corpus} == set(SPLITS)
    assert sum(len(source.texts) for source, _ in corpus) == 2 * len(NASTY) - 1
    assert sum(len(each.ratings) for source, _ in corpus for each in source.subjects) == 2 * (3 * len(NASTY) - 1)
    assert sum(len(each.expert_ratings) for source, _ in corpus for each in source.subjects) == 9
    files = [path for path in (release_folder(release) / "RawData").iterdir() if path.stem in SPLITS]
    codes = [rating for path in files for line in read_rawdata(path) for text in line.texts for rating in text.ratings]
    assert len({points_of_code(code) for code in codes}) > 3


QUESTIONS = "Content |||: Which keeps = more?\nStyle: Which reads better?"


def test_comparisons_on_scales_of_one_s_own_come_back_as_the_database_has_them() -> None:
    scales = scales_dump(scales_from_text(QUESTIONS, side_by_side=True))
    campaign = make_campaign(rating_task="pair", scales=scales, pairs_per_compression=2, **PEOPLE)
    imported(campaign)
    edited(campaign)
    rater = enrol(campaign, RATE)
    while assignment := assignment_claim(enrolment=rater):
        rate(rater, assignment, content=1, style=3)

    release = freeze(campaign, shares=EVEN)

    corpus = [(source, written) for source, written in content_of(campaign, release) if source.comparisons]
    assert_all_come_back(release_folder(release), corpus, campaign.rating_scales)
    assert len(corpus) == len(NASTY) - 1
