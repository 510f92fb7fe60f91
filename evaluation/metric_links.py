"""Names of metrics as links to their pages, each with a title that explains it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from evaluation.page_words import MetricWords, metric_words
from evaluation.scored_outputs import MetricInfo, metrics_of
from reports.models import Report
from scoring.models import ScoreRun

DIGEST_SHOWN = 16


@dataclass(frozen=True)
class MetricLink:
    """A metric's name with the address of its page."""

    words: MetricWords
    address: str

    @property
    def name(self) -> str:
        return self.words.name

    @property
    def title(self) -> str:
        return self.words.title

    def __str__(self) -> str:
        return self.name

    @property
    def html(self) -> SafeString:
        """The link; templates would show the object itself as its name."""
        return format_html('<a href="{}" title="{}"><bdi>{}</bdi></a>', self.address, self.title, self.name)

    def __html__(self) -> SafeString:
        return self.html


class MetricLinks:
    """The links to the metrics of a report, for one judgement."""

    def __init__(self, report: Report, judgement: str, known: Mapping[str, MetricInfo]) -> None:
        self._page = reverse("evaluation:metric", args=[report.of_release.campaign.slug, report.of_release.version])
        self._kept = {"judgement": judgement, "report": report.digest[:DIGEST_SHOWN]}
        self._known = known
        self._made: dict[str, MetricLink] = {}

    def __call__(self, name: str) -> MetricLink:
        if name not in self._made:
            words = self.words(name)
            self._made[name] = MetricLink(words, f"{self._page}?{urlencode({'metric': name, **self._kept})}")
        return self._made[name]

    def words(self, name: str) -> MetricWords:
        info = self._known.get(name)
        return metric_words(name, is_computed=info is None or info.is_computed)

    def of_judgement(self, report: Report, judgement: str) -> "MetricLinks":
        return MetricLinks(report, judgement, self._known)

    def has(self, name: str) -> bool:
        return name in self._known


def metrics_of_report(report: Report) -> dict[str, MetricInfo]:
    """Return the metrics of a report by name, in one query; those of scores that are gone are missing."""
    found = ScoreRun.objects.defer("summary").in_bulk([each["id"] for each in report.pinned["score_runs"]])
    runs: Sequence[ScoreRun] = [found[each["id"]] for each in report.pinned["score_runs"] if each["id"] in found]
    return {each.name: each for each in metrics_of(runs)}
