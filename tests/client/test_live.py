"""The client against Précis itself: the example of docs/api.md, line by line, and what happens on the way."""

import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from precis_client import Forbidden, Invalid, NotFound, Precis, Refused, Unauthorised
from tests.support.product import ROOT, environment, manage, shell, started
from tests.support.servers import free_port
from tests.support.tables import tables_in

pytestmark = pytest.mark.slow

EXAMPLE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NOT_RUN = ("export ", "pip install ")
"""What begins a block of commands that needs no trial here: test_package.py installs the client."""
TOKENS = """
import json
from tests.support.api_client import api_token
from tests.support.factories import make_staff
owner = make_staff("owner")
print(json.dumps([api_token(owner), api_token(owner, ["read"])]))
"""


@dataclass
class Server:
    """A server, two tokens for it, and what has been made there."""

    url: str
    env: dict[str, str]
    token: str
    reading_token: str
    folder: Path
    named: dict[str, Any] = field(default_factory=dict)
    printed: str = ""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("client")
    env = environment(f"sqlite:///{folder / 'precis.sqlite3'}", folder / "var")
    tables_in(folder)
    token, reading = json.loads(shell(env, TOKENS))
    with started(env, free_port()) as product:
        server = Server(f"http://127.0.0.1:{product.port}", env, token, reading, folder)
        follow(server)
        yield server


def follow(server: Server) -> None:
    """Do what the page says, in its order, in a folder of its own."""
    given = server.env | {"PRECIS_URL": server.url, "PRECIS_TOKEN": server.token}
    before = Path.cwd(), dict(os.environ)
    printed = io.StringIO()
    os.environ |= {name: given[name] for name in ("PRECIS_URL", "PRECIS_TOKEN")}
    os.chdir(server.folder)
    try:
        with contextlib.redirect_stdout(printed):
            for language, block in BLOCK.findall(EXAMPLE):
                do(language, block, server, given)
    finally:
        if "precis" in server.named:
            server.named["precis"].close()
        os.chdir(before[0])
        os.environ.clear()
        os.environ.update(before[1])
    server.printed = printed.getvalue()


def do(language: str, block: str, server: Server, env: dict[str, str]) -> None:
    if language == "python":
        exec(compile(block, "docs/api.md", "exec"), server.named)
    elif language == "yaml":
        (server.folder / "study.yaml").write_text(block, encoding="utf-8")
    elif language == "jsonl":
        (server.folder / "texts.jsonl").write_text(block, encoding="utf-8")
    elif language == "sh" and not block.startswith(NOT_RUN) and (shutil.which("curl") or "curl" not in block):
        commands = block.replace(".venv/bin/python", sys.executable)
        subprocess.run(["bash", "-ec", commands], cwd=ROOT, env=env, check=True, stdout=subprocess.DEVNULL)


@pytest.fixture
def precis(server: Server) -> Iterator[Precis]:
    with Precis(server.url, server.token) as precis:
        yield precis


def test_the_example_says_what_its_readers_will_see(server: Server) -> None:
    assert "4 texts added\n" in server.printed
    assert f"edit {server.url}/join/" in server.printed
    assert "'edit': 100, 'rate': 100" in server.printed
    assert len(re.findall(r"^(?:meaning|grammar) \S+ from \S+ to \S+$", server.printed, re.MULTILINE)) == 2
    assert "400 [('keep_percent', " in server.printed
    assert "100 rows added\n" in server.printed


def test_a_study_of_rows_takes_twelve_lines() -> None:
    [study] = [block for language, block in BLOCK.findall(EXAMPLE) if language == "python" and "Spring" in block]
    assert len([line for line in study.splitlines() if line]) <= 12


def test_the_release_is_what_was_collected(server: Server, precis: Precis) -> None:
    campaign, ratings = precis.campaign("winter"), server.named["ratings"]
    assert set(ratings["genre"]) == {"News", "Letters"}
    assert ratings["meaning"].between(1, 3).all()
    assert set(ratings["rater"]) <= {person.number for person in campaign.participants("rate")}
    assert campaign.release(1).state == "ready"
    lines = (server.folder / "data" / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["id"] for line in lines} == {"11", "12", "21", "22"}
    with campaign.release(1).open("corpus.jsonl") as opened:
        assert opened.read().splitlines() == lines


