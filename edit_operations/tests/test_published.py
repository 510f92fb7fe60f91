"""What Toutanova et al. 2016 found, beside the figures of a report."""

import pytest

from edit_operations.published import (
    SHARES_OF,
    published_comparison,
    published_joint,
    published_operations,
    published_share,
)


def test_sentences_that_were_kept_merged_and_deleted_are_not_permuted() -> None:
    assert {name: published_share(name).printed for name in ("kept", "merged", "sentence deleted")} == {
        "kept": "72.4%",
        "merged": "27.3%",
        "sentence deleted": "0.4%",
    }
    assert sum(published_share(name).value or 0 for name in ("copied", "paraphrased", "inserted")) == pytest.approx(
        0.998
    )
    classes = ("abstractive", "deletion and reordering", "deletion only")
    assert sum(published_share(name).value or 0 for name in classes) == pytest.approx(0.999)
    assert len(SHARES_OF) == 10


def test_table_5_and_6_have_their_marks() -> None:
    cell = published_comparison("substitute or insert", "grammar")
    assert cell
    assert (cell.first.value, cell.second.value, cell.p) == (2.79, 2.85, "p < .0001")
    deleted = published_comparison("sentence deleted", "meaning")
    assert deleted
    assert (deleted.first.printed, deleted.second.printed, deleted.p) == ("2.57", "2.82*", "p = .002")
    joint = published_joint("meaning")
    assert joint
    assert (joint.first.value, joint.second.value, joint.p) == (2.86, 2.78, "p < .0001")
    assert published_comparison("substitute", "fluency") is None
    assert published_comparison("move", "meaning") is None
    assert published_joint("combined") is None


def test_a_file_has_every_value_with_its_place() -> None:
    found = published_operations()
    shown = {published_share(name).row for name in SHARES_OF} | {"Substitute", "Reorder", "Merge", "Sentence Delete"}
    assert {each["row"] for each in found} == shown | {"2-Sentence", "1-Sentence"}
    assert {
        "paper": "Toutanova et al. 2016",
        "section": "3.3",
        "table": "Table 5",
        "row": "Merge",
        "column": "meaning, absent",
        "printed": "2.82**",
        "note": "** p < .0001",
        "value": 2.82,
    } in found
