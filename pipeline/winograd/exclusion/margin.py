"""Find decisions that hang on one part of speech, the mistake that taggers make most."""

from dataclasses import replace
from typing import TYPE_CHECKING

from ...language.parsing.trees import Tree

if TYPE_CHECKING:
    from .ruleset import RuleSet

#: Places of the words that most patterns read, counted from the target.
_PLACES = (-1, 1, 2)
#: Parts of speech that taggers confuse, and the two that decide whether a pattern matches.
_CONFUSED = frozenset({"VERB", "NOUN", "ADJ", "PROPN", "AUX"})
_OTHERS = ("VERB", "NOUN")


def tipping_words(rules: "RuleSet", tree: Tree, target: int) -> tuple[str, ...]:
    """Return the words beside a target that, with another part of speech, would turn a kept item into a rejected one or the reverse.

    Each is written with its part of speech and the other one (``堂叔 VERB → NOUN``), in the order of the words. Empty if the decision
    stands whatever these words are.
    """
    rejected = bool(rules.judge(tree, target))
    tipping = []
    for place in (target + step for step in _PLACES):
        if not 0 <= place < len(tree.tokens) or tree.tokens[place].upos not in _CONFUSED:
            continue
        token = tree.tokens[place]
        for upos in _OTHERS:
            tokens = (*tree.tokens[:place], replace(token, upos=upos), *tree.tokens[place + 1 :])
            if upos != token.upos and bool(rules.judge(replace(tree, tokens=tokens), target)) != rejected:
                tipping.append(f"{token.form} {token.upos} → {upos}")
    return tuple(tipping)
