"""Mails to people, sent beside the request: how long a mail server takes would tell whether an address is known."""

import logging
from collections.abc import Mapping
from threading import Thread

from django.core.mail import EmailMessage
from django.template.loader import render_to_string

THREAD_NAME = "mail"
logger = logging.getLogger(__name__)


def mail_send(*, to: str, template: str, context: Mapping[str, object]) -> None:
    """Send a mail from a template whose first line is the subject. What goes wrong is logged without the address."""
    subject, _, body = render_to_string(template, dict(context)).strip().partition("\n")
    message = EmailMessage(" ".join(subject.split()), body.strip() + "\n", to=[to])
    Thread(target=_send, args=[message], name=THREAD_NAME).start()


def _send(message: EmailMessage) -> None:
    try:
        message.send()
    except Exception:
        logger.exception("a mail could not be sent")
