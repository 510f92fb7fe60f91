"""What an editor did to a text according to its alignment: classes of words, of compressions and of sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from measures.alignment.moved_words import moved_places
from measures.alignment.word_kinds import word_kinds

WordClass: TypeAlias = Literal["copied", "paraphrased", "inserted"]
CompressionClass: TypeAlias = Literal["deletion only", "deletion and reordering", "abstractive"]
SentenceClass: TypeAlias = Literal["kept", "merged", "sentence deleted"]
ParaphraseKind: TypeAlias = Literal["inflected", "listed or vector", "by place"]

COMPRESSION_CLASSES: tuple[CompressionClass, ...] = ("deletion only", "deletion and reordering", "abstractive")
SENTENCE_CLASSES: tuple[SentenceClass, ...] = ("kept", "merged", "sentence deleted")
PARAPHRASE_KINDS: tuple[ParaphraseKind, ...] = ("inflected", "listed or vector", "by place")
ENGLISH_WORD_KIND = word_kinds("en")


class WordCounts(NamedTuple):
    """Numbers of words of a text and its source by class, punctuation included; below, those of punctuation alone.

    Attributes
    ----------
    copied, paraphrased, inserted : int
        Words of the text.
    deleted, kept : int
        Words of the source.
    copied_marks, paraphrased_marks, inserted_marks, deleted_marks, kept_marks : int
        The same for words without a letter or digit.
    """

    copied: int
    paraphrased: int
    inserted: int
    deleted: int
    kept: int
    copied_marks: int
    paraphrased_marks: int
    inserted_marks: int
    deleted_marks: int
    kept_marks: int


@dataclass(frozen=True)
class TextOperations:
    """What was done to one text. Places count words from 0.

    Attributes
    ----------
    target_classes : tuple of str
        For each word of the text "copied", "paraphrased" or "inserted".
    deleted : tuple of int
        Places of the source's words to which none is aligned.
    moved : tuple of int
        Places of the text's words that stand in another order than in the source; never punctuation.
    compression : {"deletion only", "deletion and reordering", "abstractive"}
        The class of the text, punctuation ignored.
    sentences : {"kept", "merged", "sentence deleted"} or None
        What happened to the sentences of a source that has two; None for any other source.
    counts : WordCounts
        Numbers of words by class.
    paraphrases : tuple of (str or None), optional
        For each word of the text the kind of a paraphrased one, else None; None if kinds were not
        requested.
    """

    target_classes: tuple[WordClass, ...]
    deleted: tuple[int, ...]
    moved: tuple[int, ...]
    compression: CompressionClass
    sentences: SentenceClass | None
    counts: WordCounts
    paraphrases: tuple[ParaphraseKind | None, ...] | None = None

    @property
    def substitutes(self) -> bool:
        """Whether a word, punctuation aside, is paraphrased."""
        return self.counts.paraphrased > self.counts.paraphrased_marks

    @property
    def substitutes_or_inserts(self) -> bool:
        """Whether a word, punctuation aside, is paraphrased or inserted: the wider reading of a substitution."""
        return self.compression == "abstractive"

    @property
    def reorders(self) -> bool:
        """Whether any word moved."""
        return bool(self.moved)

    @property
    def merges(self) -> bool | None:
        """Whether two sentences became one; None if the source does not have two."""
        return None if self.sentences is None else self.sentences == "merged"

    @property
    def deletes_sentence(self) -> bool | None:
        """Whether one of two sentences was left out; None if the source does not have two."""
        return None if self.sentences is None else self.sentences == "sentence deleted"


def text_operations(
    source: Sequence[str],
    target: Sequence[str],
    places: Sequence[int | None],
    *,
    source_sentences: Sequence[int] | None = None,
    target_sentences: int = 1,
    word_kind: Callable[[str], str] = ENGLISH_WORD_KIND,
    least: int = 1,
    paraphrase_kind: Callable[[str, str], ParaphraseKind] | None = None,
) -> TextOperations:
    """Read from an alignment what was done to a text.

    A word is copied if it is aligned with an equal one, case folded; paraphrased if it is aligned with another;
    inserted if it is not aligned. Moved words are those outside the longest sequence of aligned words that keeps the
    source's order. A text is abstractive if a word is paraphrased or inserted, else it is deletion and reordering if a
    word moved. Of a source with two sentences, one is deleted if fewer than `least` of its content words are aligned;
    else they are kept if the text has two sentences or more, and merged if it has one.

    Source: Toutanova et al. 2016, §3.3, which says neither how punctuation counts nor when a sentence is deleted.

    Parameters
    ----------
    source, target : sequence of str, of length n and m
        The words of the source and of the text.
    places : sequence of int or None, of length m
        For each word of the text its place in the source, each at most once; None for a word that is not aligned.
    source_sentences : sequence of int, of length n, optional
        The number of the sentence of each source word; without it the source counts as one sentence.
    target_sentences : int, default 1
        Number of sentences of the text.
    word_kind : callable
        The kind of a word: "p" for punctuation, "c" for a content word, anything else for a function word. English
        words are told apart as the aligner does; see `word_kinds` for other languages.
    least : int, default 1
        Least number of aligned content words of a sentence that counts as not deleted.
    paraphrase_kind : callable, optional
        The kind of a paraphrase, given the source's word and the text's; see `paraphrase_kinds`.

    Returns
    -------
    TextOperations
        Takes time m log m + n.

    Raises
    ------
    ValueError
        If lengths differ, or a place is not one of the source or is taken twice.

    Examples
    --------
    >>> done = text_operations("He bought an automobile .".split(), "A car he bought .".split(), (2, 3, 0, 1, 4))
    >>> done.target_classes, done.moved, done.compression
    (('paraphrased', 'paraphrased', 'copied', 'copied', 'copied'), (0, 1), 'abstractive')
    """
    _check(source, target, places, source_sentences)
    classes = tuple(_word_class(source, word, place) for word, place in zip(target, places, strict=True))
    marks = [word_kind(word) == "p" for word in target]
    taken = {place for place in places if place is not None}
    deleted = tuple(place for place in range(len(source)) if place not in taken)
    moved = moved_places([None if mark else place for place, mark in zip(places, marks, strict=True)])
    kinds = [word_kind(word) for word in source]
    return TextOperations(
        target_classes=classes,
        deleted=deleted,
        moved=moved,
        compression=_compression_class(classes, marks, moved),
        sentences=_sentence_class(kinds, taken, source_sentences, target_sentences, least),
        counts=_word_counts(classes, marks, kinds, deleted),
        paraphrases=None
        if paraphrase_kind is None
        else tuple(
            paraphrase_kind(source[place], word) if place is not None and kind == "paraphrased" else None
            for word, place, kind in zip(target, places, classes, strict=True)
        ),
    )


def paraphrase_kinds(
    stem: Callable[[str], str], similar: Callable[[str, str], bool] | None = None
) -> Callable[[str, str], ParaphraseKind]:
    """Return a rule that tells kinds of paraphrases apart.

    Parameters
    ----------
    stem : callable
        The stem of a word that is case folded.
    similar : callable, optional
        Whether the list of pairs or the word vectors used for aligning consider two words similar.

    Returns
    -------
    callable
        From a source's and a text's word to "inflected" (same stem), "listed or vector" or "by place" (aligned only
        because of where it stands).

    Examples
    --------
    >>> kind = paraphrase_kinds(lambda word: word.rstrip("s"), lambda one, other: (one, other) == ("car", "auto"))
    >>> kind("car", "Cars"), kind("car", "auto"), kind("car", "it")
    ('inflected', 'listed or vector', 'by place')
    """

    def kind(source: str, target: str) -> ParaphraseKind:
        if stem(source.casefold()) == stem(target.casefold()):
            return "inflected"
        return "listed or vector" if similar is not None and similar(source, target) else "by place"

    return kind


def _check(
    source: Sequence[str],
    target: Sequence[str],
    places: Sequence[int | None],
    source_sentences: Sequence[int] | None,
) -> None:
    if len(places) != len(target):
        raise ValueError(f"{len(places)} places for {len(target)} words of the text")
    if source_sentences is not None and len(source_sentences) != len(source):
        raise ValueError(f"{len(source_sentences)} sentence numbers for {len(source)} words of the source")
    taken = [place for place in places if place is not None]
    if any(not 0 <= place < len(source) for place in taken):
        raise ValueError(f"a place is not one of the source's {len(source)} words")
    if len(set(taken)) < len(taken):
        raise ValueError("two words are aligned with one word of the source")


def _word_class(source: Sequence[str], word: str, place: int | None) -> WordClass:
    if place is None:
        return "inserted"
    return "copied" if source[place].casefold() == word.casefold() else "paraphrased"


def _compression_class(classes: Sequence[WordClass], marks: Sequence[bool], moved: Collection[int]) -> CompressionClass:
    if any(each != "copied" and not mark for each, mark in zip(classes, marks, strict=True)):
        return "abstractive"
    return "deletion and reordering" if moved else "deletion only"


def _sentence_class(
    kinds: Sequence[str],
    taken: Collection[int],
    source_sentences: Sequence[int] | None,
    target_sentences: int,
    least: int,
) -> SentenceClass | None:
    if source_sentences is None or len(set(source_sentences)) != 2:
        return None
    aligned = Counter(source_sentences[place] for place in taken if kinds[place] == "c")
    if any(aligned[sentence] < least for sentence in set(source_sentences)):
        return "sentence deleted"
    return "kept" if target_sentences >= 2 else "merged"


def _word_counts(
    classes: Sequence[WordClass], marks: Sequence[bool], kinds: Sequence[str], deleted: Sequence[int]
) -> WordCounts:
    of_all = Counter(classes)
    of_marks = Counter(each for each, mark in zip(classes, marks, strict=True) if mark)
    source_marks, deleted_marks = kinds.count("p"), sum(kinds[place] == "p" for place in deleted)
    return WordCounts(
        copied=of_all["copied"],
        paraphrased=of_all["paraphrased"],
        inserted=of_all["inserted"],
        deleted=len(deleted),
        kept=len(kinds) - len(deleted),
        copied_marks=of_marks["copied"],
        paraphrased_marks=of_marks["paraphrased"],
        inserted_marks=of_marks["inserted"],
        deleted_marks=deleted_marks,
        kept_marks=source_marks - deleted_marks,
    )
