"""What a paper says about a release: every number is one that plain loops over files and records find, too."""

import json
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from agreement.kind import KIND
from agreement.paper import FILES, paper_facts
from agreement.parameters import AgreementParameters
from compressions.services.outputs import Output, outputs_add
from corpus.models import Release
from corpus.paper.heds import Sheet
from corpus.paper.heds_form import QUESTIONS
from corpus.paper.references import REFERENCES
from corpus.paper.sentences import Sentence
from corpus.release.data_statement import ABOUT_STUDY
from corpus.selectors import release_sources
from crowd.models import Assignment, Campaign, Enrolment, Round
from crowd.services.claims import assignment_claim
from crowd.services.entry import PlatformIds, guidelines_accept, worker_enter
from crowd.services.exclusions import worker_exclude
from crowd.services.leases import assignment_skip
from measures.quality_control.worker_filter import FilterParameters
from ratings.models import QualificationAttempt, Rating
from ratings.services.experts import expert_sample_draw
from ratings.services.gold import gold_create
from ratings.services.quality import quality_apply
from ratings.services.sittings import qualification_submit
from reports.services import report_complete, report_get_or_create
from tests.support.factories import (
    EDIT,
    EXAMPLE,
    RATE,
    add_qualification,
    edit_all,
    enrol,
    freeze,
    judged_campaign,
    make_campaign,
    make_staff,
    open_link,
    rate_all,
    rate_next,
    readable,
    silent,
    staff_client,
)
from tests.support.settings import settings_change

pytestmark = pytest.mark.django_db

NASTY = "Ünï_50% & #1 {~^\\} $x$ <b> *s*"


def text_of(release: Release, name: str = "methods.md") -> str:
    return FILES[name](paper_facts(release.campaign, release.version))


def words_of(release: Release) -> str:
    """The whole section without marks of Markdown."""
    return re.sub(r"\\(.)|\*\*", r"\1", text_of(release))


def agree(release: Release) -> None:
    report = report_get_or_create(kind=KIND, on=release, parameters=AgreementParameters(draws=20, replications=20))
    report_complete(report=report, progress=silent)


def some(number: int, noun: str, plural: str = "") -> str:
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def campaign_of_chance(seed: int) -> Campaign:
    """A campaign with a test, gold questions, a tester, a text that is skipped and one that is begun, all by chance."""
    rng = random.Random(seed)
    sources, editors, raters = rng.randint(1, 3), rng.randint(1, 3), rng.randint(1, 3)
    campaign = make_campaign(
        sources=sources,
        name=NASTY,
        editors_per_source=editors,
        raters_per_compression=raters + 1,
        editor_tasks=9,
        rater_tasks=20,
        gold_percent=50,
        qualification_pass_percent=50,
        rater_pay="0.25",
        rater_pay_unit="text",
        rater_minutes=1,
    )
    edit_all(campaign, editors)
    for number in range(rng.randint(1, 4)):
        gold_create(campaign=campaign, example=EXAMPLE.__class__(f"{EXAMPLE.source} {number}", **_rest(number)))
    (question,) = add_qualification(campaign)
    for number in range(raters):
        enrolment = enrol(campaign, RATE, f"rater-{number}")
        fails = rng.random() < 0.4
        if fails:
            qualification_submit(enrolment=enrolment, number=1, answers={question.pk: {"meaning": 1, "grammar": 1}})
        right = {question.pk: {"meaning": 3, "grammar": 3}}
        qualification_submit(enrolment=enrolment, number=1 + fails, answers=right)
        enrolment = Enrolment.objects.select_related("worker", "link__campaign").get(pk=enrolment.pk)
        rate_all(enrolment, rng.randint(1, 3), rng.randint(1, 3))
    late = enrol(campaign, RATE, "late")
    qualification_submit(enrolment=late, number=1, answers={question.pk: {"meaning": 3, "grammar": 3}})
    late = Enrolment.objects.select_related("worker", "link__campaign").get(pk=late.pk)
    if begun := assignment_claim(enrolment=late):
        assignment_skip(assignment_id=begun.pk, enrolment=late)
        assignment_claim(enrolment=late)
    tester = open_link(campaign=campaign, work_round=EDIT, platform_key="direct", is_test=True, name="Try")
    guidelines_accept(enrolment=worker_enter(link=tester, ids=PlatformIds(worker_id="tester")))
    if raters > 1:
        worker_exclude(
            worker=campaign.workers.get(external_id="rater-0"), work_round=RATE, note="Hasty.", user=make_staff()
        )
    return campaign


