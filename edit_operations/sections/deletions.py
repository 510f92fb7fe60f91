"""What goes of the sources: rate, spans, and what the deleted words were in the grammar of their sentence."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from edit_operations.aligned import AlignedSource
from edit_operations.sections.base import RELEASE, Line, ReleaseTexts, ReportSection, Row, row
from edit_operations.sections.shares import MAX_GROUPS, ratio_values
from measures.alignment import DeletedText, Grammar, deletion_figures, deletions_by_grammar, kept_words
from measures.core.arrays import BoolArray

DELETIONS = "deletions"
BY_GRAMMAR = {
    "deleted relations": "relation",
    "deleted subtrees": "subtree",
    "deleted constituents": "constituent",
}
NO_PARSER = "no parser for the language is set (PRECIS_SPACY_MODEL), so the grammar of the sources is not known"
NO_CONSTITUENTS = "the pipeline has no parser of constituents (benepar)"
DELETION_ONLY = "deletion only"
Group = tuple[str, str, Sequence[Line]]


def deletion_groups(texts: ReleaseTexts) -> Iterator[Group]:
    """Yield all texts by people, those of them that only delete, and the outputs of each system."""
    yield RELEASE, "", texts.people
    yield "class", DELETION_ONLY, [line for line in texts.people if line.text.compression == DELETION_ONLY]
    outputs: dict[str, list[Line]] = defaultdict(list)
    for line in texts.outputs:
        outputs[line.text.system].append(line)
    for system in sorted(outputs)[:MAX_GROUPS]:
        yield "system", system, outputs[system]


def deletion_rows(texts: ReleaseTexts) -> list[Row]:
    """Describe deletions, of the release and of each system."""
    kept = _kept_by_people(texts)
    chosen = texts.parameters
    rows: list[Row] = []
    for part, group, lines in deletion_groups(texts):
        deleted = _deleted(texts, lines, kept)
        found = deletion_figures(deleted, draws=chosen.draws, seed=chosen.seed)
        rows += [
            row(DELETIONS, figure, part=part, group=group, **ratio_values(each, len(lines)))
            for figure, each in found.items()
        ]
        rows += [each for table in BY_GRAMMAR for each in _by_grammar(texts, table, part, group, deleted)]
    return rows


def _by_grammar(
    texts: ReleaseTexts, table: str, part: str, group: str, deleted: Sequence[DeletedText]
) -> Iterator[Row]:
    chosen = texts.parameters
    found = deletions_by_grammar(deleted, BY_GRAMMAR[table], draws=chosen.draws, seed=chosen.seed)
    for name, share in found.items():
        yield row(table, name, part=part, group=group, **ratio_values(share, len(deleted)))
    if not found and part == RELEASE:
        is_parsed = any(text.grammar is not None for text in deleted)
        yield row(table, "all", n=len(deleted), reason=NO_CONSTITUENTS if is_parsed else NO_PARSER)


def _deleted(
    texts: ReleaseTexts, lines: Sequence[Line], kept: Mapping[int, Sequence[tuple[str, BoolArray]]]
) -> list[DeletedText]:
    families = texts.families(lines).tolist()
    return [
        DeletedText(
            family,
            kept_words(len(line.source.words), line.text.places),
            line.text.rate,
            [
                theirs
                for text, theirs in kept.get(line.source.place, ())
                if line.text.is_output or text != line.text.text
            ],
            _grammar(line.source),
        )
        for family, line in zip(families, lines, strict=True)
    ]


def _kept_by_people(texts: ReleaseTexts) -> Mapping[int, Sequence[tuple[str, BoolArray]]]:
    found: dict[int, list[tuple[str, BoolArray]]] = defaultdict(list)
    for line in texts.people:
        found[line.source.place].append((line.text.text, kept_words(len(line.source.words), line.text.places)))
    return found


def _grammar(source: AlignedSource) -> Grammar | None:
    return Grammar(source.relations, source.heads, source.constituents) if source.relations else None


SECTIONS = [ReportSection(70, deletion_rows)]
