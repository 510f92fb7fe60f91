"""How a release is cut: splits by sizes, shares and seed, and how much a text and a source must have."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command

from common.jobs import job_run
from common.models import Job
from compressions.models import Compression
from compressions.services.imports import source_import
from compressions.services.outputs import Output, outputs_add
from corpus.models import Release
from corpus.release.options import ReleaseOptions
from corpus.release.splits import SplitSlot, draw_splits
from corpus.selectors import release_sources
from crowd.models import Campaign
from crowd.scale_texts import scales_from_text
from crowd.scales import scales_dump
from crowd.services.claims import assignment_claim
from measures.quality_control.parameters import FilterParameters, Roles
from ratings.models import QualityRun
from ratings.services.quality import quality_apply
from tests.support.factories import (
    EDIT,
    RATE,
    RELEASE_FORM,
    SENTENCE,
    edit_all,
    enrol,
    freeze,
    judged_campaign,
    make_campaign,
    rate,
    rate_all,
    rate_next,
    readable,
    staff_client,
    submit_text,
)
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db

Freeze = Callable[..., Any]


def by_command(campaign: Campaign, *options: str) -> None:
    call_command("freeze_release", campaign.slug, *options)


def splits_of(release: Release) -> dict[str, str]:
    return {source.source_id: source.split for source in release_sources(release)}


def of_rows(rows: list[dict[str, str]], *, without: str = "") -> Campaign:
    """All texts compressed and judged, but those that nobody may have."""
    campaign = make_campaign(editors_per_source=1, raters_per_compression=1, editor_tasks=99, rater_tasks=99)
    content = "\n".join(map(json.dumps, rows)).encode()
    source_import(campaign=campaign, file_name="a.jsonl", content=content, strict=True, seed=1)
    campaign.items.filter(round=EDIT, source__source_id__endswith=without or "none").update(open_slots=0)
    edit_all(campaign, 2)
    rate_all(enrol(campaign, RATE))
    return campaign


def sentence(number: int) -> dict[str, str]:
    return {"id": str(number), "genre": "Letters", "text": SENTENCE.format(number=number)}


def family(number: int, genre: str = "Letters") -> list[dict[str, str]]:
    """A paragraph and its two sentences."""
    one, two = SENTENCE.format(number=number), SENTENCE.format(number=number + 1000)
    paragraph = f"{number}p"
    return [
        {"id": paragraph, "genre": genre, "text": f"{one} {two}"},
        {"id": f"{number}a", "genre": genre, "text": one, "paragraph": paragraph},
        {"id": f"{number}b", "genre": genre, "text": two, "paragraph": paragraph},
    ]


# Sizes and shares


@pytest.mark.parametrize(
    ("sizes", "splits"),
    [
        ((2, 3), {"train": 3, "valid": 2, "test": 3}),
        ((0, 1), {"train": 7, "test": 1}),
        ((0, 0), {"train": 8}),
        ((4, 4), {"valid": 4, "test": 4}),
    ],
)
def test_sizes_are_met_exactly_and_train_has_the_rest(
    by_page: Freeze, sizes: tuple[int, int], splits: dict[str, int]
) -> None:
    campaign, (valid, test) = judged_campaign(sources=8), sizes

    by_page(campaign, as_sizes="on", valid=str(valid), test=str(test))
    by_command(campaign, "--sizes", f"valid={valid},test={test}")

    for release in Release.objects.all():
        assert release.summary["splits"] == splits
        assert release.options["sizes"] == {"valid": valid, "test": test}
        for split in ("train", "valid", "test"):
            lines = (release_folder(release) / f"RawData/{split}.tsv").read_text(encoding="utf-8-sig").splitlines()
            assert len(lines) == splits.get(split, 0)
            assert (release_folder(release) / f"parquet/{split}.parquet").is_file()
    one, other = Release.objects.all()
    assert splits_of(one) == splits_of(other)


@pytest.mark.parametrize(
    ("shares", "splits"),
    [
        ({"train": "2", "valid": "1", "test": "1"}, {"train": 4, "valid": 2, "test": 2}),
        ({"train": "0.5", "valid": "0.5", "test": "0"}, {"train": 4, "valid": 4}),
        ({"train": "0", "valid": "0", "test": "7"}, {"test": 8}),
    ],
)
def test_shares_are_proportions(by_page: Freeze, shares: dict[str, str], splits: dict[str, int]) -> None:
    campaign = judged_campaign(sources=8)

    by_page(campaign, **shares)
    by_command(campaign, "--shares", ",".join(f"{split}={share}" for split, share in shares.items()))

    one, other = Release.objects.all()
    assert one.summary["splits"] == other.summary["splits"] == splits
    assert splits_of(one) == splits_of(other)


def test_without_options_the_paper_s_proportions_are_drawn_with_its_year() -> None:
    by_command(judged_campaign(sources=2))

    options = Release.objects.get().options
    assert options["shares"] == {"train": 4936, "valid": 448, "test": 785}
    assert (options["seed"], options["sizes"], options["min_ratings"], options["min_compressions"]) == (
        2016,
        None,
        1,
        1,
    )


# Seeds

TRAIN_AND_VALID = {"1p": "train", "1a": "train", "1b": "train", "2p": "valid", "2a": "valid", "2b": "valid"}
SEED_2016 = TRAIN_AND_VALID | {"3": "train", "4": "valid", "5": "train", "6": "test"}
SEED_7 = TRAIN_AND_VALID | {"3": "valid", "4": "train", "5": "test", "6": "train"}


def test_any_machine_draws_the_same_splits(by_page: Freeze) -> None:
    campaign = of_rows(
        [
            *family(1),
            *family(2, "Newswire"),
            *(
                {"id": str(number), "genre": "Letters", "text": SENTENCE.format(number=number)}
                for number in range(3, 7)
            ),
        ]
    )

    for seed, splits in (("2016", SEED_2016), ("7", SEED_7)):
        by_page(campaign, seed=seed, train="2", valid="1", test="1")
        assert splits_of(Release.objects.latest("version")) == splits
        by_command(campaign, f"--seed={seed}", "--shares=train=2,valid=1,test=1")
        assert splits_of(Release.objects.latest("version")) == splits


@pytest.mark.parametrize("without", ["", "p", "a"])
def test_a_paragraph_and_its_sentences_are_in_one_split_whatever_is_released(without: str, seed: int) -> None:
    campaign = of_rows([row for number in range(1, 7) for row in family(number)], without=without)

    for each in range(seed, seed + 4):
        release = freeze(campaign, seed=each, shares={"train": 1, "valid": 1, "test": 1})
        drawn = splits_of(release)
        assert len(drawn) == (12 if without else 18)
        assert len({(name[:-1], split) for name, split in drawn.items()}) == 6
        assert len(release.summary["splits"]) == 3


EVEN = {"train": 1, "valid": 1, "test": 1}


def test_a_paragraph_gives_its_kind_to_its_sentences_though_they_come_before_it() -> None:
    """As in a release that is imported, whose files may be in any order."""
    families = [
        [SplitSlot(f"{name}{part}", f"{name}p", f"Letters, {2 if part == 'p' else 1}", "") for part in "pab"]
        for name in "stuv"
    ]
    singles = [SplitSlot(str(number), str(number), "Letters, 1", "") for number in range(6)]
    options = ReleaseOptions(seed=1, shares=EVEN)
    first = draw_splits([*singles, *(slot for slots in families for slot in slots)], options)
    last = draw_splits([*singles, *(slot for slots in families for slot in reversed(slots))], options)
    assert first == last


def test_the_first_sentence_gives_its_kind_to_a_paragraph_that_is_not_released() -> None:
    alike = [row for number in range(1, 7) for row in family(number)]
    second_differs = [row | {"genre": "Newswire"} if row["id"] in {"1b", "3b", "5b"} else row for row in alike]

    one, other = (
        splits_of(freeze(of_rows(rows, without="p"), seed=1, shares=EVEN)) for rows in (alike, second_differs)
    )

    assert one == other


# How much a text and a source must have


def partly_judged() -> Campaign:
    """The texts of the first two sources have two ratings each, but for one that has one; the third has none."""
    campaign = make_campaign(sources=2, editors_per_source=2, raters_per_compression=2, gold_percent=0)
    edit_all(campaign, 2)
    for name in ("ann", "ben"):
        rate_all(enrol(campaign, RATE, name))
    lost = campaign.items.filter(round=RATE).first()
    assert lost is not None
    lost.assignments.get(worker__external_id="ben").rating.delete()
    source_import(campaign=campaign, file_name="a.jsonl", content=json.dumps(sentence(3)).encode(), strict=True)
    submit_text(enrol(campaign, EDIT, "cem"), "A text that nobody judges.")
    return campaign


def told(release: Release) -> tuple[set[tuple[int, str]], set[tuple[int, str]]]:
    """What the page and README.md say was left out."""
    client = staff_client(release.campaign.staff.get())
    page = readable(client.get(f"/campaigns/{release.campaign.slug}/releases/{release.version}/"))
    on_page = re.findall(
        r'<td class="num">(\d+)</td>\s*<td>([^<]*)</td>\s*</tr>', page.split("What was left out", 1)[1]
    )
    in_card = re.findall(r"^\| (\d+) \| (.*) \|$", (release_folder(release) / "README.md").read_text(), re.MULTILINE)
    return {(int(number), why) for number, why in on_page}, {(int(number), why) for number, why in in_card}


WITHOUT_RATING = (1, "compressions without a rating that counts")
NO_TEXT = (1, "sources without a compression that stays")


@pytest.mark.parametrize(
    ("least", "sources", "texts", "ratings", "reasons"),
    [
        ((1, 1), 2, 4, 7, {WITHOUT_RATING, NO_TEXT}),
        ((2, 1), 2, 3, 6, {WITHOUT_RATING, NO_TEXT, (1, "compressions with fewer than 2 ratings")}),
        ((1, 2), 2, 4, 7, {WITHOUT_RATING, NO_TEXT}),
        (
            (2, 2),
            1,
            2,
            4,
            {
                WITHOUT_RATING,
                NO_TEXT,
                (1, "compressions with fewer than 2 ratings"),
                (1, "sources with fewer than 2 compressions"),
            },
        ),
    ],
)
def test_what_has_too_little_is_left_out_and_counted(
    by_page: Freeze,
    least: tuple[int, int],
    sources: int,
    texts: int,
    ratings: int,
    reasons: set[tuple[int, str]],
) -> None:
    campaign = partly_judged()

    by_page(campaign, min_ratings=str(least[0]), min_compressions=str(least[1]))
    by_command(campaign, f"--min-ratings={least[0]}", f"--min-compressions={least[1]}")

    for release in Release.objects.all():
        summary = release.summary
        assert (summary["sources"], summary["compressions"], summary["ratings"]) == (sources, texts, ratings)
        released = release_sources(release)
        assert all(len(source.texts) >= least[1] for source in released)
        assert all(len(text.ratings) >= least[0] for source in released for text in source.texts)
        manifest = json.loads((release_folder(release) / "manifest.json").read_bytes())
        assert manifest["summary"]["left_out"] == summary["left_out"]
        assert sorted(n for n in summary["left_out"].values() if n) == sorted(n for n, _ in reasons)
        assert told(release) == (reasons, reasons)


def with_up_to_three_texts() -> Campaign:
    """Sources with no, one, two and three rated texts; a system has an output for each, and that of the first is rated.

    The first source is the only one of its genre.
    """
    campaign = make_campaign(editors_per_source=3, raters_per_compression=1, rater_tasks=99, gold_percent=0)
    rows = [sentence(number) | {"genre": "News" if number == 0 else "Letters"} for number in range(4)]
    content = "\n".join(map(json.dumps, rows)).encode()
    source_import(campaign=campaign, file_name="a.jsonl", content=content, strict=True, seed=1)
    for number in range(4):
        source = campaign.sources.get(source_id=str(number))
        campaign.items.filter(round=EDIT).update(open_slots=0)
        campaign.items.filter(source=source).update(open_slots=number)
        for editor in range(number):
            submit_text(enrol(campaign, EDIT, f"editor-{editor}"), f"Text {editor} of bridge {number}.")
    outputs = [Output(number, str(number), f"A system on bridge {number}.") for number in range(4)]
    outputs_add(campaign=campaign, system="lead", outputs=outputs)
    campaign.items.filter(target__outputs__source__source_id__in="123").update(open_slots=0)
    assert rate_all(enrol(campaign, RATE)) == 7
    return campaign


@pytest.mark.parametrize(
    ("least", "ids", "reasons"),
    [
        (1, ["1", "2", "3"], {}),
        (2, ["2", "3"], {(1, "sources with fewer than 2 compressions")}),
        (3, ["3"], {(2, "sources with fewer than 3 compressions")}),
    ],
)
def test_a_source_counts_by_its_compressions_whatever_systems_made_of_it(
    least: int, ids: list[str], reasons: set[tuple[int, str]]
) -> None:
    release = freeze(with_up_to_three_texts(), min_compressions=least, shares=EVEN)

    summary, texts = release.summary, sum(map(int, ids))
    assert [source.source_id for source in release_sources(release)] == ids
    assert (summary["sources"], summary["compressions"]) == (len(ids), texts)
    assert summary["compressions_per_source"] == texts / len(ids)
    assert sum(summary["splits"].values()) == len(ids)
    assert summary["genres"] == {"Letters": len(ids)}
    assert summary["systems"] == {"lead": len(ids)}
    assert f"| all | {len(ids)} | {texts} |" in (release_folder(release) / "README.md").read_text(encoding="utf-8")
    reasons = {
        *reasons,
        (1, "sources without a compression that stays, though systems have outputs for them"),
        (4 - len(ids), "outputs of systems for these sources"),
    }
    assert told(release) == (reasons, reasons)


def test_side_by_side_a_source_with_pairs_of_outputs_alone_is_left_out() -> None:
    scales = scales_dump(scales_from_text("Overall: Which is better?", side_by_side=True))
    campaign = make_campaign(sources=2, rating_task="pair", scales=scales, editors_per_source=1, rater_tasks=99)
    campaign.items.filter(source__source_id="2").update(open_slots=0)
    edit_all(campaign, 1)
    for system in ("lead", "tail"):
        outputs = [Output(number, str(number), f"{system} on bridge {number}.") for number in (1, 2)]
        outputs_add(campaign=campaign, system=system, outputs=outputs)
    rater = enrol(campaign, RATE)
    while assignment := assignment_claim(enrolment=rater):
        rate(rater, assignment, overall=1)

    release = freeze(campaign)

    assert [source.source_id for source in release_sources(release)] == ["1"]
    (source,) = release_sources(release)
    compared = {text for pair in source.comparisons for text in (pair.first, pair.second)}
    assert {text.text for text in source.texts} <= compared
    assert release.summary["left_out"]["sources_with_outputs_only"] == 1


def test_comparisons_with_too_few_ratings_are_left_out_and_counted() -> None:
    scales = scales_dump(scales_from_text("Overall: Which is better?", side_by_side=True))
    people = {"editors_per_source": 2, "raters_per_compression": 2}
    settings: dict[str, Any] = {"rating_task": "pair", "scales": scales, **people}
    campaign = make_campaign(sources=3, **settings)
    edit_all(campaign, 2)
    for tasks in (3, 1):
        rater = enrol(campaign, RATE)
        for _ in range(tasks):
            assignment = assignment_claim(enrolment=rater)
            assert assignment is not None
            rate(rater, assignment, overall=1)

    release = freeze(campaign, min_ratings=2, sizes={"valid": 1, "test": 0})

    summary = release.summary
    assert (summary["sources"], summary["comparisons"], summary["ratings"]) == (1, 1, 2)
    assert summary["left_out"]["comparisons_with_too_few_ratings"] == 2
    assert summary["splits"] == {"valid": 1}
    for reasons in told(release):
        assert (2, "comparisons with fewer than 2 ratings") in reasons
        assert (2, "sources without a compression that stays") in reasons


def test_the_command_says_that_sources_keep_the_splits_of_an_import(capsys: pytest.CaptureFixture[str]) -> None:
    campaign = judged_campaign(sources=2)
    campaign.sources.update(split="train")

    call_command("freeze_release", campaign.slug, "--sizes", "valid=1,test=1")
    asked = capsys.readouterr().err
    call_command("freeze_release", campaign.slug)

    assert "2 of 2 sources keep the splits that the imported files have them in" in asked
    assert "keep the splits" not in capsys.readouterr().err


def test_the_form_says_what_came_after_the_worker_filter_and_applies_it_again() -> None:
    campaign = judged_campaign(sources=2, editors=2, raters_per_compression=4)
    client, address = staff_client(campaign.staff.get()), f"/campaigns/{campaign.slug}/releases/freeze/"
    assert "worker filter was last applied" not in readable(client.get(address))
    quality_apply(campaign=campaign, parameters=FilterParameters(share=0.25, min_items=1, roles=Roles.RATERS))
    assert "worker filter was last applied" not in readable(client.get(address))

    late = enrol(campaign, RATE, "late")
    assert rate_next(late) is not None
    assert rate_next(late) is not None
    page = readable(client.get(address))
    assert (
        "2 ratings were given after the worker filter was last applied. 1 rater was not part of that run."
        in " ".join(page.split())
    )
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)" />', page))
    assert client.post(f"/campaigns/{campaign.slug}/quality/apply/", fields).status_code == 302
    job_run(job_id=Job.objects.latest("pk").pk)
    assert QualityRun.objects.count() == 2
    run = QualityRun.objects.latest("pk")
    assert (run.parameters["share"], run.parameters["min_items"]) == (0.25, 1)
    assert "worker filter was last applied" not in readable(client.get(address))


@pytest.mark.parametrize("exact", [False, True])
def test_times_of_edits_are_published_coarsely_unless_exact_ones_are_asked_for(exact: bool) -> None:
    campaign = make_campaign(sources=1, raters_per_compression=1)
    text = "The committee agreed."
    compression = submit_text(enrol(campaign, EDIT), text)
    written = [[0, compression.source.text, text, "paste", 1234]]
    log = [written[0], [0, "", "", "leave", 2001], [0, "", "", "return", 3999]]
    Compression.objects.filter(pk=compression.pk).update(edit_log=log)
    rate_all(enrol(campaign, RATE))

    form = {**RELEASE_FORM, **({"exact_times": "on"} if exact else {})}
    address = f"/campaigns/{campaign.slug}/releases/freeze/"
    assert staff_client(campaign.staff.get()).post(address, form).status_code == 302
    job_run(job_id=Job.objects.latest("pk").pk)

    folder = release_folder(Release.objects.get())
    (line,) = (folder / "edit_logs.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["log"] == [[*written[0][:4], 1234 if exact else 1200]]
    said = "by an editor with its time," if exact else "by an editor with its time to a tenth of a second,"
    assert said in (folder / "README.md").read_text(encoding="utf-8")
