"""Mails that the app sends in threads of their own."""

import threading

from django.core import mail
from django.core.mail import EmailMessage

from common.mail import THREAD_NAME


def mails_sent() -> list[EmailMessage]:
    """All mails of the test so far, once those on their way have left."""
    for thread in threading.enumerate():
        if thread.name == THREAD_NAME:
            thread.join(10)
    return list(mail.outbox)
