"""The parts of spaCy that winoforge uses, loaded without torch.

spaCy imports torch wherever it is installed, as after `make parse`. That takes two seconds, and no rule or tokenizer needs it.
"""

from ..core.packages import hidden

with hidden("torch"):
    from spacy import blank, load
    from spacy.matcher import DependencyMatcher
    from spacy.tokens import Doc, Token
    from spacy.vocab import Vocab

__all__ = ("DependencyMatcher", "Doc", "Token", "Vocab", "blank", "load")
