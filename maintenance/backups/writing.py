"""Writing an archive: rows of one moment, and the files that they name, in memory that does not grow with them."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from django.core.files.storage import storages
from django.db.backends.base.base import BaseDatabaseWrapper

from common.clock import process_now
from common.environment import values_read
from common.extras import product_version
from maintenance.backups.columns import line_of
from maintenance.backups.files import Changed, Name, Stored, checked_name, file_chunks, names_of, wanted_by
from maintenance.backups.manifest import (
    HEAD,
    MANIFEST,
    MANIFEST_SHA256,
    PART_BYTES,
    SETTINGS,
    Head,
    Manifest,
    TableSums,
    json_bytes,
    migrations_applied,
)
from maintenance.backups.streams import Compressor, TarWriter
from maintenance.backups.tables import Meter, Table, last_key, rows_of, snapshot, tables_of_models

# The values of these say where and how an installation runs. Of all other variables only that they are set: they may
# hold passwords and keys, and a variable that is new is one of them until somebody says otherwise.
WITHOUT_SECRETS = {
    *("ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "DEBUG", "PRECIS_DATA_DIR", "PRECIS_EMAIL_FROM"),
    "PRECIS_EMBEDDINGS",
    *("PRECIS_FRAME_ANCESTORS", "PRECIS_SECOND_FACTOR", "PRECIS_HSTS", "PRECIS_JOINS_PER_HOUR", "PRECIS_SPACY_MODEL"),
    *("PRECIS_TASKS_PER_MINUTE", "PRECIS_TRUSTED_PROXIES", "PRECIS_BACKUP_AGE_RECIPIENT", "PRECIS_BACKUP_DIR"),
    *("PRECIS_BACKUP_GPG_RECIPIENT", "PRECIS_BACKUP_HOUR", "PRECIS_BACKUP_KEEP", "PRECIS_BEAT", "PRECIS_LOG_FORMAT"),
    *("PRECIS_LOG_REQUESTS", "PRECIS_MAX_JOB_AGE_MINUTES", "PRECIS_MIN_FREE_MB", "PRECIS_S3_BUCKET"),
    *("PRECIS_S3_CACHE_MB", "PRECIS_S3_PREFIX", "PRECIS_S3_REDIRECT", "PRECIS_S3_REGION", "PRECIS_WORKER_METRICS"),
    *("PRECIS_WEBHOOK_HOSTS", "PRECIS_MODEL_HOSTS", "PRECIS_PUBLISH_HOSTS", "PRECIS_JOBS_KEPT_DAYS"),
}
Write = Callable[[bytes], object]
Tell = Callable[[str], object]


@dataclass
class _Sums:
    """What has been written so far."""

    tables: dict[str, TableSums] = field(default_factory=dict)
    files: dict[Name, Stored] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def archive_write(write: Write, tell: Tell, *, is_last_try: bool) -> Manifest:
    """Write an archive of the installation as it is now.

    Raises
    ------
    Changed
        If files of its releases vanish meanwhile, as when a campaign is deleted, unless this is the last try: then
        the archive says what is missing.
    """
    compressor = Compressor(write)
    tar, sums = TarWriter(compressor), _Sums()
    with snapshot() as database:
        head, settings = _head(database).as_bytes(), json_bytes(settings_without_secrets())
        tar.add(HEAD, len(head), [head])
        tar.add(SETTINGS, len(settings), [settings])
        for table in tables_of_models():
            sums.tables[table.name] = _table_write(tar, table, database)
            tell(f"{table.name}: {sums.tables[table.name].rows} rows")
        wanted = wanted_by(database)
    for name in names_of(wanted):
        sums.files[name] = _file_write(tar, name)
    tell(f"{len(sums.files)} files, {sum(each.size for each in sums.files.values())} bytes")
    sums.problems = list(_problems(wanted.files, sums.files))
    if sums.problems and not is_last_try:
        raise Changed(sums.problems[0])
    manifest = Manifest(_sha256(head), _sha256(settings), sums.tables, sums.files, tuple(sums.problems))
    content = manifest.as_bytes()
    tar.add(MANIFEST, len(content), [content])
    checksum = f"{_sha256(content)}\n".encode()
    tar.add(MANIFEST_SHA256, len(checksum), [checksum])
    tar.close()
    compressor.close()
    return manifest


def settings_without_secrets() -> dict[str, str]:
    """Return the environment for whoever sets up the installation again: secrets only as set or not set."""
    return {
        name: value if name in WITHOUT_SECRETS else ("set" if value else "not set")
        for name, value in values_read().items()
    }


def _head(database: BaseDatabaseWrapper) -> Head:
    tables = tuple(tables_of_models())
    return Head(
        product=product_version(),
        created_at=process_now(),
        database=database.vendor,
        migrations=migrations_applied(),
        tables=tables,
        last_keys={table.name: last_key(table, database) for table in tables},
    )


def _table_write(tar: TarWriter, table: Table, database: BaseDatabaseWrapper) -> TableSums:
    meter, lines = Meter(table.columns), hashlib.sha256()
    for number, part in enumerate(_parts(table, database, meter), 1):
        lines.update(part)
        tar.add(f"tables/{table.name}/{number:06}.jsonl", len(part), [part])
    return TableSums(meter.digest.rows, lines.hexdigest(), meter.digest.sha256)


def _parts(table: Table, database: BaseDatabaseWrapper, meter: Meter) -> Iterator[bytes]:
    part = bytearray()
    for row in rows_of(table, database):
        meter.add(row)
        line = line_of(row)
        if part and len(part) + len(line) > PART_BYTES:
            yield bytes(part)
            part.clear()
        part += line
    if part:
        yield bytes(part)


def _file_write(tar: TarWriter, name: Name) -> Stored:
    checked_name("/".join(name))  # what could not be restored
    try:
        size, digest = storages[name[0]].size(name[1]), hashlib.sha256()
        tar.add(f"files/{name[0]}/{name[1]}", size, file_chunks(name, size, digest.update))
    except (ValueError, FileNotFoundError) as error:
        raise Changed(f"{name[1]} was written or deleted meanwhile") from error
    return Stored(size, digest.hexdigest())


def _problems(wanted: dict[Name, str], written: dict[Name, Stored]) -> Iterator[str]:
    """Yield which files are missing, or are not what they were when their release was frozen."""
    for name, sha256 in wanted.items():
        if name not in written:
            yield f"{name[0]}/{name[1]} is missing"
        elif sha256 and written[name].sha256 != sha256:
            yield f"{name[0]}/{name[1]} is not what was released"


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
