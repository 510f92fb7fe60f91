"""Whether a grammar can turn one tree into another: what a grammar made of pairs should do for these."""

from __future__ import annotations

from functools import cache

from systems.programs.t3.grammar import Grammar, Use
from systems.programs.t3.rules import Variable
from systems.programs.t3.trees import Tree


def derives(grammar: Grammar, source: Tree, target: Tree) -> bool:
    """Say whether there is a derivation of a tree from another one.

    Parameters
    ----------
    grammar : Grammar
        The rules.
    source, target : Tree
        The trees.

    Returns
    -------
    bool
        Whether the rules give the target, all its labels included.

    Examples
    --------
    >>> from systems.programs.parses import Sentence, Word
    >>> from systems.programs.t3.trees import tree_of
    >>> tree = tree_of(Sentence((Word("Run", True, 0, "root", "VERB"), Word("!", False, 0, "punct", "PUNCT"))))
    >>> derives(Grammar({}, []), tree, tree)
    True
    """
    uses = cache(lambda node: grammar.uses(source, node))

    @cache
    def becomes(node: int, other: int) -> bool:
        for use in uses(node):
            below = _standing_for(use, target, other)
            if below is not None and all(becomes(one, two) for one, two in below):
                return True
        return False

    return becomes(source.root, target.root)


def _standing_for(use: Use, target: Tree, root: int) -> list[tuple[int, int]] | None:
    """Return what nodes a rule's variables stand for if its target is there; None if it is not."""
    parts = (part for part in use.rule.yields if isinstance(part, Variable))
    found, waiting = list[tuple[int, int]](), [root]
    for node in use.rule.target:
        each = waiting.pop()
        if node[0] == "#":
            variable = next(parts)
            if target.labels[each] != variable.label:
                return None
            found.append((use.nodes[variable.number], each))
        elif node != target.written(each):
            return None
        else:
            waiting += reversed(target.children[each])
    return found
