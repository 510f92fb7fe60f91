"""Scores of a release: computed part by part, once, by whoever is there."""

import shutil
from dataclasses import replace
from datetime import timedelta
from functools import partial

import numpy as np
import pyarrow.parquet as pq
import pytest
from django.conf import settings
from django.db import connection

from common.clock import database_now
from common.errors import Refused
from common.job_attempts import LEASE
from common.jobs import job_run
from common.leased_parts import LEASE_DURATION
from common.models import Job
from corpus.formats.jsonl import CORPUS_FILE
from corpus.models import Release
from corpus.release.records import ReleasedSource
from measures.metrics import METRICS, Options, Tokenizer
from measures.metrics.tests.test_command import Pipeline
from measures.metrics.words import preprocessing
from measures.text import spacy_models
from scoring.models import JOBS, ScorePart, ScoreRun
from scoring.parquet_tables import write_long
from scoring.services.runs import scores_compute, scores_request
from scoring.settings import ScoreSettings
from scoring.tests.releases import (
    FEW,
    NAME,
    WITHOUT_PARSER,
    Watched,
    computed,
    long_file,
    means,
    of_texts,
    plainly,
    released_with,
    reread,
    started,
    stored,
    summary_of,
    varied,
)
from tests.support.factories import freeze, judged_campaign, silent
from tests.support.stored import path_of, release_folder, run_folder
from tests.support.together import together

pytestmark = pytest.mark.django_db(transaction=True)

Monkey = pytest.MonkeyPatch


def parts_of(number: int, monkeypatch: Monkey) -> None:
    monkeypatch.setattr("scoring.services.runs.SOURCES_PER_PART", number)


def watched(monkeypatch: Monkey, fails_at: int = 0) -> Watched:
    watch = Watched(fails_at)
    monkeypatch.setattr("scoring.services.runs.score", watch)
    return watch


def asked(release: Release, question: ScoreSettings = FEW) -> ScoreRun:
    """Ask as the page does; jobs run at once."""
    return reread(scores_request(release=release, settings=question, user=None))


def done_parts(run: ScoreRun) -> list[int]:
    return list(run.parts.exclude(outputs=None).order_by("number").values_list("number", flat=True))


def held(run: ScoreRun, number: int, minutes: float) -> None:
    ScorePart.objects.filter(run=run, number=number).update(lease_ends_at=database_now() + timedelta(minutes=minutes))


# What is scored.


@pytest.mark.parametrize(
    "question",
    [
        ScoreSettings(),
        FEW,
        ScoreSettings(Tokenizer("whitespace", lower=False), Options(window=0, single="mean", smoothing="none")),
        ScoreSettings(Tokenizer(stemmer="porter", without_stop_words=True), Options(single="first", seed=7)),
    ],
)
def test_every_output_has_the_scores_of_the_library(release: Release, question: ScoreSettings) -> None:
    assert stored(computed(release, question)) == plainly(varied(), question)


def test_all_outputs_beside_texts_are_scored_and_no_other(release: Release) -> None:
    keys = stored(computed(release, FEW)).keys()

    assert {(source, system) for source, system, _ in keys if system} == {
        *[("1", "A"), ("1", "B"), ("2", "A"), ("5", "B"), ("6", "A"), ("6", "B")]
    }
    people = [source for source, system, _ in keys if not system]
    assert {source: people.count(source) for source in people} == {"1": 3, "4": 2, "5": 2, "6": 3}


def test_a_system_that_repeats_a_person_is_compared_with_that_person_too() -> None:
    release = released_with([of_texts(1, ["Men went.", "Two left."], {"A": "Men went."})])
    best = "LR-1+Recall+MULT-MAX"

    scores = stored(computed(release, ScoreSettings(metrics=(best,))))

    assert scores["1", "A", "Men went."][best] == 1
    assert scores["1", "", "Men went."][best] < 1


def test_texts_of_people_are_never_compared_with_themselves() -> None:
    release = released_with([of_texts(1, ["Men went", "Women came"])])

    scores = stored(computed(release, FEW))

    assert {row[NAME] for row in scores.values()} == {0}


def test_a_frozen_campaign_is_scored_as_its_own_file_says() -> None:
    release = freeze(judged_campaign(sources=3, editors=2))

    run = computed(release, FEW)

    assert run.outputs == 6
    assert {system for _, system, _ in stored(run)} == {""}


