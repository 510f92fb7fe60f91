"""Rules over a visit, and evidence from the texts of others."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from measures.keystrokes.edit_log import Kind, Operation
from measures.quality_control.provenance.cuts import one_cut, small_word_share
from measures.quality_control.provenance.matching import SourceWords, TextWords, is_near_same, keep_z, kept_words
from measures.quality_control.provenance.text_evidence import text_evidence
from measures.quality_control.provenance.visits import Met, Rule, VisitText, is_half, rules_met

SOURCE = (
    "The old city council voted late on Tuesday to close the harbor bridge, which carries many cars, after inspectors "
    "found cracks in two of its steel supports."
)
KNOWN = SourceWords.of(SOURCE)
REWRITTEN = "City leaders want to shut the bridge since its steel supports are badly cracked."


def handed_in(person: int, source: int, text: str, log: Sequence[Operation] = (), number: int = 0) -> VisitText:
    words = TextWords.of(text, KNOWN)
    return VisitText(
        person=person,
        source=source,
        number=number,
        evidence=text_evidence(SOURCE, SOURCE, log),
        words=words,
        kept=kept_words(words, KNOWN),
        cut=one_cut(SOURCE, text),
        small_words=small_word_share(SOURCE, text, "en"),
    )


def met_by(texts: Sequence[VisitText], person: int = 1, repeats: str = "") -> dict[Rule, Met]:
    return {met.rule: met for met in rules_met(texts, {}, repeats).get(person, [])}


def typed(text: str, gap_ms: int) -> list[Operation]:
    cleared = Operation(0, SOURCE, "", Kind.DELETION, 9_000)
    keys = [Operation(at, "", letter, Kind.TYPING, 10_000 + gap_ms * at) for at, letter in enumerate(text)]
    return [cleared, *keys]


@pytest.mark.parametrize(("texts", "needed"), [(1, 3), (5, 3), (6, 3), (7, 4), (10, 5)])
def test_half_is_at_least_three(texts: int, needed: int) -> None:
    assert [is_half(count, texts) for count in (needed - 1, needed)] == [False, True]


def test_a_program_that_types_is_met_by_every_rule_of_timing() -> None:
    met = met_by([handed_in(1, source, REWRITTEN, typed(REWRITTEN, 120)) for source in range(5)])
    assert set(met) == {Rule.IN_ONE_GO, Rule.METRONOME, Rule.NO_WORDS_IN_RHYTHM}
    assert (met[Rule.IN_ONE_GO].count, met[Rule.IN_ONE_GO].texts) == (5, 5)
    assert dict(met[Rule.IN_ONE_GO].figures) == {"put_in": 5 * len(REWRITTEN), "pauses": 0, "behind": 0}


def test_two_texts_meet_no_rule_whatever_they_are() -> None:
    assert met_by([handed_in(1, source, REWRITTEN, typed(REWRITTEN, 120)) for source in range(2)]) == {}


def test_what_a_program_sets_and_what_is_pasted_after_a_return() -> None:
    by_program = [Operation(0, SOURCE, REWRITTEN, Kind.SCRIPTED, 9_000)]
    assert set(met_by([handed_in(1, source, REWRITTEN, by_program) for source in range(4)])) == {Rule.BY_PROGRAM}
    fetched = [
        Operation(0, "", "", Kind.LEAVE, 3_000),
        Operation(0, "", "", Kind.RETURN, 9_000),
        Operation(0, SOURCE, REWRITTEN, Kind.PASTE, 12_000),
    ]
    assert set(met_by([handed_in(1, source, REWRITTEN, fetched) for source in range(4)])) == {Rule.AFTER_RETURN}
    short = [replace(edit, at_ms=edit.at_ms // 3) for edit in fetched]  # an absence of two seconds
    assert met_by([handed_in(1, source, REWRITTEN, short) for source in range(4)]) == {}


@pytest.mark.parametrize(("cuts", "texts", "is_met"), [(4, 5, True), (3, 5, False), (5, 7, True), (4, 7, False)])
def test_cuts_are_told_only_beyond_chance(cuts: int, texts: int, is_met: bool) -> None:
    cut = handed_in(1, 0, "The old city council voted late on Tuesday to close the harbor bridge.")
    visit = [replace(cut, source=source) for source in range(cuts)]
    visit += [handed_in(1, cuts + source, REWRITTEN) for source in range(texts - cuts)]
    assert (Rule.ONE_CUT in met_by(visit)) == is_met


def test_among_people_who_all_cut_nobody_is_told() -> None:
    cut = handed_in(1, 0, "The old city council voted late on Tuesday to close the harbor bridge.")
    texts = [replace(cut, person=person, source=source) for person in range(20) for source in range(5)]
    assert rules_met(texts, {}) == {}


def test_the_later_of_two_people_with_the_same_texts_is_told() -> None:
    first = [handed_in(1, source, REWRITTEN, number=source) for source in range(4)]
    second = [handed_in(2, source, REWRITTEN, number=10 + source) for source in range(4)]
    assert {person: [each.rule for each in met] for person, met in rules_met([*first, *second], {}).items()} == {
        2: [Rule.SAME_AS_OTHERS]
    }
    decoys = {source: [TextWords.of(REWRITTEN, KNOWN)] for source in range(4)}
    assert rules_met(first, decoys)[1][0].rule == Rule.SAME_AS_OTHERS


def test_equal_deletions_are_no_evidence() -> None:
    text = TextWords.of("The city council voted to close the harbor bridge after inspectors found cracks.", KNOWN)
    assert not is_near_same(text, text)


def test_flags_count_over_the_visit_and_a_repeated_text_once() -> None:
    visit = [handed_in(1, source, REWRITTEN) for source in range(7)]
    assert met_by([replace(visit[0], flags=frozenset({"odd"})), *visit[1:]]) == {}
    assert set(met_by([replace(visit[0], flags=frozenset({"same"})), *visit[1:]], repeats="same")) == {Rule.FLAGGED}
    assert set(met_by([*(replace(text, flags=frozenset({"odd"})) for text in visit[:4]), *visit[4:]])) == {Rule.FLAGGED}


def test_who_keeps_other_words_than_all_others() -> None:
    kept = [kept_words(TextWords.of(text, KNOWN), KNOWN) for text in ("city council close the bridge", "many cars two")]
    same, other = keep_z([(kept[0], [kept[0]] * 2)] * 7), keep_z([(kept[1], [kept[0]] * 2)] * 7)
    assert same is not None
    assert other is not None
    assert same[0] > 5
    assert other[0] < 1
    assert keep_z([(kept[0], [kept[0]] * 2)] * 4) is None
    assert keep_z([(kept[0], [kept[0]])] * 7) is None
