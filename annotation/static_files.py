"""The folder of static files. They hold no data, and a web server under another account may have to read them."""

from pathlib import Path

FOLDER_MODE, FILE_MODE = 0o755, 0o644


def static_folder(path: Path) -> Path:
    """Create the folder for all accounts to read, although other files of this process are private."""
    if not path.exists():
        path.mkdir(exist_ok=True)
        path.chmod(FOLDER_MODE)
    return path
