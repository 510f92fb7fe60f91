"""Files that are refused: by name and line, everything at once, and nothing of them is stored."""

import pytest

from crowd.models import AuditEntry, Campaign
from dashboard.campaign_files.reading import MAX_BYTES, CampaignFileRefused
from dashboard.campaign_files.services import campaign_file_create
from tests.support.factories import make_campaign, make_staff

pytestmark = pytest.mark.django_db
HEAD = "precis_campaign: 1\nname: A\n"


def faults_of(text: str | bytes, **names: str) -> list[str]:
    """What is wrong with a file; nothing is stored of it."""
    owner, before = make_staff(), (Campaign.objects.count(), AuditEntry.objects.count())
    with pytest.raises(CampaignFileRefused) as refusal:
        campaign_file_create(content=text.encode() if isinstance(text, str) else text, owner=owner, **names)
    assert (Campaign.objects.count(), AuditEntry.objects.count()) == before
    return list(map(str, refusal.value.faults))


def test_an_unknown_name_is_refused_with_its_line_and_a_guess() -> None:
    assert faults_of(f"{HEAD}settings:\n  keep_percent: 60\n  raters_per_compresion: 3\n") == [
        "line 5: raters_per_compresion: this is not known here; did you mean raters_per_compression?"
    ]


def test_all_faults_are_told_at_once() -> None:
    text = """\
precis_campaign: 1
settings:
  keep_percent: 200
  lease_minutes: "30"
  extra_raters: yes
  editor_start: middle
  editor_pay: 2.505
  licence: 2016
  language: not a language
  consent: "It pays {pay} for {nothing}."
scales:
  - {key: A b, name: A, question: B, points: [x, y]}
links:
  - {round: edit, platform: mturk, opens_at: tomorrow}
  - {round: rate, platform: direct, name: Pilot}
  - {round: rate, platform: direct, name: Pilot, closes_at: "2026-01-01T00:00:00Z", opens_at: 2026-01-02T00:00:00Z}
quality_rule:
  share: 0.9
  colour: red
"""
    found = faults_of(text)

    assert [each.split(":")[0] + ":" + each.split(":")[1] for each in found] == [
        "line 1: name",
        *("line 3: keep_percent", "line 4: lease_minutes", "line 5: extra_raters", "line 6: editor_start"),
        *("line 7: editor_pay", "line 8: licence", "line 9: language", "line 12: key"),
        *("line 14: opens_at", "line 14: platform", "line 16: closes_at", "line 16: name"),
        *("line 18: share", "line 19: colour"),
    ]
    assert "line 3: keep_percent: This must be between 1 and 99." in found
    assert "line 6: editor_start: “middle” is not one of: source, empty, choice." in found
    assert "line 8: licence: “2016” is not a text in YAML. Put it in quotes." in found


def test_placeholders_are_checked_as_on_the_page() -> None:
    found = faults_of(f"{HEAD}settings:\n  consent: It pays {{pay}} for {{nothing}}.\n")

    assert [each.partition(": ")[0] for each in found] == ["line 4", "line 4"]
    assert "{nothing}" in "".join(found)


def test_questions_must_fit_the_scales() -> None:
    question = "  - {source: S, compression: C, answers: {meaning: [3], grammar: [5]}, why: W}\n"
    other = "  - {source: S, compression: C, answers: {meaning: [2]}, why: W}\n"
    found = faults_of(
        f"{HEAD}test:\n{other}{question}gold:\n  - {{source: S, compression: C, answers: {{fun: [1]}}}}\n"
    )

    assert [each.split(": ")[:2] for each in found] == [
        ["line 4", "grammar"],
        ["line 5", "grammar"],
        *(["line 7", each] for each in ("answers", "grammar", "meaning")),
    ]


