"""How many bytes a grown campaign takes in PostgreSQL, table by table with its indexes, and how many its release takes.

    python benchmarks/bytes_on_disk.py [SOURCES]

It starts a PostgreSQL of its own, so that the rows are the only ones there.
"""

import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from throwaway_postgres import postgres_binaries, throwaway_postgres  # noqa: E402 - it lies in scripts

TABLES = """
SELECT relname, pg_total_relation_size(relid), n_live_tup FROM pg_stat_user_tables
WHERE n_live_tup > 100 ORDER BY 2 DESC
"""


def main() -> None:
    binaries = postgres_binaries()
    if binaries is None:
        sys.exit("PostgreSQL's programs are not on the PATH.")
    with throwaway_postgres(binaries) as url, tempfile.TemporaryDirectory() as folder:
        os.environ |= {"DATABASE_URL": url, "PRECIS_DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "annotation.settings"}
        measure(int(sys.argv[1]) if len(sys.argv) > 1 else 4000)


def measure(sources: int) -> None:
    import django  # noqa: PLC0415 - the environment must be set first

    django.setup()
    from django.core.management import call_command  # noqa: PLC0415
    from django.db import connection  # noqa: PLC0415

    from benchmarks.grown_campaign import fill  # noqa: PLC0415
    from corpus.models import ReleaseFile  # noqa: PLC0415
    from tests.support.factories import freeze, make_campaign  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    campaign = make_campaign(sources=1, editor_tasks=30_000, rater_tasks=30_000)
    fill(campaign_id=campaign.pk, sources=sources)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
        cursor.execute(TABLES)
        for table, size, rows in cursor.fetchall():
            print(f"{table:32} {rows:>9} rows {size:>12} bytes {size / rows:8.0f} a row", flush=True)
    freeze(campaign)
    for file in ReleaseFile.objects.order_by("-size"):
        print(f"{file.name:42} {file.size:>12} bytes {file.size / sources:8.0f} a source", flush=True)


if __name__ == "__main__":
    main()
