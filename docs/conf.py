"""The documents as a site with a search, beside the reference of `measures` from its docstrings: `make docs`.

The sources are the Markdown files that are read elsewhere, too. What `index.md` lists under a heading becomes a part of
the site's contents.
"""

import re
import sys
from pathlib import Path

from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "docs" / "reference"
sys.path.insert(0, str(ROOT))

project = "Précis"
copyright = "the authors of Précis"  # noqa: A001  (the name that Sphinx reads)
root_doc = "docs/index"
include_patterns = ["docs/**", "*.md", "client/README.md"]
exclude_patterns = ["docs/examples/*/[!R]*"]
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_heading_anchors = 4
suppress_warnings = ["misc.highlighting_failure", "ref.python"]  # no lexer of JSON Lines; wings share classes
autodoc_typehints = "none"  # the docstrings say shapes and units
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_param = napoleon_use_rtype = False
html_theme = "furo"
html_title = "Précis"

WITH_REFERENCE = not tags.has("documents")  # type: ignore[name-defined]  # noqa: F821  (Sphinx gives its tags)
if not WITH_REFERENCE:
    exclude_patterns.append("docs/reference")

HEADING_OR_LINK = re.compile(r"^## (?P<heading>.+)|\]\((?P<document>[^)#:]+)\.md\)", re.MULTILINE)


def write_reference(app: Sphinx) -> None:
    """Write a page for each wing of `measures`: what it exports, as its docstrings say it."""
    del app
    REFERENCE.mkdir(exist_ok=True)
    for wing in sorted(ROOT.glob("measures/[!t_]*/__init__.py")):
        name = f"measures.{wing.parent.name}"
        page = f"{name}\n{'=' * len(name)}\n\n.. automodule:: {name}\n   :members:\n   :imported-members:\n"
        if wing.parent.name != "core":
            page += "   :exclude-members: Undefined, Interval\n"  # they are described there
        (REFERENCE / f"{wing.parent.name}.rst").write_text(page)


def add_contents(_app: Sphinx, document: str, source: list[str]) -> None:
    """Make what the lists of documents link to a part of the site's contents, below the same headings."""
    if not document.endswith("index"):
        return
    parts: dict[str, list[str]] = {"": []}
    for found in HEADING_OR_LINK.finditer(source[0]):
        if found["heading"]:
            parts[found["heading"]] = []
        else:
            parts[list(parts)[-1]].append(found["document"])
    if document == root_doc and WITH_REFERENCE:
        parts = {**parts, "The library measures": ["reference/*"]}
    for heading, documents in parts.items():
        options = [":hidden:", ":glob:", f":caption: {heading}" * bool(heading)]
        source[0] += "\n".join(["", "```{toctree}", *filter(None, options), "", *dict.fromkeys(documents), "```", ""])


def setup(app: Sphinx) -> None:
    if WITH_REFERENCE:
        app.connect("builder-inited", write_reference)
    app.connect("source-read", add_contents)
