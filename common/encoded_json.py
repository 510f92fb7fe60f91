"""Large JSON for the database, encoded before a transaction begins."""

import json

from django.db.models import JSONField, TextField, Value
from django.db.models.functions import Cast


def encoded_json(value: object) -> Cast:
    """Return an already encoded value in the form that the database takes for a JSON field.

    Encoding megabytes takes a while, and on SQLite everyone who submits a text waits until a transaction ends.
    """
    return Cast(Value(json.dumps(value), TextField()), JSONField())
