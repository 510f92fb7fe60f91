"""`python -m measures.projection`: the golden example through files, and everything that files can have wrong."""

import json
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import kendalltau, pearsonr, spearmanr

from measures.projection import project_all, read_alignment, read_documents, read_summaries, system_figures
from measures.projection.__main__ import main

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parent / "golden.json").read_text())
TRANSLATED = {
    "b1": "Le nord a eu de fortes pluies.",
    "b2": "C’était lundi.",
    "b3": "Deux écoles sont fermées et personne n’est blessé.",
    "b4": "Les trains roulent.",
    "b5": "La photo est de nous.",
}
CONSTANT = "the means of all systems are the same"
HEAD = "document\tsource_ids\ttarget_ids"


def _sentences(texts: dict[str, str]) -> list[dict[str, str]]:
    return [{"id": name, "text": text} for name, text in texts.items()]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """The golden example as files."""
    content = {
        "source": json.dumps({"id": "d1", "sentences": _sentences(GOLDEN["source"])}),
        "target": json.dumps({"id": "d1", "sentences": _sentences(TRANSLATED)}),
        "alignment": "\n".join([HEAD, *(f"d1\t{'|'.join(one)}\t{'|'.join(two)}" for one, two in GOLDEN["alignment"])]),
        "summaries": json.dumps({"document": "d1", "system": "s1", "sentences": GOLDEN["summary"], "grade": 3}),
        "own": json.dumps({"document": "d1", "system": "s1", "text": " ".join(TRANSLATED[x] for x in GOLDEN["own"])}),
    }
    paths = {name: tmp_path / name for name in content}
    for name, text in content.items():
        paths[name].write_text(f"{text}\n", encoding="utf-8")
    return paths


def run(files: dict[str, Path], act: str, *more: str) -> int:
    names = {"propose": 2, "check": 3, "project": 4}[act]
    return main([act, *map(str, list(files.values())[:names]), *more])