def test_the_long_file_says_the_signature_and_split_of_every_score(release: Release) -> None:
    run = computed(release)
    rows = plain_rows(run)

    assert {row["metric"]: row["signature"] for row in rows} == ScoreSettings().signatures == run.signatures
    assert {row["split"] for row in rows} == {"train"}
    jackknifed_too = 5
    assert len(rows) == (run.outputs + jackknifed_too) * len(WITHOUT_PARSER)


def plain_rows(run: ScoreRun) -> list[dict[str, str]]:
    rows: list[dict[str, str]] = pq.read_table(long_file(run)).to_pylist()
    return rows


def test_the_checksum_of_the_release_is_kept(release: Release) -> None:
    assert computed(release, FEW).release_checksum == release.checksum


# Parts.


@pytest.mark.parametrize("question", [ScoreSettings(options=Options(single="first")), ScoreSettings()])
@pytest.mark.parametrize("size", [1, 2, 7, 8])
def test_any_parts_make_the_same_scores(
    release: Release, size: int, question: ScoreSettings, monkeypatch: Monkey
) -> None:
    whole = stored(computed(release, question))
    ScoreRun.objects.all().delete()
    parts_of(size, monkeypatch)

    run = computed(release, question)

    assert run.parts.count() == -(-7 // size)
    assert stored(run) == whole


def test_any_parts_make_the_same_summary(release: Release, monkeypatch: Monkey) -> None:
    whole = computed(release, FEW).summary
    ScoreRun.objects.all().delete()
    parts_of(2, monkeypatch)

    assert computed(release, FEW).summary == whole


def test_no_unfinished_file_is_left(release: Release, monkeypatch: Monkey) -> None:
    parts_of(2, monkeypatch)
    run = computed(release, FEW)

    named = {path_of(run), *map(path_of, run.parts.all())}

    assert set(run_folder(run).iterdir()) == named
    assert len(named) == 5
    assert list((settings.DATA_DIR / "scratch").iterdir()) == []


@pytest.mark.parametrize(("size", "jobs"), [(7, 1), (4, 2), (2, 4), (1, 4)])
def test_a_part_is_work_for_one_job_and_four_are_the_most(
    release: Release, size: int, jobs: int, monkeypatch: Monkey
) -> None:
    parts_of(size, monkeypatch)
    asked(release)

    assert Job.objects.count() == jobs
    assert set(Job.objects.values_list("state", flat=True)) == {Job.State.DONE}


def test_progress_counts_parts(release: Release, monkeypatch: Monkey) -> None:
    parts_of(2, monkeypatch)
    seen: list[tuple[int, int]] = []

    scores_compute(run=started(release, FEW), progress=lambda done, total: seen.append((done, total)))

    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


# Asked again.


def test_the_same_question_is_one_run_and_computed_once(release: Release, monkeypatch: Monkey) -> None:
    parts_of(2, monkeypatch)
    watch = watched(monkeypatch)

    runs = {asked(release).pk for _ in range(3)}

    assert len(runs) == 1
    assert (watch.calls, Job.objects.count()) == (4, 4)


def test_the_command_and_the_page_share_a_run(release: Release, monkeypatch: Monkey) -> None:
    watch = watched(monkeypatch)

    assert asked(release).pk == computed(release, FEW).pk
    assert watch.calls == 1


def test_a_run_that_is_complete_is_summed_up_once(release: Release, monkeypatch: Monkey) -> None:
    parts_of(2, monkeypatch)
    written: list[object] = []

    def noted(*given: object) -> None:
        written.append(given)
        write_long(*given)  # type: ignore[arg-type]

    monkeypatch.setattr("scoring.services.runs.write_long", noted)

    asked(release)

    assert len(written) == 1


@pytest.mark.parametrize(
    "other",
    [
        ScoreSettings(metrics=(NAME,)),
        ScoreSettings(options=Options(window=2), metrics=FEW.metrics),
        ScoreSettings(Tokenizer("whitespace"), metrics=FEW.metrics),
        ScoreSettings(Tokenizer(stemmer="porter"), metrics=FEW.metrics),
        ScoreSettings(),
    ],
)
def test_other_settings_are_another_run(release: Release, other: ScoreSettings) -> None:
    first, second = asked(release), asked(release, other)

    assert first.pk != second.pk
    assert (stored(first), stored(second)) == (plainly(varied(), FEW), plainly(varied(), other))


def test_settings_that_no_metric_looks_at_are_no_other_run(release: Release) -> None:
    first, second = (asked(release, ScoreSettings(options=Options(seed=seed), metrics=FEW.metrics)) for seed in (1, 2))

    assert first.pk == second.pk


def test_another_release_is_another_run(release: Release) -> None:
    assert asked(release).pk != asked(released_with(varied())).pk


# What goes wrong.


def test_a_job_ends_when_all_is_done_whoever_held_it_before(release: Release, monkeypatch: Monkey) -> None:
    """Somebody without a job took a part and vanished: who finds it waits until it is free."""
    parts_of(2, monkeypatch)
    run = started(release, FEW)
    ScorePart.objects.filter(run=run, number=1).update(lease_ends_at=database_now() + timedelta(seconds=1))

    assert asked(release).summary is not None

    assert {job.state for job in Job.objects.all()} == {Job.State.DONE}
    assert stored(reread(run)) == plainly(varied(), FEW)


def test_a_job_that_dies_leaves_what_is_done(release: Release, monkeypatch: Monkey) -> None:
    parts_of(2, monkeypatch)
    monkeypatch.setattr("scoring.services.runs.JOBS", replace(JOBS, at_once=1))
    watched(monkeypatch, fails_at=3)

    run = asked(release)

    assert done_parts(run) == [0, 1]
    assert (run.summary, run.finished_at) == (None, None)
    assert Job.objects.get().message == "OSError: No space left on device"


def test_asking_again_goes_on_where_a_job_died(release: Release, monkeypatch: Monkey) -> None:
    parts_of(2, monkeypatch)
    monkeypatch.setattr("scoring.services.runs.JOBS", replace(JOBS, at_once=1))
    watch = watched(monkeypatch, fails_at=3)
    asked(release)
    before = watch.calls

    run = asked(release)

    assert watch.calls - before == 2
    assert run.summary is not None
    assert stored(run) == plainly(varied(), FEW)


def test_a_job_that_dies_does_not_keep_the_others_from_its_part(release: Release, monkeypatch: Monkey) -> None:
    parts_of(2, monkeypatch)
    watch = watched(monkeypatch, fails_at=2)

    run = asked(release)

    assert done_parts(run) == [0, 1, 2, 3]
    assert watch.calls == 5
    assert run.summary is not None


def test_a_part_of_somebody_who_vanished_is_taken_over(release: Release, monkeypatch: Monkey) -> None:
    parts_of(2, monkeypatch)
    watch = watched(monkeypatch)
    run = started(release, FEW)
    held(run, 1, minutes=-0.1)

    scores_compute(run=run, progress=silent)

    assert watch.calls == 4
    assert stored(run) == plainly(varied(), FEW)


def test_a_part_that_somebody_holds_is_left_alone(release: Release, monkeypatch: Monkey) -> None:
    parts_of(2, monkeypatch)
    run = started(release, FEW)
    held(run, 1, minutes=3)

    scores_compute(run=run, progress=silent)

    assert done_parts(run) == [0, 2, 3]
    assert reread(run).summary is None
    assert not long_file(run).exists()


def test_whoever_comes_last_sums_up(release: Release, monkeypatch: Monkey) -> None:
    parts_of(2, monkeypatch)
    watch = watched(monkeypatch)
    run = started(release, FEW)
    held(run, 1, minutes=3)
    scores_compute(run=run, progress=silent)
    held(run, 1, minutes=-0.1)

    scores_compute(run=run, progress=silent)

    assert watch.calls == 4
    assert stored(run) == plainly(varied(), FEW)


def test_a_vanished_job_that_is_announced_again_ends_with_scores(release: Release, monkeypatch: Monkey) -> None:
    parts_of(2, monkeypatch)
    monkeypatch.setattr("scoring.services.runs.JOBS", replace(JOBS, at_once=1))
    monkeypatch.setattr("common.jobs._announce", lambda _: None)
    run = asked(release)
    job = Job.objects.get()
    # Its runner has gone with its part in hand, and the job's lease, of two minutes, has run out.
    held(run, 0, minutes=(LEASE_DURATION - LEASE).total_seconds() / 60)
    run.parts.filter(number=0).update(job=job)
    Job.objects.update(state=Job.State.RUNNING, attempts=1, lease_ends_at=database_now() - timedelta(seconds=1))

    job_run(job_id=job.pk)

    assert reread(run).summary is not None


def test_a_part_done_twice_is_the_same(release: Release) -> None:
    run = computed(release, FEW)
    before = long_file(run).read_bytes()
    ScorePart.objects.update(outputs=None)

    scores_compute(run=run, progress=silent)

    assert long_file(run).read_bytes() == before


def test_a_release_that_is_not_ready_is_refused(release: Release) -> None:
    Release.objects.update(state=Release.State.BUILDING, checksum="", finished_at=None)
    release.refresh_from_db()

    with pytest.raises(Refused, match="not ready"):
        scores_request(release=release, settings=FEW, user=None)

    assert not ScoreRun.objects.exists()
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    "sources", [[], [of_texts(1, [], {"A": "Men went."})], [of_texts(1, ["Men went."]), of_texts(2, [])]]
)
def test_nothing_to_score_is_refused_with_a_reason(sources: list[ReleasedSource]) -> None:
    run = asked(released_with(sources))

    assert run.summary is None
    assert Job.objects.get().state == Job.State.FAILED
    assert "nothing to score" in Job.objects.get().message


