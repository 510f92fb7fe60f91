"""A human evaluation data sheet (HEDS 3.0): its answers, and the files that hold them.

An answer is known from the release, proposed by it for the researchers to confirm, or theirs; others are not stated.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from corpus.paper.found import PaperFacts
from corpus.paper.heds_answers import Answer, answers_of, criteria_of
from corpus.paper.heds_form import CRITERION, PAGE, QUESTIONS, Kind, Question
from corpus.paper.references import HEDS, REFERENCES

NOT_STATED = "not stated"
SECTIONS = {
    "1": "Reference and people",
    "2": "Systems",
    "3": "Sample, people and design",
    "4": "Criteria",
    "5": "Ethics",
}


@dataclass(frozen=True)
class Sheet:
    """The answers by number; those about a scale by its name first."""

    release: str
    answers: Mapping[str, Answer]
    criteria: Mapping[str, Mapping[str, Answer]] = field(default_factory=dict)

    @classmethod
    def of(cls, found: PaperFacts) -> "Sheet":
        return cls(found.release.name, answers_of(found), criteria_of(found))

    @property
    def open_questions(self) -> list[Question]:
        """Those without an answer; one of the scales is open if it is of any."""
        of_scales = [*self.criteria.values()]
        return [
            each
            for each in QUESTIONS
            if (
                any(each.number not in answers for answers in of_scales)
                if each.is_of_criteria
                else each.number not in self.answers
            )
        ]

    def as_json(self) -> str:
        content = {
            "sheet": "HEDS 3.0",
            "release": self.release,
            "reference": REFERENCES[HEDS],
            "answers": [_row(each, self.answers.get(each.number)) for each in QUESTIONS if not each.is_of_criteria],
            "criteria": [
                {
                    "name": name,
                    "answers": [_row(each, told.get(each.number)) for each in QUESTIONS if each.is_of_criteria],
                }
                for name, told in self.criteria.items()
            ],
        }
        return json.dumps(content, indent=1, ensure_ascii=False) + "\n"

    def as_form(self) -> str:
        """Return what the form of HEDS loads; what is not stated is not in it."""
        found: dict[str, Any] = {}
        for question in QUESTIONS:
            told = self.criteria if question.is_of_criteria else {"": self.answers}
            for name, answers in told.items():
                if question.number in answers:
                    _fill(found, question, name, answers[question.number])
        if self.criteria:
            first = next(iter(self.criteria))
            found[CRITERION] = {"data": {}, "control": {name: name == first for name in self.criteria}}
        return json.dumps(found, indent=1, ensure_ascii=False) + "\n"

    def as_markdown(self) -> str:
        lines = [
            f"# Human evaluation data sheet of {self.release}",
            f"Questions are those of HEDS 3.0 (Belz and Thomson 2024), by number; their wording is at <{PAGE}>.",
        ]
        for section, heading in SECTIONS.items():
            lines.append(f"## {section} {heading}")
            if section != "4":
                asked = [each for each in QUESTIONS if each.number.startswith(f"{section}.")]
                lines += _lines(asked, self.answers)
                continue
            for name, answers in self.criteria.items():
                lines.append(f"### {' '.join(name.split())}")
                lines += _lines([each for each in QUESTIONS if each.is_of_criteria], answers)
        return "\n\n".join(lines) + "\n"


def _row(question: Question, answer: Answer | None) -> dict[str, Any]:
    return {
        "number": question.number,
        "label": question.label,
        "kind": question.kind.value,
        "answer": answer.text if answer else None,
        "options": list(answer.options) if answer else [],
        "basis": answer.basis.value if answer else NOT_STATED,
    }


def _lines(questions: list[Question], answers: Mapping[str, Answer]) -> Iterator[str]:
    for question in questions:
        answer = answers.get(question.number)
        words = " ".join(answer.text.split()) if answer else "Not stated."
        options = f" (option {', '.join(map(str, answer.options))})" if answer and answer.options else ""
        basis = f" *{answer.basis.value.capitalize()}.*" if answer and answer.is_proposed else ""
        yield f"- **{question.number} {question.label}**{options}: {words}{basis}"


def _fill(found: dict[str, Any], question: Question, name: str, answer: Answer) -> None:
    """Add an answer to what the form loads: text, or an option with its text beside."""
    if question.kind in (Kind.TEXT, Kind.INTEGER):
        told = answer.text if question.kind == Kind.TEXT else answer.integer
        if told:
            entry = found.setdefault(question.id, {"data": {}, "control": {}, "number": question.number})
            entry["data"][name] = told
        return
    for option in answer.options:
        entry = found.setdefault(f"{question.id}-{option}", {"data": {}, "control": {}, "number": question.number})
        entry["data"][name] = True
    if answer.is_beside:
        other = found.setdefault(f"{question.id}-other_text", {"data": {}, "control": {}, "number": None})
        other["data"][name] = answer.text
