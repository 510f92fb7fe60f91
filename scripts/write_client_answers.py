"""Write the classes of the client's answers from the description of the API: `make openapi` does so."""

import json
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT, ANSWERS = ROOT / "docs/openapi.json", ROOT / "client/precis_client/answers.py"
# What the methods of the client return, by the names of the description.
NAMES = (
    *("Text", "Compression", "OneCompression", "Rating", "Participant", "ParticipantIds", "Person", "Remark"),
    *("System", "Settings", "Link", "Example", "Gold", "Webhook", "NewWebhook", "Entry"),
    *("QualityRun", "PreviewResult", "Plan", "Import", "Member", "Invitation", "FixedAnalysis", "RoundProgress"),
)
TAKEN = frozenset(dir(Mapping))  # such as `items`: methods of a record, so that such a field is a key alone
PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
HEAD = '''"""Answers of the server with their fields, one class for each; `make openapi` writes this file.

An object in a field has a class of its own, or is a `Record` where its names are those of scales or settings.
"""

from typing import Any

from precis_client.records import Record
'''


def main() -> None:
    schemas = json.loads(DOCUMENT.read_text(encoding="utf-8"))["components"]["schemas"]
    ANSWERS.write_text(answers(schemas), encoding="utf-8")


def answers(schemas: Mapping[str, Any]) -> str:
    return HEAD + "".join(f"\n\n{class_of(name, schemas)}" for name in with_nested(schemas))


def with_nested(schemas: Mapping[str, Any], names: Iterable[str] = NAMES) -> list[str]:
    """Return the names of answers, each behind those of the objects in its fields."""
    found: dict[str, None] = {}
    for name in names:
        found |= dict.fromkeys([*with_nested(schemas, nested_of(schemas[name], schemas).values()), name])
    return [*found]


def nested_of(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> dict[str, str]:
    """Return the classes of the objects in an answer's fields, by the names of these."""
    types = {name: re.findall(r"\w+", type_of(field, schemas)) for name, field in schema["properties"].items()}
    classes = {name: [each for each in words if each in schemas] for name, words in types.items()}
    return {name: each[0] for name, each in classes.items() if len(each) == 1}


def class_of(name: str, schemas: Mapping[str, Any]) -> str:
    schema = schemas[name]
    said = textwrap.fill(
        f'"""{" ".join(schema["description"].split())}"""', 120, initial_indent=" " * 4, subsequent_indent=" " * 4
    )
    bases = ", ".join(["Record", *(f"{field}={each}" for field, each in nested_of(schema, schemas).items())])
    return f"class {name}({bases}):\n{said}\n\n    __slots__ = ()\n\n" + "".join(fields_of(schema, schemas))


def fields_of(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterator[str]:
    for name, field in schema["properties"].items():
        if name in TAKEN:
            continue
        yield f"    {name}: {type_of(field, schemas)}\n"


def type_of(field: Mapping[str, Any], schemas: Mapping[str, Any]) -> str:
    """Return a field's type in Python; what the description leaves open is Any."""
    if (known := _known(field, schemas)) == "Any":
        return known
    return f"{known} | None" if field.get("nullable") else known


def _known(field: Mapping[str, Any], schemas: Mapping[str, Any]) -> str:
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        return name if "properties" in schemas[name] else type_of(schemas[name], schemas)
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
