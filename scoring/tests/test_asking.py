"""Asking for scores on the page: who may, with which settings, and what is seen until they are there."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from pytest_django.fixtures import Settings

from common.clock import database_now
from common.extras import PARQUET
from common.jobs import job_run
from common.models import Job
from corpus.formats.jsonl import CORPUS_FILE
from corpus.models import Release
from measures.metrics import METRICS, Options, Tokenizer
from measures.metrics.tests.test_command import Pipeline
from measures.metrics.words import preprocessing
from measures.text import spacy_models
from scoring.models import ScorePart, ScoreRun
from scoring.selectors import metric_lines, section_of
from scoring.services.runs import scores_compute, scores_request
from scoring.settings import ScoreSettings
from scoring.tests.releases import (
    FEW,
    NAME,
    TABLE,
    WITHOUT_PARSER,
    Watched,
    address,
    body,
    computed,
    of_texts,
    page_of,
    plainly,
    released_with,
    started,
    stored,
    summary_of,
    varied,
)
from tests.support.factories import freeze, judged_campaign, make_staff, readable, silent, staff_client
from tests.support.lacking import WITHOUT_PARQUET, lacks
from tests.support.reports import tables_of
from tests.support.stored import release_folder

pytestmark = pytest.mark.django_db(transaction=True)

Monkey = pytest.MonkeyPatch


# Asked.


def test_the_page_of_the_release_leads_to_its_scores(owner: User) -> None:
    release = freeze(judged_campaign(owner=owner))

    page = readable(staff_client(owner).get(f"/campaigns/{release.campaign.slug}/releases/{release.version}/"))

    assert f'href="{address(release)}/"' in page


def test_before_anything_is_scored_the_page_offers_it(client: Client, release: Release) -> None:
    page = client.get(f"{address(release)}/")

    assert page.status_code == 200
    assert f'action="{address(release)}/runs/"' in readable(page)
    assert TABLE not in readable(page)
    assert not ScoreRun.objects.exists()


@pytest.fixture
def all_on_one_page(monkeypatch: Monkey) -> None:
    monkeypatch.setattr("scoring.views.METRICS_SHOWN", 200)


@pytest.mark.usefixtures("all_on_one_page")
def test_scores_that_are_asked_for_are_shown(client: Client, release: Release) -> None:
    page = client.post(f"{address(release)}/runs/", follow=True)

    run = ScoreRun.objects.get()
    assert page.redirect_chain == [(f"{address(release)}/?run={run.pk}", 302)]
    assert stored(run) == plainly(varied())
    head, *lines = tables_of(page_of(release).content.decode())[TABLE]
    assert head == ["Metric", "people 6 outputs", "A 2 outputs", "B 2 outputs"]
    assert [line[0] for line in lines] == WITHOUT_PARSER
    for line, shown in zip(metric_lines(section_of(summary_of(run), "jackknifed")), lines, strict=True):
        cells = [f"{cell['value']:.3f} {cell['low']:.3f} to {cell['high']:.3f}" for cell in line.cells]
        assert shown[1:] == cells


def test_settings_of_the_form_are_those_of_the_scores(client: Client, release: Release) -> None:
    asked = {
        "tokenizer": "whitespace",
        "stemmer": "porter",
        "without_stop_words": "on",
        "window": "0",
        "single": "mean",
        "seed": "0",
        "smoothing": "none",
        "no_normalize": "on",
        "reference_weights": "by-editor",
    }

    client.post(f"{address(release)}/runs/", asked)

    question = ScoreSettings(
        Tokenizer("whitespace", "en", stemmer="porter", without_stop_words=True),
        Options(window=0, single="mean", seed=0, smoothing="none", reference_weights="by-editor"),
        normalize=False,
    )
    assert ScoreRun.objects.get().signatures == question.signatures
    assert stored(ScoreRun.objects.get()) == plainly(varied(), question)


@pytest.mark.usefixtures("all_on_one_page")
def test_metrics_beyond_the_paper_are_computed_beside_the_others_if_they_are_chosen(
    client: Client, release: Release
) -> None:
    extra = "ROUGE-2+Recall+JACKKNIFE"

    client.post(f"{address(release)}/runs/", {"extra": [extra]})
    page = page_of(release)

    assert set(ScoreRun.objects.get().signatures) == {*WITHOUT_PARSER, extra}
    assert [line[0] for line in tables_of(page.content.decode())[TABLE][1:]] == [*WITHOUT_PARSER, extra]
    assert f'<option value="{extra}" selected>' in page.content.decode()


def test_empty_fields_are_the_defaults(client: Client, release: Release) -> None:
    client.post(f"{address(release)}/runs/", {"window": "", "seed": "", "tokenizer": ""})

    assert ScoreRun.objects.get().signatures == ScoreSettings().signatures


@pytest.mark.parametrize(
    "wrong",
    [
        {"tokenizer": "words"},
        {"stemmer": "lancaster"},
        {"window": "-1"},
        {"window": "51"},
        {"window": "two"},
        {"single": "last"},
        {"seed": "-1"},
        {"seed": str(2**31)},
        {"seed": "1.5"},
        {"smoothing": "add"},
        {"smoothing": "\0"},
        {"reference_weights": "by rater"},
        {"extra": "ROUGE-3"},
    ],
)
def test_invalid_settings_are_refused(client: Client, release: Release, wrong: dict[str, str]) -> None:
    page = client.post(f"{address(release)}/runs/", wrong)

    assert page.status_code == 422
    assert "wrong" in readable(page)
    assert not ScoreRun.objects.exists()


def test_a_refused_form_keeps_what_was_chosen(client: Client, release: Release) -> None:
    page = readable(client.post(f"{address(release)}/runs/", {"window": "77", "tokenizer": "whitespace"}))

    assert 'value="77"' in page
    assert re.search(r'<option value="whitespace"\s+selected', page)


def test_a_refused_form_does_not_miss_a_parser_that_is_there(
    client: Client, release: Release, settings: Settings
) -> None:
    settings.SPACY_MODEL = "any"

    assert "PRECIS_SPACY_MODEL" not in readable(client.post(f"{address(release)}/runs/", {"window": "77"}))


def test_a_refused_form_stays_with_its_run_and_leads_away(client: Client, release: Release) -> None:
    first, second = computed(release), computed(release, ScoreSettings(options=Options(seed=1)))

    page = readable(client.post(f"{address(release)}/runs/?run={first.pk}", {"window": "77"}))

    assert f'href="{address(release)}/?run={second.pk}"' in page
    assert 'href="?' not in page


def test_a_refused_form_is_not_swapped_away(client: Client, release: Release, monkeypatch: Monkey) -> None:
    monkeypatch.setattr("common.jobs._announce", lambda _: None)
    client.post(f"{address(release)}/runs/")

    page = readable(client.post(f"{address(release)}/runs/", {"window": "77"}))

    assert 'value="77"' in page
    assert "hx-get" not in page


def test_stems_that_the_language_has_not_are_refused_with_a_reason(client: Client, release: Release) -> None:
    release.campaign.language = "de"
    release.campaign.save()

    page = client.post(f"{address(release)}/runs/", {"stemmer": "porter"}, follow=True)

    assert page.status_code in {200, 422}
    assert "Porter" in readable(page)
    assert not ScoreRun.objects.exists()


def test_words_are_those_of_the_language_of_the_campaign(client: Client, release: Release) -> None:
    release.campaign.language = "de-CH"
    release.campaign.save()

    client.post(f"{address(release)}/runs/", {"stemmer": "snowball"})

    assert "snowball" in ScoreRun.objects.get().signatures[NAME]
    assert stored(ScoreRun.objects.get()) == plainly(
        varied(), ScoreSettings(Tokenizer(language="de", stemmer="snowball"))
    )


def test_a_release_that_is_not_ready_says_so(client: Client, release: Release) -> None:
    Release.objects.update(state=Release.State.BUILDING, checksum="", finished_at=None)

    page = client.post(f"{address(release)}/runs/", follow=True)

    assert f"{release.name} is not ready" in readable(page)
    assert not ScoreRun.objects.exists()


# Without the extra.


def test_without_parquet_the_page_refuses_to_score(client: Client, release: Release, monkeypatch: Monkey) -> None:
    lacks(monkeypatch, PARQUET)

    page = readable(client.get(f"{address(release)}/"))
    assert WITHOUT_PARQUET in page
    assert f'action="{address(release)}/runs/"' not in page
    assert WITHOUT_PARQUET in readable(client.post(f"{address(release)}/runs/", follow=True))
    assert not ScoreRun.objects.exists()
    assert not Job.objects.exists()


def test_without_parquet_means_are_shown_and_the_file_is_sent(
    client: Client, release: Release, monkeypatch: Monkey
) -> None:
    computed(release, FEW)
    before = ScoreRun.objects.values().get()
    assert "Best and worst of" in readable(page_of(release))
    lacks(monkeypatch, PARQUET)

    page = page_of(release)
    assert (page.status_code, TABLE in tables_of(page.content.decode())) == (200, True)
    assert WITHOUT_PARQUET in readable(page)
    assert ".tsv?" not in readable(page)
    assert "Best and worst of" not in readable(page)
    assert WITHOUT_PARQUET in readable(client.get(f"{address(release)}.tsv", follow=True))
    assert body(client.get(f"{address(release)}.parquet")).startswith(b"PAR1")
    assert WITHOUT_PARQUET in readable(client.post(f"{address(release)}/runs/", follow=True))
    assert ScoreRun.objects.values().get() == before


def test_a_job_without_parquet_says_so_and_leaves_its_parts_to_others(
    owner: User, release: Release, monkeypatch: Monkey
) -> None:
    with transaction.atomic():
        scores_request(release=release, settings=FEW, user=owner)
        job = Job.objects.get()
        lacks(monkeypatch, PARQUET)
        job_run(job_id=job.pk)

    job.refresh_from_db()
    assert (job.state, job.message) == (Job.State.FAILED, WITHOUT_PARQUET)
    assert ScorePart.objects.filter(outputs=None, lease_ends_at=None).exists()


# Who may.


def test_staff_of_another_campaign_find_nothing(release: Release) -> None:
    run = computed(release, FEW)
    stranger = staff_client(make_staff())

    for ending in ("/", f"/?run={run.pk}", ".tsv", ".parquet"):
        assert stranger.get(f"{address(release)}{ending}").status_code == 404
        assert Client().get(f"{address(release)}{ending}").status_code == 302
    assert stranger.post(f"{address(release)}/runs/").status_code == 404
    assert Client().post(f"{address(release)}/runs/").status_code == 302
    assert ScoreRun.objects.count() == 1


def test_asking_is_a_post_and_reading_is_none(client: Client, release: Release) -> None:
    assert client.get(f"{address(release)}/runs/").status_code == 405
    for ending in ("/", ".tsv", ".parquet"):
        assert client.post(f"{address(release)}{ending}").status_code == 405


@pytest.mark.parametrize("run", ["abc", "", "-1", "0", "9" * 18, "9" * 19, "9" * 5000, "1.0", "²", "٣", "\0", "1\0"])
def test_a_run_that_there_is_none_of_is_not_found(client: Client, release: Release, run: str) -> None:
    computed(release, FEW)

    for ending in ("/", ".tsv", ".parquet"):
        assert client.get(f"{address(release)}{ending}", {"run": run}).status_code == 404


def test_a_run_of_another_release_is_not_found(client: Client, release: Release, owner: User) -> None:
    other = computed(released_with(varied(), owner=owner), FEW)

    for ending in ("/", ".tsv", ".parquet"):
        assert client.get(f"{address(release)}{ending}", {"run": other.pk}).status_code == 404


def test_a_version_that_there_is_none_of_is_not_found(client: Client, release: Release) -> None:
    start = f"/campaigns/{release.campaign.slug}/releases/7/scores"

    assert {client.get(f"{start}{ending}").status_code for ending in ("/", ".tsv", ".parquet")} == {404}
    assert client.post(f"{start}/runs/").status_code == 404


# While it is computed.


def test_a_page_asks_for_news_while_scores_are_computed(client: Client, release: Release, monkeypatch: Monkey) -> None:
    monkeypatch.setattr("common.jobs._announce", lambda _: None)
    monkeypatch.setattr("scoring.services.runs.SOURCES_PER_PART", 2)

    page = readable(client.post(f"{address(release)}/runs/", follow=True))

    run = ScoreRun.objects.get()
    assert f'hx-get="{address(release)}/?run={run.pk}"' in page
    assert "0 of 4 parts" in page
    assert "htmx" in page
    assert TABLE not in page


def test_progress_is_shown_and_ends_with_the_scores(client: Client, release: Release, monkeypatch: Monkey) -> None:
    monkeypatch.setattr("common.jobs._announce", lambda _: None)
    monkeypatch.setattr("scoring.services.runs.SOURCES_PER_PART", 2)
    monkeypatch.setattr("scoring.services.runs.score", Watched(fails_at=3))
    client.post(f"{address(release)}/runs/")
    run = ScoreRun.objects.get()
    with pytest.raises(OSError, match="No space"):
        scores_compute(run=run, progress=silent)
    assert "2 of 4 parts" in readable(client.get(f"{address(release)}/"))
    ScorePart.objects.update(lease_ends_at=None)

    scores_compute(run=run, progress=silent)

    page = readable(page_of(release))
    assert TABLE in page
    assert "hx-get" not in page


def test_asking_twice_while_it_is_computed_queues_nothing_more(
    client: Client, release: Release, monkeypatch: Monkey
) -> None:
    monkeypatch.setattr("common.jobs._announce", lambda _: None)
    monkeypatch.setattr("scoring.services.runs.SOURCES_PER_PART", 2)

    for _ in range(3):
        client.post(f"{address(release)}/runs/")

    assert Job.objects.count() == 4
    assert ScoreRun.objects.count() == 1


def test_what_a_command_computes_is_news_too(client: Client, release: Release) -> None:
    run = started(release)
    ScorePart.objects.filter(run=run).update(lease_ends_at=database_now() + timedelta(minutes=1))

    page = readable(client.get(f"{address(release)}/"))

    assert "Being computed: 0 of 1 part done" in " ".join(page.split())
    assert "hx-get" in page


def test_a_job_that_failed_shows_its_reason(client: Client, release: Release) -> None:
    (release_folder(release) / CORPUS_FILE).unlink()

    page = readable(client.post(f"{address(release)}/runs/", follow=True))

    assert "No such file" in page
    assert "Being computed" not in page
    assert "hx-get" not in page


def test_nothing_to_score_shows_its_reason(client: Client, owner: User) -> None:
    release = released_with([of_texts(1, ["Men went."])], owner=owner)

    page = readable(client.post(f"{address(release)}/runs/", follow=True))

    assert f"{release.name} has nothing to score" in page
    assert "Being computed" not in page


def test_a_job_that_failed_can_be_asked_for_again(client: Client, release: Release) -> None:
    corpus = release_folder(release) / CORPUS_FILE
    kept = corpus.read_bytes()
    corpus.unlink()
    client.post(f"{address(release)}/runs/")
    corpus.write_bytes(kept)

    client.post(f"{address(release)}/runs/")

    assert TABLE in readable(page_of(release))
    assert stored(ScoreRun.objects.get()) == plainly(varied())


def test_the_page_of_jobs_has_a_name_for_scoring(client: Client, release: Release) -> None:
    client.post(f"{address(release)}/runs/")

    page = readable(client.get(f"/campaigns/{release.campaign.slug}/jobs/{Job.objects.latest('pk').pk}/"))

    assert "Scoring" in page


# With a parser.


def test_without_a_parser_the_page_says_what_to_install(client: Client, release: Release) -> None:
    page = readable(client.get(f"{address(release)}/"))

    assert "install a spaCy pipeline" in page
    assert "PRECIS_SPACY_MODEL" in page


@pytest.mark.usefixtures("all_on_one_page")
def test_with_a_parser_the_page_shows_all_eighty(
    client: Client, release: Release, settings: Settings, monkeypatch: Monkey
) -> None:
    pipeline = Pipeline()
    for module in (preprocessing, spacy_models):
        monkeypatch.setattr(module, "load_model", lambda _: pipeline)
    settings.SPACY_MODEL = "any"

    client.post(f"{address(release)}/runs/")
    page = page_of(release)

    lines = tables_of(page.content.decode())[TABLE]
    assert [line[0] for line in lines[1:]] == list(METRICS)
    assert "PRECIS_SPACY_MODEL" not in readable(page)


def test_a_parser_that_is_not_there_is_refused_with_what_to_install(
    client: Client, release: Release, settings: Settings
) -> None:
    settings.SPACY_MODEL = "no_such_pipeline"

    page = client.post(f"{address(release)}/runs/", follow=True)

    assert "python -m spacy download" in readable(page)
    assert not ScoreRun.objects.exists()
