"""Simulate people working in a campaign through the services that the pages use."""

import random
from dataclasses import dataclass

from annotation.simulation.people import (
    EditorModel,
    RaterModel,
    editor_model,
    give_preference,
    give_rating,
    latent_quality,
    rater_model,
)
from annotation.simulation.writing import edit_log, shortenings
from common.errors import Refused
from common.jobs import Progress
from compressions.models import Target
from compressions.selectors.sources import source_of_assignment
from compressions.services.submission import Submission, compression_submit
from crowd.models import Assignment, Campaign, Enrolment, JoinLink, Round
from crowd.scales import Scale
from crowd.services.claims import assignment_claim
from crowd.services.entry import PlatformIds, enrolment_finish, guidelines_accept, worker_enter
from measures.keystrokes.edit_log import dump_log
from ratings.selectors.qualification import qualification_entry_check, qualification_items
from ratings.services.qualification import qualification_submit
from ratings.services.rating import Judgement, rating_submit
from ratings.subjects import Subject, subject_of

# The skill assumed for editors simulated with another seed, and for systems.
SKILL_OF_OTHERS = 0.8
SKILL_OF_SYSTEMS = 0.4
SIMULATED = "simulated-"


@dataclass(frozen=True)
class SimulationReport:
    compressions: int
    ratings: int
    failed_qualification: int


def crowd_simulate(*, campaign: Campaign, editors: int, raters: int, seed: int, progress: Progress) -> SimulationReport:
    """Simulate editors, then raters, one after another, each working until no tasks are left for them.

    Raise Refused if real people have joined: a release could not tell their work from the simulated one.
    """
    if campaign.workers.filter(is_simulated=False).exists():
        raise Refused(f"Real people have come to {campaign.name}. Simulate a crowd in a campaign of its own.")
    compressions = ratings = failed = 0
    for number in range(1, editors + 1):
        compressions += _simulate_editor(campaign, editor_model(seed, number), seed)
        progress(number, editors + raters)
    skills = simulated_skills(campaign, seed, editors)
    for number in range(1, raters + 1):
        enrolment = _qualify_rater(campaign, rater_model(seed, number), seed)
        if enrolment.outcome == Enrolment.Outcome.FAILED:
            failed += 1
        else:
            ratings += rate_all(enrolment, rater_model(seed, number), seed, skills)
            enrolment_finish(enrolment=enrolment)
        progress(editors + number, editors + raters)
    return SimulationReport(compressions, ratings, failed)


def _worker_name(seed: int, work_round: str, number: int) -> str:
    return f"{SIMULATED}{seed}-{work_round}-{number}"


def simulated_enrolment(campaign: Campaign, work_round: Round, seed: int, number: int) -> Enrolment:
    """Enter by the round's direct link, as somebody who has read the guidelines."""
    link = (
        JoinLink.objects.select_related("campaign")
        .filter(campaign=campaign, round=work_round, platform_key="direct", is_active=True)
        .first()
    )
    if link is None:
        raise Refused(f"{campaign.name} has no active direct link for the {work_round.label.lower()}.")
    ids = PlatformIds(worker_id=_worker_name(seed, work_round, number))
    enrolment = worker_enter(link=link, ids=ids, is_simulated=True)
    guidelines_accept(enrolment=enrolment)
    enrolment.refresh_from_db()
    return enrolment


def _simulate_editor(campaign: Campaign, editor: EditorModel, seed: int) -> int:
    enrolment = simulated_enrolment(campaign, Round.EDIT, seed, editor.number)
    done = 0
    while (assignment := assignment_claim(enrolment=enrolment)) is not None:
        _edit(enrolment, assignment, editor, seed)
        done += 1
    enrolment_finish(enrolment=enrolment)
    return done


def _edit(enrolment: Enrolment, assignment: Assignment, editor: EditorModel, seed: int) -> None:
    source = source_of_assignment(assignment)
    rng = random.Random(f"{seed}:{editor.number}:{source.source_id}")
    states = shortenings(source.text, enrolment.campaign.keep_percent, editor.skill, rng)
    text, operations = edit_log(states, source.text, rng)
    submission = Submission(text, dump_log(operations))
    compression_submit(enrolment=enrolment, assignment_id=assignment.pk, source=source, submission=submission)


def _qualify_rater(campaign: Campaign, rater: RaterModel, seed: int) -> Enrolment:
    """Enrol a rater and take the qualification until they pass or may not try again."""
    enrolment = simulated_enrolment(campaign, Round.RATE, seed, rater.number)
    rng = random.Random(f"{seed}:qualification:{rater.number}")
    scales = campaign.rating_scales
    while qualification_entry_check(enrolment) == "ratings:qualification":
        tries = enrolment.qualification_attempts.count()
        answers = {
            item.pk: {scale.key: _answer_test(rater, item.answers[scale.key], scale, rng) for scale in scales}
            for item in qualification_items(campaign)
        }
        qualification_submit(enrolment=enrolment, number=tries + 1, answers=answers)
        enrolment.refresh_from_db()
    return enrolment


def _answer_test(rater: RaterModel, accepted: list[int], scale: Scale, rng: random.Random) -> int:
    """Answer a qualification or gold item: correctly, or by guessing with a probability equal to the rater's noise."""
    return rng.choice(scale.values) if rng.random() < rater.noise else accepted[0]


def rate_all(enrolment: Enrolment, rater: RaterModel, seed: int, skills: dict[int, float]) -> int:
    """Rate until no task is left; return the number of ratings."""
    done = 0
    while (assignment := assignment_claim(enrolment=enrolment)) is not None:
        subject = subject_of(assignment)
        rng = random.Random(f"{seed}:{rater.number}:{subject.source_text}:{subject.texts}")
        scores = _scores(enrolment.campaign, rater, subject, seed, skills, rng)
        rating_submit(enrolment=enrolment, assignment=assignment, subject=subject, judgement=Judgement(scores))
        done += 1
    return done


def _scores(
    campaign: Campaign, rater: RaterModel, subject: Subject, seed: int, skills: dict[int, float], rng: random.Random
) -> dict[str, int]:
    scales = campaign.rating_scales
    if subject.gold is not None:
        return {scale.key: _answer_test(rater, subject.gold.answers[scale.key], scale, rng) for scale in scales}
    latent = [latent_quality(seed, target.digest, _skill(target, skills)) for target in subject.targets]
    if len(latent) == 2:
        first, second = latent
        return {scale.key: give_preference(rater, first.of(scale.key), second.of(scale.key), rng) for scale in scales}
    return {scale.key: give_rating(rater, latent[0].of(scale.key), len(scale.points), rng) for scale in scales}


def simulated_skills(campaign: Campaign, seed: int, editors: int) -> dict[int, float]:
    """Return the skill of each simulated editor, by worker id."""
    names = {_worker_name(seed, Round.EDIT, number): number for number in range(1, editors + 1)}
    workers = campaign.workers.filter(platform_key="direct", external_id__in=names)
    return {worker.pk: editor_model(seed, names[worker.external_id]).skill for worker in workers}


def _skill(target: Target, skills: dict[int, float]) -> float:
    author = target.compressions.order_by("pk").values_list("worker_id", flat=True).first()
    if author is None:
        return SKILL_OF_SYSTEMS
    return skills.get(author, SKILL_OF_OTHERS)
