"""The command `precis` of the package precis-app: what `make run` and `manage.py` are in a clone."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
USAGE = """usage: precis [--data FOLDER] start [--port PORT] [--no-demo] ...
       precis [--data FOLDER] manage COMMAND ...
       precis --version

start    prepare the database and run the web server and a worker until Ctrl-C; with a demonstration, unless told not to
manage   run one of the commands of Précis; `precis manage help` lists them

The data are in FOLDER, by default PRECIS_DATA_DIR or {default}.
"""


def main() -> int:
    """Run the command."""
    given, default = sys.argv[1:], default_folder()
    folder = os.environ.get("PRECIS_DATA_DIR") or default
    if given[:1] == ["--data"] and len(given) > 1:
        folder, given = given[1], given[2:]
    if given[:1] not in (["start"], ["manage"], ["--version"]):
        asked = given[:1] in ([], ["--help"], ["-h"])
        (sys.stdout if asked else sys.stderr).write(USAGE.format(default=default))
        return 0 if asked else 2
    # The rooms are packages of this folder, for this process and for those that it starts.
    sys.path.insert(0, str(ROOT))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    os.environ["PRECIS_DATA_DIR"] = str(Path(folder).expanduser().absolute())
    if given[0] == "start":
        sys.stdout.write(f"The data are in {os.environ['PRECIS_DATA_DIR']}\n")
        sys.stdout.flush()
        os.chdir(ROOT)  # what is run with `python -m` looks in its own folder first
    from manage import main as run  # noqa: PLC0415  (found from here on)

    sys.argv = ["precis manage", *given[1:]] if given[0] == "manage" else ["precis", *given]
    run()
    return 0


def default_folder() -> str:
    """Where programs keep the data of an account."""
    if sys.platform == "darwin":
        return str(Path.home() / "Library" / "Application Support" / "Precis")
    return str(Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "precis")
