"""Staff pages of linked sentences: the communities of one document, and files of all."""

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from crowd.access import campaign_staff
from crowd.models import Campaign
from measures.clustering import gold_cover, omega_index
from measures.core.undefined import Undefined
from protocols.links.divided import ALGORITHMS
from protocols.links.documents import texts_of
from protocols.links.drawing import drawn_graph
from protocols.links.files import GRAPH_FORMS, REPORT_FORMS
from protocols.links.kept import KeptDocument, KeptGraph, kept_documents
from protocols.links.parameters import LinksParameters
from protocols.links.task import TASK
from reports.kinds import report_kinds
from reports.models import Report
from reports.views import finished_report

GRAPH_FILES = (
    ("graphml", gettext_lazy("Graph with these communities (GraphML)")),
    ("newick", gettext_lazy("Tree (Newick)")),
    ("json", gettext_lazy("Tree (JSON)")),
)


class ChosenForm(forms.Form):
    """Which graph, which algorithm, and at how many communities."""

    graph = forms.ChoiceField(label=gettext_lazy("Links"), required=False)
    algorithm = forms.ChoiceField(
        label=gettext_lazy("Algorithm"), choices=[(each, each) for each in ALGORITHMS], required=False
    )
    n = forms.IntegerField(
        label=gettext_lazy("Communities of linked sentences"), min_value=1, max_value=2_000, required=False
    )

    def __init__(self, sent: Any, document: KeptDocument) -> None:
        super().__init__(sent)
        self.fields["graph"].choices = [(each, each) for each in document.graphs]  # type: ignore[attr-defined]
        self.document = document

    @property
    def chosen(self) -> tuple[KeptGraph, int]:
        """Return the graph and the number that are asked for, or else the first graph at the report's number."""
        wanted = self.cleaned_data if self.is_valid() else {}
        graph = self.document.graph(
            wanted.get("graph") or next(iter(self.document.graphs)), wanted.get("algorithm") or "CONGA"
        )
        return graph, wanted.get("n") or graph.wanted


def _report(request: HttpRequest, campaign: Campaign) -> Report:
    kind = report_kinds()[TASK.key]
    if not kind.is_for(campaign):
        raise Http404(_("This campaign has another judgement task."))
    return finished_report(request, campaign, kind)


def _document(report: Report, place: int) -> KeptDocument:
    found = next((each for number, each in enumerate(kept_documents(report), start=1) if number == place), None)
    if found is None:
        raise Http404(_("The report has no such document."))
    return found


@campaign_staff
@require_safe
def files(request: HttpRequest, campaign: Campaign, form: str) -> HttpResponseBase:
    """Download the communities or the links of all documents of a report."""
    if form not in REPORT_FORMS:
        raise Http404(_("There is no such format."))
    content_type, write = REPORT_FORMS[form]
    response = StreamingHttpResponse(write(_report(request, campaign)), content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{campaign.slug}-communities.{form}"'
    return response


@campaign_staff
@require_safe
def graph_file(request: HttpRequest, campaign: Campaign, place: int, form: str) -> HttpResponse:
    """Download a graph with its communities, or the tree of its division."""
    if form not in GRAPH_FORMS:
        raise Http404(_("There is no such format."))
    report = _report(request, campaign)
    graph, number = ChosenForm(request.GET, _document(report, place)).chosen
    drop = LinksParameters.of(report.parameters).drop_subsets
    response = HttpResponse(GRAPH_FORMS[form].write(graph, number, drop), content_type=GRAPH_FORMS[form].content_type)
    response["Content-Disposition"] = f'attachment; filename="{campaign.slug}-document-{place}.{form}"'
    return response


@campaign_staff
@require_safe
def document(request: HttpRequest, campaign: Campaign, place: int) -> HttpResponse:
    """Show the communities of a document at any number, beside those of each person."""
    report = _report(request, campaign)
    kept = _document(report, place)
    form = ChosenForm(request.GET, kept)
    graph, number = form.chosen
    cover = graph.cover(number, drop_subsets=LinksParameters.of(report.parameters).drop_subsets)
    texts = texts_of(campaign, kept.name, kept.ids)
    people = [(person, gold_cover(sets, len(kept.ids))) for person, sets in kept.people]
    omegas = [(person, omega_index(cover, theirs, len(kept.ids))) for person, theirs in people]
    together = [community for community in cover if len(community) > 1]
    context = {
        "campaign": campaign,
        "report": report,
        "form": form,
        "place": place,
        "name": kept.name,
        "graph": graph,
        "number": number,
        "asked": _asked(report, graph, number),
        "graph_files": GRAPH_FILES,
        "communities": [[(kept.ids[node], texts[node]) for node in community] for community in together],
        "alone": len(cover) - len(together),
        "omegas": [(person, "" if isinstance(found, Undefined) else found.omega) for person, found in omegas],
        "drawing": drawn_graph(graph, together),
    }
    return render(request, "protocols/links/document.html", context, status=422 if form.errors else 200)


def _asked(report: Report, graph: KeptGraph, number: int) -> str:
    asked = {"report": report.digest[:16], "graph": graph.name, "algorithm": graph.algorithm, "n": str(number)}
    return urlencode(asked)
