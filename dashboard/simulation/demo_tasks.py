"""Finished judgement tasks for the demonstration: a campaign of each, from its template, done by simulated people."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User

from common.jobs import Progress
from compressions.fusions import pair_of
from compressions.services.imports import source_import
from compressions.services.outputs import Output, outputs_add
from corpus.models import Release
from corpus.release.options import ReleaseOptions
from corpus.services.building import release_build
from corpus.services.release import release_create
from crowd.models import Campaign
from crowd.models.campaign import CampaignState
from crowd.services.campaigns import campaign_state_set, campaign_update
from dashboard.campaign_files.services import campaign_file_create
from dashboard.campaign_files.templates import TEMPLATES
from dashboard.simulation.crowd import crowd_simulate
from dashboard.simulation.demo import IMPORT_SEED, SIMULATED, SYSTEMS, demo_lines, demo_text
from protocols.services.material import material_import

Lines = Iterator[dict[str, Any]]
SOURCES_WITH_ERRORS = 15
QUICK_LINKS = {"copies": 5, "shuffles": 100}
"""Fewer than by default, so that the demonstration is soon there."""

PRACTICE_OF_ERRORS: list[dict[str, Any]] = [
    {
        "id": "practice 1",
        "source": "The old mill, which nobody had used for years, burnt down last night.",
        "output": "The old mill burnt down last year.",
        "expected": {"marks": [{"id": "1", "start": 29, "end": 33, "severity": "major"}], "score": 40},
    },
    {
        "id": "practice 2",
        "source": "Our choir, which meets on Mondays, is looking for two tenors.",
        "output": "Our choir is looking for two tenors.",
        "expected": {"no_errors": True, "score": 95},
    },
]


def _outputs() -> dict[str, dict[str, str]]:
    """Return the texts of each system by source."""
    found = {system: demo_lines(f"outputs/{system}.jsonl") for system in SYSTEMS}
    return {system: {row["id"]: row["text"] for row in rows if row["text"]} for system, rows in found.items()}


def _sources() -> dict[str, str]:
    return {row["id"]: row["text"] for row in demo_lines("sources.jsonl")}


def _errors() -> Lines:
    yield from PRACTICE_OF_ERRORS
    sources = list(_sources().items())[:SOURCES_WITH_ERRORS]
    for system, outputs in _outputs().items():
        for name, source in sources:
            if name in outputs:
                yield {"id": name, "system": system, "source": source, "output": outputs[name]}


def _rankings() -> Lines:
    sources, outputs = _sources(), _outputs()
    for row in demo_lines("judged.jsonl"):
        texts = [{"name": system, "text": outputs[system][row["id"]]} for system in SYSTEMS]
        pair = list(pair_of(sources[row["id"]]))
        yield {"id": row["id"], "sentences": pair, "hypotheses": texts, "reference": row["reference"]}


def _points() -> Lines:
    outputs = _outputs()
    for row in demo_lines("judged.jsonl"):
        for system in SYSTEMS[:3]:
            output = outputs[system][row["id"]]
            yield {"id": row["id"], "system": system, "reference": row["reference"], "output": output}


def _facts() -> Lines:
    sources = _sources()
    for row, shared in _with_facts():
        yield {**shared, "source": sources[row["id"]], "facts": [each["text"] for each in row["facts"]]}


def _units() -> Lines:
    for row, shared in _with_facts():
        units = [{"id": str(number), **each} for number, each in enumerate(row["facts"], start=1)]
        yield {**shared, "units": units}


def _with_facts() -> Iterator[tuple[dict[str, Any], dict[str, str]]]:
    """Yield each output of a source that has facts: the line of the source, and what its lines have in any task."""
    outputs = _outputs()
    for row in demo_lines("judged.jsonl"):
        for system in SYSTEMS if "facts" in row else ():
            yield row, {"id": row["id"], "system": system, "output": outputs[system][row["id"]]}


def _links() -> Lines:
    documents = {row["id"]: row["utterances"] for row in demo_lines("quiz.jsonl") if "utterances" in row}
    for row in demo_lines("abstracts.jsonl"):
        abstract = [{"id": str(number), "text": text} for number, text in enumerate(row["abstract"], start=1)]
        yield {"id": row["id"], "sentences": documents[row["id"]], "abstract": abstract}


@dataclass(frozen=True, eq=False)
class DemoTask:
    """A campaign of the demonstration: of which template, for how many people, and with which material.

    `report` has the parameters of its report that are not the default ones.
    """

    key: str
    template: str
    title: str
    people: int
    lines: Callable[[], Lines]
    settings: Mapping[str, Any] = field(default_factory=dict)
    report: Mapping[str, Any] = field(default_factory=dict)

    @property
    def slug(self) -> str:
        return f"demo-{self.key}"


TASKS = (
    # As many people as give each text the answers that it wants.
    DemoTask("errors", "error-spans", "marked errors", 9, _errors),
    DemoTask("ranking", "rank-outputs", "texts, ranked", 3, _rankings),
    DemoTask(
        *("points", "points-after-reference", "points after a reference", 6, _points),
        {"task_settings": {"reference": "half"}, "raters_per_compression": 2},
    ),
    DemoTask("links", "sentence-communities", "communities of sentences", 3, _links, report=QUICK_LINKS),
    DemoTask("facts", "factoids", "facts that texts keep", 2, _facts, {"rater_tasks": 20}),
    DemoTask("units", "peer-units", "units of content", 2, _units, {"rater_tasks": 20}),
)
ANSWERS = DemoTask(
    "answers", "question-answering", "answers to questions", 3, lambda: iter(demo_lines("answers.jsonl"))
)


def demo_task_load(task: DemoTask, *, owner: User, progress: Progress) -> Campaign:
    """Create the campaign, let simulated people do the task, and close it."""
    campaign = _created(task, demo_text("judged.md"), owner)
    content = "\n".join(map(json.dumps, task.lines())).encode()
    material_import(campaign=campaign, file_name=f"{task.key}.jsonl", content=content)
    _work(campaign, task, progress)
    return campaign


def demo_answers_load(*, owner: User, progress: Progress) -> Release:
    """Let simulated people rate answers of two systems to the same questions, and freeze a release of the ratings."""
    campaign, rows = _created(ANSWERS, demo_text("answers.md"), owner), list(ANSWERS.lines())
    questions = [{"id": row["id"], "text": row["question"], "nuggets": row["nuggets"]} for row in rows]
    content = "\n".join(map(json.dumps, questions)).encode()
    source_import(campaign=campaign, file_name="questions.jsonl", content=content, strict=True, seed=IMPORT_SEED)
    for system in rows[0]["answers"]:
        outputs = [Output(number, row["id"], row["answers"][system]) for number, row in enumerate(rows, start=1)]
        outputs_add(campaign=campaign, system=system, outputs=outputs)
    _work(campaign, ANSWERS, progress)
    release = release_create(campaign=campaign, user=owner, options=ReleaseOptions(min_compressions=0))
    release_build(release=release, progress=progress)
    return release


def _created(task: DemoTask, description: str, owner: User) -> Campaign:
    content = TEMPLATES[task.template].content
    campaign = campaign_file_create(content=content, owner=owner, slug=task.slug, name=f"Demonstration: {task.title}")
    note = f"{demo_text('note.md')}\n{campaign.consent}"
    campaign_update(campaign=campaign, user=None, description=description.strip(), consent=note, **task.settings)
    return campaign


def _work(campaign: Campaign, task: DemoTask, progress: Progress) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.OPEN)
    campaign.refresh_from_db()
    crowd_simulate(campaign=campaign, editors=0, raters=task.people, seed=SIMULATED["seed"], progress=progress)
    campaign_state_set(campaign=campaign, state=CampaignState.CLOSED, user=None)