def _rest(number: int) -> dict[str, Any]:
    return {"compression": f"{EXAMPLE.compression} {number}", "answers": EXAMPLE.answers, "why": ""}


def expected_sentences(release: Release) -> list[str]:
    """What the section must say, counted by loops over the released sources and the records."""
    sources, campaign = release_sources(release), release.campaign
    texts = [text for source in sources for text in source.texts]
    ratings = [rating for text in texts for rating in text.ratings]
    editors, raters = {each for text in texts for each in text.editors}, {rating.rater for rating in ratings}
    per_text = sorted({len(text.ratings) for text in texts if text.ratings})
    spread = some(per_text[0], "rating") if len(per_text) == 1 else f"{per_text[0]} to {some(per_text[-1], 'rating')}"
    golden = [each for each in Rating.objects.all() if each.gold_id]
    answers, asked = len(golden), len({each.gold_id for each in golden})
    tries = list(QualificationAttempt.objects.select_related("enrolment"))
    people = {each.enrolment.worker_id for each in tries}
    passed = {each.enrolment.worker_id for each in tries if each.passed}
    gone = {each["worker"] for each in release.left_out_people}
    dropped = [
        each
        for each in Rating.objects.filter(gold=None).select_related("worker")
        if each.worker and each.worker.public_name in gone
    ]
    given = [
        each
        for each in Assignment.objects.filter(round=RATE, link__isnull=False).select_related("item", "worker")
        if each.item.stream != "gold" and not each.worker.is_test and each.leased_at
    ]
    ends = Counter(
        "submitted" if each.submitted_at else "skipped" if each.state == "skipped" else "not finished" for each in given
    )
    joined = len({each.worker_id for each in Enrolment.objects.filter(worker__campaign=campaign, round=RATE)})
    written = sum(len(text.editors) for text in texts)
    told = [
        f"has {some(len(sources), 'source text')} in English",
        f"{some(len(editors), 'editor')} wrote {some(written, 'compression')} on ",
        f"{some(len(raters), 'rater')} judged one text at a time, on scales, and gave ",
        f" gave {some(len(ratings), 'rating')} on ",
        f"Each rated compression has {spread}.",
        f"{some(len(people), 'person', 'people')} took a qualification test, in {some(len(tries), 'try', 'tries')}",
        "Raters were offered £0.25 per text (announced as 1 minute).",
        f"{some(joined, 'person', 'people')} joined as ",
        f"given {some(len(given), 'piece')} of work",
    ]
    if len(people) > 1:
        told.append(f"; {'all' if people == passed else len(passed)} of them passed.")
    if answers:
        told.append(f"{some(asked, 'gold question')} with known answers")
        told.append(f"the {some(answers, 'answer')} to {'it' if asked == 1 else 'them'} ")
    else:
        told.append("No gold questions were answered.")
    if gone:
        told.append(f"The researchers excluded {some(len(gone), 'rater')}.")
        told += [f"Their work is left out, too: {some(len(dropped), 'rating')}."] if dropped else []
    if len(ends) > 1:
        told += [f"{number} {'was' if number == 1 else 'were'} {how}" for how, number in ends.items()]
    return told


@pytest.mark.parametrize("seed", range(6))
def test_every_number_is_that_of_the_records(seed: int) -> None:
    release = freeze(campaign_of_chance(seed))
    words = words_of(release)

    for told in expected_sentences(release):
        assert told in words, told
    assert "1 compressions" not in words
    assert "1 ratings" not in words
    assert not re.search(r"\bexperts?\b", words), "crowd work is nobody's expertise"
    short = text_of(release, "methods-short.md")
    assert len(short) < len(text_of(release))
    assert set(re.findall(r"[^.]+\.", short)) & set(re.findall(r"[^.]+\.", text_of(release)))


def test_a_changed_campaign_changes_it_and_a_frozen_release_keeps_its_section() -> None:
    campaign = judged_campaign(sources=2, editors=1, keep_percent=75, rater_pay="1", rater_minutes=9)
    release = freeze(campaign)
    before = text_of(release)
    settings_change(campaign, keep_percent=80, rater_pay="2")
    campaign.items.filter(round=RATE).update(wanted=3, open_slots=1)
    rate_next(enrol(campaign, RATE, "late"))
    again = freeze(campaign)

    assert text_of(release) == before
    words = words_of(again)
    assert "from version 1 of the settings on £1.00 per study (announced as 9 minutes)" in words
    assert "from version 2 of the settings on £2.00 per study" in words
    assert "The settings were not the same for all work: under version 1" in words
    assert "3 raters judged" in words


