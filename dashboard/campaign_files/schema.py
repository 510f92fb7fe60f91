"""The JSON Schema of a file, for editors and other programs."""

import json
from typing import Any

from django.utils import translation

from dashboard.campaign_files.fields import campaign_record

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def campaign_schema() -> dict[str, Any]:
    with translation.override("en"):
        described = campaign_record().schema()
    return {"$schema": DIALECT, "title": "A campaign of Précis", **described}


def schema_text() -> str:
    """Return the schema as docs/campaign.schema.json has it."""
    return json.dumps(campaign_schema(), indent=2, ensure_ascii=False, default=str) + "\n"
