"""Static files that all accounts can read; the script of a page with all that it imports is one small file."""

import posixpath
import re
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from rjsmin import jsmin
from whitenoise.storage import CompressedStaticFilesStorage

from common.environment import FILE_MODE, FOLDER_MODE

SCRIPTS, PAGES = "js", "js/pages"
_NAME = r"\w+(?: as \w+)?"
_IMPORT = re.compile(rf'^import \{{ ({_NAME}(?:, {_NAME})*) \}} from "(\.[\w./-]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_LEFT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_DYNAMIC = re.compile(r"\bimport(?:\(|\.meta\b).*")


class ReadableStaticFiles(CompressedStaticFilesStorage):  # type: ignore[misc]
    """Static files and their compressed copies; everything else that the app writes is private.

    While the code is worked on, browsers load each module by itself. Where static files were collected, they load the
    script of a page as one file.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, file_permissions_mode=FILE_MODE, directory_permissions_mode=FOLDER_MODE)

    def url(self, name: str | None) -> str:
        folder, file = posixpath.split(name or "")
        if folder == SCRIPTS and not settings.DEBUG and file in self._pages:
            name = f"{PAGES}/{file}"
        return str(super().url(name))

    @cached_property
    def _pages(self) -> frozenset[str]:
        """The scripts that were collected as one file each, since the code last changed."""
        collected = list(Path(self.path(PAGES)).glob("*.js"))
        changed = max(each.stat().st_mtime for each in (settings.BASE_DIR / "static" / SCRIPTS).rglob("*.js"))
        return frozenset(each.name for each in collected if each.stat().st_mtime >= changed)

    def post_process(
        self, paths: dict[str, Any], dry_run: bool = False, **options: Any
    ) -> Iterator[tuple[str, str, bool] | tuple[str, None, Exception]]:
        made = dict(paths)
        if not dry_run:
            for name in [name for name in paths if posixpath.dirname(name) == SCRIPTS and name.endswith(".js")]:
                page = f"{PAGES}/{posixpath.basename(name)}"
                try:
                    script = bundled(name, lambda module: _read(paths, module))
                except ValueError as error:
                    yield name, None, error
                    return
                self.delete(page)
                self._save(page, ContentFile(script.encode()))
                made[page] = (self, page)
        for original, compressed, is_processed in super().post_process(made, dry_run, **options):
            if isinstance(compressed, str):
                Path(self.path(compressed)).chmod(FILE_MODE)
            yield original, compressed, is_processed


def _read(paths: dict[str, Any], name: str) -> str:
    storage, path = paths[name]
    with storage.open(path) as file:
        return str(file.read().decode())


def bundled(entry: str, read: Callable[[str], str]) -> str:
    """Return a module and all that it imports as one script without comments; `read` returns a module by its path.

    A module becomes a function that returns what it exports. Only the forms of import and export that our scripts use
    are known: raise ValueError for any other.
    """
    numbers: dict[str, int] = {}
    written: list[str] = []

    def add(name: str) -> int:
        if name not in numbers:
            text = read(name)
            folder = posixpath.dirname(name)
            imports = [
                f"const {{ {names.replace(' as ', ': ')} }} = "
                f"module{add(posixpath.normpath(posixpath.join(folder, path)))};\n"
                for names, path in _IMPORT.findall(text)
            ]
            exports = ", ".join(exported for _, exported in _EXPORT.findall(text))
            body = _EXPORT.sub(r"\1", _IMPORT.sub("", text))
            if left := _LEFT.search(body) or _DYNAMIC.search(jsmin(body)):
                raise ValueError(f"{name}: this cannot be put into one file: {left[0]}")
            numbers[name] = len(numbers)
            within = f"{''.join(imports)}{body}\nreturn {{ {exports} }};"
            written.append(f"const module{numbers[name]} = (() => {{\n{within}\n}})();\n")
        return numbers[name]

    add(entry)
    return str(jsmin("".join(written)))
