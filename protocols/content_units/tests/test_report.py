"""The reports on facts and units: golden values, a planted truth, what the pages say, and their files."""

import csv
import io
import json
import random
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from pytest_django import DjangoAssertNumQueries

import measures.content_units.tests
from common.errors import Refused
from protocols.content_units import figures as of
from protocols.content_units import pyramids as marked
from protocols.content_units.others import OtherReports, values_in
from protocols.content_units.page import answer_of
from protocols.content_units.simulation import quality_of
from protocols.content_units.task import TASKS
from protocols.content_units.tests.answered import answer_all, computed, units_campaign
from protocols.exports import answers_export
from protocols.report_rows import found
from protocols.task import Answer, Subject
from reports.models import Report
from tests.support.factories import readable, staff_client

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
GOLDEN: dict[str, Any] = json.loads((Path(measures.content_units.tests.__path__[0]) / "golden.json").read_text())
TASK = {each.key: each for each in TASKS}


def value(report: Report, **wanted: str) -> Any:
    row = found(report.rows or [], **wanted)
    assert row is not None, f"the report has no row {wanted}"
    return row["value"]


def test_factoids_have_the_golden_values() -> None:
    golden = GOLDEN["factoids"]
    kinds = {"ref": "reference", "h1": "human", "h2": "human", "sys": "system"}
    facts = [f"Fact {number}." for number in range(len(golden["matrix"]))]
    lines = [
        {"id": "1", "source": "Text.", "facts": facts, "output": f"By {name}.", "system": name, "kind": kinds[name]}
        for name in golden["names"]
    ]
    campaign = units_campaign("factoids", lines, people=1)

    def judged(subject: Subject) -> Answer:
        column = golden["names"].index(subject.system)
        said = {str(number): "yes" if row[column] else "broken" for number, row in enumerate(golden["matrix"], start=1)}
        return {"units": said, "further": column}

    answer_all(campaign, "one", judged)

    report = computed(campaign, models=["ref", "h1", "h2"])

    for system, (precision, recall, f) in golden["prf_against_ref"].items():
        for figure, wanted in ((of.PRECISION, precision), (of.RECALL, recall), (of.F, f)):
            assert value(report, table=of.SYSTEMS, group=system, figure=figure) == pytest.approx(wanted, abs=1e-8)
    for pair, kappa in golden["kappa"].items():
        first, second = sorted(pair.split("/"))
        found_kappa = value(report, table=of.KAPPA, part=first, group=second, figure=of.KAPPA_OF)
        assert found_kappa == pytest.approx(kappa, abs=1e-8)
    for figure in (of.ORIGINAL, of.MODIFIED):
        of_sys = value(report, table=of.SYSTEMS, group="sys", figure=figure)
        assert of_sys == pytest.approx(golden["pyramid"][figure], abs=1e-8)
    assert value(report, table=of.SYSTEMS, group="sys", figure=of.FURTHER) == 3
    assert "no text was judged by two people" in answer_of(report)[-1]


def test_pyramids_have_the_golden_values() -> None:
    golden = GOLDEN["pyramid"]
    units = [
        {"id": each, "text": f"Unit {each}.", "references": names} for each, names in golden["contributors"].items()
    ]
    peers = golden["peers"]
    of_models = {
        name: [[unit for unit, names in golden["contributors"].items() if name in names], 0]
        for name in golden["left_out"]
    }
    texts = peers | of_models
    campaign = units_campaign(
        "peer", [{"id": "1", "units": units, "output": f"By {name}.", "system": name} for name in texts], people=1
    )

    def judged(subject: Subject) -> Answer:
        expressed, further = texts[subject.system]
        return {
            "units": {each["id"]: [[0, 0, 2]] if each["id"] in expressed else [] for each in units},
            "further": further,
        }

    answer_all(campaign, "one", judged)

    report = computed(campaign)

    for name, scores in {**golden["scores"], **golden["left_out"]}.items():
        for figure in (of.ORIGINAL, of.MODIFIED):
            score = value(report, table=of.SYSTEMS, group=name, figure=figure)
            assert score == (None if scores[figure] is None else pytest.approx(scores[figure], abs=1e-8))
    ranks = [row for row in report.rows or [] if row["table"] == of.SUBSETS]
    assert {row["group"] for row in ranks} == set(peers), "references are not ranked by subsets of themselves"
    assert len({row["part"] for row in ranks}) == 2**4 - 2


