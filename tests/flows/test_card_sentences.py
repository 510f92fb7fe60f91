"""Each sentence of a release's card, in small worlds: its claim is computed again from the files and the tables.

A sentence that no entry of CLAIMS knows fails: whoever writes a new one says here how it can be checked.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, TypeAlias

import pytest

from compressions.models import Compression, Source
from corpus.models import Release
from corpus.release_import.reading import release_import, release_read
from corpus.services.outputs import outputs_import
from corpus.tests.support.cards import card_of, section, with_two_versions
from crowd.models import Campaign, Round
from dashboard.simulation.crowd import crowd_simulate
from measures.quality_control.parameters import FilterParameters
from measures.text.normalization import length
from ratings.models import QualificationAttempt, QualityRun, Rating
from ratings.services.experts import expert_sample_draw
from ratings.services.quality import quality_apply
from tests.support.factories import (
    EDIT,
    RATE,
    edit_all,
    enrol,
    freeze,
    golden_campaign,
    judged_campaign,
    make_campaign,
    rate_all,
    rate_next,
    silent,
    submit_text,
)
from tests.support.stored import release_folder

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
Rows: TypeAlias = list[dict[str, Any]]
ONLY_OUTPUTS = {"min_compressions": 0, "min_ratings": 0}


def add_outputs(campaign: Campaign, system: str, texts: dict[str, str], *ratings: tuple[int, str]) -> None:
    """Give a campaign outputs by source, each with these ratings of a file: points in the codes of RawData."""
    lines = [
        "\t".join([source, "News", f"Text. ||| {text}", system, str(len(ratings)), *(f"{p}\t{w}" for p, w in ratings)])
        for source, text in texts.items()
    ]
    content = "\r\n".join(lines).encode()
    outputs_import(campaign=campaign, system=system, file_name="a.tsv", content=content)


def judged() -> Campaign:
    campaign = judged_campaign(sources=3, editors=2, scores=((3, 3), (2, 1)))
    expert_sample_draw(campaign=campaign, size=4, seed=1, experts=2)
    for points in ((1, 2), (3, 1)):
        rate_all(enrol(campaign, Round.EXPERT), *points)
    return campaign


def shared() -> Campaign:
    """Two editors and a system have the same text; two systems have another."""
    campaign = make_campaign(sources=2, editors_per_source=3, raters_per_compression=2, editor_tasks=9, rater_tasks=9)
    for name in ("ann", "ben"):
        for _ in range(2):
            submit_text(enrol(campaign, EDIT, name), "The committee agreed.")
    submit_text(enrol(campaign, EDIT, "cat"), "The bridge is old.")
    add_outputs(campaign, "t3", {"1": "The committee agreed.", "2": "A bridge."})
    add_outputs(campaign, "u4", {"2": "A bridge."})
    for points in ((3, 2), (1, 2)):
        rate_all(enrol(campaign, RATE), *points)
    return campaign


def rated_elsewhere() -> Campaign:
    campaign = judged_campaign(sources=2)
    add_outputs(campaign, "t3", {"1": "A system.", "2": "Another."}, (6, "words"), (24, "words"))
    add_outputs(campaign, "u4", {"1": "A system."}, (7, "words"))
    return campaign


def outputs_alone() -> Campaign:
    campaign = make_campaign(sources=2, raters_per_compression=1, rater_tasks=9)
    add_outputs(campaign, "t3", {"1": "A system.", "2": "Another."})
    rate_all(enrol(campaign, RATE))
    return campaign


def cleaned() -> Campaign:
    campaign = golden_campaign()
    quality_apply(campaign=campaign, parameters=FilterParameters(share=0.5))
    return campaign


def partly_rated() -> Campaign:
    campaign = make_campaign(sources=2, editors_per_source=1, editor_tasks=2)
    edit_all(campaign, 1)
    rate_next(enrol(campaign, RATE))
    return campaign


def simulated() -> Campaign:
    campaign = make_campaign(sources=4, editors_per_source=1, raters_per_compression=2)
    crowd_simulate(campaign=campaign, editors=2, raters=3, seed=1, progress=silent)
    return campaign


def imported(campaign: Campaign, **options: Any) -> Campaign:
    """The campaign that the files of a release of this one make."""
    content = release_read(release_folder(freeze(campaign, **options)))
    return release_import(content=content, slug="copy", name="Copy", owner=None, progress=silent)


WORLDS: dict[str, tuple[Callable[[], Campaign], dict[str, Any]]] = {
    "tiny": (lambda: judged_campaign(sources=1), {}),
    "tied": (lambda: judged_campaign(sources=3, scores=((2, 2), (2, 2))), {}),
    "one rater": (lambda: judged_campaign(sources=2, scores=((3, 2),)), {}),
    "experts": (judged, {}),
    "two versions": (with_two_versions, {}),
    "equal texts": (shared, {}),
    "outputs of files": (rated_elsewhere, {}),
    "partly rated": (partly_rated, {"min_ratings": 0}),
    "outputs alone": (outputs_alone, ONLY_OUTPUTS),
    "cleaned": (cleaned, {}),
    "simulated": (simulated, {}),
    "imported": (lambda: imported(judged()), {}),
    "imported outputs": (lambda: imported(rated_elsewhere()), {}),
}


class World:
    """What the files of a release hold, and what its campaign knows of where that came from."""

    def __init__(self, release: Release) -> None:
        self.release, self.campaign = release, release.campaign
        lines = (release_folder(release) / "corpus.jsonl").read_text(encoding="utf-8").split("\n")
        self.rows: Rows = [json.loads(line) for line in lines if line]

    @cached_property
    def texts(self) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        return [(row, text) for row in self.rows for text in row["compressions"]]

    @cached_property
    def written(self) -> int:
        return sum(len(text["editors"]) for _row, text in self.texts)

    @cached_property
    def outputs(self) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        return [(row, output) for row in self.rows for output in row.get("outputs", [])]

    @cached_property
    def ratings(self) -> list[dict[str, Any]]:
        return [rating for _row, text in self.texts for rating in text["ratings"]]

    @cached_property
    def expert_ratings(self) -> list[dict[str, Any]]:
        return [rating for _row, text in self.texts for rating in text.get("expert_ratings", [])]

    @cached_property
    def apart(self) -> list[dict[str, Any]]:
        """The ratings that outputs have alone: those of a text that several have, once."""
        found = {}
        for row, output in self.outputs:
            own = "crowd" in output.get("rated_apart", [])
            if own or output["text"] not in {text["text"] for text in row["compressions"]}:
                found[row["id"], output["system"] if own else "", output["text"]] = output["ratings"]
        return [rating for ratings in found.values() for rating in ratings]

    @cached_property
    def is_copy(self) -> bool:
        return self.campaign.slug == "copy"

    @cached_property
    def from_files(self) -> int:
        """How many ratings came from files: all of a copy, and else those whose raters nobody knows."""
        given = [*self.ratings, *self.expert_ratings, *self.apart]
        return len(given) if self.is_copy else sum(not rating["rater"] for rating in given)

    @property
    def all_ratings(self) -> int:
        return len(self.ratings) + len(self.expert_ratings) + len(self.apart)

    def people(self, ratings: Rows) -> int:
        return len({rating["rater"] for rating in ratings if rating["rater"]})


def numbers(found: re.Match[str]) -> list[int]:
    return [int(each) for each in found.groups() if each is not None]


# What sentences claim


def human_and_judged(world: World, _found: re.Match[str]) -> None:
    assert world.texts
    assert not world.from_files
    assert world.ratings
    assert not world.is_copy


def some_have_ratings(world: World, _found: re.Match[str]) -> None:
    assert world.texts
    assert world.all_ratings


def no_texts_by_people(world: World, _found: re.Match[str]) -> None:
    assert not world.texts
    assert world.outputs
    assert world.apart


def sizes(world: World, found: re.Match[str]) -> None:
    said = {name: int(each) for name, each in found.groupdict().items() if each is not None}
    unrated = sum(not text["ratings"] for _row, text in world.texts)
    assert said["sources"] == len(world.rows)
    assert said["texts"] == len(world.texts)
    assert said.get("unrated", 0) == unrated
    assert said["ratings"] == len(world.ratings)
    assert said.get("experts", 0) == len(world.expert_ratings)


def made_here(world: World, _found: re.Match[str]) -> None:
    assert Source.objects.filter(campaign=world.campaign).exists()
    assert not world.is_copy


def came_from_files(world: World, found: re.Match[str]) -> None:
    assert world.from_files
    assert (found[1] is not None) == world.is_copy


def outputs_counted(world: World, found: re.Match[str]) -> None:
    systems, outputs, rated = numbers(found)
    assert systems == len({output["system"] for _row, output in world.outputs})
    assert outputs == len(world.outputs)
    assert rated == sum(bool(output["ratings"]) for _row, output in world.outputs)


def apart_counted(world: World, found: re.Match[str]) -> None:
    assert int(found[1]) == len(world.apart)
    brought = len(world.apart) if world.is_copy else sum(not rating["rater"] for rating in world.apart)
    said = {None: 0, "all": len(world.apart)}.get(found[2], found[2])
    assert int(said or 0) == brought


def without_texts(world: World, found: re.Match[str]) -> None:
    bare = [row for row in world.rows if not row["compressions"]]
    outputs = [output for row in bare for output in row.get("outputs", [])]
    distinct = {(row["id"], output["text"]): output for row in bare for output in row.get("outputs", [])}
    assert numbers(found) == [len(bare), len(outputs), sum(len(each["ratings"]) for each in distinct.values())]


def no_references(world: World, _found: re.Match[str]) -> None:
    assert not all(row["compressions"] for row in world.rows)


def means_of_figures(world: World, _found: re.Match[str]) -> None:
    """Both columns of each scale, in the row of all sources."""
    table = next(line for line in card_of(world.release).splitlines() if line.startswith("| all "))
    cells = [cell.strip() for cell in table.strip("|").split("|")]
    scales = [scale.key for scale in world.campaign.rating_scales]
    rated = [text["ratings"] for _row, text in world.texts if text["ratings"]]
    expected = []
    for scale in scales:
        by_text = [[rating["scores"][scale] for rating in ratings] for ratings in rated]
        every = [point for points in by_text for point in points]
        means = [sum(points) / len(points) for points in by_text]
        expected += [sum(means) / len(means), sum(every) / len(every)] if every else [None, None]
    said = cells[-2 * len(scales) :]
    order = [said[place + step * len(scales)] for place in range(len(scales)) for step in range(2)]
    for cell, value in zip(order, expected, strict=True):
        if value is None:
            assert not re.search(r"\d", cell)
        else:
            assert float(cell) == pytest.approx(value, abs=0.0051)


def several_editors(world: World, found: re.Match[str]) -> None:
    assert numbers(found) == [world.written, len(world.texts)]
    assert world.written > len(world.texts)


def within(world: World, percent: int) -> int:
    """How many compressions have at most so much of their source."""
    return sum(
        len(text["editors"]) for row, text in world.texts if length(text["text"]) * 100 <= percent * length(row["text"])
    )


def all_within(world: World, found: re.Match[str]) -> None:
    assert within(world, int(found[1])) == world.written


def limits(world: World, found: re.Match[str]) -> None:
    parts = [
        (int(number), int(percent)) for number, percent in re.findall(r"(\d+) compressions?: at most (\d+)%", found[1])
    ]
    assert sum(number for number, _ in parts) == world.written
    for _number, percent in parts:
        least = sum(number for number, limit in parts if limit <= percent)
        assert within(world, percent) >= least


def unknown_limit(world: World, _found: re.Match[str]) -> None:
    assert world.is_copy


def longest(world: World, found: re.Match[str]) -> None:
    shares = [100 * length(text["text"]) / length(row["text"]) for row, text in world.texts]
    assert int(found[1]) == pytest.approx(max(shares), abs=0.51)


def editors_of_each(world: World, found: re.Match[str]) -> None:
    counts = [sum(len(text["editors"]) for text in row["compressions"]) for row in world.rows if row["compressions"]]
    assert numbers(found) == sorted({min(counts), max(counts)})


def ratings_of_each(world: World, found: re.Match[str]) -> None:
    counts = [len(text["ratings"]) for _row, text in world.texts if text["ratings"]]
    assert numbers(found) == sorted({min(counts), max(counts)})


def ratings_listed(world: World, found: re.Match[str]) -> None:
    counts = Counter(len(text["ratings"]) for _row, text in world.texts if text["ratings"])
    said = {int(number): int(texts) for number, texts in re.findall(r"(\d+) \((\d+) compressions?\)", found[1])}
    assert said == counts


def blind(world: World, found: re.Match[str]) -> None:
    """Nobody rated a text of their own; how many ratings that is known of."""
    own = [
        rating.pk
        for rating in Rating.objects.filter(target__source__campaign=world.campaign, worker__isnull=False)
        if rating.target and rating.target.compressions.filter(worker=rating.worker).exists()
    ]
    assert not own
    if found[1] is None:
        assert not world.from_files
    else:
        assert numbers(found) == [world.all_ratings - world.from_files, world.all_ratings]


def some_from_files(world: World, _found: re.Match[str]) -> None:
    assert world.from_files


def passed(world: World, found: re.Match[str]) -> None:
    known = world.people([*world.ratings, *world.apart])
    had = QualificationAttempt.objects.filter(enrolment__worker__campaign=world.campaign, passed=True)
    assert int(found[2]) == known
    assert int(found[1]) == len(set(had.values_list("enrolment__worker", flat=True)))


def no_rule(world: World, found: re.Match[str]) -> None:
    assert not QualityRun.objects.filter(campaign=world.campaign).exists()
    assert (found[1] is not None) == bool(world.from_files)


def rule(world: World, found: re.Match[str]) -> None:
    run = QualityRun.objects.get(campaign=world.campaign)
    assert (found[1], float(found[2]), int(found[3])) == (
        run.rule,
        run.parameters["share"],
        run.parameters["min_items"],
    )
    assert found[4] == f"{run.created_at:%Y-%m-%d}"


def split_by_seed(world: World, found: re.Match[str]) -> None:
    assert int(found[1]) == world.release.options["seed"]
    of_family: dict[str, set[str]] = {}
    for row in world.rows:
        of_family.setdefault(row.get("paragraph") or row["id"], set()).add(row["split"])
    assert all(len(splits) == 1 for splits in of_family.values())


def splits_given(world: World, _found: re.Match[str]) -> None:
    given = dict(Source.objects.filter(campaign=world.campaign).values_list("source_id", "split"))
    assert {row["id"]: row["split"] for row in world.rows}.items() <= given.items()


def all_by_a_program(world: World, _found: re.Match[str]) -> None:
    given = Rating.objects.filter(target__source__campaign=world.campaign)
    assert set(given.values_list("worker__is_simulated", flat=True)) == {True}
    assert set(
        Compression.objects.filter(source__campaign=world.campaign).values_list("worker__is_simulated", flat=True)
    ) == {True}


CLAIMS: dict[str, Callable[[World, re.Match[str]], None]] = {
    r"Human compressions of sentences and short paragraphs, judged by people\.": human_and_judged,
    r"Compressions of sentences and short paragraphs, with ratings\.": some_have_ratings,
    r"Outputs of automatic systems for sentences and short paragraphs, with ratings\.": no_texts_by_people,
    r"(?P<sources>\d+) sources?, (?P<texts>\d+) compressions?(?: \((?P<unrated>\d+) of them without a rating, as "
    r"references\))?, (?P<ratings>\d+) ratings?(?:, and apart from them (?P<experts>\d+) ratings? by "
    r"experts)?\.": sizes,
    r"(?:Collected|Simulated|Collected and simulated) with Précis\.": made_here,
    r"Imported into Précis( from the files of \S+)?\.": came_from_files,
    r"(\d+) automatic systems?: (\d+) outputs?, of which (\d+) ha(?:s|ve) ratings by the crowd\.": outputs_counted,
    r"(\d+) ratings? of outputs alone (?:is|are) not among those above(?:, and (all|\d+) of these came from "
    r"files)?\.": (apart_counted),
    r"(\d+) sources? ha(?:s|ve) no compression by a person, only (\d+) outputs? of automatic systems with (\d+) "
    r"ratings? by the crowd, which (?:is|are) not among those above\.": without_texts,
    r"(?:It has|They have) no references\.": no_references,
    r"Means are over compressions, each with the mean of its ratings; over ratings, each rating counts once\.": (
        means_of_figures
    ),
    r"A text that several editors wrote counts once for each of them here: (\d+) compressions? instead of (\d+)\.": (
        several_editors
    ),
    r"Each compression has at most (\d+)% of the characters of its source; the program enforced this\.": all_within,
    r"The program limited the characters of a compression, in percent of its source’s: (.*)\.": limits,
    r"How long a compression was allowed to be: as its files state, below\.": unknown_limit,
    r"The longest compression in this release has (\d+)% of the characters of its source\.": longest,
    r"(?:(\d+) to )?(\d+) editors? per source\.": editors_of_each,
    r"(?:(\d+) to )?(\d+) ratings? per compression\.": ratings_of_each,
    r"Ratings per compression: (.*)\.": ratings_listed,
    r"(?:For (\d+) of (\d+) ratings?, t|T)he program showed no rater who had written a text, and gave none a text "
    r"written under their own id(?:, as far as the authors are known)?\.": blind,
    r"Whether the raters (?:of the imported ratings )?(?:knew who had written a text|had passed a test): (?:unknown|as "
    r"its files state, below)\.": some_from_files,
    r"Whether a quality rule was applied before the import: (?:unknown|as its files state, below)\.": some_from_files,
    r"(\d+) of (\d+) raters? had passed a test before their first rating\.": passed,
    r"No quality rule was applied( here)?\.": no_rule,
    r"The quality rule `(\S+)` \(share (\S+), from (\d+) items on\) was applied on (\S+)\.": rule,
    r"Splits by seed (\d+), stratified by genre and number of sentences; a paragraph and its sentences are in one "
    r"split\.": split_by_seed,
    r"The sources are in the splits that the imported files have them in\.": splits_given,
    r"\*\*Simulated\.\*\* A program wrote all compressions and gave all ratings; none of them is by a person\.": (
        all_by_a_program
    ),
}


def sentences(card: str) -> Iterator[str]:
    """What the card says of the release: its head, the line below the figures, and how it was collected."""
    head = card.split("---\n", 2)[2].split("## Figures", maxsplit=1)[0].split("\n", 2)[2]
    figures = section(card, "Figures")
    collected = card.split("## How it was collected\n")[1].split("\n### ", maxsplit=1)[0].split("\n| ", maxsplit=1)[0]
    collected = collected.split("\nThe settings changed on the way")[0]
    yield from (line.removeprefix("- ") for line in collected.splitlines() if line.strip())
    yield from re.findall(r"Means are over [^.]*\.", figures)
    for paragraph in head.split("\n\n"):
        yield from (each for each in re.split(r"(?<=\.) (?=[A-Z\d])", " ".join(paragraph.split())) if each)


@pytest.mark.parametrize("name", WORLDS)
def test_each_sentence_of_a_card_is_true(name: str) -> None:
    made, options = WORLDS[name]
    release = freeze(made(), **options)
    world, said = World(release), list(sentences(card_of(release)))
    assert len(said) > 5
    for sentence in said:
        known = [(claim, found) for words, claim in CLAIMS.items() if (found := re.fullmatch(words, sentence))]
        assert len(known) == 1, sentence
        claim, match = known[0]
        claim(world, match)
