"""A process that only shows pages holds nothing in memory that few of its requests need."""

import json
import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import json, sys
import django
django.setup()
import annotation.urls
from pathlib import Path
fields = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
print(json.dumps({"modules": sorted(sys.modules), "kb": int(fields["VmRSS"].split()[0])}))
"""
LOADED_WHERE_USED = {
    "boto3",
    "jwt",
    "krippendorff",
    "pyarrow",
    "pydantic",
    "scipy.optimize",
    "scipy.sparse",
    "scipy.special",
    "scipy.stats",
    "sentry_sdk",
    "sklearn",
    "spacy",
    "torch",
}


def test_the_pages_load_no_package_that_few_of_them_need(tmp_path: Path) -> None:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "annotation.settings", "PRECIS_DATA_DIR": str(tmp_path)}
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=root, env=environment, capture_output=True, text=True, check=True
    )
    found = json.loads(done.stdout)
    sys.stdout.write(f"{found['kb'] / 1024:.0f} MB\n")
    assert LOADED_WHERE_USED.isdisjoint(found["modules"])
