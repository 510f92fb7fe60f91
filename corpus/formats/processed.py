"""ProcessedData/*.tsv of the public release: tokens, trees and word alignment of the texts in RawData/*.tsv.

UTF-8 with a byte order mark, CR LF; one source per line: `id, tokens, dependency trees, constituency trees`, then for
each compression that was rated, after ` ||| `, `tokens, dependency trees, constituency trees, word alignment`, parted
by tabs. Sentences are joined by ` <eos> `, the parts of a sentence by spaces. The alignment has for each token of the
compression the place of a token in the source, from 0; `<eos>` is no token. A token without a counterpart has the
place of the nearest token that has one, as in the public release, so that such places cannot be told apart in this
format; -1 stands only where no token of the compression has a counterpart. A field without a value is empty.
"""

from collections.abc import Sequence

from corpus.formats.base import CardFacts, ReleaseFormat
from corpus.formats.rawdata import SEPARATOR, cell
from corpus.release.records import ReleasedSource, ReleasedText
from measures.alignment import Aligner, align_words, forced
from measures.text.parsing import ParsedSentence

END_OF_SENTENCE = " <eos> "
Parsed = Sequence[ParsedSentence]


def texts_of(source: ReleasedSource) -> list[str]:
    """What is to be parsed: the source, and its texts in their order."""
    return [source.text, *(text.text for text in source.texts if text.ratings)]


def processed_line(source: ReleasedSource, parsed: Sequence[Parsed], align: Aligner = align_words) -> str:
    """The line of a source from its parsed texts, in the order of `texts_of`."""
    whole, *texts = parsed
    words = _words(whole)
    rated = [text for text in source.texts if text.ratings]
    parts = [
        _fields(text, _alignment(words, _words(text), released, align))
        for text, released in zip(texts, rated, strict=True)
    ]
    return SEPARATOR.join((f"{cell(source.source_id)}\t{_fields(whole)}", *parts))


def _fields(parsed: Parsed, *more: str) -> str:
    tokens = END_OF_SENTENCE.join(" ".join(map(cell, each.words)) for each in parsed)
    dependencies = END_OF_SENTENCE.join(" ".join(map(cell, each.dependencies)) for each in parsed)
    constituency = END_OF_SENTENCE.join(cell(each.constituency) for each in parsed if each.constituency)
    return "\t".join((tokens, dependencies, constituency, *more))


def _words(parsed: Parsed) -> list[str]:
    return [word for sentence in parsed for word in sentence.words]


def _alignment(source: Sequence[str], target: Sequence[str], released: ReleasedText, align: Aligner) -> str:
    """Return the places that staff corrected if the words are the same, else the aligner's; every word has a place."""
    made = released.alignment
    is_same = made is not None and (made.source_words, made.words) == (tuple(source), tuple(target))
    places = made.places if made is not None and is_same else align(source, target)
    return " ".join(map(str, forced(places, len(source))))


def _card(facts: CardFacts) -> str:
    if not facts.parser:
        return ""
    return (
        f"`ProcessedData/` has the words, trees and word alignments of the same texts, by the parser {facts.parser}: "
        "sentences joined by `<eos>`, and for each word of a compression a place in the source from 0. A word "
        "without a counterpart has the place of the nearest word that has one, and cannot be told from it here; -1 "
        "stands only where no word has a counterpart."
    )


FORMAT = ReleaseFormat("ProcessedData", rank=70, writer=None, card=_card)
