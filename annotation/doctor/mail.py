"""Whether mails could be sent: a connection and a login, and no mail."""

import smtplib
import ssl

from django.conf import settings
from django.core.mail import get_connection

from annotation.doctor.registry import Finding, Look, check, fine, wrong

SECONDS = 8


@check(seconds=3 * SECONDS)
def mail_server(_look: Look) -> Finding:
    if not settings.SENDS_MAIL:
        return fine("No mail server is set (PRECIS_EMAIL_URL): invitations are links, and nobody gets mails.")
    where = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
    connected = get_connection(timeout=SECONDS)
    try:
        connected.open()
    except smtplib.SMTPAuthenticationError:
        return wrong(f"The mail server {where} refuses the user or the password in PRECIS_EMAIL_URL. Correct them.")
    except ssl.SSLError as error:
        return wrong(
            f"The mail server {where} does not speak TLS as PRECIS_EMAIL_URL says ({error.reason or 'no reason'}). "
            "Use smtps:// for TLS from the start, and smtp:// for STARTTLS."
        )
    except (TimeoutError, OSError, smtplib.SMTPException) as error:
        return wrong(
            f"The mail server {where} does not take connections ({type(error).__name__}). Check the name and port in "
            "PRECIS_EMAIL_URL, and whether a firewall closes that port."
        )
    finally:
        connected.close()
    return fine(f"The mail server {where} takes connections{' and the login' if settings.EMAIL_HOST_USER else ''}.")
