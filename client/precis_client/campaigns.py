"""A campaign: its texts, participants and work, and its releases."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from precis_client import answers
from precis_client.connection import part
from precis_client.jobs import Job, pauses
from precis_client.records import Record
from precis_client.releases import Release
from precis_client.rows import Given, Rows
from precis_client.study import Study


class Campaign(Study):
    """A campaign, as it was when it was last fetched.

    Examples
    --------
    >>> campaign = precis.campaign("winter")
    >>> campaign.name, campaign.state
    ('Winter texts', 'draft')
    """

    __slots__ = ()

    def clone(self, slug: str, name: str) -> "Campaign":
        """Make a campaign with the same settings and questions, and none of the texts and people.

        Examples
        --------
        >>> campaign.clone("spring", "Spring texts").state
        'draft'
        """
        sent = {"file": self.file(), "slug": slug, "name": name}
        return Campaign(self._connection, self._connection.post("campaign-files/", sent))

    # Texts, participants and their work

    def import_texts(
        self, file: Given, *, strict: bool = False, written_by: str = "", columns: Mapping[str, str] | None = None
    ) -> Job:
        """Import texts from a file of JSONL, CSV or TSV, or from rows.

        Parameters
        ----------
        file
            A file, whose extension names the format; or rows with ``id`` and ``text``: a list of dicts, a DataFrame, or
            a ``datasets.Dataset``. All imports take rows; None and NaN in them are left out.
        strict
            Whether to import nothing if a row cannot be used.
        written_by
            The tool that exported the file: ``"label-studio"``, ``"doccano"``, ``"potato"`` or ``"argilla"``.
        columns
            The columns of a CSV, a TSV or an export that have other names, by the names that are wanted.

        Returns
        -------
        Job
            The job that reads the file. Its ``outcome()`` says which rows were refused, and why.

        Examples
        --------
        >>> job = campaign.import_texts("texts.jsonl").wait(progress=True)
        >>> job.outcome().added
        120
        >>> campaign.import_texts([{"id": "a1", "text": "A sentence of fifteen words or more ..."}])
        >>> campaign.import_texts("project-1.json", written_by="label-studio", columns={"id": "item"})
        """
        sent = {"strict": "true" if strict else "false"}
        return self._import("imports/", file, sent | _read_as(written_by, columns))

    def import_outputs(
        self,
        file: Given,
        *,
        system: str | None = None,
        decoys: bool = False,
        written_by: str = "",
        columns: Mapping[str, str] | None = None,
    ) -> Job:
        """Import what automatic systems made of the texts.

        Parameters
        ----------
        file
            JSONL, CSV or TSV with ``id``, ``text`` and, without `system`, a column ``system``.
        system
            The system that all outputs of the file are of.
        decoys
            Whether they are only compared with what editors write: never rated, scored or published.
        written_by, columns
            As in :meth:`import_texts`.

        Examples
        --------
        >>> campaign.import_outputs("outputs.csv").wait().outcome().added
        15
        """
        fields = {} if system is None else {"system": system}
        fields |= {"decoys": "true"} if decoys else {}
        return self._import("systems/imports/", file, fields | _read_as(written_by, columns))

    def import_ratings(
        self, file: Given, *, pool: str, written_by: str = "", columns: Mapping[str, str] | None = None
    ) -> Job:
        """Import ratings that were collected elsewhere, or given by models.

        Parameters
        ----------
        file
            JSONL, CSV or TSV with ``id``, ``system`` or ``text``, ``rater``, and a column for each scale.
        pool
            Whose ratings they are: ``crowd``, ``experts`` or ``model``. Ratings by models are in no mean.
        written_by, columns
            As in :meth:`import_texts`.

        Examples
        --------
        >>> campaign.import_ratings("ratings.csv", pool="crowd").wait().outcome().added
        30
        """
        return self._import("ratings/imports/", file, {"pool": pool} | _read_as(written_by, columns))

    def import_translations(self, file: Given) -> Job:
        """Import translations of texts, of what people wrote, or of outputs.

        Examples
        --------
        >>> campaign.import_translations("german.jsonl").wait().outcome().added
        12
        """
        return self._import("translations/imports/", file, {})

    def texts(self, **filters: Any) -> Rows[answers.Text]:
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
        return self._rows(answers.Text, "texts/", filters)

    def compressions(self, **filters: Any) -> Rows[answers.Compression]:
        """Iterate over what editors wrote, without the records of their edits; no release is needed.

        Examples
        --------
        >>> campaign.compressions().to_pandas()[["text_id", "text"]]
        >>> for compression in campaign.compressions(text_id="11"):
        ...     print(compression.editor, compression.text)
        """
        return self._rows(answers.Compression, "compressions/", filters)

    def compression(self, number: int) -> answers.OneCompression:
        """Return a compression with the record of its edits.

        Examples
        --------
        >>> len(campaign.compression(7).writing.log)
        14
        """
        return answers.OneCompression(self._connection.get(f"{self._path}compressions/{part(number)}/"))

    def mark_flags(self, compressions: Collection[int], *, seen: bool = True) -> int:
        """Mark the flags of compressions as looked at, or as still to be looked at; return how many that changes.

        Examples
        --------
        >>> campaign.mark_flags([each.id for each in campaign.compressions(kind="pasted", seen=False)])
        3
        """
        if not compressions:
            return 0
        sent = {"compressions": list(compressions), "flags_seen": seen}
        changed: int = self._connection.patch(f"{self._path}compressions/", sent)["changed"]
        return changed

    def ratings(self, **filters: Any) -> Rows[answers.Rating]:
        """Iterate over the ratings as they stand, before any release.

        Examples
        --------
        >>> sum(1 for rating in campaign.ratings())
        360
        """
        return self._rows(answers.Rating, "ratings/", filters)

    def participants(self, work_round: str, **filters: Any) -> Rows[answers.Participant]:
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
        return self._rows(answers.Participant, f"participants/{part(work_round)}/", filters)

    def participant_ids(self, work_round: str, **filters: Any) -> Rows[answers.ParticipantIds]:
        """Iterate over the participants of a round with their platform IDs, for instance to pay them.
        The token needs the scope ``ids``, and the campaign's audit log says who asked.

        Examples
        --------
        >>> for person in campaign.participant_ids("rate", outcome="finished"):
        ...     print(person)
        """
        path = f"{self._path}participants/{part(work_round)}/ids/"
        return self._connection.rows(answers.ParticipantIds, path, filters, by_post=True)

    def systems(self) -> Rows[answers.System]:
        """Iterate over the systems whose outputs were imported.

        Examples
        --------
        >>> [system.name for system in campaign.systems()]
        ['T3', 'ILP']
        """
        return self._rows(answers.System, "systems/", {})

    def remarks(self, **filters: Any) -> Rows[answers.Remark]:
        """Iterate over participants' comments, the problems they reported, and why they skipped.

        Examples
        --------
        >>> [remark.text for remark in campaign.remarks(kind="problem", answered=False)]
        ['The text ends in the middle.']
        """
        return self._rows(answers.Remark, "remarks/", filters)

    def decide(self, number: int, work_round: str, decision: str, *, note: str) -> answers.Person:
        """Decide by hand whether a participant's work in a round counts.

        Parameters
        ----------
        number
            The participant's number in the campaign.
        work_round
            ``"edit"`` or ``"rate"``.
        decision
            ``"exclude"``, ``"keep"`` whatever the quality rule says, or ``"rule"`` to leave it to that.
        note
            Why.

        Examples
        --------
        >>> campaign.decide(7, "rate", "exclude", note="Always says 1.").number
        7
        """
        path = f"{self._path}people/{part(number)}/decision/{part(work_round)}/"
        return answers.Person(self._connection.put(path, {"decision": decision, "note": note}))

    def progress(self) -> dict[str, answers.RoundProgress]:
        """Return how far each round is.

        Examples
        --------
        >>> campaign.progress()["edit"].percent_done
        75
        """
        told = self._connection.get(f"{self._path}progress/")
        return {each["round"]: answers.RoundProgress(each) for each in told["rounds"]}

    def watch(
        self, *, rounds: Collection[str] = ("edit", "rate"), every: float = 30, timeout: float | None = None
    ) -> Iterator[dict[str, answers.RoundProgress]]:
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

    def plan(self, **parameters: Any) -> answers.Plan:
        """Return what more ratings or more texts would bring, and what they would cost.

        Parameters
        ----------
        **parameters
            As the API names them: ``raters`` and ``texts``, lists of numbers, and prices.

        Examples
        --------
        >>> campaign.plan(raters=[3, 5], price_per_rating="0.05")
        """
        return answers.Plan(self._connection.get(f"{self._path}plan/", parameters))

    def fix_analysis(self, report: str = "", parameters: dict[str, Any] | None = None) -> answers.FixedAnalysis:
        """Fix the analysis, best before the first answer: each report says whether it follows it.

        Parameters
        ----------
        report
            The key of the report that counts; needed only where the campaign can have several.
        parameters
            Those of the report that are not to be the default. Without them they are those of the newest report on the
            judgement task, or else the default ones.

        Examples
        --------
        >>> campaign.fix_analysis("comparison", {"baseline": ["first"]}).plan_sha256
        """
        told = {"report": report} | ({} if parameters is None else {"parameters": parameters})
        return answers.FixedAnalysis(self._connection.put(f"{self._path}analysis/", told))

    def fixed_analysis(self) -> answers.FixedAnalysis:
        """Return the analysis that is fixed, with its checksum; raise NotFound if there is none.

        Examples
        --------
        >>> campaign.fixed_analysis().answers_before
        0
        """
        return answers.FixedAnalysis(self._connection.get(f"{self._path}analysis/"))

    def preview_quality(self, *, timeout: float | None = None, **parameters: Any) -> answers.PreviewResult:
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
        return answers.PreviewResult(told["preview"])

    def apply_quality(self, **parameters: Any) -> Job:
        """Apply the quality rule, as a job. Later releases exclude whom it excludes.

        Examples
        --------
        >>> campaign.apply_quality(share=0.1).wait()
        >>> *_, latest = campaign.quality_runs()
        >>> latest.summary
        """
        return self.job(self._connection.post(f"{self._path}quality/apply/", parameters)["job"])

    def quality_runs(self) -> Rows[answers.QualityRun]:
        """Iterate over the runs of the quality rule, the oldest first.

        Examples
        --------
        >>> [run.parameters["share"] for run in campaign.quality_runs() if run.is_active]
        [0.1]
        """
        return self._rows(answers.QualityRun, "quality/", {})

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
        for told in self._rows(Record, "releases/", {}):
            yield Release(self._connection, self._path, told)

    def release(self, version: int) -> Release:
        """Return a release.

        Examples
        --------
        >>> campaign.release(1).state
        'ready'
        """
        return Release(self._connection, self._path, self._connection.get(f"{self._path}releases/{part(version)}/"))


def _read_as(written_by: str, columns: Mapping[str, str] | None) -> dict[str, str]:
    """What the server is told of a file that is no plain table."""
    fields = {
        "written_by": written_by,
        "columns": "\n".join(f"{name}={each}" for name, each in (columns or {}).items()),
    }
    return {name: value for name, value in fields.items() if value}
