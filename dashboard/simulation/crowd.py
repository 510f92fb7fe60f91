"""Simulate people working in a campaign through the services that the pages use."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from common.errors import Refused
from common.job_attempts import NO_JOB, Attempt
from common.jobs import Progress, job_enqueue
from common.models import Job
from compressions.fusions import fusion_verdict, pair_of
from compressions.models import Compression, Source, Start, SystemOutput
from compressions.selectors.sources import source_of_assignment
from compressions.services.submission import Submission, compression_submit
from crowd.models import Assignment, Campaign, CampaignState, Enrolment, JoinLink, Round, Worker
from crowd.scales import Scale
from crowd.services.claims import assignment_claim
from crowd.services.entry import PlatformIds, enrolment_finish, guidelines_accept, worker_enter
from dashboard.simulation.people import (
    EditorModel,
    RaterModel,
    editor_model,
    expert_model,
    give_preference,
    give_rating,
    latent_quality,
    rater_model,
)
from dashboard.simulation.writers import Habits, Texts, WriterKind, reworded, written
from dashboard.simulation.writing import edit_log, fusions, shortenings, with_absence
from measures.keystrokes.edit_log import Operation, dump_log
from measures.text.length_rule import check_compression
from protocols.selectors import next_practice, study_work
from protocols.services.pages import visits_simulate
from protocols.services.responses import practice_answer, response_submit
from protocols.task import study_task
from ratings.selectors.qualification import qualification_entry_check, qualification_items
from ratings.services.experts import expert_sample_draw
from ratings.services.rating import Judgement, rating_submit
from ratings.services.sittings import qualification_submit
from ratings.subjects import RELATED, Subject, subject_of

# The skill assumed for editors simulated with another seed, and for systems: made up, so that there is an order.
SKILL_OF_OTHERS = 0.8
SKILL_OF_SYSTEMS = 0.4
SKILL_BY_SYSTEM = {"ilp": 0.65, "seq2seq": 0.45, "mmr": 0.3, "first": 0.15}
# How often an editor leaves the page during a text.
INTERRUPTED = 0.15
SIMULATED = "simulated-"
# Stored, so the same in every language.
LINK_NAMES = {
    Round.EDIT: "Simulated crowd, editor round",
    Round.RATE: "Simulated crowd, rater round",
    Round.EXPERT: "Simulated crowd, expert round",
}
MARKERS = 3
"""Two mark every short answer to a quiz, and a third where they differ."""


@dataclass(frozen=True)
class SimulationReport:
    compressions: int
    ratings: int
    failed_qualification: int


def crowd_simulate(
    *,
    campaign: Campaign,
    editors: int | range,
    raters: int | range,
    seed: int,
    progress: Progress,
    as_tests: bool = False,
    writers: Sequence[WriterKind] = (),
    attempt: Attempt = NO_JOB,
) -> SimulationReport:
    """Simulate editors, then raters, one after another, each working until no tasks are left for them.

    Editors are of the kinds of `writers` in turn, or else all careful. There are none where the editor round is the
    first visit of the same people.

    `editors` and `raters` are numbers of people, or ranges of their numbers where some with this seed came before.

    They are test participants if `as_tests`; otherwise releases hold their work, as in the demonstration. Each works in
    a transaction of their own, so that a job that was overtaken writes nothing more.

    Raise Refused if real people have joined: a release could not tell their work from the simulated one.
    """
    if real_people(campaign):
        raise Refused(
            _("Real participants have joined %(campaign)s. Simulate a crowd in a campaign of its own.")
            % {"campaign": campaign.name}
        )
    if Round.EDIT in campaign.task.rounds:  # then raters come on the first visit, too
        editors = 0
    of_editors, of_raters = _numbers(editors), _numbers(raters)
    people = ((Round.EDIT, of_editors), (Round.RATE, of_raters))
    doors = {each: _door(campaign, each, as_tests=as_tests) for each, numbers in people if numbers}
    try:
        return _work(campaign, doors, of_editors, of_raters, seed, writers, progress, attempt)
    except Refused as refusal:  # in words for a participant
        words = _("The simulated participants could not go on. They were told: “%(refusal)s”")
        raise Refused(words % {"refusal": refusal}) from refusal


def _numbers(people: int | range) -> range:
    return people if isinstance(people, range) else range(1, people + 1)


def _work(
    campaign: Campaign,
    doors: dict[Round, JoinLink],
    editors: range,
    raters: range,
    seed: int,
    writers: Sequence[WriterKind],
    progress: Progress,
    attempt: Attempt,
) -> SimulationReport:
    compressions = ratings = failed = 0
    everyone = len(editors) + len(raters)
    for number in editors:
        editor = editor_model(seed, number)
        with transaction.atomic():
            attempt.fence()
            kind = writers[(number - 1) % len(writers)] if writers else None
            compressions += _simulate_editor(doors[Round.EDIT], editor, seed, kind)
        progress(number - editors.start + 1, everyone)
    skills = simulated_skills(campaign, seed, editors.stop - 1)
    for number in raters:
        rater = rater_model(seed, number)
        with transaction.atomic():
            attempt.fence()
            rated = _simulate_rater(doors[Round.RATE], rater, seed, skills)
        failed, ratings = failed + (rated is None), ratings + (rated or 0)
        progress(len(editors) + number - raters.start + 1, everyone)
    if raters and Round.EXPERT in campaign.task.rounds:
        with transaction.atomic():
            attempt.fence()
            ratings += _simulate_markers(campaign, seed, as_tests=doors[Round.RATE].is_test)
    return SimulationReport(compressions, ratings, failed)


def real_people(campaign: Campaign) -> bool:
    """Whether anyone has joined who is neither simulated nor a test."""
    return campaign.workers.filter(is_simulated=False, is_test=False).exists()


def _door(campaign: Campaign, work_round: Round, *, as_tests: bool) -> JoinLink:
    """Return the link by which simulated people come: the round's direct link, or a test link of their own."""
    if as_tests:
        link, _ = JoinLink.objects.get_or_create(
            campaign=campaign, name=LINK_NAMES[work_round], defaults=_test_link(work_round)
        )
        link.campaign = campaign
        return link
    return _direct_link(campaign, work_round)


