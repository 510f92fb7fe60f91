"""What the tables of a report say, against numbers that can be counted by hand."""

from dataclasses import replace

import pytest
import scipy

from compressions.models import AlignmentCorrection, Target
from corpus.release.records import ReleasedRating
from edit_operations.aligned import AlignedSource
from edit_operations.parameters import OperationsParameters
from edit_operations.tests.releases import (
    FEW_DRAWS,
    PARAGRAPH,
    cells,
    computed,
    pairs_of,
    released_with,
    source_of,
    text_of,
    varied,
    varied_ratings,
)
from tests.support.factories import freeze, judged_campaign

pytestmark = pytest.mark.django_db(transaction=True)


def test_shares_of_words_are_counted() -> None:
    # Nine words and a mark: seven and a mark are kept, in a text of eight words; "suddenly" is new.
    found = computed(released_with([source_of(1, text_of("The two old men suddenly went home last night.", 2))]))

    shares = {figure: row["value"] for (_, figure), row in cells(found, "token shares", part="release").items()}

    assert shares["copied"] == pytest.approx(9 / 10)
    assert shares["inserted"] == pytest.approx(1 / 10)
    assert shares["deleted"] == pytest.approx(1 / 10)
    assert shares["inserted, without punctuation"] == pytest.approx(1 / 9)


def test_each_part_has_rows_and_the_whole_is_unnamed() -> None:
    rows = computed(released_with(varied())).rows or []
    parts = {(row["part"], row["group"]) for row in rows if row["table"] == "compression classes"}

    assert parts == {
        ("release", ""),
        *(("genre", name) for name in ("Letters", "News")),
        *(("split", name) for name in ("train", "test")),
        *(("sentences", name) for name in ("1", "2")),
        *(("editor", name) for name in ("7", "8", "9")),
        *(("system", name) for name in ("A", "B")),
    }


def test_classes_of_compressions_and_sentences() -> None:
    report = computed(released_with(varied()))
    classes = {
        figure: row["value"] for (_, figure), row in cells(report, "compression classes", part="release").items()
    }
    sentences = {figure: row["value"] for (_, figure), row in cells(report, "sentences", part="release").items()}

    assert sum(classes.values()) == pytest.approx(1)
    assert classes["deletion and reordering"] == pytest.approx(1 / 10)
    assert sentences == dict.fromkeys(("kept", "merged", "sentence deleted"), pytest.approx(1 / 3))


def test_table_5_compares_texts_of_the_same_source() -> None:
    row = cells(computed(released_with(pairs_of(8))), "table 5")["reorder", "meaning"]

    assert (row["present"], row["absent"], row["difference"], row["sources"]) == (2, 3, -1, 8)
    assert row["p"] < row["p_holm"] or row["p"] == row["p_holm"]
    assert row["rank_biserial"] == -1


def test_table_6_compares_a_paragraph_with_its_own_sentences() -> None:
    sources = [
        source_of("p", text_of("The men went home.", 3, 3), text=PARAGRAPH, sentences=2),
        source_of("p-1", text_of("The men went home.", 2), paragraph="p"),
        source_of("p-2", text_of("Their dog stayed.", 1), text="Their dog stayed at the door.", paragraph="p"),
    ]
    plain = cells(computed(released_with(sources)), "table 6")["", "meaning"]
    weighed = OperationsParameters(draws=50, apart="by length")
    by_length = cells(computed(released_with(sources), weighed), "table 6")["", "meaning"]

    assert (plain["joint"], plain["apart"], plain["sources"]) == (3, 1.5, 1)
    assert by_length["apart"] == pytest.approx((2 * 42 + 1 * 29) / 71)


def test_ratings_of_experts_are_never_mixed_in() -> None:
    with_experts = released_with([source_of(1, text_of("The men went home.", 3, experts=(1, 1, 1)))])
    part = computed(with_experts).parts.get()

    (source,) = map(AlignedSource.of, part.content or [])

    assert source.texts[0].quality == {"meaning": 3, "grammar": 3}
    assert source.texts[0].ratings == 1


def test_systems_stand_beside_people_on_the_same_sources() -> None:
    sources = [
        source_of(1, text_of("The two old men went home.", 3), outputs={"A": "The two men suddenly went home."}),
        source_of(2, text_of("Late last night the men went home suddenly.", 3)),
    ]
    row = cells(computed(released_with(sources)), "systems")["A", "inserted"]

    assert (row["value"], row["sources"]) == (pytest.approx(1 / 7), 1)


def test_the_substitute_may_be_read_more_widely() -> None:
    sources = [source_of(1, text_of("The men suddenly went home.", 2), text_of("The men went home.", 3))]
    wide = OperationsParameters(draws=50, substitute="paraphrased or inserted")

    narrow = cells(computed(released_with(sources)), "table 5")["substitute", "meaning"]
    found = cells(computed(released_with(sources), wide), "table 5")["substitute", "meaning"]

    assert narrow["reason"]
    assert (found["present"], found["absent"]) == (2, 3)


