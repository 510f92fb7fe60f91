"""Variants of a score where texts are translated: which texts are scored, and against which references."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, TypeAlias

from measures.core.undefined import Undefined

TextKey: TypeAlias = tuple[str, str]
"""An input, and the system or the person whose text it is."""

Texts: TypeAlias = Mapping[TextKey, str]
VariantKind: TypeAlias = Literal[
    "original",
    "translated outputs",
    "translated references",
    "original and translated references",
    "translated outputs and references",
    "summarized translations",
]
Summarizer: TypeAlias = Callable[[str, str], str | Undefined]
"""Shortens a text in a language, given by its tag, or says why it cannot."""

SUMMARIZER = "LSA"
_SCRIPT_LETTERS = 4


class Translation(NamedTuple):
    """A translation of a source, of a reference or of an output.

    Attributes
    ----------
    input : str
        The input that the text belongs to.
    kind : {"source", "reference", "output"}
        What was translated.
    text : str
        The original.
    language : str
        Tag of the language that it was translated into.
    made_by : str
        The translator.
    translated : str
        The translation.
    """

    input: str
    kind: str
    text: str
    language: str
    made_by: str
    translated: str


@dataclass(frozen=True, eq=False)
class Variant:
    """Texts to score and the references to score them against, all in one language.

    Attributes
    ----------
    kind : str
        Which texts are translated.
    language : str
        Tag of the language of all texts, which says how they are cut into words and stemmed.
    outputs : mapping of (input, system) to str
        Outputs of systems.
    people : mapping of (input, person) to str
        Texts by people, scored as if they were outputs; empty where they are not in this form.
    references : mapping of (input, person) to tuple of str
        Texts by people to score against: several of one person where several translations are used together.
    output_translators, reference_translators : tuple of str
        Who translated; empty for originals.

    Examples
    --------
    >>> Variant("translated outputs", "en", {}, {}, {}, ("X 2.1",)).name
    'translated outputs (X 2.1), en'
    """

    kind: VariantKind
    language: str
    outputs: Texts
    people: Texts
    references: Mapping[TextKey, tuple[str, ...]]
    output_translators: tuple[str, ...] = ()
    reference_translators: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What is translated, by whom, and the language."""
        translators = ", ".join(dict.fromkeys((*self.output_translators, *self.reference_translators)))
        return f"{self.kind}{f' ({translators})' if translators else ''}, {self.language}"


@dataclass
class _InOneLanguage:
    """Translations into one language, by translator."""

    language: str
    sources: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    outputs: dict[str, dict[TextKey, str]] = field(default_factory=lambda: defaultdict(dict))
    references: dict[str, dict[TextKey, str]] = field(default_factory=lambda: defaultdict(dict))


def translated_variants(
    language: str,
    outputs: Texts,
    references: Texts,
    translations: Iterable[Translation | tuple[str, str, str, str, str, str]],
    *,
    summarize: Summarizer | None = None,
) -> tuple[Variant, ...]:
    """Set up all variants of a score that some translations allow.

    The first one has the originals. Translations back into the language of the originals (or texts of other languages
    translated into it) are compared with originals: translated outputs with original references; original outputs with
    the references of each translator, with those of all together, and with these and the originals. In any other
    language, translated outputs are compared with the references of the same translator and with those of all.
    Sources that were translated and then summarized are compared with the references in their language.

    Source: Steinberger and Turchi 2012, "Machine translation for multilingual summary content evaluation", §5, §6.

    Parameters
    ----------
    language : str
        Tag of the language of the originals.
    outputs : mapping of (input, system) to str
        Original outputs of systems.
    references : mapping of (input, person) to str
        Original texts by people.
    translations : iterable of Translation
        Those whose original is not there are left out. Later ones of the same text by the same translator are, too.
    summarize : callable, optional
        Shortens a translated source, such as by its best sentences.

    Returns
    -------
    tuple of Variant
        Those that have outputs and references.

    Examples
    --------
    >>> outputs, references = {("1", "A"): "Short."}, {("1", "Ann"): "Brief.", ("1", "Ben"): "Small."}
    >>> french = [("1", "output", "Short.", "fr", "X", "Court."), ("1", "reference", "Brief.", "fr", "X", "Bref.")]
    >>> [variant.name for variant in translated_variants("en", outputs, references, french)]
    ['original, en', 'translated outputs and references (X), fr']
    >>> back = [("1", "output", "Short.", "en", "X and back", "Not long.")]
    >>> translated_variants("en", outputs, references, back)[1].outputs
    {('1', 'A'): 'Not long.'}
    """
    original = Variant("original", language, outputs, references, _each_alone(references))
    found = [original]
    for one in _by_language(translations, outputs, references).values():
        is_same = _same_language(one.language, language)
        found += _with_originals(original, one) if is_same else _all_translated(one)
        if summarize is not None:
            found += _summarized(one, original.references if is_same else _together(one.references.values()), summarize)
    return tuple(variant for variant in found if variant.outputs and variant.references)


