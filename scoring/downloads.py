"""Files of scores: one row per output and metric, as Parquet or TSV."""

from collections.abc import Iterator
from itertools import chain

from django.http import FileResponse, Http404, HttpResponseBase, StreamingHttpResponse
from django.utils.translation import gettext as _

from common.spreadsheets import written_lines
from common.stores import store
from scoring.models import ScoreRun
from scoring.parquet_tables import long_lines

PARQUET_TYPE, TSV_TYPE = "application/octet-stream", "text/tab-separated-values"


def scores_response(run: ScoreRun | None, form: str) -> HttpResponseBase:
    """Return the file of a run as an attachment; anything that is not there is a 404."""
    try:
        if run is None or run.summary is None:
            raise FileNotFoundError
        response, kind = (_parquet(run), "parquet") if form == "parquet" else (_tsv(run), "tsv")
    except FileNotFoundError as error:
        words = _("These scores have not been computed, or their files are missing. Compute them again.")
        raise Http404(words) from error
    response["Content-Disposition"] = f'attachment; filename="{run.release.name}-scores-{run.pk}.{kind}"'
    return response


def _parquet(run: ScoreRun) -> HttpResponseBase:
    size = store("scores").size(run.file)
    headers = {"Content-Length": str(size), "Content-Type": PARQUET_TYPE}
    return FileResponse(store("scores").whole(run.file, size), headers=headers)


def _tsv(run: ScoreRun) -> HttpResponseBase:
    lines = written_lines(_rows(run), delimiter="\t", lineterminator="\n")
    first = next(lines)  # the file is found missing before the response begins
    return StreamingHttpResponse(chain([first], lines), content_type=f"{TSV_TYPE}; charset=utf-8")


def _rows(run: ScoreRun) -> Iterator[list[object]]:
    with store("scores").local(run.file, run.file_sha256) as path:
        yield from long_lines(path)
