"""Training: what a system learns from and what it never sees, models as files, and a training that was stopped."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from common.errors import Refused
from compressions.models import SystemOutput
from corpus.models import Release
from corpus.release.records import ReleasedAlignment, ReleasedRating, ReleasedSource, ReleasedText
from crowd.models import Campaign
from systems.files import folder_of, unfinished_folder
from systems.models import MODEL_JOBS, SystemRun, TrainedSystem
from systems.programs import registry
from systems.programs.models import read_model
from systems.programs.pairs import Pair
from systems.programs.texts import Range
from systems.services.training import TrainRequest, system_train, training_request
from systems.services.training_data import PairsFile, training_data
from systems.tests.learner import STEPS, Learner
from tests.support.factories import import_texts, make_staff, silent
from tests.support.reports import released

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.fixture(autouse=True)
def learner(monkeypatch: pytest.MonkeyPatch) -> Learner:
    found = Learner()
    monkeypatch.setitem(registry.SYSTEMS, "learner", found.system)
    return found


def ratings(*points: int) -> tuple[ReleasedRating, ...]:
    return tuple(ReleasedRating(str(n), {"meaning": point, "grammar": 3}) for n, point in enumerate(points))


def text(words: str, *points: int) -> ReleasedText:
    return ReleasedText(words, ("9",), ratings(*points))


SENTENCES = {
    "train": ("The old dog barked at night.", "A red cat slept on the mat.", "Rain fell over all of the hills."),
    "valid": ("The wind blew hard today.",),
    "test": ("The man went home early.", "The dogs ran off."),
}


def sources() -> list[ReleasedSource]:
    """Three sources to learn from, one of them well rated, one of two sentences that shares a sentence with test."""

    def source(number: int, split: str, words: str, *texts: ReleasedText, sentences: int = 1) -> ReleasedSource:
        return ReleasedSource(str(number), "News", words, sentences, "", str(number), split, list(texts))

    dog, cat, rain = SENTENCES["train"]
    shared = f"{SENTENCES['test'][1].upper()} Nobody saw them again."
    return [
        source(1, "train", dog, text("The dog barked.", 3, 3), text("The old dog.", 2, 2)),
        source(2, "train", f"{cat} {rain}", text("A cat slept. Rain fell.", 3, 2), sentences=2),
        source(3, "train", shared, text("The dogs ran.", 3), sentences=2),
        source(4, "valid", SENTENCES["valid"][0], text("The wind blew.", 3), text("It blew hard.", 1)),
        source(5, "test", SENTENCES["test"][0], text("The man went home.", 3)),
        source(6, "test", SENTENCES["test"][1], text("Dogs ran.", 3)),
    ]


@pytest.fixture
def release() -> Release:
    found = released(sources(), scales=("Meaning", "Grammar"))
    found.summary = {"sources": 6, "splits": {"train": 3, "valid": 1, "test": 2}}
    found.save()
    Campaign.objects.update(sentence_min_words=2, paragraph_min_words=2)
    found.campaign.refresh_from_db()
    import_texts(found.campaign, [each.text for each in sources()])
    return found


def asked(release: Release, **changes: Any) -> TrainRequest:
    return TrainRequest(**{"release": release, "kind": "learner", "name": "Learner", "seed": 7, **changes})


def test_pairs_are_of_train_alone_and_share_no_sentence_with_test(release: Release) -> None:
    data, counted = training_data(release, PairsFile(), Range(), well_rated=False)
    dog, cat, rain = SENTENCES["train"]
    assert data.train == (
        Pair(dog, "The dog barked."),
        Pair(dog, "The old dog."),
        Pair(cat, "A cat slept."),
        Pair(rain, "Rain fell."),
    )
    assert [(each.source.text, each.references) for each in data.dev] == [
        (SENTENCES["valid"][0], ("The wind blew.", "It blew hard."))
    ]
    assert counted == {
        "rated_too_low": 0,
        "merged_sentences": 0,
        "sentences_without_a_pair": 0,
        "share_a_sentence_with_test": 1,
        "pairs_of_release": 4,
        "dev_sources": 1,
    }


def test_well_rated_are_those_with_a_mean_of_two_and_a_half_on_all_scales(release: Release) -> None:
    data, counted = training_data(release, PairsFile(), Range(), well_rated=True)
    assert [pair.target for pair in data.train] == ["The dog barked.", "A cat slept.", "Rain fell."]
    assert counted["rated_too_low"] == 1
    assert len(data.dev[0].references) == 2


def test_pairs_of_a_file_are_learnt_too_and_named_in_the_model(release: Release, learner: Learner) -> None:
    lines = [{"source": "A big house burned. Two men ran.", "target": "A house burned."}]
    file = PairsFile("more.jsonl", "".join(json.dumps(line) + "\n" for line in lines).encode())
    model = system_train(request=asked(release, pairs=file), progress=silent)
    assert learner.data.train[-1] == Pair("A big house burned.", "A house burned.")
    assert (model.pairs_file, len(model.pairs_checksum), bytes(model.pairs)) == ("more.jsonl", 64, b"")
    assert (model.made_from["pairs_of_file"], model.pairs_learnt) == (1, 5)


def test_pairs_know_where_they_come_from(release: Release) -> None:
    file = PairsFile("more.csv", b"source,target\nA big house burned.,A house burned.\n")
    data, _counted = training_data(release, file, Range(), well_rated=False)
    assert [pair.name for pair in data.train] == ["1", "1", "2", "2", "more.csv:2"]


TWO_PAIRS = b"source\ttarget\nA big house burned. It was old.\tA house burned.\nIt rained. We left.\tWe left.\n"


def test_an_alignment_comes_with_its_pair_which_stays_whole(release: Release) -> None:
    file = PairsFile("more.tsv", TWO_PAIRS, "links.txt", b"0-0 2-1 3-2\n\n")
    data, counted = training_data(release, file, Range(), well_rated=False)
    whole, cut = data.train[4:]
    assert (whole.source, whole.alignment) == ("A big house burned. It was old.", "0-0 2-1 3-2")
    assert (cut.source, cut.alignment) == ("We left.", "")
    assert (counted["pairs_of_file"], counted["pairs_with_alignment"]) == (2, 1)


def test_what_staff_corrected_comes_with_the_sentences_that_it_is_of() -> None:
    cat, rain = ["A", "red", "cat", "slept", "."], ["Rain", "fell", "over", "hills", "."]
    made = ReleasedAlignment(
        (*cat, *rain), ("A", "cat", "dozed", ".", "Hills", "rain", "."), (0, 2, 3, 4, 8, 5, None), 1
    )
    texts = [replace(text("A cat dozed. Hills rain."), alignment=made), text("A cat.")]
    source = ReleasedSource("1", "News", "A red cat slept. Rain fell over hills.", 2, "", "1", "train", texts)
    data, _counted = training_data(released([source]), PairsFile(), Range(), well_rated=False)
    first, second, by_aligner = data.train
    assert (first.target, first.alignment) == ("A cat dozed.", "0-0 2-1 3-2 4-3")
    assert (second.target, second.alignment) == ("Hills rain.", "0-1 3-0")
    assert second.aligned_words == (tuple(rain), ("Hills", "rain", "."))
    assert (by_aligner.alignment, by_aligner.aligned_words) == ("", None)


def test_alignments_are_named_in_the_model_and_those_of_no_pairs_are_refused(release: Release) -> None:
    file = PairsFile("more.tsv", TWO_PAIRS, "links.txt", b"0-0\n0-0\n")
    model = system_train(request=asked(release, pairs=file), progress=silent)
    checksum = model.made_from["alignments_sha256"]
    assert (model.made_from["alignments"], len(checksum)) == ("links.txt", 64)
    other = system_train(request=asked(release, pairs=replace(file, alignments=b"0-1\n0-0\n")), progress=silent)
    assert other != model
    for wrong, fault in (
        (replace(file, alignments=b"0-0\n"), "links.txt has 1 lines, and more.tsv has 2 pairs"),
        (replace(file, alignments=b"0-0\n\xff\n"), "links.txt: 'utf-8' codec"),
        (PairsFile(alignments_name="links.txt", alignments=b"0-0\n"), "those of a file of pairs"),
    ):
        with pytest.raises(Refused, match=fault):
            system_train(request=asked(release, pairs=wrong), progress=silent)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b'{"source": "a", "target": ""}', "more.jsonl, line 2: the source or the target is empty"),
        (b"[1]", "more.jsonl, line 2: "),
        (b'{"source": "' + b"a" * 60_000 + b'", "target": "b"}', "line 2: 60,000 characters"),
    ],
)
def test_a_line_that_is_no_pair_is_named_and_nothing_is_learnt(release: Release, line: bytes, fault: str) -> None:
    good = b'{"source": "a b", "target": "a"}\n'
    with pytest.raises(Refused, match=fault):
        system_train(request=asked(release, pairs=PairsFile("more.jsonl", good + line)), progress=silent)
    assert TrainedSystem.objects.get().finished_at is None


def test_a_training_that_was_stopped_goes_on_and_gives_the_same_model(release: Release, learner: Learner) -> None:
    whole = system_train(request=asked(release, name="Whole"), progress=silent)
    learner.steps, learner.stops_at = [], 3
    with pytest.raises(KeyboardInterrupt):
        system_train(request=asked(release), progress=silent)
    learner.stops_at = 0
    model = system_train(request=asked(release), progress=silent)
    assert learner.steps == [1, 2, 3, 4]
    assert model.files == whole.files
    assert model.curve == whole.curve == [{"step": float(n), "loss": 1 / n} for n in range(1, STEPS + 1)]
    assert not list(unfinished_folder(release.campaign_id, model).iterdir())


def test_a_job_trains_and_asked_again_the_model_is_there(
    release: Release, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        model = training_request(request=asked(release, preset="paper"), user=make_staff())
    model.refresh_from_db()
    assert model.finished_at is not None
    assert MODEL_JOBS.of(model.pk).get().message == "Learner learnt from 4 pairs."
    with folder_of(model) as folder:
        learnt = read_model(folder)
    assert learnt.parameters == model.parameters["chosen"] == {"preset": "paper", "known": 3}
    assert learnt.made_from["release_sha256"] == release.checksum
    assert training_request(request=asked(release, preset="paper"), user=None) == model
    assert MODEL_JOBS.of(model.pk).count() == 1


def test_what_cannot_be_trained_is_refused_with_the_way_out(release: Release) -> None:
    with pytest.raises(Refused, match="This system learns nothing: run it as it is"):
        system_train(request=asked(release, kind="first"), progress=silent)
    with pytest.raises(Refused, match="The training of learner has no option device"):
        system_train(request=asked(release, device="cuda"), progress=silent)
    with pytest.raises(Refused, match="The training of learner has no option vectors"):
        system_train(request=asked(release, vectors="words.txt"), progress=silent)
    links = PairsFile("more.tsv", TWO_PAIRS, "links.txt", b"0-0\n0-0\n")
    with pytest.raises(Refused, match="The training of ilp has no option alignments"):
        system_train(request=asked(release, kind="ilp", pairs=links), progress=silent)
    with pytest.raises(Refused, match=r"nowhere\.txt: No such file"):
        system_train(request=asked(release, kind="seq2seq", vectors="nowhere.txt"), progress=silent)
    with pytest.raises(Refused, match="system's name"):
        system_train(request=asked(release, name="a/b"), progress=silent)
    assert not TrainedSystem.objects.exists()


def test_too_few_pairs_are_counted_with_why_others_are_left_out() -> None:
    release = released([each for each in sources() if each.source_id in {"3", "6"}], scales=("Meaning", "Grammar"))
    with pytest.raises(
        Refused, match=r"two pairs at least are wanted.*share a sentence with test 1.*pairs of release 0"
    ):
        system_train(request=asked(release), progress=silent)


def test_a_command_trains_and_a_run_uses_the_model(release: Release, tmp_path: Path, capsys: Any) -> None:
    pairs = tmp_path / "more.csv"
    pairs.write_text("source,target\nA big house burned.,A house burned.\n", encoding="utf-8")
    links = tmp_path / "links.txt"
    links.write_text("0-0 2-1 3-2 4-3\n", encoding="utf-8")
    given = {"pairs": pairs, "alignments": links, "well_rated": True}
    call_command("train_system", "learner", release=release.name, name="Mine", **given)
    model = TrainedSystem.objects.get()
    assert (model.made_from["alignments"], model.made_from["pairs_with_alignment"]) == ("links.txt", 1)
    assert (
        f"Mine learnt from 4 pairs. Run it: manage.py run_system learner --model {model.pk}" in capsys.readouterr().out
    )
    call_command("run_system", "learner", model=model.pk, release=release.name)
    run = SystemRun.objects.get()
    assert (run.model, run.name, run.split, run.texts) == (model, "Mine", "test", 2)
    assert SystemOutput.objects.filter(system__name="Mine").count() == 2
    with pytest.raises(CommandError, match="There is no model of learner '99'"):
        call_command("run_system", "learner", model=99)
    with pytest.raises(CommandError, match="invalid choice"):
        call_command("train_system", "first", release=release.name)


def test_a_model_that_is_not_finished_and_one_whose_files_are_damaged_are_not_run(release: Release) -> None:
    model = system_train(request=asked(release), progress=silent)
    TrainedSystem.objects.update(files={**model.files, "other.txt": "0" * 64})
    with pytest.raises(CommandError, match="Learner: "):
        call_command("run_system", "learner", model=model.pk)
    TrainedSystem.objects.update(finished_at=None)
    with pytest.raises(CommandError, match="There is no model of learner"):
        call_command("run_system", "learner", model=model.pk)


def test_a_model_takes_no_impossible_row(release: Release) -> None:
    model = system_train(request=asked(release), progress=silent)
    for wrong in ({"folder": ""}, {"pairs_file": "a.jsonl"}, {"kind": ""}):
        with pytest.raises(IntegrityError), transaction.atomic():
            TrainedSystem.objects.filter(pk=model.pk).update(**wrong)
