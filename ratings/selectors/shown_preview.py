"""A preview of the worker filter as it is kept and shown: plain JSON, bounded in size, with people page by page."""

from dataclasses import asdict, dataclass
from typing import Any

from django.core.paginator import Page, Paginator

from common.plots import Axis, HistogramBar, histogram_axes
from crowd.models import Round, Worker
from measures.quality_control.parameters import FILTER_VERSION, FilterParameters
from measures.quality_control.role_decisions import EDITOR_MEASURE, RATER_MEASURES, Measure
from measures.quality_control.share_preview import SharePreview
from ratings.quality_words import MEASURES, ROLE_WORDS, MeasureWords, RoleWords, preview_caption
from ratings.selectors.preview import PREVIEW_VERSION, FilteredWorker, FilterPreview, RolePreview, number_or_none

MAX_PEOPLE = 2_000
"""So many people of a role are kept, the worst first: a row of each takes about 150 bytes."""

PEOPLE_PER_PAGE = 5


@dataclass(frozen=True)
class ShownRole:
    """One role of a preview with one page of its people."""

    measure: Measure
    figures: dict[str, Any]
    bars: list[HistogramBar]
    page: Page[FilteredWorker]

    @property
    def words(self) -> RoleWords:
        return ROLE_WORDS[self.figures["round"]]

    @property
    def measured(self) -> MeasureWords:
        return MEASURES[self.measure]

    @property
    def caption(self) -> str:
        return preview_caption(self.figures["round"], self.measured, self.figures["number"], self.figures["eligible"])

    @property
    def page_name(self) -> str:
        """The parameter of the address that holds the number of the page."""
        return "editors" if self.figures["round"] == Round.EDIT else "raters"

    @property
    def axes(self) -> tuple[Axis, Axis]:
        return histogram_axes(self.bars, str(self.measured.axis), str(self.words.title))


def preview_question(parameters: FilterParameters) -> dict[str, Any]:
    """Return what identifies a preview that is kept."""
    return {"version": PREVIEW_VERSION, "rule": FILTER_VERSION, **asdict(parameters)}


def preview_dump(preview: FilterPreview) -> dict[str, Any]:
    """Return a preview as JSON; without the people beyond MAX_PEOPLE of a role."""
    before = preview.shares[0]
    return {
        "shares": [_share(each) for each in preview.shares],
        "means": _numbers(before.means_before),
        "rating_means": _numbers(before.rating_means_before),
        "ratings": preview.ratings,
        "ratings_kept": preview.ratings_kept,
        "texts": preview.texts,
        "texts_kept": preview.texts_kept,
        "editors": _role(preview.editors),
        "raters": _role(preview.raters),
    }


def shown_editors(stored: dict[str, Any], page: str | None) -> ShownRole:
    return _shown_role(stored["editors"], EDITOR_MEASURE, page)


def shown_raters(stored: dict[str, Any], parameters: FilterParameters, page: str | None) -> ShownRole:
    return _shown_role(stored["raters"], RATER_MEASURES[parameters.rater_quality], page)


def _share(one: SharePreview) -> dict[str, Any]:
    return {
        "share": one.share,
        "editors": one.n_removed_editors,
        "raters": one.n_removed_raters,
        "texts_kept": one.texts_kept,
        "ratings_kept": one.ratings_kept,
        "means": _numbers(one.means_after),
        "rating_means": _numbers(one.rating_means_after),
    }


def _role(role: RolePreview) -> dict[str, Any]:
    return {
        "round": role.round,
        "number": len(role.workers),
        "removed": role.removed,
        "eligible": role.cut.eligible,
        "threshold": role.cut.threshold,
        "cut": role.cut.cut,
        "notes": role.notes,
        "bars": [asdict(each) for each in role.bars],
        "people": [_person(each) for each in role.workers[:MAX_PEOPLE]],
    }


def _person(each: FilteredWorker) -> list[Any]:
    return [each.worker.pk, each.quality, each.standard_error, each.gap, each.items, each.removed, each.reason]


def _numbers(values: Any) -> list[float | None]:
    return [number_or_none(each) for each in values]


def _shown_role(stored: dict[str, Any], measure: Measure, number: str | None) -> ShownRole:
    """Return a role with the page asked for; who was deleted since is left out."""
    page = Paginator(stored["people"], PEOPLE_PER_PAGE).get_page(number)
    workers = Worker.objects.in_bulk([row[0] for row in page])
    page.object_list = [FilteredWorker(workers[pk], *row) for pk, *row in page if pk in workers]
    return ShownRole(measure, stored, [HistogramBar(**each) for each in stored["bars"]], page)
