"""Whatever people read is marked for translation: templates, messages of the server, and scripts."""

import re
from pathlib import Path

import pytest

from tests.support.marked_words import ROOT, unmarked_in_python, unmarked_in_script, unmarked_in_template
from tests.support.rooms import product_files

TEMPLATES = sorted((ROOT / "templates").rglob("*.html")) + sorted((ROOT / "templates").rglob("*.txt"))
MODULES = sorted(
    path
    for path in product_files()
    if not {"measures", "management"} & set(path.parts)
    if "api" not in {path.parent.name, path.stem}  # the description of the API is in English, as its names are
)
SCRIPTS = sorted((ROOT / "static/js").rglob("*.js"))


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", TEMPLATES, ids=name_of)
def test_a_template_marks_its_words(path: Path) -> None:
    assert unmarked_in_template(path) == []


@pytest.mark.parametrize("path", TEMPLATES, ids=name_of)
def test_a_template_leaves_plurals_to_the_language(path: Path) -> None:
    assert "|pluralize" not in path.read_text()


@pytest.mark.parametrize("path", TEMPLATES, ids=name_of)
def test_a_template_writes_percent_signs_once(path: Path) -> None:
    """Django doubles the sign in `_("…")`, so such words need `{% translate … as … %}`."""
    assert re.findall(r"""\b_\((?:"[^"]*%[^"]*"|'[^']*%[^']*')\)""", path.read_text()) == []


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_marks_what_it_says(path: Path) -> None:
    assert unmarked_in_python(path) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=name_of)
def test_a_script_marks_what_it_says(path: Path) -> None:
    assert unmarked_in_script(path) == []
