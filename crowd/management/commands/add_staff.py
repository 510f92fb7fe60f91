"""Add an account to the staff of a campaign."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.errors import Refused
from crowd.commands import account_named, campaign_named
from crowd.models import Role
from crowd.services.members import member_set


class Command(BaseCommand):
    help = "Add an account to a campaign's staff. Accounts are created with createsuperuser or by an administrator."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="the campaign's short name")
        parser.add_argument("username", help="the account's user name")
        parser.add_argument(
            "--role", choices=Role.values, default=Role.MANAGER.value, help="what the account may do (default: manager)"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        campaign = campaign_named(options["campaign"])
        user = account_named(options["username"])
        has_it = campaign.memberships.filter(user=user, role=options["role"]).exists()
        try:
            member_set(campaign=campaign, member=user, role=options["role"], user=None)
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"{user.username} is {options['role']} of {campaign.name}.")
        if has_it:
            self.stderr.write("Nothing has changed: the account had this role before.")