def test_pyramids_of_two_people_have_the_golden_agreement() -> None:
    golden = GOLDEN["pyramid"]
    places = [(text, 2 * word) for text in (0, 1) for word in range(4)]
    campaign = units_campaign("scu", [{"id": "1", "references": {"a": "b c d e", "z": "f g h i"}}])
    for person, words in golden["words"].items():
        units = []
        for number in sorted({unit for word in words for unit in word}):
            has = [place for place, word in zip(places, words, strict=True) if number in word]
            units.append({"label": f"of {person}", "parts": [[text, at, at + 1] for text, at in has]})
        given = {"units": units, "order": [0, 1]}
        answer_all(campaign, person, partial(_same, given))

    report = computed(campaign)

    alpha = value(report, table=marked.AGREEMENT, part="1", figure=marked.ALPHA)
    assert alpha == pytest.approx(golden["alpha"], abs=1e-8)
    assert not [row for row in report.rows or [] if "of X" in str(row.values())], "no words of people stand in rows"


def _same(answer: Answer, _subject: Subject) -> Answer:
    return answer


def planted(key: str, sources: int = 12) -> list[dict[str, Any]]:
    """Texts of five systems; what they have of each source is drawn by their quality (see `simulation`)."""
    units: Any = [
        {"id": str(each), "text": f"Unit {each}.", "references": ["A", "B"][: 1 + each % 2]} for each in range(8)
    ]
    more = {"units": units} if key == "peer" else {"source": "Text.", "facts": [each["text"] for each in units]}
    lines = [
        {"id": str(number), "output": f"Words of {system} here.", "system": system, **more}
        for number in range(sources)
        for system in SYSTEMS
    ]
    if key == "factoids":
        lines += [
            {"id": str(number), "output": "All.", "system": "gold", "kind": "reference", **more}
            for number in range(sources)
        ]
    return lines


SYSTEMS = ("beta", "down", "=b", "north", "alpha")