def rated_by_chance(sources: int) -> Campaign:
    """Two raters, who agree on grammar and on meaning by chance."""
    campaign = make_campaign(
        sources=sources, editors_per_source=1, raters_per_compression=2, editor_tasks=sources, rater_tasks=sources
    )
    edit_all(campaign, 1)
    rng = random.Random(3)
    for name in ("a", "b"):
        enrolment = enrol(campaign, RATE, name)
        while rate_next(enrolment, rng.randint(1, 3), 3):
            pass
    return campaign


def test_agreement_is_that_of_the_report_and_few_texts_have_none() -> None:
    few = freeze(rated_by_chance(4))
    assert "Agreement between raters has not been computed for this version." in words_of(few)
    agree(few)
    assert "is not given, since it would rest on 4 texts only" in words_of(few)
    assert "not given" in Sheet.of(paper_facts(few.campaign, 1)).criteria["Meaning"]["4.3.11.2"].text

    release = freeze(rated_by_chance(20))
    agree(release)
    words = words_of(release)

    rows = {(row["scale"], row["comparison"], row["measure"]): row for row in release.reports.get().rows or []}
    kappa = rows["meaning", "worker versus worker", "kappa"]
    value, low, high = (f"{kappa[name]:.2f}".replace("-", "−") for name in ("value", "low", "high"))
    assert f"the rounded mean of the others is {value} (95% interval {low} to {high}; 20 texts)" in words
    assert "On Grammar, kappa with quadratic weights between one rater" in words
    assert re.search(r"On Grammar, kappa .* is undefined( over 20 texts)?: ", words)
    for key in ("cohen-1968", "krippendorff-2004", "efron-1981"):
        assert f"{{{key}," in text_of(release, "references.bib")


def test_the_filter_the_experts_and_the_outputs_are_told_as_what_they_are() -> None:
    campaign = judged_campaign(sources=4, editors=2, scores=((3, 3), (2, 3), (1, 1)))
    texts = campaign.sources.values_list("source_id", "text")
    outputs = [Output(line, source, text[:60]) for line, (source, text) in enumerate(texts, start=1)]
    outputs_add(campaign=campaign, system="A_B & 50% #1", outputs=outputs)
    expert_sample_draw(campaign=campaign, size=3, seed=1, experts=1)
    quality_apply(campaign=campaign, parameters=FilterParameters(share=0.5, min_items=1))
    release = freeze(campaign)
    words = words_of(release)

    rounds = Counter(each["round"] for each in release.left_out_people)
    assert f"{some(rounds[EDIT], 'editor')} and {some(rounds[RATE], 'rater')}" in words
    assert "left out the worst 50% of people with at least 1 rated text, rounded down" in words
    assert "Outputs of 1 system are in this version: A_B & 50% #1 (4)." in words
    latex = text_of(release, "methods.tex")
    assert r"A\_B \& 50\% \#1 (4)" in latex
    assert not re.search(r"(?<!\\)[%#_&]", re.sub(r"~\\cite\{[^}]*\}", "", latex))
    assert "invited as experts" not in words
    rate_all(enrol(campaign, Round.EXPERT, "sage"), 2, 2)
    again = freeze(campaign)
    given = sum(len(text.expert_ratings) for source in release_sources(again) for text in source.texts)
    there = f"there {'is' if given == 1 else 'are'} {some(given, 'rating')}, by 1 person invited as an expert;"
    assert given
    assert there in words_of(again)


def test_simulated_work_and_a_single_text_claim_nothing_of_people() -> None:
    campaign = judged_campaign(sources=1, editors=1, scores=((3, 3),))
    campaign.workers.update(is_simulated=True)
    words = words_of(freeze(campaign))

    assert "1 source text in English, a single sentence [" in words
    assert "A program wrote all compressions and gave all ratings; none of them is by a person." in words
    assert "were offered" not in words
    assert "median time" not in words
    sheet = Sheet.of(paper_facts(campaign, 1))
    assert sheet.answers["3.2.1"].integer == ""
    assert "3.3.7" not in sheet.answers


