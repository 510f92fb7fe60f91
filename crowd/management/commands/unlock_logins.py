"""Let people log in again who cannot: after wrong passwords, or without their second factor."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from crowd.accounts.login import login_attempts_forget
from crowd.services.accounts import second_factor_drop


class Command(BaseCommand):
    help = "Forget all failed logins, so that everyone who has to wait can try again at once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--drop-second-factor",
            metavar="USERNAME",
            help="also let this account, whose authenticator and codes are lost, log in by its password alone "
            "(default: no account)",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        if (name := options["drop_second_factor"]) is not None:
            user = User.objects.filter(username=name).first()
            if user is None:
                raise CommandError(f"There is no account “{name}”.")
            dropped = second_factor_drop(user=user)
            self.stdout.write(f"{name} logs in by password alone." if dropped else f"{name} had no second factor.")
        forgotten = login_attempts_forget()
        self.stdout.write("All failed logins are forgotten.")
        if not forgotten:
            self.stderr.write("There were none, so nobody had to wait.")
