"""The tokens of texts."""

import pytest
from hypothesis import given

from measures.spans.tests.golden import GOLDEN
from measures.spans.tests.test_characters import texts
from measures.spans.tokens import tokens


@pytest.mark.parametrize("name", ["t1", "t2", "t3", "t4"])
def test_tokens_of_the_golden_texts(name: str) -> None:
    text = GOLDEN["spans"]["texts"][name]
    assert [list(each) for each in tokens(text["output"])] == text["tokens"]


@given(texts)
def test_tokens_hold_all_that_is_visible_once(text: str) -> None:
    for language in ("en", "ja"):
        joined = "".join(text[start:end] for start, end in tokens(text, language))
        assert "".join(joined.split()) == "".join(text.split())
