"""Storage of static files that all accounts can read."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from whitenoise.storage import CompressedStaticFilesStorage

from common.environment import FILE_MODE, FOLDER_MODE


class ReadableStaticFiles(CompressedStaticFilesStorage):  # type: ignore[misc]
    """Static files and their compressed copies; everything else that the app writes is private."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, file_permissions_mode=FILE_MODE, directory_permissions_mode=FOLDER_MODE)

    def post_process(
        self, paths: dict[str, Any], dry_run: bool = False, **options: Any
    ) -> Iterator[tuple[str, str, bool] | tuple[str, None, RuntimeError]]:
        for original, compressed, is_processed in super().post_process(paths, dry_run, **options):
            if isinstance(compressed, str):
                Path(self.path(compressed)).chmod(FILE_MODE)
            yield original, compressed, is_processed
