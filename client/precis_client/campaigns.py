"""A campaign: its settings and state, its texts, participants and work, and its releases."""

from collections.abc import Collection, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, Self

from precis_client.connection import Connection, part
from precis_client.jobs import Job, pauses
from precis_client.records import Record
from precis_client.releases import Release


class Campaign(Record):
    """A campaign, as it was when it was last fetched.

    Examples
    --------
    >>> campaign = precis.campaign("winter")
    >>> campaign.name, campaign.state
    ('Winter texts', 'draft')
    """

    __slots__ = ("_connection", "_path")

    def __init__(self, connection: Connection, told: Mapping[str, Any]) -> None:
        super().__init__(told)
        self._connection = connection
        self._path = f"campaigns/{part(told['slug'])}/"

    def refresh(self) -> Self:
        """Fetch the campaign's name and state again.

        Examples
        --------
        >>> campaign.refresh().state
        'open'
        """
        self._told = dict(self._connection.get(self._path))
        return self

    # What it is set to, and what state it is in

    @property
    def settings(self) -> Record:
        """The active settings, fetched each time.

        Examples
        --------
        >>> campaign.settings.editors_per_source
        5
        """
        return Record(self._connection.get(f"{self._path}settings/"))

    def update(self, settings: Mapping[str, Any], *, confirmed: int | None = None) -> Record:
        """Change some settings and return all of them.

        Once people have joined, a change of what they are told or held to is refused with the code ``unconfirmed``;
        ``error.members`` then has the ``changes`` and the number to confirm them with.

        Parameters
        ----------
        settings
            The settings to change, by their names.
        confirmed
            The number that the refusal gave as ``confirm``.

        Examples
        --------
        >>> campaign.update({"editors_per_source": 3}).editors_per_source
        3
        >>> try:
        ...     campaign.update({"consent": "Do you agree?"})
        ... except Refused as refusal:
        ...     print(refusal.members["changes"])
        ...     campaign.update({"consent": "Do you agree?"}, confirmed=refusal.members["confirm"])
        """
        sent = dict(settings) | ({} if confirmed is None else {"confirmed": confirmed})
        return Record(self._connection.patch(f"{self._path}settings/", sent))

    def open(self) -> Self:
        """Open the campaign, so that participants can work.

        Examples
        --------
        >>> campaign.open().state
        'open'
        """
        return self._become("open")

    def pause(self) -> Self:
        """Hand out no work until the campaign is opened again.

        Examples
        --------
        >>> campaign.pause().state
        'paused'
        """
        return self._become("paused")

    def close(self) -> Self:
        """Close the campaign, which ends the work.

        Examples
        --------
        >>> campaign.close().state
        'closed'
        """
        return self._become("closed")

    def file(self) -> str:
        """Return everything that staff have set as a campaign file, in YAML.

        Examples
        --------
        >>> Path("winter.yaml").write_text(campaign.file(), encoding="utf-8")
        """
        return self._connection.text(f"{self._path}file/")

    def clone(self, slug: str, name: str) -> "Campaign":
        """Make a campaign with the same settings and questions, and none of the texts and people.

        Examples
        --------
        >>> campaign.clone("spring", "Spring texts").state
        'draft'
        """
        sent = {"file": self.file(), "slug": slug, "name": name}
        return Campaign(self._connection, self._connection.post("campaign-files/", sent))

    def _become(self, state: str) -> Self:
        self._told = dict(self._connection.post(f"{self._path}state/", {"state": state}))
        return self

    # Texts, participants and their work

    def import_texts(self, file: str | PathLike[str], *, strict: bool = False) -> Job:
        """Import texts from a file of JSONL, CSV or TSV.

        Parameters
        ----------
        file
            Its extension names the format.
        strict
            Whether to import nothing if a row cannot be used.

        Returns
        -------
        Job
            The job that reads the file. Its ``outcome()`` says which rows were refused, and why.

        Examples
        --------
        >>> job = campaign.import_texts("texts.jsonl").wait(progress=True)
        >>> job.outcome().added
        120
        """
        return self._import("imports/", file, {"strict": "true" if strict else "false"})

    def import_outputs(self, file: str | PathLike[str], *, system: str | None = None, decoys: bool = False) -> Job:
        """Import what automatic systems made of the texts.

        Parameters
        ----------
        file
            JSONL, CSV or TSV with ``id``, ``text`` and, without `system`, a column ``system``.
        system
            The system that all outputs of the file are of.
        decoys
            Whether they are only compared with what editors write: never rated, scored or published.

        Examples
        --------
        >>> campaign.import_outputs("outputs.csv").wait().outcome().added
        15
        """
        fields = {} if system is None else {"system": system}
        return self._import("systems/imports/", file, fields | ({"decoys": "true"} if decoys else {}))

    def import_ratings(self, file: str | PathLike[str], *, pool: str) -> Job:
        """Import ratings that were collected elsewhere, or given by models.

        Parameters
        ----------
        file
            JSONL, CSV or TSV with ``id``, ``system`` or ``text``, ``rater``, and a column for each scale.
        pool
            Whose ratings they are: ``crowd``, ``experts`` or ``model``. Ratings by models are in no mean.

        Examples
        --------
        >>> campaign.import_ratings("ratings.csv", pool="crowd").wait().outcome().added
        30
        """
        return self._import("ratings/imports/", file, {"pool": pool})

    def import_translations(self, file: str | PathLike[str]) -> Job:
        """Import translations of texts, of what people wrote, or of outputs.

        Examples
        --------
        >>> campaign.import_translations("german.jsonl").wait().outcome().added
        12
        """
        return self._import("translations/imports/", file, {})

    def _import(self, where: str, file: str | PathLike[str], sent: Mapping[str, Any]) -> Job:
        """Send a file; the job's outcome is what the import says once it has ended."""
        told = self._connection.upload(f"{self._path}{where}", Path(file), sent)
        return self._job(told["job"], f"{self._path}imports/{part(told['kind'])}/{part(told['id'])}/")

    def texts(self, **filters: Any) -> Iterator[Record]:
        """Iterate over the texts to be shortened.

        Parameters
        ----------
        **filters
            As the API names them, such as ``genre``, ``state`` or ``q``.

        Examples
        --------
        >>> [text.id for text in campaign.texts(genre="News")]
        ['11', '12']
        """
        return self._rows("texts/", filters)

    def compressions(self, **filters: Any) -> Iterator[Record]:
        """Iterate over what editors wrote, without the records of their edits.

        Examples
        --------
        >>> for compression in campaign.compressions(text_id="11"):
        ...     print(compression.editor, compression.text)
        """
        return self._rows("compressions/", filters)

    def compression(self, number: int) -> Record:
        """Return a compression with the record of its edits.

        Examples
        --------
        >>> len(campaign.compression(7).writing.log)
        14
        """
        return Record(self._connection.get(f"{self._path}compressions/{part(number)}/"))

    def ratings(self, **filters: Any) -> Iterator[Record]:
        """Iterate over the ratings as they stand, before any release.

        Examples
        --------
        >>> sum(1 for rating in campaign.ratings())
        360
        """
        return self._rows("ratings/", filters)

    def participants(self, work_round: str, **filters: Any) -> Iterator[Record]:
        """Iterate over the participants of a round, who are known by their numbers in the campaign.

        Parameters
        ----------
        work_round
            ``"edit"`` or ``"rate"``.
        **filters
            As the API names them.

        Examples
        --------
        >>> for person in campaign.participants("rate"):
        ...     print(person.number)
        """
        return self._rows(f"participants/{part(work_round)}/", filters)

    def participant_ids(self, work_round: str, **filters: Any) -> Iterator[Record]:
        """Iterate over the participants of a round with their platform IDs, for instance to pay them.
        The token needs the scope ``ids``, and the campaign's audit log says who asked.

        Examples
        --------
        >>> for person in campaign.participant_ids("rate", outcome="finished"):
        ...     print(person)
        """
        path = f"{self._path}participants/{part(work_round)}/ids/"
        return self._connection.rows(path, filters, by_post=True)

    def links(self) -> Iterator[Record]:
        """Iterate over the links by which participants join.

        Examples
        --------
        >>> {link.round: link.address for link in campaign.links()}
        """
        return self._rows("links/", {})

    def progress(self) -> dict[str, Record]:
        """Return how far each round is.

        Examples
        --------
        >>> campaign.progress()["edit"].percent_done
        75
        """
        told = self._connection.get(f"{self._path}progress/")
        return {each["round"]: Record(each) for each in told["rounds"]}

    def watch(
        self, *, rounds: Collection[str] = ("edit", "rate"), every: float = 30, timeout: float | None = None
    ) -> Iterator[dict[str, Record]]:
        """Yield the progress now and then until the rounds are complete or the time is up.

        Parameters
        ----------
        rounds
            Which rounds to watch; one without any work does not count.
        every
            The longest pause in seconds; the first ones are shorter.
        timeout
            How many seconds to watch at most; None for as long as it takes.

        Examples
        --------
        >>> for rounds in campaign.watch(timeout=3600):
        ...     print({name: each.percent_done for name, each in rounds.items()})
        """
        for _ in pauses(self._connection.sleep, timeout, every):
            found = self.progress()
            yield found
            begun = [each for name, each in found.items() if name in rounds and each["wanted"]]
            if begun and all(each["is_complete"] for each in begun):
                return

    # The quality rule, and releases

    def preview_quality(self, *, timeout: float | None = None, **parameters: Any) -> Record:
        """Return what the quality rule would do, without applying it.

        Parameters
        ----------
        timeout
            How many seconds to wait at most if a job must compute it; None for as long as it takes.
        **parameters
            As the API names them, such as ``share``. All have defaults.

        Examples
        --------
        >>> preview = campaign.preview_quality(share=0.1)
        >>> preview.ratings_kept, preview.ratings
        (812, 900)
        """
        path = f"{self._path}quality/preview/"
        told = self._connection.post(path, parameters)
        if told["job"] is not None:
            self.job(told["job"]).wait(timeout=timeout)
            told = self._connection.post(path, parameters)
        return Record(told["preview"])

    def apply_quality(self, **parameters: Any) -> Job:
        """Apply the quality rule, as a job. Later releases exclude whom it excludes.

        Examples
        --------
        >>> campaign.apply_quality(share=0.1).wait()
        >>> *_, latest = campaign.quality_runs()
        >>> latest.summary
        """
        return self.job(self._connection.post(f"{self._path}quality/apply/", parameters)["job"])

    def quality_runs(self) -> Iterator[Record]:
        """Iterate over the runs of the quality rule, the oldest first.

        Examples
        --------
        >>> [run.parameters["share"] for run in campaign.quality_runs() if run.is_active]
        [0.1]
        """
        return self._rows("quality/", {})

    def freeze(self, **options: Any) -> Release:
        """Freeze a release. What is in it is settled at once; a job writes its files.

        Parameters
        ----------
        **options
            As the API names them, such as ``seed`` or ``min_ratings``. All have defaults.

        Examples
        --------
        >>> release = campaign.freeze(min_ratings=2).wait(progress=True)
        >>> release.download("corpus.jsonl", to="data")
        PosixPath('data/corpus.jsonl')
        """
        return Release(self._connection, self._path, self._connection.post(f"{self._path}releases/", options))

    def releases(self) -> Iterator[Release]:
        """Iterate over the releases.

        Examples
        --------
        >>> [release.version for release in campaign.releases()]
        [1, 2]
        """
        for told in self._rows("releases/", {}):
            yield Release(self._connection, self._path, told)

    def release(self, version: int) -> Release:
        """Return a release.

        Examples
        --------
        >>> campaign.release(1).state
        'ready'
        """
        return Release(self._connection, self._path, self._connection.get(f"{self._path}releases/{part(version)}/"))

    def job(self, number: int) -> Job:
        """Return a job of the campaign.

        Examples
        --------
        >>> campaign.job(12).wait()
        """
        return self._job(number)

    def _job(self, number: int, outcome: str = "") -> Job:
        told = self._connection.get(f"{self._path}jobs/{part(number)}/")
        return Job(self._connection, self._path, told, outcome=outcome)

    def _rows(self, path: str, filters: Mapping[str, Any]) -> Iterator[Record]:
        return self._connection.rows(self._path + path, filters)
