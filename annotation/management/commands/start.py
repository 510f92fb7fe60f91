"""Start Précis on this computer with one command: database, demonstration, web server and Celery worker."""

import json
import os
import socket
import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection, connections

from annotation.start_checks import check_debug_is_local
from maintenance.migration_guard import another_version_message, is_of_another_version


class Command(BaseCommand):
    help = "Prepare the database and run the web server and one Celery worker until Ctrl-C."
    # Run by migrate anyway; skipping them here lets a port conflict be reported first.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--host",
            default="127.0.0.1",
            help="address to listen on, see ALLOWED_HOSTS too (default: 127.0.0.1)",
        )
        parser.add_argument("--port", type=int, default=8000, help="port to listen on (default: 8000)")
        parser.add_argument("--web-workers", type=int, default=2, help="web server processes (default: 2)")
        parser.add_argument("--no-demo", action="store_true", help="do not load the demonstration")

    def handle(self, **options: Any) -> None:
        host, port = options["host"], options["port"]
        try:
            check_debug_is_local([host])
            check_port_is_free(host, port)
            check_database_version()
            self.prepare(host, port, demo=not options["no_demo"])
        except ImproperlyConfigured as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            self.stdout.write("Précis has stopped.")
            return
        self.supervise(host, port, options["web_workers"])

    def prepare(self, host: str, port: int, *, demo: bool) -> None:
        """Create the data folder, migrate the database and load the demonstration."""
        settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
        self.stdout.write("Preparing the database ...")
        call_command("migrate", interactive=False, verbosity=0)
        if demo:
            call_command("load_demo", base_url=address(host, port), reports_later=True)
        connections.close_all()

    def supervise(self, host: str, port: int, web_workers: int) -> None:
        """Become the supervisor: it only waits, for which it needs neither Django nor its memory."""
        plan = {
            "children": [web(host, port, web_workers), worker()],
            "host": reachable(host),
            "port": port,
            "ready": self.style.SUCCESS(f"Précis is ready at {address(host, port)}") + "\nStop it with Ctrl-C.",
        }
        self.stdout.flush()
        os.execv(sys.executable, [sys.executable, "-m", "annotation.supervisor", json.dumps(plan)])  # noqa: S606


def web(host: str, port: int, workers: int) -> tuple[str, list[str]]:
    return (
        "The web server",
        [
            *(sys.executable, "-m", "gunicorn", "annotation.wsgi:application"),
            *("--config", "python:annotation.gunicorn_conf"),
            *("--bind", f"{bracketed(host)}:{port}"),
            *("--workers", str(workers)),
        ],
    )


def worker() -> tuple[str, list[str]]:
    return (
        "The worker",
        [
            *(sys.executable, "-m", "celery", "--quiet", "-A", "annotation", "worker"),
            *("--pool", "solo", "--concurrency", "1", "--loglevel", "warning"),
            *("--without-gossip", "--without-mingle", "--without-heartbeat"),
        ],
    )


def check_database_version() -> None:
    """Stop before anything is written if the data are of an earlier version."""
    if is_of_another_version(connection):
        raise CommandError(another_version_message(connection))


def check_port_is_free(host: str, port: int) -> None:
    """Raise CommandError if the port cannot be used, before anything else is done."""
    if not 0 < port < 65536:
        raise CommandError(f"--port must be between 1 and 65535, not {port}.")
    taken = f"Port {port} on {host} is taken. Choose another one, such as --port {port % 65535 + 1}."
    try:
        # macOS allows binding to 127.0.0.1 while another process listens on all addresses, so try to connect first.
        with socket.create_connection((reachable(host), port), timeout=1):
            raise CommandError(taken)
    except OSError:
        pass
    try:
        family, kind, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except PermissionError as error:
        raise CommandError(f"Port {port} needs special rights. Choose one above 1023 with --port.") from error
    except OSError as error:
        raise CommandError(f"{taken} ({error.strerror})") from error


def reachable(host: str) -> str:
    """Return the address at which this computer reaches a server that listens on `host`."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)  # noqa: S104


def address(host: str, port: int) -> str:
    return f"http://{bracketed(reachable(host))}:{port}"


def bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