def _test_link(work_round: Round) -> dict[str, object]:
    return {"round": work_round, "platform_key": "direct", "is_test": True}


def _worker_name(seed: int, work_round: str, number: int) -> str:
    return f"{SIMULATED}{seed}-{work_round}-{number}"


def simulated_people(campaign: Campaign, seed: int) -> QuerySet[Worker]:
    """Return the participants that were simulated with a seed, as tests or otherwise."""
    return campaign.workers.filter(external_id__startswith=f"{SIMULATED}{seed}-")


def _direct_link(campaign: Campaign, work_round: Round) -> JoinLink:
    direct = JoinLink.objects.select_related("campaign").filter(
        campaign=campaign, round=work_round, platform_key="direct", is_active=True, is_test=False
    )
    link = direct.order_by("pk").first()
    if link is None:
        raise Refused(
            _("%(campaign)s has no open direct link for this round: %(round)s.")
            % {"campaign": campaign.name, "round": work_round.label}
        )
    return link


def simulated_enrolment(campaign: Campaign, work_round: Round, seed: int, number: int) -> Enrolment:
    """Enter by the round's direct link, as somebody who has read the guidelines."""
    return _enter(_direct_link(campaign, work_round), seed, number)


def _enter(link: JoinLink, seed: int, number: int) -> Enrolment:
    # Where the same people come to the first two rounds, they have the same name in both.
    of_round = Round.RATE if link.campaign.task.by_design and link.round == Round.EDIT else link.round
    ids = PlatformIds(worker_id=_worker_name(seed, of_round, number))
    enrolment = worker_enter(link=link, ids=ids, is_simulated=True)
    if link.is_test:
        Worker.objects.filter(pk=enrolment.worker_id, is_simulated=True).update(is_test=True)
    guidelines_accept(enrolment=enrolment)
    return Enrolment.objects.select_related("worker", "link__campaign").get(pk=enrolment.pk)


def _simulate_editor(link: JoinLink, editor: EditorModel, seed: int, kind: WriterKind | None) -> int:
    enrolment = _enter(link, seed, editor.number)
    kind = None if enrolment.campaign.fuses else kind
    habits = Habits.drawn(random.Random(f"{seed}:{editor.number}:habits"), **kind.habits) if kind else None
    done = 0
    while (assignment := assignment_claim(enrolment=enrolment)) is not None:
        source = source_of_assignment(assignment)
        rng = random.Random(f"{seed}:{editor.number}:{source.source_id}")
        found = _write_as(kind, habits, source, enrolment, done, rng) if kind and habits else None
        text, operations = found or _write(enrolment, source, editor, rng)
        start = Start.EMPTY if enrolment.campaign.fuses else Start.SOURCE
        submission = Submission(text, dump_log(operations), start, confirmed=True)
        compression_submit(enrolment=enrolment, assignment_id=assignment.pk, source=source, submission=submission)
        done += 1
    enrolment_finish(enrolment=enrolment)
    return done


