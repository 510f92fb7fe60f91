"""Staff pages: metric scores of outputs."""

from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from common.action_notices import ActionNotice
from common.errors import Refused
from corpus.models import Release
from corpus.page_words import newer_notice
from corpus.selectors import release_or_404, youngest_output_since
from crowd.access import campaign_staff, staff_user
from crowd.models import Campaign
from measures.metrics import METRICS, Coverage
from measures.metrics.options import Ground
from reports.kinds import METHOD, Tab
from reports.views import figure_as
from scoring.downloads import scores_response
from scoring.entries import ALL, JACKKNIFED, PEOPLE, system_label
from scoring.forms import ScoreForm, initial_of, run_summary
from scoring.models import JOBS, ScoreRun
from scoring.parquet_tables import lacks_parquet
from scoring.plots import system_figure
from scoring.selectors import (
    MAIN_METRIC,
    answer_words,
    common_ground,
    default_ground,
    extremes,
    is_being_computed,
    metric_lines,
    most_complete_run,
    part_lines,
    runs_of_release,
    section_of,
    system_lines,
)
from scoring.services.runs import scores_request
from scoring.settings import ScoreSettings

AGAIN = "again"
"""The field that names scores to be computed again, with the outputs that there are now."""
PARTS = ((gettext_lazy("By genre"), "genres"), (gettext_lazy("By length of the source"), "lengths"))
METRICS_SHOWN = 20
TABS = (
    Tab("", gettext_lazy("Answer"), "scoring/tabs/answer.html"),
    Tab("parts", gettext_lazy("By genre and length"), "scoring/tabs/parts.html"),
    Tab("texts", gettext_lazy("Best and worst texts"), "scoring/tabs/texts.html"),
    Tab("metrics", gettext_lazy("All metrics"), "scoring/tabs/metrics.html"),
    METHOD,
)
PARSED = {name for name, metric in METRICS.items() if metric.wants_parser}


def _run(request: HttpRequest, release: Release) -> ScoreRun | None:
    """Return the run named in the URL, or by default the most complete recent one."""
    number = request.GET.get("run")
    return most_complete_run(runs_of_release(release)) if number is None else _run_of(release, number)


def _run_of(release: Release, number: str) -> ScoreRun:
    if not number.isascii() or not number.isdecimal() or len(number) > 18:
        raise Http404(_("There are no such scores."))
    return get_object_or_404(runs_of_release(release), pk=int(number))


@campaign_staff
@require_safe
def scores(request: HttpRequest, campaign: Campaign, version: int, tab: str = "") -> HttpResponse:
    release = release_or_404(campaign, version)
    chosen = next((each for each in TABS if each.key == tab), None)
    if chosen is None:
        raise Http404(_("There is no such page of the scores."))
    run = _run(request, release)
    return _page(request, release, run, ScoreForm(initial=initial_of(run), language=campaign.language), chosen)


def _page(
    request: HttpRequest, release: Release, run: ScoreRun | None, form: ScoreForm, tab: Tab, status: int = 200
) -> HttpResponse:
    runs = runs_of_release(release).defer("summary")
    context: dict[str, Any] = {
        "campaign": release.campaign,
        "release": release,
        "run": run,
        "form": form,
        "is_under_way": False,
        "runs": [(each, run_summary(each)) for each in runs],
        "lacks_parser": not settings.SPACY_MODEL,
        "lacks_parquet": lacks_parquet(),
        "tab": tab,
        "shows_method": run is None or run.summary is None or tab == METHOD,
    }
    if run:
        context |= _run_state(run)
    if run and run.summary is not None:
        context |= _score_tables(request, run, run.summary, tab)
    return render(request, "scoring/scores.html", context, status=status)


def _run_state(run: ScoreRun) -> dict[str, Any]:
    is_finished = run.summary is not None
    job = None if is_finished else JOBS.telling(run.pk)
    return {
        "done": run.parts.exclude(outputs=None).count(),
        "parts": run.parts.count(),
        "job": job,
        "is_under_way": not is_finished and (is_being_computed(run) or (job is not None and not job.is_finished)),
        "notice": _notice(run) if is_finished else None,
    }


def _notice(run: ScoreRun) -> ActionNotice | None:
    """Say which outputs scores do not include, or else what has come since the release was frozen."""
    place = run.release.campaign.slug
    if run.kind != ScoreRun.Kind.IMPORTED and run.last_output != youngest_output_since(run.release):
        words = _("Outputs of systems have been imported since, and these scores do not include them.")
        address = reverse("scoring:runs", args=[place, run.release.version])
        return ActionNotice(words, _("Score"), address, {AGAIN: run.pk})
    return newer_notice(run.release, lambda newest: reverse("scoring:scores", args=[place, newest]))


