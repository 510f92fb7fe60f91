"""Deletions of a release: rate, spans and grammar, in rows, on the page and on a terminal."""

from typing import Any

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc

from edit_operations.aligned import AlignedSource
from edit_operations.aligning import source_grammars
from edit_operations.tables import SECTIONS
from edit_operations.tests.releases import cells, computed, file_of, released_with, source_of, text_of
from measures.alignment import Grammar

pytestmark = pytest.mark.django_db(transaction=True)

FULL = "The two old men went home late last night."  # nine words and a mark
SHORT, SHORTER = "The men went home late.", "Men went home."


def test_rate_spans_and_success_are_counted() -> None:
    release = released_with(
        [source_of(1, text_of(SHORT, 3), text_of("The men went home.", 2), outputs={"A": "The men."})]
    )
    found = cells(computed(release), "deletions")
    people = {figure: row for (group, figure), row in found.items() if not group}
    assert people["rate"]["value"] == pytest.approx((len(SHORT) + len("The men went home.")) / 2 / len(FULL))
    # "two old" and "last night", and "two old" and "late last night".
    assert (people["span length"]["value"], people["spans"]["value"]) == (9 / 4, 2)
    assert [people[f"spans of {n}"]["value"] for n in (1, 2, 3, 4)] == [0, 3 / 4, 1 / 4, 0]
    assert people["success rate"]["value"] == pytest.approx(9 / 10)
    system = {figure: row["value"] for (group, figure), row in found.items() if group == "A"}
    # The system deletes "two old" and "went home late last night"; of ten words it differs in three and in two.
    assert (system["spans of 2"], system["spans of 5 or more"]) == (0.5, 0.5)
    assert system["success rate"] == pytest.approx((7 + 8) / 20)
    assert found["deletion only", "rate"]["n"] == 2


def test_without_a_parser_the_grammar_is_unknown_and_said_so() -> None:
    report = computed(released_with([source_of(1, text_of(SHORT, 3))]))
    for table in ("deleted relations", "deleted subtrees", "deleted constituents"):
        ((_, row),) = cells(report, table).items()
        assert row["value"] is None
        assert "no parser for the language is set (PRECIS_SPACY_MODEL)" in row["reason"]
    assert "no parser for the language is set" in " ".join(SECTIONS["deleted-grammar"](report).notes)
    assert "deleted relations" in file_of("json", report)
    assert "no parser of constituents" not in file_of("json", report)


def test_with_a_parser_words_subtrees_and_constituents_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    relations = ("det", "nummod", "amod", "nsubj", "root", "advmod", "advmod", "amod", "nmod:npmod", "punct")
    heads = (3, 3, 3, 4, 4, 4, 4, 8, 4, 4)
    grammar = Grammar(relations, heads, (("NP", 0, 4), ("VP", 4, 9), ("NP", 7, 9), ("S", 0, 10)))
    monkeypatch.setattr("edit_operations.aligning.source_grammars", lambda sources, _parser: [grammar] * len(sources))
    report = computed(released_with([source_of(1, text_of(SHORT, 3), outputs={"A": "The men."})]))
    words = {key: row["value"] for key, row in cells(report, "deleted relations").items()}
    assert (words["", "amod"], words["", "nummod"], words["", "nsubj"], words["A", "root"]) == (1, 1, 0, 1)
    subtrees = {key: row["value"] for key, row in cells(report, "deleted subtrees").items()}
    assert (subtrees["", "nmod:npmod"], subtrees["", "nsubj"], subtrees["A", "advmod"]) == (1, 0, 1)
    constituents = {key: row["value"] for key, row in cells(report, "deleted constituents").items()}
    assert (constituents["", "NP"], constituents["", "VP"], constituents["A", "VP"]) == (0.5, 0, 1)
    rows = SECTIONS["deleted-grammar"](report).rows
    assert ("people", "constituents", "NP", "0.500", 1) in [tuple(map(_plain, row)) for row in rows]


def _plain(cell: Any) -> Any:
    return cell.strip() if isinstance(cell, str) else cell


def test_what_a_part_stores_has_the_grammar_again() -> None:
    source = AlignedSource(0, "1", "1", "", "", "", "a b", ("a", "b"), 1, (), ("det", "root"), (1, 1), (("NP", 0, 2),))
    assert AlignedSource.of(source.stored()) == source
    without = AlignedSource(0, "1", "1", "", "", "", "a", ("a",), 1, ())
    assert "relations" not in without.stored()
    assert AlignedSource.of(without.stored()) == without


def test_the_words_that_a_pipeline_gets_are_those_of_the_aligner(monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline = spacy.blank("en")

    @Language.component("all_on_the_second")
    def hang(document: Doc) -> Doc:
        for token in document:
            token.head, token.dep_ = document[1], "det" if token.i != 1 else "ROOT"
        return document

    pipeline.add_pipe("all_on_the_second")
    monkeypatch.setattr("edit_operations.aligning.load_model", lambda _name: pipeline)
    (found,) = source_grammars([("The", "man's", "home.")], "any")
    assert found == Grammar(("det", "root", "det"), (1, 1, 1))
    assert list(source_grammars([("a",)], "")) == [None]
