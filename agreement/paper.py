"""Staff: what a paper says about a release, with the agreement that was computed of it."""

from collections.abc import Callable, Iterator

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from agreement.kind import KIND
from agreement.report_rows import FEW_TEXTS
from agreement.sections.coefficients import ALL_EXPERTS, ALL_RATERS
from agreement.sections.paper_table import EXPERTS, WORKERS
from corpus.models import Release
from corpus.paper.found import Agreed, PaperFacts, facts_of
from corpus.paper.heds import Sheet
from corpus.paper.methods import bibliography, methods_of
from corpus.paper.references import COHEN_1960, COHEN_1968, KRIPPENDORFF, TOUTANOVA
from corpus.paper.sentences import as_latex, as_markdown
from corpus.selectors import release_or_404
from crowd.access import campaign_staff
from crowd.models import Campaign
from reports.models import Report
from reports.selectors import reports_of

ALPHA = "Krippendorff's alpha (ordinal)"
JUDGES = {
    WORKERS: "between one rater, drawn at random, and the rounded mean of the others",
    ALL_RATERS: "among all raters",
    EXPERTS: "between two people of the expert round",
    ALL_EXPERTS: "among all people of the expert round",
}
MEASURES = ((WORKERS, "kappa"), (ALL_RATERS, ALPHA), (EXPERTS, "kappa"), (ALL_EXPERTS, ALPHA))
FILES: dict[str, Callable[[PaperFacts], str]] = {
    "methods-short.tex": lambda found: as_latex(methods_of(found, is_short=True)),
    "methods.tex": lambda found: as_latex(methods_of(found)),
    "methods-short.md": lambda found: as_markdown(methods_of(found, is_short=True)),
    "methods.md": lambda found: as_markdown(methods_of(found)),
    "references.bib": bibliography,
    "heds.md": lambda found: Sheet.of(found).as_markdown(),
    "heds.json": lambda found: Sheet.of(found).as_json(),
    "heds-form.json": lambda found: Sheet.of(found).as_form(),
}
TYPES = {"tex": "application/x-tex", "md": "text/markdown", "bib": "application/x-bibtex", "json": "application/json"}


def agreement_of(release: Release) -> list[Agreed] | None:
    """Return kappa and alpha of each scale from the newest report that is computed as today; None without one."""
    computed = reports_of(release, KIND).filter(finished_at__isnull=False, report_version=KIND.version)
    report = computed.defer("attached", "figures").first()
    return None if report is None else list(_agreed(report))


def _agreed(report: Report) -> Iterator[Agreed]:
    rows = {(row["scale"], row["comparison"], row["measure"]): row for row in report.rows or []}
    weights = report.parameters["weights"]
    kappa = ("Cohen’s kappa", (COHEN_1960,)) if weights == "none" else (f"kappa with {weights} weights", (COHEN_1968,))
    for scale in report.of_release.rating_scales:
        for comparison, measure in MEASURES:
            row = rows.get((scale.key, comparison, measure))
            if row is None or (comparison == EXPERTS and row["value"] is None):
                continue
            name, works = ("Krippendorff’s ordinal alpha", (KRIPPENDORFF,)) if measure == ALPHA else kappa
            texts = row["items"] or 0
            yield Agreed(
                scale.name,
                JUDGES[comparison],
                name,
                (*works, TOUTANOVA) if comparison == WORKERS else works,
                row["value"],
                row["low"],
                row["high"],
                texts,
                bool(row["raters"]),
                0 < texts < FEW_TEXTS,
                row["undefined"],
            )


def paper_facts(campaign: Campaign, version: int) -> PaperFacts:
    """Return what is said of a finished release; one from before work was described is a 404."""
    release = release_or_404(campaign, version)
    if release.state != Release.State.READY or "overview" not in release.summary:
        raise Http404
    try:
        return PaperFacts(facts_of(release), agreement_of(release))
    except (FileNotFoundError, KeyError) as error:
        raise Http404 from error


@campaign_staff
@require_safe
def paper(request: HttpRequest, campaign: Campaign, version: int) -> HttpResponse:
    """Show the section on methods, and which questions of the sheet are open."""
    found = paper_facts(campaign, version)
    context = {
        "campaign": campaign,
        "release": found.release,
        "has_agreement": found.agreement is not None,
        "short": methods_of(found, is_short=True),
        "full": methods_of(found),
        "open_questions": Sheet.of(found).open_questions,
        "files": list(FILES),
    }
    return render(request, "agreement/paper.html", context)


@campaign_staff
@require_safe
def paper_file(_request: HttpRequest, campaign: Campaign, version: int, name: str) -> HttpResponse:
    if name not in FILES:
        raise Http404
    found = paper_facts(campaign, version)
    content = FILES[name](found)
    response = HttpResponse(content, content_type=f"{TYPES[name.rpartition('.')[2]]}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{found.release.name}-{name}"'
    return response
