"""A language model that is asked as the OpenAI chat format has it: prompts with the length rule, requests, answers."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from measures.core.undefined import Undefined
from measures.text.normalization import length
from systems.programs.baselines import Compress
from systems.programs.texts import Output, Range, Source, is_usable, outside_output

MOST_CHARACTERS = 20_000
NEEDED, KNOWN = ("text", "allowed"), ("text", "allowed", "minimum", "language")
KNOWN_AGAIN = ("allowed", "minimum", "length")
PLACEHOLDER = re.compile(r"\{([A-Za-z_]+)\}")
BETWEEN = re.compile(r"^---[ \t]*\n", re.MULTILINE)

Request: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Prompt:
    """What a model is told for each text.

    Attributes
    ----------
    first : str
        Said for a text, with ``{text}``, ``{allowed}`` (its most characters), ``{minimum}`` and ``{language}``.
    again : str
        Said after an answer that breaks the length rule, with ``{length}`` (of the answer), ``{allowed}`` and
        ``{minimum}``; empty if the first is only asked again.
    checksum : str
        SHA-256 of both as their file has them.
    """

    first: str
    again: str
    checksum: str

    @classmethod
    def read(cls, content: str) -> Prompt:
        """Read a prompt from its file, in which a line ``---`` stands before the second part.

        Raises
        ------
        ValueError
            If it is too long, has more parts, lacks ``{text}`` or ``{allowed}``, or has a placeholder of no meaning.

        Examples
        --------
        >>> Prompt.read("Shorten this to {allowed} characters: {text}").again
        ''
        """
        if len(content) > MOST_CHARACTERS:
            raise ValueError(f"{len(content):,} characters, at most {MOST_CHARACTERS:,} can be a prompt")
        parts = [part.strip() for part in BETWEEN.split(content)]
        if len(parts) > 2:
            raise ValueError("more than two parts between lines of ---")
        first, again = (*parts, "")[:2]
        for part, known in ((first, KNOWN), (again, KNOWN_AGAIN)):
            if unknown := [name for name in PLACEHOLDER.findall(part) if name not in known]:
                meant = ", ".join(f"{{{name}}}" for name in known)
                raise ValueError(f"{{{unknown[0]}}} stands for nothing there; what can be named is {meant}")
        if missing := [name for name in NEEDED if f"{{{name}}}" not in first]:
            raise ValueError(
                f"{{{missing[0]}}} is missing: a prompt names the text and how many characters it may have"
            )
        return cls(first, again, hashlib.sha256(content.encode()).hexdigest())

    def of(self, source: Source, range_: Range) -> str:
        """Return what is said for a text."""
        return _filled(self.first, {"text": source.text, "language": source.language, **_lengths(source, range_)})

    def after(self, answer: str, source: Source, range_: Range) -> str:
        """Return what is said after an answer that breaks the rule."""
        return _filled(self.again, {"length": str(length(answer)), **_lengths(source, range_)})


def _lengths(source: Source, range_: Range) -> dict[str, str]:
    return {"allowed": str(range_.most_length(source.text)), "minimum": str(range_.least_length(source.text))}


def _filled(part: str, values: Mapping[str, str]) -> str:
    """Put values in the place of their names, all at once: a text may have braces of its own."""
    return PLACEHOLDER.sub(lambda match: values[match[1]], part)


@dataclass(frozen=True)
class Chat:
    """How a model is asked.

    Attributes
    ----------
    model : str
        Its name.
    prompt : Prompt
        What it is told.
    temperature : float or None
        As it is sent; None leaves it to the other side.
    tries : int
        How often it is asked for a text that keeps the length rule, at least once.

    Raises
    ------
    ValueError
        If all tries would be the same.
    """

    model: str
    prompt: Prompt
    temperature: float | None = None
    tries: int = 3

    def __post_init__(self) -> None:
        if self.tries > 1 and self.temperature == 0 and not self.prompt.again:
            raise ValueError(
                "With temperature 0 each try would be the same: say in a second part of the prompt, after a line ---, "
                "what the model is told after an answer that is too long, or ask for one try only."
            )

    def request(self, messages: list[dict[str, str]], seed: int | None) -> Request:
        """Return the body of a request."""
        given = {"temperature": self.temperature, "seed": seed}
        chosen = {name: value for name, value in given.items() if value is not None}
        return {"model": self.model, "messages": messages, **chosen}

    def opening(self, source: Source, range_: Range) -> list[dict[str, str]]:
        """Return the messages of the first request for a text."""
        return [{"role": "user", "content": self.prompt.of(source, range_)}]


@dataclass(frozen=True)
class Said:
    """What an answer says: the text if there is a whole one, and the tokens that it took if it tells them."""

    text: str | None = None
    prompt_tokens: int | None = None
    answer_tokens: int | None = None

    @classmethod
    def read(cls, body: bytes) -> Said:
        """Read the body of an answer; whatever is no answer has no text.

        Examples
        --------
        >>> Said.read(b'{"choices": [{"message": {"content": " A cat sat. "}}], "usage": {"prompt_tokens": 9}}')
        Said(text='A cat sat.', prompt_tokens=9, answer_tokens=None)
        >>> Said.read(b"<html>")
        Said(text=None, prompt_tokens=None, answer_tokens=None)
        """
        try:
            return cls.of(json.loads(body))
        except (ValueError, RecursionError):
            return cls()

    @classmethod
    def of(cls, answer: object) -> Said:
        """Read an answer; one that was cut off at its side's limit of tokens has no text."""
        if not isinstance(answer, dict):
            return cls()
        usage = answer.get("usage")
        counts = usage if isinstance(usage, dict) else {}
        tokens = (_count(counts.get(name)) for name in ("prompt_tokens", "completion_tokens"))
        return cls(_first_text(answer.get("choices")), *tokens)


def _first_text(choices: object) -> str | None:
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    text = message.get("content") if isinstance(message, dict) else None
    if not isinstance(choice, dict) or not isinstance(text, str) or choice.get("finish_reason") == "length":
        return None
    return text.strip() or None


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 10**9 else None


Ask: TypeAlias = Callable[[str, int, Request], Said]
"""Of the id of a source, the number of the try, and the request."""


def language_model(chat: Chat, ask: Ask, *, is_as_is: bool = False) -> Compress:
    """Return a system that asks a language model until its answer keeps the length rule.

    Parameters
    ----------
    chat : Chat
        How it is asked; each try has a seed of its own, one more than that of the try before.
    ask : callable
        Sends a request, and returns what was answered.
    is_as_is : bool
        Take the last answer if none keeps the rule, and mark it.

    Returns
    -------
    callable
        The system; the notes of its outputs say how many tries there were, if there were several.
    """

    def compress(source: Source, range_: Range, seed: int) -> Output | Undefined:
        messages = chat.opening(source, range_)
        found: Output | Undefined = Undefined("no answer with a text")
        for number in range(1, chat.tries + 1):
            said = ask(source.id, number, chat.request(messages, seed + number - 1))
            if said.text is None:
                continue
            note = f"{number} tries" if number > 1 else ""
            found = outside_output(source, said.text, range_, is_as_is=is_as_is, note=note)
            if is_usable(source, said.text, range_):
                break
            if chat.prompt.again:
                answer = {"role": "assistant", "content": said.text}
                messages = [
                    *messages,
                    answer,
                    {"role": "user", "content": chat.prompt.after(said.text, source, range_)},
                ]
        return found

    return compress
