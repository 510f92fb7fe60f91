"""The jobs of `benchmarks/under_load.py`: a step for each line that is read, answered when it has ended.

The first line names a file of texts. Steps are `import`, `freeze`, `score` and `agreement`.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import django

django.setup()

from django.contrib.auth.models import User  # noqa: E402

from agreement.kind import KIND as AGREEMENT  # noqa: E402
from agreement.parameters import AgreementParameters  # noqa: E402
from benchmarks.release import SLUG  # noqa: E402
from common.models import Job  # noqa: E402
from compressions.services.imports import source_import_request  # noqa: E402
from corpus.models import Release  # noqa: E402
from corpus.services.release import release_request  # noqa: E402
from crowd.models import Campaign  # noqa: E402
from reports.services import report_request  # noqa: E402
from scoring.services.runs import scores_request  # noqa: E402
from scoring.settings import ScoreSettings  # noqa: E402

UNFINISHED = (Job.State.QUEUED, Job.State.RUNNING)
POLL_SECONDS = 0.2


def main() -> None:
    texts = Path(sys.stdin.readline().strip()).read_bytes()
    user = User.objects.earliest("pk")
    steps: dict[str, Callable[[], object]] = {
        "import": lambda: source_import_request(
            campaign=Campaign.objects.get(slug="bench"), file_name="more.jsonl", content=texts, strict=False, user=user
        ),
        "freeze": lambda: release_request(campaign=Campaign.objects.get(slug=SLUG), user=user),
        "score": lambda: scores_request(release=latest_release(), settings=ScoreSettings(), user=user),
        "agreement": lambda: report_request(
            kind=AGREEMENT, on=latest_release(), parameters=AgreementParameters(), user=user
        ),
    }
    print("ready", flush=True)
    for line in sys.stdin:
        known = set(Job.objects.values_list("pk", flat=True))
        steps[line.strip()]()
        new = Job.objects.exclude(pk__in=known)
        while new.filter(state__in=UNFINISHED).exists():
            time.sleep(POLL_SECONDS)
        print(json.dumps([[each.state, each.message] for each in new]), flush=True)


def latest_release() -> Release:
    return Release.objects.filter(campaign__slug=SLUG).latest("pk")


if __name__ == "__main__":
    main()
