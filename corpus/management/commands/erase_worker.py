"""Erase a person's data at their request."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError

from corpus.selectors import releases_with
from corpus.services.erasure import erasures_complete, worker_erase
from crowd.commands import campaign_named
from crowd.models import Worker


class Command(BaseCommand):
    help = "Erase a person's identity and edit logs; the campaign decides whether their texts are kept or deleted."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name")
        who = parser.add_mutually_exclusive_group(required=True)
        who.add_argument("--number", type=int, help="the participant's number in the campaign (this or --id)")
        who.add_argument("--id", help="the platform's id of the participant (this or --number)")

    def handle(self, *_args: Any, **options: Any) -> None:
        campaign = campaign_named(options["campaign"])
        lookup = {"number": options["number"]} if options["id"] is None else {"external_id": options["id"] or None}
        people = list(Worker.objects.select_related("campaign").filter(campaign=campaign, **lookup)[:2])
        if len(people) != 1:
            raise CommandError(f"{'Several people have' if people else 'Nobody has'} that number or id.")
        releases = releases_with(people[0])
        erasure = worker_erase(worker=people[0])
        self.stdout.write(f"{erasure.logs} records of edits and {erasure.texts} texts erased.")
        if not erasure.logs + erasure.texts:
            self.stderr.write(_why_nothing(people[0]))
        if not _is_completed():
            self.stderr.write(
                "The database is busy: a worker overwrites within some minutes what they have left in its files."
            )
        for release in releases:
            self.stdout.write(f"{release.name} was released before and holds work of this person.")


def _why_nothing(person: Worker) -> str:
    if person.erased_at:
        return f"Nothing was left: this participant's data were erased on {person.erased_at:%Y-%m-%d}."
    return "There was no such work of this participant. Their identity is erased."


def _is_completed() -> bool:
    """Whether nothing is left in the files of the database; what is erased is erased whatever stands in the way."""
    try:
        return erasures_complete()
    except OperationalError:  # somebody else writes, or the disk is full
        return False
