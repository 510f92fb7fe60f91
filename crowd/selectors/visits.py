"""Query who is at work: the first statement of every request of a participant."""

from common.clock import database_said
from common.columns import Columns, read_each
from common.statements import Statement
from crowd.models import Campaign, Enrolment, JoinLink, Worker

ENROLMENT = Columns(
    Enrolment,
    "e",
    "id worker_id round link_id browser_hash guidelines_read_at guidelines_version_id qualified_at outcome is_excluded",
)
WORKER = Columns(Worker, "w", "id campaign_id number is_test")
LINK = Columns(
    JoinLink,
    "l",
    "id campaign_id round platform_key code_done code_partial code_failed code_no_work code_withdrew is_test",
)
# Not what people read: those texts are long, and most pages show none of them.
CAMPAIGN = Columns(
    Campaign,
    "c",
    """
    id slug name state edit_paused rate_paused expert_paused sandbox_of_id settings_version_id
    editor_guidelines_changed_id rater_guidelines_changed_id
    texts_go_on_erasure editors_per_source raters_per_compression editor_tasks rater_tasks lease_minutes editor_start
    keep_percent sentence_min_words paragraph_min_words
    qualification_questions qualification_pass_percent qualification_tries qualification_wait_minutes rating_task scales
    ratings_per_page extra_raters pairs_per_compression system_percent gold_percent gold_warn_percent
    partial_after currency editor_pay editor_pay_unit editor_minutes rater_pay rater_pay_unit rater_minutes
    minimum_hourly_pay language page_language
    """,
)
VISIT = Statement(f"""
    SELECT {ENROLMENT}, {WORKER}, {LINK}, {CAMPAIGN}, {{now}}
    FROM crowd_enrolment e
    JOIN crowd_worker w ON w.id = e.worker_id
    JOIN crowd_joinlink l ON l.id = e.link_id
    JOIN crowd_campaign c ON c.id = l.campaign_id
    WHERE e.id = %(enrolment)s AND w.erased_at IS NULL
""")  # noqa: S608 - of constants


def enrolment_at_work(enrolment_id: int) -> Enrolment | None:
    """Return an enrolment with its worker, link and campaign; None if there is none, or the person was erased."""
    row = VISIT.row(enrolment=enrolment_id)
    if row is None:
        return None
    database_said(row[-1])
    enrolment, worker, link, campaign = read_each(row, ENROLMENT, WORKER, LINK, CAMPAIGN)
    worker.campaign = link.campaign = campaign
    enrolment.worker, enrolment.link = worker, link
    found: Enrolment = enrolment
    return found