def _write(
    enrolment: Enrolment, source: Source, editor: EditorModel, rng: random.Random
) -> tuple[str, Sequence[Operation]]:
    campaign = enrolment.campaign
    if campaign.fuses:
        rule = fusion_verdict(campaign, source.text, "").rule
        text, operations = edit_log(fusions(pair_of(source.text), rule, editor.skill, rng), "", rng)
    else:
        states = shortenings(source.text, campaign.keep_percent, editor.skill, rng)
        text, operations = edit_log(states, source.text, rng)
    if campaign.record_leaving and rng.random() < INTERRUPTED:
        operations = with_absence(operations, rng)
    return text, operations


def _write_as(
    kind: WriterKind, habits: Habits, source: Source, enrolment: Enrolment, number: int, rng: random.Random
) -> tuple[str, Sequence[Operation]] | None:
    """Let somebody of a kind write; None where their page would refuse the text, so that they write another."""
    keep = enrolment.campaign.keep_percent
    own = reworded(source.text, keep, rng.betavariate(6, 2), 0.08, rng)
    earlier = source.compressions.exclude(worker=enrolment.worker).order_by("pk").values_list("text", flat=True).first()
    texts = Texts(source.text, own, reworded(source.text, keep, 0.9, 0.6, rng), earlier or own, keep)
    text, log = written(kind, habits, texts, number, rng)
    return (text, log) if check_compression(source.text, text, keep).accepted else None


def _simulate_rater(link: JoinLink, rater: RaterModel, seed: int, skills: dict[int, float]) -> int | None:
    """Return the number of ratings by a rater; None if they failed the qualification."""
    if link.campaign.task.has_material:
        return _simulate_study(link, rater, seed)
    enrolment = _qualify_rater(link, rater, seed)
    if enrolment.outcome == Enrolment.Outcome.FAILED:
        return None
    ratings = rate_all(enrolment, rater, seed, skills)
    enrolment_finish(enrolment=enrolment)
    return ratings


def _simulate_study(link: JoinLink, rater: RaterModel, seed: int) -> int:
    """Let somebody do the campaign's judgement task, on all visits; return the number of their answers."""
    if not link.campaign.task.by_design:
        return _simulate_part(link, rater, seed)
    first = _door(link.campaign, Round.EDIT, as_tests=link.is_test)
    return _simulate_part(first, rater, seed) + _simulate_part(link, rater, seed)


def _simulate_markers(campaign: Campaign, seed: int, *, as_tests: bool) -> int:
    """Hand out what experts mark of people's answers, and let them; return the number of their own answers."""
    study_task(campaign.rating_task).pieces_make(campaign)
    link = _door(campaign, Round.EXPERT, as_tests=as_tests)
    return sum(_simulate_part(link, rater_model(seed, number), seed) for number in range(1, MARKERS + 1))


def _simulate_part(link: JoinLink, rater: RaterModel, seed: int) -> int:
    """Let somebody do the practice and then the work of a round."""
    enrolment, task = _enter(link, seed, rater.number), study_task(link.campaign.rating_task)
    settings, skill = task.settings_read(link.campaign.task_settings), 1 - rater.noise
    while (practice := next_practice(enrolment)) is not None:
        practice_answer(enrolment=enrolment, material=practice, answer=practice.expected or {})
    done = 0
    while (assignment := assignment_claim(enrolment=enrolment)) is not None:
        work = study_work(enrolment, assignment.pk)
        subject = work.subject
        rng = random.Random(f"{seed}:{rater.number}:{subject.name}:{subject.system}:{subject.condition}")
        answer = work.study.simulated(subject, settings, skill, rng)
        response_submit(enrolment=enrolment, work=work, answer=answer)
        visits_simulate(assignment=assignment, pages=work.study.pages(subject, settings), rng=rng)
        done += 1
    enrolment_finish(enrolment=enrolment)
    return done


