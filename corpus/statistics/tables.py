"""The figures of a release as tables and plots for the page, as CSV rows and as LaTeX."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from compressions.genres import genre_label
from corpus.latex import latex_escaped, latex_table
from corpus.models import Release
from corpus.page_words import KIND_LABELS
from corpus.release.options import splits_in_order
from corpus.statistics.means import OVER_COMPRESSIONS, OVER_RATINGS, named_means
from corpus.statistics.overview import UNRATED, WHOLE
from crowd.scales import Scale

UNKNOWN_GENRE = "unknown genre"  # in files, which are in English
KIND_COLUMNS = ("sources", "compressions", "compressions_per_source", "ratings")
MEANS = {OVER_COMPRESSIONS: "", OVER_RATINGS: " over ratings"}  # what follows "mean meaning"
SIZES_CAPTION = "Sources, compressions, compressions per source (CPS) and mean points"
MEANS_NOTE = "Means are over compressions, each with the mean of its ratings; over ratings, each rating counts once."


@dataclass(frozen=True)
class LabelledBar:
    """One bar of a plot; `share` is its length relative to the longest bar."""

    label: str
    count: int
    share: float


@dataclass(frozen=True)
class Part:
    """The figures of a split, or of the whole, as the page shows them."""

    name: str
    kinds: list[dict[str, Any]]
    genres: list[dict[str, Any]]
    genre_bars: list[LabelledBar]
    per_source: list[LabelledBar]
    ratios: list[LabelledBar]
    points: list["Distribution"]
    has_unrated: bool


@dataclass(frozen=True)
class Distribution:
    """The counts of the points of a scale, and its two means."""

    scale: Scale
    over_compressions: float | None
    over_ratings: float | None
    counts: dict[float, int]

    @property
    def total(self) -> int:
        return sum(self.counts.values())


def overview_parts(release: Release, scales: Sequence[Scale]) -> list[Part]:
    return [_part(name, counted, scales) for name, counted in _counted_parts(release, scales)]


def _counted_parts(release: Release, scales: Sequence[Scale]) -> list[tuple[str, dict[str, Any]]]:
    """Return the whole, then the splits; the database may not keep the order of JSON keys."""
    overview: dict[str, dict[str, Any]] = release.summary.get("overview", {})
    names = [WHOLE, *splits_in_order(name for name in overview if name != WHOLE)] if overview else []
    return [(name, overview[name] | {"kinds": _kinds(overview[name], scales)}) for name in names]


def _kinds(counted: dict[str, Any], scales: Sequence[Scale]) -> list[dict[str, Any]]:
    return [row | named_means(row, scales) for row in counted["kinds"]]


def _part(name: str, counted: dict[str, Any], scales: Sequence[Scale]) -> Part:
    everything = counted["kinds"][0]
    points = [
        Distribution(
            scale,
            everything[OVER_COMPRESSIONS].get(scale.key),
            everything[OVER_RATINGS].get(scale.key),
            dict(counted["points"].get(scale.key, [])),
        )
        for scale in scales
        if scale.has_few_points
    ]
    return Part(
        name=_("The whole release") if name == WHOLE else name,
        kinds=[row | {"label": KIND_LABELS.get(row["kind"], row["kind"])} for row in counted["kinds"]],
        genres=counted["genres"],
        genre_bars=_bars((genre_label(row["genre"]), row["all"]) for row in counted["genres"]),
        per_source=_bars((str(number), count) for number, count in counted["per_source"]),
        ratios=_bars(_ratio_labels(counted["ratios"])),
        points=points,
        has_unrated=UNRATED in everything,
    )


def _ratio_labels(ratios: Sequence[tuple[float, int]]) -> Iterator[tuple[str, int]]:
    """Yield the label and count of each ratio bin, without empty bins at either end."""
    used = [index for index, (_, count) in enumerate(ratios) if count]
    width = round(100 / len(ratios)) if ratios else 0
    for low, count in ratios[min(used, default=0) : max(used, default=-1) + 1]:
        yield f"{round(100 * low)}–{round(100 * low) + width}%", count


def _bars(counts: Iterable[tuple[str, int]]) -> list[LabelledBar]:
    rows = list(counts)
    longest = max((count for _, count in rows), default=0)
    return [LabelledBar(label, count, count / longest if longest else 0.0) for label, count in rows]


def overview_rows(release: Release, scales: Sequence[Scale]) -> tuple[list[str], Iterator[list[object]]]:
    """Return the header and the rows of the CSV file, one row per figure."""
    return ["release", "split", "table", "row", "figure", "value"], _rows(release, scales)


def _rows(release: Release, scales: Sequence[Scale]) -> Iterator[list[object]]:
    for split, counted in _counted_parts(release, scales):
        for table, row, figure, value in _figures(counted, scales):
            yield [release.name, split, table, row, figure, value]


def _figures(counted: dict[str, Any], scales: Sequence[Scale]) -> Iterator[tuple[str, object, str, object]]:
    for row in counted["kinds"]:
        columns = (column for column in (*KIND_COLUMNS, UNRATED) if column in row)
        yield from (("sizes", row["kind"], column, _csv_value(row[column])) for column in columns)
        for mean, suffix in MEANS.items():
            yield from (
                ("sizes", row["kind"], f"mean {scale.key}{suffix}", _csv_value(row[mean].get(scale.key)))
                for scale in scales
            )
    for row in counted["genres"]:
        yield from (("genres", row["genre"], column, row[column]) for column in ("1 sentence", "2 sentences", "all"))
    for scale in scales:
        yield from (("points", scale.key, str(value), count) for value, count in counted["points"].get(scale.key, []))
    yield from (("compressions per source", number, "sources", count) for number, count in counted["per_source"])
    yield from (("compression ratio", f"from {low}", "compressions", count) for low, count in counted["ratios"])


def _csv_value(value: float | None) -> object:
    return "" if value is None else value


def latex_tables(release: Release, scales: Sequence[Scale]) -> str:
    """Return booktabs tables of genres, sizes with means, and points, for the whole and each split."""
    head = f"% {latex_escaped(release.name)}, SHA-256 of its manifest {release.checksum}"
    tables = [table for name, part in _counted_parts(release, scales) for table in _latex_part(name, part, scales)]
    return "\n\n".join([head, *tables, ""])


def _latex_part(name: str, part: dict[str, Any], scales: Sequence[Scale]) -> list[str]:
    where = "" if name == WHOLE else f" ({latex_escaped(name)})"
    has_unrated = UNRATED in part["kinds"][0]
    sizes = [
        [row["kind"], row["sources"], row["compressions"], *([row.get(UNRATED, 0)] if has_unrated else [])]
        + [_two_decimals(row["compressions_per_source"])]
        + [_two_decimals(row[mean].get(scale.key)) for mean in MEANS for scale in scales]
        for row in part["kinds"]
    ]
    genres = [
        [row["genre"] or UNKNOWN_GENRE, row["1 sentence"], row["2 sentences"], row["all"]] for row in part["genres"]
    ]
    unrated = ["Without ratings"] if has_unrated else []
    head = ["Kind", "Sources", "Compressions", *unrated, "CPS", *_mean_columns(scales)]
    return [
        latex_table(["Genre", "1 sentence", "2 sentences", "All"], genres, f"Number of texts by genre{where}."),
        latex_table(head, sizes, f"{SIZES_CAPTION}{where}. {MEANS_NOTE}"),
        latex_table(
            ["Scale", "Point", "Ratings (%)"], list(_shares(part, scales)), f"Distribution of the ratings{where}."
        ),
    ]


def _mean_columns(scales: Sequence[Scale]) -> list[str]:
    return [f"Mean {scale.name.lower()}{suffix}" for suffix in MEANS.values() for scale in scales]


def _shares(part: dict[str, Any], scales: Sequence[Scale]) -> Iterator[list[object]]:
    for scale in scales:
        counts = part["points"].get(scale.key, [])
        total = sum(count for _, count in counts)
        for value, count in counts:
            yield [scale.name, value, f"{100 * count / total:.1f}" if total else "--"]


def _two_decimals(value: float | None) -> str:
    return "--" if value is None else f"{value:.2f}"
