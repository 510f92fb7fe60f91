"""The files for Prometheus and Grafana name what exists."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from common.telemetry import Metrics
from maintenance.metrics import SECONDS, OfDatabase, _gauges, _Known
from tests.support.addresses import TABLE

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
MONITORING = DEPLOY.parent / "docs" / "monitoring.md"
NAME = re.compile(r"\bprecis_[a-z_]+")
SELECTED = re.compile(r'(\w+)=~?"([^"]*)"')
GROUPED = re.compile(r"\bby \(([^)]*)\)")
OF_PROMETHEUS = {"job", "instance", "le"}


def described() -> dict[str, set[str]]:
    """Every metric with its labels, under each name that Prometheus stores it by."""
    found: dict[str, set[str]] = {}
    metrics = Metrics()
    for collector in (each for each in vars(metrics).values() if hasattr(each, "_labelnames")):
        suffixes = ("_bucket", "_count", "_sum") if collector._type == "histogram" else ("_total",)
        found |= {f"{collector._name}{suffix}": set(collector._labelnames) for suffix in suffixes}
    for gauge in (*_gauges(OfDatabase({}, {}, dict.fromkeys(SECONDS, 0.0))), *_Known().collect()):
        found[gauge.name] = {label for sample in gauge.samples for label in sample.labels}
    return found


def alerts() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text(encoding="utf-8"))["groups"]
    rules: list[dict[str, Any]] = group["rules"]
    return rules


def board() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DEPLOY / "grafana" / "precis.json").read_text(encoding="utf-8"))
    return found


def expressions() -> Iterator[str]:
    yield from (rule["expr"] for rule in alerts())
    yield from (target["expr"] for panel in board()["panels"] for target in panel["targets"])


@pytest.mark.django_db
def test_every_metric_and_label_that_is_asked_for_exists() -> None:
    known = described()
    for expression in expressions():
        names = set(NAME.findall(expression))
        assert names <= known.keys(), expression
        labels = {label for name in names for label in known[name]} | OF_PROMETHEUS
        asked = {label for label, _value in SELECTED.findall(expression)}
        asked |= {label.strip() for group in GROUPED.findall(expression) for label in group.split(",")}
        assert asked <= labels, expression


def test_every_view_that_is_asked_for_exists() -> None:
    views = [value for each in expressions() for label, value in SELECTED.findall(each) if label == "view"]
    assert views
    assert {view for value in views for view in value.split("|")} <= TABLE.keys()


@pytest.mark.django_db
def test_every_metric_is_explained() -> None:
    names = {re.sub("_(bucket|count|sum)$", "", name) for name in described()}
    assert names == set(NAME.findall(MONITORING.read_text(encoding="utf-8")))


def test_every_alert_says_how_urgent_it_is_and_is_explained() -> None:
    explained = MONITORING.read_text(encoding="utf-8")
    for rule in alerts():
        assert {"alert", "expr", "labels", "annotations"} <= rule.keys() <= {*rule.keys(), "for"}
        assert rule["labels"]["severity"] in {"page", "ticket"}
        assert rule["annotations"]["summary"]
        assert f"`{rule['alert']}`" in explained
    assert len({rule["alert"] for rule in alerts()}) == len(alerts())


def test_the_board_can_be_imported_with_any_source_of_data() -> None:
    found = board()
    (variable,) = found["templating"]["list"]
    assert (variable["type"], variable["query"]) == ("datasource", "prometheus")
    assert (found["id"], found["title"]) == (None, "Précis")
    assert len({panel["id"] for panel in found["panels"]}) == len(found["panels"])
    for panel in found["panels"]:
        assert panel["gridPos"]["x"] + panel["gridPos"]["w"] <= 24
        sources = [panel["datasource"], *(target["datasource"] for target in panel["targets"])]
        assert all(source == {"type": "prometheus", "uid": f"${{{variable['name']}}}"} for source in sources)


def test_the_example_for_prometheus_reads_the_rules_and_sends_the_token() -> None:
    folder = DEPLOY / "prometheus"
    example = yaml.safe_load((folder / "prometheus.yml").read_text(encoding="utf-8"))
    assert all((folder / name).exists() for name in example["rule_files"])
    for job in example["scrape_configs"]:
        assert (job["metrics_path"], job["authorization"]["type"]) == ("/metrics", "Bearer")
    jobs = {job["job_name"] for job in example["scrape_configs"]}
    asked = {value for each in expressions() for label, value in SELECTED.findall(each) if label == "job"}
    assert asked <= jobs
