"""Scores to download."""

import shutil

import pytest
from django.test import Client

from corpus.formats.jsonl import CORPUS_FILE
from corpus.models import Release
from scoring.settings import ScoreSettings
from scoring.tests.releases import (
    FEW,
    NAME,
    NASTY,
    OTHER,
    TABLE,
    address,
    body,
    computed,
    long_file,
    of_texts,
    page_of,
    plainly,
    plainly_jackknifed,
    released_with,
    rows_of,
    scores_in,
    varied,
)
from tests.support.factories import readable
from tests.support.reports import tables_of
from tests.support.stored import release_folder, run_folder

pytestmark = pytest.mark.django_db(transaction=True)

Monkey = pytest.MonkeyPatch


def test_both_downloads_are_the_scores(release: Release) -> None:
    computed(release)

    tsv, parquet = rows_of(release, "tsv"), rows_of(release, "parquet")

    assert scores_in(tsv) == scores_in(parquet) == plainly(varied())
    assert [{**row, "weight": int(row["weight"]), "score": float(row["score"])} for row in tsv] == parquet
    jackknifed = scores_in(tsv, jackknifed=True)
    assert jackknifed == scores_in(parquet, jackknifed=True)
    assert jackknifed.keys() == plainly_jackknifed(varied()).keys()
    for key, row in plainly_jackknifed(varied()).items():
        assert jackknifed[key] == pytest.approx(row)
    assert list(tsv[0]) == ["source", "split", "system", "text", "ground", "weight", "metric", "signature", "score"]


def test_downloads_hold_texts_as_they_are() -> None:
    texts = ["a\tb", 'say "so"', "two\nlines", "car\r\nriage", "é😀", " spaces ", NASTY, "\\N", "'"]
    release = released_with([of_texts("s\t1", texts, {"A": "a\tb\n"})])
    computed(release, FEW)

    for ending in ("tsv", "parquet"):
        found = {(row["source"], row["text"]) for row in rows_of(release, ending)}
        assert found == {("s\t1", text) for text in (*texts, "a\tb\n")}


def test_formulas_are_harmless_in_the_table_and_as_they_are_for_programs() -> None:
    release = released_with([of_texts("=1", ["=1+1", " ＋1", "'=1"], {"@A": "-1"})])
    computed(release, FEW)

    found = {
        ending: {(row["source"], row["system"], row["text"]) for row in rows_of(release, ending)}
        for ending in ("tsv", "parquet")
    }
    assert found["parquet"] == {("=1", "", "=1+1"), ("=1", "", " ＋1"), ("=1", "", "'=1"), ("=1", "@A", "-1")}
    assert found["tsv"] == {("'=1", "", "'=1+1"), ("'=1", "", "' ＋1"), ("'=1", "", "''=1"), ("'=1", "'@A", "'-1")}


def test_downloads_are_files_with_the_name_of_the_release(client: Client, release: Release) -> None:
    run = computed(release, FEW)

    for ending in ("tsv", "parquet"):
        reply = client.get(f"{address(release)}.{ending}")
        body(reply)
        assert reply["Content-Disposition"] == f'attachment; filename="{release.name}-scores-{run.pk}.{ending}"'


def test_a_download_is_of_the_run_that_is_named(release: Release) -> None:
    first = computed(release, FEW)
    computed(release, ScoreSettings(metrics=(NAME,)))

    for ending in ("tsv", "parquet"):
        assert {row["metric"] for row in rows_of(release, ending)} == {NAME}
        assert {row["metric"] for row in rows_of(release, ending, run=first.pk)} == {NAME, OTHER}


def test_the_buttons_lead_to_the_run_that_is_shown(release: Release) -> None:
    first = computed(release, FEW)
    computed(release, ScoreSettings(metrics=(NAME,)))

    page = readable(page_of(release, run=first.pk))

    for ending in ("tsv", "parquet"):
        assert f'href="{address(release)}.{ending}?run={first.pk}"' in page


def test_scores_that_are_not_computed_cannot_be_downloaded(
    client: Client, release: Release, monkeypatch: Monkey
) -> None:
    monkeypatch.setattr("common.jobs._announce", lambda _: None)
    for _ in range(2):
        for ending in ("tsv", "parquet"):
            assert client.get(f"{address(release)}.{ending}").status_code == 404
        client.post(f"{address(release)}/runs/")


def test_downloads_whose_file_is_gone_are_not_found(client: Client, release: Release) -> None:
    long_file(computed(release, FEW)).unlink()

    for ending in ("tsv", "parquet"):
        assert client.get(f"{address(release)}.{ending}").status_code == 404


def test_means_are_shown_where_the_files_of_the_scores_are_gone(client: Client, release: Release) -> None:
    shutil.rmtree(run_folder(computed(release, FEW)))

    page = page_of(release)

    assert page.status_code == 200
    assert len(tables_of(page.content.decode())[TABLE]) == 3


def test_means_are_shown_where_the_file_of_the_release_is_gone(client: Client, release: Release) -> None:
    computed(release, FEW)
    (release_folder(release) / CORPUS_FILE).unlink()

    page = page_of(release)

    assert page.status_code == 200
    assert len(tables_of(page.content.decode())[TABLE]) == 3
