"""The audit log is append only in the database, too: triggers refuse to change and to delete its entries.

An entry outlives its campaign and its account, so these two may become NULL, and nothing else. What empties a whole
installation is still possible to the owner of the tables: TRUNCATE in PostgreSQL, and deleting the file of SQLite. A
migration that makes the table anew in SQLite, as most changes of a column do, has to create the triggers again.
"""

from collections.abc import Sequence

TABLE = "crowd_auditentry"
REFUSAL = "the audit log is append only"
KEPT = ("id", "campaign_slug", "username", "action", "subject", "detail", "created_at")
MAY_BECOME_NULL = ("campaign_id", "user_id")

_POSTGRESQL_CHANGES = " OR ".join(
    [
        *(f"NEW.{column} IS DISTINCT FROM OLD.{column}" for column in KEPT),
        *(f"(NEW.{column} IS NOT NULL AND NEW.{column} IS DISTINCT FROM OLD.{column})" for column in MAY_BECOME_NULL),
    ]
)
_SQLITE_CHANGES = " OR ".join(
    [
        *(f"NEW.{column} IS NOT OLD.{column}" for column in KEPT),
        *(f"(NEW.{column} IS NOT NULL AND NEW.{column} IS NOT OLD.{column})" for column in MAY_BECOME_NULL),
    ]
)
_CREATE = {
    "postgresql": (
        f"CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{REFUSAL}' USING ERRCODE = 'integrity_constraint_violation'; END $$",
        f"CREATE TRIGGER audit_entry_stays BEFORE DELETE ON {TABLE} FOR EACH ROW EXECUTE FUNCTION audit_refuse()",
        f"CREATE TRIGGER audit_entry_same BEFORE UPDATE ON {TABLE} FOR EACH ROW WHEN ({_POSTGRESQL_CHANGES}) "
        f"EXECUTE FUNCTION audit_refuse()",
    ),
    "sqlite": (
        f"CREATE TRIGGER audit_entry_stays BEFORE DELETE ON {TABLE} BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
        f"CREATE TRIGGER audit_entry_same BEFORE UPDATE ON {TABLE} WHEN {_SQLITE_CHANGES} "
        f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
    ),
}
_DROP = {
    "postgresql": (
        f"DROP TRIGGER audit_entry_stays ON {TABLE}",
        f"DROP TRIGGER audit_entry_same ON {TABLE}",
        "DROP FUNCTION audit_refuse()",
    ),
    "sqlite": ("DROP TRIGGER audit_entry_stays", "DROP TRIGGER audit_entry_same"),
}


def triggers_create(vendor: str) -> Sequence[str]:
    """Return the statements that protect the log."""
    return _CREATE[vendor]


def triggers_drop(vendor: str) -> Sequence[str]:
    return _DROP[vendor]
