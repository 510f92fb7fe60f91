"""What a page says besides the words that stand in brackets, which a catalogue of tests puts around them all."""

import re
from html.parser import HTMLParser

WORD = re.compile(r"[^\W\d_]{2,}")
_BRACKETED = re.compile(r"⟦[^⟦⟧]*⟧")
_SAID = ("aria-label", "title", "placeholder", "alt")
_VOID = {"input", "link", "meta", "br", "img", "hr"}
_NOT_READ = {"script", "style", "kbd", "code"}
_OF_THE_CAMPAIGN = {"prose", "reading"}
NAMES = {"Précis"}


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._passed_over: list[str] = []  # the open elements within one that is not ours, that one first
        self._text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        is_foreign = tag != "html" and ("lang" in attributes or attributes.get("dir") == "auto")
        if tag not in _VOID and (self._passed_over or is_foreign or self._is_passed_over(tag, attributes)):
            self._passed_over.append(tag)
        if not self._passed_over or is_foreign:
            self.said += [attributes[name] for name in _SAID if name in attributes]
            if tag == "input" and attributes.get("type") in {"submit", "button"}:
                self.said.append(attributes.get("value", ""))

    @staticmethod
    def _is_passed_over(tag: str, attributes: dict[str, str]) -> bool:
        return tag in _NOT_READ or bool(_OF_THE_CAMPAIGN & set(attributes.get("class", "").split()))

    def handle_endtag(self, tag: str) -> None:
        if self._passed_over and tag not in _VOID:
            self._passed_over.pop()

    def handle_data(self, data: str) -> None:
        if not self._passed_over:
            self._text += data

    def close(self) -> None:
        super().close()
        self.said.append(self._text)


def not_translated(page: str) -> list[str]:
    """Return what a page says outside of brackets; the texts and names of the campaign do not count."""
    parser = _Page()
    parser.feed(page)
    parser.close()
    lines = (line.strip() for said in parser.said for line in _outside(said).splitlines())
    return [line for line in lines if any(word not in NAMES for word in WORD.findall(line))]


def _outside(said: str) -> str:
    """Return the text without what stands in brackets, even where a value in brackets stands in a sentence in them."""
    while (shorter := _BRACKETED.sub(" ", said)) != said:
        said = shorter
    return said