def _qualify_rater(link: JoinLink, rater: RaterModel, seed: int) -> Enrolment:
    """Enrol a rater and take the qualification until they pass or may not try again."""
    campaign, enrolment = link.campaign, _enter(link, seed, rater.number)
    rng = random.Random(f"{seed}:qualification:{rater.number}")
    scales = enrolment.shown_scales
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
        subject = subject_of(Assignment.objects.select_related(*RELATED).get(pk=assignment.pk))
        rng = random.Random(f"{seed}:{rater.number}:{subject.source_text}:{subject.texts}")
        scores = _scores(enrolment.shown_scales, rater, subject, seed, skills, rng)
        rating_submit(enrolment=enrolment, assignment=assignment, subject=subject, judgement=Judgement(scores))
        done += 1
    return done


def _scores(
    scales: Sequence[Scale],
    rater: RaterModel,
    subject: Subject,
    seed: int,
    skills: dict[int, float],
    rng: random.Random,
) -> dict[str, int]:
    if subject.gold is not None:
        return {scale.key: _answer_test(rater, subject.gold.answers[scale.key], scale, rng) for scale in scales}
    latent = [
        latent_quality(seed, target.digest, skills.get(target.pk, SKILL_OF_SYSTEMS)) for target in subject.targets
    ]
    if len(latent) == 2:
        first, second = latent
        return {scale.key: give_preference(rater, first.of(scale.key), second.of(scale.key), rng) for scale in scales}
    return {scale.key: give_rating(rater, latent[0].of(scale.key), len(scale.points), rng) for scale in scales}


def simulated_skills(campaign: Campaign, seed: int, editors: int) -> dict[int, float]:
    """Return the skill behind each text, by target: that of the first to write it, or else of the first system."""
    names = {_worker_name(seed, Round.EDIT, number): number for number in range(1, editors + 1)}
    workers = campaign.workers.filter(platform_key="direct", external_id__in=names)
    skill_of = {worker.pk: editor_model(seed, names[worker.external_id]).skill for worker in workers}
    outputs = SystemOutput.objects.filter(target__source__campaign=campaign).order_by("-pk")
    skills = {
        target: SKILL_BY_SYSTEM.get(system, SKILL_OF_SYSTEMS)
        for target, system in outputs.values_list("target_id", "system__name")
    }
    texts = Compression.objects.filter(target__source__campaign=campaign).order_by("-pk")
    for target, author in texts.values_list("target_id", "worker_id"):
        skills[target] = skill_of.get(author, SKILL_OF_OTHERS)
    return skills


def experts_simulate(*, campaign: Campaign, experts: int, texts: int, seed: int, editors: int) -> int:
    """Draw a sample for the experts and let each of them rate all of it; return the number of ratings.

    `editors` and `seed` are those of the simulated crowd, from which the quality of each text follows.
    """
    expert_sample_draw(campaign=campaign, size=texts, seed=seed, experts=experts)
    skills = simulated_skills(campaign, seed, editors)
    ratings = 0
    for number in range(1, experts + 1):
        enrolment = simulated_enrolment(campaign, Round.EXPERT, seed, number)
        ratings += rate_all(enrolment, expert_model(seed, number), seed, skills)
        enrolment_finish(enrolment=enrolment)
    return ratings


SIMULATE_JOB = "simulate_crowd"
MOST_PEOPLE = 100
SEED = 7


@transaction.atomic
def simulation_request(*, campaign: Campaign, editors: int, raters: int, user: User) -> Job:
    """Enqueue a simulated crowd of test participants; refused once real people have come."""
    if real_people(campaign):
        raise Refused(_("Real participants have joined this campaign, so you can’t simulate a crowd in it."))
    if not campaign.is_open and campaign.state != CampaignState.DRAFT:
        raise Refused(_("Simulated participants can only work in a campaign that is open or a draft."))
    if not (0 <= editors <= MOST_PEOPLE and 0 <= raters <= MOST_PEOPLE and editors + raters > 0):
        raise Refused(_("Choose up to %(n)s editors and up to %(n)s raters.") % {"n": MOST_PEOPLE})
    seed = next(seed for seed in count(SEED) if not simulated_people(campaign, seed).exists())  # others each time
    parameters = {"editors": editors, "raters": raters, "seed": seed}
    return job_enqueue(campaign_id=campaign.pk, kind=SIMULATE_JOB, parameters=parameters, user=user)
