"""The lines of the files of a quiz study: texts, questions, and summaries that programs made."""

from collections.abc import Mapping
from typing import Any

from measures.experiments.quiz_marks import matches_key
from measures.text.segmentation import word_count
from protocols.task import MaterialRow

TEXT, QUESTION, SUMMARY, ANNOTATED = "text", "question", "summary", "context"
MOST_UTTERANCES, MOST_SLIDES, MOST_KEYS = 2_000, 300, 50
TYPES = (1, 2, 3, 4)
QUESTION_KINDS = ("short", "blank", "choice")
OF_TEXT = {"id", "title", "utterances", "slides", "audio"}
OF_QUESTION = {"id", "text_id", "type", "question", "kind", "key", "marks", "options", "priming_only"}
OF_SUMMARY, OF_ANNOTATOR = {"text_id", "condition", "utterances"}, {"text_id", "annotator", "utterances"}
FIELDS = tuple(sorted(OF_TEXT | OF_QUESTION | OF_SUMMARY | OF_ANNOTATOR))


def row_of(fields: Mapping[str, Any]) -> MaterialRow:
    """Return a line as material; what it is shows in its fields. Raise ValueError if it cannot be used."""
    given = {name: value for name, value in fields.items() if value not in (None, "")}
    if "question" in given:
        return _question(_only(given, OF_QUESTION, "a question"))
    if "condition" in given:
        return _summary(_only(given, OF_SUMMARY, "a summary"), SUMMARY, "condition")
    if "annotator" in given:
        return _summary(_only(given, OF_ANNOTATOR, "a summary by an annotator"), ANNOTATED, "annotator")
    return _text(_only(given, OF_TEXT, "a text"))


def _only(given: dict[str, Any], known: set[str], what: str) -> dict[str, Any]:
    if unknown := sorted(set(given) - known):
        raise ValueError(f"{what} has no {', '.join(unknown)}")
    return given


def _text(given: Mapping[str, Any]) -> MaterialRow:
    utterances = _list(given.get("utterances"), "utterances", MOST_UTTERANCES)
    found = [_utterance(each, place) for place, each in enumerate(utterances, start=1)]
    ids = [each["id"] for each in found]
    if len(set(ids)) < len(ids):
        twice = next(each for each in ids if ids.count(each) > 1)
        raise ValueError(f"two utterances have the id {twice}")
    slides = _list(given.get("slides", []), "slides", MOST_SLIDES, least=0)
    body = {
        "title": _words(given, "title"),
        "utterances": found,
        "slides": [_slide(each, place, ids) for place, each in enumerate(slides, start=1)],
    }
    if "audio" in given:
        body["audio"] = _words(given, "audio")
        if not all("start" in each and "end" in each for each in found):
            raise ValueError("the utterances of a text with audio need start and end, so that summaries can be heard")
    return MaterialRow(_words(given, "id"), body, task=TEXT)


def _utterance(given: Any, place: int) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise ValueError(f"utterance {place} is not an object with id and text")
    if unknown := set(given) - {"id", "text", "speaker", "start", "end"}:
        raise ValueError(f"utterance {place} has no {', '.join(sorted(unknown))}")
    try:
        found: dict[str, Any] = {"id": _words(given, "id"), "text": _words(given, "text")}
        if given.get("speaker"):
            found["speaker"] = _words(given, "speaker")
        found |= {name: _seconds(given, name) for name in ("start", "end") if given.get(name) is not None}
    except ValueError as error:
        raise ValueError(f"utterance {place}: {error}") from error
    if found.get("start", 0) > found.get("end", float("inf")):
        raise ValueError(f"utterance {place} ends before it starts")
    return {**found, "words": word_count(found["text"])}


def _slide(given: Any, place: int, ids: list[str]) -> dict[str, Any]:
    if not isinstance(given, dict) or set(given) - {"title", "text", "first_utterance"}:
        raise ValueError(f"slide {place} is not an object with title, text and first_utterance")
    found = {"title": _words(given, "title"), "text": _words(given, "text", needed=False)}
    if given.get("first_utterance") is not None:
        found["first_utterance"] = _words(given, "first_utterance")
        if found["first_utterance"] not in ids:
            raise ValueError(f"slide {place}: there is no utterance {found['first_utterance']}")
    return found


def _question(given: Mapping[str, Any]) -> MaterialRow:
    kind, of_type, marks = given.get("kind", "short"), _whole(given.get("type")), given.get("marks", 2)
    if kind not in QUESTION_KINDS:
        raise ValueError(f"kind must be one of {', '.join(QUESTION_KINDS)}")
    if of_type not in TYPES:
        raise ValueError("type must be 1, 2, 3 or 4")
    marks = _whole(marks)
    if marks is None or not 1 <= marks <= 100 or (kind == "short" and marks != 2):
        raise ValueError("marks must be a whole number from 1 to 100; of a short answer it is 2")
    key, options = _texts(given, "key"), _texts(given, "options")
    if not key:
        raise ValueError("key is missing: the answers that are accepted")
    if (kind == "choice") is not bool(options):
        raise ValueError("options are for questions of the kind choice, and these have some")
    if options and (len(set(options)) < len(options) or not all(matches_key(each, options) for each in key)):
        raise ValueError("the options must differ, and each answer of the key be one of them")
    body = {
        "text_id": _words(given, "text_id"),
        "type": of_type,
        "question": _words(given, "question"),
        "kind": kind,
        "key": key,
        "marks": marks,
        "options": options,
        "priming_only": given.get("priming_only", False) in (True, "true", "1"),
    }
    return MaterialRow(_words(given, "id"), body, task=QUESTION)


def _summary(given: Mapping[str, Any], task: str, by: str) -> MaterialRow:
    ids = _texts(given, "utterances", most=MOST_UTTERANCES)
    if not ids or len(set(ids)) < len(ids):
        raise ValueError("utterances must be ids, each once")
    body = {"utterances": ids}
    return MaterialRow(_words(given, "text_id"), body, condition=_words(given, by), task=task)


def _words(given: Mapping[str, Any], name: str, *, needed: bool = True) -> str:
    value = given.get(name, "")
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or (needed and not value.strip()):
        raise ValueError(f"{name} must be text" if value else f"{name} is missing")
    return value.strip()


def _texts(given: Mapping[str, Any], name: str, most: int = MOST_KEYS) -> list[str]:
    """Return a list of texts; in CSV they stand with | between."""
    value = given.get(name, [])
    parts = value.split("|") if isinstance(value, str) else value
    if not isinstance(parts, list) or len(parts) > most or not all(isinstance(each, str) for each in parts):
        raise ValueError(f"{name} must be a list of at most {most:,} texts")
    return [each.strip() for each in parts if each.strip()]


def _list(value: Any, name: str, most: int, *, least: int = 1) -> list[Any]:
    if not isinstance(value, list) or not least <= len(value) <= most:
        raise ValueError(f"{name} must be a list of {least} to {most:,}")
    return value


def _seconds(given: Mapping[str, Any], name: str) -> float:
    value = given[name]
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 10**6:
        raise ValueError(f"{name} must be a number of seconds")
    return float(value)


def _whole(value: Any) -> int | None:
    """Return a whole number of JSON or CSV; None if it is another."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 5:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
