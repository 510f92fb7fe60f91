"""ProcessedData/*.tsv of the public release: tokens, trees and word alignment of the texts in RawData/*.tsv.

UTF-8 with a byte order mark, CR LF; one source per line: `id, tokens, dependency trees, constituency trees`, then for
each compression that was rated, after ` ||| `, `tokens, dependency trees, constituency trees, word alignment`, parted
by tabs. Sentences are joined by ` <eos> `, the parts of a sentence by spaces. The alignment has for each token of the
compression the place of its token in the source, from 0, or -1; `<eos>` is no token. A field without a value is empty.
"""

from collections.abc import Iterable, Sequence

from corpus.formats.base import CardFacts, ReleaseFormat
from corpus.formats.rawdata import SEPARATOR, cell
from corpus.release.records import ReleasedSource
from measures.alignment.word_alignment import align_words
from measures.text.parsing import ParsedSentence

END_OF_SENTENCE = " <eos> "
Parsed = Sequence[ParsedSentence]


def texts_of(source: ReleasedSource) -> list[str]:
    """What is to be parsed: the source, and its texts in their order."""
    return [source.text, *(text.text for text in source.texts if text.ratings)]


def processed_line(source: ReleasedSource, parsed: Sequence[Parsed]) -> str:
    """The line of a source from its parsed texts, in the order of `texts_of`."""
    whole, *texts = parsed
    words = _words(whole)
    parts = [_fields(text, " ".join(_alignment(words, _words(text)))) for text in texts]
    return SEPARATOR.join((f"{cell(source.source_id)}\t{_fields(whole)}", *parts))


def _fields(parsed: Parsed, *more: str) -> str:
    tokens = END_OF_SENTENCE.join(" ".join(map(cell, each.words)) for each in parsed)
    dependencies = END_OF_SENTENCE.join(" ".join(map(cell, each.dependencies)) for each in parsed)
    constituency = END_OF_SENTENCE.join(cell(each.constituency) for each in parsed if each.constituency)
    return "\t".join((tokens, dependencies, constituency, *more))


def _words(parsed: Parsed) -> list[str]:
    return [word for sentence in parsed for word in sentence.words]


def _alignment(source: Sequence[str], target: Sequence[str]) -> Iterable[str]:
    return ("-1" if place is None else str(place) for place in align_words(source, target))


def _card(facts: CardFacts) -> str:
    if not facts.parser:
        return ""
    return (
        f"`ProcessedData/` has the words, trees and word alignments of the same texts, by the parser {facts.parser}: "
        "sentences joined by `<eos>`, and for each word of a compression the place of its word in the source from 0, "
        "or -1."
    )


FORMAT = ReleaseFormat("ProcessedData", rank=70, writer=None, card=_card)