def test_the_golden_summary_is_projected_with_its_figures(
    files: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(files, "project", "--own", str(files["own"])) == 0

    out, figures = capsys.readouterr()
    line = json.loads(out)
    assert [each["dice"] for each in line["matches"]] == pytest.approx([each["dice"] for each in GOLDEN["steps"]])
    assert line["sentences"] == [TRANSLATED[each] for each in GOLDEN["projected"]]
    assert (line["id"], line["grade"], line["not_matched"], line["without_translation"]) == ("d1 s1", 3, 1, 1)
    assert line["overlap"]["dice"] == pytest.approx(GOLDEN["overlap"])
    assert line["overlap"]["own_not_matched"] == 0
    assert "s1\tsentences not matched\t0.2500\t\t\t1\t" in figures
    assert "s1\toverlap\t0.6667\t\t\t1\tno interval from one item\n" in figures
    assert "all systems" not in figures


def test_what_is_proposed_can_be_checked_corrected_and_written_again(
    files: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(files, "propose") == 0
    proposal = capsys.readouterr().out
    files["alignment"].write_text(proposal, encoding="utf-8")
    assert run(files, "check") == 0
    assert capsys.readouterr().out == proposal
    head, first, *_rest = proposal.splitlines()
    assert head == f"{HEAD}\tsource\ttarget"
    assert first.split("\t")[:4] == ["d1", "a1", "b1|b2", GOLDEN["source"]["a1"]]


def test_everything_wrong_with_an_alignment_is_told_by_line(
    files: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [HEAD, "d1\ta1|a9\tb1", "d1\ta1", "d2\ta1\tb1", "d1\t\t", "d1\ta2\tb1|b2", "", "d1\ta3|a4|a5\tb3|b4"]
    files["alignment"].write_text("\n".join(lines), encoding="utf-8")

    assert run(files, "check") == 2

    name = files["alignment"]
    assert capsys.readouterr().err.splitlines() == [
        f"{name}, line 3: 2 columns, not 3",
        f"{name}, line 4: there is no document d2",
        f"{name}, line 2: source sentence a9 is not in the document",
        f"{name}, line 5: a group has no sentence",
        f"{name}, line 6: target sentence b1 is in a group already",
        f"{name}, document d1: target sentence b5 is in no group",
    ]


@pytest.mark.parametrize(
    ("which", "content", "said"),
    [
        ("source", "", "source: there is no document"),
        ("source", '{"sentences": ["a"]}', "line 1: the id must be a text or a number"),
        ("source", '{"id": "a|b", "sentences": ["a"]}', "line 1: the id has a |"),
        ("source", '{"id": "d1", "sentences": []}', "line 1: sentences must be a list"),
        ("source", '{"id": "d1", "sentences": [{"id": "1"}]}', "line 1: sentence 1 has no text"),
        ("source", '{"id": "d1", "sentences": [{"text": "a"}]}', "line 1: the id of sentence 1 must be"),
        ("source", '{"id": "d1", "sentences": [{"id": 1, "text": "a"}, {"id": "1", "text": "b"}]}', "have the id 1"),
        (
            "source",
            '{"id": "d1", "sentences": ["a"]}\n{"id": "d1", "sentences": ["a"]}',
            "line 2: the document d1 stands",
        ),
        ("target", '{"id": "d2", "sentences": ["a"]}', "document d1 is not among the translations"),
        ("alignment", "", "alignment, line 1: the head must be document, source_ids, target_ids"),
        ("summaries", "", "summaries: there is no summary"),
        ("summaries", "[]", "line 1: not an object"),
        ("summaries", '{"document": "d9", "sentences": []}', "line 1: there is no document d9"),
        ("summaries", '{"documents": [], "sentences": []}', "line 1: documents must be a list"),
        ("summaries", '{"documents": ["d1", "d1"], "sentences": []}', "stands twice"),
        ("summaries", '{"document": "d1", "sentences": [1]}', "line 1: sentences must be a list of texts"),
        ("summaries", '{"document": "d1", "system": 1, "text": "a"}', "line 1: system must be a text"),
        (
            "summaries",
            '{"document": "d1", "text": "a"}\n{"document": "d1", "text": "b"}',
            "line 2: line 1 is of the same",
        ),
        ("own", '{"document": "d1", "system": "s2", "text": "a"}', "own: line 1 of the own summaries: no summary of"),
    ],
)
def test_what_files_have_wrong_is_named(
    files: dict[str, Path], capsys: pytest.CaptureFixture[str], which: str, content: str, said: str
) -> None:
    files[which].write_text(content, encoding="utf-8")

    assert run(files, "project", "--own", str(files["own"])) == 2

    out, err = capsys.readouterr()
    assert (out, said in err) == ("", True), err


def test_everything_wrong_with_grades_is_told_by_line(
    files: dict[str, Path], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    grades = tmp_path / "grades"
    head = "system\tsource\ttarget"
    wrong = ["s1\t1\t2", "s1\t1", "s2\t1\t2", "s1\t1\t2", ""]
    for content, said in (
        ("", ["line 1: the head must be system, source, target, with tabs between"]),
        (
            "\n".join([head, *wrong]),
            [
                "line 3: 2 columns, not 3",
                "line 4: no summary is of system s2",
                "line 5: the system s1 stands further up",
            ],
        ),
        *(
            (f"{head}\ns1\t{cell}\t", ["line 2: a grade must be a number up to 1,000,000,000, or empty"])
            for cell in ("good", "nan", "-inf", "1e10")
        ),
    ):
        grades.write_text(content, encoding="utf-8")
        assert run(files, "project", "--grades", str(grades)) == 2
        assert capsys.readouterr().err.splitlines() == [f"{grades}, {each}" for each in said]


def test_figures_are_correlated_with_grades_in_both_languages(
    files: dict[str, Path], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Against SciPy. Who has no figure or no grade is left out; where nothing can be said, the reason is."""
    matched, source, target = [1, 1, 2, 3, 0], [2, 4, 3, 5, 1], [3.5, 2, 2, 1, 4]
    some = GOLDEN["summary"][0]
    rows = [
        {"document": "d1", "system": f"s{number}", "sentences": [some] * n + ["Xylophone qua"] * (3 - n)}
        for number, n in enumerate(matched)
    ]
    rows.append({"document": "d1", "system": "ungraded", "sentences": [some]})
    files["summaries"].write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    grades = tmp_path / "grades"
    lines = [f"s{number}\t{one}\t{two}" for number, (one, two) in enumerate(zip(source, target, strict=True))]
    grades.write_text("\n".join(["system\tsource\ttarget", *lines]), encoding="utf-8")

    assert run(files, "project", "--grades", str(grades)) == 0
    found = [line.split("\t") for line in capsys.readouterr().err.splitlines()]

    shares = [(3 - n) / 3 for n in matched]
    for language, given in (("source", source), ("target", target)):
        for name, test in (("pearson", pearsonr), ("spearman", spearmanr), ("kendall", kendalltau)):
            (row,) = [row for row in found if row[1] == f"sentences not matched, {name} with {language} grades"]
            assert [row[0], float(row[2]), row[5]] == [
                "all systems",
                pytest.approx(test(shares, given).statistic, abs=5e-5),
                "5",
            ]
    notes = {row[1]: row[6] for row in found}
    assert notes["sentences not matched, pearson with source grades"] == ""
    assert notes["sentences not matched, kendall with source grades"] == "there are fewer than 10 systems to rank"
    assert notes["sentences without a translation, pearson with source grades"] == CONSTANT
    assert notes["overlap, kendall with target grades"] == "fewer than 3 systems have both"

    grades.write_text("\n".join(["system\tsource\ttarget", *lines[:2], "s2\t\t7"]), encoding="utf-8")
    assert run(files, "project", "--grades", str(grades)) == 0
    found = [line.split("\t") for line in capsys.readouterr().err.splitlines()]
    known = {row[1]: row[5:] for row in found if row[0] == "all systems"}
    assert known["sentences not matched, pearson with source grades"] == ["2", "fewer than 3 systems have both"]
    assert known["sentences not matched, pearson with target grades"][0] == "3"


def test_documents_too_long_to_align_and_figures_that_cannot_be_written_are_said(
    files: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(files, "project", "--figures", str(files["source"].parent)) == 2
    assert "Is a directory" in capsys.readouterr().err
    for side in ("source", "target"):
        files[side].write_text(json.dumps({"id": "d1", "sentences": ["a"] * 1001}), encoding="utf-8")
    assert run(files, "propose") == 2
    assert "document d1: at most 1000 sentences" in capsys.readouterr().err


def test_summaries_of_several_documents_and_systems(tmp_path: Path) -> None:
    """Sentences come in the order of the translation; means of systems have intervals, and the systems a mean."""
    for side in ("en", "fr"):
        lines = [{"id": each, "sentences": [f"{side} {each} one two", f"{side} {each} three four"]} for each in "ab"]
        (tmp_path / side).write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    (tmp_path / "al").write_text(f"{HEAD}\na\t1\t2\na\t2\t1\nb\t1\t1\nb\t2\t2\n", encoding="utf-8")
    made = [
        {"documents": ["a", "b"], "system": "x", "sentences": ["en b three four", "en a one two", "en a three four"]},
        {"document": "a", "system": "x", "sentences": ["en a one two"]},
        {"document": "a", "system": "y", "sentences": []},
    ]
    own = [
        {"documents": ["a", "b"], "system": "x", "sentences": ["fr a one two", "nothing like it"]},
        {"document": "a", "system": "x", "sentences": ["fr a three four"]},
    ]
    for name, rows in (("made", made), ("own", own)):
        (tmp_path / name).write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    source, target = read_documents(tmp_path / "en"), read_documents(tmp_path / "fr")
    alignment = read_alignment(tmp_path / "al", source, target)

    found = project_all(
        read_summaries(tmp_path / "made", source), source, target, alignment, read_summaries(tmp_path / "own", target)
    )

    assert found[0].sentences == ("fr a one two", "fr a three four", "fr b three four")
    assert [each.own_not_matched for each in found] == [1, 0, 0]
    figures = {(each.system, each.figure): each for each in system_figures(found)}
    assert figures["x", "overlap"].value == pytest.approx((2 / 4 + 1) / 2)
    assert isinstance(figures["x", "overlap"].interval, tuple)
    assert figures["all systems", "overlap"].value == pytest.approx(0.75)
    assert figures["all systems", "overlap"].summaries == 1
    assert (
        str(figures["y", "overlap"].value) == "Undefined(reason='there is no summary of the system in that language')"
    )
    assert str(figures["y", "sentences not matched"].value) == "Undefined(reason='no summary has a sentence')"