def test_side_by_side_wants_scales_without_points() -> None:
    pair = f"{HEAD}settings: {{rating_task: pair}}\n"

    assert faults_of(pair) == ["line 3: rating_task: This task needs scales of its own. Add them."]
    assert faults_of(f"{pair}scales:\n  - {{key: a, name: A, question: B, points: [x, y]}}\n") == [
        "line 5: points: Side by side, all questions have the same answers, so write none here."
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (f"{HEAD}name: B\n", "line 3: name: This name is used twice here, first in line 2."),
        (f"{HEAD}slug: &a b\n", "line 3: Anchors (&name) are not allowed. Write the value where it is needed."),
        (f"{HEAD}slug: *a\n", "line 3: Aliases (*name) are not allowed. Write the value out."),
        (f"{HEAD}slug: !!python/object/apply:os.system [ls]\n", "line 3: Tags (!name) are not allowed."),
        (f"{HEAD}settings:\n  <<: {{}}\n", "line 4: Merge keys (<<) are not allowed. Write the values out."),
        (f"{HEAD}slug: [[[[[[[[]]]]]]]]\n", "line 3: This is nested too deeply."),
        (f"{HEAD}test: [{'0,' * 60_000}]\n", "line 3: The file holds too many values."),
        (
            f"{HEAD}settings: {{{','.join(f'u{n}: 0' for n in range(1001))}}}\n",
            "line 3: There are too many names here.",
        ),
        (f"{HEAD}---\nname: B\n", "line 3: A file must contain only one document."),
        (f"{HEAD}? [a]\n: b\n", "line 3: A name must be a plain word."),
        (f'{HEAD}slug: "\\0"\n', "line 3: slug: This contains a character that is not allowed."),
        (f'{HEAD}slug: "\\ud800"\n', "line 3: "),
        (f'{HEAD}slug: "\\UFFFFFFFF"\n', "line 3: This is not YAML: "),
        (f"{HEAD}slug: \x07\n", "line 3: The character U+0007 is not allowed in YAML."),
        (f"{HEAD}# éééé\nslug: \x07\n", "line 4: The character U+0007 is not allowed in YAML."),
        (f"{HEAD}slug: é".encode("latin-1"), "line 3: This is not UTF-8 (byte 7 of the line)."),
        ("", "The file is empty."),
        ("- a\n", "line 1: This is not a campaign in the format of this version: it must say “precis_campaign: 1”."),
        ("precis_campaign: 2\n", "line 1: This is not a campaign in the format of this version: it must say "),
        (b"#" * (MAX_BYTES + 1), "The file is larger than 1 MiB."),
        (f"{HEAD}slug: new\n", "line 3: slug: This word has another meaning in addresses. Choose another one."),
    ],
)
def test_what_is_no_plain_file_is_refused(text: str | bytes, fault: str) -> None:
    assert any(each.startswith(fault) for each in faults_of(text)), faults_of(text)


def test_what_is_not_yaml_is_refused_with_its_line() -> None:
    [fault] = faults_of(f"{HEAD}settings:\n  a: b: c\n")

    assert fault.startswith("line 4: This is not YAML:")


def test_a_short_name_that_is_taken_is_refused_whoever_chose_it() -> None:
    taken = make_campaign().slug

    assert faults_of(f"{HEAD}slug: {taken}\n") == [
        f"line 3: slug: Another campaign has this short name. {taken}-2 is free."
    ]
    assert faults_of(HEAD, slug=taken) == [f"slug: Another campaign has this short name. {taken}-2 is free."]


def test_a_long_file_of_faults_says_fifty_of_them() -> None:
    owner = make_staff()
    text = HEAD + "".join(f"wrong{number}: 1\n" for number in range(60))
    with pytest.raises(CampaignFileRefused) as refusal:
        campaign_file_create(content=text.encode(), owner=owner)
    assert (len(refusal.value.faults), refusal.value.more) == (50, 10)


def test_what_a_file_leaves_out_has_its_default() -> None:
    made = campaign_file_create(content=b"\xef\xbb\xbfprecis_campaign: 1\nname: Just a name\n", owner=make_staff())

    assert (made.slug, made.state, made.keep_percent) == ("just-a-name", "draft", 75)
    assert made.consent.startswith("You are invited")
    assert sorted(made.links.values_list("round", "platform_key")) == [
        ("edit", "direct"),
        ("expert", "direct"),
        ("rate", "direct"),
    ]


def test_a_file_can_want_no_links() -> None:
    made = campaign_file_create(content=f"{HEAD}links: []\n".encode(), owner=make_staff())

    assert not made.links.exists()


def test_arms_must_fit_the_scales() -> None:
    scales = "scales:\n  - {key: a, name: A, question: B, points: [x, y], arm: one}\n"
    arms = "arms:\n  - {key: one, name: One}\n  - {key: two, name: Two}\n"
    assert faults_of(f"{HEAD}{scales}") == ["line 1: arms: A scale names the arm “one”, which there is not."]
    assert faults_of(f"{HEAD}{scales}{arms}") == ["line 6: arms: The people of the arm “two” have no scale."]
    both = f"{scales}  - {{key: b, name: A, question: B, points: [x, y], arm: two}}\n"
    same = f"{scales}  - {{key: b, name: A, question: B, points: [x, y]}}\n"
    assert faults_of(f"{HEAD}settings: {{extra_raters: true}}\n{both}{arms}")[0].startswith("line 8: arms: With arms")
    assert faults_of(f"{HEAD}{same}{arms}")[0] == "line 5: name: Another scale has the same one."
