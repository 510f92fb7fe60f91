"""A release: a frozen version of a campaign's corpus, its files, and what is computed on it."""

import io
import tempfile
from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Any, BinaryIO, Self, cast

from precis_client.connection import Connection, part
from precis_client.errors import JobFailed, NotFound, StillRunning
from precis_client.evaluation import EvaluationReport
from precis_client.files import download_file, fetch
from precis_client.frames import columns_of, rows_of, whole_columns
from precis_client.jobs import pauses, show_end, shown
from precis_client.operations import OperationsReport
from precis_client.records import Record
from precis_client.rows import frames

if TYPE_CHECKING:
    import pandas

CORPUS = "corpus.jsonl"
OPEN_STATES = frozenset({"queued", "running"})


class Release(Record):
    """A release, as it was when it was last asked for. Once it is ready it never changes.

    Examples
    --------
    >>> release = campaign.release(1)
    >>> release.name, release.counts.sources
    ('winter-v1', 120)
    """

    __slots__ = ("_campaign_path", "_connection", "_path")

    def __init__(self, connection: Connection, campaign_path: str, told: Mapping[str, Any]) -> None:
        super().__init__(told)
        self._connection, self._campaign_path = connection, campaign_path
        self._path = f"{campaign_path}releases/{part(told['version'])}/"

    def refresh(self) -> Self:
        """Ask for the release again, with its figures and files.

        Examples
        --------
        >>> release.refresh().state
        'ready'
        """
        self._told = dict(self._connection.get(self._path))
        return self

    def wait(self, *, progress: bool = False, timeout: float | None = None) -> Self:
        """Wait until the files are written.

        Raises
        ------
        JobFailed
            If they could not be written; the message says why.
        StillRunning
            If the time is up. The release is still being written; you can wait again.

        Examples
        --------
        >>> campaign.freeze().wait(progress=True).state
        'ready'
        """
        total = 0
        with shown(f"release {self['version']}", wanted=progress) as bar:
            for _ in pauses(self._connection.sleep, timeout):
                self.refresh()
                if self["state"] == "ready":
                    show_end(bar, total)
                    return self
                job = self._job()
                if self["state"] == "failed" or job.get("state") == "failed":
                    raise JobFailed(job.get("message") or "The release could not be written.", code="release")
                total = job.get("total", 0)
                bar.show(job.get("done", 0), total)
        raise StillRunning(f"The release is not ready after {timeout} seconds.")

    def _job(self) -> Mapping[str, Any]:
        number = self.get("job")
        if number is None:
            return {}
        told: Mapping[str, Any] = self._connection.get(f"{self._campaign_path}jobs/{part(number)}/")
        return told

    # Files

    def files(self) -> dict[str, Record]:
        """Return the files by their names, with size and SHA-256.

        Examples
        --------
        >>> sorted(release.files())
        ['README.md', 'RawData/test.tsv', ...]
        """
        if "files" not in self:
            self.refresh()
        return {each["name"]: Record(each) for each in self["files"]}

    def download(self, name: str, to: str | PathLike[str] = ".", *, progress: bool = False) -> Path:
        """Download a file into a folder, check its SHA-256, and return its path.

        A download that breaks off is continued where it stopped, also by a later call. A file that is there already
        and has the right checksum is not downloaded again.

        Raises
        ------
        ChecksumError
            If what was downloaded is not the file of the release; nothing is left in its place.
        FileExistsError
            If another file of that name is in the folder.

        Examples
        --------
        >>> release.download("parquet/train.parquet", to="data")
        PosixPath('data/parquet/train.parquet')
        """
        with shown(name, wanted=progress) as bar:
            file = self._file(name)
            path = download_file(self._connection, self._path, file, Path(to), bar.show)
            show_end(bar, file["size"])  # also if it was there already
            return path

    def open(self, name: str, mode: str = "r") -> IO[Any]:
        """Open a file for reading, as text in UTF-8 or with ``mode="rb"`` as bytes.

        It is downloaded to a temporary file first and its checksum verified; closing removes it.

        Examples
        --------
        >>> with release.open("corpus.jsonl") as lines:
        ...     sources = [json.loads(line) for line in lines]
        """
        if mode not in {"r", "rb"}:
            raise ValueError("A release never changes: its files are opened with mode 'r' or 'rb'.")
        file = cast("BinaryIO", tempfile.TemporaryFile())  # noqa: SIM115 - the caller closes it
        try:
            fetch(self._connection, self._path, self._file(name), file, lambda _done, _total: None)
            file.seek(0)
        except BaseException:
            file.close()
            raise
        return file if mode == "rb" else io.TextIOWrapper(file, encoding="utf-8", newline="\n")

    def rows(self, table: str) -> Iterator[dict[str, Any]]:
        """Iterate over the rows of a table: sources, compressions, ratings, outputs or comparisons.

        Examples
        --------
        >>> next(release.rows("ratings"))
        {'source': '11', 'split': 'train', ..., 'meaning': 3, 'grammar': 2}
        """
        with self.open(CORPUS, "rb") as lines:
            yield from rows_of(table, lines)

    def to_pandas(self, table: str = "ratings") -> "pandas.DataFrame":
        """Return a table as a data frame: sources, compressions, ratings, outputs or comparisons.

        A rating has a column for each scale, and for each that came with a file one of z-scores by rater. ``pool``
        tells ratings of the crowd from those of experts, and ``of`` whether a compression, an output of a system or a
        comparison was rated. Raters and editors are numbers, as in ``campaign.ratings()``; in an imported release they
        can be names.

        Examples
        --------
        >>> release.to_pandas("ratings").groupby("source").meaning.mean()
        """
        rows = list(self.rows(table))
        frame = frames().DataFrame(rows, columns=columns_of(table, rows))
        joined: pandas.DataFrame = frame.astype(dict.fromkeys(whole_columns(table, rows), "Int64"))
        return joined

    def _file(self, name: str) -> Record:
        found = self.files().get(name)
        if found is None:
            raise NotFound(f"This release has no file {name!r}; it has: {', '.join(self.files())}.", status=404)
        return found

    # What is computed on it

    def agreement(self, *, timeout: float | None = None, **parameters: Any) -> Record:
        """Return the report on how far raters agree. If there is none yet, it is computed first.

        Parameters
        ----------
        timeout
            How many seconds to wait for it at most; None for as long as it takes.
        **parameters
            As the API names them, such as ``seed`` or ``weights``. Without any, the latest report will do.

        Examples
        --------
        >>> report = release.agreement()
        >>> [(row.scale, row.value) for row in report.rows if row.measure == "agreement"]
        """
        return self._computed("agreement/", "agreement/reports/", parameters, timeout, named=("question", "question"))

    def operations(self, *, timeout: float | None = None, **parameters: Any) -> OperationsReport:
        """Return the report on what people and systems did to the texts, and compute it first if there is none yet.

        Parameters
        ----------
        timeout
            How many seconds to wait for it at most; None for as long as it takes.
        **parameters
            As the API names them, such as ``seed`` or ``word_pairs``. Without any, the latest report will do.

        Examples
        --------
        >>> report = release.operations()
        >>> [(row.figure, row.value) for row in report.table("token shares")]
        """
        where = "operations/"
        named = ("question", "question")
        return OperationsReport(self._computed(where, f"{where}reports/", parameters, timeout, named=named))

    def evaluation(
        self, *, pairs_of: str | None = None, timeout: float | None = None, **parameters: Any
    ) -> EvaluationReport:
        """Return the report on how far metrics follow people's ratings, and compute it first if there is none yet.

        Parameters
        ----------
        pairs_of
            A metric: the report also has what this metric says of every two systems.
        timeout
            How many seconds to wait for it at most; None for as long as it takes.
        **parameters
            As the API names them, such as ``pool`` or ``seed``. Without any, the latest report will do.

        Examples
        --------
        >>> report = release.evaluation()
        >>> max((row.value, row.metric) for row in report.table("input level", "meaning") if row.value is not None)
        """
        where = "evaluation/"
        named = ("question", "question")
        more = {} if pairs_of is None else {"pairs_of": pairs_of}
        found = self._computed(where, f"{where}reports/", parameters, timeout, named=named, more=more)
        return EvaluationReport(found)

    def scores(self, *, timeout: float | None = None, **settings: Any) -> Record:
        """Return the scores of system outputs and people's texts; scores that do not exist are computed first.

        Examples
        --------
        >>> release.scores().rows
        """
        return self._computed("scores/", "scores/runs/", settings, timeout, named=("run", "id"))

    def _computed(
        self,
        where: str,
        asked_at: str,
        parameters: Mapping[str, Any],
        timeout: float | None,
        *,
        named: tuple[str, str],
        more: Mapping[str, Any] = MappingProxyType({}),
    ) -> Record:
        """Return what is computed once for each set of parameters: as it is kept, or when it is ready.

        `named` says by which parameter it is asked for, and in which field of the answer that is told; `more` is asked
        for beside it.
        """
        kept = None if parameters else self._kept(where, more)
        if kept is not None and kept["state"] == "ready":
            return Record(kept)
        asked = self._connection.post(self._path + asked_at, parameters)
        for _ in pauses(self._connection.sleep, timeout):
            found = self._connection.get(self._path + where, {named[0]: asked[named[1]], **more})
            if found["state"] == "ready":
                return Record(found)
            if found["state"] not in OPEN_STATES:
                raise JobFailed(f"It could not be computed: {found['state']}.", code=str(found["state"]))
        raise StillRunning(f"It is not ready after {timeout} seconds.")

    def _kept(self, where: str, more: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return what was computed last, if anything was."""
        try:
            return dict(self._connection.get(self._path + where, more))
        except NotFound:
            return None
