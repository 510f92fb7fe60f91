"""Build the packages into dist, check them, and use each as its users will: in a bare environment, out of the clone.

    make packages                 with every Python from 3.11 on that is found; the app with the oldest of them
    make packages ARGS=--no-app   without the app, which takes minutes and 800 MB

`precis-measures` runs the examples of its page and of its docstrings, and says of each module what it wants.
`precis-app` is started, logged in to, and `precis-client` drives a whole study there, that of docs/api.md; then
`precis_measures.verify_release` looks at the release. Nothing is uploaded.
"""

import argparse
import contextlib
import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
PROJECTS = {"precis_measures": ROOT / "measures", "precis_client": ROOT / "client", "precis_app": ROOT}
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
PATIENCE = 300.0
EVERY_MODULE = """
import doctest, importlib, pkgutil, precis_measures
wants, tried = {}, 0
for each in pkgutil.walk_packages(precis_measures.__path__, "precis_measures."):
    try:
        module = importlib.import_module(each.name)
    except ModuleNotFoundError as error:
        wants[each.name] = error.name
        continue
    if each.name.split(".")[1] in ("agreement", "core", "experiments"):
        tried += doctest.testmod(module, raise_on_error=True).attempted
assert wants == {"precis_measures.metrics.__main__": "tqdm"} and tried > 100, (wants, tried)
print(f"  {tried} examples of docstrings; precis_measures {precis_measures.__version__}")
"""
SHELL = """
from django.contrib.auth.models import User
from crowd.models import Scope
from crowd.services.api_tokens import api_token_create
print(api_token_create(user=User.objects.get(), name="study", days=1, scopes=Scope.values)[1])
"""


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--no-app", action="store_true", help="leave out the app")
    given = options.parse_args()
    build()
    pythons = dict(found_pythons())
    for version, python in pythons.items():
        print(f"Python {version}:", flush=True)
        with tempfile.TemporaryDirectory() as place:
            use_science(environment_of(python, Path(place) / "science", "precis_measures"))
            run([environment_of(python, Path(place) / "client", "precis_client"), "-c", "import precis_client"])
            print("  precis_client is imported")
            if version == next(iter(pythons)) and not given.no_app:
                use_app(python, Path(place))
    return 0


def build() -> None:
    shutil.rmtree(DIST, ignore_errors=True)
    for project in PROJECTS.values():
        run([sys.executable, "-m", "build", "--outdir", DIST, project], quiet=True)
    run([sys.executable, "-m", "twine", "check", "--strict", *sorted(DIST.iterdir())])


def found_pythons() -> Iterator[tuple[str, Path]]:
    """Each version that works, on PATH or of pyenv."""
    for version in VERSIONS:
        named = shutil.which(f"python{version}")
        own = sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python3"))
        for python in (*([Path(named)] if named else []), *own):
            if (
                subprocess.run([python, "-c", "import ensurepip, venv"], capture_output=True, check=False).returncode
                == 0
            ):
                yield version, python
                break


def environment_of(python: Path, folder: Path, package: str) -> Path:
    """Make a bare environment with one of the wheels, and what pip finds that it needs; its Python."""
    run([python, "-m", "venv", folder])
    (wheel,) = DIST.glob(f"{package}-*.whl")
    wanted = f"{wheel}[pandas,progress]" if package == "precis_client" else str(wheel)
    run(
        [folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wanted],
        quiet=True,
    )
    return folder / "bin" / "python"


def use_science(python: Path) -> None:
    page = (ROOT / "measures" / "README.md").read_text(encoding="utf-8")
    for block in re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE):
        run([python, "-c", block])
    run([python, "-c", EVERY_MODULE])
    run([python, "-m", "precis_measures.verify_release", "--help"], quiet=True)


