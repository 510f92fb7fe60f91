"""Simulated people: their answers are always taken, and tell good systems and careful people from others."""

import random
from statistics import fmean
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from measures.spans import PRESETS, preset
from protocols.spans.simulation import SimulatedPerson
from protocols.spans.task import TASK, digest_of
from protocols.task import Answer, Subject

TEXTS = st.text(st.sampled_from("ab \U0001f469\u200d\u0301雨.\n"), min_size=1, max_size=60).filter(str.strip)
SOURCE = "On Tuesday the committee agreed to repair the old bridge before the first snow of winter falls. " * 3
OUTPUT = "On Tuesday the committee agreed it will repair an old bridge before first snow falls in winter. " * 3
OWN = """{"key": "own", "name": "Own", "kinds": [{"key": "a", "name": "A", "side": "both", "note_wanted": true},
    {"key": "b", "name": "B", "side": "either", "severities": ["x"]}], "severities": ["x", "y"], "weights": {"y": 9},
    "score": "0-100", "snap": "word", "max_spans": 2, "premark": "none"}"""


def answered(settings: dict[str, Any], skill: float, *, name: str = "1", system: str = "A", **body: Any) -> Answer:
    read = TASK.settings_read(settings)
    row = TASK.material({"id": name, "system": system, "source": SOURCE, "output": OUTPUT, **body}, read)
    subject = Subject(row.name, row.body, row.system, "", f"{name}{skill}")
    answer = TASK.simulated(subject, read, skill, random.Random(f"{name}{system}{skill}"))
    TASK.check(answer, subject, read)
    return answer


@given(
    st.sampled_from([*PRESETS, "own"]),
    st.sampled_from(["none", "file", "alignment"]),
    st.floats(0, 1),
    st.text(max_size=3),
    TEXTS,
    TEXTS,
)
def test_what_a_simulated_person_answers_is_always_taken(
    key: str, premark: str, skill: float, system: str, source: str, output: str
) -> None:
    if premark == "alignment" and not key.startswith("salsa"):
        premark = "none"
    settings = {"preset": key, "own_preset": OWN if key == "own" else "", "premark": premark}
    output = f"a {output}"
    marks = [{"id": f"f{n}", "side": "output", "start": 0, "end": 1, "origin": "model"} for n in (1, 2)]

    answered(settings, skill, system=system, source=source, output=output, marks=marks)


def points(system: str, skill: float) -> float:
    answers = [answered({"preset": "esa"}, skill, name=str(n), system=system) for n in range(30)]
    return fmean(sum({"minor": 1, "major": 5}[each["severity"]] for each in answer["marks"]) for answer in answers)


def test_worse_systems_have_more_errors() -> None:
    systems = [f"system {n}" for n in range(6)]
    subjects = [Subject("1", {"source": "a", "output": "a"}, system, "", "1") for system in systems]
    quality = {each.system: SimulatedPerson(each, preset("esa"), 1, random.Random(0)).quality for each in subjects}

    best, worst = max(systems, key=quality.__getitem__), min(systems, key=quality.__getitem__)

    assert points(worst, 0.9) > 1.5 * points(best, 0.9)


def test_perfect_people_agree_and_careless_ones_do_not() -> None:
    def spans(skill: float, person: str) -> list[tuple[int, int]]:
        read = TASK.settings_read({"preset": "esa"})
        body = {"source": SOURCE, "output": OUTPUT}
        subject = Subject("1", body, "a bad one", "", person)
        answer = TASK.simulated(subject, read, skill, random.Random(person))
        assert answer["digest"] == digest_of(body)
        return [(each["start"], each["end"]) for each in answer["marks"]]

    assert spans(1, "one") == spans(1, "other") != []
    assert spans(0, "one") != spans(0, "other")
