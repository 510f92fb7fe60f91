"""The made-up pairs are as they say."""

from collections import Counter

from systems.programs.made_pairs import DELETIONS, REWRITES, made_pairs, parse_of
from systems.programs.texts import Range
from systems.programs.tokens import tokens_of


def test_pairs_are_many_different_of_all_kinds_and_the_same_again() -> None:
    pairs = made_pairs(5000, seed=1)
    assert len({pair.source_text for pair in pairs}) == 5000
    words = Counter(word.text.lower() for pair in pairs for word in pair.source.words)
    assert len(words) > 300
    lengths = Counter(sum(not word.is_sign for word in pair.source.words) for pair in pairs)
    assert set(lengths) == set(range(8, 31))
    used = Counter(rewrite for pair in pairs for rewrite in pair.rewrites)
    assert min(used[rewrite] for rewrite in REWRITES) > 500
    assert made_pairs(100, seed=1) == pairs[:100] != made_pairs(100, seed=2)


def test_texts_are_those_of_their_trees_and_in_the_range() -> None:
    pairs = made_pairs(300, seed=2)
    parse = parse_of(pairs)
    for pair in pairs:
        assert Range().holds(pair.source_text, pair.target_text)
        for sentence, text in ((pair.source, pair.source_text), (pair.target, pair.target_text)):
            assert parse(text) == sentence
            assert [(word.text, word.is_spaced) for word in sentence.words] == [
                (token.text, token.is_spaced) for token in tokens_of(text, "en")
            ]
            assert sum(sentence.governor(place) is None for place in range(len(sentence.words))) == 1


def test_deletions_only_drop_words() -> None:
    for pair in made_pairs(200, seed=3, rewrites=DELETIONS):
        words = iter(word.text.lower() for word in pair.source.words)
        assert all(word.text.lower() in words for word in pair.target.words)
        assert pair.rewrites <= DELETIONS
