"""Whether jobs get from the web server to a worker that works on the same data."""

from typing import Any

from django.conf import settings

from annotation.celery import app
from annotation.condition import broker_answers
from annotation.doctor.registry import Finding, Look, check, fine, unseen, wrong
from annotation.installation import COMMAND, installation_seen

ANSWER_SECONDS = 3.0


def is_folder() -> bool:
    return str(settings.CELERY_BROKER_URL).startswith("filesystem:")


@check()
def broker_is_there(_look: Look) -> Finding:
    if broker_answers():
        return fine("The broker takes messages.")
    if is_folder():
        folder = settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_in"]
        return wrong(f"Nothing can be written to {folder}, through which jobs are announced. Give it to this account.")
    return wrong(
        "The broker that CELERY_BROKER_URL names does not answer, so no job begins. "
        "Start it (Redis: systemctl start redis-server), or correct the address."
    )


def answers_of_workers() -> dict[str, dict[str, Any]]:
    """Ask all workers what they see, and return their answers by name."""
    with app.connection_for_write(connect_timeout=ANSWER_SECONDS) as connected:
        inspect = app.control.inspect(timeout=ANSWER_SECONDS, connection=connected)
        found = inspect._request(COMMAND)
    return found if isinstance(found, dict) else {}


@check(seconds=15)
def workers_listen(_look: Look) -> Finding:
    """The question is a message that workers answer; it starts no job and stays nowhere."""
    if is_folder():
        return unseen("workers cannot be asked where a folder is the broker; the checks of jobs show if none listens.")
    if not broker_answers():
        return unseen("workers cannot be asked while the broker does not answer.")
    answers = answers_of_workers()
    if not answers:
        return wrong(
            "No worker listens, so no job begins. Start one: systemctl start precis-worker@1, or docker compose up -d "
            "worker. If one runs, it has a different CELERY_BROKER_URL."
        )
    return compared(installation_seen(), answers)


def compared(own: dict[str, str], answers: dict[str, dict[str, Any]]) -> Finding:
    """Compare what this process sees with what the workers do: the same database, files, secret and version."""
    for worker, answer in sorted(answers.items()):
        others = [name for name, value in own.items() if answer.get(name) != value]
        if others:
            return wrong(
                f"The worker {worker} has a different {' and '.join(others)} from this process. Start web server and "
                "worker with the same environment and code, and the same data folder."
            )
    return fine(f"{len(answers)} workers listen and see what this process sees.")
