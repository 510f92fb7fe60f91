"""The texts of a campaign or a release as files for programs that run elsewhere."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from systems.programs.chat import Chat
from systems.programs.texts import Range, Source

JSONL, TXT, BATCH = FORMATS = ("jsonl", "txt", "batch")
CHAT_PATH = "/v1/chat/completions"


def input_lines(sources: Iterable[Source], range_: Range, form: str, chat: Chat | None = None) -> Iterator[str]:
    """Yield a line for each text: all that is known of it, the text alone, or a request of a batch interface."""
    for source in sources:
        if form == TXT:
            yield source.text
        elif form == BATCH:
            yield _line(_request(source, range_, chat))
        else:
            yield _line(_input(source, range_))


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


def _input(source: Source, range_: Range) -> dict[str, Any]:
    return {
        "id": source.id,
        "text": source.text,
        "sentences": list(source.sentences),
        "minimum": range_.least_length(source.text),
        "allowed": range_.most_length(source.text),
    }


def _request(source: Source, range_: Range, chat: Chat | None) -> dict[str, Any]:
    if chat is None:
        raise ValueError("a batch needs a model and a prompt")
    body = chat.request(chat.opening(source, range_), None)
    return {"custom_id": source.id, "method": "POST", "url": CHAT_PATH, "body": body}
