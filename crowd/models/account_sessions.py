"""Sessions of accounts, with what lets their owner recognise them."""

from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models


class AccountSession(AbstractBaseSession):
    """A session of a browser; of an account if someone has logged in. It is deleted when it ends."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="account_sessions"
    )
    browser = models.CharField(max_length=60, blank=True, default="", help_text="Such as “Firefox on Linux”.")
    address = models.CharField(max_length=64, blank=True, default="", help_text="From which the account logged in.")
    begun_at = models.DateTimeField(null=True, help_text="When the account logged in.")
    used_at = models.DateTimeField(help_text="Kept to some minutes.")

    @classmethod
    def get_session_store_class(cls) -> Any:
        return import_module(settings.SESSION_ENGINE).SessionStore  # it imports this model