def _with_originals(original: Variant, one: _InOneLanguage) -> Iterator[Variant]:
    """Yield the variants that compare translations with originals of the same language."""
    for maker, outputs in one.outputs.items():
        people = one.references.get(maker, {})
        yield replace(original, kind="translated outputs", outputs=outputs, people=people, output_translators=(maker,))
    for makers in _alone_and_together(one.references):
        references = _together(one.references[maker] for maker in makers)
        yield replace(original, kind="translated references", references=references, reference_translators=makers)
    if makers := tuple(one.references):
        references = _together([original.people, *one.references.values()])
        kind: VariantKind = "original and translated references"
        yield replace(original, kind=kind, references=references, reference_translators=makers)


def _all_translated(one: _InOneLanguage) -> Iterator[Variant]:
    """Yield the variants in a language that the originals are not in."""
    for maker, outputs in one.outputs.items():
        for makers in _alone_and_together(one.references):
            if len(makers) == 1 and len(one.references) > 1 and makers != (maker,):
                continue
            references = _together(one.references[each] for each in makers)
            people = one.references.get(maker, {})
            kind: VariantKind = "translated outputs and references"
            yield Variant(kind, one.language, outputs, people, references, (maker,), makers)


def _summarized(
    one: _InOneLanguage, references: Mapping[TextKey, tuple[str, ...]], summarize: Summarizer
) -> Iterator[Variant]:
    for maker, sources in one.sources.items():
        texts = {(each, SUMMARIZER): summarize(text, one.language) for each, text in sources.items()}
        outputs = {key: text for key, text in texts.items() if not isinstance(text, Undefined)}
        yield Variant("summarized translations", one.language, outputs, {}, references, (maker,))


def _by_language(
    translations: Iterable[Translation | tuple[str, str, str, str, str, str]], outputs: Texts, references: Texts
) -> dict[str, _InOneLanguage]:
    """Give each translation to the systems or people whose text it is of."""
    systems, people = _authors(outputs), _authors(references)
    found: dict[str, _InOneLanguage] = {}
    for each in translations:
        row = Translation(*each)
        one = found.setdefault(_language_key(row.language), _InOneLanguage(row.language))
        if row.kind == "source":
            one.sources[row.made_by].setdefault(row.input, row.translated)
            continue
        authors, texts = (systems, one.outputs) if row.kind == "output" else (people, one.references)
        for author in authors.get((row.input, row.text), []):
            texts[row.made_by].setdefault((row.input, author), row.translated)
    return found


def _authors(texts: Texts) -> dict[tuple[str, str], list[str]]:
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for (name, author), text in texts.items():
        found[name, text].append(author)
    return found


def _alone_and_together(references: Mapping[str, Texts]) -> list[tuple[str, ...]]:
    alone: list[tuple[str, ...]] = [(maker,) for maker in references]
    return [*alone, tuple(references)] if len(references) > 1 else alone


def _together(several: Iterable[Texts]) -> dict[TextKey, tuple[str, ...]]:
    found: dict[TextKey, list[str]] = defaultdict(list)
    for texts in several:
        for key, text in texts.items():
            found[key].append(text)
    return {key: tuple(dict.fromkeys(texts)) for key, texts in found.items()}


def _each_alone(texts: Texts) -> dict[TextKey, tuple[str, ...]]:
    return {key: (text,) for key, text in texts.items()}


def _same_language(first: str, second: str) -> bool:
    return _language_key(first) == _language_key(second)


def _language_key(tag: str) -> str:
    """Return the language and the script of a tag: texts of different regions can be compared."""
    first, *subtags = tag.lower().split("-")
    script = next((each for each in subtags if len(each) == _SCRIPT_LETTERS and each.isalpha()), "")
    return f"{first}-{script}"
