"""The recipes of CONTRIBUTING.md: their code runs as it is printed, and does what they say."""

import ast
import csv
import re
import textwrap
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest
from django.test import RequestFactory
from pytest_django.fixtures import Settings

from common.job_attempts import Attempt
from compressions.models import Source, Target
from crowd.models import Campaign
from measures.metrics import Text, compare, score
from measures.metrics.registry import KNOWN_METRICS
from protocols.task import study_tasks
from reports.kinds import report_kinds
from tests.flows import test_judgement_task_contract as contract
from tests.support.factories import freeze, judged_campaign, make_campaign, silent
from tests.support.reports import printed, with_addresses

PAGE = Path(__file__).resolve().parents[2] / "CONTRIBUTING.md"
PART = re.compile(r"^### (?P<heading>[^\n]+)$|^ *```python\n(?P<code>.*?)^ *```$", re.DOTALL | re.MULTILINE)
# The modules among whose names a block stands that is no file of its own.
AMONG = {
    "A platform": ["crowd.platforms"],
    "A job": ["common.jobs", "compressions.jobs", "django.urls"],
    "A judgement task": ["crowd.tasks", "crowd.task_words"],
    "A page": ["django.urls", "tests.support.addresses"],
    "A round": [
        "crowd.round_registry",
        "django.shortcuts",
        "django.views.decorators.http",
        "crowd.access",
        "crowd.models",
        "crowd.views.worker",
    ],
}


def _recipes() -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    heading = ""
    for match in PART.finditer(PAGE.read_text(encoding="utf-8")):
        if match["heading"]:
            heading = match["heading"]
        else:
            found[heading].append(textwrap.dedent(match["code"]))
    return found


RECIPES = _recipes()


def names(heading: str, number: int, **given: Any) -> dict[str, Any]:
    """Run a block among the names of its recipe, and return all names afterwards; `it` is what an expression gives."""
    known: dict[str, Any] = {"__name__": "recipe"}
    for module in AMONG.get(heading, []):
        known |= vars(import_module(module))
    known |= given
    code = RECIPES[heading][number].strip()
    if re.match(r'"[\w:-]+": ', code):  # a row of a table
        code = f"{{{code}}}"
    is_expression = isinstance(ast.parse(code).body[0], ast.Expr) and len(ast.parse(code).body) == 1
    exec(compile(f"it = {code}" if is_expression else code, f"{heading} {number}", "exec"), known)
    return known


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("heading", "number"), [(heading, number) for heading, blocks in RECIPES.items() for number in range(len(blocks))]
)
def test_the_code_of_a_recipe_runs(heading: str, number: int) -> None:
    given = {
        "campaign": make_campaign(),
        "genres": SimpleNamespace(genres=lambda _request, _slug: None),
        "GENRES_JOB": "trim_genres",
        "job_handler": lambda *_, **__: lambda handler: handler,
        "round_register": lambda *_: None,
        "Round": SimpleNamespace(FIX="fix"),
    }
    assert names(heading, number, **given)


def test_a_metric_is_computed() -> None:
    (metric,) = names("A metric", 0)["METRICS"]
    mine, yours = Text(("your", "household")), Text(("imagine", "your", "household"))
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(KNOWN_METRICS, metric.name, metric)
        (found,) = score(compare([Text(("think", "about", "your", "household"))], [[yours, mine]]), [metric.name])
    assert list(found) == [pytest.approx(2 / 4)]  # two words in both, four in either: the shorter reference


@pytest.mark.django_db
def test_a_rating_scale_is_one_of_the_campaign() -> None:
    campaign = make_campaign()
    names("A rating scale", 0, campaign=campaign)
    (scale,) = Campaign.objects.get(pk=campaign.pk).rating_scales
    assert (scale.name, scale.question, scale.values) == ("Content", "How much of the content is kept?", (1, 2, 3))


def test_a_platform_takes_people_back() -> None:
    assert names("A platform", 0)["it"].return_address("ABC") == "https://example.org/done?code=ABC"


@pytest.mark.django_db
def test_a_page_shows_what_is_there() -> None:
    campaign = make_campaign(sources=1)
    request = RequestFactory().get("/")
    request.user = campaign.memberships.get().user
    with patch("django.shortcuts.render") as rendered:
        names("A page", 0)["genres"](request, slug=campaign.slug)
    assert [each.key for each in rendered.call_args.args[2]["genres"]] == ["Letters"]


@pytest.mark.django_db
def test_a_kind_of_report_is_computed_and_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = names("A kind of report", 0)["KIND"]
    monkeypatch.setitem(report_kinds(), kind.key, kind)
    release = freeze(judged_campaign(sources=1, editors=1))
    text = Target.objects.get().text

    head, *lines = csv.reader(StringIO(printed("report", release.name, "lengths", "--least=2", "--format=csv")))

    assert head == ["text", "characters", "least", "release", "release_sha256", "report_version"]
    assert lines == [[text, str(len(text)), "2", release.name, release.checksum, "1"]]
    assert "Text & Characters" in printed("report", release.name, "lengths", "--format=latex")


@pytest.mark.django_db
def test_a_job_changes_what_it_says() -> None:
    campaign = make_campaign(sources=2)
    Source.objects.filter(source_id="1").update(genre=" Letters ")
    assert names("A job", 0)["genres_trim"](campaign=campaign, progress=silent, attempt=Attempt.of(None)) == 1
    assert set(Source.objects.values_list("genre", flat=True)) == {"Letters"}


HTML = re.compile(r"^ *```html\n *\{# templates/(?P<path>\S+) #\}\n(?P<text>.*?)^ *```$", re.DOTALL | re.MULTILINE)


@pytest.fixture
def task_of_the_recipe(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, settings: Settings
) -> Iterator[SimpleNamespace]:
    """The task under the key of a known one, since a constraint lists the keys; it yields its examples."""
    task, kind = names("A judgement task", 1)["TASK"], names("A judgement task", 2)["KIND"]
    for match in HTML.finditer(PAGE.read_text(encoding="utf-8")):
        path = tmp_path / match["path"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(match["text"]))
    (engine,) = settings.TEMPLATES
    settings.TEMPLATES = [{**engine, "DIRS": [*engine["DIRS"], tmp_path]}]
    for each, values in ((type(task), {"key": "spans"}), (type(kind), {"key": "spans", "namespace": "of-the-recipe"})):
        for name, value in values.items():
            monkeypatch.setattr(each, name, value)
    monkeypatch.setitem(study_tasks(), "spans", task)
    monkeypatch.setitem(report_kinds(), "spans", kind)
    examples = SimpleNamespace(**names("A judgement task", 3))
    monkeypatch.setattr(contract, "examples_of", lambda _key: examples)
    with with_addresses(kind):
        yield examples


CONTRACT = [
    name
    for name in vars(contract)
    if name.startswith("test_") and name != "test_its_numbers_are_held_to_a_golden_value"
]


@pytest.mark.django_db
@pytest.mark.parametrize("name", CONTRACT)
def test_a_judgement_task_holds_what_all_of_them_hold(task_of_the_recipe: SimpleNamespace, name: str) -> None:
    assert task_of_the_recipe.MATERIAL
    vars(contract)[name]("spans")


def test_a_judgement_task_is_written_in_fewer_than_200_lines() -> None:
    page = PAGE.read_text(encoding="utf-8")
    written = [*RECIPES["A judgement task"], *(match["text"] for match in HTML.finditer(page))]
    assert sum(len(each.splitlines()) for each in written) < 200