def test_lists_are_the_same_whatever_the_size_of_their_pages(precis: Precis) -> None:
    campaign = precis.campaign("winter")
    whole = [dict(each) for each in campaign.compressions()]
    assert [dict(each) for each in campaign.compressions(limit=3)] == whole
    assert len(whole) == 8
    assert len(list(campaign.ratings(limit=5))) == len(list(campaign.ratings()))


def test_people_are_numbers_but_for_those_who_may_see_ids(server: Server, precis: Precis) -> None:
    campaign = precis.campaign("winter")
    numbers = [person.number for person in campaign.participants("rate")]
    assert len(numbers) == len(set(numbers)) > 0
    assert [person.number for person in campaign.participant_ids("rate")] == numbers
    with Precis(server.url, server.reading_token) as reader, pytest.raises(Forbidden) as caught:
        list(reader.campaign("winter").participant_ids("rate"))
    assert caught.value.code == "scope"


def test_a_report_with_other_parameters_is_computed_and_kept(precis: Precis) -> None:
    release = precis.campaign("winter").release(1)
    report = release.agreement(seed=5)
    assert report.parameters.seed == 5
    assert release.agreement(seed=5).question == report.question


def test_operations_are_computed_and_their_rows_are_typed(precis: Precis) -> None:
    release = precis.campaign("winter").release(1)
    report = release.operations(draws=20)
    assert report.parameters.draws == 20
    assert release.operations(draws=20).question == report.question
    shares = {row.figure: row.value for row in report.table("token shares")}
    assert 0 <= (shares["copied"] or 0) + (shares["paraphrased"] or 0) + (shares["inserted"] or 0) <= 1.000001
    compared = report.table("table 5")[0]
    assert compared.value is not None or compared.reason
    assert [row.z for row in report.table("token shares")] == [None] * len(shares)
    assert [each.figure for each in release.operations().rows] == [each.figure for each in report.rows]


def test_metrics_are_evaluated_from_files_and_rows_are_typed(server: Server, precis: Precis) -> None:
    files = ROOT / "docs" / "examples" / "evaluation"
    manage(server.env, "import_release", str(files / "references"), "--campaign=references", "--language=en")
    campaign = precis.campaign("references")
    assert campaign.import_outputs(files / "outputs.csv").wait().outcome().added == 15
    assert campaign.import_ratings(files / "ratings.csv", pool="crowd").wait().outcome().added == 30
    release = campaign.freeze(min_ratings=0).wait()
    release.scores()
    report = release.evaluation(draws=20)
    levels = report.table("input level", "meaning")
    assert len({row.metric for row in levels}) == len(levels) > 50
    assert all(row.value is not None or row.reason for row in levels)
    assert not report.table("input level by pair")
    metric = levels[0].metric
    pairs = release.evaluation(pairs_of=metric).table("input level by pair", "meaning")
    assert {row.metric for row in pairs} == {metric}
    assert [row.other for row in pairs] == ["first-half, keywords", "first-half, rewriter", "keywords, rewriter"]


def test_states_and_settings_change(precis: Precis) -> None:
    campaign = precis.campaign("winter")
    assert [campaign.pause().state, campaign.open().state, campaign.refresh().state] == ["paused", "open", "open"]
    assert campaign.update({"description": "About winter."}).description == "About winter."
    assert campaign.settings.description == "About winter."
    with pytest.raises(Refused) as caught:
        campaign.update({"consent": "Do you agree to something else?"})
    assert caught.value.code == "unconfirmed"
    changed = campaign.update({"consent": "Do you agree to something else?"}, confirmed=caught.value.members["confirm"])
    assert changed.consent == "Do you agree to something else?"


def test_faults_of_a_campaign_file_are_named_by_line(precis: Precis, tmp_path: Path) -> None:
    (tmp_path / "wrong.yaml").write_text("precis_campaign: 1\nname: X\nslug: x\ncolour: red\n", encoding="utf-8")
    with pytest.raises(Invalid, match="colour") as caught:
        precis.create_campaign(tmp_path / "wrong.yaml")
    assert caught.value.errors[0]["field"] == "file"
    assert "x" not in [campaign.slug for campaign in precis.campaigns()]


def test_what_is_not_there_or_not_allowed_says_so(server: Server, precis: Precis) -> None:
    with pytest.raises(NotFound):
        precis.campaign("no-such-campaign")
    with Precis(server.url, "precis_wrong") as stranger, pytest.raises(Unauthorised):
        list(stranger.campaigns())
    with Precis(server.url, server.reading_token) as reader, pytest.raises(Forbidden):
        reader.campaign("winter").pause()