def test_costs_are_those_of_a_model_with_sources_and_editors() -> None:
    rows = cells(computed(released_with(varied_ratings())), "costs")

    assert rows["reorder", "meaning"]["value"] is not None
    assert rows["merge", "meaning"]["reason"] == "all of the rated texts are alike in this"
    assert {group for group, _ in rows} >= {"intercept", "rate", "source", "editor", "residual"}
    reorder = rows["reorder", "meaning"]
    assert reorder["method"] == "Kenward-Roger"
    assert 1 < reorder["df"] < 48
    assert reorder["t"] == pytest.approx(reorder["value"] / reorder["standard_error"])
    assert reorder["low"] < reorder["value"] < reorder["high"]
    together = rows["operations together", "meaning"]
    assert together["numerator_df"] == 2
    assert 0 < together["p"] < 1


def test_with_few_sources_there_is_an_estimate_but_no_interval_and_no_p() -> None:
    report = computed(released_with(varied_ratings()[:5]))
    cost, ordered = (cells(report, table)["reorder", "meaning"] for table in ("costs", "ordered ratings"))

    for row, least in ((cost, 6), (ordered, 12)):
        assert row["value"] is not None
        assert (row["low"], row["high"], row["p"]) == (None, None, None)
        assert row["no_interval"] == f"5 sources, at least {least} are needed for a test and an interval"


def test_ratings_as_categories_are_modelled_with_sources_texts_and_raters() -> None:
    rows = cells(computed(released_with(varied_ratings())), "ordered ratings")

    reorder = rows["reorder", "meaning"]
    assert (reorder["sources"], reorder["n"], reorder["raters"], reorder["ratings"]) == (12, 48, 3, 144)
    assert reorder["low"] < reorder["value"] < reorder["high"]
    assert reorder["z"] == pytest.approx(reorder["value"] / reorder["standard_error"])
    assert reorder["df"] == 12 - 1 - 3  # sources, less one and the terms that vary
    t = scipy.stats.t(reorder["df"])
    assert reorder["p"] == pytest.approx(2 * t.sf(abs(reorder["z"])))
    assert reorder["high"] == pytest.approx(reorder["value"] + t.ppf(0.975) * reorder["standard_error"])
    assert rows["merge", "meaning"]["reason"] == "all of the rated texts are alike in this"
    assert {group for group, _ in rows} >= {"rate", "text deviation", "source deviation", "rater deviation"}


def test_ratings_by_nobody_known_have_no_model_of_categories() -> None:
    source = source_of(1, text_of("The men went home.", 2), text_of("Two men left.", 3))
    nameless = [replace(text, ratings=(ReleasedRating("", {"meaning": 2}),)) for text in source.texts]
    rows = cells(computed(released_with([replace(source, texts=nameless)])), "ordered ratings")

    assert rows["reorder", "meaning"]["reason"] == "no ratings by known raters"


def test_corrected_alignments_win_and_the_aligner_is_scored_by_them() -> None:
    release = freeze(judged_campaign(sources=2, editors=2))
    first = computed(release)
    (source, *_) = map(AlignedSource.of, first.parts.get().content or [])
    text = source.texts[0]
    target = Target.objects.get(source__source_id=source.source_id, text=text.text)
    AlignmentCorrection.objects.create(
        target=target,
        version=1,
        source_words=list(source.words),
        words=list(text.words),
        places=[None] * len(text.words),
        created_at=release.created_at,
    )

    second = computed(release)
    (again, *_) = map(AlignedSource.of, second.parts.get().content or [])

    assert second.pk != first.pk
    assert set(again.texts[0].places) == {None}
    assert again.texts[0].aligner_places == text.places
    assert cells(second, "aligner")["", "corrections"]["value"] == 1
    assert cells(second, "aligner")["", "recall"]["value"] is not None
    assert cells(first, "aligner")["", "f1"]["reason"]


def test_a_correction_of_other_words_does_not_count() -> None:
    release = freeze(judged_campaign(sources=1, editors=1))
    target = Target.objects.get()
    AlignmentCorrection.objects.create(
        target=target, version=1, source_words=["a"], words=["a"], places=[0], created_at=release.created_at
    )

    assert cells(computed(release), "aligner")["", "corrections"]["value"] == 0


def test_the_order_of_edits_is_known_where_there_are_logs() -> None:
    with_logs = computed(freeze(judged_campaign(sources=2, editors=2)))
    without = computed(released_with(varied()))

    deleted = cells(with_logs, "order")["deleted", "place in the log"]
    assert deleted["n"] > 0
    assert 0 < deleted["p10"] <= deleted["p50"] <= deleted["p90"] <= 1
    assert cells(without, "order")["deleted", "place in the log"]["reason"]


def test_the_same_report_has_the_same_rows_twice() -> None:
    assert computed(released_with(varied())).rows == computed(released_with(varied()), FEW_DRAWS).rows