def _score_tables(request: HttpRequest, run: ScoreRun, whole: dict[str, Any], tab: Tab) -> dict[str, Any]:
    """Return what a tab shows of finished scores on the ground that is asked for, most of it for one metric."""
    asks_for_all = request.GET.get("ground") == ALL and whole["systems"]
    ground = ALL if asks_for_all else default_ground(whole)
    summary = section_of(whole, ground)
    names = summary["metrics"]
    asked = request.GET.get("metric", MAIN_METRIC)
    metric = asked if asked in names else names[0]
    address = reverse("scoring:scores", args=[run.release.campaign.slug, run.release.version])
    query = urlencode({"run": run.pk, "metric": metric} | ({} if ground == JACKKNIFED else {"ground": ALL}))
    context = {
        **_ground_context(run, whole, ground),
        "tabs": [(each, f"{address}{each.key}{'/' if each.key else ''}?{query}") for each in TABS],
        "metric": metric,
        "metrics": names,
        "signature": run.signatures[metric],
        "coverage": str(Coverage(**whole["coverage"])) if "coverage" in whole else "",
        "systems": [(system_label(each["system"]), each["outputs"]) for each in summary["systems"]],
        "lacks_parser": run.kind == ScoreRun.Kind.COMPUTED and not PARSED & set(names),
    }
    if tab.key == "":
        systems = system_lines(summary, metric)
        figure = system_figure(systems, metric, is_jackknifed=ground == JACKKNIFED)
        files = {"figure": figure, "figures_at": f"{address}figures/", "figure_query": query}
        # Against all references people have one fewer than systems, so these means are not compared.
        leaves_people = context["has_both"] and ground != JACKKNIFED
        compared = [each for each in systems if not (leaves_people and each.system == system_label(PEOPLE))]
        return context | files | {"of_systems": systems, "answer": answer_words(metric, compared)}
    if tab.key == "parts":
        return context | {"parts_of": [(name, part_lines(summary, kind, metric)) for name, kind in PARTS]}
    if tab.key == "texts":
        return context | {"extremes": extremes(run, metric, ground)}
    if tab.key == "metrics":
        return context | {"page": Paginator(metric_lines(summary), METRICS_SHOWN).get_page(request.GET.get("page"))}
    return context


def _ground_context(run: ScoreRun, summary: dict[str, Any], ground: Ground) -> dict[str, Any]:
    """Return what the page says of the references that people and systems were scored against."""
    is_people = {each["system"] == PEOPLE for each in summary["systems"]}
    return {
        "is_jackknifed": ground == JACKKNIFED,
        "is_of_before": run.kind == ScoreRun.Kind.COMPUTED and not ScoreSettings.of(run.settings).jackknifed,
        "common": common_ground(summary),
        "has_both": is_people == {True, False},
        "has_all": bool(is_people),
    }


@campaign_staff
@require_POST
def run_request(request: HttpRequest, campaign: Campaign, version: int) -> HttpResponse:
    release = release_or_404(campaign, version)
    if AGAIN in request.POST:
        chosen = ScoreSettings.of(_run_of(release, request.POST[AGAIN]).settings)
    else:
        form = ScoreForm(request.POST, language=campaign.language)
        if not form.is_valid():
            return _page(request, release, _run(request, release), form, METHOD, status=422)
        chosen = form.settings
    try:
        run = scores_request(release=release, settings=chosen, user=staff_user(request))
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("scoring:scores", campaign.slug, version)
    return redirect(f"{reverse('scoring:scores', args=[campaign.slug, version])}?run={run.pk}")


@campaign_staff
@require_safe
def figure(request: HttpRequest, campaign: Campaign, version: int, key: str, form: str) -> HttpResponse:
    """Return the plot of the first tab as a file, or on a page that prints as large as it is."""
    release = release_or_404(campaign, version)
    run = _run(request, release)
    if run is None or run.summary is None:
        raise Http404(_("There are no such scores."))
    figures = [_score_tables(request, run, run.summary, TABS[0])["figure"]]
    address = reverse("scoring:scores", args=[campaign.slug, version])
    return figure_as(f"{key}.{form}", request, campaign, figures, f"{release.name}-scores", address)


@campaign_staff
@require_safe
def scores_download(request: HttpRequest, campaign: Campaign, version: int, form: str) -> HttpResponseBase:
    run = _run(request, release_or_404(campaign, version))
    if form != "parquet" and (words := lacks_parquet()):
        messages.error(request, words)
        return redirect("scoring:scores", campaign.slug, version)
    return scores_response(run, form)
