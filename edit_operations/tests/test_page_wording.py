"""The words of the report's page say what was computed, whatever the settings."""

import re

import pytest
from django.contrib.auth.models import User

from common.clock import database_now
from compressions.models import AlignmentCorrection, Target
from compressions.selectors.alignments import alignment_of
from corpus.models import Release
from edit_operations.parameters import OperationsParameters
from edit_operations.tests.releases import computed, file_of, released_with, started, varied
from reports.services import report_compute
from tests.support.factories import freeze, judged_campaign, make_staff, readable, silent, staff_client
from tests.support.reports import every_tab

pytestmark = pytest.mark.django_db(transaction=True)
WIDE = OperationsParameters(draws=50, substitute="paraphrased or inserted")


@pytest.fixture
def owner() -> User:
    return make_staff()


@pytest.fixture
def release(owner: User) -> Release:
    return released_with(varied(), owner=owner)


def address(release: Release) -> str:
    return f"/campaigns/{release.campaign.slug}/releases/{release.version}/operations/"


def page(owner: User, release: Release, **parameters: object) -> str:
    computed(release, OperationsParameters(draws=50, **parameters))  # type: ignore[arg-type]
    return readable(every_tab(staff_client(owner), address(release)))


def earlier(shown: str) -> list[str]:
    """What the list of earlier reports says of each."""
    items = shown.split("<h2>Earlier reports</h2>")[1].split("</ul>", maxsplit=1)[0]
    return [" ".join(words.split()) for words in re.findall(r"</a>: (.*?)</li>", items, re.DOTALL)]


def correct(target: Target, version: int, first: int | None) -> None:
    words = alignment_of(target)
    AlignmentCorrection.objects.create(
        target=target,
        version=version,
        source_words=list(words.source_words),
        words=list(words.target_words),
        places=[first, *[None] * (len(words.target_words) - 1)],
        created_at=database_now(),
    )


def test_a_substitution_is_named_after_what_counts_as_one(owner: User, release: Release) -> None:
    narrow = page(owner, release)
    wide = page(owner, release, substitute="paraphrased or inserted")

    assert "Paraphrase or insert a word" not in narrow
    assert "Paraphrase or insert a word" in wide
    assert "Paraphrase a word" not in wide
    assert "substitute or insert" in file_of("latex", computed(release, WIDE))


def test_captions_say_what_the_means_of_table_5_are_over(owner: User, release: Release) -> None:
    over_sources = page(owner, release)
    over_texts = page(owner, release, means="compressions")

    assert "only sources that have both count" in over_sources
    assert "Means over the sources that have both." in over_sources
    assert "Mean ratings of all compressions with and without the operation." in over_texts
    assert "Means over all compressions." in over_texts
    assert "Means over the sources that have both." not in over_texts
    latex = file_of("latex", computed(release, OperationsParameters(draws=50, means="compressions")))
    assert "means over all compressions" in latex


def test_two_sentences_are_exactly_two(owner: User, release: Release) -> None:
    assert "Compressions of sources that have exactly two sentences" in page(owner, release)


def test_a_percent_sign_is_written_once(owner: User, release: Release) -> None:
    shown = page(owner, release)

    assert "with 95% intervals (bootstrap over sources)" in shown
    assert "%%" not in shown


def test_z_has_no_direction_and_the_page_says_so(owner: User, release: Release) -> None:
    shown = " ".join(page(owner, release).split())

    assert "z is that of the smaller rank sum, so it is never positive" in shown
    tests = [row for row in computed(release).rows or [] if row.get("z") is not None]
    assert tests
    assert all(row["z"] <= 0 for row in tests)


def test_earlier_reports_can_be_told_apart(owner: User, release: Release) -> None:
    lists = ("", "old\telderly\nmen\tblokes\n", "old\taged\n", "old\tancient\n")
    *_others, third, fourth = [started(release, OperationsParameters(), pairs) for pairs in lists]
    report_compute(report=fourth, progress=silent)

    shown = readable(every_tab(staff_client(owner), address(release)))

    assert earlier(shown) == [
        f"1 word pair ({fourth.digest[:8]})",
        f"1 word pair ({third.digest[:8]})",
        "2 word pairs",
        "default settings",
    ]


def test_earlier_reports_tell_of_corrections(owner: User) -> None:
    release = freeze(judged_campaign(sources=1, editors=1, owner=owner))
    computed(release)
    for version, place in ((1, 0), (2, None)):
        correct(Target.objects.get(), version, place)
        computed(release)

    shown = readable(every_tab(staff_client(owner), address(release)))

    assert [words.split("; ")[-1] for words in earlier(shown)] == [
        "2 corrections of alignments",
        "1 correction of an alignment",
        "Bootstrap draws of sources: 50",
    ]


def test_a_wide_substitution_leads_to_all_texts_that_it_counts(owner: User, release: Release) -> None:
    computed(release, WIDE)

    shown = every_tab(staff_client(owner), address(release)).content.decode()

    table = shown.split("Table 5:")[1].split("</table>")[0]
    assert "compression=abstractive" in table
    assert "paraphrased=yes" not in table
