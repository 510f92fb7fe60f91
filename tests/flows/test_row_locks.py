"""Every lock on rows is FOR NO KEY UPDATE: a plain FOR UPDATE would make every insert wait that names the row."""

import ast

from tests.support.rooms import ROOMS, ROOT


def plain_locks(code: str) -> list[int]:
    """The lines on which rows are locked against inserts that name them, too."""
    return [
        call.lineno
        for call in ast.walk(ast.parse(code))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "select_for_update"
        and not any(key.arg == "no_key" and getattr(key.value, "value", False) is True for key in call.keywords)
    ]


def test_a_plain_lock_is_found() -> None:
    locks = "rows.select_for_update(skip_locked=True)\nrows.select_for_update(no_key=True)\nselect_for_update()"
    assert plain_locks(locks) == [1]
    assert plain_locks("rows.select_for_update(no_key=False)") == [1]


def test_no_lock_keeps_others_from_naming_the_row() -> None:
    files = [file for room in ROOMS for file in (ROOT / room).rglob("*.py")]
    assert len(files) > 300
    found = {file.relative_to(ROOT): plain_locks(file.read_text(encoding="utf-8")) for file in files}
    assert {file: lines for file, lines in found.items() if lines} == {}
    assert [file for file in files if "FOR UPDATE" in file.read_text(encoding="utf-8")] == []
