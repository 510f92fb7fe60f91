"""What is refused and what is asked of sentences that fuse two others."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from measures.text.fusion_rule import FusionQuestion, FusionReason, check_fusion
from measures.text.length_rule import Reason
from measures.text.normalization import length

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parent / "fusion.json").read_text())
PAIR: tuple[str, str] = (GOLDEN["sources"][0], GOLDEN["sources"][1])
VERDICTS = {
    "taken": ((), ()),
    "refused: two sentences": ((FusionReason.SEVERAL_SENTENCES,), ()),
    "asked: a copy of one source": ((), (FusionQuestion.COPY,)),
    "refused: too long": ((Reason.TOO_LONG,), ()),
    "refused: empty": ((Reason.EMPTY,), ()),
}


@pytest.mark.parametrize(("text", "verdict"), GOLDEN["cases"])
def test_cases(text: str, verdict: str) -> None:
    found = check_fusion(PAIR, text)
    assert (found.reasons, found.questions) == VERDICTS[verdict]
    assert (found.rule.source_length, found.rule.allowed) == (
        GOLDEN["joined_characters"],
        GOLDEN["allowed (75%, floor)"],
    )


def test_options() -> None:
    longer = "The plant opened in 1990 , will close in May and employs"
    assert check_fusion(PAIR, longer).accepted
    within = check_fusion(PAIR, longer, within_longer=True)
    assert (within.reasons, within.rule.allowed, within.rule.excess) == ((Reason.TOO_LONG,), 49, len(longer) - 49)
    asked = check_fusion(PAIR, "The plant opened . It will close .", ask_sentences=True)
    assert asked.accepted
    assert asked.questions == (FusionQuestion.SEVERAL_SENTENCES,)


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        ("It will close, the owner said.", (FusionQuestion.ONE_SOURCE,)),
        ("the plant opened in 1990 and employs 300 people", (FusionQuestion.COPY,)),
        ("In the plant.", (FusionQuestion.ONE_SOURCE,)),
        ("In the.", ()),
    ],
)
def test_words_of_one_source_are_asked_about(text: str, questions: tuple[FusionQuestion, ...]) -> None:
    assert check_fusion(PAIR, text).questions == questions


def test_sources_with_the_same_words_raise_no_question_of_words() -> None:
    assert check_fusion(("Rain fell.", "Rain fell here."), "Rain fell now.").questions == ()


@settings(max_examples=60, deadline=None)
@given(
    st.text("ab. Z", min_size=1, max_size=40), st.text("ab. Z", min_size=1, max_size=40), st.text("ab. Z", max_size=60)
)
def test_nothing_longer_than_three_quarters_is_accepted_and_nothing_refused_is_asked(a: str, b: str, text: str) -> None:
    found = check_fusion((a, b), text)
    assert not (found.accepted and not 1 <= length(text) <= length(f"{a} {b}") * 3 // 4)
    assert not (found.reasons and found.questions)
