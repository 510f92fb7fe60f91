"""The classes of the client's answers are those of the description of the API."""

import json
import sys

from precis_client.answers import Text
from tests.support.product import ROOT

sys.path.append(str(ROOT / "scripts"))

from write_client_answers import ANSWERS, DOCUMENT, NAMES, answers


def test_the_classes_are_written_from_the_description() -> None:
    schemas = json.loads(DOCUMENT.read_text(encoding="utf-8"))["components"]["schemas"]
    assert ANSWERS.read_text(encoding="utf-8") == answers(schemas), "make openapi"


def test_every_answer_has_its_fields_and_what_is_nested_is_a_record() -> None:
    schemas = json.loads(DOCUMENT.read_text(encoding="utf-8"))["components"]["schemas"]
    module = vars(sys.modules[Text.__module__])
    for name in NAMES:
        assert module[name].__annotations__.keys() == schemas[name]["properties"].keys()
    assert Text({"id": "a", "means": {"meaning": 2.5}}).means.meaning == 2.5
