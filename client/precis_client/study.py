"""What staff set for a campaign: its settings, state and file, its questions, links and webhooks."""

from collections.abc import Collection, Mapping
from typing import Any, Self

from precis_client import answers
from precis_client.connection import Connection, part
from precis_client.jobs import Job
from precis_client.records import Record
from precis_client.rows import Given, R, Rows


class Study(Record):
    """The side of a campaign that is set up; `Campaign` has the rest."""

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
    def settings(self) -> answers.Settings:
        """The active settings, fetched each time.

        Examples
        --------
        >>> campaign.settings.editors_per_source
        5
        """
        return answers.Settings(self._connection.get(f"{self._path}settings/"))

    def update(self, settings: Mapping[str, Any], *, confirmed: int | None = None) -> answers.Settings:
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
        return answers.Settings(self._connection.patch(f"{self._path}settings/", sent))

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

    # Questions, links and webhooks

    def questions(self, **filters: Any) -> Rows[answers.Example]:
        """Iterate over the questions for practice and the test of raters.

        Examples
        --------
        >>> [question.id for question in campaign.questions(kind="test")]
        [4, 5]
        """
        return self._rows(answers.Example, "examples/", filters)

    def import_questions(self, file: Given, *, replace: bool = False) -> int:
        """Add questions to practice and the test of raters, all of them or none, and return how many.

        Parameters
        ----------
        file
            A file of JSONL, or rows.
        replace
            Whether they take the place of those that are there.

        Examples
        --------
        >>> campaign.import_questions("questions.jsonl")
        12
        """
        sent = {"replace": "true" if replace else "false"}
        return int(self._connection.upload(f"{self._path}examples/", file, sent)["added"])

    def gold(self) -> Rows[answers.Gold]:
        """Iterate over the gold questions, retired ones included.

        Examples
        --------
        >>> sum(1 for question in campaign.gold() if not question.is_retired)
        8
        """
        return self._rows(answers.Gold, "gold/", {})

    def import_gold(self, file: Given) -> int:
        """Add the gold questions that are not there yet, all of them or none, and return how many.

        Examples
        --------
        >>> campaign.import_gold("gold.jsonl")
        8
        """
        return int(self._connection.upload(f"{self._path}gold/", file)["added"])

    def retire_gold(self, number: int) -> None:
        """Hand out a gold question to nobody else. Answers to it stay, and count.

        Examples
        --------
        >>> campaign.retire_gold(3)
        """
        self._connection.delete(f"{self._path}gold/{part(number)}/")

    def links(self) -> Rows[answers.Link]:
        """Iterate over the links by which participants join.

        Examples
        --------
        >>> {link.round: link.address for link in campaign.links()}
        """
        return self._rows(answers.Link, "links/", {})

    def create_link(self, work_round: str, **fields: Any) -> answers.Link:
        """Make a link by which participants join.

        Parameters
        ----------
        work_round
            ``"edit"``, ``"rate"`` or ``"expert"``.
        **fields
            As the API names them, such as ``platform``, ``max_people`` or ``name``.

        Examples
        --------
        >>> campaign.create_link("rate", platform="prolific", max_people=40).address
        'https://precis.example.org/join/...'
        """
        return answers.Link(self._connection.post(f"{self._path}links/", {"round": work_round, **fields}))

    def webhooks(self) -> Rows[answers.Webhook]:
        """Iterate over the addresses that are told what happens.

        Examples
        --------
        >>> [webhook.address for webhook in campaign.webhooks()]
        ['https://lab.example.org/precis']
        """
        return self._rows(answers.Webhook, "webhooks/", {})

    def create_webhook(self, address: str, events: Collection[str]) -> answers.NewWebhook:
        """Have an address told what happens. The secret by which it knows the server is shown this once.

        Parameters
        ----------
        address
            Where to send.
        events
            Of what to tell: ``"round.complete"``, ``"release.ready"``, ``"flag.raised"``, ``"job.failed"``.

        Examples
        --------
        >>> campaign.create_webhook("https://lab.example.org/precis", ["release.ready"]).secret
        """
        sent = {"address": address, "events": list(events)}
        return answers.NewWebhook(self._connection.post(f"{self._path}webhooks/", sent))

    def delete_webhook(self, number: int) -> None:
        """Tell an address no more.

        Examples
        --------
        >>> campaign.delete_webhook(2)
        """
        self._connection.delete(f"{self._path}webhooks/{part(number)}/")

    def staff(self) -> Rows[answers.Member]:
        """Iterate over the accounts on the campaign's staff.

        Examples
        --------
        >>> {member.username: member.role for member in campaign.staff()}
        {'ann': 'owner'}
        """
        return self._rows(answers.Member, "staff/", {})

    def invite_staff(self, role: str, *, days: int = 7) -> answers.Invitation:
        """Make an invitation, by which one person joins the staff. Its address is told this once.

        Parameters
        ----------
        role
            ``"owner"``, ``"manager"``, ``"viewer"`` or ``"expert"``.
        days
            Until it expires.

        Examples
        --------
        >>> campaign.invite_staff("viewer").address
        'https://precis.example.org/invitations/...'
        """
        return answers.Invitation(self._connection.post(f"{self._path}invitations/", {"role": role, "days": days}))

    def set_role(self, username: str, role: str) -> answers.Member:
        """Give a member of the staff another role.

        Examples
        --------
        >>> campaign.set_role("ben", "manager").role
        'manager'
        """
        return answers.Member(self._connection.put(f"{self._path}staff/{part(username)}/", {"role": role}))

    def remove_staff(self, username: str) -> None:
        """Remove a member from the staff; what they did stays.

        Examples
        --------
        >>> campaign.remove_staff("ben")
        """
        self._connection.delete(f"{self._path}staff/{part(username)}/")

    def log(self, **filters: Any) -> Rows[answers.Entry]:
        """Iterate over who changed what, the oldest first.

        Examples
        --------
        >>> [entry.action for entry in campaign.log()]
        ['campaign created']
        """
        return self._rows(answers.Entry, "audit/", filters)

    # What others of its kind need

    def _become(self, state: str) -> Self:
        self._told = dict(self._connection.post(f"{self._path}state/", {"state": state}))
        return self

    def _import(self, where: str, file: Given, sent: Mapping[str, Any]) -> Job:
        """Send a file; the job's outcome is what the import says once it has ended."""
        told = self._connection.upload(f"{self._path}{where}", file, sent)
        return self._job(told["job"], f"{self._path}imports/{part(told['kind'])}/{part(told['id'])}/")

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

    def _rows(self, kind: type[R], path: str, filters: Mapping[str, Any]) -> Rows[R]:
        return self._connection.rows(kind, self._path + path, filters)
