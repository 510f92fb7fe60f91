"""Write the classes of the client's answers from the description of the API: `make openapi` does so."""

import json
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT, ANSWERS = ROOT / "docs/openapi.json", ROOT / "client/precis_client/answers.py"
# What the methods of the client return, by the names of the description.
NAMES = (
    *("Text", "Compression", "OneCompression", "Rating", "Participant", "ParticipantIds", "Person", "Remark"),
    *("System", "Settings", "Link", "Example", "Gold", "Webhook", "NewWebhook", "Entry"),
    *("QualityRun", "Preview", "Plan", "Import", "Member", "Invitation", "FixedAnalysis"),
)
PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
HEAD = '''"""Answers of the server with their fields, one class for each; `make openapi` writes this file.

An object in a field is a `Record`, of which each field is an attribute, too.
"""

from typing import Any

from precis_client.records import Record
'''


def main() -> None:
    schemas = json.loads(DOCUMENT.read_text(encoding="utf-8"))["components"]["schemas"]
    ANSWERS.write_text(answers(schemas), encoding="utf-8")


def answers(schemas: Mapping[str, Any]) -> str:
    return HEAD + "".join(f"\n\n{class_of(name, schemas)}" for name in NAMES)


def class_of(name: str, schemas: Mapping[str, Any]) -> str:
    schema = schemas[name]
    said = textwrap.fill(
        f'"""{" ".join(schema["description"].split())}"""', 120, initial_indent=" " * 4, subsequent_indent=" " * 4
    )
    return f"class {name}(Record):\n{said}\n\n    __slots__ = ()\n\n" + "".join(fields_of(schema, schemas))


def fields_of(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterator[str]:
    for name, field in schema["properties"].items():
        yield f"    {name}: {type_of(field, schemas)}\n"


def type_of(field: Mapping[str, Any], schemas: Mapping[str, Any]) -> str:
    """Return a field's type in Python; what the description leaves open is Any."""
    if (known := _known(field, schemas)) == "Any":
        return known
    return f"{known} | None" if field.get("nullable") else known


def _known(field: Mapping[str, Any], schemas: Mapping[str, Any]) -> str:
    if "$ref" in field:
        return type_of(schemas[field["$ref"].rpartition("/")[2]], schemas)
    if len(field.get("allOf", ())) == 1:
        return type_of(field["allOf"][0], schemas)
    for either in ("oneOf", "anyOf"):
        if either in field:
            return " | ".join(dict.fromkeys(type_of(each, schemas) for each in field[either]))
    if field.get("type") == "array":
        return f"list[{type_of(field['items'], schemas)}]"
    if field.get("type") == "object":
        return "Record"
    return PLAIN.get(field.get("type", ""), "Any")


if __name__ == "__main__":
    main()
