"""What docker-compose.yml opens to the outside, and whom the app believes there."""

from typing import Any

import pytest
import yaml

from tests.support.web_server import ROOT


@pytest.fixture
def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
    return loaded


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
