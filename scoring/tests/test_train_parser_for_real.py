"""`train_parser` by spaCy itself: one step of training, and a pipeline that parses."""

from pathlib import Path

import pytest

from measures.metrics import Analysis, Tokenizer
from tests.support.reports import printed

pytestmark = pytest.mark.slow

SENTENCE = [
    ["1", "Zwei", "zwei", "NUM", "CARD", "_", "2", "nummod", "_", "_"],
    ["2", "Männer", "Mann", "NOUN", "NN", "_", "3", "nsubj", "_", "_"],
    ["3", "gingen", "gehen", "VERB", "VVFIN", "_", "0", "root", "_", "_"],
    ["4", "heim", "heim", "ADV", "ADV", "_", "3", "advmod", "_", "_"],
]


def test_a_treebank_becomes_a_parser_for_its_language(tmp_path: Path) -> None:
    sentence = "\n".join("\t".join(fields) for fields in SENTENCE)
    (tmp_path / "t.conllu").write_text(f"{sentence}\n\n" * 60, encoding="utf-8")
    output = tmp_path / "de_tiny"

    printed("train_parser", str(tmp_path / "t.conllu"), f"--output={output}", "--language=de", "--steps=5")

    analysis = Analysis(Tokenizer(language="de"), str(output))
    assert analysis.parser_signature.startswith("de_de_tiny-0.0.0-")
    (text,) = analysis.texts(["Zwei Männer gingen heim"])
    assert text.words == ("zwei", "männer", "gingen", "heim")
    assert text.triples is not None
