"""Fill a database of version 0.2.0, with its own code: scripts/upgrade_data.py runs this in the tree of that version.

A demonstration with a simulated crowd, and a small campaign that has at least a few rows of everything else.
"""
# mypy: ignore-errors
# The modules and functions of that version are not those of this one.

import json
import sys
from pathlib import Path

import django
from django.db import connection

django.setup()

from agreement.services import agreement_compute, report_get_or_create  # noqa: E402

from agreement.parameters import ReportParameters  # noqa: E402
from common.models import Job  # noqa: E402
from compressions.models import Compression  # noqa: E402
from compressions.selectors.sources import source_of_assignment  # noqa: E402
from compressions.services.drafts import DraftSave, draft_save  # noqa: E402
from compressions.services.paragraphs import paragraphs_divide  # noqa: E402
from compressions.services.submission import Submission, compression_submit  # noqa: E402
from corpus.services.erasure import worker_erase  # noqa: E402
from corpus.services.outputs import outputs_import  # noqa: E402
from crowd.models import Enrolment, Worker  # noqa: E402
from crowd.services.campaigns import campaign_staff_add, campaign_update, join_link_create  # noqa: E402
from crowd.services.claims import assignment_claim  # noqa: E402
from crowd.services.entry import PlatformIds, enrolment_finish, guidelines_accept, worker_enter  # noqa: E402
from crowd.services.remarks import problem_report, task_skip  # noqa: E402
from dashboard.simulation.crowd import crowd_simulate  # noqa: E402
from dashboard.simulation.demo import demo_campaign  # noqa: E402
from measures.quality_control.worker_filter import FilterParameters  # noqa: E402
from ratings.models import Rating  # noqa: E402
from ratings.selectors.qualification import qualification_items  # noqa: E402
from ratings.services.exclusions import person_exclude  # noqa: E402
from ratings.services.experts import expert_sample_draw  # noqa: E402
from ratings.services.gold import gold_create  # noqa: E402
from ratings.services.qualification import qualification_submit  # noqa: E402
from ratings.services.quality import person_include, quality_apply, quality_withdraw  # noqa: E402
from scoring.services.runs import score_run_get_or_create, scores_complete  # noqa: E402
from scoring.settings import ScoreSettings  # noqa: E402
from tests.support.factories import (  # noqa: E402
    EDIT,
    EXAMPLE,
    RATE,
    SENTENCE,
    add_qualification,
    edit_all,
    edit_next,
    enrol,
    freeze,
    import_paragraphs,
    import_texts,
    make_campaign,
    make_staff,
    rate,
    rate_all,
    rate_next,
    silent,
    staff_client,
    worker_client,
)


def demonstration(owner):
    campaign = demo_campaign(owner)
    campaign_update(campaign=campaign, editor_tasks=15)  # every source has compressions
    crowd_simulate(campaign=campaign, editors=20, raters=10, seed=7, progress=silent)
    quality_apply(campaign=campaign, parameters=FilterParameters())
    release = freeze(campaign)
    agreement_compute(result=report_get_or_create(release=release, parameters=ReportParameters()), progress=silent)
    return release


def small(owner):
    """A campaign in which people are at work: some of each kind of row, and each for a reason that staff meet."""
    campaign = make_campaign(
        sources=6,
        owner=owner,
        name="Straßen – Ausbesserung",
        slug="small",
        editors_per_source=4,
        raters_per_compression=4,
        editor_tasks=6,
        rater_tasks=30,
    )
    campaign_staff_add(campaign=campaign, user=make_staff("second"))
    for platform in ("prolific", "connect", "sona"):
        for work_round in (EDIT, RATE):
            join_link_create(campaign=campaign, work_round=work_round, platform_key=platform)
    add_qualification(campaign, 3)
    gold_create(campaign=campaign, example=EXAMPLE)
    edit_all(campaign, 3)
    flagged(campaign)
    import_paragraphs(campaign, ["p1", "p2", "p3"])
    paragraphs_divide(campaign=campaign, count=1, seed=3)
    lines = "\n".join(
        json.dumps({"id": str(n), "text": f"The committee {n} repaired the old bridge."}) for n in (1, 2, 3)
    )
    outputs_import(campaign=campaign, system="t5-small", file_name="t5.jsonl", content=lines.encode())
    raters(campaign)
    unfinished(campaign)
    decisions(campaign, owner)
    run = score_run_get_or_create(release=freeze(campaign), settings=ScoreSettings())
    scores_complete(run=run, progress=silent)
    expert_sample_draw(campaign=campaign, size=4, seed=1, experts=2, user=owner)
    for name in ("expert-1", "expert-2"):
        rate_next(enrol(campaign, "expert", name), 2, 3)
    jobs(campaign, owner)
    worker_erase(worker=Worker.objects.get(campaign=campaign, external_id="editor-2"))
    return freeze(campaign)


