"""Answers to the questions of a kind of mark: checked, and read for what they say of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from measures.spans.presets import Question


class Judged(NamedTuple):
    """What the answers of a mark say of it.

    Attributes
    ----------
    efficacy : {"good", "trivial", "bad"} or None
        Whether it helps or harms; None if no answer says so.
    degree : int or None
        By how much, 1 to 3; None if it was not asked.
    """

    efficacy: str | None
    degree: int | None


def faults_of_answers(answers: Mapping[str, Any], questions: Sequence[Question]) -> Iterator[str]:
    """Say what is wrong with the answers of a mark.

    Parameters
    ----------
    answers : mapping
        An answer by the key of its question: true or false ("binary"), 1 to 3 ("likert-3"), or an object with the key
        of the chosen option as `val` and, under that key, the answer to the option's own question.
    questions : sequence of mapping
        The questions of its kind.

    Yields
    ------
    str
        What is wrong, by the key of the question.

    Examples
    --------
    >>> asked = [{"key": "grammar_error", "question": "Wrong?", "options": "binary"}]
    >>> list(faults_of_answers({"grammar_error": 2}, asked)), list(faults_of_answers({}, asked))
    (['grammar_error must be true or false'], ['grammar_error is not answered'])
    """
    known = {each["key"] for each in questions}
    yield from (f"there is no question {str(key)[:50]!r}" for key in answers if key not in known)
    for each in questions:
        yield from _faults(answers.get(each["key"]), each["options"], each["key"])


def _faults(answer: Any, options: Any, name: str) -> Iterator[str]:
    if answer is None:
        yield f"{name} is not answered"
    elif options == "binary":
        if not isinstance(answer, bool):
            yield f"{name} must be true or false"
    elif options == "likert-3":
        if isinstance(answer, bool) or answer not in (1, 2, 3):
            yield f"{name} must be 1, 2 or 3"
    else:
        option = _chosen(answer, options)
        if option is None:
            yield f"{name} must be one of {', '.join(each['key'] for each in options)}"
        elif "options" in option:
            inner = answer.get(option["key"]) if isinstance(answer, Mapping) else None
            yield from _faults(inner, option["options"], option["key"])


def _chosen(answer: Any, options: Any) -> Mapping[str, Any] | None:
    """Return the option that was chosen; one without a question may stand by itself."""
    value = answer.get("val") if isinstance(answer, Mapping) else answer
    return next((each for each in options if each["key"] == value), None)


def judged(answers: Mapping[str, Any], questions: Sequence[Question]) -> Judged:
    """Read from the answers of a mark whether it helps, and how much.

    Source: Heineman et al. 2023, SALSA: an edit is good, trivial or bad, and good and bad ones are rated 1 to 3.

    Parameters
    ----------
    answers : mapping
        Its answers.
    questions : sequence of mapping
        The questions of its kind; the first chosen option with an `efficacy` decides.

    Returns
    -------
    Judged
        Efficacy and degree.

    Examples
    --------
    >>> from measures.spans.presets import preset
    >>> asked = preset("salsa").kind("deletion").questions
    >>> judged({"deletion_type": {"val": "bad_deletion", "bad_deletion": 3}}, asked)
    Judged(efficacy='bad', degree=3)
    """
    for question in questions:
        answer, options = answers.get(question["key"]), question["options"]
        while isinstance(options, list | tuple) and (option := _chosen(answer, options)) is not None:
            answer = answer.get(option["key"]) if isinstance(answer, Mapping) else None
            if "efficacy" in option:
                return Judged(option["efficacy"], answer if isinstance(answer, int) else None)
            options = option.get("options")
    return Judged(None, None)
