"""What is ready of a campaign with a judgement task of its own before people come."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.steps import Step
from crowd.default_texts import default_texts
from crowd.models import Campaign, Round
from protocols.planned import Plan, plan_of
from protocols.selectors import Whose, counted_responses, material_counts
from reports.kinds import report_kinds
from reports.selectors import reports_of

REHEARSAL: Whose = "test participants"


def readiness_of(campaign: Campaign) -> list[Step]:
    return list(_checks(campaign))


def _checks(campaign: Campaign) -> Iterator[Step]:
    counts, set_up = material_counts(campaign), reverse("protocols:set-up", args=[campaign.slug])
    words = ngettext("%(n)s piece of material to judge", "%(n)s pieces of material to judge", counts.items)
    if counts.items:
        yield Step(_("Material"), True, words % {"n": f"{counts.items:,}"}, set_up, _("Import more"))
    elif campaign.task.by_design and campaign.material.exists():
        yield Step(_("Material"), False, _("The pieces of work are not made yet."), set_up, _("Make them"))
    else:
        yield Step(_("Material"), False, _("There is no material yet."), set_up, _("Import material"))
    words = ngettext("%(n)s piece of practice", "%(n)s pieces of practice", counts.practice)
    if counts.practice:
        yield Step(_("Practice"), True, words % {"n": f"{counts.practice:,}"}, set_up, _("Import more"))
    else:
        words = _("There is no practice: people begin with work that counts.")
        yield Step(_("Practice"), False, words, set_up, _("Import practice"))
    yield from _guidelines(campaign)
    if campaign.rating_task in report_kinds():
        yield plan_readiness(campaign)
        yield _rehearsal(campaign)


def _guidelines(campaign: Campaign) -> Iterator[Step]:
    defaults = default_texts(campaign.page_language)
    texts = [(_("Guidelines for raters"), "rater_guidelines", "rater-guidelines")]
    if Round.EDIT in campaign.task.rounds:
        texts.append((_("Guidelines for editors"), "editor_guidelines", "guidelines"))
    for title, name, tab in texts:
        address = reverse("crowd:settings-tab", args=[campaign.slug, tab])
        if getattr(campaign, name).strip() == defaults[name].strip():
            words = _("Still those that every campaign begins with, about another task.")
            yield Step(title, False, words, address, _("Write them"))
        else:
            yield Step(title, True, _("Written."), address, _("Change them"))


def plan_readiness(campaign: Campaign) -> Step:
    is_ready, words = _plan(campaign)
    name = "protocols:set-up" if campaign.task.has_material else "protocols:plan"
    button = _("See it") if is_ready else _("Fix the analysis")
    return Step(_("Analysis"), is_ready, words, reverse(name, args=[campaign.slug]), button)


def _plan(campaign: Campaign) -> tuple[bool, str]:
    plan = Plan.of({"plan": plan_of(campaign)})
    if plan is None:
        return False, _("The analysis is not fixed.")
    at = f"{plan.fixed_at[:16].replace('T', ' ')} UTC"
    if plan.analysis.get("task_settings", campaign.task_settings) != campaign.task_settings:
        words = _("The analysis was fixed on %(at)s, and the settings of the task have changed since.")
        return False, words % {"at": at}
    if plan.answers_before is None:
        words = _("The analysis was fixed on %(at)s. Whether that was before the first answer is not known.")
        return False, words % {"at": at}
    if plan.answers_before:
        words = ngettext(
            "The analysis was fixed on %(at)s, when there was %(n)s answer already.",
            "The analysis was fixed on %(at)s, when there were %(n)s answers already.",
            plan.answers_before,
        )
        return False, words % {"at": at, "n": f"{plan.answers_before:,}"}
    if plan.answers_of_files:
        return True, _("The analysis was fixed on %(at)s.") % {"at": at}
    return True, _("The analysis was fixed on %(at)s, before the first answer.") % {"at": at}


def _rehearsal(campaign: Campaign) -> Step:
    title, people = _("Rehearsal"), reverse("test-people", args=[campaign.slug])
    number = counted_responses(campaign, REHEARSAL).count()
    if not number:
        return Step(title, False, _("No test participant has answered yet."), people, _("Rehearse it"))
    reports = reports_of(campaign, report_kinds()[campaign.rating_task]).filter(rows__isnull=False)
    if not reports.filter(parameters__whose=REHEARSAL).exists():
        words = ngettext(
            "Test participants have given %(n)s answer, and no report is computed on it yet.",
            "Test participants have given %(n)s answers, and no report is computed on them yet.",
            number,
        )
        report = reverse(f"{report_kinds()[campaign.rating_task].namespace}:report", args=[campaign.slug])
        return Step(title, False, words % {"n": f"{number:,}"}, report, _("Compute it"))
    words = ngettext(
        "Test participants have given %(n)s answer, and a report is computed on it.",
        "Test participants have given %(n)s answers, and a report is computed on them.",
        number,
    )
    return Step(title, True, words % {"n": f"{number:,}"}, people, _("See them"))
