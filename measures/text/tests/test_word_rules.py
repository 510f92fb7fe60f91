"""Whether spaCy has rules for a language is said as spaCy itself would."""

from pathlib import Path

import pytest

from measures.text.spacy_models import blank_model, has_word_rules

spacy = pytest.importorskip("spacy")


def test_every_language_of_spacy_is_judged_as_spacy_does() -> None:
    folders = [each for each in (Path(spacy.__file__).parent / "lang").iterdir() if (each / "__init__.py").is_file()]
    assert len(folders) > 50

    for language in (folder.name for folder in folders):
        try:
            blank_model(language)
        except ValueError:
            assert not has_word_rules(language), language
        else:
            assert has_word_rules(language), language


@pytest.mark.parametrize("language", ["", "..", "xzz", "e"])
def test_what_is_no_language_of_spacy_has_no_rules(language: str) -> None:
    assert not has_word_rules(language)