def test_the_data_sheet_holds_the_forms_ids_and_options_and_invents_nothing() -> None:
    lines = (Path(__file__).parent / "heds_form.tsv").read_text(encoding="utf-8").splitlines()[1:]
    form = {number: (key, kind, options) for number, key, kind, options, _ in (line.split("\t") for line in lines)}
    assert {each.number: (each.id, each.kind.value) for each in QUESTIONS} == {
        number: (key, kind) for number, (key, kind, _) in form.items()
    }
    said = {
        "filled_by": "Ada\nUni",
        "acquainted": "no",
        "personal": "yes",
        "sensitive": "Names.",
        "preregistration": "no",
        "criteria": "meaning: Faithfulness",
        "approval": "Board 7",
    }
    release = freeze(judged_campaign(rater_pay="1"), statement=said)
    sheet = Sheet.of(paper_facts(release.campaign, 1))

    loaded = json.loads(sheet.as_form())
    known = {key for key, _, _ in form.values()}
    for key, entry in loaded.items():
        base = key.removesuffix("-other_text")
        stem, _, option = base.rpartition("-")
        assert base in known or key == "heds-criteria-criterion" or option in form[entry["number"]][2].split(), key
        assert base in known or key == "heds-criteria-criterion" or stem in known, key
    assert loaded["heds-sample_evaluators_design-evaluators-number_of_evaluators"]["data"] == {"": "2"}
    assert loaded["heds-sample_evaluators_design-evaluators-evaluators-known_to_authors-2"]["data"] == {"": True}
    assert loaded["heds-criteria-criterion-response_elicitation-size_of_scale"]["data"] == {
        "Meaning": "3",
        "Grammar": "3",
    }
    assert loaded["heds-ethics-personal_data-other_text"]["data"] == {"": "yes: Names."}
    rows = {row["number"]: row for row in json.loads(sheet.as_json())["answers"]}
    assert rows["1.3.1.1"]["answer"] == "Ada"
    assert (rows["1.3.1.3"]["answer"], rows["1.3.1.3"]["basis"]) == (None, "not stated")
    assert rows["3.3.1"]["options"] == [2]
    assert sheet.criteria["Meaning"]["4.3.1.2"].text == "Faithfulness"
    assert "- **5.4 Assessments of impact**: Not stated." in sheet.as_markdown()
    assert {"5.4", "3.1.2", "1.1.1"} <= {each.number for each in sheet.open_questions}
    assert "5.1" not in {each.number for each in sheet.open_questions}


@pytest.mark.parametrize("text", [NASTY, "100% & _x_ #2 “q” −0.5 £2"])
def test_a_sentence_is_escaped_and_cited(text: str) -> None:
    sentence = Sentence(f"{text}\n is.", ("a", "b"))

    assert sentence.markdown.endswith(" is [@a; @b].")
    assert sentence.latex.endswith(r" is~\cite{a,b}.")
    assert "\n" not in sentence.markdown + sentence.latex
    bare = re.sub(r"\\[%&$#_{}]|\\text[a-z]*\{\}|\$[<>-]\$|\\pounds\{\}|\\cite\{a,b\}", "", sentence.latex)
    assert not set("%&$#_{}\\^<>") & set(bare)


def test_all_that_is_cited_has_an_entry_of_its_key() -> None:
    for key, entry in REFERENCES.items():
        assert re.match(rf"@\w+{{{key},\n", entry)


def test_the_page_and_the_files_and_the_questions_on_the_form() -> None:
    owner = make_staff()
    campaign = judged_campaign(owner=owner, name=NASTY)
    release = freeze(campaign)
    client, base = staff_client(owner), f"/campaigns/{campaign.slug}/releases/1/paper/"

    page = readable(client.get(base))
    assert "Agreement has not been computed" in page
    assert re.search(r"gave 4 ratings on [\d-]+\. The scales are Meaning", page)
    assert "5.1 Ethical approval" in page
    for name in FILES:
        reply = client.get(f"{base}{name}")
        assert reply.status_code == 200, name
        assert f'filename="{release.name}-{name}"' in reply["Content-Disposition"]
    assert client.get(f"{base}other.md").status_code == 404
    assert f"{base}" in readable(client.get(f"/campaigns/{campaign.slug}/releases/1/"))

    form = readable(client.get(f"/campaigns/{campaign.slug}/releases/freeze/"))
    assert all(str(question.label) in form for question in ABOUT_STUDY)
    _refuses_other_choices(client, campaign)


def _refuses_other_choices(client: Client, campaign: Campaign) -> None:
    options = {"train": "1", "valid": "0", "test": "0", "seed": "1", "min_ratings": "1", "min_compressions": "1"}
    refused = client.post(f"/campaigns/{campaign.slug}/releases/freeze/", {**options, "acquainted": "perhaps"})
    assert refused.status_code == 422
