"""What staff do in a campaign, step by step: before it opens, while it is open, and after the work.

The next step is the first that is not ready.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.steps import Step
from common.templatetags.formatting import money
from corpus.models import Release
from crowd.default_texts import default_texts, translated_scales
from crowd.models import Campaign, JoinLink, Round
from crowd.opening import NotReady, opening_check, setting_is_missing
from crowd.pay import pay_of_round
from crowd.scales import scales_dump
from crowd.selectors.progress import RoundProgress
from dashboard.money import visits_to_pay
from protocols.readiness import readiness_of
from ratings.models import QualityRun
from ratings.selectors.qualification import gold_items, qualification_items
from ratings.selectors.setup_warnings import SetupWarning, setup_warnings
from reports.kinds import report_kinds
from reports.models import Report

OF_PAY = {Round.EDIT: ("editor_pay", "editor_minutes"), Round.RATE: ("rater_pay", "rater_minutes")}


def next_step(steps: Sequence[Step]) -> Step | None:
    return next((step for step in steps if not step.is_ready), None)


def steps_before_opening(campaign: Campaign, *, texts: int, links: Sequence[JoinLink]) -> list[Step]:
    """Return the steps of a draft with so many texts and these links, in a fixed number of queries."""
    handed_out = [link for link in links if link.is_active and not link.is_test]
    rounds = {link.round for link in handed_out} or set(campaign.task.rounds) or {Round.EDIT, Round.RATE}
    warnings = setup_warnings(campaign)
    steps: list[Step] = []
    if campaign.task.has_material:
        steps += readiness_of(campaign)
    else:
        steps.append(_texts(campaign, texts, warnings))
        steps += [_guidelines(campaign, each) for each in (Round.EDIT, Round.RATE) if each in rounds]
    steps += [_consent(campaign), _pay(campaign, handed_out, rounds, warnings)]
    if Round.RATE in rounds and not campaign.task.has_material:
        steps += [_test(campaign, warnings), _gold(campaign, warnings)]
    words = _("Only test links and previews work in a draft.")
    return [*steps, _link(campaign, handed_out), Step(_("Try it, then open it"), False, words, "#state")]


def _at(campaign: Campaign, name: str, *named: str) -> str:
    return reverse(name, args=[campaign.slug, *named])


def _tab(campaign: Campaign, key: str) -> str:
    return _at(campaign, "crowd:settings-tab", key)


def _with(words: str, warnings: Sequence[SetupWarning], step: str) -> str:
    return " ".join([words, *(each.text for each in warnings if each.step == step)])


def _texts(campaign: Campaign, texts: int, warnings: Sequence[SetupWarning] = ()) -> Step:
    address = _at(campaign, "compressions:imports")
    if not texts:
        return Step(_("Texts"), False, _("There are no texts to shorten yet."), address, _("Import texts"))
    words = ngettext("%(n)s text.", "%(n)s texts.", texts) % {"n": f"{texts:,}"}
    return Step(_("Texts"), True, _with(words, warnings, "texts"), address, _("Import more"))


def _guidelines(campaign: Campaign, work_round: str) -> Step:
    """The guidelines that every campaign begins with are good for what it begins with, and for nothing else."""
    is_of_editors = work_round == Round.EDIT
    title = _("Editor guidelines") if is_of_editors else _("Rater guidelines")
    address = _tab(campaign, "guidelines" if is_of_editors else "rater-guidelines")
    name = "editor_guidelines" if is_of_editors else "rater_guidelines"
    if getattr(campaign, name).strip() != default_texts(campaign.page_language)[name].strip():
        return Step(title, True, _("Written for this campaign."), address, _("Change them"))
    has_default_scales = campaign.scales == scales_dump(translated_scales(campaign.page_language))
    if is_of_editors or (campaign.task.fits_default_scales and has_default_scales):
        return Step(title, True, _("Those that every campaign begins with."), address, _("Change them"))
    words = _("Still those that every campaign begins with, about other scales.")
    return Step(title, False, words, address, _("Write them"))


def _consent(campaign: Campaign) -> Step:
    address = _tab(campaign, "consent")
    if setting_is_missing(campaign, "consent"):
        words = _("Still the text that every campaign begins with: it does not say who you are.")
        return Step(_("Consent"), False, words, address, _("Write it"))
    return Step(_("Consent"), True, _("Written for this campaign."), address, _("Change it"))


def _pay(campaign: Campaign, links: Sequence[JoinLink], rounds: set[str], warnings: Sequence[SetupWarning]) -> Step:
    """What people by these links must be told; without a link yet, what any platform that pays wants to be set."""
    paid = [each for each in OF_PAY if each in rounds]
    missing = {name for each in paid for name in OF_PAY[each] if setting_is_missing(campaign, name)}
    is_set_in_part = len(missing) < sum(len(OF_PAY[each]) for each in paid)
    if links:
        missing &= _missing_for(campaign, links)
    address = _tab(campaign, "pay")
    if not missing and not is_set_in_part:
        words = _("Nothing is set, and nobody comes by a platform that pays.")
        return Step(_("Pay"), True, words, address, _("Set the pay"))
    said = "; ".join(f"{each.label}: {_pay_words(campaign, each)}" for each in paid)
    is_ready = not missing and not any(each.step == "pay" for each in warnings)
    words = _with(f"{capfirst(said)}.", warnings, "pay")
    return Step(_("Pay"), is_ready, words, address, _("Change it") if is_ready else _("Set the pay"))


def _missing_for(campaign: Campaign, links: Sequence[JoinLink]) -> set[str]:
    try:
        opening_check(campaign=campaign, links=links, confirmed=())
    except NotReady as refusal:
        return set(refusal.missing)
    return set()


def _pay_words(campaign: Campaign, work_round: str) -> str:
    pay = pay_of_round(campaign, work_round)
    unit = _("per text") if pay.is_per_text else _("per study")
    amount = _("no pay is set") if pay.amount is None else f"{money(pay.amount, pay.currency)} {unit}"
    minutes = ngettext("%(n)s minute", "%(n)s minutes", pay.minutes or 0) % {"n": pay.minutes}
    return f"{amount}, {minutes if pay.minutes else _('no time is told')}"


def _test(campaign: Campaign, warnings: Sequence[SetupWarning]) -> Step:
    number, address = qualification_items(campaign).count(), _at(campaign, "ratings:examples")
    if not number:
        words = _("There are no test questions: raters would start without a test.")
        return Step(_("Test"), False, words, address, _("Set up a test"))
    words = ngettext("%(n)s test question.", "%(n)s test questions.", number) % {"n": f"{number:,}"}
    is_ready = not any(each.step == "test" for each in warnings)
    return Step(_("Test"), is_ready, _with(words, warnings, "test"), address, _("Change it"))


def _gold(campaign: Campaign, warnings: Sequence[SetupWarning]) -> Step:
    number, address = gold_items(campaign).filter(item__is_closed=False).count(), _at(campaign, "ratings:examples")
    words = ngettext("%(n)s gold question.", "%(n)s gold questions.", number) % {"n": f"{number:,}"}
    if not campaign.gold_percent:
        words = _("The settings mix in no gold questions.")
    if of_gold := [each.text for each in warnings if each.step == "gold"]:
        return Step(_("Gold questions"), False, " ".join(of_gold), address, _("Write some"))
    return Step(_("Gold questions"), True, words, address, _("See them"))


def _link(campaign: Campaign, links: Sequence[JoinLink]) -> Step:
    address = _at(campaign, "crowd:links")
    if not links:
        words = _("There is no open link for participants to join by.")
        return Step(_("Link"), False, words, address, _("Make a link"))
    words = ngettext("%(n)s open link.", "%(n)s open links.", len(links)) % {"n": f"{len(links):,}"}
    return Step(_("Link"), True, words, address, _("Codes and new links"))


def steps_while_open(
    campaign: Campaign, *, texts: int, links: Sequence[JoinLink], progress: Mapping[str, RoundProgress]
) -> list[Step]:
    """Return what stops the work, and its end once all is done."""
    handed_out = [link for link in links if link.is_active and not link.is_test]
    rounds = campaign.task.rounds or (Round.EDIT, Round.RATE)
    if campaign.task.has_material:
        words, address = _("There is no material to judge yet."), _at(campaign, "protocols:set-up")
        steps = [Step(_("Import material"), any(progress[each].items for each in rounds), words, address)]
    else:
        steps = [_texts(campaign, texts)]
    steps.append(_link(campaign, handed_out))
    words = _("While it is paused, nobody is given new texts.")
    steps.append(Step(_("Open it again"), campaign.is_open, words, "#state"))
    if all(progress[each].is_complete for each in rounds):
        steps.append(Step(_("Close it"), False, _("All work is done."), "#state"))
    return steps


@dataclass(frozen=True)
class Results:
    """What the steps after the work depend on."""

    has_ratings: bool
    quality_run: QualityRun | None
    release: Release | None
    reports: Mapping[str, Report]


def steps_after_the_work(campaign: Campaign, results: Results) -> list[Step]:
    """Return the steps of a closed campaign: to pay, to decide whose work counts, to publish, and to report."""
    steps = list(_pay_people(campaign))
    if campaign.task.has_material:
        kind = report_kinds().get(campaign.rating_task)
        if kind is not None:
            is_ready = kind.key in results.reports
            words = _("A report is computed.") if is_ready else _("No report on the answers is computed yet.")
            address = _at(campaign, f"{kind.namespace}:report")
            button = _("What people answered")
            steps.append(Step(_("Report"), is_ready, words, address, button))
        return steps
    if not results.has_ratings:
        return steps
    return [*steps, _rule(campaign, results), _release(campaign, results), _agreement(campaign, results)]


def _pay_people(campaign: Campaign) -> Iterator[Step]:
    """Yield whether those who finished are marked as paid, where people are paid at all."""
    links = JoinLink.objects.filter(campaign=campaign, is_test=False)
    paid = [link for link in links if link.platform.pays or pay_of_round(campaign, link.round).amount is not None]
    to_pay = visits_to_pay(paid)
    if not to_pay.finished:
        return
    words = ngettext(
        "%(n)s finished visit is not marked as paid.", "%(n)s finished visits are not marked as paid.", to_pay.owed
    )
    said = words % {"n": f"{to_pay.owed:,}"} if to_pay.owed else _("All finished visits are marked as paid.")
    address = _at(campaign, "ratings:platform-lists", paid[0].round)
    yield Step(_("Pay"), not to_pay.owed, said, address, _("Lists for the platform"))


def _rule(campaign: Campaign, results: Results) -> Step:
    title, address = _("Worker filter"), _at(campaign, "ratings:quality-preview")
    if run := results.quality_run:
        words = _("A rule is active since %(at)s UTC.") % {"at": f"{run.created_at:%Y-%m-%d %H:%M}"}
        return Step(title, True, words, _at(campaign, "ratings:quality"), _("Who and why"))
    if results.release is not None:
        return Step(title, True, _("No rule is active."), address, _("See what a rule would do"))
    words = _("See whose work a release would exclude before you decide.")
    return Step(title, False, words, address, _("See what a rule would do"))


def _release(campaign: Campaign, results: Results) -> Step:
    address = _at(campaign, "corpus:freeze")
    if results.release is not None:
        words = _("%(release)s is frozen.") % {"release": results.release.name}
        return Step(_("Release"), True, words, address, _("Freeze another"))
    words = _("Freeze a version of the corpus that never changes.")
    return Step(_("Release"), False, words, address, _("Freeze a release"))


def _agreement(campaign: Campaign, results: Results) -> Step:
    report = results.reports.get("agreement")
    if report is not None and report.release is not None:
        address = reverse("agreement:report", args=[campaign.slug, report.release.version])
        words = _("Computed for %(release)s.") % {"release": report.release.name}
        return Step(_("Agreement"), True, words, address, _("See it"))
    words = _("See how far raters agree in the release.")
    if results.release is None:
        return Step(_("Agreement"), False, words)
    address = reverse("agreement:report", args=[campaign.slug, results.release.version])
    return Step(_("Agreement"), False, words, address, _("Compute it"))
