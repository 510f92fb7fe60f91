"""Let people log in again who have to wait after wrong passwords."""

from typing import Any

from django.core.management.base import BaseCommand

from crowd.accounts.login import login_attempts_forget


class Command(BaseCommand):
    help = "Forget all failed logins, so that everyone who has to wait can try again at once."

    def handle(self, *_args: Any, **_options: Any) -> None:
        forgotten = login_attempts_forget()
        self.stdout.write("All failed logins are forgotten.")
        if not forgotten:
            self.stderr.write("There were none, so nobody had to wait.")
