"""The parser, where one is installed: a spaCy pipeline that finds sentences and dependencies.

`PRECIS_PARSER` names it, as `spacy.load` takes it: a package such as `en_core_web_sm`, or a folder. A pipeline with
benepar gives constituency trees, too.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.conf import settings

from crowd.errors import Refused

BATCH = 256


@dataclass(frozen=True)
class ParsedSentence:
    """Words, one dependency `relation(head-place,word-place)` for each, and a bracketed tree where there is one."""

    words: tuple[str, ...]
    dependencies: tuple[str, ...]
    constituency: str


class Parser:
    """A spaCy pipeline."""

    def __init__(self, pipeline: Any) -> None:
        self._pipeline = pipeline
        self.language: str = pipeline.lang
        self.name = f"{pipeline.lang}_{pipeline.meta['name']} {pipeline.meta['version']}"

    def parse(self, texts: Iterable[str]) -> Iterator[list[ParsedSentence]]:
        """The sentences of each text, in the order of the texts."""
        for document in self._pipeline.pipe(texts, batch_size=BATCH):
            sentences = (_sentence(sentence) for sentence in document.sents)
            yield [sentence for sentence in sentences if sentence.words]


def installed_parser() -> Parser | None:
    """The one that the settings name; Refused if it cannot be loaded."""
    return _loaded(settings.PARSER) if settings.PARSER else None


@lru_cache(maxsize=1)
def _loaded(name: str) -> Parser:
    import spacy  # noqa: PLC0415  (it takes a second to import)

    try:
        pipeline = spacy.load(name)
    except (OSError, ValueError) as error:
        raise Refused(f"PRECIS_PARSER names {name}, which spaCy cannot load: {error}") from error
    if "parser" not in pipeline.pipe_names:
        raise Refused(f"PRECIS_PARSER names {name}, which has no parser: it has {', '.join(pipeline.pipe_names)}.")
    return Parser(pipeline)


def _sentence(sentence: Any) -> ParsedSentence:
    words = [token for token in sentence if not token.is_space]
    place = {token.i: number for number, token in enumerate(words, start=1)}
    return ParsedSentence(
        words=tuple(token.text for token in words),
        dependencies=tuple(_dependency(token, place) for token in words),
        constituency=sentence._.parse_string if sentence.has_extension("parse_string") else "",
    )


def _dependency(token: Any, place: dict[int, int]) -> str:
    """As Stanford's tools write it: the root hangs on ROOT-0."""
    if token.head.i == token.i or token.head.i not in place:
        return f"root(ROOT-0,{token.text}-{place[token.i]})"
    return f"{token.dep_}({token.head.text}-{place[token.head.i]},{token.text}-{place[token.i]})"
