"""What texts and references are before they are scored: normalised or as written, distinct or by editor."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from corpus.models import Release
from corpus.release.records import ReleasedSource, ReleasedText
from measures.metrics import Options
from scoring.models import ScorePart, ScoreRun
from scoring.selectors import common_ground
from scoring.services.runs import finalize
from scoring.settings import ScoreSettings
from scoring.tests.releases import (
    FEW,
    address,
    body,
    computed,
    json_lines,
    means,
    of_texts,
    page_of,
    plainly,
    released_with,
    reread,
    stored,
    summary_of,
    tsv_rows,
    varied,
)
from tests.support.factories import readable, staff_client
from tests.support.reports import printed
from tests.support.stored import path_of

pytestmark = pytest.mark.django_db(transaction=True)

PROB = "LR-1+Recall+MULT-PROB"
BY_EDITOR = ScoreSettings(options=Options(reference_weights="by-editor"), metrics=(PROB,))


def by_several() -> list[ReleasedSource]:
    """Two editors wrote the same for the first source; one text of the second is by two, the other by one."""
    sources = [of_texts(1, ["Men went."], {"A": "Men went home."}), of_texts(2, ["Men left.", "Two left."])]
    for source in sources:
        source.texts[0] = ReleasedText(source.texts[0].text, ("1", "2"), ())
    return sources


def as_before(run: ScoreRun) -> ScoreRun:
    """The run as versions before had stored it: without the settings and columns that came later."""
    stored_settings = {name: value for name, value in run.settings.items() if name not in ("normalize", "jackknifed")}
    stored_settings["options"].pop("reference_weights")
    for path in (path_of(run), *map(path_of, ScorePart.objects.filter(run=run))):
        table = pq.read_table(path)
        is_known = pc.or_(pc.equal(table["ground"], "all"), pc.equal(table["system"], ""))
        pq.write_table(table.filter(is_known).drop_columns(["ground", "weight"]), path)
    assert run.summary is not None
    run.summary.pop("jackknifed", None)
    before = [name.replace("norm:no|", "").replace("refs:distinct|", "") for name in run.signatures.values()]
    run.settings, run.signatures = stored_settings, dict(zip(run.signatures, before, strict=True))
    run.digest = "before"
    run.save()
    return reread(run)


def test_texts_are_normalised_unless_they_are_to_be_scored_as_written() -> None:
    release = released_with([of_texts(1, ["it's so..."], {"A": "it\u2019s\u00a0so\u2026"})])

    (on,), (off,) = (stored(computed(release, ScoreSettings(metrics=(PROB,), normalize=each))).values()
                     for each in (True, False))  # fmt: skip

    assert on[PROB] == 1
    assert off[PROB] < 1


def test_editors_of_one_text_are_one_reference_or_one_each() -> None:
    release = released_with(by_several())

    distinct, by_editor = (
        stored(computed(release, ScoreSettings(metrics=(PROB,)))),
        stored(computed(release, BY_EDITOR)),
    )

    assert distinct == plainly(by_several(), ScoreSettings(metrics=(PROB,)))
    assert by_editor == plainly(by_several(), BY_EDITOR)
    assert ("1", "", "Men went.") not in distinct
    assert by_editor["1", "", "Men went."][PROB] == 1
    assert by_editor["2", "", "Men left."][PROB] == pytest.approx((1 + 2 / 3) / 2)


def test_by_editor_a_text_counts_in_the_mean_for_each_of_them() -> None:
    run = computed(released_with(by_several()), BY_EDITOR)
    scores = {key[0] + key[2]: row[PROB] for key, row in stored(run).items() if not key[1]}

    people = summary_of(run)["systems"][0]

    assert people["outputs"] == 5
    weights = {"1Men went.": 2, "2Men left.": 2, "2Two left.": 1}
    assert people["means"][PROB] == pytest.approx(sum(scores[key] * number for key, number in weights.items()) / 5)
    assert people["low"][PROB] <= people["means"][PROB] <= people["high"][PROB]


def test_an_editor_whose_id_is_not_known_counts_once() -> None:
    sources = [of_texts(1, ["a", "a b"])]
    sources[0].texts = [ReleasedText(each.text, (), ()) for each in sources[0].texts]

    assert len(stored(computed(released_with(sources), BY_EDITOR))) == 2


def test_weights_come_in_again_with_a_download(tmp_path: Path) -> None:
    release = released_with(by_several())
    first = computed(release, BY_EDITOR)
    path = tmp_path / "scores.tsv"
    path.write_bytes(body(staff_client(release.campaign.staff.get()).get(f"{address(release)}.tsv")))

    printed("import_scores", release.name, str(path))

    assert summary_of(ScoreRun.objects.latest("pk")) == summary_of(first)


@pytest.mark.parametrize("weight", [0, -1, 1.5, "many", True, "²", 10**6])
def test_a_weight_is_a_whole_number(release: Release, tmp_path: Path, weight: Any) -> None:
    row = {"source": "1", "system": "A", "score": 1, "weight": weight, "metric": "M", "signature": "s"}

    with pytest.raises(Exception, match=r"line 1: the weight .* is no whole number"):
        printed("import_scores", release.name, str(json_lines(tmp_path / "s.jsonl", row)))


def test_a_text_has_one_weight(release: Release, tmp_path: Path) -> None:
    row = {"source": "1", "system": "A", "score": 1, "signature": "s"}
    rows = ({**row, "metric": "M", "weight": 2}, {**row, "metric": "N", "weight": 3})

    with pytest.raises(Exception, match="line 2: the text has another weight, 2, in lines above"):
        printed("import_scores", release.name, str(json_lines(tmp_path / "s.jsonl", *rows)))


def test_a_run_of_before_says_that_texts_were_scored_as_written(release: Release) -> None:
    run = as_before(computed(release, ScoreSettings(normalize=False)))
    computed(release, FEW)

    page = " ".join(readable(page_of(release, run=run.pk)).split())

    settings = ScoreSettings.of(run.settings)
    assert (settings.normalize, settings.options) == (False, Options())
    assert "norm:" not in "".join(run.signatures.values())
    assert "68 metrics, texts as written </li>" in page
    assert '<input type="checkbox" name="no_normalize" id="id_no_normalize" checked>' in page
    rows = tsv_rows(
        body(staff_client(release.campaign.staff.get()).get(f"{address(release)}.tsv?run={run.pk}")).decode()
    )
    assert list(rows[0]) == ["source", "split", "system", "text", "metric", "signature", "score"]


def test_a_run_of_before_goes_on_as_it_began(release: Release) -> None:
    run = as_before(computed(release, ScoreSettings(normalize=False)))
    scores = stored(run)
    ScoreRun.objects.update(summary=None, finished_at=None)

    finalize(reread(run))

    assert {**summary_of(reread(run)), "jackknifed": None} == {**summary_of(run), "jackknifed": None}
    assert common_ground(summary_of(reread(run))) is None
    assert stored(reread(run)) == scores == plainly(varied(), ScoreSettings(normalize=False))
    assert np.isfinite([means(scores, PROB)[system] for system in ("", "A", "B")]).all()


def test_a_run_of_before_is_not_taken_for_one_of_today(release: Release) -> None:
    run = as_before(computed(release, ScoreSettings(normalize=False)))

    again = computed(release, ScoreSettings(normalize=False))

    assert again.pk != run.pk
    assert stored(again) == stored(run)
