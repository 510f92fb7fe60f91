"""Triples of parsed texts, from trees made by hand."""

import signal
from collections.abc import Iterator
from types import FrameType

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc

from measures.metrics.words.dependencies import dependency_triples

VOCABULARY = spacy.blank("en").vocab


def document(tree: str) -> Doc:
    """Words as ``word/relation/head``, where the first word is 0; ``word|NOUN`` has a part of speech."""
    rows = [word.rsplit("/", 2) for word in tree.split()]
    marked, relations, heads = ([row[column] for row in rows] for column in range(3))
    words, _, tags = zip(*(word.partition("|") for word in marked), strict=True)
    return Doc(VOCABULARY, words=list(words), heads=[int(head) for head in heads], deps=relations, pos=list(tags))


def triples(tree: str) -> tuple[str, ...]:
    return dependency_triples(document(tree))


IMAGINE = "Imagine/ROOT/0 your/poss/2 household/dobj/0"
THINK = "Think/ROOT/0 about/prep/0 your/poss/3 household/pobj/1"


@pytest.fixture
def no_time_to_waste() -> Iterator[None]:
    """What goes on for ever fails."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise AssertionError("it takes too long")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 1)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def test_the_example_of_the_paper() -> None:
    assert triples("your/poss/1 household/ROOT/1") == ("nmod:poss(household, your)",)


def test_two_sentences_share_what_they_have_in_common() -> None:
    think, imagine = triples(THINK), triples(IMAGINE)
    assert think == ("case(household, about)", "nmod:poss(household, your)", "nmod:about(think, household)")
    assert imagine == ("nmod:poss(household, your)", "obj(imagine, household)")
    assert set(think) & set(imagine) == {"nmod:poss(household, your)"}


@pytest.mark.parametrize(
    ("clear", "universal"),
    [
        pytest.param(IMAGINE, "Imagine/root/0 your/nmod:poss/2 household/obj/0", id="object, possessive"),
        pytest.param(THINK, "Think/root/0 about/case/3 your/nmod:poss/3 household/obl/0", id="preposition"),
        pytest.param(
            "part/ROOT/0 of/prep/0 cost/pobj/1 of/prep/2 oil/pobj/3",
            "part/root/0 of/case/2 cost/nmod/0 of/case/4 oil/nmod/2",
            id="prepositions in a chain",
        ),
        pytest.param(
            "came/ROOT/0 out/prep/0 of/prep/1 the/det/4 house/pobj/2",
            "came/root/0 out/case/4 of/case/4 the/det/4 house/obl/0",
            id="preposition in a preposition",
        ),
        pytest.param(
            "think/ROOT/0 of/prep/0 cats/pobj/1 and/cc/2 dogs/conj/2",
            "think/root/0 of/case/2 cats/obl/0 and/cc/4 dogs/conj/2",
            id="conjuncts after a preposition",
        ),
        pytest.param(
            "It/nsubjpass/2 was/auxpass/2 written/ROOT/2 by/agent/2 me/pobj/3",
            "It/nsubj:pass/2 was/aux:pass/2 written/root/2 by/case/4 me/obl:agent/2",
            id="passive with an agent",
        ),
        pytest.param(
            "What/csubjpass/1 said/ROOT/1 a/det/3 book/nsubj/1",
            "What/csubj:pass/1 said/root/1 a/det/3 book/nsubj/1",
            id="passive of a clause",
        ),
        pytest.param(
            "I/nsubj/1 gave/ROOT/1 you/dative/1 it/dobj/1",
            "I/nsubj/1 gave/root/1 you/iobj/1 it/obj/1",
            id="dative",
        ),
        pytest.param(
            "I/nsubj/1 gave/ROOT/1 it/dobj/1 to/dative/1 you/pobj/3",
            "I/nsubj/1 gave/root/1 it/obj/1 to/case/4 you/obl/1",
            id="dative with a preposition",
        ),
        pytest.param(
            "She/nsubj/1 is/ROOT/1 a/det/3 doctor/attr/1 ./punct/1",
            "She/nsubj/3 is/cop/3 a/det/3 doctor/root/3 ./punct/3",
            id="copula with a noun",
        ),
        pytest.param(
            "It/nsubj/3 will/aux/3 not/neg/3 be/ROOT/3 very/advmod/5 easy/acomp/3",
            "It/nsubj/5 will/aux/5 not/advmod/5 be/cop/5 very/advmod/5 easy/root/5",
            id="copula with an adjective",
        ),
        pytest.param(
            "He/nsubj/1 says/ROOT/1 she/nsubj/3 is/ccomp/1 happy/acomp/3",
            "He/nsubj/1 says/root/1 she/nsubj/4 is/cop/4 happy/ccomp/1",
            id="copula of a clause",
        ),
        pytest.param(
            "She/nsubj/1 's/ROOT/1 kind/acomp/1 and/cc/1 he/nsubj/5 sings/conj/1",
            "She/nsubj/2 's/cop/2 kind/root/2 and/cc/5 he/nsubj/5 sings/conj/2",
            id="copula with a conjunct",
        ),
        pytest.param(
            "We/nsubj/1 sing/ROOT/1 and/cc/1 are/conj/1 happy/acomp/3",
            "We/nsubj/1 sing/root/1 and/cc/4 are/cop/4 happy/conj/1",
            id="copula as a conjunct",
        ),
        pytest.param(
            "She/nsubj/1 seems/ROOT/1 happy/acomp/1", "She/nsubj/1 seems/root/1 happy/xcomp/1", id="no copula"
        ),
        pytest.param(
            "There/expl/1 is/ROOT/1 hope/attr/1", "There/expl/1 is/root/1 hope/nsubj/1", id="what there is is no copula"
        ),
        pytest.param(
            "people/ROOT/0 who/nsubj/2 sing/relcl/0", "people/root/0 who/nsubj/2 sing/acl:relcl/0", id="relative clause"
        ),
        pytest.param(
            "people/ROOT/0 who/nsubj/2 are/relcl/0 happy/acomp/2",
            "people/root/0 who/nsubj/3 are/cop/3 happy/acl:relcl/0",
            id="relative clause with a copula",
        ),
        pytest.param(
            "Go/ROOT/0 if/mark/3 you/nsubj/3 are/advcl/0 happy/acomp/3",
            "Go/root/0 if/mark/4 you/nsubj/4 are/cop/4 happy/advcl/0",
            id="adverbial clause",
        ),
        pytest.param(
            "want/ROOT/0 to/aux/2 go/xcomp/0 home/advmod/2",
            "want/root/0 to/mark/2 go/xcomp/0 home/advmod/2",
            id="infinitive",
        ),
        pytest.param(
            "insist/ROOT/0 on/prep/0 paying/pcomp/1 now/advmod/2",
            "insist/root/0 on/mark/2 paying/advcl/0 now/advmod/2",
            id="clause after a preposition",
        ),
        pytest.param("do/aux/2 not/neg/2 go/ROOT/2", "do/aux/2 not/advmod/2 go/root/2", id="negation"),
        pytest.param("give/ROOT/0 it/dobj/0 up/prt/0", "give/root/0 it/obj/0 up/compound:prt/0", id="particle"),
        pytest.param(
            "two/nummod/1 days/npadvmod/2 later/advmod/3 left/ROOT/3",
            "two/nummod/1 days/nmod:npmod/2 later/advmod/3 left/root/3",
            id="noun as an adverb",
        ),
        pytest.param(
            "two/nummod/1 days/npadvmod/2 later/advmod/3 left/ROOT/3",
            "two/nummod/1 days/obl:npmod/2 later/advmod/3 left/root/3",
            id="noun as an adverb in the second version",
        ),
        pytest.param(
            "about/quantmod/1 two/nummod/2 cats/ROOT/2", "about/advmod/1 two/nummod/2 cats/root/2", id="of a number"
        ),
        pytest.param(
            "both/preconj/1 cats/ROOT/1 and/cc/1 dogs/conj/1",
            "both/cc:preconj/1 cats/root/1 and/cc/3 dogs/conj/1",
            id="conjunction before",
        ),
        pytest.param("all/predet/2 the/det/2 cats/ROOT/2", "all/det:predet/2 the/det/2 cats/root/2", id="all the"),
        pytest.param(
            "cats/ROOT/0 ,/punct/0 dogs/conj/0 and/cc/2 birds/conj/2",
            "cats/root/0 ,/punct/2 dogs/conj/0 and/cc/4 birds/conj/0",
            id="three conjuncts",
        ),
        pytest.param(
            "He/nsubj/1 called/ROOT/1 me/dobj/1 fool/oprd/1",
            "He/nsubj/1 called/root/1 me/obj/1 fool/xcomp/1",
            id="oprd",
        ),
        pytest.param(
            "lives/ROOT/0 in/prep/0 Rome/pobj/1 and/cc/1 in/conj/1 Paris/pobj/4",
            "lives/root/0 in/case/2 Rome/obl/0 and/cc/5 in/case/5 Paris/conj/2",
            id="joined prepositions with nouns",
        ),
        pytest.param(
            "vote/ROOT/0 for/prep/0 and/cc/1 against/conj/1 it/pobj/3",
            "vote/root/0 for/case/4 and/cc/3 against/conj/1 it/obl/0",
            id="joined prepositions with one noun",
        ),
        pytest.param(
            "left/ROOT/0 because/prep/0 of/pcomp/1 rain/pobj/2",
            "left/root/0 because/case/3 of/fixed/1 rain/obl/0",
            id="because of",
        ),
        pytest.param(
            "lives/ROOT/0 only/advmod/2 in/prep/0 Rome/pobj/2",
            "lives/root/0 only/advmod/3 in/case/3 Rome/obl/0",
            id="what modifies a preposition",
        ),
        pytest.param(
            "way|NOUN/ROOT/0 of/prep/0 doing|VERB/pcomp/1 it|PRON/dobj/2",
            "way|NOUN/root/0 of/mark/2 doing|VERB/acl/0 it|PRON/obj/2",
            id="clause below a noun",
        ),
        pytest.param("She/nsubj/1 ’s/ROOT/1 kind/acomp/1", "She/nsubj/2 ’s/cop/2 kind/root/2", id="curly apostrophe"),
        pytest.param(
            "It/expl/1 is/ROOT/1 clear/acomp/1", "It/expl/2 is/cop/2 clear/root/2", id="it, which is no there"
        ),
        pytest.param(
            "gon/ROOT/0 na/aux/2 leave/xcomp/0", "gon/root/0 na/mark/2 leave/xcomp/0", id="to behind another word"
        ),
        pytest.param(
            "five/nummod/1 dollars/ROOT/1 a/det/3 share/npadvmod/1",
            "five/nummod/1 dollars/root/1 a/det/3 share/nmod:unmarked/1",
            id="a share",
        ),
        pytest.param(
            "a/ROOT/0 and/cc/0 b/conj/0 or/cc/2 c/conj/2",
            "a/root/0 and/cc/0 b/conj/0 or/cc/0 c/conj/0",
            id="all on the first, as in the first version",
        ),
        pytest.param(
            "Go/ROOT/0 ./punct/0 Think/ROOT/2 of/prep/2 me/pobj/3 ./punct/2",
            "Go/root/0 ./punct/0 Think/root/2 of/case/4 me/obl/2 ./punct/2",
            id="two sentences",
        ),
    ],
)
def test_both_schemes_collapse_to_the_same_triples(clear: str, universal: str) -> None:
    assert sorted(triples(clear)) == sorted(triples(universal))


def test_a_conjunction_is_for_all_before_it() -> None:
    assert triples("cats/ROOT/0 ,/punct/0 dogs/conj/0 and/cc/2 birds/conj/2") == (
        "conj:and(cats, dogs)",
        "cc(birds, and)",
        "conj:and(cats, birds)",
    )


def test_each_conjunct_has_its_own_conjunction() -> None:
    found = triples("cats/ROOT/0 and/cc/0 dogs/conj/0 or/cc/2 birds/conj/2")
    assert [each for each in found if each.startswith("conj")] == ["conj:and(cats, dogs)", "conj:or(cats, birds)"]


def test_little_words_of_several_parts_are_joined() -> None:
    tree = "came/root/0 out/case/3 of/case/3 town/obl/0"
    assert triples(tree)[-1] == "nmod:out_of(came, town)"


def test_fixed_words_are_one_name() -> None:
    tree = "left/root/0 because/case/3 of/fixed/1 rain/obl/0"
    assert triples(tree) == ("case(rain, because)", "case(rain, of)", "nmod:because_of(left, rain)")
    joined = triples("cats/root/0 as/cc/4 well/fixed/1 as/fixed/1 dogs/conj/0")
    assert joined[-1] == "conj:as_well_as(cats, dogs)"


def test_clauses_are_named_for_their_marks() -> None:
    assert triples("go/root/0 if/mark/2 asked/advcl/0")[-1] == "advcl:if(go, asked)"
    assert triples("way/root/0 to/mark/2 go/acl/0")[-1] == "acl:to(way, go)"


def test_what_is_said_with_be_carries_subject_and_prepositions() -> None:
    found = triples("She/nsubj/1 was/ROOT/1 a/det/3 doctor/attr/1 in/prep/3 town/pobj/4")
    assert set(found) == {
        "nsubj(doctor, she)",
        "cop(doctor, was)",
        "det(doctor, a)",
        "case(town, in)",
        "nmod:in(doctor, town)",
    }


def test_roots_punctuation_and_spaces_are_left_out() -> None:
    assert triples("Go/ROOT/0 _/dep/0 now/advmod/0 !/punct/0 )/PUNCT/0") == ("dep(go, _)", "advmod(go, now)")
    spaced = Doc(VOCABULARY, words=["Go", "\n", "now"], heads=[0, 0, 0], deps=["ROOT", "", "advmod"])
    assert dependency_triples(spaced) == ("advmod(go, now)",)


def test_words_are_in_lower_case_and_triples_in_the_order_of_words() -> None:
    assert triples("YOUR/Poss/1 Household/dobj/2 Imagine/ROOT/2") == (
        "nmod:poss(household, your)",
        "obj(imagine, household)",
    )


def test_equal_words_have_triples_each() -> None:
    assert triples("very/advmod/2 very/advmod/2 good/ROOT/2") == ("advmod(good, very)",) * 2


def test_what_nobody_parsed_has_no_triples() -> None:
    assert dependency_triples(Doc(VOCABULARY)) == ()
    assert dependency_triples(Doc(VOCABULARY, words=["Imagine", "it"])) == ()


@pytest.mark.parametrize(
    "tree",
    [
        "come/ROOT/0 in/prep/0",
        "in/ROOT/0 town/pobj/0",
        "in/prep/0 town/pobj/0",
        "by/agent/0",
        "a/conj/0",
        "a/conj/0 b/conj/0 c/conj/1",
        "a/ROOT/0 and/cc/0",
        "a/ROOT/0 and/cc/0 or/cc/0 b/conj/0",
        "is/ROOT/0 is/attr/0 is/attr/1 it/acomp/2",
        "it/acomp/1 is/attr/2 is/attr/3 is/ROOT/3",
        "a/ROOT/0 in/prep/0 of/prep/1 on/prep/2",
        "with/prep/3 cats/pobj/0 dogs/pobj/0 came/ROOT/3",
        "a/ROOT/0 in/dative/0 is/pcomp/1 b/acomp/2 c/conj/2",
        "a/dep/0 b/unheard-of/0",
    ],
)
def test_odd_trees_have_at_most_a_triple_for_each_word(tree: str, no_time_to_waste: None) -> None:
    assert len(triples(tree)) <= len(tree.split())


@pytest.mark.parametrize(
    "tree",
    [
        "a/conj/1 b/conj/0",
        "a/conj/1 b/conj/2 c/conj/0",
        "a/ROOT/0 b/conj/2 c/conj/1",
        "a/conj/0 b/conj/2 c/conj/3 d/conj/1",
        "a/prep/1 b/prep/0 c/pobj/0",
        "a/agent/1 b/prep/2 c/dative/0 d/pcomp/2",
        "is/attr/1 is/attr/0",
        "is/attr/2 is/conj/0 is/acomp/1",
    ],
)
def test_heads_in_a_circle_come_to_an_end(tree: str, no_time_to_waste: None) -> None:
    assert len(triples(tree)) <= len(tree.split())


def test_a_long_enumeration_takes_no_long_time(no_time_to_waste: None) -> None:
    number = 600
    heads = [0, *range(number - 1)]
    chain = Doc(VOCABULARY, words=["a"] * number, heads=heads, deps=["ROOT"] + ["conj"] * (number - 1))
    assert dependency_triples(chain) == ("conj(a, a)",) * (number - 1)


RELATIONS = """
ROOT acl acomp advcl advmod agent amod appos attr aux auxpass case cc ccomp compound conj csubj csubjpass dative dep det
dobj expl intj mark meta neg nmod npadvmod nsubj nsubjpass nummod oprd parataxis pcomp pobj poss preconj predet prep prt
punct quantmod relcl xcomp
root obj iobj obl obl:agent nmod:poss acl:relcl aux:pass cop discourse fixed flat nsubj:pass vocative
"""
WORDS = ["is", "was", "and", "of", "to", "Cat", "it", "😀"]


@st.composite
def trees(draw: st.DrawFn) -> Doc:
    """Words under one another in any way; most relations are those that are moved about."""
    number = draw(st.integers(0, 9))
    order = draw(st.permutations(range(number)))
    heads = list(range(number))
    for rank, place in enumerate(order):
        heads[place] = order[draw(st.integers(max(0, rank - 3), rank))]
    moved = ["prep", "pobj", "pcomp", "conj", "cc", "attr", "acomp", "agent", "dative", "case"]
    label = st.sampled_from(moved) | st.sampled_from(RELATIONS.split())
    words = draw(st.lists(st.sampled_from(WORDS), min_size=number, max_size=number))
    return Doc(VOCABULARY, words=words, heads=heads, deps=draw(st.lists(label, min_size=number, max_size=number)))


@given(trees())
def test_any_tree_has_well_formed_triples_of_its_own_words(doc: Doc) -> None:
    found = dependency_triples(doc)
    words = {token.lower_ for token in doc}
    assert len(found) <= len(doc)
    for triple in found:
        relation, _, arguments = triple.removesuffix(")").partition("(")
        head, _, dependent = arguments.partition(", ")
        assert triple == f"{relation}({head}, {dependent})"
        assert head in words
        assert dependent in words
        assert relation not in ("", "root", "punct")
        assert not any(part.isspace() or not part for part in relation.split(":"))


@given(trees())
def test_every_word_but_roots_and_punctuation_keeps_its_triple(doc: Doc) -> None:
    kept = [token for token in doc if token.head.i != token.i and token.dep_ not in ("punct", "ROOT", "root")]
    assert len(dependency_triples(doc)) >= len([token for token in kept if token.dep_ not in ("attr", "acomp")])


@given(trees())
def test_tokens_may_come_in_any_iterable(doc: Doc) -> None:
    assert dependency_triples(doc) == dependency_triples(iter(doc))
