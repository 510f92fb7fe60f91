"""Features of one text: golden logs, written by hand with what they show."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from measures.keystrokes.edit_log import Kind, Operation, parse_log, replay
from measures.keystrokes.tests.histories import History, histories
from measures.quality_control.provenance.cuts import one_cut, small_word_share
from measures.quality_control.provenance.text_evidence import TextEvidence, text_evidence

GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text(encoding="utf-8"))


def figures(found: TextEvidence) -> dict[str, Any]:
    rhythm = found.rhythm
    return {
        "n_changes": found.changes,
        "first_ms": found.first_ms,
        "cleared": found.cleared,
        "reading_wps": found.reading_wps,
        "kept": found.kept,
        "fresh": found.fresh,
        "linear": found.linear,
        "behind": found.behind,
        "deleted_after": found.deleted_after,
        "pauses100": found.pauses_per_hundred,
        "n_iki": rhythm.intervals,
        "spread": rhythm.spread,
        "tail": rhythm.tail,
        "word_pause": rhythm.word_pause,
        "rhythm_u_minus_mean": rhythm.excess,
        "rhythm_variance": rhythm.variance,
        "leaves": found.leaves,
        "returns": found.returns,
        "away_ms": found.away_ms,
        "after_return": found.after_return,
        "after_chars": found.after_chars,
        "typed_anew": found.typed_anew,
        "ins": found.put_in,
        "n_pauses": found.pauses,
    }


@pytest.mark.parametrize("case", GOLDEN, ids=[case["name"] for case in GOLDEN])
def test_golden_logs(case: dict[str, Any]) -> None:
    log, language = parse_log(case["log"]), "de" if case["source"].startswith("Ein ") else "en"
    assert replay(case["start"], log) == case["final"]
    found = text_evidence(case["source"], case["start"], log)
    shares = {name: found.shares.get(name.removeprefix("share_"), 0.0) for name in case["expected"] if "share_" in name}
    by_words = {
        "cut": one_cut(case["source"], case["final"]),
        "fw": small_word_share(case["source"], case["final"], language),
    }
    told = {**figures(found), **shares, **by_words}
    assert told == {name: pytest.approx(case["expected"][name], abs=1e-6) for name in told}


@given(histories())
def test_any_log_has_features(history: History) -> None:
    found = text_evidence("abc", history.start, history.operations)
    assert sum(found.shares.values()) == pytest.approx(1 if history.text else 0)
    assert 0 <= found.after_chars <= sum(len(each.inserted) for each in history.operations)
    assert found.linear is None or 0 <= found.linear <= 1


def test_what_is_undone_is_no_edit() -> None:
    source = "One two three four five six seven eight nine ten."
    away = Operation(0, source, "", Kind.DELETION, 1000)
    back = Operation(0, "", source, Kind.OTHER, 2000)
    assert text_evidence(source, source, [away]).cleared
    found = text_evidence(source, source, [away, back])
    assert (found.cleared, found.kept, found.put_in) == (False, 1.0, 0)


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("a b c d e", "prefix"),
        ("a b d longword", "prefix"),  # one more word is missing
        ("a b c d longw", "prefix"),  # of “longword”
        ("f g h i j", "suffix"),
        ("f g i j", "suffix"),
        ("a b i j", "middle"),
        ("a c i j", "middle"),
        ("a b h j", "middle"),
        ("a c h j", None),
        ("a x c d", None),
        ("a b", None),
        ("a b c d longword e f g h i", None),  # too much is kept
    ],
)
def test_one_cut(text: str, cut: str | None) -> None:
    assert one_cut("a b c d longword e f g h i j", text) == cut


def test_what_a_correction_puts_in_is_a_paste_where_much_of_it_is_foreign() -> None:
    source = "The committee will meet again on Tuesday."
    tool, speller = "Members gather once more midweek", "The committee will meat again on"
    for inserted, origin in ((tool, Kind.PASTE), (speller, Kind.AUTOCORRECT)):
        found = text_evidence(source, "", [Operation(0, "", inserted, Kind.AUTOCORRECT, 9_000)])
        assert found.shares == {origin: 1.0}
        assert found.put_in == (0 if origin is Kind.PASTE else len(inserted))
    dropped = Operation(0, "", "Dropped", Kind.DROP, 1_000)
    assert text_evidence(source, "", [dropped, Operation(7, "", tool, Kind.AUTOCORRECT, 9_000)]).share(Kind.DROP) > 0
