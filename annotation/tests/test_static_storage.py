"""The scripts of pages: modules while the code is worked on, one file each once they are collected."""

import gzip
import os
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django.fixtures import Settings

from annotation.static_storage import ReadableStaticFiles, bundled

MODULES = {
    "js/page.js": 'import { a } from "./lib/a.js";\nimport { b as d, c } from "./lib/b.js";\ngo(a, d, c); // at last\n',
    "js/lib/a.js": 'import { b } from "./b.js";\nexport const a = b + 1;\n',
    "js/lib/b.js": "export const b = 1;\nexport class c {}\nconst a = 5;\n",
}


def test_modules_come_before_those_that_import_them_and_once_each() -> None:
    script = bundled("js/page.js", MODULES.__getitem__)
    places = [script.index(words) for words in ("const b=1", "const a=b+1", "go(a,d,c)")]
    assert places == sorted(places)
    assert script.count("const b=1") == 1
    assert "const{b:d,c}=" in script
    assert "at last" not in script


@pytest.mark.parametrize(
    "line",
    [
        'import a from "./lib/a.js";',
        'import "./lib/a.js";',
        "export default 1;",
        "export let a = 1;",
        'const a = await import("./lib/a.js");',
        "const a = import.meta.url;",
    ],
)
def test_forms_that_are_not_known_are_refused_with_their_place(line: str) -> None:
    with pytest.raises(ValueError, match=r"js/page\.js: this cannot be put into one file: .*(import|export)"):
        bundled("js/page.js", {**MODULES, "js/page.js": f"{line}\n"}.__getitem__)


def test_pages_load_one_script_that_was_collected_since_it_changed(settings: Settings, tmp_path: Path) -> None:
    settings.STATIC_ROOT, settings.DEBUG = tmp_path, False
    assert ReadableStaticFiles().url("js/editor.js") == "/static/js/editor.js"
    call_command("collectstatic", "--noinput", "--verbosity=0")
    assert ReadableStaticFiles().url("js/editor.js") == "/static/js/pages/editor.js"
    assert ReadableStaticFiles().url("css/precis.css") == "/static/css/precis.css"
    script = tmp_path / "js" / "pages" / "editor.js"
    assert gzip.decompress(script.with_name("editor.js.gz").read_bytes()) == script.read_bytes()
    assert script.stat().st_mode & 0o777 == 0o644
    settings.DEBUG = True
    assert ReadableStaticFiles().url("js/editor.js") == "/static/js/editor.js"
    settings.DEBUG = False
    os.utime(script, (0, 0))
    assert ReadableStaticFiles().url("js/editor.js") == "/static/js/editor.js"
