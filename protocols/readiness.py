"""What is ready of a campaign with a judgement task of its own before people come."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from crowd.default_texts import default_texts
from crowd.models import Campaign, Round
from protocols.planned import Plan, plan_of
from protocols.selectors import Whose, counted_responses, material_counts
from reports.kinds import report_kinds
from reports.selectors import reports_of

REHEARSAL: Whose = "test participants"


@dataclass(frozen=True)
class Readiness:
    """One thing that should stand before people come; `url_name` is the page of the campaign where it is done."""

    is_ready: bool
    words: str
    url_name: str = ""


def readiness_of(campaign: Campaign) -> list[Readiness]:
    return list(_checks(campaign))


def _checks(campaign: Campaign) -> Iterator[Readiness]:
    counts = material_counts(campaign)
    words = ngettext("%(n)s piece of material to judge", "%(n)s pieces of material to judge", counts.items)
    if counts.items:
        yield Readiness(True, words % {"n": f"{counts.items:,}"})
    else:
        yield Readiness(False, _("There is no material yet."))
    words = ngettext("%(n)s piece of practice", "%(n)s pieces of practice", counts.practice)
    if counts.practice:
        yield Readiness(True, words % {"n": f"{counts.practice:,}"})
    else:
        yield Readiness(False, _("There is no practice: people begin with work that counts."))
    yield from _guidelines(campaign)
    if campaign.rating_task in report_kinds():
        yield _plan(campaign)
        yield _rehearsal(campaign)


def _guidelines(campaign: Campaign) -> Iterator[Readiness]:
    defaults = default_texts(campaign.page_language)
    if campaign.rater_guidelines.strip() == defaults["rater_guidelines"].strip():
        words = _("The guidelines for raters are still those that every campaign begins with, about another task.")
        yield Readiness(False, words, "crowd:campaign-edit")
    else:
        yield Readiness(True, _("Guidelines for raters are written."))
    if Round.EDIT not in campaign.task.rounds:
        return
    if campaign.editor_guidelines.strip() == defaults["editor_guidelines"].strip():
        words = _("The guidelines for editors are still those that every campaign begins with, about another task.")
        yield Readiness(False, words, "crowd:campaign-edit")
    else:
        yield Readiness(True, _("Guidelines for editors are written."))


def _plan(campaign: Campaign) -> Readiness:
    plan = Plan.of({"plan": plan_of(campaign)})
    if plan is None:
        return Readiness(False, _("The analysis is not fixed."))
    at = f"{plan.fixed_at[:16].replace('T', ' ')} UTC"
    if plan.analysis["task_settings"] != campaign.task_settings:
        words = _("The analysis was fixed on %(at)s, and the settings of the task have changed since.")
        return Readiness(False, words % {"at": at})
    if plan.answers_before:
        words = ngettext(
            "The analysis was fixed on %(at)s, when there was %(n)s answer already.",
            "The analysis was fixed on %(at)s, when there were %(n)s answers already.",
            plan.answers_before,
        )
        return Readiness(False, words % {"at": at, "n": f"{plan.answers_before:,}"})
    return Readiness(True, _("The analysis was fixed on %(at)s, before the first answer.") % {"at": at})


def _rehearsal(campaign: Campaign) -> Readiness:
    number = counted_responses(campaign, REHEARSAL).count()
    if not number:
        return Readiness(False, _("It is not rehearsed: no test participant has answered yet."), "test-people")
    reports = reports_of(campaign, report_kinds()[campaign.rating_task]).filter(rows__isnull=False)
    if not reports.filter(parameters__whose=REHEARSAL).exists():
        words = ngettext(
            "Test participants have given %(n)s answer, and no report is computed on it yet.",
            "Test participants have given %(n)s answers, and no report is computed on them yet.",
            number,
        )
        return Readiness(False, words % {"n": f"{number:,}"})
    words = ngettext(
        "It is rehearsed: test participants have given %(n)s answer, and a report is computed on it.",
        "It is rehearsed: test participants have given %(n)s answers, and a report is computed on them.",
        number,
    )
    return Readiness(True, words % {"n": f"{number:,}"})
