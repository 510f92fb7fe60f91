"""Whether what a public installation says of itself fits together, and its front says what the app must know."""

from http.client import HTTPConnection, HTTPSConnection
from urllib.parse import urlsplit

from django.conf import settings

from annotation.doctor.registry import Finding, Look, check, fine, unseen, wrong
from annotation.start_checks import SECRET_LENGTH

LOCAL = "The installation is local (ALLOWED_HOSTS is empty)."
SECONDS = 8.0


@check()
def origins_are_hosts(_look: Look) -> Finding:
    strange = [
        origin
        for origin in settings.CSRF_TRUSTED_ORIGINS
        if not is_allowed(urlsplit(origin).hostname or "", settings.ALLOWED_HOSTS)
    ]
    if strange:
        return wrong(
            f"CSRF_TRUSTED_ORIGINS has {strange[0]}, which ALLOWED_HOSTS does not: forms sent from another site would "
            "be accepted. Remove it, or add the host to ALLOWED_HOSTS."
        )
    if settings.CSRF_TRUSTED_ORIGINS and not settings.PUBLIC:
        return wrong("CSRF_TRUSTED_ORIGINS is set and ALLOWED_HOSTS is not: nobody can come by these addresses.")
    return fine("All origins of forms are hosts of the installation.")


def is_allowed(host: str, allowed: list[str]) -> bool:
    return any(host == each or (each.startswith(".") and host.endswith(each)) for each in allowed)


@check()
def secret(_look: Look) -> Finding:
    if len(settings.SECRET_KEY) < SECRET_LENGTH:
        return wrong(
            f"SECRET_KEY has fewer than {SECRET_LENGTH} characters. "
            "Make one with python3 -c 'import secrets; print(secrets.token_urlsafe(64))'; links to files end with it."
        )
    return fine("The secret is long enough.")


@check()
def trusted_proxies(_look: Look) -> Finding:
    if not settings.PUBLIC:
        return fine(LOCAL)
    if not settings.TRUSTED_PROXIES:
        return wrong(
            "PRECIS_TRUSTED_PROXIES is empty: all people who come through the front have its address, and share one "
            "limit of logins and of joining. Set it to the front's address, such as 127.0.0.1."
        )
    everyone = [network for network in settings.TRUSTED_PROXIES if network.prefixlen == 0]
    if everyone:
        return wrong(
            f"PRECIS_TRUSTED_PROXIES has {everyone[0]}, so everyone may claim any address. Name the front's only."
        )
    return fine("The front is named in PRECIS_TRUSTED_PROXIES.")


@check(seconds=3 * SECONDS)
def https_is_seen(look: Look) -> Finding:
    """Ask for the health check as anyone could, from this computer."""
    if not settings.PUBLIC and not look.url:
        return fine(LOCAL)
    named = [host for host in settings.ALLOWED_HOSTS if host not in settings.LOCAL_HOSTS and host[:1] != "."]
    if not named and not look.url:
        return unseen("no host has a name of its own; give the address with --url.")
    address = look.url or f"https://{named[0]}"
    try:
        status, location = asked(f"{address.rstrip('/')}/health/")
    except OSError as error:
        return unseen(f"{address} does not answer this computer ({type(error).__name__}).")
    return judged(address, status, location)


def judged(address: str, status: int, location: str) -> Finding:
    """Say what an answer to the health check means."""
    if status in {301, 302, 307, 308} and urlsplit(location).path == "/health/":
        return wrong(
            f"{address} redirects to itself: the app does not see that requests come by HTTPS. Let the front set "
            "X-Forwarded-Proto to https, as deploy/Caddyfile does."
        )
    if status == 400:
        return wrong(f"{address} is refused: add its host to ALLOWED_HOSTS.")
    if status != 200:
        return wrong(f"{address}/health/ answers with {status}. Look at the messages of the web server and the front.")
    return fine(f"{address} answers, and the app sees HTTPS.")


def asked(address: str) -> tuple[int, str]:
    """Return the status and the address that is redirected to; no redirect is followed."""
    parts = urlsplit(address)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connected = kind(parts.netloc, timeout=SECONDS)
    try:
        connected.request("GET", parts.path)
        answer = connected.getresponse()
        return answer.status, answer.getheader("Location", "")
    finally:
        connected.close()