@pytest.mark.parametrize("key", ["factoids", "peer"])
def test_the_order_that_was_planted_is_found(key: str, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    campaign = units_campaign(key, planted(key))
    campaign.rater_tasks = 100
    campaign.save()
    for person in ("one", "two"):
        rng = random.Random(person)

        def judged(subject: Subject, rng: random.Random = rng) -> Answer:
            if subject.system == "gold":
                return {"units": {each["id"]: "yes" for each in subject.body["units"]}, "further": 0}
            return TASK[key].simulated(subject, {}, 0.9, rng)

        answer_all(campaign, person, judged)
    truth = sorted(SYSTEMS, key=quality_of)
    points = {name: 5 - 4 * quality_of(name) for name in SYSTEMS}
    others = OtherReports.of({"absolute": points, "relative": {name: 1 + truth.index(name) for name in SYSTEMS}})

    report = computed(campaign, others)

    figure = of.F if key == "factoids" else of.MODIFIED
    scores = {name: value(report, table=of.SYSTEMS, group=name, figure=figure) or 0 for name in SYSTEMS}
    assert max(scores, key=scores.__getitem__) == truth[-1]
    assert min(scores, key=scores.__getitem__) == truth[0]
    assert value(report, table=of.ORDERS, part=figure, group="absolute", figure=of.TAU) > 0.6
    assert value(report, table=of.ORDERS, part="absolute", group="relative", figure=of.TAU) == pytest.approx(-1)
    best = {row["part"]: row["group"] for row in report.rows or [] if row["figure"] == of.BEST}
    assert (best["absolute"], best["relative"], best[figure]) == (truth[-1], truth[0], truth[-1])
    alpha = value(report, table=of.JUDGES, part="all")
    assert 0.6 < alpha < 1

    client = staff_client(campaign.memberships.get().user)
    address = f"/campaigns/{campaign.slug}/{key}"
    with django_assert_max_num_queries(14):
        page = readable(client.get(f"{address}/units/?source=3"))
    assert "Where people differ" in page
    assert '<option value="3" selected>' in page
    assert client.get(f"{address}/units/?source=nothing").status_code == 200
    assert "Do two ways of judging put systems in the same order?" in readable(client.get(f"{address}/ways/"))
    published = "Published: Daumé and Marcu 2004, Table 3 (text)" in readable(client.get(f"{address}/method/"))
    assert published is (key == "factoids")
    assert "'=b" in client.get(f"{address}.csv").content.decode()
    content = json.loads(client.get(f"{address}.json").content)
    assert content["other_reports"] == "absolute, relative"
    printed = [each["printed"] for each in content["published"]]
    assert printed == (
        ["12", "Three", "Three", "three", "three", "0.470", "0.251", "0.8", "0.6"] if key == "factoids" else []
    )
    assert r"\begin{table}" in client.get(f"{address}.tex").content.decode()
    form, file = answers_export(campaign)
    rows = list(csv.DictReader(io.StringIO("".join(file.lines).removeprefix("\ufeff"))))
    assert form.ending == "units.csv"
    assert len(rows) == 2 * 8 * len(planted(key))
    assert {row["said"] for row in rows} <= ({"yes", "no", "broken"} if key == "factoids" else {""})


def test_weights_that_were_planted_are_found_and_peers_come_out_as_material() -> None:
    references = {"a": "Rain fell. Nobody left.", "b": "It rained. Cold wind blew.", "c": "Rain. Wind. Nobody left."}
    lines = [{"id": str(each), "references": references, "peers": {"=x": "It rained."}} for each in range(3)]
    campaign = units_campaign("scu", lines)
    rain = {"label": "Rain fell", "parts": [[0, 0, 9], [1, 0, 9], [2, 0, 4]]}
    out = {"label": "Nobody left", "parts": [[0, 11, 22], [2, 12, 23]]}
    wind = {"label": "Wind", "parts": [[1, 11, 25]]}
    answer_all(campaign, "one", lambda _subject: {"units": [wind, rain, out], "order": [0, 1, 2]})
    answer_all(campaign, "two", lambda _subject: {"units": [rain, out, wind], "order": [2, 1, 0]})

    report = computed(campaign)

    weights = [row["value"] for row in report.rows or [] if (row["table"], row["part"]) == (marked.UNITS, "1")]
    assert weights == [1, 3, 2]
    for figure in (marked.ALPHA, marked.OMEGA):
        assert value(report, table=marked.AGREEMENT, part="all", figure=figure) == 1, (
            "labels and their order do not matter"
        )
    assert value(report, table=marked.WEIGHTS, group="", figure=marked.PER_TEXT) == 2
    client = staff_client(campaign.memberships.get().user)
    page = readable(client.get(f"/campaigns/{campaign.slug}/scu/?source=2"))
    assert "On 3 sources that two people or more marked, the mean alpha with MASI distances is 1.00." in page
    sent = b"".join(client.get(f"/campaigns/{campaign.slug}/task/answers.peers"))
    peers = units_campaign("peer", [json.loads(line) for line in sent.splitlines()])
    body = peers.material.order_by("pk")[0].body
    assert body["references"] == ["a", "b", "c"]
    assert body["units"][1] == {"id": "2", "text": "Rain fell", "references": ["a", "b", "c"]}
    with pytest.raises(Refused, match="mark units"):
        answers_export(peers, "peers")


def test_two_pyramids_of_the_same_peers_are_set_against_each_other() -> None:
    units = [{"id": str(each), "text": f"Unit {each}.", "references": ["A", "B"]} for each in range(4)]
    lines = [
        {"id": "1", "pyramid": pyramid, "units": units, "output": f"By {system}.", "system": system}
        for pyramid in ("one", "two")
        for system in ("a", "b", "c")
    ]
    campaign = units_campaign("peer", lines, people=1)

    def judged(subject: Subject) -> Answer:
        has = "abc".index(subject.system) + 1
        return {"units": {str(each): [[0, 0, 2]] if each < has else [] for each in range(4)}, "further": 0}

    answer_all(campaign, "judge", judged)

    report = computed(campaign)

    assert value(report, table=of.ORDERS, part="modified one", group="modified two", figure=of.TAU) == pytest.approx(1)
    assert value(report, table=of.ORDERS, figure=of.P) is None
    assert "Pyramid one: Of 3 systems" in answer_of(report)[0]


RANKS = {"rows": [{"table": "ranks", "figure": "mean rank", "group": "a", "value": 1.5}]}


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"{", b"[" * 100_000, b'{"rows": [1]}', b'{"rows": []}', json.dumps({"rows": [RANKS]}).encode()]
    + [json.dumps({"rows": [{**RANKS["rows"][0], "value": each}]}).encode() for each in ("x", [1], float("nan"), 1e300)]
    + [json.dumps({"rows": [{**RANKS["rows"][0], "group": "x" * 101}]}).encode(), b" " * 4_000_001],
)
def test_a_file_that_is_no_such_report_is_refused(content: bytes) -> None:
    with pytest.raises(Refused):
        values_in(content, "relative")


def test_a_file_is_taken_with_the_form_and_a_wrong_one_keeps_what_was_typed() -> None:
    campaign = units_campaign("peer", planted("peer", 1), people=1)
    answer_all(campaign, "one", lambda subject: TASK["peer"].simulated(subject, {}, 1, random.Random(1)))
    client = staff_client(campaign.memberships.get().user)
    address = f"/campaigns/{campaign.slug}/peer/reports/"
    file = SimpleUploadedFile("ranking.json", json.dumps(RANKS).encode())

    wrong = client.post(address, {"draws": "777", "relative_file": SimpleUploadedFile("r.json", b"{")})
    taken = client.post(address, {"draws": "777", "relative_file": file})

    assert wrong.status_code == 422
    assert "This is not the JSON file of a report on ranking." in wrong.content.decode()
    assert 'value="777"' in wrong.content.decode()
    assert taken.status_code == 302
    assert Report.objects.get().pinned["other_reports"] == {"relative": {"a": 1.5}}
