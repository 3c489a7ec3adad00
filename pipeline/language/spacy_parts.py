"""The parts of spaCy that winoforge uses, loaded without torch.

spaCy imports torch wherever it is installed, as after `make parse`. That takes two seconds, and no rule or tokenizer needs it.
"""

import sys
from typing import Any

_modules: dict[str, Any] = sys.modules
_hidden = "torch" not in _modules
if _hidden:
    _modules["torch"] = None  # an import of it fails, as if it were not installed
try:
    from spacy import blank, load
    from spacy.matcher import DependencyMatcher
    from spacy.tokens import Doc, Token
    from spacy.vocab import Vocab
finally:
    if _hidden:
        del _modules["torch"]

__all__ = ("DependencyMatcher", "Doc", "Token", "Vocab", "blank", "load")