def use_app(python: Path, place: Path) -> None:
    """Start it outside of the clone, log in, and do the study of docs/api.md."""
    began = time.monotonic()
    precis = environment_of(python, place / "app", "precis_app").with_name("precis")
    print(f"  precis-app is installed ({time.monotonic() - began:.0f} s)", flush=True)
    port, password = free_port(), secrets.token_urlsafe(12)
    env = {**plain_environment(), "DJANGO_SUPERUSER_PASSWORD": password}
    data = [precis, "--data", place / "data"]
    study = place / "study"
    study.mkdir()
    with started([*data, "start", "--no-demo", "--port", str(port)], f"http://127.0.0.1:{port}/", study, env):
        account = ["createsuperuser", "--noinput", "--username=owner", "--email=owner@example.org"]
        run([*data, "manage", *account], env=env, cwd=study, quiet=True)
        token = run([*data, "manage", "shell", "-v0", "-c", SHELL], env=env, cwd=study, quiet=True).split()[-1]
        look(f"http://127.0.0.1:{port}", "owner", password)
        env |= {"PRECIS_URL": f"http://127.0.0.1:{port}", "PRECIS_TOKEN": token}
        follow(study, [str(each) for each in data], place / "client" / "bin" / "python", env)
        report = json.loads((study / "report.json").read_text(encoding="utf-8"))
        (archive,) = study.glob("data/*.zip")
        verify = ["-m", "precis_measures.verify_release", archive, "--report", "report.json"]
        print(run([place / "science" / "bin" / "python", *verify], cwd=study, quiet=True))
        assert report["rows"]
    (left,) = (place / "app" / "lib").glob("python*/site-packages/precis_app")
    assert not {"var", "staticfiles"} & {each.name for each in left.iterdir()}, "data beside the code"


def look(address: str, name: str, password: str) -> None:
    """Log in as a browser does, and open a document, its picture and the list of campaigns."""
    cookies = CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(cookies))
    form = browser.open(f"{address}/login/").read().decode()
    (hidden,) = set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', form))
    sent = urlencode({"csrfmiddlewaretoken": hidden, "username": name, "password": password}).encode()
    page = (
        browser.open(
            urllib.request.Request(  # noqa: S310
                f"{address}/login/", sent, {"Referer": address}
            )
        )
        .read()
        .decode()
    )
    assert "Log out" in page, page
    for path in ("/docs/", "/docs/packages/", "/static/docs/dashboard.png", "/campaigns/"):
        assert browser.open(f"{address}{path}").status == 200, path
    print("  logged in; documents and static files are there")


def follow(study: Path, data: list[str], python: Path, env: Mapping[str, str]) -> None:
    """Run the example of docs/api.md as one program, with `precis manage` where the page has `manage.py`."""
    program = ["import subprocess"]
    for language, block in re.findall(
        r"^```(\w+)\n(.*?)^```$", (ROOT / "docs" / "api.md").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    ):
        if language == "yaml":
            (study / "study.yaml").write_text(block, encoding="utf-8")
        elif language == "jsonl":
            (study / "texts.jsonl").write_text(block, encoding="utf-8")
        elif language == "python":
            program.append(block.replace("precis.close()\n", ""))
        elif ".venv/bin/python manage.py " in block:
            words = [*data, "manage", *block.split()[2:]]
            program.append(f"subprocess.run({words!r}, check=True, stdout=subprocess.DEVNULL)")
    program.append(
        'release.download(f"{release.name}.zip", to="data")\n'
        'import json, pathlib\npathlib.Path("report.json").write_text(json.dumps(dict(report)))\nprecis.close()'
    )
    run([python, "-c", "\n".join(program)], cwd=study, env=env, quiet=True)
    print("  precis_client did the study of docs/api.md")


@contextlib.contextmanager
def started(command: list[object], address: str, folder: Path, env: Mapping[str, str]) -> Iterator[None]:
    log = folder / "server.log"
    with log.open("w") as said:
        server = subprocess.Popen([*map(str, command)], cwd=folder, env=env, stdout=said, stderr=said)
    try:
        until = time.monotonic() + PATIENCE
        while "is ready at" not in log.read_text():
            if server.poll() is not None or time.monotonic() > until:
                raise SystemExit(f"{address} does not answer:\n{log.read_text()}")
            time.sleep(0.5)
        print("  precis start: ready", flush=True)
        yield
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(60)


def plain_environment() -> dict[str, str]:
    """Nothing of the clone, nor of an environment that is active."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PRECIS", "DJANGO"))}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def run(
    command: list[object], *, quiet: bool = False, cwd: Path = Path("/"), env: Mapping[str, str] | None = None
) -> str:
    """Run a command outside of the clone; what it says, which is printed unless it shall be quiet or fails."""
    words = [*map(str, command)]
    done = subprocess.run(words, cwd=cwd, env=env or plain_environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)[:300]} failed:\n{done.stdout}{done.stderr}")
    if not quiet:
        print(done.stdout, end="", flush=True)
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
