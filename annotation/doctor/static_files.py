"""Whether the static files that are served are those of this version."""

import filecmp
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders

from annotation.doctor.registry import Finding, Look, check, fine, wrong

COLLECT = "Run manage.py collectstatic --noinput, and restart the web server."


@check(seconds=20)
def collected_static_files(_look: Look) -> Finding:
    root = Path(settings.STATIC_ROOT)
    if not root.is_dir() or not any(root.iterdir()):
        return fine("Static files are not collected; the web server serves those of the code.")
    sources = [(Path(storage.path(name)), root / name) for finder in get_finders() for name, storage in finder.list([])]
    missing = [collected for _source, collected in sources if not collected.is_file()]
    if missing:
        return wrong(f"{len(missing)} static files of this version are not in {root}. {COLLECT}")
    old = [collected for source, collected in sources if not filecmp.cmp(source, collected, shallow=False)]
    if old:
        return wrong(f"{len(old)} static files in {root} are of another version, such as {old[0].name}. {COLLECT}")
    return fine(f"The {len(sources)} static files in {root} are those of this version.")
