"""The classes of the client's answers are those of the description of the API."""

import json
import sys

import pytest

from precis_client.answers import Compression, Flag, OneCompression, Paste, PreviewResult, PreviewRole, Text
from tests.support.product import ROOT

sys.path.append(str(ROOT / "scripts"))

from write_client_answers import ANSWERS, DOCUMENT, TAKEN, answers, with_nested


def test_the_classes_are_written_from_the_description() -> None:
    schemas = json.loads(DOCUMENT.read_text(encoding="utf-8"))["components"]["schemas"]
    assert ANSWERS.read_text(encoding="utf-8") == answers(schemas), "make openapi"


def test_every_answer_has_its_fields_and_what_is_nested_is_a_record() -> None:
    schemas = json.loads(DOCUMENT.read_text(encoding="utf-8"))["components"]["schemas"]
    module = vars(sys.modules[Text.__module__])
    for name in with_nested(schemas):
        assert module[name].__annotations__.keys() == schemas[name]["properties"].keys() - TAKEN
    assert Text({"id": "a", "means": {"meaning": 2.5}}).means.meaning == 2.5


def test_what_is_nested_is_of_the_class_that_its_field_has() -> None:
    flag = {"kind": "odd", "name": "Odd"}
    pasted = {"effort": {"pastes": [{"characters": 20}]}}

    assert isinstance(Compression({"flags": [flag]}).flags[0], Flag)
    assert isinstance(OneCompression({"writing": pasted}).writing.effort.pastes[0], Paste)
    assert isinstance(PreviewResult({"editors": {"people": []}}).editors, PreviewRole)
    assert OneCompression({"writing": None}).writing is None


def test_a_field_that_the_description_has_not_yet_is_there_as_a_record() -> None:
    newer = Compression({"flags": [], "seen": {"by": "ann"}})
    assert newer.seen.by == "ann"
    with pytest.raises(AttributeError, match="no field 'effort'; there are: flags, seen"):
        _ = newer.effort