def test_without_the_file_of_the_release_the_job_fails_and_can_be_asked_again(release: Release) -> None:
    corpus = release_folder(release) / CORPUS_FILE
    kept = corpus.read_bytes()
    corpus.unlink()
    assert asked(release).summary is None
    assert "No such file" in Job.objects.get().message
    corpus.write_bytes(kept)
    ScorePart.objects.update(lease_ends_at=None)

    assert stored(asked(release)) == plainly(varied(), FEW)


def test_scores_whose_files_are_gone_are_computed_anew_when_they_are_asked_for(release: Release) -> None:
    shutil.rmtree(run_folder(asked(release)))

    assert stored(asked(release)) == plainly(varied(), FEW)


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        (ScoreSettings(parser="no_such_pipeline"), "python -m spacy download"),
        (ScoreSettings(metrics=("LR-9",)), "LR-9"),
        (ScoreSettings(metrics=("PARSE-2+Recall+MULT-ALL",)), "PRECIS_SPACY_MODEL"),
        (ScoreSettings(Tokenizer(language="qq")), "no rules for the language 'qq'"),
    ],
)
def test_what_cannot_be_computed_is_refused_at_once(release: Release, question: ScoreSettings, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        scores_request(release=release, settings=question, user=None)

    assert not ScoreRun.objects.exists()
    assert not Job.objects.exists()


# With a parser.


def test_a_parser_makes_eighty_metrics(release: Release, monkeypatch: Monkey) -> None:
    pipeline = Pipeline()
    for module in (preprocessing, spacy_models):
        monkeypatch.setattr(module, "load_model", lambda _: pipeline)
    question = ScoreSettings(parser="any")

    run = computed(release, question)

    assert summary_of(run)["metrics"] == list(METRICS)
    assert stored(run) == plainly(varied(), question)
    assert run.signatures["PARSE-2+Recall+MULT-ALL"] == "norm:yes|parser:en_hand_made-1.2.3|refs:distinct|precis:2"


def test_without_a_parser_there_are_sixty_eight(release: Release) -> None:
    assert summary_of(computed(release))["metrics"] == WITHOUT_PARSER
    assert len(WITHOUT_PARSER) == 68


# Summed up.


def test_means_are_those_of_the_scores(release: Release) -> None:
    run = computed(release)
    scores = stored(run)

    for each in summary_of(run)["systems"]:
        assert each["outputs"] == sum(system == each["system"] for _, system, _ in scores)
        for metric in WITHOUT_PARSER:
            assert each["means"][metric] == pytest.approx(means(scores, metric)[each["system"]])
    assert run.outputs == len(scores) == 16


def test_people_stand_before_systems(release: Release) -> None:
    assert [each["system"] for each in summary_of(computed(release, FEW))["systems"]] == ["", "A", "B"]


def test_intervals_contain_their_means(release: Release) -> None:
    for each in summary_of(computed(release))["systems"]:
        for metric, mean in each["means"].items():
            assert each["low"][metric] - 1e-12 <= mean <= each["high"][metric] + 1e-12


def test_one_source_has_no_width() -> None:
    run = computed(released_with(varied()[:1]), FEW)

    for each in summary_of(run)["systems"]:
        for metric, mean in each["means"].items():
            assert (each["low"][metric], each["high"][metric]) == pytest.approx((mean, mean))


def test_sources_are_drawn_with_all_their_outputs() -> None:
    release = released_with([of_texts(1, ["a", "b", "b a", "c a"]), of_texts(2, ["x y", "y z"])])
    run = computed(release, FEW)
    scores = stored(run)
    of_source = [np.mean([row[NAME] for key, row in scores.items() if key[0] == each]) for each in ("1", "2")]

    (people,) = summary_of(run)["systems"]

    assert people["low"][NAME] == pytest.approx(min(of_source))
    assert people["high"][NAME] == pytest.approx(max(of_source))


def test_intervals_are_the_same_every_time(release: Release) -> None:
    first = computed(release, FEW).summary
    ScoreRun.objects.all().delete()

    assert computed(release, FEW).summary == first


@pytest.mark.parametrize("kind", ["genres", "lengths"])
def test_parts_of_a_summary_add_up(release: Release, kind: str) -> None:
    for each in summary_of(computed(release, FEW))["systems"]:
        parts = each[kind].values()
        assert sum(part["outputs"] for part in parts) == each["outputs"]
        for metric, mean in each["means"].items():
            total = sum(part["means"][metric] * part["outputs"] for part in parts)
            assert total == pytest.approx(mean * each["outputs"])


def test_genres_and_lengths_are_those_of_the_sources(release: Release) -> None:
    run = computed(release, FEW)
    people, first, _ = summary_of(run)["systems"]

    assert {name: part["outputs"] for name, part in people["genres"].items()} == {"Letters": 8, "News": 2}
    assert {name: part["outputs"] for name, part in first["genres"].items()} == {"Letters": 2, "News": 1}
    news = [row[NAME] for (source, system, _), row in stored(run).items() if source in {"2", "5"} and not system]
    assert people["genres"]["News"]["means"][NAME] == pytest.approx(np.mean(news))
    assert summary_of(run)["lengths"] == ["up to 9 words", "more than 9 words"]
    assert [people["lengths"][name]["outputs"] for name in summary_of(run)["lengths"]] == [7, 3]


# At the same moment.


@pytest.mark.postgresql
@pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL runs transactions side by side")
@pytest.mark.parametrize("time", range(4))
def test_two_at_once_compute_each_part_once(time: int, release: Release, monkeypatch: Monkey) -> None:
    parts_of(1, monkeypatch)
    watch = watched(monkeypatch)
    run = started(release, FEW)

    together([partial(scores_compute, run=run, progress=silent)] * 2)

    assert watch.calls == 7
    assert reread(run).outputs == 16
    assert stored(run) == plainly(varied(), FEW)


@pytest.mark.postgresql
@pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL runs transactions side by side")
@pytest.mark.parametrize("time", range(4))
def test_those_who_finish_together_sum_up_together(time: int, release: Release) -> None:
    run = computed(release, FEW)
    ScoreRun.objects.update(summary=None, finished_at=None)

    together([partial(scores_compute, run=run, progress=silent)] * 4)

    assert reread(run).summary is not None
    assert stored(run) == plainly(varied(), FEW)


@pytest.mark.postgresql
@pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL runs transactions side by side")
@pytest.mark.parametrize("time", range(3))
def test_the_same_question_at_once_is_one_run(time: int, release: Release, monkeypatch: Monkey) -> None:
    parts_of(4, monkeypatch)
    monkeypatch.setattr("common.jobs._announce", lambda _: None)

    runs = together([partial(scores_request, release=release, settings=FEW, user=None)] * 6)

    assert len({run.pk for run in runs}) == ScoreRun.objects.count() == 1
    assert (Job.objects.count(), ScorePart.objects.count()) == (2, 2)
