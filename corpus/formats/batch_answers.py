"""The answers of the batch interfaces of language models: a line of JSON for each source, by its `custom_id`."""

import json
from typing import Any

from compressions.readers import TOO_LONG, BadLine, Row, Rows, json_fault, lines_of

CUSTOM_ID = "custom_id"


def is_batch(content: bytes) -> bool:
    """Whether the first line with something on it is an answer of a batch."""
    first = next((line for line in lines_of(content) if line is None or line.strip()), None)
    try:
        said = json.loads(first) if first else None
    except (ValueError, RecursionError):
        return False
    return isinstance(said, dict) and CUSTOM_ID in said


def batch_rows(content: bytes) -> Rows:
    """Yield the id and the text of each line: the first choice's, if it was not cut off."""
    for number, line in enumerate(lines_of(content), start=1):
        if line is None:
            yield BadLine(number, TOO_LONG)
        elif line.strip():
            yield _row(number, line)


def _row(number: int, line: bytes) -> Row | BadLine:
    try:
        said: Any = json.loads(line)
    except UnicodeDecodeError as error:
        return BadLine(number, f"not UTF-8 (byte {error.start + 1} of the line)")
    except (ValueError, RecursionError) as error:
        return BadLine(number, f"not JSON ({json_fault(error)})")
    source_id = said.get(CUSTOM_ID) if isinstance(said, dict) else None
    if not isinstance(source_id, str):
        return BadLine(number, f"no {CUSTOM_ID!r}")
    choice = _at(said, "response", "body", "choices", 0)
    text = _at(choice, "message", "content")
    if not isinstance(text, str):
        status = _at(said, "response", "status_code")
        return BadLine(number, f"no answer with a text (status {status})" if status else "no answer with a text")
    if _at(choice, "finish_reason") == "length":
        return BadLine(number, "the answer was cut off at the limit of tokens")
    return Row(number, {"id": source_id, "text": text})


def _at(value: Any, *keys: str | int) -> Any:
    """Return what is found by keys and places, one inside of the other; None if something is not there."""
    for key in keys:
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            return None
    return value