def raters(campaign):
    for number, (meaning, grammar) in enumerate([(3, 3), (2, 3), (1, 2)], start=1):
        enrolment = enrol(campaign, RATE, f"rater-{number}")
        qualify(enrolment, passes=True)
        rate_all(enrolment, meaning, grammar)
        enrolment_finish(enrolment=enrolment)
    changes_mind = enrol(campaign, RATE, "rater-4")
    qualify(changes_mind, passes=False)
    qualify(changes_mind, passes=True, number=2)
    assignment = assignment_claim(enrolment=changes_mind)
    rate(changes_mind, assignment, meaning=3, grammar=1)
    rate(changes_mind, assignment, known_version=1, meaning=2, grammar=2)
    assignment_claim(enrolment=changes_mind)
    fails = enrol(campaign, RATE, "rater-5")
    qualify(fails, passes=False)
    qualify(fails, passes=False, number=2)


def qualify(enrolment, *, passes, number=1):
    points = 3 if passes else 1
    answers = {item.pk: {"meaning": points, "grammar": points} for item in qualification_items(enrolment.campaign)}
    qualification_submit(enrolment=enrolment, number=number, answers=answers)
    enrolment.refresh_from_db()


def flagged(campaign):
    """Submissions that flags are set on: pasted from elsewhere, and done in a few seconds."""
    enrolment = enrol(campaign, EDIT, "flagged")
    for text in ("Die Kommission repaired the old bridge.", "Committee \u202eagreed to repair the bridge."):
        assignment = assignment_claim(enrolment=enrolment)
        source = source_of_assignment(assignment)
        log = [[0, source.text, text, "paste", 700]]
        compression_submit(
            enrolment=enrolment,
            assignment_id=assignment.pk,
            source=source,
            submission=Submission(text, log, comment="Ünïcode – “quoted”, comma; and\nnew line"),
        )


def unfinished(campaign):
    writing = enrol(campaign, EDIT, "writing")
    assignment = assignment_claim(enrolment=writing)
    source = source_of_assignment(assignment)
    for page, place in (("page-1", 30), ("page-2", 40)):
        log = [[place, source.text[place:], "", "deletion", 1500]]
        draft_save(assignment=assignment, source=source, save=DraftSave(page, 3, "source", log, "not yet “done”"))
    problem_report(enrolment=writing, assignment_id=assignment.pk, reason="broken", text="A word is missing.")
    skipping = enrol(campaign, EDIT, "skipping")
    task_skip(enrolment=skipping, assignment_id=assignment_claim(enrolment=skipping).pk, reason="unclear", text="What?")
    edit_next(skipping)
    by_prolific = campaign.links.get(round=EDIT, platform_key="prolific")
    ids = PlatformIds(worker_id="5f7b3a2c9d8e4f0012345678", study_id="64b000000000000000000001", session_id="s-1")
    entered = worker_enter(link=by_prolific, ids=ids)
    guidelines_accept(enrolment=entered)
    edit_next(Enrolment.objects.select_related("worker", "link__campaign").get(pk=entered.pk))
    worker_client(campaign, EDIT, "in-a-browser", HTTP_HOST="127.0.0.1")


def decisions(campaign, owner):
    workers = Worker.objects.filter(campaign=campaign)
    person_exclude(worker=workers.get(external_id="rater-3"), work_round=RATE, note="Always 1.", user=owner)
    person_include(worker=workers.get(external_id="editor-1"), work_round=EDIT, note="Checked by hand.", user=owner)
    quality_withdraw(run=quality_apply(campaign=campaign, parameters=FilterParameters()), user=owner)
    quality_apply(campaign=campaign, parameters=FilterParameters())


def jobs(campaign, owner):
    """One waits, one has failed, one was done."""
    for state in ("queued", "failed", "done"):
        Job.objects.create(
            campaign=campaign,
            kind="apply_quality",
            parameters={},
            requested_by=owner,
            state=state,
            lease_ends_at=campaign.created_at,
            attempts=0 if state == "queued" else 1,
            message="" if state == "queued" else "12 people, 2 excluded",
            finished_at=None if state == "queued" else campaign.created_at,
        )


def main() -> None:
    administrator = make_staff("administrator", administrator=True)
    owner = make_staff("demo")
    releases = [demonstration(owner), small(owner)]
    closed = make_campaign(owner=administrator, name="Closed", slug="closed", texts_go_on_erasure=True)
    import_texts(closed, [SENTENCE.format(number=7)])
    campaign_update(campaign=closed, is_open=False)
    pairs = make_campaign(
        sources=2,
        owner=owner,
        name="Pairs",
        slug="pairs",
        rating_task="pair",
        editors_per_source=2,
        raters_per_compression=2,
        extra_raters=False,
    )
    edit_all(pairs, 2)
    enrolment = enrol(pairs, RATE, "rater-1")
    assignment = assignment_claim(enrolment=enrolment)
    rate(enrolment, assignment, **{scale.key: scale.values[0] for scale in pairs.rating_scales})
    staff_client(owner)  # a session
    Path(sys.argv[1]).write_text(json.dumps({release.name: str(release.folder) for release in releases}))
    assert Rating.objects.count() > 100
    assert Compression.objects.filter(is_flagged=True).count() >= 2
    connection.close()


if __name__ == "__main__":
    main()
